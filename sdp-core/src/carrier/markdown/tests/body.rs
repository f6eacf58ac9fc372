//! Titles, headings, narrative, framing, entries and fences.

use super::*;
use crate::model::Rule;

#[test]
fn a_pack_has_title_framing_and_members_in_authored_order() {
    let text = "---\nspecs:\n  - spec:b.z\n  - spec:b.a\nid: pack:p\n---\n# The pack  \n\nOne `<tag>`\nline.\n\nTwo.\n";
    let expected = PackDocument {
        id: "pack:p".to_owned(),
        line: 5,
        title: Some("The pack".to_owned()),
        framing: Some("One `<tag>` line.\n\nTwo.".to_owned()),
        members: vec!["spec:b.z".to_owned(), "spec:b.a".to_owned()],
        model_refs: None,
    };
    assert_eq!(pack(text), expected);
    let empty = pack("---\nid: pack:p\nspecs: []\nmodelRefs: []\n---\n# P");
    assert_eq!((empty.members, empty.model_refs, empty.framing), (Vec::new(), Some(Vec::new()), None));
}

#[test]
fn a_pack_has_no_section_tier() {
    let cases: [(&str, Vec<Row<'_>>); 9] = [
        ("text\n", vec![(STRUCTURE, 5, "the first body line must be an H1 title")]),
        ("#  P\n", vec![(STRUCTURE, 5, "the H1 title must be nonempty and start immediately after #")]),
        ("# P\n\n# Q\n", vec![(STRUCTURE, 7, "only the first H1 is accepted")]),
        ("# P\n\n## Intent \n", vec![(HEADING, 7, "heading \"Intent\" is not recognized; a Pack has no section tier")]),
        ("# P\n\n#### x\n", vec![(HEADING, 7, "heading \"x\" is not recognized; a Pack has no section tier")]),
        ("# P\n\n##x\n", vec![(STRUCTURE, 7, "narrative accepts CommonMark paragraphs only")]),
        ("# P\n\n- x\n", vec![(STRUCTURE, 7, "narrative accepts CommonMark paragraphs only")]),
        ("# P\n\nx <b>y\n", vec![(STRUCTURE, 7, "raw HTML is unsupported")]),
        (
            "# P\n\n```js\n## x\n```\n",
            vec![
                (STRUCTURE, 7, "narrative accepts CommonMark paragraphs only"),
                (HEADING, 8, "heading \"x\" is not recognized; a Pack has no section tier"),
                (STRUCTURE, 9, "narrative accepts CommonMark paragraphs only"),
            ],
        ),
    ];
    for (body, expected) in cases {
        assert_findings(&format!("---\nid: pack:p\nspecs: []\n---\n{body}"), &expected);
    }
}

#[test]
fn a_body_without_a_title_is_refused_at_its_first_line() {
    for body in ["", "\n# T\n", "text\n", "## Intent\n", "#\n", "#T\n"] {
        assert_findings(&spec(body), &[(STRUCTURE, 8, "the first body line must be an H1 title")]);
    }
    assert_findings(HEADER.trim_end(), &[(STRUCTURE, 8, "the first body line must be an H1 title")]);
    for body in ["# \n", "#  T\n", "# \tT\n"] {
        let message = "the H1 title must be nonempty and start immediately after #";
        assert_findings(&spec(body), &[(STRUCTURE, 8, message)]);
    }
    let titled = document(&spec("# A <b>title</b> `x` # \t"));
    assert_eq!((titled.title.as_deref(), titled.narrative), (Some("A <b>title</b> `x` #"), None));
}

#[test]
fn headings_outside_the_closed_list_are_refused() {
    let html_free = "headings must use exact column-one Markdown syntax";
    let cases: [(&str, Vec<Row<'_>>); 16] = [
        ("# U\n", vec![(STRUCTURE, 10, "only the first H1 is accepted")]),
        ("##  Intent\n", vec![(STRUCTURE, 10, "H2 headings require text immediately after ##")]),
        ("## \n", vec![(STRUCTURE, 10, "H2 headings require text immediately after ##")]),
        ("##\n", vec![(STRUCTURE, 10, html_free)]),
        ("##Intent\n", vec![(STRUCTURE, 10, html_free)]),
        ("#tag\n", vec![(STRUCTURE, 10, html_free)]),
        ("### Open questions\n", vec![(STRUCTURE, 10, html_free)]),
        ("## Intent\n#### x\n###\n", vec![(STRUCTURE, 11, html_free), (STRUCTURE, 12, html_free)]),
        ("## Purpose\n", vec![(HEADING, 10, "heading \"Purpose\" is not recognized")]),
        ("## behaviour\n", vec![(HEADING, 10, "heading \"behaviour\" is not recognized; did you mean \"Behavior\"?")]),
        ("## U\n", vec![(HEADING, 10, "heading \"U\" is not recognized; did you mean \"UI\"?")]),
        (
            "## Verification - manual\n",
            vec![(
                HEADING,
                10,
                "heading \"Verification - manual\" is not recognized; did you mean \"Verification — manual\"?",
            )],
        ),
        ("## Verification\n", vec![(HEADING, 10, "heading \"Verification\" is not recognized")]),
        (
            "## Rule\n\n## Contract\n\n* ignored\n",
            vec![(STRUCTURE, 12, "a single-valued Markdown owner is authored more than once")],
        ),
        (
            "## Verification — manual\n## Verification — reviewed\n",
            vec![(STRUCTURE, 11, "a single-valued Markdown owner is authored more than once")],
        ),
        (
            "## Intent\n## Intents\n- outcome: x\n- outcome: y\n",
            vec![
                (HEADING, 11, "heading \"Intents\" is not recognized; did you mean \"Intent\"?"),
                (STRUCTURE, 13, "field \"outcome\" is authored more than once"),
            ],
        ),
    ];
    for (body, expected) in cases {
        assert_findings(&sections(body), &expected);
    }
}

#[test]
fn a_narrative_takes_plain_paragraphs_only() {
    for line in [
        "- x", "-", "* x", "+ x", "1. x", "12) x", "-\tx", "| a |", "> q", "< x", "  x", "\tx", "===", "=== ", "***",
        "_ _ _", "---- ", "   ",
    ] {
        let message = "narrative accepts CommonMark paragraphs only";
        assert_findings(&sections(line), &[(STRUCTURE, 10, message)]);
    }
    for line in ["<b>x", "a </b > c", "<!-- x", "x --> y", "<!DOCTYPE", "<?xml", "a<b and c>d", "`` <b> `", "\\`<b>"] {
        assert_findings(&sections(line), &[(STRUCTURE, 10, "raw HTML is unsupported")]);
    }
    let message = "narrative accepts CommonMark paragraphs only";
    assert_findings(
        &sections("```js\n## Intent\n```\n"),
        &[(STRUCTURE, 10, message), (STRUCTURE, 11, message), (STRUCTURE, 12, message)],
    );
    let plain =
        "a < b, x -> y, <3, Promise<T, `Map<String>` and ``a ` <b>``\n*emph* 1.x 12 a|b | c\n\n\n~~~ \n=== x\n__\n";
    let narrative = "a < b, x -> y, <3, Promise<T, `Map<String>` and ``a ` <b>`` *emph* 1.x 12 a|b | c\n\n~~~ === x __";
    assert_eq!(document(&sections(plain)).narrative.as_deref(), Some(narrative));
}

#[test]
fn code_spans_shield_html_on_their_own_line_only() {
    let cases: [(&str, Vec<Row<'_>>); 7] = [
        ("## Rule\n\nProse with `<root>`.\n\n- takes ``<a `b>``\n", vec![]),
        ("## Design\n\n- fnOpen: `fn open<T>(path: &Path) -> Result<T>`\n", vec![]),
        ("## Rule\n\nopen ` here\nand <b> there `\n", vec![(STRUCTURE, 13, "raw HTML is unsupported")]),
        ("## Rule\n\n- `a` <b> `c`\n", vec![(STRUCTURE, 12, "raw HTML is unsupported")]),
        ("## Rule\n\n- ```<b>`` x\n", vec![(STRUCTURE, 12, "raw HTML is unsupported")]),
        ("## Rule\n\n- a `-->` b\n", vec![]),
        ("## Rule\n\n- <a `x` b>\n", vec![(STRUCTURE, 12, "raw HTML is unsupported")]),
    ];
    for (body, expected) in cases {
        assert_findings(&sections(body), &expected);
    }
}

#[test]
fn a_section_takes_leading_prose_then_flat_entries() {
    let nested = "nested or unsupported Markdown structure";
    let cases: [(&str, Vec<Row<'_>>); 10] = [
        ("- a\n  - b\n", vec![(STRUCTURE, 13, nested)]),
        ("- a\n\tb\n", vec![(STRUCTURE, 13, nested)]),
        ("- a\n   \n", vec![(STRUCTURE, 13, nested)]),
        ("* a\n1. b\n| c |\n> d\n<e\n***\n", (12..18).map(|line| (STRUCTURE, line, nested)).collect()),
        ("- a\nb\n", vec![(PROSE, 13, "prose after structured content has no owner")]),
        ("- \n", vec![(STRUCTURE, 12, "list text must not be empty")]),
        ("-  a\n", vec![(STRUCTURE, 12, "list text must not be empty")]),
        ("- <b>x</b>\n", vec![(STRUCTURE, 12, "raw HTML is unsupported")]),
        (
            "```rust\n# x\nlet y;\n```\n",
            vec![
                (STRUCTURE, 12, "fences must be exact gwt or gwt-vocabulary fences"),
                (STRUCTURE, 13, "unsupported heading structure"),
                (PROSE, 14, "prose after structured content has no owner"),
                (STRUCTURE, 15, "fences must be exact gwt or gwt-vocabulary fences"),
            ],
        ),
        ("-\n--\nx\n\n- y \n", vec![]),
    ];
    for (body, expected) in cases {
        assert_findings(&sections(&format!("## Rule\n\n{body}")), &expected);
    }
    let behavior = document(&sections("## Rule\n\n-\n--\nx\n\n- y \n")).sections.behavior.unwrap();
    let rule = Rule { text: "y ".to_owned(), key: None };
    assert_eq!((behavior.description.as_deref(), behavior.rules), (Some("- -- x"), Some(vec![rule])));
}

#[test]
fn a_fence_follows_given_when_then() {
    let whole = "a GWT fence requires Given, exactly one When, and Then steps";
    let step = "fence steps require a phase and nonempty text";
    let cases: [(&str, Vec<Row<'_>>); 9] = [
        ("Given a\nWhen b\nThen c", vec![]),
        (
            "Given a\n\n  And b\nWhen c\nThen d",
            vec![
                (STRUCTURE, 14, "fence bodies cannot contain blank or indented lines"),
                (STRUCTURE, 15, "fence bodies cannot contain blank or indented lines"),
            ],
        ),
        (
            "Given a\nBut b\nGiven\nGiven \nWhen c\nThen d\n```x",
            vec![(STRUCTURE, 14, step), (STRUCTURE, 15, step), (STRUCTURE, 16, step), (STRUCTURE, 19, step)],
        ),
        ("And a\nGiven b\nWhen c\nThen d", vec![(STRUCTURE, 13, "And requires a preceding GWT phase")]),
        ("When a\nThen b", vec![(STRUCTURE, 12, whole), (STRUCTURE, 13, "GWT fences must begin with Given steps")]),
        (
            "Given a\nWhen b\nGiven c\nThen d\nWhen e",
            vec![(STRUCTURE, 15, "GWT phases cannot regress"), (STRUCTURE, 17, "GWT phases cannot regress")],
        ),
        ("Given a\nWhen b\nAnd c\nThen d", vec![(STRUCTURE, 15, "a GWT fence has exactly one When step")]),
        ("Given a\nWhen b", vec![(STRUCTURE, 12, whole)]),
        ("Given a\u{2028}b\nGiven c\nWhen d\nThen e", vec![(STRUCTURE, 13, step)]),
    ];
    for (steps, expected) in &cases {
        assert_findings(&sections(&format!("## Example space\n\n```gwt-vocabulary\n{steps}\n```\n")), expected);
        let example = with_line(3, "kind: example") + &format!("\n## Intent\n\n```gwt\n{steps}\n```\n");
        assert_findings(&example, expected);
    }
    let open = sections("## Example space\n\n```gwt-vocabulary\nGiven a\n## Rule\n");
    assert_findings(&open, &[(STRUCTURE, 12, "fence must close with an exact ``` line")]);
}

#[test]
fn line_ends_make_no_difference() {
    let text = sections(
        "One\ntwo.\n\n## Rule\n\n- a \n- [#k] b\n\n## Example space\n\n```gwt-vocabulary\nGiven a\nWhen b\nThen c\n```",
    );
    let crlf = text.replace('\n', "\r\n");
    assert_eq!(read("a.sdp.md", &text), read("a.sdp.md", &crlf));
    assert_eq!(read("a.sdp.md", &text), read("a.sdp.md", &format!("{text}\n\n")));
    assert_eq!(document(&crlf).narrative.as_deref(), Some("One two."));
    let refused = sections("## Intent\n\n- nope\n").replace('\n', "\r\n");
    assert_findings(&refused, &[(STRUCTURE, 12, "Intent entries require a field name")]);
}
