//! `cargo sdp questions`: the register of open questions, and their age as git knows it.

use std::fs;

use sdp_tests::{Repo, Run, ends, spec_text};
use serde_json::{Value, json};

use crate::cli_impact::hostile;

/// The body of a Spec with its questions.
fn asking(questions: &[&str]) -> String {
    let rows: String = questions.iter().map(|question| format!("- {question}\n")).collect();
    format!("\n### Open questions\n\n{rows}")
}

fn spec(name: &str, questions: &[&str]) -> String {
    spec_text(name, "", &asking(questions))
}

/// Three questions, written on two days.
fn two_days() -> Repo {
    let repo = Repo::new().file("specs/b.sdp.md", spec("b", &["[blocking #late] Which one?"])).committed();
    repo.write("specs/a.sdp.md", spec("a", &["[non-blocking] Who pays?"]));
    repo.commit("2025-12-31");
    repo
}

#[track_caller]
fn answer(run: &Run) -> Value {
    ends(run, 0);
    serde_json::from_str(&run.stdout).unwrap()
}

#[track_caller]
fn by_age(repo: &Repo, more: &[&str]) -> Vec<String> {
    let whole = answer(&repo.sdp(["questions", "--by-age", "--json", "--today", "2026-02-01"].iter().chain(more)));
    assert_eq!(whole["unmatched"], json!([]));
    let row = |row: &Value| {
        let age = row["ageDays"].as_i64().map_or("-".to_owned(), |days| days.to_string());
        format!("{age} {} {}:{}", row["entry"].as_str().unwrap(), row["file"].as_str().unwrap(), row["line"])
    };
    whole["rows"].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn the_register_is_that_of_the_recipe() {
    let repo = Repo::new()
        .file("specs/a.sdp.md", spec("a", &["[non-blocking] Who pays?"]))
        .file("specs/b.sdp.md", spec("b", &["[blocking #late] Which one?", "[non-blocking] Why?"]));
    let run = repo.sdp(["questions"]);
    let page = "3 open questions, 1 of them blocking.

spec:b (idea)
  blocking  Which one? [#late]
            Why?

spec:a (idea)
            Who pays?
";
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), (page, "", Some(0)));
    let whole = answer(&repo.sdp(["questions", "--json"]));
    assert_eq!(whole, answer(&repo.sdp(["recipes", "run", "20", "--json"])));
    let run = repo.sdp(["questions", "--blocking"]);
    assert_eq!(run.stdout, "3 open questions, 1 of them blocking.\n\nspec:b (idea)\n  blocking  Which one? [#late]\n");
    let blocking = answer(&repo.sdp(["questions", "--blocking", "--json"]));
    assert_eq!(blocking["totals"], whole["totals"]);
    assert_eq!(blocking["specs"].as_array().unwrap().len(), 1);
    assert_eq!(blocking["specs"][0]["questions"].as_array().unwrap().len(), 1);
    assert_eq!(Repo::new().spec("a", "", "").sdp(["questions"]).stdout, "No open question.\n");
}

#[sdp::verifies("spec:sdp.questions")]
#[test]
fn the_oldest_question_comes_first_by_the_author_s_day() {
    let repo = two_days();
    let second = repo.git(&["rev-parse", "HEAD"]);
    let first = repo.git(&["rev-parse", "HEAD~1"]);
    repo.write("specs/n.sdp.md", spec("n", &["[blocking] New?"]));
    let run = repo.sdp(["questions", "--by-age", "--today", "2026-01-02"]);
    let page = format!(
        "3 open questions, 2 of them blocking.
The oldest first; days from the author's date of the commit to 2026-01-02.

    2 days  2025-12-31  {}            specs/a.sdp.md:16  spec:a  Who pays?
    1 days  2026-01-01  {}  blocking  specs/b.sdp.md:16  spec:b#question.late  Which one?
                       not committed  blocking  specs/n.sdp.md:16  spec:n  New?
",
        second.get(..12).unwrap(),
        first.get(..12).unwrap()
    );
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), (page.as_str(), "", Some(0)));
    // 2026-01-02 by the environment.
    let run = repo.command(["questions", "--by-age"]).env("SOURCE_DATE_EPOCH", "1767312000").run();
    assert_eq!(run.stdout, page);
    let run = repo.command(["questions", "--by-age"]).env("SOURCE_DATE_EPOCH", "soon").run();
    assert_eq!((run.complaint(), run.code), ("sdp questions: SOURCE_DATE_EPOCH is no number of seconds.", Some(1)));
    ends(&repo.sdp(["questions", "--by-age", "--today", "2026-02-30"]), 2);
    ends(&repo.sdp(["questions", "--today", "2026-02-03"]), 2);
    let blocking = repo.sdp(["questions", "--by-age", "--today", "2026-01-02", "--blocking"]).stdout;
    assert!(!blocking.contains("Who pays?") && blocking.contains("Which one?"), "{blocking}");
    // A day before the author's.
    assert!(repo.sdp(["questions", "--by-age", "--today", "2025-12-30"]).stdout.contains(" -1 days  2025-12-31 "));
}

