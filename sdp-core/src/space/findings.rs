//! The `contracts/…` findings, in the Protocol's words (fact sheet part 15, table I). Facts come in, warnings go out; their
//! number and length have a bound, however much a Spec repeats a mistake. No kind of finding takes the room of another.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::steps::Rebound;
use super::vocabulary::Fault;
use crate::finding::{Finding, FindingId};
use crate::graph::SpecNode;
use crate::harmless;
use crate::notation::{SlotType, SlotValue};

/// How many findings with one id one Spec gets.
const MAX_OF_ID: usize = 100;

/// How many characters of a step, a name, a value or a type a message shows.
const MAX_SHOWN: usize = 1_000;

/// The findings of one Spec. Past the bound of an id they are only known to be more.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
    /// How many there were of each id, as far as one beyond the bound.
    counts: BTreeMap<FindingId, usize>,
}

impl Findings {
    /// Adds one with an id, or notes that there are more.
    pub(super) fn push(&mut self, id: FindingId, finding: impl FnOnce() -> Finding) {
        let count = self.counts.entry(id).or_default();
        if *count < MAX_OF_ID {
            let finding = finding();
            debug_assert_eq!(finding.id, id);
            self.list.push(finding);
        }
        *count = (*count + 1).min(MAX_OF_ID + 1);
    }

    /// Whether each of some ids has more than its bound, so that a further one would change nothing.
    pub(super) fn are_full(&self, ids: &[FindingId]) -> bool {
        ids.iter().all(|id| self.counts.get(id).is_some_and(|count| *count > MAX_OF_ID))
    }

    /// The findings, with one for each id of which some are left out.
    pub(super) fn into_list(self, spec: &SpecNode) -> Vec<Finding> {
        let mut list = self.list;
        list.extend(self.counts.into_iter().filter(|(_, count)| *count > MAX_OF_ID).map(|(id, _)| {
            let message = format!(
                "Spec \"{}\" has more than {MAX_OF_ID} findings of \"{}\", of which {MAX_OF_ID} are said.",
                shown(&spec.id),
                id.as_str()
            );
            Finding::left_out(id, message).about(&spec.id).at(&spec.file, None)
        }));
        list
    }
}

const SPACE: &str = "behavior.exampleSpace";
const EXAMPLES: &str = "behavior.examples";

fn about(id: FindingId, spec: &SpecNode, field: &str, message: String) -> Finding {
    Finding::warning(id, message).about(&spec.id).in_field(field).at(&spec.file, None)
}

/// A text of a carrier, cut where it is longer than a message can hold.
fn shown(text: &str) -> Cow<'_, str> {
    harmless::shown(text, MAX_SHOWN)
}

fn shown_type(kind: &SlotType<'_>) -> String {
    shown(&kind.to_string()).into_owned()
}

fn shown_value(value: SlotValue<'_>) -> String {
    shown(&value.to_string()).into_owned()
}

pub(super) fn untyped_slot(spec: &SpecNode, skeleton: &str, name: &str) -> Finding {
    let message = format!(
        "vocabulary step \"{}\" carries slot \"{{{}}}\" without a usable type declaration — a dimension declares number/string/boolean or a closed union of two or more quoted literals; the slot declares nothing",
        shown(skeleton),
        shown(name)
    );
    about(FindingId::UntypedVocabularySlot, spec, SPACE, message)
}

pub(super) fn slot_declared_twice(
    spec: &SpecNode,
    name: &str,
    kind: &SlotType<'_>,
    first: &SlotType<'_>,
    skeleton: &str,
) -> Finding {
    let message = format!(
        "slot \"{{{}}}\" is declared at type {} after {} within one vocabulary step (\"{}\") — the first declaration wins (ambiguity is loud, L2)",
        shown(name),
        shown_type(kind),
        shown_type(first),
        shown(skeleton)
    );
    about(FindingId::ConflictingDimension, spec, SPACE, message)
}

