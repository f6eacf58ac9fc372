//! The reader: the joined answers over one graph and its report. Built once, borrowed by everyone; it persists nothing
//! and computes what is asked for when it is asked.

// @sdpAnchor component:sdp.reader
// @sdpLayer application
// @sdpContext engine
// @sdpUses component:sdp.graph, component:sdp.checks

mod answers;
mod bindings;
mod concept;
mod context;
mod files;
mod pack;
mod size;

use hashbrown::HashMap;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

pub use answers::{
    AtRisk, BlastRadius, BoundaryRow, BoundaryVia, CodeBinding, ComponentEnd, ConceptMatch, EntryLocation, FileAnswer,
    FileNode, FloorFailure, Impact, ImpactReason, MemberDecision, MemberDesign, MemberQuestion, OracleBinding,
    PackBoundary, PackContext, PackMemberSummary, PackSummary, RelationEnd, RiskReason, SpecContext, SpecSummary,
    ThroughBinding, UnlinkedUnit, UnmetTarget, VerifierBinding, VerifierCount, VerifierGap,
};

use self::bindings::Bindings;
use crate::contract::Contract;
use crate::extract::Extraction;
use crate::finding::{Finding, Report};
use crate::graph::{Graph, Index, Node, SpecNode, delivery_facts};
use crate::model::EdgeType;
use crate::severity::Severities;
use crate::space::{self, ExampleSpace};
use crate::validate::{floor, validate_with};

/// The reader over one graph (newest sheet part 12).
#[derive(Debug)]
#[sdp::satisfies("spec:sdp.reader", component = "component:sdp.reader")]
pub struct Reader {
    graph: Arc<Graph>,
    index: Arc<Index>,
    /// The evaluation contracts that link to the graph.
    contracts: Arc<[Contract]>,
    /// Made by the first that asks for it.
    report: OnceLock<Arc<Report>>,
    /// What the run makes of findings that do not stand in the report.
    severities: Severities,
    specs: OnceLock<Vec<SpecSummary>>,
    packs: OnceLock<Vec<PackSummary>>,
    findings_of: OnceLock<HashMap<Box<str>, Vec<u32>>>,
    nodes_in: OnceLock<HashMap<Box<str>, Vec<u32>>>,
    bindings: OnceLock<Bindings>,
}

impl Reader {
    /// A reader over a graph, with the report that the checks give for it.
    #[must_use]
    pub fn new(graph: Arc<Graph>) -> Self {
        let index = Arc::new(Index::new(&graph));
        Self::over(graph, index, OnceLock::new())
    }

    /// A reader over what was extracted, with the report that the checks give for it under the run's overrides.
    #[must_use]
    pub fn of(extraction: &Extraction) -> Self {
        let reader = Self::over(Arc::clone(&extraction.graph), Arc::clone(extraction.index()), OnceLock::new());
        if let Some(judged) = extraction.judgements() {
            // Where somebody has judged already, it was the same.
            let _ = reader.index.bindable().set(judged.to_vec());
        }
        let contracts = Arc::clone(&extraction.contracts);
        Reader { severities: extraction.severities().clone(), contracts, ..reader }
    }

    /// A reader over a graph, with a report that somebody else made.
    #[must_use]
    pub fn with_report(graph: Arc<Graph>, report: Arc<Report>) -> Self {
        let index = Arc::new(Index::new(&graph));
        Self::over(graph, index, OnceLock::from(report))
    }

