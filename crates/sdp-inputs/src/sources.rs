//! What must hold of a source file, in both forms of anchors: bytes go in, a broken promise panics. It reads each file as
//! extraction does, and knows no more of the readers than what they give.

use std::sync::OnceLock;

use sdp_core::anchor::rust::tokens::Tokens;
use sdp_core::anchor::rust::{self, FilePlace};
use sdp_core::anchor::{self, LanguageId, Languages, Read};
use sdp_core::carrier::{self, markdown};
use sdp_core::derive::Sourced;
use sdp_core::finding::{Finding, FindingId};
use sdp_core::import;
use sdp_core::model::{Document, SpecDocument, parse_slot_id};
use sdp_core::typescript::Modules;

/// The most bytes of a finding's message, however long what it speaks of is.
const MAX_MESSAGE: usize = 4096;

fn languages() -> &'static Languages {
    static LANGUAGES: OnceLock<Languages> = OnceLock::new();
    LANGUAGES.get_or_init(Languages::default)
}

/// Every language, each once, with the name of a file that announces it.
fn named() -> &'static [(String, LanguageId)] {
    static NAMED: OnceLock<Vec<(String, LanguageId)>> = OnceLock::new();
    NAMED.get_or_init(|| {
        let mut named: Vec<(String, LanguageId)> = Vec::new();
        for name in anchor::built_in_file_names() {
            let Some(id) = languages().of_file_name(&name) else { panic!("{name} announces no language") };
            if named.iter().all(|(_, known)| *known != id) {
                named.push((name, id));
            }
        }
        assert_eq!(named.len(), anchor::built_in_names().count(), "a language that no name announces");
        named
    })
}

fn plain_folder() -> FilePlace {
    FilePlace { crate_names: vec!["sdp".to_owned()], ..FilePlace::default() }
}

fn in_package() -> FilePlace {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    FilePlace {
        package: Some("shop-core".to_owned()),
        target: Some("cli".to_owned()),
        modules: owned(&["orders", "r#type"]),
        crate_names: owned(&["sdp", "sdp_anchors", "binds"]),
    }
}

/// The attributes of a Rust file, read as part of a package and without one. A file that gives anything is never passed
/// over, and its tokens leave out white space and comments alone.
pub fn rust(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    judge_tokens(&text);
    for place in [plain_folder(), in_package(), FilePlace { crate_names: Vec::new(), ..in_package() }] {
        let read = rust::read("a.rs", &text, &place);
        judge("a.rs", &text, &read);
        assert_eq!(rust::read("a.rs", &text, &place), read, "another time another answer");
        let is_looked_at = rust::may_hold_anchors(text.as_bytes());
        // A file that may be passed over binds nothing. It may be broken, or misspell a name without naming a Spec: the
        // compiler says either.
        let is_the_compilers = |id| matches!(id, FindingId::ParseError | FindingId::UnresolvedAnchor);
        let says_more = read.findings.iter().any(|finding| !is_the_compilers(finding.id));
        assert!(is_looked_at || (read.anchors.is_empty() && !says_more), "passed over: {read:#?}");
    }
}

/// The comments of a file, read in every language.
pub fn comment(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for (name, id) in named() {
        let Some(language) = languages().get(*id) else { panic!("{name}: no such language") };
        let read = anchor::comment::read(language, name, &text);
        judge(name, &text, &read);
        assert_eq!(anchor::comment::read(language, name, &text), read, "{name}: another time another answer");
        let is_looked_at = anchor::comment::may_hold_anchors(text.as_bytes());
        assert!(is_looked_at || read == Read::default(), "{name} passed over: {read:#?}");
    }
}

/// A TypeScript file: as a source, with JSX and without, and as a carrier.
pub fn typescript(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let modules = Modules::new(vec!["@acme/sdp".to_owned(), "b.ts".to_owned()]);
    for file in ["a.ts", "a.tsx"] {
        let read = anchor::typescript::read(file, &text, &modules);
        judge(file, &text, &read);
        judge_modules(&read.used_modules, &modules);
        assert_eq!(anchor::typescript::read(file, &text, &modules), read, "{file}: another time another answer");
    }
    let file = "a.sdp.ts";
    let read = carrier::typescript::read(file, &text, &modules);
    judge_findings(file, &text, &read.findings);
    judge_modules(&read.used_modules, &modules);
    assert!(read.documents.len() <= text.len(), "{}", read.documents.len());
    for document in &read.documents {
        let namespace = parse_slot_id(document.id()).unwrap_or_else(|error| panic!("{error}: {document:#?}"));
        assert!(matches!(namespace, "spec" | "pack"), "{document:#?}");
        if let Document::Spec(spec) = document {
            judge_import(spec);
        }
    }
    assert_eq!(carrier::typescript::read(file, &text, &modules), read, "another time another answer");
}

