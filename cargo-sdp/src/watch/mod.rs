//! `--watch`: a command and its options come in; it runs once, and again when something changed that it reads, until a signal
//! ends it. This thread alone prints, so that a signal never cuts a line or a file; the cycles run on a thread of their own, so
//! that no body keeps a signal waiting.

mod burst;
mod content;
mod difference;
mod interest;
mod links;
mod poller;
mod show;
mod source;
mod worker;

use std::collections::HashSet;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use sdp_core::config::Config;
use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::Extraction;
use sdp_core::rules::{Plan, PlanError};
use sdp_harness::diagnostic::Diagnostic;
use sdp_harness::event::{CaseId, RunRoot, Summary};
use sdp_harness::outputs::{Format, Outputs, People};
use sdp_harness::report::CaseReport;
use sdp_harness::{Acceptance, CargoPackages};

use self::burst::Burst;
use self::interest::Interest;
use self::source::{Ear, Source};
use self::worker::{Batch, Worker};
use crate::accept::AcceptArgs;
use crate::errors::{Exit, Refusal};
use crate::output::Output;
use crate::overrides::SeverityArgs;
use crate::report::OutputsArgs;
use crate::root::{self, CommonArgs, Workspace};

/// The stack of the thread that runs the cycles: that of a main thread.
const STACK: usize = 8 << 20;

/// How long a signal waits for what is being written.
const PATIENCE: Duration = Duration::from_secs(2);

/// The options of a watch.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[command(next_help_heading = "Watching")]
pub(crate) struct WatchArgs {
    /// Run again whenever something changes that the run reads, until Ctrl-C; ends with 0 then, whatever was found
    #[arg(long, conflicts_with = "update_baseline")]
    pub(crate) watch: bool,
    /// Look at the folders twice a second rather than wait to be told of changes, for network file systems
    #[arg(long, requires = "watch")]
    pub(crate) poll: bool,
}

/// What is asked for on the command line.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The name of the command.
    pub(crate) command: &'static str,
    pub(crate) common: CommonArgs,
    pub(crate) severity: SeverityArgs,
    pub(crate) accept: AcceptArgs,
    pub(crate) outputs: OutputsArgs,
    /// Where its forms for people go.
    pub(crate) people: People,
    /// Whether to poll.
    pub(crate) polls: bool,
    /// The current folder, absolute: the run stays there when it is removed and comes back.
    pub(crate) cwd: PathBuf,
    /// The folder whose removal is waited out.
    pub(crate) start: PathBuf,
}

/// What a command does in a cycle.
pub(crate) trait Watched: Send + 'static {
    /// What the walk of a root leaves out.
    fn discover(&self, workspace: &Workspace) -> DiscoverOptions;
    /// Changes a configuration as the command line has it.
    fn configure(&self, config: &mut Config);
    /// Whether bodies of rules are run, so that their content matters.
    fn runs_bodies(&self) -> bool;
    /// Judges what stands.
    fn judge(&mut self, ground: Ground<'_>) -> Found;
    /// What to make of a refusal: some are findings.
    fn refused(&self, refusal: Refusal) -> Result<Found, Refusal>;
}

/// What a cycle judges.
pub(crate) struct Ground<'g> {
    /// The roots.
    pub(crate) workspaces: Vec<Workspace>,
    /// What is let stand in each.
    pub(crate) acceptances: Vec<Acceptance>,
    /// The plan of each.
    pub(crate) plans: Vec<Arc<Result<Plan, PlanError>>>,
    /// What cargo says of the packages of each.
    pub(crate) packages: Vec<Arc<CargoPackages>>,
    /// Gives the extraction of the root at a position, once.
    pub(crate) derive: &'g mut dyn FnMut(usize) -> Extraction,
}

/// What a cycle found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The roots.
    pub(crate) roots: Vec<RunRoot>,
    /// The cases that speak through `diagnostics`.
    pub(crate) checks: Vec<CaseId>,
    /// What is said apart from cases.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The cases that ran.
    pub(crate) reports: Vec<CaseReport>,
    /// The names of cases that exist and were not judged.
    pub(crate) unjudged: HashSet<String>,
    /// Whether nothing was judged.
    pub(crate) is_refused: bool,
    /// How much is let stand, where cases do not say so, and what a filter left out.
    pub(crate) counts: Summary,
    /// The files that no output may replace.
    pub(crate) baselines: Vec<PathBuf>,
    /// The run's own lines for stderr.
    pub(crate) notes: Vec<String>,
    /// What the line that sums up says of it.
    pub(crate) summary: String,
}

/// A cycle that has ended.
struct Report {
    found: Result<Found, Refusal>,
    started: Instant,
    changed: Vec<PathBuf>,
}

/// What this thread is told.
enum Message {
    /// Something may have changed in a folder, or the folder itself.
    Changed { folder: PathBuf, name: Option<OsString> },
    /// Changes went untold.
    Rescan,
    /// The system wants an end.
    Signal,
    /// Something to say.
    Note(String),
    /// The folder is gone.
    Gone(PathBuf),
    /// It is gone still.
    Waiting,
    /// A cycle has ended.
    Cycle(Box<Report>),
    /// The next batch may come.
    Idle,
}

