//! The attributes of `sdp-anchors` are checked twice: by the compiler, with a grammar that may use no crate, and by the engine.
//! Here both judge the same anchors, and then the same source: what one refuses the other refuses, at the same place and in the
//! same words.

#[path = "../../../crates/sdp-anchors/src/grammar.rs"]
mod grammar;
#[path = "../../../crates/sdp-anchors/src/ids.rs"]
mod ids;

use std::collections::BTreeSet;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use sdp_core::anchor::envelope::{self, RawAnchor, RawField};
use sdp_core::anchor::rust::{self, FilePlace};
use sdp_core::model::parse_slot_id;

use grammar::{Attribute, Field, Refusal, Stated, Value};

const ATTRIBUTES: [Attribute; 5] =
    [Attribute::Satisfies, Attribute::Verifies, Attribute::Models, Attribute::Component, Attribute::Anchor];

fn same_id(value: &str) {
    let ours = ids::parse_slot_id(value).map_err(|error| format!("Invalid ID \"{}\": {}", error.shown, error.reason));
    assert_eq!(ours, parse_slot_id(value).map_err(|error| error.to_string()), "{value:?}");
}

#[test]
fn both_take_the_same_ids() {
    let letters = ['a', 'Z', '1', '-', '.', ':', '#', '_'];
    let mut texts = vec![String::new()];
    for _ in 0..5 {
        let longer = texts.iter().flat_map(|text| letters.map(|letter| format!("{text}{letter}")));
        let longer: Vec<String> = longer.collect();
        texts.iter().for_each(|text| same_id(text));
        texts = longer;
    }
    for entry in
        ["", "rule", "rule.", "rule.a", "ui.aB1", "design.A", "question.a-b", "terms.a", "rule.a.b", "rule.a#b"]
    {
        for opening in ["spec:a#", "impl:a#", "spec:#", "spec:a_#", "#"] {
            same_id(&format!("{opening}{entry}"));
        }
    }
    for white in ['\u{85}', '\u{FEFF}', '\u{A0}', '\u{2028}', '\u{200B}', '\u{3000}', '\0', 'é', '\u{1F600}'] {
        same_id(&format!("spec:a{white}"));
        same_id(&format!("{white}spec:a"));
    }
    for length in [506, 507, 508, 4000] {
        same_id(&format!("spec:{}", "a".repeat(length)));
        same_id(&format!("spec:{}é", "a".repeat(length)));
    }
}

/// Ids of every sort, and texts that are none.
fn id() -> impl Strategy<Value = String> {
    let namespace = select(vec!["spec", "impl", "api", "component", "test", "oracle", "pack", "Spec", ""]);
    let path = prop_oneof![4 => "[a-c](\\.[ab])?", 1 => "[a-c_.#:é -]{0,4}"];
    let long = (500_usize..520).prop_map(|length| format!("spec:{}", "x".repeat(length)));
    let near = (namespace, path).prop_map(|(namespace, path)| format!("{namespace}:{path}"));
    prop_oneof![3 => select(vec!["spec:a", "spec:b", "impl:a", "api:b", "component:a"]).prop_map(str::to_owned), 3 => near, 1 => any::<String>(), 1 => long]
}

fn word() -> impl Strategy<Value = String> {
    let known =
        select(vec!["edge", "domain", "domian", "adapter", "sales", "a-1", "A", "1a", ""]).prop_map(str::to_owned);
    let long = (190_usize..210).prop_map(|length| "é".repeat(length));
    prop_oneof![4 => known, 1 => any::<String>(), 1 => long]
}

/// A field and its values, as many as the attributes let it have.
fn field() -> impl Strategy<Value = (Field, Vec<String>)> {
    select(Field::ALL.to_vec()).prop_flat_map(|field| {
        let values = match field {
            Field::Satisfies | Field::Verifies | Field::Uses | Field::References => vec(id(), 0..4).boxed(),
            Field::Id | Field::Models | Field::Component => vec(id(), 1).boxed(),
            Field::Label | Field::Role | Field::Layer | Field::Context => vec(word(), 1).boxed(),
        };
        (Just(field), values)
    })
}

/// The refusals of the compiler, and those of the engine, each as its line and message, sorted.
fn judged(attribute: Attribute, fields: &[(Field, Vec<String>)]) -> [Vec<(u32, String)>; 2] {
    let mut lines = 2..;
    let mut line = || lines.next().unwrap_or_default();
    let stated: Vec<Stated<u32>> = fields
        .iter()
        .map(|(field, values)| Stated {
            field: *field,
            place: line(),
            values: values.iter().map(|text| Value { text: Some(text.clone()), place: line() }).collect(),
        })
        .collect();
    let derived = format!("{}:a.derived", attribute.derived_namespace());
    let raw_field = |stated: &Stated<u32>| RawField {
        field: *envelope::Field::ALL.iter().find(|field| field.as_str() == stated.field.as_str()).unwrap(),
        line: stated.place,
        values: stated.values.iter().map(|value| (value.text.clone().unwrap(), value.place)).collect(),
    };
    let mut raw: Vec<RawField> = stated.iter().map(raw_field).collect();
    if !fields.iter().any(|(field, _)| *field == Field::Id) {
        raw.push(RawField { field: envelope::Field::Id, line: 1, values: vec![(derived.clone(), 1)] });
    }
    let refusals = grammar::refusals(attribute, &stated, 1, &derived);
    for Refusal { help, .. } in &refusals {
        assert!(!help.is_empty(), "each says what to write");
    }
    let ours = refusals.into_iter().map(|Refusal { place, message, .. }| (place, message));
    let read = envelope::read("src/a.rs", RawAnchor { line: 1, fields: raw, ..RawAnchor::default() });
    let theirs = read.err().into_iter().flatten().map(|finding| (finding.line.unwrap(), finding.message));
    let mut both = [ours.collect(), theirs.collect::<Vec<_>>()];
    both.iter_mut().for_each(|refusals| refusals.sort());
    both
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn both_refuse_the_same_anchors_in_the_same_words(
        attribute in select(ATTRIBUTES.to_vec()),
        fields in vec(field(), 0..6),
    ) {
        let [ours, theirs] = judged(attribute, &fields);
        let id = fields.iter().find(|(field, _)| *field == Field::Id).map(|(_, values)| parse_slot_id(&values[0]));
        match id {
            // Which anchors an attribute may be is a matter of the attribute.
            Some(Ok(namespace)) if !attribute.namespaces().contains(&namespace) => prop_assert!(!ours.is_empty()),
            // Without an id the engine does not know what else to ask for; the compiler does.
            Some(Err(_)) => prop_assert!(!theirs.is_empty() && theirs.iter().all(|refusal| ours.contains(refusal))),
            _ => prop_assert_eq!(ours, theirs),
        }
    }
}

