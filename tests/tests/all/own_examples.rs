//! The examples of our own Specs, each as it is written there: what it is given, what is done, what then holds.

use std::path::Path;
use std::process::Command;

use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::extract;
use sdp_tests::Repo;
use serde_json::{Value, json};

/// A carrier of the given kind, at rung `idea`, with the body behind its first section.
fn carrier(id: &str, kind: &str, relations: &str, body: &str) -> String {
    format!(
        "---\nid: {id}\nkind: {kind}\naltitude: story\nreadiness: idea\nrelations: {relations}\n---\n# T\n\n## Intent\n\n- outcome: o\n{body}"
    )
}

/// The ids of what `check` says, with its exit code.
fn checked(repo: &Repo) -> (Vec<String>, Option<i32>) {
    let run = repo.sdp(["check", "--output", "json"]);
    let findings = run.findings();
    (findings.iter().map(|finding| finding["id"].as_str().unwrap().to_owned()).collect(), run.code)
}

/// The ids of the nodes, with the findings of extraction as places and ids.
fn extracted(repo: &Repo) -> (Vec<String>, Vec<String>) {
    let extraction = extract(repo.root(), &DiscoverOptions::default());
    let place = |finding: &sdp_core::finding::Finding| {
        format!("{} {}", finding.file.as_deref().unwrap_or_default(), finding.id.as_str())
    };
    let nodes = extraction.graph.nodes.iter().map(|node| node.id().to_owned()).collect();
    (nodes, extraction.findings.iter().map(place).collect())
}

