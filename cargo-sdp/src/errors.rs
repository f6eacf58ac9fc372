//! What a user can cause: one enum, of which each variant knows its exit code and prints itself, with the line that the
//! Protocol pins where it pins one, and a hint below it. Everything else that goes wrong is a bug.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sdp_core::finding::Finding;
use sdp_core::harmless;
use sdp_core::threads::NoThreads;
use sdp_eval::fault::FailureCode;
use sdp_harness::event::counted;
use sdp_harness::outputs::OutputsError;

use crate::git::GitFault;
use crate::output::Output;
use crate::params::ParamsFault;

/// How a run of the engine's commands ends. The numbers are a public interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All is well; warnings are fine too.
    Fine,
    /// An error finding, or a refusal.
    Failed,
    /// The command line makes no sense (`q` answers those with its own refusals and 1).
    Usage,
    /// The filter of `rules` matches no case.
    NothingMatched,
    /// A case of `rules` failed.
    CaseFailed,
    /// `eval` met a contract that could not be trusted.
    StructuralFailure,
    /// `eval` could not read or write an artifact.
    RuntimeFault,
    /// The arguments of `eval` make no sense.
    EvalUsage,
}

impl Exit {
    /// The number.
    const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::NothingMatched | Self::StructuralFailure => 4,
            Self::RuntimeFault => 5,
            Self::EvalUsage => 64,
            Self::CaseFailed => 101,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

/// A refusal: the command did not do what it was asked for, and the user can mend it.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// `q` met an option that it does not have.
    UnknownOption {
        /// The token as given.
        token: String,
        /// The option that it may have meant.
        nearest: Option<&'static str>,
    },
    /// `q` met a second body.
    SecondBody,
    /// An option that may stand once stands twice.
    Repeated(&'static str),
    /// An option without its value, or with an empty one.
    MissingValue {
        /// The option.
        flag: &'static str,
        /// What it takes, such as `a path`.
        wants: &'static str,
    },
    /// An option with another value than it takes.
    WrongValue {
        /// The option.
        flag: &'static str,
        /// What it takes.
        wants: &'static str,
        /// The value.
        got: String,
    },
    /// An exclude outside the excludes contract.
    InvalidExclude(String),
    /// The root is no folder; the path is absolute.
    RootIsNotAFolder(PathBuf),
    /// What `--manifest-path` names is no manifest, nor a folder with one.
    NoManifest {
        /// The path, absolute.
        path: PathBuf,
        /// What is there instead.
        fault: ManifestFault,
    },
    /// Two options that exclude each other.
    Opposed(&'static str, &'static str),
    /// The current folder is gone or closed.
    NoCurrentFolder(std::io::Error),
    /// The system gives no thread to work with.
    NoThreads(NoThreads),
    /// The server of `mcp` could not start.
    #[cfg(feature = "mcp")]
    NotServed(std::io::Error),
    /// A command that takes one root met several: their names.
    SeveralRoots(Vec<String>),
    /// The configuration is wrong.
    InvalidConfig {
        /// The root, absolute.
        root: PathBuf,
        /// What is wrong with it.
        findings: Vec<Finding>,
    },
    /// Severity overrides of the command line are wrong.
    InvalidSeverities {
        /// The root, absolute.
        root: PathBuf,
        /// What is wrong with them.
        findings: Vec<Finding>,
    },
    /// The parameters are wrong.
    Params(ParamsFault),
    /// No body, and stdin is a terminal.
    NoBody,
    /// The body is no UTF-8 text.
    BodyIsNotText,
    /// Stdin gave no text; the reason.
    Stdin(String),
    /// A body of white space.
    EmptyBody,
    /// Extraction gave an error finding, which is printed already.
    NotDerived,
    /// The body was refused, threw, or ran out of something.
    Evaluation {
        /// The line after the prefix.
        message: String,
        /// What may help.
        hint: Option<String>,
    },
    /// The answer has no JSON form; the line after the prefix.
    NoJson(String),
    /// Error findings keep `build` from writing.
    HardErrors,
    /// An output could not be written.
    Unwritten {
        /// What the writer says.
        message: String,
    },
    /// Outputs that cannot be opened together.
    Outputs(OutputsError),
    /// Outputs that could not be written; what is said of each.
    OutputUnwritten {
        /// One text for each file.
        faults: Vec<String>,
    },
    /// Files that `build --check` compared and that are not what it would write.
    OutOfDate {
        /// What is wrong with each, with its path.
        faults: Vec<String>,
    },
    /// `import` wrote nothing.
    NotImported {
        /// The line after the prefix.
        message: String,
        /// What may help.
        hint: &'static str,
    },
    /// `new` or `init` wrote nothing.
    NotMade {
        /// The command as the line names it, such as `new spec`.
        command: &'static str,
        /// The line after the prefix.
        message: String,
        /// What may help.
        hint: Option<String>,
    },
    /// A baseline could not be read or written, or its waivers could not be judged; what is said of it.
    Baseline {
        /// The line after the prefix.
        message: String,
        /// What may help.
        hint: &'static str,
    },
    /// Rows that `unbound` found and the baseline does not have, or the other way round; they are printed already.
    BaselineDiffers {
        /// How many are new.
        fresh: usize,
        /// How many match nothing.
        stale: usize,
    },
    /// git gave no answer.
    Git(GitFault),
    /// A watch that cannot go on.
    WatchFailed(std::io::Error),
    /// A form that is whole at the end of a run only, on the stdout of a run without an end.
    WholeForm(&'static str),
    /// A recipe that the catalog does not hold.
    UnknownRecipe {
        /// The name as given.
        name: String,
        /// The slug that it may have meant.
        nearest: Option<String>,
    },
    /// A manual page of a command that does not exist.
    UnknownCommand {
        /// The name as given.
        name: String,
        /// The command that it may have meant.
        nearest: Option<String>,
    },
    /// An id that `explain` does not know.
    UnknownFinding {
        /// The id as given.
        name: String,
        /// The id or the group that it may have meant.
        nearest: Option<&'static str>,
    },
}

/// The code of `eval` that a name is.
fn eval_code(name: &str) -> Option<FailureCode> {
    FailureCode::ALL.iter().copied().find(|code| code.as_str() == name)
}

/// What stands where `--manifest-path` leads to no manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ManifestFault {
    /// Nothing.
    Missing,
    /// A folder that holds no manifest.
    BareFolder,
    /// Something else, such as a file of another name.
    Other,
}

impl From<GitFault> for Refusal {
    fn from(fault: GitFault) -> Self {
        Refusal::Git(fault)
    }
}

impl ManifestFault {
    /// What is wrong with a path that is neither a manifest nor a folder with one.
    pub(crate) fn of(path: &Path) -> Self {
        match fs::metadata(path) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Self::Missing,
            Ok(metadata) if metadata.is_dir() => Self::BareFolder,
            _ => Self::Other,
        }
    }

