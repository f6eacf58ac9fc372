//! Bindings in TypeScript from end to end: as constants and as comments they give what attributes and comments of Rust give.

use serde_json::Value;

use super::{ATTRIBUTES, bindings, checked, extracted, graph, said, specs, unplaced};
use crate::agreement;

const CONSTANTS: &str = r#"import { codeAnchor, codeAnchorId, componentAnchorId, ref, specOracle, specTest, testAnchorId } from "@libar-dev/software-delivery-protocol";

export const unit = codeAnchor({
  id: codeAnchorId("impl:unit"),
  label: "A unit",
  satisfies: [ref("spec:a"), "spec:b"],
  references: [ref("spec:c")],
  uses: [componentAnchorId("component:shop"), codeAnchorId("api:port")],
  component: componentAnchorId("component:shop"),
  role: "service",
});
export const port = codeAnchor({ id: "api:port", references: ["spec:b"] });
const shop = codeAnchor({
  id: componentAnchorId("component:shop"),
  label: `The shop`,
  satisfies: ref("spec:c"),
  layer: "domain",
  context: "shop",
  uses: [codeAnchorId("impl:unit")],
}), works = specTest({ id: testAnchorId("test:unit"), label: "It works", verifies: ["spec:a", "spec:b"] });
const expected = specOracle({ id: "oracle:unit" as OracleAnchorId, label: "What must come out", models: ref("spec:a") });
"#;

const COMMENTS: &str = "/**
 * What a unit is.
 * @sdpAnchor impl:unit
 * @sdpLabel A unit
 * @sdpSatisfies spec:a, spec:b
 * @sdpReferences spec:c
 * @sdpUses component:shop, api:port
 * @sdpComponent component:shop
 * @sdpRole service
 */
export function unit(): void {}

/** @sdpAnchor api:port
@sdpReferences spec:b */
export const port = 1;
/**
   @sdpAnchor component:shop
   @sdpLabel The shop
   @sdpSatisfies spec:c
   @sdpLayer domain
   @sdpContext shop
   @sdpUses impl:unit
 */

/** Tests it.
 *  @sdpAnchor test:unit
 *  @sdpLabel It works
 *  @sdpVerifies spec:a,spec:b
 *  @returns nothing
 */
test(\"works\", () => {});
/**
 * @sdpAnchor oracle:unit
 * @sdpLabel What must come out
 * @sdpModels spec:a
 */
";

/// The bound nodes of a graph, each without its place.
fn nodes(graph: &Value) -> Vec<Value> {
    let mut nodes = unplaced(graph);
    for node in &mut nodes {
        node.as_object_mut().unwrap().remove("file");
    }
    nodes
}

#[sdp::verifies("spec:sdp.anchors.typescript")]
#[test]
fn a_constant_and_a_comment_of_typescript_bind_as_an_attribute_does() {
    let attributes = graph(&specs().file("src/lib.rs", ATTRIBUTES));
    for (source, lines) in [(CONSTANTS, [12, 13, 3, 21, 20]), (COMMENTS, [13, 16, 1, 32, 25])] {
        for file in ["src/a.ts", "src/a.tsx"] {
            let graph = graph(&specs().file(file, source));
            assert_eq!(nodes(&graph), nodes(&attributes), "{file}");
            assert_eq!(bindings(&graph), bindings(&attributes), "{file}");
            let bound = graph["nodes"].as_array().unwrap().iter().filter(|node| node["file"] == file);
            assert_eq!(bound.filter_map(|node| node["line"].as_u64()).collect::<Vec<_>>(), lines, "{file}");
        }
    }
}

#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    for source in [CONSTANTS, COMMENTS] {
        let plain = graph(&specs().file("src/a.ts", source));
        for changed in [
            source.replace('\n', "\r\n"),
            format!("\u{FEFF}{source}"),
            format!("\u{FEFF}{source}").replace('\n', "\r\n"),
        ] {
            assert_eq!(graph(&specs().file("src/a.ts", &changed)), plain, "{changed:?}");
        }
        assert_eq!(bindings(&plain).len(), 12);
    }
}

const IMPORT: &str = "import { codeAnchor } from \"@libar-dev/software-delivery-protocol/anchors\";\n";

