//! Sources: the files that a walk found come in with what they gave before, the anchors that they hold go out. A file is searched
//! as bytes first; what holds no binding is not looked at again.

use std::collections::BTreeSet;
use std::path::Path;

use memchr::memmem;
use rayon::prelude::*;

use super::crates::{self, Whom};
use super::files::{Difference, Given, Kept, carried};
#[cfg(feature = "typescript")]
use crate::anchor::typescript::{self, Gate};
use crate::anchor::{Language, Languages, MAX_SOURCE_BYTES, Read, comment, rust};
use crate::derive::Part;
use crate::discover::{
    DiscoverOptions, Discovery, Searched, SourceFile, SourceText, SourceTexts, in_root, not_utf8, search,
    unreadable_source,
};
use crate::finding::{Finding, FindingId};
use crate::model::Document;
use crate::typescript::Modules;

/// How many findings of one file are told; one more says that there are others.
const MAX_FINDINGS: usize = 100;

/// What all sources give.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// For each source of the walk.
    held: Vec<Held>,
    /// What is wrong with the places of those that bind.
    doubts: Vec<Finding>,
}

/// What is held of one file.
#[derive(Debug, Default)]
struct Held {
    look: Look,
    given: Given,
}

/// What the first look at a file gives.
#[derive(Clone, Debug, Default)]
struct Look {
    /// What its comments hold.
    read: Read,
    /// Whether attributes have to be looked for.
    may_hold_attributes: bool,
    /// Whether its place among the crates matters.
    needs_a_place: bool,
}

impl Sources {
    /// Looks at what is stale or new, and reads the attributes of all where that may change what they bind.
    pub(super) fn renew(
        &mut self,
        root: &Path,
        options: &DiscoverOptions,
        before: &Discovery,
        found: &Discovery,
        is_stale: &(dyn Fn(&str) -> bool + Sync),
        difference: &mut Difference,
    ) {
        let searcher = Searcher {
            root,
            languages: &options.languages,
            modules: &options.modules,
            #[cfg(feature = "typescript")]
            gate: Gate::new(&options.modules),
        };
        let is_rust = |source: &SourceFile| searcher.language(source).is_some_and(Language::has_attributes);
        let kept =
            carried(&before.sources, std::mem::take(&mut self.held), &found.sources, |source| &source.path, is_stale);
        let looked: Vec<(Held, Option<Option<Given>>)> = found
            .sources
            .par_iter()
            .zip(kept.of_files)
            .map_init(SourceTexts::default, |texts, (source, kept)| match kept {
                Kept::Fresh(held) => (held, None),
                Kept::Stale(before) => {
                    let held = Held { look: searcher.look(texts, source), given: Given::default() };
                    (held, Some(before.map(|before| before.given)))
                }
            })
            .collect();
        // Which module a Rust file is follows from manifests and from other Rust files. What a linked manifest says follows
        // from a file that has another path.
        let are_crates_stale = found.has_links
            || before.manifests != found.manifests
            || found.manifests.iter().any(|manifest| is_stale(manifest))
            || before
                .sources
                .iter()
                .filter(|source| is_rust(source))
                .ne(found.sources.iter().filter(|source| is_rust(source)))
            || found.sources.iter().zip(&looked).any(|(source, (_, before))| before.is_some() && is_rust(source));
        let mut attributes = if are_crates_stale {
            let looks: Vec<(&SourceFile, &Look)> =
                found.sources.iter().zip(&looked).map(|(source, (held, _))| (source, &held.look)).collect();
            let rust_files: Vec<&str> =
                found.sources.iter().filter(|source| is_rust(source)).map(|source| source.path.as_str()).collect();
            let (attributes, doubts) = searcher.read_attributes(&found.manifests, &rust_files, &looks);
            self.doubts = doubts;
            attributes.into_iter().peekable()
        } else {
            Vec::new().into_iter().peekable()
        };
        let held = found.sources.iter().zip(looked).enumerate().map(|(at, (source, (mut held, before)))| {
            let attributes = attributes.next_if(|(of, _)| *of == at);
            if before.is_none() && attributes.is_none() {
                return held;
            }
            let mut read = held.look.read.clone();
            if let Some((_, attributes)) = attributes {
                read.join(attributes);
            }
            let given = given(&source.path, read);
            let old = std::mem::replace(&mut held.given, given);
            difference.note(before.unwrap_or(Some(old)), &held.given);
            held
        });
        self.held = held.collect();
        kept.gone.into_iter().for_each(|held| difference.lose(held.given));
    }

    /// What each source gives.
    pub(super) fn given(&self) -> impl Iterator<Item = &Given> {
        self.held.iter().map(|held| &held.given)
    }

