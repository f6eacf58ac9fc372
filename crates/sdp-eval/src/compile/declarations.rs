//! What a contract declares, without its evidence: rows 1, 2, 12, 17, 26, 28 and 29. A contract comes in; nothing, or the first
//! declaration that is missing, doubled or forbidden, goes out.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Checked, sites};
use crate::contract::{EvalContract, ForbiddenInput, Operation, PathTemplate, PermittedInterface, Waiver};
use crate::fault::{FailureCode, StructuralFailure};

/// Row 1: a behavior names a requirement or a risk.
pub(crate) fn requirement_linkage(contract: &EvalContract) -> Checked {
    match contract.behaviors.iter().find(|of| of.requirement_links.is_empty() && of.risk_links.is_empty()) {
        None => Ok(()),
        Some(behavior) => Err(StructuralFailure::new(
            FailureCode::MissingRequirementLinkage,
            format!("EvalContract.behaviors[id={}]", behavior.id),
            "declares neither a requirementLinks nor a riskLinks entry (AD-19)",
        )),
    }
}

/// Row 2: a behavior says what can be observed where it holds.
pub(crate) fn success_criterion(contract: &EvalContract) -> Checked {
    match contract.behaviors.iter().find(|of| of.observable_success_criterion.is_none()) {
        None => Ok(()),
        Some(behavior) => Err(StructuralFailure::new(
            FailureCode::NoObservableSuccessCriterion,
            format!("EvalContract.behaviors[id={}].observableSuccessCriterion", behavior.id),
            "declares no observable success criterion (AD-19)",
        )),
    }
}

/// What stands under its own name among operations: the family that compares them, and what each of them sends.
struct Signature {
    family: &'static str,
    after: &'static str,
    text: String,
}

impl Signature {
    fn of(operation: Operation<'_>) -> Self {
        match operation {
            Operation::Http(of) => Self {
                family: "api",
                after: "after parameter-name erasure",
                text: format!("{} {}", of.method, erased(&of.path_template)),
            },
            Operation::Cli(of) => {
                let words = std::iter::once(&of.invocation.executable).chain(&of.invocation.subcommand_path);
                let words: Vec<&str> = words.map(crate::contract::Slug::as_str).collect();
                Self { family: "cli", after: "on the identity it renders", text: words.join(" ") }
            }
            Operation::Mcp(of) => {
                Self { family: "mcp", after: "on the identity it renders", text: of.tool_name.to_string() }
            }
        }
    }
}

/// A path with the names of its parameters left out.
fn erased(template: &PathTemplate) -> String {
    let mut erased = String::with_capacity(template.as_str().len());
    let mut inside = false;
    for character in template.as_str().chars() {
        inside = inside && character != '}';
        if !inside {
            erased.push(character);
        }
        inside = inside || character == '{';
    }
    erased
}

/// Row 12: interfaces and operations can be told apart by their names, and operations by what they send.
///
/// The names of interfaces come first, since the paths of all others are made of them.
pub(crate) fn operation_signatures(contract: &EvalContract) -> Checked {
    const CODE: FailureCode = FailureCode::DuplicateOperationSignature;
    let mut names = HashSet::new();
    for (index, interface) in contract.permitted_interfaces.iter().enumerate() {
        let name = interface.logical_id();
        if !names.insert(name) {
            return Err(StructuralFailure::new(
                CODE,
                format!("EvalContract.permittedInterfaces[{index}].logicalId"),
                format!("repeats interface logicalId \"{name}\", which a step could then cite ambiguously (AD-19)"),
            ));
        }
    }
    let mut taken = HashMap::new();
    for (interface, operation) in sites::operations(contract) {
        let Signature { family, after, text } = Signature::of(operation);
        match taken.entry((family, text)) {
            Entry::Vacant(free) => {
                free.insert((interface.logical_id(), operation.operation_id()));
            }
            Entry::Occupied(taken) => {
                let ((_, text), (other, other_id)) = (taken.key(), taken.get());
                return Err(StructuralFailure::new(
                    CODE,
                    sites::operation(interface, operation),
                    format!(
                        "collides with permittedInterfaces[logicalId={other}].operations[operationId={other_id}] {after} \
                         (\"{text}\") among {family}-shaped operations (AD-19, AD-40)"
                    ),
                ));
            }
        }
    }
    for interface in &contract.permitted_interfaces {
        let (mut ids, logical) = (HashSet::new(), interface.logical_id());
        for (index, operation) in interface.operations().enumerate() {
            let id = operation.operation_id();
            if !ids.insert(id) {
                return Err(StructuralFailure::new(
                    CODE,
                    format!("EvalContract.permittedInterfaces[logicalId={logical}].operations[{index}].operationId"),
                    format!(
                        "repeats operationId \"{id}\" of interface \"{logical}\", which a step could then cite ambiguously (AD-19)"
                    ),
                ));
            }
        }
    }
    Ok(())
}

