//! One value of an answer: any JSON comes in, the part of it that a finding can use goes out. Everything else is skipped
//! without being held; what is missing or wrong is for the judgement to say.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::RowProblem;
use crate::rules::subject::Subject;

/// A value of any kind.
#[derive(Default)]
pub(super) enum Loose {
    /// Absent or `null`.
    #[default]
    Nothing,
    Text(String),
    /// A number that can be a line.
    Line(u32),
    Number,
    Boolean,
    /// The strings of an array, the first few.
    Array(Vec<String>),
    Object(Box<Fields>),
}

/// The fields of a finding, in either spelling, and those of an edge.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) rule: Loose,
    pub(super) severity: Loose,
    pub(super) message: Loose,
    pub(super) subject: Loose,
    pub(super) related: Loose,
    pub(super) file: Loose,
    pub(super) line: Loose,
    pub(super) path: Loose,
    from: Loose,
    edge_type: Loose,
    to: Loose,
}

/// How many strings of an array are held.
const WORDS: usize = 20;

impl Loose {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Loose::Nothing => "null",
            Loose::Text(_) => "a string",
            Loose::Line(_) | Loose::Number => "a number",
            Loose::Boolean => "a boolean",
            Loose::Array(_) => "an array",
            Loose::Object(_) => "an object",
        }
    }

    /// The text; an empty one counts as absent.
    pub(super) fn text(self, field: &'static str) -> Result<Option<String>, RowProblem> {
        match self {
            Loose::Nothing => Ok(None),
            Loose::Text(text) => Ok(Some(text).filter(|text| !text.is_empty())),
            other => Err(RowProblem::WrongKind { field, found: other.kind(), wanted: "a string" }),
        }
    }

    pub(super) fn line(self) -> Result<Option<u32>, RowProblem> {
        match self {
            Loose::Nothing => Ok(None),
            Loose::Line(line) => Ok(Some(line)),
            other => {
                Err(RowProblem::WrongKind { field: "line", found: other.kind(), wanted: "a line number from 1 on" })
            }
        }
    }

    pub(super) fn subject(self) -> Result<Option<Subject>, RowProblem> {
        let Loose::Object(fields) = self else {
            return Ok(self.text("subject")?.map(Subject::Text));
        };
        match (fields.from, fields.edge_type, fields.to) {
            (Loose::Text(from), Loose::Text(edge_type), Loose::Text(to)) => {
                Ok(Some(Subject::Edge { from, edge_type, to }))
            }
            _ => {
                let (found, wanted) = ("another object", "a string or an edge `{ from, type, to }`");
                Err(RowProblem::WrongKind { field: "subject", found, wanted })
            }
        }
    }

    /// The strings of an array, for a sentence.
    pub(super) fn words(self) -> String {
        match self {
            Loose::Array(words) if words.is_empty() => "none".to_owned(),
            Loose::Array(words) => words.join(", "),
            Loose::Text(word) => word,
            other => other.kind().to_owned(),
        }
    }
}

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LooseVisitor)
    }
}

struct LooseVisitor;

impl<'de> Visitor<'de> for LooseVisitor {
    type Value = Loose;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Loose, E> {
        Ok(Loose::Boolean)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Loose, E> {
        Ok(Loose::Number)
    }

    fn visit_u64<E>(self, value: u64) -> Result<Loose, E> {
        Ok(u32::try_from(value).ok().filter(|line| *line > 0).map_or(Loose::Number, Loose::Line))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Loose, E> {
        Ok(Loose::Number)
    }

    fn visit_str<E>(self, value: &str) -> Result<Loose, E> {
        Ok(Loose::Text(value.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Loose, E> {
        Ok(Loose::Nothing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Loose, A::Error> {
        let mut words = Vec::new();
        while words.len() < WORDS {
            match items.next_element::<Loose>()? {
                Some(Loose::Text(word)) => words.push(word),
                Some(_) => {}
                None => return Ok(Loose::Array(words)),
            }
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Loose::Array(words))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Loose, A::Error> {
        let mut fields = Box::<Fields>::default();
        while let Some(key) = map.next_key::<String>()? {
            let slot = match key.as_str() {
                "rule" | "validatorId" => &mut fields.rule,
                "severity" => &mut fields.severity,
                "message" => &mut fields.message,
                "subject" | "subjectId" => &mut fields.subject,
                "related" | "relatedId" => &mut fields.related,
                "file" => &mut fields.file,
                "line" => &mut fields.line,
                "path" => &mut fields.path,
                "from" => &mut fields.from,
                "type" => &mut fields.edge_type,
                "to" => &mut fields.to,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            let value = map.next_value::<Loose>()?;
            // Of two spellings of one field, the one that says something counts.
            if !matches!(value, Loose::Nothing) {
                *slot = value;
            }
        }
        Ok(Loose::Object(fields))
    }
}
