//! The comments of a text, by the rules of its language: text and rules come in, comments go out in the order in which they
//! stand. It tells strings from comments and understands no code; any text ends, in time that grows with its length alone.

mod special;

use std::ops::Range;

use super::Comment;
use crate::anchor::languages::syntax::{Block, Heredoc, Line, Place, Special, Syntax, Text};

/// How deep code may stand in texts in code; deeper holes are text.
const MAX_HOLES: usize = 200;

/// How many heredocs and texts with an end of their own may lack it; then none is looked for any more, so that the rest of
/// the text is not searched again and again.
const MAX_LOST: usize = 16;

/// The longest word that ends a raw text or a heredoc, in bytes.
const MAX_DELIMITER: usize = 64;

/// What a token opens.
#[derive(Clone, Copy)]
enum Opens<'s> {
    Line(Line<'s>),
    Block(Block<'s>),
    /// A text, with its place among the texts of the syntax.
    Text(usize, Text<'s>),
    Skip,
}

/// What waits for the end of its line.
enum Pending {
    /// The text that a line with this word ends.
    Heredoc { word: Range<usize>, sort: Heredoc, may_be_indented: bool },
    /// The text of all lines that are indented deeper than this.
    Indented(usize),
}

/// A text that has a hole open.
struct Hole<'s> {
    /// The text, with its place among the texts of the syntax.
    text: (usize, Text<'s>),
    brackets: (u8, u8),
    depth: usize,
}

/// The comments of one text.
pub(super) struct Scanner<'t, 's> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// Whether something stands on the line already.
    is_line_used: bool,
    /// The last byte of code that is no white space, and where.
    last: Option<(u8, usize)>,
    /// Longest first.
    openers: Vec<(&'s str, Opens<'s>)>,
    special: &'s [Special],
    ends_line: &'s str,
    /// Which bytes may open something.
    opens: [bool; 256],
    holes: Vec<Hole<'s>>,
    pending: Vec<Pending>,
    lost: usize,
    /// For each text, and behind them for regular expressions, up to where an end was sought in vain.
    unclosed: Vec<usize>,
    /// How many bytes were looked at.
    #[cfg(test)]
    pub(super) looked: usize,
}

impl<'t, 's> Scanner<'t, 's> {
    pub(super) fn new(text: &'t str, syntax: &'s Syntax<'s>) -> Self {
        let mut openers: Vec<(&str, Opens<'_>)> = Vec::new();
        openers.extend(syntax.block.iter().map(|block| (block.open, Opens::Block(*block))));
        openers.extend(syntax.line.iter().map(|line| (line.token, Opens::Line(*line))));
        openers.extend(syntax.texts.iter().enumerate().map(|(place, text)| (text.open, Opens::Text(place, *text))));
        openers.extend(syntax.skips.iter().map(|token| (*token, Opens::Skip)));
        openers.sort_by_key(|(token, _)| std::cmp::Reverse(token.len()));
        let mut opens = [false; 256];
        let firsts = openers.iter().filter_map(|(token, _)| token.bytes().next());
        for byte in firsts.chain(syntax.special.iter().flat_map(|special| first_bytes(*special))) {
            if let Some(opens) = opens.get_mut(usize::from(byte)) {
                *opens = true;
            }
        }
        let mut scanner = Scanner {
            text,
            bytes: text.as_bytes(),
            at: if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 },
            is_line_used: false,
            last: None,
            openers,
            special: syntax.special,
            ends_line: syntax.ends_line,
            opens,
            holes: Vec::new(),
            pending: Vec::new(),
            lost: 0,
            unclosed: vec![0; syntax.texts.len() + 1],
            #[cfg(test)]
            looked: 0,
        };
        if !syntax.opens_behind.is_empty() {
            scanner.at = scanner.behind(syntax.opens_behind, 0).unwrap_or(text.len());
        }
        scanner
    }

    /// Counts what a search passes; for tests alone.
    fn look(&mut self, from: usize, to: usize) {
        #[cfg(test)]
        {
            self.looked += to.saturating_sub(from);
        }
        #[cfg(not(test))]
        let _ = (from, to);
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    fn rest(&self, from: usize) -> &'t [u8] {
        self.bytes.get(from..).unwrap_or_default()
    }

    /// Behind the next `token` from a place on.
    fn behind(&mut self, token: &str, from: usize) -> Option<usize> {
        let found = memchr::memmem::find(self.rest(from), token.as_bytes()).map(|at| from + at + token.len());
        self.look(from, found.unwrap_or(self.bytes.len()));
        found
    }

    /// Behind the next `token` from a place on, as [`Scanner::behind`] says it, unless too many had none.
    fn closed(&mut self, token: &str, from: usize) -> Option<usize> {
        if self.lost >= MAX_LOST {
            return None;
        }
        let found = self.behind(token, from);
        self.lost += usize::from(found.is_none());
        found
    }

    /// The end of the line that a place is on, without its line feed.
    fn line_end(&mut self, from: usize) -> usize {
        let end = memchr::memchr(b'\n', self.rest(from)).map_or(self.bytes.len(), |at| from + at);
        self.look(from, end);
        end
    }

    /// Where the character at a place ends.
    fn behind_character(&self, at: usize) -> usize {
        let length = self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        (at + length).min(self.bytes.len())
    }

    fn stands(&self, place: Place) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.byte(at));
        match place {
            Place::Anywhere => true,
            Place::WordStart => {
                before.is_none_or(|byte| byte.is_ascii_whitespace() || b";&|()".contains(&byte)) || !self.is_line_used
            }
            Place::NotBehindWord => {
                !before.is_some_and(|byte| byte == b'_' || byte.is_ascii_alphanumeric() || byte >= 0x80)
            }
            Place::ValueStart => !self.is_line_used || self.last.is_some_and(|(byte, _)| b":-,?[{".contains(&byte)),
            Place::FirstOnLine => !self.is_line_used,
            Place::LineStart => !self.is_line_used && before.is_none_or(|byte| byte != b' ' && byte != b'\t'),
        }
    }

    /// Goes on behind something that is no comment.
    fn pass(&mut self, end: usize) {
        let end = end.clamp(self.at + 1, self.bytes.len().max(self.at + 1));
        self.last = self.byte(end - 1).map(|byte| (byte, end - 1));
        // A text that ends with its line leaves the next one free.
        self.is_line_used = self.byte(end - 1) != Some(b'\n');
        self.look(self.at, end);
        self.at = end;
    }

    /// Takes up a comment and goes on behind it.
    fn comment(&mut self, comment: Comment<'s>) -> Comment<'s> {
        self.is_line_used = true;
        self.look(self.at, comment.range.end);
        self.at = comment.range.end.max(self.at + 1);
        comment
    }

    /// One step: a byte of code, a text, or a comment.
    fn step(&mut self, byte: u8) -> Option<Comment<'s>> {
        match byte {
            b'\n' => {
                self.at += 1;
                self.is_line_used = false;
                if !self.pending.is_empty() {
                    self.skip_pending();
                }
                return None;
            }
            b' ' | b'\t' | b'\r' => {
                self.at += 1;
                return None;
            }
            _ => {}
        }
        if let Some(hole) = self.holes.last_mut() {
            let (open, close) = hole.brackets;
            if byte == open {
                hole.depth += 1;
            } else if byte == close {
                if hole.depth == 0 {
                    let (place, text) = hole.text;
                    self.holes.pop();
                    self.pass(self.at + 1);
                    if !self.is_unclosed(place) {
                        self.text_body(place, text, self.at);
                    }
                    return None;
                }
                hole.depth -= 1;
            }
        }
        if self.opens.get(usize::from(byte)) == Some(&true) {
            for place in 0..self.special.len() {
                let special = self.special.get(place).copied()?;
                match self.special(special) {
                    Some(Formed::Text(end)) => {
                        self.pass(end);
                        return None;
                    }
                    Some(Formed::Comment(comment)) => return Some(self.comment(comment)),
                    None => {}
                }
            }
            for place in 0..self.openers.len() {
                let Some((token, opens)) = self.openers.get(place).copied() else { break };
                if !self.rest(self.at).starts_with(token.as_bytes()) {
                    continue;
                }
                match self.open(token, opens) {
                    Opened::Comment(comment) => return Some(self.comment(comment)),
                    Opened::Passed => return None,
                    Opened::Not => {}
                }
            }
        }
        self.pass(self.at + 1);
        None
    }

    fn open(&mut self, token: &'s str, opens: Opens<'s>) -> Opened<'s> {
        let behind = self.at + token.len();
        match opens {
            Opens::Line(line) => {
                let is_other = self.byte(behind).is_some_and(|byte| line.not_before.as_bytes().contains(&byte));
                if !self.stands(line.place) || is_other {
                    return Opened::Not;
                }
                let end = self.line_comment_end(behind);
                Opened::Comment(Comment {
                    range: self.at..end,
                    content: behind..end,
                    mark: token,
                    is_line: true,
                    nests: None,
                    is_alone: !self.is_line_used,
                    is_misplaced: false,
                })
            }
            Opens::Block(block) => {
                if !self.stands(block.place) {
                    return Opened::Not;
                }
                let (content_end, end) = self.block_end(block, behind);
                Opened::Comment(Comment {
                    range: self.at..end,
                    content: behind..content_end,
                    mark: token,
                    is_line: false,
                    nests: block.nests.then_some((block.open, block.close)),
                    is_alone: !self.is_line_used,
                    is_misplaced: false,
                })
            }
            Opens::Text(place, text) => {
                if !self.stands(text.place) || self.is_unclosed(place) {
                    return Opened::Not;
                }
                self.is_line_used = true;
                let back = self.at + 1;
                self.at = behind;
                self.text_body(place, text, back);
                Opened::Passed
            }
            Opens::Skip => {
                let end = if self.byte(behind) == Some(b'\n') { behind } else { self.behind_character(behind) };
                self.pass(end);
                Opened::Passed
            }
        }
    }

    /// Where a line comment ends.
    fn line_comment_end(&mut self, from: usize) -> usize {
        let end = self.line_end(from);
        if self.ends_line.is_empty() {
            return end;
        }
        let line = self.bytes.get(from..end).unwrap_or_default();
        memchr::memmem::find(line, self.ends_line.as_bytes()).map_or(end, |at| from + at)
    }

    /// Where the content of a block comment ends, and where the comment.
    fn block_end(&mut self, block: Block<'_>, from: usize) -> (usize, usize) {
        let all = self.bytes.len();
        if block.place == Place::LineStart {
            let close = format!("\n{}", block.close);
            let Some(behind) = self.behind(&close, from) else { return (all, all) };
            return (behind - block.close.len(), self.line_end(behind));
        }
        if !block.nests {
            return self.behind(block.close, from).map_or((all, all), |behind| (behind - block.close.len(), behind));
        }
        let (open, close) = (block.open.as_bytes(), block.close.as_bytes());
        let (Some(first), Some(last)) = (open.first(), close.first()) else { return (all, all) };
        let (mut at, mut depth) = (from, 1_usize);
        while let Some(found) = memchr::memchr2(*first, *last, self.rest(at)) {
            at += found;
            if self.rest(at).starts_with(close) {
                depth -= 1;
                at += close.len();
                if depth == 0 {
                    return (at - close.len(), at);
                }
            } else if self.rest(at).starts_with(open) {
                depth += 1;
                at += open.len();
            } else {
                at += 1;
            }
        }
        (all, all)
    }

    /// Whether the end of a text was sought in vain from here on already.
    fn is_unclosed(&self, place: usize) -> bool {
        self.unclosed.get(place).is_some_and(|to| self.at < *to)
    }

    /// Goes on behind a text, or behind the token that opens a hole in it. What has no end, on its line where it may not
    /// span more, is no text: the scan goes `back` to behind the first byte of its opening token or to behind its last hole.
    fn text_body(&mut self, place: usize, text: Text<'s>, back: usize) {
        let start = self.at;
        let (close, hole) = (text.close.as_bytes(), text.hole.as_bytes());
        while let Some(byte) = self.byte(self.at) {
            // Before the escape, because a hole may open with one: `\(`.
            if hole.first() == Some(&byte) && self.rest(self.at).starts_with(hole) && self.holes.len() < MAX_HOLES {
                self.at += hole.len();
                self.look(start, self.at);
                let brackets = if hole.last() == Some(&b'(') { (b'(', b')') } else { (b'{', b'}') };
                self.holes.push(Hole { text: (place, text), brackets, depth: 0 });
                return;
            }
            if text.escape == Some(byte) {
                let behind = self.behind_character(self.at + 1);
                self.at = if self.rest(self.at + 1).starts_with(b"\r\n") { behind + 1 } else { behind };
            } else if close.first() == Some(&byte) && self.rest(self.at).starts_with(close) {
                let behind = self.at + close.len();
                if self.byte(behind).is_some_and(|next| text.not_before.as_bytes().contains(&next)) {
                    self.at = behind + 1;
                    continue;
                }
                self.at = behind - 1;
                self.look(start, behind);
                self.pass(behind);
                return;
            } else if byte == b'\n' && !text.spans_lines {
                self.look(start, self.at);
                self.give_up(place, back);
                return;
            } else {
                self.at += 1;
            }
        }
        self.at = self.bytes.len();
        self.look(start, self.at);
        if !text.may_stay_open {
            self.give_up(place, back);
        }
    }

    /// A text without an end, which was sought up to here.
    fn give_up(&mut self, place: usize, back: usize) {
        if let Some(unclosed) = self.unclosed.get_mut(place) {
            *unclosed = self.at;
        }
        self.at = back - 1;
        self.pass(back);
    }

    /// Goes behind the texts that the line before announced.
    fn skip_pending(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            match pending {
                Pending::Indented(column) => self.skip_indented(column),
                Pending::Heredoc { word, sort, may_be_indented } => {
                    if self.lost >= MAX_LOST {
                        return;
                    }
                    match self.heredoc_end(word, sort, may_be_indented) {
                        Some(end) => self.at = end,
                        None => self.lost += 1,
                    }
                }
            }
        }
    }

    fn skip_indented(&mut self, column: usize) {
        while self.at < self.bytes.len() {
            let end = self.line_end(self.at);
            let line = self.bytes.get(self.at..end).unwrap_or_default();
            let indent = line.iter().take_while(|byte| **byte == b' ').count();
            let is_blank = line.iter().all(u8::is_ascii_whitespace);
            if !is_blank && indent <= column {
                return;
            }
            self.at = (end + 1).min(self.bytes.len());
        }
    }

    /// Behind the line that ends a heredoc whose text opens here.
    fn heredoc_end(&mut self, word: Range<usize>, sort: Heredoc, may_be_indented: bool) -> Option<usize> {
        let word = self.bytes.get(word)?;
        let mut at = self.at;
        while at < self.bytes.len() {
            let end = self.line_end(at);
            let line = self.bytes.get(at..end).unwrap_or_default();
            let line = if may_be_indented { line.trim_ascii_start() } else { line };
            let is_end = match sort {
                Heredoc::Php => {
                    line.strip_prefix(word).is_some_and(|rest| !rest.first().is_some_and(|byte| is_word(*byte)))
                }
                Heredoc::Shell | Heredoc::Ruby => line.strip_suffix(b"\r").unwrap_or(line) == word,
            };
            if is_end {
                // What follows the word of PHP on its line is code again.
                let rest = if sort == Heredoc::Php { line.len() - word.len() } else { 0 };
                self.is_line_used = rest > 0;
                return Some(if rest > 0 { end - rest } else { (end + 1).min(self.bytes.len()) });
            }
            at = end + 1;
        }
        None
    }
}

