//! Anchors from end to end: sources that bind Specs as attributes and as comments come in; the same graph, the findings at
//! the lines that they speak of, and the answers that rest on bindings must come out.

use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::{Extraction, extract};
use sdp_tests::{Repo, Run};
use serde_json::{Value, json};
use xtask::corpus::{Anchors, Corpus};

use crate::agreement;

mod facts;
mod hostile;
mod shapes;
mod silent;
mod typescript;
mod workspace;

fn extracted(repo: &Repo) -> Extraction {
    extract(repo.root(), &DiscoverOptions::default())
}

/// The findings of extraction, as lines.
fn said(extraction: &Extraction) -> Vec<String> {
    extraction.findings.iter().map(|finding| finding.line_form()).collect()
}

/// What `check` says on standard error, a line for each finding.
fn checked(repo: &Repo) -> Run {
    repo.sdp(["check", "--output", "short"])
}

/// Nodes and edges of what was extracted without a finding.
fn graph(repo: &Repo) -> Value {
    let extraction = extracted(repo);
    assert_eq!(said(&extraction), Vec::<String>::new());
    serde_json::from_str(&extraction.graph.to_json().unwrap()).unwrap()
}

/// The nodes of a graph that stand in sources, each without its line and its test.
fn unplaced(graph: &Value) -> Vec<Value> {
    let nodes = graph["nodes"].as_array().unwrap().iter();
    let bound = nodes.filter(|node| node["claim"] == "anchored");
    bound
        .map(|node| {
            let mut node = node.clone();
            for key in ["line", "symbol", "symbolMatch"] {
                node.as_object_mut().unwrap().remove(key);
            }
            node
        })
        .collect()
}

/// The anchored edges of a graph, as `<from> <type> <to>`.
fn bindings(graph: &Value) -> Vec<String> {
    let edges = graph["edges"].as_array().unwrap().iter();
    let bound = edges.filter(|edge| edge["claim"] == "anchored");
    let part = |edge: &Value, key: &str| edge[key].as_str().unwrap().to_owned();
    bound.map(|edge| format!("{} {} {}", part(edge, "from"), part(edge, "type"), part(edge, "to"))).collect()
}

fn specs() -> Repo {
    Repo::new().spec("a", "  dependsOn: spec:b", "").spec("b", "  dependsOn: spec:a", "").spec(
        "c",
        "  dependsOn: spec:a",
        "",
    )
}

const ATTRIBUTES: &str = r#"#[sdp::satisfies("spec:a", "spec:b", id = "impl:unit", label = "A unit", references = ["spec:c"],
    uses = ["component:shop", "api:port"], component = "component:shop", role = "service")]
pub fn unit() {}

#[sdp::anchor(id = "api:port", references = "spec:b")]
pub fn port() {}

#[sdp::component("spec:c", id = "component:shop", label = "The shop", layer = "domain", context = "shop", uses = "impl:unit")]
pub mod shop {}

#[sdp::verifies("spec:a", "spec:b", id = "test:unit", label = "It works")]
fn works() {}

#[sdp::models("spec:a", id = "oracle:unit", label = "What must come out")]
fn expected() {}
"#;

const COMMENTS: &str = "// What a unit is.
// @sdpAnchor impl:unit
// @sdpLabel A unit
// @sdpSatisfies spec:a, spec:b
// @sdpReferences spec:c
// @sdpUses component:shop, api:port
// @sdpComponent component:shop
// @sdpRole service
pub fn unit() {}

// @sdpAnchor api:port
// @sdpReferences spec:b
pub fn port() {}

/**
 * @sdpAnchor component:shop
 * @sdpLabel The shop
 * @sdpSatisfies spec:c
 * @sdpLayer domain
 * @sdpContext shop
 * @sdpUses impl:unit
 */
pub mod shop {}

/// @sdpAnchor test:unit
/// @sdpLabel It works
/// @sdpVerifies spec:a, spec:b
fn works() {}

/* @sdpAnchor oracle:unit
   @sdpLabel What must come out
   @sdpModels spec:a */
