//! Rows 15 and 16: an oracle has both of its channels, and they say the same. A contract comes in; the first oracle that lacks
//! one, or whose direction drifts from its check, goes out.

use std::collections::{HashMap, HashSet};

use super::Checked;
use crate::contract::{Direction, EvalContract, Expression, Operand, OperandPointer, Oracle, Relation};
use crate::fault::{FailureCode, StructuralFailure};
use crate::walk::{OperandAt, operands};

/// Row 15: an oracle has a direction and a check.
pub(crate) fn channels(contract: &EvalContract) -> Checked {
    for oracle in &contract.oracles {
        for (part, missing) in [("direction", oracle.direction.is_none()), ("check", oracle.check.is_none())] {
            if missing {
                return Err(omitted(oracle, part));
            }
        }
    }
    Ok(())
}

/// The failure of an oracle that lacks its direction or its check.
pub(crate) fn omitted(oracle: &Oracle, part: &str) -> StructuralFailure {
    let path = format!("EvalContract.oracles[id={}].{part}", oracle.id);
    StructuralFailure::new(FailureCode::OracleMissingChannel, path, format!("omits its {part} (AD-3)"))
}

/// Row 16: a direction names nothing that the check does not, and has the oracle's polarity.
pub(crate) fn alignment(contract: &EvalContract) -> Checked {
    for oracle in &contract.oracles {
        if let (Some(direction), Some(check)) = (&oracle.direction, &oracle.check) {
            aligned(oracle, direction, check)?;
        }
    }
    Ok(())
}

fn aligned(oracle: &Oracle, direction: &Direction, check: &Expression) -> Checked {
    let fails = |field: &str, detail: String| {
        let path = format!("EvalContract.oracles[id={}].direction.{field}", oracle.id);
        Err(StructuralFailure::new(FailureCode::DirectionCheckMisaligned, path, detail))
    };
    let mut coverage = Coverage::of(direction);
    coverage.cover(check, None);
    if let Some(target) = direction.evidence_targets.iter().find(|target| !coverage.covers(target.as_str())) {
        let detail = format!("\"{target}\" is not contained in check, even after quantifier substitution (AD-3)");
        return fails("evidenceTargets", detail);
    }
    if !coverage.relations.contains(&direction.relation) {
        return fails("relation", format!("\"{}\" does not appear anywhere in check (AD-3)", direction.relation));
    }
    if direction.polarity != oracle.polarity {
        let detail = format!(
            "\"{}\" disagrees with the oracle's own polarity \"{}\" (AD-3, AD-33)",
            direction.polarity, oracle.polarity
        );
        return fails("polarity", detail);
    }
    Ok(())
}

/// The targets of a direction as a tree of their segments, and the places of it that the check addresses. No pointer is ever
/// substituted into a text, so that a long collection pointer with many bound pointers costs no more than it is long.
#[derive(Default)]
struct Coverage<'c> {
    /// A place, and the segment below it.
    places: HashMap<(usize, &'c str), usize>,
    covered: HashSet<usize>,
    relations: HashSet<Relation>,
}

/// What a quantifier's predicate is bound to: a place, or nothing that any target is below.
type Bound = Option<usize>;

impl<'c> Coverage<'c> {
    fn of(direction: &'c Direction) -> Self {
        let mut tree = Self::default();
        for target in &direction.evidence_targets {
            let mut place = 0;
            for segment in target.as_str().split('/').skip(1) {
                let next = tree.places.len() + 1;
                place = *tree.places.entry((place, segment)).or_insert(next);
            }
        }
        tree
    }

    /// The place of a pointer below another place, where any target goes through it.
    fn place(&self, from: usize, pointer: &str) -> Option<usize> {
        pointer.split('/').skip(1).try_fold(from, |place, segment| self.places.get(&(place, segment)).copied())
    }

    fn covers(&self, target: &str) -> bool {
        self.place(0, target).is_some_and(|place| self.covered.contains(&place))
    }

