//! What opens and closes a level, and whether it is tried as the parameters of a function.

use super::level::{Before, Level, Opened};
use super::walk::Walk;
use super::words::is_word_byte;
use super::{Step, UNPAIRED};

impl Walk<'_> {
    pub(super) fn open(&mut self, opened: Opened, arrow: bool) -> Step {
        let inner = Level::new(opened, self.level.depth() + 1, self.level.tries() + u32::from(arrow), arrow);
        self.outer.push(std::mem::replace(&mut self.level, inner));
        self.label = false;
        self.labelled = false;
        self.head = false;
        self.count()
    }

    pub(super) fn close(&mut self) -> Step {
        if let Some(outer) = self.outer.pop() {
            self.level = outer;
        }
        self.label = false;
        self.labelled = false;
        self.count_tries()
    }

    pub(super) fn closer(&mut self, byte: u8) -> Step {
        let Level { opened, arrow, .. } = self.level;
        let pairs = match byte {
            b')' => matches!(opened, Opened::Paren | Opened::Head),
            b']' => opened == Opened::Bracket,
            _ => matches!(opened, Opened::Brace | Opened::Substitution | Opened::Container),
        };
        if !pairs {
            return Err(self.ends(UNPAIRED, self.at + 1));
        }
        self.at += 1;
        self.close()?;
        match opened {
            Opened::Substitution => return self.template(),
            // The level outside says whether a tag or children go on.
            Opened::Container => return Ok(()),
            _ => {}
        }
        self.before = match byte {
            b'}' => Before::Brace,
            _ if opened == Opened::Head => Before::Operator,
            _ => Before::Operand,
        };
        // An arrow function whose `:` may be that of a condition is read with its whole body before that is seen.
        if arrow && self.peeked(self.at).is_none_or(|(_, next)| next == b':') {
            self.level.tries += 1;
            self.count_tries()?;
        }
        Ok(())
    }

    /// Whether what a `(` opens is tried as the parameters of a function.
    pub(super) fn may_be_arrow(&self) -> bool {
        let Some((at, byte)) = self.peeked(self.at + 1) else { return true };
        match byte {
            b'[' | b'{' | b'.' | b')' | b'@' | b'\\' => true,
            byte if is_word_byte(byte) => {
                let rest = self.bytes.get(at..).unwrap_or_default();
                let length = rest.iter().position(|byte| !is_word_byte(*byte)).unwrap_or(rest.len());
                if rest.get(..length).is_some_and(|word| matches!(word, b"function" | b"class" | b"new" | b"typeof")) {
                    return false;
                }
                match self.peeked(at + length) {
                    None => true,
                    Some((at, b'=')) => self.bytes.get(at + 1) != Some(&b'='),
                    // A modifier before a name: the parameters of a constructor's type.
                    Some((_, next)) => matches!(next, b',' | b')' | b'[' | b'{' | b'\\') && !byte.is_ascii_digit(),
                }
            }
            _ => false,
        }
    }
}
