//! The other artifacts: the brief that an evaluator is handed, and what its caller declares beside it. JSON comes in through
//! [`crate::document`]; typed declarations go out, and of the same declarations the schemas that are published.

use serde_json::{Map, Value, json};

use crate::contract::{
    Behavior, Budgets, DigestText, EVAL_CONTRACT_SCHEMA_VERSION, EvalContract, OracleId, ScopedResource, Slug,
};
use crate::document::{self, Artifact};
use crate::shape::{self, AtLeast, Count, Definitions, Issues, Level, NonEmpty, Place, Positive, Shape};
use crate::shape::{deserialize, object, tagged, words};

/// The version of the brief's schema.
pub const SEALED_EVALUATOR_BRIEF_SCHEMA_VERSION: i64 = 2;
/// The version of the evaluator configuration's schema.
pub const EVALUATOR_CONFIGURATION_SCHEMA_VERSION: i64 = 1;
/// The version of the pre-flight verdict's schema. Naming the interface of a check made it 2.
pub const PREFLIGHT_VERDICT_SCHEMA_VERSION: i64 = 2;
/// The version of the private artifact manifest's schema.
pub const PRIVATE_ARTIFACT_MANIFEST_SCHEMA_VERSION: i64 = 1;

/// The name of the schema of [`ArtifactReference`], which has no version of its own.
const ARTIFACT_REFERENCE_SLUG: &str = "artifact-reference";

object! {
    /// What an evaluator is told of a contract, and nothing more: no step, no check, no pointer and no test data.
    pub struct SealedEvaluatorBrief {
        /// The version of this schema; a reader takes an equal one only.
        "schemaVersion" => schema_version: Positive,
        /// The digest of the brief that this one revises; null exactly where the revision count is 0.
        "parentDigest" => parent_digest: Option<DigestText>,
        /// One more than the parent's; 0 without a parent.
        "revisionCount" => revision_count: Count,
        /// The digest of the contract that it was sealed from.
        "contractDigest" => contract_digest: DigestText,
        /// The behaviors of the contract, unchanged.
        "behaviors" => behaviors: AtLeast<Behavior, 1>,
        /// What to look at for each oracle, sorted by oracle.
        "directions" => directions: AtLeast<BriefDirection, 1>,
        /// The interfaces that may be probed, by name alone.
        "permittedInterfaces" => permitted_interfaces: Vec<BriefInterface>,
        /// The resources that an evaluator is handed.
        "scopedResources" => scoped_resources: Vec<ScopedResource>,
        /// The names of the accounts that may be acted as, sorted.
        "principals" => principals: Vec<Slug>,
        /// The ceilings of a run.
        "budgets" => budgets: Budgets,
        /// What a run must not do, sorted.
        "safetyLimits" => safety_limits: Vec<String>,
        /// How many probe steps one direction may enumerate; null for no bound.
        "probeStepBound" => probe_step_bound: Option<Count>,
    }
}

object! {
    /// What to look at for one oracle.
    pub struct BriefDirection {
        /// The oracle.
        "oracleId" => oracle_id: OracleId,
        /// The direction in words.
        "text" => text: NonEmpty,
    }
}

object! {
    /// An interface by name. Its operations are not told.
    pub struct BriefInterface {
        /// Its name, which is never an address.
        "logicalId" => logical_id: Slug,
        /// Its kind.
        "kind" => kind: InterfaceKind,
    }
}

words! {
    /// The kind of an interface.
    pub enum InterfaceKind {
        /// An HTTP service.
        "api" => Api,
        /// A page in a browser.
        "web" => Web,
        /// A command.
        "cli" => Cli,
        /// A server of tools.
        "mcp" => Mcp,
    }
}

/// JSON null, where nothing else may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Null;

impl Shape for Null {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        if !value.is_null() {
            issues.expected(Self::wants, value, place);
        }
        value.is_null().then_some(Self)
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "null" })
    }

    fn wants() -> String {
        "null".to_owned()
    }
}

deserialize!(Null);

tagged! {
    /// A file of a run: public by its path, or private by an opaque handle. It stands inside other artifacts, so it has no version.
    pub enum ArtifactReference by "storage" {
        /// A file that may be published.
        "public" => Public(PublicReference),
        /// A file that may not.
        "private" => Private(PrivateReference),
    }
}

object! {
    /// A file that may be published.
    pub struct PublicReference {
        /// Its path.
        "path" => path: NonEmpty,
        /// It has no handle.
        "privateRef" => private_ref: Null,
        /// The digest of its bytes.
        "digest" => digest: DigestText,
    }
}

