//! Every operator over small evidence, and the folds against a model of their own.

use std::collections::BTreeMap;

use proptest::prelude::{Strategy, any, prop, proptest};
use proptest::{prop_assert_eq, prop_oneof};
use serde_json::{Value, json};

use super::{Budget, Evidence, Resolution, Resolved, evaluate};
use crate::contract::{Channel, Expression, InteractionPointer, ReferenceSet, Slug};
use crate::fault::{RuntimeCode, RuntimeFault};
use crate::shape;

/// The evidence of one step `s` on its response body.
struct Body {
    body: Value,
    sets: BTreeMap<String, ReferenceSet>,
}

impl Evidence for Body {
    fn channel(&self, step: &Slug, channel: &Channel) -> Option<&Value> {
        (step.as_str() == "s" && *channel == Channel::ResponseBody).then_some(&self.body)
    }

    fn is_collection(&self, pointer: &InteractionPointer) -> bool {
        pointer.target().tail == ["declared"]
    }

    fn reference_set(&self, id: &Slug) -> Option<&ReferenceSet> {
        self.sets.get(id.as_str())
    }
}

fn body() -> Body {
    let set = |keys: Value, members: Value| {
        shape::from_value(&json!({ "keys": keys, "members": members, "commentary": null })).unwrap()
    };
    Body {
        body: json!({
            "null": null, "one": 1, "float": 1.0, "text": "aab", "empty": [], "object": { "a": 1, "b": [1, 2] },
            "same": { "b": [1, 2], "a": 1 }, "list": [1, "x", { "a": 1 }], "yes": true,
            "rows": [{ "id": 1, "n": "a" }, { "id": 2, "n": "b" }, { "id": 2, "n": "c" }],
            "pairs": [{ "id": "y" }, { "id": "x" }], "gaps": [{ "id": "y" }, {}], "twice": [{ "id": "x" }, { "id": "x" }],
        }),
        sets: BTreeMap::from([
            ("ids".into(), set(json!(["key"]), json!([{ "key": "x" }, { "key": "y" }]))),
            ("two".into(), set(json!(["key", "more"]), json!([{ "key": "x", "more": 1 }]))),
            ("none".into(), set(json!(["key"]), json!([]))),
            ("again".into(), set(json!(["key"]), json!([{ "key": 1 }, { "key": 2 }, { "key": 1.0 }]))),
            ("rows".into(), set(json!(["id"]), json!([{ "id": 1, "n": "a" }]))),
        ]),
    }
}

fn run(check: &Value, budget: Budget) -> Result<Resolved, RuntimeFault> {
    let expression: Expression = shape::from_value(check).unwrap_or_else(|issues| panic!("{issues}"));
    evaluate(&expression, &body(), &budget)
}

/// `t`, `f`, `e` for an empty collection, `i` for what a part says.
fn says(check: &Value) -> char {
    let resolved = run(check, Budget::default()).unwrap();
    match (resolved.resolution, resolved.introduction_condition) {
        (Resolution::True, None) => 't',
        (Resolution::False, None) => 'f',
        (Resolution::InsufficientEvidence, Some(_)) => 'e',
        (Resolution::InsufficientEvidence, None) => 'i',
        other => panic!("{other:?}"),
    }
}

fn fault(check: &Value) -> RuntimeCode {
    run(check, Budget::default()).unwrap_err().code
}

fn at(place: &str) -> Value {
    json!({ "pointer": format!("/interactions/s/response-body/{place}") })
}

fn op(op: &str, operands: Value) -> Value {
    json!({ "op": op, "operands": operands })
}

fn with(mut check: Value, more: Value) -> Value {
    check.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    check
}

#[test]
fn null_exists_and_a_missing_declared_collection_says_nothing() {
    for (place, exists) in [
        ("one", 't'),
        ("null", 't'),
        ("gone", 'f'),
        ("empty", 't'),
        ("declared", 'e'),
        ("list/0", 't'),
        ("list/00", 'f'),
        ("list/-", 'f'),
        ("list/3", 'f'),
        ("text/length", 'f'),
        ("list/+1", 'f'),
    ] {
        assert_eq!(says(&op("existence", json!([at(place)]))), exists, "{place}");
        let absent = match exists {
            't' => 'f',
            'f' => 't',
            other => other,
        };
        assert_eq!(says(&op("absence", json!([at(place)]))), absent, "{place}");
    }
}