    fn over(graph: Arc<Graph>, index: Arc<Index>, report: OnceLock<Arc<Report>>) -> Self {
        Reader {
            graph,
            index,
            contracts: Arc::default(),
            report,
            severities: Severities::default(),
            specs: OnceLock::new(),
            packs: OnceLock::new(),
            findings_of: OnceLock::new(),
            nodes_in: OnceLock::new(),
            bindings: OnceLock::new(),
        }
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// The report. The first that asks for it waits for the checks.
    #[must_use]
    pub fn report(&self) -> &Arc<Report> {
        self.report.get_or_init(|| {
            let mut report = validate_with(&self.graph, &self.index, &self.contracts);
            self.severities.apply(&mut report.findings);
            Arc::new(report)
        })
    }

    /// The index over the graph.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Every Spec, by id.
    #[must_use]
    pub fn specs(&self) -> &[SpecSummary] {
        self.specs.get_or_init(|| {
            space::judge_examples(&self.graph, &self.index);
            self.graph.nodes.par_iter().filter_map(Node::as_spec).map(|spec| self.summary(spec)).collect()
        })
    }

    fn summary(&self, spec: &SpecNode) -> SpecSummary {
        let packs = self.index.edges_from(&self.graph, &spec.id).filter(|edge| edge.edge_type == EdgeType::BelongsTo);
        let mut packs: Vec<String> = packs.map(|edge| edge.to.clone()).collect();
        packs.dedup();
        SpecSummary {
            id: spec.id.clone(),
            title: spec.title.clone(),
            narrative: spec.narrative.clone(),
            spec_kind: spec.spec_kind,
            kind_display_label: spec.spec_kind.display_label(),
            altitude: spec.altitude,
            stated_readiness: spec.readiness,
            derived_readiness: floor::derived_readiness(&self.graph, &self.index, spec),
            delivery_facts: delivery_facts(&self.graph, &self.index, &spec.id),
            file: spec.file.clone(),
            packs,
        }
    }

    /// Every Pack, by id.
    #[must_use]
    pub fn packs(&self) -> &[PackSummary] {
        self.packs.get_or_init(|| {
            let packs = self.graph.nodes.iter().filter_map(|node| match node {
                Node::Pack(pack) => Some(pack),
                _ => None,
            });
            packs.map(|pack| pack::pack_summary(pack)).collect()
        })
    }

    /// The report's findings.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.report().findings
    }

    /// The findings whose subject or related id is this one, in the report's order.
    fn findings_of(&self, id: &str) -> impl Iterator<Item = &Finding> {
        let findings_of = self.findings_of.get_or_init(|| {
            positions(self.findings().iter().map(|finding| [finding.subject.as_deref(), finding.related.as_deref()]))
        });
        let here = findings_of.get(id).map_or(&[][..], Vec::as_slice);
        here.iter().filter_map(|at| self.findings().get(*at as usize))
    }

    /// Nodes whose id, title, prose or sections hold a text, without regard to case; best match first, then by id. An
    /// empty text matches nothing.
    #[must_use]
    pub fn find_by_concept(&self, text: &str) -> Vec<ConceptMatch> {
        concept::find(&self.graph, text)
    }

    /// All that is known of one Spec; none when no Spec has the id.
    #[must_use]
    pub fn spec_context(&self, id: &str) -> Option<SpecContext> {
        let spec = self.index.spec(&self.graph, id)?;
        Some(self.context_of(spec))
    }

    /// The example space of a Spec, decoded, with the pairs that no example takes where they are wanted; none when no Spec
    /// has the id, or when it owns no example space.
    #[must_use]
    pub fn example_space(&self, id: &str, wants_pairs: bool) -> Option<ExampleSpace> {
        let mut space = space::decode(&self.graph, &self.index, id, wants_pairs)?;
        self.severities.apply(&mut space.findings);
        Some(space)
    }

    /// Positions in `graph.edges` of the edges that leave an id, all or of one type (its wire name).
    #[must_use]
    pub fn out_edges(&self, id: &str, edge_type: Option<&str>) -> Vec<usize> {
        self.filtered(self.index.outgoing(id), edge_type)
    }

    /// Positions in `graph.edges` of the edges that reach an id, all or of one type (its wire name).
    #[must_use]
    pub fn in_edges(&self, id: &str, edge_type: Option<&str>) -> Vec<usize> {
        self.filtered(self.index.incoming(id), edge_type)
    }

    fn filtered(&self, edges: &[u32], edge_type: Option<&str>) -> Vec<usize> {
        let wanted = |position: &usize| {
            edge_type.is_none_or(|wanted| {
                self.graph.edges.get(*position).is_some_and(|edge| edge.edge_type.as_str() == wanted)
            })
        };
        edges.iter().map(|edge| *edge as usize).filter(wanted).collect()
    }
}

/// The positions of items by each of their names; an item stands once under a name.
fn positions<'a, const N: usize>(items: impl Iterator<Item = [Option<&'a str>; N]>) -> HashMap<Box<str>, Vec<u32>> {
    let mut by_name: HashMap<Box<str>, Vec<u32>> = HashMap::new();
    for (at, names) in (0u32..).zip(items) {
        for name in names.into_iter().flatten() {
            let found = by_name.entry(name.into()).or_default();
            if found.last() != Some(&at) {
                found.push(at);
            }
        }
    }
    by_name
}

#[cfg(test)]
mod tests;
