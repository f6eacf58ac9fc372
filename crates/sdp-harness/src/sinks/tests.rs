//! Each form over made-up events: its limits, and text that would break it.

use std::path::PathBuf;

use sdp_core::finding::{Finding, FindingId};
use serde_json::Value;

use super::cargo::Cargo;
use super::github::{Github, StepSummary};
use super::gitlab::Gitlab;
use super::json::Json;
use super::junit::Junit;
use super::sarif::Sarif;
use super::short::Short;
use crate::diagnostic::{self, Diagnostic};
use crate::event::{Event, Run, RunRoot, Sink, Summary};
use crate::report::{CaseReport, CaseResult};

fn run(command: &'static str) -> Run {
    let root = RunRoot {
        folder: PathBuf::from("/nowhere"),
        repository_prefix: "back end/".to_owned(),
        cwd_prefix: "../".to_owned(),
        own_file: Some("sdp.toml".to_owned()),
        ..RunRoot::default()
    };
    Run { command, version: "1.2.3", roots: vec![root], checks: Vec::new() }
}

fn warning(message: &str) -> Diagnostic {
    let finding = Finding::warning(FindingId::Orphans, message).at("specs/a b.sdp.md", 7).about("spec:a");
    Diagnostic::of_finding(&finding, "check::conformance::orphans")
}

fn report(mut diagnostics: Vec<Diagnostic>) -> CaseReport {
    diagnostic::identify(&mut diagnostics);
    CaseReport::of_diagnostics("check::conformance::orphans", None, diagnostics)
}

/// All that a sink makes of one case.
fn made(mut sink: impl Sink, report: &CaseReport) -> String {
    let (errors, warnings) = report.counts();
    let summary = Summary { errors, warnings, is_whole: true, text: "it went".to_owned(), ..Summary::default() };
    [Event::Begin(&run("rules")), Event::Case(report), Event::End(&summary)]
        .iter()
        .map(|event| sink.take(event))
        .collect()
}

#[test]
fn github_shows_ten_of_each_level_and_counts_the_rest() {
    let mut all: Vec<Diagnostic> = (0..12).map(|number| warning(&format!("w{number}"))).collect();
    all.extend((0..3).map(|number| Diagnostic::of_body("check::conformance::orphans", format!("e{number}"))));
    let mut report = report(all);
    report.more_warnings = 5;
    let text = made(Github::default(), &report);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 14);
    assert_eq!(lines[0], "::error title=check%3A%3Aconformance%3A%3Aorphans::e0");
    assert!(lines[3].starts_with("::warning file=back end/specs/a b.sdp.md,line=7,title=conformance/orphans::w"));
    assert_eq!(lines[13], "::notice title=cargo sdp rules::0 more errors and 7 more warnings are not annotated");
}

#[test]
fn a_summary_of_a_step_stays_in_its_room_and_counts_what_is_cut() {
    let report = report((0..20_000).map(|number| warning(&format!("{number} {}", "x".repeat(200)))).collect());
    let page = made(StepSummary::behind(0), &report);
    assert!(page.len() < 1 << 20, "{}", page.len());
    let rows = page.lines().filter(|line| line.starts_with("| warning |")).count();
    assert!(rows > 1_000);
    assert!(page.contains(&format!("\n{} more findings are not listed.\n", 20_000 - rows)), "{rows}");
    assert!(made(StepSummary::behind(1 << 20), &report).is_empty());
}

#[test]
fn a_cell_of_the_summary_is_no_markdown_and_no_html() {
    let page = made(StepSummary::behind(0), &report(vec![warning("a|b\n<img src=x> [x](y) `z` **k** @me \u{1b}")]));
    let row = page.lines().find(|line| line.starts_with("| warning")).unwrap();
    assert_eq!(
        row,
        "| warning | conformance/orphans | back end/specs/a b.sdp.md:7 | a\\|b<br>&lt;img src=x&gt; \\[x\\]\\(y\\) \\`z\\` \\*\\*k\\*\\* \\@me \\\\u\\{1b\\} |"
    );
}

