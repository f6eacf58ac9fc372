//! Every message of the grammar.

use super::*;

const FEATURE: Option<&str> = Some("spec:a.b");
const CHILD: Option<&str> = Some("spec:a.b.c");

#[test]
fn each_coordinate_stands_once() {
    let missing = |what: &str, id: &str| {
        [
            format!("{what}{id} is missing @altitude.epic|feature|story"),
            format!("{what}{id} is missing @readiness.idea|scoped|defined|ready"),
        ]
    };
    let no_id = "is missing @spec.<dotted-id>; exactly one identity tag is required";
    let [altitude, readiness] = missing("Feature", "");
    let feature_lacks = format!("Feature {no_id}");
    assert_findings(
        "Feature: F\n",
        &[(GRAMMAR, 1, &feature_lacks, None), (GRAMMAR, 1, &altitude, None), (GRAMMAR, 1, &readiness, None)],
    );
    let [altitude, readiness] = missing("Scenario", " \"spec:a.b.c\"");
    assert_findings(
        &feature("@spec.a.b.c\nScenario: S\nGiven a"),
        &[(GRAMMAR, 4, &altitude, CHILD), (GRAMMAR, 4, &readiness, CHILD)],
    );
    assert_findings(
        "@altitude.story @spec.a.b @spec.x\n@readiness.idea @altitude.epic @readiness.idea\nFeature: F",
        &[
            (
                GRAMMAR,
                1,
                "Feature carries duplicate identity tag \"@spec.x\"; exactly one @spec.<dotted-id> is required",
                FEATURE,
            ),
            (
                GRAMMAR,
                2,
                "Feature carries duplicate altitude tag \"@altitude.epic\"; exactly one altitude is required",
                FEATURE,
            ),
            (
                GRAMMAR,
                2,
                "Feature carries duplicate readiness tag \"@readiness.idea\"; exactly one readiness is required",
                FEATURE,
            ),
        ],
    );
    assert_findings(
        "@altitude.Epic @spec.a.b @readiness.\nFeature: F",
        &[
            (GRAMMAR, 1, "Feature altitude tag \"@altitude.Epic\" is outside epic | feature | story", None),
            (GRAMMAR, 1, "Feature readiness tag \"@readiness.\" is outside idea | scoped | defined | ready", FEATURE),
        ],
    );
    assert_findings(
        "@spec.a.b @altitude.epic @readiness.idea @example-space\nFeature: F",
        &[(GRAMMAR, 1, "Feature tag \"@example-space\" is lawful only on the single pseudo-scenario", FEATURE)],
    );
}

#[test]
fn the_findings_of_one_line_stand_as_the_line_does() {
    let found = findings("@spec.a @altitude.x @kind.a @readiness.x @pack\nFeature: F");
    let columns: Vec<Option<u32>> = found.iter().map(|finding| finding.column).collect();
    assert_eq!(columns, [Some(9), Some(21), Some(29), Some(42)]);
    let subjects: Vec<bool> = found.iter().map(|finding| finding.subject.is_some()).collect();
    assert_eq!(subjects, [true, false, true, false]);
}

#[test]
fn ids_keep_the_grammar_and_are_no_entry_addresses() {
    let with = |tag: &str| format!("@altitude.epic @readiness.idea {tag}\nFeature: F");
    let cases = [
        ("@spec.", "Invalid ID \"spec:\": missing path"),
        ("@spec.a..b", "Invalid ID \"spec:a..b\": empty path segment"),
        ("@spec.a#design.k", "Invalid ID \"spec:a#design.k\": an entry address is not a Spec id"),
        ("@spec.a @refines.", "Invalid ID \"\": missing namespace"),
        ("@spec.a @verifies.a.b", "Invalid ID \"a.b\": missing namespace"),
        ("@spec.a @decided-by.impl:x", "the target must use the spec: namespace"),
        ("@spec.a @constrained-by.spec:x#rule.k", "Invalid ID \"spec:x#rule.k\": an entry address is not a Spec id"),
    ];
    for (tags, reason) in cases {
        let tag = tags.split(' ').next_back().unwrap();
        let message = format!("Gherkin id token \"{tag}\" is invalid: {reason}");
        assert_findings(&with(tags), &[(INVALID_ID, 1, &message, None)]);
    }
    assert_eq!(findings(&with("@spec.a_b")).first().unwrap().column, Some(32));
}

