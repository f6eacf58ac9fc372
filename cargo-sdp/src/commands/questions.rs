//! `questions`: a root comes in, its open questions go out as the recipes 20 and 104 give them. For their age git says who wrote
//! which line; the join is the recipe's. It writes nothing.

use std::collections::BTreeMap;
use std::env;
use std::sync::Arc;

use sdp_core::date::Date;
use sdp_core::graph::LocationRow;
use sdp_core::harmless;
use sdp_core::reader::Reader;
use sdp_harness::accept;
use sdp_harness::event::counted;
use sdp_harness::progress;
use serde_json::{Map, Value, json};

use crate::errors::{Exit, Refusal};
use crate::evaluate::{self, LimitArgs, rows, text};
use crate::git::{Authored, Git};
use crate::output::Output;
use crate::root::{self, CommonArgs};

/// How many characters of a question are shown in a list.
const MAX_SHOWN: usize = 200;

/// The arguments of `questions`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "List the open questions, by Spec or by age",
    long_about = "\
List the open questions, by Spec or by age.

By Spec, those with a blocking question come first. By age, the oldest comes first: `git blame` says which commit wrote the line \
on which a question opens, and the date is that of the commit's author, in UTC. A line that is in no commit yet is \
`not committed` and stands last, and so does one whose commit has no date that can be read. A question that was moved or reworded has the date of that change.

In a shallow clone the line of a question may be older than the clone: such a row says `at least`, and a note says how many.",
    after_help = "\
Examples:
  cargo sdp questions
  cargo sdp questions --blocking --by-age
  cargo sdp questions --by-age --today 2027-01-31 --json | jq '.rows[] | select(.ageDays > 90)'

JSON: the answer of recipe 20, or with --by-age that of recipe 104, whose rows have `isCut` beside it where the clone ends at \
their commit, and `commit` alone where its date cannot be read. With --blocking the other rows are left out, and the totals stay those of all questions.

