//! The object that a call takes: its entries come in, the plain fields go out one by one, each name once; what is no plain
//! field refuses the document (fact sheet table E).

use hashbrown::HashSet;
use oxc_ast::ast::{CallExpression, Expression, ObjectExpression, ObjectPropertyKind};
use oxc_span::GetSpan;

use super::report::{Report, Said, Subject};
use super::values::{Reading, dropped, hole, repeated};
use crate::carrier::findings::shown;
use crate::carrier::words::nearest;
use crate::finding::FindingId;
use crate::typescript::{
    COMPUTED_NAME, Id, IdFault, Key, Refused, arguments_object, id_of, key_of, remedies, string_of, unwrapped,
};

/// What kind of document is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// The builder: `spec` or `pack`.
    pub(super) name: &'static str,
    /// The namespace of its id.
    pub(super) namespace: &'static str,
    /// What lacks something where a field is missing.
    pub(super) whole: &'static str,
}

/// A field as it is written.
pub(super) struct Field<'e, 'a> {
    /// Its name.
    pub(super) name: &'e str,
    /// The line on which it opens.
    pub(super) line: u32,
    /// Its value.
    pub(super) value: &'e Expression<'a>,
}

/// The fields of one document.
pub(super) struct Envelope<'e, 'a, 'r, 'f> {
    /// What its values are read with.
    pub(super) reading: Reading<'e, 'a>,
    /// Whose findings they are.
    pub(super) subject: Subject<'r, 'f>,
    /// The 1-based line of the call.
    pub(super) line: u32,
    form: Form,
    authored: HashSet<&'e str>,
    /// Whether an entry could carry any field.
    is_opaque: bool,
}

