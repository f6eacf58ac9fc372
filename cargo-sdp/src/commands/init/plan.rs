//! What `init` would do to a folder: its configuration and the arguments come in, the steps go out, or why nothing is done. The disk is
//! looked at and not changed.

use std::path::{Path, PathBuf};

use sdp_core::config::{Config, DEFAULT_RULE_GLOB};
use sdp_core::discover::{self, DiscoverOptions};
use sdp_core::harmless;
use sdp_harness::paths::shown;

use super::manifest::{Edit, Manifest};
use super::{Forge, InitArgs, cargo, refused};
use crate::agents::SKILL;
use crate::create::{self, Fault};
use crate::errors::Refusal;
use crate::root;

const SPEC: &str = include_str!("spec.md");
const PACK: &str = include_str!("pack.md");
const RULE: &str = include_str!("rules-have-keys.js");
const RULE_FILE: &str = "rules/rules-have-keys.sdp.js";
const GITHUB: &str = include_str!("github.yml");
const GITHUB_FILE: &str = ".github/workflows/specs.yml";
const GITLAB: &str = include_str!("gitlab.yml");
const GITLAB_FILE: &str = ".gitlab/specs.yml";
const GITLAB_ENTRY: &str = ".gitlab-ci.yml";
/// The whole entry where there is none: a job with rules would run twice for a merge request.
const GITLAB_WHOLE: &str = include_str!("gitlab-entry.yml");
const GITLAB_INCLUDE: &str = "include:\n  - local: .gitlab/specs.yml\n";
const SKILL_FILE: &str = ".agents/skills/cargo-sdp/SKILL.md";

/// The largest file of a user that is searched for a word, in bytes.
const MAX_SEARCHED: u64 = 1024 * 1024;

/// What is done, in the order in which it is said.
#[derive(Debug)]
pub(super) struct Plan {
    /// The folder that nothing leaves.
    pub(super) root: PathBuf,
    pub(super) steps: Vec<Step>,
    /// What an author has to know or to do.
    pub(super) notes: Vec<String>,
}

/// One part of the plan.
#[derive(Debug)]
pub(super) enum Step {
    /// A new file.
    New { path: PathBuf, text: String },
    /// A manifest that gets more.
    Edit(Edit),
    /// Something that is there.
    Kept { path: PathBuf, why: Option<String> },
    /// Something that is not done.
    LeftOut { what: &'static str, why: String },
}

impl Plan {
    /// The manifests that get more.
    pub(super) fn edits(&self) -> impl Iterator<Item = &Edit> {
        self.steps.iter().filter_map(|step| match step {
            Step::Edit(edit) => Some(edit),
            _ => None,
        })
    }

    pub(super) fn left_out(&mut self, what: &'static str, why: impl Into<String>) {
        self.steps.push(Step::LeftOut { what, why: why.into() });
    }

    /// A new file, or the word that it is there.
    pub(super) fn new_file(&mut self, path: &str, text: &str) -> Result<(), Refusal> {
        let root = self.root.clone();
        self.new_below(&root, path, text)
    }

