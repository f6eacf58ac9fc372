//! What each operator, connective and quantifier says. A node and the element that is bound come in; its resolution goes out.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use sdp_canon::{Digest, canonical, order};
use serde_json::{Map, Value};

use super::operand::Found;
use super::site::Site;
use super::{Budget, Evidence, Resolution, Resolved, accepts};
use crate::contract::{
    CountTolerance, CoversByKey, Expression, Order, Ordering, Quantifier, ReferenceSet, Regex, SetMembership,
    SetOperand, ShapeOf, TypeName,
};
use crate::fault::{RuntimeCode, RuntimeFault};
use crate::regex::Pattern;
use crate::walk::{OperandAt, operands};

/// A fault of an operator that cannot take what it meets.
pub(super) fn unacceptable(path: &Site<'_>, detail: &str) -> RuntimeFault {
    RuntimeFault::new(RuntimeCode::OperatorCannotAcceptOperand, path.to_string(), detail)
}

fn exhausted(path: &Site<'_>, detail: &str) -> RuntimeFault {
    RuntimeFault::new(RuntimeCode::BudgetExhausted, path.to_string(), detail)
}

/// What a node costs: what it says is kept, so that what the budget has room for has room in memory too.
const NODE: usize = 63;

/// What it costs to look up a key in so many objects.
const fn looked_up(objects: usize, key: &str) -> usize {
    objects.saturating_mul(key.len().saturating_add(1))
}

type Digests = Rc<HashSet<Digest>>;

/// One evaluation. What is kept is kept by address: everything is borrowed for as long as the evaluation lasts.
pub(super) struct Evaluation<'e, E> {
    pub(super) evidence: &'e E,
    regex_match_steps: u64,
    left: u64,
    patterns: HashMap<*const Regex, Pattern>,
    values: HashMap<*const Value, Digest>,
    collections: HashMap<*const Value, Digests>,
    sets: HashMap<*const ReferenceSet, Digests>,
    literals: HashMap<*const SetMembership, Digests>,
}

impl<'e, E: Evidence> Evaluation<'e, E> {
    pub(super) fn new(evidence: &'e E, budget: Budget) -> Self {
        Self {
            evidence,
            regex_match_steps: budget.regex_match_steps,
            left: budget.steps,
            patterns: HashMap::new(),
            values: HashMap::new(),
            collections: HashMap::new(),
            sets: HashMap::new(),
            literals: HashMap::new(),
        }
    }