    /// The place of an operand, with `@/` standing for the bound collection.
    fn operand(&self, operand: &Operand, bound: Bound) -> Option<usize> {
        match operand {
            Operand::Pointer(OperandPointer::Interaction(pointer)) => self.place(0, pointer.as_str()),
            Operand::Pointer(OperandPointer::Bound(pointer)) if pointer.as_str() == "@/" => bound,
            Operand::Pointer(OperandPointer::Bound(pointer)) => self.place(bound?, pointer.as_str()),
            Operand::Literal(_) | Operand::ReferenceSet(_) => None,
        }
    }

    fn cover(&mut self, expression: &Expression, bound: Bound) {
        self.relations.insert(expression.relation());
        for (_, operand) in operands(expression) {
            if let OperandAt::Any(operand) = operand
                && let Some(place) = self.operand(operand, bound)
            {
                self.covered.insert(place);
            }
        }
        match expression {
            Expression::Not(of) => of.operands.iter().for_each(|inner| self.cover(inner, bound)),
            Expression::All(of) | Expression::Any(of) => of.operands.iter().for_each(|inner| self.cover(inner, bound)),
            Expression::ForAll(of) | Expression::ForAny(of) => {
                let inner = self.operand(&of.collection, bound);
                self.cover(&of.predicate, inner);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::testing::{changed, compiles, contract, set};

    fn refused(pointer: &str, value: Value) -> (String, String, String) {
        let contract = changed(contract(), pointer, value);
        let failure = super::channels(&contract).and_then(|()| super::alignment(&contract)).unwrap_err();
        (failure.code.to_string(), failure.artifact_path, failure.detail)
    }

    fn expected(code: &str, path: &str, detail: &str) -> (String, String, String) {
        (code.into(), format!("EvalContract.oracles[id={path}"), detail.into())
    }

    #[test]
    fn an_oracle_without_a_direction_or_a_check_is_refused() {
        assert_eq!(
            refused("/oracles/0/direction", json!(null)),
            expected("oracle-missing-channel", "O-001].direction", "omits its direction (AD-3)")
        );
        assert_eq!(
            refused("/oracles/1/check", json!(null)),
            expected("oracle-missing-channel", "O-002].check", "omits its check (AD-3)")
        );
    }

    #[test]
    fn a_target_that_the_check_does_not_address_is_refused() {
        for target in [
            "/interactions/read-back/response-body/owner",
            "/interactions/read-back/response-body",
            "/interactions/file/call-inputs/body/title/deep",
        ] {
            assert_eq!(
                refused("/oracles/0/direction/evidenceTargets/0", json!(target)),
                expected(
                    "direction-check-misaligned",
                    "O-001].direction.evidenceTargets",
                    &format!("\"{target}\" is not contained in check, even after quantifier substitution (AD-3)")
                )
            );
        }
    }

    #[test]
    fn a_bound_pointer_stands_for_its_collection() {
        let targets = "/oracles/1/direction/evidenceTargets";
        compiles(contract(), targets, json!(["/interactions/read-back/response-body/notes/noteId"]));
        let whole = set(
            contract(),
            "/oracles/1/check/predicate",
            json!({ "op": "existence", "operands": [{ "pointer": "@/" }] }),
        );
        compiles(whole, targets, json!(["/interactions/read-back/response-body/notes"]));
        assert_eq!(
            refused(targets, json!(["/interactions/read-back/response-body/notes/title"])).0,
            "direction-check-misaligned"
        );
    }

    #[test]
    fn a_relation_or_a_polarity_that_drifts_is_refused() {
        assert_eq!(
            refused("/oracles/1/direction/relation", json!("for-any")),
            expected(
                "direction-check-misaligned",
                "O-002].direction.relation",
                "\"for-any\" does not appear anywhere in check (AD-3)"
            )
        );
        compiles(contract(), "/oracles/1/direction/relation", json!("set-membership"));
        assert_eq!(
            refused("/oracles/0/polarity", json!("expects-violation")),
            expected(
                "direction-check-misaligned",
                "O-001].direction.polarity",
                "\"expects-hold\" disagrees with the oracle's own polarity \"expects-violation\" (AD-3, AD-33)"
            )
        );
    }
}
