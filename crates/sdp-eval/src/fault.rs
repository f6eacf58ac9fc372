//! What goes wrong, coded. A structural failure says that a contract could not be trusted; a runtime fault says that an
//! artifact could not be read or a check could not be evaluated. The two registries share no code.

use std::fmt;

use crate::shape::Issues;

/// Declares a closed registry of codes with their written form, in the published order.
macro_rules! registry {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident => $code:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// Every code, in the published order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The code as it is written.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

registry! {
    /// Why a contract, or the brief of it, is refused (evaluation sheet, part 3).
    pub enum FailureCode {
        /// A behavior names neither a requirement nor a risk.
        MissingRequirementLinkage => "missing-requirement-linkage",
        /// A behavior has no criterion that can be observed.
        NoObservableSuccessCriterion => "no-observable-success-criterion",
        /// A pointer addresses evidence that no declared operation gives.
        UnreachableCheckEvidence => "unreachable-check-evidence",
        /// An operator has an operand, a pattern or a leg that it does not take.
        MalformedOperatorExpression => "malformed-operator-expression",
        /// A quantifier ranges over what is declared as no collection.
        QuantifierOverNonCollection => "quantifier-over-non-collection",
        /// Quantifiers stand inside each other.
        QuantifierNestingExceeded => "quantifier-nesting-exceeded",
        /// A reference set is not declared.
        UnresolvedReferenceSet => "unresolved-reference-set",
        /// Two operations cannot be told apart by what they send.
        DuplicateOperationSignature => "duplicate-operation-signature",
        /// A step, a leg or a binding names an input that is not declared.
        UndeclaredMandatoryInput => "undeclared-mandatory-input",
        /// An oracle lacks its direction or its check.
        OracleMissingChannel => "oracle-missing-channel",
        /// Direction and check of an oracle say different things.
        DirectionCheckMisaligned => "direction-check-misaligned",
        /// An interface is of a kind that nothing can probe.
        UnsupportedInterfaceKind => "unsupported-interface-kind",
        /// A step follows a step that itself follows one.
        NestedTemporalClause => "nested-temporal-clause",
        /// The interaction plan is a script and no longer a bounded set of relations.
        PlanExceedsScriptingBound => "plan-exceeds-scripting-bound",
        /// Captured values wait for each other.
        BindingCycle => "binding-cycle",
        /// A value is captured from a channel that the operation does not describe.
        CapturedChannelUndeclared => "captured-channel-undeclared",
        /// A rubric scores what an evaluator says of its own reasoning.
        RubricScoresReasoningProse => "rubric-scores-reasoning-prose",
        /// A rubric lacks anchors, bounds or unique identifiers.
        RubricUnanchored => "rubric-unanchored",
        /// A criterion cites evidence that no declared operation gives.
        RubricEvidenceUnreachable => "rubric-evidence-unreachable",
        /// The floor of forbidden inputs is not whole.
        ForbiddenInputFloorIncomplete => "forbidden-input-floor-incomplete",
        /// A scoped resource would resolve to what is forbidden.
        ScopedReferenceResolvesForbidden => "scoped-reference-resolves-forbidden",
        /// A waiver lacks one of its parts.
        WaiverIncomplete => "waiver-incomplete",
        /// A direction of the brief reads as a script.
        BriefExceedsScriptingBound => "brief-exceeds-scripting-bound",
        /// A file is named that the operation does not declare it writes.
        UnresolvedArtifactReference => "unresolved-artifact-reference",
        /// Two steps cannot be told apart in words.
        IrreducibleStepReference => "irreducible-step-reference",
        /// A value looks like a secret.
        ExcludedContentInDeclaration => "excluded-content-in-declaration",
    }
}

registry! {
    /// Why an artifact cannot be read, or a check cannot be evaluated (evaluation sheet, part 5).
    pub enum RuntimeCode {
        /// The bytes are no JSON, or no artifact of the expected shape.
        SchemaParseFailure => "schema-parse-failure",
        /// The artifact was written for another version of its schema.
        SchemaVersionMismatch => "schema-version-mismatch",
        /// A value lies outside the domain that has one canonical form.
        NonCanonicalizableValue => "non-canonicalizable-value",
        /// Bytes do not have the digest that was declared for them.
        DigestMismatch => "digest-mismatch",
        /// A bound on work, time or output was reached.
        BudgetExhausted => "budget-exhausted",
        /// A port failed to do its work.
        PortFailure => "port-failure",
        /// A port answered with something else than it may.
        PortContractViolation => "port-contract-violation",
        /// A target is not authorized.
        ForbiddenTarget => "forbidden-target",
        /// The caller stopped the work.
        Aborted => "aborted",
        /// An operator met an operand that it cannot take.
        OperatorCannotAcceptOperand => "operator-cannot-accept-operand",
    }
}

impl FailureCode {
    /// The way out of it, as the guide has it.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::MissingRequirementLinkage => "name in `requirementLinks` or `riskLinks` why the behavior must hold",
            Self::NoObservableSuccessCriterion => {
                "say in `observableSuccessCriterion` what can be seen where the behavior holds"
            }
            Self::UnreachableCheckEvidence => {
                "let the pointer start at a step that is declared and calls a declared operation, and name a channel and a key of that operation, or declare the key; in a witness: let the pointer start at one of the two legs and name a key of the operation; in a binding: capture a key of the described channel of a step, which has the type of the bound key; in `fixtureReset`: name an interface and one of its operations"
            }
            Self::MalformedOperatorExpression => {
                "in a check: operands of the operator's kinds, `@/` within a quantifier only, a pattern from `^` to `$` without backreference or lookbehind; in a witness: two legs with names of their own, which differ in a channel that the kind allows, and a relation over both answers; in `fixtureReset`: an operation that changes state; in a reference set: members with every key that a check compares by"
            }
            Self::QuantifierOverNonCollection => "let `collection` point to a key whose type is `array`",
            Self::QuantifierNestingExceeded => {
                "write an oracle for each quantifier; `covers-by-key` stands outside of them too"
            }
            Self::UnresolvedReferenceSet => "declare the set in `referenceSets`, or correct its name",
            Self::DuplicateOperationSignature => {
                "keep one of the two operations, or let them differ in method and path, in command, or in tool"
            }
            Self::UndeclaredMandatoryInput => {
                "declare the key in the operation's `requestShape`, the principal in `testData.principals`, or the `sensitivityWitness`; `--no-strict-inputs` puts the undeclared key, principal and witness off; in `inputs` of a leg or of `fixtureReset`: give every key of `requiredKeys`, and none that the `requestShape` lacks"
            }
            Self::OracleMissingChannel => "write both the `direction` and the `check` of the oracle",
            Self::DirectionCheckMisaligned => {
                "let the direction name pointers and a relation that stand in the check, and the polarity of the oracle"
            }
            Self::UnsupportedInterfaceKind => {
                "evaluate what stands behind the page: an interface of the kind `api`, `cli` or `mcp`"
            }
            Self::NestedTemporalClause => "let `after` name a step that itself comes after none",
            Self::PlanExceedsScriptingBound => {
                "keep the steps that a check reads: 16 at most, two after one step, two steps with two such, four lone pairs"
            }
            Self::BindingCycle => {
                "bind one of the captured values to a literal, or drop the `after` that closes the circle"
            }
            Self::CapturedChannelUndeclared => {
                "capture from the channel that the operation describes: `response-body` of `api` and `mcp`, of `cli` the one in `descriptorChannel`"
            }
            Self::RubricScoresReasoningProse => {
                "score what the system did, and leave out the words for an evaluator's own reasoning"
            }
            Self::RubricUnanchored => {
                "give the rubric levels with anchors, penalties, a `maxLength` and identifiers that occur once"
            }
            Self::RubricEvidenceUnreachable => {
                "let `evidence` start at a declared step and name what its operation declares"
            }
            Self::ForbiddenInputFloorIncomplete => "list all seven in `forbiddenInputs`",
            Self::ScopedReferenceResolvesForbidden => {
                "write null for `scopedResources` and for `testData.resources`: no entry of either compiles yet"
            }
            Self::WaiverIncomplete => "give the waiver its `rule`, `rationale`, `approval` and `expiresAt`",
            Self::BriefExceedsScriptingBound => {
                "take words such as then, before, after and next, and numbered lists, out of `scope` and `negativeDomain`, or raise `probeStepBound`"
            }
            Self::UnresolvedArtifactReference => "list the file in `artifacts` of the operation, or correct its name",
            Self::IrreducibleStepReference => {
                "bind other values in one of the two steps, or look at one step in each oracle"
            }
            Self::ExcludedContentInDeclaration => {
                "replace the value by a made-up one that has not this shape, or by a digest"
            }
        }
    }
}

