//! The shapes of `packContext`: a Pack's members, what they lack and what they rest on.

use serde::Serialize;

use super::{CodeBinding, FloorFailure, PackSummary};
use crate::finding::Finding;
use crate::graph::DeliveryFact;
use crate::model::{Altitude, EdgeType, Readiness, SpecKind};

/// `packContext(id)`: all that is known of one Pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PackContext {
    /// The row that `packs()` gives, opened up.
    #[serde(flatten)]
    pub summary: PackSummary,
    /// Its members, in authored order; one that is listed twice stands where it is listed first.
    pub members: Vec<PackMemberSummary>,
    /// Members that nothing verifies, by id.
    pub verifier_gaps: Vec<VerifierGap>,
    /// The relations that cross its edge.
    pub boundary: PackBoundary,
    /// Findings that name the Pack.
    pub findings: Vec<Finding>,
}

/// A member of a Pack. One that names no Spec is not resolved and has nothing but its id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PackMemberSummary {
    /// As the Pack lists it.
    pub id: String,
    /// Whether it names a Spec.
    pub resolved: bool,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec_kind: Option<SpecKind>,
    /// Where it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub altitude: Option<Altitude>,
    /// What its author states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated_readiness: Option<Readiness>,
    /// The highest rung whose clauses hold; absent when `idea` fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived_readiness: Option<Readiness>,
    /// What its bindings earn, computed anew.
    pub delivery_facts: Vec<DeliveryFact>,
    /// The carrier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The rung above the stated one; absent at `ready`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated_next_rung: Option<Readiness>,
    /// Clauses at or below that rung that do not hold; empty at `ready`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated_next_rung_failures: Option<Vec<FloorFailure>>,
    /// What is decided and what is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design: Option<MemberDesign>,
    /// Code that realizes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub implementations: Option<Vec<CodeBinding>>,
    /// Code that follows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<Vec<CodeBinding>>,
    /// All that verifies it, tests and examples, as `specContext` lists it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verifiers: Option<VerifierCount>,
    /// The example Specs among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub examples: Option<VerifierCount>,
}

/// How far a member's design has come: counts, never a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MemberDesign {
    /// Its keyed Design entries.
    pub entries: usize,
    /// Those of them that pin a declaration: the value opens with a code span on one line.
    pub declarations: usize,
    /// Its blocking open questions.
    pub blocking_questions: usize,
    /// Its open questions, in authored order.
    pub open_questions: Vec<MemberQuestion>,
    /// The decisions that shape it, by id.
    pub decisions: Vec<MemberDecision>,
}

/// An open question of a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemberQuestion {
    /// Its 0-based place among the Spec's questions.
    pub index: usize,
    /// The text.
    pub question: String,
    /// Whether it holds the Spec below `defined`.
    pub blocking: bool,
    /// The key of its entry address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The 1-based line in the Spec's carrier, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// A decision that a member is decided by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MemberDecision {
    /// The target of the relation.
    pub id: String,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated_readiness: Option<Readiness>,
    /// Whether it names a Spec.
    pub resolved: bool,
}

/// A count of verifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VerifierCount {
    /// All of them.
    pub total: usize,
    /// Those that confer `has-verifier`.
    pub enabled: usize,
}

/// A member that nothing verifies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VerifierGap {
    /// The member.
    pub id: String,
    /// What it states.
    pub stated_readiness: Readiness,
    /// Whether it states `ready`.
    pub priority: bool,
}

/// The relations between members and Specs outside; rows by id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PackBoundary {
    /// Specs outside that members refine, depend on, or are constrained or decided by.
    pub rests_on: Vec<BoundaryRow>,
    /// Specs outside that declare a relation to a member.
    pub rested_on_by: Vec<BoundaryRow>,
}

/// A Spec outside the Pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BoundaryRow {
    /// The Spec.
    pub id: String,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it states.
    pub stated_readiness: Readiness,
    /// Whether code realizes it.
    pub implemented: bool,
    /// Through which relations, in their closed order.
    pub via: Vec<BoundaryVia>,
}

/// One relation type across the edge of a Pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoundaryVia {
    /// The relation.
    #[serde(rename = "type")]
    pub edge_type: EdgeType,
    /// The members at its near end, in authored order.
    pub members: Vec<String>,
}
