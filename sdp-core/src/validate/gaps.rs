//! A ready Spec that nothing verifies. Decisions are exempt.

use crate::finding::{Finding, FindingId};
use crate::graph::{DeliveryFact, Graph, Index, Node, delivery_facts};
use crate::model::{Readiness, SpecKind};

pub(super) fn check(graph: &Graph, index: &Index, findings: &mut Vec<Finding>) {
    for spec in graph.nodes.iter().filter_map(Node::as_spec) {
        if spec.readiness != Readiness::Ready || spec.spec_kind == SpecKind::Decision {
            continue;
        }
        if !delivery_facts(graph, index, &spec.id).contains(&DeliveryFact::HasVerifier) {
            let message = format!(
                "Spec \"{}\" states readiness \"ready\" with no resolving verifier — a gap, informative only (ready never requires delivery facts).",
                spec.id
            );
            findings.push(Finding::warning(FindingId::Gaps, message).about(&spec.id).at(&spec.file, None));
        }
    }
}
