//! `check`: roots come in; every finding of configuration, discovery, extraction and checks goes out with its place, in
//! the forms that were asked for. An error finding ends with exit 1, warnings never do, and a root without any Spec is an
//! error.

mod again;
mod outcome;
mod shared;

use sdp_core::config::Config;
use sdp_harness::Acceptance;
use sdp_harness::accept;
use sdp_harness::event::{Summary, counted};
use sdp_harness::outputs::{Format, Outputs, People};

use self::outcome::{Once, Outcome, judged};
use crate::accept::AcceptArgs;
use crate::errors::{Exit, Refusal};
use crate::output::Output;
use crate::overrides::SeverityArgs;
use crate::report::{OutputsArgs, Report, check_cases, spare_baselines};
use crate::root::{self, CommonArgs, Workspace};
use crate::watch::WatchArgs;

/// The arguments of `check`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Check the Specs and print every finding with its place and a remedy",
    long_about = "\
Check the Specs and print every finding with its place and a remedy.

Findings go to stderr and a closing summary to stdout, as the Protocol has it. Any form but `human` and `short` goes \
to stdout, and then the summary for people goes to stderr. With a file a form is written there, beside what the \
terminal shows. `github` goes to stderr where another form has stdout.

`cargo sdp explain <id>` says more about a finding.",
    after_help = "\
Examples:
  cargo sdp check
  cargo sdp check --output short
  cargo sdp check --output json | jq -r 'select(.finding).finding.id'
  cargo sdp check --output sarif=target/sdp/check.sarif --output github
  cargo sdp check -D warnings -A conformance/orphans
  cargo sdp check --baseline sdp-baseline.txt --update-baseline    accept what is found today
  cargo sdp check --watch

Exit codes: 0 no error finding, warnings are fine; 1 an error finding, or no Spec at all; 2 usage. \
A watch ends with 0 on Ctrl-C, whatever was found."
)]
pub(crate) struct CheckArgs {
    /// What findings weigh.
    #[command(flatten)]
    pub(crate) severity: SeverityArgs,
    /// What is let stand.
    #[command(flatten)]
    pub(crate) accept: AcceptArgs,
    /// Where to look.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
    /// Whether to go on.
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
    /// Forms of output.
    #[command(flatten)]
    pub(crate) outputs: OutputsArgs,
}

/// Derives, checks and prints.
pub(crate) fn run(args: &CheckArgs, output: &mut Output) -> Result<Exit, Refusal> {
    if args.watch.watch {
        return again::watch(args, output);
    }
    let outputs = args.outputs.open(Format::Human, People::Stderr, output)?;
    let outcomes = match root::load_all_weighed(&args.common, &args.severity) {
        Ok(mut workspaces) => {
            let acceptances = accepted(&mut workspaces, &args.accept, &outputs)?;
            let mut notes = Vec::new();
            let outcomes = judged(workspaces, &acceptances, &mut Once { frees: false }, &mut notes);
            for said in notes.into_iter().chain(accept::write_baselines(&acceptances)?) {
                output.note(&said);
            }
            outcomes
        }
        // A wrong configuration is what a check is there to say.
        Err(Refusal::InvalidConfig { root, findings }) => {
            vec![Outcome::refused(&root, &findings, "the configuration is invalid: nothing else was checked")]
        }
        Err(Refusal::InvalidSeverities { root, findings }) => {
            vec![Outcome::refused(&root, &findings, "a severity override is invalid: nothing else was checked")]
        }
        Err(refusal) => return Err(refusal),
    };
    let mut run = outputs.run("check", outcomes.iter().map(|outcome| outcome.root.clone()).collect());
    for outcome in &outcomes {
        run.checks.extend(check_cases(&outcome.root).take(if outcome.is_whole { usize::MAX } else { 1 }));
    }
    let mut report = Report::begin(outputs, &run, output);
    tell(&outcomes, &mut report);
    report.finish()?;
    Ok(if outcomes.iter().any(|outcome| outcome.counts().errors > 0) { Exit::Failed } else { Exit::Fine })
}

