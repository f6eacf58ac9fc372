//! What an anchor may say, as `sdp-core` decides it in `anchor::envelope`: what an attribute states comes in, every reason why
//! that is no anchor goes out, in the same words. It knows no compiler type and no file but `ids`, so that the test that holds
//! it against `sdp-core` can include it. It never fails and never recurses.

use std::collections::HashSet;

use super::ids::{ENTRY_ADDRESS, IdError, TOO_LONG, is_token, parse_slot_id, shown};

/// An attribute of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attribute {
    Satisfies,
    Verifies,
    Models,
    Component,
    Anchor,
}

/// A field of the envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Field {
    Id,
    Label,
    Satisfies,
    Verifies,
    Models,
    References,
    Component,
    Uses,
    Role,
    Layer,
    Context,
}

/// One field as an attribute states it. `P` is a place in the source.
#[derive(Clone, Debug)]
pub(crate) struct Stated<P> {
    pub(crate) field: Field,
    pub(crate) place: P,
    /// One value where the field takes one: whoever reads the attribute sees to that.
    pub(crate) values: Vec<Value<P>>,
}

/// One value of a field; without a text when it was refused before.
#[derive(Clone, Debug)]
pub(crate) struct Value<P> {
    pub(crate) text: Option<String>,
    pub(crate) place: P,
}

/// Why an attribute is no anchor, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal<P> {
    pub(crate) place: P,
    pub(crate) message: String,
    pub(crate) help: String,
}

const CODE: &[&str] = &["impl", "api", "component"];
const SPEC: &[&str] = &["spec"];
const LAYERS: &[&str] = &["edge", "application", "domain", "adapter", "infrastructure"];

/// How many characters of a wrong value a message shows.
const MAX_SHOWN: usize = 200;

impl Attribute {
    /// Its name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Attribute::Satisfies => "satisfies",
            Attribute::Verifies => "verifies",
            Attribute::Models => "models",
            Attribute::Component => "component",
            Attribute::Anchor => "anchor",
        }
    }

    /// The field that its Spec ids state; none where it takes no Spec ids.
    pub(crate) const fn targets(self) -> Option<Field> {
        match self {
            Attribute::Satisfies | Attribute::Component => Some(Field::Satisfies),
            Attribute::Verifies => Some(Field::Verifies),
            Attribute::Models => Some(Field::Models),
            Attribute::Anchor => None,
        }
    }

    /// The namespaces that an id may have.
    pub(crate) const fn namespaces(self) -> &'static [&'static str] {
        match self {
            Attribute::Satisfies | Attribute::Anchor => CODE,
            Attribute::Component => &["component"],
            Attribute::Verifies => &["test"],
            Attribute::Models => &["oracle"],
        }
    }

    /// The namespace of an id that is derived.
    pub(crate) const fn derived_namespace(self) -> &'static str {
        match self {
            Attribute::Satisfies | Attribute::Anchor => "impl",
            Attribute::Component => "component",
            Attribute::Verifies => "test",
            Attribute::Models => "oracle",
        }
    }

    /// The fields that it may state, in the order in which messages list them.
    pub(crate) const fn contract(self) -> &'static [Field] {
        match self {
            Attribute::Satisfies | Attribute::Component | Attribute::Anchor => &[
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
            Attribute::Verifies => &[Field::Id, Field::Verifies, Field::Label],
            Attribute::Models => &[Field::Id, Field::Models, Field::Label],
        }
    }

    const fn is_of_code(self) -> bool {
        matches!(self, Attribute::Satisfies | Attribute::Component | Attribute::Anchor)
    }

    const fn contract_help(self) -> &'static str {
        match self {
            Attribute::Satisfies | Attribute::Component | Attribute::Anchor => {
                "an anchor of code satisfies or references Specs"
            }
            Attribute::Verifies => "an anchor of a test verifies Specs and may have a label",
            Attribute::Models => "an anchor of an oracle models one Spec and may have a label",
        }
    }
}

