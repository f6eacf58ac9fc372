//! What a watch shows: the first cycle as the command has it, of each later one what was added and what is mended, and a line
//! that closes each. Forms for programs and files hold the whole of every cycle.

use std::path::Path;

use clap::builder::styling::{AnsiColor, Style};
use sdp_core::harmless;
use sdp_harness::diagnostic::Diagnostic;
use sdp_harness::event::{Event, Run, RunRoot};
use sdp_harness::outputs::{Format, Outputs, People};
use sdp_harness::paths;
use sdp_harness::report::{CaseReport, CaseResult};

use super::difference::{Difference, Standing};
use super::{Found, Report, Request};
use crate::errors::Refusal;
use crate::output::Output;

/// How many changed paths are named.
const MOST_PATHS: usize = 3;

/// The streams, and what stands on them.
pub(super) struct Screen<'o> {
    request: Request,
    output: &'o mut Output,
    cycles: usize,
    /// What stands since the last whole cycle; none before it.
    standing: Option<Standing>,
    notes: Vec<String>,
    has_waited: bool,
}

impl<'o> Screen<'o> {
    pub(super) fn new(request: Request, output: &'o mut Output) -> Self {
        Screen { request, output, cycles: 0, standing: None, notes: Vec::new(), has_waited: false }
    }

    /// Says something of the watch's own, which is no finding.
    pub(super) fn say(&mut self, text: &str) {
        let text = format!("sdp {}: {text}", self.request.command);
        self.output.err_line(&harmless::lines(&text));
    }

    /// Says that there is nothing to run on.
    pub(super) fn gone(&mut self, folder: &Path) {
        self.say(&format!("the root \"{}\" was removed: waiting for it to come back", paths::shown(folder)));
    }

    /// Shows a cycle; whether nobody reads any more.
    pub(super) fn cycle(&mut self, report: Report) -> Result<bool, Refusal> {
        self.cycles += 1;
        let Report { found, started, changed } = report;
        let opening = format!("cycle {}{}", self.cycles, self.label(&changed, found.as_ref().ok()));
        let closing = |what: &str| format!("{opening}: {what} in {} ms", started.elapsed().as_millis());
        match found {
            Err(refusal @ Refusal::WatchFailed(_)) => return Err(refusal),
            Err(refusal) => {
                refusal.print(self.request.command, self.output);
                self.close(&closing("refused"));
            }
            Ok(found) => {
                let outputs = self.request.open(self.output).and_then(|outputs| {
                    let mut baselines = found.baselines.iter();
                    let spared = baselines.try_for_each(|path| outputs.spare(path, "the baseline"));
                    spared.map(|()| outputs).map_err(Refusal::Outputs)
                });
                match outputs {
                    Ok(outputs) => self.show(found, outputs, &closing),
                    Err(refusal) => {
                        refusal.print(self.request.command, self.output);
                        self.close(&closing("refused"));
                    }
                }
            }
        }
        if !self.has_waited {
            self.has_waited = true;
            self.output.note("waiting for changes; Ctrl-C ends the watch");
        }
        Ok(self.output.is_closed())
    }

    fn show(&mut self, found: Found, mut outputs: Outputs, closing: &dyn Fn(&str) -> String) {
        let notes = std::mem::replace(&mut self.notes, found.notes.clone());
        if notes != self.notes {
            for note in &found.notes {
                self.output.note(note.trim_end());
            }
        }
        let is_first = self.standing.is_none();
        let difference = match found.is_refused {
            true => None,
            false => Some(self.standing.get_or_insert_default().take(&found)),
        };
        let mut run = outputs.run(self.request.command, found.roots.clone());
        run.checks.clone_from(&found.checks);
        let mut human = outputs.take_human();
        let mut summary = found.counts.clone();
        outputs.send(&Event::Begin(&run), self.output);
        for one in &found.diagnostics {
            summary.add(one);
            outputs.send(&Event::Diagnostic(one), self.output);
        }
        for report in &found.reports {
            summary.case(report);
            outputs.send(&Event::Case(report), self.output);
        }
        if let Some(human) = &mut human {
            human.send(&Event::Begin(&run), self.output);
            match &difference {
                Some(difference) if !is_first => self.differ(&found, difference, &run, human),
                _ => self.whole(&found, human),
            }
        }
        let what = match &difference {
            None => format!("refused; {}", found.summary),
            Some(_) if is_first => found.summary.clone(),
            Some(Difference { added, mended, .. }) => {
                format!("{} added, {} mended; {}", added.len(), mended.len(), found.summary)
            }
        };
        summary.text = closing(&what);
        outputs.send(&Event::End(&summary), self.output);
        if let Some(human) = &mut human {
            human.send(&Event::End(&summary), self.output);
        }
        if let Err(faults) = outputs.finish() {
            for fault in faults {
                self.say(&fault);
            }
        }
        self.output.flush();
    }

