//! The interaction plan and the permitted interfaces by name. A contract comes in; steps, operations and the evidence that a
//! pointer can reach go out.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::contract::{EvalContract, Operation, Step};

/// Steps and operations of a contract by name.
#[derive(Debug)]
pub struct Plan<'c> {
    contract: &'c EvalContract,
    /// Nothing stands where two steps have one name: such a name resolves to neither.
    steps: HashMap<&'c str, Option<Planned<'c>>>,
    /// By interface and then by operation, so that a long name is hashed as often as it is written.
    operations: HashMap<&'c str, HashMap<&'c str, Operation<'c>>>,
}

/// A step and the operation that it calls, where one is declared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planned<'c> {
    /// The step.
    pub(crate) step: &'c Step,
    /// Where it stands in the plan.
    pub(crate) position: usize,
    /// The operation.
    pub(crate) operation: Option<Operation<'c>>,
}

impl<'c> Plan<'c> {
    /// The plan of a contract.
    #[must_use]
    pub fn of(contract: &'c EvalContract) -> Self {
        let mut operations: HashMap<&str, HashMap<&str, Operation<'_>>> = HashMap::new();
        for interface in &contract.permitted_interfaces {
            let of_interface = operations.entry(interface.logical_id().as_str()).or_default();
            for operation in interface.operations() {
                of_interface.entry(operation.operation_id().as_str()).or_insert(operation);
            }
        }
        let mut steps = HashMap::with_capacity(contract.interaction_plan.len());
        for (position, step) in contract.interaction_plan.iter().enumerate() {
            match steps.entry(step.step_id.as_str()) {
                Entry::Vacant(free) => {
                    let of_interface = operations.get(step.interface_id.as_str());
                    let operation = of_interface.and_then(|of| of.get(step.operation_id.as_str())).copied();
                    free.insert(Some(Planned { step, position, operation }));
                }
                Entry::Occupied(mut taken) => {
                    taken.insert(None);
                }
            }
        }
        Self { contract, steps, operations }
    }

    /// The contract.
    #[must_use]
    pub const fn contract(&self) -> &'c EvalContract {
        self.contract
    }

    /// The step of a name that exactly one step has.
    #[must_use]
    pub fn step(&self, step_id: &str) -> Option<&'c Step> {
        self.planned(step_id).map(|planned| planned.step)
    }

    /// The step of a name that exactly one step has, with its place and its operation.
    pub(crate) fn planned(&self, step_id: &str) -> Option<Planned<'c>> {
        self.steps.get(step_id).copied().flatten()
    }

    /// Whether more than one step has a name.
    pub(crate) fn is_ambiguous(&self, step_id: &str) -> bool {
        matches!(self.steps.get(step_id), Some(None))
    }

    /// The operation of an interface; the first one where a name stands twice.
    #[must_use]
    pub fn operation(&self, interface_id: &str, operation_id: &str) -> Option<Operation<'c>> {
        self.operations.get(interface_id)?.get(operation_id).copied()
    }

    /// The operation that a step calls.
    #[must_use]
    pub fn operation_of(&self, step: &Step) -> Option<Operation<'c>> {
        self.operation(step.interface_id.as_str(), step.operation_id.as_str())
    }
}
