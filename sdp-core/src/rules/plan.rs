//! The plan: a configuration comes in, every case of the run goes out in its order, or why there is no run. It reads
//! names and configuration only: no carrier, no body, so that a list of cases costs nothing.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};

use sdp_recipes::{CATALOG, Recipe, recipe};
use thiserror::Error;

use super::body::is_body_file;
use super::name::{self, NameError};
use crate::config::{Config, InvalidGlob, ParamsInput, RuleBody, compile_glob};
use crate::discover::{self, DiscoverOptions, RuleFiles};
use crate::finding::{Finding, FindingId, Severity, finding_order};
use crate::validate::{CHECKS, Check};

/// The case that reads the carriers.
pub const CARRIERS_CASE: &str = "extract::carriers";

/// The case of the findings about example spaces and examples, which no check gives.
pub const CONTRACTS_CASE: &str = "check::contracts";

/// The case of the waivers that belong to no other case.
pub const WAIVERS_CASE: &str = "config::waivers";

/// The case of the rows of a baseline that belong to no other case.
pub const BASELINE_CASE: &str = "config::baseline";

/// The parameter that a body whose head accepts it is given.
pub(super) const SEVERITY_PARAM: &str = "severity";

/// One case.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its name, unique in the plan.
    pub name: String,
    /// What it does.
    pub task: Task,
}

/// What a case does.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Reads the carriers; fails with extraction errors.
    Carriers,
    /// Gives the findings of one check.
    Check(FindingId),
    /// Gives the findings about example spaces and examples.
    Contracts,
    /// Runs a body.
    Body(BodyTask),
    /// Judges the waivers that belong to no other case; their findings are added by those who hold the waivers.
    Waivers,
    /// The same for the rows of the baseline.
    Baseline,
    /// Nothing: the recipe reports and cannot fail, or judges only what its parameters name.
    OnlyReports,
}

/// A body to run.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyTask {
    /// Where it comes from.
    pub source: Source,
    /// What gives its parameters, without `severity`.
    pub params: Vec<ParamsInput>,
    /// The configured weight of findings that state none.
    pub severity: Option<Severity>,
    /// What the configuration says of the rule, for people.
    pub description: Option<String>,
}

/// Where a case's body comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A rule file, root-relative; with `../` where it lies with a configuration above the root.
    File(String),
    /// A rule of the configuration.
    Configured {
        /// Its name there.
        name: String,
        /// The 1-based line there.
        line: u32,
        /// The configuration file, root-relative.
        file: String,
        /// What it runs; a file is root-relative.
        body: RuleBody,
    },
    /// A recipe of the catalog.
    Recipe(&'static Recipe),
}

impl Task {
    /// Whether the case needs the graph.
    #[must_use]
    pub fn needs_graph(&self) -> bool {
        match self {
            Task::Carriers | Task::Check(_) | Task::Contracts | Task::Body(_) => true,
            Task::Waivers | Task::Baseline | Task::OnlyReports => false,
        }
    }
}

/// A root-relative path as messages call it: from the folder of the configuration.
pub(super) fn from_config(path: &str) -> &str {
    path.trim_start_matches("../")
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) => f.write_str(from_config(path)),
            Source::Configured { name, line, file, .. } => {
                write!(f, "the rule \"{name}\" at {}:{line}", from_config(file))
            }
            Source::Recipe(recipe) => write!(f, "the shipped recipe {}", recipe.number),
        }
    }
}