impl Field {
    pub(crate) const ALL: &[Field] = &[
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

    /// Its name.
    pub(crate) const fn as_str(self) -> &'static str {
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

    /// The field with a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Field::ALL.iter().copied().find(|field| field.as_str() == name)
    }

    /// Whether it is stated by the Spec ids of an attribute, and never by a name.
    pub(crate) const fn is_positional(self) -> bool {
        matches!(self, Field::Satisfies | Field::Verifies | Field::Models)
    }

    /// Whether it takes a list.
    pub(crate) const fn takes_list(self) -> bool {
        matches!(self, Field::Uses | Field::References)
    }
}

/// Every reason why what an attribute states is no anchor. `whole` is the place of the attribute itself; `derived` is the id
/// that the anchor has where it states none, as messages show it.
pub(crate) fn refusals<P: Copy>(
    attribute: Attribute,
    stated: &[Stated<P>],
    whole: P,
    derived: &str,
) -> Vec<Refusal<P>> {
    let mut judge = Judge { attribute, refusals: Vec::new() };
    let is_component = judge.id(stated);
    judge.repeats(stated);
    judge.contract(stated, whole, is_component, derived);
    let mut satisfied = HashSet::new();
    for field in [Field::Satisfies, Field::Verifies, Field::Models, Field::Component, Field::Uses, Field::References] {
        if let Some(stated) = stated.iter().find(|stated| stated.field == field) {
            judge.targets(stated, &mut satisfied);
        }
    }
    for stated in stated {
        let Some(Value { text: Some(text), place }) = stated.values.first() else { continue };
        match stated.field {
            Field::Role | Field::Context => judge.token(stated.field, text, *place),
            Field::Layer => judge.layer(text, *place),
            _ => {}
        }
    }
    judge.refusals
}

/// The refusal of a name that is no field at all, or one that is stated otherwise.
pub(crate) fn unknown_name<P>(attribute: Attribute, name: &str, place: P) -> Refusal<P> {
    if Field::named(name).is_some_and(|field| attribute.contract().contains(&field)) {
        let message = format!("\"{name}\" is no named argument of `{}`", attribute.as_str());
        let help = match attribute.targets() {
            Some(_) => "write the Spec ids as plain strings, without a name".to_owned(),
            None => format!("write #[sdp::{name}(\"spec:…\")] instead"),
        };
        return Refusal { place, message, help };
    }
    let named = || attribute.contract().iter().filter(|field| !field.is_positional()).map(|field| field.as_str());
    let help = match first_nearest(name, named(), 2) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("`{}` takes the names {}", attribute.as_str(), named().collect::<Vec<_>>().join(", ")),
    };
    Refusal { place, message: outside_contract(attribute, name), help }
}

/// The refusal of an anchor that states no id on an item from which none follows.
pub(crate) fn missing_id<P>(attribute: Attribute, why: &str, whole: P) -> Refusal<P> {
    let help = format!("{why}, so no id follows: write id = \"{}:…\"", attribute.derived_namespace());
    Refusal { place: whole, message: missing(Field::Id), help }
}

fn missing(field: Field) -> String {
    format!("anchor field \"{}\" is missing — the binding cannot be constructed without it", field.as_str())
}

fn outside_contract(attribute: Attribute, name: &str) -> String {
    let list: Vec<&str> = attribute.contract().iter().map(|field| field.as_str()).collect();
    format!(
        "anchor field \"{name}\" is outside the binding contract ({}) — an anchor asserts a binding only, never system-truth content",
        list.join(" · ")
    )
}

struct Judge<P> {
    attribute: Attribute,
    refusals: Vec<Refusal<P>>,
}

impl<P: Copy> Judge<P> {
    fn refuse(&mut self, place: P, message: String, help: impl Into<String>) {
        self.refusals.push(Refusal { place, message, help: help.into() });
    }

