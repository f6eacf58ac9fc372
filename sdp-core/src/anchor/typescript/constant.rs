//! The constant form: top-level `const x = codeAnchor({…})`, `specTest({…})` and `specOracle({…})`. A file and its builders
//! come in, the anchors go out. Values are read here as syntax; what an anchor may state is judged by the [`envelope`].

use hashbrown::HashSet;
use oxc_ast::ast::{
    ArrayExpressionElement, CallExpression, Declaration, Expression, ObjectPropertyKind, Statement,
    VariableDeclarationKind,
};
use oxc_span::{GetSpan, Span};

use super::MAX_FINDINGS;
use crate::anchor::Read;
use crate::anchor::envelope::{self, Field, Kind, RawAnchor, RawField, not_reified, outside_contract};
use crate::finding::{Finding, FindingId};
use crate::harmless::shown;
use crate::suggest::first_nearest;
use crate::typescript::{
    Builder, Builders, COMPUTED_NAME, File, IdBuilder, IdFault, Key, Refused, STATIC_GRAMMAR, arguments_object, id_of,
    key_of, remedies, string_of, unwrapped,
};

/// How many targets one field may name.
const MAX_TARGETS: usize = 1000;

/// How many characters of a name a message shows, and how many are held against the known names.
const MAX_SHOWN: usize = 60;

/// How far an unknown name may be from the one that was meant.
const NEAR: usize = 2;

/// The builders that `component` takes, and those of `uses`.
const COMPONENT: &[IdBuilder] = &[IdBuilder::ComponentAnchor];
const USES: &[IdBuilder] = &[IdBuilder::CodeAnchor, IdBuilder::ComponentAnchor];

/// Reads the anchors of constants, in their order. The offsets of the calls go out, of those that are refused too.
pub(super) fn read(path: &str, file: &File<'_>, builders: &Builders<'_>, read: &mut Read) -> HashSet<u32> {
    let mut recognized = HashSet::new();
    for call in constants(file) {
        let Some((builder, kind)) = builders.of(&call.callee).and_then(|builder| Some((builder, kind(builder)?)))
        else {
            continue;
        };
        recognized.insert(call.span.start);
        if read.findings.len() <= MAX_FINDINGS {
            Reader { path, file, builders, kind, id: None, raw: RawAnchor::default(), findings: Vec::new() }
                .call(builder, call, read);
        }
    }
    recognized
}

