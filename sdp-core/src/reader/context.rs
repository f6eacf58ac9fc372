//! One Spec opened up: its floor, its relations both ways, what binds it and what is said of it.

use super::{
    CodeBinding, EntryLocation, FloorFailure, OracleBinding, Reader, RelationEnd, SpecContext, UnmetTarget,
    VerifierBinding,
};
use crate::graph::{Claim, Edge, Node, SpecNode, counts_as_verifier};
use crate::model::{EdgeType, Readiness};
use crate::order::by_code_units;
use crate::validate::floor::{self, floor_failures};

impl Reader {
    pub(super) fn context_of(&self, spec: &SpecNode) -> SpecContext {
        let summary = self.summary(spec);
        // The rung above the derived one: `idea` where none is reached, none above `ready`.
        let next = match summary.derived_readiness {
            None => Some(Readiness::Idea),
            Some(reached) => reached.next(),
        };
        let id = spec.id.as_str();
        SpecContext {
            sections: spec.sections.clone(),
            floor_failures: self.failures(spec, spec.readiness),
            next_rung_failures: next.map(|rung| self.failures(spec, rung)).unwrap_or_default(),
            relations_out: self.relations(self.index.edges_from(&self.graph, id), |edge| &edge.to),
            relations_in: self.relations(self.index.edges_to(&self.graph, id), |edge| &edge.from),
            implementations: self.code_bindings(id, EdgeType::Satisfies),
            references: self.code_bindings(id, EdgeType::References),
            verifiers: self.verifiers(id),
            oracle: self.oracle(id),
            entry_locations: self.entry_locations(id),
            findings: self.findings_of(id).cloned().collect(),
            summary,
        }
    }

    fn failures(&self, spec: &SpecNode, rung: Readiness) -> Vec<FloorFailure> {
        floor_failures(&self.graph, &self.index, spec, rung)
            .into_iter()
            .map(|failure| FloorFailure {
                clause_id: failure.clause.id(),
                description: failure.clause.description(),
                targets: (failure.clause == floor::Clause::TypedTargetsDefined).then(|| {
                    let targets = failure.targets.into_iter();
                    targets
                        .map(|target| UnmetTarget {
                            edge_type: target.edge_type,
                            id: target.id,
                            stated_readiness: target.stated,
                        })
                        .collect()
                }),
            })
            .collect()
    }

    /// Declared relations, by type name and other id.
    fn relations<'e>(
        &self,
        edges: impl Iterator<Item = &'e Edge>,
        other: impl Fn(&Edge) -> &String,
    ) -> Vec<RelationEnd> {
        let mut ends: Vec<RelationEnd> = edges
            .filter(|edge| edge.claim == Claim::Declared && edge.edge_type.is_authored())
            .map(|edge| {
                let node = self.index.node(&self.graph, other(edge));
                RelationEnd {
                    edge_type: edge.edge_type,
                    claim: edge.claim,
                    other_id: other(edge).clone(),
                    resolved: node.is_some(),
                    other_node_type: node.map(Node::node_type),
                    other_title: node.and_then(Node::title).map(str::to_owned),
                }
            })
            .collect();
        ends.sort_by(|left, right| {
            left.edge_type
                .as_str()
                .cmp(right.edge_type.as_str())
                .then_with(|| by_code_units(&left.other_id, &right.other_id))
        });
        ends
    }

    fn code_bindings(&self, id: &str, edge_type: EdgeType) -> Vec<CodeBinding> {
        let edges = self.index.edges_to(&self.graph, id).filter(|edge| edge.edge_type == edge_type);
        let mut bindings: Vec<CodeBinding> = edges
            .map(|edge| {
                let node = self.index.node(&self.graph, &edge.from);
                CodeBinding {
                    code_id: edge.from.clone(),
                    claim: edge.claim,
                    label: node.and_then(Node::label).map(str::to_owned),
                    file: node.map(|node| node.file().to_owned()),
                    line: node.and_then(Node::line),
                }
            })
            .collect();
        bindings.sort_by(|left, right| by_code_units(&left.code_id, &right.code_id));
        bindings
    }

    fn verifiers(&self, id: &str) -> Vec<VerifierBinding> {
        let edges = self.index.edges_to(&self.graph, id).filter(|edge| edge.edge_type == EdgeType::Verifies);
        let mut bindings: Vec<VerifierBinding> = edges
            .map(|edge| {
                let node = self.index.node(&self.graph, &edge.from);
                let label = node.and_then(|node| node.label().or_else(|| node.title()));
                VerifierBinding {
                    verifier_id: edge.from.clone(),
                    via: if matches!(node, Some(Node::Anchor(_))) { "test-anchor" } else { "example" },
                    claim: edge.claim,
                    enabled: counts_as_verifier(&self.graph, &self.index, edge),
                    label: label.map(str::to_owned),
                    file: node.map(|node| node.file().to_owned()),
                    line: node.and_then(Node::line),
                }
            })
            .collect();
        bindings.sort_by(|left, right| by_code_units(&left.verifier_id, &right.verifier_id));
        bindings
    }

    /// The oracle of a Spec's example space, when exactly one valid edge names it.
    pub(super) fn oracle(&self, id: &str) -> Option<OracleBinding> {
        let sections = self.index.spec(&self.graph, id)?.sections.as_ref()?;
        sections.behavior.as_ref()?.example_space.as_ref()?;
        let mut valid = self.index.edges_to(&self.graph, id).filter_map(|edge| {
            if edge.edge_type != EdgeType::Models || edge.claim != Claim::Anchored || !edge.from.starts_with("oracle:")
            {
                return None;
            }
            match self.index.node(&self.graph, &edge.from) {
                Some(Node::Anchor(anchor)) => Some((edge, anchor)),
                _ => None,
            }
        });
        let (edge, anchor) = valid.next()?;
        if valid.next().is_some() {
            return None;
        }
        Some(OracleBinding {
            anchor_id: anchor.id.clone(),
            claim: edge.claim,
            label: anchor.label.clone(),
            file: anchor.file.clone(),
            line: anchor.line,
        })
    }

    /// The rows of the location table that belong to a Spec, in the table's order.
    fn entry_locations(&self, id: &str) -> Vec<EntryLocation> {
        let rows = &self.graph.locations;
        let start = rows.partition_point(|row| by_code_units(&row.spec, id).is_lt());
        rows.iter()
            .skip(start)
            .take_while(|row| row.spec == id)
            .map(|row| EntryLocation {
                file: row.file.clone(),
                entry: row.entry.clone(),
                key: row.key.clone(),
                line: row.line,
            })
            .collect()
    }
}
