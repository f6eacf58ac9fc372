//! Cases that are run again and again in one process: plans and extractions come in that somebody keeps, the reports of the
//! selected cases go out. Nothing is printed or written here.

use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};

use libtest_mimic::Arguments;
use sdp_core::extract::{Extraction, extract};
use sdp_core::rules::{Engine, Plan, PlanError, Task};

use super::{Ahead, Shared, is_lost, lost, needs_graph, options_of, select, taken_up, threads};
use crate::arguments::{self, End};
use crate::diagnostic::Diagnostic;
use crate::packages::CargoPackages;
use crate::report::CaseReport;
use crate::{Options, own_line};

/// Which cases are run.
#[derive(Clone, Debug)]
pub struct Selection(Arguments);

impl Selection {
    /// Reads the arguments of a test runner, without the program's name. Those that are about its own output, or that run no
    /// case, have no sense here.
    ///
    /// # Errors
    /// What is wrong with them, as a text for stderr.
    pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Self, String> {
        let arguments = match arguments::parse(words) {
            Ok(arguments) => arguments,
            Err(End::Help(_)) => return Err(senseless("--help")),
            Err(End::Usage(text)) => return Err(text),
            Err(End::Refused(text)) => return Err(format!("error: {text}\n")),
        };
        let asked = [
            (arguments.list, "--list"),
            (arguments.bench, "--bench"),
            (arguments.format.is_some(), "--format"),
            (arguments.quiet, "--quiet"),
            (arguments.logfile.is_some(), "--logfile"),
            (arguments.nocapture, "--nocapture"),
            (arguments.show_output, "--show-output"),
            (arguments.color.is_some(), "--color"),
        ];
        match asked.iter().find(|(is_asked, _)| *is_asked) {
            Some((_, word)) => Err(senseless(word)),
            None => Ok(Selection(arguments)),
        }
    }
}

fn senseless(word: &str) -> String {
    format!(
        "error: `{word}` after `--` is about one run of the test runner, and a watch runs without it: `--exact`, `--skip` and `--test-threads` are understood\n"
    )
}

/// What somebody keeps of a root.
pub struct Kept<'k> {
    /// Its plan.
    pub plan: &'k Result<Plan, PlanError>,
    /// What cargo says of the packages of its configuration.
    pub packages: Arc<CargoPackages>,
}

/// What the cases gave.
#[derive(Debug, Default)]
pub struct Judged {
    /// What is said of the plans.
    pub diagnostics: Vec<Diagnostic>,
    /// The reports of the selected cases, in their order.
    pub reports: Vec<CaseReport>,
    /// How many cases a filter left out.
    pub filtered_out: usize,
    /// Whether a plan is refused, so that no case was run.
    pub is_refused: bool,
    /// The run's own words, in lines for stderr.
    pub said: Vec<String>,
}

/// Runs the selected cases. `derive` gives the extraction of the root at a position, not weighed; it is asked for those roots
/// alone of which a case needs the graph.
pub fn judge(
    options: &Options,
    selection: &Selection,
    kept: &[Kept<'_>],
    derive: &mut dyn FnMut(usize) -> Extraction,
) -> Judged {
    let Selection(arguments) = selection;
    let mut judged = Judged::default();
    let said = &mut judged.said;
    let (cases, diagnostics) = taken_up(options, kept.iter().map(|kept| kept.plan), |line| said.push(own_line(line)));
    judged.is_refused = diagnostics.iter().any(Diagnostic::is_error);
    judged.diagnostics = diagnostics;
    let (selected, others) = select(arguments, cases);
    judged.filtered_out = others.len();
    if judged.is_refused {
        judged.said.push(own_line("nothing was run."));
        return judged;
    }
    if is_lost(options, arguments, &selected) {
        judged.said.push(own_line(&lost(arguments, &others)));
        return judged;
    }
    let engines = options.roots.iter().zip(kept).enumerate().map(|(position, (root, kept))| {
        let given = Mutex::new(needs_graph(&selected, position).then(|| derive(position)));
        let (folder, discover) = (root.config.root.clone(), root.discover.clone());
        let extraction = move || {
            let given = given.lock().unwrap_or_else(PoisonError::into_inner).take();
            given.unwrap_or_else(|| extract(&folder, &discover))
        };
        Engine::with_extraction(options_of(root, Arc::clone(&kept.packages)), extraction)
    });
    let engines: Vec<Engine> = engines.collect();
    let runs = selected.iter().any(|planned| planned.case.task != Task::OnlyReports);
    let threads = if runs { threads(arguments, &selected) } else { 0 };
    let shared = Shared::of(options, Ahead::start(engines, selected, threads));
    let positions = 0..shared.ahead.cases().len();
    judged.reports =
        positions.map(|position| shared.report(position).unwrap_or_else(|| shared.panicked(position))).collect();
    judged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Result<Selection, String> {
        Selection::parse(words.iter().map(OsString::from))
    }

    #[test]
    fn what_is_about_the_output_of_one_run_is_refused() {
        for words in [&["--list"][..], &["--format", "json"], &["-q"], &["--nocapture"], &["--help"], &["--bench"]] {
            let Err(text) = parsed(words) else { panic!("{words:?}") };
            assert!(text.starts_with("error: `--") && text.ends_with("are understood\n"), "{text}");
        }
        assert!(parsed(&["--no-such"]).is_err());
        assert!(parsed(&["rule::", "--exact", "--skip", "x", "--test-threads", "2"]).is_ok());
    }
}