    pub(super) fn new_below(&mut self, folder: &Path, path: &str, text: &str) -> Result<(), Refusal> {
        let below = folder.strip_prefix(&self.root).unwrap_or(Path::new("")).join(path);
        self.steps.push(match create::target(&self.root, &below) {
            Ok(path) => Step::New { path, text: text.to_owned() },
            Err(Fault::Exists(path)) => Step::Kept { path, why: None },
            Err(fault) => return Err(faulty(&self.root.join(below), fault)),
        });
        Ok(())
    }
}

/// What is said of a file that cannot be made.
pub(super) fn faulty(path: &Path, fault: Fault) -> Refusal {
    let path = shown(path);
    match fault {
        Fault::Unresolved(error) => refused(
            format!("{path} cannot be made ({error})."),
            "a folder stands, or can be made, at each folder of the path; nothing was written",
        ),
        Fault::Escapes(_) => refused(
            format!("{path} lies behind a symbolic link that leads out of the folder."),
            "replace the link by a folder; nothing was written",
        ),
        Fault::Exists(path) => refused(
            format!("{} appeared meanwhile and is not overwritten.", shown(&path)),
            "run it again; nothing was written",
        ),
        Fault::Folder(folder, error) => refused(
            format!("the folder {} cannot be made ({error}).", shown(&folder)),
            "the folder must be writable; nothing was written",
        ),
        Fault::Write(error) => refused(harmless::one_line(&error.explained()), "the folder must be writable"),
    }
}

/// Plans everything, and refuses before anything is written.
pub(super) fn plan(args: &InitArgs, config: &Config, cwd: &Path) -> Result<Plan, Refusal> {
    let mut plan = Plan { root: config.root.clone(), steps: Vec::new(), notes: Vec::new() };
    let manifest = cargo::read(&config.root)?;
    let of_cargo = manifest.as_ref().filter(|manifest| manifest.is_package() || manifest.is_workspace());
    let name = name_of(config, of_cargo);
    let options = DiscoverOptions::of(config, &root::environment(cwd));
    cargo::add(args, config, of_cargo, cwd, &mut plan)?;
    specs(&name, config, &options, &mut plan)?;
    rule(config, &options, &mut plan)?;
    pipeline(args, &mut plan)?;
    if args.agents {
        plan.new_file(SKILL_FILE, SKILL)?;
    }
    if of_cargo.is_none() && has_no_target_folder(config, cwd) {
        ignored(&mut plan)?;
    }
    Ok(plan)
}

/// Whether outputs go to a folder of our own, because cargo has no target folder here.
fn has_no_target_folder(config: &Config, cwd: &Path) -> bool {
    sdp_core::config::target_folder(&config.root, &root::environment(cwd)).is_none()
}

/// The first Spec and its Pack, where no Spec is there.
fn specs(name: &str, config: &Config, options: &DiscoverOptions, plan: &mut Plan) -> Result<(), Refusal> {
    let files = [format!("specs/{name}.sdp.md"), format!("specs/{name}.pack.sdp.md")];
    let found = discover::walk(&config.root, options).carriers;
    let others = found.iter().filter(|carrier| !files.contains(&carrier.path)).count();
    if others > 0 {
        let mut own = found.iter().filter(|carrier| files.contains(&carrier.path)).peekable();
        if own.peek().is_none() {
            let why = if others == 1 { "a carrier is".to_owned() } else { format!("{others} carriers are") };
            plan.left_out("the first Spec", format!("{why} there already"));
        }
        plan.steps.extend(own.map(|carrier| Step::Kept { path: config.root.join(&carrier.path), why: None }));
        return Ok(());
    }
    if !files.iter().all(|file| discover::is_in_reach(file, options)) {
        plan.left_out("the first Spec", "the configuration excludes its folder, specs");
        return Ok(());
    }
    for (file, text) in files.iter().zip([SPEC, PACK]) {
        plan.new_file(file, &text.replace("@@NAME@@", name))?;
    }
    Ok(())
}

/// The first rule, where no rule is there.
fn rule(config: &Config, options: &DiscoverOptions, plan: &mut Plan) -> Result<(), Refusal> {
    let folder = shown(&config.base);
    if config.base != config.root {
        plan.left_out("the rule", format!("the rules of this root stand in {folder}"));
        return Ok(());
    }
    if config.rule_globs != [DEFAULT_RULE_GLOB] || !config.rules.is_empty() {
        let path = config.source.clone().unwrap_or_else(|| config.base.clone());
        plan.steps.push(Step::Kept { path, why: Some("it names rules".to_owned()) });
        return Ok(());
    }
    let found = discover::rule_files(&config.base, &config.rule_globs, true, options);
    let found = found.map(|found| found.files).unwrap_or_default();
    let others = found.iter().filter(|file| *file != RULE_FILE).count();
    if others > 0 {
        if others < found.len() {
            plan.steps.push(Step::Kept { path: config.base.join(RULE_FILE), why: None });
            return Ok(());
        }
        let why = if others == 1 { "a rule is".to_owned() } else { format!("{others} rules are") };
        plan.left_out("the first rule", format!("{why} there already"));
        return Ok(());
    }
    if !discover::is_in_reach(RULE_FILE, options) {
        plan.left_out("the rule", "the configuration excludes its folder, rules");
        return Ok(());
    }
    plan.new_file(RULE_FILE, RULE)
}

/// The pipeline, which forges read at the top of a repository only.
fn pipeline(args: &InitArgs, plan: &mut Plan) -> Result<(), Refusal> {
    const WHAT: &str = "the pipeline";
    let entry = plan.root.join(GITLAB_ENTRY);
    let default = if entry.symlink_metadata().is_ok() { Forge::Gitlab } else { Forge::Github };
    let forge = args.ci.unwrap_or(default);
    if forge == Forge::None {
        plan.left_out(WHAT, "--ci none");
        return Ok(());
    }
    let is_top = plan.root.join(".git").symlink_metadata().is_ok();
    let top = plan.root.ancestors().skip(1).find(|folder| folder.join(".git").symlink_metadata().is_ok());
    if let Some(top) = top.filter(|_| !is_top) {
        let why = format!("it stands at the top of the repository, {}; the guide shows one", shown(top));
        plan.left_out(WHAT, why);
        return Ok(());
    }
    if forge == Forge::Github {
        return plan.new_file(GITHUB_FILE, GITHUB);
    }
    plan.new_file(GITLAB_FILE, GITLAB)?;
    if entry.symlink_metadata().is_err() || holds(&entry, GITLAB_FILE) {
        return plan.new_file(GITLAB_ENTRY, GITLAB_WHOLE);
    }
    plan.steps.push(Step::Kept { path: entry, why: None });
    plan.notes.push(format!("add to {GITLAB_ENTRY}, where its `include` stands:\n{GITLAB_INCLUDE}"));
    Ok(())
}

/// What git must not keep where cargo has no target folder.
fn ignored(plan: &mut Plan) -> Result<(), Refusal> {
    let file = plan.root.join(".gitignore");
    if file.symlink_metadata().is_err() {
        return plan.new_file(".gitignore", "/.sdp\n");
    }
    plan.steps.push(Step::Kept { path: file.clone(), why: None });
    if !holds(&file, ".sdp") {
        plan.notes.push("add `/.sdp` to .gitignore: outputs and the cache go there".to_owned());
    }
    Ok(())
}

/// Whether a file of the user holds a word.
fn holds(file: &Path, word: &str) -> bool {
    let is_small = std::fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_SEARCHED);
    is_small && std::fs::read(file).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(word))
}

/// What the first Spec is called: as the package, else as the folder.
fn name_of(config: &Config, manifest: Option<&Manifest>) -> String {
    let folder = || config.root.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = manifest.and_then(Manifest::package_name).map(str::to_owned).or_else(folder).unwrap_or_default();
    let mut segment = String::new();
    for character in name.chars().take(60) {
        match character {
            letter if letter.is_ascii_alphanumeric() => segment.push(letter.to_ascii_lowercase()),
            _ if segment.is_empty() || segment.ends_with('-') => {}
            _ => segment.push('-'),
        }
    }
    let segment = segment.trim_end_matches('-');
    if segment.is_empty() { "product".to_owned() } else { segment.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sdp_core::carrier::markdown;

    #[test]
    fn what_is_written_is_read() {
        for (file, text) in [("specs/a.sdp.md", SPEC), ("specs/a.pack.sdp.md", PACK)] {
            assert!(markdown::read(file, &text.replace("@@NAME@@", "a-1")).is_ok(), "{file}");
        }
        assert!(GITLAB_INCLUDE.contains(GITLAB_FILE));
        assert!(GITLAB_WHOLE.ends_with(GITLAB_INCLUDE));
    }
}
