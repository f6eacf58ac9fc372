//! Small valid contracts that the tests of the checks change. A name of a kind, or a contract and one change, comes in; a contract
//! goes out. Every one of them compiles as it is.

use std::path::Path;

use serde_json::{Value, json};

use crate::compile::{Checked, CompileOptions, compile};
use crate::contract::EvalContract;
use crate::fault::StructuralFailure;
use crate::plan::Plan;
use crate::shape;

mod seeded;

pub(crate) use seeded::{DIGEST, Seeded, mutate, places};

/// A valid contract of an HTTP interface: two operations, three steps, two oracles, a rubric.
pub(crate) fn contract() -> Value {
    let none = || json!({ "requiredKeys": [], "permittedKeys": [], "types": {} });
    let created = json!({
        "operationId": "file-ticket",
        "method": "POST",
        "pathTemplate": "/tickets",
        "stateChangeMarker": true,
        "requestShape": {
            "path": none(), "query": none(), "header": none(),
            "body": { "requiredKeys": ["title"], "permittedKeys": ["urgent"], "types": { "title": "string", "urgent": "boolean" } }
        },
        "responseDescriptor": {
            "requiredKeys": ["filed", "ticketId"],
            "permittedKeys": ["problem"],
            "types": { "filed": "boolean", "ticketId": "string", "problem": "string" },
            "successIndicator": "/filed",
            "channelRoles": { "/filed": "success-indicator", "/ticketId": "payload", "/problem": "diagnostic" },
            "collectionLocations": []
        },
        "volatilePointers": ["/filed"],
        "sensitivityWitness": {
            "witnessId": "filing-follows-the-title",
            "channel": "body",
            "legs": [
                { "legId": "file-lamp", "inputs": {
                    "path": {}, "query": {}, "header": {}, "body": { "kind": "json", "value": { "title": "lamp" } } } },
                { "legId": "file-door", "inputs": {
                    "path": {}, "query": {}, "header": {}, "body": { "kind": "json", "value": { "title": "door" } } } }
            ],
            "relation": differ("file-lamp", "file-door", "response-body/ticketId")
        }
    });
    let read = json!({
        "operationId": "read-ticket",
        "method": "GET",
        "pathTemplate": "/tickets/{ticketId}",
        "stateChangeMarker": false,
        "requestShape": {
            "path": { "requiredKeys": ["ticketId"], "permittedKeys": [], "types": { "ticketId": "string" } },
            "query": { "requiredKeys": [], "permittedKeys": ["page"], "types": { "page": "number" } },
            "header": none(), "body": none()
        },
        "responseDescriptor": {
            "requiredKeys": ["title", "notes"],
            "permittedKeys": ["owner"],
            "types": { "title": "string", "notes": "array", "owner": "object" },
            "successIndicator": null,
            "channelRoles": { "/title": "payload", "/notes": "collection" },
            "collectionLocations": [
                { "pointer": "/notes", "expectedCardinality": { "mode": "at-most", "max": 20 }, "referenceSet": "known-notes" }
            ]
        },
        "volatilePointers": [],
        "sensitivityWitness": {
            "witnessId": "reading-follows-the-ticket",
            "channel": "path",
            "legs": [
                { "legId": "read-first", "inputs": {
                    "path": { "ticketId": "t-1" }, "query": {}, "header": {}, "body": { "kind": "absent" } } },
                { "legId": "read-second", "inputs": {
                    "path": { "ticketId": "t-2" }, "query": {}, "header": {}, "body": { "kind": "absent" } } }
            ],
            "relation": differ("read-first", "read-second", "response-body/title")
        }
    });
    let steps = json!([
        {
            "stepId": "file", "interfaceId": "desk", "operationId": "file-ticket",
            "inputBinding": { "path": null, "query": null, "header": null, "body": { "title": { "literal": "lamp" } } },
            "after": null, "cardinality": "exactly-one"
        },
        {
            "stepId": "read-back", "interfaceId": "desk", "operationId": "read-ticket",
            "inputBinding": {
                "path": { "ticketId": { "captured": "/interactions/file/response-body/ticketId" } },
                "query": null, "header": null, "body": null
            },
            "after": "file", "cardinality": "exactly-one"
        },
        {
            "stepId": "file-wrongly", "interfaceId": "desk", "operationId": "file-ticket",
            "inputBinding": {
                "path": null, "query": null, "header": null, "body": { "title": { "matcher": "type-violating" } }
            },
            "after": null, "cardinality": "at-most-one"
        }
    ]);
    let oracles = json!([
        {
            "id": "O-001",
            "direction": {
                "evidenceTargets": [
                    "/interactions/file/call-inputs/body/title", "/interactions/read-back/response-body/title"
                ],
                "relation": "equality", "polarity": "expects-hold",
                "scope": "One ticket and the reading of it.", "negativeDomain": "A ticket with another title."
            },
            "check": { "op": "equality", "operands": [
                { "pointer": "/interactions/file/call-inputs/body/title" },
                { "pointer": "/interactions/read-back/response-body/title" }
            ] },
            "polarity": "expects-hold", "commentary": null
        },
        {
            "id": "O-002",
            "direction": {
                "evidenceTargets": ["/interactions/read-back/response-body/notes"],
                "relation": "for-all", "polarity": "expects-hold", "scope": null, "negativeDomain": null
            },
            "check": {
                "op": "for-all",
                "collection": { "pointer": "/interactions/read-back/response-body/notes" },
                "predicate": { "op": "set-membership", "operands": [
                    { "pointer": "@/noteId" }, { "referenceSet": "known-notes" }
                ] }
            },
            "polarity": "expects-hold", "commentary": "Every note is a known one."
        }
    ]);
    let rubrics = json!([{
        "id": "R-001",
        "scaleLevels": [
            { "level": 0, "anchor": "The owner is missing." }, { "level": 1, "anchor": "The owner is named." }
        ],
        "failureModePenalties": [{ "name": "invented owner", "description": "The owner is nobody of the desk." }],
        "maxLength": 400,
        "criteria": [
            { "id": "RC-001", "text": "The owner fits the ticket.", "evidence": "/interactions/read-back/response-body/owner" }
        ]
    }]);
    around(
        "desk-tickets",
        json!([{ "kind": "api", "logicalId": "desk", "operations": [created, read] }]),
        steps,
        oracles,
        rubrics,
    )
}

