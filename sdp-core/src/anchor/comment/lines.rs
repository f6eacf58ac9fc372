//! What a block of comments says, line by line: its text and the token that opens it come in, its lines go to the reader of
//! tags without the token and its decorations. What stands in a comment inside the comment is told apart.
//!
//! Decorations are what people draw, and never part of a value: behind a token, more of its last character and `!<|^:'`
//! without a space between (`///`, `;;;`, `##`, `//!<`); behind `--` and a space, one `|` or `^`; in a block comment, a row
//! of its own character (`*` where its token has one) at the start of a line and before the closing token.

use super::tags::{Tags, opens_a_tag};

/// What may follow a token directly.
const BEHIND_TOKEN: &[char] = &['!', '<', '|', '^', ':', '\''];

/// Hands on the lines of line comments that stand below each other, the first on a 1-based line.
pub(super) fn of_line_comments(block: &str, mark: &str, first: u32, tags: &mut Tags<'_>) {
    for (number, line) in (first..).zip(block.split('\n')) {
        let line = line.trim_start_matches([' ', '\t']);
        tags.line(number, behind_token(line.strip_prefix(mark).unwrap_or(line), mark));
    }
}

/// Hands on the lines of a block comment whose content opens on a 1-based line.
pub(super) fn of_block(content: &str, mark: &str, nests: Option<(&str, &str)>, first: u32, tags: &mut Tags<'_>) {
    let own = decoration(mark);
    let content = own.map_or(content, |own| content.trim_end_matches(own));
    let mut depth = 0_usize;
    for (number, line) in (first..).zip(content.split('\n')) {
        let own_text = if number == first { without(behind_token(line, mark), own) } else { without(line, own) };
        if depth == 0 {
            tags.line(number, own_text);
        } else if opens_a_tag(own_text) {
            tags.nested(number);
        }
        if let Some((open, close)) = nests {
            depth = depth_behind(line, open, close, depth, |inner| {
                if opens_a_tag(without(behind_token(inner, open), own)) {
                    tags.nested(number);
                }
            });
        }
    }
}

/// The lines of a `/** … */` block of TypeScript, as the Protocol reads them: without white space around and without the one
/// `*` that decorates each.
#[cfg(feature = "typescript")]
pub(in crate::anchor) fn raw(content: &str) -> impl Iterator<Item = &str> {
    content.split('\n').map(|line| {
        let line = line.trim();
        line.strip_prefix('*').map_or(line, str::trim_start)
    })
}

/// How deep in inner comments the end of a line is. What follows each opening token on it is handed out.
fn depth_behind(line: &str, open: &str, close: &str, mut depth: usize, mut opened: impl FnMut(&str)) -> usize {
    let (Some(first), Some(last)) = (open.bytes().next(), close.bytes().next()) else { return depth };
    let mut rest = line;
    while let Some(found) = memchr::memchr2(first, last, rest.as_bytes()) {
        rest = rest.get(found..).unwrap_or_default();
        if let Some(behind) = rest.strip_prefix(close) {
            (depth, rest) = (depth.saturating_sub(1), behind);
        } else if let Some(behind) = rest.strip_prefix(open) {
            (depth, rest) = (depth + 1, behind);
            opened(behind);
        } else {
            let mut characters = rest.chars();
            characters.next();
            rest = characters.as_str();
        }
    }
    depth
}

/// A line without what decorates the token before it, and without white space around.
fn behind_token<'t>(line: &'t str, mark: &str) -> &'t str {
    let last = mark.chars().last().filter(char::is_ascii_punctuation);
    let plain = line.trim_start_matches(|letter| Some(letter) == last || BEHIND_TOKEN.contains(&letter)).trim();
    match plain.strip_prefix(['|', '^']) {
        Some(rest) if mark == "--" => rest.trim_start(),
        _ => plain,
    }
}

/// A line of a block comment without white space around and without the row that decorates it.
fn without(line: &str, own: Option<char>) -> &str {
    let line = line.trim();
    own.map_or(line, |own| line.trim_start_matches(own).trim_start())
}

/// The character in which a block comment is drawn.
fn decoration(mark: &str) -> Option<char> {
    if mark.contains('*') {
        return Some('*');
    }
    mark.chars().last().filter(|last| last.is_ascii_punctuation() && !matches!(last, '(' | '[' | '{' | '<'))
}
