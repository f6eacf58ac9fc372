//! A graph of which some parts changed: the graph of before comes in with what is gone and what is new, the graph of now goes out without
//! being derived as a whole.

use std::cmp::Ordering;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Derived, Part, Spot, edge_order, is_bound, row_order, state_all_facts, state_delivery_facts};
use crate::graph::{Edge, Graph, Node, SCHEMA_VERSION};
use crate::order::by_code_units;

/// The same graph without some parts and with others, as [`joined`] would derive it from all of them. `derived` had no id
/// twice; none where that would be another now, and then `derived` is as it was.
pub(crate) fn changed(graph: Arc<Graph>, spots: Vec<Spot>, gone: &[Part], mut added: Vec<Part>) -> Option<Derived> {
    added.sort_by(|left, right| by_code_units(left.id(), right.id()));
    if added.windows(2).any(|pair| matches!(pair, [left, right] if left.id() == right.id())) {
        return None;
    }
    let node_at = |id: &str| graph.nodes.binary_search_by(|node| by_code_units(node.id(), id)).ok();
    let mut gone_nodes = gone.iter().map(|part| node_at(part.id())).collect::<Option<Vec<usize>>>()?;
    gone_nodes.sort_unstable();
    if added.iter().filter_map(|part| node_at(part.id())).any(|at| gone_nodes.binary_search(&at).is_err()) {
        return None;
    }
    let gone_edges = gone_edges(&graph.edges, gone)?;
    let mut gone_rows = Vec::new();
    for part in gone.iter().filter(|part| !part.rows.is_empty()) {
        let from = graph.locations.partition_point(|row| by_code_units(&row.spec, part.id()).is_lt());
        let rows = graph.locations.get(from..).unwrap_or_default();
        gone_rows.extend(from..from + rows.iter().take_while(|row| row.spec == part.id()).count());
    }
    gone_rows.sort_unstable();

    let was_bound = is_bound(&graph);
    let (mut new_nodes, mut new_edges, mut new_rows) = (Vec::with_capacity(added.len()), Vec::new(), Vec::new());
    for part in added {
        new_nodes.push((part.node, part.spot));
        new_edges.extend(part.edges);
        new_rows.extend(part.rows);
    }
    new_edges.sort_by(edge_order);
    let Graph { nodes, edges, locations, .. } = Arc::try_unwrap(graph).unwrap_or_else(|shared| copied(&shared));
    let by_id = |left: &(Node, Spot), right: &(Node, Spot)| by_code_units(left.0.id(), right.0.id());
    let placed: Vec<(Node, Spot)> = nodes.into_iter().zip(spots).collect();
    let (nodes, spots) = spliced(placed, &gone_nodes, new_nodes, by_id).into_iter().unzip();
    let edges = spliced(edges, &gone_edges, new_edges, edge_order);
    let locations = spliced(locations, &gone_rows, new_rows, row_order);
    let mut graph = Graph { schema_version: SCHEMA_VERSION, nodes, edges, locations };
    let index = if was_bound { Some(state_all_facts(&mut graph)) } else { state_delivery_facts(&mut graph) };
    Some(Derived { graph, findings: Vec::new(), spots, index })
}

/// The positions of the edges of some parts; equal edges may come from several parts, and each takes its own away.
fn gone_edges(edges: &[Edge], gone: &[Part]) -> Option<Vec<usize>> {
    let mut of_parts: Vec<&Edge> = gone.iter().flat_map(|part| &part.edges).collect();
    of_parts.sort_by(|left, right| edge_order(left, right));
    let mut positions: Vec<usize> = Vec::with_capacity(of_parts.len());
    let mut last: Option<&Edge> = None;
    for edge in of_parts {
        let at = match (last, positions.last()) {
            (Some(last), Some(at)) if last == edge => at + 1,
            _ => edges.partition_point(|other| edge_order(other, edge).is_lt()),
        };
        if edges.get(at) != Some(edge) {
            return None;
        }
        positions.push(at);
        last = Some(edge);
    }
    Some(positions)
}

/// A sorted list without what stands at some sorted positions, and with other sorted values.
fn spliced<T>(old: Vec<T>, gone: &[usize], new: Vec<T>, order: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    if gone.is_empty() && new.is_empty() {
        return old;
    }
    let behind: Vec<usize> = new.iter().map(|one| old.partition_point(|other| order(other, one).is_le())).collect();
    let mut list = Vec::with_capacity(old.len() + new.len());
    let mut new = behind.into_iter().zip(new).peekable();
    let mut gone = gone.iter().peekable();
    for (at, value) in old.into_iter().enumerate() {
        while let Some((_, one)) = new.next_if(|(behind, _)| *behind <= at) {
            list.push(one);
        }
        if gone.next_if(|gone| **gone == at).is_none() {
            list.push(value);
        }
    }
    list.extend(new.map(|(_, one)| one));
    list
}

/// A copy of a graph that others still hold.
fn copied(graph: &Graph) -> Graph {
    let (edges, (nodes, locations)) = rayon::join(
        || graph.edges.par_iter().cloned().collect(),
        || (graph.nodes.clone(), graph.locations.par_iter().cloned().collect()),
    );
    Graph { schema_version: graph.schema_version, nodes, edges, locations }
}
