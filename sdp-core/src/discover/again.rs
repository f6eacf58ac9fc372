//! Whether a walk need not be made again: what the last one found comes in with the paths that changed since, and a yes or no goes out.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Discovery, MANIFEST, in_root, own_name, tree};
use crate::order::by_code_units;

/// Whether a walk would find the same after these changes: they are only of content, of files that the last walk found and that are
/// regular files still.
pub(crate) fn finds_the_same(root: &Path, found: &Discovery, paths: &BTreeSet<String>) -> bool {
    let is_found = |path: &str| {
        let is_here = |list: &[String]| list.binary_search_by(|own| by_code_units(own, path)).is_ok();
        found.carriers.binary_search_by(|file| by_code_units(&file.path, path)).is_ok()
            || found.sources.binary_search_by(|file| by_code_units(&file.path, path)).is_ok()
            || is_here(&found.others)
            || is_here(&found.contracts)
    };
    let is_of_content = |path: &String| {
        !decides_by_content(path)
            && is_found(path)
            && in_root(root, path).symlink_metadata().is_ok_and(|metadata| metadata.is_file())
    };
    paths.is_empty() || (!found.has_links && paths.iter().all(is_of_content))
}

/// Whether the content of a file decides what a walk finds, by its path, or how other files are read.
fn decides_by_content(path: &str) -> bool {
    matches!(own_name(path), MANIFEST | tree::IGNORE_FILE | tree::CACHE_TAG)
}
