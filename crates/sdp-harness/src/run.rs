//! One run: options, arguments and outputs come in; cases are planned, selected, listed or run, and a status goes out. stdout
//! carries what libtest would print and nothing else, or the one form that was asked for in its place; the run's own words
//! go to stderr.

pub mod again;

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use sdp_core::rules::{Engine, EngineOptions, Plan, PlanError, Task, plan};

use crate::ahead::{Ahead, Planned};
use crate::arguments::{self, End};
use crate::diagnostic::{self, Diagnostic};
use crate::event::{Event, RunRoot, Summary};
use crate::failure::{self, Teller};
use crate::nearest::nearest;
use crate::notes::Notes;
use crate::outputs::{Format, Outputs, Streams};
use crate::packages::CargoPackages;
use crate::printer_panic::{self, Fault};
use crate::report::{CaseReport, CaseResult, PANICKED};
use crate::{Caller, Options, Root, Status, accept, cache, progress, say, write};

/// What is printed for a case that cannot fail.
const ONLY_REPORTS: &str = "only reports";

/// The case that is named where the rules cannot be read.
const PLAN: &str = "rules";

/// Runs what the arguments select; they come without the program's name. Messages go to `err`.
pub fn run(options: &Options, arguments: impl IntoIterator<Item = OsString>, err: &mut dyn Write) -> Status {
    run_with(options, arguments, Outputs::of_test_binary(), &mut Plain { err })
}

/// The streams of a run without other outputs.
struct Plain<'w> {
    err: &'w mut dyn Write,
}

impl Streams for Plain<'_> {
    fn out(&mut self, text: &str) {
        // What cannot be written is told by `print` itself.
        let _ = print(None, text, self);
    }

    fn err(&mut self, text: &str) {
        write(self.err, text);
    }

    fn commands(&mut self, text: &str) {
        // A stderr that cannot be written leaves nobody to tell.
        let _ = self.err.write_all(text.as_bytes()).and_then(|()| self.err.flush());
    }
}

/// The same with outputs, whose files are written at the end.
pub fn run_with(
    options: &Options,
    arguments: impl IntoIterator<Item = OsString>,
    mut outputs: Outputs,
    streams: &mut dyn Streams,
) -> Status {
    let arguments = match arguments::parse(arguments) {
        Ok(arguments) => arguments,
        Err(End::Help(text)) => return print(None, &text, streams),
        Err(End::Usage(text)) => {
            streams.err(&text);
            return Status::Usage;
        }
        Err(End::Refused(text)) => {
            say(streams, &text);
            return Status::Refused;
        }
    };
    if let Some(text) = unfit(&arguments, &outputs) {
        streams.err(&format!("error: {text}\n"));
        return Status::Usage;
    }
    let (cases, diagnostics) = planned(options, streams);
    let is_refused = diagnostics.iter().any(Diagnostic::is_error);
    if arguments.list {
        return if is_refused { Status::Refused } else { list(options, &arguments, cases, streams) };
    }
    let (selected, others) = select(&arguments, cases);
    if !is_refused && is_lost(options, &arguments, &selected) {
        nothing_matched(&arguments, &others, streams);
        return Status::NothingMatched;
    }
    if outputs.stdout() == Some(Format::Human) {
        outputs.leave_stdout_to_the_runner();
    }
    let roots = options.roots.iter().map(|root| RunRoot::of(&root.config).seen_from(outputs.cwd())).collect();
    let run = outputs.run("rules", roots);
    outputs.send(&Event::Begin(&run), streams);
    let mut summary = Summary { is_whole: !is_refused, filtered_out: others.len(), ..Summary::default() };
    for diagnostic in &diagnostics {
        summary.add(diagnostic);
        outputs.send(&Event::Diagnostic(diagnostic), streams);
    }
    // Rules that cannot be read would leave the run in silence.
    if is_refused {
        say(streams, "nothing was run.");
    }
    let mut status = match is_refused {
        true => Status::Refused,
        false => execute(
            options,
            arguments,
            selected,
            &others,
            &mut Sending { outputs: &mut outputs, summary: &mut summary, streams },
        ),
    };
    match accept::write_baselines(options.roots.iter().map(|root| &root.acceptance)) {
        Ok(said) => said.iter().for_each(|line| say(streams, line)),
        Err(error) => {
            say(streams, &error.to_string());
            status = Status::Refused;
        }
    }
    summary.text = summary.weights_and_cases();
    outputs.send(&Event::End(&summary), streams);
    match outputs.finish() {
        Ok(()) => status,
        Err(faults) => {
            for fault in faults {
                say(streams, &fault);
            }
            if status == Status::Success { Status::Refused } else { status }
        }
    }
}

