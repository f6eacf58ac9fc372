//! The prose of a Spec: its narrative and every text of its sections, in the order in which the graph writes them, each
//! with its path. Titles, keys, the example space and the steps of examples are no prose; nothing is read twice.

use std::fmt;

use crate::graph::SpecNode;
use crate::model::{Behavior, Constraint, Decision, Example, Intent, ModelSection, OpenBag, Verification};

/// Where a text stands in its Spec; shown as the path of a finding, such as `behavior.rules[2]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place<'g> {
    /// `narrative`, `intent.outcome`.
    Field(&'static str),
    /// `behavior.rules[2]`.
    Item(&'static str, usize),
    /// `constraints[0].statement`.
    Part(&'static str, usize, &'static str),
    /// `design.step2`, `model.terms.t`.
    Entry(&'static str, &'g str),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Field(field) => f.write_str(field),
            Place::Item(list, at) => write!(f, "{list}[{at}]"),
            Place::Part(list, at, part) => write!(f, "{list}[{at}].{part}"),
            Place::Entry(section, key) => write!(f, "{section}.{key}"),
        }
    }
}

/// Hands on each text with its place.
pub(super) fn each_text<'g>(spec: &'g SpecNode, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    field("narrative", &spec.narrative, sink);
    let Some(sections) = &spec.sections else { return };
    if let Some(section) = &sections.intent {
        intent(section, sink);
    }
    if let Some(section) = &sections.behavior {
        behavior(section, sink);
    }
    for (at, entry) in sections.constraints.iter().flatten().enumerate() {
        constraint(at, entry, sink);
    }
    if let Some(section) = &sections.model {
        model(section, sink);
    }
    if let Some(section) = &sections.design {
        bag("design", section, sink);
    }
    if let Some(section) = &sections.decision {
        decision(section, sink);
    }
    if let Some(section) = &sections.verification {
        verification(section, sink);
    }
    if let Some(section) = &sections.ui {
        bag("ui", section, sink);
    }
}

fn intent<'g>(intent: &'g Intent, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    field("intent.description", &intent.description, sink);
    field("intent.actor", &intent.actor, sink);
    field("intent.problem", &intent.problem, sink);
    field("intent.outcome", &intent.outcome, sink);
    field("intent.value", &intent.value, sink);
    list("intent.risks", &intent.risks, sink);
    list("intent.assumptions", &intent.assumptions, sink);
    for (at, question) in intent.open_questions.iter().flatten().enumerate() {
        sink(Place::Part("intent.openQuestions", at, "question"), &question.question);
    }
}

fn behavior<'g>(behavior: &'g Behavior, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    field("behavior.description", &behavior.description, sink);
    // A keyed rule keeps the path of an unkeyed one (DESIGN part 2).
    for (at, rule) in behavior.rules.iter().flatten().enumerate() {
        sink(Place::Item("behavior.rules", at), &rule.text);
    }
    for (at, example) in behavior.examples.iter().flatten().enumerate() {
        if let Example::Prose(text) = example {
            sink(Place::Item("behavior.examples", at), text);
        }
    }
    list("behavior.flows", &behavior.flows, sink);
}

fn constraint<'g>(at: usize, constraint: &'g Constraint, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    let parts = [
        ("flavor", &constraint.flavor),
        ("statement", &constraint.statement),
        ("target", &constraint.target),
        ("measurableBy", &constraint.measurable_by),
    ];
    for (name, text) in parts {
        if let Some(text) = text {
            sink(Place::Part("constraints", at, name), text);
        }
    }
}

fn model<'g>(model: &'g ModelSection, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    field("model.description", &model.description, sink);
    for (term, definition) in model.terms.iter().flatten() {
        sink(Place::Entry("model.terms", term), definition);
    }
}

fn decision<'g>(decision: &'g Decision, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    field("decision.description", &decision.description, sink);
    field("decision.context", &decision.context, sink);
    field("decision.decision", &decision.decision, sink);
    list("decision.rationale", &decision.rationale, sink);
    list("decision.alternatives", &decision.alternatives, sink);
    list("decision.consequences", &decision.consequences, sink);
}

fn verification<'g>(verification: &'g Verification, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    field("verification.description", &verification.description, sink);
    list("verification.criteria", &verification.criteria, sink);
}

fn bag<'g>(section: &'static str, bag: &'g OpenBag, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    if let Some(description) = &bag.description {
        sink(Place::Entry(section, "description"), description);
    }
    for (key, value) in &bag.entries {
        sink(Place::Entry(section, key), value);
    }
}

fn field<'g>(path: &'static str, text: &'g Option<String>, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    if let Some(text) = text {
        sink(Place::Field(path), text);
    }
}

fn list<'g>(path: &'static str, texts: &'g Option<Vec<String>>, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    for (at, text) in texts.iter().flatten().enumerate() {
        sink(Place::Item(path, at), text);
    }
}
