//! Sources: the files that a walk found come in, the anchors that they hold go out. A file is searched as bytes first; what
//! holds no binding is not looked at again.

use std::collections::BTreeSet;
use std::path::Path;

use memchr::memmem::{self, Finder};
use rayon::prelude::*;

use super::crates;
use crate::anchor::{Language, LanguageId, Languages, MAX_SOURCE_BYTES, Read, comment, rust};
use crate::derive::Sourced;
use crate::discover::{Searched, SourceFile, SourceText, SourceTexts, in_root, not_utf8, search};
use crate::finding::{Finding, FindingId};
use crate::model::Document;

/// How many findings of one file are told; the rest is counted as one.
const MAX_FINDINGS: usize = 100;

/// What all sources give.
#[derive(Debug, Default)]
pub(super) struct Bound {
    /// The anchors, file by file.
    pub(super) anchors: Vec<Sourced>,
    /// What is wrong with others.
    pub(super) findings: Vec<Finding>,
}

/// What the first look at a file gives.
#[derive(Default)]
struct Look {
    /// What its comments hold.
    read: Read,
    /// Whether attributes have to be looked for.
    may_hold_attributes: bool,
}

/// Reads every source file.
pub(super) fn read(root: &Path, languages: &Languages, sources: &[SourceFile], manifests: &[String]) -> Bound {
    let searcher = Searcher { root, languages, marker: Finder::new(comment::MARKER) };
    let looks: Vec<Look> =
        sources.par_iter().map_init(SourceTexts::default, |texts, source| searcher.look(texts, source)).collect();
    let rust_files = || sources.iter().filter(|source| searcher.is_rust(source.language));
    let wanted: Vec<&str> = sources
        .iter()
        .zip(&looks)
        .filter(|(_, look)| look.may_hold_attributes)
        .map(|(source, _)| source.path.as_str())
        .collect();
    let mut bound = Bound::default();
    let mut attributes = if wanted.is_empty() {
        Vec::new()
    } else {
        let rust_files: Vec<&str> = rust_files().map(|source| source.path.as_str()).collect();
        let placed = crates::place(root, manifests, &rust_files, &wanted);
        let read = |(path, place): (&&str, &rust::FilePlace)| match SourceTexts::default().read(root, path) {
            Ok(SourceText::Whole(bytes)) => match std::str::from_utf8(bytes) {
                Ok(text) => rust::read(path, text, place),
                Err(error) => refused(not_utf8(path, "the source file", bytes, error)),
            },
            Ok(SourceText::Beginning(_)) => refused(too_large(path)),
            Err(finding) => refused(finding),
        };
        let read: Vec<Read> = wanted.par_iter().zip(&placed.places).map(read).collect();
        // What is wrong with the place of a file matters where it binds.
        let binding = read.iter().zip(&placed.doubted).filter(|(read, _)| **read != Read::default());
        let doubted: BTreeSet<usize> = binding.filter_map(|(_, doubt)| *doubt).collect();
        bound.findings.extend(doubted.into_iter().filter_map(|doubt| placed.doubts.get(doubt).cloned()));
        read
    }
    .into_iter();
    for (source, look) in sources.iter().zip(looks) {
        let mut read = look.read;
        if look.may_hold_attributes {
            read.join(attributes.next().unwrap_or_default());
        }
        bound.take(&source.path, read);
    }
    bound
}

impl Bound {
    fn take(&mut self, file: &str, read: Read) {
        let Read { anchors, mut findings } = read;
        let sourced = |anchor| Sourced { file: file.to_owned(), document: Document::Anchor(anchor) };
        self.anchors.extend(anchors.into_iter().map(sourced));
        if findings.len() > MAX_FINDINGS {
            // Errors first: what refuses the graph must not be what is left out.
            findings.sort_by_key(|finding| (finding.severity, finding.line));
            let more = findings.len() - MAX_FINDINGS;
            let of = findings.get(MAX_FINDINGS).map_or(FindingId::NonStaticEnvelope, |finding| finding.id);
            findings.truncate(MAX_FINDINGS);
            let message = format!("{more} more findings of this file are left out");
            findings.push(Finding::left_out(of, message).at(file, None));
        }
        self.findings.extend(findings);
    }
}

