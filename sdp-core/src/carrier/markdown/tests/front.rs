//! Envelope and frontmatter: each message at its line, and what is accepted.

use super::*;
use crate::model::RelationType;

#[test]
fn an_envelope_that_breaks_a_rule_is_refused_at_line_1() {
    let long_line = format!("x: {}\n", "y".repeat(100));
    let cases = [
        (format!("---\n{}", "x".repeat(256 * 1024)), "carrier exceeds the 256 KiB byte limit"),
        ("\u{FEFF}---\nid: spec:a.b\n---\n".to_owned(), "carrier must begin at byte zero with an exact --- line"),
        (String::new(), "carrier must begin at byte zero with an exact --- line"),
        ("---".to_owned(), "carrier must begin at byte zero with an exact --- line"),
        ("--- \nid: spec:a.b\n---\n".to_owned(), "carrier must begin at byte zero with an exact --- line"),
        ("\n---\nid: spec:a.b\n---\n".to_owned(), "carrier must begin at byte zero with an exact --- line"),
        ("---\n---\na\rb\n".to_owned(), "carrier contains a lone CR newline"),
        ("---\r\n---\r\na\r".to_owned(), "carrier contains a lone CR newline"),
        ("---\r\n---\r\na\n".to_owned(), "carrier mixes LF and CRLF newlines"),
        ("---\n---\r\n".to_owned(), "carrier mixes LF and CRLF newlines"),
        ("---\nid: spec:a.b\n--- \n ---\n----\n".to_owned(), "carrier requires one exact closing --- line"),
        ("---\nid: spec:a.b\n...\n---\n".to_owned(), "frontmatter does not accept an exact ... document-end line"),
        ("---\r\n...\r\n---\r\n".to_owned(), "frontmatter does not accept an exact ... document-end line"),
        (spec("# T\n\n---\n"), "an exact --- line in the body is unsupported Markdown"),
        (spec("# T\n\n---"), "an exact --- line in the body is unsupported Markdown"),
        (format!("---\n{}---\n", long_line.repeat(400)), "frontmatter exceeds the 32 KiB byte limit"),
    ];
    for (text, message) in cases {
        assert_findings(&text, &[(FRONTMATTER, 1, message)]);
    }
}

#[test]
fn the_limits_of_an_envelope_are_inclusive() {
    let carrier = spec("# T\n");
    let padded = format!("{carrier}{}", "\n".repeat(256 * 1024 - carrier.len()));
    assert_eq!(padded.len(), 256 * 1024);
    assert_findings(&padded, &[]);
    let inner = HEADER.len() - "---\n---\n\n".len();
    let comment = "#".repeat(32 * 1024 - inner - 1);
    assert_findings(&format!("---\n{comment}\n{}# T\n", &HEADER[4..]), &[]);
    let message = "frontmatter exceeds the 32 KiB byte limit";
    assert_findings(&format!("---\n#{comment}\n{}# T\n", &HEADER[4..]), &[(FRONTMATTER, 1, message)]);
}

#[test]
fn frontmatter_that_is_no_single_mapping_is_refused_at_line_1() {
    let document = "frontmatter must contain exactly one nonempty YAML document";
    let mapping = "frontmatter must be a mapping";
    for text in ["---\n---\n# T\n", "---\n\n---\n# T\n", "---\n# only a comment\n---\n# T\n", "---\n--- \n---\n# T\n"] {
        assert_findings(text, &[(FRONTMATTER, 1, document)]);
    }
    for text in ["---\n- a\n---\n", "---\nabc\n---\n", "---\n\"\"\n---\n", "---\n[]\n---\n"] {
        assert_findings(text, &[(FRONTMATTER, 1, mapping)]);
    }
    assert_findings(&with_line(6, "relations: {}\n--- "), &[(FRONTMATTER, 1, document)]);
}

