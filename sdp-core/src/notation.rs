//! Slot notation: the text of one step goes in, its slots and its skeleton come out. Total and linear: whatever does
//! not keep the notation is prose (fact sheet part 10.1).

use std::fmt;

use crate::model::is_js_whitespace;
use crate::number;

/// A `{…}` group of a step whose name keeps the grammar.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot<'a> {
    /// The slot's name.
    pub name: &'a str,
    /// What stands between the braces, without white space at its ends.
    pub source: &'a str,
    /// What stands behind the colon.
    pub form: SlotForm<'a>,
}

/// The forms of a slot.
#[derive(Clone, Debug, PartialEq)]
pub enum SlotForm<'a> {
    /// `{n}`.
    Bare,
    /// `{n:number}` or `{n:"x"|"y"}`.
    Typed(SlotType<'a>),
    /// `{n: 2}`, `{n: "x"}`, `{n: true}`.
    Bound(SlotValue<'a>),
    /// Anything else behind the colon.
    Malformed,
}

/// The declared type of a slot.
#[derive(Clone, Debug, PartialEq)]
pub enum SlotType<'a> {
    /// `number`.
    Number,
    /// `string`.
    String,
    /// `boolean`.
    Boolean,
    /// Two or more quoted literals.
    OneOf(Vec<&'a str>),
}

/// The value that a slot binds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SlotValue<'a> {
    /// A number.
    Number(f64),
    /// A text.
    Text(&'a str),
    /// A truth value.
    Boolean(bool),
}

/// As an author writes it: `number`, or `"a"|"b"`.
impl fmt::Display for SlotType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SlotType::Number => f.write_str("number"),
            SlotType::String => f.write_str("string"),
            SlotType::Boolean => f.write_str("boolean"),
            SlotType::OneOf(literals) => {
                for (place, literal) in literals.iter().enumerate() {
                    write!(f, "{}\"{literal}\"", if place > 0 { "|" } else { "" })?;
                }
                Ok(())
            }
        }
    }
}

/// A text in quotes, a number as JavaScript writes it.
impl fmt::Display for SlotValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // `-0` is written `0`.
            SlotValue::Number(number) => f.write_str(&number::number(number + 0.0)),
            SlotValue::Text(text) => write!(f, "\"{text}\""),
            SlotValue::Boolean(value) => write!(f, "{value}"),
        }
    }
}

impl Slot<'_> {
    /// Whether the slot names a value.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        matches!(self.form, SlotForm::Bound(_))
    }
}

/// One step, read: prose and slots in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<'a> {
    /// The bytes of the text, which no skeleton exceeds.
    length: usize,
    parts: Vec<Part<'a>>,
}

#[derive(Clone, Debug, PartialEq)]
enum Part<'a> {
    Prose(&'a str),
    Slot(Slot<'a>),
}

impl<'a> Step<'a> {
    /// Reads the text of a step.
    #[must_use]
    pub fn read(text: &'a str) -> Self {
        let mut parts = Vec::new();
        let (mut prose, mut at) = (0, 0);
        while let Some(open) = text.get(at..).and_then(|rest| rest.find('{')).map(|offset| at + offset) {
            at = open + 1;
            match group_end(text, at) {
                GroupEnd::Closed(close) => {
                    if let Some(slot) = text.get(at..close).and_then(slot_of) {
                        if let Some(before) = text.get(prose..open).filter(|before| !before.is_empty()) {
                            parts.push(Part::Prose(before));
                        }
                        parts.push(Part::Slot(slot));
                        prose = close + 1;
                    }
                    at = close + 1;
                }
                GroupEnd::Abandoned(brace) => at = brace,
                // No unquoted end follows; a later brace may still open a group that this one's quote hid.
                GroupEnd::Open => {}
            }
        }
        if let Some(rest) = text.get(prose..).filter(|rest| !rest.is_empty()) {
            parts.push(Part::Prose(rest));
        }
        Step { length: text.len(), parts }
    }

    /// The slots, in order.
    pub fn slots(&self) -> impl Iterator<Item = &Slot<'a>> {
        self.parts.iter().filter_map(|part| match part {
            Part::Slot(slot) => Some(slot),
            Part::Prose(_) => None,
        })
    }

    /// The step's identity: each slot as `{name}`.
    #[must_use]
    pub fn skeleton(&self) -> String {
        let mut skeleton = String::with_capacity(self.length);
        for part in &self.parts {
            match part {
                Part::Prose(prose) => skeleton.push_str(prose),
                Part::Slot(slot) => {
                    skeleton.push('{');
                    skeleton.push_str(slot.name);
                    skeleton.push('}');
                }
            }
        }
        skeleton
    }
}

enum GroupEnd {
    Closed(usize),
    Abandoned(usize),
    Open,
}

