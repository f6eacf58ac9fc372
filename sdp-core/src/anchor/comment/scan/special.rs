//! The forms that plain tokens do not describe: raw texts with a word of their own, heredocs, regular expressions, the
//! indented texts of YAML. Each says what it opens at the place of the scan, or nothing; none looks at a byte again and again.

use super::{Formed, MAX_DELIMITER, MAX_LOST, Pending, Scanner, is_word};
use crate::anchor::comment::Comment;
use crate::anchor::languages::syntax::{Heredoc, Place, Special};

/// Words behind which a `/` opens a regular expression.
const BEFORE_REGEX: &[&str] = &[
    "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "do", "else", "yield", "await", "if",
    "and", "or", "not", "unless", "when", "split",
];

impl<'s> Scanner<'_, 's> {
    /// What a special form opens here.
    pub(super) fn special(&mut self, special: Special) -> Option<Formed<'s>> {
        let at = self.at;
        match special {
            Special::Character => self.character().map(Formed::Text),
            Special::Hashes => {
                // No more of them than that, because each of a long row would count the rest of it.
                let hashes = self.rest(at).iter().take(MAX_DELIMITER).take_while(|byte| **byte == b'#').count();
                self.look(at, at + hashes);
                if hashes == 0 || self.byte(at + hashes) != Some(b'"') {
                    return None;
                }
                let quotes = if self.rest(at + hashes).starts_with(b"\"\"\"") { 3 } else { 1 };
                let close = format!("{}{}", "\"".repeat(quotes), "#".repeat(hashes));
                self.closed(&close, at + hashes + quotes).map(Formed::Text)
            }
            Special::RawParentheses => {
                let head = self.rest(at).strip_prefix(b"R\"").filter(|_| self.is_raw_prefix())?;
                let length = head.iter().take(MAX_DELIMITER).position(|byte| *byte == b'(')?;
                let delimiter = self.text.get(at + 2..at + 2 + length)?;
                if delimiter.contains([' ', ')', '\\', '\n', '\t', '"']) {
                    return None;
                }
                let close = format!("){delimiter}\"");
                self.closed(&close, at + 3 + length).map(Formed::Text)
            }
            Special::LongBrackets(token) => self.long_brackets(token),
            Special::DollarQuotes => {
                let tag = self.rest(at).strip_prefix(b"$")?;
                let length = tag.iter().take(MAX_DELIMITER).take_while(|byte| is_word(**byte)).count();
                let is_tag = tag.get(length) == Some(&b'$') && !tag.first().is_some_and(u8::is_ascii_digit);
                let close =
                    self.text.get(at..at + length + 2).filter(|_| is_tag && self.stands(Place::NotBehindWord))?;
                self.closed(close, at + close.len()).map(Formed::Text)
            }
            Special::BraceBars => {
                let id = self.rest(at).strip_prefix(b"{")?;
                let is_letter = |byte: &&u8| byte.is_ascii_lowercase() || **byte == b'_';
                let length = id.iter().take(MAX_DELIMITER).take_while(is_letter).count();
                if id.get(length) != Some(&b'|') {
                    return None;
                }
                let close = format!("|{}}}", self.text.get(at + 1..at + 1 + length)?);
                self.closed(&close, at + length + 2).map(Formed::Text)
            }
            Special::ManyQuotes => {
                // Where none is looked for any more, a long row must not be counted again and again.
                if self.lost >= MAX_LOST {
                    return None;
                }
                let quotes = self.rest(at).iter().take_while(|byte| **byte == b'"').count();
                self.look(at, at + quotes);
                if quotes < 3 {
                    return None;
                }
                self.closed(&"\"".repeat(quotes), at + quotes).map(Formed::Text)
            }
            Special::Sigil(sign) => self.sigil(sign).map(Formed::Text),
            Special::Heredoc(sort) => self.heredoc(sort).map(Formed::Text),
            Special::Regex => self.regex().map(Formed::Text),
            Special::Indented => self.indented().map(Formed::Text),
        }
    }

    /// Behind `'x'`, `'\n'` or `'\u{1F600}'`.
    fn character(&self) -> Option<usize> {
        let head = self.rest(self.at).strip_prefix(b"'")?;
        if head.first() == Some(&b'\\') {
            let close = head.iter().take(12).skip(2).position(|byte| *byte == b'\'')?;
            return Some(self.at + 1 + 2 + close + 1);
        }
        let behind = self.behind_character(self.at + 1);
        (self.byte(behind) == Some(b'\'') && !matches!(head.first(), Some(b'\'' | b'\n'))).then_some(behind + 1)
    }

    /// `[==[…]==]`, and the comment that it is behind a token.
    fn long_brackets(&mut self, token: &'static str) -> Option<Formed<'s>> {
        let is_comment = self.rest(self.at).starts_with(token.as_bytes());
        let open = self.at + if is_comment { token.len() } else { 0 };
        if self.byte(open) != Some(b'[') {
            return None;
        }
        let equals = self.rest(open + 1).iter().take(MAX_DELIMITER).take_while(|byte| **byte == b'=').count();
        let from = open + equals + 2;
        if self.byte(from - 1) != Some(b'[') {
            return None;
        }
        let close = format!("]{}]", "=".repeat(equals));
        if !is_comment {
            return self.closed(&close, from).map(Formed::Text);
        }
        let end = self.behind(&close, from);
        let (content_end, end) = end.map_or((self.bytes.len(), self.bytes.len()), |end| (end - close.len(), end));
        Some(Formed::Comment(Comment {
            range: self.at..end,
            content: from..content_end,
            mark: token,
            is_line: false,
            nests: None,
            is_alone: !self.is_line_used,
            is_misplaced: false,
        }))
    }

    /// Whether `R` opens a raw text here, or is the last letter of a word that is no prefix.
    fn is_raw_prefix(&self) -> bool {
        let before = self.bytes.get(self.at.saturating_sub(3)..self.at).unwrap_or_default();
        let word = before.rsplit(|byte| !is_word(*byte)).next().unwrap_or_default();
        matches!(word, b"" | b"u8" | b"u" | b"U" | b"L")
    }

    /// Behind `%w[…]`, `%(…)` or `~r/…/`. Brackets in it count. Without a letter it is one only where no value stands before.
    fn sigil(&mut self, sign: u8) -> Option<usize> {
        if self.byte(self.at) != Some(sign) || self.lost >= MAX_LOST || !self.stands(Place::NotBehindWord) {
            return None;
        }
        let has_letter = self.byte(self.at + 1).is_some_and(|byte| byte.is_ascii_alphabetic());
        if !has_letter && (sign != b'%' || self.follows_a_value()) {
            return None;
        }
        let from = self.at + 1 + usize::from(has_letter);
        let open = self.byte(from)?;
        let close = match open {
            b'(' => b')',
            b'[' => b']',
            b'{' => b'}',
            b'<' => b'>',
            b'|' | b'!' | b'/' => open,
            _ => return None,
        };
        let (mut at, mut depth) = (from + 1, 1_usize);
        while let Some(byte) = self.byte(at) {
            at += 1;
            if byte == b'\\' {
                at += 1;
            } else if byte == close {
                depth -= 1;
                if depth == 0 {
                    self.look(from, at);
                    return Some(at);
                }
            } else if byte == open {
                depth += 1;
            }
        }
        self.look(from, at);
        self.lost += 1;
        None
    }

    /// Behind the word of a heredoc, whose text opens on the next line.
    fn heredoc(&mut self, sort: Heredoc) -> Option<usize> {
        let token: &[u8] = if sort == Heredoc::Php { b"<<<" } else { b"<<" };
        let mut at = self.at + token.len();
        let is_other = !self.rest(self.at).starts_with(token) || self.byte(at) == Some(b'<');
        // `<<<` is no heredoc in a shell, whichever of its signs comes first.
        if is_other || (self.at > 0 && self.byte(self.at - 1) == Some(b'<')) || self.lost >= MAX_LOST {
            return None;
        }
        let mark = self.byte(at).filter(|byte| sort != Heredoc::Php && matches!(byte, b'-' | b'~'));
        at += usize::from(mark.is_some());
        if sort != Heredoc::Ruby {
            at += self.rest(at).iter().take(MAX_DELIMITER).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        }
        let quote = self.byte(at).filter(|byte| matches!(byte, b'\'' | b'"' | b'\\'));
        at += usize::from(quote.is_some());
        let quoted = quote.filter(|quote| *quote != b'\\');
        let is_part = |byte: u8| match quoted {
            Some(quote) => byte != quote && byte != b'\n',
            None => is_word(byte) || (sort == Heredoc::Shell && (b"-.!+@%:/,".contains(&byte) || byte >= 0x80)),
        };
        let length = self.rest(at).iter().take(MAX_DELIMITER).take_while(|byte| is_part(**byte)).count();
        let first = self.byte(at)?;
        let is_heredoc = match (quoted, sort) {
            (Some(quote), _) => self.byte(at + length) == Some(quote),
            (None, Heredoc::Ruby) => first.is_ascii_uppercase() || (mark.is_some() && !first.is_ascii_digit()),
            (None, _) => is_word(first) && !first.is_ascii_digit() || first == b'!',
        };
        if length == 0 || !is_heredoc {
            return None;
        }
        let may_be_indented = mark.is_some() || sort == Heredoc::Php;
        self.pending.push(Pending::Heredoc { word: at..at + length, sort, may_be_indented });
        Some(at + length + usize::from(quoted.is_some()))
    }

    /// Behind a regular expression, when what stands before the `/` is no value.
    fn regex(&mut self) -> Option<usize> {
        let place = self.unclosed.len() - 1;
        let behind = self.byte(self.at + 1);
        // Behind a word or a sign that may end a value, `/ ` divides.
        let divides = behind == Some(b' ') && !self.last.is_some_and(|(last, _)| b"(,=:[&|{;".contains(&last));
        if self.byte(self.at) != Some(b'/')
            || matches!(behind, None | Some(b'/' | b'*' | b'\n'))
            || divides
            || self.unclosed.get(place).is_some_and(|to| self.at < *to)
            || self.follows_a_value()
        {
            return None;
        }
        let (mut at, mut in_class) = (self.at + 1, false);
        let end = loop {
            match self.byte(at) {
                None | Some(b'\n') => break None,
                Some(b'\\') => at += 1,
                Some(b'[') => in_class = true,
                Some(b']') => in_class = false,
                Some(b'/') if !in_class => break Some(at + 1),
                Some(_) => {}
            }
            at += 1;
        };
        self.look(self.at, at);
        if end.is_none()
            && let Some(unclosed) = self.unclosed.get_mut(place)
        {
            *unclosed = at.min(self.bytes.len());
        }
        end
    }

    fn follows_a_value(&self) -> bool {
        let Some((last, at)) = self.last else { return false };
        if is_word(last) || last == b'$' {
            let from = at.saturating_sub(10);
            let tail = self.bytes.get(from..=at).unwrap_or_default();
            let word = tail.rsplit(|byte| !is_word(*byte) && *byte != b'$').next().unwrap_or_default();
            return !BEFORE_REGEX.iter().any(|keyword| keyword.as_bytes() == word);
        }
        matches!(last, b')' | b']' | b'}' | b'"' | b'\'' | b'`' | b'.' | b'<') || last >= 0x80
    }

    /// Behind the `|` or `>` of a YAML text that opens on the next line.
    fn indented(&mut self) -> Option<usize> {
        let is_open = matches!(self.byte(self.at), Some(b'|' | b'>'));
        let before = self.at.checked_sub(1).and_then(|at| self.byte(at));
        if !is_open || !before.is_none_or(|byte| byte == b' ' || byte == b'\t' || byte == b'\n') {
            return None;
        }
        let behind = self.at + 1;
        let marks =
            self.rest(behind).iter().take(2).take_while(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-')).count();
        let spaces = self.rest(behind + marks).iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        self.look(behind, behind + marks + spaces);
        let end = behind + marks + spaces;
        let is_last = match self.byte(end) {
            None | Some(b'\n') => true,
            Some(b'#') => spaces > 0,
            Some(_) => false,
        };
        if !is_last {
            return None;
        }
        let line_start = memchr::memrchr(b'\n', self.bytes.get(..self.at).unwrap_or_default()).map_or(0, |at| at + 1);
        self.look(line_start, self.at);
        let mut column = 0;
        let mut dash = None;
        for byte in self.bytes.get(line_start..self.at).unwrap_or_default() {
            match byte {
                b'-' if self.byte(line_start + column + 1) == Some(b' ') => dash = Some(column),
                b' ' => {}
                _ => break,
            }
            column += 1;
        }
        // The text of `- |` is indented deeper than its dash; that of `- key: |`, than its key.
        let parent = if line_start + column == self.at { dash.unwrap_or(0) } else { column };
        let is_document = self.bytes.get(line_start..self.at).is_some_and(|line| line.starts_with(b"---"));
        self.pending.push(Pending::Indented(if is_document { 0 } else { parent }));
        Some(end.min(self.bytes.len()).max(behind))
    }
}
