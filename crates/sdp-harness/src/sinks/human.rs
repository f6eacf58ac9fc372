//! `human`: blocks in rustc's manner with the source line and a remedy, for people.

use crate::diagnostic::Diagnostic;
use crate::event::{Event, Run, Sink};
use crate::failure::{self, MANY_FINDINGS, Teller};
use crate::human::{Block, Blocks, Place};
use crate::report::{CaseReport, CaseResult};

/// Makes blocks.
#[derive(Debug)]
pub struct Human {
    colour: bool,
    run: Run,
    /// The blocks of the root that was last spoken of.
    blocks: Option<(Option<String>, Blocks<'static>)>,
}

impl Human {
    /// With or without colours.
    #[must_use]
    pub fn new(colour: bool) -> Self {
        Human { colour, run: Run::default(), blocks: None }
    }

    fn diagnostic(&mut self, one: &Diagnostic) -> String {
        let root = self.run.root_of(one).cloned().unwrap_or_default();
        let held = self.blocks.take().filter(|(name, _)| *name == root.name);
        let (_, blocks) = self
            .blocks
            .insert(held.unwrap_or_else(|| (root.name.clone(), Blocks::new(root.home.clone(), self.colour))));
        let place = one.place(&root);
        let place = place.as_deref().map(|file| Place::of(one, file));
        let block = Block { severity: one.severity, code: Some(&one.rule), ..Block::error(&one.message).at(place) };
        blocks.render(&block.note("help", one.help.as_deref()))
    }

    fn case(&self, report: &CaseReport) -> String {
        let root = self.run.root_named(report.root.as_deref()).cloned().unwrap_or_default();
        let teller = Teller { root: &root, limit: MANY_FINDINGS };
        let name = super::word(&report.name);
        if report.result.is_failure() {
            return format!("---- {name} ----\n{}\n\n", teller.failure(report));
        }
        let mut note = teller.diagnostics(report);
        if report.result == CaseResult::Passed {
            note.push_str(&failure::console(&report.console));
        }
        if note.trim().is_empty() {
            return String::new();
        }
        format!("---- {name} passed, with notes ----\n{}\n\n", note.trim_end())
    }
}

impl Sink for Human {
    fn take(&mut self, event: &Event<'_>) -> String {
        match event {
            Event::Begin(run) => {
                self.run = (*run).clone();
                String::new()
            }
            Event::Diagnostic(one) => self.diagnostic(one),
            Event::Case(report) => self.case(report),
            Event::End(summary) => super::sum(summary),
        }
    }
}