impl RuntimeCode {
    /// The way out of it, as the guide has it, where compiling and sealing meet it.
    #[must_use]
    pub const fn remedy(self) -> Option<&'static str> {
        match self {
            Self::SchemaParseFailure => Some("mend what the lines below it name, or the place that it tells"),
            Self::SchemaVersionMismatch => Some(
                "write the contract for version 7 and say so: since 6 each step and each sibling names its `interfaceId`; since 7 a body may be raw bytes",
            ),
            Self::NonCanonicalizableValue => Some("leave the second key out; write a large number as a text"),
            Self::PortFailure => Some("correct the path, or the rights of the folder"),
            Self::BudgetExhausted => Some("let each oracle look at fewer places"),
            Self::DigestMismatch
            | Self::PortContractViolation
            | Self::ForbiddenTarget
            | Self::Aborted
            | Self::OperatorCannotAcceptOperand => None,
        }
    }
}

/// A contract that could not be trusted: the first violation, by the order of the checks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code} in {artifact_path}: {detail}")]
pub struct StructuralFailure {
    /// Which rule.
    pub code: FailureCode,
    /// Where in the artifact, such as `EvalContract.behaviors[id=B-001]`.
    pub artifact_path: String,
    /// What is wrong there.
    pub detail: String,
}

impl StructuralFailure {
    /// A failure of a rule at a place.
    pub fn new(code: FailureCode, artifact_path: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { code, artifact_path: artifact_path.into(), detail: detail.into() }
    }

