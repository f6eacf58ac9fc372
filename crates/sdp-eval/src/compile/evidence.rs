//! Evidence that pointers address (rows 3, 4, 9 and 25 of the compile table). A plan comes in; nothing, or the first pointer
//! whose evidence no declared operation gives, goes out.

use std::rc::Rc;

use super::{Checked, sites};
use crate::contract::{
    Channel, CommandChannel, Expression, InteractionPointer, Operand, OperandPointer, Operation, TypeName, escaped,
};
use crate::fault::{FailureCode, StructuralFailure};
use crate::plan::Plan;
use crate::reach::reach;
use crate::walk::{Node, OperandAt, operands, walk};

/// Every artifact that is nominated, or named by a pointer, is one that its operation declares it writes (row 3).
pub(crate) fn artifact_references(plan: &Plan<'_>) -> Checked {
    nominated_artifacts(plan)?;
    artifacts_of_oracles(plan)?;
    artifacts_of_rubrics(plan)?;
    artifacts_of_witnesses(plan)
}

fn unresolved_artifact(path: String, detail: String) -> Checked {
    Err(StructuralFailure::new(FailureCode::UnresolvedArtifactReference, path, detail))
}

/// The artifacts that descriptors describe.
fn nominated_artifacts(plan: &Plan<'_>) -> Checked {
    for (interface, operation) in sites::operations(plan.contract()) {
        if let Operation::Cli(command) = operation
            && let CommandChannel::Artifact(channel) = &command.descriptor_channel
            && !operation.writes(channel.artifact_id.as_str())
        {
            let path = format!("{}.descriptorChannel.artifactId", sites::operation(interface, operation));
            let detail = format!(
                "nominates \"{}\", which this operation does not declare it writes (AD-19, AD-26)",
                channel.artifact_id
            );
            return unresolved_artifact(path, detail);
        }
    }
    Ok(())
}

/// The artifacts that an oracle's check and then its direction name.
fn artifacts_of_oracles(plan: &Plan<'_>) -> Checked {
    for oracle in &plan.contract().oracles {
        if let Some(check) = &oracle.check {
            pointers(check, &sites::check(oracle), &mut |pointer, path| match undeclared_in_plan(plan, pointer) {
                Some(detail) => unresolved_artifact(path(), detail),
                None => Ok(()),
            })?;
        }
        let mut targets = oracle.direction.iter().flat_map(|direction| &direction.evidence_targets);
        if let Some(detail) = targets.find_map(|target| undeclared_in_plan(plan, target)) {
            let path = format!("EvalContract.oracles[id={}].direction.evidenceTargets", oracle.id);
            return unresolved_artifact(path, detail);
        }
    }
    Ok(())
}

/// The artifacts that criteria cite.
fn artifacts_of_rubrics(plan: &Plan<'_>) -> Checked {
    for rubric in &plan.contract().rubrics {
        for criterion in &rubric.criteria {
            if let Some(detail) = undeclared_in_plan(plan, &criterion.evidence) {
                return unresolved_artifact(sites::evidence(rubric, criterion), detail);
            }
        }
    }
    Ok(())
}

/// The artifacts that relations of witnesses name.
fn artifacts_of_witnesses(plan: &Plan<'_>) -> Checked {
    for (path, operation, witness) in sites::witnesses(plan.contract()) {
        pointers(&witness.relation, &path, &mut |pointer, path| {
            // A root that is no leg of this witness is told by the legality of the witness.
            let is_of_leg = witness.legs.iter().any(|leg| leg.leg_id == pointer.target().step);
            match undeclared_artifact(operation, pointer).filter(|_| is_of_leg) {
                Some(detail) => unresolved_artifact(path(), detail),
                None => Ok(()),
            }
        })?;
    }
    Ok(())
}

/// What is wrong with a pointer of the plan to an artifact; a step without an operation is left to the checks that need one.
fn undeclared_in_plan(plan: &Plan<'_>, pointer: &InteractionPointer) -> Option<String> {
    let operation = plan.planned(pointer.target().step.as_str())?.operation?;
    undeclared_artifact(operation, pointer)
}

