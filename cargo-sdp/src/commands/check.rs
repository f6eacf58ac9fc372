//! `check`: a root comes in; every finding of configuration, discovery, extraction and checks goes out with its place, in
//! one of three forms. An error finding ends with exit 1, warnings never do, and a root without any Spec is an error.

use std::mem::ManuallyDrop;
use std::path::PathBuf;

use sdp_core::extract::Extraction;
use sdp_core::finding::{Finding, FindingId, finding_order};
use sdp_core::reader::Reader;
use sdp_core::rules::plan_faults;
use sdp_core::space;
use sdp_harness::progress;

use crate::errors::{Exit, Refusal};
use crate::output::Output;
use crate::overrides::SeverityArgs;
use crate::render::{self, counted};
use crate::report::MessageFormat;
use crate::root::{self, CommonArgs, Workspace};

/// The arguments of `check`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Check the Specs and print every finding with its place and a remedy",
    long_about = "\
Check the Specs and print every finding with its place and a remedy.

Findings go to stderr and a closing summary to stdout, as the Protocol has it. With `--message-format json` \
the findings go to stdout, one object a line, and the summary to stderr.

`cargo sdp explain <id>` says more about a finding.",
    after_help = "\
Examples:
  cargo sdp check
  cargo sdp check --message-format short
  cargo sdp check --message-format json | jq -r .finding.id
  cargo sdp check -D warnings -A conformance/orphans

Exit codes: 0 no error finding, warnings are fine; 1 an error finding, or no Spec at all; 2 usage."
)]
pub(crate) struct CheckArgs {
    /// What findings weigh.
    #[command(flatten)]
    pub(crate) severity: SeverityArgs,
    /// Where to look.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
    /// How findings are printed
    #[arg(long, value_name = "FORM", value_enum, default_value_t = MessageFormat::Human, help_heading = "Output")]
    pub(crate) message_format: MessageFormat,
}

/// Derives, checks and prints.
pub(crate) fn run(args: &CheckArgs, output: &mut Output) -> Result<Exit, Refusal> {
    let outcome = match root::load_weighed(&args.common, &args.severity) {
        Ok(workspace) => Outcome::of(workspace, output),
        // A wrong configuration is what a check is there to say.
        Err(Refusal::InvalidConfig { root, findings }) => {
            Outcome { findings, root, tail: "the configuration is invalid: nothing else was checked".to_owned() }
        }
        Err(Refusal::InvalidSeverities { root, findings }) => {
            Outcome { findings, root, tail: "a severity override is invalid: nothing else was checked".to_owned() }
        }
        Err(refusal) => return Err(refusal),
    };
    print(&outcome, args.message_format, output);
    Ok(if outcome.errors() > 0 { Exit::Failed } else { Exit::Fine })
}

/// What a check found.
struct Outcome {
    /// All findings, in finding order.
    findings: Vec<Finding>,
    /// Where their files lie.
    root: PathBuf,
    /// What the summary says in parentheses.
    tail: String,
}

impl Outcome {
    fn of(workspace: Workspace, output: &mut Output) -> Self {
        // Never taken apart: the process ends after this, and a large graph takes a while to free.
        let mut extraction = ManuallyDrop::new(workspace.extract());
        render::note_without_specs(&workspace, &extraction, output);
        let mut tail = what_was_read(extraction.spec_count, extraction.pack_count, extraction.anchor_count);
        let mut findings = if extraction.has_errors() {
            // Checks over a graph with holes would blame the Specs that were read well.
            tail.push_str("; the graph did not derive: its checks did not run");
            Vec::new()
        } else {
            progress::during("checking", || graph_findings(&extraction))
        };
        // Where carriers were refused, their own findings say it better.
        if extraction.spec_count == 0 && !extraction.has_errors() {
            findings.push(no_specs(&workspace));
        }
        findings.extend(plan_faults(&workspace.config, &workspace.discover));
        workspace.config.severities.apply(&mut findings);
        // These are weighed already, and what refused something stays.
        findings.append(&mut extraction.findings);
        findings.sort_by(finding_order);
        // The walks for carriers and for rules may both have met the same folder.
        findings.dedup();
        Outcome { findings, root: workspace.config.root, tail }
    }

    fn errors(&self) -> usize {
        self.findings.iter().filter(|finding| finding.is_error()).count()
    }

    /// The finding to point at when all are shown: the first error, else the first warning.
    fn to_explain(&self) -> Option<FindingId> {
        let first = self.findings.iter().find(|finding| finding.is_error()).or(self.findings.first());
        first.map(|finding| finding.id)
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
fn graph_findings(extraction: &Extraction) -> Vec<Finding> {
    let reader = ManuallyDrop::new(Reader::of(extraction));
    let mut findings = reader.report().findings.clone();
    findings.extend(space::findings(reader.graph(), reader.index()));
    extraction.said(findings)
}

fn print(outcome: &Outcome, form: MessageFormat, output: &mut Output) {
    let errors = outcome.errors();
    let warnings = outcome.findings.len() - errors;
    form.findings(&outcome.findings, &outcome.root, output);
    let summary = format!("{} · {} ({})", counted(errors, "error"), counted(warnings, "warning"), outcome.tail);
    if form == MessageFormat::Human
        && let Some(id) = outcome.to_explain()
    {
        output.note(&format!("for more information about a finding: cargo sdp explain {}", id.as_str()));
    }
    form.summary(&summary, output);
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