/// Why arguments of the runner make no sense beside other outputs.
fn unfit(arguments: &Arguments, outputs: &Outputs) -> Option<String> {
    let runs_none = [(arguments.list, "--list"), (arguments.bench, "--bench")];
    if let Some((_, word)) = runs_none.iter().find(|(is_asked, _)| *is_asked)
        && outputs.has_more_than_the_runner()
    {
        return Some(format!("`{word}` runs no case, so there is nothing to write with `--output`"));
    }
    let format = outputs.stdout().filter(|format| *format != Format::Human)?.as_str();
    let asked = [
        (arguments.format.is_some(), "--format"),
        (arguments.quiet, "--quiet"),
        (arguments.logfile.is_some(), "--logfile"),
    ];
    let (_, word) = asked.iter().find(|(is_asked, _)| *is_asked)?;
    Some(format!(
        "`{word}` is about the test runner's own output, in whose place `--output {format}` stands: leave it out, or write `--output {format}=FILE`"
    ))
}

/// The cases of all roots in their order, and what is said of the plans, which people are told at once.
fn planned(options: &Options, streams: &mut dyn Streams) -> (Vec<Planned>, Vec<Diagnostic>) {
    let plans: Vec<_> = options.roots.iter().map(|root| plan(&root.config, &root.discover)).collect();
    taken_up(options, &plans, |line| say(streams, line))
}

/// The same of plans that are made already, one for each root.
fn taken_up<'p>(
    options: &Options,
    plans: impl IntoIterator<Item = &'p Result<Plan, PlanError>>,
    mut tell: impl FnMut(&str),
) -> (Vec<Planned>, Vec<Diagnostic>) {
    let (mut cases, mut diagnostics, mut known) = (Vec::new(), Vec::new(), HashSet::new());
    for ((position, root), plan) in options.roots.iter().enumerate().zip(plans) {
        let name = root.case_name(PLAN);
        let mut said = match plan {
            Ok(Plan { cases: own, findings, .. }) => {
                root.acceptance.plan(own);
                cases.extend(own.iter().map(|case| Planned {
                    root: position,
                    name: root.case_name(&case.name),
                    case: case.clone(),
                }));
                let seen = RunRoot::of(&root.config);
                // Roots that share a configuration share what is odd about its files.
                let fresh = findings.iter().filter(|finding| {
                    let line = seen.finding((*finding).clone()).line_form();
                    let is_fresh = known.insert(line.clone());
                    if is_fresh {
                        tell(&line);
                    }
                    is_fresh
                });
                fresh.map(|finding| Diagnostic::of_finding(finding, &name)).collect::<Vec<_>>()
            }
            Err(error) => {
                tell(&root.said(&error.to_string()));
                vec![Diagnostic::of_body(&name, error.to_string())]
            }
        };
        for diagnostic in &mut said {
            diagnostic.root.clone_from(&root.config.name);
        }
        diagnostic::identify(&mut said);
        diagnostics.append(&mut said);
    }
    (cases, diagnostics)
}

/// The cases that the arguments select, and the others.
fn select(arguments: &Arguments, cases: Vec<Planned>) -> (Vec<Planned>, Vec<Planned>) {
    cases.into_iter().partition(|planned| !arguments.is_filtered_out(&stand_in(planned)))
}