impl<'e, 'a, 'r, 'f> Envelope<'e, 'a, 'r, 'f> {
    /// Opens the envelope of a call, with the entries of its object; none, with a finding, where there is no such object.
    pub(super) fn open(
        form: Form,
        call: &'e CallExpression<'a>,
        reading: Reading<'e, 'a>,
        report: &'r mut Report<'f>,
    ) -> Option<(Self, &'e [ObjectPropertyKind<'a>])> {
        let line = reading.file.line_of(call);
        let mut subject = Subject::new(report);
        let Some(object) = arguments_object(call) else {
            subject.error(FindingId::NonStaticEnvelope, line, || {
                Said::new(format!("{}(…) must take exactly one fresh object literal argument", form.name)).help(
                    remedies::of_an_argument(call)
                        .unwrap_or_else(|| format!("write `{}({{ id: \"{}:…\", … }})`", form.name, form.namespace)),
                )
            });
            return None;
        };
        subject.id = own_id(object, reading, form.namespace);
        let envelope = Envelope { reading, subject, line, form, authored: HashSet::new(), is_opaque: false };
        Some((envelope, &object.properties))
    }

    /// The field that an entry is; none, with a finding, where it is none, or one that stands already.
    pub(super) fn field(&mut self, entry: &'e ObjectPropertyKind<'a>) -> Option<Field<'e, 'a>> {
        let line = self.reading.file.line_of(entry);
        let (name, value) = match key_of(entry) {
            Key::Plain(name, value) => (name, value),
            Key::Computed => {
                self.is_opaque = true;
                self.refuse(line, || Said::new(COMPUTED_NAME).help("write the name itself, or as a string".to_owned()));
                return None;
            }
            Key::NotPlain(name) => {
                // A shorthand names its field; anything else could carry any.
                match name {
                    Some(name) => drop(self.authored.insert(name)),
                    None => self.is_opaque = true,
                }
                let document = self.form.name;
                self.refuse(line, || {
                    Said::new(format!(
                        "the {document} object literal must be fresh: only plain property assignments are static (a spread or shorthand entry could carry envelope fields opaquely)"
                    ))
                    .help("write each field as `name: value`, with the value itself".to_owned())
                });
                return None;
            }
        };
        if !self.authored.insert(name) {
            self.refuse(line, || {
                Said::new(repeated(name, "so the carrier is not extracted"))
                    .at(shown(name))
                    .help("keep one of the two".to_owned())
            });
            return None;
        }
        Some(Field { name, line, value })
    }

    /// Says which of the fields that must be there are not. Beside an entry that could carry any field none can be called
    /// missing.
    pub(super) fn refuse_missing(&mut self, required: &[&'static str]) {
        let (line, form) = (self.line, self.form);
        for field in required {
            if self.is_opaque || self.authored.contains(field) {
                continue;
            }
            self.refuse(line, || {
                let message = format!(
                    "envelope field \"{field}\" is missing — the {} cannot be constructed without it",
                    form.whole
                );
                Said::new(message)
                    .at(field)
                    .help(format!("write the field `{field}` into the object of `{}(…)`", form.name))
            });
        }
    }

    /// Refuses the document for its envelope.
    pub(super) fn refuse(&mut self, line: u32, said: impl FnOnce() -> Said) {
        self.subject.error(FindingId::NonStaticEnvelope, line, said);
    }

    /// The id of an id slot.
    pub(super) fn id(
        &mut self,
        path: impl std::fmt::Display,
        value: &Expression<'a>,
        namespace: &str,
    ) -> Option<String> {
        match id_of(value, self.reading.builders, &[namespace]) {
            Ok(Id { text, .. }) => Some(text),
            Err(fault) => {
                let builders = self.reading.builders;
                let (id, Refused { why, span }, help) = match fault {
                    IdFault::NotStatic(refused) => {
                        let help = remedies::of_an_unbound_call(value, builders)
                            .unwrap_or_else(|| format!("write the id itself, as a string: `\"{namespace}:…\"`"));
                        (FindingId::NonStaticEnvelope, refused, help)
                    }
                    IdFault::Invalid(refused) => {
                        (FindingId::InvalidId, refused, remedies::of_an_id(value, builders, &[namespace]))
                    }
                };
                self.subject.error(id, self.reading.file.line(span.start), || {
                    Said::new(format!("envelope field \"{path}\" did not reify: {why}")).at(path).help(help)
                });
                None
            }
        }
    }

    /// The ids of an array.
    pub(super) fn ids(&mut self, name: &'static str, value: &'e Expression<'a>) -> Option<Vec<String>> {
        let Expression::ArrayExpression(array) = unwrapped(value) else {
            self.refuse_no_array(name, value);
            return None;
        };
        let mut ids = Vec::with_capacity(array.elements.len());
        for (at, element) in array.elements.iter().enumerate() {
            let path = format!("{name}[{at}]");
            match element.as_expression() {
                Some(expression) => ids.extend(self.id(path, expression, "spec")),
                None => {
                    let why = hole(element);
                    self.refuse(self.reading.file.line(element.span().start), || {
                        Said::new(format!("envelope field \"{path}\" did not reify: {why}")).at(path)
                    });
                }
            }
        }
        Some(ids)
    }

    /// Refuses a field that is no array.
    pub(super) fn refuse_no_array(&mut self, name: &'static str, value: &Expression<'a>) {
        let line = self.reading.file.line_of(unwrapped(value));
        self.refuse(line, || {
            Said::new(format!("envelope field \"{name}\" must be an array literal"))
                .at(name)
                .help(format!("write `{name}: […]`"))
        });
    }

    /// A word of a closed list.
    pub(super) fn word<T: Copy>(
        &mut self,
        field: &Field<'e, 'a>,
        all: &[T],
        as_str: fn(T) -> &'static str,
    ) -> Option<T> {
        let name = field.name;
        let text = match string_of(field.value) {
            Ok(text) => text,
            Err(Refused { why, span }) => {
                self.refuse(self.reading.file.line(span.start), || {
                    Said::new(format!("envelope field \"{name}\" did not reify: {why}")).at(name)
                });
                return None;
            }
        };
        let word = all.iter().copied().find(|word| as_str(*word) == text);
        if word.is_none() {
            let words: Vec<&str> = all.iter().map(|word| as_str(*word)).collect();
            self.refuse(field.line, || {
                let message = format!(
                    "envelope field \"{name}\" reified to \"{}\", which is not one of {} — the typed envelope cannot carry it",
                    shown(&text),
                    words.join(" · ")
                );
                let meant = nearest(&text, &words).map(|word| format!("did you mean `{word}`?"));
                Said::new(message).at(name).help(meant)
            });
        }
        word
    }

    /// Text that is dropped where it is not static.
    pub(super) fn text(&mut self, field: &Field<'e, 'a>) -> Option<String> {
        match string_of(field.value) {
            Ok(text) => Some(text),
            Err(Refused { why, span }) => {
                let line = self.reading.file.line(span.start);
                self.subject.warning(FindingId::NonStaticSection, line, || {
                    dropped(field.name, field.name, &why).help("write the text itself, in quotes".to_owned())
                });
                None
            }
        }
    }
}

/// The id of a document, where its first `id` holds one.
fn own_id(object: &ObjectExpression<'_>, reading: Reading<'_, '_>, namespace: &str) -> Option<String> {
    let value = object.properties.iter().find_map(|entry| match key_of(entry) {
        Key::Plain("id", value) => Some(value),
        _ => None,
    })?;
    id_of(value, reading.builders, &[namespace]).ok().map(|id| id.text)
}
