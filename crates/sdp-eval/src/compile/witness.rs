//! Sensitivity witnesses and the reset of the fixture: rows 14, 31 and 32. A contract comes in; nothing, or the first operation
//! whose witness shows nothing, goes out.
//!
//! A witness is two calls of one operation that differ on one channel, and a relation between their answers. Its legs share the
//! names of the plan's steps, so that pointers can be rooted in them.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Map, Value};

use super::Checked;
use crate::contract::{
    Channel, CliInputs, EvalContract, FixtureReset, HttpInputs, InputChannel, InteractionPointer, KeyName, KeyedShape,
    LegBody, LegRaw, LegStdin, McpInputs, Operand, OperandPointer, Operation, SensitivityWitness, Target,
    WitnessChannel, WitnessInputs,
};
use crate::fault::{FailureCode, StructuralFailure};
use crate::plan::Plan;
use crate::walk::{Node, OperandAt, operands, walk};

/// The path of the fixture's reset.
const RESET: &str = "EvalContract.fixtureReset";

/// Row 14: every operation with a key in its request has a witness, and each leg supplies what the operation takes.
pub(crate) fn declared(contract: &EvalContract) -> Checked {
    for (path, operation) in operations(contract) {
        let Some(witness) = operation.witness() else {
            if operation.request_shapes().iter().all(|(_, shape)| shape.is_empty()) {
                continue;
            }
            let detail = format!(
                "operation \"{}\" declares request keys but no sensitivity witness; only an operation declaring no keys in any \
                 channel is exempt (AD-10)",
                operation.operation_id()
            );
            return Err(StructuralFailure::new(FailureCode::UndeclaredMandatoryInput, path, detail));
        };
        for (index, leg) in witness.legs.iter().enumerate() {
            supplied(&format!("leg \"{}\"", leg.leg_id), operation, &leg.inputs).map_err(|detail| {
                let path = format!("{path}.sensitivityWitness.legs[{index}].inputs");
                StructuralFailure::new(FailureCode::UndeclaredMandatoryInput, path, detail)
            })?;
        }
    }
    Ok(())
}

/// Row 31: the name of a leg is the name of nothing else.
pub(crate) fn leg_identifiers(contract: &EvalContract) -> Checked {
    let steps: HashSet<&str> = contract.interaction_plan.iter().map(|step| step.step_id.as_str()).collect();
    let mut claimed: HashMap<&str, usize> = HashMap::new();
    let legs = operations(contract).enumerate().flat_map(|(at, (path, operation))| {
        let legs = operation.witness().map_or(&[][..], |witness| &witness.legs);
        legs.iter().enumerate().map(move |(index, leg)| {
            (at, leg.leg_id.as_str(), format!("{path}.sensitivityWitness.legs[{index}].legId"))
        })
    });
    let reset =
        contract.fixture_reset.iter().map(|reset| (usize::MAX, reset.leg_id.as_str(), format!("{RESET}.legId")));
    for (owner, leg, site) in legs.chain(reset) {
        let detail = if steps.contains(leg) {
            "collides with an interaction-plan step id; the two share one pointer namespace (AD-10, AD-26)"
        } else {
            match claimed.entry(leg) {
                Entry::Vacant(free) => {
                    free.insert(owner);
                    continue;
                }
                Entry::Occupied(taken) if *taken.get() == owner => {
                    "names both legs of this witness, so a pointer could not tell them apart (AD-10, AD-26)"
                }
                Entry::Occupied(_) => {
                    "is already claimed by another leg; every leg id is unique across the contract (AD-10, AD-26)"
                }
            }
        };
        let code = FailureCode::MalformedOperatorExpression;
        return Err(StructuralFailure::new(code, site, format!("leg id \"{leg}\" {detail}")));
    }
    Ok(())
}

/// Row 32: a witness shows something, and the reset of the fixture resets it.
pub(crate) fn legality(plan: &Plan<'_>) -> Checked {
    let contract = plan.contract();
    for (path, operation) in operations(contract) {
        if let Some(witness) = operation.witness() {
            let path = format!("{path}.sensitivityWitness");
            varied(operation, witness, &path)?;
            related(operation, witness, &path)?;
        }
    }
    contract.fixture_reset.as_ref().map_or(Ok(()), |reset| resets(plan, reset))
}

/// Every operation with its path by index.
fn operations(contract: &EvalContract) -> impl Iterator<Item = (String, Operation<'_>)> {
    contract.permitted_interfaces.iter().enumerate().flat_map(|(at, interface)| {
        let named = move |(index, operation)| {
            (format!("EvalContract.permittedInterfaces[{at}].operations[{index}]"), operation)
        };
        interface.operations().enumerate().map(named)
    })
}