fn expected() {}
";

#[test]
#[sdp::verifies("spec:sdp.anchors.extraction", "spec:sdp.anchors.comments")]
fn an_attribute_and_a_comment_bind_alike() {
    let [attributes, comments] = [ATTRIBUTES, COMMENTS].map(|source| graph(&specs().file("src/lib.rs", source)));
    assert_eq!(
        unplaced(&attributes),
        [
            json!({ "id": "api:port", "nodeType": "CodeNode", "claim": "anchored", "file": "src/lib.rs" }),
            json!({ "id": "component:shop", "nodeType": "CodeNode", "claim": "anchored", "label": "The shop", "file": "src/lib.rs", "layer": "domain", "context": "shop" }),
            json!({ "id": "impl:unit", "nodeType": "CodeNode", "claim": "anchored", "label": "A unit", "file": "src/lib.rs", "role": "service" }),
            json!({ "id": "oracle:unit", "nodeType": "Anchor", "claim": "anchored", "label": "What must come out", "file": "src/lib.rs" }),
            json!({ "id": "test:unit", "nodeType": "Anchor", "claim": "anchored", "label": "It works", "file": "src/lib.rs" }),
        ]
    );
    assert_eq!(
        bindings(&attributes),
        [
            "api:port references spec:b",
            "component:shop satisfies spec:c",
            "component:shop uses impl:unit",
            "impl:unit memberOf component:shop",
            "impl:unit references spec:c",
            "impl:unit satisfies spec:a",
            "impl:unit satisfies spec:b",
            "impl:unit uses api:port",
            "impl:unit uses component:shop",
            "oracle:unit models spec:a",
            "test:unit verifies spec:a",
            "test:unit verifies spec:b",
        ]
    );
    assert_eq!(unplaced(&comments), unplaced(&attributes));
    assert_eq!(bindings(&comments), bindings(&attributes));
    let lines = |graph: &Value| -> Vec<u64> {
        graph["nodes"].as_array().unwrap().iter().filter_map(|node| node["line"].as_u64()).collect()
    };
    assert_eq!(lines(&attributes), [5, 8, 1, 14, 11]);
    assert_eq!(lines(&comments), [11, 15, 1, 30, 25]);
}

#[test]
#[sdp::verifies("spec:sdp.graph")]
fn one_id_in_two_forms_enters_nowhere() {
    let repo = specs()
        .file("src/a.rs", "\n#[sdp::satisfies(\"spec:a\", id = \"impl:unit\")]\nfn f() {}\n")
        .file("src/b.rs", "\n\n// @sdpAnchor impl:unit\n// @sdpSatisfies spec:b\n")
        .file("src/c.rs", "// @sdpAnchor impl:sound\n// @sdpSatisfies spec:c\n");
    let extraction = extracted(&repo);
    let text = "[error] extract/duplicate-id — id \"impl:unit\" is reified from 2 sites (ambiguity is loud, L2); every site is reported and none enters the graph";
    assert_eq!(said(&extraction), [format!("src/a.rs:2 — {text}"), format!("src/b.rs:3 — {text}")]);
    let graph: Value = serde_json::from_str(&extraction.graph.to_json().unwrap()).unwrap();
    assert_eq!(bindings(&graph), ["impl:sound satisfies spec:c"]);
    assert_eq!(extraction.anchor_count, 3);

    let both = "#[sdp::satisfies(\"spec:a\", id = \"impl:unit\")]\n// @sdpAnchor impl:unit\n// @sdpSatisfies spec:b\nfn f() {}\n";
    let both = extracted(&specs().file("src/lib.rs", both));
    assert_eq!(said(&both), [format!("src/lib.rs:1 — {text}"), format!("src/lib.rs:2 — {text}")]);
}

