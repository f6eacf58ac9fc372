//! Canonical JSON (RFC 8785). One value comes in; its only text, the digest of that text, or the fault that keeps it from
//! having one goes out. Two values that mean the same never have two texts: keys are sorted by UTF-16 code units, every
//! number is written as the binary64 number that it is, and there is no white space.

use std::fmt::Write as _;

use serde_json::{Number, Value};

use crate::digest::Digest;

mod fault;
#[cfg(test)]
mod tests;
mod walk;

pub use fault::{CanonicalFault, CanonicalReason};
use walk::{Members, Part, walk};

/// The largest integer that binary64 tells from its neighbours, 2^53 - 1. The least is its negative.
pub const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// [`MAX_SAFE_INTEGER`] as the number that other numbers are compared with. It is exact.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

/// Writes the canonical text of `value`, without a newline after it.
///
/// Every number counts as the nearest binary64 number, integers too: 9007199254740993 is written as 9007199254740992. Who
/// must not lose that refuses it first, with [`check`] or [`write_checked`].
///
/// # Errors
///
/// A [`CanonicalFault`] where arrays and objects stand more than [`MAX_DEPTH`](crate::json::MAX_DEPTH) levels deep, or a number is not finite.
pub fn write(value: &Value) -> Result<String, CanonicalFault> {
    let mut text = String::new();
    walk(value, Members::Sorted, |part| {
        match part {
            Part::Mark(mark) => text.push(mark),
            Part::Key(key) => {
                write_string(key, &mut text);
                text.push(':');
            }
            Part::Literal(literal) => text.push_str(literal),
            Part::Number(number) => write_number(finite(number)?, &mut text),
            Part::Text(string) => write_string(string, &mut text),
        }
        Ok(())
    })?;
    Ok(text)
}

/// Whether `value` lies in the domain in which nothing is lost by its canonical text.
///
/// A number that is an integer in binary64 must be safe (at most [`MAX_SAFE_INTEGER`] from zero), however it was spelled:
/// `1e21` and `9007199254740993.0` are refused as `9007199254740993` is.
///
/// # Errors
///
/// A [`CanonicalFault`] with the first fault in authored order: an unsafe integer, and all that [`write()`] refuses.
pub fn check(value: &Value) -> Result<(), CanonicalFault> {
    walk(value, Members::Authored, |part| match part {
        // Beyond the largest safe integer every binary64 number is an integer.
        Part::Number(number) if finite(number)?.abs() > MAX_SAFE => Err(CanonicalReason::UnsafeInteger),
        _ => Ok(()),
    })
}

/// [`check`], then [`write()`]: the text of a value that lies in the domain.
///
/// # Errors
///
/// The [`CanonicalFault`] of [`check`].
pub fn write_checked(value: &Value) -> Result<String, CanonicalFault> {
    check(value)?;
    write(value)
}

/// The digest of the canonical text, which has no newline. As [`write()`], it does not look whether an integer is safe.
///
/// # Errors
///
/// The [`CanonicalFault`] of [`write()`].
pub fn digest(value: &Value) -> Result<Digest, CanonicalFault> {
    write(value).map(Digest::of)
}

/// Writes a finite number as `Number.prototype.toString` of ECMAScript does, which knows no negative zero.
fn write_number(number: f64, text: &mut String) {
    if number == 0.0 {
        text.push('0');
    } else {
        text.push_str(ryu_js::Buffer::new().format_finite(number));
    }
}

/// Writes a string as `JSON.stringify` of ECMAScript does: only what must be escaped is, in the shortest way that JSON has.
fn write_string(string: &str, text: &mut String) {
    text.push('"');
    let mut rest = string;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, 0..0x20 | b'"' | b'\\')) {
        // What is escaped is one byte long, so that both cuts lie between characters.
        let (plain, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        text.push_str(plain);
        let mut characters = from.chars();
        match characters.next() {
            Some('"') => text.push_str("\\\""),
            Some('\\') => text.push_str("\\\\"),
            Some('\u{8}') => text.push_str("\\b"),
            Some('\t') => text.push_str("\\t"),
            Some('\n') => text.push_str("\\n"),
            Some('\u{c}') => text.push_str("\\f"),
            Some('\r') => text.push_str("\\r"),
            Some(control) => {
                // Writing to a `String` never fails.
                let _ = write!(text, "\\u{:04x}", u32::from(control));
            }
            None => {}
        }
        rest = characters.as_str();
    }
    text.push_str(rest);
    text.push('"');
}

/// The number as the binary64 number that it is.
fn finite(number: &Number) -> Result<f64, CanonicalReason> {
    number.as_f64().filter(|number| number.is_finite()).ok_or(CanonicalReason::NotFinite)
}
