//! What a case has to say, for people: its report comes in, text in rustc's manner goes out. Whatever a corpus or a body
//! wrote is made harmless, and every list is bounded.

use std::fmt::Write as _;

use sdp_core::harmless;
use sdp_core::rules::CARRIERS_CASE;
use sdp_core::rules::name::in_root;

use crate::diagnostic::{Diagnostic, Origin};
use crate::event::RunRoot;
use crate::human::{Block, Blocks, MAX_TEXT, Place};
use crate::report::{CaseReport, CaseResult};

/// How many findings of a case are shown when it fails or when everything is asked for.
pub(crate) const MANY_FINDINGS: usize = 50;

/// How many warnings of a case that passes are shown else: they are no reason to scroll.
pub(crate) const FEW_FINDINGS: usize = 10;

/// How many lines of one case's console are shown.
const MAX_CONSOLE_LINES: usize = 200;

/// Text for one case. The root says where excerpts are read and what files are called.
pub(crate) struct Teller<'r> {
    pub(crate) root: &'r RunRoot,
    /// How many findings are shown.
    pub(crate) limit: usize,
}

impl Teller<'_> {
    /// Why a case fails, and what it printed.
    pub(crate) fn failure(&self, report: &CaseReport) -> String {
        let mut text = match report.result {
            CaseResult::NotRun => {
                let carriers = in_root(report.root.as_deref(), CARRIERS_CASE);
                format!("not run: the carriers give no graph, see the case `{carriers}`\n")
            }
            _ => self.diagnostics(report),
        };
        text.push_str(&console(&report.console));
        text.truncate(text.trim_end().len());
        text
    }

    /// What is said of a case: faults of its body, then findings by what they weigh.
    pub(crate) fn diagnostics(&self, report: &CaseReport) -> String {
        // The text of a case goes through libtest's printer, to which colours are no colours.
        let mut blocks = Blocks::new(&self.root.home, false);
        let mut text = String::new();
        let (faults, mut findings): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
            report.diagnostics.iter().partition(|one| one.origin == Origin::Body);
        for fault in faults {
            text.push_str(&blocks.render(&block(fault, fault.place(self.root).as_deref())));
        }
        // Writing to a String cannot fail, here and below.
        if report.more_problems > 0 {
            let _ = writeln!(text, "… and {} more findings that do not keep the form\n", report.more_problems);
        }
        findings.sort_by_key(|one| one.severity);
        for finding in findings.iter().take(self.limit) {
            text.push_str(&blocks.render(&block(finding, finding.place(self.root).as_deref())));
        }
        let total = findings.len() + report.more_errors + report.more_warnings;
        let left = total - findings.len().min(self.limit);
        if left > 0 {
            let _ = writeln!(text, "… and {left} more\n");
        }
        text
    }
}

/// A diagnostic as a block at a place, see [`Diagnostic::place`].
pub(crate) fn block<'a>(one: &'a Diagnostic, place: Option<&'a str>) -> Block<'a> {
    let place = place.map(|file| Place::of(one, file));
    let code = (one.origin != Origin::Body).then_some(one.rule.as_str());
    let block = Block { severity: one.severity, code, ..Block::error(&one.message).at(place) };
    let block = block.note("subject", one.subject.as_deref());
    let related = one.related.as_deref().filter(|_| one.origin == Origin::Rule);
    block.note("related", related).note("help", one.help.as_deref()).note("rule", one.description.as_deref())
}

/// What a body printed, line by line; empty when it printed nothing.
pub(crate) fn console(entries: &[String]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let mut text = "console output:\n".to_owned();
    let mut lines = entries.iter().flat_map(|entry| entry.split('\n'));
    for line in lines.by_ref().take(MAX_CONSOLE_LINES) {
        let _ = writeln!(text, "{}{}", harmless::CONTINUED, harmless::cut(line, MAX_TEXT));
    }
    let left = lines.count();
    if left > 0 {
        let _ = writeln!(text, "… and {left} more lines");
    }
    text.push('\n');
    text
}