#[test]
fn equality_is_that_of_kind_and_canonical_form() {
    for (first, second, equal) in [
        (at("one"), at("float"), 't'),
        (at("one"), json!({ "literal": "1" }), 'f'),
        (at("object"), at("same"), 't'),
        (at("gone"), at("gone"), 'f'),
        (at("null"), at("gone"), 'f'),
        (at("null"), json!({ "literal": null }), 't'),
        (at("empty"), json!({ "literal": [] }), 'e'),
        (at("one"), json!({ "literal": [] }), 'e'),
        (at("declared"), at("one"), 'e'),
        (at("text"), json!({ "literal": "aab" }), 't'),
        (at("list"), at("rows"), 'f'),
        (at("yes"), json!({ "literal": false }), 'f'),
        (at("yes"), json!({ "literal": true }), 't'),
    ] {
        assert_eq!(says(&op("equality", json!([first, second]))), equal, "{first} {second}");
        assert_eq!(says(&op("deep-equality", json!([first, second]))), equal, "{first} {second}");
    }
}

#[test]
fn a_text_contains_a_part_and_a_list_a_member_or_a_whole_set() {
    for (container, candidate, holds) in [
        (at("text"), json!({ "literal": "ab" }), 't'),
        (at("text"), json!({ "literal": "ba" }), 'f'),
        (at("list"), json!({ "literal": { "a": 1 } }), 't'),
        (at("list"), json!({ "literal": "y" }), 'f'),
        (at("list"), json!({ "literal": ["x", 1] }), 't'),
        (at("list"), json!({ "literal": ["x", 2] }), 'f'),
        (at("rows"), json!({ "referenceSet": "rows" }), 't'),
        (at("list"), json!({ "referenceSet": "rows" }), 'f'),
        (at("object"), json!({ "literal": "a" }), 'f'),
        (at("gone"), json!({ "literal": 1 }), 'f'),
        (at("text"), json!({ "literal": ["a"] }), 'f'),
        (at("list"), json!({ "literal": [] }), 'e'),
        (at("list"), json!({ "referenceSet": "none" }), 'e'),
        (at("empty"), json!({ "literal": 1 }), 'e'),
        (at("list"), at("gone"), 'f'),
    ] {
        assert_eq!(says(&op("containment", json!([container, candidate]))), holds, "{container} {candidate}");
    }
}

#[test]
fn a_member_is_one_of_the_literals_or_of_the_values_of_the_one_key() {
    for (value, set, holds) in [
        (at("pairs/0/id"), json!({ "referenceSet": "ids" }), 't'),
        (at("text"), json!({ "referenceSet": "ids" }), 'f'),
        (at("one"), json!({ "literal": [2, 1] }), 't'),
        (at("gone"), json!({ "literal": [null] }), 'f'),
        (at("one"), json!({ "referenceSet": "none" }), 'e'),
        (at("empty"), json!({ "literal": [[]] }), 'e'),
    ] {
        assert_eq!(says(&op("set-membership", json!([value, set]))), holds, "{value} {set}");
    }
    for set in ["two", "unknown"] {
        let check = op("set-membership", json!([at("one"), { "referenceSet": set }]));
        assert_eq!(fault(&check), RuntimeCode::OperatorCannotAcceptOperand);
    }
}

#[test]
fn a_pattern_matches_a_text_within_its_budget_or_is_a_fault() {
    let regex = |place: &str, pattern: &str| with(op("regex", json!([at(place)])), json!({ "pattern": pattern }));
    assert_eq!(says(&regex("text", "^a+b$")), 't');
    assert_eq!(says(&regex("text", "^b$")), 'f');
    assert_eq!(says(&regex("one", "^1$")), 'f');
    assert_eq!(says(&regex("gone", "^(a+)+$")), 'f');
    assert_eq!(fault(&regex("text", "^($")), RuntimeCode::OperatorCannotAcceptOperand);
    assert_eq!(fault(&regex("text", "^(a+)+$")), RuntimeCode::BudgetExhausted);
    let tight = |steps| run(&regex("text", "^a+b$"), Budget { regex_match_steps: steps, ..Budget::default() });
    assert!(tight(6).is_ok());
    assert_eq!(tight(5).unwrap_err().code, RuntimeCode::BudgetExhausted);
}