    /// The part of the code's remedy that is for this place.
    #[must_use]
    pub fn remedy(&self) -> String {
        const PLACES: [(&str, &str); 5] = [
            (".inputs", "`inputs` of"),
            (".sensitivityWitness", "a witness: "),
            (".inputBinding", "a binding: "),
            (".fixtureReset", "`fixtureReset`: "),
            (".referenceSets", "a reference set: "),
        ];
        let mut parts = self.code.remedy().split("; in ");
        let general = parts.next().unwrap_or_default();
        let here = |part: &&str| {
            let is_here = |(place, label): &(&str, &str)| self.artifact_path.contains(place) && part.starts_with(label);
            PLACES.iter().any(is_here)
        };
        parts.find(here).map_or_else(|| general.to_owned(), |part| format!("in {part}"))
    }
}

/// An artifact that cannot be read, or a check that cannot be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code} in {artifact_path}: {detail}")]
pub struct RuntimeFault {
    /// Which fault.
    pub code: RuntimeCode,
    /// Where in the artifact, such as `EvalContract.schemaVersion`.
    pub artifact_path: String,
    /// What is wrong there. It repeats no value of the artifact.
    pub detail: String,
    /// What the shape lacks, where the code is [`RuntimeCode::SchemaParseFailure`].
    pub issues: Issues,
}

impl RuntimeFault {
    /// A fault at a place, without issues of a shape.
    pub fn new(code: RuntimeCode, artifact_path: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { code, artifact_path: artifact_path.into(), detail: detail.into(), issues: Issues::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_the_part_of_the_remedy_that_is_for_its_place() {
        let of = |code, path: &str| StructuralFailure::new(code, path, "").remedy();
        let witness = "EvalContract.permittedInterfaces[0].operations[0].sensitivityWitness";
        for (code, path, start) in [
            (FailureCode::MalformedOperatorExpression, "EvalContract.oracles[id=O-001].check.pattern", "in a check: "),
            (FailureCode::MalformedOperatorExpression, witness, "in a witness: two legs"),
            (FailureCode::MalformedOperatorExpression, "EvalContract.fixtureReset", "in `fixtureReset`: an operation"),
            (
                FailureCode::MalformedOperatorExpression,
                "EvalContract.referenceSets[id=a].members[0].id",
                "in a reference set: members",
            ),
            (FailureCode::UnreachableCheckEvidence, "EvalContract.oracles[id=O-001].check", "let the pointer start"),
            (FailureCode::UnreachableCheckEvidence, witness, "in a witness: let the pointer start"),
            (FailureCode::UnreachableCheckEvidence, "EvalContract.fixtureReset", "in `fixtureReset`: name"),
            (
                FailureCode::UnreachableCheckEvidence,
                "EvalContract.interactionPlan[stepId=a].inputBinding.path[\"id\"]",
                "in a binding: capture",
            ),
            (FailureCode::UndeclaredMandatoryInput, witness, "declare the key"),
            (FailureCode::UndeclaredMandatoryInput, "EvalContract.fixtureReset.inputs", "in `inputs` of a leg"),
            (FailureCode::BindingCycle, "EvalContract.interactionPlan", FailureCode::BindingCycle.remedy()),
        ] {
            let told = of(code, path);
            assert!(told.starts_with(start) && !told.contains("; in "), "{path}: {told}");
        }
    }

    #[test]
    fn both_registries_have_their_published_order_and_share_no_code() {
        let structural = [
            "missing-requirement-linkage",
            "no-observable-success-criterion",
            "unreachable-check-evidence",
            "malformed-operator-expression",
            "quantifier-over-non-collection",
            "quantifier-nesting-exceeded",
            "unresolved-reference-set",
            "duplicate-operation-signature",
            "undeclared-mandatory-input",
            "oracle-missing-channel",
            "direction-check-misaligned",
            "unsupported-interface-kind",
            "nested-temporal-clause",
            "plan-exceeds-scripting-bound",
            "binding-cycle",
            "captured-channel-undeclared",
            "rubric-scores-reasoning-prose",
            "rubric-unanchored",
            "rubric-evidence-unreachable",
            "forbidden-input-floor-incomplete",
            "scoped-reference-resolves-forbidden",
            "waiver-incomplete",
            "brief-exceeds-scripting-bound",
            "unresolved-artifact-reference",
            "irreducible-step-reference",
            "excluded-content-in-declaration",
        ];
        let runtime = [
            "schema-parse-failure",
            "schema-version-mismatch",
            "non-canonicalizable-value",
            "digest-mismatch",
            "budget-exhausted",
            "port-failure",
            "port-contract-violation",
            "forbidden-target",
            "aborted",
            "operator-cannot-accept-operand",
        ];
        assert!(FailureCode::ALL.iter().map(|code| code.as_str()).eq(structural));
        assert!(RuntimeCode::ALL.iter().map(|code| code.as_str()).eq(runtime));
        assert!(runtime.iter().all(|code| !structural.contains(code)));
    }
}
