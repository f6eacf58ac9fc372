//! The fields of Specs and Packs beside the sections.

use super::*;
use crate::model::{PackDocument, RelationType};

#[test]
fn the_fields_are_read_as_they_are_authored() {
    let read = one(&spec(
        "relations: [verifies(\"spec:c\"), refines(ref(\"spec:b\")), (refines(specId(\"spec:b\")) as object)],
title: \" T \", narrative: `a
b`",
    ));
    let targets: Vec<(RelationType, &str)> =
        read.relations.iter().map(|(relation, target)| (*relation, target.as_str())).collect();
    use RelationType::{Refines, Verifies};
    assert_eq!(targets, [(Verifies, "spec:c"), (Refines, "spec:b"), (Refines, "spec:b")]);
    assert_eq!((read.line, read.title.as_deref(), read.narrative.as_deref()), (2, Some(" T "), Some("a\nb")));
    assert!(read.sections.is_empty() && read.entries.is_empty());
}

#[test]
fn each_fault_of_an_envelope_is_said_at_its_own_line() {
    let text = format!(
        "{IMPORT}const a = spec({{
  id: \"spec:a_b\",
  kind: \"rules\",
  altitude:
    other,
  kind: \"rule\",
  relations: [
    {{ type: \"refines\" }},
    refines(),
    refines(
      \"pack:b\"),
    ...more,
    ,
  ],
}});\n"
    );
    assert_eq!(
        found(&text),
        [
            format!("error {ENVELOPE} 2 readiness"),
            "error extract/invalid-id 3 id".to_owned(),
            format!("error {ENVELOPE} 4 kind"),
            format!("error {ENVELOPE} 6 altitude"),
            format!("error {ENVELOPE} 7 kind"),
            format!("error {ENVELOPE} 9 relations[0]"),
            format!("error {ENVELOPE} 10 relations[1]"),
            "error extract/invalid-id 12 relations[2].target".to_owned(),
            format!("error {ENVELOPE} 13 relations[3]"),
            format!("error {ENVELOPE} 14 relations[4]"),
        ]
    );
    assert!(answer(&text).findings.iter().all(|finding| finding.subject.is_none()), "its id is none");
}

#[test]
fn nothing_is_called_missing_beside_an_entry_that_could_carry_it() {
    let of = |entries: &str| found(&format!("{IMPORT}const a = spec({{ {entries} }});\n"));
    let refused = format!("error {ENVELOPE} 2");
    for entry in ["...b", "id() {}", "get id() { return 1 }", "[id]: 1", "1: 2"] {
        assert_eq!(of(entry), [refused.as_str()], "{entry}");
    }
    let missing = |name: &str| format!("{refused} {name}");
    assert_eq!(of("id, kind"), [refused.clone(), refused.clone(), missing("altitude"), missing("readiness")]);
    assert_eq!(of("").len(), 4);
    for arguments in ["", "{}, {}", "b", "[]", "...b"] {
        assert_eq!(found(&format!("{IMPORT}const a = spec({arguments});\n")), [refused.as_str()], "{arguments}");
    }
}

#[test]
fn a_title_that_is_no_text_is_dropped_and_a_name_that_no_spec_has_too() {
    let text = spec("title: other, narrative: 1, specs: [], \"in tent\": {}");
    assert_eq!(
        found(&text),
        [
            format!("warning {SECTION} 3 title"),
            format!("warning {SECTION} 3 narrative"),
            format!("warning {PROPERTY} 3 specs"),
            format!("warning {PROPERTY} 3 in tent"),
        ]
    );
    assert_eq!(ids(&text), ["spec:a"]);
}

#[test]
fn what_only_the_engine_may_state_refuses_the_document() {
    for name in
        ["implemented", "\"has-verifier\"", "hasVerifier", "observed", "claim", "nodeType", "satisfies", "verifies"]
    {
        let plain = name.trim_matches('"');
        assert_eq!(found(&spec(&format!("{name}: 1"))), [format!("error {RESERVED} 3 {plain}")]);
        let pack = format!("{IMPORT}const p = pack({{ id: \"pack:p\", specs: [], {name}: 1 }});\n");
        assert_eq!(found(&pack), [format!("error {RESERVED} 2 {plain}")]);
        assert!(messages(&pack)[0].contains("(a pack states no truth of its own)"));
    }
    assert_eq!(found(&spec("description: \"d\"")), ["error extract/unowned-prose 3 description"]);
}

#[test]
fn a_pack_is_read_with_its_members_in_authored_order() {
    let text = format!(
        "{IMPORT}export const p = pack({{ id: packId(\"pack:p\"), specs: [\"spec:b\", ref(\"spec:a\"), \"spec:b\"], modelRefs: [], title: \"P\", framing: \"F\" }});\n"
    );
    let Read { documents, findings, .. } = answer(&text);
    assert_eq!(findings, []);
    let expected = PackDocument {
        id: "pack:p".to_owned(),
        line: 2,
        title: Some("P".to_owned()),
        framing: Some("F".to_owned()),
        members: ["spec:b", "spec:a", "spec:b"].map(str::to_owned).to_vec(),
        model_refs: Some(Vec::new()),
    };
    assert_eq!(documents, [Document::Pack(expected)]);
    let text = format!(
        "{IMPORT}const p = pack({{ id: \"spec:p\", specs: [\n\"impl:b\",\nx, ...y], modelRefs: z, kind: 1 }});\n"
    );
    assert_eq!(
        found(&text),
        [
            "error extract/invalid-id 2 id".to_owned(),
            "error extract/invalid-id 3 specs[0]".to_owned(),
            format!("error {ENVELOPE} 4 specs[1]"),
            format!("error {ENVELOPE} 4 specs[2]"),
            format!("error {ENVELOPE} 4 modelRefs"),
            format!("warning {PROPERTY} 4 kind"),
        ]
    );
    let of = |entries: &str| found(&format!("{IMPORT}const p = pack({{ {entries} }});\n"));
    assert_eq!(of(""), [format!("error {ENVELOPE} 2 id"), format!("error {ENVELOPE} 2 specs")]);
}

#[test]
fn an_id_builder_around_no_string_is_said_in_the_words_for_what_stands_there() {
    let of = |argument: &str| {
        let text = format!("{IMPORT}const p = pack({{ id: \"pack:p\", specs: [\nref({argument})] }});\n");
        let Read { findings, .. } = answer(&text);
        let [finding] = &findings[..] else { panic!("{findings:?}") };
        (finding.line.unwrap(), finding.message.replace(crate::typescript::STATIC_GRAMMAR, "STATIC"))
    };
    let said = |line, why: &str| (line, format!("envelope field \"specs[0]\" did not reify: {why}"));
    assert_eq!(of("\nSPEC"), said(4, "Identifier STATIC"));
    assert_eq!(of("(`spec:${a}`)"), said(3, "TemplateExpression STATIC"));
    assert_eq!(of("...a"), said(3, "SpreadElement STATIC"));
    for arguments in ["", "\"spec:a\", 1", "\n...a, ...b"] {
        assert_eq!(of(arguments), said(3, "id builder must wrap exactly one string literal"), "{arguments}");
    }
}
