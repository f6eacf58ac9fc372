//! Files that a user or a corpus names, read within a bound. A path comes in, the text or the reason goes out. Only regular
//! files are opened: a pipe or a device would hang the run or never end.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

use thiserror::Error;

/// Why a file gives no text, in words that fit in parentheses.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is a folder.
    #[error("it is a folder")]
    Folder,
    /// It is a pipe, a device or the like.
    #[error("it is not a regular file")]
    NotRegular,
    /// It holds more bytes than this.
    #[error("it is larger than {} MiB", .0 >> 20)]
    TooLarge(u64),
    /// Its bytes are no text.
    #[error("it is not UTF-8")]
    NotUtf8,
}

/// The text of a regular file of at most `limit` bytes; symbolic links are followed.
///
/// # Errors
/// [`ReadError`].
pub fn read_text(path: &Path, limit: u64) -> Result<String, ReadError> {
    // Asked before the file is opened, because opening a pipe waits for its writer; and after, because the path may have
    // changed.
    refuse_unless_regular(&fs::metadata(path)?, limit)?;
    let file = File::open(path)?;
    refuse_unless_regular(&file.metadata()?, limit)?;
    read_to_end(file, limit)
}

/// The text that a reader gives until its end, of at most `limit` bytes.
///
/// # Errors
/// [`ReadError::Io`], [`ReadError::TooLarge`] and [`ReadError::NotUtf8`].
pub fn read_to_end(reader: impl io::Read, limit: u64) -> Result<String, ReadError> {
    let mut bytes = Vec::new();
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLarge(limit));
    }
    String::from_utf8(bytes).map_err(|_| ReadError::NotUtf8)
}

fn refuse_unless_regular(metadata: &Metadata, limit: u64) -> Result<(), ReadError> {
    if metadata.is_dir() {
        Err(ReadError::Folder)
    } else if !metadata.is_file() {
        Err(ReadError::NotRegular)
    } else if metadata.len() > limit {
        Err(ReadError::TooLarge(limit))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_from_a_bounded_regular_file() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            read_text(&path, 1 << 20).map_err(|error| error.to_string())
        };
        let refused = |reason: &str| Err(reason.to_owned());
        assert_eq!(read("full", &vec![b' '; 1 << 20]).map(|text| text.len()), Ok(1 << 20));
        assert_eq!(read("large", &vec![b' '; (1 << 20) + 1]), refused("it is larger than 1 MiB"));
        assert_eq!(read("latin", b"\xE9"), refused("it is not UTF-8"));
        assert!(matches!(read_text(folder.path(), 1), Err(ReadError::Folder)));
        assert!(matches!(read_text(&folder.path().join("gone"), 1), Err(ReadError::Io(_))));
    }

    #[test]
    fn a_reader_that_never_ends_is_left() {
        assert!(matches!(read_to_end(io::repeat(b'a'), 9), Err(ReadError::TooLarge(9))));
    }
}
