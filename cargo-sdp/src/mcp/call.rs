//! What a call does: a tool and its arguments come in, the repository is read as it is now, the answer or the tool's own error
//! goes out, in the words of the command line.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rmcp::model::{CallToolResult, ContentBlock};
use sdp_core::extract::Extraction;
use sdp_core::finding::{Finding, Severity};
use sdp_core::harmless;
use sdp_core::model::is_js_whitespace;
use sdp_core::reader::Reader;
use sdp_core::script::{Console, Evaluator, Job, Want};
use sdp_core::suggest::first_nearest;
use sdp_harness::event::RunRoot;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::answer::Tree;
use super::tools::{Act, Arguments, CHARS, Tool};
use super::{Settings, cap};
use crate::commands::{check, recipes};
use crate::errors::Refusal;
use crate::output::Output;
use crate::root::{self, Workspace};
use crate::{evaluate, render};

/// How many findings of an error are listed, where they fit.
const FINDINGS: usize = 50;

/// An answer, and what is said beside it.
struct Answered {
    answer: Tree,
    beside: Vec<(&'static str, Tree)>,
}

/// Why there is none.
struct Fault {
    line: String,
    hint: Option<String>,
    findings: Vec<Finding>,
}

impl Fault {
    fn new(line: impl Into<String>, hint: impl Into<String>) -> Self {
        Fault { line: line.into(), hint: Some(hint.into()), findings: Vec::new() }
    }

    /// As the command line says it.
    fn of(refusal: &Refusal, command: &str) -> Self {
        let findings = match refusal {
            Refusal::InvalidConfig { findings, .. } => findings.clone(),
            _ => Vec::new(),
        };
        Fault { line: refusal.line(command), hint: refusal.hint(), findings }
    }

    /// The graph did not derive; the findings are called as from the root.
    fn of_extraction(extraction: &Extraction, seen: &RunRoot, command: &str) -> Self {
        let mut findings: Vec<Finding> =
            extraction.findings.iter().map(|finding| seen.finding(finding.clone())).collect();
        findings.sort_by_key(|finding| finding.severity != Severity::Error);
        Fault { findings, ..Fault::of(&Refusal::NotDerived, command) }
    }

    /// In about so many characters.
    fn told(self, room: usize) -> CallToolResult {
        let Fault { mut line, hint, findings } = self;
        let most = room / 2;
        if line.chars().count() > most {
            line = line.chars().take(most - 1).chain(['…']).collect();
        }
        let mut left = room.saturating_sub(line.chars().count());
        let rows: Vec<Value> = findings
            .iter()
            .take(FINDINGS)
            .map(row)
            .take_while(|row| {
                let rest = left.checked_sub(row.to_string().chars().count());
                left = rest.unwrap_or(0);
                rest.is_some()
            })
            .collect();
        let left_out = findings.len() - rows.len();
        let shown = findings.iter().take(rows.len());
        let mut text = String::new();
        for finding in shown {
            text.push_str(&harmless::one_line(&finding.line_form()));
            text.push('\n');
        }
        if left_out > 0 {
            text.push_str(&format!("… {left_out} more findings\n"));
        }
        text.push_str(&line);
        let mut error = Map::new();
        error.insert("message".to_owned(), line.into());
        if let Some(hint) = hint {
            text.push_str(&format!("\n{hint}"));
            error.insert("hint".to_owned(), hint.trim_start_matches("hint: ").into());
        }
        if !findings.is_empty() {
            error.insert("findings".to_owned(), rows.into());
        }
        if left_out > 0 {
            error.insert("findingsLeftOut".to_owned(), left_out.into());
        }
        let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
        result.structured_content = Some(json!({ "error": error }));
        result
    }
}

/// A finding as an object.
fn row(finding: &Finding) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    };
    put("id", Some(finding.id.as_str().into()));
    put("severity", Some(finding.severity.to_string().into()));
    put("message", Some(finding.message.as_str().into()));
    put("file", finding.file.as_deref().map(Value::from));
    put("line", finding.line.map(Value::from));
    put("column", finding.column.map(Value::from));
    put("subjectId", finding.subject.as_deref().map(Value::from));
    put("help", Some(finding.remedy().into()));
    Value::Object(fields)
}

/// Answers one call.
pub(super) fn call(
    tool: &Tool,
    given: Map<String, Value>,
    settings: &Settings,
    cancelled: Arc<AtomicBool>,
) -> CallToolResult {
    let arguments = match tool.judge(given) {
        Ok(arguments) => arguments,
        Err((message, hint)) => return Fault::new(format!("sdp mcp: {message}"), format!("hint: {hint}")).told(CHARS),
    };
    let room = arguments.chars();
    let call = Call { tool, room, arguments, settings, cancelled };
    match call.answer() {
        Ok(Answered { answer, beside }) => {
            let whole = cap::envelope(answer, beside, call.room, tool.how);
            CallToolResult::structured(Value::Object(whole))
        }
        Err(fault) => fault.told(room),
    }
}

