//! One run: options and arguments come in; cases are planned, selected, listed or run, and a status goes out. stdout
//! carries what libtest would print and nothing else; the run's own words go to the given stream.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use sdp_core::rules::{Case, Engine, EngineOptions, Outcome, Plan, Source, Task, Verdict, plan};
use sdp_core::script::Limits;

use crate::arguments::{self, End};
use crate::failure::{self, Teller};
use crate::nearest::nearest;
use crate::notes::Notes;
use crate::printer_panic::{self, Fault};
use crate::{Caller, Options, Status, say, slow, write};

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
    execute(options, arguments, selected, others, err)
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

/// A case on its way.
struct Running {
    case: Case,
    position: usize,
    state: AtomicU8,
}

const WAITING: u8 = 0;
const PASSED: u8 = 1;
const FAILED: u8 = 2;

/// What all cases of a run share.
struct Shared {
    engine: Engine,
    options: Options,
    notes: Notes,
    /// Whether notes are given in full, console output included.
    shows_all: bool,
}

impl Shared {
    /// Runs a case, keeps its notes and gives what libtest-mimic asks for.
    fn run(&self, running: &Running) -> Result<Completion, Failed> {
        let Running { case, position, state } = running;
        let outcome = self.engine.run(case);
        let passes = outcome.verdict.passes();
        let limit = if passes && !self.shows_all { failure::FEW_FINDINGS } else { failure::MANY_FINDINGS };
        let teller = Teller { root: &self.options.config.root, source: source(case), limit };
        if !passes {
            state.store(FAILED, Ordering::Release);
            return Err(teller.failure(&outcome).into());
        }
        state.store(PASSED, Ordering::Release);
        if matches!(outcome.verdict, Verdict::OnlyReports) {
            return Ok(Completion::ignored_with(ONLY_REPORTS));
        }
        self.notes.add(*position, &case.name, self.note(&teller, &outcome));
        Ok(Completion::Completed)
    }

    fn note(&self, teller: &Teller<'_>, outcome: &Outcome) -> String {
        let mut note = teller.warnings(outcome);
        if self.shows_all {
            note.push_str(&failure::console(&outcome.console));
        }
        note
    }
}

/// Where a case's own errors stand.
fn source(case: &Case) -> Option<String> {
    match &case.task {
        Task::Body(task) => Some(match &task.source {
            Source::Configured { file, line, .. } => format!("{file}:{line}"),
            other => other.to_string(),
        }),
        Task::Carriers | Task::Check(_) | Task::OnlyReports => None,
    }
}

fn execute(
    options: &Options,
    mut arguments: Arguments,
    selected: Vec<Case>,
    others: Vec<Case>,
    err: &mut dyn Write,
) -> Status {
    let threads = arguments.test_threads.or_else(|| thread::available_parallelism().ok().map(usize::from)).unwrap_or(1);
    // More threads than cases would idle, and a system has only so many.
    let threads = threads.min(selected.len()).max(1);
    arguments.test_threads = Some(threads);
    let shared = Arc::new(Shared {
        engine: Engine::new(EngineOptions {
            root: options.config.root.clone(),
            discover: options.discover.clone(),
            limits: Limits { time: options.config.limits.time, memory: options.config.limits.memory },
        }),
        options: options.clone(),
        notes: Notes::default(),
        shows_all: arguments.nocapture || arguments.show_output,
    });
    if selected.iter().any(|case| case.task != Task::OnlyReports) && !arguments.bench {
        slow::during("deriving the graph …", || shared.engine.prepare());
    }
    let running: Vec<Arc<Running>> = (0..)
        .zip(selected)
        .map(|(position, case)| Arc::new(Running { case, position, state: AtomicU8::new(WAITING) }))
        .collect();
    let mut trials: Vec<Trial> = running.iter().map(|case| trial(&shared, case, arguments.ignored)).collect();
    // They are filtered out again, which is how libtest-mimic comes to count them.
    trials.extend(others.iter().map(stand_in));
    let result = printer_panic::catch(|| libtest_mimic::run(&arguments, trials));
    let status = match result {
        Ok(conclusion) if conclusion.has_failed() => Status::Failed,
        Ok(_) => Status::Success,
        Err(Fault::Unwritable(reason)) => return unwritable(&reason, err),
        // The exit code is that of the whole run, although nobody reads the rest.
        Err(Fault::Closed) => finish(&shared, &running, arguments.bench),
    };
    write(err, &shared.notes.text());
    status
}

fn trial(shared: &Arc<Shared>, running: &Arc<Running>, only_ignored: bool) -> Trial {
    let (shared, case) = (Arc::clone(shared), Arc::clone(running));
    let name = running.case.name.clone();
    // A case that only reports says so itself, with the reason, which a flag cannot; under `--ignored` the flag selects it.
    let flag = only_ignored && running.case.task == Task::OnlyReports;
    Trial::ignorable_test(name, move || shared.run(&case)).with_ignored_flag(flag)
}

fn finish(shared: &Shared, running: &[Arc<Running>], nothing_runs: bool) -> Status {
    for case in running {
        if case.state.load(Ordering::Acquire) == WAITING && !nothing_runs {
            // Its text has no reader; its state is what counts.
            let _ = shared.run(case);
        }
    }
    let failed = running.iter().any(|case| case.state.load(Ordering::Acquire) == FAILED);
    if failed { Status::Failed } else { Status::Success }
}
