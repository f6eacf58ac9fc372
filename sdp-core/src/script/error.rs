//! What can go wrong with a body, as one type. Nothing here knows a command or an exit code: a surface puts its own
//! prefix in front of these texts.

use std::time::Duration;

/// Why a body gave no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// The body is no JavaScript async-function body. Line and column are 1-based in the caller's body, the column counts
    /// characters; the message is one line.
    #[error("the body does not parse at line {line}, column {column}: {message}")]
    Parse {
        /// The 1-based line.
        line: u32,
        /// The 1-based column, in characters.
        column: u32,
        /// What is wrong there, in one line.
        message: String,
    },
    /// The body threw, or the promise that it gave was rejected.
    #[error("{}", .0.message)]
    Thrown(Box<Thrown>),
    /// The body, or the rendering of what it returned, ran longer than it may.
    #[error("the body was stopped: it ran longer than {seconds} s")]
    Timeout {
        /// The limit, in seconds.
        seconds: f64,
    },
    /// The body, or the rendering of what it returned, wanted more memory than it may have.
    #[error("the body was stopped: it used more than {megabytes} MB of memory")]
    Memory {
        /// The limit, in units of 2^20 bytes.
        megabytes: u64,
    },
    /// The body waits for a promise that nothing will settle.
    #[error("the body never ends: it waits for a promise that nothing settles")]
    NeverSettled,
    /// The parameters are no JSON object. The body did not run.
    #[error("params must be one plain object, not {found}")]
    BadParameters {
        /// What was given, with its article.
        found: &'static str,
    },
    /// The returned value could not be rendered, or was not asked for in this form.
    #[error("{message}")]
    Render {
        /// Why.
        message: String,
    },
    /// The engine itself failed; never the body's fault.
    #[error("the body evaluator failed: {message}")]
    Engine {
        /// What it said.
        message: String,
    },
}

impl EvalError {
    pub(super) fn timeout(limit: Duration) -> Self {
        EvalError::Timeout { seconds: limit.as_secs_f64() }
    }

    pub(super) fn memory(bytes: u64) -> Self {
        EvalError::Memory { megabytes: bytes / (1024 * 1024) }
    }

    pub(super) fn engine(message: impl Into<String>) -> Self {
        EvalError::Engine { message: message.into() }
    }
}

/// What a body threw: an error's message, or the text of anything else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thrown {
    /// An error's `message`, else what `String()` gives for the value.
    pub message: String,
    /// An error's `name`.
    pub name: Option<String>,
    /// The 1-based line in the caller's body of the innermost frame that is the body's own.
    pub line: Option<u32>,
    /// The 1-based column in that line, in bytes as the engine counts.
    pub column: Option<u32>,
    /// The stack, one frame a line, innermost first; lines count in the body (or recipe) that a frame names.
    pub stack: Vec<String>,
    /// What to do about it, where that is known.
    pub hint: Option<&'static str>,
}

/// Why a returned value has no JSON text. The texts are the sink's (fact sheet table K), without its prefix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonError {
    /// A function.
    #[error("a function return value has no JSON form.")]
    Function,
    /// A symbol.
    #[error("a symbol return value has no JSON form.")]
    Symbol,
    /// `JSON.stringify` threw this message.
    #[error("the return value is not JSON-serializable ({0}).")]
    NotSerializable(String),
    /// `JSON.stringify` gave `undefined`.
    #[error("the return value has no JSON form.")]
    NoForm,
    /// The job did not ask for JSON.
    #[error("the return value was not rendered as JSON.")]
    NotAsked,
}
