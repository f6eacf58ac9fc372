//! `cargo sdp explain`: every id has a page, and what the page shows is true: the example gives the finding, and the mended
//! example does not.

use sdp_core::explain::{self, Subject};
use sdp_core::finding::FindingId;
use sdp_core::validate::floor::Clause;
use sdp_tests::Repo;
use serde_json::Value;

/// What the files of a page cannot show, and why.
const NOT_SHOWN: &[(Subject, &str)] = &[
    (Subject::Finding(FindingId::TooManyGherkinFindings), "a hundred findings are too long for a page"),
    (Subject::Finding(FindingId::DuplicateIds), "only a graph made by hand has two nodes with one id"),
    (Subject::Finding(FindingId::DeliveryFacts), "only a graph made by hand states facts"),
    (Subject::Finding(FindingId::SkippedSource), "a page holds no links"),
    (Subject::Finding(FindingId::UnreadableSource), "a page holds no modes of files"),
    (Subject::Finding(FindingId::UnreadCarrier), "this build reads every form"),
    (Subject::Finding(FindingId::SkippedCarrier), "a page holds no links"),
    (Subject::Finding(FindingId::SkippedRuleFile), "a page holds no links"),
    (Subject::Finding(FindingId::SkippedIgnoreFile), "a page holds no links"),
    (Subject::Finding(FindingId::FindingsLeftOut), "a hundred findings are too long for a page"),
    (Subject::Finding(FindingId::LargeCarrier), "256 KiB are too long for a page"),
    (Subject::Finding(FindingId::UnreadableCarrier), "a page holds no modes of files"),
    (Subject::Finding(FindingId::NotUtf8), "a page is UTF-8"),
    // Their examples are run by the tests of `cargo sdp import`.
    (Subject::Finding(FindingId::InvalidSourcePath), "a check imports nothing"),
    (Subject::Finding(FindingId::NoSources), "a check imports nothing"),
    (Subject::Finding(FindingId::ImportRefusal), "a check imports nothing"),
    (Subject::Finding(FindingId::PackUnsupported), "a check imports nothing"),
    (Subject::Finding(FindingId::UnsupportedConstruct), "a check imports nothing"),
    (Subject::Finding(FindingId::EmptyImport), "a check imports nothing"),
    (Subject::Finding(FindingId::TargetExists), "a check imports nothing"),
    (Subject::Clause(Clause::Id), "the frontmatter is refused before"),
    (Subject::Clause(Clause::Kind), "the frontmatter is refused before"),
    (Subject::Clause(Clause::Altitude), "the frontmatter is refused before"),
    (Subject::Clause(Clause::AnchorsResolve), "only a graph made by hand has a binding without a source"),
];

/// The findings of `check` over the files of a section.
fn findings(section: &str) -> Vec<Value> {
    let files = explain::files(section);
    assert!(!files.is_empty(), "no files in {section}");
    let repo = files.iter().fold(Repo::new(), |repo, (path, text)| repo.file(path, text));
    let run = repo.sdp(["check", "--output", "json"]);
    assert!(matches!(run.code, Some(0 | 1)), "{}", run.stderr);
    run.findings()
}

/// Whether a finding is one of a subject: its own, or one of the floor that names the clause.
fn is_of(finding: &Value, subject: Subject) -> bool {
    match subject {
        Subject::Finding(id) => finding["id"] == id.as_str(),
        Subject::Clause(clause) => {
            finding["id"] == FindingId::ReadinessFloor.as_str() && finding["relatedId"] == clause.id()
        }
    }
}

fn is_listed(list: &[(Subject, &str)], subject: Subject) -> bool {
    list.iter().any(|(listed, _)| *listed == subject)
}