object! {
    /// A file that may not be published.
    pub struct PrivateReference {
        /// Its path is not told.
        "path" => path: Null,
        /// Its handle, which is neither a path nor an address.
        "privateRef" => private_ref: NonEmpty,
        /// The digest of its bytes.
        "digest" => digest: DigestText,
    }
}

object! {
    /// How an evaluator was set up. The number of the trial is left out, so that trials share one configuration.
    pub struct EvaluatorConfiguration {
        /// The version of this schema; a reader takes an equal one only.
        "schemaVersion" => schema_version: Positive,
        /// The digest of the configuration that this one revises; null exactly where the revision count is 0.
        "parentDigest" => parent_digest: Option<DigestText>,
        /// One more than the parent's; 0 without a parent.
        "revisionCount" => revision_count: Count,
        /// The digest of the brief that it was handed.
        "sealedBriefDigest" => sealed_brief_digest: DigestText,
        /// Who evaluates: an opaque name.
        "evaluatorIdentity" => evaluator_identity: NonEmpty,
        /// The model and its snapshot.
        "modelSnapshot" => model_snapshot: NonEmpty,
        /// The digest of what the evaluator is told first.
        "systemPromptDigest" => system_prompt_digest: DigestText,
        /// How answers are decoded, under the caller's own keys.
        "decodingParameters" => decoding_parameters: Map<String, Value>,
        /// The tools at hand. No credential may stand here.
        "toolInventory" => tool_inventory: Vec<String>,
        /// What is permitted. No credential may stand here.
        "permissionInventory" => permission_inventory: Vec<String>,
        /// The ceilings of the run.
        "budgets" => budgets: Budgets,
        /// The seed; null where none is taken.
        "seed" => seed: Option<Level>,
        /// The judge; null where there is none.
        "judgeConfiguration" => judge_configuration: Option<JudgeConfiguration>,
    }
}

object! {
    /// How a judge was set up.
    pub struct JudgeConfiguration {
        /// The model and its snapshot.
        "modelSnapshot" => model_snapshot: NonEmpty,
        /// The digest of what the judge is told first; null where it is told nothing.
        "systemPromptDigest" => system_prompt_digest: Option<DigestText>,
    }
}

object! {
    /// Whether a fixture can be trusted before anything is evaluated on it.
    pub struct PreflightVerdict {
        /// The version of this schema; a reader takes an equal one only.
        "schemaVersion" => schema_version: Positive,
        /// The digest of the verdict that this one revises; null exactly where the revision count is 0.
        "parentDigest" => parent_digest: Option<DigestText>,
        /// One more than the parent's; 0 without a parent.
        "revisionCount" => revision_count: Count,
        /// The caller's name of the run.
        "runId" => run_id: NonEmpty,
        /// The digest of what was observed.
        "fixtureDigest" => fixture_digest: DigestText,
        /// Whether no check failed.
        "passed" => passed: bool,
        /// What was checked.
        "checks" => checks: Vec<PreflightCheck>,
    }
}

object! {
    /// One check of a fixture.
    pub struct PreflightCheck {
        /// What was checked.
        "kind" => kind: PreflightKind,
        /// The interface; null exactly where the operation is null.
        "interfaceId" => interface_id: Option<Slug>,
        /// The operation; null for a check of the whole fixture.
        "operationId" => operation_id: Option<Slug>,
        /// What came out.
        "outcome" => outcome: PreflightOutcome,
        /// What there is to say of it.
        "note" => note: Option<String>,
    }
}

words! {
    /// What is checked of a fixture.
    pub enum PreflightKind {
        /// Every call was answered.
        "interface-present" => InterfacePresent,
        /// The answer depends on the input.
        "input-sensitivity" => InputSensitivity,
        /// A reset brings the first state back.
        "state-reset" => StateReset,
        /// Nothing is wrong where nothing was seeded.
        "clean-control" => CleanControl,
        /// A seeded fault does not show elsewhere.
        "seeded-faults-scoped" => SeededFaultsScoped,
        /// A seeded fault shows where it was seeded.
        "seeded-fault-fired" => SeededFaultFired,
    }
}

words! {
    /// What comes out of a check of a fixture.
    pub enum PreflightOutcome {
        /// It holds.
        "satisfied" => Satisfied,
        /// It does not hold.
        "failed" => Failed,
        /// There is nothing to check.
        "exempt" => Exempt,
    }
}