/// A valid contract of a command: two operations, two steps, one oracle.
pub(crate) fn cli_contract() -> Value {
    let none = || json!({ "requiredKeys": [], "permittedKeys": [], "types": {} });
    let count = json!({
        "operationId": "count-words",
        "invocation": { "executable": "wordy", "subcommandPath": ["count"] },
        "stateChangeMarker": false,
        "requestShape": {
            "argument": none(),
            "option": { "requiredKeys": [], "permittedKeys": ["language"], "types": { "language": "string" } },
            "environment": none(),
            "stdin": { "requiredKeys": ["text"], "permittedKeys": [], "types": { "text": "string" } }
        },
        "responseDescriptor": {
            "requiredKeys": ["words"], "permittedKeys": [], "types": { "words": "number" },
            "successIndicator": null, "channelRoles": {}, "collectionLocations": []
        },
        "descriptorChannel": { "kind": "stream", "channel": "stdout" },
        "artifacts": [],
        "volatilePointers": [],
        "sensitivityWitness": {
            "witnessId": "counting-follows-the-text",
            "channel": "stdin",
            "legs": [
                { "legId": "count-one", "inputs": {
                    "argument": {}, "option": {}, "environment": {}, "stdin": { "kind": "text", "value": "one" } } },
                { "legId": "count-two", "inputs": {
                    "argument": {}, "option": {}, "environment": {}, "stdin": { "kind": "text", "value": "one two" } } }
            ],
            "relation": differ("count-one", "count-two", "stdout/words")
        }
    });
    let list = json!({
        "operationId": "list-words",
        "invocation": { "executable": "wordy", "subcommandPath": ["list"] },
        "stateChangeMarker": false,
        "requestShape": {
            "argument": { "requiredKeys": ["file"], "permittedKeys": [], "types": { "file": "string" } },
            "option": none(), "environment": none(), "stdin": none()
        },
        "responseDescriptor": {
            "requiredKeys": ["words"], "permittedKeys": [], "types": { "words": "array" },
            "successIndicator": null, "channelRoles": {}, "collectionLocations": []
        },
        "descriptorChannel": { "kind": "artifact", "artifactId": "word-list" },
        "artifacts": ["word-list", "log"],
        "volatilePointers": [],
        "sensitivityWitness": {
            "witnessId": "listing-follows-the-file",
            "channel": "argument",
            "legs": [
                { "legId": "list-short", "inputs": {
                    "argument": { "file": "short.txt" }, "option": {}, "environment": {}, "stdin": { "kind": "absent" } } },
                { "legId": "list-long", "inputs": {
                    "argument": { "file": "long.txt" }, "option": {}, "environment": {}, "stdin": { "kind": "absent" } } }
            ],
            "relation": differ("list-short", "list-long", "artifact/word-list/words")
        }
    });
    let steps = json!([
        {
            "stepId": "count", "interfaceId": "wordy", "operationId": "count-words",
            "inputBinding": { "argument": null, "option": null, "environment": null, "stdin": { "text": { "literal": "a b" } } },
            "after": null, "cardinality": "exactly-one"
        },
        {
            "stepId": "list", "interfaceId": "wordy", "operationId": "list-words",
            "inputBinding": { "argument": { "file": { "matcher": "any" } }, "option": null, "environment": null, "stdin": null },
            "after": null, "cardinality": "any"
        }
    ]);
    let targets = [
        "/interactions/count/stdout/words",
        "/interactions/count/exit-code",
        "/interactions/list/artifact/word-list/words",
    ];
    let [words, exit, listed] = targets;
    let oracles = json!([{
        "id": "O-001",
        "direction": {
            "evidenceTargets": targets, "relation": "all", "polarity": "expects-hold", "scope": null, "negativeDomain": null
        },
        "check": { "op": "all", "operands": [
            { "op": "equality", "operands": [{ "pointer": words }, { "literal": 2 }] },
            { "op": "equality", "operands": [{ "pointer": exit }, { "literal": 0 }] },
            { "op": "existence", "operands": [{ "pointer": listed }] }
        ] },
        "polarity": "expects-hold", "commentary": null
    }]);
    around(
        "word-counts",
        json!([{ "kind": "cli", "logicalId": "wordy", "operations": [count, list] }]),
        steps,
        oracles,
        json!([]),
    )
}

