//! ECMAScript patterns without flags: the text of a pattern comes in; whether it is legal in a contract, its shape for the
//! budget rule and whether a subject matches go out.
//!
//! The whole grammar of ECMAScript 2025 with its Annex B is read, over UTF-16 code units as a pattern without flags has it.
//! A legal pattern has no backreference and no lookbehind, so that whether it matches depends only on the place in the
//! pattern and the place in the subject. [`Pattern::test`] therefore decides every place once, from the end of the subject
//! to its start. It never backtracks: its work is the size of the pattern times the length of the subject.

mod class;
mod program;
mod syntax;
#[cfg(test)]
mod tests;

use thiserror::Error;

use class::Class;
use syntax::Node;

/// Why a pattern is refused. The text reads on after `regex pattern "P"`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PatternFault {
    /// ECMAScript does not read it as a regular expression.
    #[error("is not a valid ECMAScript regular expression ({reason} at offset {at})")]
    Syntax {
        /// What is wrong.
        reason: &'static str,
        /// Where, in UTF-16 code units from the start of the pattern.
        at: usize,
    },
    /// It does not start with `^` and end with `$`, or has an alternative outside every group.
    #[error("is not anchored over the whole expression")]
    NotAnchored,
    /// It refers back to what a group matched.
    #[error("uses a backreference")]
    Backreference,
    /// It looks behind.
    #[error("uses lookbehind")]
    Lookbehind,
}

/// The steps that a test may take were not enough for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the pattern needs more steps than it may take over a subject of this length")]
pub struct Exhausted;

/// A legal pattern of a contract.
#[derive(Clone, Debug)]
pub struct Pattern {
    nodes: Vec<Node>,
    root: u32,
    classes: Vec<Class>,
    nested: bool,
    markers: usize,
}

impl Pattern {
    /// Steps that are enough for every pattern and subject of ordinary size and still end within a second.
    pub const STEPS: u64 = 1 << 26;

    /// Reads a pattern. The first fault is told, in the order: syntax, anchoring, backreference, lookbehind.
    ///
    /// # Errors
    /// The text is no ECMAScript pattern, or holds what a contract refuses. `\1` to `\9` outside a class count as
    /// backreferences even where no such group exists, and so does `\k<` where there are no named groups: Annex B reads
    /// something else there, which nobody who writes it means.
    pub fn new(text: &str) -> Result<Self, PatternFault> {
        let tree = syntax::read(text).map_err(|fault| PatternFault::Syntax { reason: fault.reason, at: fault.at })?;
        if !tree.anchored {
            return Err(PatternFault::NotAnchored);
        }
        if tree.backreference {
            return Err(PatternFault::Backreference);
        }
        if tree.lookbehind {
            return Err(PatternFault::Lookbehind);
        }
        Ok(Self {
            nodes: tree.nodes,
            root: tree.root,
            classes: tree.classes,
            nested: tree.nested,
            markers: tree.markers,
        })
    }

    /// Whether a group with a quantifier somewhere inside it is itself followed by a quantifier.
    #[must_use]
    pub fn nested_quantifier(&self) -> bool {
        self.nested
    }

    /// How many quantifiers there are: `*`, `+`, `?` and `{…}` where they repeat something. What stands in a class, after a
    /// backslash or behind the `(` of a group does not count, nor does the `?` that makes a quantifier lazy.
    #[must_use]
    pub fn quantifier_markers(&self) -> usize {
        self.markers
    }

    /// Whether the pattern matches the subject, as `RegExp.prototype.test` answers without flags. One step decides one
    /// place of the pattern at one place of the subject; the same pattern and subject take the same steps everywhere.
    ///
    /// # Errors
    /// The answer needs more than `steps` steps, or the pattern with its repetitions written out is too large.
    pub fn test(&self, subject: &str, steps: u64) -> Result<bool, Exhausted> {
        self.measured(subject, steps).map(|(matches, _)| matches)
    }

    /// The same, with the work that it was: the steps, and what it takes to write the pattern out, in steps.
    pub(crate) fn measured(&self, subject: &str, steps: u64) -> Result<(bool, u64), Exhausted> {
        program::test(self, subject, steps)
    }
}
