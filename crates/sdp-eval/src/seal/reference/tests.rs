//! Evidence in words: each level, each channel, pairs and lists, and what cannot be told.

use serde_json::{Value, json};

use super::*;
use crate::contract::EvalContract;
use crate::testing::{cli_contract, contract, set, typed};

/// A step of the desk; `body` and `path` are its bindings.
fn step(id: &str, operation: &str, path: Value, body: Value, after: Value) -> Value {
    json!({
        "stepId": id, "interfaceId": "desk", "operationId": operation, "after": after, "cardinality": "any",
        "inputBinding": { "path": path, "query": null, "header": null, "body": body }
    })
}

fn file(id: &str, body: Value) -> Value {
    step(id, "file-ticket", json!(null), body, json!(null))
}

fn read(id: &str, path: Value, after: Value) -> Value {
    step(id, "read-ticket", path, json!(null), after)
}

/// A contract with these steps, whose first oracle names these targets.
fn with(base: Value, steps: &[Value], targets: &[&str]) -> EvalContract {
    let targets: Vec<String> = targets.iter().map(|target| format!("/interactions/{target}")).collect();
    typed(&set(set(base, "/interactionPlan", json!(steps)), "/oracles/0/direction/evidenceTargets", json!(targets)))
}

fn told(steps: &[Value], targets: &[&str]) -> Result<String, Untold> {
    let contract = with(contract(), steps, targets);
    let plan = Plan::of(&contract);
    let direction = contract.oracles[0].direction.as_ref().unwrap();
    let evidence = References::of(&plan).evidence(direction);
    assert_eq!(References::of(&plan).check(direction).err(), evidence.clone().err());
    evidence
}

#[test]
fn bindings_are_told_by_channel_and_key() {
    let both = step(
        "read",
        "read-ticket",
        json!({ "z": { "matcher": "any" }, "b": { "literal": 1 }, "\u{e000}": { "matcher": "any" }, "😀": { "matcher": "any" } }),
        json!({ "a": { "principal": "clerk" } }),
        json!(null),
    );
    assert_eq!(
        told(&[both], &["read/response-status"]).unwrap(),
        "its transport status from the read ticket endpoint (with the supplied path b, the supplied path z, the supplied path 😀, \
         the supplied path \u{e000}, and the supplied body a)"
    );
    assert_eq!(
        told(&[read("read", json!(null), json!(null))], &["read/response-status"]).unwrap(),
        "its transport status from the read ticket endpoint"
    );
}

#[test]
fn only_what_is_malformed_is_told_where_something_is() {
    let body = json!({ "title": { "matcher": "type-violating" }, "urgent": { "literal": true } });
    assert_eq!(
        told(&[file("file", body)], &["file/response-body/problem"]).unwrap(),
        "its problem field from the file ticket endpoint (with a malformed body title value)"
    );
    let two = step(
        "file",
        "file-ticket",
        json!({ "x": { "matcher": "type-violating" } }),
        json!({ "title": { "matcher": "type-violating" } }),
        json!(null),
    );
    assert_eq!(
        told(&[two], &["file/response-body"]).unwrap(),
        "the response body you obtained from the file ticket endpoint (with a malformed path x value and a malformed body title value)"
    );
}

#[test]
fn siblings_are_told_apart_by_the_least_that_does() {
    let any = file("a", json!({ "title": { "matcher": "any" } }));
    let lamp = file("b", json!({ "title": { "literal": "lamp" } }));
    let door = file("c", json!({ "title": { "literal": { "b": 1, "a": "d" } } }));
    let clerk = file("d", json!({ "title": { "principal": "clerk" } }));
    let of = |with: &str| format!("its x field from the file ticket endpoint (with {with})");
    let (x, y, z) = ("a/response-body/x", "b/response-body/x", "c/response-body/x");
    let steps = [any, lamp, door, clerk];
    assert_eq!(told(&steps, &[x]).unwrap(), of("the supplied body title"));
    assert_eq!(
        told(&steps, &[x, y]).unwrap(),
        format!("{} and {}", of("the stated body title"), of("the supplied body title"))
    );
    assert_eq!(
        told(&steps, &[y, "d/response-body/x"]).unwrap(),
        format!("{} and {}", of("the body title of the clerk account"), of("the stated body title"))
    );
    assert_eq!(
        told(&steps, &[z, y, x, y]).unwrap(),
        format!(
            "{}, {}, and {}",
            of("the body title \"lamp\""),
            of("the body title {\"a\":\"d\",\"b\":1}"),
            of("the supplied body title")
        )
    );
}

