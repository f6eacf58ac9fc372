//! What a case has to say, for people: a verdict comes in, text in rustc's manner goes out. Whatever a corpus or a body
//! wrote is made harmless, and every list is bounded.

use std::fmt::Write as _;
use std::path::Path;

use sdp_core::finding::{Finding, Severity};
use sdp_core::rules::{BodyText, CaseError, Judgement, Outcome, RuleFinding, Verdict, harmless};
use sdp_core::script::EvalError;

use crate::excerpt;

/// How many characters of one message are shown.
pub(crate) const MAX_TEXT: usize = 4_000;

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
        let mut text = String::new();
        for finding in shown.iter().take(self.limit) {
            let place = finding.file.as_deref().map(|file| (file, finding.line, finding.column));
            self.block(&mut text, finding.severity, Some(finding.id.as_str()), &finding.message, place);
            note(&mut text, "subject", finding.subject.as_deref());
            note(&mut text, "help", Some(finding.remedy()));
            text.push('\n');
        }
        self.more(&mut text, findings.len());
        text
    }

    fn no_specs(&self, root: &Path, findings: &[Finding]) -> String {
        let root = harmless(&root.display().to_string(), MAX_TEXT);
        let mut text = format!(
            "error: no Spec was found below {root}\n   = note: looked for carriers named `*.sdp.md`, `*.sdp.gherkin` and `*.sdp.ts`\n\n"
        );
        text.push_str(&self.findings(findings));
        text
    }

    fn judgement(&self, judgement: &Judgement) -> String {
        let mut text = String::new();
        for problem in &judgement.problems {
            let place = self.source.as_deref().map(|source| (source, None, None));
            self.block(&mut text, Severity::Error, None, &problem.to_string(), place);
            text.push('\n');
        }
        if judgement.more_problems > 0 {
            let _ = writeln!(text, "… and {} more findings that do not keep the form\n", judgement.more_problems);
        }
        let mut shown: Vec<&RuleFinding> = judgement.findings.kept.iter().collect();
        shown.sort_by_key(|finding| finding.severity);
        for finding in shown.iter().take(self.limit) {
            let place = finding.place.as_ref().map(|place| (place.file.as_str(), place.line, None));
            self.block(&mut text, finding.severity, Some(&finding.rule), &finding.message, place);
            note(&mut text, "subject", finding.subject.as_deref());
            note(&mut text, "related", finding.related.as_deref());
            text.push('\n');
        }
        self.more(&mut text, judgement.findings.errors + judgement.findings.warnings);
        text
    }

    fn broken(&self, error: &CaseError) -> String {
        let mut text = String::new();
        match error {
            CaseError::Eval { error, body } => broken_body(&mut text, error, body),
            CaseError::NoData { error, body } => {
                let _ = writeln!(text, "error: {}", harmless(&error.to_string(), MAX_TEXT));
                arrow(&mut text, &body.name, None, None);
            }
            CaseError::Body { .. } | CaseError::NoRecipe(_) => {
                let place = self.source.as_deref().map(|source| (source, None, None));
                self.block(&mut text, Severity::Error, None, &error.to_string(), place);
            }
        }
        text.push('\n');
        text
    }

    fn more(&self, text: &mut String, total: usize) {
        if total > self.limit {
            // Writing to a String cannot fail, here and below.
            let _ = writeln!(text, "… and {} more\n", total - self.limit);
        }
    }

    /// Head, place and excerpt of one finding.
    fn block(
        &self,
        text: &mut String,
        severity: Severity,
        rule: Option<&str>,
        message: &str,
        place: Option<(&str, Option<u32>, Option<u32>)>,
    ) {
        let rule = rule.map(|rule| format!("[{}]", harmless(rule, MAX_TEXT))).unwrap_or_default();
        let _ = writeln!(text, "{severity}{rule}: {}", harmless(message, MAX_TEXT));
        if let Some((file, line, column)) = place {
            arrow(text, file, line, column);
            if let Some(line) = line {
                text.push_str(&excerpt::of_file(self.root, file, line));
            }
        }
    }
}

fn broken_body(text: &mut String, error: &EvalError, body: &BodyText) {
    let (head, line, column, hint) = match error {
        EvalError::Thrown(thrown) => {
            let name = thrown.name.as_deref().map(|name| format!("{name}: ")).unwrap_or_default();
            (format!("{name}{}", thrown.message), thrown.line, thrown.column, thrown.hint)
        }
        EvalError::Parse { line, column, .. } => (error.to_string(), Some(*line), Some(*column), None),
        other => (other.to_string(), None, None, None),
    };
    let _ = writeln!(text, "error: {}", harmless(&head, MAX_TEXT));
    arrow(text, &body.name, line, column);
    if let Some(line) = line {
        text.push_str(&excerpt::of_text(&body.text, line));
    }
    note(text, "help", hint);
}

fn arrow(text: &mut String, file: &str, line: Option<u32>, column: Option<u32>) {
    let _ = write!(text, "  --> {}", harmless(file, MAX_TEXT));
    for position in [line, column].into_iter().map_while(|position| position) {
        let _ = write!(text, ":{position}");
    }
    text.push('\n');
}

fn note(text: &mut String, label: &str, value: Option<&str>) {
    if let Some(value) = value {
        let _ = writeln!(text, "   = {label}: {}", harmless(value, MAX_TEXT));
    }
}

/// What a body printed, line by line; empty when it printed nothing.
pub(crate) fn console(entries: &[String]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let mut text = "console output:\n".to_owned();
    let mut lines = entries.iter().flat_map(|entry| entry.split('\n'));
    for line in lines.by_ref().take(MAX_CONSOLE_LINES) {
        let _ = writeln!(text, "  | {}", harmless(line, MAX_TEXT));
    }
    let left = lines.count();
    if left > 0 {
        let _ = writeln!(text, "… and {left} more lines");
    }
    text.push('\n');
    text
}
