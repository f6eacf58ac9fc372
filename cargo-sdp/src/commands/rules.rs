//! `rules`: a root comes in; checks, rules and recipes run as test cases, libtest's output and exit code go out. What
//! stands after `--` goes to the test runner as it is.

use std::ffi::OsString;
use std::io;
use std::time::Duration;

use sdp_harness::{Caller, Options, Status};

use crate::errors::{Exit, Refusal};
use crate::evaluate::{megabytes, seconds};
use crate::output::Output;
use crate::overrides::SeverityArgs;
use crate::root::{self, CommonArgs};

/// The arguments of `rules`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Run checks, rules and recipes as test cases, pass or fail for each",
    long_about = "\
Run checks, rules and recipes as test cases, pass or fail for each.

The cases are `extract::carriers`, `check::…` for each check, `check::contracts` for examples and their example spaces, \
`rule::…` for each rule file and each configured rule, and `recipe::…` for each shipped recipe. A rule is a JavaScript body that returns an array of findings \
`{ rule, subject, message, severity }` or `{ diagnostics }`. A case fails on an error finding, a throw, a limit, or any \
other return. Warnings never fail a case. A recipe that only reports is listed as ignored.

`-D`, `-W` and `-A` weigh the findings of `extract::carriers` and of `check::…`; a check whose findings are all left out \
passes. A rule says itself what its findings weigh.",
    after_help = "\
Examples:
  cargo sdp rules
  cargo sdp rules conformance
  cargo sdp rules --list
  cargo sdp rules rule::a::x -- --exact --nocapture
  cargo sdp rules -- --format json
  cargo sdp rules check:: -D warnings -A honesty/gaps

Exit codes: 0 every case passed; 1 a refusal; 2 usage; 4 the filter matches no case; 101 a case \
failed."
)]
pub(crate) struct RulesArgs {
    /// Run only the cases whose names hold this text
    #[arg(value_name = "FILTER")]
    pub(crate) filter: Option<OsString>,
    /// Print the names of the cases and run none
    #[arg(long)]
    pub(crate) list: bool,
    /// Time for each body, such as 30 or 0.5 [default: the configuration's, else 10]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Memory for each body beside the graph's own, in megabytes [default: the configuration's, else 256]
    #[arg(long, value_name = "MB", value_parser = megabytes)]
    pub(crate) memory: Option<u64>,
    /// Arguments of the test runner, as `cargo test` takes them after its own `--`
    #[arg(last = true, value_name = "RUNNER ARGUMENTS")]
    pub(crate) runner: Vec<OsString>,
    /// What findings weigh.
    #[command(flatten)]
    pub(crate) severity: SeverityArgs,
    /// Where to look.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Runs the cases. The test runner writes to stdout itself.
pub(crate) fn run(args: &RulesArgs, output: &Output) -> Result<Exit, Refusal> {
    let mut workspace = root::load_weighed(&args.common, &args.severity)?;
    let limits = &mut workspace.config.limits;
    limits.time = args.timeout.unwrap_or(limits.time);
    limits.memory = args.memory.unwrap_or(limits.memory);
    let list = args.list.then(|| OsString::from("--list"));
    let own: Vec<OsString> = args.filter.iter().cloned().chain(list).chain(passed_on(args, output)).collect();
    let arguments = own.into_iter().chain(args.runner.iter().cloned());
    let options = Options { config: workspace.config, discover: workspace.discover, caller: Caller::CommandLine };
    Ok(match sdp_harness::run(&options, arguments, &mut io::stderr()) {
        Status::Success => Exit::Fine,
        Status::Refused => Exit::Failed,
        Status::Usage => Exit::Usage,
        Status::NothingMatched => Exit::NothingMatched,
        Status::Failed => Exit::CaseFailed,
    })
}

/// The common options in the words of the test runner, where its own arguments do not say otherwise: it refuses a second
/// word on one thing.
fn passed_on(args: &RulesArgs, output: &Output) -> Vec<OsString> {
    let words = || args.runner.iter().filter_map(|word| word.to_str());
    let is_quiet = |word: &str| {
        let is_short = word.starts_with('-') && !word.starts_with("--") && word.contains('q');
        is_short || word == "--quiet" || word.starts_with("--format")
    };
    let mut passed_on = Vec::new();
    if output.is_quiet() && !words().any(is_quiet) {
        passed_on.push("--quiet".into());
    }
    if let Some(colour) = args.common.output.color
        && !words().any(|word| word.starts_with("--color"))
    {
        passed_on.push(format!("--color={}", colour.as_str()).into());
    }
    passed_on
}