    /// The same, and nothing else is left.
    pub(super) fn into_given(self) -> impl Iterator<Item = Given> {
        self.held.into_iter().map(|held| held.given)
    }

    /// What is wrong with the places of files that bind.
    pub(super) fn doubts(&self) -> &[Finding] {
        &self.doubts
    }
}

/// What a source gives that was read.
fn given(file: &str, read: Read) -> Given {
    let Read { anchors, mut findings, used_modules } = read;
    if findings.len() > MAX_FINDINGS {
        // Errors first: what refuses the graph must not be what is left out.
        findings.sort_by_key(|finding| (finding.severity, finding.line));
        let of = findings.get(MAX_FINDINGS).map_or(FindingId::NonStaticEnvelope, |finding| finding.id);
        findings.truncate(MAX_FINDINGS);
        // How many they are nobody counted: a reader gives up on a file of nothing but faults.
        let message = format!("the findings of this file beyond the first {MAX_FINDINGS} are left out");
        findings.push(Finding::left_out(of, message).at(file, None));
    }
    let parts = anchors.into_iter().map(|anchor| Part::of(file, Document::Anchor(anchor))).collect();
    Given { parts, findings, used_modules }
}

/// A reserved tag's opening in UTF-16, whichever byte of a unit comes first.
const UTF16_MARKER: &[u8] = b"@\0s\0d\0p";

/// Whether bytes are UTF-16 by their mark and seem to hold a reserved tag: that must not pass in silence.
fn is_marked_utf16(bytes: &[u8]) -> bool {
    matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) && memmem::find(bytes, UTF16_MARKER).is_some()
}

/// The text of bytes that are UTF-16 by their mark.
#[cfg(feature = "typescript")]
fn of_marked_utf16(bytes: &[u8]) -> Option<String> {
    let units =
        |rest: &[u8], unit: fn([u8; 2]) -> u16| -> Vec<u16> { rest.as_chunks().0.iter().copied().map(unit).collect() };
    let units = match bytes {
        [0xFF, 0xFE, rest @ ..] => units(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => units(rest, u16::from_be_bytes),
        _ => return None,
    };
    Some(String::from_utf16_lossy(&units))
}

struct Searcher<'a> {
    root: &'a Path,
    languages: &'a Languages,
    modules: &'a Modules,
    #[cfg(feature = "typescript")]
    gate: Gate,
}

