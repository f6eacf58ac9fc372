//! The sections: static values come in, typed sections and the lines of their entries go out. A key that a section does not
//! have is dropped with a warning; a value of another kind than its field takes refuses the Spec.

use hashbrown::HashSet;

use super::report::{Said, Subject};
use super::values::{Member, Path, Static, Value};
use crate::carrier::findings::shown;
use crate::carrier::words::{is_reserved, nearest};
use crate::finding::{FindingId, hand_authored_fact};
use crate::model::{
    Behavior, Constraint, Decision, EntryLine, EntryPlace, Example, FACT_NAMES, Intent, ModelSection, OpenBag,
    OpenValue, Question, Rule, Sections, Steps, Verification, VerificationMode, is_entry_key,
};

/// The sections, in the order in which messages list them.
pub(super) const SECTIONS: [&str; 8] =
    ["intent", "behavior", "constraints", "model", "design", "decision", "verification", "ui"];

const INTENT: [&str; 8] =
    ["description", "actor", "problem", "outcome", "value", "risks", "assumptions", "openQuestions"];
const BEHAVIOR: [&str; 5] = ["description", "rules", "examples", "flows", "exampleSpace"];
const STEPS: [&str; 3] = ["given", "when", "then"];
const CONSTRAINT: [&str; 4] = ["flavor", "statement", "target", "measurableBy"];
const MODEL: [&str; 2] = ["description", "terms"];
const DECISION: [&str; 6] = ["description", "context", "decision", "rationale", "alternatives", "consequences"];
const VERIFICATION: [&str; 3] = ["description", "mode", "criteria"];

/// A list whose entries may have a key.
struct Entries {
    /// The name of an entry's text.
    text: &'static str,
    /// All names of an entry.
    names: &'static [&'static str],
    /// What messages call the keys.
    keys: &'static str,
}

const QUESTIONS: Entries =
    Entries { text: "question", names: &["question", "blocking", "key"], keys: "open question keys" };
const RULES: Entries = Entries { text: "rule", names: &["rule", "key"], keys: "rule keys" };

/// The sections of one Spec in the making.
pub(super) struct Typing<'t, 'r, 'f> {
    /// The sections that were read.
    pub(super) sections: Sections,
    /// Where their entries stand.
    pub(super) entries: Vec<EntryLine>,
    /// The Spec.
    pub(super) subject: &'t mut Subject<'r, 'f>,
}

