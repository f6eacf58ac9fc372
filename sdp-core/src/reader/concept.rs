//! Search by concept: a text goes in, the nodes that hold it come out, best field first. Substring only, without regard
//! to case; nothing is stemmed or guessed (newest sheet part 12).

use rayon::prelude::*;

use super::ConceptMatch;
use crate::graph::{Graph, Node};
use crate::model::{Example, Sections, Steps, is_js_whitespace};

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

/// The sections that hold a text, by name: any string value; keys only in `model`, its own two included.
fn matching_sections(sections: &Sections, holds: &impl Fn(&str) -> bool) -> impl Iterator<Item = &'static str> {
    let one = |text: &Option<String>| text.as_deref().is_some_and(holds);
    let many = |texts: &Option<Vec<String>>| texts.iter().flatten().any(|text| holds(text));
    let steps = |steps: &Steps| steps.all().any(|(_, step)| holds(step));
    let keyed = |text: &str, key: &Option<String>| holds(text) || key.as_deref().is_some_and(holds);
    let bag = |bag: &crate::model::OpenBag| one(&bag.description) || bag.entries.iter().any(|(_, value)| holds(value));

    let behavior = sections.behavior.as_ref().is_some_and(|section| {
        one(&section.description)
            || section.rules.iter().flatten().any(|rule| keyed(&rule.text, &rule.key))
            || section.examples.iter().flatten().any(|example| match example {
                Example::Prose(text) => holds(text),
                Example::Structured(example) => steps(example),
            })
            || many(&section.flows)
            || section.example_space.as_ref().is_some_and(steps)
    });
    let constraints = sections.constraints.iter().flatten().any(|constraint| {
        one(&constraint.flavor)
            || one(&constraint.statement)
            || one(&constraint.target)
            || one(&constraint.measurable_by)
    });
    let decision = sections.decision.as_ref().is_some_and(|section| {
        one(&section.description)
            || one(&section.context)
            || one(&section.decision)
            || many(&section.rationale)
            || many(&section.alternatives)
            || many(&section.consequences)
    });
    let intent = sections.intent.as_ref().is_some_and(|section| {
        [&section.description, &section.actor, &section.problem, &section.outcome, &section.value].into_iter().any(one)
            || many(&section.risks)
            || many(&section.assumptions)
            || section.open_questions.iter().flatten().any(|question| keyed(&question.question, &question.key))
    });
    let model = sections.model.as_ref().is_some_and(|section| {
        section.description.as_ref().is_some_and(|text| holds("description") || holds(text))
            || section.terms.as_ref().is_some_and(|terms| {
                holds("terms") || terms.iter().any(|(term, definition)| holds(term) || holds(definition))
            })
    });
    let verification = sections.verification.as_ref().is_some_and(|section| {
        one(&section.description) || section.mode.is_some_and(|mode| holds(mode.as_str())) || many(&section.criteria)
    });
    [
        ("behavior", behavior),
        ("constraints", constraints),
        ("decision", decision),
        ("design", sections.design.as_ref().is_some_and(bag)),
        ("intent", intent),
        ("model", model),
        ("ui", sections.ui.as_ref().is_some_and(bag)),
        ("verification", verification),
    ]
    .into_iter()
    .filter_map(|(name, found)| found.then_some(name))
}
