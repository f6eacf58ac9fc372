//! What is let stand in one root: its configuration and its baseline come in, the reports of its cases go through.

mod met;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use sdp_core::config::{Config, Waiver};
use sdp_core::date::Date;
use sdp_core::finding::{Finding, FindingId};
use sdp_core::harmless;
use sdp_core::rules::{Case, Task, case_of_id};
use sdp_core::severity::Severities;

use self::met::{Rows, Waivers};
use super::file::File;
use super::names::{Cases, Named, id_of};
use super::relative;
use crate::diagnostic::{self, Diagnostic, Origin, word};
use crate::human::MAX_TEXT;
use crate::progress;
use crate::report::{CaseReport, CaseResult};

/// How many rows without a match one case tells of; the rest is counted.
const MAX_ROWS: usize = 1_000;

/// How many names that nothing has are held against those that there are.
const MAX_HINTS: usize = 20;

/// How many characters of a row or a subject a message shows.
const SHOWN: usize = 300;

/// The waivers and the baseline of one root.
#[derive(Debug)]
pub(super) struct Terms {
    root: Option<String>,
    today: Option<Date>,
    severities: Severities,
    /// How the configuration is called from the root.
    config_file: String,
    waivers: Vec<HeldWaiver>,
    /// The waivers of each case, by the case as a word.
    waivers_of: HashMap<String, Vec<usize>>,
    /// The baseline.
    pub(super) file: Option<Arc<File>>,
    /// How it is called from the root.
    baseline_file: String,
    /// The rows of each case, by the case as a word.
    rows_of: HashMap<String, Vec<HeldRow>>,
    /// The rows that name no case, whatever the plan holds.
    other_rows: Vec<HeldRow>,
    /// What names no case of the plan.
    strays: OnceLock<Strays>,
}

#[derive(Debug)]
struct HeldWaiver {
    waiver: Waiver,
    /// What it names, as a word of a key and without the root's name.
    name: String,
    named: Named,
}

#[derive(Debug)]
struct HeldRow {
    /// As it stands in the file.
    row: String,
    lines: Vec<u32>,
    /// Its first word, without the root's name.
    name: String,
    named: Named,
}

/// What names no case of the plan.
#[derive(Debug, Default)]
struct Strays {
    waivers: Vec<Finding>,
    rows: Vec<Finding>,
    more_rows: usize,
    texts: Vec<String>,
}

/// What became of a waiver or a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Idle,
    Matched,
    /// It matches what cannot be let stand.
    Refused(&'static str),
}

impl Terms {
    /// The terms of a root. The first root of a run that uses a baseline answers for rows that name no root.
    pub(super) fn new(config: &Config, today: Option<Date>, file: Option<Arc<File>>, is_first: bool) -> Self {
        let own = config.name.as_deref().map(|name| format!("{name}::"));
        let waivers: Vec<HeldWaiver> = config
            .own_waivers()
            .map(|waiver| {
                let rule = own.as_deref().and_then(|own| waiver.rule.strip_prefix(own)).unwrap_or(&waiver.rule);
                let name = word(rule);
                HeldWaiver { waiver: waiver.clone(), named: Named::of(&name, ""), name }
            })
            .collect();
        let mut waivers_of: HashMap<String, Vec<usize>> = HashMap::new();
        for (position, held) in waivers.iter().enumerate() {
            if let Some(case) = &held.named.case {
                waivers_of.entry(case.clone()).or_default().push(position);
            }
        }
        let mut terms = Terms {
            root: config.name.clone(),
            today,
            severities: config.severities.clone(),
            config_file: config.source.as_deref().map(|path| relative(&config.root, path)).unwrap_or_default(),
            waivers,
            waivers_of,
            baseline_file: file.as_deref().map(|file| relative(&config.root, &file.path)).unwrap_or_default(),
            file,
            rows_of: HashMap::new(),
            other_rows: Vec::new(),
            strays: OnceLock::new(),
        };
        terms.take_rows(is_first);
        terms
    }

