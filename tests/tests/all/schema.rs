//! The JSON Schema of `graph.json`: it holds for every graph that the engine gives, and for no graph that it cannot give.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jsonschema::Validator;
use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::extract;
use sdp_core::graph::{AnchorNode, Claim, CodeNode, DeliveryFact, Edge, Graph, JSON_SCHEMA, Node, NodeType};
use sdp_core::model::{EdgeType, SymbolMatch};
use serde_json::{Value, json};

use crate::corpora::corpora;

fn validator() -> Validator {
    let schema: Value = serde_json::from_str(JSON_SCHEMA).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert!(jsonschema::meta::is_valid(&schema));
    jsonschema::draft202012::new(&schema).unwrap()
}

fn graph_of(root: &Path) -> Value {
    let extraction = extract(root, &DiscoverOptions::default());
    serde_json::from_str(&extraction.graph.to_json().unwrap()).unwrap()
}

fn faults(validator: &Validator, graph: &Value) -> Vec<String> {
    validator.iter_errors(graph).take(5).map(|error| format!("{}: {error:.300}", error.instance_path())).collect()
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(of).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

#[test]
#[sdp::verifies("spec:sdp.graph.schema")]
fn every_graph_of_a_fixture_is_valid() {
    let validator = validator();
    let fixtures = folders(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
    assert_eq!(fixtures.len(), 24);
    for fixture in fixtures {
        assert_eq!(faults(&validator, &graph_of(&fixture.join("root"))), Vec::<String>::new(), "{fixture:?}");
    }
}

#[test]
fn the_graphs_of_the_corpora_and_of_this_project_are_valid() {
    let validator = validator();
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let options = DiscoverOptions { exclude: vec!["tests".to_owned(), "examples".to_owned()], ..Default::default() };
    let own = serde_json::to_value(&*extract(&project, &options).graph).unwrap();
    assert!(own["nodes"].as_array().unwrap().len() > 20);
    assert_eq!(faults(&validator, &own), Vec::<String>::new());
    let Some(corpora) = corpora() else { return };
    for corpus in ["checkout", "protocol"] {
        assert_eq!(faults(&validator, &graph_of(&corpora.join(corpus))), Vec::<String>::new(), "{corpus}");
    }
}

/// A graph with each kind of node, and what carriers alone do not give: bindings and facts.
fn bound() -> Value {
    json!({
        "schemaVersion": "0.10.0",
        "nodes": [
            {
                "id": "component:shop", "nodeType": "CodeNode", "claim": "anchored", "label": "The shop",
                "file": "src/lib.rs", "line": 1, "role": "service", "layer": "domain", "context": "sales",
            },
            { "id": "impl:shop.refund", "nodeType": "CodeNode", "claim": "anchored", "file": "src/refund.rs" },
            { "id": "oracle:shop.total", "nodeType": "Anchor", "claim": "anchored", "file": "src/total.rs", "line": 9 },
            {
                "id": "pack:shop", "nodeType": "Pack", "claim": "declared", "title": "The shop", "framing": "All of it.",
                "file": "specs/shop.pack.sdp.md", "members": ["spec:shop.refund"], "modelRefs": ["spec:shop.words"],
            },
            {
                "id": "spec:shop.refund", "nodeType": "Primitive", "claim": "declared", "specKind": "behavior",
                "altitude": "feature", "readiness": "ready", "title": "A refund", "narrative": "Pays back.",
                "file": "specs/refund.sdp.md",
                "sections": {
                    "intent": {
                        "description": "d", "actor": "a", "problem": "p", "outcome": "o", "value": "v", "risks": ["r"],
                        "assumptions": ["a"],
                        "openQuestions": [{ "question": "q", "blocking": false, "key": "partial" }],
                    },
                    "behavior": {
                        "description": "d",
                        "rules": ["plain", { "rule": "keyed", "key": "once" }],
                        "examples": ["prose", { "given": ["g"], "when": ["w"], "then": ["t"] }],
                        "flows": ["f"],
                        "exampleSpace": { "given": [], "when": ["w"], "then": [] },
                    },
                    "constraints": [{ "flavor": "f", "statement": "s", "target": "t", "measurableBy": "m" }],
                    "model": { "description": "d", "terms": { "any term": "definition" } },
                    "design": { "description": "d", "someKey": "value" },
                    "decision": {
                        "description": "d", "context": "c", "decision": "d", "rationale": ["r"], "alternatives": ["a"],
                        "consequences": ["c"],
                    },
                    "verification": { "description": "d", "mode": "manual", "criteria": ["c"] },
                    "ui": { "someKey": "value" },
                },
                "deliveryFacts": ["implemented", "has-verifier"],
            },
            {
                "id": "test:shop.refund", "nodeType": "Anchor", "claim": "anchored", "file": "tests/refund.rs", "line": 3,
                "symbol": "refund::once",
            },
        ],
        "edges": [
            { "from": "impl:shop.refund", "type": "memberOf", "to": "component:shop", "claim": "anchored" },
            { "from": "impl:shop.refund", "type": "satisfies", "to": "spec:shop.refund", "claim": "anchored" },
            { "from": "oracle:shop.total", "type": "models", "to": "spec:shop.refund", "claim": "anchored" },
            { "from": "spec:shop.refund", "type": "belongsTo", "to": "pack:shop", "claim": "declared" },
            { "from": "spec:shop.refund", "type": "dependsOn", "to": "spec:gone", "claim": "declared" },
            { "from": "spec:shop.case", "type": "verifies", "to": "spec:shop.refund", "claim": "declared" },
            { "from": "test:shop.refund", "type": "verifies", "to": "spec:shop.refund", "claim": "anchored" },
        ],
        "locations": [
            { "spec": "spec:shop.refund", "file": "specs/refund.sdp.md", "entry": "design.someKey", "line": 30 },
            { "spec": "spec:shop.refund", "file": "specs/refund.sdp.md", "entry": "rule[1]", "key": "once", "line": 20 },
        ],
    })
}

#[test]
fn a_graph_with_every_kind_of_node_and_section_is_valid() {
    assert_eq!(faults(&validator(), &bound()), Vec::<String>::new());
}

#[test]
fn a_graph_with_bindings_is_valid_as_its_types_are_written() {
    let sound = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sound/root");
    let mut graph = Graph::clone(&extract(&sound, &DiscoverOptions::default()).graph);
    let (claim, file, target) = (Claim::Anchored, "src/lib.rs".to_owned(), graph.locations[0].spec.clone());
    graph.nodes.push(Node::Code(Box::new(CodeNode {
        id: "component:library".to_owned(),
        node_type: NodeType::CodeNode,
        claim,
        label: Some("The library".to_owned()),
        file: file.clone(),
        line: Some(1),
        role: Some("service".to_owned()),
        layer: Some("domain".to_owned()),
        context: Some("lending".to_owned()),
    })));
    graph.nodes.push(Node::Anchor(Box::new(AnchorNode {
        id: "test:library.lending".to_owned(),
        node_type: NodeType::Anchor,
        claim,
        label: None,
        file,
        line: 7,
        symbol: Some("lending::works".to_owned()),
        symbol_match: Some(SymbolMatch::Exact),
    })));
    for (from, edge_type) in [("component:library", EdgeType::Satisfies), ("test:library.lending", EdgeType::Verifies)]
    {
        graph.edges.push(Edge { from: from.to_owned(), edge_type, to: target.clone(), claim });
    }
    for node in &mut graph.nodes {
        if let Node::Spec(spec) = node
            && spec.id == target
        {
            Arc::make_mut(spec).delivery_facts = vec![DeliveryFact::Implemented, DeliveryFact::HasVerifier];
        }
    }
    let graph: Value = serde_json::from_str(&graph.to_json().unwrap()).unwrap();
    assert!(graph.to_string().contains("has-verifier"));
    assert_eq!(faults(&validator(), &graph), Vec::<String>::new());
}

#[test]
#[sdp::verifies("spec:sdp.graph.schema")]
fn a_graph_that_the_engine_cannot_give_is_refused() {
    let validator = validator();
    // Where, and what stands there instead; `null` takes the member away.
    let mutations = [
        ("/schemaVersion", json!("0.9.0")),
        ("/nodes", Value::Null),
        ("/locations", Value::Null),
        ("/extra", json!(true)),
        ("/nodes/0/nodeType", json!("Code")),
        ("/nodes/0/claim", json!("declared")),
        ("/nodes/0/layer", json!("kernel")),
        ("/nodes/0/role", json!("Two words")),
        ("/nodes/1/deliveryFacts", json!([])),
        ("/nodes/2/line", Value::Null),
        ("/nodes/2/line", json!(0)),
        ("/nodes/3/members", Value::Null),
        ("/nodes/3/members/0", json!("pack:shop")),
        ("/nodes/4/id", Value::Null),
        ("/nodes/4/id", json!("spec:shop..refund")),
        ("/nodes/4/claim", json!("anchored")),
        ("/nodes/4/specKind", json!("story")),
        ("/nodes/4/readiness", json!("done")),
        ("/nodes/4/title", json!(7)),
        ("/nodes/4/sections/plan", json!({})),
        ("/nodes/4/sections/intent/outcomes", json!("o")),
        ("/nodes/4/sections/intent/openQuestions/0/blocking", json!("no")),
        ("/nodes/4/sections/behavior/rules/1/key", Value::Null),
        ("/nodes/4/sections/behavior/examples/1/then", Value::Null),
        ("/nodes/4/sections/constraints/0/weight", json!("w")),
        ("/nodes/4/sections/model/terms/any term", json!(["a"])),
        ("/nodes/4/sections/design/description", json!(["value"])),
        ("/nodes/4/sections/verification/mode", json!("guessed")),
        ("/nodes/4/deliveryFacts/0", json!("observed")),
        ("/nodes/4/deliveryFacts/0", json!("has-verifier")),
        ("/edges/0/type", json!("partOf")),
        ("/edges/1/claim", json!("declared")),
        ("/edges/3/claim", json!("anchored")),
        ("/edges/4/to", json!("nowhere")),
        ("/edges/5/reason", json!("because")),
        ("/locations/0/entry", json!("design")),
        ("/locations/0/line", json!(1.5)),
        ("/locations/1/file", Value::Null),
    ];
    for (place, value) in mutations {
        let mut graph = bound();
        let (parent, member) = place.rsplit_once('/').unwrap();
        let parent = graph.pointer_mut(parent).unwrap();
        match (parent, member.parse::<usize>()) {
            (Value::Array(items), Ok(index)) => items[index] = value.clone(),
            (Value::Object(members), _) if value.is_null() => assert!(members.remove(member).is_some(), "{place}"),
            (Value::Object(members), _) => drop(members.insert(member.to_owned(), value.clone())),
            _ => panic!("{place} does not exist"),
        }
        assert!(!validator.is_valid(&graph), "{place}: {value} is accepted");
    }
}
