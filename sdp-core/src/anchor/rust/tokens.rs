//! Rust source as tokens: text comes in, tokens with byte ranges go out, comments and white space left aside. It knows just
//! enough to tell code from strings and comments; it takes any text and never fails.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An identifier or keyword, with its `r#` where it has one.
    Word,
    /// A lifetime or label.
    Lifetime,
    /// A string of any sort, with prefix and quotes. One that never closes reaches to the end of the text.
    Text,
    /// A character or byte, or a number.
    Literal,
    /// `(`, `[` or `{`.
    Open(u8),
    /// `)`, `]` or `}`.
    Close(u8),
    /// Any other character.
    Punct(char),
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it stands, in bytes.
    pub range: Range<usize>,
}

/// The tokens of a text, from the first on. A shebang line is a comment here.
#[derive(Clone, Debug)]
pub struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    /// Over a whole file.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let mut tokens = Tokens { text, at: 0 };
        if text.starts_with('\u{FEFF}') {
            tokens.at = '\u{FEFF}'.len_utf8();
        }
        // `#![…]` opens an attribute; anything else behind `#!` is for the system.
        let rest = tokens.rest();
        if rest.starts_with("#!") && !rest.get(2..).unwrap_or("").trim_start().starts_with('[') {
            tokens.skip_line();
        }
        tokens
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn skip_line(&mut self) {
        self.at = memchr::memchr(b'\n', self.rest().as_bytes()).map_or(self.text.len(), |end| self.at + end);
    }

    /// Behind a block comment that opens here; nested ones count.
    fn skip_block(&mut self) {
        let bytes = self.text.as_bytes();
        let mut depth = 0_usize;
        loop {
            let rest = bytes.get(self.at..).unwrap_or_default();
            match memchr::memchr2(b'/', b'*', rest) {
                None => {
                    self.at = bytes.len();
                    return;
                }
                Some(found) => {
                    self.at += found;
                    match (self.byte(0), self.byte(1)) {
                        (Some(b'/'), Some(b'*')) => (depth, self.at) = (depth + 1, self.at + 2),
                        (Some(b'*'), Some(b'/')) => {
                            (depth, self.at) = (depth.saturating_sub(1), self.at + 2);
                            if depth == 0 {
                                return;
                            }
                        }
                        _ => self.at += 1,
                    }
                }
            }
        }
    }

    fn skip_space_and_comments(&mut self) {
        loop {
            match self.byte(0) {
                Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C) => self.at += 1,
                Some(b'/') if self.byte(1) == Some(b'/') => self.skip_line(),
                Some(b'/') if self.byte(1) == Some(b'*') => self.skip_block(),
                Some(byte) if byte >= 0x80 => match self.rest().chars().next() {
                    Some(space @ ('\u{85}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}')) => {
                        self.at += space.len_utf8();
                    }
                    _ => return,
                },
                _ => return,
            }
        }
    }

    /// Behind a string whose opening quote is at `at`; a backslash takes the character behind it along.
    fn skip_quoted(&mut self, quote: u8) {
        self.at += 1;
        while let Some(found) = memchr::memchr2(quote, b'\\', self.text.as_bytes().get(self.at..).unwrap_or_default()) {
            self.at += found;
            if self.byte(0) == Some(quote) {
                self.at += 1;
                return;
            }
            self.at += 2;
        }
        self.at = self.text.len();
    }

    /// Behind a raw string when one opens `ahead` bytes from here (behind its prefix).
    fn skip_raw(&mut self, ahead: usize) -> bool {
        let bytes = self.text.as_bytes().get(self.at + ahead..).unwrap_or_default();
        let hashes = bytes.iter().take_while(|byte| **byte == b'#').count();
        if bytes.get(hashes) != Some(&b'"') {
            return false;
        }
        let body = self.at + ahead + hashes + 1;
        let mut from = body;
        while let Some(quote) = memchr::memchr(b'"', self.text.as_bytes().get(from..).unwrap_or_default()) {
            from += quote + 1;
            let behind = self.text.as_bytes().get(from..).unwrap_or_default();
            if behind.iter().take(hashes).filter(|byte| **byte == b'#').count() == hashes {
                self.at = from + hashes;
                return true;
            }
        }
        self.at = self.text.len();
        true
    }

    /// Behind a word, which opens here.
    fn skip_word(&mut self) {
        while let Some(byte) = self.byte(0) {
            if byte == b'_' || byte.is_ascii_alphanumeric() {
                self.at += 1;
                continue;
            }
            // Nearly all words are ASCII; what is not is looked at as a character.
            match self.beyond_ascii(byte) {
                Some(letter) if is_word(letter) => self.at += letter.len_utf8(),
                _ => return,
            }
        }
    }

    /// The character that opens here with a byte, when it is none of ASCII.
    fn beyond_ascii(&self, byte: u8) -> Option<char> {
        if byte.is_ascii() { None } else { self.rest().chars().next() }
    }

    /// A character literal or a lifetime.
    fn quote(&mut self) -> Kind {
        let mut letters = self.rest().chars().skip(1);
        match (letters.next(), letters.next()) {
            (Some('\\'), _) => {
                self.skip_quoted(b'\'');
                Kind::Literal
            }
            (Some(letter), Some('\'')) if letter != '\'' => {
                self.at += 2 + letter.len_utf8();
                Kind::Literal
            }
            _ => {
                self.at += 1;
                self.skip_word();
                Kind::Lifetime
            }
        }
    }

    /// A word, or the literal that its first letters open.
    fn word(&mut self) -> Kind {
        let prefix = self.rest().as_bytes();
        let (raw, quoted) = match prefix {
            [b'r', ..] => (Some(1), None),
            [b'b' | b'c', b'r', ..] => (Some(2), None),
            [b'b', b'\'', ..] => (None, Some(b'\'')),
            [b'b' | b'c', b'"', ..] => (None, Some(b'"')),
            _ => (None, None),
        };
        if raw.is_some_and(|ahead| self.skip_raw(ahead)) {
            return Kind::Text;
        }
        if let Some(quote) = quoted {
            self.at += 1;
            self.skip_quoted(quote);
            return if quote == b'"' { Kind::Text } else { Kind::Literal };
        }
        if prefix.starts_with(b"r#") && self.rest().chars().nth(2).is_some_and(is_word) {
            self.at += 2;
        }
        self.skip_word();
        Kind::Word
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_space_and_comments();
        let start = self.at;
        let byte = self.byte(0)?;
        let kind = match byte {
            b'"' => {
                self.skip_quoted(b'"');
                Kind::Text
            }
            b'\'' => self.quote(),
            b'0'..=b'9' => {
                self.skip_word();
                Kind::Literal
            }
            b'(' | b'[' | b'{' => {
                self.at += 1;
                Kind::Open(byte)
            }
            b')' | b']' | b'}' => {
                self.at += 1;
                Kind::Close(byte)
            }
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => self.word(),
            _ => match self.beyond_ascii(byte) {
                Some(letter) if is_word(letter) => self.word(),
                other => {
                    let character = other.unwrap_or(char::from(byte));
                    self.at += character.len_utf8();
                    Kind::Punct(character)
                }
            },
        };
        self.at = self.at.min(self.text.len());
        Some(Token { kind, range: start..self.at })
    }
}

