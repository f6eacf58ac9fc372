//! The arguments of one attribute: their text comes in, the fields of the envelope that they state go out, with a finding
//! for each argument that states none. Only strings count: nothing here expands a macro or knows a constant.

use std::ops::Range;

use super::attribute::{Leaf, NAMES};
use super::lines::Lines;
use super::tokens::{Kind, Token, Tokens};
use crate::anchor::envelope::{Field, RawField};
use crate::finding::{Finding, FindingId};
use crate::harmless::shown;
use crate::model::parse_slot_id;
use crate::suggest::first_nearest;

/// How many characters of a name a message shows.
const MAX_SHOWN: usize = 80;

const CODE: &[Field] = &[
    Field::Id,
    Field::Satisfies,
    Field::Label,
    Field::Component,
    Field::Uses,
    Field::References,
    Field::Role,
    Field::Layer,
    Field::Context,
];

/// One of our attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Satisfies,
    Verifies,
    Models,
    Component,
    Anchor,
}

impl Form {
    const ALL: [Form; 5] = [Form::Satisfies, Form::Verifies, Form::Models, Form::Component, Form::Anchor];

    /// The attribute of a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        NAMES.iter().position(|own| *own == name).and_then(|at| Form::ALL.get(at).copied())
    }

    const fn name(self) -> &'static str {
        match self {
            Form::Satisfies => "satisfies",
            Form::Verifies => "verifies",
            Form::Models => "models",
            Form::Component => "component",
            Form::Anchor => "anchor",
        }
    }

    /// The namespace of an id that it does not state.
    pub(super) const fn namespace(self) -> &'static str {
        match self {
            Form::Satisfies | Form::Anchor => "impl",
            Form::Verifies => "test",
            Form::Models => "oracle",
            Form::Component => "component",
        }
    }

    /// The namespaces that its id may have.
    const fn namespaces(self) -> &'static [&'static str] {
        match self {
            Form::Satisfies | Form::Anchor => &["impl", "api", "component"],
            Form::Verifies => &["test"],
            Form::Models => &["oracle"],
            Form::Component => &["component"],
        }
    }

    /// The field that its Spec ids state.
    const fn targets(self) -> Option<Field> {
        match self {
            Form::Satisfies | Form::Component => Some(Field::Satisfies),
            Form::Verifies => Some(Field::Verifies),
            Form::Models => Some(Field::Models),
            Form::Anchor => None,
        }
    }

    const fn contract(self) -> &'static [Field] {
        match self {
            Form::Satisfies | Form::Component | Form::Anchor => CODE,
            Form::Verifies => &[Field::Id, Field::Verifies, Field::Label],
            Form::Models => &[Field::Id, Field::Models, Field::Label],
        }
    }
}

