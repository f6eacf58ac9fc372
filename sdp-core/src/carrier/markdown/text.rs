//! Line-level questions: one line of a body comes in, what it is goes out. Lines are looked at one by one; nothing here
//! knows sections, and no other Markdown than these rules is ever interpreted (fact sheet part 3.3, newest sheet part 5).

use std::collections::BTreeMap;

use memchr::{memchr, memchr2};

use super::findings::Findings;
use crate::carrier::prose::Prose;

/// One line of the body, without its line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// The 1-based line in the file.
    pub(super) number: u32,
    /// The text.
    pub(super) text: &'a str,
}

/// The lines of a text that keeps one kind of line end. A final line end is followed by one more, empty line.
pub(super) fn lines(text: &str, first: u32) -> impl Iterator<Item = Line<'_>> {
    let mut rest = Some(text);
    let mut number = first;
    std::iter::from_fn(move || {
        let current = rest?;
        let text =
            match memchr(b'\n', current.as_bytes()).and_then(|at| Some((current.get(..at)?, current.get(at + 1..)?))) {
                Some((line, after)) => {
                    rest = Some(after);
                    line.strip_suffix('\r').unwrap_or(line)
                }
                None => {
                    rest = None;
                    current
                }
            };
        let line = Line { number, text };
        number = number.saturating_add(1);
        Some(line)
    })
}

/// Without the tabs and spaces at both ends.
pub(super) fn ascii_trim(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
}

/// Whether a text opens with a tab or a space.
pub(super) fn is_indented(text: &str) -> bool {
    text.starts_with([' ', '\t'])
}

/// Whether a text is what the grammar's `.+` takes: not empty, and without the Unicode line separators.
pub(super) fn is_dot_text(text: &str) -> bool {
    !text.is_empty() && !text.contains(['\u{2028}', '\u{2029}'])
}

/// Key and value of a keyed entry: one ASCII word, a colon, one space, and a value.
pub(super) fn keyed(entry: &str) -> Option<(&str, &str)> {
    let (key, value) = entry.split_once(": ")?;
    let mut bytes = key.bytes();
    let is_word = bytes.next().is_some_and(|b| b.is_ascii_alphabetic()) && bytes.all(|b| b.is_ascii_alphanumeric());
    (is_word && is_dot_text(value)).then_some((key, value))
}

/// Whether a line holds raw HTML outside its code spans: a tag with its closing `>`, a comment's delimiter, a
/// declaration or a processing instruction.
pub(super) fn has_raw_html(line: &str) -> bool {
    let bytes = line.as_bytes();
    if memchr2(b'<', b'>', bytes).is_none() {
        return false;
    }
    let spans = CodeSpans::of(bytes);
    let mut in_tag = false;
    let mut at = 0;
    while let Some(rest @ [first, ..]) = bytes.get(at..) {
        match first {
            b'`' => {
                at = spans.skip(at);
                continue;
            }
            b'>' if in_tag => return true,
            b'-' if rest.starts_with(b"-->") => return true,
            b'<' => match rest {
                [_, b'?', ..] | [_, b'!', b'-', b'-', ..] => return true,
                [_, b'!', letter, ..] if letter.is_ascii_alphabetic() => return true,
                [_, b'/', letter, ..] | [_, letter, ..] if letter.is_ascii_alphabetic() => in_tag = true,
                _ => {}
            },
            _ => {}
        }
        at += 1;
    }
    false
}

/// The code spans of one line. A run of n backticks opens a span that the next run of exactly n closes; one that
/// nothing closes shields nothing.
struct CodeSpans<'a> {
    bytes: &'a [u8],
    /// Where the last run of each length starts: tells without a search whether a run can be closed.
    last: BTreeMap<usize, usize>,
}

impl<'a> CodeSpans<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let mut spans = CodeSpans { bytes, last: BTreeMap::new() };
        let mut at = 0;
        while let Some((start, length)) = spans.run_from(at) {
            spans.last.insert(length, start);
            at = start + length;
        }
        spans
    }

    /// Start and length of the first run of backticks at or after an offset.
    fn run_from(&self, at: usize) -> Option<(usize, usize)> {
        let rest = self.bytes.get(at..)?;
        let start = memchr(b'`', rest)?;
        let length = rest.iter().skip(start).take_while(|byte| **byte == b'`').count();
        Some((at + start, length))
    }

    /// The offset behind the run of backticks that starts here, or behind the span that it opens.
    fn skip(&self, start: usize) -> usize {
        let Some((_, length)) = self.run_from(start) else { return start + 1 };
        let mut at = start + length;
        if self.last.get(&length).is_some_and(|last| *last > start) {
            while let Some((next, found)) = self.run_from(at) {
                at = next + found;
                if found == length {
                    break;
                }
            }
        }
        at
    }
}

/// Whether a line is Markdown that carriers do not take anywhere: a `*`, `+`, ordered or tabbed list item, a line that
/// opens with `<`, a thematic break or a setext underline.
pub(super) fn is_unsupported_block(line: &str) -> bool {
    let bytes = line.as_bytes();
    match bytes {
        [b'<', ..] | [b'*' | b'+', b' ' | b'\t', ..] | [b'-', b'\t', ..] => return true,
        [first, ..] if first.is_ascii_digit() => {
            let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            return matches!(bytes.get(digits..), Some([b'.' | b')', b' ' | b'\t', ..]));
        }
        [b'=', ..] => {
            let underline = bytes.trim_ascii_end();
            return underline.len() >= 3 && underline.iter().all(|byte| *byte == b'=');
        }
        _ => {}
    }
    match bytes.first() {
        Some(mark @ (b'*' | b'-' | b'_')) => {
            let marks = bytes.iter().filter(|byte| *byte == mark).count();
            marks >= 3 && bytes.iter().all(|byte| byte == mark || matches!(byte, b' ' | b'\t'))
        }
        _ => false,
    }
}

/// Whether a line opens as no plain paragraph does: what a narrative and a framing refuse.
fn opens_no_paragraph(line: &str) -> bool {
    line.starts_with(['-', '|', '>', '<', '#', '\t', ' ']) || line.starts_with("```") || is_unsupported_block(line)
}

/// Takes a line of a narrative or a framing into its prose; refuses what is no plain paragraph.
pub(super) fn take_paragraph_line(prose: &mut Prose, line: Line<'_>, findings: &mut Findings<'_>) {
    if line.text.is_empty() {
        prose.blank();
    } else if has_raw_html(line.text) {
        findings.structure(line.number, "raw HTML is unsupported");
    } else if opens_no_paragraph(line.text) {
        findings.structure(line.number, "narrative accepts CommonMark paragraphs only");
    } else {
        prose.line(ascii_trim(line.text));
    }
}
