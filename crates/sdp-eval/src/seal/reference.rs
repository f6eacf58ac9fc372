//! Evidence in words (evaluation sheet, part 4.2). The evidence targets of a direction come in; a phrase that names each by
//! what was called and with what, and never by a step, goes out. The calls of one operation are told apart by saying more of
//! what they were sent, in three levels; where even the last does not, the direction is refused.
//!
//! Every phrase is bounded, since a captured value tells the call that it came from, which may tell others: the text is written
//! up to a budget and no further, so the work is that of what is kept.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use sdp_canon::order::by_code_units;
use serde_json::Value;

use crate::contract::{
    BindingValue, Channel, Direction, InputChannel, InteractionPointer, Matcher, Operation, OracleId, Step, Target,
};
use crate::fault::{FailureCode, StructuralFailure};
use crate::plan::Plan;
use crate::reach::resolve;

/// How many characters (UTF-16 code units) one call may take to name: at first, and once more where that was too few.
const BUDGETS: [usize; 2] = [100_000, 4_000_000];

/// How many characters all names of calls of one contract may take.
const MOST_OF_ALL: usize = 64 << 20;

/// How many calls deep a captured value is told.
const MOST_DEEP: usize = 64;

/// Why the evidence of a direction cannot be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Untold {
    /// There is none.
    Nothing,
    /// A pointer leads to no call.
    Unresolved(String),
    /// Two calls of the operation read the same at every level.
    Irreducible(String),
    /// A call of the operation takes too many characters.
    TooLong(String),
}

impl Untold {
    /// The failure of an oracle's direction.
    pub(super) fn of(self, oracle: &OracleId) -> StructuralFailure {
        let (code, detail) = match self {
            Self::Nothing => (
                FailureCode::OracleMissingChannel,
                "names no evidence target, so its direction would direct to nothing (AD-3)".to_owned(),
            ),
            Self::Unresolved(detail) => (FailureCode::UnreachableCheckEvidence, detail),
            Self::Irreducible(operation) => (
                FailureCode::IrreducibleStepReference,
                format!(
                    "two or more steps invoking operation \"{operation}\" that one direction references render to the same derived \
                     reference even fully escalated; the declared structure does not distinguish them (AD-16, AD-3)"
                ),
            ),
            Self::TooLong(operation) => (
                FailureCode::IrreducibleStepReference,
                format!(
                    "the derived reference of a step invoking operation \"{operation}\" does not fit its budget of {} characters, so \
                     the declared structure does not distinguish the step in words (AD-16, AD-3)",
                    BUDGETS[1]
                ),
            ),
        };
        StructuralFailure::new(code, format!("EvalContract.oracles[id={oracle}].direction.evidenceTargets"), detail)
    }
}

/// How much is said of what a call was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Level {
    /// Which parameters.
    Generic,
    /// And whether they were stated, captured or an account.
    Kind,
    /// And the stated values, and where captured ones came from.
    Literal,
}

impl Level {
    const ALL: [Self; 3] = [Self::Generic, Self::Kind, Self::Literal];
}

/// A step that a direction names, and what it names of it.
struct Named<'c> {
    step: &'c Step,
    targets: Vec<&'c Target>,
    phrase: Rc<str>,
}

/// The names of the calls of a contract. Each is written once per level; equal ones are one.
pub(super) struct References<'p, 'c> {
    plan: &'p Plan<'c>,
    names: HashMap<(&'c str, Level), Rc<str>>,
    texts: HashSet<Rc<str>>,
    left: usize,
}

impl<'p, 'c> References<'p, 'c> {
    pub(super) fn of(plan: &'p Plan<'c>) -> Self {
        Self { plan, names: HashMap::new(), texts: HashSet::new(), left: MOST_OF_ALL }
    }

    /// Whether the evidence of a direction can be told.
    pub(super) fn check(&mut self, direction: &'c Direction) -> Result<(), Untold> {
        self.named(direction).map(|_| ())
    }

