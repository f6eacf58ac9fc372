//! `import`: paths come in; the Spec of each TypeScript carrier there goes out in Markdown beside it, all of them or none. It
//! overwrites nothing, and the TypeScript carriers stay for their author to remove. Any finding about a carrier refuses it,
//! warnings included, and so does all that Markdown does not hold.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sdp_canon::{WriteError, write_all_new};
use sdp_core::finding::Finding;
use sdp_core::harmless;
use sdp_core::import::{self, Plan, Planned, Request};
use sdp_core::rules::CARRIERS_CASE;
use sdp_harness::event::counted;
use sdp_harness::outputs::{Format, People};
use sdp_harness::paths::shown;
use sdp_harness::progress;

use crate::errors::{Exit, Refusal};
use crate::output::{Output, heading};
use crate::report::{OutputsArgs, Report, case_id};
use crate::root::{self, CommonArgs};

/// The arguments of `import`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Write the Specs of TypeScript carriers (.sdp.ts) in Markdown, beside them",
    long_about = "\
Write the Specs of TypeScript carriers in Markdown, beside them: `refund.sdp.ts` gives `refund.sdp.md`.

A path is a carrier, or a folder that is searched for some, as `check` would search it; the modules that the configuration \
trusts count here too. Each Markdown carrier is read again before anything is written, and reads back as the same Spec. \
Where that is not so, the finding names the first field that Markdown does not hold.

All carriers are converted, or nothing is written. A carrier is refused for any finding about it, warnings included, for a \
Pack, for more than one Spec, and where a file stands at its target: nothing is overwritten. Only the Specs are \
carried over; comments are not.

The TypeScript carriers stay. Remove them afterwards: until then two carriers claim each id, which is an error \
(extract/duplicate-id). A run that is killed while it writes leaves files .sdp-write-*, and maybe whole documents: remove \
both before the next run.",
    after_help = "\
Examples:
  cargo sdp import specs --dry-run               show what would be written
  cargo sdp import specs/refund.sdp.ts && git rm specs/refund.sdp.ts
  cargo sdp import specs --exclude specs/shop.pack.sdp.ts    all but the carrier of a Pack
  cargo sdp import -- -odd-name.sdp.ts           a path that opens with a dash

Exit codes: 0 written, or with --dry-run as it would be written; 1 a finding that refuses a carrier, no carrier at all, or a \
folder that cannot be written; 2 usage."
)]
pub(crate) struct ImportArgs {
    /// Carriers, and folders that hold some, relative to the current folder
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<OsString>,
    /// Write nothing; print each document behind a line with its path
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Where to look.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
    /// Forms of output.
    #[command(flatten)]
    pub(crate) outputs: OutputsArgs,
}

/// Plans the import, and writes it where the plan is whole.
pub(crate) fn run(args: &ImportArgs, output: &mut Output) -> Result<Exit, Refusal> {
    if args.paths.iter().any(|path| path.is_empty()) {
        return Err(Refusal::MissingValue { flag: "PATH", wants: "a file or a folder" });
    }
    let outputs = args.outputs.open(Format::Human, People::Stderr, output)?;
    let workspace = root::load(&args.common)?;
    let paths: Vec<PathBuf> = args.paths.iter().map(PathBuf::from).collect();
    let (root, options) = (workspace.root(), &workspace.discover);
    let request = Request { root, cwd: &workspace.cwd, paths: &paths, options };
    let Plan { documents, findings } = progress::during("converting carriers", || import::plan(&request));
    let mut run = outputs.run("import", vec![workspace.seen.clone()]);
    run.checks.push(case_id(&workspace.seen, CARRIERS_CASE));
    let mut report = Report::begin(outputs, &run, output);
    report.findings(&findings, &workspace.seen);
    report.end(String::new());
    let imported = write(args, &documents, &findings, &mut report);
    report.finish_as("import", imported)
}

/// Writes the documents, or shows them.
fn write(
    args: &ImportArgs,
    documents: &[Planned],
    findings: &[Finding],
    report: &mut Report<'_>,
) -> Result<Exit, Refusal> {
    if findings.iter().any(Finding::is_error) {
        return Err(Refusal::NotImported {
            message: "nothing was written: every carrier is converted, or none.".to_owned(),
            hint: "mend what the findings name, or name the carriers that can be converted",
        });
    }
    if documents.is_empty() {
        return Err(Refusal::NotImported {
            message: "nothing was written: there is no carrier to convert.".to_owned(),
            hint: "`cargo sdp import PATH…` takes `.sdp.ts` files, and folders that hold some",
        });
    }
    if args.dry_run {
        for document in documents {
            show(document, report);
        }
        report.output().note(&format!("note: nothing was written; {} would be", counted(documents.len(), "document")));
        return Ok(Exit::Fine);
    }
    let files: Vec<(&Path, &[u8])> =
        documents.iter().map(|document| (document.target.as_path(), document.text.as_bytes())).collect();
    progress::during("writing documents", || write_all_new(&files)).map_err(|error| unwritten(&error))?;
    for document in documents {
        report.line(&format!("Wrote {}", shown(&document.target)));
    }
    report
        .output()
        .note("note: the TypeScript carriers stay: remove them, or two carriers claim each id (extract/duplicate-id)");
    Ok(Exit::Fine)
}

/// One document of a dry run, byte for byte into a file or a pipe.
fn show(document: &Planned, report: &mut Report<'_>) {
    let stdout_is_taken = report.stdout_is_taken();
    let output = report.output();
    let path = shown(&document.target);
    if stdout_is_taken {
        output.err(&format!("{}\n{}", heading(&path), harmless::lines(&document.text)));
    } else {
        output.document(&path, &document.text);
    }
}

fn unwritten(error: &WriteError) -> Refusal {
    let message = harmless::one_line(&error.explained()).into_owned();
    let hint = match error {
        WriteError::NotTakenBack { .. } => "remove what is left by hand before the next run",
        WriteError::Exists { .. } => {
            "nothing is overwritten: remove that file, or leave its source out; nothing was written"
        }
        _ => "the folder of each source must be writable; nothing was written",
    };
    Refusal::NotImported { message, hint }
}
