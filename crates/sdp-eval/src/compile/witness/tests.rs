//! Witnesses of each kind of operation, the names of their legs, and the reset of a fixture.

use serde_json::json;

use super::*;
use crate::shape::from_value;

const CREATE: &str = "/permittedInterfaces/0/operations/0";
const RUN: &str = "/permittedInterfaces/1/operations/0";
const FIND: &str = "/permittedInterfaces/2/operations/0";

fn shape(required: &[&str], permitted: &[&str]) -> Value {
    json!({ "requiredKeys": required, "permittedKeys": permitted, "types": {} })
}

fn descriptor(keys: &[&str]) -> Value {
    json!({
        "requiredKeys": keys, "permittedKeys": [], "types": {}, "successIndicator": null, "channelRoles": null,
        "collectionLocations": null
    })
}

fn differ(left: &str, right: &str) -> Value {
    json!({ "op": "not", "operands": [{ "op": "equality", "operands": [{ "pointer": left }, { "pointer": right }] }] })
}

fn http(path: &Value, query: &Value, body: &Value) -> Value {
    json!({ "path": path, "query": query, "header": {}, "body": body })
}

fn witness(channel: &str, name: &str, first: &Value, second: &Value, evidence: &str) -> Value {
    let (one, two) = (format!("{name}-one"), format!("{name}-two"));
    let relation = differ(&format!("/interactions/{one}/{evidence}"), &format!("/interactions/{two}/{evidence}"));
    json!({
        "witnessId": name, "channel": channel, "relation": relation,
        "legs": [{ "legId": one, "inputs": first }, { "legId": two, "inputs": second }]
    })
}

/// A shelf of notes: create, read and drop over HTTP; a command; a tool.
fn notes() -> Value {
    let none = shape(&[], &[]);
    let absent = json!({ "kind": "absent" });
    let written = |title: &str| http(&json!({}), &json!({}), &json!({ "kind": "json", "value": { "title": title } }));
    let read = |note: &str| http(&json!({ "note": note }), &json!({}), &absent);
    let said = |text: &str| {
        json!({
            "argument": {}, "option": {}, "environment": {}, "stdin": { "kind": "text", "value": text }
        })
    };
    json!({
        "schemaVersion": 7, "parentDigest": null, "revisionCount": 0, "contractId": "notes", "sourceSpecDigest": null,
        "behaviors": [{
            "id": "B-001", "description": "", "severity": "low", "observableSuccessCriterion": "",
            "requirementLinks": [], "riskLinks": [], "oracles": []
        }],
        "oracles": [], "rubrics": [], "waivers": [],
        "permittedInterfaces": [
            { "logicalId": "shelf", "kind": "api", "operations": [
                {
                    "operationId": "create", "method": "POST", "pathTemplate": "/notes", "stateChangeMarker": true,
                    "requestShape": { "path": none, "query": none, "header": none, "body": shape(&["title"], &["tag"]) },
                    "responseDescriptor": descriptor(&["note", "at"]), "volatilePointers": ["/at"],
                    "sensitivityWitness": witness("body", "create", &written("A"), &written("B"), "response-body/note")
                },
                {
                    "operationId": "read", "method": "GET", "pathTemplate": "/notes/{note}", "stateChangeMarker": false,
                    "requestShape": { "path": shape(&["note"], &[]), "query": none, "header": none, "body": none },
                    "responseDescriptor": descriptor(&["title"]), "volatilePointers": [],
                    "sensitivityWitness": witness("path", "read", &read("1"), &read("2"), "response-body")
                },
                {
                    "operationId": "drop-all", "method": "DELETE", "pathTemplate": "/notes", "stateChangeMarker": true,
                    "requestShape": { "path": none, "query": none, "header": none, "body": none },
                    "responseDescriptor": descriptor(&[]), "volatilePointers": [], "sensitivityWitness": null
                }
            ] },
            { "logicalId": "tool", "kind": "cli", "operations": [{
                "operationId": "run", "invocation": { "executable": "notes", "subcommandPath": [] },
                "stateChangeMarker": false,
                "requestShape": { "argument": none, "option": none, "environment": none, "stdin": shape(&["text"], &[]) },
                "responseDescriptor": descriptor(&["words"]), "descriptorChannel": { "kind": "stream", "channel": "stdout" },
                "artifacts": [], "volatilePointers": [],
                "sensitivityWitness": witness("stdin", "run", &said("a"), &said("b"), "stdout/words")
            }] },
            { "logicalId": "server", "kind": "mcp", "operations": [{
                "operationId": "find", "toolName": "find_notes", "stateChangeMarker": false,
                "requestShape": { "arguments": shape(&[], &["query"]) },
                "responseDescriptor": descriptor(&["found"]), "descriptorChannel": { "kind": "structured-result" },
                "volatilePointers": [],
                "sensitivityWitness": witness(
                    "arguments", "find", &json!({ "arguments": {} }), &json!({ "arguments": { "query": "b" } }),
                    "response-status"
                )
            }] }
        ],
        "referenceSets": null, "siblingGroups": null,
        "interactionPlan": [{
            "stepId": "look", "interfaceId": "shelf", "operationId": "drop-all",
            "inputBinding": { "path": null, "query": null, "header": null, "body": null },
            "after": null, "cardinality": "any"
        }],
        "scopedResources": null, "forbiddenInputs": [],
        "testData": { "setup": null, "cleanup": null, "principals": null, "resources": null },
        "budgets": { "maxToolCalls": 1, "maxWallClockMinutes": 1, "maxCostUsd": "0" },
        "safetyLimits": [], "requiredEvidence": [], "probeStepBound": null,
        "fixtureReset": {
            "legId": "reset", "interfaceId": "shelf", "operationId": "drop-all",
            "inputs": http(&json!({}), &json!({}), &absent)
        }
    })
}

