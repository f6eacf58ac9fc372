//! The engine of a run: cases come in from any thread, each one's outcome goes out. Whatever cases need is made once, by the
//! first that needs it: the extraction, the reader with its report, the evaluators. A list of cases makes none of it.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use serde_json::Value;
use thiserror::Error;

use super::body::{self, BodyError};
use super::finding::RuleFindings;
use super::judge::{Judgement, Problem, Terms, judge};
use super::plan::{BodyTask, Case, SEVERITY_PARAM, Source, Task, configured_recipe};
use super::stations::Stations;
use super::subject::Subjects;
use crate::config::{Limits, RuleBody};
use crate::discover::DiscoverOptions;
use crate::extract::{Extraction, extract};
use crate::finding::{Finding, FindingId, Severity};
use crate::reader::Reader;
use crate::script::{Answer, EvalError, Job, JsonError, Want};
use crate::severity::Severities;
use crate::space;

/// How many characters of a wrong return are shown.
const SHOWN_RETURN: usize = 200;

/// What a run needs beside its cases.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// The root, absolute.
    pub root: PathBuf,
    /// What the walk leaves out.
    pub discover: DiscoverOptions,
    /// What one body may use.
    pub limits: Limits,
    /// What findings weigh.
    pub severities: Severities,
}

/// Runs cases over one root.
#[derive(Debug)]
pub struct Engine {
    options: EngineOptions,
    corpus: OnceLock<Corpus>,
}

/// What all cases share.
#[derive(Debug)]
struct Corpus {
    extraction: Arc<Extraction>,
    reader: Arc<Reader>,
    subjects: Subjects,
    stations: Stations,
}

/// What became of a case.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Whether it passed, and what it has to say.
    pub verdict: Verdict,
    /// What its body printed, one call an entry; an entry may hold several lines.
    pub console: Vec<String>,
}

/// Whether a case passed, and what it has to say.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Findings of the engine's own; an error among them fails the case.
    Engine(Vec<Finding>),
    /// No carrier gave a Spec; the case fails.
    NoSpecs {
        /// The folder that was searched, absolute.
        root: PathBuf,
        /// What extraction found on the way.
        findings: Vec<Finding>,
    },
    /// What a body answered.
    Judged(Judgement),
    /// The body gave no answer; the case fails.
    Broken(CaseError),
    /// The carriers do not give a graph, so the case fails without being run.
    NotRun,
    /// The recipe reports and cannot fail.
    OnlyReports,
}

impl Verdict {
    /// Whether the case passes. A recipe that only reports neither passes nor fails; it counts as passing here.
    #[must_use]
    pub fn passes(&self) -> bool {
        match self {
            Verdict::Engine(findings) => !findings.iter().any(Finding::is_error),
            Verdict::Judged(judgement) => judgement.passes(),
            Verdict::OnlyReports => true,
            Verdict::NoSpecs { .. } | Verdict::Broken(_) | Verdict::NotRun => false,
        }
    }
}

/// Why a body gave no answer.
#[derive(Clone, Debug, Error)]
pub enum CaseError {
    /// The rule file cannot be read.
    #[error("the rule file {path} {error}")]
    Body {
        /// The file, root-relative.
        path: String,
        /// What is wrong with it.
        error: BodyError,
    },
    /// A configured rule names a recipe that the catalog lacks.
    #[error("the catalog holds no recipe {0}")]
    NoRecipe(u32),
    /// Evaluation failed.
    #[error("{error}")]
    Eval {
        /// How.
        error: EvalError,
        /// The body.
        body: BodyText,
    },
    /// The returned value is no data.
    #[error("{error}")]
    NoData {
        /// Why.
        error: JsonError,
        /// The body.
        body: BodyText,
    },
}

/// A body's text and what to call it.
#[derive(Clone, Debug)]
pub struct BodyText {
    /// The rule file, root-relative, or a recipe's name.
    pub name: String,
    /// The JavaScript text.
    pub text: Arc<str>,
}

impl Engine {
    /// An engine that has done nothing yet.
    #[must_use]
    pub fn new(options: EngineOptions) -> Self {
        Engine { options, corpus: OnceLock::new() }
    }

    /// Reads the carriers and derives the graph, where no case has done it yet, and gives what was extracted.
    pub fn prepare(&self) -> &Extraction {
        &self.corpus().extraction
    }

    /// Runs one case.
    #[must_use]
    #[sdp::satisfies("spec:sdp.rules")]
    pub fn run(&self, case: &Case) -> Outcome {
        let silent = |verdict| Outcome { verdict, console: Vec::new() };
        if case.task == Task::OnlyReports {
            return silent(Verdict::OnlyReports);
        }
        let corpus = self.corpus();
        let extraction = &corpus.extraction;
        if case.task == Task::Carriers {
            let findings = extraction.findings.clone();
            let explained = extraction.has_errors() || extraction.spec_count > 0;
            let no_specs = || Verdict::NoSpecs { root: self.options.root.clone(), findings: findings.clone() };
            return silent(if explained { Verdict::Engine(findings) } else { no_specs() });
        }
        // A check or a rule over nothing would pass whatever it says.
        if extraction.has_errors() || extraction.spec_count == 0 {
            return silent(Verdict::NotRun);
        }
        match &case.task {
            Task::Carriers | Task::OnlyReports => silent(Verdict::OnlyReports),
            Task::Check(id) => silent(Verdict::Engine(corpus.findings_of(*id))),
            Task::Contracts => silent(Verdict::Engine(corpus.contracts())),
            Task::Body(task) => self.run_body(&case.name, task, corpus),
        }
    }

