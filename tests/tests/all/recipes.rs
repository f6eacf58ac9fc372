//! The shipped recipes over one small shop whose every answer can be read off its carriers, over no Spec at all, and with
//! parameters that they do not take.

use std::sync::Arc;

use sdp_core::finding::{Finding, FindingId, Report};
use sdp_core::graph::Graph;
use sdp_core::reader::Reader;
use sdp_core::{EvalError, Input, evaluate_body};
use sdp_recipes::recipe;
use sdp_tests::Repo;
use serde_json::{Value, json};

use self::shop::{derived, empty, shop};

mod counts;
mod own;
mod parameters;
mod shape;
mod shop;
mod snapshots;
mod structure;
mod twins;
mod words;
mod works;

fn ask(number: u32, graph: &Arc<Graph>, params: Value) -> Result<Value, EvalError> {
    let input = Input { graph: Arc::clone(graph), report: None, params: Some(params) };
    Ok(evaluate_body(recipe(number).unwrap().body, input)?.to_json().unwrap())
}

#[track_caller]
fn answers(number: u32, graph: &Arc<Graph>, params: Value, expected: Value) {
    let actual = ask(number, graph, params.clone()).unwrap();
    assert!(actual == expected, "recipe {number} {params}: {actual:#}");
}

#[test]
fn a_recipe_without_a_subject_answers_of_the_whole_corpus() {
    let graph = shop();
    answers(
        10,
        &graph,
        json!({}),
        json!({ "total": 3, "withDeclaredOnly": 1, "rows": [
            { "id": "spec:shop.order", "declared": ["spec:shop.order.paid"], "enabled": ["spec:shop.order.paid"] },
            { "id": "spec:shop.order.paid", "declared": [], "enabled": ["test:order.paid"] },
            { "id": "spec:shop.stock", "declared": ["spec:shop.stock.low"], "enabled": [] },
        ] }),
    );
    answers(
        16,
        &graph,
        json!({}),
        json!({
            "designReview": { "packs": 1, "memberSpecs": 4 },
            "census": { "specs": 7, "anchors": 4 },
            "mermaid": { "diagramSubjects": 8 },
            "gherkin": { "specs": 7 },
        }),
    );
    answers(
        20,
        &graph,
        json!({}),
        json!({
            "totals": { "questions": 3, "blocking": 1, "nonBlocking": 2, "specs": 2, "specsWithBlocking": 1, "malformed": 0 },
            "specs": [
                { "id": "spec:shop.order", "statedReadiness": "scoped", "totals": { "questions": 2, "blocking": 1 }, "questions": [
                    { "blocking": false, "question": "Who pays?", "key": null, "address": null },
                    { "blocking": true, "question": "How many lines?", "key": "maxLines", "address": "spec:shop.order#question.maxLines" },
                ] },
                { "id": "spec:rulings.queue", "statedReadiness": "idea", "totals": { "questions": 1, "blocking": 0 }, "questions": [
                    { "blocking": false, "question": "How deep?", "key": "depth", "address": "spec:rulings.queue#question.depth" },
                ] },
            ],
            "malformed": [],
        }),
    );
    answers(
        24,
        &graph,
        json!({}),
        json!({ "totals": { "entries": 3, "specs": 2 }, "rows": [
            { "spec": "spec:rulings.queue", "key": "wire", "declaration": "type Wire = Vec<u8>" },
            { "spec": "spec:shop.order", "key": "wire", "declaration": "let `x`;" },
            { "spec": "spec:shop.order", "key": "placeOrder", "declaration": "fn place(order: Order) -> Receipt" },
        ] }),
    );
}

