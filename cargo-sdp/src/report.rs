//! `--output`: its words come in, the run's outputs go out. Every command that lists findings prints them here, so that one
//! form means one thing; none of the forms decides anything.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use sdp_core::config::Config;
use sdp_core::finding::Finding;
use sdp_core::rules::name::in_root;
use sdp_core::rules::{CARRIERS_CASE, case_of, engine_cases};
use sdp_harness::diagnostic::{self, Diagnostic};
use sdp_harness::event::{CaseId, Event, Run, RunRoot, Summary};
use sdp_harness::outputs::{Format, Outputs, People, Request, RequestError, Settings, Streams};

use crate::errors::{Exit, Refusal};
use crate::output::Output;

/// The option of every command that lists findings.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputsArgs {
    /// How findings are printed; may be repeated. With a file the form is written there, relative to the current folder
    #[arg(long = "output", id = "outputs", value_name = "FORMAT[=FILE]", value_parser = RequestParser)]
    pub(crate) requests: Vec<Request>,
}

/// Reads `FORMAT[=FILE]`, and shows the formats to help and completions.
#[derive(Clone, Debug)]
struct RequestParser;

impl TypedValueParser for RequestParser {
    type Value = Request;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Request, clap::Error> {
        let Some(word) = value.to_str() else {
            return Err(clap::Error::new(ErrorKind::InvalidUtf8).with_cmd(command));
        };
        match word.parse() {
            Ok(request) => Ok(request),
            // Clap's own words, with the formats and the nearest one.
            Err(RequestError::Unknown(name)) => {
                let formats = PossibleValuesParser::new(formats());
                Err(match formats.parse_ref(command, argument, OsStr::new(&name)) {
                    Err(error) => error,
                    Ok(_) => clap::Error::new(ErrorKind::InvalidValue).with_cmd(command),
                })
            }
            Err(error @ RequestError::NoFile(_)) => {
                let error = format!("{error}: leave out the `=`, or name a file\n");
                Err(clap::Error::raw(ErrorKind::ValueValidation, error).with_cmd(command))
            }
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(formats().into_iter()))
    }
}

fn formats() -> [PossibleValue; 8] {
    Format::ALL.map(|format| PossibleValue::new(format.as_str()).help(format.about()))
}

impl OutputsArgs {
    /// Opens the outputs of a command, with the form that holds where no form has a stream.
    pub(crate) fn open(&self, default: Format, people: People, output: &Output) -> Result<Outputs, Refusal> {
        self.open_in(&env::current_dir().map_err(Refusal::NoCurrentFolder)?, default, people, output)
    }

    /// The same from a current folder, which may be gone.
    pub(crate) fn open_in(
        &self,
        cwd: &Path,
        default: Format,
        people: People,
        output: &Output,
    ) -> Result<Outputs, Refusal> {
        let settings = Settings {
            cwd: cwd.to_owned(),
            default,
            people,
            colour: match people {
                People::Stderr => output.colour_stderr,
                People::Stdout => output.colour_stdout,
            },
            quiet: output.is_quiet(),
            step_summary: env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()).map(PathBuf::from),
        };
        Outputs::open(&self.requests, &settings).map_err(Refusal::Outputs)
    }
}

/// Refuses outputs that would replace the baseline of a root.
pub(crate) fn spare_baselines<'c>(
    outputs: &Outputs,
    configs: impl IntoIterator<Item = &'c Config>,
) -> Result<(), Refusal> {
    let mut baselines = configs.into_iter().filter_map(|config| config.baseline.as_deref());
    baselines.try_for_each(|path| outputs.spare(path, "the baseline")).map_err(Refusal::Outputs)
}

/// The outputs of one command while it runs.
pub(crate) struct Report<'o> {
    outputs: Outputs,
    output: &'o mut Output,
    summary: Summary,
}

impl<'o> Report<'o> {
    /// Begins a run over what it is about.
    pub(crate) fn begin(outputs: Outputs, run: &Run, output: &'o mut Output) -> Self {
        let mut report = Report { outputs, output, summary: Summary { is_whole: true, ..Summary::default() } };
        report.outputs.send(&Event::Begin(run), report.output);
        report
    }

