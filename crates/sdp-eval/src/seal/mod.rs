//! Sealing: from a contract to the brief that an evaluator is handed (evaluation sheet, part 4). A contract that compiled comes
//! in; a brief that tells what to look at, and no step, check, pointer or test data, goes out. It is the same whatever the
//! order of steps, interfaces and evidence targets.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::artifacts::{
    BriefDirection, BriefInterface, InterfaceKind, SEALED_EVALUATOR_BRIEF_SCHEMA_VERSION, SealedEvaluatorBrief,
};
use crate::compile::oracles::omitted;
use crate::compile::secrets;
use crate::contract::{DigestText, EvalContract, PermittedInterface, ScopedResource};
use crate::document::Document;
use crate::fault::{FailureCode, RuntimeCode, RuntimeFault, StructuralFailure};
use crate::plan::Plan;
use crate::shape::{AtLeast, Count, NonEmpty, Positive};

mod audit;
mod prose;
mod reference;

use reference::References;

/// How many bytes the directions of one brief may take.
const MOST_OF_ALL: usize = 64 << 20;

/// Why a contract cannot be sealed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealFault {
    /// The contract, or a direction of its brief, could not be trusted.
    #[error(transparent)]
    Structural(#[from] StructuralFailure),
    /// The contract has no canonical form, or its brief is too large.
    #[error(transparent)]
    Runtime(#[from] RuntimeFault),
}

/// Seals a contract. It should have compiled; what compiling would have told is told here under the same code where sealing
/// meets it.
///
/// # Errors
///
/// `brief-exceeds-scripting-bound` where a direction reads as a script; the codes of compiling for an oracle without a direction
/// or without evidence, for evidence that cannot be told in words, for names that stand twice, and for words that together are shaped
/// like a secret; `budget-exhausted` for a brief
/// that could not be read back.
#[sdp::satisfies("spec:sdp.eval.seal", component = "component:sdp.eval")]
pub fn seal(document: &Document<EvalContract>) -> Result<Document<SealedEvaluatorBrief>, SealFault> {
    let contract = &document.artifact;
    let directions = directions(contract)?;
    let permitted_interfaces = interfaces(contract)?;
    let scoped_resources = resources(contract)?;
    scripting_audit(contract, &directions)?;
    let mut safety_limits = contract.safety_limits.clone();
    safety_limits.sort_by(|left, right| sdp_canon::order::by_code_units(left, right));
    let brief = SealedEvaluatorBrief {
        schema_version: Positive::new(SEALED_EVALUATOR_BRIEF_SCHEMA_VERSION).ok_or_else(unwritten)?,
        parent_digest: None,
        revision_count: Count::new(0).ok_or_else(unwritten)?,
        contract_digest: contract_digest(document)?,
        behaviors: contract.behaviors.clone(),
        directions: AtLeast::new(directions).ok_or_else(|| {
            let detail = "declares no oracle, so its brief would direct to nothing (AD-3)";
            StructuralFailure::new(FailureCode::OracleMissingChannel, "EvalContract.oracles", detail)
        })?,
        permitted_interfaces,
        scoped_resources,
        principals: contract.test_data.principals.iter().flat_map(BTreeMap::keys).cloned().collect(),
        budgets: contract.budgets.clone(),
        safety_limits,
        probe_step_bound: contract.probe_step_bound,
    };
    let value = serde_json::to_value(&brief).map_err(|_| unwritten())?;
    secrets::excluded_from_brief(&value)?;
    Ok(Document { artifact: brief, value })
}

/// Row 30: evidence that no words tell apart.
pub(crate) fn step_references(plan: &Plan<'_>) -> Result<(), StructuralFailure> {
    let mut references = References::of(plan);
    for oracle in &plan.contract().oracles {
        if let Some(direction) = &oracle.direction {
            references.check(direction).map_err(|untold| untold.of(&oracle.id))?;
        }
    }
    Ok(())
}

/// A brief that cannot be written, which no contract leads to.
fn unwritten() -> RuntimeFault {
    RuntimeFault::new(RuntimeCode::NonCanonicalizableValue, "SealedEvaluatorBrief", "cannot be written as JSON")
}

/// The digest of the canonical form of the whole contract.
fn contract_digest(document: &Document<EvalContract>) -> Result<DigestText, RuntimeFault> {
    let digest = sdp_canon::canonical::digest(&document.value)
        .map_err(|fault| RuntimeFault::new(RuntimeCode::NonCanonicalizableValue, "EvalContract", fault.to_string()))?;
    DigestText::new(format!("sha256:{digest}")).ok_or_else(unwritten)
}

/// The directions, sorted by oracle.
fn directions(contract: &EvalContract) -> Result<Vec<BriefDirection>, SealFault> {
    let plan = Plan::of(contract);
    let mut references = References::of(&plan);
    let mut seen = HashSet::new();
    let mut left = MOST_OF_ALL;
    let mut directions = Vec::with_capacity(contract.oracles.len());
    for (index, oracle) in contract.oracles.iter().enumerate() {
        if !seen.insert(&oracle.id) {
            return Err(StructuralFailure::new(
                FailureCode::DirectionCheckMisaligned,
                format!("EvalContract.oracles[{index}].id"),
                format!(
                    "repeats oracle id \"{}\", so which direction belongs to which check is ambiguous (AD-3)",
                    oracle.id
                ),
            )
            .into());
        }
        let direction = oracle.direction.as_ref().ok_or_else(|| omitted(oracle, "direction"))?;
        let evidence = references.evidence(direction).map_err(|untold| untold.of(&oracle.id))?;
        let text = prose::text(direction, &evidence);
        left = left.checked_sub(text.len()).ok_or_else(|| {
            let detail = format!("the directions take more than {MOST_OF_ALL} bytes");
            RuntimeFault::new(RuntimeCode::BudgetExhausted, "SealedEvaluatorBrief.directions", detail)
        })?;
        let text = NonEmpty::new(text).ok_or_else(unwritten)?;
        directions.push(BriefDirection { oracle_id: oracle.id.clone(), text });
    }
    directions.sort_by(|left, right| left.oracle_id.cmp(&right.oracle_id));
    Ok(directions)
}

/// The interfaces by name alone, sorted.
fn interfaces(contract: &EvalContract) -> Result<Vec<BriefInterface>, StructuralFailure> {
    let mut sorted = BTreeMap::new();
    for (index, interface) in contract.permitted_interfaces.iter().enumerate() {
        let kind = match interface {
            PermittedInterface::Api(_) => InterfaceKind::Api,
            PermittedInterface::Web(_) => InterfaceKind::Web,
            PermittedInterface::Mcp(_) => InterfaceKind::Mcp,
            PermittedInterface::Cli(_) => InterfaceKind::Cli,
        };
        let logical_id = interface.logical_id();
        if sorted.insert(logical_id, kind).is_some() {
            return Err(StructuralFailure::new(
                FailureCode::DuplicateOperationSignature,
                format!("EvalContract.permittedInterfaces[{index}].logicalId"),
                format!("repeats logicalId \"{logical_id}\", which the brief could then name ambiguously (AD-35)"),
            ));
        }
    }
    Ok(sorted.into_iter().map(|(logical_id, kind)| BriefInterface { logical_id: logical_id.clone(), kind }).collect())
}

/// The scoped resources, sorted by reference.
fn resources(contract: &EvalContract) -> Result<Vec<ScopedResource>, StructuralFailure> {
    let mut seen = BTreeSet::new();
    let mut sorted: Vec<ScopedResource> = Vec::new();
    for (index, resource) in contract.scoped_resources.iter().flatten().enumerate() {
        if !seen.insert(&resource.reference) {
            return Err(StructuralFailure::new(
                FailureCode::ScopedReferenceResolvesForbidden,
                format!("EvalContract.scopedResources[{index}].reference"),
                format!("repeats scoped resource reference \"{}\" (AD-16)", resource.reference),
            ));
        }
        sorted.push(resource.clone());
    }
    sorted.sort_by(|left, right| sdp_canon::order::by_code_units(left.reference.as_str(), right.reference.as_str()));
    Ok(sorted)
}

/// Refuses a direction that enumerates more probe steps than the contract permits. Directions are never added up.
fn scripting_audit(contract: &EvalContract, directions: &[BriefDirection]) -> Result<(), StructuralFailure> {
    let Some(bound) = contract.probe_step_bound else { return Ok(()) };
    for direction in directions {
        let markers = audit::step_markers(direction.text.as_str());
        if usize::try_from(bound.get()).is_ok_and(|bound| markers > bound) {
            return Err(StructuralFailure::new(
                FailureCode::BriefExceedsScriptingBound,
                format!("SealedEvaluatorBrief.directions[oracleId={}].text", direction.oracle_id),
                format!("{markers} enumerated-probe-step marker(s) exceed the declared bound of {}", bound.get()),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
