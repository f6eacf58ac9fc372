//! A Pack lists Specs, each once, the graph's `belongsTo` edges say what the list says, and its `modelRefs` are model
//! Specs. A member that no node carries is `conformance/referential-integrity`'s matter.

use hashbrown::{HashMap, HashSet};

use crate::finding::{Finding, FindingId};
use crate::graph::{Edge, Graph, Index, Node, PackNode};
use crate::model::{EdgeType, SpecKind};

const AGREEMENT: &str =
    "the manifest and the derived edges must agree, or the reader answers membership differently per query.";

/// What to do where list and edges disagree: derivation makes the edges from the list.
const DERIVE_ANEW: &str = "the edges follow from the list: derive the graph anew, or mend the program that made it";

#[sdp::satisfies("spec:sdp.checks.relations", component = "component:sdp.checks")]
pub(super) fn check(graph: &Graph, index: &Index, findings: &mut Vec<Finding>) {
    for node in &graph.nodes {
        let Node::Pack(pack) = node else { continue };
        members(graph, index, pack, findings);
        vocabulary(graph, index, pack, findings);
    }
}

/// How a member stands in the list and in the graph.
#[derive(Default)]
struct Listed {
    count: usize,
    is_joined: bool,
}

fn members(graph: &Graph, index: &Index, pack: &PackNode, findings: &mut Vec<Finding>) {
    let mut listed: HashMap<&str, Listed> = HashMap::with_capacity(pack.members.len());
    for member in &pack.members {
        listed.entry(member).or_default().count += 1;
    }
    let mut unlisted: HashSet<&str> = HashSet::new();
    let edges = index.edges_to(graph, &pack.id).filter(|edge| edge.edge_type == EdgeType::BelongsTo);
    for Edge { from, .. } in edges {
        if let Some(member) = listed.get_mut(from.as_str()) {
            member.is_joined = true;
        } else if unlisted.insert(from) {
            let message = format!(
                "Pack \"{}\" has a belongsTo edge from \"{from}\", which its members do not list — {AGREEMENT}",
                pack.id
            );
            findings.push(about(pack, message).naming(from).with_help(DERIVE_ANEW));
        }
    }
    for member in &pack.members {
        // Taken out at its first entry: a repeated member is reported once.
        let Some(Listed { count, is_joined }) = listed.remove(member.as_str()) else { continue };
        let lists =
            |said: &str| about(pack, format!("Pack \"{}\" lists member \"{member}\"{said}", pack.id)).naming(member);
        if let Some(node) = index.node(graph, member).filter(|node| node.as_spec().is_none()) {
            let node_type = node.node_type().as_str();
            let said = format!(", which is a {node_type} node, not a Spec — Pack members are Specs.");
            findings.push(lists(&said).with_help(format!("remove `{member}` from the list")));
        }
        if !is_joined {
            let said = format!(" with no belongsTo edge into the pack — {AGREEMENT}");
            findings.push(lists(&said).with_help(DERIVE_ANEW));
        }
        if count > 1 {
            let said = format!(
                " {count} times — membership is single-sourced on the manifest and duplicates are ambiguous (L2)."
            );
            findings.push(lists(&said).with_help(format!("list `{member}` once")));
        }
    }
}

fn vocabulary(graph: &Graph, index: &Index, pack: &PackNode, findings: &mut Vec<Finding>) {
    for (position, target) in pack.model_refs.iter().flatten().enumerate() {
        let shape = match index.node(graph, target) {
            Some(Node::Spec(spec)) if spec.spec_kind == SpecKind::Model => continue,
            Some(Node::Spec(spec)) => format!("{}-kind spec", spec.spec_kind),
            Some(node) => format!("{} node", node.node_type().as_str()),
            None => continue,
        };
        let place = format!("modelRefs[{position}]");
        let message = format!(
            "Pack \"{}\" {place} targets \"{target}\", which is a {shape} — modelRefs name the pack's model-kind vocabulary specs.",
            pack.id
        );
        findings.push(
            about(pack, message)
                .naming(target)
                .in_field(place)
                .with_help(format!("list `{target}` under `specs` alone, or name a Spec of kind `model`")),
        );
    }
}

