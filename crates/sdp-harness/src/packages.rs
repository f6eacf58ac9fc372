//! Packages that cargo knows: a folder and the name of a package come in, the folder of the package goes out. Cargo is asked once,
//! when the first rule needs it, and so that it fetches nothing and writes nothing.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cargo_metadata::{Metadata, MetadataCommand, Package, PackageId};
use sdp_core::harmless;
use sdp_core::rules::{PackageError, Packages};
use sdp_core::suggest::first_nearest;

/// How many characters of what cargo says are shown.
const SHOWN: usize = 600;

/// The packages of the workspace around a folder, and those that they depend on.
#[derive(Debug)]
pub struct CargoPackages {
    folder: PathBuf,
    known: OnceLock<Result<Known, PackageError>>,
}

/// What cargo said.
#[derive(Debug)]
struct Known {
    packages: Vec<One>,
}

/// One package.
#[derive(Debug)]
struct One {
    name: String,
    version: String,
    folder: PathBuf,
    /// Whether it is a package of the root, or a package of the root depends on it by itself.
    is_near: bool,
}

impl CargoPackages {
    /// Nothing is asked yet.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        CargoPackages { folder: folder.to_owned(), known: OnceLock::new() }
    }

    fn ask(&self) -> Result<Known, PackageError> {
        let mut command = MetadataCommand::new();
        command.current_dir(&self.folder).other_options(["--offline", "--locked"].map(str::to_owned));
        match command.exec() {
            Ok(metadata) => Ok(Known::of(&metadata, &self.folder)),
            Err(error) => Err(refused(&error)),
        }
    }
}

impl Packages for CargoPackages {
    fn folder(&self, package: &str) -> Result<PathBuf, PackageError> {
        self.known.get_or_init(|| self.ask()).as_ref().map_err(Clone::clone)?.folder(package)
    }
}

impl Known {
    fn of(metadata: &Metadata, folder: &Path) -> Self {
        let near = near(metadata, folder);
        let packages = metadata.packages.iter().filter_map(|package| {
            Some(One {
                name: package.name.to_string(),
                version: package.version.to_string(),
                folder: package.manifest_path.parent()?.as_std_path().to_owned(),
                is_near: near.contains(&package.id),
            })
        });
        Known { packages: packages.collect() }
    }

    /// Of several versions, the one that the packages of the root depend on themselves.
    fn folder(&self, name: &str) -> Result<PathBuf, PackageError> {
        let named: Vec<&One> = self.packages.iter().filter(|package| package.name == name).collect();
        let near: Vec<&One> = named.iter().copied().filter(|package| package.is_near).collect();
        match (near.as_slice(), named.as_slice()) {
            ([only], _) | ([], [only]) => Ok(only.folder.clone()),
            (_, []) => Err(self.unknown(name)),
            ([], several) | (several, _) => {
                let mut versions: Vec<&str> = several.iter().map(|package| package.version.as_str()).collect();
                versions.sort_unstable();
                Err(PackageError {
                    message: format!("cargo knows `{name}` in the versions {}", versions.join(" and ")),
                    help: Some(format!("let the packages of this root depend on one version of `{name}` themselves")),
                })
            }
        }
    }

    fn unknown(&self, name: &str) -> PackageError {
        let limit = (name.chars().count() / 3).min(3);
        let near = first_nearest(name, self.packages.iter().map(|package| package.name.as_str()), limit)
            .map_or(String::new(), |near| format!(": did you mean `{near}`?"));
        PackageError {
            message: format!("cargo knows no package `{name}` here{near}"),
            help: Some(format!("name `{name}` in a Cargo.toml of this root, for example under `[dev-dependencies]`")),
        }
    }
}

/// The packages of the root and those that they depend on by themselves.
fn near(metadata: &Metadata, folder: &Path) -> HashSet<PackageId> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = real(folder);
    let is_member = |package: &&Package| metadata.workspace_members.contains(&package.id);
    let below = metadata
        .packages
        .iter()
        .filter(is_member)
        .filter(|package| real(package.manifest_path.as_std_path()).starts_with(&folder));
    let mut own: Vec<&PackageId> = below.map(|package| &package.id).collect();
    let resolve = metadata.resolve.as_ref();
    if own.is_empty() {
        // The folder lies in a package, or in none of the workspace.
        match resolve.and_then(|resolve| resolve.root.as_ref()) {
            Some(root) => own.push(root),
            None => own.extend(&metadata.workspace_members),
        }
    }
    let own: HashSet<PackageId> = own.into_iter().cloned().collect();
    let nodes = resolve.map(|resolve| resolve.nodes.as_slice()).unwrap_or_default();
    let direct = nodes.iter().filter(|node| own.contains(&node.id)).flat_map(|node| &node.deps);
    let direct: Vec<PackageId> = direct.map(|dependency| dependency.pkg.clone()).collect();
    own.into_iter().chain(direct).collect()
}

fn refused(error: &cargo_metadata::Error) -> PackageError {
    match error {
        cargo_metadata::Error::CargoMetadata { stderr } => PackageError {
            message: format!("cargo does not know the packages of this root: {}", one_line(stderr)),
            help: Some(
                "`dependency:` needs a Cargo.toml whose Cargo.lock is up to date: `cargo fetch` sees to that, a run of rules does not".to_owned(),
            ),
        },
        cargo_metadata::Error::Io(error) if error.kind() == ErrorKind::NotFound => PackageError {
            message: "cargo, which knows the folders of packages, could not be started".to_owned(),
            help: Some("install cargo or set `CARGO` to its path, or name a file below the root".to_owned()),
        },
        other => PackageError {
            message: format!("cargo gave no answer about the packages of this root: {}", one_line(&other.to_string())),
            help: None,
        },
    }
}

fn one_line(text: &str) -> String {
    harmless::cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(packages: &[(&str, &str, bool)]) -> Known {
        let one = |(name, version, is_near): &(&str, &str, bool)| One {
            name: (*name).to_owned(),
            version: (*version).to_owned(),
            folder: PathBuf::from(format!("/{name}-{version}")),
            is_near: *is_near,
        };
        Known { packages: packages.iter().map(one).collect() }
    }

    fn answer(packages: &[(&str, &str, bool)]) -> Result<String, String> {
        let folder = known(packages).folder("rules");
        folder.map(|folder| folder.display().to_string()).map_err(|error| error.message)
    }

    #[test]
    fn of_several_versions_the_one_counts_that_the_root_depends_on_itself() {
        let (old, new) = (("rules", "1.0.0", false), ("rules", "2.0.0", false));
        assert_eq!(answer(&[old]), Ok("/rules-1.0.0".to_owned()));
        assert_eq!(answer(&[old, ("rules", "2.0.0", true)]), Ok("/rules-2.0.0".to_owned()));
        let both = Err("cargo knows `rules` in the versions 1.0.0 and 2.0.0".to_owned());
        assert_eq!(answer(&[new, old]), both);
        assert_eq!(answer(&[("rules", "1.0.0", true), ("rules", "2.0.0", true)]), both);
    }

    #[test]
    fn a_package_that_cargo_does_not_know_is_answered_with_the_nearest() {
        assert_eq!(
            answer(&[("rulez", "1.0.0", true)]),
            Err("cargo knows no package `rules` here: did you mean `rulez`?".to_owned())
        );
        let error = known(&[]).folder("rules").unwrap_err();
        assert_eq!(error.message, "cargo knows no package `rules` here");
        assert_eq!(
            error.help.as_deref(),
            Some("name `rules` in a Cargo.toml of this root, for example under `[dev-dependencies]`")
        );
    }
}