/// A valid contract of a tool server: one operation, one step, one oracle.
pub(crate) fn mcp_contract() -> Value {
    let ask = json!({
        "operationId": "find-room",
        "toolName": "find_room",
        "stateChangeMarker": false,
        "requestShape": { "arguments": {
            "requiredKeys": ["seats"], "permittedKeys": ["floor"], "types": { "seats": "number", "floor": "string" } } },
        "responseDescriptor": {
            "requiredKeys": ["room"], "permittedKeys": ["others"], "types": { "room": "string", "others": "array" },
            "successIndicator": null, "channelRoles": {}, "collectionLocations": []
        },
        "descriptorChannel": { "kind": "structured-result" },
        "volatilePointers": [],
        "sensitivityWitness": {
            "witnessId": "rooms-follow-the-seats",
            "channel": "arguments",
            "legs": [
                { "legId": "two-seats", "inputs": { "arguments": { "seats": 2 } } },
                { "legId": "ten-seats", "inputs": { "arguments": { "seats": 10 } } }
            ],
            "relation": differ("two-seats", "ten-seats", "response-body/room")
        }
    });
    let steps = json!([{
        "stepId": "find", "interfaceId": "rooms", "operationId": "find-room",
        "inputBinding": { "arguments": { "seats": { "literal": 4 } } },
        "after": null, "cardinality": "exactly-one"
    }]);
    let oracles = json!([{
        "id": "O-001",
        "direction": {
            "evidenceTargets": ["/interactions/find/response-body/room"],
            "relation": "existence", "polarity": "expects-hold", "scope": null, "negativeDomain": null
        },
        "check": { "op": "existence", "operands": [{ "pointer": "/interactions/find/response-body/room" }] },
        "polarity": "expects-hold", "commentary": null
    }]);
    around(
        "room-finder",
        json!([{ "kind": "mcp", "logicalId": "rooms", "operations": [ask] }]),
        steps,
        oracles,
        json!([]),
    )
}

/// That two legs are answered differently at a place.
fn differ(first: &str, second: &str, place: &str) -> Value {
    json!({ "op": "not", "operands": [{ "op": "deep-equality", "operands": [
        { "pointer": format!("/interactions/{first}/{place}") }, { "pointer": format!("/interactions/{second}/{place}") }
    ] }] })
}

