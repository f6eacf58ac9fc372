//! Extraction: a root goes in; carriers and sources are read, and the graph, its extraction findings and the places of its
//! ids come out. Every command derives through here, so that they cannot disagree. It reads files and writes none.

// @sdpAnchor component:sdp.extract
// @sdpLayer application
// @sdpContext engine
// @sdpUses component:sdp.discover, component:sdp.carriers, component:sdp.anchors, component:sdp.graph

mod crates;
mod files;
mod memory;
mod sources;
mod stored;
#[cfg(test)]
mod tests;
pub mod unbound;

use hashbrown::HashMap;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::carrier::CarrierForm;
use crate::carrier::locate::{self, Sought};
use crate::contract::Contract;
use crate::derive::{Derived, Place, Spot, joined};
use crate::discover::{self, CarrierFile, CarrierTexts, DiscoverOptions, Discovery};
use crate::finding::{Finding, FindingId, finding_order};
use crate::graph::{Graph, Index, LocationRow};
use crate::harmless::shown;
use crate::order::by_code_units;
use crate::severity::Severities;
use crate::typescript::IS_READ;

use self::files::Files;

pub use self::memory::{Changes, Memory};
pub use self::stored::{NotStored, findings_to_bytes};

/// How much of a module a message shows, in characters.
const MAX_SHOWN: usize = 200;

/// What extraction gives.
#[derive(Debug)]
pub struct Extraction {
    /// The graph of what was read; under an error finding it has holes, and nothing answers from it.
    pub graph: Arc<Graph>,
    /// The findings of discovery, carriers and derivation, in finding order, weighed as the run has it.
    pub findings: Vec<Finding>,
    /// What evaluation contracts link to, those with no links and no faults left out.
    pub contracts: Arc<[Contract]>,
    /// How many carriers were read or refused.
    pub carrier_count: usize,
    /// How many Specs were read, duplicates included.
    pub spec_count: usize,
    /// How many Packs were read, duplicates included.
    pub pack_count: usize,
    /// How many anchors were read, duplicates included.
    pub anchor_count: usize,
    root: PathBuf,
    /// The last carrier in which the place of a finding was sought: findings come file by file.
    sought_in: Mutex<Option<(String, locate::Carrier)>>,
    places: Places,
    has_holes: bool,
    severities: Severities,
    /// What was judged of every node already, in the order of the graph.
    judged: Option<Vec<bool>>,
    /// The index over the graph, made by the first that asks for it.
    index: OnceLock<Arc<Index>>,
}

/// The places of ids.
#[derive(Debug)]
struct Places {
    /// Made by the first that asks for it.
    by_id: OnceLock<HashMap<String, Place>>,
    /// Where they come from: a spot for each node, in the order of the graph.
    spots: Vec<Spot>,
}

impl Places {
    fn of(&self, graph: &Graph) -> &HashMap<String, Place> {
        self.by_id.get_or_init(|| {
            let spots = graph.nodes.iter().zip(&self.spots);
            let place = |spot: &Spot, file: &str| Place {
                file: file.to_owned(),
                line: spot.line,
                targets: spot.targets.clone(),
            };
            spots.map(|(node, spot)| (node.id().to_owned(), place(spot, node.file()))).collect()
        })
    }
}

impl Extraction {
    /// What was derived below a root, with what was found before; it counts nothing.
    fn of(root: &Path, derived: Derived, mut findings: Vec<Finding>) -> Self {
        let Derived { graph, findings: duplicates, spots, index } = derived;
        findings.extend(duplicates);
        let index = index.map(|index| OnceLock::from(Arc::new(index))).unwrap_or_default();
        Extraction::over(root, Arc::new(graph), index, spots, findings)
    }

