//! Rows 6, 7, 8, 10 and 11: what a check expression may be made of. A contract comes in; the first operand, pattern, quantifier or
//! reference set that its operator does not take goes out. The relations of witnesses are expressions like the checks of oracles
//! and are held to the same rules, after them.

use std::collections::HashSet;

use serde_json::Value;

use super::{Checked, sites};
use crate::contract::{
    Channel, CoversByKey, EvalContract, Expression, Operand, OperandPointer, ReferenceSet, SetOperand,
};
use crate::fault::{FailureCode, StructuralFailure};
use crate::operators::accepts;
use crate::plan::Plan;
use crate::regex::Pattern;
use crate::walk::{Node, OperandAt, operands, walk};

/// Visits every node of every expression: the checks in the order of the oracles, then the relations of the witnesses.
fn each<'c>(contract: &'c EvalContract, mut visit: impl FnMut(Node<'c>, &str) -> Checked) -> Checked {
    for (path, check) in sites::checks(contract) {
        walk(check, &path, &mut visit)?;
    }
    for (path, _, witness) in sites::witnesses(contract) {
        walk(&witness.relation, &path, &mut visit)?;
    }
    Ok(())
}

fn malformed(path: String, detail: String) -> Checked {
    Err(StructuralFailure::new(FailureCode::MalformedOperatorExpression, path, detail))
}

/// Row 6: `@/` binds only inside a quantifier's predicate.
pub(crate) fn bound_element_scope(contract: &EvalContract) -> Checked {
    each(contract, |node, path| {
        if node.quantifiers > 0 {
            return Ok(());
        }
        for (position, operand) in operands(node.expression) {
            if let OperandAt::Any(Operand::Pointer(OperandPointer::Bound(pointer))) = operand {
                let detail = format!(
                    "bound-element pointer \"{pointer}\" appears outside any quantifier's predicate; \"@/\" binds only inside a quantifier (AD-26)"
                );
                return malformed(format!("{path}.{position}"), detail);
            }
        }
        Ok(())
    })
}

/// Row 7: every operator takes its operands.
pub(crate) fn operand_legality(plan: &Plan<'_>) -> Checked {
    let contract = plan.contract();
    // Every pair of a set and a key is judged once, however many nodes name it.
    let mut judged = HashSet::new();
    each(contract, |node, path| {
        let op = node.expression.relation();
        for (index, (position, operand)) in operands(node.expression).into_iter().enumerate() {
            if let OperandAt::Any(operand) = operand
                && !accepts(op, index, operand)
            {
                let detail =
                    format!("\"{op}\" does not accept a {} operand at position {index} (AD-4, AD-26)", kind(operand));
                return malformed(format!("{path}.{position}"), detail);
            }
        }
        match node.expression {
            Expression::Ordering(of) => {
                let [collection] = &of.operands;
                let at = match collection {
                    Operand::Pointer(OperandPointer::Bound(_)) => node.collection,
                    other => Some(other),
                };
                match at {
                    Some(Operand::Pointer(OperandPointer::Interaction(pointer)))
                        if matches!(pointer.target().channel, Channel::CallInputs(_)) =>
                    {
                        let detail = "\"ordering\" does not accept a pointer to call-inputs at position 0; what was sent has no order to be observed (AD-4, AD-26)";
                        malformed(format!("{path}.operands[0]"), detail.to_owned())
                    }
                    _ => Ok(()),
                }
            }
            Expression::SetMembership(of) => match &of.operands.1 {
                SetOperand::ReferenceSet(id) => match set(contract, id.as_str()) {
                    Some(set) => members(id.as_str(), set, &format!("{path}.operands[1]"), &mut judged),
                    None => Ok(()),
                },
                SetOperand::Literal(_) => Ok(()),
            },
            Expression::CoversByKey(of) => expected(contract, of, &mut judged),
            _ => Ok(()),
        }
    })
}

/// The declared set of a name.
fn set<'c>(contract: &'c EvalContract, id: &str) -> Option<&'c ReferenceSet> {
    contract.reference_sets.as_ref()?.get(id)
}

const fn kind(operand: &Operand) -> &'static str {
    match operand {
        Operand::Pointer(_) => "pointer",
        Operand::Literal(_) => "literal",
        Operand::ReferenceSet(_) => "referenceSet",
    }
}

/// The sets and keys that were judged, with whether the values of the key must differ.
type Judged<'c> = HashSet<(&'c str, &'c str, bool)>;

