//! The reader's answers over small graphs.

mod anchors;
mod files;
mod pack;
mod size;

use std::sync::Arc;

use super::*;
use crate::model::Readiness;
use crate::testing::{bind, graph, spec};

const RULE: &str = "## Intent\n- outcome: Money comes back\n\n## Rule\n- [#once] A refund is paid once\n- plain";

fn reader(carriers: &[String], bindings: &[(&str, &str)]) -> Reader {
    let mut graph = graph(carriers);
    for (id, target) in bindings {
        bind(&mut graph, id, target);
    }
    Reader::new(Arc::new(graph))
}

fn pack(members: &str) -> String {
    format!("---\nid: pack:shop\nspecs:\n  - {members}\n---\n# The shop\n\nRefunds and orders.\n")
}

#[test]
fn specs_and_packs_stand_by_id_with_recomputed_facts() {
    let reader = reader(
        &[spec("spec:b rule ready", "refines: spec:a", RULE), spec("spec:a rule idea", "", RULE), pack("spec:b")],
        &[("impl:b", "spec:b"), ("test:b", "spec:b")],
    );
    let rows: Vec<_> = reader.specs().iter().map(|spec| (spec.id.as_str(), spec.derived_readiness)).collect();
    assert_eq!(rows, [("spec:a", Some(Readiness::Idea)), ("spec:b", Some(Readiness::Defined))]);
    let row = serde_json::to_value(&reader.specs()[1]).unwrap();
    assert_eq!(
        row,
        serde_json::json!({
            "id": "spec:b", "title": "Title of spec:b", "specKind": "rule", "kindDisplayLabel": "Business Rule",
            "altitude": "story", "statedReadiness": "ready", "derivedReadiness": "defined",
            "deliveryFacts": ["implemented", "has-verifier"], "file": "000.sdp.md", "packs": ["pack:shop"],
        })
    );
    let packs = serde_json::to_value(reader.packs()).unwrap();
    assert_eq!(
        packs,
        serde_json::json!([{ "id": "pack:shop", "title": "The shop", "framing": "Refunds and orders.", "file": "002.sdp.md", "modelRefs": [] }])
    );
}

#[test]
fn an_enabled_example_confers_a_verifier_and_a_bare_one_does_not() {
    let example = "## Intent\n- outcome: o\n\n```gwt\nGiven a\nWhen b\nThen c\n```";
    let carriers = [
        spec("spec:a rule defined", "dependsOn: spec:a.x", RULE),
        spec("spec:a.x example defined", "verifies: spec:a", example),
    ];
    let bare = reader(&carriers, &[]);
    assert_eq!(bare.specs()[0].delivery_facts, []);
    assert!(!bare.spec_context("spec:a").unwrap().verifiers[0].enabled);
    let bound = reader(&carriers, &[("test:x", "spec:a.x")]);
    let context = bound.spec_context("spec:a").unwrap();
    assert_eq!(context.summary.delivery_facts, [crate::graph::DeliveryFact::HasVerifier]);
    assert_eq!((context.verifiers[0].via, context.verifiers[0].enabled), ("example", true));
    assert_eq!(context.verifiers[0].label.as_deref(), Some("Title of spec:a.x"));
    assert_eq!(bound.spec_context("spec:a.x").unwrap().verifiers[0].via, "test-anchor");
}

#[test]
fn a_context_opens_relations_floor_and_locations() {
    let reader = reader(
        &[
            spec("spec:a rule ready", "refines: spec:gone; dependsOn: spec:b", RULE),
            spec("spec:b rule idea", "", "## Intent\n- outcome: o"),
        ],
        &[],
    );
    let context = serde_json::to_value(reader.spec_context("spec:a").unwrap()).unwrap();
    assert_eq!(
        context["relationsOut"],
        serde_json::json!([
            { "type": "dependsOn", "claim": "declared", "otherId": "spec:b", "resolved": true, "otherNodeType": "Primitive", "otherTitle": "Title of spec:b" },
            { "type": "refines", "claim": "declared", "otherId": "spec:gone", "resolved": false },
        ])
    );
    let clauses: Vec<_> = context["floorFailures"].as_array().unwrap().iter().map(|each| &each["clauseId"]).collect();
    assert_eq!(clauses, ["all-relations-resolve", "typed-dependency-targets-are-defined"]);
    assert_eq!(
        context["floorFailures"][1]["targets"],
        serde_json::json!([{ "type": "dependsOn", "id": "spec:b", "statedReadiness": "idea" }])
    );
    assert_eq!(context["nextRungFailures"], context["floorFailures"], "defined is reached, so ready is next");
    assert_eq!(
        context["entryLocations"],
        serde_json::json!([
            { "file": "000.sdp.md", "entry": "rule[0]", "key": "once", "line": 16 },
            { "file": "000.sdp.md", "entry": "rule[1]", "line": 17 },
        ])
    );
    let named: Vec<_> = context["findings"].as_array().unwrap().iter().map(|each| &each["validatorId"]).collect();
    assert_eq!(
        named,
        ["conformance/referential-integrity", "honesty/gaps", "honesty/readiness-floor", "honesty/readiness-floor"]
    );
    assert!(reader.spec_context("spec:none").is_none());
}

