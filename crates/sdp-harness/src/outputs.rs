//! Outputs: the words of `--output` come in, each form is routed to its stream or its file, and events go to all of them. One
//! owner writes stdout and stderr; files are written whole at the end.

mod file;
mod format;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use sdp_core::harmless;

use crate::event::{Event, Run, RunRoot, Sink};
use crate::sinks::github::StepSummary;

pub use self::format::{Format, Request, RequestError};

/// The owner of stdout and stderr. A stream that cannot be written is judged by its owner.
pub trait Streams {
    /// Writes to stdout.
    fn out(&mut self, text: &str);
    /// Writes to stderr, where it gives a CI runner no commands.
    fn err(&mut self, text: &str);
    /// Writes commands to a CI runner to stderr, as they are.
    fn commands(&mut self, text: &str);
}

/// Where a command's forms for people go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum People {
    /// Findings to stderr and the line that sums up to stdout, as `check` has it.
    Stderr,
    /// All to stdout, as a test runner has it.
    Stdout,
}

/// What the process is asked for beside the requests.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The current folder, absolute: files are relative to it.
    pub cwd: PathBuf,
    /// What holds where no form is asked for that has no file.
    pub default: Format,
    /// Where forms for people go.
    pub people: People,
    /// Whether forms for people have colours on their stream.
    pub colour: bool,
    /// Whether lines that sum up are left out of the streams.
    pub quiet: bool,
    /// The file of the step's summary on GitHub: the variable `GITHUB_STEP_SUMMARY`.
    pub step_summary: Option<PathBuf>,
}

/// Why outputs cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OutputsError {
    /// Two forms want one stream.
    #[error("`--output {}` and `--output {}` both write to {stream}", .one.as_str(), .other.as_str())]
    OneStream {
        /// The one.
        one: Format,
        /// The other.
        other: Format,
        /// The stream.
        stream: &'static str,
    },
    /// Two forms want one file.
    #[error("`--output {}` and `--output {}` both write to `{}`", .one.as_str(), .other.as_str(), harmless::one_line(&.file.to_string_lossy()))]
    OneFile {
        /// The one.
        one: Format,
        /// The other.
        other: Format,
        /// The file.
        file: PathBuf,
    },
    /// The file is one that runs read, and it would be lost.
    #[error("`--output {}={}` names {what}, which it would replace", .format.as_str(), harmless::one_line(&.file.to_string_lossy()))]
    IsRead {
        /// The form.
        format: Format,
        /// The path, as given.
        file: PathBuf,
        /// What the file is.
        what: &'static str,
    },
    /// Something stands at the path that is no file.
    #[error("`--output {}={}` {what}", .format.as_str(), harmless::one_line(&.file.to_string_lossy()))]
    NoFile {
        /// The form.
        format: Format,
        /// The path, as given.
        file: PathBuf,
        /// What stands there.
        what: &'static str,
    },
}

/// Where the text of a form goes.
#[derive(Debug)]
enum Target {
    /// Stdout.
    Out,
    /// Stderr; the line that sums up goes to stdout where nothing else has it.
    Err,
    /// Stderr, with commands to a CI runner.
    Commands,
    /// A file, written at the end.
    File { path: PathBuf, text: String },
    /// A file that others write too, added to at the end.
    Append { path: PathBuf, text: String },
}

struct Route {
    format: Format,
    sink: Box<dyn Sink + Send>,
    target: Target,
}

/// All outputs of one run.
pub struct Outputs {
    routes: Vec<Route>,
    quiet: bool,
    /// The form that has stdout.
    stdout: Option<Format>,
    cwd: PathBuf,
    /// Each file by the one path that it has, with its form and the path as given.
    files: Vec<(PathBuf, Format, PathBuf)>,
}

