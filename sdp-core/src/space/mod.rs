//! The example space of a Spec, decoded: a graph goes in; dimensions, outcomes, the point of each example and what no
//! example takes come out, with the `contracts/…` findings. Work and answers grow with the text that an author wrote, never
//! with the combinations that it spans. Whether an example matches the spaces that it refines is decided here, for the
//! readiness floor too.

mod answer;
mod capped;
mod coverage;
mod decode;
mod example;
mod findings;
mod steps;
mod vocabulary;

use hashbrown::HashMap;

use rayon::prelude::*;

pub use answer::{
    Dimension, DimensionKind, ExamplePoint, ExampleSpace, Outcome, PayloadSlot, Setting, SlotKind, SpaceSlot,
    SpaceStep, TakenValue, Value,
};
pub use decode::decode;

use crate::finding::{Finding, finding_order};
use crate::graph::{Graph, Index, Node, SpecNode};
use crate::model::{EdgeType, Steps};
use crate::notation::{Slot, Step};
use crate::order::by_code_units;
use example::ReadExample;
use findings::Findings;
use vocabulary::{Space, Vocabulary};

/// The `contracts/…` findings of every example space and every example, in finding order, and what says that some are left
/// out; all of them are warnings. They stand in no report: they say what an example can be used for, not whether the graph
/// is sound (fact sheet part 10.4).
#[must_use]
#[sdp::satisfies("spec:sdp.reader.example-space")]
pub fn findings(graph: &Graph, index: &Index) -> Vec<Finding> {
    let specs = || graph.nodes.par_iter().filter_map(Node::as_spec);
    let spaces: Vec<(Space<'_>, Findings)> = specs()
        .filter_map(|spec| {
            let mut findings = Findings::default();
            Some((Space::read(spec, &mut findings)?, findings))
        })
        .collect();
    let mut found = Vec::new();
    let mut by_id = HashMap::with_capacity(spaces.len());
    for (space, findings) in spaces {
        found.extend(findings.into_list(space.spec));
        by_id.entry(space.spec.id.as_str()).or_insert(space);
    }
    let of_examples: Vec<Finding> = specs()
        .filter_map(ReadExample::read)
        .flat_map_iter(|example| {
            let parents = parents(graph, index, example.spec);
            let parents: Vec<&Space<'_>> = parents.iter().filter_map(|parent| by_id.get(parent.id.as_str())).collect();
            let mut findings = Findings::default();
            for parent in &parents {
                if findings.are_full(ReadExample::POINT_FINDINGS) {
                    break;
                }
                example.point(parent, &mut findings);
            }
            example.judge(&parents, &mut findings);
            findings.into_list(example.spec)
        })
        .collect();
    found.extend(of_examples);
    found.sort_by(finding_order);
    found
}

/// Whether an example holds one whole structured entry, leaves no slot of any structured entry unbound, and uses only steps
/// that the example spaces which it refines know and type (fact sheet part 10.3). The values play no part.
///
/// All examples are judged when the first is asked for, so that each space is read once, however many refine it.
pub(crate) fn is_bindable(graph: &Graph, index: &Index, spec: &SpecNode) -> bool {
    // One thread at a time and none of the pool: a pool's thread that waits here could hold up the one that works.
    let judged = index.bindable().get_or_init(|| judged(graph, index, Threads::This));
    index.position(&spec.id).and_then(|position| judged.get(position)).copied().unwrap_or(false)
}

/// The first slot of a Spec's structured examples that binds no value.
pub(crate) fn first_unbound_slot(spec: &SpecNode) -> Option<Slot<'_>> {
    let mut texts = steps::structured(spec).flat_map(Steps::all).map(|(_, text)| text);
    texts.find_map(|text| Step::read(text).slots().find(|slot| !slot.is_bound()).cloned())
}

/// For each node of a graph whether it is an example that its example spaces admit, for [`crate::extract::Extraction::judged`]: who keeps an
/// extraction can spare those who read it the work.
#[must_use]
pub fn judged_examples(graph: &Graph) -> Vec<bool> {
    judged(graph, &Index::new(graph), Threads::All)
}

/// Judges all examples ahead, in parallel; what is asked for later is known then.
pub(crate) fn judge_examples(graph: &Graph, index: &Index) {
    if index.bindable().get().is_none() {
        // Another thread may have been faster; it has judged the same.
        let _ = index.bindable().set(judged(graph, index, Threads::All));
    }
}

/// Who goes through the nodes of a graph.
#[derive(Clone, Copy)]
enum Threads {
    /// The calling thread alone; it waits for no other.
    This,
    /// All threads of the pool.
    All,
}

impl Threads {
    /// What the nodes give, in their order.
    fn each<'g, T: Send, C>(self, graph: &'g Graph, of: impl Fn(&'g Node) -> Option<T> + Sync + Send) -> C
    where
        C: FromIterator<T> + FromParallelIterator<T>,
    {
        match self {
            Threads::This => graph.nodes.iter().filter_map(of).collect(),
            Threads::All => graph.nodes.par_iter().filter_map(of).collect(),
        }
    }
}

/// For each node of the graph whether it is an example that its example spaces admit.
fn judged(graph: &Graph, index: &Index, threads: Threads) -> Vec<bool> {
    let vocabularies: Vocabularies<'_> = threads.each(graph, vocabulary);
    threads.each(graph, |node| Some(admitted(graph, index, &vocabularies, node)))
}

/// The vocabularies of example spaces, by the id of the Spec.
type Vocabularies<'g> = HashMap<&'g str, Vocabulary<'g>>;

fn vocabulary(node: &Node) -> Option<(&str, Vocabulary<'_>)> {
    let spec = node.as_spec()?;
    Some((&spec.id, Vocabulary::of(spec)?))
}

fn admitted(graph: &Graph, index: &Index, vocabularies: &Vocabularies<'_>, node: &Node) -> bool {
    let Some(example) = node.as_spec().and_then(ReadExample::read) else { return false };
    if !example.is_concrete() {
        return false;
    }
    let parents = parents(graph, index, example.spec);
    let known: Vec<&Vocabulary<'_>> =
        parents.iter().filter_map(|parent| vocabularies.get(parent.id.as_str())).collect();
    example.faults(&known).next().is_none()
}

/// The Specs with an example space that a Spec declares to refine, by id.
fn parents<'g>(graph: &'g Graph, index: &Index, spec: &SpecNode) -> Vec<&'g SpecNode> {
    let mut parents: Vec<&SpecNode> = index
        .edges_from(graph, &spec.id)
        .filter(|edge| edge.declares(EdgeType::Refines))
        .filter_map(|edge| index.spec(graph, &edge.to))
        .filter(|parent| steps::space_of(parent).is_some())
        .collect();
    parents.sort_by(|left, right| by_code_units(&left.id, &right.id));
    parents.dedup_by(|left, right| left.id == right.id);
    parents
}

/// The Specs that declare to refine a Spec, by id.
fn children<'g>(graph: &'g Graph, index: &Index, id: &str) -> Vec<&'g SpecNode> {
    let mut children: Vec<&SpecNode> = index
        .edges_to(graph, id)
        .filter(|edge| edge.declares(EdgeType::Refines))
        .filter_map(|edge| index.spec(graph, &edge.from))
        .collect();
    children.sort_by(|left, right| by_code_units(&left.id, &right.id));
    children.dedup_by(|left, right| left.id == right.id);
    children
}

#[cfg(test)]
mod tests;