    /// All that was found. Cases that were not run say all the same, and the line that closes the cycle counts them.
    fn whole(&mut self, found: &Found, human: &mut Outputs) {
        for one in &found.diagnostics {
            human.send(&Event::Diagnostic(one), self.output);
        }
        for report in found.reports.iter().filter(|report| report.result != CaseResult::NotRun) {
            human.send(&Event::Case(report), self.output);
        }
    }

    /// What was added, in the human form, and what is mended, a line each.
    fn differ(&mut self, found: &Found, difference: &Difference, run: &Run, human: &mut Outputs) {
        let is_added =
            |one: &Diagnostic| difference.added.iter().any(|added| added.case == one.case && added.key == one.key);
        for one in found.diagnostics.iter().filter(|one| is_added(one)) {
            human.send(&Event::Diagnostic(one), self.output);
        }
        for report in &found.reports {
            let own: Vec<Diagnostic> = report.diagnostics.iter().filter(|one| is_added(one)).cloned().collect();
            if !own.is_empty() {
                let (more_errors, more_warnings, more_problems) = (0, 0, 0);
                let news = CaseReport { diagnostics: own, more_errors, more_warnings, more_problems, ..report.clone() };
                human.send(&Event::Case(&news), self.output);
            }
        }
        let colour = match self.request.people {
            People::Stderr => self.output.colour_stderr,
            People::Stdout => self.output.colour_stdout,
        };
        let word = |word: &str, colours: AnsiColor| {
            let style = if colour { colours.on_default().bold() } else { Style::new() };
            format!("{style}{word}{style:#}")
        };
        let mut page = String::new();
        for one in &difference.mended {
            let root = run.root_of(one).cloned().unwrap_or_default();
            let line = harmless::cut(&one.line_form(one.place(&root).as_deref()), 4_000);
            page.push_str(&format!("{}: {line}\n", word("mended", AnsiColor::Green)));
        }
        for (name, result) in &difference.cases {
            let (verb, colours) = match result {
                Some(CaseResult::Failed | CaseResult::NotRun) => ("fails", AnsiColor::Red),
                Some(CaseResult::Passed) => ("passes", AnsiColor::Green),
                Some(CaseResult::OnlyReports) => ("only reports", AnsiColor::Yellow),
                None => ("is gone", AnsiColor::Yellow),
            };
            page.push_str(&format!("{} {}\n", harmless::cut(name, 4_000), word(verb, colours)));
        }
        match self.request.people {
            People::Stdout if !page.is_empty() => self.output.out(&page),
            People::Stderr if !page.is_empty() => self.output.err(&page),
            _ => {}
        }
    }

    /// Closes a cycle that found nothing out.
    fn close(&mut self, line: &str) {
        if self.output.is_quiet() {
            return;
        }
        let outputs = self.request.open(self.output);
        match outputs.map(|outputs| outputs.stdout()) {
            Ok(Some(format)) if format != Format::Human => self.output.err_line(line),
            _ => self.output.out_line(line),
        }
        self.output.flush();
    }

    /// The changed paths, for the line that closes a cycle.
    fn label(&self, changed: &[std::path::PathBuf], found: Option<&Found>) -> String {
        let home = found.and_then(|found| found.roots.first()).map(|root: &RunRoot| root.home.as_path());
        let home = home.unwrap_or(&self.request.start);
        let shown = |path: &Path| harmless::one_line(&paths::from(home, path)).into_owned();
        let mut named: Vec<String> = changed.iter().take(MOST_PATHS).map(|path| shown(path)).collect();
        if changed.len() > MOST_PATHS {
            named.push(format!("and {} more", changed.len() - MOST_PATHS));
        }
        if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) }
    }
}
