//! The comments of Rust source, by its own tokens: a text comes in, its comments go out, each with whether it stands between
//! items. Comments are what lies between tokens; where the tokens are is said by [`Tokens`] alone.

use std::ops::Range;

use super::Comment;
use crate::anchor::rust::tokens::{Kind, Token, Tokens};

/// The comments of one text.
pub(super) struct RustComments<'t> {
    text: &'t str,
    tokens: Tokens<'t>,
    /// What lies before the next token and was not looked at yet.
    gap: Range<usize>,
    /// The token behind the gap.
    next: Option<Token>,
    is_line_used: bool,
    items: Items,
}

impl<'t> RustComments<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut tokens = Tokens::new(text);
        let next = tokens.next();
        let end = next.as_ref().map_or(text.len(), |token| token.range.start);
        RustComments { text, tokens, gap: 0..end, next, is_line_used: false, items: Items::default() }
    }

    /// Goes on behind the next token; false when there is none.
    fn advance(&mut self) -> bool {
        let Some(token) = self.next.take() else { return false };
        self.items.take(&token, self.text.get(token.range.clone()).unwrap_or_default());
        self.is_line_used = true;
        self.next = self.tokens.next();
        self.gap = token.range.end..self.next.as_ref().map_or(self.text.len(), |next| next.range.start);
        true
    }

    /// The next comment in the gap.
    fn in_gap(&mut self) -> Option<Comment<'static>> {
        let bytes = self.text.as_bytes();
        while self.gap.start < self.gap.end {
            let at = self.gap.start;
            let rest = bytes.get(at..self.gap.end).unwrap_or_default();
            match rest {
                [b'/', b'/', ..] => {
                    let end = memchr::memchr(b'\n', rest).map_or(self.gap.end, |length| at + length);
                    // Four slashes are no documentation.
                    let mark = match rest {
                        [_, _, b'/', b'/', ..] => "//",
                        [_, _, b'/', ..] => "///",
                        [_, _, b'!', ..] => "//!",
                        _ => "//",
                    };
                    return Some(self.comment(mark, at..end, at + mark.len()..end));
                }
                [b'/', b'*', ..] => {
                    let (content_end, end) = block_end(bytes, at + 2, self.gap.end);
                    let mark = match rest {
                        [_, _, b'*', b'*' | b'/', ..] => "/*",
                        [_, _, b'*', ..] => "/**",
                        [_, _, b'!', ..] => "/*!",
                        _ => "/*",
                    };
                    return Some(self.comment(mark, at..end, (at + mark.len()).min(content_end)..content_end));
                }
                [b'\n', ..] => self.is_line_used = false,
                [byte, ..] if byte.is_ascii_whitespace() || *byte >= 0x80 => {}
                // A line for the system at the start of the file.
                _ => self.is_line_used = true,
            }
            self.gap.start += 1;
        }
        None
    }

    fn comment(&mut self, mark: &'static str, range: Range<usize>, content: Range<usize>) -> Comment<'static> {
        let is_line = mark.starts_with("//");
        let is_alone = !self.is_line_used;
        self.is_line_used = true;
        self.gap.start = range.end;
        let nests = (!is_line).then_some(("/*", "*/"));
        Comment { range, content, mark, is_line, nests, is_alone, is_misplaced: !self.items.is_between() }
    }
}

impl Iterator for RustComments<'_> {
    type Item = Comment<'static>;

    fn next(&mut self) -> Option<Comment<'static>> {
        loop {
            if let Some(comment) = self.in_gap() {
                return Some(comment);
            }
            if !self.advance() {
                return None;
            }
        }
    }
}

/// Where the content of a block comment ends, and where the comment.
fn block_end(bytes: &[u8], from: usize, limit: usize) -> (usize, usize) {
    let (mut at, mut depth) = (from, 1_usize);
    while let Some(found) = memchr::memchr2(b'/', b'*', bytes.get(at..limit).unwrap_or_default()) {
        at += found;
        match bytes.get(at..limit).unwrap_or_default() {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return (at - 2, at);
                }
            }
            _ => at += 1,
        }
    }
    (limit, limit)
}

/// Where the tokens so far lead: between items, or into one.
#[derive(Default)]
struct Items {
    /// The item that is open in the innermost bracket that holds items.
    item: Item,
    /// How many `<` of its head are open.
    angles: usize,
    /// The items around it, each with its open `<`: one for each bracket that holds items, and one for the outermost that
    /// does not.
    around: Vec<(Item, usize)>,
    /// How many brackets that hold no items are open. What stands in them is counted and no more.
    others: usize,
    last: Option<Kind>,
}

/// How an item opened, as far as it was read.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Item {
    /// With nothing, an attribute, or words that say nothing yet: `pub`, `unsafe`.
    #[default]
    None,
    /// `extern`: a block of items, or a function, or a crate.
    Extern,
    /// `mod`, `impl` or `trait`: its braces hold items.
    HoldsItems,
    /// Something else.
    Other,
}

impl Items {
    fn is_between(&self) -> bool {
        self.others == 0 && self.item == Item::None
    }

    fn take(&mut self, token: &Token, text: &str) {
        match token.kind {
            Kind::Open(_) if self.others > 0 => self.others += 1,
            Kind::Open(bracket) => self.open(bracket),
            Kind::Close(_) if self.others > 1 => self.others -= 1,
            Kind::Close(_) => {
                self.others = 0;
                if let Some((item, angles)) = self.around.pop() {
                    (self.item, self.angles) = (item, angles);
                }
            }
            _ if self.others > 0 => {}
            Kind::Punct(';') => (self.item, self.angles) = (Item::None, 0),
            Kind::Punct('<') => self.angles += 1,
            // `->` and `=>` close nothing.
            Kind::Punct('>') if !matches!(self.last, Some(Kind::Punct('-' | '='))) => {
                self.angles = self.angles.saturating_sub(1);
            }
            Kind::Word if self.item == Item::None => {
                self.item = match text {
                    "pub" | "unsafe" | "safe" | "default" | "auto" | "async" | "const" | "crate" => Item::None,
                    "mod" | "impl" | "trait" => Item::HoldsItems,
                    "extern" => Item::Extern,
                    _ => Item::Other,
                };
            }
            // `extern fn`, `extern crate`.
            Kind::Word if self.item == Item::Extern => self.item = Item::Other,
            _ => {}
        }
        self.last = Some(token.kind);
    }

    fn open(&mut self, bracket: u8) {
        // `impl A<{ 1 }>`: braces in the head of an item. A comma alone says nothing: `where T: B, {`.
        let is_argument = self.angles > 0 || self.last == Some(Kind::Punct('='));
        // Only the braces of a body end their item.
        let is_body = bracket == b'{' && !is_argument;
        let holds_items = is_body && matches!(self.item, Item::HoldsItems | Item::Extern);
        self.around.push(if is_body { (Item::None, 0) } else { (self.item, self.angles) });
        (self.item, self.angles) = (Item::None, 0);
        self.others = usize::from(!holds_items);
    }
}