#[test]
#[sdp::verifies("spec:sdp.checks", "spec:sdp.checks.relations")]
fn a_spec_that_was_renamed_is_named_at_the_line_that_binds_it() {
    let missing = |from: &str, relation: &str, to: &str, near: &str| {
        format!(
            "[error] conformance/referential-integrity — Reference from \"{from}\" via \"{relation}\" points to missing target \"{to}\". Did you mean \"{near}\"?"
        )
    };
    let repo = Repo::new()
        .spec("orders", "  dependsOn: spec:payments", "")
        .spec("payments", "  dependsOn: spec:orders", "")
        .file(
            "src/lib.rs",
            "//! Orders.\n\n#[sdp::satisfies(\"spec:order\", id = \"impl:place\")]\npub fn place() {}\n\n#[sdp::verifies(\n    \"spec:orders\",\n    // Renamed last week.\n    \"spec:payment\",\n    id = \"test:place\",\n)]\n#[test]\nfn places() {}\n",
        )
        .file("src/pay.rs", "\n// Pays.\n// @sdpAnchor impl:pay\n// @sdpSatisfies spec:payments,spec:order\nfn pay() {}\n");
    let run = checked(&repo);
    assert_eq!(
        run.stderr.lines().collect::<Vec<_>>(),
        [
            format!("src/lib.rs:3 — {}", missing("impl:place", "satisfies", "spec:order", "spec:orders")),
            format!("src/lib.rs:9 — {}", missing("test:place", "verifies", "spec:payment", "spec:payments")),
            format!("src/pay.rs:4 — {}", missing("impl:pay", "satisfies", "spec:order", "spec:orders")),
        ]
    );
    assert_eq!(run.code, Some(1));
}

#[test]
fn the_synthetic_corpus_has_its_anchors_and_no_finding() {
    let repo = Repo::new();
    let specs = Corpus::new(1_600, repo.root().to_owned()).with_sources(Anchors::Rust, 1).write().unwrap();
    let body = "const of = (namespace) => graph.nodes.filter((node) => node.claim === 'anchored' && node.id.startsWith(namespace + ':')).length;
        return [of('impl'), of('test'), graph.edges.filter((edge) => edge.claim === 'anchored').length, report.findings.length]";
    let run = repo.sdp(["q", body, "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&run.stdout).unwrap(), json!([200, 300, 500, 0]), "{}", run.stderr);
    let run = checked(&repo);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    assert_eq!((specs, extracted(&repo).anchor_count), (1_600, 500));
}

#[test]
#[sdp::verifies("spec:sdp.engine")]
fn every_command_says_the_same_of_bindings() {
    // Sound bindings; bindings that the checks refuse; bindings that are none.
    let sound =
        specs().file("src/lib.rs", COMMENTS.replace("oracle:unit", "test:oracle").replace("Models", "Verifies"));
    assert!(agreement::agrees(&sound));
    assert!(agreement::agrees(&specs().file("src/lib.rs", ATTRIBUTES)), "spec:a has no example space");
    let refused = "#[sdp::satisfies(\"spec:gone\", id = \"impl:a\", uses = [\"impl:a\", \"impl:nowhere\"])]\nfn a() {}\n\n// @sdpAnchor oracle:a\n// @sdpModels spec:a\n";
    let refused = specs().file("src/lib.rs", refused);
    assert!(agreement::agrees(&refused));
    let ids: Vec<String> =
        checked(&refused).stderr.lines().map(|line| line.split(" — ").nth(1).unwrap().to_owned()).collect();
    assert_eq!(
        ids,
        [
            "[error] conformance/referential-integrity",
            "[error] conformance/referential-integrity",
            "[error] conformance/structural-anchors",
            "[error] conformance/oracle-linkage",
        ]
    );
    assert!(!agreement::agrees(&specs().file("src/lib.rs", "// @sdpAnchor test:a\nfn a() {}\n")), "the graph derives");
}

#[test]
#[sdp::verifies("spec:sdp.anchors.extraction", "spec:sdp.anchors.comments")]
fn a_refused_anchor_leaves_its_siblings() {
    let source = "#[sdp::verifies(id = \"test:none\")]\nfn none() {}\n\n#[sdp::satisfies(\"spec:a\", id = \"impl:sound\")]\nfn sound() {}\n\n// @sdpAnchor impl:half\n// @sdpFoo x\n\n// @sdpAnchor impl:whole\n// @sdpSatisfies spec:b\n";
    let extraction = extracted(&specs().file("src/lib.rs", source));
    let places: Vec<(u32, &str)> =
        extraction.findings.iter().map(|finding| (finding.line.unwrap(), finding.id.as_str())).collect();
    assert_eq!(places, [(1, "extract/non-static-envelope"), (8, "extract/non-static-envelope")]);
    let graph: Value = serde_json::from_str(&extraction.graph.to_json().unwrap()).unwrap();
    assert_eq!(bindings(&graph), ["impl:sound satisfies spec:a", "impl:whole satisfies spec:b"]);
}

#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    for source in [ATTRIBUTES, COMMENTS] {
        let plain = graph(&specs().file("src/lib.rs", source));
        for changed in [
            source.replace('\n', "\r\n"),
            format!("\u{FEFF}{source}"),
            format!("\u{FEFF}{source}").replace('\n', "\r\n"),
        ] {
            assert_eq!(graph(&specs().file("src/lib.rs", &changed)), plain, "{changed:?}");
        }
        assert_eq!(bindings(&plain).len(), 12);
    }
}