#[test]
fn a_commit_without_a_date_that_can_be_read_is_no_missing_commit() {
    let repo = Repo::new().file("specs/a.sdp.md", spec("a", &["[blocking] Who pays?"])).committed();
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]).trim().to_owned();
    for seconds in ["4102444800000", "99999999999999999"] {
        repo.write(
            "commit.txt",
            format!("tree {tree}\nauthor a <a@b> {seconds} +0000\ncommitter a <a@b> 1767225600 +0000\n\nx\n"),
        );
        let commit = repo.git(&["hash-object", "-t", "commit", "-w", "--literally", "commit.txt"]).trim().to_owned();
        repo.git(&["update-ref", "HEAD", &commit]);
        let run = repo.sdp(["questions", "--by-age", "--today", "2026-01-02"]);
        ends(&run, 0);
        let short = commit.get(..12).unwrap();
        assert!(run.stdout.contains(&format!("no date  {short}  blocking  specs/a.sdp.md:16")), "{}", run.stdout);
        let row = &answer(&repo.sdp(["questions", "--by-age", "--json"]))["rows"][0];
        assert_eq!((&row["date"], &row["ageDays"], &row["commit"]), (&Value::Null, &Value::Null, &Value::from(commit)));
    }
}

#[test]
fn lines_that_moved_with_their_file_keep_their_day_and_new_ones_have_none() {
    let repo = two_days();
    repo.git(&["mv", "specs/a.sdp.md", "specs/z.sdp.md"]);
    repo.write(
        "specs/b.sdp.md",
        spec("b", &["[non-blocking] First?", "[blocking #late] Which one?", "[blocking] More?"]),
    );
    repo.write("specs/staged.sdp.md", spec("staged", &["[blocking] Staged?"]));
    repo.git(&["add", "specs/staged.sdp.md"]);
    repo.write("specs/ignored.sdp.md", spec("ignored", &["[blocking] Loose?"]));
    assert_eq!(
        by_age(&repo, &[]),
        [
            "32 spec:a#question[0] specs/z.sdp.md:16",
            "31 spec:b#question[1] specs/b.sdp.md:17",
            "- spec:b#question[0] specs/b.sdp.md:16",
            "- spec:b#question[2] specs/b.sdp.md:18",
            "- spec:ignored#question[0] specs/ignored.sdp.md:16",
            "- spec:staged#question[0] specs/staged.sdp.md:16",
        ]
    );
    repo.git(&["checkout", "-q", "--detach"]);
    assert_eq!(by_age(&repo, &["--blocking"]).len(), 4);
}

#[test]
fn before_the_first_commit_and_below_the_top_it_answers_too() {
    let repo = Repo::new().file("app/specs/a.sdp.md", spec("a", &["[blocking] Who?"]));
    repo.git(&["init", "-q"]);
    assert_eq!(by_age(&repo, &[]), ["- spec:a#question[0] app/specs/a.sdp.md:16"]);
    repo.git(&["add", "--all"]);
    assert_eq!(by_age(&repo, &["--root", "app"]), ["- spec:a#question[0] specs/a.sdp.md:16"]);
    repo.commit("2026-01-01");
    assert_eq!(by_age(&repo, &["--root", "app"]), ["31 spec:a#question[0] specs/a.sdp.md:16"]);
}

#[cfg(unix)]
#[test]
fn any_name_of_a_carrier_and_any_line_end_comes_through() {
    let names = ["a\nb", "\"q\"", "-L1,1", ":(glob)*", "ä ö", "--output=x"];
    let mut repo = Repo::new();
    for (at, name) in names.iter().enumerate() {
        repo = repo.file(&format!("{name}.sdp.md"), spec(&format!("s{at}"), &["[blocking] Who?"]));
    }
    let crlf = spec("crlf", &["[blocking] Who?"]).replace('\n', "\r\n");
    let repo = repo.file("crlf.sdp.md", crlf).committed();
    let rows = by_age(&repo, &[]);
    assert_eq!(rows.len(), names.len() + 1);
    assert!(rows.iter().all(|row| row.starts_with("31 ")), "{rows:?}");
    assert!(!repo.path("x").exists());
}

#[test]
fn thousands_of_questions_in_one_carrier_are_asked_for_at_once() {
    let mut lines: Vec<String> = (0..7_000).map(|at| format!("[blocking] {at}?")).collect();
    let text = |lines: &[String]| spec("a", &lines.iter().map(String::as_str).collect::<Vec<_>>());
    let repo = Repo::new().file("specs/a.sdp.md", text(&lines)).committed();
    for line in lines.iter_mut().step_by(2) {
        line.push('?');
    }
    repo.write("specs/a.sdp.md", text(&lines));
    repo.commit("2026-01-30");
    let rows = by_age(&repo, &[]);
    assert_eq!(rows.len(), 7_000);
    assert_eq!(rows[0], "31 spec:a#question[1] specs/a.sdp.md:17");
    assert_eq!(rows[3_500], "2 spec:a#question[0] specs/a.sdp.md:16");
}