object! {
    /// The index of the private files of a run. It holds no path, no credential and no value of the domain.
    pub struct PrivateArtifactManifest {
        /// The version of this schema; a reader takes an equal one only.
        "schemaVersion" => schema_version: Positive,
        /// The digest of the manifest that this one revises; null exactly where the revision count is 0.
        "parentDigest" => parent_digest: Option<DigestText>,
        /// One more than the parent's; 0 without a parent.
        "revisionCount" => revision_count: Count,
        /// The files.
        "entries" => entries: Vec<PrivateEntry>,
    }
}

object! {
    /// One private file.
    pub struct PrivateEntry {
        /// Its handle, which is neither a path nor an address.
        "privateRef" => private_ref: NonEmpty,
        /// The digest of its bytes.
        "digest" => digest: DigestText,
        /// What it is.
        "artifactKind" => artifact_kind: PrivateKind,
        /// The run that it belongs to, by a name that may be published; null where it belongs to none.
        "publicSafeRunId" => public_safe_run_id: Option<String>,
        /// How it was sanitized; null where it was not.
        "sanitizationPolicy" => sanitization_policy: Option<NonEmpty>,
    }
}

words! {
    /// What a private file is.
    pub enum PrivateKind {
        /// The record of an input.
        "private-input-record" => InputRecord,
        /// A trace as it was written.
        "raw-trace" => RawTrace,
        /// A result as it was written.
        "raw-result" => RawResult,
        /// What a person judged.
        "human-label" => HumanLabel,
        /// A change of the implementation.
        "implementation-patch" => ImplementationPatch,
        /// The manifest of an isolated run.
        "isolation-manifest" => IsolationManifest,
        /// What a scripted baseline wrote.
        "scripted-baseline-output" => ScriptedBaselineOutput,
        /// Something else.
        "other" => Other,
    }
}

impl Artifact for EvalContract {
    const TITLE: &'static str = "EvalContract";
    const SLUG: &'static str = "eval-contract";
    const NOUN: &'static str = "a contract";
    const SCHEMA_VERSION: i64 = EVAL_CONTRACT_SCHEMA_VERSION;
    const CONSEQUENCE: &'static str = "since its stale version would travel into the scoring version";
}

impl Artifact for SealedEvaluatorBrief {
    const TITLE: &'static str = "SealedEvaluatorBrief";
    const SLUG: &'static str = "sealed-evaluator-brief";
    const SCHEMA_VERSION: i64 = SEALED_EVALUATOR_BRIEF_SCHEMA_VERSION;
    const CONSEQUENCE: &'static str = "since an evaluator would be told something else than the contract says";
}

impl Artifact for EvaluatorConfiguration {
    const TITLE: &'static str = "EvaluatorConfiguration";
    const SLUG: &'static str = "evaluator-configuration";
    const SCHEMA_VERSION: i64 = EVALUATOR_CONFIGURATION_SCHEMA_VERSION;
    const CONSEQUENCE: &'static str = "since its digest would travel into the scoring version";
}

impl Artifact for PreflightVerdict {
    const TITLE: &'static str = "PreflightVerdict";
    const SLUG: &'static str = "preflight-verdict";
    const SCHEMA_VERSION: i64 = PREFLIGHT_VERDICT_SCHEMA_VERSION;
    const CONSEQUENCE: &'static str = "since its fixture digest would travel into the scoring version";
}

impl Artifact for PrivateArtifactManifest {
    const TITLE: &'static str = "PrivateArtifactManifest";
    const SLUG: &'static str = "private-artifact-manifest";
    const SCHEMA_VERSION: i64 = PRIVATE_ARTIFACT_MANIFEST_SCHEMA_VERSION;
    const CONSEQUENCE: &'static str = "since files would be looked up by what it does not say";
}

/// Every published schema with the name of its artifact, sorted by name.
#[must_use]
pub fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        (ARTIFACT_REFERENCE_SLUG, shape::document::<ArtifactReference>(&document::schema_id(ARTIFACT_REFERENCE_SLUG))),
        published::<EvalContract>(),
        published::<EvaluatorConfiguration>(),
        published::<PreflightVerdict>(),
        published::<PrivateArtifactManifest>(),
        published::<SealedEvaluatorBrief>(),
    ]
}

fn published<T: Artifact>() -> (&'static str, Value) {
    (T::SLUG, document::schema::<T>())
}

#[cfg(test)]
mod tests;
