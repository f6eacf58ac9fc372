//! What a case has to say, for people: a verdict comes in, text in rustc's manner goes out. Whatever a corpus or a body
//! wrote is made harmless, and every list is bounded.

use std::fmt::Write as _;
use std::path::Path;

use sdp_core::finding::Finding;
use sdp_core::harmless;
use sdp_core::rules::{BodyText, CaseError, Judgement, Outcome, RuleFinding, Verdict};
use sdp_core::script::EvalError;

use crate::human::{Block, Blocks, MAX_TEXT, Place};

/// How many findings of a case are shown when it fails or when everything is asked for.
pub(crate) const MANY_FINDINGS: usize = 50;

/// How many warnings of a case that passes are shown else: they are no reason to scroll.
pub(crate) const FEW_FINDINGS: usize = 10;

/// How many lines of one case's console are shown.
const MAX_CONSOLE_LINES: usize = 200;

/// Text for one case. The root is where excerpts are read.
pub(crate) struct Teller<'r> {
    pub(crate) root: &'r Path,
    /// Where the case itself stands, for what has no other place: a rule file, a line of the configuration, a recipe.
    pub(crate) source: Option<String>,
    /// What the configuration says of the rule.
    pub(crate) description: Option<&'r str>,
    /// How many findings are shown.
    pub(crate) limit: usize,
}

impl Teller<'_> {
    /// Why a case fails, and what it printed.
    pub(crate) fn failure(&self, outcome: &Outcome) -> String {
        let mut text = match &outcome.verdict {
            Verdict::Engine(findings) => self.findings(findings),
            Verdict::NoSpecs { root, findings } => self.no_specs(root, findings),
            Verdict::Judged(judgement) => self.judgement(judgement),
            Verdict::Broken(error) => self.broken(error),
            Verdict::NotRun => "not run: the carriers give no graph, see the case `extract::carriers`\n".to_owned(),
            Verdict::OnlyReports => String::new(),
        };
        text.push_str(&console(&outcome.console));
        text.truncate(text.trim_end().len());
        text
    }

    /// The warnings of a case that passes; empty when it has none.
    pub(crate) fn warnings(&self, outcome: &Outcome) -> String {
        match &outcome.verdict {
            Verdict::Engine(findings) => self.findings(findings),
            Verdict::Judged(judgement) => self.judgement(judgement),
            _ => String::new(),
        }
    }

    fn findings(&self, findings: &[Finding]) -> String {
        let mut shown: Vec<&Finding> = findings.iter().collect();
        shown.sort_by_key(|finding| finding.severity);
        let mut blocks = self.blocks();
        let mut text = String::new();
        for finding in shown.into_iter().take(self.limit) {
            let block = Block::from(finding).note("subject", finding.subject.as_deref());
            text.push_str(&blocks.render(&block.note("help", Some(finding.remedy()))));
        }
        self.more(&mut text, findings.len());
        text
    }

    fn no_specs(&self, root: &Path, findings: &[Finding]) -> String {
        let message = format!("no Spec was found below {}", root.display());
        let looked_for = "looked for carriers named `*.sdp.md`, `*.sdp.gherkin` and `*.sdp.ts`";
        let mut text = self.blocks().render(&Block::error(&message).note("note", Some(looked_for)));
        text.push_str(&self.findings(findings));
        text
    }

    fn judgement(&self, judgement: &Judgement) -> String {
        let mut blocks = self.blocks();
        let mut text = String::new();
        for problem in &judgement.problems {
            text.push_str(&blocks.render(&Block::error(&problem.to_string()).at(self.own_place())));
        }
        if judgement.more_problems > 0 {
            let _ = writeln!(text, "… and {} more findings that do not keep the form\n", judgement.more_problems);
        }
        let mut shown: Vec<&RuleFinding> = judgement.findings.kept.iter().collect();
        shown.sort_by_key(|finding| finding.severity);
        for finding in shown.into_iter().take(self.limit) {
            let place = finding.place.as_ref().map(|place| Place { line: place.line, ..Place::whole(&place.file) });
            let block = Block {
                severity: finding.severity,
                code: Some(&finding.rule),
                ..Block::error(&finding.message).at(place)
            };
            let block = block.note("subject", finding.subject.as_deref()).note("related", finding.related.as_deref());
            let block = block.note("rule", self.description);
            text.push_str(&blocks.render(&block));
        }
        self.more(&mut text, judgement.findings.errors + judgement.findings.warnings);
        text
    }

    fn broken(&self, error: &CaseError) -> String {
        match error {
            CaseError::Eval { error, body } => self.broken_body(error, body),
            CaseError::NoData { error, body } => {
                self.blocks().render(&Block::error(&error.to_string()).at(Some(Place::whole(&body.name))))
            }
            CaseError::Body { .. } | CaseError::NoRecipe(_) => {
                self.blocks().render(&Block::error(&error.to_string()).at(self.own_place()))
            }
        }
    }

    fn broken_body(&self, error: &EvalError, body: &BodyText) -> String {
        let (head, line, column, hint) = match error {
            EvalError::Thrown(thrown) => {
                let name = thrown.name.as_deref().map(|name| format!("{name}: ")).unwrap_or_default();
                let column =
                    thrown.line.zip(thrown.column).and_then(|(line, column)| in_characters(&body.text, line, column));
                (format!("{name}{}", thrown.message), thrown.line, column, thrown.hint)
            }
            EvalError::Parse { line, column, .. } => (error.to_string(), Some(*line), Some(*column), None),
            other => (other.to_string(), None, None, None),
        };
        let place = Place { file: &body.name, line, column, text: Some(&body.text) };
        self.blocks().render(&Block::error(&head).at(Some(place)).note("help", hint))
    }

    /// Where the case itself stands.
    fn own_place(&self) -> Option<Place<'_>> {
        self.source.as_deref().map(Place::whole)
    }

    /// The text of a case goes through libtest's printer, to which colours are no colours.
    fn blocks(&self) -> Blocks<'_> {
        Blocks::new(self.root, false)
    }

    fn more(&self, text: &mut String, total: usize) {
        if total > self.limit {
            // Writing to a String cannot fail, here and below.
            let _ = writeln!(text, "… and {} more\n", total - self.limit);
        }
    }
}

/// A 1-based column that counts bytes, in characters. None where the text has no such line.
fn in_characters(text: &str, line: u32, column: u32) -> Option<u32> {
    let line = text.split('\n').nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
    let bytes_before = usize::try_from(column).ok()?.checked_sub(1)?;
    let before = line.char_indices().take_while(|(at, _)| *at < bytes_before).count();
    u32::try_from(before).ok()?.checked_add(1)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_in_bytes_becomes_one_in_characters() {
        assert_eq!(in_characters("a\né日x", 2, 1), Some(1));
        assert_eq!(in_characters("a\né日x", 2, 6), Some(3));
        assert_eq!(in_characters("a\né日x", 2, 99), Some(4));
        assert_eq!(in_characters("a", 2, 1), None);
        assert_eq!(in_characters("a", 0, 1), None);
        assert_eq!(in_characters("a", 1, 0), None);
    }
}