impl Typing<'_, '_, '_> {
    /// Takes the value of a section that stands at a line; a name that is none of [`SECTIONS`] is left alone.
    pub(super) fn take(&mut self, name: &str, line: u32, value: Static) {
        let path = Path::of(name);
        match name {
            "intent" => self.sections.intent = self.object(path, value).map(|members| self.intent(path, members)),
            "behavior" => self.sections.behavior = self.object(path, value).map(|members| self.behavior(path, members)),
            "constraints" => self.sections.constraints = self.constraints(path, line, value),
            "model" => self.sections.model = self.object(path, value).map(|members| self.model(path, members)),
            "design" => {
                self.sections.design =
                    self.object(path, value).map(|members| self.open_bag(path, members, EntryPlace::Design));
            }
            "decision" => self.sections.decision = self.object(path, value).map(|members| self.decision(path, members)),
            "verification" => {
                self.sections.verification = self.object(path, value).map(|members| self.verification(path, members));
            }
            "ui" => {
                self.sections.ui = self.object(path, value).map(|members| self.open_bag(path, members, EntryPlace::Ui));
            }
            _ => {}
        }
    }

    fn intent(&mut self, path: Path<'_>, members: Vec<Member>) -> Intent {
        let mut intent = Intent::default();
        for Member { key, line, value } in members {
            let path = path.name(&key);
            match key.as_str() {
                "description" => intent.description = self.text(path, value),
                "actor" => intent.actor = self.text(path, value),
                "problem" => intent.problem = self.text(path, value),
                "outcome" => intent.outcome = self.text(path, value),
                "value" => intent.value = self.text(path, value),
                "risks" => intent.risks = self.texts(path, value),
                "assumptions" => intent.assumptions = self.texts(path, value),
                "openQuestions" => intent.open_questions = self.questions(path, value),
                name => self.unknown_in_section("intent", path, name, line, &INTENT),
            }
        }
        intent
    }

    fn questions(&mut self, path: Path<'_>, value: Static) -> Option<Vec<Question>> {
        let elements = self.list(path, value, "a list of questions")?;
        let mut questions = Vec::with_capacity(elements.len());
        let mut seen = HashSet::new();
        for (at, element) in elements.into_iter().enumerate() {
            let path = path.index(at);
            let read = self.keyed(path, element, &QUESTIONS, &mut seen);
            let Some(Keyed { text: (question, line), key, blocking }) = read else { continue };
            let place = EntryPlace::Question(questions.len(), key.clone());
            self.entries.push(EntryLine { place, line });
            questions.push(Question { question, blocking, key });
        }
        Some(questions)
    }

    fn behavior(&mut self, path: Path<'_>, members: Vec<Member>) -> Behavior {
        let mut behavior = Behavior::default();
        for Member { key, line, value } in members {
            let path = path.name(&key);
            match key.as_str() {
                "description" => behavior.description = self.text(path, value),
                "rules" => behavior.rules = self.rules(path, value),
                "examples" => behavior.examples = self.examples(path, value),
                "flows" => behavior.flows = self.texts(path, value),
                "exampleSpace" => {
                    behavior.example_space = self.object(path, value).map(|members| self.steps(path, members));
                }
                name => self.unknown_in_section("behavior", path, name, line, &BEHAVIOR),
            }
        }
        behavior
    }

    fn rules(&mut self, path: Path<'_>, value: Static) -> Option<Vec<Rule>> {
        let elements = self.list(path, value, "a list of rules")?;
        let mut rules = Vec::with_capacity(elements.len());
        let mut seen = HashSet::new();
        for (at, element) in elements.into_iter().enumerate() {
            let path = path.index(at);
            let Some(Keyed { text: (text, line), key, .. }) = self.keyed(path, element, &RULES, &mut seen) else {
                continue;
            };
            let place = EntryPlace::Rule(rules.len(), key.clone());
            self.entries.push(EntryLine { place, line });
            rules.push(Rule { text, key });
        }
        Some(rules)
    }

    /// An open question or a rule: a string, or an object with the text and perhaps a key.
    fn keyed(&mut self, path: Path<'_>, element: Static, of: &Entries, seen: &mut HashSet<String>) -> Option<Keyed> {
        let Static { line, value } = element;
        let members = match value {
            Value::Text(text) => return Some(Keyed { text: (text, line), key: None, blocking: false }),
            Value::Map(members) => members,
            value => return self.mistyped_for(path, &Static { line, value }, "a string or an object"),
        };
        let (mut text, mut key, mut blocking, mut has_text) = (None, None, false, false);
        for Member { key: name, line, value } in members {
            let path = path.name(&name);
            match name.as_str() {
                name if name == of.text => {
                    has_text = true;
                    text = self.text(path, value).map(|text| (text, line));
                }
                "key" => key = self.key(path, line, value, of, seen),
                "blocking" if of.names.contains(&"blocking") => blocking = self.truth(path, value).unwrap_or_default(),
                name => self.unknown(path, name, line, of.names),
            }
        }
        if !has_text {
            self.subject.error(FindingId::MistypedProperty, line, || {
                let path = path.name(of.text);
                let message =
                    format!("property \"{path}\" is missing where a string is expected, so the spec is not extracted");
                Said::new(message).at(path).help(format!("write the text as `{}: \"…\"`", of.text))
            });
        }
        text.map(|text| Keyed { text, key, blocking })
    }

    /// The key of an entry's address.
    fn key(
        &mut self,
        path: Path<'_>,
        line: u32,
        value: Static,
        of: &Entries,
        seen: &mut HashSet<String>,
    ) -> Option<String> {
        let (key, keys) = (value.value, of.keys);
        let Some(key) = key.into_text().filter(|key| is_entry_key(key)) else {
            let help = "write the key as a string: a small letter, then letters and digits";
            self.refuse_key(path, line, &format!("{keys} must be lower-camel ASCII"), help);
            return None;
        };
        if seen.contains(&key) {
            self.refuse_key(path, line, &format!("{keys} must be unique"), "give one of the two another key");
            return None;
        }
        seen.insert(key.clone());
        Some(key)
    }

    fn refuse_key(&mut self, path: Path<'_>, line: u32, why: &str, help: &str) {
        self.subject.member_error(FindingId::UnrecognizedProperty, line, || {
            Said::new(format!("property \"{path}\" is refused: {why}")).at(path).help(help.to_owned())
        });
    }

    fn examples(&mut self, path: Path<'_>, value: Static) -> Option<Vec<Example>> {
        let elements = self.list(path, value, "a list of examples")?;
        let mut examples = Vec::with_capacity(elements.len());
        for (at, element) in elements.into_iter().enumerate() {
            let path = path.index(at);
            match element.value {
                Value::Text(text) => examples.push(Example::Prose(text)),
                Value::Map(members) => examples.push(Example::Structured(self.steps(path, members))),
                value => self.mistyped(path, &Static { line: element.line, value }, "a string or an object"),
            }
        }
        Some(examples)
    }

    fn steps(&mut self, path: Path<'_>, members: Vec<Member>) -> Steps {
        let mut steps = Steps::default();
        for Member { key, line, value } in members {
            let path = path.name(&key);
            match key.as_str() {
                "given" => steps.given = self.texts(path, value).unwrap_or_default(),
                "when" => steps.when = self.texts(path, value).unwrap_or_default(),
                "then" => steps.then = self.texts(path, value).unwrap_or_default(),
                name => self.unknown(path, name, line, &STEPS),
            }
        }
        steps
    }

    fn constraints(&mut self, path: Path<'_>, line: u32, value: Static) -> Option<Vec<Constraint>> {
        if matches!(value.value, Value::List(_)) && holds_description(&value) {
            self.subject.error(FindingId::UnownedProse, line, || {
                Said::new("prose field \"description\" is not owned by constraints")
                    .at(path)
                    .help("write the prose as `statement`, or as the Spec's `narrative`".to_owned())
            });
            return None;
        }
        let elements = self.list(path, value, "a list of objects")?;
        let mut constraints = Vec::with_capacity(elements.len());
        for (at, element) in elements.into_iter().enumerate() {
            let path = path.index(at);
            let Some(members) = self.object(path, element) else { continue };
            let mut constraint = Constraint::default();
            for Member { key, line, value } in members {
                let path = path.name(&key);
                match key.as_str() {
                    "flavor" => constraint.flavor = self.text(path, value),
                    "statement" => constraint.statement = self.text(path, value),
                    "target" => constraint.target = self.text(path, value),
                    "measurableBy" => constraint.measurable_by = self.text(path, value),
                    name => self.unknown_in_section(&format!("constraints[{at}]"), path, name, line, &CONSTRAINT),
                }
            }
            constraints.push(constraint);
        }
        Some(constraints)
    }

    fn model(&mut self, path: Path<'_>, members: Vec<Member>) -> ModelSection {
        let mut model = ModelSection::default();
        for Member { key, line, value } in members {
            let path = path.name(&key);
            match key.as_str() {
                "description" => model.description = self.text(path, value),
                "terms" => {
                    model.terms = self.object(path, value).map(|members| {
                        let term = |Member { key, value, .. }| Some((self.text(path.name(&key), value)?, key));
                        members.into_iter().filter_map(term).map(|(definition, key)| (key, definition)).collect()
                    });
                }
                name => self.unknown_in_section("model", path, name, line, &MODEL),
            }
        }
        model
    }

    fn open_bag(&mut self, path: Path<'_>, members: Vec<Member>, place: fn(String) -> EntryPlace) -> OpenBag {
        let mut bag = OpenBag::default();
        for Member { key, line, value } in members {
            if key == "description" {
                bag.description = self.text(path.name(&key), value);
            } else if let Some(value) = open(value.value) {
                self.entries.push(EntryLine { place: place(key.clone()), line });
                bag.entries.push((key, value));
            }
        }
        bag
    }

    fn decision(&mut self, path: Path<'_>, members: Vec<Member>) -> Decision {
        let mut decision = Decision::default();
        for Member { key, line, value } in members {
            let path = path.name(&key);
            match key.as_str() {
                "description" => decision.description = self.text(path, value),
                "context" => decision.context = self.text(path, value),
                "decision" => decision.decision = self.text(path, value),
                "rationale" => decision.rationale = self.texts(path, value),
                "alternatives" => decision.alternatives = self.texts(path, value),
                "consequences" => decision.consequences = self.texts(path, value),
                name => self.unknown_in_section("decision", path, name, line, &DECISION),
            }
        }
        decision
    }

    fn verification(&mut self, path: Path<'_>, members: Vec<Member>) -> Verification {
        let mut verification = Verification::default();
        for Member { key, line, value } in members {
            let path = path.name(&key);
            match key.as_str() {
                "description" => verification.description = self.text(path, value),
                "mode" => verification.mode = self.mode(path, value),
                "criteria" => verification.criteria = self.texts(path, value),
                name => self.unknown_in_section("verification", path, name, line, &VERIFICATION),
            }
        }
        verification
    }

    fn mode(&mut self, path: Path<'_>, value: Static) -> Option<VerificationMode> {
        let line = value.line;
        let text = self.text(path, value)?;
        let mode = VerificationMode::from_word(&text);
        if mode.is_none() {
            let words: Vec<&str> = VerificationMode::ALL.iter().map(|mode| mode.as_str()).collect();
            self.subject.error(FindingId::MistypedProperty, line, || {
                let message = format!(
                    "property \"{path}\" is \"{}\" where one of {} is expected, so the spec is not extracted",
                    shown(&text),
                    words.join(" · ")
                );
                let meant = nearest(&text, &words).map(|word| format!("did you mean `{word}`?"));
                Said::new(message).at(path).help(meant)
            });
        }
        mode
    }

    fn text(&mut self, path: Path<'_>, value: Static) -> Option<String> {
        match value {
            Static { value: Value::Text(text), .. } => Some(text),
            value => self.mistyped_for(path, &value, "a string"),
        }
    }

    fn truth(&mut self, path: Path<'_>, value: Static) -> Option<bool> {
        match value.value {
            Value::Bool(is_true) => Some(is_true),
            _ => self.mistyped_for(path, &value, "a boolean"),
        }
    }

    fn texts(&mut self, path: Path<'_>, value: Static) -> Option<Vec<String>> {
        let elements = self.list(path, value, "a list of strings")?;
        let texts = elements.into_iter().enumerate().filter_map(|(at, element)| self.text(path.index(at), element));
        Some(texts.collect())
    }

    fn list(&mut self, path: Path<'_>, value: Static, expected: &str) -> Option<Vec<Static>> {
        match value.value {
            Value::List(elements) => Some(elements),
            _ => self.mistyped_for(path, &value, expected),
        }
    }

    fn object(&mut self, path: Path<'_>, value: Static) -> Option<Vec<Member>> {
        match value.value {
            Value::Map(members) => Some(members),
            _ => self.mistyped_for(path, &value, "an object"),
        }
    }

    fn mistyped_for<T>(&mut self, path: Path<'_>, value: &Static, expected: &str) -> Option<T> {
        self.mistyped(path, value, expected);
        None
    }

    fn mistyped(&mut self, path: Path<'_>, value: &Static, expected: &str) {
        self.subject.error(FindingId::MistypedProperty, value.line, || {
            let message = format!(
                "property \"{path}\" is {} where {expected} is expected, so the spec is not extracted",
                kind(&value.value)
            );
            let help = match (&value.value, expected) {
                (Value::Number(_) | Value::Bool(_), "a string") => Some("write the value as a string, in quotes"),
                (Value::Text(_) | Value::Map(_), list) if list.starts_with("a list") => {
                    Some("write it as the one element of an array: `[…]`")
                }
                _ => None,
            };
            Said::new(message).at(path).help(help.map(str::to_owned))
        });
    }

    /// A key that a section does not have: a derived name refuses the Spec.
    fn unknown_in_section(&mut self, section: &str, path: Path<'_>, name: &str, line: u32, known: &[&str]) {
        if FACT_NAMES.contains(&name) {
            let subject = self.subject.id.clone().unwrap_or_default();
            self.subject.error(FindingId::AuthoringShape, line, || {
                Said::new(hand_authored_fact(&subject, section, name)).at(path).naming(name)
            });
        } else if is_reserved(name) {
            self.subject.error(FindingId::ReservedProperty, line, || {
                let message = format!(
                    "property \"{path}\" states derived graph vocabulary — delivery facts and derived edges are computed by the extractor, never authored, so the spec is not extracted"
                );
                Said::new(message).at(path)
            });
        } else {
            self.unknown(path, name, line, known);
        }
    }

    /// A key that an object does not have: it is dropped.
    fn unknown(&mut self, path: Path<'_>, name: &str, line: u32, known: &[&str]) {
        self.subject.warning(FindingId::UnrecognizedProperty, line, || {
            let message = format!(
                "property \"{path}\" is outside the authored section shape and is dropped — authored content must never silently fall out of the graph (L2)"
            );
            Said::new(message).at(path).help(meant(name, known))
        });
    }
}