#[test]
fn sarif_keeps_errors_before_warnings_and_says_what_it_cut() {
    let mut all: Vec<Diagnostic> = (0..25_002).map(|number| warning(&format!("w{number}"))).collect();
    all.push(Diagnostic::of_rule(
        &sdp_core::rules::RuleFinding {
            rule: "team".to_owned(),
            severity: sdp_core::finding::Severity::Error,
            message: "e".to_owned(),
            subject: None,
            related: None,
            place: None,
        },
        "rule::x",
        Some("Says what for"),
    ));
    let log: Value = serde_json::from_str(&made(Sarif::default(), &report(all))).unwrap();
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 25_000);
    assert_eq!(
        (&results[0]["level"], &results[0]["ruleId"], &results[1]["level"]),
        (&"error".into(), &"team".into(), &"warning".into())
    );
    let note = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(note, "3 more findings are left out: a run holds 25000 results, errors first");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in &results[..2] {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    let of_team = rules.iter().find(|rule| rule["id"] == "team").unwrap();
    assert_eq!(of_team["shortDescription"]["text"], "Says what for");
    // A finding without a file stands at the configuration, and a path is a relative URI.
    let uri = |result: &Value| result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone();
    assert_eq!(
        (uri(&results[0]), uri(&results[1])),
        ("back%20end/sdp.toml".into(), "back%20end/specs/a%20b.sdp.md".into())
    );
}

#[test]
fn gitlab_never_gives_one_fingerprint_twice() {
    let equal = report(vec![warning("a"), warning("b"), warning("b")]);
    let mut sink = Gitlab::default();
    let events =
        [Event::Begin(&run("rules")), Event::Case(&equal), Event::Case(&equal), Event::End(&Summary::default())];
    let text: String = events.iter().map(|event| sink.take(event)).collect();
    let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
    let prints: std::collections::BTreeSet<&str> =
        rows.iter().map(|row| row["fingerprint"].as_str().unwrap()).collect();
    assert_eq!((rows.len(), prints.len()), (6, 6));
    let fresh: Vec<Value> = serde_json::from_str(&made(Gitlab::default(), &equal)).unwrap();
    assert_eq!(fresh[..], rows[..3], "what another case says changes nothing");
}

#[test]
fn what_was_counted_and_not_kept_is_said_in_every_form() {
    let mut report = report(vec![warning("w")]);
    report.more_warnings = 41;
    for text in [
        made(Short::default(), &report),
        made(Json::default(), &report),
        made(Cargo::default(), &report),
        made(Sarif::default(), &report),
        made(Github::default(), &report),
        made(Gitlab::default(), &report),
        made(Junit::default(), &report),
        made(StepSummary::behind(0), &report),
    ] {
        assert!(text.contains("41"), "{text}");
    }
}

#[test]
fn a_case_that_panicked_is_a_failure_in_every_form() {
    let report = CaseReport::panicked("rule::x", None);
    for (text, sign) in [
        (made(Short::default(), &report), "[error] rule::x — the evaluation of this case panicked"),
        (made(Json::default(), &report), "\"result\":\"failed\""),
        (made(Cargo::default(), &report), "\"success\":false"),
        (made(Sarif::default(), &report), "\"executionSuccessful\": false"),
        (made(Github::default(), &report), "::error title=rule%3A%3Ax::the evaluation"),
        (made(Gitlab::default(), &report), "\"severity\": \"critical\""),
        (made(Junit::default(), &report), "<error message=\"the evaluation of this case panicked"),
    ] {
        assert!(text.contains(sign), "{sign}: {text}");
    }
}

#[test]
fn cargo_shows_the_line_from_its_first_word_in_characters_and_bytes() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.md"), "\u{FEFF}é\r\n  größe: 1\r\n").unwrap();
    let mut run = run("check");
    run.roots[0].folder = folder.path().to_owned();
    let mut sink = Cargo::default();
    sink.take(&Event::Begin(&run));
    let mut span = |column: Option<u32>| {
        let mut one = warning("m");
        (one.file, one.line, one.column) = (Some("a.md".to_owned()), Some(2), column);
        let line: Value = serde_json::from_str(&sink.take(&Event::Diagnostic(&one))).unwrap();
        let span = &line["message"]["spans"][0];
        let field = |name: &str| span[name].as_u64().unwrap();
        (["column_start", "column_end", "byte_start", "byte_end"].map(field), span["text"][0]["text"].clone())
    };
    let text = Value::from("  größe: 1");
    assert_eq!(span(None), ([3, 11, 9, 19], text.clone()));
    assert_eq!(span(Some(6)), ([6, 11, 13, 19], text.clone()));
    assert_eq!(span(Some(99)), ([11, 11, 19, 19], text));
}