/// The acceptance of each root; what it says of a configuration becomes the root's.
fn accepted(workspaces: &mut [Workspace], accept: &AcceptArgs, outputs: &Outputs) -> Result<Vec<Acceptance>, Refusal> {
    let cwd = workspaces.first().map(|workspace| workspace.cwd.clone()).unwrap_or_default();
    let mut configs: Vec<Config> = workspaces.iter().map(|workspace| workspace.config.clone()).collect();
    let acceptances = accept.prepare(&mut configs, &cwd)?;
    spare_baselines(outputs, &configs)?;
    for (workspace, config) in workspaces.iter_mut().zip(configs) {
        workspace.config = config;
    }
    Ok(acceptances)
}

/// What a check of every root found, or of the one with a name: the findings as `--output json` has them.
#[cfg(feature = "mcp")]
pub(crate) struct Examined {
    pub(crate) findings: Vec<serde_json::Value>,
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) summary: String,
}

/// Checks for a caller that prints nothing.
#[cfg(feature = "mcp")]
pub(crate) fn examine(common: &CommonArgs, only: Option<&str>, output: &mut Output) -> Result<Examined, Refusal> {
    use sdp_harness::event::{Event, Sink as _};

    let outputs = OutputsArgs::default().open(Format::Human, People::Stderr, output)?;
    let outcomes = match root::load_all(common) {
        Ok(mut workspaces) => {
            workspaces.retain(|workspace| only.is_none_or(|only| workspace.config.name.as_deref() == Some(only)));
            let acceptances = accepted(&mut workspaces, &AcceptArgs::default(), &outputs)?;
            let mut notes = Vec::new();
            let outcomes = judged(workspaces, &acceptances, &mut Once { frees: true }, &mut notes);
            notes.iter().for_each(|said| output.note(said));
            outcomes
        }
        Err(Refusal::InvalidConfig { root, findings }) => {
            vec![Outcome::refused(&root, &findings, "the configuration is invalid: nothing else was checked")]
        }
        Err(refusal) => return Err(refusal),
    };
    let run = outputs.run("check", outcomes.iter().map(|outcome| outcome.root.clone()).collect());
    let mut json = sdp_harness::sinks::json::Json::default();
    let _nothing = json.take(&Event::Begin(&run));
    let said = outcomes.iter().flat_map(|outcome| &outcome.diagnostics);
    let findings = said.filter_map(|one| {
        let mut object: serde_json::Value = serde_json::from_str(&json.take(&Event::Diagnostic(one))).ok()?;
        object.get_mut("finding").map(serde_json::Value::take)
    });
    let findings = findings.collect();
    let mut counts = Summary::default();
    outcomes.iter().flat_map(|outcome| &outcome.diagnostics).for_each(|one| counts.add(one));
    let summary = outcomes.iter().map(Outcome::summary).collect::<Vec<_>>().join("\n");
    Ok(Examined { findings, errors: counts.errors, warnings: counts.warnings, summary })
}

/// Sends all that was found.
fn tell(outcomes: &[Outcome], report: &mut Report<'_>) {
    for outcome in outcomes {
        if !outcome.is_whole {
            report.is_not_whole();
        }
        report.let_stand(outcome.waived, outcome.accepted);
        for one in &outcome.diagnostics {
            report.diagnostic(one);
        }
    }
    if report.people() == Some(Format::Human)
        && let Some(id) = to_explain(outcomes)
    {
        report.output().note(&format!("for more information about a finding: cargo sdp explain {id}"));
    }
    let mut lines: Vec<String> = outcomes.iter().map(Outcome::summary).collect();
    if outcomes.len() > 1 {
        let mut total = Summary::default();
        outcomes.iter().flat_map(|outcome| &outcome.diagnostics).for_each(|one| total.add(one));
        lines.push(format!("total: {} ({})", total.weights(), counted(outcomes.len(), "root")));
    }
    report.end(lines.join("\n"));
}

/// The finding to point at when all are shown: the first error, else the first warning.
fn to_explain(outcomes: &[Outcome]) -> Option<&str> {
    let mut said = outcomes.iter().flat_map(|outcome| &outcome.diagnostics);
    let first = said.clone().find(|one| one.is_error()).or_else(|| said.next());
    first.map(|one| one.rule.as_str())
}
