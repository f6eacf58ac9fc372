//! What holds for every recipe of the catalog: no Spec at all, parameters that it does not know, and parameters of the wrong
//! kind.

use sdp_core::EvalError;
use sdp_recipes::CATALOG;
use serde_json::{Map, Value, json};

use super::shop::{empty, shop};
use super::{answers, ask};

/// A parameter's value of the kind that it takes.
fn fitting(name: &str) -> Value {
    match name {
        "files" | "addresses" | "specs" => json!(["spec:x#rule.y"]),
        "severity" => json!("warning"),
        "dates" => json!({ "spec:x#question[0]": "2026-01-31" }),
        "today" => json!("2026-01-31"),
        _ => json!("spec:x"),
    }
}

#[test]
#[sdp::verifies("spec:sdp.recipes")]
fn an_empty_corpus_is_answered_with_what_it_holds() {
    let graph = empty();
    for recipe in CATALOG {
        ask(recipe.number, &graph, json!({})).unwrap_or_else(|error| panic!("recipe {}: {error}", recipe.number));
        let all: Map<String, Value> =
            recipe.head().params.iter().map(|name| ((*name).to_owned(), fitting(name))).collect();
        ask(recipe.number, &graph, all.into()).unwrap_or_else(|error| panic!("recipe {}: {error}", recipe.number));
    }
    answers(
        4,
        &graph,
        json!({}),
        json!({
            "changedFiles": [], "impactedSpecs": [], "impactedPacks": [], "atRiskSpecs": [], "atRiskOther": [], "coverageUnknownFiles": [],
            "unlinkedUnits": [], "needs": ["files"],
        }),
    );
    answers(5, &graph, json!({}), json!({ "packs": 0 }));
    answers(8, &graph, json!({}), json!({ "errors": 0, "warnings": 0, "byValidator": {}, "signals": [] }));
    answers(21, &graph, json!({}), json!({ "id": null, "found": false }));
    answers(29, &graph, json!({}), json!({ "id": null, "found": false }));
    answers(
        30,
        &graph,
        json!({}),
        json!({ "changed": [], "totals": { "specs": 0, "dependents": 0, "units": 0 }, "rows": [], "needs": ["specs"] }),
    );
}

#[test]
#[sdp::verifies("spec:sdp.recipes")]
fn an_absent_parameter_that_names_no_subject_is_listed_in_the_answer() {
    let graph = shop();
    let mut needy = Vec::new();
    for recipe in CATALOG {
        let head = recipe.head();
        let answer = ask(recipe.number, &graph, json!({})).unwrap();
        let listed = (!head.needs.is_empty()).then(|| json!(head.needs));
        assert_eq!(answer.get("needs"), listed.as_ref(), "recipe {}", recipe.number);
        let given: Map<String, Value> = head.needs.iter().map(|name| ((*name).to_owned(), fitting(name))).collect();
        let answer = ask(recipe.number, &graph, given.into()).unwrap();
        assert_eq!(answer.get("needs"), None, "recipe {}", recipe.number);
        needy.extend(head.needs.into_iter().map(|name| (recipe.number, name)));
    }
    let expected = [
        (4, "files"),
        (6, "term"),
        (22, "scope"),
        (23, "term"),
        (25, "addresses"),
        (30, "specs"),
        (101, "scope"),
        (104, "dates"),
    ];
    assert_eq!(needy, expected);
}

#[test]
#[sdp::verifies("spec:sdp.recipes")]
fn a_parameter_that_a_recipe_does_not_know_is_answered_with_those_that_it_accepts() {
    let graph = empty();
    for recipe in CATALOG {
        answers(
            recipe.number,
            &graph,
            json!({ "nope": 1 }),
            json!({ "unknownParams": ["nope"], "accepts": recipe.head().params }),
        );
    }
}

#[test]
#[sdp::verifies("spec:sdp.recipes")]
fn a_parameter_of_the_wrong_kind_is_refused_with_the_kind_that_it_takes() {
    let graph = shop();
    for recipe in CATALOG {
        for name in recipe.head().params {
            let mut wrong = vec![json!(null), json!(7), json!(true)];
            wrong.extend((!fitting(name).is_object()).then(|| json!({})));
            wrong.push(if fitting(name).is_array() { json!("a") } else { json!(["a"]) });
            wrong.push(json!(["a", 7]));
            for value in wrong {
                match ask(recipe.number, &graph, json!({ name: value })) {
                    Err(EvalError::Thrown(thrown)) => {
                        assert_eq!(thrown.name.as_deref(), Some("TypeError"), "recipe {} {name}", recipe.number);
                        assert!(thrown.message.starts_with(&format!("{name} takes ")), "{}", thrown.message);
                    }
                    other => panic!("recipe {} {name} = {value}: {other:?}", recipe.number),
                }
            }
        }
    }
}
