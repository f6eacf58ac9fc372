//! Evaluation contracts in the graph, at the border: where their links lead nowhere, or cannot be taken, every command says the same of it.

use sdp_tests::{Repo, ends, spec_text};
use serde_json::{Value, json};

use crate::agreement::agrees;

/// The text of a contract with a behavior for each link.
pub(crate) fn contract(ids: &[&str]) -> String {
    let behavior = |(at, id): (usize, &&str)| json!({ "id": format!("B-{:03}", at + 1), "requirementLinks": [{ "scheme": "sdp", "id": id }, { "scheme": "x", "id": "" }] });
    let behaviors: Vec<Value> = ids.iter().enumerate().map(behavior).collect();
    serde_json::to_string_pretty(&json!({ "behaviors": behaviors })).unwrap() + "\n"
}

fn repository() -> Repo {
    Repo::new()
        .file("sdp.toml", "contracts = [\"evals/**/*.json\"]\n")
        .spec("a", "  dependsOn: spec:b", "\n## Behavior\n- rule: [#first] It does\n")
        .spec("b", "", "")
}

/// File, line, severity, id, subject and path of what `check` says.
fn checked(repo: &Repo, arguments: &[&str]) -> (Vec<String>, Option<i32>) {
    let run = repo.sdp(["check", "--output", "json"].iter().chain(arguments));
    let said = run.findings().into_iter().map(|finding| {
        let text = |key: &str| finding[key].as_str().unwrap_or("-").to_owned();
        let place = format!("{}:{}", text("file"), finding["line"]);
        format!("{place} {} {} {} {}", text("severity"), text("id"), text("subjectId"), text("path"))
    });
    (said.collect(), run.code)
}

#[test]
#[sdp::verifies("spec:sdp.eval.requirement-links", "spec:sdp.eval.requirement-links.misspelt")]
fn a_link_that_leads_nowhere_is_said_at_its_line() {
    let repo = repository().file("evals/deep/a.json", contract(&["spec:a#rule.first", "spec:bb", "spec:b"]));
    let at = contract(&["spec:a#rule.first", "spec:bb"]).lines().position(|line| line.contains("spec:bb")).unwrap() + 1;
    let bad = format!("evals/deep/a.json:{at} error sdp/contract-link evals/deep/a.json behaviors[id=B-002]");
    assert_eq!(checked(&repo, &[]), (vec![bad.clone()], Some(1)));
    assert!(agrees(&repo));
    let short = repo.sdp(["check", "--output", "short"]);
    assert_eq!(
        short.stderr,
        format!(
            "evals/deep/a.json:{at} — [error] sdp/contract-link — Requirement link of behaviors[id=B-002] points to missing target \"spec:bb\". Did you mean \"spec:b\"?\n"
        )
    );
    // Weighed like any other finding.
    assert_eq!(checked(&repo, &["-A", "sdp/contract-link"]), (Vec::new(), Some(0)));
    assert_eq!(checked(&repo, &["-W", "sdp/contract-link"]), (vec![bad.replace("error", "warning")], Some(0)));
    repo.write("evals/deep/a.json", contract(&["spec:a#rule.first", "spec:b"]));
    assert_eq!(checked(&repo, &[]), (Vec::new(), Some(0)));
    assert!(agrees(&repo));
}

#[test]
#[sdp::verifies("spec:sdp.eval.requirement-links")]
fn a_contract_whose_links_cannot_be_taken_is_an_error_that_stays_one() {
    for (text, line) in [("", 1), ("{\n", 2), ("\n[]", 2), ("{\n\"behaviors\": 1}", 2), ("{\"behaviors\": [\n{}]}", 2)]
    {
        let repo = repository().file("evals/a.json", text);
        let bad = format!("evals/a.json:{line} error sdp/unreadable-contract evals/a.json -");
        assert_eq!(checked(&repo, &[]), (vec![bad.clone()], Some(1)), "{text}");
        assert_eq!(checked(&repo, &["-W", "sdp", "-A", "warnings"]), (vec![bad], Some(1)), "{text}");
        assert!(agrees(&repo), "{text}");
    }
    let run = repository().sdp(["check", "-A", "sdp/unreadable-contract"]);
    assert_ne!(run.code, Some(0));
}

#[test]
fn a_pattern_that_matches_nothing_is_a_warning_where_it_stands() {
    let repo = repository();
    let warning = "sdp.toml:1 warning sdp/unmatched-contract evals/**/*.json -";
    assert_eq!(checked(&repo, &[]), (vec![warning.to_owned()], Some(0)));
    assert_eq!(checked(&repo, &["-D", "warnings"]).1, Some(1));
    assert_eq!(repo.sdp(["rules", "extract::carriers", "-D", "warnings"]).code, Some(101));
}

