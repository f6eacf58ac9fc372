//! `sarif`: one run of the Static Analysis Results Interchange Format, version 2.1.0, as GitHub's code scanning takes it. Paths
//! are seen from the top of the repository, and nothing names the machine.

use std::collections::HashMap;

use sdp_core::explain::Subject;
use sdp_core::finding::Severity;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::diagnostic::{Diagnostic, Origin};
use crate::event::{Event, From, Run, Sink, Spot, Summary};
use crate::report::{CaseReport, CaseResult};

/// How many results one run may hold. GitHub keeps the first 5 000 of them.
const MAX_RESULTS: usize = 25_000;

/// How many rules one run may hold.
const MAX_RULES: usize = 25_000;

/// The schema that the standard publishes.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What all relative paths stand on.
const TOP: &str = "%SRCROOT%";

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [SarifRun<'a>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRun<'a> {
    tool: Tool<'a>,
    automation_details: AutomationDetails,
    invocations: [Invocation; 1],
    original_uri_base_ids: Map<String, Value>,
    column_kind: &'static str,
    results: Vec<&'a SarifResult>,
}

#[derive(Debug, Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'static str,
    version: &'a str,
    semantic_version: &'a str,
    rules: &'a [Rule],
}

#[derive(Debug, Serialize)]
struct AutomationDetails {
    id: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Debug, Serialize)]
struct Notification {
    level: &'static str,
    message: Text,
}

#[derive(Debug, Serialize)]
struct Text {
    text: String,
}

/// A rule of which there is a result.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Text,
    full_description: Text,
    help: Help,
    default_configuration: Configuration,
    properties: Properties,
}

#[derive(Debug, Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Debug, Serialize)]
struct Properties {
    tags: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
    partial_fingerprints: Map<String, Value>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
}

/// Makes one log at the end.
#[derive(Debug, Default)]
pub struct Sarif {
    run: Run,
    rules: Vec<Rule>,
    indices: HashMap<String, usize>,
    errors: Vec<SarifResult>,
    warnings: Vec<SarifResult>,
    /// Results that are counted only.
    cut: usize,
    notes: Vec<String>,
    not_run: usize,
    has_faults: bool,
}

impl Sarif {
    fn add(&mut self, one: &Diagnostic) {
        self.has_faults |= one.origin == Origin::Body;
        let is_error = one.is_error();
        let kept = if is_error { self.errors.len() } else { self.warnings.len() };
        if kept >= MAX_RESULTS {
            self.cut += 1;
            return;
        }
        let rule_id = super::word(&one.rule);
        let rule_index = self.index(&rule_id, one);
        let Spot { file, line, column, .. } = self.run.spot_or_whole(one, From::Repository);
        let subject =
            one.subject.as_deref().map(|subject| LogicalLocation { fully_qualified_name: super::word(subject) });
        let location = Location {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation { uri: encoded(&file), uri_base_id: TOP },
                region: Region {
                    start_line: line.unwrap_or(1).max(1),
                    start_column: line.and(column).map(|column| column.max(1)),
                },
            },
            logical_locations: subject.into_iter().collect(),
        };
        let result = SarifResult {
            rule_id,
            rule_index,
            level: level(one.severity),
            message: Text { text: super::message(&one.message) },
            locations: [location],
            partial_fingerprints: Map::from_iter([("sdp/v1".to_owned(), one.fingerprint().into())]),
        };
        if is_error { self.errors.push(result) } else { self.warnings.push(result) }
    }

    /// The place of a rule in the list of rules, which it joins when it is new.
    fn index(&mut self, id: &str, one: &Diagnostic) -> Option<usize> {
        if let Some(index) = self.indices.get(id) {
            return Some(*index);
        }
        if self.rules.len() >= MAX_RULES {
            return None;
        }
        self.rules.push(rule(id, one));
        self.indices.insert(id.to_owned(), self.rules.len() - 1);
        Some(self.rules.len() - 1)
    }

    fn case(&mut self, report: &CaseReport) {
        for one in &report.diagnostics {
            self.add(one);
        }
        self.notes.extend(super::left_out(report));
        self.not_run += usize::from(report.result == CaseResult::NotRun);
    }

    fn log(&self, summary: &Summary) -> String {
        let room = MAX_RESULTS.saturating_sub(self.errors.len());
        let results: Vec<&SarifResult> = self.errors.iter().chain(self.warnings.iter().take(room)).collect();
        let cut = self.cut + self.warnings.len().saturating_sub(room);
        let mut notes = self.notes.clone();
        notes.extend(super::not_run(self.not_run));
        if cut > 0 {
            notes.push(format!("{cut} more findings are left out: a run holds {MAX_RESULTS} results, errors first"));
        }
        let notification = |text: String| Notification { level: "warning", message: Text { text } };
        let top = json!({ "description": { "text": "The top of the repository." } });
        let log = Log {
            schema: SCHEMA,
            version: "2.1.0",
            runs: [SarifRun {
                tool: Tool {
                    driver: Driver {
                        name: "cargo-sdp",
                        version: self.run.version,
                        semantic_version: self.run.version,
                        rules: &self.rules,
                    },
                },
                // What stands behind the last slash tells one run from another; none is told apart.
                automation_details: AutomationDetails { id: format!("cargo-sdp/{}/", self.run.command) },
                invocations: [Invocation {
                    execution_successful: summary.is_whole && !self.has_faults,
                    tool_execution_notifications: notes.into_iter().map(notification).collect(),
                }],
                original_uri_base_ids: Map::from_iter([(TOP.to_owned(), top)]),
                column_kind: "unicodeCodePoints",
                results,
            }],
        };
        // Nothing in these types can fail to become a value.
        serde_json::to_value(&log).map(|value| super::page(&value)).unwrap_or_default()
    }
}

impl Sink for Sarif {
    fn take(&mut self, event: &Event<'_>) -> String {
        match event {
            Event::Begin(run) => self.run = (*run).clone(),
            Event::Diagnostic(one) => self.add(one),
            Event::Case(report) => self.case(report),
            Event::End(summary) => return self.log(summary),
        }
        String::new()
    }
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// What is told of a rule: of the engine's own what `explain` tells, of others what the configuration or their head says.
fn rule(id: &str, one: &Diagnostic) -> Rule {
    let (title, meaning, remedy, weighs, tag) = match one.origin {
        Origin::Engine(known) => {
            let page = Subject::Finding(known).page();
            // The first word is the weight that it mostly has.
            let weighs = if page.severity.starts_with("error") { Severity::Error } else { Severity::Warning };
            let meaning = page.meaning.trim().to_owned();
            (page.title.to_owned(), meaning, Some(known.help()), weighs, known.group())
        }
        Origin::Rule | Origin::Body => {
            let said = one.description.clone().unwrap_or_else(|| format!("The rule {id} of this repository"));
            let said = super::message(&said);
            (said.clone(), said, None, Severity::Error, "rule")
        }
    };
    let helped = |label: &str| {
        let remedy = remedy.map(|remedy| format!("\n\n{label} {remedy}")).unwrap_or_default();
        format!("{meaning}{remedy}")
    };
    Rule {
        id: id.to_owned(),
        short_description: Text { text: title },
        help: Help { text: helped("Remedy:"), markdown: helped("**Remedy:**") },
        full_description: Text { text: meaning },
        default_configuration: Configuration { level: level(weighs) },
        properties: Properties { tags: vec![tag.to_owned()] },
    }
}

/// A path as a relative URI: all but unreserved characters and `/` is percent-encoded.
pub(super) fn encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