/// Why there is no plan, and so no run.
#[derive(Debug, Error)]
pub enum PlanError {
    /// Two cases have one name.
    #[error("two cases are named `{name}`: {first} and {second}; rename one of them")]
    EqualNames {
        /// The name.
        name: String,
        /// The one.
        first: Box<Source>,
        /// The other.
        second: Box<Source>,
    },
    /// A name that a test runner could misread.
    #[error("{source_text} cannot name a case: {error}")]
    UnusableName {
        /// Whose name it is.
        source_text: String,
        /// What is wrong with it.
        error: NameError,
    },
    /// Configured globs that match no file: rules that somebody wants would leave the run in silence.
    #[error("no file matches the rule glob {}", quoted(.0))]
    UnmatchedGlobs(Vec<String>),
    /// A glob that does not compile.
    #[error(transparent)]
    InvalidGlob(#[from] InvalidGlob),
}

/// The cases of a run: the carriers, the checks in the order of their registry, the example spaces, the rules by name, the
/// recipes by number, and what is said of waivers and of the baseline where there are any.
#[derive(Debug)]
pub struct Plan {
    /// The cases.
    pub cases: Vec<Case>,
    /// What looking for rule files brought up: warnings, unless an override makes them errors.
    pub findings: Vec<Finding>,
    /// Where rule files were looked for.
    pub places: RulePlaces,
}

/// Where rule files are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RulePlaces {
    /// The folders that are entered, absolute.
    pub folders: Vec<PathBuf>,
    /// Links and tags, absolute: what they lead to or hold may change which folders are entered.
    pub doors: Vec<PathBuf>,
}

impl RulePlaces {
    fn of(config: &Config, found: &RuleFiles) -> RulePlaces {
        let absolute = |paths: &[PathBuf]| paths.iter().map(|path| in_folder(&config.base, path)).collect();
        RulePlaces { folders: absolute(&found.folders), doors: absolute(&found.doors) }
    }
}

/// A path below a folder; the empty one is the folder.
fn in_folder(folder: &Path, path: &Path) -> PathBuf {
    if path.as_os_str().is_empty() { folder.to_owned() } else { folder.join(path) }
}

fn quoted(globs: &[String]) -> String {
    globs.iter().map(|glob| format!("`{glob}`")).collect::<Vec<_>>().join(", ")
}

/// Plans the run of a configuration; rule files are looked for where the walk leaves nothing out.
///
/// # Errors
/// [`PlanError`].
pub fn plan(config: &Config, discover: &DiscoverOptions) -> Result<Plan, PlanError> {
    let mut found = rule_files(config, discover)?;
    found.findings.extend(config.findings.iter().cloned());
    found.findings.sort_by(finding_order);
    config.severities.apply(&mut found.findings);
    if !config.rule_globs_are_default && !found.unmatched.is_empty() {
        return Err(PlanError::UnmatchedGlobs(found.unmatched));
    }
    let places = RulePlaces::of(config, &found);
    let mut cases = engine_cases();
    cases.extend(rules(config, found.files)?);
    cases.extend(CATALOG.iter().map(|recipe| {
        let name = name::of_recipe(recipe.number, recipe.slug);
        let head = recipe.head();
        // A recipe that needs a parameter has nothing to judge without it, and a pass would say that all is well. What one
        // judges that is opted into is no fault everywhere.
        if head.params.contains(&SEVERITY_PARAM) && head.needs.is_empty() && !head.is_opt_in {
            Case {
                name,
                task: Task::Body(BodyTask {
                    source: Source::Recipe(recipe),
                    params: Vec::new(),
                    severity: None,
                    description: None,
                }),
            }
        } else {
            Case { name, task: Task::OnlyReports }
        }
    }));
    if !config.waivers.is_empty() {
        cases.push(Case { name: WAIVERS_CASE.to_owned(), task: Task::Waivers });
    }
    if config.baseline.is_some() {
        cases.push(Case { name: BASELINE_CASE.to_owned(), task: Task::Baseline });
    }
    Ok(Plan { cases, findings: found.findings, places })
}

/// Where rule files are looked for: for those who wait for the files that a plan lacked.
#[must_use]
pub fn rule_places(config: &Config, discover: &DiscoverOptions) -> RulePlaces {
    rule_files(config, discover).map(|found| RulePlaces::of(config, &found)).unwrap_or_default()
}

