//! Mentions in carriers that are otherwise sound: what each gives, in its exact words.

use crate::finding::{Finding, FindingId};
use crate::graph::{Claim, Edge, Graph, Index};
use crate::model::EdgeType;
use crate::testing::{bind, graph, spec};

fn findings(graph: &Graph) -> Vec<Finding> {
    let mut findings = Vec::new();
    super::check(graph, &Index::new(graph), &mut findings);
    findings.sort_by(crate::finding::finding_order);
    findings
}

fn messages(carriers: &[String]) -> Vec<String> {
    findings(&graph(carriers)).into_iter().map(|finding| finding.message).collect()
}

/// A Spec `spec:teller` that depends on `spec:target` and says a text as its outcome.
fn teller(text: &str) -> String {
    spec("spec:teller rule idea", "dependsOn: spec:target", &format!("## Intent\n- outcome: {text}"))
}

fn target(body: &str) -> String {
    spec("spec:target rule idea", "", body)
}

fn unbacked(target: &str, spec: &str, places: &str) -> String {
    format!(
        "Mention of \"{target}\" in \"{spec}\" at {places}, with no declared relation between them; informative only. Declare the relation that fits, or leave the mention as prose and let the warning stand when none does."
    )
}

#[test]
fn a_token_that_is_no_id_is_an_error_with_the_grammars_reason() {
    let cases = [
        ("spec:target#foo", "entry address must be <section>.<key> with section design, ui, question, or rule"),
        ("spec:target#model.x", "entry address must be <section>.<key> with section design, ui, question, or rule"),
        ("spec:target#rule.step-1", "entry address key must be lower-camel ASCII"),
        ("spec:target_old", "invalid path segment"),
        ("spec:target/part", "invalid path segment"),
        ("spec:decisions.*x", "invalid path segment"),
        ("spec:.target", "empty path segment"),
        ("spec:#rule.a", "missing path"),
        ("spec:target#", "malformed # suffix"),
        ("spec:target\u{FEFF}x", "whitespace is not allowed"),
    ];
    for (token, reason) in cases {
        let expected = format!(
            "Mention \"{token}\" in \"spec:teller\" at intent.outcome is not a Spec id or entry address: {reason}"
        );
        assert_eq!(messages(&[target(""), teller(&format!("Read {token} now"))]), [expected]);
    }
}

#[test]
fn a_finding_names_the_spec_the_token_the_path_and_the_carrier() {
    let found = findings(&graph(&[target(""), teller("Read spec:target#rule.gone, please.")]));
    let [finding] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(finding.id, FindingId::ProseMentions);
    assert!(finding.is_error());
    assert_eq!(finding.subject.as_deref(), Some("spec:teller"));
    assert_eq!(finding.related.as_deref(), Some("spec:target#rule.gone"));
    assert_eq!(finding.path.as_deref(), Some("intent.outcome"));
    assert_eq!((finding.file.as_deref(), finding.line), (Some("001.sdp.md"), None));
    assert_eq!(finding.remedy(), "name the key of a rule of that Spec, as `[#key]` gives it");
}

#[test]
#[sdp::verifies("spec:sdp.checks.prose-mentions")]
fn a_missing_target_is_an_error_once_for_each_text_and_token() {
    let body = "## Intent\n- outcome: spec:gone.far and spec:gone.far and spec:gone.near.\n- risk: spec:gone.far";
    let missing =
        |path: &str, token: &str| format!("Mention in \"spec:a\" at {path} points to missing target \"{token}\".");
    assert_eq!(
        messages(&[spec("spec:a rule idea", "", body)]),
        [
            missing("intent.outcome", "spec:gone.far"),
            missing("intent.risks[0]", "spec:gone.far"),
            missing("intent.outcome", "spec:gone.near"),
        ]
    );
}

