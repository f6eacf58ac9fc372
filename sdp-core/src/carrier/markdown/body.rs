//! A Spec's body: its text comes in, title, narrative and the raw content of each section go out. This room knows the
//! shape of lines and headings; what a section's entries mean stands in [`super::owners`].

use std::ops::Range;

use crate::carrier::prose::Prose;
use crate::finding::FindingId;
use crate::model::is_js_whitespace;

use super::fence::{self, Fence};
use super::findings::Findings;
use super::headings::{self, Owner};
use super::text::{Line, ascii_trim, has_raw_html, is_indented, is_unsupported_block, lines, take_paragraph_line};

/// A body, parted at its headings.
#[derive(Debug)]
pub(super) struct Scan<'a> {
    /// The H1's text.
    pub(super) title: &'a str,
    /// The prose between title and first section.
    pub(super) narrative: Option<String>,
    /// The sections, in authored order.
    pub(super) sections: Vec<Section>,
    lines: Vec<Line<'a>>,
}

/// One section: what announced it, where, and which lines it has.
#[derive(Debug)]
pub(super) struct Section {
    /// What the heading names.
    pub(super) owner: Owner,
    heading: u32,
    lines: Range<usize>,
}

/// The content of one section, before its owner has looked at it.
#[derive(Debug, Default)]
pub(super) struct Content<'a> {
    /// The 1-based line behind the heading.
    pub(super) first_line: u32,
    /// Whether the heading is followed by anything, be it an empty line.
    pub(super) has_lines: bool,
    /// The leading prose.
    pub(super) description: Option<String>,
    /// The entries, each without its `- `.
    pub(super) entries: Vec<Line<'a>>,
    /// The H3, without its `### `.
    pub(super) h3: Option<Line<'a>>,
    /// The fences.
    pub(super) fences: Vec<Fence>,
    /// The first line with text behind the first fence.
    pub(super) after_fence: Option<u32>,
}

impl Content<'_> {
    /// The line of the H3, else of the first fence: where an owner without either refuses them.
    pub(super) fn h3_or_fence(&self) -> Option<u32> {
        self.h3.map(|line| line.number).or_else(|| self.fences.first().map(|fence| fence.line))
    }
}

/// Parts a body at its headings. None where the first line is no title, which ends the stage.
pub(super) fn scan<'a>(text: &'a str, first_line: u32, findings: &mut Findings<'_>) -> Option<Scan<'a>> {
    let mut rest = lines(text, first_line);
    let title = headings::title(rest.next(), findings)?;
    let mut parting = Parting { lines: Vec::new(), sections: Vec::new(), places: 0, is_ignored: false };
    let mut in_fence = false;
    for line in rest {
        if line.text.starts_with("```") {
            // A bare fence only ever closes, so an opening one without a language never hides a heading.
            in_fence = line.text != "```";
            parting.take(line);
        } else if in_fence || !line.text.starts_with('#') {
            parting.take(line);
        } else {
            parting.heading(line, findings);
        }
    }
    let Parting { lines, sections, .. } = parting;
    let narrative_lines = sections.first().map_or(lines.len(), |section| section.lines.start);
    let mut narrative = Prose::default();
    for line in lines.iter().take(narrative_lines) {
        take_paragraph_line(&mut narrative, *line, findings);
    }
    Some(Scan { title, narrative: narrative.finish(), sections, lines })
}

/// The lines of a body on their way into sections.
struct Parting<'a> {
    lines: Vec<Line<'a>>,
    sections: Vec<Section>,
    places: u16,
    is_ignored: bool,
}

impl<'a> Parting<'a> {
    /// Gives a line to the current section, or to the narrative; the content of a repeated owner is dropped.
    fn take(&mut self, line: Line<'a>) {
        if self.is_ignored {
            return;
        }
        self.lines.push(line);
        if let Some(section) = self.sections.last_mut() {
            section.lines.end = self.lines.len();
        }
    }

    fn heading(&mut self, line: Line<'a>, findings: &mut Findings<'_>) {
        if line.text.starts_with("# ") {
            findings.structure(line.number, "only the first H1 is accepted");
        } else if let Some(heading) = line.text.strip_prefix("## ") {
            self.section(line.number, heading, findings);
        } else if line.text.starts_with("### ") && !self.sections.is_empty() {
            self.take(line);
        } else {
            findings.structure(line.number, "headings must use exact column-one Markdown syntax");
        }
    }

    /// Opens a section. Lines behind a heading that names none stay with the section before.
    fn section(&mut self, number: u32, heading: &str, findings: &mut Findings<'_>) {
        if is_indented(heading) || heading.is_empty() {
            findings.structure(number, "H2 headings require text immediately after ##");
            return;
        }
        let heading = ascii_trim(heading);
        let Some(owner) = Owner::of_heading(heading) else {
            // Wording a suggestion costs time, which a carrier full of wrong headings must not take.
            if !findings.is_full() {
                findings.push(FindingId::UnrecognizedHeading, number, headings::unrecognized(heading));
            }
            return;
        };
        self.is_ignored = self.places & owner.place() != 0;
        if self.is_ignored {
            findings.structure(number, "a single-valued Markdown owner is authored more than once");
            return;
        }
        self.places |= owner.place();
        let start = self.lines.len();
        self.sections.push(Section { owner, heading: number, lines: start..start });
    }
}

impl<'a> Scan<'a> {
    /// Reads the lines of one section: leading prose, then entries, one H3 and fences.
    pub(super) fn content(&self, section: &Section, findings: &mut Findings<'_>) -> Content<'a> {
        let lines = self.lines.get(section.lines.clone()).unwrap_or_default();
        let mut content = Content {
            first_line: section.heading.saturating_add(1),
            has_lines: !lines.is_empty(),
            ..Content::default()
        };
        let mut prose = Prose::default();
        let mut is_structured = false;
        let mut rest = lines;
        while let [line, after @ ..] = rest {
            rest = after;
            let text = line.text;
            if text.is_empty() {
                prose.blank();
                continue;
            }
            if !content.fences.is_empty() && content.after_fence.is_none() {
                content.after_fence = Some(line.number);
            }
            if has_raw_html(text) {
                findings.structure(line.number, "raw HTML is unsupported");
            } else if is_unsupported_block(text) {
                findings.structure(line.number, "nested or unsupported Markdown structure");
            } else if text.starts_with("```") {
                is_structured = true;
                if let Some((fence, behind)) = fence::read(*line, after, findings) {
                    content.fences.push(fence);
                    rest = behind;
                }
            } else if let Some(heading) = text.strip_prefix("### ") {
                is_structured = true;
                if content.h3.is_some() {
                    findings.structure(line.number, "an H3 owner is authored more than once");
                } else {
                    let heading = heading.trim_end_matches([' ', '\t']);
                    content.h3 = Some(Line { number: line.number, text: heading });
                }
            } else if text.starts_with('#') {
                findings.structure(line.number, "unsupported heading structure");
            } else if let Some(entry) = text.strip_prefix("- ") {
                is_structured = true;
                if entry.chars().all(is_js_whitespace) || is_indented(entry) {
                    findings.structure(line.number, "list text must not be empty");
                } else {
                    content.entries.push(Line { number: line.number, text: entry });
                }
            } else if is_indented(text) || text.starts_with(['|', '>']) {
                findings.structure(line.number, "nested or unsupported Markdown structure");
            } else if is_structured {
                findings.push(FindingId::UnownedProse, line.number, "prose after structured content has no owner");
            } else {
                prose.line(ascii_trim(text));
            }
        }
        content.description = prose.finish();
        content
    }
}
