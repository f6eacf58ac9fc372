//! The arguments of `eval`, read by the rules of the evaluation sheet: every fault is a usage error with the sheet's words and exit
//! 64, where clap would say 2. Clap's definition serves the help; a test holds the two together.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::ValueEnum as _;
use sdp_core::harmless;

use crate::output::{Colour, OutputArgs};

/// What the arguments ask for.
#[derive(Debug)]
pub(crate) enum Parsed {
    /// The help of `eval`, or of one of its commands; the long one or the short one.
    Help(Option<&'static str>, bool),
    /// The version; the long one or the short one.
    Version(bool),
    /// A run, and how much it prints.
    Run(Run, OutputArgs),
    /// What is wrong with them.
    Usage(String),
}

/// A run of one command.
#[derive(Debug)]
pub(crate) enum Run {
    /// `compile`.
    Compile(Contract),
    /// `seal`.
    Seal(Contract),
    /// `schemas`.
    Schemas(Schemas),
}

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Stdin.
    Stdin,
    /// A file.
    File(OsString),
}

/// What `compile` and `seal` were given.
#[derive(Debug)]
pub(crate) struct Contract {
    /// The contract.
    pub(crate) source: Source,
    /// Where the answer goes; stdout without it.
    pub(crate) out: Option<PathBuf>,
    /// Whether every input must be declared.
    pub(crate) strict_inputs: bool,
    /// Whether it is `seal` that was asked for.
    pub(crate) seals: bool,
}

/// What `schemas` was given.
#[derive(Debug)]
pub(crate) struct Schemas {
    /// Which one; all without it.
    pub(crate) name: Option<String>,
    /// Where they go; stdout without it.
    pub(crate) out: Option<PathBuf>,
}

/// A command with its flags.
struct Grammar {
    name: &'static str,
    with_value: &'static [&'static str],
    without_value: &'static [&'static str],
    positionals: usize,
}

/// A command that takes one contract.
const fn of_contract(name: &'static str) -> Grammar {
    Grammar {
        name,
        with_value: &["--in", "--out", "--color"],
        without_value: &["--strict-inputs", "--no-strict-inputs", "--strict", "--quiet", "--verbose", "-q", "-v"],
        positionals: 0,
    }
}

static COMMANDS: [Grammar; 3] = [
    of_contract("compile"),
    of_contract("seal"),
    Grammar {
        name: "schemas",
        with_value: &["--out", "--color"],
        without_value: &["--quiet", "--verbose", "-q", "-v"],
        positionals: 1,
    },
];

/// The commands, as usage errors list them.
fn names() -> String {
    COMMANDS.each_ref().map(|command| command.name).join(", ")
}

/// A token as messages show it.
fn shown(token: &OsStr) -> String {
    harmless::one_line(&token.to_string_lossy()).into_owned()
}

/// Reads the tokens after `eval`: the command first.
pub(crate) fn parse(tokens: impl IntoIterator<Item = OsString>) -> Parsed {
    read(tokens.into_iter().collect()).unwrap_or_else(Parsed::Usage)
}

fn read(tokens: Vec<OsString>) -> Result<Parsed, String> {
    let mut tokens = tokens.into_iter();
    let Some(first) = tokens.next() else {
        return Err(format!("no command given; expected one of {}", names()));
    };
    match first.to_str() {
        Some("-h") => return Ok(Parsed::Help(None, false)),
        Some("--help") => return Ok(Parsed::Help(None, true)),
        Some("-V") => return Ok(Parsed::Version(false)),
        Some("--version") => return Ok(Parsed::Version(true)),
        Some("help") => {
            return match tokens.next() {
                None => Ok(Parsed::Help(None, true)),
                Some(word) => Ok(Parsed::Help(Some(command(&word)?.name), true)),
            };
        }
        _ => {}
    }
    flags(command(&first)?, tokens)
}

/// The command of a name.
fn command(word: &OsStr) -> Result<&'static Grammar, String> {
    COMMANDS
        .iter()
        .find(|command| word == command.name)
        .ok_or_else(|| format!("unknown command \"{}\"; expected one of {}", shown(word), names()))
}