/// Whether a filter of the command line leaves nothing to run.
fn is_lost(options: &Options, arguments: &Arguments, selected: &[Planned]) -> bool {
    let narrowed = arguments.filter.is_some() || !arguments.skip.is_empty();
    selected.is_empty() && narrowed && options.caller == Caller::CommandLine
}

/// A trial that only stands for its case in questions to the arguments.
fn stand_in(planned: &Planned) -> Trial {
    Trial::test(planned.name.clone(), || Ok(())).with_ignored_flag(planned.case.task == Task::OnlyReports)
}

fn nothing_matched(arguments: &Arguments, cases: &[Planned], streams: &mut dyn Streams) {
    say(streams, &lost(arguments, cases));
}

/// What is said where the arguments leave none of the cases.
fn lost(arguments: &Arguments, cases: &[Planned]) -> String {
    let names: Vec<&str> = cases.iter().map(|planned| planned.name.as_str()).collect();
    match &arguments.filter {
        Some(filter) => {
            let hint = nearest(filter, &names).map(|name| format!(" Did you mean \"{name}\"?")).unwrap_or_default();
            format!("no case matches \"{filter}\".{hint} `cargo sdp rules --list` lists every case.")
        }
        None => "every case is skipped: no case is left to run.".to_owned(),
    }
}

/// One line a case, as `--list --format terse` of libtest has it. Nothing is evaluated.
fn list(options: &Options, arguments: &Arguments, cases: Vec<Planned>, streams: &mut dyn Streams) -> Status {
    let (selected, others) = select(arguments, cases);
    if is_lost(options, arguments, &selected) {
        nothing_matched(arguments, &others, streams);
        return Status::NothingMatched;
    }
    let lines: String = selected.iter().map(|planned| format!("{}: test\n", planned.name)).collect();
    print(arguments.logfile.as_deref(), &lines, streams)
}

/// Writes to stdout or to the log file. A reader that left has seen enough.
fn print(logfile: Option<&str>, text: &str, streams: &mut dyn Streams) -> Status {
    let written = match logfile {
        Some(path) => File::create(path).and_then(|mut file| file.write_all(text.as_bytes())),
        None => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
        }
    };
    match written {
        Ok(()) => Status::Success,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Status::Success,
        Err(error) => unwritable(&error.to_string(), streams),
    }
}

fn unwritable(reason: &str, streams: &mut dyn Streams) -> Status {
    say(streams, &format!("the output could not be written ({reason})."));
    Status::Refused
}

/// What all trials of a run share.
struct Shared {
    ahead: Arc<Ahead>,
    roots: Vec<Root>,
    /// The same roots, as they are called.
    seen: Vec<RunRoot>,
    notes: Notes,
    /// Whether notes are given in full, console output included.
    shows_all: bool,
    failed: AtomicBool,
    told: AtomicUsize,
    /// The reports that were told, in their order, where somebody asks for them later.
    kept: Option<Mutex<Vec<CaseReport>>>,
}

impl Shared {
    /// A run of which nothing is told yet, and nothing kept.
    fn of(options: &Options, ahead: Arc<Ahead>) -> Self {
        Shared {
            ahead,
            roots: options.roots.clone(),
            seen: options.roots.iter().map(|root| RunRoot::of(&root.config)).collect(),
            notes: Notes::default(),
            shows_all: false,
            failed: AtomicBool::new(false),
            told: AtomicUsize::new(0),
            kept: None,
        }
    }

    /// Waits for a case's outcome, keeps its notes and gives what libtest-mimic asks for.
    fn tell(&self, position: usize) -> Result<Completion, Failed> {
        self.told.store(position + 1, Ordering::Release);
        let told = match self.report(position) {
            Some(report) => {
                let told = self.tell_report(position, &report);
                self.keep(report);
                told
            }
            None => {
                self.keep(self.panicked(position));
                Err(PANICKED.into())
            }
        };
        if told.is_err() {
            self.failed.store(true, Ordering::Release);
        }
        told
    }

