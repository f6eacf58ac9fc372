//! Every end of an edge and every `modelRefs` entry is a node.

use crate::finding::{Finding, FindingId};
use crate::graph::{Graph, Index, Node};
use crate::suggest::unique_nearest;

pub(super) fn check(graph: &Graph, index: &Index, findings: &mut Vec<Finding>) {
    for edge in &graph.edges {
        let source = index.node(graph, &edge.from);
        let (from, kind, to) = (edge.from.as_str(), edge.edge_type, edge.to.as_str());
        if source.is_none() {
            let message = format!("Edge \"{from}\" → ({kind}) → \"{to}\" originates from a node absent from the graph.");
            findings.push(missing(graph, message, from).about(from).naming(to));
        }
        if index.position(to).is_none() {
            let message = format!("Reference from \"{from}\" via \"{kind}\" points to missing target \"{to}\".");
            let mut finding = missing(graph, message, to).about(from).naming(to);
            if let Some(source) = source {
                finding = finding.at(source.file(), None);
            }
            findings.push(finding);
        }
    }
    for node in &graph.nodes {
        let Node::Pack(pack) = node else { continue };
        for (position, target) in pack.model_refs.iter().flatten().enumerate() {
            if index.position(target).is_none() {
                let message =
                    format!("Pack \"{}\" modelRefs[{position}] points to missing target \"{target}\".", pack.id);
                findings.push(
                    missing(graph, message, target)
                        .about(&pack.id)
                        .naming(target)
                        .in_field(format!("modelRefs[{position}]"))
                        .at(&pack.file, None),
                );
            }
        }
    }
}

fn missing(graph: &Graph, message: String, wanted: &str) -> Finding {
    let suggestion = unique_nearest(wanted, graph.nodes.iter().map(Node::id), 2);
    let message = match suggestion {
        Some(id) => format!("{message} Did you mean \"{id}\"?"),
        None => message,
    };
    Finding::error(FindingId::ReferentialIntegrity, message)
}
