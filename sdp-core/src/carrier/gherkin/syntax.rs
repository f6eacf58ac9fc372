//! The syntax tree of a Gherkin text: what [`parse`] gives, with the place of each part. It borrows the text, holds
//! whatever the language allows, and knows nothing of Specs; what of it a carrier may hold stands in `grammar`.

use thiserror::Error;

pub use super::parser::parse;

/// Where something opens: 1-based line, 1-based column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A whole text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GherkinDocument<'a> {
    /// The Feature; a text of comments and empty lines has none.
    pub feature: Option<Feature<'a>>,
    /// Every comment line outside doc strings, in order. The line that names the language is none.
    pub comments: Vec<TextLine<'a>>,
}

/// A line that is kept as it stands, with the white space at both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextLine<'a> {
    /// Its first character that is no white space.
    pub at: Position,
    /// The whole line.
    pub text: &'a str,
}

/// One tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// Its `@`.
    pub at: Position,
    /// The tag with its `@`.
    pub name: &'a str,
}

/// `Feature:` and all that it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature<'a> {
    /// The keyword.
    pub at: Position,
    /// `Feature`, `Business Need` or `Ability`.
    pub keyword: &'static str,
    /// The text behind the keyword's colon.
    pub name: &'a str,
    /// The tags above it.
    pub tags: Vec<Tag<'a>>,
    /// The text below it, from its first line to its last one with text; empty lines stand between, comments do not.
    pub description: Vec<TextLine<'a>>,
    /// Its `Background:`.
    pub background: Option<Background<'a>>,
    /// Its Scenarios outside Rules.
    pub scenarios: Vec<Scenario<'a>>,
    /// Its Rules, which stand behind its Scenarios.
    pub rules: Vec<Rule<'a>>,
}

/// `Background:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Background<'a> {
    /// The keyword.
    pub at: Position,
    /// The text behind the keyword's colon.
    pub name: &'a str,
    /// The text below it.
    pub description: Vec<TextLine<'a>>,
    /// Its steps.
    pub steps: Vec<Step<'a>>,
}

/// `Rule:` and the Scenarios behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule<'a> {
    /// The keyword.
    pub at: Position,
    /// The text behind the keyword's colon.
    pub name: &'a str,
    /// The tags above it.
    pub tags: Vec<Tag<'a>>,
    /// The text below it.
    pub description: Vec<TextLine<'a>>,
    /// Its `Background:`.
    pub background: Option<Background<'a>>,
    /// Its Scenarios.
    pub scenarios: Vec<Scenario<'a>>,
}

/// `Scenario:` and its siblings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario<'a> {
    /// The keyword.
    pub at: Position,
    /// `Scenario`, `Example`, `Scenario Outline` or `Scenario Template`.
    pub keyword: &'static str,
    /// The text behind the keyword's colon.
    pub name: &'a str,
    /// The tags above it.
    pub tags: Vec<Tag<'a>>,
    /// The text below it.
    pub description: Vec<TextLine<'a>>,
    /// Its steps.
    pub steps: Vec<Step<'a>>,
    /// Its `Examples:` blocks.
    pub examples: Vec<Examples<'a>>,
}

/// `Examples:` with its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examples<'a> {
    /// The keyword.
    pub at: Position,
    /// `Examples` or `Scenarios`.
    pub keyword: &'static str,
    /// The text behind the keyword's colon.
    pub name: &'a str,
    /// The tags above it.
    pub tags: Vec<Tag<'a>>,
    /// The text below it.
    pub description: Vec<TextLine<'a>>,
    /// The table, its header first; all rows have as many cells.
    pub rows: Vec<Row>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// The keyword.
    pub at: Position,
    /// `Given`, `When`, `Then`, `And`, `But` or `*`.
    pub keyword: &'static str,
    /// The text behind the keyword.
    pub text: &'a str,
    /// Its data table; all rows have as many cells.
    pub table: Vec<Row>,
    /// Its doc string.
    pub doc_string: Option<DocString<'a>>,
}

/// One row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The first `|`.
    pub at: Position,
    /// The cells, without the white space around them and with their escapes resolved.
    pub cells: Vec<String>,
}

/// A doc string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocString<'a> {
    /// The line that opens it.
    pub at: Position,
    /// The text behind the opening marks.
    pub media_type: &'a str,
    /// The lines without the opening line's indentation, joined by line feeds.
    pub content: String,
}

/// Why a text is not read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// It is no Gherkin. Shown as the official parser words its first error.
    #[error("({line}:{column}): {message}")]
    Syntax {
        /// The 1-based line; one past the last line where the text ends too early.
        line: u32,
        /// The 1-based column in characters; 0 where the text ends too early.
        column: u32,
        /// What is wrong.
        message: String,
    },
    /// Its `# language:` line names a language of Gherkin's other than English, whose keywords are not known here.
    #[error("the language {name:?} is not read")]
    Language {
        /// The line that names it.
        line: u32,
        /// Its code, such as `fr`.
        name: String,
    },
}
