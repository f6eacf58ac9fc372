//! The parameters of a body: inputs come in one after the other, one object goes out, or the first fault. Only keys at the top
//! level are compared, an own `__proto__` is a key like any other, and nothing is read twice. `q --params`, `recipes run` and
//! the rules of a configuration merge here; each words its faults itself.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use sdp_canon::json::{self, DuplicateKeys, JsonError, JsonErrorKind, Limits};
use serde_json::{Map, Value};

use crate::files;
use crate::model::is_entry_key;

/// The longest parameters of one input, in bytes.
const LIMIT: usize = 8 << 20;

/// One input.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// JSON text: `{…}`.
    Inline(String),
    /// An object that was read elsewhere, such as a table of a configuration.
    Table(Map<String, Value>),
    /// `@PATH`: a file that holds an object.
    File(String),
    /// `KEY=@PATH`: a key, and a file that holds its value.
    Keyed(String, String),
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Inline(_) => f.write_str("inline JSON"),
            Input::Table(_) => f.write_str("the table"),
            Input::File(path) => write!(f, "file \"{path}\""),
            Input::Keyed(key, path) => write!(f, "{key}=@{path}"),
        }
    }
}

impl Input {
    /// Tells the forms of a text apart. Inline JSON and `@PATH` come first, so that a text of theirs may hold `=@`.
    ///
    /// # Errors
    /// A text that is empty, a path that is missing, and a key that is not lower camel.
    pub fn of(text: &str) -> Result<Self, Fault> {
        if text.trim().is_empty() {
            return Err(Fault::NoValue);
        }
        if let Some(path) = text.strip_prefix('@') {
            return if path.is_empty() { Err(Fault::NoPath("@PATH")) } else { Ok(Input::File(path.to_owned())) };
        }
        let opens_json = text.trim_start().starts_with(['{', '[', '"']);
        match text.split_once("=@") {
            Some((key, path)) if !opens_json => {
                if !is_entry_key(key) {
                    return Err(Fault::NoKey(key.to_owned()));
                }
                if path.is_empty() {
                    Err(Fault::NoPath("KEY=@PATH"))
                } else {
                    Ok(Input::Keyed(key.to_owned(), path.to_owned()))
                }
            }
            _ => Ok(Input::Inline(text.to_owned())),
        }
    }

    /// The file that it names.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        match self {
            Input::Inline(_) | Input::Table(_) => None,
            Input::File(path) | Input::Keyed(_, path) => Some(path),
        }
    }

    fn read(self, folder: &Path) -> Result<Map<String, Value>, Fault> {
        match self {
            Input::Table(table) => Ok(table),
            Input::Inline(text) => object(&text, None),
            Input::File(path) => object(without_mark(&read_file(&path, folder)?), Some(&path)),
            Input::Keyed(key, path) => {
                let value = value(without_mark(&read_file(&path, folder)?), &path)?;
                Ok(Map::from_iter([(key, value)]))
            }
        }
    }
}

/// Inputs that are merged in the order in which they are added.
#[derive(Debug)]
pub struct Merge<'f> {
    /// What paths are relative to.
    folder: &'f Path,
    merged: Map<String, Value>,
    /// The input that gives each key, by its position in `names`.
    sources: HashMap<String, usize>,
    names: Vec<String>,
}

impl<'f> Merge<'f> {
    /// Nothing yet; paths are relative to a folder.
    #[must_use]
    pub fn new(folder: &'f Path) -> Self {
        Merge { folder, merged: Map::new(), sources: HashMap::new(), names: Vec::new() }
    }

    /// Reads one more input, under the name that faults give it.
    ///
    /// # Errors
    /// [`Fault`]; a key that an earlier input gives is one.
    pub fn add(&mut self, input: Input, name: String) -> Result<(), Fault> {
        let position = self.names.len();
        let object = input.read(self.folder)?;
        for (key, value) in object {
            if let Some(earlier) = self.sources.insert(key.clone(), position) {
                let first = self.names.get(earlier).cloned().unwrap_or_default();
                return Err(Fault::Twice { key, first, second: name });
            }
            self.merged.insert(key, value);
        }
        self.names.push(name);
        Ok(())
    }

    /// The merged object.
    #[must_use]
    pub fn finish(self) -> Map<String, Value> {
        self.merged
    }
}

