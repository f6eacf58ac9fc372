//! What is let stand: waivers and baselines come in, and the report of each case goes through them. A case judges the waivers
//! and the rows that name it; those that name no case are judged by a case of their own, so that no one matches nothing in silence.

mod check;
mod file;
mod names;
mod terms;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use sdp_core::config::Config;
use sdp_core::date::Date;
use sdp_core::rules::Case;
use thiserror::Error;

use self::file::File;
use self::terms::Terms;
use crate::paths;
use crate::report::CaseReport;

pub use self::check::Found;
pub use self::file::{read as read_baseline, write as write_baseline};

/// The variable that says what time it is, in seconds since the start of 1970, where a run must come out the same again.
const EPOCH: &str = "SOURCE_DATE_EPOCH";

/// The waivers and the baseline of one root.
#[derive(Clone, Debug, Default)]
pub struct Acceptance {
    /// None where nothing is configured.
    terms: Option<Arc<Terms>>,
}

/// What the command line says.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The baseline of every root, absolute, in place of those that are configured.
    pub baseline: Option<PathBuf>,
    /// Whether baselines are written anew.
    pub update: bool,
    /// The day of the run.
    pub today: Option<Date>,
}

/// Why nothing can be judged, in one line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AcceptError {
    /// A baseline is to be written, and none is named.
    #[error("there is no baseline to update")]
    NoBaseline,
    /// A baseline cannot be read.
    #[error("the baseline {path} could not be read ({reason})")]
    Unread {
        /// The path, harmless.
        path: String,
        /// What the system says.
        reason: String,
        /// Whether there is none.
        is_missing: bool,
    },
    /// A baseline cannot be written.
    #[error("the baseline could not be written: {0}")]
    Unwritten(String),
    /// What stands where a baseline is to be written is none.
    #[error("{0}")]
    Foreign(String),
    /// There is no telling what day it is.
    #[error("{0}")]
    NoDay(String),
}

impl AcceptError {
    /// What may help.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            AcceptError::NoBaseline => "`--baseline FILE` names it, or `baseline = \"FILE\"` in the configuration",
            AcceptError::Unread { is_missing: true, .. } => {
                "`cargo sdp rules --update-baseline` writes it where none is"
            }
            AcceptError::Unread { .. } => "a baseline is UTF-8 text, a regular file of at most 16 MiB and 500000 lines",
            AcceptError::Unwritten(_) => {
                "`--baseline FILE` names a regular file in a folder that can be written, and no symbolic link"
            }
            AcceptError::Foreign(_) => {
                "`--baseline FILE` names the file of the accepted findings; delete what stands there if it may go"
            }
            AcceptError::NoDay(_) => "`--today YYYY-MM-DD` says what day it is",
        }
    }
}

