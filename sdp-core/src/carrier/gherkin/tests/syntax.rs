//! Texts that are no Gherkin, and places in those that are.

use super::*;
use crate::carrier::MAX_CARRIER_BYTES;
use crate::carrier::gherkin::syntax::{Position, parse};

#[track_caller]
fn assert_error(text: &str, expected: &str) {
    assert_eq!(parse(text).unwrap_err().to_string(), expected, "{text:?}");
}

#[test]
fn the_first_error_is_worded_as_the_official_parser_words_it() {
    assert_error(
        "Feature",
        "(1:1): expected: #EOF, #Language, #TagLine, #FeatureLine, #Comment, #Empty, got 'Feature'",
    );
    assert_error("@a\n  x \n", "(2:3): expected: #TagLine, #FeatureLine, #Comment, #Empty, got 'x'");
    assert_error(
        "# language: en\n",
        "(2:0): unexpected end of file, expected: #TagLine, #FeatureLine, #Comment, #Empty",
    );
    assert_error("# language: xx\n", "(1:1): Language not supported: xx");
    assert_error("\u{FEFF}x", "(1:2): expected: #EOF, #Language, #TagLine, #FeatureLine, #Comment, #Empty, got 'x'");
    let steps = "Feature: F\nScenario: S\nGiven a\n";
    let after = |lines: &str| format!("{steps}{lines}");
    assert_error(
        &after("| a |\n\"\"\"\n\"\"\"\n| a |"),
        "(7:1): expected: #EOF, #StepLine, #TagLine, #ExamplesLine, #ScenarioLine, #RuleLine, #Comment, #Empty, got '| a |'",
    );
    assert_error(
        &after("```\n```\n| a |\n```"),
        "(7:1): expected: #EOF, #TableRow, #StepLine, #TagLine, #ExamplesLine, #ScenarioLine, #RuleLine, #Comment, #Empty, got '```'",
    );
    assert_error(&after("\"\"\"\n"), "(5:0): unexpected end of file, expected: #DocStringSeparator, #Other");
    assert_error(
        &after("Examples:\n| a |\nx"),
        "(6:1): expected: #EOF, #TableRow, #TagLine, #ExamplesLine, #ScenarioLine, #RuleLine, #Comment, #Empty, got 'x'",
    );
    assert_error(&after("@a\nGiven b"), "(5:1): expected: #TagLine, #RuleLine, #Comment, #Empty, got 'Given b'");
}

#[test]
fn a_table_is_judged_where_it_ends() {
    let table = "Feature: F\nScenario: S\nGiven a\n| a |\n| b | c |\n";
    assert_error(table, "(5:1): inconsistent cell count within the table");
    assert_error(&format!("{table}@a b\n"), "(6:1): A tag may not contain whitespace");
    assert_error(&format!("{table}@a\n@b\n@c d\n"), "(8:1): A tag may not contain whitespace");
}

#[test]
fn places_are_counted_in_characters_behind_any_white_space() {
    let text = "\u{FEFF}@é @b # @c\nFeature:  F \n\u{A0}\u{A0}Scenario: S\n\t* a\n\n    \"\"\" js \n    é\n      \\\"\\\"\\\"\n  x\n    \"\"\"\n";
    let document = parse(text).unwrap();
    let feature = document.feature.unwrap();
    let tags: Vec<(&str, Position)> = feature.tags.iter().map(|tag| (tag.name, tag.at)).collect();
    let at = |line, column| Position { line, column };
    assert_eq!(tags, [("@é", at(1, 2)), ("@b", at(1, 5))]);
    assert_eq!((feature.name, feature.at), ("F", at(2, 1)));
    let scenario = &feature.scenarios[0];
    assert_eq!((scenario.name, scenario.at), ("S", at(3, 3)));
    let step = &scenario.steps[0];
    let doc_string = step.doc_string.as_ref().unwrap();
    assert_eq!((step.keyword, step.text, step.at), ("*", "a", at(4, 2)));
    assert_eq!((doc_string.media_type, doc_string.content.as_str()), ("js", "é\n  \"\"\"\nx"));
    assert_eq!(doc_string.at, at(6, 5));
}

#[test]
fn what_is_no_gherkin_or_no_english_gives_one_finding() {
    assert_findings(
        "Feture: x\n@a b\n",
        &[(
            SYNTAX,
            1,
            "the Gherkin file does not parse: (1:1): expected: #EOF, #Language, #TagLine, #FeatureLine, #Comment, #Empty, got 'Feture: x'; the file is excluded",
            None,
        )],
    );
    assert_eq!(findings("\n  x").first().unwrap().column, Some(3));
    assert_eq!(findings("@a").first().unwrap().column, None);
    let closed = "Gherkin language \"en-au\" is refused; the carrier grammar is closed to en";
    assert_findings("# x\n#language:en-au\nx\n", &[(GRAMMAR, 2, closed, None)]);
    for text in ["", "\n# c\n"] {
        assert_findings(text, &[(GRAMMAR, 1, "the Gherkin carrier must contain exactly one Feature", None)]);
    }
}

#[test]
fn each_kind_of_syntax_error_has_a_remedy_of_its_own() {
    let step = "Feature: F\nScenario: S\nGiven a\n";
    let cases = [
        ("@a b", "write each tag as one word"),
        (&format!("{step}| a | b |\n||"), "a carrier holds no tables"),
        ("# language: xx", "remove the `# language:` line"),
        (&format!("{step}```"), "a carrier holds no doc strings"),
        ("Feture: x", "the file opens with tags"),
        ("@a\nx #Other #EOF", "the file opens with tags"),
        (&format!("{step}x"), "a line behind a step opens with Given"),
        (&format!("{step}@a"), "behind tags comes the title"),
    ];
    for (text, opening) in cases {
        let help = findings(text).remove(0).help.unwrap();
        assert!(help.starts_with(opening), "{text:?}: {help}");
    }
}

#[test]
fn a_carrier_beyond_the_limit_is_refused_unparsed() {
    let mut text = feature("- outcome: o");
    text.push_str(&"#".repeat(MAX_CARRIER_BYTES - text.len()));
    assert_eq!(specs(&text).len(), 1);
    text.push('#');
    let message = "the Gherkin carrier exceeds the 256 KiB byte limit; the file is excluded";
    assert_findings(&text, &[("sdp/large-carrier", 1, message, None)]);
}
