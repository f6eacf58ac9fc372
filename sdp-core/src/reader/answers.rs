//! The shapes of the reader's answers; field order is the order in which they print (newest sheet part 12).

mod files;
mod pack;

use serde::Serialize;

pub use files::{
    AtRisk, BlastRadius, FileAnswer, FileNode, Impact, ImpactReason, RiskReason, ThroughBinding, UnlinkedUnit,
};
pub use pack::{
    BoundaryRow, BoundaryVia, MemberDecision, MemberDesign, MemberQuestion, PackBoundary, PackContext,
    PackMemberSummary, VerifierCount, VerifierGap,
};

use crate::finding::Finding;
use crate::graph::{Claim, DeliveryFact, NodeType};
use crate::model::{Altitude, EdgeType, Readiness, Sections, SpecKind, SymbolMatch};

/// `specs()`: one row a Spec, by id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SpecSummary {
    /// `spec:…`.
    pub id: String,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The prose below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub narrative: Option<String>,
    /// What it is.
    pub spec_kind: SpecKind,
    /// The kind's name for people.
    pub kind_display_label: &'static str,
    /// Where it stands.
    pub altitude: Altitude,
    /// What its author states.
    pub stated_readiness: Readiness,
    /// The highest rung whose clauses hold; absent when `idea` fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived_readiness: Option<Readiness>,
    /// What its bindings earn, computed anew.
    pub delivery_facts: Vec<DeliveryFact>,
    /// The carrier.
    pub file: String,
    /// The Packs that list it, by id.
    pub packs: Vec<String>,
}

/// `packs()`: one row a Pack, by id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PackSummary {
    /// `pack:…`.
    pub id: String,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The prose below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub framing: Option<String>,
    /// The carrier.
    pub file: String,
    /// Vocabulary Specs.
    pub model_refs: Vec<String>,
}

/// A floor clause that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FloorFailure {
    /// The clause.
    pub clause_id: &'static str,
    /// What it asks for.
    pub description: &'static str,
    /// The targets that hold it back; only on the typed clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub targets: Option<Vec<UnmetTarget>>,
}

/// A relation target below the rung that a clause asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnmetTarget {
    /// The relation.
    #[serde(rename = "type")]
    pub edge_type: EdgeType,
    /// The target.
    pub id: String,
    /// What it states; absent when it is no Spec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated_readiness: Option<Readiness>,
}

/// One end of a declared relation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RelationEnd {
    /// The relation.
    #[serde(rename = "type")]
    pub edge_type: EdgeType,
    /// On whose word.
    pub claim: Claim,
    /// The other id.
    pub other_id: String,
    /// Whether it names a node.
    pub resolved: bool,
    /// That node's type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_node_type: Option<NodeType>,
    /// That node's title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_title: Option<String>,
}

/// A code unit that realizes or follows a Spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeBinding {
    /// The code anchor.
    pub code_id: String,
    /// On whose word.
    pub claim: Claim,
    /// Its label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its 1-based line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Its role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Its layer, which only a component states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// Its context, which only a component states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The component that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<ComponentEnd>,
}

/// The component of a code unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComponentEnd {
    /// `component:…`; may name no node.
    pub id: String,
    /// Its layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// Its context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

/// What verifies a Spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VerifierBinding {
    /// The test anchor or example.
    pub verifier_id: String,
    /// `test-anchor` or `example`.
    pub via: &'static str,
    /// On whose word.
    pub claim: Claim,
    /// Whether it confers `has-verifier`.
    pub enabled: bool,
    /// A test's label, an example's title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its 1-based line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The name under which a test runs, where its anchor knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Whether that name is whole or opens several; there with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_match: Option<SymbolMatch>,
}

/// The one oracle of an example space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OracleBinding {
    /// The oracle anchor.
    pub anchor_id: String,
    /// On whose word.
    pub claim: Claim,
    /// Its label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its file.
    pub file: String,
    /// Its 1-based line.
    pub line: u32,
}

/// Where an addressable entry of a Spec opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntryLocation {
    /// The carrier.
    pub file: String,
    /// As in the location table.
    pub entry: String,
    /// The key of a keyed question or rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The 1-based line.
    pub line: u32,
}

/// `specContext(id)`: all that is known of one Spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SpecContext {
    /// The row that `specs()` gives, opened up.
    #[serde(flatten)]
    pub summary: SpecSummary,
    /// The sections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<Sections>,
    /// Clauses at or below the stated rung that do not hold.
    pub floor_failures: Vec<FloorFailure>,
    /// Clauses at or below the rung above the derived one that do not hold.
    pub next_rung_failures: Vec<FloorFailure>,
    /// Declared relations that leave it, by type and id.
    pub relations_out: Vec<RelationEnd>,
    /// Declared relations that reach it, by type and id.
    pub relations_in: Vec<RelationEnd>,
    /// Code that realizes it.
    pub implementations: Vec<CodeBinding>,
    /// Code that follows it.
    pub references: Vec<CodeBinding>,
    /// What verifies it.
    pub verifiers: Vec<VerifierBinding>,
    /// The one oracle of its example space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oracle: Option<OracleBinding>,
    /// Where its entries stand.
    pub entry_locations: Vec<EntryLocation>,
    /// Findings that name it.
    pub findings: Vec<Finding>,
}

/// `findByConcept(text)`: one match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConceptMatch {
    /// The node.
    pub id: String,
    /// What it is.
    pub node_type: NodeType,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where the text was found: `id`, `title`, `label`, `framing`, `narrative`, `sections.<name>`.
    pub matched_in: Vec<String>,
}
