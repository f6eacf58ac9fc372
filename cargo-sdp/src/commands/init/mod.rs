//! `init`: a folder comes in; a configuration, a first Spec with its Pack, a rule, a test target and a pipeline go out, or what is to be done by
//! hand. Everything is planned before anything is written, and what is there stays.

mod cargo;
mod harness;
mod manifest;
mod members;
mod plan;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sdp_canon::write_all_atomic;
use sdp_core::config::{self, LoadError, RootRequest};
use sdp_core::harmless;
use sdp_harness::event::counted;
use sdp_harness::paths;

use self::plan::{Plan, Step};
use crate::commands::new::is_left_out;
use crate::create::{self, Fault};
use crate::difference;
use crate::errors::{Exit, Refusal};
use crate::output::{self, Output, OutputArgs};
use crate::root::CommonArgs;

/// The arguments of `init`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Set a repository up: configuration, a first Spec and rule, a test target, a pipeline",
    long_about = "\
Set a repository up: the configuration, a first Spec with the Pack that lists it, a first rule, a test target that runs all \
rules in `cargo test`, and a pipeline. In a cargo package or workspace the configuration and the test target are added to \
Cargo.toml, whose other bytes stay; elsewhere the configuration is sdp.toml.

What is there stays, and each file is said: written, kept, or left out with the reason. Other files are not touched. \
Everything is planned first, so that a refusal writes nothing. A run that is killed while it writes may leave some of the \
files, each of them whole, and files .sdp-write-*: the next run completes them.

The harness of the test target is on no registry yet. It is taken from where this program was built or installed from, or \
from a clone in ../cargo-sdp; --harness names another clone, or the address to clone from.",
    after_help = "\
Examples:
  cargo sdp init --dry-run                    show what would be written
  cargo sdp init                              here, or at the top of the workspace or of the git repository
  cargo sdp init backend --ci gitlab --agents
  cargo sdp init --package shop-core          the test target goes into this member of the workspace
  cargo sdp init --harness ../cargo-sdp       where a clone of the project lies

