//! The shapes of `graph.json` (newest sheet part 9, with rule rows and the order of DESIGN part 2). Field order here is
//! the order in the file.

use std::cmp::Ordering;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::delivery::DeliveryFact;
use crate::model::{Altitude, EdgeType, Readiness, Sections, SpecKind, SymbolMatch};
use crate::order::by_code_units;

/// The version that `schemaVersion` states.
pub const SCHEMA_VERSION: &str = "0.10.0";

/// The JSON Schema of `graph.json` (draft 2020-12), as its file is written. It is generated from the types of the graph
/// by a test of this crate, so that it costs a build nothing.
#[sdp::satisfies("spec:sdp.graph.schema", component = "component:sdp.graph")]
pub const JSON_SCHEMA: &str = include_str!("graph.schema.json");

/// Nodes by id, edges by (from, type, to), location rows by (spec, entry): all in code units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "camelCase")]
pub struct Graph {
    /// The version of this shape.
    pub schema_version: &'static str,
    /// All nodes.
    pub nodes: Vec<Node>,
    /// All edges; a dangling end stays.
    pub edges: Vec<Edge>,
    /// Where addressable entries stand.
    pub locations: Vec<LocationRow>,
}

impl Graph {
    /// The bytes of `graph.json`: two-space JSON, LF, a final newline.
    ///
    /// # Errors
    /// Never in practice: the types hold no value that JSON lacks.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }
}

/// The four kinds of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum NodeType {
    /// A Spec.
    Primitive,
    /// A Pack.
    Pack,
    /// A test or oracle binding.
    Anchor,
    /// A code binding.
    CodeNode,
}

impl NodeType {
    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            NodeType::Primitive => "Primitive",
            NodeType::Pack => "Pack",
            NodeType::Anchor => "Anchor",
            NodeType::CodeNode => "CodeNode",
        }
    }
}

/// On whose word something is in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    /// An author stated it in a carrier.
    Declared,
    /// A binding in source states it.
    Anchored,
}

impl Claim {
    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Claim::Declared => "declared",
            Claim::Anchored => "anchored",
        }
    }
}

/// One node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A Spec; several graphs of one run may share it.
    Spec(Arc<SpecNode>),
    /// A Pack.
    Pack(Box<PackNode>),
    /// A test or oracle binding.
    Anchor(Box<AnchorNode>),
    /// A code binding.
    Code(Box<CodeNode>),
}

impl Node {
    /// The id.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Node::Spec(node) => &node.id,
            Node::Pack(node) => &node.id,
            Node::Anchor(node) => &node.id,
            Node::Code(node) => &node.id,
        }
    }

    /// The kind of node.
    #[must_use]
    pub fn node_type(&self) -> NodeType {
        match self {
            Node::Spec(_) => NodeType::Primitive,
            Node::Pack(_) => NodeType::Pack,
            Node::Anchor(_) => NodeType::Anchor,
            Node::Code(_) => NodeType::CodeNode,
        }
    }

    /// The root-relative file that it comes from.
    #[must_use]
    pub fn file(&self) -> &str {
        match self {
            Node::Spec(node) => &node.file,
            Node::Pack(node) => &node.file,
            Node::Anchor(node) => &node.file,
            Node::Code(node) => &node.file,
        }
    }

    /// The 1-based line, which only bindings have.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        match self {
            Node::Spec(_) | Node::Pack(_) => None,
            Node::Anchor(node) => Some(node.line),
            Node::Code(node) => node.line,
        }
    }

    /// The title of a Spec or Pack.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        match self {
            Node::Spec(node) => node.title.as_deref(),
            Node::Pack(node) => node.title.as_deref(),
            Node::Anchor(_) | Node::Code(_) => None,
        }
    }

    /// The label of a binding.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        match self {
            Node::Spec(_) | Node::Pack(_) => None,
            Node::Anchor(node) => node.label.as_deref(),
            Node::Code(node) => node.label.as_deref(),
        }
    }

    /// The Spec, when it is one.
    #[must_use]
    pub fn as_spec(&self) -> Option<&SpecNode> {
        match self {
            Node::Spec(node) => Some(node),
            _ => None,
        }
    }

    /// The test or oracle, when it is one.
    #[must_use]
    pub fn as_anchor(&self) -> Option<&AnchorNode> {
        match self {
            Node::Anchor(node) => Some(node),
            _ => None,
        }
    }

    /// The code unit, when it is one.
    #[must_use]
    pub fn as_code(&self) -> Option<&CodeNode> {
        match self {
            Node::Code(node) => Some(node),
            _ => None,
        }
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Node::Spec(node) => node.serialize(serializer),
            Node::Pack(node) => node.serialize(serializer),
            Node::Anchor(node) => node.serialize(serializer),
            Node::Code(node) => node.serialize(serializer),
        }
    }
}