/// What a check says of the notes with one value changed: the code, what follows `EvalContract.` in the path, the detail.
fn told(
    check: impl Fn(&EvalContract) -> Checked,
    changes: &[(String, Value)],
) -> Option<(FailureCode, String, String)> {
    let mut contract = notes();
    for (pointer, value) in changes {
        *contract.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value.clone();
    }
    let contract: EvalContract = from_value(&contract).unwrap_or_else(|issues| panic!("{issues}"));
    let failure = check(&contract).err()?;
    let place = failure.artifact_path.strip_prefix("EvalContract.").unwrap().to_owned();
    Some((failure.code, place, failure.detail))
}

fn legal(contract: &EvalContract) -> Checked {
    legality(&Plan::of(contract))
}

#[track_caller]
fn refused(
    check: impl Fn(&EvalContract) -> Checked,
    changes: &[(String, Value)],
    code: FailureCode,
    place: &str,
    detail: &str,
) {
    assert_eq!(told(check, changes), Some((code, place.to_owned(), detail.to_owned())));
}

fn at(operation: &str, below: &str) -> String {
    format!("{operation}/{below}")
}

fn leg(operation: &str, index: usize, below: &str) -> String {
    format!("{operation}/sensitivityWitness/legs/{index}/{below}")
}

#[test]
fn a_contract_whose_witnesses_show_something_passes() {
    assert_eq!(told(declared, &[]), None);
    assert_eq!(told(leg_identifiers, &[]), None);
    assert_eq!(told(legal, &[]), None);
}

#[test]
fn an_operation_with_keys_needs_a_witness() {
    let detail = |name: &str| {
        format!(
            "operation \"{name}\" declares request keys but no sensitivity witness; only an operation declaring no keys in any \
             channel is exempt (AD-10)"
        )
    };
    for (operation, name, place) in [
        (CREATE, "create", "permittedInterfaces[0].operations[0]"),
        (RUN, "run", "permittedInterfaces[1].operations[0]"),
        // A permitted key is a request key.
        (FIND, "find", "permittedInterfaces[2].operations[0]"),
    ] {
        let changes = [(at(operation, "sensitivityWitness"), Value::Null)];
        refused(declared, &changes, FailureCode::UndeclaredMandatoryInput, place, &detail(name));
    }
}

