//! What bindings earn: facts that no author states, gaps that close, and the answers about changed files.

use sdp_tests::Repo;
use serde_json::{Value, json};

use super::{ATTRIBUTES, checked, extracted, specs};

const ORDER: &str = "---
id: spec:shop.order
kind: behavior
altitude: feature
readiness: ready
relations:
  dependsOn: spec:shop.words
---
# A customer orders

## Intent

- outcome: An order is kept.

## Behavior

- rule: An order has a line.

## Example space

```gwt-vocabulary
Given a cart of {lines:number} lines
When the customer orders
Then the order is {state:\"kept\"|\"refused\"}
```
";

const KEPT: &str = "---
id: spec:shop.order.kept
kind: example
altitude: story
readiness: ready
relations:
  refines: spec:shop.order
  verifies: spec:shop.order
---
# An order is kept

## Intent

- outcome: The order is there.

```gwt
Given a cart of {lines: 2} lines
When the customer orders
Then the order is {state: \"kept\"}
```
";

const WORDS: &str = "---
id: spec:shop.words
kind: model
altitude: feature
readiness: defined
relations:
  refines: spec:shop.order
---
# The words of the shop

## Intent

- outcome: One word for one thing.

## Model

- **line** — one article of an order.
";

const PACK: &str =
    "---\nid: pack:shop\nspecs:\n  - spec:shop.order\n  - spec:shop.order.kept\n  - spec:shop.words\n---\n# The shop\n";

fn shop() -> Repo {
    Repo::new()
        .file("specs/order.sdp.md", ORDER)
        .file("specs/kept.sdp.md", KEPT)
        .file("specs/words.sdp.md", WORDS)
        .file("specs/shop.pack.sdp.md", PACK)
}

/// The shop with code and a test that bind it.
fn bound_shop() -> Repo {
    shop()
        .file(
            "src/order.rs",
            "#[sdp::satisfies(\"spec:shop.order\", id = \"impl:order.place\", label = \"Places\")]\npub fn place() {}\n\n#[sdp::anchor(id = \"impl:order.log\")]\npub fn log() {}\n\n#[sdp::anchor(id = \"impl:order.words\", references = \"spec:shop.words\")]\npub fn words() {}\n",
        )
        .file(
            "tests/order.rs",
            "// What the shop promises.\n// @sdpAnchor oracle:order\n// @sdpModels spec:shop.order\n\n#[test]\n#[sdp::verifies(\"spec:shop.order.kept\", id = \"test:order.kept\")]\nfn keeps() {}\n",
        )
        .file("src/other.rs", "pub fn other() {}\n")
}

