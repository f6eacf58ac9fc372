//! The plan: a configuration comes in, every case of the run goes out in its order, or why there is no run. It reads
//! names and configuration only: no carrier, no body, so that a list of cases costs nothing.

use std::collections::HashMap;
use std::fmt;

use sdp_recipes::{CATALOG, Recipe, recipe};
use serde_json::{Map, Value};
use thiserror::Error;

use super::name::{self, NameError};
use crate::config::{Config, InvalidGlob, RuleBody, compile_glob};
use crate::discover::{self, DiscoverOptions};
use crate::finding::{Finding, FindingId, Severity};
use crate::validate::CHECKS;

/// The case that reads the carriers.
pub const CARRIERS_CASE: &str = "extract::carriers";

/// The case of the findings about example spaces and examples, which no check gives.
pub const CONTRACTS_CASE: &str = "check::contracts";

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
    /// Nothing: the recipe reports and cannot fail, or judges only what its parameters name.
    OnlyReports,
}

/// A body to run.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyTask {
    /// Where it comes from.
    pub source: Source,
    /// What it is given, without `severity`.
    pub params: Map<String, Value>,
    /// The configured weight of findings that state none.
    pub severity: Option<Severity>,
    /// What the configuration says of the rule, for people.
    pub description: Option<String>,
}

/// Where a case's body comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A rule file, root-relative.
    File(String),
    /// A rule of the configuration.
    Configured {
        /// Its name there.
        name: String,
        /// The 1-based line there.
        line: u32,
        /// The configuration file's name.
        file: String,
        /// What it runs.
        body: RuleBody,
    },
    /// A recipe of the catalog.
    Recipe(&'static Recipe),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) => f.write_str(path),
            Source::Configured { name, line, file, .. } => write!(f, "the rule \"{name}\" at {file}:{line}"),
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

/// The cases of a run: the carriers, the checks in the order of their registry, the example spaces, the rules by name, the recipes by number.
#[derive(Debug)]
pub struct Plan {
    /// The cases.
    pub cases: Vec<Case>,
    /// What looking for rule files brought up: warnings, unless an override makes them errors.
    pub findings: Vec<Finding>,
}

fn quoted(globs: &[String]) -> String {
    globs.iter().map(|glob| format!("`{glob}`")).collect::<Vec<_>>().join(", ")
}

/// Plans the run of a configuration; rule files are looked for where the walk leaves nothing out.
///
/// # Errors
/// [`PlanError`].
pub fn plan(config: &Config, discover: &DiscoverOptions) -> Result<Plan, PlanError> {
    let mut found = discover::rule_files(&config.root, &config.rule_globs, config.rule_globs_are_default, discover)?;
    config.severities.apply(&mut found.findings);
    if !config.rule_globs_are_default && !found.unmatched.is_empty() {
        return Err(PlanError::UnmatchedGlobs(found.unmatched));
    }
    let mut cases = vec![Case { name: CARRIERS_CASE.to_owned(), task: Task::Carriers }];
    cases.extend(
        CHECKS.iter().map(|check| Case { name: name::of_check(check.id.as_str()), task: Task::Check(check.id) }),
    );
    cases.push(Case { name: CONTRACTS_CASE.to_owned(), task: Task::Contracts });
    cases.extend(rules(config, found.files)?);
    cases.extend(CATALOG.iter().map(|recipe| {
        let name = name::of_recipe(recipe.number, recipe.slug);
        let head = recipe.head();
        // A recipe that needs a parameter has nothing to judge without it, and a pass would say that all is well.
        if head.params.contains(&SEVERITY_PARAM) && head.needs.is_empty() {
            Case {
                name,
                task: Task::Body(BodyTask {
                    source: Source::Recipe(recipe),
                    params: Map::new(),
                    severity: None,
                    description: None,
                }),
            }
        } else {
            Case { name, task: Task::OnlyReports }
        }
    }));
    Ok(Plan { cases, findings: found.findings })
}

/// What is wrong with the rules before any of them runs, for those who check and do not run: what keeps a run from
/// starting, and configured rules that would fail for what they name. Findings without an order.
#[must_use]
pub fn plan_faults(config: &Config, discover: &DiscoverOptions) -> Vec<Finding> {
    let source = config.source.as_deref().and_then(|path| path.file_name()).map(|name| name.to_string_lossy());
    let error = |id: FindingId, message: String, place: Option<(String, Option<u32>)>| {
        let finding = Finding::error(id, message);
        match place.or_else(|| Some((source.as_deref()?.to_owned(), None))) {
            Some((file, line)) => finding.at(file, line),
            None => finding,
        }
    };
    let invalid = |message: String, place| error(FindingId::InvalidConfig, message, place);
    match plan(config, discover) {
        Ok(plan) => {
            let configured = plan.cases.iter().filter_map(|case| match &case.task {
                Task::Body(BodyTask { source: source @ Source::Configured { body, .. }, .. }) => Some((source, body)),
                _ => None,
            });
            let missing = configured.filter_map(|(source, body)| {
                let what = match body {
                    RuleBody::File(path) if !config.root.join(path).is_file() => {
                        format!("names `{path}`, which is no file")
                    }
                    RuleBody::Recipe(number) if recipe(*number).is_none() => {
                        format!("names the recipe {number}, which the catalog does not hold")
                    }
                    _ => return None,
                };
                Some(invalid(format!("{source} {what}"), place_of(source)))
            });
            plan.findings.iter().cloned().chain(missing).collect()
        }
        Err(PlanError::UnmatchedGlobs(globs)) => {
            let unmatched = |glob: String| {
                error(FindingId::UnmatchedRuleGlob, format!("the rule glob `{glob}` matched no file"), None).about(glob)
            };
            globs.into_iter().map(unmatched).collect()
        }
        Err(PlanError::EqualNames { name, first, second }) => {
            let place = place_of(&second);
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
    for path in files {
        // Of several globs that match a file, the first one names it.
        let glob = globs.iter().find(|(_, matcher)| matcher.is_match(&path)).map_or("", |(glob, _)| glob);
        let name = name::of_rule_file(&path, glob)
            .map_err(|error| PlanError::UnusableName { source_text: format!("the rule file \"{path}\""), error })?;
        rules.push((
            name,
            BodyTask { source: Source::File(path), params: Map::new(), severity: None, description: None },
        ));
    }
    let file = config.source.as_deref().and_then(|path| path.file_name()).unwrap_or_default().to_string_lossy();
    for rule in &config.rules {
        let source = Source::Configured {
            name: rule.name.clone(),
            line: rule.line,
            file: file.clone().into_owned(),
            body: rule.body.clone(),
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

/// The recipe that a configured rule runs.
pub(super) fn configured_recipe(body: &RuleBody) -> Option<&'static Recipe> {
    match body {
        RuleBody::Recipe(number) => recipe(*number),
        RuleBody::File(_) => None,
    }
}
