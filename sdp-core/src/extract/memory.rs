//! What stays between two extractions of one root in one process: what each file gave comes in with the files that changed
//! since, and an extraction goes out that is the one which a fresh run would give. Only what changed is read again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::files::{Difference, Files};
use super::{Extraction, Told};
use crate::derive::{self, Spot};
use crate::discover::{self, DiscoverOptions, Discovery, finds_the_same};
use crate::graph::{Graph, Index};

/// What has changed below a root since the last extraction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Changes {
    /// Nobody knows: everything is read again.
    #[default]
    Unknown,
    /// These root-relative paths, with `/`, and all that lies below them: files and folders that were written, made, removed or
    /// renamed. Whatever is not named is as it was.
    Paths(BTreeSet<String>),
}

/// What is kept of one root. Whoever drops the extractions that it gave, with what stands on them, before the next one is asked
/// for spares a copy of the graph.
#[derive(Debug, Default)]
pub struct Memory {
    /// Of which root it is, and with which options.
    key: Option<(PathBuf, String)>,
    /// What the last walk found.
    found: Option<Discovery>,
    /// What was walked to since the last extraction.
    seen: Seen,
    /// The walk that the files were read from, where it is not the last one.
    read_from: Option<Discovery>,
    files: Option<Files>,
    last: Option<Last>,
}

/// The changes that a walk was asked for since the last extraction.
#[derive(Debug, Default)]
struct Seen {
    /// Whether nobody knew them once.
    unknown: bool,
    paths: BTreeSet<String>,
}

impl Seen {
    fn has(&self, changes: &Changes) -> bool {
        match known(changes) {
            None => self.unknown,
            Some(paths) => paths.is_subset(&self.paths),
        }
    }

    /// Whether a file may have changed: it is named, or a folder that it lies in.
    fn has_changed(&self, path: &str) -> bool {
        let is_named = |path: &str| self.paths.contains(path);
        is_named(path) || path.match_indices('/').any(|(at, _)| path.get(..at).is_some_and(is_named))
    }
}

/// The graph that was derived last, of files in which no id stands twice.
#[derive(Debug)]
struct Last {
    graph: Arc<Graph>,
    index: OnceLock<Arc<Index>>,
    spots: Vec<Spot>,
}

impl Memory {
    /// What a walk of the root finds. It walks again unless the changes are only of content: of files that the last walk found
    /// and that are regular files still. Other options than the last time make everything unknown.
    pub fn walk(&mut self, root: &Path, options: &DiscoverOptions, changes: &Changes) -> &Discovery {
        // Whatever breaks off on the way leaves nothing behind that is half done.
        let mut own = std::mem::take(self);
        let key = Some((root.to_owned(), options.fingerprint()));
        let paths = known(changes);
        if own.key != key || paths.is_none() {
            own = Memory { key, seen: Seen { unknown: paths.is_none(), ..Seen::default() }, ..Memory::default() };
        }
        let found = match own.found.take() {
            Some(found) if paths.is_some_and(|paths| finds_the_same(root, &found, paths)) => found,
            earlier => {
                if own.read_from.is_none() {
                    own.read_from = earlier;
                }
                discover::walk(root, options)
            }
        };
        own.seen.paths.extend(paths.into_iter().flatten().cloned());
        *self = own;
        self.found.insert(found)
    }

    /// Reads what [`Memory::walk`] found last, and derives the graph. It walks first where nobody has with these changes since the
    /// last extraction. What changes between a walk and the extraction belongs to the changes of the next walk.
    #[must_use]
    #[sdp::satisfies("spec:sdp.watch", component = "component:sdp.extract")]
    pub fn extract(&mut self, root: &Path, options: &DiscoverOptions, changes: &Changes) -> Extraction {
        let key = Some((root.to_owned(), options.fingerprint()));
        if self.key != key || !self.seen.has(changes) {
            self.walk(root, options, changes);
        }
        let Memory { found, seen, read_from, files, last, .. } = std::mem::take(self);
        let found = found.unwrap_or_else(|| discover::walk(root, options));
        let nothing = Discovery::default();
        let (mut files, before) = match files {
            Some(files) => (files, read_from.as_ref().unwrap_or(&found)),
            None => (Files::default(), &nothing),
        };
        let difference = files.renew(root, options, before, &found, &|path| seen.has_changed(path));
        let told = files.told(options, &found);
        let (extraction, last) = derived(root, &files, told, difference, last);
        *self = Memory { key, found: Some(found), seen: Seen::default(), read_from: None, files: Some(files), last };
        extraction
    }
}

/// The graph of the files, from the last one where there is one.
fn derived(
    root: &Path,
    files: &Files,
    told: Told,
    difference: Difference,
    last: Option<Last>,
) -> (Extraction, Option<Last>) {
    let Difference { gone, added } = difference;
    let derived = match last {
        Some(last) if gone.is_empty() && added.is_empty() => {
            let Last { graph, index, spots } = &last;
            let of = |findings| Extraction::over(root, Arc::clone(graph), index.clone(), spots.clone(), findings);
            return (told.with(of), Some(last));
        }
        Some(Last { graph, spots, index }) => {
            drop(index);
            derive::changed(graph, spots, &gone, added)
        }
        None => None,
    };
    let derived = derived.unwrap_or_else(|| derive::joined(files.parts()));
    let is_sound = derived.findings.is_empty();
    let extraction = told.with(|findings| Extraction::of(root, derived, findings));
    let last = is_sound.then(|| Last {
        graph: Arc::clone(&extraction.graph),
        index: extraction.index.clone(),
        spots: extraction.places.spots.clone(),
    });
    (extraction, last)
}

/// The changed paths; none where nobody knows, or where one is no path below the root as walks write it.
fn known(changes: &Changes) -> Option<&BTreeSet<String>> {
    let is_plain = |path: &String| path.split('/').all(|name| !matches!(name, "" | "." | ".."));
    match changes {
        Changes::Unknown => None,
        Changes::Paths(paths) => Some(paths).filter(|paths| paths.iter().all(is_plain)),
    }
}

#[cfg(test)]
mod tests;
