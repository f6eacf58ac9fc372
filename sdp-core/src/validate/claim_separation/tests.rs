use super::*;
use crate::graph::{DeliveryFact, delivery_facts};
use crate::testing::{bind, graph, join, said, spec, unit};

/// A node of each type, a Spec of each kind that a row names, and a bound example.
fn nodes() -> Graph {
    let pack = "---\nid: pack:p\nspecs: []\n---\n# P\n".to_owned();
    let mut graph = graph(&[
        spec("spec:rule rule idea", "", ""),
        spec("spec:constraint constraint idea", "", ""),
        spec("spec:decision decision idea", "", ""),
        spec("spec:other decision idea", "", ""),
        spec("spec:example example idea", "", ""),
        pack,
    ]);
    bind(&mut graph, "test:example", "spec:example");
    for id in ["test:t", "impl:a", "component:c"] {
        unit(&mut graph, id);
    }
    graph
}

fn with(from: &str, edge_type: EdgeType, to: &str, claim: Claim) -> Graph {
    let mut graph = nodes();
    join(&mut graph, from, edge_type, to, claim);
    graph
}

/// What is said of one edge, without the common opening.
fn said_of(from: &str, edge_type: EdgeType, to: &str, claim: Claim) -> Vec<String> {
    let graph = with(from, edge_type, to, claim);
    let file = Index::new(&graph).node(&graph, from).map_or("-", Node::file).to_owned();
    let opening = format!("error {file} {from} - -: Edge \"{from}\" → ({edge_type}) → \"{to}\" ");
    let rows = said(&graph, FindingId::ClaimSeparation);
    rows.into_iter().map(|row| row.strip_prefix(&opening).unwrap_or(&row).to_owned()).collect()
}

#[test]
fn a_node_stands_on_the_word_of_its_type() {
    let mut graph = nodes();
    assert_eq!(said(&graph, FindingId::ClaimSeparation), Vec::<String>::new());
    for node in &mut graph.nodes {
        match node {
            Node::Spec(spec) if spec.id == "spec:rule" => std::sync::Arc::make_mut(spec).claim = Claim::Anchored,
            Node::Pack(pack) => pack.claim = Claim::Anchored,
            Node::Anchor(anchor) if anchor.id == "test:t" => anchor.claim = Claim::Declared,
            Node::Code(code) if code.id == "impl:a" => code.claim = Claim::Declared,
            _ => {}
        }
    }
    assert_eq!(
        said(&graph, FindingId::ClaimSeparation),
        [
            "error 000.sdp.md spec:rule - -: Node \"spec:rule\" (Primitive) carries claim \"anchored\" — Primitive nodes carry \"declared\", and the claim taxonomy is never collapsed.",
            "error 005.sdp.md pack:p - -: Node \"pack:p\" (Pack) carries claim \"anchored\" — Pack nodes carry \"declared\", and the claim taxonomy is never collapsed.",
            "error src/lib.rs impl:a - -: Node \"impl:a\" (CodeNode) carries claim \"declared\" — CodeNode nodes carry \"anchored\", and the claim taxonomy is never collapsed.",
            "error src/lib.rs test:t - -: Node \"test:t\" (Anchor) carries claim \"declared\" — Anchor nodes carry \"anchored\", and the claim taxonomy is never collapsed.",
        ]
    );
}

#[test]
fn a_node_that_says_to_be_of_another_type_is_reported_once() {
    let mut graph = nodes();
    for node in &mut graph.nodes {
        match node {
            Node::Pack(pack) => pack.node_type = NodeType::Primitive,
            Node::Code(code) if code.id == "impl:a" => {
                (code.node_type, code.claim) = (NodeType::Pack, Claim::Declared);
            }
            _ => {}
        }
    }
    assert_eq!(
        said(&graph, FindingId::ClaimSeparation),
        [
            "error 005.sdp.md pack:p - -: Node \"pack:p\" carries unknown typing (nodeType \"Primitive\", claim \"declared\").",
            "error src/lib.rs impl:a - -: Node \"impl:a\" carries unknown typing (nodeType \"Pack\", claim \"declared\").",
        ]
    );
}

#[test]
fn an_edge_stands_on_the_word_of_its_type() {
    use Claim::{Anchored, Declared};
    for edge_type in EdgeType::ALL {
        let (from, to) = match edge_type {
            EdgeType::Verifies => continue,
            EdgeType::BelongsTo => ("spec:rule", "pack:p"),
            EdgeType::Satisfies | EdgeType::References => ("impl:a", "spec:rule"),
            EdgeType::Models => ("test:t", "spec:rule"),
            EdgeType::MemberOf | EdgeType::Uses => ("impl:a", "component:c"),
            EdgeType::ConstrainedBy => ("spec:decision", "spec:constraint"),
            _ => ("spec:decision", "spec:other"),
        };
        let (right, wrong) = match edge_type.is_authored() || *edge_type == EdgeType::BelongsTo {
            true => (Declared, Anchored),
            false => (Anchored, Declared),
        };
        assert_eq!(said_of(from, *edge_type, to, right), Vec::<String>::new(), "{edge_type}");
        let (right, stated) = (right.as_str(), wrong.as_str());
        assert_eq!(
            said_of(from, *edge_type, to, wrong),
            [format!(
                "carries claim \"{stated}\" — a {edge_type} edge carries \"{right}\", and the claim taxonomy is never collapsed."
            )]
        );
    }
}

