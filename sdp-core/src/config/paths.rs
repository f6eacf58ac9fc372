//! Paths and patterns as they are configured: text comes in, and is accepted or refused. Nothing here looks at a disk.

use globset::{GlobBuilder, GlobMatcher};

/// The longest pattern, in bytes; it bounds what compiling one can cost.
const MAX_GLOB_BYTES: usize = 1024;

/// A path prefix that the exclusion grammar refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid exclusion path \"{0}\"")]
pub struct InvalidPath(pub String);

/// A pattern that is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid glob \"{glob}\": {why}")]
pub struct InvalidGlob {
    /// The pattern.
    pub glob: String,
    /// What is wrong with it, as the end of a sentence.
    pub why: String,
}

/// Checks an exclude: an exact root-relative prefix with `/` (fact sheet part 1).
///
/// # Errors
///
/// Refuses what is empty or `.`; what starts with `./`, `/` or a drive letter; what ends with `/`; a backslash; an empty
/// or a `..` segment.
pub fn check_exclude(path: &str) -> Result<(), InvalidPath> {
    let mut head = path.chars();
    let drive = head.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && head.as_str().starts_with(":/");
    let refused = path == "."
        || path.starts_with("./")
        || drive
        || path.contains('\\')
        || path.split('/').any(|segment| segment.is_empty() || segment == "..");
    if refused { Err(InvalidPath(path.to_owned())) } else { Ok(()) }
}

/// Compiles a root-relative glob: `*` and `?` stay within a segment, `**` spans segments, `\` escapes.
///
/// # Errors
///
/// Refuses what could match nothing below the root (an absolute path, an empty, `.` or `..` segment), what is longer
/// than 1024 bytes, and what does not parse.
pub fn compile_glob(glob: &str) -> Result<GlobMatcher, InvalidGlob> {
    let refused = |why: &str| Err(InvalidGlob { glob: glob.to_owned(), why: why.to_owned() });
    if glob.len() > MAX_GLOB_BYTES {
        return refused("it is longer than 1024 bytes");
    }
    if glob.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
        return refused("it must be relative to the root, without an empty, `.` or `..` segment");
    }
    match GlobBuilder::new(glob).literal_separator(true).backslash_escape(true).build() {
        Ok(compiled) => Ok(compiled.compile_matcher()),
        Err(error) => refused(&error.kind().to_string()),
    }
}
