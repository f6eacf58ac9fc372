//! The values of sections: an expression comes in, the value that it is without being run goes out, with the line of each
//! part of it. Members of objects are dropped one by one, arrays are whole or dropped; each drop is a finding (fact sheet
//! 6.1 and 6.3, newest sheet part 2).

use std::fmt;

use hashbrown::HashSet;
use oxc_ast::ast::{
    ArrayExpression, ArrayExpressionElement, Expression, ObjectExpression, ObjectProperty, ObjectPropertyKind,
    PropertyKey, PropertyKind, UnaryOperator,
};
use serde_json::Number;

use super::report::{Said, Subject};
use crate::carrier::findings::shown;
use crate::carrier::words::is_integer_like;
use crate::finding::{FindingId, authored_twice};
use crate::model::MAX_OPEN_DEPTH;
use crate::typescript::{
    Builder, Builders, COMPUTED_NAME, File, Key, Refused, STATIC_GRAMMAR, key_of, string_of, unwrapped,
};

/// A static value and the 1-based line on which it stands.
#[derive(Debug)]
pub(super) struct Static {
    /// The line.
    pub(super) line: u32,
    /// The value.
    pub(super) value: Value,
}

/// What a static value is.
#[derive(Debug)]
pub(super) enum Value {
    /// Text.
    Text(String),
    /// A finite number.
    Number(Number),
    /// `true` or `false`.
    Bool(bool),
    /// An array.
    List(Vec<Static>),
    /// An object.
    Map(Vec<Member>),
    /// An entry's `key` that is no static value: whoever reads the keys refuses it.
    NotStatic,
}

impl Value {
    /// The text that it is.
    pub(super) fn into_text(self) -> Option<String> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A member of an object; each key stands once.
#[derive(Debug)]
pub(super) struct Member {
    /// Its name.
    pub(super) key: String,
    /// The line on which the member opens.
    pub(super) line: u32,
    /// Its value.
    pub(super) value: Static,
}

/// Where a value stands: a step below another place. It is spelled only where a finding names it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path<'p> {
    above: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    Name(&'p str),
    Index(usize),
}

impl<'p> Path<'p> {
    /// A field of the document.
    pub(super) fn of(name: &'p str) -> Self {
        Path { above: None, step: Step::Name(name) }
    }

    /// A member below.
    pub(super) fn name(&'p self, name: &'p str) -> Self {
        Path { above: Some(self), step: Step::Name(name) }
    }

    /// An element below.
    pub(super) fn index(&'p self, at: usize) -> Self {
        Path { above: Some(self), step: Step::Index(at) }
    }

    /// Whether it is a member of a field of the document: `intent.openQuestions`.
    fn is(&self, field: &str, member: &str) -> bool {
        matches!(self, Path { above: Some(Path { above: None, step: Step::Name(of) }), step: Step::Name(name) } if *of == field && *name == member)
    }

    /// Whether it is a field of the document.
    fn is_field(&self, field: &str) -> bool {
        matches!(self, Path { above: None, step: Step::Name(name) } if *name == field)
    }

    /// Whether its entries may have a `key`.
    fn is_keyed_list(&self) -> bool {
        self.is("intent", "openQuestions") || self.is("behavior", "rules")
    }

    /// Whether its keys keep their authored order, which one that is like an integer cannot.
    fn refuses_integers(&self) -> bool {
        self.is_field("design") || self.is_field("ui") || self.is("model", "terms")
    }
}

impl fmt::Display for Path<'_> {
    /// Paths are as deep as values are: [`MAX_OPEN_DEPTH`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(above) = self.above {
            write!(f, "{above}")?;
        }
        match self.step {
            Step::Name(name) if self.above.is_some() => write!(f, ".{}", shown(name)),
            Step::Name(name) => write!(f, "{}", shown(name)),
            Step::Index(at) => write!(f, "[{at}]"),
        }
    }
}

/// Why a value could not be taken.
struct Fault {
    path: String,
    line: u32,
    why: Why,
}

enum Why {
    /// It is no static value.
    NotStatic(String),
    /// It nests too deep.
    TooDeep,
}

/// What a message says of an entry that is no plain property.
const NOT_PLAIN: &str = "only plain property assignments are static (no spreads, shorthand, methods, or accessors)";

/// What a message says of a repeated name.
pub(super) fn repeated(name: &str, consequence: &str) -> String {
    authored_twice(&shown(name), consequence)
}

/// What values are read with.
#[derive(Clone, Copy)]
pub(super) struct Reading<'e, 'a> {
    /// The file.
    pub(super) file: &'e File<'a>,
    /// Its builders.
    pub(super) builders: &'e Builders<'a>,
}

impl<'e, 'a> Reading<'e, 'a> {
    /// The value of a section; none, with a finding, where it is dropped.
    pub(super) fn section(
        self,
        name: &str,
        expression: &'e Expression<'a>,
        subject: &mut Subject<'_, '_>,
    ) -> Option<Static> {
        self.lossy(expression, Path::of(name), 0, subject)
    }

