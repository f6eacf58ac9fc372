//! Crates: cargo's manifests and the paths of all Rust files come in; where some of these files stand in their crates goes
//! out, as the compiler resolves modules. It reads what leads to those files and no more, and never runs cargo.

mod packages;
#[cfg(test)]
mod tests;
mod walk;

use std::path::Path;

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

use self::packages::{Home, Homes, Known};
use self::walk::{Reached, Sources, Walk};
use crate::anchor::rust::FilePlace;
use crate::anchor::rust::targets::{RustFiles, Target, folder_of};
use crate::finding::{Finding, FindingId};
use crate::harmless;
use crate::order::by_code_units;

/// How much of a name a message shows, in characters.
const NAME_SHOWN: usize = 100;

/// What the crates say about some files.
pub(super) struct Placed {
    /// One place for each file that was asked for, in the same order.
    pub(super) places: Vec<FilePlace>,
    /// What is wrong with the place of each, as an index into `doubts`. It is said where the file binds, and once.
    pub(super) doubted: Vec<Option<usize>>,
    /// What may be said: which manifests tell nothing, and which files no target leads to.
    pub(super) doubts: Vec<Finding>,
}

/// In which packages files are sought.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whom {
    /// In those that know us: an attribute binds in no other.
    KnowingUs,
    /// In all of them.
    All,
}

/// Finds the places of files; all paths are root-relative, with `/`, and sorted by code units.
#[sdp::satisfies("spec:sdp.modules", component = "component:sdp.extract")]
pub(super) fn place(root: &Path, manifests: &[String], rust_files: &[&str], wanted: &[&str], whom: Whom) -> Placed {
    let files = RustFiles::new(rust_files);
    let homes = Homes::of(root, manifests, wanted);
    let sources = Sources::new(root, files);
    let asked: Vec<(Option<usize>, Option<usize>)> =
        wanted.iter().zip(&homes.of_files).map(|(path, home)| (files.find(path), *home)).collect();
    let mut by_home: HashMap<usize, HashSet<usize>> = HashMap::new();
    for (file, home) in &asked {
        if let (Some(file), Some(home)) = (file, home) {
            by_home.entry(*home).or_default().insert(*file);
        }
    }
    let mut walks = walks_of(&homes, &sources, files, whom);
    walks.par_iter_mut().for_each(|(home, walk)| {
        if let Some(asked) = by_home.get(home) {
            walk.find(asked);
        }
    });
    let of_home: HashMap<usize, usize> = walks.iter().enumerate().map(|(index, (home, _))| (*home, index)).collect();
    // The walk of the package that is to know a file; none where the package knows nothing of us.
    let own_walk = |home: &Option<usize>| home.map(|home| of_home.get(&home).copied());
    let is_lost = |file: usize, home: &Option<usize>| match own_walk(home) {
        None => true,
        Some(walk) => walk.and_then(|walk| walks.get(walk)).is_some_and(|(_, walk)| !walk.has_met(file)),
    };
    let lost: HashSet<usize> =
        asked.iter().filter_map(|(file, home)| file.filter(|file| is_lost(*file, home))).collect();
    // A file that another package reads, or that lies in none: seldom, so that it may cost every tree.
    let adopted = if lost.is_empty() {
        HashMap::new()
    } else {
        let homes = Homes::of(root, manifests, rust_files);
        adopted(&homes, walks_of(&homes, &sources, files, whom), &lost)
    };
    let mut placed = Placed { places: Vec::new(), doubted: Vec::new(), doubts: Vec::new() };
    let mut refused: HashMap<usize, usize> = HashMap::new();
    for (path, (file, home)) in wanted.iter().zip(asked) {
        let own = home.and_then(|home| of_home.get(&home).copied());
        let reached = file.and_then(|file| {
            let of_own = |index: usize| {
                let (home, walk) = walks.get(index)?;
                Some(in_target(homes.get(*home)?, walk.reached(file)?))
            };
            own.and_then(of_own).or_else(|| adopted.get(&file).cloned())
        });
        let (place, doubt) = match (reached, home.and_then(|home| Some((home, homes.get(home)?)))) {
            (Some(place), _) => (place, None),
            (None, None) => (plain(), None),
            (None, Some((home, Home::Refused(finding)))) => {
                (plain(), Some(*refused.entry(home).or_insert_with(|| placed.doubt(finding.clone()))))
            }
            (None, Some((_, Home::Package(known)))) => match own.and_then(|own| walks.get(own)) {
                None => (in_package(known), None),
                Some((_, walk)) => {
                    let doubt = placed.doubt(unreached(path, &known.package.name));
                    (suggested(path, known, walk), Some(doubt))
                }
            },
        };
        placed.places.push(place);
        placed.doubted.push(doubt);
    }
    placed
}

