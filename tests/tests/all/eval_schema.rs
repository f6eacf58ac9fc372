//! The reader of evaluation contracts against two schemas: the published one that is saved beside the corpora, and the one that
//! the declarations give. Contracts and seeded mutations of them come in; the three judge each alike, and whatever is read can be
//! compiled and sealed without a panic.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use sdp_eval::compile::{CompileOptions, compile};
use sdp_eval::contract::{EVAL_CONTRACT_SCHEMA_VERSION, EvalContract};
use sdp_eval::document;
use sdp_eval::fault::RuntimeCode;
use sdp_eval::seal::seal;
use serde_json::{Map, Value, json};

use crate::corpora::corpora;

/// How many mutations of a contract there are, unless `SDP_MUTATIONS` asks for more of all together.
const MUTATIONS: usize = 500;

/// A contract that has every shape: each operator, each kind of interface and of input, and nothing that compiling would like.
const EVERY_SHAPE: &str = include_str!("../../../crates/sdp-eval/tests/every-shape.json");

/// Words that some place or other wants, and texts that nearly have a form.
#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "", " ", "a", "a-b", "A", "a_b", "-", "a-", "x\n", "é", "api", "web", "mcp", "cli", "raw", "json", "text",
    "absent", "stream", "artifact", "structured-result", "exact", "at-most", "page-bounded", "any",
    "type-violating", "stdout", "stderr", "stdin", "body", "arguments", "equality", "deep-equality", "containment",
    "existence", "absence", "regex", "set-membership", "ordering", "count-tolerance", "shape", "covers-by-key",
    "all", "not", "for-all", "for-any", "ascending", "descending", "expects-hold", "expects-violation", "low",
    "critical", "string", "null", "GET", "get", "/", "/a/{b}", "/a/:b", "/a/{b", "/a/~2", "/a~1", "~", "@/", "@/a",
    "@", "/interactions/a/response-body", "/interactions/a/response-body/x/", "/interactions/a/response-status/x",
    "/interactions/a/call-inputs/header/x", "/interactions/a/call-inputs", "/interactions/a/artifact/log",
    "/interactions//stdout", "^a$", "^$", "^", "a$", "AAAA", "AA==", "AB==", "AAA=", "AAB=", "text/plain",
    "text/plain; q=\"a\\\"\"", "text/plain;", "0", "00", "0.5", "1.", "-1", "B-001", "B-01", "O-001", "W-001",
    "R-001", "RC-001", "2024-02-29T00:00:00Z", "2023-02-29T00:00:00Z", "2024-01-01T24:00Z", "2024-01-01T23:59Z",
    "2024-01-01T00:00:00.5Z", "2024-01-01T00:00:00+00:00", "original-spec", "human-labels",
    "sha256:0000000000000000000000000000000000000000000000000000000000000000", "sha256:00", "success-indicator",
    "collection",
];

/// A seeded sequence (SplitMix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound.max(1)).unwrap()).unwrap()
    }

    fn of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

/// The pointers of every value below and including one.
fn places(value: &Value, pointer: &str, into: &mut Vec<String>) {
    into.push(pointer.to_owned());
    match value {
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                places(element, &format!("{pointer}/{index}"), into);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                places(member, &format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), into);
            }
        }
        _ => {}
    }
}

/// A text with one character more, less or other.
fn nearly(text: &str, dice: &mut Dice) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let strange = *dice.of(&[
        '/', '~', '-', '0', 'a', 'A', '.', '\n', ' ', '"', '\\', '{', '}', '$', '^', 'Z', 'é', '٣', '\u{2028}', '=',
    ]);
    let at = dice.below(characters.len() + 1);
    match dice.below(3) {
        0 => characters.insert(at, strange),
        1 if at < characters.len() => characters[at] = strange,
        _ if at < characters.len() => drop(characters.remove(at)),
        _ => characters.push(strange),
    }
    characters.into_iter().collect()
}

