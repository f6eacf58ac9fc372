//! Static values: an expression comes in, the string, id or fresh object that it is without being run goes out, or what
//! stands there instead (fact sheet 6.1).

use oxc_ast::ast::{
    CallExpression, Expression, ObjectExpression, ObjectPropertyKind, PropertyKey, PropertyKind, StringLiteral,
    TemplateLiteral,
};
use oxc_span::{GetSpan, Span};

use super::builders::{Builder, Builders, IdBuilder};
use super::kinds::expression_kind;
use crate::model::{listed, parse_slot_id, wrong_namespace};

/// What messages say of the values that are read.
pub(crate) const STATIC_GRAMMAR: &str = "is outside the static value grammar (string/number/boolean literals, array and fresh object literals; TypeScript assertions and parentheses are transparent; id builders unwrap in id slots only)";

/// What messages say of a name that is not written.
pub(crate) const COMPUTED_NAME: &str = "computed property names are non-static";

/// What stands where a static value should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    /// Why it is none, as the Protocol's messages say it behind a path and `, ` or `: `.
    pub(crate) why: String,
    /// Where.
    pub(crate) span: Span,
}

impl Refused {
    /// An expression that is no static value.
    #[must_use]
    pub(crate) fn kind(expression: &Expression<'_>) -> Self {
        Refused { why: format!("{} {STATIC_GRAMMAR}", expression_kind(expression)), span: expression.span() }
    }
}

/// The expression inside parentheses and `as` assertions, which change no value. `satisfies`, `!` and `<T>x` are kept.
#[must_use]
pub(crate) fn unwrapped<'e, 'a>(mut expression: &'e Expression<'a>) -> &'e Expression<'a> {
    loop {
        expression = match expression {
            Expression::ParenthesizedExpression(inner) => &inner.expression,
            Expression::TSAsExpression(inner) => &inner.expression,
            _ => return expression,
        };
    }
}

/// The text of a string literal, or of a template without substitutions.
///
/// # Errors
/// [`Refused`] for anything else, and for half of a surrogate pair, which no UTF-8 holds.
pub(crate) fn string_of(expression: &Expression<'_>) -> Result<String, Refused> {
    let inner = unwrapped(expression);
    let text = match inner {
        Expression::StringLiteral(literal) => of_literal(literal),
        Expression::TemplateLiteral(template) => of_template(template).ok_or_else(|| Refused::kind(inner))?,
        _ => return Err(Refused::kind(inner)),
    };
    text.ok_or_else(|| Refused { why: "the string holds half of a surrogate pair".to_owned(), span: inner.span() })
}

fn of_literal(literal: &StringLiteral<'_>) -> Option<String> {
    (!literal.lone_surrogates).then(|| literal.value.as_str().to_owned())
}

/// The text, or none where it cannot be held; none at all where something is substituted.
fn of_template(template: &TemplateLiteral<'_>) -> Option<Option<String>> {
    let [quasi] = template.quasis.as_slice() else { return None };
    let cooked = quasi.value.cooked.as_ref()?;
    Some((!quasi.lone_surrogates).then(|| cooked.as_str().to_owned()))
}

/// An id in an id slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Id {
    /// The id.
    pub(crate) text: String,
    /// The builder around it.
    pub(crate) builder: Option<IdBuilder>,
    /// Where the value stands.
    pub(crate) span: Span,
}

/// Why an id slot holds no id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum IdFault {
    /// No static value.
    NotStatic(Refused),
    /// A string that is no id of the slot.
    Invalid(Refused),
}

/// The id of a slot: a string, or one of the id builders around exactly one string. Grammar, the builder's namespaces and the
/// slot's namespaces are looked at in this order.
///
/// # Errors
/// [`IdFault`].
pub(crate) fn id_of(expression: &Expression<'_>, builders: &Builders<'_>, namespaces: &[&str]) -> Result<Id, IdFault> {
    let inner = unwrapped(expression);
    let (text, builder) = match inner {
        Expression::CallExpression(call) => match builders.of(&call.callee) {
            Some(Builder::Id(builder)) => {
                let refused = |why: String, span| IdFault::NotStatic(Refused { why, span });
                let [argument] = call.arguments.as_slice() else {
                    return Err(refused("id builder must wrap exactly one string literal".to_owned(), inner.span()));
                };
                let Some(text) = argument.as_expression() else {
                    return Err(refused(format!("SpreadElement {STATIC_GRAMMAR}"), argument.span()));
                };
                (string_of(text).map_err(IdFault::NotStatic)?, Some(builder))
            }
            _ => return Err(IdFault::NotStatic(Refused::kind(inner))),
        },
        _ => (string_of(inner).map_err(IdFault::NotStatic)?, None),
    };
    let invalid = |why: String| IdFault::Invalid(Refused { why, span: inner.span() });
    let namespace = parse_slot_id(&text).map_err(|error| invalid(error.in_brief()))?;
    if let Some(builder) = builder.filter(|builder| !builder.namespaces().contains(&namespace)) {
        return Err(invalid(format!(
            "id \"{text}\" carries namespace \"{namespace}\" where {}(…) accepts only {} — the builder's own contract, restated statically",
            builder.as_str(),
            listed(builder.namespaces())
        )));
    }
    if !namespaces.contains(&namespace) {
        return Err(invalid(wrong_namespace(&text, namespace, namespaces)));
    }
    Ok(Id { text, builder, span: inner.span() })
}

/// The object literal that is a call's only argument.
#[must_use]
pub(crate) fn arguments_object<'e, 'a>(call: &'e CallExpression<'a>) -> Option<&'e ObjectExpression<'a>> {
    match call.arguments.as_slice() {
        [argument] => match unwrapped(argument.as_expression()?) {
            Expression::ObjectExpression(object) => Some(object),
            _ => None,
        },
        _ => None,
    }
}

/// What an entry of an object literal is.
#[derive(Debug)]
pub(crate) enum Key<'e, 'a> {
    /// A plain property: its name, and its value.
    Plain(&'e str, &'e Expression<'a>),
    /// A property whose name is computed, or a number.
    Computed,
    /// A shorthand property with its name; or a method, an accessor or a spread, which may carry anything.
    NotPlain(Option<&'e str>),
}

/// Reads an entry of an object literal.
#[must_use]
pub(crate) fn key_of<'e, 'a>(entry: &'e ObjectPropertyKind<'a>) -> Key<'e, 'a> {
    let ObjectPropertyKind::ObjectProperty(property) = entry else { return Key::NotPlain(None) };
    let name = match &property.key {
        PropertyKey::StaticIdentifier(name) if !property.computed => Some(name.name.as_str()),
        // A name that holds half of a surrogate pair cannot be held, as a value cannot.
        PropertyKey::StringLiteral(name) if !property.computed && !name.lone_surrogates => Some(name.value.as_str()),
        _ => None,
    };
    if property.shorthand || property.method || property.kind != PropertyKind::Init {
        return Key::NotPlain(name.filter(|_| property.shorthand));
    }
    match name {
        Some(name) => Key::Plain(name, &property.value),
        None => Key::Computed,
    }
}
