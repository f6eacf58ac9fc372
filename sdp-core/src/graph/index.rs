//! Look-ups over one graph: node by id, edges by end. Built once; positions stay valid because a graph never changes.

use hashbrown::{HashMap, HashSet};
use std::sync::OnceLock;

use super::delivery::is_test_binding;
use super::schema::{Edge, Graph, Node, SpecNode};

/// Positions of nodes and edges; the first carrier of an id counts.
#[derive(Debug)]
pub struct Index {
    nodes: HashMap<Box<str>, u32>,
    outgoing: Adjacency,
    incoming: Adjacency,
    /// Positions of the nodes that a test binding verifies.
    tested: HashSet<u32>,
    /// For each node whether it is an example that its example spaces admit; judged where spaces are. It is kept here
    /// because whoever asks holds a graph and its index and nothing else; the index itself never reads it.
    bindable: OnceLock<Vec<bool>>,
}

#[derive(Debug)]
struct Adjacency(HashMap<Box<str>, Vec<u32>>);

impl Adjacency {
    fn of_edges(graph: &Graph, end: fn(&Edge) -> &str) -> Self {
        let mut adjacency = Adjacency(HashMap::with_capacity(graph.nodes.len()));
        for (position, edge) in (0u32..).zip(&graph.edges) {
            adjacency.add(end(edge), position);
        }
        adjacency
    }

    fn add(&mut self, id: &str, edge: u32) {
        if let Some(edges) = self.0.get_mut(id) {
            edges.push(edge);
        } else {
            self.0.insert(id.into(), vec![edge]);
        }
    }

    fn of(&self, id: &str) -> &[u32] {
        self.0.get(id).map_or(&[], Vec::as_slice)
    }
}

impl Index {
    /// Indexes a graph.
    #[must_use]
    pub fn new(graph: &Graph) -> Self {
        let (nodes, (outgoing, incoming)) = rayon::join(
            || {
                let mut nodes = HashMap::with_capacity(graph.nodes.len());
                for (position, node) in (0u32..).zip(&graph.nodes) {
                    nodes.entry(node.id().into()).or_insert(position);
                }
                nodes
            },
            || {
                rayon::join(
                    || Adjacency::of_edges(graph, |edge| &edge.from),
                    || Adjacency::of_edges(graph, |edge| &edge.to),
                )
            },
        );
        let mut index = Index { nodes, outgoing, incoming, tested: HashSet::new(), bindable: OnceLock::new() };
        let bindings = graph.edges.iter().filter(|edge| is_test_binding(graph, &index, edge));
        index.tested = bindings.filter_map(|edge| index.nodes.get(edge.to.as_str()).copied()).collect();
        index
    }

    /// What was judged of every node, in the graph's order, or the place to keep it.
    pub(crate) fn bindable(&self) -> &OnceLock<Vec<bool>> {
        &self.bindable
    }

    /// The position of a node in `graph.nodes`.
    #[must_use]
    pub fn position(&self, id: &str) -> Option<usize> {
        self.nodes.get(id).map(|position| *position as usize)
    }

    /// The node with an id.
    #[must_use]
    pub fn node<'g>(&self, graph: &'g Graph, id: &str) -> Option<&'g Node> {
        graph.nodes.get(self.position(id)?)
    }

    /// The Spec with an id.
    #[must_use]
    pub fn spec<'g>(&self, graph: &'g Graph, id: &str) -> Option<&'g SpecNode> {
        self.node(graph, id)?.as_spec()
    }

    /// Whether a test binding reaches the node with an id.
    pub(crate) fn is_tested(&self, id: &str) -> bool {
        self.nodes.get(id).is_some_and(|position| self.tested.contains(position))
    }

    /// Positions in `graph.edges` of the edges that leave an id, in the graph's order.
    #[must_use]
    pub fn outgoing(&self, id: &str) -> &[u32] {
        self.outgoing.of(id)
    }

    /// Positions in `graph.edges` of the edges that reach an id, in the graph's order.
    #[must_use]
    pub fn incoming(&self, id: &str) -> &[u32] {
        self.incoming.of(id)
    }

    /// The edges that leave an id.
    pub fn edges_from<'g>(&self, graph: &'g Graph, id: &str) -> impl Iterator<Item = &'g Edge> {
        self.outgoing(id).iter().filter_map(|edge| graph.edges.get(*edge as usize))
    }

    /// The edges that reach an id.
    pub fn edges_to<'g>(&self, graph: &'g Graph, id: &str) -> impl Iterator<Item = &'g Edge> {
        self.incoming(id).iter().filter_map(|edge| graph.edges.get(*edge as usize))
    }
}