#[test]
fn neighbours_are_in_order_by_a_key_that_all_have() {
    for (place, key, order, holds) in [
        ("rows", "id", "ascending", 't'),
        ("rows", "id", "descending", 'f'),
        ("pairs", "id", "descending", 't'),
        ("gaps", "id", "ascending", 'f'),
        ("one", "id", "ascending", 'f'),
        ("empty", "id", "ascending", 'e'),
        ("list", "a", "ascending", 'f'),
    ] {
        let check = with(op("ordering", json!([at(place)])), json!({ "key": key, "order": order }));
        assert_eq!(says(&check), holds, "{place} {order}");
    }
}

#[test]
fn ordering_of_few_of_equals_and_of_texts() {
    let says_of = |elements: Value, order: &str| {
        let evidence = Body { body: json!({ "rows": elements }), sets: BTreeMap::new() };
        let check = with(op("ordering", json!([at("rows")])), json!({ "key": "k", "order": order }));
        let resolved = evaluate(&shape::from_value::<Expression>(&check).unwrap(), &evidence, &Budget::default());
        resolved.unwrap().resolution == Resolution::True
    };
    for (elements, ascending, descending) in [
        (json!([7]), true, true),
        (json!([{ "k": 1 }, { "k": 1.0 }]), true, true),
        (json!([{ "k": "a" }, { "k": "a" }]), true, true),
        (json!([{ "k": 2 }, { "k": 10 }]), true, false),
        (json!([{ "k": "2" }, { "k": "10" }]), false, true),
        // By UTF-16 code units, in which a surrogate stands before U+FB01.
        (json!([{ "k": "\u{1f600}" }, { "k": "\u{fb01}" }]), true, false),
        (json!([{ "k": 1 }, { "k": "2" }]), false, false),
        (json!([{ "k": true }, { "k": true }]), false, false),
        (json!([{ "k": 1 }, 2]), false, false),
    ] {
        assert_eq!(says_of(elements.clone(), "ascending"), ascending, "{elements}");
        assert_eq!(says_of(elements.clone(), "descending"), descending, "{elements}");
    }
}

#[test]
fn no_resolution_hides_the_fault_of_a_later_part() {
    let fails = with(op("regex", json!([at("text")])), json!({ "pattern": "^($" }));
    let (yes, no) = (op("existence", json!([at("one")])), op("existence", json!([at("gone")])));
    for check in [
        op("all", json!([no, fails])),
        op("any", json!([yes, fails])),
        op("not", json!([fails])),
        json!({ "op": "for-any", "collection": at("list"), "predicate": op("any", json!([yes, fails])) }),
    ] {
        assert_eq!(fault(&check), RuntimeCode::OperatorCannotAcceptOperand, "{check}");
    }
    let resolved = run(&op("all", json!([no, yes, no])), Budget::default()).unwrap();
    assert_eq!(resolved.children.len(), 3, "no part is left out");
}

#[test]
fn a_count_may_lie_off_by_a_number_or_a_percentage() {
    for (place, expected, tolerance, relative, holds) in [
        ("rows", 3, 0, false, 't'),
        ("rows", 5, 2, false, 't'),
        ("rows", 6, 2, false, 'f'),
        ("rows", 4, 25, true, 't'),
        ("rows", 4, 24, true, 'f'),
        ("empty", 0, 0, false, 't'),
        ("empty", 1, 0, false, 'f'),
        ("declared", 0, 0, false, 'e'),
        ("gone", 0, 0, false, 'f'),
        ("text", 3, 0, false, 'f'),
    ] {
        let more = json!({ "expected": expected, "tolerance": tolerance, "relative": relative });
        assert_eq!(says(&with(op("count-tolerance", json!([at(place)])), more)), holds, "{place} {expected}");
    }
}

