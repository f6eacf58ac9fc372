//! Where in a check the evaluation stands. A place and a part of it come in; the path goes out, written only where a fault tells it: no
//! path is made for a node that is evaluated once for each of a million elements.

use std::fmt;

/// A place in a check.
#[derive(Clone, Copy, Debug)]
pub(super) enum Site<'up> {
    /// The whole check.
    Check,
    /// A part of a node, such as `predicate`.
    Part(&'up Site<'up>, &'static str),
    /// An operand of a connective.
    Operand(&'up Site<'up>, usize),
}

impl<'up> Site<'up> {
    /// A part of what stands here.
    pub(super) const fn part(&'up self, name: &'static str) -> Self {
        Self::Part(self, name)
    }

    /// An operand of what stands here.
    pub(super) const fn operand(&'up self, index: usize) -> Self {
        Self::Operand(self, index)
    }
}

impl fmt::Display for Site<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check => f.write_str("check"),
            Self::Part(up, name) => write!(f, "{up}.{name}"),
            Self::Operand(up, index) => write!(f, "{up}.operands[{index}]"),
        }
    }
}