/// The packages that count, each with a walk that has not begun. Where nothing is called like us no attribute binds, and no
/// module has to be found for one.
fn walks_of<'s>(
    homes: &Homes<'_>,
    sources: &'s Sources<'s>,
    files: RustFiles<'_>,
    whom: Whom,
) -> Vec<(usize, Walk<'s>)> {
    let knows_us = |known: &Known<'_>| !known.crate_names.is_empty();
    let mut packages: Vec<(usize, &Known<'_>)> =
        homes.packages().filter(|(_, known)| whom == Whom::All || knows_us(known)).collect();
    // Whoever knows us adopts first: there an attribute binds as well.
    packages.sort_by_key(|(_, known)| !knows_us(known));
    packages.into_iter().map(|(home, known)| (home, Walk::new(sources, known.targets(files)))).collect()
}

/// The places of files that their own package does not lead to, in the first package of all that does.
fn adopted(homes: &Homes<'_>, mut walks: Vec<(usize, Walk<'_>)>, lost: &HashSet<usize>) -> HashMap<usize, FilePlace> {
    walks.par_iter_mut().for_each(|(_, walk)| walk.find(lost));
    let mut places = HashMap::new();
    for (home, walk) in &walks {
        for file in walk.met().filter(|file| lost.contains(file)) {
            if let (Some(home), Some(reached)) = (homes.get(*home), walk.reached(file)) {
                places.entry(file).or_insert_with(|| in_target(home, reached));
            }
        }
    }
    places
}

impl Placed {
    fn doubt(&mut self, finding: Finding) -> usize {
        self.doubts.push(finding);
        self.doubts.len() - 1
    }
}

/// A file of a package.
pub(super) struct Member {
    /// Its index among all Rust files.
    pub(super) file: usize,
    /// The index of its package among those of the run.
    pub(super) package: usize,
    /// The index of its target among those of the package.
    pub(super) target: usize,
    /// The modules that lead to it.
    pub(super) modules: Vec<String>,
}

/// A package and its targets.
pub(super) struct Members {
    /// The names of the packages, in the order of their folders.
    pub(super) packages: Vec<(String, Vec<Target>)>,
    /// The files that a target leads to, each at the first that does.
    pub(super) files: Vec<Member>,
    /// The manifests that tell nothing.
    pub(super) findings: Vec<Finding>,
}

/// Every file of every package, whether the package knows us or not; the arguments are those of [`place`].
pub(super) fn members(root: &Path, manifests: &[String], rust_files: &[&str]) -> Members {
    let files = RustFiles::new(rust_files);
    let homes = Homes::of(root, manifests, rust_files);
    let sources = Sources::new(root, files);
    let mut known: Vec<&Known<'_>> = homes.packages().map(|(_, known)| known).collect();
    known.sort_by(|left, right| by_code_units(left.folder, right.folder));
    let mut walks: Vec<Walk<'_>> = known.iter().map(|known| Walk::new(&sources, known.targets(files))).collect();
    walks.par_iter_mut().for_each(Walk::finish);
    let mut taken = HashSet::new();
    let mut found = Members { packages: Vec::new(), files: Vec::new(), findings: homes.refusals().cloned().collect() };
    for (package, (known, walk)) in known.iter().zip(walks).enumerate() {
        let mut met: Vec<usize> = walk.met().filter(|file| taken.insert(*file)).collect();
        met.sort_unstable();
        found.files.extend(met.into_iter().filter_map(|file| {
            let (target, modules) = walk.way(file)?;
            Some(Member { file, package, target, modules })
        }));
        found.packages.push((known.package.name.clone(), walk.into_targets()));
    }
    found
}

/// The place of a file that cargo knows nothing of.
fn plain() -> FilePlace {
    let crate_names = vec!["sdp".to_owned(), "sdp_anchors".to_owned()];
    FilePlace { crate_names, ..FilePlace::default() }
}

/// A place in a package of which no more is known.
fn in_package(known: &Known<'_>) -> FilePlace {
    FilePlace {
        package: Some(known.package.name.clone()),
        crate_names: known.crate_names.clone(),
        ..FilePlace::default()
    }
}

/// The place of a file that a target leads to.
fn in_target(home: &Home<'_>, reached: Reached<'_>) -> FilePlace {
    let Home::Package(known) = home else { return plain() };
    let target = reached.target.name.clone();
    FilePlace { target, modules: reached.modules, ..in_package(known) }
}

/// The place that a file's path suggests: below the target whose root lies nearest above it.
fn suggested(path: &str, known: &Known<'_>, walk: &Walk<'_>) -> FilePlace {
    let nearest = walk.nearest(path);
    let folder = nearest.map_or(known.folder, |target| folder_of(&target.root));
    let inside = inside(path, folder).unwrap_or(path);
    let stem = inside.strip_suffix(".rs").unwrap_or(inside);
    let mut modules: Vec<String> = stem.split('/').map(str::to_owned).collect();
    if modules.last().is_some_and(|last| last == "mod") {
        modules.pop();
    }
    FilePlace { target: nearest.and_then(|target| target.name.clone()), modules, ..in_package(known) }
}

/// The path from a folder, when it lies inside.
fn inside<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

/// The warning about a file that binds and that the compiler does not see.
fn unreached(path: &str, package: &str) -> Finding {
    let package = harmless::shown(package, NAME_SHOWN);
    let message =
        format!("no target of the package {package} leads to this file: its bindings count, unseen by the compiler");
    Finding::warning(FindingId::UnreachedSource, message).at(path, 1)
}
