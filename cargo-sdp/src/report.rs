//! Findings for people and programs: a list of findings comes in and goes out in one of three forms, each in its place.
//! Every command that lists findings prints them here, and none of the forms decides anything.

use std::path::Path;

use sdp_core::finding::Finding;
use sdp_core::harmless;
use sdp_harness::human::{Block, Blocks};
use serde_json::{Map, Value, json};

use crate::output::Output;
use crate::render;

/// The forms in which findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum MessageFormat {
    /// With the source line and a remedy, on stderr
    #[default]
    Human,
    /// One line each, on stderr: file:line — [severity] id — message
    Short,
    /// One JSON object a line, on stdout: {"finding": {"id", "severity", "message", "file", "line", …}}
    Json,
}

impl MessageFormat {
    /// Prints findings; source lines are read below the root.
    pub(crate) fn findings(self, findings: &[Finding], root: &Path, output: &mut Output) {
        match self {
            MessageFormat::Human => {
                let mut blocks = Blocks::new(root, output.colour_stderr);
                for finding in findings {
                    output.err(&blocks.render(&Block::from(finding).note("help", Some(finding.remedy()))));
                }
            }
            MessageFormat::Short => render::lines(findings, output),
            MessageFormat::Json => {
                for finding in findings {
                    output.out_line(&json_line(finding));
                }
            }
        }
    }

    /// Prints a line that sums up: on stdout, unless the findings are there for a program to read.
    pub(crate) fn summary(self, text: &str, output: &mut Output) {
        if output.is_quiet() {
            return;
        }
        match self {
            MessageFormat::Human | MessageFormat::Short => output.out_line(text),
            MessageFormat::Json => output.err_line(text),
        }
    }

    /// Prints what answers beside the findings, drawn with or without colours: where the summary goes, but in a quiet run
    /// too.
    pub(crate) fn answer(self, draw: impl FnOnce(bool) -> String, output: &mut Output) {
        match self {
            MessageFormat::Human | MessageFormat::Short => output.out(&draw(output.colour_stdout)),
            MessageFormat::Json => output.err(&draw(output.colour_stderr)),
        }
    }
}

/// `{"finding": {…}}`: id, severity and message always, the rest where it is known.
fn json_line(finding: &Finding) -> String {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    };
    let known = |value: &Option<String>| value.as_deref().map(Value::from);
    put("id", Some(finding.id.as_str().into()));
    put("severity", Some(finding.severity.as_str().into()));
    put("message", Some(finding.message.as_str().into()));
    put("file", known(&finding.file));
    put("line", finding.line.map(Value::from));
    put("column", finding.column.map(Value::from));
    put("family", Some(finding.id.family().as_str().into()));
    put("subjectId", known(&finding.subject));
    put("relatedId", known(&finding.related));
    put("path", known(&finding.path));
    put("help", Some(finding.remedy().into()));
    harmless::in_json(&json!({ "finding": fields }).to_string()).into_owned()
}
