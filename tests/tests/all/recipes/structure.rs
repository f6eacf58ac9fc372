//! The recipes about code: components, uses, and what is bound to Specs. Every answer can be read off the works.

use std::sync::Arc;

use sdp_core::graph::{Claim, CodeNode, Edge, Graph, Node, NodeType};
use sdp_core::model::EdgeType;
use sdp_core::{Input, evaluate_body};
use serde_json::{Value, json};

use super::shop::empty;
use super::works::works;
use super::{answers, ask};

#[test]
fn components_list_their_members() {
    let row = |id: &str, members: &[&str]| json!({ "id": id, "members": members, "memberCount": members.len() });
    answers(
        12,
        &works(),
        json!({}),
        json!({ "components": [
            row("component:desk", &[]),
            row("component:orders", &["api:orders", "impl:orders.check", "impl:orders.place"]),
            row("component:plain", &[]),
            row("component:store", &["impl:store.save"]),
        ] }),
    );
}

#[test]
#[sdp::verifies("spec:sdp.recipes.structure")]
fn uses_count_for_the_components_of_their_ends() {
    let row = |id: &str, out: &[&str], by: &[&str]| json!({ "id": id, "fanOut": out.len(), "fanIn": by.len(), "usesOut": out, "usedBy": by });
    answers(
        13,
        &works(),
        json!({}),
        json!({ "components": [
            row("component:desk", &["component:orders"], &[]),
            row(
                "component:orders",
                &["component:orders", "component:store"],
                &["component:desk", "component:lost", "component:orders"],
            ),
            row("component:plain", &[], &["component:store"]),
            row("component:store", &["component:plain"], &["component:orders"]),
        ] }),
    );
}

#[test]
fn a_component_has_a_neighborhood() {
    let graph = works();
    answers(
        14,
        &graph,
        json!({ "component": "component:orders" }),
        json!({
            "found": true, "id": "component:orders", "members": ["api:orders", "impl:orders.check", "impl:orders.place"],
            "usesOut": ["component:store"], "usedBy": ["component:desk", "impl:lost.part"], "satisfiedSpecs": ["spec:shop.order"],
        }),
    );
    answers(
        14,
        &graph,
        json!({}),
        json!({
            "found": true, "id": "component:desk", "members": [], "usesOut": ["component:gone", "component:orders"],
            "usedBy": [], "satisfiedSpecs": [],
        }),
    );
    answers(
        14,
        &graph,
        json!({ "component": "impl:loose" }),
        json!({
            "found": true, "id": "impl:loose", "members": [], "usesOut": ["component:plain"], "usedBy": ["impl:orders.check"],
            "satisfiedSpecs": [],
        }),
    );
    for other in ["component:lost", "component:none", "impl:none", "test:orders.paid", "oracle:orders", "spec:shop", ""]
    {
        answers(14, &graph, json!({ "component": other }), json!({ "id": other, "found": false }));
    }
    answers(14, &empty(), json!({}), json!({ "id": null, "found": false }));
}

#[test]
fn structure_is_counted_with_what_dangles_in_it() {
    let counted = |ids: &[&str]| json!({ "count": ids.len(), "ids": ids });
    answers(
        15,
        &works(),
        json!({}),
        json!({
            "components": counted(&["component:desk", "component:orders", "component:plain", "component:store"]),
            "memberOfEdges": counted(&[
                "api:orders -> component:orders",
                "impl:lost.part -> component:lost",
                "impl:orders.check -> component:orders",
                "impl:orders.place -> component:orders",
                "impl:store.save -> component:store",
            ]),
            "usesEdges": counted(&[
                "component:desk -> component:gone",
                "component:desk -> component:orders",
                "component:orders -> component:store",
                "component:store -> component:plain",
                "impl:loose -> component:plain",
                "impl:lost.part -> component:orders",
                "impl:orders.check -> impl:loose",
                "impl:orders.place -> impl:orders.check",
                "impl:orders.place -> impl:store.save",
            ]),
            // The lost part misses its Spec too, which is no structure.
            "danglingStructuralFindings": counted(&["component:desk", "impl:lost.part"]),
        }),
    );
    assert_eq!(ask(16, &works(), json!({})).unwrap()["census"], json!({ "specs": 8, "anchors": 12 }));
}

