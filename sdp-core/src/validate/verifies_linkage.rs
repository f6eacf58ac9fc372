//! A declared `verifies` that makes nothing a verifier: it leaves a Spec that is no example, or a ready example that no
//! test is bound to. Below `ready` an example may wait for its test.

use crate::finding::{Finding, FindingId};
use crate::graph::{Graph, Index, SpecNode, is_enabled_example};
use crate::model::{EdgeType, Readiness, SpecKind};

#[sdp::satisfies("spec:sdp.checks.relations", component = "component:sdp.checks")]
pub(super) fn check(graph: &Graph, index: &Index, findings: &mut Vec<Finding>) {
    for edge in graph.edges.iter().filter(|edge| edge.declares(EdgeType::Verifies)) {
        let Some(spec) = index.spec(graph, &edge.from) else { continue };
        if spec.spec_kind != SpecKind::Example {
            findings.push(no_example(spec, &edge.to));
        } else if spec.readiness == Readiness::Ready && !is_enabled_example(index, spec) {
            findings.push(unbound(spec, &edge.to));
        }
    }
}

fn no_example(spec: &SpecNode, target: &str) -> Finding {
    let message = format!(
        "Spec \"{}\" (kind \"{}\") declares verifies → \"{target}\", but only an example/scenario can be an enabled verifier — the relation confers no has-verifier.",
        spec.id, spec.spec_kind
    );
    finding(spec, target, message).with_help(format!(
        "declare another relation to `{target}`, or write an example Spec that verifies it and bind a test to that"
    ))
}

fn unbound(spec: &SpecNode, target: &str) -> Finding {
    let message = format!(
        "Example \"{}\" declares verifies → \"{target}\" but is not an enabled verifier — no test anchor binds it, so the spec↔test trace is incomplete and it confers no has-verifier.",
        spec.id
    );
    finding(spec, target, message).with_help(format!("bind a test to `{}`, or state a lower readiness", spec.id))
}

fn finding(spec: &SpecNode, target: &str, message: String) -> Finding {
    Finding::warning(FindingId::VerifiesLinkage, message).about(&spec.id).naming(target).at(&spec.file, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bind, graph, said, spec, unit};

    fn verifier(head: &str) -> Graph {
        graph(&[spec(head, "verifies: spec:b", ""), spec("spec:b rule idea", "", "")])
    }

    #[test]
    #[sdp::verifies("spec:sdp.checks.relations")]
    fn a_verifier_that_is_no_example_warns_at_every_rung() {
        for rung in Readiness::ALL {
            assert_eq!(
                said(&verifier(&format!("spec:a workflow {rung}")), FindingId::VerifiesLinkage),
                [
                    "warning 000.sdp.md spec:a spec:b -: Spec \"spec:a\" (kind \"workflow\") declares verifies → \"spec:b\", but only an example/scenario can be an enabled verifier — the relation confers no has-verifier."
                ]
            );
        }
    }

    #[test]
    #[sdp::verifies("spec:sdp.checks.relations")]
    fn an_unbound_example_warns_only_when_it_states_ready() {
        for rung in [Readiness::Idea, Readiness::Scoped, Readiness::Defined] {
            let graph = verifier(&format!("spec:a example {rung}"));
            assert_eq!(said(&graph, FindingId::VerifiesLinkage), Vec::<String>::new());
        }
        let mut ready = verifier("spec:a example ready");
        assert_eq!(
            said(&ready, FindingId::VerifiesLinkage),
            [
                "warning 000.sdp.md spec:a spec:b -: Example \"spec:a\" declares verifies → \"spec:b\" but is not an enabled verifier — no test anchor binds it, so the spec↔test trace is incomplete and it confers no has-verifier."
            ]
        );
        bind(&mut ready, "test:b", "spec:b");
        assert_eq!(said(&ready, FindingId::VerifiesLinkage).len(), 1, "a test of the target is no test of the example");
        bind(&mut ready, "test:a", "spec:a");
        assert_eq!(said(&ready, FindingId::VerifiesLinkage), Vec::<String>::new());
    }

    #[test]
    fn a_binding_whose_anchor_is_gone_enables_nothing() {
        let mut graph = verifier("spec:a example ready");
        bind(&mut graph, "test:a", "spec:a");
        graph.nodes.retain(|node| node.id() != "test:a");
        assert_eq!(said(&graph, FindingId::VerifiesLinkage).len(), 1);
        unit(&mut graph, "test:a");
        assert_eq!(said(&graph, FindingId::VerifiesLinkage), Vec::<String>::new());
    }
}
