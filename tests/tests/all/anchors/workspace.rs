//! A workspace whose crates bind: ids, test names, files and lines follow from packages, targets and modules as cargo and
//! the compiler resolve them.

use sdp_tests::Repo;
use serde_json::Value;

use super::{bindings, extracted, graph, said};

fn shop() -> Repo {
    Repo::new()
        .spec("shop.order", "  dependsOn: spec:shop.stock", "")
        .spec("shop.stock", "  dependsOn: spec:shop.order", "")
        .file(
            "Cargo.toml",
            "[workspace]\nresolver = \"3\"\nmembers = [\"core\", \"cli\"]\n\n[workspace.dependencies]\nsdp = { package = \"sdp-anchors\", version = \"0.1\" }\n",
        )
        .file(
            "core/Cargo.toml",
            "[package]\nname = \"shop_core\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nbinds = { package = \"sdp-anchors\", version = \"0.1\" }\n",
        )
        .file(
            "core/src/lib.rs",
            "pub mod orders;\n\n#[path = \"odd/place.rs\"]\npub mod stock;\n\n#[binds::anchor]\npub const LIMIT: u32 = 3;\n",
        )
        .file(
            "core/src/orders.rs",
            "use binds::{satisfies as realizes, verifies};\n\npub struct Order;\n\nimpl Order {\n    #[realizes(\"spec:shop.order\")]\n    pub fn place_all(&self) {}\n}\n\nimpl super::stock::Store for Order {\n    #[realizes(\"spec:shop.stock\", label = \"How many\")]\n    fn r#type(&self) {}\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    #[verifies(\"spec:shop.order\")]\n    fn refuses_an_empty_cart() {}\n\n    #[verifies(\"spec:shop.stock\", \"spec:shop.order\")]\n    #[rstest::rstest]\n    #[case(1)]\n    #[case(2)]\n    fn counts(#[case] number: u32) {}\n}\n",
        )
        .file(
            "core/src/odd/place.rs",
            "mod shelf;\n\npub trait Store {\n    #[binds::satisfies(\"spec:shop.stock\")]\n    fn r#type(&self);\n}\n",
        )
        .file("core/src/odd/shelf.rs", "\n// @sdpAnchor impl:shelf\n// @sdpSatisfies spec:shop.stock\n\n#[binds::satisfies(\"spec:shop.stock\")]\nfn fill() {}\n")
        .file(
            "core/tests/flow.rs",
            "mod common;\n\n#[test]\n#[binds::verifies(\"spec:shop.order\")]\nfn an_order_is_paid() {}\n",
        )
        .file("core/tests/common/mod.rs", "#[binds::models(\"spec:shop.order\")]\npub fn totals() {}\n")
        .file(
            "cli/Cargo.toml",
            "[package]\nname = \"shop-cli\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nsdp.workspace = true\n",
        )
        .file(
            "cli/src/main.rs",
            "fn main() {}\n\n#[sdp::satisfies(\"spec:shop.order\")]\nfn run() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    #[sdp::verifies(\"spec:shop.order\")]\n    fn runs() {}\n}\n",
        )
        .file("cli/src/bin/audit.rs", "#[sdp::satisfies(\"spec:shop.order\")]\nfn main() {}\n")
}

/// The bound nodes of a graph, as `<id> <file>:<line>` and, of a test, its name and how it is to be compared.
fn places(graph: &Value) -> Vec<String> {
    let nodes = graph["nodes"].as_array().unwrap().iter();
    nodes
        .filter(|node| node["claim"] == "anchored")
        .map(|node| {
            let text = |key: &str| node[key].as_str().unwrap_or_default();
            let place = format!("{} {}:{}", text("id"), text("file"), node["line"]);
            format!("{place} {} {}", text("symbol"), text("symbolMatch")).trim_end().to_owned()
        })
        .collect()
}