pub(super) fn dimension_declared_twice(
    spec: &SpecNode,
    name: &str,
    (kind, skeleton): (&SlotType<'_>, &str),
    (first, earlier): (&SlotType<'_>, &str),
) -> Finding {
    let message = format!(
        "slot \"{{{}}}\" is declared at type {} in \"{}\" but already at {} in \"{}\" — the first declaration wins (ambiguity is loud, L2)",
        shown(name),
        shown_type(kind),
        shown(skeleton),
        shown_type(first),
        shown(earlier)
    );
    about(FindingId::ConflictingDimension, spec, SPACE, message)
}

pub(super) fn undeclared_slot(child: &SpecNode, parent: &SpecNode, name: &str) -> Finding {
    let message = format!(
        "bound slot \"{{{}}}\" is not declared in the parent's example space (\"{}\") — the binding is dropped from the point",
        shown(name),
        parent.id
    );
    about(FindingId::UndeclaredSlot, child, EXAMPLES, message).naming(&parent.id)
}

pub(super) fn off_dimension(
    child: &SpecNode,
    parent: &SpecNode,
    name: &str,
    value: SlotValue<'_>,
    kind: &SlotType<'_>,
) -> Finding {
    let message = format!(
        "slot \"{{{}}}\" binds {}, outside its declared type {} — the binding is dropped from the point",
        shown(name),
        shown_value(value),
        shown_type(kind)
    );
    about(FindingId::OffDimensionValue, child, EXAMPLES, message).naming(&parent.id)
}

pub(super) fn bound_twice(
    child: &SpecNode,
    parent: &SpecNode,
    name: &str,
    value: SlotValue<'_>,
    first: SlotValue<'_>,
) -> Finding {
    let message = format!(
        "slot \"{{{}}}\" is bound to {} after {} in the same example — the first binding wins (an example is one point, MD-17)",
        shown(name),
        shown_value(value),
        shown_value(first)
    );
    about(FindingId::ConflictingBinding, child, EXAMPLES, message).naming(&parent.id)
}

pub(super) fn bound_twice_in_step(child: &SpecNode, again: &Rebound<'_>, skeleton: &str) -> Finding {
    let message = format!(
        "slot \"{{{}}}\" is bound to {} after {} within one step (\"{}\") — the first binding wins (an example is one point, MD-17)",
        shown(again.name),
        shown_value(again.second),
        shown_value(again.first),
        shown(skeleton)
    );
    about(FindingId::ConflictingBinding, child, EXAMPLES, message)
}

pub(super) fn step_recurs(child: &SpecNode, skeleton: &str) -> Finding {
    let message = format!(
        "step \"{}\" recurs with different bound values in one example — the first binding wins (\"same words, same meaning\")",
        shown(skeleton)
    );
    about(FindingId::ConflictingBinding, child, EXAMPLES, message)
}

pub(super) fn several_entries(child: &SpecNode, entries: usize) -> Finding {
    let message = format!(
        "example carries {entries} structured entries — the step contract and the bound point derive from the first complete entry only; a sibling case is a sibling example (one point per example, MD-17)"
    );
    about(FindingId::MultiEntryExample, child, EXAMPLES, message)
}

pub(super) fn unmatched_step<'p>(
    child: &SpecNode,
    skeleton: &str,
    fault: Fault,
    parents: impl Iterator<Item = &'p str> + Clone,
) -> Finding {
    let verdict = match fault {
        Fault::Unmatched => "does not exist in",
        Fault::Incompatible => "does not bind compatibly against",
    };
    let plural = if parents.clone().nth(1).is_some() { "s" } else { "" };
    let ids: Vec<String> = parents.clone().map(|id| format!("\"{id}\"")).collect();
    let message = format!(
        "example step \"{}\" {verdict} the parent example space{plural} ({}) — the child step contract is withheld until the shared vocabulary and bound point agree",
        shown(skeleton),
        shown(&ids.join(" · "))
    );
    let finding = about(FindingId::UnmatchedVocabularyStep, child, EXAMPLES, message);
    match parents.into_iter().next() {
        Some(parent) => finding.naming(parent),
        None => finding,
    }
}
