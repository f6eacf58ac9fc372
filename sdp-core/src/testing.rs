//! Graphs for tests: Markdown carriers go in, a derived graph comes out; bindings can be added by hand.

use crate::carrier::markdown;
use crate::derive::{Derived, Sourced, derive};
use crate::graph::{AnchorNode, Claim, CodeNode, Edge, Graph, Index, Node, NodeType};
use crate::model::EdgeType;

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

/// Adds a binding: `impl:…` satisfies, `test:…` verifies, `oracle:…` models its target.
pub(crate) fn bind(graph: &mut Graph, id: &str, target: &str) {
    let (file, label) = ("src/lib.rs".to_owned(), None);
    let edge_type = match id.split(':').next() {
        Some("test") => EdgeType::Verifies,
        Some("oracle") => EdgeType::Models,
        _ => EdgeType::Satisfies,
    };
    let node = if edge_type == EdgeType::Satisfies {
        Node::Code(Box::new(CodeNode {
            id: id.to_owned(),
            node_type: NodeType::CodeNode,
            claim: Claim::Anchored,
            label,
            file,
            line: Some(7),
            role: None,
            layer: None,
            context: None,
        }))
    } else {
        Node::Anchor(Box::new(AnchorNode {
            id: id.to_owned(),
            node_type: NodeType::Anchor,
            claim: Claim::Anchored,
            label,
            file,
            line: 7,
            symbol: None,
        }))
    };
    graph.nodes.push(node);
    graph.edges.push(Edge { from: id.to_owned(), edge_type, to: target.to_owned(), claim: Claim::Anchored });
    graph.nodes.sort_by(|left, right| left.id().cmp(right.id()));
}

/// The findings of every check, as `<severity> <id> <subject> <related>`.
pub(crate) fn findings(graph: &Graph) -> Vec<String> {
    let report = crate::validate::validate(graph, &Index::new(graph));
    let row = |finding: &crate::finding::Finding| {
        let subject = finding.subject.as_deref().unwrap_or("-");
        format!("{} {} {subject} {}", finding.severity, finding.id.as_str(), finding.related.as_deref().unwrap_or("-"))
    };
    report.findings.iter().map(row).collect()
}