#[test]
fn a_leg_supplies_what_its_operation_takes() {
    let place = |interface: usize, leg: usize| {
        format!("permittedInterfaces[{interface}].operations[0].sensitivityWitness.legs[{leg}].inputs")
    };
    let code = FailureCode::UndeclaredMandatoryInput;
    let body = |value: Value| (leg(CREATE, 1, "inputs/body"), value);
    let missing =
        "leg \"create-two\" omits \"title\", which operation \"create\" requires on its body channel (AD-10, AD-19)";
    refused(declared, &[body(json!({ "kind": "json", "value": { "tag": "x" } }))], code, &place(0, 1), missing);
    // A JSON value that is no object, and no body, supply no keys.
    refused(declared, &[body(json!({ "kind": "json", "value": ["title"] }))], code, &place(0, 1), missing);
    refused(declared, &[body(json!({ "kind": "absent" }))], code, &place(0, 1), missing);
    refused(
        declared,
        &[body(json!({ "kind": "json", "value": { "title": "x", "tag": "y", "colour": "z" } }))],
        code,
        &place(0, 1),
        "leg \"create-two\" supplies \"colour\", which operation \"create\" declares in neither requiredKeys nor \
         permittedKeys of its body channel (AD-10, AD-19)",
    );
    refused(
        declared,
        &[(leg(CREATE, 0, "inputs/header"), json!({ "x-a": "1" }))],
        code,
        &place(0, 0),
        "leg \"create-one\" supplies \"x-a\", which operation \"create\" declares in neither requiredKeys nor permittedKeys \
         of its header channel (AD-10, AD-19)",
    );
    // Raw bytes have no keys to look at.
    let raw = body(json!({ "kind": "raw", "base64": "", "contentType": "text/plain" }));
    assert_eq!(told(declared, &[raw]), None);
    refused(
        declared,
        &[(leg(RUN, 0, "inputs"), json!({ "arguments": {} }))],
        code,
        &place(1, 0),
        "leg \"run-one\" supplies tool-call channels to operation \"run\", which accepts command channels (AD-10, AD-19)",
    );
}

#[test]
fn a_text_fills_the_one_required_key_of_the_standard_input() {
    for (required, number) in [(json!([]), 0), (json!(["text", "more"]), 2)] {
        refused(
            declared,
            &[
                (at(RUN, "requestShape/stdin/permittedKeys"), json!(["x"])),
                (at(RUN, "requestShape/stdin/requiredKeys"), required),
            ],
            FailureCode::UndeclaredMandatoryInput,
            "permittedInterfaces[1].operations[0].sensitivityWitness.legs[0].inputs",
            &format!(
                "leg \"run-one\" supplies its stdin channel as text, which fills exactly one required key, but operation \
                 \"run\" requires {number} there (AD-10, AD-19)"
            ),
        );
    }
}

#[test]
fn the_name_of_a_leg_is_the_name_of_nothing_else() {
    let code = FailureCode::MalformedOperatorExpression;
    let of_leg = |operation: usize, leg: usize| {
        format!("permittedInterfaces[0].operations[{operation}].sensitivityWitness.legs[{leg}].legId")
    };
    let twice = "is already claimed by another leg; every leg id is unique across the contract (AD-10, AD-26)";
    let step = "collides with an interaction-plan step id; the two share one pointer namespace (AD-10, AD-26)";
    refused(
        leg_identifiers,
        &[(leg(CREATE, 1, "legId"), json!("create-one"))],
        code,
        &of_leg(0, 1),
        "leg id \"create-one\" names both legs of this witness, so a pointer could not tell them apart (AD-10, AD-26)",
    );
    // That is told before what either of them collides with.
    let both = |name: &str| [(leg(CREATE, 0, "legId"), json!(name)), (leg(CREATE, 1, "legId"), json!(name))];
    for name in ["look", "twin"] {
        let detail = format!(
            "leg id \"{name}\" names both legs of this witness, so a pointer could not tell them apart (AD-10, AD-26)"
        );
        refused(leg_identifiers, &both(name), code, &of_leg(0, 1), &detail);
    }
    let looks = [(leg(CREATE, 1, "legId"), json!("look"))];
    refused(leg_identifiers, &looks, code, &of_leg(0, 1), &format!("leg id \"look\" {step}"));
    let again =
        [("/permittedInterfaces/0/operations/1/sensitivityWitness/legs/0/legId".to_owned(), json!("create-two"))];
    refused(leg_identifiers, &again, code, &of_leg(1, 0), &format!("leg id \"create-two\" {twice}"));
    let reset = |name: &str| [("/fixtureReset/legId".to_owned(), json!(name))];
    let claimed = format!("leg id \"find-one\" {twice}");
    refused(leg_identifiers, &reset("find-one"), code, "fixtureReset.legId", &claimed);
    refused(leg_identifiers, &reset("look"), code, "fixtureReset.legId", &format!("leg id \"look\" {step}"));
}