    /// The evidence of a direction in words.
    pub(super) fn evidence(&mut self, direction: &'c Direction) -> Result<String, Untold> {
        let named = self.named(direction)?;
        let index: HashMap<&str, usize> =
            named.iter().enumerate().map(|(at, one)| (one.step.step_id.as_str(), at)).collect();
        // Which other step each is compared with. The steps are sorted, so of several that follow one step the first takes it.
        let mut partner: Vec<Option<usize>> = vec![None; named.len()];
        for (at, one) in named.iter().enumerate() {
            let before = one.step.after.as_ref().and_then(|after| index.get(after.as_str()).copied());
            let Some(before) = before.filter(|before| *before != at) else { continue };
            let free = |at: usize| {
                named.get(at).is_some_and(|one| one.targets.len() == 1) && partner.get(at).is_some_and(Option::is_none)
            };
            if free(at) && free(before) {
                for (of, with) in [(at, before), (before, at)] {
                    if let Some(slot) = partner.get_mut(of) {
                        *slot = Some(with);
                    }
                }
            }
        }
        let mut phrases = Vec::with_capacity(named.len());
        for ((at, one), partner) in named.iter().enumerate().zip(&partner) {
            match partner.map(|other| (other, named.get(other))) {
                Some((other, Some(second))) if at < other => phrases.push(compared(one, second)),
                Some((_, Some(_))) => {}
                _ => phrases.push(one.phrase()),
            }
        }
        phrases.sort_by(|left, right| by_code_units(left, right));
        Ok(listed(&phrases))
    }

    /// The steps that a direction names, sorted, with names that tell those of one operation apart.
    fn named(&mut self, direction: &'c Direction) -> Result<Vec<Named<'c>>, Untold> {
        let mut seen = HashSet::new();
        let mut steps: BTreeMap<&str, (&'c Step, Vec<&'c Target>)> = BTreeMap::new();
        for pointer in &direction.evidence_targets {
            if seen.insert(pointer.as_str()) {
                let step = self.step(pointer)?;
                steps.entry(step.step_id.as_str()).or_insert((step, Vec::new())).1.push(pointer.target());
            }
        }
        if steps.is_empty() {
            return Err(Untold::Nothing);
        }
        // Operations of one name on two interfaces read the same, so their steps have to be told apart too.
        let mut siblings: BTreeMap<(&str, &str), Vec<&'c Step>> = BTreeMap::new();
        for (step, _) in steps.values() {
            siblings.entry((step.operation_id.as_str(), self.noun(step))).or_default().push(step);
        }
        let mut names: HashMap<&str, Rc<str>> = HashMap::with_capacity(steps.len());
        for siblings in siblings.values() {
            for (step, name) in siblings.iter().zip(self.distinct(siblings)?) {
                names.insert(step.step_id.as_str(), name);
            }
        }
        let named = steps.into_iter().filter_map(|(id, (step, targets))| {
            let phrase = names.remove(id)?;
            Some(Named { step, targets, phrase })
        });
        Ok(named.collect())
    }

    /// The step that a pointer is rooted in.
    fn step(&self, pointer: &InteractionPointer) -> Result<&'c Step, Untold> {
        match resolve(self.plan, pointer) {
            Ok((planned, _)) => Ok(planned.step),
            Err(reason) => Err(Untold::Unresolved(format!("\"{pointer}\" {reason}"))),
        }
    }

    /// Names of the steps at the first level at which no two are equal.
    fn distinct(&mut self, siblings: &[&'c Step]) -> Result<Vec<Rc<str>>, Untold> {
        for level in Level::ALL {
            let names = siblings.iter().map(|step| self.name(step, level)).collect::<Result<Vec<_>, _>>()?;
            let different: HashSet<*const u8> = names.iter().map(|name| name.as_ptr()).collect();
            if different.len() == siblings.len() {
                return Ok(names);
            }
        }
        Err(Untold::Irreducible(siblings.first().map(|step| step.operation_id.to_string()).unwrap_or_default()))
    }

    /// The name of one step. Equal names are one allocation.
    fn name(&mut self, step: &'c Step, level: Level) -> Result<Rc<str>, Untold> {
        let key = (step.step_id.as_str(), level);
        if let Some(name) = self.names.get(&key) {
            return Ok(Rc::clone(name));
        }
        for budget in BUDGETS {
            let allowed = budget.min(self.left);
            let mut out = Out { text: String::new(), left: allowed, looks: budget };
            if self.write_step(&mut out, step, level, &mut Vec::new()).is_err() {
                continue;
            }
            self.left -= allowed - out.left;
            let name = match self.texts.get(out.text.as_str()) {
                Some(name) => Rc::clone(name),
                None => {
                    let name: Rc<str> = out.text.into();
                    self.texts.insert(Rc::clone(&name));
                    name
                }
            };
            self.names.insert(key, Rc::clone(&name));
            return Ok(name);
        }
        Err(Untold::TooLong(step.operation_id.to_string()))
    }

    /// What a call of the step's operation is called.
    fn noun(&self, step: &Step) -> &'static str {
        match self.plan.operation_of(step) {
            Some(Operation::Cli(_)) => "command",
            _ => "endpoint",
        }
    }

