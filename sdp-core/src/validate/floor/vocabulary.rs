//! Whether an example is concrete: every used step fully bound, and known to the example spaces that it refines (fact
//! sheet part 10.3).

use std::collections::HashMap;

use super::evidence::examples;
use super::{Judge, spec_at};
use crate::graph::Claim;
use crate::model::{EdgeType, Example, Steps};
use crate::notation::{Slot, SlotForm, SlotType, Step};

impl Judge<'_> {
    /// At least one whole structured example, no unbound slot in any, and no step that a parent's vocabulary lacks.
    pub(super) fn is_concrete_example(&self) -> bool {
        let structured: Vec<&Steps> = examples(self.spec)
            .filter_map(|example| match example {
                Example::Structured(steps) => Some(steps),
                Example::Prose(_) => None,
            })
            .collect();
        let whole = |steps: &&&Steps| !steps.given.is_empty() && !steps.when.is_empty() && !steps.then.is_empty();
        if !structured.iter().any(|steps| whole(&steps)) {
            return false;
        }
        let steps: Vec<Step<'_>> =
            structured.iter().flat_map(|steps| steps.all().map(|(_, text)| Step::read(text))).collect();
        if steps.iter().any(|step| step.slots().any(|slot| !slot.is_bound())) {
            return false;
        }
        match self.parent_vocabulary() {
            None => true,
            Some(vocabulary) => steps.iter().all(|step| vocabulary.admits(step)),
        }
    }

    fn parent_vocabulary(&self) -> Option<Vocabulary<'_>> {
        let mut vocabulary = None;
        for edge in self.index.edges_from(self.graph, &self.spec.id) {
            if edge.edge_type != EdgeType::Refines || edge.claim != Claim::Declared {
                continue;
            }
            let space = spec_at(self.graph, self.index, &edge.to)
                .and_then(|parent| parent.sections.as_ref())
                .and_then(|sections| sections.behavior.as_ref())
                .and_then(|behavior| behavior.example_space.as_ref());
            if let Some(space) = space {
                vocabulary.get_or_insert_with(Vocabulary::default).add(space);
            }
        }
        vocabulary
    }
}

/// The steps of one or more example spaces, by skeleton.
#[derive(Default)]
struct Vocabulary<'g> {
    steps: HashMap<String, Vec<Step<'g>>>,
}

impl<'g> Vocabulary<'g> {
    fn add(&mut self, space: &'g Steps) {
        for (_, text) in space.all() {
            let step = Step::read(text);
            self.steps.entry(step.skeleton()).or_default().push(step);
        }
    }

    /// Whether some step has this skeleton, and every slot one usable type in all of them.
    fn admits(&self, step: &Step<'_>) -> bool {
        let Some(matching) = self.steps.get(&step.skeleton()) else { return false };
        step.slots().all(|slot| {
            let types: Vec<Option<&SlotType<'_>>> =
                matching.iter().map(|known| declared_type(known, slot.name)).collect();
            types.first().copied().flatten().is_some_and(|first| types.iter().all(|other| *other == Some(first)))
        })
    }
}

/// The one usable type that a vocabulary step declares for a name.
fn declared_type<'s>(step: &'s Step<'_>, name: &str) -> Option<&'s SlotType<'s>> {
    let mut declared: Option<&SlotType<'_>> = None;
    for Slot { form, .. } in step.slots().filter(|slot| slot.name == name) {
        let SlotForm::Typed(kind) = form else { return None };
        if declared.is_some_and(|known| known != kind) {
            return None;
        }
        declared = Some(kind);
    }
    declared
}
