//! Sealing: the saved briefs, what a brief holds, what is refused, and sizes.

use serde_json::{Value, json};

use super::*;
use crate::document::{self, Artifact};
use crate::testing::{Seeded, cli_contract, contract, mcp_contract, mutate, set, shared, shared_contracts, typed};

fn sealed(value: Value) -> Result<Document<SealedEvaluatorBrief>, SealFault> {
    seal(&Document { artifact: typed(&value), value })
}

/// A file of an artifact: its canonical JSON and a newline.
fn file_of(value: &Value) -> String {
    sdp_canon::canonical::write(value).unwrap() + "\n"
}

fn refusal(value: Value) -> (&'static str, String, String) {
    match sealed(value) {
        Err(SealFault::Structural(failure)) => (failure.code.as_str(), failure.artifact_path, failure.detail),
        other => panic!("no structural failure: {other:?}"),
    }
}

#[test]
fn the_walkthrough_contract_gives_the_expected_brief_byte_for_byte() {
    let (Some(bytes), Some(expected)) =
        (shared("walkthrough/contract.json"), shared("walkthrough/expected-brief.json"))
    else {
        return;
    };
    let brief = seal(&document::read::<EvalContract>(&bytes).unwrap()).unwrap();
    assert_eq!(
        brief.artifact.contract_digest.as_str(),
        "sha256:edfde75db27ba1d3a017265b9cf054f2731c1a3f046c5bbd67f61024ca3a99bd"
    );
    assert_eq!(file_of(&brief.value), String::from_utf8(expected.clone()).unwrap());
    let read = document::read::<SealedEvaluatorBrief>(&expected).unwrap();
    assert_eq!(read.artifact, brief.artifact);
}

#[test]
fn directions_have_not_changed_since_version_4() {
    let (Some(bytes), Some(brief)) = (shared("contracts/satisfied-declarations.json"), shared("v4/brief.json")) else {
        return;
    };
    let ours = seal(&document::read::<EvalContract>(&bytes).unwrap()).unwrap().value;
    let theirs: Value = serde_json::from_slice(&brief).unwrap();
    for (key, value) in theirs.as_object().unwrap() {
        if key != "contractDigest" {
            assert_eq!(ours[key], *value, "{key}");
        }
    }
}

#[test]
fn the_version_4_contract_has_its_digests() {
    let Some(bytes) = shared("v4/contract.json") else { return };
    let value: Value = serde_json::from_slice(&bytes).unwrap();
    let file = sdp_canon::Digest::of(file_of(&value)).to_string();
    let artifact = sdp_canon::canonical::digest(&value).unwrap().to_string();
    assert!(file.starts_with("8f9dea32"), "{file}");
    assert!(artifact.starts_with("7ca80def"), "{artifact}");
}

#[test]
fn every_saved_contract_seals() {
    for (path, bytes) in shared_contracts() {
        let document = document::read::<EvalContract>(&bytes).unwrap();
        if path == "no-operation-inventory.json" {
            // It does not compile: its steps name operations that no interface has.
            assert!(matches!(seal(&document), Err(SealFault::Structural(_))), "{path:?}");
        } else {
            seal(&document).unwrap_or_else(|fault| panic!("{path:?}: {fault}"));
        }
    }
}

#[test]
fn a_brief_tells_no_step_no_check_and_no_test_data() {
    for value in [contract(), cli_contract(), mcp_contract()] {
        let brief = sealed(value.clone()).unwrap().value;
        let keys: Vec<&str> = brief.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            keys,
            [
                "schemaVersion",
                "parentDigest",
                "revisionCount",
                "contractDigest",
                "behaviors",
                "directions",
                "permittedInterfaces",
                "scopedResources",
                "principals",
                "budgets",
                "safetyLimits",
                "probeStepBound"
            ]
        );
        assert_eq!(brief["behaviors"], value["behaviors"]);
        assert_eq!(brief["principals"], json!(["clerk"]));
        let text = brief.to_string();
        for secret in ["interactions", "read-back", "file-wrongly", "known one", "n-1", "operationId", "/tickets"] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
    }
}

