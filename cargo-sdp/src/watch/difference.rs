//! What is new since the last whole cycle: diagnostics and results of cases come in, those that were added and those that are
//! mended go out. A finding that moved with its lines is no news.

use std::collections::{BTreeMap, HashMap};

use sdp_core::finding::Severity;
use sdp_harness::diagnostic::Diagnostic;
use sdp_harness::report::{CaseReport, CaseResult};

use super::Found;

/// What stands.
#[derive(Default)]
pub(super) struct Standing {
    diagnostics: Vec<Diagnostic>,
    results: BTreeMap<String, CaseResult>,
}

/// What a cycle changed.
#[derive(Debug, Default)]
pub(super) struct Difference {
    /// What is said now and was not.
    pub(super) added: Vec<Diagnostic>,
    /// What was said and is not any more.
    pub(super) mended: Vec<Diagnostic>,
    /// Cases that went over to another result, with the new one; none where the case is gone.
    pub(super) cases: Vec<(String, Option<CaseResult>)>,
}

impl Standing {
    /// Takes up what a cycle found. What it did not judge stands as it stood.
    pub(super) fn take(&mut self, found: &Found) -> Difference {
        let mut difference = Difference::default();
        let old = std::mem::take(&mut self.diagnostics);
        let (unjudged, old): (Vec<Diagnostic>, Vec<Diagnostic>) =
            old.into_iter().partition(|one| found.unjudged.contains(&one.case));
        let mut stood: HashMap<Identity, Vec<Diagnostic>> = HashMap::new();
        for one in old {
            stood.entry(identity(&one)).or_default().push(one);
        }
        for one in all(found) {
            if stood.get_mut(&identity(one)).and_then(Vec::pop).is_none() {
                difference.added.push(one.clone());
            }
        }
        difference.mended = stood.into_values().flatten().collect();
        difference.mended.sort_by(sdp_harness::diagnostic::order);
        self.diagnostics = all(found).cloned().chain(unjudged).collect();
        self.take_results(found, &mut difference);
        difference
    }

    fn take_results(&mut self, found: &Found, difference: &mut Difference) {
        let mut old = std::mem::take(&mut self.results);
        for CaseReport { name, result, .. } in &found.reports {
            let before = old.remove(name);
            let result = match (result, &before) {
                // What was not run is what it was.
                (CaseResult::NotRun, Some(before)) => before.clone(),
                (result, _) => result.clone(),
            };
            let is_news = match &before {
                Some(before) => *before != result,
                None => result == CaseResult::Failed,
            };
            if is_news && result != CaseResult::NotRun {
                difference.cases.push((name.clone(), Some(result.clone())));
            }
            self.results.insert(name.clone(), result);
        }
        let gone = old.into_iter().filter(|(name, _)| !found.unjudged.contains(name));
        difference.cases.extend(gone.map(|(name, _)| (name, None)));
    }
}

/// What a cycle says.
fn all(found: &Found) -> impl Iterator<Item = &Diagnostic> {
    found.diagnostics.iter().chain(found.reports.iter().flat_map(|report| &report.diagnostics))
}

/// A diagnostic without its place, and without the number by which equals are told apart: where one of them is mended, the
/// others are numbered anew.
type Identity = (String, Severity, String);

fn identity(one: &Diagnostic) -> Identity {
    let key = match one.key.rsplit_once(" #") {
        Some((key, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => key,
        _ => &one.key,
    };
    (key.to_owned(), one.severity, without_lines(&one.message))
}

/// A message without the lines that it names.
fn without_lines(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    let mut is_line = false;
    for character in message.chars() {
        if character.is_ascii_digit() && (is_line || text.ends_with(':') || text.ends_with("line ")) {
            is_line = true;
            continue;
        }
        is_line = false;
        text.push(character);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use sdp_core::finding::{Finding, FindingId};
    use sdp_harness::diagnostic::identify_by_case;

    use super::*;

    const CARRIERS: &str = "extract::carriers";
    const ORPHANS: &str = "check::conformance::orphans";

    fn one(case: &str, message: &str, line: u32) -> Diagnostic {
        let finding = Finding::error(FindingId::Orphans, message).at("a.sdp.md", line);
        Diagnostic::of_finding(&finding, case)
    }

    fn found(mut diagnostics: Vec<Diagnostic>, unjudged: &[&str]) -> Found {
        identify_by_case(&mut diagnostics);
        let unjudged: HashSet<String> = unjudged.iter().map(|case| (*case).to_owned()).collect();
        Found { diagnostics, unjudged, ..Found::default() }
    }

    fn messages(diagnostics: &[Diagnostic]) -> Vec<&str> {
        diagnostics.iter().map(|one| one.message.as_str()).collect()
    }

    #[test]
    fn a_finding_that_moved_is_no_news() {
        let mut standing = Standing::default();
        assert_eq!(messages(&standing.take(&found(vec![one(ORPHANS, "x, see b:3", 1)], &[])).added), ["x, see b:3"]);
        let second = standing.take(&found(vec![one(ORPHANS, "x, see b:14", 9)], &[]));
        assert!(second.added.is_empty() && second.mended.is_empty(), "{second:?}");
        let third = standing.take(&found(vec![one(ORPHANS, "y", 9)], &[]));
        assert_eq!((messages(&third.added), messages(&third.mended)), (vec!["y"], vec!["x, see b:14"]));
    }

    #[test]
    fn of_equals_only_the_mended_one_is_mended() {
        let mut standing = Standing::default();
        let three = ["a", "b", "c"].map(|message| one(ORPHANS, message, 1)).to_vec();
        let _ = standing.take(&found(three.clone(), &[]));
        let next = standing.take(&found(three[1..].to_vec(), &[]));
        assert_eq!((messages(&next.added), messages(&next.mended)), (vec![], vec!["a"]));
    }

    #[test]
    fn what_was_not_judged_stands_as_it_stood() {
        let mut standing = Standing::default();
        let _ = standing.take(&found(vec![one(ORPHANS, "a", 1)], &[]));
        let broken = standing.take(&found(vec![one(CARRIERS, "b", 1)], &[ORPHANS]));
        assert_eq!((messages(&broken.added), messages(&broken.mended)), (vec!["b"], vec![]));
        let whole = standing.take(&found(vec![one(ORPHANS, "a", 1)], &[]));
        assert_eq!((messages(&whole.added), messages(&whole.mended)), (vec![], vec!["b"]));
    }

    #[test]
    fn cases_tell_when_they_fail_pass_or_go() {
        let mut standing = Standing::default();
        let report = |name: &str, result: CaseResult| CaseReport {
            result,
            ..CaseReport::of_diagnostics(name, None, Vec::new())
        };
        let mut take = |reports: Vec<CaseReport>| {
            let cases = standing.take(&Found { reports, ..Found::default() }).cases;
            cases.into_iter().map(|(name, result)| (name, result.map(|result| result.as_str()))).collect::<Vec<_>>()
        };
        let row = |name: &str, result| (name.to_owned(), result);
        assert_eq!(
            take(vec![report("a", CaseResult::Passed), report("b", CaseResult::Failed)]),
            [row("b", Some("failed"))]
        );
        assert_eq!(take(vec![report("a", CaseResult::NotRun), report("b", CaseResult::NotRun)]), []);
        assert_eq!(
            take(vec![report("a", CaseResult::Failed), report("b", CaseResult::Passed)]),
            [row("a", Some("failed")), row("b", Some("passed"))]
        );
        assert_eq!(take(vec![report("b", CaseResult::Passed)]), [row("a", None)]);
    }
}
