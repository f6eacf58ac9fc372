use super::*;

const VOCABULARY: &str = "Given a cart with {n:number} items\nAnd it is {state:\"open\"|\"shut\"}\nWhen it is ordered\nThen the total is {t:number}";

/// What is said of one example of [`VOCABULARY`].
fn said_of(lines: &str) -> Vec<String> {
    said(&graph(&[space("spec:o", VOCABULARY), example("spec:o.x", "refines: spec:o", lines)]))
}

#[test]
fn a_fitting_example_is_said_nothing_of() {
    assert_eq!(
        said_of(
            "Given a cart with {n: 2} items\nAnd it is {state: \"open\"}\nWhen it is ordered\nThen the total is {t: 5}"
        ),
        Vec::<String>::new()
    );
}

#[test]
fn a_vocabulary_slot_without_a_type_is_named() {
    let graph = graph(&[space("spec:o", "Given {a} and {b:\"one\"}\nWhen w\nThen t {c: x}")]);
    let message = |step: &str, name: &str| {
        format!(
            "contracts/untyped-vocabulary-slot spec:o: vocabulary step \"{step}\" carries slot \"{{{name}}}\" without a usable type declaration — a dimension declares number/string/boolean or a closed union of two or more quoted literals; the slot declares nothing"
        )
    };
    assert_eq!(said(&graph), [message("{a} and {b}", "a"), message("{a} and {b}", "b"), message("t {c}", "c")]);
    let first = &findings(&graph, &Index::new(&graph))[0];
    assert_eq!((first.path.as_deref(), first.file.as_deref()), (Some("behavior.exampleSpace"), Some("000.sdp.md")));
    assert_eq!((first.related.as_deref(), first.line), (None, None));
}

#[test]
fn a_second_type_is_named_within_a_step_and_between_steps() {
    let graph = graph(&[space(
        "spec:o",
        "Given {n:number} {n:\"a\"|\"b\"} {n:number}\nAnd more {n:string}\nWhen again {n:number}\nThen {n:boolean}",
    )]);
    assert_eq!(
        said(&graph),
        [
            "contracts/conflicting-dimension spec:o: slot \"{n}\" is declared at type \"a\"|\"b\" after number within one vocabulary step (\"{n} {n} {n}\") — the first declaration wins (ambiguity is loud, L2)",
            "contracts/conflicting-dimension spec:o: slot \"{n}\" is declared at type string in \"more {n}\" but already at number in \"{n} {n} {n}\" — the first declaration wins (ambiguity is loud, L2)",
        ]
    );
}

#[test]
#[sdp::verifies("spec:sdp.reader.example-space")]
fn an_undeclared_slot_is_named_once_and_dropped() {
    let lines = "Given a cart with {n: 2} items and {x: 1} {x: 1}\nWhen it is ordered\nThen the total is {t: 5} {y: 1}";
    let graph = graph(&[space("spec:o", VOCABULARY), example("spec:o.x", "refines: spec:o", lines)]);
    assert_eq!(
        said(&graph)[0],
        "contracts/undeclared-slot spec:o.x: bound slot \"{x}\" is not declared in the parent's example space (\"spec:o\") — the binding is dropped from the point"
    );
    assert_eq!(said(&graph).len(), 3, "two more: the steps are none of the space's");
    let first = &findings(&graph, &Index::new(&graph))[0];
    assert_eq!((first.related.as_deref(), first.path.as_deref()), (Some("spec:o"), Some("behavior.examples")));
    assert_eq!(decoded(&graph, "spec:o").examples[0].point.len(), 1);
}

#[test]
fn a_second_value_is_named_in_its_three_forms() {
    assert_eq!(
        said_of(
            "Given a cart with {n: 2} items\nAnd a cart with {n: 3} items\nAnd a cart with {n: 2.0} items\nAnd it is {state: \"open\"}\nWhen it is ordered\nThen the total is {t: 5}"
        ),
        [
            "contracts/conflicting-binding spec:o.x: step \"a cart with {n} items\" recurs with different bound values in one example — the first binding wins (\"same words, same meaning\")",
            "contracts/conflicting-binding spec:o.x: slot \"{n}\" is bound to 3 after 2 in the same example — the first binding wins (an example is one point, MD-17)",
        ]
    );
    let graph = graph(&[
        space("spec:o", "Given {s:string} then {s:string}\nWhen w\nThen {t:number} {t:number}"),
        example("spec:o.x", "refines: spec:o", "Given {s: \"a\"} then {s: \"b\"}\nWhen w\nThen {t: 1} {t: 1.0}"),
    ]);
    assert_eq!(
        said(&graph),
        [
            "contracts/conflicting-binding spec:o.x: slot \"{s}\" is bound to \"b\" after \"a\" within one step (\"{s} then {s}\") — the first binding wins (an example is one point, MD-17)"
        ]
    );
    assert_eq!(decoded(&graph, "spec:o").examples[0].point[0].value, Value::Text("a".to_owned()));
}

