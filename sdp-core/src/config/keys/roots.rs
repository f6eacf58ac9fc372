//! The key `roots`: its tables come in, the listed roots go out as authored, each with where it stands. Whether their folders
//! are there is not looked at here.

use std::collections::BTreeMap;
use std::ops::Range;

use toml_edit::TableLike;

use super::{Entry, MAX_NAME_CHARS, Reader, place_of};
use crate::config::check_exclude;
use crate::harmless::{is_harmful, shown};

const ROOT_KEYS: &[&str] = &["path", "name"];

/// How many roots a configuration lists at most.
const MAX_ROOTS: usize = 100;

/// The longest path, in bytes.
pub(in crate::config) const MAX_PATH: usize = 1024;

/// The path of the configuration's own folder.
pub(in crate::config) const OWN_FOLDER: &str = ".";

/// What the key says.
#[derive(Clone, Debug)]
pub(in crate::config) struct Roots {
    /// The 1-based line and column of the key.
    pub(in crate::config) place: (u32, u32),
    /// The roots, as authored; names and paths are unique.
    pub(in crate::config) entries: Vec<ListedRoot>,
}

/// One listed root.
#[derive(Clone, Debug)]
pub(in crate::config) struct ListedRoot {
    /// The path from the configuration's folder, with `/`, or [`OWN_FOLDER`].
    pub(in crate::config) path: String,
    /// What it is called: a level of a case's name, and the name of a folder.
    pub(in crate::config) name: String,
    /// The 1-based line and column.
    pub(in crate::config) place: (u32, u32),
}

impl Reader<'_> {
    /// The listed roots.
    pub(super) fn roots(&mut self, entry: &Entry<'_>) -> Roots {
        let mut roots = Roots { place: place_of(self.text, entry.key_span()), entries: Vec::new() };
        let mut seen = Seen::default();
        let mut tables = 0;
        let count = self.tables(entry, |reader, table, span| {
            tables += 1;
            if tables <= MAX_ROOTS {
                roots.entries.extend(reader.root(table, span, &mut seen));
            }
        });
        let Some(count) = count else { return roots };
        if count == 0 {
            self.problem(entry.key_span(), "`roots` must list at least one root".to_owned());
        }
        if count > MAX_ROOTS {
            self.problem(entry.key_span(), format!("`roots` lists more than {MAX_ROOTS} roots"));
        }
        roots
    }

    /// One root, or none when anything about it is wrong.
    fn root(&mut self, table: &dyn TableLike, span: Option<Range<usize>>, seen: &mut Seen) -> Option<ListedRoot> {
        let before = self.problems;
        let (mut path, mut name) = (None, None);
        for (key, item) in table.iter() {
            let entry = Entry::new(table, key, item);
            match key {
                "path" => path = self.root_path(&entry),
                "name" => name = self.root_name(&entry),
                _ => self.unknown_key(&entry, "root", ROOT_KEYS),
            }
        }
        if !table.contains_key("path") {
            self.problem(span.clone(), "a root needs a `path`".to_owned());
        }
        if self.problems > before {
            return None;
        }
        let path = path?;
        let name = match name {
            Some(name) => name,
            None => match default_name(&path) {
                Ok(name) => name.to_owned(),
                Err(why) => {
                    self.problem(span, format!("the root `{path}` needs a `name`: {why}"));
                    return None;
                }
            },
        };
        let line = self.line_of(span.clone());
        for (what, text, lines) in [("at", &path, &mut seen.paths), ("named", &name, &mut seen.names)] {
            if let Some(first) = lines.insert(text.clone(), line) {
                let message = format!("a root {what} `{}` stands at line {first} already", shown(text, MAX_PATH));
                self.problem(span.clone(), message);
            }
        }
        (self.problems == before).then(|| ListedRoot { path, name, place: place_of(self.text, span) })
    }

    fn root_path(&mut self, entry: &Entry<'_>) -> Option<String> {
        let path = self.line(entry)?;
        let is_below = check_exclude(&path).is_ok()
            && path.split('/').all(|segment| segment != ".")
            && path.len() <= MAX_PATH
            && !path.chars().any(is_harmful);
        if path != OWN_FOLDER && !is_below {
            let message = format!(
                "`path` must be `.` or a path below the configuration's folder, with `/`, and without `.` and `..` \
                 segments: {}",
                shown(&path, MAX_PATH)
            );
            self.problem(entry.span(), message);
            return None;
        }
        Some(path)
    }

    fn root_name(&mut self, entry: &Entry<'_>) -> Option<String> {
        let name = self.line(entry)?;
        if let Err(why) = check_name(&name) {
            self.problem(entry.span(), format!("`name` cannot be a root's: {why}"));
            return None;
        }
        Some(name)
    }
}

/// The line of each path and name so far.
#[derive(Default)]
struct Seen {
    paths: BTreeMap<String, u32>,
    names: BTreeMap<String, u32>,
}

fn default_name(path: &str) -> Result<&str, String> {
    if path == OWN_FOLDER {
        return Err("its folder may be called otherwise elsewhere".to_owned());
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    check_name(name).map(|()| name)
}

/// A name opens names of cases, where `::` parts the levels, and a folder for outputs is called so.
fn check_name(name: &str) -> Result<(), String> {
    if name.contains("::") || name.starts_with(':') || name.ends_with(':') {
        return Err(
            "`::` parts the levels of a case's name, so that it cannot hold it nor begin or end with `:`".to_owned()
        );
    }
    if name.contains(['/', '\\']) || matches!(name, "." | "..") {
        return Err("a folder is called so too, so that it cannot hold `/` or `\\` nor be `.` or `..`".to_owned());
    }
    if name.trim() != name || name.chars().any(is_harmful) {
        return Err("it holds an invisible character, or white space at its edge".to_owned());
    }
    if name.chars().count() > MAX_NAME_CHARS {
        return Err(format!("it is longer than {MAX_NAME_CHARS} characters"));
    }
    Ok(())
}