/// The cases that every plan opens with: those that run no body.
#[must_use]
pub fn engine_cases() -> Vec<Case> {
    let check = |check: &Check| Case { name: name::of_check(check.id.as_str()), task: Task::Check(check.id) };
    let mut cases = vec![Case { name: CARRIERS_CASE.to_owned(), task: Task::Carriers }];
    cases.extend(CHECKS.iter().map(check));
    cases.push(Case { name: CONTRACTS_CASE.to_owned(), task: Task::Contracts });
    cases
}

/// The rule files of a configuration, relative to its folder; findings about them are root-relative.
fn rule_files(config: &Config, discover: &DiscoverOptions) -> Result<RuleFiles, InvalidGlob> {
    let (globs, are_default) = (&config.rule_globs, config.rule_globs_are_default);
    if config.base == config.root {
        return discover::rule_files(&config.root, globs, are_default, discover);
    }
    let mut found = discover::rule_files(&config.base, globs, are_default, &discover.above(config))?;
    let folder = config.config_folder();
    for finding in &mut found.findings {
        finding.file = finding.file.take().map(|file| format!("{folder}{file}"));
    }
    if are_default {
        let missed = discover::rule_files(&config.root, globs, true, discover)?;
        found.findings.extend(missed.files.into_iter().map(|file| {
            let message =
                "the rule globs start at the folder of the configuration, which lists this root: the rule does not run";
            Finding::warning(FindingId::SkippedRuleFile, message).at(file, None).with_help(
                "name it in `rule-globs`, where it runs for every root, or give this root a configuration of its own",
            )
        }));
    }
    Ok(found)
}

/// What is wrong with the rules before any of them runs, for those who check and do not run: what keeps a run from
/// starting, and configured rules that would fail for what they name. Findings without an order.
#[must_use]
pub fn plan_faults(config: &Config, discover: &DiscoverOptions) -> Vec<Finding> {
    faults_of(&plan(config, discover), config)
}

/// The same of a plan that somebody has already.
#[must_use]
pub fn faults_of(plan: &Result<Plan, PlanError>, config: &Config) -> Vec<Finding> {
    let source = config.source_file();
    let error = |id: FindingId, message: String, place: Option<(String, Option<u32>)>| {
        let finding = Finding::error(id, message);
        match place.or_else(|| Some((source.clone()?, None))) {
            Some((file, line)) => finding.at(file, line),
            None => finding,
        }
    };
    let invalid = |message: String, place| error(FindingId::InvalidConfig, message, place);
    match plan {
        Ok(plan) => {
            let configured = plan.cases.iter().filter_map(|case| match &case.task {
                Task::Body(BodyTask { source: source @ Source::Configured { body, .. }, params, .. }) => {
                    Some((source, body, params))
                }
                _ => None,
            });
            let folder = config.config_folder();
            let missing = configured.flat_map(|(source, body, params)| {
                let body = match body {
                    RuleBody::File(path)
                        if !is_body_file(&config.base, path.strip_prefix(folder.as_str()).unwrap_or(path)) =>
                    {
                        Some(format!("names `{}`, which is no file", from_config(path)))
                    }
                    RuleBody::Recipe(number) if recipe(*number).is_none() => {
                        Some(format!("names the recipe {number}, which the catalog does not hold"))
                    }
                    _ => None,
                };
                let body = body.map(|what| invalid(format!("{source} {what}"), place_of(source)));
                let gone = params.iter().filter_map(|one| Some((one.input.path()?, one.line)));
                let gone = gone.filter(|(path, _)| !config.base.join(path).is_file()).map(|(path, line)| {
                    let place = place_of(source).map(|(file, _)| (file, Some(line)));
                    invalid(format!("{source} names the parameter file `{path}`, which is no file"), place)
                });
                body.into_iter().chain(gone).collect::<Vec<_>>()
            });
            plan.findings.iter().cloned().chain(missing).collect()
        }
        Err(PlanError::UnmatchedGlobs(globs)) => {
            let unmatched = |glob: &String| {
                let message = format!("the rule glob `{glob}` matched no file");
                error(FindingId::UnmatchedRuleGlob, message, None).about(glob.clone())
            };
            globs.iter().map(unmatched).collect()
        }
        Err(PlanError::EqualNames { name, first, second }) => {
            let place = place_of(second);
            vec![invalid(format!("two cases are named `{name}`: {first} and {second}"), place)]
        }
        Err(other) => vec![invalid(other.to_string(), None)],
    }
}

