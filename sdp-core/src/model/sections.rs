//! The content of a Spec, section by section. Field order is the order in which `graph.json` writes (fact sheet 7.3);
//! entries keep their authored order.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::vocabulary::{Phase, VerificationMode};

/// The eight sections; what the author left out is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Sections {
    /// Why the Spec exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<Intent>,
    /// What happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behavior: Option<Behavior>,
    /// Bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constraints: Option<Vec<Constraint>>,
    /// Terms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelSection>,
    /// How it is built: an open bag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design: Option<OpenBag>,
    /// What was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// How it is shown to hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
    /// What a person sees: an open bag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ui: Option<OpenBag>,
}

impl Sections {
    /// Whether the author wrote no section at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Sections::default()
    }
}

/// `## Intent`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "camelCase")]
pub struct Intent {
    /// The section's prose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Who.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// What hurts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// What it is worth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What may go wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risks: Option<Vec<String>>,
    /// What is taken for granted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumptions: Option<Vec<String>>,
    /// What is not decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_questions: Option<Vec<Question>>,
}

/// One open question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Question {
    /// The text.
    pub question: String,
    /// Whether it holds the Spec below `defined`.
    pub blocking: bool,
    /// The key of its entry address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// `## Behavior` and its siblings Rule, Workflow, Contract and Example space.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "camelCase")]
pub struct Behavior {
    /// The section's prose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What always holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<Rule>>,
    /// Concrete cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub examples: Option<Vec<Example>>,
    /// What happens in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flows: Option<Vec<String>>,
    /// The vocabulary of the examples below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example_space: Option<Steps>,
}

/// One rule: a string in the graph, or `{ rule, key }` when it is keyed (DESIGN part 2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The text, without its marker.
    pub text: String,
    /// The key of its entry address.
    pub key: Option<String>,
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(key) = &self.key else {
            return serializer.serialize_str(&self.text);
        };
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("rule", &self.text)?;
        map.serialize_entry("key", key)?;
        map.end()
    }
}

/// One example: prose, or its steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Example {
    /// Prose.
    Prose(String),
    /// Given, When, Then.
    Structured(Steps),
}

impl Serialize for Example {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Example::Prose(text) => serializer.serialize_str(text),
            Example::Structured(steps) => steps.serialize(serializer),
        }
    }
}

/// Given, When and Then steps, in order; each a line in slot notation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Steps {
    /// Before.
    pub given: Vec<String>,
    /// What is done.
    pub when: Vec<String>,
    /// After.
    pub then: Vec<String>,
}

impl Steps {
    /// Adds a step behind those of its phase.
    pub fn push(&mut self, phase: Phase, text: impl Into<String>) {
        let steps = match phase {
            Phase::Given => &mut self.given,
            Phase::When => &mut self.when,
            Phase::Then => &mut self.then,
        };
        steps.push(text.into());
    }

    /// All steps, phase by phase.
    pub fn all(&self) -> impl Iterator<Item = (Phase, &str)> {
        [(Phase::Given, &self.given), (Phase::When, &self.when), (Phase::Then, &self.then)]
            .into_iter()
            .flat_map(|(phase, steps)| steps.iter().map(move |step| (phase, step.as_str())))
    }
}

/// One constraint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "camelCase")]
pub struct Constraint {
    /// Which quality it bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flavor: Option<String>,
    /// The bound in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<String>,
    /// The bound for a machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// How it is measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measurable_by: Option<String>,
}

/// `## Model`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ModelSection {
    /// The section's prose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Terms and definitions, in authored order.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "pairs")]
    #[cfg_attr(test, schemars(with = "Option<std::collections::BTreeMap<String, String>>"))]
    pub terms: Option<Vec<(String, String)>>,
}

/// `## Design` and `## UI`: a description and free keyed entries, in authored order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenBag {
    /// The section's prose (or an entry of that name where there is none); written first.
    pub description: Option<String>,
    /// Key and value of each other entry.
    pub entries: Vec<(String, OpenValue)>,
}

/// The value of an entry of an open bag: one line of text in Markdown and Gherkin, any static value in TypeScript. It is
/// [`MAX_OPEN_DEPTH`] deep at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenValue {
    /// Text.
    Text(String),
    /// A finite number.
    Number(serde_json::Number),
    /// A truth value.
    Bool(bool),
    /// Values, in authored order.
    List(Vec<OpenValue>),
    /// Keys and values, in authored order; each key once.
    Map(Vec<(String, OpenValue)>),
}

/// How deep the value of an entry may nest: a text has depth 1.
pub const MAX_OPEN_DEPTH: usize = 16;

impl OpenValue {
    /// The text, where it is nothing else.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            OpenValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Hands every text in it on, in authored order; keys are none.
    pub fn each_text<'v>(&'v self, sink: &mut impl FnMut(&'v str)) {
        // The depth is bounded, see above.
        match self {
            OpenValue::Text(text) => sink(text),
            OpenValue::Number(_) | OpenValue::Bool(_) => {}
            OpenValue::List(values) => values.iter().for_each(|value| value.each_text(sink)),
            OpenValue::Map(pairs) => pairs.iter().for_each(|(_, value)| value.each_text(sink)),
        }
    }
}

impl From<String> for OpenValue {
    fn from(text: String) -> Self {
        OpenValue::Text(text)
    }
}

impl Serialize for OpenValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            OpenValue::Text(text) => serializer.serialize_str(text),
            OpenValue::Number(number) => number.serialize(serializer),
            OpenValue::Bool(is_true) => serializer.serialize_bool(*is_true),
            OpenValue::List(values) => serializer.collect_seq(values),
            OpenValue::Map(pairs) => serializer.collect_map(pairs.iter().map(|(key, value)| (key, value))),
        }
    }
}

impl Serialize for OpenBag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(description) = &self.description {
            map.serialize_entry("description", description)?;
        }
        for (key, value) in &self.entries {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// `## Decision`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Decision {
    /// The section's prose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What forced the choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The chosen option.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<Vec<String>>,
    /// What was not chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<Vec<String>>,
    /// What follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consequences: Option<Vec<String>>,
}

/// `## Verification — <mode>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Verification {
    /// The section's prose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// How; a Gherkin carrier need not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<VerificationMode>,
    /// What must be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub criteria: Option<Vec<String>>,
}

fn pairs<S: Serializer>(pairs: &Option<Vec<(String, String)>>, serializer: S) -> Result<S::Ok, S::Error> {
    let pairs = pairs.as_deref().unwrap_or_default();
    let mut map = serializer.serialize_map(Some(pairs.len()))?;
    for (key, value) in pairs {
        map.serialize_entry(key, value)?;
    }
    map.end()
}
