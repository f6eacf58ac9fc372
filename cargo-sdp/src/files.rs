//! Files that a user or a corpus names, read within a bound. A path comes in, the text or the reason goes out. Only regular
//! files are opened: a pipe or a device would hang the run or never end.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

/// The text of a regular file of at most `limit` bytes, or the reason in words that fit in parentheses.
pub(crate) fn read_text(path: &Path, limit: u64) -> Result<String, String> {
    let refuse_unless_regular = |metadata: &fs::Metadata| {
        if metadata.is_dir() {
            Err("it is a folder".to_owned())
        } else if !metadata.is_file() {
            Err("it is not a regular file".to_owned())
        } else if metadata.len() > limit {
            Err(too_large(limit))
        } else {
            Ok(())
        }
    };
    // Asked before the file is opened, because opening a pipe waits for its writer.
    refuse_unless_regular(&fs::metadata(path).map_err(|error| error.to_string())?)?;
    let file = File::open(path).map_err(|error| error.to_string())?;
    refuse_unless_regular(&file.metadata().map_err(|error| error.to_string())?)?;
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > limit {
        return Err(too_large(limit));
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}

/// The reason for a text beyond a bound, which is given in bytes.
pub(crate) fn too_large(limit: u64) -> String {
    format!("it is larger than {} MiB", limit >> 20)
}
