//! `new rule` and `new recipe`: a name comes in, a body that runs goes out, in a place where the configuration finds it.

use std::ffi::OsStr;
use std::path::PathBuf;

use sdp_core::config::compile_glob;
use sdp_core::discover;
use sdp_core::harmless;
use sdp_harness::paths;

use super::arguments::{call, quoted};
use super::carriers::one_line;
use super::{Document, RecipeArgs, RuleArgs, refused};
use crate::errors::Refusal;
use crate::root::{self, CommonArgs, Workspace};

const RULE: &str = "new rule";
const RECIPE: &str = "new recipe";
const RULE_BODY: &str = include_str!("rule.js");
const RECIPE_BODY: &str = include_str!("recipe.js");

/// The longest name, in bytes.
pub(super) const MAX_NAME: usize = 200;

/// The rule that the arguments ask for.
pub(super) fn rule(args: &RuleArgs, common: &CommonArgs) -> Result<Document, Refusal> {
    let name = checked_name(RULE, args.name.as_deref().unwrap_or_default(), &[".sdp.js", ".js"], "rules/")?;
    let description =
        described(RULE, args.description.as_deref(), "A ready Spec has a test, or an example that a test verifies.")?;
    let Workspace { config, discover, .. } = configuration(common)?;
    let path = path_in(&config.rule_globs, "rules/", &format!("{name}.sdp.js")).ok_or_else(|| {
        let message = format!("no rule glob of the configuration would find {name}: {}.", listed(&config.rule_globs));
        refused(RULE, message, "add `rules/**/*.sdp.js` to `rule-globs`".to_owned())
    })?;
    let next = if discover::is_in_reach(&path, &discover) {
        format!("`cargo sdp rules rule::{}` runs it; write your own condition next", name.replace('/', "::"))
    } else {
        "no run from here reads it: it lies in a folder that is left out (`cargo sdp check --verbose` names them)"
            .to_owned()
    };
    Ok(Document {
        command: RULE,
        base: config.base,
        base_name: "the configuration's folder",
        path: PathBuf::from(path),
        text: RULE_BODY.replace("@@NAME@@", &name).replace("@@DESCRIPTION@@", &description),
        next: Some(next),
        walked: None,
        dry_run: args.dry_run,
    })
}

/// The recipe that the arguments ask for.
pub(super) fn recipe(args: &RecipeArgs, common: &CommonArgs) -> Result<Document, Refusal> {
    let name = checked_name(RECIPE, args.name.as_deref().unwrap_or_default(), &[".sdp.js", ".js"], "recipes/")?;
    let description = described(RECIPE, args.description.as_deref(), "The Specs that are not ready yet, by altitude.")?;
    let Workspace { config, cwd, .. } = configuration(common)?;
    let path = PathBuf::from(format!("recipes/{name}.js"));
    let called = quoted(&paths::from(&cwd, &config.base.join(&path)));
    Ok(Document {
        command: RECIPE,
        base: config.base,
        base_name: "the configuration's folder",
        path,
        text: RECIPE_BODY.replace("@@NAME@@", &name).replace("@@DESCRIPTION@@", &description),
        next: Some(format!("`cargo sdp q < {called}` runs it; write your own question next")),
        walked: None,
        dry_run: args.dry_run,
    })
}

/// A name that is one on every disk, in a case's name and in a head.
pub(super) fn checked_name(
    command: &'static str,
    name: &OsStr,
    endings: &[&str],
    folder: &str,
) -> Result<String, Refusal> {
    let noun = command.rsplit(' ').next().unwrap_or(command);
    let text = name.to_string_lossy();
    let is_word = |level: &str| {
        level.starts_with(|first: char| first.is_ascii_alphanumeric())
            && level.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '-' | '_'))
    };
    if text.len() <= MAX_NAME && text.split('/').all(is_word) && !text.starts_with(folder) {
        return Ok(text.into_owned());
    }
    let bare = endings.iter().find_map(|ending| text.strip_suffix(ending)).unwrap_or(&text);
    let bare = bare.strip_prefix("./").unwrap_or(bare);
    let bare = bare.trim_start_matches(folder);
    let hint = if bare != text && bare.split('/').all(is_word) {
        format!("name it without folder and ending: cargo sdp {command} {bare}")
    } else {
        call(noun)
    };
    let message = format!(
        "NAME {} is not made of letters, digits, `-` and `_`, with `/` between levels.",
        if text.is_empty() { "\"\"".to_owned() } else { harmless::cut(&text, MAX_NAME) }
    );
    let message = if text.starts_with(folder) && bare.split('/').all(is_word) {
        format!("NAME {} holds the folder, which is added.", harmless::cut(&text, MAX_NAME))
    } else {
        message
    };
    Err(refused(command, message, hint))
}

fn described(command: &'static str, given: Option<&str>, default: &str) -> Result<String, Refusal> {
    let Some(text) = given else { return Ok(default.to_owned()) };
    one_line(command, "--description", text)?;
    // Any other character that parts lines for JavaScript would end the comment that the text stands in.
    if text.contains(harmless::is_harmful) {
        let message = "--description holds a control character or an invisible one.";
        return Err(refused(command, message, "write plain text on one line".to_owned()));
    }
    Ok(text.trim().to_owned())
}

/// A root with the one configuration that rules are written for; roots may share it.
pub(super) fn configuration(common: &CommonArgs) -> Result<Workspace, Refusal> {
    let mut workspaces = root::load_all(common)?;
    let is_one = workspaces.windows(2).all(|pair| matches!(pair, [one, other] if one.config.base == other.config.base));
    match workspaces.pop() {
        Some(workspace) if is_one => Ok(workspace),
        last => Err(root::several(workspaces.into_iter().chain(last))),
    }
}

/// The path of a file below the usual folder, or below the folder of a glob, at which a glob finds it.
pub(super) fn path_in(globs: &[String], usual: &str, file: &str) -> Option<String> {
    let literal = |glob: &str| {
        let plain = glob.find(['*', '?', '[', '{', '\\']).and_then(|wildcard| glob.get(..wildcard)).unwrap_or(glob);
        plain.rfind('/').and_then(|slash| plain.get(..=slash)).unwrap_or("").to_owned()
    };
    let folders = std::iter::once(usual.to_owned()).chain(globs.iter().map(|glob| literal(glob)));
    folders
        .map(|folder| format!("{folder}{file}"))
        .find(|path| globs.iter().any(|glob| compile_glob(glob).is_ok_and(|glob| glob.is_match(path))))
}

/// Globs, as a refusal names them.
pub(super) fn listed(globs: &[String]) -> String {
    globs.iter().map(|glob| format!("`{}`", harmless::one_line(glob))).collect::<Vec<_>>().join(", ")
}
