//! Sensitivity witnesses and the reset of the fixture: rows 14, 31 and 32 (evaluation sheet, part 3.3). A contract comes in;
//! nothing, or the first operation whose witness shows nothing, goes out.
//!
//! A witness is two calls of one operation that differ on one channel, and a relation between their answers. Its legs share the
//! names of the plan's steps, so that pointers can be rooted in them.

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

/// Row 31: the name of a leg is the name of nothing else. Of each witness it is judged first whether its own legs can be told apart.
pub(crate) fn leg_identifiers(contract: &EvalContract) -> Checked {
    let steps: HashSet<&str> = contract.interaction_plan.iter().map(|step| step.step_id.as_str()).collect();
    let mut claimed: HashSet<&str> = HashSet::new();
    for (path, operation) in operations(contract) {
        let Some(witness) = operation.witness() else { continue };
        let site = |index: usize| format!("{path}.sensitivityWitness.legs[{index}].legId");
        let [first, second] = &witness.legs;
        if first.leg_id == second.leg_id {
            let detail = "names both legs of this witness, so a pointer could not tell them apart (AD-10, AD-26)";
            return Err(malformed(site(1), format!("leg id \"{}\" {detail}", second.leg_id)));
        }
        for (index, leg) in witness.legs.iter().enumerate() {
            claim(leg.leg_id.as_str(), &steps, &mut claimed).map_err(|detail| malformed(site(index), detail))?;
        }
    }
    contract.fixture_reset.as_ref().map_or(Ok(()), |reset| {
        claim(reset.leg_id.as_str(), &steps, &mut claimed).map_err(|detail| malformed(format!("{RESET}.legId"), detail))
    })
}

/// Claims the name of a leg; what is wrong where it is a step's, or another leg's.
fn claim<'c>(leg: &'c str, steps: &HashSet<&str>, claimed: &mut HashSet<&'c str>) -> Result<(), String> {
    let detail = if steps.contains(leg) {
        "collides with an interaction-plan step id; the two share one pointer namespace (AD-10, AD-26)"
    } else if claimed.insert(leg) {
        return Ok(());
    } else {
        "is already claimed by another leg; every leg id is unique across the contract (AD-10, AD-26)"
    };
    Err(format!("leg id \"{leg}\" {detail}"))
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
            if let OperandAt::Any(Operand::Pointer(OperandPointer::Interaction(pointer))) = operand {
                pointers.push(pointer);
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
    let volatile = Volatile::of(operation);
    for pointer in pointers {
        let target = pointer.target();
        if !carried(operation, &target.channel) {
            return Err(unreachable(format!(
                "\"{pointer}\" addresses the {} channel, which no leg of operation \"{}\" carries (AD-10, AD-26)",
                target.channel.name(),
                operation.operation_id()
            )));
        }
        crate::reach::reach_on(operation, target).map_err(|reason| unreachable(format!("\"{pointer}\" {reason}")))?;
        if operation.describes(&target.channel) && volatile.covers(target) {
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
fn carried(operation: Operation<'_>, channel: &Channel) -> bool {
    operation.describes(channel)
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
mod tests;
