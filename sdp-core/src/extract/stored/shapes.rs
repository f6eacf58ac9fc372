//! The stored forms of the graph's types and of findings: field by field, in the order given here. A type that gains a field or a case does
//! not compile until it has a place here.

use std::sync::Arc;

use serde_json::Number;

use super::NotStored;
use super::form::{Input, Stored, store_length, store_text};
use crate::contract::{Contract, ContractLink};
use crate::derive::Spot;
use crate::finding::{Finding, FindingId, Severity};
use crate::graph::{AnchorNode, Claim, CodeNode, DeliveryFact, Edge, LocationRow, Node, NodeType, PackNode, SpecNode};
use crate::model::{
    Altitude, Behavior, Constraint, Decision, EdgeType, Example, Intent, MAX_OPEN_DEPTH, ModelSection, OpenBag,
    OpenValue, Question, Readiness, Rule, Sections, SpecKind, Steps, SymbolMatch, Verification, VerificationMode,
};

macro_rules! fields {
    ($($name:ident { $($field:ident),* $(,)? })*) => {$(
        impl Stored for $name {
            fn store(&self, bytes: &mut Vec<u8>) {
                let $name { $($field),* } = self;
                $($field.store(bytes);)*
            }

            fn load(input: &mut Input<'_>) -> Result<Self, NotStored> {
                $(let $field = Stored::load(input)?;)*
                Ok($name { $($field),* })
            }
        }
    )*};
}

macro_rules! words {
    ($($name:ident)*) => {$(
        impl Stored for $name {
            fn store(&self, bytes: &mut Vec<u8>) {
                store_length($name::ALL.iter().position(|word| word == self).unwrap_or(usize::MAX), bytes);
            }

            fn load(input: &mut Input<'_>) -> Result<Self, NotStored> {
                let position = usize::try_from(u64::load(input)?).map_err(|_| NotStored)?;
                $name::ALL.get(position).copied().ok_or(NotStored)
            }
        }
    )*};
}

macro_rules! choices {
    ($($name:ident { $($variant:ident = $position:literal),* $(,)? } of $count:literal)*) => {$(
        impl Stored for $name {
            fn store(&self, bytes: &mut Vec<u8>) {
                bytes.push(match self { $($name::$variant => $position,)* });
            }

            fn load(input: &mut Input<'_>) -> Result<Self, NotStored> {
                match input.choice($count)? {
                    $($position => Ok($name::$variant),)*
                    _ => Err(NotStored),
                }
            }
        }
    )*};
}

words! { SpecKind Altitude Readiness EdgeType VerificationMode FindingId }

choices! {
    NodeType { Primitive = 0, Pack = 1, Anchor = 2, CodeNode = 3 } of 4
    Claim { Declared = 0, Anchored = 1 } of 2
    DeliveryFact { Implemented = 0, HasVerifier = 1 } of 2
    SymbolMatch { Exact = 0, Prefix = 1 } of 2
    Severity { Error = 0, Warning = 1 } of 2
}

fields! {
    Finding { id, severity, message, subject, related, path, edge_type, file, line, column, help }
    SpecNode { id, node_type, claim, spec_kind, altitude, readiness, title, narrative, file, sections, delivery_facts }
    PackNode { id, node_type, claim, title, framing, file, members, model_refs }
    AnchorNode { id, node_type, claim, label, file, line, symbol, symbol_match }
    CodeNode { id, node_type, claim, label, file, line, role, layer, context }
    Edge { from, edge_type, to, claim }
    LocationRow { spec, file, entry, key, line }
    Spot { line, targets }
    Contract { file, links, faults }
    ContractLink { behavior, id, line }
    Sections { intent, behavior, constraints, model, design, decision, verification, ui }
    Intent { description, actor, problem, outcome, value, risks, assumptions, open_questions }
    Question { question, blocking, key }
    Behavior { description, rules, examples, flows, example_space }
    Rule { text, key }
    Steps { given, when, then }
    Constraint { flavor, statement, target, measurable_by }
    ModelSection { description, terms }
    Decision { description, context, decision, rationale, alternatives, consequences }
    Verification { description, mode, criteria }
}

