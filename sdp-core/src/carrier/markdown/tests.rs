//! The Markdown carrier, message by message, over inputs of our own, and what it must survive. Here stands what the
//! rooms of these tests share.

mod body;
mod front;
mod hostile;
mod remedies;
mod sections;

use super::read;
use crate::finding::Finding;
use crate::model::{Document, PackDocument, SpecDocument};

const FRONTMATTER: &str = "extract/invalid-frontmatter";
const STRUCTURE: &str = "extract/invalid-markdown-structure";
const ENVELOPE: &str = "extract/non-static-envelope";
const INVALID_ID: &str = "extract/invalid-id";
const RESERVED: &str = "extract/reserved-property";
const PROPERTY: &str = "extract/unrecognized-property";
const HEADING: &str = "extract/unrecognized-heading";
const PROSE: &str = "extract/unowned-prose";

/// Six good lines; a body behind them starts at line 8.
const HEADER: &str = "---\nid: spec:a.b\nkind: behavior\naltitude: feature\nreadiness: idea\nrelations: {}\n---\n";

type Row<'a> = (&'a str, u32, &'a str);

fn findings(text: &str) -> Vec<Finding> {
    read("a.sdp.md", text).err().unwrap_or_default()
}

#[track_caller]
fn assert_findings(text: &str, expected: &[Row<'_>]) {
    let findings = findings(text);
    let found: Vec<Row<'_>> =
        findings.iter().map(|finding| (finding.id.as_str(), finding.line.unwrap(), finding.message.as_str())).collect();
    assert_eq!(found, expected, "{text:?}");
    for finding in &findings {
        assert_eq!((finding.file.as_deref(), finding.is_error()), (Some("a.sdp.md"), true));
        assert_eq!((&finding.subject, &finding.path), (&None, &None));
    }
}

/// A Spec with a good header.
fn spec(body: &str) -> String {
    format!("{HEADER}{body}")
}

/// A Spec whose first section opens at line 10.
fn sections(sections: &str) -> String {
    format!("{HEADER}# T\n\n{sections}")
}

/// A Spec with one line of its header replaced.
fn with_line(line: usize, replacement: &str) -> String {
    let mut lines: Vec<&str> = HEADER.lines().collect();
    lines[line - 1] = replacement;
    format!("{}\n# T\n", lines.join("\n"))
}

#[track_caller]
fn document(text: &str) -> SpecDocument {
    match read("a.sdp.md", text) {
        Ok(Document::Spec(spec)) => spec,
        other => panic!("{text:?} gives {other:?}"),
    }
}

#[track_caller]
fn pack(text: &str) -> PackDocument {
    match read("a.sdp.md", text) {
        Ok(Document::Pack(pack)) => pack,
        other => panic!("{text:?} gives {other:?}"),
    }
}
