//! What several commands say on stderr: findings and roots come in, pinned lines and notes go out. Text of the corpus is
//! made harmless on its way; what is shown decides nothing.

use sdp_core::carrier::CarrierForm;
use sdp_core::discover;
use sdp_core::extract::Extraction;
use sdp_core::finding::Finding;
use sdp_core::harmless;
use sdp_harness::event::{RunRoot, counted};

use crate::output::Output;
use crate::root::Workspace;

/// Prints findings of a root on stderr, each as its pinned line.
pub(crate) fn lines(findings: &[Finding], root: &RunRoot, output: &mut Output) {
    if findings.is_empty() {
        return;
    }
    let mut page = String::new();
    for finding in findings {
        page.push_str(&harmless::one_line(&root.finding(finding.clone()).line_form()));
        page.push('\n');
    }
    output.err(&page);
}

/// The pinned note on a root where no carrier gave a Spec and no finding says why.
pub(crate) fn without_specs(workspace: &Workspace, extraction: &Extraction) -> Option<String> {
    let names_a_carrier =
        |finding: &Finding| finding.file.as_deref().is_some_and(|file| CarrierForm::of_file_name(file).is_some());
    if extraction.spec_count > 0 || extraction.findings.iter().any(names_a_carrier) {
        return None;
    }
    Some(format!(
        "note: no *.sdp.ts, *.sdp.md, or *.sdp.gherkin spec files found under {} — the authored model is empty. Is this the right extraction root?",
        harmless::one_line(&workspace.root().to_string_lossy())
    ))
}

/// The same, printed.
pub(crate) fn note_without_specs(workspace: &Workspace, extraction: &Extraction, output: &mut Output) {
    if let Some(note) = without_specs(workspace, extraction) {
        output.note(&note);
    }
}

/// The note, and which carriers are hidden where it is due.
pub(crate) fn notes_without_specs(workspace: &Workspace, extraction: &Extraction, output: &mut Output) {
    note_without_specs(workspace, extraction, output);
    if extraction.spec_count == 0
        && !output.is_quiet()
        && let Some(hidden) = hidden_carriers(workspace)
    {
        output.note(&format!("note: {}", harmless::one_line(&hidden)));
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
