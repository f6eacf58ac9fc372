//! `build`: roots come in; the graph of each goes to `graph.json` and the graph's JSON Schema beside it, each whole or not at
//! all. It runs no checks and warns of examples that do not fit their spaces. An error among its findings makes it fail,
//! by itself (of extraction) or by an override, and so does a folder that cannot be written. With `--check` nothing is
//! written, and a file that is not what would be written makes it fail.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use sdp_canon::{WriteError, create_parents, write_all_atomic};
use sdp_core::extract::Extraction;
use sdp_core::files::{self, ReadError};
use sdp_core::finding::{Finding, finding_order};
use sdp_core::graph::{Index, JSON_SCHEMA};
use sdp_core::harmless;
use sdp_core::rules::{CARRIERS_CASE, CONTRACTS_CASE};
use sdp_core::space;
use sdp_harness::outputs::{Format, People};
use sdp_harness::paths::shown;

use crate::difference;
use crate::errors::{Exit, Refusal};
use crate::output::Output;
use crate::overrides::SeverityArgs;
use crate::render;
use crate::report::{OutputsArgs, Report, case_id};
use crate::root::{self, CommonArgs, Workspace};

/// What is written into the folder of a root.
const FILES: [&str; 2] = ["graph.json", "graph.schema.json"];

/// The arguments of `build`.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(
    about = "Write the graph as graph.json, and its JSON Schema; runs no checks",
    long_about = "\
Write the graph as graph.json, and its JSON Schema as graph.schema.json; runs no checks.

Its findings go to stderr: those of extraction, and warnings about examples and their example spaces. An error among \
them keeps it from writing, and -D or the configuration can make any of them an error.

The files are the same, byte for byte, for the same Specs. Each is written beside its place and renamed, so that a \
reader finds the old one or the new one. Under an error finding nothing is written and earlier files stay as they \
were. Of two or more roots each has a folder of its own, called by its name; all are written, or none. With --check nothing is written either: the files on disk are compared with what the Specs give, and \
what differs is shown.",
    after_help = "\
Examples:
  cargo sdp build
  cargo sdp build --out-dir site/data
  cargo sdp build -D warnings                    write nothing under a warning
  cargo sdp build --check

Exit codes: 0 written, or with --check as it would be written; 1 an error finding, a folder that cannot be \
written, or with --check a file that differs or is missing; 2 usage."
)]
pub(crate) struct BuildArgs {
    /// Where graph.json goes, relative to the current folder [default: the configuration's out-dir, else `sdp` in
    /// cargo's target folder, else .sdp/out]
    #[arg(long, value_name = "DIR")]
    pub(crate) out_dir: Option<OsString>,
    /// Write nothing; compare with the files on disk and show what differs
    #[arg(long)]
    pub(crate) check: bool,
    /// What findings weigh.
    #[command(flatten)]
    pub(crate) severity: SeverityArgs,
    /// Where to look.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
    /// Forms of output.
    #[command(flatten)]
    pub(crate) outputs: OutputsArgs,
}

/// Derives the graph and writes it.
#[sdp::satisfies("spec:sdp.build", component = "component:sdp.command-line")]
pub(crate) fn run(args: &BuildArgs, output: &mut Output) -> Result<Exit, Refusal> {
    if args.out_dir.as_ref().is_some_and(|folder| folder.is_empty()) {
        return Err(Refusal::MissingValue { flag: "--out-dir", wants: "a path" });
    }
    let outputs = args.outputs.open(Format::Short, People::Stderr, output)?;
    let workspaces = root::load_all_weighed(&args.common, &args.severity)?;
    let mut run = outputs.run("build", workspaces.iter().map(|workspace| workspace.seen.clone()).collect());
    let (mut files, mut has_errors, mut summaries) = (Vec::new(), false, Vec::new());
    let folder_of = |workspace: &Workspace| match &args.out_dir {
        Some(folder) => workspace.config.own_out_dir(workspace.cwd.join(folder)),
        None => workspace.config.out_dir(&root::environment(&workspace.cwd)),
    };
    for folder in workspaces.iter().map(folder_of) {
        for name in FILES {
            outputs.spare(&folder.join(name), "what `build` writes").map_err(Refusal::Outputs)?;
        }
    }
    let extractions: Vec<Extraction> = workspaces.iter().map(Workspace::extract).collect();
    for (workspace, extraction) in workspaces.iter().zip(&extractions) {
        let judged = [CARRIERS_CASE, CONTRACTS_CASE].into_iter().take(if extraction.has_errors() { 1 } else { 2 });
        run.checks.extend(judged.map(|case| case_id(&workspace.seen, case)));
    }
    let mut report = Report::begin(outputs, &run, output);
    for (workspace, extraction) in workspaces.iter().zip(&extractions) {
        let findings = all_findings(extraction);
        if extraction.has_errors() {
            report.is_not_whole();
        }
        report.findings(&findings, &workspace.seen);
        render::notes_without_specs(workspace, extraction, report.output());
        summaries.push(workspace.config.said(&summary(extraction, &findings)));
        has_errors |= findings.iter().any(Finding::is_error);
        let folder = folder_of(workspace);
        let [graph, schema] = FILES;
        let json = extraction
            .graph
            .to_json()
            .map_err(|error| Refusal::Unwritten { message: harmless::one_line(&error.to_string()).into_owned() })?;
        files.push((folder.join(graph), Cow::Owned(json)));
        files.push((folder.join(schema), Cow::Borrowed(JSON_SCHEMA)));
    }
    report.end(summaries.join("\n"));
    let built = if has_errors { Err(Refusal::HardErrors) } else { write_or_compare(args, &files, &mut report) };
    report.finish_as("build", built)
}

