//! Constants: which calls count, each field, each message.

use super::*;
use crate::model::EdgeType;
use crate::typescript::PACKAGE;

const CONTRACT: &str = "— an anchor asserts a binding only, never system-truth content";

/// What constants below the import give.
fn constants(text: &str) -> Vec<String> {
    given(&format!("{IMPORT}\n{text}\n"))
}

/// What one anchor of code gives, with these fields beside its id.
fn code(fields: &str) -> Vec<String> {
    constants(&format!("const a = codeAnchor({{ id: \"impl:a\", {fields} }});"))
}

#[test]
fn every_field_is_read_at_its_line() {
    let text = format!(
        "{IMPORT}
export const orders = codeAnchor({{
  id: codeAnchorId(\"component:shop.orders\"),
  label: `Orders`,
  satisfies: [
    ref(\"spec:shop.order\"),
    \"spec:shop.refund\" as SpecId,
  ],
  component: componentAnchorId(\"component:shop\"),
  uses: [codeAnchorId(\"impl:shop.pay\"), componentAnchorId(\"component:shop.mail\")],
  references: [\"spec:shop.vocabulary\"],
  role: (\"handler\"), \"layer\": \"domain\", context: \"ordering\" as const,
}});
const t = specTest({{ id: testAnchorId(\"test:a\"), verifies: \"spec:a\" }}), o = specOracle({{ id: \"oracle:a\", models: ref(\"spec:a\") }});
"
    );
    let Read { anchors, findings, .. } = read_text(&text);
    assert_eq!(findings, []);
    let [orders, test, oracle] = &anchors[..] else { panic!("{anchors:#?}") };
    assert_eq!(
        (orders.id.as_str(), orders.line, orders.label.as_deref()),
        ("component:shop.orders", 2, Some("Orders"))
    );
    assert_eq!(
        (orders.role.as_deref(), orders.layer.as_deref(), orders.context.as_deref()),
        (Some("handler"), Some("domain"), Some("ordering"))
    );
    let bindings: Vec<(EdgeType, &str, u32)> =
        orders.bindings.iter().map(|binding| (binding.edge_type, binding.target.as_str(), binding.line)).collect();
    assert_eq!(
        bindings,
        [
            (EdgeType::Satisfies, "spec:shop.order", 6),
            (EdgeType::Satisfies, "spec:shop.refund", 7),
            (EdgeType::MemberOf, "component:shop", 9),
            (EdgeType::Uses, "impl:shop.pay", 10),
            (EdgeType::Uses, "component:shop.mail", 10),
            (EdgeType::References, "spec:shop.vocabulary", 11),
        ]
    );
    assert_eq!((test.id.as_str(), test.bindings[0].edge_type), ("test:a", EdgeType::Verifies));
    assert_eq!((oracle.id.as_str(), oracle.bindings[0].edge_type), ("oracle:a", EdgeType::Models));
    assert!(anchors.iter().all(|anchor| anchor.symbol.is_none()));
}

#[test]
fn an_anchor_of_code_may_state_its_id_alone() {
    assert_eq!(constants("const a = codeAnchor({ id: \"api:a\" });"), ["api:a@2"]);
    assert_eq!(code("references: [ref(\"spec:a\")]"), ["impl:a@2"]);
}

#[test]
fn only_the_builders_of_trusted_modules_count() {
    let anchor = "({ id: \"impl:a\" });";
    let unimported =
        "1 [warning] unresolved-anchor \"codeAnchor(…)\" is brought in by no import, so this call binds nothing";
    let other = format!(
        "1 [warning] unresolved-anchor \"codeAnchor(…)\" comes from \"{PACKAGE}/other\", which is not trusted, so this call binds nothing"
    );
    let lookalike = "1 [warning] unresolved-anchor \"codeAnchor(…)\" comes from \"lookalike\", which is not trusted, so this call binds nothing";
    let cases: &[(String, &[&str])] = &[
        (format!("import {{ codeAnchor as c }} from \"{PACKAGE}\"; const a = c{anchor}"), &["impl:a@1"]),
        (format!("import * as sdp from '{PACKAGE}/anchors'; const a = sdp.codeAnchor{anchor}"), &["impl:a@1"]),
        (format!("import sdp from \"{PACKAGE}\"; const a = sdp.codeAnchor{anchor}"), &["impl:a@1"]),
        (format!("import type {{ codeAnchor }} from \"{PACKAGE}\"; const a = codeAnchor{anchor}"), &["impl:a@1"]),
        (format!("const {{ codeAnchor }} = require(\"{PACKAGE}\"); const a = codeAnchor{anchor}"), &[unimported]),
        (format!("import {{ codeAnchor }} from \"{PACKAGE}/other\"; const a = codeAnchor{anchor}"), &[&other]),
        (
            format!("import {{ codeAnchor }} from \"lookalike\"; /* {PACKAGE} */ const a = codeAnchor{anchor}"),
            &[lookalike],
        ),
        (format!("import * as sdp from \"{PACKAGE}\"; const a = sdp[\"codeAnchor\"]{anchor}"), &[]),
        (
            format!("import {{ specOracle }} from \"{PACKAGE}\"; const codeAnchor = f; const a = codeAnchor{anchor}"),
            &[unimported],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(given(text), *expected, "{text}");
    }
}

#[test]
fn a_function_of_the_same_name_that_makes_no_anchor_is_passed_over() {
    for text in [
        "import { specTest } from './kit'; const a = specTest({ id: 'first', run });",
        "import { specTest } from './kit'; const a = specTest('test:a');",
        "import { specTest } from './kit'; specTest({ id: 'test:a' });",
        "import { specTest } from './kit'; const a = specTest({ id: 'spec:a' }), b = specTest({ id: id });",
        "import { codeAnchor as other } from './kit'; const a = kit.codeAnchor({ id: 'impl:a' });",
        "import { other as codeAnchor } from './kit'; const a = codeAnchor({ id: 'impl:a' });",
    ] {
        assert_eq!(given(text), Vec::<String>::new(), "{text}");
    }
    let aliased = "import { specTest as t } from './kit'; const a = t({ id: testAnchorId('test:a') });";
    assert_eq!(
        given(aliased),
        [
            "1 [warning] unresolved-anchor \"specTest(…)\" comes from \"./kit\", which is not trusted, so this call binds nothing"
        ]
    );
}

#[test]
fn a_configured_module_counts_by_its_specifier_or_its_path_and_is_told_apart() {
    let modules = ["@acme/sdp", "src/model/code-anchor.ts", "lib/index.ts"].map(str::to_owned).to_vec();
    let modules = Modules::new(modules);
    let of = |file: &str, specifier: &str| {
        let text =
            format!("import {{ codeAnchor }} from \"{specifier}\";\nconst a = codeAnchor({{ id: \"impl:a\" }});\n");
        let Read { anchors, findings, used_modules } = read(file, &text, &modules);
        // A call is read, or it is named.
        let ids: Vec<FindingId> = findings.iter().map(|finding| finding.id).collect();
        assert_eq!(ids, if anchors.is_empty() { vec![FindingId::UnresolvedAnchor] } else { vec![] }, "{specifier}");
        (anchors.len(), used_modules)
    };
    assert_eq!(of("src/a.ts", "@acme/sdp"), (1, vec![0]));
    for (file, specifier) in [
        ("src/a.ts", "./model/code-anchor.js"),
        ("src/a.ts", "./model/code-anchor"),
        ("src/model/a.tsx", "./code-anchor.ts"),
        ("test/deep/a.ts", "../../src/./model/code-anchor.js"),
    ] {
        assert_eq!(of(file, specifier), (1, vec![1]), "{file} {specifier}");
    }
    assert_eq!(of("src/a.ts", "../lib"), (1, vec![2]));
    for (file, specifier) in [
        ("src/a.ts", "@acme/other"),
        ("src/a.ts", "src/model/code-anchor.ts"),
        ("src/a.ts", "../../src/model/code-anchor.js"),
        ("other/a.ts", "./model/code-anchor.js"),
    ] {
        // The second is written as the path itself: it counts as a specifier.
        let expected = if specifier == "src/model/code-anchor.ts" { (1, vec![1]) } else { (0, vec![]) };
        assert_eq!(of(file, specifier), expected, "{file} {specifier}");
    }
    let unused = read("src/a.ts", "import { other } from \"@acme/sdp\";\nlet a = 1;\n", &modules);
    assert_eq!(unused, Read { used_modules: vec![0], ..Read::default() });
}

#[test]
fn what_a_call_holds_is_refused_in_the_words_of_the_protocol() {
    let missing = |field: &str| {
        format!(
            "2 [error] non-static-envelope anchor field \"{field}\" is missing — the binding cannot be constructed without it"
        )
    };
    let argument = |builder: &str| {
        format!("2 [error] non-static-envelope {builder}(…) must take exactly one fresh object literal argument")
    };
    let fresh = "2 [error] non-static-envelope the anchor object literal must be fresh: only plain property assignments are static (a spread or shorthand entry could carry binding fields opaquely)".to_owned();
    let computed = "2 [error] non-static-envelope computed property names are non-static".to_owned();
    let repeated = "2 [error] non-static-envelope property \"verifies\" is authored more than once in this carrier (ambiguity is loud, L2); evaluation would keep the last value silently, so the carrier is not extracted".to_owned();
    let cases: &[(&str, &[String])] = &[
        ("const a = codeAnchor();", &[argument("codeAnchor")]),
        ("const a = specTest(x);", &[argument("specTest")]),
        ("const a = specOracle({}, 1);", &[argument("specOracle")]),
        ("const a = codeAnchor(...x);", &[argument("codeAnchor")]),
        ("const a = codeAnchor({ id: \"impl:a\" } satisfies X);", &[argument("codeAnchor")]),
        ("const a = codeAnchor({});", &[missing("id")]),
        ("const a = specTest({});", &[missing("id"), missing("verifies")]),
        ("const a = specOracle({ id: \"oracle:a\" });", &[missing("models")]),
        ("const a = specTest({ ...b });", std::slice::from_ref(&fresh)),
        ("const a = specTest({ id, verifies });", &[fresh.clone(), fresh.clone()]),
        ("const a = specTest({ id });", &[fresh.clone(), missing("verifies")]),
        ("const a = specTest({ other });", &[fresh.clone(), missing("id"), missing("verifies")]),
        ("const a = specTest({ id() {} });", std::slice::from_ref(&fresh)),
        ("const a = specTest({ get verifies() { return 1 } });", std::slice::from_ref(&fresh)),
        ("const a = specTest({ verifies, verifies: 1 });", &[fresh.clone(), repeated, missing("id")]),
        ("const a = specTest({ [x]: 1 });", std::slice::from_ref(&computed)),
        ("const a = codeAnchor({ id: \"impl:a\", 1: 2 });", std::slice::from_ref(&computed)),
    ];
    for (text, expected) in cases {
        assert_eq!(constants(text), *expected, "{text}");
    }
}

#[test]
fn what_a_field_holds_is_refused_in_the_words_of_the_protocol() {
    let id = "accepts only \"impl\" · \"api\" · \"component\" — the builder's own contract, restated statically";
    let cases: &[(&str, &[&str])] = &[
        ("satisfies: SPEC", &["non-static-envelope anchor field \"satisfies\" did not reify: Identifier STATIC"]),
        (
            "satisfies: [\"spec:a\", f()]",
            &["non-static-envelope anchor field \"satisfies[1]\" did not reify: CallExpression STATIC"],
        ),
        (
            "satisfies: [, ...x]",
            &[
                "non-static-envelope anchor field \"satisfies[0]\" did not reify: OmittedExpression STATIC",
                "non-static-envelope anchor field \"satisfies[1]\" did not reify: SpreadElement STATIC",
            ],
        ),
        ("satisfies: ref(SPEC)", &["non-static-envelope anchor field \"satisfies\" did not reify: Identifier STATIC"]),
        (
            "uses: [codeAnchorId(...x)]",
            &["non-static-envelope anchor field \"uses[0]\" did not reify: SpreadElement STATIC"],
        ),
        (
            "satisfies: ref(\"spec:a\", \"spec:b\")",
            &[
                "non-static-envelope anchor field \"satisfies\" did not reify: id builder must wrap exactly one string literal",
            ],
        ),
        (
            "satisfies: []",
            &["non-static-envelope anchor field \"satisfies\" must name at least one target when present"],
        ),
        (
            "satisfies: [\"spec:a\", ref(\"spec:a\")]",
            &[
                "non-static-envelope anchor target \"spec:a\" is authored more than once in \"satisfies\" (ambiguity is loud, L2); one edge per target, so the anchor is not extracted",
            ],
        ),
        (
            "satisfies: \"pack:x\"",
            &[
                "invalid-id anchor field \"satisfies\" did not reify: id \"pack:x\" carries namespace \"pack\" where \"spec\" is required",
            ],
        ),
        (
            "satisfies: ref(\"spec:a#rule.b\")",
            &[
                "invalid-id anchor field \"satisfies\" did not reify: Invalid ID \"spec:a#rule.b\": an entry address is not a Spec id",
            ],
        ),
        (
            "component: \"component:c\"",
            &[
                "non-static-envelope anchor field \"component\" did not reify: component must use componentAnchorId(…) with one string literal",
            ],
        ),
        (
            "component: componentAnchorId(\"impl:c\")",
            &[
                "invalid-id anchor field \"component\" did not reify: id \"impl:c\" carries namespace \"impl\" where componentAnchorId(…) accepts only \"component\" — the builder's own contract, restated statically",
            ],
        ),
        (
            "uses: codeAnchorId(\"impl:b\")",
            &[
                "non-static-envelope anchor field \"uses\" must be a fresh array literal of codeAnchorId(…) or componentAnchorId(…) references",
            ],
        ),
        (
            "references: ref(\"spec:b\")",
            &["non-static-envelope anchor field \"references\" must be a fresh array literal of ref(…) references"],
        ),
        (
            "uses: [\"impl:b\", testAnchorId(\"test:b\"), ...x]",
            &[
                "non-static-envelope anchor field \"uses[0]\" did not reify: uses[0] must use codeAnchorId(…) or componentAnchorId(…) with one string literal",
                "non-static-envelope anchor field \"uses[1]\" did not reify: uses[1] must use codeAnchorId(…) or componentAnchorId(…) with one string literal",
                "non-static-envelope anchor field \"uses[2]\" did not reify: uses[2] must use codeAnchorId(…) or componentAnchorId(…) with one string literal",
            ],
        ),
        (
            "uses: [codeAnchorId(\"test:b\")]",
            &[&format!(
                "invalid-id anchor field \"uses[0]\" did not reify: id \"test:b\" carries namespace \"test\" where codeAnchorId(…) {id}"
            )],
        ),
        (
            "uses: [], references: []",
            &[
                "structural-anchors anchor field \"uses\" must be non-empty when present",
                "structural-anchors anchor field \"references\" must be non-empty when present",
            ],
        ),
        (
            "satisfies: \"spec:a\", references: [ref(\"spec:a\")]",
            &[
                "structural-anchors Spec \"spec:a\" is named in both \"satisfies\" and \"references\"; a realized target is not also a design reference.",
            ],
        ),
        (
            "role: \"A b\"",
            &[
                "non-static-envelope anchor field \"role\" reified to \"A b\", which is not one token of the form ^[a-z][a-z0-9-]*$ — role and context are vocabulary, never prose",
            ],
        ),
        ("role: x", &["non-static-envelope anchor field \"role\" did not reify: Identifier STATIC"]),
        (
            "layer: LAYER, context: \"Ordering\"",
            &[
                "non-static-envelope anchor field \"layer\" did not reify: Identifier STATIC",
                "non-static-envelope anchor field \"layer\" belongs to a component: anchor only; \"impl:a\" declares no component",
                "non-static-envelope anchor field \"context\" belongs to a component: anchor only; \"impl:a\" declares no component",
                "non-static-envelope anchor field \"context\" reified to \"Ordering\", which is not one token of the form ^[a-z][a-z0-9-]*$ — role and context are vocabulary, never prose",
            ],
        ),
        (
            "layer: \"domain\"",
            &[
                "non-static-envelope anchor field \"layer\" belongs to a component: anchor only; \"impl:a\" declares no component",
            ],
        ),
        (
            "verifies: \"spec:a\"",
            &[&format!(
                "non-static-envelope anchor field \"verifies\" is outside the binding contract (id · satisfies · label · component · uses · references · role · layer · context) {CONTRACT}"
            )],
        ),
        (
            "satisfies: \"spec:a\", satisfies: \"spec:b\"",
            &[
                "non-static-envelope property \"satisfies\" is authored more than once in this carrier (ambiguity is loud, L2); evaluation would keep the last value silently, so the carrier is not extracted",
            ],
        ),
        (
            "satisfies: \"\\uD800\"",
            &[
                "non-static-envelope anchor field \"satisfies\" did not reify: the string holds half of a surrogate pair",
            ],
        ),
    ];
    for (fields, expected) in cases {
        let expected: Vec<String> = expected.iter().map(|line| format!("2 [error] {line}")).collect();
        assert_eq!(code(fields), expected, "{fields}");
    }
}

#[test]
fn a_test_and_an_oracle_have_contracts_of_their_own() {
    assert_eq!(
        constants("const a = specTest({ id: \"test:a\", verifies: [\"spec:a\"], component: x });"),
        [format!(
            "2 [error] non-static-envelope anchor field \"component\" is outside the binding contract (id · verifies · label) {CONTRACT}"
        )]
    );
    assert_eq!(
        constants("const a = specOracle({ id: \"oracle:a\", models: [\"spec:a\"], lable: 1 });"),
        [
            "2 [error] non-static-envelope anchor field \"models\" did not reify: ArrayLiteralExpression STATIC"
                .to_owned(),
            format!(
                "2 [error] non-static-envelope anchor field \"lable\" is outside the binding contract (id · models · label) {CONTRACT}"
            ),
        ]
    );
    let wrong = |text: &str| constants(text).concat();
    assert!(wrong("const a = codeAnchor({ id: \"test:a\" });").ends_with("did not reify: id \"test:a\" carries namespace \"test\" where one of \"impl\" · \"api\" · \"component\" is required"));
    assert!(wrong("const a = specTest({ id: testAnchorId(\"impl:a\"), verifies: \"spec:a\" });").ends_with("did not reify: id \"impl:a\" carries namespace \"impl\" where testAnchorId(…) accepts only \"test\" — the builder's own contract, restated statically"));
    assert!(
        wrong("const a = specOracle({ id: \"test:a\", models: \"spec:a\" });")
            .ends_with("where \"oracle\" is required")
    );
}

#[test]
fn findings_name_the_anchor_the_field_and_the_line_of_the_protocol() {
    let text = format!(
        "{IMPORT}
const a = codeAnchor({{
  readiness: \"ready\",
  uses:
    [
      codeAnchorId(\"impl:b\"),
      codeAnchorId(\"impl:b\"),
    ],
  satisfies: [
    \"spec:a\",
    SPEC,
  ],
  label:
    name,
  id: \"impl:a\",
}});
"
    );
    let read = read_text(&text);
    let places: Vec<_> = read
        .findings
        .iter()
        .map(|finding| (finding.line.unwrap(), finding.path.as_deref().unwrap(), finding.related.as_deref()))
        .collect();
    assert_eq!(
        places,
        [(3, "readiness", None), (11, "satisfies[1]", None), (14, "label", None), (4, "uses", Some("impl:b"))]
    );
    assert!(
        read.findings
            .iter()
            .all(|finding| finding.subject.as_deref() == Some("impl:a") && !finding.remedy().is_empty())
    );
    assert_eq!(read.anchors, []);
    // An id that is none names nothing.
    let read =
        read_text(&format!("{IMPORT}\nconst a = codeAnchor({{ id: \"impl:a_b\", layer: \"domain\", x: 1 }});\n"));
    assert_eq!(read.findings.len(), 2, "whether it is a component is not known: {:#?}", read.findings);
    assert!(read.findings.iter().all(|finding| finding.subject.is_none()));
}

#[test]
fn a_label_that_is_not_static_is_dropped_and_the_anchor_stays() {
    assert_eq!(
        code("label: name"),
        ["impl:a@2", "2 [warning] non-static-section property \"label\" dropped: at \"label\", Identifier STATIC"]
    );
    assert_eq!(
        code("label: `a ${b}`"),
        [
            "impl:a@2",
            "2 [warning] non-static-section property \"label\" dropped: at \"label\", TemplateExpression STATIC"
        ]
    );
}

#[test]
fn a_near_name_is_advised() {
    let text =
        format!("{IMPORT}\nconst a = codeAnchor({{ id: \"impl:a\", satisfys: \"spec:a\", implemented: true }});\n");
    let remedies: Vec<String> = read_text(&text).findings.iter().map(|finding| finding.remedy().to_owned()).collect();
    assert_eq!(remedies, ["did you mean `satisfies`?", "an anchor of code satisfies or references Specs"]);
}

#[test]
fn a_remedy_says_what_to_write_for_an_id() {
    const FOLLOW: &str = "; segments of letters, digits and `-` follow, with dots between";
    const ONLY: &str = "import { codeAnchor } from \"@libar-dev/software-delivery-protocol/anchors\";";
    let import =
        |name: &str| format!("import it: `import {{ {name} }} from \"@libar-dev/software-delivery-protocol\"`");
    let code = format!("the id opens with `impl:`, `api:` or `component:`{FOLLOW}");
    for (head, argument, remedy) in [
        (IMPORT, "{ id: \"test:a\" }", code.clone()),
        (IMPORT, "{ id: \"impl:a_b\" }", code),
        (
            IMPORT,
            "{ id: componentAnchorId(\"impl:a\") }",
            format!("in componentAnchorId(…) the id opens with `component:`{FOLLOW}"),
        ),
        (
            IMPORT,
            "{ id: testAnchorId(\"test:a\") }",
            "take the builder that belongs here: testAnchorId is none".to_owned(),
        ),
        (
            IMPORT,
            "{ id: \"impl:a\", satisfies: [ref(\"impl:b\")] }",
            format!("in ref(…) the id opens with `spec:`{FOLLOW}"),
        ),
        (ONLY, "{ id: codeAnchorId(\"impl:a\") }", import("codeAnchorId")),
        (ONLY, "{ id: \"impl:a\", satisfies: ref(\"spec:b\") }", import("ref")),
        (ONLY, "{ id: \"impl:a\", uses: [codeAnchorId(\"impl:b\")] }", import("codeAnchorId")),
        (
            IMPORT,
            "{ id: \"impl:a\" } satisfies object",
            "write the object alone: only `as` may stand behind it".to_owned(),
        ),
    ] {
        let findings = read_text(&format!("{head}\nconst a = codeAnchor({argument});\n")).findings;
        let remedies: Vec<&str> = findings.iter().map(|finding| finding.remedy()).collect();
        assert_eq!(remedies, [remedy], "{argument}");
    }
}

#[test]
fn a_call_elsewhere_warns_and_binds_nothing() {
    let anchor = |builder: &str, line: u32| {
        format!(
            "{line} [warning] misplaced-authoring \"{builder}(…)\" call is outside its recognized authoring surface and is not extracted — an anchor binds through a top-level const declaration (the anchor-constant form)"
        )
    };
    let carrier = |builder: &str, line: u32| {
        format!(
            "{line} [warning] misplaced-authoring \"{builder}(…)\" call is outside its recognized authoring surface and is not extracted — spec(…)/pack(…) calls are extracted from *.sdp.ts files only (the .sdp.ts extension, MD-15)"
        )
    };
    assert_eq!(
        constants(
            "let a = codeAnchor({ id: \"impl:a\" });\ncodeAnchor({});\nconst b = specOracle({}) satisfies X;\nconst s = spec({ id: \"spec:a\" }), p = pack();\nconst c = codeAnchor({ id: \"impl:c\" });"
        ),
        [
            "impl:c@6".to_owned(),
            anchor("codeAnchor", 2),
            anchor("codeAnchor", 3),
            anchor("specOracle", 4),
            carrier("spec", 5),
            carrier("pack", 5)
        ]
    );
}

#[test]
fn constants_bind_among_all_that_typescript_holds() {
    let text = format!(
        "{IMPORT}
@dec({{ a: 1 }}) export class A<T> {{ @dec private x?: T; constructor(readonly y = 1) {{}} }}
enum E {{ A = 1, B }}
const enum F {{ A }}
const a = codeAnchor({{ id: \"impl:a\" }}) as const;
namespace N {{ export const x = {{ a: 1 }} satisfies object; }}
declare module \"x\" {{ export const y: number; }}
using file = open();
await using other = open();
const C = () => <T.X {{...e}} a=\"it's\">{{/* x */}} text <b>{{c}}</b></T.X>;
abstract class B {{ accessor x = 1; static {{ f(); }} declare y: number; override z() {{}} }}
export const d = (codeAnchor({{ id: \"impl:d\" }}) as any);
type G<T> = T extends (infer U)[] ? U : never;
function assert(x: unknown): asserts x is string {{}}
export default {{}};
const e = <T,>(x: T) => x!;
const f = specTest({{ id: \"test:f\", verifies: \"spec:a\" }});
"
    );
    assert_eq!(read_text(&text).findings[0].id, FindingId::ParseError, "JSX is none in .ts");
    let read = read("src/a.tsx", &text, &Modules::default());
    assert_eq!(read.findings, []);
    let ids: Vec<_> = read.anchors.iter().map(|anchor| (anchor.id.as_str(), anchor.line)).collect();
    assert_eq!(ids, [("impl:a", 5), ("impl:d", 12), ("test:f", 17)]);
}

#[test]
fn a_file_that_does_not_parse_gives_one_finding_and_nothing_else() {
    let read = read_text(&format!(
        "/** @sdpAnchor impl:b */\n{IMPORT}\nconst a = codeAnchor({{ id: \"impl:a\" }});\nconst b = codeAnchor({{ ;\n"
    ));
    assert_eq!((read.anchors.len(), read.findings.len()), (0, 1));
    let finding = &read.findings[0];
    assert_eq!((finding.id, finding.line), (FindingId::ParseError, Some(4)));
    assert!(finding.message.starts_with("the file does not parse: "), "{}", finding.message);
    assert!(finding.message.ends_with("excluded from the graph (ambiguity is loud, L2)"), "{}", finding.message);
}