#[test]
fn a_brief_holds_what_the_contract_says_of_a_run() {
    let mut base = contract();
    for list in ["permittedInterfaces", "interactionPlan"] {
        for more in [mcp_contract(), cli_contract()] {
            base = set(base, &format!("/{list}/-"), more[list][0].clone());
        }
    }
    let named = |interfaces: Value| json!({ "rooms": interfaces, "clerk": { "kind": "account" }, "a-2": { "kind": "account" } });
    let base = set(base, "/testData/principals", named(json!({ "kind": "guest" })));
    let base = set(base, "/scopedResources", json!([]));
    let brief = sealed(base.clone()).unwrap().value;
    assert_eq!(
        (&brief["schemaVersion"], &brief["parentDigest"], &brief["revisionCount"]),
        (&json!(2), &json!(null), &json!(0))
    );
    assert_eq!(
        brief["permittedInterfaces"],
        json!([
            { "logicalId": "desk", "kind": "api" }, { "logicalId": "rooms", "kind": "mcp" }, { "logicalId": "wordy", "kind": "cli" }
        ])
    );
    assert_eq!(brief["principals"], json!(["a-2", "clerk", "rooms"]));
    assert_eq!(brief["scopedResources"], json!([]));
    for kept in ["behaviors", "budgets", "safetyLimits", "probeStepBound"] {
        assert_eq!(brief[kept], base[kept], "{kept}");
    }
    let digest = sdp_canon::canonical::digest(&base).unwrap();
    assert_eq!(brief["contractDigest"], json!(format!("sha256:{digest}")));
    // What is null is nothing, whatever the contract revises.
    let base = set(
        set(set(base, "/testData/principals", json!(null)), "/scopedResources", json!(null)),
        "/revisionCount",
        json!(3),
    );
    let brief = sealed(base).unwrap().value;
    assert_eq!(
        (&brief["principals"], &brief["scopedResources"], &brief["revisionCount"]),
        (&json!([]), &json!([]), &json!(0))
    );
}

#[test]
fn the_order_of_the_author_does_not_matter() {
    let base = set(contract(), "/safetyLimits", json!(["b", "a", "\u{e000}", "😀"]));
    let base =
        set(base, "/scopedResources", json!([{ "reference": "s", "kind": "k" }, { "reference": "r", "kind": "k" }]));
    let mut turned = base.clone();
    for pointer in [
        "/interactionPlan",
        "/oracles",
        "/oracles/0/direction/evidenceTargets",
        "/oracles/1/direction/evidenceTargets",
        "/permittedInterfaces/0/operations",
        "/safetyLimits",
        "/scopedResources",
    ] {
        turned.pointer_mut(pointer).unwrap().as_array_mut().unwrap().reverse();
    }
    let (mut one, mut other) = (sealed(base).unwrap().value, sealed(turned).unwrap().value);
    assert_ne!(one["contractDigest"], other["contractDigest"]);
    for brief in [&mut one, &mut other] {
        brief.as_object_mut().unwrap().shift_remove("contractDigest");
    }
    assert_eq!(one.to_string(), other.to_string());
    assert_eq!(one["safetyLimits"], json!(["a", "b", "😀", "\u{e000}"]));
    assert_eq!(one["scopedResources"][0]["reference"], "r");
}

