//! The closed envelope of an anchor (newest sheet part 4): the fields that some form of it states come in, one anchor goes
//! out, or every reason why it is none. What an anchor may say is decided here alone, whatever form it is written in.

#[cfg(test)]
mod tests;

use hashbrown::HashSet;

use super::MAX_SHOWN;
use crate::finding::{Finding, FindingId, authored_twice};
use crate::harmless::shown;
use crate::model::{AnchorDocument, Binding, EdgeType, TestSymbol, parse_slot_id, wrong_namespace};

/// A field of the envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// Who the anchor is.
    Id,
    /// A name for people.
    Label,
    /// Specs that code realizes.
    Satisfies,
    /// Specs that a test verifies.
    Verifies,
    /// The Spec whose example space an oracle models.
    Models,
    /// Specs that code is written against.
    References,
    /// The component that a unit belongs to.
    Component,
    /// Units that a unit uses.
    Uses,
    /// The part that a unit plays.
    Role,
    /// The layer of a component.
    Layer,
    /// The context of a component.
    Context,
}

impl Field {
    /// All fields, in the order in which the Protocol lists their tags.
    pub const ALL: &[Field] = &[
        Field::Id,
        Field::Label,
        Field::Satisfies,
        Field::Verifies,
        Field::Models,
        Field::References,
        Field::Component,
        Field::Uses,
        Field::Role,
        Field::Layer,
        Field::Context,
    ];

    /// The name in messages and in attributes.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Field::Id => "id",
            Field::Label => "label",
            Field::Satisfies => "satisfies",
            Field::Verifies => "verifies",
            Field::Models => "models",
            Field::References => "references",
            Field::Component => "component",
            Field::Uses => "uses",
            Field::Role => "role",
            Field::Layer => "layer",
            Field::Context => "context",
        }
    }

    /// The namespaces of its targets, where it has any.
    pub(super) const fn namespaces(self) -> &'static [&'static str] {
        match self {
            Field::Satisfies | Field::Verifies | Field::Models | Field::References => SPEC,
            Field::Component => &["component"],
            Field::Uses => CODE,
            Field::Id | Field::Label | Field::Role | Field::Layer | Field::Context => &[],
        }
    }
}

/// What an anchor binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Code.
    Code,
    /// A test.
    Test,
    /// An oracle.
    Oracle,
}

impl Kind {
    /// The namespaces of its ids.
    #[must_use]
    pub const fn namespaces(self) -> &'static [&'static str] {
        match self {
            Kind::Code => CODE,
            Kind::Test => &["test"],
            Kind::Oracle => &["oracle"],
        }
    }

    /// The fields that it may have, in the order in which messages list them.
    pub(super) const fn contract(self) -> &'static [Field] {
        match self {
            Kind::Code => &[
                Field::Id,
                Field::Satisfies,
                Field::Label,
                Field::Component,
                Field::Uses,
                Field::References,
                Field::Role,
                Field::Layer,
                Field::Context,
            ],
            Kind::Test => &[Field::Id, Field::Verifies, Field::Label],
            Kind::Oracle => &[Field::Id, Field::Models, Field::Label],
        }
    }

    /// The field that it must have beside its id.
    const fn required(self) -> Option<Field> {
        match self {
            Kind::Code => None,
            Kind::Test => Some(Field::Verifies),
            Kind::Oracle => Some(Field::Models),
        }
    }

    /// What is said to whoever states a field that it does not have.
    pub(super) const fn advice(self) -> &'static str {
        match self {
            Kind::Code => "an anchor of code satisfies or references Specs",
            Kind::Test => "an anchor of a test verifies Specs and may have a label",
            Kind::Oracle => "an anchor of an oracle models one Spec and may have a label",
        }
    }

    fn of(namespace: &str) -> Option<Self> {
        [Kind::Code, Kind::Test, Kind::Oracle].into_iter().find(|kind| kind.namespaces().contains(&namespace))
    }
}

/// One field as a form states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawField {
    /// Which one.
    pub field: Field,
    /// The 1-based line on which it opens.
    pub line: u32,
    /// Its values, each with its 1-based line. A field that takes one value has one; the form sees to that.
    pub values: Vec<(String, u32)>,
}

