//! The forms of `--params`, their order and their refusals.

use serde_json::json;

use super::*;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("object.json", "\u{FEFF}{\"b\": 2}"),
        ("null.json", "\u{FEFF}null"),
        ("list.json", "[1]"),
        ("bad.json", "{\n  \"a\": }"),
        ("twice.json", "{\"a\": 1,\n \"a\": 2}"),
        ("two.json", "1, 2"),
        ("closed.json", "1],[2"),
        ("empty.json", ""),
        ("k=@v.json", "{\"odd\": true}"),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn read(inputs: &[&str]) -> Result<Value, String> {
    let folder = folder();
    let inputs: Vec<String> = inputs.iter().map(|input| (*input).to_owned()).collect();
    merge(&inputs, folder.path()).map(Value::Object).map_err(|fault| fault.to_string())
}

#[test]
fn inputs_merge_in_their_order() {
    assert_eq!(read(&[]), Ok(json!({})));
    assert_eq!(
        read(&["{\"z\": {\"x\": 1, \"x\": 2}, \"t\": \"{\\\"z\\\":1}\"}", "@object.json", "key=@null.json"])
            .unwrap()
            .to_string(),
        r#"{"z":{"x":2},"t":"{\"z\":1}","b":2,"key":null}"#
    );
    assert_eq!(read(&["  {\"a\": \"x=@y\"} "]), Ok(json!({"a": "x=@y"})));
    assert_eq!(read(&["@k=@v.json"]), Ok(json!({"odd": true})));
    assert_eq!(read(&["key=@list.json"]), Ok(json!({"key": [1]})));
}

#[test]
fn a_keyed_file_keeps_a_nested_duplicate_as_the_last_value() {
    assert_eq!(read(&["key=@twice.json"]), Ok(json!({"key": {"a": 2}})));
}

#[test]
fn proto_is_a_key_like_any_other() {
    let merged = read(&["{\"__proto__\": {\"x\": 1}}", "{\"a\": 1}"]).unwrap();
    assert_eq!(merged.to_string(), r#"{"__proto__":{"x":1},"a":1}"#);
    assert_eq!(
        read(&["{\"__proto__\": 1}", "{\"__proto__\": 2}"]),
        Err("--params gives the key \"__proto__\" twice (inline JSON, inline JSON).".to_owned())
    );
}

#[test]
fn every_fault_is_one_line_that_names_its_input() {
    for (inputs, line) in [
        (&[""][..], "--params requires a JSON value or @PATH."),
        (&["@"], "--params @PATH requires a path after @."),
        (&["key=@"], "--params KEY=@PATH requires a path after @."),
        (&["nope"], "--params is not valid JSON (expected a value at line 1, column 1)."),
        (&["{\"a\": \"x=@y\""], "--params is not valid JSON (the text ends inside an object at line 1, column 13)."),
        (&["null"], "--params is not a JSON object: it is null."),
        (&["[1]"], "--params is not a JSON object: it is an array."),
        (&["\"k=@v\""], "--params is not a JSON object: it is a string."),
        (&["4"], "--params is not a JSON object: it is a number."),
        (&["true"], "--params is not a JSON object: it is a boolean."),
        (&["@list.json"], "--params file \"list.json\" is not a JSON object: it is an array."),
        (&["@bad.json"], "--params file \"bad.json\" is not valid JSON (expected a value at line 2, column 8)."),
        (&["k=@bad.json"], "--params file \"bad.json\" is not valid JSON (expected a value at line 2, column 8)."),
        (&["k=@two.json"], "--params file \"two.json\" is not valid JSON (it holds several values)."),
        (
            &["k=@closed.json"],
            "--params file \"closed.json\" is not valid JSON (text after the value at line 1, column 3).",
        ),
        (&["k=@empty.json"], "--params file \"empty.json\" is not valid JSON (it holds no value)."),
        (&["bad-key=@list.json"], "--params KEY=@PATH takes a lower-camel key such as maxDepth, got \"bad-key\"."),
        (&["bad_key=@list.json"], "--params KEY=@PATH takes a lower-camel key such as maxDepth, got \"bad_key\"."),
        (&["Bad=@list.json"], "--params KEY=@PATH takes a lower-camel key such as maxDepth, got \"Bad\"."),
        (&["=@list.json"], "--params KEY=@PATH takes a lower-camel key such as maxDepth, got \"\"."),
        (&["{\"a\":1,\"a\":2}"], "--params gives the key \"a\" twice (line 1, column 8)."),
        (&["@twice.json"], "--params file \"twice.json\" gives the key \"a\" twice (line 2, column 2)."),
        (&["{\"b\":1}", "@object.json"], "--params gives the key \"b\" twice (inline JSON, file \"object.json\")."),
        (&["@object.json", "{\"b\":1}"], "--params gives the key \"b\" twice (file \"object.json\", inline JSON)."),
        (&["b=@list.json", "{\"b\":1}"], "--params gives the key \"b\" twice (b=@list.json, inline JSON)."),
        (&["{\"b\":1}", "b=@list.json"], "--params gives the key \"b\" twice (inline JSON, b=@list.json)."),
        (&["b=@list.json", "b=@null.json"], "--params gives the key \"b\" twice (b=@list.json, b=@null.json)."),
    ] {
        assert_eq!(read(inputs), Err(line.to_owned()), "{inputs:?}");
    }
}

#[test]
fn a_fault_stays_one_line_whatever_the_input_holds() {
    let fault = read(&["@no\nsuch\u{1b}[31m"]).unwrap_err();
    assert!(!fault.contains(['\n', '\u{1b}']), "{fault}");
    let fault = read(&["{\"a\\nb\":1,\"a\\nb\":2}"]).unwrap_err();
    assert_eq!(fault, "--params gives the key \"a\\nb\" twice (line 1, column 11).");
}
