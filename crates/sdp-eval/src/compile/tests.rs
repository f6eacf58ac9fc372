//! The order of the checks: a contract that breaks every rule from a row on is refused by that row.

use serde_json::{Value, json};

use super::{CompileOptions, compile};
use crate::testing::{cli_contract, contract, set, typed};

/// A contract with the interfaces, the steps and the oracles of two.
fn base() -> Value {
    let (mut base, mut other) = (contract(), cli_contract());
    other["oracles"][0]["id"] = json!("O-900");
    for list in ["/permittedInterfaces", "/interactionPlan", "/oracles"] {
        for more in other.pointer_mut(list).unwrap().as_array_mut().unwrap().drain(..) {
            base = set(base, &format!("{list}/-"), more);
        }
    }
    base
}

/// An oracle whose direction and check agree in nothing but what a row before row 16 does not look at.
fn oracle(id: &str, check: Value) -> Value {
    json!({
        "id": id, "check": check, "polarity": "expects-hold", "commentary": null,
        "direction": {
            "evidenceTargets": ["/interactions/file/response-body/ticketId"], "relation": "existence",
            "polarity": "expects-hold", "scope": null, "negativeDomain": null
        }
    })
}

fn exists(operand: &Value) -> Value {
    json!({ "op": "existence", "operands": [operand] })
}

fn reading(step: &str, captured: &str, after: Option<&str>) -> Value {
    json!({
        "stepId": step, "interfaceId": "desk", "operationId": "read-ticket", "after": after, "cardinality": "any",
        "inputBinding": { "path": { "ticketId": { "captured": captured } }, "query": null, "header": null, "body": null }
    })
}

