//! The parser behind [`read`](super::read). A text comes in; a value or the first fault goes out. Open arrays and objects
//! stand on a stack of its own, never on the call stack, so that no text can make it recurse.

use serde_json::{Map, Number, Value};

use super::error::{Fault, JsonErrorKind};
use super::{DuplicateKeys, Limits, MAX_DEPTH};

/// An array or object that is not closed yet.
enum Open {
    Array(Vec<Value>),
    /// The key is the one whose value comes next.
    Object(Map<String, Value>, String),
}

/// What stands at the start of a value.
enum Start {
    /// A value that is complete: a literal, number or string, or an empty array or object.
    Complete(Value),
    /// An array or object whose first value comes next.
    Opened(Open),
}

/// Reads the one value of `text`; refuses everything that `limits` and RFC 8259 do not allow.
pub(super) fn parse(text: &str, limits: &Limits) -> Result<Value, Fault> {
    if text.len() > limits.max_bytes {
        let cut = (0..=limits.max_bytes).rev().find(|offset| text.is_char_boundary(*offset)).unwrap_or(0);
        return Err(Fault { offset: cut, kind: JsonErrorKind::TooLong(limits.max_bytes) });
    }
    let mut parser = Parser {
        text,
        offset: 0,
        max_depth: limits.max_depth.min(MAX_DEPTH),
        duplicate_keys: limits.duplicate_keys,
        open: Vec::new(),
    };
    if text.starts_with('\u{feff}') {
        return Err(parser.fault(JsonErrorKind::ByteOrderMark));
    }
    let value = parser.value()?;
    parser.skip_white_space();
    match parser.peek() {
        None => Ok(value),
        Some(_) => Err(parser.fault(JsonErrorKind::TrailingText)),
    }
}

struct Parser<'text> {
    text: &'text str,
    /// The byte that comes next. It is always at the start of a character.
    offset: usize,
    max_depth: usize,
    duplicate_keys: DuplicateKeys,
    open: Vec<Open>,
}

