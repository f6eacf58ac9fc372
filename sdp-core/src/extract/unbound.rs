//! What is not bound: an extraction comes in; the public items of the libraries and the tests of every target that no anchor
//! stands on go out, package by package. The graph is left as it is: such an item is no node.

use std::path::Path;

use hashbrown::HashMap;
use rayon::prelude::*;

use super::Extraction;
use super::crates::{self, Member, Members};
use crate::anchor::rust::inventory::{self, Inherited, Item, Items, MAX_ITEMS, Refused};
use crate::anchor::rust::targets::{Target, TargetKind};
use crate::discover::{self, DiscoverOptions, SourceText, SourceTexts, not_utf8};
use crate::finding::{Finding, FindingId, finding_order};

pub use crate::anchor::rust::inventory::ItemKind;

/// What no anchor binds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unbound {
    /// The packages, in the order of their folders.
    pub packages: Vec<UnboundPackage>,
    /// What could not be read: the items of such a file are in no count.
    pub findings: Vec<Finding>,
}

/// What no anchor binds in one package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnboundPackage {
    /// Its name.
    pub name: String,
    /// The public items of its library.
    pub public_items: Count,
    /// The tests of all its targets.
    pub tests: Count,
    /// What is not bound, by file and line.
    pub rows: Vec<UnboundItem>,
}

/// How many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// All.
    pub total: usize,
    /// Those that nothing binds.
    pub unbound: usize,
}

/// An item that no anchor binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnboundItem {
    /// The file, root-relative.
    pub file: String,
    /// The 1-based line of its name.
    pub line: u32,
    /// What it is.
    pub kind: ItemKind,
    /// The names that lead to it, from its crate's on, joined by `::`.
    pub path: String,
}

/// Finds what no anchor binds below the root of an extraction, under the options that it was made with.
#[must_use]
#[sdp::satisfies("spec:sdp.unbound", component = "component:sdp.extract")]
pub fn unbound(extraction: &Extraction, options: &DiscoverOptions) -> Unbound {
    let root = extraction.root.as_path();
    let found = discover::walk(root, options);
    let is_rust = |path: &&str| path.ends_with(".rs");
    let files: Vec<&str> = found.sources.iter().map(|source| source.path.as_str()).filter(is_rust).collect();
    let Members { packages, files: members, findings } = crates::members(root, &found.manifests, &files);
    let anchors = anchored_lines(extraction);
    let read: Vec<Result<Items, Box<Finding>>> = members
        .par_iter()
        .map_init(SourceTexts::default, |texts, member| {
            let path = files.get(member.file).copied().unwrap_or_default();
            items_of(texts, root, path, anchors.get(path).map_or(&[], Vec::as_slice))
        })
        .collect();
    let mut unbound = Unbound { packages: Vec::new(), findings };
    let around: Vec<Inherited> = {
        let inherited = inherited(&members, &read);
        members.iter().map(|member| around(&inherited, member)).collect()
    };
    let named = |(name, _): &(String, Vec<Target>)| UnboundPackage { name: name.clone(), ..UnboundPackage::default() };
    unbound.packages = packages.iter().map(named).collect();
    for ((member, around), read) in members.iter().zip(around).zip(read) {
        let read = match read {
            Ok(read) => read,
            Err(finding) => {
                unbound.findings.push(*finding);
                continue;
            }
        };
        let target = packages.get(member.package).and_then(|(_, targets)| targets.get(member.target));
        let (Some(package), Some(target)) = (unbound.packages.get_mut(member.package), target) else { continue };
        for item in read.items {
            package.take(item, around, target, files.get(member.file).copied().unwrap_or_default(), &member.modules);
        }
    }
    unbound.findings.sort_by(finding_order);
    unbound
}

/// The items of one file.
fn items_of(texts: &mut SourceTexts, root: &Path, path: &str, anchors: &[u32]) -> Result<Items, Box<Finding>> {
    let text = match texts.read(root, path).map_err(Box::new)? {
        SourceText::Whole(bytes) => {
            std::str::from_utf8(bytes).map_err(|error| Box::new(not_utf8(path, "the source file", bytes, error)))?
        }
        SourceText::Beginning(_) => return Err(Box::new(super::sources::too_large(path))),
    };
    inventory::read(text, anchors).map_err(|refused| Box::new(said(refused, path)))
}

impl UnboundPackage {
    fn take(&mut self, item: Item, around: Inherited, target: &Target, file: &str, modules: &[String]) {
        let is_test = item.kind == ItemKind::Test;
        if !is_test && (target.kind != TargetKind::Library || around.is_hidden || around.is_for_tests) {
            return;
        }
        let count = if is_test { &mut self.tests } else { &mut self.public_items };
        count.total += 1;
        if item.is_bound || around.is_bound {
            return;
        }
        count.unbound += 1;
        let names = std::iter::once(target.crate_name.as_str());
        let names = names.chain(modules.iter().chain(&item.path).map(String::as_str));
        let path = names.collect::<Vec<_>>().join("::");
        self.rows.push(UnboundItem { file: file.to_owned(), line: item.line, kind: item.kind, path });
    }
}

/// The lines on which anchors open, file by file, each list sorted.
fn anchored_lines(extraction: &Extraction) -> HashMap<&str, Vec<u32>> {
    let mut lines: HashMap<&str, Vec<u32>> = HashMap::new();
    for (node, spot) in extraction.graph.nodes.iter().zip(&extraction.places.spots) {
        lines.entry(node.file()).or_default().push(spot.line);
    }
    for lines in lines.values_mut() {
        lines.sort_unstable();
    }
    lines
}

/// A module of a package: the package, the target and the names that lead to it.
type ModulePath<'a> = (usize, usize, Vec<&'a str>);

/// What files say of modules that other files hold.
fn inherited<'a>(members: &'a [Member], read: &'a [Result<Items, Box<Finding>>]) -> HashMap<ModulePath<'a>, Inherited> {
    let mut all: HashMap<ModulePath<'a>, Inherited> = HashMap::new();
    for (member, read) in members.iter().zip(read) {
        for (path, inherited) in read.iter().flat_map(|read| &read.modules) {
            let names = member.modules.iter().chain(path).map(String::as_str).collect();
            let known = all.entry((member.package, member.target, names)).or_default();
            *known = known.with(*inherited);
        }
    }
    all
}

/// What holds of a whole file: what is said of it and of each module around it.
fn around(inherited: &HashMap<ModulePath<'_>, Inherited>, member: &Member) -> Inherited {
    if inherited.is_empty() {
        return Inherited::default();
    }
    let mut names: Vec<&str> = member.modules.iter().map(String::as_str).collect();
    let mut all = Inherited::default();
    loop {
        let key = (member.package, member.target, names);
        all = all.with(inherited.get(&key).copied().unwrap_or_default());
        names = key.2;
        if names.pop().is_none() {
            return all;
        }
    }
}

fn said(refused: Refused, path: &str) -> Finding {
    match refused {
        Refused::Brackets(line) => {
            let message = "the brackets of the file do not match, so its items are not known";
            Finding::error(FindingId::ParseError, message).at(path, line).with_help("mend the file's syntax")
        }
        Refused::TooMany => {
            let message =
                format!("the file holds more than {MAX_ITEMS} public items and tests, so they are not looked at");
            Finding::error(FindingId::UnreadableSource, message)
                .at(path, None)
                .with_help("split the file, or exclude it")
        }
    }
}
