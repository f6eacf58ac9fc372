//! The walk over check expressions, depth first, with the path of each node as failures spell it. An expression and the path of
//! its root come in; every node and every operand goes to the visitor.

use crate::contract::{Expression, Operand, SetOperand};

/// One operand of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OperandAt<'c> {
    /// An operand of any kind.
    Any(&'c Operand),
    /// The set of a set membership.
    Set(&'c SetOperand),
}

/// What stands where in an expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'c> {
    /// The node.
    pub(crate) expression: &'c Expression,
    /// How many quantifiers' predicates it stands in.
    pub(crate) quantifiers: usize,
    /// The pointer of the collection that the innermost quantifier ranges over, where it is one.
    pub(crate) collection: Option<&'c Operand>,
}

/// The operands of one node with their positions, as paths spell them: `operands[0]`, `collection`.
pub(crate) fn operands(expression: &Expression) -> Vec<(&'static str, OperandAt<'_>)> {
    use Expression as E;
    const FIRST: &str = "operands[0]";
    const SECOND: &str = "operands[1]";
    match expression {
        E::Equality(of) | E::DeepEquality(of) | E::Containment(of) => {
            let [first, second] = &of.operands;
            vec![(FIRST, OperandAt::Any(first)), (SECOND, OperandAt::Any(second))]
        }
        E::CoversByKey(of) => {
            let [first, second] = &of.operands;
            vec![(FIRST, OperandAt::Any(first)), (SECOND, OperandAt::Any(second))]
        }
        E::SetMembership(of) => {
            vec![(FIRST, OperandAt::Any(&of.operands.0)), (SECOND, OperandAt::Set(&of.operands.1))]
        }
        E::Existence(of) | E::Absence(of) => one(&of.operands),
        E::Regex(of) => one(&of.operands),
        E::Ordering(of) => one(&of.operands),
        E::CountTolerance(of) => one(&of.operands),
        E::Shape(of) => one(&of.operands),
        E::ForAll(of) | E::ForAny(of) => vec![("collection", OperandAt::Any(&of.collection))],
        E::Not(_) | E::All(_) | E::Any(_) => Vec::new(),
    }
}

fn one(operands: &[Operand; 1]) -> Vec<(&'static str, OperandAt<'_>)> {
    let [only] = operands;
    vec![("operands[0]", OperandAt::Any(only))]
}

/// Visits every node, the outer before the inner and the left before the right. The visitor gets the path of the node.
pub(crate) fn walk<'c, E>(
    root: &'c Expression,
    path: &str,
    visit: &mut impl FnMut(Node<'c>, &str) -> Result<(), E>,
) -> Result<(), E> {
    let mut path = path.to_owned();
    below(Node { expression: root, quantifiers: 0, collection: None }, &mut path, visit)
}

fn below<'c, E>(
    node: Node<'c>,
    path: &mut String,
    visit: &mut impl FnMut(Node<'c>, &str) -> Result<(), E>,
) -> Result<(), E> {
    visit(node, path)?;
    let mut part = |inner: Node<'c>, step: &str, path: &mut String| {
        let length = path.len();
        path.push_str(step);
        let result = below(inner, path, visit);
        path.truncate(length);
        result
    };
    match node.expression {
        Expression::Not(of) => {
            let [inner] = &of.operands;
            part(Node { expression: inner, ..node }, ".operands[0]", path)
        }
        Expression::All(of) | Expression::Any(of) => {
            for (index, inner) in of.operands.iter().enumerate() {
                part(Node { expression: inner, ..node }, &format!(".operands[{index}]"), path)?;
            }
            Ok(())
        }
        Expression::ForAll(of) | Expression::ForAny(of) => {
            let inner =
                Node { expression: &of.predicate, quantifiers: node.quantifiers + 1, collection: Some(&of.collection) };
            part(inner, ".predicate", path)
        }
        _ => Ok(()),
    }
}
