//! Rule files: globs come in, the files that they match go out, with a finding for each glob that matched none. The walk
//! is that of the carriers, but ignore rules of git do not hide a rule: whoever names a rule wants it to run.

use std::path::{Path, PathBuf};

use globset::GlobMatcher;

use super::DiscoverOptions;
use super::tree::{self, FileKind, IgnoreRules, Selection, joined, lies_in};
use crate::config::{InvalidGlob, compile_glob};
use crate::finding::{Finding, FindingId, finding_order};
use crate::order::by_code_units;

/// What the rule globs matched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleFiles {
    /// Root-relative paths with `/`, by code units.
    pub files: Vec<String>,
    /// The globs that matched no file, as authored.
    pub unmatched: Vec<String>,
    /// The folders that were entered, root-relative, the root's empty, sorted.
    pub folders: Vec<PathBuf>,
    /// Links and tags, root-relative, sorted: what they lead to or hold may change which folders are entered.
    pub doors: Vec<PathBuf>,
    /// Files that matched and are not read, folders that cannot be read, and, where the globs are configured, a
    /// warning for each unmatched one; in the order of all findings.
    pub findings: Vec<Finding>,
}

/// Finds the files that globs match below an absolute root.
///
/// Only folders that a glob can reach are entered. Dot-folders, `node_modules`, `dist`, `generated`, `coverage`, the
/// target folder, excludes and links are never entered, as in [`super::walk`]; ignore rules do not count. An unmatched
/// glob is silent when `globs_are_default`.
///
/// # Errors
///
/// The first glob that does not compile.
pub fn rule_files(
    root: &Path,
    globs: &[String],
    globs_are_default: bool,
    options: &DiscoverOptions,
) -> Result<RuleFiles, InvalidGlob> {
    let matchers = globs.iter().map(|glob| compile_glob(glob)).collect::<Result<Vec<GlobMatcher>, InvalidGlob>>()?;
    let reaches: Vec<Reach<'_>> = globs.iter().map(|glob| Reach::of(glob)).collect();
    let selection = Selection {
        enter: &|folder| reaches.iter().any(|reach| reach.may_lie_in(folder)),
        file: &|folder, name| {
            let path = joined(folder, name);
            matchers.iter().any(|matcher| matcher.is_match(&path))
        },
        other: &|_| false,
    };
    let found = tree::walk(root, options, &selection, IgnoreRules::Skip);
    let mut folders: Vec<PathBuf> = found.folders.into_iter().map(PathBuf::from).chain(found.odd_folders).collect();
    folders.sort();
    let tags = found.tagged.into_iter().map(|folder| joined(&folder, tree::CACHE_TAG));
    let mut doors: Vec<PathBuf> = found.links.into_iter().chain(tags).map(PathBuf::from).collect();
    doors.sort();
    let mut rules = RuleFiles { findings: found.findings, folders, doors, ..RuleFiles::default() };
    for file in found.files {
        match file.kind {
            FileKind::Regular if file.is_utf8 => rules.files.push(file.path),
            FileKind::Regular => rules.findings.push(skipped("the rule file's path is not UTF-8", file.path)),
            FileKind::Other(what) => {
                rules.findings.push(skipped(&format!("{what} is not read as a rule file"), file.path));
            }
        }
    }
    rules.files.sort_by(|left, right| by_code_units(left, right));
    for (glob, matcher) in globs.iter().zip(&matchers) {
        if rules.files.iter().any(|file| matcher.is_match(file)) {
            continue;
        }
        rules.unmatched.push(glob.clone());
        if !globs_are_default {
            let message = format!("the rule glob `{glob}` matched no file");
            rules.findings.push(Finding::warning(FindingId::UnmatchedRuleGlob, message).about(glob.clone()));
        }
    }
    rules.findings.sort_by(finding_order);
    Ok(rules)
}

fn skipped(message: &str, path: String) -> Finding {
    Finding::warning(FindingId::SkippedRuleFile, format!("{message}: the rule does not run")).at(path, None)
}

/// Where a glob's matches can lie: below the folders that it spells out.
struct Reach<'g> {
    /// The leading segments without a wildcard; the last segment is a file's and never among them.
    folder: &'g str,
    /// Whether the matches may lie deeper than in that very folder.
    is_deep: bool,
}

impl<'g> Reach<'g> {
    fn of(glob: &'g str) -> Self {
        // A brace may hold a slash, so that the segment before it is the last one that is certain.
        let plain = glob.find(['*', '?', '[', ']', '{', '}', '\\']).unwrap_or(glob.len());
        let head = glob.get(..plain).unwrap_or_default();
        let folder = head.rfind('/').and_then(|slash| head.get(..slash)).unwrap_or_default();
        let rest = glob.get(folder.len()..).unwrap_or_default();
        let is_deep = rest.trim_start_matches('/').contains(['/', '{', '\\']) || rest.contains("**");
        Reach { folder, is_deep }
    }

    fn may_lie_in(&self, folder: &str) -> bool {
        lies_in(self.folder, folder) || (self.is_deep && lies_in(folder, self.folder))
    }
}
