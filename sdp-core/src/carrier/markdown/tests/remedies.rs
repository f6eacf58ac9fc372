//! Remedies: what an author is told beside the Protocol's message fits the very line.

use super::*;
use crate::carrier::MAX_CARRIER_BYTES;

fn remedies(text: &str) -> Vec<String> {
    findings(text).iter().map(|finding| finding.remedy().to_owned()).collect()
}

/// The remedy of a carrier with one finding.
#[track_caller]
fn remedy(text: &str) -> String {
    let found = remedies(text);
    let [one] = found.as_slice() else { panic!("{text:?}: {found:#?}") };
    one.clone()
}

/// A good example's Intent with these steps in its fence.
fn fence(steps: &str) -> String {
    sections(&format!("## Intent\n- outcome: o\n\n```gwt\n{steps}\n```\n")).replace("kind: behavior", "kind: example")
}

#[test]
fn a_narrative_is_plain_paragraphs() {
    for block in ["- a", "| a | b |", "> a", "```text"] {
        assert_eq!(
            remedies(&spec(&format!("# T\n\n{block}\n")))[0],
            "the text between the title and the first `##` is plain paragraphs: lists belong into a section; tables, quotes and code have no place",
            "{block}"
        );
    }
    assert_eq!(
        remedy(&spec("# T\n\nText\n  goes on\n")),
        "write the text as plain paragraphs, each line from its first column"
    );
    assert_eq!(
        remedy("---\nid: \"pack:p\"\nspecs: []\n---\n# P\n\n- a\n"),
        "the text of a Pack is plain paragraphs: write lists, tables, quotes and code as sentences, or into its Specs"
    );
}

#[test]
fn the_only_h3_is_named() {
    let only = "the only H3 is `### Open questions`, under `## Intent`: write its text as an entry or as prose";
    for section in
        ["### Foo\n", "## Intent\n- outcome: o\n\n### Foo\n", "## Rule\n\n### Foo\n", "## Design\n\n### Foo\n"]
    {
        assert_eq!(remedy(&sections(section)), only, "{section:?}");
    }
    assert_eq!(
        remedy(&sections("## Rule\n\n```gwt\nGiven a\nWhen b\nThen c\n```\n")),
        "a `gwt` fence stands at the end of an example's Intent, a `gwt-vocabulary` fence under `## Example space`"
    );
}

#[test]
fn the_frontmatter_is_mended_where_it_is_wrong() {
    assert_eq!(remedy(&"-".repeat(MAX_CARRIER_BYTES + 1)), "split the file: one carrier holds 256 KiB at most");
    for tabbed in ["relations:\n\trefines: spec:a", "relations:\n  refines:\n\t- spec:a", "\tx: y"] {
        assert_eq!(remedies(&with_line(6, tabbed))[0], "write spaces instead of the tab", "{tabbed:?}");
    }
    assert_eq!(remedy(&with_line(6, "relations:\n  refines: shop.orders")), "write `spec:shop.orders`");
    assert_eq!(remedy(&with_line(6, "relations:\n  refines: [shop.orders]")), "write `spec:shop.orders`");
    assert_eq!(remedy(&with_line(2, "id: shop.orders")), "write `spec:shop.orders`");
    assert_eq!(
        remedy(&with_line(6, "relations:\n  refines: shop orders")),
        crate::finding::FindingId::InvalidId.help()
    );
    assert_eq!(
        remedy(&with_line(2, "id: a: b")),
        "write each key as `key: value` on a line of its own, and quote a value that holds a colon or a mark of YAML"
    );
}