#[test]
fn decisions_are_mapped_and_registered() {
    let graph = shop();
    let types = |filled: &[(&str, u32)]| -> Value {
        let mut counts = json!({ "dependsOn": 0, "refines": 0, "supersedes": 0, "decidedBy": 0 });
        for (name, count) in filled {
            counts[*name] = json!(count);
        }
        counts
    };
    answers(
        18,
        &graph,
        json!({}),
        json!({
            "total": 2,
            "ranking": [{ "id": "spec:rulings.queue", "fanIn": 2 }, { "id": "spec:rulings.poll", "fanIn": 0 }],
            "decisions": [
                {
                    "id": "spec:rulings.poll", "title": "Orders are polled", "fanIn": 0, "fanInByType": types(&[("supersedes", 1)]),
                    "dependsOn": [], "dependedOnBy": [], "refines": [], "refinedBy": [],
                    "supersedes": [], "supersededBy": ["spec:rulings.queue"], "decidedSubjectsByFamily": {},
                },
                {
                    "id": "spec:rulings.queue", "title": "Orders queue", "fanIn": 2, "fanInByType": types(&[("decidedBy", 2)]),
                    "dependsOn": [], "dependedOnBy": [], "refines": [], "refinedBy": [],
                    "supersedes": ["spec:rulings.poll"], "supersededBy": [],
                    "decidedSubjectsByFamily": { "shop": ["spec:shop.limit", "spec:shop.order"] },
                },
            ],
        }),
    );
    answers(
        31,
        &graph,
        json!({}),
        json!({
            "totals": {
                "decisions": 2, "byRung": { "idea": 2, "scoped": 0, "defined": 0, "ready": 0 }, "superseded": 1, "shapingNothing": 1,
            },
            "rows": [
                {
                    "id": "spec:rulings.poll", "title": "Orders are polled", "statedReadiness": "idea",
                    "supersedes": [], "supersededBy": ["spec:rulings.queue"], "shapes": [], "questions": [], "packs": [],
                },
                {
                    "id": "spec:rulings.queue", "title": "Orders queue", "statedReadiness": "idea",
                    "supersedes": ["spec:rulings.poll"], "supersededBy": [], "shapes": ["spec:shop.limit", "spec:shop.order"],
                    "questions": [{ "key": "depth", "blocking": false, "address": "spec:rulings.queue#question.depth" }],
                    "packs": ["pack:shop"],
                },
            ],
        }),
    );
}

#[test]
fn the_signals_are_the_warnings_of_the_report_that_the_body_is_given() {
    let mut findings = vec![Finding::error(FindingId::DuplicateIds, "twice")];
    findings
        .extend((0..30).map(|at| Finding::warning(FindingId::Gaps, format!("gap {at}")).about(format!("spec:s{at}"))));
    let input = Input { graph: shop(), report: Some(Arc::new(Report { findings })), params: None };
    let answer = evaluate_body(recipe(8).unwrap().body, input).unwrap().to_json().unwrap();
    assert_eq!(answer["errors"], 1);
    assert_eq!(answer["warnings"], 30);
    assert_eq!(answer["byValidator"], json!({ "honesty/gaps": 30 }));
    let signals = answer["signals"].as_array().unwrap();
    assert_eq!(signals.len(), 25);
    assert_eq!(
        signals[24],
        json!({ "validatorId": "honesty/gaps", "family": "honesty", "subjectId": "spec:s24", "message": "gap 24" })
    );
}

#[test]
fn changed_files_lead_to_specs_and_their_neighbours() {
    let graph = shop();
    let risk = |id: &str, node_type: &str, from: &str, edge_type: &str, to: &str| {
        let reason = json!({ "from": from, "edgeType": edge_type, "to": to, "claim": "declared" });
        json!({ "id": id, "nodeType": node_type, "reasons": [reason] })
    };
    let mut paid = risk("spec:shop.order.paid", "Primitive", "spec:shop.order.paid", "refines", "spec:shop.order");
    let reason =
        json!({ "from": "spec:shop.order.paid", "edgeType": "verifies", "to": "spec:shop.order", "claim": "declared" });
    paid["reasons"].as_array_mut().unwrap().push(reason);
    let mut pack = risk("pack:shop", "Pack", "spec:shop.order", "belongsTo", "pack:shop");
    let reason = json!({ "from": "spec:shop.stock", "edgeType": "belongsTo", "to": "pack:shop", "claim": "declared" });
    pack["reasons"].as_array_mut().unwrap().push(reason);
    let files = ["src/order.rs", "./specs/stock.sdp.md", "src/none.rs", "src/idle.rs"];
    answers(
        4,
        &graph,
        json!({ "files": files }),
        json!({
            "changedFiles": ["specs/stock.sdp.md", "src/idle.rs", "src/none.rs", "src/order.rs"],
            "impactedSpecs": [
                { "id": "spec:shop.order", "reasons": [
                    { "file": "src/order.rs", "via": "impl:order.place", "edgeType": "satisfies", "claim": "anchored" },
                ] },
                { "id": "spec:shop.stock", "reasons": [{ "file": "specs/stock.sdp.md", "via": null }] },
            ],
            "impactedPacks": [],
            "atRiskSpecs": [
                risk("spec:rulings.queue", "Primitive", "spec:shop.order", "decidedBy", "spec:rulings.queue"),
                risk("spec:shop.limit", "Primitive", "spec:shop.order", "constrainedBy", "spec:shop.limit"),
                paid,
                risk("spec:shop.stock.low", "Primitive", "spec:shop.stock.low", "verifies", "spec:shop.stock"),
            ],
            "atRiskOther": [pack],
            "coverageUnknownFiles": ["src/none.rs"],
            "unlinkedUnits": [{ "id": "impl:order.idle", "file": "src/idle.rs" }],
        }),
    );
    let answer = ask(4, &graph, json!({ "files": ["specs/shop.pack.sdp.md"] })).unwrap();
    assert_eq!((&answer["impactedPacks"], &answer["impactedSpecs"]), (&json!(["pack:shop"]), &json!([])));
}

