//! The parameters of a body: the values of `--params` come in, one object goes out, or the first fault in one line. Only
//! keys at the top level are compared, an own `__proto__` is a key like any other, and nothing is read twice.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use sdp_canon::json::{self, DuplicateKeys, JsonError, JsonErrorKind, Limits};
use sdp_core::model::is_entry_key;
use sdp_core::{files, harmless};
use serde_json::{Map, Value};

/// The longest parameters of one input, in bytes.
const LIMIT: usize = 8 << 20;

/// What is wrong with the parameters. Its text is one line, and goes after the command's prefix.
#[derive(Debug)]
pub(crate) struct ParamsFault(String);

impl fmt::Display for ParamsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&harmless::one_line(&self.0))
    }
}

/// Reads every input in the order in which it was given and merges them; a key that two of them give is refused.
/// Paths are relative to `cwd`.
pub(crate) fn merge(inputs: &[String], cwd: &Path) -> Result<Map<String, Value>, ParamsFault> {
    let mut merged = Map::new();
    let mut sources: HashMap<String, Input<'_>> = HashMap::new();
    for text in inputs {
        let input = Input::of(text)?;
        for (key, value) in input.read(cwd)? {
            if let Some(earlier) = sources.insert(key.clone(), input) {
                let key = quoted(&key);
                return Err(ParamsFault(format!("--params gives the key {key} twice ({earlier}, {input}).")));
            }
            merged.insert(key, value);
        }
    }
    Ok(merged)
}

/// One value of `--params`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input<'a> {
    /// `{…}`
    Inline(&'a str),
    /// `@PATH`
    File(&'a str),
    /// `KEY=@PATH`
    Keyed(&'a str, &'a str),
}

impl fmt::Display for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Inline(_) => f.write_str("inline JSON"),
            Input::File(path) => write!(f, "file \"{path}\""),
            Input::Keyed(key, path) => write!(f, "{key}=@{path}"),
        }
    }
}

impl<'a> Input<'a> {
    /// Tells the forms apart. Inline JSON and `@PATH` come first, so that a text of theirs may hold `=@`.
    fn of(text: &'a str) -> Result<Self, ParamsFault> {
        if text.trim().is_empty() {
            return Err(ParamsFault("--params requires a JSON value or @PATH.".to_owned()));
        }
        if let Some(path) = text.strip_prefix('@') {
            return if path.is_empty() { Err(no_path("@PATH")) } else { Ok(Input::File(path)) };
        }
        let opens_json = text.trim_start().starts_with(['{', '[', '"']);
        match text.split_once("=@") {
            Some((key, path)) if !opens_json => {
                if !is_entry_key(key) {
                    return Err(ParamsFault(format!(
                        "--params KEY=@PATH takes a lower-camel key such as maxDepth, got {}.",
                        quoted(key)
                    )));
                }
                if path.is_empty() { Err(no_path("KEY=@PATH")) } else { Ok(Input::Keyed(key, path)) }
            }
            _ => Ok(Input::Inline(text)),
        }
    }

    fn read(self, cwd: &Path) -> Result<Map<String, Value>, ParamsFault> {
        match self {
            Input::Inline(text) => self.object(text),
            Input::File(path) => self.object(without_mark(&read_file(path, cwd)?)),
            Input::Keyed(key, path) => {
                let value = self.value(without_mark(&read_file(path, cwd)?))?;
                Ok(Map::from_iter([(key.to_owned(), value)]))
            }
        }
    }

    fn object(self, text: &str) -> Result<Map<String, Value>, ParamsFault> {
        match json::read(text, &limits()).map_err(|error| self.not_json(&error))? {
            Value::Object(object) => Ok(object),
            other => Err(ParamsFault(format!("{} is not a JSON object: it is {}.", self.subject(), kind_of(&other)))),
        }
    }

    /// A keyed file's value stands one level down in the parameters, where a key that is given twice is accepted. So it
    /// is read as the only element of an array; a text is one JSON value exactly if that array has one element.
    fn value(self, text: &str) -> Result<Value, ParamsFault> {
        let limits = Limits { max_bytes: LIMIT + 2, ..limits() };
        let inside = json::read(&format!("[{text}]"), &limits).map_err(|mut error| {
            if error.line == 1 {
                error.column = error.column.saturating_sub(1).max(1);
            }
            self.not_json(&error)
        })?;
        match inside {
            Value::Array(values) => <[Value; 1]>::try_from(values).map(|[value]| value),
            other => Err(vec![other]),
        }
        .map_err(|values| {
            let found = if values.is_empty() { "no value" } else { "several values" };
            ParamsFault(format!("{} is not valid JSON (it holds {found}).", self.subject()))
        })
    }

    fn not_json(self, error: &JsonError) -> ParamsFault {
        let subject = self.subject();
        ParamsFault(match &error.kind {
            JsonErrorKind::DuplicateKey(key) => {
                format!("{subject} gives the key {} twice (line {}, column {}).", quoted(key), error.line, error.column)
            }
            _ => format!("{subject} is not valid JSON ({error})."),
        })
    }

    fn subject(self) -> String {
        match self {
            Input::Inline(_) => "--params".to_owned(),
            Input::File(path) | Input::Keyed(_, path) => format!("--params file \"{path}\""),
        }
    }
}

fn limits() -> Limits {
    Limits { max_bytes: LIMIT, duplicate_keys: DuplicateKeys::RefuseTopLevel, ..Limits::default() }
}

fn no_path(form: &str) -> ParamsFault {
    ParamsFault(format!("--params {form} requires a path after @."))
}

fn read_file(path: &str, cwd: &Path) -> Result<String, ParamsFault> {
    files::read_text(&cwd.join(path), LIMIT as u64)
        .map_err(|reason| ParamsFault(format!("--params file \"{path}\" could not be read ({reason}).")))
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}

/// A key in quotes, cut after 60 characters.
fn quoted(key: &str) -> String {
    match key.char_indices().nth(60) {
        Some((end, _)) => format!("\"{}…\"", key.get(..end).unwrap_or_default()),
        None => format!("\"{key}\""),
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests;
