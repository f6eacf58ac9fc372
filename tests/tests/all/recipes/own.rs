//! The recipes that are ours, from 101: each answer can be read off its carriers.

use std::sync::Arc;

use sdp_core::graph::Graph;
use sdp_tests::Repo;
use serde_json::{Value, json};

use super::shop::{derived, empty};
use super::{answers, ask};

/// A carrier at rung `idea`, with what stands behind its outcome.
fn carrier(id: &str, kind: &str, relations: &str, narrative: &str, body: &str) -> String {
    format!(
        "---\nid: {id}\nkind: {kind}\naltitude: story\nreadiness: idea\nrelations: {relations}\n---\n# Of {id}\n\n{narrative}\n\n## Intent\n\n- outcome: o\n{body}"
    )
}

const SPACE: &str = "\n## Example space\n\n```gwt-vocabulary\nGiven a {size:\"small\"|\"large\"|\"huge\"} parcel\nAnd a gift {gift:boolean} of {weight:number} grams\nWhen it is sent to {constructor:string}\nThen it arrives\nAnd it is refused because {reason:\"size\"|\"weight\"}\n```\n";

/// The parcels: one space of 3 × 2 combinations, four examples of it, and a Spec whose id only looks like a part of it.
fn parcels() -> Arc<Graph> {
    let shows = |steps: &str| format!("\n```gwt\n{steps}\n```\n");
    let whole = |size: &str, gift: bool, then: &str| {
        shows(&format!(
            "Given a {{size: \"{size}\"}} parcel\nAnd a gift {{gift: {gift}}} of {{weight: 5}} grams\nWhen it is sent to {{constructor: \"x\"}}\nThen {then}"
        ))
    };
    let example = |name: &str, body: &str| {
        carrier(&format!("spec:parcel.{name}"), "example", "{ refines: spec:parcel }", "", body)
    };
    let repo = Repo::new()
        .file("parcel.sdp.md", carrier("spec:parcel", "behavior", "{}", "", SPACE))
        .file("a.sdp.md", example("a", &whole("small", true, "it arrives")))
        .file("b.sdp.md", example("b", &whole("small", true, "it arrives")))
        .file("c.sdp.md", example("c", &whole("large", false, "it arrives")))
        .file("d.sdp.md", example("d", &shows("Given a {size: \"huge\"} parcel\nWhen it is lost\nThen it arrives")))
        .file("parcels.sdp.md", carrier("spec:parcels", "behavior", "{}", "", SPACE))
        .file("mine.sdp.md", "---\nid: pack:mine\nspecs:\n  - spec:parcels\n  - spec:gone\n---\n# Mine\n");
    derived(&repo)
}

#[test]
fn an_example_space_is_told_by_what_its_examples_show_and_do_not() {
    let graph = parcels();
    let answer = ask(101, &graph, json!({ "scope": "spec:parcel" })).unwrap();
    let pair = |size: &str, gift: bool| json!([{ "dimension": "size", "value": size }, { "dimension": "gift", "value": gift }]);
    let dimension = |name: &str, kind: &str, taken: u32, untaken: Value| json!({ "name": name, "type": kind, "taken": taken, "untaken": untaken });
    assert_eq!(
        answer,
        json!({
            "scope": "spec:parcel",
            "found": true,
            "totals": {
                "specs": 5, "spaces": 1, "examples": 4, "enabled": 0, "values": 5, "untakenValues": 0, "outcomes": 2,
                "unreachedOutcomes": 1, "untakenPairs": 4, "unpairedDimensions": 0,
            },
            "rows": [{
                "id": "spec:parcel",
                "title": "Of spec:parcel",
                "totals": {
                    "examples": 4, "enabled": 0, "values": 5, "untakenValues": 0, "outcomes": 2, "unreachedOutcomes": 1,
                    "untakenPairs": 4, "unpairedDimensions": 0, "findings": answer["rows"][0]["totals"]["findings"],
                },
                // Two examples show the same combination, and one binds too little to show any.
                "combinations": { "possible": 6, "shown": 2 },
                "dimensions": [
                    dimension("size", "enum", 3, json!([])),
                    dimension("gift", "boolean", 2, json!([])),
                    dimension("weight", "number", 1, Value::Null),
                    dimension("constructor", "string", 1, Value::Null),
                ],
                "outcomes": [
                    { "skeleton": "it arrives", "examples": ["spec:parcel.a", "spec:parcel.b", "spec:parcel.c", "spec:parcel.d"] },
                    { "skeleton": "it is refused because {reason}", "examples": [] },
                ],
                "untakenPairs": [pair("small", false), pair("large", true), pair("huge", true), pair("huge", false)],
                "unmatched": ["spec:parcel.d"],
            }],
        })
    );
}

