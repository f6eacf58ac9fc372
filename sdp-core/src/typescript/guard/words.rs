//! Words: the word at the current place comes in, and what it says of the token behind it goes into the level.

use super::level::Before;
use super::walk::Walk;
use super::{Refused, Step, UNCLEAR};

/// What a word may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// A plain name, or a value.
    Name,
    /// A keyword before an operand or a declaration.
    Keyword,
    /// A keyword that is a prefix of an operand.
    Prefix,
    /// A word that may be a prefix, or a name.
    SoftPrefix,
    /// A word that may be a keyword, or a name.
    Soft,
    /// A word that may stand between two operands.
    Infix,
    /// `if`, `for`, `with`, and `while`, before which no statement need have ended.
    Head(bool),
    /// `else`.
    Else,
    /// `do`.
    Do,
    /// `case`.
    Case,
    /// `class`.
    Class,
    /// `extends`.
    Extends,
    /// `infer`.
    Infer,
    /// `is`.
    Is,
    /// `new`.
    New,
    /// A word that may end a statement, or be a name.
    Jump,
    /// `yield`.
    Yield,
    /// `namespace` and `module`.
    Namespace,
}

pub(super) fn word_kind(word: &[u8]) -> Word {
    if !(2..=11).contains(&word.len()) || !word.first().is_some_and(u8::is_ascii_lowercase) {
        return Word::Name;
    }
    match word {
        b"if" | b"for" => Word::Head(false),
        b"while" | b"with" => Word::Head(true),
        b"else" => Word::Else,
        b"do" => Word::Do,
        b"case" => Word::Case,
        b"class" => Word::Class,
        b"extends" => Word::Extends,
        b"infer" => Word::Infer,
        b"yield" => Word::Yield,
        b"namespace" | b"module" => Word::Namespace,
        b"is" => Word::Is,
        b"new" => Word::New,
        b"break" | b"continue" | b"debugger" => Word::Jump,
        b"typeof" | b"void" | b"delete" => Word::Prefix,
        b"await" | b"keyof" | b"unique" | b"readonly" | b"asserts" | b"async" | b"abstract" | b"declare" => {
            Word::SoftPrefix
        }
        b"return" | b"throw" | b"default" | b"try" | b"var" | b"const" | b"function" | b"enum" | b"export"
        | b"switch" => Word::Keyword,
        b"in" | b"of" | b"instanceof" | b"as" | b"satisfies" | b"implements" | b"catch" | b"finally" | b"from" => {
            Word::Infix
        }
        b"let" | b"import" | b"type" | b"interface" | b"static" | b"get" | b"set" | b"accessor" | b"override"
        | b"public" | b"private" | b"protected" | b"out" | b"using" | b"global" | b"require" | b"defer" | b"source"
        | b"assert" => Word::Soft,
        _ => Word::Name,
    }
}

