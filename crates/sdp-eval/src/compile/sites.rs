//! Where the parts of a contract stand, as failures spell it. A contract comes in; its check expressions and its operations go
//! out, in the author's order, each with its path.

use crate::contract::{
    Criterion, EvalContract, Expression, Operation, Oracle, PermittedInterface, Rubric, SensitivityWitness,
};

/// The path of an oracle's check.
pub(super) fn check(oracle: &Oracle) -> String {
    format!("EvalContract.oracles[id={}].check", oracle.id)
}

/// The path of an operation by names.
pub(super) fn operation(interface: &PermittedInterface, operation: Operation<'_>) -> String {
    format!(
        "EvalContract.permittedInterfaces[logicalId={}].operations[operationId={}]",
        interface.logical_id(),
        operation.operation_id()
    )
}

/// The path of a criterion's evidence.
pub(super) fn evidence(rubric: &Rubric, criterion: &Criterion) -> String {
    format!("EvalContract.rubrics[id={}].criteria[id={}].evidence", rubric.id, criterion.id)
}

/// The checks of the oracles.
pub(super) fn checks(contract: &EvalContract) -> impl Iterator<Item = (String, &Expression)> {
    contract.oracles.iter().filter_map(|oracle| Some((check(oracle), oracle.check.as_ref()?)))
}

/// The operations with the interfaces that have them.
pub(super) fn operations(contract: &EvalContract) -> impl Iterator<Item = (&PermittedInterface, Operation<'_>)> {
    contract
        .permitted_interfaces
        .iter()
        .flat_map(|interface| interface.operations().map(move |operation| (interface, operation)))
}

/// The witnesses with the operations that have them, and the path of the relation.
pub(super) fn witnesses(contract: &EvalContract) -> impl Iterator<Item = (String, Operation<'_>, &SensitivityWitness)> {
    operations(contract).filter_map(|(interface, of)| {
        let witness = of.witness()?;
        Some((format!("{}.sensitivityWitness.relation", operation(interface, of)), of, witness))
    })
}