#[test]
fn a_missing_target_is_answered_with_the_one_near_id() {
    let near = |text: &str| messages(&[target(""), spec("spec:targets.b rule idea", "", ""), teller(text)]);
    assert_eq!(
        near("Read spec:targt#design.step1."),
        [
            "Mention in \"spec:teller\" at intent.outcome points to missing target \"spec:targt#design.step1\". Did you mean \"spec:target\"?"
        ]
    );
    let tie = [spec("spec:order-a rule idea", "", ""), spec("spec:order-b rule idea", "", ""), teller("spec:order-x")];
    assert_eq!(
        messages(&tie),
        ["Mention in \"spec:teller\" at intent.outcome points to missing target \"spec:order-x\"."]
    );
}

#[test]
fn an_id_of_another_thing_than_a_spec_is_a_missing_target() {
    let mut graph = graph(&[target(""), teller("spec:shape")]);
    bind(&mut graph, "spec:shape", "spec:target");
    let found = findings(&graph);
    assert_eq!(
        found[0].message,
        "Mention in \"spec:teller\" at intent.outcome points to missing target \"spec:shape\"."
    );
}

#[test]
fn an_address_resolves_to_an_own_key_of_its_section() {
    let keyed = target(
        "## Intent\n- outcome: o\n\n### Open questions\n\n- [blocking #reach] how far?\n- [non-blocking #description] what?\n- [blocking] step1\n\n## Rule\n- [#holds] it holds\n- step1\n\n## Design\nLeading prose.\n- step1: one\n\n## UI\n- description: the panel\n- panel: two",
    );
    let missing = |token: &str| {
        let entry = token.split('#').nth(1).unwrap();
        format!("Mention in \"spec:teller\" at intent.outcome points to missing entry \"{entry}\" of \"spec:target\".")
    };
    let there = "spec:target#question.reach spec:target#question.description spec:target#rule.holds spec:target#design.step1 spec:target#ui.panel";
    assert_eq!(messages(&[keyed.clone(), teller(there)]), Vec::<String>::new());
    for token in [
        "spec:target#design.description",
        "spec:target#ui.description",
        "spec:target#design.panel",
        "spec:target#ui.step1",
        "spec:target#design.holds",
        "spec:target#rule.step1",
        "spec:target#rule.reach",
        "spec:target#question.step1",
        "spec:target#question.holds",
        "spec:target#design.constructor",
    ] {
        assert_eq!(messages(&[keyed.clone(), teller(&format!("so {token}"))]), [missing(token)]);
    }
    assert_eq!(messages(&[target(""), teller("spec:target#rule.holds")]), [missing("spec:target#rule.holds")]);
}

#[test]
fn a_spec_may_name_itself_and_its_own_entries_but_not_missing_ones() {
    let body = "This is spec:a.\n\n## Rule\n- [#one] see spec:a#rule.one and spec:a#rule.two";
    assert_eq!(
        messages(&[spec("spec:a rule idea", "", body)]),
        ["Mention in \"spec:a\" at behavior.rules[0] points to missing entry \"rule.two\" of \"spec:a\"."]
    );
}

