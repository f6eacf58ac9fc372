//! Whether a declared operation gives the evidence that a pointer addresses (evaluation sheet, part 3.1). A pointer comes in;
//! nothing, or why the evidence cannot be reached, goes out. The reason continues a sentence that starts with the pointer.

use std::collections::BTreeMap;

use crate::contract::{
    Cardinality, Channel, CollectionLocation, CollectionLocations, InteractionPointer, KeyName, Operation, Target,
    TypeName, is_index,
};
use crate::plan::{Plan, Planned};

/// Whether the plan and the permitted interfaces give what a pointer addresses.
///
/// # Errors
///
/// Why they do not.
pub(crate) fn reach(plan: &Plan<'_>, pointer: &InteractionPointer) -> Result<(), String> {
    let (_, operation) = resolve(plan, pointer)?;
    reach_on(operation, pointer.target())
}

/// The step that a pointer is rooted in, and the operation that it calls.
///
/// # Errors
///
/// Why there is none.
pub(crate) fn resolve<'c>(
    plan: &Plan<'c>,
    pointer: &InteractionPointer,
) -> Result<(Planned<'c>, Operation<'c>), String> {
    let step = pointer.target().step.as_str();
    let Some(planned) = plan.planned(step) else {
        let declares = if plan.is_ambiguous(step) { "declares more than once" } else { "does not declare" };
        return Err(format!("names a step the interaction plan {declares}"));
    };
    match planned.operation {
        Some(operation) => Ok((planned, operation)),
        None => Err(format!(
            "names step \"{step}\", which names operation \"{}\", not declared by any permitted interface",
            planned.step.operation_id
        )),
    }
}

/// Whether an operation gives what a target addresses below its step, or its leg.
///
/// # Errors
///
/// Why it does not.
pub(crate) fn reach_on(operation: Operation<'_>, target: &Target) -> Result<(), String> {
    let id = operation.operation_id();
    let channel = &target.channel;
    match (operation, channel) {
        (Operation::Cli(_), Channel::ResponseBody | Channel::ResponseHeaders | Channel::ResponseStatus) => {
            return Err(format!(
                "addresses {}, but operation \"{id}\" runs behind a command and produces no HTTP response",
                channel.name()
            ));
        }
        (
            Operation::Mcp(_),
            Channel::ResponseHeaders | Channel::Stdout | Channel::Stderr | Channel::ExitCode | Channel::Artifact(_),
        ) => {
            return Err(format!(
                "addresses {}, but operation \"{id}\" runs behind a tool server and produces no such channel",
                channel.name()
            ));
        }
        _ => {}
    }
    if let Channel::Artifact(artifact) = channel
        && !operation.writes(artifact.as_str())
    {
        return Err(format!("names the \"{artifact}\" artifact, which operation \"{id}\" does not declare it writes"));
    }
    match channel {
        described if operation.describes(described) => {
            let descriptor = operation.descriptor();
            let root = descriptor.collection_locations.as_ref().and_then(CollectionLocations::root);
            if let (Some(index), Some(root)) = (target.tail.first().filter(|token| is_index(token)), root) {
                return within(root, index, target);
            }
            field(operation, target, |key| descriptor.declares(key), &descriptor.types)
        }
        Channel::CallInputs(input) => match operation.request_shape(*input) {
            Some(shape) => field(operation, target, |key| shape.declares(key), &shape.types),
            None => {
                Err(format!("addresses call-inputs {input}, a channel operation \"{id}\" does not accept input on"))
            }
        },
        Channel::Artifact(artifact) if !target.tail.is_empty() => Err(format!(
            "descends into the \"{artifact}\" artifact, which operation \"{id}\" declares it writes but declares no structure for"
        )),
        Channel::Stdout | Channel::Stderr if !target.tail.is_empty() => {
            Err(format!("descends into {}, a channel operation \"{id}\" declares no structure for", channel.name()))
        }
        _ => Ok(()),
    }
}

/// Whether the first token is a declared key, and the second one does not descend into a scalar.
fn field(
    operation: Operation<'_>,
    target: &Target,
    declares: impl Fn(&str) -> bool,
    types: &BTreeMap<KeyName, Option<TypeName>>,
) -> Result<(), String> {
    let Some(key) = target.tail.first() else { return Ok(()) };
    let (place, id) = (spelled(&target.channel), operation.operation_id());
    if !declares(key) {
        return Err(format!(
            "addresses {place} field \"{key}\", which operation \"{id}\" declares in neither requiredKeys nor permittedKeys"
        ));
    }
    let declared = types.get(key.as_str()).copied().flatten();
    if target.tail.len() > 1 && declared.is_some_and(TypeName::is_scalar) {
        return Err(format!(
            "descends into {place} field \"{key}\", which operation \"{id}\" declares a scalar with no further structure"
        ));
    }
    Ok(())
}

