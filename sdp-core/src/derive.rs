//! Derivation: documents go in, the graph and the findings of the whole come out. A pure function of its input: what
//! dangles is kept, what is ambiguous is reported at every site and left out.

mod changed;

use std::cmp::Ordering;
use std::sync::Arc;

use rayon::prelude::*;

use crate::finding::{Finding, FindingId, finding_order};
use crate::graph::{
    AnchorNode, Claim, CodeNode, Edge, Graph, Index, LocationRow, Node, NodeType, PackNode, SCHEMA_VERSION, SpecNode,
    delivery_facts,
};
use crate::model::{AnchorDocument, Document, EdgeType, PackDocument, SpecDocument, parse_id};
use crate::order::by_code_units;

pub(crate) use self::changed::changed;

/// A document and the root-relative file that it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sourced {
    /// The carrier or source file.
    pub file: String,
    /// What it holds; a Gherkin carrier and a source file hold several.
    pub document: Document,
}

/// Where an id is authored: the file and the 1-based line of its `id` key or its `@spec.` tag, or on which a binding opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The carrier or source file, root-relative.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The targets of a binding with what is said about each and the 1-based line on which that is written; by target, since
    /// one binding may have very many and a finding about each. Empty where all of them are written on that line.
    pub targets: Vec<(String, EdgeType, u32)>,
}

impl Place {
    /// The line on which a binding names a target: where it says what the edge type says, else the first; none where the
    /// binding says it all on the line on which it opens.
    #[must_use]
    pub fn target_line(&self, target: Option<&str>, edge_type: Option<EdgeType>) -> Option<u32> {
        let target = target?;
        let at = self.targets.partition_point(|(own, ..)| own.as_str() < target);
        let mut named = self.targets.get(at..)?.iter().take_while(|(own, ..)| own == target);
        let first = named.clone().next();
        let meant = named.find(|(_, own, _)| Some(*own) == edge_type).or(first);
        meant.map(|(.., line)| *line)
    }
}

/// Where a node's id is authored, beside what the node says itself: the line, and the targets as [`Place`] has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) line: u32,
    pub(crate) targets: Vec<(String, EdgeType, u32)>,
}

impl Spot {
    fn of(document: &Document) -> Spot {
        let line = document.line();
        let targets = match document {
            Document::Spec(_) | Document::Pack(_) => Vec::new(),
            Document::Anchor(anchor) => {
                let is_elsewhere = anchor.bindings.iter().any(|binding| binding.line != line);
                let told = anchor.bindings.iter().filter(|_| is_elsewhere);
                let mut targets: Vec<(String, EdgeType, u32)> =
                    told.map(|binding| (binding.target.clone(), binding.edge_type, binding.line)).collect();
                targets.sort();
                targets
            }
        };
        Spot { line, targets }
    }
}

/// What one document brings into the graph: its node without delivery facts, its edges, and its rows by entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) node: Node,
    pub(crate) spot: Spot,
    pub(crate) edges: Vec<Edge>,
    pub(crate) rows: Vec<LocationRow>,
}

impl Part {
    /// Of a document and the file that it was read from.
    pub(crate) fn of(file: &str, document: Document) -> Part {
        let spot = Spot::of(&document);
        let (node, edges, rows) = match document {
            Document::Spec(spec) => of_spec(spec, file),
            Document::Pack(pack) => of_pack(pack, file),
            Document::Anchor(anchor) => of_anchor(anchor, file),
        };
        Part { node, spot, edges, rows }
    }

    fn id(&self) -> &str {
        self.node.id()
    }
}

/// What derivation gives.
#[derive(Debug)]
pub struct Derived {
    /// The graph.
    pub graph: Graph,
    /// `extract/duplicate-id` at every site.
    pub findings: Vec<Finding>,
    /// Where the id of each node is authored, in the order of the graph: beside it and never in it.
    pub(crate) spots: Vec<Spot>,
    /// The index over the graph, where one had to be made.
    pub(crate) index: Option<Index>,
}

/// Derives the graph (fact sheet part 7.2, newest sheet part 9).
#[must_use]
#[sdp::satisfies("spec:sdp.graph", component = "component:sdp.graph")]
pub fn derive(documents: Vec<Sourced>) -> Derived {
    joined(documents.into_par_iter().map(|sourced| Part::of(&sourced.file, sourced.document)).collect())
}

