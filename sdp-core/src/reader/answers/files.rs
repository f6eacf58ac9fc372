//! The shapes of the answers about files: `byFile` and `blastRadius`.

use serde::Serialize;

use crate::graph::{Claim, NodeType};
use crate::model::EdgeType;

/// `byFile(path)`: what stands in a file, and which Specs it touches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileAnswer {
    /// The path as it was looked up.
    pub path: String,
    /// Nodes of that file, by id.
    pub nodes: Vec<FileNode>,
    /// Specs authored there or bound from there, by id.
    pub specs: Vec<String>,
}

/// A node in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileNode {
    /// The node.
    pub id: String,
    /// What it is.
    pub node_type: NodeType,
    /// Its 1-based line, which only bindings have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// `blastRadius(files)`: what a change of files reaches, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlastRadius {
    /// The paths as they were looked up, each once, sorted.
    pub changed_files: Vec<String>,
    /// Specs authored in a changed file or bound from one, existing or not; by id.
    pub impacted_specs: Vec<Impact>,
    /// Packs authored in a changed file, by id.
    pub impacted_packs: Vec<Impact>,
    /// What stands one edge away from an impacted Spec or Pack, in a file that has not changed; by id.
    pub at_risk: Vec<AtRisk>,
    /// Changed files in which nothing of the graph stands.
    pub coverage_unknown: Vec<String>,
    /// Code units in changed files that bind no Spec, by file and id.
    pub unlinked: Vec<UnlinkedUnit>,
}

/// A Spec or Pack that a change reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Impact {
    /// Its id.
    pub id: String,
    /// Why, by file and binding.
    pub reasons: Vec<ImpactReason>,
}

/// One way from a changed file to a Spec or Pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImpactReason {
    /// The changed file.
    pub file: String,
    /// The binding in it; absent where the Spec or Pack itself is authored there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub through_binding: Option<ThroughBinding>,
}

/// A binding that leads from a file to a Spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThroughBinding {
    /// The code or test anchor.
    pub id: String,
    /// What it says of the Spec.
    pub edge_type: EdgeType,
    /// On whose word.
    pub claim: Claim,
}

/// A neighbour of what a change reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AtRisk {
    /// The node.
    pub id: String,
    /// What it is.
    pub node_type: NodeType,
    /// The title of a Spec or Pack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The edges that tie it to something impacted, by their ends and type.
    pub reasons: Vec<RiskReason>,
}

/// The edge between a neighbour and something impacted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RiskReason {
    /// The id that it leaves.
    pub from: String,
    /// What it says.
    pub edge_type: EdgeType,
    /// The id that it reaches.
    pub to: String,
    /// On whose word.
    pub claim: Claim,
}

/// A code unit in a changed file that binds no Spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnlinkedUnit {
    /// The changed file.
    pub file: String,
    /// The code anchor.
    pub id: String,
}
