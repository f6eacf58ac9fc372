//! The decode of one space: its Spec and the examples that refine it go in, the answer comes out.

use hashbrown::{HashMap, HashSet};

use super::answer::{ExamplePoint, ExampleSpace, Outcome, PayloadSlot, SlotKind, SpaceSlot, SpaceStep};
use super::capped::Capped;
use super::coverage::{self, closed_values, owned, setting, untaken_pairs};
use super::example::{Point, ReadExample};
use super::findings::Findings;
use super::steps::ReadStep;
use super::vocabulary::Space;
use super::{children, parents};
use crate::finding::{Finding, finding_order};
use crate::graph::{Graph, Index, is_enabled_example};
use crate::model::Phase;
use crate::notation::{SlotForm, SlotType};

/// How many of the dimensions that an example leaves out are named, and with how many bytes: each example may leave out all.
const MAX_MISSING: (usize, usize) = (100, 4096);

/// The example space of a Spec, decoded, with the pairs that no example takes where they are wanted. None when no Spec has the
/// id, or when it owns no example space.
#[must_use]
pub fn decode(graph: &Graph, index: &Index, id: &str, wants_pairs: bool) -> Option<ExampleSpace> {
    let spec = index.spec(graph, id)?;
    let mut findings = Findings::default();
    let space = Space::read(spec, &mut findings)?;
    let mut found = findings.into_list(spec);
    let examples: Vec<ReadExample<'_>> = children(graph, index, id).into_iter().filter_map(ReadExample::read).collect();
    let parents_of: Vec<_> = examples.iter().map(|example| parents(graph, index, example.spec)).collect();
    let mut others: HashMap<&str, Space<'_>> = HashMap::new();
    for parent in parents_of.iter().flatten().filter(|parent| parent.id != spec.id) {
        if !others.contains_key(parent.id.as_str())
            // What is wrong with another space is said there.
            && let Some(other) = Space::read(parent, &mut Findings::default())
        {
            others.insert(&parent.id, other);
        }
    }
    let mut judged = Vec::with_capacity(examples.len());
    let mut points = Vec::with_capacity(examples.len());
    for (example, parents) in examples.iter().zip(&parents_of) {
        let spaces: Vec<&Space<'_>> = parents
            .iter()
            .filter_map(|parent| if parent.id == spec.id { Some(&space) } else { others.get(parent.id.as_str()) })
            .collect();
        let (point, matched) = judge(example, &space, &spaces, &mut found);
        points.push(point);
        judged.push(matched);
    }
    let mut outcomes = outcomes(&space);
    let reached = reached(&examples, &mut outcomes);
    let rows = examples.iter().zip(&points).zip(judged).zip(reached).map(|(((example, point), matched), outcomes)| {
        row(example, &space, point, matched, outcomes, is_enabled_example(index, example.spec))
    });
    let rows = rows.collect();
    let pairs = wants_pairs.then(|| untaken_pairs(&space, &points));
    found.sort_by(finding_order);
    Some(ExampleSpace {
        id: spec.id.clone(),
        title: spec.title.clone(),
        file: spec.file.clone(),
        steps: space.steps.iter().map(step).collect(),
        dimensions: coverage::dimensions(&space, &points),
        outcomes,
        examples: rows,
        untaken_pairs_left_out: pairs.as_ref().map_or(0, |pairs| pairs.left_out),
        paired_dimensions_left_out: pairs.as_ref().map_or(0, |pairs| pairs.dimensions_left_out),
        untaken_pairs: pairs.map(|pairs| pairs.listed),
        findings: found,
    })
}

/// The point of an example in a space, and whether every step of it is one of the spaces that it refines.
fn judge<'g>(
    example: &ReadExample<'g>,
    space: &Space<'g>,
    spaces: &[&Space<'_>],
    found: &mut Vec<Finding>,
) -> (Point<'g>, bool) {
    let mut findings = Findings::default();
    let point = example.point(space, &mut findings);
    example.judge(spaces, &mut findings);
    found.extend(findings.into_list(example.spec));
    let vocabularies: Vec<_> = spaces.iter().map(|space| &space.vocabulary).collect();
    let matched = example.faults(&vocabularies).next().is_none();
    (point, matched)
}