#[test]
#[sdp::verifies("spec:sdp.recipes.structure")]
fn the_architecture_is_mapped() {
    let answer = ask(17, &works(), json!({})).unwrap();
    let member =
        |id: &str, label: Value, file: &str, line: u32| json!({ "id": id, "label": label, "file": file, "line": line });
    let edge = |from: &str, to: &str| json!({ "from": from, "to": to, "claim": "anchored" });
    let queue = |subject: &str| json!([{ "id": "spec:rulings.queue", "subjects": [subject] }]);
    assert_eq!(
        answer["components"],
        json!([
            {
                "id": "component:desk", "declared": true, "members": [], "fanOut": 1, "fanIn": 0,
                "usesOut": ["component:orders"], "usedBy": [], "satisfiedSpecs": [], "realizations": [], "shapingDecisions": [],
            },
            {
                "id": "component:lost", "declared": false, "members": [member("impl:lost.part", Value::Null, "src/lost.rs", 3)],
                "fanOut": 1, "fanIn": 0, "usesOut": ["component:orders"], "usedBy": [], "satisfiedSpecs": ["spec:shop.gone"],
                "realizations": [edge("impl:lost.part", "spec:shop.gone")], "shapingDecisions": [],
            },
            {
                "id": "component:orders", "declared": true,
                "members": [
                    member("api:orders", Value::Null, "src/api.rs", 5),
                    member("impl:orders.check", Value::Null, "src/orders.rs", 40),
                    member("impl:orders.place", json!("Places an order"), "src/orders.rs", 20),
                ],
                "fanOut": 1, "fanIn": 2, "usesOut": ["component:store"], "usedBy": ["component:desk", "component:lost"],
                "satisfiedSpecs": ["spec:shop", "spec:shop.order"],
                "realizations": [edge("component:orders", "spec:shop"), edge("impl:orders.place", "spec:shop.order")],
                "shapingDecisions": queue("spec:shop.order"),
            },
            {
                "id": "component:plain", "declared": true, "members": [], "fanOut": 0, "fanIn": 1,
                "usesOut": [], "usedBy": ["component:store"], "satisfiedSpecs": [], "realizations": [], "shapingDecisions": [],
            },
            {
                "id": "component:store", "declared": true, "members": [member("impl:store.save", Value::Null, "src/store.rs", 9)],
                "fanOut": 1, "fanIn": 1, "usesOut": ["component:plain"], "usedBy": ["component:orders"],
                "satisfiedSpecs": ["spec:shop.stock"], "realizations": [edge("impl:store.save", "spec:shop.stock")],
                "shapingDecisions": queue("spec:shop.stock"),
            },
        ])
    );
    let relation = |edge_type: &str, id: &str, title: &str| json!({ "type": edge_type, "claim": "declared", "otherId": id, "resolved": true, "otherNodeType": "Primitive", "otherTitle": title });
    let decided = relation("decidedBy", "spec:rulings.queue", "Of rulings.queue");
    let refines = relation("refines", "spec:shop", "Of shop");
    let subject = |id: &str, kind: &str, design: Value, relations: Value| json!({ "id": format!("spec:{id}"), "resolved": true, "title": format!("Of {id}"), "specKind": kind, "outcome": format!("What {id} is for"), "design": design, "relations": relations });
    assert_eq!(
        answer["subjects"],
        json!([
            subject("shop", "behavior", Value::Null, json!([])),
            {
                "id": "spec:shop.gone", "resolved": false, "title": null, "specKind": null, "outcome": null, "design": null,
                "relations": [],
            },
            subject(
                "shop.order",
                "behavior",
                json!("Orders are rows."),
                json!([decided, relation("dependsOn", "spec:shop.stock", "Of shop.stock"), refines]),
            ),
            subject("shop.stock", "model", Value::Null, json!([decided, refines])),
        ])
    );
    assert_eq!(
        answer["usesEdges"],
        json!([
            edge("component:desk", "component:gone"),
            edge("component:desk", "component:orders"),
            edge("component:orders", "component:store"),
            edge("component:store", "component:plain"),
            edge("impl:loose", "component:plain"),
            edge("impl:lost.part", "component:orders"),
            edge("impl:orders.check", "impl:loose"),
            edge("impl:orders.place", "impl:orders.check"),
            edge("impl:orders.place", "impl:store.save"),
        ])
    );
    let bare = |from: &str, to: &str| json!({ "from": from, "to": to });
    assert_eq!(
        answer["unresolvedUses"],
        json!([
            bare("component:desk", "component:gone"),
            bare("impl:loose", "component:plain"),
            bare("impl:orders.check", "impl:loose"),
        ])
    );
    answers(
        17,
        &empty(),
        json!({}),
        json!({ "components": [], "subjects": [], "usesEdges": [], "unresolvedUses": [] }),
    );
}