/// One change of a contract.
type Change = (&'static str, Value);

/// A row: its number, the change that it refuses, its code, and what follows `EvalContract.` in its path.
type Row = (usize, Vec<Change>, &'static str, &'static str);

fn rows() -> Vec<Row> {
    let first = |index: usize| contract()["interactionPlan"][index].clone();
    let title = json!({ "pointer": "/interactions/read-back/response-body/title" });
    let notes = json!({ "pointer": "/interactions/read-back/response-body/notes" });
    let over = |collection: &Value, predicate: Value| json!({ "op": "for-all", "collection": collection, "predicate": predicate });
    let element = json!({ "pointer": "@/x" });
    let adds = |check: Value, id: &str| vec![("/oracles/-", oracle(id, check))];
    let ticket = "/interactions/file/response-body/ticketId";
    let twin = "/interactions/file-again/response-body/ticketId";
    let both = json!({ "op": "all", "operands": [exists(&json!({ "pointer": ticket })), exists(&json!({ "pointer": twin }))] });
    let mut alike = oracle("O-130", both);
    alike["direction"]["evidenceTargets"] = json!([ticket, twin]);
    alike["direction"]["relation"] = json!("all");
    let mut turned = contract()["oracles"][0].clone();
    turned["id"] = json!("O-116");
    turned["polarity"] = json!("expects-violation");
    let mut mute = turned.clone();
    mute["id"] = json!("O-115");
    mute["direction"] = Value::Null;
    let many = (0..14)
        .map(|number| ("/interactionPlan/-", set(first(0), "/stepId", json!(format!("more-{number}")))))
        .collect();
    vec![
        (1, vec![("/behaviors/0/requirementLinks", json!([]))], "missing-requirement-linkage", "behaviors[id=B-001]"),
        (
            2,
            vec![("/behaviors/0/observableSuccessCriterion", Value::Null)],
            "no-observable-success-criterion",
            "behaviors[id=B-001].observableSuccessCriterion",
        ),
        (
            3,
            vec![("/permittedInterfaces/1/operations/1/descriptorChannel/artifactId", json!("lost"))],
            "unresolved-artifact-reference",
            "permittedInterfaces[logicalId=wordy].operations[operationId=list-words].descriptorChannel.artifactId",
        ),
        (
            4,
            adds(exists(&json!({ "pointer": "/interactions/gone/response-body" })), "O-104"),
            "unreachable-check-evidence",
            "oracles[id=O-104].check.operands[0]",
        ),
        (
            5,
            vec![(
                "/interactionPlan/1/inputBinding/path/ticketId/captured",
                json!("/interactions/file/response-body/color"),
            )],
            "unreachable-check-evidence",
            "interactionPlan[stepId=read-back].inputBinding.path[\"ticketId\"]",
        ),
        (6, adds(exists(&element), "O-106"), "malformed-operator-expression", "oracles[id=O-106].check.operands[0]"),
        (
            7,
            adds(exists(&json!({ "literal": 1 })), "O-107"),
            "malformed-operator-expression",
            "oracles[id=O-107].check.operands[0]",
        ),
        (
            8,
            adds(json!({ "op": "regex", "operands": [title], "pattern": "^a|b$" }), "O-108"),
            "malformed-operator-expression",
            "oracles[id=O-108].check.pattern",
        ),
        (
            9,
            adds(over(&title, exists(&element)), "O-109"),
            "quantifier-over-non-collection",
            "oracles[id=O-109].check.collection",
        ),
        (
            10,
            adds(over(&notes, over(&element, exists(&element))), "O-110"),
            "quantifier-nesting-exceeded",
            "oracles[id=O-110].check.predicate",
        ),
        (
            11,
            adds(json!({ "op": "containment", "operands": [notes, { "referenceSet": "gone" }] }), "O-111"),
            "unresolved-reference-set",
            "oracles[id=O-111].check.operands[1]",
        ),
        (
            12,
            vec![("/permittedInterfaces/1/operations/1/invocation/subcommandPath", json!(["count"]))],
            "duplicate-operation-signature",
            "permittedInterfaces[logicalId=wordy].operations[operationId=list-words]",
        ),
        (
            13,
            vec![("/interactionPlan/0/inputBinding/body/other", json!({ "literal": 1 }))],
            "undeclared-mandatory-input",
            "interactionPlan[stepId=file].inputBinding.body[\"other\"]",
        ),
        (
            14,
            vec![("/permittedInterfaces/0/operations/1/sensitivityWitness", Value::Null)],
            "undeclared-mandatory-input",
            "permittedInterfaces[0].operations[1]",
        ),
        (15, vec![("/oracles/-", mute)], "oracle-missing-channel", "oracles[id=O-115].direction"),
        (16, vec![("/oracles/-", turned)], "direction-check-misaligned", "oracles[id=O-116].direction.polarity"),
        (
            17,
            vec![("/permittedInterfaces/-", json!({ "kind": "web", "logicalId": "page", "operations": [] }))],
            "unsupported-interface-kind",
            "permittedInterfaces[logicalId=page].kind",
        ),
        (
            18,
            vec![("/interactionPlan/-", reading("late", ticket, Some("read-back")))],
            "nested-temporal-clause",
            "interactionPlan[stepId=late].after",
        ),
        (19, many, "plan-exceeds-scripting-bound", "interactionPlan"),
        (
            20,
            vec![("/interactionPlan/-", reading("loop", "/interactions/loop/response-body/title", None))],
            "binding-cycle",
            "interactionPlan[stepId=loop].inputBinding.path[\"ticketId\"]",
        ),
        (
            21,
            vec![("/interactionPlan/-", reading("odd", "/interactions/file/response-status", None))],
            "captured-channel-undeclared",
            "interactionPlan[stepId=odd].inputBinding.path[\"ticketId\"]",
        ),
        (22, vec![("/rubrics/-", contract()["rubrics"][0].clone())], "rubric-unanchored", "rubrics[1].id"),
        (
            23,
            vec![("/rubrics/0/scaleLevels/0/anchor", json!("Its reasoning is shown."))],
            "rubric-scores-reasoning-prose",
            "rubrics[id=R-001].scaleLevels[0].anchor",
        ),
        (24, vec![("/rubrics/0/maxLength", Value::Null)], "rubric-unanchored", "rubrics[id=R-001].maxLength"),
        (
            25,
            vec![("/rubrics/0/criteria/0/evidence", json!("/interactions/gone/stdout"))],
            "rubric-evidence-unreachable",
            "rubrics[id=R-001].criteria[id=RC-001].evidence",
        ),
        (26, vec![("/forbiddenInputs", json!([]))], "forbidden-input-floor-incomplete", "forbiddenInputs"),
        (
            27,
            vec![("/safetyLimits/0", json!("Write to clerk@desk.example first."))],
            "excluded-content-in-declaration",
            "safetyLimits[0]",
        ),
        (
            28,
            vec![("/scopedResources", json!([{ "reference": "desk", "kind": "place" }]))],
            "scoped-reference-resolves-forbidden",
            "scopedResources[0].reference",
        ),
        (29, vec![("/waivers/0/rule", Value::Null)], "waiver-incomplete", "waivers[id=W-001].rule"),
        (
            30,
            vec![("/interactionPlan/-", set(first(0), "/stepId", json!("file-again"))), ("/oracles/-", alike)],
            "irreducible-step-reference",
            "oracles[id=O-130].direction.evidenceTargets",
        ),
        (
            31,
            vec![("/permittedInterfaces/1/operations/0/sensitivityWitness/legs/0/legId", json!("file"))],
            "malformed-operator-expression",
            "permittedInterfaces[1].operations[0].sensitivityWitness.legs[0].legId",
        ),
        (
            32,
            vec![("/permittedInterfaces/0/operations/0/sensitivityWitness/channel", json!("query"))],
            "malformed-operator-expression",
            "permittedInterfaces[0].operations[0].sensitivityWitness",
        ),
    ]
}

/// Code and path of what a contract is refused for.
fn told(contract: &Value, strict_inputs: bool) -> (String, String) {
    let failure = compile(&typed(contract), CompileOptions { strict_inputs }).unwrap_err();
    (failure.code.to_string(), failure.artifact_path)
}

fn expected(row: &Row) -> (String, String) {
    (row.2.to_owned(), format!("EvalContract.{}", row.3))
}

#[test]
fn of_several_violations_that_of_the_first_row_is_told() {
    assert_eq!(compile(&typed(&base()), CompileOptions::default()), Ok(()));
    let rows = rows();
    assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), (1..=32).collect::<Vec<_>>());
    let mut contract = base();
    for row in rows.iter().rev() {
        let broken = |contract| row.1.iter().cloned().fold(contract, |contract, (at, value)| set(contract, at, value));
        assert_eq!(told(&broken(base()), true), expected(row), "row {} alone", row.0);
        contract = broken(contract);
        assert_eq!(told(&contract, true), expected(row), "row {} with all after it", row.0);
        let lenient = match row.0 {
            13 | 14 => rows.iter().find(|row| row.0 == 15).unwrap(),
            _ => row,
        };
        assert_eq!(told(&contract, false), expected(lenient), "row {} where inputs may be undeclared", row.0);
    }
}