#[test]
fn where_the_clone_ends_a_question_may_be_older() {
    let repo = two_days();
    repo.write("specs/c.sdp.md", spec("c", &["[blocking] Last?"]));
    repo.commit("2026-01-05");
    let clone = Repo::new();
    let url = format!("file://{}", repo.root().display());
    clone.git(&["clone", "-q", "--depth", "2", &url, "."]);
    let run = clone.sdp(["questions", "--by-age", "--today", "2026-01-06"]);
    assert_eq!(
        run.stderr,
        "note: the clone is shallow; 2 questions may be older than shown: `git fetch --unshallow`, or `fetch-depth: 0` in the pipeline\n"
    );
    let lines: Vec<&str> = run.stdout.lines().skip(3).map(str::trim_start).collect();
    assert!(
        lines[0].starts_with("at least 6 days  2025-12-31 ") && lines[1].starts_with("at least 6 days "),
        "{}",
        run.stdout
    );
    assert!(lines[2].starts_with("1 days  2026-01-05 "), "{}", run.stdout);
    let whole = answer(&clone.sdp(["questions", "--by-age", "--json", "--today", "2026-01-06"]));
    let cut: Vec<&Value> = whole["rows"].as_array().unwrap().iter().map(|row| &row["isCut"]).collect();
    assert_eq!(cut, [&json!(true), &json!(true), &Value::Null]);
}

#[test]
fn only_the_age_needs_git() {
    let repo = Repo::new().file("specs/a.sdp.md", spec("a", &["[blocking] Who?"]));
    ends(&repo.command(["questions"]).env("PATH", repo.root()).run(), 0);
    let run = repo.sdp(["questions", "--by-age"]);
    let line = format!("sdp questions: the root \"{}\" lies in no git repository.", repo.root().display());
    assert_eq!((run.complaint(), run.code), (line.as_str(), Some(1)));
    assert!(run.stderr.contains("\nhint: `--root` names a folder below a git repository"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn nothing_that_a_repository_configures_is_started_by_the_question_of_age() {
    let repo = two_days();
    let mark = hostile(&repo);
    repo.write("specs/a.sdp.md", spec("a", &["[non-blocking] Who pays?", "[blocking] More?"]));
    let before = repo.contents();
    assert_eq!(
        by_age(&repo, &[]),
        [
            "32 spec:a#question[0] specs/a.sdp.md:16",
            "31 spec:b#question[0] specs/b.sdp.md:16",
            "- spec:a#question[1] specs/a.sdp.md:17",
        ]
    );
    assert!(!mark.exists(), "{}", fs::read_to_string(&mark).unwrap_or_default());
    assert_eq!(repo.contents(), before);
    // What git itself cannot do without is said.
    repo.git(&["config", "blame.ignoreRevsFile", "nowhere"]);
    let run = repo.sdp(["questions", "--by-age"]);
    assert!(run.complaint().starts_with("sdp questions: git failed: "), "{}", run.stderr);
    assert!(
        run.stderr.contains("\nhint: `blame.ignoreRevsFile` of git's configuration names a file"),
        "{}",
        run.stderr
    );
}

#[test]
fn the_recipe_joins_days_by_entry_or_address_and_names_what_matches_nothing() {
    let repo = Repo::new()
        .file("specs/a.sdp.md", spec("a", &["[non-blocking] Who?", "[blocking #how] How?", "[blocking] Why?"]));
    let ask = |params: Value| answer(&repo.sdp(["recipes", "run", "104", "--json", "--params", &params.to_string()]));
    let whole = ask(json!({
        "dates": {
            "spec:a#question[0]": "2026-01-02",
            "spec:a#question.how": { "date": "2025-12-31", "commit": "abc" },
            "spec:a#question.gone": "2026-01-02",
            "__proto__": "2026-01-02",
        },
        "today": "2026-01-03",
    }));
    assert_eq!(whole["totals"], json!({ "questions": 3, "blocking": 2, "dated": 2, "undated": 1 }));
    assert_eq!(whole["unmatched"], json!(["spec:a#question.gone", "__proto__"]));
    assert_eq!(
        whole["rows"][0],
        json!({
            "spec": "spec:a", "statedReadiness": "idea", "entry": "spec:a#question[1]", "address": "spec:a#question.how",
            "question": "How?", "blocking": true, "file": "specs/a.sdp.md", "line": 17, "date": "2025-12-31", "commit": "abc",
            "ageDays": 3,
        })
    );
    let ages: Vec<&Value> = whole["rows"].as_array().unwrap().iter().map(|row| &row["ageDays"]).collect();
    assert_eq!(ages, [&json!(3), &json!(1), &Value::Null]);
    assert_eq!(ask(json!({}))["needs"], json!(["dates"]));
    for wrong in [
        json!("2026-02-30"),
        json!("soon"),
        json!(null),
        json!({ "date": 1 }),
        json!({ "date": "2026-01-01", "commit": 7 }),
    ] {
        let params = json!({ "dates": { "spec:a#question[0]": wrong } }).to_string();
        let run = repo.sdp(["recipes", "run", "104", "--params", &params]);
        assert!(
            run.stderr.contains("dates takes a day, such as 2027-01-31, or { date, commit } for spec:a#question[0]"),
            "{}",
            run.stderr
        );
    }
}
