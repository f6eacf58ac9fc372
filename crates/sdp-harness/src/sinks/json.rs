//! `json`: one JSON object a line: findings, cases, and a summary at the end.

use sdp_core::finding::Severity;
use serde_json::{Map, Value, json};

use crate::diagnostic::{Diagnostic, Origin};
use crate::event::{Event, Run, Sink, Summary};
use crate::report::CaseReport;

/// Makes objects.
#[derive(Debug, Default)]
pub struct Json {
    run: Run,
}

impl Json {
    fn case(&self, report: &CaseReport) -> String {
        let mut text: String = report.diagnostics.iter().map(|one| self.finding(one)).collect();
        let (errors, warnings) = report.counts();
        let mut case = json!({
            "name": report.name,
            "result": report.result.as_str(),
            "findings": errors + warnings,
            "waived": report.waived,
            "accepted": report.accepted,
        });
        // What was counted and not kept is not to be missed in silence.
        if report.left_out() > 0
            && let Some(case) = case.as_object_mut()
        {
            case.insert("leftOut".to_owned(), report.left_out().into());
        }
        text.push_str(&super::line(&json!({ "case": case })));
        text
    }

    fn finding(&self, one: &Diagnostic) -> String {
        let place = self.run.root_of(one).and_then(|root| one.place(root)).or_else(|| one.file.clone());
        finding(one, place)
    }

    fn summary(&self, summary: &Summary) -> String {
        let mut fields = json!({
            "command": self.run.command,
            "errors": summary.errors,
            "warnings": summary.warnings,
            "waived": summary.waived,
            "accepted": summary.accepted,
        });
        if self.run.command == "rules"
            && let Some(fields) = fields.as_object_mut()
        {
            let counts = [
                ("passed", summary.passed),
                ("failed", summary.failed),
                ("ignored", summary.ignored),
                ("filteredOut", summary.filtered_out),
            ];
            fields.extend(counts.map(|(name, count)| (name.to_owned(), count.into())));
        }
        super::line(&json!({ "summary": fields }))
    }
}

impl Sink for Json {
    fn take(&mut self, event: &Event<'_>) -> String {
        match event {
            Event::Begin(run) => {
                self.run = (*run).clone();
                String::new()
            }
            Event::Diagnostic(one) => self.finding(one),
            Event::Case(report) => self.case(report),
            Event::End(summary) => self.summary(summary),
        }
    }
}

/// `{"finding": {…}}`: id, severity, message, case and fingerprint always, the rest where it is known.
fn finding(one: &Diagnostic, place: Option<String>) -> String {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    };
    let known = |value: &Option<String>| value.as_deref().map(Value::from);
    let family = match one.origin {
        Origin::Engine(id) => Some(id.family().as_str().into()),
        Origin::Rule | Origin::Body => None,
    };
    let severity = match one.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    put("id", Some(one.rule.as_str().into()));
    put("severity", Some(severity.into()));
    put("message", Some(one.message.as_str().into()));
    put("root", known(&one.root));
    put("file", place.map(Value::from));
    put("line", one.line.map(Value::from));
    put("column", one.column.map(Value::from));
    put("family", family);
    put("subjectId", known(&one.subject));
    put("relatedId", known(&one.related));
    put("path", known(&one.path));
    put("help", known(&one.help));
    put("case", Some(one.case.as_str().into()));
    put("fingerprint", Some(one.fingerprint().into()));
    super::line(&json!({ "finding": fields }))
}
