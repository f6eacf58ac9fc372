//! The engine of a run: cases come in from any thread, each one's outcome goes out. Whatever cases need is made once, by the
//! first that needs it: the extraction, the reader, its report, the evaluators. A list of cases makes none of it.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};
use thiserror::Error;

use super::body::{self, BodyError};
use super::finding::{Place, RuleFindings};
use super::head::{HeadError, RuleHead};
use super::judge::{Judgement, Problem, Terms, judge};
use super::lines;
use super::packages::{PackageError, Packages};
use super::plan::{BodyTask, Case, SEVERITY_PARAM, Source, Task, configured_recipe, from_config};
use super::stations::Stations;
use super::subject::Subjects;
use crate::config::{Limits, PARAMS_WORDS, ParamsInput, RuleBody};
use crate::discover::DiscoverOptions;
use crate::extract::{Extraction, extract};
use crate::finding::{Finding, FindingId, Severity};
use crate::params::Merge;
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
    /// What the paths of the configuration stand on, absolute.
    pub base: PathBuf,
    /// The way there from the root: nothing, or `../` as often as it takes.
    pub folder: String,
    /// Finds the packages that configured rules lie in; without it such a rule fails.
    pub packages: Option<Arc<dyn Packages>>,
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
    extractor: Extractor,
    corpus: OnceLock<Corpus>,
}

/// Where an engine has its extraction from.
struct Extractor(Box<dyn Fn() -> Extraction + Send + Sync>);

impl fmt::Debug for Extractor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Extractor")
    }
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
    /// What the rule is for: as the configuration says, else as its head does.
    pub description: Option<String>,
    /// What its body printed, one call an entry; an entry may hold several lines.
    pub console: Vec<String>,
}

/// Whether a case passed, and what it has to say.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Findings of the engine's own; an error among them fails the case.
    Engine(Vec<Finding>),
    /// What extraction found where errors left holes in the graph; the case fails.
    Holes(Vec<Finding>),
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
            Verdict::Holes(_) | Verdict::NoSpecs { .. } | Verdict::Broken(_) | Verdict::NotRun => false,
        }
    }
}

/// Why a body gave no answer.
#[derive(Clone, Debug, Error)]
pub enum CaseError {
    /// The rule file cannot be read.
    #[error("the rule file {path} {error}")]
    Body {
        /// The file, as messages call it: from the folder of the configuration.
        path: String,
        /// What is wrong with it.
        error: BodyError,
    },
    /// The parameters cannot be had.
    #[error("{message}")]
    Params {
        /// What is wrong with them.
        message: String,
        /// The file that is to be mended, with the 1-based line and column where they are known; none when it is the configuration.
        place: Option<(String, Option<(u32, u32)>)>,
    },
    /// The package that the rule lies in cannot be had.
    #[error("{0}")]
    Package(PackageError),
    /// The head of the body cannot be followed.
    #[error("{error}")]
    Head {
        /// What is wrong with it.
        error: HeadError,
        /// The body.
        body: BodyText,
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
    /// Whether it is a file's.
    pub is_file: bool,
    /// The JavaScript text.
    pub text: Arc<str>,
}

impl BodyText {
    /// An error of this body, with its place in the lines of the file.
    fn in_its_lines(&self, error: EvalError) -> EvalError {
        match error {
            EvalError::Parse { line, column, message } => {
                let (line, column) = lines::in_file(&self.text, line, column);
                EvalError::Parse { line, column, message }
            }
            other => other,
        }
    }
}

impl Engine {
    /// An engine that has done nothing yet.
    #[must_use]
    pub fn new(options: EngineOptions) -> Self {
        let (root, discover) = (options.root.clone(), options.discover.clone());
        Self::with_extraction(options, move || extract(&root, &discover))
    }

    /// The same with an extraction that somebody else has: what [`extract`] gives for the options, not weighed yet. It is asked for once, by
    /// the first case that needs it.
    #[must_use]
    pub fn with_extraction(
        options: EngineOptions,
        extraction: impl Fn() -> Extraction + Send + Sync + 'static,
    ) -> Self {
        Engine { options, extractor: Extractor(Box::new(extraction)), corpus: OnceLock::new() }
    }