#[test]
fn what_no_row_judges_compiles() {
    for (at, value) in [
        // An oracle that is cited and not declared, and one that nothing cites.
        ("/behaviors/0/oracles", json!(["O-999"])),
        ("/behaviors/0/oracles", json!([])),
        // Lineage is judged over a chain of contracts and not over one.
        ("/revisionCount", json!(7)),
        ("/parentDigest", json!(format!("sha256:{}", "0".repeat(64)))),
        // What a step without an operation binds.
        ("/interactionPlan/2/operationId", json!("burn-ticket")),
        ("/siblingGroups", json!({ "operations": [], "parameters": [["gone", "gone"]] })),
        ("/waivers/0/condition", json!("While there is one desk.")),
        ("/probeStepBound", json!(0)),
    ] {
        let contract = typed(&set(base(), at, value.clone()));
        assert_eq!(compile(&contract, CompileOptions::default()), Ok(()), "{value} at {at}");
    }
}

#[test]
fn what_resets_the_fixture_is_judged_however_strict_inputs_are() {
    let sent = |body: Value| json!({ "path": {}, "query": {}, "header": {}, "body": body });
    let reset = |inputs: Value| {
        let reset = json!({ "legId": "reset", "interfaceId": "desk", "operationId": "file-ticket", "inputs": inputs });
        set(base(), "/fixtureReset", reset)
    };
    for strict in [true, false] {
        let (code, path) = told(&reset(sent(json!({ "kind": "absent" }))), strict);
        assert_eq!((code.as_str(), path.as_str()), ("undeclared-mandatory-input", "EvalContract.fixtureReset.inputs"));
        let whole = reset(sent(json!({ "kind": "json", "value": { "title": "lamp" } })));
        assert_eq!(compile(&typed(&whole), CompileOptions { strict_inputs: strict }), Ok(()));
    }
}
