//! The one owner of stdout and stderr. Text comes in and goes to its stream; a pipe that the reader closed is quiet and
//! never a panic. It decides, stream by stream, whether colours are fit, and how much is said beside findings and answers.

use std::borrow::Cow;
use std::env;
use std::ffi::OsStr;
use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Stdout, Write as _};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sdp_core::harmless;
use sdp_core::script::{Console, ConsoleStream};
use sdp_harness::progress::{self, Verbosity};

use crate::errors::Exit;

/// The options that every command takes: how much is printed, and in which colours.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Print findings and answers only: no progress, no notes, no summary
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say on stderr which root and configuration were taken, what was left out, what was read and how long it took
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// When to use colours; else NO_COLOR and CARGO_TERM_COLOR decide, then the terminal
    #[arg(long, value_name = "WHEN", value_enum, global = true)]
    pub(crate) color: Option<Colour>,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

impl Colour {
    /// The word for it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Colour::Auto => "auto",
            Colour::Always => "always",
            Colour::Never => "never",
        }
    }
}

/// The two streams of one run.
pub(crate) struct Output {
    stdout: Arc<Mutex<Buffered>>,
    /// Whether text for stdout may carry colours.
    pub(crate) colour_stdout: bool,
    /// Whether text for stderr may carry colours.
    pub(crate) colour_stderr: bool,
}

impl Output {
    /// The process's own streams, with colours as the environment and the terminals have them.
    pub(crate) fn of_process() -> Self {
        let mut output = Output {
            stdout: Arc::new(Mutex::new(Buffered {
                stdout: BufWriter::with_capacity(64 * 1024, io::stdout()),
                fault: None,
            })),
            colour_stdout: false,
            colour_stderr: false,
        };
        output.colour(ColourWish::of(|name| env::var_os(name)));
        output
    }

    /// Does as the options say, from here on.
    pub(crate) fn obey(&mut self, args: &OutputArgs) {
        if let Some(colour) = args.color {
            self.paint(colour);
        }
        progress::choose(match (args.quiet, args.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        });
    }

    /// Uses colours as `--color` says, whatever the environment says.
    pub(crate) fn paint(&mut self, colour: Colour) {
        self.colour(match colour {
            Colour::Always => ColourWish::Always,
            Colour::Never => ColourWish::Never,
            Colour::Auto => ColourWish::of(|name| env::var_os(name).filter(|_| name == "TERM")),
        });
    }

    fn colour(&mut self, wish: ColourWish) {
        self.colour_stdout = wish.allows(io::stdout().is_terminal());
        self.colour_stderr = wish.allows(io::stderr().is_terminal());
    }

    /// Whether only findings and answers are wanted.
    pub(crate) fn is_quiet(&self) -> bool {
        progress::chosen() == Verbosity::Quiet
    }

    /// Writes a line to stderr that is neither finding nor refusal, unless those alone are wanted.
    pub(crate) fn note(&mut self, text: &str) {
        if !self.is_quiet() {
            self.err_line(text);
        }
    }

    /// Writes to stdout. After a first fault nothing more is written; [`Output::finish`] judges it.
    pub(crate) fn out(&mut self, text: &str) {
        lock(&self.stdout).write(text);
    }

    /// Writes one line to stdout.
    pub(crate) fn out_line(&mut self, text: &str) {
        self.out(text);
        self.out("\n");
    }

    /// Writes a body's answer to stdout: byte for byte into a file or a pipe, made harmless on a terminal.
    pub(crate) fn answer(&mut self, text: &str, harmless: fn(&str) -> Cow<'_, str>) {
        if io::stdout().is_terminal() {
            self.out_line(&harmless(text));
        } else {
            self.out_line(text);
        }
    }

    /// Shows a document that would be written, behind a line with its path: byte for byte into a file or a pipe.
    pub(crate) fn document(&mut self, path: &str, text: &str) {
        self.out_line(&heading(path));
        // The answer ends its own last line.
        self.answer(text.strip_suffix('\n').unwrap_or(text), harmless::lines);
    }

    /// Writes to stderr, after everything that went to stdout before. It gives a CI runner no commands.
    pub(crate) fn err(&mut self, text: &str) {
        lock(&self.stdout).flush();
        to_stderr(&harmless::without_commands(text));
    }

    /// Writes commands to a CI runner to stderr, as they are.
    pub(crate) fn commands(&mut self, text: &str) {
        lock(&self.stdout).flush();
        to_stderr(text);
    }

    /// Writes one line to stderr.
    pub(crate) fn err_line(&mut self, text: &str) {
        self.err(&format!("{text}\n"));
    }

