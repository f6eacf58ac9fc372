//! The arguments of `q`, read from left to right: the first fault is the refusal, in the words that the contract pins, and
//! ends with exit 1 where clap would say 2. Clap's definition serves the help; a test holds the two together.

use std::ffi::OsString;

use sdp_core::config::Limits;
use sdp_core::suggest::first_nearest;

use super::QArgs;
use crate::errors::Refusal;
use crate::evaluate::{megabytes, seconds};
use crate::tokens::{self, Fault, once};

/// What the arguments ask for.
#[derive(Debug)]
pub(crate) enum Parsed {
    /// The help, the long one or the short one.
    Help(bool),
    /// A run.
    Run(QArgs),
}

const PATH: &str = "a path";
const WHEN: &str = "auto, always or never";
const PARAMS: &str = "a JSON value or @PATH";

/// Every option that takes a value, and what it takes.
const WITH_VALUE: [(&str, &str); 7] = [
    ("--root", PATH),
    ("--manifest-path", PATH),
    ("--exclude", PATH),
    ("--params", PARAMS),
    ("--timeout", Limits::SECONDS),
    ("--memory", Limits::MEGABYTES),
    ("--color", WHEN),
];

/// Every option that takes none.
const WITHOUT_VALUE: [&str; 5] = ["--json", "--deterministic", "--quiet", "--verbose", "--help"];

/// Reads the tokens after `q`. A single `--` ends the options; a token with one dash, such as `-1`, is a body.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Parsed, Refusal> {
    let mut given = words.into_iter();
    let mut args = QArgs::default();
    while let Some(token) = given.next() {
        let shown = token.to_string_lossy();
        match shown.as_ref() {
            "--" => {
                for body in given.by_ref() {
                    take_body(&mut args, body)?;
                }
            }
            "-h" => return Ok(Parsed::Help(false)),
            "--help" => return Ok(Parsed::Help(true)),
            "--json" => args.json = true,
            "--deterministic" => args.limits.deterministic = true,
            "--quiet" => args.common.output.quiet = true,
            "--verbose" => args.common.output.verbose = true,
            option if option.starts_with("--") => {
                let (name, attached) = tokens::parted(option);
                let Some((flag, wants)) = WITH_VALUE.into_iter().find(|(flag, _)| *flag == name) else {
                    return Err(unknown(option));
                };
                tokens::value(&token, attached, || given.next())
                    .and_then(|value| take_value(&mut args, flag, value))
                    .map_err(|fault| refused(flag, wants, fault))?;
            }
            _ => take_body(&mut args, token)?,
        }
    }
    Ok(Parsed::Run(args))
}

/// A fault in the words of the contract.
fn refused(flag: &'static str, wants: &'static str, fault: Fault) -> Refusal {
    match fault {
        Fault::Missing => Refusal::MissingValue { flag, wants },
        Fault::NoValue(got) | Fault::Unfit(got) => Refusal::WrongValue { flag, wants, got },
        Fault::Twice => Refusal::Repeated(flag),
    }
}

fn take_value(args: &mut QArgs, flag: &'static str, value: OsString) -> Result<(), Fault> {
    let Some(value) = tokens::where_to_look(&mut args.common, flag, value)? else { return Ok(()) };
    let text = tokens::text(value)?;
    if flag == "--params" {
        args.params.push(text);
        return Ok(());
    }
    if text.trim().is_empty() {
        return Err(Fault::Missing);
    }
    match flag {
        "--timeout" => once(&mut args.limits.timeout, seconds(&text).map_err(|_| Fault::Unfit(text))?),
        "--color" => tokens::colour(&mut args.common, text),
        _ => once(&mut args.limits.memory, megabytes(&text).map_err(|_| Fault::Unfit(text))?),
    }
}

fn take_body(args: &mut QArgs, token: OsString) -> Result<(), Refusal> {
    if args.body.is_some() {
        return Err(Refusal::SecondBody);
    }
    args.body = Some(token.into_string().map_err(|_| Refusal::BodyIsNotText)?);
    Ok(())
}

fn unknown(token: &str) -> Refusal {
    let known = WITH_VALUE.into_iter().map(|(flag, _)| flag).chain(WITHOUT_VALUE);
    let (name, _) = tokens::parted(token);
    Refusal::UnknownOption { token: token.to_owned(), nearest: first_nearest(name, known, 2) }
}

#[cfg(test)]
mod tests;