#[test]
fn a_pack_is_reviewed_in_figures() {
    let graph = shop();
    let naming = Reader::new(Arc::clone(&graph));
    let naming = naming.findings().iter().filter(|finding| {
        [&finding.subject, &finding.related].into_iter().flatten().any(|id| id.as_str() == "pack:shop")
    });
    let expected = json!({
        "id": "pack:shop",
        "found": true,
        "title": "The shop",
        "memberCount": 4,
        "byStatedReadiness": { "idea": 2, "scoped": 1, "unresolved": 1 },
        "unresolvedMembers": ["spec:shop.lost"],
        "implementedCount": 1,
        "verifierGaps": [
            { "id": "spec:rulings.queue", "statedReadiness": "idea", "priority": false },
            { "id": "spec:shop.stock", "statedReadiness": "idea", "priority": false },
        ],
        "findings": naming.count(),
    });
    answers(5, &graph, json!({}), expected.clone());
    answers(5, &graph, json!({ "pack": "pack:shop" }), expected);
    answers(5, &graph, json!({ "pack": "spec:shop.order" }), json!({ "id": "spec:shop.order", "found": false }));
}

#[test]
fn the_design_of_a_pack_is_opened_up() {
    let graph = shop();
    let answer = ask(29, &graph, json!({})).unwrap();
    assert_eq!(ask(29, &graph, json!({ "pack": "pack:shop" })).unwrap(), answer);
    assert_eq!(
        (&answer["found"], &answer["id"], &answer["title"]),
        (&json!(true), &json!("pack:shop"), &json!("The shop"))
    );
    assert_eq!(
        answer["totals"],
        json!({
            "members": 4, "unresolved": 1, "heldBelowNextRung": 2, "waitingForAuthor": 1, "entries": 4, "declarations": 3,
            "openQuestions": 3, "blockingQuestions": 1, "withImplementations": 1, "withReferences": 1, "restsOn": 1, "restedOnBy": 3,
        })
    );
    let members = answer["members"].as_array().unwrap();
    let ids: Vec<&Value> = members.iter().map(|member| &member["id"]).collect();
    assert_eq!(ids, ["spec:shop.order", "spec:shop.stock", "spec:rulings.queue", "spec:shop.lost"]);
    let mut order = members[0].clone();
    let failures = order.as_object_mut().unwrap().remove("statedNextRungFailures").unwrap();
    let clauses: Vec<&Value> = failures.as_array().unwrap().iter().map(|failure| &failure["clauseId"]).collect();
    assert_eq!(clauses, ["no-blocking-open-questions"]);
    assert_eq!(
        order,
        json!({
            "id": "spec:shop.order", "resolved": true, "title": "A customer orders", "specKind": "behavior",
            "statedReadiness": "scoped", "floorReached": "scoped", "statedNextRung": "defined",
            "design": { "entries": 3, "declarations": 2, "openQuestions": 2, "blockingQuestions": 1 },
            "questions": [
                { "key": null, "blocking": false, "address": null, "line": 22, "question": "Who pays?" },
                {
                    "key": "maxLines", "blocking": true, "address": "spec:shop.order#question.maxLines", "line": 23,
                    "question": "How many lines?",
                },
            ],
            "decisions": [{ "id": "spec:rulings.queue", "statedReadiness": "idea", "resolved": true }],
            "implementedBy": [{ "id": "impl:order.place", "file": "src/order.rs", "line": 3, "role": null, "component": null }],
            "referencedBy": [],
            "verifiers": { "total": 1, "enabled": 1 },
            "examples": { "total": 1, "enabled": 1 },
        })
    );
    assert_eq!(members[3], json!({ "id": "spec:shop.lost", "resolved": false }));
    let row = |id: &str, title: &str, via: Value| json!({ "id": id, "title": title, "statedReadiness": "idea", "implemented": false, "via": via });
    let via = |edge_type: &str, member: &str| json!({ "type": edge_type, "members": [member] });
    assert_eq!(
        answer["boundary"],
        json!({
            "restsOn": [row("spec:shop.limit", "Orders are few", json!([via("constrainedBy", "spec:shop.order")]))],
            "restedOnBy": [
                row("spec:shop.limit", "Orders are few", json!([via("decidedBy", "spec:rulings.queue")])),
                row("spec:shop.order.paid", "A paid order", json!([via("refines", "spec:shop.order"), via("verifies", "spec:shop.order")])),
                row("spec:shop.stock.low", "Hardly anything left", json!([via("verifies", "spec:shop.stock")])),
            ],
        })
    );
    answers(29, &graph, json!({ "pack": "pack:none" }), json!({ "id": "pack:none", "found": false }));
}

