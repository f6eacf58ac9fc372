//! `--params` of `cargo sdp q`: forms, merging and refusals (the second list of checks of the evaluation sink).

use sdp_tests::{Repo, Run};

/// Any derivation would print the finding of the broken carrier.
fn repo() -> Repo {
    Repo::new()
        .spec("a", "", "")
        .file("object.json", "\u{FEFF}{\"fromFile\": 1}")
        .file("null.json", "\u{FEFF}null")
        .file("text.json", "\"text\"")
        .file("nested.json", "{\"nested\": {\"a\": 1}}")
        .file("list.json", "[1, 2]")
        .file("bad.json", "{nope")
        .file("twice.json", "{\"a\": 1, \"a\": 2}")
}

fn ask(params: &[&str], body: &str) -> Run {
    let mut arguments = vec!["q", "--json", body];
    for value in params {
        arguments.extend(["--params", value]);
    }
    repo().sdp(arguments)
}

#[track_caller]
fn answers(params: &[&str], json: &str) {
    let run = ask(params, "return params");
    let found = serde_json::from_str::<serde_json::Value>(&run.stdout).map(|value| value.to_string()).ok();
    assert_eq!((found.as_deref(), run.stderr.as_str(), run.code), (Some(json), "", Some(0)), "{params:?}");
}

/// Exit 1, exactly one line on stderr, nothing on stdout, and no carrier was read.
#[track_caller]
fn refused(arguments: &[&str], line: &str) {
    let repo = repo().file("specs/broken.sdp.md", sdp_tests::BROKEN_CARRIER);
    let run = repo.sdp(["q", "console.log('ran'); return 1"].iter().chain(arguments));
    assert_eq!((run.stderr.trim_end(), run.stdout.as_str(), run.code), (line, "", Some(1)), "{arguments:?}");
    assert_eq!(run.stderr.lines().count(), 1);
}

#[test]
fn without_the_option_params_is_an_empty_object() {
    answers(&[], "{}");
    let run = ask(&[], "return [g, graph, report, params, recipes].map((binding) => typeof binding)");
    assert_eq!(
        run.stdout.split_whitespace().collect::<String>(),
        r#"["object","object","object","object","function"]"#
    );
}

#[test]
fn any_object_passes_through_unchanged() {
    let object = r#"{"z":1,"a":[null,true,{"deep":{"x":"ü"}}],"odd key":-1.5,"":""}"#;
    answers(&[object], object);
}