    /// Judges the id; answers whether the anchor is one of a component. An id that is none leaves that open: yes, then.
    fn id(&mut self, stated: &[Stated<P>]) -> bool {
        let Some(field) = stated.iter().find(|stated| stated.field == Field::Id) else {
            return self.attribute == Attribute::Component;
        };
        let Some(Value { text: Some(text), place }) = field.values.first() else { return true };
        self.is_id("id", text, *place, self.attribute.namespaces()).is_none_or(|namespace| namespace == "component")
    }

    /// The namespace of an id, when it is one and one of those that its place takes.
    fn is_id<'v>(&mut self, path: &str, value: &'v str, place: P, namespaces: &[&str]) -> Option<&'v str> {
        let first = namespaces.first().copied().unwrap_or_default();
        let (message, help) = match parse_slot_id(value) {
            Ok(namespace) if namespaces.contains(&namespace) => return Some(namespace),
            Ok(namespace) => {
                let quoted: Vec<String> = namespaces.iter().map(|namespace| format!("\"{namespace}\"")).collect();
                let wanted = match &quoted[..] {
                    [one] => format!("{one} is required"),
                    several => format!("one of {} is required", several.join(" · ")),
                };
                let message = format!("id \"{value}\" carries namespace \"{namespace}\" where {wanted}");
                let openings: Vec<String> = namespaces.iter().map(|namespace| format!("`{namespace}:`")).collect();
                (message, format!("write an id that opens with {}", openings.join(" or ")))
            }
            Err(IdError { shown, reason }) => {
                let help = match reason {
                    ENTRY_ADDRESS => "name the Spec, without the part from `#` on".to_owned(),
                    TOO_LONG => "write a shorter id".to_owned(),
                    _ => format!(
                        "write an id such as `{first}:orders.refund`: dot-joined segments of letters, digits and `-`"
                    ),
                };
                (format!("Invalid ID \"{shown}\": {reason}"), help)
            }
        };
        self.refuse(place, format!("anchor field \"{path}\" did not reify: {message}"), help);
        None
    }

    fn repeats(&mut self, stated: &[Stated<P>]) {
        let mut seen = HashSet::new();
        for Stated { field, place, .. } in stated {
            if !seen.insert(*field) {
                let name = field.as_str();
                let message = format!(
                    "property \"{name}\" is authored more than once in this carrier (ambiguity is loud, L2); evaluation would keep the last value silently, so the carrier is not extracted"
                );
                self.refuse(*place, message, format!("state `{name}` once"));
            }
        }
    }

    /// Whether each field is one that the anchor may have, and those are there that it must have.
    fn contract(&mut self, stated: &[Stated<P>], whole: P, is_component: bool, derived: &str) {
        let attribute = self.attribute;
        for Stated { field, place, .. } in stated {
            if !attribute.contract().contains(field) {
                let message = outside_contract(attribute, field.as_str());
                self.refuse(*place, message, attribute.contract_help());
            }
        }
        let is_stated = |field: Field| stated.iter().any(|stated| stated.field == field);
        for field in [Field::Verifies, Field::Models] {
            if attribute.targets() == Some(field) && !is_stated(field) {
                let help = "write the id of a Spec as a string, as in \"spec:orders.refund\"";
                self.refuse(whole, missing(field), help);
            }
        }
        if !attribute.is_of_code() || is_component {
            return;
        }
        let id = stated.iter().find(|stated| stated.field == Field::Id).and_then(|stated| stated.values.first());
        let id = id.and_then(|value| value.text.as_deref()).unwrap_or(derived);
        for Stated { field, place, .. } in stated {
            if matches!(field, Field::Layer | Field::Context) {
                let message = format!(
                    "anchor field \"{}\" belongs to a component: anchor only; \"{id}\" declares no component",
                    field.as_str()
                );
                self.refuse(*place, message, "write it on the anchor of the component");
            }
        }
    }

    /// The targets of one field, each once.
    fn targets<'s>(&mut self, stated: &'s Stated<P>, satisfied: &mut HashSet<&'s str>) {
        let field = stated.field;
        let name = field.as_str();
        let namespaces: &[&str] = match field {
            Field::Component => &["component"],
            Field::Uses => CODE,
            _ => SPEC,
        };
        if stated.values.is_empty() {
            let message = if field.takes_list() {
                format!("anchor field \"{name}\" must be non-empty when present")
            } else {
                format!("anchor field \"{name}\" must name at least one target when present")
            };
            let help = if field.is_positional() {
                "write the ids of Specs as strings, as in \"spec:orders.refund\"".to_owned()
            } else {
                format!("name a target of `{name}`, or remove it")
            };
            self.refuse(stated.place, message, help);
            return;
        }
        let mut seen = HashSet::with_capacity(stated.values.len());
        for (index, Value { text, place }) in stated.values.iter().enumerate() {
            let Some(target) = text else { continue };
            let path = if stated.values.len() == 1 { name.to_owned() } else { format!("{name}[{index}]") };
            if self.is_id(&path, target, *place, namespaces).is_none() {
                continue;
            }
            if !seen.insert(target.as_str()) {
                self.refuse(*place, repeated(field, target), format!("name `{target}` once"));
            } else if field == Field::Satisfies {
                satisfied.insert(target);
            } else if field == Field::References && satisfied.contains(target.as_str()) {
                let message = format!(
                    "Spec \"{target}\" is named in both \"satisfies\" and \"references\"; a realized target is not also a design reference."
                );
                self.refuse(*place, message, format!("remove `{target}` from the references"));
            }
        }
    }

    fn token(&mut self, field: Field, value: &str, place: P) {
        if !is_token(value) {
            let message = format!(
                "anchor field \"{}\" reified to \"{}\", which is not one token of the form ^[a-z][a-z0-9-]*$ — role and context are vocabulary, never prose",
                field.as_str(),
                shown(value, MAX_SHOWN)
            );
            self.refuse(place, message, "write one word of small letters, digits and `-`");
        }
    }

    fn layer(&mut self, value: &str, place: P) {
        if !LAYERS.contains(&value) {
            let message = format!(
                "anchor field \"layer\" reified to \"{}\", which is not one of {} — the layer set is closed",
                shown(value, MAX_SHOWN),
                LAYERS.join(" · ")
            );
            let help = match first_nearest(value, LAYERS.iter().copied(), 2) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("write one of {}", LAYERS.join(", ")),
            };
            self.refuse(place, message, help);
        }
    }
}