impl Walk<'_> {
    /// Two operands with the end of a line between them, or with `}` before them: no statement goes on.
    pub(super) fn ended_by_operand(&mut self) {
        let ended = match self.before {
            Before::Operand => self.new_line,
            Before::Brace => true,
            _ => false,
        };
        if ended {
            self.level.end();
            self.namespace = false;
        }
    }

    pub(super) fn word(&mut self) -> Step {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let mut length = length_of_word(rest);
        let mut word = rest.get(..length).unwrap_or_default();
        if rest.get(length).is_some_and(|byte| *byte == b'\\' || *byte >= 0x80) {
            length = self.length_of_name()?;
            // No keyword is spelt with what is not ASCII.
            word = b"";
        }
        let kind = if self.before == Before::Dot { Word::Name } else { word_kind(word) };
        let for_await = std::mem::take(&mut self.head) && word == b"await";
        let goes_on = kind == Word::Else || kind == Word::Head(true) && self.level.does;
        if self.before == Before::Start && !goes_on {
            self.level.end_statements();
        }
        self.labelled = std::mem::take(&mut self.label);
        match kind {
            Word::Infix | Word::Is | Word::Extends => {}
            _ if goes_on => {}
            _ => self.ended_by_operand(),
        }
        self.before = match kind {
            Word::Name => Before::Operand,
            Word::Else => {
                self.level.statements += 1;
                self.level.end_expression();
                Before::Operator
            }
            Word::Head(_) => {
                self.level.statements += 1;
                self.head = true;
                Before::Word
            }
            Word::Do => {
                self.level.does = true;
                self.level.statements += 1;
                Before::Operator
            }
            Word::Case => {
                self.level.end();
                Before::Operator
            }
            Word::Keyword => {
                self.level.prefixes += u32::from(self.before == Before::Operator);
                // What `<` opens behind `function` is never an element.
                if word == b"function" { Before::New } else { Before::Operator }
            }
            Word::Prefix => {
                self.level.prefixes += 1;
                Before::Operator
            }
            Word::SoftPrefix => {
                self.level.prefixes += 1;
                Before::Word
            }
            Word::Infer => {
                self.level.prefixes += 1;
                self.level.tries += u32::from(self.infers_with_constraint(self.at + length));
                Before::Word
            }
            Word::Is => {
                self.level.chain += 1;
                Before::Word
            }
            Word::New => {
                self.level.prefixes += 1;
                Before::New
            }
            Word::Extends => {
                self.level.chain += 1;
                self.level.extends = true;
                Before::Word
            }
            Word::Class => {
                self.level.chain += 1;
                Before::Word
            }
            Word::Yield => {
                self.level.chain += 1;
                Before::Word
            }
            Word::Namespace => {
                self.namespace = true;
                Before::Word
            }
            Word::Infix | Word::Jump => Before::Word,
            Word::Soft => Before::Soft,
        };
        if for_await {
            self.head = true;
        }
        if kind != Word::Name {
            self.count()?;
        }
        self.at += length;
        self.new_line = false;
        Ok(())
    }

    /// The length of a name that holds more than ASCII, or escapes.
    pub(super) fn length_of_name(&self) -> Result<usize, Refused> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let (mut length, mut escaped, mut plain, mut spelt) = (0, false, false, String::new());
        loop {
            let rest = rest.get(length..).unwrap_or_default();
            let Some(first) = rest.chars().next() else { break };
            if first == '\\' {
                let unclear = || self.refused(UNCLEAR);
                let escape = rest.strip_prefix("\\u").ok_or_else(unclear)?;
                let (digits, more) = match escape.strip_prefix('{') {
                    Some(braced) => (braced.split_once('}').ok_or_else(unclear)?.0, 4),
                    None => (escape.get(..4).ok_or_else(unclear)?, 2),
                };
                let code = u32::from_str_radix(digits, 16).map_err(|_| unclear())?;
                length += digits.len() + more;
                (escaped, plain) = (true, plain || code >= 0x80);
                spelt.extend(char::from_u32(code));
            } else if first.is_ascii() && !u8::try_from(first).is_ok_and(is_word_byte) || is_space(first) {
                break;
            } else {
                length += first.len_utf8();
                plain |= !first.is_ascii();
                spelt.push(first);
            }
        }
        // A keyword may be spelt with escapes, though it must not.
        let keyword = escaped && !plain && word_kind(spelt.as_bytes()) != Word::Name;
        if length == 0 || keyword { Err(self.refused(UNCLEAR)) } else { Ok(length) }
    }
}

/// What a byte may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// A name or a keyword of ASCII, or a name with an escape.
    Word,
    /// A number.
    Digit,
    /// What may be no token.
    Skipped,
    /// Any other token.
    Other,
}

pub(super) fn class(byte: u8) -> Class {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(Class::Other)
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "counts from 0 to 255")]
        let class = match byte as u8 {
            b'0'..=b'9' => Class::Digit,
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | b'/' | 0x80.. => Class::Skipped,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'#' | b'\\' => Class::Word,
            _ => Class::Other,
        };
        #[expect(clippy::indexing_slicing, reason = "counts from 0 to 255")]
        {
            classes[byte] = class;
        }
        byte += 1;
    }
    classes
};

/// How long a word of ASCII without escapes is.
fn length_of_word(rest: &[u8]) -> usize {
    let part = |byte: &u8| *byte != b'\\' && matches!(class(*byte), Class::Word | Class::Digit);
    rest.iter().position(|byte| !part(byte)).unwrap_or(rest.len())
}

/// White space beyond ASCII.
pub(super) fn is_space(character: char) -> bool {
    !character.is_ascii() && (character.is_whitespace() || matches!(character, '\u{feff}' | '\u{200b}'))
}

/// Whether a byte may be part of a name. All that is not ASCII may; white space is looked at before.
pub(super) const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | 0x80..)
}