impl Stored for Node {
    fn store(&self, bytes: &mut Vec<u8>) {
        match self {
            Node::Spec(node) => {
                bytes.push(0);
                node.store(bytes);
            }
            Node::Pack(node) => {
                bytes.push(1);
                node.store(bytes);
            }
            Node::Anchor(node) => {
                bytes.push(2);
                node.store(bytes);
            }
            Node::Code(node) => {
                bytes.push(3);
                node.store(bytes);
            }
        }
    }

    fn load(input: &mut Input<'_>) -> Result<Self, NotStored> {
        match input.choice(4)? {
            0 => SpecNode::load(input).map(|node| Node::Spec(Arc::new(node))),
            1 => Stored::load(input).map(Node::Pack),
            2 => Stored::load(input).map(Node::Anchor),
            _ => Stored::load(input).map(Node::Code),
        }
    }
}

impl Stored for Example {
    fn store(&self, bytes: &mut Vec<u8>) {
        match self {
            Example::Prose(text) => {
                bytes.push(0);
                text.store(bytes);
            }
            Example::Structured(steps) => {
                bytes.push(1);
                steps.store(bytes);
            }
        }
    }

    fn load(input: &mut Input<'_>) -> Result<Self, NotStored> {
        match input.choice(2)? {
            0 => Stored::load(input).map(Example::Prose),
            _ => Stored::load(input).map(Example::Structured),
        }
    }
}

impl Stored for OpenBag {
    fn store(&self, bytes: &mut Vec<u8>) {
        let OpenBag { description, entries } = self;
        description.store(bytes);
        store_length(entries.len(), bytes);
        for (key, value) in entries {
            store_text(key, bytes);
            store_value(value, bytes);
        }
    }

    fn load(input: &mut Input<'_>) -> Result<Self, NotStored> {
        let description = Stored::load(input)?;
        let entries = input.list(|input| Ok((Stored::load(input)?, load_value(input, 1)?)))?;
        Ok(OpenBag { description, entries })
    }
}

fn store_value(value: &OpenValue, bytes: &mut Vec<u8>) {
    // The depth is bounded where values are made.
    match value {
        OpenValue::Text(text) => {
            bytes.push(0);
            text.store(bytes);
        }
        OpenValue::Number(number) => {
            bytes.push(1);
            store_number(number, bytes);
        }
        OpenValue::Bool(is_true) => {
            bytes.push(2);
            is_true.store(bytes);
        }
        OpenValue::List(values) => {
            bytes.push(3);
            store_length(values.len(), bytes);
            for value in values {
                store_value(value, bytes);
            }
        }
        OpenValue::Map(pairs) => {
            bytes.push(4);
            store_length(pairs.len(), bytes);
            for (key, value) in pairs {
                store_text(key, bytes);
                store_value(value, bytes);
            }
        }
    }
}

fn load_value(input: &mut Input<'_>, depth: usize) -> Result<OpenValue, NotStored> {
    if depth > MAX_OPEN_DEPTH {
        return Err(NotStored);
    }
    Ok(match input.choice(5)? {
        0 => OpenValue::Text(Stored::load(input)?),
        1 => OpenValue::Number(load_number(input)?),
        2 => OpenValue::Bool(Stored::load(input)?),
        3 => OpenValue::List(input.list(|input| load_value(input, depth + 1))?),
        _ => OpenValue::Map(input.list(|input| Ok((Stored::load(input)?, load_value(input, depth + 1)?)))?),
    })
}

/// A number as the reader of carriers made it: a whole one, a negative whole one, or one in floating point. Each stays of its kind, since
/// its text depends on it.
fn store_number(number: &Number, bytes: &mut Vec<u8>) {
    let (kind, bits) = match (number.as_u64(), number.as_i64(), number.as_f64()) {
        (Some(whole), ..) => (0, whole.to_le_bytes()),
        (None, Some(negative), _) => (1, negative.to_le_bytes()),
        (None, None, float) => (2, float.unwrap_or(f64::NAN).to_bits().to_le_bytes()),
    };
    bytes.push(kind);
    bytes.extend_from_slice(&bits);
}

fn load_number(input: &mut Input<'_>) -> Result<Number, NotStored> {
    let kind = input.choice(3)?;
    let bits = input.take(8)?.first_chunk().copied().ok_or(NotStored)?;
    match kind {
        0 => Ok(Number::from(u64::from_le_bytes(bits))),
        1 => Ok(Number::from(i64::from_le_bytes(bits))),
        _ => Number::from_f64(f64::from_bits(u64::from_le_bytes(bits))).ok_or(NotStored),
    }
}