/// Reads what an attribute states, in the order in which it is written; its Spec ids are one field, and the last.
///
/// # Errors
/// Every finding about its arguments, each at its line.
pub(super) fn read(
    form: Form,
    file: &str,
    text: &str,
    lines: &Lines,
    at: usize,
    leaf: &Leaf<'_>,
) -> Result<Vec<RawField>, Vec<Finding>> {
    let line = lines.line(at);
    let mut reader = Reader { form, file, text, lines, fields: Vec::new(), targets: Vec::new(), findings: Vec::new() };
    if leaf.has_value {
        let message = format!("`{}` takes its arguments in parentheses", form.name());
        reader.refuse(FindingId::NonStaticEnvelope, at, message, format!("write #[{}(\"…\")]", leaf.written()));
    }
    let range = leaf.arguments.clone().unwrap_or(at..at);
    let tokens = Tokens::new(text.get(range.clone()).unwrap_or_default())
        .map(|Token { kind, range: own }| Token { kind, range: own.start + range.start..own.end + range.start });
    for argument in reader.parted(tokens) {
        reader.argument(&argument);
    }
    reader.take_targets(line);
    if reader.findings.is_empty() { Ok(reader.fields) } else { Err(reader.findings) }
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
        self.findings.push(Finding::error(id, message).at(self.file, self.lines.line(at)).with_help(help));
    }

    fn reify(&mut self, field: &str, at: usize, why: &str, help: impl Into<String>) {
        let message = format!("anchor field \"{field}\" did not reify: {why}");
        self.refuse(FindingId::NonStaticEnvelope, at, message, help);
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
            _ => {
                let field = self.form.targets().map_or("id", Field::as_str);
                if let Some(target) = self.string(field, tokens) {
                    self.targets.push(target);
                }
            }
        }
    }

    fn named(&mut self, name: &Token, value: &[Token]) {
        let at = name.range.start;
        let name = self.written(&name.range).to_owned();
        let is_positional = |field: Field| matches!(field, Field::Satisfies | Field::Verifies | Field::Models);
        let field = Field::ALL.iter().copied().find(|field| field.as_str() == name);
        let Some(field) = field.filter(|field| self.form.contract().contains(field) && !is_positional(*field)) else {
            self.unknown(&name, at);
            return;
        };
        let takes_list = matches!(field, Field::Uses | Field::References);
        let values = match value {
            [] => {
                self.reify(&name, at, "it has no value", format!("write {name} = \"…\""));
                return;
            }
            [open, inner @ .., _] if open.kind == Kind::Open(b'[') && is_one_group(value) => {
                if !takes_list {
                    let why = "one string must stand here, and this is a list";
                    self.reify(&name, open.range.start, why, format!("write {name} = \"…\""));
                    return;
                }
                let parts = self.parted(inner.iter().cloned());
                parts.iter().filter_map(|part| self.string(&name, part)).collect()
            }
            _ => match self.string(&name, value) {
                Some(value) => vec![value],
                None => return,
            },
        };
        if field == Field::Id {
            self.judge_namespace(&values, value.first().map_or(at, |first| first.range.start));
        }
        self.fields.push(RawField { field, line: self.lines.line(at), values });
    }

    /// Whether the id is one that this attribute takes. Whether it is one at all, the envelope says.
    fn judge_namespace(&mut self, values: &[(String, u32)], at: usize) {
        let wanted = self.form.namespaces();
        let Some((id, _)) = values.first() else { return };
        let Some(namespace) = parse_slot_id(id).ok().filter(|namespace| !wanted.contains(namespace)) else { return };
        let quoted: Vec<String> = wanted.iter().map(|namespace| format!("\"{namespace}\"")).collect();
        let one_of = match &quoted[..] {
            [one] => format!("{one} is required"),
            several => format!("one of {} is required", several.join(" · ")),
        };
        let message =
            format!("anchor field \"id\" did not reify: id \"{id}\" carries namespace \"{namespace}\" where {one_of}");
        let openings: Vec<String> = wanted.iter().map(|namespace| format!("`{namespace}:`")).collect();
        let help = format!("write an id that opens with {}", openings.join(" or "));
        self.refuse(FindingId::InvalidId, at, message, help);
    }

    /// A name that is no field of this attribute, or one that is stated otherwise.
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
        let message = format!(
            "anchor field \"{}\" is outside the binding contract ({}) — an anchor asserts a binding only, never system-truth content",
            shown(name, MAX_SHOWN),
            contract.join(" · ")
        );
        let positional = self.form.targets().map_or("satisfies", Field::as_str);
        let names = || contract.iter().copied().filter(|field| *field != positional);
        let help = match first_nearest(name, names(), 2) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("`{form}` takes the names {}", names().collect::<Vec<_>>().join(", ")),
        };
        self.refuse(FindingId::NonStaticEnvelope, at, message, help);
    }

    /// The string that some tokens are, with its line; refuses all else.
    fn string(&mut self, field: &str, tokens: &[Token]) -> Option<(String, u32)> {
        let first = tokens.first()?;
        let at = first.range.start;
        let what = match tokens {
            [one] if one.kind == Kind::Text => match syn::parse_str::<syn::Lit>(self.written(&one.range)) {
                Ok(syn::Lit::Str(string)) => return Some((string.value(), self.lines.line(at))),
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
        let targets = std::mem::take(&mut self.targets);
        let Some(field) = self.form.targets() else {
            if let Some((_, line)) = targets.first() {
                let message = format!("`{}` takes no Spec ids", self.form.name());
                let help = "write #[sdp::satisfies(\"spec:…\")] on what realizes a Spec, or references = \"spec:…\" on what is written against it";
                let finding = Finding::error(FindingId::NonStaticEnvelope, message).at(self.file, *line);
                self.findings.push(finding.with_help(help));
            }
            return;
        };
        if field == Field::Models
            && let [_, (_, line), ..] = &targets[..]
        {
            let message = "anchor field \"models\" names more than one target; exactly one is required";
            let finding = Finding::error(FindingId::NonStaticEnvelope, message).at(self.file, *line);
            self.findings.push(finding.with_help("let another oracle model the other Spec"));
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