/// Watches until a signal comes or nobody reads any more.
#[sdp::satisfies(
    "spec:sdp.watch",
    component = "component:sdp.command-line",
    references = "spec:sdp.decisions.folders-watched"
)]
pub(crate) fn run(mut request: Request, watched: impl Watched, output: &mut Output) -> Result<Exit, Refusal> {
    let outputs = request.open(output)?;
    if let Some(format) =
        outputs.stdout().filter(|format| matches!(format, Format::Sarif | Format::Gitlab | Format::Junit))
    {
        return Err(Refusal::WholeForm(format.as_str()));
    }
    // What the command line has wrong stays wrong.
    match root::load_all_weighed_in(&request.common, &request.severity, &request.cwd) {
        Ok(_) | Err(Refusal::InvalidConfig { .. }) => {}
        Err(refusal) => return Err(refusal),
    }
    request.start = start(&request.common, &request.cwd);
    let (sender, messages) = mpsc::channel();
    let written = outputs.files().map(Path::to_owned).collect();
    let interest = Arc::new(RwLock::new(Interest { written, ..Interest::default() }));
    end_on_signals(sender.clone())?;
    let ear = Ear { interest, sender: sender.clone() };
    let source = Source::start(ear.clone(), request.polls).map_err(Refusal::WatchFailed)?;
    let worker = Worker::new(request.clone(), watched, ear, source);
    let (batches, batched) = mpsc::channel();
    let builder = thread::Builder::new().name("sdp-watch".to_owned()).stack_size(STACK);
    builder.spawn(move || worker.run(&batched, &sender)).map_err(Refusal::WatchFailed)?;
    attend(&messages, &batches, show::Screen::new(request, output))
}

/// Brings changes to the cycles, and cycles to the screen.
fn attend(
    messages: &Receiver<Message>,
    batches: &Sender<Batch>,
    mut screen: show::Screen<'_>,
) -> Result<Exit, Refusal> {
    let (mut burst, mut batch) = (Burst::default(), Batch::default());
    // A change that comes while files are read may be in what was read, or not.
    let (mut is_busy, mut is_reading) = (true, true);
    loop {
        let wait = burst.due().filter(|_| !is_busy).map(|due| due.saturating_duration_since(Instant::now()));
        let message = match wait {
            None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(wait) if wait.is_zero() => Err(RecvTimeoutError::Timeout),
            Some(wait) => messages.recv_timeout(wait),
        };
        match message {
            Ok(Message::Changed { folder, name }) => {
                burst.add(Instant::now());
                *batch.places.entry((folder, name)).or_default() |= is_reading;
            }
            Ok(Message::Rescan) => {
                burst.add(Instant::now());
                batch.has_gaps = true;
            }
            Ok(Message::Signal) => return Ok(Exit::Fine),
            Ok(Message::Note(text)) => screen.say(&text),
            Ok(Message::Gone(folder)) => screen.gone(&folder),
            Ok(Message::Waiting) => {}
            Ok(Message::Cycle(report)) => {
                is_reading = false;
                if screen.cycle(*report)? {
                    return Ok(Exit::Fine);
                }
            }
            Ok(Message::Idle) => (is_busy, is_reading) = (false, false),
            Err(RecvTimeoutError::Timeout) => {
                burst.clear();
                (is_busy, is_reading) = (true, true);
                if batches.send(std::mem::take(&mut batch)).is_err() {
                    return Err(broken());
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Err(broken()),
        }
    }
}

/// The thread of the cycles is gone, which is a fault of the program.
fn broken() -> Refusal {
    Refusal::WatchFailed(std::io::Error::other("a cycle broke off"))
}

/// A signal ends the run between two writes; where a reader does not take what is written, without waiting longer.
fn end_on_signals(sender: Sender<Message>) -> Result<(), Refusal> {
    let end = move || {
        if sender.send(Message::Signal).is_ok() {
            thread::sleep(PATIENCE);
        }
        process::exit(0);
    };
    ctrlc::set_handler(end).map_err(|error| Refusal::WatchFailed(std::io::Error::other(error)))
}

/// The folder that a run starts in.
fn start(common: &CommonArgs, cwd: &Path) -> PathBuf {
    let given = common.root.as_deref().or(common.manifest_path.as_deref()).map(|path| cwd.join(path));
    match given {
        Some(path) if path.is_dir() => path,
        Some(path) if common.root.is_none() => path.parent().map_or_else(|| cwd.to_owned(), Path::to_owned),
        // It is the name of a root that is listed.
        _ => cwd.to_owned(),
    }
}

impl Request {
    /// Takes the folder that the process is in.
    pub(crate) fn cwd() -> Result<PathBuf, Refusal> {
        env::current_dir().map_err(Refusal::NoCurrentFolder)
    }

    fn open(&self, output: &Output) -> Result<Outputs, Refusal> {
        let mut outputs = self.outputs.open_in(&self.cwd, Format::Human, self.people, output)?;
        outputs.leave_out_the_step_summary();
        Ok(outputs)
    }
}