#[test]
fn yaml_that_the_protocol_does_not_take_is_refused_at_its_line() {
    let twenty = "[".repeat(20) + "spec:a.c" + &"]".repeat(20);
    let many: Vec<String> = (0..2000).map(|n| format!("spec:n{n}")).collect();
    let cases: Vec<(String, Vec<Row<'_>>)> = vec![
        ("---\n%YAML 1.2\nid: spec:a.b\n---\n".to_owned(), vec![(FRONTMATTER, 2, "YAML directives are not accepted")]),
        ("---\r\nid: a\r\n%X\r\n---\r\n".to_owned(), vec![(FRONTMATTER, 3, "YAML directives are not accepted")]),
        (with_line(2, "id: &x spec:a.b"), vec![(FRONTMATTER, 2, "YAML anchors are not accepted")]),
        (with_line(2, "id: !!str spec:a.b"), vec![(FRONTMATTER, 2, "YAML tags are not accepted")]),
        (with_line(2, "id: !x!y spec:a.b"), vec![(FRONTMATTER, 2, "YAML tags are not accepted")]),
        (with_line(3, "kind: *unknown"), vec![(FRONTMATTER, 3, "YAML aliases are not accepted")]),
        (
            with_line(6, "relations: &r\n  refines: [&t spec:a.c, *t]"),
            vec![
                (FRONTMATTER, 6, "YAML anchors are not accepted"),
                (FRONTMATTER, 7, "YAML anchors are not accepted"),
                (FRONTMATTER, 7, "YAML aliases are not accepted"),
                (FRONTMATTER, 7, "relation targets must be string scalars"),
            ],
        ),
        (
            with_line(6, &format!("relations: {{refines: {twenty}}}")),
            vec![
                (FRONTMATTER, 6, "frontmatter exceeds the depth limit of 16"),
                (FRONTMATTER, 6, "relation targets must be string scalars"),
            ],
        ),
        (
            with_line(6, &format!("relations:\n  refines: [\n   {}]", many.join(",\n   "))),
            vec![(FRONTMATTER, 1995, "frontmatter exceeds the 2,000 node limit")],
        ),
        (
            with_line(6, &format!("relations: {{}}\nnote: \"{}\"", "y".repeat(16 * 1024 + 1))),
            vec![
                (FRONTMATTER, 7, "scalar exceeds the 16 KiB byte limit"),
                (PROPERTY, 7, "frontmatter key \"note\" is not accepted"),
            ],
        ),
    ];
    for (text, expected) in cases {
        assert_findings(&text, &expected);
    }
}

#[test]
fn an_error_of_the_yaml_library_is_reported_alone_in_one_line() {
    let cases = [
        (with_line(2, "id: spec:"), 2, "a second key opens inside a value; quote a value that holds a colon"),
        (
            with_line(2, "id: spec:a.b\n kind: x"),
            3,
            "a second key opens inside a value; quote a value that holds a colon",
        ),
        (with_line(6, "relations:\n\trefines: spec:a.c"), 7, "a tab cannot stand here"),
        (with_line(6, "relations: [a, b"), 6, "a list in brackets lacks a comma or its closing ]"),
        (with_line(6, "relations: {a: b"), 6, "a mapping in braces lacks a comma or its closing }"),
        (with_line(6, "relations:\n    a: b\n   c: d"), 8, "a key in line with the keys above is expected here"),
        (with_line(2, "id: \"spec:a.b"), 2, "a quoted value is not closed before the next key"),
        (with_line(6, "relations: \"x"), 6, "a quoted value is not closed"),
        (with_line(2, "id: \"spec:\\q\""), 2, "a quoted value holds an unknown escape"),
        (with_line(2, "id: \"spec:a.b\" \"x\""), 2, "text follows a quoted value on its line"),
        (with_line(2, "id: - a"), 2, "a list entry cannot open here"),
        (with_line(2, "id: | x\n  y"), 2, "text follows a block indicator on its line"),
        (with_line(2, "id: `x`"), 2, "a plain value cannot open with %, @ or `"),
        (with_line(2, "id: spec:a.b\nfoo"), 4, "the key before this place lacks its colon"),
        (with_line(2, "id: \0"), 2, "a NUL character"),
    ];
    for (text, line, reason) in &cases {
        assert_findings(text, &[(FRONTMATTER, *line, &format!("frontmatter is not valid YAML: {reason}"))]);
        let crlf = text.replace('\n', "\r\n");
        assert_findings(&crlf, &[(FRONTMATTER, *line, &format!("frontmatter is not valid YAML: {reason}"))]);
    }
    assert_eq!(findings(&with_line(2, "id: é `: x: y")).first().unwrap().column, Some(8));
}