/// Reads the tokens after a command.
fn flags(grammar: &'static Grammar, mut tokens: impl Iterator<Item = OsString>) -> Result<Parsed, String> {
    let mut given = Given::default();
    let mut flags_end = false;
    while let Some(token) = tokens.next() {
        let text = token.to_string_lossy();
        if flags_end || !text.starts_with('-') || text == "-" {
            given.positional(grammar, token)?;
            continue;
        }
        match text.as_ref() {
            "--" => flags_end = true,
            "-h" => return Ok(Parsed::Help(Some(grammar.name), false)),
            "--help" => return Ok(Parsed::Help(Some(grammar.name), true)),
            flag if grammar.without_value.contains(&flag) => given.flag(flag),
            flag => {
                let (name, attached) = match flag.split_once('=') {
                    Some((name, value)) => (name, Some(value)),
                    None => (flag, None),
                };
                let Some(name) = grammar.with_value.iter().find(|known| **known == name) else {
                    return Err(match attached {
                        Some(_) => format!("unknown flag \"{}\" in \"{}\"", harmless::one_line(name), shown(&token)),
                        None => format!("unknown flag \"{}\" for {}", shown(&token), grammar.name),
                    });
                };
                let value = match attached {
                    Some(_) if token.to_str().is_none() => {
                        return Err(format!("{name} is not UTF-8 behind \"=\"; give its value as a word of its own"));
                    }
                    Some(value) => OsString::from(value),
                    None => following(name, tokens.next())?,
                };
                if value.is_empty() {
                    return Err(format!("{name} was given an empty value"));
                }
                given.value(name, value)?;
            }
        }
    }
    given.finish(grammar)
}

/// The value of a flag that stands in the next token.
fn following(name: &str, next: Option<OsString>) -> Result<OsString, String> {
    let next = next.ok_or_else(|| format!("{name} requires a value"))?;
    let text = next.to_string_lossy();
    if text.len() > 1 && text.starts_with('-') {
        return Err(format!(
            "{name} requires a value, but the next token is \"{}\"; use {name}={} for a value that begins with \"-\"",
            shown(&next),
            shown(&next)
        ));
    }
    Ok(next)
}

/// What was given, as it was given.
#[derive(Default)]
struct Given {
    values: Vec<(&'static str, OsString)>,
    positionals: Vec<OsString>,
    lenient: bool,
    quiet: bool,
    verbose: bool,
}

impl Given {
    fn positional(&mut self, grammar: &Grammar, token: OsString) -> Result<(), String> {
        if self.positionals.len() == grammar.positionals {
            return Err(match grammar.positionals {
                0 => format!("{} takes no positional argument, but got \"{}\"", grammar.name, shown(&token)),
                _ => format!("{} takes one name, but got \"{}\" as well", grammar.name, shown(&token)),
            });
        }
        self.positionals.push(token);
        Ok(())
    }

    fn flag(&mut self, flag: &str) {
        match flag {
            "--strict-inputs" => self.lenient = false,
            "--no-strict-inputs" => self.lenient = true,
            "--quiet" | "-q" => self.quiet = true,
            "--verbose" | "-v" => self.verbose = true,
            // `--strict` promotes concerns, and nothing here gives any.
            _ => {}
        }
    }

    fn value(&mut self, name: &'static str, value: OsString) -> Result<(), String> {
        match self.values.iter().find(|(given, _)| *given == name) {
            Some((_, before)) if *before != value => Err(format!(
                "{name} given twice with different values, \"{}\" and \"{}\"",
                shown(before),
                shown(&value)
            )),
            Some(_) => Ok(()),
            None => {
                self.values.push((name, value));
                Ok(())
            }
        }
    }

    fn take(&mut self, name: &str) -> Option<OsString> {
        let at = self.values.iter().position(|(given, _)| *given == name)?;
        Some(self.values.swap_remove(at).1)
    }

    fn finish(mut self, grammar: &Grammar) -> Result<Parsed, String> {
        if self.quiet && self.verbose {
            return Err("--quiet and --verbose exclude each other".to_owned());
        }
        let color = match self.take("--color") {
            None => None,
            Some(word) => match word.to_str().and_then(|word| Colour::from_str(word, false).ok()) {
                Some(colour) => Some(colour),
                None => return Err(format!("--color expects auto, always or never, but got \"{}\"", shown(&word))),
            },
        };
        let output = OutputArgs { quiet: self.quiet, verbose: self.verbose, color };
        let out = self.take("--out").map(PathBuf::from);
        let run = if grammar.name == "schemas" {
            let name = self.positionals.pop().map(|name| shown(&name));
            Run::Schemas(Schemas { name, out })
        } else {
            let source = match self.take("--in") {
                None => Source::Stdin,
                Some(path) if path == "-" => Source::Stdin,
                Some(path) => Source::File(path),
            };
            let seals = grammar.name == "seal";
            let contract = Contract { source, out, strict_inputs: !self.lenient, seals };
            if seals { Run::Seal(contract) } else { Run::Compile(contract) }
        };
        Ok(Parsed::Run(run, output))
    }
}