#[test]
fn a_value_outside_its_type_is_named_and_dropped() {
    let huge = "9".repeat(400);
    for (given, expected) in [
        ("a cart with {n: \"two\"} items", "slot \"{n}\" binds \"two\", outside its declared type number"),
        ("it is {state: \"ajar\"}", "slot \"{state}\" binds \"ajar\", outside its declared type \"open\"|\"shut\""),
        ("it is {state: true}", "slot \"{state}\" binds true, outside its declared type \"open\"|\"shut\""),
        (&format!("a cart with {{n: {huge}}} items"), "slot \"{n}\" binds Infinity, outside its declared type number"),
    ] {
        let lines = format!("Given {given}\nWhen it is ordered\nThen the total is {{t: 5}}");
        let graph = graph(&[space("spec:o", VOCABULARY), example("spec:o.x", "refines: spec:o", &lines)]);
        let message =
            format!("contracts/off-dimension-value spec:o.x: {expected} — the binding is dropped from the point");
        assert_eq!(said(&graph), [message], "{given}");
        let example = decoded(&graph, "spec:o").examples.remove(0);
        assert!(example.point.is_empty() && example.bindable, "the value is not the vocabulary's business");
    }
}

#[test]
fn an_off_type_value_leaves_its_dimension_to_a_later_one() {
    let lines = "Given a cart with {n: \"two\"} items\nAnd a cart with {n: 2} items\nWhen it is ordered\nThen the total is {t: 5}";
    let graph = graph(&[space("spec:o", VOCABULARY), example("spec:o.x", "refines: spec:o", lines)]);
    assert_eq!(decoded(&graph, "spec:o").examples[0].point[0].value, Value::Number(2.0));
}

#[test]
fn a_step_that_the_parent_lacks_is_named_once() {
    assert_eq!(
        said_of("Given a basket\nAnd a basket\nAnd a cart with {n: 1} items\nWhen it is ordered\nThen a basket"),
        [
            "contracts/unmatched-vocabulary-step spec:o.x: example step \"a basket\" does not exist in the parent example space (\"spec:o\") — the child step contract is withheld until the shared vocabulary and bound point agree",
            "contracts/unmatched-vocabulary-step spec:o.x: example step \"a basket\" does not exist in the parent example space (\"spec:o\") — the child step contract is withheld until the shared vocabulary and bound point agree",
        ],
        "once as Given, once as Then"
    );
}

#[test]
fn a_step_that_the_parents_type_in_two_ways_does_not_bind() {
    let graph = graph(&[
        space("spec:p", "Given {n:number}\nWhen w\nThen t"),
        space("spec:o", "Given {n:string}\nAnd only here {b}\nWhen w\nThen t"),
        example("spec:x", "refines: [spec:p, spec:o]", "Given {n: 1}\nAnd only here {b: 1}\nAnd z\nWhen w\nThen t"),
    ]);
    let of_x: Vec<String> = said(&graph).into_iter().filter(|row| row.contains("-step spec:x")).collect();
    let message = |step: &str, verdict: &str| {
        format!(
            "contracts/unmatched-vocabulary-step spec:x: example step \"{step}\" {verdict} the parent example spaces (\"spec:o\" · \"spec:p\") — the child step contract is withheld until the shared vocabulary and bound point agree"
        )
    };
    assert_eq!(
        of_x,
        [
            message("{n}", "does not bind compatibly against"),
            message("only here {b}", "does not bind compatibly against"),
            message("z", "does not exist in"),
        ]
    );
    let space = decoded(&graph, "spec:p");
    assert!(!space.examples[0].matched && !space.examples[0].bindable);
    assert_eq!(space.examples[0].point.len(), 1, "its point in this space stays");
}

#[test]
#[sdp::verifies("spec:sdp.reader.example-space.draft")]
fn a_draft_is_left_in_peace_until_every_slot_is_bound() {
    assert_eq!(said_of("Given a basket {n}\nWhen it is ordered\nThen the total is {t: 5}"), Vec::<String>::new());
}

#[test]
fn an_example_without_a_space_above_it_is_judged_alone() {
    let graph = graph(&[
        spec("spec:r rule idea", "", "## Rule\n- r"),
        example("spec:x", "refines: spec:r", "Given {n: 1}\nAnd {n: 2}\nWhen w\nThen t"),
    ]);
    assert_eq!(
        said(&graph),
        [
            "contracts/conflicting-binding spec:x: step \"{n}\" recurs with different bound values in one example — the first binding wins (\"same words, same meaning\")"
        ]
    );
    let index = Index::new(&graph);
    assert!(is_bindable(&graph, &index, index.spec(&graph, "spec:x").unwrap()));
}

#[test]
fn the_answer_of_one_space_holds_its_own_findings_only() {
    let graph = graph(&[
        space("spec:a", "Given {n}\nWhen w\nThen t"),
        space("spec:b", "Given {n}\nWhen w\nThen t"),
        example("spec:a.x", "refines: spec:a", "Given {n: 1}\nWhen w\nThen t"),
    ]);
    assert_eq!(said(&graph).len(), 4);
    let space = decoded(&graph, "spec:a");
    let rows: Vec<_> = space.findings.iter().map(|each| (each.id.as_str(), each.subject.as_deref().unwrap())).collect();
    assert_eq!(
        rows,
        [
            ("contracts/untyped-vocabulary-slot", "spec:a"),
            ("contracts/undeclared-slot", "spec:a.x"),
            ("contracts/unmatched-vocabulary-step", "spec:a.x"),
        ]
    );
}