/// Writes the files, or compares them.
fn write_or_compare(
    args: &BuildArgs,
    files: &[(PathBuf, Cow<'_, str>)],
    report: &mut Report<'_>,
) -> Result<Exit, Refusal> {
    if args.check {
        return compare(files, report);
    }
    let written: Vec<(&Path, &[u8])> = files.iter().map(|(path, text)| (path.as_path(), text.as_bytes())).collect();
    for (path, _) in &written {
        create_parents(path).map_err(|error| unwritten(&error))?;
    }
    write_all_atomic(&written).map_err(|error| unwritten(&error))?;
    for (path, _) in written {
        report.line(&format!("Wrote {}", shown(path)));
    }
    Ok(Exit::Fine)
}

/// Compares each file with what would be written, and shows what differs.
fn compare(files: &[(PathBuf, Cow<'_, str>)], report: &mut Report<'_>) -> Result<Exit, Refusal> {
    if let Some(obstacle) = files.iter().filter_map(|(path, _)| path.parent()).find_map(obstacle) {
        return Err(Refusal::Unwritten { message: obstacle });
    }
    let mut faults = Vec::new();
    for (path, derived) in files {
        match on_disk(path, derived.len()) {
            Ok(Some(text)) if text == *derived => report.line(&format!("{} is up to date", shown(path))),
            Ok(Some(text)) => {
                let names = [path.to_string_lossy(), "derived from the Specs".into()];
                let names = names.each_ref().map(AsRef::as_ref);
                report.answer(|colour| difference::unified(names, &text, derived, colour));
                faults.push(format!("{} is not what the Specs give", shown(path)));
            }
            Ok(None) => faults.push(format!("{} is missing", shown(path))),
            Err(reason) => faults.push(format!("{} cannot be compared ({reason})", shown(path))),
        }
    }
    if faults.is_empty() { Ok(Exit::Fine) } else { Err(Refusal::OutOfDate { faults }) }
}

/// What keeps a folder from being made: the nearest thing upwards that stands there, unless it is a folder.
fn obstacle(folder: &Path) -> Option<String> {
    let (path, metadata) =
        folder.ancestors().find_map(|path| fs::symlink_metadata(path).ok().map(|metadata| (path, metadata)))?;
    if path.is_dir() {
        return None;
    }
    let what = if metadata.is_symlink() { "is a symbolic link that leads to no folder" } else { "is no folder" };
    Some(format!("{} {what}: {} cannot be made there", shown(path), shown(folder)))
}

/// The text of a file on disk, if there is one. One that `build` would not replace (a link, a folder) is refused, and so is
/// one that is far larger than what it is compared with: it would take memory without end and show nothing.
fn on_disk(path: &Path, derived: usize) -> Result<Option<String>, ReadError> {
    const ROOM: u64 = 1 << 20;
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => return Err(ReadError::NotRegular),
        Ok(_) => {}
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(error) => return Err(ReadError::Io(error)),
    }
    files::read_text(path, (derived as u64).saturating_mul(2).saturating_add(ROOM)).map(Some)
}

/// What extraction says and, of a graph that is whole, what is said of its example spaces.
fn all_findings(extraction: &Extraction) -> Vec<Finding> {
    let mut findings = extraction.findings.clone();
    if !extraction.has_errors() {
        findings.extend(extraction.said(space::findings(&extraction.graph, &Index::new(&extraction.graph))));
        findings.sort_by(finding_order);
    }
    findings
}

fn summary(extraction: &Extraction, findings: &[Finding]) -> String {
    let graph = &extraction.graph;
    let errors = findings.iter().filter(|finding| Finding::is_error(finding)).count();
    format!(
        "{} specs · {} packs · {} anchors → {} nodes · {} edges ({errors} errors, {} warnings)",
        extraction.spec_count,
        extraction.pack_count,
        extraction.anchor_count,
        graph.nodes.len(),
        graph.edges.len(),
        findings.len() - errors,
    )
}

fn unwritten(error: &WriteError) -> Refusal {
    Refusal::Unwritten { message: harmless::one_line(&error.explained()).into_owned() }
}