#[test]
fn the_scope_of_the_coverage_is_a_spec_a_pack_or_everything() {
    let graph = parcels();
    let spaces = |params: Value| {
        let answer = ask(101, &graph, params).unwrap();
        let rows = answer["rows"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned());
        (answer["totals"]["specs"].as_u64().unwrap(), rows.collect::<Vec<_>>())
    };
    let (parcel, parcels) = ("spec:parcel".to_owned(), "spec:parcels".to_owned());
    assert_eq!(spaces(json!({})), (6, vec![parcel.clone(), parcels.clone()]));
    assert_eq!(spaces(json!({ "scope": "spec:parcel" })), (5, vec![parcel]));
    assert_eq!(spaces(json!({ "scope": "pack:mine" })), (1, vec![parcels]));
    assert_eq!(spaces(json!({ "scope": "spec:parcel.a" })), (1, Vec::new()));
    for scope in ["spec:parc", "pack:none", ""] {
        answers(101, &graph, json!({ "scope": scope }), json!({ "scope": scope, "found": false }));
    }
}

#[test]
fn what_cannot_be_counted_is_told_as_such() {
    let slots: String = (0..70).map(|at| format!("Given a part {{p{at}:\"a\"|\"b\"|\"c\"}}\n")).collect();
    let many = format!("\n## Example space\n\n```gwt-vocabulary\n{slots}When it is\nThen it was\n```\n");
    let open = "\n## Example space\n\n```gwt-vocabulary\nGiven {n:number} parts\nWhen it is\nThen it was\n```\n";
    let repo = Repo::new()
        .file("many.sdp.md", carrier("spec:many", "behavior", "{}", "", &many))
        .file("open.sdp.md", carrier("spec:open", "behavior", "{}", "", open));
    let answer = ask(101, &derived(&repo), json!({})).unwrap();
    let (many, open) = (&answer["rows"][0], &answer["rows"][1]);
    // 3^70 is no whole number that can be told exactly.
    assert_eq!(many["combinations"], json!({ "possible": null, "shown": 0 }));
    assert_eq!(many["untakenPairs"].as_array().unwrap().len(), 25);
    assert_eq!(
        (&many["totals"]["untakenPairs"], &many["totals"]["unpairedDimensions"]),
        (&json!(9 * 64 * 63 / 2), &json!(6))
    );
    assert_eq!(open["combinations"], json!({ "possible": null, "shown": 0 }));
}

#[test]
fn a_spec_belongs_to_each_pack_that_lists_it() {
    let pack = |name: &str, members: &str| format!("---\nid: pack:{name}\nspecs:\n{members}---\n# P\n");
    let repo = Repo::new()
        .spec("a", "", "")
        .spec("b", "", "")
        .spec("c", "", "")
        .file("p.sdp.md", pack("p", "  - spec:a\n  - spec:b\n"))
        .file("q.sdp.md", pack("q", "  - spec:a\n  - spec:gone\n"));
    let graph = derived(&repo);
    let answer = ask(102, &graph, json!({})).unwrap();
    assert_eq!(answer["totals"], json!({ "specs": 3, "packs": 2, "owned": 2, "inSeveral": 1, "unowned": 1 }));
    let rows = answer["rows"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[0]["id"], &rows[0]["statedReadiness"]), (1, &json!("spec:c"), &json!("idea")));
    let finding = json!({
        "validatorId": "recipe::102-specs-without-owner-pack", "severity": "error", "message": "Spec \"spec:c\" stands in no Pack.",
        "subjectId": "spec:c", "file": rows[0]["file"],
    });
    answers(102, &graph, json!({ "severity": "error" }), json!({ "diagnostics": [finding] }));
    let nothing = json!({ "specs": 0, "packs": 0, "owned": 0, "inSeveral": 0, "unowned": 0 });
    answers(102, &empty(), json!({}), json!({ "totals": nothing, "rows": [] }));
}