fn step(step: &ReadStep<'_>) -> SpaceStep {
    let slots = step.step.slots().map(|slot| {
        let kind = match &slot.form {
            SlotForm::Typed(kind) => Some(kind),
            _ => None,
        };
        let literals = match kind {
            Some(SlotType::OneOf(literals)) => Some(literals.iter().map(|&literal| literal.to_owned()).collect()),
            _ => None,
        };
        SpaceSlot {
            name: slot.name.to_owned(),
            kind: kind.map(Into::into),
            values: literals,
            unusable: SlotKind::of(&slot.form),
        }
    });
    SpaceStep { phase: step.phase, text: step.text.to_owned(), skeleton: step.skeleton.clone(), slots: slots.collect() }
}

/// The Then steps, one for each skeleton, reached by nothing yet.
fn outcomes(space: &Space<'_>) -> Vec<Outcome> {
    let mut seen: HashSet<&str> = HashSet::new();
    let then = space.steps.iter().enumerate().filter(|(_, step)| step.phase == Phase::Then);
    then.filter(|(_, step)| seen.insert(&step.skeleton))
        .map(|(at, step)| Outcome { skeleton: step.skeleton.clone(), step: at, payload: payload(step), examples: 0 })
        .collect()
}

fn payload(step: &ReadStep<'_>) -> Vec<PayloadSlot> {
    let mut seen: HashSet<&str> = HashSet::new();
    let typed = step.step.slots().filter_map(|slot| match &slot.form {
        SlotForm::Typed(kind) => Some((slot.name, kind)),
        _ => None,
    });
    typed
        .filter(|(name, _)| seen.insert(name))
        .map(|(name, kind)| PayloadSlot {
            name: name.to_owned(),
            kind: kind.into(),
            values: closed_values(kind).filter(|_| matches!(kind, SlotType::OneOf(_))).map(|values| owned(&values)),
        })
        .collect()
}

/// The outcomes that each example names, each once, in its order; counted where they are declared.
fn reached(examples: &[ReadExample<'_>], outcomes: &mut [Outcome]) -> Vec<Vec<String>> {
    let places: HashMap<String, usize> =
        outcomes.iter().enumerate().map(|(place, outcome)| (outcome.skeleton.clone(), place)).collect();
    let of_example = |example: &ReadExample<'_>| {
        let mut seen: HashSet<usize> = HashSet::new();
        let then = example.entry.iter().filter(|step| step.phase == Phase::Then);
        then.filter_map(|step| {
            let place = *places.get(&step.skeleton)?;
            let outcome = outcomes.get_mut(place)?;
            seen.insert(place).then(|| {
                outcome.examples += 1;
                step.skeleton.clone()
            })
        })
        .collect()
    };
    examples.iter().map(of_example).collect()
}

fn row(
    example: &ReadExample<'_>,
    space: &Space<'_>,
    point: &Point<'_>,
    matched: bool,
    outcomes: Vec<String>,
    enabled: bool,
) -> ExamplePoint {
    let spec = example.spec;
    let (names, bytes) = MAX_MISSING;
    let mut missing = Capped::new(names, bytes);
    let mut bound = point.iter().map(|(place, _)| *place).peekable();
    for (place, dimension) in space.dimensions.iter().enumerate() {
        if bound.next_if_eq(&place).is_some() {
            continue;
        }
        // A walk over all dimensions for each example would be quadratic.
        if !missing.push(dimension.name.len(), || dimension.name.to_owned()) {
            break;
        }
    }
    let left_out = space.dimensions.len() - point.len() - missing.items.len();
    let named = |(place, value): &(usize, _)| Some(setting(space.dimensions.get(*place)?.name, *value));
    ExamplePoint {
        id: spec.id.clone(),
        title: spec.title.clone(),
        file: spec.file.clone(),
        stated_readiness: spec.readiness,
        point: point.iter().filter_map(named).collect(),
        complete: point.len() == space.dimensions.len(),
        missing: missing.items,
        missing_left_out: left_out as u64,
        outcomes,
        matched,
        bindable: matched && example.is_concrete(),
        enabled,
    }
}