/// What a leg sends on one channel.
#[derive(Clone, Copy)]
enum Sent<'c> {
    /// Keys with JSON values.
    Keys(&'c Map<String, Value>),
    /// Keys with texts.
    Texts(&'c BTreeMap<KeyName, String>),
    /// A JSON value.
    Json(&'c Value),
    /// A text.
    Text(&'c str),
    /// Bytes.
    Raw(&'c LegRaw),
    /// Nothing, and it says so.
    Absent,
}

impl<'c> Sent<'c> {
    /// Whether it has a key.
    fn has(self, key: &str) -> bool {
        match self {
            Self::Keys(keys) => keys.contains_key(key),
            Self::Texts(keys) => keys.contains_key(key),
            Self::Json(value) => value.get(key).is_some(),
            Self::Text(_) | Self::Raw(_) | Self::Absent => false,
        }
    }

    /// Its keys. A JSON value that is no object has none.
    fn keys(self) -> Vec<&'c str> {
        match self {
            Self::Keys(keys) | Self::Json(Value::Object(keys)) => keys.keys().map(String::as_str).collect(),
            Self::Texts(keys) => keys.keys().map(KeyName::as_str).collect(),
            Self::Json(_) | Self::Text(_) | Self::Raw(_) | Self::Absent => Vec::new(),
        }
    }

    /// Whether two calls send the same.
    fn same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Keys(left), Self::Keys(right)) => same_members(left, right),
            (Self::Texts(left), Self::Texts(right)) => left == right,
            (Self::Json(left), Self::Json(right)) => same_value(left, right),
            (Self::Text(left), Self::Text(right)) => left == right,
            (Self::Raw(left), Self::Raw(right)) => left == right,
            (Self::Absent, Self::Absent) => true,
            _ => false,
        }
    }
}

/// Whether two values have one canonical form: the order of keys and the spelling of numbers make no difference.
fn same_value(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same_value(left, right))
        }
        (Value::Object(left), Value::Object(right)) => same_members(left, right),
        _ => left == right,
    }
}

/// Whether two objects have one canonical form.
fn same_members(left: &Map<String, Value>, right: &Map<String, Value>) -> bool {
    left.len() == right.len()
        && left.iter().all(|(key, value)| right.get(key).is_some_and(|other| same_value(value, other)))
}

/// What a leg sends, in the fixed order of channels.
fn sent(inputs: &WitnessInputs) -> Vec<(InputChannel, Sent<'_>)> {
    match inputs {
        WitnessInputs::Http(HttpInputs { path, query, header, body }) => vec![
            (InputChannel::Path, Sent::Keys(path)),
            (InputChannel::Query, Sent::Keys(query)),
            (InputChannel::Header, Sent::Texts(header)),
            (
                InputChannel::Body,
                match body {
                    LegBody::Json(part) => Sent::Json(&part.value),
                    LegBody::Raw(raw) => Sent::Raw(raw),
                    LegBody::Absent(_) => Sent::Absent,
                },
            ),
        ],
        WitnessInputs::Cli(CliInputs { argument, option, environment, stdin }) => vec![
            (InputChannel::Argument, Sent::Keys(argument)),
            (InputChannel::Option, Sent::Keys(option)),
            (InputChannel::Environment, Sent::Texts(environment)),
            (
                InputChannel::Stdin,
                match stdin {
                    LegStdin::Json(part) => Sent::Json(&part.value),
                    LegStdin::Text(part) => Sent::Text(&part.value),
                    LegStdin::Absent(_) => Sent::Absent,
                },
            ),
        ],
        WitnessInputs::Mcp(McpInputs { arguments }) => vec![(InputChannel::Arguments, Sent::Keys(arguments))],
    }
}

/// Whether what `owner` sends is what the operation takes; what is wrong where it is not.
fn supplied(owner: &str, operation: Operation<'_>, inputs: &WitnessInputs) -> Result<(), String> {
    let name = operation.operation_id();
    let (supplies, accepts) = (kind_of_inputs(inputs), kind_of(operation));
    if supplies != accepts {
        return Err(format!(
            "{owner} supplies {supplies} channels to operation \"{name}\", which accepts {accepts} channels (AD-10, AD-19)"
        ));
    }
    for ((channel, shape), (_, sent)) in operation.request_shapes().into_iter().zip(sent(inputs)) {
        match sent {
            Sent::Raw(_) => {}
            Sent::Text(_) => match &*shape.required_keys {
                [_] => {}
                required => {
                    return Err(format!(
                        "{owner} supplies its {channel} channel as text, which fills exactly one required key, but operation \
                         \"{name}\" requires {} there (AD-10, AD-19)",
                        required.len()
                    ));
                }
            },
            sent => supplied_keys(owner, name.as_str(), channel, shape, sent)?,
        }
    }
    Ok(())
}

/// Whether every required key is sent, and no key that is not declared.
fn supplied_keys(
    owner: &str,
    operation: &str,
    channel: InputChannel,
    shape: &KeyedShape,
    sent: Sent<'_>,
) -> Result<(), String> {
    if let Some(missing) = shape.required_keys.iter().find(|key| !sent.has(key.as_str())) {
        return Err(format!(
            "{owner} omits \"{missing}\", which operation \"{operation}\" requires on its {channel} channel (AD-10, AD-19)"
        ));
    }
    let keys = sent.keys();
    if keys.is_empty() {
        return Ok(());
    }
    let declared: HashSet<&str> =
        shape.required_keys.iter().chain(&shape.permitted_keys).map(KeyName::as_str).collect();
    match keys.into_iter().find(|key| !declared.contains(key)) {
        Some(key) => Err(format!(
            "{owner} supplies \"{key}\", which operation \"{operation}\" declares in neither requiredKeys nor permittedKeys of \
             its {channel} channel (AD-10, AD-19)"
        )),
        None => Ok(()),
    }
}

