//! One Spec opened up: its floor, its relations both ways, what binds it and what is said of it.

use super::{EntryLocation, FloorFailure, Reader, RelationEnd, SpecContext, UnmetTarget};
use crate::graph::{Edge, LocationRow, Node, SpecNode};
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

    /// The clauses at or below a rung that do not hold.
    pub(super) fn failures(&self, spec: &SpecNode, rung: Readiness) -> Vec<FloorFailure> {
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
            .filter(|edge| edge.is_relation())
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

    fn entry_locations(&self, id: &str) -> Vec<EntryLocation> {
        self.location_rows(id)
            .map(|row| EntryLocation {
                file: row.file.clone(),
                entry: row.entry.clone(),
                key: row.key.clone(),
                line: row.line,
            })
            .collect()
    }

    /// The rows of the location table that belong to a Spec, in the table's order.
    pub(super) fn location_rows<'r>(&'r self, id: &str) -> impl Iterator<Item = &'r LocationRow> {
        let rows = &self.graph.locations;
        let start = rows.partition_point(|row| by_code_units(&row.spec, id).is_lt());
        rows.iter().skip(start).take_while(move |row| row.spec == id)
    }
}
