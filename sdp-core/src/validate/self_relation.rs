//! A Spec whose relation leads to itself. The relation is an edge, so the Spec is no orphan, and yet nothing ties it to
//! another one: a warning of our own, since the Protocol has no rule for it.

use hashbrown::HashSet;

use crate::finding::{Finding, FindingId};
use crate::graph::{Claim, Graph, Index};

#[sdp::satisfies("spec:sdp.checks.relations", component = "component:sdp.checks")]
pub(super) fn check(graph: &Graph, index: &Index, findings: &mut Vec<Finding>) {
    let mut seen = HashSet::new();
    for edge in &graph.edges {
        let is_relation = edge.edge_type.is_authored() && edge.claim == Claim::Declared;
        if !is_relation || edge.from != edge.to || !seen.insert((edge.from.as_str(), edge.edge_type)) {
            continue;
        }
        let Some(spec) = index.spec(graph, &edge.from) else { continue };
        let message = format!(
            "Spec \"{}\" declares {} → itself; the relation says nothing and ties it to no other Spec.",
            spec.id,
            edge.edge_type.as_str()
        );
        let finding = Finding::warning(FindingId::SelfRelation, message).about(&spec.id).naming(&spec.id);
        findings.push(finding.at(&spec.file, None));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::EdgeType;
    use crate::testing::{graph, join, said, spec};

    #[test]
    #[sdp::verifies("spec:sdp.checks.relations")]
    fn each_relation_to_itself_is_said_once() {
        for relation in ["refines", "dependsOn", "constrainedBy", "decidedBy", "verifies", "supersedes"] {
            let mut graph = graph(&[spec("spec:a rule idea", &format!("{relation}: spec:a"), "")]);
            graph.edges.extend(graph.edges.clone());
            assert_eq!(
                said(&graph, FindingId::SelfRelation),
                [format!(
                    "warning 000.sdp.md spec:a spec:a -: Spec \"spec:a\" declares {relation} → itself; the relation says nothing and ties it to no other Spec."
                )]
            );
        }
    }

    #[test]
    fn relations_to_others_and_edges_that_nobody_declared_are_left_alone() {
        let mut graph =
            graph(&[spec("spec:a rule idea", "refines: spec:b", ""), spec("spec:b rule idea", "refines: spec:a", "")]);
        join(&mut graph, "spec:a", EdgeType::Refines, "spec:a", Claim::Anchored);
        join(&mut graph, "spec:gone", EdgeType::Refines, "spec:gone", Claim::Declared);
        join(&mut graph, "spec:a", EdgeType::BelongsTo, "spec:a", Claim::Declared);
        assert_eq!(said(&graph, FindingId::SelfRelation), Vec::<String>::new());
    }
}