#[test]
fn each_text_has_its_path_and_they_are_read_in_the_graphs_order() {
    let body = "spec:gone is the narrative.

## UI

- button: spec:gone

## Verification — manual

spec:gone in prose.

- spec:gone is seen

## Decision

spec:gone in prose.

- context: spec:gone
- decision: spec:gone
- rationale: none
- rationale: spec:gone
- alternative: spec:gone
- consequence: spec:gone

## Design

- step2: spec:gone
- description: spec:gone
- step1: spec:gone

## Model

spec:gone in prose.

- **word** — spec:gone

## Constraints

- flavor: spec:gone
- statement: spec:gone
- target: spec:gone
- measurableBy: spec:gone

## Behavior

spec:gone in prose.

- flow: spec:gone
- rule: none
- rule: [#keyed] spec:gone
- rule: spec:gone

## Intent

spec:gone in prose.

- actor: spec:gone
- problem: spec:gone
- outcome: spec:gone
- value: spec:gone
- risk: spec:gone
- assumption: spec:gone

### Open questions

- [blocking] none
- [blocking #why] spec:gone
";
    let found = findings(&graph(&[spec("spec:a rule idea", "", body)]));
    let paths: Vec<&str> = found.iter().map(|finding| finding.path.as_deref().unwrap()).collect();
    assert_eq!(
        paths,
        [
            "narrative",
            "intent.description",
            "intent.actor",
            "intent.problem",
            "intent.outcome",
            "intent.value",
            "intent.risks[0]",
            "intent.assumptions[0]",
            "intent.openQuestions[1].question",
            "behavior.description",
            "behavior.rules[1]",
            "behavior.rules[2]",
            "behavior.flows[0]",
            "constraints[0].flavor",
            "constraints[0].statement",
            "constraints[0].target",
            "constraints[0].measurableBy",
            "model.description",
            "model.terms.word",
            "design.description",
            "design.step2",
            "design.step1",
            "decision.description",
            "decision.context",
            "decision.decision",
            "decision.rationale[1]",
            "decision.alternatives[0]",
            "decision.consequences[0]",
            "verification.description",
            "verification.criteria[0]",
            "ui.button",
        ]
    );
}

#[test]
fn titles_example_spaces_and_steps_are_not_scanned() {
    let vocabulary = "## Intent\n- outcome: o\n\n## Example space\n\n```gwt-vocabulary\nGiven spec:gone is {n:number}\nWhen spec:gone\nThen spec:gone\n```";
    let example = "## Intent\n- outcome: o\n\n```gwt\nGiven spec:gone is {n: 1}\nWhen spec:gone\nThen spec:gone\n```";
    let titled = spec("spec:a rule idea", "", "").replace("# Title of spec:a", "# Title of spec:gone");
    let carriers = [
        titled,
        spec("spec:b behavior idea", "refines: spec:a", vocabulary),
        spec("spec:b.c example idea", "refines: spec:b", example),
    ];
    assert_eq!(messages(&carriers), Vec::<String>::new());
    // An example in prose, which no Markdown carrier can hold, is scanned.
    let mut graph = graph(&carriers);
    for node in &mut graph.nodes {
        if let crate::graph::Node::Spec(node) = node
            && let Some(behavior) =
                std::sync::Arc::make_mut(node).sections.as_mut().and_then(|sections| sections.behavior.as_mut())
            && let Some(examples) = &mut behavior.examples
        {
            examples.push(crate::model::Example::Prose("like spec:gone".to_owned()));
        }
    }
    let found = findings(&graph);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].path.as_deref(), Some("behavior.examples[1]"));
}

#[test]
fn a_mention_without_a_relation_is_one_warning_that_counts_its_texts() {
    let body = "## Intent\n- outcome: o\n\n## Rule\n- spec:t, spec:t and spec:t#rule.one\n- none\n- spec:t#rule.gone\n\n## Design\n- step2: spec:t#rule.one, spec:u\n- step1: spec:t_x";
    let carriers = [
        spec("spec:t rule idea", "", "## Rule\n- [#one] it holds"),
        spec("spec:u rule idea", "", ""),
        spec("spec:a rule idea", "", body),
    ];
    let found = findings(&graph(&carriers));
    let said: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(
        said,
        [
            unbacked("spec:t", "spec:a", "3 locations, first at behavior.rules[0]").as_str(),
            "Mention in \"spec:a\" at behavior.rules[2] points to missing entry \"rule.gone\" of \"spec:t\".",
            "Mention \"spec:t_x\" in \"spec:a\" at design.step1 is not a Spec id or entry address: invalid path segment",
            unbacked("spec:u", "spec:a", "1 location, first at design.step2").as_str(),
        ]
    );
    assert!(!found[0].is_error());
    assert_eq!((found[0].subject.as_deref(), found[0].related.as_deref()), (Some("spec:a"), Some("spec:t")));
    assert_eq!((found[0].path.as_deref(), found[0].file.as_deref()), (Some("behavior.rules[0]"), Some("002.sdp.md")));
}

#[test]
fn a_declared_relation_backs_a_mention_whichever_side_declares_it() {
    let text = "## Intent\n- outcome: see spec:t";
    for relation in ["refines", "dependsOn", "constrainedBy", "decidedBy", "verifies", "supersedes"] {
        let forth = [spec("spec:a rule idea", &format!("{relation}: spec:t"), text), spec("spec:t rule idea", "", "")];
        assert_eq!(messages(&forth), Vec::<String>::new(), "{relation}");
        let back = [spec("spec:a rule idea", "", text), spec("spec:t rule idea", &format!("{relation}: spec:a"), "")];
        assert_eq!(messages(&back), Vec::<String>::new(), "{relation}");
    }
}