#[test]
fn cargo_reads_a_file_once_for_all_of_its_findings() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = run("check");
    run.roots[0].folder = folder.path().to_owned();
    run.roots[0].cwd = folder.path().to_owned();
    run.roots[0].cwd_prefix = String::new();
    let files = ["a.gherkin", "sdp.toml"];
    for file in files {
        std::fs::write(folder.path().join(file), "first\n").unwrap();
    }
    let mut sink = Cargo::default();
    sink.take(&Event::Begin(&run));
    let mut one = warning("m");
    (one.file, one.line) = (Some("a.gherkin".to_owned()), Some(1));
    let first = sink.take(&Event::Diagnostic(&one));
    assert_eq!(first.matches("first").count(), 3, "{first}");
    for file in files {
        std::fs::remove_file(folder.path().join(file)).unwrap();
    }
    assert_eq!(sink.take(&Event::Diagnostic(&one)), first);
}

#[test]
fn cargo_names_a_package_by_a_url() {
    let mut run = run("check");
    run.roots[0].folder = PathBuf::from("/a b/c#d%");
    let mut sink = Cargo::default();
    sink.take(&Event::Begin(&run));
    let line: Value = serde_json::from_str(&sink.take(&Event::Diagnostic(&warning("m")))).unwrap();
    assert_eq!(line["package_id"], "path+file:///a%20b/c%23d%25#sdp@0.0.0");
    assert_eq!(line["manifest_path"], "/a b/c#d%/Cargo.toml");
}

#[test]
fn what_was_not_run_is_said_in_every_form() {
    let mut report = CaseReport::of_diagnostics("rule::x", None, Vec::new());
    report.result = CaseResult::NotRun;
    for text in [
        made(Short::default(), &report),
        made(Json::default(), &report),
        made(Cargo::default(), &report),
        made(Sarif::default(), &report),
        made(Github::default(), &report),
        made(Gitlab::default(), &report),
        made(Junit::default(), &report),
        made(StepSummary::behind(0), &report),
    ] {
        assert!(text.contains("not run"), "{text}");
    }
    let text = made(Github::default(), &report);
    assert_eq!(text, "::notice title=cargo sdp rules::1 case was not run: the carriers give no graph\n");
}

#[test]
fn a_summary_without_room_is_not_begun() {
    let empty = report(Vec::new());
    let full = (1 << 20) - (64 << 10);
    for bytes in [full - 10, full, 1 << 20, u64::MAX] {
        assert_eq!(made(StepSummary::behind(bytes), &empty), "", "{bytes}");
    }
    assert!(made(StepSummary::behind(full - 1_000), &empty).contains("it went"));
    for bytes in (full - 2_000..full).step_by(50) {
        let page = made(StepSummary::behind(bytes), &report((0..9).map(|_| warning(&"x".repeat(200))).collect()));
        assert!(page.len() as u64 <= full - bytes, "{bytes}: {}", page.len());
        assert!(page.is_empty() || page.matches("| warning").count() == 9 || page.contains("more findings"), "{page}");
    }
}

#[test]
fn junit_keeps_the_cases_of_a_root_together_whether_they_pass_or_fail() {
    let mut run = run("check");
    let named = |name: &str| RunRoot { name: Some(name.to_owned()), ..run.roots[0].clone() };
    run.roots = vec![named("one"), named("two")];
    let case = |root: &str, case: &str| (Some(root.to_owned()), format!("{root}::{case}"));
    run.checks = vec![case("one", "a"), case("one", "b"), case("two", "a"), case("two", "b")];
    let mut sink = Junit::default();
    sink.take(&Event::Begin(&run));
    for root in ["two", "one"] {
        let (root, case) = case(root, "b");
        sink.take(&Event::Diagnostic(&Diagnostic { root, case, ..warning("m") }));
    }
    let xml = sink.take(&Event::End(&Summary::default()));
    let name = |line: &str| {
        let line = line.split_once(" name=\"")?.1;
        line.split('"').next().map(str::to_owned)
    };
    let names: Vec<String> = xml.lines().skip(2).filter_map(name).collect();
    assert_eq!(
        names,
        ["cargo-sdp check (one)", "one::a", "one::b", "cargo-sdp check (two)", "two::a", "two::b"],
        "{xml}"
    );
}