/// The contract around an interface.
fn around(id: &str, interfaces: Value, steps: Value, oracles: Value, rubrics: Value) -> Value {
    let ids: Vec<Value> = oracles.as_array().into_iter().flatten().map(|oracle| oracle["id"].clone()).collect();
    json!({
        "schemaVersion": 7,
        "parentDigest": null,
        "revisionCount": 0,
        "contractId": id,
        "sourceSpecDigest": null,
        "behaviors": [{
            "id": "B-001",
            "description": "What is asked for is what is answered.",
            "severity": "material",
            "observableSuccessCriterion": "The answer carries what was asked for.",
            "requirementLinks": [{ "scheme": "local", "id": "REQ-1" }],
            "riskLinks": [],
            "oracles": ids
        }],
        "oracles": oracles,
        "rubrics": rubrics,
        "waivers": [{
            "id": "W-001", "rule": "sibling-cross-check", "rationale": "There are no siblings.", "condition": null,
            "approval": "The owner of the desk.", "expiresAt": "2027-01-31T00:00:00Z"
        }],
        "permittedInterfaces": interfaces,
        "referenceSets": { "known-notes": {
            "keys": ["noteId"], "members": [{ "noteId": "n-1" }, { "noteId": "n-2" }], "commentary": null } },
        "siblingGroups": null,
        "interactionPlan": steps,
        "scopedResources": null,
        "forbiddenInputs": [
            "original-spec", "source-code", "repository", "builder-transcript", "implementation-logs", "comparator-results",
            "human-labels"
        ],
        "testData": { "setup": null, "cleanup": null, "principals": { "clerk": { "kind": "account" } }, "resources": null },
        "budgets": { "maxToolCalls": 20, "maxWallClockMinutes": 5, "maxCostUsd": "0.50" },
        "safetyLimits": ["No call to another host."],
        "requiredEvidence": ["Every request with its response."],
        "probeStepBound": 8,
        "fixtureReset": null
    })
}

/// The typed contract of a JSON one.
pub(crate) fn typed(value: &Value) -> EvalContract {
    shape::from_value(value).unwrap_or_else(|issues| panic!("the contract of the test is of no valid shape:\n{issues}"))
}

/// A JSON value with one member set. The pointer's last token may be new to an object, or `-` to add to an array; the empty pointer
/// is the whole.
pub(crate) fn set(mut base: Value, pointer: &str, value: Value) -> Value {
    let Some((parent, key)) = pointer.rsplit_once('/') else { return value };
    let key = key.replace("~1", "/").replace("~0", "~");
    match base.pointer_mut(parent) {
        Some(Value::Object(members)) => {
            members.insert(key, value);
        }
        Some(Value::Array(elements)) if key == "-" => elements.push(value),
        Some(Value::Array(elements)) => elements[key.parse::<usize>().unwrap()] = value,
        _ => panic!("nothing stands at {parent}"),
    }
    base
}

/// The typed contract with one member set (see [`set`]).
pub(crate) fn changed(base: Value, pointer: &str, value: Value) -> EvalContract {
    typed(&set(base, pointer, value))
}

/// What compiling the contract with one member set refuses, as `code path detail` in three texts.
pub(crate) fn refused(base: Value, pointer: &str, value: Value) -> (String, String, String) {
    match compile(&changed(base, pointer, value), CompileOptions::default()) {
        Err(StructuralFailure { code, artifact_path, detail }) => (code.to_string(), artifact_path, detail),
        Ok(()) => panic!("the contract compiles"),
    }
}

/// Asserts that what was refused has this code, this path and this detail.
pub(crate) fn is(found: (String, String, String), code: &str, path: &str, detail: &str) {
    assert_eq!((found.0.as_str(), found.1.as_str(), found.2.as_str()), (code, path, detail));
}

/// What one row refuses, as code, path and detail; nothing where it passes.
pub(crate) fn refused_by(row: fn(&Plan<'_>) -> Checked, contract: &EvalContract) -> Option<(String, String, String)> {
    let StructuralFailure { code, artifact_path, detail } = row(&Plan::of(contract)).err()?;
    Some((code.to_string(), artifact_path, detail))
}

/// Asserts that the contract with one member set compiles.
pub(crate) fn compiles(base: Value, pointer: &str, value: Value) {
    if let Err(failure) = compile(&changed(base, pointer, value), CompileOptions::default()) {
        panic!("the contract is refused: {failure}");
    }
}

/// A file below the saved corpora of evaluation; nothing where they are not there.
pub(crate) fn shared(path: &str) -> Option<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpora/evaluation");
    if !Path::new(folder).is_dir() {
        eprintln!("skipped: ../shared is not there");
        return None;
    }
    Some(std::fs::read(format!("{folder}/{path}")).unwrap_or_else(|error| panic!("{path}: {error}")))
}

/// The saved contracts with their names; none where they are not there.
pub(crate) fn shared_contracts() -> Vec<(String, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpora/evaluation/contracts");
    let Ok(files) = std::fs::read_dir(folder) else {
        eprintln!("skipped: ../shared is not there");
        return Vec::new();
    };
    let contracts: Vec<_> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .map(|name| {
            let bytes = shared(&format!("contracts/{name}")).unwrap();
            (name, bytes)
        })
        .collect();
    assert!(!contracts.is_empty(), "{folder} is empty");
    contracts
}

#[test]
fn every_contract_of_the_tests_compiles() {
    for base in [contract(), cli_contract(), mcp_contract()] {
        compiles(base, "/revisionCount", json!(0));
    }
}
