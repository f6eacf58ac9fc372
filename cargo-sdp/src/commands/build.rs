//! `build`: a root comes in; its graph goes to `graph.json` and the graph's JSON Schema beside it, each whole or not at
//! all. It runs no checks and warns of examples that do not fit their spaces. An error among its findings makes it fail,
//! by itself (of extraction) or by an override, and so does a folder that cannot be written. With `--check` nothing is
//! written, and a file that is not what would be written makes it fail.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use sdp_canon::{create_parents, write_all_atomic};
use sdp_core::extract::Extraction;
use sdp_core::files::{self, ReadError};
use sdp_core::finding::{Finding, finding_order};
use sdp_core::graph::{Index, JSON_SCHEMA};
use sdp_core::harmless;
use sdp_core::space;

use crate::difference;
use crate::errors::{Exit, Refusal};
use crate::output::Output;
use crate::overrides::SeverityArgs;
use crate::render;
use crate::report::MessageFormat;
use crate::root::{self, CommonArgs};

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
were. With --check nothing is written either: the files on disk are compared with what the Specs give, and \
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
    /// How findings are printed; with `json` everything else goes to stderr
    #[arg(long, value_name = "FORM", value_enum, default_value_t = MessageFormat::Short, help_heading = "Output")]
    pub(crate) message_format: MessageFormat,
}

/// Derives the graph and writes it.
#[sdp::satisfies("spec:sdp.build", component = "component:sdp.command-line")]
pub(crate) fn run(args: &BuildArgs, output: &mut Output) -> Result<Exit, Refusal> {
    if args.out_dir.as_ref().is_some_and(|folder| folder.is_empty()) {
        return Err(Refusal::MissingValue { flag: "--out-dir", wants: "a path" });
    }
    let workspace = root::load_weighed(&args.common, &args.severity)?;
    let extraction = workspace.extract();
    let form = args.message_format;
    let findings = all_findings(&extraction);
    form.findings(&findings, workspace.root(), output);
    render::notes_without_specs(&workspace, &extraction, output);
    form.summary(&summary(&extraction, &findings), output);
    if findings.iter().any(Finding::is_error) {
        return Err(Refusal::HardErrors);
    }
    let folder = match &args.out_dir {
        Some(folder) => workspace.cwd.join(folder),
        None => workspace.config.out_dir(&root::environment(&workspace.cwd)),
    };
    let json = extraction.graph.to_json().map_err(|error| unwritten(&error))?;
    let files = [("graph.json", json.as_str()), ("graph.schema.json", JSON_SCHEMA)];
    if args.check {
        return compare(&folder, &files, form, output);
    }
    let paths = files.map(|(name, text)| (folder.join(name), text.as_bytes()));
    let written = paths.each_ref().map(|(path, bytes)| (path.as_path(), *bytes));
    for (path, _) in written {
        create_parents(path).map_err(|error| unwritten(&error))?;
    }
    write_all_atomic(&written).map_err(|error| unwritten(&error))?;
    for (path, _) in written {
        form.summary(&format!("Wrote {}", shown(path)), output);
    }
    Ok(Exit::Fine)
}

/// Compares each file with what would be written, and shows what differs.
fn compare(folder: &Path, files: &[(&str, &str)], form: MessageFormat, output: &mut Output) -> Result<Exit, Refusal> {
    if let Some(obstacle) = obstacle(folder) {
        return Err(Refusal::Unwritten { message: obstacle });
    }
    let mut faults = Vec::new();
    for (name, derived) in files {
        let path = folder.join(name);
        match on_disk(&path, derived.len()) {
            Ok(Some(text)) if text == *derived => form.summary(&format!("{} is up to date", shown(&path)), output),
            Ok(Some(text)) => {
                let names = [path.to_string_lossy(), "derived from the Specs".into()];
                let names = names.each_ref().map(AsRef::as_ref);
                form.answer(|colour| difference::unified(names, &text, derived, colour), output);
                faults.push(format!("{} is not what the Specs give", shown(&path)));
            }
            Ok(None) => faults.push(format!("{} is missing", shown(&path))),
            Err(reason) => faults.push(format!("{} cannot be compared ({reason})", shown(&path))),
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

fn shown(path: &Path) -> String {
    harmless::one_line(&path.to_string_lossy()).into_owned()
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

fn unwritten(error: &dyn std::error::Error) -> Refusal {
    let cause = error.source().map(|cause| format!(" ({cause})")).unwrap_or_default();
    Refusal::Unwritten { message: harmless::one_line(&format!("{error}{cause}")).into_owned() }
}
