//! Paths as they are called: folders and files come in, how one is called from another goes out as text, with `/`. The disk is not
//! looked at.

use std::borrow::Cow;
use std::path::{Component, Path};

use sdp_core::harmless;

/// The path from a folder, with `..` where it lies outside and `.` for the folder itself; as it is where there is no way, as on
/// another drive.
#[must_use]
pub fn from(folder: &Path, path: &Path) -> String {
    match way(folder, path) {
        None => path.to_string_lossy().into_owned(),
        Some(parts) if parts.is_empty() => ".".to_owned(),
        Some(parts) => parts.join("/"),
    }
}

/// A path for people, as part of one line.
#[must_use]
pub fn shown(path: &Path) -> String {
    harmless::one_line(&path.to_string_lossy()).into_owned()
}

/// What stands before a path that is relative to `to`, so that it is relative to `from`: nothing, or folders with `/`.
pub(crate) fn prefix(from: &Path, to: &Path) -> String {
    let parts = way(from, to).unwrap_or_else(|| vec![to.to_string_lossy()]);
    parts.into_iter().map(|part| format!("{part}/")).collect()
}

/// A prefix and a path as one path, in which `..` follows no folder. An absolute path takes no prefix.
pub(crate) fn joined(prefix: &str, file: &str) -> String {
    if Path::new(file).is_absolute() {
        return file.to_owned();
    }
    if !file.starts_with("../") {
        return format!("{prefix}{file}");
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in prefix.split_terminator('/').chain(file.split('/')) {
        match parts.last() {
            Some(last) if part == ".." && *last != ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// The steps from a folder to a path: `..` for each level up, then names.
fn way<'p>(folder: &Path, path: &'p Path) -> Option<Vec<Cow<'p, str>>> {
    let shared = folder.components().zip(path.components()).take_while(|(here, there)| here == there).count();
    let climbs = folder.components().skip(shared);
    if shared == 0 || !climbs.clone().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let up = climbs.map(|_| Cow::Borrowed(".."));
    Some(up.chain(path.components().skip(shared).map(|part| part.as_os_str().to_string_lossy())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_called_from_a_folder() {
        for (path, called) in [
            ("/a/b/c/d", "c/d"),
            ("/a/b", "."),
            ("/a/target", "../target"),
            ("/x", "../../x"),
            ("/a/b/../o", "../o"),
            ("relative", "relative"),
        ] {
            assert_eq!(from(Path::new("/a/b"), Path::new(path)), called, "{path}");
        }
    }

    #[test]
    fn a_prefix_leads_from_one_folder_to_another() {
        for (from, to, expected) in [
            ("/repo", "/repo", ""),
            ("/repo", "/repo/backend", "backend/"),
            ("/repo/backend", "/repo", "../"),
            ("/repo/web/src", "/repo/backend/core", "../../backend/core/"),
        ] {
            assert_eq!(prefix(Path::new(from), Path::new(to)), expected, "{from} {to}");
        }
    }

    #[test]
    fn a_path_goes_up_no_further_than_it_must() {
        for (prefix, file, expected) in [
            ("", "specs/a.sdp.md", "specs/a.sdp.md"),
            ("backend/", "specs/a.sdp.md", "backend/specs/a.sdp.md"),
            ("backend/", "../Cargo.toml", "Cargo.toml"),
            ("services/backend/", "../../rules/x.sdp.js", "rules/x.sdp.js"),
            ("../web/", "../Cargo.toml", "../Cargo.toml"),
            ("", "../Cargo.toml", "../Cargo.toml"),
            ("backend/", "../", ""),
        ] {
            assert_eq!(joined(prefix, file), expected, "{prefix} {file}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_absolute_path_stays_as_it_is() {
        assert_eq!(joined("backend/", "/tmp/base.txt"), "/tmp/base.txt");
    }
}
