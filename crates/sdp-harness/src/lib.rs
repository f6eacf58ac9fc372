//! Rules, recipes and checks as test cases: a configuration and the arguments of a test runner come in, libtest's output
//! and a status go out. It never ends the process, and a list of cases evaluates nothing.
//!
//! A repository's own `[[test]]` with `harness = false` needs one line:
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     sdp_harness::main()
//! }
//! ```

// @sdpAnchor component:sdp.harness
// @sdpLayer application
// @sdpContext engine
// @sdpUses component:sdp.config, component:sdp.extract, component:sdp.reader

pub mod accept;
mod ahead;
mod arguments;
pub mod baseline;
pub mod cache;
pub mod diagnostic;
pub mod event;
mod failure;
pub mod human;
mod nearest;
mod notes;
pub mod outputs;
mod packages;
pub mod paths;
mod printer_panic;
pub mod progress;
pub mod report;
mod run;
pub mod sinks;
mod source_file;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use cache::CacheFolder;
use sdp_core::config::{self, Config, Environment, LoadError, RootRequest};
use sdp_core::discover::DiscoverOptions;
use sdp_core::rules::name::in_root;
use sdp_core::{harmless, threads};

pub use accept::Acceptance;
pub use outputs::{Outputs, Streams};
pub use packages::CargoPackages;
pub use run::{again, run, run_with};

/// A graph is many small texts made by all threads at once, which the system's allocator is slow at.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Who asks for the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// `cargo sdp rules`: a filter that matches nothing is an error of its own.
    CommandLine,
    /// A repository's own `[[test]]`: such a filter is fine, as libtest has it.
    TestBinary,
}

/// What a run stands on.
#[derive(Clone, Debug)]
pub struct Options {
    /// The roots, one at least.
    pub roots: Vec<Root>,
    /// Who asks.
    pub caller: Caller,
}

/// One root of a run.
#[derive(Clone, Debug)]
pub struct Root {
    /// Its folder and what is configured for it.
    pub config: Config,
    /// What the walks for carriers and rule files leave out.
    pub discover: DiscoverOptions,
    /// The diagnostics that are let stand.
    pub acceptance: Acceptance,
    /// Where the graph may come from and is kept; none: it is derived anew, and nothing is written.
    pub cache: Option<CacheFolder>,
}

impl Root {
    /// A text of the run that is about this root: with two or more roots it opens with the root's name.
    #[must_use]
    pub fn said(&self, text: &str) -> String {
        self.config.said(text)
    }

    /// A case's name in the run: with two or more roots it opens with the root's.
    #[must_use]
    pub fn case_name(&self, case: &str) -> String {
        in_root(self.config.name.as_deref(), case)
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Status {
    /// Every case that ran passed, or there was only a list or a help text to print.
    Success,
    /// The run was refused before any case, or its output could not be written.
    Refused,
    /// The arguments are wrong.
    Usage,
    /// The command line's filter matches no case.
    NothingMatched,
    /// A case failed.
    Failed,
}

impl Status {
    /// The exit code (DESIGN part 3): 0, 1, 2, 4 and, as libtest has it, 101.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Status::Success => 0,
            Status::Refused => 1,
            Status::Usage => 2,
            Status::NothingMatched => 4,
            Status::Failed => 101,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status.code())
    }
}

/// The whole of a repository's `[[test]]`: the package's configuration, the process's arguments, its streams.
///
/// The roots are those that `cargo sdp rules` would run, started in the package's folder: one that a configuration lists where
/// the package lies in it, else all of them. A package beside the listed roots runs every one.
#[must_use]
pub fn main() -> ExitCode {
    let mut err = std::io::stderr();
    let start = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).map_or_else(std::env::current_dir, Ok);
    let cwd = match start {
        Ok(cwd) => cwd,
        Err(error) => {
            say_to(&mut err, &format!("the current folder cannot be read ({error})"));
            return Status::Refused.into();
        }
    };
    let configs = match config::load_all(&RootRequest { root: None, cwd: &cwd }) {
        Ok(configs) => configs,
        Err(error) => {
            refuse_load(&error, &mut err);
            return Status::Refused.into();
        }
    };
    if let Err(error) = threads::start(false) {
        say_to(&mut err, &error.to_string());
        return Status::Refused.into();
    }
    let environment = Environment::read(&cwd, |name| std::env::var_os(name));
    let mut configs = configs;
    let acceptances = match accept::prepare(&mut configs, &accept::Request::default(), |name| std::env::var_os(name)) {
        Ok(acceptances) => acceptances,
        Err(error) => {
            say_to(&mut err, &format!("{error}: {}", error.hint()));
            return Status::Refused.into();
        }
    };
    let is_turned_off = cache::is_turned_off(std::env::var_os(cache::NO_CACHE).as_deref());
    let root = |(config, acceptance): (Config, Acceptance)| Root {
        discover: DiscoverOptions::of(&config, &environment),
        acceptance,
        cache: (!is_turned_off).then(|| CacheFolder::of(&config.root, &environment)),
        config,
    };
    let options =
        Options { roots: configs.into_iter().zip(acceptances).map(root).collect(), caller: Caller::TestBinary };
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    run(&options, arguments, &mut err).into()
}

fn refuse_load(error: &LoadError, err: &mut dyn Write) {
    match error {
        LoadError::Invalid { findings, .. } => {
            for finding in findings {
                write(err, &format!("{}\n", harmless::cut(&finding.line_form(), human::MAX_TEXT)));
            }
        }
        LoadError::RootIsNotAFolder(root) => say_to(err, &format!("{error}: {}", root.display())),
        LoadError::SeveralRoots(_) => say_to(err, &error.to_string()),
    }
}

/// One line of the run's own words.
fn own_line(text: &str) -> String {
    format!("sdp rules: {}\n", harmless::cut(text, human::MAX_TEXT))
}

/// Says a line of the run's own words.
fn say(streams: &mut dyn Streams, text: &str) {
    streams.err(&own_line(text));
}

/// The same on a bare stream.
fn say_to(err: &mut dyn Write, text: &str) {
    write(err, &own_line(text));
}

/// Words of the run, which give a CI runner no commands. A stderr that cannot be written leaves nobody to tell.
fn write(err: &mut dyn Write, text: &str) {
    let _ = err.write_all(harmless::without_commands(text).as_bytes()).and_then(|()| err.flush());
}