#[test]
fn a_file_is_read_and_its_mark_dropped() {
    answers(&["@object.json"], r#"{"fromFile":1}"#);
    answers(&["@./object.json"], r#"{"fromFile":1}"#);
}

#[test]
fn a_path_starts_at_the_current_folder_and_not_at_the_root() {
    let repo = repo().file("below/p.json", "{\"here\": true}");
    let run = repo
        .command(["q", "--root", "..", "--params", "@p.json", "--json", "return [params.here, g.specs().length]"])
        .cwd(repo.path("below"))
        .run();
    assert_eq!((run.stdout.split_whitespace().collect::<String>().as_str(), run.code), ("[true,1]", Some(0)));
}

#[test]
fn what_is_no_object_is_refused() {
    for (value, kind) in
        [("null", "null"), ("[1]", "an array"), ("\"s\"", "a string"), ("4", "a number"), ("true", "a boolean")]
    {
        refused(&["--params", value], &format!("sdp q: --params is not a JSON object: it is {kind}."));
    }
    refused(&["--params", "@list.json"], "sdp q: --params file \"list.json\" is not a JSON object: it is an array.");
}

#[test]
fn what_is_no_json_is_refused() {
    refused(&["--params", "nope"], "sdp q: --params is not valid JSON (expected a value at line 1, column 1).");
    refused(
        &["--params", "@bad.json"],
        "sdp q: --params file \"bad.json\" is not valid JSON (expected a key in double quotes at line 1, column 2).",
    );
    refused(
        &["--params", "key=@bad.json"],
        "sdp q: --params file \"bad.json\" is not valid JSON (expected a key in double quotes at line 1, column 2).",
    );
}

#[test]
fn a_missing_value_is_refused() {
    refused(&["--params", ""], "sdp q: --params requires a JSON value or @PATH.");
    refused(&["--params="], "sdp q: --params requires a JSON value or @PATH.");
    refused(&["--params"], "sdp q: --params requires a JSON value or @PATH.");
    refused(&["--params", "--json"], "sdp q: --params expects a JSON value or @PATH, got --json");
    refused(&["--params", "@"], "sdp q: --params @PATH requires a path after @.");
    refused(&["--params", "key=@"], "sdp q: --params KEY=@PATH requires a path after @.");
}

#[test]
fn a_file_that_cannot_be_read_is_refused() {
    refused(
        &["--params", "@missing-file.json"],
        "sdp q: --params file \"missing-file.json\" could not be read (No such file or directory (os error 2)).",
    );
    refused(
        &["--params", "key=@missing-file.json"],
        "sdp q: --params file \"missing-file.json\" could not be read (No such file or directory (os error 2)).",
    );
    refused(&["--params", "@specs"], "sdp q: --params file \"specs\" could not be read (it is a folder).");
}

#[cfg(unix)]
#[test]
fn only_a_regular_file_of_a_bounded_size_is_read() {
    let repo = repo();
    let made = std::process::Command::new("mkfifo").arg(repo.path("pipe")).status();
    if made.is_ok_and(|status| status.success()) {
        let run = repo.sdp(["q", "return 1", "--params", "@pipe"]);
        let line = "sdp q: --params file \"pipe\" could not be read (it is not a regular file).\n";
        assert_eq!((run.stderr.as_str(), run.code), (line, Some(1)));
    } else {
        sdp_tests::skipped("no `mkfifo` command to make a pipe");
    }
    let huge = std::fs::File::create(repo.path("huge.json")).unwrap();
    huge.set_len(100 << 20).unwrap();
    let run = repo.sdp(["q", "return 1", "--params", "@huge.json"]);
    let line = "sdp q: --params file \"huge.json\" could not be read (it is larger than 8 MiB).\n";
    assert_eq!((run.stderr.as_str(), run.code), (line, Some(1)));
    let run = repo.sdp(["q", "return 1", "--params", "@/dev/zero"]);
    assert_eq!(run.code, Some(1));
}

#[test]
fn a_file_that_is_no_text_is_refused() {
    let repo = repo().file("latin.json", b"{\"a\": \"\xe9\"}");
    let run = repo.sdp(["q", "return 1", "--params", "@latin.json"]);
    let line = "sdp q: --params file \"latin.json\" could not be read (it is not UTF-8).\n";
    assert_eq!((run.stderr.as_str(), run.code), (line, Some(1)));
}

#[test]
fn a_deep_value_is_refused_and_does_not_overflow() {
    let deep = format!("{{\"a\":{}}}", "[".repeat(100_000));
    let run = ask(&[&deep], "return 1");
    let line = "sdp q: --params is not valid JSON (nested deeper than 128 levels at line 1, column 133).\n";
    assert_eq!((run.stderr.as_str(), run.code), (line, Some(1)));
}

#[test]
fn a_key_given_twice_is_refused_inside_one_input() {
    refused(&["--params", r#"{"a":1,"a":2}"#], "sdp q: --params gives the key \"a\" twice (line 1, column 8).");
    refused(&["--params", r#"{"a":1,"\u0061":2}"#], "sdp q: --params gives the key \"a\" twice (line 1, column 8).");
    refused(
        &["--params", "@twice.json"],
        "sdp q: --params file \"twice.json\" gives the key \"a\" twice (line 1, column 10).",
    );
}

#[test]
fn a_key_given_twice_is_refused_across_every_pair_of_inputs() {
    for (first, second, named) in [
        (r#"{"fromFile":1}"#, "@object.json", "inline JSON, file \"object.json\""),
        ("@object.json", r#"{"fromFile":1}"#, "file \"object.json\", inline JSON"),
        ("fromFile=@null.json", r#"{"fromFile":1}"#, "fromFile=@null.json, inline JSON"),
        (r#"{"fromFile":1}"#, "fromFile=@null.json", "inline JSON, fromFile=@null.json"),
        ("fromFile=@null.json", "fromFile=@text.json", "fromFile=@null.json, fromFile=@text.json"),
        ("@object.json", "@object.json", "file \"object.json\", file \"object.json\""),
        ("@object.json", "fromFile=@text.json", "file \"object.json\", fromFile=@text.json"),
        (r#"{"fromFile":1}"#, r#"{"fromFile":1}"#, "inline JSON, inline JSON"),
    ] {
        let line = format!("sdp q: --params gives the key \"fromFile\" twice ({named}).");
        refused(&["--params", first, "--params", second], &line);
    }
}

#[test]
fn nested_duplicates_and_look_alikes_are_accepted() {
    answers(
        &[r#"{"a":{"x":1,"x":2},"b":"{\"a\":1,\"a\":2}","c":[{"y":1,"y":3}]}"#],
        r#"{"a":{"x":2},"b":"{\"a\":1,\"a\":2}","c":[{"y":3}]}"#,
    );
    answers(&["key=@twice.json"], r#"{"key":{"a":2}}"#);
}

#[test]
fn a_keyed_file_binds_any_value_beside_merged_objects() {
    for (text, value) in [
        ("null", "null"),
        ("1", "1"),
        ("\"text\"", "\"text\""),
        ("true", "true"),
        ("[]", "[]"),
        (r#"{"nested":{"a":1}}"#, r#"{"nested":{"a":1}}"#),
    ] {
        let repo = repo().file("value.json", text);
        let run = repo.sdp([
            "q",
            "--json",
            "--params",
            r#"{"inline":0}"#,
            "--params",
            "keyed2=@value.json",
            "--params=@object.json",
            "return params",
        ]);
        let found: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(found.to_string(), format!(r#"{{"inline":0,"keyed2":{value},"fromFile":1}}"#));
    }
}

#[test]
fn a_key_outside_the_grammar_is_refused() {
    for key in ["bad-key", "bad_key", "Bad", "1a", "", "a.b", "é", "__proto__"] {
        refused(
            &["--params", &format!("{key}=@missing-file.json")],
            &format!("sdp q: --params KEY=@PATH takes a lower-camel key such as maxDepth, got \"{key}\"."),
        );
    }
}

#[test]
fn inline_json_and_a_file_come_before_a_keyed_file() {
    answers(&[r#"{"a":"key=@null.json"}"#], r#"{"a":"key=@null.json"}"#);
    let repo = repo().file("k=@v.json", "{\"odd\": true}");
    let run = repo.sdp(["q", "--params", "@k=@v.json", "return params.odd"]);
    assert_eq!((run.stdout.as_str(), run.code), ("true\n", Some(0)));
    refused(
        &["--params", r#"{"a":"key=@null.json""#],
        "sdp q: --params is not valid JSON (the text ends inside an object at line 1, column 22).",
    );
}

#[test]
fn merged_parameters_stay_writable() {
    let run = ask(&[r#"{"a":1}"#, "b=@null.json"], "params.a = 2; params.c = 3; delete params.b; return params");
    assert_eq!(run.stdout.split_whitespace().collect::<String>(), r#"{"a":2,"c":3}"#);
}

#[test]
fn proto_is_merged_as_an_own_key() {
    let body = "return [Object.keys(params), Object.getPrototypeOf(params) === Object.prototype, params.polluted === undefined]";
    let run = ask(&[r#"{"__proto__":{"polluted":1}}"#, r#"{"a":1}"#], body);
    assert_eq!(run.stdout.split_whitespace().collect::<String>(), r#"[["__proto__","a"],true,true]"#, "{}", run.stderr);
}
