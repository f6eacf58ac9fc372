//! The prose of a Spec: its narrative and every text of its sections, in the order in which the graph writes them, each
//! with its path. Titles, keys, the example space and the steps of examples are no prose; nothing is read twice.

use std::fmt;

use crate::graph::SpecNode;
use crate::model::{
    Behavior, Constraint, Decision, Example, Intent, ModelSection, OpenBag, Question, Rule, Sections, Verification,
};

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

/// Hands on each text with its place. Each section is taken apart whole, so that a new part of one does not compile until
/// it has its place here.
pub(super) fn each_text<'g>(spec: &'g SpecNode, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    field("narrative", &spec.narrative, sink);
    let Some(sections) = &spec.sections else { return };
    let Sections {
        intent: intent_section,
        behavior: behavior_section,
        constraints,
        model: model_section,
        design,
        decision: decision_section,
        verification: verification_section,
        ui,
    } = sections;
    if let Some(section) = intent_section {
        intent(section, sink);
    }
    if let Some(section) = behavior_section {
        behavior(section, sink);
    }
    for (at, entry) in constraints.iter().flatten().enumerate() {
        constraint(at, entry, sink);
    }
    if let Some(section) = model_section {
        model(section, sink);
    }
    if let Some(section) = design {
        bag("design", section, sink);
    }
    if let Some(section) = decision_section {
        decision(section, sink);
    }
    if let Some(section) = verification_section {
        verification(section, sink);
    }
    if let Some(section) = ui {
        bag("ui", section, sink);
    }
}

fn intent<'g>(intent: &'g Intent, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    let Intent { description, actor, problem, outcome, value, risks, assumptions, open_questions } = intent;
    field("intent.description", description, sink);
    field("intent.actor", actor, sink);
    field("intent.problem", problem, sink);
    field("intent.outcome", outcome, sink);
    field("intent.value", value, sink);
    list("intent.risks", risks, sink);
    list("intent.assumptions", assumptions, sink);
    for (at, Question { question, blocking: _, key: _ }) in open_questions.iter().flatten().enumerate() {
        sink(Place::Part("intent.openQuestions", at, "question"), question);
    }
}

fn behavior<'g>(behavior: &'g Behavior, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    let Behavior { description, rules, examples, flows, example_space: _ } = behavior;
    field("behavior.description", description, sink);
    // A keyed rule keeps the path of an unkeyed one (DESIGN part 2).
    for (at, Rule { text, key: _ }) in rules.iter().flatten().enumerate() {
        sink(Place::Item("behavior.rules", at), text);
    }
    for (at, example) in examples.iter().flatten().enumerate() {
        match example {
            Example::Prose(text) => sink(Place::Item("behavior.examples", at), text),
            Example::Structured(_) => {}
        }
    }
    list("behavior.flows", flows, sink);
}

fn constraint<'g>(at: usize, constraint: &'g Constraint, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    let Constraint { flavor, statement, target, measurable_by } = constraint;
    let parts = [("flavor", flavor), ("statement", statement), ("target", target), ("measurableBy", measurable_by)];
    for (name, text) in parts {
        if let Some(text) = text {
            sink(Place::Part("constraints", at, name), text);
        }
    }
}

fn model<'g>(model: &'g ModelSection, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    let ModelSection { description, terms } = model;
    field("model.description", description, sink);
    for (term, definition) in terms.iter().flatten() {
        sink(Place::Entry("model.terms", term), definition);
    }
}

fn decision<'g>(decision: &'g Decision, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    let Decision { description, context, decision, rationale, alternatives, consequences } = decision;
    field("decision.description", description, sink);
    field("decision.context", context, sink);
    field("decision.decision", decision, sink);
    list("decision.rationale", rationale, sink);
    list("decision.alternatives", alternatives, sink);
    list("decision.consequences", consequences, sink);
}

fn verification<'g>(verification: &'g Verification, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    let Verification { description, mode: _, criteria } = verification;
    field("verification.description", description, sink);
    list("verification.criteria", criteria, sink);
}

fn bag<'g>(section: &'static str, bag: &'g OpenBag, sink: &mut impl FnMut(Place<'g>, &'g str)) {
    let OpenBag { description, entries } = bag;
    if let Some(description) = description {
        sink(Place::Entry(section, "description"), description);
    }
    for (key, value) in entries {
        value.each_text(&mut |text| sink(Place::Entry(section, key), text));
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
