//! The body of `q`: the argument where there is one, else everything on a stdin that is no terminal. A text goes out that is
//! not blank, or a refusal. A terminal is never waited on.

use std::io::{self, IsTerminal as _};

use sdp_core::files;
use sdp_core::model::is_js_whitespace;

use crate::errors::Refusal;

/// The longest body that is read from stdin, in bytes.
const LIMIT: u64 = 16 << 20;

/// The body, from the argument first.
pub(super) fn obtain(argument: Option<&str>) -> Result<String, Refusal> {
    let body = match argument {
        Some(body) => body.to_owned(),
        None => from_stdin()?,
    };
    if body.trim_matches(is_js_whitespace).is_empty() { Err(Refusal::EmptyBody) } else { Ok(body) }
}

fn from_stdin() -> Result<String, Refusal> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return Err(Refusal::NoBody);
    }
    files::read_to_end(stdin.lock(), LIMIT).map_err(|reason| Refusal::Stdin(reason.to_string()))
}