impl Parser<'_> {
    /// Reads one value with everything in it.
    fn value(&mut self) -> Result<Value, Fault> {
        loop {
            let mut complete = match self.start()? {
                Start::Opened(open) => {
                    self.open.push(open);
                    continue;
                }
                Start::Complete(value) => value,
            };
            // Hand the value to what surrounds it, for as long as that closes with it.
            loop {
                match self.open.pop() {
                    None => return Ok(complete),
                    Some(Open::Array(mut values)) => {
                        values.push(complete);
                        if self.goes_on(b']', JsonErrorKind::ExpectedCommaOrBracket, JsonErrorKind::EndInArray)? {
                            self.open.push(Open::Array(values));
                            break;
                        }
                        complete = Value::Array(values);
                    }
                    Some(Open::Object(mut members, key)) => {
                        members.insert(key, complete);
                        if self.goes_on(b'}', JsonErrorKind::ExpectedCommaOrBrace, JsonErrorKind::EndInObject)? {
                            let key = self.key(&members)?;
                            self.open.push(Open::Object(members, key));
                            break;
                        }
                        complete = Value::Object(members);
                    }
                }
            }
        }
    }

    /// Reads the start of a value.
    fn start(&mut self) -> Result<Start, Fault> {
        self.skip_white_space();
        let Some(byte) = self.peek() else {
            return Err(self.fault(match self.open.last() {
                None => JsonErrorKind::ExpectedValue,
                Some(Open::Array(_)) => JsonErrorKind::EndInArray,
                Some(Open::Object(..)) => JsonErrorKind::EndInObject,
            }));
        };
        Ok(match byte {
            b'[' => {
                self.descend()?;
                match self.peek() {
                    None => return Err(self.fault(JsonErrorKind::EndInArray)),
                    Some(b']') => {
                        self.offset += 1;
                        Start::Complete(Value::Array(Vec::new()))
                    }
                    Some(_) => Start::Opened(Open::Array(Vec::new())),
                }
            }
            b'{' => {
                self.descend()?;
                if self.peek() == Some(b'}') {
                    self.offset += 1;
                    Start::Complete(Value::Object(Map::new()))
                } else {
                    let members = Map::new();
                    let key = self.key(&members)?;
                    Start::Opened(Open::Object(members, key))
                }
            }
            b'"' => Start::Complete(Value::String(self.string()?)),
            b'-' | b'0'..=b'9' => Start::Complete(Value::Number(self.number()?)),
            _ => Start::Complete(self.literal()?),
        })
    }

    /// Steps over the bracket that opens an array or object; refuses one that is too deep.
    fn descend(&mut self) -> Result<(), Fault> {
        if self.open.len() >= self.max_depth {
            return Err(self.fault(JsonErrorKind::TooDeep(self.max_depth)));
        }
        self.offset += 1;
        self.skip_white_space();
        Ok(())
    }

    /// Whether a comma (true) or `close` (false) follows; refuses everything else.
    fn goes_on(&mut self, close: u8, otherwise: JsonErrorKind, at_end: JsonErrorKind) -> Result<bool, Fault> {
        self.skip_white_space();
        match self.peek() {
            None => Err(self.fault(at_end)),
            Some(byte) if byte == b',' || byte == close => {
                self.offset += 1;
                Ok(byte == b',')
            }
            Some(_) => Err(self.fault(otherwise)),
        }
    }

    /// Reads a key and its colon; refuses a key that `members` has, where the limits say so.
    fn key(&mut self, members: &Map<String, Value>) -> Result<String, Fault> {
        self.skip_white_space();
        match self.peek() {
            None => return Err(self.fault(JsonErrorKind::EndInObject)),
            Some(b'"') => {}
            Some(_) => return Err(self.fault(JsonErrorKind::ExpectedKey)),
        }
        let offset = self.offset;
        let key = self.string()?;
        // The object that holds the key is not on the stack now, so the outermost one sees an empty stack.
        let refused = match self.duplicate_keys {
            DuplicateKeys::Refuse => true,
            DuplicateKeys::RefuseTopLevel => self.open.is_empty(),
        };
        if refused && members.contains_key(&key) {
            return Err(Fault { offset, kind: JsonErrorKind::DuplicateKey(key) });
        }
        self.skip_white_space();
        match self.peek() {
            None => Err(self.fault(JsonErrorKind::EndInObject)),
            Some(b':') => {
                self.offset += 1;
                Ok(key)
            }
            Some(_) => Err(self.fault(JsonErrorKind::ExpectedColon)),
        }
    }

    /// Reads `null`, `true` or `false`.
    fn literal(&mut self) -> Result<Value, Fault> {
        let rest = self.slice(self.offset, self.text.len());
        let (word, value) = if rest.starts_with("null") {
            ("null", Value::Null)
        } else if rest.starts_with("true") {
            ("true", Value::Bool(true))
        } else if rest.starts_with("false") {
            ("false", Value::Bool(false))
        } else {
            return Err(self.fault(JsonErrorKind::ExpectedValue));
        };
        self.offset += word.len();
        Ok(value)
    }

    /// Reads a number; refuses one that no finite `f64` is near to.
    fn number(&mut self) -> Result<Number, Fault> {
        let start = self.offset;
        let negative = self.skip_byte(b'-');
        if self.skip_byte(b'0') {
            if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                return Err(self.fault(JsonErrorKind::InvalidNumber));
            }
        } else {
            self.digits()?;
        }
        let mut integer = true;
        if self.skip_byte(b'.') {
            integer = false;
            self.digits()?;
        }
        if self.skip_byte(b'e') || self.skip_byte(b'E') {
            integer = false;
            if !self.skip_byte(b'+') {
                self.skip_byte(b'-');
            }
            self.digits()?;
        }
        let written = self.slice(start, self.offset);
        // `-0` as an `i64` would lose its sign.
        if integer && written != "-0" {
            let exact = if negative {
                written.parse::<i64>().ok().map(Number::from)
            } else {
                written.parse::<u64>().ok().map(Number::from)
            };
            if let Some(number) = exact {
                return Ok(number);
            }
        }
        let number = written.parse::<f64>().ok().and_then(Number::from_f64);
        number.ok_or(Fault { offset: start, kind: JsonErrorKind::NotFinite })
    }

    /// Steps over one or more digits; refuses none.
    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.offset;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.offset += 1;
        }
        if self.offset == start { Err(self.fault(JsonErrorKind::InvalidNumber)) } else { Ok(()) }
    }

    /// Reads a string, whose opening quote comes next.
    fn string(&mut self) -> Result<String, Fault> {
        self.offset += 1;
        let mut unescaped = String::new();
        loop {
            let start = self.offset;
            while self.peek().is_some_and(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
                self.offset += 1;
            }
            unescaped.push_str(self.slice(start, self.offset));
            match self.peek() {
                None => return Err(self.fault(JsonErrorKind::EndInString)),
                Some(b'"') => {
                    self.offset += 1;
                    return Ok(unescaped);
                }
                Some(b'\\') => unescaped.push(self.escape()?),
                Some(_) => return Err(self.fault(JsonErrorKind::ControlCharacter)),
            }
        }
    }

    /// Reads an escape, whose backslash comes next; two of them where they are a surrogate pair.
    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.offset;
        let character = match self.text.as_bytes().get(start + 1) {
            None => return Err(Fault { offset: self.text.len(), kind: JsonErrorKind::EndInString }),
            Some(b'u') => return self.unicode_escape(),
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(_) => return Err(self.fault(JsonErrorKind::UnknownEscape)),
        };
        self.offset += 2;
        Ok(character)
    }

    /// Reads `\uXXXX` and, after a high surrogate, the low one that must follow.
    fn unicode_escape(&mut self) -> Result<char, Fault> {
        let start = self.offset;
        let lone = Fault { offset: start, kind: JsonErrorKind::LoneSurrogate };
        let first = self.code_unit()?;
        if let Some(character) = char::from_u32(first) {
            return Ok(character);
        }
        let pair_may_follow = first < 0xdc00 && self.slice(self.offset, self.offset + 2) == "\\u";
        if !pair_may_follow {
            return Err(lone);
        }
        let second = self.code_unit()?;
        match second {
            0xdc00..=0xdfff => char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)).ok_or(lone),
            _ => Err(lone),
        }
    }

    /// Reads `\uXXXX`, of which `\u` is known to come next, as one UTF-16 code unit.
    fn code_unit(&mut self) -> Result<u32, Fault> {
        let start = self.offset;
        let mut unit = 0;
        for place in start + 2..start + 6 {
            let Some(byte) = self.text.as_bytes().get(place) else {
                return Err(Fault { offset: self.text.len(), kind: JsonErrorKind::EndInString });
            };
            let Some(digit) = char::from(*byte).to_digit(16) else {
                return Err(Fault { offset: start, kind: JsonErrorKind::InvalidUnicodeEscape });
            };
            unit = unit << 4 | digit;
        }
        self.offset = start + 6;
        Ok(unit)
    }

    fn skip_white_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.offset += 1;
        }
    }

    /// Steps over `byte` if it comes next, and says whether it did.
    fn skip_byte(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.offset += usize::from(found);
        found
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    /// The text between two offsets; empty where they do not cut it between characters.
    fn slice(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn fault(&self, kind: JsonErrorKind) -> Fault {
        Fault { offset: self.offset, kind }
    }
}
