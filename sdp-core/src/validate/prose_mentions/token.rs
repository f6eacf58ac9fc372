//! The token rule of mentions (newest sheet part 11, check 9): a text comes in, the whole tokens that open with `spec:`
//! come out, in order. A token is never cut short to the id that it may open with, and nothing here knows which ids exist.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use super::delimiters;

const PREFIX: &str = "spec:";

/// The searches of the rule, made ready once.
#[derive(Debug)]
pub(super) struct Scanner {
    word: memmem::Finder<'static>,
    prefix: memmem::Finder<'static>,
}

impl Scanner {
    pub(super) fn new() -> Self {
        Scanner { word: memmem::Finder::new("spec"), prefix: memmem::Finder::new(PREFIX) }
    }

    /// The text as the rule reads it, without Markdown's escapes; none when it holds no mention for certain.
    pub(super) fn plain<'t>(&self, text: &'t str) -> Option<Cow<'t, str>> {
        // No letter can be escaped, but the colon can.
        self.word.find(text.as_bytes())?;
        Some(match memchr(b'\\', text.as_bytes()) {
            Some(_) => Cow::Owned(without_escapes(text)),
            None => Cow::Borrowed(text),
        })
    }

    /// The tokens of a text that [`Scanner::plain`] gave.
    pub(super) fn tokens<'t>(&'t self, plain: &'t str) -> Tokens<'t> {
        Tokens { prefix: &self.prefix, text: plain, at: 0 }
    }
}

/// A backslash before ASCII punctuation is read as that punctuation, as Markdown reads it.
fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped = if character == '\\' { characters.next_if(char::is_ascii_punctuation) } else { None };
        plain.push(escaped.unwrap_or(character));
    }
    plain
}

/// See [`Scanner::tokens`]. Each character is looked at once, whatever the text.
#[derive(Debug)]
pub(super) struct Tokens<'t> {
    prefix: &'t memmem::Finder<'static>,
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Tokens<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        loop {
            let start = self.at + self.prefix.find(self.text.get(self.at..)?.as_bytes())?;
            let (before, open) = self.text.split_at_checked(start)?;
            let body = open.strip_prefix(PREFIX)?;
            self.at = start + PREFIX.len();
            if before.bytes().next_back().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
                continue;
            }
            let body = body.get(..body.find(ends_a_token).unwrap_or(body.len()))?;
            self.at += body.len();
            let kept = body.trim_end_matches(closes_a_phrase);
            if !kept.is_empty() {
                return open.get(..PREFIX.len() + kept.len());
            }
        }
    }
}

/// White space, quotes, brackets and the bar; beyond ASCII also dashes, other punctuation and symbols.
fn ends_a_token(character: char) -> bool {
    match character {
        '\t'..='\r' | ' ' | '`' | '"' | '\'' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '|' => true,
        _ => !character.is_ascii() && delimiters::holds(character),
    }
}

/// What is taken off the end of a token, so that a sentence, a list or emphasis may end in an id.
fn closes_a_phrase(character: char) -> bool {
    matches!(character, '.' | ',' | ';' | ':' | '!' | '?' | '*' | '_' | '~')
}

#[cfg(test)]
mod tests {
    use fancy_regex::Regex;
    use proptest::prelude::*;

    use super::*;

    fn tokens(text: &str) -> Vec<String> {
        let scanner = Scanner::new();
        let Some(plain) = scanner.plain(text) else { return Vec::new() };
        scanner.tokens(&plain).map(str::to_owned).collect()
    }

    /// The rule as the Protocol writes it down, in a regular expression.
    struct Reference {
        escape: Regex,
        token: Regex,
        closing: Regex,
    }

    impl Reference {
        fn new() -> Self {
            let new = |pattern: &str| Regex::new(pattern).unwrap();
            let ascii = r#"[^\p{White_Space}\P{ASCII}`"'()\[\]{}<>|]"#;
            let beyond = r"[^\p{ASCII}\p{White_Space}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}\p{S}\p{Z}]";
            Reference {
                escape: new(r##"\\([!-/:-@\[-`{-~])"##),
                token: new(&format!("(?<![A-Za-z0-9-])spec:(?:{ascii}|{beyond})*")),
                closing: new(r"[.,;:!?*_~]+$"),
            }
        }

        fn tokens(&self, text: &str) -> Vec<String> {
            let plain = self.escape.replace_all(text, "$1");
            let found = self.token.find_iter(&*plain).map(|found| found.unwrap().as_str());
            let body = |token: &str| self.closing.replace(token.strip_prefix("spec:").unwrap(), "").into_owned();
            found.map(body).filter(|body| !body.is_empty()).map(|body| format!("spec:{body}")).collect()
        }
    }

