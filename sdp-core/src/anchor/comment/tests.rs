//! The comment form: each language tells comments from strings, and each tag is read or refused in the Protocol's words.

mod hostile;
mod languages;
mod rust;
mod tags;
mod texts;

use super::*;
use crate::anchor::Languages;

fn read_file(name: &str, text: &str) -> Read {
    let languages = Languages::default();
    let language = languages.of_file_name(name).and_then(|id| languages.get(id)).unwrap();
    read(language, name, text)
}

/// What a file gives: `id@line` of each anchor, then `!line message` of each finding.
fn given(name: &str, text: &str) -> Vec<String> {
    let Read { anchors, findings, .. } = read_file(name, text);
    let anchors = anchors.iter().map(|anchor| format!("{}@{}", anchor.id, anchor.line));
    let findings = findings.iter().map(|finding| format!("!{} {}", finding.line.unwrap(), finding.message));
    anchors.chain(findings).collect()
}