#[test]
fn one_id_in_two_forms_enters_nowhere() {
    let text = "[error] extract/duplicate-id — id \"impl:unit\" is reified from 2 sites (ambiguity is loud, L2); every site is reported and none enters the graph";
    let constant = format!("{IMPORT}const a = codeAnchor({{ id: \"impl:unit\", satisfies: \"spec:a\" }});\n");
    let comment = "/** @sdpAnchor impl:unit\n * @sdpSatisfies spec:b */\n";
    let both = extracted(&specs().file("src/a.ts", format!("{constant}\n{comment}")));
    assert_eq!(said(&both), [format!("src/a.ts:2 — {text}"), format!("src/a.ts:4 — {text}")]);
    assert_eq!(both.anchor_count, 2);
    for other in [comment.to_owned(), constant.clone()] {
        let repo =
            specs().file("src/a.ts", &constant).file("src/b.ts", &other).file("src/c.ts", "/** @sdpAnchor impl:c */");
        let extraction = extracted(&repo);
        let line = if other == constant { 2 } else { 1 };
        assert_eq!(said(&extraction), [format!("src/a.ts:2 — {text}"), format!("src/b.ts:{line} — {text}")]);
        assert_eq!(extraction.anchor_count, 3);
    }
    let rust = "#[sdp::satisfies(\"spec:a\", id = \"impl:unit\")]\nfn f() {}\n";
    let extraction = extracted(&specs().file("src/a.ts", &constant).file("src/b.rs", rust));
    assert_eq!(said(&extraction), [format!("src/a.ts:2 — {text}"), format!("src/b.rs:1 — {text}")]);
}

#[test]
fn a_missing_target_is_named_at_the_line_that_binds_it() {
    let source = format!(
        "{IMPORT}const a = codeAnchor({{\n  id: \"impl:a\",\n  satisfies: [\n    \"spec:a\",\n    \"spec:gone\",\n  ],\n}});\n/**\n * @sdpAnchor impl:b\n * @sdpSatisfies spec:lost\n */\n"
    );
    let run = checked(&specs().file("src/a.ts", source));
    let missing = |from: &str, to: &str| {
        format!(
            "[error] conformance/referential-integrity — Reference from \"{from}\" via \"satisfies\" points to missing target \"{to}\"."
        )
    };
    assert_eq!(
        run.stderr.lines().collect::<Vec<_>>(),
        [
            format!("src/a.ts:6 — {}", missing("impl:a", "spec:gone")),
            format!("src/a.ts:11 — {}", missing("impl:b", "spec:lost")),
        ]
    );
    assert_eq!(run.code, Some(1));
}

#[test]
fn a_refused_anchor_leaves_its_siblings_and_a_broken_file_the_others() {
    let half = format!(
        "{IMPORT}const a = codeAnchor({{ id: \"impl:a\", readiness: 1 }}), b = codeAnchor({{ id: \"impl:b\", satisfies: \"spec:a\" }});\n"
    );
    let repo = specs()
        .file("src/a.ts", half)
        .file("src/b.ts", format!("{IMPORT}const c = codeAnchor({{ id: \"impl:c\", ;\n"))
        .file("src/c.ts", "this does not parse {")
        .file("src/d.ts", "/** @sdpAnchor impl:d */");
    let extraction = extracted(&repo);
    let places: Vec<_> = extraction
        .findings
        .iter()
        .map(|finding| (finding.file.as_deref().unwrap(), finding.line.unwrap(), finding.id.as_str()))
        .collect();
    assert_eq!(places, [("src/a.ts", 2, "extract/non-static-envelope"), ("src/b.ts", 2, "extract/parse-error")]);
    assert_eq!(extraction.anchor_count, 2);
}

#[test]
fn every_command_says_the_same_of_typescript() {
    assert!(agreement::agrees(&specs().file("src/a.ts", CONSTANTS)));
    assert!(agreement::agrees(&specs().file("src/a.ts", COMMENTS)));
    let refused = format!("{IMPORT}const a = codeAnchor({{ id: \"impl:a\", satisfies: \"spec:gone\" }});\n");
    assert!(agreement::agrees(&specs().file("src/a.ts", refused)));
    let broken = format!("{IMPORT}const a = codeAnchor({{ id: \"impl:a\", layer: 1 }});\n");
    assert!(!agreement::agrees(&specs().file("src/a.ts", broken)));
}

