//! The plain types of artifacts: numbers, lists, maps and JSON values, with the bounds that their schemas state.

use std::collections::BTreeMap;
use std::ops::Deref;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Definitions, Issues, Place, Shape, object_of, text};

/// The largest integer that a binary64 tells apart from its neighbours.
pub const MAX_SAFE_INTEGER: i64 = sdp_canon::canonical::MAX_SAFE_INTEGER.cast_signed();

/// A safe integer from `MIN` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Integer<const MIN: i64>(i64);

/// A number of things.
pub type Count = Integer<0>;
/// A number of things, of which there is at least one.
pub type Positive = Integer<1>;
/// An ordinal of any sign.
pub type Level = Integer<{ -MAX_SAFE_INTEGER }>;

impl<const MIN: i64> Integer<MIN> {
    /// The integer, where it is a safe one from `MIN` on.
    #[must_use]
    pub const fn new(integer: i64) -> Option<Self> {
        if integer >= MIN && integer <= MAX_SAFE_INTEGER { Some(Self(integer)) } else { None }
    }

    /// The integer.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

/// The integer that a JSON number is, whatever its spelling: `7`, `7.0` and `70e-1` are one.
pub(crate) fn safe_integer(value: &Value) -> Option<i64> {
    let Value::Number(number) = value else { return None };
    if let Some(integer) = number.as_i64() {
        return (-MAX_SAFE_INTEGER..=MAX_SAFE_INTEGER).contains(&integer).then_some(integer);
    }
    let float = number.as_f64()?;
    #[expect(clippy::cast_precision_loss, reason = "the bound is exact in binary64")]
    let bound = MAX_SAFE_INTEGER as f64;
    #[expect(clippy::cast_possible_truncation, reason = "an integer within the bound fits")]
    (float.fract() == 0.0 && float.abs() <= bound).then_some(float as i64)
}

impl<const MIN: i64> Shape for Integer<MIN> {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        let integer = safe_integer(value).and_then(Self::new);
        if integer.is_none() {
            match value {
                Value::Number(_) => {
                    issues.add_with(place, || format!("expected an integer from {MIN} to {MAX_SAFE_INTEGER}"))
                }
                _ => issues.expected(Self::wants, value, place),
            }
        }
        integer
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "integer", "minimum": MIN, "maximum": MAX_SAFE_INTEGER })
    }

    fn wants() -> String {
        "an integer".to_owned()
    }
}

impl<'de, const MIN: i64> serde::Deserialize<'de> for Integer<MIN> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        super::from_value(&value).map_err(serde::de::Error::custom)
    }
}

text! {
    /// A text that is not empty.
    pub struct NonEmpty;
    wants "a text that is not empty"; schema { "minLength": 1 }; accepts |text| !text.is_empty()
}

/// A list of at least `N`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct AtLeast<T, const N: usize>(Vec<T>);

impl<T, const N: usize> AtLeast<T, N> {
    /// The list, where it is long enough.
    #[must_use]
    pub fn new(elements: Vec<T>) -> Option<Self> {
        (elements.len() >= N).then_some(Self(elements))
    }
}

impl<T, const N: usize> Deref for AtLeast<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

/// An array of elements, for a message.
fn list(length: &str, element: &str) -> String {
    format!("an array{length}, each element {element}")
}

/// Reads every element, so that each fault is told.
fn elements<T: Shape>(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Vec<T>> {
    let Some(values) = value.as_array() else {
        issues.expected(<Vec<T> as Shape>::wants, value, place);
        return None;
    };
    let mut fine = true;
    let mut read = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        match T::read(value, &place.index(index), issues) {
            Some(element) => read.push(element),
            None => fine = false,
        }
    }
    fine.then_some(read)
}

impl<T: Shape> Shape for Vec<T> {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        elements(value, place, issues)
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "type": "array", "items": definitions.of::<T>() })
    }

    fn wants() -> String {
        list("", &T::wants())
    }
}

