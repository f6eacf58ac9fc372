//! Every node and edge stands on the word that its type asks for, and every edge joins the kinds that its type allows
//! (newest sheet parts 3 and 11). An end is looked at where it resolves. Unknown words — of types, claims, kinds,
//! altitudes and readiness — are not checked: a [`Graph`] cannot hold one.

use rayon::prelude::*;

use crate::finding::{Finding, FindingId};
use crate::graph::{Claim, Edge, Graph, Index, Node, NodeType};
use crate::model::{EdgeType, SpecKind};

/// What to do about a node or an edge that no carrier and no binding can state.
const DERIVE_ANEW: &str =
    "carriers and bindings state no such thing: derive the graph anew, or mend the program that made it";

#[sdp::satisfies("spec:sdp.checks.relations", component = "component:sdp.checks")]
pub(super) fn check(graph: &Graph, index: &Index, findings: &mut Vec<Finding>) {
    findings.extend(graph.nodes.iter().filter_map(node_finding));
    findings.par_extend(graph.edges.par_iter().flat_map_iter(|edge| {
        let mut found = Vec::new();
        Ends { edge, source: index.node(graph, &edge.from), target: index.node(graph, &edge.to) }.judge(&mut found);
        found
    }));
}

fn node_finding(node: &Node) -> Option<Finding> {
    let (stated, claim) = match node {
        Node::Spec(node) => (node.node_type, node.claim),
        Node::Pack(node) => (node.node_type, node.claim),
        Node::Anchor(node) => (node.node_type, node.claim),
        Node::Code(node) => (node.node_type, node.claim),
    };
    let id = node.id();
    let node_type = node.node_type();
    let expected = match node_type {
        NodeType::Primitive | NodeType::Pack => Claim::Declared,
        NodeType::Anchor | NodeType::CodeNode => Claim::Anchored,
    };
    let message = if stated != node_type {
        // The node is of another type than it says.
        format!(
            "Node \"{id}\" carries unknown typing (nodeType \"{}\", claim \"{}\").",
            stated.as_str(),
            claim.as_str()
        )
    } else if claim != expected {
        format!(
            "Node \"{id}\" ({node_type}) carries claim \"{}\" — {node_type} nodes carry \"{}\", and the claim taxonomy is never collapsed.",
            claim.as_str(),
            expected.as_str(),
            node_type = node_type.as_str(),
        )
    } else {
        return None;
    };
    let finding = Finding::error(FindingId::ClaimSeparation, message);
    Some(finding.about(id).at(node.file(), None).with_help(DERIVE_ANEW))
}

/// An edge and the nodes at its ends, where they resolve.
struct Ends<'g> {
    edge: &'g Edge,
    source: Option<&'g Node>,
    target: Option<&'g Node>,
}

