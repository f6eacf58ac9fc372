//! Discovery: a root and its excludes come in, the files to read go out, sorted, with a finding for each carrier that
//! was found and will not be read. Nothing outside the root is read, no link is followed but that of a manifest, and
//! nothing but a regular file is opened.

// @sdpAnchor component:sdp.discover
// @sdpLayer adapter
// @sdpContext engine
// @sdpUses component:sdp.config

mod again;
#[cfg(feature = "typescript")]
mod beside;
mod contracts;
mod excludes;
mod ignore_rules;
mod others;
mod rule_files;
#[cfg(feature = "typescript")]
mod scan;
mod skipped_sources;
#[cfg(test)]
mod tests;
mod text;
mod tree;

use hashbrown::HashSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::anchor::{Authored, LanguageId, Languages};
use crate::carrier::CarrierForm;
use crate::config::{Config, Environment, target_folder};
use crate::finding::{Finding, FindingId, finding_order};
use crate::order::by_code_units;
use crate::typescript::{IS_READ, Modules};

pub(crate) use self::again::finds_the_same;
#[cfg(feature = "typescript")]
pub(crate) use self::beside::Beside;
pub(crate) use self::excludes::in_root;
pub(crate) use self::others::tag as tag_in_other;
#[cfg(feature = "typescript")]
pub(crate) use self::scan::{Scan, scan};
pub(crate) use self::text::{Searched, not_utf8, path_not_utf8, search, unreadable_source};
#[cfg(feature = "typescript")]
pub(crate) use self::tree::lies_in;

pub use self::contracts::ContractGlobs;
pub use self::others::MAX_SEARCHED as SEARCHED_OF_OTHERS;
pub use self::others::{is_searched, seeming_tag};
pub use self::rule_files::{RuleFiles, rule_files};
pub use self::text::{CarrierTexts, SourceText, SourceTexts};
pub use self::tree::is_never_walked;

use self::contracts::FoundContracts;
use self::tree::{FileKind, Found, IgnoreRules, Selection, Tree};

/// The name of cargo's manifests.
const MANIFEST: &str = "Cargo.toml";

/// How many hidden carriers are named.
const MAX_HIDDEN_NAMES: usize = 20;

/// What a walk leaves out beyond what is never walked, and which files it takes for sources.
#[derive(Clone, Debug, Default)]
pub struct DiscoverOptions {
    /// Root-relative prefixes that pass [`crate::config::check_exclude`].
    pub exclude: Vec<String>,
    /// Absolute folders that are never walked: the real target folder. Those that do not lie below the root count for
    /// nothing. A folder that cargo tagged as its own is recognised without being named here.
    pub skip_dirs: Vec<PathBuf>,
    /// The languages whose files may hold anchors.
    pub languages: Languages,
    /// The modules whose builders count in TypeScript, beside the package.
    pub modules: Modules,
    /// Where each of them is authored, by position, where that is known.
    pub module_places: Vec<Authored>,
    /// Which files are evaluation contracts.
    pub contracts: ContractGlobs,
    /// How the folder of the configuration is called from the root: empty, or `../` for each level.
    pub config_folder: String,
    /// Whether the languages, modules and contracts are those of other roots too: what matches nothing here is no finding then.
    pub is_shared: bool,
}

impl DiscoverOptions {
    /// What walks below a configured root leave out: the configured excludes and cargo's target folder.
    #[must_use]
    pub fn of(config: &Config, environment: &Environment) -> Self {
        DiscoverOptions {
            exclude: config.exclude.clone(),
            skip_dirs: target_folder(&config.root, environment).into_iter().collect(),
            languages: config.languages.clone(),
            modules: Modules::new(config.modules.iter().map(|(module, _)| module.clone()).collect()),
            module_places: config.modules.iter().map(|(_, place)| *place).collect(),
            contracts: ContractGlobs::new(&config.contracts, config.below_base()),
            config_folder: config.config_folder(),
            is_shared: config.is_shared,
        }
    }

    /// The same for a walk of the configuration's folder, where that is another one than the root: the excludes of both.
    #[must_use]
    pub fn above(&self, config: &Config) -> Self {
        let mut options = DiscoverOptions { exclude: config.base_exclude.clone(), ..self.clone() };
        if let Ok(path) = config.root.strip_prefix(&config.base)
            && let Some(path) = path.to_str()
        {
            let path = path.replace(std::path::MAIN_SEPARATOR, "/");
            options.exclude.extend(self.exclude.iter().map(|exclude| tree::joined(&path, exclude)));
        }
        options
    }
}

impl DiscoverOptions {
    /// Whether a file is read as a whole where a walk finds it, by its own name: a carrier, a manifest of cargo, a source.
    #[must_use]
    pub fn reads(&self, name: &str) -> bool {
        CarrierForm::of_file_name(name).is_some() || name == MANIFEST || self.languages.of_file_name(name).is_some()
    }