impl Outputs {
    /// Routes each request, and the default where none of them has a stream.
    ///
    /// # Errors
    ///
    /// An [`OutputsError`], before anything is written.
    #[sdp::satisfies("spec:sdp.outputs", component = "component:sdp.harness")]
    pub fn open(requests: &[Request], settings: &Settings) -> Result<Self, OutputsError> {
        let default = Request { format: settings.default, file: None };
        let has_stream = requests.iter().any(|request| request.file.is_none());
        let requests = (!has_stream).then_some(&default).into_iter().chain(requests);
        let (quiet, cwd) = (settings.quiet, settings.cwd.clone());
        let mut outputs = Outputs { routes: Vec::new(), quiet, stdout: None, cwd, files: Vec::new() };
        let mut taken = Taken::default();
        for Request { format, file } in requests {
            let target = taken.target(*format, file.as_deref(), settings)?;
            let colour = settings.colour && !matches!(target, Target::File { .. });
            outputs.routes.push(Route { format: *format, sink: format.sink(colour), target });
        }
        (outputs.stdout, outputs.files) = (taken.stdout, taken.files);
        if taken.commands && outputs.stdout.is_none() {
            outputs.stdout = Some(Format::Github);
            let github = outputs.routes.iter_mut().find(|route| matches!(route.target, Target::Commands));
            if let Some(route) = github {
                route.target = Target::Out;
            }
        }
        let is_on_github = outputs.routes.iter().any(|route| route.format == Format::Github);
        if let Some(path) = settings.step_summary.as_ref().filter(|_| is_on_github) {
            let plain = file::plain(&settings.cwd.join(path));
            if let Some((_, one, file)) = outputs.files.iter().find(|(known, ..)| *known == plain) {
                return Err(OutputsError::OneFile { one: *one, other: Format::Github, file: file.clone() });
            }
            let bytes = fs::metadata(path).map_or(0, |file| file.len());
            let target = Target::Append { path: path.clone(), text: String::new() };
            outputs.routes.push(Route { format: Format::Github, sink: Box::new(StepSummary::behind(bytes)), target });
        }
        Ok(outputs)
    }

    /// The default form of a test runner: people read all of it, and no sink makes it.
    #[must_use]
    pub fn of_test_binary() -> Self {
        let (routes, files, cwd) = (Vec::new(), Vec::new(), PathBuf::new());
        Outputs { routes, quiet: false, stdout: Some(Format::Human), cwd, files }
    }

    /// Refuses outputs that would replace a file that the run reads or writes besides.
    ///
    /// # Errors
    ///
    /// [`OutputsError::IsRead`], before anything is written.
    pub fn spare(&self, path: &Path, what: &'static str) -> Result<(), OutputsError> {
        if self.files.is_empty() {
            return Ok(());
        }
        let plain = file::plain(&self.cwd.join(path));
        match self.files.iter().find(|(known, ..)| *known == plain) {
            Some((_, format, file)) => Err(OutputsError::IsRead { format: *format, file: file.clone(), what }),
            None => Ok(()),
        }
    }

    /// The form that has stdout, where one has.
    #[must_use]
    pub const fn stdout(&self) -> Option<Format> {
        self.stdout
    }

    /// The form for people that has a stream.
    #[must_use]
    pub fn people(&self) -> Option<Format> {
        let route = |route: &&Route| matches!(route.target, Target::Out | Target::Err) && route.format.is_for_people();
        self.routes.iter().find(route).map(|route| route.format)
    }

    /// What runs, over roots.
    #[must_use]
    pub fn run(&self, command: &'static str, roots: Vec<RunRoot>) -> Run {
        Run { command, version: env!("CARGO_PKG_VERSION"), roots, checks: Vec::new() }
    }

    /// The current folder.
    #[must_use]
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// Whether there is a form whose text is not that of the test runner.
    #[must_use]
    pub fn has_more_than_the_runner(&self) -> bool {
        self.routes.iter().any(|route| !route.is_the_runners())
    }

    /// Leaves the form for people on stdout to the test runner, which prints the cases itself, or to a command with a page of its
    /// own.
    pub fn leave_stdout_to_the_runner(&mut self) {
        self.routes.retain(|route| !route.is_the_runners());
    }

    /// Leaves out the summary of a step on GitHub, which each run would add to.
    pub fn leave_out_the_step_summary(&mut self) {
        self.routes.retain(|route| !matches!(route.target, Target::Append { .. }));
    }

    /// Takes the human form of the terminal apart, where there is one: it is handed other events than the rest. The lines that
    /// sum up are its to print then.
    #[must_use]
    pub fn take_human(&mut self) -> Option<Outputs> {
        let is_human =
            |route: &mut Route| route.format == Format::Human && matches!(route.target, Target::Out | Target::Err);
        let routes: Vec<Route> = self.routes.extract_if(.., is_human).collect();
        if routes.is_empty() {
            return None;
        }
        let human =
            Outputs { routes, quiet: self.quiet, stdout: self.stdout, cwd: self.cwd.clone(), files: Vec::new() };
        self.quiet = true;
        Some(human)
    }

