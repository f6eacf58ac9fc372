//! The reader: the joined answers over one graph and its report. Built once, borrowed by everyone; it persists nothing
//! and computes what is asked for when it is asked.

mod answers;

use std::sync::{Arc, OnceLock};

pub use answers::{
    CodeBinding, ConceptMatch, EntryLocation, FileAnswer, FileNode, FloorFailure, OracleBinding, PackSummary, RelationEnd,
    SpecContext, SpecSummary, UnmetTarget, VerifierBinding,
};

use crate::finding::{Finding, Report};
use crate::graph::{Graph, Index};

/// The reader over one graph (newest sheet part 12).
#[derive(Debug)]
pub struct Reader {
    graph: Arc<Graph>,
    index: Index,
    report: Arc<Report>,
    specs: OnceLock<Vec<SpecSummary>>,
    packs: OnceLock<Vec<PackSummary>>,
}

impl Reader {
    /// A reader over a graph, with the report that the checks give for it.
    #[must_use]
    pub fn new(graph: Arc<Graph>) -> Self {
        let index = Index::new(&graph);
        let report = Arc::new(Report::default());
        Reader { graph, index, report, specs: OnceLock::new(), packs: OnceLock::new() }
    }

    /// A reader over a graph, with a report that somebody else made.
    #[must_use]
    pub fn with_report(graph: Arc<Graph>, report: Arc<Report>) -> Self {
        let index = Index::new(&graph);
        Reader { graph, index, report, specs: OnceLock::new(), packs: OnceLock::new() }
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// The report.
    #[must_use]
    pub fn report(&self) -> &Arc<Report> {
        &self.report
    }

    /// The index over the graph.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Every Spec, by id.
    #[must_use]
    pub fn specs(&self) -> &[SpecSummary] {
        self.specs.get_or_init(Vec::new)
    }

    /// Every Pack, by id.
    #[must_use]
    pub fn packs(&self) -> &[PackSummary] {
        self.packs.get_or_init(Vec::new)
    }

    /// The report's findings.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.report.findings
    }

    /// Nodes whose id, title, prose or sections hold a text; best first.
    #[must_use]
    pub fn find_by_concept(&self, _text: &str) -> Vec<ConceptMatch> {
        Vec::new()
    }

    /// What stands in a file.
    #[must_use]
    pub fn by_file(&self, path: &str) -> FileAnswer {
        FileAnswer { path: path.to_owned(), nodes: Vec::new(), specs: Vec::new() }
    }

    /// All that is known of one Spec.
    #[must_use]
    pub fn spec_context(&self, _id: &str) -> Option<SpecContext> {
        None
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
