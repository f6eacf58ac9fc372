//! The evaluation contract, version 7 (evaluation sheet, part 2). JSON comes in through [`crate::document`]; typed declarations
//! go out, in the author's order. Nothing here judges more than the shape: that is what compiling does.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::shape::{AtLeast, Count, NonEmpty, Positive, object, words};

mod binding;
mod expression;
mod interface;
mod names;
mod operation;
mod pointer;
#[cfg(test)]
mod tests;
mod text;
mod witness;

pub use binding::{
    BindingValue, Bindings, BodyBinding, CliBinding, HttpBinding, InputBinding, Matcher, McpBinding, RawBody,
};
pub use expression::{
    Connective, CountTolerance, CoversByKey, Expression, MemberAndSet, Negation, Operand, Order, Ordering, Pair,
    Quantifier, Regex, Relation, SetMembership, SetOperand, ShapeOf, Single,
};
pub use interface::{
    ArtifactChannel, AtMost, Cardinality, ChannelRole, CliOperation, CliOperations, CliShape, CollectionLocation,
    CollectionLocations, CommandChannel, Counted, HttpOperation, HttpOperations, HttpShape, Invocation, KeyedShape,
    McpOperation, McpOperations, McpShape, Method, Nothing, PermittedInterface, ResponseDescriptor, ResultChannel,
    Stream, StreamChannel, TypeName,
};
pub use names::Names;
pub use operation::Operation;
pub use pointer::{BoundPointer, Channel, DescriptorPointer, InputChannel, InteractionPointer, OperandPointer, Target};
pub(crate) use pointer::{escaped, is_index};
pub use text::{
    Base64, BehaviorId, CriterionId, Decimal, DigestText, KeyName, MediaType, OracleId, PathTemplate, RegexText,
    RubricId, Slug, Timestamp, ToolName, WaiverId,
};
pub use witness::{
    CliInputs, HttpInputs, JsonPart, LegBody, LegRaw, LegStdin, McpInputs, SensitivityWitness, TextPart,
    WitnessChannel, WitnessInputs, WitnessLeg,
};

/// The version of the contract's schema that this build reads.
pub const EVAL_CONTRACT_SCHEMA_VERSION: i64 = 7;

object! {
    /// A behavioral evaluation contract: what must hold, which evidence proves it, and which bounds a run has.
    pub struct EvalContract {
        /// The version of this schema; a reader takes an equal one only.
        "schemaVersion" => schema_version: Positive,
        /// The digest of the contract that this one revises; null exactly where the revision count is 0.
        "parentDigest" => parent_digest: Option<DigestText>,
        /// One more than the parent's; 0 without a parent.
        "revisionCount" => revision_count: Count,
        /// The name of the contract.
        "contractId" => contract_id: Slug,
        /// The digest of the specification it was written against, which it names without carrying it.
        "sourceSpecDigest" => source_spec_digest: Option<DigestText>,
        /// What must hold.
        "behaviors" => behaviors: AtLeast<Behavior, 1>,
        /// How each behavior is checked.
        "oracles" => oracles: Vec<Oracle>,
        /// How a judge scores what no operator can decide.
        "rubrics" => rubrics: Vec<Rubric>,
        /// Which rules are waived, by whom and until when.
        "waivers" => waivers: Vec<Waiver>,
        /// The surface that a probe may touch.
        "permittedInterfaces" => permitted_interfaces: Vec<PermittedInterface>,
        /// Closed sets that checks compare with; null is undeclared, an empty object declares that there are none.
        "referenceSets" => reference_sets: Option<BTreeMap<Slug, ReferenceSet>>,
        /// Operations and parameters that must behave alike; null is undeclared.
        "siblingGroups" => sibling_groups: Option<SiblingGroups>,
        /// The steps whose evidence checks read.
        "interactionPlan" => interaction_plan: Vec<Step>,
        /// Resources that an evaluator would be handed; any entry fails compiling today.
        "scopedResources" => scoped_resources: Option<Vec<ScopedResource>>,
        /// What an evaluator must not see; all seven, or compiling fails.
        "forbiddenInputs" => forbidden_inputs: Vec<ForbiddenInput>,
        /// The data that a run starts from.
        "testData" => test_data: TestData,
        /// The ceilings of a run.
        "budgets" => budgets: Budgets,
        /// What a run must not do, in words.
        "safetyLimits" => safety_limits: Vec<String>,
        /// What a run must keep, in words.
        "requiredEvidence" => required_evidence: Vec<String>,
        /// How many probe steps one direction of the brief may enumerate; null for no bound.
        "probeStepBound" => probe_step_bound: Option<Count>,
        /// The operation that resets the fixture; null where a repeated read shows that nothing changed.
        "fixtureReset" => fixture_reset: Option<FixtureReset>,
    }
}

