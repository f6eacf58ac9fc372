//! The packages of a workspace, without running cargo: its manifest comes in, the folders of the members that hold a package go out.
//! What cargo itself would refuse is left out.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sdp_core::config;

use super::manifest::Manifest;

/// The most folders that patterns may reach.
const MAX_FOLDERS: usize = 10_000;

/// The packages of the members, each by its name with its folder.
pub(super) fn packages(folder: &Path, workspace: &Manifest) -> BTreeMap<String, PathBuf> {
    let excluded = workspace.workspace_list("exclude");
    let mut packages = BTreeMap::new();
    for member in workspace.workspace_list("members") {
        for path in expanded(folder, member) {
            let is_excluded = path
                .strip_prefix(folder)
                .is_ok_and(|path| excluded.iter().any(|excluded| path.starts_with(excluded.trim_end_matches('/'))));
            if is_excluded {
                continue;
            }
            if let Ok(Some(manifest)) = Manifest::read(&path)
                && let Some(name) = manifest.package_name()
            {
                packages.entry(name.to_owned()).or_insert(path);
            }
        }
    }
    packages
}

/// The folders below the workspace's that a pattern names, segment by segment.
fn expanded(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern).trim_end_matches('/');
    // A member outside of the folder is none that is written to.
    if config::check_exclude(pattern).is_err() && !pattern.contains(['*', '?', '[']) {
        return Vec::new();
    }
    let mut folders = vec![folder.to_owned()];
    for segment in pattern.split('/') {
        if segment == ".." {
            return Vec::new();
        }
        if !segment.contains(['*', '?', '[']) {
            folders.iter_mut().for_each(|folder| folder.push(segment));
            continue;
        }
        let Ok(glob) = config::compile_glob(segment) else { return Vec::new() };
        let below = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().filter_map(Result::ok);
        let matching = below.filter(|entry| glob.is_match(entry.file_name())).map(|entry| entry.path());
        folders = matching.filter(|path| path.is_dir()).take(MAX_FOLDERS).collect();
        folders.sort();
    }
    folders
}
