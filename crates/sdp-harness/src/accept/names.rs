//! What waivers and rows name: their first word comes in, the case that judges them goes out, or why there is none.

use sdp_core::finding::FindingId;
use sdp_core::rules::{Case, Task, case_of_id};
use sdp_core::suggest::first_nearest;

use crate::diagnostic::word;
use crate::nearest::nearest;

/// The cases that bodies have; those of the engine are named by the ids of their findings.
const BODIES: [&str; 2] = ["rule::", "recipe::"];

/// What a waiver or a row names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// The finding, where it names one.
    pub(super) id: Option<FindingId>,
    /// The case that judges it, as a word of a key; none where no case does.
    pub(super) case: Option<String>,
}

impl Named {
    /// What the first word of a row names, with the rest of the row; or a waiver, which has no rest.
    pub(super) fn of(name: &str, rest: &str) -> Self {
        match id_of(name) {
            Some(FindingId::FindingsLeftOut) => {
                let of = rest.split(' ').skip_while(|word| *word != "->").nth(1).and_then(id_of);
                Named { id: of.or(Some(FindingId::FindingsLeftOut)), case: of.and_then(case_of_id) }
            }
            Some(id) => Named { id: Some(id), case: case_of_id(id) },
            None => {
                let is_body = BODIES.iter().any(|prefix| name.starts_with(prefix));
                Named { id: None, case: is_body.then(|| name.to_owned()) }
            }
        }
    }
}

/// The finding with an id.
pub(super) fn id_of(text: &str) -> Option<FindingId> {
    if !text.contains('/') {
        return None;
    }
    FindingId::ALL.iter().copied().find(|id| id.as_str() == text)
}

/// The cases of a plan, as words.
#[derive(Debug)]
pub(super) struct Cases {
    /// The cases that judge what names them.
    judging: Vec<String>,
    /// The cases that only report.
    reporting: Vec<String>,
}

impl Cases {
    pub(super) fn of(cases: &[Case]) -> Self {
        let words = |only_report: bool| {
            let mut words: Vec<String> = cases
                .iter()
                .filter(|case| (case.task == Task::OnlyReports) == only_report)
                .map(|case| word(&case.name))
                .collect();
            words.sort_unstable();
            words
        };
        Cases { judging: words(false), reporting: words(true) }
    }

    fn holds(list: &[String], case: &str) -> bool {
        list.binary_search_by(|known| known.as_str().cmp(case)).is_ok()
    }

    /// Why nothing judges what names this; none where a case does. `hints` is whether a near name is sought.
    pub(super) fn fault(&self, named: &Named, name: &str, hints: bool) -> Option<String> {
        let fault = match (&named.case, named.id) {
            (Some(case), _) if Self::holds(&self.judging, case) => return None,
            (Some(case), _) if Self::holds(&self.reporting, case) => {
                return Some("only reports: it cannot fail".to_owned());
            }
            (None, Some(id)) => return Some(why_not(id).to_owned()),
            (None, None) if of_a_root(name) => {
                return Some("opens with the name of a root that it cannot be for".to_owned());
            }
            _ => "names no finding and no rule",
        };
        let near = if hints { self.near(name) } else { None };
        Some(near.map_or_else(|| fault.to_owned(), |near| format!("{fault}: did you mean `{near}`?")))
    }

    /// The id or the case that a name may mean.
    fn near(&self, name: &str) -> Option<String> {
        // A case of the engine is named by its id.
        let as_id = name.strip_prefix("check::").map(|rest| rest.replacen("::", "/", 1));
        if let Some(id) = as_id.as_deref().and_then(id_of) {
            return Some(id.as_str().to_owned());
        }
        let limit = (name.chars().count() / 3).min(3);
        let ids = FindingId::ALL.iter().filter(|id| case_of_id(**id).is_some()).map(|id| id.as_str());
        if let Some(id) = first_nearest(name, ids, limit) {
            return Some(id.to_owned());
        }
        let bodies = self.judging.iter().map(String::as_str);
        let bodies: Vec<&str> = bodies.filter(|case| BODIES.iter().any(|prefix| case.starts_with(prefix))).collect();
        nearest(name, &bodies).map(str::to_owned)
    }
}

/// Whether a line has the form of a row, behind the name of a root or not: the id of a finding, known or not, or the case of a body.
pub(super) fn is_row(line: &str) -> bool {
    let name = line.split(' ').next().unwrap_or_default();
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let is_name = |name: &str| {
        BODIES.iter().any(|prefix| name.starts_with(prefix))
            || name.split_once('/').is_some_and(|(group, rest)| is_part(group) && is_part(rest))
    };
    is_name(name) || name.split_once("::").is_some_and(|(_, rest)| is_name(rest))
}

/// Whether a name is one that a root's own name opens.
fn of_a_root(name: &str) -> bool {
    name.split_once("::").is_some_and(|(_, rest)| Named::of(rest, "").case.is_some())
}

/// Why a finding that no case gives cannot be let stand.
fn why_not(id: FindingId) -> &'static str {
    match id {
        FindingId::FindingsLeftOut => "stands for findings that are not said, and is let stand by a baseline only",
        FindingId::UnmatchedWaiver | FindingId::ExpiredWaiver | FindingId::StaleBaseline => {
            "says what is wrong with waivers and baselines, and cannot be let stand"
        }
        FindingId::SkippedRuleFile => "is said before any case runs, and cannot be let stand: exclude the path",
        _ if id.group() == "import" => "is given by `cargo sdp import` alone, and cannot be let stand",
        _ => "keeps a run from judging, and cannot be let stand",
    }
}