/// Whether an index lies within the declared root collection.
fn within(root: &CollectionLocation, index: &str, target: &Target) -> Result<(), String> {
    let bound = root.expected_cardinality.bound();
    // An index that fits no integer is larger than every bound.
    if index.parse::<i64>().is_ok_and(|index| index < bound) {
        return Ok(());
    }
    let mode = match root.expected_cardinality {
        Cardinality::Exact(_) => "exact",
        Cardinality::AtMost(_) => "at-most",
        Cardinality::PageBounded(_) => "page-bounded",
    };
    let place = spelled(&target.channel);
    Err(format!(
        "addresses {place} index {index}, out of bounds for the declared root collection's expectedCardinality ({mode} {bound})"
    ))
}

/// A channel as reasons spell it: with the input channel, or the artifact, that it is of.
pub(crate) fn spelled(channel: &Channel) -> String {
    match channel {
        Channel::CallInputs(input) => format!("call-inputs {input}"),
        Channel::Artifact(artifact) => format!("artifact {artifact}"),
        _ => channel.name().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{changed, cli_contract, contract, mcp_contract, set, typed};
    use serde_json::{Value, json};

    fn reason(base: Value, pointer: &str) -> String {
        let contract = typed(&base);
        match reach(&Plan::of(&contract), &InteractionPointer::new(pointer).unwrap()) {
            Ok(()) => String::new(),
            Err(reason) => reason,
        }
    }

    /// Every pointer of `cases` with the reason that is expected; the empty text where it is reached.
    fn hold(base: &Value, cases: &[(&str, &str)]) {
        for (pointer, expected) in cases {
            assert_eq!(reason(base.clone(), pointer), *expected, "{pointer}");
        }
    }

    #[test]
    fn a_pointer_into_an_http_call_is_reached_where_it_is_declared() {
        hold(
            &contract(),
            &[
                ("/interactions/read-back/response-body", ""),
                ("/interactions/read-back/response-body/title", ""),
                ("/interactions/read-back/response-body/owner/name/first", ""),
                ("/interactions/read-back/response-body/notes/0", ""),
                ("/interactions/read-back/response-status", ""),
                ("/interactions/read-back/response-headers/etag", ""),
                ("/interactions/read-back/exit-code", ""),
                ("/interactions/read-back/stdout", ""),
                ("/interactions/file/call-inputs/body", ""),
                ("/interactions/file/call-inputs/body/urgent", ""),
                ("/interactions/file/call-inputs/header", ""),
                ("/interactions/gone/response-body", "names a step the interaction plan does not declare"),
                (
                    "/interactions/read-back/response-body/color",
                    "addresses response-body field \"color\", which operation \"read-ticket\" declares in neither requiredKeys nor permittedKeys",
                ),
                (
                    "/interactions/read-back/response-body/title/0",
                    "descends into response-body field \"title\", which operation \"read-ticket\" declares a scalar with no further structure",
                ),
                (
                    "/interactions/file/call-inputs/body/color",
                    "addresses call-inputs body field \"color\", which operation \"file-ticket\" declares in neither requiredKeys nor permittedKeys",
                ),
                (
                    "/interactions/file/call-inputs/body/title/0",
                    "descends into call-inputs body field \"title\", which operation \"file-ticket\" declares a scalar with no further structure",
                ),
                (
                    "/interactions/file/call-inputs/stdin",
                    "addresses call-inputs stdin, a channel operation \"file-ticket\" does not accept input on",
                ),
                (
                    "/interactions/file/stdout/title",
                    "descends into stdout, a channel operation \"file-ticket\" declares no structure for",
                ),
                (
                    "/interactions/file/artifact/log",
                    "names the \"log\" artifact, which operation \"file-ticket\" does not declare it writes",
                ),
            ],
        );
    }

    #[test]
    fn a_type_that_is_not_declared_or_not_stated_is_permissive() {
        let types = "/permittedInterfaces/0/operations/1/responseDescriptor/types";
        for declared in [json!({}), json!({ "title": null }), json!({ "title": "object" })] {
            let base = set(contract(), types, declared);
            assert_eq!(reason(base, "/interactions/read-back/response-body/title/0"), "");
        }
    }

    #[test]
    fn a_step_without_one_declared_operation_is_not_reached() {
        let unknown = set(contract(), "/interactionPlan/0/operationId", json!("burn-ticket"));
        assert_eq!(
            reason(unknown, "/interactions/file/response-body"),
            "names step \"file\", which names operation \"burn-ticket\", not declared by any permitted interface"
        );
        let elsewhere = set(contract(), "/interactionPlan/0/interfaceId", json!("shop"));
        assert_eq!(
            reason(elsewhere, "/interactions/file/response-body"),
            "names step \"file\", which names operation \"file-ticket\", not declared by any permitted interface"
        );
        let twice = set(contract(), "/interactionPlan/2/stepId", json!("file"));
        assert_eq!(
            reason(twice, "/interactions/file/response-body"),
            "names a step the interaction plan declares more than once"
        );
    }

    #[test]
    fn a_command_has_streams_and_artifacts_and_no_response() {
        let described = "descends into the \"log\" artifact, which operation \"list-words\" declares it writes but declares no structure for";
        hold(
            &cli_contract(),
            &[
                ("/interactions/count/stdout/words", ""),
                ("/interactions/count/stderr", ""),
                ("/interactions/count/exit-code", ""),
                ("/interactions/count/call-inputs/stdin/text", ""),
                ("/interactions/list/stdout", ""),
                ("/interactions/list/artifact/log", ""),
                ("/interactions/list/artifact/word-list/words/3", ""),
                ("/interactions/list/artifact/log/line", described),
                (
                    "/interactions/list/artifact/word-list/letters",
                    "addresses artifact word-list field \"letters\", which operation \"list-words\" declares in neither requiredKeys nor permittedKeys",
                ),
                (
                    "/interactions/list/artifact/other",
                    "names the \"other\" artifact, which operation \"list-words\" does not declare it writes",
                ),
                (
                    "/interactions/count/stderr/words",
                    "descends into stderr, a channel operation \"count-words\" declares no structure for",
                ),
                (
                    "/interactions/count/response-status",
                    "addresses response-status, but operation \"count-words\" runs behind a command and produces no HTTP response",
                ),
                (
                    "/interactions/count/call-inputs/body",
                    "addresses call-inputs body, a channel operation \"count-words\" does not accept input on",
                ),
            ],
        );
    }

    #[test]
    fn a_tool_has_its_result_its_status_and_its_arguments() {
        let behind = |channel: &str| {
            format!(
                "addresses {channel}, but operation \"find-room\" runs behind a tool server and produces no such channel"
            )
        };
        hold(
            &mcp_contract(),
            &[
                ("/interactions/find/response-body/room", ""),
                ("/interactions/find/response-status", ""),
                ("/interactions/find/call-inputs/arguments/floor", ""),
                ("/interactions/find/response-headers", &behind("response-headers")),
                ("/interactions/find/stdout", &behind("stdout")),
                ("/interactions/find/stderr", &behind("stderr")),
                ("/interactions/find/exit-code", &behind("exit-code")),
                ("/interactions/find/artifact/log", &behind("artifact")),
            ],
        );
    }

    #[test]
    fn an_index_into_a_root_collection_lies_within_its_bound() {
        for (mode, bound) in [("exact", "count"), ("at-most", "max"), ("page-bounded", "max")] {
            let root =
                json!([{ "pointer": "", "expectedCardinality": { "mode": mode, bound: 3 }, "referenceSet": null }]);
            let path = "/permittedInterfaces/0/operations/1/responseDescriptor/collectionLocations";
            let base = set(contract(), path, root);
            let at = |index: &str| reason(base.clone(), &format!("/interactions/read-back/response-body/{index}"));
            assert_eq!((at("0"), at("2/any/thing")), (String::new(), String::new()));
            for index in ["3", "99999999999999999999999999999"] {
                assert_eq!(
                    at(index),
                    format!(
                        "addresses response-body index {index}, out of bounds for the declared root collection's expectedCardinality ({mode} 3)"
                    )
                );
            }
            // What is no index is a key.
            assert!(at("01").contains("field \"01\"") && at("x").contains("field \"x\"") && at("title").is_empty());
        }
        assert!(reason(contract(), "/interactions/read-back/response-body/0").contains("field \"0\""));
    }

    #[test]
    fn ten_thousand_keys_are_looked_up_among_ten_thousand() {
        let keys: Vec<String> = (0..10_000).map(|number| format!("k{number}")).collect();
        let contract =
            changed(contract(), "/permittedInterfaces/0/operations/1/responseDescriptor/permittedKeys", json!(keys));
        let plan = Plan::of(&contract);
        for key in keys {
            let pointer = InteractionPointer::new(format!("/interactions/read-back/response-body/{key}")).unwrap();
            assert_eq!(reach(&plan, &pointer), Ok(()));
        }
    }
}