    /// The same for a graph that was derived before.
    fn over(
        root: &Path,
        graph: Arc<Graph>,
        index: OnceLock<Arc<Index>>,
        spots: Vec<Spot>,
        mut findings: Vec<Finding>,
    ) -> Self {
        findings.sort_by(finding_order);
        let has_holes = findings.iter().any(Finding::is_error);
        Extraction {
            graph,
            findings,
            contracts: Arc::default(),
            carrier_count: 0,
            spec_count: 0,
            pack_count: 0,
            anchor_count: 0,
            root: root.to_owned(),
            sought_in: Mutex::new(None),
            places: Places { by_id: OnceLock::new(), spots },
            has_holes,
            severities: Severities::default(),
            judged: None,
            index,
        }
    }

    /// The index over the graph.
    pub(crate) fn index(&self) -> &Arc<Index> {
        self.index.get_or_init(|| Arc::new(Index::new(&self.graph)))
    }

    /// The same extraction with what [`crate::space::judged_examples`] gives for its graph, so that a reader over it need not judge again.
    /// Without one judgement for each node it stays as it is.
    #[must_use]
    pub fn judged(mut self, judged: Vec<bool>) -> Self {
        self.judged = (judged.len() == self.graph.nodes.len()).then_some(judged);
        self
    }

    /// What [`Extraction::judged`] was given.
    pub(crate) fn judgements(&self) -> Option<&[bool]> {
        self.judged.as_deref()
    }

    /// Whether an error left holes in the graph: then no body runs. A warning that an override made an error leaves none.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.has_holes
    }

    /// The same extraction under the overrides of a run: its warnings are weighed anew, and so is the report of a
    /// [`crate::reader::Reader::of`] it. Its errors stay: each leaves a hole in the graph, which must not pass in silence.
    #[must_use]
    pub fn weighed(mut self, severities: &Severities) -> Self {
        let (mut errors, mut others): (Vec<Finding>, Vec<Finding>) =
            self.findings.into_iter().partition(Finding::is_error);
        severities.apply(&mut others);
        errors.append(&mut others);
        errors.sort_by(finding_order);
        self.findings = errors;
        self.severities = severities.clone();
        self
    }

    /// The overrides under which it stands.
    #[must_use]
    pub fn severities(&self) -> &Severities {
        &self.severities
    }

    /// Findings about the graph as every command says them: weighed as the run has it, each where its subject is authored,
    /// in finding order.
    #[must_use]
    pub fn said(&self, mut findings: Vec<Finding>) -> Vec<Finding> {
        self.severities.apply(&mut findings);
        let mut said: Vec<Finding> = findings.iter().map(|finding| self.placed(finding)).collect();
        said.sort_by(finding_order);
        said
    }

    /// Where an id is authored.
    #[must_use]
    pub fn place(&self, id: &str) -> Option<&Place> {
        self.places.of(&self.graph).get(id)
    }

    /// A finding of the checks at the line that it speaks of: the entry, relation or field that it names, else the id (its
    /// key, or its tag) that it is about. One about an id that no carrier holds stands where the id that it names beside it
    /// is authored: a Pack that lists a missing Spec, say.
    #[must_use]
    pub fn placed(&self, finding: &Finding) -> Finding {
        let mut finding = finding.clone();
        if finding.line.is_some() {
            return finding;
        }
        let at = |id: &Option<String>| id.as_deref().and_then(|id| self.place(id));
        let (place, named) = match at(&finding.subject) {
            Some(place) => (place, &finding.related),
            None => match at(&finding.related) {
                Some(place) => (place, &finding.subject),
                None => return finding,
            },
        };
        if finding.file.as_ref().is_none_or(|file| *file == place.file) {
            let path = finding.path.as_deref();
            let sought = Sought { id_line: place.line, path, named: named.as_deref() };
            let line = place
                .target_line(named.as_deref(), finding.edge_type)
                .or_else(|| self.entry_line(&finding))
                .or_else(|| self.line_in_carrier(&place.file, sought));
            finding.line = Some(line.unwrap_or(place.line));
            finding.file = Some(place.file.clone());
        }
        finding
    }

    /// The line of the entry that a finding's path names, as the location table has it.
    fn entry_line(&self, finding: &Finding) -> Option<u32> {
        let (spec, path) = (finding.subject.as_deref()?, finding.path.as_deref()?);
        let indexed = |list: &str, entry: &str| {
            let (index, _) = path.strip_prefix(list)?.strip_prefix('[')?.split_once(']')?;
            Some(format!("{entry}[{index}]"))
        };
        let entry = indexed("behavior.rules", "rule")
            .or_else(|| indexed("intent.openQuestions", "question"))
            .unwrap_or_else(|| path.to_owned());
        let rows = &self.graph.locations;
        let order = |row: &LocationRow| by_code_units(&row.spec, spec).then_with(|| by_code_units(&row.entry, &entry));
        rows.get(rows.binary_search_by(order).ok()?).map(|row| row.line)
    }

    fn line_in_carrier(&self, file: &str, sought: Sought<'_>) -> Option<u32> {
        if sought.path.is_none() && sought.named.is_none() {
            return None;
        }
        let mut kept = self.sought_in.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|(kept, _)| kept != file) {
            let carrier = CarrierFile { path: file.to_owned(), form: CarrierForm::of_file_name(file)? };
            // A carrier that has changed since it was derived may hold the thing elsewhere, or not at all.
            let mut texts = CarrierTexts::default();
            let text = texts.read(&self.root, &carrier).ok()?;
            *kept = Some((file.to_owned(), locate::Carrier::new(carrier.form, &text)));
        }
        kept.as_ref().and_then(|(_, carrier)| carrier.line(sought))
    }
}

