//! Reports: a case and its outcome come in, one report goes out: whether it passed, and every diagnostic in one shape. All that
//! is printed or written of a case is made from its report.

use sdp_core::config::RuleBody;
use sdp_core::finding::Severity;
use sdp_core::rules::{BodyText, Case, CaseError, Judgement, Outcome, Source, Task, Verdict, line_of};
use sdp_core::script::{EvalError, Thrown};

use crate::diagnostic::{self, Authored, Diagnostic, Origin};

/// What is said of a case whose evaluation panicked.
pub(crate) const PANICKED: &str = "the evaluation of this case panicked; this is a fault of the program";

/// What became of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseResult {
    /// It passed, with warnings maybe.
    Passed,
    /// It failed.
    Failed,
    /// The carriers give no graph, so it failed without being run.
    NotRun,
    /// It reports and cannot fail.
    OnlyReports,
}

impl CaseResult {
    /// The word for it.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            CaseResult::Passed => "passed",
            CaseResult::Failed => "failed",
            CaseResult::NotRun => "not run",
            CaseResult::OnlyReports => "only reports",
        }
    }

    /// Whether it counts as failed.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        matches!(self, CaseResult::Failed | CaseResult::NotRun)
    }
}

/// What a case has to say.
#[derive(Clone, Debug)]
pub struct CaseReport {
    /// Its name, with the name of its root where there are several.
    pub name: String,
    /// The name of its root, where there are several.
    pub root: Option<String>,
    /// What became of it.
    pub result: CaseResult,
    /// Faults of the body first, then findings in the order in which the case gave them; what is waived or accepted is gone.
    pub diagnostics: Vec<Diagnostic>,
    /// How many errors were counted beyond those kept.
    pub more_errors: usize,
    /// How many warnings were counted beyond those kept.
    pub more_warnings: usize,
    /// How many findings that do not keep the form were counted beyond those kept.
    pub more_problems: usize,
    /// How many diagnostics a waiver lets stand.
    pub waived: usize,
    /// How many diagnostics the baseline accepts.
    pub accepted: usize,
    /// Whether all that there is to say is known: not where carriers leave holes in the graph, or a body gave no answer.
    pub is_whole: bool,
    /// What its body printed, one call an entry; an entry may hold several lines.
    pub console: Vec<String>,
}

impl CaseReport {
    /// The report of a case under its full name. Nothing is waived yet.
    #[must_use]
    pub fn of(case: &Case, name: &str, root: Option<&str>, outcome: Outcome) -> Self {
        let mut report = CaseReport {
            name: name.to_owned(),
            root: root.map(str::to_owned),
            result: CaseResult::Passed,
            diagnostics: Vec::new(),
            more_errors: 0,
            more_warnings: 0,
            more_problems: 0,
            waived: 0,
            accepted: 0,
            is_whole: true,
            console: outcome.console,
        };
        match outcome.verdict {
            Verdict::Engine(findings) => {
                report.diagnostics = findings.iter().map(|finding| Diagnostic::of_finding(finding, name)).collect();
            }
            Verdict::Holes(findings) => {
                report.diagnostics = findings.iter().map(|finding| Diagnostic::of_finding(finding, name)).collect();
                report.is_whole = false;
            }
            Verdict::NoSpecs { root, findings } => {
                let mut fault = Diagnostic::of_body(name, format!("no Spec was found below {}", root.display()));
                fault.help = Some("looked for carriers named `*.sdp.md`, `*.sdp.gherkin` and `*.sdp.ts`".to_owned());
                report.diagnostics = vec![fault];
                report.diagnostics.extend(findings.iter().map(|finding| Diagnostic::of_finding(finding, name)));
            }
            Verdict::Judged(judgement) => report.judged(case, judgement, outcome.description.as_deref()),
            Verdict::Broken(error) => report.diagnostics = vec![broken(case, name, &error)],
            Verdict::NotRun => report.result = CaseResult::NotRun,
            Verdict::OnlyReports => report.result = CaseResult::OnlyReports,
        }
        let is_known = matches!(report.result, CaseResult::Passed | CaseResult::Failed);
        let is_answered = report.diagnostics.iter().all(|one| one.origin != Origin::Body);
        report.is_whole &= is_known && is_answered && report.more_problems == 0;
        let authored = authored(case);
        for diagnostic in &mut report.diagnostics {
            diagnostic.root.clone_from(&report.root);
            let is_in_file = match &diagnostic.text {
                Some(body) => body.is_file,
                None => diagnostic.file.is_some(),
            };
            if diagnostic.origin == Origin::Body && !is_in_file {
                diagnostic.authored.clone_from(&authored);
            }
        }
        diagnostic::identify(&mut report.diagnostics);
        report.decide();
        report
    }

    /// A case whose evaluation panicked. It has no findings, and fails.
    #[must_use]
    pub fn panicked(name: &str, root: Option<&str>) -> Self {
        let mut fault = Diagnostic::of_body(name, PANICKED.to_owned());
        fault.root = root.map(str::to_owned);
        let mut diagnostics = vec![fault];
        diagnostic::identify(&mut diagnostics);
        CaseReport {
            name: name.to_owned(),
            root: root.map(str::to_owned),
            result: CaseResult::Failed,
            diagnostics,
            more_errors: 0,
            more_warnings: 0,
            more_problems: 0,
            waived: 0,
            accepted: 0,
            is_whole: false,
            console: Vec::new(),
        }
    }