    /// Takes work off the budget.
    pub(super) fn charge(&mut self, work: usize, path: &Site<'_>) -> Result<(), RuntimeFault> {
        let work = u64::try_from(work).unwrap_or(u64::MAX).saturating_add(1);
        match self.left.checked_sub(work) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(exhausted(path, "the evaluation takes more steps than its budget has")),
        }
    }

    /// The canonical digest of a value. One with structure is digested once.
    fn digest(&mut self, value: &'e Value, path: &Site<'_>) -> Result<Digest, RuntimeFault> {
        let address: *const Value = value;
        if let Some(digest) = self.values.get(&address) {
            return Ok(*digest);
        }
        let digest = self.made(value, path)?;
        if matches!(value, Value::Array(_) | Value::Object(_)) {
            self.values.insert(address, digest);
        }
        Ok(digest)
    }

    /// Makes a digest, which costs as much as the canonical text is long.
    fn made(&mut self, value: &Value, path: &Site<'_>) -> Result<Digest, RuntimeFault> {
        let text = canonical::write(value).map_err(|_| {
            RuntimeFault::new(
                RuntimeCode::NonCanonicalizableValue,
                path.to_string(),
                "a value of the evidence has no canonical form",
            )
        })?;
        self.charge(text.len(), path)?;
        Ok(Digest::of(text))
    }

    /// The digests of the elements of a collection, made once.
    fn elements(&mut self, collection: &'e Value, path: &Site<'_>) -> Result<Digests, RuntimeFault> {
        let address: *const Value = collection;
        if let Some(digests) = self.collections.get(&address) {
            return Ok(Rc::clone(digests));
        }
        let digests = collection
            .as_array()
            .into_iter()
            .flatten()
            .map(|element| self.made(element, path))
            .collect::<Result<HashSet<_>, _>>()?;
        let digests = Rc::new(digests);
        self.collections.insert(address, Rc::clone(&digests));
        Ok(digests)
    }

    /// The digests of the members of a set, made once.
    fn members(&mut self, set: &'e ReferenceSet, path: &Site<'_>) -> Result<Digests, RuntimeFault> {
        let address: *const ReferenceSet = set;
        if let Some(digests) = self.sets.get(&address) {
            return Ok(Rc::clone(digests));
        }
        let members = set.members.iter().map(|member| self.made(&Value::Object(member.clone()), path));
        let digests = Rc::new(members.collect::<Result<HashSet<_>, _>>()?);
        self.sets.insert(address, Rc::clone(&digests));
        Ok(digests)
    }

    /// What a node says.
    pub(super) fn node(
        &mut self,
        expression: &'e Expression,
        bound: Option<&'e Value>,
        path: &Site<'_>,
    ) -> Result<Resolved, RuntimeFault> {
        self.charge(NODE, path)?;
        match expression {
            Expression::Not(of) => {
                let [inner] = &of.operands;
                let inner = self.node(inner, bound, &path.part("operands[0]"))?;
                let resolution = match inner.resolution {
                    Resolution::True => Resolution::False,
                    Resolution::False => Resolution::True,
                    Resolution::InsufficientEvidence => Resolution::InsufficientEvidence,
                };
                Ok(Resolved { resolution, introduction_condition: None, children: vec![inner] })
            }
            Expression::All(of) | Expression::Any(of) => {
                let mut children = Vec::with_capacity(of.operands.len());
                for (index, inner) in of.operands.iter().enumerate() {
                    children.push(self.node(inner, bound, &path.operand(index))?);
                }
                Ok(if matches!(expression, Expression::All(_)) { every(children) } else { some(children) })
            }
            Expression::ForAll(of) => self.quantifier(of, expression, bound, path).map(|found| fold(found, every)),
            Expression::ForAny(of) => self.quantifier(of, expression, bound, path).map(|found| fold(found, some)),
            _ => self.operator(expression, bound, path),
        }
    }

    /// The resolutions of the elements; nothing where the collection is absent, none, or empty.
    fn quantifier(
        &mut self,
        of: &'e Quantifier,
        expression: &'e Expression,
        bound: Option<&'e Value>,
        path: &Site<'_>,
    ) -> Result<Option<Vec<Resolved>>, RuntimeFault> {
        if bound.is_some() {
            return Err(unacceptable(path, "a quantifier appears inside another quantifier's predicate"));
        }
        let site = path.part("collection");
        if !accepts(expression.relation(), 0, &of.collection) {
            return Err(unacceptable(&site, "a quantifier ranges over a pointer only"));
        }
        let Some(Value::Array(elements)) = self.operand(&of.collection, bound, &site)?.value() else {
            return Ok(None);
        };
        if elements.is_empty() {
            return Ok(None);
        }
        let site = path.part("predicate");
        elements
            .iter()
            .map(|element| self.node(&of.predicate, Some(element), &site))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// What an operator says: first of all that a collection it looks at is empty.
    fn operator(
        &mut self,
        expression: &'e Expression,
        bound: Option<&'e Value>,
        path: &Site<'_>,
    ) -> Result<Resolved, RuntimeFault> {
        let mut found = Vec::with_capacity(2);
        for (index, (position, operand)) in operands(expression).into_iter().enumerate() {
            if let OperandAt::Any(operand) = operand {
                let site = path.part(position);
                if !accepts(expression.relation(), index, operand) {
                    return Err(unacceptable(&site, "the operator takes no operand of this kind here"));
                }
                found.push(self.operand(operand, bound, &site)?);
            }
        }
        let intercepted = match expression {
            Expression::CoversByKey(_) => false,
            Expression::Existence(_) | Expression::Absence(_) | Expression::CountTolerance(_) => {
                found.iter().any(|found| found.is_missing_collection())
            }
            _ => found.iter().any(|found| found.is_empty() || found.is_missing_collection()),
        };
        if intercepted {
            return Ok(Resolved::empty_collection());
        }
        // The set of a membership is no operand like the others: it has to be looked up.
        if let Expression::SetMembership(of) = expression
            && self.choices(of, path)?.is_empty()
        {
            return Ok(Resolved::empty_collection());
        }
        self.holds(expression, &found, bound, path).map(Resolved::leaf)
    }

    /// Whether what an operator claims of its operands holds. A node that is no operator claims nothing.
    fn holds(
        &mut self,
        expression: &'e Expression,
        found: &[Found<'e>],
        bound: Option<&'e Value>,
        path: &Site<'_>,
    ) -> Result<bool, RuntimeFault> {
        let first = found.first().copied().unwrap_or(Found::Absent { collection: false });
        let second = found.get(1).copied().unwrap_or(Found::Absent { collection: false });
        Ok(match expression {
            Expression::Existence(_) => first.value().is_some(),
            Expression::Absence(_) => first.value().is_none(),
            Expression::Equality(_) => self.equal(first, second, path)?,
            Expression::DeepEquality(_) => match (first.value(), second.value()) {
                (Some(first), Some(second)) => self.digest(first, path)? == self.digest(second, path)?,
                _ => false,
            },
            Expression::Containment(_) => self.containment(first, second, path)?,
            Expression::SetMembership(of) => {
                let (value, set) = (first.value(), self.choices(of, path)?);
                match value {
                    Some(value) => set.contains(&self.digest(value, path)?),
                    None => false,
                }
            }
            Expression::Regex(of) => self.matches(of, first, path)?,
            Expression::Ordering(of) => match first.value() {
                Some(Value::Array(elements)) => {
                    self.charge(looked_up(elements.len(), of.key.as_str()), path)?;
                    self.ordered(of, elements, path)?
                }
                _ => false,
            },
            Expression::CountTolerance(of) => {
                first.value().and_then(Value::as_array).is_some_and(|elements| counted(of, elements.len()))
            }
            Expression::Shape(of) => match first.value() {
                Some(Value::Object(members)) => {
                    let descriptor = &of.descriptor;
                    let declared =
                        descriptor.required_keys.iter().chain(&*descriptor.permitted_keys).map(|key| key.as_str());
                    let keys = declared.chain(members.keys().map(String::as_str));
                    self.charge(keys.fold(0usize, |sum, key| sum.saturating_add(key.len().saturating_add(1))), path)?;
                    shaped(of, members)
                }
                _ => false,
            },
            Expression::CoversByKey(of) => {
                if bound.is_some() {
                    return Err(unacceptable(path, "covers-by-key appears inside a quantifier's predicate"));
                }
                self.covers(of, first, second, path)?
            }
            Expression::Not(_)
            | Expression::All(_)
            | Expression::Any(_)
            | Expression::ForAll(_)
            | Expression::ForAny(_) => false,
        })
    }

    /// Whether two values are of one kind and equal.
    fn equal(&mut self, first: Found<'e>, second: Found<'e>, path: &Site<'_>) -> Result<bool, RuntimeFault> {
        let (Some(first), Some(second)) = (first.value(), second.value()) else { return Ok(false) };
        Ok(match (first, second) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(first), Value::Bool(second)) => first == second,
            (Value::Number(first), Value::Number(second)) => first.as_f64() == second.as_f64(),
            (Value::String(first), Value::String(second)) => {
                self.charge(first.len().min(second.len()), path)?;
                first == second
            }
            (Value::Array(_), Value::Array(_)) | (Value::Object(_), Value::Object(_)) => {
                self.digest(first, path)? == self.digest(second, path)?
            }
            _ => false,
        })
    }

    fn containment(
        &mut self,
        container: Found<'e>,
        candidate: Found<'e>,
        path: &Site<'_>,
    ) -> Result<bool, RuntimeFault> {
        let Some(container) = container.value() else { return Ok(false) };
        match (container, candidate) {
            (Value::Array(_), Found::Set(set)) => {
                let (container, members) = (self.elements(container, path)?, self.members(set, path)?);
                self.charge(members.len(), path)?;
                Ok(members.is_subset(&container))
            }
            (Value::Array(_), Found::Value(candidate @ Value::Array(_))) => {
                let (container, members) = (self.elements(container, path)?, self.elements(candidate, path)?);
                self.charge(members.len(), path)?;
                Ok(members.is_subset(&container))
            }
            (Value::Array(_), Found::Value(candidate)) => {
                let container = self.elements(container, path)?;
                Ok(container.contains(&self.digest(candidate, path)?))
            }
            (Value::String(container), Found::Value(Value::String(candidate))) => {
                self.charge(container.len().saturating_add(candidate.len()), path)?;
                Ok(container.contains(candidate.as_str()))
            }
            _ => Ok(false),
        }
    }

    /// The digests of what a value may be: the literals, or the values of the one key of a declared set.
    fn choices(&mut self, of: &'e SetMembership, path: &Site<'_>) -> Result<Digests, RuntimeFault> {
        let address: *const SetMembership = of;
        if let Some(digests) = self.literals.get(&address) {
            return Ok(Rc::clone(digests));
        }
        let digests: Result<HashSet<_>, _> = match &of.operands.1 {
            SetOperand::Literal(values) => values.iter().map(|value| self.made(value, path)).collect(),
            SetOperand::ReferenceSet(id) => {
                let site = path.part("operands[1]");
                let set = self.set(id, &site)?;
                let [key] = &*set.keys else {
                    return Err(unacceptable(&site, "the reference set has not exactly one key"));
                };
                let value = |member: &'e Map<String, Value>| {
                    member
                        .get(key.as_str())
                        .ok_or_else(|| unacceptable(&site, "a member of the reference set lacks its key"))
                };
                set.members.iter().map(|member| self.made(value(member)?, path)).collect()
            }
        };
        let digests = Rc::new(digests?);
        self.literals.insert(address, Rc::clone(&digests));
        Ok(digests)
    }

    fn matches(&mut self, of: &'e Regex, subject: Found<'e>, path: &Site<'_>) -> Result<bool, RuntimeFault> {
        let Some(Value::String(subject)) = subject.value() else { return Ok(false) };
        self.charge(subject.len(), path)?;
        let site = path.part("pattern");
        let pattern = match self.patterns.entry(of) {
            Entry::Occupied(kept) => kept.into_mut(),
            Entry::Vacant(free) => {
                let read = Pattern::new(of.pattern.as_str());
                free.insert(read.map_err(|fault| unacceptable(&site, &format!("the pattern {fault}")))?)
            }
        };
        if pattern.nested_quantifier() {
            return Err(exhausted(&site, "the pattern repeats a group that itself repeats"));
        }
        let length = u64::try_from(subject.encode_utf16().count()).unwrap_or(u64::MAX);
        let markers = u64::try_from(pattern.quantifier_markers()).unwrap_or(u64::MAX);
        if markers.saturating_add(1).saturating_mul(length) > self.regex_match_steps {
            return Err(exhausted(&site, "the pattern over a text of this length passes the budget of one match"));
        }
        let most = Pattern::STEPS.min(self.left);
        let (holds, steps) = pattern.measured(subject, most).map_err(|fault| exhausted(&site, &fault.to_string()))?;
        self.charge(usize::try_from(steps).unwrap_or(usize::MAX), &site)?;
        Ok(holds)
    }

    fn ordered(&mut self, of: &Ordering, elements: &[Value], path: &Site<'_>) -> Result<bool, RuntimeFault> {
        for pair in elements.windows(2) {
            let [first, second] = pair else { continue };
            let key = of.key.as_str();
            let ordering = match (own(first, key), own(second, key)) {
                (Some(Value::Number(first)), Some(Value::Number(second))) => {
                    first.as_f64().and_then(|first| first.partial_cmp(&second.as_f64()?))
                }
                (Some(Value::String(first)), Some(Value::String(second))) => {
                    self.charge(first.len().min(second.len()), path)?;
                    Some(order::by_code_units(first, second))
                }
                _ => None,
            };
            let fine = ordering.is_some_and(|ordering| match of.order {
                Order::Ascending => ordering.is_le(),
                Order::Descending => ordering.is_ge(),
            });
            if !fine {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the actual elements and the expected members match one to one by their keys.
    fn covers(
        &mut self,
        of: &CoversByKey,
        expected: Found<'e>,
        actual: Found<'e>,
        path: &Site<'_>,
    ) -> Result<bool, RuntimeFault> {
        let (Found::Set(expected), Some(Value::Array(actual))) = (expected, actual.value()) else { return Ok(false) };
        let own_keys = looked_up(expected.members.len(), of.expected_key.as_str());
        self.charge(own_keys.saturating_add(looked_up(actual.len(), of.actual_key.as_str())), path)?;
        let mut open = HashSet::with_capacity(expected.members.len());
        for member in &expected.members {
            let Some(value) = member.get(of.expected_key.as_str()) else {
                return Err(unacceptable(path, "a member of the reference set lacks the expected key"));
            };
            if !open.insert(self.digest(value, path)?) {
                return Err(unacceptable(path, "two members of the reference set have one value of the expected key"));
            }
        }
        if open.len() != actual.len() {
            return Ok(false);
        }
        for element in actual {
            let Some(value) = own(element, of.actual_key.as_str()) else { return Ok(false) };
            if !open.remove(&self.digest(value, path)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The member of an object.
fn own<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    value.as_object()?.get(key)
}

fn counted(of: &CountTolerance, length: usize) -> bool {
    let wide = |count: i64| u128::try_from(count).unwrap_or(0);
    let (expected, tolerance) = (wide(of.expected.get()), wide(of.tolerance.get()));
    let off = u128::try_from(length).unwrap_or(u128::MAX).abs_diff(expected);
    if of.relative { off.saturating_mul(100) <= expected.saturating_mul(tolerance) } else { off <= tolerance }
}

fn shaped(of: &ShapeOf, members: &Map<String, Value>) -> bool {
    let descriptor = &of.descriptor;
    let permitted: HashSet<&str> = descriptor.permitted_keys.iter().map(|key| key.as_str()).collect();
    descriptor.required_keys.iter().all(|key| members.contains_key(key.as_str()))
        && members.iter().all(|(key, value)| {
            permitted.contains(key.as_str())
                && descriptor.types.get(key.as_str()).copied().flatten().is_none_or(|name| name == TypeName::of(value))
        })
}

/// A false part is decisive; else a part without evidence is.
fn every(children: Vec<Resolved>) -> Resolved {
    folded(children, [Resolution::False, Resolution::InsufficientEvidence, Resolution::True])
}

/// A part without evidence is decisive: no true part rescues what was not examined.
fn some(children: Vec<Resolved>) -> Resolved {
    folded(children, [Resolution::InsufficientEvidence, Resolution::True, Resolution::False])
}

/// The first of three resolutions that a part has; the last one where none has an earlier one.
fn folded(children: Vec<Resolved>, [first, second, last]: [Resolution; 3]) -> Resolved {
    let has = |wanted: Resolution| children.iter().any(|child| child.resolution == wanted);
    let resolution = if has(first) {
        first
    } else if has(second) {
        second
    } else {
        last
    };
    Resolved { resolution, introduction_condition: None, children }
}

fn fold(found: Option<Vec<Resolved>>, by: fn(Vec<Resolved>) -> Resolved) -> Resolved {
    found.map_or_else(Resolved::empty_collection, by)
}
