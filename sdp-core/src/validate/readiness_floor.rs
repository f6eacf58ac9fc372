//! A Spec earns the rung that it states: one finding per unmet clause at or below it.

use rayon::prelude::*;

use super::floor::floor_failures;
use crate::finding::{Finding, FindingId};
use crate::graph::{Graph, Index, Node};

#[sdp::satisfies("spec:sdp.checks", component = "component:sdp.checks")]
pub(super) fn check(graph: &Graph, index: &Index, findings: &mut Vec<Finding>) {
    findings.par_extend(graph.nodes.par_iter().filter_map(Node::as_spec).flat_map_iter(|spec| {
        floor_failures(graph, index, spec, spec.readiness).into_iter().map(|failure| {
            let message = format!(
                "Spec \"{}\" states readiness \"{}\" but does not satisfy floor clause \"{}\": {}",
                spec.id,
                spec.readiness,
                failure.clause.id(),
                failure.clause.description()
            );
            Finding::error(FindingId::ReadinessFloor, message)
                .about(&spec.id)
                .naming(failure.clause.id())
                .in_field("readiness")
                .at(&spec.file, None)
                .with_help(failure.clause.remedy_of(spec))
        })
    }));
}
