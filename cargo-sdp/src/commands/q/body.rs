//! The body of `q`: the argument where there is one, else everything on a stdin that is no terminal. A text goes out that is
//! not blank, or a refusal. A terminal is never waited on.

use std::io::{self, IsTerminal as _};

use sdp_core::files;

use crate::errors::Refusal;

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
    files::read_to_end(stdin.lock(), LIMIT).map_err(|reason| Refusal::Stdin(reason.to_string()))
}

/// What JavaScript trims: Rust's white space without U+0085, and the byte order mark.
fn is_script_white_space(character: char) -> bool {
    character == '\u{FEFF}' || (character.is_whitespace() && character != '\u{85}')
}
