//! Cargo's target folder, found without running cargo: the environment and cargo's configuration files come in, a path
//! goes out. What is wrong with cargo's own files is cargo's to say.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use toml_edit::Item;

use super::file::{self, Toml};
use super::folder::{CargoRole, cargo_role};

/// What the process's environment says of cargo. The engine is handed it and never looks by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// The current folder, absolute: what relative values stand on.
    pub cwd: PathBuf,
    /// `CARGO_TARGET_DIR`, else `CARGO_BUILD_TARGET_DIR`, when not empty.
    pub cargo_target_dir: Option<OsString>,
    /// Cargo's home: `CARGO_HOME`, else `.cargo` in the user's home.
    pub cargo_home: Option<PathBuf>,
}

impl Environment {
    /// Takes what is needed from a look-up by variable name, such as `std::env::var_os`.
    pub fn read(cwd: impl Into<PathBuf>, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let cwd = cwd.into();
        let filled = |name| variable(name).filter(|value| !value.is_empty());
        let home = || filled("HOME").or_else(|| filled("USERPROFILE")).map(|home| PathBuf::from(home).join(".cargo"));
        Environment {
            cargo_target_dir: filled("CARGO_TARGET_DIR").or_else(|| filled("CARGO_BUILD_TARGET_DIR")),
            cargo_home: filled("CARGO_HOME").map(|home| cwd.join(home)).or_else(home),
            cwd,
        }
    }
}

/// The target folder for an absolute root, or none where neither the root nor an ancestor holds a cargo package.
///
/// In this order: the environment; `build.target-dir` of `.cargo/config.toml` in the root, its ancestors and cargo's
/// home; `target` beside the `Cargo.toml` of the workspace, or of the package where there is no workspace. The folder
/// need not exist.
#[must_use]
pub fn target_folder(root: &Path, environment: &Environment) -> Option<PathBuf> {
    located_target_folder(root, environment).map(|(folder, _)| folder)
}

/// Where a target folder was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetOrigin {
    /// In the environment.
    Environment,
    /// In a configuration file of cargo; its path.
    CargoConfig(PathBuf),
    /// Nowhere: it lies beside the `Cargo.toml`.
    Default,
}

/// The same with where it was named.
#[must_use]
pub fn located_target_folder(root: &Path, environment: &Environment) -> Option<(PathBuf, TargetOrigin)> {
    let home = cargo_root(root)?;
    if let Some(folder) = &environment.cargo_target_dir {
        return Some((environment.cwd.join(folder), TargetOrigin::Environment));
    }
    let local = root.ancestors().map(|ancestor| ancestor.join(".cargo"));
    let configured = local.chain(environment.cargo_home.clone()).find_map(|folder| configured_in(&folder));
    Some(match configured {
        Some((target, file)) => (target, TargetOrigin::CargoConfig(file)),
        None => (home.join("target"), TargetOrigin::Default),
    })
}

fn cargo_root(root: &Path) -> Option<&Path> {
    let mut package = None;
    for ancestor in root.ancestors() {
        match cargo_role(ancestor) {
            Some(CargoRole::Workspace) => return Some(ancestor),
            Some(CargoRole::Package) => package = package.or(Some(ancestor)),
            None => {}
        }
    }
    package
}

/// `build.target-dir` of a `.cargo` folder, relative to that folder's parent, with its file. Cargo prefers the older file name.
fn configured_in(folder: &Path) -> Option<(PathBuf, PathBuf)> {
    ["config", "config.toml"].iter().find_map(|name| {
        let file = folder.join(name);
        let Toml::Parsed(document) = file::read(&file) else { return None };
        let configured = document.as_table().get("build")?.as_table_like()?.get("target-dir").and_then(Item::as_str)?;
        (!configured.is_empty()).then(|| (folder.parent().unwrap_or(folder).join(configured), file))
    })
}