    /// A value whose members are dropped one by one.
    fn lossy(
        self,
        expression: &'e Expression<'a>,
        path: Path<'_>,
        depth: usize,
        subject: &mut Subject<'_, '_>,
    ) -> Option<Static> {
        let line = self.file.line_of(unwrapped(expression));
        let read = match unwrapped(expression) {
            Expression::ObjectExpression(_) if depth > MAX_OPEN_DEPTH => {
                Err(Fault { path: path.to_string(), line, why: Why::TooDeep })
            }
            Expression::ObjectExpression(object) => {
                Ok(Static { line, value: Value::Map(self.members(object, path, depth, subject)) })
            }
            _ => self.strict(expression, path, depth),
        };
        match read {
            Ok(value) => Some(value),
            Err(fault) => {
                drop_for(&fault, path, subject);
                None
            }
        }
    }

    /// The members of an object, each that can be read.
    fn members(
        self,
        object: &'e ObjectExpression<'a>,
        path: Path<'_>,
        depth: usize,
        subject: &mut Subject<'_, '_>,
    ) -> Vec<Member> {
        let mut members = Vec::new();
        let mut seen = HashSet::new();
        for entry in &object.properties {
            let line = self.file.line_of(entry);
            if path.refuses_integers()
                && let Some(key) = integer_key(entry)
            {
                refuse_integer(&key, line, path, subject);
                continue;
            }
            let (name, value) = match key_of(entry) {
                Key::Plain(name, value) => (name, value),
                Key::Computed => {
                    drop_at(path, line, COMPUTED_NAME, subject);
                    continue;
                }
                Key::NotPlain(name) => {
                    let name = name.unwrap_or("<entry>");
                    drop_at(path.name(name), line, NOT_PLAIN, subject);
                    continue;
                }
            };
            if !seen.insert(name) {
                let why = || repeated(name, "so the repeat drops and the first authored value survives");
                subject
                    .warning(FindingId::NonStaticSection, line, || dropped(path.name(name), path.name(name), &why()));
                continue;
            }
            if let Some(value) = self.lossy(value, path.name(name), depth + 1, subject) {
                members.push(Member { key: name.to_owned(), line, value });
            }
        }
        members
    }

    /// A value that is whole or none.
    fn strict(self, expression: &'e Expression<'a>, path: Path<'_>, depth: usize) -> Result<Static, Fault> {
        let inner = unwrapped(expression);
        let line = self.file.line_of(inner);
        if depth > MAX_OPEN_DEPTH {
            return Err(Fault { path: path.to_string(), line, why: Why::TooDeep });
        }
        let not_static = |Refused { why, span }: Refused| Fault {
            path: path.to_string(),
            line: self.file.line(span.start),
            why: Why::NotStatic(why),
        };
        let value = match inner {
            Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => {
                Value::Text(string_of(inner).map_err(not_static)?)
            }
            Expression::NumericLiteral(literal) => Value::Number(number(inner, literal.value).map_err(not_static)?),
            Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::UnaryNegation => {
                match unwrapped(&unary.argument) {
                    Expression::NumericLiteral(literal) => {
                        Value::Number(number(inner, -literal.value).map_err(not_static)?)
                    }
                    operand => return Err(not_static(Refused::kind(operand))),
                }
            }
            Expression::BooleanLiteral(literal) => Value::Bool(literal.value),
            Expression::ArrayExpression(array) => Value::List(self.elements(array, path, depth)?),
            Expression::ObjectExpression(object) => Value::Map(self.strict_members(object, path, depth)?),
            Expression::CallExpression(call) => {
                let refused = match self.builders.of(&call.callee) {
                    Some(builder) => Refused { why: of_a_builder(builder), ..Refused::kind(inner) },
                    None => Refused::kind(inner),
                };
                return Err(not_static(refused));
            }
            _ => return Err(not_static(Refused::kind(inner))),
        };
        Ok(Static { line, value })
    }

    fn elements(self, array: &'e ArrayExpression<'a>, path: Path<'_>, depth: usize) -> Result<Vec<Static>, Fault> {
        let mut values = Vec::with_capacity(array.elements.len());
        for (at, element) in array.elements.iter().enumerate() {
            let path = path.index(at);
            values.push(match element.as_expression() {
                Some(expression) => self.strict(expression, path, depth + 1)?,
                None => {
                    let why = Why::NotStatic(hole(element));
                    return Err(Fault { path: path.to_string(), line: self.file.line_of(element), why });
                }
            });
        }
        Ok(values)
    }