    const fn said(self) -> &'static str {
        match self {
            Self::Missing => "does not exist",
            Self::BareFolder => "is a folder that holds no Cargo.toml and no sdp.toml",
            Self::Other => "is no Cargo.toml and no sdp.toml",
        }
    }
}

impl Refusal {
    /// The exit code that the run ends with.
    pub(crate) const fn exit(&self) -> Exit {
        match self {
            Refusal::Outputs(OutputsError::OneStream { .. } | OutputsError::OneFile { .. }) | Refusal::WholeForm(_) => {
                Exit::Usage
            }
            _ => Exit::Failed,
        }
    }

    /// Prints the refusal of a command on stderr.
    pub(crate) fn print(&self, command: &str, output: &mut Output) {
        if let Refusal::InvalidConfig { findings, .. } | Refusal::InvalidSeverities { findings, .. } = self {
            for finding in findings {
                output.err_line(&harmless::one_line(&finding.line_form()));
            }
        }
        // No line of what a body or a path says can pass for one of this program's own.
        output.err_line(&harmless::continued(&self.line(command)));
        if let Some(hint) = self.hint() {
            output.err_line(&harmless::continued(&hint));
        }
    }

    /// The first line, with the prefix of the command. Two of the pinned lines have no colon.
    pub(crate) fn line(&self, command: &str) -> String {
        let said = match self {
            Refusal::SecondBody => return format!("sdp {command} takes at most one body argument."),
            Refusal::Repeated(flag) => return format!("sdp {command} takes at most one {flag}."),
            Refusal::NotMade { command, message, .. } => return format!("sdp {command}: {message}"),
            Refusal::UnknownOption { token, .. } => format!("unknown option {}", harmless::one_line(token)),
            Refusal::MissingValue { flag, wants } => format!("{flag} requires {wants}."),
            Refusal::WrongValue { flag, wants, got } => {
                format!("{flag} expects {wants}, got {}", harmless::one_line(got))
            }
            Refusal::InvalidExclude(path) => format!("invalid --exclude path \"{}\"", harmless::one_line(path)),
            Refusal::RootIsNotAFolder(path) => {
                format!("root \"{}\" is not a directory.", harmless::one_line(&path.to_string_lossy()))
            }
            Refusal::NoManifest { path, fault } => {
                format!("\"{}\" {}.", harmless::one_line(&path.to_string_lossy()), fault.said())
            }
            Refusal::Opposed(one, other) => format!("{one} and {other} exclude each other."),
            Refusal::NoCurrentFolder(error) => format!("the current folder could not be read ({error})."),
            Refusal::NoThreads(error) => format!("{error}."),
            #[cfg(feature = "mcp")]
            Refusal::NotServed(error) => format!("the server could not start ({error})."),
            Refusal::SeveralRoots(_) => "the configuration lists several roots, and one is needed.".to_owned(),
            Refusal::InvalidConfig { .. } => "the configuration is invalid — nothing was run.".to_owned(),
            Refusal::InvalidSeverities { .. } => "a severity override is invalid — nothing was run.".to_owned(),
            Refusal::Params(fault) => fault.to_string(),
            Refusal::NoBody => "no body supplied and stdin is a terminal.".to_owned(),
            Refusal::BodyIsNotText => "the body is not UTF-8.".to_owned(),
            Refusal::Stdin(reason) => format!("stdin could not be read ({reason})."),
            Refusal::EmptyBody => "the body is empty — `return` is the output contract.".to_owned(),
            Refusal::NotDerived => "the graph did not derive — the body was not run.".to_owned(),
            Refusal::Evaluation { message, .. }
            | Refusal::NoJson(message)
            | Refusal::Unwritten { message }
            | Refusal::NotImported { message, .. }
            | Refusal::Baseline { message, .. } => message.clone(),
            Refusal::BaselineDiffers { fresh, stale } => {
                let rows = |count: usize| counted(count, "row");
                match (fresh, stale) {
                    (fresh, 0) => format!("{} beyond the baseline.", rows(*fresh)),
                    (0, stale) => format!("{} of the baseline without a match.", rows(*stale)),
                    (fresh, stale) => {
                        format!("{} beyond the baseline, {} of it without a match.", rows(*fresh), rows(*stale))
                    }
                }
            }
            Refusal::Outputs(error) => format!("{error}."),
            Refusal::OutputUnwritten { faults } => format!("{}.", faults.join("; ")),
            Refusal::WatchFailed(error) => format!("watch failed — {error}"),
            Refusal::WholeForm(form) => {
                format!("`--output {form}` is one document, which a watch writes to a file only.")
            }
            Refusal::HardErrors => "hard errors present — graph.json not written.".to_owned(),
            Refusal::OutOfDate { faults } => format!("{}.", faults.join("; ")),
            Refusal::UnknownFinding { name, .. } => {
                format!("no finding and no readiness clause is named {}", harmless::cut(name, 200))
            }
            Refusal::Git(fault) => fault.line(),
            Refusal::UnknownRecipe { name, .. } => {
                format!("the catalog holds no recipe {}", harmless::cut(name, 200))
            }
            Refusal::UnknownCommand { name, .. } => format!("no command is named {}", harmless::one_line(name)),
        };
        format!("sdp {command}: {said}")
    }

