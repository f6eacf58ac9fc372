//! The fields of a contract and their limits, one by one: at each place what it takes and what it does not.

use serde_json::{Value, json};

use super::EvalContract;
use crate::shape::from_value;
use crate::testing::{cli_contract, contract, mcp_contract, set};

/// A place of a contract, what it takes, and what it refuses.
type Limit = (&'static str, Vec<Value>, Vec<Value>);

fn hold(base: &Value, limits: Vec<Limit>) {
    for (at, takes, refuses) in limits {
        for (values, fine) in [(takes, true), (refuses, false)] {
            for value in values {
                let read = from_value::<EvalContract>(&set(base.clone(), at, value.clone()));
                assert_eq!(read.is_ok(), fine, "{value} at {at}: {}", read.err().unwrap_or_default());
            }
        }
    }
}

/// Values of a list.
fn each<T: Into<Value> + Clone>(values: &[T]) -> Vec<Value> {
    values.iter().cloned().map(Into::into).collect()
}

const MOST: i64 = 9_007_199_254_740_991;

fn counts() -> (Vec<Value>, Vec<Value>) {
    (each(&[0, 1, MOST]), vec![json!(-1), json!(MOST + 1), json!(0.5), json!("1"), json!(null)])
}

fn slugs() -> (Vec<Value>, Vec<Value>) {
    (each(&["a", "0", "a-1-b"]), each(&["", "A", "a_b", "a--b", "-a", "a-", "a/b", "a~b", "a.b", "é"]))
}

fn digests() -> (Vec<Value>, Vec<Value>) {
    let hex = "0a".repeat(32);
    (
        vec![json!(null), json!(format!("sha256:{hex}"))],
        vec![
            json!(hex),
            json!(format!("sha256:{}", hex.to_uppercase())),
            json!(format!("sha256:{hex}0")),
            json!(format!("sha1:{hex}")),
            json!(""),
        ],
    )
}

fn ids(prefix: &str) -> (Vec<Value>, Vec<Value>) {
    let all = |ends: &[&str]| ends.iter().map(|end| json!(format!("{prefix}-{end}"))).collect();
    let mut refused: Vec<Value> = all(&["01", "", "0001a", "00 1"]);
    refused.extend([json!(format!("{prefix}001")), json!(format!("{}-001", prefix.to_lowercase())), json!("X-001")]);
    (all(&["001", "000", "1234567"]), refused)
}

fn limit(at: &'static str, (takes, refuses): (Vec<Value>, Vec<Value>)) -> Limit {
    (at, takes, refuses)
}

#[test]
fn an_issue_says_what_may_stand_there() {
    for (pointer, value, told) in [
        (
            "/behaviors/0/requirementLinks",
            json!(["spec:a"]),
            "/behaviors/0/requirementLinks/0: expected an object with scheme, id, got a string",
        ),
        (
            "/siblingGroups",
            json!({ "parameters": [] }),
            "/siblingGroups/operations: is required: an array, each element an array of at least 2, each element an object with \
             interfaceId, operationId",
        ),
        (
            "/referenceSets",
            json!([]),
            "/referenceSets: expected an object in which under each name stands an object with keys, members, commentary, got an array",
        ),
        (
            "/oracles/0/direction/more",
            json!(1),
            "/oracles/0/direction/more: is not a field here, only evidenceTargets, relation, polarity, scope, negativeDomain",
        ),
        ("/oracles/0/check", json!({}), "/oracles/0/check/op: is required: one of equality, deep-equality, "),
        (
            "/oracles/0/check",
            json!([]),
            "/oracles/0/check: expected an object whose `op` is one of equality, deep-equality, ",
        ),
        (
            "/oracles/0/check/operands/0/pointer",
            json!("/file/body"),
            "/oracles/0/check/operands/0/pointer: expected a pointer `/interactions/STEP/CHANNEL`, such as \
             `/interactions/read/response-body/note`, where CHANNEL is one of response-body, ",
        ),
        (
            "/interactionPlan/0/inputBinding",
            json!({}),
            "/interactionPlan/0/inputBinding: must be an object with path, query, header, body; or an object with argument, option, \
             environment, stdin; or an object with arguments",
        ),
        (
            "/rubrics/0/failureModePenalties",
            json!([{ "name": "x" }]),
            "/rubrics/0/failureModePenalties/0/description: is required: ",
        ),
    ] {
        let issues = from_value::<EvalContract>(&set(contract(), pointer, value)).unwrap_err().to_string();
        assert!(issues.starts_with(told), "{pointer}: {issues}");
    }
}

#[test]
fn a_contract_has_twenty_one_fields_and_each_is_required() {
    let fields = [
        "schemaVersion",
        "parentDigest",
        "revisionCount",
        "contractId",
        "sourceSpecDigest",
        "behaviors",
        "oracles",
        "rubrics",
        "waivers",
        "permittedInterfaces",
        "referenceSets",
        "siblingGroups",
        "interactionPlan",
        "scopedResources",
        "forbiddenInputs",
        "testData",
        "budgets",
        "safetyLimits",
        "requiredEvidence",
        "probeStepBound",
        "fixtureReset",
    ];
    let schema = crate::document::schema::<EvalContract>();
    assert_eq!(schema["required"], json!(fields));
    assert_eq!(fields.len(), 21);
    for field in fields {
        let mut without = contract();
        without.as_object_mut().unwrap().shift_remove(field).unwrap();
        let issues = from_value::<EvalContract>(&without).unwrap_err();
        let told = issues.to_string();
        assert!(told.starts_with(&format!("/{field}: is required: ")) && told.lines().count() == 1, "{told}");
    }
    // No object takes a field that is not declared.
    for object in [
        "",
        "/behaviors/0",
        "/behaviors/0/requirementLinks/0",
        "/oracles/0",
        "/oracles/0/direction",
        "/oracles/0/check",
        "/oracles/0/check/operands/0",
        "/rubrics/0",
        "/rubrics/0/scaleLevels/0",
        "/rubrics/0/failureModePenalties/0",
        "/rubrics/0/criteria/0",
        "/waivers/0",
        "/permittedInterfaces/0",
        "/permittedInterfaces/0/operations/0",
        "/permittedInterfaces/0/operations/0/requestShape",
        "/permittedInterfaces/0/operations/0/requestShape/body",
        "/permittedInterfaces/0/operations/0/responseDescriptor",
        "/permittedInterfaces/0/operations/0/sensitivityWitness",
        "/permittedInterfaces/0/operations/0/sensitivityWitness/legs/0",
        "/permittedInterfaces/0/operations/0/sensitivityWitness/legs/0/inputs",
        "/permittedInterfaces/0/operations/0/sensitivityWitness/legs/0/inputs/body",
        "/referenceSets/known-notes",
        "/interactionPlan/0",
        "/interactionPlan/0/inputBinding",
        "/interactionPlan/0/inputBinding/body/title",
        "/testData",
        "/testData/principals/clerk",
        "/budgets",
    ] {
        let more = set(contract(), &format!("{object}/more"), json!(null));
        assert!(from_value::<EvalContract>(&more).is_err(), "{object}");
    }
}

#[test]
fn identity_behaviors_and_oracles_have_their_limits() {
    let two = |id: &str| json!({ "scheme": id, "id": id });
    hold(
        &contract(),
        vec![
            ("/schemaVersion", each(&[1, 7, 8]), vec![json!(0), json!(-7), json!("7"), json!(7.5), json!(null)]),
            limit("/parentDigest", digests()),
            limit("/revisionCount", counts()),
            limit("/contractId", slugs()),
            limit("/sourceSpecDigest", digests()),
            ("/behaviors", vec![], vec![json!([]), json!(null), json!({})]),
            limit("/behaviors/0/id", ids("B")),
            ("/behaviors/0/description", each(&["", "é"]), vec![json!(null), json!(1)]),
            (
                "/behaviors/0/severity",
                each(&["low", "material", "critical"]),
                vec![json!("high"), json!("Low"), json!(null)],
            ),
            ("/behaviors/0/observableSuccessCriterion", vec![json!(null), json!("")], vec![json!(1)]),
            ("/behaviors/0/requirementLinks", vec![json!([]), json!([two("x")])], vec![json!([two("")]), json!(null)]),
            (
                "/behaviors/0/riskLinks",
                vec![json!([]), json!([two("x"), two("x")])],
                vec![json!([two("")]), json!(["x"])],
            ),
            ("/behaviors/0/oracles", vec![json!([]), json!(["O-999", "O-999"])], vec![json!(["B-001"]), json!(null)]),
            ("/oracles", vec![json!([])], vec![json!(null)]),
            limit("/oracles/0/id", ids("O")),
            ("/oracles/0/direction", vec![json!(null)], vec![json!({}), json!("x")]),
            ("/oracles/0/check", vec![json!(null)], vec![json!({}), json!(true)]),
            ("/oracles/0/polarity", each(&["expects-hold", "expects-violation"]), vec![json!("holds"), json!(null)]),
            ("/oracles/0/commentary", vec![json!(null), json!("")], vec![json!([])]),
            (
                "/oracles/0/direction/evidenceTargets",
                vec![json!([]), json!(["/interactions/gone/exit-code"])],
                vec![json!(["@/x"]), json!(["/interactions/file"]), json!([""]), json!(null)],
            ),
            (
                "/oracles/0/direction/relation",
                each(&[
                    "existence",
                    "absence",
                    "equality",
                    "deep-equality",
                    "containment",
                    "regex",
                    "set-membership",
                    "ordering",
                    "count-tolerance",
                    "shape",
                    "covers-by-key",
                    "not",
                    "all",
                    "any",
                    "for-all",
                    "for-any",
                ]),
                vec![json!("contains"), json!(null)],
            ),
            ("/oracles/0/direction/polarity", each(&["expects-hold", "expects-violation"]), vec![json!(null)]),
            ("/oracles/0/direction/scope", vec![json!(null), json!("")], vec![json!(1)]),
            ("/oracles/0/direction/negativeDomain", vec![json!(null), json!("")], vec![json!(1)]),
        ],
    );
}

#[test]
fn rubrics_waivers_sets_and_bounds_have_their_limits() {
    let member = |a: &str, b: &str| json!({ "interfaceId": a, "operationId": b });
    let groups = |operations: Value, parameters: Value| json!({ "operations": operations, "parameters": parameters });
    hold(
        &contract(),
        vec![
            limit("/rubrics/0/id", ids("R")),
            ("/rubrics/0/scaleLevels", vec![json!(null), json!([])], vec![json!({})]),
            (
                "/rubrics/0/scaleLevels/0/level",
                each(&[-MOST, 0, MOST]),
                vec![json!(0.5), json!(-MOST - 1), json!(null)],
            ),
            ("/rubrics/0/scaleLevels/0/anchor", each(&[""]), vec![json!(null)]),
            ("/rubrics/0/failureModePenalties", vec![json!(null), json!([])], vec![json!(1)]),
            ("/rubrics/0/failureModePenalties/0/name", each(&[" "]), vec![json!(""), json!(null)]),
            ("/rubrics/0/failureModePenalties/0/description", each(&[""]), vec![json!(null)]),
            ("/rubrics/0/maxLength", vec![json!(null), json!(1), json!(MOST)], vec![json!(0), json!(1.5)]),
            ("/rubrics/0/criteria", vec![json!([])], vec![json!(null)]),
            limit("/rubrics/0/criteria/0/id", ids("RC")),
            ("/rubrics/0/criteria/0/text", each(&[""]), vec![json!(null)]),
            ("/rubrics/0/criteria/0/evidence", each(&["/interactions/a/stdout/x"]), each(&["@/x", "/stdout", ""])),
            limit("/waivers/0/id", ids("W")),
            ("/waivers/0/rule", vec![json!(null), json!("")], vec![json!(1)]),
            ("/waivers/0/rationale", vec![json!(null), json!("")], vec![json!(1)]),
            ("/waivers/0/condition", vec![json!(null), json!("")], vec![json!(1)]),
            ("/waivers/0/approval", vec![json!(null), json!("")], vec![json!(1)]),
            (
                "/waivers/0/expiresAt",
                vec![json!(null), json!("2028-02-29T23:59Z"), json!("2027-12-31T00:00:00.5Z")],
                each(&[
                    "2027-02-29T00:00Z",
                    "2027-01-01T00:00:00+00:00",
                    "2027-01-01T00:00:00",
                    "2027-01-01",
                    "2027-01-01t00:00z",
                ]),
            ),
            ("/referenceSets", vec![json!(null), json!({})], vec![json!([]), json!({ "No Slug": null })]),
            ("/referenceSets/known-notes/keys", vec![json!(["a", "b"])], vec![json!([]), json!([""]), json!(null)]),
            (
                "/referenceSets/known-notes/members",
                vec![json!([]), json!([{}, { "x": [1] }])],
                vec![json!([1]), json!([null])],
            ),
            ("/referenceSets/known-notes/commentary", vec![json!(null), json!("")], vec![json!(1)]),
            (
                "/siblingGroups",
                vec![
                    json!(null),
                    groups(json!([]), json!([])),
                    groups(json!([[member("a", "b"), member("c", "d")]]), json!([["x", "y", "z"]])),
                ],
                vec![
                    json!({}),
                    groups(json!([[member("a", "b")]]), json!([])),
                    groups(json!([]), json!([["x"]])),
                    groups(json!([]), json!([["x", ""]])),
                    // As it was up to version 5.
                    groups(json!([["b", "d"]]), json!([])),
                ],
            ),
            (
                "/scopedResources",
                vec![json!(null), json!([])],
                vec![json!([{ "reference": "", "kind": "k" }]), json!([{ "reference": "r", "kind": "" }])],
            ),
            (
                "/forbiddenInputs",
                vec![json!([]), json!(["repository", "repository"])],
                vec![json!(["secrets"]), json!(null)],
            ),
            ("/testData/setup", vec![json!(null), json!("")], vec![json!(1)]),
            ("/testData/cleanup", vec![json!(null), json!("")], vec![json!(1)]),
            (
                "/testData/principals",
                vec![json!(null), json!({})],
                vec![json!({ "A": { "kind": "k" } }), json!({ "a": { "kind": "" } })],
            ),
            (
                "/testData/resources",
                vec![json!(null), json!({}), json!({ "a": { "kind": "k" } })],
                vec![json!({ "a": {} })],
            ),
            limit("/budgets/maxToolCalls", counts()),
            limit("/budgets/maxWallClockMinutes", counts()),
            (
                "/budgets/maxCostUsd",
                each(&["0", "0.00", "10", "123456789012345678901234567890.5"]),
                vec![
                    json!("01"),
                    json!("-1"),
                    json!("+1"),
                    json!(".5"),
                    json!("1."),
                    json!("1e3"),
                    json!(""),
                    json!(1),
                ],
            ),
            ("/safetyLimits", vec![json!([]), json!([""])], vec![json!([1]), json!(null)]),
            ("/requiredEvidence", vec![json!([]), json!([""])], vec![json!([1]), json!(null)]),
            ("/probeStepBound", vec![json!(null), json!(0), json!(MOST)], vec![json!(-1), json!(0.5)]),
            ("/fixtureReset", vec![json!(null)], vec![json!({})]),
        ],
    );
}

#[test]
fn steps_and_what_they_bind_have_their_limits() {
    let raw = |base64: &str, content: &str| json!({ "kind": "raw", "base64": base64, "contentType": content });
    let bound = |value: Value| json!({ "x": value });
    let captured = "/interactions/file/response-body/x";
    hold(
        &contract(),
        vec![
            ("/interactionPlan", vec![json!([])], vec![json!(null)]),
            limit("/interactionPlan/0/stepId", slugs()),
            limit("/interactionPlan/0/interfaceId", slugs()),
            limit("/interactionPlan/0/operationId", slugs()),
            ("/interactionPlan/0/after", vec![json!(null), json!("gone")], vec![json!(""), json!("A")]),
            (
                "/interactionPlan/0/cardinality",
                each(&["exactly-one", "at-most-one", "any"]),
                vec![json!("one"), json!(null)],
            ),
            (
                "/interactionPlan/0/inputBinding/query",
                vec![
                    json!(null),
                    bound(json!({ "literal": null })),
                    bound(json!({ "literal": { "a": [1.5, "x"] } })),
                    bound(json!({ "matcher": "any" })),
                    bound(json!({ "matcher": "type-violating" })),
                    bound(json!({ "captured": captured })),
                    bound(json!({ "principal": "nobody" })),
                ],
                vec![
                    json!({}),
                    bound(json!({ "matcher": "none" })),
                    bound(json!({ "captured": "@/x" })),
                    bound(json!({ "principal": "No Body" })),
                    bound(json!({ "literal": 1, "matcher": "any" })),
                    bound(json!({})),
                    bound(json!(1)),
                    json!({ "": { "literal": 1 } }),
                    raw("", "text/plain"),
                ],
            ),
            (
                "/interactionPlan/0/inputBinding/body",
                vec![
                    json!(null),
                    raw("", "text/plain"),
                    raw("AAE=", "a/b; c=\"d\""),
                    json!({ "kind": { "literal": "raw" } }),
                ],
                vec![
                    json!({}),
                    raw("AAF=", "text/plain"),
                    raw("AAE", "text/plain"),
                    raw("_-8=", "a/b"),
                    raw("", "text"),
                    raw("", ""),
                    json!({ "kind": "raw", "base64": "" }),
                    json!({ "kind": "text" }),
                ],
            ),
            (
                "/interactionPlan/0/inputBinding",
                vec![
                    json!({ "arguments": null }),
                    json!({ "argument": null, "option": null, "environment": null, "stdin": null }),
                ],
                vec![
                    json!({}),
                    json!(null),
                    json!({ "path": null, "query": null, "header": null }),
                    json!({ "stdin": null }),
                ],
            ),
        ],
    );
}

#[test]
fn interfaces_and_operations_have_their_limits() {
    let shape =
        |required: Value, types: Value| json!({ "requiredKeys": required, "permittedKeys": [], "types": types });
    let bound = |mode: &str, key: &str, count: Value| json!([{ "pointer": "", "expectedCardinality": { "mode": mode, key: count }, "referenceSet": null }]);
    hold(
        &contract(),
        vec![
            ("/permittedInterfaces", vec![json!([])], vec![json!(null), json!([{ "kind": "api", "logicalId": "a" }])]),
            ("/permittedInterfaces/0/kind", each(&["api", "web"]), each(&["http", "command", "cli", "mcp", "API"])),
            limit("/permittedInterfaces/0/logicalId", slugs()),
            ("/permittedInterfaces/0/operations", vec![json!([])], vec![json!(null)]),
            limit("/permittedInterfaces/0/operations/0/operationId", slugs()),
            (
                "/permittedInterfaces/0/operations/0/method",
                each(&["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
                each(&["get", "TRACE", "CONNECT", ""]),
            ),
            (
                "/permittedInterfaces/0/operations/0/pathTemplate",
                each(&["/", "/a/{b}", "/{a}{b-c_D}", "//", "/é?x=1"]),
                each(&["", "a", "/:a", "/a:b", "/{}", "/{a", "/a}", "/{a b}", "/{{a}}"]),
            ),
            (
                "/permittedInterfaces/0/operations/0/stateChangeMarker",
                vec![json!(true), json!(false)],
                vec![json!(null), json!("no")],
            ),
            (
                "/permittedInterfaces/0/operations/0/requestShape/header",
                vec![
                    shape(json!(["a"]), json!({})),
                    shape(
                        json!([]),
                        json!({ "a": null, "b": "string", "c": "number", "d": "boolean", "e": "object", "f": "array", "g": "null" }),
                    ),
                ],
                vec![
                    shape(json!([""]), json!({})),
                    shape(json!([]), json!({ "a": "integer" })),
                    shape(json!([]), json!({ "": "string" })),
                    json!(null),
                ],
            ),
            (
                "/permittedInterfaces/0/operations/0/responseDescriptor/successIndicator",
                vec![json!(null), json!(""), json!("/a~1b/0")],
                each(&["a", "/~", "/~2"]),
            ),
            (
                "/permittedInterfaces/0/operations/0/responseDescriptor/channelRoles",
                vec![
                    json!(null),
                    json!({}),
                    json!({ "": "success-indicator", "/a": "diagnostic", "/b": "payload", "/c": "collection" }),
                ],
                vec![json!({ "/a": "error" }), json!({ "a": "payload" }), json!([])],
            ),
            (
                "/permittedInterfaces/0/operations/0/responseDescriptor/collectionLocations",
                vec![
                    json!(null),
                    json!([]),
                    bound("exact", "count", json!(0)),
                    bound("at-most", "max", json!(MOST)),
                    bound("page-bounded", "max", json!(1)),
                ],
                vec![
                    bound("exact", "max", json!(1)),
                    bound("at-most", "count", json!(1)),
                    bound("exact", "count", json!(-1)),
                    bound("some", "max", json!(1)),
                ],
            ),
            (
                "/permittedInterfaces/0/operations/0/volatilePointers",
                vec![json!([]), json!(["", "/a/0"])],
                vec![json!(["a"]), json!(null)],
            ),
            ("/permittedInterfaces/0/operations/0/sensitivityWitness", vec![json!(null)], vec![json!({})]),
            limit("/permittedInterfaces/0/operations/0/sensitivityWitness/witnessId", slugs()),
            (
                "/permittedInterfaces/0/operations/0/sensitivityWitness/channel",
                each(&["path", "query", "body", "argument", "option", "environment", "stdin", "arguments"]),
                each(&["header", "response-body", ""]),
            ),
            (
                "/permittedInterfaces/0/operations/0/sensitivityWitness/legs",
                vec![],
                vec![json!([]), json!([{ "legId": "a", "inputs": { "arguments": {} } }])],
            ),
            limit("/permittedInterfaces/0/operations/0/sensitivityWitness/legs/0/legId", slugs()),
            (
                "/permittedInterfaces/0/operations/0/sensitivityWitness/legs/0/inputs",
                vec![
                    json!({ "arguments": { "": null } }),
                    json!({ "argument": {}, "option": {}, "environment": { "A": "" }, "stdin": { "kind": "text", "value": "" } }),
                    json!({ "argument": {}, "option": {}, "environment": {}, "stdin": { "kind": "json", "value": null } }),
                ],
                vec![
                    json!({}),
                    json!({ "argument": {}, "option": {}, "environment": { "A": 1 }, "stdin": { "kind": "absent" } }),
                    json!({ "argument": {}, "option": {}, "environment": {}, "stdin": { "kind": "text", "value": 1 } }),
                    json!({ "argument": {}, "option": {}, "environment": {}, "stdin": { "kind": "raw", "base64": "", "contentType": "a/b" } }),
                    json!({ "argument": null, "option": {}, "environment": {}, "stdin": { "kind": "absent" } }),
                ],
            ),
            (
                "/permittedInterfaces/0/operations/0/sensitivityWitness/legs/0/inputs/header",
                vec![json!({ "a": "" })],
                vec![json!({ "a": 1 }), json!({ "": "x" })],
            ),
            (
                "/permittedInterfaces/0/operations/0/sensitivityWitness/legs/0/inputs/body",
                vec![
                    json!({ "kind": "json", "value": [1] }),
                    json!({ "kind": "raw", "base64": "", "contentType": "a/b" }),
                    json!({ "kind": "absent" }),
                ],
                vec![
                    json!({ "kind": "text", "value": "" }),
                    json!({ "kind": "absent", "value": null }),
                    json!({ "kind": "raw", "base64": "A", "contentType": "a/b" }),
                    json!(null),
                ],
            ),
        ],
    );
    hold(
        &cli_contract(),
        vec![
            ("/permittedInterfaces/0/kind", vec![], each(&["api", "web", "mcp"])),
            limit("/permittedInterfaces/0/operations/0/invocation/executable", slugs()),
            (
                "/permittedInterfaces/0/operations/0/invocation/subcommandPath",
                vec![json!([]), json!(["a", "b"])],
                vec![json!(["/a"]), json!(null)],
            ),
            (
                "/permittedInterfaces/0/operations/0/artifacts",
                vec![json!([]), json!(["a-b"])],
                vec![json!(["a.txt"]), json!(null)],
            ),
            (
                "/permittedInterfaces/0/operations/0/descriptorChannel",
                vec![
                    json!({ "kind": "stream", "channel": "stdout" }),
                    json!({ "kind": "stream", "channel": "stderr" }),
                    json!({ "kind": "artifact", "artifactId": "a" }),
                ],
                vec![
                    json!({ "kind": "stream", "channel": "stdin" }),
                    json!({ "kind": "artifact", "artifactId": "A" }),
                    json!({ "kind": "structured-result" }),
                    json!(null),
                ],
            ),
        ],
    );
    hold(
        &mcp_contract(),
        vec![
            (
                "/permittedInterfaces/0/operations/0/toolName",
                each(&["find_room", "Find-2"]),
                each(&["", "find.room", "find room", "é"]),
            ),
            (
                "/permittedInterfaces/0/operations/0/descriptorChannel",
                vec![],
                vec![json!({ "kind": "text" }), json!({ "kind": "structured-result", "x": 1 }), json!(null)],
            ),
        ],
    );
}

#[test]
fn checks_have_their_limits() {
    let body = json!({ "pointer": "/interactions/file/response-body/x" });
    let op = |name: &str, operands: Value| json!({ "op": name, "operands": operands });
    let with = |mut check: Value, more: Value| {
        check.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        check
    };
    let exists = op("existence", json!([body]));
    let set = json!({ "referenceSet": "known-notes" });
    let mut takes = vec![
        op("existence", json!([{ "pointer": "@/" }])),
        op("existence", json!([{ "pointer": "@/a~1b/0" }])),
        op("existence", json!([{ "literal": null }])),
        op("absence", json!([set])),
        op("equality", json!([body, { "literal": [] }])),
        op("deep-equality", json!([body, body])),
        op("containment", json!([body, set])),
        op("set-membership", json!([body, set])),
        op("set-membership", json!([body, { "literal": [null] }])),
        op("not", json!([exists])),
        op("all", json!([exists, exists])),
        op("any", json!([exists, exists, exists])),
        with(op("covers-by-key", json!([set, body])), json!({ "expectedKey": "a", "actualKey": "b" })),
        with(
            op("shape", json!([body])),
            json!({ "descriptor": { "requiredKeys": ["a"], "permittedKeys": [], "types": {} } }),
        ),
    ];
    let mut refuses = vec![
        op("exists", json!([body])),
        op("existence", json!([])),
        op("existence", json!([body, body])),
        op("equality", json!([body])),
        op("set-membership", json!([body, { "literal": [] }])),
        op("set-membership", json!([body, { "literal": "x" }])),
        op("set-membership", json!([body, body])),
        op("not", json!([exists, exists])),
        op("all", json!([exists])),
        op("any", json!([])),
        op("existence", json!([{ "pointer": "@" }])),
        op("existence", json!([{ "pointer": "@x" }])),
        op("existence", json!([{ "pointer": "/a" }])),
        op("existence", json!([{ "literal": 1, "pointer": "@/" }])),
        op("existence", json!([{}])),
        op("containment", json!([body, { "referenceSet": "No Slug" }])),
        with(op("covers-by-key", json!([set, body])), json!({ "expectedKey": "", "actualKey": "b" })),
        with(op("covers-by-key", json!([set, body])), json!({ "expectedKey": "a" })),
        with(exists.clone(), json!({ "key": "a" })),
        op("shape", json!([body])),
    ];
    for (pattern, fine) in [
        ("^$", true),
        ("^a|b$", true),
        ("^($", true),
        ("a$", false),
        ("^a", false),
        ("$^", false),
        ("^", false),
        ("", false),
    ] {
        let check = with(op("regex", json!([body])), json!({ "pattern": pattern }));
        if fine { takes.push(check) } else { refuses.push(check) }
    }
    for (key, order, fine) in
        [("k", "ascending", true), ("k", "descending", true), ("", "ascending", false), ("k", "up", false)]
    {
        let check = with(op("ordering", json!([body])), json!({ "key": key, "order": order }));
        if fine { takes.push(check) } else { refuses.push(check) }
    }
    for (expected, tolerance, relative, fine) in [
        (json!(0), json!(0), json!(false), true),
        (json!(MOST), json!(100), json!(true), true),
        (json!(-1), json!(0), json!(false), false),
        (json!(0), json!(0.5), json!(true), false),
        (json!(0), json!(-1), json!(true), false),
        (json!(0), json!(0), json!(null), false),
    ] {
        let more = json!({ "expected": expected, "tolerance": tolerance, "relative": relative });
        let check = with(op("count-tolerance", json!([body])), more);
        if fine { takes.push(check) } else { refuses.push(check) }
    }
    for word in ["for-all", "for-any"] {
        takes.push(json!({ "op": word, "collection": body, "predicate": exists }));
        takes.push(json!({ "op": word, "collection": { "literal": 1 }, "predicate": exists }));
        refuses.push(json!({ "op": word, "collection": [body], "predicate": exists }));
        refuses.push(json!({ "op": word, "collection": body }));
    }
    hold(&contract(), vec![("/oracles/0/check", takes, refuses)]);
}