    fn corpus(&self) -> &Corpus {
        self.corpus.get_or_init(|| {
            let extraction = extract(&self.options.root, &self.options.discover).weighed(&self.options.severities);
            let extraction = Arc::new(extraction);
            let reader = Arc::new(Reader::of(&extraction));
            let subjects = Subjects::new(Arc::clone(&extraction), Arc::clone(&reader));
            let stations = Stations::new(Arc::clone(&reader), self.options.limits);
            Corpus { extraction, reader, subjects, stations }
        })
    }

    fn run_body(&self, name: &str, task: &BodyTask, corpus: &Corpus) -> Outcome {
        let broken = |error| Outcome { verdict: Verdict::Broken(error), console: Vec::new() };
        let body = match self.body(&task.source) {
            Ok(body) => body,
            Err(error) => return broken(error),
        };
        let severity = task.severity.unwrap_or(Severity::Error);
        let mut params = task.params.clone();
        if sdp_recipes::head_of(&body.text).params.contains(&SEVERITY_PARAM) {
            params.entry(SEVERITY_PARAM).or_insert_with(|| Value::from(severity.as_str()));
        }
        let job = Job { body: Arc::clone(&body.text), params: Value::Object(params), want: Want::Json };
        let (answer, console) = corpus.stations.run(job.clone());
        let terms = Terms { rule: name, severity, subjects: &corpus.subjects };
        let verdict = match answer {
            Ok(answer) => match judged(&answer, &terms) {
                Ok(mut judgement) => {
                    corpus.describe_wrong_return(&mut judgement, job);
                    Verdict::Judged(judgement)
                }
                Err(error) => Verdict::Broken(CaseError::NoData { error, body }),
            },
            Err(error) => Verdict::Broken(CaseError::Eval { error, body }),
        };
        Outcome { verdict, console }
    }

    fn body(&self, source: &Source) -> Result<BodyText, CaseError> {
        match source {
            Source::File(path) => self.file(path),
            Source::Recipe(recipe) => Ok(of_recipe(recipe)),
            Source::Configured { body: RuleBody::File(path), .. } => self.file(path),
            Source::Configured { body: body @ RuleBody::Recipe(number), .. } => {
                configured_recipe(body).map(of_recipe).ok_or(CaseError::NoRecipe(*number))
            }
        }
    }

    fn file(&self, path: &str) -> Result<BodyText, CaseError> {
        match body::read(&self.options.root, path) {
            Ok(text) => Ok(BodyText { name: path.to_owned(), text: text.into() }),
            Err(error) => Err(CaseError::Body { path: path.to_owned(), error }),
        }
    }
}

impl Corpus {
    /// A Map, a Set or an error is `{}` in JSON, so a wrong return is shown as `util.inspect` prints it. The body runs once
    /// more for that: bodies of a run are deterministic, and few return the wrong thing.
    fn describe_wrong_return(&self, judgement: &mut Judgement, job: Job) {
        let [Problem::WrongReturn(what)] = judgement.problems.as_mut_slice() else { return };
        let (answer, _) = self.stations.run(Job { want: Want::Inspect, ..job });
        if let Ok(answer) = answer
            && let Ok(shown) = answer.render()
        {
            *what = shown.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(SHOWN_RETURN).collect();
        }
    }

    /// The findings of one check, at the lines where their subjects are authored.
    fn findings_of(&self, id: FindingId) -> Vec<Finding> {
        let findings = self.reader.report().findings.iter();
        self.extraction.said(findings.filter(|finding| finding.is_of(id)).cloned().collect())
    }

    /// What is said of the example spaces and of the examples.
    fn contracts(&self) -> Vec<Finding> {
        self.extraction.said(space::findings(self.reader.graph(), self.reader.index()))
    }
}

fn of_recipe(recipe: &sdp_recipes::Recipe) -> BodyText {
    BodyText { name: format!("recipe {} ({})", recipe.number, recipe.slug), text: recipe.body.into() }
}

/// Judges an answer. A value without a JSON form is the rule's error like any other wrong return.
fn judged(answer: &Answer, terms: &Terms<'_>) -> Result<Judgement, JsonError> {
    if answer.is_undefined() {
        let findings = RuleFindings::default();
        return Ok(Judgement { findings, problems: vec![Problem::Nothing], more_problems: 0 });
    }
    Ok(judge(answer.json_text()?, terms))
}