/// What is wrong with parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A text that is empty.
    NoValue,
    /// A form, without the path that it takes.
    NoPath(&'static str),
    /// A key that is not lower camel.
    NoKey(String),
    /// Two inputs give one key.
    Twice {
        /// The key.
        key: String,
        /// The name of the one input.
        first: String,
        /// The name of the other.
        second: String,
    },
    /// One input gives a key twice.
    TwiceInOne {
        /// The file; none for inline JSON.
        file: Option<String>,
        /// The key.
        key: String,
        /// The 1-based line and column.
        place: (u32, u32),
    },
    /// A text that is no JSON.
    NotJson {
        /// The file; none for inline JSON.
        file: Option<String>,
        /// What is wrong with it.
        why: String,
        /// The 1-based line and column, where they are known.
        place: Option<(u32, u32)>,
    },
    /// JSON that is no object.
    NoObject {
        /// The file; none for inline JSON.
        file: Option<String>,
        /// What it is, with its article.
        found: &'static str,
    },
    /// A file that cannot be read.
    Unread {
        /// The file.
        file: String,
        /// What the system says.
        reason: String,
    },
}

/// How a surface calls parameters, and files that hold them.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// Parameters.
    pub params: &'static str,
    /// A file, before its quoted path.
    pub file: &'static str,
}

impl Fault {
    /// The fault in the words of a surface: one line as long as paths and keys are lines, without a full stop.
    #[must_use]
    pub fn told(&self, words: Words) -> String {
        let Words { params, .. } = words;
        let subject = |file: &Option<String>| match file {
            None => params.to_owned(),
            Some(path) => format!("{} \"{path}\"", words.file),
        };
        match self {
            Fault::NoValue => format!("{params} requires a JSON value or @PATH"),
            Fault::NoPath(form) => format!("{params} {form} requires a path after @"),
            Fault::NoKey(key) => {
                format!("{params} KEY=@PATH takes a lower-camel key such as maxDepth, got {}", quoted(key))
            }
            Fault::Twice { key, first, second } => {
                format!("{params} gives the key {} twice ({first}, {second})", quoted(key))
            }
            Fault::TwiceInOne { file, key, place: (line, column) } => {
                format!("{} gives the key {} twice (line {line}, column {column})", subject(file), quoted(key))
            }
            Fault::NotJson { file, why, .. } => format!("{} is not valid JSON ({why})", subject(file)),
            Fault::NoObject { file, found } => format!("{} is not a JSON object: it is {found}", subject(file)),
            Fault::Unread { file, reason } => format!("{} \"{file}\" could not be read ({reason})", words.file),
        }
    }

    /// The file that is to be mended, with the 1-based line and column where they are known.
    #[must_use]
    pub fn place(&self) -> Option<(&str, Option<(u32, u32)>)> {
        match self {
            Fault::TwiceInOne { file: Some(file), place, .. } => Some((file, Some(*place))),
            Fault::NotJson { file: Some(file), place, .. } => Some((file, *place)),
            Fault::NoObject { file: Some(file), .. } => Some((file, Some((1, 1)))),
            _ => None,
        }
    }
}

fn object(text: &str, file: Option<&str>) -> Result<Map<String, Value>, Fault> {
    match json::read(text, &limits()).map_err(|error| not_json(error, file))? {
        Value::Object(object) => Ok(object),
        other => Err(Fault::NoObject { file: file.map(str::to_owned), found: kind_of(&other) }),
    }
}

/// A keyed file's value stands one level down in the parameters, where a key that is given twice is accepted. So it
/// is read as the only element of an array; a text is one JSON value exactly if that array has one element.
fn value(text: &str, file: &str) -> Result<Value, Fault> {
    let limits = Limits { max_bytes: LIMIT + 2, ..limits() };
    let inside = json::read(&format!("[{text}]"), &limits).map_err(|mut error| {
        if error.line == 1 {
            error.column = error.column.saturating_sub(1).max(1);
        }
        not_json(error, Some(file))
    })?;
    match inside {
        Value::Array(values) => <[Value; 1]>::try_from(values).map(|[value]| value),
        other => Err(vec![other]),
    }
    .map_err(|values| {
        let found = if values.is_empty() { "no value" } else { "several values" };
        Fault::NotJson { file: Some(file.to_owned()), why: format!("it holds {found}"), place: None }
    })
}

fn not_json(error: JsonError, file: Option<&str>) -> Fault {
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let place = (number(error.line), number(error.column));
    let file = file.map(str::to_owned);
    match &error.kind {
        JsonErrorKind::DuplicateKey(key) => Fault::TwiceInOne { file, key: key.clone(), place },
        _ => Fault::NotJson { file, why: error.to_string(), place: Some(place) },
    }
}

fn limits() -> Limits {
    Limits { max_bytes: LIMIT, duplicate_keys: DuplicateKeys::RefuseTopLevel, ..Limits::default() }
}

fn read_file(path: &str, folder: &Path) -> Result<String, Fault> {
    files::read_text(&folder.join(path), LIMIT as u64)
        .map_err(|reason| Fault::Unread { file: path.to_owned(), reason: reason.to_string() })
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
