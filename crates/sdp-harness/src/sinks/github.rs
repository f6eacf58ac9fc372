//! `github`: workflow commands that annotate a pull request on GitHub, as many as GitHub shows, and a page for the summary of
//! the step that lists all. It is the only form that may hold commands, and no text of a corpus can begin one.

use std::fmt::Write as _;

use sdp_core::finding::Severity;
use sdp_core::harmless;

use crate::diagnostic::Diagnostic;
use crate::event::{Event, From, Run, Sink, Spot, Summary};
use crate::human::MAX_TEXT;
use crate::report::{CaseReport, CaseResult};

/// How many annotations of each level GitHub shows for a step.
const SHOWN: usize = 10;

/// The longest summary of a step, in bytes.
const MAX_SUMMARY: u64 = 1 << 20;

/// What is left free of it for words of others.
const MARGIN: u64 = 64 << 10;

/// What the head and the foot of its table take at most, in bytes.
const LAST_WORDS: usize = 256;

/// One line of both forms.
#[derive(Debug)]
struct Row {
    severity: Severity,
    rule: String,
    spot: Option<Spot>,
    message: String,
}

/// What both forms collect.
#[derive(Debug, Default)]
struct Rows {
    run: Run,
    rows: Vec<Row>,
    /// Errors and warnings that are counted only.
    more: [usize; 2],
    not_run: usize,
    /// What is kept at most of each severity.
    limit: Option<usize>,
}

impl Rows {
    fn add(&mut self, one: &Diagnostic) {
        let index = usize::from(one.severity == Severity::Warning);
        let kept = || self.rows.iter().filter(|row| row.severity == one.severity).count();
        if self.limit.is_some_and(|limit| kept() >= limit) {
            if let Some(more) = self.more.get_mut(index) {
                *more += 1;
            }
            return;
        }
        let spot = self.run.spot(one, From::Repository);
        let (rule, message) = (super::word(&one.rule), super::message(&one.message));
        self.rows.push(Row { severity: one.severity, rule, spot, message });
    }

    fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Begin(run) => self.run = (*run).clone(),
            Event::Diagnostic(one) => self.add(one),
            Event::Case(report) => self.case(report),
            Event::End(_) => self.rows.sort_by_key(|row| row.severity),
        }
    }

    fn case(&mut self, report: &CaseReport) {
        for one in &report.diagnostics {
            self.add(one);
        }
        let [errors, warnings] = &mut self.more;
        *errors += report.more_errors + report.more_problems;
        *warnings += report.more_warnings;
        self.not_run += usize::from(report.result == CaseResult::NotRun);
    }
}

/// Makes annotations at the end.
#[derive(Debug)]
pub struct Github {
    rows: Rows,
}

impl Default for Github {
    fn default() -> Self {
        Github { rows: Rows { limit: Some(SHOWN), ..Rows::default() } }
    }
}

impl Sink for Github {
    fn take(&mut self, event: &Event<'_>) -> String {
        self.rows.take(event);
        let Event::End(_) = event else { return String::new() };
        let mut text: String = self.rows.rows.iter().map(annotation).collect();
        if let Some(not_run) = super::not_run(self.rows.not_run) {
            // A notice: an error would take the place of what is to be mended. Writing to a String cannot fail, here and below.
            let _ = writeln!(text, "::notice title=cargo sdp {}::{not_run}", property(self.rows.run.command));
        }
        let [errors, warnings] = self.rows.more;
        if errors + warnings > 0 {
            let _ = writeln!(
                text,
                "::notice title=cargo sdp {}::{errors} more errors and {warnings} more warnings are not annotated",
                property(self.rows.run.command),
            );
        }
        text
    }
}

fn annotation(row: &Row) -> String {
    let mut text = format!("::{} ", row.severity.as_str());
    if let Some(spot) = &row.spot {
        text.push_str(&format!("file={}", property(&spot.file)));
        for (name, number) in [("line", spot.line), ("col", spot.column)] {
            if let Some(number) = number {
                text.push_str(&format!(",{name}={number}"));
            }
        }
        text.push(',');
    }
    text.push_str(&format!("title={}::{}\n", property(&row.rule), data(&row.message)));
    text
}

/// A message as the runner reads it.
fn data(text: &str) -> String {
    harmless::lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property as the runner reads it.
fn property(text: &str) -> String {
    data(&harmless::one_line(text)).replace(':', "%3A").replace(',', "%2C")
}

/// Makes the page for the step's summary at the end.
#[derive(Debug)]
pub struct StepSummary {
    rows: Rows,
    /// How many bytes it may have.
    room: usize,
}

impl StepSummary {
    /// With what the file of the summary holds already, in bytes.
    #[must_use]
    pub fn behind(bytes: u64) -> Self {
        let room = MAX_SUMMARY.saturating_sub(MARGIN).saturating_sub(bytes);
        StepSummary { rows: Rows::default(), room: usize::try_from(room).unwrap_or(0) }
    }

    fn page(&self, summary: &Summary) -> String {
        let Rows { run, rows, more, not_run, .. } = &self.rows;
        let sum = harmless::shown(&summary.text, MAX_TEXT);
        let mut text = format!("### cargo sdp {}\n\n{}\n\n", cell(run.command), cell(&sum));
        if let Some(not_run) = super::not_run(*not_run) {
            text.push_str(&format!("{not_run}\n\n"));
        }
        if text.len() + LAST_WORDS > self.room {
            return String::new();
        }
        if rows.is_empty() && more.iter().sum::<usize>() == 0 {
            return text;
        }
        if !rows.is_empty() {
            text.push_str("| | rule | place | message |\n|---|---|---|---|\n");
        }
        let mut left_out = more.iter().sum::<usize>();
        let mut rows = rows.iter();
        for row in rows.by_ref() {
            let place = row.spot.as_ref().map(|spot| match spot.line {
                Some(line) => format!("{}:{line}", spot.file),
                None => spot.file.clone(),
            });
            let place = cell(&place.unwrap_or_default());
            let line =
                format!("| {} | {} | {place} | {} |\n", row.severity.as_str(), cell(&row.rule), cell(&row.message));
            if text.len() + line.len() + LAST_WORDS > self.room {
                left_out += 1;
                break;
            }
            text.push_str(&line);
        }
        left_out += rows.count();
        if left_out > 0 {
            text.push_str(&format!("\n{left_out} more findings are not listed.\n"));
        }
        text.push('\n');
        text
    }
}

impl Sink for StepSummary {
    fn take(&mut self, event: &Event<'_>) -> String {
        self.rows.take(event);
        match event {
            Event::End(summary) => self.page(summary),
            _ => String::new(),
        }
    }
}

/// A text as a cell: nothing in it is Markdown or HTML, and it has one line.
fn cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    for line in harmless::lines(text).split('\n') {
        if !cell.is_empty() {
            cell.push_str("<br>");
        }
        for character in line.chars() {
            match character {
                '&' => cell.push_str("&amp;"),
                '<' => cell.push_str("&lt;"),
                '>' => cell.push_str("&gt;"),
                '\t' => cell.push(' '),
                // Letters of words stay as they are read; all else that Markdown could take for its own is escaped.
                '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '!' | '|' | '~' | '@'
                | '$' => {
                    cell.push('\\');
                    cell.push(character);
                }
                _ => cell.push(character),
            }
        }
    }
    cell
}