#[test]
fn work_on_one_spec_is_planned() {
    let graph = works();
    let stated = |id: &str| json!({ "id": id, "statedReadiness": "idea" });
    let entry =
        |role: &str, id: &str, file: &str, line: Value| json!({ "role": role, "id": id, "file": file, "line": line });
    answers(
        19,
        &graph,
        json!({ "spec": "spec:shop.order" }),
        json!({
            "id": "spec:shop.order",
            "found": true,
            "refinementNeighborhood": {
                "parents": ["spec:shop"], "children": ["spec:rulings.queue", "spec:shop.order.small"],
            },
            "dependencies": { "dependsOn": [stated("spec:shop.stock")], "dependedOnBy": [stated("spec:shop.audit")] },
            "shapingDecisions": [
                { "id": "spec:rulings.lost", "subjects": ["spec:shop.order.small"] },
                { "id": "spec:rulings.queue", "subjects": ["spec:shop.order", "spec:shop.order.small"] },
            ],
            "implementations": [{ "id": "impl:orders.place", "claim": "anchored", "file": "src/orders.rs", "line": 20 }],
            "components": [{
                "id": "component:orders", "label": "Orders", "file": "src/orders.rs", "line": 1, "directlySatisfies": false,
                "implementations": ["impl:orders.place"],
            }],
            "verifiers": [{
                "id": "spec:shop.order.paid", "via": "example", "claim": "declared", "enabled": true,
                "file": "specs/shop.order.paid.sdp.md", "line": null,
            }],
            "entryPoints": [
                entry("verifier", "spec:shop.order.paid", "specs/shop.order.paid.sdp.md", Value::Null),
                entry("spec", "spec:shop.order", "specs/shop.order.sdp.md", Value::Null),
                entry("component", "component:orders", "src/orders.rs", json!(1)),
                entry("implementation", "impl:orders.place", "src/orders.rs", json!(20)),
            ],
            "entryPointsLimit": "file-level graph-recorded paths only; no symbol-level impact graph",
        }),
    );
    let whole = ask(19, &graph, json!({ "spec": "spec:shop" })).unwrap();
    assert_eq!(
        whole["components"],
        json!([{
            "id": "component:orders", "label": "Orders", "file": "src/orders.rs", "line": 1, "directlySatisfies": true,
            "implementations": [],
        }])
    );
    let mail = ask(19, &graph, json!({ "spec": "spec:shop.mail" })).unwrap();
    assert_eq!(mail["dependencies"]["dependsOn"], json!([{ "id": "spec:shop.gone", "statedReadiness": null }]));
    let paid = ask(19, &graph, json!({ "spec": "spec:shop.order.paid" })).unwrap();
    assert_eq!(
        paid["verifiers"],
        json!([{
            "id": "test:orders.paid", "via": "test-anchor", "claim": "anchored", "enabled": true, "file": "tests/orders.rs",
            "line": 7,
        }])
    );
    assert_eq!(ask(19, &graph, json!({})).unwrap()["id"], "spec:rulings.queue");
    answers(19, &graph, json!({ "spec": "impl:loose" }), json!({ "id": "impl:loose", "found": false }));
    answers(19, &empty(), json!({}), json!({ "id": null, "found": false }));
}

