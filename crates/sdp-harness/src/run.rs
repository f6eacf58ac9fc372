//! One run: options and arguments come in; cases are planned, selected, listed or run, and a status goes out. stdout
//! carries what libtest would print and nothing else; the run's own words go to the given stream.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use sdp_core::finding::Finding;
use sdp_core::rules::{Case, Engine, EngineOptions, Outcome, Plan, Source, Task, Verdict, plan};

use crate::ahead::Ahead;
use crate::arguments::{self, End};
use crate::failure::{self, Teller};
use crate::nearest::nearest;
use crate::notes::Notes;
use crate::printer_panic::{self, Fault};
use crate::{Caller, Options, Status, progress, say, write};

/// What is printed for a case that cannot fail.
const ONLY_REPORTS: &str = "only reports";

/// Runs what the arguments select; they come without the program's name. Messages go to `err`.
pub fn run(options: &Options, arguments: impl IntoIterator<Item = OsString>, err: &mut dyn Write) -> Status {
    let arguments = match arguments::parse(arguments) {
        Ok(arguments) => arguments,
        Err(End::Help(text)) => return print(None, &text, err),
        Err(End::Usage(text)) => {
            write(err, &text);
            return Status::Usage;
        }
        Err(End::Refused(text)) => {
            say(err, &text);
            return Status::Refused;
        }
    };
    let Plan { cases, findings } = match plan(&options.config, &options.discover) {
        Ok(plan) => plan,
        Err(error) => {
            say(err, &error.to_string());
            return Status::Refused;
        }
    };
    for finding in &findings {
        say(err, &finding.line_form());
    }
    // Rules that cannot be read would leave the run in silence.
    if findings.iter().any(Finding::is_error) {
        return Status::Refused;
    }
    let (selected, others): (Vec<Case>, Vec<Case>) =
        cases.into_iter().partition(|case| !arguments.is_filtered_out(&stand_in(case)));
    let narrowed = arguments.filter.is_some() || !arguments.skip.is_empty();
    if selected.is_empty() && narrowed && options.caller == Caller::CommandLine {
        nothing_matched(&arguments, &others, err);
        return Status::NothingMatched;
    }
    if arguments.list {
        return list(&arguments, &selected, err);
    }
    execute(options, arguments, selected, &others, err)
}

/// A trial that only stands for its case in questions to the arguments.
fn stand_in(case: &Case) -> Trial {
    Trial::test(case.name.clone(), || Ok(())).with_ignored_flag(case.task == Task::OnlyReports)
}

fn nothing_matched(arguments: &Arguments, cases: &[Case], err: &mut dyn Write) {
    let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    let text = match &arguments.filter {
        Some(filter) => {
            let hint = nearest(filter, &names).map(|name| format!(" Did you mean \"{name}\"?")).unwrap_or_default();
            format!("no case matches \"{filter}\".{hint} `cargo sdp rules --list` lists every case.")
        }
        None => "every case is skipped: no case is left to run.".to_owned(),
    };
    say(err, &text);
}

/// One line a case, as `--list --format terse` of libtest has it. Nothing is evaluated.
fn list(arguments: &Arguments, cases: &[Case], err: &mut dyn Write) -> Status {
    let lines: String = cases.iter().map(|case| format!("{}: test\n", case.name)).collect();
    print(arguments.logfile.as_deref(), &lines, err)
}

/// Writes to stdout or to the log file. A reader that left has seen enough.
fn print(logfile: Option<&str>, text: &str, err: &mut dyn Write) -> Status {
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
        Err(error) => unwritable(&error.to_string(), err),
    }
}

fn unwritable(reason: &str, err: &mut dyn Write) -> Status {
    say(err, &format!("the output could not be written ({reason})."));
    Status::Refused
}

/// What all trials of a run share.
struct Shared {
    ahead: Arc<Ahead>,
    root: PathBuf,
    notes: Notes,
    /// Whether notes are given in full, console output included.
    shows_all: bool,
    failed: AtomicBool,
    told: AtomicUsize,
}

impl Shared {
    /// Waits for a case's outcome, keeps its notes and gives what libtest-mimic asks for.
    fn tell(&self, position: usize) -> Result<Completion, Failed> {
        self.told.store(position + 1, Ordering::Release);
        let told = match (self.ahead.cases().get(position), self.ahead.outcome(position)) {
            (Some(case), Some(outcome)) => self.tell_outcome(position, case, &outcome),
            _ => Err("the evaluation of this case panicked; this is a fault of the program".into()),
        };
        if told.is_err() {
            self.failed.store(true, Ordering::Release);
        }
        told
    }