#[test]
fn a_concept_is_found_in_its_best_field_first() {
    let reader = reader(
        &[
            spec("spec:z.refund rule idea", "", "## Intent\n- outcome: o"),
            spec("spec:a rule idea", "", "A Refund in prose.\n\n## Intent\n- outcome: a refund"),
            spec("spec:m model idea", "", "## Model\n- **refund** — money"),
            pack("spec:a"),
        ],
        &[],
    );
    let found: Vec<_> =
        reader.find_by_concept("  ReFund ").into_iter().map(|each| (each.id, each.matched_in.join(","))).collect();
    let row = |id: &str, fields: &str| (id.to_owned(), fields.to_owned());
    assert_eq!(
        found,
        [
            row("spec:z.refund", "id,title"),
            row("pack:shop", "framing"),
            row("spec:a", "narrative,sections.intent"),
            row("spec:m", "sections.model"),
        ]
    );
    assert_eq!(reader.find_by_concept(" "), []);
    assert_eq!(reader.find_by_concept("terms").len(), 1, "a model's own keys count");
}

#[test]
#[sdp::verifies("spec:sdp.reader")]
fn a_file_answers_for_what_is_authored_there_and_bound_from_there() {
    let space = "## Intent\n- outcome: o\n\n## Example space\n\n```gwt-vocabulary\nGiven a\nWhen b\nThen c\n```";
    let carriers = [spec("spec:a behavior idea", "", space), spec("spec:b rule idea", "", RULE)];
    let one = reader(&carriers, &[("oracle:o", "spec:a"), ("impl:b", "spec:b")]);
    let answer = one.by_file("./src/lib.rs");
    assert_eq!(answer.path, "src/lib.rs");
    assert_eq!(
        answer.nodes.iter().map(|node| (node.id.as_str(), node.line)).collect::<Vec<_>>(),
        [("impl:b", Some(7)), ("oracle:o", Some(7))]
    );
    assert_eq!(answer.specs, ["spec:a", "spec:b"]);
    assert_eq!(one.spec_context("spec:a").unwrap().oracle.unwrap().anchor_id, "oracle:o");
    assert_eq!(one.by_file("000.sdp.md").specs, ["spec:a"]);
    let two = reader(&carriers, &[("oracle:o", "spec:a"), ("oracle:p", "spec:a")]);
    assert!(two.spec_context("spec:a").unwrap().oracle.is_none(), "two authorities are none");
    let malformed = reader(&carriers, &[("oracle:O_", "spec:a")]);
    assert!(malformed.spec_context("spec:a").unwrap().oracle.is_none(), "the checks refuse its id");
    assert_eq!(two.by_file("src/lib.rs").specs, Vec::<String>::new());
    assert_eq!(two.by_file("none").nodes, []);
}

#[test]
fn edges_are_looked_up_by_end_and_type() {
    let reader = reader(
        &[spec("spec:a rule idea", "refines: spec:b; dependsOn: spec:b", RULE), spec("spec:b rule idea", "", RULE)],
        &[],
    );
    let names = |edges: Vec<usize>| -> Vec<&str> {
        edges.into_iter().map(|edge| reader.graph().edges[edge].edge_type.as_str()).collect()
    };
    assert_eq!(names(reader.out_edges("spec:a", None)), ["dependsOn", "refines"]);
    assert_eq!(names(reader.in_edges("spec:b", Some("refines"))), ["refines"]);
    assert_eq!(names(reader.in_edges("spec:b", Some("no such"))), Vec::<&str>::new());
    assert_eq!(names(reader.out_edges("spec:none", None)), Vec::<&str>::new());
}
