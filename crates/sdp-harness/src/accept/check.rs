//! `check` has no cases, and is judged as if it had: what it found comes in, the reports of the cases that `rules` would run
//! over it go out, those of bodies left out.

use sdp_core::finding::Finding;
use sdp_core::rules::{Case, Outcome, Task, Verdict, engine_cases};

use super::Acceptance;
use crate::Root;
use crate::report::CaseReport;

/// What a check found.
#[derive(Clone, Debug)]
pub struct Found {
    /// What extraction found, weighed.
    pub carriers: Vec<Finding>,
    /// Whether errors left holes in the graph.
    pub has_holes: bool,
    /// Whether there is a Spec.
    pub has_specs: bool,
    /// What the checks and the example spaces gave, weighed; it is not looked at where the graph has holes.
    pub graph: Vec<Finding>,
}

impl Acceptance {
    /// Judges what a check found. `plan` holds the cases of the root's plan; none where it has no plan.
    #[must_use]
    pub fn check(root: &Root, plan: Option<Vec<Case>>, found: Found) -> Vec<CaseReport> {
        let Found { carriers, has_holes, has_specs, graph: mut rest } = found;
        let is_planned = plan.is_some();
        let cases = plan.unwrap_or_else(engine_cases);
        if is_planned {
            root.acceptance.plan(&cases);
        }
        let is_judged = !has_holes && has_specs;
        let mut carriers = Some(carriers);
        let mut reports = Vec::new();
        for case in &cases {
            let verdict = match &case.task {
                Task::Carriers if has_holes => Verdict::Holes(carriers.take().unwrap_or_default()),
                Task::Carriers => Verdict::Engine(carriers.take().unwrap_or_default()),
                Task::Check(_) | Task::Contracts if has_holes => continue,
                Task::Check(id) => {
                    let (own, others) = rest.into_iter().partition(|finding| finding.is_of(*id));
                    rest = others;
                    Verdict::Engine(own)
                }
                // The last of those that judge the graph.
                Task::Contracts => Verdict::Engine(std::mem::take(&mut rest)),
                Task::Waivers | Task::Baseline => Verdict::Engine(Vec::new()),
                Task::Body(_) | Task::OnlyReports => continue,
            };
            let outcome = Outcome { verdict, description: None, console: Vec::new() };
            let name = root.case_name(&case.name);
            let mut report = CaseReport::of(case, &name, root.config.name.as_deref(), outcome);
            // Where there is no Spec, nothing was looked at.
            report.is_whole &= is_judged || !case.task.needs_graph();
            root.acceptance.judge(case, &mut report);
            reports.push(report);
        }
        reports
    }
}
