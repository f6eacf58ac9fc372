//! What is emitted reads back as the same Spec, or is refused with its path; the form itself stands in one example.

use proptest::prelude::*;

use super::super::emit::{Unfaithful, markdown};
use crate::carrier::markdown::read;
use crate::model::{
    Altitude, Behavior, Constraint, Decision, Document, Example, Intent, ModelSection, OpenBag, OpenValue, Question,
    Readiness, RelationType, Rule, Sections, SpecDocument, SpecKind, Steps, Verification, VerificationMode,
};

fn spec(kind: SpecKind, sections: Sections) -> SpecDocument {
    SpecDocument {
        id: "spec:a.b".to_owned(),
        line: 3,
        kind,
        altitude: Altitude::Story,
        readiness: Readiness::Idea,
        relations: Vec::new(),
        title: Some("Title".to_owned()),
        narrative: None,
        sections,
        entries: Vec::new(),
    }
}

fn of_markdown(text: &str) -> SpecDocument {
    match read("a.sdp.md", text) {
        Ok(Document::Spec(spec)) => spec,
        other => panic!("{other:#?}"),
    }
}

fn emitted(spec: &SpecDocument) -> Result<String, Unfaithful> {
    markdown("a.sdp.md", spec)
}

fn body(spec: &SpecDocument) -> String {
    emitted(spec).unwrap().split_once("\n# Title\n").unwrap().1.to_owned()
}

fn refusal(spec: &SpecDocument) -> (String, Option<String>) {
    let Unfaithful { path, reason, at } = emitted(spec).unwrap_err();
    (format!("{path} ({reason})"), at)
}

fn diverges(spec: &SpecDocument) -> String {
    let (said, at) = refusal(spec);
    assert_eq!(at, None);
    let path = said.strip_suffix(" (the emitted Markdown does not preserve the authored Spec data)");
    path.unwrap_or_else(|| panic!("{said}")).to_owned()
}

/// Every section that a document can have, in the form and the order in which they are emitted.
const WHOLE: &str = "---
id: spec:shop.refund
kind: workflow
altitude: feature
readiness: idea
relations:
  refines: spec:shop
  dependsOn:
    - spec:shop.words
    - spec:shop.order
  supersedes: spec:shop.old
---
# A customer gets the money back #

One paragraph.

Another one, with `<code>`.

## Intent

Why it exists.

- actor: A customer.
- problem: The money is gone.
- outcome: The money is back.
- value: Trust.
- risk: Fraud.
- risk: Double payment.
- assumption: One currency.

### Open questions

