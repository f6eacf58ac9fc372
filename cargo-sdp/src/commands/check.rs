//! `check`: a root comes in; every finding of configuration, discovery, extraction and checks goes out with its place, in
//! one of three forms. An error finding ends with exit 1, warnings never do, and a root without any Spec is an error.

use std::path::PathBuf;
use std::sync::Arc;

use sdp_core::extract::Extraction;
use sdp_core::finding::{Finding, FindingId, finding_order};
use sdp_core::harmless;
use sdp_core::reader::Reader;
use sdp_core::rules::plan_faults;
use sdp_harness::human::{Block, Blocks};
use sdp_harness::progress;
use serde_json::{Map, Value, json};

use crate::errors::{Exit, Refusal};
use crate::output::Output;
use crate::render::{self, counted};
use crate::root::{self, CommonArgs, Workspace};

/// The arguments of `check`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Check the Specs and print every finding with its place and a remedy",
    long_about = "\
Check the Specs and print every finding with its place and a remedy.

Findings go to stderr and a closing summary to stdout, as the Protocol has it. With `--message-format json` \
the findings go to stdout, one object a line, and the summary to stderr.",
    after_help = "\
Examples:
  cargo sdp check
  cargo sdp check --message-format short
  cargo sdp check --message-format json | jq -r .finding.id

Exit codes: 0 no error finding, warnings are fine; 1 an error finding, or no Spec at all; 2 usage."
)]
pub(crate) struct CheckArgs {
    /// How findings are printed
    #[arg(long, value_name = "FORM", value_enum, default_value_t = MessageFormat::Human)]
    pub(crate) message_format: MessageFormat,
    /// Where to look.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// The forms in which findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum MessageFormat {
    /// With the source line and a remedy, on stderr
    Human,
    /// One line each, on stderr: file:line — [severity] id — message
    Short,
    /// One JSON object a line, on stdout: {"finding": {"id", "severity", "message", "file", "line", …}}
    Json,
}

/// Derives, checks and prints.
pub(crate) fn run(args: &CheckArgs, output: &mut Output) -> Result<Exit, Refusal> {
    let outcome = match root::load(&args.common) {
        Ok(workspace) => Outcome::of(workspace, output),
        // A wrong configuration is what a check is there to say.
        Err(Refusal::InvalidConfig { root, findings }) => {
            Outcome { findings, root, tail: "the configuration is invalid: nothing else was checked".to_owned() }
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
        let extraction = workspace.extract();
        render::note_without_specs(&workspace, &extraction, output);
        let mut tail =
            format!("{} · {}", counted(extraction.spec_count, "spec"), counted(extraction.pack_count, "pack"));
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
        findings.extend(extraction.findings);
        findings.extend(plan_faults(&workspace.config, &workspace.discover));
        findings.sort_by(finding_order);
        // The walks for carriers and for rules may both have met the same folder.
        findings.dedup();
        Outcome { findings, root: workspace.config.root, tail }
    }

    fn errors(&self) -> usize {
        self.findings.iter().filter(|finding| finding.is_error()).count()
    }
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

/// The report of the checks, with the place where each subject's id is authored.
fn graph_findings(extraction: &Extraction) -> Vec<Finding> {
    let reader = Reader::new(Arc::clone(&extraction.graph));
    reader.report().findings.iter().map(|finding| extraction.placed(finding)).collect()
}

fn print(outcome: &Outcome, form: MessageFormat, output: &mut Output) {
    let errors = outcome.errors();
    let warnings = outcome.findings.len() - errors;
    let summary = format!("{} · {} ({})", counted(errors, "error"), counted(warnings, "warning"), outcome.tail);
    match form {
        MessageFormat::Human => {
            let mut blocks = Blocks::new(&outcome.root, output.colour_stderr);
            for finding in &outcome.findings {
                output.err(&blocks.render(&Block::from(finding).note("help", Some(finding.remedy()))));
            }
            output.out_line(&summary);
        }
        MessageFormat::Short => {
            render::lines(&outcome.findings, output);
            output.out_line(&summary);
        }
        MessageFormat::Json => {
            for finding in &outcome.findings {
                output.out_line(&json_line(finding));
            }
            output.err_line(&summary);
        }
    }
}

/// `{"finding": {…}}`: id, severity and message always, the rest where it is known.
fn json_line(finding: &Finding) -> String {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    };
    let known = |value: &Option<String>| value.as_deref().map(Value::from);
    put("id", Some(finding.id.as_str().into()));
    put("severity", Some(finding.severity.as_str().into()));
    put("message", Some(finding.message.as_str().into()));
    put("file", known(&finding.file));
    put("line", finding.line.map(Value::from));
    put("column", finding.column.map(Value::from));
    put("family", Some(finding.id.family().as_str().into()));
    put("subjectId", known(&finding.subject));
    put("relatedId", known(&finding.related));
    put("path", known(&finding.path));
    put("help", Some(finding.remedy().into()));
    harmless::in_json(&json!({ "finding": fields }).to_string()).into_owned()
}
