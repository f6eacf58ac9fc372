//! Extraction: a root goes in; the graph, its extraction findings and the places of its ids come out. Every command
//! derives through here, so that they cannot disagree. It reads files and writes none.

use hashbrown::HashMap;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use crate::carrier::{CarrierForm, gherkin, markdown};
use crate::derive::{Derived, Place, Sourced, derive};
use crate::discover::{self, CarrierFile, CarrierTexts, DiscoverOptions};
use crate::finding::{Finding, finding_order};
use crate::graph::Graph;
use crate::model::Document;
use crate::severity::Severities;

/// What extraction gives.
#[derive(Debug)]
pub struct Extraction {
    /// The graph of what was read; under an error finding it has holes, and nothing answers from it.
    pub graph: Arc<Graph>,
    /// The findings of discovery, carriers and derivation, in finding order, weighed as the run has it.
    pub findings: Vec<Finding>,
    /// How many carriers were read or refused.
    pub carrier_count: usize,
    /// How many Specs were read, duplicates included.
    pub spec_count: usize,
    /// How many Packs were read, duplicates included.
    pub pack_count: usize,
    places: HashMap<String, Place>,
    has_holes: bool,
    severities: Severities,
}

impl Extraction {
    /// Whether an error left holes in the graph: then no body runs. A warning that an override made an error leaves none.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.has_holes
    }

    /// The same extraction under the overrides of a run: its findings are weighed anew, and so is the report of a
    /// [`crate::reader::Reader::of`] it.
    #[must_use]
    pub fn weighed(mut self, severities: &Severities) -> Self {
        severities.apply(&mut self.findings);
        self.severities = severities.clone();
        self
    }

    /// The overrides under which it stands.
    #[must_use]
    pub fn severities(&self) -> &Severities {
        &self.severities
    }

    /// Where an id is authored.
    #[must_use]
    pub fn place(&self, id: &str) -> Option<&Place> {
        self.places.get(id)
    }

    /// A finding of the checks at the line of the id (its key, or its tag) that it is about. One about an id that no carrier holds
    /// stands at the id that it names beside it: a Pack that lists a missing Spec, say.
    #[must_use]
    pub fn placed(&self, finding: &Finding) -> Finding {
        let mut finding = finding.clone();
        if finding.line.is_some() {
            return finding;
        }
        let at = |id: &Option<String>| id.as_deref().and_then(|id| self.place(id));
        if let Some(place) = at(&finding.subject).or_else(|| at(&finding.related))
            && finding.file.as_ref().is_none_or(|file| *file == place.file)
        {
            finding.file = Some(place.file.clone());
            finding.line = Some(place.line);
        }
        finding
    }
}

/// Walks the root, reads every carrier and derives the graph.
#[must_use]
pub fn extract(root: &Path, options: &DiscoverOptions) -> Extraction {
    let discovery = discover::walk(root, options);
    let carrier_count = discovery.carriers.iter().filter(|file| file.form != CarrierForm::TypeScript).count();
    let read: Vec<Result<Vec<Document>, Vec<Finding>>> =
        discovery.carriers.par_iter().map_init(CarrierTexts::default, |texts, file| read(texts, root, file)).collect();
    let mut findings = discovery.findings;
    let mut documents = Vec::with_capacity(read.len());
    for (file, carrier) in discovery.carriers.into_iter().zip(read) {
        match carrier {
            Ok(held) => {
                documents.extend(held.into_iter().map(|document| Sourced { file: file.path.clone(), document }));
            }
            Err(refused) => findings.extend(refused),
        }
    }
    let pack_count = documents.iter().filter(|sourced| matches!(sourced.document, Document::Pack(_))).count();
    let spec_count = documents.len() - pack_count;
    let Derived { graph, findings: duplicates, places } = derive(documents);
    findings.extend(duplicates);
    findings.sort_by(finding_order);
    let has_holes = findings.iter().any(Finding::is_error);
    Extraction {
        graph: Arc::new(graph),
        findings,
        carrier_count,
        spec_count,
        pack_count,
        places,
        has_holes,
        severities: Severities::default(),
    }
}

/// Every document of one carrier. A form that is not read yet gives none; discovery has said so.
fn read(texts: &mut CarrierTexts, root: &Path, file: &CarrierFile) -> Result<Vec<Document>, Vec<Finding>> {
    if file.form == CarrierForm::TypeScript {
        return Ok(Vec::new());
    }
    let text = texts.read(root, file).map_err(|finding| vec![finding])?;
    match file.form {
        CarrierForm::Gherkin => gherkin::read(&file.path, &text),
        _ => markdown::read(&file.path, &text).map(|document| vec![document]),
    }
}
