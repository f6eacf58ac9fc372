//! The checks: the graph goes in, one report comes out. One file per check, one registry; a check hands findings on and
//! never prints. Readiness rungs are judged in [`floor`], which the reader asks too.

// @sdpAnchor component:sdp.checks
// @sdpLayer domain
// @sdpContext engine
// @sdpUses component:sdp.graph

mod authoring_shape;
mod claim_separation;
mod contract_links;
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

use crate::contract::Contract;
use crate::finding::{Finding, FindingId, Report, finding_order};
use crate::graph::{Graph, Index};
use crate::space;

/// One check of the registry.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The finding that it gives.
    pub id: FindingId,
    run: Run,
}

/// What a check looks at.
#[derive(Clone, Copy, Debug)]
enum Run {
    Graph(fn(&Graph, &Index, &mut Vec<Finding>)),
    Contracts(fn(&Graph, &Index, &[Contract], &mut Vec<Finding>)),
}

impl Check {
    /// What this check alone finds, in no promised order.
    #[must_use]
    pub fn findings(&self, graph: &Graph, index: &Index, contracts: &[Contract]) -> Vec<Finding> {
        let mut findings = Vec::new();
        match self.run {
            Run::Graph(run) => run(graph, index, &mut findings),
            Run::Contracts(run) => run(graph, index, contracts, &mut findings),
        }
        findings
    }
}

/// Every check, in the order in which they run (newest sheet part 11), the engine's own last.
pub const CHECKS: &[Check] = &[
    Check { id: FindingId::ReferentialIntegrity, run: Run::Graph(referential_integrity::check) },
    Check { id: FindingId::DuplicateIds, run: Run::Graph(duplicate_ids::check) },
    Check { id: FindingId::ClaimSeparation, run: Run::Graph(claim_separation::check) },
    Check { id: FindingId::StructuralAnchors, run: Run::Graph(structural_anchors::check) },
    Check { id: FindingId::VerifiesLinkage, run: Run::Graph(verifies_linkage::check) },
    Check { id: FindingId::OracleLinkage, run: Run::Graph(oracle_linkage::check) },
    Check { id: FindingId::PackCoherence, run: Run::Graph(pack_coherence::check) },
    Check { id: FindingId::Orphans, run: Run::Graph(orphans::check) },
    Check { id: FindingId::ProseMentions, run: Run::Graph(prose_mentions::check) },
    Check { id: FindingId::AuthoringShape, run: Run::Graph(authoring_shape::check) },
    Check { id: FindingId::DeliveryFacts, run: Run::Graph(delivery_facts::check) },
    Check { id: FindingId::ReadinessFloor, run: Run::Graph(readiness_floor::check) },
    Check { id: FindingId::Gaps, run: Run::Graph(gaps::check) },
    Check { id: FindingId::SupersededDecision, run: Run::Graph(superseded_decision::check) },
    Check { id: FindingId::SelfRelation, run: Run::Graph(self_relation::check) },
    Check { id: FindingId::ContractLink, run: Run::Contracts(contract_links::check) },
    Check { id: FindingId::UnreadableContract, run: Run::Contracts(contract_links::unreadable) },
];

/// Runs every check over a graph that no contract links to.
#[must_use]
pub fn validate(graph: &Graph, index: &Index) -> Report {
    validate_with(graph, index, &[])
}

/// Runs every check over a graph, and the contracts that link to it.
#[must_use]
#[sdp::satisfies("spec:sdp.checks", component = "component:sdp.checks")]
pub fn validate_with(graph: &Graph, index: &Index, contracts: &[Contract]) -> Report {
    space::judge_examples(graph, index);
    let found: Vec<Vec<Finding>> = CHECKS.par_iter().map(|check| check.findings(graph, index, contracts)).collect();
    let mut findings: Vec<Finding> = found.into_iter().flatten().collect();
    findings.sort_by(finding_order);
    Report { findings }
}

#[cfg(test)]
mod tests;