/// The graph of all parts; their order plays no part.
pub(crate) fn joined(mut parts: Vec<Part>) -> Derived {
    parts.par_sort_by(|left, right| by_code_units(left.id(), right.id()));
    let mut findings = Vec::new();
    let (mut nodes, mut spots) = (Vec::with_capacity(parts.len()), Vec::with_capacity(parts.len()));
    let (mut edges, mut locations) = (Vec::new(), Vec::new());
    let mut rest = parts.into_iter().peekable();
    while let Some(part) = rest.next() {
        let mut others = Vec::new();
        while let Some(other) = rest.next_if(|other| other.id() == part.id()) {
            others.push(other);
        }
        if others.is_empty() {
            nodes.push(part.node);
            spots.push(part.spot);
            edges.extend(part.edges);
            locations.extend(part.rows);
        } else {
            let count = others.len() + 1;
            let sites = others.iter().chain([&part]);
            findings.extend(sites.map(|site| duplicate(site.id(), count, site.node.file(), site.spot.line)));
        }
    }
    edges.par_sort_by(edge_order);
    let mut graph = Graph { schema_version: SCHEMA_VERSION, nodes, edges, locations };
    let index = state_delivery_facts(&mut graph);
    findings.sort_by(finding_order);
    Derived { graph, findings, spots, index }
}

/// The order of edges, with what an author declares before what a binding says, so that none are left that differ.
fn edge_order(left: &Edge, right: &Edge) -> Ordering {
    left.order(right).then_with(|| (left.claim == Claim::Anchored).cmp(&(right.claim == Claim::Anchored)))
}

fn row_order(left: &LocationRow, right: &LocationRow) -> Ordering {
    by_code_units(&left.spec, &right.spec).then_with(|| by_code_units(&left.entry, &right.entry))
}

fn duplicate(id: &str, count: usize, file: &str, line: u32) -> Finding {
    let message = format!(
        "id \"{id}\" is reified from {count} sites (ambiguity is loud, L2); every site is reported and none enters the graph"
    );
    Finding::error(FindingId::DuplicateCarrierId, message).at(file, line).about(id)
}

fn of_spec(spec: SpecDocument, file: &str) -> (Node, Vec<Edge>, Vec<LocationRow>) {
    let edges = spec.relations.into_iter().map(|(relation, target)| Edge {
        from: spec.id.clone(),
        edge_type: EdgeType::from(relation),
        to: target,
        claim: Claim::Declared,
    });
    let edges = edges.collect();
    let rows = spec.entries.into_iter().map(|row| LocationRow {
        spec: spec.id.clone(),
        file: file.to_owned(),
        entry: row.place.entry(),
        key: row.place.key().map(str::to_owned),
        line: row.line,
    });
    let mut rows: Vec<LocationRow> = rows.collect();
    rows.sort_by(|left, right| by_code_units(&left.entry, &right.entry));
    let node = Node::Spec(Arc::new(SpecNode {
        id: spec.id,
        node_type: NodeType::Primitive,
        claim: Claim::Declared,
        spec_kind: spec.kind,
        altitude: spec.altitude,
        readiness: spec.readiness,
        title: spec.title,
        narrative: spec.narrative,
        file: file.to_owned(),
        sections: Some(spec.sections).filter(|sections| !sections.is_empty()),
        delivery_facts: Vec::new(),
    }));
    (node, edges, rows)
}

fn of_pack(pack: PackDocument, file: &str) -> (Node, Vec<Edge>, Vec<LocationRow>) {
    let edges = pack.members.iter().map(|member| Edge {
        from: member.clone(),
        edge_type: EdgeType::BelongsTo,
        to: pack.id.clone(),
        claim: Claim::Declared,
    });
    let edges = edges.collect();
    let node = Node::Pack(Box::new(PackNode {
        id: pack.id,
        node_type: NodeType::Pack,
        claim: Claim::Declared,
        title: pack.title,
        framing: pack.framing,
        file: file.to_owned(),
        members: pack.members,
        model_refs: pack.model_refs,
    }));
    (node, edges, Vec::new())
}

