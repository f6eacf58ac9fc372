//! Small roots with the reference's answers for the whole: extraction findings, graph, and what validation says of it.
//! A root is validated even under extraction errors, as the answers were recorded. One list names the cases that rightly
//! differ; a row that no longer differs fails the test.

use std::collections::{BTreeMap, BTreeSet};

use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::extract;
use sdp_core::graph::Index;
use sdp_core::validate::validate;
use sdp_tests::Repo;
use serde_json::{Value, json};

use crate::corpora::{comparable, corpora, graph_differences, graph_value, load};
use crate::markdown_cases::is_library_message;

/// Cases whose recorded answer a later rule of the Protocol changes: what only ours (`+`) or only the recorded answer has
/// (`-`), what the graph holds otherwise (`~`), and why.
const LATER_RULE: &[(&str, &[&str], &str)] = &[
    (
        "whole/pack",
        &[
            "+ extraction l.sdp.md:3 extract/invalid-id",
            "~ edge spec:a.b#c belongsTo pack:l",
            "~ node pack:l",
            "- validation error conformance/referential-integrity spec:a.b#c pack:l - -",
        ],
        "an entry address is refused in every id slot (newest sheet part 1), so this Pack is not in the graph",
    ),
    (
        "whole/packok",
        &[
            "+ extraction l.sdp.md:3 extract/invalid-id",
            "~ edge spec:a.b#c belongsTo pack:l",
            "~ node pack:l",
            "- validation error conformance/referential-integrity spec:a.b#c pack:l - -",
        ],
        "the same Pack as in `whole/pack`",
    ),
    (
        "whole/md-ok",
        &[
            "+ extraction a.sdp.md:75 extract/invalid-markdown-structure",
            "+ extraction a.sdp.md:76 extract/invalid-markdown-structure",
            "~ edge spec:s.all dependsOn spec:s.dep",
            "~ edge spec:s.all refines spec:s.p",
            "~ edge spec:s.all refines spec:s.q",
            "~ edge spec:s.all verifies spec:s.ex",
            "~ node spec:s.all",
            "+ validation error conformance/referential-integrity spec:s.all pack:s - -",
            "- validation error conformance/referential-integrity spec:s.all spec:s.dep - a.sdp.md",
            "- validation error conformance/referential-integrity spec:s.all spec:s.p - a.sdp.md",
            "- validation error conformance/referential-integrity spec:s.all spec:s.q - a.sdp.md",
            "+ validation warning conformance/orphans spec:s.ex - - ex.sdp.md",
            "- validation warning conformance/verifies-linkage spec:s.all spec:s.ex - a.sdp.md",
        ],
        "integer-like model terms are refused (newest sheet part 2), so `spec:s.all` is not in the graph: what was said of it \
         goes, and what leads to it dangles",
    ),
    (
        "md-ok/a.sdp.md",
        &[
            "- validation error conformance/referential-integrity spec:s.all spec:s.dep - a.sdp.md",
            "- validation error conformance/referential-integrity spec:s.all spec:s.ex - a.sdp.md",
            "- validation error conformance/referential-integrity spec:s.all spec:s.p - a.sdp.md",
            "- validation error conformance/referential-integrity spec:s.all spec:s.q - a.sdp.md",
            "- validation warning conformance/verifies-linkage spec:s.all spec:s.ex - a.sdp.md",
        ],
        "the same Spec as in `whole/md-ok`",
    ),
    (
        "md-body/035-narr-codespan-html.sdp.md",
        &[
            "+ validation error honesty/readiness-floor spec:b.n35 intent.outcome-or-parent-relation readiness 035-narr-codespan-html.sdp.md",
            "+ validation warning conformance/orphans spec:b.n35 - - 035-narr-codespan-html.sdp.md",
        ],
        "a matched code span shields its content from the raw HTML test (newest sheet part 5), so this Spec is in the graph",
    ),
    (
        "pack/l.sdp.md",
        &["- validation error conformance/referential-integrity spec:a.b#c pack:l - -"],
        "the same Pack as in `whole/pack`",
    ),
];

