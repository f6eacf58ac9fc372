//! From the process's arguments to the exit code: `cargo-sdp X` and `cargo sdp X` are one, `q` goes to its own reader,
//! everything else to clap, and what a command refuses is printed here.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ColorChoice, FromArgMatches as _, ValueEnum as _};
use sdp_core::threads;

use crate::cli::{self, Cli, Command};
use crate::commands::eval::arguments as eval_arguments;
#[cfg(feature = "mcp")]
use crate::commands::mcp;
use crate::commands::new::arguments as new_arguments;
use crate::commands::q::arguments::{self, Parsed};
use crate::commands::{
    build, check, completions, config, eval, explain, impact, import, init, man, new, q, questions, recipes, rules,
    unbound,
};
use crate::errors::{Exit, Refusal};
use crate::output::{Colour, Output};

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
    let words: Vec<OsString> = words.collect();
    let colour = colour_in(&words);
    let mut words = words.into_iter().peekable();
    if words.next_if(|word| word == "q").is_some() {
        return match arguments::parse(words) {
            Ok(Parsed::Run(args)) => perform(&Command::Q(args), output),
            Ok(Parsed::Help(long)) => by_clap(["q", if long { "--help" } else { "-h" }], colour, output),
            Err(refusal) => refuse(&refusal, "q", output),
        };
    }
    if words.next_if(|word| word == "new").is_some() {
        return of_new(new_arguments::parse(words), colour, output);
    }
    if words.next_if(|word| word == "eval").is_some() {
        return of_eval(eval_arguments::parse(words), colour, output);
    }
    if words.peek().is_none() {
        return by_clap(["--help"], colour, output);
    }
    by_clap(words, colour, output)
}

/// Does what the arguments of `new` ask for.
fn of_new(parsed: new_arguments::Parsed, colour: Option<Colour>, output: &mut Output) -> Exit {
    use new_arguments::Parsed;
    let help = |noun: Option<&str>, long: bool, output: &mut Output| {
        let words = ["new"].into_iter().chain(noun).chain([if long { "--help" } else { "-h" }]);
        by_clap(words.map(OsString::from), colour, output)
    };
    match parsed {
        Parsed::Run(args) => perform(&Command::New(args), output),
        Parsed::Help(noun, long) => help(noun, long, output),
        Parsed::Refused(refusal, with_help) => {
            if with_help {
                help(None, true, output);
            }
            refuse(&refusal, "new", output)
        }
    }
}

/// Does what the arguments of `eval` ask for.
fn of_eval(parsed: eval_arguments::Parsed, colour: Option<Colour>, output: &mut Output) -> Exit {
    use eval_arguments::Parsed;
    match parsed {
        Parsed::Run(run, args) => {
            output.obey(&args);
            eval::run(&run, output)
        }
        Parsed::Help(command, long) => {
            let words = ["eval"].into_iter().chain(command).chain([if long { "--help" } else { "-h" }]);
            by_clap(words.map(OsString::from), colour, output)
        }
        Parsed::Version(long) => by_clap([if long { "--version" } else { "-V" }], colour, output),
        Parsed::Usage(message) => eval::usage(message, output),
    }
}

/// Lets clap parse: it prints help, version and usage errors itself, in the colours that `--color` chose, and everything
/// else is performed.
fn by_clap(words: impl IntoIterator<Item = impl Into<OsString>>, colour: Option<Colour>, output: &mut Output) -> Exit {
    // Clap judges both streams by one choice, so it renders with colours and they are taken off again where not wanted.
    let parser = cli::definition().color(ColorChoice::Always);
    let words = words.into_iter().map(Into::into);
    let parsed = parser
        .try_get_matches_from(std::iter::once(OsString::from("cargo-sdp")).chain(words))
        .and_then(|matches| Cli::from_arg_matches(&matches));
    match parsed {
        Ok(cli) => perform(&cli.command, output),
        Err(said) => {
            if let Some(colour) = colour {
                output.paint(colour);
            }
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

/// The `--color` of words that may make no command: help and usage errors obey it too.
fn colour_in(words: &[OsString]) -> Option<Colour> {
    let mut words = words.iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--");
    let mut colour = None;
    while let Some(word) = words.next() {
        let value = if word == "--color" { words.next() } else { word.strip_prefix("--color=") };
        colour = value.and_then(|value| Colour::from_str(value, false).ok()).or(colour);
    }
    colour
}

fn perform(command: &Command, output: &mut Output) -> Exit {
    output.obey(command.output());
    let done = start_threads(command).and_then(|()| match command {
        Command::Q(args) => q::run(args, output),
        Command::Check(args) => check::run(args, output),
        Command::Rules(args) => rules::run(args, output),
        Command::Explain(args) => explain::run(args, output),
        Command::Build(args) => build::run(args, output),
        Command::Recipes(args) => recipes::run(args, output),
        Command::Impact(args) => impact::run(args, output),
        Command::Questions(args) => questions::run(args, output),
        Command::Unbound(args) => unbound::run(args, output),
        Command::Import(args) => import::run(args, output),
        Command::New(args) => new::run(args, output),
        Command::Init(args) => init::run(args, output),
        Command::Config(args) => config::run(args, output),
        // Its arguments never come this way: it reads them itself.
        Command::Eval(_) => Ok(Exit::EvalUsage),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => mcp::run(args, output),
        Command::Completions(args) => completions::run(args, output),
        Command::Man(args) => man::run(args, output),
    });
    done.unwrap_or_else(|refusal| refuse(&refusal, command.name(), output))
}

/// Starts the threads of the commands that read carriers. Bodies run on a thread of their own and ask the pool for work
/// while the main thread waits for them, so that it cannot be the pool.
fn start_threads(command: &Command) -> Result<(), Refusal> {
    let alone = match command {
        // A watch runs on a thread of its own.
        Command::Check(args) if args.watch.watch => false,
        Command::Check(_) | Command::Build(_) | Command::Unbound(_) | Command::Import(_) | Command::Config(_) => true,
        Command::New(_) | Command::Init(_) => true,
        Command::Q(_) | Command::Rules(_) | Command::Impact(_) | Command::Questions(_) => false,
        #[cfg(feature = "mcp")]
        Command::Mcp(_) => false,
        Command::Recipes(args) if matches!(args.action, Some(recipes::Action::Run(_))) => false,
        Command::Recipes(_) | Command::Explain(_) | Command::Completions(_) | Command::Man(_) | Command::Eval(_) => {
            return Ok(());
        }
    };
    threads::start(alone).map_err(Refusal::NoThreads)
}

fn refuse(refusal: &Refusal, command: &str, output: &mut Output) -> Exit {
    refusal.print(command, output);
    refusal.exit()
}
