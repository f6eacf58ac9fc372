//! One validation path: on every fixture `check`, `q` and `rules` say the same of the same graph.

use std::collections::BTreeSet;

use sdp_core::finding::FindingId;
use sdp_core::validate::CHECKS;
use sdp_tests::{Repo, Run, copy_folder};
use serde_json::Value;

type Said = BTreeSet<(String, String, String)>;

fn said(finding: &Value, id: &str) -> (String, String, String) {
    let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    (text(id), text("severity"), text("message"))
}

fn is_a_check(id: &str) -> bool {
    CHECKS.iter().any(|check| check.id.as_str() == id)
}

#[test]
fn check_q_and_rules_agree_on_every_fixture() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut compared = 0;
    for fixture in std::fs::read_dir(folder).unwrap() {
        let repo = Repo::new();
        copy_folder(&fixture.unwrap().path().join("root"), repo.root());
        let check = repo.sdp(["check", "--message-format", "json"]);
        let q = repo.sdp(["q", "return report.findings", "--json"]);
        let rules = repo.sdp(["rules"]);
        let found: Vec<Value> =
            check.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["finding"].clone()).collect();
        let refused =
            found.iter().any(|finding| finding["severity"] == "error" && !is_a_check(finding["id"].as_str().unwrap()));
        if refused {
            assert_eq!((check.code, q.code, rules.code), (Some(1), Some(1), Some(101)));
            assert!(q.stderr.contains("\nsdp q: the graph did not derive — the body was not run.\n"), "{}", q.stderr);
            assert_eq!(failed(&rules).first().map(String::as_str), Some("extract::carriers"));
            continue;
        }
        let of_check: Said =
            found.iter().map(|finding| said(finding, "id")).filter(|(id, ..)| is_a_check(id)).collect();
        let report: Vec<Value> = serde_json::from_str(&q.stdout).unwrap();
        let of_q: Said = report.iter().map(|finding| said(finding, "validatorId")).collect();
        assert_eq!(of_check, of_q);
        let erring: BTreeSet<String> = of_check
            .iter()
            .filter(|(_, severity, _)| severity == "error")
            .map(|(id, ..)| format!("check::{}", id.replace('/', "::")))
            .collect();
        assert_eq!(failed(&rules).into_iter().collect::<BTreeSet<_>>(), erring);
        assert_eq!((check.code == Some(0), q.code), (rules.code == Some(0), Some(0)));
        compared += 1;
    }
    assert!(compared >= 4, "{compared} fixtures were compared");
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
}
