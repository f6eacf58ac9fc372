//! `check`: roots come in; every finding of configuration, discovery, extraction and checks goes out with its place, in
//! the forms that were asked for. An error finding ends with exit 1, warnings never do, and a root without any Spec is an
//! error.

use std::collections::{HashMap, HashSet};
use std::mem::ManuallyDrop;
use std::path::Path;

use sdp_core::config::Config;
use sdp_core::extract::Extraction;
use sdp_core::finding::{Finding, FindingId};
use sdp_core::reader::Reader;
use sdp_core::rules::{plan, plan_faults};
use sdp_core::severity::Severities;
use sdp_core::space;
use sdp_harness::accept::{self, Found};
use sdp_harness::diagnostic::{self, Diagnostic};
use sdp_harness::event::{RunRoot, Summary, counted};
use sdp_harness::outputs::{Format, Outputs, People};
use sdp_harness::{Acceptance, Root, progress};

use crate::accept::AcceptArgs;
use crate::errors::{Exit, Refusal};
use crate::output::Output;
use crate::overrides::SeverityArgs;
use crate::render;
use crate::report::{OutputsArgs, Report, check_cases, diagnostics_of, spare_baselines};
use crate::root::{self, CommonArgs, Workspace};

/// The arguments of `check`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Check the Specs and print every finding with its place and a remedy",
    long_about = "\
Check the Specs and print every finding with its place and a remedy.

Findings go to stderr and a closing summary to stdout, as the Protocol has it. Any form but `human` and `short` goes \
to stdout, and then the summary for people goes to stderr. With a file a form is written there, beside what the \
terminal shows. `github` goes to stderr where another form has stdout.

`cargo sdp explain <id>` says more about a finding.",
    after_help = "\
Examples:
  cargo sdp check
  cargo sdp check --output short
  cargo sdp check --output json | jq -r 'select(.finding).finding.id'
  cargo sdp check --output sarif=target/sdp/check.sarif --output github
  cargo sdp check -D warnings -A conformance/orphans
  cargo sdp check --baseline sdp-baseline.txt --update-baseline    accept what is found today

Exit codes: 0 no error finding, warnings are fine; 1 an error finding, or no Spec at all; 2 usage."
)]
pub(crate) struct CheckArgs {
    /// What findings weigh.
    #[command(flatten)]
    pub(crate) severity: SeverityArgs,
    /// What is let stand.
    #[command(flatten)]
    pub(crate) accept: AcceptArgs,
    /// Where to look.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
    /// Forms of output.
    #[command(flatten)]
    pub(crate) outputs: OutputsArgs,
}

/// Derives, checks and prints.
pub(crate) fn run(args: &CheckArgs, output: &mut Output) -> Result<Exit, Refusal> {
    let outputs = args.outputs.open(Format::Human, People::Stderr, output)?;
    let outcomes = match root::load_all_weighed(&args.common, &args.severity) {
        Ok(workspaces) => all(workspaces, &args.accept, &outputs, output)?,
        // A wrong configuration is what a check is there to say.
        Err(Refusal::InvalidConfig { root, findings }) => {
            vec![Outcome::refused(&root, &findings, "the configuration is invalid: nothing else was checked")]
        }
        Err(Refusal::InvalidSeverities { root, findings }) => {
            vec![Outcome::refused(&root, &findings, "a severity override is invalid: nothing else was checked")]
        }
        Err(refusal) => return Err(refusal),
    };
    let mut run = outputs.run("check", outcomes.iter().map(|outcome| outcome.root.clone()).collect());
    for outcome in &outcomes {
        run.checks.extend(check_cases(&outcome.root).take(if outcome.is_whole { usize::MAX } else { 1 }));
    }
    let mut report = Report::begin(outputs, &run, output);
    tell(&outcomes, &mut report);
    report.finish()?;
    Ok(if outcomes.iter().any(|outcome| outcome.counts().errors > 0) { Exit::Failed } else { Exit::Fine })
}

