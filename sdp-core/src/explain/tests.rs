//! Each text has its parts, names are understood as people write them, and files are taken out of their fences.

use super::*;

#[test]
fn every_text_has_each_of_its_parts() {
    for subject in Subject::all() {
        let Page { title, severity, meaning, example, mended } = subject.page();
        let id = subject.id();
        assert!(!title.is_empty() && !title.ends_with('.') && !title.contains('\n'), "{id}: {title}");
        assert!(["error", "warning", "error or warning"].contains(&severity), "{id}: {severity}");
        for part in [meaning, example, mended] {
            assert!(!part.is_empty() && !part.contains("\n## Mended\n") && !part.contains("\n\n\n"), "{id}: {part}");
        }
        assert!(meaning.ends_with('.') && meaning.lines().all(|line| line.len() <= 120), "{id}: {meaning}");
        assert_ne!(example, mended, "{id}");
        assert!(!meaning.contains("```") && !meaning.contains("\n#"), "{id}");
    }
}

#[test]
fn no_text_is_left_without_an_id() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/explain");
    let texts = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .flat_map(|path| std::fs::read_dir(path).unwrap())
        .count();
    assert_eq!(texts, Subject::all().count());
}

#[test]
fn a_subject_is_named_by_its_id_or_by_its_case() {
    let orphans = Some(Subject::Finding(FindingId::Orphans));
    for name in ["conformance/orphans", "conformance::orphans", "check::conformance::orphans"] {
        assert_eq!(Subject::named(name), orphans, "{name}");
    }
    let complete = Subject::Clause(Clause::EvidenceComplete);
    assert_eq!(Subject::named("kind-evidence-complete"), Some(complete));
    assert_eq!(complete.rung(), Some(Readiness::Defined));
    for name in ["", "orphans", "Conformance/orphans", "::", "check::"] {
        assert_eq!(Subject::named(name), None, "{name}");
    }
}

#[test]
fn a_group_is_named_by_what_its_ids_or_its_cases_open_with() {
    for name in ["contracts", "check::contracts"] {
        assert_eq!(group_named(name), Some("contracts"), "{name}");
    }
    for name in ["", "contract", "contracts/", "id"] {
        assert_eq!(group_named(name), None, "{name}");
    }
    let listed = Subject::all().filter(|subject| subject.group() == Some("contracts")).count();
    assert_eq!(listed, FindingId::ALL.iter().filter(|id| id.as_str().starts_with("contracts/")).count());
}

#[test]
fn an_unknown_name_is_answered_with_the_id_that_was_meant() {
    assert_eq!(nearest("conformance/orphan"), Some("conformance/orphans"));
    assert_eq!(nearest("check::conformance::orpans"), Some("conformance/orphans"));
    assert_eq!(nearest("orphans"), Some("conformance/orphans"));
    assert_eq!(nearest("kind-evidence-complet"), Some("kind-evidence-complete"));
    assert_eq!(nearest("contract"), Some("contracts"));
    assert_eq!(nearest("something else"), None);
    // Nearly every character of a short name would be an edit.
    for name in ["", "26", "idea", "xi"] {
        assert_eq!(nearest(name), None, "{name}");
    }
    assert_eq!(nearest(&"x".repeat(1 << 20)), None);
}

#[test]
fn a_clause_has_one_remedy_for_all_kinds_or_one_for_each() {
    assert_eq!(remedies(Clause::Outcome).len(), 1);
    let complete = remedies(Clause::EvidenceComplete);
    assert_eq!(complete[0].kinds, [SpecKind::Behavior, SpecKind::Workflow, SpecKind::Contract]);
    assert_eq!(complete.iter().map(|remedy| remedy.kinds.len()).sum::<usize>(), SpecKind::ALL.len());
}

#[test]
fn files_are_taken_out_of_their_fences() {
    let section = "Said first.\n\n````markdown a.sdp.md\n# A\n\n```gwt\nGiven x\n```\n````\n\n```sh\nls\n```\n\n```toml sdp.toml\nx = 1\n```";
    assert_eq!(
        files(section),
        [("a.sdp.md", "# A\n\n```gwt\nGiven x\n```\n".to_owned()), ("sdp.toml", "x = 1\n".to_owned())]
    );
    let mut page = String::new();
    push_section(&mut page, section);
    assert!(page.starts_with("Said first.\n\n`a.sdp.md`\n\n````markdown\n# A\n\n```gwt\n"), "{page}");
    assert!(page.ends_with("```sh\nls\n```\n\n`sdp.toml`\n\n```toml\nx = 1\n```\n"), "{page}");
}

#[test]
fn a_page_says_severity_group_and_remedy() {
    let page = markdown(Subject::Finding(FindingId::Orphans), 1);
    assert!(
        page.starts_with("# `conformance/orphans`\n\nNothing ties a Spec to another one.\n\nSeverity: warning. Group: conformance.\n\n"),
        "{page}"
    );
    assert!(page.contains("\n\nRemedy: declare the relation that ties"), "{page}");
    assert!(page.contains("\n\n## Example\n\n`specs/orders.sdp.md`\n\n```markdown\n---\n"), "{page}");
    // The group is what the id opens with; the family on the wire is another.
    let page = markdown(Subject::Finding(FindingId::UndeclaredSlot), 1);
    assert!(page.contains("\n\nSeverity: warning. Group: contracts.\n\n"), "{page}");
    let page = markdown(Subject::Clause(Clause::EvidenceComplete), 3);
    assert!(page.contains("asked for from `defined` on. In the Protocol's words:\n\n> The kind's"), "{page}");
    assert!(page.contains("\n- constraint: write `- target: …` under `## Constraints`\n"), "{page}");
    assert!(page.contains("\n\n#### Mended\n\n"), "{page}");
}
