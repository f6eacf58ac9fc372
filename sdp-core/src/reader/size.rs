//! How large an answer will be, told before it is built: the id of a Spec or Pack comes in, bytes go out. Nothing is copied and
//! no text is read, but for the sections and findings of the answer, which are counted as JSON.

use std::io;

use hashbrown::HashSet;
use serde::Serialize;

use super::Reader;
use crate::graph::{Claim, Edge, Node, PackNode, SpecNode};
use crate::model::EdgeType;

/// What the keys, words and numbers of one row take.
const ROW: u64 = 120;
/// The same of a Spec's or member's own row.
const SPEC_ROW: u64 = 600;

impl Reader {
    /// An upper estimate of what [`Reader::spec_context`] gives, in bytes of its JSON text; zero when no Spec has the id. Texts
    /// count as long as they are, without the escapes that JSON may need.
    #[must_use]
    pub fn spec_context_bytes(&self, id: &str) -> u64 {
        let Some(spec) = self.index.spec(&self.graph, id) else { return 0 };
        let packs = self.index.edges_from(&self.graph, id).filter(|edge| edge.edge_type == EdgeType::BelongsTo);
        let own =
            [json(&spec.sections), text(&spec.title), text(&spec.narrative), length(&spec.id), length(&spec.file)];
        let packs = packs.map(|edge| length(&edge.to)).sum::<u64>();
        let relations_out = self.index.edges_from(&self.graph, id).map(|edge| self.end(edge, &edge.to)).sum::<u64>();
        let relations_in = self.index.edges_to(&self.graph, id).map(|edge| self.end(edge, &edge.from)).sum::<u64>();
        let locations =
            self.location_rows(id).map(|row| length(&row.file) + length(&row.entry) + text(&row.key) + ROW / 2);
        SPEC_ROW
            + own.iter().sum::<u64>()
            + packs
            + relations_out
            + relations_in
            + 2 * self.targets(id)
            + self.bound_by(id, true)
            + locations.sum::<u64>()
            + self.said_of(id)
    }

    /// An upper estimate of what [`Reader::pack_context`] gives, in bytes of its JSON text; zero when no Pack has the id. Texts
    /// count as [`Reader::spec_context_bytes`] says.
    #[must_use]
    pub fn pack_context_bytes(&self, id: &str) -> u64 {
        let Some(Node::Pack(pack)) = self.index.node(&self.graph, id) else { return 0 };
        let refs = pack.model_refs.iter().flatten().map(|id| length(id) + 4).sum::<u64>();
        let own = [text(&pack.title), text(&pack.framing), length(&pack.id), length(&pack.file), refs];
        ROW + own.iter().sum::<u64>() + self.members_bytes(pack) + self.said_of(id)
    }

    fn members_bytes(&self, pack: &PackNode) -> u64 {
        let mut seen = HashSet::with_capacity(pack.members.len());
        let (mut below, mut above) = (HashSet::new(), HashSet::new());
        let mut bytes = 0;
        for id in pack.members.iter().filter(|id| seen.insert(id.as_str())) {
            // Once as a member, once where nothing verifies it.
            bytes += 2 * length(id) + ROW;
            let Some(spec) = self.index.spec(&self.graph, id) else { continue };
            bytes += SPEC_ROW + text(&spec.title) + length(&spec.file) + questions(spec);
            bytes += self.targets(id) + self.bound_by(id, false);
            for edge in self.index.edges_from(&self.graph, id).filter(|edge| edge.claim == Claim::Declared) {
                if edge.edge_type == EdgeType::DecidedBy {
                    bytes += self.end(edge, &edge.to);
                }
                if edge.edge_type.is_footing() {
                    bytes +=
                        length(id) + if below.insert(edge.to.as_str()) { self.end(edge, &edge.to) } else { ROW / 4 };
                }
            }
            for edge in self.index.edges_to(&self.graph, id).filter(|edge| edge.claim == Claim::Declared) {
                if edge.edge_type.is_authored() {
                    let is_new = above.insert(edge.from.as_str());
                    bytes += length(id) + if is_new { self.end(edge, &edge.from) } else { ROW / 4 };
                }
            }
        }
        bytes
    }

    /// A row about the far end of a declared relation; nothing for another edge.
    fn end(&self, edge: &Edge, other: &str) -> u64 {
        if edge.claim != Claim::Declared || !edge.edge_type.is_authored() {
            return 0;
        }
        let title = self.index.node(&self.graph, other).and_then(Node::title);
        ROW + length(other) + title.map_or(0, length)
    }

    /// The targets that may hold a Spec back.
    fn targets(&self, id: &str) -> u64 {
        let edges = self.index.edges_from(&self.graph, id).filter(|edge| edge.claim == Claim::Declared);
        edges.filter(|edge| edge.edge_type.is_authored()).map(|edge| length(&edge.to) + ROW / 2).sum()
    }

    /// The code of a Spec, and with `verifiers` what verifies it and its oracle.
    fn bound_by(&self, id: &str, verifiers: bool) -> u64 {
        let edges = self.index.edges_to(&self.graph, id).filter(|edge| match edge.edge_type {
            EdgeType::Satisfies | EdgeType::References => true,
            EdgeType::Verifies | EdgeType::Models => verifiers,
            _ => false,
        });
        let row = |edge: &Edge| {
            let node = self.index.node(&self.graph, &edge.from);
            let label = node.and_then(|node| node.label().or_else(|| node.title()));
            let component = self.component(&edge.from);
            let component =
                component.map_or(0, |end| ROW / 2 + length(&end.id) + text(&end.layer) + text(&end.context));
            let unit = node.and_then(Node::as_code);
            let unit = unit.map_or(0, |unit| text(&unit.role) + text(&unit.layer) + text(&unit.context));
            let test = node.and_then(Node::as_anchor);
            let test = test.and_then(|test| test.symbol.as_deref()).map_or(0, |symbol| length(symbol) + ROW / 2);
            let file = node.map_or(0, |node| length(node.file()));
            ROW + length(&edge.from) + label.map_or(0, length) + file + unit + test + component
        };
        edges.map(row).sum()
    }

    fn said_of(&self, id: &str) -> u64 {
        self.findings_of(id).map(json).sum()
    }
}

fn questions(spec: &SpecNode) -> u64 {
    let intent = spec.sections.as_ref().and_then(|sections| sections.intent.as_ref());
    let questions = intent.and_then(|intent| intent.open_questions.as_deref()).unwrap_or_default();
    questions.iter().map(|question| length(&question.question) + text(&question.key) + ROW / 2).sum()
}

fn length(text: &str) -> u64 {
    text.len() as u64
}

fn text(text: &Option<String>) -> u64 {
    text.as_deref().map_or(0, length)
}

/// The length of a value's JSON text, which is counted and not kept.
fn json(value: &impl Serialize) -> u64 {
    let mut count = Count(0);
    // A value that has no JSON text gives no answer either.
    let _written = serde_json::to_writer(&mut count, value);
    count.0
}

struct Count(u64);

impl io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
