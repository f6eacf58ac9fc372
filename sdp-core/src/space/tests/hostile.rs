use proptest::prelude::*;

use super::*;
use crate::finding::FindingId;
use crate::graph::{Claim, Edge, NodeType, SCHEMA_VERSION};
use crate::model::{Altitude, Behavior, Example, Readiness, Sections, SpecKind, Steps};

/// A Spec made by hand: the text of a step may be anything.
fn node(id: &str, kind: SpecKind, behavior: Behavior) -> Node {
    Node::Spec(std::sync::Arc::new(SpecNode {
        id: id.to_owned(),
        node_type: NodeType::Primitive,
        claim: Claim::Declared,
        spec_kind: kind,
        altitude: Altitude::Story,
        readiness: Readiness::Idea,
        title: None,
        narrative: None,
        file: format!("{id}.sdp.md"),
        sections: Some(Sections { behavior: Some(behavior), ..Sections::default() }),
        delivery_facts: Vec::new(),
    }))
}

/// One space `spec:p` and examples of it.
fn family(vocabulary: Steps, examples: Vec<Vec<Steps>>) -> Graph {
    let mut nodes =
        vec![node("spec:p", SpecKind::Behavior, Behavior { example_space: Some(vocabulary), ..Behavior::default() })];
    let mut edges = Vec::new();
    for (at, entries) in examples.into_iter().enumerate() {
        let id = format!("spec:p.x{at}");
        let examples = Some(entries.into_iter().map(Example::Structured).collect());
        nodes.push(node(&id, SpecKind::Example, Behavior { examples, ..Behavior::default() }));
        edges.push(Edge { from: id, edge_type: EdgeType::Refines, to: "spec:p".to_owned(), claim: Claim::Declared });
    }
    Graph { schema_version: SCHEMA_VERSION, nodes, edges, locations: Vec::new() }
}

fn given(steps: Vec<String>) -> Steps {
    Steps { given: steps, when: vec!["w".to_owned()], then: vec!["t".to_owned()] }
}

fn slots(count: usize, slot: impl Fn(usize) -> String) -> String {
    (0..count).map(slot).collect()
}

#[test]
fn thousands_of_slots_and_literals_give_an_answer_of_their_own_size() {
    let literals: Vec<String> = (0..20_000).map(|at| format!("\"{at}\"")).collect();
    let wide = format!("{{a:{}}}", literals.join("|"));
    let many = slots(20_000, |at| format!("{{s{at}:boolean}}"));
    let child = slots(20_000, |at| format!("{{s{at}: true}}"));
    let examples =
        vec![vec![given(vec![child])], vec![given(vec!["{a: \"7\"}".to_owned()])], vec![given(vec!["x".to_owned()])]];
    let graph = family(given(vec![wide, many]), examples);
    let space = decode(&graph, &Index::new(&graph), "spec:p", true).unwrap();
    assert_eq!(space.dimensions.len(), 20_001);
    assert_eq!(space.dimensions[0].untaken.as_ref().unwrap().len(), 19_999);
    assert_eq!((space.examples[2].missing.len(), space.examples[2].missing_left_out), (100, 19_901));
    let pairs = space.untaken_pairs.as_ref().unwrap();
    assert_eq!((pairs.len(), space.paired_dimensions_left_out), (1_000, 20_001 - 64));
    // 64 closed dimensions: one of 20 000 values and 63 of two, of which one example takes one pair each.
    let (wide, narrow) = (63 * 20_000 * 2, 63 * 62 / 2 * 3);
    assert_eq!(space.untaken_pairs_left_out, wide + narrow - 1_000);
    assert!(serde_json::to_string(&space).unwrap().len() < 8 * 1024 * 1024);
}

#[test]
fn long_names_are_listed_within_a_bound() {
    let name = "n".repeat(200_000);
    let vocabulary = given(vec![format!("{{{name}:boolean}}"), slots(60, |at| format!("{{s{at}:boolean}}"))]);
    let examples = vec![vec![given(vec!["x".to_owned()])]; 50];
    let graph = family(vocabulary, examples);
    let space = decode(&graph, &Index::new(&graph), "spec:p", true).unwrap();
    assert_eq!((space.examples[0].missing.len(), space.examples[0].missing_left_out), (0, 61));
    assert_eq!(space.untaken_pairs.as_ref().unwrap().len(), 5);
    assert_eq!(space.untaken_pairs_left_out, 61 * 60 / 2 * 4 - 5);
    assert!(serde_json::to_string(&space).unwrap().len() < 3 * 1024 * 1024);
}

#[test]
fn a_mistake_repeated_without_end_is_said_a_bounded_number_of_times() {
    let graph = family(given(vec![slots(30_000, |at| format!("{{s{at}}}"))]), Vec::new());
    let found = findings(&graph, &Index::new(&graph));
    assert_eq!(counted(&found), [("contracts/untyped-vocabulary-slot", 100), ("sdp/findings-left-out", 1)]);
    assert!(found.iter().all(|finding| finding.message.chars().count() < 1_400), "{}", found[0].message);
    assert!(found[0].message.contains("{s0}{s1}") && found[0].message.contains("…\" carries slot"));
    let left_out = &found[100];
    assert_eq!(
        left_out.message,
        "Spec \"spec:p\" has more than 100 findings of \"contracts/untyped-vocabulary-slot\", of which 100 are said."
    );
    assert_eq!(left_out.related.as_deref(), Some("contracts/untyped-vocabulary-slot"));
    assert_eq!((left_out.subject.as_deref(), left_out.file.as_deref()), (Some("spec:p"), found[0].file.as_deref()));
    assert!(!left_out.is_error());
}