impl Searcher<'_> {
    fn language(&self, source: &SourceFile) -> Option<&Language> {
        self.languages.get(source.language)
    }

    fn look(&self, texts: &mut SourceTexts, source: &SourceFile) -> Look {
        let refused = |finding| Look { read: refused(finding), ..Look::default() };
        let (path, Some(language)) = (source.path.as_str(), self.language(source)) else { return Look::default() };
        let bytes = match texts.read(self.root, path) {
            Ok(SourceText::Whole(bytes)) => bytes,
            // A file of this size is no source that people wrote; it is refused only where it seems to bind.
            Ok(SourceText::Beginning(_)) => {
                return match search(&in_root(self.root, path), |bytes| language.may_bind(bytes, self.modules)) {
                    Ok(Searched::NotFound) => Look::default(),
                    Ok(Searched::Found) => refused(too_large(path)),
                    Ok(Searched::TooLong) => {
                        let message = "the file holds more than 1 GiB, so it is not known what it binds";
                        refused(Finding::error(FindingId::UnreadableSource, message).at(path, None))
                    }
                    Err(error) => refused(unreadable_source(path, &error)),
                };
            }
            Err(finding) => return refused(finding),
        };
        if language.is_typescript() {
            return Look { read: self.typescript(path, bytes), ..Look::default() };
        }
        let mut look = Look::default();
        if comment::may_hold_anchors(bytes) || is_marked_utf16(bytes) {
            look.read = match std::str::from_utf8(bytes) {
                Ok(text) => comment::read(language, path, text),
                Err(error) => return refused(not_utf8(path, "the source file", bytes, error)),
            };
        }
        look.may_hold_attributes = language.has_attributes() && rust::may_hold_anchors(bytes);
        let binds_by_comment = language.has_attributes() && !look.read.anchors.is_empty();
        look.needs_a_place = look.may_hold_attributes || binds_by_comment;
        look
    }

    /// What a file of TypeScript binds.
    #[cfg(feature = "typescript")]
    fn typescript(&self, path: &str, bytes: &[u8]) -> Read {
        // The compiler of TypeScript reads UTF-16, too.
        let may_bind =
            self.gate.may_bind(bytes) || of_marked_utf16(bytes).is_some_and(|text| self.gate.may_bind(text.as_bytes()));
        if !may_bind {
            return match std::str::from_utf8(bytes) {
                Ok(text) if typescript::may_look_alike(bytes) => typescript::read_lookalikes(path, text),
                _ => Read::default(),
            };
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => typescript::read(path, text, self.modules),
            Err(error) => refused(not_utf8(path, "the source file", bytes, error)),
        }
    }

    /// No language is TypeScript where it is not read.
    #[cfg(not(feature = "typescript"))]
    #[expect(clippy::unused_self, reason = "the other form needs it")]
    fn typescript(&self, _: &str, _: &[u8]) -> Read {
        Read::default()
    }

    /// What attributes bind in the files whose looks need a place, with the position of each. What is wrong with such a place
    /// goes out, too, where the file binds.
    fn read_attributes(
        &self,
        manifests: &[String],
        rust_files: &[&str],
        looks: &[(&SourceFile, &Look)],
    ) -> (Vec<(usize, Read)>, Vec<Finding>) {
        let wanted: Vec<(usize, &SourceFile, &Look)> = looks
            .iter()
            .enumerate()
            .filter(|(_, (_, look))| look.needs_a_place)
            .map(|(at, (source, look))| (at, *source, *look))
            .collect();
        if wanted.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let paths: Vec<&str> = wanted.iter().map(|(_, source, _)| source.path.as_str()).collect();
        // A comment binds in a package that does not know us, too.
        let by_comment = wanted.iter().any(|(.., look)| !look.read.anchors.is_empty());
        let whom = if by_comment { Whom::All } else { Whom::KnowingUs };
        let placed = crates::place(self.root, manifests, rust_files, &paths, whom);
        let read: Vec<((usize, Read), Option<usize>)> = wanted
            .par_iter()
            .zip(placed.places.par_iter().zip(&placed.doubted))
            .map_init(SourceTexts::default, |texts, ((at, source, look), (place, doubt))| {
                let binds_by_comment = !look.read.anchors.is_empty();
                let read = if look.may_hold_attributes {
                    attributes(texts, self.root, &source.path, place)
                } else {
                    Read::default()
                };
                let binds_by_attribute = read != Read::default();
                let doubt = doubt.filter(|doubt| {
                    // The id of a comment does not follow from its place: what a manifest fails to tell is nothing to it.
                    let is_unreached =
                        placed.doubts.get(*doubt).is_some_and(|doubt| doubt.id == FindingId::UnreachedSource);
                    binds_by_attribute || (binds_by_comment && is_unreached)
                });
                ((*at, read), doubt)
            })
            .collect();
        let (read, doubted): (Vec<(usize, Read)>, Vec<Option<usize>>) = read.into_iter().unzip();
        let doubted: BTreeSet<usize> = doubted.into_iter().flatten().collect();
        (read, doubted.into_iter().filter_map(|doubt| placed.doubts.get(doubt).cloned()).collect())
    }
}

/// What the attributes of one file bind.
fn attributes(texts: &mut SourceTexts, root: &Path, path: &str, place: &rust::FilePlace) -> Read {
    match texts.read(root, path) {
        Ok(SourceText::Whole(bytes)) => match std::str::from_utf8(bytes) {
            Ok(text) => rust::read(path, text, place),
            Err(error) => refused(not_utf8(path, "the source file", bytes, error)),
        },
        Ok(SourceText::Beginning(_)) => refused(too_large(path)),
        Err(finding) => refused(finding),
    }
}

fn refused(finding: Finding) -> Read {
    Read { findings: vec![finding], ..Read::default() }
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
            #[cfg(feature = "typescript")]
            ("d.ts", units("\u{FEFF}// @libar-dev/software-delivery-protocol\n")),
            #[cfg(feature = "typescript")]
            ("e.ts", units("\u{FEFF}// nothing\n")),
        ];
        let options = DiscoverOptions::default();
        let sources = files.map(|(name, bytes)| {
            std::fs::write(folder.path().join(name), bytes).unwrap();
            SourceFile { path: name.to_owned(), language: options.languages.of_file_name(name).unwrap() }
        });
        let found = Discovery { sources: sources.to_vec(), ..Discovery::default() };
        let mut bound = Sources::default();
        let mut difference = Difference::default();
        bound.renew(folder.path(), &options, &Discovery::default(), &found, &|_| true, &mut difference);
        let said: Vec<String> = bound.given().flat_map(|given| &given.findings).map(Finding::line_form).collect();
        assert_eq!(
            said,
            [
                "a.cs:1 — [error] sdp/not-utf8 — the source file is not UTF-8: the byte 0xFF is no character",
                "b.cs:1 — [error] sdp/not-utf8 — the source file is not UTF-8: the byte 0xFE is no character",
                #[cfg(feature = "typescript")]
                "d.ts:1 — [error] sdp/not-utf8 — the source file is not UTF-8: the byte 0xFF is no character",
            ]
        );
        assert!(difference.added.is_empty());
    }
}