#[test]
fn one_item_may_bind_several_times() {
    let source = "// @sdpAnchor impl:first\n// @sdpSatisfies spec:a\n\n/// @sdpAnchor impl:second\n/// @sdpSatisfies spec:a\n#[sdp::satisfies(\"spec:a\", id = \"impl:third\")]\n#[cfg_attr(test, sdp::verifies(\"spec:b\", id = \"test:fourth\"), inline)]\n#[sdp::satisfies(\"spec:b\", id = \"impl:fifth\")]\nfn f() {} // @sdpAnchor impl:sixth\n";
    let graph = graph(&specs().file("src/lib.rs", source));
    let places: Vec<(&str, u64)> = graph["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|node| Some((node["id"].as_str()?, node["line"].as_u64()?)))
        .collect();
    assert_eq!(
        places,
        [
            ("impl:fifth", 8),
            ("impl:first", 1),
            ("impl:second", 4),
            ("impl:sixth", 9),
            ("impl:third", 6),
            ("test:fourth", 7)
        ]
    );
}

#[test]
fn a_manifest_is_a_source_too() {
    let manifest = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n\n# @sdpAnchor impl:shop.lints\n# @sdpSatisfies spec:a\n[lints]\n\n[dependencies]\nsdp = { package = \"sdp-anchors\", version = \"0.1\" }\n";
    let graph = graph(
        &specs().file("Cargo.toml", manifest).file("src/lib.rs", "#[sdp::satisfies(\"spec:b\")]\npub fn pay() {}\n"),
    );
    assert_eq!(bindings(&graph), ["impl:shop.lints satisfies spec:a", "impl:shop.pay satisfies spec:b"]);
}

#[test]
#[sdp::verifies("spec:sdp.anchors.extraction", "spec:sdp.anchors.comments")]
fn text_that_only_looks_like_an_anchor_binds_nothing_and_says_nothing() {
    let source = r###"//! Write `#[sdp::satisfies("spec:a")]`, or `@sdpAnchor impl:a` in a comment.
/// ```
/// #[sdp::satisfies("spec:a")]
/// fn f() {}
/// ```
// The tag @sdpAnchor opens a line of a comment.
const A: &str = "#[sdp::satisfies(\"spec:a\", id = \"impl:a\")] fn f() {}";
const B: &str = r#"
// @sdpAnchor impl:b
"#;
#[component]
fn app() {}
#[models(user)]
struct User;
#[anchor]
struct Buoy;
"###;
    let graph = graph(&specs().file("src/lib.rs", source));
    assert_eq!(unplaced(&graph), Vec::<Value>::new());
    assert_eq!(bindings(&graph), Vec::<String>::new());
}