#[test]
fn what_only_the_compiler_says_is_in_the_words_of_the_engine() {
    for attribute in ATTRIBUTES {
        let missing = grammar::missing_id(attribute, "an `impl` block has no name", 1_u32);
        let read = envelope::read("src/a.rs", RawAnchor { line: 1, ..RawAnchor::default() });
        assert_eq!(missing.message, read.unwrap_err()[0].message);
        let unknown = grammar::unknown_name(attribute, "lable", 1_u32);
        assert_eq!(unknown.help, "did you mean `label`?");
        let other = if attribute == Attribute::Verifies { Field::Models } else { Field::Verifies };
        let [ours, _] = judged(attribute, &[(other, vec!["spec:a".to_owned()])]);
        let outside = unknown.message.replace("lable", other.as_str());
        assert!(ours.contains(&(2, outside)), "{}: {ours:?}", attribute.as_str());
    }
}

#[test]
fn both_take_the_same_fields_by_name_and_as_a_list() {
    let place =
        FilePlace { package: Some("shop".to_owned()), crate_names: vec!["sdp".to_owned()], ..FilePlace::default() };
    let is_taken = |field: Field, value: &str| {
        let id = if field == Field::Id { "" } else { "id = \"component:a\", " };
        let text = format!("#[sdp::satisfies(\"spec:a\", {id}{} = {value})]\nfn a() {{}}\n", field.as_str());
        let read = rust::read("a.rs", &text, &place);
        assert_eq!(read.anchors.len() + read.findings.len(), 1, "{text}: {:?}", read.findings);
        read.findings.is_empty()
    };
    for field in Field::ALL.iter().copied() {
        let value = match field {
            Field::Id => "component:b",
            Field::Label | Field::Role | Field::Context => "sales",
            Field::Layer => "domain",
            Field::Satisfies | Field::Verifies | Field::Models | Field::References => "spec:b",
            Field::Component => "component:b",
            Field::Uses => "impl:b",
        };
        assert_eq!(is_taken(field, &format!("\"{value}\"")), !field.is_positional(), "{}", field.as_str());
        assert_eq!(is_taken(field, &format!("[\"{value}\", \"{value}-c\"]")), field.takes_list(), "{}", field.as_str());
    }
}

/// Lines and messages of what the compiler says of a file, as its test saves it.
fn said_by_the_compiler(saved: &str) -> BTreeSet<(u32, String)> {
    let errors = saved.split("error: ").skip(1);
    errors
        .map(|error| {
            let (message, behind) = error.split_once('\n').unwrap();
            let place = behind.split("--> ").nth(1).unwrap();
            (place.split(':').nth(1).unwrap().parse().unwrap(), message.to_owned())
        })
        .collect()
}

#[test]
#[sdp::verifies("spec:sdp.anchors.attributes")]
fn both_refuse_the_same_lines_of_the_same_source() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/sdp-anchors/tests/ui/fail");
    let place = FilePlace {
        package: Some("ui".to_owned()),
        crate_names: vec!["sdp_anchors".to_owned()],
        ..FilePlace::default()
    };
    for file in ["arguments.rs", "values.rs"] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let saved = std::fs::read_to_string(folder.join(file).with_extension("stderr")).unwrap();
        let compiler = said_by_the_compiler(&saved);
        // The compiler does not know the id that follows from a place.
        let findings = rust::read(file, &text, &place).findings.into_iter();
        let engine: BTreeSet<(u32, String)> = findings
            .map(|finding| (finding.line.unwrap(), finding.message.replace("\"impl:ui.vocabulary\"", "\"impl:…\"")))
            .collect();
        let other: Vec<_> = engine.difference(&compiler).collect();
        assert!(other.is_empty(), "{file}: {other:#?}");
        // The compiler goes on where the id is none; the engine does not know then what the anchor may be.
        let is_without_id = |line: u32| engine.iter().any(|(own, message)| *own == line && message.contains("\"id\""));
        let hidden: Vec<_> = compiler.difference(&engine).filter(|(line, _)| !is_without_id(*line)).collect();
        assert!(hidden.is_empty(), "{file}: {hidden:#?}");
    }
}