    /// Reads the carriers and derives the graph, where no case has done it yet, and gives what was extracted.
    pub fn prepare(&self) -> &Extraction {
        &self.corpus().extraction
    }

    /// Runs one case.
    #[must_use]
    #[sdp::satisfies("spec:sdp.rules")]
    pub fn run(&self, case: &Case) -> Outcome {
        let silent = |verdict| Outcome { verdict, description: None, console: Vec::new() };
        match case.task {
            Task::OnlyReports => return silent(Verdict::OnlyReports),
            // What is wrong with them is for those to say who hold them.
            Task::Waivers | Task::Baseline => return silent(Verdict::Engine(Vec::new())),
            Task::Carriers | Task::Check(_) | Task::Contracts | Task::Body(_) => {}
        }
        let corpus = self.corpus();
        let extraction = &corpus.extraction;
        if case.task == Task::Carriers {
            let findings = extraction.findings.clone();
            return silent(if extraction.has_errors() {
                Verdict::Holes(findings)
            } else if extraction.spec_count > 0 {
                Verdict::Engine(findings)
            } else {
                Verdict::NoSpecs { root: self.options.root.clone(), findings }
            });
        }
        // A check or a rule over nothing would pass whatever it says.
        if extraction.has_errors() || extraction.spec_count == 0 {
            return silent(Verdict::NotRun);
        }
        match &case.task {
            Task::Carriers | Task::OnlyReports | Task::Waivers | Task::Baseline => silent(Verdict::OnlyReports),
            Task::Check(id) => silent(Verdict::Engine(corpus.findings_of(*id))),
            Task::Contracts => silent(Verdict::Engine(corpus.contracts())),
            Task::Body(task) => self.run_body(&case.name, task, corpus),
        }
    }

    fn corpus(&self) -> &Corpus {
        self.corpus.get_or_init(|| {
            let extraction = (self.extractor.0)().weighed(&self.options.severities);
            let extraction = Arc::new(extraction);
            let reader = Arc::new(Reader::of(&extraction));
            let subjects = Subjects::new(Arc::clone(&extraction), Arc::clone(&reader));
            let stations = Stations::new(Arc::clone(&reader), self.options.limits);
            Corpus { extraction, reader, subjects, stations }
        })
    }

    fn run_body(&self, name: &str, task: &BodyTask, corpus: &Corpus) -> Outcome {
        let mut description = task.description.clone();
        let (verdict, console) = match self.ready(task) {
            Ok((body, head, mut params)) => {
                description = description.or_else(|| head.description.clone());
                let unknown = head.unknown(&params);
                if unknown.is_empty() {
                    let severity = task.severity.unwrap_or(Severity::Error);
                    if head.lists(SEVERITY_PARAM) {
                        params.entry(SEVERITY_PARAM).or_insert_with(|| Value::from(severity.as_str()));
                    }
                    let rule = head.rule.as_deref().unwrap_or(name);
                    let configured = configured_at(task);
                    let terms = Terms { rule, severity, subjects: &corpus.subjects, configured: configured.as_ref() };
                    evaluated(body, params, &terms, corpus)
                } else {
                    (Verdict::Judged(refused_params(&unknown, &head)), Vec::new())
                }
            }
            Err(error) => (Verdict::Broken(error), Vec::new()),
        };
        Outcome { verdict, description, console }
    }

    /// A body with its head and its parameters.
    #[sdp::satisfies("spec:sdp.rules.configured")]
    fn ready(&self, task: &BodyTask) -> Result<(BodyText, RuleHead, Map<String, Value>), CaseError> {
        let body = self.body(&task.source)?;
        let head = match RuleHead::of(&body.text) {
            Ok(head) => head,
            Err(error) => return Err(CaseError::Head { error, body }),
        };
        Ok((body, head, self.params(&task.params)?))
    }

    /// Reads and merges the inputs of parameters.
    fn params(&self, inputs: &[ParamsInput]) -> Result<Map<String, Value>, CaseError> {
        let mut merge = Merge::new(&self.options.base);
        for one in inputs {
            merge.add(one.input.clone(), one.name()).map_err(|fault| {
                let place = fault.place().map(|(file, at)| (self.shown_path(file), at));
                CaseError::Params { message: fault.told(PARAMS_WORDS), place }
            })?;
        }
        Ok(merge.finish())
    }