/// An anchor as a form states it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawAnchor {
    /// The 1-based line on which the binding opens.
    pub line: u32,
    /// Its fields, in the order in which they are written.
    pub fields: Vec<RawField>,
    /// The test that it stands on, where the source tells its name.
    pub symbol: Option<TestSymbol>,
    /// What it binds, where the form says so and not the id alone: the constant form. The Protocol has all that is said of a
    /// field of this form at the line of the field.
    pub kind: Option<Kind>,
    /// Fields that are stated with a value that the form has refused. No more is said of them; the anchor is none.
    pub refused: Vec<Field>,
    /// Whether something that cannot be read may state more fields: then none is missing, and the anchor is none.
    pub is_open: bool,
}

const NAMESPACES: &[&str] = &["impl", "api", "component", "test", "oracle"];
/// The namespaces of code.
pub(super) const CODE: &[&str] = &["impl", "api", "component"];
const SPEC: &[&str] = &["spec"];
/// The layers of a component, from the outside in.
pub const LAYERS: &[&str] = &["edge", "application", "domain", "adapter", "infrastructure"];

/// The fields that an anchor may have, by the namespace of its id, in the order in which messages list them; none where no
/// anchor has such an id.
pub(super) fn contract(namespace: &str) -> &'static [Field] {
    Kind::of(namespace).map_or(&[], Kind::contract)
}

/// What is said of a field, or of a name that is none, that a contract does not hold.
pub(super) fn outside_contract(name: &str, contract: &[Field]) -> String {
    let list: Vec<&str> = contract.iter().map(|field| field.as_str()).collect();
    format!(
        "anchor field \"{name}\" is outside the binding contract ({}) — an anchor asserts a binding only, never system-truth content",
        list.join(" · ")
    )
}

/// What is said of a field whose value is none that it takes.
pub(super) fn not_reified(path: &str, why: &str) -> String {
    format!("anchor field \"{path}\" did not reify: {why}")
}

/// What is said of a field that is stated twice.
pub(super) fn repeated(name: &str) -> String {
    authored_twice(name, "so the carrier is not extracted")
}

/// Reads one anchor of a file.
///
/// # Errors
/// Every finding about it, at the line of the field or value that it is about; then it is no anchor at all. There may be none
/// where the form has refused something.
pub fn read(file: &str, raw: RawAnchor) -> Result<AnchorDocument, Vec<Finding>> {
    let mut judge = Judge { file, subject: None, is_constant: raw.kind.is_some(), findings: Vec::new() };
    judge.subject = judge.id(&raw);
    judge.repeats(&raw);
    let Some(kind) = raw.kind.or_else(|| Kind::of(namespace_of(judge.subject.as_deref()?))) else {
        return Err(judge.findings);
    };
    judge.contract(&raw, kind);
    let RawAnchor { line, fields, symbol, refused, is_open, .. } = raw;
    let id = judge.subject.clone();
    let is_whole = id.is_some() && refused.is_empty() && !is_open;
    let mut anchor = AnchorDocument {
        id: id.unwrap_or_default(),
        line,
        label: None,
        bindings: Vec::new(),
        role: None,
        layer: None,
        context: None,
        symbol,
    };
    for (field, edge_type) in [
        (Field::Satisfies, EdgeType::Satisfies),
        (Field::Verifies, EdgeType::Verifies),
        (Field::Models, EdgeType::Models),
        (Field::Component, EdgeType::MemberOf),
        (Field::Uses, EdgeType::Uses),
        (Field::References, EdgeType::References),
    ] {
        if let Some(raw) = fields.iter().find(|raw| raw.field == field).filter(|_| !refused.contains(&field)) {
            judge.targets(raw, edge_type, &mut anchor);
        }
    }
    for raw in fields {
        let Some((value, line)) = raw.values.into_iter().next() else { continue };
        let line = judge.line(raw.line, line);
        match raw.field {
            Field::Label => anchor.label = Some(value),
            Field::Role => anchor.role = judge.token(Field::Role, value, line),
            Field::Context => anchor.context = judge.token(Field::Context, value, line),
            Field::Layer => anchor.layer = judge.layer(value, line),
            _ => {}
        }
    }
    if judge.findings.is_empty() && is_whole { Ok(anchor) } else { Err(judge.findings) }
}

fn namespace_of(id: &str) -> &str {
    id.split_once(':').map_or("", |(namespace, _)| namespace)
}

