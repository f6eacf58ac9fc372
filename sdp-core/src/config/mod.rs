//! Configuration: a folder comes in, the root of the run and its typed configuration go out, or all that is wrong with
//! it as findings at file, line and column. Nothing here starts a process, writes, or reads an environment variable by
//! itself; Cargo's files are read as text and never through cargo.

// @sdpAnchor component:sdp.config
// @sdpLayer adapter
// @sdpContext engine

pub(crate) mod file;
mod folder;
mod keys;
mod params;
mod paths;
mod target;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value};

pub use self::paths::{InvalidGlob, InvalidPath, check_exclude, compile_glob};
pub use self::target::{Environment, target_folder};

use self::folder::{CargoRole, Folder};
use self::keys::Settings;
use crate::anchor::{Authored, Languages};
use crate::finding::{Finding, Severity, finding_order};
use crate::severity::Severities;

/// The rule globs of a configuration that names none.
pub const DEFAULT_RULE_GLOB: &str = "rules/**/*.sdp.js";

/// Where a run was asked to start.
#[derive(Clone, Copy, Debug)]
pub struct RootRequest<'a> {
    /// The root as it was given (not empty); relative to `cwd`.
    pub root: Option<&'a Path>,
    /// The current folder, absolute.
    pub cwd: &'a Path,
}

/// The root of a run and what is configured for it (DESIGN part 3, "Configuration").
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The root, absolute. A symbolic link is kept as it was given.
    pub root: PathBuf,
    /// The file that the configuration was read from, absolute; none when the defaults hold.
    pub source: Option<PathBuf>,
    /// Root-relative path prefixes that pass [`check_exclude`], as authored, without repeats.
    pub exclude: Vec<String>,
    /// Root-relative glob patterns of rule files; each compiles with [`compile_glob`].
    pub rule_globs: Vec<String>,
    /// Whether `rule_globs` is the default, which may match nothing without a word.
    pub rule_globs_are_default: bool,
    /// The configured rules, as authored; their names are unique.
    pub rules: Vec<RuleConfig>,
    /// What one body may use.
    pub limits: Limits,
    /// What findings weigh beyond their defaults.
    pub severities: Severities,
    /// Where outputs go; see [`Config::out_dir`].
    pub out_dir: OutDir,
    /// The languages whose comments may hold anchors.
    pub languages: Languages,
    /// The modules whose builders count in TypeScript beside the package, as authored, each with where it stands.
    pub modules: Vec<(String, Authored)>,
}

/// One rule of the configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleConfig {
    /// Its name: one line, not empty, unique in the configuration.
    pub name: String,
    /// What it runs.
    pub body: RuleBody,
    /// The values that its body sees as `params`, in authored order.
    pub params: Map<String, Value>,
    /// How much its findings weigh, where that is configured.
    pub severity: Option<Severity>,
    /// What it is for, where that is said.
    pub description: Option<String>,
    /// The 1-based line in the configuration file.
    pub line: u32,
}

/// What a configured rule runs: exactly one of the two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleBody {
    /// A file below the root: root-relative, with `/`.
    File(String),
    /// A recipe of the catalog, by its number.
    Recipe(u32),
}

/// What one body may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From its first statement on.
    pub time: Duration,
    /// In bytes, on top of the graph's own heap.
    pub memory: u64,
}

impl Limits {
    /// What a time limit is, for people.
    pub const SECONDS: &str = "a number of seconds from 0.001 to 3600";
    /// What a memory limit is, for people.
    pub const MEGABYTES: &str = "a whole number of megabytes from 1 to 16384";

    /// A time limit, when [`Limits::SECONDS`] holds of it.
    #[must_use]
    pub fn seconds(value: f64) -> Option<Duration> {
        // Not a number compares false.
        (0.001..=3600.0).contains(&value).then(|| Duration::from_secs_f64(value))
    }

    /// A memory limit in bytes, when [`Limits::MEGABYTES`] holds of it.
    #[must_use]
    pub fn megabytes(value: u64) -> Option<u64> {
        (1..=16_384).contains(&value).then_some(value * keys::MEGABYTE)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { time: Duration::from_secs(10), memory: 256 * keys::MEGABYTE }
    }
}

