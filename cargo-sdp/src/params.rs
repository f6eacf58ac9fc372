//! `--params`: its values come in, one object goes out, or the first fault in one line, in the words that the Protocol pins.

use std::fmt;
use std::path::Path;

use sdp_core::harmless;
use sdp_core::params::{Fault, Input, Merge, Words};
use serde_json::{Map, Value};

/// What the command line calls parameters.
const WORDS: Words = Words { params: "--params", file: "--params file" };

/// What is wrong with the parameters. Its text is one line, and goes after the command's prefix.
#[derive(Debug)]
pub(crate) struct ParamsFault(Fault);

impl fmt::Display for ParamsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.", harmless::one_line(&self.0.told(WORDS)))
    }
}

/// Reads every input in the order in which it was given and merges them; a key that two of them give is refused.
/// Paths are relative to `cwd`.
pub(crate) fn merge(inputs: &[String], cwd: &Path) -> Result<Map<String, Value>, ParamsFault> {
    let mut merge = Merge::new(cwd);
    for text in inputs {
        let input = Input::of(text).map_err(ParamsFault)?;
        let name = input.to_string();
        merge.add(input, name).map_err(ParamsFault)?;
    }
    Ok(merge.finish())
}

#[cfg(test)]
mod tests;
