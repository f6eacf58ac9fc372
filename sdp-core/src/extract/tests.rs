//! What the checks say of bindings stands where the binding, or its target, is written.

use super::*;
use crate::derive::Sourced;
use crate::graph::Index;
use crate::model::EdgeType;
use crate::space;
use crate::testing::{anchor, bound, spec};
use crate::validate::validate;

const RULE: &str = "## Intent\n- outcome: o\n\n## Rule\n- r";
const SPACE: &str = "## Intent\n- outcome: o\n\n## Example space\n\n```gwt-vocabulary\nGiven {n:number} items\nWhen they are ordered\nThen it is done\n```";

/// All that is said of carriers and anchors, in the pinned form.
fn said(carriers: &[String], anchors: Vec<Sourced>) -> Vec<String> {
    let extraction = Extraction::of(Path::new("no such folder"), bound(carriers, anchors), Vec::new());
    let index = Index::new(&extraction.graph);
    let mut findings = validate(&extraction.graph, &index).findings;
    findings.extend(space::findings(&extraction.graph, &index));
    let said = extraction.findings.iter().cloned().chain(extraction.said(findings));
    said.map(|finding| finding.line_form()).collect()
}

fn two_specs() -> [String; 2] {
    [spec("spec:shop.order rule idea", "refines: spec:shop", RULE), spec("spec:shop rule idea", "", RULE)]
}

#[test]
#[sdp::verifies("spec:sdp.checks.relations")]
fn a_dangling_target_is_reported_on_the_line_on_which_it_is_written() {
    let anchors = vec![
        anchor("src/a.rs", 10, "satisfies spec:shop\n spec:shop.ordr\n spec:gone\nreferences spec:lost\nid impl:a"),
        anchor("src/a.rs", 30, "id test:a\nverifies spec:none spec:shop.order"),
        anchor("src/b.rs", 1, "id impl:b\ncomponent component:gone\nuses impl:none impl:a"),
        anchor("src/b.rs", 9, "models spec:away\nid oracle:b"),
    ];
    let row = |place: &str, from: &str, edge: &str, to: &str| {
        format!(
            "{place} — [error] conformance/referential-integrity — Reference from \"{from}\" via \"{edge}\" points to missing target \"{to}\"."
        )
    };
    assert_eq!(
        said(&two_specs(), anchors),
        [
            row("src/a.rs:11", "impl:a", "satisfies", "spec:shop.ordr") + " Did you mean \"spec:shop.order\"?",
            row("src/a.rs:12", "impl:a", "satisfies", "spec:gone"),
            row("src/a.rs:13", "impl:a", "references", "spec:lost"),
            row("src/a.rs:31", "test:a", "verifies", "spec:none"),
            row("src/b.rs:2", "impl:b", "memberOf", "component:gone"),
            row("src/b.rs:3", "impl:b", "uses", "impl:none"),
            row("src/b.rs:9", "oracle:b", "models", "spec:away"),
        ]
    );
}

#[test]
#[sdp::verifies("spec:sdp.checks.relations")]
fn a_target_that_is_named_in_two_fields_is_reported_on_both_lines() {
    let anchors = vec![
        anchor("src/a.rs", 3, "id impl:a\nuses component:gone\n\ncomponent component:gone"),
        anchor("src/b.rs", 1, "component component:gone\nid impl:b\nuses impl:a component:gone"),
    ];
    let row = |place: &str, from: &str, edge: &str| {
        format!(
            "{place} — [error] conformance/referential-integrity — Reference from \"{from}\" via \"{edge}\" points to missing target \"component:gone\"."
        )
    };
    assert_eq!(
        said(&two_specs(), anchors),
        [
            row("src/a.rs:4", "impl:a", "uses"),
            row("src/a.rs:6", "impl:a", "memberOf"),
            row("src/b.rs:1", "impl:b", "memberOf"),
            row("src/b.rs:3", "impl:b", "uses"),
        ]
    );
}

#[test]
fn a_unit_that_names_itself_is_reported_on_that_line() {
    let anchors = vec![anchor("src/a.rs", 4, "id component:a\nuses component:a")];
    assert_eq!(
        said(&two_specs(), anchors),
        [
            "src/a.rs:5 — [error] conformance/structural-anchors — Structural uses self-reference \"component:a\" is not allowed."
        ]
    );
}