#[test]
fn captured_values_are_told_by_where_they_came_from() {
    let captured = |pointer: &str| json!({ "captured": format!("/interactions/{pointer}") });
    let steps = [
        file("lamp", json!({ "title": { "literal": "lamp" } })),
        file("door", json!({ "title": { "literal": "door" } })),
        read("r1", json!({ "ticketId": captured("lamp/response-body/ticketId") }), json!(null)),
        read("r2", json!({ "ticketId": captured("door/response-body/ticketId") }), json!(null)),
        read(
            "r3",
            json!({ "a": captured("door/response-body/x/y"), "b": { "literal": 2 }, "c": captured("door/response-headers/etag") }),
            json!(null),
        ),
    ];
    let of = |with: &str| format!("its t field from the read ticket endpoint (with {with})");
    assert_eq!(told(&steps, &["r1/response-body/t"]).unwrap(), of("the supplied path ticketId"));
    assert_eq!(
        told(&steps, &["r1/response-body/t", "r2/response-body/t"]).unwrap(),
        [
            of("the path ticketId you obtained as its ticketId field from the file ticket endpoint (with the body title \"door\")"),
            of("the path ticketId you obtained as its ticketId field from the file ticket endpoint (with the body title \"lamp\")")
        ]
        .join(" and ")
    );
    // Told apart by kind already, it is not told where it came from.
    let stated = read("r4", json!({ "ticketId": { "literal": "t" } }), json!(null));
    assert_eq!(
        told(&[steps.as_slice(), &[stated]].concat(), &["r1/response-body/t", "r4/response-body/t"]).unwrap(),
        [of("the path ticketId you obtained earlier"), of("the stated path ticketId")].join(" and ")
    );
    let grouped = told(&steps, &["r1/response-body/t", "r2/response-body/t", "r3/response-body/t"]).unwrap();
    assert!(
        grouped.contains(
            "(with the path a and the path c you obtained as its x.y field and its etag header from the file ticket endpoint (with \
             the body title \"door\") and the path b 2)"
        ),
        "{grouped}"
    );
}

#[test]
fn a_captured_value_in_a_circle_is_told_once() {
    let body = |of: &str, title: &str| json!({ "title": { "literal": title }, "x": { "captured": format!("/interactions/{of}/response-body/x") } });
    let steps = [file("a", body("b", "1")), file("b", body("a", "2"))];
    let told = told(&steps, &["a/response-body", "b/response-body"]).unwrap();
    assert!(told.contains("the body x you obtained earlier"), "{told}");
}

#[test]
fn raw_bodies_are_told_as_a_whole() {
    let raw = |base64: &str| json!({ "kind": "raw", "base64": base64, "contentType": "text/plain" });
    let steps = [file("a", raw("AA==")), file("b", raw("AQ==")), file("c", json!({ "title": { "matcher": "any" } }))];
    assert_eq!(
        told(&steps, &["a/response-body"]).unwrap(),
        "the response body you obtained from the file ticket endpoint (with the supplied body)"
    );
    assert!(
        told(&steps, &["a/response-body", "b/response-body"]).unwrap().contains("(with the body {\"base64\":\"AA==\",")
    );
}

#[test]
fn one_step_after_the_other_is_compared_with_it() {
    let id = json!({ "ticketId": { "matcher": "any" } });
    let steps = [
        file("file", json!(null)),
        read("r2", id.clone(), json!("file")),
        read("r1", json!({ "ticketId": { "literal": "t" } }), json!("file")),
        read("self", json!({ "ticketId": { "principal": "clerk" } }), json!("self")),
    ];
    let sent = "the body title value you sent to the file ticket endpoint";
    assert_eq!(
        told(&steps, &["r2/response-body/title", "file/call-inputs/body/title"]).unwrap(),
        format!(
            "{sent}, compared with its title field from the read ticket endpoint (with the supplied path ticketId)"
        )
    );
    // Of two that follow one, the first by name takes it.
    assert_eq!(
        told(&steps, &["r2/response-body/title", "r1/response-body/title", "file/call-inputs/body/title"]).unwrap(),
        format!(
            "its title field from the read ticket endpoint (with the supplied path ticketId) and {sent}, compared with its title \
             field from the read ticket endpoint (with the stated path ticketId)"
        )
    );
    // A step with two targets is compared with nothing; nor is one with itself.
    assert_eq!(
        told(&steps, &["r2/response-body/b", "r2/response-body/a", "file/response-headers"]).unwrap(),
        "the read ticket endpoint (with the supplied path ticketId): its a field and its b field and the response headers you \
         obtained from the file ticket endpoint"
    );
    assert_eq!(
        told(&steps, &["self/response-body/b"]).unwrap(),
        "its b field from the read ticket endpoint (with the supplied path ticketId)"
    );
    // Neither was sent, so the channel decides, and then the name of the call.
    assert_eq!(
        told(&steps, &["r2/response-body/a", "file/response-status"]).unwrap(),
        "its a field from the read ticket endpoint (with the supplied path ticketId), compared with its transport status from the \
         file ticket endpoint"
    );
    assert_eq!(
        told(&steps, &["r2/response-body/a", "file/response-body/z"]).unwrap(),
        "its z field from the file ticket endpoint, compared with its a field from the read ticket endpoint (with the supplied path \
         ticketId)"
    );
}