#[test]
fn a_tag_that_decorates_says_nothing_that_a_carrier_must_not_say() {
    let with = |tag: &str| format!("@spec.a.b @altitude.epic @readiness.idea\n{tag}\nFeature: F");
    let refused = |tag: &str, rest: &str| {
        assert_findings(&with(tag), &[(GRAMMAR, 2, &format!("Gherkin tag \"{tag}\" is refused{rest}"), None)]);
    };
    let never = "lookalike; delivery facts, claims, and lifecycle state are never authored by the carrier";
    for tag in ["@implemented", "@has-verifier", "@observed"] {
        refused(tag, &format!(" as an delivery-fact {never}"));
    }
    refused("@claims.all", &format!(" as an authored claim {never}"));
    refused("@status-done", &format!(" as an authored lifecycle-status {never}"));
    refused("@architect-x", &format!(" as an retired architect-status {never}"));
    let structural = ": kind is structural (Feature → behavior, Scenario → example)";
    for tag in ["@kind.behavior", "@kind.example", "@kind.other", "@kind."] {
        refused(tag, structural);
    }
    let lies = [
        ("workflow", "workflow has no distinct Gherkin root and Feature mapping erases the kind"),
        ("rule", "rule collides with Rule: already consumed as inline behavior.rules"),
        ("constraint", "constraint needs machine-readable targets a Scenario cannot own"),
        ("model", "model needs keyed terms"),
        (
            "decision",
            "decision needs context/decision/rationale/consequences (and supersedes) that Feature structure cannot distinguish",
        ),
        ("contract", "contract shares the behavior family row today but Feature cannot structurally mark the kind"),
    ];
    for (kind, lie) in lies {
        refused(&format!("@kind.{kind}"), &format!("{structural}; {lie}"));
    }
    for tag in ["@pack", "@pack.p"] {
        refused(tag, ": Pack membership is owned only by the Pack manifest");
    }
    refused("@supersedes.spec:a", ": supersedes is outside the behavior/example carrier vocabulary");
}

#[test]
fn a_tag_near_a_reserved_head_is_refused() {
    let with = |tag: &str| format!("@spec.a.b @altitude.epic @readiness.idea\n{tag}\nFeature: F");
    let close = |tag: &str, reserved: &str, hint: &str| {
        let head = tag[1..].split('.').next().unwrap();
        let message = format!(
            "Gherkin decoration tag \"{tag}\" uses authored head \"{head}\" too close to reserved graph-aware head \"{reserved}\"{hint}"
        );
        assert_findings(&with(tag), &[(GRAMMAR, 2, &message, None)]);
    };
    close("@Spec.a", "spec", "; did you mean \"@spec.\"?");
    close("@spec", "spec", "; did you mean \"@spec.\"?");
    close("@dependsOn.spec:a", "depends-on", "; did you mean \"@depends-on.\"?");
    close("@packs.p", "pack", "");
    close("@kin", "kind", "");
    close("@supersede.x", "supersedes", "");
    close("@example-spaces", "example-space", "");
    for tag in ["@sp", "@speck-s", "@packaged", "@examples", "@", "@implemented-by.x", "@wip"] {
        assert_eq!(findings(&with(tag)), [], "{tag}");
    }
}

#[test]
fn a_descriptions_bullets_are_a_closed_list() {
    let keys = "problem | outcome | value | actor | description | risk | assumption | criterion | verification-mode";
    let outside =
        format!("Feature \"F\" description key \"outcom\" is outside the closed set {keys}; did you mean \"outcome\"?");
    let far = format!("Feature \"F\" description key \"\" is outside the closed set {keys}");
    assert_findings(
        &feature(
            "prose\n\n# c\n- outcom: o\n-  : o\n- risk:\n- actor: a\n  - actor: b\n- verification-mode: no\n- verification-mode: manual\n- verification-mode: manual\nAcceptance criteria:",
        ),
        &[
            (GRAMMAR, 6, &outside, FEATURE),
            (GRAMMAR, 7, &far, FEATURE),
            (GRAMMAR, 8, "Feature \"F\" description key \"risk\" requires a value", FEATURE),
            (GRAMMAR, 10, "Feature \"F\" description key \"actor\" is authored more than once", FEATURE),
            (
                GRAMMAR,
                11,
                "Feature \"F\" verification mode \"no\" is outside manual | reviewed | contract | executable",
                FEATURE,
            ),
            (GRAMMAR, 13, "Feature \"F\" description key \"verification-mode\" is authored more than once", FEATURE),
            (
                GRAMMAR,
                14,
                "Feature \"F\" description line \"Acceptance criteria:\" is heading-shaped; the Gherkin carrier has no description headings",
                FEATURE,
            ),
        ],
    );
    assert_findings(
        &scenario("- value:\nGiven a"),
        &[(GRAMMAR, 5, "Scenario \"S\" description key \"value\" requires a value", CHILD)],
    );
    let narrative = "- : x\n- no key\n- a: b\u{2028}c\nacceptance:\nA: b:";
    assert_eq!(specs(&feature(narrative))[0].narrative.as_deref(), Some(narrative.replace('\n', " ").as_str()));
}

