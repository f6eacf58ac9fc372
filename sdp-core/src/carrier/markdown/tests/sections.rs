//! Sections: what each owner takes and refuses, and what it becomes.

use super::*;
use crate::model::{Behavior, EntryLine, EntryPlace, Intent, OpenBag, Question, Rule};

#[test]
fn an_intent_takes_its_fields_questions_and_an_examples_fence() {
    let fence = "```gwt\nGiven a\nWhen b\nThen c\n```\n";
    let only = "only an example Intent may own one gwt fence";
    let cases: Vec<(String, Vec<Row<'_>>)> = vec![
        ("- text\n".into(), vec![(STRUCTURE, 12, "Intent entries require a field name")]),
        ("- [blocking]\n".into(), vec![(STRUCTURE, 12, "Intent entries require a field name")]),
        ("- key:novalue\n".into(), vec![(STRUCTURE, 12, "Intent entries require a field name")]),
        ("- outcom: x\n".into(), vec![(PROPERTY, 12, "property \"outcom\" is not accepted")]),
        ("- observed: x\n".into(), vec![(RESERVED, 12, "property \"observed\" is not accepted")]),
        ("- value: x\n- value: y\n".into(), vec![(STRUCTURE, 13, "field \"value\" is authored more than once")]),
        ("- [blocking] x\n".into(), vec![(STRUCTURE, 12, "open questions require ### Open questions")]),
        (
            "### Questions\n- [blocking] x\n".into(),
            vec![
                (STRUCTURE, 12, "only ### Open questions is accepted under Intent"),
                (STRUCTURE, 13, "open questions require ### Open questions"),
            ],
        ),
        (
            "### Open questions\n### Open questions\n".into(),
            vec![(STRUCTURE, 13, "an H3 owner is authored more than once")],
        ),
        (
            "### Open questions \n- outcome: x\n- why?\n- [maybe] x\n".into(),
            (13..16).map(|line| (STRUCTURE, line, "Intent fields must precede ### Open questions")).collect(),
        ),
        (
            "### Open questions\n- [blocking #Key] a\n- [non-blocking #] b\n- [blocking #k-1] c\n".into(),
            (13..16).map(|line| (STRUCTURE, line, "open question keys must be lower-camel ASCII")).collect(),
        ),
        (
            "### Open questions\n- [blocking #k] a\n- [non-blocking #k] b\n".into(),
            vec![(STRUCTURE, 14, "open question keys must be unique")],
        ),
        (fence.into(), vec![(STRUCTURE, 12, only)]),
    ];
    for (body, expected) in cases {
        assert_findings(&sections(&format!("## Intent\n\n{body}")), &expected);
    }
    let example = with_line(3, "kind: example") + "\n## Intent\n\n";
    assert_findings(&format!("{example}{fence}{fence}"), &[(STRUCTURE, 12, only)]);
    let vocabulary = fence.replace("gwt", "gwt-vocabulary");
    assert_findings(&format!("{example}{vocabulary}"), &[(STRUCTURE, 12, only)]);
    let message = "the example gwt fence must immediately follow the Intent block";
    assert_findings(&format!("{example}{fence}\n- outcome: x\n"), &[(STRUCTURE, 18, message)]);
    let behavior = document(&format!("{example}- outcome: x\n\n{fence}")).sections.behavior.unwrap();
    let json = r#"{"examples":[{"given":["a"],"when":["b"],"then":["c"]}]}"#;
    assert_eq!(serde_json::to_string(&behavior).unwrap(), json);
}

#[test]
fn open_questions_carry_flag_key_and_line() {
    let text = "## Intent\n\n- risk: r\n\n### Open questions\n\n- [blocking #someKey] Why [so]?\n- [non-blocking] What: now?\n";
    let spec = document(&sections(text));
    let question = |question: &str, blocking, key: Option<&str>| Question {
        question: question.to_owned(),
        blocking,
        key: key.map(str::to_owned),
    };
    let intent = Intent {
        risks: Some(vec!["r".to_owned()]),
        open_questions: Some(vec![question("Why [so]?", true, Some("someKey")), question("What: now?", false, None)]),
        ..Intent::default()
    };
    assert_eq!(spec.sections.intent, Some(intent));
    let entries = [
        EntryLine { place: EntryPlace::Question(0, Some("someKey".to_owned())), line: 16 },
        EntryLine { place: EntryPlace::Question(1, None), line: 17 },
    ];
    assert_eq!(spec.entries, entries);
}