/// A Spec in the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "camelCase")]
pub struct SpecNode {
    /// `spec:…`.
    pub id: String,
    /// Always `Primitive`.
    pub node_type: NodeType,
    /// Always `declared`.
    pub claim: Claim,
    /// What it is.
    pub spec_kind: SpecKind,
    /// Where it stands.
    pub altitude: Altitude,
    /// The stated rung.
    pub readiness: Readiness,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The prose below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub narrative: Option<String>,
    /// The carrier.
    pub file: String,
    /// The sections; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<Sections>,
    /// What resolving bindings earn; absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub delivery_facts: Vec<DeliveryFact>,
}

/// A Pack in the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "camelCase")]
pub struct PackNode {
    /// `pack:…`.
    pub id: String,
    /// Always `Pack`.
    pub node_type: NodeType,
    /// Always `declared`.
    pub claim: Claim,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The prose below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub framing: Option<String>,
    /// The carrier.
    pub file: String,
    /// Members, in authored order.
    pub members: Vec<String>,
    /// Vocabulary Specs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_refs: Option<Vec<String>>,
}

/// A test or oracle binding in the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "camelCase")]
pub struct AnchorNode {
    /// `test:…` or `oracle:…`.
    pub id: String,
    /// Always `Anchor`.
    pub node_type: NodeType,
    /// Always `anchored`.
    pub claim: Claim,
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The source file.
    pub file: String,
    /// The 1-based line.
    pub line: u32,
    /// The test's name as its runner prints it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Whether the name is whole or opens several; present with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_match: Option<SymbolMatch>,
}

/// A code binding in the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "camelCase")]
pub struct CodeNode {
    /// `impl:…`, `api:…` or `component:…`.
    pub id: String,
    /// Always `CodeNode`.
    pub node_type: NodeType,
    /// Always `anchored`.
    pub claim: Claim,
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The source file.
    pub file: String,
    /// The 1-based line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// One token of the corpus's own vocabulary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// One of the five layers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// One token of the corpus's own vocabulary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

/// One edge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Edge {
    /// The id that it leaves.
    pub from: String,
    /// What it says.
    #[serde(rename = "type")]
    pub edge_type: EdgeType,
    /// The id that it reaches; may name no node.
    pub to: String,
    /// On whose word.
    pub claim: Claim,
}

impl Edge {
    /// Whether it is a relation: one of the types that an author declares in a Spec, and declared.
    #[must_use]
    pub fn is_relation(&self) -> bool {
        self.claim == Claim::Declared && self.edge_type.is_authored()
    }

    /// Whether it is of a type, and declared.
    #[must_use]
    pub fn declares(&self, edge_type: EdgeType) -> bool {
        self.claim == Claim::Declared && self.edge_type == edge_type
    }

    /// The order of `graph.edges`: by the end that it leaves, its type's name and the end that it reaches.
    #[must_use]
    pub fn order(&self, other: &Edge) -> Ordering {
        by_code_units(&self.from, &other.from)
            .then_with(|| self.edge_type.as_str().cmp(other.edge_type.as_str()))
            .then_with(|| by_code_units(&self.to, &other.to))
    }
}

/// One row of the location table: where an addressable entry opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct LocationRow {
    /// The Spec.
    pub spec: String,
    /// Its carrier.
    pub file: String,
    /// `design.<key>`, `ui.<key>`, `question[<i>]` or `rule[<i>]`.
    pub entry: String,
    /// The key of a keyed question or rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The 1-based line.
    pub line: u32,
}
