//! How the stages of this carrier report: the shared list, with what only Markdown says.

use crate::finding::FindingId;

pub(super) use crate::carrier::findings::{Findings, shown};

/// The text of the finding that stands for those behind the limit.
pub(super) const LIMIT_REACHED: &str = "finding limit reached; additional findings suppressed";

impl Findings<'_> {
    /// Keeps one `extract/invalid-markdown-structure`.
    pub(super) fn structure(&mut self, line: u32, message: &'static str) {
        self.push(FindingId::InvalidMarkdownStructure, line, message);
    }
}
