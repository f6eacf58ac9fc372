//! `/`: a division, or a regular expression.

use super::level::Before;
use super::walk::Walk;
use super::words::is_word_byte;
use super::{MAX_DEPTH, MAX_SLIPS, NO_OPERAND, Refused, Step, UNCLEAR, UNTERMINATED};

impl Walk<'_> {
    /// `/`: a division, or a regular expression.
    pub(super) fn slash(&mut self) -> Step {
        match self.before {
            Before::Operator | Before::Start | Before::New => {
                self.at = self.regex()?.ok_or_else(|| {
                    let line = self.bytes.get(self.at..).and_then(|rest| memchr::memchr2(b'\n', b'\r', rest));
                    self.ends(UNTERMINATED, line.map_or(self.bytes.len(), |line| self.at + line))
                })?;
                self.before = Before::Operand;
                Ok(())
            }
            Before::Dot => self.division(),
            Before::Operand if !self.new_line => self.division(),
            Before::Operand | Before::Brace | Before::Angle | Before::Word | Before::Soft => {
                // Both readings must come to the same.
                match self.regex() {
                    Err(refused) => Err(refused),
                    Ok(None) => self.division(),
                    Ok(Some(end)) if self.is_plain(self.at + 1, end) => {
                        // Whatever the skipped code chains is no more than it has bytes.
                        let bytes = u32::try_from(end - self.at).unwrap_or(MAX_DEPTH);
                        self.level.statements += bytes;
                        self.level.tries += 1;
                        self.at = end;
                        self.before = Before::Angle;
                        self.count()
                    }
                    // A line that starts with `/` goes on with a division, unless what stands before it has no value; a block has
                    // none, so a regular expression follows it. Neither is sure.
                    Ok(Some(end)) => {
                        let mut divided = self.another()?;
                        match divided.division() {
                            Ok(()) => self.others.push(divided),
                            Err(refused) if refused.ends => self.deepest = self.deepest.max(divided.deepest),
                            Err(refused) => return Err(refused),
                        }
                        self.ended_by_operand();
                        self.at = end;
                        self.before = Before::Operand;
                        Ok(())
                    }
                }
            }
        }
    }

    pub(super) fn division(&mut self) -> Step {
        self.at += 1;
        self.no_type();
        self.operator();
        if self.byte(0) == b'=' {
            self.at += 1;
            self.link()?;
        }
        match self.peeked(self.at) {
            Some((at, b'.')) if self.byte_at(at + 1).is_ascii_digit() => Ok(()),
            Some((
                at,
                b'^' | b')' | b']' | b'}' | b',' | b';' | b':' | b'?' | b'*' | b'%' | b'&' | b'|' | b'>' | b'=' | b'.',
            )) => Err(self.ends(NO_OPERAND, at + 1)),
            _ => Ok(()),
        }
    }

    /// The end of the regular expression that starts here, with its flags, or none where it does not end on its line.
    pub(super) fn regex(&mut self) -> Result<Option<usize>, Refused> {
        let mut class = false;
        let mut at = self.at + 1;
        loop {
            match self.bytes.get(at) {
                None | Some(b'\n' | b'\r') => {
                    self.look(at - self.at);
                    return Ok(None);
                }
                Some(0xe2) if matches!(self.bytes.get(at + 1..at + 3), Some([0x80, 0xa8 | 0xa9])) => {
                    self.look(at - self.at);
                    return Ok(None);
                }
                Some(b'\\') => {
                    at += 1;
                    if !matches!(self.bytes.get(at), None | Some(b'\n' | b'\r' | 0xe2)) {
                        at += 1;
                    }
                    continue;
                }
                Some(b'[') => class = true,
                Some(b']') => class = false,
                Some(b'/') if !class => break,
                Some(_) => {}
            }
            at += 1;
        }
        let flags = self.bytes.get(at + 1..).unwrap_or_default();
        let length = flags.iter().position(|byte| !is_word_byte(*byte)).unwrap_or(flags.len());
        let flags = flags.get(..length).unwrap_or_default();
        let wrong = |(at, flag): (usize, &u8)| {
            !b"dgimsuvy".contains(flag) || flags.get(..at).is_some_and(|before| before.contains(flag))
        };
        if flags.len() > 8 || flags.iter().enumerate().any(wrong) {
            self.slips += u32::try_from(flags.len()).unwrap_or(u32::MAX).min(MAX_SLIPS);
            if self.slips > MAX_SLIPS {
                return Err(self.wrong(UNCLEAR, at + 2));
            }
        }
        if flags.iter().any(|flag| *flag >= 0x80) {
            return Err(self.refused(UNCLEAR));
        }
        Ok(Some(at + 1 + length))
    }

    /// Whether a text of code, up to the `/` before its end, holds nothing that changes how the text behind it is read.
    pub(super) fn is_plain(&self, from: usize, end: usize) -> bool {
        let text = self.bytes.get(from..end).unwrap_or_default();
        if text.len() > 200 {
            return false;
        }
        let mut open = 0_i32;
        for (at, byte) in text.iter().enumerate() {
            match byte {
                b'(' | b'[' => open += 1,
                b')' | b']' => open -= 1,
                b'/' if text.get(at + 1) == Some(&b'/') || text.get(at + 1) == Some(&b'*') => return false,
                b'\\' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'{' | b'}' | b'#' | b'@' | b'=' => return false,
                0x80.. => return false,
                _ => {}
            }
            if !(0..=8).contains(&open) {
                return false;
            }
        }
        // `//` and `/*` behind the end would be a comment in the other reading.
        open == 0 && !matches!(self.bytes.get(end), Some(b'/' | b'*'))
    }
}