#[test]
fn what_has_no_brief_is_refused_with_a_code() {
    let base = contract();
    let targets = "EvalContract.oracles[id=O-001].direction.evidenceTargets".to_owned();
    let (code, path, _) = refusal(set(base.clone(), "/oracles/0/direction/evidenceTargets", json!([])));
    assert_eq!((code, path), ("oracle-missing-channel", targets.clone()));
    let (code, path, detail) = refusal(set(base.clone(), "/oracles/0/direction", json!(null)));
    assert_eq!((code, path.as_str()), ("oracle-missing-channel", "EvalContract.oracles[id=O-001].direction"));
    assert_eq!(detail, "omits its direction (AD-3)");
    let (code, path, _) = refusal(set(base.clone(), "/oracles/1/id", json!("O-001")));
    assert_eq!((code, path.as_str()), ("direction-check-misaligned", "EvalContract.oracles[1].id"));
    let (code, path, _) = refusal(set(base.clone(), "/oracles", json!([])));
    assert_eq!((code, path.as_str()), ("oracle-missing-channel", "EvalContract.oracles"));
    let (code, path, _) =
        refusal(set(base.clone(), "/oracles/0/direction/evidenceTargets", json!(["/interactions/x/stdout"])));
    assert_eq!((code, path), ("unreachable-check-evidence", targets));
    let interface = base["permittedInterfaces"][0].clone();
    let (code, path, _) = refusal(set(base.clone(), "/permittedInterfaces/-", interface));
    assert_eq!(
        (code, path.as_str()),
        ("duplicate-operation-signature", "EvalContract.permittedInterfaces[1].logicalId")
    );
    let twice = json!([{ "reference": "r", "kind": "k" }, { "reference": "r", "kind": "l" }]);
    let (code, path, _) = refusal(set(base, "/scopedResources", twice));
    assert_eq!(
        (code, path.as_str()),
        ("scoped-reference-resolves-forbidden", "EvalContract.scopedResources[1].reference")
    );
}

#[test]
fn row_30_refuses_steps_that_no_words_tell_apart() {
    let base = contract();
    let step = set(base["interactionPlan"][0].clone(), "/stepId", json!("again"));
    let base = set(base, "/interactionPlan/-", step);
    let base = set(
        base,
        "/oracles/1/direction/evidenceTargets",
        json!(["/interactions/file/response-body/ticketId", "/interactions/again/response-body/ticketId"]),
    );
    let contract = typed(&base);
    let failure = step_references(&Plan::of(&contract)).unwrap_err();
    assert_eq!(
        failure.to_string(),
        "irreducible-step-reference in EvalContract.oracles[id=O-002].direction.evidenceTargets: two or more steps invoking \
         operation \"file-ticket\" that one direction references render to the same derived reference even fully escalated; the \
         declared structure does not distinguish them (AD-16, AD-3)"
    );
    assert_eq!(refusal(base.clone()).0, "irreducible-step-reference");
    // With another title they are told apart.
    let apart = set(base, "/interactionPlan/3/inputBinding/body/title/literal", json!("door"));
    let contract = typed(&apart);
    step_references(&Plan::of(&contract)).unwrap();
    sealed(apart).unwrap();
}

#[test]
fn a_direction_that_reads_as_a_script_is_refused() {
    let scope = "First file it, then read it. Finally, look at the next one after that.";
    let base = set(set(contract(), "/oracles/0/direction/scope", json!(scope)), "/probeStepBound", json!(3));
    let (code, path, detail) = refusal(base.clone());
    assert_eq!(
        (code, path.as_str()),
        ("brief-exceeds-scripting-bound", "SealedEvaluatorBrief.directions[oracleId=O-001].text")
    );
    assert_eq!(detail, "4 enumerated-probe-step marker(s) exceed the declared bound of 3");
    sealed(set(base.clone(), "/probeStepBound", json!(4))).unwrap();
    sealed(set(base.clone(), "/probeStepBound", json!(null))).unwrap();
    // Directions are not added up.
    let both = set(set(base, "/oracles/1/direction/scope", json!(scope)), "/probeStepBound", json!(4));
    sealed(both).unwrap();
}

/// A contract with so many oracles, all as the first.
fn many(base: Value, count: usize) -> Value {
    let first = base["oracles"][0].clone();
    let oracles: Vec<Value> = (0..count).map(|at| set(first.clone(), "/id", json!(format!("O-{at:05}")))).collect();
    set(base, "/oracles", json!(oracles))
}

#[test]
fn ten_thousand_oracles_are_sealed() {
    let brief = sealed(many(contract(), 10_000)).unwrap();
    assert_eq!(brief.artifact.directions.len(), 10_000);
    assert_eq!(brief.artifact.directions[9_999].oracle_id.as_str(), "O-09999");
}

