//! A body over the graph of a root: what `q` and `recipes run` share. A question comes in; the answer goes to stdout, or a
//! refusal goes back. Findings of the checks never keep a body from running, extraction errors always do.

use std::sync::Arc;
use std::time::Duration;

use sdp_core::config::Limits;
use sdp_core::harmless;
use sdp_core::reader::Reader;
use sdp_core::script::{EvalError, Evaluator, EvaluatorOptions, Job, Want};
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
    let extraction = workspace.extract();
    render::lines(&extraction.findings, &workspace.seen, output);
    if extraction.has_errors() {
        return Err(Refusal::NotDerived);
    }
    render::notes_without_specs(workspace, &extraction, output);

    let configured = workspace.config.limits;
    let limits = Limits {
        time: question.limits.timeout.unwrap_or(configured.time),
        memory: question.limits.memory.unwrap_or(configured.memory),
    };
    let options = EvaluatorOptions {
        limits,
        deterministic: question.limits.deterministic,
        console: output.console(),
        refuses_lost_rejections: false,
    };
    let reader = Arc::new(Reader::of(&extraction));
    let evaluator = Evaluator::new(reader, options);
    let want = if question.json { Want::Json } else { Want::Inspect };
    let job = Job { body: question.body.into(), params: Value::Object(question.params), want };
    let answer = progress::during("running the body", || evaluator.run(job)).map_err(evaluation)?;
    if answer.is_undefined() {
        output.err_line(&format!(
            "sdp {}: the body returned nothing — `return` is the output contract.",
            question.command
        ));
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

fn evaluation(error: EvalError) -> Refusal {
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
