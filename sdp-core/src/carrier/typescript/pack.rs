//! A Pack: the call of `pack` comes in, the manifest goes out where nothing refuses it (fact sheet table E).

use oxc_ast::ast::CallExpression;

use super::envelope::{Envelope, Form};
use super::report::{Report, Said};
use super::sections::meant;
use super::values::Reading;
use crate::carrier::findings::shown;
use crate::carrier::words::is_reserved;
use crate::finding::FindingId;
use crate::model::PackDocument;

const FORM: Form = Form { name: "pack", namespace: "pack", whole: "pack manifest" };

/// The fields, in the order in which messages list them.
const FIELDS: [&str; 5] = ["id", "specs", "modelRefs", "title", "framing"];

/// Reads a call of `pack`.
pub(super) fn read<'e, 'a>(
    call: &'e CallExpression<'a>,
    reading: Reading<'e, 'a>,
    report: &mut Report<'_>,
) -> Option<PackDocument> {
    let (mut envelope, entries) = Envelope::open(FORM, call, reading, report)?;
    let (mut id, mut members, mut model_refs, mut title, mut framing) = (None, None, None, None, None);
    for entry in entries {
        let Some(field) = envelope.field(entry) else { continue };
        match field.name {
            "id" => id = envelope.id("id", field.value, "pack"),
            "specs" => members = envelope.ids("specs", field.value),
            "modelRefs" => model_refs = envelope.ids("modelRefs", field.value),
            "title" => title = envelope.text(&field),
            "framing" => framing = envelope.text(&field),
            name if is_reserved(name) => envelope.subject.error(FindingId::ReservedProperty, field.line, || {
                let message = format!(
                    "pack field \"{name}\" states derived graph vocabulary — delivery facts and derived edges are computed by the extractor, never authored (a pack states no truth of its own), so the pack is not extracted"
                );
                Said::new(message).at(name)
            }),
            name => envelope.subject.warning(FindingId::UnrecognizedProperty, field.line, || {
                let message = format!(
                    "property \"{}\" is outside the pack manifest shape ({}) and is dropped — authored content must never silently fall out of the graph (L2)",
                    shown(name),
                    FIELDS.join(" · ")
                );
                Said::new(message).at(shown(name)).help(meant(name, &FIELDS))
            }),
        }
    }
    envelope.refuse_missing(&["id", "specs"]);
    if envelope.subject.is_refused() {
        return None;
    }
    Some(PackDocument { id: id?, line: envelope.line, title, framing, members: members?, model_refs })
}
