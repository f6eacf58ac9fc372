//! What a body returned, as plain text that outlives its engine.

use super::error::{EvalError, JsonError};

/// In which forms a job wants the returned value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// As `util.inspect` prints it.
    Inspect,
    /// As `JSON.stringify(value, undefined, 2)` writes it.
    Json,
    /// Both.
    Both,
}

impl Want {
    pub(super) const fn inspect(self) -> bool {
        matches!(self, Want::Inspect | Want::Both)
    }

    pub(super) const fn json(self) -> bool {
        matches!(self, Want::Json | Want::Both)
    }
}

/// Which of the two streams a console line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsoleStream {
    /// `console.log`, `info`, `debug` and their like.
    Out,
    /// `console.error`, `warn`, `trace` and a failed `assert`.
    Err,
}

/// What one console call printed; the text may hold several lines and has no newline at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsoleLine {
    /// Where it belongs.
    pub stream: ConsoleStream,
    /// What was printed.
    pub text: String,
}

/// What a body returned, and what it printed on the way.
#[derive(Clone, Debug)]
pub struct Answer {
    pub(super) undefined: bool,
    pub(super) inspected: Option<Result<String, EvalError>>,
    pub(super) json: Option<Result<String, JsonError>>,
    pub(super) console: Vec<ConsoleLine>,
}

impl Answer {
    /// Whether the body returned `undefined`, which is no answer.
    #[must_use]
    pub fn is_undefined(&self) -> bool {
        self.undefined
    }

    /// The value as bounded `util.inspect` prints it (newest sheet part 13).
    ///
    /// # Errors
    /// [`EvalError::Render`] when rendering threw, or when the job did not ask for this form.
    pub fn render(&self) -> Result<&str, EvalError> {
        match &self.inspected {
            Some(Ok(text)) => Ok(text),
            Some(Err(error)) => Err(error.clone()),
            None => Err(EvalError::Render { message: "the return value was not rendered as text".to_owned() }),
        }
    }

    /// The text that `JSON.stringify(value, undefined, 2)` gives.
    ///
    /// # Errors
    /// When the value has no such form, or the job did not ask for it.
    pub fn json_text(&self) -> Result<&str, JsonError> {
        match &self.json {
            Some(Ok(text)) => Ok(text),
            Some(Err(error)) => Err(error.clone()),
            None => Err(JsonError::NotAsked),
        }
    }

    /// The value as JSON data. A value that nests deeper than 127 levels, or a string with half a surrogate pair, is refused.
    ///
    /// # Errors
    /// As [`Answer::json_text`].
    pub fn to_json(&self) -> Result<serde_json::Value, JsonError> {
        serde_json::from_str(self.json_text()?).map_err(|error| JsonError::NotSerializable(error.to_string()))
    }

    /// What the body printed, in its order; empty where console output was passed on.
    #[must_use]
    pub fn console(&self) -> &[ConsoleLine] {
        &self.console
    }
}
