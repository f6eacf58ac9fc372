//! The walk itself: a root and a selection come in, what was selected goes out, with a finding for each folder that
//! cannot be read. Level by level, so that nothing recurses and each level is read in parallel; the result does not
//! depend on the number of threads.

use std::fs::{self, DirEntry, File, FileType};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::DiscoverOptions;
use super::ignore_rules::{MAX_BYTES, Rules};
use crate::finding::{Finding, FindingId};

/// Folders that are never entered, at any depth, beside those that open with a dot (fact sheet part 1).
const NEVER_WALKED: &[&str] = &["node_modules", "dist", "generated", "coverage"];

/// The name of git's ignore files.
pub(super) const IGNORE_FILE: &str = ".gitignore";

/// The name of the file that tags a folder as a cache.
pub(super) const CACHE_TAG: &str = "CACHEDIR.TAG";
/// How cargo's tag opens, as the cache directory specification has it.
const TAG_SIGNATURE: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";
const TAG_AUTHOR: &[u8] = b"created by cargo";

/// Whether `.gitignore` files count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum IgnoreRules {
    /// They hide what they name.
    Count,
    /// They are not read.
    Skip,
}

/// What a walk is after.
pub(super) struct Selection<'a> {
    /// Whether to enter a folder, by its root-relative path.
    pub(super) enter: &'a (dyn Fn(&str) -> bool + Sync),
    /// Whether a file counts, by its folder's root-relative path (empty for the root) and its own name.
    pub(super) file: &'a (dyn Fn(&str, &str) -> bool + Sync),
    /// Whether a regular file that does not count is listed beside those that do, by its own name.
    pub(super) other: &'a (dyn Fn(&str) -> bool + Sync),
}

/// What a walk gives.
#[derive(Default)]
pub(super) struct Tree {
    /// The selected files, in no promised order.
    pub(super) files: Vec<Found>,
    /// The root-relative paths of the other files, in no promised order. One that is not UTF-8 is left out.
    pub(super) others: Vec<String>,
    /// What could not be read or was skipped.
    pub(super) findings: Vec<Finding>,
    /// The folders that were not entered and that an exclude names or lies in.
    pub(super) pruned: Vec<Pruned>,
    /// The root-relative paths of the folders that were entered, the root's empty, in no promised order. One that is not
    /// UTF-8 is left out.
    pub(super) folders: Vec<String>,
    /// The root-relative paths of the folders that were entered and are not UTF-8, in no promised order.
    pub(super) odd_folders: Vec<PathBuf>,
    /// The root-relative paths of the folders that were left out as cargo's by their tag, in no promised order.
    pub(super) tagged: Vec<String>,
    /// The root-relative paths of links that are no selected files: each may lead to a folder now or later. In no promised
    /// order.
    pub(super) links: Vec<String>,
}

/// A selected file.
pub(super) struct Found {
    /// Root-relative, with `/`; with replacement characters when it is not UTF-8.
    pub(super) path: String,
    /// Whether the path is UTF-8.
    pub(super) is_utf8: bool,
    /// What stands there.
    pub(super) kind: FileKind,
}

/// What stands at a path that is no folder.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    /// A regular file.
    Regular,
    /// Something else, with its article.
    Other(&'static str),
}

/// A folder that was not entered.
pub(super) struct Pruned {
    /// Root-relative.
    pub(super) path: String,
    /// Why, as the end of a sentence about it.
    pub(super) why: &'static str,
}

/// How many bytes of ignore rules one walk reads at most: compiling them takes a second for each half of it.
const MAX_IGNORE_BYTES: u64 = 1024 * 1024;

pub(super) const EXCLUDED: &str = "is excluded already";

/// A folder to read.
struct Folder {
    absolute: PathBuf,
    /// Root-relative, empty for the root.
    path: String,
    is_utf8: bool,
    rules: Rules,
}