    #[test]
    fn a_token_ends_at_what_surrounds_an_id_in_prose() {
        for text in [
            "spec:a.b",
            "Read spec:a.b.",
            "spec:a.b, then",
            "spec:a.b: then",
            "(spec:a.b)",
            "**spec:a.b** and _spec_",
            "_spec:a.b_",
            "~~spec:a.b~~",
            "`spec:a.b`",
            "\"spec:a.b\"",
            "'spec:a.b'",
            "“spec:a.b”",
            "‘spec:a.b’",
            "[spec:a.b](x)",
            "| spec:a.b|",
            "<spec:a.b>",
            "{spec:a.b}",
            "spec:a.b—so",
            "spec:a.b–so",
            "spec:a.b…",
            "spec:a.b\\*",
            "spec\\:a\\.b",
            "spec:a.b\u{85}so",
            "spec:a.b\u{A0}so",
            "spec:a.b\u{2028}so",
            "spec:a.b\tso",
            "spec:a.b→so",
            "a spec:a.b?!;",
            "/spec:a.b",
            "éspec:a.b",
            ":spec:a.b",
            "_spec:a.b",
            "spec:<id> or spec: or spec:... or spec:a.b",
        ] {
            assert_eq!(tokens(text), ["spec:a.b"], "{text}");
        }
    }

    #[test]
    fn what_stays_in_a_token_is_never_cut_off() {
        let whole = [
            "spec:a.b_c",
            "spec:a.b/c",
            "spec:a.b,spec:c",
            "spec:a.b,c",
            "spec:a.bé",
            "spec:a.bo\u{308}",
            "spec:a.b\u{200B}c",
            "spec:a.b\u{FF3F}c",
            "spec:a.b\u{0}c",
            "spec:a.b\u{7F}c",
            "spec:a.b\u{80}c",
            "spec:a.b\u{FEFF}c",
            "spec:a#design.step-1",
            "spec:a#b#c",
            "spec:a\\b",
            "spec:decisions.*.x",
            "spec:spec:spec",
        ];
        for token in whole {
            assert_eq!(tokens(&format!("so {token} is")), [token]);
        }
        assert_eq!(tokens("spec:a#design. And spec:a\\_b"), ["spec:a#design", "spec:a_b"]);
        assert_eq!(tokens("spec:decisions.*"), ["spec:decisions"]);
    }

    #[test]
    fn a_letter_a_digit_or_a_dash_before_it_makes_another_word() {
        for text in
            ["xspec:a", "Zspec:a", "9spec:a", "-spec:a", "\\-spec:a", "aspec:", "spec", "Spec:a", "spec : a", ""]
        {
            assert_eq!(tokens(text), Vec::<String>::new(), "{text}");
        }
        assert_eq!(tokens("xspec:spec:a"), ["spec:a"]);
        assert_eq!(tokens("\\\\spec:a"), ["spec:a"]);
        assert_eq!(tokens("spec:a(spec:b"), ["spec:a", "spec:b"]);
    }

    #[test]
    fn a_token_as_long_as_its_text_is_read_once() {
        let text = "spec:".repeat(50_000);
        assert_eq!(tokens(&text), [&text[..text.len() - 1]]);
        assert_eq!(tokens(&"-spec:".repeat(50_000)).len(), 0);
        assert_eq!(tokens(&"spec: ".repeat(50_000)).len(), 0);
        assert_eq!(tokens(&"\\".repeat(100_000)).len(), 0);
    }

    #[test]
    fn the_table_is_what_the_regular_expression_says() {
        let class = Regex::new(r"^[\p{White_Space}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}\p{S}\p{Z}]$").unwrap();
        let mut buffer = [0; 4];
        for character in '\u{80}'..=char::MAX {
            let expected = class.is_match(character.encode_utf8(&mut buffer)).unwrap();
            let why = "run `cargo xtask delimiters`";
            assert_eq!(delimiters::holds(character), expected, "U+{:04X}: {why}", u32::from(character));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn the_rule_is_the_regular_expression(
            parts in prop::collection::vec(prop_oneof![
                4 => Just("spec:".to_owned()),
                1 => Just("spec".to_owned()),
                3 => "[a-z0-9A-Z.#_-]{1,3}",
                3 => "[!-/:-@\\[-`{-~]",
                1 => Just("\\".to_owned()),
                1 => "[ \t\n\u{b}\u{c}\r\u{0}\u{7f}\u{1c}]",
                2 => "[\u{80}-\u{ff}]",
                2 => "[\u{2000}-\u{303f}]",
                1 => any::<char>().prop_map(String::from),
            ], 0..14)
        ) {
            thread_local! { static REFERENCE: Reference = Reference::new(); }
            let text = parts.concat();
            prop_assert_eq!(tokens(&text), REFERENCE.with(|reference| reference.tokens(&text)), "{:?}", text);
        }
    }
}
