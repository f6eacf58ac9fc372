//! What a contract lets stand though no check of the table refuses it. A contract that compiles comes in; what nobody judges in it
//! goes out, each with its path. Recorded contracts have such gaps, so that they are told and never refused.

use std::collections::HashSet;
use std::fmt::Arguments;

use super::secrets::told;
use crate::contract::{BindingValue, Bindings, EvalContract, InputChannel, Operation, Step, TypeName};
use crate::plan::Plan;

/// Something in a contract that compiling passes and that evaluates nothing, or less than it seems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Where, as failures spell it.
    pub path: String,
    /// What is missing.
    pub detail: String,
}

/// How many gaps of one contract are told one by one. Each repeats a name, however long, so that all of them could be far larger
/// than their contract.
const MOST: usize = 20;

/// The gaps of one contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// The first ones.
    pub told: Vec<Gap>,
    /// How many more there are.
    pub more: usize,
}

impl Gaps {
    /// Adds one. Its words may hold keys that no check has looked at.
    fn add(&mut self, path: Arguments<'_>, detail: Arguments<'_>) {
        if self.told.len() == MOST {
            self.more += 1;
        } else {
            self.told.push(Gap { path: format!("EvalContract.{path}"), detail: told(detail.to_string()) });
        }
    }
}

/// The gaps of a contract: behaviors first, then oracles, interfaces, siblings and the plan, in the author's order.
#[must_use]
#[sdp::satisfies("spec:sdp.eval.compile", component = "component:sdp.eval")]
pub fn gaps(contract: &EvalContract) -> Gaps {
    let mut found = Gaps::default();
    behaviors_and_oracles(contract, &mut found);
    operations(contract, &mut found);
    let plan = Plan::of(contract);
    siblings(&plan, &mut found);
    steps(&plan, &mut found);
    found
}

/// Behaviors that nothing checks, and oracles that check nothing.
fn behaviors_and_oracles(contract: &EvalContract, found: &mut Gaps) {
    let declared: HashSet<_> = contract.oracles.iter().map(|oracle| &oracle.id).collect();
    let mut behaviors = HashSet::new();
    let mut listed = HashSet::new();
    for behavior in &*contract.behaviors {
        let id = &behavior.id;
        if !behaviors.insert(id) {
            found.add(format_args!("behaviors[id={id}]"), format_args!("is declared more than once"));
        }
        if behavior.oracles.is_empty() {
            let detail = format_args!("lists no oracle, so that nothing checks the behavior");
            found.add(format_args!("behaviors[id={id}].oracles"), detail);
        }
        for (index, oracle) in behavior.oracles.iter().enumerate() {
            if !declared.contains(oracle) {
                let detail = format_args!("names oracle \"{oracle}\", which is not declared");
                found.add(format_args!("behaviors[id={id}].oracles[{index}]"), detail);
            }
            listed.insert(oracle);
        }
    }
    let mut seen = HashSet::new();
    for oracle in &contract.oracles {
        let id = &oracle.id;
        if !seen.insert(id) {
            let detail = format_args!("is declared more than once, which sealing refuses");
            found.add(format_args!("oracles[id={id}]"), detail);
        } else if !listed.contains(id) {
            found.add(format_args!("oracles[id={id}]"), format_args!("is listed by no behavior"));
        }
    }
}

/// Operations that are declared twice, and declarations within one that do not fit together.
fn operations(contract: &EvalContract, found: &mut Gaps) {
    let mut interfaces = HashSet::new();
    for (at, interface) in contract.permitted_interfaces.iter().enumerate() {
        let id = interface.logical_id();
        if !interfaces.insert(id) {
            found.add(format_args!("permittedInterfaces[{at}]"), format_args!("declares interface \"{id}\" once more"));
        }
        let mut named = HashSet::new();
        for (index, operation) in interface.operations().enumerate() {
            let path = format!("permittedInterfaces[{at}].operations[{index}]");
            let id = operation.operation_id();
            if !named.insert(id) {
                let detail = format_args!("declares operation \"{id}\" once more; the first one counts");
                found.add(format_args!("{path}"), detail);
            }
            declarations(operation, &path, found);
        }
    }
}

