//! Ids, as `sdp-core` reads them in `model::id`: a text comes in, its namespace or the pinned reason why it is no id goes out.
//! It knows no compiler type and no other file, so that the test that holds it against `sdp-core` can include it.

/// How many bytes an id may have.
const MAX_ID_BYTES: usize = 512;
/// How many characters of a longer one a message shows.
const MAX_SHOWN: usize = 80;

/// The reason why the address of an entry is no id.
pub(crate) const ENTRY_ADDRESS: &str = "an entry address is not a Spec id";
/// The reason why a long text is none.
pub(crate) const TOO_LONG: &str = "longer than 512 bytes";

/// Why a text is no id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IdError {
    /// The text that was refused; of one that is only too long, its beginning.
    pub(crate) shown: String,
    /// The pinned reason.
    pub(crate) reason: &'static str,
}

/// The namespace of an id.
pub(crate) fn parse_slot_id(value: &str) -> Result<&str, IdError> {
    let refused = |reason| IdError { shown: value.to_owned(), reason };
    let (namespace, has_entry) = parse(value).map_err(refused)?;
    if has_entry {
        return Err(refused(ENTRY_ADDRESS));
    }
    if value.len() > MAX_ID_BYTES {
        return Err(IdError { shown: shown(value, MAX_SHOWN), reason: TOO_LONG });
    }
    Ok(namespace)
}

/// The namespace, and whether the id is the address of an entry. The first refusal in the Protocol's order is the answer.
fn parse(value: &str) -> Result<(&str, bool), &'static str> {
    if value.is_empty() {
        return Err("missing namespace");
    }
    // JavaScript's white space.
    let is_space = |c: char| c == '\u{FEFF}' || (c.is_whitespace() && c != '\u{0085}');
    if value.chars().any(is_space) {
        return Err("whitespace is not allowed");
    }
    let Some((namespace, rest)) = value.split_once(':').filter(|(namespace, _)| !namespace.is_empty()) else {
        return Err("missing namespace");
    };
    if !is_token(namespace) {
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
    let Some(entry) = entry else { return Ok((namespace, false)) };
    if namespace != "spec" {
        return Err("the # sub-part is an entry address and is admitted only in the spec namespace");
    }
    if entry.is_empty() || entry.contains('#') {
        return Err("malformed # suffix");
    }
    let is_section = |section: &str| matches!(section, "design" | "ui" | "question" | "rule");
    let Some((_, key)) = entry.split_once('.').filter(|(section, _)| is_section(section)) else {
        return Err("entry address must be <section>.<key> with section design, ui, question, or rule");
    };
    if !key.starts_with(|c: char| c.is_ascii_lowercase()) || !key.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return Err("entry address key must be lower-camel ASCII");
    }
    Ok((namespace, true))
}

/// Whether a text is a segment of an id's path.
pub(crate) fn is_segment(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// `^[a-z][a-z0-9-]*$`: a namespace, or a word of a corpus's own vocabulary.
pub(crate) fn is_token(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// The text where it has at most `limit` characters, else its first ones and `…`.
pub(crate) fn shown(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
