//! Source files that are not read: what a walk found in their places comes in, warnings go out. A link is silent when what
//! it leads to is read at its own place, or seems to bind nothing.

use std::path::{Path, PathBuf};

use hashbrown::HashMap;

use super::tree::{FileKind, Found};
use super::{DiscoverOptions, Searched, SourceFile, in_root, own_name, search};
use crate::anchor::Language;
use crate::finding::{Finding, FindingId};
use crate::order::by_code_units;

/// What is to be said about sources that were found and are not read; `sources` are those that are, by code units.
pub(super) fn findings(
    root: &Path,
    options: &DiscoverOptions,
    skipped: &[Found],
    sources: &[SourceFile],
) -> Vec<Finding> {
    if skipped.is_empty() {
        return Vec::new();
    }
    let real_root = root.canonicalize().ok();
    // Many links may lead to one file, which is searched once for each way to read it.
    let mut searched: HashMap<(PathBuf, bool, bool), bool> = HashMap::new();
    let languages = &options.languages;
    let mut findings = Vec::new();
    for found in skipped {
        let language = languages.of_file_name(own_name(&found.path)).and_then(|id| languages.get(id));
        let Some(language) = language else { continue };
        if !found.is_utf8 && found.kind == FileKind::Regular {
            let message = "the source file's path is not UTF-8, so what it binds is not in the graph";
            let finding = Finding::warning(FindingId::SkippedSource, message).at(found.path.clone(), None);
            findings.push(finding.with_help("rename the file or its folder, so that the path is UTF-8"));
        }
        // A special file holds no source, and a link that leads nowhere leads to none.
        let Ok(target) = in_root(root, &found.path).canonicalize() else { continue };
        if found.kind == FileKind::Regular || is_read(real_root.as_deref(), &target, sources) {
            continue;
        }
        let way = |language: &Language| (language.has_attributes(), language.is_typescript());
        let (has_attributes, is_typescript) = way(language);
        let seems_to_bind =
            *searched.entry((target, has_attributes, is_typescript)).or_insert_with_key(|(target, ..)| {
                search(target, |bytes| language.may_bind(bytes, &options.modules))
                    .is_ok_and(|found| found != Searched::NotFound)
            });
        if seems_to_bind {
            let message = "the link is not read, and what it leads to seems to bind: that is not in the graph";
            findings.push(Finding::warning(FindingId::SkippedSource, message).at(found.path.clone(), None));
        }
    }
    findings
}

/// Whether a file is read at its own place.
fn is_read(real_root: Option<&Path>, target: &Path, sources: &[SourceFile]) -> bool {
    let inside = real_root.and_then(|root| target.strip_prefix(root).ok()).and_then(Path::to_str);
    inside.is_some_and(|path| {
        let path = path.replace(std::path::MAIN_SEPARATOR, "/");
        sources.binary_search_by(|source| by_code_units(&source.path, &path)).is_ok()
    })
}