#[test]
fn an_object_has_its_required_keys_no_other_ones_and_their_types() {
    for (place, required, permitted, types, holds) in [
        ("object", json!(["a"]), json!(["a", "b"]), json!({ "a": "number", "b": "array", "c": "null" }), 't'),
        ("object", json!(["a"]), json!(["b"]), json!({}), 'f'),
        ("object", json!([]), json!(["a"]), json!({}), 'f'),
        ("object", json!(["c"]), json!(["a", "b", "c"]), json!({}), 'f'),
        ("object", json!([]), json!(["a", "b"]), json!({ "a": "string" }), 'f'),
        ("list", json!([]), json!([]), json!({}), 'f'),
        ("object", json!([]), json!(["a", "b"]), json!({ "a": null }), 't'),
        ("empty", json!([]), json!([]), json!({}), 'e'),
    ] {
        let descriptor = json!({ "requiredKeys": required, "permittedKeys": permitted, "types": types });
        assert_eq!(says(&with(op("shape", json!([at(place)])), json!({ "descriptor": descriptor }))), holds, "{place}");
    }
}

#[test]
#[sdp::verifies("spec:sdp.eval.operators")]
fn covers_by_key_is_a_bijection() {
    let covers = |set: &str, place: &str| {
        let operands = json!([{ "referenceSet": set }, at(place)]);
        with(op("covers-by-key", operands), json!({ "expectedKey": "key", "actualKey": "id" }))
    };
    for (set, place, holds) in [
        ("ids", "pairs", 't'),
        ("ids", "twice", 'f'),
        ("ids", "gaps", 'f'),
        ("ids", "rows", 'f'),
        ("two", "pairs", 'f'),
        ("ids", "empty", 'f'),
        ("ids", "declared", 'f'),
        ("ids", "gone", 'f'),
        ("none", "empty", 't'),
        ("none", "pairs", 'f'),
    ] {
        assert_eq!(says(&covers(set, place)), holds, "{set} {place}");
    }
    assert_eq!(fault(&covers("rows", "pairs")), RuntimeCode::OperatorCannotAcceptOperand);
    // Two members with one value of the key could not each have an element.
    assert_eq!(fault(&covers("again", "rows")), RuntimeCode::OperatorCannotAcceptOperand);
    let each = json!({ "op": "for-all", "collection": at("rows"), "predicate": covers("ids", "pairs") });
    assert_eq!(fault(&each), RuntimeCode::OperatorCannotAcceptOperand);
}

#[test]
fn a_quantifier_folds_its_elements_and_says_nothing_of_none() {
    let over = |word: &str, place: &str, literal: Value| {
        let predicate = op("equality", json!([{ "pointer": "@/id" }, { "literal": literal }]));
        json!({ "op": word, "collection": at(place), "predicate": predicate })
    };
    assert_eq!(says(&over("for-all", "twice", json!("x"))), 't');
    assert_eq!(says(&over("for-all", "pairs", json!("x"))), 'f');
    assert_eq!(says(&over("for-any", "pairs", json!("x"))), 't');
    assert_eq!(says(&over("for-any", "pairs", json!("z"))), 'f');
    for place in ["empty", "gone", "text", "declared"] {
        assert_eq!(says(&over("for-all", place, json!(1))), 'e', "{place}");
        assert_eq!(says(&over("for-any", place, json!(1))), 'e', "{place}");
    }
    let written = serde_json::to_value(run(&over("for-any", "twice", json!("z")), Budget::default()).unwrap()).unwrap();
    let leaf = json!({ "resolution": "false", "introductionCondition": null, "children": [] });
    assert_eq!(written, json!({ "resolution": "false", "introductionCondition": null, "children": [leaf, leaf] }));
    let element = json!({ "op": "for-all", "collection": at("list"), "predicate": op("existence", json!([{ "pointer": "@/" }])) });
    assert_eq!(says(&element), 't');
    let nested = json!({ "op": "for-all", "collection": at("list"), "predicate": element });
    assert_eq!(fault(&nested), RuntimeCode::OperatorCannotAcceptOperand);
    assert_eq!(fault(&op("existence", json!([{ "pointer": "@/id" }]))), RuntimeCode::OperatorCannotAcceptOperand);
    assert_eq!(fault(&op("existence", json!([{ "literal": 1 }]))), RuntimeCode::OperatorCannotAcceptOperand);
    let literal = json!({ "op": "for-all", "collection": { "literal": [1] }, "predicate": op("existence", json!([{ "pointer": "@/" }])) });
    assert_eq!(fault(&literal), RuntimeCode::OperatorCannotAcceptOperand);
    // What an element does not have is absent, and no collection that is missing.
    let id = json!([{ "pointer": "@/id" }]);
    for (op_of_id, says_of_all, says_of_any) in [("existence", 'f', 't'), ("absence", 'f', 't')] {
        let over = |word: &str| json!({ "op": word, "collection": at("gaps"), "predicate": op(op_of_id, id.clone()) });
        assert_eq!((says(&over("for-all")), says(&over("for-any"))), (says_of_all, says_of_any), "{op_of_id}");
    }
}