/// Walks the root, reads every carrier and derives the graph.
#[must_use]
#[sdp::satisfies("spec:sdp.engine", component = "component:sdp.extract")]
pub fn extract(root: &Path, options: &DiscoverOptions) -> Extraction {
    extract_found(root, options, discover::walk(root, options))
}

/// Reads what a walk of the root with the same options found, and derives the graph. Of the tree no more than the content of these files
/// decides: carriers, sources and manifests as a whole, of the other files [`discover::SEARCHED_OF_OTHERS`] bytes.
#[must_use]
pub fn extract_found(root: &Path, options: &DiscoverOptions, discovery: Discovery) -> Extraction {
    let mut files = Files::default();
    files.renew(root, options, &Discovery::default(), &discovery, &|_| true);
    let told = files.told(options, &discovery);
    told.with(|findings| Extraction::of(root, joined(files.into_parts()), findings))
}

/// What all files say beside what they bring into the graph.
struct Told {
    findings: Vec<Finding>,
    contracts: Arc<[Contract]>,
    carrier_count: usize,
    spec_count: usize,
    pack_count: usize,
    anchor_count: usize,
}

impl Told {
    /// The extraction, with the graph of the same files.
    fn with(self, extraction: impl FnOnce(Vec<Finding>) -> Extraction) -> Extraction {
        let Told { findings, contracts, carrier_count, spec_count, pack_count, anchor_count } = self;
        Extraction { contracts, carrier_count, spec_count, pack_count, anchor_count, ..extraction(findings) }
    }
}

/// The warnings about trusted modules that nothing imports.
fn unmatched_modules(options: &DiscoverOptions, used: &BTreeSet<usize>) -> Vec<Finding> {
    if !IS_READ || options.is_shared {
        return Vec::new();
    }
    let entries = options.modules.entries().iter().enumerate().filter(|(position, _)| !used.contains(position));
    let said = entries.map(|(position, entry)| {
        let shown = shown(entry, MAX_SHOWN);
        let message = format!("no import below the root leads to the module `{shown}` of `typescript.trusted`");
        let finding = Finding::warning(FindingId::UnmatchedModule, message);
        match options.module_places.get(position) {
            Some(place) => {
                let file = format!("{}{}", options.config_folder, place.file);
                Finding { column: Some(place.column), ..finding.at(file, place.line) }
            }
            None => finding,
        }
    });
    said.collect()
}
