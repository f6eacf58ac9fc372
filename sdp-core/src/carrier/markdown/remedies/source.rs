//! The text of a refused carrier, looked at once more: a line's number comes in, the line and what stands above it go out.

use crate::carrier::markdown::headings::Owner;
use crate::carrier::markdown::text::ascii_trim;
use crate::finding::Finding;

/// A carrier's lines, with its headings and fences known.
pub(in crate::carrier::markdown) struct Source<'a> {
    lines: Vec<&'a str>,
    /// The body's headings of all levels but the third.
    headings: Vec<Heading>,
    /// The lines that open a fence, 0-based.
    fences: Vec<usize>,
    is_pack: bool,
}

#[derive(Clone, Copy)]
struct Heading {
    /// The line, 0-based.
    at: usize,
    /// The section that goes on behind it.
    owner: Option<Owner>,
    /// Whether it is a title or names a section.
    is_known: bool,
}

impl<'a> Source<'a> {
    /// Looks through a carrier's text.
    pub(in crate::carrier::markdown) fn read(text: &'a str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let front = lines.iter().skip(1).position(|line| *line == "---").map_or(0, |at| at + 1);
        let is_pack = lines.iter().take(front).any(|line| {
            line.strip_prefix("id:").is_some_and(|id| id.trim_start_matches([' ', '"', '\'']).starts_with("pack:"))
        });
        let mut source = Source { lines, headings: Vec::new(), fences: Vec::new(), is_pack };
        let (mut in_fence, mut owner) = (false, None);
        for (at, line) in source.lines.iter().enumerate().skip(front) {
            if line.starts_with("```") {
                in_fence = *line != "```";
                if in_fence {
                    source.fences.push(at);
                }
            } else if !in_fence && line.starts_with('#') && !line.starts_with("### ") {
                let named = line.strip_prefix("## ").and_then(|heading| Owner::of_heading(ascii_trim(heading)));
                owner = named.or(owner);
                let is_known = named.is_some() || line.starts_with("# ");
                source.headings.push(Heading { at, owner, is_known });
            }
        }
        source
    }

    /// The line that a finding stands at.
    pub(super) fn line(&self, finding: &Finding) -> &'a str {
        self.lines.get(place(finding)).copied().unwrap_or_default()
    }

    /// Whether the carrier calls itself a Pack.
    pub(super) fn is_pack(&self) -> bool {
        self.is_pack
    }

    /// The section that a finding's line belongs to.
    pub(super) fn owner(&self, finding: &Finding) -> Option<Owner> {
        self.heading(finding)?.owner
    }

    /// The 1-based line of the heading above a finding, where it names no section: the lines behind it belong to the
    /// section before.
    pub(super) fn unknown_heading(&self, finding: &Finding) -> Option<usize> {
        self.heading(finding).filter(|heading| !heading.is_known).map(|heading| heading.at + 1)
    }

    fn heading(&self, finding: &Finding) -> Option<Heading> {
        let above = self.headings.partition_point(|heading| heading.at < place(finding));
        self.headings.get(above.checked_sub(1)?).copied()
    }

    /// Whether the fence that opened last above a finding holds an example space.
    pub(super) fn in_vocabulary(&self, finding: &Finding) -> bool {
        let above = self.fences.partition_point(|at| *at < place(finding));
        let opening = above.checked_sub(1).and_then(|last| self.lines.get(*self.fences.get(last)?));
        opening.is_some_and(|line| line.starts_with("```gwt-vocabulary"))
    }
}

/// The 0-based line of a finding.
fn place(finding: &Finding) -> usize {
    finding.line.and_then(|line| line.checked_sub(1)).map_or(usize::MAX, |line| line as usize)
}
