//! Bodies of rule files: a root-relative path comes in, the JavaScript text goes out, or why it cannot be had. It never
//! opens what is no regular file and never reads more than [`MAX_BYTES`].

use std::fs::File;
use std::io::{self, Read};
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
    /// A link or a folder on its way leads out of where it has to lie.
    #[error("lies outside of {0}")]
    Outside(&'static str),
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

/// Whether there is a body to read at a path of a configuration's folder, as far as its name tells.
#[must_use]
pub fn is_body_file(base: &Path, path: &str) -> bool {
    let is_file = base.join(path).symlink_metadata().is_ok_and(|metadata| metadata.is_file());
    is_file && is_inside(base, path).unwrap_or(false)
}

fn is_inside(folder: &Path, path: &str) -> io::Result<bool> {
    Ok(folder.join(path).canonicalize()?.starts_with(folder.canonicalize()?))
}

/// The same for a file that has to lie in a folder, whatever links lead to it; `what` is what the folder is.
///
/// # Errors
/// [`BodyError`].
pub(super) fn read_inside(folder: &Path, path: &str, what: &'static str) -> Result<String, BodyError> {
    let unreadable = |error: std::io::Error| BodyError::Unreadable(error.kind().to_string());
    if !is_inside(folder, path).map_err(unreadable)? {
        return Err(BodyError::Outside(what));
    }
    read(folder, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_body_of_a_package_lies_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("package");
        std::fs::create_dir_all(package.join("rules")).unwrap();
        std::fs::write(package.join("rules/in.js"), "return []").unwrap();
        std::fs::create_dir(folder.path().join("other")).unwrap();
        std::fs::write(folder.path().join("other/out.js"), "return []").unwrap();
        std::os::unix::fs::symlink("../other", package.join("linked")).unwrap();
        assert_eq!(read_inside(&package, "rules/in.js", "it").as_deref(), Ok("return []"));
        assert_eq!(read_inside(&package, "linked/out.js", "it"), Err(BodyError::Outside("it")));
        assert!(is_body_file(&package, "rules/in.js") && !is_body_file(&package, "linked/out.js"));
        std::os::unix::fs::symlink("in.js", package.join("rules/link.js")).unwrap();
        assert_eq!(read_inside(&package, "rules/link.js", "it"), Err(BodyError::NotAFile));
        assert!(["rules/link.js", "rules", "gone.js"].iter().all(|path| !is_body_file(&package, path)));
        assert!(matches!(read_inside(&package, "gone.js", "it"), Err(BodyError::Unreadable(_))));
    }

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