/// An entry that may have a key.
struct Keyed {
    /// Its text, and where that stands.
    text: (String, u32),
    key: Option<String>,
    blocking: bool,
}

/// The name that was meant, or those that there are.
pub(super) fn meant(written: &str, known: &[&str]) -> String {
    match nearest(written, known) {
        Some(word) => format!("did you mean `{word}`?"),
        None => format!("the names are {}", known.join(", ")),
    }
}

/// The value of an open entry. Only a key can be no static value, and no open entry has one.
fn open(value: Value) -> Option<OpenValue> {
    // Values are as deep as the reader let them be.
    Some(match value {
        Value::Text(text) => OpenValue::Text(text),
        Value::Number(number) => OpenValue::Number(number),
        Value::Bool(is_true) => OpenValue::Bool(is_true),
        Value::List(elements) => {
            OpenValue::List(elements.into_iter().filter_map(|element| open(element.value)).collect())
        }
        Value::Map(members) => {
            let pair = |Member { key, value, .. }| Some((key, open(value.value)?));
            OpenValue::Map(members.into_iter().filter_map(pair).collect())
        }
        Value::NotStatic => return None,
    })
}

fn holds_description(value: &Static) -> bool {
    match &value.value {
        Value::List(elements) => elements.iter().any(holds_description),
        Value::Map(members) => {
            members.iter().any(|member| member.key == "description" || holds_description(&member.value))
        }
        _ => false,
    }
}

/// What messages call a value.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Text(_) => "a string",
        Value::Number(_) => "a number",
        Value::Bool(_) => "a boolean",
        Value::List(_) => "a list",
        Value::Map(_) => "an object",
        Value::NotStatic => "not static",
    }
}
