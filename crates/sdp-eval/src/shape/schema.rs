//! The JSON Schema of an artifact. Types come in; one document of draft 2020-12 goes out, in which a named type stands once.

use serde_json::{Map, Value, json};

use super::Shape;

/// The named types that a schema has met so far.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    named: Map<String, Value>,
}

impl Definitions {
    /// The schema of `T` at a place where it is used: a reference where it has a name.
    pub(crate) fn of<T: Shape>(&mut self) -> Value {
        let Some(name) = T::NAME else {
            return T::schema(self);
        };
        if !self.named.contains_key(name) {
            // The name stands before its schema does, so that a type may hold itself.
            self.named.insert(name.to_owned(), Value::Null);
            let schema = T::schema(self);
            self.named.insert(name.to_owned(), schema);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }

    /// `T` or null.
    pub(crate) fn nullable<T: Shape>(&mut self) -> Value {
        json!({ "anyOf": [self.of::<T>(), { "type": "null" }] })
    }
}

/// The whole schema of an artifact that is a `T`.
pub(crate) fn document<T: Shape>(id: &str) -> Value {
    let mut definitions = Definitions::default();
    let Value::Object(root) = T::schema(&mut definitions) else {
        return Value::Null;
    };
    let mut document = Map::new();
    document.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    document.insert("$id".to_owned(), json!(id));
    document.extend(root);
    if !definitions.named.is_empty() {
        document.insert("$defs".to_owned(), Value::Object(definitions.named));
    }
    Value::Object(document)
}

/// Gives a schema its description; a reference keeps its own beside it, as draft 2020-12 allows.
pub(crate) fn described(schema: Value, lines: &[&str]) -> Value {
    let text = lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    match schema {
        Value::Object(mut members) if !text.is_empty() => {
            members.insert("description".to_owned(), Value::String(text));
            Value::Object(members)
        }
        schema => schema,
    }
}
