//! The `.gitignore` files from the root down to one folder: paths come in, and are ignored or not. The `ignore` crate
//! judges the patterns; its own walker is not used, because it opens whatever is called `.gitignore`, and a pipe or an
//! endless device under that name would hang or exhaust a run.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The most that an ignore file may hold, in bytes.
pub(super) const MAX_BYTES: usize = 256 * 1024;

/// The longest pattern, in bytes: as long as a path can be.
const MAX_LINE_BYTES: usize = 4096;

/// The rules that hold in a folder. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Rules {
    /// From the root downwards; the last that speaks of a path decides.
    files: Arc<[Arc<Gitignore>]>,
}

/// Rules with those of one more file.
pub(super) struct OwnRules {
    pub(super) rules: Rules,
    /// The first line that is no pattern for this program, 1-based, with the end of a sentence about it.
    pub(super) dropped: Option<(u32, &'static str)>,
}

impl Rules {
    /// These rules with those of a folder's own file. Refuses, with the end of a sentence, what is not a regular file,
    /// cannot be read, is too large or cannot be compiled. As with git, a pattern that does not parse matches nothing.
    pub(super) fn with_file_of(&self, folder: &Path) -> Result<OwnRules, String> {
        let bytes = read(&folder.join(".gitignore"))?;
        let mut builder = GitignoreBuilder::new(folder);
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
        let mut dropped = None;
        for (number, line) in (1u32..).zip(bytes.split(|&byte| byte == b'\n')) {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.len() > MAX_LINE_BYTES {
                dropped = dropped.or(Some((number, "it is longer than 4,096 bytes")));
            } else if let Ok(line) = std::str::from_utf8(line) {
                // Only a pattern that does not parse is refused here.
                let _ = builder.add_line(None, line);
            } else {
                dropped = dropped.or(Some((number, "it is not UTF-8")));
            }
        }
        let own = builder.build().map_err(|_| "the file holds too many patterns".to_owned())?;
        if own.is_empty() {
            return Ok(OwnRules { rules: self.clone(), dropped });
        }
        let files = self.files.iter().cloned().chain([Arc::new(own)]).collect();
        Ok(OwnRules { rules: Rules { files }, dropped })
    }

    /// Whether a path is ignored. Its folder is not, or it would not have been entered.
    pub(super) fn ignore(&self, path: &Path, is_folder: bool) -> bool {
        for file in self.files.iter().rev() {
            match file.matched(path, is_folder) {
                Match::None => {}
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        false
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: std::io::Error| format!("the file cannot be read: {}", error.kind());
    if !path.symlink_metadata().map_err(unreadable)?.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() > MAX_BYTES { Err("it is larger than 256 KiB".to_owned()) } else { Ok(bytes) }
}
