//! What sections hold and what they refuse.

use serde_json::json;

use super::*;
use crate::model::EntryLine;

fn sections(fields: &str) -> serde_json::Value {
    serde_json::to_value(one(&spec(fields)).sections).unwrap()
}

#[test]
fn every_field_of_every_section_is_read() {
    let read = sections(
        "intent: { description: \"d\", actor: \"a\", problem: \"p\", outcome: \"o\", value: \"v\", risks: [\"r\"], assumptions: [],
  openQuestions: [\"q\", { question: \"r\", blocking: true, key: \"k\" }] },
behavior: { description: \"d\", rules: [\"a\", { rule: \"b\", key: \"k\" }, { rule: \"c\" }], flows: [\"f\"],
  examples: [\"e\", { given: [\"g\"], when: [\"w\"], then: [\"t\"] }], exampleSpace: { given: [\"g\"] } },
constraints: [{ flavor: \"f\", statement: \"s\", target: \"t\", measurableBy: \"m\" }, {}],
model: { description: \"d\", terms: { description: \"x\", a: \"y\" } },
decision: { description: \"d\", context: \"c\", decision: \"e\", rationale: [\"r\"], alternatives: [\"a\"], consequences: [\"q\"] },
verification: { description: \"d\", mode: \"manual\", criteria: [\"c\"] },
design: { z: \"1\", description: \"d\", a: { \"b c\": [1, true, { x: [] }] } },
ui: {}",
    );
    let expected = json!({
        "intent": { "description": "d", "actor": "a", "problem": "p", "outcome": "o", "value": "v", "risks": ["r"],
            "assumptions": [],
            "openQuestions": [{ "question": "q", "blocking": false }, { "question": "r", "blocking": true, "key": "k" }] },
        "behavior": { "description": "d", "rules": ["a", { "rule": "b", "key": "k" }, "c"], "flows": ["f"],
            "examples": ["e", { "given": ["g"], "when": ["w"], "then": ["t"] }],
            "exampleSpace": { "given": ["g"], "when": [], "then": [] } },
        "constraints": [{ "flavor": "f", "statement": "s", "target": "t", "measurableBy": "m" }, {}],
        "model": { "description": "d", "terms": { "description": "x", "a": "y" } },
        "decision": { "description": "d", "context": "c", "decision": "e", "rationale": ["r"], "alternatives": ["a"],
            "consequences": ["q"] },
        "verification": { "description": "d", "mode": "manual", "criteria": ["c"] },
        "design": { "description": "d", "z": "1", "a": { "b c": [1, true, { "x": [] }] } },
        "ui": {},
    });
    assert_eq!(read, expected);
}

#[test]
fn entries_stand_where_they_open() {
    let text = spec(
        "design: {
  description: \"d\",
  b: \"1\", a:
    \"2\" },
ui: { x: 1 },
behavior: { rules: [
  \"r\", {
    key: \"k\",
    rule:
      \"s\" } ] },
intent: { openQuestions: [\"q\",
  { question: \"r\" }] },",
    );
    let entries: Vec<String> = one(&text)
        .entries
        .iter()
        .map(|EntryLine { place, line }| format!("{} {} {line}", place.entry(), place.key().unwrap_or("-")))
        .collect();
    assert_eq!(
        entries,
        [
            "design.b - 5",
            "design.a - 5",
            "ui.x - 7",
            "rule[0] - 9",
            "rule[1] k 11",
            "question[0] - 13",
            "question[1] - 14"
        ]
    );
}

#[test]
fn numbers_are_those_of_javascript() {
    let read = sections(
        "design: { a: 1e21, b: -0, c: 0x10, d: 1_000, e: 1.50, f: -1, g: 9007199254740993, h: 1e-7, i: -(2), j: 0b11, k: 1.0 }",
    );
    let expected = json!({ "a": 1e21, "b": 0, "c": 16, "d": 1000, "e": 1.5, "f": -1, "g": 9007199254740992.0, "h": 1e-7,
        "i": -2, "j": 3, "k": 1 });
    assert_eq!(read["design"], expected);
    assert_eq!(
        found(&spec("design: { a: 1e999, b: -x }")),
        [format!("warning {SECTION} 3 design.a"), format!("warning {SECTION} 3 design.b")]
    );
}

#[test]
fn members_of_objects_drop_one_by_one_and_arrays_whole() {
    let text = spec(
        "design: { ...x, y, m() {}, [c]: 1, 1.5: 2, a: { b: z, c: \"kept\" }, d: [1, { e: z }], f: [, 1], g: [...h],
  a: \"again\", i: [{ j: 1, j: 2 }], k: ref(\"spec:x\"), l: refines(\"spec:x\"), n: f(), o: [{ p }], q: \"\\ud800\", \"\\udc00\": 1 },
behavior: { rules: [\"r\", z], flows: [\"kept\"] }",
    );
    let said: Vec<String> = messages(&text).into_iter().map(|message| message.replace(STATIC, "…")).collect();
    let plain = "only plain property assignments are static (no spreads, shorthand, methods, or accessors)";
    let twice = |name: &str| {
        format!(
            "property \"{name}\" is authored more than once in this carrier (ambiguity is loud, L2); evaluation would keep the last value silently, so"
        )
    };
    let expected = [
        format!("design.<entry>|design.<entry>|{plain}"),
        format!("design.y|design.y|{plain}"),
        format!("design.<entry>|design.<entry>|{plain}"),
        "design|design|computed property names are non-static".to_owned(),
        "design|design|computed property names are non-static".to_owned(),
        "design.a.b|design.a.b|Identifier …".to_owned(),
        "design.d|design.d[1].e|Identifier …".to_owned(),
        "design.f|design.f[0]|OmittedExpression …".to_owned(),
        "design.g|design.g[0]|SpreadElement …".to_owned(),
        format!("design.a|design.a|{} the repeat drops and the first authored value survives", twice("a")),
        format!("design.i|design.i[0].j|{} the value cannot be reified faithfully", twice("j")),
        "design.k|design.k|call to \"ref\" is an id builder outside an id slot — sections carry content, relations carry linkage (MD-10), so a spec reference cannot ride along as content".to_owned(),
        "design.l|design.l|call to \"refines\" is non-static in a value position".to_owned(),
        "design.n|design.n|CallExpression …".to_owned(),
        format!("design.o|design.o[0]|{plain}"),
        "design.q|design.q|the string holds half of a surrogate pair".to_owned(),
        "design|design|computed property names are non-static".to_owned(),
        "behavior.rules|behavior.rules[1]|Identifier …".to_owned(),
    ]
    .map(|row| {
        let mut parts = row.split('|');
        let [dropped, at, why] = [(); 3].map(|()| parts.next().unwrap());
        format!("property \"{dropped}\" dropped: at \"{at}\", {why}")
    });
    assert_eq!(said, expected);
    let Document::Spec(read) = &answer(&text).documents[0] else { panic!() };
    let kept = json!({ "design": { "a": { "c": "kept" } }, "behavior": { "flows": ["kept"] } });
    assert_eq!(serde_json::to_value(&read.sections).unwrap(), kept);
}

const STATIC: &str = crate::typescript::STATIC_GRAMMAR;

#[test]
fn a_name_that_a_section_does_not_have_is_dropped() {
    let text = spec(
        "intent: { outcom: \"o\", openQuestions: [{ question: \"q\", who: \"w\" }] },
behavior: { examples: [{ given: [], but: [] }], exampleSpace: { Given: [] }, rules: [{ rule: \"r\", why: \"w\" }] },
constraints: [{ statement: \"s\", text: \"t\" }], model: { term: {} }, decision: { why: \"w\" }, verification: { modes: \"m\" }",
    );
    let expected = [
        "3 intent.outcom",
        "3 intent.openQuestions[0].who",
        "4 behavior.examples[0].but",
        "4 behavior.exampleSpace.Given",
        "4 behavior.rules[0].why",
        "5 constraints[0].text",
        "5 model.term",
        "5 decision.why",
        "5 verification.modes",
    ]
    .map(|place| format!("warning {PROPERTY} {place}"));
    assert_eq!(found(&text), expected);
    assert_eq!(ids(&text), ["spec:a"]);
}

#[test]
fn a_value_of_another_kind_than_its_field_takes_refuses_the_spec() {
    let rows = [
        ("intent: \"x\"", "intent", "a string where an object"),
        ("intent: { outcome: 5 }", "intent.outcome", "a number where a string"),
        ("intent: { risks: \"r\" }", "intent.risks", "a string where a list of strings"),
        ("intent: { risks: [[]] }", "intent.risks[0]", "a list where a string"),
        ("intent: { openQuestions: {} }", "intent.openQuestions", "an object where a list of questions"),
        ("intent: { openQuestions: [1] }", "intent.openQuestions[0]", "a number where a string or an object"),
        ("intent: { openQuestions: [{ key: \"k\" }] }", "intent.openQuestions[0].question", "missing where a string"),
        (
            "intent: { openQuestions: [{ question: \"q\", blocking: \"yes\" }] }",
            "intent.openQuestions[0].blocking",
            "a string where a boolean",
        ),
        ("behavior: { rules: [true] }", "behavior.rules[0]", "a boolean where a string or an object"),
        (
            "behavior: { examples: [{ given: \"g\" }] }",
            "behavior.examples[0].given",
            "a string where a list of strings",
        ),
        ("behavior: { exampleSpace: [] }", "behavior.exampleSpace", "a list where an object"),
        ("constraints: {}", "constraints", "an object where a list of objects"),
        ("constraints: [\"s\"]", "constraints[0]", "a string where an object"),
        ("constraints: [{ target: 200 }]", "constraints[0].target", "a number where a string"),
        ("model: { terms: { a: 1 } }", "model.terms.a", "a number where a string"),
        ("model: { terms: [] }", "model.terms", "a list where an object"),
        ("decision: { rationale: [\"a\", {}] }", "decision.rationale[1]", "an object where a string"),
        (
            "verification: { mode: \"auto\" }",
            "verification.mode",
            "\"auto\" where one of manual · reviewed · contract · executable",
        ),
        ("design: []", "design", "a list where an object"),
        ("ui: { description: {} }", "ui.description", "an object where a string"),
    ];
    for (fields, path, said) in rows {
        let text = spec(fields);
        assert_eq!(found(&text), [format!("error {MISTYPED} 3 {path}")], "{fields}");
        let message = format!("property \"{path}\" is {said} is expected, so the spec is not extracted");
        assert_eq!(messages(&text), [message]);
        assert_eq!(ids(&text), Vec::<String>::new());
    }
}

#[test]
fn what_a_section_may_not_state_refuses_the_spec() {
    let fact = spec("decision: {\n\"has-verifier\": true, claim: \"x\" }, design: { implemented: true, claim: 1 }");
    assert_eq!(
        found(&fact),
        [
            format!("error {RESERVED} 4 decision.claim"),
            "error honesty/authoring-shape 4 decision.has-verifier".to_owned()
        ],
        "the check sees what Design states"
    );
    assert_eq!(
        messages(&fact)[1],
        "\"spec:a\" hand-authors the derived delivery fact \"has-verifier\" at \"decision.has-verifier\" — delivery facts are derived, never authored."
    );
    let deep = spec("constraints: [{ statement: \"s\", observed: 1 }], behavior: { examples: [{ observed: 1 }] }");
    assert_eq!(
        found(&deep),
        [
            format!("warning {PROPERTY} 3 behavior.examples[0].observed"),
            "error honesty/authoring-shape 3 constraints[0].observed".to_owned()
        ]
    );
    let prose = spec("constraints:\n[{ statement: \"s\", x: [{ description: \"d\" }] }]");
    assert_eq!(found(&prose), ["error extract/unowned-prose 3 constraints"]);
}

#[test]
fn keys_like_integers_are_refused_where_order_counts() {
    let text = spec(
        "design: { \"9\": 1, 10: x, 1e3: 1, 0x10: 1, \"01\": \"kept\", 1.5: 1, 1e21: 1, 7n: 1, \"8\"() {}, get 6() { return 1 }, a: { \"1\": 1 } },
ui: { 0: 1 }, model: { terms: { \"2\": \"t\" } }, intent: { 1: 2 }",
    );
    let refused = |key: &str| {
        format!("property \"{key}\" is refused: integer-like keys are not accepted in design, ui, or model terms")
    };
    let computed =
        |path: &str| format!("property \"{path}\" dropped: at \"{path}\", computed property names are non-static");
    let mut said = messages(&text);
    said.sort();
    let mut expected: Vec<String> = ["9", "10", "1000", "16", "7", "8", "6", "0", "2"].map(refused).to_vec();
    expected.extend(["design", "design", "intent"].map(computed));
    expected.sort();
    assert_eq!(said, expected);
    assert_eq!(ids(&text), ["spec:a"], "the members alone are dropped");
    let errors = answer(&text).findings.into_iter().filter(crate::finding::Finding::is_error);
    let paths: Vec<String> = errors.filter_map(|finding| finding.path).collect();
    assert_eq!(
        paths,
        [
            "design.9",
            "design.10",
            "design.1000",
            "design.16",
            "design.7",
            "design.8",
            "design.6",
            "ui.0",
            "model.terms.2"
        ]
    );
}

#[test]
fn keys_of_questions_and_rules_keep_the_grammar_and_stand_once() {
    for (list, text, what) in
        [("intent: { openQuestions", "question", "open question"), ("behavior: { rules", "rule", "rule")]
    {
        let entry = |key: &str| format!("{{ {text}: \"t\", key: {key} }}");
        let fields = ["\"good\"", "\"Bad\"", "\"good\"", "1", "other"].map(entry).join(",\n");
        let carrier = spec(&format!("{list}: [{fields}] }}"));
        let path = list.replace(": { ", ".");
        let refused = |line: usize, why: &str| {
            (line + 3, format!("property \"{path}[{line}].key\" is refused: {what} keys must be {why}"))
        };
        let said: Vec<(usize, String)> = answer(&carrier)
            .findings
            .into_iter()
            .map(|finding| (finding.line.unwrap() as usize, finding.message))
            .collect();
        assert_eq!(
            said,
            [
                refused(1, "lower-camel ASCII"),
                refused(2, "unique"),
                refused(3, "lower-camel ASCII"),
                refused(4, "lower-camel ASCII")
            ]
        );
        assert_eq!(ids(&carrier), ["spec:a"], "the key alone is dropped");
    }
}
