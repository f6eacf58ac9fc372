//! Lines and tokens: a text comes in, its lines go out, each with the one kind of token that it can be. What may stand
//! where is the parser's business; nothing here looks at more than one line.

use crate::model::is_js_whitespace;

use super::syntax::{ParseError, Position, Tag};

/// The codes that a `# language:` line may name (`@cucumber/gherkin` 42.0.1).
const LANGUAGES: &str = "af am amh an ar ast az be bg bm bs ca cs cy-GB da de el em en en-Scouse en-au en-lol en-old \
    en-pirate en-tx eo es et fa fi fr ga gj gl he hi hr ht hu id is it ja jv ka kn ko lt lu lv mk-Cyrl mk-Latn ml mn mr ne \
    nl no pa pl pt ro ru sk sl sr-Cyrl sr-Latn sv ta te th tlh tr tt uk ur uz vi zh-CN zh-TW";

const STEPS: [&str; 6] = ["*", "Given", "When", "Then", "And", "But"];

const TITLES: [(&str, Kind); 11] = [
    ("Feature", Kind::FeatureLine),
    ("Business Need", Kind::FeatureLine),
    ("Ability", Kind::FeatureLine),
    ("Rule", Kind::RuleLine),
    ("Background", Kind::BackgroundLine),
    ("Example", Kind::ScenarioLine),
    ("Scenario", Kind::ScenarioLine),
    ("Scenario Outline", Kind::ScenarioLine),
    ("Scenario Template", Kind::ScenarioLine),
    ("Examples", Kind::ExamplesLine),
    ("Scenarios", Kind::ExamplesLine),
];

/// What a line can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Eof,
    Language,
    TableRow,
    DocStringSeparator,
    StepLine,
    TagLine,
    FeatureLine,
    BackgroundLine,
    ExamplesLine,
    ScenarioLine,
    RuleLine,
    Comment,
    Empty,
    Other,
}

impl Kind {
    /// All kinds, in the order in which the official parser lists what it expects.
    pub(super) const ALL: [Kind; 14] = [
        Kind::Eof,
        Kind::Language,
        Kind::TableRow,
        Kind::DocStringSeparator,
        Kind::StepLine,
        Kind::TagLine,
        Kind::FeatureLine,
        Kind::BackgroundLine,
        Kind::ExamplesLine,
        Kind::ScenarioLine,
        Kind::RuleLine,
        Kind::Comment,
        Kind::Empty,
        Kind::Other,
    ];

    /// The name that the official parser's messages use.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Kind::Eof => "#EOF",
            Kind::Language => "#Language",
            Kind::TableRow => "#TableRow",
            Kind::DocStringSeparator => "#DocStringSeparator",
            Kind::StepLine => "#StepLine",
            Kind::TagLine => "#TagLine",
            Kind::FeatureLine => "#FeatureLine",
            Kind::BackgroundLine => "#BackgroundLine",
            Kind::ExamplesLine => "#ExamplesLine",
            Kind::ScenarioLine => "#ScenarioLine",
            Kind::RuleLine => "#RuleLine",
            Kind::Comment => "#Comment",
            Kind::Empty => "#Empty",
            Kind::Other => "#Other",
        }
    }
}

/// One line, without its line end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// The 1-based line.
    pub(super) number: u32,
    /// The whole line.
    pub(super) raw: &'a str,
    /// The line without its indentation.
    pub(super) text: &'a str,
}

/// What a line is, with the parts of it that mean something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    /// The keyword of a title or step, or the marks of a doc string.
    pub(super) keyword: &'static str,
    /// The text behind the keyword.
    pub(super) rest: &'a str,
}

/// The lines of a text: a line ends at LF or CR LF; a lone CR is white space. A last line without text is none.
pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut number = 0u32;
    let mut pieces = text.split('\n').peekable();
    while let Some(piece) = pieces.next() {
        number = number.saturating_add(1);
        let raw = if pieces.peek().is_some() { piece.strip_suffix('\r').unwrap_or(piece) } else { piece };
        lines.push(Line { number, raw, text: raw.trim_start_matches(is_js_whitespace) });
    }
    if lines.last().is_some_and(|line| line.text.is_empty()) {
        lines.pop();
    }
    lines
}

impl<'a> Line<'a> {
    /// How many characters of white space it opens with.
    pub(super) fn indent(&self) -> usize {
        self.raw.get(..self.raw.len() - self.text.len()).unwrap_or_default().chars().count()
    }

    /// Where its text opens.
    pub(super) fn at(&self) -> Position {
        Position { line: self.number, column: number(self.indent() + 1) }
    }

