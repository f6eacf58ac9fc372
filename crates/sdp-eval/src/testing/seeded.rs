//! Seeded changes of documents. A document and a seed come in; the same changed document goes out each time.

use serde_json::{Value, json};

use crate::contract::escaped;

/// Some digest.
pub(crate) const DIGEST: &str = "sha256:0f0e0d0c0b0a09080706050403020100f0e0d0c0b0a0908070605040302010ff";

/// Numbers that look random and are the same each time.
pub(crate) struct Seeded(pub(crate) u64);

impl Seeded {
    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

/// The pointers of all values of a document, itself first.
pub(crate) fn places(value: &Value, pointer: &str, into: &mut Vec<String>) {
    into.push(pointer.to_owned());
    match value {
        Value::Object(members) => members.iter().for_each(|(key, of)| {
            places(of, &format!("{pointer}/{}", escaped(key)), into);
        }),
        Value::Array(elements) => {
            elements.iter().enumerate().for_each(|(index, of)| places(of, &format!("{pointer}/{index}"), into));
        }
        _ => {}
    }
}

/// Changes a document in one place.
pub(crate) fn mutate(document: &mut Value, seeded: &mut Seeded) {
    let mut pointers = Vec::new();
    places(document, "", &mut pointers);
    let value = document.pointer_mut(&pointers[seeded.below(pointers.len())]).unwrap();
    let others = [
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(-1),
        json!(2.0),
        json!(1.5),
        json!(9_007_199_254_740_991_i64),
        json!(""),
        json!("x"),
        json!("O-12"),
        json!("B-1234"),
        json!("a-b"),
        json!("A-"),
        json!("api"),
        json!("0.50"),
        json!("00"),
        json!([]),
        json!({}),
        json!([[]]),
        json!(["x"]),
        json!(DIGEST),
        json!("sha256:0"),
        json!({ "kind": "x" }),
    ];
    match (seeded.below(3), value) {
        (0, Value::Object(members)) if !members.is_empty() => {
            let key = members.keys().nth(seeded.below(members.len())).unwrap().clone();
            members.shift_remove(&key);
        }
        (1, Value::Object(members)) => {
            members.insert(
                ["x", "schemaVersion", "note", "path"][seeded.below(4)].to_owned(),
                others[seeded.below(others.len())].clone(),
            );
        }
        (0, Value::Array(elements)) => elements.clear(),
        (1, Value::Array(elements)) => elements.push(elements.first().cloned().unwrap_or(Value::Null)),
        (0, Value::String(text)) => drop(text.pop()),
        (1, Value::String(text)) => text.push(['0', 'f', 'G', '-', '.', '\n', 'é', ' '][seeded.below(8)]),
        (_, value) => *value = others[seeded.below(others.len())].clone(),
    }
}