#[test]
fn directions_that_no_reader_would_take_are_refused() {
    // Both steps are told with their literal, so each of many directions would carry it.
    let base = contract();
    let again = set(base["interactionPlan"][0].clone(), "/stepId", json!("again"));
    let base = set(
        set(base, "/interactionPlan/-", again),
        "/interactionPlan/3/inputBinding/body/title/literal",
        json!("x".repeat(100_000)),
    );
    let base = set(
        base,
        "/oracles/0/direction/evidenceTargets",
        json!(["/interactions/file/response-body/ticketId", "/interactions/again/response-body/ticketId"]),
    );
    let base = many(base, 1_000);
    step_references(&Plan::of(&typed(&base))).unwrap();
    match sealed(base) {
        Err(SealFault::Runtime(fault)) => {
            assert_eq!(
                (fault.code.as_str(), fault.artifact_path.as_str()),
                ("budget-exhausted", "SealedEvaluatorBrief.directions")
            );
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
}

#[test]
fn a_brief_says_its_version() {
    let brief = sealed(contract()).unwrap();
    assert_eq!(brief.artifact.schema_version.get(), SealedEvaluatorBrief::SCHEMA_VERSION);
    assert_eq!(brief.artifact.revision_count.get(), 0);
    assert_eq!(brief.artifact.parent_digest, None);
}

#[test]
fn a_changed_contract_seals_or_is_refused() {
    let (mut sealing, mut refused) = (0, 0);
    for base in [contract(), cli_contract(), mcp_contract()] {
        for seed in 0..400 {
            let mut seeded = Seeded(seed);
            let mut value = base.clone();
            // Most of a contract is nothing that sealing looks at.
            let part = ["/oracles", "/interactionPlan", "/testData", "/permittedInterfaces"]
                [usize::try_from(seed % 4).unwrap()];
            mutate(value.pointer_mut(part).unwrap(), &mut seeded);
            let Ok(artifact) = crate::shape::from_value::<EvalContract>(&value) else { continue };
            let told = step_references(&Plan::of(&artifact));
            match seal(&Document { artifact, value }) {
                Ok(brief) => {
                    assert_eq!(told, Ok(()));
                    let bytes = file_of(&brief.value);
                    assert_eq!(
                        document::read::<SealedEvaluatorBrief>(bytes.as_bytes()).unwrap().artifact,
                        brief.artifact
                    );
                    sealing += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(sealing > 20 && refused > 5, "{sealing} sealed, {refused} refused");
}

#[test]
fn no_brief_has_what_is_shaped_like_a_secret_however_it_was_put_together() {
    let key = format!("sk-{}", "0123456789abcdefgh");
    let refused = |base: Value, path: &str, shape: &str| {
        assert_eq!(crate::compile::compile(&typed(&base), crate::compile::CompileOptions::default()), Ok(()));
        let (code, at, detail) = refusal(base);
        assert_eq!((code, at.as_str()), ("excluded-content-in-declaration", path));
        assert!(detail.starts_with(&format!("carries a value shaped like {shape}, ")), "{detail}");
        assert!(!detail.contains("0123") && !detail.contains("mail@"), "{detail}");
    };
    // A key of the contract that is a value of the brief.
    refused(
        set(contract(), &format!("/testData/principals/{key}"), json!({ "kind": "account" })),
        "SealedEvaluatorBrief.principals[1]",
        "tokens",
    );
    // Two tokens of a pointer that are one word of the brief.
    let descriptor = "/permittedInterfaces/0/operations/1/responseDescriptor";
    let base = set(contract(), &format!("{descriptor}/permittedKeys/-"), json!("mail@host"));
    let pointer = "/interactions/read-back/response-body/mail@host/org";
    let check = json!({ "op": "existence", "operands": [{ "pointer": pointer }] });
    let base = set(base, "/oracles/0/check", check);
    let base = set(base, "/oracles/0/direction/evidenceTargets", json!([pointer]));
    refused(
        set(base, "/oracles/0/direction/relation", json!("existence")),
        "SealedEvaluatorBrief.directions[0].text",
        "email addresses",
    );
}
