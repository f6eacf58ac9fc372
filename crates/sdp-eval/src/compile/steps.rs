//! The interaction plan as a graph of steps, and what its steps bind: rows 13, 18 and 19. A plan comes in; nothing, or the first
//! undeclared input or broken bound, goes out.

use std::collections::HashMap;

use super::Checked;
use crate::contract::{BindingValue, Step};
use crate::fault::{FailureCode, StructuralFailure};
use crate::plan::Plan;

/// Row 13: a step binds what its operation declares, and acts as a declared principal. A step without an operation is left to the
/// checks that need one.
pub(crate) fn declared_inputs(plan: &Plan<'_>) -> Checked {
    let principals = plan.contract().test_data.principals.as_ref();
    let undeclared =
        |path: String, detail: String| Err(StructuralFailure::new(FailureCode::UndeclaredMandatoryInput, path, detail));
    for step in &plan.contract().interaction_plan {
        let Some(operation) = plan.operation_of(step) else { continue };
        let id = operation.operation_id();
        let at =
            |channel: &str| format!("EvalContract.interactionPlan[stepId={}].inputBinding.{channel}", step.step_id);
        for (channel, bindings) in step.input_binding.channels() {
            let shape = operation.request_shape(channel);
            for (key, value) in bindings.sorted() {
                let path = || format!("{}[{}]", at(channel.as_str()), serde_json::Value::from(key.as_str()));
                if !shape.is_some_and(|shape| shape.declares(key.as_str())) {
                    return undeclared(
                        path(),
                        format!(
                            "operation \"{id}\" declares \"{key}\" in neither requiredKeys nor permittedKeys of its {channel} \
                             channel (AD-4)"
                        ),
                    );
                }
                if let BindingValue::Principal(name) = value
                    && !principals.is_some_and(|principals| principals.contains_key(name))
                {
                    return undeclared(
                        path(),
                        format!(
                            "binds the principal \"{name}\", which testData.principals does not declare (AD-4, AD-19)"
                        ),
                    );
                }
            }
        }
        let body = crate::contract::InputChannel::Body;
        if step.input_binding.raw_body().is_some() && operation.request_shape(body).is_none() {
            return undeclared(
                at(body.as_str()),
                format!(
                    "operation \"{id}\" takes no input on a {body} channel, which the step binds as raw bytes (AD-4)"
                ),
            );
        }
    }
    Ok(())
}

/// The step that a step comes after, where exactly one has its name.
fn anchor<'c>(plan: &Plan<'c>, step: &Step) -> Option<&'c Step> {
    plan.step(step.after.as_ref()?.as_str())
}

/// Row 18: no step comes after a step that itself comes after one.
pub(crate) fn temporal_nesting(plan: &Plan<'_>) -> Checked {
    for step in &plan.contract().interaction_plan {
        let Some(before) = anchor(plan, step).filter(|before| anchor(plan, before).is_some()) else { continue };
        return Err(StructuralFailure::new(
            FailureCode::NestedTemporalClause,
            format!("EvalContract.interactionPlan[stepId={}].after", step.step_id),
            format!(
                "names step \"{}\", which itself carries a temporal clause; a chain may not nest more than one level (AD-39)",
                before.step_id
            ),
        ));
    }
    Ok(())
}

/// The most steps that come after one step.
const MOST_CHILDREN: usize = 2;
/// The most steps that two or more come after.
const MOST_FORKS: usize = 2;
/// The most groups of exactly two steps that nothing ties to the others.
const MOST_PAIRS: usize = 4;
/// The most steps.
const MOST_STEPS: usize = 16;

