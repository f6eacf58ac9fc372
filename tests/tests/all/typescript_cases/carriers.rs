//! The recorded answers for `*.sdp.ts` carriers.

use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::extract;
use sdp_tests::Repo;
use serde_json::{Value, json};

use super::{Differs, DiffersInGraph, cases, differences};

const MISTYPED: &str = "sdp/mistyped-property";
const PROPERTY: &str = "extract/unrecognized-property";
const RESERVED: &str = "extract/reserved-property";
const FACT: &str = "honesty/authoring-shape";

/// The file that most cases consist of.
const ONE: &str = "x.sdp.ts";

const TYPED: &str =
    "sections are typed: a value of another kind refuses the Spec, where the reference keeps it as it is";
const AT_ONCE: &str = "what the reference finds in its graph alone is found in the carrier already";
const INTEGERS: &str = "keys like integers are refused (newest sheet part 2)";

const FILES: &[Differs] = &[
    Differs { case: "typescript/ts", file: "040-sec-string.sdp.ts", found: &[(MISTYPED, 2)], reason: TYPED },
    Differs { case: "typescript/ts", file: "050-sec-fact.sdp.ts", found: &[(FACT, 2)], reason: AT_ONCE },
    Differs {
        case: "typescript/ts",
        file: "051-sec-claim.sdp.ts",
        found: &[(RESERVED, 2)],
        reason: "the reference drops the name without a word when it writes the graph",
    },
    Differs {
        case: "typescript/ts",
        file: "052-terms-desc.sdp.ts",
        found: &[],
        reason: "a term may be named `description` (newest sheet part 2)",
    },
    Differs { case: "typescript/ts", file: "054-constr-obj.sdp.ts", found: &[(MISTYPED, 2)], reason: TYPED },
    Differs { case: "typescript/ts", file: "056-design-nested.sdp.ts", found: &[(PROPERTY, 2)], reason: INTEGERS },
    Differs { case: "typescript/ts1-constr-arr-str", file: ONE, found: &[(MISTYPED, 2)], reason: TYPED },
    Differs { case: "typescript/ts1-constr-obj", file: ONE, found: &[(MISTYPED, 2)], reason: TYPED },
    Differs { case: "typescript/ts1-constr-str", file: ONE, found: &[(MISTYPED, 2)], reason: TYPED },
    Differs { case: "typescript/ts1-ex-notarr", file: ONE, found: &[(MISTYPED, 2)], reason: TYPED },
    Differs { case: "typescript/ts1-ex-num", file: ONE, found: &[(MISTYPED, 2), (MISTYPED, 2)], reason: TYPED },
    Differs { case: "typescript/ts1-fact", file: ONE, found: &[(RESERVED, 2), (FACT, 2)], reason: AT_ONCE },
    Differs { case: "typescript/ts1-intent-arr", file: ONE, found: &[(MISTYPED, 2)], reason: TYPED },
    Differs { case: "typescript/ts1-intent-str", file: ONE, found: &[(MISTYPED, 2)], reason: TYPED },
    Differs { case: "typescript/ts1-nested", file: ONE, found: &[(PROPERTY, 2), (PROPERTY, 2)], reason: INTEGERS },
    Differs {
        case: "typescript/ts1-nonascii",
        file: ONE,
        found: &[("extract/non-static-section", 2)],
        reason: "half of a surrogate pair is no text: UTF-8 does not hold it",
    },
    Differs { case: "typescript/ts1-oq-notarr", file: ONE, found: &[(MISTYPED, 2)], reason: TYPED },
    Differs { case: "typescript/ts1-oq-str", file: ONE, found: &[(MISTYPED, 2)], reason: TYPED },
    Differs {
        case: "typescript/ts1-rules-num",
        file: ONE,
        found: &[(PROPERTY, 2), (MISTYPED, 2), (MISTYPED, 2), (MISTYPED, 2), (MISTYPED, 2)],
        reason: TYPED,
    },
    Differs { case: "typescript/ts1-terms-num", file: ONE, found: &[(PROPERTY, 2), (MISTYPED, 2)], reason: INTEGERS },
];

const WITHHELD: &str = "an error refuses the Spec";
const NUMBERS: &str = "numbers are JavaScript's: `1e21` is not 1";

const GRAPHS: &[DiffersInGraph] = &[
    ("typescript/ts", "node spec:t.n31", WITHHELD),
    ("typescript/ts", "node spec:t.n41", WITHHELD),
    ("typescript/ts", "node spec:t.n42", WITHHELD),
    ("typescript/ts", "node spec:t.n43", "the term `description` refuses it no longer"),
    ("typescript/ts", "node spec:t.n45", WITHHELD),
    ("typescript/ts", "node spec:t.n46", NUMBERS),
    ("typescript/ts1-constr-arr-str", "node spec:t.n3", WITHHELD),
    ("typescript/ts1-constr-obj", "node spec:t.n1", WITHHELD),
    ("typescript/ts1-constr-str", "node spec:t.n2", WITHHELD),
    ("typescript/ts1-ex-notarr", "node spec:t.n8", WITHHELD),
    ("typescript/ts1-ex-num", "node spec:t.n9", WITHHELD),
    ("typescript/ts1-fact", "node spec:t.n11", WITHHELD),
    ("typescript/ts1-intent-arr", "node spec:t.n5", WITHHELD),
    ("typescript/ts1-intent-str", "node spec:t.n4", WITHHELD),
    ("typescript/ts1-nested", "node spec:t.n13", WITHHELD),
    ("typescript/ts1-nonascii", "node spec:t.n20", "its title is dropped"),
    ("typescript/ts1-nums", "node spec:t.n12", NUMBERS),
    ("typescript/ts1-oq-notarr", "node spec:t.n7", WITHHELD),
    ("typescript/ts1-oq-str", "node spec:t.n6", WITHHELD),
    ("typescript/ts1-rules-num", "node spec:t.n10", WITHHELD),
    ("typescript/ts1-terms-num", "node spec:t.n15", WITHHELD),
];