    /// A file of the configuration as findings name it: relative to the root.
    fn shown_path(&self, path: &str) -> String {
        format!("{}{path}", self.options.folder)
    }

    fn body(&self, source: &Source) -> Result<BodyText, CaseError> {
        match source {
            Source::File(path) => self.file(path),
            Source::Recipe(recipe) => Ok(of_recipe(recipe)),
            Source::Configured { body: RuleBody::File(path), .. } => self.file(path),
            Source::Configured { body: body @ RuleBody::Recipe(number), .. } => {
                configured_recipe(body).map(of_recipe).ok_or(CaseError::NoRecipe(*number))
            }
            Source::Configured { body: RuleBody::Dependency { package, path }, .. } => {
                let Some(packages) = &self.options.packages else {
                    let message = format!("the rule lies in the package `{package}`, and nothing here finds packages");
                    return Err(CaseError::Package(PackageError { message, help: None }));
                };
                let folder = packages.folder(package).map_err(CaseError::Package)?;
                let name = format!("dependency:{package}/{path}");
                match body::read_inside(&folder, path, "its package") {
                    Ok(text) => Ok(BodyText { name, is_file: false, text: text.into() }),
                    Err(error) => Err(CaseError::Body { path: name, error }),
                }
            }
        }
    }

    fn file(&self, path: &str) -> Result<BodyText, CaseError> {
        let from_base = path.strip_prefix(self.options.folder.as_str()).unwrap_or(path);
        match body::read_inside(&self.options.base, from_base, "the configuration's folder") {
            Ok(text) => Ok(BodyText { name: path.to_owned(), is_file: true, text: text.into() }),
            Err(error) => Err(CaseError::Body { path: from_config(path).to_owned(), error }),
        }
    }
}

/// Runs a body and judges its answer; what it printed comes along.
fn evaluated(body: BodyText, params: Map<String, Value>, terms: &Terms<'_>, corpus: &Corpus) -> (Verdict, Vec<String>) {
    let job = Job { body: Arc::clone(&body.text), params: Value::Object(params), want: Want::Json };
    let (answer, console) = corpus.stations.run(job.clone());
    let verdict = match answer {
        Ok(answer) => match judged(&answer, terms) {
            Ok(mut judgement) => {
                corpus.describe_wrong_return(&mut judgement, job);
                Verdict::Judged(judgement)
            }
            Err(error) => Verdict::Broken(CaseError::NoData { error, body }),
        },
        Err(error) => Verdict::Broken(CaseError::Eval { error: body.in_its_lines(error), body }),
    };
    (verdict, console)
}

/// Where the parameters of a configured rule stand: where there are several inputs, the rule.
fn configured_at(task: &BodyTask) -> Option<Place> {
    let Source::Configured { file, line, .. } = &task.source else { return None };
    let line = match task.params.as_slice() {
        [only] => only.line,
        _ => *line,
    };
    Some(Place { file: file.clone(), line: Some(line) })
}

/// What a body is not run with, as a recipe says it of itself.
fn refused_params(unknown: &[&str], head: &RuleHead) -> Judgement {
    let accepts = match head.accepts.as_deref() {
        None | Some([]) => "none".to_owned(),
        Some(accepts) => accepts.join(", "),
    };
    let problem = Problem::UnknownParams { unknown: unknown.join(", "), accepts };
    Judgement { findings: RuleFindings::default(), problems: vec![problem], more_problems: 0 }
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
    let name = format!("recipe {} ({})", recipe.number, recipe.slug);
    BodyText { name, is_file: false, text: recipe.body.into() }
}

/// Judges an answer. A value without a JSON form is the rule's error like any other wrong return.
fn judged(answer: &Answer, terms: &Terms<'_>) -> Result<Judgement, JsonError> {
    if answer.is_undefined() {
        let findings = RuleFindings::default();
        return Ok(Judgement { findings, problems: vec![Problem::Nothing], more_problems: 0 });
    }
    Ok(judge(answer.json_text()?, terms))
}
