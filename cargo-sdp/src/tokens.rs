//! Options of the commands that read their arguments themselves: the tokens come in, values go out, or what is wrong with an option,
//! which each command words as its contract has it.

use std::ffi::{OsStr, OsString};

use clap::ValueEnum as _;

use crate::output::Colour;
use crate::root::CommonArgs;

/// What is wrong with an option.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It has no value.
    Missing,
    /// What stands there is no value; as it was given.
    NoValue(String),
    /// The value is none of those that it takes; as it was given.
    Unfit(String),
    /// It may stand once and stands twice.
    Twice,
}

/// The name of an option, and what is attached to it by `=`.
pub(crate) fn parted(option: &str) -> (&str, Option<&str>) {
    match option.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (option, None),
    }
}

/// The value of an option: what is attached to its token, else the next token, which is no option then.
pub(crate) fn value(
    token: &OsStr,
    attached: Option<&str>,
    next: impl FnOnce() -> Option<OsString>,
) -> Result<OsString, Fault> {
    match attached {
        // The part behind `=` of a token that is not UTF-8 cannot be cut out whole.
        Some(_) if token.to_str().is_none() => Err(Fault::NoValue(token.to_string_lossy().into_owned())),
        Some(value) => Ok(OsString::from(value)),
        None => {
            let token = next().ok_or(Fault::Missing)?;
            let shown = token.to_string_lossy();
            if shown.starts_with("--") { Err(Fault::NoValue(shown.into_owned())) } else { Ok(token) }
        }
    }
}

/// The value as text.
pub(crate) fn text(value: OsString) -> Result<String, Fault> {
    value.into_string().map_err(|value| Fault::NoValue(value.to_string_lossy().into_owned()))
}

/// Takes the value of an option that may stand once.
pub(crate) fn once<T>(place: &mut Option<T>, value: T) -> Result<(), Fault> {
    match place {
        Some(_) => Err(Fault::Twice),
        None => {
            *place = Some(value);
            Ok(())
        }
    }
}

/// Takes a word for when to use colours.
pub(crate) fn colour(common: &mut CommonArgs, text: String) -> Result<(), Fault> {
    let colour = Colour::from_str(&text, false).map_err(|_| Fault::Unfit(text))?;
    once(&mut common.output.color, colour)
}

/// Takes the value of an option that says where to look; any other one is given back.
pub(crate) fn where_to_look(common: &mut CommonArgs, flag: &str, value: OsString) -> Result<Option<OsString>, Fault> {
    match flag {
        "--root" => once(&mut common.root, value)?,
        "--manifest-path" => once(&mut common.manifest_path, value)?,
        "--exclude" => common.exclude.push(value),
        _ => return Ok(Some(value)),
    }
    Ok(None)
}
