//! `rules`: roots come in; checks, rules and recipes run as test cases, libtest's output and exit code go out, or the forms
//! that were asked for. What stands after `--` goes to the test runner as it is.

use std::ffi::OsString;
use std::time::Duration;

use sdp_core::config::Config;
use sdp_core::discover::DiscoverOptions;
use sdp_harness::again::{self, Kept, Selection};
use sdp_harness::cache::{self, CacheFolder};
use sdp_harness::event::Summary;
use sdp_harness::outputs::{Format, Outputs, People};
use sdp_harness::report::CaseResult;
use sdp_harness::{Caller, Options, Root, Status};

use crate::accept::AcceptArgs;
use crate::errors::{Exit, Refusal};
use crate::evaluate::{limited, megabytes, seconds};
use crate::output::Output;
use crate::overrides::SeverityArgs;
use crate::report::{OutputsArgs, spare_baselines};
use crate::root::{self, CommonArgs, Workspace};
use crate::watch::{self, Found, Ground, Request, WatchArgs, Watched};

/// The arguments of `rules`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Run checks, rules and recipes as test cases, pass or fail for each",
    long_about = "\
Run checks, rules and recipes as test cases, pass or fail for each.

The cases are `extract::carriers`, `check::…` for each check, `check::contracts` for examples and their example spaces, \
`rule::…` for each rule file and each configured rule, `recipe::…` for each shipped recipe, and `config::waivers` and \
`config::baseline` where waivers or a baseline are configured. A rule is a JavaScript body that returns an array of findings \
`{ rule, subject, message, severity }` or `{ diagnostics }`. A case fails on an error finding, a throw, a limit, or any \
other return. Warnings never fail a case. A recipe that only reports, and one that \
judges only where the configuration asks it to, is listed as ignored.

Where the configuration lists two or more roots, the cases of each open with its name: `backend::rule::…`.

`-D`, `-W` and `-A` weigh the findings of `extract::carriers` and of `check::…`; a check whose findings are all left out \
passes. A rule says itself what its findings weigh.

`--output human` is what the test runner prints. Another form without a file takes its place on stdout; with a file it is written beside it. `github` goes to stderr where another form has stdout.",
    after_help = "\
Examples:
  cargo sdp rules
  cargo sdp rules conformance
  cargo sdp rules --list
  cargo sdp rules rule::a::x -- --exact --nocapture
  cargo sdp rules -- --format json
  cargo sdp rules --output json | jq -r 'select(.case).case.name'
  cargo sdp rules --output junit=target/sdp/rules.xml --output github
  cargo sdp rules check:: -D warnings -A honesty/gaps
  cargo sdp rules --baseline sdp-baseline.txt --update-baseline
  cargo sdp rules rule:: --watch

Exit codes: 0 every case passed; 1 a refusal; 2 usage; 4 the filter matches no case; 101 a case \
failed. A watch ends with 0 on Ctrl-C, whatever was found."
)]
pub(crate) struct RulesArgs {
    /// Run only the cases whose names hold this text
    #[arg(value_name = "FILTER")]
    pub(crate) filter: Option<OsString>,
    /// Print the names of the cases and run none
    #[arg(long, conflicts_with_all = ["update_baseline", "watch"])]
    pub(crate) list: bool,
    /// Time for each body, such as 30 or 0.5 [default: the configuration's, else 10]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Memory for each body beside the graph's own, in megabytes [default: the configuration's, else 256]
    #[arg(long, value_name = "MB", value_parser = megabytes)]
    pub(crate) memory: Option<u64>,
    /// Derive the graph anew, and keep no cache of it in the target folder or in `.sdp/cache`; so does `SDP_NO_CACHE=1`
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Arguments of the test runner, as `cargo test` takes them after its own `--`
    #[arg(last = true, value_name = "RUNNER ARGUMENTS")]
    pub(crate) runner: Vec<OsString>,
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

/// Runs the cases. The test runner writes to stdout itself, where no other form has it.
pub(crate) fn run(args: &RulesArgs, output: &mut Output) -> Result<Exit, Refusal> {
    if args.watch.watch {
        return watch(args, output);
    }
    let outputs = args.outputs.open(Format::Human, People::Stdout, output)?;
    let workspaces = root::load_all_weighed(&args.common, &args.severity)?;
    let list = args.list.then(|| OsString::from("--list"));
    let own: Vec<OsString> = args.filter.iter().cloned().chain(list).chain(passed_on(args, &outputs, output)).collect();
    let arguments = own.into_iter().chain(args.runner.iter().cloned());
    let mut configs: Vec<Config> = workspaces.iter().map(|workspace| workspace.config.clone()).collect();
    let cwd = workspaces.first().map(|workspace| workspace.cwd.clone()).unwrap_or_default();
    let acceptances = args.accept.prepare(&mut configs, &cwd)?;
    let is_turned_off = args.no_cache || cache::is_turned_off(std::env::var_os(cache::NO_CACHE).as_deref());
    let environment = root::environment(&cwd);
    spare_baselines(&outputs, &configs)?;
    let roots = workspaces.into_iter().zip(configs).zip(acceptances).map(|((workspace, mut config), acceptance)| {
        config.limits = limited(config.limits, args.timeout, args.memory);
        let cache = (!is_turned_off).then(|| CacheFolder::of(&config.root, &environment));
        Root { config, discover: workspace.discover, acceptance, cache }
    });
    let options = Options { roots: roots.collect(), caller: Caller::CommandLine };
    Ok(match sdp_harness::run_with(&options, arguments, outputs, output) {
        Status::Success => Exit::Fine,
        Status::Refused => Exit::Failed,
        Status::Usage => Exit::Usage,
        Status::NothingMatched => Exit::NothingMatched,
        Status::Failed => Exit::CaseFailed,
    })
}

/// Runs the cases again and again, without the test runner.
fn watch(args: &RulesArgs, output: &mut Output) -> Result<Exit, Refusal> {
    let words = args.filter.iter().chain(&args.runner).cloned();
    let selection = match Selection::parse(words) {
        Ok(selection) => selection,
        Err(text) => {
            output.err(&text);
            return Ok(Exit::Usage);
        }
    };
    let cwd = Request::cwd()?;
    let request = Request {
        command: "rules",
        common: args.common.clone(),
        severity: args.severity.clone(),
        accept: args.accept.clone(),
        outputs: args.outputs.clone(),
        people: People::Stdout,
        polls: args.watch.poll,
        start: cwd.clone(),
        cwd,
    };
    watch::run(request, Again { selection, timeout: args.timeout, memory: args.memory }, output)
}

/// The cases of a watch.
struct Again {
    selection: Selection,
    timeout: Option<Duration>,
    memory: Option<u64>,
}

impl Watched for Again {
    fn discover(&self, workspace: &Workspace) -> DiscoverOptions {
        workspace.discover.clone()
    }

