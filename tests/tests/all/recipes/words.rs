//! Mentions, entries and addresses: what stands in prose and keys, and where it leads.

use sdp_tests::Repo;
use serde_json::{Value, json};

use super::shop::{derived, empty, shop};
use super::{answers, ask};

#[test]
fn mentions_are_counted_paired_and_weighed_against_the_relations() {
    let graph = shop();
    let at = json!([{ "section": "narrative", "entry": null }]);
    let row = |from: &str, to: &str| json!({ "from": from, "to": to, "totals": { "occurrences": 1 }, "at": at });
    let unresolved = |from: &str, to: &str, reason: &str| {
        let mut row = row(from, to);
        row["reason"] = json!(reason);
        row
    };
    // A missing entry leaves its Spec mentioned.
    let mut reverse = row("spec:shop.stock", "spec:shop.order");
    reverse["totals"]["occurrences"] = json!(2);
    let whole = json!({
        "scope": null,
        "found": true,
        "totals": {
            "specs": 7, "occurrences": 8, "pairs": 4, "backed": 3, "unbacked": 1, "reverseOnly": 1, "unresolved": 3,
        },
        "unresolved": [
            unresolved("spec:rulings.poll", "spec:Bad_id", "malformed"),
            unresolved("spec:shop.order", "spec:shop.gone", "spec"),
            unresolved("spec:shop.stock", "spec:shop.order#rule.payTwice", "entry"),
        ],
        "unbacked": [row("spec:rulings.poll", "spec:shop.stock")],
        "reverseOnly": [reverse],
    });
    answers(22, &graph, json!({}), whole);
    for (scope, totals) in [
        ("spec:rulings", json!([2, 2, 1, 0, 1, 0, 1])),
        ("spec:shop.stock", json!([2, 2, 1, 1, 0, 1, 1])),
        ("pack:shop", json!([3, 6, 3, 3, 0, 1, 2])),
    ] {
        let answer = ask(22, &graph, json!({ "scope": scope })).unwrap();
        let names = ["specs", "occurrences", "pairs", "backed", "unbacked", "reverseOnly", "unresolved"];
        let actual: Vec<&Value> = names.iter().map(|name| &answer["totals"][*name]).collect();
        assert_eq!(json!(actual), totals, "{scope}");
    }
    answers(22, &graph, json!({ "scope": "spec:sho" }), json!({ "scope": "spec:sho", "found": false }));
}

#[test]
fn a_mention_is_read_as_the_check_reads_it() {
    let body = "\n## Behavior\n\n- rule: [#one] Not xspec:b, but (spec:b), \\`spec:b\\`, \"spec:b.\" and spec:b#rule.two… spec:\n- rule: spec:b\\_c, spec:a and spec:a#rule.one\n\n## Model\n\n- **spec:z** — none\n";
    let repo =
        Repo::new().spec("a", "  dependsOn: spec:b", body).spec("b", "", "\n## Behavior\n\n- rule: [#two] It is.\n");
    let answer = ask(22, &derived(&repo), json!({})).unwrap();
    assert_eq!(answer["totals"]["pairs"], 1);
    assert_eq!(answer["totals"]["occurrences"], 6, "{answer:#}");
    assert_eq!(
        answer["unresolved"],
        json!([{
            "from": "spec:a", "to": "spec:b_c", "reason": "malformed", "totals": { "occurrences": 1 },
            "at": [{ "section": "behavior", "entry": "rules[1]" }],
        }])
    );
}

#[test]
fn entries_are_found_by_whole_words_in_keys_and_text() {
    let graph = shop();
    answers(
        23,
        &graph,
        json!({ "term": "ORDER-line" }),
        json!({
            "term": "ORDER-line",
            "tokens": ["order", "line"],
            "totals": { "matches": 2, "specs": 2, "shown": 2 },
            "matches": [
                {
                    "id": "spec:shop.order", "section": "intent", "entry": "outcome", "address": null, "line": null,
                    "matchedIn": ["text"], "text": "An order line is kept.",
                },
                {
                    "id": "spec:shop.stock", "section": "model", "entry": "terms.orderLine", "address": null, "line": null,
                    "matchedIn": ["key"], "text": "one article of an order",
                },
            ],
        }),
    );
    for (term, entry, address, line, matched_in) in [
        ("payOnce", "rules[0]", "spec:shop.order#rule.payOnce", 27, json!(["key"])),
        ("max lines", "openQuestions[1]", "spec:shop.order#question.maxLines", 23, json!(["key"])),
        ("how many lines", "openQuestions[1]", "spec:shop.order#question.maxLines", 23, json!(["text"])),
        ("place order", "placeOrder", "spec:shop.order#design.placeOrder", 33, json!(["key", "text"])),
        ("Vec<u8>", "wire", "spec:rulings.queue#design.wire", 25, json!(["text"])),
    ] {
        let answer = ask(23, &graph, json!({ "term": term })).unwrap();
        assert_eq!(answer["totals"]["matches"], 1, "{term}: {answer:#}");
        let row = &answer["matches"][0];
        assert_eq!(
            (&row["entry"], &row["address"], &row["line"]),
            (&json!(entry), &json!(address), &json!(line)),
            "{term}"
        );
        assert_eq!(row["matchedIn"], matched_in, "{term}");
    }
    for term in ["lin", "line order", "outcome", "--", ""] {
        let answer = ask(23, &graph, json!({ "term": term })).unwrap();
        assert_eq!(answer["totals"], json!({ "matches": 0, "specs": 0, "shown": 0 }), "{term}");
    }
}

