//! The example that a new user copies from: it compiles, its tests run, and `cargo sdp` finds nothing to say.

use std::path::{Path, PathBuf};
use std::process::Command;

use sdp_tests::{Repo, copy_folder};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/shop")
}

fn copied() -> Repo {
    let repo = Repo::new();
    copy_folder(&example(), repo.root());
    repo
}

#[test]
fn its_tests_run_offline_with_the_lock_file_as_it_stands() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = tempfile::TempDir::new().unwrap();
    let output = Command::new(cargo)
        .args(["test", "--offline", "--locked", "--quiet"])
        .env("CARGO_TARGET_DIR", target.path())
        .current_dir(example())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    let passed = printed.lines().filter_map(|line| line.strip_prefix("test result: ok. ")?.split(' ').next());
    assert_eq!(passed.map(|count| count.parse::<u32>().unwrap()).sum::<u32>(), 5);
}

#[test]
fn check_has_nothing_to_say_of_it() {
    let run = copied().sdp(["check", "-D", "warnings"]);
    assert_eq!(
        (run.stderr.as_str(), run.stdout.as_str()),
        ("", "0 errors · 0 warnings (7 specs · 1 pack · 12 anchors)\n")
    );
    assert_eq!(run.code, Some(0));
}

#[test]
fn check_answers_for_the_folder_though_a_configuration_stands_above_it() {
    let run = Repo::new().command(["check"]).cwd(example()).run();
    let summary = "0 errors · 0 warnings (7 specs · 1 pack · 12 anchors)\n";
    assert_eq!((run.stderr.as_str(), run.stdout.as_str(), run.code), ("", summary, Some(0)));
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml");
    assert!(std::fs::read_to_string(above).unwrap().contains("[workspace.metadata.sdp]"));
}

#[test]
fn every_binding_stands_in_the_graph_with_its_place_and_test() {
    let body = r#"return graph.nodes
        .filter((n) => n.nodeType === "Anchor" || n.nodeType === "CodeNode")
        .map((n) => [n.id, `${n.file}:${n.line}`, n.symbol ?? "-", ...g.out(n.id).map((e) => `${e.type} ${e.to}`)].join(" | "))"#;
    let run = copied().sdp(["q", "--json", body]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let rows: Vec<String> = serde_json::from_str(&run.stdout).unwrap();
    let expected = [
        "component:shop-core.order.Order | shop-core/src/order.rs:4 | - | satisfies spec:shop.order",
        "impl:shop-core.order.Order.place | shop-core/src/order.rs:24 | - | memberOf component:shop-core.order.Order | satisfies spec:shop.order",
        "impl:shop-core.order.Order.total | shop-core/src/order.rs:36 | - | memberOf component:shop-core.order.Order",
        "impl:shop-core.refund.refund | shop-core/src/refund.rs:15 | - | references spec:shop.decisions.whole-cents | references spec:shop.words | satisfies spec:shop.refund | uses impl:shop-core.order.Order.total",
        "impl:shop.main | shop/src/main.rs:8 | - | uses impl:shop-core.order.Order.place | uses impl:shop-core.refund.refund",
        "impl:shop.schema | db/schema.sql:1 | - | memberOf component:shop-core.order.Order | satisfies spec:shop.order",
        "oracle:shop-core.refund.expected | shop-core/tests/refund.rs:7 | - | models spec:shop.refund",
        "test:shop-core.order.tests.a-line-costs-more-than-nothing | shop-core/src/order.rs:52 | order::tests::a_line_costs_more_than_nothing | verifies spec:shop.order",
        "test:shop-core.order.tests.an-order-without-a-line-is-refused | shop-core/src/order.rs:46 | order::tests::an_order_without_a_line_is_refused | verifies spec:shop.order",
        "test:shop-core.refund.a-whole-order-comes-back | shop-core/tests/refund.rs:21 | a_whole_order_comes_back | verifies spec:shop.refund.whole",
        "test:shop-core.refund.every-refund-is-what-the-oracle-expects | shop-core/tests/refund.rs:33 | every_refund_is_what_the_oracle_expects | verifies spec:shop.refund",
        "test:shop-core.refund.half-of-an-order-comes-back | shop-core/tests/refund.rs:27 | half_of_an_order_comes_back | verifies spec:shop.refund.half",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn a_binding_to_a_spec_that_is_gone_is_an_error_where_it_stands() {
    let repo = copied();
    let path = "shop-core/tests/refund.rs";
    let text = std::fs::read_to_string(repo.path(path)).unwrap();
    repo.write(path, text.replace("spec:shop.refund.whole", "spec:shop.refund.hole"));
    let run = repo.sdp(["check", "--output", "short"]);
    assert_eq!(run.code, Some(1));
    let complaint = "[error] conformance/referential-integrity — ";
    assert!(run.complaint().starts_with(&format!("{path}:21 — {complaint}")), "{}", run.stderr);
}
