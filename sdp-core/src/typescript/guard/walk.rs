//! The walk over a text, token by token: what it knows at its place, and what it counts.

use std::cell::Cell;

use super::level::{Before, Level, Opened};
use super::words::{Class, class};
use super::{
    MAX_DEPTH, MAX_LOOKED, MAX_READ_ANEW, MAX_TOKENS, MAX_TRIES, Refused, Step, TOO_DEEP, TOO_LONG, TOO_MANY_READINGS,
};

#[derive(Clone)]
pub(super) struct Walk<'t> {
    pub(super) text: &'t str,
    pub(super) bytes: &'t [u8],
    pub(super) jsx: bool,
    pub(super) at: usize,
    /// The levels outside of the current one.
    pub(super) outer: Vec<Level>,
    pub(super) level: Level,
    pub(super) before: Before,
    /// Whether a line ended since the last token.
    pub(super) new_line: bool,
    /// Whether the next `(` opens the head of a statement.
    pub(super) head: bool,
    /// Whether the last `:` may have been that of a label.
    pub(super) label: bool,
    /// Whether the word before the current token followed such a `:`.
    pub(super) labelled: bool,
    /// Whether a namespace's name is read, each `.` of which opens a level.
    pub(super) namespace: bool,
    pub(super) deepest: u32,
    /// Up to where `read_anew` counts, and with how many tries.
    pub(super) counted_to: usize,
    pub(super) counted_with: u32,
    pub(super) read_anew: u64,
    pub(super) slips: u32,
    /// How many tokens were walked over.
    pub(super) tokens: u32,
    /// The same walk in another reading, from the last place on that has several.
    pub(super) others: Vec<Walk<'t>>,
    /// How many bytes were looked at ahead.
    pub(super) looked: Cell<usize>,
}

impl<'t> Walk<'t> {
    pub(super) fn new(text: &'t str, jsx: bool) -> Self {
        let level = Level::new(Opened::File, 1, 0, false);
        Walk {
            text,
            bytes: text.as_bytes(),
            jsx,
            at: 0,
            outer: Vec::new(),
            level,
            before: Before::Start,
            new_line: true,
            head: false,
            label: false,
            labelled: false,
            namespace: false,
            deepest: 1,
            counted_to: 0,
            counted_with: 0,
            read_anew: 0,
            slips: 0,
            tokens: 0,
            others: Vec::new(),
            looked: Cell::new(0),
        }
    }

