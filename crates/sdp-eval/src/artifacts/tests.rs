//! The artifacts against the saved schemas, and against themselves.

use jsonschema::Validator;
use serde_json::{Value, json};

use super::*;
use crate::fault::RuntimeCode;
use crate::testing::{DIGEST, Seeded, mutate, shared};

/// How many changed documents of each artifact are judged.
const MUTATIONS: usize = 200;

fn reference() -> Value {
    json!({ "storage": "public", "path": "runs/7/answer.json", "privateRef": null, "digest": DIGEST })
}

fn private_reference() -> Value {
    json!({ "storage": "private", "path": null, "privateRef": "handle-7", "digest": DIGEST })
}

fn configuration() -> Value {
    json!({
        "schemaVersion": 1, "parentDigest": DIGEST, "revisionCount": 1, "sealedBriefDigest": DIGEST,
        "evaluatorIdentity": "evaluator-7", "modelSnapshot": "model-2", "systemPromptDigest": DIGEST,
        "decodingParameters": { "heat": 0.5, "stops": ["\n"], "deep": { "er": [null, true] } },
        "toolInventory": ["fetch"], "permissionInventory": ["read"],
        "budgets": { "maxToolCalls": 20, "maxWallClockMinutes": 5, "maxCostUsd": "0.25" },
        "seed": -7, "judgeConfiguration": { "modelSnapshot": "judge-1", "systemPromptDigest": null }
    })
}

fn verdict() -> Value {
    json!({
        "schemaVersion": 2, "parentDigest": null, "revisionCount": 0, "runId": "run 7", "fixtureDigest": DIGEST, "passed": false,
        "checks": [
            { "kind": "interface-present", "interfaceId": "desk", "operationId": "file-ticket", "outcome": "satisfied", "note": null },
            { "kind": "clean-control", "interfaceId": null, "operationId": null, "outcome": "failed", "note": "observed status 500" }
        ]
    })
}

fn manifest() -> Value {
    json!({
        "schemaVersion": 1, "parentDigest": null, "revisionCount": 0,
        "entries": [
            { "privateRef": "handle-7", "digest": DIGEST, "artifactKind": "raw-trace", "publicSafeRunId": "run-7",
              "sanitizationPolicy": null },
            { "privateRef": "handle-8", "digest": DIGEST, "artifactKind": "other", "publicSafeRunId": null,
              "sanitizationPolicy": "names removed" }
        ]
    })
}

fn brief() -> Value {
    json!({
        "schemaVersion": 2, "parentDigest": null, "revisionCount": 0, "contractDigest": DIGEST,
        "behaviors": [{
            "id": "B-001", "description": "Filed is filed.", "severity": "material", "observableSuccessCriterion": null,
            "requirementLinks": [{ "scheme": "sdp", "id": "spec:desk/filing" }], "riskLinks": [], "oracles": ["O-001"]
        }],
        "directions": [{ "oracleId": "O-001", "text": "Look." }],
        "permittedInterfaces": [{ "logicalId": "desk", "kind": "api" }],
        "scopedResources": [{ "reference": "seed", "kind": "table" }],
        "principals": ["clerk"],
        "budgets": { "maxToolCalls": 20, "maxWallClockMinutes": 5, "maxCostUsd": "12" },
        "safetyLimits": ["Touch no other desk."], "probeStepBound": 3
    })
}

/// How a value is read: whether it has the shape.
type Reads = fn(&Value) -> bool;

fn reads<T: Shape>(value: &Value) -> bool {
    shape::from_value::<T>(value).is_ok()
}

/// Every artifact but the contract: its name, its reader and valid documents.
fn artifacts() -> Vec<(&'static str, Reads, Vec<Value>)> {
    vec![
        (ARTIFACT_REFERENCE_SLUG, reads::<ArtifactReference>, vec![reference(), private_reference()]),
        (EvaluatorConfiguration::SLUG, reads::<EvaluatorConfiguration>, vec![configuration()]),
        (PreflightVerdict::SLUG, reads::<PreflightVerdict>, vec![verdict()]),
        (PrivateArtifactManifest::SLUG, reads::<PrivateArtifactManifest>, vec![manifest()]),
        (SealedEvaluatorBrief::SLUG, reads::<SealedEvaluatorBrief>, vec![brief()]),
    ]
}

/// The schema of an artifact that was saved beside the repository; nothing where it is not there.
fn saved(slug: &str) -> Option<Validator> {
    let text = shared(&format!("schemas/{slug}.schema.json"))?;
    Some(jsonschema::validator_for(&serde_json::from_slice(&text).unwrap()).unwrap())
}

fn ours(slug: &str) -> Validator {
    let schemas = schemas();
    let (_, schema) = schemas.iter().find(|(of, _)| *of == slug).unwrap();
    jsonschema::validator_for(schema).unwrap()
}

