//! Strongly connected components of a graph, without recursion and in linear time. The edges by node come in; a component by
//! node goes out, and two nodes have one where each can be reached from the other.

use std::mem::replace;

/// The component of every node. An edge to a node that is not there counts as none.
pub(crate) fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut against = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        for to in targets {
            if let Some(sources) = against.get_mut(*to) {
                sources.push(from);
            }
        }
    }
    let mut component = vec![None; edges.len()];
    for root in finished(edges).into_iter().rev() {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if let Some(of @ None) = component.get_mut(node) {
                *of = Some(root);
                open.extend(against.get(node).into_iter().flatten());
            }
        }
    }
    // Every node was a root or was found from one.
    component.into_iter().enumerate().map(|(node, of)| of.unwrap_or(node)).collect()
}

/// The nodes in the order in which a walk in depth is done with them.
fn finished(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; edges.len()];
    let mut done = Vec::with_capacity(edges.len());
    let mut enter = |node: usize| {
        let unseen = seen.get_mut(node).is_some_and(|seen| !replace(seen, true));
        unseen.then(|| (node, edges.get(node).into_iter().flatten()))
    };
    for root in 0..edges.len() {
        let mut path: Vec<_> = enter(root).into_iter().collect();
        while let Some((node, targets)) = path.last_mut() {
            if let Some(next) = targets.next() {
                path.extend(enter(*next));
            } else {
                done.push(*node);
                path.pop();
            }
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What can be reached from a node by at least no edge, by looking again until nothing is new.
    fn reached(edges: &[Vec<usize>], from: usize) -> Vec<bool> {
        let mut reached = vec![false; edges.len()];
        reached[from] = true;
        for _ in edges {
            for (node, targets) in edges.iter().enumerate() {
                for to in targets.iter().filter(|_| reached[node]).copied().collect::<Vec<_>>() {
                    reached[to] = true;
                }
            }
        }
        reached
    }

    proptest! {
        #[test]
        fn two_nodes_have_one_component_where_each_reaches_the_other(
            edges in (1_usize..9).prop_flat_map(|count| {
                prop::collection::vec(prop::collection::vec(0..count, 0..4), count)
            }),
        ) {
            let component = components(&edges);
            for left in 0..edges.len() {
                for right in 0..edges.len() {
                    let mutual = reached(&edges, left)[right] && reached(&edges, right)[left];
                    prop_assert_eq!(component[left] == component[right], mutual, "{} {}", left, right);
                }
            }
        }
    }

    #[test]
    fn a_chain_and_a_ring_of_a_hundred_thousand_do_not_recurse() {
        let count = 100_000;
        let chain: Vec<Vec<usize>> = (0..count).map(|node| vec![node + 1]).collect();
        assert_eq!(components(&chain), (0..count).collect::<Vec<_>>());
        let ring: Vec<Vec<usize>> = (0..count).map(|node| vec![(node + 1) % count]).collect();
        assert!(components(&ring).iter().all(|component| *component == 0));
    }
}
