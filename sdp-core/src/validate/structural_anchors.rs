//! What bindings say of the structure of code: `memberOf`, `uses` and `references` edges lead from the ids that may have
//! them to ids that they may reach, none is repeated, and a unit belongs to one component at most. Read from the edges
//! alone, whatever their claim; a cycle of `uses` is data, no finding.

use hashbrown::{HashMap, HashSet};

use crate::finding::{Finding, FindingId};
use crate::graph::{Edge, Graph, Index, Node};
use crate::model::{EdgeType, parse_id};

#[sdp::satisfies("spec:sdp.checks.relations", component = "component:sdp.checks")]
pub(super) fn check(graph: &Graph, index: &Index, findings: &mut Vec<Finding>) {
    let structural: Vec<&Edge> = graph
        .edges
        .iter()
        .filter(|edge| matches!(edge.edge_type, EdgeType::MemberOf | EdgeType::Uses | EdgeType::References))
        .collect();
    if structural.is_empty() {
        return;
    }
    let report = Placed { graph, index };
    for edge in &structural {
        report.ends(edge, findings);
    }
    report.repeats(&structural, findings);
    report.components(&structural, findings);
    report.realized_references(&structural, findings);
}

/// Makes findings that stand in the file of an edge's source.
struct Placed<'g> {
    graph: &'g Graph,
    index: &'g Index,
}

impl Placed<'_> {
    fn ends(&self, edge: &Edge, findings: &mut Vec<Finding>) {
        let Edge { from, edge_type, to, .. } = edge;
        let is_reference = *edge_type == EdgeType::References;
        if from == to && !is_reference {
            let message = format!("Structural {edge_type} self-reference \"{from}\" is not allowed.");
            findings.push(self.at(edge, message).with_help(format!("remove `{to}` from the binding of `{from}`")));
        }
        let (source, target) = (namespace(from), namespace(to));
        let mut refuse = |message: String| findings.push(self.at(edge, message).in_field(field(*edge_type)));
        if *edge_type == EdgeType::MemberOf {
            if !matches!(source, "impl" | "api") {
                refuse(format!(
                    "A memberOf edge must originate from an impl: or api: CodeNode; \"{from}\" uses namespace \"{source}\"."
                ));
            }
            if target != "component" {
                refuse(format!(
                    "A memberOf edge must target a component: CodeNode; \"{to}\" uses namespace \"{target}\"."
                ));
            }
            return;
        }
        if !is_code(source) {
            refuse(format!(
                "A {edge_type} edge source must use an impl:, api:, or component: CodeNode id; received \"{from}\"."
            ));
        }
        if is_reference && target != "spec" {
            refuse(format!("A references edge must target a Spec id; received \"{to}\"."));
        }
        if !is_reference && !is_code(target) {
            refuse(format!(
                "A uses edge target must use an impl:, api:, or component: CodeNode id; received \"{to}\"."
            ));
        }
    }

    fn repeats(&self, structural: &[&Edge], findings: &mut Vec<Finding>) {
        let mut counts: HashMap<(&str, EdgeType, &str), usize> = HashMap::with_capacity(structural.len());
        for edge in structural {
            *counts.entry((&edge.from, edge.edge_type, &edge.to)).or_default() += 1;
        }
        if counts.len() == structural.len() {
            return;
        }
        for edge in structural {
            let Edge { from, edge_type, to, .. } = edge;
            // Taken out at the first of them: one finding for each distinct edge.
            let count = counts.remove(&(from.as_str(), *edge_type, to.as_str()));
            if let Some(count) = count.filter(|count| *count > 1) {
                let message = format!(
                    "Structural edge \"{from}\" → ({edge_type}) → \"{to}\" is authored {count} times; structural edges must be unique."
                );
                findings.push(self.at(edge, message).with_help(format!("name `{to}` once")));
            }
        }
    }

    fn components(&self, structural: &[&Edge], findings: &mut Vec<Finding>) {
        let members = || structural.iter().filter(|edge| edge.edge_type == EdgeType::MemberOf);
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for edge in members() {
            *counts.entry(&edge.from).or_default() += 1;
        }
        for edge in members() {
            let Some(count) = counts.remove(edge.from.as_str()).filter(|count| *count > 1) else { continue };
            let message = format!(
                "CodeNode \"{}\" has {count} memberOf edges; each source may have at most one component.",
                edge.from
            );
            findings.push(self.at(edge, message).in_field(field(EdgeType::MemberOf)).with_help("name one component"));
        }
    }

    fn realized_references(&self, structural: &[&Edge], findings: &mut Vec<Finding>) {
        let mut references: HashSet<(&str, &str)> = HashSet::new();
        let of_type = structural.iter().filter(|edge| edge.edge_type == EdgeType::References);
        references.extend(of_type.map(|edge| (edge.from.as_str(), edge.to.as_str())));
        if references.is_empty() {
            return;
        }
        for edge in self.graph.edges.iter().filter(|edge| edge.edge_type == EdgeType::Satisfies) {
            let Edge { from, to, .. } = edge;
            if references.remove(&(from.as_str(), to.as_str())) {
                let message = format!(
                    "Spec \"{to}\" is named in both \"satisfies\" and \"references\" of \"{from}\"; a realized target is not also a design reference."
                );
                let finding = self.at(edge, message).in_field(field(EdgeType::References));
                findings.push(finding.with_help(format!("remove `{to}` from the references of `{from}`")));
            }
        }
    }

    fn at(&self, edge: &Edge, message: String) -> Finding {
        let finding = Finding::error(FindingId::StructuralAnchors, message);
        let finding = finding.about(&edge.from).naming(&edge.to).through(edge.edge_type);
        match self.index.node(self.graph, &edge.from).map(Node::file) {
            Some(file) => finding.at(file, None),
            None => finding,
        }
    }
}

