//! A Pack opened up.

use serde_json::{Value, json};

use super::{RULE, reader};
use crate::graph::{Claim, CodeNode, Graph, Node};
use crate::model::EdgeType;
use crate::reader::Reader;
use crate::testing::{bind, graph, spec, tie, unit_in};

const PACK: &str = "---\nid: pack:shop\nspecs:\n  - spec:b\n  - spec:gone\n  - spec:a\n---\n# The shop\n";
const ASKING: &str = "## Intent\n- outcome: o\n\n### Open questions\n- [non-blocking] when?\n- [blocking #who] who?\n\n\
    ## Rule\n- r\n\n## Design\n- shape: `fn pay()` pays\n- why: because\n- other: see `x`";

fn context(reader: &Reader) -> Value {
    serde_json::to_value(reader.pack_context("pack:shop").unwrap()).unwrap()
}

fn code<'g>(graph: &'g mut Graph, id: &str) -> &'g mut CodeNode {
    let node = graph.nodes.iter_mut().find(|node| node.id() == id).unwrap();
    let Node::Code(node) = node else { panic!("{id}") };
    node
}

#[test]
#[sdp::verifies("spec:sdp.reader.pack-context")]
fn a_pack_opens_its_members_in_authored_order() {
    let mut graph = graph(&[
        spec("spec:a rule idea", "refines: spec:b", "## Intent\n- outcome: o"),
        spec("spec:b rule scoped", "decidedBy:\n    - spec:z\n    - spec:d", ASKING),
        spec("spec:d decision defined", "", "## Decision\n- decision: d"),
        spec("spec:x example defined", "verifies: spec:b", "## Intent\n- outcome: o"),
        spec("spec:y rule defined", "verifies: spec:b", "## Rule\n- r"),
        PACK.to_owned(),
    ]);
    bind(&mut graph, "impl:pay", "spec:b");
    bind(&mut graph, "test:pay", "spec:b");
    unit_in(&mut graph, "api:pay", "src/api.rs");
    tie(&mut graph, "api:pay", EdgeType::References, "spec:b");
    unit_in(&mut graph, "component:money", "src/lib.rs");
    tie(&mut graph, "impl:pay", EdgeType::MemberOf, "component:money");
    tie(&mut graph, "api:pay", EdgeType::MemberOf, "component:none");
    code(&mut graph, "impl:pay").role = Some("handler".to_owned());
    let component = code(&mut graph, "component:money");
    (component.layer, component.context) = (Some("domain".to_owned()), Some("billing".to_owned()));
    let reader = Reader::new(std::sync::Arc::new(graph));
    let context = context(&reader);
    let members = context["members"].as_array().unwrap();
    assert_eq!(
        serde_json::to_string(&members[0]).unwrap(),
        json!({
            "id": "spec:b", "resolved": true, "title": "Title of spec:b", "specKind": "rule", "altitude": "story",
            "statedReadiness": "scoped", "derivedReadiness": "scoped", "deliveryFacts": ["implemented", "has-verifier"],
            "file": "001.sdp.md", "statedNextRung": "defined",
            "statedNextRungFailures": [{
                "clauseId": "no-blocking-open-questions",
                "description": "Spec has no blocking open question in intent.openQuestions.",
            }],
            "design": {
                "entries": 3, "declarations": 1, "blockingQuestions": 1,
                "openQuestions": [
                    { "index": 0, "question": "when?", "blocking": false, "line": 17 },
                    { "index": 1, "question": "who?", "blocking": true, "key": "who", "line": 18 },
                ],
                "decisions": [
                    { "id": "spec:d", "title": "Title of spec:d", "statedReadiness": "defined", "resolved": true },
                    { "id": "spec:z", "resolved": false },
                ],
            },
            "implementations": [{
                "codeId": "impl:pay", "claim": "anchored", "file": "src/lib.rs", "line": 7, "role": "handler",
                "component": { "id": "component:money", "layer": "domain", "context": "billing" },
            }],
            "references": [{
                "codeId": "api:pay", "claim": "anchored", "file": "src/api.rs", "line": 7,
                "component": { "id": "component:none" },
            }],
            "verifiers": { "total": 3, "enabled": 1 },
            "examples": { "total": 1, "enabled": 0 },
        })
        .to_string()
    );
    assert_eq!(members[1], json!({ "id": "spec:gone", "resolved": false, "deliveryFacts": [] }));
    assert_eq!((members.len(), &members[2]["id"]), (3, &json!("spec:a")));
    assert_eq!(context["verifierGaps"], json!([{ "id": "spec:a", "statedReadiness": "idea", "priority": false }]));
    assert_eq!(
        context["findings"].as_array().unwrap().iter().map(|finding| &finding["relatedId"]).collect::<Vec<_>>(),
        ["pack:shop"],
        "the missing member's edge names the Pack"
    );
    assert_eq!(
        context.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["id", "title", "file", "modelRefs", "members", "verifierGaps", "boundary", "findings"]
    );
}

