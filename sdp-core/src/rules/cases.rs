//! Which case gives a finding: a finding or its id comes in, the name of the case goes out. `rules` gives each finding in its
//! case, and whoever lets a finding stand names that case by the id.

use super::name;
use super::plan::{CARRIERS_CASE, CONTRACTS_CASE};
use crate::finding::{Finding, FindingId};
use crate::validate::CHECKS;

/// The case that gives a finding of the engine. One that says what was left out goes with the findings that were; an error
/// of the carriers is given by their case, whatever its id.
#[must_use]
pub fn case_of(finding: &Finding) -> Option<String> {
    let left_out = finding.related.as_deref().filter(|_| finding.id == FindingId::FindingsLeftOut);
    match left_out {
        Some(of) => FindingId::ALL.iter().find(|id| id.as_str() == of).and_then(|id| case_of_id(*id)),
        None => case_of_id(finding.id),
    }
}

/// The case that gives the findings with an id. None where no case does: what is said of a configuration, an import or
/// the rules before any case runs, what stands for findings of another id, and what any case may say.
#[must_use]
pub fn case_of_id(id: FindingId) -> Option<String> {
    if CHECKS.iter().any(|check| check.id == id) {
        return Some(name::of_check(id.as_str()));
    }
    match id {
        FindingId::FindingsLeftOut
        | FindingId::SkippedRuleFile
        | FindingId::UnmatchedRuleGlob
        | FindingId::UnmatchedSeverity
        | FindingId::UnmatchedWaiver
        | FindingId::ExpiredWaiver
        | FindingId::StaleBaseline
        | FindingId::InvalidConfig
        | FindingId::NoSpecs => None,
        _ => match id.group() {
            "contracts" => Some(CONTRACTS_CASE.to_owned()),
            "import" => None,
            _ => Some(CARRIERS_CASE.to_owned()),
        },
    }
}
