//! No section states a delivery fact. The Markdown grammar refuses such keys at the door, but the open bags Design and
//! UI could hold one in a graph that another carrier or program made.

use crate::finding::{Finding, FindingId, hand_authored_fact};
use crate::graph::{Graph, Index, Node};
use crate::model::FACT_NAMES;
use crate::model::{OpenBag, Sections};

pub(super) fn check(graph: &Graph, _index: &Index, findings: &mut Vec<Finding>) {
    for spec in graph.nodes.iter().filter_map(Node::as_spec) {
        for (section, fact) in spec.sections.iter().flat_map(stated_facts) {
            let message = hand_authored_fact(&spec.id, section, fact);
            findings.push(
                Finding::error(FindingId::AuthoringShape, message)
                    .about(&spec.id)
                    .naming(fact)
                    .in_field(format!("{section}.{fact}"))
                    .at(&spec.file, None),
            );
        }
    }
}

fn stated_facts(sections: &Sections) -> impl Iterator<Item = (&'static str, &'static str)> {
    let keys = |bag: &'_ Option<OpenBag>| -> Vec<&'static str> {
        let entries = bag.iter().flat_map(|bag| &bag.entries);
        entries.filter_map(|(key, _)| FACT_NAMES.iter().find(|fact| **fact == key.as_str()).copied()).collect()
    };
    let design = keys(&sections.design).into_iter().map(|fact| ("design", fact));
    design.chain(keys(&sections.ui).into_iter().map(|fact| ("ui", fact)))
}
