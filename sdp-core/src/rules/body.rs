//! Bodies of rule files: a root-relative path comes in, the JavaScript text goes out, or why it cannot be had. It never
//! opens what is no regular file and never reads more than [`MAX_BYTES`].

use std::fs::File;
use std::io::Read;
use std::path::Path;

use thiserror::Error;

/// The most that a rule file may hold, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// Why a rule file gives no body; a sentence about the file, to follow its path.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BodyError {
    /// The system refuses.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// A folder, a symbolic link or something that is no file.
    #[error("is not a regular file")]
    NotAFile,
    /// Over the limit.
    #[error("is larger than 1 MiB")]
    TooLarge,
    /// Its bytes are no text.
    #[error("is not UTF-8 (at byte {0})")]
    NotUtf8(usize),
}

/// Reads a body; a byte-order mark is dropped.
///
/// # Errors
/// [`BodyError`].
pub(super) fn read(root: &Path, path: &str) -> Result<String, BodyError> {
    let path = root.join(path);
    let unreadable = |error: std::io::Error| BodyError::Unreadable(error.kind().to_string());
    // Asked before opening: a named pipe would hold the run up.
    if !path.symlink_metadata().map_err(unreadable)?.is_file() {
        return Err(BodyError::NotAFile);
    }
    let mut bytes = Vec::new();
    File::open(&path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(BodyError::TooLarge);
    }
    let text = String::from_utf8(bytes).map_err(|error| BodyError::NotUtf8(error.utf8_error().valid_up_to()))?;
    match text.strip_prefix('\u{FEFF}') {
        Some(rest) => Ok(rest.to_owned()),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_text_of_a_bounded_regular_file() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| std::fs::write(root.path().join(name), bytes).unwrap();
        write("bom.sdp.js", b"\xEF\xBB\xBFreturn []");
        write("latin.sdp.js", b"return '\xE9'");
        write("full.sdp.js", &vec![b' '; 1024 * 1024]);
        write("large.sdp.js", &vec![b' '; 1024 * 1024 + 1]);
        std::fs::create_dir(root.path().join("folder.sdp.js")).unwrap();
        let read = |name| read(root.path(), name);
        assert_eq!(read("bom.sdp.js").as_deref(), Ok("return []"));
        assert_eq!(read("latin.sdp.js"), Err(BodyError::NotUtf8(8)));
        assert_eq!(read("full.sdp.js").map(|text| text.len()), Ok(1024 * 1024));
        assert_eq!(read("large.sdp.js"), Err(BodyError::TooLarge));
        assert_eq!(read("folder.sdp.js"), Err(BodyError::NotAFile));
        assert!(matches!(read("gone.sdp.js"), Err(BodyError::Unreadable(_))));
    }
}
