//! The JSON Schema of the configuration and its parser hold each other: what the one accepts, the other accepts.

use std::fmt::Write as _;

use sdp_core::config::{JSON_SCHEMA, LoadError, RootRequest, load_all};
use serde_json::{Value, json};

/// A value in TOML, on one line.
fn toml(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(key, value)| format!("{} = {}", json!(key), toml(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Value::Array(elements) => format!("[{}]", elements.iter().map(toml).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// What the parser says of a sample; none where it names a key that it does not know yet.
fn parsed(sample: &Value) -> Option<Result<(), String>> {
    let mut text = String::new();
    for (key, value) in sample.as_object().unwrap() {
        writeln!(text, "{} = {}", json!(key), toml(value)).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sdp.toml"), &text).unwrap();
    for (key, value) in sample.as_object().unwrap() {
        // The parser wants the folders of roots to be there.
        for root in value.as_array().into_iter().flatten().filter(|_| key == "roots") {
            if let Some(path) = root["path"].as_str() {
                let _ = std::fs::create_dir_all(folder.path().join(path));
            }
        }
    }
    match load_all(&RootRequest { root: Some(folder.path()), cwd: folder.path() }) {
        Ok(_) => Some(Ok(())),
        Err(LoadError::Invalid { findings, .. }) => {
            let said: Vec<String> = findings.into_iter().map(|finding| finding.message).collect();
            assert!(!said.iter().any(|line| line.contains("is not TOML")), "{text}: {said:?}");
            let is_later = said.iter().any(|line| line.ends_with("is not supported yet"));
            (!is_later || sample.get("link-base").is_some()).then(|| Err(said.join("; ")))
        }
        Err(error) => panic!("{error}"),
    }
}

/// Samples that both accept, then samples that both refuse.
fn samples() -> [Vec<Value>; 2] {
    let rule = |more: Value| {
        let mut rule = json!({ "name": "n" });
        rule.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "rules": [rule] })
    };
    let params = |params: Value| rule(json!({ "recipe": 26, "params": params }));
    let language = |language: Value| json!({ "comment-languages": [language] });
    let waiver = |key: &str, value: Value| {
        let mut waiver = json!({ "rule": "rule::x", "subject": "spec:a", "reason": "r", "expires": "2027-01-31" });
        waiver[key] = value;
        json!({ "waivers": [waiver] })
    };
    let accepted = vec![
        json!({}),
        json!({ "exclude": [] }),
        json!({ "exclude": ["a", "a/b", "a/./b", "C:", " ", "*", ".a", "..a"] }),
        json!({ "rule-globs": ["rules/**/*.sdp.js", "a/*.js"] }),
        json!({ "contracts": [] }),
        json!({ "contracts": ["evals/**/*.contract.json", "a.json"] }),
        json!({ "limits": {} }),
        json!({ "limits": { "time": 0.001, "memory": 1 } }),
        json!({ "limits": { "time": 3600, "memory": 16384 } }),
        json!({ "severity": { "warnings": "deny", "conformance": "warn", "honesty/gaps": "allow" } }),
        json!({ "out-dir": "../o" }),
        language(json!({ "endings": ["jutso"], "like": "rust" })),
        language(
            json!({ "names": ["Foofile"], "line": ["--"], "block": [["{-", "-}"]], "nested": true, "strings": ["'"] }),
        ),
        json!({ "typescript": {} }),
        json!({ "typescript": { "trusted": ["@acme/sdp", "src/ids.ts"] } }),
        rule(json!({ "body": "a.sdp.js" })),
        rule(json!({ "body": "node_modules/@acme/rules/a.sdp.js", "severity": "warning", "description": "d" })),
        rule(json!({ "body": "dependency:acme-rules/a/b.sdp.js" })),
        rule(json!({ "recipe": 1, "severity": "error" })),
        params(json!({})),
        params(json!({ "a": [1, { "b": true }], "__proto__": "x" })),
        params(json!("@p.json")),
        params(json!("limits=@../p.json")),
        params(json!(["@p.json", { "a": 1 }, "limits=@p.json"])),
        params(json!([])),
        json!({ "roots": [{ "path": "a" }, { "path": "b/c", "name": "web" }] }),
        json!({ "waivers": [] }),
        waiver("rule", json!("conformance/orphans")),
        json!({ "baseline": "sdp-baseline.txt" }),
    ];
    let refused = vec![
        json!({ "exlude": [] }),
        json!({ "link-base": "a" }),
        json!({ "contracts": "a" }),
        json!({ "contracts": [""] }),
        json!({ "contracts": ["/abs"] }),
        json!({ "contracts": ["../a"] }),
        json!({ "contracts": [1] }),
        json!({ "exclude": "a" }),
        json!({ "exclude": [1] }),
        json!({ "exclude": [""] }),
        json!({ "exclude": ["."] }),
        json!({ "exclude": ["./a"] }),
        json!({ "exclude": ["/a"] }),
        json!({ "exclude": ["a/"] }),
        json!({ "exclude": ["a//b"] }),
        json!({ "exclude": ["a/../b"] }),
        json!({ "exclude": ["C:/a"] }),
        json!({ "exclude": ["a\\b"] }),
        json!({ "rule-globs": ["/abs"] }),
        json!({ "rule-globs": ["../a"] }),
        json!({ "rule-globs": [""] }),
        json!({ "limits": { "time": 0 } }),
        json!({ "limits": { "time": 3601 } }),
        json!({ "limits": { "time": "1" } }),
        json!({ "limits": { "memory": 1.5 } }),
        json!({ "limits": { "memory": 16385 } }),
        json!({ "limits": { "tme": 1 } }),
        json!({ "limits": 1 }),
        json!({ "severity": { "conformance/orphan": "deny" } }),
        json!({ "severity": { "warnings": "error" } }),
        json!({ "severity": { "warnings": 1 } }),
        json!({ "out-dir": "" }),
        json!({ "out-dir": " " }),
        json!({ "out-dir": "a\nb" }),
        language(json!({ "endings": ["a"] })),
        language(json!({ "like": "C" })),
        language(json!({ "endings": [], "like": "C" })),
        language(json!({ "endings": ["a/b"], "like": "C" })),
        language(json!({ "endings": ["a"], "like": "C", "line": ["#"] })),
        language(json!({ "endings": ["a"], "line": ["# "] })),
        language(json!({ "endings": ["a"], "block": [["(*"]] })),
        language(json!({ "endings": ["a"], "line": ["#"], "nested": 1 })),
        language(json!({ "endings": ["a"], "line": ["#"], "string": [] })),
        json!({ "typescript": { "trusted": ["../a"] } }),
        json!({ "typescript": { "trusted": ["a", "a"] } }),
        json!({ "typescript": { "trusted": [""] } }),
        json!({ "typescript": { "trusted": ["@libar-dev/software-delivery-protocol"] } }),
        json!({ "typescript": { "trust": [] } }),
        json!({ "rules": {} }),
        json!({ "rules": [1] }),
        json!({ "rules": [{ "recipe": 1 }] }),
        rule(json!({})),
        rule(json!({ "body": "a.js", "recipe": 1 })),
        rule(json!({ "name": " padded", "recipe": 1 })),
        rule(json!({ "name": "a\nb", "recipe": 1 })),
        rule(json!({ "name": "", "recipe": 1 })),
        rule(json!({ "body": "../a.js" })),
        rule(json!({ "body": "./a.js" })),
        rule(json!({ "body": "a/./b.js" })),
        rule(json!({ "body": "/a.js" })),
        rule(json!({ "body": "a//b.js" })),
        rule(json!({ "body": "" })),
        rule(json!({ "body": "dependency:a" })),
        rule(json!({ "body": "dependency:a/../b.js" })),
        rule(json!({ "body": "dependency:a.b/c.js" })),
        rule(json!({ "recipe": 0 })),
        rule(json!({ "recipe": "1" })),
        rule(json!({ "recipe": 1, "severity": "fatal" })),
        rule(json!({ "recipe": 1, "description": 1 })),
        rule(json!({ "recipe": 1, "when": 1 })),
        params(json!(1)),
        params(json!("p.json")),
        params(json!("@")),
        params(json!("bad-key=@p.json")),
        params(json!([1])),
        params(json!(["p.json"])),
        json!({ "roots": [] }),
        json!({ "roots": [{ "name": "a" }] }),
        json!({ "roots": [{ "path": "../a" }] }),
        json!({ "roots": [{ "path": "a", "nam": "b" }] }),
        json!({ "roots": [{ "path": "a", "name": "b::c" }] }),
        json!({ "waivers": [{ "rule": "rule::x", "subject": "spec:a", "reason": "r" }] }),
        waiver("expires", json!("31.01.2027")),
        waiver("reason", json!("")),
        waiver("until", json!("2027-01-31")),
        json!({ "baseline": "" }),
        json!({ "baseline": ["a"] }),
    ];
    [accepted, refused]
}

#[test]
fn the_schema_and_the_parser_agree_on_every_sample() {
    let schema: Value = serde_json::from_str(JSON_SCHEMA).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    for (samples, expected) in samples().iter().zip([true, false]) {
        for sample in samples {
            let faults: Vec<String> = validator.iter_errors(sample).map(|error| error.to_string()).collect();
            assert_eq!(faults.is_empty(), expected, "the schema on {sample}: {faults:?}");
            if let Some(said) = parsed(sample) {
                assert_eq!(said.is_ok(), expected, "the parser on {sample}: {said:?}");
            }
        }
    }
}

/// Each object of a schema that describes keys of the configuration, with its name.
fn described<'s>(name: &str, schema: &'s Value, all: &mut Vec<(String, &'s Value)>) {
    for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
        all.push((format!("{name}{key}"), inner));
        described(&format!("{name}{key}."), inner, all);
    }
}

#[test]
fn every_key_is_described_and_stands_in_the_guide_and_examples_are_valid() {
    let schema: Value = serde_json::from_str(JSON_SCHEMA).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/configuration.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let mut all = Vec::new();
    described("", &schema, &mut all);
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        described(&format!("{name}: "), definition, &mut all);
    }
    assert!(all.len() > 30);
    for (name, key) in all {
        assert!(key["description"].is_string(), "{name} has no description");
        if !name.contains([':', '.']) {
            assert!(guide.contains(&format!("| `{name}` |")), "{name} is not in the guide");
            assert!(key["title"].is_string(), "{name} has no title");
            for example in key["examples"].as_array().unwrap() {
                let sample = json!({ name.clone(): example });
                assert!(validator.is_valid(&sample), "{sample}");
                assert_ne!(parsed(&sample).map(|said| said.is_ok()), Some(false), "{sample}");
            }
        }
    }
    for example in schema["examples"].as_array().unwrap() {
        assert!(validator.is_valid(example), "{example}");
    }
}
