//! The checks: the graph goes in, one report comes out. One file per check, one registry; a check hands findings on and
//! never prints. Readiness rungs are judged in [`floor`], which the reader asks too.

// @sdpAnchor component:sdp.checks
// @sdpLayer domain
// @sdpContext engine
// @sdpUses component:sdp.graph

mod authoring_shape;
mod claim_separation;
mod delivery_facts;
mod duplicate_ids;
pub mod floor;
mod gaps;
mod meant;
mod oracle_linkage;
mod orphans;
mod pack_coherence;
mod prose_mentions;
mod readiness_floor;
mod referential_integrity;
mod self_relation;
mod structural_anchors;
mod superseded_decision;
mod verifies_linkage;

use rayon::prelude::*;

use crate::finding::{Finding, FindingId, Report, finding_order};
use crate::graph::{Graph, Index};
use crate::space;

/// One check of the registry.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The finding that it gives.
    pub id: FindingId,
    run: fn(&Graph, &Index, &mut Vec<Finding>),
}

impl Check {
    /// What this check alone finds, in no promised order.
    #[must_use]
    pub fn findings(&self, graph: &Graph, index: &Index) -> Vec<Finding> {
        let mut findings = Vec::new();
        (self.run)(graph, index, &mut findings);
        findings
    }
}

/// Every check, in the order in which they run (newest sheet part 11), the engine's own last.
pub const CHECKS: &[Check] = &[
    Check { id: FindingId::ReferentialIntegrity, run: referential_integrity::check },
    Check { id: FindingId::DuplicateIds, run: duplicate_ids::check },
    Check { id: FindingId::ClaimSeparation, run: claim_separation::check },
    Check { id: FindingId::StructuralAnchors, run: structural_anchors::check },
    Check { id: FindingId::VerifiesLinkage, run: verifies_linkage::check },
    Check { id: FindingId::OracleLinkage, run: oracle_linkage::check },
    Check { id: FindingId::PackCoherence, run: pack_coherence::check },
    Check { id: FindingId::Orphans, run: orphans::check },
    Check { id: FindingId::ProseMentions, run: prose_mentions::check },
    Check { id: FindingId::AuthoringShape, run: authoring_shape::check },
    Check { id: FindingId::DeliveryFacts, run: delivery_facts::check },
    Check { id: FindingId::ReadinessFloor, run: readiness_floor::check },
    Check { id: FindingId::Gaps, run: gaps::check },
    Check { id: FindingId::SupersededDecision, run: superseded_decision::check },
    Check { id: FindingId::SelfRelation, run: self_relation::check },
];

/// Runs every check over a graph.
#[must_use]
#[sdp::satisfies("spec:sdp.checks", component = "component:sdp.checks")]
pub fn validate(graph: &Graph, index: &Index) -> Report {
    space::judge_examples(graph, index);
    let found: Vec<Vec<Finding>> = CHECKS.par_iter().map(|check| check.findings(graph, index)).collect();
    let mut findings: Vec<Finding> = found.into_iter().flatten().collect();
    findings.sort_by(finding_order);
    Report { findings }
}

#[cfg(test)]
mod tests;