/// Whether a case is one of carriers.
pub(super) fn is_one(name: &str) -> bool {
    name.starts_with("typescript/ts") || name == "typescript/hookimp"
}

#[sdp::verifies("spec:sdp.carriers.typescript")]
#[test]
fn recorded_typescript_carriers_answer_as_the_reference_does() {
    let Some(cases) = cases() else { return };
    let cases: Vec<&Value> = cases.iter().filter(|case| is_one(case["name"].as_str().unwrap())).collect();
    assert_eq!(cases.len(), 21);
    let failures = differences(&cases, FILES, GRAPHS);
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn findings_of_the_checks_stand_at_the_parts_that_they_are_about() {
    let carrier = r#"import { pack, refines, spec } from "@libar-dev/software-delivery-protocol";

export const a = spec({
  id: "spec:a",
  kind: "rule",
  altitude: "epic",
  readiness: "idea",
  title: "A",
  intent: { outcome: "o" },
});

export const b = spec({
  id: "spec:b",
  kind: "behavior",
  altitude: "story",
  readiness: "ready",
  relations: [
    refines("spec:a"),
    refines("spec:gone"),
  ],
  narrative: `It is like

    spec:none.`,
  intent: {
    outcome:
      "It is like spec:never.",
  },
  behavior: {
    examples: [
      { given: ["x"], when: ["y"], then: ["z"] },
    ],
  },
  design: {
    implemented: 1,
    steps: { one: ["spec:no"] },
  },
});

export const p = pack({
  id: "pack:p",
  specs: [
    "spec:a", "spec:lost",
    "spec:b",
  ],
  modelRefs: [
    "spec:a",
  ],
});
"#;
    let repo = Repo::new().file("specs/a.sdp.ts", carrier);
    let run = repo.sdp(["check", "--output", "json"]);
    let findings = run.findings();
    let mut rows: Vec<String> = findings
        .iter()
        .map(|finding| {
            let field = |key: &str| finding[key].as_str().unwrap_or("-");
            let about = [field("id"), field("subjectId"), field("relatedId"), field("path")].join(" ");
            format!("{} {about}", finding["line"])
        })
        .collect();
    rows.sort();
    let expected = [
        "12 honesty/gaps spec:b - -",
        "16 honesty/readiness-floor spec:b all-relations-resolve readiness",
        "16 honesty/readiness-floor spec:b title readiness",
        "16 honesty/readiness-floor spec:b typed-dependency-targets-are-defined readiness",
        "19 conformance/referential-integrity spec:b spec:gone -",
        "23 conformance/prose-mentions spec:b spec:none narrative",
        "26 conformance/prose-mentions spec:b spec:never intent.outcome",
        "34 honesty/authoring-shape spec:b implemented design.implemented",
        "35 conformance/prose-mentions spec:b spec:no design.steps",
        "42 conformance/referential-integrity spec:lost pack:p -",
        "46 conformance/pack-coherence pack:p spec:a modelRefs[0]",
    ];
    assert_eq!(rows, expected, "{}", run.stderr);
}

#[sdp::verifies("spec:sdp.carriers.typescript")]
#[test]
fn a_refused_spec_leaves_its_siblings_and_its_carrier_in_markdown() {
    let carrier = r#"import { spec } from "@libar-dev/software-delivery-protocol";
export const a = spec({ id: "spec:a", kind: "rules", altitude: "story", readiness: "idea" });
export const b = spec({ id: "spec:b", kind: "rule", altitude: "story", readiness: "idea" });
"#;
    let repo = Repo::new().spec("healthy", "  dependsOn: spec:b", "").file("specs/a.sdp.ts", carrier);
    let run = repo.sdp(["check", "--output", "json"]);
    let finding: Value = serde_json::from_str(run.stdout.lines().next().unwrap()).unwrap();
    let finding = &finding["finding"];
    assert_eq!((&finding["id"], &finding["line"]), (&json!("extract/non-static-envelope"), &json!(2)));
    assert_eq!((&finding["subjectId"], &finding["path"]), (&json!("spec:a"), &json!("kind")));
    assert_eq!((&finding["help"], run.code), (&json!("did you mean `rule`?"), Some(1)));
    let extraction = extract(repo.root(), &DiscoverOptions::default());
    assert_eq!(extraction.graph.nodes.iter().map(|node| node.id()).collect::<Vec<_>>(), ["spec:b", "spec:healthy"]);
}

#[test]
fn a_refusal_under_the_id_of_a_check_is_never_allowed_away() {
    let carrier = r#"import { spec } from "@libar-dev/software-delivery-protocol";
export const a = spec({ id: "spec:a", kind: "rule", altitude: "story", readiness: "idea", behavior: { implemented: 1 } });
"#;
    let repo = Repo::new().file("specs/a.sdp.ts", carrier);
    for arguments in [&["-A", "honesty"][..], &["-W", "honesty/authoring-shape"], &["-A", "sdp", "-A", "warnings"]] {
        let run = repo.sdp(["check", "--output", "short"].iter().chain(arguments));
        assert!(run.stderr.starts_with("specs/a.sdp.ts:2 — [error] honesty/authoring-shape — "), "{}", run.stderr);
        assert_eq!(run.code, Some(1));
    }
}