fn asked(repo: &Repo, body: &str) -> Value {
    let run = repo.sdp(["q", body, "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
#[sdp::verifies("spec:sdp.carriers.markdown.refused-whole")]
fn a_carrier_with_an_unknown_heading_leaves_its_sibling_alone() {
    let repo = Repo::new()
        .file("healthy.sdp.md", carrier("spec:healthy", "rule", "{}", ""))
        .file("faulty.sdp.md", carrier("spec:faulty", "rule", "{}", "\n## Behaviour\n"));
    let refused = ["faulty.sdp.md extract/unrecognized-heading".to_owned()];
    assert_eq!(extracted(&repo), (vec!["spec:healthy".to_owned()], refused.to_vec()));
}

const FEATURE: &str = "@spec.a @altitude.story @readiness.idea\nFeature: F\n  - outcome: o\n\n  @spec.a.one @altitude.story @readiness.idea\n  Scenario: One\n    Given a\n    When b\n    Then c\n\n  @spec.a.two @altitude.story @readiness.idea\n  Scenario: Two\n";

#[test]
#[sdp::verifies("spec:sdp.carriers.gherkin.one-file.two-cases")]
fn two_sound_scenarios_give_three_specs() {
    let repo = Repo::new().file("a.sdp.gherkin", format!("{FEATURE}    Given a\n    When b\n    Then c\n"));
    let ids = ["spec:a", "spec:a.one", "spec:a.two"].map(str::to_owned);
    assert_eq!(extracted(&repo), (ids.to_vec(), Vec::new()));
}

#[test]
#[sdp::verifies("spec:sdp.carriers.gherkin.one-file.refused")]
fn one_fault_refuses_the_whole_gherkin_file() {
    let (nodes, findings) = extracted(&Repo::new().file("a.sdp.gherkin", FEATURE));
    assert_eq!((nodes, findings.len()), (Vec::<String>::new(), 1), "{findings:?}");
}

#[test]
#[sdp::verifies("spec:sdp.anchors.attributes.two-errors")]
fn two_wrong_arguments_are_two_errors_of_the_compiler() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/sdp-anchors").canonicalize().unwrap();
    let manifest = format!(
        "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\nsdp = {{ package = \"sdp-anchors\", path = {crates:?} }}\n"
    );
    let repo = Repo::new()
        .file("Cargo.toml", manifest)
        .file("src/lib.rs", "#[sdp::satisfies(\"refund\", lable = \"x\")]\npub fn refund() {}\n");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["check", "--offline", "--quiet", "--message-format", "short"])
        .env("CARGO_TARGET_DIR", repo.path("target"))
        .current_dir(repo.root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("src/lib.rs:1:")).collect();
    assert_eq!(errors.len(), 2, "{said}");
    let first = errors.iter().filter(|line| line.contains("anchor field \"lable\" is outside the binding contract"));
    assert_eq!(first.count(), 1, "{said}");
}

#[test]
#[sdp::verifies("spec:sdp.checks.wrong-kind")]
fn a_rule_is_no_decision() {
    let repo = Repo::new()
        .file("a.sdp.md", carrier("spec:a", "behavior", "{ decidedBy: spec:rule }", ""))
        .file("rule.sdp.md", carrier("spec:rule", "rule", "{}", ""));
    assert_eq!(checked(&repo), (vec!["conformance/claim-separation".to_owned()], Some(1)));
}

#[test]
#[sdp::verifies("spec:sdp.checks.superseded-decision")]
fn a_decision_that_was_replaced_is_still_relied_on() {
    let repo = Repo::new()
        .file("a.sdp.md", carrier("spec:a", "behavior", "{ decidedBy: spec:old }", ""))
        .file("new.sdp.md", carrier("spec:new", "decision", "{ supersedes: spec:old }", ""))
        .file("old.sdp.md", carrier("spec:old", "decision", "{}", ""));
    assert_eq!(checked(&repo), (vec!["sdp/superseded-decision".to_owned()], Some(0)));
}

#[test]
#[sdp::verifies("spec:sdp.checks.self-relation")]
fn a_spec_that_relates_to_itself_is_told_and_not_held_up() {
    let repo = Repo::new().file("a.sdp.md", carrier("spec:a", "behavior", "{ refines: spec:a }", ""));
    assert_eq!(checked(&repo), (vec!["sdp/self-relation".to_owned()], Some(0)));
}

#[test]
#[sdp::verifies("spec:sdp.reader.blast-radius.changed-source")]
fn a_changed_source_file_leads_to_the_spec_that_it_realizes() {
    let repo = Repo::new()
        .file("specs/shop.sdp.md", carrier("spec:shop", "behavior", "{}", ""))
        .file("specs/refund.sdp.md", carrier("spec:shop.refund", "behavior", "{ refines: spec:shop }", ""))
        .file("README.md", "# The shop\n")
        .file("src/refund.rs", "#[sdp::satisfies(\"spec:shop.refund\", id = \"impl:refund\")]\npub fn refund() {}\n");
    let radius = asked(&repo, "return g.blastRadius(['src/refund.rs', 'README.md'])");
    let through = json!({ "id": "impl:refund", "edgeType": "satisfies", "claim": "anchored" });
    assert_eq!(
        radius["impactedSpecs"],
        json!([{ "id": "spec:shop.refund", "reasons": [{ "file": "src/refund.rs", "throughBinding": through }] }])
    );
    let reason = json!({ "from": "spec:shop.refund", "edgeType": "refines", "to": "spec:shop", "claim": "declared" });
    assert_eq!(
        radius["atRisk"],
        json!([{ "id": "spec:shop", "nodeType": "Primitive", "title": "T", "reasons": [reason] }])
    );
    assert_eq!(radius["coverageUnknown"], json!(["README.md"]));
}

#[test]
#[sdp::verifies("spec:sdp.reader.example-space.undeclared")]
fn an_undeclared_slot_leaves_the_point_empty() {
    let space = "\n## Example space\n\n```gwt-vocabulary\nGiven a cart with {n:number} items\nWhen it is ordered\nThen it is kept\n```\n";
    let steps = "\n```gwt\nGiven a cart with {m: 2} items\nWhen it is ordered\nThen it is kept\n```\n";
    let repo = Repo::new()
        .file("a.sdp.md", carrier("spec:a", "behavior", "{}", space))
        .file("b.sdp.md", carrier("spec:a.b", "example", "{ refines: spec:a }", steps));
    let answer = asked(
        &repo,
        "const { examples, findings } = g.exampleSpace('spec:a');
        return [examples.map(({ point, complete }) => [Object.keys(point).length, complete]), findings.map((each) => each.validatorId)]",
    );
    assert_eq!(answer[0][0][0], 0, "{answer}");
    assert!(answer[1].as_array().unwrap().contains(&json!("contracts/undeclared-slot")), "{answer}");
}

#[test]
#[sdp::verifies("spec:sdp.rules.failing-rule")]
fn a_rule_with_one_error_finding_fails_the_run() {
    let repo =
        Repo::new().spec("a", "", "").file("rules/x.sdp.js", "return [{ subject: 'spec:a', message: 'not good' }]");
    assert_eq!(repo.sdp(["rules", ""]).code, Some(101));
}

#[test]
#[sdp::verifies("spec:sdp.rules.unmatched-filter")]
fn a_filter_that_no_case_matches_is_no_pass() {
    let repo = Repo::new().spec("a", "", "").file("rules/x.sdp.js", "return []");
    assert_eq!(repo.sdp(["rules", "no such rule"]).code, Some(4));
}