#[test]
fn behavior_owners_refuse_what_they_do_not_take() {
    let either = "Behavior entries require rule or flow";
    let structure = "this behavior owner does not accept an H3 or fence";
    let cases: [(&str, Vec<Row<'_>>); 14] = [
        ("## Behavior\n- text\n- other: x\n", vec![(STRUCTURE, 11, either), (STRUCTURE, 12, either)]),
        ("## Behavior\n- satisfies: x\n", vec![(RESERVED, 11, "property \"satisfies\" is not accepted")]),
        ("## Behavior\n### x\n", vec![(STRUCTURE, 11, structure)]),
        ("## Workflow\n```gwt\nGiven a\nWhen b\nThen c\n```\n", vec![(STRUCTURE, 11, structure)]),
        ("## Workflow\n- flow: x\n", vec![(PROPERTY, 11, "property \"flow\" is not accepted")]),
        ("## Rule\n- rule: x\n", vec![(PROPERTY, 11, "property \"rule\" is not accepted")]),
        ("## Contract\n- models: x\n", vec![(RESERVED, 11, "property \"models\" is not accepted")]),
        (
            "## Rule\n- [#Key] x\n- [#a b] y\n- [#] z\n",
            vec![
                (STRUCTURE, 11, "rule keys must be lower-camel ASCII"),
                (STRUCTURE, 12, "rule keys must be lower-camel ASCII"),
                (STRUCTURE, 13, "rule keys must be lower-camel ASCII"),
            ],
        ),
        ("## Behavior\n- rule: [#k] x\n- rule: [#k] y\n", vec![(STRUCTURE, 12, "rule keys must be unique")]),
        (
            "## Contract\n- [#k]\n- [#l]  \n",
            vec![(STRUCTURE, 11, "list text must not be empty"), (STRUCTURE, 12, "list text must not be empty")],
        ),
        ("## Example space\n", vec![(STRUCTURE, 11, "Example space requires exactly one gwt-vocabulary fence")]),
        ("## Example space", vec![(STRUCTURE, 1, "Example space requires exactly one gwt-vocabulary fence")]),
        (
            "## Example space\n```gwt\nGiven a\nWhen b\nThen c\n```\n",
            vec![(STRUCTURE, 11, "Example space requires exactly one gwt-vocabulary fence")],
        ),
        (
            "## Rule\nOne.\n## Example space\n\nTwo.\n```gwt-vocabulary\nGiven a\nWhen b\nThen c\n```\n",
            vec![(STRUCTURE, 13, "behavior description has more than one owner")],
        ),
    ];
    for (body, expected) in cases {
        assert_findings(&sections(body), &expected);
    }
}

#[test]
fn rules_carry_their_key_and_flows_have_none() {
    let spec = document(&sections(
        "## Workflow\n\n- [#first] a flow\n- rule: [#recipeCall] A body: calls.\n- rule: [link](x) y\n- rule: [#12](x) z\n- rule: plain\n",
    ));
    let rule = |text: &str, key: Option<&str>| Rule { text: text.to_owned(), key: key.map(str::to_owned) };
    let behavior = Behavior {
        rules: Some(vec![
            rule("A body: calls.", Some("recipeCall")),
            rule("[link](x) y", None),
            rule("[#12](x) z", None),
            rule("plain", None),
        ]),
        flows: Some(vec!["[#first] a flow".to_owned()]),
        ..Behavior::default()
    };
    assert_eq!(spec.sections.behavior, Some(behavior));
    let places: Vec<(String, Option<&str>, u32)> =
        spec.entries.iter().map(|entry| (entry.place.entry(), entry.place.key(), entry.line)).collect();
    let expected = [
        ("rule[0]".to_owned(), Some("recipeCall"), 13),
        ("rule[1]".to_owned(), None, 14),
        ("rule[2]".to_owned(), None, 15),
        ("rule[3]".to_owned(), None, 16),
    ];
    assert_eq!(places, expected);
    let plain = document(&sections("## Rule\n\n- [#ruleKey] word: and text\n- http://x y\n- Two words: z\n"));
    let rules = [rule("word: and text", Some("ruleKey")), rule("http://x y", None), rule("Two words: z", None)];
    assert_eq!(plain.sections.behavior.unwrap().rules.unwrap(), rules);
}

#[test]
fn the_other_owners_refuse_what_they_do_not_take() {
    let fence = "```gwt\nGiven a\nWhen b\nThen c\n```\n";
    let field = "Constraints entries require a recognized field";
    let term = "Model entries require **TERM** — DEFINITION";
    let camel = "open section keys must be lower-camel ASCII";
    let decision = "Decision entries require a recognized field";
    let cases: Vec<(String, Vec<Row<'_>>)> = vec![
        ("## Constraints\n".into(), vec![(STRUCTURE, 11, "Constraints require one statement")]),
        ("## Constraints\nProse.\n- statement: x\n".into(), vec![(PROSE, 11, "Constraints prose has no owner")]),
        (
            "## Constraints\n- statement: x\n- y\n- other: z\n- claim: c\n- target: a\n- target: b\n### x\n".into(),
            vec![
                (STRUCTURE, 12, field),
                (STRUCTURE, 13, field),
                (RESERVED, 14, "property \"claim\" is not accepted"),
                (STRUCTURE, 16, "field \"target\" is authored more than once"),
                (STRUCTURE, 17, "Constraints accept one flat list entry"),
            ],
        ),
        (
            "## Model\n- Term: x\n- **A*b** — x\n- **A** - x\n- **** — x\n- **A** — \n".into(),
            (11..16).map(|line| (STRUCTURE, line, term)).collect(),
        ),
        (
            "## Model\n- **A** — x\n- **A** — y\n- **12** — z\n- **0** — z\n- **01** — z\n".into(),
            vec![
                (STRUCTURE, 12, "model terms must be unique"),
                (STRUCTURE, 13, "model terms must not be integer-like"),
                (STRUCTURE, 14, "model terms must not be integer-like"),
            ],
        ),
        (format!("## Model\n{fence}"), vec![(STRUCTURE, 11, "Model does not accept an H3 or fence")]),
        (format!("## UI\n{fence}"), vec![(STRUCTURE, 11, "open sections do not accept an H3 or fence")]),
        (
            "## Design\n- plain\n- Key: x\n- a-b: x\n- 12: x\n".into(),
            (11..15).map(|line| (STRUCTURE, line, camel)).collect(),
        ),
        (
            "## Design\nProse.\n- description: x\n- a: x\n- a: y\n- nodeType: z\n".into(),
            vec![
                (STRUCTURE, 12, "open section keys must be unique"),
                (STRUCTURE, 14, "open section keys must be unique"),
                (RESERVED, 15, "property \"nodeType\" is not accepted"),
            ],
        ),
        (
            "## Decision\n- x\n- other: y\n- models: z\n- context: a\n- context: b\n### x\n".into(),
            vec![
                (STRUCTURE, 11, decision),
                (STRUCTURE, 12, decision),
                (RESERVED, 13, "property \"models\" is not accepted"),
                (STRUCTURE, 15, "field \"context\" is authored more than once"),
                (STRUCTURE, 16, "Decision does not accept an H3 or fence"),
            ],
        ),
        (
            "## Verification — manual\n- criterion: x\n- belongsTo: y\n### x\n".into(),
            vec![
                (PROPERTY, 11, "property \"criterion\" is not accepted"),
                (RESERVED, 12, "property \"belongsTo\" is not accepted"),
                (STRUCTURE, 13, "Verification accepts plain criteria only"),
            ],
        ),
    ];
    for (body, expected) in cases {
        assert_findings(&sections(&body), &expected);
    }
}

#[test]
fn sections_become_typed_values_in_authored_order() {
    let spec = document(&sections(
        concat!(
            "## UI\n\n- screen:  s\n\n## Constraints\n\n- target: t\n- statement: s\n\n",
            "## Model\n\nWords.\n\n- **Zed** — last\n- **description** — d\n- **A b** — *first*\n\n",
            "## Design\n\n- zKey: `z`\n- description: d\n- aKey: a: more\n\n",
            "## Decision\n\n- consequence: c\n- context: x\n- rationale: r\n- alternative: a\n\n",
            "## Verification — executable\n\n- one\n- two: three four\n",
        )
        .replace("- two: three four\n", "- and two: three\n")
        .as_str(),
    ));
    let json = serde_json::to_string(&spec.sections).unwrap();
    let expected = concat!(
        r#"{"constraints":[{"statement":"s","target":"t"}],"#,
        r#""model":{"description":"Words.","terms":{"Zed":"last","description":"d","A b":"*first*"}},"#,
        r#""design":{"description":"d","zKey":"`z`","aKey":"a: more"},"#,
        r#""decision":{"context":"x","rationale":["r"],"alternatives":["a"],"consequences":["c"]},"#,
        r#""verification":{"mode":"executable","criteria":["one","and two: three"]},"ui":{"screen":" s"}}"#,
    );
    assert_eq!(json, expected);
    let entries = [
        EntryLine { place: EntryPlace::Ui("screen".to_owned()), line: 12 },
        EntryLine { place: EntryPlace::Design("zKey".to_owned()), line: 29 },
        EntryLine { place: EntryPlace::Design("aKey".to_owned()), line: 31 },
    ];
    assert_eq!(spec.entries, entries);
}

#[test]
fn an_empty_section_still_is_a_section() {
    let spec = document(&sections(
        "## Intent\n\n## Rule\n\n## Model\n\n## Design\n\n## Decision\n\n## Verification — reviewed\n",
    ));
    let json = r#"{"intent":{},"behavior":{},"model":{},"design":{},"decision":{},"verification":{"mode":"reviewed"}}"#;
    assert_eq!(serde_json::to_string(&spec.sections).unwrap(), json);
    assert_eq!(spec.sections.design, Some(OpenBag::default()));
}
