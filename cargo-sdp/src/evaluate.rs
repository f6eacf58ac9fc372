//! A body over the graph of a root: what every command that asks the graph shares. A question comes in; the answer goes to stdout or
//! to the command that goes on with it, or a refusal goes back. Findings of the checks never keep a body from running, extraction errors always do.

use std::sync::Arc;
use std::time::Duration;

use sdp_core::config::Limits;
use sdp_core::harmless;
use sdp_core::reader::Reader;
use sdp_core::script::{Console, EvalError, Evaluator, EvaluatorOptions, Job, Want};
use sdp_harness::progress;
use serde_json::{Map, Value};

use crate::errors::{Exit, Refusal};
use crate::output::Output;
use crate::render;
use crate::root::Workspace;

/// What a body may use.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "What the body may use")]
pub(crate) struct LimitArgs {
    /// Time for the body, such as 30 or 0.5 [default: the configuration's, else 10]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Memory for the body beside the graph's own, in megabytes [default: the configuration's, else 256]
    #[arg(long, value_name = "MB", value_parser = megabytes)]
    pub(crate) memory: Option<u64>,
    /// Let Date stand still and seed Math.random, so that every run gives the same answer
    #[arg(long)]
    pub(crate) deterministic: bool,
}

/// How many characters of a thrown message are shown.
const MAX_MESSAGE: usize = 4_000;

/// How many characters of an error's name are shown.
const MAX_NAME: usize = 60;

/// What `--timeout` takes: [`Limits::SECONDS`].
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let value = text.trim().parse().ok();
    value.and_then(Limits::seconds).ok_or_else(|| format!("{} is needed", Limits::SECONDS))
}

/// What `--memory` takes, in bytes: [`Limits::MEGABYTES`].
pub(crate) fn megabytes(text: &str) -> Result<u64, String> {
    let value = text.trim().parse().ok();
    value.and_then(Limits::megabytes).ok_or_else(|| format!("{} is needed", Limits::MEGABYTES))
}

/// The limits of the command line, else those of the configuration.
pub(crate) fn limited(configured: Limits, time: Option<Duration>, memory: Option<u64>) -> Limits {
    Limits { time: time.unwrap_or(configured.time), memory: memory.unwrap_or(configured.memory) }
}

/// One body with everything that it needs.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    /// The command that asks, for the lines that carry its name.
    pub(crate) command: &'static str,
    /// The body, not blank.
    pub(crate) body: String,
    /// Its parameters.
    pub(crate) params: Map<String, Value>,
    /// Whether the answer goes out as JSON.
    pub(crate) json: bool,
    /// What it may use, as far as the command line says so.
    pub(crate) limits: &'a LimitArgs,
}

/// Derives the graph, runs the body and prints its answer.
pub(crate) fn answer(workspace: &Workspace, question: Question<'_>, output: &mut Output) -> Result<Exit, Refusal> {
    let reader = reader(workspace, output)?;
    let evaluator = evaluator(workspace, reader, question.limits, output);
    let want = if question.json { Want::Json } else { Want::Inspect };
    let job = Job { body: question.body.into(), params: Value::Object(question.params), want };
    let answer = progress::during("running the body", || evaluator.run(job)).map_err(evaluation)?;
    if answer.is_undefined() {
        output.err_line(&returned_nothing(question.command));
        return Ok(Exit::Fine);
    }
    if question.json {
        let text = answer.json_text().map_err(|error| Refusal::NoJson(error.to_string()))?;
        output.answer(text, harmless::in_json);
    } else {
        output.answer(answer.render().map_err(evaluation)?, harmless::lines);
    }
    Ok(Exit::Fine)
}

/// Derives the graph and prints what extraction says of it; under its errors nothing is asked.
pub(crate) fn reader(workspace: &Workspace, output: &mut Output) -> Result<Arc<Reader>, Refusal> {
    let extraction = workspace.extract();
    render::lines(&extraction.findings, &workspace.seen, output);
    if extraction.has_errors() {
        return Err(Refusal::NotDerived);
    }
    render::notes_without_specs(workspace, &extraction, output);
    Ok(Arc::new(Reader::of(&extraction)))
}

/// What runs bodies over a reader, under the limits of the command line and of the configuration.
pub(crate) fn evaluator(workspace: &Workspace, reader: Arc<Reader>, limits: &LimitArgs, output: &Output) -> Evaluator {
    Evaluator::new(reader, options(workspace, limits, output.console()))
}

/// How a body runs over a root: under the limits of the command line, else those of the configuration.
pub(crate) fn options(workspace: &Workspace, given: &LimitArgs, console: Console) -> EvaluatorOptions {
    let limits = limited(workspace.config.limits, given.timeout, given.memory);
    EvaluatorOptions { limits, deterministic: given.deterministic, console, ..EvaluatorOptions::default() }
}

/// What a shipped recipe answers, for a command that goes on with it.
pub(crate) fn of_recipe(evaluator: &Evaluator, number: u32, params: Value) -> Result<Value, Refusal> {
    let recipe = sdp_recipes::recipe(number)
        .ok_or_else(|| Refusal::UnknownRecipe { name: number.to_string(), nearest: None })?;
    let job = Job { body: recipe.body.into(), params, want: Want::Json };
    let answer = progress::during("running the body", || evaluator.run(job)).map_err(evaluation)?;
    answer.to_json().map_err(|error| Refusal::NoJson(error.to_string()))
}

/// What is said of a body without an answer.
pub(crate) fn returned_nothing(command: &str) -> String {
    format!("sdp {command}: the body returned nothing — `return` is the output contract.")
}

/// The rows of a list in an answer of a recipe.
pub(crate) fn rows<'a>(answer: &'a Value, list: &str) -> impl Iterator<Item = &'a Value> {
    answer.get(list).and_then(Value::as_array).into_iter().flatten()
}

/// A text of a row.
pub(crate) fn text<'a>(row: &'a Value, name: &str) -> Option<&'a str> {
    row.get(name).and_then(Value::as_str)
}

/// Why a body gave no answer.
pub(crate) fn evaluation(error: EvalError) -> Refusal {
    let fixed = |hint: &str| Some(hint.to_owned());
    let hint = match &error {
        EvalError::Timeout { .. } => fixed("`--timeout SECONDS` gives the body more time"),
        EvalError::Memory { .. } => fixed("`--memory MB` gives the body more memory"),
        EvalError::NeverSettled => fixed("await only what the five bindings give; timers and events do not exist here"),
        EvalError::Thrown(thrown) => match (thrown.hint, thrown.line) {
            (Some(hint), Some(line)) => Some(format!("{hint} (line {line} of the body)")),
            (Some(hint), None) => fixed(hint),
            (None, Some(line)) => {
                let name = thrown.name.as_deref().unwrap_or("an error");
                Some(format!("{} thrown at line {line} of the body", harmless::cut(name, MAX_NAME)))
            }
            (None, None) => None,
        },
        _ => None,
    };
    Refusal::Evaluation { message: shown(&error.to_string()), hint }
}

/// A message that a body chose, bounded.
fn shown(message: &str) -> String {
    let mut characters = message.chars();
    let mut text: String = characters.by_ref().take(MAX_MESSAGE).collect();
    let left_out = characters.count();
    if left_out > 0 {
        text.push_str(&format!("… {left_out} more characters"));
    }
    text
}