/// Row 19: the plan is a bounded set of relations and no script.
///
/// The first of its bounds, that chains do not nest, is row 18, which stands before. So a step has an anchor or is one, and a
/// group of exactly two steps is an anchor with one step after it.
pub(crate) fn scripting_bound(plan: &Plan<'_>) -> Checked {
    let exceeded = |what: String| {
        Err(StructuralFailure::new(
            FailureCode::PlanExceedsScriptingBound,
            "EvalContract.interactionPlan",
            format!("{what} rather than a bounded set of witness relations (AD-5, AD-39)"),
        ))
    };
    let steps = &plan.contract().interaction_plan;
    let mut children: HashMap<&str, usize> = HashMap::new();
    for before in steps.iter().filter_map(|step| anchor(plan, step)) {
        *children.entry(before.step_id.as_str()).or_default() += 1;
    }
    // By the plan's order, so that the first step is told. A name that stands twice anchors nothing.
    let counts = || steps.iter().filter_map(|step| Some((step, *children.get(step.step_id.as_str())?)));
    if let Some((step, count)) = counts().find(|(_, count)| *count > MOST_CHILDREN) {
        return exceeded(format!(
            "step \"{}\" anchors {count} steps, past the published bound of {MOST_CHILDREN}: a branching script",
            step.step_id
        ));
    }
    let forks = counts().filter(|(_, count)| *count > 1).count();
    if forks > MOST_FORKS {
        return exceeded(format!(
            "the plan declares {forks} steps that each anchor two or more, past the published bound of {MOST_FORKS}: a branching \
             script"
        ));
    }
    let pairs = counts().filter(|(_, count)| *count == 1).count();
    if pairs > MOST_PAIRS {
        return exceeded(format!(
            "the plan declares {pairs} pairs of steps, past the published bound of {MOST_PAIRS}: an exhaustive pair inventory"
        ));
    }
    if steps.len() > MOST_STEPS {
        return exceeded(format!(
            "the plan declares {} steps, past the published bound of {MOST_STEPS}: an exhaustive operation inventory",
            steps.len()
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::compile::{CompileOptions, compile};
    use crate::testing::{changed, cli_contract, compiles, contract, is, mcp_contract, refused, set};

    #[test]
    fn a_step_binds_what_its_operation_declares() {
        let binding = "/interactionPlan/0/inputBinding";
        is(
            refused(contract(), &format!("{binding}/body/a\"b"), json!({ "literal": 1 })),
            "undeclared-mandatory-input",
            "EvalContract.interactionPlan[stepId=file].inputBinding.body[\"a\\\"b\"]",
            "operation \"file-ticket\" declares \"a\"b\" in neither requiredKeys nor permittedKeys of its body channel (AD-4)",
        );
        compiles(contract(), &format!("{binding}/body/urgent"), json!({ "matcher": "any" }));
    }

    #[test]
    fn an_undeclared_input_is_told_where_inputs_are_strict_only() {
        let loose = changed(contract(), "/interactionPlan/0/inputBinding/body/other", json!({ "literal": 1 }));
        assert!(compile(&loose, CompileOptions { strict_inputs: true }).is_err());
        assert_eq!(compile(&loose, CompileOptions { strict_inputs: false }), Ok(()));
    }

    #[test]
    fn channels_of_another_kind_are_not_declared() {
        let failing = |base: Value, binding: Value| {
            let contract = changed(base, "/interactionPlan/0/inputBinding", binding);
            declared_inputs(&Plan::of(&contract)).map_err(|failure| failure.to_string())
        };
        let argument = json!({ "arguments": { "title": { "literal": 1 } } });
        assert_eq!(
            failing(contract(), argument).unwrap_err(),
            "undeclared-mandatory-input in EvalContract.interactionPlan[stepId=file].inputBinding.arguments[\"title\"]: operation \
             \"file-ticket\" declares \"title\" in neither requiredKeys nor permittedKeys of its arguments channel (AD-4)"
        );
        let raw = json!({ "kind": "raw", "base64": "e30=", "contentType": "application/json" });
        let raw = json!({ "path": null, "query": null, "header": null, "body": raw });
        assert_eq!(failing(contract(), raw.clone()), Ok(()));
        for base in [cli_contract(), mcp_contract()] {
            let failure = failing(base, raw.clone()).unwrap_err();
            assert!(failure.contains(".inputBinding.body: operation") && failure.contains("as raw bytes"), "{failure}");
        }
    }

    #[test]
    fn a_principal_is_declared() {
        let bind = |name: &str| json!({ "principal": name });
        is(
            refused(contract(), "/interactionPlan/1/inputBinding/path/ticketId", bind("stranger")),
            "undeclared-mandatory-input",
            "EvalContract.interactionPlan[stepId=read-back].inputBinding.path[\"ticketId\"]",
            "binds the principal \"stranger\", which testData.principals does not declare (AD-4, AD-19)",
        );
        compiles(contract(), "/interactionPlan/1/inputBinding/path/ticketId", bind("clerk"));
        // Where no principals are declared, none is.
        let none = set(contract(), "/testData/principals", Value::Null);
        let (code, _, detail) = refused(none, "/interactionPlan/1/inputBinding/path/ticketId", bind("clerk"));
        assert_eq!(code, "undeclared-mandatory-input");
        assert!(detail.starts_with("binds the principal \"clerk\", "), "{detail}");
    }

    #[test]
    fn a_chain_does_not_nest() {
        let named = |name: &str| json!(name);
        is(
            refused(contract(), "/interactionPlan/2/after", named("read-back")),
            "nested-temporal-clause",
            "EvalContract.interactionPlan[stepId=file-wrongly].after",
            "names step \"read-back\", which itself carries a temporal clause; a chain may not nest more than one level (AD-39)",
        );
        // A step after itself is a chain, and so is a circle.
        assert_eq!(refused(contract(), "/interactionPlan/0/after", named("file")).0, "nested-temporal-clause");
        assert_eq!(refused(contract(), "/interactionPlan/0/after", named("read-back")).0, "nested-temporal-clause");
        // A name that no step has ties nothing.
        compiles(contract(), "/interactionPlan/0/after", named("nowhere"));
        let twice = set(contract(), "/interactionPlan/2/stepId", named("twin"));
        let twice = set(twice.clone(), "/interactionPlan/-", twice["interactionPlan"][2].clone());
        assert_eq!(temporal_nesting(&Plan::of(&changed(twice, "/interactionPlan/0/after", named("twin")))), Ok(()));
    }

    /// A contract with steps, each named with the one that it comes after.
    fn planned(steps: &[(String, Option<String>)]) -> Value {
        let base = contract();
        let steps = steps.iter().map(|(name, after)| {
            let mut step = base["interactionPlan"][0].clone();
            step["stepId"] = json!(name);
            step["after"] = json!(after);
            step
        });
        let plan: Vec<Value> = base["interactionPlan"].as_array().unwrap().iter().cloned().chain(steps).collect();
        set(base, "/interactionPlan", Value::Array(plan))
    }

    /// Anchors with so many steps after each, and steps alone.
    fn groups(children: &[usize]) -> Vec<(String, Option<String>)> {
        let mut steps = Vec::new();
        for (index, count) in children.iter().enumerate() {
            let name = format!("root-{index}");
            steps.push((name.clone(), None));
            steps.extend((0..*count).map(|child| (format!("child-{index}-{child}"), Some(name.clone()))));
        }
        steps
    }

    #[test]
    fn a_plan_is_no_script() {
        // The plan of the base is a pair and a step alone.
        for (children, detail) in [
            (vec![3], "step \"root-0\" anchors 3 steps, past the published bound of 2: a branching script"),
            (
                vec![2, 2, 2],
                "the plan declares 3 steps that each anchor two or more, past the published bound of 2: a branching script",
            ),
            (
                vec![1; 4],
                "the plan declares 5 pairs of steps, past the published bound of 4: an exhaustive pair inventory",
            ),
            (
                vec![0; 14],
                "the plan declares 17 steps, past the published bound of 16: an exhaustive operation inventory",
            ),
        ] {
            is(
                refused(planned(&groups(&children)), "/revisionCount", json!(0)),
                "plan-exceeds-scripting-bound",
                "EvalContract.interactionPlan",
                &format!("{detail} rather than a bounded set of witness relations (AD-5, AD-39)"),
            );
        }
        for children in [vec![2], vec![2, 2], vec![1; 3], vec![0; 13], vec![2, 2, 1, 1, 0, 0, 0]] {
            let contract = changed(planned(&groups(&children)), "/revisionCount", json!(0));
            let plan = Plan::of(&contract);
            assert_eq!(temporal_nesting(&plan).and_then(|()| scripting_bound(&plan)), Ok(()), "{children:?}");
        }
    }
}
