//! Values that a step captures from an earlier one: rows 5, 20 and 21 of the compile table (evaluation sheet, part 3.2). A plan
//! comes in; nothing, or the first capture that cannot be resolved, goes out: in the order of the plan, then of the channels,
//! then of the keys.

use super::Checked;
use super::components::components;
use crate::contract::{Channel, InputChannel, InteractionPointer, KeyName, Operation, Step, TypeName, is_index};
use crate::fault::{FailureCode, StructuralFailure};
use crate::plan::Plan;
use crate::reach::{reach_on, resolve, spelled};

/// One captured value: where it is bound, and what it is captured from.
struct Capture<'c> {
    step: &'c Step,
    channel: InputChannel,
    key: &'c KeyName,
    pointer: &'c InteractionPointer,
}

impl Capture<'_> {
    /// A failure at the binding. The detail continues the sentence that the pointer starts.
    fn refused(&self, code: FailureCode, detail: &str) -> StructuralFailure {
        let key = serde_json::Value::from(self.key.as_str());
        let path =
            format!("EvalContract.interactionPlan[stepId={}].inputBinding.{}[{key}]", self.step.step_id, self.channel);
        StructuralFailure::new(code, path, format!("captured pointer \"{}\" {detail}", self.pointer))
    }
}

/// The captures of a step, in the fixed order of channels and then of keys.
fn captures(step: &Step) -> impl Iterator<Item = Capture<'_>> {
    let captures = step.input_binding.captures().into_iter();
    captures.map(move |(channel, key, pointer)| Capture { step, channel, key, pointer })
}

/// Every captured value is one declared scalar of an operation's described channel, of the type that its parameter has (row 5).
/// A capture from another channel is left to row 21.
pub(crate) fn captured_reachability(plan: &Plan<'_>) -> Checked {
    for step in &plan.contract().interaction_plan {
        let mut bound_by = None;
        for capture in captures(step) {
            let bound_by = *bound_by.get_or_insert_with(|| plan.operation_of(step));
            captured(plan, &capture, bound_by)
                .map_err(|reason| capture.refused(FailureCode::UnreachableCheckEvidence, &reason))?;
        }
    }
    Ok(())
}

/// Judges one capture; `bound_by` is the operation whose parameter it is bound to.
fn captured(plan: &Plan<'_>, capture: &Capture<'_>, bound_by: Option<Operation<'_>>) -> Result<(), String> {
    let (_, operation) = resolve(plan, capture.pointer)?;
    let target = capture.pointer.target();
    if !operation.describes(&target.channel) {
        return Ok(());
    }
    reach_on(operation, target)?;
    let (place, id) = (spelled(&target.channel), operation.operation_id());
    let [field] = target.tail.as_slice() else {
        return Err(format!("does not address exactly one {place} field, so its type is not declared"));
    };
    if is_index(field) {
        return Err(format!(
            "addresses {place} index {field}, and no descriptor declares the type of an array's element"
        ));
    }
    let types = &operation.descriptor().types;
    let declared = types.get(field.as_str()).copied();
    let Some(Some(captured)) = declared else {
        let states = undecidable(declared);
        return Err(format!("addresses {place} field \"{field}\", whose type operation \"{id}\" {states}"));
    };
    if !captured.is_scalar() {
        return Err(format!(
            "addresses {place} field \"{field}\", which operation \"{id}\" declares \"{captured}\", no scalar"
        ));
    }
    // A key that the step's own operation does not declare is told by the check of declared inputs.
    let (channel, key) = (capture.channel, capture.key);
    let Some(bound_by) = bound_by else { return Ok(()) };
    let Some(shape) = bound_by.request_shape(channel).filter(|shape| shape.declares(key.as_str())) else {
        return Ok(());
    };
    let declared = shape.types.get(key.as_str()).copied();
    match declared {
        Some(Some(bound)) if bound == captured => Ok(()),
        Some(Some(bound)) => Err(format!(
            "resolves to a declared \"{captured}\", which is not the \"{bound}\" the bound {channel} parameter \"{key}\" is declared as"
        )),
        _ => Err(format!(
            "resolves to a declared \"{captured}\", but the step binds {channel} parameter \"{key}\", whose type operation \"{}\" {}",
            bound_by.operation_id(),
            undecidable(declared)
        )),
    }
}

/// What is said of a type that is not there, or not stated.
const fn undecidable(declared: Option<Option<TypeName>>) -> &'static str {
    match declared {
        None => "does not declare, so no type equality is decidable",
        Some(_) => "declares indeterminate, so no type equality is decidable",
    }
}

