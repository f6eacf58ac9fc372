//! What an example space declares: its steps go in; dimensions in order, and for each skeleton the one usable type of each
//! slot, come out. The only place that decides whether a step of an example is one of a space's (fact sheet part 10.3).

use hashbrown::{HashMap, HashSet};

use super::findings::{self, Findings};
use super::steps::{ReadStep, space_of};
use crate::finding::FindingId;
use crate::graph::SpecNode;
use crate::model::Phase;
use crate::notation::{SlotForm, SlotType, SlotValue, Step};

/// One example space, read.
#[derive(Debug)]
pub(super) struct Space<'g> {
    pub(super) spec: &'g SpecNode,
    pub(super) steps: Vec<ReadStep<'g>>,
    /// The slots of Given and When steps in order; the first declaration of a name counts.
    pub(super) dimensions: Vec<Declared<'g>>,
    pub(super) vocabulary: Vocabulary<'g>,
    places: HashMap<&'g str, usize>,
}

/// One dimension.
#[derive(Debug)]
pub(super) struct Declared<'g> {
    pub(super) name: &'g str,
    pub(super) kind: SlotType<'g>,
    /// The position of the step that declares it.
    pub(super) step: usize,
    literals: HashSet<&'g str>,
}

impl<'g> Space<'g> {
    /// Reads the example space of a Spec that owns one.
    pub(super) fn read(spec: &'g SpecNode, findings: &mut Findings) -> Option<Self> {
        let steps = ReadStep::all(space_of(spec)?);
        let declared: Vec<Vec<(&'g str, &SlotType<'g>)>> =
            steps.iter().map(|step| declarations(spec, step, findings)).collect();
        let mut dimensions: Vec<Declared<'g>> = Vec::new();
        let mut places: HashMap<&'g str, usize> = HashMap::new();
        for (at, (step, declared)) in steps.iter().zip(declared).enumerate() {
            if step.phase == Phase::Then {
                continue;
            }
            for (name, kind) in declared {
                let known = places.get(name).and_then(|place| dimensions.get(*place));
                let Some(known) = known else {
                    places.insert(name, dimensions.len());
                    dimensions.push(Declared::new(name, kind, at));
                    continue;
                };
                if known.kind != *kind {
                    let earlier = steps.get(known.step).map_or("", |step| &step.skeleton);
                    findings.push(FindingId::ConflictingDimension, || {
                        findings::dimension_declared_twice(spec, name, (kind, &step.skeleton), (&known.kind, earlier))
                    });
                }
            }
        }
        let vocabulary = Vocabulary::of_steps(&steps);
        Some(Space { spec, steps, dimensions, vocabulary, places })
    }

    /// The position of the dimension with a name.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }
}

impl<'g> Declared<'g> {
    fn new(name: &'g str, kind: &SlotType<'g>, step: usize) -> Self {
        let literals = match kind {
            SlotType::OneOf(literals) => literals.iter().copied().collect(),
            _ => HashSet::new(),
        };
        Declared { name, kind: kind.clone(), step, literals }
    }

    /// Whether a value is one of the dimension's. A number that no machine number holds is none.
    pub(super) fn accepts(&self, value: SlotValue<'_>) -> bool {
        match (&self.kind, value) {
            (SlotType::Number, SlotValue::Number(number)) => number.is_finite(),
            (SlotType::String, SlotValue::Text(_)) | (SlotType::Boolean, SlotValue::Boolean(_)) => true,
            (SlotType::OneOf(_), SlotValue::Text(text)) => self.literals.contains(text),
            _ => false,
        }
    }
}

/// The slots of one step that declare a type, in order; the first declaration of a name counts.
fn declarations<'s, 'g>(
    spec: &SpecNode,
    step: &'s ReadStep<'g>,
    findings: &mut Findings,
) -> Vec<(&'g str, &'s SlotType<'g>)> {
    let mut declared: Vec<(&'g str, &'s SlotType<'g>)> = Vec::new();
    let mut seen: HashMap<&str, &SlotType<'_>> = HashMap::new();
    for slot in step.step.slots() {
        let SlotForm::Typed(kind) = &slot.form else {
            findings.push(FindingId::UntypedVocabularySlot, || findings::untyped_slot(spec, &step.skeleton, slot.name));
            continue;
        };
        match seen.get(slot.name) {
            None => {
                seen.insert(slot.name, kind);
                declared.push((slot.name, kind));
            }
            Some(first) if *first != kind => {
                findings.push(FindingId::ConflictingDimension, || {
                    findings::slot_declared_twice(spec, slot.name, kind, first, &step.skeleton)
                });
            }
            Some(_) => {}
        }
    }
    declared
}

/// The types that the slots of one skeleton have, wherever it stands; none where they are unusable or disagree.
type Types<'g> = HashMap<&'g str, Option<SlotType<'g>>>;

/// The steps of one example space, by skeleton.
#[derive(Debug)]
pub(super) struct Vocabulary<'g>(HashMap<String, Types<'g>>);