/// Whether a character may stand in a word.
fn is_word(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(Kind, &str)> {
        Tokens::new(text).map(|token| (token.kind, &text[token.range])).collect()
    }

    fn words(text: &str) -> Vec<&str> {
        tokens(text).into_iter().filter(|(kind, _)| *kind == Kind::Word).map(|(_, word)| word).collect()
    }

    #[test]
    fn strings_characters_and_comments_are_no_code() {
        let cases = [
            ("a \"b \\\" c\" d", vec!["a", "d"]),
            ("a r#\"b \" c\"# d r\"e\" br##\"f\"# \"## g c\"h\" cr\"i\"", vec!["a", "d", "g"]),
            ("a 'b' '\\'' b'c' b'\\'' '\\u{1F600}' 'é' d", vec!["a", "d"]),
            ("fn a<'b>(c: &'b u8) { 'd: loop { break 'd } }", vec!["fn", "a", "c", "u8", "loop", "break"]),
            ("a // b \"\n c /* d /* e */ f */ g /* h", vec!["a", "c", "g"]),
            ("r#type r#if rb br 0x1f 1.5e3 'a", vec!["r#type", "r#if", "rb", "br"]),
            ("#!/usr/bin/env x\na", vec!["a"]),
            ("\u{FEFF}#![a]", vec!["a"]),
            ("a \"never closed // b", vec!["a"]),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn a_token_has_its_kind_and_its_bytes() {
        assert_eq!(
            tokens("#[é(\"x\")]"),
            [
                (Kind::Punct('#'), "#"),
                (Kind::Open(b'['), "["),
                (Kind::Word, "é"),
                (Kind::Open(b'('), "("),
                (Kind::Text, "\"x\""),
                (Kind::Close(b')'), ")"),
                (Kind::Close(b']'), "]"),
            ]
        );
        assert_eq!(tokens("'a 'b'")[0], (Kind::Lifetime, "'a"));
        assert_eq!(tokens("'a 'b'")[1], (Kind::Literal, "'b'"));
    }

    #[test]
    fn any_text_ends_and_every_token_is_part_of_it() {
        let pieces =
            ["'", "\"", "r#", "b", "\\", "é", "/*", "*/", "//", "\n", "#", "{", "]", "'\\", "0", "\u{FEFF}", "#!"];
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    let text = format!("{first}{second}{third}");
                    let mut end = 0;
                    for token in Tokens::new(&text) {
                        assert!(token.range.start >= end && token.range.end > token.range.start, "{text:?}");
                        assert!(text.get(token.range.clone()).is_some(), "{text:?}");
                        end = token.range.end;
                    }
                }
            }
        }
    }
}