#[test]
fn steps_have_a_phase_and_no_arguments() {
    assert_findings(
        &scenario("And a\n* b\nGiven c\n| d |\n\"\"\"\n\"\"\"\nBut e"),
        &[
            (
                GRAMMAR,
                5,
                "Scenario \"S\" starts with conjunction step \"And a\"; And/But must inherit a preceding phase",
                CHILD,
            ),
            (
                GRAMMAR,
                6,
                "Scenario \"S\" step keyword \"*\" is refused; '*' and unknown step phases have no carrier meaning",
                CHILD,
            ),
            (
                GRAMMAR,
                8,
                "Scenario \"S\" step \"c\" carries a data table, which the closed carrier grammar refuses",
                CHILD,
            ),
            (
                GRAMMAR,
                9,
                "Scenario \"S\" step \"c\" carries a doc string, which the closed carrier grammar refuses",
                CHILD,
            ),
        ],
    );
    assert_findings(&scenario("# only"), &[(GRAMMAR, 4, "Scenario \"S\" must carry at least one step", CHILD)]);
}

#[test]
fn constructs_beyond_feature_scenario_and_rule_are_refused() {
    assert_findings(
        &feature("Background:\nGiven a"),
        &[(GRAMMAR, 3, "Feature \"F\" carries unsupported construct \"Background\"", FEATURE)],
    );
    let outline = |keyword: &str| {
        format!(
            "Scenario construct \"{keyword}\" is refused; Scenario Outline and Examples are outside the closed carrier grammar"
        )
    };
    let text = scenario("Given a\nExamples:\n| a |");
    assert_findings(&text, &[(GRAMMAR, 4, &outline("Scenario"), CHILD)]);
    let text = scenario("Given a").replace("Scenario:", "Scenario Outline:");
    assert_findings(&text, &[(GRAMMAR, 4, &outline("Scenario Outline"), CHILD)]);
    let children = "has children because Scenarios following a Rule nest under it positionally; place every Scenario before trailing title-only Rules";
    let (with_background, with_scenario) = (format!("Rule \"r\" {children}"), format!("Rule \"s\" {children}"));
    assert_findings(
        &feature("@t @u\nRule: r\n# c\n\nprose\nBackground:\nRule: s\nScenario: x"),
        &[
            (GRAMMAR, 3, "Rule \"r\" carries tag \"@t\"; Rules are title-only", None),
            (GRAMMAR, 3, "Rule \"r\" carries tag \"@u\"; Rules are title-only", None),
            (GRAMMAR, 4, &with_background, None),
            (GRAMMAR, 7, "Rule \"r\" carries a description; Rules are title-only", None),
            (GRAMMAR, 9, &with_scenario, None),
        ],
    );
}

#[test]
fn an_example_space_is_one_scenario_of_steps() {
    let space = "@example-space pseudo-scenario";
    let (empty, described, starred, marked) = (
        format!("{space} must carry at least one step"),
        format!("{space} cannot carry a description"),
        format!("{space} step keyword \"*\" is refused; '*' and unknown step phases have no carrier meaning"),
        format!("{space} carries 2 marker tags; exactly one is required"),
    );
    assert_findings(&feature("@example-space\nScenario: s"), &[(GRAMMAR, 4, &empty, None)]);
    assert_findings(
        &feature(
            "@example-space\nScenario Outline: s\n# c\n\n- outcome: o\n* a\n@example-space @example-space @spec.x\nScenario: t\nGiven b",
        ),
        &[
            (
                GRAMMAR,
                4,
                "@example-space uses unsupported construct \"Scenario Outline\"; Scenario Outline and Examples are refused",
                None,
            ),
            (GRAMMAR, 7, &described, None),
            (GRAMMAR, 8, &starred, None),
            (GRAMMAR, 9, &marked, None),
            (
                GRAMMAR,
                9,
                "Gherkin decoration tag \"@spec.x\" uses authored head \"spec\" too close to reserved graph-aware head \"spec\"; did you mean \"@spec.\"?",
                None,
            ),
            (GRAMMAR, 10, "Feature \"F\" carries more than one @example-space pseudo-scenario", FEATURE),
        ],
    );
}

#[test]
fn the_hundredth_finding_says_that_there_are_more() {
    let starred = |count: usize| scenario(&format!("Given a\n{}", "* b\n".repeat(count)));
    assert_eq!(findings(&starred(99)).len(), 99);
    for count in [100, 5_000] {
        let found = findings(&starred(count));
        assert_eq!(found.len(), 100);
        assert_eq!(
            found[0].line_form(),
            "a.sdp.gherkin:1 — [error] extract/too-many-gherkin-findings — the Gherkin carrier produced too many semantic findings; reporting is capped at 100"
        );
        assert_eq!((found[1].line, found[99].line), (Some(6), Some(104)));
    }
}

#[test]
fn every_finding_of_the_grammar_has_a_remedy_of_its_own() {
    let text = "@x @Refines @kind.a\nFeature: F\n- k: v\nBackground:\nScenario: S\n* a\nRule: R\nx";
    let found = findings(text);
    assert!(found.len() > 8, "{found:#?}");
    assert!(found.iter().all(|finding| finding.help.is_some()), "{found:#?}");
}