/// Where the group that opens before `start` ends: at an unquoted `}`, or at an unquoted `{` that starts over.
fn group_end(text: &str, start: usize) -> GroupEnd {
    let mut quoted = false;
    for (offset, byte) in text.as_bytes().get(start..).unwrap_or_default().iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'}' if !quoted => return GroupEnd::Closed(start + offset),
            b'{' if !quoted => return GroupEnd::Abandoned(start + offset),
            _ => {}
        }
    }
    GroupEnd::Open
}

fn slot_of(inner: &str) -> Option<Slot<'_>> {
    let inner = inner.trim_matches(is_js_whitespace);
    let (name, value) = match inner.split_once(':') {
        Some((name, value)) => (name.trim_matches(is_js_whitespace), Some(value.trim_matches(is_js_whitespace))),
        None => (inner, None),
    };
    let mut bytes = name.bytes();
    let is_name = bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if !is_name {
        return None;
    }
    let form = match value {
        _ if name == "__proto__" => SlotForm::Malformed,
        None => SlotForm::Bare,
        Some(value) => form_of(value),
    };
    Some(Slot { name, source: inner, form })
}

fn form_of(value: &str) -> SlotForm<'_> {
    match value {
        "number" => return SlotForm::Typed(SlotType::Number),
        "string" => return SlotForm::Typed(SlotType::String),
        "boolean" => return SlotForm::Typed(SlotType::Boolean),
        "true" => return SlotForm::Bound(SlotValue::Boolean(true)),
        "false" => return SlotForm::Bound(SlotValue::Boolean(false)),
        _ => {}
    }
    if value.starts_with('"') {
        return match literals(value).as_deref() {
            Some([only]) => SlotForm::Bound(SlotValue::Text(only)),
            Some(several) => SlotForm::Typed(SlotType::OneOf(several.to_vec())),
            None => SlotForm::Malformed,
        };
    }
    if is_number(value)
        && let Ok(number) = value.parse::<f64>()
    {
        return SlotForm::Bound(SlotValue::Number(number));
    }
    SlotForm::Malformed
}

/// `"a"|"b"`: the texts of quoted literals joined by `|`; white space may stand around each.
fn literals(value: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let mut rest = value;
    loop {
        let opened = rest.trim_start_matches(is_js_whitespace).strip_prefix('"')?;
        let (literal, after) = opened.split_once('"')?;
        found.push(literal);
        let after = after.trim_start_matches(is_js_whitespace);
        if after.is_empty() {
            return Some(found);
        }
        rest = after.strip_prefix('|')?;
    }
}

/// `^-?(?:\d+\.?\d*|\.\d+)$`.
fn is_number(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let (whole, fraction) = match digits.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits, None),
    };
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    all_digits(whole)
        && fraction.is_none_or(all_digits)
        && (!whole.is_empty() || fraction.is_some_and(|fraction| !fraction.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&str> {
        Step::read(text).slots().map(|slot| slot.name).collect()
    }

    #[test]
    fn each_form_is_told_apart() {
        let cases = [
            ("{n}", "Bare"),
            ("{n:number}", "Typed(Number)"),
            ("{ n : string }", "Typed(String)"),
            ("{n:\"a|b\"|\"c\"}", "Typed(OneOf([\"a|b\", \"c\"]))"),
            ("{n: 2}", "Bound(Number(2.0))"),
            ("{n: 00012}", "Bound(Number(12.0))"),
            ("{n: .5}", "Bound(Number(0.5))"),
            ("{n: -3.}", "Bound(Number(-3.0))"),
            ("{n: \"\"}", "Bound(Text(\"\"))"),
            ("{n: true}", "Bound(Boolean(true))"),
            ("{n: 1e3}", "Malformed"),
            ("{n: }", "Malformed"),
            ("{n: \"a\"b\"\"}", "Malformed"),
            ("{n: \"a\" \"b\"}", "Malformed"),
            ("{__proto__: 1}", "Malformed"),
        ];
        for (text, form) in cases {
            let found: Vec<String> = Step::read(text).slots().map(|slot| format!("{:?}", slot.form)).collect();
            assert_eq!(found, [form], "{text}");
        }
    }

    #[test]
    fn what_keeps_no_notation_is_prose() {
        for text in ["{}", "{ 1a: 2}", "a { b", "} {", "{a b}", "{é: 1}"] {
            assert_eq!(Step::read(text).slots().count(), 0, "{text}");
            assert_eq!(Step::read(text).skeleton(), text);
        }
    }

    #[test]
    fn a_stray_brace_is_prose_only_up_to_the_next_candidate() {
        assert_eq!(names("{n: \"unterminated} {m: 2}"), ["m"]);
        assert_eq!(names("{a {b} c}"), ["b"]);
        assert_eq!(Step::read("given {n: 2} and {s: \"}\"}!").skeleton(), "given {n} and {s}!");
    }

    #[test]
    fn braces_and_quotes_without_end_are_prose() {
        for piece in ["{\"", "{", "\"{", "{a:", "{\"{"] {
            let step = piece.repeat(20_000);
            assert_eq!(Step::read(&step).slots().count(), 0, "{piece}");
            assert_eq!(Step::read(&step).skeleton(), step, "{piece}");
        }
    }
}
