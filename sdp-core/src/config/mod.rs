//! Configuration: a folder comes in, the root of the run and its typed configuration go out, or all that is wrong with
//! it as findings at file, line and column. Nothing here starts a process, writes, or reads an environment variable by
//! itself; Cargo's files are read as text and never through cargo.

// @sdpAnchor component:sdp.config
// @sdpLayer adapter
// @sdpContext engine

pub(crate) mod file;
mod folder;
mod keys;
mod paths;
mod roots;
mod target;
#[cfg(test)]
mod tests;
mod toml_params;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use self::file::{TomlFault, parse_toml};
pub use self::folder::is_of_cargo;
pub use self::paths::{InvalidGlob, InvalidPath, check_exclude, compile_glob};
pub use self::target::{Environment, TargetOrigin, located_target_folder, target_folder};

use crate::anchor::{Authored, Languages};
use crate::date::Date;
use crate::finding::{Finding, Severity};
use crate::params;
use crate::severity::Severities;

/// The rule globs of a configuration that names none.
pub const DEFAULT_RULE_GLOB: &str = "rules/**/*.sdp.js";

/// The JSON Schema of a configuration, for editors: of `sdp.toml`, and of the table in `Cargo.toml`.
pub const JSON_SCHEMA: &str = include_str!("config.schema.json");

/// The 1-based line of each key that a configuration sets; the keys of `limits`, `severity` and `typescript` stand behind a dot:
/// `limits.time`.
pub type Places = BTreeMap<String, u32>;

/// Where a run was asked to start.
#[derive(Clone, Copy, Debug)]
pub struct RootRequest<'a> {
    /// The root as it was given (not empty): a path relative to `cwd`, or the name of a root that the configuration which
    /// holds for `cwd` lists.
    pub root: Option<&'a Path>,
    /// The current folder, absolute.
    pub cwd: &'a Path,
}

/// The root of a run and what is configured for it (DESIGN part 3, "Configuration").
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// What the root is called, where the configuration lists two or more; it opens the names of its cases.
    pub name: Option<String>,
    /// The root, absolute. A symbolic link is kept as it was given.
    pub root: PathBuf,
    /// What the configuration's relative paths stand on, absolute: the folder of its file, else the root.
    pub base: PathBuf,
    /// The other roots that are listed with this one, whichever of them are run.
    pub beside: Vec<Beside>,
    /// The folder of the configuration that lists the root, absolute; else the root. Files are called from here for people.
    pub home: PathBuf,
    /// Whether the configuration holds for other roots too, so that what matches nothing here may match something there.
    pub is_shared: bool,
    /// The file that the configuration was read from, absolute; none when the defaults hold.
    pub source: Option<PathBuf>,
    /// Root-relative path prefixes that pass [`check_exclude`], as authored, without repeats.
    pub exclude: Vec<String>,
    /// The same as the configuration has them: relative to `base`, those that lie outside the root among them.
    pub base_exclude: Vec<String>,
    /// Glob patterns of rule files, relative to `base`; each compiles with [`compile_glob`].
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
    /// Glob patterns of evaluation contracts, relative to `base`, as authored, each with where it stands; each compiles with
    /// [`compile_glob`].
    pub contracts: Vec<(String, Authored)>,
    /// The findings that are waived, as authored.
    pub waivers: Vec<Waiver>,
    /// The file of the findings that are accepted, absolute, where one is configured.
    pub baseline: Option<PathBuf>,
    /// Where each key stands in `source`; what is not in it holds by default.
    pub places: Places,
    /// What is odd about the configuration and keeps nobody from running with it: warnings, not weighed.
    pub findings: Vec<Finding>,
}

/// A root that is listed with another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// What it is called.
    pub name: String,
    /// Whether one configuration holds for both.
    pub is_of_same_configuration: bool,
    /// The file of the findings that are accepted there, absolute, where one is configured.
    pub baseline: Option<PathBuf>,
}

/// A finding that is let stand for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiver {
    /// A finding id, or the name of a case that runs a body.
    pub rule: String,
    /// The finding's subject, exactly.
    pub subject: String,
    /// Why; one line, not empty.
    pub reason: String,
    /// The last day on which it holds.
    pub expires: Date,
    /// The 1-based line in the configuration file.
    pub line: u32,
}

/// One rule of the configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleConfig {
    /// Its name: one line, not empty, unique in the configuration.
    pub name: String,
    /// What it runs.
    pub body: RuleBody,
    /// What gives the values that its body sees as `params`, in authored order; files are relative to the configuration's.
    pub params: Vec<ParamsInput>,
    /// How much its findings weigh, where that is configured.
    pub severity: Option<Severity>,
    /// What it is for, where that is said.
    pub description: Option<String>,
    /// The 1-based line in the configuration file.
    pub line: u32,
}

/// One input of a rule's parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamsInput {
    /// A table, or a file that is read when the rule runs.
    pub input: params::Input,
    /// The 1-based line in the configuration file.
    pub line: u32,
}

