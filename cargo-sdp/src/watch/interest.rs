//! Which changes are worth a look: folders come in with the reason why each is watched, and a path matters or not. The threads
//! that hear of changes ask here, so that a busy folder keeps nobody awake.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Why a folder is watched.
#[derive(Clone, Debug, Default)]
pub(super) struct Reason {
    /// Whatever lies in it may matter: a walk enters it.
    pub(super) is_walked: bool,
    /// What matters in it in any case, by its own name.
    pub(super) names: HashSet<OsString>,
}

/// Folders, by their real paths, with their reasons.
#[derive(Clone, Debug, Default)]
pub(super) struct Interest {
    pub(super) folders: HashMap<PathBuf, Reason>,
    /// The files that the run writes itself, by their real paths.
    pub(super) written: HashSet<PathBuf>,
}

impl Interest {
    /// The folder and the name in it that a change is about, where it matters; without a name it is about the folder itself.
    pub(super) fn place(&self, path: &Path) -> Option<(PathBuf, Option<OsString>)> {
        if self.written.contains(path) {
            return None;
        }
        if let (Some(folder), Some(name)) = (path.parent(), path.file_name())
            && let Some(reason) = self.folders.get(folder)
            && (reason.names.contains(name) || (reason.is_walked && !is_of_an_editor(name)))
        {
            return Some((folder.to_owned(), Some(name.to_owned())));
        }
        self.folders.contains_key(path).then(|| (path.to_owned(), None))
    }
}

/// Whether a file is one that an editor keeps for a while beside the one that it edits.
pub(super) fn is_of_an_editor(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let is_swap = || {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        name.starts_with('.') && ending.is_some_and(|ending| ending.len() == 3 && ending.starts_with("sw"))
    };
    name.ends_with('~')
        || name.starts_with(".#")
        || (name.len() > 1 && name.starts_with('#') && name.ends_with('#'))
        || name.ends_with("___jb_tmp___")
        || name.ends_with("___jb_old___")
        || name.starts_with(".goutputstream-")
        || name.starts_with(".sdp-write-")
        || name == "4913"
        || is_swap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_editors_are_told_by_their_names() {
        for name in ["a.sdp.md~", ".a.sdp.md.swp", ".a.swx", "4913", ".#a.sdp.md", "#a.sdp.md#", "a.rs___jb_tmp___"] {
            assert!(is_of_an_editor(OsStr::new(name)), "{name}");
        }
        for name in ["a.sdp.md", "a.swp", ".hidden", ".swift", "#", "#a", "~a", "4914", ".gitignore", ".a.swift"] {
            assert!(!is_of_an_editor(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn a_change_matters_where_its_folder_is_watched_for_it() {
        let mut interest = Interest::default();
        interest.folders.insert("/r".into(), Reason { is_walked: true, names: HashSet::new() });
        let names = HashSet::from(["sdp.toml".into()]);
        interest.folders.insert("/".into(), Reason { is_walked: false, names });
        interest.written.insert("/r/out.sarif".into());
        let place =
            |path: &str| interest.place(Path::new(path)).map(|(folder, name)| (folder, name.unwrap_or_default()));
        let at = |folder: &str, name: &str| Some((PathBuf::from(folder), OsString::from(name)));
        assert_eq!(place("/r/a.rs"), at("/r", "a.rs"));
        assert_eq!(place("/sdp.toml"), at("/", "sdp.toml"));
        assert_eq!(place("/r"), at("/r", ""), "the folder itself");
        for path in ["/r/a.rs~", "/r/out.sarif", "/other.toml", "/r/sub/a.rs"] {
            assert_eq!(place(path), None, "{path}");
        }
    }
}
