//! From the process's arguments to the exit code: `cargo-sdp X` and `cargo sdp X` are one, `q` goes to its own reader,
//! everything else to clap, and what a command refuses is printed here.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ColorChoice, CommandFactory as _, FromArgMatches as _};

use crate::cli::{Cli, Command};
use crate::commands::q::arguments::{self, Parsed};
use crate::commands::{build, check, q, recipes, rules};
use crate::errors::{Exit, Refusal};
use crate::output::Output;

/// Runs the command that the arguments name; the first argument is the program.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let mut output = Output::of_process();
    let exit = dispatch(arguments.collect(), &mut output);
    output.finish(exit)
}

fn dispatch(arguments: Vec<OsString>, output: &mut Output) -> Exit {
    let mut words = arguments.into_iter().skip(1).peekable();
    // Cargo hands `cargo sdp X` over as `cargo-sdp sdp X`.
    words.next_if(|word| word == "sdp");
    if words.next_if(|word| word == "q").is_some() {
        return match arguments::parse(words) {
            Ok(Parsed::Run(args)) => perform(&Command::Q(args), output),
            Ok(Parsed::Help(long)) => by_clap([if long { "--help" } else { "-h" }.into()], Some("q"), output),
            Err(refusal) => refuse(&refusal, "q", output),
        };
    }
    by_clap(words, None, output)
}

/// Lets clap parse: it prints help, version and usage errors itself, and everything else is performed.
fn by_clap(words: impl IntoIterator<Item = OsString>, command: Option<&str>, output: &mut Output) -> Exit {
    let mut words: Vec<OsString> = command.map(OsString::from).into_iter().chain(words).collect();
    if words.is_empty() {
        words.push("--help".into());
    }
    // Clap judges both streams by one choice, so it renders with colours and they are taken off again where not wanted.
    let parser = Cli::command().color(ColorChoice::Always);
    let parsed = parser
        .try_get_matches_from(std::iter::once(OsString::from("cargo-sdp")).chain(words))
        .and_then(|matches| Cli::from_arg_matches(&matches));
    match parsed {
        Ok(cli) => perform(&cli.command, output),
        Err(said) => {
            let text = said.render();
            let styled = |colour: bool| if colour { text.ansi().to_string() } else { text.to_string() };
            match said.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                    output.out(&styled(output.colour_stdout));
                    Exit::Fine
                }
                _ => {
                    output.err(&styled(output.colour_stderr));
                    Exit::Usage
                }
            }
        }
    }
}

fn perform(command: &Command, output: &mut Output) -> Exit {
    let done = match command {
        Command::Q(args) => q::run(args, output),
        Command::Check(args) => check::run(args, output),
        Command::Rules(args) => rules::run(args),
        Command::Build(args) => build::run(args, output),
        Command::Recipes(args) => recipes::run(args, output),
    };
    done.unwrap_or_else(|refusal| refuse(&refusal, command.name(), output))
}

fn refuse(refusal: &Refusal, command: &str, output: &mut Output) -> Exit {
    refusal.print(command, output);
    refusal.exit()
}
