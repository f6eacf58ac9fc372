//! `cargo`: the messages that cargo prints under `--message-format json`, one object a line, for editors and whatever else
//! reads cargo. Paths are seen from the current folder, as cargo's are.

use std::path::Path;

use sdp_core::harmless;
use sdp_core::rules::CARRIERS_CASE;
use serde_json::{Value, json};

use crate::diagnostic::{Diagnostic, Origin};
use crate::event::{Event, From, Run, RunRoot, Sink, Spot};
use crate::failure;
use crate::human::Blocks;
use crate::report::{CaseReport, CaseResult};
use crate::sinks::sarif;
use crate::source_file::{LastFile, SourceFile};

/// The most characters of a source line that a span shows.
const MAX_WIDTH: usize = 1_000;

/// Makes messages.
#[derive(Debug, Default)]
pub struct Cargo {
    run: Run,
    /// For the places of findings.
    files: LastFile,
    /// For what stands for a root: it comes and goes with each finding, and takes no file's place.
    own_files: LastFile,
    /// For what people read of a message; it shows files from the current folder, which is one for all roots.
    blocks: Option<Blocks<'static>>,
    not_run: usize,
}

impl Cargo {
    fn diagnostic(&mut self, one: &Diagnostic) -> String {
        let root = self.run.root_of(one).cloned().unwrap_or_default();
        let own = root.own_spot(From::CurrentFolder);
        let spot = self.run.spot(one, From::CurrentFolder).or_else(|| own.clone());
        let text = super::message(&one.message);
        let is_file = one.text.as_ref().is_none_or(|body| body.is_file);
        let place = one.file.as_deref();
        let place = place.map(|file| if is_file { root.file_from(file, From::CurrentFolder) } else { file.to_owned() });
        let blocks = self.blocks.get_or_insert_with(|| Blocks::new(root.cwd.clone(), false));
        let rendered = blocks.render(&failure::block(one, place.as_deref()));
        let code = (one.origin != Origin::Body).then(|| super::word(&one.rule));
        let spans = spot.iter().map(|spot| span(self.files.of(&root.folder, &spot.in_root), spot));
        let mut spans: Vec<Value> = spans.collect();
        let notes = [("help", one.help.as_deref()), ("note", one.description.as_deref())];
        let mut children: Vec<Value> = notes.into_iter().filter_map(|(level, text)| Some(note(level, text?))).collect();
        if let Some(spot) = spot.filter(|spot| !is_loaded(&spot.in_root))
            && let Some(own) = &own
        {
            // Else such a finding would be shown nowhere.
            let line = spot.line.map(|line| format!(":{line}")).unwrap_or_default();
            children.push(note("note", &format!("it stands at {}{line}", spot.file)));
            spans.push(span(self.own_files.of(&root.folder, &own.in_root), own));
        }
        message(
            &root,
            &json!({
                "rendered": rendered,
                "$message_type": "diagnostic",
                "level": one.severity.as_str(),
                "message": text,
                "code": code.map(|code| json!({ "code": code, "explanation": null })),
                "spans": spans,
                "children": children,
            }),
        )
    }

    fn case(&mut self, report: &CaseReport) -> String {
        let mut text: String = report.diagnostics.iter().map(|one| self.diagnostic(one)).collect();
        self.not_run += usize::from(report.result == CaseResult::NotRun);
        if let Some(left_out) = super::left_out(report) {
            let root = self.run.root_named(report.root.as_deref()).cloned().unwrap_or_default();
            text.push_str(&message(
                &root,
                &json!({
                    "rendered": format!("note: {left_out}\n\n"),
                    "$message_type": "diagnostic",
                    "level": "note",
                    "message": left_out,
                    "code": null,
                    "spans": [],
                    "children": [],
                }),
            ));
        }
        text
    }
}

impl Sink for Cargo {
    fn take(&mut self, event: &Event<'_>) -> String {
        match event {
            Event::Begin(run) => {
                self.run = (*run).clone();
                String::new()
            }
            Event::Diagnostic(one) => self.diagnostic(one),
            Event::Case(report) => self.case(report),
            Event::End(summary) => {
                let not_run = super::not_run(self.not_run).map(|text| Diagnostic::of_body(CARRIERS_CASE, text));
                let not_run = not_run.map(|one| self.diagnostic(&one)).unwrap_or_default();
                let success = summary.errors == 0 && summary.failed == 0;
                not_run + &super::line(&json!({ "reason": "build-finished", "success": success }))
            }
        }
    }
}

/// The place as a span: from its column, else from the first character that is no white space, to the line's end.
fn span(file: &SourceFile, spot: &Spot) -> Value {
    let number = spot.line.unwrap_or(1);
    let (start, line) = file.line(number).unwrap_or_default();
    let shown: String = line.chars().take(MAX_WIDTH).collect();
    let count = shown.chars().count();
    let indent = shown.chars().take_while(|character| character.is_whitespace()).count();
    let from = match spot.column.and_then(|column| usize::try_from(column).ok()) {
        Some(column) => column.saturating_sub(1).min(count),
        None if indent < count => indent,
        None => 0,
    };
    let bytes = |characters: usize| start + shown.chars().take(characters).map(char::len_utf8).sum::<usize>();
    let text =
        (!shown.is_empty()).then(|| json!({ "text": shown, "highlight_start": from + 1, "highlight_end": count + 1 }));
    json!({
        "file_name": spot.file,
        "byte_start": bytes(from),
        "byte_end": bytes(count),
        "line_start": number,
        "line_end": number,
        "column_start": from + 1,
        "column_end": count + 1,
        "is_primary": true,
        "text": text.into_iter().collect::<Vec<_>>(),
        "label": null,
        "suggested_replacement": null,
        "suggestion_applicability": null,
        "expansion": null,
    })
}

/// Whether rust-analyzer loads such a file: it shows nothing in another one.
fn is_loaded(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|ending| ["rs", "toml", "md"].iter().any(|known| ending == *known))
}

/// A note below a message.
fn note(level: &str, text: &str) -> Value {
    json!({
        "rendered": null,
        "$message_type": "diagnostic",
        "level": level,
        "message": harmless::lines(text),
        "code": null,
        "spans": [],
        "children": [],
    })
}

/// A message as if a package in the root's folder had been compiled.
fn message(root: &RunRoot, message: &Value) -> String {
    let folder = sarif::encoded(&root.folder.to_string_lossy().replace('\\', "/"));
    let manifest = root.folder.join("Cargo.toml").to_string_lossy().into_owned();
    super::line(&json!({
        "reason": "compiler-message",
        "package_id": format!("path+file://{folder}#sdp@0.0.0"),
        "manifest_path": manifest,
        "target": {
            "kind": ["lib"],
            "crate_types": ["lib"],
            "name": "sdp",
            "src_path": manifest,
            "edition": "2024",
            "doc": false,
            "doctest": false,
            "test": false,
        },
        "message": message,
    }))
}
