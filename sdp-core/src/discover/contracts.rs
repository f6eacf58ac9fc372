//! Evaluation contracts: the configured globs come in with what a walk met; the contracts go out, with an error for each that is no regular
//! file and a warning for each glob that matched nothing. A glob without a wildcard names a file, which is read even where git ignores it or
//! no walk comes by; only an exclude keeps it out.

use std::fs;
use std::path::Path;

use globset::{GlobMatcher, GlobSet, GlobSetBuilder};
use hashbrown::HashSet;

use super::tree::{FileKind, Found, joined, lies_in};
use super::{DiscoverOptions, in_root};
use crate::anchor::Authored;
use crate::config::compile_glob;
use crate::contract::fault;
use crate::finding::{Finding, FindingId};
use crate::order::by_code_units;

/// The globs of contracts that a configuration has.
#[derive(Clone, Debug, Default)]
pub struct ContractGlobs {
    globs: Vec<(String, Authored)>,
    /// How the root is called from the folder of the configuration: empty, or with `/` between its segments.
    folder: String,
    matchers: Vec<GlobMatcher>,
    /// All of them at once: every file below the root is held against them.
    set: GlobSet,
}

impl ContractGlobs {
    /// Of globs that pass [`compile_glob`], relative to the configuration's folder; another one counts for nothing.
    #[must_use]
    pub fn new(globs: &[(String, Authored)], folder: String) -> Self {
        let compiled = globs.iter().filter_map(|glob| Some((glob.clone(), compile_glob(&glob.0).ok()?)));
        let (globs, matchers): (Vec<_>, Vec<GlobMatcher>) = compiled.unzip();
        let mut set = GlobSetBuilder::new();
        for matcher in &matchers {
            set.add(matcher.glob().clone());
        }
        // Each compiled by itself; were they too many together, they would be asked one by one.
        let set = set.build().unwrap_or_default();
        ContractGlobs { globs, folder, matchers, set }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.globs.is_empty()
    }

    /// Whether a file is a contract by its root-relative path.
    #[must_use]
    pub fn is_match(&self, path: &str) -> bool {
        if self.is_empty() {
            return false;
        }
        let path = joined(&self.folder, path);
        match self.set.is_empty() {
            true => self.matchers.iter().any(|matcher| matcher.is_match(&path)),
            false => self.set.is_match(&path),
        }
    }

    /// The root-relative paths that globs without a wildcard name, those outside the root left out.
    pub fn literal(&self) -> impl Iterator<Item = &str> {
        let is_literal = |glob: &&str| !glob.contains(['*', '?', '[', ']', '{', '}', '\\']);
        self.globs.iter().map(|(glob, _)| glob.as_str()).filter(is_literal).filter_map(|glob| {
            match self.folder.as_str() {
                "" => Some(glob),
                folder => glob.strip_prefix(folder)?.strip_prefix('/'),
            }
        })
    }

    pub(super) fn fingerprint(&self) -> String {
        format!("{:?}", (&self.globs, &self.folder))
    }
}

/// What a walk gives of contracts.
#[derive(Default)]
pub(super) struct FoundContracts {
    /// Root-relative paths, by code units.
    pub(super) files: Vec<String>,
    /// The errors about those that are not read, each about its file.
    pub(super) refused: Vec<Finding>,
    /// The warnings about globs that matched nothing.
    pub(super) unmatched: Vec<Finding>,
    /// The links among those that are not read.
    pub(super) links: Vec<String>,
}

impl FoundContracts {
    /// Takes up a file that the globs match.
    pub(super) fn add(&mut self, found: &Found) {
        let why = match found.kind {
            FileKind::Regular if found.is_utf8 => return self.files.push(found.path.clone()),
            FileKind::Regular => "its path is not UTF-8".to_owned(),
            FileKind::Other(what) => {
                if found.is_utf8 {
                    self.links.push(found.path.clone());
                }
                format!("it is {what}")
            }
        };
        self.refused.push(fault(&found.path, None, &why));
    }

    /// Takes up what is named and was not met, and says which globs matched nothing.
    pub(super) fn finish(&mut self, root: &Path, options: &DiscoverOptions) {
        let globs = &options.contracts;
        if globs.globs.is_empty() {
            return;
        }
        let met: HashSet<String> = self.files.iter().chain(&self.links).cloned().collect();
        for path in globs.literal().filter(|path| !met.contains(*path)) {
            if options.exclude.iter().any(|exclude| lies_in(path, exclude)) || !lies_in_folders(root, path) {
                continue;
            }
            match fs::symlink_metadata(in_root(root, path)).map(|metadata| metadata.file_type()) {
                Ok(kind) if kind.is_file() => self.files.push(path.to_owned()),
                Ok(kind) if kind.is_symlink() => {
                    self.links.push(path.to_owned());
                    self.refused.push(fault(path, None, "it is a symbolic link"));
                }
                Ok(kind) if !kind.is_dir() => {
                    self.refused.push(fault(path, None, "it is a pipe, socket or device"));
                }
                _ => {}
            }
        }
        self.files.sort_by(|left, right| by_code_units(left, right));
        self.files.dedup();
        self.unmatched = self.unmatched(options);
    }

    fn unmatched(&self, options: &DiscoverOptions) -> Vec<Finding> {
        if options.is_shared {
            return Vec::new();
        }
        let globs = &options.contracts;
        let refused = self.refused.iter().filter_map(|finding| finding.file.as_deref());
        let met: Vec<String> =
            self.files.iter().map(String::as_str).chain(refused).map(|path| joined(&globs.folder, path)).collect();
        let none = globs.globs.iter().zip(&globs.matchers);
        let none = none.filter(|(_, matcher)| !met.iter().any(|path| matcher.is_match(path)));
        let said = none.map(|((glob, place), _)| {
            let message = format!("the pattern `{glob}` of `contracts` matched no file");
            let file = format!("{}{}", options.config_folder, place.file);
            let finding = Finding::warning(FindingId::UnmatchedContract, message).about(glob.clone());
            Finding { column: Some(place.column), ..finding.at(file, place.line) }
        });
        said.collect()
    }
}

/// Whether everything above a file is a folder and no link.
fn lies_in_folders(root: &Path, path: &str) -> bool {
    let folders = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    folders.into_iter().all(|folder| fs::symlink_metadata(in_root(root, folder)).is_ok_and(|own| own.is_dir()))
}