    fn keep(&self, report: CaseReport) {
        if let Some(kept) = &self.kept {
            kept.lock().unwrap_or_else(PoisonError::into_inner).push(report);
        }
    }

    /// Waits for a case's outcome and makes its report; none when its evaluation panicked.
    fn report(&self, position: usize) -> Option<CaseReport> {
        let planned = self.ahead.cases().get(position)?;
        let outcome = self.ahead.outcome(position)?;
        let root = self.roots.get(planned.root)?;
        let mut report = CaseReport::of(&planned.case, &planned.name, root.config.name.as_deref(), outcome);
        root.acceptance.judge(&planned.case, &mut report);
        Some(report)
    }

    /// The report of a case whose evaluation panicked.
    fn panicked(&self, position: usize) -> CaseReport {
        let planned = self.ahead.cases().get(position);
        let root = planned.and_then(|planned| self.roots.get(planned.root));
        CaseReport::panicked(
            planned.map_or("", |planned| planned.name.as_str()),
            root.and_then(|root| root.config.name.as_deref()),
        )
    }

    fn tell_report(&self, position: usize, report: &CaseReport) -> Result<Completion, Failed> {
        let fails = report.result.is_failure();
        let limit = if fails || self.shows_all { failure::MANY_FINDINGS } else { failure::FEW_FINDINGS };
        let root = self.ahead.cases().get(position).and_then(|planned| self.seen.get(planned.root));
        let root = root.cloned().unwrap_or_default();
        let teller = Teller { root: &root, limit };
        if fails {
            return Err(teller.failure(report).into());
        }
        if report.result == CaseResult::OnlyReports {
            return Ok(Completion::ignored_with(ONLY_REPORTS));
        }
        let mut note = teller.diagnostics(report);
        if self.shows_all {
            note.push_str(&failure::console(&report.console));
        }
        self.notes.add(position, &report.name, note);
        Ok(Completion::Completed)
    }

    /// Waits for the cases that nobody reads any more: the exit code is that of the whole run.
    fn finish(&self) -> Status {
        for position in self.told.load(Ordering::Acquire)..self.ahead.cases().len() {
            let report = self.report(position).unwrap_or_else(|| self.panicked(position));
            if report.result.is_failure() {
                self.failed.store(true, Ordering::Release);
            }
            self.keep(report);
        }
        if self.failed.load(Ordering::Acquire) { Status::Failed } else { Status::Success }
    }
}

fn execute(
    options: &Options,
    mut arguments: Arguments,
    selected: Vec<Planned>,
    others: &[Planned],
    sending: &mut Sending<'_>,
) -> Status {
    let has_runner = sending.outputs.stdout() == Some(Format::Human);
    let runs = !arguments.bench && selected.iter().any(|planned| planned.case.task != Task::OnlyReports);
    let threads = if runs { threads(&arguments, &selected) } else { 0 };
    let engines: Vec<Engine> = engines(&options.roots);
    if runs {
        let wanted = |position: usize| needs_graph(&selected, position);
        for (_, (root, engine)) in options.roots.iter().zip(&engines).enumerate().filter(|(root, _)| wanted(*root)) {
            let extraction = progress::during(&root.said("deriving the graph"), || engine.prepare());
            progress::extracted(root.config.name.as_deref(), extraction);
        }
    }
    let shared = Arc::new(Shared {
        shows_all: arguments.nocapture || arguments.show_output,
        kept: (has_runner && sending.outputs.has_more_than_the_runner()).then(Mutex::default),
        ..Shared::of(options, Ahead::start(engines, selected, threads))
    });
    if !has_runner {
        return report_all(&shared, sending);
    }
    // The threads run ahead; libtest-mimic asks in the order of the cases.
    arguments.test_threads = Some(1);
    let cases = shared.ahead.cases().iter().enumerate();
    let mut trials: Vec<Trial> =
        cases.map(|(position, planned)| trial(&shared, position, planned, arguments.ignored)).collect();
    // They are filtered out again, which is how libtest-mimic comes to count them.
    trials.extend(others.iter().map(stand_in));
    let status = match printer_panic::catch(|| libtest_mimic::run(&arguments, trials)) {
        Ok(conclusion) if conclusion.has_failed() => Status::Failed,
        Ok(_) => Status::Success,
        Err(Fault::Unwritable(reason)) => {
            if shared.kept.is_some() {
                // The other outputs are whole.
                let _ = shared.finish();
            }
            unwritable(&reason, sending.streams)
        }
        Err(Fault::Closed) if runs => shared.finish(),
        Err(Fault::Closed) => Status::Success,
    };
    if status != Status::Refused {
        sending.streams.err(&shared.notes.text());
    }
    if let Some(kept) = &shared.kept {
        for report in kept.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            sending.case(report);
        }
    }
    status
}