#[test]
fn a_witness_varies_a_channel_of_its_operation() {
    let code = FailureCode::MalformedOperatorExpression;
    for (operation, channel, place, detail) in [
        (
            CREATE,
            "query",
            "permittedInterfaces[0].operations[0].sensitivityWitness",
            "varies the query channel, but operation \"create\" is a state-changing HTTP operation, whose witness may vary \
             body only (AD-10)",
        ),
        (
            "/permittedInterfaces/0/operations/1",
            "body",
            "permittedInterfaces[0].operations[1].sensitivityWitness",
            "varies the body channel, but operation \"read\" is an HTTP operation that only reads, whose witness may vary \
             path, query only (AD-10)",
        ),
        (
            RUN,
            "arguments",
            "permittedInterfaces[1].operations[0].sensitivityWitness",
            "varies the arguments channel, but operation \"run\" is a command, whose witness may vary argument, option, \
             environment, stdin only (AD-10)",
        ),
        (
            FIND,
            "stdin",
            "permittedInterfaces[2].operations[0].sensitivityWitness",
            "varies the stdin channel, but operation \"find\" is a tool call, whose witness may vary arguments only (AD-10)",
        ),
    ] {
        refused(legal, &[(at(operation, "sensitivityWitness/channel"), json!(channel))], code, place, detail);
    }
}

#[test]
fn both_legs_carry_the_channel_and_differ_on_it() {
    let code = FailureCode::MalformedOperatorExpression;
    let place = "permittedInterfaces[0].operations[0].sensitivityWitness.legs";
    let body = |index: usize, value: Value| (leg(CREATE, index, "inputs/body"), value);
    let missing =
        "leg \"create-two\" carries no body channel, which the witness of operation \"create\" varies (AD-10)";
    refused(legal, &[body(1, json!({ "kind": "absent" }))], code, place, missing);
    refused(legal, &[(leg(CREATE, 1, "inputs"), json!({ "arguments": {} }))], code, place, missing);
    // Neither the order of keys nor the spelling of a number is a difference.
    let one = json!({ "kind": "json", "value": { "title": "A", "tag": [1, { "a": 0, "b": 2 }] } });
    let two = json!({ "kind": "json", "value": { "tag": [1.0, { "b": 2, "a": -0.0 }], "title": "A" } });
    let same = "both legs send the same on the body channel, so their answers witness no sensitivity (AD-10)";
    refused(legal, &[body(0, one.clone()), body(1, two)], code, place, same);
    let raw = |bytes: &str| json!({ "kind": "raw", "base64": bytes, "contentType": "text/plain" });
    refused(legal, &[body(0, raw("AAAA")), body(1, raw("AAAA"))], code, place, same);
    assert_eq!(told(legal, &[body(0, raw("AAAA")), body(1, raw("AAAB"))]), None);
    assert_eq!(told(legal, &[body(0, one), body(1, raw("AAAB"))]), None);
    // A list differs by its length, and by any of its elements.
    let list = |index: usize, elements: Value| body(index, json!({ "kind": "json", "value": { "tag": elements } }));
    refused(legal, &[list(0, json!([1, 2])), list(1, json!([1, 2]))], code, place, same);
    for other in [json!([1]), json!([]), json!([1, 3]), json!([1, 2, 3])] {
        assert_eq!(told(legal, &[list(0, json!([1, 2])), list(1, other)]), None);
    }
}