#[test]
fn words_end_at_the_humps_of_camel_case() {
    let graph = empty();
    for (term, tokens) in [
        ("HTTPServer2Go", json!(["http", "server2", "go"])),
        ("parse_id-v2", json!(["parse", "id", "v2"])),
        ("großeÄnderung", json!(["große", "änderung"])),
    ] {
        assert_eq!(ask(23, &graph, json!({ "term": term })).unwrap()["tokens"], tokens);
    }
}

#[test]
fn at_most_fifty_entries_are_shown_and_all_are_counted() {
    let rules: String = (0..60).map(|at| format!("- rule: The word stands here {at}.\n")).collect();
    let repo = Repo::new().spec("a", "", &format!("\n## Behavior\n\n{rules}"));
    let answer = ask(23, &derived(&repo), json!({ "term": "word" })).unwrap();
    assert_eq!(answer["totals"], json!({ "matches": 60, "specs": 1, "shown": 50 }));
    assert_eq!(answer["matches"].as_array().unwrap().len(), 50);
}

#[test]
fn addresses_lead_to_entries_or_say_what_they_lack() {
    let graph = shop();
    let addresses = [
        "spec:shop.order#rule.payOnce",
        "spec:shop.order#question.maxLines",
        "spec:rulings.queue#design.wire",
        "spec:shop.order#design.none",
        "spec:shop.gone#ui.x",
        "spec:shop.order",
        "pack:shop#design.x",
        "spec:shop.order#rule.payOnce",
    ];
    let good = |id: &str, section: &str, key: &str, value: &str, file: &str, line: u32| {
        json!({
            "address": format!("{id}#{section}.{key}"), "resolves": true, "id": id, "section": section, "key": key,
            "value": value, "file": file, "line": line, "reason": null,
        })
    };
    let bad = |address: &str, parts: [Value; 3], file: Value, reason: &str| {
        let [id, section, key] = parts;
        json!({
            "address": address, "resolves": false, "id": id, "section": section, "key": key,
            "value": null, "file": file, "line": null, "reason": reason,
        })
    };
    let nothing = || [Value::Null, Value::Null, Value::Null];
    let pay_once = good("spec:shop.order", "rule", "payOnce", "An order is paid once.", "specs/order.sdp.md", 27);
    answers(
        25,
        &graph,
        json!({ "addresses": addresses }),
        json!({
            "totals": { "addresses": 8, "resolved": 4, "malformed": 2, "spec": 1, "entry": 1 },
            "rows": [
                pay_once,
                good("spec:shop.order", "question", "maxLines", "How many lines?", "specs/order.sdp.md", 23),
                good("spec:rulings.queue", "design", "wire", "`type Wire = Vec<u8>`", "specs/queue.sdp.md", 25),
                bad(addresses[3], [json!("spec:shop.order"), json!("design"), json!("none")], json!("specs/order.sdp.md"), "entry"),
                bad(addresses[4], [json!("spec:shop.gone"), json!("ui"), json!("x")], Value::Null, "spec"),
                bad(addresses[5], nothing(), Value::Null, "malformed"),
                bad(addresses[6], nothing(), Value::Null, "malformed"),
                pay_once,
            ],
        }),
    );
    let finding = |at: usize, what: &str| {
        json!({
            "validatorId": "recipe::25-address-resolution", "severity": "warning",
            "message": format!("Address \"{}\" {what}.", addresses[at]), "path": format!("addresses[{at}]"),
        })
    };
    let mut entry = finding(3, "names the entry \"design.none\", which \"spec:shop.order\" does not have");
    entry["subjectId"] = json!("spec:shop.order");
    entry["file"] = json!("specs/order.sdp.md");
    answers(
        25,
        &graph,
        json!({ "addresses": addresses, "severity": "warning" }),
        json!({ "diagnostics": [
            entry,
            finding(4, "names the Spec \"spec:shop.gone\", which does not exist"),
            finding(5, "is no entry address"),
            finding(6, "is no entry address"),
        ] }),
    );
    let refusal = ask(25, &graph, json!({ "severity": "error" })).unwrap_err();
    assert_eq!(refusal.to_string(), "severity judges addresses, and none are given");
}