#[test]
#[sdp::verifies("spec:sdp.recipes.structure")]
fn the_members_of_a_pack_are_held_against_the_code() {
    let graph = works();
    let unit = |id: &str, file: &str| json!({ "id": id, "file": file });
    let on = |id: &str, via: &str, unit: Value| json!({ "id": id, "via": via, "implementedBy": [unit] });
    let shop = on("spec:shop", "refines", unit("component:orders", "src/orders.rs"));
    let expected = json!({
        "found": true,
        "id": "pack:shop",
        "totals": {
            "members": 4, "withReferences": 1, "withImplementations": 2, "withVerifier": 1, "withBuildsOn": 3, "unbound": 2,
        },
        "rows": [
            {
                "id": "spec:shop.order", "resolved": true,
                "referencedBy": [unit("api:orders", "src/api.rs"), unit("impl:orders.check", "src/orders.rs")],
                "implementedBy": ["impl:orders.place"], "hasVerifier": true,
                "buildsOn": [on("spec:shop.stock", "dependsOn", unit("impl:store.save", "src/store.rs")), shop],
            },
            {
                "id": "spec:shop.stock", "resolved": true, "referencedBy": [], "implementedBy": ["impl:store.save"],
                "hasVerifier": false, "buildsOn": [shop],
            },
            {
                "id": "spec:shop.audit", "resolved": true, "referencedBy": [], "implementedBy": [], "hasVerifier": false,
                "buildsOn": [on("spec:shop.order", "dependsOn", unit("impl:orders.place", "src/orders.rs"))],
            },
            {
                "id": "spec:shop.gone", "resolved": false, "referencedBy": [], "implementedBy": [], "hasVerifier": false,
                "buildsOn": [],
            },
        ],
    });
    answers(27, &graph, json!({ "pack": "pack:shop" }), expected.clone());
    answers(27, &graph, json!({}), expected);
    answers(27, &graph, json!({ "pack": "spec:shop" }), json!({ "id": "spec:shop", "found": false }));
    answers(27, &empty(), json!({}), json!({ "id": null, "found": false }));
}

#[test]
fn the_words_for_code_are_listed_with_their_units() {
    let row = |value: &str, units: &[&str]| json!({ "value": value, "units": units });
    answers(
        28,
        &works(),
        json!({}),
        json!({
            "totals": {
                "codeUnits": 10, "withRole": 3, "withLayer": 3, "withContext": 3, "references": 3, "referencingUnits": 2,
                "referencedSpecs": 2,
            },
            "roles": [row("handler", &["api:orders", "impl:orders.place"]), row("repository", &["impl:store.save"])],
            "layers": [
                row("domain", &["component:orders"]),
                row("edge", &["component:desk"]),
                row("infrastructure", &["component:store"]),
            ],
            "contexts": [row("sales", &["component:desk", "component:orders"]), row("storage", &["component:store"])],
        }),
    );
}