/// What a special form is.
enum Formed<'s> {
    /// A text, up to here.
    Text(usize),
    /// A comment.
    Comment(Comment<'s>),
}

/// What became of a token.
enum Opened<'s> {
    Comment(Comment<'s>),
    Passed,
    /// It opens nothing here.
    Not,
}

impl<'s> Iterator for Scanner<'_, 's> {
    type Item = Comment<'s>;

    fn next(&mut self) -> Option<Comment<'s>> {
        while let Some(byte) = self.byte(self.at) {
            if let Some(comment) = self.step(byte) {
                return Some(comment);
            }
        }
        None
    }
}

fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

fn first_bytes(special: Special) -> Vec<u8> {
    match special {
        Special::Character => vec![b'\''],
        Special::Hashes => vec![b'#'],
        Special::RawParentheses => vec![b'R'],
        Special::LongBrackets(token) => token.bytes().take(1).chain([b'[']).collect(),
        Special::DollarQuotes => vec![b'$'],
        Special::BraceBars => vec![b'{'],
        Special::ManyQuotes => vec![b'"'],
        Special::Sigil(sign) => vec![sign],
        Special::Heredoc(_) => vec![b'<'],
        Special::Regex => vec![b'/'],
        Special::Indented => vec![b'|', b'>'],
    }
}