fn repeated(field: Field, target: &str) -> String {
    match field {
        Field::Uses => {
            format!("Structural uses target \"{target}\" is authored more than once; targets must be unique.")
        }
        Field::References => {
            format!("References target \"{target}\" is authored more than once; targets must be unique.")
        }
        _ => format!(
            "anchor target \"{target}\" is authored more than once in \"{}\" (ambiguity is loud, L2); one edge per target, so the anchor is not extracted",
            field.as_str()
        ),
    }
}

/// The first candidate nearest to `wanted` within `limit` edits of UTF-16 code units.
fn first_nearest<'c>(wanted: &str, candidates: impl Iterator<Item = &'c str>, limit: usize) -> Option<&'c str> {
    // A longer text is near to nothing, and its distance would cost its length.
    let wanted: Vec<u16> = wanted.encode_utf16().take(64).collect();
    let distances = candidates.map(|candidate| (distance(&wanted, candidate), candidate));
    distances.filter(|(distance, _)| *distance <= limit).min_by_key(|(distance, _)| *distance).map(|(_, near)| near)
}

/// Levenshtein's distance.
fn distance(wanted: &[u16], candidate: &str) -> usize {
    let mut above: Vec<usize> = (0..=wanted.len()).collect();
    for (row, unit) in candidate.encode_utf16().enumerate() {
        let mut left = row + 1;
        let mut cells = vec![left];
        for (pair, other) in above.windows(2).zip(wanted) {
            let &[diagonal, up] = pair else { continue };
            left = (diagonal + usize::from(unit != *other)).min(up + 1).min(left + 1);
            cells.push(left);
        }
        above = cells;
    }
    above.last().copied().unwrap_or_default()
}
