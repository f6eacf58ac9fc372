//! What is no token: white space and comments.

use super::walk::Walk;
use super::words::is_space;
use super::{Refused, UNCLEAR, UNTERMINATED};

impl Walk<'_> {
    /// Skips what is no token. True where it did.
    pub(super) fn skipped(&mut self) -> Result<bool, Refused> {
        match self.byte(0) {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => {
                let rest = self.bytes.get(self.at..).unwrap_or_default();
                for byte in rest {
                    match byte {
                        b' ' | b'\t' | 0x0b | 0x0c => {}
                        b'\n' | b'\r' => self.new_line = true,
                        _ => break,
                    }
                    self.at += 1;
                }
            }
            b'/' if self.byte(1) == b'/' => self.line_comment(),
            b'/' if self.byte(1) == b'*' => {
                let rest = self.bytes.get(self.at + 2..).unwrap_or_default();
                let Some(end) = memchr::memmem::find(rest, b"*/") else {
                    return Err(self.ends(UNTERMINATED, self.bytes.len()));
                };
                let comment = rest.get(..end).unwrap_or_default();
                if memchr::memchr2(b'\n', b'\r', comment).is_some()
                    || memchr::memmem::find(comment, b"\xe2\x80").is_some()
                {
                    self.new_line = true;
                }
                self.at += end + 4;
            }
            0x80.. => {
                let Some(character) = self.text.get(self.at..).and_then(|rest| rest.chars().next()) else {
                    return Err(self.refused(UNCLEAR));
                };
                if !is_space(character) {
                    return Ok(false);
                }
                self.new_line |= matches!(character, '\u{2028}' | '\u{2029}');
                self.at += character.len_utf8();
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub(super) fn line_comment(&mut self) {
        self.at += line_length(self.bytes.get(self.at..).unwrap_or_default());
    }

    /// The next byte behind what is no token, without a step. None where no ASCII stands there.
    pub(super) fn peeked(&self, mut at: usize) -> Option<(usize, u8)> {
        loop {
            match self.byte_at(at) {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => at += 1,
                b'/' if matches!(self.byte_at(at + 1), b'/' | b'*') => {
                    let end = self.end_of_comment(at)?;
                    self.look(end - at);
                    at = end;
                }
                0x80.. => return None,
                byte => return Some((at, byte)),
            }
        }
    }

    /// The end of the comment that starts here, or none where it has none.
    fn end_of_comment(&self, at: usize) -> Option<usize> {
        let rest = self.bytes.get(at..)?;
        if rest.get(1) == Some(&b'*') {
            return memchr::memmem::find(rest.get(2..)?, b"*/").map(|end| at + end + 4);
        }
        Some(at + line_length(rest))
    }
}

/// How long a line is.
fn line_length(rest: &[u8]) -> usize {
    let mut from = 0;
    loop {
        let Some(found) = rest.get(from..).and_then(|rest| memchr::memchr3(b'\n', b'\r', 0xe2, rest)) else {
            return rest.len();
        };
        let end = from + found;
        let separator = matches!(rest.get(end..end + 3), Some([0xe2, 0x80, 0xa8 | 0xa9]));
        if separator || rest.get(end) != Some(&0xe2) {
            return end;
        }
        from = end + 1;
    }
}