#[test]
fn neither_a_pack_nor_an_anchored_edge_backs_a_mention() {
    let pack = "---\nid: pack:p\nspecs:\n  - spec:a\n  - spec:t\n---\n# P\n".to_owned();
    let carriers = [
        spec("spec:a rule idea", "dependsOn: spec:b", "## Intent\n- outcome: see spec:t"),
        spec("spec:b rule idea", "dependsOn: spec:t", ""),
        spec("spec:t rule idea", "", ""),
        pack,
    ];
    let warning = unbacked("spec:t", "spec:a", "1 location, first at intent.outcome");
    let mut graph = graph(&carriers);
    let edge = |edge_type, claim| Edge { from: "spec:a".to_owned(), edge_type, to: "spec:t".to_owned(), claim };
    graph.edges.push(edge(EdgeType::DependsOn, Claim::Anchored));
    graph.edges.push(edge(EdgeType::References, Claim::Declared));
    let said: Vec<String> = findings(&graph).into_iter().map(|finding| finding.message).collect();
    assert_eq!(said, [warning]);
}

#[test]
fn many_mentions_are_each_judged_once() {
    let count = 5_000;
    let bad: String = (0..count).map(|number| format!("spec:gone_{number} spec:t ")).collect();
    let found = findings(&graph(&[
        spec("spec:a rule idea", "", &format!("## Rule\n- x{bad}")),
        spec("spec:t rule idea", "", ""),
    ]));
    // The first one is part of another word.
    assert_eq!(found.len(), count - 1 + 1);
    let one_token = "spec:".repeat(40_000);
    let found = findings(&graph(&[spec("spec:a rule idea", "", &format!("## Rule\n- {one_token}"))]));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].related, Some(format!("{}…", &one_token[..80])));
}

#[test]
fn a_token_that_is_too_long_for_an_id_is_shown_by_its_beginning() {
    let token = |bytes: usize| format!("spec:{}", "b".repeat(bytes - 5));
    let said = |token: &str| {
        let found = findings(&graph(&[spec("spec:a rule idea", "", &format!("## Rule\n- so {token} {token}"))]));
        assert_eq!(found.len(), 1);
        (found[0].message.clone(), found[0].related.clone().unwrap())
    };
    let text = |token: &str| {
        (format!("Mention in \"spec:a\" at behavior.rules[0] points to missing target \"{token}\"."), token.to_owned())
    };
    assert_eq!(said(&token(512)), text(&token(512)));
    assert_eq!(said(&token(513)), text(&format!("{}…", token(80))));
    assert!(said(&format!("{}_b", token(13_000))).0.contains(&format!("Mention \"{}…\" in", token(80))));
}

#[test]
fn findings_that_repeat_a_long_id_are_counted_instead() {
    let id = format!("spec:{}", "a".repeat(500));
    let bad: String = (0..3_000).map(|number| format!("spec:gone_{number} ")).collect();
    let found = findings(&graph(&[spec(&format!("{id} rule idea"), "", &format!("## Rule\n- so {bad}"))]));
    let text: usize = found.iter().map(|finding| finding.message.len() + finding.subject.as_ref().unwrap().len()).sum();
    assert!(text < super::MAX_TEXT + 100_000, "{text}");
    let said = found.len() - 1;
    let rest: Vec<&Finding> = found.iter().filter(|finding| !finding.is_error()).collect();
    assert_eq!(rest.len(), 1);
    assert_eq!(
        (rest[0].id, rest[0].related.as_deref()),
        (FindingId::FindingsLeftOut, Some("conformance/prose-mentions"))
    );
    assert_eq!(
        rest[0].message,
        format!(
            "Spec \"{id}\" has {} more findings about mentions, which are said when these are mended.",
            3_000 - said
        )
    );
}