#[test]
fn a_field_is_named_as_it_was_meant() {
    for (entries, expected) in [
        ("## Intent\n- Outcome: y", "did you mean `outcome`?"),
        ("## Intent\n- outcom: y", "did you mean `outcome`?"),
        ("## Intent\n- note: y", "the fields of Intent are actor, problem, outcome, value, risk and assumption"),
        ("## Intent\n- outcome:", "write a value behind `outcome:`"),
        ("## Intent\n- outcome: ", "write a value behind `outcome:`"),
        ("## Intent\n- outcome:y", "write a space behind `outcome:`"),
        ("## Intent\n- y", "write `- outcome: …`; also actor, problem, value, risk and assumption"),
        ("## Behavior\n- Rule: y", "did you mean `rule`?"),
        ("## Behavior\n- rule:", "write a value behind `rule:`"),
        ("## Workflow\n- Rule: y", "did you mean `rule`?"),
        ("## Decision\n- Decision: y", "did you mean `decision`?"),
        ("## Constraints\n- statement: s\n- measurableby: y", "did you mean `measurableBy`?"),
        ("## Design\n- key:", "write a value behind `key:`"),
    ] {
        assert_eq!(remedy(&sections(entries)), expected, "{entries}");
    }
}

#[test]
fn a_fence_is_mended_step_by_step() {
    let when = "an example has exactly one When line, without `And` behind it; a second When is another example";
    assert_eq!(remedy(&fence("Given a\n\nWhen b\nThen c")), "remove the line: a fence holds no blank lines");
    assert_eq!(
        remedy(&fence("Given a\n  When b\nWhen b\nThen c")),
        "open the step at the start of the line: a fence holds no indented lines"
    );
    assert_eq!(remedy(&fence("Given a\nWhen b\nWhen c\nThen d")), when);
    assert_eq!(remedy(&fence("Given a\nWhen b\nAnd c\nThen d")), when);
    assert_eq!(
        remedy(&sections("## Example space\n\n```gwt-vocabulary\nGiven a\nWhen b\nAnd c\nThen d\n```\n")),
        "an example space has exactly one When line, without `And` behind it; a second one belongs to another Spec"
    );
    assert!(remedy(&fence("Given a\nThen c")).starts_with("write Given steps, one When step and Then steps"));
}

#[test]
fn a_heading_is_given_as_it_must_stand() {
    for (heading, expected) in [
        (
            "## Verification",
            "write `## Verification — manual`, with the long dash; or in place of manual one of reviewed, contract, executable",
        ),
        ("## Verification - manual", "write `## Verification — manual`, with the long dash"),
        ("## verification: Reviewed", "write `## Verification — reviewed`, with the long dash"),
        ("## Verification (executable)", "write `## Verification — executable`, with the long dash"),
        ("## intent", "write `## Intent`"),
        ("## Open questions", "write `### Open questions`, behind the fields of `## Intent`"),
        ("## Notes", crate::finding::FindingId::UnrecognizedHeading.help()),
        ("## Vérification", crate::finding::FindingId::UnrecognizedHeading.help()),
    ] {
        assert_eq!(remedy(&sections(heading)), expected, "{heading}");
    }
}

#[test]
fn what_stands_behind_an_unknown_heading_is_mended_there() {
    let notes = |entries: &str| remedies(&sections(&format!("## Intent\n- outcome: o\n\n## Notes\n\n{entries}\n")));
    assert_eq!(
        notes("Prose.")[1],
        "mend the heading in line 13 first; else move the prose above the section's first entry, or make it an entry"
    );
    assert_eq!(notes("- Outcome: x")[1], "mend the heading in line 13 first; else did you mean `outcome`?");
    assert_eq!(notes("<b>")[1], "put it into a code span: `` `<b>` ``");
    // A heading that is known ends it, and the comments of the frontmatter are no headings.
    assert_eq!(notes("## Rule\n- x\n\nProse.")[1], crate::finding::FindingId::UnownedProse.help());
    let commented = sections("## Rule\n- x\n\nProse.\n").replace("\nkind", "\n# comment\nkind");
    assert_eq!(remedy(&commented), crate::finding::FindingId::UnownedProse.help());
    let fenced = fence("Given a\nWhen b\nThen c").replace("- outcome", "```text\n## x\n```\n- outcome");
    assert!(remedies(&fenced).iter().all(|remedy| !remedy.contains("mend the heading")), "{fenced}");
}
