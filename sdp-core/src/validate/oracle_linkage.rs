//! An oracle models the example space of one Spec, and no other oracle does. Which ends a `models` edge may have is
//! `conformance/claim-separation`'s matter: an edge that it refuses is not looked at here.

use hashbrown::HashMap;

use crate::finding::{Finding, FindingId};
use crate::graph::{AnchorNode, Graph, Index, Node, SpecNode, counts_as_oracle, is_oracle, oracle_binding};

#[sdp::satisfies("spec:sdp.checks.relations", component = "component:sdp.checks")]
pub(super) fn check(graph: &Graph, index: &Index, findings: &mut Vec<Finding>) {
    let mut oracles: HashMap<&str, Vec<&str>> = HashMap::new();
    for edge in &graph.edges {
        let Some((anchor, spec)) = oracle_binding(graph, index, edge) else { continue };
        if counts_as_oracle(anchor, spec) {
            oracles.entry(&spec.id).or_default().push(&anchor.id);
        } else {
            findings.push(misplaced(anchor, spec));
        }
    }
    if oracles.is_empty() {
        return;
    }
    for spec in graph.nodes.iter().filter_map(Node::as_spec) {
        // Taken out, so that a second node with the id does not repeat the finding.
        if let Some(ids) = oracles.remove(spec.id.as_str()).filter(|ids| ids.len() > 1) {
            findings.push(contested(spec, &ids));
        }
    }
}

fn misplaced(anchor: &AnchorNode, spec: &SpecNode) -> Finding {
    let message = format!(
        "Oracle binding \"{}\" → \"{}\" must use an oracle: anchor and target a Spec that owns an example space.",
        anchor.id, spec.id
    );
    let finding =
        Finding::error(FindingId::OracleLinkage, message).about(&anchor.id).naming(&spec.id).at(&anchor.file, None);
    if is_oracle(&anchor.id) {
        finding.with_help(format!(
            "write `## Example space` in `{}`, or bind the oracle to the Spec that has one",
            spec.id
        ))
    } else {
        finding.with_help("name the anchor `oracle:…`, or let it verify the Spec")
    }
}

fn contested(spec: &SpecNode, oracles: &[&str]) -> Finding {
    let named: Vec<String> = oracles.iter().map(|id| format!("\"{id}\"")).collect();
    let message = format!(
        "Spec \"{}\" has {} resolving oracle bindings ({}) — at most one expected-outcome authority may model an example space.",
        spec.id,
        oracles.len(),
        named.join(" · ")
    );
    Finding::error(FindingId::OracleLinkage, message)
        .about(&spec.id)
        .at(&spec.file, None)
        .with_help("keep one of the oracles, and bind the others to nothing or to Specs of their own")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Claim;
    use crate::model::EdgeType;
    use crate::testing::{bind, graph, join, said, spec, unit};

    const SPACE: &str = "## Intent\n- outcome: o\n\n## Example space\n\n```gwt-vocabulary\nGiven {n:number} items\nWhen they are ordered\nThen it is done\n```";

    fn with_space() -> Graph {
        graph(&[spec("spec:a behavior idea", "", SPACE), spec("spec:b rule idea", "", "## Rule\n- x")])
    }

    #[test]
    #[sdp::verifies("spec:sdp.checks.relations")]
    fn an_oracle_of_a_spec_without_an_example_space_is_an_error() {
        let mut graph = with_space();
        bind(&mut graph, "oracle:b", "spec:b");
        assert_eq!(
            said(&graph, FindingId::OracleLinkage),
            [
                "error src/lib.rs oracle:b spec:b -: Oracle binding \"oracle:b\" → \"spec:b\" must use an oracle: anchor and target a Spec that owns an example space."
            ]
        );
    }

    #[test]
    fn an_anchor_that_is_no_oracle_models_nothing() {
        let mut graph = with_space();
        unit(&mut graph, "test:a");
        join(&mut graph, "test:a", EdgeType::Models, "spec:a", Claim::Anchored);
        assert_eq!(
            said(&graph, FindingId::OracleLinkage),
            [
                "error src/lib.rs test:a spec:a -: Oracle binding \"test:a\" → \"spec:a\" must use an oracle: anchor and target a Spec that owns an example space."
            ]
        );
    }

    #[test]
    #[sdp::verifies("spec:sdp.checks.relations")]
    fn a_second_oracle_is_an_error_at_the_spec() {
        let mut graph = with_space();
        bind(&mut graph, "oracle:one", "spec:a");
        assert_eq!(said(&graph, FindingId::OracleLinkage), Vec::<String>::new());
        bind(&mut graph, "oracle:two", "spec:a");
        assert_eq!(
            said(&graph, FindingId::OracleLinkage),
            [
                "error 000.sdp.md spec:a - -: Spec \"spec:a\" has 2 resolving oracle bindings (\"oracle:one\" · \"oracle:two\") — at most one expected-outcome authority may model an example space."
            ]
        );
        graph.nodes.retain(|node| node.id() != "oracle:two");
        assert_eq!(said(&graph, FindingId::OracleLinkage), Vec::<String>::new(), "one of them does not resolve");
    }

    #[test]
    fn an_edge_that_is_refused_elsewhere_is_no_oracle_binding() {
        let mut graph = with_space();
        unit(&mut graph, "impl:a");
        unit(&mut graph, "oracle:a");
        join(&mut graph, "impl:a", EdgeType::Models, "spec:b", Claim::Anchored);
        join(&mut graph, "oracle:a", EdgeType::Models, "spec:b", Claim::Declared);
        join(&mut graph, "oracle:a", EdgeType::Models, "spec:gone", Claim::Anchored);
        assert_eq!(said(&graph, FindingId::OracleLinkage), Vec::<String>::new());
    }
}