fn asked(repo: &Repo, body: &str) -> Value {
    let run = repo.sdp(["q", body, "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

const FACTS: &str = "return g.specs().map((spec) => [spec.id, spec.deliveryFacts])";

#[test]
fn what_nothing_binds_has_earned_nothing() {
    let repo = shop();
    assert_eq!(
        asked(&repo, FACTS),
        json!([["spec:shop.order", []], ["spec:shop.order.kept", []], ["spec:shop.words", []]])
    );
    let ids: Vec<String> =
        checked(&repo).stderr.lines().map(|line| line.split(" — ").take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        ids,
        [
            "specs/kept.sdp.md:2 [warning] honesty/gaps",
            "specs/kept.sdp.md:7 [warning] conformance/verifies-linkage",
            "specs/order.sdp.md:2 [warning] honesty/gaps",
        ]
    );
}

#[test]
fn bindings_earn_facts_and_close_gaps() {
    let repo = bound_shop();
    assert_eq!(
        asked(&repo, FACTS),
        json!([
            ["spec:shop.order", ["implemented", "has-verifier"]],
            ["spec:shop.order.kept", ["has-verifier"]],
            ["spec:shop.words", []],
        ])
    );
    let run = checked(&repo);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let body = "const { implementations, references, verifiers, oracle } = g.specContext('spec:shop.order');
        return [implementations, references, verifiers.map(({ verifierId, via, enabled }) => [verifierId, via, enabled]), oracle]";
    assert_eq!(
        asked(&repo, body),
        json!([
            [{ "codeId": "impl:order.place", "claim": "anchored", "label": "Places", "file": "src/order.rs", "line": 1 }],
            [],
            [["spec:shop.order.kept", "example", true]],
            { "anchorId": "oracle:order", "claim": "anchored", "file": "tests/order.rs", "line": 1 },
        ])
    );
    assert_eq!(
        asked(&repo, "return g.packContext('pack:shop').verifierGaps.map((gap) => gap.id)"),
        json!(["spec:shop.words"])
    );
}

#[test]
fn a_binding_that_is_removed_takes_its_fact_along() {
    let repo = bound_shop();
    repo.write("tests/order.rs", "#[test]\nfn keeps() {}\n");
    assert_eq!(
        asked(&repo, FACTS),
        json!([["spec:shop.order", ["implemented"]], ["spec:shop.order.kept", []], ["spec:shop.words", []]])
    );
    assert_eq!(checked(&repo).stderr.matches("honesty/gaps").count(), 2);
}

#[test]
fn a_changed_source_names_the_specs_that_it_binds() {
    let repo = bound_shop();
    let radius = asked(&repo, "return g.blastRadius(['src/order.rs', './tests/order.rs', 'src/other.rs'])");
    assert_eq!(radius["changedFiles"], json!(["src/order.rs", "src/other.rs", "tests/order.rs"]));
    assert_eq!(radius["coverageUnknown"], json!(["src/other.rs"]));
    assert_eq!(radius["unlinked"], json!([{ "file": "src/order.rs", "id": "impl:order.log" }]));
    let through = |file: &str, id: &str, relation: &str| json!({ "file": file, "throughBinding": { "id": id, "edgeType": relation, "claim": "anchored" } });
    assert_eq!(
        radius["impactedSpecs"],
        json!([
            { "id": "spec:shop.order", "reasons": [
                through("src/order.rs", "impl:order.place", "satisfies"),
                through("tests/order.rs", "oracle:order", "models"),
            ] },
            { "id": "spec:shop.order.kept", "reasons": [through("tests/order.rs", "test:order.kept", "verifies")] },
            { "id": "spec:shop.words", "reasons": [through("src/order.rs", "impl:order.words", "references")] },
        ])
    );
}

#[test]
#[sdp::verifies("spec:sdp.reader.bindings")]
fn a_source_file_says_what_stands_in_it() {
    let repo = bound_shop();
    assert_eq!(
        asked(&repo, "return ['tests/order.rs', './src/order.rs', 'src/other.rs'].map((path) => g.byFile(path))"),
        json!([
            {
                "path": "tests/order.rs",
                "nodes": [
                    { "id": "oracle:order", "nodeType": "Anchor", "line": 1 },
                    { "id": "test:order.kept", "nodeType": "Anchor", "line": 6 },
                ],
                "specs": ["spec:shop.order", "spec:shop.order.kept"],
            },
            {
                "path": "src/order.rs",
                "nodes": [
                    { "id": "impl:order.log", "nodeType": "CodeNode", "line": 4 },
                    { "id": "impl:order.place", "nodeType": "CodeNode", "line": 1 },
                    { "id": "impl:order.words", "nodeType": "CodeNode", "line": 7 },
                ],
                "specs": ["spec:shop.order", "spec:shop.words"],
            },
            { "path": "src/other.rs", "nodes": [], "specs": [] },
        ])
    );
}

#[test]
#[sdp::verifies("spec:sdp.graph")]
fn two_runs_and_any_number_of_threads_give_the_same_bytes() {
    let repo = specs().file("src/lib.rs", ATTRIBUTES);
    for number in 0..40 {
        repo.write(&format!("src/m{number}.rs"), format!("// @sdpAnchor impl:m{number}\n// @sdpSatisfies spec:b\n"));
    }
    let first = extracted(&repo).graph.to_json().unwrap();
    assert_eq!(extracted(&repo).graph.to_json().unwrap(), first);
    let body = "return graph";
    let one = repo.command(["q", body, "--json"]).env("RAYON_NUM_THREADS", "1").run();
    let many = repo.command(["q", body, "--json"]).env("RAYON_NUM_THREADS", "7").run();
    assert_eq!(one, many);
    assert!(one.stdout.contains("impl:m39"), "{}", one.stderr);
}