#[test]
fn a_component_and_its_unit_keep_their_own_layer_and_context() {
    let mut graph = graph(&[spec("spec:b rule idea", "", RULE)]);
    unit_in(&mut graph, "component:money", "src/lib.rs");
    tie(&mut graph, "component:money", EdgeType::Satisfies, "spec:b");
    code(&mut graph, "component:money").layer = Some("edge".to_owned());
    let reader = Reader::new(std::sync::Arc::new(graph));
    let bindings = serde_json::to_value(reader.spec_context("spec:b").unwrap().implementations).unwrap();
    assert_eq!(
        bindings,
        json!([{ "codeId": "component:money", "claim": "anchored", "file": "src/lib.rs", "line": 7, "layer": "edge" }])
    );
}

#[test]
fn a_ready_member_has_no_next_rung_and_its_gap_has_priority() {
    let pack = "---\nid: pack:shop\nspecs:\n  - spec:a\n---\n# The shop\n".to_owned();
    let context = context(&reader(&[spec("spec:a rule ready", "", "## Rule\n- r"), pack], &[]));
    let member = context["members"][0].as_object().unwrap();
    assert_eq!(member.get("statedNextRung"), None);
    assert_eq!(member.get("derivedReadiness"), None);
    assert_eq!(member["statedNextRungFailures"], json!([]));
    assert_eq!(context["verifierGaps"], json!([{ "id": "spec:a", "statedReadiness": "ready", "priority": true }]));
}

#[test]
fn the_boundary_names_each_spec_outside_once_with_its_ways() {
    let body = "## Intent\n- outcome: o";
    let mut graph = graph(&[
        spec("spec:a rule idea", "refines: spec:b; dependsOn: spec:o; verifies: spec:p", body),
        spec("spec:b rule idea", "constrainedBy: spec:o; dependsOn: spec:o; refines: spec:e; supersedes: spec:p", body),
        spec("spec:e rule idea", "refines: spec:gone", body),
        spec("spec:o rule ready", "verifies: spec:b; refines:\n    - spec:a\n    - spec:b", body),
        spec("spec:p rule idea", "supersedes: spec:a", body),
        PACK.to_owned(),
    ]);
    bind(&mut graph, "impl:o", "spec:o");
    bind(&mut graph, "test:a", "spec:a");
    let reader = Reader::new(std::sync::Arc::new(graph));
    let context = context(&reader);
    let row = |id: &str, stated: &str, implemented: bool, via: Value| {
        json!({
            "id": id, "title": format!("Title of {id}"), "statedReadiness": stated, "implemented": implemented, "via": via,
        })
    };
    assert_eq!(
        context["boundary"],
        json!({
            "restsOn": [
                row("spec:e", "idea", false, json!([{ "type": "refines", "members": ["spec:b"] }])),
                row("spec:o", "ready", true, json!([
                    { "type": "dependsOn", "members": ["spec:b", "spec:a"] },
                    { "type": "constrainedBy", "members": ["spec:b"] },
                ])),
            ],
            "restedOnBy": [
                row("spec:o", "ready", true, json!([
                    { "type": "refines", "members": ["spec:b", "spec:a"] },
                    { "type": "verifies", "members": ["spec:b"] },
                ])),
                row("spec:p", "idea", false, json!([{ "type": "supersedes", "members": ["spec:a"] }])),
            ],
        })
    );
    assert_eq!(reader.graph().edges.iter().filter(|edge| edge.claim == Claim::Anchored).count(), 2);
}

#[test]
fn only_a_pack_has_a_pack_context() {
    let mut graph = graph(&[spec("spec:b rule idea", "", RULE), PACK.to_owned()]);
    let Some(Node::Pack(pack)) = graph.nodes.iter_mut().find(|node| node.id() == "pack:shop") else { panic!() };
    pack.members = vec!["spec:b".to_owned(), "pack:shop".to_owned(), "spec:b".to_owned()];
    let reader = Reader::new(std::sync::Arc::new(graph));
    let members: Vec<_> =
        reader.pack_context("pack:shop").unwrap().members.into_iter().map(|each| (each.id, each.resolved)).collect();
    assert_eq!(members, [("spec:b".to_owned(), true), ("pack:shop".to_owned(), false)], "a repeat stands once");
    assert_eq!(reader.pack_context("spec:b"), None);
    assert_eq!(reader.pack_context("pack:none"), None);
}