/// A set that a value is a member of has one key, which every member has.
fn members<'c>(id: &'c str, set: &'c ReferenceSet, site: &str, judged: &mut Judged<'c>) -> Checked {
    let [key] = &*set.keys else {
        let detail = format!(
            "\"set-membership\" compares with the one key of a reference set, but referenceSet \"{id}\" declares {} keys (AD-4, AD-26)",
            set.keys.len()
        );
        return malformed(site.to_owned(), detail);
    };
    let key = key.as_str();
    if !judged.insert((id, key, false)) {
        return Ok(());
    }
    match set.members.iter().position(|member| !member.contains_key(key)) {
        Some(index) => lacks(id, index, key),
        None => Ok(()),
    }
}

fn lacks(id: &str, index: usize, key: &str) -> Checked {
    malformed(
        format!("EvalContract.referenceSets[id={id}].members[{index}].{key}"),
        format!("lacks the key \"{key}\", which an operator compares by (AD-4, AD-26)"),
    )
}

/// The members that a collection is to cover all have the key, and each another value of it.
fn expected<'c>(contract: &'c EvalContract, of: &'c CoversByKey, judged: &mut Judged<'c>) -> Checked {
    let [Operand::ReferenceSet(id), _] = &of.operands else { return Ok(()) };
    let (id, key) = (id.as_str(), of.expected_key.as_str());
    let Some(set) = set(contract, id) else { return Ok(()) };
    if !judged.insert((id, key, true)) {
        return Ok(());
    }
    let mut seen = HashSet::with_capacity(set.members.len());
    for (index, member) in set.members.iter().enumerate() {
        let Some(value) = member.get(key) else { return lacks(id, index, key) };
        if !seen.insert(canonical(value)) {
            return malformed(
                format!("EvalContract.referenceSets[id={id}].members[{index}].{key}"),
                format!(
                    "repeats a value of the expected key \"{key}\", which could then be covered by either (AD-4, AD-26)"
                ),
            );
        }
    }
    Ok(())
}

/// A value's digest. A value outside the domain cannot stand in a contract that was read; it would count as one value.
fn canonical(value: &Value) -> Option<sdp_canon::Digest> {
    sdp_canon::canonical::digest(value).ok()
}

/// Row 8: every pattern is one that a run can trust.
pub(crate) fn regex_constructs(contract: &EvalContract) -> Checked {
    each(contract, |node, path| {
        if let Expression::Regex(of) = node.expression
            && let Err(reason) = Pattern::new(of.pattern.as_str())
        {
            let detail = format!("regex pattern \"{}\" {reason}, a rejected construct (AD-4)", of.pattern);
            return malformed(format!("{path}.pattern"), detail);
        }
        Ok(())
    })
}

/// Row 10: quantifiers don't stand inside each other.
pub(crate) fn quantifier_nesting(contract: &EvalContract) -> Checked {
    each(contract, |node, path| {
        let detail = match node.expression {
            _ if node.quantifiers == 0 => return Ok(()),
            Expression::ForAll(_) | Expression::ForAny(_) => {
                "a quantifier appears inside another quantifier's predicate; quantifiers may not nest more than one level (AD-4)"
            }
            Expression::CoversByKey(_) => {
                "covers-by-key appears inside a quantifier's predicate, where it may never nest (AD-4)"
            }
            _ => return Ok(()),
        };
        Err(StructuralFailure::new(FailureCode::QuantifierNestingExceeded, path, detail))
    })
}