/// `<file>:<line> <id>` of an extraction finding.
fn place(finding: &Value) -> String {
    let text = |key: &str| finding[key].as_str().unwrap_or("-").to_owned();
    format!("extraction {}:{} {}", text("file"), finding["line"], text("validatorId"))
}

/// Extraction findings by place; messages of the reference's own YAML library are not compared.
fn extraction_rows(findings: &Value, library: &BTreeSet<String>) -> Vec<(String, String)> {
    let row = |finding: &Value| {
        let place = place(finding);
        let message = finding["message"].as_str().unwrap().to_owned();
        if library.contains(&place) { (place, String::new()) } else { (place, message) }
    };
    findings.as_array().unwrap().iter().map(row).collect()
}

fn library_places(recorded: &Value) -> BTreeSet<String> {
    let findings = recorded.as_array().unwrap().iter();
    findings.filter(|finding| is_library_message(finding["message"].as_str().unwrap())).map(place).collect()
}

/// What only one side has: `-` recorded, `+` given. A row that differs by its message stands on both sides.
fn differences(recorded: Vec<(String, String)>, given: Vec<(String, String)>) -> Vec<String> {
    let mut counts: BTreeMap<(String, String), i32> = BTreeMap::new();
    for row in recorded {
        *counts.entry(row).or_default() -= 1;
    }
    for row in given {
        *counts.entry(row).or_default() += 1;
    }
    let mut differences = Vec::new();
    for ((row, message), count) in counts {
        if count != 0 {
            println!("{count:+} {row}: {message}");
            differences.push(format!("{} {row}", if count < 0 { '-' } else { '+' }));
        }
    }
    differences
}

/// What differs between the answer for a root and what was recorded for it. Of single carriers, extraction and graph are
/// compared in `markdown_cases`; here only what validation says of them.
fn case_differences(case: &Value, is_whole: bool) -> Vec<String> {
    let repo = Repo::new();
    for (file, content) in case["files"].as_object().unwrap() {
        repo.write(file, content.as_str().unwrap());
    }
    let extraction = extract(repo.root(), &DiscoverOptions::default());
    let report = validate(&extraction.graph, &Index::new(&extraction.graph));
    let recorded = &case["expected"];

    let mut found = Vec::new();
    if is_whole {
        let library = library_places(&recorded["extraction"]);
        let given = extraction_rows(&json!(extraction.findings), &library);
        found.extend(differences(extraction_rows(&recorded["extraction"], &library), given));
        let graph = graph_differences(&recorded["graph"], &graph_value(&extraction));
        found.extend(graph.into_iter().map(|name| format!("~ {name}")));
    }
    let (recorded, given) = (&recorded["validation"], json!(report.findings));
    found.extend(differences(comparable(recorded, recorded), comparable(&given, recorded)));
    found
}

#[test]
fn recorded_roots_answer_as_the_reference_does() {
    let Some(corpora) = corpora() else { return };
    let mut listed: BTreeMap<&str, &[&str]> = BTreeMap::new();
    for (case, found, reason) in LATER_RULE {
        assert!(!reason.is_empty(), "{case} is listed without a reason");
        assert!(listed.insert(case, found).is_none(), "{case} is listed twice");
    }
    let mut failures = Vec::new();
    let mut compared = BTreeMap::new();
    for set in ["graph", "gherkin", "markdown", "pack"] {
        for case in load(&corpora.join(format!("cases/{set}.json"))).as_array().unwrap() {
            let name = case["name"].as_str().unwrap();
            *compared.entry(set).or_insert(0) += 1;
            let found = case_differences(case, set == "graph");
            if found != listed.remove(name).unwrap_or_default() {
                failures.push(format!("{name}: {found:#?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(listed.is_empty(), "listed, but no case: {listed:?}");
    let expected = [("graph", 39), ("gherkin", 65), ("markdown", 178), ("pack", 14)];
    assert_eq!(compared, BTreeMap::from(expected));
}
