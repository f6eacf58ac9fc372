//! A JavaScript string outside of the engine. What comes in is UTF-16 with whatever lone surrogates a body made; what goes out
//! keeps them, so that the renderer can escape them, and never fails on them.

use rquickjs::{Ctx, String as JsString};

/// A string value: Unicode text where it is one, UTF-16 units where it holds a lone surrogate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Text {
    Plain(String),
    Wide(Vec<u16>),
}

impl Text {
    /// Reads a string of the engine; no code of a body runs.
    ///
    /// # Errors
    ///
    /// The engine is out of memory, or the deadline stopped it.
    pub(super) fn read<'js>(ctx: &Ctx<'js>, string: &JsString<'js>) -> rquickjs::Result<Self> {
        match string.to_string() {
            Ok(text) => Ok(Self::Plain(text)),
            // Well-formed JSON escapes exactly the lone surrogates, so it carries any string as ASCII and plain text.
            Err(rquickjs::Error::Utf8(_)) => match ctx.json_stringify(string.clone().into_value())? {
                Some(json) => Ok(Self::Wide(units_of_json(&json.to_string()?))),
                None => Ok(Self::Plain(String::new())),
            },
            Err(error) => Err(error),
        }
    }

    /// The text with U+FFFD for each lone surrogate.
    pub(super) fn lossy(self) -> String {
        match self {
            Self::Plain(text) => text,
            Self::Wide(units) => String::from_utf16_lossy(&units),
        }
    }

    /// Length in UTF-16 units, as JavaScript counts.
    pub(super) fn units(&self) -> usize {
        match self {
            Self::Plain(text) => units(text),
            Self::Wide(units) => units.len(),
        }
    }

    /// Bytes that it occupies, for the budget.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Plain(text) => text.len(),
            Self::Wide(units) => units.len().saturating_mul(2),
        }
    }

    /// The pieces that end after each line feed.
    pub(super) fn lines(&self) -> Vec<Text> {
        match self {
            Self::Plain(text) => text.split_inclusive('\n').map(|line| Self::Plain(line.to_owned())).collect(),
            Self::Wide(units) => {
                units.split_inclusive(|unit| *unit == 0x0A).map(|line| Self::Wide(line.to_vec())).collect()
            }
        }
    }
}

/// UTF-16 units of a Rust string.
pub(super) fn units(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(char::len_utf16).sum() }
}

/// The units that a JSON string literal stands for. Only what `JSON.stringify` writes is understood.
fn units_of_json(json: &str) -> Vec<u16> {
    let inner = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(json);
    let mut units = Vec::with_capacity(inner.len());
    let mut buffer = [0_u16; 2];
    let mut chars = inner.chars();
    while let Some(char) = chars.next() {
        if char != '\\' {
            units.extend_from_slice(char.encode_utf16(&mut buffer));
            continue;
        }
        match chars.next() {
            Some('u') => {
                let code =
                    chars.by_ref().take(4).fold(0, |code, digit| code * 16 + digit.to_digit(16).unwrap_or_default());
                units.push(u16::try_from(code).unwrap_or(0xFFFD));
            }
            Some('b') => units.push(0x08),
            Some('f') => units.push(0x0C),
            Some('n') => units.push(0x0A),
            Some('r') => units.push(0x0D),
            Some('t') => units.push(0x09),
            Some(other) => units.extend_from_slice(other.encode_utf16(&mut buffer)),
            None => {}
        }
    }
    units
}
