//! What a check of each root finds: roots come in, with somebody who gives their graphs and plans; their diagnostics and the line that
//! sums each up go out. Nothing is printed here.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use sdp_core::extract::{Extraction, extract};
use sdp_core::finding::{Finding, FindingId};
use sdp_core::reader::Reader;
use sdp_core::rules::{Plan, PlanError, faults_of, plan};
use sdp_core::severity::Severities;
use sdp_core::space;
use sdp_harness::accept;
use sdp_harness::diagnostic::{self, Diagnostic};
use sdp_harness::event::{RunRoot, Summary, counted};
use sdp_harness::{Acceptance, Root, progress};

use super::shared::Shared;
use crate::render;
use crate::report::diagnostics_of;
use crate::root::Workspace;

/// What gives a check what it judges, root by root.
pub(super) trait Given {
    /// The graph of the root at a position.
    fn extraction(&mut self, position: usize, workspace: &Workspace) -> Extraction;
    /// The plan of its rules.
    fn plan(&mut self, position: usize, workspace: &Workspace) -> Arc<Result<Plan, PlanError>>;
    /// Takes what is not needed any more.
    fn end<T>(&mut self, value: T);
}

/// One check: all is read and planned.
pub(super) struct Once {
    /// Whether what is not needed any more is freed. Before a process ends nothing is, since a large graph takes a while.
    pub(super) frees: bool,
}

impl Given for Once {
    fn extraction(&mut self, _: usize, workspace: &Workspace) -> Extraction {
        extract(workspace.root(), &workspace.discover_sharing())
    }

    fn plan(&mut self, _: usize, workspace: &Workspace) -> Arc<Result<Plan, PlanError>> {
        Arc::new(plan(&workspace.config, &workspace.discover))
    }

    fn end<T>(&mut self, value: T) {
        if !self.frees {
            std::mem::forget(value);
        }
    }
}

/// Checks each root, in order. What a configuration that they share says of itself is said once.
pub(super) fn judged(
    workspaces: Vec<Workspace>,
    acceptances: &[Acceptance],
    given: &mut impl Given,
    notes: &mut Vec<String>,
) -> Vec<Outcome> {
    let (mut outcomes, mut shared) = (Vec::new(), Shared::default());
    for (position, (workspace, acceptance)) in workspaces.into_iter().zip(acceptances).enumerate() {
        shared.count(&workspace);
        outcomes.push(Outcome::of(position, workspace, acceptance, given, &mut shared, notes));
    }
    // A run of one root of several cannot tell what matches nothing in all of them.
    if outcomes.len() > 1 {
        for (root, finding) in shared.matched_nowhere() {
            if let Some(outcome) = outcomes.get_mut(root) {
                outcome.add(finding);
            }
        }
    }
    // What two roots say of one file is said of a configuration that they share, or of its rules.
    let mut said = HashSet::new();
    if outcomes.len() > 1 {
        for outcome in &mut outcomes {
            let root = &outcome.root;
            let shown = |one: &Diagnostic| (one.line_form(one.place(root).as_deref()), one.column);
            outcome.diagnostics.retain(|one| !said.contains(&shown(one)));
            said.extend(outcome.diagnostics.iter().map(shown));
        }
    }
    outcomes
}

/// What a check found.
pub(super) struct Outcome {
    /// All that is said, in finding order.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The root that it is about.
    pub(super) root: RunRoot,
    /// What findings weigh.
    pub(super) severities: Severities,
    /// Whether the checks ran.
    pub(super) is_whole: bool,
    /// How many diagnostics are waived.
    pub(super) waived: usize,
    /// How many diagnostics are accepted.
    pub(super) accepted: usize,
    /// What the summary says in parentheses.
    pub(super) tail: String,
}

impl Outcome {
    /// What keeps a check from reading anything.
    pub(super) fn refused(root: &Path, findings: &[Finding], tail: &str) -> Self {
        let root = RunRoot::bare(root);
        Outcome {
            diagnostics: diagnostics_of(findings, &root),
            root,
            severities: Severities::default(),
            is_whole: false,
            waived: 0,
            accepted: 0,
            tail: tail.to_owned(),
        }
    }

