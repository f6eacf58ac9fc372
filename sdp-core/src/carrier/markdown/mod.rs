//! The Markdown carrier: one Spec or one Pack manifest in a `*.sdp.md` file. The file's text comes in, one whole
//! document or the findings of the first stage that has any goes out. It never reads a file, never recurses into its
//! input, and never gives a part of a refused carrier.
//!
//! Stages, each of which stops the next: `envelope` (bytes), `frontmatter` (over `yaml`), then `body` with
//! `owners` for a Spec or `pack` for a Pack (fact sheet parts 3 and 4, newest sheet parts 1, 2, 3, 5 and 7).

mod body;
mod entries;
mod envelope;
mod fence;
mod findings;
mod frontmatter;
mod headings;
mod owners;
mod pack;
mod remedies;
mod text;
mod yaml;

#[cfg(test)]
mod tests;

use crate::finding::{Finding, FindingId};
use crate::model::{Document, SpecDocument};

use findings::{Findings, LIMIT_REACHED};
use frontmatter::Front;
use remedies::Source;

/// Reads one carrier. `file` is its root-relative path, which the findings name; `text` is its whole content.
///
/// # Errors
/// Every finding of the first stage (envelope, frontmatter, body) that has one, at most 100, in the order of
/// [`crate::finding::finding_order`]; the carrier is then refused whole.
#[sdp::satisfies("spec:sdp.carriers.markdown", component = "component:sdp.carriers")]
pub fn read(file: &str, text: &str) -> Result<Document, Vec<Finding>> {
    read_stages(file, text).map_err(|mut findings| {
        let source = Source::read(text);
        for finding in &mut findings {
            finding.help = finding.help.take().or_else(|| remedies::remedy(finding, &source));
        }
        findings
    })
}

/// Whether the text of an entry reads as a key and its value, which a section of plain entries refuses.
#[cfg(feature = "typescript")]
pub(crate) fn is_keyed(entry: &str) -> bool {
    text::keyed(entry).is_some()
}

/// Whether a finding only says that there are more of them.
#[cfg(feature = "typescript")]
pub(crate) fn is_limit(finding: &Finding) -> bool {
    finding.message == LIMIT_REACHED
}

fn read_stages(file: &str, text: &str) -> Result<Document, Vec<Finding>> {
    let envelope = envelope::split(text)
        .map_err(|message| vec![Finding::error(FindingId::InvalidFrontmatter, message).at(file, 1)])?;
    let front = frontmatter::read(file, envelope.frontmatter)?;
    let mut findings = Findings::new(file, (FindingId::InvalidMarkdownStructure, LIMIT_REACHED));
    let document = match front {
        Front::Spec(front) => body::scan(envelope.body, envelope.body_line, &mut findings).map(|scan| {
            let (sections, entries) = owners::read(&scan, front.kind, &mut findings);
            Document::Spec(SpecDocument {
                id: front.id,
                line: front.line,
                kind: front.kind,
                altitude: front.altitude,
                readiness: front.readiness,
                relations: front.relations,
                title: Some(scan.title.to_owned()),
                narrative: scan.narrative,
                sections,
                entries,
            })
        }),
        Front::Pack(front) => pack::read(front, envelope.body, envelope.body_line, &mut findings).map(Document::Pack),
    };
    match document {
        Some(document) if findings.is_empty() => Ok(document),
        _ => Err(findings.finish()),
    }
}
