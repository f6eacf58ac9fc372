//! Bodies, well-meant and hostile, against the whole evaluator.

mod answers;
mod basics;
mod bindings;
mod clock;
mod consoles;
mod isolation;
mod limits;
mod parse_errors;
mod recipes;
mod threads;

use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::config::Limits;
use crate::graph::{Claim, Edge, Node, NodeType, SCHEMA_VERSION, SpecNode};
use crate::model::{Altitude, EdgeType, Readiness, SpecKind};

fn spec(id: &str) -> Node {
    Node::Spec(std::sync::Arc::new(SpecNode {
        id: id.to_owned(),
        node_type: NodeType::Primitive,
        claim: Claim::Declared,
        spec_kind: SpecKind::ALL[0],
        altitude: Altitude::ALL[0],
        readiness: Readiness::ALL[0],
        title: Some(format!("Title of {id}")),
        narrative: None,
        file: format!("specs/{}.sdp.md", id.trim_start_matches("spec:")),
        sections: None,
        delivery_facts: Vec::new(),
    }))
}

fn edge(from: &str, to: &str) -> Edge {
    Edge { from: from.to_owned(), edge_type: EdgeType::ALL[0], to: to.to_owned(), claim: Claim::Declared }
}

fn graph() -> Arc<Graph> {
    Arc::new(Graph {
        schema_version: SCHEMA_VERSION,
        nodes: vec![spec("spec:a"), spec("spec:b"), spec("spec:c")],
        edges: vec![edge("spec:a", "spec:b"), edge("spec:b", "spec:c")],
        locations: Vec::new(),
    })
}

/// For a body that ends by itself or by another limit: on a loaded machine the clock plays no part either.
const PATIENT: Duration = Duration::from_secs(120);

/// For a body that the clock must stop, and for no other.
const HASTY: Duration = Duration::from_millis(600);

/// What a body may use within a time.
fn within(time: Duration) -> EvaluatorOptions {
    EvaluatorOptions { limits: Limits { time, memory: 32 * 1024 * 1024 }, ..EvaluatorOptions::default() }
}

fn options() -> EvaluatorOptions {
    within(PATIENT)
}

fn evaluator() -> Evaluator {
    Evaluator::new(Arc::new(Reader::new(graph())), options())
}

fn hasty() -> Evaluator {
    Evaluator::new(Arc::new(Reader::new(graph())), within(HASTY))
}

fn job(body: &str) -> Job {
    Job { body: body.into(), params: serde_json::json!({}), want: Want::Both }
}

/// The JSON of what a body returns, on an evaluator of its own.
fn json(body: &str) -> serde_json::Value {
    evaluator().run(job(body)).unwrap().to_json().unwrap()
}

fn error(body: &str) -> EvalError {
    evaluator().run(job(body)).unwrap_err()
}

fn parse_error(body: &str) -> (u32, u32, String) {
    match error(body) {
        EvalError::Parse { line, column, message } => (line, column, message),
        other => panic!("{other:?}"),
    }
}

fn thrown(body: &str) -> Thrown {
    match error(body) {
        EvalError::Thrown(thrown) => *thrown,
        other => panic!("{other:?}"),
    }
}
