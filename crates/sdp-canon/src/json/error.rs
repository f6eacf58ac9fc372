//! What the JSON reader refuses, and where. A fault with its byte offset comes in; an error with line and column goes out.
//! Its text never repeats more than a short, escaped piece of the input.

/// A fault as the parser sees it: what, and at which byte.
pub(super) struct Fault {
    pub(super) offset: usize,
    pub(super) kind: JsonErrorKind,
}

/// A refusal of [`read`](super::read), with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} at line {line}, column {column}")]
pub struct JsonError {
    /// What is refused.
    pub kind: JsonErrorKind,
    /// The place in bytes from the start of the text; the length of the text where it ends too early.
    pub offset: usize,
    /// The line, from 1. A line ends with `\n`.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

impl JsonError {
    /// Adds line and column, which only a refused text needs.
    pub(super) fn locate(text: &str, fault: Fault) -> Self {
        let before = text.get(..fault.offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            kind: fault.kind,
            offset: fault.offset,
            line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: before.get(line_start..).map_or(0, |line| line.chars().count()) + 1,
        }
    }
}

/// What the JSON reader refuses. The text of a kind names no place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// The text has more bytes than the limit, which is given here. The place is where the limit cuts.
    #[error("longer than {0} bytes")]
    TooLong(usize),
    /// The text starts with U+FEFF.
    #[error("a byte order mark before the value")]
    ByteOrderMark,
    /// Neither a literal, a number, a string, an array nor an object starts here.
    #[error("expected a value")]
    ExpectedValue,
    /// No string starts here, and an object's key must.
    #[error("expected a key in double quotes")]
    ExpectedKey,
    /// A key is followed by something else than a colon.
    #[error("expected `:` after the key")]
    ExpectedColon,
    /// An array's value is followed by something else.
    #[error("expected `,` or `]`")]
    ExpectedCommaOrBracket,
    /// An object's value is followed by something else.
    #[error("expected `,` or `}}`")]
    ExpectedCommaOrBrace,
    /// An object gives this key (unescaped) a second time. The place is the second one.
    #[error("the key {} is given twice", quoted(.0))]
    DuplicateKey(String),
    /// A number breaks off or goes on where JSON does not allow it: `01`, `-`, `1.`, `1e`.
    #[error("not a JSON number")]
    InvalidNumber,
    /// A number is too large for an `f64`.
    #[error("a number without a finite value")]
    NotFinite,
    /// A backslash is followed by a character that is no escape.
    #[error("an unknown escape")]
    UnknownEscape,
    /// `\u` is followed by something else than four hexadecimal digits.
    #[error("`\\u` without four hexadecimal digits")]
    InvalidUnicodeEscape,
    /// An escape is one half of a surrogate pair, and the other half does not stand beside it.
    #[error("a lone surrogate")]
    LoneSurrogate,
    /// A character below U+0020 stands unescaped in a string.
    #[error("an unescaped control character in a string")]
    ControlCharacter,
    /// An array or object opens beyond the limit, which is given here in levels.
    #[error("nested deeper than {0} levels")]
    TooDeep(usize),
    /// Something else than white space follows the value.
    #[error("text after the value")]
    TrailingText,
    /// A string is not closed.
    #[error("the text ends inside a string")]
    EndInString,
    /// An array is not closed.
    #[error("the text ends inside an array")]
    EndInArray,
    /// An object is not closed.
    #[error("the text ends inside an object")]
    EndInObject,
}

impl JsonErrorKind {
    /// Whether the text is well-formed JSON up to here, but what it says is no value that everybody reads alike: a key
    /// given twice, a lone surrogate, a number that is not finite, or nesting beyond the limit. All other kinds are
    /// faults of the syntax, but for [`TooLong`](Self::TooLong), which is one of the text as a whole.
    ///
    /// Only the first fault of a text is known: after a fault of the domain the syntax may be broken too.
    #[must_use]
    pub fn is_domain(&self) -> bool {
        match self {
            Self::DuplicateKey(_) | Self::LoneSurrogate | Self::NotFinite | Self::TooDeep(_) => true,
            Self::TooLong(_)
            | Self::ByteOrderMark
            | Self::ExpectedValue
            | Self::ExpectedKey
            | Self::ExpectedColon
            | Self::ExpectedCommaOrBracket
            | Self::ExpectedCommaOrBrace
            | Self::InvalidNumber
            | Self::UnknownEscape
            | Self::InvalidUnicodeEscape
            | Self::ControlCharacter
            | Self::TrailingText
            | Self::EndInString
            | Self::EndInArray
            | Self::EndInObject => false,
        }
    }
}

/// The key in quotes, escaped so that it stays on one line, and cut after 60 characters.
fn quoted(key: &str) -> String {
    const SHOWN: usize = 60;
    match key.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", key.get(..end).unwrap_or_default()),
        None => format!("{key:?}"),
    }
}
