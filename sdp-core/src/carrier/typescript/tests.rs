//! The TypeScript carrier, room by room, over inputs of our own, and what it must survive. Here stands what these tests share.

mod envelope;
mod hostile;
mod remedies;
mod sections;
mod statements;

use super::read;
use crate::carrier::Read;
use crate::model::{Document, SpecDocument};
use crate::typescript::Modules;

const ENVELOPE: &str = "extract/non-static-envelope";
const SECTION: &str = "extract/non-static-section";
const STATEMENT: &str = "extract/unrecognized-statement";
const PROPERTY: &str = "extract/unrecognized-property";
const RESERVED: &str = "extract/reserved-property";
const MISTYPED: &str = "sdp/mistyped-property";

const FILE: &str = "specs/a.sdp.ts";

/// The import that a carrier opens with, one line.
const IMPORT: &str = "import { spec, pack, ref, specId, packId, refines, verifies, codeAnchor } from \"@libar-dev/software-delivery-protocol\";\n";

/// A carrier of one Spec whose envelope is good; `fields` stand from line 3 on.
fn spec(fields: &str) -> String {
    format!(
        "{IMPORT}export const a = spec({{ id: \"spec:a\", kind: \"rule\", altitude: \"story\", readiness: \"idea\",\n{fields}\n}});\n"
    )
}

fn answer(text: &str) -> Read {
    let read = read(FILE, text, &Modules::default());
    assert!(read.findings.iter().all(|finding| finding.file.as_deref() == Some(FILE)));
    assert!(read.findings.is_sorted_by(|left, right| crate::finding::finding_order(left, right).is_le()));
    read
}

/// Findings as `<severity> <id> <line> <path>`, and whether documents are given.
fn found(text: &str) -> Vec<String> {
    let rows = answer(text).findings.into_iter().map(|finding| {
        let place = [finding.line.map(|line| line.to_string()), finding.path].map(Option::unwrap_or_default);
        format!("{} {} {}", finding.severity, finding.id.as_str(), place.join(" ")).trim_end().to_owned()
    });
    rows.collect()
}

fn messages(text: &str) -> Vec<String> {
    answer(text).findings.into_iter().map(|finding| finding.message).collect()
}

/// The one Spec of a carrier that has findings of no kind.
#[track_caller]
fn one(text: &str) -> SpecDocument {
    let Read { mut documents, findings, .. } = answer(text);
    assert_eq!(findings, []);
    match (documents.pop(), documents.is_empty()) {
        (Some(Document::Spec(spec)), true) => spec,
        other => panic!("{other:?}"),
    }
}

fn ids(text: &str) -> Vec<String> {
    answer(text).documents.iter().map(|document| document.id().to_owned()).collect()
}
