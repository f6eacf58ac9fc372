//! Markers and forms inside an entry: one entry's text comes in, its parts go out. Whether a section takes such an entry
//! is decided in [`super::owners`].

use super::text::is_dot_text;

/// An open question's entry.
pub(super) struct MarkedQuestion<'a> {
    /// Whether it is `blocking`.
    pub(super) blocking: bool,
    /// What stands behind `#`, whatever it is.
    pub(super) key: Option<&'a str>,
    /// The question.
    pub(super) text: &'a str,
}

/// Reads `[blocking] text`, `[non-blocking] text`, and either with ` #key` inside the brackets.
pub(super) fn question(entry: &str) -> Option<MarkedQuestion<'_>> {
    let inner = entry.strip_prefix('[')?;
    let (blocking, rest) = match inner.strip_prefix("blocking") {
        Some(rest) => (true, rest),
        None => (false, inner.strip_prefix("non-blocking")?),
    };
    let (key, rest) = match rest.strip_prefix(" #") {
        Some(rest) => rest.split_once(']').map(|(key, rest)| (Some(key), rest))?,
        None => (None, rest.strip_prefix(']')?),
    };
    let text = rest.strip_prefix(' ').filter(|text| is_dot_text(text))?;
    Some(MarkedQuestion { blocking, key, text })
}

/// Parts a rule's text into the key of its marker, whatever that is, and the text behind it. A text that merely opens
/// with a bracket, such as a link, has no marker.
pub(super) fn rule(entry: &str) -> (Option<&str>, &str) {
    let marked = entry.strip_prefix("[#").and_then(|inner| inner.split_once(']'));
    match marked {
        Some((key, "")) => (Some(key), ""),
        Some((key, rest)) => match rest.strip_prefix(' ') {
            Some(text) => (Some(key), text),
            None => (None, entry),
        },
        None => (None, entry),
    }
}

/// Term and definition of `**TERM** — DEFINITION`.
pub(super) fn model_term(entry: &str) -> Option<(&str, &str)> {
    let (term, rest) = entry.strip_prefix("**")?.split_once('*')?;
    let definition = rest.strip_prefix("* — ")?;
    (!term.is_empty() && is_dot_text(definition)).then_some((term, definition))
}
