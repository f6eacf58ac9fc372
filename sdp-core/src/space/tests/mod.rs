//! Small carriers against the decode and its findings, and hostile text against their bounds.

mod decoding;
mod findings;
mod hostile;

use super::*;
use crate::testing::{graph, spec};

/// A Spec with an example space of these vocabulary lines.
fn space(id: &str, vocabulary: &str) -> String {
    let body = format!("## Intent\n- outcome: o\n\n## Example space\n\n```gwt-vocabulary\n{vocabulary}\n```");
    spec(&format!("{id} behavior idea"), "", &body)
}

/// An example of these lines.
fn example(id: &str, relations: &str, lines: &str) -> String {
    let body = format!("## Intent\n- outcome: o\n\n```gwt\n{lines}\n```");
    spec(&format!("{id} example idea"), relations, &body)
}

fn decoded(graph: &Graph, id: &str) -> ExampleSpace {
    decode(graph, &Index::new(graph), id, false).unwrap()
}

fn wire(space: &ExampleSpace) -> serde_json::Value {
    serde_json::to_value(space).unwrap()
}

/// `<id> <subject>: <message>` of every finding over a graph.
fn said(graph: &Graph) -> Vec<String> {
    let row = |finding: &Finding| {
        assert_eq!(finding.severity, crate::finding::Severity::Warning);
        format!("{} {}: {}", finding.id.as_str(), finding.subject.as_deref().unwrap(), finding.message)
    };
    findings(graph, &Index::new(graph)).iter().map(row).collect()
}
