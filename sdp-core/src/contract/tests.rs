//! What is taken of a contract, and what is said where it cannot be taken.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn links(text: &str) -> Vec<(String, String, u32)> {
    let Contract { links, faults, .. } = read("c.json", text);
    assert_eq!(faults, Vec::new());
    links.into_iter().map(|link| (link.behavior, link.id, link.line)).collect()
}

/// Line and reason of each fault.
fn faults(text: &str) -> Vec<(Option<u32>, String)> {
    const OPENING: &str = "The contract is not read, so that its requirement links are not judged: ";
    let said = read("c.json", text).faults.into_iter().map(|finding| {
        assert_eq!(finding.subject.as_deref(), Some("c.json"));
        let why = finding.message.strip_prefix(OPENING).unwrap_or(&finding.message).trim_end_matches('.').to_owned();
        (finding.line, why)
    });
    said.collect()
}

#[test]
fn links_of_the_scheme_are_taken_with_the_lines_of_their_ids() {
    let text = r#"{
  "schemaVersion": "any",
  "behaviors": [
    { "requirementLinks": [
        { "id": "spec:a", "scheme": "sdp", "extra": {"id": "x"} },
        { "scheme": "jira", "id": "spec:nowhere" },
        { "scheme": "SDP", "id": "B" },
        { "scheme":
            "sdp",
          "\u0069d":
            "spec:a#rule.b" }
      ], "id": "B-001", "riskLinks": 7 },
    { "id": 2, "requirementLinks": [] },
    { "id": 3, "requirementLinks": [{ "scheme": "sdp", "id": "" }] }
  ]
}"#;
    assert_eq!(
        links(text),
        [
            ("behaviors[id=B-001]".to_owned(), "spec:a".to_owned(), 5),
            ("behaviors[id=B-001]".to_owned(), "spec:a#rule.b".to_owned(), 11),
            ("behaviors[2]".to_owned(), String::new(), 14),
        ]
    );
    assert_eq!(links(r#"{"behaviors": []}"#), []);
}

#[test]
fn what_cannot_be_taken_is_said_at_its_line() {
    let one = |line: u32, why: &str| vec![(Some(line), why.to_owned())];
    assert_eq!(faults(""), one(1, "expected a value"));
    assert_eq!(faults("{\n\"a\": 1,\n\"a\": 2}"), one(3, "the key \"a\" is given twice"));
    assert_eq!(faults("\u{feff}{}"), one(1, "a byte order mark before the value"));
    assert_eq!(faults(&"[".repeat(3000)), one(1, "nested deeper than 1024 levels"));
    assert_eq!(faults("\n[]"), one(2, "it is an array, and must be an object"));
    assert_eq!(faults("\n{}"), one(2, "it has no `behaviors`"));
    assert_eq!(faults("{\n\"behaviors\":\nnull}"), one(3, "`behaviors` of it is null, and must be an array"));
    let text = r#"{"behaviors": [
        1,
        {"id": "B-1"},
        {"id": "B-2", "requirementLinks":
            {}},
        {"requirementLinks": [
            "spec:a",
            {"id": "x"},
            {"scheme": true,
                "id": "x"},
            {"scheme": "sdp"},
            {"scheme": "sdp", "id": 1.5},
            {"scheme": "sdp", "id": "spec:a"}]}
    ]}"#;
    let expected = [
        (2, "behaviors[0] is a number, and must be an object"),
        (3, "behaviors[id=B-1] has no `requirementLinks`"),
        (5, "`requirementLinks` of behaviors[id=B-2] is an object, and must be an array"),
        (7, "behaviors[3].requirementLinks[0] is a string, and must be an object"),
        (8, "behaviors[3].requirementLinks[1] has no `scheme`"),
        (9, "`scheme` of behaviors[3].requirementLinks[2] is a boolean, and must be a string"),
        (11, "behaviors[3].requirementLinks[3] has no `id`"),
        (12, "`id` of behaviors[3].requirementLinks[4] is a number, and must be a string"),
    ];
    assert_eq!(faults(text), expected.map(|(line, why)| (Some(line), why.to_owned())));
    let kept = read("c.json", text).links;
    assert_eq!((kept.len(), kept[0].line), (1, 13), "what can be taken is taken");
}

#[test]
fn twenty_faults_are_said_and_the_rest_is_counted() {
    let text = json!({ "behaviors": vec![0; 100_000] }).to_string();
    let faults = faults(&text);
    assert_eq!(faults.len(), 21);
    assert_eq!(faults[20].1, "The contract has 99980 more faults, which are said when these are mended");
    assert!(read("c.json", &text).faults[20].is_of(FindingId::UnreadableContract));
}

#[test]
fn names_of_the_contract_stay_on_one_line() {
    let long = "x".repeat(100);
    let text = json!({ "behaviors": [
        { "id": format!("a\n\u{1b}{long}"), "requirementLinks": [{ "scheme": "sdp", "id": "y".repeat(100_000) }] },
    ] });
    let Contract { links, .. } = read("c.json", &text.to_string());
    assert_eq!(links[0].behavior, format!("behaviors[id=a\\n\\u{{1b}}{}…]", "x".repeat(77)));
    assert_eq!(links[0].id, format!("{}…", "y".repeat(80)));
}

#[test]
fn a_file_that_gives_no_text_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let why = |bytes: &[u8]| {
        std::fs::write(folder.path().join("c.json"), bytes).unwrap();
        read_file(folder.path(), "c.json").faults.remove(0).message
    };
    assert!(why(&[0xE9]).ends_with(": it is not UTF-8."));
    assert!(why(&vec![b' '; MAX_BYTES + 1]).ends_with(": it is larger than 8 MiB."));
    assert!(why(&vec![b' '; MAX_BYTES]).ends_with(": expected a value."));
    let gone = read_file(folder.path(), "gone.json").faults.remove(0).message;
    assert!(gone.ends_with(": it cannot be read: entity not found."), "{gone}");
}

proptest! {
    #[test]
    fn any_text_is_read_without_harm(text in "[\\[\\]{}:,\"a0 \\n]{0,60}") {
        let Contract { links, faults, .. } = read("c.json", &text);
        prop_assert!(links.is_empty() && !faults.is_empty());
    }

    #[test]
    fn every_link_has_the_line_of_its_id(counts in proptest::collection::vec(0..4_usize, 0..5), gap in "[ \\n]{0,5}") {
        let mut text = "{\"behaviors\": [".to_owned();
        let mut lines = Vec::new();
        for (at, count) in counts.iter().enumerate() {
            text.push_str(if at > 0 { "," } else { "" });
            text.push_str("{\"requirementLinks\": [");
            for link in 0..*count {
                text.push_str(if link > 0 { "," } else { "" });
                text.push_str(&gap);
                text.push_str("{\"scheme\": \"sdp\", \"id\":");
                text.push_str(&gap);
                lines.push(u32::try_from(text.matches('\n').count() + 1).unwrap());
                text.push_str("\"spec:a\"}");
            }
            text.push_str("]}");
        }
        text.push_str("]}");
        prop_assert_eq!(links(&text).into_iter().map(|(.., line)| line).collect::<Vec<_>>(), lines);
    }
}
