use serde_json::json;

use super::*;
use crate::testing::bind;

const ORDERS: &str = "Given a cart with {n:number} items
And every item is {stock:\"in stock\"|\"out of stock\"}
And the customer is known: {known:boolean}
When the cart is ordered by {who:string}
Then an order of {total:number} is made
Then the order is refused because {reason:\"empty\"|\"stock\"|\"empty\"}";

fn orders() -> Graph {
    let mut graph = graph(&[
        space("spec:o", ORDERS),
        example(
            "spec:o.a",
            "refines: spec:o; verifies: spec:o",
            "Given a cart with {n: 2} items
And every item is {stock: \"in stock\"}
And the customer is known: {known: true}
When the cart is ordered by {who: \"Zoe\"}
Then an order of {total: 100.5} is made",
        ),
        example(
            "spec:o.b",
            "refines: spec:o",
            "Given a cart with {n: 0} items
When the cart is ordered by {who: \"Ann\"}
Then the order is refused because {reason: \"empty\"}",
        ),
        example("spec:o.draft", "refines: spec:o", "Given a cart with {n} items\nWhen x\nThen y"),
        example("spec:o.elsewhere", "dependsOn: spec:o", "Given a cart with {n: 9} items\nWhen x\nThen y"),
        spec("spec:o.prose example idea", "refines: spec:o", "## Intent\n- outcome: o"),
        spec("spec:o.rule rule idea", "refines: spec:o", "## Rule\n- r"),
    ]);
    bind(&mut graph, "test:a", "spec:o.a");
    graph
}

#[test]
fn the_vocabulary_is_listed_with_its_slots() {
    let space = wire(&decoded(&orders(), "spec:o"));
    assert_eq!(
        (&space["id"], &space["title"], &space["file"]),
        (&json!("spec:o"), &json!("Title of spec:o"), &json!("000.sdp.md"))
    );
    assert_eq!(space["steps"].as_array().unwrap().len(), 6);
    assert_eq!(
        space["steps"][1],
        json!({
            "phase": "given",
            "text": "every item is {stock:\"in stock\"|\"out of stock\"}",
            "skeleton": "every item is {stock}",
            "slots": [{ "name": "stock", "type": "enum", "values": ["in stock", "out of stock"] }],
        })
    );
    assert_eq!(space["steps"][3]["slots"], json!([{ "name": "who", "type": "string" }]));
}

#[test]
#[sdp::verifies("spec:sdp.reader.example-space")]
fn dimensions_are_the_slots_of_given_and_when_in_order_with_what_is_taken() {
    let space = wire(&decoded(&orders(), "spec:o"));
    assert_eq!(
        space["dimensions"],
        json!([
            { "name": "n", "type": "number", "step": 0,
              "taken": [{ "value": 0, "examples": 1 }, { "value": 2, "examples": 1 }] },
            { "name": "stock", "type": "enum", "step": 1, "values": ["in stock", "out of stock"],
              "taken": [{ "value": "in stock", "examples": 1 }], "untaken": ["out of stock"] },
            { "name": "known", "type": "boolean", "step": 2, "values": [true, false],
              "taken": [{ "value": true, "examples": 1 }], "untaken": [false] },
            { "name": "who", "type": "string", "step": 3,
              "taken": [{ "value": "Ann", "examples": 1 }, { "value": "Zoe", "examples": 1 }] },
        ])
    );
}

#[test]
fn outcomes_are_the_then_steps_with_their_payload_and_reach() {
    let space = wire(&decoded(&orders(), "spec:o"));
    assert_eq!(
        space["outcomes"],
        json!([
            { "skeleton": "an order of {total} is made", "step": 4,
              "payload": [{ "name": "total", "type": "number" }], "examples": 1 },
            { "skeleton": "the order is refused because {reason}", "step": 5,
              "payload": [{ "name": "reason", "type": "enum", "values": ["empty", "stock"] }], "examples": 1 },
        ])
    );
}

#[test]
fn each_example_has_its_point_and_what_it_is_good_for() {
    let space = wire(&decoded(&orders(), "spec:o"));
    let row = |id: &str, more: serde_json::Value| {
        let place = ["spec:o.a", "spec:o.b", "spec:o.draft"].iter().position(|other| *other == id).unwrap();
        let mut row = json!({
            "id": id, "title": format!("Title of {id}"), "file": format!("{:03}.sdp.md", place + 1),
            "statedReadiness": "idea",
        });
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        row
    };
    assert_eq!(
        space["examples"],
        json!([
            row(
                "spec:o.a",
                json!({
                    "point": { "n": 2, "stock": "in stock", "known": true, "who": "Zoe" }, "complete": true, "missing": [],
                    "outcomes": ["an order of {total} is made"], "matched": true, "bindable": true, "enabled": true,
                })
            ),
            row(
                "spec:o.b",
                json!({
                    "point": { "n": 0, "who": "Ann" }, "complete": false, "missing": ["stock", "known"],
                    "outcomes": ["the order is refused because {reason}"], "matched": true, "bindable": true, "enabled": false,
                })
            ),
            row(
                "spec:o.draft",
                json!({
                    "point": {}, "complete": false, "missing": ["n", "stock", "known", "who"],
                    "outcomes": [], "matched": false, "bindable": false, "enabled": false,
                })
            ),
        ])
    );
    let keys: Vec<_> = space["examples"][0]["point"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["n", "stock", "known", "who"], "in the order of the dimensions");
    assert_eq!(space["findings"], json!([]), "a draft is left in peace");
    assert!(space.get("untakenPairs").is_none(), "only where they are asked for");
}

#[test]
fn untaken_pairs_are_those_of_closed_dimensions() {
    let graph = orders();
    let space = wire(&decode(&graph, &Index::new(&graph), "spec:o", true).unwrap());
    let pair = |stock: &str, known: bool| json!([{ "dimension": "stock", "value": stock }, { "dimension": "known", "value": known }]);
    assert_eq!(
        space["untakenPairs"],
        json!([pair("in stock", false), pair("out of stock", true), pair("out of stock", false)])
    );
    assert!(space.get("untakenPairsLeftOut").is_none() && space.get("pairedDimensionsLeftOut").is_none());
}

#[test]
fn what_owns_no_space_has_no_answer() {
    let graph = orders();
    let index = Index::new(&graph);
    for id in ["spec:o.a", "spec:o.rule", "spec:none", "test:a", ""] {
        assert_eq!(decode(&graph, &index, id, true), None, "{id}");
    }
}

#[test]
fn a_slot_without_a_type_is_no_dimension() {
    let graph = graph(&[space("spec:o", "Given {a} {b: 1} {c:\"x\"} {d: maybe} {e:string}\nWhen w\nThen {e:number}")]);
    let space = wire(&decoded(&graph, "spec:o"));
    assert_eq!(
        space["steps"][0]["slots"],
        json!([
            { "name": "a", "unusable": "bare" },
            { "name": "b", "unusable": "bound" },
            { "name": "c", "unusable": "bound" },
            { "name": "d", "unusable": "malformed" },
            { "name": "e", "type": "string" },
        ])
    );
    assert_eq!(space["dimensions"].as_array().unwrap().len(), 1);
    assert_eq!(space["dimensions"][0]["type"], "string", "a payload slot of the same name is another thing");
    assert_eq!(space["findings"].as_array().unwrap().len(), 4);
}

#[test]
fn the_first_declaration_gives_a_dimension_its_type() {
    let graph = graph(&[space("spec:o", "Given {n:number} {n:string}\nWhen {n:boolean} and {m:boolean}\nThen t")]);
    let dimensions: Vec<_> =
        decoded(&graph, "spec:o").dimensions.into_iter().map(|each| (each.name, each.kind, each.step)).collect();
    assert_eq!(dimensions, [("n".to_owned(), DimensionKind::Number, 0), ("m".to_owned(), DimensionKind::Boolean, 1)]);
}

#[test]
fn the_first_whole_entry_counts() {
    let mut graph = graph(&[
        space("spec:o", "Given {n:number}\nWhen w\nThen t"),
        example("spec:o.a", "refines: spec:o", "Given {n: 7}\nWhen w\nThen t"),
    ]);
    with_entries(&mut graph, "spec:o.a", |whole| {
        let part = crate::model::Steps { when: Vec::new(), given: vec!["{n: 1}".to_owned()], ..whole.clone() };
        let later = crate::model::Steps { given: vec!["{n: 9}".to_owned()], ..whole.clone() };
        vec![part, whole, later]
    });
    let space = decoded(&graph, "spec:o");
    assert_eq!(space.examples[0].point[0].value, Value::Number(7.0));
    assert!(space.examples[0].bindable);
    assert_eq!(
        said(&graph),
        [
            "contracts/multi-entry-example spec:o.a: example carries 3 structured entries — the step contract and the bound point derive from the first complete entry only; a sibling case is a sibling example (one point per example, MD-17)"
        ]
    );
    with_entries(&mut graph, "spec:o.a", |first| {
        vec![
            crate::model::Steps { when: Vec::new(), given: vec!["{n: 1}".to_owned()], ..first.clone() },
            crate::model::Steps::default(),
        ]
    });
    let space = decoded(&graph, "spec:o");
    assert_eq!(space.examples[0].point[0].value, Value::Number(1.0), "else the first structured one");
    assert!(!space.examples[0].bindable && space.examples[0].matched);
}

/// Gives an example other structured entries, made from its first one: no carrier holds more than one.
fn with_entries(graph: &mut Graph, id: &str, entries: impl FnOnce(crate::model::Steps) -> Vec<crate::model::Steps>) {
    use crate::model::Example;
    for node in &mut graph.nodes {
        let Node::Spec(spec) = node else { continue };
        if spec.id == id {
            let examples = std::sync::Arc::make_mut(spec)
                .sections
                .as_mut()
                .unwrap()
                .behavior
                .as_mut()
                .unwrap()
                .examples
                .as_mut()
                .unwrap();
            let Example::Structured(first) = examples[0].clone() else { panic!() };
            *examples = entries(first).into_iter().map(Example::Structured).collect();
            return;
        }
    }
}
