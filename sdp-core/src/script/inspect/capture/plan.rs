//! How an object will be shown, decided before anything inside it is looked at: its brace, what stands before it, and where its
//! entries come from. Plain data between `kinds`, which decides, and `entries`, which carries it out.

use rquickjs::{Array, Value};

use super::{Base, Failure, Shape};

/// How an object is shown, before anything inside it is looked at.
pub(super) struct Plan<'js> {
    pub base: Base,
    pub open: String,
    pub close: &'static str,
    pub list: bool,
    pub content: Content<'js>,
    pub keys: Keys<'js>,
}

pub(super) enum Step<'js> {
    /// The object has no entries to show.
    Done(Shape),
    Open(Box<Plan<'js>>),
}

/// Entries that come before the properties.
pub(super) enum Content<'js> {
    None,
    Array,
    Set { size: f64 },
    Map { size: f64 },
    Typed { length: f64 },
    Iterator { pairs: bool, members: Array<'js> },
    Bytes,
    Promise,
    Weak,
}

/// Keys of the properties to show.
pub(super) enum Keys<'js> {
    /// Keys alone.
    List(Array<'js>),
    /// Keys with what they hold, three cells each, from a cell on.
    Cells(Array<'js>, usize),
    Few(Vec<Value<'js>>),
}

impl Keys<'_> {
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::List(list) => list.is_empty(),
            Self::Cells(cells, from) => cells.len() <= *from,
            Self::Few(keys) => keys.is_empty(),
        }
    }
}

/// The keys alone, for the kinds that have few.
pub(super) fn into_few<'js>(keys: Keys<'js>) -> Result<Vec<Value<'js>>, Failure> {
    match keys {
        Keys::Few(keys) => Ok(keys),
        Keys::List(list) => Ok(list.iter().collect::<rquickjs::Result<_>>()?),
        Keys::Cells(cells, from) => Ok(cells.iter().skip(from).step_by(3).collect::<rquickjs::Result<_>>()?),
    }
}
