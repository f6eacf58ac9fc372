//! Judgement: the JSON of what a body returned comes in, its findings or what is wrong with its answer goes out. Only an
//! array of findings and `{ diagnostics }` are answers; whatever else a body returns is its own error and never an empty
//! pass. The text is read as a stream, so that no answer is held twice.

mod row;

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use thiserror::Error;

use self::row::Loose;
use super::finding::{Place, RuleFinding, RuleFindings};
use super::subject::{Subject, Subjects};
use crate::finding::Severity;

/// How many wrong rows are told apart; the rest is counted.
const TOLD_ROWS: usize = 20;

/// What a case brings to the judgement of its answer.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The rule that a finding names when it names none.
    pub rule: &'a str,
    /// The weight of a finding that states none.
    pub severity: Severity,
    /// Where subjects are looked up.
    pub subjects: &'a Subjects,
    /// Where the parameters of the rule are configured; a finding without a subject and a file speaks of them.
    pub configured: Option<&'a Place>,
}

/// What a body's answer amounts to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The findings that keep the form.
    pub findings: RuleFindings,
    /// What is wrong with the answer itself; not empty: the case fails.
    pub problems: Vec<Problem>,
    /// Wrong rows beyond those in `problems`.
    pub more_problems: usize,
}

impl Judgement {
    /// Whether the case passes: no error finding, and nothing wrong with the answer.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.findings.errors == 0 && self.problems.is_empty()
    }

    fn refuse(&mut self, problem: Problem) {
        if self.problems.len() < TOLD_ROWS {
            self.problems.push(problem);
        } else {
            self.more_problems += 1;
        }
    }
}

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// `undefined`.
    #[error("the body returned nothing; a rule returns an array of findings or `{{ diagnostics }}`")]
    Nothing,
    /// Any other value; the text names it.
    #[error("the body returned {0}; a rule returns an array of findings or `{{ diagnostics }}`")]
    WrongReturn(String),
    /// `{ diagnostics }` whose value is no array.
    #[error("`diagnostics` is {0}, not an array")]
    WrongDiagnostics(String),
    /// A recipe that was given a parameter it does not take.
    #[error("it does not accept the parameters {unknown}; it accepts {accepts}")]
    UnknownParams {
        /// The refused names.
        unknown: String,
        /// The accepted names.
        accepts: String,
    },
    /// The answer's JSON is no text that a finding could hold.
    #[error("the answer cannot be read: it holds half of a surrogate pair, or nests deeper than 127 levels")]
    Unreadable,
    /// One finding that does not keep the form.
    #[error("{list}[{index}] {problem}")]
    Row {
        /// `findings` or `diagnostics`.
        list: &'static str,
        /// Its position, from 0.
        index: usize,
        /// What is wrong with it.
        problem: RowProblem,
    },
}

/// What is wrong with one finding.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RowProblem {
    /// It is no object.
    #[error("is {0}, not a finding object")]
    NotAnObject(&'static str),
    /// A field that a finding must have is missing or empty.
    #[error("has no `{0}`")]
    Missing(&'static str),
    /// A field holds another kind of value.
    #[error("has a `{field}` that is {found}, not {wanted}")]
    WrongKind {
        /// The field.
        field: &'static str,
        /// What it holds.
        found: &'static str,
        /// What it should hold.
        wanted: &'static str,
    },
    /// A severity that is neither `error` nor `warning`.
    #[error("has the severity \"{0}\"; it is `error` or `warning`")]
    UnknownSeverity(String),
    /// A subject that is not in the graph.
    #[error("is about \"{subject}\", which is no id, entry, edge or file of the graph{}", hint(.nearest))]
    UnknownSubject {
        /// The subject.
        subject: String,
        /// The nearest id, where one is near.
        nearest: Option<String>,
    },
    /// A file that nothing of the graph stands in.
    #[error("names the file \"{0}\", which nothing in the graph stands in")]
    UnknownFile(String),
}

fn hint(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|id| format!(" (did you mean \"{id}\"?)")).unwrap_or_default()
}

/// Judges the JSON text of an answer.
#[must_use]
pub fn judge(json: &str, terms: &Terms<'_>) -> Judgement {
    let mut judgement = Judgement::default();
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let seed = AnswerSeed { level: Level::Whole, terms, judgement: &mut judgement };
    if seed.deserialize(&mut deserializer).is_err() {
        judgement.refuse(Problem::Unreadable);
    }
    judgement
}

/// What is being read.
#[derive(Clone, Copy)]
enum Level {
    /// The whole answer: an array is findings, and each must have a subject.
    Whole,
    /// The value of `diagnostics`: only an array; a row with a file or a path may lack a subject, as the Protocol's findings may.
    Diagnostics,
}

/// Reads an answer row by row.
struct AnswerSeed<'a, 't> {
    level: Level,
    terms: &'a Terms<'t>,
    judgement: &'a mut Judgement,
}

