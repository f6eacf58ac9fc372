//! What each finding and each clause of the readiness floor means: an id comes in, a page goes out, as its parts or as
//! Markdown. The texts are the Markdown files beside this one, one per id; nothing here judges a graph.

use std::fmt::Write as _;

use crate::carrier::CarrierForm;
use crate::finding::FindingId;
use crate::model::{Readiness, SpecKind};
use crate::suggest::first_nearest;
use crate::validate::floor::Clause;

#[cfg(test)]
mod tests;

/// How far a name may be from the id that was meant, and how many of its characters stand for each edit.
const NEAR: usize = 2;
const CHARACTERS_PER_EDIT: usize = 3;

/// What can be explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A finding.
    Finding(FindingId),
    /// A clause of the readiness floor.
    Clause(Clause),
}

/// The parts of one text. The sections are Markdown; a fence that opens with a language and a path is a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The meaning in one line.
    pub title: &'static str,
    /// How much it weighs: `error`, `warning` or `error or warning`.
    pub severity: &'static str,
    /// What it means and why it matters.
    pub meaning: &'static str,
    /// Files, or a situation, that give it.
    pub example: &'static str,
    /// The same without it.
    pub mended: &'static str,
}

/// What an author can do about a clause, and for which kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// The kinds of Specs for which it serves, in the Protocol's order.
    pub kinds: Vec<SpecKind>,
    /// What to do.
    pub text: &'static str,
}

impl Subject {
    /// All findings in the order of their declaration, then the clauses from the lowest rung up.
    pub fn all() -> impl Iterator<Item = Subject> {
        let findings = FindingId::ALL.iter().copied().map(Subject::Finding);
        findings.chain(clauses().map(|(_, clause)| Subject::Clause(clause)))
    }

    /// The subject of an id, which may also be written as a case of `rules` is: `check::conformance::orphans`.
    #[must_use]
    pub fn named(name: &str) -> Option<Subject> {
        let name = as_id(name);
        Subject::all().find(|subject| subject.id() == name)
    }

    /// The id: `conformance/orphans`, or that of a clause.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Subject::Finding(id) => id.as_str(),
            Subject::Clause(clause) => clause.id(),
        }
    }

    /// The group of the finding, as [`FindingId::group`] has it; a clause is of none.
    #[must_use]
    pub fn group(self) -> Option<&'static str> {
        match self {
            Subject::Finding(id) => Some(id.group()),
            Subject::Clause(_) => None,
        }
    }

    /// The lowest rung that asks for it, if it is a clause.
    #[must_use]
    pub fn rung(self) -> Option<Readiness> {
        clauses().find(|(_, clause)| self == Subject::Clause(*clause)).map(|(rung, _)| rung)
    }

    /// The text, in its parts.
    #[must_use]
    pub fn page(self) -> Page {
        match self {
            Subject::Finding(id) => {
                let (title, rest) = titled(id.explanation());
                let (severity, rest) =
                    rest.strip_prefix("Severity: ").unwrap_or(rest).split_once('\n').unwrap_or_default();
                page(title, severity, rest)
            }
            Subject::Clause(clause) => {
                let (title, rest) = titled(clause_text(clause));
                page(title, "error", rest)
            }
        }
    }
}

/// The group of findings that a name is, which may also be written as the cases of `rules` open: `check::conformance`.
#[must_use]
pub fn group_named(name: &str) -> Option<&'static str> {
    let name = as_id(name);
    FindingId::groups().find(|group| *group == name)
}

/// The id or the group that an unknown name may have meant.
#[must_use]
pub fn nearest(name: &str) -> Option<&'static str> {
    let name = as_id(name);
    let limit = NEAR.min(name.chars().count() / CHARACTERS_PER_EDIT);
    let by_name = FindingId::ALL.iter().find(|id| id.name() == name).map(|id| id.as_str());
    by_name.or_else(|| first_nearest(&name, Subject::all().map(Subject::id).chain(FindingId::groups()), limit))
}

/// The remedies of a clause in a Markdown carrier, each with the kinds that it serves; one for all kinds where they do not
/// differ. Without a title a TypeScript carrier alone can be.
#[must_use]
pub fn remedies(clause: Clause) -> Vec<Remedy> {
    let form = if clause == Clause::Title { CarrierForm::TypeScript } else { CarrierForm::Markdown };
    let mut remedies: Vec<Remedy> = Vec::new();
    for kind in SpecKind::ALL.iter().copied() {
        let text = clause.remedy(kind, form);
        match remedies.iter_mut().find(|remedy| remedy.text == text) {
            Some(remedy) => remedy.kinds.push(kind),
            None => remedies.push(Remedy { kinds: vec![kind], text }),
        }
    }
    remedies
}