fn of_anchor(anchor: AnchorDocument, file: &str) -> (Node, Vec<Edge>, Vec<LocationRow>) {
    let AnchorDocument { id, line, label, bindings, role, layer, context, symbol } = anchor;
    let edge = |(edge_type, to): (EdgeType, String)| Edge { from: id.clone(), edge_type, to, claim: Claim::Anchored };
    let edges = bindings.into_iter().map(|binding| edge((binding.edge_type, binding.target))).collect();
    let file = file.to_owned();
    let is_code = parse_id(&id).is_ok_and(|id| !matches!(id.namespace, "test" | "oracle"));
    let node = if is_code {
        let (node_type, claim, line) = (NodeType::CodeNode, Claim::Anchored, Some(line));
        Node::Code(Box::new(CodeNode { id, node_type, claim, label, file, line, role, layer, context }))
    } else {
        let (symbol, symbol_match) = symbol.map(|symbol| (symbol.name, symbol.covers)).unzip();
        let (node_type, claim) = (NodeType::Anchor, Claim::Anchored);
        Node::Anchor(Box::new(AnchorNode { id, node_type, claim, label, file, line, symbol, symbol_match }))
    };
    (node, edges, Vec::new())
}

fn is_bound(graph: &Graph) -> bool {
    graph.edges.iter().any(|edge| edge.claim == Claim::Anchored)
}

/// States what each Spec earns, and gives the index that was needed for it. The facts follow from bindings alone; where the
/// graph has none there is nothing to look up.
pub(crate) fn state_delivery_facts(graph: &mut Graph) -> Option<Index> {
    is_bound(graph).then(|| state_all_facts(graph))
}