fn about(pack: &PackNode, message: String) -> Finding {
    Finding::error(FindingId::PackCoherence, message).about(&pack.id).at(&pack.file, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Claim;
    use crate::testing::{graph, join, said, spec, unit};

    /// A Pack with a rule and a model, and `modelRefs` as given.
    fn with_pack(model_refs: &str) -> Graph {
        let pack = format!("---\nid: pack:p\nspecs:\n  - spec:b\n  - spec:a\nmodelRefs:{model_refs}\n---\n# P\n");
        graph(&[spec("spec:a rule idea", "", ""), spec("spec:b model idea", "", ""), pack])
    }

    fn pack(graph: &mut Graph) -> &mut PackNode {
        let pack = graph.nodes.iter_mut().find_map(|node| match node {
            Node::Pack(pack) => Some(pack),
            _ => None,
        });
        pack.unwrap()
    }

    #[test]
    #[sdp::verifies("spec:sdp.checks.relations")]
    fn a_pack_of_specs_with_a_model_vocabulary_is_coherent() {
        let mut graph = with_pack("\n  - spec:b");
        assert_eq!(said(&graph, FindingId::PackCoherence), Vec::<String>::new());
        pack(&mut graph).model_refs = Some(vec!["spec:gone".to_owned()]);
        assert_eq!(said(&graph, FindingId::PackCoherence), Vec::<String>::new(), "what is missing is said elsewhere");
    }

    #[test]
    fn vocabulary_that_is_no_model_is_an_error_at_its_entry() {
        let mut graph = with_pack("\n  - spec:b\n  - spec:a");
        pack(&mut graph).model_refs.as_mut().unwrap().push("pack:p".to_owned());
        assert_eq!(
            said(&graph, FindingId::PackCoherence),
            [
                "error 002.sdp.md pack:p pack:p modelRefs[2]: Pack \"pack:p\" modelRefs[2] targets \"pack:p\", which is a Pack node — modelRefs name the pack's model-kind vocabulary specs.",
                "error 002.sdp.md pack:p spec:a modelRefs[1]: Pack \"pack:p\" modelRefs[1] targets \"spec:a\", which is a rule-kind spec — modelRefs name the pack's model-kind vocabulary specs.",
            ]
        );
    }

    #[test]
    fn a_member_that_is_listed_twice_is_reported_once() {
        let mut graph = with_pack(" []");
        pack(&mut graph).members.extend(["spec:a".to_owned(), "spec:a".to_owned()]);
        assert_eq!(
            said(&graph, FindingId::PackCoherence),
            [
                "error 002.sdp.md pack:p spec:a -: Pack \"pack:p\" lists member \"spec:a\" 3 times — membership is single-sourced on the manifest and duplicates are ambiguous (L2)."
            ]
        );
    }

    #[test]
    fn a_member_that_is_no_spec_is_an_error() {
        let mut graph = with_pack(" []");
        unit(&mut graph, "impl:a");
        pack(&mut graph).members.push("impl:a".to_owned());
        join(&mut graph, "impl:a", EdgeType::BelongsTo, "pack:p", Claim::Declared);
        assert_eq!(
            said(&graph, FindingId::PackCoherence),
            [
                "error 002.sdp.md pack:p impl:a -: Pack \"pack:p\" lists member \"impl:a\", which is a CodeNode node, not a Spec — Pack members are Specs."
            ]
        );
    }

    #[test]
    fn members_and_edges_agree_both_ways() {
        let mut graph = with_pack(" []");
        graph.edges.retain(|edge| edge.from != "spec:a");
        join(&mut graph, "spec:c", EdgeType::BelongsTo, "pack:p", Claim::Declared);
        join(&mut graph, "spec:c", EdgeType::BelongsTo, "pack:p", Claim::Declared);
        join(&mut graph, "spec:a", EdgeType::Refines, "pack:p", Claim::Declared);
        assert_eq!(
            said(&graph, FindingId::PackCoherence),
            [
                "error 002.sdp.md pack:p spec:a -: Pack \"pack:p\" lists member \"spec:a\" with no belongsTo edge into the pack — the manifest and the derived edges must agree, or the reader answers membership differently per query.",
                "error 002.sdp.md pack:p spec:c -: Pack \"pack:p\" has a belongsTo edge from \"spec:c\", which its members do not list — the manifest and the derived edges must agree, or the reader answers membership differently per query.",
            ]
        );
    }
}
