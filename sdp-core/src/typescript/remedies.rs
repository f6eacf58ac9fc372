//! What an author of TypeScript can do: an expression that was refused comes in, one sentence goes out where something plain
//! keeps it from being what it should be. Carrier and anchors both ask here.

use std::fmt::Write as _;

use oxc_ast::ast::{CallExpression, Expression};

use super::PACKAGE;
use super::builders::{Builder, Builders, IdBuilder};
use super::values::unwrapped;

/// The remedy where a function is called by the name of a builder, and no import makes it one.
#[must_use]
pub(crate) fn of_an_unbound_call(expression: &Expression<'_>, builders: &Builders<'_>) -> Option<String> {
    let Expression::CallExpression(call) = unwrapped(expression) else { return None };
    let Expression::Identifier(name) = &call.callee else { return None };
    let builder = Builder::of(name.name.as_str()).filter(|_| builders.of(&call.callee).is_none())?;
    Some(format!("import it: `import {{ {} }} from \"{PACKAGE}\"`", builder.as_str()))
}

/// The remedy where a call takes an object, with something other than `as` behind it.
#[must_use]
pub(crate) fn of_an_argument(call: &CallExpression<'_>) -> Option<String> {
    let [argument] = call.arguments.as_slice() else { return None };
    let is_typed = matches!(
        unwrapped(argument.as_expression()?),
        Expression::TSSatisfiesExpression(_) | Expression::TSNonNullExpression(_) | Expression::TSTypeAssertion(_)
    );
    is_typed.then(|| "write the object alone: only `as` may stand behind it".to_owned())
}

/// The remedy where a string is no id of its slot, by the namespaces that the slot takes, and by its builder where it has one.
#[must_use]
pub(crate) fn of_an_id(expression: &Expression<'_>, builders: &Builders<'_>, namespaces: &[&str]) -> String {
    let builder = match unwrapped(expression) {
        Expression::CallExpression(call) => builders.of(&call.callee),
        _ => None,
    };
    let taken = |builder: IdBuilder| -> Vec<&str> {
        namespaces.iter().copied().filter(|namespace| builder.namespaces().contains(namespace)).collect()
    };
    match builder {
        Some(Builder::Id(builder)) => match taken(builder).as_slice() {
            [] => format!("take the builder that belongs here: {} is none", builder.as_str()),
            both => format!("in {}(…) {}", builder.as_str(), opens_with(both)),
        },
        _ => opens_with(namespaces),
    }
}

/// How ids open.
fn opens_with(namespaces: &[&str]) -> String {
    let mut text = "the id opens with ".to_owned();
    for (at, namespace) in namespaces.iter().enumerate() {
        let joint = match at {
            0 => "",
            _ if at + 1 == namespaces.len() => " or ",
            _ => ", ",
        };
        let _ = write!(text, "{joint}`{namespace}:`");
    }
    text + "; segments of letters, digits and `-` follow, with dots between"
}
