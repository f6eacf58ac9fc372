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

mod ahead;
mod arguments;
mod failure;
pub mod human;
mod nearest;
mod notes;
mod printer_panic;
pub mod progress;
mod run;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use sdp_core::config::{self, Config, Environment, LoadError, RootRequest};
use sdp_core::discover::DiscoverOptions;
use sdp_core::{harmless, threads};

pub use run::run;

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
    /// The root and what is configured for it.
    pub config: Config,
    /// What the walks for carriers and rule files leave out.
    pub discover: DiscoverOptions,
    /// Who asks.
    pub caller: Caller,
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
#[must_use]
pub fn main() -> ExitCode {
    let mut err = std::io::stderr();
    let start = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).map_or_else(std::env::current_dir, Ok);
    let cwd = match start {
        Ok(cwd) => cwd,
        Err(error) => {
            say(&mut err, &format!("the current folder cannot be read ({error})"));
            return Status::Refused.into();
        }
    };
    let config = match config::load(&RootRequest { root: None, cwd: &cwd }) {
        Ok(config) => config,
        Err(error) => {
            refuse_load(&error, &mut err);
            return Status::Refused.into();
        }
    };
    if let Err(error) = threads::start(false) {
        say(&mut err, &error.to_string());
        return Status::Refused.into();
    }
    let environment = Environment::read(&cwd, |name| std::env::var_os(name));
    let discover = DiscoverOptions::of(&config, &environment);
    let options = Options { config, discover, caller: Caller::TestBinary };
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
        LoadError::RootIsNotAFolder(root) => say(err, &format!("{error}: {}", root.display())),
    }
}

/// One line of the run's own words.
fn say(err: &mut dyn Write, text: &str) {
    write(err, &format!("sdp rules: {}\n", harmless::cut(text, human::MAX_TEXT)));
}

/// Words of the run, which give a CI runner no commands. A stderr that cannot be written leaves nobody to tell.
fn write(err: &mut dyn Write, text: &str) {
    let _ = err.write_all(harmless::without_commands(text).as_bytes()).and_then(|()| err.flush());
}