Exit codes: 0 set up, also where parts were kept or left out; 1 a refusal, and nothing was written; 2 usage."
)]
pub(crate) struct InitArgs {
    /// The folder [default: the root that a run from here has]
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<OsString>,
    /// Write nothing; print each document, and how Cargo.toml would change
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Write the skill that teaches a coding agent the graph too: .agents/skills/cargo-sdp/SKILL.md
    #[arg(long)]
    pub(crate) agents: bool,
    /// The pipeline [default: gitlab where .gitlab-ci.yml is there, else github]
    #[arg(long, value_name = "FORGE", value_enum)]
    pub(crate) ci: Option<Forge>,
    /// The member of the workspace that gets the test target [default: the root package, else the only member]
    #[arg(long, value_name = "NAME", conflicts_with = "no_test")]
    pub(crate) package: Option<String>,
    /// Where the harness comes from: a clone of the project, or the address to clone from
    #[arg(long, value_name = "PATH|URL", conflicts_with = "no_test")]
    pub(crate) harness: Option<String>,
    /// Leave the test target out
    #[arg(long)]
    pub(crate) no_test: bool,
    /// What to say beside the answer.
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Whose pipeline is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Forge {
    /// .github/workflows/specs.yml
    Github,
    /// .gitlab/specs.yml, and .gitlab-ci.yml where there is none
    Gitlab,
    /// No pipeline
    None,
}

/// A refusal of `init`.
fn refused(message: impl Into<String>, hint: impl Into<String>) -> Refusal {
    Refusal::NotMade { command: "init", message: message.into(), hint: Some(hint.into()) }
}

/// Plans, then writes or shows.
#[sdp::satisfies("spec:sdp.init", component = "component:sdp.command-line")]
pub(crate) fn run(args: &InitArgs, output: &mut Output) -> Result<Exit, Refusal> {
    let cwd = std::env::current_dir().map_err(Refusal::NoCurrentFolder)?;
    let config = configuration(args, &cwd)?;
    let plan = plan::plan(args, &config, &cwd)?;
    let called = |path: &Path| harmless::one_line(&paths::from(&cwd, path)).into_owned();
    if !args.dry_run {
        write(&plan)?;
    }
    let (done, edited) = if args.dry_run { ("Would write", "Would add to") } else { ("Wrote", "Added to") };
    for step in &plan.steps {
        output.out_line(&match step {
            Step::New { path, .. } => format!("{done} {}", called(path)),
            Step::Edit(edit) => format!("{edited} {}: {}", called(&edit.path), edit.added.join(", ")),
            Step::Kept { path, why: None } => format!("Kept {}", called(path)),
            Step::Kept { path, why: Some(why) } => format!("Kept {}: {why}", called(path)),
            Step::LeftOut { what, why } => format!("Left out {what}: {why}"),
        });
    }
    if args.dry_run {
        show(&plan, &called, output);
    }
    if !args.dry_run {
        tell_unread(&plan, &called, output);
    }
    for note in &plan.notes {
        output.note(&format!("note: {}", harmless::lines(note)));
    }
    let changes = plan.steps.iter().filter(|step| matches!(step, Step::New { .. } | Step::Edit(_))).count();
    output.note(&match (changes, args.dry_run) {
        (0, _) => "note: everything is there already".to_owned(),
        (count, true) => format!("note: nothing was written; {} would be", counted(count, "file")),
        (_, false) => "note: next come `cargo sdp check` and `cargo sdp rules`".to_owned(),
    });
    Ok(Exit::Fine)
}

/// The configuration that holds in the folder.
fn configuration(args: &InitArgs, cwd: &Path) -> Result<config::Config, Refusal> {
    if args.path.as_ref().is_some_and(|path| path.to_string_lossy().trim().is_empty()) {
        return Err(refused("PATH requires a folder.", "`cargo sdp init .` is the current folder"));
    }
    // With a leading `./` no word is taken for the name of a root.
    let path = args.path.as_ref().map(|path| cwd.join(path));
    config::load(&RootRequest { root: path.as_deref(), cwd }).map_err(|error| match error {
        LoadError::RootIsNotAFolder(path) => Refusal::RootIsNotAFolder(path),
        LoadError::Invalid { root, findings } => Refusal::InvalidConfig { root, findings },
        LoadError::SeveralRoots(names) => refused(
            format!("the configuration lists several roots ({}), and each is set up by itself.", names.join(", ")),
            "name the folder of one: `cargo sdp init backend`",
        ),
    })
}

/// Writes the plan: the new files first, all or none, then the manifests, which must be what was read.
fn write(plan: &Plan) -> Result<(), Refusal> {
    let files: Vec<(&Path, &[u8])> = plan
        .steps
        .iter()
        .filter_map(|step| match step {
            Step::New { path, text } => Some((path.as_path(), text.as_bytes())),
            _ => None,
        })
        .collect();
    create::write(&plan.root, &files).map_err(|fault| plan::faulty(&plan.root, fault))?;
    let edits: Vec<(&Path, &[u8])> = plan.edits().map(|edit| (edit.path.as_path(), edit.new.as_bytes())).collect();
    let failed = match plan.edits().find(|edit| !edit.is_current()) {
        Some(edit) => Some(refused(
            format!("{} was changed by somebody else meanwhile.", paths::shown(&edit.path)),
            "run it again; nothing was written",
        )),
        None => write_all_atomic(&edits).err().map(|error| plan::faulty(&plan.root, Fault::Write(error))),
    };
    match failed {
        None => Ok(()),
        Some(refusal) => {
            let made: Vec<PathBuf> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
            create::take_back(&plan.root, &made);
            Err(refusal)
        }
    }
}

/// Says which of the new carriers no run reads: a file that names what git is to ignore may name them too.
fn tell_unread(plan: &Plan, called: &dyn Fn(&Path) -> String, output: &mut Output) {
    let common = CommonArgs { root: Some(plan.root.clone().into_os_string()), ..CommonArgs::default() };
    for step in &plan.steps {
        if let Step::New { path, .. } = step
            && path.to_string_lossy().ends_with(".sdp.md")
            && is_left_out(path, &common)
        {
            output.note(&format!("note: no run reads {}: an ignore file such as .gitignore names it", called(path)));
        }
    }
}

/// The documents of a dry run.
fn show(plan: &Plan, called: &dyn Fn(&Path) -> String, output: &mut Output) {
    for step in &plan.steps {
        match step {
            Step::New { path, text } => {
                output.document(&called(path), text);
            }
            Step::Edit(edit) => {
                let name = called(&edit.path);
                output.out_line(&output::heading(&name));
                let coloured = output.colour_stdout;
                output.out(&difference::unified([&name, &name], &edit.old, &edit.new, coloured));
            }
            Step::Kept { .. } | Step::LeftOut { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::commands::init::manifest::Edit;

    /// A folder with a manifest, and a plan that adds to it as it once was and writes a file below.
    fn planned(now: &str, once: &str) -> (tempfile::TempDir, Plan) {
        let folder = tempfile::TempDir::new().unwrap();
        let root = folder.path().to_owned();
        fs::write(root.join("Cargo.toml"), now).unwrap();
        let edit = Edit {
            path: root.join("Cargo.toml"),
            old: once.to_owned(),
            new: format!("{once}# more\n"),
            added: Vec::new(),
        };
        let file = Step::New { path: root.join("tests/deep/specs.rs"), text: "x".to_owned() };
        let plan = Plan { root, steps: vec![Step::Edit(edit), file], notes: Vec::new() };
        (folder, plan)
    }

    #[test]
    fn a_manifest_that_was_changed_meanwhile_is_kept_and_the_new_files_are_taken_back() {
        let (folder, plan) = planned("[package]\n", "[package] # once\n");
        let refusal = write(&plan).unwrap_err();
        assert!(refusal.line("init").ends_with("Cargo.toml was changed by somebody else meanwhile."));
        assert_eq!(fs::read_to_string(folder.path().join("Cargo.toml")).unwrap(), "[package]\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no folder is left either");
    }

    #[test]
    fn a_plan_is_written_whole() {
        let (folder, plan) = planned("[package]\n", "[package]\n");
        write(&plan).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("Cargo.toml")).unwrap(), "[package]\n# more\n");
        assert_eq!(fs::read_to_string(folder.path().join("tests/deep/specs.rs")).unwrap(), "x");
        // A second time the file is there: nothing is overwritten, and nothing taken away.
        assert!(write(&plan).is_err());
        assert!(folder.path().join("tests/deep/specs.rs").is_file());
    }
}