impl ParamsInput {
    /// What it is called where two inputs give one key.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} at line {}", self.input, self.line)
    }
}

/// What the configuration calls parameters, and files of them.
pub const PARAMS_WORDS: params::Words = params::Words { params: "`params`", file: "the parameter file" };

/// What a configured rule runs: exactly one of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleBody {
    /// A file below the configuration's folder: relative to it, with `/`. In a case's source it is root-relative.
    File(String),
    /// A recipe of the catalog, by its number.
    Recipe(u32),
    /// A file of a package that cargo knows.
    Dependency {
        /// The package.
        package: String,
        /// The file, relative to the package's folder, with `/`.
        path: String,
    },
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
        /// The folder, absolute; the findings' files are relative to it.
        root: PathBuf,
        /// What is wrong.
        findings: Vec<Finding>,
    },
    /// One root was wanted, and there are several: their names, two at least.
    #[error("there are several roots")]
    SeveralRoots(Vec<String>),
}

impl Config {
    /// The folder for outputs, absolute; a root that has a name has a folder of its own there. The default is resolved here
    /// and not earlier, because it costs a look at cargo's files that most commands do not need.
    #[must_use]
    pub fn out_dir(&self, environment: &Environment) -> PathBuf {
        let folder = match &self.out_dir {
            OutDir::Configured(path) => path.clone(),
            OutDir::Default => match target_folder(&self.root, environment) {
                Some(target) => target.join("sdp"),
                None => self.base.join(".sdp").join("out"),
            },
        };
        self.own_out_dir(folder)
    }

    /// Where the outputs of this root go in a folder for the outputs of all: a folder with its name, where it has one.
    #[must_use]
    pub fn own_out_dir(&self, folder: PathBuf) -> PathBuf {
        match &self.name {
            Some(name) => folder.join(name),
            None => folder,
        }
    }

    /// The waivers that are for this root: of a configuration that holds for several, not those that name another one.
    pub fn own_waivers(&self) -> impl Iterator<Item = &Waiver> {
        let is_named = |waiver: &Waiver, root: &Beside| {
            waiver.rule.strip_prefix(root.name.as_str()).is_some_and(|rest| rest.starts_with("::"))
        };
        self.waivers.iter().filter(move |waiver| {
            !self.beside.iter().any(|root| root.is_of_same_configuration && is_named(waiver, root))
        })
    }

    /// A text that is about this root: it opens with the root's name, where it has one.
    #[must_use]
    pub fn said(&self, text: &str) -> String {
        match &self.name {
            Some(name) => format!("{name}: {text}"),
            None => text.to_owned(),
        }
    }

    /// How the configuration's folder is called from the root: empty where it is the root, else `../` for each level. No
    /// folder between them is a link.
    #[must_use]
    pub fn config_folder(&self) -> String {
        roots::up(&self.root, &self.base)
    }

    /// How the root is called from the configuration's folder, with `/`: empty where it is the root.
    #[must_use]
    pub fn below_base(&self) -> String {
        let below = self.root.strip_prefix(&self.base).ok().and_then(Path::to_str).unwrap_or_default();
        below.replace(std::path::MAIN_SEPARATOR, "/")
    }

    /// The file that the configuration was read from, relative to the root with `/`.
    #[must_use]
    pub fn source_file(&self) -> Option<String> {
        let name = self.source.as_deref()?.file_name()?.to_string_lossy();
        Some(format!("{}{name}", self.config_folder()))
    }
}

/// Finds the root of a run, where there must be one, and reads its configuration.
///
/// # Errors
///
/// As [`load_all`], and [`LoadError::SeveralRoots`].
pub fn load(request: &RootRequest<'_>) -> Result<Config, LoadError> {
    let mut configs = load_all(request)?;
    match configs.pop() {
        Some(config) if configs.is_empty() => Ok(config),
        last => {
            Err(LoadError::SeveralRoots(configs.into_iter().chain(last).filter_map(|config| config.name).collect()))
        }
    }
}

/// Finds the roots of a run and reads their configurations: one, or those that a configuration lists, in its order.
///
/// With a root that was asked for, the configuration is the one in that very folder. Else the root is the nearest
/// ancestor of the current folder that holds a configuration; else the cargo workspace, or the package where there is no
/// workspace; else the git top level; else the current folder. Where a root holds no configuration the defaults hold.
///
/// A configuration that lists roots stands for all of them, unless one is chosen: by its name or its folder, or because the
/// current folder lies in it. A listed root whose folder holds a configuration uses that one; for the others the listing one
/// holds. Where it lists two or more, each has its name, whichever of them are run.
///
/// # Errors
///
/// [`LoadError::RootIsNotAFolder`], or [`LoadError::Invalid`] with every problem of the configuration at once.
#[sdp::satisfies("spec:sdp.configuration", component = "component:sdp.config")]
pub fn load_all(request: &RootRequest<'_>) -> Result<Vec<Config>, LoadError> {
    roots::load_all(request)
}
