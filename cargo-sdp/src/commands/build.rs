//! `build`: a root comes in; its graph goes to `graph.json`, whole or not at all. It runs no checks, and only an extraction
//! error or a folder that cannot be written makes it fail.

use std::ffi::OsString;

use sdp_canon::{create_parents, write_atomic};
use sdp_core::extract::Extraction;
use sdp_core::finding::Finding;
use sdp_core::graph::Node;
use sdp_core::harmless;

use crate::errors::{Exit, Refusal};
use crate::output::Output;
use crate::overrides::SeverityArgs;
use crate::render;
use crate::report::MessageFormat;
use crate::root::{self, CommonArgs};

/// The arguments of `build`.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(
    about = "Write the graph as graph.json; runs no checks",
    long_about = "\
Write the graph as graph.json; runs no checks.

The file is the same, byte for byte, for the same Specs. It is written beside its place and renamed, so that a \
reader finds the old one or the new one. Under an extraction error nothing is written and an earlier file \
stays as it was.",
    after_help = "\
Examples:
  cargo sdp build
  cargo sdp build --out-dir site/data
  cargo sdp build -D warnings                    write nothing under a warning of extraction

Exit codes: 0 written; 1 an extraction error, or a folder that cannot be written; 2 usage."
)]
pub(crate) struct BuildArgs {
    /// Where graph.json goes, relative to the current folder [default: the configuration's out-dir, else `sdp` in
    /// cargo's target folder, else .sdp/out]
    #[arg(long, value_name = "DIR")]
    pub(crate) out_dir: Option<OsString>,
    /// What findings weigh.
    #[command(flatten)]
    pub(crate) severity: SeverityArgs,
    /// Where to look.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
    /// How findings of extraction are printed
    #[arg(long, value_name = "FORM", value_enum, default_value_t = MessageFormat::Short, help_heading = "Output")]
    pub(crate) message_format: MessageFormat,
}

/// Derives the graph and writes it.
pub(crate) fn run(args: &BuildArgs, output: &mut Output) -> Result<Exit, Refusal> {
    if args.out_dir.as_ref().is_some_and(|folder| folder.is_empty()) {
        return Err(Refusal::MissingValue { flag: "--out-dir", wants: "a path" });
    }
    let workspace = root::load_weighed(&args.common, &args.severity)?;
    let extraction = workspace.extract();
    let form = args.message_format;
    form.findings(&extraction.findings, workspace.root(), output);
    render::notes_without_specs(&workspace, &extraction, output);
    form.summary(&summary(&extraction), output);
    if extraction.findings.iter().any(Finding::is_error) {
        return Err(Refusal::HardErrors);
    }
    let folder = match &args.out_dir {
        Some(folder) => workspace.cwd.join(folder),
        None => workspace.config.out_dir(&root::environment(&workspace.cwd)),
    };
    let path = folder.join("graph.json");
    let json = extraction.graph.to_json().map_err(|error| unwritten(&error))?;
    create_parents(&path).and_then(|()| write_atomic(&path, json.as_bytes())).map_err(|error| unwritten(&error))?;
    form.summary(&format!("Wrote {}", harmless::one_line(&path.to_string_lossy())), output);
    Ok(Exit::Fine)
}

fn summary(extraction: &Extraction) -> String {
    let Extraction { graph, findings, .. } = extraction;
    let anchors = graph.nodes.iter().filter(|node| matches!(node, Node::Anchor(_) | Node::Code(_))).count();
    let errors = findings.iter().filter(|finding| Finding::is_error(finding)).count();
    format!(
        "{} specs · {} packs · {anchors} anchors → {} nodes · {} edges ({errors} errors, {} warnings)",
        extraction.spec_count,
        extraction.pack_count,
        graph.nodes.len(),
        graph.edges.len(),
        findings.len() - errors,
    )
}

fn unwritten(error: &dyn std::error::Error) -> Refusal {
    let cause = error.source().map(|cause| format!(" ({cause})")).unwrap_or_default();
    Refusal::Unwritten { message: format!("{error}{cause}") }
}
