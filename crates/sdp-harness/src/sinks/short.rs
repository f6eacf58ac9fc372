//! `short`: one line for each finding, as the Protocol pins it, and one that sums up.

use std::fmt::Write as _;

use crate::diagnostic::Diagnostic;
use crate::event::{Event, Run, Sink};
use crate::report::{CaseReport, CaseResult};

/// Makes lines.
#[derive(Debug, Default)]
pub struct Short {
    run: Run,
}

impl Short {
    fn line(&self, one: &Diagnostic) -> String {
        let place = self.run.root_of(one).and_then(|root| one.place(root)).or_else(|| one.file.clone());
        one.line_form(place.as_deref()) + "\n"
    }

    fn case(&self, report: &CaseReport) -> String {
        let mut text: String = report.diagnostics.iter().map(|one| self.line(one)).collect();
        let name = super::word(&report.name);
        // Writing to a String cannot fail, here and below.
        if report.result == CaseResult::NotRun {
            let _ = writeln!(text, "[error] {name} — not run: the carriers give no graph");
        }
        if let Some(left_out) = super::left_out(report) {
            let severity = if report.result.is_failure() { "error" } else { "warning" };
            let _ = writeln!(text, "[{severity}] {name} — {left_out}");
        }
        text
    }
}

impl Sink for Short {
    fn take(&mut self, event: &Event<'_>) -> String {
        match event {
            Event::Begin(run) => {
                self.run = (*run).clone();
                String::new()
            }
            Event::Diagnostic(one) => self.line(one),
            Event::Case(report) => self.case(report),
            Event::End(summary) => super::sum(summary),
        }
    }
}
