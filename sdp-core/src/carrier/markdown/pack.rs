//! A Pack's body: title and framing. It has no section tier, so every other heading is refused.

use crate::carrier::prose::Prose;
use crate::finding::FindingId;
use crate::model::PackDocument;

use super::findings::{Findings, shown};
use super::frontmatter::PackFront;
use super::headings;
use super::text::{ascii_trim, lines, take_paragraph_line};

/// Reads a Pack's body. None where the first line is no title, which ends the stage.
pub(super) fn read(front: PackFront, body: &str, first_line: u32, findings: &mut Findings<'_>) -> Option<PackDocument> {
    let mut rest = lines(body, first_line);
    let title = headings::title(rest.next(), findings)?;
    let mut framing = Prose::default();
    for line in rest {
        let below = line.text.trim_start_matches('#');
        match (line.text.len() - below.len(), below.strip_prefix(' ')) {
            (1, Some(_)) => findings.structure(line.number, "only the first H1 is accepted"),
            (2.., Some(heading)) => {
                let heading = ascii_trim(heading);
                let message = format!("heading \"{}\" is not recognized; a Pack has no section tier", shown(heading));
                findings.push(FindingId::UnrecognizedHeading, line.number, message);
            }
            _ => take_paragraph_line(&mut framing, line, findings),
        }
    }
    Some(PackDocument {
        id: front.id,
        line: front.line,
        title: Some(title.to_owned()),
        framing: framing.finish(),
        members: front.specs,
        model_refs: front.model_refs,
    })
}