fn place_of(source: &Source) -> Option<(String, Option<u32>)> {
    match source {
        Source::File(path) => Some((path.clone(), None)),
        Source::Configured { file, line, .. } => Some((file.clone(), Some(*line))),
        Source::Recipe(_) => None,
    }
}

/// The rules of files and configuration, by name; equal names are refused.
fn rules(config: &Config, files: Vec<String>) -> Result<Vec<Case>, PlanError> {
    let mut rules: Vec<(String, BodyTask)> = Vec::with_capacity(files.len() + config.rules.len());
    let globs = config
        .rule_globs
        .iter()
        .map(|glob| Ok((glob.as_str(), compile_glob(glob)?)))
        .collect::<Result<Vec<_>, InvalidGlob>>()?;
    // A file that a configured rule names runs under that name, with its parameters, and not once more without them.
    let configured: HashSet<PathBuf> = config.rules.iter().filter_map(|rule| file_of(config, &rule.body)).collect();
    let folder = config.config_folder();
    for path in files.into_iter().filter(|path| !configured.contains(&config.base.join(path))) {
        // Of several globs that match a file, the first one names it.
        let glob = globs.iter().find(|(_, matcher)| matcher.is_match(&path)).map_or("", |(glob, _)| glob);
        let name = name::of_rule_file(&path, glob)
            .map_err(|error| PlanError::UnusableName { source_text: format!("the rule file \"{path}\""), error })?;
        rules.push((
            name,
            BodyTask {
                source: Source::File(format!("{folder}{path}")),
                params: Vec::new(),
                severity: None,
                description: None,
            },
        ));
    }
    let file = config.source_file().unwrap_or_default();
    for rule in &config.rules {
        let source = Source::Configured {
            name: rule.name.clone(),
            line: rule.line,
            file: file.clone(),
            body: match &rule.body {
                RuleBody::File(path) => RuleBody::File(format!("{folder}{path}")),
                other @ (RuleBody::Recipe(_) | RuleBody::Dependency { .. }) => other.clone(),
            },
        };
        let name = name::of_configured_rule(&rule.name)
            .map_err(|error| PlanError::UnusableName { source_text: source.to_string(), error })?;
        rules.push((
            name,
            BodyTask {
                source,
                params: rule.params.clone(),
                severity: rule.severity,
                description: rule.description.clone(),
            },
        ));
    }
    let mut seen: HashMap<&str, &Source> = HashMap::with_capacity(rules.len());
    for (name, task) in &rules {
        if let Some(first) = seen.insert(name, &task.source) {
            return Err(PlanError::EqualNames {
                name: name.clone(),
                first: Box::new(first.clone()),
                second: Box::new(task.source.clone()),
            });
        }
    }
    rules.sort_by(|(left, _), (right, _)| crate::order::by_code_units(left, right));
    Ok(rules.into_iter().map(|(name, task)| Case { name, task: Task::Body(task) }).collect())
}

/// The file that a configured rule names, absolute.
fn file_of(config: &Config, body: &RuleBody) -> Option<PathBuf> {
    match body {
        RuleBody::File(path) => Some(config.base.join(path)),
        RuleBody::Recipe(_) | RuleBody::Dependency { .. } => None,
    }
}

/// The recipe that a configured rule runs.
pub(super) fn configured_recipe(body: &RuleBody) -> Option<&'static Recipe> {
    match body {
        RuleBody::Recipe(number) => recipe(*number),
        RuleBody::File(_) | RuleBody::Dependency { .. } => None,
    }
}
