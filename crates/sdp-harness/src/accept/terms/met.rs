//! What one case meets: the waivers and the rows that name it come in, each diagnostic is held against them, and what is wrong
//! with those that nothing met goes out.

use std::collections::HashMap;

use sdp_core::config::Waiver;
use sdp_core::finding::{Finding, FindingId};
use sdp_core::suggest::first_nearest;

use super::{Fate, HeldRow, HeldWaiver, MAX_ROWS, Terms, said};
use crate::accept::names::Named;
use crate::diagnostic::{Diagnostic, Origin};
use crate::report::CaseReport;

/// The waivers of one case while it is judged.
pub(super) struct Waivers<'t> {
    terms: &'t Terms,
    held: Vec<(&'t HeldWaiver, Fate)>,
    by_subject: HashMap<&'t str, Vec<usize>>,
}

impl<'t> Waivers<'t> {
    pub(super) fn of(terms: &'t Terms, case: &str) -> Self {
        let own = terms.waivers_of.get(case).into_iter().flatten();
        let held: Vec<_> =
            own.filter_map(|position| terms.waivers.get(*position)).map(|held| (held, Fate::Idle)).collect();
        let mut by_subject: HashMap<&str, Vec<usize>> = HashMap::new();
        for (position, (held, _)) in held.iter().enumerate() {
            by_subject.entry(&held.waiver.subject).or_default().push(position);
        }
        Waivers { terms, held, by_subject }
    }

    /// The waiver that lets a diagnostic stand.
    pub(super) fn meet(&mut self, diagnostic: &Diagnostic, refusal: Option<&'static str>) -> Option<&'t Waiver> {
        let subjects = [diagnostic.about(), diagnostic.subject.as_deref()];
        let positions = subjects.into_iter().flatten().filter_map(|subject| self.by_subject.get(subject)).flatten();
        for position in positions {
            let Some((held, fate)) = self.held.get_mut(*position) else { continue };
            if !is_named(&held.named, diagnostic) {
                continue;
            }
            match refusal {
                Some(why) if *fate == Fate::Idle => *fate = Fate::Refused(why),
                Some(_) => {}
                None => {
                    *fate = Fate::Matched;
                    if !self.terms.is_over(&held.waiver) {
                        return Some(&held.waiver);
                    }
                }
            }
        }
        None
    }

    /// What is wrong with them.
    pub(super) fn findings(&self, report: &CaseReport, is_all: bool) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (held, fate) in &self.held {
            let Waiver { expires, .. } = &held.waiver;
            if self.terms.is_over(&held.waiver) {
                if report.is_whole {
                    let message = format!("{} ended on {expires}", said(&held.waiver));
                    findings.push(self.terms.finding(FindingId::ExpiredWaiver, held, message));
                }
            } else if let Fate::Refused(why) = fate {
                findings.push(self.terms.unmatched(held, &format!("it meets {why}")));
            } else if *fate == Fate::Idle && is_all && !self.terms.is_left_out(&held.named) {
                let near = near(held, &report.diagnostics);
                let near = near.map(|near| format!(", did you mean `{near}`?")).unwrap_or_default();
                findings.push(self.terms.unmatched(held, &format!("no finding is about its subject{near}")));
            }
        }
        findings
    }
}

/// Whether a waiver names what gives a diagnostic.
fn is_named(named: &Named, diagnostic: &Diagnostic) -> bool {
    match (named.id, diagnostic.origin) {
        (Some(id), Origin::Engine(own)) => id == own,
        (None, Origin::Rule | Origin::Body) => true,
        _ => false,
    }
}

/// The subject that a waiver may mean.
fn near<'d>(held: &HeldWaiver, diagnostics: &'d [Diagnostic]) -> Option<&'d str> {
    let subject = &held.waiver.subject;
    let limit = (subject.chars().count() / 3).min(3);
    let named = diagnostics.iter().filter(|one| is_named(&held.named, one)).take(MAX_ROWS);
    first_nearest(subject, named.filter_map(Diagnostic::about), limit)
}

/// The rows of one case while it is judged.
pub(super) struct Rows<'t> {
    pub(super) held: &'t [HeldRow],
    fates: Vec<Fate>,
    by_text: HashMap<&'t str, usize>,
}

impl<'t> Rows<'t> {
    pub(super) fn of(held: &'t [HeldRow]) -> Self {
        let by_text = held.iter().enumerate().map(|(position, held)| (held.row.as_str(), position)).collect();
        Rows { held, fates: vec![Fate::Idle; held.len()], by_text }
    }

    /// Whether a row is held.
    pub(super) fn meet(&mut self, row: &str, refusal: Option<&'static str>) -> bool {
        let fate = self.by_text.get(row).and_then(|position| self.fates.get_mut(*position));
        let is_held = fate.is_some();
        if let Some(fate) = fate {
            *fate = refusal.map_or(Fate::Matched, Fate::Refused);
        }
        is_held
    }

    /// What is wrong with them, and how many more are.
    pub(super) fn findings(&self, terms: &Terms, is_known: impl Fn(&&HeldRow) -> bool) -> (Vec<Finding>, usize) {
        let mut findings = Vec::new();
        let mut more = 0;
        let mut add = |held: &HeldRow, line: Option<&u32>, why: &str| {
            if findings.len() < MAX_ROWS {
                findings.push(terms.stale(held, line, why));
            } else {
                more += 1;
            }
        };
        for (held, fate) in self.held.iter().zip(&self.fates) {
            let first = held.lines.first();
            match fate {
                Fate::Refused(why) => add(held, first, &format!("meets {why}")),
                Fate::Idle if is_known(&held) => add(held, first, "matches no finding"),
                Fate::Idle | Fate::Matched => {}
            }
            for line in held.lines.iter().skip(1) {
                let first = first.copied().unwrap_or_default();
                add(held, Some(line), &format!("stands at line {first} already"));
            }
        }
        (findings, more)
    }
}