    /// Whether a file is read as a whole where a walk finds it, by its root-relative path: the same, or a contract.
    #[must_use]
    pub fn reads_at(&self, path: &str) -> bool {
        self.reads(own_name(path)) || self.contracts.is_match(path)
    }

    /// A text that tells these options from all others of the same build.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let DiscoverOptions {
            exclude,
            skip_dirs,
            languages,
            modules,
            module_places,
            contracts,
            config_folder,
            is_shared,
        } = self;
        let folders = (config_folder, is_shared, contracts.fingerprint());
        format!("{:?}", (exclude, skip_dirs, languages.configured(), modules, module_places, folders))
    }
}

/// A carrier to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarrierFile {
    /// Root-relative, with `/`. It may hold any character that a file name may hold.
    pub path: String,
    /// The form that its name announces.
    pub form: CarrierForm,
}

/// A source file that may hold anchors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Root-relative, with `/`.
    pub path: String,
    /// The language that its name announces.
    pub language: LanguageId,
}

/// What a walk found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discovery {
    /// The carriers, by path in code units. Those in a form that this build does not read are among them, and `findings`
    /// says so.
    pub carriers: Vec<CarrierFile>,
    /// The source files, by path in code units.
    pub sources: Vec<SourceFile>,
    /// Cargo's manifests, root-relative, by path in code units. One may be a link to a regular file.
    pub manifests: Vec<String>,
    /// Text files of no known language that may hold a tag by mistake, root-relative, by path in code units.
    pub others: Vec<String>,
    /// The evaluation contracts, root-relative, by path in code units. One may be a carrier or a source too.
    pub contracts: Vec<String>,
    /// The errors about contracts that are not read, each about its file: findings of a check and not of the carriers, because they
    /// leave no hole in the graph. In the order of all findings.
    pub refused_contracts: Vec<Finding>,
    /// The folders that were entered, root-relative, the root's empty, by path in code units: what may change what a walk finds
    /// lies in one of them.
    pub folders: Vec<String>,
    /// The same of the folders whose paths are not UTF-8, sorted.
    pub odd_folders: Vec<PathBuf>,
    /// The folders that were left out as cargo's by the tag in them, root-relative, sorted: without it they are walked.
    pub tagged: Vec<String>,
    /// The links that were seen and are no carriers, root-relative, sorted: what one leads to may change what a walk finds.
    pub links: Vec<String>,
    /// Whether there are links and the like with names of sources or manifests: what one leads to decides with what was found.
    pub has_links: bool,
    /// What was skipped or could not be read, and excludes without effect; in the order of all findings.
    pub findings: Vec<Finding>,
}

/// The carriers that only an ignore rule of git keeps from being read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenCarriers {
    /// At most 20 root-relative paths, by code units.
    pub names: Vec<String>,
    /// How many there are.
    pub total: usize,
}

/// Walks the tree below an absolute root (fact sheet part 1; DESIGN part 6).
///
/// Never entered: dot-folders, `node_modules`, `dist`, `generated`, `coverage`, cargo's target folder, excludes, links,
/// and what the `.gitignore` files from the root downwards ignore. Rules above the root, of the user and of the clone
/// (`.git/info/exclude`) do not count, so that one tree gives one answer everywhere.
#[must_use]
#[sdp::satisfies("spec:sdp.discovery", component = "component:sdp.discover")]
pub fn walk(root: &Path, options: &DiscoverOptions) -> Discovery {
    let is_contract = |folder: &str, name: &str| {
        !options.contracts.is_empty() && options.contracts.is_match(&tree::joined(folder, name))
    };
    let file = |folder: &str, name: &str| options.reads(name) || is_contract(folder, name);
    let selection = Selection { enter: &|_| true, file: &file, other: &others::is_searched };
    let Tree { files, mut others, mut findings, pruned, mut folders, mut odd_folders, mut tagged, mut links } =
        tree::walk(root, options, &selection, IgnoreRules::Count);
    findings.extend(excludes::without_effect(root, &options.exclude, &pruned));
    let (mut carriers, mut sources, mut manifests, mut skipped) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut contracts = FoundContracts::default();
    for found in files {
        if options.contracts.is_match(&found.path) {
            contracts.add(&found);
            if !options.reads(own_name(&found.path)) {
                continue;
            }
        }
        let Some(form) = CarrierForm::of_file_name(&found.path) else {
            let name = own_name(&found.path);
            if name == MANIFEST && is_linked_file(root, &found) {
                manifests.push(found.path.clone());
            }
            if found.kind != FileKind::Regular || !found.is_utf8 {
                skipped.push(found);
                continue;
            }
            if name == MANIFEST {
                manifests.push(found.path.clone());
            }
            if let Some(language) = options.languages.of_file_name(name) {
                sources.push(SourceFile { path: found.path, language });
            }
            continue;
        };
        if let Some(finding) = refusal(&found) {
            findings.push(finding);
            continue;
        }
        findings.extend(unread(&found, form));
        carriers.push(CarrierFile { path: found.path, form });
    }
    contracts.finish(root, options);
    rayon::join(
        || carriers.par_sort_by(|left, right| by_code_units(&left.path, &right.path)),
        || sources.par_sort_by(|left, right| by_code_units(&left.path, &right.path)),
    );
    manifests.sort_by(|left, right| by_code_units(left, right));
    others.par_sort_by(|left, right| by_code_units(left, right));
    folders.par_sort_by(|left, right| by_code_units(left, right));
    odd_folders.sort();
    tagged.sort();
    let is_linked = |found: &&Found| found.is_utf8 && found.kind != FileKind::Regular;
    links.extend(skipped.iter().filter(is_linked).map(|found| found.path.clone()));
    let FoundContracts { files: contracts, mut refused, unmatched, links: links_of_contracts } = contracts;
    let has_links = !skipped.is_empty() || !links_of_contracts.is_empty();
    links.extend(links_of_contracts);
    links.sort();
    links.dedup();
    refused.sort_by(finding_order);
    findings.extend(unmatched);
    findings.extend(skipped_sources::findings(root, options, &skipped, &sources));
    findings.extend(unmatched_languages(options, &sources));
    findings.sort_by(finding_order);
    let refused_contracts = refused;
    Discovery {
        carriers,
        sources,
        manifests,
        others,
        contracts,
        refused_contracts,
        folders,
        odd_folders,
        tagged,
        links,
        has_links,
        findings,
    }
}

