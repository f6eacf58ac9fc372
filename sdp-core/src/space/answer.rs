//! The shapes of `exampleSpace(id)`; field order is the order in which they print. A list that was cut has a count beside it,
//! `…LeftOut`, which is absent where nothing is missing.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::finding::Finding;
use crate::model::{Phase, Readiness};
use crate::notation::{SlotForm, SlotType, SlotValue};

/// `exampleSpace(id)`: the example space of one Spec, decoded.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExampleSpace {
    /// `spec:…`.
    pub id: String,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The carrier.
    pub file: String,
    /// The vocabulary, in authored order.
    pub steps: Vec<SpaceStep>,
    /// The slots of Given and When steps, in order; the first declaration of a name counts.
    pub dimensions: Vec<Dimension>,
    /// The Then steps, in order; one for each skeleton.
    pub outcomes: Vec<Outcome>,
    /// The examples that refine the Spec and hold a structured entry, by id.
    pub examples: Vec<ExamplePoint>,
    /// Pairs of values of two closed dimensions that no example takes together; only where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untaken_pairs: Option<Vec<[Setting; 2]>>,
    /// How many more such pairs there are.
    #[serde(skip_serializing_if = "is_zero")]
    pub untaken_pairs_left_out: u64,
    /// How many closed dimensions no pair was looked for in.
    #[serde(skip_serializing_if = "is_zero")]
    pub paired_dimensions_left_out: u64,
    /// The `contracts/…` findings of the space and its examples, in finding order.
    pub findings: Vec<Finding>,
}

/// One step of the vocabulary.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpaceStep {
    /// Its phase.
    pub phase: Phase,
    /// As authored.
    pub text: String,
    /// Its identity: each slot as `{name}`.
    pub skeleton: String,
    /// Its slots, in order.
    pub slots: Vec<SpaceSlot>,
}

/// One slot of a vocabulary step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpaceSlot {
    /// Its name.
    pub name: String,
    /// What it declares.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<DimensionKind>,
    /// The literals of an enum, as authored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<String>>,
    /// What it is where it declares nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unusable: Option<SlotKind>,
}

/// The form of a slot that declares no type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SlotKind {
    /// `{n}`.
    Bare,
    /// `{n: 2}`.
    Bound,
    /// Anything else behind the colon.
    Malformed,
}

/// The type of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DimensionKind {
    /// Any finite number.
    Number,
    /// Any text.
    String,
    /// `true` or `false`.
    Boolean,
    /// One of the listed texts.
    Enum,
}

/// One dimension.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Dimension {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: DimensionKind,
    /// The position in `steps` of the step that declares it.
    pub step: usize,
    /// All values of a closed dimension, each once; absent for numbers and strings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
    /// The values that examples take: closed ones as declared, numbers by size, texts by code units.
    pub taken: Vec<TakenValue>,
    /// The values of a closed dimension that no example takes; absent for numbers and strings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untaken: Option<Vec<Value>>,
}

/// A value of a dimension, with how many examples take it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TakenValue {
    /// The value.
    pub value: Value,
    /// How many examples take it.
    pub examples: usize,
}

/// A Then step of the vocabulary.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Its identity: each slot as `{name}`.
    pub skeleton: String,
    /// The position in `steps` of the first step with this skeleton.
    pub step: usize,
    /// Its slots that declare a type; the first declaration of a name counts.
    pub payload: Vec<PayloadSlot>,
    /// How many examples reach it.
    pub examples: usize,
}

/// A slot of an outcome.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PayloadSlot {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: DimensionKind,
    /// The literals of an enum, each once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
}

/// One example with the point that it takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExamplePoint {
    /// `spec:…`.
    pub id: String,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The carrier.
    pub file: String,
    /// What its author states.
    pub stated_readiness: Readiness,
    /// What it binds, in the order of the dimensions; an object on the wire.
    #[serde(serialize_with = "settings")]
    pub point: Vec<Setting>,
    /// Whether it binds every dimension.
    pub complete: bool,
    /// The dimensions that it leaves out, in order.
    pub missing: Vec<String>,
    /// How many more it leaves out.
    #[serde(skip_serializing_if = "is_zero")]
    pub missing_left_out: u64,
    /// The outcomes that it reaches, by skeleton, as it names them.
    pub outcomes: Vec<String>,
    /// Whether every step of it is one of the spaces that it refines, fully bound.
    pub matched: bool,
    /// Whether it is matched and holds one whole entry without an unbound slot: a contract can be made of it.
    pub bindable: bool,
    /// Whether a test is bound to it, so that it is an enabled verifier of what it declares to verify.
    pub enabled: bool,
}

/// A dimension at a value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// The dimension's name.
    pub dimension: String,
    /// The value.
    pub value: Value,
}

/// A number, a text or a truth value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A finite number.
    Number(f64),
    /// A text.
    Text(String),
    /// A truth value.
    Boolean(bool),
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            // As JSON writes whole numbers elsewhere: `2`, not `2.0`. The cast is exact in these bounds.
            Value::Number(number) if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 =>
            {
                #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
                serializer.serialize_i64(*number as i64)
            }
            Value::Number(number) => serializer.serialize_f64(*number),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Boolean(value) => serializer.serialize_bool(*value),
        }
    }
}

impl From<SlotValue<'_>> for Value {
    fn from(value: SlotValue<'_>) -> Self {
        match value {
            SlotValue::Number(number) => Value::Number(number),
            SlotValue::Text(text) => Value::Text(text.to_owned()),
            SlotValue::Boolean(value) => Value::Boolean(value),
        }
    }
}

impl From<&SlotType<'_>> for DimensionKind {
    fn from(kind: &SlotType<'_>) -> Self {
        match kind {
            SlotType::Number => DimensionKind::Number,
            SlotType::String => DimensionKind::String,
            SlotType::Boolean => DimensionKind::Boolean,
            SlotType::OneOf(_) => DimensionKind::Enum,
        }
    }
}

impl SlotKind {
    /// The form of a slot that declares nothing; none for a typed one.
    pub(super) fn of(form: &SlotForm<'_>) -> Option<Self> {
        match form {
            SlotForm::Typed(_) => None,
            SlotForm::Bare => Some(SlotKind::Bare),
            SlotForm::Bound(_) => Some(SlotKind::Bound),
            SlotForm::Malformed => Some(SlotKind::Malformed),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Slot names are identifiers, so no key reads as an array index, and none is `__proto__`.
fn settings<S: Serializer>(settings: &[Setting], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(settings.len()))?;
    for setting in settings {
        map.serialize_entry(&setting.dimension, &setting.value)?;
    }
    map.end()
}