#[test]
fn each_field_of_a_spec_is_refused_at_its_key() {
    let cases: Vec<(String, Vec<Row<'_>>)> = vec![
        (with_line(2, "1: x\nid: spec:a.b"), vec![(FRONTMATTER, 2, "frontmatter keys must be string scalars")]),
        (with_line(2, "? [a]\n: b\nid: spec:a.b"), vec![(FRONTMATTER, 2, "frontmatter keys must be string scalars")]),
        (
            with_line(4, "kind: rule\naltitude: feature"),
            vec![(FRONTMATTER, 4, "frontmatter key \"kind\" is authored more than once")],
        ),
        (with_line(3, "title: x\nkind: rule"), vec![(FRONTMATTER, 3, "frontmatter key \"title\" is not accepted")]),
        (with_line(3, "status: x\nkind: rule"), vec![(PROPERTY, 3, "frontmatter key \"status\" is not accepted")]),
        (with_line(3, "<<: {}\nkind: rule"), vec![(PROPERTY, 3, "frontmatter key \"<<\" is not accepted")]),
        (
            with_line(3, "has-verifier: x\nkind: rule"),
            vec![(RESERVED, 3, "frontmatter key \"has-verifier\" is not accepted")],
        ),
        (
            with_line(3, "verifies: spec:a.c\nkind: rule"),
            vec![(RESERVED, 3, "frontmatter key \"verifies\" is not accepted")],
        ),
        (
            with_line(3, "belongsTo: x"),
            vec![
                (FRONTMATTER, 1, "frontmatter field \"kind\" is missing"),
                (RESERVED, 3, "frontmatter key \"belongsTo\" is not accepted"),
            ],
        ),
        (
            "---\nnote: x\n---\n# T\n".to_owned(),
            vec![
                (FRONTMATTER, 1, "frontmatter field \"id\" is missing"),
                (FRONTMATTER, 1, "frontmatter field \"kind\" is missing"),
                (FRONTMATTER, 1, "frontmatter field \"altitude\" is missing"),
                (FRONTMATTER, 1, "frontmatter field \"readiness\" is missing"),
                (FRONTMATTER, 1, "frontmatter field \"relations\" is missing"),
                (PROPERTY, 2, "frontmatter key \"note\" is not accepted"),
            ],
        ),
        (with_line(3, "kind: [rule]"), vec![(FRONTMATTER, 3, "frontmatter field \"kind\" must be a string scalar")]),
        (with_line(3, "kind: Rule"), vec![(ENVELOPE, 3, "kind is not a recognized spec kind")]),
        (with_line(3, "kind:"), vec![(ENVELOPE, 3, "kind is not a recognized spec kind")]),
        (with_line(3, "kind: yes"), vec![(ENVELOPE, 3, "kind is not a recognized spec kind")]),
        (with_line(4, "altitude: high"), vec![(ENVELOPE, 4, "altitude is not a recognized spec altitude")]),
        (with_line(5, "readiness: done"), vec![(ENVELOPE, 5, "readiness is not a recognized spec readiness")]),
        (with_line(2, "id: spec:a..b"), vec![(INVALID_ID, 2, "Invalid ID \"spec:a..b\": empty path segment")]),
        (with_line(2, "id: impl:a.b"), vec![(INVALID_ID, 2, "id must use the spec namespace")]),
        (with_line(2, "id: spec:é"), vec![(INVALID_ID, 2, "Invalid ID \"spec:é\": invalid path segment")]),
        (
            with_line(2, "id: |\n  spec:a.b"),
            vec![(INVALID_ID, 2, "Invalid ID \"spec:a.b\n\": whitespace is not allowed")],
        ),
        (
            with_line(2, "id: spec:a.b#design.key"),
            vec![(INVALID_ID, 2, "Invalid ID \"spec:a.b#design.key\": an entry address is not a Spec id")],
        ),
        (with_line(6, "relations:"), vec![(FRONTMATTER, 6, "relations must be a mapping")]),
        (with_line(6, "relations: ~"), vec![(FRONTMATTER, 6, "relations must be a mapping")]),
        (with_line(6, "relations: []"), vec![(FRONTMATTER, 6, "relations must be a mapping")]),
    ];
    for (text, expected) in cases {
        assert_findings(&text, &expected);
    }
}