#[test]
fn the_budget_bounds_an_evaluation() {
    assert_eq!(Budget::default(), Budget { regex_match_steps: 1_000_000, steps: 268_435_456 });
    let check = op("equality", json!([at("object"), at("same")]));
    let fault = run(&check, Budget { steps: 10, ..Budget::default() }).unwrap_err();
    assert_eq!(fault.code, RuntimeCode::BudgetExhausted);
}

#[test]
fn all_work_is_charged_and_a_fault_tells_where() {
    let rows: Vec<Value> = (0..100).map(|id| json!({ "id": id, "text": "b".repeat(50) })).collect();
    let long = "k".repeat(5000);
    let set = json!({ "keys": [long], "members": [{ long.as_str(): 1 }], "commentary": null });
    let sets = BTreeMap::from([("long".to_owned(), shape::from_value(&set).unwrap())]);
    let evidence = Body { body: json!({ "rows": rows, "numbers": (0..2000).collect::<Vec<_>>() }), sets };
    let judged = |check: &Value, steps: u64| {
        let expression: Expression = shape::from_value(check).unwrap();
        evaluate(&expression, &evidence, &Budget { steps, ..Budget::default() }).map_err(|fault| fault.to_string())
    };
    let each = |predicate: Value| json!({ "op": "for-all", "collection": at("rows"), "predicate": predicate });
    let keys = json!({ "requiredKeys": [long], "permittedKeys": [], "types": {} });
    let element = json!([{ "pointer": "@/" }]);
    for (check, enough, place) in [
        // Every node is kept.
        (each(op("existence", json!([{ "pointer": "@/id" }]))), 100 * 100, "check.predicate"),
        // A pattern is matched in steps, however short its subject is.
        (
            each(
                json!({ "op": "regex", "operands": [{ "pointer": "@/text" }], "pattern": format!("^{}$", "(?:b|c)".repeat(500)) }),
            ),
            200 * 100_000,
            "check.predicate.pattern",
        ),
        // Long keys are looked up in every element.
        (
            each(op("existence", json!([{ "pointer": format!("@/{long}") }]))),
            100 * 10_000,
            "check.predicate.operands[0]",
        ),
        (each(json!({ "op": "shape", "operands": element, "descriptor": keys })), 100 * 10_000, "check.predicate"),
        (
            json!({ "op": "ordering", "operands": [at("rows")], "key": long, "order": "ascending" }),
            100 * 10_000,
            "check",
        ),
        // A text is looked for in every element, and compared at every element.
        (
            each(op("containment", json!([{ "pointer": "@/text" }, { "literal": long }]))),
            100 * 10_000,
            "check.predicate",
        ),
        (each(op("equality", json!([{ "literal": long }, { "literal": long }]))), 100 * 10_000, "check.predicate"),
        // What was digested once is still looked up in every element.
        (each(op("containment", json!([at("numbers"), at("numbers")]))), 100 * 10_000, "check.predicate"),
        (
            json!({
                "op": "covers-by-key", "operands": [{ "referenceSet": "long" }, at("rows")],
                "expectedKey": long, "actualKey": long
            }),
            100 * 10_000,
            "check",
        ),
    ] {
        assert!(judged(&check, enough).is_ok(), "{check}");
        let refused = judged(&check, enough / 10).unwrap_err();
        assert!(refused.starts_with(&format!("budget-exhausted in {place}: ")), "{refused}");
    }
}