#[test]
#[sdp::verifies("spec:sdp.recipes.structure")]
fn a_use_between_layers_or_contexts_is_a_crossing() {
    let orders = json!({ "id": "component:orders", "layer": "domain", "context": "sales" });
    let store = json!({ "id": "component:store", "layer": "infrastructure", "context": "storage" });
    let desk = json!({ "id": "component:desk", "layer": "edge", "context": "sales" });
    let row = |from: &str, to: &str, one: &Value, other: &Value, differs: &[&str]| json!({ "from": from, "to": to, "fromComponent": one, "toComponent": other, "differs": differs });
    answers(
        32,
        &works(),
        json!({}),
        json!({
            "totals": {
                "usesEdges": 9, "resolvedToComponents": 5, "crossings": 3, "contextCrossings": 2, "layerCrossings": 3,
                "byContextPair": { "sales -> storage": 2 },
                "byLayerPair": { "domain -> infrastructure": 2, "edge -> domain": 1 },
            },
            "rows": [
                row("component:desk", "component:orders", &desk, &orders, &["layer"]),
                row("component:orders", "component:store", &orders, &store, &["context", "layer"]),
                row("impl:orders.place", "impl:store.save", &orders, &store, &["context", "layer"]),
            ],
        }),
    );
}

#[test]
fn changed_source_files_lead_through_their_bindings() {
    let answer = ask(4, &works(), json!({ "files": ["src/orders.rs", "src/plain.rs"] })).unwrap();
    let reason =
        |via: &str, edge: &str| json!({ "file": "src/orders.rs", "via": via, "edgeType": edge, "claim": "anchored" });
    assert_eq!(
        answer["impactedSpecs"],
        json!([
            { "id": "spec:shop", "reasons": [reason("component:orders", "satisfies")] },
            { "id": "spec:shop.order", "reasons": [
                reason("impl:orders.check", "references"),
                reason("impl:orders.place", "satisfies"),
                reason("oracle:orders", "models"),
            ] },
        ])
    );
    assert_eq!(answer["unlinkedUnits"], json!([{ "id": "component:plain", "file": "src/plain.rs" }]));
    let at_risk: Vec<(&Value, &Value)> = by_id(&answer["atRiskOther"], "reasons");
    let edge = |from: &str, edge_type: &str, to: &str, claim: &str| json!({ "from": from, "edgeType": edge_type, "to": to, "claim": claim });
    assert_eq!(
        at_risk,
        [
            (&json!("api:orders"), &json!([edge("api:orders", "references", "spec:shop.order", "anchored")])),
            (&json!("pack:shop"), &json!([edge("spec:shop.order", "belongsTo", "pack:shop", "declared")])),
        ]
    );
    assert_eq!(answer["coverageUnknownFiles"], json!([]));
}

/// A list of an answer by its ids, with one member of each row.
fn by_id<'a>(rows: &'a Value, name: &str) -> Vec<(&'a Value, &'a Value)> {
    rows.as_array().unwrap().iter().map(|row| (&row["id"], &row[name])).collect()
}