    fn configure(&self, config: &mut Config) {
        config.limits = limited(config.limits, self.timeout, self.memory);
    }

    fn runs_bodies(&self) -> bool {
        true
    }

    fn judge(&mut self, ground: Ground<'_>) -> Found {
        let Ground { workspaces, acceptances, plans, packages, derive } = ground;
        let mut found = Found::default();
        let roots = workspaces.into_iter().zip(acceptances).map(|(workspace, acceptance)| {
            found.roots.push(workspace.seen);
            found.baselines.extend(workspace.config.baseline.clone());
            Root { config: workspace.config, discover: workspace.discover, acceptance, cache: None }
        });
        let options = Options { roots: roots.collect(), caller: Caller::CommandLine };
        let kept: Vec<Kept<'_>> =
            plans.iter().zip(packages).map(|(plan, packages)| Kept { plan: plan.as_ref(), packages }).collect();
        let judged = again::judge(&options, &self.selection, &kept, derive);
        let not_run = judged.reports.iter().filter(|report| report.result == CaseResult::NotRun);
        found.unjudged = not_run.map(|report| report.name.clone()).collect();
        found.counts =
            Summary { is_whole: !judged.is_refused, filtered_out: judged.filtered_out, ..Summary::default() };
        found.is_refused = judged.is_refused;
        found.notes = judged.said;
        found.diagnostics = judged.diagnostics;
        found.reports = judged.reports;
        found.summary = summary(&found);
        found
    }

    fn refused(&self, refusal: Refusal) -> Result<Found, Refusal> {
        Err(refusal)
    }
}

/// How many cases went which way.
fn summary(found: &Found) -> String {
    let count = |result: CaseResult| found.reports.iter().filter(|report| report.result == result).count();
    let mut text = format!("{} passed; {} failed", count(CaseResult::Passed), count(CaseResult::Failed));
    let rest = [
        (count(CaseResult::NotRun), "not run"),
        (count(CaseResult::OnlyReports), "only report"),
        (found.counts.filtered_out, "filtered out"),
    ];
    for (count, what) in rest {
        if count > 0 {
            text.push_str(&format!("; {count} {what}"));
        }
    }
    text
}

/// The common options in the words of the test runner, where its own arguments do not say otherwise: it refuses a second
/// word on one thing.
fn passed_on(args: &RulesArgs, outputs: &Outputs, output: &Output) -> Vec<OsString> {
    let words = || args.runner.iter().filter_map(|word| word.to_str());
    let is_quiet = |word: &str| {
        let is_short = word.starts_with('-') && !word.starts_with("--") && word.contains('q');
        is_short || word == "--quiet" || word.starts_with("--format")
    };
    let mut passed_on = Vec::new();
    let has_runner = outputs.stdout() == Some(Format::Human);
    if output.is_quiet() && has_runner && !words().any(is_quiet) {
        passed_on.push("--quiet".into());
    }
    if let Some(colour) = args.common.output.color
        && !words().any(|word| word.starts_with("--color"))
    {
        passed_on.push(format!("--color={}", colour.as_str()).into());
    }
    passed_on
}
