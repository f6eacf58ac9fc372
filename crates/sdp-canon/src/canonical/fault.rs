//! Why a value has no canonical text, and where. A reason and the steps to the value that has it come in; a JSON pointer
//! and the reason go out. The value itself is never repeated.

use std::fmt;

use super::MAX_SAFE_INTEGER;
use crate::json::MAX_DEPTH;

/// The most characters of a key that a pointer shows.
const SHOWN: usize = 200;

/// A refusal of this module: which value, and why. It never says what the value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalFault {
    /// The JSON pointer (RFC 6901) of the value; empty for the outermost one. Of a key it has the first 200 characters
    /// and then `…`.
    pub pointer: String,
    /// What is wrong with the value.
    pub reason: CanonicalReason,
}

impl fmt::Display for CanonicalFault {
    /// The reason and the pointer, in quotes and escaped so that it stays on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:?}", self.reason, self.pointer)
    }
}

impl std::error::Error for CanonicalFault {}

/// What keeps a value from having a canonical text. The text of a reason names no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CanonicalReason {
    /// An integer so far from zero that binary64 does not tell it from its neighbours.
    #[error("an integer beyond {MAX_SAFE_INTEGER}")]
    UnsafeInteger,
    /// A number that is not finite, which JSON has no text for.
    #[error("a number without a finite value")]
    NotFinite,
    /// An array or object with [`MAX_DEPTH`] others around it.
    #[error("nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
}

/// One step into a value.
#[derive(Clone, Copy)]
pub(super) enum Segment<'value> {
    /// Into an array, to the value at this place.
    Index(usize),
    /// Into an object, to the value of this key.
    Key(&'value str),
}

impl CanonicalFault {
    /// The fault of the value to which these steps lead.
    pub(super) fn new<'value>(reason: CanonicalReason, steps: impl Iterator<Item = Segment<'value>>) -> Self {
        let mut pointer = String::new();
        for step in steps {
            pointer.push('/');
            match step {
                Segment::Index(index) => pointer.push_str(&index.to_string()),
                Segment::Key(key) => pointer.push_str(&shown(key)),
            }
        }
        Self { pointer, reason }
    }
}

/// A key as a pointer has it, cut where it is too long.
fn shown(key: &str) -> String {
    let (start, cut) = match key.char_indices().nth(SHOWN) {
        Some((end, _)) => (key.get(..end).unwrap_or_default(), "…"),
        None => (key, ""),
    };
    start.replace('~', "~0").replace('/', "~1") + cut
}