    fn of(
        position: usize,
        workspace: Workspace,
        acceptance: &Acceptance,
        given: &mut impl Given,
        shared: &mut Shared,
        notes: &mut Vec<String>,
    ) -> Self {
        let (mut extraction, unmatched) = workspace.extract_sharing(|| given.extraction(position, &workspace));
        shared.say(unmatched);
        notes.extend(render::without_specs(&workspace, &extraction));
        let is_whole = !extraction.has_errors();
        let mut tail = what_was_read(extraction.spec_count, extraction.pack_count, extraction.anchor_count);
        let graph = if is_whole {
            progress::during(&workspace.config.said("checking"), || graph_findings(&extraction, given))
        } else {
            // Checks over a graph with holes would blame the Specs that were read well.
            tail.push_str("; the graph did not derive: its checks did not run");
            Vec::new()
        };
        let plan = given.plan(position, &workspace);
        let mut findings = faults_of(&plan, &workspace.config);
        // Where carriers were refused, their own findings say it better.
        if extraction.spec_count == 0 && is_whole {
            findings.push(no_specs(&workspace));
        }
        workspace.config.severities.apply(&mut findings);
        // The walks for carriers and for rules may both have met the same folder. What extraction says is weighed already, and
        // what refused something stays.
        let known: HashSet<String> = extraction.findings.iter().map(Finding::line_form).collect();
        findings.retain(|finding| !known.contains(&finding.line_form()));
        let found = accept::Found {
            has_holes: !is_whole,
            has_specs: extraction.spec_count > 0,
            carriers: std::mem::take(&mut extraction.findings),
            graph,
        };
        given.end(extraction);
        let cases = match acceptance.is_empty() {
            true => None,
            false => plan.as_ref().as_ref().ok().map(|plan| plan.cases.clone()),
        };
        let seen = workspace.seen;
        let severities = workspace.config.severities.clone();
        let (acceptance, cache) = (acceptance.clone(), None);
        let root = Root { config: workspace.config, discover: workspace.discover, acceptance, cache };
        let mut diagnostics = diagnostics_of(&findings, &seen);
        let (mut waived, mut accepted) = (0, 0);
        for report in Acceptance::check(&root, cases, found) {
            waived += report.waived;
            accepted += report.accepted;
            diagnostics.extend(report.diagnostics);
        }
        diagnostics.sort_by(diagnostic::order);
        Outcome { diagnostics, root: seen, severities, is_whole, waived, accepted, tail }
    }

    /// Takes up a finding that is not weighed.
    fn add(&mut self, finding: Finding) {
        let mut findings = vec![finding];
        self.severities.apply(&mut findings);
        self.diagnostics.extend(diagnostics_of(&findings, &self.root));
        self.diagnostics.sort_by(diagnostic::order);
    }

    /// How many errors and warnings there are, and what is let stand.
    pub(super) fn counts(&self) -> Summary {
        let mut counts = Summary { waived: self.waived, accepted: self.accepted, ..Summary::default() };
        self.diagnostics.iter().for_each(|one| counts.add(one));
        counts
    }

    pub(super) fn summary(&self) -> String {
        let name = self.root.name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
        format!("{name}{} ({})", self.counts().weights(), self.tail)
    }
}

/// The counts of a summary. Anchors are named where there is one: a repository may do without.
fn what_was_read(specs: usize, packs: usize, anchors: usize) -> String {
    let mut counts = format!("{} · {}", counted(specs, "spec"), counted(packs, "pack"));
    if anchors > 0 {
        counts.push_str(" · ");
        counts.push_str(&counted(anchors, "anchor"));
    }
    counts
}

/// What was looked for and not found, and why.
fn no_specs(workspace: &Workspace) -> Finding {
    let looked_for = "no Spec was found: looked for *.sdp.md, *.sdp.gherkin and *.sdp.ts below the root";
    match render::hidden_carriers(workspace) {
        Some(hidden) => Finding::error(FindingId::NoSpecs, format!("{looked_for}; {hidden}"))
            .with_help("change the `.gitignore` that hides them, or point `--root` at the folder that holds the Specs"),
        None => Finding::error(FindingId::NoSpecs, looked_for),
    }
}

/// The report of the checks and what is said of the example spaces, with the place where each subject's id is authored.
fn graph_findings(extraction: &Extraction, given: &mut impl Given) -> Vec<Finding> {
    let reader = Reader::of(extraction);
    let mut findings = reader.report().findings.clone();
    findings.extend(space::findings(reader.graph(), reader.index()));
    given.end(reader);
    extraction.said(findings)
}

#[cfg(test)]
mod tests {
    use super::what_was_read;

    #[test]
    fn anchors_are_counted_where_there_are_any() {
        assert_eq!(what_was_read(3, 1, 0), "3 specs · 1 pack");
        assert_eq!(what_was_read(1, 0, 1), "1 spec · 0 packs · 1 anchor");
        assert_eq!(what_was_read(3, 1, 5), "3 specs · 1 pack · 5 anchors");
    }
}