#[test]
fn legs_of_each_kind_differ_by_keys_and_values() {
    let code = FailureCode::MalformedOperatorExpression;
    let same = |channel: &str| {
        format!("both legs send the same on the {channel} channel, so their answers witness no sensitivity (AD-10)")
    };
    // The arguments of a tool are JSON, and so are those of a command; its environment is texts.
    let find = |first: Value, second: Value| {
        [(leg(FIND, 0, "inputs/arguments"), first), (leg(FIND, 1, "inputs/arguments"), second)]
    };
    let run = |channel: &str, first: Value, second: Value| {
        [
            (at(RUN, "sensitivityWitness/channel"), json!(channel)),
            (leg(RUN, 0, &format!("inputs/{channel}")), first),
            (leg(RUN, 1, &format!("inputs/{channel}")), second),
        ]
    };
    let place = |interface: usize| format!("permittedInterfaces[{interface}].operations[0].sensitivityWitness.legs");
    let equal = find(json!({ "query": "b", "n": 1 }), json!({ "n": 1.0, "query": "b" }));
    refused(legal, &equal, code, &place(2), &same("arguments"));
    assert_eq!(told(legal, &find(json!({ "query": "a" }), json!({ "query": "b" }))), None);
    assert_eq!(told(legal, &find(json!({ "query": 1 }), json!({ "query": "1" }))), None);
    for channel in ["argument", "option", "environment"] {
        let one = json!({ "x": "1" });
        refused(legal, &run(channel, one.clone(), one.clone()), code, &place(1), &same(channel));
        for other in [json!({ "x": "2" }), json!({ "y": "1" }), json!({}), json!({ "x": "1", "y": "1" })] {
            assert_eq!(told(legal, &run(channel, one.clone(), other)), None, "{channel}");
        }
    }
}

#[test]
fn the_relation_reads_both_legs_and_nothing_else() {
    let place = "permittedInterfaces[0].operations[0].sensitivityWitness.relation";
    let relation = |left: &str, right: &str| [(at(CREATE, "sensitivityWitness/relation"), differ(left, right))];
    let one = "/interactions/create-one/response-body/note";
    refused(
        legal,
        &relation(one, "/interactions/look/response-status"),
        FailureCode::UnreachableCheckEvidence,
        place,
        "\"/interactions/look/response-status\" names \"look\", which is no leg of this witness (AD-10, AD-26)",
    );
    refused(
        legal,
        &relation(one, one),
        FailureCode::MalformedOperatorExpression,
        place,
        "addresses nothing of leg \"create-two\"; a witness relates the answers of both legs (AD-10)",
    );
    let within = json!({
        "op": "for-any", "collection": { "pointer": one },
        "predicate": { "op": "equality", "operands": [
            { "pointer": "@/id" }, { "pointer": "/interactions/create-two/response-body/note" }
        ] }
    });
    assert_eq!(told(legal, &[(at(CREATE, "sensitivityWitness/relation"), within)]), None);
}

#[test]
fn the_relation_reads_what_a_leg_can_show() {
    let relation = |operation: &str, name: &str, evidence: &str| {
        let two = format!("/interactions/{name}-two/{evidence}");
        [(at(operation, "sensitivityWitness/relation"), differ(&format!("/interactions/{name}-one/{evidence}"), &two))]
    };
    for (operation, index, name, evidence) in [
        (CREATE, 0, "create", "stdout"),
        (CREATE, 0, "create", "exit-code"),
        (RUN, 1, "run", "stderr"),
        (RUN, 1, "run", "response-status"),
        (RUN, 1, "run", "artifact/log"),
        (FIND, 2, "find", "response-headers"),
    ] {
        let channel = evidence.split('/').next().unwrap();
        refused(
            legal,
            &relation(operation, name, evidence),
            FailureCode::UnreachableCheckEvidence,
            &format!("permittedInterfaces[{index}].operations[0].sensitivityWitness.relation"),
            &format!(
                "\"/interactions/{name}-one/{evidence}\" addresses the {channel} channel, which no leg of operation \"{name}\" \
                 carries (AD-10, AD-26)"
            ),
        );
    }
    for (operation, name, evidence) in [
        (CREATE, "create", "response-headers/x-a"),
        (CREATE, "create", "response-status"),
        (CREATE, "create", "call-inputs/body/title"),
        (RUN, "run", "exit-code"),
        (RUN, "run", "call-inputs/stdin"),
        (FIND, "find", "call-inputs/arguments/query"),
    ] {
        assert_eq!(told(legal, &relation(operation, name, evidence)), None, "{evidence}");
    }
    let (code, place, detail) = told(legal, &relation(CREATE, "create", "response-body/colour")).unwrap();
    assert_eq!(code, FailureCode::UnreachableCheckEvidence);
    assert_eq!(place, "permittedInterfaces[0].operations[0].sensitivityWitness.relation");
    assert!(detail.starts_with("\"/interactions/create-one/response-body/colour\" "), "{detail}");
}

