//! Operators: which chains they go on with, and which they end.

use super::level::Before;
use super::walk::Walk;
use super::words::is_word_byte;
use super::{Step, UNCLEAR};

impl Walk<'_> {
    /// What cannot stand in a type: no list in `<` goes on.
    pub(super) fn no_type(&mut self) {
        self.level.angles = 0;
    }

    /// A binary operator: the prefixes of the operand before it have ended. Where none has, it counts as a prefix itself.
    pub(super) fn operator(&mut self) {
        match self.before {
            Before::Operand | Before::Brace if self.level.angles == 0 => self.level.prefixes = 0,
            Before::Operand | Before::Brace => {}
            _ => self.level.prefixes += 1,
        }
        self.before = Before::Operator;
    }

    pub(super) fn punctuator(&mut self, byte: u8) -> Step {
        let (second, third) = (self.byte(1), self.byte(2));
        match byte {
            b'.' if second == b'.' && third == b'.' => {
                self.at += 3;
                self.prefix()
            }
            b'.' if second.is_ascii_digit() => {
                self.ended_by_operand();
                self.at += 1;
                self.number();
                Ok(())
            }
            b'.' => {
                self.at += 1;
                self.before = Before::Dot;
                if self.namespace { self.link() } else { Ok(()) }
            }
            b'?' if second == b'.' && !third.is_ascii_digit() => {
                self.at += 2;
                self.before = Before::Dot;
                Ok(())
            }
            b'?' if second == b'?' => {
                self.no_type();
                self.operator();
                self.at += 2;
                self.assigned()
            }
            b'?' => {
                self.at += 1;
                // In a type list, a `?` with a type behind it belongs to an `extends`.
                let types = |(_, next): (usize, u8)| is_word_byte(next) || matches!(next, b'"' | b'\'' | b'[' | b'{');
                if self.before == Before::Operand && !self.level.extends && self.peeked(self.at).is_some_and(types) {
                    self.no_type();
                }
                self.operator();
                self.link()
            }
            b':' => {
                self.at += 1;
                // Labels chain statements; the value of a property follows a `:` that no other one precedes.
                if std::mem::take(&mut self.labelled) {
                    self.level.statements += 1;
                }
                self.label = true;
                self.operator();
                self.link()
            }
            b'=' if second == b'>' => {
                self.at += 2;
                self.before = Before::Operator;
                self.link()
            }
            b'=' if second == b'=' => {
                self.no_type();
                self.operator();
                self.at += if third == b'=' { 3 } else { 2 };
                Ok(())
            }
            b'=' => {
                self.at += 1;
                self.operator();
                self.link()
            }
            b'!' if second == b'=' && (self.ends_operand() || third == b'=') => {
                self.no_type();
                self.operator();
                self.at += if third == b'=' { 3 } else { 2 };
                Ok(())
            }
            b'!' => {
                self.at += 1;
                // Behind an operand on its line it changes nothing.
                if matches!(self.before, Before::Operand) && !self.new_line {
                    return Ok(());
                }
                if matches!(self.before, Before::Operand | Before::Brace) && self.new_line {
                    self.level.end();
                }
                self.prefix()
            }
            b'~' => {
                self.at += 1;
                self.prefix()
            }
            b'+' | b'-' if second == byte => {
                // `-->` may open a comment where a line starts.
                if third == b'>' && self.new_line {
                    return Err(self.wrong(UNCLEAR, self.at + 3));
                }
                self.at += 2;
                if self.ends_operand() && !self.new_line {
                    // Behind an operand, unless that was no operand but a word or a block.
                    if self.before != Before::Operand {
                        return self.prefix_of_either();
                    }
                    self.no_type();
                    return Ok(());
                }
                self.prefix()
            }
            b'+' | b'-' if second == b'=' => {
                self.no_type();
                self.operator();
                self.at += 1;
                self.assigned()
            }
            b'+' | b'-' => {
                self.at += 1;
                match self.before {
                    Before::Operand => {
                        self.no_type();
                        self.operator();
                        Ok(())
                    }
                    _ => self.prefix(),
                }
            }
            b'*' => {
                let twice = second == b'*';
                if self.before == Before::Operand {
                    self.no_type();
                }
                self.operator();
                self.at += if twice { 2 } else { 1 };
                if twice {
                    self.link()?;
                }
                self.assigned()
            }
            b'%' | b'^' => {
                if self.before == Before::Operand {
                    self.no_type();
                }
                self.operator();
                self.at += 1;
                self.assigned()
            }
            b'&' | b'|' => {
                let twice = second == byte;
                if twice && self.before == Before::Operand {
                    self.no_type();
                }
                self.operator();
                self.at += if twice { 2 } else { 1 };
                self.assigned()
            }
            b'@' => {
                self.at += 1;
                self.before = Before::Operator;
                self.prefix()
            }
            0 if self.at >= self.bytes.len() => Ok(()),
            _ => Err(self.wrong(UNCLEAR, self.at + 1)),
        }
    }

    pub(super) fn ends_operand(&self) -> bool {
        matches!(self.before, Before::Operand | Before::Brace | Before::Word | Before::Soft | Before::Angle)
    }

    pub(super) fn prefix(&mut self) -> Step {
        self.level.prefixes += 1;
        self.before = Before::Operator;
        self.count()
    }

    /// `++` and `--` that may stand behind or before an operand.
    pub(super) fn prefix_of_either(&mut self) -> Step {
        self.level.prefixes += 1;
        self.before = Before::Word;
        self.count()
    }

    /// The `=` of an operator that assigns, if there is one.
    pub(super) fn assigned(&mut self) -> Step {
        if self.byte(0) == b'=' {
            self.at += 1;
            return self.link();
        }
        Ok(())
    }
}
