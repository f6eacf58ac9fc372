//! One TOML file: its path comes in, its parsed document goes out, or why it cannot be had. It never reads more than
//! [`MAX_BYTES`], never opens what is no regular file, and refuses deep nesting before the parser sees it.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use toml_edit::Document;

/// The most that a TOML file may hold, in bytes.
pub(crate) const MAX_BYTES: usize = 1024 * 1024;

/// How deep brackets may nest. The parser has a limit of its own for brackets and one for dotted keys, but both together
/// reach thousands of levels, and a value is dropped recursively.
const MAX_NESTING: usize = 16;

/// A TOML file that was parsed.
pub(crate) type Parsed = Document<Arc<str>>;

/// What stands at a path.
pub(crate) enum Toml {
    /// Nothing.
    Absent,
    /// A document.
    Parsed(Parsed),
    /// Something that gives no document.
    Refused(Refusal),
}

/// Why a file gives no document.
pub(crate) struct Refusal {
    /// What is wrong, as the end of a sentence about the file.
    pub(crate) why: String,
    /// The 1-based line and column, where one is to blame.
    pub(crate) place: Option<(u32, u32)>,
    /// What it holds, cut after [`MAX_BYTES`], with bytes that are not UTF-8 replaced; none when that is not known.
    pub(crate) text: Option<String>,
}

/// Why a text is no TOML that is read here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TomlFault {
    /// What is wrong, as the end of a sentence about the file.
    pub why: String,
    /// The 1-based line and column, where one is to blame.
    pub place: Option<(u32, u32)>,
}

/// Parses a manifest that a command is about to add to, within the limits that hold for each TOML file.
///
/// # Errors
/// [`TomlFault`] where the bytes are no TOML, too many, or nested too deeply.
pub fn parse_toml(bytes: Vec<u8>) -> Result<Document<Arc<str>>, TomlFault> {
    match parse(bytes) {
        Toml::Parsed(document) => Ok(document),
        Toml::Refused(Refusal { why, place, .. }) => Err(TomlFault { why, place }),
        Toml::Absent => Err(TomlFault { why: "is not there".to_owned(), place: None }),
    }
}

/// Reads and parses one file. A symbolic link is followed: configuration is trusted, and cargo follows it too.
pub(crate) fn read(path: &Path) -> Toml {
    let unread = |why: String, text| Toml::Refused(Refusal { why, place: None, text });
    match path.metadata() {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return unread("is not a regular file".to_owned(), Some(String::new())),
        Err(_) if path.is_symlink() => return unread("is a symbolic link that leads nowhere".to_owned(), None),
        Err(_) => return Toml::Absent,
    }
    let mut bytes = Vec::new();
    match File::open(path).and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)) {
        Ok(_) => parse(bytes),
        Err(error) => unread(format!("cannot be read: {}", error.kind()), None),
    }
}

fn parse(bytes: Vec<u8>) -> Toml {
    if bytes.len() > MAX_BYTES {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        return Toml::Refused(Refusal { why: "is larger than 1 MiB".to_owned(), place: None, text: Some(text) });
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let place = place_of_bytes(error.as_bytes(), error.utf8_error().valid_up_to());
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            return Toml::Refused(Refusal { why: "is not UTF-8".to_owned(), place: Some(place), text: Some(text) });
        }
    };
    if let Some(offset) = too_deep(&text) {
        let place = Some(place(&text, offset));
        return Toml::Refused(Refusal {
            why: format!("nests brackets deeper than {MAX_NESTING} levels"),
            place,
            text: Some(text),
        });
    }
    let text: Arc<str> = text.into();
    match Document::parse(Arc::clone(&text)) {
        Ok(document) => Toml::Parsed(document),
        Err(error) => {
            let place = error.span().map(|span| place(&text, span.start));
            let why = format!("is not TOML: {}", error.message().replace('\n', "; "));
            Toml::Refused(Refusal { why, place, text: Some(text.to_string()) })
        }
    }
}

/// The offset of the first bracket that nests too deeply. Brackets in strings and comments do not count; what is wrong
/// with a string is for the parser to say.
fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'[' | b'{' => {
                depth += 1;
                if depth > MAX_NESTING {
                    return Some(at);
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'#' => at = memchr::memchr(b'\n', rest(bytes, at)).map_or(bytes.len(), |length| at + length),
            b'"' | b'\'' => at = end_of_string(bytes, at, byte),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The offset of the last byte of the string that opens at `at`.
fn end_of_string(bytes: &[u8], at: usize, quote: u8) -> usize {
    let triple = [quote; 3];
    let multi_line = rest(bytes, at).starts_with(&triple);
    let mut at = at + if multi_line { 3 } else { 1 };
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if quote == b'"' => at += 1,
            b'\n' if !multi_line => return at,
            _ if byte != quote => {}
            _ if !multi_line => return at,
            _ if rest(bytes, at).starts_with(&triple) => return at + 2,
            _ => {}
        }
        at += 1;
    }
    at
}

fn rest(bytes: &[u8], from: usize) -> &[u8] {
    bytes.get(from..).unwrap_or_default()
}

/// The 1-based line and column (in characters) of a byte offset.
pub(crate) fn place(text: &str, offset: usize) -> (u32, u32) {
    place_of_bytes(text.as_bytes(), offset)
}

/// The same for bytes that are UTF-8 up to the offset at least.
fn place_of_bytes(bytes: &[u8], offset: usize) -> (u32, u32) {
    let before = bytes.get(..offset).unwrap_or(bytes);
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    // Bytes that continue a character are not counted.
    let column = before.iter().skip(line_start).filter(|&&byte| byte & 0xC0 != 0x80).count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}