/// The whole page as Markdown. `level` is how many `#` its heading has.
#[must_use]
pub fn markdown(subject: Subject, level: usize) -> String {
    let Page { title, severity, meaning, example, mended } = subject.page();
    let heading = "#".repeat(level);
    let mut text = format!("{heading} `{}`\n\n{title}.\n\n", subject.id());
    // Writing to a String cannot fail, here and below.
    let _ = match subject {
        Subject::Finding(id) => {
            write!(text, "Severity: {severity}. Group: {}.\n\n{meaning}\n\nRemedy: {}.\n", id.group(), id.help())
        }
        Subject::Clause(clause) => {
            let rung = subject.rung().map_or("", Readiness::as_str);
            let asked = format!("A clause of `honesty/readiness-floor`, asked for from `{rung}` on.");
            write!(text, "{asked} In the Protocol's words:\n\n> {}\n\n{meaning}\n\n", clause.description())
        }
    };
    if let Subject::Clause(clause) = subject {
        match &remedies(clause)[..] {
            [only] => {
                let _ = writeln!(text, "Remedy: {}.", only.text);
            }
            several => {
                text.push_str("Remedies:\n\n");
                for Remedy { kinds, text: remedy } in several {
                    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
                    let _ = writeln!(text, "- {}: {remedy}", kinds.join(", "));
                }
            }
        }
    }
    for (name, section) in [("Example", example), ("Mended", mended)] {
        let _ = write!(text, "\n{heading}# {name}\n\n");
        push_section(&mut text, section);
    }
    text
}

/// The files of a section, each with its path and its text.
#[must_use]
pub fn files(section: &str) -> Vec<(&str, String)> {
    let mut files: Vec<(&str, String)> = Vec::new();
    for line in fenced(section) {
        match line {
            Line::Opens { path: Some(path), .. } => files.push((path, String::new())),
            Line::Inside { path: Some(_), line } => {
                if let Some((_, text)) = files.last_mut() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
            _ => {}
        }
    }
    files
}

/// Writes a section with the path of each file above its fence, where every reader of Markdown shows it.
fn push_section(text: &mut String, section: &str) {
    for line in fenced(section) {
        let _ = match line {
            Line::Opens { fence, language, path: Some(path) } => writeln!(text, "`{path}`\n\n{fence}{language}"),
            Line::Opens { fence, language, path: None } => writeln!(text, "{fence}{language}"),
            Line::Inside { line, .. } | Line::Other(line) => writeln!(text, "{line}"),
        };
    }
}

/// A line of a section, and where it stands.
enum Line<'a> {
    Opens { fence: &'a str, language: &'a str, path: Option<&'a str> },
    Inside { path: Option<&'a str>, line: &'a str },
    Other(&'a str),
}

fn fenced(section: &str) -> impl Iterator<Item = Line<'_>> {
    let mut open: Option<(&str, Option<&str>)> = None;
    section.lines().map(move |line| {
        if let Some((fence, path)) = open {
            if line == fence {
                open = None;
                return Line::Other(line);
            }
            return Line::Inside { path, line };
        }
        let info = line.trim_start_matches('`');
        let fence = line.strip_suffix(info).unwrap_or_default();
        if fence.len() < 3 {
            return Line::Other(line);
        }
        let (language, path) = info.split_once(' ').map_or((info, None), |(language, path)| (language, Some(path)));
        open = Some((fence, path));
        Line::Opens { fence, language, path }
    })
}

fn clauses() -> impl Iterator<Item = (Readiness, Clause)> {
    Readiness::ALL.iter().flat_map(|rung| Clause::of_rung(*rung).iter().map(|clause| (*rung, *clause)))
}

fn as_id(name: &str) -> String {
    let name = name.strip_prefix("check::").unwrap_or(name);
    name.replace("::", "/")
}

fn titled(text: &'static str) -> (&'static str, &'static str) {
    let (title, rest) = text.split_once("\n\n").unwrap_or((text, ""));
    (title.strip_prefix("# ").unwrap_or(title), rest)
}

fn page(title: &'static str, severity: &'static str, rest: &'static str) -> Page {
    let (_, rest) = rest.split_once("## What it means\n\n").unwrap_or(("", rest));
    let (meaning, rest) = rest.split_once("\n\n## Example\n\n").unwrap_or((rest, ""));
    let (example, mended) = rest.split_once("\n\n## Mended\n\n").unwrap_or((rest, ""));
    Page { title, severity, meaning, example, mended: mended.trim_end() }
}

const fn clause_text(clause: Clause) -> &'static str {
    match clause {
        Clause::Id => include_str!("clause/id.md"),
        Clause::Title => include_str!("clause/title.md"),
        Clause::Kind => include_str!("clause/kind.md"),
        Clause::Altitude => include_str!("clause/altitude.md"),
        Clause::OutcomeOrParent => include_str!("clause/intent.outcome-or-parent-relation.md"),
        Clause::Outcome => include_str!("clause/intent.outcome.md"),
        Clause::Relation => include_str!("clause/at-least-one-relation.md"),
        Clause::EvidencePresent => include_str!("clause/kind-evidence-present.md"),
        Clause::EvidenceComplete => include_str!("clause/kind-evidence-complete.md"),
        Clause::NoBlockingQuestions => include_str!("clause/no-blocking-open-questions.md"),
        Clause::RelationsResolve => include_str!("clause/all-relations-resolve.md"),
        Clause::TypedTargetsDefined => include_str!("clause/typed-dependency-targets-are-defined.md"),
        Clause::AnchorsResolve => include_str!("clause/anchors-resolve.md"),
    }
}
