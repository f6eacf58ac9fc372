//! The arguments of one attribute: their text comes in, the fields of the envelope that they state go out, with a finding
//! for each argument that is refused. Only strings count: nothing here expands a macro or knows a constant.

use std::ops::Range;

use super::MAX_FINDINGS;
use super::attribute::Leaf;
use super::form::Form;
use super::lines::Lines;
use super::tokens::{Kind, Token, Tokens};
use crate::anchor::envelope::{Field, LAYERS, RawField, not_reified, outside_contract};
use crate::finding::{Finding, FindingId};
use crate::harmless::shown;
use crate::model::{parse_slot_id, wrong_namespace};
use crate::suggest::first_nearest;

/// How many characters of a name a message shows.
const MAX_SHOWN: usize = 80;

/// The id in the place of one that was refused. It leaves open whether the anchor is one of a component.
pub(super) const fn refused_id(form: Form) -> &'static str {
    match form {
        Form::Satisfies | Form::Component | Form::Anchor => "component:refused",
        Form::Verifies => "test:refused",
        Form::Models => "oracle:refused",
    }
}

/// What an attribute states.
pub(super) struct Stated {
    /// Its fields, in the order in which they are written; its Spec ids are one field, and the last. In the place of a value
    /// that was refused there stands one that the envelope has nothing to say about.
    pub(super) fields: Vec<RawField>,
    /// What was refused, each at its line. With one the attribute is no anchor.
    pub(super) findings: Vec<Finding>,
}

/// Reads what an attribute states between its brackets.
pub(super) fn read(form: Form, file: &str, text: &str, lines: &Lines, at: usize, leaf: &Leaf<'_>) -> Stated {
    let line = lines.line(at);
    let mut reader = Reader { form, file, text, lines, fields: Vec::new(), targets: Vec::new(), findings: Vec::new() };
    let range = leaf.arguments.clone().unwrap_or(at..at);
    let tokens = Tokens::new(text.get(range.clone()).unwrap_or_default())
        .map(|Token { kind, range: own }| Token { kind, range: own.start + range.start..own.end + range.start });
    for argument in reader.parted(tokens) {
        reader.argument(&argument);
    }
    reader.take_targets(line);
    reader.judge_namespace();
    Stated { fields: reader.fields, findings: reader.findings }
}

struct Reader<'a> {
    form: Form,
    file: &'a str,
    text: &'a str,
    lines: &'a Lines,
    fields: Vec<RawField>,
    targets: Vec<(String, u32)>,
    findings: Vec<Finding>,
}