object! {
    /// One thing that must hold.
    pub struct Behavior {
        /// Its identifier.
        "id" => id: BehaviorId,
        /// What it is, in words.
        "description" => description: String,
        /// How bad it is when it does not hold.
        "severity" => severity: Severity,
        /// What can be observed where it holds; null fails compiling.
        "observableSuccessCriterion" => observable_success_criterion: Option<String>,
        /// The requirements it discharges; both lists of links empty fails compiling.
        "requirementLinks" => requirement_links: Vec<Link>,
        /// The risks it covers.
        "riskLinks" => risk_links: Vec<Link>,
        /// The oracles that check it.
        "oracles" => oracles: Vec<OracleId>,
    }
}

words! {
    /// How bad it is when a behavior does not hold.
    pub enum Severity {
        /// Hardly noticed.
        "low" => Low,
        /// It matters.
        "material" => Material,
        /// It must not happen.
        "critical" => Critical,
    }
}

object! {
    /// A requirement or a risk that lives elsewhere.
    pub struct Link {
        /// Where it lives; `sdp` names a Spec or an entry address.
        "scheme" => scheme: NonEmpty,
        /// Its name there.
        "id" => id: NonEmpty,
    }
}

object! {
    /// How a behavior is checked: in words for the evaluator, as an expression for the scorer.
    pub struct Oracle {
        /// Its identifier.
        "id" => id: OracleId,
        /// What an evaluator is told; null fails compiling.
        "direction" => direction: Option<Direction>,
        /// What a scorer resolves; null fails compiling.
        "check" => check: Option<Expression>,
        /// Whether the check holds where the behavior does.
        "polarity" => polarity: Polarity,
        /// A note of the author, which no evaluator sees.
        "commentary" => commentary: Option<String>,
    }
}

words! {
    /// Whether a check holds where the behavior does.
    pub enum Polarity {
        /// It holds.
        "expects-hold" => ExpectsHold,
        /// It is violated.
        "expects-violation" => ExpectsViolation,
    }
}

object! {
    /// What an evaluator is told to look at.
    pub struct Direction {
        /// The evidence, rooted in the plan's steps.
        "evidenceTargets" => evidence_targets: Vec<InteractionPointer>,
        /// How the evidence relates.
        "relation" => relation: Relation,
        /// The oracle's polarity once more, so that a drift is seen.
        "polarity" => polarity: Polarity,
        /// How far it reaches, in words.
        "scope" => scope: Option<String>,
        /// What counts as a defect, in words.
        "negativeDomain" => negative_domain: Option<String>,
    }
}

object! {
    /// A rubric: levels with anchors, penalties, a bound and criteria.
    @name "RubricBody" pub struct Rubric {
        /// Its identifier.
        "id" => id: RubricId,
        /// The levels; null or empty fails compiling.
        "scaleLevels" => scale_levels: Option<Vec<ScaleLevel>>,
        /// What is held against an answer; null or empty fails compiling.
        "failureModePenalties" => failure_mode_penalties: Option<Vec<Penalty>>,
        /// The longest answer; null fails compiling.
        "maxLength" => max_length: Option<Positive>,
        /// What is scored, each from its evidence.
        "criteria" => criteria: Vec<Criterion>,
    }
}

object! {
    /// One level of a scale.
    pub struct ScaleLevel {
        /// Its ordinal, of any sign.
        "level" => level: crate::shape::Level,
        /// What can be observed at this level.
        "anchor" => anchor: String,
    }
}

object! {
    /// A failure that is held against an answer.
    pub struct Penalty {
        /// Its name.
        "name" => name: NonEmpty,
        /// What it looks like.
        "description" => description: String,
    }
}

object! {
    /// What a rubric scores.
    pub struct Criterion {
        /// Its identifier, unique in its rubric.
        "id" => id: CriterionId,
        /// The criterion in words.
        "text" => text: String,
        /// The evidence it is answered from.
        "evidence" => evidence: InteractionPointer,
    }
}