/// Row 17: every interface is of a kind that can be probed.
pub(crate) fn interface_kinds(contract: &EvalContract) -> Checked {
    match contract.permitted_interfaces.iter().find(|of| matches!(of, PermittedInterface::Web(_))) {
        None => Ok(()),
        Some(interface) => Err(StructuralFailure::new(
            FailureCode::UnsupportedInterfaceKind,
            format!("EvalContract.permittedInterfaces[logicalId={}].kind", interface.logical_id()),
            format!("\"{}\" is not supported; \"api\", \"cli\" and \"mcp\" are (AD-10)", interface.word()),
        )),
    }
}

/// Row 26: an evaluator is kept from all that the floor names.
pub(crate) fn forbidden_inputs(contract: &EvalContract) -> Checked {
    match ForbiddenInput::ALL.iter().find(|member| !contract.forbidden_inputs.contains(member)) {
        None => Ok(()),
        Some(missing) => Err(StructuralFailure::new(
            FailureCode::ForbiddenInputFloorIncomplete,
            "EvalContract.forbiddenInputs",
            format!("omits mandatory floor member \"{missing}\" (AD-16)"),
        )),
    }
}

/// Row 28: no resource is handed to an evaluator.
pub(crate) fn scoped_references(contract: &EvalContract) -> Checked {
    const CODE: FailureCode = FailureCode::ScopedReferenceResolvesForbidden;
    if let Some(resource) = contract.scoped_resources.as_deref().and_then(<[_]>::first) {
        return Err(StructuralFailure::new(
            CODE,
            "EvalContract.scopedResources[0].reference",
            format!("scoped resource reference \"{}\" is forbidden (AD-16)", resource.reference),
        ));
    }
    let names = contract.test_data.resources.iter().flat_map(|resources| resources.keys());
    match names.collect::<BTreeSet<_>>().first() {
        None => Ok(()),
        Some(name) => Err(StructuralFailure::new(
            CODE,
            format!("EvalContract.testData.resources[\"{name}\"]"),
            format!("declared test-data resource \"{name}\" is a scoped resource reference and is forbidden (AD-16)"),
        )),
    }
}