/// A folder with its entries.
struct Listing {
    folder: Folder,
    entries: io::Result<Vec<DirEntry>>,
    /// Whether it holds ignore rules that count, and how many bytes of them.
    has_rules: bool,
    ignore_bytes: u64,
    /// Whether the rules still fit what a walk may read of them.
    has_budget: bool,
}

struct Walker<'a> {
    root: &'a Path,
    exclude: &'a [String],
    skip_dirs: Vec<PathBuf>,
    selection: &'a Selection<'a>,
    ignore: IgnoreRules,
}

/// Walks the tree below a root. The root itself may be a link and is entered whatever its name is.
pub(super) fn walk(root: &Path, options: &DiscoverOptions, selection: &Selection<'_>, ignore: IgnoreRules) -> Tree {
    let skip_dirs = options.skip_dirs.iter().filter_map(|folder| below(root, folder)).collect();
    let walker = Walker { root, exclude: &options.exclude, skip_dirs, selection, ignore };
    let mut tree = Tree::default();
    let mut ignore_budget = MAX_IGNORE_BYTES;
    let mut level =
        vec![Folder { absolute: root.to_owned(), path: String::new(), is_utf8: true, rules: Rules::default() }];
    while !level.is_empty() {
        // In one order on every file system: who comes first has a share of the ignore budget.
        level.sort_by(|left, right| left.path.cmp(&right.path));
        let mut listings: Vec<Listing> = level.into_par_iter().map(|folder| walker.list(folder)).collect();
        for listing in &mut listings {
            // A file that is refused for its own size costs nothing.
            let cost = if listing.ignore_bytes > MAX_BYTES as u64 { 0 } else { listing.ignore_bytes };
            listing.has_budget = cost <= ignore_budget;
            if listing.has_budget {
                ignore_budget -= cost;
            }
        }
        let read: Vec<(Tree, Vec<Folder>)> = listings.into_par_iter().map(|listing| walker.read(listing)).collect();
        level = Vec::new();
        for (part, folders) in read {
            tree.files.extend(part.files);
            tree.others.extend(part.others);
            tree.findings.extend(part.findings);
            tree.pruned.extend(part.pruned);
            tree.folders.extend(part.folders);
            tree.odd_folders.extend(part.odd_folders);
            tree.tagged.extend(part.tagged);
            tree.links.extend(part.links);
            level.extend(folders);
        }
    }
    tree
}

