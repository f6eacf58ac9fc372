//! What a recipe and the engine both read: two readings of one rule must give the same.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::extract;
use sdp_core::graph::{Claim, Graph, Node, NodeType, PackNode};
use sdp_core::model::{OpenBag, parse_id};
use sdp_core::{Input, evaluate_body};
use serde_json::{Value, json};

use super::ask;
use super::shop::shop;
use crate::corpora::corpora;

/// The graph with one more Pack, of which every Spec is a member.
fn with_a_pack_of_all(graph: &Graph) -> Arc<Graph> {
    let mut graph = graph.clone();
    let members = graph.nodes.iter().map(Node::id).filter(|id| id.starts_with("spec:")).map(str::to_owned).collect();
    graph.nodes.push(Node::Pack(Box::new(PackNode {
        id: "pack:all".to_owned(),
        node_type: NodeType::Pack,
        claim: Claim::Declared,
        title: None,
        framing: None,
        file: "specs/all.pack.sdp.md".to_owned(),
        members,
        model_refs: None,
    })));
    graph.nodes.sort_by(|left, right| left.id().cmp(right.id()));
    Arc::new(graph)
}

/// Holds the declarations that the reader counts for each member to the rows of recipe 24; how many there are in all.
#[track_caller]
fn counted_alike(graph: &Graph) -> u64 {
    let graph = with_a_pack_of_all(graph);
    let body = "return Object.fromEntries(g.packContext('pack:all').members.map(({ id, design }) => [id, design.declarations]))";
    let input = Input { graph: Arc::clone(&graph), report: None, params: None };
    let members = evaluate_body(body, input).unwrap().to_json().unwrap();
    let counted: BTreeMap<String, u64> =
        members.as_object().unwrap().iter().map(|(id, count)| (id.clone(), count.as_u64().unwrap())).collect();
    let mut listed: BTreeMap<String, u64> = counted.keys().map(|id| (id.clone(), 0)).collect();
    for row in ask(24, &graph, json!({})).unwrap()["rows"].as_array().unwrap() {
        *listed.get_mut(row["spec"].as_str().unwrap()).unwrap() += 1;
    }
    assert_eq!(counted, listed);
    counted.values().sum()
}

#[test]
fn the_declarations_of_members_are_the_rows_of_the_pinned_declarations() {
    assert_eq!(counted_alike(&shop()), 3);
    let values = [
        ("`a`", true),
        ("`a` and more", true),
        ("``a `b` c``", true),
        ("`a ``b`` c`", true),
        ("`a`\nsecond line", true),
        ("`a`\rsecond line", true),
        ("` `", true),
        ("`a`b`", true),
        ("`a\u{2028}b`", true),
        ("```a```", true),
        ("`` ` ``", true),
        ("``a`b``", true),
        ("`日本`", true),
        ("", false),
        ("a `b`", false),
        (" `a`", false),
        ("`a", false),
        ("`", false),
        ("``", false),
        ("````", false),
        ("``a`", false),
        ("`a``", false),
        ("`a\nb`", false),
        ("`a\r\nb`", false),
        ("```ts\na\n```", false),
        ("\u{FEFF}`a`", false),
    ];
    for (value, is_declaration) in values {
        let mut graph = Arc::unwrap_or_clone(shop());
        let spec = graph.nodes.iter_mut().find_map(|node| match node {
            Node::Spec(spec) if spec.id == "spec:shop.stock" => Some(spec),
            _ => None,
        });
        let sections = Arc::make_mut(spec.unwrap()).sections.as_mut().unwrap();
        let entries = vec![("entry".to_owned(), value.to_owned().into())];
        // A description is no entry, however it opens.
        sections.design = Some(OpenBag { description: Some("`no` entry".to_owned()), entries });
        assert_eq!(counted_alike(&graph), 3 + u64::from(is_declaration), "{value:?}");
    }
}

#[test]
fn the_declarations_of_the_corpora_and_of_the_sample_are_counted_alike() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/first-session");
    // None of them pins a declaration so far: what is held is that both readings see none.
    assert_eq!(counted_alike(&extract(&sample, &DiscoverOptions::default()).graph), 0);
    let Some(corpora) = corpora() else { return };
    for (corpus, declarations) in [("checkout", 0), ("protocol", 0)] {
        let graph = extract(&corpora.join(corpus), &DiscoverOptions::default()).graph;
        assert_eq!(counted_alike(&graph), declarations, "{corpus}");
    }
}

#[test]
fn an_address_is_malformed_when_the_id_grammar_says_so() {
    let good = [
        "spec:shop.order#rule.payOnce",
        "spec:shop.order#question.maxLines",
        "spec:shop.order#design.wire",
        "spec:shop.order#design.gone",
        "spec:shop.order#ui.wire",
        "spec:a#rule.a",
        "spec:9#rule.a9Z",
        "spec:A-.b--c.0-#design.aBC",
        "spec:a.b.c.d.e#question.x0",
        "spec:a#design.description",
    ];
    let bad = [
        "",
        "spec:",
        "spec:shop.order",
        "spec:shop.order#",
        "spec:shop.order#rule",
        "spec:shop.order#rule.",
        "spec:shop.order#.payOnce",
        "spec:shop.order#rule.PayOnce",
        "spec:shop.order#rule.pay-once",
        "spec:shop.order#rule.pay.once",
        "spec:shop.order#rule.9",
        "spec:shop.order#rule.été",
        "spec:shop.order#rule[0]",
        "spec:shop.order#terms.orderLine",
        "spec:shop.order#Rule.payOnce",
        "spec:shop.order#rule.payOnce#x",
        "spec:shop.order##rule.payOnce",
        "spec:#rule.payOnce",
        "spec:shop..order#rule.payOnce",
        "spec:.shop#rule.payOnce",
        "spec:-shop#rule.payOnce",
        "spec:shop_order#rule.payOnce",
        "Spec:shop.order#rule.payOnce",
        "pack:shop#rule.payOnce",
        "impl:order.place#design.wire",
        "shop.order#rule.payOnce",
        "spec:a:b#rule.payOnce",
        " spec:shop.order#rule.payOnce",
        "spec:shop.order#rule.payOnce\n",
        "spec:shop.order#rule.payOnce\u{2028}",
        "\u{FEFF}spec:shop.order#rule.payOnce",
        "spec:shop.order #rule.payOnce",
    ];
    let addresses: Vec<&str> = good.into_iter().chain(bad).collect();
    let read = |row: &Value| {
        let part = |name: &str| row[name].as_str().map(str::to_owned);
        (part("address").unwrap(), part("id").zip(part("section")).zip(part("key")))
    };
    let parsed = |address: &&str| {
        let entry = parse_id(address).ok().and_then(|id| {
            let (section, key) = id.entry?;
            Some(((format!("{}:{}", id.namespace, id.path), section.to_owned()), key.to_owned()))
        });
        ((*address).to_owned(), entry)
    };
    let answer = ask(25, &shop(), json!({ "addresses": addresses })).unwrap();
    let rows = answer["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(read).collect::<Vec<_>>(), addresses.iter().map(parsed).collect::<Vec<_>>());
    let malformed: Vec<&str> =
        rows.iter().filter(|row| row["reason"] == "malformed").filter_map(|row| row["address"].as_str()).collect();
    assert_eq!(malformed, bad);
}
