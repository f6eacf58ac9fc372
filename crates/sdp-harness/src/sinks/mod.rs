//! The forms of output: events come in, each form's text goes out. No sink writes, asks for the time or reads the environment;
//! the two that show source lines read the files that diagnostics name. Text of a corpus or a body is made harmless in every
//! form.

pub mod cargo;
pub mod github;
pub mod gitlab;
pub mod human;
pub mod json;
pub mod junit;
pub mod sarif;
pub mod short;
#[cfg(test)]
mod tests;

use sdp_core::harmless;
use serde_json::Value;

use crate::event::{Summary, counted};
use crate::human::MAX_TEXT;
use crate::report::CaseReport;

/// A message as one text of bounded length, with its line feeds.
fn message(text: &str) -> String {
    harmless::lines(&harmless::shown(text.trim_end(), MAX_TEXT)).into_owned()
}

/// A text as part of one line of bounded length.
fn word(text: &str) -> String {
    harmless::cut(text, MAX_TEXT)
}

/// A value as one line of JSON in which nothing acts on a terminal.
fn line(value: &Value) -> String {
    let mut line = harmless::in_json(&value.to_string()).into_owned();
    line.push('\n');
    line
}

/// A value as JSON of several lines in which nothing acts on a terminal.
fn page(value: &Value) -> String {
    // Line feeds inside strings are escaped already.
    format!("{value:#}").lines().flat_map(|line| [harmless::in_json(line).into_owned(), "\n".to_owned()]).collect()
}

/// What is said where a case counted more findings than it keeps.
fn left_out(report: &CaseReport) -> Option<String> {
    let more = report.left_out();
    (more > 0)
        .then(|| format!("{more} more findings of the case {} were counted and are not listed", word(&report.name)))
}

/// What is said where cases were not run: in forms that list findings alone they would be missed in silence.
fn not_run(cases: usize) -> Option<String> {
    let were = if cases == 1 { "was" } else { "were" };
    (cases > 0).then(|| format!("{} {were} not run: the carriers give no graph", counted(cases, "case")))
}

/// The line for people that sums up.
fn sum(summary: &Summary) -> String {
    if summary.text.is_empty() { String::new() } else { format!("{}\n", summary.text) }
}