/// The calls that give the top-level constants of a file their values, in their order.
pub(super) fn constants<'e, 'a>(file: &File<'a>) -> impl Iterator<Item = &'e CallExpression<'a>>
where
    'a: 'e,
{
    let variables = file.program.body.iter().filter_map(|statement| {
        let declaration = match statement {
            Statement::ExportDeclaration(export) => Some(&export.declaration),
            _ => statement.as_declaration(),
        };
        match declaration {
            Some(Declaration::VariableDeclaration(variables)) if variables.kind == VariableDeclarationKind::Const => {
                Some(variables)
            }
            _ => None,
        }
    });
    let values = variables.flat_map(|variables| &variables.declarations).filter_map(|one| one.init.as_ref());
    values.filter_map(|value| match unwrapped(value) {
        Expression::CallExpression(call) => Some(&**call),
        _ => None,
    })
}

/// What a builder binds, if it makes an anchor.
fn kind(builder: Builder) -> Option<Kind> {
    match builder {
        Builder::CodeAnchor => Some(Kind::Code),
        Builder::SpecTest => Some(Kind::Test),
        Builder::SpecOracle => Some(Kind::Oracle),
        Builder::Spec | Builder::Pack | Builder::Relation(_) | Builder::Id(_) => None,
    }
}

/// The reader of one call.
struct Reader<'r, 'a> {
    path: &'r str,
    file: &'r File<'a>,
    builders: &'r Builders<'a>,
    kind: Kind,
    /// The id, when it is one.
    id: Option<String>,
    raw: RawAnchor,
    findings: Vec<Finding>,
}

impl Reader<'_, '_> {
    fn call(mut self, builder: Builder, call: &CallExpression<'_>, read: &mut Read) {
        let line = self.file.line(call.span.start);
        let Some(object) = arguments_object(call) else {
            let message = format!("{}(…) must take exactly one fresh object literal argument", builder.as_str());
            let finding = Finding::error(FindingId::NonStaticEnvelope, message).at(self.path, line);
            let help = remedies::of_an_argument(call);
            read.findings.push(
                finding.with_help(help.unwrap_or_else(|| format!("write `{}({{ id: …, … }})`", builder.as_str()))),
            );
            return;
        };
        (self.raw.line, self.raw.kind) = (line, Some(self.kind));
        let plain = |entry| match key_of(entry) {
            Key::Plain(name, value) => Some((name, value)),
            _ => None,
        };
        let id = object.properties.iter().filter_map(plain).find(|(name, _)| *name == Field::Id.as_str());
        self.id = id.and_then(|(_, id)| id_of(id, self.builders, self.kind.namespaces()).ok()).map(|id| id.text);
        let mut seen = HashSet::new();
        for entry in &object.properties {
            if self.findings.len() > MAX_FINDINGS {
                break;
            }
            self.entry(entry, &mut seen);
        }
        let is_refused = self.findings.iter().any(Finding::is_error);
        read.findings.append(&mut self.findings);
        match envelope::read(self.path, self.raw) {
            Ok(anchor) if !is_refused => read.anchors.push(anchor),
            Ok(_) => {}
            Err(findings) => read.findings.extend(findings),
        }
    }

    fn entry<'e>(&mut self, entry: &'e ObjectPropertyKind<'_>, seen: &mut HashSet<&'e str>) {
        let line = self.file.line_of(entry);
        let (name, value) = match key_of(entry) {
            Key::Plain(name, value) => (name, value),
            Key::Computed => {
                self.raw.is_open = true;
                let message = COMPUTED_NAME.to_owned();
                self.refuse(FindingId::NonStaticEnvelope, line, None, message, "write the name of the field itself");
                return;
            }
            Key::NotPlain(name) => {
                // A shorthand says which field is stated; anything else may state any.
                match name {
                    Some(name) => {
                        seen.insert(name);
                        self.raw.refused.extend(field(name));
                    }
                    None => self.raw.is_open = true,
                }
                let message = "the anchor object literal must be fresh: only plain property assignments are static (a spread or shorthand entry could carry binding fields opaquely)";
                let help = "write each field as `name: value`";
                self.refuse(FindingId::NonStaticEnvelope, line, None, message.to_owned(), help);
                return;
            }
        };
        let shown = shown(name, MAX_SHOWN);
        if !seen.insert(name) {
            let help = format!("state `{shown}` once");
            self.refuse(FindingId::NonStaticEnvelope, line, Some(&shown), envelope::repeated(&shown), help);
            return;
        }
        match field(name) {
            Some(field) if self.kind.contract().contains(&field) => self.field(field, line, value),
            _ => {
                let names = || self.kind.contract().iter().map(|field| field.as_str());
                let help = match first_nearest(&shown, names(), NEAR) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => self.kind.advice().to_owned(),
                };
                let message = outside_contract(&shown, self.kind.contract());
                self.refuse(FindingId::NonStaticEnvelope, line, Some(&shown), message, help);
            }
        }
    }

    fn field(&mut self, field: Field, line: u32, value: &Expression<'_>) {
        let name = field.as_str();
        let values = match field {
            Field::Id => self.id(name, value, self.kind.namespaces(), None).map(|id| vec![id]),
            Field::Component => self.id(name, value, field.namespaces(), Some(COMPONENT)).map(|id| vec![id]),
            Field::Models => self.id(name, value, field.namespaces(), None).map(|id| vec![id]),
            Field::Satisfies | Field::Verifies | Field::References | Field::Uses => self.list(field, value),
            Field::Label => match string_of(value) {
                Ok(label) => Some(vec![(label, line)]),
                Err(Refused { why, span }) => {
                    let message = format!("property \"label\" dropped: at \"label\", {why}");
                    let finding = Finding::warning(FindingId::NonStaticSection, message)
                        .at(self.path, self.file.line(span.start))
                        .in_field(name)
                        .with_help("write the label itself, as a string");
                    self.findings.push(Finding { subject: self.id.clone(), ..finding });
                    return;
                }
            },
            Field::Role | Field::Layer | Field::Context => match string_of(value) {
                Ok(text) => Some(vec![(text, line)]),
                Err(Refused { why, span }) => {
                    let message = not_reified(name, &why);
                    let at = self.file.line(span.start);
                    let help = format!("write the {name} itself, as a string");
                    self.refuse(FindingId::NonStaticEnvelope, at, Some(name), message, help);
                    None
                }
            },
        };
        if values.is_none() {
            self.raw.refused.push(field);
        }
        // What is refused is stated all the same: it may stand where it must not.
        self.raw.fields.push(RawField { field, line, values: values.unwrap_or_default() });
    }

    /// The targets of a field that may have several; none where one of them is refused.
    fn list(&mut self, field: Field, value: &Expression<'_>) -> Option<Vec<(String, u32)>> {
        let name = field.as_str();
        let builders = (field == Field::Uses).then_some(USES);
        let Expression::ArrayExpression(array) = unwrapped(value) else {
            if matches!(field, Field::Satisfies | Field::Verifies) {
                return self.id(name, value, field.namespaces(), builders).map(|id| vec![id]);
            }
            let of = builders.map_or("ref(…)".to_owned(), calls);
            let message = format!("anchor field \"{name}\" must be a fresh array literal of {of} references");
            let help = format!("write `{name}: [ … ]`");
            self.refuse(FindingId::NonStaticEnvelope, self.file.line_of(value), Some(name), message, help);
            return None;
        };
        if array.elements.len() > MAX_TARGETS {
            let message = format!("anchor field \"{name}\" names more than {MAX_TARGETS} targets");
            let help = "let several anchors name them";
            self.refuse(FindingId::NonStaticEnvelope, self.file.line_of(value), Some(name), message, help);
            return None;
        }
        let (mut targets, mut is_whole) = (Vec::with_capacity(array.elements.len()), true);
        for (index, element) in array.elements.iter().enumerate() {
            let path = format!("{name}[{index}]");
            let target = match element {
                ArrayExpressionElement::SpreadElement(spread) => {
                    self.opaque(&path, "SpreadElement", spread.span, builders)
                }
                ArrayExpressionElement::Elision(hole) => self.opaque(&path, "OmittedExpression", hole.span, builders),
                _ => match element.as_expression() {
                    Some(element) => self.id(&path, element, field.namespaces(), builders),
                    None => None,
                },
            };
            match target {
                Some(target) => targets.push(target),
                None => is_whole = false,
            }
        }
        is_whole.then_some(targets)
    }

    /// Refuses an element of an array that is no expression.
    fn opaque<T>(&mut self, path: &str, kind: &str, span: Span, builders: Option<&[IdBuilder]>) -> Option<T> {
        let why = builders.map_or_else(|| format!("{kind} {STATIC_GRAMMAR}"), |builders| must_use(path, builders));
        self.no_id(FindingId::NonStaticEnvelope, path, &why, span, builders.map_or_else(itself, around));
        None
    }

    /// One id with its line, where it is one that its place takes. Some places take the call of a builder only.
    fn id(
        &mut self,
        path: &str,
        value: &Expression<'_>,
        namespaces: &[&str],
        wanted: Option<&[IdBuilder]>,
    ) -> Option<(String, u32)> {
        if let Some(wanted) = wanted {
            let builder = match unwrapped(value) {
                Expression::CallExpression(call) => self.builders.of(&call.callee),
                _ => None,
            };
            if !wanted.iter().any(|wanted| builder == Some(Builder::Id(*wanted))) {
                let help = remedies::of_an_unbound_call(value, self.builders).unwrap_or_else(|| around(wanted));
                self.no_id(FindingId::NonStaticEnvelope, path, &must_use(path, wanted), value.span(), help);
                return None;
            }
        }
        let (id, Refused { why, span }, help) = match id_of(value, self.builders, namespaces) {
            Ok(id) => return Some((id.text, self.file.line(id.span.start))),
            Err(IdFault::NotStatic(refused)) => {
                let help = remedies::of_an_unbound_call(value, self.builders);
                (FindingId::NonStaticEnvelope, refused, help.unwrap_or_else(|| wanted.map_or_else(itself, around)))
            }
            Err(IdFault::Invalid(refused)) => {
                (FindingId::InvalidId, refused, remedies::of_an_id(value, self.builders, namespaces))
            }
        };
        self.no_id(id, path, &why, span, help);
        None
    }

    fn no_id(&mut self, id: FindingId, path: &str, why: &str, span: Span, help: String) {
        self.refuse(id, self.file.line(span.start), Some(path), not_reified(path, why), help);
    }

    fn refuse(&mut self, id: FindingId, line: u32, path: Option<&str>, message: String, help: impl Into<String>) {
        let finding = Finding::error(id, message).at(self.path, line).with_help(help);
        let path = path.map(str::to_owned);
        self.findings.push(Finding { path, subject: self.id.clone(), ..finding });
    }
}

/// The field of a name.
fn field(name: &str) -> Option<Field> {
    Field::ALL.iter().copied().find(|field| field.as_str() == name)
}

/// The remedy where an id stands without its builder.
fn around(builders: &[IdBuilder]) -> String {
    format!("write {} around the id", calls(builders))
}

/// The remedy where something else stands for an id.
fn itself() -> String {
    "write the id itself: a string, or a builder such as `ref(…)` around one".to_owned()
}

fn must_use(path: &str, builders: &[IdBuilder]) -> String {
    format!("{path} must use {} with one string literal", calls(builders))
}

/// The calls of some builders, for people.
fn calls(builders: &[IdBuilder]) -> String {
    let calls: Vec<String> = builders.iter().map(|builder| format!("{}(…)", builder.as_str())).collect();
    calls.join(" or ")
}