#[test]
fn what_is_volatile_witnesses_nothing() {
    let relation = |evidence: &str| {
        let two = format!("/interactions/create-two/{evidence}");
        (at(CREATE, "sensitivityWitness/relation"), differ(&format!("/interactions/create-one/{evidence}"), &two))
    };
    let volatile = |pointers: Value| (at(CREATE, "volatilePointers"), pointers);
    for (evidence, pointers) in [
        ("response-body/at", json!(["/at"])),
        ("response-body/at/hour", json!(["/x", "/at"])),
        ("response-body/note/a~1b", json!(["/note/a~1b"])),
        ("response-body", json!([""])),
        ("response-body/note", json!([""])),
    ] {
        refused(
            legal,
            &[volatile(pointers), relation(evidence)],
            FailureCode::MalformedOperatorExpression,
            "permittedInterfaces[0].operations[0].sensitivityWitness.relation",
            &format!(
                "\"/interactions/create-one/{evidence}\" reads a location that operation \"create\" declares volatile, which \
                 differs whatever was sent (AD-10)"
            ),
        );
    }
    // Above it, beside it, and on another channel.
    for evidence in ["response-body", "response-body/note", "call-inputs/body/title"] {
        assert_eq!(
            told(legal, &[volatile(json!(["/at", "/title", "/note/at"])), relation(evidence)]),
            None,
            "{evidence}"
        );
    }
}

#[test]
fn the_reset_changes_state_and_sends_what_its_operation_takes() {
    let reset = |key: &str, value: Value| (format!("/fixtureReset/{key}"), value);
    let missing = |interface: &str, name: &str| {
        format!("names operation \"{name}\", which no permitted interface \"{interface}\" declares (AD-10)")
    };
    let code = FailureCode::UnreachableCheckEvidence;
    let gone = missing("shelf", "gone");
    refused(legal, &[reset("operationId", json!("gone"))], code, "fixtureReset", &gone);
    // The operation of another interface is no operation of this one.
    refused(legal, &[reset("interfaceId", json!("tool"))], code, "fixtureReset", &missing("tool", "drop-all"));
    refused(
        legal,
        &[reset("operationId", json!("read"))],
        FailureCode::MalformedOperatorExpression,
        "fixtureReset",
        "names operation \"read\", which changes no state and so can reset no fixture (AD-10, AD-19)",
    );
    refused(
        legal,
        &[reset("operationId", json!("create"))],
        FailureCode::UndeclaredMandatoryInput,
        "fixtureReset.inputs",
        "fixture reset \"reset\" omits \"title\", which operation \"create\" requires on its body channel (AD-10, AD-19)",
    );
    assert_eq!(told(legal, &[("/fixtureReset".to_owned(), Value::Null)]), None);
}

#[test]
fn of_the_corpora_one_contract_lacks_a_witness() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpora/evaluation");
    let Ok(files) = std::fs::read_dir(format!("{folder}/contracts")) else {
        println!("skipped: ../shared is not there");
        return;
    };
    let files = files.map(|file| file.unwrap().path()).chain([format!("{folder}/walkthrough/contract.json").into()]);
    let mut failures = Vec::new();
    // Row 4 comes before and refuses a contract whose operation takes nothing while its legs send something.
    for path in files.filter(|path| !path.ends_with("empty-request-shapes.json")) {
        let contract = crate::document::read::<EvalContract>(&std::fs::read(&path).unwrap()).unwrap().artifact;
        for check in [declared, leg_identifiers, legal] {
            failures.extend(check(&contract).err().map(|failure| (path.clone(), failure.to_string())));
        }
    }
    let [(path, failure)] = failures.as_slice() else { panic!("{failures:#?}") };
    assert!(path.ends_with("no-state-change-marker.json"), "{path:?}");
    assert_eq!(
        failure,
        "undeclared-mandatory-input in EvalContract.permittedInterfaces[0].operations[0]: operation \"create-thing\" declares \
         request keys but no sensitivity witness; only an operation declaring no keys in any channel is exempt (AD-10)"
    );
}
