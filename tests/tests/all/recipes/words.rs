//! Mentions, entries and addresses: what stands in prose and keys, and where it leads.

use std::sync::Arc;

use sdp_core::finding::FindingId;
use sdp_core::graph::Node;
use sdp_core::reader::Reader;
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
        "needs": ["scope"],
    });
    answers(22, &graph, json!({}), whole);
    assert_eq!(ask(22, &graph, json!({ "scope": "pack:shop" })).unwrap().get("needs"), None);
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
    let body = "\n## Behavior\n\n- rule: [#one] Not xspec:b, but (spec:b), \\`spec:b\\`, \"spec:b.\" and spec:b#rule.two… spec:\n- rule: spec:b\\_c, spec:a and spec:a#rule.one\n- rule: See spec\\:s.gone.\n\n## Model\n\n- **spec:z** — none\n";
    let repo =
        Repo::new().spec("a", "  dependsOn: spec:b", body).spec("b", "", "\n## Behavior\n\n- rule: [#two] It is.\n");
    let answer = ask(22, &derived(&repo), json!({})).unwrap();
    assert_eq!(answer["totals"]["pairs"], 1);
    assert_eq!(answer["totals"]["occurrences"], 7, "{answer:#}");
    assert_eq!(
        answer["unresolved"],
        json!([
            {
                "from": "spec:a", "to": "spec:b_c", "reason": "malformed", "totals": { "occurrences": 1 },
                "at": [{ "section": "behavior", "entry": "rules[1]" }],
            },
            {
                "from": "spec:a", "to": "spec:s.gone", "reason": "spec", "totals": { "occurrences": 1 },
                "at": [{ "section": "behavior", "entry": "rules[2]" }],
            },
        ])
    );
}

/// A text and its tokens that lead nowhere, in order; only `spec:t` is there, with a rule `one`.
const TEXTS: &[(&str, &[&str])] = &[
    // What stands before.
    ("see spec\\:s.gone", &["spec:s.gone"]),
    ("xspec:a 9spec:a -spec:a \\-spec:a Spec:a spec : a", &[]),
    ("/spec:a :spec:b _spec:c éspec:d", &["spec:a", "spec:b", "spec:c", "spec:d"]),
    ("xspec:spec:a", &["spec:a"]),
    ("\\\\spec:a and \\spec:b", &["spec:a", "spec:b"]),
    // What ends a token.
    ("spec:a\tspec:b\nspec:c\u{b}spec:d\u{c}spec:e", &["spec:a", "spec:b", "spec:c", "spec:d", "spec:e"]),
    ("`spec:a` \"spec:b\" 'spec:c'", &["spec:a", "spec:b", "spec:c"]),
    ("(spec:a) [spec:b] {spec:c} <spec:d> |spec:e|", &["spec:a", "spec:b", "spec:c", "spec:d", "spec:e"]),
    ("spec:a(spec:b", &["spec:a", "spec:b"]),
    ("spec:a\u{a0}x spec:b\u{85}x spec:c\u{2028}x spec:d\u{3000}x", &["spec:a", "spec:b", "spec:c", "spec:d"]),
    ("“spec:a” ‘spec:b’ «spec:c»", &["spec:a", "spec:b", "spec:c"]),
    ("spec:a—x spec:b…x spec:c→x spec:d。x spec:e€x", &["spec:a", "spec:b", "spec:c", "spec:d", "spec:e"]),
    ("spec:a\u{1f600}x spec:b\u{10100}x", &["spec:a", "spec:b"]),
    // What does not.
    ("spec:aé spec:bo\u{308} spec:c日本", &["spec:aé", "spec:bo\u{308}", "spec:c日本"]),
    ("spec:a\u{200b}b spec:a\u{feff}b spec:a\u{203f}b", &["spec:a\u{200b}b", "spec:a\u{203f}b", "spec:a\u{feff}b"]),
    (
        "spec:a\u{0}b spec:a\u{7f}b spec:a\u{80}b spec:a\u{1c}b",
        &["spec:a\u{0}b", "spec:a\u{1c}b", "spec:a\u{7f}b", "spec:a\u{80}b"],
    ),
    ("spec:a/b spec:a,b spec:a=b spec:a&b", &["spec:a&b", "spec:a,b", "spec:a/b", "spec:a=b"]),
    ("spec:a.b,spec:c", &["spec:a.b,spec:c"]),
    ("spec:\\a", &["spec:\\a"]),
    // What is taken off its end.
    ("spec:a. spec:b, spec:c; spec:d: spec:e!?", &["spec:a", "spec:b", "spec:c", "spec:d", "spec:e"]),
    ("**spec:a** _spec:b_ ~~spec:c~~ spec:d\\_", &["spec:a", "spec:b", "spec:c", "spec:d"]),
    ("spec: spec:... spec:<id> spec:*", &[]),
    // Where it leads.
    (
        "spec:t spec:t#rule.one spec:t#rule.two spec:t#design.description",
        &["spec:t#design.description", "spec:t#rule.two"],
    ),
    (
        "spec:t#rule spec:t#rule.One spec:t#a#b spec:t# spec:t..u",
        &["spec:t#", "spec:t#a#b", "spec:t#rule", "spec:t#rule.One", "spec:t..u"],
    ),
    ("spec:gone#rule.one spec:gone spec:gone pack:gone", &["spec:gone", "spec:gone#rule.one"]),
];