#[sdp::verifies("spec:sdp.anchors.typescript")]
#[test]
fn a_trusted_module_counts_and_one_that_nothing_imports_is_named_where_it_stands() {
    let anchor = |module: &str, id: &str| {
        format!(
            "import {{ codeAnchor }} from \"{module}\";\nconst a = codeAnchor({{ id: \"impl:{id}\", satisfies: \"spec:a\" }});\n"
        )
    };
    let repo = specs()
        .file("src/a.ts", anchor("@acme/sdp", "a"))
        .file("src/b.tsx", anchor("./model/code-anchor.js", "b"))
        .file("src/c.ts", anchor("./other.js", "c"))
        .file(
            "sdp.toml",
            "[typescript]\ntrusted = [\n  \"@acme/sdp\", \"src/model/code-anchor.ts\",\n  \"src/model/code-ancor.ts\", \"@acme/other\",\n]\n",
        );
    let run = checked(&repo);
    let warning = |module: &str| {
        format!(
            "sdp.toml:4 — [warning] sdp/unmatched-module — no import below the root leads to the module `{module}` of `typescript.trusted`"
        )
    };
    let untrusted = "src/c.ts:2 — [warning] sdp/unresolved-anchor — \"codeAnchor(…)\" comes from \"./other.js\", which is not trusted, so this call binds nothing";
    let expected = [warning("src/model/code-ancor.ts"), warning("@acme/other"), untrusted.to_owned()];
    assert_eq!(run.stderr.lines().collect::<Vec<_>>(), expected);
    assert!(run.stdout.contains("2 anchors"), "{}", run.stdout);
    assert_eq!(run.code, Some(0));
}

#[test]
fn a_file_that_only_looks_like_a_binding_is_named_and_its_syntax_is_left_to_the_compiler() {
    let repo = specs()
        .file("src/a.ts", "import { codeAnchor } from \"./own.js\";\n\nconst a = codeAnchor({ id: \"impl:a\" });\n")
        .file("src/b.ts", "const b = codeAnchor({ ;\n")
        .file("src/c.ts", "const c = codeAnchors({ id: \"impl:a\" });\n");
    let run = checked(&repo);
    let untrusted = "src/a.ts:3 — [warning] sdp/unresolved-anchor — \"codeAnchor(…)\" comes from \"./own.js\", which is not trusted, so this call binds nothing";
    assert_eq!(run.stderr.lines().collect::<Vec<_>>(), [untrusted]);
    assert_eq!(run.code, Some(0));
}

#[test]
fn files_that_hold_no_source_of_bindings_are_neither_read_nor_reported() {
    let text = format!("{IMPORT}const a = codeAnchor({{ id: \"impl:a\", satisfies: \"spec:a\" }});\n");
    let repo = specs()
        .file("src/a.d.ts", &text)
        .file("src/a.mts", &text)
        .file("src/a.cts", &text)
        .file("src/a.js", &text)
        .file("src/a.jsx", &text)
        .file("node_modules/a/a.ts", &text)
        .file("src/broken.ts", "const a = {");
    let extraction = extracted(&repo);
    assert_eq!((said(&extraction), extraction.anchor_count), (Vec::new(), 0));
    let repo = specs().file("src/a.sdp.tsx", &text);
    assert_eq!(extracted(&repo).anchor_count, 1, "only `.sdp.ts` is a carrier");
}

#[test]
fn what_cannot_be_read_whole_is_refused_where_it_binds() {
    let mut large = format!("{IMPORT}const a = codeAnchor({{ id: \"impl:a\" }});\n").into_bytes();
    large.resize(17 * 1024 * 1024, b'\n');
    let mut latin = b"/** @sdpAnchor impl:a */\n// caf".to_vec();
    latin.push(0xE9);
    let repo = specs()
        .file("src/large.ts", &large)
        .file("src/plain.ts", vec![b'\n'; 17 * 1024 * 1024])
        .file("src/latin.ts", &latin)
        .file("src/quiet.ts", [b'/', b'/', 0xE9]);
    assert_eq!(
        said(&extracted(&repo)),
        [
            "src/large.ts — [error] sdp/unreadable-source — the file holds more than 16 MiB, so the bindings in it are not read",
            "src/latin.ts:2 — [error] sdp/not-utf8 — the source file is not UTF-8: the byte 0xE9 is no character",
        ]
    );
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_that_binds_is_named() {
    let repo = specs().file("other/shared/a", format!("{IMPORT}const a = 1;\n")).file("src/b.ts", "");
    std::os::unix::fs::symlink("../other/shared/a", repo.path("src/a.ts")).unwrap();
    assert_eq!(
        said(&extracted(&repo)),
        [
            "src/a.ts — [warning] sdp/skipped-source — the link is not read, and what it leads to seems to bind: that is not in the graph"
        ]
    );
}