/// Why a step of an example is none of a space's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fault {
    /// No step has its skeleton.
    Unmatched,
    /// A slot is not bound, or has no one usable type in all steps of this skeleton.
    Incompatible,
}

impl<'g> Vocabulary<'g> {
    /// The vocabulary of a Spec that owns an example space.
    pub(super) fn of(spec: &'g SpecNode) -> Option<Self> {
        Some(Self::of_steps(&ReadStep::all(space_of(spec)?)))
    }

    fn of_steps(steps: &[ReadStep<'g>]) -> Self {
        let mut known: HashMap<String, Types<'g>> = HashMap::new();
        for step in steps {
            let types = types_of(&step.step);
            match known.get_mut(&step.skeleton) {
                None => {
                    known.insert(step.skeleton.clone(), types);
                }
                Some(known) => agree(known, types),
            }
        }
        Vocabulary(known)
    }

    /// What is wrong with the steps of an example, step by step; nothing where there is no vocabulary.
    pub(super) fn faults<'s>(
        vocabularies: &[&Vocabulary<'_>],
        steps: &[&'s ReadStep<'s>],
    ) -> impl Iterator<Item = (&'s ReadStep<'s>, Fault)> + use<'s> {
        let steps = if vocabularies.is_empty() { &[][..] } else { steps };
        let mut wanted: HashMap<&'s str, Wanted<'_>> =
            steps.iter().map(|step| (step.skeleton.as_str(), Wanted { step: &step.step, found: None })).collect();
        for vocabulary in vocabularies {
            // The smaller side is walked: one of them may be large for every example.
            if vocabulary.0.len() < wanted.len() {
                for (skeleton, types) in &vocabulary.0 {
                    if let Some(wanted) = wanted.get_mut(skeleton.as_str()) {
                        wanted.meet(types);
                    }
                }
            } else {
                for (skeleton, wanted) in &mut wanted {
                    if let Some(types) = vocabulary.0.get(*skeleton) {
                        wanted.meet(types);
                    }
                }
            }
        }
        let fault = |step: &&'s ReadStep<'s>| match wanted.get(step.skeleton.as_str())?.found {
            None => Some((*step, Fault::Unmatched)),
            Some(None) => Some((*step, Fault::Incompatible)),
            Some(Some(_)) => (!step.is_bound()).then_some((*step, Fault::Incompatible)),
        };
        steps.iter().filter_map(fault).collect::<Vec<_>>().into_iter()
    }
}

/// A skeleton that an example uses, and what the vocabularies say of it.
struct Wanted<'s> {
    step: &'s Step<'s>,
    /// None where no vocabulary holds it so far; then the types of its slots, none where they are unusable or disagree.
    found: Option<Option<Vec<&'s SlotType<'s>>>>,
}

impl<'s> Wanted<'s> {
    fn meet(&mut self, types: &'s Types<'s>) {
        let found: Option<Vec<&SlotType<'_>>> = self.step.slots().map(|slot| types.get(slot.name)?.as_ref()).collect();
        self.found = Some(match self.found.take() {
            None => found,
            Some(known) => known.filter(|known| found.as_ref() == Some(known)),
        });
    }
}

/// The type that one step declares for each of its names.
fn types_of<'g>(step: &Step<'g>) -> Types<'g> {
    let mut types: Types<'g> = HashMap::new();
    for slot in step.slots() {
        let kind = match &slot.form {
            SlotForm::Typed(kind) => Some(kind),
            _ => None,
        };
        match types.get_mut(slot.name) {
            None => {
                types.insert(slot.name, kind.cloned());
            }
            Some(known) if known.as_ref() != kind => *known = None,
            Some(_) => {}
        }
    }
    types
}

/// Keeps what another step of the same skeleton declares alike.
fn agree<'g>(known: &mut Types<'g>, mut types: Types<'g>) {
    for (name, kind) in known.iter_mut() {
        if types.remove(name).is_none_or(|other| other != *kind) {
            *kind = None;
        }
    }
    known.extend(types.into_keys().map(|name| (name, None)));
}
