//! What the examples of a space take and what none takes: dimensions and points go in; values, and pairs of values on
//! request, come out. Pairs are counted, and only the first ones are listed, so that no space can span too many.

use hashbrown::{HashMap, HashSet};
use std::mem::size_of;

use super::answer::{Dimension, Setting, TakenValue, Value};
use super::capped::Capped;
use super::example::Point;
use super::vocabulary::{Declared, Space};
use crate::notation::{SlotType, SlotValue};
use crate::order::by_code_units;

/// How many closed dimensions are paired; each two of them cost a walk over the examples.
const MAX_PAIRED: usize = 64;
/// How many pairs are listed.
const MAX_PAIRS: usize = 1_000;
/// How much text the listed pairs hold, in bytes.
const MAX_PAIR_BYTES: usize = 1024 * 1024;

/// The values of a closed type, each once, in order; none for numbers and strings.
pub(super) fn closed_values<'g>(kind: &SlotType<'g>) -> Option<Vec<SlotValue<'g>>> {
    match kind {
        SlotType::Number | SlotType::String => None,
        SlotType::Boolean => Some(vec![SlotValue::Boolean(true), SlotValue::Boolean(false)]),
        SlotType::OneOf(literals) => {
            let mut seen = HashSet::new();
            let once = literals.iter().filter(|literal| seen.insert(**literal));
            Some(once.map(|literal| SlotValue::Text(literal)).collect())
        }
    }
}

/// Values on the wire.
pub(super) fn owned(values: &[SlotValue<'_>]) -> Vec<Value> {
    values.iter().map(|value| Value::from(*value)).collect()
}

/// Each dimension with the values that the points take and do not take.
pub(super) fn dimensions(space: &Space<'_>, points: &[Point<'_>]) -> Vec<Dimension> {
    let mut bound: Vec<Vec<SlotValue<'_>>> = vec![Vec::new(); space.dimensions.len()];
    for (place, value) in points.iter().flatten() {
        if let Some(values) = bound.get_mut(*place) {
            values.push(*value);
        }
    }
    space.dimensions.iter().zip(bound).map(|(declared, bound)| dimension(declared, bound)).collect()
}

fn dimension<'g>(declared: &Declared<'g>, bound: Vec<SlotValue<'g>>) -> Dimension {
    let closed = closed_values(&declared.kind);
    let taken = match &closed {
        Some(values) => count_closed(values, &bound),
        None => count_open(bound),
    };
    let (mut used, mut untaken) = (Vec::new(), Vec::new());
    for (value, examples) in taken {
        if examples > 0 {
            used.push(TakenValue { value: value.into(), examples });
        } else {
            untaken.push(value);
        }
    }
    Dimension {
        name: declared.name.to_owned(),
        kind: (&declared.kind).into(),
        step: declared.step,
        untaken: closed.is_some().then(|| owned(&untaken)),
        values: closed.map(|values| owned(&values)),
        taken: used,
    }
}

/// How often each value of a closed dimension is bound, in its order.
fn count_closed<'g>(values: &[SlotValue<'g>], bound: &[SlotValue<'g>]) -> Vec<(SlotValue<'g>, usize)> {
    let places = places(values);
    let mut counts = vec![0; values.len()];
    for value in bound {
        if let Some(count) = places.get(&Key::of(*value)).and_then(|place| counts.get_mut(*place)) {
            *count += 1;
        }
    }
    values.iter().copied().zip(counts).collect()
}

/// How often each value of an open dimension is bound; numbers by size, texts by code units.
fn count_open(mut bound: Vec<SlotValue<'_>>) -> Vec<(SlotValue<'_>, usize)> {
    bound.sort_by(|left, right| match (left, right) {
        (SlotValue::Number(left), SlotValue::Number(right)) => left.total_cmp(right),
        (SlotValue::Text(left), SlotValue::Text(right)) => by_code_units(left, right),
        _ => std::cmp::Ordering::Equal,
    });
    let runs = bound.chunk_by(|left, right| left == right);
    runs.filter_map(|run| Some((*run.first()?, run.len()))).collect()
}

/// A value of a closed dimension as a key.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key<'g> {
    Text(&'g str),
    Boolean(bool),
    Number,
}