/// Where outputs go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutDir {
    /// `sdp` in cargo's target folder, or `.sdp/out` in a repository without cargo.
    Default,
    /// The configured folder, absolute.
    Configured(PathBuf),
}

/// Why there is no configuration to run with.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The root that was asked for is missing or no folder; the path is absolute.
    #[error("the root is not a folder")]
    RootIsNotAFolder(PathBuf),
    /// The configuration is wrong: at least one error finding, sorted.
    #[error("the configuration is invalid")]
    Invalid {
        /// The root, absolute; the findings' files are relative to it.
        root: PathBuf,
        /// What is wrong.
        findings: Vec<Finding>,
    },
}

impl Config {
    /// The folder for outputs, absolute. The default is resolved here and not earlier, because it costs a look at
    /// cargo's files that most commands do not need.
    #[must_use]
    pub fn out_dir(&self, environment: &Environment) -> PathBuf {
        match &self.out_dir {
            OutDir::Configured(path) => path.clone(),
            OutDir::Default => match target_folder(&self.root, environment) {
                Some(target) => target.join("sdp"),
                None => self.root.join(".sdp").join("out"),
            },
        }
    }
}

/// Finds the root of a run and reads its configuration.
///
/// With a root that was asked for, the configuration is the one in that very folder. Else the root is the nearest
/// ancestor of the current folder that holds a configuration; else the cargo workspace, or the package where there is no
/// workspace; else the git top level; else the current folder. Where a root holds no configuration the defaults hold.
///
/// # Errors
///
/// [`LoadError::RootIsNotAFolder`], or [`LoadError::Invalid`] with every problem of the configuration at once.
#[sdp::satisfies("spec:sdp.configuration", component = "component:sdp.config")]
pub fn load(request: &RootRequest<'_>) -> Result<Config, LoadError> {
    let start = absolute(request);
    if request.root.is_some() {
        if !start.is_dir() {
            return Err(LoadError::RootIsNotAFolder(start));
        }
        let folder = Folder::examine(&start);
        return finish(start, folder);
    }
    let (mut workspace, mut package, mut git) = (None, None, None);
    for ancestor in start.ancestors() {
        let folder = Folder::examine(ancestor);
        if folder.is_configured() {
            return finish(ancestor.to_owned(), folder);
        }
        match folder.role {
            Some(CargoRole::Workspace) => workspace = workspace.or(Some(ancestor)),
            Some(CargoRole::Package) => package = package.or(Some(ancestor)),
            None => {}
        }
        if git.is_none() && ancestor.join(".git").exists() {
            git = Some(ancestor);
        }
    }
    let root = workspace.or(package).or(git).unwrap_or(&start).to_owned();
    finish(root, Folder::default())
}

/// The start of the search, absolute. A path with `..` is resolved, because its textual ancestors are not its ancestors.
fn absolute(request: &RootRequest<'_>) -> PathBuf {
    let path = match request.root {
        Some(root) => request.cwd.join(root),
        None => request.cwd.to_owned(),
    };
    let climbs = path.components().any(|part| part == std::path::Component::ParentDir);
    if climbs && let Ok(resolved) = path.canonicalize() {
        return resolved;
    }
    // Rebuilt from its components, so that `.` segments and doubled separators are gone; a path that does not exist has
    // nothing that could be resolved, so its `..` segments are taken at their word.
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

fn finish(root: PathBuf, folder: Folder) -> Result<Config, LoadError> {
    if !folder.findings.is_empty() {
        let mut findings = folder.findings;
        findings.sort_by(|left, right| finding_order(left, right).then(left.column.cmp(&right.column)));
        return Err(LoadError::Invalid { root, findings });
    }
    let (source, settings) = match folder.settings {
        Some((file, settings)) => (Some(root.join(file)), settings),
        None => (None, Settings::default()),
    };
    Ok(Config {
        languages: Languages::with(settings.languages),
        modules: settings.modules,
        source,
        exclude: settings.exclude,
        rule_globs_are_default: settings.rule_globs.is_none(),
        rule_globs: settings.rule_globs.unwrap_or_else(|| vec![DEFAULT_RULE_GLOB.to_owned()]),
        rules: settings.rules,
        limits: settings.limits,
        severities: settings.severities,
        out_dir: settings.out_dir.map_or(OutDir::Default, |path| OutDir::Configured(root.join(path))),
        root,
    })
}