/// What a Spec is written as in Markdown is read as a Spec that is written the same again.
fn judge_import(spec: &SpecDocument) {
    match import::markdown("a.sdp.md", spec) {
        Ok(text) => match markdown::read("a.sdp.md", &text) {
            Ok(Document::Spec(read)) => {
                assert_eq!(import::markdown("a.sdp.md", &read).as_ref(), Ok(&text), "{spec:#?}")
            }
            other => panic!("{text}: {other:#?}"),
        },
        Err(refused) => assert!(!refused.path.is_empty() && !refused.reason.is_empty(), "{refused:#?}"),
    }
}

fn judge_modules(used: &[usize], modules: &Modules) {
    assert!(used.iter().all(|place| *place < modules.entries().len()), "{used:?}");
}

/// What a source file adds to a tree.
pub(crate) fn documents(file: &str, text: &str) -> Vec<Sourced> {
    let name = file.rsplit('/').next().unwrap_or(file);
    let mut anchors = Vec::new();
    if let Some(language) = languages().of_file_name(name).and_then(|id| languages().get(id)) {
        let read = if language.is_typescript() {
            anchor::typescript::read(file, text, &Modules::default())
        } else {
            anchor::comment::read(language, file, text)
        };
        anchors.extend(read.anchors);
    }
    if name.ends_with(".rs") {
        anchors.extend(rust::read(file, text, &in_package()).anchors);
    }
    anchors.into_iter().map(|anchor| Sourced { file: file.to_owned(), document: Document::Anchor(anchor) }).collect()
}

/// Tokens stand one behind the other, and between them there is nothing but white space and comments.
fn judge_tokens(text: &str) {
    let mut end = 0;
    for token in Tokens::new(text) {
        let gap = text.get(end..token.range.start).unwrap_or_else(|| panic!("out of order at {end}: {token:?}"));
        judge_gap(gap, end == 0);
        assert!(!text.get(token.range.clone()).unwrap_or_default().is_empty(), "no part of the text: {token:?}");
        end = token.range.end;
    }
    judge_gap(text.get(end..).unwrap_or_else(|| panic!("beyond the end: {end}")), end == 0);
}

/// What stands between two tokens; at the start of a file that may be a byte order mark and a line for the system.
fn judge_gap(gap: &str, is_first: bool) {
    let is_space = |character: char| character.is_whitespace() || matches!(character, '\u{200E}' | '\u{200F}');
    let gap = if is_first { gap.strip_prefix('\u{FEFF}').unwrap_or(gap) } else { gap };
    let code = gap.trim_start_matches(is_space);
    let is_for_the_system = is_first && gap.starts_with("#!");
    assert!(
        code.is_empty() || code.starts_with("//") || code.starts_with("/*") || is_for_the_system,
        "left out: {gap:?}"
    );
}

/// How many lines a file has at most, in any language.
fn lines_of(text: &str) -> usize {
    text.matches(['\n', '\r', '\u{2028}', '\u{2029}']).count() + 2
}

/// Whatever was read stands in the file and keeps to its bounds.
fn judge(file: &str, text: &str, read: &Read) {
    let lines = u32::try_from(lines_of(text)).unwrap_or(u32::MAX);
    let Read { anchors, findings, .. } = read;
    assert!(anchors.len() + findings.len() <= text.len(), "{} and {}", anchors.len(), findings.len());
    assert!(anchors.is_sorted_by_key(|anchor| anchor.line), "not as they stand: {anchors:#?}");
    for anchor in anchors {
        let namespace = parse_slot_id(&anchor.id).unwrap_or_else(|error| panic!("{error}: {anchor:#?}"));
        assert!(matches!(namespace, "impl" | "api" | "component" | "test" | "oracle"), "{anchor:#?}");
        assert!(anchor.line >= 1 && anchor.line <= lines, "beyond the end: {anchor:#?}");
        for binding in &anchor.bindings {
            assert!(parse_slot_id(&binding.target).is_ok(), "{binding:?} of {anchor:#?}");
            assert!(binding.line >= anchor.line && binding.line <= lines, "{binding:?} of {anchor:#?}");
        }
    }
    judge_findings(file, text, findings);
}

/// Whatever is said stands in the file.
fn judge_findings(file: &str, text: &str, findings: &[Finding]) {
    let lines = u32::try_from(lines_of(text)).unwrap_or(u32::MAX);
    for finding in findings {
        assert_eq!(finding.file.as_deref(), Some(file), "elsewhere: {finding:#?}");
        match finding.line {
            Some(line) => assert!(line >= 1 && line <= lines, "beyond the end: {finding:#?}"),
            None => assert_eq!(finding.id, FindingId::FindingsLeftOut, "without a line: {finding:#?}"),
        }
        assert!(finding.message.len() <= MAX_MESSAGE, "{} bytes: {finding:#?}", finding.message.len());
        assert!(!finding.remedy().is_empty(), "{finding:#?}");
    }
}
