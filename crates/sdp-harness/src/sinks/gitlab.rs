//! `gitlab`: the array that GitLab's code quality reports take. Each fingerprint stands once, since GitLab shows only the first of
//! equals. Paths are seen from the top of the repository.

use std::collections::HashMap;

use sdp_core::finding::Severity;
use sdp_core::rules::CARRIERS_CASE;
use serde_json::{Value, json};

use crate::diagnostic::{self, Diagnostic, Origin};
use crate::event::{Event, From, Run, Sink};
use crate::report::{CaseReport, CaseResult};

/// Makes one array at the end.
#[derive(Debug, Default)]
pub struct Gitlab {
    run: Run,
    rows: Vec<Value>,
    /// How often each key was seen.
    seen: HashMap<String, usize>,
    not_run: usize,
}

impl Gitlab {
    fn add(&mut self, one: &Diagnostic) {
        let severity = match (one.origin, one.severity) {
            (Origin::Body, _) => "critical",
            (_, Severity::Error) => "major",
            (_, Severity::Warning) => "minor",
        };
        let spot = self.run.spot_or_whole(one, From::Repository);
        // Two cases may say one thing, and GitLab would show it once.
        let seen = self.seen.entry(one.key.clone()).or_default();
        *seen += 1;
        let fingerprint = match *seen {
            1 => one.fingerprint(),
            // No key ends so by itself.
            number => diagnostic::fingerprint(&format!("{} ~{number}", one.key)),
        };
        self.rows.push(json!({
            "description": super::message(&one.message),
            "check_name": super::word(&one.rule),
            "fingerprint": fingerprint,
            "severity": severity,
            "location": { "path": spot.file, "lines": { "begin": spot.line.unwrap_or(1) } },
        }));
    }

    fn case(&mut self, report: &CaseReport) {
        for one in &report.diagnostics {
            self.add(one);
        }
        if let Some(left_out) = super::left_out(report) {
            let mut note = Diagnostic::of_body(&report.name, left_out);
            note.root.clone_from(&report.root);
            note.key = format!("{} left out", diagnostic::word(&report.name));
            self.add(&note);
        }
        self.not_run += usize::from(report.result == CaseResult::NotRun);
    }
}

impl Sink for Gitlab {
    fn take(&mut self, event: &Event<'_>) -> String {
        match event {
            Event::Begin(run) => self.run = (*run).clone(),
            Event::Diagnostic(one) => self.add(one),
            Event::Case(report) => self.case(report),
            Event::End(_) => {
                if let Some(not_run) = super::not_run(self.not_run) {
                    let key = "not run".to_owned();
                    self.add(&Diagnostic { key, ..Diagnostic::of_body(CARRIERS_CASE, not_run) });
                }
                let rows = Value::Array(std::mem::take(&mut self.rows));
                return super::page(&rows);
            }
        }
        String::new()
    }
}