/// What is wrong with a pointer to an artifact that its operation does not declare; nothing for every other pointer.
fn undeclared_artifact(operation: Operation<'_>, pointer: &InteractionPointer) -> Option<String> {
    let Channel::Artifact(artifact) = &pointer.target().channel else { return None };
    (!operation.writes(artifact.as_str())).then(|| {
        format!(
            "\"{pointer}\" names the \"{artifact}\" artifact, which operation \"{}\" does not declare it writes (AD-26)",
            operation.operation_id()
        )
    })
}

/// Visits every pointer of an expression that is rooted in a step, or a leg, with a way to its path.
fn pointers(
    root: &Expression,
    path: &str,
    visit: &mut impl FnMut(&InteractionPointer, &dyn Fn() -> String) -> Checked,
) -> Checked {
    walk(root, path, &mut |node: Node<'_>, path: &str| {
        for (position, operand) in operands(node.expression) {
            if let OperandAt::Any(Operand::Pointer(OperandPointer::Interaction(pointer))) = operand {
                visit(pointer, &|| format!("{path}.{position}"))?;
            }
        }
        Ok(())
    })
}

/// Every pointer of an oracle's check addresses evidence that a declared operation gives (row 4).
pub(crate) fn oracle_evidence(plan: &Plan<'_>) -> Checked {
    for (path, check) in sites::checks(plan.contract()) {
        pointers(check, &path, &mut |pointer, path| {
            reach(plan, pointer).map_err(|reason| {
                let detail = format!("\"{pointer}\" {reason}");
                StructuralFailure::new(FailureCode::UnreachableCheckEvidence, path(), detail)
            })
        })?;
    }
    Ok(())
}

/// The collection of a quantifier with `@` replaced by what it binds: the pointer that it goes back to, and how its tail starts.
/// The rest of the tail is not kept, since it grows with every level.
struct Substituted<'c> {
    root: &'c InteractionPointer,
    operation: Option<Operation<'c>>,
    first: Option<Rc<str>>,
    length: usize,
}

impl<'c> Substituted<'c> {
    /// The pointer of a collection; nothing where it is none, or where nothing binds it.
    fn of(plan: &Plan<'c>, collection: &'c Operand, outer: Option<&Self>) -> Option<Self> {
        match collection {
            Operand::Pointer(OperandPointer::Interaction(root)) => {
                let target = root.target();
                let operation = plan.planned(target.step.as_str()).and_then(|planned| planned.operation);
                let first = target.tail.first().map(|token| Rc::from(token.as_str()));
                Some(Self { root, operation, first, length: target.tail.len() })
            }
            Operand::Pointer(OperandPointer::Bound(bound)) => {
                let outer = outer?;
                let tail = bound.tail();
                let length = outer.length.saturating_add(tail.len());
                let first = outer.first.clone().or_else(|| tail.into_iter().next().map(Rc::from));
                Some(Self { first, length, ..*outer })
            }
            Operand::Literal(_) | Operand::ReferenceSet(_) => None,
        }
    }
}

/// Every collection of a quantifier, where its type is declared, is declared an array (row 9).
pub(crate) fn quantified_collections(plan: &Plan<'_>) -> Checked {
    for (path, check) in sites::checks(plan.contract()) {
        // What each quantifier around the node ranges over, the outermost first.
        let mut around: Vec<Option<Substituted<'_>>> = Vec::new();
        walk(check, &path, &mut |node: Node<'_>, path: &str| {
            let (Expression::ForAll(quantifier) | Expression::ForAny(quantifier)) = node.expression else {
                return Ok(());
            };
            around.truncate(node.quantifiers);
            let collection = Substituted::of(plan, &quantifier.collection, around.last().and_then(Option::as_ref));
            let detail = collection.as_ref().and_then(no_collection);
            around.push(collection);
            match detail {
                Some(detail) => {
                    let path = format!("{path}.collection");
                    Err(StructuralFailure::new(FailureCode::QuantifierOverNonCollection, path, detail))
                }
                None => Ok(()),
            }
        })?;
    }
    Ok(())
}

