//! JSX: the tags of elements, and their children.

use super::level::{Before, Opened};
use super::walk::Walk;
use super::words::is_word_byte;
use super::{Step, UNCLEAR, UNPAIRED, UNTERMINATED};

impl Walk<'_> {
    /// The start of an element, at its `<`.
    pub(super) fn element(&mut self) -> Step {
        self.ended_by_operand();
        self.open(Opened::Tag, false)?;
        self.at += 1;
        self.before = Before::Operator;
        Ok(())
    }

    /// A token of a tag.
    pub(super) fn tag(&mut self) -> Step {
        if self.skipped()? {
            // Behind the name of the tag, or of an attribute.
            if self.before == Before::Operand {
                self.before = Before::Word;
            }
            return Ok(());
        }
        let byte = self.byte(0);
        match byte {
            b'>' => {
                self.at += 1;
                self.level.opened = Opened::Children;
                self.level.end();
                Ok(())
            }
            b'/' => match self.peeked(self.at + 1) {
                Some((at, b'>')) => {
                    self.at = at + 1;
                    self.element_ends()
                }
                _ => Err(self.ends(UNCLEAR, self.at + 2)),
            },
            b'{' => {
                self.level.attributes = true;
                self.open(Opened::Container, false)?;
                self.at += 1;
                self.before = Before::Operator;
                Ok(())
            }
            b'=' => {
                self.level.attributes = true;
                self.at += 1;
                while self.skipped()? {}
                match self.byte(0) {
                    quote @ (b'"' | b'\'') => {
                        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
                        let Some(end) = memchr::memchr(quote, rest) else {
                            return Err(self.ends(UNTERMINATED, self.bytes.len()));
                        };
                        self.at += end + 2;
                        Ok(())
                    }
                    b'<' => {
                        self.open(Opened::Tag, false)?;
                        self.at += 1;
                        self.before = Before::Operator;
                        Ok(())
                    }
                    b'{' => Ok(()),
                    _ => Err(self.ends(UNCLEAR, self.at + 1)),
                }
            }
            // Types stand behind the name alone.
            b'<' if self.level.attributes => Err(self.ends(UNCLEAR, self.at + 1)),
            b'<' => {
                self.open(Opened::TagArguments, false)?;
                self.level.tries += 1;
                self.at += 1;
                self.before = Before::Operator;
                self.new_line = false;
                Ok(())
            }
            b'.' => {
                self.at += 1;
                self.before = Before::Operator;
                self.link()
            }
            b':' | b'-' => {
                self.at += 1;
                self.before = Before::Operator;
                Ok(())
            }
            byte if is_word_byte(byte) => {
                self.level.attributes |= self.before == Before::Word;
                self.before = Before::Operand;
                let rest = self.bytes.get(self.at..).unwrap_or_default();
                let first = self.text.get(self.at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
                let length = rest.iter().position(|byte| !is_word_byte(*byte) || *byte >= 0x80).unwrap_or(rest.len());
                self.at += length.max(first);
                Ok(())
            }
            b'\\' => Err(self.wrong(UNCLEAR, self.at + 1)),
            _ => Err(self.ends(UNCLEAR, self.at + 1)),
        }
    }

    /// The children of an element, up to what is none of its text.
    pub(super) fn children(&mut self) -> Step {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let found = rest.iter().position(|byte| matches!(byte, b'<' | b'{' | b'>' | b'}'));
        let Some(found) = found else { return Err(self.ends(UNTERMINATED, self.bytes.len())) };
        self.at += found;
        match self.byte(0) {
            b'{' => {
                self.open(Opened::Container, false)?;
                self.at += 1;
                self.before = Before::Operator;
                Ok(())
            }
            b'<' => {
                let Some((at, byte)) = self.peeked(self.at + 1) else { return Err(self.refused(UNCLEAR)) };
                if byte != b'/' {
                    self.open(Opened::Tag, false)?;
                    self.at += 1;
                    self.before = Before::Operator;
                    return Ok(());
                }
                match self.end_of_closing_tag(at + 1) {
                    Some(end) => {
                        self.at = end;
                        self.element_ends()
                    }
                    None => Err(self.wrong(UNCLEAR, at + 2)),
                }
            }
            _ => Err(self.ends(UNPAIRED, self.at + 1)),
        }
    }

    /// The end of a closing tag from behind its `/`: names, and `>`.
    fn end_of_closing_tag(&self, mut at: usize) -> Option<usize> {
        loop {
            let (next, byte) = self.peeked(at).unwrap_or((at, self.byte_at(at)));
            match byte {
                b'>' => return Some(next + 1),
                byte if is_word_byte(byte) || matches!(byte, b'.' | b':' | b'-') => at = next + 1,
                _ => return None,
            }
        }
    }

    pub(super) fn element_ends(&mut self) -> Step {
        self.close()?;
        self.before = Before::Operand;
        self.new_line = false;
        Ok(())
    }
}