/// Declarations of an operation that do not fit together.
fn declarations(operation: Operation<'_>, path: &str, found: &mut Gaps) {
    if let Operation::Http(http) = operation {
        let shape = &http.request_shape.path;
        let parameters: HashSet<&str> = parameters(http.path_template.as_str()).collect();
        if let Some(name) = parameters.iter().filter(|name| !shape.declares(name)).min() {
            let detail = format_args!("has parameter \"{name}\", which requestShape.path does not declare");
            found.add(format_args!("{path}.pathTemplate"), detail);
        }
        let keys = shape.required_keys.into_iter().chain(&shape.permitted_keys);
        for key in keys.filter(|key| !parameters.contains(key.as_str())) {
            let detail = format_args!("declares \"{key}\", which pathTemplate does not have");
            found.add(format_args!("{path}.requestShape.path"), detail);
        }
    }
    for (channel, shape) in operation.request_shapes() {
        for key in shape.types.keys().filter(|key| !shape.declares(key.as_str())) {
            undeclared(key.as_str(), format_args!("{path}.requestShape.{}.types", channel.as_str()), found);
        }
    }
    let descriptor = operation.descriptor();
    for key in descriptor.types.keys().filter(|key| !descriptor.declares(key.as_str())) {
        undeclared(key.as_str(), format_args!("{path}.responseDescriptor.types"), found);
    }
    let indicator = descriptor.success_indicator.as_ref().and_then(|pointer| pointer.tokens().into_iter().next());
    if let Some(key) = indicator.filter(|key| !descriptor.declares(key)) {
        undeclared(&key, format_args!("{path}.responseDescriptor.successIndicator"), found);
    }
}

/// A key that is named and not declared.
fn undeclared(key: &str, path: Arguments<'_>, found: &mut Gaps) {
    found.add(path, format_args!("names \"{key}\", which neither requiredKeys nor permittedKeys declare"));
}

/// The parameters of a path template, such as `id` of `/notes/{id}`.
fn parameters(template: &str) -> impl Iterator<Item = &str> {
    template.split('{').skip(1).filter_map(|rest| rest.split('}').next())
}

/// Siblings that are not declared.
fn siblings(plan: &Plan<'_>, found: &mut Gaps) {
    let groups = plan.contract().sibling_groups.iter().flat_map(|groups| &groups.operations);
    for (group, members) in groups.enumerate() {
        for (index, member) in members.iter().enumerate() {
            let (interface, operation) = (&member.interface_id, &member.operation_id);
            if plan.operation(interface.as_str(), operation.as_str()).is_none() {
                let detail =
                    format_args!("names operation \"{operation}\" of interface \"{interface}\", which is not declared");
                found.add(format_args!("siblingGroups.operations[{group}][{index}]"), detail);
            }
        }
    }
}

/// Steps that call nothing or come after nothing, and inputs that do not fit.
fn steps(plan: &Plan<'_>, found: &mut Gaps) {
    let steps = &plan.contract().interaction_plan;
    let declared: HashSet<_> = steps.iter().map(|step| &step.step_id).collect();
    for step in steps {
        let id = &step.step_id;
        match plan.operation_of(step) {
            Some(operation) => bindings(step, operation, found),
            None => {
                let (interface, operation) = (&step.interface_id, &step.operation_id);
                let detail =
                    format_args!("calls operation \"{operation}\" of interface \"{interface}\", which is not declared");
                found.add(format_args!("interactionPlan[stepId={id}]"), detail);
            }
        }
        if let Some(after) = step.after.as_ref().filter(|after| !declared.contains(after)) {
            let detail = format_args!("names step \"{after}\", which is not declared");
            found.add(format_args!("interactionPlan[stepId={id}].after"), detail);
        }
    }
}

