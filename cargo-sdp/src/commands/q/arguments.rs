//! The arguments of `q`, read from left to right: the first fault is the refusal, in the words that the contract pins, and
//! ends with exit 1 where clap would say 2. Clap's definition serves the help; a test holds the two together.

use std::ffi::OsString;

use clap::ValueEnum as _;
use sdp_core::config::Limits;

use super::QArgs;
use crate::errors::Refusal;
use crate::evaluate::{megabytes, seconds};
use crate::output::Colour;

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
pub(crate) fn parse(tokens: impl IntoIterator<Item = OsString>) -> Result<Parsed, Refusal> {
    let mut tokens = tokens.into_iter();
    let mut args = QArgs::default();
    while let Some(token) = tokens.next() {
        let shown = token.to_string_lossy();
        match shown.as_ref() {
            "--" => {
                for body in tokens.by_ref() {
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
                let (name, attached) = match option.split_once('=') {
                    Some((name, value)) => (name, Some(OsString::from(value))),
                    None => (option, None),
                };
                let Some((flag, wants)) = WITH_VALUE.into_iter().find(|(flag, _)| *flag == name) else {
                    return Err(unknown(option));
                };
                let value = match attached {
                    // The part behind `=` of a token that is not UTF-8 cannot be cut out whole.
                    Some(_) if token.to_str().is_none() => {
                        return Err(Refusal::WrongValue { flag, wants, got: shown.into_owned() });
                    }
                    Some(value) => value,
                    None => operand(flag, wants, tokens.next())?,
                };
                take_value(&mut args, flag, wants, value)?;
            }
            _ => take_body(&mut args, token)?,
        }
    }
    Ok(Parsed::Run(args))
}

fn operand(flag: &'static str, wants: &'static str, token: Option<OsString>) -> Result<OsString, Refusal> {
    let token = token.ok_or(Refusal::MissingValue { flag, wants })?;
    let shown = token.to_string_lossy();
    if shown.starts_with("--") {
        return Err(Refusal::WrongValue { flag, wants, got: shown.into_owned() });
    }
    Ok(token)
}

fn take_value(args: &mut QArgs, flag: &'static str, wants: &'static str, value: OsString) -> Result<(), Refusal> {
    let wrong = |value: OsString| Refusal::WrongValue { flag, wants, got: value.to_string_lossy().into_owned() };
    match flag {
        "--root" => once(flag, &mut args.common.root, value),
        "--manifest-path" => once(flag, &mut args.common.manifest_path, value),
        "--exclude" => {
            args.common.exclude.push(value);
            Ok(())
        }
        "--params" => {
            args.params.push(value.into_string().map_err(wrong)?);
            Ok(())
        }
        _ => {
            let text = value.into_string().map_err(wrong)?;
            if text.trim().is_empty() {
                return Err(Refusal::MissingValue { flag, wants });
            }
            match flag {
                "--timeout" => once(flag, &mut args.limits.timeout, seconds(&text).map_err(|_| wrong(text.into()))?),
                "--color" => {
                    let colour = Colour::from_str(&text, false).map_err(|_| wrong(text.into()))?;
                    once(flag, &mut args.common.output.color, colour)
                }
                _ => once(flag, &mut args.limits.memory, megabytes(&text).map_err(|_| wrong(text.into()))?),
            }
        }
    }
}

fn once<T>(flag: &'static str, place: &mut Option<T>, value: T) -> Result<(), Refusal> {
    if place.is_some() {
        return Err(Refusal::Repeated(flag));
    }
    *place = Some(value);
    Ok(())
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
    Refusal::UnknownOption { token: token.to_owned(), nearest: sdp_core::suggest::first_nearest(token, known, 2) }
}

#[cfg(test)]
mod tests;
