//! The findings of one stage over one carrier: they come in as the stage meets them, at most 100 of them go out sorted.
//! Nothing here decides what is wrong.

use std::borrow::Cow;

use crate::finding::{Finding, FindingId, finding_order};
use crate::harmless;

/// How many findings one stage keeps; the last place is the limit message's (fact sheet parts 3.4 and 5).
pub(super) const LIMIT: usize = 100;

/// How many characters of a carrier's text a message shows.
const MAX_SHOWN: usize = 200;

/// A text of a carrier as messages show it: a hundred of them may name the same one.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    harmless::shown(text, MAX_SHOWN)
}

/// What one stage found.
#[derive(Debug)]
pub(super) struct Findings<'f> {
    file: &'f str,
    at_limit: (FindingId, &'static str),
    list: Vec<Finding>,
}

impl<'f> Findings<'f> {
    /// An empty list over one file; `at_limit` is what the limit message is filed under, and its text.
    pub(super) fn new(file: &'f str, at_limit: (FindingId, &'static str)) -> Self {
        Findings { file, at_limit, list: Vec::new() }
    }

    /// Whether nothing was found.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether further findings are dropped, so that nobody need word them.
    pub(super) fn is_full(&self) -> bool {
        self.list.len() >= LIMIT
    }

    /// Keeps one finding at a 1-based line.
    pub(super) fn push(&mut self, id: FindingId, line: u32, message: impl Into<String>) {
        self.add(line, || Finding::error(id, message));
    }

    /// Keeps one finding at a 1-based line of the file; it is worded only where it has a place.
    pub(super) fn add(&mut self, line: u32, finding: impl FnOnce() -> Finding) {
        if self.list.len() + 1 < LIMIT {
            self.list.push(finding().at(self.file, line));
        } else if !self.is_full() {
            let (id, message) = self.at_limit;
            self.list.push(Finding::error(id, message).at(self.file, 1));
        }
    }

    /// The list in the order of every list of findings; equal ones stay as they were met.
    pub(super) fn finish(mut self) -> Vec<Finding> {
        self.list.sort_by(finding_order);
        self.list
    }
}
