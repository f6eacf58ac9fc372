//! Findings of rules: what a corpus says of itself, beside the engine's own findings and never among them.

use crate::finding::Severity;

/// Where something is authored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, root-relative with `/`.
    pub file: String,
    /// The 1-based line, where one is known.
    pub line: Option<u32>,
}

/// One finding of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFinding {
    /// The rule that it names; the case's name when it names none.
    pub rule: String,
    /// How much it weighs.
    pub severity: Severity,
    /// What is wrong; not empty.
    pub message: String,
    /// What it is about, as the body wrote it.
    pub subject: Option<String>,
    /// The other thing that it names.
    pub related: Option<String>,
    /// Where the subject is authored.
    pub place: Option<Place>,
}

/// The findings of one case: all are counted, the first of each severity are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleFindings {
    /// The kept findings, in the body's order.
    pub kept: Vec<RuleFinding>,
    /// How many are errors.
    pub errors: usize,
    /// How many are warnings.
    pub warnings: usize,
}

impl RuleFindings {
    /// How many findings of each severity are kept: more than anyone reads, less than a body could make up.
    pub const KEPT: usize = 10_000;

    /// Whether a further finding of a severity would be kept.
    pub(crate) fn has_room(&self, severity: Severity) -> bool {
        let count = match severity {
            Severity::Error => self.errors,
            Severity::Warning => self.warnings,
        };
        count < Self::KEPT
    }

    pub(crate) fn add(&mut self, finding: RuleFinding) {
        let count = match finding.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        if *count <= Self::KEPT {
            self.kept.push(finding);
        }
    }
}
