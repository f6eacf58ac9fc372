//! The one way through a value. A value and the order of its members come in; its parts go out one by one, as a text has
//! them, and the first fault with its place. Open arrays and objects stand on a stack of its own, never on the call stack.

use std::{iter, slice, vec};

use serde_json::{Map, Number, Value};

use super::fault::{CanonicalFault, CanonicalReason, Segment};
use crate::json::MAX_DEPTH;
use crate::order::by_code_units;

/// In which order the members of an object come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Members {
    /// As they were written.
    Authored,
    /// By the UTF-16 code units of their keys.
    Sorted,
}

/// A part of a value.
pub(super) enum Part<'value> {
    /// An opening or closing bracket, or the comma between two members.
    Mark(char),
    /// The key of the value that comes next.
    Key(&'value str),
    /// `null`, `true` or `false`.
    Literal(&'static str),
    /// A number, finite or not.
    Number(&'value Number),
    /// A string.
    Text(&'value str),
}

/// An array or object that is not left yet.
struct Level<'value> {
    rest: Rest<'value>,
    /// The member that is looked at; none before the first.
    at: Option<Segment<'value>>,
}

/// The members that are still to come.
enum Rest<'value> {
    Array(iter::Enumerate<slice::Iter<'value, Value>>),
    Object(vec::IntoIter<(&'value str, &'value Value)>),
}

impl<'value> Rest<'value> {
    /// The members of an object.
    fn of(members: &'value Map<String, Value>, order: Members) -> Self {
        let mut members: Vec<_> = members.iter().map(|(key, value)| (key.as_str(), value)).collect();
        if order == Members::Sorted {
            members.sort_unstable_by(|(left, _), (right, _)| by_code_units(left, right));
        }
        Self::Object(members.into_iter())
    }

    fn next(&mut self) -> Option<(Segment<'value>, &'value Value)> {
        match self {
            Self::Array(values) => values.next().map(|(index, value)| (Segment::Index(index), value)),
            Self::Object(members) => members.next().map(|(key, value)| (Segment::Key(key), value)),
        }
    }

    fn closing(&self) -> char {
        match self {
            Self::Array(_) => ']',
            Self::Object(_) => '}',
        }
    }
}

/// Hands every part of `value` to `see`; stops at the first reason that it gives, or where the value is too deep.
pub(super) fn walk<'value>(
    value: &'value Value,
    order: Members,
    mut see: impl FnMut(Part<'value>) -> Result<(), CanonicalReason>,
) -> Result<(), CanonicalFault> {
    let mut open: Vec<Level<'value>> = Vec::new();
    steps(value, order, &mut open, &mut see)
        .map_err(|reason| CanonicalFault::new(reason, open.iter().filter_map(|level| level.at)))
}

/// What [`walk`] does. At a fault `open` holds the arrays and objects around it.
fn steps<'value>(
    mut value: &'value Value,
    order: Members,
    open: &mut Vec<Level<'value>>,
    see: &mut impl FnMut(Part<'value>) -> Result<(), CanonicalReason>,
) -> Result<(), CanonicalReason> {
    loop {
        if open.len() >= MAX_DEPTH && (value.is_array() || value.is_object()) {
            return Err(CanonicalReason::TooDeep);
        }
        match value {
            Value::Null => see(Part::Literal("null"))?,
            Value::Bool(true) => see(Part::Literal("true"))?,
            Value::Bool(false) => see(Part::Literal("false"))?,
            Value::Number(number) => see(Part::Number(number))?,
            Value::String(string) => see(Part::Text(string))?,
            Value::Array(values) => {
                see(Part::Mark('['))?;
                open.push(Level { rest: Rest::Array(values.iter().enumerate()), at: None });
            }
            Value::Object(members) => {
                see(Part::Mark('{'))?;
                open.push(Level { rest: Rest::of(members, order), at: None });
            }
        }
        // On to the next member of what is open; out of all that ends here.
        value = loop {
            let Some(level) = open.last_mut() else { return Ok(()) };
            let Some((segment, member)) = level.rest.next() else {
                see(Part::Mark(level.rest.closing()))?;
                open.pop();
                continue;
            };
            if level.at.replace(segment).is_some() {
                see(Part::Mark(','))?;
            }
            if let Segment::Key(key) = segment {
                see(Part::Key(key))?;
            }
            break member;
        };
    }
}