fn state_all_facts(graph: &mut Graph) -> Index {
    let index = Index::new(graph);
    let facts: Vec<_> = graph.nodes.par_iter().map(|node| delivery_facts(graph, &index, node.id())).collect();
    for (node, facts) in graph.nodes.iter_mut().zip(facts) {
        if let Node::Spec(spec) = node
            && spec.delivery_facts != facts
        {
            Arc::make_mut(spec).delivery_facts = facts;
        }
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carrier::markdown;
    use crate::testing::{anchor, derived, spec};

    const BODY: &str = "## Intent\n- outcome: o\n\n### Open questions\n- [blocking #why] why?\n\n## Design\n- k: v";

    #[test]
    fn a_repeated_id_is_reported_at_each_site_and_enters_nowhere() {
        let twin = spec("spec:a rule idea", "refines: spec:b", BODY);
        let derived =
            derived(&[("x.sdp.md", &twin), ("y.sdp.md", &twin), ("z.sdp.md", &spec("spec:A rule idea", "", BODY))]);
        let rows: Vec<String> = derived.findings.iter().map(|finding| finding.line_form()).collect();
        let text = "[error] extract/duplicate-id — id \"spec:a\" is reified from 2 sites (ambiguity is loud, L2); every site is reported and none enters the graph";
        assert_eq!(rows, [format!("x.sdp.md:2 — {text}"), format!("y.sdp.md:2 — {text}")]);
        assert_eq!(derived.graph.nodes.iter().map(|node| node.id()).collect::<Vec<_>>(), ["spec:A"]);
        assert_eq!(derived.graph.edges, []);
        assert_eq!(derived.spots.len(), 1);
    }

    #[test]
    fn the_order_of_the_documents_plays_no_part() {
        let (a, b) =
            (spec("spec:a rule idea", "refines: spec:b; dependsOn: spec:b", BODY), spec("spec:b rule idea", "", BODY));
        let pack = "---\nid: pack:p\nspecs:\n  - spec:b\n  - spec:a\n---\n# P\n";
        let one = derived(&[("a.sdp.md", &a), ("b.sdp.md", &b), ("p.sdp.md", pack)]).graph.to_json().unwrap();
        let other = derived(&[("p.sdp.md", pack), ("b.sdp.md", &b), ("a.sdp.md", &a)]).graph.to_json().unwrap();
        assert_eq!(one, other);
        assert!(one.ends_with("}\n"));
        let graph: serde_json::Value = serde_json::from_str(&one).unwrap();
        assert_eq!(graph["schemaVersion"], "0.10.0");
        assert_eq!(graph["nodes"][0]["members"], serde_json::json!(["spec:b", "spec:a"]), "authored order");
        assert_eq!(graph["edges"][0]["type"], "belongsTo");
        assert_eq!(
            graph["locations"][1],
            serde_json::json!({ "spec": "spec:a", "file": "a.sdp.md", "entry": "question[0]", "key": "why", "line": 16 })
        );
    }

    /// Documents, each in two versions.
    fn documents() -> [[Vec<Part>; 2]; 6] {
        let carrier = |file: &str, text: &str| vec![Part::of(file, markdown::read(file, text).unwrap())];
        let pack = |id: &str, members: &str| format!("---\nid: {id}\nspecs: {members}\n---\n# P\n");
        let bound = |text: &str| {
            let Sourced { file, document } = anchor("x.rs", 3, text);
            vec![Part::of(&file, document)]
        };
        let both = "\n  - spec:a\n  - spec:b.c";
        [
            [
                carrier("a.sdp.md", &spec("spec:a rule idea", "refines: spec:b.c; dependsOn: spec:b.c", BODY)),
                carrier("z.sdp.md", &spec("spec:a rule idea", "", "")),
            ],
            [
                carrier("b.sdp.md", &spec("spec:b.c example idea", "verifies: spec:a", BODY)),
                carrier("b.sdp.md", &spec("spec:\u{FF21} rule idea", "", "").replace("spec:\u{FF21}", "spec:b")),
            ],
            [carrier("p.sdp.md", &pack("pack:p", both)), carrier("p.sdp.md", &pack("pack:p", "\n  - spec:a"))],
            [carrier("q.sdp.md", &pack("pack:q", both)), carrier("q.sdp.md", &pack("pack:p2", "\n  - spec:b"))],
            [
                bound("id impl:x\nsatisfies spec:a spec:b.c"),
                [bound("id impl:x\nsatisfies spec:b"), bound("id api:y\nsatisfies spec:a")].concat(),
            ],
            [bound("id test:t\nverifies spec:b.c"), bound("id test:t\nverifies spec:a")],
        ]
    }

    proptest::proptest! {
        #[test]
        fn a_changed_graph_is_the_one_of_the_documents_of_now(
            before in proptest::collection::vec(0..3_usize, 6), now in proptest::collection::vec(0..3_usize, 6)
        ) {
            let documents = documents();
            let of = |state: &[usize]| -> Vec<Part> {
                let chosen = documents.iter().zip(state).filter_map(|(versions, state)| versions.get(*state));
                chosen.flatten().cloned().collect()
            };
            let (mut gone, mut added) = (of(&before), of(&now));
            let Derived { graph, spots, .. } = joined(gone.clone());
            let fresh = joined(added.clone());
            // Some documents are as they were, others are read again and give the same.
            let stay: Vec<Part> = gone.iter().step_by(2).filter(|part| added.contains(part)).cloned().collect();
            gone.retain(|part| !stay.contains(part));
            added.retain(|part| !stay.contains(part));
            let own = changed(Arc::new(graph), spots, &gone, added).unwrap();
            proptest::prop_assert_eq!(own.graph, fresh.graph);
            proptest::prop_assert_eq!(own.spots, fresh.spots);
        }
    }

    #[test]
    fn an_id_that_stands_twice_now_changes_no_graph() {
        let part = |text: &str| Part::of("a.sdp.md", markdown::read("a.sdp.md", text).unwrap());
        let (one, other) = (part(&spec("spec:a rule idea", "", BODY)), part(&spec("spec:b rule idea", "", BODY)));
        let changed = |gone: &[&Part], added: &[&Part]| {
            let Derived { graph, spots, .. } = joined(vec![one.clone()]);
            let list = |parts: &[&Part]| parts.iter().map(|part| (*part).clone()).collect::<Vec<Part>>();
            changed(Arc::new(graph), spots, &list(gone), list(added)).is_some()
        };
        assert!(changed(&[], &[&other]));
        assert!(changed(&[&one], &[&one, &other]));
        assert!(!changed(&[], &[&one]));
        assert!(!changed(&[], &[&other, &other]));
        assert!(!changed(&[&other], &[]), "what was not there cannot go");
    }
}