impl Ends<'_> {
    fn judge(&self, findings: &mut Vec<Finding>) {
        let contract = contract(self.edge.edge_type);
        self.judge_claim(&contract, findings);
        let source = self.source.map(Node::node_type);
        let target = self.target.map(Node::node_type);
        if let Some(source) = source.filter(|source| !contract.sources.contains(source)) {
            let allowed: Vec<&str> = contract.sources.iter().map(|allowed| allowed.as_str()).collect();
            let said = format!(
                "originates from a {} node — the edge contract allows {}.",
                source.as_str(),
                allowed.join(" or ")
            );
            findings.push(self.finding(&said, DERIVE_ANEW));
        }
        if let Some(target) = target.filter(|target| *target != contract.target) {
            let (target, required) = (target.as_str(), contract.target.as_str());
            let said = format!("targets a {target} node — the edge contract requires {required}.");
            findings.push(self.finding(&said, DERIVE_ANEW));
        }
        self.judge_kinds(findings);
    }

    fn judge_claim(&self, contract: &Contract, findings: &mut Vec<Finding>) {
        let claim = self.edge.claim;
        let said = if let Some(expected) = contract.claim {
            if claim == expected {
                return;
            }
            format!(
                "carries claim \"{}\" — a {} edge carries \"{}\", and the claim taxonomy is never collapsed.",
                claim.as_str(),
                self.edge.edge_type,
                expected.as_str()
            )
        } else {
            // `verifies` stands on the word of whoever states it: a Spec declares it, a binding anchors it.
            let fits = match self.source {
                Some(Node::Spec(_)) => claim == Claim::Declared,
                Some(Node::Anchor(_)) => claim == Claim::Anchored,
                _ => true,
            };
            if fits {
                return;
            }
            format!(
                "carries claim \"{}\" — a verifies edge is declared (from an example) or anchored (from a test anchor), and the claim taxonomy is never collapsed.",
                claim.as_str()
            )
        };
        findings.push(self.finding(&said, DERIVE_ANEW));
    }

    fn judge_kinds(&self, findings: &mut Vec<Finding>) {
        let kind = |node: Option<&Node>| Some(node?.as_spec()?.spec_kind);
        let (source, target) = (kind(self.source), kind(self.target));
        match self.edge.edge_type {
            EdgeType::ConstrainedBy => {
                if let Some(kind) = target.filter(|kind| !matches!(kind, SpecKind::Rule | SpecKind::Constraint)) {
                    let said = format!(
                        "targets a {kind}-kind spec — constrainedBy bounds a spec by a rule- or constraint-kind spec (a typed dependency, `spec:model.relations`)."
                    );
                    findings.push(self.finding(&said, "let it lead to a rule or a constraint, or declare `dependsOn`"));
                }
            }
            EdgeType::DecidedBy => {
                if let Some(kind) = target.filter(|kind| *kind != SpecKind::Decision) {
                    let said = format!(
                        "targets a {kind}-kind spec — decidedBy points at a decision-kind spec (a Decision Record)."
                    );
                    findings.push(self.finding(&said, "let it lead to a decision, or declare `dependsOn`"));
                }
            }
            EdgeType::Supersedes => {
                if let Some(kind) = source.filter(|kind| *kind != SpecKind::Decision) {
                    let said = format!(
                        "originates from a {kind}-kind spec — supersedes is permitted only on decision specs (`spec:model.relations`)."
                    );
                    findings.push(self.finding(&said, "declare it in a decision that replaces an earlier one"));
                }
                if let Some(kind) = target.filter(|kind| *kind != SpecKind::Decision) {
                    let said = format!(
                        "targets a {kind}-kind spec — supersedes is a current forward-pointer between two decision-kind specs (Decision Records)."
                    );
                    findings.push(self.finding(&said, "let it lead to the decision that is replaced, or remove it"));
                }
            }
            _ => {}
        }
    }

    fn finding(&self, said: &str, help: &str) -> Finding {
        let Edge { from, edge_type, to, .. } = self.edge;
        let message = format!("Edge \"{from}\" → ({edge_type}) → \"{to}\" {said}");
        let finding = Finding::error(FindingId::ClaimSeparation, message).about(from).with_help(help);
        match self.source {
            Some(source) => finding.at(source.file(), None),
            None => finding,
        }
    }
}

/// On whose word an edge stands, and what it joins.
struct Contract {
    /// None where it depends on the source.
    claim: Option<Claim>,
    sources: &'static [NodeType],
    target: NodeType,
}

const fn contract(edge_type: EdgeType) -> Contract {
    use NodeType::{Anchor, CodeNode, Pack, Primitive};
    let (claim, sources, target): (_, &[NodeType], _) = match edge_type {
        EdgeType::Refines
        | EdgeType::DependsOn
        | EdgeType::ConstrainedBy
        | EdgeType::DecidedBy
        | EdgeType::Supersedes => (Some(Claim::Declared), &[Primitive], Primitive),
        EdgeType::Verifies => (None, &[Primitive, Anchor], Primitive),
        EdgeType::BelongsTo => (Some(Claim::Declared), &[Primitive], Pack),
        EdgeType::Satisfies | EdgeType::References => (Some(Claim::Anchored), &[CodeNode], Primitive),
        EdgeType::Models => (Some(Claim::Anchored), &[Anchor], Primitive),
        EdgeType::MemberOf | EdgeType::Uses => (Some(Claim::Anchored), &[CodeNode], CodeNode),
    };
    Contract { claim, sources, target }
}

#[cfg(test)]
mod tests;