#[test]
fn recipes_that_read_one_thing_say_the_same_of_it() {
    let graph = works();
    let [members, uses, map] = [12, 13, 17].map(|number| ask(number, &graph, json!({})).unwrap());
    let declared: Vec<&Value> =
        map["components"].as_array().unwrap().iter().filter(|row| row["declared"] == true).collect();
    for (row, (id, listed)) in declared.iter().zip(by_id(&members["components"], "members")) {
        let ids: Vec<&Value> = row["members"].as_array().unwrap().iter().map(|member| &member["id"]).collect();
        assert_eq!((&row["id"], json!(ids)), (id, listed.clone()));
        let near = ask(14, &graph, json!({ "component": id })).unwrap();
        assert_eq!(&near["members"], listed, "{id}");
    }
    for name in ["usesOut", "usedBy"] {
        for (row, (id, listed)) in declared.iter().zip(by_id(&uses["components"], name)) {
            // The map leaves out what a component does with itself.
            let others: Vec<&Value> = listed.as_array().unwrap().iter().filter(|other| *other != id).collect();
            assert_eq!((&row["id"], &row[name]), (id, &json!(others)));
        }
    }
    let [references, design] = [27, 29].map(|number| ask(number, &graph, json!({})).unwrap());
    for name in ["withReferences", "withImplementations", "members"] {
        assert_eq!(references["totals"][name], design["totals"][name], "{name}");
    }
    for (row, (id, units)) in
        references["rows"].as_array().unwrap().iter().zip(by_id(&design["members"], "implementedBy"))
    {
        // A member that is no Spec has no units to name.
        let ids: Vec<&Value> = units.as_array().into_iter().flatten().map(|unit| &unit["id"]).collect();
        assert_eq!((&row["id"], &row["implementedBy"]), (id, &json!(ids)));
    }
    for subject in map["subjects"].as_array().unwrap().iter().filter(|subject| subject["resolved"] == true) {
        let body = "return g.specContext(params.id).relationsOut";
        let input = Input { graph: Arc::clone(&graph), report: None, params: Some(json!({ "id": subject["id"] })) };
        let relations = evaluate_body(body, input).unwrap().to_json().unwrap();
        assert_eq!(subject["relations"].to_string(), relations.to_string(), "{}", subject["id"]);
    }
    let place = &design["members"][0]["implementedBy"][0];
    let crossing = ask(32, &graph, json!({})).unwrap()["rows"][2]["fromComponent"].clone();
    assert_eq!(place["component"], crossing, "the reader and the recipe find one component");
}

/// A graph of units whose ids and words are names that every object inherits.
fn inherited() -> Arc<Graph> {
    let mut graph = Graph::clone(&empty());
    for name in ["__proto__", "constructor", "toString"] {
        graph.nodes.push(Node::Code(Box::new(CodeNode {
            id: format!("component:{name}"),
            node_type: NodeType::CodeNode,
            claim: Claim::Anchored,
            label: None,
            file: "__proto__".to_owned(),
            line: None,
            role: Some(name.to_owned()),
            layer: Some("__proto__".to_owned()),
            context: Some(name.to_owned()),
        })));
    }
    for (from, edge_type, to) in [
        ("component:__proto__", EdgeType::Uses, "component:constructor"),
        ("component:constructor", EdgeType::MemberOf, "__proto__"),
        ("component:constructor", EdgeType::Satisfies, "constructor"),
        ("component:toString", EdgeType::Uses, "component:__proto__"),
    ] {
        graph.edges.push(Edge { from: from.to_owned(), edge_type, to: to.to_owned(), claim: Claim::Anchored });
    }
    Arc::new(graph)
}

#[test]
fn names_that_every_object_inherits_are_names_like_others() {
    let graph = inherited();
    for number in [12, 13, 14, 15, 17, 19, 27, 28, 32] {
        ask(number, &graph, json!({})).unwrap();
    }
    let words = ask(28, &graph, json!({})).unwrap();
    assert_eq!(by_id(&words["roles"], "value").len(), 3);
    assert_eq!(words["roles"][0], json!({ "value": "__proto__", "units": ["component:__proto__"] }));
    let crossings = ask(32, &graph, json!({})).unwrap();
    assert_eq!(
        crossings["totals"]["byContextPair"],
        json!({ "__proto__ -> constructor": 1, "toString -> __proto__": 1 })
    );
    let uses = ask(13, &graph, json!({})).unwrap();
    assert_eq!(uses["components"][0]["usesOut"], json!(["component:constructor"]));
    let map = ask(17, &graph, json!({})).unwrap();
    let ids: Vec<&Value> = map["components"].as_array().unwrap().iter().map(|row| &row["id"]).collect();
    assert_eq!(ids, ["__proto__", "component:__proto__", "component:constructor", "component:toString"]);
    assert_eq!((&map["subjects"][0]["id"], &map["subjects"][0]["resolved"]), (&json!("constructor"), &json!(false)));
}