/// How many threads run the cases.
fn threads(arguments: &Arguments, selected: &[Planned]) -> usize {
    let threads = arguments.test_threads.or_else(|| thread::available_parallelism().ok().map(usize::from)).unwrap_or(1);
    // More threads than cases would idle, and a system has only so many.
    threads.clamp(1, selected.len().max(1))
}

/// Whether a case needs the graph of the root at a position.
fn needs_graph(selected: &[Planned], position: usize) -> bool {
    selected.iter().any(|planned| planned.root == position && planned.case.task.needs_graph())
}

/// The engine of each root. Roots of one configuration share what cargo says of their packages, and nobody asks it before a rule
/// needs it.
fn engines(roots: &[Root]) -> Vec<Engine> {
    let mut packages: HashMap<&Path, Arc<CargoPackages>> = HashMap::new();
    let mut of_base = |base| Arc::clone(packages.entry(base).or_insert_with(|| Arc::new(CargoPackages::new(base))));
    roots.iter().map(|root| engine(root, of_base(&root.config.base))).collect()
}

/// Reports every case in order, where another form has stdout: the test runner prints nothing.
fn report_all(shared: &Shared, sending: &mut Sending<'_>) -> Status {
    let mut status = Status::Success;
    for position in 0..shared.ahead.cases().len() {
        let report = shared.report(position).unwrap_or_else(|| shared.panicked(position));
        if report.result.is_failure() {
            status = Status::Failed;
        }
        sending.case(&report);
    }
    status
}

/// Where reports are sent, and what is counted on the way.
struct Sending<'s> {
    outputs: &'s mut Outputs,
    summary: &'s mut Summary,
    streams: &'s mut dyn Streams,
}

impl Sending<'_> {
    fn case(&mut self, report: &CaseReport) {
        self.summary.case(report);
        self.outputs.send(&Event::Case(report), self.streams);
    }
}

/// The engine of a root.
fn engine(root: &Root, packages: Arc<CargoPackages>) -> Engine {
    let (folder, discover, cache) = (root.config.root.clone(), root.discover.clone(), root.cache.clone());
    Engine::with_extraction(options_of(root, packages), move || cache::extraction(&folder, &discover, cache.as_ref()))
}

/// What its engine needs.
fn options_of(root: &Root, packages: Arc<CargoPackages>) -> EngineOptions {
    EngineOptions {
        root: root.config.root.clone(),
        base: root.config.base.clone(),
        folder: root.config.config_folder(),
        packages: Some(packages),
        discover: root.discover.clone(),
        limits: root.config.limits,
        severities: root.config.severities.clone(),
    }
}

fn trial(shared: &Arc<Shared>, position: usize, planned: &Planned, only_ignored: bool) -> Trial {
    let shared = Arc::clone(shared);
    // A case that only reports says so itself, with the reason, which a flag cannot; under `--ignored` the flag selects it.
    let flag = only_ignored && planned.case.task == Task::OnlyReports;
    Trial::ignorable_test(planned.name.clone(), move || shared.tell(position)).with_ignored_flag(flag)
}