#[test]
fn a_spec_stands_on_its_four_kinds_of_footing() {
    let graph = shop();
    let row = |edge_type: &str, id: &str, resolved: bool, stated: Value, reached: Value| json!({ "type": edge_type, "id": id, "claim": "declared", "resolved": resolved, "statedReadiness": stated, "floorReached": reached });
    answers(
        21,
        &graph,
        json!({ "spec": "spec:shop.order" }),
        json!({
            "id": "spec:shop.order", "found": true, "statedReadiness": "scoped", "floorReached": "scoped",
            "totals": {
                "relations": 4,
                "byType": { "refines": 1, "dependsOn": 1, "constrainedBy": 1, "decidedBy": 1 },
                "byStatedReadiness": { "idea": 3, "scoped": 0, "defined": 0, "ready": 0, "unresolved": 1, "nonSpec": 0 },
                "byFloorReached": { "idea": 2, "scoped": 0, "defined": 0, "ready": 1, "none": 0 },
            },
            "footing": [
                row("refines", "spec:shop.goal", false, Value::Null, Value::Null),
                row("dependsOn", "spec:shop.stock", true, json!("idea"), json!("idea")),
                row("constrainedBy", "spec:shop.limit", true, json!("idea"), json!("idea")),
                row("decidedBy", "spec:rulings.queue", true, json!("idea"), json!("ready")),
            ],
        }),
    );
    assert_eq!(ask(21, &graph, json!({})).unwrap()["id"], "spec:rulings.poll");
    answers(21, &graph, json!({ "spec": "pack:shop" }), json!({ "id": "pack:shop", "found": false }));
}

#[test]
fn a_changed_spec_reaches_what_stands_on_it() {
    let graph = shop();
    let step = |from: &str, edge_type: &str, to: &str| json!({ "from": from, "type": edge_type, "to": to });
    let depends = step("spec:shop.order", "dependsOn", "spec:shop.stock");
    answers(
        30,
        &graph,
        json!({ "specs": ["spec:shop.stock", "spec:shop.gone", "spec:shop.stock"] }),
        json!({
            "changed": [{ "id": "spec:shop.stock", "resolved": true }, { "id": "spec:shop.gone", "resolved": false }],
            "totals": { "specs": 3, "dependents": 2, "units": 1 },
            "rows": [
                {
                    "id": "spec:shop.stock", "distance": 0, "path": [], "statedReadiness": "idea",
                    "implementedBy": [], "referencedBy": [], "enabledVerifiers": [], "packs": ["pack:shop"],
                },
                {
                    "id": "spec:shop.order", "distance": 1, "path": [depends], "statedReadiness": "scoped",
                    "implementedBy": [{ "id": "impl:order.place", "file": "src/order.rs", "line": 3 }], "referencedBy": [],
                    "enabledVerifiers": ["spec:shop.order.paid"], "packs": ["pack:shop"],
                },
                {
                    "id": "spec:shop.order.paid", "distance": 2,
                    "path": [depends, step("spec:shop.order.paid", "refines", "spec:shop.order")], "statedReadiness": "idea",
                    "implementedBy": [], "referencedBy": [], "enabledVerifiers": ["test:order.paid"], "packs": [],
                },
            ],
        }),
    );
    let nothing = json!({ "changed": [], "totals": { "specs": 0, "dependents": 0, "units": 0 }, "rows": [] });
    answers(30, &graph, json!({ "specs": [] }), nothing.clone());
    let mut absent = nothing;
    absent["needs"] = json!(["specs"]);
    answers(30, &graph, json!({}), absent);
}