    fn tell_outcome(&self, position: usize, case: &Case, outcome: &Outcome) -> Result<Completion, Failed> {
        let passes = outcome.verdict.passes();
        let limit = if passes && !self.shows_all { failure::FEW_FINDINGS } else { failure::MANY_FINDINGS };
        let teller = Teller { root: &self.root, source: source(case), description: description(case), limit };
        if !passes {
            return Err(teller.failure(outcome).into());
        }
        if matches!(outcome.verdict, Verdict::OnlyReports) {
            return Ok(Completion::ignored_with(ONLY_REPORTS));
        }
        self.notes.add(position, &case.name, self.note(&teller, outcome));
        Ok(Completion::Completed)
    }

    fn note(&self, teller: &Teller<'_>, outcome: &Outcome) -> String {
        let mut note = teller.warnings(outcome);
        if self.shows_all {
            note.push_str(&failure::console(&outcome.console));
        }
        note
    }

    /// Waits for the cases that nobody reads any more: the exit code is that of the whole run.
    fn finish(&self) -> Status {
        for position in self.told.load(Ordering::Acquire)..self.ahead.cases().len() {
            if self.ahead.outcome(position).is_none_or(|outcome| !outcome.verdict.passes()) {
                self.failed.store(true, Ordering::Release);
            }
        }
        if self.failed.load(Ordering::Acquire) { Status::Failed } else { Status::Success }
    }
}

/// Where a case's own errors stand.
fn source(case: &Case) -> Option<String> {
    match &case.task {
        Task::Body(task) => Some(match &task.source {
            Source::Configured { file, line, .. } => format!("{file}:{line}"),
            other => other.to_string(),
        }),
        Task::Carriers | Task::Check(_) | Task::Contracts | Task::OnlyReports => None,
    }
}

/// What the configuration says of a case.
fn description(case: &Case) -> Option<&str> {
    match &case.task {
        Task::Body(task) => task.description.as_deref(),
        Task::Carriers | Task::Check(_) | Task::Contracts | Task::OnlyReports => None,
    }
}

fn execute(
    options: &Options,
    mut arguments: Arguments,
    selected: Vec<Case>,
    others: &[Case],
    err: &mut dyn Write,
) -> Status {
    let runs = !arguments.bench && selected.iter().any(|case| case.task != Task::OnlyReports);
    let threads = arguments.test_threads.or_else(|| thread::available_parallelism().ok().map(usize::from)).unwrap_or(1);
    // More threads than cases would idle, and a system has only so many.
    let threads = if runs { threads.clamp(1, selected.len()) } else { 0 };
    let engine = Engine::new(EngineOptions {
        root: options.config.root.clone(),
        discover: options.discover.clone(),
        limits: options.config.limits,
        severities: options.config.severities.clone(),
    });
    if runs {
        progress::extracted(progress::during("deriving the graph", || engine.prepare()));
    }
    let shared = Arc::new(Shared {
        ahead: Ahead::start(engine, selected, threads),
        root: options.config.root.clone(),
        notes: Notes::default(),
        shows_all: arguments.nocapture || arguments.show_output,
        failed: AtomicBool::new(false),
        told: AtomicUsize::new(0),
    });
    // The threads run ahead; libtest-mimic asks in the order of the cases.
    arguments.test_threads = Some(1);
    let cases = shared.ahead.cases().iter().enumerate();
    let mut trials: Vec<Trial> =
        cases.map(|(position, case)| trial(&shared, position, case, arguments.ignored)).collect();
    // They are filtered out again, which is how libtest-mimic comes to count them.
    trials.extend(others.iter().map(stand_in));
    let status = match printer_panic::catch(|| libtest_mimic::run(&arguments, trials)) {
        Ok(conclusion) if conclusion.has_failed() => Status::Failed,
        Ok(_) => Status::Success,
        Err(Fault::Unwritable(reason)) => return unwritable(&reason, err),
        Err(Fault::Closed) if runs => shared.finish(),
        Err(Fault::Closed) => Status::Success,
    };
    write(err, &shared.notes.text());
    status
}

fn trial(shared: &Arc<Shared>, position: usize, case: &Case, only_ignored: bool) -> Trial {
    let shared = Arc::clone(shared);
    // A case that only reports says so itself, with the reason, which a flag cannot; under `--ignored` the flag selects it.
    let flag = only_ignored && case.task == Task::OnlyReports;
    Trial::ignorable_test(case.name.clone(), move || shared.tell(position)).with_ignored_flag(flag)
}
