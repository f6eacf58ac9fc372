//! The human form, byte for byte.

use sdp_core::finding::FindingId;

use super::*;

fn render(text: Option<&str>, finding: &Finding, colour: bool) -> String {
    let folder = tempfile::tempdir().unwrap();
    if let Some(text) = text {
        std::fs::create_dir(folder.path().join("specs")).unwrap();
        std::fs::write(folder.path().join("specs/a.sdp.md"), text).unwrap();
    }
    Blocks::new(folder.path(), colour).render(&Block::from(finding).note("help", Some(finding.remedy())))
}

fn invalid_id() -> Finding {
    Finding::error(FindingId::InvalidId, "Invalid ID \"spec:\": missing path").with_help("write a path")
}

#[test]
fn a_finding_shows_its_place_its_line_and_its_remedy() {
    assert_eq!(
        render(Some("---\r\nid: spec:\r\n---\r\n"), &invalid_id().at("specs/a.sdp.md", 2), false),
        "error[extract/invalid-id]: Invalid ID \"spec:\": missing path
 --> specs/a.sdp.md:2
  |
2 | id: spec:
  |
  = help: write a path

"
    );
}

#[test]
fn a_column_gets_a_caret_and_a_wide_number_a_wide_gutter() {
    let mut finding = invalid_id().at("specs/a.sdp.md", 10);
    finding.column = Some(4);
    assert_eq!(
        render(Some("\n\n\n\n\n\n\n\n\n\tab\u{1b}c"), &finding, false),
        "error[extract/invalid-id]: Invalid ID \"spec:\": missing path
  --> specs/a.sdp.md:10:4
   |
10 |     ab\\u{1b}c
   |       ^
   = help: write a path

"
    );
}

#[test]
fn a_finding_without_a_place_or_with_a_lost_one_keeps_its_text() {
    let bare = "error[extract/invalid-id]: Invalid ID \"spec:\": missing path\n  = help: write a path\n\n";
    assert_eq!(render(None, &invalid_id(), false), bare);
    for (text, line) in [(None, 3), (Some("one line"), 3), (Some("one line"), 0)] {
        assert_eq!(
            render(text, &invalid_id().at("specs/a.sdp.md", line), false),
            bare.replace("  =", &format!(" --> specs/a.sdp.md:{line}\n  ="))
        );
    }
}

#[test]
fn a_given_text_stands_for_the_file_and_notes_keep_their_order() {
    let place = Place { line: Some(2), column: Some(3), text: Some("a\nb\u{1b}c"), ..Place::whole("26-cycles") };
    let block =
        Block::error("m").at(Some(place)).note("subject", Some("s")).note("related", None).note("help", Some("h"));
    assert_eq!(
        Blocks::new(Path::new("/nowhere"), false).render(&block),
        "error: m\n --> 26-cycles:2:3\n  |\n2 | b\\u{1b}c\n  |        ^\n  = subject: s\n  = help: h\n\n"
    );
}

#[test]
fn text_of_the_corpus_cannot_act_on_the_terminal_or_pose_as_a_finding() {
    let finding = Finding::warning(FindingId::Orphans, "a\u{1b}]0;x\u{7}\nerror[x]: faked");
    assert_eq!(
        render(None, &finding.with_help("h"), false),
        "warning[conformance/orphans]: a\\u{1b}]0;x\\u{7}\n  | error[x]: faked\n  = help: h\n\n"
    );
}

#[test]
fn a_long_text_is_cut() {
    assert_eq!(continued(&"a".repeat(MAX_TEXT + 1)), format!("{}…", "a".repeat(MAX_TEXT)));
    assert_eq!(continued(&"a\n".repeat(MAX_LINES + 1)), format!("a{}\n  | …", "\n  | a".repeat(MAX_LINES - 1)));
}

#[test]
fn a_long_line_is_cut_around_the_column() {
    let line = format!("{}X{}", "a".repeat(1000), "b".repeat(1000));
    let Excerpt { shown, caret } = excerpt(&line, Some(1001));
    assert_eq!(shown, format!("…{}X{}…", "a".repeat(100), "b".repeat(99)));
    assert_eq!(caret, Some(101));
    let Excerpt { shown, caret } = excerpt(&line, None);
    assert_eq!(shown, format!("{}…", "a".repeat(200)));
    assert_eq!(caret, None);
}

#[test]
fn colours_are_there_only_when_asked_for() {
    assert!(render(None, &invalid_id(), true).starts_with("\u{1b}[1m\u{1b}[31merror[extract/invalid-id]\u{1b}[0m"));
    assert!(!render(None, &invalid_id(), false).contains('\u{1b}'));
}

#[test]
fn a_place_shows_its_line() {
    let (folder, text) = (tempfile::tempdir().unwrap(), "\u{FEFF}one\r\n\ny");
    std::fs::write(folder.path().join("a.ts"), text).unwrap();
    let mut blocks = Blocks::new(folder.path(), false);
    for (line, shown) in [(3, Some("y")), (2, Some("")), (1, Some("one")), (0, None), (4, None)] {
        for text in [None, Some(text)] {
            let place = Place { line: Some(line), text, ..Place::whole("a.ts") };
            assert_eq!(blocks.source_line(&place), shown, "{line}");
        }
    }
}
