//! Files of outputs: a path and a text come in, the file is written, or what to say of it goes out. What stands at a path and is
//! not replaced is told before a run.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use sdp_canon::{create_parents, write_atomic};
use sdp_core::carrier::CarrierForm;
use sdp_core::harmless;

/// Writes a file whole; folders above it are made. What could not be done is a text.
pub(super) fn put(path: &Path, text: &str) -> Result<(), String> {
    create_parents(path).and_then(|()| write_atomic(path, text.as_bytes())).map_err(|error| {
        harmless::one_line(&format!("an output could not be written: {}", error.explained())).into_owned()
    })
}

/// Adds to a file that others write too.
pub(super) fn append(path: &Path, text: &str) -> Result<(), String> {
    // Whatever else stands there might wait for a reader, and for ever.
    let is_other = fs::metadata(path).is_ok_and(|file| !file.is_file() && !file.is_dir());
    let written = match is_other {
        true => Err(io::Error::other("it is no regular file")),
        false => {
            OpenOptions::new().append(true).create(true).open(path).and_then(|mut file| file.write_all(text.as_bytes()))
        }
    };
    written.map_err(|error: io::Error| {
        let path = path.to_string_lossy();
        harmless::one_line(&format!("the step's summary could not be written: `{path}` ({error})")).into_owned()
    })
}

/// What stands at a path and is not replaced, as a sentence about the path.
pub(super) fn obstacle(path: &Path) -> Option<&'static str> {
    let ends_in_a_folder = path.file_name().is_none() || path.as_os_str().to_string_lossy().ends_with(['/', '\\']);
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(_) if ends_in_a_folder => return Some("names a folder, not a file"),
        // What keeps it from being written is told when it is.
        Err(_) => return None,
    };
    if metadata.is_symlink() {
        Some("is a symbolic link, which is neither replaced nor followed")
    } else if metadata.is_dir() {
        Some("is a folder, not a file")
    } else if metadata.is_file() {
        None
    } else {
        Some("is not a regular file")
    }
}

/// What a run reads a file of this name as, whichever run.
pub(super) fn read_by_runs(path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_string_lossy();
    match &*name {
        "sdp.toml" | "Cargo.toml" => Some("a configuration"),
        name if CarrierForm::of_file_name(name).is_some() => Some("a carrier of Specs"),
        name if name.ends_with(".sdp.js") => Some("a rule"),
        _ => None,
    }
}

/// The one path of a file, whichever way it is spelled: as far as it exists it is what the disk says, links and `..` followed;
/// below that nothing can be a link.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut rest = Vec::new();
    let mut known = path;
    // The file itself is replaced and not followed.
    while let Some(folder) = known.parent() {
        rest.push(known.components().next_back());
        known = folder;
        if let Ok(mut plain) = fs::canonicalize(known) {
            for part in rest.into_iter().rev().flatten() {
                match part {
                    Component::CurDir => {}
                    Component::ParentDir => {
                        plain.pop();
                    }
                    part => plain.push(part),
                }
            }
            return plain;
        }
    }
    path.to_owned()
}
