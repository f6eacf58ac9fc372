//! One validation path: on every fixture `check`, `q` and `rules` say the same of the same graph, which is the one that
//! `build` writes, and `check`, `rules` and `build` of the same example spaces.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sdp_core::finding::FindingId;
use sdp_core::validate::CHECKS;
use sdp_tests::{Repo, Run, copy_folder};
use serde_json::Value;

/// Id, severity, message, subject, related and path of a finding.
type Said = [String; 6];

/// Which key holds the id differs between the forms.
fn said(finding: &Value, id: &str) -> Said {
    [id, "severity", "message", "subjectId", "relatedId", "path"]
        .map(|key| finding[key].as_str().unwrap_or_default().to_owned())
}

fn sorted(said: impl Iterator<Item = Said>) -> Vec<Said> {
    let mut said: Vec<Said> = said.collect();
    said.sort();
    said
}

fn is_a_check(id: &str) -> bool {
    CHECKS.iter().any(|check| check.id.as_str() == id)
}

fn is_of_spaces(id: &str) -> bool {
    id.starts_with("contracts/")
}

fn fixture(name: &str) -> Repo {
    let repo = Repo::new();
    copy_folder(&fixtures().join(name).join("root"), repo.root());
    repo
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// What `check` says, with its exit code.
fn checked(repo: &Repo, arguments: &[&str]) -> (Vec<Value>, Option<i32>) {
    let run = repo.sdp(["check", "--output", "json"].iter().chain(arguments));
    (run.findings(), run.code)
}

/// The cases that fail by what `check` says.
fn erring(findings: &[Value]) -> BTreeSet<String> {
    let errors = findings.iter().filter(|finding| finding["severity"] == "error");
    let ids = errors.map(|finding| finding["id"].as_str().unwrap());
    ids.map(
        |id| if is_of_spaces(id) { "check::contracts".to_owned() } else { format!("check::{}", id.replace('/', "::")) },
    )
    .collect()
}

#[test]
#[sdp::verifies("spec:sdp.engine")]
fn every_command_agrees_on_every_fixture() {
    let folders = std::fs::read_dir(fixtures()).unwrap();
    let derived: Vec<bool> =
        folders.map(|folder| agrees(&fixture(folder.unwrap().file_name().to_str().unwrap()))).collect();
    let refused = derived.iter().filter(|derived| !**derived).count();
    assert_eq!((derived.len() - refused, refused), (17, 7));
}

/// Asserts that `check`, `q`, `rules` and `build` say the same of a repository; gives whether its graph derives.
pub(crate) fn agrees(repo: &Repo) -> bool {
    let (found, code) = checked(repo, &[]);
    let q = repo.sdp(["q", "return report.findings", "--json"]);
    let rules = repo.sdp(["rules"]);
    let build = repo.sdp(["build", "--out-dir", "out"]);
    if found.iter().any(|finding| finding["severity"] == "error" && !is_a_check(finding["id"].as_str().unwrap())) {
        assert_eq!((code, q.code, rules.code, build.code), (Some(1), Some(1), Some(101), Some(1)));
        assert!(q.stderr.contains("\nsdp q: the graph did not derive — the body was not run.\n"), "{}", q.stderr);
        assert_eq!(failed(&rules).first().map(String::as_str), Some("extract::carriers"));
        return false;
    }
    let of_check = sorted(found.iter().map(|finding| said(finding, "id")).filter(|said| is_a_check(&said[0])));
    let report: Vec<Value> = serde_json::from_str(&q.stdout).unwrap();
    assert_eq!(of_check, sorted(report.iter().map(|finding| said(finding, "validatorId"))));
    // A recipe judges the graph too, by rules of its own.
    let failed = failed(&rules).into_iter().filter(|case| case.starts_with("check::"));
    assert_eq!(failed.collect::<BTreeSet<_>>(), erring(&found));
    assert_eq!(q.code, Some(0));
    assert!(code == Some(0) || rules.code == Some(101), "{}", rules.stdout);
    let graph = repo.sdp(["q", "return graph", "--json"]).stdout;
    let written = std::fs::read_to_string(repo.path("out/graph.json")).unwrap();
    let [graph, written] = [&graph, &written].map(|text| serde_json::from_str::<Value>(text).unwrap());
    assert_eq!((written, build.code), (graph, Some(0)));
    true
}

#[test]
fn check_rules_and_build_weigh_what_is_said_of_example_spaces_alike() {
    const IDS: [&str; 2] = ["contracts/undeclared-slot", "contracts/off-dimension-value"];
    for (table, arguments, errors) in [
        ("", &[][..], 0),
        ("", &["-D", "contracts"], 12),
        ("", &["-D", "warnings"], 12),
        ("", &["-D", "contracts", "-A", IDS[0]], 10),
        ("", &["-D", IDS[0], "-D", IDS[1]], 4),
        ("contracts = \"deny\"", &[], 12),
        ("contracts = \"deny\"", &["-W", "contracts"], 0),
        ("\"contracts/undeclared-slot\" = \"deny\"", &["-W", "warnings"], 2),
    ] {
        let repo = fixture("spaces").file("sdp.toml", format!("[severity]\n{table}\n"));
        let (found, code) = checked(&repo, arguments);
        let of_spaces = |finding: &&Value| is_of_spaces(finding["id"].as_str().unwrap());
        let from_check = sorted(found.iter().filter(of_spaces).map(|finding| said(finding, "id")));
        let case = format!("{table} {arguments:?}");
        assert_eq!(from_check.iter().filter(|said| said[1] == "error").count(), errors, "{case}");
        assert_eq!(code == Some(0), errors == 0, "{case}");

        let rules = repo.sdp(["rules", "check::"].iter().chain(arguments));
        assert_eq!(failed(&rules).into_iter().collect::<BTreeSet<_>>(), erring(&found), "{case}");
        let own = repo.sdp(["rules", "check::contracts"].iter().chain(arguments));
        assert_eq!(own.code, if errors == 0 { Some(0) } else { Some(101) }, "{case}");
        let shown = own.stdout.lines().filter(|line| line.starts_with("error[contracts/")).count();
        assert_eq!(shown, errors, "{case}: {}", own.stdout);

        let build = repo.sdp(["build", "--output", "json"].iter().chain(arguments));
        assert_eq!(sorted(build.findings().into_iter().map(|finding| said(&finding, "id"))), from_check, "{case}");
        assert_eq!(build.code, if errors == 0 { Some(0) } else { Some(1) }, "{case}");
    }
}

#[test]
fn a_finding_that_others_are_left_out_fails_the_case_that_they_belong_to() {
    let slots: String = (0..101).map(|at| format!("{{x{at}: 1}} ")).collect();
    let carrier = |id: &str, kind: &str, relations: &str, body: &str| {
        format!(
            "---\nid: {id}\nkind: {kind}\naltitude: story\nreadiness: idea\nrelations: {relations}\n---\n# T\n\n## Intent\n- outcome: o\n\n{body}\n"
        )
    };
    let vocabulary = "## Example space\n\n```gwt-vocabulary\nGiven a\nWhen b\nThen c\n```";
    let steps = format!("```gwt\nGiven so {slots}\nWhen b\nThen c\n```");
    let repo = Repo::new()
        .file("a.sdp.md", carrier("spec:a", "behavior", "{}", vocabulary))
        .file("b.sdp.md", carrier("spec:a.b", "example", "{ refines: spec:a }", &steps));
    let deny = ["-D", "sdp/findings-left-out"];
    let (found, code) = checked(&repo, &deny);
    let errors: Vec<&str> = found
        .iter()
        .filter(|finding| finding["severity"] == "error")
        .map(|finding| finding["id"].as_str().unwrap())
        .collect();
    assert_eq!((errors, code), (vec!["sdp/findings-left-out"], Some(1)));
    assert_eq!(failed(&repo.sdp(["rules", "check::"].iter().chain(&deny))), ["check::contracts"]);
    assert_eq!(repo.sdp(["build"].iter().chain(&deny)).code, Some(1));
    assert_eq!(repo.sdp(["rules", "check::"]).code, Some(0));
}

fn failed(rules: &Run) -> Vec<String> {
    let lines = rules.stdout.lines().filter(|line| line.ends_with("... FAILED"));
    lines.filter_map(|line| Some(line.strip_prefix("test ")?.split(' ').next()?.to_owned())).collect()
}

#[test]
fn every_check_is_a_case_and_every_other_id_is_none() {
    let list = Repo::new().spec("a", "", "").sdp(["rules", "check::", "--list"]).stdout;
    for id in FindingId::ALL {
        let line = format!("check::{}: test\n", id.as_str().replace('/', "::"));
        assert_eq!(list.contains(&line), is_a_check(id.as_str()), "{}", id.as_str());
    }
    assert!(list.ends_with("check::contracts: test\n"), "{list}");
    assert_eq!(list.lines().count(), CHECKS.len() + 1);
}
