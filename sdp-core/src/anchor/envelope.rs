//! The closed envelope of an anchor (newest sheet part 4): the fields that some form of it states come in, one anchor goes
//! out, or every reason why it is none. What an anchor may say is decided here alone, whatever form it is written in.

#[cfg(test)]
mod tests;

use hashbrown::HashSet;

use crate::finding::{Finding, FindingId};
use crate::harmless::shown;
use crate::model::{AnchorDocument, Binding, EdgeType, IdError, TestSymbol, parse_slot_id};

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
}

/// How many characters of a wrong value a message shows.
const MAX_SHOWN: usize = 200;

/// What an anchor binds, by the namespace of its id.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flavor {
    Code { is_component: bool },
    Test,
    Oracle,
}

const NAMESPACES: &[&str] = &["impl", "api", "component", "test", "oracle"];
/// The namespaces of code.
pub(super) const CODE: &[&str] = &["impl", "api", "component"];
const SPEC: &[&str] = &["spec"];
/// The layers of a component, from the outside in.
pub const LAYERS: &[&str] = &["edge", "application", "domain", "adapter", "infrastructure"];

impl Flavor {
    fn of(namespace: &str) -> Option<Self> {
        match namespace {
            "impl" | "api" => Some(Flavor::Code { is_component: false }),
            "component" => Some(Flavor::Code { is_component: true }),
            "test" => Some(Flavor::Test),
            "oracle" => Some(Flavor::Oracle),
            _ => None,
        }
    }

    /// The fields that it may have, in the order in which messages list them.
    const fn contract(self) -> &'static [Field] {
        match self {
            Flavor::Code { .. } => &[
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
            Flavor::Test => &[Field::Id, Field::Verifies, Field::Label],
            Flavor::Oracle => &[Field::Id, Field::Models, Field::Label],
        }
    }
}

/// The fields that an anchor may have, by the namespace of its id, in the order in which messages list them; none where no
/// anchor has such an id.
pub(super) fn contract(namespace: &str) -> &'static [Field] {
    Flavor::of(namespace).map_or(&[], Flavor::contract)
}

/// What is said of a field, or of a name that is none, that a contract does not hold.
pub(super) fn outside_contract(name: &str, contract: &[Field]) -> String {
    let list: Vec<&str> = contract.iter().map(|field| field.as_str()).collect();
    format!(
        "anchor field \"{name}\" is outside the binding contract ({}) — an anchor asserts a binding only, never system-truth content",
        list.join(" · ")
    )
}

/// What is said of an id in a place that takes other namespaces.
pub(super) fn wrong_namespace(id: &str, namespace: &str, wanted: &[&str]) -> String {
    let quoted: Vec<String> = wanted.iter().map(|namespace| format!("\"{namespace}\"")).collect();
    let wanted = match &quoted[..] {
        [one] => format!("{one} is required"),
        several => format!("one of {} is required", several.join(" · ")),
    };
    format!("id \"{id}\" carries namespace \"{namespace}\" where {wanted}")
}

/// What is said of a field whose value is none that it takes.
pub(super) fn not_reified(path: &str, why: &str) -> String {
    format!("anchor field \"{path}\" did not reify: {why}")
}

/// Reads one anchor of a file.
///
/// # Errors
/// Every finding about it, at the line of the field or value that it is about; then it is no anchor at all.
pub fn read(file: &str, raw: RawAnchor) -> Result<AnchorDocument, Vec<Finding>> {
    let mut judge = Judge { file, findings: Vec::new() };
    let id = judge.id(&raw);
    judge.repeats(&raw);
    let Some((id, flavor)) = id else { return Err(judge.findings) };
    judge.contract(&raw, flavor);
    let RawAnchor { line, fields, symbol } = raw;
    let mut anchor =
        AnchorDocument { id, line, label: None, bindings: Vec::new(), role: None, layer: None, context: None, symbol };
    for (field, edge_type) in [
        (Field::Satisfies, EdgeType::Satisfies),
        (Field::Verifies, EdgeType::Verifies),
        (Field::Models, EdgeType::Models),
        (Field::Component, EdgeType::MemberOf),
        (Field::Uses, EdgeType::Uses),
        (Field::References, EdgeType::References),
    ] {
        if let Some(raw) = fields.iter().find(|raw| raw.field == field) {
            judge.targets(raw, edge_type, &mut anchor);
        }
    }
    for raw in fields {
        let Some((value, line)) = raw.values.into_iter().next() else { continue };
        match raw.field {
            Field::Label => anchor.label = Some(value),
            Field::Role => anchor.role = judge.token(Field::Role, value, line, &anchor.id),
            Field::Context => anchor.context = judge.token(Field::Context, value, line, &anchor.id),
            Field::Layer => anchor.layer = judge.layer(value, line, &anchor.id),
            _ => {}
        }
    }
    if judge.findings.is_empty() { Ok(anchor) } else { Err(judge.findings) }
}

struct Judge<'a> {
    file: &'a str,
    findings: Vec<Finding>,
}

