//! How a language writes comments and texts, as plain data: what tells a comment from code and from a string, and no more.
//! It is read by the scanner of comments and judges nothing.

/// The rules of one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Syntax<'a> {
    /// Comments that end with their line.
    pub(crate) line: &'a [Line<'a>],
    /// Comments that end with a token.
    pub(crate) block: &'a [Block<'a>],
    /// Texts in quotes.
    pub(crate) texts: &'a [Text<'a>],
    /// What plain tokens do not say.
    pub(crate) special: &'a [Special],
    /// Tokens that take the character behind them along, so that it opens nothing: `\` in a shell.
    pub(crate) skips: &'a [&'a str],
    /// What stands before the code, such as `<?` in PHP; empty where code opens the file.
    pub(crate) opens_behind: &'a str,
    /// What ends a line comment before its line does, such as `?>` in PHP; empty where nothing does.
    pub(crate) ends_line: &'a str,
}

/// A comment that ends with its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// What opens it.
    pub(crate) token: &'a str,
    /// Where it may stand.
    pub(crate) place: Place,
    /// Characters that make it something else when one follows the token.
    pub(crate) not_before: &'a str,
}

/// A comment that ends with a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block<'a> {
    /// What opens it.
    pub(crate) open: &'a str,
    /// What closes it.
    pub(crate) close: &'a str,
    /// Whether one in another one counts.
    pub(crate) nests: bool,
    /// Where both tokens may stand.
    pub(crate) place: Place,
}

/// A text in quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Text<'a> {
    /// What opens it.
    pub(crate) open: &'a str,
    /// What closes it; the end of the file where it is empty.
    pub(crate) close: &'a str,
    /// The character that takes the next one along.
    pub(crate) escape: Option<u8>,
    /// Whether it may hold line breaks. One that may not, and has no end on its line, is no text.
    pub(crate) spans_lines: bool,
    /// Where it may open.
    pub(crate) place: Place,
    /// Characters that keep a closing token from closing, and are taken along: the quote itself where it is doubled.
    pub(crate) not_before: &'a str,
    /// What opens code inside the text: `${`. Its last character is the bracket that closes it.
    pub(crate) hole: &'a str,
    /// Whether the end of the file closes it, too. Any other text without an end is none.
    pub(crate) may_stay_open: bool,
}

/// Where a token counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Everywhere in code.
    Anywhere,
    /// Behind white space or one of `;&|()`, or at the start.
    WordStart,
    /// Not behind a letter, digit or `_`.
    NotBehindWord,
    /// Where a value of YAML opens: behind `:`, `-`, `,`, `?` or a bracket, or as the first thing on its line.
    ValueStart,
    /// As the first thing on its line.
    FirstOnLine,
    /// In the first column.
    LineStart,
}

/// Forms that plain tokens do not describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    /// `'x'`: a character; any other `'` is no quote.
    Character,
    /// `#"…"#` with any number of `#` (Swift).
    Hashes,
    /// `R"x(…)x"` (C++).
    RawParentheses,
    /// `[[…]]` with any number of `=` between the brackets; a comment behind this token (Lua, CMake).
    LongBrackets(&'static str),
    /// `$x$…$x$` (SQL).
    DollarQuotes,
    /// `{x|…|x}` (OCaml).
    BraceBars,
    /// Three or more `"`, closed by as many (C#).
    ManyQuotes,
    /// A text in brackets or bars behind this sign and a letter: `%w[…]` (Ruby), `~r/…/` (Elixir).
    Sigil(u8),
    /// A text from the next line to one that repeats a word.
    Heredoc(Heredoc),
    /// `/…/` where no value stands before it.
    Regex,
    /// A text from the next line on, as long as lines are indented (YAML).
    Indented,
}

/// The sorts of heredocs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heredoc {
    /// `<<word`, `<<-word`; the word may be quoted and may stand behind spaces.
    Shell,
    /// `<<WORD`, `<<~word`, `<<-word`, `<<"word"`.
    Ruby,
    /// `<<<word`; closed by a line that opens with the word.
    Php,
}

/// Nothing but code.
pub(crate) const PLAIN: Syntax<'static> =
    Syntax { line: &[], block: &[], texts: &[], special: &[], skips: &[], opens_behind: "", ends_line: "" };

/// A line comment that may stand anywhere.
pub(crate) const fn line(token: &str) -> Line<'_> {
    Line { token, place: Place::Anywhere, not_before: "" }
}

/// A line comment that stands in certain places only.
pub(crate) const fn line_at(token: &str, place: Place) -> Line<'_> {
    Line { token, place, not_before: "" }
}

/// A block comment.
pub(crate) const fn block<'a>(open: &'a str, close: &'a str) -> Block<'a> {
    Block { open, close, nests: false, place: Place::Anywhere }
}

/// A block comment that may hold others.
pub(crate) const fn nested<'a>(open: &'a str, close: &'a str) -> Block<'a> {
    Block { open, close, nests: true, place: Place::Anywhere }
}

/// A block comment whose tokens stand in the first column.
pub(crate) const fn column_block<'a>(open: &'a str, close: &'a str) -> Block<'a> {
    Block { open, close, nests: false, place: Place::LineStart }
}

/// A text on one line, with `\` as its escape.
pub(crate) const fn text(quote: &str) -> Text<'_> {
    Text {
        open: quote,
        close: quote,
        escape: Some(b'\\'),
        spans_lines: false,
        place: Place::Anywhere,
        not_before: "",
        hole: "",
        may_stay_open: false,
    }
}

/// A text on one line without escapes; a doubled quote needs none, because what closes opens again.
pub(crate) const fn plain(quote: &str) -> Text<'_> {
    Text { escape: None, ..text(quote) }
}

/// A text that may span lines, with `\` as its escape.
pub(crate) const fn long(quote: &str) -> Text<'_> {
    Text { spans_lines: true, ..text(quote) }
}

/// A text that may span lines, without escapes.
pub(crate) const fn raw<'a>(open: &'a str, close: &'a str) -> Text<'a> {
    Text { close, escape: None, spans_lines: true, ..text(open) }
}

/// The same text where the end of the file closes it.
pub(crate) const fn open_ended(text: Text<'_>) -> Text<'_> {
    Text { may_stay_open: true, ..text }
}

/// The same text where its opening token stands behind no word: `r"`.
pub(crate) const fn prefixed(text: Text<'_>) -> Text<'_> {
    Text { place: Place::NotBehindWord, ..text }
}

/// The same text with holes for code.
pub(crate) const fn with_hole<'a>(text: Text<'a>, hole: &'a str) -> Text<'a> {
    Text { hole, ..text }
}
