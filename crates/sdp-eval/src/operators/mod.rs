//! The three-valued evaluation of check expressions (evaluation sheet, part 7). An expression and evidence come in; a tree of
//! resolutions, or one fault, goes out. Nothing is decided twice: what a node compares with is digested once, and all work is
//! charged to a budget, so that no expression over no evidence takes long.

use serde::Serialize;
use serde_json::Value;

use crate::contract::{Channel, Expression, InteractionPointer, Operand, ReferenceSet, Relation, Slug};
use crate::fault::RuntimeFault;

mod node;
mod operand;
mod site;
#[cfg(test)]
mod tests;

/// What the expressions are evaluated over.
pub trait Evidence {
    /// What the selected observation of a step holds on a channel; nothing where there is none.
    fn channel(&self, step: &Slug, channel: &Channel) -> Option<&Value>;

    /// Whether the operation of the pointer's step declares a collection at exactly this place.
    fn is_collection(&self, pointer: &InteractionPointer) -> bool;

    /// The declared reference set of a name.
    fn reference_set(&self, id: &Slug) -> Option<&ReferenceSet>;
}

/// How much work an evaluation may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The bound of one match: one more than the pattern's quantifiers, times the length of the text in UTF-16 code units.
    pub regex_match_steps: u64,
    /// The bound of all work: each character, key and element that is looked at and each step of a match is one, and a node is as
    /// much as 64 of them.
    pub steps: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { regex_match_steps: 1_000_000, steps: 1 << 28 }
    }
}

/// What a node says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resolution {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// The evidence does not say.
    InsufficientEvidence,
}

/// Why a node itself found the evidence insufficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntroductionCondition {
    /// A collection is empty, or a declared one is not there.
    EmptyCollection,
}

/// The resolution of a node with those of its parts. An operator has none; a quantifier has one for each element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resolved {
    /// What it says.
    pub resolution: Resolution,
    /// Why it found the evidence insufficient itself; nothing where it says so because of a part.
    pub introduction_condition: Option<IntroductionCondition>,
    /// Its parts.
    pub children: Vec<Resolved>,
}

impl Resolved {
    const fn leaf(holds: bool) -> Self {
        let resolution = if holds { Resolution::True } else { Resolution::False };
        Self { resolution, introduction_condition: None, children: Vec::new() }
    }

    const fn empty_collection() -> Self {
        Self {
            resolution: Resolution::InsufficientEvidence,
            introduction_condition: Some(IntroductionCondition::EmptyCollection),
            children: Vec::new(),
        }
    }
}

/// Evaluates an expression. The path of a fault starts with `check`.
///
/// # Errors
///
/// An operator met what it cannot take, a value has no canonical form, or the budget is used up.
#[sdp::satisfies("spec:sdp.eval.operators", component = "component:sdp.eval")]
pub fn evaluate(expression: &Expression, evidence: &impl Evidence, budget: &Budget) -> Result<Resolved, RuntimeFault> {
    node::Evaluation::new(evidence, *budget).node(expression, None, &site::Site::Check)
}

/// Whether an operator takes an operand of this kind at this position; the collection of a quantifier stands at position 0.
pub(crate) const fn accepts(op: Relation, position: usize, operand: &Operand) -> bool {
    match (op, position, operand) {
        (Relation::CoversByKey, 0, _) => matches!(operand, Operand::ReferenceSet(_)),
        (_, _, Operand::Pointer(_)) | (Relation::Containment, 1, _) => true,
        (Relation::Equality | Relation::DeepEquality, _, Operand::Literal(_)) => true,
        _ => false,
    }
}
