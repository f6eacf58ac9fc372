//! Headings: the title line and the closed list of section headings. A heading's text comes in, the owner that it names
//! goes out; how a section is read stands elsewhere.

use crate::model::VerificationMode;
use crate::suggest::first_nearest;

use super::findings::{Findings, shown};
use super::text::{Line, ascii_trim, is_indented};

/// What an H2 announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// `## Intent`.
    Intent,
    /// `## Behavior`.
    Behavior,
    /// `## Rule`.
    Rule,
    /// `## Workflow`.
    Workflow,
    /// `## Contract`.
    Contract,
    /// `## Example space`.
    ExampleSpace,
    /// `## Constraints`.
    Constraints,
    /// `## Model`.
    Model,
    /// `## Design`.
    Design,
    /// `## Decision`.
    Decision,
    /// `## UI`.
    Ui,
    /// `## Verification — <mode>`.
    Verification(VerificationMode),
}

/// Each heading, its ASCII lower-case form and its owner, in the order in which suggestions prefer them.
const HEADINGS: [(&str, &str, Owner); 15] = [
    ("Intent", "intent", Owner::Intent),
    ("Behavior", "behavior", Owner::Behavior),
    ("Rule", "rule", Owner::Rule),
    ("Workflow", "workflow", Owner::Workflow),
    ("Contract", "contract", Owner::Contract),
    ("Example space", "example space", Owner::ExampleSpace),
    ("Constraints", "constraints", Owner::Constraints),
    ("Model", "model", Owner::Model),
    ("Design", "design", Owner::Design),
    ("Decision", "decision", Owner::Decision),
    ("UI", "ui", Owner::Ui),
    ("Verification — manual", "verification — manual", Owner::Verification(VerificationMode::Manual)),
    ("Verification — reviewed", "verification — reviewed", Owner::Verification(VerificationMode::Reviewed)),
    ("Verification — contract", "verification — contract", Owner::Verification(VerificationMode::Contract)),
    ("Verification — executable", "verification — executable", Owner::Verification(VerificationMode::Executable)),
];

/// How far a misspelt heading may be from the one that is suggested, in edits.
const SUGGESTION_DISTANCE: usize = 2;

impl Owner {
    /// The owner that a heading names exactly.
    pub(super) fn of_heading(heading: &str) -> Option<Self> {
        HEADINGS.iter().find(|(exact, ..)| *exact == heading).map(|(.., owner)| *owner)
    }

    /// The bit of the place that the owner fills; the behavior owners share one, the verification modes another.
    pub(super) const fn place(self) -> u16 {
        match self {
            Owner::Intent => 1,
            Owner::Behavior | Owner::Rule | Owner::Workflow | Owner::Contract => 1 << 1,
            Owner::ExampleSpace => 1 << 2,
            Owner::Constraints => 1 << 3,
            Owner::Model => 1 << 4,
            Owner::Design => 1 << 5,
            Owner::Decision => 1 << 6,
            Owner::Ui => 1 << 7,
            Owner::Verification(_) => 1 << 8,
        }
    }
}

/// The message about a heading outside the list, with the nearest one where it is near enough.
pub(super) fn unrecognized(heading: &str) -> String {
    let lower = heading.to_ascii_lowercase();
    let nearest = first_nearest(&lower, HEADINGS.iter().map(|(_, lower, _)| *lower), SUGGESTION_DISTANCE);
    let heading = shown(heading);
    match nearest.and_then(|nearest| HEADINGS.iter().find(|(_, lower, _)| *lower == nearest)) {
        Some((exact, ..)) => format!("heading \"{heading}\" is not recognized; did you mean \"{exact}\"?"),
        None => format!("heading \"{heading}\" is not recognized"),
    }
}

/// The title that the first line of a body gives; none where that line is no H1, which ends the reading of the body.
pub(super) fn title<'a>(first: Option<Line<'a>>, findings: &mut Findings<'_>) -> Option<&'a str> {
    let first = first?;
    let Some(title) = first.text.strip_prefix("# ") else {
        findings.structure(first.number, "the first body line must be an H1 title");
        return None;
    };
    if is_indented(title) || title.is_empty() {
        findings.structure(first.number, "the H1 title must be nonempty and start immediately after #");
    }
    Some(ascii_trim(title))
}
