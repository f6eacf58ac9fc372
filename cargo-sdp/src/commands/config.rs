//! `config`: roots come in; what is in force in each and where each part of it was said goes out, for people or as JSON. It reads
//! the configuration and the names of rule files, no Spec, no body and no file of parameters.

mod rules;
mod settings;

use sdp_core::config::JSON_SCHEMA;
use sdp_core::finding::Finding;
use sdp_core::harmless;
use sdp_core::rules::plan_faults;
use sdp_harness::human::{Block, Blocks};
use serde_json::{Value, json};

use self::settings::Setting;
use crate::errors::{Exit, Refusal};
use crate::output::Output;
use crate::root::{self, CommonArgs, Workspace};

/// The most characters of one value that are shown.
const SHOWN: usize = 200;

/// The widest column that others are aligned behind.
const WIDEST: usize = 48;

/// The arguments of `config`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Show the configuration that is in force, and where each part of it stands",
    long_about = "\
Show the configuration that is in force, and where each part of it stands: a line of the file, an option, a variable, or \
the default.

Folders and files are shown relative to the root; patterns and parameters as the configuration has them. Rule files are listed with the pattern that found them, configured rules \
with their bodies and parameters. What is wrong with the configuration is printed on stderr, and the run ends with 1.",
    after_help = "\
Examples:
  cargo sdp config
  cargo sdp config --root backend
  cargo sdp config --json | jq '.roots[].settings[] | select(.key == \"out-dir\")'
  cargo sdp config --schema > sdp.schema.json

Exit codes: 0 shown; 1 the configuration is wrong, or a refusal; 2 usage."
)]
pub(crate) struct ConfigArgs {
    /// Print it as JSON
    #[arg(long, conflicts_with = "schema")]
    pub(crate) json: bool,
    /// Print the JSON Schema of a configuration, for editors; nothing is read
    #[arg(long)]
    pub(crate) schema: bool,
    /// Where to look.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Shows what is in force.
#[sdp::satisfies("spec:sdp.config-command", component = "component:sdp.command-line")]
pub(crate) fn run(args: &ConfigArgs, output: &mut Output) -> Result<Exit, Refusal> {
    if args.schema {
        output.out(JSON_SCHEMA);
        return Ok(Exit::Fine);
    }
    let workspaces = match root::load_all(&args.common) {
        Ok(workspaces) => workspaces,
        Err(Refusal::InvalidConfig { findings, .. }) if args.json => {
            print_json(Vec::new(), &findings, output);
            return Ok(Exit::Failed);
        }
        Err(refusal) => return Err(refusal),
    };
    let mut findings = Vec::new();
    let mut rows = Vec::new();
    let mut text = String::new();
    for workspace in &workspaces {
        let shown = Shown::of(workspace, args);
        if args.json {
            rows.push(shown.json(workspace));
        } else {
            text.push_str(if text.is_empty() { "" } else { "\n" });
            text.push_str(&shown.text(output.colour_stdout));
        }
        let mut blocks = Blocks::new(workspace.seen.home.as_path(), output.colour_stderr);
        for fault in shown.faults {
            let fault = workspace.seen.finding(fault);
            // Roots that share a configuration share what is wrong with its rules.
            if findings.contains(&fault) {
                continue;
            }
            if !args.json {
                output.err(&blocks.render(&Block::from(&fault).note("help", Some(fault.remedy()))));
            }
            findings.push(fault);
        }
    }
    if args.json {
        print_json(rows, &findings, output);
    } else {
        output.out(&text);
    }
    Ok(if findings.iter().any(Finding::is_error) { Exit::Failed } else { Exit::Fine })
}

/// What is in force for one root.
struct Shown {
    settings: Vec<Setting>,
    files: Vec<rules::RuleFile>,
    rules: Vec<rules::ConfiguredRule>,
    /// What is wrong with the rules before one of them runs.
    faults: Vec<Finding>,
}

impl Shown {
    fn of(workspace: &Workspace, args: &ConfigArgs) -> Self {
        let mut faults = plan_faults(&workspace.config, &workspace.discover);
        faults.extend(workspace.config.findings.iter().cloned());
        workspace.config.severities.apply(&mut faults);
        Shown {
            settings: settings::of(workspace, &args.common),
            files: rules::files(workspace),
            rules: rules::configured(workspace),
            faults,
        }
    }

    fn json(&self, workspace: &Workspace) -> Value {
        json!({
            "name": workspace.config.name,
            "settings": self.settings.iter().map(Setting::json).collect::<Vec<_>>(),
            "ruleFiles": self.files.iter().map(rules::RuleFile::json).collect::<Vec<_>>(),
            "rules": self.rules.iter().map(rules::ConfiguredRule::json).collect::<Vec<_>>(),
        })
    }

    fn text(&self, colour: bool) -> String {
        let paint = Paint { on: colour };
        let mut text = String::new();
        let rows: Vec<[String; 3]> = self.settings.iter().map(Setting::row).collect();
        table(&mut text, "", &rows, paint);
        if !self.files.is_empty() {
            text.push_str(&format!("\n{}\n", paint.heading("rule files")));
            let rows: Vec<[String; 3]> = self.files.iter().map(rules::RuleFile::row).collect();
            table(&mut text, "  ", &rows, paint);
        }
        if !self.rules.is_empty() {
            text.push_str(&format!("\n{}\n", paint.heading("configured rules")));
            let rows: Vec<[String; 3]> = self.rules.iter().flat_map(rules::ConfiguredRule::rows).collect();
            table(&mut text, "  ", &rows, paint);
        }
        text
    }
}

/// Colours that print nothing where they are off.
#[derive(Clone, Copy)]
struct Paint {
    on: bool,
}

impl Paint {
    fn heading(self, text: &str) -> String {
        if self.on { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn origin(self, text: &str) -> String {
        if self.on { format!("\u{1b}[2m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Rows of a name, a value and where it was said, in columns.
fn table(text: &mut String, indent: &str, rows: &[[String; 3]], paint: Paint) {
    let shown: Vec<[String; 3]> =
        rows.iter().map(|row| row.each_ref().map(|cell| harmless::cut(cell, SHOWN))).collect();
    let width = |column: usize| {
        let cells = shown.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.filter(|width| *width <= WIDEST).max().unwrap_or_default()
    };
    let (first, second) = (width(0), width(1));
    for [name, value, origin] in &shown {
        let line = format!("{indent}{name:first$}  {value:second$}  {}", paint.origin(origin));
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

fn print_json(roots: Vec<Value>, findings: &[Finding], output: &mut Output) {
    let findings: Vec<Value> = findings.iter().map(finding_json).collect();
    let whole = json!({ "roots": roots, "findings": findings });
    // A line break of a text is escaped there already: those that stand are between the parts.
    for line in format!("{whole:#}").lines() {
        output.out_line(&harmless::in_json(line));
    }
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "id": finding.id.as_str(),
        "severity": finding.severity.as_str(),
        "message": finding.message,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "help": finding.remedy(),
    })
}