/// A value that nobody expects.
fn strange(dice: &mut Dice) -> Value {
    match dice.below(12) {
        0 => Value::Null,
        1 => json!(dice.below(2) == 0),
        2 => json!(dice.below(9)),
        3 => json!(7.0),
        4 => json!(-1),
        5 => json!(1.5),
        6 => json!(9_007_199_254_740_991_i64),
        7 => json!([]),
        8 => json!({}),
        9 => {
            json!({ "kind": "raw", "base64": dice.of(TEXTS), "contentType": dice.of(&["text/plain", "text", "a/b;c=d"]) })
        }
        10 => {
            json!({ *dice.of(&["literal", "matcher", "captured", "principal", "pointer", "referenceSet"]): dice.of(TEXTS) })
        }
        _ => json!(dice.of(TEXTS)),
    }
}

/// Changes one value in one way, and says how.
fn mutate(contract: &mut Value, places: &[String], dice: &mut Dice) -> String {
    let place = dice.of(places);
    let other = dice.of(places);
    let donor = contract.pointer(other).cloned().unwrap_or(Value::Null);
    let way = dice.below(14);
    let Some(value) = contract.pointer_mut(place) else { return String::new() };
    let said = |what: &str| format!("{what} at {place}");
    match (way, &mut *value) {
        (0 | 1, Value::Object(members)) if !members.is_empty() => {
            let key = members.keys().nth(dice.below(members.len())).unwrap().clone();
            members.shift_remove(&key);
            said(&format!("no {key}"))
        }
        (2, Value::Object(members)) => {
            members.insert((*dice.of(&["extra", "kind", "value", "", "op"])).to_owned(), strange(dice));
            said("one key more")
        }
        (3, Value::Object(members)) if !members.is_empty() => {
            let key = members.keys().nth(dice.below(members.len())).unwrap().clone();
            let renamed = nearly(&key, dice);
            let member = members.shift_remove(&key).unwrap();
            members.insert(renamed.clone(), member);
            said(&format!("{key} named {renamed}"))
        }
        (4, Value::Object(members)) => {
            if let Value::Object(more) = donor {
                members.extend(more);
            }
            said(&format!("with the keys of {other}"))
        }
        (0 | 2, Value::Array(elements)) if !elements.is_empty() => {
            let at = dice.below(elements.len());
            elements.remove(at);
            said("one less")
        }
        (1 | 3, Value::Array(elements)) => {
            let more = if dice.below(2) == 0 { donor } else { elements.first().cloned().unwrap_or(donor) };
            elements.insert(dice.below(elements.len() + 1), more);
            said("one more")
        }
        (4, Value::Array(elements)) => {
            elements.clear();
            said("none")
        }
        (5, Value::Array(elements)) => {
            for _ in 0..6 {
                elements.extend_from_within(..elements.len().min(20));
            }
            said("many")
        }
        (0..=4, Value::String(text)) => {
            *text = nearly(text, dice);
            said("nearly")
        }
        (5 | 6, Value::String(text)) => {
            *text = (*dice.of(TEXTS)).to_owned();
            said("another text")
        }
        (0..=3, Value::Number(_)) => {
            *value =
                dice.of(&[json!(7.0), json!(0), json!(-0.0), json!(-1), json!(2.5), json!("1"), json!(1e3)]).clone();
            said("another number")
        }
        (6, _) => {
            *value = donor;
            said(&format!("what {other} is"))
        }
        (7, _) => {
            *value = Value::Null;
            said("null")
        }
        (8, _) => {
            let inner = value.take();
            *value = match dice.below(4) {
                0 => json!({ "op": "not", "operands": [inner] }),
                1 => json!({ "op": "all", "operands": [inner.clone(), inner] }),
                2 => json!({ "op": "any", "operands": [inner] }),
                _ => json!({ "op": "for-all", "collection": { "pointer": "@/a" }, "predicate": inner }),
            };
            said("a node around it")
        }
        (9, _) => {
            *value = json!([value.take()]);
            said("a list around it")
        }
        _ => {
            *value = strange(dice);
            said("something strange")
        }
    }
}

/// Whether two values are the same but for the spelling of numbers.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, value)| right.get(key).is_some_and(|other| same(value, other)))
        }
        _ => left == right,
    }
}

