//! Findings as text for people: a finding comes in with the root that it speaks of, lines for a terminal go out. Text of the
//! corpus is made harmless and bounded on its way; what is shown decides nothing.

use std::path::Path;

use clap::builder::styling::{AnsiColor, Style};
use sdp_core::carrier::CarrierForm;
use sdp_core::discover;
use sdp_core::extract::Extraction;
use sdp_core::finding::{Finding, Severity};

use crate::files;
use crate::output::Output;
use crate::root::Workspace;
use crate::text::{self, counted};

/// The longest carrier that an excerpt is read from, in bytes.
const EXCERPT_FILE: u64 = 64 << 20;
/// The most characters of a source line that are shown.
const EXCERPT_WIDTH: usize = 200;
/// How many characters before the column of a finding an excerpt shows at most.
const BEFORE_COLUMN: usize = 100;

/// Prints findings on stderr, each as its pinned line.
pub(crate) fn lines(findings: &[Finding], output: &mut Output) {
    if findings.is_empty() {
        return;
    }
    let mut page = String::new();
    for finding in findings {
        page.push_str(&text::one_line(&finding.line_form()));
        page.push('\n');
    }
    output.err(&page);
}

/// The pinned note on a root where no carrier gave a Spec and no finding says why.
pub(crate) fn note_without_specs(workspace: &Workspace, extraction: &Extraction, output: &mut Output) {
    let names_a_carrier =
        |finding: &Finding| finding.file.as_deref().is_some_and(|file| CarrierForm::of_file_name(file).is_some());
    if extraction.spec_count > 0 || extraction.findings.iter().any(names_a_carrier) {
        return;
    }
    output.err_line(&format!(
        "note: no *.sdp.ts, *.sdp.md, or *.sdp.gherkin spec files found under {} — the authored model is empty. Is this the right extraction root?",
        text::one_line(&workspace.root().to_string_lossy())
    ));
}

/// The note, and which carriers are hidden where it is due.
pub(crate) fn notes_without_specs(workspace: &Workspace, extraction: &Extraction, output: &mut Output) {
    note_without_specs(workspace, extraction, output);
    if extraction.spec_count == 0
        && let Some(hidden) = hidden_carriers(workspace)
    {
        output.err_line(&format!("note: {}", text::one_line(&hidden)));
    }
}

/// Which carriers only an ignore rule of git keeps from being read. It walks the tree again: ask where no Spec was found.
pub(crate) fn hidden_carriers(workspace: &Workspace) -> Option<String> {
    let hidden = discover::hidden_carriers(workspace.root(), &workspace.discover);
    if hidden.total == 0 {
        return None;
    }
    let more = hidden.total - hidden.names.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(format!("ignore rules of git hide {}: {}{more}", counted(hidden.total, "carrier"), hidden.names.join(", ")))
}

/// Findings in the manner of rustc, with their source lines. Findings of one file come one after another, so that each
/// file is read once.
pub(crate) struct Excerpts<'a> {
    root: &'a Path,
    colour: bool,
    held: Option<(String, String)>,
}

impl<'a> Excerpts<'a> {
    /// A renderer that re-reads source lines below `root`.
    pub(crate) fn new(root: &'a Path, colour: bool) -> Self {
        Excerpts { root, colour, held: None }
    }

