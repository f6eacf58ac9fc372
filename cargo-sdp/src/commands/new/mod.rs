//! `new`: a noun, a place and what the author says come in; one new file goes out: a Spec, a Pack, a rule, a recipe or an evaluation contract. It overwrites
//! nothing, invents no content, and writes no carrier that the tool would not read. Its refusals end with 1; those about a Spec are the
//! lines that the Protocol pins.

pub(crate) mod arguments;
mod bodies;
mod carriers;
mod contracts;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sdp_core::discover;
use sdp_core::harmless;
use sdp_harness::paths::shown;

use crate::create::{self, Fault};
use crate::errors::{Exit, Refusal};
use crate::output::Output;
use crate::root::{self, CommonArgs, Workspace};

/// The arguments of `new`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Write a new Spec, Pack, rule, recipe or evaluation contract to start from",
    long_about = "\
Write one new file to start from: a Spec, a Pack, a rule, a recipe or an evaluation contract. Nothing is overwritten, nothing \
is asked, and no link leads out of the folder.",
    after_help = "\
Examples:
  cargo sdp new spec specs/refund.sdp.md --id spec:shop.refund \\
      --kind behavior --altitude feature --title 'A customer gets the money back' \\
      --outcome 'The amount of a returned order is paid back'
  cargo sdp new pack specs/shop.pack.sdp.md --id pack:shop --title 'The shop' \\
      --member spec:shop.refund
  cargo sdp new rule naming/kebab
  cargo sdp new recipe open-work
  cargo sdp new contract refunds --spec spec:shop.refund --interface api

