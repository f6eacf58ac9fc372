//! Remedies: what an author is told beside the Protocol's message fits the very line.

use super::*;

#[test]
fn a_second_feature_goes_into_a_file_of_its_own() {
    let second = "a carrier holds one Feature: move the second one, with its tags, into a file of its own";
    let scenario = scenario("Given a");
    for text in [
        format!("{scenario}Feature: G\n"),
        format!("{scenario}@spec.a.c\nFeature: G\n"),
        format!("{scenario}Ability: G\n"),
        format!("{HEADER}Rule: r\n@spec.a.c\nFeature: G\n"),
    ] {
        let found = findings(&text);
        assert_eq!(found.iter().map(Finding::remedy).collect::<Vec<_>>(), [second], "{text}");
    }
}

#[test]
fn a_tag_with_a_colon_for_its_dot_is_named_where_it_is_missed() {
    let text = "@x @spec:a.b\n@altitude:feature @readiness:idea\nFeature: F\n";
    let found = findings(text);
    assert_eq!(
        found.iter().map(Finding::remedy).collect::<Vec<_>>(),
        [
            "write `@spec.a.b` for the tag `@spec:a.b` in line 1",
            "write `@altitude.feature` for the tag `@altitude:feature` in line 2",
            "write `@readiness.idea` for the tag `@readiness:idea` in line 2",
        ]
    );
    assert!(found.iter().all(|finding| finding.line == Some(3)), "{found:#?}");
    let found = findings("@other @altitude.feature @readiness.idea\nFeature: F\n");
    assert_eq!(
        found.iter().map(Finding::remedy).collect::<Vec<_>>(),
        ["add a tag such as `@spec.shop.refund` above it"]
    );
}

#[test]
fn each_key_of_a_description_fills_its_place() {
    let lines = "- problem: p\n- outcome: o\n- value: v\n- actor: a\n- description: d\n- risk: r\n- risk: s\n- assumption: x\n- criterion: c\n- criterion: e\n- verification-mode: manual";
    let spec = specs(&feature(lines)).remove(0);
    let json = serde_json::to_value(&spec.sections).unwrap();
    let expected = serde_json::json!({
        "intent": {
            "actor": "a", "problem": "p", "outcome": "o", "value": "v", "description": "d",
            "risks": ["r", "s"], "assumptions": ["x"],
        },
        "verification": { "mode": "manual", "criteria": ["c", "e"] },
    });
    assert_eq!(json, expected);
}
