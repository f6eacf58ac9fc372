//! The works behind the shop: Specs and the code that is bound to them. Its anchors go through the envelope, as those of
//! files do, so that the graph is one that source code can give.

use std::sync::Arc;

use sdp_core::anchor::envelope::{self, Field, RawAnchor, RawField};
use sdp_core::carrier::markdown;
use sdp_core::derive::{Sourced, derive};
use sdp_core::graph::Graph;
use sdp_core::model::{Document, SymbolMatch, TestSymbol};

const SPACE: &str = "\n## Example space\n\n```gwt-vocabulary\nGiven a cart\nWhen it is ordered\nThen it is kept\n```\n\n## Design\n\nOrders are rows.\n\n- key: `u64`\n";

/// Id, kind, relations, and what stands behind the Intent.
const SPECS: &[(&str, &str, &str, &str)] = &[
    ("shop", "behavior", "{}", ""),
    (
        "shop.order",
        "behavior",
        "\n  refines: spec:shop\n  dependsOn: spec:shop.stock\n  decidedBy: spec:rulings.queue",
        SPACE,
    ),
    ("shop.order.paid", "example", "\n  verifies: spec:shop.order", ""),
    (
        "shop.order.small",
        "rule",
        "\n  refines: spec:shop.order\n  decidedBy:\n    - spec:rulings.queue\n    - spec:rulings.lost",
        "",
    ),
    ("shop.stock", "model", "\n  refines: spec:shop\n  decidedBy: spec:rulings.queue", ""),
    ("shop.audit", "rule", "\n  dependsOn: spec:shop.order", ""),
    ("shop.mail", "rule", "\n  dependsOn: spec:shop.gone", ""),
    ("rulings.queue", "decision", "\n  refines: spec:shop.order", ""),
];

const PACK: &str = "---\nid: pack:shop\nspecs:\n  - spec:shop.order\n  - spec:shop.stock\n  - spec:shop.audit\n  - spec:shop.gone\n---\n# The shop\n";

/// File, line, and the fields: a name, then its values; `label` has one.
const ANCHORS: &[(&str, u32, &[&str])] = &[
    (
        "src/orders.rs",
        1,
        &[
            "id component:orders",
            "label Orders",
            "layer domain",
            "context sales",
            "satisfies spec:shop",
            "uses component:store",
        ],
    ),
    (
        "src/orders.rs",
        20,
        &[
            "id impl:orders.place",
            "label Places an order",
            "component component:orders",
            "satisfies spec:shop.order",
            "uses impl:store.save impl:orders.check",
            "role handler",
        ],
    ),
    (
        "src/orders.rs",
        40,
        &["id impl:orders.check", "component component:orders", "references spec:shop.order", "uses impl:loose"],
    ),
    ("src/orders.rs", 60, &["id oracle:orders", "models spec:shop.order"]),
    (
        "src/api.rs",
        5,
        &[
            "id api:orders",
            "component component:orders",
            "references spec:shop.order spec:rulings.queue",
            "role handler",
        ],
    ),
    ("src/store.rs", 1, &["id component:store", "layer infrastructure", "context storage", "uses component:plain"]),
    (
        "src/store.rs",
        9,
        &["id impl:store.save", "component component:store", "satisfies spec:shop.stock", "role repository"],
    ),
    ("src/desk.rs", 1, &["id component:desk", "layer edge", "context sales", "uses component:orders component:gone"]),
    ("src/plain.rs", 1, &["id component:plain"]),
    ("src/loose.rs", 2, &["id impl:loose", "uses component:plain"]),
    (
        "src/lost.rs",
        3,
        &["id impl:lost.part", "component component:lost", "satisfies spec:shop.gone", "uses component:orders"],
    ),
    ("tests/orders.rs", 7, &["id test:orders.paid", "verifies spec:shop.order.paid", "symbol a_paid_order"]),
];

fn anchor(file: &str, line: u32, fields: &[&str]) -> Sourced {
    let mut raw = RawAnchor { line, ..RawAnchor::default() };
    for text in fields {
        let (name, values) = text.split_once(' ').unwrap();
        if name == "symbol" {
            raw.symbol = Some(TestSymbol { name: values.to_owned(), covers: SymbolMatch::Exact });
            continue;
        }
        let words = if name == "label" { vec![values] } else { values.split(' ').collect() };
        raw.fields.push(RawField {
            field: *Field::ALL.iter().find(|field| field.as_str() == name).unwrap(),
            line,
            values: words.into_iter().map(|value| (value.to_owned(), line)).collect(),
        });
    }
    Sourced { file: file.to_owned(), document: Document::Anchor(envelope::read(file, raw).unwrap()) }
}

fn carrier(name: &str, text: &str) -> Sourced {
    let file = format!("specs/{name}.sdp.md");
    let document = markdown::read(&file, text).unwrap();
    Sourced { file, document }
}

/// The graph of the works.
pub(super) fn works() -> Arc<Graph> {
    let mut documents = vec![carrier("shop.pack", PACK)];
    documents.extend(SPECS.iter().map(|(name, kind, relations, body)| {
        let head = format!("id: spec:{name}\nkind: {kind}\naltitude: story\nreadiness: idea\nrelations: {relations}");
        let text = format!("---\n{head}\n---\n# Of {name}\n\n## Intent\n\n- outcome: What {name} is for\n{body}");
        carrier(name, &text)
    }));
    documents.extend(ANCHORS.iter().map(|(file, line, fields)| anchor(file, *line, fields)));
    let derived = derive(documents);
    assert_eq!(derived.findings, []);
    Arc::new(derived.graph)
}
