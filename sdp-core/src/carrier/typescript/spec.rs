//! A Spec: the call of `spec` comes in, the document goes out where nothing refuses it (fact sheet 6.3).

use oxc_ast::ast::{CallExpression, Expression};

use super::envelope::{Envelope, Field, Form};
use super::report::{Report, Said};
use super::sections::{SECTIONS, Typing, meant};
use super::values::Reading;
use crate::carrier::findings::shown;
use crate::carrier::words::is_reserved;
use crate::finding::FindingId;
use crate::model::{Altitude, Readiness, RelationType, Sections, SpecDocument, SpecKind};
use crate::typescript::{Builder, unwrapped};

const FORM: Form = Form { name: "spec", namespace: "spec", whole: "typed envelope" };

const REQUIRED: [&str; 4] = ["id", "kind", "altitude", "readiness"];

/// The fields beside the sections.
const FIELDS: [&str; 7] = ["id", "kind", "altitude", "readiness", "relations", "title", "narrative"];

/// Reads a call of `spec`.
pub(super) fn read<'e, 'a>(
    call: &'e CallExpression<'a>,
    reading: Reading<'e, 'a>,
    report: &mut Report<'_>,
) -> Option<SpecDocument> {
    let (mut envelope, entries) = Envelope::open(FORM, call, reading, report)?;
    let (mut id, mut kind, mut altitude, mut readiness) = (None, None, None, None);
    let (mut relations, mut title, mut narrative) = (Vec::new(), None, None);
    let (mut sections, mut lines) = (Sections::default(), Vec::new());
    for entry in entries {
        let Some(field) = envelope.field(entry) else { continue };
        match field.name {
            "id" => id = envelope.id("id", field.value, "spec"),
            "kind" => kind = envelope.word(&field, SpecKind::ALL, SpecKind::as_str),
            "altitude" => altitude = envelope.word(&field, Altitude::ALL, Altitude::as_str),
            "readiness" => readiness = envelope.word(&field, Readiness::ALL, Readiness::as_str),
            "relations" => relations = self::relations(&mut envelope, &field),
            "title" => title = envelope.text(&field),
            "narrative" => narrative = envelope.text(&field),
            name if SECTIONS.contains(&name) => {
                if let Some(value) = reading.section(name, field.value, &mut envelope.subject) {
                    let mut typing = Typing { sections, entries: lines, subject: &mut envelope.subject };
                    typing.take(name, field.line, value);
                    Typing { sections, entries: lines, .. } = typing;
                }
            }
            _ => other(&mut envelope, &field),
        }
    }
    envelope.refuse_missing(&REQUIRED);
    if envelope.subject.is_refused() {
        return None;
    }
    Some(SpecDocument {
        id: id?,
        line: envelope.line,
        kind: kind?,
        altitude: altitude?,
        readiness: readiness?,
        relations,
        title,
        narrative,
        sections,
        entries: lines,
    })
}

/// A field that no Spec has.
fn other(envelope: &mut Envelope<'_, '_, '_, '_>, field: &Field<'_, '_>) {
    let (name, line) = (field.name, field.line);
    if name == "description" {
        envelope.subject.error(FindingId::UnownedProse, line, || {
            Said::new("prose field \"description\" has no owning section")
                .at(name)
                .help("write the prose as `narrative`, or as the `description` of a section".to_owned())
        });
    } else if is_reserved(name) {
        envelope.subject.error(FindingId::ReservedProperty, line, || {
            let message = format!(
                "spec field \"{name}\" states derived graph vocabulary — delivery facts and derived edges are computed by the extractor, never authored, so the spec is not extracted"
            );
            let help = RelationType::from_word(name).map(|relation| {
                format!("declare a relation as an element of `relations`: `{relation}(\"spec:…\")`")
            });
            Said::new(message).at(name).help(help)
        });
    } else {
        envelope.subject.warning(FindingId::UnrecognizedProperty, line, || {
            let message = format!(
                "property \"{}\" is outside the spec shape (the envelope plus the sections {}) and is dropped — authored content must never silently fall out of the graph (L2)",
                shown(name),
                SECTIONS.join(" · ")
            );
            Said::new(message).at(shown(name)).help(meant(name, &[&FIELDS[..], &SECTIONS[..]].concat()))
        });
    }
}

/// The relations, in authored order.
fn relations<'e, 'a>(envelope: &mut Envelope<'e, 'a, '_, '_>, field: &Field<'e, 'a>) -> Vec<(RelationType, String)> {
    let Expression::ArrayExpression(array) = unwrapped(field.value) else {
        envelope.refuse_no_array("relations", field.value);
        return Vec::new();
    };
    let mut relations = Vec::with_capacity(array.elements.len());
    for (at, element) in array.elements.iter().enumerate() {
        let call = element.as_expression().map(unwrapped).and_then(|element| match element {
            Expression::CallExpression(call) => Some(call),
            _ => None,
        });
        let relation = call.and_then(|call| match envelope.reading.builders.of(&call.callee) {
            Some(Builder::Relation(relation)) => Some((relation, call)),
            _ => None,
        });
        let Some((relation, call)) = relation else {
            envelope.refuse(envelope.reading.file.line_of(element), || {
                let names: Vec<&str> = RelationType::ALL.iter().map(|relation| relation.as_str()).collect();
                let message = format!(
                    "\"relations[{at}]\" is not one of the six relation builders ({}) — a raw relation entry can smuggle a derived edge, so it is rejected at the envelope tier",
                    names.join(" · ")
                );
                Said::new(message)
                    .at(format_args!("relations[{at}]"))
                    .help("import the relation's builder and write `refines(\"spec:…\")`, say".to_owned())
            });
            continue;
        };
        let target = match call.arguments.as_slice() {
            [argument] => argument.as_expression(),
            _ => None,
        };
        let Some(target) = target else {
            envelope.refuse(envelope.reading.file.line_of(&**call), || {
                Said::new(format!("\"relations[{at}]\" must wrap exactly one spec id target"))
                    .at(format_args!("relations[{at}]"))
                    .help(format!("write `{relation}(\"spec:…\")`; another target is another element"))
            });
            continue;
        };
        let path = format!("relations[{at}].target");
        relations.extend(envelope.id(path, target, "spec").map(|target| (relation, target)));
    }
    relations
}