/// What kind of channels an operation accepts.
const fn kind_of(operation: Operation<'_>) -> &'static str {
    match operation {
        Operation::Http(_) => "transport",
        Operation::Cli(_) => "command",
        Operation::Mcp(_) => "tool-call",
    }
}

/// What kind of channels a leg supplies.
const fn kind_of_inputs(inputs: &WitnessInputs) -> &'static str {
    match inputs {
        WitnessInputs::Http(_) => "transport",
        WitnessInputs::Cli(_) => "command",
        WitnessInputs::Mcp(_) => "tool-call",
    }
}

/// The channel that a witness varies.
const fn input_channel(channel: WitnessChannel) -> InputChannel {
    match channel {
        WitnessChannel::Path => InputChannel::Path,
        WitnessChannel::Query => InputChannel::Query,
        WitnessChannel::Body => InputChannel::Body,
        WitnessChannel::Argument => InputChannel::Argument,
        WitnessChannel::Option => InputChannel::Option,
        WitnessChannel::Environment => InputChannel::Environment,
        WitnessChannel::Stdin => InputChannel::Stdin,
        WitnessChannel::Arguments => InputChannel::Arguments,
    }
}

/// What an operation is, and the channels that its witness may vary.
const fn variable(operation: Operation<'_>) -> (&'static str, &'static [WitnessChannel]) {
    use WitnessChannel as C;
    match operation {
        Operation::Http(of) if of.state_change_marker => ("a state-changing HTTP operation", &[C::Body]),
        Operation::Http(_) => ("an HTTP operation that only reads", &[C::Path, C::Query]),
        Operation::Cli(_) => ("a command", &[C::Argument, C::Option, C::Environment, C::Stdin]),
        Operation::Mcp(_) => ("a tool call", &[C::Arguments]),
    }
}

/// A malformed witness.
fn malformed(path: String, detail: String) -> StructuralFailure {
    StructuralFailure::new(FailureCode::MalformedOperatorExpression, path, detail)
}

/// Whether the two legs differ on a channel that the witness of this operation may vary.
fn varied(operation: Operation<'_>, witness: &SensitivityWitness, path: &str) -> Checked {
    let (what, channels) = variable(operation);
    let name = operation.operation_id();
    if !channels.contains(&witness.channel) {
        let legal: Vec<&str> = channels.iter().map(|channel| channel.as_str()).collect();
        let detail = format!(
            "varies the {} channel, but operation \"{name}\" is {what}, whose witness may vary {} only (AD-10)",
            witness.channel,
            legal.join(", ")
        );
        return Err(malformed(path.to_owned(), detail));
    }
    let channel = input_channel(witness.channel);
    let mut values = Vec::with_capacity(witness.legs.len());
    for leg in &witness.legs {
        let value = sent(&leg.inputs).into_iter().find_map(|(of, sent)| (of == channel).then_some(sent));
        match value {
            Some(sent) if !matches!(sent, Sent::Absent) => values.push(sent),
            _ => {
                let detail = format!(
                    "leg \"{}\" carries no {channel} channel, which the witness of operation \"{name}\" varies (AD-10)",
                    leg.leg_id
                );
                return Err(malformed(format!("{path}.legs"), detail));
            }
        }
    }
    match values.as_slice() {
        [first, second] if first.same(*second) => Err(malformed(
            format!("{path}.legs"),
            format!(
                "both legs send the same on the {channel} channel, so their answers witness no sensitivity (AD-10)"
            ),
        )),
        _ => Ok(()),
    }
}

/// Whether the relation reads both legs, nothing else, and only what a leg can show.
fn related(operation: Operation<'_>, witness: &SensitivityWitness, path: &str) -> Checked {
    let site = || format!("{path}.relation");
    let unreachable = |detail| StructuralFailure::new(FailureCode::UnreachableCheckEvidence, site(), detail);
    let mut pointers: Vec<&InteractionPointer> = Vec::new();
    walk(&witness.relation, "", &mut |node: Node<'_>, _: &str| -> Checked {
        for (_, operand) in operands(node.expression) {
            match operand {
                OperandAt::Any(Operand::Pointer(OperandPointer::Interaction(pointer))) => pointers.push(pointer),
                OperandAt::Any(Operand::Pointer(OperandPointer::Bound(pointer))) if node.quantifiers == 0 => {
                    let detail = format!(
                        "bound-element pointer \"{pointer}\" appears outside any quantifier's predicate; \"@/\" binds only \
                         inside a quantifier (AD-26)"
                    );
                    return Err(malformed(site(), detail));
                }
                _ => {}
            }
        }
        Ok(())
    })?;
    let of_a_leg = |pointer: &&InteractionPointer| witness.legs.iter().any(|leg| leg.leg_id == pointer.target().step);
    if let Some(stranger) = pointers.iter().find(|pointer| !of_a_leg(pointer)) {
        return Err(unreachable(format!(
            "\"{stranger}\" names \"{}\", which is no leg of this witness (AD-10, AD-26)",
            stranger.target().step
        )));
    }
    if let Some(leg) =
        witness.legs.iter().find(|leg| pointers.iter().all(|pointer| pointer.target().step != leg.leg_id))
    {
        let detail =
            format!("addresses nothing of leg \"{}\"; a witness relates the answers of both legs (AD-10)", leg.leg_id);
        return Err(malformed(site(), detail));
    }
    let described = operation.described_channel();
    let volatile = Volatile::of(operation);
    for pointer in pointers {
        let target = pointer.target();
        if !carried(operation, &described, &target.channel) {
            return Err(unreachable(format!(
                "\"{pointer}\" addresses the {} channel, which no leg of operation \"{}\" carries (AD-10, AD-26)",
                target.channel.name(),
                operation.operation_id()
            )));
        }
        crate::reach::reach_on(operation, target).map_err(|reason| unreachable(format!("\"{pointer}\" {reason}")))?;
        if target.channel == described && volatile.covers(target) {
            let detail = format!(
                "\"{pointer}\" reads a location that operation \"{}\" declares volatile, which differs whatever was sent (AD-10)",
                operation.operation_id()
            );
            return Err(malformed(site(), detail));
        }
    }
    Ok(())
}

