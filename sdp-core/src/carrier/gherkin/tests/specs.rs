//! What a good carrier gives.

use super::*;
use crate::model::{
    Altitude, Behavior, Example, Intent, Readiness, RelationType, Rule, Sections, SpecKind, Steps, Verification,
    VerificationMode,
};

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
#[sdp::verifies("spec:sdp.carriers.gherkin", "spec:sdp.carriers.gherkin.one-file")]
fn a_feature_is_a_behavior_and_each_scenario_an_example() {
    let text = "# language: en
@altitude.epic @depends-on.spec:x.y
# between
@spec.shop.refund @smoke @refines.spec:shop @depends-on.spec:x.y
@readiness.defined
Feature:  A refund \u{20}
  One line
\tanother.
  - actor:clerk
  - risk : The card is gone.

  # no line
  Scenarios are fun: really
  Given we talk.
  - criterion: c
  - a bullet without a key
  - risk: Again: twice.

  @example-space @wip
  Scenario: words
    # c
    Given a {n:number}
    And b

  @readiness.idea
  @spec.shop.refund.whole @altitude.story @refines.spec:q
  Example: Whole
    - verification-mode: manual
    When  b {n: 2}\u{A0}
    But c
    Given d

  Rule: One  rule
  Rule:
";
    let found = specs(text);
    let behavior = SpecDocument {
        id: "spec:shop.refund".to_owned(),
        line: 4,
        kind: SpecKind::Behavior,
        altitude: Altitude::Epic,
        readiness: Readiness::Defined,
        relations: vec![
            (RelationType::DependsOn, "spec:x.y".to_owned()),
            (RelationType::Refines, "spec:shop".to_owned()),
            (RelationType::DependsOn, "spec:x.y".to_owned()),
        ],
        title: Some("A refund".to_owned()),
        narrative: Some(
            "One line another.\n\nScenarios are fun: really Given we talk. - a bullet without a key".to_owned(),
        ),
        sections: Sections {
            intent: Some(Intent {
                actor: Some("clerk".to_owned()),
                risks: Some(owned(&["The card is gone.", "Again: twice."])),
                ..Intent::default()
            }),
            behavior: Some(Behavior {
                rules: Some(owned(&["One  rule", ""]).into_iter().map(|text| Rule { text, key: None }).collect()),
                example_space: Some(Steps { given: owned(&["a {n:number}", "b"]), ..Steps::default() }),
                ..Behavior::default()
            }),
            verification: Some(Verification { criteria: Some(owned(&["c"])), ..Verification::default() }),
            ..Sections::default()
        },
        entries: Vec::new(),
    };
    let example = SpecDocument {
        id: "spec:shop.refund.whole".to_owned(),
        line: 26,
        kind: SpecKind::Example,
        altitude: Altitude::Story,
        readiness: Readiness::Idea,
        relations: vec![
            (RelationType::Refines, "spec:q".to_owned()),
            (RelationType::Verifies, "spec:shop.refund".to_owned()),
        ],
        title: Some("Whole".to_owned()),
        narrative: None,
        sections: Sections {
            behavior: Some(Behavior {
                examples: Some(vec![Example::Structured(Steps {
                    given: owned(&["d"]),
                    when: owned(&["b {n: 2}", "c"]),
                    then: Vec::new(),
                })]),
                ..Behavior::default()
            }),
            verification: Some(Verification { mode: Some(VerificationMode::Manual), ..Verification::default() }),
            ..Sections::default()
        },
        entries: Vec::new(),
    };
    assert_eq!(found, [behavior, example]);
    assert_eq!(specs(&text.replace('\n', "\r\n")), found, "the kind of line end plays no part");
    assert_eq!(specs(&format!("\u{FEFF}{text}")), found, "a byte-order mark plays no part");
}

#[test]
fn a_feature_alone_is_enough() {
    let found = specs(HEADER);
    assert_eq!(found.len(), 1);
    assert!(found[0].sections.is_empty() && found[0].narrative.is_none());
    assert_eq!(specs(&feature("Feature: G"))[0].narrative.as_deref(), Some("Feature: G"));
    let template = specs(&format!("{HEADER}{}Given <a>", SCENARIO.replace("Scenario:", "Scenario Template:")));
    assert_eq!(template.len(), 2, "a template without a table is one case");
}
