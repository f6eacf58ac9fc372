//! What stands for one character, for a set of them, or for a name: escapes, classes and the names of groups. The place behind the
//! character that opens one comes in with the reader; a node or a name goes out, with the reader behind it.

use super::super::class::{self, Class, Range};
use super::{Check, Fault, Node, Reader, Shared, ascii, fault};

/// One member of a class.
enum Member {
    Unit(u16),
    Set(&'static [Range], bool),
}

impl Reader {
    /// Reads a name up to `>`.
    pub(super) fn name(&mut self, start: usize) -> Result<String, Fault> {
        let mut name = String::new();
        loop {
            let Some(next) = self.point() else { return Err(fault("invalid name of a group", start)) };
            if next == '>' && !name.is_empty() {
                return Ok(name);
            }
            let next = if next == '\\' {
                self.name_escape().ok_or_else(|| fault("invalid name of a group", start))?
            } else {
                next
            };
            let fits = match next {
                '$' | '_' => true,
                '\u{200c}' | '\u{200d}' => !name.is_empty(),
                _ if name.is_empty() => unicode_id_start::is_id_start(next),
                _ => unicode_id_start::is_id_continue(next),
            };
            if !fits {
                return Err(fault("invalid name of a group", start));
            }
            name.push(next);
        }
    }

    /// The next character; no lone surrogate is one.
    fn point(&mut self) -> Option<char> {
        let rest = self.units.get(self.at..)?;
        let next = char::decode_utf16(rest.iter().copied().take(2)).next()?.ok()?;
        self.at += next.len_utf16();
        Some(next)
    }

    fn name_escape(&mut self) -> Option<char> {
        if !self.eat('u') {
            return None;
        }
        if self.eat('{') {
            let mut value = 0u32;
            let mut any = false;
            while let Some(digit) = self.peek_ascii().and_then(|next| next.to_digit(16)) {
                value = value.checked_mul(16)?.checked_add(digit)?;
                any = true;
                self.at += 1;
            }
            return if any && self.eat('}') { char::from_u32(value) } else { None };
        }
        let first = self.hex(4)?;
        if let Some(character) = char::from_u32(u32::from(first)) {
            return Some(character);
        }
        if !(self.eat('\\') && self.eat('u')) {
            return None;
        }
        let second = self.hex(4)?;
        char::decode_utf16([first, second]).next()?.ok()
    }

    /// Exactly so many hexadecimal digits, or nothing is read.
    fn hex(&mut self, digits: usize) -> Option<u16> {
        let mut value = 0u16;
        for unit in self.units.get(self.at..self.at.checked_add(digits)?)? {
            value = value << 4 | u16::try_from(ascii(*unit).to_digit(16)?).ok()?;
        }
        self.at += digits;
        Some(value)
    }

    /// What follows a backslash outside a class. `None` means that it was no atom.
    pub(super) fn escape(&mut self, start: usize) -> Result<Option<u32>, Fault> {
        match self.peek_ascii() {
            None => Err(fault("backslash at the end", start)),
            Some('b') => {
                self.at += 1;
                self.check(Check::WordEdge);
                Ok(None)
            }
            Some('B') => {
                self.at += 1;
                self.check(Check::NoWordEdge);
                Ok(None)
            }
            Some('k') if self.named => {
                self.at += 1;
                self.backreference = true;
                if !self.eat('<') {
                    return Err(fault("invalid named reference", start));
                }
                let name = self.name(start)?;
                self.references.push((name, start));
                Ok(Some(self.add(Node::Empty)))
            }
            Some('1'..='9') => {
                self.backreference = true;
                let before = self.at;
                let mut number = 0u64;
                while let Some(digit) = self.peek_ascii().and_then(|next| next.to_digit(10)) {
                    number = number.saturating_mul(10).saturating_add(u64::from(digit));
                    self.at += 1;
                }
                if number <= self.groups {
                    return Ok(Some(self.add(Node::Empty)));
                }
                self.at = before;
                let unit = self.character(start)?;
                Ok(Some(self.unit(unit)))
            }
            Some(letter) => {
                if letter == 'k' && self.units.get(self.at + 1).copied().map(ascii) == Some('<') {
                    self.backreference = true;
                }
                if let Some((ranges, inverted)) = set(letter) {
                    self.at += 1;
                    let folded = self.flags.fold;
                    return Ok(Some(self.share(Shared::Set(letter, folded), || {
                        Class::new(if inverted { class::complement(ranges) } else { ranges.to_vec() }, false, folded)
                    })));
                }
                let unit = self.character(start)?;
                Ok(Some(self.unit(unit)))
            }
        }
    }

