//! The body evaluator: a JavaScript async-function body, a reader and parameters come in, the value that the body returned goes
//! out as plain text (DESIGN part 4; newest sheet parts 13 and 14). It prints nothing, and a body reaches no file, process,
//! network or clock but those that this module hands it; hostile bodies end in an [`EvalError`], never in a panic or a hang.

// @sdpAnchor component:sdp.script
// @sdpLayer application
// @sdpContext engine
// @sdpUses component:sdp.reader

mod answer;
mod bindings;
mod console;
mod error;
mod home;
mod inspect;
mod limits;
mod parse_error;
mod rejections;
mod run;
mod worker;
mod wrapper;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use answer::{Answer, ConsoleLine, ConsoleStream, Want};
pub use console::{Console, ConsoleSink};
pub use error::{EvalError, JsonError, Thrown};
pub use worker::{Evaluator, EvaluatorOptions, Job};

use crate::finding::Report;
use crate::graph::Graph;
use crate::reader::Reader;

/// What [`evaluate_body`] runs a body over.
#[derive(Clone, Debug)]
pub struct Input {
    /// The graph.
    pub graph: Arc<Graph>,
    /// The report; the checks' own for this graph when absent.
    pub report: Option<Arc<Report>>,
    /// The value of `params`, a JSON object; `{}` when absent.
    pub params: Option<serde_json::Value>,
}

/// Runs one body over a graph, under the default limits, and prints nothing: console output is kept in the answer. Whoever runs
/// several bodies over one graph takes an [`Evaluator`].
///
/// # Errors
/// As [`EvalError`] lists them. Parameters that are no object refuse before the body runs.
#[sdp::satisfies("spec:sdp.evaluator", component = "component:sdp.script", references = "spec:sdp.decisions.quickjs")]
pub fn evaluate_body(body: &str, input: Input) -> Result<Answer, EvalError> {
    let reader = match input.report {
        Some(report) => Reader::with_report(input.graph, report),
        None => Reader::new(input.graph),
    };
    let params = input.params.unwrap_or_else(|| serde_json::Value::Object(serde_json::Map::new()));
    let evaluator = Evaluator::new(Arc::new(reader), EvaluatorOptions::default());
    evaluator.run(Job { body: body.into(), params, want: Want::Both })
}
