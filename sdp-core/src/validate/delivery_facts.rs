//! The delivery facts that a Spec states are those that its bindings earn. Derivation states no other, so only a graph made
//! elsewhere can fail here; a fact with an unknown name, or `observed`, no such graph can hold.

use crate::finding::{Finding, FindingId};
use crate::graph::{Claim, DeliveryFact, Graph, Index, Node, SpecNode, delivery_facts};

#[sdp::satisfies("spec:sdp.checks.relations", component = "component:sdp.checks")]
pub(super) fn check(graph: &Graph, index: &Index, findings: &mut Vec<Finding>) {
    // Without a binding nothing is earned, and nothing has to be looked up.
    let is_bound = graph.edges.iter().any(|edge| edge.claim == Claim::Anchored);
    for spec in graph.nodes.iter().filter_map(Node::as_spec) {
        let earned = if is_bound { delivery_facts(graph, index, &spec.id) } else { Vec::new() };
        if spec.delivery_facts == earned {
            continue;
        }
        for fact in [DeliveryFact::Implemented, DeliveryFact::HasVerifier] {
            let name = fact.as_str();
            let message = match (spec.delivery_facts.contains(&fact), earned.contains(&fact)) {
                (true, false) => format!(
                    "Spec \"{}\" states the delivery fact \"{name}\" the graph does not earn — no resolving binding edge derives it; delivery facts are derived, never authored.",
                    spec.id
                ),
                (false, true) => format!(
                    "Spec \"{}\" omits the delivery fact \"{name}\" its resolving bindings derive — stated facts must equal the one derivation rule's output.",
                    spec.id
                ),
                _ => continue,
            };
            findings.push(finding(spec, fact, message));
        }
    }
}

fn finding(spec: &SpecNode, fact: DeliveryFact, message: String) -> Finding {
    Finding::error(FindingId::DeliveryFacts, message)
        .about(&spec.id)
        .naming(fact.as_str())
        .in_field("deliveryFacts")
        .at(&spec.file, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bind, graph, said, spec};

    fn two_specs() -> Graph {
        graph(&[spec("spec:a rule idea", "refines: spec:b", ""), spec("spec:b rule idea", "refines: spec:a", "")])
    }

    fn state(graph: &mut Graph, facts: &[DeliveryFact]) {
        let Node::Spec(spec) = graph.nodes.iter_mut().find(|node| node.id() == "spec:a").unwrap() else { panic!() };
        std::sync::Arc::make_mut(spec).delivery_facts = facts.to_vec();
    }

    #[test]
    #[sdp::verifies("spec:sdp.checks.relations")]
    fn a_stated_fact_that_nothing_earns_is_an_error() {
        let mut graph = two_specs();
        state(&mut graph, &[DeliveryFact::Implemented, DeliveryFact::HasVerifier]);
        assert_eq!(
            said(&graph, FindingId::DeliveryFacts),
            [
                "error 000.sdp.md spec:a has-verifier deliveryFacts: Spec \"spec:a\" states the delivery fact \"has-verifier\" the graph does not earn — no resolving binding edge derives it; delivery facts are derived, never authored.",
                "error 000.sdp.md spec:a implemented deliveryFacts: Spec \"spec:a\" states the delivery fact \"implemented\" the graph does not earn — no resolving binding edge derives it; delivery facts are derived, never authored.",
            ]
        );
    }

    #[test]
    fn an_earned_fact_that_is_left_out_is_an_error() {
        let mut graph = two_specs();
        bind(&mut graph, "impl:a", "spec:a");
        state(&mut graph, &[]);
        assert_eq!(
            said(&graph, FindingId::DeliveryFacts),
            [
                "error 000.sdp.md spec:a implemented deliveryFacts: Spec \"spec:a\" omits the delivery fact \"implemented\" its resolving bindings derive — stated facts must equal the one derivation rule's output."
            ]
        );
    }

    #[test]
    fn facts_that_the_bindings_earn_pass_in_any_order() {
        for stated in [
            [DeliveryFact::Implemented, DeliveryFact::HasVerifier],
            [DeliveryFact::HasVerifier, DeliveryFact::Implemented],
        ] {
            let mut graph = two_specs();
            bind(&mut graph, "impl:a", "spec:a");
            bind(&mut graph, "test:a", "spec:a");
            state(&mut graph, &stated);
            assert_eq!(said(&graph, FindingId::DeliveryFacts), Vec::<String>::new());
        }
    }
}
