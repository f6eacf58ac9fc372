//! Subjects: what a rule's finding is about comes in, as the rule wrote it, and the place where that thing is authored
//! goes out. The place is always the subject's own: text of other files is never searched.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use super::finding::Place;
use crate::extract::Extraction;
use crate::finding::{Finding, FindingId};
use crate::graph::{Edge, Node};
use crate::reader::Reader;
use crate::suggest::Candidates;

/// What a finding can be about, as a body wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A node's id, an entry's address, an edge (`<from> → (<type>) → <to>`) or a file (`<path>` or `<path>:<line>`).
    Text(String),
    /// An edge as an object `{ from, type, to }`.
    Edge {
        /// The id that it leaves.
        from: String,
        /// Its type's wire name.
        edge_type: String,
        /// The id that it reaches.
        to: String,
    },
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Subject::Text(text) => f.write_str(text),
            Subject::Edge { from, edge_type, to } => write!(f, "{from} → ({edge_type}) → {to}"),
        }
    }
}

/// How many steps the search for a nearest id takes at most.
const MAX_WORK: usize = 10_000_000;

/// Looks subjects up in one extraction. Built once, shared by all cases.
#[derive(Debug)]
pub struct Subjects {
    extraction: Arc<Extraction>,
    reader: Arc<Reader>,
    /// Files that something of the graph stands in.
    files: OnceLock<HashSet<Box<str>>>,
    /// Rows of the location table by entry address.
    entries: OnceLock<HashMap<String, usize>>,
}

impl Subjects {
    /// Subjects of one extraction and the reader over its graph.
    #[must_use]
    pub fn new(extraction: Arc<Extraction>, reader: Arc<Reader>) -> Self {
        Subjects { extraction, reader, files: OnceLock::new(), entries: OnceLock::new() }
    }

    /// Where a subject is authored. The outer `None`: nothing of that name is in the graph; the inner one: it is, and has
    /// no place (an edge that leaves an id without a node).
    #[must_use]
    pub fn find(&self, subject: &Subject) -> Option<Option<Place>> {
        match subject {
            Subject::Edge { from, edge_type, to } => self.edge(from, edge_type, to),
            Subject::Text(text) => {
                if let Some(place) = self.node(text) {
                    return Some(Some(place));
                }
                // A file may be named like an edge or an entry.
                let edge = || edge_parts(text).and_then(|(from, edge_type, to)| self.edge(from, edge_type, to));
                let entry = || text.split_once('#').and_then(|(spec, entry)| self.entry(spec, entry));
                edge().or_else(|| entry().or_else(|| self.file(text)).map(Some))
            }
        }
    }

    /// The line that a finding about a subject speaks of more closely, in the subject's own file: of a relation or a use the
    /// target, of an id the field at `path` or where it names `related`. None where nothing closer is known. It may read the carrier.
    #[must_use]
    pub fn closer_line(&self, subject: &Subject, path: Option<&str>, related: Option<&str>) -> Option<u32> {
        let of_edge = match subject {
            Subject::Edge { from, edge_type, to } => self.find_edge(from, edge_type, to),
            Subject::Text(text) if self.node(text).is_some() => None,
            Subject::Text(text) => {
                edge_parts(text).and_then(|(from, edge_type, to)| self.find_edge(from, edge_type, to))
            }
        };
        // It only carries what is sought to the look-up that findings of the checks take.
        let sought = Finding::warning(FindingId::ReferentialIntegrity, String::new());
        let (own, sought) = match (of_edge, subject) {
            (Some(edge), _) => {
                (self.node(&edge.from)?, sought.about(&edge.from).naming(&edge.to).through(edge.edge_type))
            }
            (None, Subject::Edge { .. }) => return None,
            (None, Subject::Text(id)) => {
                let path = path.filter(|path| !path.is_empty() && !path.starts_with("relations"));
                if path.is_none() && related.is_none() {
                    return None;
                }
                let mut sought = sought.about(id);
                sought.path = path.map(str::to_owned);
                sought.related = related.map(str::to_owned);
                (self.node(id)?, sought)
            }
        };
        let placed = self.extraction.placed(&sought);
        placed.line.filter(|_| placed.file.as_ref() == Some(&own.file))
    }

    /// Whether something of the graph stands in a file.
    #[must_use]
    pub fn has_file(&self, path: &str) -> bool {
        self.files().contains(path)
    }

    fn files(&self) -> &HashSet<Box<str>> {
        self.files.get_or_init(|| self.extraction.graph.nodes.iter().map(|node| Box::from(node.file())).collect())
    }

    /// The id that a text was meant for, where one id is nearest.
    #[must_use]
    pub fn nearest(&self, text: &str) -> Option<String> {
        let ids = self.extraction.graph.nodes.iter().map(Node::id);
        Candidates::new(ids).unique_nearest(text, 2, MAX_WORK).map(str::to_owned)
    }

    fn node(&self, id: &str) -> Option<Place> {
        let node = self.reader.index().node(&self.extraction.graph, id)?;
        let line = node.line().or_else(|| self.extraction.place(id).map(|place| place.line));
        Some(Place { file: node.file().to_owned(), line })
    }

    fn entry(&self, spec: &str, entry: &str) -> Option<Place> {
        let entries = self.entries.get_or_init(|| {
            let rows = (0..).zip(&self.extraction.graph.locations);
            rows.map(|(at, row)| {
                let entry = match &row.key {
                    Some(key) => format!("{}.{key}", row.entry.split('[').next().unwrap_or_default()),
                    None => row.entry.clone(),
                };
                (format!("{}#{entry}", row.spec), at)
            })
            .collect()
        });
        let row = self.extraction.graph.locations.get(*entries.get(&format!("{spec}#{entry}"))?)?;
        Some(Place { file: row.file.clone(), line: Some(row.line) })
    }

    fn edge(&self, from: &str, edge_type: &str, to: &str) -> Option<Option<Place>> {
        self.find_edge(from, edge_type, to).map(|edge| self.node(&edge.from))
    }

    fn find_edge(&self, from: &str, edge_type: &str, to: &str) -> Option<&Edge> {
        self.reader
            .index()
            .edges_from(&self.extraction.graph, from)
            .find(|edge| edge.edge_type.as_str() == edge_type && edge.to == to)
    }

    fn file(&self, text: &str) -> Option<Place> {
        if let Some(file) = self.files().get(text) {
            return Some(Place { file: file.to_string(), line: None });
        }
        let (path, line) = text.rsplit_once(':')?;
        let file = self.files().get(path)?;
        let line: u32 = line.parse().ok().filter(|line| *line > 0)?;
        Some(Place { file: file.to_string(), line: Some(line) })
    }
}

fn edge_parts(text: &str) -> Option<(&str, &str, &str)> {
    let (from, rest) = text.split_once(" → (")?;
    let (edge_type, to) = rest.split_once(") → ")?;
    Some((from, edge_type, to))
}