impl Walker<'_> {
    /// What stands in a folder.
    fn list(&self, folder: Folder) -> Listing {
        let entries = fs::read_dir(&folder.absolute).and_then(Iterator::collect::<io::Result<Vec<DirEntry>>>);
        let rules = entries
            .iter()
            .flatten()
            .find(|entry| self.ignore == IgnoreRules::Count && entry.file_name() == IGNORE_FILE);
        let has_rules = rules.is_some();
        let ignore_bytes = rules.and_then(|entry| entry.metadata().ok()).map_or(0, |metadata| metadata.len());
        Listing { folder, entries, has_rules, ignore_bytes, has_budget: true }
    }

    /// What one folder gives, and the folders in it to read next.
    fn read(&self, listing: Listing) -> (Tree, Vec<Folder>) {
        let mut tree = Tree::default();
        let mut folders = Vec::new();
        let Listing { folder, entries, has_rules, has_budget, .. } = listing;
        let entries = match entries {
            Ok(entries) => entries,
            Err(error) => {
                tree.findings.push(unreadable_folder(&folder.path, &error));
                self.prune(&mut tree, &folder.path, "cannot be read");
                return (tree, folders);
            }
        };
        if !folder.path.is_empty() && is_cargo_target(&folder.absolute, &entries) {
            self.prune(&mut tree, &folder.path, "is cargo's target folder");
            if folder.is_utf8 {
                tree.tagged.push(folder.path);
            }
            return (tree, folders);
        }
        if folder.is_utf8 {
            tree.folders.push(folder.path.clone());
        } else if let Ok(path) = folder.absolute.strip_prefix(self.root) {
            tree.odd_folders.push(path.to_owned());
        }
        let rules = if has_rules { own_rules(&folder, has_budget, &mut tree) } else { folder.rules.clone() };
        for entry in &entries {
            self.sort_in(&folder, &rules, entry, &mut tree, &mut folders);
        }
        (tree, folders)
    }

    fn sort_in(&self, folder: &Folder, rules: &Rules, entry: &DirEntry, tree: &mut Tree, folders: &mut Vec<Folder>) {
        let name = entry.file_name();
        let is_utf8 = folder.is_utf8 && name.to_str().is_some();
        let name = name.to_string_lossy();
        let file_type = match entry.file_type() {
            Ok(file_type) => file_type,
            Err(error) => {
                tree.findings.push(unreadable(&joined(&folder.path, &name), &error));
                return;
            }
        };
        if file_type.is_dir() {
            let path = joined(&folder.path, &name);
            let absolute = entry.path();
            if let Some(why) = self.reason_to_prune(&path, &name, &absolute, rules) {
                self.prune(tree, &path, why);
            } else if (self.selection.enter)(&path) {
                folders.push(Folder { absolute, path, is_utf8, rules: rules.clone() });
            }
            return;
        }
        if (self.selection.file)(&folder.path, &name) {
            let path = joined(&folder.path, &name);
            if !self.is_excluded(&path) && !rules.ignore(&entry.path(), false) {
                tree.files.push(Found { path, is_utf8, kind: kind_of(file_type) });
            }
        } else if file_type.is_symlink() {
            if is_utf8 && !is_never_walked(&name) && !self.is_excluded(&joined(&folder.path, &name)) {
                tree.links.push(joined(&folder.path, &name));
            }
            self.judge_link(folder, rules, entry, &name, tree);
        } else if is_utf8 && file_type.is_file() && (self.selection.other)(&name) {
            let path = joined(&folder.path, &name);
            if !self.is_excluded(&path) && !rules.ignore(&entry.path(), false) {
                tree.others.push(path);
            }
        }
    }

    /// A link to a folder is not followed. What it leads to is read at its own place when that is walked; else carriers
    /// may be missing, and that is said.
    fn judge_link(&self, folder: &Folder, rules: &Rules, entry: &DirEntry, name: &str, tree: &mut Tree) {
        let absolute = entry.path();
        let path = joined(&folder.path, name);
        if !absolute.is_dir() {
            return;
        }
        self.prune(tree, &path, "is a symbolic link, which is not followed");
        if is_never_walked(name)
            || !(self.selection.enter)(&path)
            || self.is_excluded(&path)
            || rules.ignore(&absolute, false)
            || self.is_walked_elsewhere(&absolute)
        {
            return;
        }
        // Of the walks that tell their findings, only that for rule files leaves ignore rules aside.
        let (id, what) = match self.ignore {
            IgnoreRules::Count => (FindingId::SkippedCarrier, "carriers in it are not read"),
            IgnoreRules::Skip => (FindingId::SkippedRuleFile, "rules in it do not run"),
        };
        let message = format!("the link leads to a folder that is not walked: {what}");
        tree.findings.push(Finding::warning(id, message).at(path, None));
    }

    fn is_walked_elsewhere(&self, link: &Path) -> bool {
        let (Ok(root), Ok(target)) = (self.root.canonicalize(), link.canonicalize()) else { return false };
        // The names alone decide here; an ignored or excluded folder was left out on purpose.
        target
            .strip_prefix(root)
            .is_ok_and(|inside| !inside.iter().any(|segment| segment.to_str().is_some_and(is_never_walked)))
    }

    fn reason_to_prune(&self, path: &str, name: &str, absolute: &Path, rules: &Rules) -> Option<&'static str> {
        if self.is_excluded(path) {
            Some(EXCLUDED)
        } else if is_never_walked(name) {
            Some("is never walked")
        } else if self.skip_dirs.iter().any(|folder| folder == Path::new(path)) {
            Some("is cargo's target folder")
        } else if rules.ignore(absolute, true) {
            Some("is ignored by git")
        } else {
            None
        }
    }

    /// Every ancestor of an entry was entered and is therefore not excluded, so that equality decides.
    fn is_excluded(&self, path: &str) -> bool {
        self.exclude.iter().any(|exclude| exclude == path)
    }

    fn prune(&self, tree: &mut Tree, path: &str, why: &'static str) {
        if self.exclude.iter().any(|exclude| lies_in(exclude, path)) {
            tree.pruned.push(Pruned { path: path.to_owned(), why });
        }
    }
}