/// One call.
struct Call<'a> {
    tool: &'a Tool,
    arguments: Arguments,
    settings: &'a Settings,
    /// The longest answer, in characters.
    room: usize,
    /// Whether nobody wants the answer any more.
    cancelled: Arc<AtomicBool>,
}

impl Call<'_> {
    fn answer(&self) -> Result<Answered, Fault> {
        match self.tool.act {
            Act::Q => self.body("q", self.arguments.text("body")),
            Act::Recipe => {
                let name = self.arguments.name("recipe").unwrap_or_default();
                let recipe = recipes::find(&name).map_err(|refusal| Fault::of(&refusal, "recipes"))?;
                self.body("recipes", recipe.body)
            }
            Act::Recipes => self.recipes(),
            Act::SpecContext => self.context("Spec", "spec", |reader, id, memory| {
                // A Spec that would not fit into a body's memory is not built either.
                let fits = reader.spec_context_bytes(id) <= memory;
                reader.index().spec(reader.graph(), id)?;
                Some(fits.then(|| reader.spec_context(id)))
            }),
            Act::PackContext => self.context("Pack", "pack", |reader, id, memory| {
                let fits = reader.pack_context_bytes(id) <= memory;
                reader.packs().iter().find(|pack| pack.id == id)?;
                Some(fits.then(|| reader.pack_context(id)))
            }),
            Act::FindConcept => self.read(|reader, _| self.tree(&reader.find_by_concept(self.arguments.text("text")))),
            Act::BlastRadius => self.read(|reader, _| self.tree(&reader.blast_radius(&self.arguments.texts("files")))),
            Act::Check => self.check(),
        }
    }

    fn tree(&self, answer: &impl Serialize) -> Result<Tree, Fault> {
        Tree::of(answer, self.room).map_err(|error| Fault {
            line: format!("sdp mcp: the answer has no JSON form ({error})."),
            hint: None,
            findings: Vec::new(),
        })
    }

    /// The root of this call, with the configuration as it is now.
    fn workspace(&self, command: &str) -> Result<Workspace, Fault> {
        let mut all = root::load_all(&self.settings.common).map_err(|refusal| Fault::of(&refusal, command))?;
        let names: Vec<String> = all.iter().filter_map(|workspace| workspace.config.name.clone()).collect();
        let listed = || format!("roots: {}", names.join(", "));
        match self.arguments.given_text("root") {
            Some(wanted) => {
                let place = all.iter().position(|workspace| workspace.config.name.as_deref() == Some(wanted));
                place.map(|place| all.swap_remove(place)).ok_or_else(|| {
                    let hint = match first_nearest(wanted, names.iter().map(String::as_str), 2) {
                        Some(near) => format!("hint: did you mean `{near}`? ({})", listed()),
                        None if names.is_empty() => {
                            "hint: the configuration lists no roots: leave `root` out".to_owned()
                        }
                        None => format!("hint: name one of the {}", listed()),
                    };
                    Fault::new(format!("sdp mcp: no root is named {}.", harmless::cut(wanted, 100)), hint)
                })
            }
            None if all.len() == 1 => all.pop().ok_or_else(|| Fault::of(&Refusal::SeveralRoots(Vec::new()), command)),
            None => {
                let hint = format!("hint: name one in `root` ({})", listed());
                Err(Fault { hint: Some(hint), ..Fault::of(&Refusal::SeveralRoots(names), command) })
            }
        }
    }

    /// Derives the graph of the call's root, with what is to be said of it.
    fn extract(&self, command: &str) -> Result<(Workspace, Extraction, Vec<String>), Fault> {
        let workspace = self.workspace(command)?;
        let extraction = workspace.extract();
        if extraction.has_errors() {
            return Err(Fault::of_extraction(&extraction, &workspace.seen, command));
        }
        let mut notes: Vec<String> = extraction
            .findings
            .iter()
            .map(|finding| harmless::one_line(&workspace.seen.finding(finding.clone()).line_form()).into_owned())
            .collect();
        notes.extend(render::without_specs(&workspace, &extraction));
        if extraction.spec_count == 0 {
            notes.extend(render::hidden_carriers(&workspace).map(|hidden| format!("note: {hidden}")));
        }
        Ok((workspace, extraction, notes))
    }

    fn beside(&self, name: &'static str, lines: &[String]) -> Result<Vec<(&'static str, Tree)>, Fault> {
        Ok(if lines.is_empty() { Vec::new() } else { vec![(name, self.tree(&lines)?)] })
    }

    /// An answer of the reader, which is told how much memory it may take while it is built.
    fn read(&self, ask: impl FnOnce(&Reader, u64) -> Result<Tree, Fault>) -> Result<Answered, Fault> {
        let (workspace, extraction, notes) = self.extract("q")?;
        let limits = evaluate::limited(workspace.config.limits, None, self.settings.limits.memory);
        let answer = ask(&Reader::of(&extraction), limits.memory)?;
        Ok(Answered { answer, beside: self.beside("notes", &notes)? })
    }

    /// All that is known of one thing, which may not exist.
    fn context<C: Serialize>(
        &self,
        kind: &str,
        argument: &str,
        ask: impl FnOnce(&Reader, &str, u64) -> Option<Option<Option<C>>>,
    ) -> Result<Answered, Fault> {
        let id = self.arguments.text(argument);
        self.read(|reader, memory| match ask(reader, id, memory) {
            Some(Some(context)) => self.tree(&context),
            Some(None) => Err(Fault::new(
                format!("sdp mcp: the context of {} is too large to be built.", harmless::cut(id, 100)),
                "hint: ask `q` for its edges with g.in(id) and g.out(id); `cargo sdp mcp --memory MB` gives more",
            )),
            None => {
                let known: Vec<&str> = match argument {
                    "spec" => reader
                        .graph()
                        .nodes
                        .iter()
                        .filter_map(|node| node.as_spec())
                        .map(|spec| spec.id.as_str())
                        .collect(),
                    _ => reader.packs().iter().map(|pack| pack.id.as_str()).collect(),
                };
                let prefixed = format!("{argument}:{id}");
                let nearest = known
                    .iter()
                    .find(|known| **known == prefixed)
                    .copied()
                    .or_else(|| first_nearest(id, known.iter().copied(), 3));
                let hint = match nearest {
                    Some(near) => format!("hint: did you mean `{near}`?"),
                    None => format!("hint: find_concept finds ids by words; the graph holds {} {kind}s", known.len()),
                };
                Err(Fault::new(format!("sdp mcp: no {kind} has the id {}.", harmless::cut(id, 200)), hint))
            }
        })
    }

    /// What a body returns.
    fn body(&self, command: &'static str, body: &str) -> Result<Answered, Fault> {
        let refused = |refusal: Refusal| Fault::of(&refusal, command);
        if body.trim_matches(is_js_whitespace).is_empty() {
            return Err(refused(Refusal::EmptyBody));
        }
        let (workspace, extraction, mut notes) = self.extract(command)?;
        let mut options = evaluate::options(&workspace, &self.settings.limits, Console::Keep);
        options.deterministic |= self.arguments.flag("deterministic");
        options.cancelled = Some(Arc::clone(&self.cancelled));
        let evaluator = Evaluator::new(Arc::new(Reader::of(&extraction)), options);
        let params = Value::Object(self.arguments.object("params"));
        let answer = evaluator
            .run(Job { body: body.into(), params, want: Want::Json })
            .map_err(|error| refused(evaluate::evaluation(error)))?;
        let tree = if answer.is_undefined() {
            notes.push(evaluate::returned_nothing(command));
            self.tree(&Value::Null)?
        } else {
            let no_json = |said: String| refused(Refusal::NoJson(said));
            let text = answer.json_text().map_err(|error| no_json(error.to_string()))?;
            Tree::of_json(text, self.room).map_err(|error| {
                no_json(format!("the answer nests too deep, or holds half a surrogate pair ({error})."))
            })?
        };
        let printed: Vec<String> = answer.console().iter().map(|line| line.text.clone()).collect();
        let mut beside = self.beside("notes", &notes)?;
        beside.extend(self.beside("console", &printed)?);
        Ok(Answered { answer: tree, beside })
    }

    fn recipes(&self) -> Result<Answered, Fault> {
        let mut rows = recipes::catalog();
        let answer = match self.arguments.name("show") {
            Some(name) => {
                let recipe = recipes::find(&name).map_err(|refusal| Fault::of(&refusal, "recipes"))?;
                let rows = rows.as_array_mut().map(std::mem::take).unwrap_or_default();
                let mut row = rows.into_iter().find(|row| row["number"] == recipe.number).unwrap_or_default();
                if let Some(fields) = row.as_object_mut() {
                    fields.insert("body".to_owned(), recipe.body.into());
                }
                row
            }
            None => {
                // The shape of an answer is shown with the recipe.
                for row in rows.as_array_mut().into_iter().flatten() {
                    if let Some(fields) = row.as_object_mut() {
                        fields.retain(|name, value| {
                            name != "gives" && value.as_array().is_none_or(|list| !list.is_empty())
                        });
                    }
                }
                rows
            }
        };
        Ok(Answered { answer: self.tree(&answer)?, beside: Vec::new() })
    }

    fn check(&self) -> Result<Answered, Fault> {
        let only = self.arguments.given_text("root");
        if only.is_some() {
            // A name that is none is refused as everywhere.
            self.workspace("check")?;
        }
        let mut output = Output::of_process();
        let examined =
            check::examine(&self.settings.common, only, &mut output).map_err(|refusal| Fault::of(&refusal, "check"))?;
        let mut findings = examined.findings;
        if self.arguments.flag("errors_only") {
            findings.retain(|finding| finding["severity"] == "error");
        }
        // Stable, so that findings of one severity keep their order.
        findings.sort_by_key(|finding| finding["severity"] != "error");
        let answer = json!({
            "summary": examined.summary,
            "errors": examined.errors,
            "warnings": examined.warnings,
            "findings": findings,
        });
        Ok(Answered { answer: self.tree(&answer)?, beside: Vec::new() })
    }
}