/// The field of a binding that states an edge.
const fn field(edge_type: EdgeType) -> &'static str {
    match edge_type {
        EdgeType::MemberOf => "component",
        other => other.as_str(),
    }
}

fn namespace(id: &str) -> &str {
    parse_id(id).map_or("invalid", |id| id.namespace)
}

fn is_code(namespace: &str) -> bool {
    matches!(namespace, "impl" | "api" | "component")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Claim;
    use crate::testing::{bind, graph, join, said, spec, unit};

    /// Units of code and one Spec, joined by anchored edges.
    fn code(edges: &[(&str, EdgeType, &str)]) -> Graph {
        let mut graph = graph(&[spec("spec:a rule idea", "", "")]);
        for id in ["impl:a", "api:b", "component:c", "component:d"] {
            unit(&mut graph, id);
        }
        for (from, edge_type, to) in edges {
            join(&mut graph, from, *edge_type, to, Claim::Anchored);
        }
        graph
    }

    fn said_of(edges: &[(&str, EdgeType, &str)]) -> Vec<String> {
        said(&code(edges), FindingId::StructuralAnchors)
    }

    #[test]
    fn structure_that_bindings_may_state_has_no_finding() {
        let sound = [
            ("impl:a", EdgeType::MemberOf, "component:c"),
            ("api:b", EdgeType::MemberOf, "component:c"),
            ("component:c", EdgeType::Uses, "component:d"),
            ("component:d", EdgeType::Uses, "component:c"),
            ("impl:a", EdgeType::Uses, "api:b"),
            ("impl:a", EdgeType::References, "spec:a"),
            ("component:c", EdgeType::References, "spec:gone"),
        ];
        assert_eq!(said_of(&sound), Vec::<String>::new());
    }

    #[test]
    #[sdp::verifies("spec:sdp.checks.relations")]
    fn a_unit_does_not_name_itself() {
        assert_eq!(
            said_of(&[("component:c", EdgeType::Uses, "component:c")]),
            [
                "error src/lib.rs component:c component:c -: Structural uses self-reference \"component:c\" is not allowed."
            ]
        );
        assert_eq!(
            said_of(&[("impl:a", EdgeType::MemberOf, "impl:a")]),
            [
                "error src/lib.rs impl:a impl:a -: Structural memberOf self-reference \"impl:a\" is not allowed.",
                "error src/lib.rs impl:a impl:a component: A memberOf edge must target a component: CodeNode; \"impl:a\" uses namespace \"impl\".",
            ]
        );
    }

    #[test]
    fn a_member_is_a_unit_and_belongs_to_a_component() {
        assert_eq!(
            said_of(&[("component:c", EdgeType::MemberOf, "component:d"), ("impl:a", EdgeType::MemberOf, "not an id")]),
            [
                "error src/lib.rs component:c component:d component: A memberOf edge must originate from an impl: or api: CodeNode; \"component:c\" uses namespace \"component\".",
                "error src/lib.rs impl:a not an id component: A memberOf edge must target a component: CodeNode; \"not an id\" uses namespace \"invalid\".",
            ]
        );
    }

    #[test]
    fn only_code_uses_and_is_used() {
        assert_eq!(
            said_of(&[("gone", EdgeType::Uses, "impl:a"), ("impl:a", EdgeType::Uses, "spec:a")]),
            [
                "error - gone impl:a uses: A uses edge source must use an impl:, api:, or component: CodeNode id; received \"gone\".",
                "error src/lib.rs impl:a spec:a uses: A uses edge target must use an impl:, api:, or component: CodeNode id; received \"spec:a\".",
            ]
        );
    }

    #[test]
    fn only_code_references_and_only_specs_are_referenced() {
        assert_eq!(
            said_of(&[("test:t", EdgeType::References, "spec:a"), ("impl:a", EdgeType::References, "impl:a")]),
            [
                "error - test:t spec:a references: A references edge source must use an impl:, api:, or component: CodeNode id; received \"test:t\".",
                "error src/lib.rs impl:a impl:a references: A references edge must target a Spec id; received \"impl:a\".",
            ]
        );
    }

    #[test]
    #[sdp::verifies("spec:sdp.checks.relations")]
    fn a_repeated_edge_is_reported_once() {
        let edge = ("impl:a", EdgeType::Uses, "api:b");
        assert_eq!(
            said_of(&[edge, ("impl:a", EdgeType::Uses, "component:c"), edge, edge]),
            [
                "error src/lib.rs impl:a api:b -: Structural edge \"impl:a\" → (uses) → \"api:b\" is authored 3 times; structural edges must be unique."
            ]
        );
    }

    #[test]
    #[sdp::verifies("spec:sdp.checks.relations")]
    fn a_unit_belongs_to_one_component_at_most() {
        assert_eq!(
            said_of(&[
                ("impl:a", EdgeType::MemberOf, "component:d"),
                ("impl:a", EdgeType::MemberOf, "component:c"),
                ("api:b", EdgeType::MemberOf, "component:c"),
            ]),
            [
                "error src/lib.rs impl:a component:d component: CodeNode \"impl:a\" has 2 memberOf edges; each source may have at most one component."
            ]
        );
    }

    #[test]
    #[sdp::verifies("spec:sdp.checks.relations")]
    fn a_realized_spec_is_no_design_reference_too() {
        let mut graph = code(&[("impl:x", EdgeType::References, "spec:a"), ("impl:a", EdgeType::References, "spec:a")]);
        bind(&mut graph, "impl:x", "spec:a");
        bind(&mut graph, "impl:y", "spec:a");
        assert_eq!(
            said(&graph, FindingId::StructuralAnchors),
            [
                "error src/lib.rs impl:x spec:a references: Spec \"spec:a\" is named in both \"satisfies\" and \"references\" of \"impl:x\"; a realized target is not also a design reference."
            ]
        );
    }
}
