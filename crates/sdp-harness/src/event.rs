//! Events: what a run does and finds, in order, as every output hears of it. A command sends them; a sink makes text of
//! them and decides nothing.

use std::path::{Path, PathBuf};

use sdp_core::config::Config;
use sdp_core::finding::Finding;

use crate::diagnostic::Diagnostic;
use crate::paths::{joined, prefix};
use crate::report::{CaseReport, CaseResult};

/// Where one root of a run lies.
#[derive(Clone, Debug, Default)]
pub struct RunRoot {
    /// Its name, where there are several.
    pub name: Option<String>,
    /// Its folder, absolute; source lines are read there.
    pub folder: PathBuf,
    /// The folder of the configuration that lists it, else its own, absolute: from here its files are called for people.
    pub home: PathBuf,
    /// How its files are called for people: what stands before a root-relative path, `backend/` or nothing.
    pub prefix: String,
    /// How they are called for other programs: the same from the top of the git checkout, else from the configuration.
    pub repository_prefix: String,
    /// The current folder, absolute.
    pub cwd: PathBuf,
    /// What stands before a root-relative path to read it from there.
    pub cwd_prefix: String,
    /// The file that stands for all of the root, relative to it, for programs that show nothing without a file: its
    /// configuration.
    pub own_file: Option<String>,
}

/// From where a program reads paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// The top of the repository.
    Repository,
    /// The current folder.
    CurrentFolder,
}

/// A place in a file, as programs are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The path, with `/`.
    pub file: String,
    /// The same below the root.
    pub in_root: String,
    /// The 1-based line, where one is known.
    pub line: Option<u32>,
    /// The 1-based column, in characters.
    pub column: Option<u32>,
}

impl RunRoot {
    /// A root with its configuration. It is seen from the configuration's folder until [`RunRoot::seen_from`] says otherwise.
    #[must_use]
    pub fn of(config: &Config) -> Self {
        let own_file = config.source_file().or_else(|| own_file(&config.root));
        RunRoot { name: config.name.clone(), own_file, ..Self::below(&config.home, &config.root) }
    }

    /// A root of which no configuration is known.
    #[must_use]
    pub fn bare(folder: &Path) -> Self {
        RunRoot { own_file: own_file(folder), ..Self::below(folder, folder) }
    }

    /// A folder that is seen from another one.
    fn below(home: &Path, folder: &Path) -> Self {
        RunRoot {
            name: None,
            folder: folder.to_owned(),
            home: home.to_owned(),
            prefix: prefix(home, folder),
            repository_prefix: prefix(&top_of(home), folder),
            cwd: home.to_owned(),
            cwd_prefix: prefix(home, folder),
            own_file: None,
        }
    }

    /// The same, seen from a current folder (absolute).
    #[must_use]
    pub fn seen_from(mut self, cwd: &Path) -> Self {
        // Both ends as the disk knows them: a way between them has no links of its own.
        self.cwd_prefix = prefix(&real(cwd), &real(&self.folder));
        self.cwd = cwd.to_owned();
        self
    }

    /// What a root-relative file is called for people: its path from the configuration's folder.
    #[must_use]
    pub fn file(&self, file: &str) -> String {
        joined(&self.prefix, file)
    }

    /// What it is called for a program.
    #[must_use]
    pub fn file_from(&self, file: &str, from: From) -> String {
        match from {
            From::Repository => joined(&self.repository_prefix, file),
            From::CurrentFolder => joined(&self.cwd_prefix, file),
        }
    }

    /// The file that stands for the whole root, as a place.
    #[must_use]
    pub fn own_spot(&self, from: From) -> Option<Spot> {
        let in_root = self.own_file.clone()?;
        Some(Spot { file: self.file_from(&in_root, from), in_root, line: None, column: None })
    }

    /// The same, else its folder.
    #[must_use]
    pub fn whole(&self, from: From) -> Spot {
        self.own_spot(from).unwrap_or_else(|| {
            let file = folder_of(&self.file_from("", from));
            Spot { file, in_root: String::new(), line: None, column: None }
        })
    }

    /// Where something stands that names no file, for people: at the folder of a root among several.
    #[must_use]
    pub fn among_others(&self) -> Option<String> {
        self.name.is_some().then(|| folder_of(&self.prefix))
    }

    /// A finding whose file is called as people call it. One of a root among several that names no file stands at the root's
    /// folder.
    #[must_use]
    pub fn finding(&self, finding: Finding) -> Finding {
        let file = match &finding.file {
            Some(file) => Some(self.file(file)),
            None => self.among_others(),
        };
        Finding { file, ..finding }
    }
}

/// The folder of a prefix.
fn folder_of(prefix: &str) -> String {
    let folder = prefix.strip_suffix('/').unwrap_or(prefix);
    if folder.is_empty() { ".".to_owned() } else { folder.to_owned() }
}

/// The top of the git checkout that a folder lies in, else the folder.
fn top_of(folder: &Path) -> PathBuf {
    folder.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(folder).to_owned()
}