impl Reader<'_> {
    fn refuse(&mut self, id: FindingId, at: usize, message: String, help: impl Into<String>) {
        self.refuse_line(id, self.lines.line(at), message, help);
    }

    fn refuse_line(&mut self, id: FindingId, line: u32, message: String, help: impl Into<String>) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(Finding::error(id, message).at(self.file, line).with_help(help));
        }
    }

    fn reify(&mut self, field: &str, at: usize, why: &str, help: impl Into<String>) {
        self.refuse(FindingId::NonStaticEnvelope, at, not_reified(field, why), help);
    }

    fn written(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// What commas part. The last part may be followed by a comma; no other may be empty.
    fn parted(&mut self, tokens: impl Iterator<Item = Token>) -> Vec<Vec<Token>> {
        let (mut parts, mut part, mut depth) = (Vec::new(), Vec::new(), 0_usize);
        for token in tokens {
            match token.kind {
                Kind::Open(_) => depth += 1,
                Kind::Close(_) => depth = depth.saturating_sub(1),
                Kind::Punct(',') if depth == 0 => {
                    if part.is_empty() {
                        let message = "nothing stands before this comma".to_owned();
                        self.refuse(FindingId::NonStaticEnvelope, token.range.start, message, "remove the comma");
                    } else {
                        parts.push(std::mem::take(&mut part));
                    }
                    continue;
                }
                _ => {}
            }
            part.push(token);
        }
        if !part.is_empty() {
            parts.push(part);
        }
        parts
    }

    fn argument(&mut self, tokens: &[Token]) {
        match tokens {
            [name, equals, value @ ..] if name.kind == Kind::Word && equals.kind == Kind::Punct('=') => {
                self.named(name, value);
            }
            [first, ..] => match self.form.targets() {
                Some(field) => {
                    let target = self.value(field, tokens);
                    self.targets.push(target);
                }
                None => {
                    let message = format!("`{}` takes no Spec ids", self.form.name());
                    let help = "write #[sdp::satisfies(\"spec:…\")] on what realizes a Spec, or references = \"spec:…\" on what is written against it";
                    self.refuse(FindingId::NonStaticEnvelope, first.range.start, message, help);
                }
            },
            [] => {}
        }
    }

    fn named(&mut self, name: &Token, value: &[Token]) {
        let at = name.range.start;
        let name = self.written(&name.range).to_owned();
        let is_positional = |field: Field| matches!(field, Field::Satisfies | Field::Verifies | Field::Models);
        let known = Field::ALL.iter().copied().find(|field| field.as_str() == name);
        let is_named = |field: &Field| !(is_positional(*field) && self.form.contract().contains(field));
        let Some(field) = known.filter(is_named) else {
            self.unknown(&name, at);
            // The Spec ids are there, only not as they should be.
            if let Some(field) = known.filter(|field| self.form.targets() == Some(*field)) {
                self.targets.push(self.stand_in(field, at));
            }
            return;
        };
        let takes_list = matches!(field, Field::Uses | Field::References) || is_positional(field);
        let values = match value {
            [] => {
                self.reify(&name, at, "it has no value", format!("write {name} = \"…\""));
                vec![self.stand_in(field, at)]
            }
            [open, inner @ .., _] if open.kind == Kind::Open(b'[') && is_one_group(value) => {
                if takes_list {
                    let parts = self.parted(inner.iter().cloned());
                    parts.iter().map(|part| self.value(field, part)).collect()
                } else {
                    let why = "one string must stand here, and this is a list";
                    self.reify(&name, open.range.start, why, format!("write {name} = \"…\""));
                    vec![self.stand_in(field, open.range.start)]
                }
            }
            _ => vec![self.value(field, value)],
        };
        self.fields.push(RawField { field, line: self.lines.line(at), values });
    }

    /// Whether the id is one that this attribute takes. Whether it is one at all, the envelope says.
    fn judge_namespace(&mut self) {
        let wanted = self.form.namespaces();
        let id = self.fields.iter_mut().find(|raw| raw.field == Field::Id).and_then(|raw| raw.values.first_mut());
        let Some((id, line)) = id else { return };
        let Some(namespace) = parse_slot_id(id).ok().filter(|namespace| !wanted.contains(namespace)) else { return };
        let message = not_reified("id", &wrong_namespace(id, namespace, wanted));
        let openings: Vec<String> = wanted.iter().map(|namespace| format!("`{namespace}:`")).collect();
        let help = format!("write an id that opens with {}", openings.join(" or "));
        let line = *line;
        *id = refused_id(self.form).to_owned();
        self.refuse_line(FindingId::InvalidId, line, message, help);
    }

    /// A name that is no field at all, or one that is stated otherwise.
    fn unknown(&mut self, name: &str, at: usize) {
        let form = self.form.name();
        if self.form.contract().iter().any(|field| field.as_str() == name) {
            let help = match self.form.targets() {
                Some(_) => "write the Spec ids as plain strings, without a name".to_owned(),
                None => format!("write #[sdp::{name}(\"spec:…\")] instead"),
            };
            self.refuse(FindingId::NonStaticEnvelope, at, format!("\"{name}\" is no named argument of `{form}`"), help);
            return;
        }
        let contract: Vec<&str> = self.form.contract().iter().map(|field| field.as_str()).collect();
        let message = outside_contract(&shown(name, MAX_SHOWN), self.form.contract());
        let positional = self.form.targets().map_or("satisfies", Field::as_str);
        let names = || contract.iter().copied().filter(|field| *field != positional);
        let help = match first_nearest(name, names(), 2) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("`{form}` takes the names {}", names().collect::<Vec<_>>().join(", ")),
        };
        self.refuse(FindingId::NonStaticEnvelope, at, message, help);
    }

    /// One value of a field, with its line.
    fn value(&mut self, field: Field, tokens: &[Token]) -> (String, u32) {
        let at = tokens.first().map_or(0, |token| token.range.start);
        match self.string(field.as_str(), at, tokens) {
            Some(value) => (value, self.lines.line(at)),
            None => self.stand_in(field, at),
        }
    }

    /// What stands in the place of a refused value: nothing that the envelope refuses, so that one mistake is told once.
    fn stand_in(&self, field: Field, at: usize) -> (String, u32) {
        let value = match field {
            Field::Id => refused_id(self.form).to_owned(),
            // Targets differ by their place.
            Field::Satisfies | Field::Verifies | Field::Models | Field::References => format!("spec:refused.{at}"),
            Field::Uses => format!("impl:refused.{at}"),
            Field::Component => "component:refused".to_owned(),
            Field::Layer => LAYERS.first().copied().unwrap_or_default().to_owned(),
            Field::Label | Field::Role | Field::Context => "refused".to_owned(),
        };
        (value, self.lines.line(at))
    }

    /// The string that some tokens are; refuses all else.
    fn string(&mut self, field: &str, at: usize, tokens: &[Token]) -> Option<String> {
        let what = match tokens {
            [one] if one.kind == Kind::Text => match syn::parse_str::<syn::Lit>(self.written(&one.range)) {
                Ok(syn::Lit::Str(string)) => return Some(string.value()),
                Ok(syn::Lit::ByteStr(_)) => "a byte string",
                Ok(syn::Lit::CStr(_)) => "a C string",
                _ => "code",
            },
            [one, suffix]
                if one.kind == Kind::Text && suffix.kind == Kind::Word && one.range.end == suffix.range.start =>
            {
                "a string with a suffix"
            }
            [one] if one.kind == Kind::Literal => "a number or a character",
            [one, mark, ..] if one.kind == Kind::Word && mark.kind == Kind::Punct('!') => "a macro",
            [open, ..] if open.kind == Kind::Open(b'[') && is_one_group(tokens) => "a list",
            _ => "code",
        };
        let help = match what {
            "a list" => "write the strings one after another, without brackets",
            _ => "write the text itself in quotes: nothing here expands a macro or knows a constant",
        };
        self.reify(field, at, &format!("a string must stand here, and this is {what}"), help);
        None
    }

    fn take_targets(&mut self, line: u32) {
        let mut targets = std::mem::take(&mut self.targets);
        let Some(field) = self.form.targets() else { return };
        if field == Field::Models {
            for (_, line) in targets.drain(1.min(targets.len())..) {
                let message = "anchor field \"models\" names more than one target; exactly one is required".to_owned();
                let help = "let another oracle model the other Spec";
                self.refuse_line(FindingId::NonStaticEnvelope, line, message, help);
            }
        }
        // `models` without a target misses it; the others name no target, but for a component, which needs none.
        if !targets.is_empty() || matches!(self.form, Form::Satisfies | Form::Verifies) {
            let line = targets.first().map_or(line, |(_, line)| *line);
            self.fields.push(RawField { field, line, values: targets });
        }
    }
}

/// Whether the bracket that opens some tokens closes with the last of them.
fn is_one_group(tokens: &[Token]) -> bool {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return index + 1 == tokens.len();
        }
    }
    false
}