- [blocking] Who pays?
- [blocking #fees] Who pays the fees?
- [non-blocking #later] When?
- [non-blocking] How?

## Workflow

What happens.

- rule: It is paid once.
- rule: [#once] It is paid in whole cents: always.
- The customer asks.
- The shop pays.

## Example space

```gwt-vocabulary
Given an order of {cents:number}
And a shop
When it is returned
Then {cents:number} are paid
```

## Constraints

- statement: A refund takes a day.
- flavor: latency
- target: p95 < 1 d
- measurableBy: the ledger

## Model

The words.

- **Refund** — Money that goes back.
- **description** — A term like any other.

## Design

How it is built.

- second: `fn refund(order: &Order)`
- first: two

## Decision

What was chosen.

- context: There were two ways.
- decision: The first.
- rationale: It is cheaper.
- rationale: It is known.
- alternative: The second.
- consequence: It stays.

## Verification — executable

How it is shown.

- It runs.
- It runs twice.

## UI

- button: Refund
";

#[test]
fn the_whole_form_is_emitted_as_it_was_written() {
    assert_eq!(emitted(&of_markdown(WHOLE)).unwrap(), WHOLE);
}

#[test]
fn an_example_ends_its_intent_with_the_fence() {
    let text = "---
id: spec:a.b
kind: example
altitude: story
readiness: idea
relations: {}
---
# Half of it

## Intent

- outcome: Half comes back.

### Open questions

- [non-blocking] Rounded how?

```gwt
Given an order of {cents: 3}
And a shop
When it is returned
Then {cents: 1} are paid
And {cents: 1} are kept
```
";
    let spec = of_markdown(text);
    assert_eq!(emitted(&spec).unwrap(), text);
    // The Intent that the fence needs would not be there in the original.
    let mut bare = spec.clone();
    bare.sections.intent = None;
    assert_eq!(diverges(&bare), "intent");
    let mut other_kind = spec;
    other_kind.kind = SpecKind::Rule;
    assert_eq!(diverges(&other_kind), "behavior.examples");
}

#[test]
fn relations_are_grouped_by_their_type() {
    let mut spec = spec(SpecKind::Rule, Sections::default());
    spec.relations = [
        (RelationType::Supersedes, "spec:a"),
        (RelationType::Refines, "spec:c"),
        (RelationType::Supersedes, "spec:b"),
        (RelationType::Verifies, "spec:a"),
    ]
    .map(|(relation, target)| (relation, target.to_owned()))
    .to_vec();
    let text = emitted(&spec).unwrap();
    let relations =
        "relations:\n  refines: spec:c\n  verifies: spec:a\n  supersedes:\n    - spec:a\n    - spec:b\n---\n";
    assert!(text.contains(relations), "{text}");
    spec.relations.push((RelationType::Refines, "spec:c".to_owned()));
    assert_eq!(refusal(&spec), ("relations (duplicate relation entry)".to_owned(), None));
}

#[test]
fn a_title_is_one_line() {
    let titled = |title: Option<&str>| SpecDocument {
        title: title.map(str::to_owned),
        ..spec(SpecKind::Rule, Sections::default())
    };
    assert_eq!(refusal(&titled(None)).0, "title (Markdown requires an H1 title)");
    for title in ["a\nb", "a\r\nb", "a\r", "\n"] {
        assert_eq!(refusal(&titled(Some(title))).0, "title (multi-line titles are not representable)");
    }
    for title in ["", " a", "\t"] {
        let (said, at) = refusal(&titled(Some(title)));
        assert!(
            said.starts_with("document (the emitted Markdown is not accepted by the ruled grammar: the H1 "),
            "{said}"
        );
        assert_eq!(at.as_deref(), Some("title"));
    }
    assert_eq!(diverges(&titled(Some("a "))), "title");
    for title in ["`a` # b ##", "---", "a: b", "<b>", "\u{2028}", "日本"] {
        assert!(emitted(&titled(Some(title))).is_ok(), "{title}");
    }
}

fn rules(kind: SpecKind, rules: &[(&str, Option<&str>)], flows: &[&str]) -> SpecDocument {
    let rules: Vec<Rule> =
        rules.iter().map(|(text, key)| Rule { text: (*text).to_owned(), key: key.map(str::to_owned) }).collect();
    let flows: Vec<String> = flows.iter().map(|flow| (*flow).to_owned()).collect();
    let behavior = Behavior {
        rules: (!rules.is_empty()).then_some(rules),
        flows: (!flows.is_empty()).then_some(flows),
        ..Behavior::default()
    };
    spec(kind, Sections { behavior: Some(behavior), ..Sections::default() })
}

#[test]
fn rules_and_flows_stand_in_the_section_of_the_kind_where_it_takes_them() {
    let rule = [("It holds.", None), ("So does it.", Some("second"))];
    for kind in [SpecKind::Rule, SpecKind::Contract] {
        let heading = if kind == SpecKind::Rule { "Rule" } else { "Contract" };
        assert_eq!(body(&rules(kind, &rule, &[])), format!("\n## {heading}\n\n- It holds.\n- [#second] So does it.\n"));
    }
    let in_behavior = "\n## Behavior\n\n- rule: It holds.\n- rule: [#second] So does it.\n";
    assert_eq!(body(&rules(SpecKind::Model, &rule, &[])), in_behavior);
    // One word and a colon is a key there, and a flow has no place.
    assert_eq!(
        body(&rules(SpecKind::Rule, &[("always: it holds", None)], &[])),
        "\n## Behavior\n\n- rule: always: it holds\n"
    );
    assert_eq!(body(&rules(SpecKind::Contract, &[], &["a"])), "\n## Behavior\n\n- flow: a\n");
    assert_eq!(body(&rules(SpecKind::Workflow, &rule[..1], &["a"])), "\n## Workflow\n\n- rule: It holds.\n- a\n");
    assert_eq!(body(&rules(SpecKind::Workflow, &[], &["a", "b: c"])), "\n## Behavior\n\n- flow: a\n- flow: b: c\n");
    assert_eq!(body(&rules(SpecKind::Rule, &[(" indented", None)], &[])), "\n## Behavior\n\n- rule:  indented\n");
    // What reads as a marker would become one.
    assert_eq!(diverges(&rules(SpecKind::Rule, &[("[#key] text", None)], &[])), "behavior.rules[0]");
}

#[test]
fn a_description_stands_before_what_there_is() {
    let space = Steps { given: vec!["a".into()], when: vec!["b".into()], then: vec!["c".into()] };
    let of =
        |behavior: Behavior| body(&spec(SpecKind::Rule, Sections { behavior: Some(behavior), ..Sections::default() }));
    let description = Some("Why.".to_owned());
    let fence = "\n```gwt-vocabulary\nGiven a\nWhen b\nThen c\n```\n";
    let behavior = Behavior { description: description.clone(), example_space: Some(space), ..Behavior::default() };
    assert_eq!(of(behavior.clone()), format!("\n## Example space\n\nWhy.\n{fence}"));
    let rules = Some(vec![Rule { text: "x".into(), key: None }]);
    assert_eq!(of(Behavior { rules, ..behavior }), format!("\n## Rule\n\nWhy.\n\n- x\n\n## Example space\n{fence}"));
    assert_eq!(of(Behavior { description, ..Behavior::default() }), "\n## Rule\n\nWhy.\n");
}

#[test]
fn an_empty_section_is_a_bare_heading() {
    let sections = Sections {
        intent: Some(Intent::default()),
        behavior: Some(Behavior::default()),
        model: Some(ModelSection::default()),
        design: Some(OpenBag::default()),
        decision: Some(Decision::default()),
        ui: Some(OpenBag::default()),
        ..Sections::default()
    };
    assert_eq!(
        body(&spec(SpecKind::Contract, sections)),
        "\n## Intent\n\n## Contract\n\n## Model\n\n## Design\n\n## Decision\n\n## UI\n"
    );
}

#[test]
fn what_has_no_form_is_refused_with_its_path() {
    let intent = |intent: Intent| spec(SpecKind::Rule, Sections { intent: Some(intent), ..Sections::default() });
    let behavior =
        |behavior: Behavior| spec(SpecKind::Example, Sections { behavior: Some(behavior), ..Sections::default() });
    let decision =
        |decision: Decision| spec(SpecKind::Rule, Sections { decision: Some(decision), ..Sections::default() });
    let verification = |verification: Verification| {
        spec(SpecKind::Rule, Sections { verification: Some(verification), ..Sections::default() })
    };
    let constraints = |constraints: Vec<Constraint>| {
        spec(SpecKind::Rule, Sections { constraints: Some(constraints), ..Sections::default() })
    };
    let design = |entries: Vec<(&str, OpenValue)>| {
        let entries = entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        let design = Some(OpenBag { description: None, entries });
        spec(SpecKind::Rule, Sections { design, ..Sections::default() })
    };
    let text = |text: &str| OpenValue::Text(text.to_owned());
    let stated = Constraint { statement: Some("s".into()), ..Constraint::default() };
    let model = ModelSection { terms: Some(Vec::new()), ..ModelSection::default() };
    let cases = [
        (intent(Intent { risks: Some(Vec::new()), ..Intent::default() }), "intent.risks"),
        (intent(Intent { open_questions: Some(Vec::new()), ..Intent::default() }), "intent.openQuestions"),
        (intent(Intent { description: Some("a\nb".into()), ..Intent::default() }), "intent.description"),
        (intent(Intent { description: Some("a ".into()), ..Intent::default() }), "intent.description"),
        (intent(Intent { description: Some(String::new()), ..Intent::default() }), "intent.description"),
        (intent(Intent { description: Some("a\n\n- actor: b".into()), ..Intent::default() }), "intent.description"),
        (behavior(Behavior { rules: Some(Vec::new()), ..Behavior::default() }), "behavior.rules"),
        (behavior(Behavior { examples: Some(Vec::new()), ..Behavior::default() }), "behavior.examples"),
        (
            behavior(Behavior { examples: Some(vec![Example::Prose("a".into())]), ..Behavior::default() }),
            "behavior.examples",
        ),
        (decision(Decision { rationale: Some(Vec::new()), ..Decision::default() }), "decision.rationale"),
        (verification(Verification::default()), "verification.mode"),
        (
            verification(Verification {
                mode: Some(VerificationMode::Manual),
                criteria: Some(Vec::new()),
                ..Verification::default()
            }),
            "verification.criteria",
        ),
        (constraints(Vec::new()), "constraints"),
        (constraints(vec![stated.clone(), stated.clone()]), "constraints[1]"),
        (spec(SpecKind::Rule, Sections { model: Some(model), ..Sections::default() }), "model.terms"),
        (design(vec![("a", text("x")), ("b", OpenValue::Bool(true)), ("c", text("y"))]), "design.b"),
        (design(vec![("a", OpenValue::List(vec![text("x")]))]), "design.a"),
        (design(vec![("a", OpenValue::Map(Vec::new()))]), "design.a"),
        (design(vec![("a", OpenValue::Number(1.into()))]), "design.a"),
        // A value that goes on as a second entry says something else.
        (design(vec![("a", text("x\n- b: y"))]), "design.a"),
    ];
    for (spec, path) in cases {
        assert_eq!(diverges(&spec), path);
    }
}

#[test]
fn what_the_grammar_refuses_names_the_field() {
    let intent = |intent: Intent| spec(SpecKind::Rule, Sections { intent: Some(intent), ..Sections::default() });
    let entry = |key: &str, value: &str| {
        let design = Some(OpenBag { description: None, entries: vec![(key.to_owned(), value.to_owned().into())] });
        spec(SpecKind::Rule, Sections { design, ..Sections::default() })
    };
    let narrative =
        |text: &str| SpecDocument { narrative: Some(text.to_owned()), ..spec(SpecKind::Rule, Sections::default()) };
    let outcome = |text: &str| intent(Intent { outcome: Some(text.to_owned()), ..Intent::default() });
    let cases = [
        (outcome("a <b>"), "raw HTML is unsupported", "intent.outcome"),
        (outcome(""), "Intent entries require a field name", "intent.outcome"),
        (outcome("a\u{2028}b"), "Intent entries require a field name", "intent.outcome"),
        (entry("Key", "x"), "open section keys must be lower-camel ASCII", "design.Key"),
        (entry("claim", "x"), "property \"claim\" is not accepted", "design.claim"),
        (entry("a", "x\ny"), "prose after structured content has no owner", "design.a"),
        (narrative("- a"), "narrative accepts CommonMark paragraphs only", "narrative"),
        (narrative("a\n\n> b"), "narrative accepts CommonMark paragraphs only", "narrative"),
        (narrative("a\n# b"), "only the first H1 is accepted", "narrative"),
        (rules(SpecKind::Rule, &[("", None)], &[]), "Behavior entries require rule or flow", "behavior.rules[0]"),
        (
            rules(SpecKind::Rule, &[("a", None), ("b", Some("B"))], &[]),
            "rule keys must be lower-camel ASCII",
            "behavior.rules[1]",
        ),
    ];
    for (spec, message, path) in cases {
        let expected = format!("document (the emitted Markdown is not accepted by the ruled grammar: {message})");
        assert_eq!(refusal(&spec), (expected, Some(path.to_owned())));
    }
    // The whole is refused at its first line: the field is found by what it holds.
    for (text, message) in [
        ("a\n---", "an exact --- line in the body is unsupported Markdown"),
        ("---", "an exact --- line in the body is unsupported Markdown"),
        ("a\r\nb", "carrier mixes LF and CRLF newlines"),
        ("a\r", "carrier mixes LF and CRLF newlines"),
        ("a\rb", "carrier contains a lone CR newline"),
    ] {
        let expected = format!("document (the emitted Markdown is not accepted by the ruled grammar: {message})");
        assert_eq!(refusal(&narrative(text)), (expected.clone(), Some("narrative".to_owned())));
        let behind = |problem: &str, text: &str| {
            let [problem, outcome] = [problem, text].map(|text| Some(text.to_owned()));
            intent(Intent { problem, outcome, ..Intent::default() })
        };
        let behind = match text {
            "---" => behind("-- -", "a\n---"),
            text => behind("a", text),
        };
        assert_eq!(refusal(&behind), (expected, Some("intent.outcome".to_owned())));
    }
    // A text that is too long has no such place, whatever else it holds.
    for text in ["x".repeat(300_000), "x\r\n---\n".repeat(100_000)] {
        let (said, at) = refusal(&narrative(&text));
        assert!(said.ends_with("carrier exceeds the 256 KiB byte limit)") && at.is_none(), "{said}");
    }
}

#[test]
fn many_refusals_name_the_first_field() {
    let fine = ("fine".to_owned(), "a".to_owned());
    let terms = (0..200).map(|place| (format!("t{place}"), String::new()));
    let model = ModelSection { terms: Some([fine].into_iter().chain(terms).collect()), ..ModelSection::default() };
    let (said, at) = refusal(&spec(SpecKind::Model, Sections { model: Some(model), ..Sections::default() }));
    assert_eq!(at.as_deref(), Some("model.terms.t0"), "{said}");
    assert!(!said.contains("finding limit reached"), "{said}");
}

/// Texts that a careless writer would turn into structure.
fn text() -> impl Strategy<Value = String> {
    let pieces = [
        "",
        " ",
        "\t",
        "a",
        "- ",
        "-",
        "# ",
        "## ",
        "### Open questions",
        "`",
        "```",
        "```gwt",
        "<b>",
        "</",
        "<!--",
        "-->",
        "---",
        "...",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "\u{2028}",
        "\u{2029}",
        "\u{FEFF}",
        "\0",
        ": ",
        "key: ",
        "rule: ",
        "[#k] ",
        "[blocking] ",
        "[blocking #k] ",
        "**t** — ",
        "**",
        "> ",
        "|",
        "1. ",
        "* ",
        "===",
        "___",
        "Given ",
        "And ",
        "spec:a",
        "pack:a",
        "&a",
        "*a",
        "!!str",
        "{}",
        "yes",
        "0",
        "é",
        "\u{1F600}",
        "## Design",
        "- design: ",
        "日",
    ];
    prop_oneof![
        3 => "[a-z]{1,8}( [a-z]{1,8}){0,3}",
        2 => prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..5).prop_map(|pieces| pieces.concat()),
        1 => any::<String>(),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![8 => "[a-z][A-Za-z0-9]{0,3}", 1 => Just("description".to_owned()), 1 => Just("0".to_owned()), 1 => text()]
}

fn some<T: std::fmt::Debug>(strategy: impl Strategy<Value = T>) -> impl Strategy<Value = Option<T>> {
    prop::option::weighted(0.3, strategy)
}

fn texts() -> impl Strategy<Value = Option<Vec<String>>> {
    some(prop::collection::vec(text(), 0..3))
}

fn steps() -> impl Strategy<Value = Steps> {
    let list = || prop::collection::vec(text(), 0..3);
    (list(), prop::collection::vec(text(), 1..2), list()).prop_map(|(given, when, then)| Steps { given, when, then })
}

fn bag() -> impl Strategy<Value = OpenBag> {
    let value = prop_oneof![9 => text().prop_map(OpenValue::Text), 1 => any::<bool>().prop_map(OpenValue::Bool)];
    (some(text()), prop::collection::vec((key(), value), 0..3))
        .prop_map(|(description, entries)| OpenBag { description, entries })
}

fn intent() -> impl Strategy<Value = Intent> {
    let question =
        (text(), any::<bool>(), some(key())).prop_map(|(question, blocking, key)| Question { question, blocking, key });
    let questions = some(prop::collection::vec(question, 0..3));
    let fields = (some(text()), some(text()), some(text()), some(text()), some(text()));
    (fields, texts(), texts(), questions).prop_map(
        |((description, actor, problem, outcome, value), risks, assumptions, open_questions)| Intent {
            description,
            actor,
            problem,
            outcome,
            value,
            risks,
            assumptions,
            open_questions,
        },
    )
}

fn behavior() -> impl Strategy<Value = Behavior> {
    let rule = (text(), some(key())).prop_map(|(text, key)| Rule { text, key });
    let example = prop_oneof![text().prop_map(Example::Prose), steps().prop_map(Example::Structured)];
    let examples = some(prop::collection::vec(example, 0..2));
    (some(text()), some(prop::collection::vec(rule, 0..3)), examples, texts(), some(steps())).prop_map(
        |(description, rules, examples, flows, example_space)| Behavior {
            description,
            rules,
            examples,
            flows,
            example_space,
        },
    )
}

fn sections() -> impl Strategy<Value = Sections> {
    let constraint = (some(text()), some(text()), some(text()), some(text()))
        .prop_map(|(flavor, statement, target, measurable_by)| Constraint { flavor, statement, target, measurable_by });
    let model = (some(text()), some(prop::collection::vec((text(), text()), 0..3)))
        .prop_map(|(description, terms)| ModelSection { description, terms });
    let decision = (some(text()), some(text()), some(text()), texts(), texts(), texts()).prop_map(
        |(description, context, decision, rationale, alternatives, consequences)| Decision {
            description,
            context,
            decision,
            rationale,
            alternatives,
            consequences,
        },
    );
    let verification =
        (some(text()), prop::option::weighted(0.9, prop::sample::select(VerificationMode::ALL)), texts())
            .prop_map(|(description, mode, criteria)| Verification { description, mode, criteria });
    let first = (some(intent()), some(behavior()), some(prop::collection::vec(constraint, 0..2)), some(model));
    (first, some(bag()), some(decision), some(verification), some(bag())).prop_map(
        |((intent, behavior, constraints, model), design, decision, verification, ui)| Sections {
            intent,
            behavior,
            constraints,
            model,
            design,
            decision,
            verification,
            ui,
        },
    )
}

fn any_spec() -> impl Strategy<Value = SpecDocument> {
    let relation = (prop::sample::select(RelationType::ALL), "spec:[a-c](\\.[a-c0-9]){0,2}");
    let head = (
        prop_oneof![9 => "spec:[a-z0-9.-]{1,6}", 1 => text()],
        prop::sample::select(SpecKind::ALL),
        prop::collection::vec(relation, 0..4),
        prop_oneof![9 => "[A-Za-z`#<>: -]{1,12}".prop_map(Some), 1 => some(text())],
        some(text()),
    );
    (head, sections()).prop_map(|((id, kind, relations, title, narrative), sections)| SpecDocument {
        id,
        relations,
        title,
        narrative,
        ..spec(kind, sections)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_emitted_reads_back_as_the_same_spec(authored in any_spec()) {
        match emitted(&authored) {
            Ok(text) => {
                let read = of_markdown(&text);
                prop_assert_eq!(&read.id, &authored.id);
                prop_assert_eq!(&read.sections, &authored.sections);
                prop_assert_eq!((&read.title, &read.narrative), (&authored.title, &authored.narrative));
                let sorted = |relations: &[(RelationType, String)]| {
                    let mut relations = relations.to_vec();
                    relations.sort();
                    relations
                };
                prop_assert_eq!(sorted(&read.relations), sorted(&authored.relations));
                // What was written once is written the same again.
                prop_assert_eq!(emitted(&read).unwrap(), text);
            }
            Err(refused) => prop_assert!(!refused.path.is_empty() && !refused.reason.is_empty()),
        }
    }

    #[test]
    fn whatever_markdown_holds_is_emitted(text in text(), other in text(), kind in prop::sample::select(SpecKind::ALL)) {
        let carrier = format!(
            "---\nid: spec:a.b\nkind: {kind}\naltitude: story\nreadiness: idea\nrelations: {{}}\n---\n# Title\n\n{text}\n\n## Intent\n\n{other}\n\n- outcome: {text}\n\n## Behavior\n\n- rule: {other}\n\n## Design\n\n- key: {text}\n"
        );
        if let Ok(Document::Spec(spec)) = read("a.sdp.md", &carrier) {
            let emitted = emitted(&spec);
            prop_assert!(emitted.is_ok(), "{emitted:?}");
        }
    }
}
