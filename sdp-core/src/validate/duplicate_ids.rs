//! Each id names one node. Derivation leaves repeated ids out, so only a graph made elsewhere can fail here.

use hashbrown::HashMap;

use crate::finding::{Finding, FindingId};
use crate::graph::{Graph, Index, Node};

pub(super) fn check(graph: &Graph, _index: &Index, findings: &mut Vec<Finding>) {
    let mut counts: HashMap<&str, usize> = HashMap::with_capacity(graph.nodes.len());
    for id in graph.nodes.iter().map(Node::id) {
        *counts.entry(id).or_default() += 1;
    }
    for node in &graph.nodes {
        let Some(count) = counts.get(node.id()).filter(|count| **count > 1) else { continue };
        let message = format!(
            "Id \"{}\" is carried by {count} nodes (ambiguity is loud, L2) — the graph cannot be keyed on it.",
            node.id()
        );
        findings.push(Finding::error(FindingId::DuplicateIds, message).about(node.id()).at(node.file(), None));
    }
}