/// Whether a leg of an operation has evidence on a channel.
fn carried(operation: Operation<'_>, described: &Channel, channel: &Channel) -> bool {
    channel == described
        || matches!(
            (operation, channel),
            (_, Channel::CallInputs(_))
                | (Operation::Http(_), Channel::ResponseHeaders | Channel::ResponseStatus)
                | (Operation::Mcp(_), Channel::ResponseStatus)
                | (Operation::Cli(_), Channel::ExitCode)
        )
}

/// The volatile places of an operation as a tree of tokens, so that a pointer is judged in the length of its own tail.
struct Volatile {
    /// Where a token leads to from a node. The root is node 0.
    next: HashMap<(usize, String), usize>,
    /// Whether a volatile pointer ends at a node.
    ends: Vec<bool>,
}

impl Volatile {
    fn of(operation: Operation<'_>) -> Self {
        let mut tree = Self { next: HashMap::new(), ends: vec![false] };
        for pointer in operation.volatile_pointers() {
            let mut at = 0;
            for token in pointer.tokens() {
                let fresh = tree.ends.len();
                at = *tree.next.entry((at, token)).or_insert(fresh);
                if at == fresh {
                    tree.ends.push(false);
                }
            }
            if let Some(end) = tree.ends.get_mut(at) {
                *end = true;
            }
        }
        tree
    }

    /// Whether a place is volatile, or stands below one that is.
    fn covers(&self, target: &Target) -> bool {
        let ends = |at: usize| self.ends.get(at).copied().unwrap_or_default();
        let mut at = 0;
        for token in &target.tail {
            if ends(at) {
                return true;
            }
            match self.next.get(&(at, token.clone())) {
                Some(next) => at = *next,
                None => return false,
            }
        }
        ends(at)
    }
}