    /// What a body's `console` writes to: the same two streams, in the order of its calls.
    pub(crate) fn console(&self) -> Console {
        let stdout = Arc::clone(&self.stdout);
        let (out_is_terminal, err_is_terminal) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        fn shown(text: &str, is_terminal: bool) -> Cow<'_, str> {
            if is_terminal { harmless::lines(text) } else { Cow::Borrowed(text) }
        }
        Console::Pass(Arc::new(move |stream, text| {
            let mut stdout = lock(&stdout);
            match stream {
                ConsoleStream::Out => {
                    stdout.write(&shown(text, out_is_terminal));
                    stdout.write("\n");
                }
                ConsoleStream::Err => {
                    stdout.flush();
                    to_stderr(&format!("{}\n", shown(text, err_is_terminal)));
                }
            }
        }))
    }

    /// Gives stdout what was written so far.
    pub(crate) fn flush(&mut self) {
        lock(&self.stdout).flush();
    }

    /// Whether stdout takes nothing any more.
    pub(crate) fn is_closed(&self) -> bool {
        lock(&self.stdout).fault.is_some()
    }

    /// Ends the run. A closed pipe leaves the exit code as it was earned: its reader has seen enough. An answer that could
    /// not be written for another reason, such as a full disk, is a failure.
    pub(crate) fn finish(self, exit: Exit) -> ExitCode {
        let mut stdout = lock(&self.stdout);
        stdout.flush();
        match stdout.fault.take() {
            Some(fault) if fault.kind() != ErrorKind::BrokenPipe => {
                to_stderr(&format!("sdp: stdout could not be written ({fault}).\nhint: the answer is not whole\n"));
                if exit == Exit::Fine { Exit::Failed.into() } else { exit.into() }
            }
            _ => exit.into(),
        }
    }
}

/// The line above a document that would be written.
pub(crate) fn heading(path: &str) -> String {
    format!("=== {path} ===")
}

/// Stdout with the first fault that it met; after one, nothing more is tried.
struct Buffered {
    stdout: BufWriter<Stdout>,
    fault: Option<io::Error>,
}

impl Buffered {
    fn write(&mut self, text: &str) {
        self.attempt(|stdout| stdout.write_all(text.as_bytes()));
    }

    fn flush(&mut self) {
        self.attempt(BufWriter::flush);
    }

    fn attempt(&mut self, action: impl FnOnce(&mut BufWriter<Stdout>) -> io::Result<()>) {
        if self.fault.is_none()
            && let Err(fault) = action(&mut self.stdout)
        {
            self.fault = Some(fault);
        }
    }
}

/// A thread that panicked while it wrote leaves text, not a broken state.
fn lock(stdout: &Mutex<Buffered>) -> MutexGuard<'_, Buffered> {
    stdout.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A stderr that cannot be written leaves nobody to tell.
fn to_stderr(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

/// What the environment says of colours: `NO_COLOR`, then `CARGO_TERM_COLOR`, then the terminal's own kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColourWish {
    Never,
    Always,
    Terminal,
}

impl ColourWish {
    fn of<V: AsRef<OsStr>>(variable: impl Fn(&str) -> Option<V>) -> Self {
        let is = |name: &str, wanted: &str| variable(name).is_some_and(|value| value.as_ref() == wanted);
        if variable("NO_COLOR").is_some_and(|value| !value.as_ref().is_empty()) || is("CARGO_TERM_COLOR", "never") {
            ColourWish::Never
        } else if is("CARGO_TERM_COLOR", "always") {
            ColourWish::Always
        } else if is("TERM", "dumb") {
            ColourWish::Never
        } else {
            ColourWish::Terminal
        }
    }

    fn allows(self, terminal: bool) -> bool {
        match self {
            ColourWish::Never => false,
            ColourWish::Always => true,
            ColourWish::Terminal => terminal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(variables: &[(&str, &str)]) -> ColourWish {
        ColourWish::of(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn colours_follow_the_terminal_unless_the_environment_says_otherwise() {
        assert_eq!(wish(&[]), ColourWish::Terminal);
        assert_eq!(wish(&[("NO_COLOR", "")]), ColourWish::Terminal);
        assert_eq!(wish(&[("NO_COLOR", "1")]), ColourWish::Never);
        assert_eq!(wish(&[("TERM", "dumb")]), ColourWish::Never);
        assert_eq!(wish(&[("CARGO_TERM_COLOR", "always"), ("TERM", "dumb")]), ColourWish::Always);
        assert_eq!(wish(&[("CARGO_TERM_COLOR", "always"), ("NO_COLOR", "1")]), ColourWish::Never);
        assert_eq!(wish(&[("CARGO_TERM_COLOR", "auto")]), ColourWish::Terminal);
        assert!(ColourWish::Terminal.allows(true) && !ColourWish::Terminal.allows(false));
    }
}