    /// Writes `the read note endpoint (with …)`.
    fn write_step(&self, out: &mut Out, step: &'c Step, level: Level, above: &mut Vec<&'c str>) -> Result<(), Full> {
        if above.len() >= MOST_DEEP {
            return Err(Full);
        }
        above.push(step.step_id.as_str());
        out.push("the ")?;
        out.push(&step.operation_id.as_str().replace('-', " "))?;
        out.push(" ")?;
        out.push(self.noun(step))?;
        let sent = self.sent(out, step, level, above)?;
        if !sent.is_empty() {
            out.push(" (with ")?;
            for (at, part) in sent.iter().enumerate() {
                out.push(separator(at, sent.len()))?;
                self.write_part(out, part, level, above)?;
            }
            out.push(")")?;
        }
        above.pop();
        Ok(())
    }

    /// What a call was sent, as far as the level says it; only what is malformed, where something is.
    fn sent(&self, out: &mut Out, step: &'c Step, level: Level, above: &[&'c str]) -> Result<Vec<Part<'c>>, Full> {
        let channels = step.input_binding.channels();
        let bound: Vec<_> = channels
            .iter()
            .flat_map(|(channel, bindings)| {
                bindings.sorted().into_iter().map(move |(key, value)| (channel, key, value))
            })
            .collect();
        out.look(bound.len())?;
        let malformed: Vec<Part<'c>> = bound
            .iter()
            .filter(|(_, _, value)| matches!(value, BindingValue::Matcher(Matcher::TypeViolating)))
            .map(|(channel, key, _)| Part::Text(format!("a malformed {channel} {key} value")))
            .collect();
        if !malformed.is_empty() {
            return Ok(malformed);
        }
        let mut parts: Vec<Part<'c>> = Vec::new();
        let mut from: HashMap<&str, usize> = HashMap::new();
        for (channel, key, value) in bound {
            let label = format!("{channel} {key}");
            let part = match (value, level) {
                (_, Level::Generic) | (BindingValue::Matcher(_), _) => Part::Text(format!("the supplied {label}")),
                (BindingValue::Literal(_), Level::Kind) => Part::Text(format!("the stated {label}")),
                (BindingValue::Literal(value), Level::Literal) => Part::Value(label, Cow::Borrowed(value)),
                (BindingValue::Principal(name), _) => Part::Text(format!("the {label} of the {name} account")),
                (BindingValue::Captured(pointer), _) => {
                    let target = pointer.target();
                    let source = self.plan.step(target.step.as_str());
                    let source = source.filter(|of| level == Level::Literal && !above.contains(&of.step_id.as_str()));
                    match source {
                        None => Part::Text(format!("the {label} you obtained earlier")),
                        Some(source) => {
                            let at = *from.entry(source.step_id.as_str()).or_insert(parts.len());
                            if let Some(Part::From { labels, targets, .. }) = parts.get_mut(at) {
                                labels.push(label);
                                targets.push(target);
                                continue;
                            }
                            Part::From { source, labels: vec![label], targets: vec![target] }
                        }
                    }
                }
            };
            parts.push(part);
        }
        if let Some(raw) = step.input_binding.raw_body() {
            let label = InputChannel::Body.to_string();
            parts.push(match level {
                Level::Generic => Part::Text(format!("the supplied {label}")),
                Level::Kind => Part::Text(format!("the stated {label}")),
                Level::Literal => Part::Value(label, Cow::Owned(serde_json::to_value(raw).unwrap_or_default())),
            });
        }
        Ok(parts)
    }

    fn write_part(&self, out: &mut Out, part: &Part<'c>, level: Level, above: &mut Vec<&'c str>) -> Result<(), Full> {
        match part {
            Part::Text(text) => out.push(text),
            Part::Value(label, value) => {
                out.push("the ")?;
                out.push(label)?;
                out.push(" ")?;
                out.push(&sdp_canon::canonical::write(value).map_err(|_| Full)?)
            }
            Part::From { source, labels, targets } => {
                for (at, label) in labels.iter().enumerate() {
                    out.push(separator(at, labels.len()))?;
                    out.push("the ")?;
                    out.push(label)?;
                }
                out.push(" you obtained as ")?;
                for (at, target) in targets.iter().enumerate() {
                    out.push(separator(at, targets.len()))?;
                    out.push(&local(target))?;
                }
                out.push(" from ")?;
                self.write_step(out, source, level, above)
            }
        }
    }
}

