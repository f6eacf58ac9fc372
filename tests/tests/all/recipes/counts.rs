//! What the recipes count and how they walk, where two readings of one word lie near each other.

use sdp_tests::Repo;
use serde_json::{Value, json};

use super::shop::{derived, empty};
use super::{answers, ask};

fn carrier(name: &str, kind: &str, relations: &str) -> String {
    format!(
        "---\nid: spec:{name}\nkind: {kind}\naltitude: story\nreadiness: idea\nrelations: {relations}\n---\n# Of {name}\n\n## Intent\n\n- outcome: o\n"
    )
}

/// A repository of Specs: name, kind and relations of each.
fn specs(specs: &[(&str, &str, &str)]) -> Repo {
    let repo = Repo::new();
    for (name, kind, relations) in specs {
        repo.write(&format!("{name}.sdp.md"), carrier(name, kind, relations));
    }
    repo
}

#[test]
fn one_example_without_a_test_makes_its_spec_declared_only() {
    let repo = specs(&[
        ("a", "rule", "{ refines: spec:b }"),
        ("a.one", "example", "{ verifies: spec:a }"),
        ("a.two", "example", "{ verifies: spec:a }"),
        ("b", "rule", "{ refines: spec:a }"),
        ("b.one", "example", "{ verifies: spec:b }"),
    ])
    .file("tests/a.py", "# @sdpAnchor test:one\n# @sdpVerifies spec:a.one, spec:b.one\n");
    let row =
        |id: &str, declared: &[&str], enabled: &[&str]| json!({ "id": id, "declared": declared, "enabled": enabled });
    answers(
        10,
        &derived(&repo),
        json!({}),
        json!({ "total": 4, "withDeclaredOnly": 1, "rows": [
            row("spec:a", &["spec:a.one", "spec:a.two"], &["spec:a.one"]),
            row("spec:a.one", &[], &["test:one"]),
            row("spec:b", &["spec:b.one"], &["spec:b.one"]),
            row("spec:b.one", &[], &["test:one"]),
        ] }),
    );
}

#[test]
fn a_spec_counts_for_each_pack_that_lists_it() {
    let pack = |name: &str, members: &str| format!("---\nid: pack:{name}\nspecs:\n{members}---\n# P\n");
    let repo = specs(&[("a", "rule", "{}"), ("b", "rule", "{}"), ("c", "rule", "{}")])
        .file("p.sdp.md", pack("p", "  - spec:a\n  - spec:b\n"))
        .file("q.sdp.md", pack("q", "  - spec:a\n"));
    assert_eq!(ask(16, &derived(&repo), json!({})).unwrap()["designReview"], json!({ "packs": 2, "memberSpecs": 3 }));
}

#[test]
fn decisions_are_tied_to_decisions_and_weighed_by_what_they_shape() {
    let repo = specs(&[
        ("base", "decision", "{}"),
        ("later", "decision", "{ dependsOn: spec:base, refines: spec:base, supersedes: spec:old }"),
        ("old", "decision", "{ dependsOn: spec:rule }"),
        ("rule", "rule", "{ decidedBy: spec:base, refines: spec:base, dependsOn: spec:later }"),
    ]);
    let answer = ask(18, &derived(&repo), json!({})).unwrap();
    let rank = |id: &str, fan_in: u32| json!({ "id": id, "fanIn": fan_in });
    assert_eq!(answer["ranking"], json!([rank("spec:base", 3), rank("spec:later", 0), rank("spec:old", 0)]));
    assert_eq!(
        answer["decisions"][0],
        json!({
            "id": "spec:base", "title": "Of base", "fanIn": 3,
            "fanInByType": { "dependsOn": 1, "refines": 1, "supersedes": 0, "decidedBy": 1 },
            "dependsOn": [], "dependedOnBy": ["spec:later"], "refines": [], "refinedBy": ["spec:later"],
            "supersedes": [], "supersededBy": [], "decidedSubjectsByFamily": { "rule": ["spec:rule"] },
        })
    );
    let old = &answer["decisions"][2];
    assert_eq!((&old["dependsOn"], &old["supersededBy"]), (&json!([]), &json!(["spec:later"])));
    assert_eq!(old["fanInByType"]["supersedes"], 1);
}