    /// What one character an escape stands for, in a class and outside.
    fn character(&mut self, start: usize) -> Result<u16, Fault> {
        let Some(unit) = self.peek() else { return Err(fault("backslash at the end", start)) };
        self.at += 1;
        Ok(match ascii(unit) {
            'f' => 0x0c,
            'n' => 0x0a,
            'r' => 0x0d,
            't' => 0x09,
            'v' => 0x0b,
            'c' => match self.peek_ascii() {
                Some(letter) if letter.is_ascii_alphabetic() => {
                    self.at += 1;
                    u16::try_from(u32::from(letter)).unwrap_or(0) & 0x1f
                }
                // A backslash that stands for itself; the `c` comes next.
                _ => {
                    self.at -= 1;
                    u16::from(b'\\')
                }
            },
            'x' => self.hex(2).unwrap_or(unit),
            'u' => self.hex(4).unwrap_or(unit),
            first @ '0'..='7' => {
                let mut value = unit & 7;
                let more = if first <= '3' { 2 } else { 1 };
                for _ in 0..more {
                    match self.peek_ascii() {
                        Some('0'..='7') => {
                            value = value << 3 | self.peek().unwrap_or(0) & 7;
                            self.at += 1;
                        }
                        _ => break,
                    }
                }
                value
            }
            'k' if self.named => return Err(fault("invalid escape", start)),
            _ => unit,
        })
    }

    pub(super) fn class(&mut self, start: usize) -> Result<u32, Fault> {
        let inverted = self.eat('^');
        let mut ranges = Vec::new();
        while let Some(first) = self.member(start)? {
            if self.peek_ascii() != Some('-') || self.units.get(self.at + 1).is_none_or(|unit| ascii(*unit) == ']') {
                include(&mut ranges, &first);
                continue;
            }
            let dash = self.at;
            self.at += 1;
            let Some(last) = self.member(start)? else { break };
            if let (Member::Unit(first), Member::Unit(last)) = (&first, &last) {
                if first > last {
                    return Err(fault("range out of order", dash));
                }
                ranges.push((*first, *last));
            } else {
                include(&mut ranges, &first);
                include(&mut ranges, &Member::Unit(u16::from(b'-')));
                include(&mut ranges, &last);
            }
        }
        let class = self.add_class(Class::new(ranges, inverted, self.flags.fold));
        Ok(self.add(Node::Class(class)))
    }

    /// The next member of a class, `None` at its end.
    fn member(&mut self, start: usize) -> Result<Option<Member>, Fault> {
        let Some(unit) = self.peek() else { return Err(fault("unterminated class", start)) };
        let here = self.at;
        self.at += 1;
        match ascii(unit) {
            ']' => return Ok(None),
            '\\' => {}
            _ => return Ok(Some(Member::Unit(unit))),
        }
        match self.peek_ascii() {
            Some('b') => {
                self.at += 1;
                Ok(Some(Member::Unit(0x08)))
            }
            Some('c') => {
                let control = self.units.get(self.at + 1).copied();
                match control {
                    Some(control) if class::is_word(control) => {
                        self.at += 2;
                        Ok(Some(Member::Unit(control & 0x1f)))
                    }
                    _ => Ok(Some(Member::Unit(unit))),
                }
            }
            Some(letter) => {
                if let Some((ranges, inverted)) = set(letter) {
                    self.at += 1;
                    return Ok(Some(Member::Set(ranges, inverted)));
                }
                self.character(here).map(|unit| Some(Member::Unit(unit)))
            }
            None => Err(fault("unterminated class", start)),
        }
    }
}

/// The set that a letter names behind a backslash, and whether everything else is meant.
fn set(letter: char) -> Option<(&'static [Range], bool)> {
    Some(match letter {
        'd' => (class::DIGIT, false),
        'D' => (class::DIGIT, true),
        's' => (class::SPACE, false),
        'S' => (class::SPACE, true),
        'w' => (class::WORD, false),
        'W' => (class::WORD, true),
        _ => return None,
    })
}

fn include(ranges: &mut Vec<Range>, member: &Member) {
    match *member {
        Member::Unit(unit) => ranges.push((unit, unit)),
        Member::Set(set, false) => ranges.extend_from_slice(set),
        Member::Set(set, true) => ranges.extend(class::complement(set)),
    }
}
