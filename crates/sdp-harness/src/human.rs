//! Findings as text for people, in rustc's manner: what a finding says and where it stands come in, a block of lines with
//! the source line goes out. Whatever somebody else wrote is made harmless and bounded; what is shown decides nothing.

use std::borrow::Cow;
use std::path::Path;

use clap::builder::styling::{AnsiColor, Style};
use sdp_core::finding::{Finding, Severity};
use sdp_core::harmless;
use sdp_core::rules::line_of;

use crate::diagnostic::Diagnostic;
use crate::source_file::{LastFile, without_mark};

/// The most characters of one text that are shown.
pub(crate) const MAX_TEXT: usize = 4_000;
/// The most lines of one text that are shown.
const MAX_LINES: usize = 50;
/// The most characters of a source line that are shown.
const MAX_WIDTH: usize = 200;
/// How many characters before the column of a finding are shown at most.
const BEFORE_COLUMN: usize = 100;

/// What one block says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// How much it weighs: the first word, and its colour.
    pub severity: Severity,
    /// The id of the finding or the name of the rule.
    pub code: Option<&'a str>,
    /// What is wrong.
    pub message: &'a str,
    /// Where.
    pub place: Option<Place<'a>>,
    /// Labels with their texts, such as `help`, in the order in which they are shown.
    pub notes: Vec<(&'a str, &'a str)>,
}

impl<'a> Block<'a> {
    /// An error that is no finding, such as a body that throws.
    #[must_use]
    pub fn error(message: &'a str) -> Self {
        Block { severity: Severity::Error, code: None, message, place: None, notes: Vec::new() }
    }

    /// The same block at a place.
    #[must_use]
    pub fn at(mut self, place: Option<Place<'a>>) -> Self {
        self.place = place;
        self
    }

    /// The same block with one more note, where there is a text for it.
    #[must_use]
    pub fn note(mut self, label: &'a str, text: Option<&'a str>) -> Self {
        self.notes.extend(text.map(|text| (label, text)));
        self
    }
}

/// A finding of the engine, without notes.
impl<'a> From<&'a Finding> for Block<'a> {
    fn from(finding: &'a Finding) -> Self {
        let place = finding.file.as_deref().map(|file| Place {
            line: finding.line,
            column: finding.column,
            ..Place::whole(file)
        });
        Block {
            severity: finding.severity,
            code: Some(finding.id.as_str()),
            ..Block::error(&finding.message).at(place)
        }
    }
}

/// Where something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The file, root-relative with `/`, or what else its text is called.
    pub file: &'a str,
    /// The 1-based line, where one is known.
    pub line: Option<u32>,
    /// The 1-based column in that line, in characters, where one is known.
    pub column: Option<u32>,
    /// The text that the line is taken from; else the file is read again.
    pub text: Option<&'a str>,
}

impl<'a> Place<'a> {
    /// A whole file.
    #[must_use]
    pub fn whole(file: &'a str) -> Self {
        Place { file, line: None, column: None, text: None }
    }

    /// Where a diagnostic stands, in what its file is called for the reader.
    #[must_use]
    pub fn of(one: &'a Diagnostic, file: &'a str) -> Self {
        Place { file, line: one.line, column: one.column, text: one.text.as_ref().map(|body| &*body.text) }
    }
}

/// Makes blocks, and reads the source lines for them.
#[derive(Debug)]
pub struct Blocks<'r> {
    root: Cow<'r, Path>,
    colour: bool,
    held: LastFile,
}

impl<'r> Blocks<'r> {
    /// A renderer that reads files below `root`, with or without colours.
    #[must_use]
    pub fn new(root: impl Into<Cow<'r, Path>>, colour: bool) -> Self {
        Blocks { root: root.into(), colour, held: LastFile::default() }
    }

    /// One block, ending in a blank line.
    #[must_use]
    pub fn render(&mut self, block: &Block<'_>) -> String {
        let palette = Palette { on: self.colour };
        let level = match block.severity {
            Severity::Error => palette.error(),
            Severity::Warning => palette.warning(),
        };
        let (blue, bold) = (palette.frame(), palette.bold());
        let number = block.place.and_then(|place| place.line).map(|line| line.to_string()).unwrap_or_default();
        let gutter = " ".repeat(number.len().max(1));
        let code = block.code.map(|code| format!("[{}]", harmless::cut(code, MAX_TEXT))).unwrap_or_default();
        let mut page =
            format!("{level}{}{code}{level:#}{bold}: {}{bold:#}\n", block.severity, continued(block.message));
        if let Some(place) = &block.place {
            let file = harmless::cut(&harmless::path(place.file), MAX_TEXT);
            page.push_str(&format!("{gutter}{blue}-->{blue:#} {file}"));
            for position in [place.line, place.column].into_iter().map_while(|position| position) {
                page.push_str(&format!(":{position}"));
            }
            page.push('\n');
            if let Some(source) = self.source_line(place) {
                let Excerpt { shown, caret } = excerpt(source, place.column);
                page.push_str(&format!(
                    "{gutter} {blue}|{blue:#}\n{blue}{number} |{blue:#} {shown}\n{gutter} {blue}|{blue:#}"
                ));
                if let Some(caret) = caret {
                    page.push_str(&format!(" {}{level}^{level:#}", " ".repeat(caret)));
                }
                page.push('\n');
            }
        }
        for (label, text) in &block.notes {
            page.push_str(&format!("{gutter} {blue}={blue:#} {bold}{label}{bold:#}: {}\n", continued(text)));
        }
        page.push('\n');
        page
    }

    /// The line of a place, without its line end. A file that cannot be read again has none.
    fn source_line<'a>(&'a mut self, place: &Place<'a>) -> Option<&'a str> {
        match place.text {
            Some(text) => line_of(without_mark(text), place.line?),
            None => Some(self.held.of(&self.root, place.file).line(place.line?)?.1),
        }
    }
}

struct Excerpt {
    shown: String,
    /// How many columns stand before the finding's own.
    caret: Option<usize>,
}

/// At most [`MAX_WIDTH`] characters of a line, around the column where there is one (in characters, from 1).
fn excerpt(line: &str, column: Option<u32>) -> Excerpt {
    let at = column.and_then(|column| usize::try_from(column).ok()).map(|column| column.saturating_sub(1));
    let skipped = match at {
        Some(at) if at > MAX_WIDTH - BEFORE_COLUMN => at - BEFORE_COLUMN,
        _ => 0,
    };
    let mut rest = line.chars().skip(skipped);
    let window: String = rest.by_ref().take(MAX_WIDTH).collect();
    let mut shown = String::new();
    if skipped > 0 {
        shown.push('…');
    }
    let caret = at.map(|at| {
        let before: String = window.chars().take(at - skipped).collect();
        shown.chars().count() + harmless::cut(&before, MAX_WIDTH).chars().count()
    });
    shown.push_str(&harmless::cut(&window, MAX_WIDTH));
    if rest.next().is_some() {
        shown.push('…');
    }
    Excerpt { shown, caret }
}

/// Text of several lines, of which the later ones are marked, so that none of them reads as a finding of its own.
fn continued(text: &str) -> String {
    let mut page = String::new();
    let mut left = MAX_TEXT;
    let mut lines = text.trim_end().split('\n');
    for (position, line) in lines.by_ref().take(MAX_LINES).enumerate() {
        if position > 0 {
            page.push('\n');
            page.push_str(harmless::CONTINUED);
        }
        page.push_str(&harmless::cut(line, left));
        left = left.saturating_sub(line.chars().count());
    }
    if lines.next().is_some() {
        page.push_str(&format!("\n{}…", harmless::CONTINUED));
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
