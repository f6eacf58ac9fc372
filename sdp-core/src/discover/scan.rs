//! Some folders only: folders of a root come in, the carriers of one form in them go out, found as a walk of the whole root
//! would find them. For a command that takes paths.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::tree::{self, IgnoreRules, Selection, Tree, lies_in};
use super::{DiscoverOptions, excludes, refusal};
use crate::carrier::CarrierForm;
use crate::finding::{Finding, finding_order};
use crate::order::by_code_units;

/// What stands in some folders of a root.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// The carriers of one form, root-relative, by path in code units.
    pub(crate) carriers: Vec<String>,
    /// The folders of the request that a walk of the root enters.
    pub(crate) entered: Vec<String>,
    /// What was skipped or could not be read, and excludes without effect; in the order of all findings.
    pub(crate) findings: Vec<Finding>,
}

/// Looks for carriers of one form in some folders, as [`super::walk`] finds them. Each folder is root-relative, without a `/`
/// at its ends; an empty one is the root.
pub(crate) fn scan(root: &Path, folders: &[String], form: CarrierForm, options: &DiscoverOptions) -> Scan {
    let entered = Mutex::new(folders.iter().filter(|folder| folder.is_empty()).cloned().collect::<Vec<_>>());
    let is_in_one = |path: &str| folders.iter().any(|folder| lies_in(path, folder));
    let enter = |path: &str| {
        if folders.iter().any(|folder| folder == path) {
            entered.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
        }
        is_in_one(path) || folders.iter().any(|folder| lies_in(folder, path))
    };
    let file = |folder: &str, name: &str| CarrierForm::of_file_name(name) == Some(form) && is_in_one(folder);
    let selection = Selection { enter: &enter, file: &file, other: &|_| false };
    let Tree { files, mut findings, pruned, .. } = tree::walk(root, options, &selection, IgnoreRules::Count);
    findings.extend(excludes::without_effect(root, &options.exclude, &pruned));
    let mut carriers = Vec::new();
    for found in files {
        match refusal(&found) {
            Some(finding) => findings.push(finding),
            None => carriers.push(found.path),
        }
    }
    carriers.sort_by(|left, right| by_code_units(left, right));
    findings.sort_by(finding_order);
    let entered = entered.into_inner().unwrap_or_else(PoisonError::into_inner);
    Scan { carriers, entered, findings }
}
