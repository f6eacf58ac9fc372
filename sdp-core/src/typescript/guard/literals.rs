//! Numbers, strings and templates: where they end.

use super::level::{Before, Opened};
use super::walk::Walk;
use super::{Step, UNTERMINATED};

impl Walk<'_> {
    pub(super) fn number(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let digits = |rest: &[u8]| {
            rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').unwrap_or(rest.len())
        };
        let mut length = digits(rest);
        let decimal = rest.first() != Some(&b'0') || !rest.get(1).is_some_and(u8::is_ascii_alphanumeric);
        if decimal && rest.get(length) == Some(&b'.') {
            length += 1 + digits(rest.get(length + 1..).unwrap_or_default());
        }
        self.at += length;
        self.before = Before::Operand;
    }

    pub(super) fn string(&mut self, quote: u8) -> Step {
        let start = self.at;
        let mut at = self.at + 1;
        loop {
            let found = self
                .bytes
                .get(at..)
                .and_then(|rest| rest.iter().position(|byte| *byte == quote || matches!(byte, b'\\' | b'\n' | b'\r')));
            let Some(found) = found else { return Err(self.ends(UNTERMINATED, self.bytes.len())) };
            at += found;
            match self.bytes.get(at).copied().unwrap_or(0) {
                // A line end behind `\` may be of two bytes.
                b'\\' if self.bytes.get(at + 1) == Some(&b'\r') && self.bytes.get(at + 2) == Some(&b'\n') => at += 3,
                b'\\' => at += 2,
                b'\n' | b'\r' => return Err(self.ends(UNTERMINATED, at)),
                _ => break,
            }
        }
        debug_assert!(at > start, "a string has two quotes");
        self.at = at + 1;
        self.before = Before::Operand;
        Ok(())
    }

    /// The text of a template, from behind its `` ` `` or the `}` of a substitution.
    pub(super) fn template(&mut self) -> Step {
        loop {
            let found = self
                .bytes
                .get(self.at..)
                .and_then(|rest| rest.iter().position(|byte| matches!(byte, b'`' | b'\\' | b'$')));
            let Some(found) = found else { return Err(self.ends(UNTERMINATED, self.bytes.len())) };
            self.at += found;
            match self.byte(0) {
                b'\\' => self.at += 2,
                b'$' if self.byte(1) == b'{' => {
                    self.open(Opened::Substitution, false)?;
                    self.at += 2;
                    self.before = Before::Operator;
                    return Ok(());
                }
                b'$' => self.at += 1,
                _ => {
                    self.at += 1;
                    self.before = Before::Operand;
                    return Ok(());
                }
            }
        }
    }
}
