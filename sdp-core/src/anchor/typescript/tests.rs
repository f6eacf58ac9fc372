//! Anchors in TypeScript: what each form binds, what is refused in the Protocol's words, and what is passed over.

mod comments;
mod constants;
mod gate;
mod hostile;

use super::*;

const IMPORT: &str = "import { codeAnchor, specTest, specOracle, codeAnchorId, componentAnchorId, testAnchorId, oracleAnchorId, ref, spec, pack } from \"@libar-dev/software-delivery-protocol\";";

fn read_text(text: &str) -> Read {
    read("src/a.ts", text, &Modules::default())
}

/// What a file gives: `id@line` of each anchor, then each finding in its one-line form without the file.
fn given(text: &str) -> Vec<String> {
    shown_of(&read_text(text))
}

fn shown_of(read: &Read) -> Vec<String> {
    let anchors = read.anchors.iter().map(|anchor| format!("{}@{}", anchor.id, anchor.line));
    let findings = read.findings.iter().map(|finding| {
        assert_eq!(finding.file.as_deref(), Some("src/a.ts"));
        let message = finding.message.replace(crate::typescript::STATIC_GRAMMAR, "STATIC");
        format!("{} [{}] {} {message}", finding.line.unwrap(), finding.severity, finding.id.name())
    });
    anchors.chain(findings).collect()
}