#[test]
fn a_chain_is_compared_every_other_link() {
    let id = |value: u8| json!({ "ticketId": { "literal": value } });
    let steps = [
        read("a", id(1), json!(null)),
        read("b", id(2), json!("a")),
        read("c", id(3), json!("b")),
        read("d", id(4), json!("c")),
    ];
    let targets = ["a/response-body", "b/response-body", "c/response-body", "d/response-body"];
    let all = told(&steps, &targets).unwrap();
    assert_eq!(all.matches(", compared with ").count(), 2, "{all}");
    let three = told(&steps, &targets[..3]).unwrap();
    assert_eq!(three.matches(", compared with ").count(), 1, "{three}");
}

#[test]
fn every_channel_has_its_words() {
    let command = json!({
        "stepId": "count", "interfaceId": "wordy", "operationId": "count-words", "after": null, "cardinality": "any",
        "inputBinding": { "argument": null, "option": null, "environment": null, "stdin": null }
    });
    let told = |target: &str| {
        let contract = with(cli_contract(), std::slice::from_ref(&command), &[&format!("count/{target}")]);
        let plan = Plan::of(&contract);
        References::of(&plan).evidence(contract.oracles[0].direction.as_ref().unwrap()).unwrap()
    };
    for (target, words) in [
        ("exit-code", "its exit code from"),
        ("stdout", "the standard output you obtained from"),
        ("stdout/a~1b//c", "the a/b.c field of its standard output from"),
        ("stdout//", "the standard output you obtained from"),
        ("stderr", "the standard error you obtained from"),
        ("stderr/a", "the a field of its standard error from"),
        ("artifact/word-list", "the word-list it wrote from"),
        ("artifact/word-list/0", "the 0 field of the word-list it wrote from"),
        ("call-inputs/stdin", "the stdin you sent to"),
        ("call-inputs/option/deep/er", "the option deep.er value you sent to"),
        ("response-headers/etag", "its etag header from"),
    ] {
        assert_eq!(told(target), format!("{words} the count words command"), "{target}");
    }
}

#[test]
fn two_artifacts_are_compared_in_the_order_of_their_names() {
    let command = |id: &str, operation: &str, after: Value| {
        json!({
            "stepId": id, "interfaceId": "wordy", "operationId": operation, "after": after, "cardinality": "any",
            "inputBinding": { "argument": null, "option": null, "environment": null, "stdin": null }
        })
    };
    let steps = [command("count", "count-words", json!(null)), command("list", "list-words", json!("count"))];
    for (counted, listed, words) in [
        (
            "word-list",
            "log",
            "the log it wrote from the list words command, compared with the word-list it wrote from the count words command",
        ),
        (
            "log",
            "word-list",
            "the log it wrote from the count words command, compared with the word-list it wrote from the list words command",
        ),
        (
            "log",
            "log",
            "the log it wrote from the count words command, compared with the log it wrote from the list words command",
        ),
    ] {
        let targets = [format!("count/artifact/{counted}"), format!("list/artifact/{listed}")];
        let contract = with(cli_contract(), &steps, &[&targets[0], &targets[1]]);
        let plan = Plan::of(&contract);
        let evidence = References::of(&plan).evidence(contract.oracles[0].direction.as_ref().unwrap());
        assert_eq!(evidence.as_deref(), Ok(words));
    }
}

