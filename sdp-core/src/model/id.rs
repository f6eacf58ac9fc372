//! The id grammar: `<namespace>:<path>[#<section>.<key>]` (newest sheet part 1). The `#` part is an entry address; it is
//! refused in every id slot, which the slots themselves test with [`ParsedId::entry`].

use thiserror::Error;

use crate::harmless::shown;

/// How many bytes an id may have in a slot of a carrier. Findings, edges and answers repeat an id many times, so a long one would
/// cost far more than the carrier that holds it.
pub const MAX_ID_BYTES: usize = 512;

/// How many characters of a longer one a message shows.
const MAX_SHOWN: usize = 80;

/// An id that keeps the grammar; borrows the text that it was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsedId<'a> {
    /// The namespace, such as `spec`.
    pub namespace: &'a str,
    /// The dot-joined path.
    pub path: &'a str,
    /// Section and key of an entry address.
    pub entry: Option<(&'a str, &'a str)>,
}

/// Why a text is no id: the pinned message `Invalid ID "<value>": <reason>`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("Invalid ID \"{value}\": {reason}")]
pub struct IdError {
    /// The text that was refused; of one that is only too long, its beginning and `…`.
    pub value: String,
    /// The pinned reason.
    pub reason: &'static str,
}

impl IdError {
    /// The message with no more than the beginning of a long value: for a reader whose files are large.
    pub(crate) fn in_brief(&self) -> String {
        const MOST: usize = 200;
        IdError { value: shown(&self.value, MOST).into_owned(), reason: self.reason }.to_string()
    }
}

/// What is said of an id in a place that takes other namespaces.
pub(crate) fn wrong_namespace(id: &str, namespace: &str, wanted: &[&str]) -> String {
    let wanted = match wanted {
        [_] => format!("{} is required", listed(wanted)),
        _ => format!("one of {} is required", listed(wanted)),
    };
    format!("id \"{id}\" carries namespace \"{namespace}\" where {wanted}")
}

/// Namespaces as messages list them.
pub(crate) fn listed(namespaces: &[&str]) -> String {
    let quoted: Vec<String> = namespaces.iter().map(|namespace| format!("\"{namespace}\"")).collect();
    quoted.join(" · ")
}

/// Reads an id; the checks run in the Protocol's order and the first refusal is the answer.
///
/// # Errors
/// [`IdError`] with the pinned reason.
pub fn parse_id(value: &str) -> Result<ParsedId<'_>, IdError> {
    parse(value).map_err(|reason| IdError { value: value.to_owned(), reason })
}

fn parse(value: &str) -> Result<ParsedId<'_>, &'static str> {
    if value.is_empty() {
        return Err("missing namespace");
    }
    if value.chars().any(is_js_whitespace) {
        return Err("whitespace is not allowed");
    }
    let Some((namespace, rest)) = value.split_once(':').filter(|(namespace, _)| !namespace.is_empty()) else {
        return Err("missing namespace");
    };
    let mut letters = namespace.bytes();
    if !letters.next().is_some_and(|b| b.is_ascii_lowercase())
        || !letters.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    {
        return Err("namespace must be lowercase");
    }
    let (path, entry) = match rest.split_once('#') {
        Some((path, entry)) => (path, Some(entry)),
        None => (rest, None),
    };
    if path.is_empty() {
        return Err("missing path");
    }
    if path.split('.').any(str::is_empty) {
        return Err("empty path segment");
    }
    if !path.split('.').all(is_segment) {
        return Err("invalid path segment");
    }
    let Some(entry) = entry else {
        return Ok(ParsedId { namespace, path, entry: None });
    };
    if namespace != "spec" {
        return Err("the # sub-part is an entry address and is admitted only in the spec namespace");
    }
    if entry.is_empty() || entry.contains('#') {
        return Err("malformed # suffix");
    }
    let Some((section, key)) =
        entry.split_once('.').filter(|(section, _)| matches!(*section, "design" | "ui" | "question" | "rule"))
    else {
        return Err("entry address must be <section>.<key> with section design, ui, question, or rule");
    };
    if !is_entry_key(key) {
        return Err("entry address key must be lower-camel ASCII");
    }
    Ok(ParsedId { namespace, path, entry: Some((section, key)) })
}