impl<T: Shape, const N: usize> Shape for AtLeast<T, N> {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        if value.as_array().is_some_and(|values| values.len() < N) {
            issues.add_with(place, || format!("must have at least {N} element{}", if N == 1 { "" } else { "s" }));
            return None;
        }
        elements(value, place, issues).map(Self)
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "type": "array", "minItems": N, "items": definitions.of::<T>() })
    }

    fn wants() -> String {
        list(&format!(" of at least {N}"), &T::wants())
    }
}

impl<T: Shape, const N: usize> Shape for [T; N] {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        if value.as_array().is_some_and(|values| values.len() != N) {
            issues.add_with(place, || format!("must have exactly {N} element{}", if N == 1 { "" } else { "s" }));
            return None;
        }
        elements(value, place, issues)?.try_into().ok()
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "type": "array", "minItems": N, "maxItems": N, "items": definitions.of::<T>() })
    }

    fn wants() -> String {
        list(&format!(" of exactly {N}"), &T::wants())
    }
}

impl<T: Shape> Shape for Box<T> {
    const NAME: Option<&'static str> = T::NAME;

    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        T::read(value, place, issues).map(Self::new)
    }

    fn schema(definitions: &mut Definitions) -> Value {
        T::schema(definitions)
    }

    fn wants() -> String {
        T::wants()
    }
}

impl<T: Shape> Shape for Option<T> {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        if value.is_null() { Some(None) } else { T::read(value, place, issues).map(Some) }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        definitions.nullable::<T>()
    }

    fn wants() -> String {
        format!("{}, or null", T::wants())
    }
}

impl Shape for String {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        let text = value.as_str();
        if text.is_none() {
            issues.expected(Self::wants, value, place);
        }
        text.map(str::to_owned)
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "string" })
    }

    fn wants() -> String {
        "a string".to_owned()
    }
}

impl Shape for bool {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        let read = value.as_bool();
        if read.is_none() {
            issues.expected(Self::wants, value, place);
        }
        read
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "boolean" })
    }

    fn wants() -> String {
        "true or false".to_owned()
    }
}

/// Any JSON value. Its domain is checked before anything is read: no lone surrogate, no unsafe integer, no key twice.
impl Shape for Value {
    const NAME: Option<&'static str> = Some("JsonValue");

    fn read(value: &Value, _: &Place<'_>, _: &mut Issues) -> Option<Self> {
        Some(value.clone())
    }

    fn schema(_: &mut Definitions) -> Value {
        let itself = json!({ "$ref": "#/$defs/JsonValue" });
        json!({
            "description": "Any JSON value whose numbers are finite and whose integers are safe: a larger integer, and what needs exact decimals, is a string.",
            "anyOf": [
                { "type": "string" }, { "type": "number" }, { "type": "boolean" }, { "type": "null" },
                { "type": "array", "items": itself },
                { "type": "object", "additionalProperties": itself },
            ],
        })
    }

    fn wants() -> String {
        "any JSON value".to_owned()
    }
}

/// An object of JSON values under keys of the author.
impl Shape for Map<String, Value> {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        object_of::<Self>(value, place, issues).cloned()
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "type": "object", "additionalProperties": definitions.of::<Value>() })
    }

    fn wants() -> String {
        "an object of JSON values".to_owned()
    }
}

/// An object under keys of the author, which have a form of their own.
impl<K: Shape + Ord, T: Shape> Shape for BTreeMap<K, T> {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        let members = object_of::<Self>(value, place, issues)?;
        let mut fine = true;
        let mut read = Self::new();
        for (key, value) in members {
            let place = place.key(key);
            let mut of_key = Issues::default();
            let name = K::read(&Value::String(key.clone()), &place, &mut of_key);
            if let Some(issue) = of_key.told().next() {
                issues.add_with(&place, || format!("is no key here: {}", issue.message));
            }
            match (name, T::read(value, &place, issues)) {
                (Some(name), Some(value)) => {
                    read.insert(name, value);
                }
                _ => fine = false,
            }
        }
        fine.then_some(read)
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "type": "object", "propertyNames": definitions.of::<K>(), "additionalProperties": definitions.of::<T>() })
    }

    fn wants() -> String {
        format!("an object in which under each name stands {}", T::wants())
    }
}