object! {
    /// A rule that is waived. Compiling wants all parts but the condition.
    pub struct Waiver {
        /// Its identifier.
        "id" => id: WaiverId,
        /// Which rule.
        "rule" => rule: Option<String>,
        /// Why.
        "rationale" => rationale: Option<String>,
        /// Under which condition.
        "condition" => condition: Option<String>,
        /// Who approved it.
        "approval" => approval: Option<String>,
        /// Until when, in UTC.
        "expiresAt" => expires_at: Option<Timestamp>,
    }
}

object! {
    /// A closed set of members that checks compare with.
    pub struct ReferenceSet {
        /// The keys that its members have.
        "keys" => keys: AtLeast<KeyName, 1>,
        /// The members.
        "members" => members: Vec<Map<String, Value>>,
        /// A note of the author.
        "commentary" => commentary: Option<String>,
    }
}

object! {
    /// What must behave alike.
    pub struct SiblingGroups {
        /// Groups of operations.
        "operations" => operations: Vec<AtLeast<OperationRef, 2>>,
        /// Groups of parameters.
        "parameters" => parameters: Vec<AtLeast<KeyName, 2>>,
    }
}

object! {
    /// An operation, named by its interface.
    pub struct OperationRef {
        /// The interface.
        "interfaceId" => interface_id: Slug,
        /// The operation.
        "operationId" => operation_id: Slug,
    }
}

object! {
    /// A step of the interaction plan: which operation is called with what.
    pub struct Step {
        /// Its name, which pointers are rooted in.
        "stepId" => step_id: Slug,
        /// The interface.
        "interfaceId" => interface_id: Slug,
        /// The operation.
        "operationId" => operation_id: Slug,
        /// What is bound in each channel.
        "inputBinding" => input_binding: InputBinding,
        /// The step that it comes after; null for any time.
        "after" => after: Option<Slug>,
        /// How many observations match it.
        "cardinality" => cardinality: StepCardinality,
    }
}

words! {
    /// How many observations match a step.
    pub enum StepCardinality {
        /// One.
        "exactly-one" => ExactlyOne,
        /// One or none.
        "at-most-one" => AtMostOne,
        /// Any number.
        "any" => Any,
    }
}

object! {
    /// A resource that an evaluator would be handed.
    pub struct ScopedResource {
        /// What names it.
        "reference" => reference: NonEmpty,
        /// What it is.
        "kind" => kind: NonEmpty,
    }
}

words! {
    /// What an evaluator must not see.
    pub enum ForbiddenInput {
        /// The specification that the contract was written against.
        "original-spec" => OriginalSpec,
        /// The source code of the system.
        "source-code" => SourceCode,
        /// Its repository.
        "repository" => Repository,
        /// What its builder was told and said.
        "builder-transcript" => BuilderTranscript,
        /// The logs of its implementation.
        "implementation-logs" => ImplementationLogs,
        /// What other evaluators found.
        "comparator-results" => ComparatorResults,
        /// What people judged.
        "human-labels" => HumanLabels,
    }
}

object! {
    /// The data that a run starts from.
    pub struct TestData {
        /// How it is made, in words.
        "setup" => setup: Option<String>,
        /// How it is removed, in words.
        "cleanup" => cleanup: Option<String>,
        /// The accounts that a step may act as.
        "principals" => principals: Option<BTreeMap<Slug, Labelled>>,
        /// Declared resources; any entry fails compiling today.
        "resources" => resources: Option<BTreeMap<Slug, Labelled>>,
    }
}

object! {
    /// What a declared thing is, in the author's own words.
    pub struct Labelled {
        /// The label.
        "kind" => kind: NonEmpty,
    }
}

object! {
    /// The ceilings of a run.
    pub struct Budgets {
        /// Calls of tools.
        "maxToolCalls" => max_tool_calls: Count,
        /// Minutes on the wall clock.
        "maxWallClockMinutes" => max_wall_clock_minutes: Count,
        /// Money, as a decimal text.
        "maxCostUsd" => max_cost_usd: Decimal,
    }
}

object! {
    /// The operation that resets the fixture, and what it is called with.
    pub struct FixtureReset {
        /// The name of the leg, which shares the names of steps.
        "legId" => leg_id: Slug,
        /// The interface.
        "interfaceId" => interface_id: Slug,
        /// The operation.
        "operationId" => operation_id: Slug,
        /// What it is called with.
        "inputs" => inputs: WitnessInputs,
    }
}
