//! The attributes of `sdp-anchors`: a name comes in, the attribute of that name goes out with what it may state. All that is
//! known of them by name stands here, once.

use crate::anchor::envelope::{self, Field};

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
    /// All of them.
    pub(super) const ALL: [Form; 5] = [Form::Satisfies, Form::Verifies, Form::Models, Form::Component, Form::Anchor];

    /// The attribute of a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Form::ALL.into_iter().find(|form| form.name() == name)
    }

    /// Its name.
    pub(super) const fn name(self) -> &'static str {
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
    pub(super) const fn namespaces(self) -> &'static [&'static str] {
        match self {
            Form::Satisfies | Form::Anchor => envelope::CODE,
            Form::Verifies => &["test"],
            Form::Models => &["oracle"],
            Form::Component => &["component"],
        }
    }

    /// The field that its Spec ids state.
    pub(super) const fn targets(self) -> Option<Field> {
        match self {
            Form::Satisfies | Form::Component => Some(Field::Satisfies),
            Form::Verifies => Some(Field::Verifies),
            Form::Models => Some(Field::Models),
            Form::Anchor => None,
        }
    }

    /// The fields that it may state, in the order in which messages list them.
    pub(super) fn contract(self) -> &'static [Field] {
        envelope::contract(self.namespace())
    }
}
