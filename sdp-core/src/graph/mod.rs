//! The one typed graph: schema 0.10.0, its index and the delivery facts that its bindings earn. Everything in it is a
//! pure function of the carriers and anchors; no clock, no absolute path, nothing unsorted.

// @sdpAnchor component:sdp.graph
// @sdpLayer domain
// @sdpContext engine

mod delivery;
mod index;
#[cfg(test)]
mod json_schema;
mod schema;

pub use delivery::{DeliveryFact, delivery_facts};
pub(crate) use delivery::{
    counts_as_oracle, counts_as_verifier, is_enabled_example, is_implemented, is_oracle, oracle_binding,
};
pub use index::Index;
pub use schema::{
    AnchorNode, Claim, CodeNode, Edge, Graph, JSON_SCHEMA, LocationRow, Node, NodeType, PackNode, SCHEMA_VERSION,
    SpecNode,
};