/// The keys of the rules that no example names, where one example says the text.
fn uncited(kind: &str, narrative: &str, body: &str) -> Vec<String> {
    let rules = "\n## Behavior\n\n- rule: [#one] It is.\n- rule: [#two] It was.\n- rule: It will be.\n";
    let repo = Repo::new()
        .file("t.sdp.md", carrier("spec:t", "behavior", "{}", "", rules))
        .file("n.sdp.md", carrier("spec:t.n", kind, "{ refines: spec:t }", narrative, body));
    let answer = ask(103, &derived(&repo), json!({})).unwrap();
    assert_eq!(answer["unkeyed"], json!([{ "id": "spec:t", "rules": 1 }]), "{answer:#}");
    let rows = answer["rows"].as_array().unwrap().iter();
    rows.map(|row| row["key"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_example_names_a_rule_where_a_mention_counts() {
    let steps = "\n```gwt\nGiven spec:t#rule.two\nWhen it is\nThen it was\n```\n";
    for (text, body, left) in [
        ("Shows spec:t#rule.one.", "", &["two"][..]),
        ("**spec:t#rule.one**, `spec:t#rule.two`", "", &[]),
        ("(spec:t#rule.one) and spec:t\\#rule.two", "", &[]),
        ("spec\\:t#rule.one and spec:t#rule\\.two", "", &[]),
        ("Shows spec:t and #rule.one", "", &["one", "two"]),
        ("spec:t#rule.ones xspec:t#rule.two", "", &["one", "two"]),
        ("spec:t#rule.one,spec:t#rule.two", "", &["one", "two"]),
        ("spec:u#rule.one spec:t#design.one", "", &["one", "two"]),
        // Neither title nor steps are prose.
        ("", steps, &["one", "two"]),
        ("", "- value: spec:t#rule.one\n", &["two"]),
        ("", "\n## Design\n\n- note: as spec:t#rule.two says\n", &["one"]),
    ] {
        assert_eq!(uncited("example", text, body), left, "{text} {body}");
    }
    // A Spec of another kind shows no rule.
    assert_eq!(uncited("behavior", "Shows spec:t#rule.one.", ""), ["one", "two"]);
}

#[test]
fn a_rule_that_no_example_names_is_found_at_its_own_line() {
    let rules = "\n## Behavior\n\n- rule: [#one] It is.\n- rule: [#two] It was.\n";
    let repo = Repo::new().file("t.sdp.md", carrier("spec:t", "behavior", "{}", "", rules)).file(
        "n.sdp.md",
        carrier("spec:n", "example", "{ refines: spec:t, verifies: spec:t }", "As spec:t#rule.one.", ""),
    );
    let graph = derived(&repo);
    let answer = ask(103, &graph, json!({})).unwrap();
    assert_eq!(answer["totals"], json!({ "specs": 2, "rules": 2, "keyed": 2, "unkeyed": 0, "cited": 1, "uncited": 1 }));
    let line =
        std::fs::read_to_string(repo.path("t.sdp.md")).unwrap().lines().position(|line| line.contains("#two")).unwrap()
            + 1;
    assert_eq!(
        answer["rows"],
        json!([{
            "id": "spec:t", "key": "two", "address": "spec:t#rule.two", "file": "t.sdp.md", "line": line, "rule": "It was.",
            "examples": 1,
        }])
    );
    repo.write("sdp.toml", "[[rules]]\nname = \"shown\"\nrecipe = 103\n");
    let run = repo.sdp(["rules", "rule::shown", "--output", "short"]);
    assert_eq!(run.code, Some(101), "{}{}", run.stdout, run.stderr);
    let found = format!("t.sdp.md:{line} — [error] recipe::103-rules-without-citing-example — ");
    assert!(format!("{}{}", run.stdout, run.stderr).contains(&found), "{}{}", run.stdout, run.stderr);
}

#[test]
fn ours_judge_only_where_a_rule_asks_for_it() {
    let repo = Repo::new().spec("a", "", "\n## Behavior\n\n- rule: [#one] It is.\n");
    for name in ["recipe::102-specs-without-owner-pack", "recipe::103-rules-without-citing-example"] {
        let run = repo.sdp(["rules", name]);
        assert_eq!(run.code, Some(0), "{}", run.stdout);
        assert!(run.stdout.contains(&format!("test {name} ... ignored")), "{}", run.stdout);
    }
    for (recipe, params, code) in [
        (102, "", 101),
        (103, "", 101),
        (102, "params = { severity = \"warning\" }\n", 0),
        (103, "params = { severity = \"warning\" }\n", 0),
    ] {
        repo.write("sdp.toml", format!("[[rules]]\nname = \"own\"\nrecipe = {recipe}\n{params}"));
        assert_eq!(repo.sdp(["rules", "rule::own"]).code, Some(code), "{recipe} {params}");
    }
}
