//! The comment form (newest sheet part 4): a source file's text and its language come in, the anchors that its comments hold
//! go out. A reserved tag that binds nothing is a finding; a comment without one costs no more than being found.

mod lines;
mod rust;
mod scan;
mod tags;
#[cfg(test)]
mod tests;

use std::ops::Range;

use self::rust::RustComments;
use self::scan::Scanner;
use super::{Language, MAX_FINDINGS, Read};

#[cfg(feature = "typescript")]
pub(super) use self::lines::raw as raw_lines;
pub(super) use self::tags::Tags;
#[cfg(feature = "typescript")]
pub(super) use self::tags::opens_a_tag;

/// What opens every reserved tag.
const MARKER: &[u8] = b"@sdp";

/// One comment.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Comment<'s> {
    /// All of it, in bytes; the line feed behind a line comment is no part.
    range: Range<usize>,
    /// What stands between its tokens.
    content: Range<usize>,
    /// What opens it.
    mark: &'s str,
    /// Whether it ends with its line.
    is_line: bool,
    /// What opens and closes a comment in it, where those count.
    nests: Option<(&'s str, &'s str)>,
    /// Whether nothing stands before it on its line.
    is_alone: bool,
    /// Whether it stands where no comment binds.
    is_misplaced: bool,
}

/// Reads the anchors of one file.
#[must_use]
#[sdp::satisfies("spec:sdp.anchors.comments", component = "component:sdp.anchors")]
pub fn read(language: &Language, path: &str, text: &str) -> Read {
    #[cfg(feature = "typescript")]
    if language.is_typescript() {
        return super::typescript::read_comments(path, text);
    }
    language.with_syntax(|syntax| match syntax {
        Some(syntax) => read_blocks(path, text, Scanner::new(text, syntax), false),
        None => read_blocks(path, text, RustComments::new(text), true),
    })
}

/// Reads the anchors of comments, which come in their order. Line comments below each other are one block.
fn read_blocks<'s>(path: &str, text: &str, comments: impl Iterator<Item = Comment<'s>>, is_rust: bool) -> Read {
    let mut blocks = Blocks { path, text, is_rust, counted: (0, 1), read: Read::default() };
    let mut block: Option<Comment<'_>> = None;
    for comment in comments {
        block = match block {
            Some(open) if joins(text, &open, &comment) => {
                let range = open.range.start..comment.range.end;
                Some(Comment { range, ..open })
            }
            open => {
                if let Some(whole) = open {
                    blocks.take(&whole);
                }
                Some(comment)
            }
        };
        if blocks.read.findings.len() > MAX_FINDINGS {
            return blocks.read;
        }
    }
    if let Some(whole) = block {
        blocks.take(&whole);
    }
    blocks.read
}

/// Whether a comment goes on with a block that ends on the line before.
fn joins(text: &str, block: &Comment<'_>, next: &Comment<'_>) -> bool {
    let is_sort = block.is_line && next.is_line && block.mark == next.mark && block.is_misplaced == next.is_misplaced;
    is_sort
        && block.is_alone
        && next.is_alone
        && text.get(block.range.end..next.range.start).is_some_and(|between| {
            between.strip_prefix('\n').is_some_and(|indent| indent.bytes().all(|byte| matches!(byte, b' ' | b'\t')))
        })
}

struct Blocks<'t> {
    path: &'t str,
    text: &'t str,
    is_rust: bool,
    /// A byte offset, and the 1-based line that it is on.
    counted: (usize, u32),
    read: Read,
}

impl Blocks<'_> {
    fn take(&mut self, block: &Comment<'_>) {
        let Some(whole) = self.text.get(block.range.clone()) else { return };
        if !may_hold_anchors(whole.as_bytes()) {
            return;
        }
        let line = self.line_at(block.range.start);
        let mut tags = Tags::new(self.path, line, block.is_misplaced.then(|| tags::misplaced(self.is_rust)));
        if self.is_rust && matches!(block.mark, "///" | "//!" | "/**" | "/*!") {
            tags.skip_fences();
        }
        if block.is_line {
            lines::of_line_comments(whole, block.mark, line, &mut tags);
        } else if let Some(content) = self.text.get(block.content.clone()) {
            lines::of_block(content, block.mark, block.nests, line, &mut tags);
        }
        if let Some(anchor) = tags.finish() {
            self.read.take(anchor);
        }
    }

    /// The 1-based line of an offset, which is no smaller than the last one.
    fn line_at(&mut self, offset: usize) -> u32 {
        let (from, line) = self.counted;
        let between = self.text.as_bytes().get(from..offset).unwrap_or_default();
        let more = u32::try_from(memchr::memchr_iter(b'\n', between).count()).unwrap_or(u32::MAX);
        self.counted = (offset, line.saturating_add(more));
        self.counted.1
    }
}

/// Whether bytes hold what opens a reserved tag, in any case: what is near a tag must not pass in silence.
#[must_use]
pub fn may_hold_anchors(bytes: &[u8]) -> bool {
    find_marker(bytes).is_some()
}

/// Where the first `@sdp` stands, in any case, in bytes.
pub(crate) fn find_marker(bytes: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'@', bytes)
        .find(|at| bytes.get(*at..at + MARKER.len()).is_some_and(|word| word.eq_ignore_ascii_case(MARKER)))
}
