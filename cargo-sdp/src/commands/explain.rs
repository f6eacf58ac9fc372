//! `explain`: the id of a finding or of a readiness clause comes in, what it means goes out, with an example and the same
//! example mended. A group lists its ids, and without an id all of them are listed. It reads nothing of a repository and
//! writes no file.

use sdp_core::explain::{self, Page, Remedy, Subject};
use sdp_core::finding::FindingId;
use sdp_core::model::SpecKind;
use serde_json::{Value, json};

use crate::errors::{Exit, Refusal};
use crate::output::{Output, OutputArgs};

/// The arguments of `explain`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Say what a finding means, with an example and the same example mended",
    long_about = "\
Say what a finding means, why it matters and how it is mended, with an example that gives it and the same example \
mended. Clauses of the readiness floor have pages too.

Without an id every id is listed, each with its meaning in one line; a group, the part of an id before `/`, lists its \
own.",
    after_help = "\
Examples:
  cargo sdp explain
  cargo sdp explain contracts
  cargo sdp explain honesty/readiness-floor
  cargo sdp explain kind-evidence-complete
  cargo sdp explain check::conformance::orphans

Exit codes: 0 fine; 1 an id that does not exist; 2 usage."
)]
pub(crate) struct ExplainArgs {
    /// The id of a finding or of a readiness clause, the name of a case as `rules` prints it, or a group of ids
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Print the list or the page as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// What to say beside the answer.
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Lists or explains.
#[sdp::satisfies("spec:sdp.explain", component = "component:sdp.command-line")]
pub(crate) fn run(args: &ExplainArgs, output: &mut Output) -> Result<Exit, Refusal> {
    let group = args.id.as_deref().and_then(explain::group_named);
    let name = match &args.id {
        Some(name) if group.is_none() => name,
        _ => {
            let listed: Vec<Subject> =
                Subject::all().filter(|subject| group.is_none() || subject.group() == group).collect();
            if args.json {
                output.out_line(&format!("{:#}", listed.into_iter().map(row).collect::<Value>()));
            } else {
                output.out(&listing(&listed));
            }
            return Ok(Exit::Fine);
        }
    };
    let subject = Subject::named(name)
        .ok_or_else(|| Refusal::UnknownFinding { name: name.clone(), nearest: explain::nearest(name) })?;
    if args.json {
        output.out_line(&format!("{:#}", whole(subject)));
    } else {
        output.out(&explain::markdown(subject, 1));
    }
    Ok(Exit::Fine)
}

/// One line for each id, below the group of the ids or below the readiness floor.
fn listing(subjects: &[Subject]) -> String {
    let width = subjects.iter().map(|subject| subject.id().len()).max().unwrap_or_default();
    let mut page = String::new();
    let mut last = None;
    for subject in subjects {
        let group = subject.group().unwrap_or("clauses of honesty/readiness-floor");
        if last != Some(group) {
            page.push_str(if last.is_some() { "\n" } else { "" });
            page.push_str(&format!("{group}\n"));
            last = Some(group);
        }
        page.push_str(&format!("  {:width$}  {}\n", subject.id(), subject.page().title));
    }
    page
}

/// What the list says of a subject.
fn row(subject: Subject) -> Value {
    let Page { title, severity, .. } = subject.page();
    match subject {
        Subject::Finding(id) => {
            json!({ "id": id.as_str(), "family": id.family().as_str(), "severity": severity, "title": title })
        }
        Subject::Clause(clause) => json!({
            "id": clause.id(),
            "family": FindingId::ReadinessFloor.family().as_str(),
            "severity": severity,
            "title": title,
            "finding": FindingId::ReadinessFloor.as_str(),
            "rung": subject.rung().map(|rung| rung.as_str()),
            "description": clause.description(),
        }),
    }
}

/// Everything that is known of a subject.
fn whole(subject: Subject) -> Value {
    let Page { meaning, example, mended, .. } = subject.page();
    let mut page = row(subject);
    let remedies = match subject {
        Subject::Finding(id) => vec![Remedy { kinds: SpecKind::ALL.to_vec(), text: id.help() }],
        Subject::Clause(clause) => explain::remedies(clause),
    };
    let remedies: Vec<Value> = match &remedies[..] {
        [only] => vec![json!({ "remedy": only.text })],
        several => several
            .iter()
            .map(|Remedy { kinds, text }| {
                let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
                json!({ "kinds": kinds, "remedy": text })
            })
            .collect(),
    };
    let more = [
        ("meaning", meaning.into()),
        ("remedies", remedies.into()),
        ("example", section(example)),
        ("mended", section(mended)),
    ];
    if let Value::Object(fields) = &mut page {
        fields.extend(more.map(|(name, value)| (name.to_owned(), value)));
    }
    page
}

/// A section as Markdown, and the files that it holds.
fn section(markdown: &str) -> Value {
    let files: Vec<Value> =
        explain::files(markdown).into_iter().map(|(path, text)| json!({ "path": path, "text": text })).collect();
    json!({ "markdown": markdown, "files": files })
}