    fn strict_members(
        self,
        object: &'e ObjectExpression<'a>,
        path: Path<'_>,
        depth: usize,
    ) -> Result<Vec<Member>, Fault> {
        let may_have_key = matches!(path, Path { above: Some(list), step: Step::Index(_) } if list.is_keyed_list());
        let mut members = Vec::with_capacity(object.properties.len());
        let mut seen = HashSet::new();
        for entry in &object.properties {
            let line = self.file.line_of(entry);
            let fault = |path: Path<'_>, why: String| Fault { path: path.to_string(), line, why: Why::NotStatic(why) };
            let (name, value) = match key_of(entry) {
                Key::Plain(name, value) => (name, value),
                Key::Computed => return Err(fault(path, COMPUTED_NAME.to_owned())),
                Key::NotPlain(_) => return Err(fault(path, NOT_PLAIN.to_owned())),
            };
            let path = path.name(name);
            if !seen.insert(name) {
                return Err(fault(path, repeated(name, "so the value cannot be reified faithfully")));
            }
            let value = match self.strict(value, path, depth + 1) {
                Err(fault) if may_have_key && name == "key" => Static { line: fault.line, value: Value::NotStatic },
                value => value?,
            };
            members.push(Member { key: name.to_owned(), line, value });
        }
        Ok(members)
    }
}

/// What is said of an element that is no expression.
pub(super) fn hole(element: &ArrayExpressionElement<'_>) -> String {
    let kind = match element {
        ArrayExpressionElement::SpreadElement(_) => "SpreadElement",
        _ => "OmittedExpression",
    };
    format!("{kind} {STATIC_GRAMMAR}")
}

fn of_a_builder(builder: Builder) -> String {
    let name = builder.as_str();
    match builder {
        Builder::Id(_) => format!(
            "call to \"{name}\" is an id builder outside an id slot — sections carry content, relations carry linkage (MD-10), so a spec reference cannot ride along as content"
        ),
        _ => format!("call to \"{name}\" is non-static in a value position"),
    }
}

/// A number as JavaScript holds it: an integer where it is a safe one, no negative zero.
fn number(expression: &Expression<'_>, value: f64) -> Result<Number, Refused> {
    const SAFE: f64 = 9_007_199_254_740_991.0;
    let held = if value.fract() == 0.0 && value.abs() <= SAFE {
        // An integer so small is held exactly, and zero loses its sign.
        Some(Number::from(value as i64))
    } else {
        Number::from_f64(value)
    };
    held.ok_or_else(|| Refused { why: "the number is not finite".to_owned(), ..Refused::kind(expression) })
}

/// The key of a property, method or accessor where it is like an integer, as JavaScript reads it.
fn integer_key(entry: &ObjectPropertyKind<'_>) -> Option<String> {
    let ObjectPropertyKind::ObjectProperty(property) = entry else { return None };
    let ObjectProperty {
        key, computed: false, kind: PropertyKind::Init | PropertyKind::Get | PropertyKind::Set, ..
    } = &**property
    else {
        return None;
    };
    let key = match key {
        PropertyKey::StringLiteral(name) => name.value.as_str().to_owned(),
        // A number of so many digits is written with an exponent in JavaScript.
        PropertyKey::NumericLiteral(name) if name.value < 1e21 => name.value.to_string(),
        PropertyKey::BigIntLiteral(name) => name.value.as_str().to_owned(),
        _ => return None,
    };
    is_integer_like(&key).then_some(key)
}

fn refuse_integer(key: &str, line: u32, path: Path<'_>, subject: &mut Subject<'_, '_>) {
    subject.member_error(FindingId::UnrecognizedProperty, line, || {
        let message = format!(
            "property \"{}\" is refused: integer-like keys are not accepted in design, ui, or model terms",
            shown(key)
        );
        Said::new(message)
            .at(path.name(key))
            .help("open the key with a letter: JavaScript would move a number before all other keys".to_owned())
    });
}

/// Says that a member is dropped for what stands in it.
fn drop_for(fault: &Fault, path: Path<'_>, subject: &mut Subject<'_, '_>) {
    match &fault.why {
        Why::NotStatic(why) => {
            subject.warning(FindingId::NonStaticSection, fault.line, || dropped(path, &fault.path, why));
        }
        Why::TooDeep => subject.error(FindingId::MistypedProperty, fault.line, || {
            let message = format!(
                "property \"{path}\" nests more than {MAX_OPEN_DEPTH} values deep, so the spec is not extracted"
            );
            Said::new(message).at(path).help("write it in fewer levels, or as text".to_owned())
        }),
    }
}

fn drop_at(path: Path<'_>, line: u32, why: &str, subject: &mut Subject<'_, '_>) {
    subject.warning(FindingId::NonStaticSection, line, || dropped(path, path, why));
}

/// What is said of a dropped member.
pub(super) fn dropped(path: impl fmt::Display, at: impl fmt::Display, why: &str) -> Said {
    let help = if why == NOT_PLAIN {
        Some("write each property as `name: value`, with the value itself")
    } else if why == COMPUTED_NAME {
        Some("write the name itself, or as a string")
    } else if why.contains("is an id builder") {
        Some("declare the tie under `relations`, or write the id as a string, which is a mention")
    } else if why.starts_with("SpreadElement ") {
        Some("write each element of the array itself")
    } else if why.starts_with("NullKeyword ") {
        Some("leave the property out: what is not stated has no value")
    } else {
        None
    };
    Said::new(format!("property \"{path}\" dropped: at \"{at}\", {why}")).at(path).help(help.map(str::to_owned))
}
