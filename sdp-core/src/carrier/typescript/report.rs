//! The findings of one TypeScript carrier: they come in as they are met, the errors before all others and at most 100 of
//! them go out. A [`Subject`] knows whether its own document was refused, however many findings there are.

use std::fmt;

use crate::carrier::findings::LIMIT;
use crate::finding::{Finding, FindingId, finding_order};

/// What is found in one file.
#[derive(Debug)]
pub(super) struct Report<'f> {
    file: &'f str,
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
    /// The id of one that had no place.
    left_out: Option<FindingId>,
}

/// What a finding says.
#[derive(Debug, Default)]
pub(super) struct Said {
    message: String,
    path: Option<String>,
    related: Option<String>,
    help: Option<String>,
}

impl Said {
    /// A message.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Said { message: message.into(), ..Said::default() }
    }

    /// The same, and what follows from it.
    pub(super) fn following(mut self, consequence: &str) -> Self {
        self.message.push_str("; ");
        self.message.push_str(consequence);
        self
    }

    /// The same at a field of its subject.
    pub(super) fn at(mut self, path: impl fmt::Display) -> Self {
        self.path = Some(path.to_string());
        self
    }

    /// The same naming a second id or fact.
    pub(super) fn naming(mut self, related: impl Into<String>) -> Self {
        self.related = Some(related.into());
        self
    }

    /// The same with a remedy of its own.
    pub(super) fn help(mut self, help: impl Into<Option<String>>) -> Self {
        self.help = help.into();
        self
    }
}

impl<'f> Report<'f> {
    /// An empty report on a file.
    pub(super) fn new(file: &'f str) -> Self {
        Report { file, errors: Vec::new(), warnings: Vec::new(), left_out: None }
    }

    /// Keeps an error, which is worded only where it has a place.
    fn error(&mut self, id: FindingId, line: u32, subject: Option<&str>, said: impl FnOnce() -> Said) {
        keep(&mut self.errors, &mut self.left_out, id, || found(Finding::error, id, said(), self.file, line, subject));
    }

    /// Keeps a warning, likewise.
    pub(super) fn warning(&mut self, id: FindingId, line: u32, subject: Option<&str>, said: impl FnOnce() -> Said) {
        keep(&mut self.warnings, &mut self.left_out, id, || {
            found(Finding::warning, id, said(), self.file, line, subject)
        });
    }

    /// What was found, in the order of all findings.
    pub(super) fn finish(self) -> Vec<Finding> {
        let Report { file, errors: mut findings, warnings, mut left_out } = self;
        for warning in warnings {
            let id = warning.id;
            keep(&mut findings, &mut left_out, id, || warning);
        }
        if let Some(of) = left_out {
            // How many they are nobody counted.
            let message = format!("the findings of this carrier beyond the first {} are left out", findings.len());
            findings.push(Finding::left_out(of, message).at(file, None));
        }
        findings.sort_by(finding_order);
        findings
    }
}

/// Keeps a finding where it has a place; the last place is that of what says that others had none.
fn keep(list: &mut Vec<Finding>, left_out: &mut Option<FindingId>, id: FindingId, finding: impl FnOnce() -> Finding) {
    if list.len() + 1 < LIMIT {
        list.push(finding());
    } else {
        left_out.get_or_insert(id);
    }
}

fn found(
    weighed: fn(FindingId, String) -> Finding,
    id: FindingId,
    said: Said,
    file: &str,
    line: u32,
    subject: Option<&str>,
) -> Finding {
    let Said { message, path, related, help } = said;
    let finding = weighed(id, message).at(file, line);
    Finding { subject: subject.map(str::to_owned), path, related, help, ..finding }
}

/// The findings of one document in the making.
#[derive(Debug)]
pub(super) struct Subject<'r, 'f> {
    report: &'r mut Report<'f>,
    /// Its id, where it has one.
    pub(super) id: Option<String>,
    is_refused: bool,
}

impl<'r, 'f> Subject<'r, 'f> {
    /// A document without an id yet.
    pub(super) fn new(report: &'r mut Report<'f>) -> Self {
        Subject { report, id: None, is_refused: false }
    }

    /// An error: the document is refused.
    pub(super) fn error(&mut self, id: FindingId, line: u32, said: impl FnOnce() -> Said) {
        self.is_refused = true;
        self.report.error(id, line, self.id.as_deref(), said);
    }

    /// An error about a member that is dropped; the document stands without it (newest sheet part 2).
    pub(super) fn member_error(&mut self, id: FindingId, line: u32, said: impl FnOnce() -> Said) {
        self.report.error(id, line, self.id.as_deref(), said);
    }

    /// A warning: something is dropped from the document.
    pub(super) fn warning(&mut self, id: FindingId, line: u32, said: impl FnOnce() -> Said) {
        self.report.warning(id, line, self.id.as_deref(), said);
    }

    /// Whether an error refused the document.
    pub(super) fn is_refused(&self) -> bool {
        self.is_refused
    }
}