/// Whether a walk would look at a root-relative path, so far as the names of its folders and the excludes say so: for a path
/// that stands there no more. Ignore rules are not asked.
#[must_use]
pub fn is_in_reach(path: &str, options: &DiscoverOptions) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    !folders.split('/').any(tree::is_never_walked)
        && !options.exclude.iter().any(|exclude| tree::lies_in(path, exclude))
}

/// Whether a link leads to a regular file. Such a manifest is followed, as cargo follows it and as the configuration is.
fn is_linked_file(root: &Path, found: &Found) -> bool {
    found.is_utf8 && found.kind != FileKind::Regular && in_root(root, &found.path).is_file()
}

/// A file's own name.
fn own_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The warnings about configured endings and names that no source file has.
fn unmatched_languages(options: &DiscoverOptions, sources: &[SourceFile]) -> Vec<Finding> {
    let languages = &options.languages;
    if options.is_shared || !languages.are_configured() {
        return Vec::new();
    }
    let unmatched = languages.unmatched(sources.iter().map(|source| own_name(&source.path)));
    let said = unmatched.into_iter().map(|(text, place)| {
        let message = format!("no file below the root has the ending or name `{text}` of `comment-languages`");
        let file = format!("{}{}", options.config_folder, place.file);
        let finding = Finding::warning(FindingId::UnmatchedLanguage, message).at(file, place.line);
        Finding { column: Some(place.column), ..finding }
    });
    said.collect()
}

/// The carriers that ignore rules hide from [`walk`]. It walks twice: ask only where no Spec was found.
#[must_use]
pub fn hidden_carriers(root: &Path, options: &DiscoverOptions) -> HiddenCarriers {
    let visible = tree::walk(root, options, &CARRIERS, IgnoreRules::Count).files;
    let visible: HashSet<String> = visible.into_iter().map(|found| found.path).collect();
    let all = tree::walk(root, options, &CARRIERS, IgnoreRules::Skip).files;
    let mut names: Vec<String> =
        all.into_iter().map(|found| found.path).filter(|path| !visible.contains(path)).collect();
    names.sort_by(|left, right| by_code_units(left, right));
    let total = names.len();
    names.truncate(MAX_HIDDEN_NAMES);
    HiddenCarriers { names, total }
}

const CARRIERS: Selection<'static> =
    Selection { enter: &|_| true, file: &|_, name| CarrierForm::of_file_name(name).is_some(), other: &|_| false };

/// Why a file that announces a carrier is none.
fn refusal(found: &Found) -> Option<Finding> {
    let finding = match found.kind {
        FileKind::Other(what) => {
            let message = format!("{what} is not read as a carrier: its Specs are not in the graph");
            Finding::warning(FindingId::SkippedCarrier, message)
        }
        FileKind::Regular if found.is_utf8 => return None,
        FileKind::Regular => path_not_utf8(),
    };
    Some(finding.at(found.path.clone(), None))
}

/// The warning about a form that this build does not read.
fn unread(found: &Found, form: CarrierForm) -> Option<Finding> {
    if form != CarrierForm::TypeScript || IS_READ {
        return None;
    }
    let message = "the TypeScript carrier is not read: this build has no TypeScript";
    Some(Finding::warning(FindingId::UnreadCarrier, message).at(found.path.clone(), None))
}
