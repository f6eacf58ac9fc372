//! What no input may do: panic, hang, or give findings out of order.

use proptest::prelude::*;

use super::*;
use crate::carrier::gherkin::syntax::parse;

#[test]
fn messages_show_200_characters_of_a_name() {
    let text = |name: &str| format!("@spec.a @altitude.story @readiness.idea\nFeature: {name}\n- nope: x\n");
    let message = |name: &str| {
        format!(
            "Feature \"{name}\" description key \"nope\" is outside the closed set problem | outcome | value | actor | description | risk | assumption | criterion | verification-mode"
        )
    };
    let names = ["n".repeat(200), "n".repeat(201)];
    assert_eq!(findings(&text(&names[0]))[0].message, message(&names[0]));
    assert_eq!(findings(&text(&names[1]))[0].message, message(&format!("{}…", names[0])));
    let many = text(&"n".repeat(200_000)) + &"- nope: x\n".repeat(200);
    let found = findings(&many);
    let bytes: usize = found.iter().map(|finding| finding.message.len()).sum();
    assert!(found.len() == 100 && bytes < 60_000, "{bytes}");
}

#[test]
fn a_tag_holds_an_id_of_512_bytes_at_most() {
    let text = |bytes: usize| {
        let id = "a".repeat(bytes - 5);
        format!("@spec.{id} @altitude.story @readiness.idea @depends-on.spec:{id}\nFeature: F\n")
    };
    assert_eq!(findings(&text(512)), []);
    let found = findings(&text(513));
    assert_eq!(found.iter().map(|finding| finding.id.as_str()).collect::<Vec<_>>(), ["extract/invalid-id"; 2]);
    assert!(found.iter().all(|finding| finding.message.ends_with("…\": longer than 512 bytes")), "{found:?}");
}

/// Nothing here looks at a clock: a reader that goes through such a text again and again never comes to the answer.
#[test]
fn hostile_carriers_are_answered() {
    // A text and how many findings it gets; one without is read.
    let texts = [
        (3, format!("{}\nFeature: F", "@a ".repeat(87_000))),
        (3, format!("{}\nFeature: F", "@".repeat(262_000))),
        (100, format!("{}\nFeature: F", "@kind ".repeat(43_000))),
        (3, format!("{}\nFeature: F", "@a\n".repeat(87_000))),
        (1, feature(&"@a\n".repeat(87_000))),
        (4, scenario(&format!("Given a\n{}Scenario: x", "@a\n# c\n\n".repeat(30_000)))),
        (2, scenario(&"@a\nExamples:\n".repeat(18_000))),
        (100, feature(&"@a\nScenario: x\n".repeat(17_000))),
        (0, feature(&"Rule: x\n".repeat(32_000))),
        (100, feature(&"Rule: x\nBackground:\nScenario: y\n".repeat(7_000))),
        (1, "x".repeat(262_144)),
        (0, feature(&"x".repeat(262_000))),
        (1, feature(&format!("- {}: x", "x".repeat(262_000)))),
        (100, feature(&"- k: v\n".repeat(37_000))),
        (100, format!("{HEADER}Scenario: {}\n{}", "n".repeat(130_000), "* a\n".repeat(32_000))),
        (1, scenario(&format!("Given a\n\"\"\"\n{}", "x\n".repeat(130_000)))),
        (1, scenario(&format!("Given a\n{}\"\"\"\n{}", " ".repeat(100_000), "x\n".repeat(80_000)))),
        (1, scenario(&format!("Given a\n\"\"\"\n{}", "\\\"\\\"\\\"".repeat(40_000)))),
        (1, scenario(&format!("Given a\n{}", "|".repeat(262_000)))),
        (1, scenario(&format!("Given a\n{}", "|a|\n".repeat(65_000)))),
        (1, scenario(&format!("Given a\n|{}", "\\".repeat(262_000)))),
        (1, "\0".repeat(262_144)),
        (1, "\r".repeat(262_144)),
        (0, feature(&"\0\r".repeat(130_000))),
        (1, "\u{FEFF}".repeat(87_000)),
        (1, "\n".repeat(262_144)),
        (1, format!("{}x", " ".repeat(262_000))),
        (1, format!("# {}language: fr", " ".repeat(262_000))),
    ];
    for (count, text) in &texts {
        let found = read("a.sdp.gherkin", text).err().map_or(0, |findings| findings.len());
        assert_eq!(found, *count, "{:?}", text.chars().take(80).collect::<String>());
    }
    assert_eq!(specs(&format!("{}{HEADER}", "@a ".repeat(80_000))).len(), 1);
    assert_eq!(findings(&format!("{}\nFeature: F", "@kind ".repeat(43_000))).len(), 100);
}

fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "\n",
        "\n",
        "\r\n",
        "\r",
        " ",
        "\t",
        "\0",
        "\u{FEFF}",
        "\u{A0}",
        "\u{2028}",
        "é",
        "@",
        "@a",
        "@spec.x",
        "@refines.",
        "@example-space",
        "#",
        "# language: fr\n",
        "Feature: x\n",
        "Background:\n",
        "Rule: r\n",
        "Scenario: s\n",
        "Scenario Outline: s\n",
        "Examples:\n",
        "Given g\n",
        "And a\n",
        "* s\n",
        "\"\"\"\n",
        "```\n",
        "| a |\n",
        "|b|c|\n",
        "\\|",
        "- outcome: o\n",
        "- x: y\n",
        "Heading:\n",
        "text\n",
    ];
    prop_oneof![
        6 => proptest::sample::select(pieces.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

const WHOLE: &str = "# c
@spec.a.b @altitude.feature @readiness.idea
Feature: F
  Prose.
  - outcome: o

  @example-space
  Scenario: words
    Given a {n:number}

  @spec.a.b.c @altitude.story @readiness.idea
  Scenario: S
    Given a {n: 1}
    When b
    And c

  Rule: r
";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        drop(read("a.sdp.gherkin", &text));
        drop(read("a.sdp.gherkin", &feature(&text)));
        drop(read("a.sdp.gherkin", &scenario(&format!("Given a\n{text}"))));
    }

    #[test]
    fn a_carrier_with_pieces_put_in_is_documents_or_findings_in_order(
        pieces in proptest::collection::vec((piece(), any::<proptest::sample::Index>()), 0..12),
    ) {
        let mut text = WHOLE.to_owned();
        for (piece, index) in pieces {
            let mut at = index.index(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.insert_str(at, &piece);
        }
        let answer = read("a.sdp.gherkin", &text);
        match &answer {
            Ok(documents) => {
                prop_assert!(!documents.is_empty());
                prop_assert!(documents.iter().all(|document| document.id().starts_with("spec:")));
            }
            Err(found) => {
                let lines = text.split('\n').count() + 1;
                prop_assert!(!found.is_empty() && found.len() <= 100);
                prop_assert!(found.is_sorted_by_key(|finding| finding.line));
                prop_assert!(found.iter().all(|finding| finding.line.is_some_and(|line| line >= 1 && line as usize <= lines)));
            }
        }
        let unix = text.replace("\r\n", "\n");
        // A lone CR before a line end would become a part of it.
        prop_assume!(!unix.contains("\r\n"));
        let windows = unix.replace('\n', "\r\n");
        prop_assert_eq!(parse(&unix).is_ok(), parse(&windows).is_ok());
        prop_assert_eq!(read("a.sdp.gherkin", &unix), read("a.sdp.gherkin", &windows));
    }
}
