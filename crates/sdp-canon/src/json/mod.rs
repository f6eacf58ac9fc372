//! The strict, bounded JSON reader. A text and [`Limits`] come in; one value or one refusal with its place goes out. It must
//! never take a second meaning for a text: a key given twice, half a surrogate pair or a number without a finite value
//! is refused, never repaired.

use serde_json::Value;

mod error;
mod parser;
mod place;
#[cfg(test)]
mod tests;

pub use error::{JsonError, JsonErrorKind};
pub use place::{Found, Step, find, locate};

/// The most levels that any limit allows. A `Value` is dropped, compared and written by recursion, so a deeper one could
/// overflow the stack of whoever holds it.
pub const MAX_DEPTH: usize = 1024;

/// What [`read`] accepts at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest text, in bytes. The value can take up to about 150 times as much memory.
    pub max_bytes: usize,
    /// The most arrays and objects that may stand inside each other: with 1, `[]` is fine and `[[]]` is not. A limit
    /// above [`MAX_DEPTH`] counts as [`MAX_DEPTH`].
    pub max_depth: usize,
    /// What a key that is given twice does.
    pub duplicate_keys: DuplicateKeys,
}

impl Default for Limits {
    /// 8 MiB, 128 levels, duplicate keys refused.
    fn default() -> Self {
        Self { max_bytes: 8 << 20, max_depth: 128, duplicate_keys: DuplicateKeys::Refuse }
    }
}

/// What a key that an object gives twice does. Keys are compared after unescaping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DuplicateKeys {
    /// It is refused in every object.
    #[default]
    Refuse,
    /// It is refused in the outermost object only. In every other object the last value stands, at the place of the
    /// first, as `JSON.parse` has it.
    RefuseTopLevel,
}

/// Reads a text that is one JSON value (RFC 8259) and white space around it.
///
/// Objects keep their authored order, and no key is special. Integers are kept exactly as far as `i64` and `u64` reach;
/// every other number is the nearest `f64`, and `-0` is `-0.0`.
///
/// # Errors
///
/// A [`JsonError`] with the first fault in the text. A byte order mark is one too: a caller that accepts it drops it first.
pub fn read(text: &str, limits: &Limits) -> Result<Value, JsonError> {
    parser::parse(text, limits).map_err(|fault| JsonError::locate(text, fault))
}