#[test]
fn of_two_shortest_paths_the_first_one_stays() {
    // Both lead from the change to the last Spec in two steps; the walk goes on from the Spec that it met first.
    let repo = specs(&[
        ("m", "rule", "{}"),
        ("a", "rule", "{}"),
        ("z", "rule", "{ dependsOn: spec:m }"),
        ("b", "rule", "{ dependsOn: spec:a }"),
        ("last", "rule", "{ dependsOn: [spec:z, spec:b] }"),
        ("twice", "rule", "{ refines: spec:m, constrainedBy: spec:m }"),
    ]);
    let answer = ask(30, &derived(&repo), json!({ "specs": ["spec:m", "spec:a"] })).unwrap();
    let rows: Vec<(&Value, &Value)> =
        answer["rows"].as_array().unwrap().iter().map(|row| (&row["id"], &row["path"])).collect();
    let step = |from: &str, edge_type: &str, to: &str| json!({ "from": from, "type": edge_type, "to": to });
    assert_eq!(
        rows,
        [
            (&json!("spec:a"), &json!([])),
            (&json!("spec:m"), &json!([])),
            (&json!("spec:b"), &json!([step("spec:b", "dependsOn", "spec:a")])),
            (&json!("spec:twice"), &json!([step("spec:twice", "constrainedBy", "spec:m")])),
            (&json!("spec:z"), &json!([step("spec:z", "dependsOn", "spec:m")])),
            (
                &json!("spec:last"),
                &json!([step("spec:z", "dependsOn", "spec:m"), step("spec:last", "dependsOn", "spec:z")])
            ),
        ]
    );
}

#[test]
fn code_that_ran_ahead_of_its_spec_is_counted() {
    let repo = specs(&[("a", "rule", "{}")])
        .file("src/a.py", "# @sdpAnchor impl:one\n# @sdpSatisfies spec:a\n")
        .file("src/b.py", "# @sdpAnchor impl:two\n# @sdpSatisfies spec:a\n");
    let alarm = json!({
        "id": "spec:a", "statedReadiness": "idea", "floorReached": "idea", "firstUnmetClause": null,
        "implementationBindings": 2,
    });
    answers(2, &derived(&repo), json!({}), json!({ "total": 1, "alarms": [alarm] }));
    answers(2, &empty(), json!({}), json!({ "total": 0, "alarms": [] }));
}

#[test]
fn a_spec_that_reaches_no_rung_says_so() {
    let bare =
        "---\nid: spec:a\nkind: rule\naltitude: story\nreadiness: idea\nrelations: {}\n---\n# A\n\n## Rule\n\n- r\n";
    let graph = derived(
        &Repo::new()
            .file("a.sdp.md", bare)
            .file("b.sdp.md", carrier("b", "rule", "{ dependsOn: [spec:a, spec:gone] }"))
            .file("p.sdp.md", "---\nid: pack:p\nspecs:\n  - spec:a\n  - spec:gone\n---\n# P\n"),
    );
    for number in [3, 9] {
        assert_eq!(ask(number, &graph, json!({ "spec": "spec:a" })).unwrap()["floorReached"], "none", "{number}");
    }
    assert_eq!(ask(7, &graph, json!({})).unwrap()[0]["floorReached"], "none");
    assert_eq!(ask(11, &graph, json!({})).unwrap()["byFamily"]["a"][0]["floorReached"], "none");
    let footing = ask(21, &graph, json!({ "spec": "spec:b" })).unwrap();
    assert_eq!(
        [&footing["footing"][0]["floorReached"], &footing["footing"][1]["floorReached"]],
        [&json!("none"), &Value::Null]
    );
    assert_eq!(footing["totals"]["byFloorReached"]["none"], 1);
    let members = ask(29, &graph, json!({})).unwrap()["members"].clone();
    assert_eq!(
        [&members[0]["floorReached"], &members[1]],
        [&json!("none"), &json!({ "id": "spec:gone", "resolved": false })]
    );
}
