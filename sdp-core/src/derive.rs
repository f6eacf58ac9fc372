//! Derivation: documents go in, the graph and the findings of the whole come out. A pure function of its input: what
//! dangles is kept, what is ambiguous is reported at every site and left out.

use hashbrown::HashMap;

use rayon::prelude::*;

use crate::finding::{Finding, FindingId, finding_order};
use crate::graph::{
    AnchorNode, Claim, CodeNode, Edge, Graph, Index, LocationRow, Node, NodeType, PackNode, SCHEMA_VERSION, SpecNode,
    delivery_facts,
};
use crate::model::{AnchorDocument, Document, EdgeType, PackDocument, SpecDocument, parse_id};
use crate::order::by_code_units;

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
    fn of(file: &str, document: &Document) -> Place {
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
        Place { file: file.to_owned(), line, targets }
    }

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

/// What derivation gives.
#[derive(Debug)]
pub struct Derived {
    /// The graph.
    pub graph: Graph,
    /// `extract/duplicate-id` at every site.
    pub findings: Vec<Finding>,
    /// The place of each id, beside the graph and never in it.
    pub places: HashMap<String, Place>,
}

/// Derives the graph (fact sheet part 7.2, newest sheet part 9).
#[must_use]
#[sdp::satisfies("spec:sdp.graph", component = "component:sdp.graph")]
pub fn derive(documents: Vec<Sourced>) -> Derived {
    let mut sites: HashMap<&str, usize> = HashMap::with_capacity(documents.len());
    for sourced in &documents {
        *sites.entry(sourced.document.id()).or_default() += 1;
    }
    let repeated: HashMap<String, usize> =
        sites.into_iter().filter(|(_, count)| *count > 1).map(|(id, count)| (id.to_owned(), count)).collect();

    let mut findings = Vec::new();
    let mut places = HashMap::with_capacity(documents.len());
    let mut nodes = Vec::with_capacity(documents.len());
    let mut edges = Vec::new();
    let mut locations = Vec::new();
    for Sourced { file, document } in documents {
        if let Some(count) = repeated.get(document.id()) {
            findings.push(duplicate(document.id(), *count, &file, document.line()));
            continue;
        }
        places.insert(document.id().to_owned(), Place::of(&file, &document));
        match document {
            Document::Spec(spec) => add_spec(spec, file, &mut nodes, &mut edges, &mut locations),
            Document::Pack(pack) => add_pack(pack, file, &mut nodes, &mut edges),
            Document::Anchor(anchor) => add_anchor(anchor, file, &mut nodes, &mut edges),
        }
    }
    let by_id = |left: &Node, right: &Node| by_code_units(left.id(), right.id());
    let by_entry = |left: &LocationRow, right: &LocationRow| {
        by_code_units(&left.spec, &right.spec).then_with(|| by_code_units(&left.entry, &right.entry))
    };
    rayon::join(
        || edges.par_sort_by(Edge::order),
        || rayon::join(|| nodes.par_sort_by(by_id), || locations.par_sort_by(by_entry)),
    );
    let mut graph = Graph { schema_version: SCHEMA_VERSION, nodes, edges, locations };
    state_delivery_facts(&mut graph);
    findings.sort_by(finding_order);
    Derived { graph, findings, places }
}

fn duplicate(id: &str, count: usize, file: &str, line: u32) -> Finding {
    let message = format!(
        "id \"{id}\" is reified from {count} sites (ambiguity is loud, L2); every site is reported and none enters the graph"
    );
    Finding::error(FindingId::DuplicateCarrierId, message).at(file, line).about(id)
}

fn add_spec(
    spec: SpecDocument,
    file: String,
    nodes: &mut Vec<Node>,
    edges: &mut Vec<Edge>,
    locations: &mut Vec<LocationRow>,
) {
    for (relation, target) in spec.relations {
        edges.push(Edge {
            from: spec.id.clone(),
            edge_type: EdgeType::from(relation),
            to: target,
            claim: Claim::Declared,
        });
    }
    for row in spec.entries {
        locations.push(LocationRow {
            spec: spec.id.clone(),
            file: file.clone(),
            entry: row.place.entry(),
            key: row.place.key().map(str::to_owned),
            line: row.line,
        });
    }
    nodes.push(Node::Spec(Box::new(SpecNode {
        id: spec.id,
        node_type: NodeType::Primitive,
        claim: Claim::Declared,
        spec_kind: spec.kind,
        altitude: spec.altitude,
        readiness: spec.readiness,
        title: spec.title,
        narrative: spec.narrative,
        file,
        sections: Some(spec.sections).filter(|sections| !sections.is_empty()),
        delivery_facts: Vec::new(),
    })));
}

fn add_pack(pack: PackDocument, file: String, nodes: &mut Vec<Node>, edges: &mut Vec<Edge>) {
    for member in &pack.members {
        edges.push(Edge {
            from: member.clone(),
            edge_type: EdgeType::BelongsTo,
            to: pack.id.clone(),
            claim: Claim::Declared,
        });
    }
    nodes.push(Node::Pack(Box::new(PackNode {
        id: pack.id,
        node_type: NodeType::Pack,
        claim: Claim::Declared,
        title: pack.title,
        framing: pack.framing,
        file,
        members: pack.members,
        model_refs: pack.model_refs,
    })));
}

fn add_anchor(anchor: AnchorDocument, file: String, nodes: &mut Vec<Node>, edges: &mut Vec<Edge>) {
    let AnchorDocument { id, line, label, bindings, role, layer, context, symbol } = anchor;
    for binding in bindings {
        edges.push(Edge { from: id.clone(), edge_type: binding.edge_type, to: binding.target, claim: Claim::Anchored });
    }
    let is_code = parse_id(&id).is_ok_and(|id| !matches!(id.namespace, "test" | "oracle"));
    nodes.push(if is_code {
        let (node_type, claim, line) = (NodeType::CodeNode, Claim::Anchored, Some(line));
        Node::Code(Box::new(CodeNode { id, node_type, claim, label, file, line, role, layer, context }))
    } else {
        let (symbol, symbol_match) = symbol.map(|symbol| (symbol.name, symbol.covers)).unzip();
        let (node_type, claim) = (NodeType::Anchor, Claim::Anchored);
        Node::Anchor(Box::new(AnchorNode { id, node_type, claim, label, file, line, symbol, symbol_match }))
    });
}

/// States what each Spec earns. The facts follow from bindings alone; where the graph has none there is nothing to look up.
pub(crate) fn state_delivery_facts(graph: &mut Graph) {
    if !graph.edges.iter().any(|edge| edge.claim == Claim::Anchored) {
        return;
    }
    let index = Index::new(graph);
    let facts: Vec<_> = graph.nodes.iter().map(|node| delivery_facts(graph, &index, node.id())).collect();
    for (node, facts) in graph.nodes.iter_mut().zip(facts) {
        if let Node::Spec(spec) = node {
            spec.delivery_facts = facts;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{derived, spec};

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
        assert_eq!(derived.places.len(), 1);
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
}