#[test]
fn an_oracle_without_a_space_is_reported_at_its_target_and_a_second_one_at_the_spec() {
    let [order, shop] = two_specs();
    let carriers = [order, shop, spec("spec:space behavior idea", "refines: spec:shop", SPACE)];
    let anchors = vec![
        anchor("src/a.rs", 2, "id oracle:one\nmodels spec:space"),
        anchor("src/a.rs", 12, "id oracle:two\nmodels spec:space"),
        anchor("src/a.rs", 22, "id oracle:three\nmodels spec:shop"),
    ];
    assert_eq!(
        said(&carriers, anchors),
        [
            "002.sdp.md:2 — [error] conformance/oracle-linkage — Spec \"spec:space\" has 2 resolving oracle bindings (\"oracle:one\" · \"oracle:two\") — at most one expected-outcome authority may model an example space.",
            "src/a.rs:23 — [error] conformance/oracle-linkage — Oracle binding \"oracle:three\" → \"spec:shop\" must use an oracle: anchor and target a Spec that owns an example space.",
        ]
    );
}

#[test]
fn two_anchors_of_one_id_are_both_reported_and_bind_nothing() {
    let anchors = vec![
        anchor("src/a.rs", 3, "id test:a\nverifies spec:shop"),
        anchor("tests/b.rs", 8, "id test:a\nverifies spec:gone"),
    ];
    let text = "[error] extract/duplicate-id — id \"test:a\" is reified from 2 sites (ambiguity is loud, L2); every site is reported and none enters the graph";
    assert_eq!(said(&two_specs(), anchors), [format!("src/a.rs:3 — {text}"), format!("tests/b.rs:8 — {text}")]);
}

#[test]
fn a_test_closes_the_gap_of_a_ready_spec_and_of_its_ready_example() {
    let example = "## Intent\n- outcome: o\n\n```gwt\nGiven a\nWhen b\nThen c\n```";
    let carriers = [
        spec("spec:a rule ready", "dependsOn: spec:base", RULE),
        spec("spec:a.x example ready", "verifies: spec:a", example),
        spec("spec:base rule defined", "refines: spec:a", RULE),
    ];
    let gap = |place: &str, id: &str| {
        format!(
            "{place} — [warning] honesty/gaps — Spec \"{id}\" states readiness \"ready\" with no resolving verifier — a gap, informative only (ready never requires delivery facts)."
        )
    };
    assert_eq!(
        said(&carriers, Vec::new()),
        [
            gap("000.sdp.md:2", "spec:a"),
            "001.sdp.md:2 — [warning] conformance/verifies-linkage — Example \"spec:a.x\" declares verifies → \"spec:a\" but is not an enabled verifier — no test anchor binds it, so the spec↔test trace is incomplete and it confers no has-verifier.".to_owned(),
            gap("001.sdp.md:2", "spec:a.x"),
        ]
    );
    let test = anchor("tests/a.rs", 5, "id test:a\nverifies spec:a.x");
    assert_eq!(said(&carriers, vec![test]), Vec::<String>::new(), "the example is enabled, and it verifies the Spec");
    let code = anchor("src/a.rs", 5, "id impl:a\nsatisfies spec:a");
    assert_eq!(said(&carriers, vec![code]).len(), 3, "code is no verifier");
}

#[test]
fn very_many_dangling_targets_of_one_anchor_are_placed_without_a_search_among_all() {
    let targets: Vec<String> = (0..50_000).map(|at| format!(" spec:gone.{at}")).collect();
    let anchors = vec![anchor("src/a.rs", 1, &format!("id impl:a\nsatisfies\n{}", targets.join("\n")))];
    let extraction = Extraction::of(Path::new("no such folder"), bound(&[], anchors), Vec::new());
    let place = extraction.place("impl:a").unwrap();
    assert_eq!(place.targets.len(), 50_000);
    assert!(place.targets.is_sorted());
    assert_eq!(place.target_line(Some("spec:gone.0"), Some(EdgeType::Satisfies)), Some(3));
    assert_eq!(place.target_line(Some("spec:gone.49999"), None), Some(50_002));
    assert_eq!((place.target_line(Some("spec:gone"), None), place.target_line(None, None)), (None, None));
}
