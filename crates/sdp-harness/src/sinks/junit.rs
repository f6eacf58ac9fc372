//! `junit`: test cases as JUnit's XML has them. Nothing in it comes from a clock. A finding is a failure, a rule that could not judge
//! is an error, and what XML does not allow is replaced.

use std::collections::HashMap;
use std::fmt::Write as _;

use sdp_core::harmless;

use crate::diagnostic::{Diagnostic, Origin};
use crate::event::{CaseId, Event, Run, Sink};
use crate::failure::{self, MANY_FINDINGS, Teller};
use crate::report::{CaseReport, CaseResult};

/// How much of a message an attribute holds, in characters.
const MAX_ATTRIBUTE: usize = 300;

/// One suite.
#[derive(Debug, Default)]
struct Suite {
    /// The root's name, where there are several.
    root: Option<String>,
    cases: String,
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

/// Makes one document at the end.
#[derive(Debug, Default)]
pub struct Junit {
    run: Run,
    suites: Vec<Suite>,
    /// What is said outside of cases, until the end.
    single: Vec<Diagnostic>,
}

impl Junit {
    fn case(&mut self, report: &CaseReport) {
        let root = self.run.root_named(report.root.as_deref()).cloned().unwrap_or_default();
        let teller = Teller { root: &root, limit: MANY_FINDINGS };
        let position = self.suites.iter().position(|suite| suite.root == report.root).unwrap_or_else(|| {
            self.suites.push(Suite { root: report.root.clone(), ..Suite::default() });
            self.suites.len() - 1
        });
        let Some(suite) = self.suites.get_mut(position) else { return };
        suite.tests += 1;
        let group = report.name.rsplit_once("::").map_or(report.name.as_str(), |(group, _)| group);
        let opening = format!("    <testcase classname=\"{}\" name=\"{}\"", attribute(group), attribute(&report.name));
        let mut body = String::new();
        match report.result {
            CaseResult::OnlyReports => {
                suite.skipped += 1;
                body.push_str("      <skipped message=\"only reports\"/>\n");
            }
            CaseResult::Passed => {}
            CaseResult::NotRun => {
                suite.errors += 1;
                let text = teller.failure(report);
                body.push_str(&problem("error", "not run", "not run", &text));
            }
            CaseResult::Failed => {
                let is_fault =
                    report.more_problems > 0 || report.diagnostics.iter().any(|one| one.origin == Origin::Body);
                let first = report.diagnostics.iter().find(|one| one.is_error());
                let (message, kind) = first.map_or(("", ""), |one| (one.message.as_str(), one.rule.as_str()));
                let element = if is_fault { "error" } else { "failure" };
                *(if is_fault { &mut suite.errors } else { &mut suite.failures }) += 1;
                body.push_str(&problem(element, message, kind, &teller.diagnostics(report)));
            }
        }
        let mut said = String::new();
        if report.result == CaseResult::Passed {
            said.push_str(&teller.diagnostics(report));
        }
        said.push_str(&failure::console(&report.console));
        if !said.trim().is_empty() {
            // Writing to a String cannot fail, here and below.
            let _ = writeln!(body, "      <system-out>{}</system-out>", content(said.trim_end()));
        }
        let _ = if body.is_empty() {
            writeln!(suite.cases, "{opening}/>")
        } else {
            writeln!(suite.cases, "{opening}>\n{body}    </testcase>")
        };
    }

    /// What was said outside of cases becomes one case for each check.
    fn checks(&mut self) {
        let mut places = HashMap::new();
        let mut cases: Vec<(CaseId, Vec<Diagnostic>)> = Vec::new();
        let said = std::mem::take(&mut self.single).into_iter();
        let said = said.map(|one| ((one.root.clone(), one.case.clone()), Some(one)));
        for (case, one) in self.run.checks.iter().map(|case| (case.clone(), None)).chain(said) {
            let place = *places.entry(case).or_insert_with_key(|case| {
                cases.push((case.clone(), Vec::new()));
                cases.len() - 1
            });
            if let Some((_, own)) = cases.get_mut(place) {
                own.extend(one);
            }
        }
        for ((root, name), own) in cases {
            self.case(&CaseReport::of_diagnostics(&name, root.as_deref(), own));
        }
    }

    fn document(&self) -> String {
        let sum = |count: fn(&Suite) -> usize| self.suites.iter().map(count).sum::<usize>();
        let command = attribute(self.run.command);
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cargo-sdp {command}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
            sum(|suite| suite.tests),
            sum(|suite| suite.failures),
            sum(|suite| suite.errors),
        );
        for suite in &self.suites {
            let root = suite.root.as_deref().map(|root| format!(" ({})", attribute(root))).unwrap_or_default();
            let _ = writeln!(
                text,
                "  <testsuite name=\"cargo-sdp {command}{root}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}  </testsuite>",
                suite.tests, suite.failures, suite.errors, suite.skipped, suite.cases
            );
        }
        text.push_str("</testsuites>\n");
        text
    }
}

impl Sink for Junit {
    fn take(&mut self, event: &Event<'_>) -> String {
        match event {
            Event::Begin(run) => self.run = (*run).clone(),
            Event::Diagnostic(one) => self.single.push((*one).clone()),
            Event::Case(report) => self.case(report),
            Event::End(_) => {
                self.checks();
                return self.document();
            }
        }
        String::new()
    }
}

/// A `failure` or an `error`.
fn problem(element: &str, message: &str, kind: &str, text: &str) -> String {
    format!(
        "      <{element} message=\"{}\" type=\"{}\">{}</{element}>\n",
        attribute(&harmless::cut(message, MAX_ATTRIBUTE)),
        attribute(&harmless::cut(kind, MAX_ATTRIBUTE)),
        content(text.trim_end())
    )
}

/// A text as an attribute's value, in one line.
fn attribute(text: &str) -> String {
    escaped(&harmless::one_line(text)).replace('"', "&quot;")
}

/// A text as an element's content. No line of it opens with a command to a CI runner.
fn content(text: &str) -> String {
    escaped(&harmless::without_commands(&harmless::lines(text)))
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '\u{FFFE}' | '\u{FFFF}' => safe.push('\u{FFFD}'),
            _ => safe.push(character),
        }
    }
    safe
}
