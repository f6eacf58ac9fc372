//! What a contract lets stand though no check of the table refuses it. A contract that compiles comes in; what nobody judges in it
//! goes out, each with its path. Recorded contracts have such gaps, so that they are told and never refused.

use std::collections::HashSet;

use crate::contract::EvalContract;
use crate::plan::Plan;

/// Something in a contract that compiling passes and that evaluates nothing, or less than it seems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Where, as failures spell it.
    pub path: String,
    /// What is missing.
    pub detail: String,
}

/// The gaps of a contract: behaviors first, then oracles, then the plan, in the author's order.
#[must_use]
#[sdp::satisfies("spec:sdp.eval.compile", component = "component:sdp.eval")]
pub fn gaps(contract: &EvalContract) -> Vec<Gap> {
    let mut found = Vec::new();
    let mut gap = |path: String, detail: String| found.push(Gap { path: format!("EvalContract.{path}"), detail });
    let declared: HashSet<_> = contract.oracles.iter().map(|oracle| &oracle.id).collect();
    let mut listed = HashSet::new();
    for behavior in &*contract.behaviors {
        let path = format!("behaviors[id={}].oracles", behavior.id);
        if behavior.oracles.is_empty() {
            gap(path.clone(), "lists no oracle, so that nothing checks the behavior".to_owned());
        }
        for (index, oracle) in behavior.oracles.iter().enumerate() {
            if !declared.contains(oracle) {
                gap(format!("{path}[{index}]"), format!("names oracle \"{oracle}\", which is not declared"));
            }
            listed.insert(oracle);
        }
    }
    let mut seen = HashSet::new();
    for oracle in &contract.oracles {
        let path = format!("oracles[id={}]", oracle.id);
        if !seen.insert(&oracle.id) {
            gap(path, "is declared more than once, which sealing refuses".to_owned());
        } else if !listed.contains(&oracle.id) {
            gap(path, "is listed by no behavior".to_owned());
        }
    }
    let plan = Plan::of(contract);
    let steps: HashSet<_> = contract.interaction_plan.iter().map(|step| &step.step_id).collect();
    for step in &contract.interaction_plan {
        let path = format!("interactionPlan[stepId={}]", step.step_id);
        if plan.operation_of(step).is_none() {
            let detail = format!(
                "calls operation \"{}\" of interface \"{}\", which is not declared",
                step.operation_id, step.interface_id
            );
            gap(path.clone(), detail);
        }
        if let Some(after) = step.after.as_ref().filter(|after| !steps.contains(after)) {
            gap(format!("{path}.after"), format!("names step \"{after}\", which is not declared"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::compile::{CompileOptions, compile};
    use crate::testing::{contract, set, typed};

    fn told(base: &Value) -> Vec<(String, String)> {
        let contract = typed(base);
        assert_eq!(compile(&contract, CompileOptions::default()), Ok(()));
        gaps(&contract).into_iter().map(|Gap { path, detail }| (path, detail)).collect()
    }

    #[test]
    fn what_no_check_judges_is_told_with_its_place() {
        assert_eq!(told(&contract()), []);
        let first = contract()["oracles"][0].clone();
        for (pointer, value, path, detail) in [
            (
                "/behaviors/0/oracles",
                json!([]),
                "EvalContract.behaviors[id=B-001].oracles",
                "lists no oracle, so that nothing checks the behavior",
            ),
            (
                "/behaviors/0/oracles/-",
                json!("O-999"),
                "EvalContract.behaviors[id=B-001].oracles[2]",
                "names oracle \"O-999\", which is not declared",
            ),
            (
                "/oracles/-",
                first.clone(),
                "EvalContract.oracles[id=O-001]",
                "is declared more than once, which sealing refuses",
            ),
            (
                "/oracles/-",
                set(first, "/id", json!("O-999")),
                "EvalContract.oracles[id=O-999]",
                "is listed by no behavior",
            ),
            (
                "/interactionPlan/1/after",
                json!("nowhere"),
                "EvalContract.interactionPlan[stepId=read-back].after",
                "names step \"nowhere\", which is not declared",
            ),
        ] {
            let told = told(&set(contract(), pointer, value));
            assert!(told.contains(&(path.to_owned(), detail.to_owned())), "{told:?}");
        }
    }

    #[test]
    fn a_step_that_calls_nothing_is_told() {
        let stray = json!({
            "stepId": "stray", "interfaceId": "nowhere", "operationId": "nothing",
            "inputBinding": { "path": null, "query": null, "header": null, "body": null },
            "after": null, "cardinality": "exactly-one"
        });
        let at = "EvalContract.interactionPlan[stepId=stray]".to_owned();
        let detail = "calls operation \"nothing\" of interface \"nowhere\", which is not declared".to_owned();
        assert_eq!(told(&set(contract(), "/interactionPlan/-", stray)), [(at, detail)]);
    }
}
