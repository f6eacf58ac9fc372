//! What an operand resolves to. An operand comes in; a borrowed value, the members of a set, or that it is absent, goes out.

use serde_json::Value;

use super::Evidence;
use super::node::{Evaluation, unacceptable};
use super::site::Site;
use crate::contract::{Operand, OperandPointer, ReferenceSet, Slug, is_index};
use crate::fault::RuntimeFault;

/// What an operand resolves to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found<'e> {
    /// A value of the evidence, or a literal.
    Value(&'e Value),
    /// The members of a declared set.
    Set(&'e ReferenceSet),
    /// Nothing stands there.
    Absent {
        /// Whether a collection is declared there.
        collection: bool,
    },
}

impl<'e> Found<'e> {
    /// The value, where there is one.
    pub(super) const fn value(self) -> Option<&'e Value> {
        match self {
            Self::Value(value) => Some(value),
            Self::Set(_) | Self::Absent { .. } => None,
        }
    }

    /// Whether it is an empty collection.
    pub(super) fn is_empty(self) -> bool {
        match self {
            Self::Value(value) => value.as_array().is_some_and(Vec::is_empty),
            Self::Set(set) => set.members.is_empty(),
            Self::Absent { .. } => false,
        }
    }

    /// Whether a declared collection is not there.
    pub(super) const fn is_missing_collection(self) -> bool {
        matches!(self, Self::Absent { collection: true })
    }
}

impl<'e, E: Evidence> Evaluation<'e, E> {
    /// What an operand resolves to.
    pub(super) fn operand(
        &mut self,
        operand: &'e Operand,
        bound: Option<&'e Value>,
        path: &Site<'_>,
    ) -> Result<Found<'e>, RuntimeFault> {
        match operand {
            Operand::Literal(value) => Ok(Found::Value(value)),
            Operand::ReferenceSet(id) => self.set(id, path).map(Found::Set),
            Operand::Pointer(OperandPointer::Bound(pointer)) => {
                let Some(element) = bound else {
                    return Err(unacceptable(
                        path,
                        "a bound-element pointer stands outside any quantifier's predicate",
                    ));
                };
                self.charge(pointer.as_str().len(), path)?;
                let tail = pointer.tail();
                Ok(below(element, &tail).map_or(Found::Absent { collection: false }, Found::Value))
            }
            Operand::Pointer(OperandPointer::Interaction(pointer)) => {
                let target = pointer.target();
                self.charge(pointer.as_str().len(), path)?;
                let value = self.evidence.channel(&target.step, &target.channel);
                Ok(match value.and_then(|root| below(root, &target.tail)) {
                    Some(value) => Found::Value(value),
                    None => Found::Absent { collection: self.evidence.is_collection(pointer) },
                })
            }
        }
    }

    /// The declared set of a name.
    pub(super) fn set(&self, id: &Slug, path: &Site<'_>) -> Result<&'e ReferenceSet, RuntimeFault> {
        self.evidence.reference_set(id).ok_or_else(|| unacceptable(path, "the reference set is not declared"))
    }
}

/// The value below another one (RFC 6901). An index has no leading zero and no sign; `-` is never there.
fn below<'v>(root: &'v Value, tail: &[String]) -> Option<&'v Value> {
    tail.iter().try_fold(root, |value, token| match value {
        Value::Object(members) => members.get(token),
        Value::Array(elements) if is_index(token) => elements.get(token.parse::<usize>().ok()?),
        _ => None,
    })
}