/// Row 11: every reference set is declared.
pub(crate) fn reference_sets(contract: &EvalContract) -> Checked {
    each(contract, |node, path| {
        for (position, operand) in operands(node.expression) {
            let (OperandAt::Any(Operand::ReferenceSet(id)) | OperandAt::Set(SetOperand::ReferenceSet(id))) = operand
            else {
                continue;
            };
            if set(contract, id.as_str()).is_none() {
                let detail = format!("referenceSet \"{id}\" is not declared on the contract (AD-26)");
                let path = format!("{path}.{position}");
                return Err(StructuralFailure::new(FailureCode::UnresolvedReferenceSet, path, detail));
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::testing::{changed, contract};

    const WORD: &str = "/interactions/read-back/response-body/title";

    /// What the five rows say of a contract whose second check is this one.
    fn judged(check: Value) -> Option<(String, String, String)> {
        said(&changed(contract(), "/oracles/1/check", check))
    }

    fn said(contract: &EvalContract) -> Option<(String, String, String)> {
        let plan = Plan::of(contract);
        let failure = bound_element_scope(contract)
            .and_then(|()| operand_legality(&plan))
            .and_then(|()| regex_constructs(contract))
            .and_then(|()| quantifier_nesting(contract))
            .and_then(|()| reference_sets(contract))
            .err()?;
        let path = failure.artifact_path.replace("EvalContract.oracles[id=O-002].check", "check");
        Some((failure.code.to_string(), path, failure.detail))
    }

    fn refused(check: Value, code: &str, path: &str, detail: &str) {
        assert_eq!(judged(check), Some((code.into(), path.into(), detail.into())));
    }

    #[test]
    fn what_is_legal_passes() {
        assert_eq!(said(&changed(contract(), "/revisionCount", json!(0))), None);
        for check in [
            json!({ "op": "containment", "operands": [{ "pointer": WORD }, { "referenceSet": "known-notes" }] }),
            json!({ "op": "regex", "operands": [{ "pointer": WORD }], "pattern": "^(?:a|b)$" }),
            json!({ "op": "covers-by-key", "operands": [{ "referenceSet": "known-notes" }, { "pointer": WORD }],
                "expectedKey": "noteId", "actualKey": "noteId" }),
        ] {
            assert_eq!(judged(check), None);
        }
    }

    #[test]
    fn a_bound_pointer_outside_a_predicate_is_refused() {
        let check = json!({ "op": "not", "operands": [{ "op": "existence", "operands": [{ "pointer": "@/x" }] }] });
        let detail = "bound-element pointer \"@/x\" appears outside any quantifier's predicate; \"@/\" binds only inside a quantifier (AD-26)";
        refused(check, "malformed-operator-expression", "check.operands[0].operands[0]", detail);
        let relation = "/permittedInterfaces/0/operations/1/sensitivityWitness/relation";
        let unbound = changed(contract(), relation, json!({ "op": "existence", "operands": [{ "pointer": "@/x" }] }));
        let path = "EvalContract.permittedInterfaces[logicalId=desk].operations[operationId=read-ticket].sensitivityWitness.relation.operands[0]";
        assert_eq!(said(&unbound), Some(("malformed-operator-expression".into(), path.into(), detail.into())));
    }

    #[test]
    fn an_operand_that_its_operator_does_not_take_is_refused() {
        let code = "malformed-operator-expression";
        for (op, operands, position, kind) in [
            ("existence", json!([{ "literal": 1 }]), 0, "literal"),
            ("equality", json!([{ "pointer": WORD }, { "referenceSet": "known-notes" }]), 1, "referenceSet"),
            ("containment", json!([{ "literal": [1] }, { "pointer": WORD }]), 0, "literal"),
        ] {
            let detail = format!("\"{op}\" does not accept a {kind} operand at position {position} (AD-4, AD-26)");
            refused(json!({ "op": op, "operands": operands }), code, &format!("check.operands[{position}]"), &detail);
        }
        let inner = json!({ "op": "existence", "operands": [{ "pointer": "@/" }] });
        let check = json!({ "op": "for-all", "collection": { "literal": [1] }, "predicate": inner });
        let detail = "\"for-all\" does not accept a literal operand at position 0 (AD-4, AD-26)";
        refused(check, code, "check.collection", detail);
        let sent = json!({ "pointer": "/interactions/file/call-inputs/body" });
        let check = json!({ "op": "ordering", "operands": [sent], "key": "a", "order": "ascending" });
        assert_eq!(judged(check).unwrap().1, "check.operands[0]");
    }

    #[test]
    fn a_reference_set_that_an_operator_cannot_compare_by_is_refused() {
        let with = |keys: Value, members: Value, check: Option<Value>| {
            let set = json!({ "keys": keys, "members": members, "commentary": null });
            let mut base = crate::testing::set(contract(), "/referenceSets/known-notes", set);
            if let Some(check) = check {
                base = crate::testing::set(base, "/oracles/1/check", check);
            }
            said(&crate::testing::typed(&base)).map(|(_, path, _)| path)
        };
        let site = "check.predicate.operands[1]";
        assert_eq!(with(json!(["a", "b"]), json!([]), None).as_deref(), Some(site));
        let member = "EvalContract.referenceSets[id=known-notes].members[1].a";
        assert_eq!(with(json!(["a"]), json!([{ "a": 1 }, { "b": 1 }]), None).as_deref(), Some(member));
        let covers = json!({ "op": "covers-by-key", "operands": [{ "referenceSet": "known-notes" }, { "pointer": WORD }],
            "expectedKey": "a", "actualKey": "noteId" });
        for members in [json!([{ "a": 1 }, { "b": 1 }]), json!([{ "a": [1] }, { "a": [1] }])] {
            assert_eq!(with(json!(["a"]), members, Some(covers.clone())).as_deref(), Some(member));
        }
        assert_eq!(with(json!(["a"]), json!([{ "a": 1 }, { "a": "1" }]), Some(covers)), None);
    }

    #[test]
    fn a_pattern_that_a_run_cannot_trust_is_refused() {
        for pattern in ["^a|b$", "^($", "^(a)\\1$", "^(?<=a)b$", "^a\\$"] {
            let check = json!({ "op": "regex", "operands": [{ "pointer": WORD }], "pattern": pattern });
            let (code, path, detail) = judged(check).unwrap();
            assert_eq!((code.as_str(), path.as_str()), ("malformed-operator-expression", "check.pattern"));
            assert!(detail.starts_with(&format!("regex pattern \"{pattern}\" ")), "{detail}");
            assert!(detail.ends_with(", a rejected construct (AD-4)"), "{detail}");
        }
        let check = json!({ "op": "regex", "operands": [{ "pointer": WORD }], "pattern": "^(?:a|b)+$" });
        assert_eq!(judged(check), None);
    }

    #[test]
    fn the_relation_of_a_witness_is_held_to_the_same_rules_after_every_check() {
        let (one, two) =
            ("/interactions/file-lamp/response-body/ticketId", "/interactions/file-door/response-body/ticketId");
        let site = "EvalContract.permittedInterfaces[logicalId=desk].operations[operationId=file-ticket].sensitivityWitness.relation";
        let at = "/permittedInterfaces/0/operations/0/sensitivityWitness/relation";
        let exists = |operand: Value| json!({ "op": "existence", "operands": [operand] });
        let over =
            |predicate: Value| json!({ "op": "for-any", "collection": { "pointer": one }, "predicate": predicate });
        let malformed = "malformed-operator-expression";
        for (relation, code, below) in [
            (exists(json!({ "pointer": "@/x" })), malformed, ".operands[0]"),
            (exists(json!({ "literal": 1 })), malformed, ".operands[0]"),
            (json!({ "op": "regex", "operands": [{ "pointer": two }], "pattern": "^(a)\\1$" }), malformed, ".pattern"),
            (over(over(exists(json!({ "pointer": "@/x" })))), "quantifier-nesting-exceeded", ".predicate"),
            (
                json!({ "op": "containment", "operands": [{ "pointer": one }, { "referenceSet": "gone" }] }),
                "unresolved-reference-set",
                ".operands[1]",
            ),
        ] {
            let base = crate::testing::set(contract(), at, relation);
            let (found, path, _) = said(&crate::testing::typed(&base)).unwrap();
            assert_eq!((found.as_str(), path), (code, format!("{site}{below}")));
        }
        let literal = exists(json!({ "literal": 1 }));
        let both = crate::testing::set(contract(), at, literal.clone());
        let (_, path, _) = said(&changed(both, "/oracles/1/check", literal)).unwrap();
        assert_eq!(path, "check.operands[0]");
    }

    #[test]
    fn a_quantifier_inside_another_is_refused() {
        let code = "quantifier-nesting-exceeded";
        let over =
            |predicate: Value| json!({ "op": "for-any", "collection": { "pointer": WORD }, "predicate": predicate });
        let inner = over(json!({ "op": "existence", "operands": [{ "pointer": "@/" }] }));
        let detail = "a quantifier appears inside another quantifier's predicate; quantifiers may not nest more than one level (AD-4)";
        refused(over(json!({ "op": "not", "operands": [inner] })), code, "check.predicate.operands[0]", detail);
        let covers = json!({ "op": "covers-by-key", "operands": [{ "referenceSet": "known-notes" }, { "pointer": "@/" }],
            "expectedKey": "noteId", "actualKey": "noteId" });
        let detail = "covers-by-key appears inside a quantifier's predicate, where it may never nest (AD-4)";
        refused(over(covers), code, "check.predicate", detail);
    }

    #[test]
    fn a_reference_set_that_is_not_declared_is_refused() {
        let detail = "referenceSet \"constructor\" is not declared on the contract (AD-26)";
        for op in ["containment", "set-membership"] {
            let check = json!({ "op": op, "operands": [{ "pointer": WORD }, { "referenceSet": "constructor" }] });
            refused(check, "unresolved-reference-set", "check.operands[1]", detail);
        }
    }
}