impl<'de> DeserializeSeed<'de> for AnswerSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl AnswerSeed<'_, '_> {
    fn wrong<E>(self, what: impl Into<String>) -> Result<(), E> {
        self.judgement.refuse(match self.level {
            Level::Whole => Problem::WrongReturn(what.into()),
            Level::Diagnostics => Problem::WrongDiagnostics(what.into()),
        });
        Ok(())
    }
}

impl<'de> Visitor<'de> for AnswerSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.wrong(value.to_string())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.wrong(format!("the number {value}"))
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.wrong(format!("the number {value}"))
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.wrong(format!("the number {value}"))
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        self.wrong("a string")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.wrong("null")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        let mut index = 0;
        while let Some(row) = rows.next_element::<Loose>()? {
            match finding(row, self.level, self.terms, &self.judgement.findings) {
                Ok(finding) => self.judgement.findings.add(finding),
                Err(mut problem) => {
                    let list = match self.level {
                        Level::Whole => "findings",
                        Level::Diagnostics => "diagnostics",
                    };
                    // Looked for only where it will be told: it compares the subject with every id.
                    if let RowProblem::UnknownSubject { subject, nearest } = &mut problem
                        && self.judgement.problems.len() < TOLD_ROWS
                    {
                        *nearest = self.terms.subjects.nearest(subject);
                    }
                    self.judgement.refuse(Problem::Row { list, index, problem });
                }
            }
            index += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Level::Whole = self.level else {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return self.wrong("an object");
        };
        let mut answered = false;
        let (mut unknown, mut accepts) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "diagnostics" => {
                    answered = true;
                    let level = Level::Diagnostics;
                    map.next_value_seed(AnswerSeed { level, terms: self.terms, judgement: &mut *self.judgement })?;
                }
                "unknownParams" => unknown = Some(map.next_value::<Loose>()?),
                "accepts" => accepts = Some(map.next_value::<Loose>()?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        match (answered, unknown, accepts) {
            (true, _, _) => Ok(()),
            (false, Some(unknown), Some(accepts)) => {
                let (unknown, accepts) = (unknown.words(), accepts.words());
                self.judgement.refuse(Problem::UnknownParams { unknown, accepts });
                Ok(())
            }
            (false, _, _) => self.wrong("an object without `diagnostics`"),
        }
    }
}

/// Reads one row. What the findings before it leave no room for is only counted, so its place is not looked for closely.
fn finding(row: Loose, level: Level, terms: &Terms<'_>, before: &RuleFindings) -> Result<RuleFinding, RowProblem> {
    let fields = match row {
        Loose::Object(fields) => fields,
        other => return Err(RowProblem::NotAnObject(other.kind())),
    };
    let message = fields.message.text("message")?.ok_or(RowProblem::Missing("message"))?;
    let rule = fields.rule.text("rule")?.unwrap_or_else(|| terms.rule.to_owned());
    let severity = match fields.severity.text("severity")? {
        None => terms.severity,
        Some(word) if word == Severity::Error.as_str() => Severity::Error,
        Some(word) if word == Severity::Warning.as_str() => Severity::Warning,
        Some(word) => return Err(RowProblem::UnknownSeverity(word)),
    };
    let related = fields.related.text("relatedId")?;
    let file = fields.file.text("file")?;
    let line = fields.line.line()?;
    if let Some(file) = &file
        && !terms.subjects.has_file(file)
    {
        return Err(RowProblem::UnknownFile(file.clone()));
    }
    let path = match &fields.path {
        Loose::Text(path) if !path.is_empty() => Some(path.as_str()),
        _ => None,
    };
    let subject = fields.subject.subject()?;
    if subject.is_none() && (matches!(level, Level::Whole) || !(file.is_some() || path.is_some())) {
        return Err(RowProblem::Missing("subject"));
    }
    let place = match &subject {
        None => file.map(|file| Place { file, line }).or_else(|| terms.configured.cloned()),
        Some(subject) => {
            let mut place = own_place(subject, file, line, terms.subjects)?;
            if let Some(place) = &mut place
                && line.is_none()
                && before.has_room(severity)
            {
                place.line = terms.subjects.closer_line(subject, path, related.as_deref()).or(place.line);
            }
            place
        }
    };
    Ok(RuleFinding { rule, severity, message, subject: subject.map(|subject| subject.to_string()), related, place })
}

/// The subject's own place. A line that the row states counts only in the subject's own file, or where the subject has no
/// place.
fn own_place(
    subject: &Subject,
    file: Option<String>,
    line: Option<u32>,
    subjects: &Subjects,
) -> Result<Option<Place>, RowProblem> {
    let Some(own) = subjects.find(subject) else {
        return Err(RowProblem::UnknownSubject { subject: subject.to_string(), nearest: None });
    };
    Ok(match (own, file) {
        (Some(own), Some(file)) if own.file == file && line.is_some() => Some(Place { file, line }),
        (Some(own), _) => Some(own),
        (None, file) => file.map(|file| Place { file, line }),
    })
}
