//! `<` and `>`: lists of types, operators, or elements.

use super::level::{Before, Opened};
use super::walk::Walk;
use super::words::is_word_byte;
use super::{Step, UNCLEAR};

impl Walk<'_> {
    pub(super) fn less(&mut self) -> Step {
        if self.byte(1) == b'!' && self.byte(2) == b'-' && self.byte(3) == b'-' {
            return Err(self.wrong(UNCLEAR, self.at + 4));
        }
        if self.byte(1) == b'=' {
            // A type never starts with `=`.
            self.at += 2;
            self.no_type();
            self.operator();
            return Ok(());
        }
        if self.jsx && self.byte(1) != b'<' {
            match (self.may_be_element(), self.may_be_types()) {
                (true, false) => return self.element(),
                (true, true) => {
                    let mut element = self.another()?;
                    element.element()?;
                    element.new_line = false;
                    self.others.push(element);
                }
                (false, _) => {}
            }
        }
        if self.before != Before::Operand {
            self.level.prefixes += 1;
        }
        let twice = self.byte(1) == b'<';
        self.at += if twice { 2 } else { 1 };
        if twice && self.byte(0) == b'=' {
            self.at += 1;
            self.level.chain += 1;
        }
        self.level.angles += 1 + u32::from(twice);
        self.before = Before::Operator;
        self.count()
    }

    /// Whether a `<` may start an element.
    pub(super) fn may_be_element(&self) -> bool {
        let possible = match self.before {
            Before::Dot | Before::New => false,
            Before::Operand | Before::Soft => self.new_line,
            _ => true,
        };
        if !possible {
            return false;
        }
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let names =
            |byte: &u8| !is_word_byte(*byte) && !byte.is_ascii_whitespace() && !matches!(byte, b'.' | b':' | b'-');
        let end = rest.iter().position(names).unwrap_or(rest.len());
        self.look(end);
        let behind = self.at + 1 + end + 1;
        let next = self.peeked(behind).map_or(0, |(_, next)| next);
        match rest.get(end) {
            None => false,
            Some(b'>') => self.is_text(behind),
            Some(b'=') => matches!(next, 0 | b'"' | b'\'' | b'{' | b'<'),
            Some(b'{') => matches!(next, 0 | b'.'),
            Some(b'/') => matches!(next, 0 | b'>' | b'*' | b'/') || matches!(self.bytes.get(behind), Some(b'/' | b'*')),
            Some(b'<' | b'\\') => true,
            Some(_) => false,
        }
    }

    /// Whether a `<` that may start an element may also open a list of types or of their parameters, or compare.
    pub(super) fn may_be_types(&self) -> bool {
        if !matches!(self.before, Before::Operator | Before::Start) {
            return true;
        }
        let Some((mut at, mut byte)) = self.peeked(self.at + 1) else { return true };
        if byte == b'>' {
            return self.may_be_parameters(at + 1);
        }
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let length = rest.iter().position(|byte| !is_word_byte(*byte)).unwrap_or(rest.len());
            let word = rest.get(..length).unwrap_or_default();
            let Some((next_at, next)) = self.peeked(at + length) else { return true };
            (at, byte) = (next_at, next);
            match byte {
                b',' | b'=' if !matches!(self.byte_at(at + 1), b'"' | b'\'' | b'{') => return true,
                b'>' => return self.may_be_parameters(at + 1),
                _ if word == b"extends" => return true,
                byte if is_word_byte(byte) && matches!(word, b"const" | b"in" | b"out") => {}
                byte if is_word_byte(byte) => {
                    let rest = self.bytes.get(at..).unwrap_or_default();
                    let named = rest.get(7).is_none_or(|byte| !is_word_byte(*byte));
                    return rest.starts_with(b"extends") && named;
                }
                b'\\' => return true,
                _ => return false,
            }
        }
    }

    /// Whether the parameters of a function may stand here, behind those of its type.
    pub(super) fn may_be_parameters(&self, from: usize) -> bool {
        let Some((at, byte)) = self.peeked(from) else { return true };
        if byte != b'(' {
            return false;
        }
        let rest = self.bytes.get(at + 1..).unwrap_or_default();
        let special = |byte: &u8| {
            !is_word_byte(*byte) && !byte.is_ascii_whitespace() && !matches!(byte, b',' | b'.' | b'?' | b'!')
        };
        match rest.iter().position(special).map(|end| (at + 1 + end, rest.get(end).copied().unwrap_or(0))) {
            Some((end, b')')) => match self.peeked(end + 1) {
                Some((end, b'=')) => self.byte_at(end + 1) == b'>',
                Some((_, b':')) => self.before == Before::Start,
                Some(_) => false,
                None => true,
            },
            _ => true,
        }
    }

    /// Whether the text from here may be that of an element: none holds `>` or `}` before the next tag.
    pub(super) fn is_text(&self, from: usize) -> bool {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let end = rest.iter().position(|byte| matches!(byte, b'<' | b'{' | b'>' | b'}'));
        self.look(end.unwrap_or(rest.len()));
        end.is_some_and(|end| matches!(rest.get(end), Some(b'<' | b'{')))
    }

    /// Whether `infer` with a name behind it is followed by `extends`.
    pub(super) fn infers_with_constraint(&self, from: usize) -> bool {
        let Some((at, _)) = self.peeked(from) else { return true };
        let rest = self.bytes.get(at..).unwrap_or_default();
        let length = rest.iter().position(|byte| !is_word_byte(*byte)).unwrap_or(rest.len());
        self.peeked(at + length).is_none_or(|(at, _)| {
            self.bytes.get(at..).is_some_and(|rest| rest.starts_with(b"extends") || rest.starts_with(b"\\"))
        })
    }

    pub(super) fn greater(&mut self) -> Step {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let run = rest.iter().take(3).take_while(|byte| **byte == b'>').count();
        if self.level.opened == Opened::TagArguments && self.level.angles == 0 {
            self.at += 1;
            self.close()?;
            return Ok(());
        }
        let closed = self.level.angles.min(u32::try_from(run).unwrap_or(0));
        if closed == 0 {
            self.at += run;
            self.operator();
        } else if self.level.opened == Opened::TagArguments {
            // One at a time: the last one may be that of the tag.
            self.at += 1;
            self.level.angles -= 1;
            self.before = Before::Angle;
            return Ok(());
        } else {
            self.at += run;
            self.level.angles -= closed;
            self.before = Before::Angle;
        }
        if self.byte(0) == b'=' {
            self.at += 1;
            self.before = Before::Operator;
            return self.link();
        }
        Ok(())
    }
}
