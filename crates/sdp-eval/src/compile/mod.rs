//! Compiling: rows 1 to 32 of the compile table (evaluation sheet, part 3) in their order, of which the first violation is told;
//! row 0, the version, is checked where the document is read. A contract comes in; nothing, or one structural failure with its
//! code, its path and what is wrong, goes out. The contract itself is never changed.

use crate::contract::EvalContract;
use crate::fault::StructuralFailure;
use crate::plan::Plan;

mod bindings;
mod components;
mod declarations;
mod evidence;
mod expressions;
mod gaps;
pub(crate) mod oracles;
mod rubrics;
pub(crate) mod secrets;
mod sites;
mod steps;
#[cfg(test)]
mod tests;
mod witness;

pub use gaps::{Gap, Gaps, gaps};

/// What a check finds.
pub(crate) type Checked = Result<(), StructuralFailure>;

/// How strictly a contract is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompileOptions {
    /// Whether every input that a step binds, and a witness of every operation with inputs, must be declared.
    pub strict_inputs: bool,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self { strict_inputs: true }
    }
}

/// Compiles a contract.
///
/// # Errors
///
/// The first violation in the order of the checks. One whose words would repeat what is shaped like a secret gives way to the check
/// for such values, or tells its words no more where only a key has that shape.
#[sdp::satisfies("spec:sdp.eval.compile", component = "component:sdp.eval")]
pub fn compile(contract: &EvalContract, options: CompileOptions) -> Result<(), StructuralFailure> {
    checked(contract, options).map_err(|failure| secrets::withheld(contract, failure))
}

/// The checks in their order.
fn checked(contract: &EvalContract, options: CompileOptions) -> Checked {
    let plan = &Plan::of(contract);
    declarations::requirement_linkage(contract)?; // 1
    declarations::success_criterion(contract)?; // 2
    evidence::artifact_references(plan)?; // 3
    evidence::oracle_evidence(plan)?; // 4
    bindings::captured_reachability(plan)?; // 5
    expressions::bound_element_scope(contract)?; // 6
    expressions::operand_legality(plan)?; // 7
    expressions::regex_constructs(contract)?; // 8
    evidence::quantified_collections(plan)?; // 9
    expressions::quantifier_nesting(contract)?; // 10
    expressions::reference_sets(contract)?; // 11
    declarations::operation_signatures(contract)?; // 12
    if options.strict_inputs {
        steps::declared_inputs(plan)?; // 13
        witness::declared(contract)?; // 14
    }
    oracles::channels(contract)?; // 15
    oracles::alignment(contract)?; // 16
    declarations::interface_kinds(contract)?; // 17
    steps::temporal_nesting(plan)?; // 18
    steps::scripting_bound(plan)?; // 19
    bindings::cycles(plan)?; // 20
    bindings::captured_channels(plan)?; // 21
    rubrics::identifiers(contract)?; // 22
    rubrics::reasoning_prose(contract)?; // 23
    rubrics::anchoring(contract)?; // 24
    evidence::rubric_evidence(plan)?; // 25
    declarations::forbidden_inputs(contract)?; // 26
    secrets::excluded_content(contract)?; // 27
    declarations::scoped_references(contract)?; // 28
    declarations::waivers(contract)?; // 29
    crate::seal::step_references(plan)?; // 30
    witness::leg_identifiers(contract)?; // 31
    witness::legality(plan)?; // 32
    Ok(())
}