#[test]
fn what_is_compared_again_and_again_is_digested_once() {
    let rows: Vec<Value> = (0..100).map(|id| json!({ "id": id, "text": "b".repeat(200) })).collect();
    let members: Vec<Value> = rows.iter().map(|row| json!({ "id": row["id"], "text": row["text"] })).collect();
    let set = shape::from_value(&json!({ "keys": ["id", "text"], "members": members, "commentary": null })).unwrap();
    let ids = shape::from_value(&json!({ "keys": ["text"], "members": members, "commentary": null })).unwrap();
    let sets = BTreeMap::from([("all".to_owned(), set), ("texts".to_owned(), ids)]);
    let evidence = Body { body: json!({ "rows": rows }), sets };
    let literal: Vec<String> = (0..100).map(|id| format!("{id}{}", "b".repeat(200))).collect();
    for (predicate, holds) in [
        (op("containment", json!([at("rows"), { "pointer": "@/" }])), Resolution::True),
        (op("containment", json!([at("rows"), { "referenceSet": "all" }])), Resolution::True),
        (op("equality", json!([at("rows"), at("rows")])), Resolution::True),
        (op("set-membership", json!([{ "pointer": "@/text" }, { "literal": literal }])), Resolution::False),
        (op("set-membership", json!([{ "pointer": "@/text" }, { "referenceSet": "texts" }])), Resolution::True),
    ] {
        let check = json!({ "op": "for-all", "collection": at("rows"), "predicate": predicate });
        let expression: Expression = shape::from_value(&check).unwrap();
        // Digested a hundred times, the hundred elements alone would take more than two million steps.
        let budget = Budget { steps: 200_000, ..Budget::default() };
        let resolved = evaluate(&expression, &evidence, &budget).unwrap_or_else(|fault| panic!("{fault}: {check}"));
        assert_eq!(resolved.resolution, holds, "{check}");
    }
}

/// A tree of connectives over leaves of a known resolution.
#[derive(Clone, Debug)]
enum Tree {
    Leaf(u8),
    Not(Box<Tree>),
    Fold(bool, Vec<Tree>),
}

impl Tree {
    fn check(&self) -> Value {
        match self {
            Self::Leaf(0) => op("existence", json!([at("gone")])),
            Self::Leaf(1) => op("existence", json!([at("one")])),
            Self::Leaf(_) => op("existence", json!([at("declared")])),
            Self::Not(inner) => op("not", json!([inner.check()])),
            Self::Fold(all, parts) => op(if *all { "all" } else { "any" }, parts.iter().map(Self::check).collect()),
        }
    }

    /// Ranks: for `all` false < insufficient < true, for `any` insufficient < true < false; the least part decides.
    fn says(&self) -> u8 {
        match self {
            Self::Leaf(says) => *says,
            Self::Not(inner) => [1, 0, 2][usize::from(inner.says())],
            Self::Fold(all, parts) => {
                let rank: [u8; 3] = if *all { [0, 2, 1] } else { [2, 1, 0] };
                parts.iter().map(Self::says).min_by_key(|says| rank[usize::from(*says)]).unwrap()
            }
        }
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    (0_u8..3).prop_map(Tree::Leaf).prop_recursive(4, 40, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| Tree::Not(Box::new(inner))),
            (any::<bool>(), prop::collection::vec(inner, 2..5)).prop_map(|(all, parts)| Tree::Fold(all, parts)),
        ]
    })
}

proptest! {
    #[test]
    fn folds_agree_with_their_truth_tables(tree in trees()) {
        let says = match run(&tree.check(), Budget::default()).unwrap().resolution {
            Resolution::False => 0,
            Resolution::True => 1,
            Resolution::InsufficientEvidence => 2,
        };
        prop_assert_eq!(says, tree.says());
    }
}