Exit codes: 0 written, or with --dry-run as it would be written; 1 every refusal, also of the arguments."
)]
pub(crate) struct NewArgs {
    /// What to write.
    #[command(subcommand)]
    pub(crate) noun: Noun,
    /// Where to look.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// What can be written.
#[derive(Clone, Debug, clap::Subcommand)]
pub(crate) enum Noun {
    /// Write a Spec at rung `idea`: its frontmatter, title and outcome, and the bare heading of its kind
    Spec(SpecArgs),
    /// Write a Pack: its title and the Specs that it lists
    Pack(PackArgs),
    /// Write a rule that runs, to be made your own
    Rule(RuleArgs),
    /// Write a body that answers a question, to be made your own
    Recipe(RecipeArgs),
    /// Write an evaluation contract that compiles, to be made your own
    Contract(ContractArgs),
}

/// The arguments of `new spec`.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "\
PATH ends in .sdp.md and starts at the current folder, or at --root. Folders above it are made.

Examples:
  cargo sdp new spec specs/refund.sdp.md --id spec:shop.refund \\
      --kind behavior --altitude feature --title 'A customer gets the money back' \\
      --outcome 'The amount of a returned order is paid back'
  cargo sdp new spec specs/whole-cents.sdp.md --id spec:shop.whole-cents \\
      --kind decision --altitude story --title 'Amounts are whole cents' \\
      --outcome 'No amount is rounded twice' --dry-run

Exit codes: 0 written, or with --dry-run as it would be written; 1 every refusal, also of the arguments.")]
pub(crate) struct SpecArgs {
    /// The file, relative to the current folder or to --root
    #[arg(value_name = "PATH", required = true)]
    pub(crate) path: Option<OsString>,
    /// Its id, such as spec:shop.refund
    #[arg(long, value_name = "ID", required = true)]
    pub(crate) id: Option<String>,
    /// behavior, workflow, example, rule, constraint, model, decision or contract
    #[arg(long, value_name = "KIND", required = true)]
    pub(crate) kind: Option<String>,
    /// epic, feature or story
    #[arg(long, value_name = "ALT", required = true)]
    pub(crate) altitude: Option<String>,
    /// Its title, one line
    #[arg(long, value_name = "TITLE", required = true)]
    pub(crate) title: Option<String>,
    /// What somebody gets from it, one line
    #[arg(long, value_name = "OUTCOME", required = true)]
    pub(crate) outcome: Option<String>,
    /// Write nothing; print the document behind a line with its path
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The arguments of `new pack`.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "\
PATH ends in .pack.sdp.md and starts at the current folder, or at --root. Folders above it are made. Whether its members \
exist is for `cargo sdp check` to say.

Examples:
  cargo sdp new pack specs/shop.pack.sdp.md --id pack:shop --title 'The shop'
  cargo sdp new pack specs/shop.pack.sdp.md --id pack:shop --title 'The shop' \\
      --member spec:shop.orders --member spec:shop.refund

Exit codes: 0 written, or with --dry-run as it would be written; 1 every refusal, also of the arguments.")]
pub(crate) struct PackArgs {
    /// The file, relative to the current folder or to --root
    #[arg(value_name = "PATH", required = true)]
    pub(crate) path: Option<OsString>,
    /// Its id, such as pack:shop
    #[arg(long, value_name = "ID", required = true)]
    pub(crate) id: Option<String>,
    /// Its title, one line
    #[arg(long, value_name = "TITLE", required = true)]
    pub(crate) title: Option<String>,
    /// A Spec that it lists; may be repeated, and the order is kept
    #[arg(long, value_name = "ID")]
    pub(crate) member: Vec<String>,
    /// Write nothing; print the document behind a line with its path
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The arguments of `new rule`.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "\
The file is rules/NAME.sdp.js below the configuration's folder; where `rule-globs` are configured, it lies where one of them \
finds it. The rule runs at once: it fails where a ready Spec has no test, until you write your own condition.

Examples:
  cargo sdp new rule ready-is-verified
  cargo sdp new rule naming/kebab --description 'Ids are words joined by -'
  cargo sdp new rule ready-is-verified --dry-run

Exit codes: 0 written, or with --dry-run as it would be written; 1 every refusal, also of the arguments.")]
pub(crate) struct RuleArgs {
    /// Its name: words of letters, digits, `-` and `_`, with `/` between levels; without an ending
    #[arg(value_name = "NAME", required = true)]
    pub(crate) name: Option<OsString>,
    /// What it is for, one line; it is shown with its findings
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// Write nothing; print the body behind a line with its path
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The arguments of `new recipe`.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "\
The file is recipes/NAME.js below the configuration's folder. `q` runs it, with the parameters that its head names.

Examples:
  cargo sdp new recipe open-work --description 'The Specs that are not ready yet'
  cargo sdp q --params '{\"altitude\":\"feature\"}' < recipes/open-work.js
  cargo sdp new recipe open-work --dry-run

Exit codes: 0 written, or with --dry-run as it would be written; 1 every refusal, also of the arguments.")]
pub(crate) struct RecipeArgs {
    /// Its name: words of letters, digits, `-` and `_`, with `/` between levels; without an ending
    #[arg(value_name = "NAME", required = true)]
    pub(crate) name: Option<OsString>,
    /// What it answers, one line
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// Write nothing; print the body behind a line with its path
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The arguments of `new contract`.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "\
The file is evals/NAME.contract.json below the configuration's folder; where `contracts` are configured, it lies where one of \
them finds it. It compiles and seals at once: one operation that looks something up, two behaviors, three oracles. Replace them \
by your own, one at a time, and compile after each.

Examples:
  cargo sdp new contract refunds --spec spec:shop.refund
  cargo sdp new contract refunds --spec spec:shop.refund --interface api
  cargo sdp new contract desk/tickets --spec spec:desk.tickets --interface mcp --dry-run

Exit codes: 0 written, or with --dry-run as it would be written; 1 every refusal, also of the arguments.")]
pub(crate) struct ContractArgs {
    /// Its name: words of letters, digits, `-` and `_`, with `/` between levels; without an ending
    #[arg(value_name = "NAME", required = true)]
    pub(crate) name: Option<OsString>,
    /// The Spec that it evaluates, such as spec:shop.refund
    #[arg(long, value_name = "ID", required = true)]
    pub(crate) spec: Option<String>,
    /// What it calls: cli, a program that is started; api, an HTTP service; mcp, a server of tools [default: cli]
    #[arg(long, value_name = "KIND")]
    pub(crate) interface: Option<String>,
    /// Write nothing; print the contract behind a line with its path
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// A file to be made.
struct Document {
    /// The command, as its refusals name it: `new spec`.
    command: &'static str,
    /// The folder that it may not leave, absolute.
    base: PathBuf,
    /// What that folder is called in a refusal.
    base_name: &'static str,
    /// Its path from there.
    path: PathBuf,
    text: String,
    /// What an author does next.
    next: Option<String>,
    /// What of it a run reads, as messages say it, where a walk is to find the file.
    walked: Option<&'static str>,
    dry_run: bool,
}

/// Writes what the noun says.
#[sdp::satisfies("spec:sdp.new", component = "component:sdp.command-line")]
pub(crate) fn run(args: &NewArgs, output: &mut Output) -> Result<Exit, Refusal> {
    let document = match &args.noun {
        Noun::Spec(spec) => carriers::spec(spec, &args.common, output)?,
        Noun::Pack(pack) => carriers::pack(pack, &args.common)?,
        Noun::Rule(rule) => bodies::rule(rule, &args.common)?,
        Noun::Recipe(recipe) => bodies::recipe(recipe, &args.common)?,
        Noun::Contract(contract) => contracts::contract(contract, &args.common)?,
    };
    let target = place(&document)?;
    if document.dry_run {
        output.document(&shown(&target), &document.text);
        output.note("note: nothing was written; 1 document would be");
        return Ok(Exit::Fine);
    }
    write(&document, &target)?;
    output.out_line(&format!("Wrote {}", shown(&target)));
    if let Some(read) = document.walked.filter(|_| is_left_out(&target, &args.common)) {
        output.note(&format!(
            "note: no run from here reads {read}: it lies outside of every root, or in a folder that is left out (`cargo sdp check --verbose` names both)",
        ));
    }
    if let Some(next) = &document.next {
        output.note(&format!("note: {next}"));
    }
    Ok(Exit::Fine)
}

/// A refusal of `new`.
fn refused(command: &'static str, message: impl Into<String>, hint: impl Into<Option<String>>) -> Refusal {
    Refusal::NotMade { command, message: message.into(), hint: hint.into() }
}

fn place(document: &Document) -> Result<PathBuf, Refusal> {
    create::target(&document.base, &document.path).map_err(|fault| faulty(document, fault))
}

fn write(document: &Document, target: &Path) -> Result<(), Refusal> {
    create::write(&document.base, &[(target, document.text.as_bytes())]).map_err(|fault| faulty(document, fault))
}

/// What is said of a file that cannot be made.
fn faulty(document: &Document, fault: Fault) -> Refusal {
    let Document { command, base_name, .. } = document;
    let own = |hint: &str| Some(hint.to_owned());
    let inside = "name a path whose folders lie below it";
    match fault {
        Fault::Unresolved(error) => {
            refused(command, format!("PATH cannot be resolved inside {base_name}: {error}"), own(inside))
        }
        Fault::Escapes(None) => {
            refused(command, format!("PATH escapes {base_name} through a parent symlink."), own(inside))
        }
        Fault::Escapes(Some(error)) => {
            refused(command, format!("PATH escapes {base_name} through a parent symlink: {error}"), own(inside))
        }
        Fault::Exists(path) => refused(
            command,
            format!("{} already exists and will not be overwritten.", shown(&path)),
            own("choose another name, or remove what stands there"),
        ),
        Fault::Folder(folder, error) => refused(
            command,
            format!("the folder {} cannot be made ({error}).", shown(&folder)),
            own("the folder must be writable; nothing was written"),
        ),
        Fault::Write(error) => {
            let message = harmless::one_line(&error.explained()).into_owned();
            refused(command, message, own("the folder must be writable; nothing was written"))
        }
    }
}

/// Whether no run that starts here reads a carrier or a contract. Where the configuration is wrong nobody knows, and the next command says so.
pub(crate) fn is_left_out(target: &Path, common: &CommonArgs) -> bool {
    let reads = |workspace: &Workspace| {
        let Ok(path) = target.strip_prefix(workspace.root()) else { return false };
        let path = path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
        let found = discover::walk(workspace.root(), &workspace.discover);
        found.carriers.iter().map(|carrier| &carrier.path).chain(&found.contracts).any(|found| *found == path)
    };
    root::load_all(common).is_ok_and(|workspaces| !workspaces.iter().any(reads))
}
