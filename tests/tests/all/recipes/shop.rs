//! The shop that the recipes are asked about: carriers with a relation, a mention, a question and a declaration of each kind,
//! and bindings that are put into the derived graph by hand.

use std::sync::Arc;

use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::extract;
use sdp_core::graph::{AnchorNode, Claim, CodeNode, Edge, Graph, Node, NodeType};
use sdp_core::model::EdgeType;
use sdp_tests::Repo;

const CARRIERS: &[(&str, &str)] = &[
    (
        "order",
        "id: spec:shop.order\nkind: behavior\naltitude: feature\nreadiness: scoped\nrelations:\n  refines: spec:shop.goal\n  dependsOn: spec:shop.stock\n  constrainedBy: spec:shop.limit\n  decidedBy: spec:rulings.queue\n---
# A customer orders

Reads spec:shop.stock once and spec:shop.stock again, with spec:shop.gone; sent as spec:rulings.queue#design.wire.

## Intent

- outcome: An order line is kept.

### Open questions

- [non-blocking] Who pays?
- [blocking #maxLines] How many lines?

## Behavior

- rule: [#payOnce] An order is paid once.
- rule: Lines add up.

## Design

- wire: ``let `x`;`` is sent.
- placeOrder: `fn place(order: Order) -> Receipt` answers.
- note: Nothing `pinned` here.
",
    ),
    (
        "stock",
        "id: spec:shop.stock\nkind: model\naltitude: feature\nreadiness: idea\nrelations: {}\n---
# What is on hand

Kept for spec:shop.order#rule.payOnce and never for spec:shop.order#rule.payTwice.

## Intent

- outcome: One word for one thing.

## Model

- **orderLine** — one article of an order
",
    ),
    (
        "limit",
        "id: spec:shop.limit\nkind: constraint\naltitude: story\nreadiness: idea\nrelations:\n  decidedBy: spec:rulings.queue\n---
# Orders are few

## Intent

- outcome: No queue grows.
",
    ),
    (
        "queue",
        "id: spec:rulings.queue\nkind: decision\naltitude: feature\nreadiness: idea\nrelations:\n  supersedes: spec:rulings.poll\n---
# Orders queue

## Intent

- outcome: Nobody polls.

### Open questions

- [non-blocking #depth] How deep?

## Decision

- decision: Orders queue.

## Design

- wire: `type Wire = Vec<u8>`
",
    ),
    (
        "poll",
        "id: spec:rulings.poll\nkind: decision\naltitude: feature\nreadiness: idea\nrelations: {}\n---
# Orders are polled

Asks spec:shop.stock and `spec:Bad_id`.

## Intent

- outcome: Nobody waits.
",
    ),
    (
        "paid",
        "id: spec:shop.order.paid\nkind: example\naltitude: story\nreadiness: idea\nrelations:\n  refines: spec:shop.order\n  verifies: spec:shop.order\n---
# A paid order

## Intent

- outcome: The order is paid.
",
    ),
    (
        "low",
        "id: spec:shop.stock.low\nkind: example\naltitude: story\nreadiness: idea\nrelations:\n  verifies: spec:shop.stock\n---
# Hardly anything left

## Intent

- outcome: The shelf is nearly empty.
",
    ),
    (
        "shop.pack",
        "id: pack:shop\nspecs:\n  - spec:shop.order\n  - spec:shop.stock\n  - spec:rulings.queue\n  - spec:shop.lost\n---
# The shop
",
    ),
];

/// The graph of a repository without an extraction error.
pub(super) fn derived(repo: &Repo) -> Arc<Graph> {
    let extraction = extract(repo.root(), &DiscoverOptions::default());
    assert!(!extraction.has_errors(), "{:#?}", extraction.findings);
    extraction.graph
}

/// The graph of no carrier.
pub(super) fn empty() -> Arc<Graph> {
    derived(&Repo::new())
}

/// The graph of the shop.
pub(super) fn shop() -> Arc<Graph> {
    let repo = Repo::new();
    for (name, text) in CARRIERS {
        repo.write(&format!("specs/{name}.sdp.md"), format!("---\n{text}"));
    }
    let mut graph = Arc::unwrap_or_clone(derived(&repo));
    for (id, file, line) in [
        ("impl:order.idle", "src/idle.rs", 1),
        ("impl:order.log", "src/log.rs", 5),
        ("impl:order.place", "src/order.rs", 3),
    ] {
        graph.nodes.push(Node::Code(Box::new(CodeNode {
            id: id.to_owned(),
            node_type: NodeType::CodeNode,
            claim: Claim::Anchored,
            label: None,
            file: file.to_owned(),
            line: Some(line),
            role: None,
            layer: None,
            context: None,
        })));
    }
    graph.nodes.push(Node::Anchor(Box::new(AnchorNode {
        id: "test:order.paid".to_owned(),
        node_type: NodeType::Anchor,
        claim: Claim::Anchored,
        label: None,
        file: "tests/paid.rs".to_owned(),
        line: 9,
        symbol: None,
        symbol_match: None,
    })));
    for (from, edge_type, to) in [
        ("impl:order.log", EdgeType::References, "spec:rulings.queue"),
        ("impl:order.place", EdgeType::Satisfies, "spec:shop.order"),
        ("test:order.paid", EdgeType::Verifies, "spec:shop.order.paid"),
    ] {
        graph.edges.push(Edge { from: from.to_owned(), edge_type, to: to.to_owned(), claim: Claim::Anchored });
    }
    graph.nodes.sort_by(|left, right| left.id().cmp(right.id()));
    let key = |edge: &Edge| (edge.from.clone(), edge.edge_type.as_str(), edge.to.clone());
    graph.edges.sort_by_key(key);
    Arc::new(graph)
}