    /// What may help, as a line of its own. Parse errors and faulty parameters stay one line, as their contract has it.
    pub(crate) fn hint(&self) -> Option<String> {
        let hint = match self {
            Refusal::NoBody => {
                // Pinned as it stands.
                return Some(
                    "Pass the async function body as an argument or pipe it on stdin, for example: sdp q 'return g.specs().length'"
                        .to_owned(),
                );
            }
            Refusal::UnknownOption { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            Refusal::UnknownOption { nearest: None, .. } => {
                "`cargo sdp q --help` lists the options; a body that opens with `--` goes after a `--`".to_owned()
            }
            Refusal::SecondBody => "quote the body, so that the shell hands it over as one argument".to_owned(),
            Refusal::Repeated(flag) => format!("give {flag} once"),
            Refusal::MissingValue { flag: "--root", .. } => {
                "`--root .` is the current folder; without `--root` the root is found from there".to_owned()
            }
            Refusal::MissingValue { flag: "--exclude", .. } | Refusal::InvalidExclude(_) => {
                "an exclude is a path below the root, such as `specs/drafts`: no `./`, no `..`, no `\\`, no `/` at either end"
                    .to_owned()
            }
            Refusal::MissingValue { flag: "--timeout", .. } | Refusal::WrongValue { flag: "--timeout", .. } => {
                "for example `--timeout 30` or `--timeout 0.5`".to_owned()
            }
            Refusal::MissingValue { flag: "--memory", .. } | Refusal::WrongValue { flag: "--memory", .. } => {
                "for example `--memory 512`".to_owned()
            }
            Refusal::WrongValue { flag: "--root" | "--exclude", .. } => {
                "a path that opens with `--` is written `./--…` for a root; an option needs its own value first".to_owned()
            }
            Refusal::RootIsNotAFolder(_) => "a relative root starts at the current folder".to_owned(),
            Refusal::MissingValue { flag: "--manifest-path", .. }
            | Refusal::WrongValue { flag: "--manifest-path", .. }
            | Refusal::NoManifest { .. } => {
                "`--manifest-path` takes a Cargo.toml, an sdp.toml or a folder that holds one; `--root` takes any folder"
                    .to_owned()
            }
            Refusal::MissingValue { flag: "--color", .. } | Refusal::WrongValue { flag: "--color", .. } => {
                "for example `--color never`".to_owned()
            }
            Refusal::Opposed(one, other) => format!("leave out {one} or {other}"),
            Refusal::NoCurrentFolder(_) => "change to a folder that exists".to_owned(),
            #[cfg(feature = "mcp")]
            Refusal::NotServed(_) => "raise the limit on processes or on memory (`ulimit -u`, `ulimit -v`)".to_owned(),
            Refusal::NoThreads(_) => "raise the limit on processes or on memory (`ulimit -u`, `ulimit -v`, the container's own)".to_owned(),
            Refusal::InvalidConfig { findings, .. } | Refusal::InvalidSeverities { findings, .. } => findings.first()?.remedy().to_owned(),
            Refusal::SeveralRoots(names) => {
                let first = names.first().map_or("NAME", String::as_str);
                format!("choose one with --root {first} (roots: {})", names.join(", "))
            }
            Refusal::BodyIsNotText | Refusal::Stdin(_) => {
                "pass the body as an argument, or pipe UTF-8 text of at most 16 MiB".to_owned()
            }
            Refusal::EmptyBody => "for example: cargo sdp q 'return g.specs().length'".to_owned(),
            Refusal::NotDerived | Refusal::HardErrors => {
                "`cargo sdp check` shows each finding with its source line and a remedy".to_owned()
            }
            Refusal::Evaluation { hint, .. } | Refusal::NotMade { hint, .. } => hint.clone()?,
            Refusal::NoJson(_) => "return plain data: objects, arrays, strings, numbers, booleans or null".to_owned(),
            Refusal::Unwritten { .. } => "`--out-dir DIR` names a folder that can be written".to_owned(),
            Refusal::Outputs(OutputsError::OneStream { one, .. }) => {
                format!("give one of them a file: `--output {}=FILE`", one.as_str())
            }
            Refusal::Outputs(OutputsError::IsRead { .. }) => "give it a file of its own".to_owned(),
            Refusal::Outputs(OutputsError::OneFile { .. }) => "give each form a file of its own".to_owned(),
            Refusal::Outputs(OutputsError::NoFile { .. }) | Refusal::OutputUnwritten { .. } => {
                "`--output FORMAT=FILE` names a regular file, or a new one, in a folder that can be written".to_owned()
            }
            Refusal::WatchFailed(_) => "without `--watch` the command runs once".to_owned(),
            Refusal::WholeForm(form) => format!("name the file: `--output {form}=FILE`"),
            Refusal::Baseline { hint, .. } | Refusal::NotImported { hint, .. } => (*hint).to_owned(),
            Refusal::BaselineDiffers { fresh: 0, .. } => {
                "`--update-baseline` writes the rows of today into the baseline".to_owned()
            }
            Refusal::BaselineDiffers { .. } => {
                "bind what is new with an anchor, or accept it with `--update-baseline`".to_owned()
            }
            Refusal::OutOfDate { .. } => "`cargo sdp build`, with the same options but `--check`, writes them".to_owned(),
            Refusal::UnknownFinding { name, .. } if eval_code(name).is_some() => {
                let remedy = eval_code(name).map_or("", FailureCode::remedy);
                format!("`cargo sdp eval` refuses a contract with this code: {remedy}")
            }
            Refusal::UnknownFinding { nearest: Some(nearest), .. } => {
                format!("did you mean `{nearest}`? `cargo sdp explain` lists every id")
            }
            Refusal::UnknownFinding { nearest: None, .. } => "`cargo sdp explain` lists every id".to_owned(),
            Refusal::Git(fault) => fault.hint(),
            Refusal::UnknownRecipe { nearest: Some(nearest), .. } => {
                format!("did you mean `{nearest}`? `cargo sdp recipes` lists the catalog")
            }
            Refusal::UnknownRecipe { nearest: None, .. } => "`cargo sdp recipes` lists the catalog".to_owned(),
            Refusal::UnknownCommand { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            Refusal::UnknownCommand { nearest: None, .. } => "`cargo sdp --help` lists the commands".to_owned(),
            Refusal::MissingValue { .. } | Refusal::WrongValue { .. } | Refusal::Params(_) => return None,
        };
        Some(format!("hint: {hint}"))
    }
}
