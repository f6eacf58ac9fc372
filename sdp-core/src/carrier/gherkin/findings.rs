//! How the grammar reports: the shared list, with what only this carrier says.

use crate::finding::{Finding, FindingId};

use super::syntax::Position;

pub(super) use crate::carrier::findings::{Findings, shown};

/// What stands for the findings behind the limit.
pub(super) const AT_LIMIT: (FindingId, &str) = (
    FindingId::TooManyGherkinFindings,
    "the Gherkin carrier produced too many semantic findings; reporting is capped at 100",
);

impl Findings<'_> {
    /// Keeps one `extract/gherkin-grammar` about a Spec, where its id is known by then.
    pub(super) fn grammar(
        &mut self,
        at: Position,
        subject: Option<&str>,
        help: impl Into<String>,
        message: impl FnOnce() -> String,
    ) {
        self.add(at.line, || {
            let mut finding = Finding::error(FindingId::GherkinGrammar, message()).with_help(help);
            finding.subject = subject.map(str::to_owned);
            finding.column = Some(at.column);
            finding
        });
    }

    /// Keeps one `extract/invalid-id` about a tag.
    pub(super) fn invalid_id(&mut self, at: Position, help: &'static str, message: impl FnOnce() -> String) {
        self.add(at.line, || {
            let mut finding = Finding::error(FindingId::InvalidId, message()).with_help(help);
            finding.column = Some(at.column);
            finding
        });
    }
}