/// Checks each root, in order. What a configuration that they share says of itself is said once.
fn all(
    mut workspaces: Vec<Workspace>,
    accept: &AcceptArgs,
    outputs: &Outputs,
    output: &mut Output,
) -> Result<Vec<Outcome>, Refusal> {
    let cwd = workspaces.first().map(|workspace| workspace.cwd.clone()).unwrap_or_default();
    let mut configs: Vec<Config> = workspaces.iter().map(|workspace| workspace.config.clone()).collect();
    let acceptances = accept.prepare(&mut configs, &cwd)?;
    spare_baselines(outputs, &configs)?;
    for (workspace, config) in workspaces.iter_mut().zip(configs) {
        workspace.config = config;
    }
    let (mut outcomes, mut shared) = (Vec::new(), Shared::default());
    for (workspace, acceptance) in workspaces.into_iter().zip(&acceptances) {
        shared.count(&workspace);
        outcomes.push(Outcome::of(workspace, acceptance, &mut shared, output));
    }
    for said in accept::write_baselines(&acceptances)? {
        output.note(&said);
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
    Ok(outcomes)
}

/// The languages and modules that several roots share, and which of them matched nothing.
#[derive(Default)]
struct Shared {
    /// How many roots were seen.
    seen: usize,
    /// How many roots share.
    sharing: usize,
    /// How many of them have the module at a line and column.
    modules: HashMap<(u32, u32), usize>,
    /// What each root says matches nothing there, with the position of the root.
    unmatched: Vec<(usize, Finding)>,
}

impl Shared {
    fn count(&mut self, workspace: &Workspace) {
        if workspace.config.is_shared {
            self.sharing += 1;
            for (_, place) in &workspace.config.modules {
                *self.modules.entry((place.line, place.column)).or_default() += 1;
            }
        }
        self.seen += 1;
    }

    fn say(&mut self, findings: Vec<Finding>) {
        let root = self.seen.saturating_sub(1);
        self.unmatched.extend(findings.into_iter().map(|finding| (root, finding)));
    }

    /// The findings about what matched nothing in each root that has it, each as its first root says it.
    fn matched_nowhere(self) -> Vec<(usize, Finding)> {
        let mut said: HashMap<_, (usize, usize, Finding)> = HashMap::new();
        for (root, finding) in self.unmatched {
            let place = (finding.line.unwrap_or(0), finding.column.unwrap_or(0));
            said.entry((finding.id.as_str(), place)).or_insert((0, root, finding)).0 += 1;
        }
        let nowhere = said.into_iter().filter_map(|((_, place), (count, root, finding))| {
            let having = match finding.id {
                FindingId::UnmatchedModule => self.modules.get(&place).copied().unwrap_or(0),
                _ => self.sharing,
            };
            (count == having).then_some((root, finding))
        });
        nowhere.collect()
    }
}

/// What a check found.
struct Outcome {
    /// All that is said, in finding order.
    diagnostics: Vec<Diagnostic>,
    /// The root that it is about.
    root: RunRoot,
    /// What findings weigh.
    severities: Severities,
    /// Whether the checks ran.
    is_whole: bool,
    /// How many diagnostics are waived.
    waived: usize,
    /// How many diagnostics are accepted.
    accepted: usize,
    /// What the summary says in parentheses.
    tail: String,
}

impl Outcome {
    /// What keeps a check from reading anything.
    fn refused(root: &Path, findings: &[Finding], tail: &str) -> Self {
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

    fn of(workspace: Workspace, acceptance: &Acceptance, shared: &mut Shared, output: &mut Output) -> Self {
        let (extraction, unmatched) = workspace.extract_sharing();
        shared.say(unmatched);
        // Never taken apart: the process ends after this, and a large graph takes a while to free.
        let mut extraction = ManuallyDrop::new(extraction);
        render::note_without_specs(&workspace, &extraction, output);
        let is_whole = !extraction.has_errors();
        let mut tail = what_was_read(extraction.spec_count, extraction.pack_count, extraction.anchor_count);
        let graph = if is_whole {
            progress::during(&workspace.config.said("checking"), || graph_findings(&extraction))
        } else {
            // Checks over a graph with holes would blame the Specs that were read well.
            tail.push_str("; the graph did not derive: its checks did not run");
            Vec::new()
        };
        let mut findings = plan_faults(&workspace.config, &workspace.discover);
        // Where carriers were refused, their own findings say it better.
        if extraction.spec_count == 0 && is_whole {
            findings.push(no_specs(&workspace));
        }
        workspace.config.severities.apply(&mut findings);
        // The walks for carriers and for rules may both have met the same folder. What extraction says is weighed already, and
        // what refused something stays.
        let known: HashSet<String> = extraction.findings.iter().map(Finding::line_form).collect();
        findings.retain(|finding| !known.contains(&finding.line_form()));
        let found = Found {
            has_holes: !is_whole,
            has_specs: extraction.spec_count > 0,
            carriers: std::mem::take(&mut extraction.findings),
            graph,
        };
        // A plan costs a walk, which only waivers and rows need.
        let cases = match acceptance.is_empty() {
            true => None,
            false => plan(&workspace.config, &workspace.discover).ok().map(|plan| plan.cases),
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
    fn counts(&self) -> Summary {
        let mut counts = Summary { waived: self.waived, accepted: self.accepted, ..Summary::default() };
        self.diagnostics.iter().for_each(|one| counts.add(one));
        counts
    }

    fn summary(&self) -> String {
        let name = self.root.name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
        format!("{name}{} ({})", self.counts().weights(), self.tail)
    }
}

/// Sends all that was found.
fn tell(outcomes: &[Outcome], report: &mut Report<'_>) {
    for outcome in outcomes {
        if !outcome.is_whole {
            report.is_not_whole();
        }
        report.let_stand(outcome.waived, outcome.accepted);
        for one in &outcome.diagnostics {
            report.diagnostic(one);
        }
    }
    if report.people() == Some(Format::Human)
        && let Some(id) = to_explain(outcomes)
    {
        report.output().note(&format!("for more information about a finding: cargo sdp explain {id}"));
    }
    let mut lines: Vec<String> = outcomes.iter().map(Outcome::summary).collect();
    if outcomes.len() > 1 {
        let mut total = Summary::default();
        outcomes.iter().flat_map(|outcome| &outcome.diagnostics).for_each(|one| total.add(one));
        lines.push(format!("total: {} ({})", total.weights(), counted(outcomes.len(), "root")));
    }
    report.end(lines.join("\n"));
}

/// The finding to point at when all are shown: the first error, else the first warning.
fn to_explain(outcomes: &[Outcome]) -> Option<&str> {
    let mut said = outcomes.iter().flat_map(|outcome| &outcome.diagnostics);
    let first = said.clone().find(|one| one.is_error()).or_else(|| said.next());
    first.map(|one| one.rule.as_str())
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
fn graph_findings(extraction: &Extraction) -> Vec<Finding> {
    let reader = ManuallyDrop::new(Reader::of(extraction));
    let mut findings = reader.report().findings.clone();
    findings.extend(space::findings(reader.graph(), reader.index()));
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