/// A reserved tag's opening in UTF-16, whichever byte of a unit comes first.
const UTF16_MARKER: &[u8] = b"@\0s\0d\0p";

/// Whether bytes are UTF-16 by their mark and seem to hold a reserved tag: that must not pass in silence.
fn is_marked_utf16(bytes: &[u8]) -> bool {
    matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) && memmem::find(bytes, UTF16_MARKER).is_some()
}

struct Searcher<'a> {
    root: &'a Path,
    languages: &'a Languages,
    marker: Finder<'a>,
}

impl Searcher<'_> {
    fn is_rust(&self, language: LanguageId) -> bool {
        self.languages.get(language).is_some_and(Language::has_attributes)
    }

    fn look(&self, texts: &mut SourceTexts, source: &SourceFile) -> Look {
        let (path, language) = (source.path.as_str(), source.language);
        let bytes = match texts.read(self.root, path) {
            Ok(SourceText::Whole(bytes)) => bytes,
            Ok(SourceText::Beginning(_)) => {
                // A file of this size is no source that people wrote; it is refused only where it seems to bind.
                let is_rust = self.is_rust(language);
                let binds =
                    |bytes: &[u8]| self.marker.find(bytes).is_some() || (is_rust && rust::may_hold_anchors(bytes));
                let read = match search(&in_root(self.root, path), binds) {
                    Ok(Searched::NotFound) => Read::default(),
                    Ok(Searched::Found) => refused(too_large(path)),
                    Ok(Searched::TooLong) => {
                        let message = "the file holds more than 1 GiB, so it is not known what it binds";
                        refused(Finding::error(FindingId::UnreadableSource, message).at(path, None))
                    }
                    Err(error) => {
                        let message = format!("the file cannot be read: {}", error.kind());
                        refused(Finding::error(FindingId::UnreadableSource, message).at(path, None))
                    }
                };
                return Look { read, ..Look::default() };
            }
            Err(finding) => return Look { read: refused(finding), ..Look::default() },
        };
        let mut look = Look::default();
        if (self.marker.find(bytes).is_some() || is_marked_utf16(bytes))
            && let Some(language) = self.languages.get(language)
        {
            look.read = match std::str::from_utf8(bytes) {
                Ok(text) => comment::read(language, path, text),
                Err(error) => return Look { read: refused(not_utf8(path, "the source file", bytes, error)), ..look },
            };
        }
        look.may_hold_attributes = self.is_rust(language) && rust::may_hold_anchors(bytes);
        look
    }
}

fn refused(finding: Finding) -> Read {
    Read { anchors: Vec::new(), findings: vec![finding] }
}

pub(super) fn too_large(path: &str) -> Finding {
    let limit = MAX_SOURCE_BYTES / (1024 * 1024);
    let message = format!("the file holds more than {limit} MiB, so the bindings in it are not read");
    Finding::error(FindingId::UnreadableSource, message).at(path, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_in_utf_16_is_not_passed_over_in_silence() {
        let folder = tempfile::tempdir().unwrap();
        let units = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let files = [
            ("a.cs", units("\u{FEFF}// @sdpAnchor impl:a\n")),
            ("b.cs", units("\u{FEFF}// @sdpAnchor impl:a\n").chunks(2).flat_map(|unit| [unit[1], unit[0]]).collect()),
            ("c.cs", units("\u{FEFF}// nothing\n")),
        ];
        let languages = Languages::default();
        let sources = files.map(|(name, bytes)| {
            std::fs::write(folder.path().join(name), bytes).unwrap();
            SourceFile { path: name.to_owned(), language: languages.of_file_name(name).unwrap() }
        });
        let bound = read(folder.path(), &languages, &sources, &[]);
        let said: Vec<String> = bound.findings.iter().map(Finding::line_form).collect();
        assert_eq!(
            said,
            [
                "a.cs:1 — [error] sdp/not-utf8 — the source file is not UTF-8: the byte 0xFF is no character",
                "b.cs:1 — [error] sdp/not-utf8 — the source file is not UTF-8: the byte 0xFE is no character",
            ]
        );
        assert!(bound.anchors.is_empty());
    }
}