/// What is wrong with a collection that is one declared field of the described channel and no array.
fn no_collection(collection: &Substituted<'_>) -> Option<String> {
    let target = collection.root.target();
    let operation = collection.operation?;
    let key = collection.first.as_deref().filter(|_| collection.length == 1)?;
    let declared = operation.descriptor().types.get(key).copied().flatten()?;
    if declared == TypeName::Array || !operation.describes(&target.channel) {
        return None;
    }
    let pointer = if target.tail.is_empty() {
        format!("{}/{}", collection.root, escaped(key))
    } else {
        collection.root.as_str().to_owned()
    };
    Some(format!(
        "\"{pointer}\" is declared \"{declared}\" by operation \"{}\", not a collection (AD-4)",
        operation.operation_id()
    ))
}

/// Every criterion cites evidence that a declared operation gives (row 25).
pub(crate) fn rubric_evidence(plan: &Plan<'_>) -> Checked {
    for rubric in &plan.contract().rubrics {
        for criterion in &rubric.criteria {
            reach(plan, &criterion.evidence).map_err(|reason| {
                StructuralFailure::new(
                    FailureCode::RubricEvidenceUnreachable,
                    sites::evidence(rubric, criterion),
                    format!("\"{}\" {reason}", criterion.evidence),
                )
            })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::bindings;
    use crate::contract::EvalContract;
    use crate::document;
    use crate::testing::{changed, cli_contract, contract, mcp_contract, refused_by as refused, set, typed};
    use serde_json::{Value, json};

    fn told(code: &str, path: &str, detail: &str) -> Option<(String, String, String)> {
        Some((code.to_owned(), path.to_owned(), detail.to_owned()))
    }

    #[test]
    fn the_contracts_of_the_tests_pass() {
        for base in [contract(), cli_contract(), mcp_contract()] {
            for row in [artifact_references, oracle_evidence, quantified_collections, rubric_evidence] {
                assert_eq!(refused(row, &typed(&base)), None);
            }
        }
    }

    #[test]
    fn a_nominated_artifact_is_one_that_the_operation_writes() {
        let contract = changed(cli_contract(), "/permittedInterfaces/0/operations/1/artifacts", json!(["log"]));
        let expected = told(
            "unresolved-artifact-reference",
            "EvalContract.permittedInterfaces[logicalId=wordy].operations[operationId=list-words].descriptorChannel.artifactId",
            "nominates \"word-list\", which this operation does not declare it writes (AD-19, AD-26)",
        );
        assert_eq!(refused(artifact_references, &contract), expected);
    }

    #[test]
    fn an_artifact_that_a_pointer_names_is_one_that_its_operation_writes() {
        let criterion = |pointer: &str| {
            json!([{
                "id": "R-007", "scaleLevels": null, "failureModePenalties": null, "maxLength": null,
                "criteria": [{ "id": "RC-009", "text": "It fits.", "evidence": pointer }]
            }])
        };
        let lost = "/interactions/list/artifact/lost";
        let of_list = "which operation \"list-words\" does not declare it writes (AD-26)";
        let of_leg = "/interactions/list-long/artifact/lost/words";
        let relation = "/permittedInterfaces/0/operations/1/sensitivityWitness/relation/operands/0/operands/1/pointer";
        let cases = [
            (
                "/oracles/0/check/operands/2/operands/0/pointer",
                json!(lost),
                "EvalContract.oracles[id=O-001].check.operands[2].operands[0]",
                format!("\"{lost}\" names the \"lost\" artifact, {of_list}"),
            ),
            (
                "/oracles/0/direction/evidenceTargets/2",
                json!(lost),
                "EvalContract.oracles[id=O-001].direction.evidenceTargets",
                format!("\"{lost}\" names the \"lost\" artifact, {of_list}"),
            ),
            (
                "/rubrics",
                criterion(lost),
                "EvalContract.rubrics[id=R-007].criteria[id=RC-009].evidence",
                format!("\"{lost}\" names the \"lost\" artifact, {of_list}"),
            ),
            (
                relation,
                json!(of_leg),
                "EvalContract.permittedInterfaces[logicalId=wordy].operations[operationId=list-words].sensitivityWitness.relation.operands[0].operands[1]",
                format!("\"{of_leg}\" names the \"lost\" artifact, {of_list}"),
            ),
        ];
        for (at, value, path, detail) in cases {
            let contract = changed(cli_contract(), at, value);
            assert_eq!(
                refused(artifact_references, &contract),
                told("unresolved-artifact-reference", path, &detail),
                "{at}"
            );
        }
        // An artifact that is written and not described, a step that is not there, and a root that is no leg of the witness.
        let fine = [
            ("/oracles/0/check/operands/2/operands/0/pointer", "/interactions/list/artifact/log"),
            ("/oracles/0/check/operands/2/operands/0/pointer", "/interactions/gone/artifact/lost"),
            (relation, "/interactions/count-one/artifact/lost"),
        ];
        for (at, pointer) in fine {
            assert_eq!(refused(artifact_references, &changed(cli_contract(), at, json!(pointer))), None, "{pointer}");
        }
    }

    #[test]
    fn the_evidence_of_an_oracle_is_reached_in_depth_and_in_order() {
        let missing = |pointer: &str| json!({ "op": "existence", "operands": [{ "pointer": pointer }] });
        let gone = "/interactions/gone/response-body";
        let reason = "names a step the interaction plan does not declare";
        let over = |collection: &str, predicate: Value| json!({ "op": "for-any", "collection": { "pointer": collection }, "predicate": predicate });
        let notes = "/interactions/read-back/response-body/notes";
        let cases = [
            (missing(gone), ".operands[0]"),
            (json!({ "op": "not", "operands": [missing(gone)] }), ".operands[0].operands[0]"),
            (over(gone, missing("@/x")), ".collection"),
            (over(notes, missing(gone)), ".predicate.operands[0]"),
            (json!({ "op": "set-membership", "operands": [{ "pointer": gone }, { "literal": [1] }] }), ".operands[0]"),
            (
                json!({ "op": "any", "operands": [
                    missing(notes),
                    { "op": "all", "operands": [over(notes, missing("@/")), missing(gone), missing("/interactions/lost/stdout")] }
                ] }),
                ".operands[1].operands[1].operands[0]",
            ),
        ];
        for (check, at) in cases {
            let contract = changed(contract(), "/oracles/1/check", check);
            let expected = told(
                "unreachable-check-evidence",
                &format!("EvalContract.oracles[id=O-002].check{at}"),
                &format!("\"{gone}\" {reason}"),
            );
            assert_eq!(refused(oracle_evidence, &contract), expected);
        }
        // A missing check, the evidence that only a direction names, and an element are not judged here.
        assert_eq!(refused(oracle_evidence, &changed(contract(), "/oracles/1/check", Value::Null)), None);
        let named = changed(contract(), "/oracles/1/direction/evidenceTargets/0", json!(gone));
        assert_eq!(refused(oracle_evidence, &named), None);
        assert_eq!(refused(oracle_evidence, &changed(contract(), "/oracles/1/check", missing("@/x"))), None);
    }

    #[test]
    fn a_quantifier_ranges_over_no_declared_scalar_or_object() {
        let over = |collection: &str, predicate: Value| json!({ "op": "for-all", "collection": { "pointer": collection }, "predicate": predicate });
        let there = || json!({ "op": "existence", "operands": [{ "pointer": "@/" }] });
        let body = "/interactions/read-back/response-body";
        let cases = [
            (over(&format!("{body}/title"), there()), ".collection", "title", "string"),
            (over(&format!("{body}/owner"), there()), ".collection", "owner", "object"),
            // With what the outer quantifier binds in place of `@`.
            (over(body, over("@/title", there())), ".predicate.collection", "title", "string"),
            (over(body, over("@/", over("@/owner", there()))), ".predicate.predicate.collection", "owner", "object"),
        ];
        for (check, at, key, declared) in cases {
            let contract = changed(contract(), "/oracles/1/check", check);
            let expected = told(
                "quantifier-over-non-collection",
                &format!("EvalContract.oracles[id=O-002].check{at}"),
                &format!(
                    "\"{body}/{key}\" is declared \"{declared}\" by operation \"read-ticket\", not a collection (AD-4)"
                ),
            );
            assert_eq!(refused(quantified_collections, &contract), expected);
        }
        let fine = [
            over(&format!("{body}/notes"), there()),
            over(body, there()),
            over(&format!("{body}/undeclared"), there()),
            over(&format!("{body}/title/deeper"), there()),
            over(&format!("{body}/notes"), over("@/title", there())),
            over("@/title", there()),
            over("/interactions/file/call-inputs/body/title", there()),
            json!({ "op": "all", "operands": [over(body, there()), over("@/title", there())] }),
        ];
        for check in fine {
            assert_eq!(refused(quantified_collections, &changed(contract(), "/oracles/1/check", check)), None);
        }
    }

    #[test]
    fn a_quantifier_over_a_key_with_escapes_is_told_as_it_is_written() {
        let base =
            set(contract(), "/permittedInterfaces/0/operations/1/responseDescriptor/types/a~1b~0c", json!("number"));
        let body = "/interactions/read-back/response-body";
        let check = json!({ "op": "for-all", "collection": { "pointer": body }, "predicate": {
            "op": "for-any", "collection": { "pointer": "@/a~1b~0c" },
            "predicate": { "op": "existence", "operands": [{ "pointer": "@/" }] } } });
        let (_, _, detail) = refused(quantified_collections, &changed(base, "/oracles/1/check", check)).unwrap();
        assert_eq!(
            detail,
            format!("\"{body}/a~1b~0c\" is declared \"number\" by operation \"read-ticket\", not a collection (AD-4)")
        );
    }

    #[test]
    fn the_evidence_of_a_criterion_is_reached() {
        let pointer = "/interactions/read-back/response-body/color";
        let contract = changed(contract(), "/rubrics/0/criteria/0/evidence", json!(pointer));
        let expected = told(
            "rubric-evidence-unreachable",
            "EvalContract.rubrics[id=R-001].criteria[id=RC-001].evidence",
            &format!(
                "\"{pointer}\" addresses response-body field \"color\", which operation \"read-ticket\" declares in neither requiredKeys nor permittedKeys"
            ),
        );
        assert_eq!(refused(rubric_evidence, &contract), expected);
    }

    #[test]
    fn two_contracts_of_the_corpora_lack_evidence_and_the_others_pass() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpora/evaluation/contracts");
        let Ok(files) = std::fs::read_dir(folder) else {
            eprintln!("skipped: ../shared is not there");
            return;
        };
        let rows: [fn(&Plan<'_>) -> Checked; 7] = [
            artifact_references,
            oracle_evidence,
            bindings::captured_reachability,
            quantified_collections,
            bindings::cycles,
            bindings::captured_channels,
            rubric_evidence,
        ];
        let mut failed = Vec::new();
        let mut passed = 0;
        for file in files {
            let path = file.unwrap().path();
            let contract = document::read::<EvalContract>(&std::fs::read(&path).unwrap()).unwrap().artifact;
            match rows.iter().find_map(|row| refused(*row, &contract)) {
                Some((code, at, detail)) => {
                    failed.push((path.file_name().unwrap().to_string_lossy().into_owned(), code, at, detail));
                }
                None => passed += 1,
            }
        }
        failed.sort();
        let code = "unreachable-check-evidence";
        let row = |file: &str, path: &str, detail: &str| {
            (file.to_owned(), code.to_owned(), path.to_owned(), detail.to_owned())
        };
        let expected = [
            row(
                "empty-request-shapes.json",
                "EvalContract.oracles[id=O-005].check.operands[0].operands[0]",
                "\"/interactions/create/call-inputs/body/name\" addresses call-inputs body field \"name\", which operation \"create-thing\" declares in neither requiredKeys nor permittedKeys",
            ),
            row(
                "no-operation-inventory.json",
                "EvalContract.oracles[id=O-001].check.operands[1]",
                "\"/interactions/list/response-body/items\" names step \"list\", which names operation \"list-things\", not declared by any permitted interface",
            ),
        ];
        assert_eq!(failed, expected);
        assert_eq!(passed, 22);
    }
}
