//! Evaluation contracts in the graph, at the border: where their links lead nowhere, or cannot be taken, every command says the same of it.

use sdp_eval::contract::EvalContract;
use sdp_eval::document;
use sdp_eval::fault::FailureCode;
use sdp_tests::{Repo, ends, spec_text};
use serde_json::{Value, json};

use crate::agreement::agrees;
use crate::corpora::corpora;

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

/// The contracts that the repository itself has, by a name of their own.
fn own_contracts() -> Vec<(String, Value)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut paths = vec![root.join("evals/explain.contract.json"), root.join("crates/sdp-eval/tests/every-shape.json")];
    for code in FailureCode::ALL {
        paths.extend(["fails", "passes"].map(|name| root.join(format!("crates/sdp-eval/corpus/{code}/{name}.json"))));
    }
    let named = paths.into_iter().enumerate().map(|(at, path)| {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        (format!("evals/{at:02}.json"), serde_json::from_str(&text).unwrap())
    });
    named.collect()
}

/// File, path and named id of each finding of `check` with this id.
fn found(repo: &Repo, id: &str) -> Vec<[String; 3]> {
    let run = repo.sdp(["check", "--output", "json"]);
    let findings = run.findings().into_iter().filter(|finding| finding["id"] == id);
    let told = findings
        .map(|finding| ["file", "path", "relatedId"].map(|key| finding[key].as_str().unwrap_or_default().to_owned()));
    let mut told: Vec<_> = told.collect();
    told.sort();
    told
}

#[test]
#[sdp::verifies("spec:sdp.eval.requirement-links")]
fn what_compiling_reads_gives_the_same_links_to_the_graph() {
    let repo = repository();
    let mut expected = Vec::new();
    for (file, mut contract) in own_contracts() {
        for (at, behavior) in contract["behaviors"].as_array_mut().unwrap().iter_mut().enumerate() {
            let id = |of: &str| json!({ "id": format!("spec:gone-{at}-{of}"), "scheme": "sdp" });
            behavior["requirementLinks"] = json!([id("one"), { "scheme": "SDP", "id": "spec:other" }, id("two")]);
        }
        let text = serde_json::to_string_pretty(&contract).unwrap();
        let read = document::read::<EvalContract>(text.as_bytes()).unwrap_or_else(|fault| panic!("{file}: {fault}"));
        for behavior in read.artifact.behaviors.iter() {
            for link in behavior.requirement_links.iter().filter(|link| link.scheme.as_str() == "sdp") {
                expected.push([file.clone(), format!("behaviors[id={}]", behavior.id), link.id.to_string()]);
            }
        }
        repo.write(&file, text);
    }
    expected.sort();
    assert!(expected.len() > 100, "{}", expected.len());
    assert_eq!(found(&repo, "sdp/contract-link"), expected);
    assert_eq!(found(&repo, "sdp/unreadable-contract"), Vec::<[String; 3]>::new());
}

#[test]
fn graph_and_compiler_read_contracts_of_the_same_size() {
    assert_eq!(document::MOST_BYTES, sdp_core::contract::MAX_BYTES);
}

#[test]
fn what_the_graph_cannot_take_of_a_contract_compiling_does_not_read_either() {
    let (_, whole) = own_contracts().swap_remove(0);
    let text = whole.to_string();
    let link = json!([{ "scheme": "sdp", "id": "spec:a" }]);
    let with = |pointer: &str, value: Value| {
        let mut contract = whole.clone();
        contract["behaviors"][0]["requirementLinks"] = link.clone();
        *contract.pointer_mut(pointer).unwrap() = value;
        contract.to_string()
    };
    let first = "/behaviors/0/requirementLinks";
    let texts = [
        with("", json!([])),
        with("/behaviors", json!(null)),
        with("/behaviors", json!({})),
        with("/behaviors/0", json!("B-001")),
        with(first, json!(null)),
        with(first, json!({ "0": link[0] })),
        with(first, json!(["spec:a"])),
        with(first, json!([{ "scheme": "sdp" }])),
        with(first, json!([{ "id": "spec:a" }])),
        with(first, json!([{ "scheme": 1, "id": "spec:a" }])),
        with(first, json!([{ "scheme": "sdp", "id": null }])),
        format!("\u{feff}{text}"),
        format!("{text},"),
        text.replacen('{', "{\"behaviors\":[],", 1),
        text.replacen('{', "{\"more\":\"\\ud800\",", 1),
        text.replacen('{', "{\"more\":1e999,", 1),
        text.replacen('{', &format!("{{\"more\":{}{},", "[".repeat(1024), "]".repeat(1024)), 1),
    ];
    let repo = repository();
    for (at, text) in texts.iter().enumerate() {
        assert!(document::read::<EvalContract>(text.as_bytes()).is_err(), "{text}");
        repo.write(&format!("evals/{at:02}.json"), text);
    }
    let told: std::collections::BTreeSet<String> =
        found(&repo, "sdp/unreadable-contract").into_iter().map(|[file, ..]| file).collect();
    assert_eq!(
        told.into_iter().collect::<Vec<_>>(),
        (0..texts.len()).map(|at| format!("evals/{at:02}.json")).collect::<Vec<_>>()
    );
}

#[test]
fn contracts_of_the_corpora_give_their_links() {
    let Some(corpora) = corpora() else { return };
    let entries = std::fs::read_dir(corpora.join("evaluation/contracts")).unwrap();
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
