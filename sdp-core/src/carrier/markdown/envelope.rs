//! The envelope: the carrier's whole text comes in, the frontmatter's text and the body go out. It looks at bytes and
//! line ends only, and never at what the frontmatter says.

use memchr::{memchr, memchr_iter, memmem};

use crate::carrier::MAX_CARRIER_BYTES;

/// The most bytes that frontmatter may have, without its markers.
const FRONTMATTER_BYTES: usize = 32 * 1024;

/// The two parts of a carrier.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Envelope<'a> {
    /// The lines between the markers, without the last line's end; the first of them is line 2 of the file.
    pub(super) frontmatter: &'a str,
    /// Everything after the closing marker's line.
    pub(super) body: &'a str,
    /// The 1-based line of the body's first line.
    pub(super) body_line: u32,
}

/// Parts a carrier. Refuses one that breaks a rule of fact sheet part 3.1, with the message of the first rule broken.
pub(super) fn split(text: &str) -> Result<Envelope<'_>, &'static str> {
    let bytes = text.as_bytes();
    if bytes.len() > MAX_CARRIER_BYTES {
        return Err("carrier exceeds the 256 KiB byte limit");
    }
    if !text.starts_with("---\n") && !text.starts_with("---\r\n") {
        return Err("carrier must begin at byte zero with an exact --- line");
    }
    let has_crlf = memchr(b'\r', bytes).is_some();
    if has_crlf && memchr_iter(b'\r', bytes).any(|at| bytes.get(at + 1) != Some(&b'\n')) {
        return Err("carrier contains a lone CR newline");
    }
    if has_crlf && memchr_iter(b'\n', bytes).any(|at| at.checked_sub(1).and_then(|at| bytes.get(at)) != Some(&b'\r')) {
        return Err("carrier mixes LF and CRLF newlines");
    }
    let mut markers = exact_lines(bytes, b"\n---");
    let Some(closing) = markers.next() else {
        return Err("carrier requires one exact closing --- line");
    };
    let opening = memchr(b'\n', bytes).unwrap_or(bytes.len());
    let frontmatter = text.get(opening + 1..closing).unwrap_or_default();
    let frontmatter = frontmatter.strip_suffix('\r').unwrap_or(frontmatter);
    if exact_lines(bytes.get(..=closing).unwrap_or_default(), b"\n...").next().is_some() {
        return Err("frontmatter does not accept an exact ... document-end line");
    }
    if markers.next().is_some() {
        return Err("an exact --- line in the body is unsupported Markdown");
    }
    if frontmatter.len() > FRONTMATTER_BYTES {
        return Err("frontmatter exceeds the 32 KiB byte limit");
    }
    let rest = text.get(closing + "\n---".len()..).unwrap_or_default();
    let body = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')).unwrap_or(rest);
    let lines_before = memchr_iter(b'\n', bytes.get(..=closing).unwrap_or_default()).count();
    Ok(Envelope { frontmatter, body, body_line: u32::try_from(lines_before + 2).unwrap_or(u32::MAX) })
}

/// The offsets of each line end that is followed by a line of exactly the marker (which is given with that line end).
fn exact_lines<'a>(bytes: &'a [u8], marker: &'static [u8; 4]) -> impl Iterator<Item = usize> + 'a {
    memmem::find_iter(bytes, marker)
        .filter(|at| matches!(bytes.get(at + marker.len()..), Some([] | [b'\n', ..] | [b'\r', b'\n', ..])))
}
