//! Graphs for tests: Markdown carriers and anchors go in, a derived graph comes out; bindings can be added by hand.

use crate::anchor::envelope::{self, Field, RawAnchor, RawField};
use crate::carrier::markdown;
use crate::derive::{Derived, Sourced, derive, state_delivery_facts};
use crate::finding::{Finding, FindingId};
use crate::graph::{AnchorNode, Claim, CodeNode, Edge, Graph, Index, Node, NodeType};
use crate::model::{Document, EdgeType, SymbolMatch, TestSymbol};
use crate::validate::validate;

/// Derives carriers that are all well-formed.
pub(crate) fn derived(carriers: &[(&str, &str)]) -> Derived {
    let documents = carriers.iter().map(|(file, text)| Sourced {
        file: (*file).to_owned(),
        document: markdown::read(file, text).unwrap_or_else(|findings| panic!("{file}: {findings:#?}")),
    });
    derive(documents.collect())
}

/// Derives carriers made with [`spec`], one file each, together with anchors made with [`anchor`].
pub(crate) fn bound(carriers: &[String], anchors: Vec<Sourced>) -> Derived {
    derive(carriers.iter().enumerate().map(carrier).chain(anchors).collect())
}

fn carrier((place, text): (usize, &String)) -> Sourced {
    let file = format!("{place:03}.sdp.md");
    let document = markdown::read(&file, text).unwrap_or_else(|findings| panic!("{file}: {findings:#?}"));
    Sourced { file, document }
}

/// What the envelope makes of an anchor that opens on a line of a source file. Each line of the text states a field, the
/// first one on that line: its name, then its values between spaces (all words of a `label` are one). A line that opens
/// with a space goes on with the values of the one before; `symbol` names the test, with `…` behind a prefix.
pub(crate) fn anchor(file: &str, line: u32, text: &str) -> Sourced {
    let mut raw = RawAnchor { line, ..RawAnchor::default() };
    for (line, text) in (line..).zip(text.lines()) {
        let (name, values) = text.split_once(' ').unwrap_or((text, ""));
        if name == "symbol" {
            let covers = if values.ends_with('…') { SymbolMatch::Prefix } else { SymbolMatch::Exact };
            raw.symbol = Some(TestSymbol { name: values.trim_end_matches('…').to_owned(), covers });
            continue;
        }
        let words = if name == "label" { vec![values] } else { values.split_whitespace().collect() };
        let values = words.into_iter().map(|value| (value.to_owned(), line));
        match Field::ALL.iter().find(|field| field.as_str() == name) {
            Some(field) => raw.fields.push(RawField { field: *field, line, values: values.collect() }),
            None => raw.fields.last_mut().unwrap_or_else(|| panic!("{text}")).values.extend(values),
        }
    }
    let anchor = envelope::read(file, raw).unwrap_or_else(|findings| panic!("{text}: {findings:#?}"));
    Sourced { file: file.to_owned(), document: Document::Anchor(anchor) }
}

/// A carrier: `spec("spec:a.b rule scoped", "refines: spec:a", "## Rule\n- x")`.
pub(crate) fn spec(head: &str, relations: &str, body: &str) -> String {
    let [id, kind, readiness] = head.split(' ').collect::<Vec<_>>()[..] else { panic!("{head}") };
    let relations = match relations {
        "" => "relations: {}".to_owned(),
        some => format!("relations:\n  {}", some.replace("; ", "\n  ")),
    };
    format!(
        "---\nid: {id}\nkind: {kind}\naltitude: story\nreadiness: {readiness}\n{relations}\n---\n# Title of {id}\n\n{body}\n"
    )
}

/// Derives carriers made with [`spec`], one file each.
pub(crate) fn graph(carriers: &[String]) -> Graph {
    bound(carriers, Vec::new()).graph
}

/// Adds a binding and what it earns: `impl:…` satisfies, `test:…` verifies, `oracle:…` models its target.
pub(crate) fn bind(graph: &mut Graph, id: &str, target: &str) {
    let edge_type = match id.split(':').next() {
        Some("test") => EdgeType::Verifies,
        Some("oracle") => EdgeType::Models,
        _ => EdgeType::Satisfies,
    };
    unit(graph, id);
    join(graph, id, edge_type, target, Claim::Anchored);
    state_delivery_facts(graph);
}

/// Adds an anchor (`test:…`, `oracle:…`) or a unit of code (any other id) without an edge, at line 7 of `src/lib.rs`.
pub(crate) fn unit(graph: &mut Graph, id: &str) {
    unit_in(graph, id, "src/lib.rs");
}

/// The same in another file.
pub(crate) fn unit_in(graph: &mut Graph, id: &str, file: &str) {
    let (id, file, label, claim) = (id.to_owned(), file.to_owned(), None, Claim::Anchored);
    graph.nodes.push(if id.starts_with("test:") || id.starts_with("oracle:") {
        let node_type = NodeType::Anchor;
        Node::Anchor(Box::new(AnchorNode {
            id,
            node_type,
            claim,
            label,
            file,
            line: 7,
            symbol: None,
            symbol_match: None,
        }))
    } else {
        let (node_type, line) = (NodeType::CodeNode, Some(7));
        let (role, layer, context) = (None, None, None);
        Node::Code(Box::new(CodeNode { id, node_type, claim, label, file, line, role, layer, context }))
    });
    graph.nodes.sort_by(|left, right| left.id().cmp(right.id()));
}

/// Adds an edge, whatever it joins.
pub(crate) fn join(graph: &mut Graph, from: &str, edge_type: EdgeType, to: &str, claim: Claim) {
    graph.edges.push(Edge { from: from.to_owned(), edge_type, to: to.to_owned(), claim });
}

/// Adds an anchored edge in its place.
pub(crate) fn tie(graph: &mut Graph, from: &str, edge_type: EdgeType, to: &str) {
    join(graph, from, edge_type, to, Claim::Anchored);
    graph.edges.sort_by(Edge::order);
}

/// What one check says, as `<severity> <file> <subject> <related> <path>: <message>`.
pub(crate) fn said(graph: &Graph, id: FindingId) -> Vec<String> {
    let report = validate(graph, &Index::new(graph));
    let row = |finding: &Finding| {
        let part = |part: &Option<String>| part.clone().unwrap_or_else(|| "-".to_owned());
        let Finding { severity, file, subject, related, path, message, .. } = finding;
        format!("{severity} {} {} {} {}: {message}", part(file), part(subject), part(related), part(path))
    };
    report.findings.iter().filter(|finding| finding.id == id).map(row).collect()
}

/// The findings of every check, as `<severity> <id> <subject> <related>`.
pub(crate) fn findings(graph: &Graph) -> Vec<String> {
    let report = validate(graph, &Index::new(graph));
    let row = |finding: &Finding| {
        let subject = finding.subject.as_deref().unwrap_or("-");
        format!("{} {} {subject} {}", finding.severity, finding.id.as_str(), finding.related.as_deref().unwrap_or("-"))
    };
    report.findings.iter().map(row).collect()
}
