//! One example: its Spec goes in; the point that it takes in a space, whether it is concrete, and its findings come out.

use hashbrown::{HashMap, HashSet};

use super::findings::{self, Findings};
use super::steps::{ReadStep, structured};
use super::vocabulary::{Fault, Space, Vocabulary};
use crate::finding::FindingId;
use crate::graph::SpecNode;
use crate::model::{Phase, SpecKind, Steps};
use crate::notation::SlotValue;

/// One example, read.
#[derive(Debug)]
pub(super) struct ReadExample<'g> {
    pub(super) spec: &'g SpecNode,
    /// The steps of the one entry that counts: the first with all three phases, else the first structured one.
    pub(super) entry: Vec<ReadStep<'g>>,
    /// The steps of the other structured entries.
    others: Vec<ReadStep<'g>>,
    /// How many structured entries it holds.
    entries: usize,
    /// Whether the entry that counts has all three phases.
    is_whole: bool,
}

/// What an example binds, in the order of the dimensions: the position of each and its value.
pub(super) type Point<'g> = Vec<(usize, SlotValue<'g>)>;

impl<'g> ReadExample<'g> {
    /// The ids of the findings that [`ReadExample::point`] gives.
    pub(super) const POINT_FINDINGS: &'static [FindingId] =
        &[FindingId::UndeclaredSlot, FindingId::OffDimensionValue, FindingId::ConflictingBinding];

    /// Reads a Spec that is an example with at least one structured entry.
    pub(super) fn read(spec: &'g SpecNode) -> Option<Self> {
        if spec.spec_kind != SpecKind::Example {
            return None;
        }
        let is_whole = |steps: &Steps| [&steps.given, &steps.when, &steps.then].iter().all(|phase| !phase.is_empty());
        let counts = structured(spec).position(is_whole);
        let (mut entry, mut others) = (Vec::new(), Vec::new());
        let mut entries = 0;
        for (at, steps) in structured(spec).enumerate() {
            entries += 1;
            if at == counts.unwrap_or(0) { &mut entry } else { &mut others }.extend(ReadStep::all(steps));
        }
        (entries > 0).then_some(ReadExample { spec, entry, others, entries, is_whole: counts.is_some() })
    }

    fn steps(&self) -> impl Iterator<Item = &ReadStep<'g>> {
        self.entry.iter().chain(&self.others)
    }

    /// Whether one entry is whole and no slot of any entry is left unbound.
    pub(super) fn is_concrete(&self) -> bool {
        self.is_whole && self.steps().all(ReadStep::is_bound)
    }

    /// Its steps that the vocabularies do not know, or not with these slots.
    pub(super) fn faults<'s>(
        &'s self,
        vocabularies: &[&Vocabulary<'_>],
    ) -> impl Iterator<Item = (&'s ReadStep<'s>, Fault)> + use<'s, 'g> {
        Vocabulary::faults(vocabularies, &self.steps().collect::<Vec<_>>())
    }

    /// The point that it takes in a space: only declared dimensions, only values of their types, the first value of each.
    pub(super) fn point(&self, space: &Space<'g>, findings: &mut Findings) -> Point<'g> {
        let mut bound: HashMap<usize, SlotValue<'g>> = HashMap::new();
        let mut undeclared: HashSet<&str> = HashSet::new();
        let (child, parent) = (self.spec, space.spec);
        let bindings = self.entry.iter().filter(|step| step.phase != Phase::Then).flat_map(|step| step.bindings().0);
        for (name, value) in bindings {
            let dimension = space.place(name).and_then(|place| Some((place, space.dimensions.get(place)?)));
            let Some((place, dimension)) = dimension else {
                if undeclared.insert(name) {
                    findings.push(FindingId::UndeclaredSlot, || findings::undeclared_slot(child, parent, name));
                }
                continue;
            };
            if !dimension.accepts(value) {
                findings.push(FindingId::OffDimensionValue, || {
                    findings::off_dimension(child, parent, name, value, &dimension.kind)
                });
                continue;
            }
            match bound.get(&place) {
                None => {
                    bound.insert(place, value);
                }
                Some(first) if *first != value => {
                    findings.push(FindingId::ConflictingBinding, || {
                        findings::bound_twice(child, parent, name, value, *first)
                    });
                }
                Some(_) => {}
            }
        }
        let mut point: Point<'g> = bound.into_iter().collect();
        point.sort_by_key(|(place, _)| *place);
        point
    }

    /// What is said of the example alone, and of its steps against all the spaces that it refines.
    pub(super) fn judge(&self, parents: &[&Space<'_>], findings: &mut Findings) {
        if self.entries > 1 {
            findings.push(FindingId::MultiEntryExample, || findings::several_entries(self.spec, self.entries));
        }
        // What is not concrete is a draft: no finding until every slot is bound.
        if self.is_concrete() {
            let vocabularies: Vec<&Vocabulary<'_>> = parents.iter().map(|parent| &parent.vocabulary).collect();
            let mut said: HashSet<(Fault, Phase, &str)> = HashSet::new();
            for (step, fault) in self.faults(&vocabularies) {
                if said.insert((fault, step.phase, &step.skeleton)) {
                    let ids = || parents.iter().map(|parent| parent.spec.id.as_str());
                    findings.push(FindingId::UnmatchedVocabularyStep, || {
                        findings::unmatched_step(self.spec, &step.skeleton, fault, ids())
                    });
                }
            }
        }
        self.judge_bindings(findings);
    }

    /// Slots and steps that bind another value when they recur.
    fn judge_bindings(&self, findings: &mut Findings) {
        let mut first_of: HashMap<&str, Vec<(&str, SlotValue<'_>)>> = HashMap::new();
        let mut said: HashSet<&str> = HashSet::new();
        for step in &self.entry {
            let (bindings, rebound) = step.bindings();
            for again in rebound {
                findings.push(FindingId::ConflictingBinding, || {
                    findings::bound_twice_in_step(self.spec, &again, &step.skeleton)
                });
            }
            let Some(first) = first_of.get(step.skeleton.as_str()) else {
                first_of.insert(&step.skeleton, bindings);
                continue;
            };
            let first: HashMap<&str, SlotValue<'_>> = first.iter().copied().collect();
            let differs = bindings.iter().any(|(name, value)| first.get(name).is_some_and(|first| first != value));
            if differs && said.insert(&step.skeleton) {
                findings.push(FindingId::ConflictingBinding, || findings::step_recurs(self.spec, &step.skeleton));
            }
        }
    }
}
