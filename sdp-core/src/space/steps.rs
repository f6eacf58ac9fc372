//! The steps of one Spec, each read once: sections go in, steps with their slots and skeletons come out.

use hashbrown::HashMap;

use crate::graph::SpecNode;
use crate::model::{Example, Phase, Steps};
use crate::notation::{SlotForm, SlotValue, Step};

/// One step, read.
#[derive(Debug)]
pub(super) struct ReadStep<'g> {
    pub(super) phase: Phase,
    pub(super) text: &'g str,
    pub(super) step: Step<'g>,
    pub(super) skeleton: String,
}

/// A slot that binds a second value within one step.
#[derive(Debug)]
pub(super) struct Rebound<'g> {
    pub(super) name: &'g str,
    pub(super) first: SlotValue<'g>,
    pub(super) second: SlotValue<'g>,
}

impl<'g> ReadStep<'g> {
    /// Reads every step, phase by phase.
    pub(super) fn all(steps: &'g Steps) -> Vec<Self> {
        let read = |(phase, text): (Phase, &'g str)| {
            let step = Step::read(text);
            let skeleton = step.skeleton();
            ReadStep { phase, text, step, skeleton }
        };
        steps.all().map(read).collect()
    }

    /// Whether no slot is left without a value.
    pub(super) fn is_bound(&self) -> bool {
        self.step.slots().all(|slot| slot.is_bound())
    }

    /// The value of each slot that binds one, in order, and every slot that binds another value later: the first one wins.
    pub(super) fn bindings(&self) -> (Vec<(&'g str, SlotValue<'g>)>, Vec<Rebound<'g>>) {
        let (mut bindings, mut rebound) = (Vec::new(), Vec::new());
        let mut seen: HashMap<&str, SlotValue<'_>> = HashMap::new();
        for slot in self.step.slots() {
            let SlotForm::Bound(value) = slot.form else { continue };
            match seen.get(slot.name) {
                None => {
                    seen.insert(slot.name, value);
                    bindings.push((slot.name, value));
                }
                Some(first) if *first != value => {
                    rebound.push(Rebound { name: slot.name, first: *first, second: value });
                }
                Some(_) => {}
            }
        }
        (bindings, rebound)
    }
}

/// The example space that a Spec owns.
pub(super) fn space_of(spec: &SpecNode) -> Option<&Steps> {
    spec.sections.as_ref()?.behavior.as_ref()?.example_space.as_ref()
}

/// The structured examples of a Spec.
pub(super) fn structured(spec: &SpecNode) -> impl Iterator<Item = &Steps> {
    let behavior = spec.sections.as_ref().and_then(|sections| sections.behavior.as_ref());
    behavior.into_iter().flat_map(|behavior| behavior.examples.iter().flatten()).filter_map(|example| match example {
        Example::Structured(steps) => Some(steps),
        Example::Prose(_) => None,
    })
}