#[test]
fn a_spec_declares_that_it_verifies_and_a_binding_anchors_it() {
    use Claim::{Anchored, Declared};
    for (from, right, wrong) in [("spec:example", Declared, Anchored), ("test:t", Anchored, Declared)] {
        assert_eq!(said_of(from, EdgeType::Verifies, "spec:rule", right), Vec::<String>::new());
        assert_eq!(
            said_of(from, EdgeType::Verifies, "spec:rule", wrong),
            [format!(
                "carries claim \"{}\" — a verifies edge is declared (from an example) or anchored (from a test anchor), and the claim taxonomy is never collapsed.",
                wrong.as_str()
            )]
        );
    }
}

#[test]
fn an_edge_joins_the_nodes_that_its_contract_names() {
    use Claim::{Anchored, Declared};
    let source = |node: &str, allowed: &str| {
        vec![format!("originates from a {node} node — the edge contract allows {allowed}.")]
    };
    let target =
        |node: &str, required: &str| vec![format!("targets a {node} node — the edge contract requires {required}.")];
    let cases = [
        ("pack:p", EdgeType::Refines, "spec:rule", Declared, source("Pack", "Primitive")),
        ("spec:rule", EdgeType::DependsOn, "impl:a", Declared, target("CodeNode", "Primitive")),
        ("impl:a", EdgeType::Verifies, "spec:rule", Anchored, source("CodeNode", "Primitive or Anchor")),
        ("test:t", EdgeType::Verifies, "pack:p", Anchored, target("Pack", "Primitive")),
        ("test:t", EdgeType::BelongsTo, "pack:p", Declared, source("Anchor", "Primitive")),
        ("spec:rule", EdgeType::BelongsTo, "spec:other", Declared, target("Primitive", "Pack")),
        ("spec:rule", EdgeType::Satisfies, "spec:other", Anchored, source("Primitive", "CodeNode")),
        ("impl:a", EdgeType::References, "component:c", Anchored, target("CodeNode", "Primitive")),
        ("impl:a", EdgeType::Models, "spec:rule", Anchored, source("CodeNode", "Anchor")),
        ("impl:a", EdgeType::MemberOf, "test:t", Anchored, target("Anchor", "CodeNode")),
        ("test:t", EdgeType::Uses, "component:c", Anchored, source("Anchor", "CodeNode")),
    ];
    for (from, edge_type, to, claim, expected) in cases {
        assert_eq!(said_of(from, edge_type, to, claim), expected, "{from} {edge_type} {to}");
    }
    let both = said_of("pack:p", EdgeType::MemberOf, "pack:p", Declared);
    assert_eq!(both.len(), 3, "{both:?}");
}

#[test]
#[sdp::verifies("spec:sdp.checks.relations")]
fn typed_relations_join_the_kinds_that_they_name() {
    let of = |from: &str, edge_type: EdgeType, to: &str| said_of(from, edge_type, to, Claim::Declared);
    assert_eq!(of("spec:example", EdgeType::ConstrainedBy, "spec:rule"), Vec::<String>::new());
    assert_eq!(
        of("spec:example", EdgeType::ConstrainedBy, "spec:decision"),
        [
            "targets a decision-kind spec — constrainedBy bounds a spec by a rule- or constraint-kind spec (a typed dependency, `spec:model.relations`)."
        ]
    );
    assert_eq!(
        of("spec:example", EdgeType::DecidedBy, "spec:rule"),
        ["targets a rule-kind spec — decidedBy points at a decision-kind spec (a Decision Record)."]
    );
    assert_eq!(
        of("spec:example", EdgeType::Supersedes, "spec:rule"),
        [
            "originates from a example-kind spec — supersedes is permitted only on decision specs (`spec:model.relations`).",
            "targets a rule-kind spec — supersedes is a current forward-pointer between two decision-kind specs (Decision Records).",
        ]
    );
}

#[test]
fn an_end_that_does_not_resolve_is_not_judged() {
    assert_eq!(said_of("spec:gone", EdgeType::Supersedes, "spec:decision", Claim::Declared), Vec::<String>::new());
    assert_eq!(said_of("spec:decision", EdgeType::Supersedes, "spec:gone", Claim::Declared), Vec::<String>::new());
    assert_eq!(said_of("gone:x", EdgeType::Satisfies, "spec:gone", Claim::Declared).len(), 1, "its claim is");
}

#[test]
#[sdp::verifies("spec:sdp.checks.relations")]
fn an_edge_that_is_refused_confers_no_fact() {
    let ids: Vec<String> = nodes().nodes.iter().map(|node| node.id().to_owned()).collect();
    let mut conferred = Vec::new();
    for from in &ids {
        for to in ids.iter().filter(|id| *id != "spec:example") {
            for edge_type in EdgeType::ALL {
                for claim in [Claim::Declared, Claim::Anchored] {
                    let graph = with(from, *edge_type, to, claim);
                    let facts = delivery_facts(&graph, &Index::new(&graph), to);
                    let refused = !said(&graph, FindingId::ClaimSeparation).is_empty();
                    assert!(!refused || facts.is_empty(), "{from} {edge_type} {to} {}", claim.as_str());
                    if to == "spec:rule" {
                        conferred.extend(facts.into_iter().map(|fact| (from.clone(), *edge_type, fact)));
                    }
                }
            }
        }
    }
    let expected = [
        ("component:c", EdgeType::Satisfies, DeliveryFact::Implemented),
        ("impl:a", EdgeType::Satisfies, DeliveryFact::Implemented),
        ("spec:example", EdgeType::Verifies, DeliveryFact::HasVerifier),
        ("test:example", EdgeType::Verifies, DeliveryFact::HasVerifier),
        ("test:t", EdgeType::Verifies, DeliveryFact::HasVerifier),
    ];
    let expected: Vec<_> = expected.into_iter().map(|(from, edge, fact)| (from.to_owned(), edge, fact)).collect();
    assert_eq!(conferred, expected);
}