/// Makes the acceptance of each root of a run, in their order. A baseline that the command line names is given to every
/// configuration, so that their plans know of it.
///
/// # Errors
/// [`AcceptError`].
pub fn prepare(
    configs: &mut [Config],
    request: &Request,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Vec<Acceptance>, AcceptError> {
    if let Some(baseline) = &request.baseline {
        for config in configs.iter_mut() {
            config.baseline = Some(baseline.clone());
            // A run of one root leaves the rows of the others alone.
            for root in &mut config.beside {
                root.baseline = Some(baseline.clone());
            }
        }
    }
    if request.update && configs.iter().all(|config| config.baseline.is_none()) {
        return Err(AcceptError::NoBaseline);
    }
    // What no waiver asks for cannot fail.
    let today = match configs.iter().any(|config| !config.waivers.is_empty()) {
        true => Some(day(request.today, variable)?),
        false => None,
    };
    let users = users(configs);
    let mut files: HashMap<&Path, Arc<File>> = HashMap::new();
    let mut acceptances = Vec::with_capacity(configs.len());
    for config in configs.iter() {
        let real = config.baseline.as_deref().map(real);
        // The first root of the run that has a baseline answers for what names no root.
        let mut is_first = false;
        let file = match (config.baseline.as_deref(), real.and_then(|real| users.get_key_value(&real))) {
            (Some(path), Some((real, names))) => Some(match files.get(real.as_path()) {
                Some(file) => Arc::clone(file),
                None => {
                    is_first = true;
                    let file = Arc::new(File::open(path, names.iter().cloned().collect(), request.update)?);
                    if request.update {
                        refuse_foreign(&file, real, configs)?;
                    }
                    files.insert(real, Arc::clone(&file));
                    file
                }
            }),
            _ => None,
        };
        acceptances.push(match config.waivers.is_empty() && file.is_none() {
            true => Acceptance::default(),
            false => Acceptance { terms: Some(Arc::new(Terms::new(config, today, file, is_first))) },
        });
    }
    Ok(acceptances)
}

/// The names of the roots that each baseline serves, those that are not run among them; none where roots have no names.
fn users(configs: &[Config]) -> HashMap<PathBuf, BTreeSet<String>> {
    let mut users: HashMap<PathBuf, BTreeSet<String>> = HashMap::new();
    let mut reals: HashMap<&Path, PathBuf> = HashMap::new();
    for config in configs {
        let own = config.baseline.as_deref().map(|path| (path, config.name.as_ref()));
        let beside = config.beside.iter().filter_map(|root| Some((root.baseline.as_deref()?, Some(&root.name))));
        for (path, name) in own.into_iter().chain(beside) {
            let real = reals.entry(path).or_insert_with(|| real(path));
            users.entry(real.clone()).or_default().extend(name.cloned());
        }
    }
    users
}

/// The file that a path leads to, there or not: two paths of one baseline are one.
fn real(path: &Path) -> PathBuf {
    let of_folder = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(of_folder).unwrap_or_else(|| path.to_owned())
}

/// Refuses to write over what is no baseline: a path that is wrong must not cost a Spec or a configuration.
fn refuse_foreign(file: &File, real: &Path, configs: &[Config]) -> Result<(), AcceptError> {
    let is_configuration =
        configs.iter().filter_map(|config| config.source.as_deref()).any(|path| self::real(path) == real);
    if !is_configuration && file.is_baseline() {
        return Ok(());
    }
    let what = if is_configuration { "it is the configuration" } else { "most of its lines are no rows of a baseline" };
    Err(AcceptError::Foreign(format!("{} is not written over: {what}", paths::shown(&file.path))))
}

impl Acceptance {
    /// Whether nothing is configured that could let anything stand.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_none()
    }

    /// Takes up the cases of the root's plan, by which waivers and rows are told that name none of them.
    pub fn plan(&self, cases: &[Case]) {
        if let Some(terms) = &self.terms {
            terms.plan(cases);
        }
    }

    /// Takes out of a case's report what is let stand, adds what is wrong with the waivers and rows that name the case, and
    /// decides anew whether it passes.
    #[sdp::satisfies("spec:sdp.accepting", component = "component:sdp.harness")]
    pub fn judge(&self, case: &Case, report: &mut CaseReport) {
        if let Some(terms) = &self.terms {
            terms.judge(case, report);
        }
        report.decide();
    }
}

/// Writes the baselines that the run was to write anew, and says what changed, a line each. Rows of cases that were not
/// judged stay.
///
/// # Errors
/// [`AcceptError::Unwritten`].
pub fn write_baselines<'a>(acceptances: impl IntoIterator<Item = &'a Acceptance>) -> Result<Vec<String>, AcceptError> {
    let mut files: Vec<&Arc<File>> = Vec::new();
    for file in acceptances.into_iter().filter_map(|one| one.terms.as_ref()?.file.as_ref()) {
        if !files.iter().any(|known| Arc::ptr_eq(known, file)) {
            files.push(file);
        }
    }
    let mut said = Vec::new();
    for file in files {
        said.extend(file.write()?);
    }
    Ok(said)
}

/// The day of a run: the one that is given, else that of `SOURCE_DATE_EPOCH`, else the system's, in UTC.
///
/// # Errors
/// [`AcceptError::NoDay`].
pub fn day(given: Option<Date>, variable: impl Fn(&str) -> Option<OsString>) -> Result<Date, AcceptError> {
    if let Some(day) = given {
        return Ok(day);
    }
    let seconds = match variable(EPOCH).filter(|value| !value.is_empty()) {
        Some(value) => {
            let seconds = value.to_str().and_then(|text| text.trim().parse::<u64>().ok());
            seconds.ok_or_else(|| AcceptError::NoDay(format!("{EPOCH} is no number of seconds")))?
        }
        None => SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
    };
    Date::of_unix_seconds(seconds).ok_or_else(|| AcceptError::NoDay("the year of the run is beyond 9999".to_owned()))
}

/// A path as it is called from a folder: below it, beside it, or absolute where the two share nothing.
fn relative(folder: &Path, path: &Path) -> String {
    let shared = folder.components().zip(path.components()).take_while(|(left, right)| left == right).count();
    // The root of the file system alone is no neighbourhood.
    if shared < 2 && !path.starts_with(folder) {
        path.to_string_lossy().into_owned()
    } else {
        paths::from(folder, path)
    }
}