/// The file that stands for a root without a configuration.
fn own_file(folder: &Path) -> Option<String> {
    ["sdp.toml", "Cargo.toml"].into_iter().find(|name| folder.join(name).is_file()).map(str::to_owned)
}

/// A folder without links and `..`, where it exists.
fn real(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// A case: the name of its root, where there are several, and its own.
pub type CaseId = (Option<String>, String);

/// What runs.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The command: `check`, `rules` or `unbound`.
    pub command: &'static str,
    /// The version of the program.
    pub version: &'static str,
    /// Its roots, in their order.
    pub roots: Vec<RunRoot>,
    /// The cases that speak through [`Event::Diagnostic`], in their order: the checks of `check`.
    pub checks: Vec<CaseId>,
}

impl Run {
    /// The root of a diagnostic: the one of its name, else the first.
    #[must_use]
    pub fn root_of(&self, diagnostic: &Diagnostic) -> Option<&RunRoot> {
        self.root_named(diagnostic.root.as_deref())
    }

    /// The root of a name, else the first.
    #[must_use]
    pub fn root_named(&self, name: Option<&str>) -> Option<&RunRoot> {
        let named = name.and_then(|name| self.roots.iter().find(|root| root.name.as_deref() == Some(name)));
        named.or(self.roots.first())
    }

    /// Where a diagnostic stands, for a program; none where no file is known.
    #[must_use]
    pub fn spot(&self, diagnostic: &Diagnostic, from: From) -> Option<Spot> {
        let (file, line, column) = diagnostic.spot()?;
        let path = self.root_of(diagnostic).map_or_else(|| file.to_owned(), |root| root.file_from(file, from));
        Some(Spot { file: path, in_root: file.to_owned(), line, column })
    }

    /// Where a diagnostic stands, else the file that stands for its root.
    #[must_use]
    pub fn spot_or_whole(&self, diagnostic: &Diagnostic, from: From) -> Spot {
        self.spot(diagnostic, from).unwrap_or_else(|| self.root_of(diagnostic).cloned().unwrap_or_default().whole(from))
    }
}

/// How a run went.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Error diagnostics that count.
    pub errors: usize,
    /// Warnings that count.
    pub warnings: usize,
    /// Diagnostics that a waiver lets stand.
    pub waived: usize,
    /// Diagnostics that the baseline accepts.
    pub accepted: usize,
    /// Cases that passed; 0 for `check`.
    pub passed: usize,
    /// Cases that failed, those that were not run among them.
    pub failed: usize,
    /// Cases that only report.
    pub ignored: usize,
    /// Cases that a filter left out.
    pub filtered_out: usize,
    /// Whether all that was to be judged was judged.
    pub is_whole: bool,
    /// The line that sums up, for people.
    pub text: String,
}

impl Summary {
    /// Counts a diagnostic.
    pub fn add(&mut self, one: &Diagnostic) {
        *(if one.is_error() { &mut self.errors } else { &mut self.warnings }) += 1;
    }

    /// Counts a case, with all that it says.
    pub fn case(&mut self, report: &CaseReport) {
        let (errors, warnings) = report.counts();
        self.errors += errors;
        self.warnings += warnings;
        self.waived += report.waived;
        self.accepted += report.accepted;
        self.is_whole &= report.result != CaseResult::NotRun;
        let cases = match report.result {
            CaseResult::Passed => &mut self.passed,
            CaseResult::Failed | CaseResult::NotRun => &mut self.failed,
            CaseResult::OnlyReports => &mut self.ignored,
        };
        *cases += 1;
    }

    /// What was found, for people: `1 error · 2 warnings`, with what is let stand where there is any.
    #[must_use]
    pub fn weights(&self) -> String {
        let mut text = format!("{} · {}", counted(self.errors, "error"), counted(self.warnings, "warning"));
        for (count, word) in [(self.waived, "waived"), (self.accepted, "accepted")] {
            if count > 0 {
                text.push_str(&format!(" · {count} {word}"));
            }
        }
        text
    }

    /// The same, and how the cases went.
    #[must_use]
    pub fn weights_and_cases(&self) -> String {
        let Summary { passed, failed, ignored, filtered_out, .. } = self;
        let passed = counted(*passed, "case");
        format!(
            "{} ({passed} passed · {failed} failed · {ignored} ignored · {filtered_out} filtered out)",
            self.weights()
        )
    }
}

/// A count with its noun, in the plural where the count is not one.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// One thing that happens.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The run begins. It comes first, once.
    Begin(&'a Run),
    /// Something is said that no case of the run says: `check` has no cases.
    Diagnostic(&'a Diagnostic),
    /// A case has ended, with all that it says.
    Case(&'a CaseReport),
    /// The run has ended. It comes last, once.
    End(&'a Summary),
}

/// Makes one form of output.
pub trait Sink {
    /// The text that follows what was given so far; a form that needs the whole run gives it all at the end.
    fn take(&mut self, event: &Event<'_>) -> String;
}
