//! What must hold of any bytes: one function for each parser, one for evaluation contracts and one for the whole pipeline. Bytes go in; a broken promise
//! panics. The fuzz targets call these, and so do the tests over the seeds and over everything that fuzzing has found.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a broken promise has to stop the fuzzer")]

mod contracts;
mod sources;

pub use self::contracts::{contract, pattern};
pub use self::sources::{comment, rust, typescript};

use std::sync::Arc;

use sdp_canon::json;
use sdp_core::carrier::{gherkin, markdown};
use sdp_core::derive::{Sourced, derive};
use sdp_core::finding::{Finding, finding_order};
use sdp_core::graph::Node;
use sdp_core::model::parse_id;
use sdp_core::notation::Step;
use sdp_core::reader::Reader;
use sdp_core::space;

/// What parts the files of one input of [`pipeline`].
const SEPARATOR: &str = "\n%%%%\n";

/// What opens a source file among them: the file's name follows on the same line. Any other file is a carrier.
const SOURCE: &str = "source: ";

/// The most findings of one carrier.
const MAX_FINDINGS: usize = 100;

/// A target: its name and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// Every target, by the name of its folder of seeds.
pub const TARGETS: [Target; 11] = [
    ("markdown", markdown),
    ("gherkin", gherkin),
    ("rust", rust),
    ("comment", comment),
    ("typescript", typescript),
    ("id", id),
    ("notation", notation),
    ("json", json),
    ("contract", contract),
    ("pattern", pattern),
    ("pipeline", pipeline),
];

/// A Markdown carrier is read whole or refused with findings that stand in it.
pub fn markdown(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Err(findings) = markdown::read("f.sdp.md", &text) {
        judge_refusal(&text, &findings);
    }
}

/// A Gherkin carrier is read whole or refused with findings that stand in it.
pub fn gherkin(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match gherkin::read("f.sdp.gherkin", &text) {
        Ok(documents) => assert!(!documents.is_empty()),
        Err(findings) => judge_refusal(&text, &findings),
    }
}

fn judge_refusal(text: &str, findings: &[Finding]) {
    let lines = text.lines().count().max(1) + 1;
    assert!(!findings.is_empty() && findings.len() <= MAX_FINDINGS, "{} findings", findings.len());
    assert!(findings.iter().all(Finding::is_error), "{findings:#?}");
    for finding in findings {
        let line = finding.line.unwrap_or_else(|| panic!("without a line: {finding:#?}"));
        assert!(line >= 1 && line as usize <= lines, "beyond the end: {finding:#?}");
        assert!(!finding.remedy().is_empty(), "{finding:#?}");
    }
    assert!(findings.is_sorted_by(|left, right| finding_order(left, right).is_le()), "{findings:#?}");
}

/// An id that keeps the grammar is what its parts say.
pub fn id(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match parse_id(&text) {
        Ok(id) => {
            let rest = text.strip_prefix(id.namespace).unwrap_or_else(|| panic!("{text}: {id:?}"));
            assert!(rest.strip_prefix(':').is_some_and(|path| path.starts_with(id.path)), "{text}: {id:?}");
        }
        Err(error) => assert!(error.to_string().starts_with("Invalid ID \""), "{error}"),
    }
}

/// The skeleton of a skeleton is itself: two steps are the same when their skeletons are.
pub fn notation(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let skeleton = Step::read(&text).skeleton();
    assert_eq!(Step::read(&skeleton).skeleton(), skeleton);
}

/// What the strict reader accepts is JSON, and means what JSON means.
pub fn json(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Ok(value) = json::read(text, &json::Limits::default()) {
        let lenient: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(value, lenient, "{text}");
    }
}

/// Carriers and sources of one tree, one behind the other, go through derivation, checks and reader, and give the same again.
pub fn pipeline(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let mut documents = Vec::new();
    for (place, carrier) in text.split(SEPARATOR).enumerate() {
        if let Some(source) = carrier.strip_prefix(SOURCE) {
            let (name, text) = source.split_once('\n').unwrap_or((source, ""));
            documents.extend(sources::documents(&format!("{place:03}/{name}"), text));
            continue;
        }
        let (file, read) = if carrier.starts_with("---") {
            let file = format!("{place:03}.sdp.md");
            let read = markdown::read(&file, carrier).map(|document| vec![document]);
            (file, read)
        } else {
            let file = format!("{place:03}.sdp.gherkin");
            let read = gherkin::read(&file, carrier);
            (file, read)
        };
        let read = read.unwrap_or_default();
        documents.extend(read.into_iter().map(|document| Sourced { file: file.clone(), document }));
    }
    let reversed = documents.iter().rev().cloned().collect();
    let derived = derive(documents);
    let graph = derived.graph.to_json().unwrap();
    assert_eq!(derive(reversed).graph.to_json().unwrap(), graph, "the order of the documents plays a part");
    ask(&Reader::new(Arc::new(derived.graph)));
}

/// Asks a reader all that it can be asked; every answer has a JSON form.
fn ask(reader: &Reader) {
    for spec in reader.specs() {
        write(&reader.spec_context(&spec.id));
        write(&reader.example_space(&spec.id, true));
    }
    for pack in reader.packs() {
        write(&reader.pack_context(&pack.id));
    }
    let files: Vec<&str> = reader.graph().nodes.iter().map(Node::file).collect();
    for file in &files {
        write(&reader.by_file(file));
    }
    let half: Vec<&str> = files.into_iter().step_by(2).collect();
    write(&reader.blast_radius(&half));
    let of_spaces = space::findings(reader.graph(), reader.index());
    for finding in reader.findings().iter().chain(&of_spaces) {
        assert!(!finding.remedy().is_empty(), "{finding:#?}");
    }
    write(&reader.find_by_concept("spec"));
}

fn write(answer: &impl serde::Serialize) {
    serde_json::to_string(answer).unwrap();
}
