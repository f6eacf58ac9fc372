//! Delivery facts: what a Spec's resolving bindings earn. One computation, shared by derivation, checks and reader; no
//! author can state a fact (newest sheet part 10). An edge that `conformance/claim-separation` refuses confers nothing: its
//! claim, its source and its target are looked at here too.

use serde::Serialize;

use super::index::Index;
use super::schema::{AnchorNode, Claim, Edge, Graph, Node, SpecNode};
use crate::model::{EdgeType, SpecKind, parse_id};

/// A fact about delivery, in ladder order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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

/// The facts that a Spec earns: direct, never through a relation. None for an id that is no Spec.
#[must_use]
pub fn delivery_facts(graph: &Graph, index: &Index, id: &str) -> Vec<DeliveryFact> {
    let mut facts = Vec::new();
    if index.spec(graph, id).is_none() {
        return facts;
    }
    if is_implemented(graph, index, id) {
        facts.push(DeliveryFact::Implemented);
    }
    if index.edges_to(graph, id).any(|edge| counts_as_verifier(graph, index, edge)) {
        facts.push(DeliveryFact::HasVerifier);
    }
    facts
}

/// Whether code realizes a Spec.
pub(crate) fn is_implemented(graph: &Graph, index: &Index, id: &str) -> bool {
    index.edges_to(graph, id).any(|edge| realizes(graph, index, edge))
}

fn realizes(graph: &Graph, index: &Index, edge: &Edge) -> bool {
    edge.edge_type == EdgeType::Satisfies
        && edge.claim == Claim::Anchored
        && matches!(index.node(graph, &edge.from), Some(Node::Code(_)))
}

/// Whether a `verifies` edge that reaches a Spec counts: an anchored one from a test, or a declared one from an enabled
/// example.
pub(crate) fn counts_as_verifier(graph: &Graph, index: &Index, edge: &Edge) -> bool {
    is_test_binding(graph, index, edge)
        || (edge.declares(EdgeType::Verifies)
            && index.spec(graph, &edge.from).is_some_and(|spec| is_enabled_example(index, spec)))
}

/// Whether a Spec is an example that a test binding reaches.
pub(crate) fn is_enabled_example(index: &Index, spec: &SpecNode) -> bool {
    spec.spec_kind == SpecKind::Example && index.is_tested(&spec.id)
}

/// Whether an edge is an anchored `verifies` from an anchor in the graph.
pub(super) fn is_test_binding(graph: &Graph, index: &Index, edge: &Edge) -> bool {
    edge.edge_type == EdgeType::Verifies
        && edge.claim == Claim::Anchored
        && matches!(index.node(graph, &edge.from), Some(Node::Anchor(_)))
}

/// The ends of an anchored `models` edge that leads from an anchor to a Spec.
pub(crate) fn oracle_binding<'g>(
    graph: &'g Graph,
    index: &Index,
    edge: &Edge,
) -> Option<(&'g AnchorNode, &'g SpecNode)> {
    if edge.edge_type != EdgeType::Models || edge.claim != Claim::Anchored {
        return None;
    }
    match index.node(graph, &edge.from)? {
        Node::Anchor(anchor) => Some((anchor, index.spec(graph, &edge.to)?)),
        _ => None,
    }
}

/// Whether the ends of an [`oracle_binding`] make it count: an `oracle:` anchor, and a Spec that owns an example space.
pub(crate) fn counts_as_oracle(anchor: &AnchorNode, spec: &SpecNode) -> bool {
    let behavior = spec.sections.as_ref().and_then(|sections| sections.behavior.as_ref());
    is_oracle(&anchor.id) && behavior.is_some_and(|behavior| behavior.example_space.is_some())
}

/// Whether an id is well-formed and an oracle's.
pub(crate) fn is_oracle(id: &str) -> bool {
    parse_id(id).is_ok_and(|id| id.namespace == "oracle")
}
