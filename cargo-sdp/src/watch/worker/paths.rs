//! How paths are called: a path as the system or a walk has it comes in, the one that the cycles compare goes out.

use std::path::{Path, PathBuf};

pub(super) fn real(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// A path without `..`, where what it climbs out of is there.
pub(super) fn plain(path: &Path) -> PathBuf {
    let climbs = path.components().any(|part| part == std::path::Component::ParentDir);
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if climbs => real(folder).join(name),
        _ => path.to_owned(),
    }
}

/// A folder below another one; the empty path is that one.
pub(super) fn in_folder(root: &Path, folder: &str) -> PathBuf {
    if folder.is_empty() { root.to_owned() } else { root.join(folder) }
}

/// How a path is called from a root, with `/`.
pub(super) fn below(root: &Path, path: &Path) -> Option<String> {
    let parts = path.strip_prefix(root).ok()?.components().map(|part| part.as_os_str().to_str());
    parts.collect::<Option<Vec<_>>>().map(|parts| parts.join("/"))
}