struct Judge<'a> {
    file: &'a str,
    /// The id, when it is one.
    subject: Option<String>,
    is_constant: bool,
    findings: Vec<Finding>,
}

impl Judge<'_> {
    fn refuse(&mut self, id: FindingId, line: u32, path: &str, message: String) -> &mut Finding {
        let finding = Finding::error(id, message).at(self.file, line).in_field(path);
        self.findings.push(Finding { subject: self.subject.clone(), ..finding });
        let last = self.findings.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "pushed two lines above")]
        &mut self.findings[last]
    }

    /// The line of what is said about a value: its own, but in a constant that of its field.
    const fn line(&self, field: u32, value: u32) -> u32 {
        if self.is_constant { field } else { value }
    }

    fn id(&mut self, raw: &RawAnchor) -> Option<String> {
        if raw.refused.contains(&Field::Id) {
            return None;
        }
        let Some(field) = raw.fields.iter().find(|raw| raw.field == Field::Id) else {
            if !raw.is_open {
                self.missing(Field::Id, raw.line);
            }
            return None;
        };
        let Some((value, line)) = field.values.first() else {
            self.missing(Field::Id, field.line);
            return None;
        };
        self.parsed("id", value, *line, raw.kind.map_or(NAMESPACES, Kind::namespaces))?;
        Some(value.clone())
    }

    /// The namespace of an id, when it is one and one of those that its place takes.
    fn parsed<'v>(&mut self, path: &str, value: &'v str, line: u32, namespaces: &[&str]) -> Option<&'v str> {
        let message = match parse_slot_id(value) {
            Ok(namespace) if namespaces.contains(&namespace) => return Some(namespace),
            Ok(namespace) => wrong_namespace(value, namespace, namespaces),
            Err(error) => error.in_brief(),
        };
        self.refuse(FindingId::InvalidId, line, path, not_reified(path, &message));
        None
    }

    fn missing(&mut self, field: Field, line: u32) {
        let message =
            format!("anchor field \"{}\" is missing — the binding cannot be constructed without it", field.as_str());
        let help = match field {
            Field::Verifies => "name the Specs that the test verifies, such as `spec:orders.refund`".to_owned(),
            Field::Models => "name the Spec that the oracle models, such as `spec:orders.refund`".to_owned(),
            _ => format!("state the {} of the anchor", field.as_str()),
        };
        self.refuse(FindingId::NonStaticEnvelope, line, field.as_str(), message).help = Some(help);
    }

    fn repeats(&mut self, raw: &RawAnchor) {
        let mut seen = HashSet::new();
        for field in &raw.fields {
            if !seen.insert(field.field) {
                let name = field.field.as_str();
                self.refuse(FindingId::NonStaticEnvelope, field.line, name, repeated(name)).help =
                    Some(format!("state `{name}` once"));
            }
        }
    }

    /// Whether each field is one that the anchor may have, and those are there that it must have.
    fn contract(&mut self, raw: &RawAnchor, kind: Kind) {
        let contract = kind.contract();
        for field in &raw.fields {
            if !contract.contains(&field.field) {
                let name = field.field.as_str();
                self.refuse(FindingId::NonStaticEnvelope, field.line, name, outside_contract(name, contract)).help =
                    Some(kind.advice().to_owned());
            }
        }
        let is_stated = |field: Field| raw.refused.contains(&field) || raw.fields.iter().any(|raw| raw.field == field);
        if let Some(field) = kind.required().filter(|field| !raw.is_open && !is_stated(*field)) {
            self.missing(field, raw.line);
        }
        // Without an id nobody knows whether it is a component.
        let Some(id) = self.subject.clone().filter(|id| kind == Kind::Code && namespace_of(id) != "component") else {
            return;
        };
        for field in raw.fields.iter().filter(|raw| matches!(raw.field, Field::Layer | Field::Context)) {
            let name = field.field.as_str();
            let message =
                format!("anchor field \"{name}\" belongs to a component: anchor only; \"{id}\" declares no component");
            self.refuse(FindingId::NonStaticEnvelope, field.line, name, message).help =
                Some("write it on the anchor of the component".to_owned());
        }
    }

    /// The targets of one field, each once.
    fn targets(&mut self, raw: &RawField, edge_type: EdgeType, anchor: &mut AnchorDocument) {
        let field = raw.field;
        let name = field.as_str();
        let is_structural = matches!(field, Field::Uses | Field::References);
        if raw.values.is_empty() {
            let (id, message) = if is_structural {
                (FindingId::StructuralAnchors, format!("anchor field \"{name}\" must be non-empty when present"))
            } else {
                let message = format!("anchor field \"{name}\" must name at least one target when present");
                (FindingId::NonStaticEnvelope, message)
            };
            let help = match field {
                Field::Satisfies | Field::Verifies | Field::Models => {
                    "name a Spec, such as `spec:orders.refund`".to_owned()
                }
                _ => format!("name a target of `{name}`, or remove it"),
            };
            self.refuse(id, raw.line, name, message).help = Some(help);
            return;
        }
        let mut seen = HashSet::with_capacity(raw.values.len());
        let satisfied = anchor.bindings.iter().filter(|binding| binding.edge_type == EdgeType::Satisfies);
        let realized: HashSet<String> = if field == Field::References {
            satisfied.map(|binding| binding.target.clone()).collect()
        } else {
            HashSet::new()
        };
        for (index, (target, line)) in raw.values.iter().enumerate() {
            let path = if raw.values.len() == 1 { name.to_owned() } else { format!("{name}[{index}]") };
            if self.parsed(&path, target, *line, field.namespaces()).is_none() {
                continue;
            }
            let said_at = self.line(raw.line, *line);
            if !seen.insert(target.as_str()) {
                self.repeated(field, target, said_at);
                continue;
            }
            if realized.contains(target) {
                let message = format!(
                    "Spec \"{target}\" is named in both \"satisfies\" and \"references\"; a realized target is not also a design reference."
                );
                let help = format!("remove `{target}` from the references");
                let finding = self.refuse(FindingId::StructuralAnchors, said_at, name, message);
                (finding.help, finding.related) = (Some(help), Some(target.clone()));
                continue;
            }
            anchor.bindings.push(Binding { edge_type, target: target.clone(), line: *line });
        }
    }

    fn repeated(&mut self, field: Field, target: &str, line: u32) {
        let (id, message) = match field {
            Field::Uses => {
                let message =
                    format!("Structural uses target \"{target}\" is authored more than once; targets must be unique.");
                (FindingId::StructuralAnchors, message)
            }
            Field::References => {
                let message =
                    format!("References target \"{target}\" is authored more than once; targets must be unique.");
                (FindingId::StructuralAnchors, message)
            }
            _ => {
                let message = format!(
                    "anchor target \"{target}\" is authored more than once in \"{}\" (ambiguity is loud, L2); one edge per target, so the anchor is not extracted",
                    field.as_str()
                );
                (FindingId::NonStaticEnvelope, message)
            }
        };
        let finding = self.refuse(id, line, field.as_str(), message);
        (finding.help, finding.related) = (Some(format!("name `{target}` once")), Some(target.to_owned()));
    }

    fn token(&mut self, field: Field, value: String, line: u32) -> Option<String> {
        if is_token(&value) {
            return Some(value);
        }
        let message = format!(
            "anchor field \"{}\" reified to \"{}\", which is not one token of the form ^[a-z][a-z0-9-]*$ — role and context are vocabulary, never prose",
            field.as_str(),
            shown(&value, MAX_SHOWN)
        );
        self.refuse(FindingId::NonStaticEnvelope, line, field.as_str(), message).help =
            Some("write one word of small letters, digits and `-`".to_owned());
        None
    }

    fn layer(&mut self, value: String, line: u32) -> Option<String> {
        if LAYERS.contains(&value.as_str()) {
            return Some(value);
        }
        let message = format!(
            "anchor field \"layer\" reified to \"{}\", which is not one of {} — the layer set is closed",
            shown(&value, MAX_SHOWN),
            LAYERS.join(" · ")
        );
        let help = match crate::suggest::first_nearest(&value, LAYERS.iter().copied(), 2) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write one of {}", LAYERS.join(", ")),
        };
        self.refuse(FindingId::NonStaticEnvelope, line, Field::Layer.as_str(), message).help = Some(help);
        None
    }
}

/// Whether a text is one token of a corpus's own vocabulary: `^[a-z][a-z0-9-]*$`.
fn is_token(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_lowercase())
        && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
