//! The Gherkin carrier, message by message, over inputs of our own, and what it must survive. Here stands what the rooms of
//! these tests share.

mod grammar;
mod hostile;
mod remedies;
mod specs;
mod syntax;

use super::read;
use crate::finding::Finding;
use crate::model::{Document, SpecDocument};

const SYNTAX: &str = "extract/gherkin-syntax";
const GRAMMAR: &str = "extract/gherkin-grammar";
const INVALID_ID: &str = "extract/invalid-id";

/// Tags and title of a good Feature; what follows starts at line 3.
const HEADER: &str = "@spec.a.b @altitude.feature @readiness.idea\nFeature: F\n";
/// Tags and title of a good Scenario, two lines.
const SCENARIO: &str = "@spec.a.b.c @altitude.story @readiness.idea\nScenario: S\n";

/// Id, line, message and subject of a finding.
type Row<'a> = (&'a str, u32, &'a str, Option<&'a str>);

fn findings(text: &str) -> Vec<Finding> {
    read("a.sdp.gherkin", text).err().unwrap_or_default()
}

#[track_caller]
fn assert_findings(text: &str, expected: &[Row<'_>]) {
    let findings = findings(text);
    let row = |finding: &Finding| {
        (finding.id.as_str().to_owned(), finding.line.unwrap(), finding.message.clone(), finding.subject.clone())
    };
    let owned = |row: &Row<'_>| (row.0.to_owned(), row.1, row.2.to_owned(), row.3.map(str::to_owned));
    let found: Vec<_> = findings.iter().map(row).collect();
    assert_eq!(found, expected.iter().map(owned).collect::<Vec<_>>(), "{text:?}");
    for finding in &findings {
        assert_eq!((finding.file.as_deref(), finding.is_error()), (Some("a.sdp.gherkin"), true));
        assert_eq!((&finding.related, &finding.path), (&None, &None));
    }
}

/// Lines below a good Feature; the first of them is line 3.
fn feature(lines: &str) -> String {
    format!("{HEADER}{lines}\n")
}

/// Lines below a good Scenario; the first of them is line 5.
fn scenario(lines: &str) -> String {
    format!("{HEADER}{SCENARIO}{lines}\n")
}

#[track_caller]
fn specs(text: &str) -> Vec<SpecDocument> {
    let documents = read("a.sdp.gherkin", text).unwrap_or_else(|findings| panic!("{text:?}: {findings:#?}"));
    let spec = |document| match document {
        Document::Spec(spec) => spec,
        other => panic!("{other:?}"),
    };
    documents.into_iter().map(spec).collect()
}
