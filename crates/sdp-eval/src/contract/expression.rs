//! Check expressions: eleven operators, three connectives and two quantifiers over operands (evaluation sheet, part 2.5). JSON
//! comes in; a tree goes out, whose depth the reader of the document bounds. Which operand is legal where is judged by
//! compiling.

use serde_json::Value;

use super::interface::KeyedShape;
use super::pointer::OperandPointer;
use super::text::{KeyName, RegexText, Slug};
use crate::shape::{AtLeast, Count, keyed, object, tagged, words};

keyed! {
    /// What an operator looks at.
    @name "Operand" pub enum Operand {
        /// Evidence.
        "pointer" => Pointer(OperandPointer),
        /// This value.
        "literal" => Literal(Value),
        /// The members of a reference set.
        "referenceSet" => ReferenceSet(Slug),
    }
}

words! {
    /// The sixteen relations, in the published order.
    pub enum Relation {
        /// Same kind and same value.
        "equality" => Equality,
        /// Same canonical JSON.
        "deep-equality" => DeepEquality,
        /// A container holds a member, or every member of a set.
        "containment" => Containment,
        /// It is there.
        "existence" => Existence,
        /// It is not there.
        "absence" => Absence,
        /// A text matches a pattern.
        "regex" => Regex,
        /// A value is one of a set.
        "set-membership" => SetMembership,
        /// Neighbours are in order.
        "ordering" => Ordering,
        /// The length is near a number.
        "count-tolerance" => CountTolerance,
        /// An object has these keys and types.
        "shape" => Shape,
        /// Two collections match one to one by a key.
        "covers-by-key" => CoversByKey,
        /// Every part holds.
        "all" => All,
        /// A part holds.
        "any" => Any,
        /// The part does not hold.
        "not" => Not,
        /// Every element satisfies the predicate.
        "for-all" => ForAll,
        /// An element satisfies the predicate.
        "for-any" => ForAny,
    }
}

tagged! {
    /// A check expression.
    @name "Expression" pub enum Expression by "op" {
        /// Same kind and same value.
        "equality" => Equality(Pair),
        /// Same canonical JSON.
        "deep-equality" => DeepEquality(Pair),
        /// A container holds a member, or every member of a set.
        "containment" => Containment(Pair),
        /// It is there.
        "existence" => Existence(Single),
        /// It is not there.
        "absence" => Absence(Single),
        /// A text matches a pattern.
        "regex" => Regex(Regex),
        /// A value is one of a set.
        "set-membership" => SetMembership(SetMembership),
        /// Neighbours are in order.
        "ordering" => Ordering(Ordering),
        /// The length is near a number.
        "count-tolerance" => CountTolerance(CountTolerance),
        /// An object has these keys and types.
        "shape" => Shape(ShapeOf),
        /// Two collections match one to one by a key.
        "covers-by-key" => CoversByKey(CoversByKey),
        /// The part does not hold.
        "not" => Not(Negation),
        /// Every part holds.
        "all" => All(Connective),
        /// A part holds.
        "any" => Any(Connective),
        /// Every element satisfies the predicate.
        "for-all" => ForAll(Quantifier),
        /// An element satisfies the predicate.
        "for-any" => ForAny(Quantifier),
    }
}

object! {
    /// Two operands.
    pub struct Pair {
        /// The operands.
        "operands" => operands: [Operand; 2],
    }
}

object! {
    /// One operand.
    pub struct Single {
        /// The operand.
        "operands" => operands: [Operand; 1],
    }
}

object! {
    /// A text and a pattern.
    pub struct Regex {
        /// The text.
        "operands" => operands: [Operand; 1],
        /// The ECMAScript pattern, anchored at both ends.
        "pattern" => pattern: RegexText,
    }
}

object! {
    /// A value and a set.
    pub struct SetMembership {
        /// The value and the set.
        "operands" => operands: MemberAndSet,
    }
}

keyed! {
    /// The set of a set membership: declared, or written out and not empty.
    pub enum SetOperand {
        /// A declared set.
        "referenceSet" => ReferenceSet(Slug),
        /// A set written out.
        "literal" => Literal(AtLeast<Value, 1>),
    }
}

object! {
    /// A collection whose neighbours are in order by a key.
    pub struct Ordering {
        /// The collection.
        "operands" => operands: [Operand; 1],
        /// The key.
        "key" => key: KeyName,
        /// The direction.
        "order" => order: Order,
    }
}