#[test]
fn as_many_findings_as_fit_leave_none_out() {
    let untyped = |count| family(given(vec![slots(count, |at| format!("{{s{at}}}"))]), Vec::new());
    for (count, left_out) in [(100, 0), (101, 1)] {
        let graph = untyped(count);
        let found = findings(&graph, &Index::new(&graph));
        let said = found.iter().filter(|finding| finding.id == FindingId::FindingsLeftOut).count();
        assert_eq!((found.len(), said), (100 + left_out, left_out), "{count}");
    }
}

#[test]
fn one_kind_of_finding_takes_no_room_from_another() {
    let child = slots(30_000, |at| format!("{{x{at}: 1}}"));
    let graph = family(given(vec!["g".to_owned()]), vec![vec![given(vec![child, "unknown".to_owned()])]]);
    let index = Index::new(&graph);
    let expected =
        [("contracts/undeclared-slot", 100), ("contracts/unmatched-vocabulary-step", 2), ("sdp/findings-left-out", 1)];
    let found = findings(&graph, &index);
    assert_eq!(counted(&found), expected);
    assert_eq!(found[102].related.as_deref(), Some("contracts/undeclared-slot"));
    assert_eq!(counted(&decode(&graph, &index, "spec:p", false).unwrap().findings), expected);
}

/// How many findings there are of each id.
fn counted(findings: &[Finding]) -> Vec<(&'static str, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.id.as_str()).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

#[test]
fn many_examples_of_a_large_space_are_no_product() {
    let vocabulary = given((0..10_000).map(|at| format!("step {at} {{s{at}:number}}")).collect());
    let examples = (0..2_000).map(|at| vec![given(vec![format!("step {at} {{s{at}: 1}}")])]).collect();
    let graph = family(vocabulary, examples);
    let index = Index::new(&graph);
    assert_eq!(findings(&graph, &index), []);
    let space = decode(&graph, &index, "spec:p", true).unwrap();
    assert!(space.examples.iter().all(|example| example.bindable && example.missing.len() == 100));
    assert_eq!(space.dimensions.iter().filter(|dimension| dimension.taken.len() == 1).count(), 2_000);
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{a:number}".to_owned()),
        Just("{a: 1}".to_owned()),
        Just("{a: \"x\"}".to_owned()),
        Just("{b:\"x\"|\"y\"}".to_owned()),
        Just("{b: \"x\"}".to_owned()),
        Just("{c:boolean}".to_owned()),
        Just("{c: true}".to_owned()),
        Just("{d:string}".to_owned()),
        Just("{d: \"\"}".to_owned()),
        Just("{d}".to_owned()),
        Just("{__proto__: 1}".to_owned()),
        Just("{".to_owned()),
        Just("\"".to_owned()),
        Just("}".to_owned()),
        ".{0,6}",
    ];
    proptest::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

fn steps() -> impl Strategy<Value = Steps> {
    let lines = || proptest::collection::vec(text(), 0..4);
    (lines(), lines(), lines()).prop_map(|(given, when, then)| Steps { given, when, then })
}

proptest! {
    #[test]
    fn a_point_holds_only_declared_dimensions_with_values_of_their_type(
        vocabulary in steps(),
        examples in proptest::collection::vec(proptest::collection::vec(steps(), 0..3), 0..4),
    ) {
        let graph = family(vocabulary, examples);
        let index = Index::new(&graph);
        let space = decode(&graph, &index, "spec:p", true).unwrap();
        prop_assert!(serde_json::to_string(&space).is_ok());
        for example in &space.examples {
            let mut places = Vec::new();
            for Setting { dimension, value } in &example.point {
                let place = space.dimensions.iter().position(|each| each.name == *dimension).unwrap();
                places.push(place);
                let declared = &space.dimensions[place];
                match (declared.kind, value) {
                    (DimensionKind::Number, Value::Number(number)) => prop_assert!(number.is_finite()),
                    (DimensionKind::String, Value::Text(_)) => {}
                    (DimensionKind::Boolean | DimensionKind::Enum, value) => {
                        prop_assert!(declared.values.as_ref().unwrap().contains(value));
                        prop_assert!(!declared.untaken.as_ref().unwrap().contains(value));
                    }
                    (kind, value) => prop_assert!(false, "{kind:?} {value:?}"),
                }
                prop_assert!(declared.taken.iter().any(|taken| taken.value == *value));
            }
            prop_assert!(places.is_sorted_by(|left, right| left < right), "in order, each once");
            prop_assert_eq!(example.point.len() + example.missing.len(), space.dimensions.len());
            let node = index.spec(&graph, &example.id).unwrap();
            prop_assert_eq!(example.bindable, is_bindable(&graph, &index, node));
        }
        prop_assert_eq!(&space.findings, &findings(&graph, &index), "all that is said is said of this family");
    }
}