    /// Sends findings of a root in their order, as diagnostics that know each other.
    pub(crate) fn findings(&mut self, findings: &[Finding], root: &RunRoot) {
        for one in diagnostics_of(findings, root) {
            self.diagnostic(&one);
        }
    }

    /// Counts what is let stand.
    pub(crate) fn let_stand(&mut self, waived: usize, accepted: usize) {
        self.summary.waived += waived;
        self.summary.accepted += accepted;
    }

    /// Sends one diagnostic.
    pub(crate) fn diagnostic(&mut self, one: &Diagnostic) {
        self.summary.add(one);
        self.outputs.send(&Event::Diagnostic(one), self.output);
    }

    /// Says that something that was to be judged was not.
    pub(crate) fn is_not_whole(&mut self) {
        self.summary.is_whole = false;
    }

    /// The owner of the streams, for what is said beside the findings.
    pub(crate) fn output(&mut self) -> &mut Output {
        self.output
    }

    /// The form for people that has a stream.
    pub(crate) fn people(&self) -> Option<Format> {
        self.outputs.people()
    }

    /// Prints a line for people where the line that sums up goes: on stdout, unless another form has it.
    pub(crate) fn line(&mut self, text: &str) {
        if !self.output.is_quiet() {
            self.answer(|_| format!("{text}\n"));
        }
    }

    /// Prints what answers beside the findings, drawn with or without colours: where the lines go, but in a quiet run too.
    pub(crate) fn answer(&mut self, draw: impl FnOnce(bool) -> String) {
        if self.stdout_is_taken() {
            let text = draw(self.output.colour_stderr);
            self.output.err(&text);
        } else {
            let text = draw(self.output.colour_stdout);
            self.output.out(&text);
        }
    }

    /// Whether a form for programs has stdout.
    pub(crate) fn stdout_is_taken(&self) -> bool {
        self.outputs.stdout().is_some()
    }

    /// Ends the run with the line that sums up.
    pub(crate) fn end(&mut self, text: String) {
        self.summary.text = text;
        self.outputs.send(&Event::End(&self.summary), self.output);
    }

    /// Writes the files. It is the last thing of a command that did not refuse before.
    pub(crate) fn finish(self) -> Result<(), Refusal> {
        self.outputs.finish().map_err(|faults| Refusal::OutputUnwritten { faults })
    }

    /// The same of a command that ended in some way: where it refused too, both are said.
    pub(crate) fn finish_as(self, command: &str, ended: Result<Exit, Refusal>) -> Result<Exit, Refusal> {
        let Report { outputs, output, .. } = self;
        let finished = outputs.finish().map_err(|faults| Refusal::OutputUnwritten { faults });
        if let (Err(_), Err(unwritten)) = (&ended, &finished) {
            unwritten.print(command, output);
            return ended;
        }
        finished.and(ended)
    }
}

/// Findings of a root as diagnostics that know each other, each under the case of `rules` that gives it: its check, the example
/// spaces, or the carriers for all that stands before them.
pub(crate) fn diagnostics_of(findings: &[Finding], root: &RunRoot) -> Vec<Diagnostic> {
    let one = |finding: &Finding| {
        let case = case_of(finding).unwrap_or_else(|| CARRIERS_CASE.to_owned());
        Diagnostic { root: root.name.clone(), ..Diagnostic::of_finding(finding, &in_root(root.name.as_deref(), &case)) }
    };
    let mut diagnostics: Vec<Diagnostic> = findings.iter().map(one).collect();
    diagnostic::identify_by_case(&mut diagnostics);
    diagnostics
}

/// The cases that `check` judges in a root, in the order of `rules`.
pub(crate) fn check_cases(root: &RunRoot) -> impl Iterator<Item = CaseId> {
    engine_cases().into_iter().map(|case| case_id(root, &case.name))
}

/// A case of a root.
pub(crate) fn case_id(root: &RunRoot, case: &str) -> CaseId {
    (root.name.clone(), in_root(root.name.as_deref(), case))
}

impl Streams for Output {
    fn out(&mut self, text: &str) {
        Output::out(self, text);
    }

    fn err(&mut self, text: &str) {
        Output::err(self, text);
    }

    fn commands(&mut self, text: &str) {
        Output::commands(self, text);
    }
}
