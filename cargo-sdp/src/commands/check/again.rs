//! A watch of `check`: what stands at each cycle comes in with what the watch keeps of it, what is found goes out.

use std::sync::Arc;

use sdp_core::config::Config;
use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::Extraction;
use sdp_core::rules::{Plan, PlanError, plan};
use sdp_harness::event::{Summary, counted};
use sdp_harness::outputs::People;

use super::CheckArgs;
use super::outcome::{Given, Outcome, judged};
use crate::errors::{Exit, Refusal};
use crate::output::Output;
use crate::report::check_cases;
use crate::root::Workspace;
use crate::watch::{self, Found, Ground, Request, Watched};

/// Checks again and again.
pub(super) fn watch(args: &CheckArgs, output: &mut Output) -> Result<Exit, Refusal> {
    let cwd = Request::cwd()?;
    let request = Request {
        command: "check",
        common: args.common.clone(),
        severity: args.severity.clone(),
        accept: args.accept.clone(),
        outputs: args.outputs.clone(),
        people: People::Stderr,
        polls: args.watch.poll,
        start: cwd.clone(),
        cwd,
    };
    watch::run(request, Again, output)
}

/// The checks of a watch.
struct Again;

impl Watched for Again {
    fn discover(&self, workspace: &Workspace) -> DiscoverOptions {
        workspace.discover_sharing()
    }

    fn configure(&self, _: &mut Config) {}

    fn runs_bodies(&self) -> bool {
        false
    }

    fn judge(&mut self, ground: Ground<'_>) -> Found {
        let Ground { workspaces, acceptances, plans, derive, .. } = ground;
        let baselines = workspaces.iter().filter_map(|workspace| workspace.config.baseline.clone()).collect();
        let mut notes = Vec::new();
        let outcomes = judged(workspaces, &acceptances, &mut Kept { plans, derive }, &mut notes);
        Found { baselines, notes, ..found(&outcomes) }
    }

    fn refused(&self, refusal: Refusal) -> Result<Found, Refusal> {
        match refusal {
            Refusal::InvalidConfig { root, findings } => {
                let tail = "the configuration is invalid: nothing else was checked";
                Ok(Found { is_refused: true, ..found(&[Outcome::refused(&root, &findings, tail)]) })
            }
            refusal => Err(refusal),
        }
    }
}

/// What a watch keeps; what is not needed any more is freed.
struct Kept<'g> {
    plans: Vec<Arc<Result<Plan, PlanError>>>,
    derive: &'g mut dyn FnMut(usize) -> Extraction,
}

impl Given for Kept<'_> {
    fn extraction(&mut self, position: usize, _: &Workspace) -> Extraction {
        (self.derive)(position)
    }

    fn plan(&mut self, position: usize, workspace: &Workspace) -> Arc<Result<Plan, PlanError>> {
        let kept = self.plans.get(position).cloned();
        kept.unwrap_or_else(|| Arc::new(plan(&workspace.config, &workspace.discover)))
    }

    fn end<T>(&mut self, value: T) {
        drop(value);
    }
}

/// The outcomes as a watch has them.
fn found(outcomes: &[Outcome]) -> Found {
    let mut total = Summary { is_whole: true, ..Summary::default() };
    let mut found = Found::default();
    for outcome in outcomes {
        found.roots.push(outcome.root.clone());
        found.diagnostics.extend(outcome.diagnostics.iter().cloned());
        let mut cases = check_cases(&outcome.root);
        found.checks.extend(cases.by_ref().take(if outcome.is_whole { usize::MAX } else { 1 }));
        found.unjudged.extend(cases.map(|(_, case)| case));
        total.waived += outcome.waived;
        total.accepted += outcome.accepted;
        total.is_whole &= outcome.is_whole;
    }
    found.counts = total.clone();
    found.diagnostics.iter().for_each(|one| total.add(one));
    found.summary = match outcomes {
        [only] => only.summary(),
        several => format!("{} ({})", total.weights(), counted(several.len(), "root")),
    };
    found
}
