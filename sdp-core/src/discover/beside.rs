//! A file that is to be made beside another one: the paths of both come in, and why a walk that finds the other one would leave
//! the new one out goes out. For a command that writes carriers.

use std::path::Path;

use hashbrown::HashMap;

use super::ignore_rules::Rules;
use super::tree::{is_never_walked, joined};
use super::{DiscoverOptions, in_root, own_name};

/// What walks of a root leave out, asked file by file. Each folder's ignore rules are read once.
pub(crate) struct Beside<'o> {
    root: &'o Path,
    exclude: &'o [String],
    /// The rules of the folders that were asked for, by root-relative path; none where a walk does not enter.
    folders: HashMap<String, Option<Rules>>,
}

impl<'o> Beside<'o> {
    /// Nothing was asked for yet.
    pub(crate) fn of(root: &'o Path, options: &'o DiscoverOptions) -> Self {
        Beside { root, exclude: &options.exclude, folders: HashMap::new() }
    }

    /// Why a walk would leave out the file `new`, as the end of a sentence about it; none where it would also leave out `file`,
    /// in the same folder. Both paths are root-relative.
    pub(crate) fn left_out(&mut self, new: &str, file: &str) -> Option<&'static str> {
        let folder = new.strip_suffix(own_name(new)).unwrap_or_default().trim_end_matches('/');
        let rules = self.rules(folder)?;
        let why = |path: &str| {
            if self.exclude.iter().any(|exclude| exclude == path) {
                Some("is excluded")
            } else if rules.ignore(&in_root(self.root, path), false) {
                Some("is ignored by git")
            } else {
                None
            }
        };
        why(new).filter(|_| why(file).is_none())
    }

    /// The rules that hold in a folder, from the root downwards. What cannot be applied of them is said by the walk.
    fn rules(&mut self, folder: &str) -> Option<Rules> {
        let mut rules = self.own(String::new(), Some(Rules::default()));
        let mut path = String::new();
        for name in folder.split('/').filter(|name| !name.is_empty()) {
            path = joined(&path, name);
            let above = rules.filter(|rules| {
                let is_left_out = is_never_walked(name) || self.exclude.contains(&path);
                !is_left_out && !rules.ignore(&in_root(self.root, &path), true)
            });
            rules = self.own(path.clone(), above);
        }
        rules
    }

    fn own(&mut self, path: String, above: Option<Rules>) -> Option<Rules> {
        let folder = in_root(self.root, &path);
        let own = || above.map(|above| above.with_file_of(&folder).map_or(above, |own| own.rules));
        self.folders.entry(path).or_insert_with(own).clone()
    }
}
