//! A Spec that no edge touches.

use crate::finding::{Finding, FindingId};
use crate::graph::{Graph, Index, Node};

pub(super) fn check(graph: &Graph, index: &Index, findings: &mut Vec<Finding>) {
    for spec in graph.nodes.iter().filter_map(Node::as_spec) {
        if index.outgoing(&spec.id).is_empty() && index.incoming(&spec.id).is_empty() {
            let message = format!(
                "Spec \"{}\" is an orphan — no relations and nothing pointing at it; it has fallen out of the graph's connective tissue (informative, never a gate).",
                spec.id
            );
            findings.push(Finding::warning(FindingId::Orphans, message).about(&spec.id).at(&spec.file, None));
        }
    }
}