/// One thing that a call was sent.
enum Part<'c> {
    /// Told in these words.
    Text(String),
    /// Told with its value.
    Value(String, Cow<'c, Value>),
    /// Told with the call that it came from: all that came from one call together.
    From { source: &'c Step, labels: Vec<String>, targets: Vec<&'c Target> },
}

/// A text that grows up to its budget. As many bindings as characters may be looked at for it.
struct Out {
    text: String,
    left: usize,
    looks: usize,
}

/// The budget is used up.
struct Full;

impl Out {
    const fn look(&mut self, bindings: usize) -> Result<(), Full> {
        match self.looks.checked_sub(bindings) {
            Some(looks) => {
                self.looks = looks;
                Ok(())
            }
            None => Err(Full),
        }
    }

    fn push(&mut self, part: &str) -> Result<(), Full> {
        let units = if part.is_ascii() { part.len() } else { part.encode_utf16().count() };
        self.left = self.left.checked_sub(units).ok_or(Full)?;
        self.text.push_str(part);
        Ok(())
    }
}

impl Named<'_> {
    /// One target with its step, or the step with all its targets.
    fn phrase(&self) -> String {
        if let [target] = self.targets.as_slice() {
            let joint = if matches!(target.channel, Channel::CallInputs(_)) { "to" } else { "from" };
            return format!("{} {joint} {}", local(target), self.phrase);
        }
        let mut locals: Vec<String> = self.targets.iter().map(|target| local(target)).collect();
        locals.sort_by(|left, right| by_code_units(left, right));
        format!("{}: {}", self.phrase, listed(&locals))
    }

    /// What it is compared by: a sent value first, then the channel.
    fn signature(&self) -> Option<(bool, &'static str, &str)> {
        let [target] = self.targets.as_slice() else { return None };
        let inner = match &target.channel {
            Channel::CallInputs(channel) => channel.as_str(),
            Channel::Artifact(artifact) => artifact.as_str(),
            _ => "",
        };
        Some((!matches!(target.channel, Channel::CallInputs(_)), target.channel.name(), inner))
    }
}

/// Two steps of which one follows the other.
fn compared(one: &Named<'_>, other: &Named<'_>) -> String {
    let order = one.signature().cmp(&other.signature()).then_with(|| by_code_units(&one.phrase, &other.phrase));
    let (first, second) = if order.is_le() { (one, other) } else { (other, one) };
    format!("{}, compared with {}", first.phrase(), second.phrase())
}

/// What a target is, seen from its step.
fn local(target: &Target) -> String {
    let tokens: Vec<&str> = target.tail.iter().map(String::as_str).filter(|token| !token.is_empty()).collect();
    let field = tokens.join(".");
    match &target.channel {
        Channel::ResponseStatus => "its transport status".to_owned(),
        Channel::ExitCode => "its exit code".to_owned(),
        Channel::CallInputs(channel) if field.is_empty() => format!("the {channel} you sent"),
        Channel::CallInputs(channel) => format!("the {channel} {field} value you sent"),
        Channel::ResponseBody if field.is_empty() => "the response body you obtained".to_owned(),
        Channel::ResponseBody => format!("its {field} field"),
        Channel::ResponseHeaders if field.is_empty() => "the response headers you obtained".to_owned(),
        Channel::ResponseHeaders => format!("its {field} header"),
        Channel::Stdout if field.is_empty() => "the standard output you obtained".to_owned(),
        Channel::Stdout => format!("the {field} field of its standard output"),
        Channel::Stderr if field.is_empty() => "the standard error you obtained".to_owned(),
        Channel::Stderr => format!("the {field} field of its standard error"),
        Channel::Artifact(artifact) if field.is_empty() => format!("the {artifact} it wrote"),
        Channel::Artifact(artifact) => format!("the {field} field of the {artifact} it wrote"),
    }
}

/// What stands before the part at `index` of a list of `count`.
const fn separator(index: usize, count: usize) -> &'static str {
    match (index, count) {
        (0, _) => "",
        (1, 2) => " and ",
        _ if index + 1 == count => ", and ",
        _ => ", ",
    }
}

/// Parts as a list in words.
fn listed(parts: &[String]) -> String {
    let mut text = String::new();
    for (at, part) in parts.iter().enumerate() {
        text.push_str(separator(at, parts.len()));
        text.push_str(part);
    }
    text
}

#[cfg(test)]
mod tests;
