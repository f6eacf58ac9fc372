//! `gwt` and `gwt-vocabulary` fences: the fence's lines come in, its steps go out. Which section may own which fence is
//! decided in [`super::owners`].

use crate::model::{Phase, Steps};

use super::findings::Findings;
use super::text::{Line, is_dot_text, is_indented};

/// One fence.
#[derive(Debug)]
pub(super) struct Fence {
    /// The 1-based line that opens it.
    pub(super) line: u32,
    /// Whether it is a `gwt-vocabulary` fence.
    pub(super) is_vocabulary: bool,
    /// Its steps.
    pub(super) steps: Steps,
}

/// Reads the fence that a line opens. Gives it and the lines behind it; none where the line opens no fence that
/// carriers know, and its lines are then ordinary ones.
pub(super) fn read<'l, 'a>(
    opening: Line<'a>,
    after: &'l [Line<'a>],
    findings: &mut Findings<'_>,
) -> Option<(Fence, &'l [Line<'a>])> {
    let is_vocabulary = match opening.text {
        "```gwt" => false,
        "```gwt-vocabulary" => true,
        _ => {
            findings.structure(opening.number, "fences must be exact gwt or gwt-vocabulary fences");
            return None;
        }
    };
    let closing = after.iter().position(|line| line.text == "```");
    let Some((lines, behind)) = closing.and_then(|at| after.split_at_checked(at)) else {
        findings.structure(opening.number, "fence must close with an exact ``` line");
        return Some((Fence { line: opening.number, is_vocabulary, steps: Steps::default() }, &[]));
    };
    let steps = read_steps(opening.number, lines, findings);
    let behind = behind.get(1..).unwrap_or_default();
    Some((Fence { line: opening.number, is_vocabulary, steps }, behind))
}

fn read_steps(opening: u32, lines: &[Line<'_>], findings: &mut Findings<'_>) -> Steps {
    let mut steps = Steps::default();
    let mut current: Option<Phase> = None;
    for line in lines {
        if line.text.is_empty() || is_indented(line.text) {
            findings.structure(line.number, "fence bodies cannot contain blank or indented lines");
            continue;
        }
        let Some((word, text)) = line.text.split_once(' ').filter(|(_, text)| is_dot_text(text)) else {
            findings.structure(line.number, "fence steps require a phase and nonempty text");
            continue;
        };
        let phase = match word {
            "Given" => Phase::Given,
            "When" => Phase::When,
            "Then" => Phase::Then,
            "And" => match current {
                Some(phase) => phase,
                None => {
                    findings.structure(line.number, "And requires a preceding GWT phase");
                    continue;
                }
            },
            _ => {
                findings.structure(line.number, "fence steps require a phase and nonempty text");
                continue;
            }
        };
        match current {
            None if phase != Phase::Given => {
                findings.structure(line.number, "GWT fences must begin with Given steps");
            }
            Some(current) if phase < current => {
                findings.structure(line.number, "GWT phases cannot regress");
                continue;
            }
            _ => {}
        }
        current = Some(phase);
        if phase == Phase::When && !steps.when.is_empty() {
            findings.structure(line.number, "a GWT fence has exactly one When step");
        } else {
            steps.push(phase, text);
        }
    }
    if steps.given.is_empty() || steps.when.is_empty() || steps.then.is_empty() {
        findings.structure(opening, "a GWT fence requires Given, exactly one When, and Then steps");
    }
    steps
}