#[test]
fn findings_of_contracts_can_be_waived_and_accepted() {
    let repo = repository().file("evals/a.json", contract(&["spec:gone"]));
    let waiver =
        "[[waivers]]\nrule = 'sdp/contract-link'\nsubject = 'evals/a.json'\nreason = 'agreed'\nexpires = 2099-01-31\n";
    repo.write("sdp.toml", format!("contracts = ['evals/*.json']\n{waiver}"));
    ends(&repo.sdp(["check"]), 0);
    assert_eq!(repo.sdp(["rules", "contract"]).code, Some(0));
    repo.write("sdp.toml", "contracts = ['evals/*.json']\nbaseline = 'base.txt'\n");
    ends(&repo.sdp(["check"]), 1);
    ends(&repo.sdp(["check", "--update-baseline"]), 0);
    let rows = std::fs::read_to_string(repo.path("base.txt")).unwrap();
    assert!(rows.ends_with("\nsdp/contract-link evals/a.json -> spec:gone at behaviors[id=B-001]\n"), "{rows}");
    ends(&repo.sdp(["check"]), 0);
    assert_eq!(repo.sdp(["rules", "contract"]).code, Some(0));
}

#[test]
fn the_outputs_of_a_run_have_the_place_in_the_contract() {
    let repo = repository().file("evals/a.json", contract(&["spec:gone"]));
    let run = repo.sdp(["rules", "contract", "--output", "sarif=out.sarif", "--output", "junit=out.xml"]);
    assert_eq!(run.code, Some(101), "{}", run.stderr);
    let sarif: Value = serde_json::from_str(&std::fs::read_to_string(repo.path("out.sarif")).unwrap()).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "sdp/contract-link");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "evals/a.json");
    assert_eq!(place["region"]["startLine"], 8);
    let junit = std::fs::read_to_string(repo.path("out.xml")).unwrap();
    assert!(junit.contains("evals/a.json:8"), "{junit}");
}

#[test]
fn roots_that_share_a_configuration_share_its_contracts() {
    let repo = Repo::new()
        .file(
            "sdp.toml",
            "roots = [{ path = 'front' }, { path = 'back' }]\ncontracts = ['front/evals/*.json', '*/named.json', 'evals/*.json']\n",
        )
        .file("front/specs/a.sdp.md", spec_text("a", "  refines: spec:b", ""))
        .file("front/specs/b.sdp.md", spec_text("b", "", ""))
        .file("back/specs/c.sdp.md", spec_text("c", "  refines: spec:d", ""))
        .file("back/specs/d.sdp.md", spec_text("d", "", ""))
        .file("front/evals/x.json", contract(&["spec:c"]))
        .file("back/evals/x.json", contract(&["spec:gone"]))
        .file("back/named.json", contract(&["spec:c"]))
        .file("evals/x.json", contract(&["spec:gone"]));
    let run = repo.sdp(["check", "--output", "short"]);
    ends(&run, 1);
    let mut lines: Vec<&str> = run.stderr.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "front/evals/x.json:8 — [error] sdp/contract-link — Requirement link of behaviors[id=B-001] points to missing target \"spec:c\".",
            "sdp.toml:2 — [warning] sdp/unmatched-contract — the pattern `evals/*.json` of `contracts` matched no file",
        ]
    );
    assert_eq!(repo.sdp(["check", "--root", "back", "--output", "short"]).stderr, "");
}

#[test]
fn the_configuration_in_force_names_the_patterns() {
    let run = repository().sdp(["config", "--json"]);
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    let settings = told["roots"][0]["settings"].as_array().unwrap();
    let own = settings.iter().find(|setting| setting["key"] == "contracts").unwrap();
    assert_eq!(own, &json!({ "key": "contracts", "value": "evals/**/*.json", "from": "sdp.toml:1" }));
}

#[test]
fn contracts_of_the_corpora_give_their_links() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora/evaluation/contracts");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        return sdp_tests::skipped("the corpora of evaluation contracts are not here");
    };
    let repo = Repo::new()
        .file("sdp.toml", "contracts = ['evals/*.json']\n")
        .spec("a", "  dependsOn: spec:b", "")
        .spec("b", "", "");
    let mut count = 0;
    for entry in entries {
        let entry = entry.unwrap();
        repo.write(&format!("evals/{}", entry.file_name().to_str().unwrap()), std::fs::read(entry.path()).unwrap());
        count += 1;
    }
    assert!(count >= 20, "{count}");
    // Their links are of other schemes.
    assert_eq!(checked(&repo, &[]), (Vec::new(), Some(0)));
}