impl<'g> Key<'g> {
    fn of(value: SlotValue<'g>) -> Self {
        match value {
            SlotValue::Text(text) => Key::Text(text),
            SlotValue::Boolean(value) => Key::Boolean(value),
            // No closed dimension holds a number.
            SlotValue::Number(_) => Key::Number,
        }
    }
}

fn places<'g>(values: &[SlotValue<'g>]) -> HashMap<Key<'g>, usize> {
    values.iter().enumerate().map(|(place, value)| (Key::of(*value), place)).collect()
}

/// The pairs that no point takes.
#[derive(Debug)]
pub(super) struct Pairs {
    pub(super) listed: Vec<[Setting; 2]>,
    pub(super) left_out: u64,
    pub(super) dimensions_left_out: u64,
}

/// One closed dimension, and where each point stands in it.
struct Axis<'g> {
    name: &'g str,
    values: Vec<SlotValue<'g>>,
    /// The position of each point's value.
    taken: Vec<Option<usize>>,
}

/// The pairs of values of two closed dimensions that no point takes, in the order of dimensions and values.
pub(super) fn untaken_pairs(space: &Space<'_>, points: &[Point<'_>]) -> Pairs {
    let closed = |(place, declared): (usize, _)| axis(place, declared, points);
    let axes: Vec<Axis<'_>> = space.dimensions.iter().enumerate().filter_map(closed).take(MAX_PAIRED).collect();
    let all = space.dimensions.iter().filter(|declared| is_closed(&declared.kind)).count();
    let mut listed = Capped::new(MAX_PAIRS, MAX_PAIR_BYTES);
    let mut untaken = 0;
    let mut rest = axes.as_slice();
    while let Some((left, behind)) = rest.split_first() {
        for right in behind {
            untaken += pair(left, right, &mut listed);
        }
        rest = behind;
    }
    let left_out = untaken - listed.items.len() as u64;
    Pairs { listed: listed.items, left_out, dimensions_left_out: (all - axes.len()) as u64 }
}

fn is_closed(kind: &SlotType<'_>) -> bool {
    matches!(kind, SlotType::Boolean | SlotType::OneOf(_))
}

fn axis<'g>(place: usize, declared: &Declared<'g>, points: &[Point<'_>]) -> Option<Axis<'g>> {
    let values = closed_values(&declared.kind)?;
    let places = places(&values);
    let at = |point: &Point<'_>| {
        let bound = point.binary_search_by_key(&place, |(place, _)| *place).ok()?;
        let (_, value) = point.get(bound)?;
        places.get(&Key::of(*value)).copied()
    };
    let taken = points.iter().map(at).collect();
    Some(Axis { name: declared.name, values, taken })
}

/// Lists the pairs of two dimensions that no point takes, as far as they fit, and counts all of them.
fn pair(left: &Axis<'_>, right: &Axis<'_>, listed: &mut Capped<[Setting; 2]>) -> u64 {
    let taken: HashSet<(usize, usize)> =
        left.taken.iter().zip(&right.taken).filter_map(|(left, right)| Some(((*left)?, (*right)?))).collect();
    // Both counts are below the bytes of a carrier, so the product fits.
    let untaken = (left.values.len() as u64) * (right.values.len() as u64) - taken.len() as u64;
    'listing: for (at_left, value) in left.values.iter().enumerate() {
        for (at_right, other) in right.values.iter().enumerate() {
            if taken.contains(&(at_left, at_right)) {
                continue;
            }
            let bytes = left.name.len() + right.name.len() + bytes_of(*value) + bytes_of(*other);
            if !listed.push(bytes, || [setting(left.name, *value), setting(right.name, *other)]) {
                break 'listing;
            }
        }
    }
    untaken
}

/// A dimension at a value, on the wire.
pub(super) fn setting(dimension: &str, value: SlotValue<'_>) -> Setting {
    Setting { dimension: dimension.to_owned(), value: value.into() }
}

fn bytes_of(value: SlotValue<'_>) -> usize {
    match value {
        SlotValue::Text(text) => text.len(),
        SlotValue::Number(_) | SlotValue::Boolean(_) => size_of::<SlotValue<'_>>(),
    }
}