    pub(super) fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(super) fn byte_at(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    pub(super) fn refused(&self, why: &'static str) -> Refused {
        Refused { at: self.at.min(self.bytes.len()), why, parsed_to: None, depth: self.deepest, ends: false }
    }

    /// The parser gives this reading up before `to`, whatever stands behind: it may say itself what is wrong.
    pub(super) fn ends(&self, why: &'static str, to: usize) -> Refused {
        let wrong = self.wrong(why, to);
        self.look(to.saturating_sub(self.at));
        Refused { ends: true, ..wrong }
    }

    /// No reading goes on behind `to`, so the parser may say what is wrong.
    pub(super) fn wrong(&self, why: &'static str, to: usize) -> Refused {
        let mut to = to.min(self.bytes.len());
        while !self.text.is_char_boundary(to) {
            to += 1;
        }
        Refused { at: self.at.min(self.bytes.len()), why, parsed_to: Some(to), depth: self.deepest + 1, ends: false }
    }

    /// Looks at the counts, after one of them grew.
    pub(super) fn count(&mut self) -> Step {
        let depth = self.level.depth();
        if depth > self.deepest {
            if depth > MAX_DEPTH {
                return Err(self.refused(TOO_DEEP));
            }
            self.deepest = depth;
        }
        self.count_tries()
    }

    /// Notes that so many bytes were looked at ahead.
    pub(super) fn look(&self, bytes: usize) {
        self.looked.set(self.looked.get().saturating_add(bytes));
    }

    /// Whether looking ahead is out of proportion to the text.
    pub(super) fn looked_too_far(&self) -> bool {
        self.looked.get() > MAX_LOOKED.saturating_add(self.bytes.len().saturating_mul(4))
    }

    /// Whether reading anew is out of proportion to the text.
    pub(super) fn read_too_often(&self) -> bool {
        let whole = u64::try_from(self.bytes.len()).unwrap_or(u64::MAX);
        self.read_anew > MAX_READ_ANEW.saturating_add(whole.saturating_mul(2))
    }

    pub(super) fn count_tries(&mut self) -> Step {
        if self.looked_too_far() {
            return Err(self.refused(TOO_MANY_READINGS));
        }
        if self.counted_with != self.level.tries() { self.count_read() } else { Ok(()) }
    }

    pub(super) fn count_read(&mut self) -> Step {
        let bytes = u64::try_from(self.at.saturating_sub(self.counted_to)).unwrap_or(u64::MAX);
        if self.counted_with > 0 {
            let times = 1_u64 << self.counted_with.min(MAX_TRIES);
            self.read_anew = self.read_anew.saturating_add(bytes.saturating_mul(times));
            if self.read_too_often() {
                return Err(self.refused(TOO_MANY_READINGS));
            }
        }
        self.counted_to = self.at;
        self.counted_with = self.level.tries();
        Ok(())
    }

    /// One more link of a chain.
    pub(super) fn link(&mut self) -> Step {
        self.level.chain += 1;
        self.count()
    }

    /// Walks to the end, or to where there are several readings.
    pub(super) fn run(&mut self) -> Step {
        if self.at == 0 && self.bytes.starts_with(b"#!") {
            self.line_comment();
        }
        while self.at < self.bytes.len() && self.others.is_empty() {
            self.step()?;
        }
        self.count_read()
    }

    /// Walks on by a token, or by a part of a tag.
    pub(super) fn step(&mut self) -> Step {
        self.tokens += 1;
        if self.tokens > MAX_TOKENS {
            return Err(self.refused(TOO_LONG));
        }
        match self.level.opened {
            Opened::Children => self.children()?,
            Opened::Tag => self.tag()?,
            _ => self.token()?,
        }
        self.count_tries()
    }

    pub(super) fn token(&mut self) -> Step {
        let mut byte = self.byte(0);
        loop {
            match class(byte) {
                Class::Word => return self.word(),
                Class::Skipped if self.skipped()? => byte = self.byte(0),
                // What is not ASCII and no white space is part of a name.
                Class::Skipped if byte >= 0x80 => return self.word(),
                _ => break,
            }
        }
        if self.at >= self.bytes.len() {
            return Ok(());
        }
        let head = std::mem::take(&mut self.head);
        if self.before == Before::Start && byte != b';' {
            self.level.end_statements();
        }
        if byte != b':' {
            self.label = false;
            self.labelled = false;
        }
        let step = match byte {
            b'(' => {
                let called = self.before == Before::Operand || self.before == Before::Dot;
                if called {
                    self.no_type();
                }
                let arrow = !called && !head && self.may_be_arrow();
                self.open(if head { Opened::Head } else { Opened::Paren }, arrow)?;
                self.at += 1;
                self.before = Before::Operator;
                Ok(())
            }
            b'[' => {
                self.open(Opened::Bracket, false)?;
                self.at += 1;
                self.before = Before::Operator;
                Ok(())
            }
            b'{' => {
                self.namespace = false;
                self.open(Opened::Brace, false)?;
                self.at += 1;
                self.before = Before::Start;
                Ok(())
            }
            b')' | b']' | b'}' => self.closer(byte),
            b'"' | b'\'' => {
                self.ended_by_operand();
                self.string(byte)
            }
            b'`' => {
                self.at += 1;
                self.template()
            }
            b';' => {
                self.at += 1;
                // Statements go on where `else` or the `while` of a `do` follows.
                self.level.end_expression();
                self.namespace = false;
                self.before = Before::Start;
                Ok(())
            }
            b',' => {
                self.at += 1;
                if self.level.angles == 0 {
                    self.level.end_expression();
                }
                self.before = Before::Operator;
                Ok(())
            }
            b'/' => self.slash(),
            b'<' => self.less(),
            b'>' => self.greater(),
            b'0'..=b'9' => {
                self.ended_by_operand();
                self.number();
                Ok(())
            }
            _ => self.punctuator(byte),
        };
        step?;
        self.new_line = false;
        Ok(())
    }
}