    /// A report of diagnostics that no outcome of a case gave; they are identified already.
    #[must_use]
    pub fn of_diagnostics(name: &str, root: Option<&str>, diagnostics: Vec<Diagnostic>) -> Self {
        let mut report = CaseReport { diagnostics, is_whole: true, ..Self::panicked(name, root) };
        report.decide();
        report
    }

    /// How many findings were counted beyond those kept.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.more_errors + self.more_warnings + self.more_problems
    }

    /// How many errors and warnings it counts.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let errors = self.diagnostics.iter().filter(|one| one.is_error()).count();
        let warnings = self.diagnostics.len() - errors;
        (errors + self.more_errors + self.more_problems, warnings + self.more_warnings)
    }

    /// Decides anew whether the case passes, from what is left to be said.
    pub fn decide(&mut self) {
        if matches!(self.result, CaseResult::Passed | CaseResult::Failed) {
            let fails =
                self.more_errors > 0 || self.more_problems > 0 || self.diagnostics.iter().any(Diagnostic::is_error);
            self.result = if fails { CaseResult::Failed } else { CaseResult::Passed };
        }
    }

    fn judged(&mut self, case: &Case, judgement: Judgement, described: Option<&str>) {
        let Judgement { findings, problems, more_problems } = judgement;
        self.diagnostics.extend(problems.iter().map(|problem| {
            let mut fault = Diagnostic::of_body(&self.name, problem.to_string());
            at_own_place(&mut fault, case);
            fault
        }));
        self.more_problems = more_problems;
        let kept = |severity: Severity| findings.kept.iter().filter(|one| one.severity == severity).count();
        self.more_errors = findings.errors.saturating_sub(kept(Severity::Error));
        self.more_warnings = findings.warnings.saturating_sub(kept(Severity::Warning));
        self.diagnostics.extend(findings.kept.iter().map(|one| Diagnostic::of_rule(one, &self.name, described)));
    }
}

/// A fault of a rule that has no other place stands where the rule does: its file, a line of the configuration, a recipe.
fn at_own_place(fault: &mut Diagnostic, case: &Case) {
    let Task::Body(task) = &case.task else { return };
    match &task.source {
        Source::Configured { file, line, .. } => {
            fault.file = Some(file.clone());
            fault.line = Some(*line);
        }
        Source::File(path) => fault.file = Some(path.clone()),
        // It is in no file, and the case has its name.
        Source::Recipe(_) => {}
    }
}

/// Where a rule is authored whose body is no file of the repository.
fn authored(case: &Case) -> Option<Authored> {
    let Task::Body(task) = &case.task else { return None };
    match &task.source {
        Source::Configured { file, line, body: RuleBody::Recipe(_) | RuleBody::Dependency { .. }, .. } => {
            Some(Authored::At(file.clone(), *line))
        }
        Source::Recipe(_) => Some(Authored::Nowhere),
        Source::File(_) | Source::Configured { .. } => None,
    }
}

fn broken(case: &Case, name: &str, error: &CaseError) -> Diagnostic {
    let fault = |message: String| Diagnostic::of_body(name, message);
    match error {
        CaseError::Eval { error, body } => broken_body(name, error, body),
        CaseError::NoData { error, body } => {
            let file = body.is_file.then(|| body.name.clone());
            Diagnostic { file, ..fault(error.to_string()) }
        }
        CaseError::Head { error: head, body } => Diagnostic {
            file: Some(body.name.clone()),
            line: Some(head.line),
            text: Some(body.clone()),
            ..fault(error.to_string())
        },
        CaseError::Params { place: Some((file, place)), .. } => Diagnostic {
            file: Some(file.clone()),
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            ..fault(error.to_string())
        },
        CaseError::Params { place: None, .. }
        | CaseError::Package(_)
        | CaseError::Body { .. }
        | CaseError::NoRecipe(_) => {
            let mut fault = fault(error.to_string());
            at_own_place(&mut fault, case);
            if let CaseError::Package(package) = error {
                fault.help.clone_from(&package.help);
            }
            fault
        }
    }
}

fn broken_body(name: &str, error: &EvalError, body: &BodyText) -> Diagnostic {
    let (message, line, column, hint) = match error {
        EvalError::Thrown(thrown) => {
            let column =
                thrown.line.zip(thrown.column).and_then(|(line, column)| in_characters(&body.text, line, column));
            (thrown_text(thrown), thrown.line, column, thrown.hint)
        }
        EvalError::Parse { line, column, .. } => (error.to_string(), Some(*line), Some(*column), None),
        other => (other.to_string(), None, None, None),
    };
    Diagnostic {
        file: Some(body.name.clone()),
        line,
        column,
        help: hint.map(str::to_owned),
        text: Some(body.clone()),
        ..Diagnostic::of_body(name, message)
    }
}

/// What was thrown, with the name of its kind. Nothing to say is said too.
fn thrown_text(thrown: &Thrown) -> String {
    match (thrown.name.as_deref().unwrap_or_default(), thrown.message.as_str()) {
        ("", "") => "the body threw an empty text".to_owned(),
        ("", message) => message.to_owned(),
        (name, "") => format!("{name} without a message"),
        (name, message) => format!("{name}: {message}"),
    }
}

/// A 1-based column that counts bytes, in characters. None where the text has no such line.
fn in_characters(text: &str, line: u32, column: u32) -> Option<u32> {
    let line = line_of(text, line)?;
    let bytes_before = usize::try_from(column).ok()?.checked_sub(1)?;
    let before = line.char_indices().take_while(|(at, _)| *at < bytes_before).count();
    u32::try_from(before).ok()?.checked_add(1)
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
