//! The files of a root: what a walk found comes in with what each file gave before, and what each gives now goes out. Only a file
//! that is new or stale is read; a file's reading depends on its own bytes, and for attributes on the crates of the run.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;

use super::sources::Sources;
use super::{Told, unmatched_modules};
use crate::carrier::{self, CarrierForm, gherkin, markdown};
use crate::contract::{self, Contract};
use crate::derive::Part;
use crate::discover::{self, CarrierFile, CarrierTexts, DiscoverOptions, Discovery};
use crate::finding::Finding;
use crate::graph::Node;
use crate::order::by_code_units;
use crate::typescript::{IS_READ, Modules};

/// What one file gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Given {
    /// What it brings into the graph.
    pub(super) parts: Vec<Part>,
    /// What is wrong with the rest of it.
    pub(super) findings: Vec<Finding>,
    /// The entries of [`Modules`] that its imports used, by position.
    pub(super) used_modules: Vec<usize>,
}

/// What all files give.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// For each carrier of the walk.
    carriers: Vec<Given>,
    sources: Sources,
    /// For each other file of the walk.
    others: Vec<Option<Box<Finding>>>,
    /// For each contract of the walk.
    contracts: Vec<Contract>,
}

/// How the parts of a run differ from those before.
#[derive(Debug, Default)]
pub(super) struct Difference {
    /// What is no longer there.
    pub(super) gone: Vec<Part>,
    /// What is new.
    pub(super) added: Vec<Part>,
}

impl Difference {
    /// Notes that a file gives something else.
    pub(super) fn note(&mut self, before: Option<Given>, now: &Given) {
        let before = before.map(|before| before.parts).unwrap_or_default();
        if before != now.parts {
            self.gone.extend(before);
            self.added.extend(now.parts.iter().cloned());
        }
    }

    /// Notes that a file is gone.
    pub(super) fn lose(&mut self, given: Given) {
        self.gone.extend(given.parts);
    }
}

impl Files {
    /// Reads what is stale or new; `before` is the walk that this was read from, `found` the one of now.
    pub(super) fn renew(
        &mut self,
        root: &Path,
        options: &DiscoverOptions,
        before: &Discovery,
        found: &Discovery,
        is_stale: &(dyn Fn(&str) -> bool + Sync),
    ) -> Difference {
        let mut difference = Difference::default();
        let kept = std::mem::take(&mut self.carriers);
        let kept = carried(&before.carriers, kept, &found.carriers, |file| &file.path, is_stale);
        let read: Vec<(Given, Option<Option<Given>>)> = found
            .carriers
            .par_iter()
            .zip(kept.of_files)
            .map_init(CarrierTexts::default, |texts, (file, kept)| match kept {
                Kept::Fresh(given) => (given, None),
                Kept::Stale(before) => (read(texts, root, file, options), Some(before)),
            })
            .collect();
        self.carriers = read
            .into_iter()
            .map(|(given, before)| {
                if let Some(before) = before {
                    difference.note(before, &given);
                }
                given
            })
            .collect();
        kept.gone.into_iter().for_each(|given| difference.lose(given));

        self.sources.renew(root, options, before, found, is_stale, &mut difference);

        let kept = std::mem::take(&mut self.others);
        let kept = carried(&before.others, kept, &found.others, |path| path, is_stale);
        self.others = found
            .others
            .par_iter()
            .zip(kept.of_files)
            .map_init(Vec::new, |bytes, (path, kept)| match kept {
                Kept::Fresh(finding) => finding,
                Kept::Stale(_) => discover::tag_in_other(root, path, bytes).map(Box::new),
            })
            .collect();

        let kept = std::mem::take(&mut self.contracts);
        let kept = carried(&before.contracts, kept, &found.contracts, |path| path, is_stale);
        self.contracts = found
            .contracts
            .par_iter()
            .zip(kept.of_files)
            .map(|(path, kept)| match kept {
                Kept::Fresh(contract) => contract,
                Kept::Stale(_) => contract::read_file(root, path),
            })
            .collect();
        difference
    }