/// Whether the reset of the fixture names an operation that changes state, and sends what it takes.
fn resets(plan: &Plan<'_>, reset: &FixtureReset) -> Checked {
    let (interface, name) = (&reset.interface_id, &reset.operation_id);
    let Some(operation) = plan.operation(interface.as_str(), name.as_str()) else {
        let detail =
            format!("names operation \"{name}\", which no permitted interface \"{interface}\" declares (AD-10)");
        return Err(StructuralFailure::new(FailureCode::UnreachableCheckEvidence, RESET, detail));
    };
    if !operation.changes_state() {
        let detail =
            format!("names operation \"{name}\", which changes no state and so can reset no fixture (AD-10, AD-19)");
        return Err(malformed(RESET.to_owned(), detail));
    }
    supplied(&format!("fixture reset \"{}\"", reset.leg_id), operation, &reset.inputs).map_err(|detail| {
        StructuralFailure::new(FailureCode::UndeclaredMandatoryInput, format!("{RESET}.inputs"), detail)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::shape::from_value;

    const CREATE: &str = "/permittedInterfaces/0/operations/0";
    const RUN: &str = "/permittedInterfaces/1/operations/0";
    const FIND: &str = "/permittedInterfaces/2/operations/0";

    fn shape(required: &[&str], permitted: &[&str]) -> Value {
        json!({ "requiredKeys": required, "permittedKeys": permitted, "types": {} })
    }

    fn descriptor(keys: &[&str]) -> Value {
        json!({
            "requiredKeys": keys, "permittedKeys": [], "types": {}, "successIndicator": null, "channelRoles": null,
            "collectionLocations": null
        })
    }

    fn differ(left: &str, right: &str) -> Value {
        json!({ "op": "not", "operands": [{ "op": "equality", "operands": [{ "pointer": left }, { "pointer": right }] }] })
    }

    fn http(path: &Value, query: &Value, body: &Value) -> Value {
        json!({ "path": path, "query": query, "header": {}, "body": body })
    }

    fn witness(channel: &str, name: &str, first: &Value, second: &Value, evidence: &str) -> Value {
        let (one, two) = (format!("{name}-one"), format!("{name}-two"));
        let relation = differ(&format!("/interactions/{one}/{evidence}"), &format!("/interactions/{two}/{evidence}"));
        json!({
            "witnessId": name, "channel": channel, "relation": relation,
            "legs": [{ "legId": one, "inputs": first }, { "legId": two, "inputs": second }]
        })
    }

    /// A shelf of notes: create, read and drop over HTTP; a command; a tool.
    fn notes() -> Value {
        let none = shape(&[], &[]);
        let absent = json!({ "kind": "absent" });
        let written =
            |title: &str| http(&json!({}), &json!({}), &json!({ "kind": "json", "value": { "title": title } }));
        let read = |note: &str| http(&json!({ "note": note }), &json!({}), &absent);
        let said = |text: &str| {
            json!({
                "argument": {}, "option": {}, "environment": {}, "stdin": { "kind": "text", "value": text }
            })
        };
        json!({
            "schemaVersion": 7, "parentDigest": null, "revisionCount": 0, "contractId": "notes", "sourceSpecDigest": null,
            "behaviors": [{
                "id": "B-001", "description": "", "severity": "low", "observableSuccessCriterion": "",
                "requirementLinks": [], "riskLinks": [], "oracles": []
            }],
            "oracles": [], "rubrics": [], "waivers": [],
            "permittedInterfaces": [
                { "logicalId": "shelf", "kind": "api", "operations": [
                    {
                        "operationId": "create", "method": "POST", "pathTemplate": "/notes", "stateChangeMarker": true,
                        "requestShape": { "path": none, "query": none, "header": none, "body": shape(&["title"], &["tag"]) },
                        "responseDescriptor": descriptor(&["note", "at"]), "volatilePointers": ["/at"],
                        "sensitivityWitness": witness("body", "create", &written("A"), &written("B"), "response-body/note")
                    },
                    {
                        "operationId": "read", "method": "GET", "pathTemplate": "/notes/{note}", "stateChangeMarker": false,
                        "requestShape": { "path": shape(&["note"], &[]), "query": none, "header": none, "body": none },
                        "responseDescriptor": descriptor(&["title"]), "volatilePointers": [],
                        "sensitivityWitness": witness("path", "read", &read("1"), &read("2"), "response-body")
                    },
                    {
                        "operationId": "drop-all", "method": "DELETE", "pathTemplate": "/notes", "stateChangeMarker": true,
                        "requestShape": { "path": none, "query": none, "header": none, "body": none },
                        "responseDescriptor": descriptor(&[]), "volatilePointers": [], "sensitivityWitness": null
                    }
                ] },
                { "logicalId": "tool", "kind": "cli", "operations": [{
                    "operationId": "run", "invocation": { "executable": "notes", "subcommandPath": [] },
                    "stateChangeMarker": false,
                    "requestShape": { "argument": none, "option": none, "environment": none, "stdin": shape(&["text"], &[]) },
                    "responseDescriptor": descriptor(&["words"]), "descriptorChannel": { "kind": "stream", "channel": "stdout" },
                    "artifacts": [], "volatilePointers": [],
                    "sensitivityWitness": witness("stdin", "run", &said("a"), &said("b"), "stdout/words")
                }] },
                { "logicalId": "server", "kind": "mcp", "operations": [{
                    "operationId": "find", "toolName": "find_notes", "stateChangeMarker": false,
                    "requestShape": { "arguments": shape(&[], &["query"]) },
                    "responseDescriptor": descriptor(&["found"]), "descriptorChannel": { "kind": "structured-result" },
                    "volatilePointers": [],
                    "sensitivityWitness": witness(
                        "arguments", "find", &json!({ "arguments": {} }), &json!({ "arguments": { "query": "b" } }),
                        "response-status"
                    )
                }] }
            ],
            "referenceSets": null, "siblingGroups": null,
            "interactionPlan": [{
                "stepId": "look", "interfaceId": "shelf", "operationId": "drop-all",
                "inputBinding": { "path": null, "query": null, "header": null, "body": null },
                "after": null, "cardinality": "any"
            }],
            "scopedResources": null, "forbiddenInputs": [],
            "testData": { "setup": null, "cleanup": null, "principals": null, "resources": null },
            "budgets": { "maxToolCalls": 1, "maxWallClockMinutes": 1, "maxCostUsd": "0" },
            "safetyLimits": [], "requiredEvidence": [], "probeStepBound": null,
            "fixtureReset": {
                "legId": "reset", "interfaceId": "shelf", "operationId": "drop-all",
                "inputs": http(&json!({}), &json!({}), &absent)
            }
        })
    }

    /// What a check says of the notes with one value changed: the code, what follows `EvalContract.` in the path, the detail.
    fn told(
        check: impl Fn(&EvalContract) -> Checked,
        changes: &[(String, Value)],
    ) -> Option<(FailureCode, String, String)> {
        let mut contract = notes();
        for (pointer, value) in changes {
            *contract.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value.clone();
        }
        let contract: EvalContract = from_value(&contract).unwrap_or_else(|issues| panic!("{issues}"));
        let failure = check(&contract).err()?;
        let place = failure.artifact_path.strip_prefix("EvalContract.").unwrap().to_owned();
        Some((failure.code, place, failure.detail))
    }

    fn legal(contract: &EvalContract) -> Checked {
        legality(&Plan::of(contract))
    }

    #[track_caller]
    fn refused(
        check: impl Fn(&EvalContract) -> Checked,
        changes: &[(String, Value)],
        code: FailureCode,
        place: &str,
        detail: &str,
    ) {
        assert_eq!(told(check, changes), Some((code, place.to_owned(), detail.to_owned())));
    }

    fn at(operation: &str, below: &str) -> String {
        format!("{operation}/{below}")
    }

    fn leg(operation: &str, index: usize, below: &str) -> String {
        format!("{operation}/sensitivityWitness/legs/{index}/{below}")
    }

    #[test]
    fn a_contract_whose_witnesses_show_something_passes() {
        assert_eq!(told(declared, &[]), None);
        assert_eq!(told(leg_identifiers, &[]), None);
        assert_eq!(told(legal, &[]), None);
    }

    #[test]
    fn an_operation_with_keys_needs_a_witness() {
        let detail = |name: &str| {
            format!(
                "operation \"{name}\" declares request keys but no sensitivity witness; only an operation declaring no keys in any \
                 channel is exempt (AD-10)"
            )
        };
        for (operation, name, place) in [
            (CREATE, "create", "permittedInterfaces[0].operations[0]"),
            (RUN, "run", "permittedInterfaces[1].operations[0]"),
            // A permitted key is a request key.
            (FIND, "find", "permittedInterfaces[2].operations[0]"),
        ] {
            let changes = [(at(operation, "sensitivityWitness"), Value::Null)];
            refused(declared, &changes, FailureCode::UndeclaredMandatoryInput, place, &detail(name));
        }
    }

    #[test]
    fn a_leg_supplies_what_its_operation_takes() {
        let place = |interface: usize, leg: usize| {
            format!("permittedInterfaces[{interface}].operations[0].sensitivityWitness.legs[{leg}].inputs")
        };
        let code = FailureCode::UndeclaredMandatoryInput;
        let body = |value: Value| (leg(CREATE, 1, "inputs/body"), value);
        let missing = "leg \"create-two\" omits \"title\", which operation \"create\" requires on its body channel (AD-10, AD-19)";
        refused(declared, &[body(json!({ "kind": "json", "value": { "tag": "x" } }))], code, &place(0, 1), missing);
        // A JSON value that is no object, and no body, supply no keys.
        refused(declared, &[body(json!({ "kind": "json", "value": ["title"] }))], code, &place(0, 1), missing);
        refused(declared, &[body(json!({ "kind": "absent" }))], code, &place(0, 1), missing);
        refused(
            declared,
            &[body(json!({ "kind": "json", "value": { "title": "x", "tag": "y", "colour": "z" } }))],
            code,
            &place(0, 1),
            "leg \"create-two\" supplies \"colour\", which operation \"create\" declares in neither requiredKeys nor \
             permittedKeys of its body channel (AD-10, AD-19)",
        );
        refused(
            declared,
            &[(leg(CREATE, 0, "inputs/header"), json!({ "x-a": "1" }))],
            code,
            &place(0, 0),
            "leg \"create-one\" supplies \"x-a\", which operation \"create\" declares in neither requiredKeys nor permittedKeys \
             of its header channel (AD-10, AD-19)",
        );
        // Raw bytes have no keys to look at.
        let raw = body(json!({ "kind": "raw", "base64": "", "contentType": "text/plain" }));
        assert_eq!(told(declared, &[raw]), None);
        refused(
            declared,
            &[(leg(RUN, 0, "inputs"), json!({ "arguments": {} }))],
            code,
            &place(1, 0),
            "leg \"run-one\" supplies tool-call channels to operation \"run\", which accepts command channels (AD-10, AD-19)",
        );
    }

    #[test]
    fn a_text_fills_the_one_required_key_of_the_standard_input() {
        for (required, number) in [(json!([]), 0), (json!(["text", "more"]), 2)] {
            refused(
                declared,
                &[
                    (at(RUN, "requestShape/stdin/permittedKeys"), json!(["x"])),
                    (at(RUN, "requestShape/stdin/requiredKeys"), required),
                ],
                FailureCode::UndeclaredMandatoryInput,
                "permittedInterfaces[1].operations[0].sensitivityWitness.legs[0].inputs",
                &format!(
                    "leg \"run-one\" supplies its stdin channel as text, which fills exactly one required key, but operation \
                     \"run\" requires {number} there (AD-10, AD-19)"
                ),
            );
        }
    }

    #[test]
    fn the_name_of_a_leg_is_the_name_of_nothing_else() {
        let code = FailureCode::MalformedOperatorExpression;
        let of_leg = |operation: usize, leg: usize| {
            format!("permittedInterfaces[0].operations[{operation}].sensitivityWitness.legs[{leg}].legId")
        };
        let twice = "is already claimed by another leg; every leg id is unique across the contract (AD-10, AD-26)";
        let step = "collides with an interaction-plan step id; the two share one pointer namespace (AD-10, AD-26)";
        refused(
            leg_identifiers,
            &[(leg(CREATE, 1, "legId"), json!("create-one"))],
            code,
            &of_leg(0, 1),
            "leg id \"create-one\" names both legs of this witness, so a pointer could not tell them apart (AD-10, AD-26)",
        );
        let looks = [(leg(CREATE, 1, "legId"), json!("look"))];
        refused(leg_identifiers, &looks, code, &of_leg(0, 1), &format!("leg id \"look\" {step}"));
        let again =
            [("/permittedInterfaces/0/operations/1/sensitivityWitness/legs/0/legId".to_owned(), json!("create-two"))];
        refused(leg_identifiers, &again, code, &of_leg(1, 0), &format!("leg id \"create-two\" {twice}"));
        let reset = |name: &str| [("/fixtureReset/legId".to_owned(), json!(name))];
        let claimed = format!("leg id \"find-one\" {twice}");
        refused(leg_identifiers, &reset("find-one"), code, "fixtureReset.legId", &claimed);
        refused(leg_identifiers, &reset("look"), code, "fixtureReset.legId", &format!("leg id \"look\" {step}"));
    }

    #[test]
    fn a_witness_varies_a_channel_of_its_operation() {
        let code = FailureCode::MalformedOperatorExpression;
        for (operation, channel, place, detail) in [
            (
                CREATE,
                "query",
                "permittedInterfaces[0].operations[0].sensitivityWitness",
                "varies the query channel, but operation \"create\" is a state-changing HTTP operation, whose witness may vary \
                 body only (AD-10)",
            ),
            (
                "/permittedInterfaces/0/operations/1",
                "body",
                "permittedInterfaces[0].operations[1].sensitivityWitness",
                "varies the body channel, but operation \"read\" is an HTTP operation that only reads, whose witness may vary \
                 path, query only (AD-10)",
            ),
            (
                RUN,
                "arguments",
                "permittedInterfaces[1].operations[0].sensitivityWitness",
                "varies the arguments channel, but operation \"run\" is a command, whose witness may vary argument, option, \
                 environment, stdin only (AD-10)",
            ),
            (
                FIND,
                "stdin",
                "permittedInterfaces[2].operations[0].sensitivityWitness",
                "varies the stdin channel, but operation \"find\" is a tool call, whose witness may vary arguments only (AD-10)",
            ),
        ] {
            refused(legal, &[(at(operation, "sensitivityWitness/channel"), json!(channel))], code, place, detail);
        }
    }

    #[test]
    fn both_legs_carry_the_channel_and_differ_on_it() {
        let code = FailureCode::MalformedOperatorExpression;
        let place = "permittedInterfaces[0].operations[0].sensitivityWitness.legs";
        let body = |index: usize, value: Value| (leg(CREATE, index, "inputs/body"), value);
        let missing =
            "leg \"create-two\" carries no body channel, which the witness of operation \"create\" varies (AD-10)";
        refused(legal, &[body(1, json!({ "kind": "absent" }))], code, place, missing);
        refused(legal, &[(leg(CREATE, 1, "inputs"), json!({ "arguments": {} }))], code, place, missing);
        // Neither the order of keys nor the spelling of a number is a difference.
        let one = json!({ "kind": "json", "value": { "title": "A", "tag": [1, { "a": 0, "b": 2 }] } });
        let two = json!({ "kind": "json", "value": { "tag": [1.0, { "b": 2, "a": -0.0 }], "title": "A" } });
        let same = "both legs send the same on the body channel, so their answers witness no sensitivity (AD-10)";
        refused(legal, &[body(0, one.clone()), body(1, two)], code, place, same);
        let raw = |bytes: &str| json!({ "kind": "raw", "base64": bytes, "contentType": "text/plain" });
        refused(legal, &[body(0, raw("AAAA")), body(1, raw("AAAA"))], code, place, same);
        assert_eq!(told(legal, &[body(0, raw("AAAA")), body(1, raw("AAAB"))]), None);
        assert_eq!(told(legal, &[body(0, one), body(1, raw("AAAB"))]), None);
    }

    #[test]
    fn the_relation_reads_both_legs_and_nothing_else() {
        let place = "permittedInterfaces[0].operations[0].sensitivityWitness.relation";
        let relation = |left: &str, right: &str| [(at(CREATE, "sensitivityWitness/relation"), differ(left, right))];
        let one = "/interactions/create-one/response-body/note";
        refused(
            legal,
            &relation(one, "/interactions/look/response-status"),
            FailureCode::UnreachableCheckEvidence,
            place,
            "\"/interactions/look/response-status\" names \"look\", which is no leg of this witness (AD-10, AD-26)",
        );
        refused(
            legal,
            &relation(one, one),
            FailureCode::MalformedOperatorExpression,
            place,
            "addresses nothing of leg \"create-two\"; a witness relates the answers of both legs (AD-10)",
        );
        refused(
            legal,
            &relation(one, "@/note"),
            FailureCode::MalformedOperatorExpression,
            place,
            "bound-element pointer \"@/note\" appears outside any quantifier's predicate; \"@/\" binds only inside a quantifier \
             (AD-26)",
        );
        let within = json!({
            "op": "for-any", "collection": { "pointer": one },
            "predicate": { "op": "equality", "operands": [
                { "pointer": "@/id" }, { "pointer": "/interactions/create-two/response-body/note" }
            ] }
        });
        assert_eq!(told(legal, &[(at(CREATE, "sensitivityWitness/relation"), within)]), None);
    }

    #[test]
    fn the_relation_reads_what_a_leg_can_show() {
        let relation = |operation: &str, name: &str, evidence: &str| {
            let two = format!("/interactions/{name}-two/{evidence}");
            [(
                at(operation, "sensitivityWitness/relation"),
                differ(&format!("/interactions/{name}-one/{evidence}"), &two),
            )]
        };
        for (operation, index, name, evidence) in [
            (CREATE, 0, "create", "stdout"),
            (CREATE, 0, "create", "exit-code"),
            (RUN, 1, "run", "stderr"),
            (RUN, 1, "run", "response-status"),
            (RUN, 1, "run", "artifact/log"),
            (FIND, 2, "find", "response-headers"),
        ] {
            let channel = evidence.split('/').next().unwrap();
            refused(
                legal,
                &relation(operation, name, evidence),
                FailureCode::UnreachableCheckEvidence,
                &format!("permittedInterfaces[{index}].operations[0].sensitivityWitness.relation"),
                &format!(
                    "\"/interactions/{name}-one/{evidence}\" addresses the {channel} channel, which no leg of operation \"{name}\" \
                     carries (AD-10, AD-26)"
                ),
            );
        }
        for (operation, name, evidence) in [
            (CREATE, "create", "response-headers/x-a"),
            (CREATE, "create", "response-status"),
            (CREATE, "create", "call-inputs/body/title"),
            (RUN, "run", "exit-code"),
            (RUN, "run", "call-inputs/stdin"),
            (FIND, "find", "call-inputs/arguments/query"),
        ] {
            assert_eq!(told(legal, &relation(operation, name, evidence)), None, "{evidence}");
        }
        let (code, place, detail) = told(legal, &relation(CREATE, "create", "response-body/colour")).unwrap();
        assert_eq!(code, FailureCode::UnreachableCheckEvidence);
        assert_eq!(place, "permittedInterfaces[0].operations[0].sensitivityWitness.relation");
        assert!(detail.starts_with("\"/interactions/create-one/response-body/colour\" "), "{detail}");
    }

    #[test]
    fn what_is_volatile_witnesses_nothing() {
        let relation = |evidence: &str| {
            let two = format!("/interactions/create-two/{evidence}");
            (at(CREATE, "sensitivityWitness/relation"), differ(&format!("/interactions/create-one/{evidence}"), &two))
        };
        let volatile = |pointers: Value| (at(CREATE, "volatilePointers"), pointers);
        for (evidence, pointers) in [
            ("response-body/at", json!(["/at"])),
            ("response-body/at/hour", json!(["/x", "/at"])),
            ("response-body/note/a~1b", json!(["/note/a~1b"])),
            ("response-body", json!([""])),
            ("response-body/note", json!([""])),
        ] {
            refused(
                legal,
                &[volatile(pointers), relation(evidence)],
                FailureCode::MalformedOperatorExpression,
                "permittedInterfaces[0].operations[0].sensitivityWitness.relation",
                &format!(
                    "\"/interactions/create-one/{evidence}\" reads a location that operation \"create\" declares volatile, which \
                     differs whatever was sent (AD-10)"
                ),
            );
        }
        // Above it, beside it, and on another channel.
        for evidence in ["response-body", "response-body/note", "call-inputs/body/title"] {
            assert_eq!(
                told(legal, &[volatile(json!(["/at", "/title", "/note/at"])), relation(evidence)]),
                None,
                "{evidence}"
            );
        }
    }

    #[test]
    fn the_reset_changes_state_and_sends_what_its_operation_takes() {
        let reset = |key: &str, value: Value| (format!("/fixtureReset/{key}"), value);
        let missing = |interface: &str, name: &str| {
            format!("names operation \"{name}\", which no permitted interface \"{interface}\" declares (AD-10)")
        };
        let code = FailureCode::UnreachableCheckEvidence;
        let gone = missing("shelf", "gone");
        refused(legal, &[reset("operationId", json!("gone"))], code, "fixtureReset", &gone);
        // The operation of another interface is no operation of this one.
        refused(legal, &[reset("interfaceId", json!("tool"))], code, "fixtureReset", &missing("tool", "drop-all"));
        refused(
            legal,
            &[reset("operationId", json!("read"))],
            FailureCode::MalformedOperatorExpression,
            "fixtureReset",
            "names operation \"read\", which changes no state and so can reset no fixture (AD-10, AD-19)",
        );
        refused(
            legal,
            &[reset("operationId", json!("create"))],
            FailureCode::UndeclaredMandatoryInput,
            "fixtureReset.inputs",
            "fixture reset \"reset\" omits \"title\", which operation \"create\" requires on its body channel (AD-10, AD-19)",
        );
        assert_eq!(told(legal, &[("/fixtureReset".to_owned(), Value::Null)]), None);
    }

    #[test]
    fn of_the_corpora_one_contract_lacks_a_witness() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpora/evaluation");
        let Ok(files) = std::fs::read_dir(format!("{folder}/contracts")) else {
            println!("skipped: ../shared is not there");
            return;
        };
        let files =
            files.map(|file| file.unwrap().path()).chain([format!("{folder}/walkthrough/contract.json").into()]);
        let mut failures = Vec::new();
        // Row 4 comes before and refuses a contract whose operation takes nothing while its legs send something.
        for path in files.filter(|path| !path.ends_with("empty-request-shapes.json")) {
            let contract = crate::document::read::<EvalContract>(&std::fs::read(&path).unwrap()).unwrap().artifact;
            for check in [declared, leg_identifiers, legal] {
                failures.extend(check(&contract).err().map(|failure| (path.clone(), failure.to_string())));
            }
        }
        let [(path, failure)] = failures.as_slice() else { panic!("{failures:#?}") };
        assert!(path.ends_with("no-state-change-marker.json"), "{path:?}");
        assert_eq!(
            failure,
            "undeclared-mandatory-input in EvalContract.permittedInterfaces[0].operations[0]: operation \"create-thing\" declares \
             request keys but no sensitivity witness; only an operation declaring no keys in any channel is exempt (AD-10)"
        );
    }
}
