//! Graphs for tests: Markdown carriers go in, a derived graph comes out; bindings can be added by hand.

use crate::carrier::markdown;
use crate::derive::{Derived, Sourced, derive, state_delivery_facts};
use crate::finding::{Finding, FindingId};
use crate::graph::{AnchorNode, Claim, CodeNode, Edge, Graph, Index, Node, NodeType};
use crate::model::EdgeType;
use crate::validate::validate;

/// Derives carriers that are all well-formed.
pub(crate) fn derived(carriers: &[(&str, &str)]) -> Derived {
    let documents = carriers.iter().map(|(file, text)| Sourced {
        file: (*file).to_owned(),
        document: markdown::read(file, text).unwrap_or_else(|findings| panic!("{file}: {findings:#?}")),
    });
    derive(documents.collect())
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
    let named: Vec<(String, &str)> =
        carriers.iter().enumerate().map(|(place, text)| (format!("{place:03}.sdp.md"), text.as_str())).collect();
    let borrowed: Vec<(&str, &str)> = named.iter().map(|(file, text)| (file.as_str(), *text)).collect();
    derived(&borrowed).graph
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