    /// What is said of all files, and how many they are.
    pub(super) fn told(&self, options: &DiscoverOptions, found: &Discovery) -> Told {
        let is_read = |file: &&CarrierFile| file.form != CarrierForm::TypeScript || IS_READ;
        let mut findings = found.findings.clone();
        let mut used_modules = BTreeSet::new();
        let mut hear = |given: &Given, findings: &mut Vec<Finding>| {
            findings.extend_from_slice(&given.findings);
            used_modules.extend(given.used_modules.iter().copied());
        };
        self.carriers.iter().for_each(|given| hear(given, &mut findings));
        findings.extend_from_slice(self.sources.doubts());
        self.sources.given().for_each(|given| hear(given, &mut findings));
        findings.extend(unmatched_modules(options, &used_modules));
        findings.extend(self.others.iter().flatten().map(|finding| Finding::clone(finding)));
        let refused = found
            .refused_contracts
            .iter()
            .map(|finding| contract::refused(finding.file.as_deref().unwrap_or_default(), finding.clone()));
        let contracts = self.contracts.iter().cloned().chain(refused).filter(|one| *one != Contract::of(&one.file));
        let of_carriers = || self.carriers.iter().flat_map(|given| &given.parts);
        let pack_count = of_carriers().filter(|part| matches!(part.node, Node::Pack(_))).count();
        Told {
            findings,
            contracts: contracts.collect(),
            carrier_count: found.carriers.iter().filter(is_read).count(),
            spec_count: of_carriers().count() - pack_count,
            pack_count,
            anchor_count: self.sources.given().map(|given| given.parts.len()).sum(),
        }
    }

    /// All parts.
    pub(super) fn into_parts(self) -> Vec<Part> {
        let of_sources = self.sources.into_given();
        self.carriers.into_iter().chain(of_sources).flat_map(|given| given.parts).collect()
    }

    /// A copy of all parts; what a Spec says is shared.
    pub(super) fn parts(&self) -> Vec<Part> {
        let given: Vec<&Given> = self.carriers.iter().chain(self.sources.given()).collect();
        given.into_par_iter().flat_map_iter(|given| given.parts.iter().cloned()).collect()
    }
}

/// What is kept of one file.
#[derive(Debug)]
pub(super) enum Kept<T> {
    /// It holds.
    Fresh(T),
    /// The file is to be read; what it gave before, where it was there.
    Stale(Option<T>),
}

/// What is kept of the files of a walk.
pub(super) struct Carried<T> {
    /// For each file of now, in its order.
    pub(super) of_files: Vec<Kept<T>>,
    /// What files gave that are gone.
    pub(super) gone: Vec<T>,
}

/// What is kept from one list of files to the next; both are sorted by path in code units, and `kept` has a value for each of
/// the first.
pub(super) fn carried<F: PartialEq, T>(
    before: &[F],
    kept: Vec<T>,
    now: &[F],
    path: impl Fn(&F) -> &str,
    is_stale: &(dyn Fn(&str) -> bool + Sync),
) -> Carried<T> {
    let mut carried = Carried { of_files: Vec::with_capacity(now.len()), gone: Vec::new() };
    let mut old = before.iter().zip(kept).peekable();
    for file in now {
        let own = path(file);
        while let Some((_, gone)) = old.next_if(|(old, _)| by_code_units(path(old), own).is_lt()) {
            carried.gone.push(gone);
        }
        carried.of_files.push(match old.next_if(|(old, _)| path(old) == own) {
            Some((same, kept)) if same == file && !is_stale(own) => Kept::Fresh(kept),
            before => Kept::Stale(before.map(|(_, kept)| kept)),
        });
    }
    carried.gone.extend(old.map(|(_, gone)| gone));
    carried
}

/// All that one carrier gives. A form that is not read gives nothing; discovery has said so.
fn read(texts: &mut CarrierTexts, root: &Path, file: &CarrierFile, options: &DiscoverOptions) -> Given {
    let text = match file.form {
        CarrierForm::TypeScript if !IS_READ => return Given::default(),
        _ => texts.read(root, file),
    };
    let text = match text {
        Ok(text) => text,
        Err(finding) => return Given { findings: vec![finding], ..Given::default() },
    };
    let read: carrier::Read = match file.form {
        CarrierForm::Markdown => markdown::read(&file.path, &text).map(|document| vec![document]).into(),
        CarrierForm::Gherkin => gherkin::read(&file.path, &text).into(),
        CarrierForm::TypeScript => typescript(&file.path, &text, &options.modules),
    };
    let carrier::Read { documents, findings, used_modules } = read;
    let parts = documents.into_iter().map(|document| Part::of(&file.path, document)).collect();
    Given { parts, findings, used_modules }
}

#[cfg(feature = "typescript")]
fn typescript(path: &str, text: &str, modules: &Modules) -> carrier::Read {
    carrier::typescript::read(path, text, modules)
}

#[cfg(not(feature = "typescript"))]
fn typescript(_: &str, _: &str, _: &Modules) -> carrier::Read {
    carrier::Read::default()
}