#[test]
#[sdp::verifies("spec:sdp.explain")]
fn each_example_gives_its_finding_and_the_mended_one_gives_no_error() {
    let mut wrong = Vec::new();
    for subject in Subject::all() {
        if is_listed(NOT_SHOWN, subject) {
            continue;
        }
        let (id, page) = (subject.id(), subject.page());
        let found = findings(page.example);
        let own: Vec<&Value> = found.iter().filter(|finding| is_of(finding, subject)).collect();
        let severities: Vec<&str> = page.severity.split(" or ").collect();
        if own.is_empty() || !own.iter().all(|finding| severities.iter().any(|word| finding["severity"] == **word)) {
            wrong.push(format!("{id}: the example gives {found:#?}"));
        }
        let mended = findings(page.mended);
        if mended.iter().any(|finding| is_of(finding, subject) || finding["severity"] == "error") {
            wrong.push(format!("{id}: the mended example gives {mended:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_listed_as_not_shown_is_not_shown() {
    // A list that outlives its reason would keep a wrong example from being noticed.
    for (subject, _) in NOT_SHOWN {
        let section = subject.page().example;
        let found = if explain::files(section).is_empty() { Vec::new() } else { findings(section) };
        assert!(!found.iter().any(|finding| is_of(finding, *subject)), "{} is given: take it out", subject.id());
    }
}

#[test]
fn a_page_says_what_the_finding_means_and_how_it_is_mended() {
    let repo = Repo::new();
    let run = repo.sdp(["explain", "conformance/orphans"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    assert_eq!(run.stdout, explain::markdown(Subject::Finding(FindingId::Orphans), 1));
    for part in ["# `conformance/orphans`\n", "Severity: warning. Group: conformance.", "Remedy: ", "\n## Mended\n"] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    assert_eq!(repo.sdp(["explain", "check::conformance::orphans"]), run);
    assert_eq!(repo.sdp(["sdp", "explain", "conformance::orphans"]), run);
    let run = repo.sdp(["explain", "kind-evidence-complete"]);
    assert!(run.stdout.starts_with("# `kind-evidence-complete`\n"), "{}", run.stdout);
    assert!(run.stdout.contains("A clause of `honesty/readiness-floor`, asked for from `defined` on."));
}

#[test]
fn without_an_id_every_id_is_listed_below_its_group() {
    let run = Repo::new().sdp(["explain"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let headings: Vec<&str> = run.stdout.lines().filter(|line| !line.is_empty() && !line.starts_with(' ')).collect();
    assert_eq!(
        headings,
        ["extract", "conformance", "honesty", "contracts", "import", "sdp", "clauses of honesty/readiness-floor"]
    );
    let listed: Vec<&str> =
        run.stdout.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next()).collect();
    assert_eq!(listed, Subject::all().map(Subject::id).collect::<Vec<_>>());
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 120), "{}", run.stdout);
}

#[test]
#[sdp::verifies("spec:sdp.explain")]
fn a_group_lists_its_ids() {
    let repo = Repo::new();
    let run = repo.sdp(["explain", "contracts"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let mut lines = run.stdout.lines();
    assert_eq!(lines.next(), Some("contracts"));
    let listed: Vec<&str> = lines.map(|line| line.split_whitespace().next().unwrap()).collect();
    let ids: Vec<&str> =
        FindingId::ALL.iter().map(|id| id.as_str()).filter(|id| id.starts_with("contracts/")).collect();
    assert_eq!(listed, ids);
    assert_eq!(repo.sdp(["explain", "check::contracts"]), run);
    let json = repo.sdp(["explain", "honesty", "--json"]);
    let rows: Vec<Value> = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(rows.len(), FindingId::ALL.iter().filter(|id| id.as_str().starts_with("honesty/")).count());
    assert_eq!(rows[0]["id"], "honesty/authoring-shape");
}

#[test]
fn the_list_and_a_page_are_data_too() {
    let repo = Repo::new();
    let json = |arguments: &[&str]| -> Value {
        let run = repo.sdp(arguments);
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
        serde_json::from_str(&run.stdout).unwrap()
    };
    let list = json(&["explain", "--json"]);
    assert_eq!(list.as_array().unwrap().len(), Subject::all().count());
    assert_eq!(
        list[0],
        serde_json::json!({
            "id": "extract/invalid-frontmatter",
            "family": "conformance",
            "severity": "error",
            "title": "The frontmatter is not well-formed",
        })
    );
    let page = json(&["explain", "sdp/unmatched-exclude", "--json"]);
    assert_eq!((&page["severity"], &page["family"]), (&"warning".into(), &"sdp".into()));
    assert_eq!(page["remedies"][0]["remedy"], FindingId::UnmatchedExclude.help());
    assert_eq!(page["example"]["files"][0]["path"], "sdp.toml");
    assert_eq!(page["mended"]["files"][0]["text"], "exclude = [\"specs/drafts\"]\n");
    let clause = json(&["explain", "kind-evidence-complete", "--json"]);
    assert_eq!((&clause["finding"], &clause["rung"]), (&"honesty/readiness-floor".into(), &"defined".into()));
    assert_eq!(clause["remedies"][0]["kinds"], serde_json::json!(["behavior", "workflow", "contract"]));
}

#[test]
#[sdp::verifies("spec:sdp.explain")]
fn an_unknown_id_is_refused_with_what_was_meant() {
    let repo = Repo::new();
    let refused = |id: &str| {
        let run = repo.sdp(["explain", id]);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
        run.stderr
    };
    assert_eq!(
        refused("conformance/orphan"),
        "sdp explain: no finding and no readiness clause is named conformance/orphan\nhint: did you mean `conformance/orphans`? `cargo sdp explain` lists every id\n"
    );
    assert_eq!(
        refused("rule::naming"),
        "sdp explain: no finding and no readiness clause is named rule::naming\nhint: `cargo sdp explain` lists every id\n"
    );
    for id in ["", "26", "idea"] {
        assert!(refused(id).ends_with("\nhint: `cargo sdp explain` lists every id\n"), "{id}: {}", refused(id));
    }
    assert!(!refused("\u{1b}[2J").contains('\u{1b}'));
    assert!(refused(&"x".repeat(100_000)).len() < 1_000);
    assert_eq!(repo.sdp(["explain", "a", "b"]).code, Some(2));
}

#[test]
#[sdp::verifies("spec:sdp.explain")]
fn the_human_findings_of_check_point_at_the_page_of_one_of_them() {
    let repo = Repo::new().spec("alone", "", "");
    let pointer = |repo: &Repo, form: &str| {
        let run = repo.sdp(["check", "--output", form]);
        let lines: Vec<String> = run
            .stderr
            .lines()
            .chain(run.stdout.lines())
            .filter(|line| line.contains("cargo sdp explain"))
            .map(str::to_owned)
            .collect();
        lines
    };
    assert_eq!(
        pointer(&repo, "human"),
        ["for more information about a finding: cargo sdp explain conformance/orphans"]
    );
    assert_eq!(pointer(&repo, "short"), Vec::<String>::new());
    assert_eq!(pointer(&repo, "json"), Vec::<String>::new());
    // An error goes before a warning, wherever it stands.
    repo.write("specs/lost.sdp.md", sdp_tests::spec_text("lost", "  dependsOn: spec:nowhere", ""));
    assert_eq!(
        pointer(&repo, "human"),
        ["for more information about a finding: cargo sdp explain conformance/referential-integrity"]
    );
    let clean = Repo::new().spec("a", "  dependsOn: spec:b", "").spec("b", "", "");
    assert_eq!(pointer(&clean, "human"), Vec::<String>::new());
}

#[test]
fn explain_needs_no_folder_and_writes_nothing() {
    let repo = Repo::new().file("sdp.toml", "this is no configuration");
    let before = repo.contents();
    assert_eq!(repo.sdp(["explain", "sdp/invalid-config"]).code, Some(0));
    assert_eq!(repo.contents(), before);
}
