//! The reader over a graph whose anchors come through the envelope, as files give them.

use std::sync::Arc;

use serde_json::{Value, json, to_value};

use super::{RULE, pack};
use crate::derive::Sourced;
use crate::graph::DeliveryFact;
use crate::reader::Reader;
use crate::testing::{anchor, bound, spec};

const SPACE: &str = "## Intent\n- outcome: o\n\n## Example space\n\n```gwt-vocabulary\nGiven a\nWhen b\nThen c\n```";

fn carriers() -> Vec<String> {
    vec![
        spec("spec:order behavior idea", "refines: spec:limit", SPACE),
        spec("spec:order.paid example idea", "verifies: spec:order", "## Intent\n- outcome: o"),
        spec("spec:limit rule idea", "", RULE),
        pack("spec:order\n  - spec:limit"),
    ]
}

fn anchors() -> Vec<Sourced> {
    vec![
        anchor(
            "src/lib.rs",
            1,
            "id component:shop\nlabel The shop\nlayer domain\ncontext sales\nreferences spec:limit",
        ),
        anchor(
            "src/order.rs",
            4,
            "satisfies spec:order spec:gone\nid impl:order.place\nlabel Places an order\ncomponent component:shop\nuses api:pay\nrole handler",
        ),
        anchor("src/order.rs", 40, "id impl:order.check\nreferences spec:order\ncomponent component:lost"),
        anchor("src/order.rs", 60, "id api:pay"),
        anchor("src/order.rs", 90, "id oracle:order\nmodels spec:order\nlabel What an order comes to"),
        anchor(
            "tests/order.rs",
            7,
            "id test:order.paid\nverifies spec:order.paid\nlabel Pays\nsymbol orders::a_paid_order",
        ),
        anchor("tests/order.rs", 20, "id test:order\nverifies spec:order spec:limit\nsymbol orders::…"),
        anchor("web/order.ts", 3, "id test:web\nverifies spec:order"),
    ]
}

fn reader() -> Reader {
    let derived = bound(&carriers(), anchors());
    assert_eq!(derived.findings, []);
    Reader::new(Arc::new(derived.graph))
}

fn context(reader: &Reader, id: &str) -> Value {
    to_value(reader.spec_context(id).unwrap()).unwrap()
}

#[test]
#[sdp::verifies("spec:sdp.reader.bindings")]
fn a_spec_shows_its_code_with_label_place_role_and_component() {
    let reader = reader();
    let order = context(&reader, "spec:order");
    assert_eq!(order["deliveryFacts"], json!(["implemented", "has-verifier"]));
    assert_eq!(
        serde_json::to_string(&order["implementations"]).unwrap(),
        json!([{
            "codeId": "impl:order.place", "claim": "anchored", "label": "Places an order", "file": "src/order.rs", "line": 4,
            "role": "handler", "component": { "id": "component:shop", "layer": "domain", "context": "sales" },
        }])
        .to_string()
    );
    assert_eq!(
        order["references"],
        json!([{
            "codeId": "impl:order.check", "claim": "anchored", "file": "src/order.rs", "line": 40,
            "component": { "id": "component:lost" },
        }])
    );
    assert_eq!(
        order["oracle"],
        json!({
            "anchorId": "oracle:order", "claim": "anchored", "label": "What an order comes to", "file": "src/order.rs",
            "line": 90,
        })
    );
    let limit = context(&reader, "spec:limit");
    assert_eq!(limit["deliveryFacts"], json!(["has-verifier"]), "a reference confers nothing");
    assert_eq!(
        limit["references"],
        json!([{
            "codeId": "component:shop", "claim": "anchored", "label": "The shop", "file": "src/lib.rs", "line": 1,
            "layer": "domain", "context": "sales",
        }])
    );
}

#[test]
fn a_verifier_says_under_which_name_its_test_runs() {
    let reader = reader();
    assert_eq!(
        serde_json::to_string(&context(&reader, "spec:order")["verifiers"]).unwrap(),
        json!([
            {
                "verifierId": "spec:order.paid", "via": "example", "claim": "declared", "enabled": true,
                "label": "Title of spec:order.paid", "file": "001.sdp.md",
            },
            {
                "verifierId": "test:order", "via": "test-anchor", "claim": "anchored", "enabled": true,
                "file": "tests/order.rs", "line": 20, "symbol": "orders::", "symbolMatch": "prefix",
            },
            {
                "verifierId": "test:web", "via": "test-anchor", "claim": "anchored", "enabled": true,
                "file": "web/order.ts", "line": 3,
            },
        ])
        .to_string()
    );
    assert_eq!(
        context(&reader, "spec:order.paid")["verifiers"],
        json!([{
            "verifierId": "test:order.paid", "via": "test-anchor", "claim": "anchored", "enabled": true, "label": "Pays",
            "file": "tests/order.rs", "line": 7, "symbol": "orders::a_paid_order", "symbolMatch": "exact",
        }])
    );
}

