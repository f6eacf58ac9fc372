//! Every end of an edge and every `modelRefs` entry is a node.

use super::meant::meant;
use crate::finding::{Finding, FindingId};
use crate::graph::{Edge, Graph, Index, Node};
use crate::model::EdgeType;

#[sdp::satisfies("spec:sdp.checks", component = "component:sdp.checks")]
pub(super) fn check(graph: &Graph, index: &Index, findings: &mut Vec<Finding>) {
    // The missing id of each finding beside it: what it may have meant is looked up together, behind the walk.
    let mut dangling: Vec<(&str, Finding)> = Vec::new();
    for edge in &graph.edges {
        if index.position(&edge.from).is_none() {
            dangling.push((&edge.from, absent_source(edge)));
        }
        if index.position(&edge.to).is_none() {
            dangling.push((&edge.to, absent_target(edge, index.node(graph, &edge.from))));
        }
    }
    for node in &graph.nodes {
        let Node::Pack(pack) = node else { continue };
        for (position, target) in pack.model_refs.iter().flatten().enumerate() {
            if index.position(target).is_none() {
                let place = format!("modelRefs[{position}]");
                let message = format!("Pack \"{}\" {place} points to missing target \"{target}\".", pack.id);
                let finding = Finding::error(FindingId::ReferentialIntegrity, message)
                    .about(&pack.id)
                    .naming(target)
                    .in_field(place)
                    .at(&pack.file, None);
                dangling.push((target, finding));
            }
        }
    }
    let known = graph.nodes.iter().map(Node::id);
    let meant = meant(known, dangling.iter().map(|(wanted, _)| *wanted).collect());
    findings.extend(dangling.into_iter().map(|(wanted, mut finding)| {
        if let Some(id) = meant.get(wanted) {
            finding.message.push_str(&format!(" Did you mean \"{id}\"?"));
        }
        finding
    }));
}

fn absent_source(edge: &Edge) -> Finding {
    let Edge { from, edge_type, to, .. } = edge;
    let message = format!("Edge \"{from}\" → ({edge_type}) → \"{to}\" originates from a node absent from the graph.");
    Finding::error(FindingId::ReferentialIntegrity, message).about(from).naming(to).through(*edge_type)
}

fn absent_target(edge: &Edge, source: Option<&Node>) -> Finding {
    let Edge { from, edge_type, to, .. } = edge;
    let message = format!("Reference from \"{from}\" via \"{edge_type}\" points to missing target \"{to}\".");
    let mut finding =
        Finding::error(FindingId::ReferentialIntegrity, message).about(from).naming(to).through(*edge_type);
    if matches!(edge_type, EdgeType::MemberOf | EdgeType::Uses) {
        finding.help = Some("correct the id, or bind the unit of code that it names".to_owned());
    }
    match source {
        Some(source) => finding.at(source.file(), None),
        None => finding,
    }
}