Exit codes: 0 whatever is open; 1 a refusal, or a graph that does not derive; 2 usage."
)]
pub(crate) struct QuestionsArgs {
    /// Sort by the date of the line that asks, with its commit and its age in days
    #[arg(long)]
    pub(crate) by_age: bool,
    /// Show those that block only
    #[arg(long)]
    pub(crate) blocking: bool,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The day from which ages count, such as 2027-01-31 [default: that of SOURCE_DATE_EPOCH, else today in UTC]
    #[arg(long, value_name = "DAY", requires = "by_age")]
    pub(crate) today: Option<Date>,
    /// What the recipe may use.
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Where to look.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Lists the questions.
#[sdp::satisfies("spec:sdp.questions", component = "component:sdp.command-line")]
pub(crate) fn run(args: &QuestionsArgs, output: &mut Output) -> Result<Exit, Refusal> {
    let workspace = root::load(&args.common)?;
    let (git, today) = if args.by_age {
        let today = accept::day(args.today, |name| env::var_os(name))?;
        (Some(Git::open(workspace.root())?), Some(today))
    } else {
        (None, None)
    };
    let reader = evaluate::reader(&workspace, output)?;
    let evaluator = evaluate::evaluator(&workspace, Arc::clone(&reader), &args.limits, output);
    let (mut answer, page): (Value, fn(&Value) -> String) = match (git, today) {
        (Some(git), Some(today)) => {
            let lines = progress::during("asking git", || authors(&reader, &git))?;
            let params = json!({ "dates": lines.dates, "today": today.to_string() });
            let mut answer = evaluate::of_recipe(&evaluator, 104, params)?;
            mark(&mut answer, &lines);
            if !lines.cut.is_empty() {
                output.note(&format!(
                    "note: the clone is shallow; {} may be older than shown: `git fetch --unshallow`, or `fetch-depth: 0` in the pipeline",
                    counted(lines.cut.len(), "question")
                ));
            }
            (answer, by_age)
        }
        _ => (evaluate::of_recipe(&evaluator, 20, json!({}))?, by_spec),
    };
    if args.blocking {
        keep_blocking(&mut answer);
    }
    if args.json {
        output.answer(&format!("{answer:#}"), harmless::in_json);
    } else {
        output.out(&page(&answer));
    }
    Ok(Exit::Fine)
}

/// What git knows of the lines that ask.
struct Lines {
    /// By entry, as recipe 104 takes them.
    dates: Map<String, Value>,
    /// The entries whose commit is where the clone ends.
    cut: Vec<String>,
    /// The commits of entries whose author's date is none of the calendar's days.
    without_date: BTreeMap<String, String>,
}

/// Asks git for each line on which a question opens, carrier by carrier.
fn authors(reader: &Reader, git: &Git) -> Result<Lines, Refusal> {
    let mut lines = Lines { dates: Map::new(), cut: Vec::new(), without_date: BTreeMap::new() };
    if git.head()?.is_none() {
        return Ok(lines);
    }
    let is_question = |row: &&LocationRow| row.entry.starts_with("question[");
    let mut by_file: BTreeMap<&str, Vec<(u32, &LocationRow)>> = BTreeMap::new();
    for row in reader.graph().locations.iter().filter(is_question) {
        by_file.entry(&row.file).or_default().push((row.line, row));
    }
    if by_file.is_empty() {
        return Ok(lines);
    }
    let tracked = git.tracked()?;
    let tracked: std::collections::HashSet<&str> = tracked.iter().map(String::as_str).collect();
    let asked: Vec<(&str, Vec<u32>)> = by_file
        .iter_mut()
        .filter(|(file, _)| tracked.contains(**file))
        .map(|(file, rows)| {
            rows.sort_by_key(|(line, _)| *line);
            (*file, rows.iter().map(|(line, _)| *line).collect())
        })
        .collect();
    let answers = git.authors(&asked)?;
    for ((file, _), mut answer) in asked.iter().zip(answers) {
        answer.sort_by_key(|(line, _)| *line);
        for (line, row) in by_file.get(file).into_iter().flatten() {
            let found = answer.binary_search_by_key(line, |(line, _)| *line).ok().and_then(|at| answer.get(at));
            let Some((_, Authored::In { commit, seconds, is_cut })) = found else { continue };
            let entry = format!("{}#{}", row.spec, row.entry);
            let Some(date) = seconds.and_then(Date::of_unix_seconds) else {
                lines.without_date.insert(entry, commit.clone());
                continue;
            };
            if *is_cut {
                lines.cut.push(entry.clone());
            }
            lines.dates.insert(entry, json!({ "date": date.to_string(), "commit": commit }));
        }
    }
    lines.cut.sort();
    Ok(lines)
}

/// Marks the rows whose commit is where the clone ends, and names the commit of those that have one without a day.
fn mark(answer: &mut Value, lines: &Lines) {
    for row in answer.get_mut("rows").and_then(Value::as_array_mut).into_iter().flatten() {
        let Some(entry) = text(row, "entry").map(str::to_owned) else { continue };
        let Some(row) = row.as_object_mut() else { continue };
        if lines.cut.binary_search(&entry).is_ok() {
            row.insert("isCut".to_owned(), json!(true));
        }
        if let Some(commit) = lines.without_date.get(&entry) {
            row.insert("commit".to_owned(), json!(commit));
        }
    }
}

/// Leaves the questions that block.
fn keep_blocking(answer: &mut Value) {
    if let Some(rows) = answer.get_mut("rows").and_then(Value::as_array_mut) {
        rows.retain(is_blocking);
    }
    if let Some(specs) = answer.get_mut("specs").and_then(Value::as_array_mut) {
        for spec in specs.iter_mut() {
            if let Some(questions) = spec.get_mut("questions").and_then(Value::as_array_mut) {
                questions.retain(is_blocking);
            }
        }
        specs.retain(|spec| rows(spec, "questions").next().is_some());
    }
}

fn is_blocking(row: &Value) -> bool {
    row.get("blocking").and_then(Value::as_bool).unwrap_or_default()
}

fn shown(row: &Value, name: &str) -> String {
    harmless::cut(text(row, name).unwrap_or_default(), MAX_SHOWN)
}

/// The register by Spec.
fn by_spec(answer: &Value) -> String {
    let mut page = heading(answer);
    for spec in rows(answer, "specs") {
        page.push_str(&format!("\n{} ({})\n", shown(spec, "id"), shown(spec, "statedReadiness")));
        for question in rows(spec, "questions") {
            let key =
                text(question, "key").map_or(String::new(), |key| format!(" [#{}]", harmless::cut(key, MAX_SHOWN)));
            page.push_str(&format!("  {:8}  {}{key}\n", weight(question), shown(question, "question")));
        }
    }
    for entry in rows(answer, "malformed") {
        let parts = ["id", "section", "entry", "reason"].map(|name| shown(entry, name));
        let [id, section, entry, reason] = parts;
        page.push_str(&format!("\nmalformed: {id} {section}.{entry}: {reason}\n"));
    }
    page
}

/// The questions by age: one line each.
fn by_age(answer: &Value) -> String {
    let mut page = heading(answer);
    let today = shown(answer, "today");
    if rows(answer, "rows").next().is_some() {
        page.push_str(&format!("The oldest first; days from the author's date of the commit to {today}.\n\n"));
    }
    for row in rows(answer, "rows") {
        let commit = text(row, "commit").and_then(|commit| commit.get(..12));
        let age = match row.get("ageDays").and_then(Value::as_i64) {
            Some(days) => {
                let at_least = if row.get("isCut").is_some() { "at least " } else { "" };
                format!("{at_least}{days} days  {}  {}", shown(row, "date"), commit.unwrap_or_default())
            }
            None => commit.map_or("not committed".to_owned(), |commit| format!("no date  {commit}")),
        };
        let line = row.get("line").and_then(Value::as_u64).map_or(String::new(), |line| format!(":{line}"));
        let file = harmless::one_line(&harmless::path(text(row, "file").unwrap_or_default())).into_owned();
        let name = text(row, "address").or_else(|| text(row, "spec")).unwrap_or_default();
        page.push_str(&format!(
            "{age:>36}  {:8}  {file}{line}  {}  {}\n",
            weight(row),
            harmless::one_line(name),
            shown(row, "question")
        ));
    }
    page
}

fn heading(answer: &Value) -> String {
    let total = |name: &str| {
        let total = answer.get("totals").and_then(|totals| totals.get(name)).and_then(Value::as_u64);
        usize::try_from(total.unwrap_or_default()).unwrap_or(usize::MAX)
    };
    match total("questions") {
        0 => "No open question.\n".to_owned(),
        questions => format!("{}, {} of them blocking.\n", counted(questions, "open question"), total("blocking")),
    }
}

fn weight(row: &Value) -> &'static str {
    if is_blocking(row) { "blocking" } else { "" }
}