words! {
    /// A direction of order.
    pub enum Order {
        /// No element is less than the one before it.
        "ascending" => Ascending,
        /// No element is greater than the one before it.
        "descending" => Descending,
    }
}

object! {
    /// A collection and how many elements it has.
    pub struct CountTolerance {
        /// The collection.
        "operands" => operands: [Operand; 1],
        /// How many are expected.
        "expected" => expected: Count,
        /// How far the number may lie off; whole percentage points where relative.
        "tolerance" => tolerance: Count,
        /// Whether the tolerance is relative.
        "relative" => relative: bool,
    }
}

object! {
    /// An object and its keys and types.
    pub struct ShapeOf {
        /// The object.
        "operands" => operands: [Operand; 1],
        /// Its keys and types.
        "descriptor" => descriptor: KeyedShape,
    }
}

object! {
    /// Two collections that match one to one.
    pub struct CoversByKey {
        /// What is expected, and what is there.
        "operands" => operands: [Operand; 2],
        /// The key of the expected ones.
        "expectedKey" => expected_key: KeyName,
        /// The key of the actual ones.
        "actualKey" => actual_key: KeyName,
    }
}

object! {
    /// One part.
    pub struct Negation {
        /// The part.
        "operands" => operands: [Box<Expression>; 1],
    }
}

object! {
    /// Two parts or more.
    pub struct Connective {
        /// The parts.
        "operands" => operands: AtLeast<Expression, 2>,
    }
}

object! {
    /// A collection and what its elements satisfy.
    pub struct Quantifier {
        /// The collection.
        "collection" => collection: Operand,
        /// What an element satisfies; `@/` addresses it.
        "predicate" => predicate: Box<Expression>,
    }
}

impl Expression {
    /// The relation of the outermost node.
    #[must_use]
    pub const fn relation(&self) -> Relation {
        match self {
            Self::Equality(_) => Relation::Equality,
            Self::DeepEquality(_) => Relation::DeepEquality,
            Self::Containment(_) => Relation::Containment,
            Self::Existence(_) => Relation::Existence,
            Self::Absence(_) => Relation::Absence,
            Self::Regex(_) => Relation::Regex,
            Self::SetMembership(_) => Relation::SetMembership,
            Self::Ordering(_) => Relation::Ordering,
            Self::CountTolerance(_) => Relation::CountTolerance,
            Self::Shape(_) => Relation::Shape,
            Self::CoversByKey(_) => Relation::CoversByKey,
            Self::Not(_) => Relation::Not,
            Self::All(_) => Relation::All,
            Self::Any(_) => Relation::Any,
            Self::ForAll(_) => Relation::ForAll,
            Self::ForAny(_) => Relation::ForAny,
        }
    }
}

/// The two operands of a set membership: any operand, and a set.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct MemberAndSet(pub Operand, pub SetOperand);

impl crate::shape::Shape for MemberAndSet {
    fn read(value: &Value, place: &crate::shape::Place<'_>, issues: &mut crate::shape::Issues) -> Option<Self> {
        let Some(values) = value.as_array() else {
            issues.expected(<Self as crate::shape::Shape>::wants, value, place);
            return None;
        };
        let [value, set] = values.as_slice() else {
            issues.add(place, "must have exactly 2 elements");
            return None;
        };
        let value = Operand::read(value, &place.index(0), issues);
        let set = SetOperand::read(set, &place.index(1), issues);
        Some(Self(value?, set?))
    }

    fn schema(definitions: &mut crate::shape::Definitions) -> Value {
        let positions = [definitions.of::<Operand>(), definitions.of::<SetOperand>()];
        serde_json::json!({ "type": "array", "prefixItems": positions, "minItems": 2, "items": false })
    }

    fn wants() -> String {
        format!("an array of exactly 2: {}; and {}", Operand::wants(), SetOperand::wants())
    }
}

crate::shape::deserialize!(MemberAndSet);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::EvalContract;
    use crate::shape::from_value;
    use crate::walk::walk;

    #[test]
    fn the_word_of_every_expression_is_the_word_of_its_relation() {
        let every_shape: Value = serde_json::from_str(include_str!("../../tests/every-shape.json")).unwrap();
        let contract: EvalContract = from_value(&every_shape).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for check in contract.oracles.iter().filter_map(|oracle| oracle.check.as_ref()) {
            let visited: Result<(), ()> = walk(check, "", &mut |node, _| {
                assert_eq!(node.expression.word(), node.expression.relation().as_str());
                seen.insert(node.expression.relation());
                Ok(())
            });
            visited.unwrap();
        }
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), Relation::ALL);
    }
}