    /// One finding, ending in a blank line.
    pub(crate) fn render(&mut self, finding: &Finding) -> String {
        let palette = Palette { on: self.colour };
        let level = match finding.severity {
            Severity::Error => palette.error(),
            Severity::Warning => palette.warning(),
        };
        let (blue, bold) = (palette.frame(), palette.bold());
        let number = finding.line.map(|line| line.to_string()).unwrap_or_default();
        let gutter = " ".repeat(number.len().max(1));
        let mut page = format!(
            "{level}{}[{}]{level:#}{bold}: {}{bold:#}\n",
            finding.severity,
            finding.id.as_str(),
            indented(&finding.message)
        );
        if let Some(file) = &finding.file {
            let place = match (finding.line, finding.column) {
                (Some(line), Some(column)) => format!(":{line}:{column}"),
                (Some(line), None) => format!(":{line}"),
                (None, _) => String::new(),
            };
            page.push_str(&format!("{gutter}{blue}-->{blue:#} {}{place}\n", text::one_line(file)));
            if let Some(line) = finding.line
                && let Some(source) = self.source_line(file, line)
            {
                let Excerpt { shown, caret } = excerpt(source, finding.column);
                page.push_str(&format!(
                    "{gutter} {blue}|{blue:#}\n{blue}{number} |{blue:#} {shown}\n{gutter} {blue}|{blue:#}"
                ));
                if let Some(caret) = caret {
                    page.push_str(&format!(" {}{level}^{level:#}", " ".repeat(caret)));
                }
                page.push('\n');
            }
        }
        page.push_str(&format!("{gutter} {blue}={blue:#} {bold}help{bold:#}: {}\n\n", indented(finding.remedy())));
        page
    }

    /// A line of a carrier, from 1, without its line end. A file that cannot be read again has none.
    fn source_line(&mut self, file: &str, line: u32) -> Option<&str> {
        if self.held.as_ref().is_none_or(|(held, _)| held != file) {
            let text = files::read_text(&self.root.join(file), EXCERPT_FILE).unwrap_or_default();
            self.held = Some((file.to_owned(), text));
        }
        let (_, text) = self.held.as_ref()?;
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let line = text.split('\n').nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
        Some(line.strip_suffix('\r').unwrap_or(line))
    }
}

struct Excerpt {
    shown: String,
    /// How many columns stand before the finding's own.
    caret: Option<usize>,
}

/// At most [`EXCERPT_WIDTH`] characters of a line, around the column where there is one (in characters, from 1).
fn excerpt(line: &str, column: Option<u32>) -> Excerpt {
    let at = column.and_then(|column| usize::try_from(column).ok()).map(|column| column.saturating_sub(1));
    let skipped = match at {
        Some(at) if at > EXCERPT_WIDTH - BEFORE_COLUMN => at - BEFORE_COLUMN,
        _ => 0,
    };
    let mut rest = line.chars().skip(skipped);
    let window: String = rest.by_ref().take(EXCERPT_WIDTH).collect();
    let safe = |text: &str| text::one_line(&text.replace('\t', "    ")).into_owned();
    let mut shown = String::new();
    if skipped > 0 {
        shown.push('…');
    }
    let caret = at.map(|at| {
        let before: String = window.chars().take(at - skipped).collect();
        shown.chars().count() + safe(&before).chars().count()
    });
    shown.push_str(&safe(&window));
    if rest.next().is_some() {
        shown.push('…');
    }
    Excerpt { shown, caret }
}

/// Text of several lines, of which the later ones are set in, so that none of them reads as a finding of its own.
fn indented(text: &str) -> String {
    let mut page = String::with_capacity(text.len());
    for (position, line) in text::lines(text.trim_end()).split('\n').enumerate() {
        if position > 0 {
            page.push_str("\n    ");
        }
        page.push_str(line);
    }
    page
}

/// Styles that print nothing where colours are off.
struct Palette {
    on: bool,
}

impl Palette {
    fn style(&self, style: Style) -> Style {
        if self.on { style } else { Style::new() }
    }

    fn error(&self) -> Style {
        self.style(AnsiColor::Red.on_default().bold())
    }

    fn warning(&self) -> Style {
        self.style(AnsiColor::Yellow.on_default().bold())
    }

    fn frame(&self) -> Style {
        self.style(AnsiColor::Blue.on_default().bold())
    }

    fn bold(&self) -> Style {
        self.style(Style::new().bold())
    }
}

#[cfg(test)]
mod tests;
