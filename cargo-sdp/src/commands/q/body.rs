//! The body of `q`: the argument where there is one, else everything on a stdin that is no terminal. A text goes out that is
//! not blank, or a refusal. A terminal is never waited on.

use std::io::{self, IsTerminal as _, Read as _};

use crate::errors::Refusal;
use crate::files;

/// The longest body that is read from stdin, in bytes.
const LIMIT: u64 = 16 << 20;

/// The body, from the argument first.
pub(super) fn obtain(argument: Option<&str>) -> Result<String, Refusal> {
    let body = match argument {
        Some(body) => body.to_owned(),
        None => from_stdin()?,
    };
    if body.trim_matches(is_script_white_space).is_empty() { Err(Refusal::EmptyBody) } else { Ok(body) }
}

fn from_stdin() -> Result<String, Refusal> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return Err(Refusal::NoBody);
    }
    let mut bytes = Vec::new();
    stdin.lock().take(LIMIT + 1).read_to_end(&mut bytes).map_err(|error| Refusal::Stdin(error.to_string()))?;
    if bytes.len() as u64 > LIMIT {
        return Err(Refusal::Stdin(files::too_large(LIMIT)));
    }
    String::from_utf8(bytes).map_err(|_| Refusal::Stdin("it is not UTF-8".to_owned()))
}

/// What JavaScript trims: Rust's white space without U+0085, and the byte order mark.
fn is_script_white_space(character: char) -> bool {
    character == '\u{FEFF}' || (character.is_whitespace() && character != '\u{85}')
}