    fn take_rows(&mut self, is_first: bool) {
        let Some(file) = self.file.as_ref().map(Arc::clone) else { return };
        let prefix = |root: &String| format!("{}::", word(root));
        let own = self.own_prefix(&file);
        let roots: Vec<String> = file.roots.iter().map(prefix).collect();
        for (row, lines) in file.baseline.rows() {
            let rest = match &own {
                None => row,
                Some(own) => match row.strip_prefix(own.as_str()) {
                    Some(rest) => rest,
                    None if is_first && !roots.iter().any(|root| row.starts_with(root.as_str())) => {
                        let named = Named { id: None, case: None };
                        self.other_rows.push(held(row, lines, row, named));
                        continue;
                    }
                    None => continue,
                },
            };
            let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            let named = Named::of(name, rest);
            let case = named.case.clone();
            let held = held(row, lines, name, named);
            match case {
                Some(case) => self.rows_of.entry(case).or_default().push(held),
                None => self.other_rows.push(held),
            }
        }
    }

    /// What the rows of this root open with, where several roots share the baseline.
    fn own_prefix(&self, file: &File) -> Option<String> {
        self.root.as_deref().filter(|_| !file.roots.is_empty()).map(|root| format!("{}::", word(root)))
    }

    /// The row of a diagnostic in the baseline: its key, without the root's name where the baseline serves this root alone.
    fn row_of(&self, file: &File, key: &str) -> String {
        match &self.root {
            Some(root) if file.roots.is_empty() => {
                key.strip_prefix(&format!("{}::", word(root))).unwrap_or(key).to_owned()
            }
            _ => key.to_owned(),
        }
    }

    /// Takes up the cases of the plan.
    pub(super) fn plan(&self, cases: &[Case]) {
        self.strays.get_or_init(|| self.strays(&Cases::of(cases)));
    }

    fn strays(&self, cases: &Cases) -> Strays {
        let mut strays = Strays::default();
        let mut sought = 0;
        let mut fault = |named: &Named, name: &str| {
            sought += 1;
            cases.fault(named, name, sought <= MAX_HINTS)
        };
        for held in &self.waivers {
            if let Some(fault) = fault(&held.named, &held.name) {
                let fault = format!("`{}` {fault}", harmless::shown(&held.waiver.rule, SHOWN));
                strays.waivers.push(self.unmatched(held, &fault));
            }
        }
        let Some(file) = &self.file else { return strays };
        let is_shared = !file.roots.is_empty();
        let mut rows: Vec<(&HeldRow, String)> = Vec::new();
        for held in &self.other_rows {
            let said = match fault(&held.named, &held.name) {
                Some(said) if held.name != held.row || !is_shared => said,
                _ => "opens with the name of no root that has this baseline".to_owned(),
            };
            rows.push((held, said));
        }
        for group in self.rows_of.values() {
            let Some(first) = group.first() else { continue };
            if let Some(said) = fault(&first.named, &first.name) {
                rows.extend(group.iter().map(|held| (held, said.clone())));
            }
        }
        rows.sort_by_key(|(held, _)| held.lines.first().copied());
        strays.texts = rows.iter().map(|(held, _)| held.row.clone()).collect();
        strays.more_rows = rows.len().saturating_sub(MAX_ROWS);
        strays.rows =
            rows.iter().take(MAX_ROWS).map(|(held, said)| self.stale(held, held.lines.first(), said)).collect();
        strays
    }

    /// Judges a case; see [`super::Acceptance::judge`].
    pub(super) fn judge(&self, case: &Case, report: &mut CaseReport) {
        let strays = self.strays.get();
        match &case.task {
            Task::OnlyReports => {}
            Task::Waivers => self.add(report, strays.map(|strays| strays.waivers.clone()).unwrap_or_default()),
            Task::Baseline => {
                let (Some(file), Some(strays)) = (&self.file, strays) else { return };
                if file.is_updated() {
                    file.take(strays.texts.iter().cloned(), []);
                } else {
                    self.add(report, strays.rows.clone());
                    report.more_errors += strays.more_rows;
                }
            }
            Task::Carriers | Task::Check(_) | Task::Contracts | Task::Body(_) => {
                if report.result != CaseResult::NotRun {
                    self.judge_own(case, report);
                }
            }
        }
    }

