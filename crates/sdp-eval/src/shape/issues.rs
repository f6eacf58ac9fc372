//! What is wrong with the shape of an artifact, and where. Places come in while a value is read; the first twenty issues by
//! location and the number of the others go out. A value never does.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::compile::secrets::category;

/// How many issues are told.
const MOST_TOLD: usize = 20;

/// How many issues are compared by location; the ones after are counted. A hostile document has millions, each far below.
const MOST_COMPARED: usize = 1000;

/// How many characters of a key are told.
const KEY_SHOWN: usize = 200;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Issue {
    /// The JSON pointer of the value; long keys are cut and control characters escaped. Empty for the whole document.
    pub pointer: String,
    /// What is wrong there. It repeats no value.
    pub message: String,
}

/// What is wrong with a document: the first twenty issues by location (of the first thousand that were met), and how many there
/// are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Issues {
    told: BTreeSet<Issue>,
    count: usize,
}

impl Issues {
    /// The issues that are told, sorted by location; at most twenty.
    pub fn told(&self) -> impl ExactSizeIterator<Item = &Issue> {
        self.told.iter()
    }

    /// How many there are, with those that are not told.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds one.
    pub(crate) fn add(&mut self, place: &Place<'_>, message: &str) {
        self.add_with(place, || message.to_owned());
    }

    /// Adds one whose message is only made where it may be told.
    pub(crate) fn add_with(&mut self, place: &Place<'_>, message: impl FnOnce() -> String) {
        self.count += 1;
        if self.count > MOST_COMPARED {
            return;
        }
        self.told.insert(Issue { pointer: place.pointer(), message: message() });
        if self.told.len() > MOST_TOLD {
            self.told.pop_last();
        }
    }

    /// Adds that something else was expected than the value's type.
    pub(crate) fn expected(&mut self, wants: impl FnOnce() -> String, value: &Value, place: &Place<'_>) {
        self.add_with(place, || format!("expected {}, got {}", wants(), type_of(value)));
    }
}

impl std::fmt::Display for Issues {
    /// One line for each issue that is told, and one for the others.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, issue) in self.told().enumerate() {
            let line_end = if index == 0 { "" } else { "\n" };
            write!(f, "{line_end}{}: {}", issue.pointer, issue.message)?;
        }
        match self.count - self.told.len() {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

/// What a value is, for a message.
pub(crate) const fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Where a value stands, as a chain of steps that lives on the stack of the reader.
pub(crate) enum Place<'up> {
    /// The whole document.
    Root,
    /// A member of an object.
    Key(&'up Place<'up>, &'up str),
    /// An element of an array.
    Index(&'up Place<'up>, usize),
}

/// Whether what is shown of a key is, or is the start of, what is shaped like a secret.
fn is_withheld(key: &str) -> bool {
    let looked_at = key.char_indices().nth(2 * KEY_SHOWN).and_then(|(end, _)| key.get(..end)).unwrap_or(key);
    category(looked_at).is_some()
}

impl<'up> Place<'up> {
    /// A member of what stands here.
    pub(crate) const fn key(&'up self, key: &'up str) -> Self {
        Self::Key(self, key)
    }

    /// An element of what stands here.
    pub(crate) const fn index(&'up self, index: usize) -> Self {
        Self::Index(self, index)
    }

    /// The JSON pointer (RFC 6901), with long keys cut and nothing but `…` of one that is shaped like a secret. Control characters of a
    /// key are escaped, so that an issue is one line.
    fn pointer(&self) -> String {
        let mut steps = Vec::new();
        let mut at = self;
        loop {
            at = match at {
                Self::Root => break,
                Self::Key(up, key) => {
                    let cut = key.char_indices().nth(KEY_SHOWN);
                    let shown = cut.map_or(*key, |(end, _)| key.get(..end).unwrap_or_default());
                    if is_withheld(key) {
                        steps.push("…".to_owned());
                        at = up;
                        continue;
                    }
                    let mut escaped = String::with_capacity(shown.len());
                    for character in shown.chars() {
                        match character {
                            '~' => escaped.push_str("~0"),
                            '/' => escaped.push_str("~1"),
                            control if control.is_control() => escaped.extend(control.escape_unicode()),
                            other => escaped.push(other),
                        }
                    }
                    if cut.is_some() {
                        escaped.push('…');
                    }
                    steps.push(escaped);
                    up
                }
                Self::Index(up, index) => {
                    steps.push(index.to_string());
                    up
                }
            };
        }
        let mut pointer = String::new();
        for step in steps.iter().rev() {
            pointer.push('/');
            pointer.push_str(step);
        }
        pointer
    }
}