    /// The files, each by the one path that it has.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|(plain, ..)| plain.as_path())
    }

    /// Hands an event to every form, and what has a stream goes there.
    pub fn send(&mut self, event: &Event<'_>, streams: &mut dyn Streams) {
        let has_stdout = self.stdout.is_some();
        let mut summed = false;
        for route in &mut self.routes {
            let made = route.sink.take(event);
            match &mut route.target {
                Target::Append { .. } if matches!(event, Event::End(_)) && made.is_empty() && !self.quiet => {
                    streams.err("the step's summary has no room left: nothing was added to it\n");
                }
                Target::File { text, .. } | Target::Append { text, .. } => text.push_str(&made),
                Target::Commands => {
                    if !made.is_empty() {
                        streams.commands(&made);
                    }
                }
                Target::Out | Target::Err if made.is_empty() => {}
                Target::Out | Target::Err if route.format.is_for_people() && matches!(event, Event::End(_)) => {
                    summed = true;
                    if self.quiet {
                        continue;
                    }
                    if has_stdout && matches!(route.target, Target::Err) {
                        streams.err(&made);
                    } else {
                        streams.out(&made);
                    }
                }
                Target::Out => streams.out(&made),
                Target::Err => streams.err(&made),
            }
        }
        // Where programs read, people still see how it went.
        if let Event::End(summary) = event
            && !summed
            && !self.quiet
            && self.stdout.is_some_and(|format| !format.is_for_people())
            && !summary.text.is_empty()
        {
            streams.err(&format!("{}\n", summary.text));
        }
    }

    /// Writes the files. What could not be written is told, one text for each file.
    ///
    /// # Errors
    ///
    /// What to say of each file that could not be written; the others are written.
    pub fn finish(self) -> Result<(), Vec<String>> {
        let mut faults = Vec::new();
        for route in self.routes {
            let written = match route.target {
                Target::File { path, text } => file::put(&path, &text),
                Target::Append { path, text } if !text.is_empty() => file::append(&path, &text),
                _ => Ok(()),
            };
            faults.extend(written.err());
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }
}

/// What the forms so far have taken.
#[derive(Default)]
struct Taken {
    /// The form that has stdout.
    stdout: Option<Format>,
    /// The form for people that has stderr.
    people: Option<Format>,
    /// Whether commands have a stream; which one is known when it is known who has stdout.
    commands: bool,
    /// The files, see [`Outputs`].
    files: Vec<(PathBuf, Format, PathBuf)>,
}

impl Taken {
    /// Where one more form goes.
    fn target(&mut self, format: Format, file: Option<&Path>, settings: &Settings) -> Result<Target, OutputsError> {
        let one_stream = |one: Format, stream| OutputsError::OneStream { one, other: format, stream };
        let Some(file) = file else {
            return if format.is_for_people() && settings.people == People::Stderr {
                match self.people.replace(format) {
                    Some(one) => Err(one_stream(one, "stderr")),
                    None => Ok(Target::Err),
                }
            } else if format == Format::Github {
                if std::mem::replace(&mut self.commands, true) {
                    return Err(one_stream(format, "stdout"));
                }
                Ok(Target::Commands)
            } else {
                match self.stdout.replace(format) {
                    Some(one) => Err(one_stream(one, "stdout")),
                    None => Ok(Target::Out),
                }
            };
        };
        let path = settings.cwd.join(file);
        if let Some(what) = file::obstacle(&path) {
            return Err(OutputsError::NoFile { format, file: file.to_owned(), what });
        }
        if let Some(what) = file::read_by_runs(&path) {
            return Err(OutputsError::IsRead { format, file: file.to_owned(), what });
        }
        let plain = file::plain(&path);
        if let Some((_, one, _)) = self.files.iter().find(|(known, ..)| *known == plain) {
            return Err(OutputsError::OneFile { one: *one, other: format, file: file.to_owned() });
        }
        self.files.push((plain, format, file.to_owned()));
        Ok(Target::File { path, text: String::new() })
    }
}

impl Route {
    fn is_the_runners(&self) -> bool {
        self.format == Format::Human && matches!(self.target, Target::Out)
    }
}