#[test]
fn what_cannot_be_told_is_refused() {
    let same = json!({ "title": { "literal": "lamp" } });
    let steps = [file("a", same.clone()), file("b", same), read("r", json!(null), json!(null))];
    assert_eq!(
        told(&steps, &["a/response-body", "r/response-body", "b/response-status"]),
        Err(Untold::Irreducible("file-ticket".to_owned()))
    );
    assert_eq!(told(&steps, &[]), Err(Untold::Nothing));
    assert_eq!(
        told(&steps, &["nowhere/response-body"]),
        Err(Untold::Unresolved(
            "\"/interactions/nowhere/response-body\" names a step the interaction plan does not declare".to_owned()
        ))
    );
    assert_eq!(
        told(&[step("x", "gone", json!(null), json!(null), json!(null))], &["x/response-body"]),
        Err(Untold::Unresolved(
            "\"/interactions/x/response-body\" names step \"x\", which names operation \"gone\", not declared by any permitted \
             interface"
                .to_owned()
        ))
    );
    let twice = [file("a", json!(null)), file("a", json!(null))];
    assert_eq!(
        told(&twice, &["a/response-body"]),
        Err(Untold::Unresolved(
            "\"/interactions/a/response-body\" names a step the interaction plan declares more than once".to_owned()
        ))
    );
}

/// Steps of which each is sent a value of every one before, and two last ones that only their literals tell apart.
fn fan(steps: usize) -> Vec<Value> {
    (0..steps)
        .map(|at| {
            let mut body: serde_json::Map<String, Value> = (0..at.min(steps - 2))
                .map(|of| (format!("k{of}"), json!({ "captured": format!("/interactions/s{of}/response-body/v") })))
                .collect();
            body.insert("n".to_owned(), json!({ "literal": at }));
            file(&format!("s{at}"), Value::Object(body))
        })
        .collect()
}

#[test]
fn captured_values_that_tell_each_other_end_at_the_budget() {
    let told_of = |steps: usize| {
        let (one, other) = (format!("s{}/response-body", steps - 2), format!("s{}/response-body", steps - 1));
        told(&fan(steps), &[&one, &other])
    };
    // Beyond the first budget, within the second.
    let long = told_of(14).unwrap();
    assert!(long.len() > 2 * BUDGETS[0] && long.len() < 2 * BUDGETS[1], "{}", long.len());
    assert_eq!(told_of(40), Err(Untold::TooLong("file-ticket".to_owned())));
    assert_eq!(told_of(400), Err(Untold::TooLong("file-ticket".to_owned())));
}

#[test]
fn a_long_chain_of_captured_values_is_refused() {
    let chain = |length: usize| {
        let mut steps: Vec<Value> = (1..length)
            .map(|at| {
                file(
                    &format!("s{}", at - 1),
                    json!({ "x": { "captured": format!("/interactions/s{at}/response-body/x") } }),
                )
            })
            .collect();
        steps.push(file(&format!("s{}", length - 1), json!({ "x": { "literal": 1 } })));
        told(&steps, &["s0/response-body", "s1/response-body"])
    };
    assert_eq!(chain(10_001), Err(Untold::TooLong("file-ticket".to_owned())));
    assert_eq!(chain(MOST_DEEP + 1), Err(Untold::TooLong("file-ticket".to_owned())));
    assert!(chain(MOST_DEEP).is_ok());
}

#[test]
fn all_names_together_have_one_budget() {
    let steps: Vec<Value> = (0..4)
        .map(|at| file(&format!("s{at}"), json!({ "title": { "literal": format!("{at}{}", "x".repeat(80)) } })))
        .collect();
    let targets: Vec<String> = (0..4).map(|at| format!("s{at}/response-body")).collect();
    let contract = with(contract(), &steps, &targets.iter().map(String::as_str).collect::<Vec<_>>());
    let plan = Plan::of(&contract);
    let within = |left: usize| {
        let mut references = References::of(&plan);
        references.left = left;
        references.check(contract.oracles[0].direction.as_ref().unwrap())
    };
    // Each of twelve names, four at each level, fits by itself.
    assert_eq!(within(500), Err(Untold::TooLong("file-ticket".to_owned())));
    assert_eq!(within(5000), Ok(()));
}

#[test]
fn a_literal_beyond_the_budget_is_refused() {
    let body = |last: &str| json!({ "title": { "literal": "x".repeat(4_000_000) + last } });
    let steps = [file("a", body("1")), file("b", body("2"))];
    assert_eq!(told(&steps, &["a/response-body", "b/response-body"]), Err(Untold::TooLong("file-ticket".to_owned())));
    assert_eq!(
        told(&steps, &["a/response-body"]).unwrap(),
        "the response body you obtained from the file ticket endpoint (with the supplied body title)"
    );
}