    /// The line without that many characters of indentation, or without all of it where it has fewer.
    pub(super) fn without_indent(&self, indent: usize) -> &'a str {
        if indent > self.indent() {
            return self.text;
        }
        let mut characters = self.raw.chars();
        characters.by_ref().take(indent).for_each(drop);
        characters.as_str()
    }

    /// What the line is, wherever it stands. One that names a language is a comment here.
    pub(super) fn token(&self) -> Token<'a> {
        let text = self.text;
        let plain = |kind| Token { kind, keyword: "", rest: text };
        match text.as_bytes() {
            [] => return plain(Kind::Empty),
            [b'#', ..] => return plain(Kind::Comment),
            [b'@', ..] => return plain(Kind::TagLine),
            [b'|', ..] => return plain(Kind::TableRow),
            _ => {}
        }
        let behind = |kind, keyword, rest: &'a str| Token { kind, keyword, rest: trim(rest) };
        for marks in ["\"\"\"", "```"] {
            if let Some(rest) = text.strip_prefix(marks) {
                return behind(Kind::DocStringSeparator, marks, rest);
            }
        }
        for keyword in STEPS {
            if let Some(rest) = text.strip_prefix(keyword).and_then(|rest| rest.strip_prefix(' ')) {
                return behind(Kind::StepLine, keyword, rest);
            }
        }
        for (keyword, kind) in TITLES {
            if let Some(rest) = text.strip_prefix(keyword).and_then(|rest| rest.strip_prefix(':')) {
                return behind(kind, keyword, rest);
            }
        }
        plain(Kind::Other)
    }

    /// The code that a line such as `# language: fr` names.
    pub(super) fn language(&self) -> Option<&'a str> {
        let rest = trim(self.text.strip_prefix('#')?).strip_prefix("language")?;
        let name = trim(rest).strip_prefix(':').map(trim)?;
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_'));
        is_name.then_some(name)
    }

    /// The tags of a tag line. Refuses one that holds white space.
    pub(super) fn tags(&self) -> Result<Vec<Tag<'a>>, ParseError> {
        let text = without_comment(self.text);
        let mut column = self.indent() + 1;
        let mut tags = Vec::new();
        let mut start = 0;
        for piece in text.split('@') {
            let name = piece.trim_end_matches(is_js_whitespace);
            // The first piece stands before the first `@`, so every other one has an `@` before it.
            let at = start;
            start += piece.len() + 1;
            if name.is_empty() {
                continue;
            }
            if name.contains(is_js_whitespace) {
                return Err(ParseError::Syntax {
                    line: self.number,
                    column: number(column),
                    message: "A tag may not contain whitespace".to_owned(),
                });
            }
            let name = at.checked_sub(1).and_then(|at| text.get(at..at + 1 + name.len())).unwrap_or(name);
            tags.push(Tag { at: Position { line: self.number, column: number(column) }, name });
            column += piece.chars().count() + 1;
        }
        Ok(tags)
    }

    /// The cells of a table's row: what stands between two `|`; `\|`, `\\` and `\n` are escapes.
    pub(super) fn cells(&self) -> Vec<String> {
        let mut cells = Vec::new();
        let mut cell = None::<String>;
        let mut characters = self.text.chars();
        while let Some(character) = characters.next() {
            match (character, &mut cell) {
                ('|', open) => {
                    if let Some(cell) = open.replace(String::new()) {
                        cells.push(cell.trim_matches(is_cell_white).to_owned());
                    }
                }
                (_, None) => {}
                ('\\', Some(cell)) => match characters.next() {
                    Some('n') => cell.push('\n'),
                    Some(escaped @ ('|' | '\\')) => cell.push(escaped),
                    Some(other) => cell.extend(['\\', other]),
                    None => {}
                },
                (character, Some(cell)) => cell.push(character),
            }
        }
        cells
    }
}

/// Without the white space at both ends, as JavaScript trims.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(is_js_whitespace)
}

/// Whether a code is one of Gherkin's languages.
pub(super) fn is_language(code: &str) -> bool {
    LANGUAGES.split(' ').any(|language| language == code)
}

/// A count as a place holds it.
pub(super) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A tag line without its comment, which opens with white space and `#`.
fn without_comment(text: &str) -> &str {
    let mut after_white = None;
    for (at, character) in text.char_indices() {
        if let (Some(end), '#') = (after_white, character) {
            return text.get(..end).unwrap_or(text);
        }
        after_white = is_js_whitespace(character).then_some(at);
    }
    text
}

/// The white space around a cell's text. A line feed, which only an escape gives, is text.
fn is_cell_white(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\u{B}' | '\u{C}' | '\r' | '\u{85}' | '\u{A0}')
}