/// The rules that hold in a folder with a file of its own.
fn own_rules(folder: &Folder, has_budget: bool, tree: &mut Tree) -> Rules {
    let mut say = |message: String, line: Option<u32>| {
        let finding = Finding::warning(FindingId::SkippedIgnoreFile, message);
        tree.findings.push(finding.at(joined(&folder.path, IGNORE_FILE), line));
    };
    let read = if has_budget {
        folder.rules.with_file_of(&folder.absolute)
    } else {
        Err("the ignore files of this tree hold more than 1 MiB together".to_owned())
    };
    match read {
        Ok(read) => {
            if let Some((line, why)) = read.dropped {
                say(format!("this ignore rule is not applied: {why}"), Some(line));
            }
            read.rules
        }
        Err(why) => {
            say(format!("the ignore rules are not applied: {why}"), None);
            folder.rules.clone()
        }
    }
}

/// Whether a path is the folder or lies in it; every path lies in the root.
pub(crate) fn lies_in(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A folder's path with a name in it.
pub(super) fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Whether no walk enters a folder, by its own name.
#[must_use]
pub fn is_never_walked(name: &str) -> bool {
    name.starts_with('.') || NEVER_WALKED.contains(&name)
}

/// The path of a folder relative to the root, when it lies below it.
fn below(root: &Path, folder: &Path) -> Option<PathBuf> {
    let climbs = folder.components().any(|part| part == std::path::Component::ParentDir);
    let relative = match folder.strip_prefix(root) {
        Ok(relative) if !climbs => relative.to_owned(),
        _ => folder.canonicalize().ok()?.strip_prefix(root.canonicalize().ok()?).ok()?.to_owned(),
    };
    (relative.components().next().is_some()).then_some(relative)
}

fn kind_of(file_type: FileType) -> FileKind {
    if file_type.is_file() {
        FileKind::Regular
    } else if file_type.is_symlink() {
        FileKind::Other("a symbolic link")
    } else {
        FileKind::Other("a pipe, socket or device")
    }
}

/// Whether cargo tagged the folder as its own. Other programs write such tags too, and what they tag is walked.
fn is_cargo_target(folder: &Path, entries: &[DirEntry]) -> bool {
    let is_tag =
        |entry: &DirEntry| entry.file_name() == CACHE_TAG && entry.file_type().is_ok_and(|kind| kind.is_file());
    if !entries.iter().any(is_tag) {
        return false;
    }
    let mut head = Vec::new();
    let read = File::open(folder.join(CACHE_TAG)).and_then(|file| file.take(512).read_to_end(&mut head));
    read.is_ok() && head.starts_with(TAG_SIGNATURE) && memchr::memmem::find(&head, TAG_AUTHOR).is_some()
}

fn unreadable_folder(path: &str, error: &io::Error) -> Finding {
    let message = format!("the folder cannot be read: {}", error.kind());
    let path = if path.is_empty() { "." } else { path };
    Finding::error(FindingId::UnreadableCarrier, message).at(path, None)
}

/// The finding about a file that cannot be read.
pub(super) fn unreadable(path: &str, error: &io::Error) -> Finding {
    let message = format!("the file cannot be read: {}", error.kind());
    Finding::error(FindingId::UnreadableCarrier, message).at(path, None)
}