#[test]
#[sdp::verifies("spec:sdp.anchors.extraction")]
fn ids_and_test_names_follow_from_packages_targets_and_modules() {
    let graph = graph(&shop());
    assert_eq!(
        places(&graph),
        [
            "impl:shelf core/src/odd/shelf.rs:2",
            "impl:shop-cli.audit.main cli/src/bin/audit.rs:1",
            "impl:shop-cli.run cli/src/main.rs:3",
            "impl:shop-core.LIMIT core/src/lib.rs:6",
            "impl:shop-core.orders.Order.place-all core/src/orders.rs:6",
            "impl:shop-core.orders.Order.type core/src/orders.rs:11",
            "impl:shop-core.stock.Store.type core/src/odd/place.rs:4",
            "impl:shop-core.stock.shelf.fill core/src/odd/shelf.rs:5",
            "oracle:shop-core.flow.common.totals core/tests/common/mod.rs:1",
            "test:shop-cli.tests.runs cli/src/main.rs:9 tests::runs exact",
            "test:shop-core.flow.an-order-is-paid core/tests/flow.rs:4 an_order_is_paid exact",
            "test:shop-core.orders.tests.counts core/src/orders.rs:23 orders::tests::counts:: prefix",
            "test:shop-core.orders.tests.refuses-an-empty-cart core/src/orders.rs:20 orders::tests::refuses_an_empty_cart exact",
        ]
    );
    assert_eq!(bindings(&graph).len(), 13);
}

#[test]
#[sdp::verifies("spec:sdp.modules")]
fn a_file_that_no_target_leads_to_binds_and_is_named_once() {
    let repo = shop().file(
        "core/src/left/over.rs",
        "#[binds::satisfies(\"spec:shop.order\")]\nfn one() {}\n\n#[binds::satisfies(\"spec:shop.order\")]\nfn two() {}\n",
    );
    let extraction = extracted(&repo);
    let said = said(&extraction);
    assert_eq!(said.len(), 1, "{said:#?}");
    assert!(said[0].starts_with("core/src/left/over.rs:1 — [warning] sdp/unreached-source — "), "{said:#?}");
    let graph: Value = serde_json::from_str(&extraction.graph.to_json().unwrap()).unwrap();
    let left: Vec<String> = places(&graph).into_iter().filter(|place| place.contains("/left/")).collect();
    assert_eq!(
        left,
        [
            "impl:shop-core.left.over.one core/src/left/over.rs:1",
            "impl:shop-core.left.over.two core/src/left/over.rs:4"
        ]
    );
}

#[test]
fn a_name_that_a_package_does_not_give_the_crate_is_named() {
    let repo = shop().file("cli/src/bin/audit.rs", "#[binds::satisfies(\"spec:shop.order\")]\nfn main() {}\n");
    let said = said(&extracted(&repo));
    assert_eq!(said.len(), 1, "{said:#?}");
    assert!(said[0].starts_with("cli/src/bin/audit.rs:1 — [warning] sdp/unresolved-anchor — "), "{said:#?}");
}

#[test]
#[sdp::verifies("spec:sdp.anchors.extraction")]
fn without_cargo_only_an_item_with_an_id_binds() {
    let repo = Repo::new().spec("a", "  dependsOn: spec:b", "").spec("b", "", "").file(
        "src/lib.rs",
        "#[sdp::satisfies(\"spec:a\")]\nfn f() {}\n\n#[sdp::satisfies(\"spec:a\", id = \"impl:g\")]\nfn g() {}\n\n#[test]\n#[sdp::verifies(\"spec:a\", id = \"test:t\")]\nfn t() {}\n",
    );
    let extraction = extracted(&repo);
    assert_eq!(
        said(&extraction),
        [
            "src/lib.rs:1 — [error] extract/non-static-envelope — anchor field \"id\" is missing — the binding cannot be constructed without it"
        ]
    );
    let graph: Value = serde_json::from_str(&extraction.graph.to_json().unwrap()).unwrap();
    assert_eq!(places(&graph), ["impl:g src/lib.rs:4", "test:t src/lib.rs:8 t exact"]);
}