    fn judge_own(&self, case: &Case, report: &mut CaseReport) {
        let name = word(&case.name);
        let mut waivers = Waivers::of(self, &name);
        let mut rows = Rows::of(self.rows_of.get(&name).map(Vec::as_slice).unwrap_or_default());
        let is_updated = self.file.as_deref().is_some_and(File::is_updated);
        // What is counted and not held may match anything.
        let is_all = report.is_whole && report.more_errors + report.more_warnings == 0;
        let mut today: Vec<String> = Vec::new();
        for diagnostic in std::mem::take(&mut report.diagnostics) {
            let refusal = refusal(case, &diagnostic, report.is_whole);
            let row = self.file.as_deref().map(|file| self.row_of(file, &diagnostic.key));
            if let Some(waiver) = waivers.meet(&diagnostic, refusal) {
                let Waiver { expires, reason, .. } = &waiver;
                progress::detail(|| {
                    harmless::cut(&format!("waived until {expires}: {} ({reason})", diagnostic.key), MAX_TEXT)
                });
                report.waived += 1;
                if let Some(row) = &row {
                    rows.meet(row, None);
                }
                continue;
            }
            if let Some(row) = row {
                let is_held = rows.meet(&row, refusal);
                if refusal.is_none() && (is_held || (is_updated && report.is_whole)) {
                    report.accepted += 1;
                    if is_updated {
                        today.push(row);
                    }
                    continue;
                }
            }
            report.diagnostics.push(diagnostic);
        }
        let mut findings = waivers.findings(report, is_all);
        if let Some(file) = self.file.as_deref() {
            let is_known = |held: &&HeldRow| is_all && !self.is_left_out(&held.named);
            if is_updated {
                if report.is_whole {
                    file.take(rows.held.iter().filter(is_known).map(|held| held.row.clone()), today);
                }
            } else {
                let (stale, more) = rows.findings(self, is_known);
                findings.extend(stale);
                report.more_errors += more;
            }
        }
        self.add(report, findings);
    }

    /// Whether the command line leaves out what this names: then nothing is known of it.
    fn is_left_out(&self, named: &Named) -> bool {
        named.id.is_some_and(|id| self.severities.leaves_out(id))
    }

    fn is_over(&self, waiver: &Waiver) -> bool {
        self.today.is_some_and(|today| waiver.expires < today)
    }

    fn add(&self, report: &mut CaseReport, findings: Vec<Finding>) {
        let given = findings
            .iter()
            .map(|finding| Diagnostic { root: self.root.clone(), ..Diagnostic::of_finding(finding, &report.name) });
        let mut given: Vec<Diagnostic> = given.collect();
        // What is left keeps its keys: what is let stand does not change the others.
        diagnostic::identify(&mut given);
        report.diagnostics.append(&mut given);
    }

    fn finding(&self, id: FindingId, held: &HeldWaiver, message: String) -> Finding {
        let Waiver { rule, subject, line, .. } = &held.waiver;
        Finding::error(id, message).at(self.config_file.clone(), *line).about(subject).naming(rule)
    }

    fn unmatched(&self, held: &HeldWaiver, why: &str) -> Finding {
        let message = format!("{} lets nothing stand: {why}", said(&held.waiver));
        self.finding(FindingId::UnmatchedWaiver, held, message)
    }

    fn stale(&self, held: &HeldRow, line: Option<&u32>, why: &str) -> Finding {
        let message = format!("the row `{}` {why}", harmless::shown(&held.row, SHOWN));
        Finding::error(FindingId::StaleBaseline, message)
            .at(self.baseline_file.clone(), line.copied())
            .about(held.row.clone())
    }
}

fn held(row: &str, lines: &[u32], name: &str, named: Named) -> HeldRow {
    HeldRow { row: row.to_owned(), lines: lines.to_owned(), name: name.to_owned(), named }
}

fn said(waiver: &Waiver) -> String {
    let (rule, subject) = (harmless::shown(&waiver.rule, SHOWN), harmless::shown(&waiver.subject, SHOWN));
    format!("the waiver of `{rule}` for `{subject}`")
}

/// Why a diagnostic cannot be let stand.
fn refusal(case: &Case, diagnostic: &Diagnostic, is_whole: bool) -> Option<&'static str> {
    let id = match diagnostic.origin {
        Origin::Rule => return None,
        Origin::Body => return Some("a fault of the rule itself, which must be mended"),
        Origin::Engine(id) => id,
    };
    if case.task == Task::Carriers && !is_whole && diagnostic.is_error() {
        return Some("an error of extraction, which leaves a hole in the graph and must be mended");
    }
    let of = match id {
        FindingId::FindingsLeftOut => diagnostic.related.as_deref().and_then(id_of),
        id => Some(id),
    };
    let is_own = of.and_then(case_of_id).is_some_and(|own| own == case.name);
    (!is_own).then_some("an error that no waiver and no baseline can name")
}