/// No captured value waits, over captures and temporal clauses, for the step that binds it (row 20).
pub(crate) fn cycles(plan: &Plan<'_>) -> Checked {
    let steps = &plan.contract().interaction_plan;
    let position = |step: &str| plan.planned(step).map(|planned| planned.position);
    let edges: Vec<Vec<usize>> = steps
        .iter()
        .map(|step| {
            let after = step.after.iter().filter_map(|after| position(after.as_str()));
            after.chain(captures(step).filter_map(|capture| position(capture.pointer.target().step.as_str()))).collect()
        })
        .collect();
    let component = components(&edges);
    for (here, step) in steps.iter().enumerate() {
        for capture in captures(step) {
            let there = position(capture.pointer.target().step.as_str());
            if there.is_some_and(|there| component.get(there) == component.get(here)) {
                return Err(capture.refused(
                    FailureCode::BindingCycle,
                    "closes a cycle over the capture and temporal-clause edges; a captured value has no earlier step to resolve \
                     from (AD-39)",
                ));
            }
        }
    }
    Ok(())
}

/// Every value is captured from the channel that the referenced operation describes (row 21).
pub(crate) fn captured_channels(plan: &Plan<'_>) -> Checked {
    for step in &plan.contract().interaction_plan {
        for capture in captures(step) {
            let channel = &capture.pointer.target().channel;
            let described = match resolve(plan, capture.pointer) {
                Ok((_, operation)) => operation.describes(channel),
                // What an operation that is not there describes is taken to be the body of a response.
                Err(_) => *channel == Channel::ResponseBody,
            };
            if !described {
                let detail = format!(
                    "names the {} channel, which the referenced operation's response descriptor does not declare (AD-26)",
                    channel.name()
                );
                return Err(capture.refused(FailureCode::CapturedChannelUndeclared, &detail));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::EvalContract;
    use crate::testing::{changed, cli_contract, contract, mcp_contract, refused_by as refused, set, typed};
    use serde_json::{Value, json};

    const READ_BACK: &str = "EvalContract.interactionPlan[stepId=read-back].inputBinding.path[\"ticketId\"]";
    const CAPTURED: &str = "/interactionPlan/1/inputBinding/path/ticketId/captured";

    /// That capturing a pointer, in a contract, is refused as unreachable with a detail behind the pointer.
    fn unreachable(base: Value, pointer: &str, detail: &str) {
        let failure = refused(captured_reachability, &changed(base, CAPTURED, json!(pointer)));
        let detail = format!("captured pointer \"{pointer}\" {detail}");
        let expected = ("unreachable-check-evidence".to_owned(), READ_BACK.to_owned(), detail);
        assert_eq!(failure, Some(expected));
    }

    #[test]
    fn the_contracts_of_the_tests_pass() {
        for base in [contract(), cli_contract(), mcp_contract()] {
            for row in [captured_reachability, cycles, captured_channels] {
                assert_eq!(refused(row, &typed(&base)), None);
            }
        }
    }

    #[test]
    fn a_capture_is_rooted_in_a_step_with_an_operation() {
        let gone = "names a step the interaction plan does not declare";
        unreachable(contract(), "/interactions/gone/response-body/ticketId", gone);
        // Whatever the channel is.
        unreachable(contract(), "/interactions/gone/response-status", gone);
        let base = set(contract(), "/interactionPlan/0/operationId", json!("burn-ticket"));
        unreachable(
            base,
            "/interactions/file/response-body/ticketId",
            "names step \"file\", which names operation \"burn-ticket\", not declared by any permitted interface",
        );
    }

    #[test]
    fn a_capture_is_one_declared_scalar() {
        unreachable(
            contract(),
            "/interactions/file/response-body/color",
            "addresses response-body field \"color\", which operation \"file-ticket\" declares in neither requiredKeys nor permittedKeys",
        );
        let one = "does not address exactly one response-body field, so its type is not declared";
        unreachable(contract(), "/interactions/file/response-body", one);
        let types = "/permittedInterfaces/0/operations/0/responseDescriptor/types/ticketId";
        let base = set(contract(), types, json!("object"));
        unreachable(base.clone(), "/interactions/file/response-body/ticketId/inner", one);
        unreachable(
            base,
            "/interactions/file/response-body/ticketId",
            "addresses response-body field \"ticketId\", which operation \"file-ticket\" declares \"object\", no scalar",
        );
        unreachable(
            set(contract(), types, Value::Null),
            "/interactions/file/response-body/ticketId",
            "addresses response-body field \"ticketId\", whose type operation \"file-ticket\" declares indeterminate, so no type equality is decidable",
        );
        let without = set(contract(), "/permittedInterfaces/0/operations/0/responseDescriptor/types", json!({}));
        unreachable(
            without,
            "/interactions/file/response-body/ticketId",
            "addresses response-body field \"ticketId\", whose type operation \"file-ticket\" does not declare, so no type equality is decidable",
        );
        let root =
            json!([{ "pointer": "", "expectedCardinality": { "mode": "exact", "count": 3 }, "referenceSet": null }]);
        let list = set(contract(), "/permittedInterfaces/0/operations/0/responseDescriptor/collectionLocations", root);
        unreachable(
            list,
            "/interactions/file/response-body/2",
            "addresses response-body index 2, and no descriptor declares the type of an array's element",
        );
    }

    #[test]
    fn a_capture_has_the_type_of_the_parameter_that_it_is_bound_to() {
        let pointer = "/interactions/file/response-body/ticketId";
        let types = "/permittedInterfaces/0/operations/1/requestShape/path/types";
        unreachable(
            set(contract(), types, json!({ "ticketId": "number" })),
            pointer,
            "resolves to a declared \"string\", which is not the \"number\" the bound path parameter \"ticketId\" is declared as",
        );
        unreachable(
            set(contract(), types, json!({ "ticketId": null })),
            pointer,
            "resolves to a declared \"string\", but the step binds path parameter \"ticketId\", whose type operation \"read-ticket\" declares indeterminate, so no type equality is decidable",
        );
        unreachable(
            set(contract(), types, json!({})),
            pointer,
            "resolves to a declared \"string\", but the step binds path parameter \"ticketId\", whose type operation \"read-ticket\" does not declare, so no type equality is decidable",
        );
        // What the step's own operation does not declare is not judged here.
        let bindings = "/interactionPlan/1/inputBinding";
        let undeclared =
            json!({ "path": { "other": { "captured": pointer } }, "query": null, "header": null, "body": null });
        assert_eq!(refused(captured_reachability, &changed(contract(), bindings, undeclared)), None);
        let other_kind = json!({ "arguments": { "ticketId": { "captured": pointer } } });
        assert_eq!(refused(captured_reachability, &changed(contract(), bindings, other_kind)), None);
        let unknown = changed(contract(), "/interactionPlan/1/operationId", json!("burn-ticket"));
        assert_eq!(refused(captured_reachability, &unknown), None);
    }

    #[test]
    fn the_first_capture_is_told_by_channel_and_then_by_key() {
        let gone = json!({ "captured": "/interactions/gone/response-body/x" });
        let bindings = json!({ "path": null, "query": { "b\"": gone, "a": { "literal": 1 }, "c": gone }, "header": null,
            "body": { "a": gone } });
        let contract = changed(contract(), "/interactionPlan/1/inputBinding", bindings);
        let (_, path, _) = refused(captured_reachability, &contract).unwrap();
        assert_eq!(path, "EvalContract.interactionPlan[stepId=read-back].inputBinding.query[\"b\\\"\"]");
    }

    #[test]
    fn a_value_is_captured_from_the_described_channel_only() {
        let http = [
            ("/interactions/file/response-status", "response-status"),
            ("/interactions/file/response-headers/etag", "response-headers"),
            ("/interactions/file/call-inputs/body/title", "call-inputs"),
            ("/interactions/file/stdout", "stdout"),
        ];
        for (pointer, channel) in http {
            let contract = changed(contract(), CAPTURED, json!(pointer));
            let detail = format!(
                "captured pointer \"{pointer}\" names the {channel} channel, which the referenced operation's response descriptor does not declare (AD-26)"
            );
            let expected = ("captured-channel-undeclared".to_owned(), READ_BACK.to_owned(), detail);
            assert_eq!(refused(captured_channels, &contract), Some(expected));
            assert_eq!(refused(captured_reachability, &contract), None, "{pointer}");
        }
        let text = "/interactionPlan/0/inputBinding/stdin/text";
        let cli = [
            ("/interactions/list/artifact/word-list/words", None),
            ("/interactions/list/artifact/log", Some("artifact")),
            ("/interactions/list/stdout", Some("stdout")),
            ("/interactions/list/exit-code", Some("exit-code")),
            ("/interactions/count/stdout/words", None),
            ("/interactions/count/stderr", Some("stderr")),
            // Of a step that is not there, the body of a response is taken to be described.
            ("/interactions/gone/response-body/x", None),
            ("/interactions/gone/stdout/x", Some("stdout")),
        ];
        for (pointer, channel) in cli {
            let contract = changed(cli_contract(), text, json!({ "captured": pointer }));
            let detail = refused(captured_channels, &contract).map(|(_, _, detail)| detail);
            match (channel, detail) {
                (None, None) => {}
                (Some(channel), Some(detail)) => {
                    assert!(detail.contains(&format!("names the {channel} channel,")), "{pointer}: {detail}");
                }
                (_, detail) => panic!("{pointer}: {detail:?}"),
            }
        }
    }

    /// A step, the one it comes after, and the ones it captures from under one key each.
    type Planned<'s> = (&'s str, Option<&'s str>, &'s [&'s str]);

    /// A contract with a plan of steps.
    fn plan(steps: &[Planned<'_>]) -> EvalContract {
        let steps: Vec<Value> = steps
            .iter()
            .map(|(step, after, captures)| {
                let captured = |(number, from): (usize, &&str)| {
                    let pointer = format!("/interactions/{from}/response-body/ticketId");
                    (format!("k{number}"), json!({ "captured": pointer }))
                };
                let query: serde_json::Map<String, Value> = captures.iter().enumerate().map(captured).collect();
                let query = if query.is_empty() { Value::Null } else { Value::Object(query) };
                json!({
                    "stepId": step, "interfaceId": "desk", "operationId": "file-ticket", "after": after,
                    "cardinality": "any", "inputBinding": { "path": null, "query": query, "header": null, "body": null }
                })
            })
            .collect();
        changed(contract(), "/interactionPlan", json!(steps))
    }

    #[test]
    fn a_captured_value_has_an_earlier_step_to_come_from() {
        let closes = |contract: &EvalContract| {
            let (code, path, detail) = refused(cycles, contract)?;
            assert_eq!(code, "binding-cycle");
            assert!(
                detail.ends_with(
                    "\" closes a cycle over the capture and temporal-clause edges; a captured value has no earlier step to resolve from (AD-39)"
                ),
                "{detail}"
            );
            path.strip_prefix("EvalContract.interactionPlan[stepId=").map(str::to_owned)
        };
        let at = |place: &str| Some(place.to_owned());
        assert_eq!(closes(&plan(&[("a", None, &["a"])])), at("a].inputBinding.query[\"k0\"]"));
        assert_eq!(closes(&plan(&[("a", None, &["b"]), ("b", None, &["a"])])), at("a].inputBinding.query[\"k0\"]"));
        // A cycle that a temporal clause closes; its capture is told, not the one that leads into it.
        let into = [("a", None, &["b"][..]), ("b", Some("c"), &[]), ("c", None, &["d", "b"]), ("d", None, &[])];
        assert_eq!(closes(&plan(&into)), at("c].inputBinding.query[\"k1\"]"));
        let fine: [&[Planned<'_>]; 5] = [
            &[("a", None, &[]), ("b", Some("a"), &["a"]), ("c", Some("a"), &["a", "b"])],
            &[("c", None, &["a", "b"]), ("b", None, &["a"]), ("a", None, &[])],
            // Clauses alone are judged elsewhere, and so is a name that is not one step's.
            &[("a", Some("b"), &[]), ("b", Some("a"), &[]), ("c", None, &["a"])],
            &[("a", Some("gone"), &["gone"])],
            &[("a", None, &["b"]), ("b", None, &["a"]), ("b", None, &[])],
        ];
        for steps in fine {
            assert_eq!(closes(&plan(steps)), None);
        }
    }

    #[test]
    fn a_chain_of_ten_thousand_captures_is_no_cycle_and_its_last_one_may_close_it() {
        let names: Vec<String> = (0..10_000).map(|number| format!("s{number}")).collect();
        let before: Vec<&str> = names.iter().skip(1).chain(names.first()).map(String::as_str).collect();
        let steps: Vec<Planned<'_>> =
            names.iter().zip(before.chunks(1)).map(|(name, from)| (name.as_str(), None, from)).collect();
        let (_, path, _) = refused(cycles, &plan(&steps)).unwrap();
        assert_eq!(path, "EvalContract.interactionPlan[stepId=s0].inputBinding.query[\"k0\"]");
        let (_, chain) = steps.split_last().unwrap();
        assert_eq!(refused(cycles, &plan(chain)), None);
    }
}
