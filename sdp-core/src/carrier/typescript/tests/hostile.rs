//! What no input may do: panic, hang, or give findings without end.

use proptest::prelude::*;

use super::*;
use crate::carrier::MAX_CARRIER_BYTES;

/// Nothing here looks at a clock: a reader that goes through such a text again and again never comes to the answer.
#[test]
fn hostile_carriers_are_answered() {
    let many = |count: usize, text: &str| text.repeat(count);
    let texts = [
        (100, true, spec(&format!("design: {{ {} }}", many(10_000, "a: 1, ")))),
        (100, false, spec(&many(10_000, "kind: \"rule\", "))),
        (100, false, spec(&many(10_000, "y: 1,\n"))),
        (0, true, spec(&format!("behavior: {{ rules: [{}] }}", many(50_000, "\"\",")))),
        (100, false, spec(&format!("behavior: {{ rules: [{}] }}", many(50_000, "1,")))),
        (1, true, spec(&format!("design: {{ a: [{}] }}", many(100_000, ",")))),
        (100, false, spec(&format!("relations: [{}]", many(100_000, ",")))),
        (100, false, spec(&format!("relations: [{}]", many(10_000, "refines(\"\"),")))),
        (0, true, spec(&format!("narrative: \"{}\"", many(250_000, "x")))),
        (1, false, spec(&format!("narrative: \"{}\"", many(1 << 20, "x")))),
        (1, true, spec(&format!("design: {{ a: {}x{} }}", many(300, "("), many(300, ")")))),
        (1, false, spec(&format!("design: {{ a: {}{} }}", many(300, "["), many(300, "]")))),
        (1, false, spec(&format!("design: {}1{}", many(300, "{ a: "), many(300, "}")))),
        (1, false, spec(&format!("constraints: {}{}", many(300, "["), many(300, "]")))),
        (100, false, format!("{IMPORT}{}", many(30_000, "let a;\n"))),
        (100, false, format!("{IMPORT}const x = 1{}", many(30_000, ", y = 1"))),
        (100, false, format!("{IMPORT}{}", many(9_000, "const a = spec({});\n").replace("const a", "export const a"))),
    ];
    for (at, (findings, is_read, text)) in texts.into_iter().enumerate() {
        let read = answer(&text);
        assert_eq!(
            (read.findings.len(), !read.documents.is_empty()),
            (findings, is_read),
            "{at}: {:#?}",
            read.findings
        );
    }
}

#[test]
fn errors_go_before_warnings_and_what_is_left_out_is_said() {
    let text = format!("{IMPORT}{}", "let a;\n".repeat(200)) + "const b = spec({});\n";
    let read = answer(&text);
    assert_eq!(read.findings.iter().filter(|finding| finding.is_error()).count(), 4);
    let left_out = &read.findings[0];
    assert_eq!(left_out.message, "the findings of this carrier beyond the first 99 are left out");
    assert_eq!((left_out.id.as_str(), left_out.related.as_deref()), ("sdp/findings-left-out", Some(STATEMENT)));
    // A document whose errors are all left out is refused all the same.
    let text = format!("{IMPORT}{}", "const a = spec({});\n".repeat(100)) + &spec("implemented: 1");
    assert_eq!((answer(&text).findings.len(), ids(&text).len()), (100, 0));
}

#[test]
fn messages_show_200_characters_of_a_name() {
    let long = "n".repeat(100_000);
    let texts = [
        spec(&format!("{long}: 1")),
        spec(&format!("intent: {{ {long}: 1 }}")),
        spec(&format!("design: {{ {long}: {{ {long}: x }} }}")),
        spec(&format!("{long}: 1, {long}: 2")),
        spec(&format!("design: {{ {long}: 1, {long}: 2 }}")),
        spec(&format!("design: {{ \"{}\": 1 }}", "1".repeat(200_000))),
        spec(&format!("kind: \"{long}\"")),
        spec(&format!("relations: [refines(\"{long}\")]")),
        spec(&format!("verification: {{ mode: \"{long}\" }}")),
        format!("import {{ x }} from \"{long}\";"),
        format!("const {long} = 1;"),
        format!(
            "{IMPORT}const a = spec({{ id: \"spec:a\", kind: \"{long}\", altitude: \"story\", readiness: \"idea\" }});"
        ),
    ];
    for text in texts {
        let findings = answer(&text).findings;
        assert!(!findings.is_empty());
        for finding in findings {
            let shown = [Some(&finding.message), finding.path.as_ref(), finding.help.as_ref()];
            assert!(shown.iter().flatten().all(|text| text.len() < 2_000), "{}", finding.id.as_str());
        }
    }
}

#[test]
fn a_value_may_be_as_deep_as_the_graph_takes_it_and_no_deeper() {
    let text = |levels: usize| spec(&format!("design: {{ a: {}1{} }}", "[".repeat(levels), "]".repeat(levels)));
    assert_eq!(found(&text(15)), Vec::<String>::new());
    assert_eq!(found(&text(16)), [format!("error {MISTYPED} 3 design.a")]);
    assert_eq!(
        messages(&text(16)),
        ["property \"design.a\" nests more than 16 values deep, so the spec is not extracted"]
    );
    let text = |levels: usize| spec(&format!("ui: {{ a: {}1{} }}", "{ b: ".repeat(levels), "}".repeat(levels)));
    assert_eq!((found(&text(15)).len(), found(&text(16)).len()), (0, 1));
}

proptest! {
    #[test]
    fn whatever_the_text_findings_have_a_line_of_it_and_documents_an_id(
        parts in prop::collection::vec(
            prop::sample::select(&[
                IMPORT, "const a = ", "spec(", "pack(", "{ ", " }", ")", ";\n", "id: \"spec:a\", ", "kind: \"rule\", ",
                "altitude: \"story\", ", "readiness: \"idea\", ", "relations: [refines(\"spec:b\")], ", "intent: { ",
                "openQuestions: [", "] ", "\"x\", ", "key: \"k\", ", "design: { ", "1: 2, ", "...x, ", "y, ", "-1, ",
                "`t`, ", "constraints: [{ ", "description: 1, ", "specs: [], ", "as const ", "\u{2028}", "é",
            ][..]),
            0..40,
        )
    ) {
        let text = parts.concat();
        let lines = text.split(['\n', '\u{2028}']).count();
        let Read { documents, findings, .. } = answer(&text);
        prop_assert!(findings.iter().all(|finding| finding.line.is_none_or(|line| (line as usize) <= lines)));
        prop_assert!(documents.iter().all(|document| crate::model::parse_slot_id(document.id()).is_ok()));
    }
}

#[test]
fn a_carrier_holds_256_kib_and_no_more() {
    let text = |bytes: usize| {
        let text = spec("");
        let rest = bytes - text.len();
        format!("{text}{}", " ".repeat(rest))
    };
    assert_eq!((found(&text(MAX_CARRIER_BYTES)), ids(&text(MAX_CARRIER_BYTES)).len()), (Vec::new(), 1));
    assert_eq!(found(&text(MAX_CARRIER_BYTES + 1)), ["error sdp/large-carrier 1"]);
}