fn is_segment(segment: &str) -> bool {
    let mut bytes = segment.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphanumeric()) && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

/// The namespace of an id; refuses what no id slot takes: an entry address, and an id of more than [`MAX_ID_BYTES`].
///
/// # Errors
/// [`IdError`] with the pinned reason.
pub fn parse_slot_id(value: &str) -> Result<&str, IdError> {
    let id = parse_id(value)?;
    if id.entry.is_some() {
        return Err(IdError { value: value.to_owned(), reason: "an entry address is not a Spec id" });
    }
    if value.len() > MAX_ID_BYTES {
        return Err(IdError { value: shown(value, MAX_SHOWN).into_owned(), reason: "longer than 512 bytes" });
    }
    Ok(id.namespace)
}

/// Whether a text is an entry key: lower-camel ASCII, `^[a-z][A-Za-z0-9]*$`.
#[must_use]
pub fn is_entry_key(key: &str) -> bool {
    let mut bytes = key.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_lowercase()) && bytes.all(|b| b.is_ascii_alphanumeric())
}

/// JavaScript's `\s`: Unicode white space without U+0085, with U+FEFF.
#[must_use]
pub fn is_js_whitespace(character: char) -> bool {
    character == '\u{FEFF}' || (character.is_whitespace() && character != '\u{0085}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_come_in_the_protocols_order() {
        let cases = [
            ("", "missing namespace"),
            ("a b", "whitespace is not allowed"),
            (":x", "missing namespace"),
            ("noColon", "missing namespace"),
            ("Spec:a", "namespace must be lowercase"),
            ("spec:", "missing path"),
            ("spec:#design.a", "missing path"),
            ("spec:a..b", "empty path segment"),
            ("spec:a_b", "invalid path segment"),
            ("spec:a:b", "invalid path segment"),
            ("impl:a#design.k", "the # sub-part is an entry address and is admitted only in the spec namespace"),
            ("spec:a#", "malformed # suffix"),
            ("spec:a#design.k#x", "malformed # suffix"),
            ("spec:a#terms.k", "entry address must be <section>.<key> with section design, ui, question, or rule"),
            ("spec:a#design", "entry address must be <section>.<key> with section design, ui, question, or rule"),
            ("spec:a#design.Key", "entry address key must be lower-camel ASCII"),
        ];
        for (value, reason) in cases {
            assert_eq!(parse_id(value).unwrap_err().to_string(), format!("Invalid ID \"{value}\": {reason}"));
        }
        assert_eq!(
            parse_id("spec:a.B-1#rule.recipeCall").unwrap(),
            ParsedId { namespace: "spec", path: "a.B-1", entry: Some(("rule", "recipeCall")) }
        );
        assert_eq!(parse_id("doc:x").unwrap().namespace, "doc");
    }

    #[test]
    fn a_slot_takes_an_id_of_512_bytes_and_no_longer_one() {
        let id = |bytes: usize| format!("spec:{}", "a".repeat(bytes - 5));
        assert_eq!(parse_slot_id(&id(MAX_ID_BYTES)), Ok("spec"));
        let refusal = parse_slot_id(&id(MAX_ID_BYTES + 1)).unwrap_err().to_string();
        assert_eq!(refusal, format!("Invalid ID \"{}…\": longer than 512 bytes", id(80)));
        assert!(parse_id(&id(16_000)).is_ok(), "a mention has no limit of its own");
        let other = format!("{}_", id(600));
        let refusal = parse_slot_id(&other).unwrap_err();
        assert_eq!(refusal.value, other, "the Protocol's own refusals show the whole value");
        assert_eq!(refusal.in_brief(), format!("Invalid ID \"{}…\": invalid path segment", id(200)));
    }

    #[test]
    fn a_wrong_namespace_is_told_from_those_that_are_wanted() {
        assert_eq!(
            wrong_namespace("impl:a", "impl", &["spec"]),
            "id \"impl:a\" carries namespace \"impl\" where \"spec\" is required"
        );
        assert_eq!(
            wrong_namespace("spec:a", "spec", &["impl", "api"]),
            "id \"spec:a\" carries namespace \"spec\" where one of \"impl\" · \"api\" is required"
        );
    }
}