/// Row 29: a waiver says which rule, why, by whose approval and until when.
pub(crate) fn waivers(contract: &EvalContract) -> Checked {
    for Waiver { id, rule, rationale, condition: _, approval, expires_at } in &contract.waivers {
        let parts = [
            ("rule", rule.is_some()),
            ("rationale", rationale.is_some()),
            ("approval", approval.is_some()),
            ("expiresAt", expires_at.is_some()),
        ];
        if let Some((part, _)) = parts.into_iter().find(|(_, there)| !there) {
            return Err(StructuralFailure::new(
                FailureCode::WaiverIncomplete,
                format!("EvalContract.waivers[id={id}].{part}"),
                format!(
                    "a waiver requires {part}; AD-5 requires the named rule, an explicit rationale, the recorded approval, and an \
                     RFC 3339 expiry"
                ),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::testing::{changed, cli_contract, compiles, contract, is, mcp_contract, refused, set};

    #[test]
    fn a_behavior_needs_a_requirement_or_a_risk() {
        let bare = set(contract(), "/behaviors/0/requirementLinks", json!([]));
        is(
            refused(bare.clone(), "/behaviors/0/riskLinks", json!([])),
            "missing-requirement-linkage",
            "EvalContract.behaviors[id=B-001]",
            "declares neither a requirementLinks nor a riskLinks entry (AD-19)",
        );
        compiles(bare, "/behaviors/0/riskLinks", json!([{ "scheme": "local", "id": "RISK-1" }]));
    }

    #[test]
    fn a_behavior_needs_a_criterion() {
        is(
            refused(contract(), "/behaviors/0/observableSuccessCriterion", Value::Null),
            "no-observable-success-criterion",
            "EvalContract.behaviors[id=B-001].observableSuccessCriterion",
            "declares no observable success criterion (AD-19)",
        );
        compiles(contract(), "/behaviors/0/oracles", json!([]));
    }

    /// A copy of an operation under another name.
    fn copied(base: &Value, from: usize, id: &str) -> Value {
        let mut copy = base["permittedInterfaces"][0]["operations"][from].clone();
        copy["operationId"] = json!(id);
        copy["sensitivityWitness"]["legs"][0]["legId"] = json!(format!("{id}-a"));
        copy["sensitivityWitness"]["legs"][1]["legId"] = json!(format!("{id}-b"));
        copy["sensitivityWitness"]["relation"] = json!({ "op": "not", "operands": [{ "op": "deep-equality", "operands": [
            { "pointer": format!("/interactions/{id}-a/response-body/title") },
            { "pointer": format!("/interactions/{id}-b/response-body/title") }
        ] }] });
        copy
    }

    #[test]
    fn operations_are_told_apart_by_what_they_send() {
        let base = contract();
        let mut copy = copied(&base, 1, "show-ticket");
        copy["pathTemplate"] = json!("/tickets/{id}");
        copy["requestShape"]["path"] = json!({ "requiredKeys": ["ticketId"], "permittedKeys": [], "types": {} });
        is(
            refused(base.clone(), "/permittedInterfaces/0/operations/-", copy.clone()),
            "duplicate-operation-signature",
            "EvalContract.permittedInterfaces[logicalId=desk].operations[operationId=show-ticket]",
            "collides with permittedInterfaces[logicalId=desk].operations[operationId=read-ticket] after parameter-name erasure \
             (\"GET /tickets/{}\") among api-shaped operations (AD-19, AD-40)",
        );
        for (key, value) in [("pathTemplate", "/tickets/{a}{b}"), ("pathTemplate", "/tickets/x{a}"), ("method", "HEAD")]
        {
            let mut other = copy.clone();
            other[key] = json!(value);
            compiles(base.clone(), "/permittedInterfaces/0/operations/-", other);
        }
    }

    #[test]
    fn two_interfaces_of_one_family_share_the_signatures() {
        let second = |base: &Value, kind: &str| {
            let mut copy = base["permittedInterfaces"][0].clone();
            copy["logicalId"] = json!("second");
            copy["kind"] = json!(kind);
            changed(base.clone(), "/permittedInterfaces/-", copy)
        };
        for (base, kind, family, signature) in [
            (cli_contract(), "cli", "cli", "on the identity it renders (\"wordy count\")"),
            (mcp_contract(), "mcp", "mcp", "on the identity it renders (\"find_room\")"),
            (contract(), "web", "api", "after parameter-name erasure (\"POST /tickets\")"),
        ] {
            let failure = operation_signatures(&second(&base, kind)).unwrap_err();
            let first = &base["permittedInterfaces"][0];
            let (id, name) =
                (first["operations"][0]["operationId"].as_str().unwrap(), first["logicalId"].as_str().unwrap());
            assert_eq!(
                failure.to_string(),
                format!(
                    "duplicate-operation-signature in EvalContract.permittedInterfaces[logicalId=second].operations[operationId={id}]: \
                     collides with permittedInterfaces[logicalId={name}].operations[operationId={id}] {signature} among \
                     {family}-shaped operations (AD-19, AD-40)"
                )
            );
        }
    }

    #[test]
    fn the_name_of_an_interface_stands_once() {
        let other = mcp_contract()["permittedInterfaces"][0].clone();
        compiles(contract(), "/permittedInterfaces/-", other.clone());
        is(
            refused(contract(), "/permittedInterfaces/-", set(other, "/logicalId", json!("desk"))),
            "duplicate-operation-signature",
            "EvalContract.permittedInterfaces[1].logicalId",
            "repeats interface logicalId \"desk\", which a step could then cite ambiguously (AD-19)",
        );
    }

    #[test]
    fn the_name_of_an_operation_stands_once_in_its_interface() {
        let base = contract();
        let mut copy = copied(&base, 1, "read-ticket");
        copy["pathTemplate"] = json!("/closed/{ticketId}");
        is(
            refused(base, "/permittedInterfaces/0/operations/-", copy),
            "duplicate-operation-signature",
            "EvalContract.permittedInterfaces[logicalId=desk].operations[2].operationId",
            "repeats operationId \"read-ticket\" of interface \"desk\", which a step could then cite ambiguously (AD-19)",
        );
    }

    #[test]
    fn a_page_cannot_be_probed() {
        is(
            refused(contract(), "/permittedInterfaces/0/kind", json!("web")),
            "unsupported-interface-kind",
            "EvalContract.permittedInterfaces[logicalId=desk].kind",
            "\"web\" is not supported; \"api\", \"cli\" and \"mcp\" are (AD-10)",
        );
        for base in [contract(), cli_contract(), mcp_contract()] {
            compiles(base, "/revisionCount", json!(1));
        }
    }

    #[test]
    fn the_floor_of_forbidden_inputs_is_told_in_its_order() {
        is(
            refused(contract(), "/forbiddenInputs", json!(["human-labels", "source-code", "original-spec"])),
            "forbidden-input-floor-incomplete",
            "EvalContract.forbiddenInputs",
            "omits mandatory floor member \"repository\" (AD-16)",
        );
        let mut turned = contract()["forbiddenInputs"].as_array().unwrap().clone();
        turned.reverse();
        compiles(contract(), "/forbiddenInputs", Value::Array(turned));
    }

    #[test]
    fn no_resource_is_handed_out() {
        is(
            refused(contract(), "/scopedResources", json!([{ "reference": "a \"page\"", "kind": "page" }])),
            "scoped-reference-resolves-forbidden",
            "EvalContract.scopedResources[0].reference",
            "scoped resource reference \"a \"page\"\" is forbidden (AD-16)",
        );
        let kind = json!({ "kind": "table" });
        is(
            refused(contract(), "/testData/resources", json!({ "orders": kind, "a-table": kind })),
            "scoped-reference-resolves-forbidden",
            "EvalContract.testData.resources[\"a-table\"]",
            "declared test-data resource \"a-table\" is a scoped resource reference and is forbidden (AD-16)",
        );
        compiles(contract(), "/scopedResources", json!([]));
        compiles(contract(), "/testData/resources", json!({}));
    }

    #[test]
    fn a_waiver_is_whole() {
        for part in ["rule", "rationale", "approval", "expiresAt"] {
            let (code, path, detail) = refused(contract(), &format!("/waivers/0/{part}"), Value::Null);
            assert_eq!((code.as_str(), path), ("waiver-incomplete", format!("EvalContract.waivers[id=W-001].{part}")));
            assert_eq!(
                detail,
                format!(
                    "a waiver requires {part}; AD-5 requires the named rule, an explicit rationale, the recorded approval, and an \
                     RFC 3339 expiry"
                )
            );
        }
        compiles(contract(), "/waivers", json!([]));
    }
}