#[test]
fn each_relation_is_refused_at_its_own_line() {
    let cases: [(&str, Vec<Row<'_>>); 12] = [
        ("  blocks: spec:a.c", vec![(FRONTMATTER, 7, "relations contain an unsupported key")]),
        ("  belongsTo: spec:a.c", vec![(FRONTMATTER, 7, "relations contain an unsupported key")]),
        ("  true: spec:a.c", vec![(FRONTMATTER, 7, "relations contain an unsupported key")]),
        (
            "  refines: spec:a.c\n  refines: spec:a.d",
            vec![(FRONTMATTER, 8, "relation \"refines\" is authored more than once")],
        ),
        ("  refines: []", vec![(FRONTMATTER, 7, "relation values must not be empty")]),
        ("  refines:", vec![(FRONTMATTER, 7, "Invalid ID \"\": missing namespace")]),
        ("  refines: {a: b}", vec![(FRONTMATTER, 7, "relation targets must be string scalars")]),
        (
            "  refines:\n    - 5\n    - [spec:a.c]",
            vec![
                (FRONTMATTER, 8, "relation targets must be string scalars"),
                (FRONTMATTER, 9, "relation targets must be string scalars"),
            ],
        ),
        ("  refines: pack:a", vec![(FRONTMATTER, 7, "relation target must use the spec namespace")]),
        (
            "  refines: spec:a.c#rule.k",
            vec![(FRONTMATTER, 7, "Invalid ID \"spec:a.c#rule.k\": an entry address is not a Spec id")],
        ),
        (
            "  refines:\n    - spec:a.c\n    - spec:a.d\n    - spec:a.c",
            vec![(FRONTMATTER, 10, "duplicate target within one relation type")],
        ),
        ("  refines: nope", vec![(FRONTMATTER, 7, "Invalid ID \"nope\": missing namespace")]),
    ];
    for (relations, expected) in cases {
        assert_findings(&with_line(6, &format!("relations:\n{relations}")), &expected);
    }
}

#[test]
fn relations_keep_their_authored_order() {
    let text =
        with_line(6, "relations:\n  verifies: spec:a.e\n  refines: [spec:a.q, spec:a.p, ]\n  dependsOn:\n  - spec:a.p");
    let expected = [
        (RelationType::Verifies, "spec:a.e".to_owned()),
        (RelationType::Refines, "spec:a.q".to_owned()),
        (RelationType::Refines, "spec:a.p".to_owned()),
        (RelationType::DependsOn, "spec:a.p".to_owned()),
    ];
    assert_eq!(document(&text).relations, expected);
}

#[test]
fn a_plain_scalar_is_a_string_unless_it_reads_as_null_boolean_or_number() {
    for typed in [
        "true", "FALSE", "null", "Null", "~", "0", "-12", "+3", "010", "1.10", "1.", ".5", "-.5", "1e3", "1.5E-7",
        ".5e+2", "0o17", "0xFf", "0X1f", "0O7", ".inf", "-.INF", "+.Inf", ".nan", ".NaN",
    ] {
        let message = "frontmatter field \"id\" must be a string scalar";
        assert_findings(&with_line(2, &format!("id: {typed}")), &[(FRONTMATTER, 2, message)]);
        let quoted = format!("Invalid ID \"{typed}\": missing namespace");
        assert_findings(&with_line(2, &format!("id: '{typed}'")), &[(INVALID_ID, 2, &quoted)]);
        assert_findings(&with_line(2, &format!("id: |-\n  {typed}")), &[(INVALID_ID, 2, &quoted)]);
    }
    for string in [
        "yes",
        "no",
        "on",
        "off",
        "2024-01-01",
        "1_000",
        "0o9",
        "0x",
        "0o",
        ".",
        "..",
        "1.2.3",
        "1e",
        "1e+",
        "e3",
        "+",
        "-.nan",
        "nan",
        "0b1",
        "1 2",
        "-0x1",
        "\u{0661}",
    ] {
        let message = format!("Invalid ID \"{string}\": ");
        let found = findings(&with_line(2, &format!("id: {string}")));
        assert!(found.len() == 1 && found[0].message.starts_with(&message), "{string}: {found:?}");
    }
    let message = "Invalid ID \"12:30\": namespace must be lowercase";
    assert_findings(&with_line(2, "id: 12:30"), &[(INVALID_ID, 2, message)]);
}

#[test]
fn scalars_may_be_written_in_every_yaml_style() {
    for id in
        ["spec:a.b # comment", "'spec:a.b'", "\"spec:a.\\x62\"", "|-\n  spec:a.b", ">-\n  spec:a.b\n", "\n  spec:a.b"]
    {
        assert_eq!(document(&with_line(2, &format!("id: {id}"))).id, "spec:a.b", "{id}");
    }
    let flow = "---\n{id: spec:a.b, kind: rule, altitude: story, readiness: ready, relations: {}}\n---\n# T";
    assert_eq!(document(flow).line, 2);
    assert_eq!(document(&with_line(2, "# comment\n\nid: spec:a.b")).line, 4);
}

#[test]
fn each_field_of_a_pack_is_refused_where_it_stands() {
    let cases: [(&str, Vec<Row<'_>>); 15] = [
        ("id: pack:p", vec![(FRONTMATTER, 1, "frontmatter field \"specs\" is missing")]),
        ("id: pack:p_q\nspecs: []", vec![(INVALID_ID, 2, "Invalid ID \"pack:p_q\": invalid path segment")]),
        (
            "id: pack:p#design.k\nspecs: []",
            vec![(
                INVALID_ID,
                2,
                "Invalid ID \"pack:p#design.k\": the # sub-part is an entry address and is admitted only in the spec namespace",
            )],
        ),
        ("id: pack:p\nspecs: spec:a.b", vec![(FRONTMATTER, 3, "frontmatter field \"specs\" must be a YAML list")]),
        ("id: pack:p\nspecs:\n  a: b", vec![(FRONTMATTER, 4, "frontmatter field \"specs\" must be a YAML list")]),
        (
            "id: pack:p\nspecs: []\nmodelRefs: ~",
            vec![(FRONTMATTER, 4, "frontmatter field \"modelRefs\" must be a YAML list")],
        ),
        ("id: pack:p\nspecs:\n  - 1", vec![(FRONTMATTER, 4, "specs entries must be string scalars")]),
        ("id: pack:p\nspecs:\n- spec:a.b\n- spec:a.b", vec![(FRONTMATTER, 5, "duplicate entry in specs")]),
        ("id: pack:p\nspecs: [pack:q]", vec![(INVALID_ID, 3, "specs entries must use the spec namespace")]),
        (
            "id: pack:p\nspecs: []\nmodelRefs: [doc:q]",
            vec![(INVALID_ID, 4, "modelRefs entries must use the spec namespace")],
        ),
        ("id: pack:p\nspecs: [nope]", vec![(INVALID_ID, 3, "Invalid ID \"nope\": missing namespace")]),
        (
            "id: pack:p\nspecs: [spec:a.b#ui.k]",
            vec![(INVALID_ID, 3, "Invalid ID \"spec:a.b#ui.k\": an entry address is not a Spec id")],
        ),
        ("id: pack:p\nspecs: []\ntitle: x", vec![(PROPERTY, 4, "frontmatter key \"title\" is not accepted")]),
        ("id: pack:p\nspecs: []\nkind: rule", vec![(PROPERTY, 4, "frontmatter key \"kind\" is not accepted")]),
        ("id: pack:p\nspecs: []\nbelongsTo: x", vec![(RESERVED, 4, "frontmatter key \"belongsTo\" is not accepted")]),
    ];
    for (front, expected) in cases {
        assert_findings(&format!("---\n{front}\n---\n# P\n"), &expected);
    }
}

#[test]
fn a_stage_with_findings_stops_the_next() {
    assert_findings(&(with_line(3, "kind: x") + "\n* a\n"), &[(ENVELOPE, 3, "kind is not a recognized spec kind")]);
}

#[test]
fn one_stage_keeps_ninety_nine_findings_and_the_limit() {
    let limit = "finding limit reached; additional findings suppressed";
    for (count, kept) in [(98, 98), (99, 99), (100, 100), (5_000, 100)] {
        let body = findings(&sections(&format!("## Intent\n\n{}", "- x\n".repeat(count))));
        let front = findings(&with_line(6, &format!("relations: {{refines: [{}]}}", "1, ".repeat(count))));
        for (found, id, message) in [
            (body, STRUCTURE, "Intent entries require a field name"),
            (front, FRONTMATTER, "relation targets must be string scalars"),
        ] {
            assert_eq!(found.len(), kept, "{count}");
            assert_eq!(found.iter().filter(|finding| finding.message == limit).count(), usize::from(count >= 100));
            if count >= 100 {
                assert_eq!((found[0].id.as_str(), found[0].line, found[0].message.as_str()), (id, Some(1), limit));
            }
            assert!(
                found
                    .iter()
                    .skip(1)
                    .all(|finding| finding.message == message || finding.message.starts_with("frontmatter"))
            );
        }
    }
}

#[test]
fn a_remedy_names_what_was_meant() {
    let remedy = |front: &str| {
        let text = format!("---\n{front}\n---\n# T\n");
        let findings = crate::carrier::markdown::read("a.sdp.md", &text).unwrap_err();
        findings.iter().map(|finding| finding.remedy().to_owned()).collect::<Vec<_>>()
    };
    let rest = "altitude: story\nreadiness: idea\nrelations: {}";
    assert_eq!(remedy(&format!("id: spec:a\nkind: behaviour\n{rest}")), ["did you mean `behavior`?"]);
    assert_eq!(
        remedy(&format!("id: spec:a\nkind: thing\n{rest}")),
        ["it is one of behavior, workflow, example, rule, constraint, model, decision, contract"]
    );
    assert_eq!(
        remedy("id: spec:a\nkind: rule\naltitute: story\nreadiness: idea\nrelations:\n  refine: spec:b"),
        ["add a line `altitude: …` to the frontmatter", "did you mean `altitude`?", "did you mean `refines`?"]
    );
    assert_eq!(
        remedy(&format!("id: spec:a\nkind: true\n{rest}")),
        ["write a plain word, or quote it: `kind: \"true\"`"]
    );
}