#[test]
fn the_path_of_a_long_chain_is_cut_and_its_distance_is_not() {
    let mut repo = Repo::new().spec("s00", "", "");
    for at in 1..40 {
        repo = repo.spec(&format!("s{at:02}"), &format!("  dependsOn: spec:s{:02}", at - 1), "");
    }
    let answer = ask(30, &derived(&repo), json!({ "specs": ["spec:s00"] })).unwrap();
    assert_eq!(answer["totals"]["dependents"], 39);
    let last = answer["rows"].as_array().unwrap().last().unwrap();
    assert_eq!(last["distance"], 39);
    let path = last["path"].as_array().unwrap();
    assert_eq!(path.len(), 25);
    assert_eq!(path[0], json!({ "from": "spec:s15", "type": "dependsOn", "to": "spec:s14" }));
    assert_eq!(path[24], json!({ "from": "spec:s39", "type": "dependsOn", "to": "spec:s38" }));
}

#[test]
fn malformed_questions_of_another_engine_are_counted_apart() {
    let entries = json!([
        "A bare text?", { "question": "Asked?" }, { "question": "Keyed?", "blocking": true, "key": "aKey" },
        null, 5, [], {}, { "question": 1 }, { "question": "q", "blocking": "yes" }, { "question": "q", "key": "Key" },
    ]);
    let body = "const Body = (async () => {}).constructor;
        const spec = { id: 'spec:a', statedReadiness: 'idea', sections: { intent: { openQuestions: params.entries } } };
        const other = { id: 'spec:b', statedReadiness: 'idea', sections: { intent: { openQuestions: 'none' } } };
        const fake = { specs: () => [spec, other], byId: (id) => [spec, other].find((one) => one.id === id) };
        return new Body('g', 'graph', 'report', 'params', params.body)(fake, {}, {}, {})";
    let params = json!({ "entries": entries, "body": recipe(20).unwrap().body });
    let input = Input { graph: empty(), report: None, params: Some(params) };
    let answer = evaluate_body(body, input).unwrap().to_json().unwrap();
    assert_eq!(
        answer["totals"],
        json!({ "questions": 3, "blocking": 1, "nonBlocking": 2, "specs": 1, "specsWithBlocking": 1, "malformed": 8 })
    );
    let questions: Vec<&Value> =
        answer["specs"][0]["questions"].as_array().unwrap().iter().map(|row| &row["question"]).collect();
    assert_eq!(questions, ["A bare text?", "Asked?", "Keyed?"]);
    let malformed: Vec<(&Value, &Value)> =
        answer["malformed"].as_array().unwrap().iter().map(|row| (&row["entry"], &row["reason"])).collect();
    let told = |entry: &str, reason: &str| (json!(entry), json!(reason));
    let expected = [
        told("openQuestions[3]", "neither a text nor a question"),
        told("openQuestions[4]", "neither a text nor a question"),
        told("openQuestions[5]", "neither a text nor a question"),
        told("openQuestions[6]", "the question has no text"),
        told("openQuestions[7]", "the question has no text"),
        told("openQuestions[8]", "blocking is neither true nor false"),
        told("openQuestions[9]", "the key is not lower-camel ASCII"),
        told("openQuestions", "not a list"),
    ];
    assert_eq!(malformed, expected.iter().map(|(entry, reason)| (entry, reason)).collect::<Vec<_>>());
}