/// Required keys that a step does not bind, and literals of another type than is declared.
fn bindings(step: &Step, operation: Operation<'_>, found: &mut Gaps) {
    let (id, bound) = (&step.step_id, step.input_binding.channels());
    for (channel, shape) in operation.request_shapes() {
        if channel == InputChannel::Body && step.input_binding.raw_body().is_some() {
            continue;
        }
        let keys = bound.iter().find_map(|(of, keys)| (*of == channel).then_some(*keys));
        let channel = channel.as_str();
        for key in &shape.required_keys {
            if keys.and_then(|keys| keys.get(key.as_str())).is_none() {
                let of = operation.operation_id();
                found.add(
                    format_args!("interactionPlan[stepId={id}].inputBinding.{channel}"),
                    format_args!("binds no \"{key}\", which operation \"{of}\" requires"),
                );
            }
        }
        for (key, value) in keys.into_iter().flat_map(Bindings::sorted) {
            let BindingValue::Literal(value) = value else { continue };
            let Some(Some(declared)) = shape.types.get(key) else { continue };
            let of = TypeName::of(value);
            if of != *declared {
                found.add(
                    format_args!("interactionPlan[stepId={id}].inputBinding.{channel}"),
                    format_args!(
                        "binds \"{key}\" to the type \"{of}\", where \"{declared}\" is declared; the matcher type-violating does \
                         that on purpose"
                    ),
                );
            }
        }
    }
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
        let Gaps { told, more } = gaps(&contract);
        assert_eq!(more, 0);
        told.into_iter().map(|Gap { path, detail }| (path, detail)).collect()
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
    fn no_key_is_told_that_is_shaped_like_a_secret() {
        let key = format!("sk-{}", "0123456789abcdefgh");
        let types = format!("/permittedInterfaces/0/operations/0/responseDescriptor/types/{key}");
        let told = told(&set(contract(), &types, json!("string")));
        let [(path, detail)] = told.as_slice() else { panic!("{told:?}") };
        assert_eq!(path, "EvalContract.permittedInterfaces[0].operations[0].responseDescriptor.types");
        assert_eq!(detail, "not told, since it would repeat what is shaped like tokens (AD-18)");
    }

    #[test]
    fn declarations_that_do_not_fit_together_are_told() {
        let operation = "/permittedInterfaces/0/operations/0";
        let at = "EvalContract.permittedInterfaces[0].operations[0]";
        let base = contract();
        let create = json!({ "interfaceId": "nowhere", "operationId": "nothing" });
        let step = &base["interactionPlan"][0];
        let sibling = json!({ "interfaceId": step["interfaceId"], "operationId": step["operationId"] });
        for (pointer, value, path, detail) in [
            (
                "/behaviors/-",
                base["behaviors"][0].clone(),
                "EvalContract.behaviors[id=B-001]".to_owned(),
                "is declared more than once",
            ),
            (
                "/siblingGroups",
                json!({ "operations": [[sibling, create]], "parameters": [] }),
                "EvalContract.siblingGroups.operations[0][1]".to_owned(),
                "names operation \"nothing\" of interface \"nowhere\", which is not declared",
            ),
            (
                &format!("{operation}/pathTemplate"),
                json!("/notes/{other}"),
                format!("{at}.pathTemplate"),
                "has parameter \"other\", which requestShape.path does not declare",
            ),
            (
                &format!("{operation}/requestShape/path"),
                json!({ "requiredKeys": [], "permittedKeys": ["other"], "types": {} }),
                format!("{at}.requestShape.path"),
                "declares \"other\", which pathTemplate does not have",
            ),
            (
                &format!("{operation}/requestShape/query/types/other"),
                json!("string"),
                format!("{at}.requestShape.query.types"),
                "names \"other\", which neither requiredKeys nor permittedKeys declare",
            ),
            (
                &format!("{operation}/responseDescriptor/types/other"),
                json!("string"),
                format!("{at}.responseDescriptor.types"),
                "names \"other\", which neither requiredKeys nor permittedKeys declare",
            ),
            (
                &format!("{operation}/responseDescriptor/successIndicator"),
                json!("/other"),
                format!("{at}.responseDescriptor.successIndicator"),
                "names \"other\", which neither requiredKeys nor permittedKeys declare",
            ),
        ] {
            let told = told(&set(base.clone(), pointer, value));
            assert!(told.contains(&(path, detail.to_owned())), "{pointer}: {told:?}");
        }
    }

    #[test]
    fn inputs_that_a_step_leaves_out_or_gives_in_another_type_are_told() {
        let base = contract();
        let step = base["interactionPlan"][0]["stepId"].as_str().unwrap();
        let operation = base["interactionPlan"][0]["operationId"].as_str().unwrap();
        let at = format!("EvalContract.interactionPlan[stepId={step}].inputBinding.query");
        let shape = "/permittedInterfaces/0/operations/0/requestShape/query";
        let required =
            set(base.clone(), shape, json!({ "requiredKeys": ["q"], "permittedKeys": [], "types": { "q": "number" } }));
        let witness = set(
            required,
            "/permittedInterfaces/0/operations/0/sensitivityWitness/legs/0/inputs/query",
            json!({ "q": 1 }),
        );
        let required = set(
            witness,
            "/permittedInterfaces/0/operations/0/sensitivityWitness/legs/1/inputs/query",
            json!({ "q": 1 }),
        );
        let missing = (at.clone(), format!("binds no \"q\", which operation \"{operation}\" requires"));
        assert!(told(&required).contains(&missing), "{:?}", told(&required));
        for (value, is_told) in [(json!("1"), true), (json!(1), false), (Value::Null, true)] {
            let bound =
                set(required.clone(), "/interactionPlan/0/inputBinding/query", json!({ "q": { "literal": value } }));
            let wrong =
                |(path, detail): &(String, String)| *path == at && detail.starts_with("binds \"q\" to the type ");
            assert_eq!(told(&bound).iter().any(wrong), is_told, "{value}");
            assert!(!told(&bound).contains(&missing));
        }
        let violating =
            set(required, "/interactionPlan/0/inputBinding/query", json!({ "q": { "matcher": "type-violating" } }));
        assert!(told(&violating).iter().all(|(path, _)| *path != at), "{:?}", told(&violating));
    }

    #[test]
    fn gaps_take_no_more_room_than_their_contract() {
        let id = format!("B-{}", "1".repeat(100_000));
        let base = set(contract(), "/behaviors/0/id", json!(id));
        let Gaps { told, more } = gaps(&typed(&set(base, "/behaviors/0/oracles", json!(vec!["O-999"; 5_000]))));
        assert_eq!(told.len(), MOST);
        assert!(more >= 5_000 - MOST, "{more}");
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