/// The judges of one kind of document.
struct Judges {
    /// The published schema, where it is there, and ours.
    schemas: Vec<(&'static str, Validator)>,
}

impl Judges {
    fn of(saved: Option<&Path>) -> Self {
        let ours = document::schema::<EvalContract>();
        let mut schemas = vec![("ours", ours)];
        if let Some(path) = saved {
            schemas.push(("saved", serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()));
        }
        let compiled = |(name, schema): (_, Value)| {
            assert!(jsonschema::meta::is_valid(&schema), "{name}");
            (name, jsonschema::draft202012::new(&schema).unwrap())
        };
        Self { schemas: schemas.into_iter().map(compiled).collect() }
    }

    /// Whether the contract is valid, of which all are sure; nothing where it is no JSON that has one canonical form.
    fn verdict(&self, contract: &mut Value, what: &str) -> Option<bool> {
        let read = loop {
            let read = document::read::<EvalContract>(&serde_json::to_vec(contract).unwrap());
            match &read {
                Err(fault) if fault.code == RuntimeCode::NonCanonicalizableValue => return None,
                Err(fault) if fault.code == RuntimeCode::SchemaVersionMismatch => {
                    contract["schemaVersion"] = json!(EVAL_CONTRACT_SCHEMA_VERSION);
                }
                _ => break read,
            }
        };
        for (name, schema) in &self.schemas {
            let faults = || -> Vec<String> {
                schema
                    .iter_errors(contract)
                    .take(3)
                    .map(|fault| format!("{} {fault:.200}", fault.instance_path()))
                    .collect()
            };
            match &read {
                Ok(_) => assert!(schema.is_valid(contract), "{what}: read, but {name} says {:#?}", faults()),
                Err(fault) => {
                    assert!(!schema.is_valid(contract), "{what}: {name} accepts, but {fault}\n{}", fault.issues);
                }
            }
        }
        match read {
            Ok(read) => {
                assert!(same(&serde_json::to_value(&read.artifact).unwrap(), contract), "{what}: written back");
                for strict_inputs in [true, false] {
                    // What it says is for other tests; here it says something.
                    let _ = compile(&read.artifact, CompileOptions { strict_inputs });
                }
                let _ = seal(&read);
                Some(true)
            }
            Err(fault) => {
                let told = fault.issues.told().len();
                assert_eq!(fault.code, RuntimeCode::SchemaParseFailure, "{what}");
                assert!(told > 0 && told <= 20 && told <= fault.issues.count(), "{what}");
                Some(false)
            }
        }
    }
}

/// Judges every contract and mutations of it; says how many were valid, invalid and neither.
fn judge(judges: &Judges, contracts: &BTreeMap<String, Value>) -> [usize; 3] {
    let asked = std::env::var("SDP_MUTATIONS").ok().map_or(0, |count| count.parse::<usize>().unwrap());
    let mutations = MUTATIONS.max(asked.div_ceil(contracts.len().max(1)));
    let mut counts = [0; 3];
    for (name, contract) in contracts {
        assert_eq!(judges.verdict(&mut contract.clone(), name), Some(true), "{name}");
        let mut pointers = Vec::new();
        places(contract, "", &mut pointers);
        let mut dice = Dice(name.bytes().fold(7, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into())));
        for mutation in 0..mutations {
            let mut mutated = contract.clone();
            let mut what = format!("{name}, mutation {mutation}");
            for _ in 0..=dice.below(3) / 2 {
                what = format!("{what}; {}", mutate(&mut mutated, &pointers, &mut dice));
            }
            let verdict = catch_unwind(AssertUnwindSafe(|| judges.verdict(&mut mutated, &what)));
            let verdict = verdict.unwrap_or_else(|_| panic!("{what}"));
            counts[verdict.map_or(2, |valid| usize::from(!valid))] += 1;
        }
    }
    println!("{} contracts: valid, invalid, without canonical form: {counts:?}", contracts.len());
    counts
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_reader_and_both_schemas_judge_the_corpora_and_mutations_of_them_alike() {
    let Some(corpora) = corpora() else { return };
    let folder = corpora.join("evaluation");
    let mut contracts = BTreeMap::new();
    for file in std::fs::read_dir(folder.join("contracts")).unwrap() {
        let path = file.unwrap().path();
        contracts.insert(path.file_name().unwrap().to_str().unwrap().to_owned(), read(&path));
    }
    contracts.insert("walkthrough".to_owned(), read(&folder.join("walkthrough/contract.json")));
    assert_eq!(contracts.len(), 25);
    let judges = Judges::of(Some(&folder.join("schemas/eval-contract.schema.json")));
    let [valid, invalid, neither] = judge(&judges, &contracts);
    // A mutation that nobody minds, and one that everybody minds, are both worth having.
    assert!(
        valid > contracts.len() * 20 && invalid > contracts.len() * 200 && neither < valid,
        "{valid} {invalid} {neither}"
    );
}

#[test]
fn the_reader_and_our_schema_judge_every_shape_alike() {
    let whole: Value = serde_json::from_str(EVERY_SHAPE).unwrap();
    let saved: Option<PathBuf> = corpora().map(|corpora| corpora.join("evaluation/schemas/eval-contract.schema.json"));
    let judges = Judges::of(saved.as_deref());
    // Each value of it taken away, and each made null.
    let mut pointers = Vec::new();
    places(&whole, "", &mut pointers);
    for pointer in pointers.iter().filter(|pointer| !pointer.is_empty()) {
        let mut without = whole.clone();
        *without.pointer_mut(pointer).unwrap() = Value::Null;
        judges.verdict(&mut without, &format!("null at {pointer}"));
        let (above, key) = pointer.rsplit_once('/').unwrap();
        let mut without = whole.clone();
        match without.pointer_mut(above).unwrap() {
            Value::Object(members) => drop(members.shift_remove(&key.replace("~1", "/").replace("~0", "~"))),
            Value::Array(elements) => drop(elements.remove(key.parse().unwrap())),
            _ => unreachable!("{above}"),
        }
        judges.verdict(&mut without, &format!("nothing at {pointer}"));
    }
    let contracts = (0..4).map(|seed| (format!("every shape{}", "+".repeat(seed)), whole.clone())).collect();
    let [valid, invalid, _] = judge(&judges, &contracts);
    assert!(valid > 20 && invalid > 500, "{valid} {invalid}");
}

#[test]
fn every_shape_is_there() {
    /// The words and keys that the schema tells alternatives apart by, with how often each stands in the document.
    fn count(value: &Value, counts: &mut BTreeMap<String, usize>) {
        match value {
            Value::Array(elements) => elements.iter().for_each(|element| count(element, counts)),
            Value::Object(members) => {
                for (key, member) in members {
                    *counts.entry(key.clone()).or_default() += 1;
                    if let Value::String(word) = member {
                        *counts.entry(format!("{key}={word}")).or_default() += 1;
                    }
                    count(member, counts);
                }
            }
            _ => {}
        }
    }
    /// Every key that the schema declares, and every word of a tag.
    fn wanted(schema: &Value, into: &mut Vec<String>) {
        match schema {
            Value::Array(schemas) => schemas.iter().for_each(|schema| wanted(schema, into)),
            Value::Object(members) => {
                for (key, member) in members.get("properties").and_then(Value::as_object).unwrap_or(&Map::new()) {
                    into.push(member["const"].as_str().map_or_else(|| key.clone(), |word| format!("{key}={word}")));
                }
                members.values().for_each(|schema| wanted(schema, into));
            }
            _ => {}
        }
    }
    let mut counts = BTreeMap::new();
    count(&serde_json::from_str(EVERY_SHAPE).unwrap(), &mut counts);
    let mut keys = Vec::new();
    wanted(&document::schema::<EvalContract>(), &mut keys);
    let missing: Vec<&String> = keys.iter().filter(|key| !counts.contains_key(*key)).collect();
    assert!(missing.is_empty() && keys.len() > 100, "{missing:?}");
}
