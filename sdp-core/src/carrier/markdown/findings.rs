//! The findings of one stage over one carrier: they come in as the stage meets them, at most 100 of them go out sorted.
//! Nothing here decides what is wrong.

use crate::finding::{Finding, FindingId, finding_order};

/// How many findings one stage keeps; the last place is the limit message's (fact sheet part 3.4).
const LIMIT: usize = 100;

/// What one stage found.
#[derive(Debug)]
pub(super) struct Findings<'f> {
    file: &'f str,
    limit_id: FindingId,
    list: Vec<Finding>,
}

impl<'f> Findings<'f> {
    /// An empty list over one file; `limit_id` is what the limit message is filed under.
    pub(super) fn new(file: &'f str, limit_id: FindingId) -> Self {
        Findings { file, limit_id, list: Vec::new() }
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
        if self.list.len() + 1 < LIMIT {
            self.list.push(Finding::error(id, message).at(self.file, line));
        } else if !self.is_full() {
            let message = "finding limit reached; additional findings suppressed";
            self.list.push(Finding::error(self.limit_id, message).at(self.file, 1));
        }
    }

    /// Keeps one `extract/invalid-markdown-structure`.
    pub(super) fn structure(&mut self, line: u32, message: &'static str) {
        self.push(FindingId::InvalidMarkdownStructure, line, message);
    }

    /// The list in the order of every list of findings; equal ones stay as they were met.
    pub(super) fn finish(mut self) -> Vec<Finding> {
        self.list.sort_by(finding_order);
        self.list
    }
}
