//! Packages: the manifests of a walk and the files that are asked for come in; the package of each file goes out, with the
//! names under which it knows us. Only manifests above those files are read, each once.

use std::path::Path;

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

use crate::anchor::rust::manifest::{Manifest, Package};
use crate::anchor::rust::targets::{RustFiles, Target, ancestors, folder_of, joined, targets};
use crate::config::file::{self, Toml};
use crate::finding::{Finding, FindingId};

/// A package, as far as it matters for its files.
pub(super) struct Known<'a> {
    /// The folder of its manifest, without a `/` at its end.
    pub(super) folder: &'a str,
    /// What its manifest says.
    pub(super) package: Package,
    /// The names under which its source knows `sdp-anchors`.
    pub(super) crate_names: Vec<String>,
}

impl Known<'_> {
    /// Its targets.
    pub(super) fn targets(&self, files: RustFiles<'_>) -> Vec<Target> {
        targets(&self.package, self.folder, files)
    }
}

/// What the nearest manifest above a file is, where it is not a virtual one.
pub(super) enum Home<'a> {
    /// A package.
    Package(Known<'a>),
    /// A manifest that tells nothing, and why.
    Refused(Finding),
}

/// The homes of files.
pub(super) struct Homes<'a> {
    homes: Vec<Home<'a>>,
    /// The home of each file that was asked for; none where no manifest lies above it.
    pub(super) of_files: Vec<Option<usize>>,
}

/// Manifests by their folder.
type Read<'a> = HashMap<&'a str, Result<Manifest, Finding>>;

impl<'a> Homes<'a> {
    /// Finds the home of each file.
    pub(super) fn of(root: &Path, manifests: &'a [String], files: &[&str]) -> Homes<'a> {
        let known: HashMap<&str, &'a str> = manifests.iter().map(|path| (folder_of(path), path.as_str())).collect();
        // Every manifest above a file: a virtual one leads to the next, and a workspace lies above its packages.
        let mut above: HashSet<&'a str> = HashSet::new();
        let mut seen: HashSet<&str> = HashSet::new();
        for file in files {
            for folder in ancestors(folder_of(file)).take_while(|folder| seen.insert(folder)) {
                above.extend(known.get(folder).copied());
            }
        }
        let read: Read<'a> = above
            .into_par_iter()
            .map(|path| (folder_of(path), read(root, path)))
            .collect::<Vec<_>>()
            .into_iter()
            .collect();
        let mut found = Homes { homes: Vec::new(), of_files: Vec::with_capacity(files.len()) };
        let mut by_folder: HashMap<&str, usize> = HashMap::new();
        for path in files {
            let home = ancestors(folder_of(path)).find_map(|folder| home_folder(&read, folder)).map(|folder| {
                *by_folder.entry(folder).or_insert_with(|| {
                    found.homes.extend(home(&read, folder));
                    found.homes.len() - 1
                })
            });
            found.of_files.push(home);
        }
        found
    }

    /// The packages among the homes.
    pub(super) fn packages(&self) -> impl Iterator<Item = (usize, &Known<'a>)> {
        self.homes.iter().enumerate().filter_map(|(index, home)| match home {
            Home::Package(known) => Some((index, known)),
            Home::Refused(_) => None,
        })
    }

    /// The manifests that tell nothing.
    pub(super) fn refusals(&self) -> impl Iterator<Item = &Finding> {
        self.homes.iter().filter_map(|home| match home {
            Home::Refused(finding) => Some(finding),
            Home::Package(_) => None,
        })
    }

    /// The home with an index.
    pub(super) fn get(&self, index: usize) -> Option<&Home<'a>> {
        self.homes.get(index)
    }
}

/// The folder itself, where its manifest makes it the home of files.
fn home_folder<'a>(read: &Read<'a>, folder: &str) -> Option<&'a str> {
    let (folder, manifest) = read.get_key_value(folder)?;
    manifest.as_ref().map_or(true, |manifest| manifest.package.is_some()).then_some(*folder)
}

fn home<'a>(read: &Read<'a>, folder: &'a str) -> Option<Home<'a>> {
    let package = match read.get(folder)? {
        Ok(manifest) => manifest.package.clone()?,
        Err(finding) => return Some(Home::Refused(finding.clone())),
    };
    let workspace = if package.inherits() { workspace(read, folder, &package) } else { None };
    let crate_names = package.crate_names(workspace);
    Some(Home::Package(Known { folder, package, crate_names }))
}

/// The dependencies of the workspace that a package belongs to: the one that it names, else the nearest above.
fn workspace<'r>(read: &'r Read<'_>, folder: &str, package: &Package) -> Option<&'r [String]> {
    let of = |folder: &str| read.get(folder)?.as_ref().ok()?.workspace.as_deref();
    match &package.workspace {
        Some(named) => of(&joined(folder, named)?),
        None => ancestors(folder).find_map(of),
    }
}

#[expect(
    clippy::result_large_err,
    reason = "made once for a manifest that tells nothing, and kept beside the other manifests"
)]
fn read(root: &Path, path: &str) -> Result<Manifest, Finding> {
    let refused = |why: &str, line: Option<u32>| {
        let message = format!("{why}, so the package of the Rust files below is not known");
        Finding::error(FindingId::ParseError, message)
            .at(path, line)
            .with_help("mend the manifest: the names of bindings follow from it")
    };
    match file::read(&root.join(path)) {
        Toml::Absent => Err(refused("the manifest is gone", None)),
        Toml::Refused(refusal) => {
            Err(refused(&format!("the manifest {}", refusal.why), refusal.place.map(|(line, _)| line)))
        }
        Toml::Parsed(document) => Manifest::read(document.as_table()).map_err(|fault| {
            let line = fault.span.map_or(1, |span| file::place(document.raw(), span.start).0);
            refused("the package has no name", Some(line))
        }),
    }
}