#[test]
fn saved_schema_our_schema_and_reader_judge_alike() {
    for (slug, reads, documents) in artifacts() {
        let (ours, saved) = (ours(slug), saved(slug));
        let (mut valid, mut invalid) = (0, 0);
        for document in &documents {
            assert!(ours.is_valid(document), "{slug}");
            assert!(reads(document), "{slug}");
            assert!(saved.as_ref().is_none_or(|saved| saved.is_valid(document)), "{slug}");
            for seed in 0..MUTATIONS {
                let mut seeded = Seeded(u64::try_from(seed).unwrap());
                seeded.below(1);
                let mut changed = document.clone();
                for _ in 0..=seeded.below(2) {
                    mutate(&mut changed, &mut seeded);
                }
                let read = reads(&changed);
                assert_eq!(ours.is_valid(&changed), read, "{slug}: our schema and the reader differ on {changed}");
                if let Some(saved) = &saved {
                    assert_eq!(
                        saved.is_valid(&changed),
                        read,
                        "{slug}: the saved schema and the reader differ on {changed}"
                    );
                }
                *(if read { &mut valid } else { &mut invalid }) += 1;
            }
        }
        assert!(valid >= 5 && invalid >= 100, "{slug}: {valid} valid, {invalid} invalid");
    }
}

#[test]
fn a_document_is_read_and_written_back() {
    fn back<T: Artifact + serde::Serialize>(value: &Value) {
        let document = document::read::<T>(value.to_string().as_bytes()).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(serde_json::to_value(&document.artifact).unwrap(), *value, "{}", T::TITLE);
        let mut stale = value.clone();
        stale["schemaVersion"] = json!(T::SCHEMA_VERSION + 1);
        stale["unknown"] = json!(1);
        let fault = document::read::<T>(stale.to_string().as_bytes()).err().unwrap();
        assert_eq!(
            (fault.code, fault.artifact_path),
            (RuntimeCode::SchemaVersionMismatch, format!("{}.schemaVersion", T::TITLE))
        );
    }
    back::<SealedEvaluatorBrief>(&brief());
    back::<EvaluatorConfiguration>(&configuration());
    back::<PreflightVerdict>(&verdict());
    back::<PrivateArtifactManifest>(&manifest());
    for value in [reference(), private_reference()] {
        let read = shape::from_value::<ArtifactReference>(&value).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), value);
    }
}

#[test]
fn where_nothing_may_stand_what_stands_there_is_told() {
    for (mut value, key) in [(reference(), "privateRef"), (private_reference(), "path")] {
        assert_eq!(value[key], Value::Null);
        value[key] = json!(["x"]);
        let issues = shape::from_value::<ArtifactReference>(&value).unwrap_err();
        assert_eq!(issues.to_string(), format!("/{key}: expected null, got an array"));
    }
}

#[test]
fn six_schemas_are_published() {
    let schemas = schemas();
    let slugs: Vec<&str> = schemas.iter().map(|(slug, _)| *slug).collect();
    assert_eq!(
        slugs,
        [
            "artifact-reference",
            "eval-contract",
            "evaluator-configuration",
            "preflight-verdict",
            "private-artifact-manifest",
            "sealed-evaluator-brief"
        ]
    );
    for (slug, schema) in &schemas {
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(schema["$id"], format!("urn:sdp:schema:{slug}"));
        assert!(schema["description"].is_string(), "{slug}");
        jsonschema::meta::validate(schema).unwrap_or_else(|error| panic!("{slug}: {error}"));
    }
}

#[test]
fn each_artifact_is_read_at_one_version_and_named_where_it_is_stale() {
    fn stale<T: Artifact>(version: i64, noun: &str) {
        assert_eq!(T::SCHEMA_VERSION, version, "{}", T::TITLE);
        // Whatever else is wrong with it.
        let fault = document::read::<T>(format!("{{\"schemaVersion\":{}}}", version + 1).as_bytes()).err().unwrap();
        assert_eq!(
            (fault.code.as_str(), fault.artifact_path),
            ("schema-version-mismatch", format!("{}.schemaVersion", T::TITLE))
        );
        let start = format!(
            "carries \"schemaVersion\" {} where this build reads {version}; {noun} written for another version is not read leniently, since ",
            version + 1
        );
        assert!(fault.detail.starts_with(&start) && fault.detail.ends_with(" (AD-11)"), "{}", fault.detail);
    }
    stale::<EvalContract>(7, "a contract");
    stale::<SealedEvaluatorBrief>(2, "an artifact");
    stale::<EvaluatorConfiguration>(1, "an artifact");
    stale::<PreflightVerdict>(2, "an artifact");
    stale::<PrivateArtifactManifest>(1, "an artifact");
}