#[test]
fn unresolved_mentions_are_those_that_the_check_finds() {
    assert_eq!(TEXTS.len(), 25);
    let id = |at: usize| format!("spec:n{at:02}");
    let mut repo = Repo::new().spec("t", "", "\n## Behavior\n\n- rule: [#one] It is.\n");
    for at in 0..TEXTS.len() {
        repo = repo.spec(&format!("n{at:02}"), "", "");
    }
    let mut graph = Arc::unwrap_or_clone(derived(&repo));
    // Straight into the graph: Markdown would fold and trim some of them.
    for node in &mut graph.nodes {
        let Node::Spec(spec) = node else { continue };
        if let Some(at) = (0..TEXTS.len()).find(|at| spec.id == id(*at)) {
            Arc::make_mut(spec).narrative = Some(TEXTS[at].0.to_owned());
        }
    }
    let graph = Arc::new(graph);
    let answer = ask(22, &graph, json!({})).unwrap();
    let row = |row: &Value, reason: &str| {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        (text("from"), text("to"), reason.to_owned())
    };
    let rows = |list: &str| answer[list].as_array().unwrap().clone();
    let mut audited: Vec<_> =
        rows("unresolved").iter().map(|found| row(found, found["reason"].as_str().unwrap())).collect();
    let expected: Vec<(String, &str)> = TEXTS
        .iter()
        .enumerate()
        .flat_map(|(at, (_, tokens))| tokens.iter().map(move |token| (id(at), *token)))
        .collect();
    let tokens: Vec<(String, &str)> = audited.iter().map(|(from, to, _)| (from.clone(), to.as_str())).collect();
    assert_eq!(tokens, expected);

    audited.extend(rows("unbacked").iter().map(|found| row(found, "relation")));
    audited.sort();
    let reader = Reader::new(graph);
    let findings = reader.findings().iter().filter(|finding| finding.id == FindingId::ProseMentions);
    let reasons = [
        ("is not a Spec id or entry address", "malformed"),
        ("points to missing target", "spec"),
        ("points to missing entry", "entry"),
        ("no declared relation", "relation"),
    ];
    let mut checked: Vec<_> = findings
        .map(|finding| {
            let (_, reason) = reasons.iter().find(|(said, _)| finding.message.contains(said)).unwrap();
            (finding.subject.clone().unwrap(), finding.related.clone().unwrap(), (*reason).to_owned())
        })
        .collect();
    checked.sort();
    assert_eq!(audited, checked);
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