#[test]
fn a_source_file_shows_its_bindings_with_their_lines_and_the_specs_that_they_touch() {
    let answer = to_value(reader().by_file("./src/order.rs")).unwrap();
    let node = |id: &str, node_type: &str, line: u32| json!({ "id": id, "nodeType": node_type, "line": line });
    assert_eq!(
        answer,
        json!({
            "path": "src/order.rs",
            "nodes": [
                node("api:pay", "CodeNode", 60),
                node("impl:order.check", "CodeNode", 40),
                node("impl:order.place", "CodeNode", 4),
                node("oracle:order", "Anchor", 90),
            ],
            "specs": ["spec:gone", "spec:order"],
        })
    );
}

#[test]
fn a_change_of_source_files_reaches_what_they_bind() {
    let answer = to_value(reader().blast_radius(&["src/order.rs", "tests/order.rs", "src/none.rs"])).unwrap();
    let through = |file: &str, id: &str, edge: &str| json!({ "file": file, "throughBinding": { "id": id, "edgeType": edge, "claim": "anchored" } });
    assert_eq!(
        answer["impactedSpecs"],
        json!([
            { "id": "spec:gone", "reasons": [through("src/order.rs", "impl:order.place", "satisfies")] },
            { "id": "spec:limit", "reasons": [through("tests/order.rs", "test:order", "verifies")] },
            { "id": "spec:order", "reasons": [
                through("src/order.rs", "impl:order.check", "references"),
                through("src/order.rs", "impl:order.place", "satisfies"),
                through("src/order.rs", "oracle:order", "models"),
                through("tests/order.rs", "test:order", "verifies"),
            ] },
            { "id": "spec:order.paid", "reasons": [through("tests/order.rs", "test:order.paid", "verifies")] },
        ])
    );
    assert_eq!(answer["unlinked"], json!([{ "file": "src/order.rs", "id": "api:pay" }]));
    assert_eq!(answer["coverageUnknown"], json!(["src/none.rs"]));
    let at_risk: Vec<&Value> = answer["atRisk"].as_array().unwrap().iter().map(|row| &row["id"]).collect();
    assert_eq!(at_risk, ["component:shop", "pack:shop", "test:web"], "their files have not changed");
    assert_eq!(
        answer["atRisk"][0]["reasons"],
        json!([{ "from": "component:shop", "edgeType": "references", "to": "spec:limit", "claim": "anchored" }])
    );
}

#[test]
fn a_pack_counts_the_bindings_of_its_members() {
    let reader = reader();
    let pack = reader.pack_context("pack:shop").unwrap();
    let [order, limit] = &pack.members[..] else { panic!("{pack:#?}") };
    assert_eq!(order.delivery_facts, [DeliveryFact::Implemented, DeliveryFact::HasVerifier]);
    assert_eq!(to_value(&order.implementations).unwrap(), context(&reader, "spec:order")["implementations"]);
    assert_eq!(to_value(&order.references).unwrap(), context(&reader, "spec:order")["references"]);
    assert_eq!(to_value(order.verifiers).unwrap(), json!({ "total": 3, "enabled": 3 }));
    assert_eq!(to_value(order.examples).unwrap(), json!({ "total": 1, "enabled": 1 }));
    assert_eq!(to_value(limit.verifiers).unwrap(), json!({ "total": 1, "enabled": 1 }));
    assert_eq!(pack.verifier_gaps, []);
}

#[test]
fn a_label_is_found_behind_ids_and_titles() {
    let found = reader().find_by_concept("order");
    let rows: Vec<_> = found.iter().map(|each| (each.id.as_str(), each.matched_in.join(","))).collect();
    let labelled = rows.iter().filter(|(_, fields)| fields.contains("label"));
    assert_eq!(
        labelled.collect::<Vec<_>>(),
        [&("impl:order.place", "id,label".to_owned()), &("oracle:order", "id,label".to_owned())]
    );
    assert_eq!(reader().find_by_concept("comes to")[0].matched_in, ["label"]);
}

#[test]
fn the_estimates_count_the_bindings_with_their_names() {
    let name = "n".repeat(10_000);
    let mut all = anchors();
    all.push(anchor("tests/long.rs", 1, &format!("id test:long\nverifies spec:limit\nsymbol {name}")));
    let reader = Reader::new(Arc::new(bound(&carriers(), all).graph));
    for id in ["spec:order", "spec:order.paid", "spec:limit"] {
        let real = serde_json::to_string(&reader.spec_context(id).unwrap()).unwrap().len() as u64;
        let estimate = reader.spec_context_bytes(id);
        assert!(estimate >= real && estimate < real + 4_000, "{id}: {estimate} for {real}");
    }
    let real = serde_json::to_string(&reader.pack_context("pack:shop").unwrap()).unwrap().len() as u64;
    let estimate = reader.pack_context_bytes("pack:shop");
    assert!(estimate >= real && estimate < real + 6_000, "{estimate} for {real}");
}
