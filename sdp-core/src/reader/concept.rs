//! Search by concept: a text goes in, the nodes that hold it come out, best field first. Substring only, without regard
//! to case; nothing is stemmed or guessed (newest sheet part 12).

use rayon::prelude::*;

use super::ConceptMatch;
use crate::graph::{Graph, Node};
use crate::model::{
    Behavior, Constraint, Decision, Example, Intent, ModelSection, OpenBag, OpenValue, Question, Rule, Sections, Steps,
    Verification, is_js_whitespace,
};

pub(super) fn find(graph: &Graph, text: &str) -> Vec<ConceptMatch> {
    let wanted = text.to_lowercase();
    let wanted = wanted.trim_matches(is_js_whitespace);
    if wanted.is_empty() {
        return Vec::new();
    }
    // Nodes stand by id already, and both the collection and the sort keep that order among equals.
    let mut found: Vec<(u8, ConceptMatch)> =
        graph.nodes.par_iter().filter_map(|node| match_node(node, wanted)).collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, matched)| matched).collect()
}

fn match_node(node: &Node, wanted: &str) -> Option<(u8, ConceptMatch)> {
    let holds = |text: &str| holds(text, wanted);
    let mut matched: Vec<(u8, String)> = Vec::new();
    let mut field = |rank: u8, name: &str, text: Option<&str>| {
        if text.is_some_and(holds) {
            matched.push((rank, name.to_owned()));
        }
    };
    field(0, "id", Some(node.id()));
    field(1, "title", node.title());
    field(2, "label", node.label());
    match node {
        Node::Pack(pack) => field(3, "framing", pack.framing.as_deref()),
        Node::Spec(spec) => {
            field(4, "narrative", spec.narrative.as_deref());
            if let Some(sections) = &spec.sections {
                matched.extend(matching_sections(sections, &holds).map(|name| (4, format!("sections.{name}"))));
            }
        }
        Node::Anchor(_) | Node::Code(_) => {}
    }
    let best = matched.iter().map(|(rank, _)| *rank).min()?;
    let matched_in = matched.into_iter().map(|(_, name)| name).collect();
    let title = node.title().map(str::to_owned);
    Some((best, ConceptMatch { id: node.id().to_owned(), node_type: node.node_type(), title, matched_in }))
}

fn holds(text: &str, wanted: &str) -> bool {
    text.to_lowercase().contains(wanted)
}

/// The sections that hold a text, by name: any string value; keys only in `model`, its own two included. Each section is
/// taken apart whole, so that a new part of one does not compile until it is searched here.
fn matching_sections(sections: &Sections, holds: &impl Fn(&str) -> bool) -> impl Iterator<Item = &'static str> {
    let Sections { intent, behavior, constraints, model, design, decision, verification, ui } = sections;
    [
        ("behavior", behavior.as_ref().is_some_and(|section| in_behavior(section, holds))),
        ("constraints", constraints.iter().flatten().any(|constraint| in_constraint(constraint, holds))),
        ("decision", decision.as_ref().is_some_and(|section| in_decision(section, holds))),
        ("design", design.as_ref().is_some_and(|section| in_bag(section, holds))),
        ("intent", intent.as_ref().is_some_and(|section| in_intent(section, holds))),
        ("model", model.as_ref().is_some_and(|section| in_model(section, holds))),
        ("ui", ui.as_ref().is_some_and(|section| in_bag(section, holds))),
        ("verification", verification.as_ref().is_some_and(|section| in_verification(section, holds))),
    ]
    .into_iter()
    .filter_map(|(name, found)| found.then_some(name))
}

fn in_behavior(behavior: &Behavior, holds: &impl Fn(&str) -> bool) -> bool {
    let Behavior { description, rules, examples, flows, example_space } = behavior;
    let in_steps = |steps: &Steps| steps.all().any(|(_, step)| holds(step));
    one(description, holds)
        || rules.iter().flatten().any(|Rule { text, key }| holds(text) || one(key, holds))
        || examples.iter().flatten().any(|example| match example {
            Example::Prose(text) => holds(text),
            Example::Structured(steps) => in_steps(steps),
        })
        || many(flows, holds)
        || example_space.as_ref().is_some_and(in_steps)
}

fn in_constraint(constraint: &Constraint, holds: &impl Fn(&str) -> bool) -> bool {
    let Constraint { flavor, statement, target, measurable_by } = constraint;
    [flavor, statement, target, measurable_by].into_iter().any(|text| one(text, holds))
}

fn in_decision(section: &Decision, holds: &impl Fn(&str) -> bool) -> bool {
    let Decision { description, context, decision, rationale, alternatives, consequences } = section;
    [description, context, decision].into_iter().any(|text| one(text, holds))
        || [rationale, alternatives, consequences].into_iter().any(|texts| many(texts, holds))
}

fn in_bag(bag: &OpenBag, holds: &impl Fn(&str) -> bool) -> bool {
    let OpenBag { description, entries } = bag;
    let in_value = |value: &OpenValue| {
        let mut is_held = false;
        value.each_text(&mut |text| is_held |= holds(text));
        is_held
    };
    one(description, holds) || entries.iter().any(|(_, value)| in_value(value))
}

fn in_intent(intent: &Intent, holds: &impl Fn(&str) -> bool) -> bool {
    let Intent { description, actor, problem, outcome, value, risks, assumptions, open_questions } = intent;
    let in_question = |Question { question, blocking: _, key }: &Question| holds(question) || one(key, holds);
    [description, actor, problem, outcome, value].into_iter().any(|text| one(text, holds))
        || [risks, assumptions].into_iter().any(|texts| many(texts, holds))
        || open_questions.iter().flatten().any(in_question)
}

fn in_model(model: &ModelSection, holds: &impl Fn(&str) -> bool) -> bool {
    let ModelSection { description, terms } = model;
    description.as_ref().is_some_and(|text| holds("description") || holds(text))
        || terms.as_ref().is_some_and(|terms| {
            holds("terms") || terms.iter().any(|(term, definition)| holds(term) || holds(definition))
        })
}

fn in_verification(verification: &Verification, holds: &impl Fn(&str) -> bool) -> bool {
    let Verification { description, mode, criteria } = verification;
    one(description, holds) || mode.is_some_and(|mode| holds(mode.as_str())) || many(criteria, holds)
}

fn one(text: &Option<String>, holds: &impl Fn(&str) -> bool) -> bool {
    text.as_deref().is_some_and(holds)
}

fn many(texts: &Option<Vec<String>>, holds: &impl Fn(&str) -> bool) -> bool {
    texts.iter().flatten().any(|text| holds(text))
}
