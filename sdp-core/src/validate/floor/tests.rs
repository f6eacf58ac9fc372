//! Remedies of the floor: they fit the carrier's form, and name the slot that keeps an example from being whole.

use super::*;
use crate::carrier::{CarrierForm, gherkin};
use crate::derive::{Sourced, derive};
use crate::finding::FindingId;
use crate::model::SpecKind;
use crate::testing::{graph, spec as carrier};
use crate::validate::validate;

/// Clause and remedy of each finding of the floor.
fn remedies(graph: &Graph) -> Vec<(String, String)> {
    let report = validate(graph, &Index::new(graph));
    let of_floor = report.findings.iter().filter(|finding| finding.id == FindingId::ReadinessFloor);
    of_floor.map(|finding| (finding.related.clone().unwrap(), finding.remedy().to_owned())).collect()
}

fn of_gherkin(text: &str) -> Graph {
    let documents = gherkin::read("a.sdp.gherkin", text).unwrap_or_else(|findings| panic!("{findings:#?}"));
    derive(documents.into_iter().map(|document| Sourced { file: "a.sdp.gherkin".into(), document }).collect()).graph
}

/// The remedy of an example with this fence.
fn of_steps(given: &str) -> String {
    let body = format!("## Intent\n- outcome: o\n\n```gwt\nGiven {given}\nWhen b\nThen c\n```");
    let found = remedies(&graph(&[
        carrier("spec:a.x example defined", "refines: spec:a", &body),
        carrier("spec:a rule idea", "", "## Intent\n- outcome: o"),
    ]));
    let [(clause, remedy)] = found.as_slice() else { panic!("{given}: {found:#?}") };
    assert_eq!(clause, "kind-evidence-complete");
    remedy.clone()
}

#[test]
fn a_remedy_speaks_of_the_form_of_the_carrier() {
    let text = "@spec.a @altitude.story @readiness.defined\nFeature: F\n@spec.a.b @altitude.story @readiness.defined\nScenario: S\nGiven a\n";
    let found = remedies(&of_gherkin(text));
    let expected = [
        (
            "at-least-one-relation",
            "add a tag such as `@refines.spec:shop.orders` (membership in a Pack is no relation), or state a lower readiness",
        ),
        ("intent.outcome", "write `- outcome: …` below the title, or state a lower readiness"),
        (
            "intent.outcome-or-parent-relation",
            "write `- outcome: …` below the title, or add a tag such as `@refines.spec:shop.orders`",
        ),
        ("intent.outcome", "write `- outcome: …` below the title, or state a lower readiness"),
        (
            "kind-evidence-complete",
            "write Given, When and Then steps below the Scenario, bind every slot, and use steps of the example space that it refines",
        ),
    ];
    assert_eq!(found, expected.map(|(clause, remedy)| (clause.to_owned(), remedy.to_owned())));
}

#[test]
fn no_remedy_for_a_gherkin_carrier_names_a_form_of_markdown() {
    for clause in Readiness::ALL.iter().flat_map(|rung| Clause::of_rung(*rung)) {
        // The only one that asks for what Gherkin cannot say cannot fail there: it has no open questions.
        if *clause == Clause::NoBlockingQuestions {
            continue;
        }
        for kind in [SpecKind::Behavior, SpecKind::Example] {
            let remedy = clause.remedy(kind, CarrierForm::Gherkin);
            for word in ["##", "`gwt`", "# …", "frontmatter"] {
                assert!(!remedy.contains(word), "{}: {remedy}", clause.id());
            }
        }
    }
}

#[test]
fn every_remedy_for_a_typescript_carrier_is_in_its_words() {
    let text = |kind: SpecKind, clause: Clause| clause.remedy(kind, CarrierForm::TypeScript);
    for clause in Readiness::ALL.iter().flat_map(|rung| Clause::of_rung(*rung)) {
        for kind in SpecKind::ALL.iter().copied() {
            for word in ["##", "`gwt`", "# …", "frontmatter", "`- ", "[blocking]", "`@"] {
                assert!(!text(kind, *clause).contains(word), "{}: {}", clause.id(), text(kind, *clause));
            }
        }
    }
    assert_eq!(text(SpecKind::Rule, Clause::Title), "give the Spec a title: `title: \"…\"`");
    assert_eq!(text(SpecKind::Rule, Clause::Outcome), "write `intent: { outcome: \"…\" }`, or state a lower readiness");
    assert_eq!(
        text(SpecKind::Example, Clause::EvidencePresent),
        "write the case under `behavior`: `examples: [{ given: [\"…\"], when: [\"…\"], then: [\"…\"] }]`"
    );
}

#[test]
fn the_first_slot_that_binds_nothing_is_named() {
    for (given, expected) in [
        ("{n: 1} {part: half} {other}", "`{part: half}` binds nothing: a text needs quotes: `{part: \"half\"}`"),
        ("{part:'half'}", "`{part:'half'}` binds nothing: a text needs quotes: `{part: \"half\"}`"),
        ("{part: “half”}", "`{part: “half”}` binds nothing: a text needs quotes: `{part: \"half\"}`"),
        ("{ n }", "`{n}` binds nothing: write a value behind the name, such as `{n: 2}`"),
        ("{n:number}", "`{n:number}` binds nothing: an example gives the slot one value, not a type"),
        (
            "{n: 1e3}",
            "`{n: 1e3}` binds nothing: a number is digits with one point at most, and a text needs quotes: `{n: \"1e3\"}`",
        ),
        ("{n: }", "`{n:}` binds nothing: behind the colon stands a number, `true`, `false` or one text in quotes"),
        (
            "{n: \"a\" b}",
            "`{n: \"a\" b}` binds nothing: behind the colon stands a number, `true`, `false` or one text in quotes",
        ),
        ("{__proto__: 1}", "`{__proto__: 1}` binds nothing: give the slot another name"),
    ] {
        assert_eq!(of_steps(given), expected, "{given}");
    }
    let long = of_steps(&format!("{{n: {}}}", "é".repeat(10_000)));
    assert!(long.chars().count() < 200, "{long}");
}