impl Judge<'_> {
    fn refuse(&mut self, id: FindingId, line: u32, message: String) -> &mut Finding {
        self.findings.push(Finding::error(id, message).at(self.file, line));
        let last = self.findings.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "pushed two lines above")]
        &mut self.findings[last]
    }

    /// The id and what it makes of the anchor.
    fn id(&mut self, raw: &RawAnchor) -> Option<(String, Flavor)> {
        let Some(field) = raw.fields.iter().find(|raw| raw.field == Field::Id) else {
            self.missing(Field::Id, raw.line);
            return None;
        };
        let Some((value, line)) = field.values.first() else {
            self.missing(Field::Id, field.line);
            return None;
        };
        let namespace = self.parsed("id", value, *line, NAMESPACES)?;
        Some((value.clone(), Flavor::of(namespace)?))
    }

    /// The namespace of an id, when it is one and one of those that its place takes.
    fn parsed<'v>(&mut self, path: &str, value: &'v str, line: u32, namespaces: &[&str]) -> Option<&'v str> {
        let message = match parse_slot_id(value) {
            Ok(namespace) if namespaces.contains(&namespace) => return Some(namespace),
            Ok(namespace) => wrong_namespace(value, namespace, namespaces),
            Err(error) => IdError { value: shown(&error.value, MAX_SHOWN).into_owned(), ..error }.to_string(),
        };
        self.refuse(FindingId::InvalidId, line, not_reified(path, &message));
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
        self.refuse(FindingId::NonStaticEnvelope, line, message).help = Some(help);
    }

    fn repeats(&mut self, raw: &RawAnchor) {
        let mut seen = HashSet::new();
        for field in &raw.fields {
            if !seen.insert(field.field) {
                let name = field.field.as_str();
                let message = format!(
                    "property \"{name}\" is authored more than once in this carrier (ambiguity is loud, L2); evaluation would keep the last value silently, so the carrier is not extracted"
                );
                self.refuse(FindingId::NonStaticEnvelope, field.line, message).help =
                    Some(format!("state `{name}` once"));
            }
        }
    }

    /// Whether each field is one that the anchor may have, and those are there that it must have.
    fn contract(&mut self, raw: &RawAnchor, flavor: Flavor) {
        let contract = flavor.contract();
        for field in &raw.fields {
            if !contract.contains(&field.field) {
                let message = outside_contract(field.field.as_str(), contract);
                let help = match flavor {
                    Flavor::Code { .. } => "an anchor of code satisfies or references Specs",
                    Flavor::Test => "an anchor of a test verifies Specs and may have a label",
                    Flavor::Oracle => "an anchor of an oracle models one Spec and may have a label",
                };
                self.refuse(FindingId::NonStaticEnvelope, field.line, message).help = Some(help.to_owned());
            }
        }
        let required = match flavor {
            Flavor::Code { .. } => None,
            Flavor::Test => Some(Field::Verifies),
            Flavor::Oracle => Some(Field::Models),
        };
        if let Some(field) = required.filter(|field| !raw.fields.iter().any(|raw| raw.field == *field)) {
            self.missing(field, raw.line);
        }
        let is_component = flavor == Flavor::Code { is_component: true };
        for field in raw.fields.iter().filter(|raw| matches!(raw.field, Field::Layer | Field::Context)) {
            if let (Flavor::Code { .. }, false) = (flavor, is_component) {
                let id = raw.fields.iter().find(|raw| raw.field == Field::Id).and_then(|raw| raw.values.first());
                let message = format!(
                    "anchor field \"{}\" belongs to a component: anchor only; \"{}\" declares no component",
                    field.field.as_str(),
                    id.map_or("", |(id, _)| id)
                );
                self.refuse(FindingId::NonStaticEnvelope, field.line, message).help =
                    Some("write it on the anchor of the component".to_owned());
            }
        }
    }

    /// The targets of one field, each once.
    fn targets(&mut self, raw: &RawField, edge_type: EdgeType, anchor: &mut AnchorDocument) {
        let field = raw.field;
        let name = field.as_str();
        let namespaces = match field {
            Field::Component => &["component"],
            Field::Uses => CODE,
            _ => SPEC,
        };
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
            let subject = anchor.id.clone();
            let finding = self.refuse(id, raw.line, message);
            (finding.help, finding.subject) = (Some(help), Some(subject));
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
            if self.parsed(&path, target, *line, namespaces).is_none() {
                continue;
            }
            if !seen.insert(target.as_str()) {
                self.repeated(field, target, *line, &anchor.id);
                continue;
            }
            if realized.contains(target) {
                let message = format!(
                    "Spec \"{target}\" is named in both \"satisfies\" and \"references\"; a realized target is not also a design reference."
                );
                let help = format!("remove `{target}` from the references");
                let finding = self.refuse(FindingId::StructuralAnchors, *line, message);
                (finding.help, finding.related, finding.subject) =
                    (Some(help), Some(target.clone()), Some(anchor.id.clone()));
                continue;
            }
            anchor.bindings.push(Binding { edge_type, target: target.clone(), line: *line });
        }
    }

    fn repeated(&mut self, field: Field, target: &str, line: u32, subject: &str) {
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
        let finding = self.refuse(id, line, message);
        (finding.help, finding.related) = (Some(format!("name `{target}` once")), Some(target.to_owned()));
        finding.subject = Some(subject.to_owned());
    }

    fn token(&mut self, field: Field, value: String, line: u32, subject: &str) -> Option<String> {
        if is_token(&value) {
            return Some(value);
        }
        let message = format!(
            "anchor field \"{}\" reified to \"{}\", which is not one token of the form ^[a-z][a-z0-9-]*$ — role and context are vocabulary, never prose",
            field.as_str(),
            shown(&value, MAX_SHOWN)
        );
        let finding = self.refuse(FindingId::NonStaticEnvelope, line, message);
        finding.help = Some("write one word of small letters, digits and `-`".to_owned());
        finding.subject = Some(subject.to_owned());
        None
    }

    fn layer(&mut self, value: String, line: u32, subject: &str) -> Option<String> {
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
        let finding = self.refuse(FindingId::NonStaticEnvelope, line, message);
        (finding.help, finding.subject) = (Some(help), Some(subject.to_owned()));
        None
    }
}

/// Whether a text is one token of a corpus's own vocabulary: `^[a-z][a-z0-9-]*$`.
fn is_token(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_lowercase())
        && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
