//! What binds a Spec from source: its code units and their components, its verifiers, and the one oracle of its example
//! space. An oracle that is not the only one binds nothing; no binding is followed further than to its own targets.

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use super::{CodeBinding, ComponentEnd, OracleBinding, Reader, VerifierBinding};
use crate::graph::{Edge, Graph, Index, Node, counts_as_oracle, counts_as_verifier, oracle_binding};
use crate::model::EdgeType;
use crate::order::by_code_units;

/// What one pass over the edges tells once for all, so that no answer searches the edges of a unit with many: positions in
/// `graph.edges`.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    /// The first `memberOf` edge of each code unit.
    components: HashMap<Box<str>, u32>,
    /// The valid `models` edge of each example space; none where there are several.
    oracles: HashMap<Box<str>, Option<u32>>,
}

impl Bindings {
    fn new(graph: &Graph, index: &Index) -> Self {
        let mut bindings = Bindings::default();
        for (at, edge) in (0u32..).zip(&graph.edges) {
            match edge.edge_type {
                EdgeType::MemberOf => {
                    bindings.components.entry(edge.from.as_str().into()).or_insert(at);
                }
                EdgeType::Models if is_valid_oracle(graph, index, edge) => {
                    match bindings.oracles.entry(edge.to.as_str().into()) {
                        Entry::Vacant(place) => {
                            place.insert(Some(at));
                        }
                        Entry::Occupied(mut place) => {
                            place.insert(None);
                        }
                    }
                }
                _ => {}
            }
        }
        bindings
    }
}

/// Whether an edge makes an anchor the oracle of a Spec.
fn is_valid_oracle(graph: &Graph, index: &Index, edge: &Edge) -> bool {
    oracle_binding(graph, index, edge).is_some_and(|(anchor, spec)| counts_as_oracle(anchor, spec))
}

impl Reader {
    fn bindings(&self) -> &Bindings {
        self.bindings.get_or_init(|| Bindings::new(&self.graph, &self.index))
    }

    /// The edges from a code unit or anchor to the Specs that it binds, existing or not; a `models` edge counts where it is
    /// the one oracle.
    pub(super) fn bound<'r>(&'r self, id: &str) -> impl Iterator<Item = &'r Edge> {
        let usable = |edge: &&Edge| match edge.edge_type {
            EdgeType::Satisfies | EdgeType::Verifies | EdgeType::References => true,
            EdgeType::Models => self.oracle_edge(&edge.to).is_some_and(|oracle| oracle.from == edge.from),
            _ => false,
        };
        self.index.edges_from(&self.graph, id).filter(usable)
    }

    /// Code that realizes or follows a Spec, by id.
    pub(super) fn code_bindings(&self, id: &str, edge_type: EdgeType) -> Vec<CodeBinding> {
        let edges = self.index.edges_to(&self.graph, id).filter(|edge| edge.edge_type == edge_type);
        let mut bindings: Vec<CodeBinding> = edges
            .map(|edge| {
                let node = self.index.node(&self.graph, &edge.from);
                let unit = node.and_then(Node::as_code);
                CodeBinding {
                    code_id: edge.from.clone(),
                    claim: edge.claim,
                    label: node.and_then(Node::label).map(str::to_owned),
                    file: node.map(|node| node.file().to_owned()),
                    line: node.and_then(Node::line),
                    role: unit.and_then(|unit| unit.role.clone()),
                    layer: unit.and_then(|unit| unit.layer.clone()),
                    context: unit.and_then(|unit| unit.context.clone()),
                    component: self.component(&edge.from),
                }
            })
            .collect();
        bindings.sort_by(|left, right| by_code_units(&left.code_id, &right.code_id));
        bindings
    }

    pub(super) fn component(&self, id: &str) -> Option<ComponentEnd> {
        let at = *self.bindings().components.get(id)?;
        let edge = self.graph.edges.get(at as usize)?;
        let component = self.index.node(&self.graph, &edge.to).and_then(Node::as_code);
        Some(ComponentEnd {
            id: edge.to.clone(),
            layer: component.and_then(|component| component.layer.clone()),
            context: component.and_then(|component| component.context.clone()),
        })
    }

    /// What verifies a Spec, by id.
    pub(super) fn verifiers(&self, id: &str) -> Vec<VerifierBinding> {
        let edges = self.index.edges_to(&self.graph, id).filter(|edge| edge.edge_type == EdgeType::Verifies);
        let mut bindings: Vec<VerifierBinding> = edges
            .map(|edge| {
                let node = self.index.node(&self.graph, &edge.from);
                let label = node.and_then(|node| node.label().or_else(|| node.title()));
                let anchor = node.and_then(Node::as_anchor);
                VerifierBinding {
                    verifier_id: edge.from.clone(),
                    via: if anchor.is_some() { "test-anchor" } else { "example" },
                    claim: edge.claim,
                    enabled: counts_as_verifier(&self.graph, &self.index, edge),
                    label: label.map(str::to_owned),
                    file: node.map(|node| node.file().to_owned()),
                    line: node.and_then(Node::line),
                    symbol: anchor.and_then(|anchor| anchor.symbol.clone()),
                    symbol_match: anchor.and_then(|anchor| anchor.symbol_match),
                }
            })
            .collect();
        bindings.sort_by(|left, right| by_code_units(&left.verifier_id, &right.verifier_id));
        bindings
    }

    fn oracle_edge(&self, id: &str) -> Option<&Edge> {
        let at = (*self.bindings().oracles.get(id)?)?;
        self.graph.edges.get(at as usize)
    }

    /// The oracle of a Spec's example space, when exactly one valid edge names it.
    pub(super) fn oracle(&self, id: &str) -> Option<OracleBinding> {
        let edge = self.oracle_edge(id)?;
        let anchor = self.index.node(&self.graph, &edge.from)?.as_anchor()?;
        Some(OracleBinding {
            anchor_id: anchor.id.clone(),
            claim: edge.claim,
            label: anchor.label.clone(),
            file: anchor.file.clone(),
            line: anchor.line,
        })
    }
}
