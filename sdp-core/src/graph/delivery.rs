//! Delivery facts: what a Spec's resolving bindings earn. One computation, shared by derivation, checks and reader; no
//! author can state a fact (newest sheet part 10).

use serde::Serialize;

use super::index::Index;
use super::schema::{Claim, Edge, Graph, Node, NodeType};
use crate::model::{EdgeType, SpecKind};

/// A fact about delivery, in ladder order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum DeliveryFact {
    /// Code realizes the Spec.
    #[serde(rename = "implemented")]
    Implemented,
    /// A test, or an enabled example, verifies it.
    #[serde(rename = "has-verifier")]
    HasVerifier,
}

impl DeliveryFact {
    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            DeliveryFact::Implemented => "implemented",
            DeliveryFact::HasVerifier => "has-verifier",
        }
    }
}

/// The names that no author may state.
pub(crate) const FACT_NAMES: [&str; 3] = ["implemented", "has-verifier", "observed"];

/// The facts that a Spec earns: direct, never through a relation.
#[must_use]
pub fn delivery_facts(graph: &Graph, index: &Index, id: &str) -> Vec<DeliveryFact> {
    let mut facts = Vec::new();
    if index.edges_to(graph, id).any(|edge| realizes(graph, index, edge)) {
        facts.push(DeliveryFact::Implemented);
    }
    if index.edges_to(graph, id).any(|edge| counts_as_verifier(graph, index, edge)) {
        facts.push(DeliveryFact::HasVerifier);
    }
    facts
}

fn realizes(graph: &Graph, index: &Index, edge: &Edge) -> bool {
    edge.edge_type == EdgeType::Satisfies
        && edge.claim == Claim::Anchored
        && index.node(graph, &edge.from).is_some_and(|node| node.node_type() == NodeType::CodeNode)
}

/// Whether a `verifies` edge counts: an anchored one from a test, or a declared one from an enabled example.
pub(crate) fn counts_as_verifier(graph: &Graph, index: &Index, edge: &Edge) -> bool {
    if edge.edge_type != EdgeType::Verifies {
        return false;
    }
    match (edge.claim, index.node(graph, &edge.from)) {
        (Claim::Anchored, Some(Node::Anchor(_))) => true,
        (Claim::Declared, Some(Node::Spec(spec))) => {
            spec.spec_kind == SpecKind::Example && index.edges_to(graph, &spec.id).any(|edge| tests(graph, index, edge))
        }
        _ => false,
    }
}

fn tests(graph: &Graph, index: &Index, edge: &Edge) -> bool {
    edge.edge_type == EdgeType::Verifies
        && edge.claim == Claim::Anchored
        && index.node(graph, &edge.from).is_some_and(|node| node.node_type() == NodeType::Anchor)
}
