//! How a value of an artifact is read from JSON and described to others. A JSON value comes in; a typed value, or what is wrong
//! with it at which pointer, goes out; and of the same declaration comes the JSON Schema. So neither can say what the other
//! does not.

use serde_json::{Map, Value, json};

mod declare;
mod issues;
mod primitives;
mod schema;

pub(crate) use declare::{by_keys, deserialize, keyed, object, tagged, text, words};
pub(crate) use issues::Place;
pub use issues::{Issue, Issues};
pub(crate) use primitives::safe_integer;
pub use primitives::{AtLeast, Count, Integer, Level, MAX_SAFE_INTEGER, NonEmpty, Positive};
pub(crate) use schema::{Definitions, described, document};

/// A type that artifacts are made of.
pub(crate) trait Shape: Sized {
    /// The name under which the schema keeps it, where it has one. A type that holds itself must have one.
    const NAME: Option<&'static str> = None;

    /// Reads a value; adds what is wrong to `issues` and then gives nothing.
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self>;

    /// Its schema, written in place.
    fn schema(definitions: &mut Definitions) -> Value;

    /// What must stand there, for a message; fields are named and not entered.
    fn wants() -> String;
}

/// A type that is read from the members of an object, of which one may be a tag that is read before.
pub(crate) trait Members: Sized {
    /// The keys that the object has.
    const KEYS: &'static [&'static str];

    /// Reads the members; `tag` is a key that belongs to somebody else.
    fn read_members(
        members: &Map<String, Value>,
        tag: Option<&'static str>,
        place: &Place<'_>,
        issues: &mut Issues,
    ) -> Option<Self>;

    /// The schemas of the members, by key.
    fn properties(definitions: &mut Definitions) -> Vec<(&'static str, Value)>;
}

/// The object of a `T` that `value` must be.
pub(crate) fn object_of<'v, T: Shape>(
    value: &'v Value,
    place: &Place<'_>,
    issues: &mut Issues,
) -> Option<&'v Map<String, Value>> {
    let members = value.as_object();
    if members.is_none() {
        issues.expected(T::wants, value, place);
    }
    members
}

/// An object with these fields, for a message.
pub(crate) fn fields(keys: &[&str]) -> String {
    match keys {
        [] => "an object without fields".to_owned(),
        keys => format!("an object with {}", keys.join(", ")),
    }
}

/// Adds an issue for every key that is not among `keys`, nor the tag.
pub(crate) fn refuse_others(
    members: &Map<String, Value>,
    keys: &[&str],
    tag: Option<&str>,
    place: &Place<'_>,
    issues: &mut Issues,
) -> bool {
    let mut fine = true;
    for key in members.keys() {
        if !keys.contains(&key.as_str()) && tag != Some(key) {
            issues.add_with(&place.key(key), || {
                let known: Vec<&str> = tag.into_iter().chain(keys.iter().copied()).collect();
                format!("is not a field here, only {}", known.join(", "))
            });
            fine = false;
        }
    }
    fine
}

/// Reads one member, which must be there.
pub(crate) fn member<T: Shape>(
    members: &Map<String, Value>,
    key: &'static str,
    place: &Place<'_>,
    issues: &mut Issues,
) -> Option<T> {
    let place = place.key(key);
    match members.get(key) {
        Some(value) => T::read(value, &place, issues),
        None => {
            issues.add_with(&place, || format!("is required: {}", T::wants()));
            None
        }
    }
}

/// The schema of an object with exactly these members, all required.
pub(crate) fn object_schema(properties: Vec<(&'static str, Value)>) -> Value {
    let required: Vec<&str> = properties.iter().map(|(key, _)| *key).collect();
    let properties: Map<String, Value> = properties.into_iter().map(|(key, schema)| (key.to_owned(), schema)).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// The schema of one alternative of a tagged union.
pub(crate) fn tagged_schema(tag: &'static str, word: &str, mut properties: Vec<(&'static str, Value)>) -> Value {
    properties.insert(0, (tag, json!({ "type": "string", "const": word })));
    object_schema(properties)
}

/// The word that the tag of a union has, and the object; an issue where it is not one of `words`.
pub(crate) fn tag_of<'v, T: Shape>(
    value: &'v Value,
    tag: &'static str,
    words: &[&str],
    place: &Place<'_>,
    issues: &mut Issues,
) -> Option<(&'v str, &'v Map<String, Value>)> {
    let members = object_of::<T>(value, place, issues)?;
    let place = place.key(tag);
    match members.get(tag) {
        Some(Value::String(word)) if words.contains(&word.as_str()) => Some((word, members)),
        Some(_) => {
            issues.add_with(&place, || format!("must be one of {}", words.join(", ")));
            None
        }
        None => {
            issues.add_with(&place, || format!("is required: one of {}", words.join(", ")));
            None
        }
    }
}

/// Reads a value that has no place in a document of its own.
pub(crate) fn from_value<T: Shape>(value: &Value) -> Result<T, Issues> {
    let mut issues = Issues::default();
    match T::read(value, &Place::Root, &mut issues) {
        Some(read) if issues.is_empty() => Ok(read),
        _ => Err(issues),
    }
}
