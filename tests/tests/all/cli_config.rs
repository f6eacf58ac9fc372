//! `cargo sdp config`: what is in force and where it was said, for people and for programs, also where it is wrong.

use sdp_tests::Repo;
use serde_json::{Value, json};

const CONFIG: &str = "\
exclude = [\"drafts\"]
limits = { time = 2.5 }
typescript.trusted = [\"@acme/sdp\"]

[severity]
warnings = \"deny\"

[[comment-languages]]
endings = [\"jutso\"]
like = \"rust\"

[[rules]]
name = \"naming\"
body = \"policies/naming.sdp.js\"
params = [
  { style = \"kebab\" },
  \"@policies/naming.json\",
]
severity = \"warning\"
description = \"Ids are words\"

[[rules]]
name = \"far\"
body = \"dependency:acme-rules/far.sdp.js\"
";

fn repo() -> Repo {
    Repo::new()
        .file("sdp.toml", CONFIG)
        .file("drafts/x.sdp.md", "")
        .file("rules/a/x.sdp.js", "this is never read")
        .file("policies/naming.sdp.js", "nor this")
}

fn setting(answer: &Value, key: &str) -> Vec<(Value, String)> {
    let all = answer["roots"][0]["settings"].as_array().unwrap().iter();
    let of_key = all.filter(|one| one["key"] == key);
    of_key.map(|one| (one["value"].clone(), one["from"].as_str().unwrap().to_owned())).collect()
}

#[test]
#[sdp::verifies("spec:sdp.config-command")]
fn every_key_is_shown_with_its_value_and_where_it_was_said() {
    let repo = repo();
    let run = repo.sdp(["config", "--exclude", "policies/old"]);
    let root = repo.root().display().to_string();
    let lines: Vec<String> =
        run.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let expected = [
        &format!("root {root} nearest folder upwards with a configuration"),
        "configuration sdp.toml file",
        "target-folder none no cargo package here",
        "out-dir .sdp/out default",
        "cache-folder .sdp/cache default",
        "exclude drafts sdp.toml:1",
        "exclude policies/old --exclude",
        "rule-globs rules/**/*.sdp.js default",
        "contracts [] default",
        "limits.time 2.5 sdp.toml:2",
        "limits.memory 256 default",
        "severity.warnings deny sdp.toml:6",
        "comment-languages {\"endings\":[\"jutso\"],\"names\":[],\"like\":\"Rust\"} sdp.toml:9",
        "typescript.trusted @acme/sdp sdp.toml:3",
        "waivers [] default",
        "baseline none default",
        "",
        "rule files",
        "rule::a::x rules/a/x.sdp.js rules/**/*.sdp.js",
        "",
        "configured rules",
        "rule::naming sdp.toml:12",
        "body policies/naming.sdp.js",
        "params {\"style\":\"kebab\"} sdp.toml:16",
        "params @policies/naming.json sdp.toml:17, is missing",
        "severity warning",
        "description Ids are words",
        "rule::far sdp.toml:22",
        "body dependency:acme-rules/far.sdp.js",
    ];
    assert_eq!(lines, expected);
    assert_eq!(run.code, Some(1));
    let gone = "error[sdp/invalid-config]: the rule \"naming\" at sdp.toml:12 names the parameter file `policies/naming.json`, which is no file\n  --> sdp.toml:17\n";
    assert!(run.stderr.starts_with(gone), "{}", run.stderr);
    assert!(run.stdout.contains("limits.time         2.5"), "columns: {}", run.stdout);
}

#[test]
fn programs_get_the_same_under_keys_that_stay() {
    let repo = repo().file("policies/naming.json", "neither is this");
    let run = repo.sdp(["config", "--json"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(answer.as_object().unwrap().keys().collect::<Vec<_>>(), ["roots", "findings"]);
    assert_eq!(setting(&answer, "limits.time"), [(json!(2.5), "sdp.toml:2".to_owned())]);
    assert_eq!(setting(&answer, "limits.memory"), [(json!(256), "default".to_owned())]);
    assert_eq!(setting(&answer, "exclude"), [(json!("drafts"), "sdp.toml:1".to_owned())]);
    assert_eq!(setting(&answer, "baseline"), [(Value::Null, "default".to_owned())]);
    let root = &answer["roots"][0];
    assert_eq!(
        root["ruleFiles"],
        json!([{ "file": "rules/a/x.sdp.js", "case": "rule::a::x", "glob": "rules/**/*.sdp.js" }])
    );
    assert_eq!(
        root["rules"][0],
        json!({
            "case": "rule::naming",
            "from": "sdp.toml:12",
            "body": "policies/naming.sdp.js",
            "isMissing": false,
            "params": [
                { "input": { "style": "kebab" }, "from": "sdp.toml:16", "isMissing": false },
                { "input": "@policies/naming.json", "from": "sdp.toml:17", "isMissing": false },
            ],
            "severity": "warning",
            "description": "Ids are words",
        })
    );
    assert_eq!(answer["findings"], json!([]));
}

#[test]
fn folders_say_who_named_them() {
    let repo = Repo::new()
        .file("ws/Cargo.toml", "[workspace]\n[workspace.metadata.sdp]\nout-dir = \"../out\"\n")
        .file("ws/.cargo/config.toml", "build.target-dir = \"t\"\n");
    let ask = |variables: &[(&str, &str)]| -> Value {
        let command = repo.command(["config", "--json", "--root", "ws"]);
        let run = variables.iter().fold(command, |command, (name, value)| command.env(name, value)).run();
        serde_json::from_str(&run.stdout).unwrap()
    };
    let one = |value: &str, from: &str| vec![(json!(value), from.to_owned())];
    let answer = ask(&[]);
    assert_eq!(setting(&answer, "root")[0].1, "--root");
    assert_eq!(setting(&answer, "target-folder"), one("t", ".cargo/config.toml"));
    assert_eq!(setting(&answer, "out-dir"), one("../out", "Cargo.toml:3"));
    assert_eq!(setting(&answer, "cache-folder"), one("t/sdp-cache", "default"));
    let answer = ask(&[("CARGO_BUILD_TARGET_DIR", "elsewhere"), ("SDP_NO_CACHE", "1")]);
    assert_eq!(setting(&answer, "target-folder"), one("../elsewhere", "CARGO_BUILD_TARGET_DIR"));
    assert_eq!(setting(&answer, "cache-folder"), [(Value::Null, "SDP_NO_CACHE".to_owned())]);
    repo.write("plain/x", "");
    let run = repo.command(["config"]).cwd(repo.path("plain")).run();
    assert!(run.stdout.lines().next().unwrap().ends_with("current folder"), "{}", run.stdout);
    assert!(run.stdout.contains("configuration       none"), "{}", run.stdout);
    let run = repo.sdp(["config", "--manifest-path", "ws"]);
    assert!(run.stdout.lines().next().unwrap().ends_with("  --manifest-path"), "{}", run.stdout);
}

#[test]
fn a_wrong_configuration_is_said_and_fails() {
    let repo = Repo::new().file("sdp.toml", "exclud = []\n");
    let run = repo.sdp(["config"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
    assert!(run.stderr.starts_with("sdp.toml:1 — [error] sdp/invalid-config — `exclud` is not a"), "{}", run.stderr);
    let run = repo.sdp(["config", "--json"]);
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((answer["roots"].clone(), run.code), (json!([]), Some(1)));
    assert_eq!(answer["findings"][0]["line"], 1);
}

#[test]
fn rules_that_could_not_run_are_said_beside_what_is_in_force() {
    let repo = Repo::new().file("sdp.toml", "rule-globs = [\"gone/*.js\"]\n");
    let run = repo.sdp(["config"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("rule-globs          gone/*.js"), "{}", run.stdout);
    assert!(
        run.stderr.starts_with("error[sdp/unmatched-rule-glob]: the rule glob `gone/*.js` matched no file\n"),
        "{}",
        run.stderr
    );
    repo.write("sdp.toml", "[[rules]]\nname = \"x\"\nbody = \"gone.js\"\n");
    let run = repo.sdp(["config", "--json"]);
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((answer["findings"][0]["id"].as_str(), run.code), (Some("sdp/invalid-config"), Some(1)));
    assert_eq!(answer["roots"][0]["rules"][0]["isMissing"], true);
    assert_eq!(run.stderr, "");
}

#[test]
fn the_schema_is_printed_from_anywhere_and_colours_are_for_terminals() {
    let repo = Repo::new().file("sdp.toml", "wrong = 1\n");
    let run = repo.sdp(["config", "--schema"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), (sdp_core::config::JSON_SCHEMA, "", Some(0)));
    assert_eq!(repo.sdp(["config", "--schema", "--json"]).code, Some(2));
    let repo = Repo::new();
    assert!(!repo.sdp(["config"]).stdout.contains('\u{1b}'));
    assert!(repo.sdp(["config", "--color", "always"]).stdout.contains("\u{1b}[2mdefault\u{1b}[0m"));
}

#[test]
fn a_value_gives_a_terminal_no_orders() {
    let repo = Repo::new().file("sdp.toml", "exclude = [\"a\\u001b[31mb\"]\n[[rules]]\nname = \"x\"\nrecipe = 26\ndescription = \"a\\n::error::b\\u202e\"\n");
    let run = repo.sdp(["config"]);
    assert!(!run.stdout.contains(['\u{1b}', '\u{202e}']), "{}", run.stdout);
    assert!(!run.stdout.lines().any(|line| line.starts_with("::")), "{}", run.stdout);
    let run = repo.sdp(["config", "--json"]);
    assert!(!run.stdout.contains(['\u{1b}', '\u{202e}']), "{}", run.stdout);
}

#[test]
fn one_root_of_several_shows_what_holds_for_it() {
    let config = "\
roots = [{ path = \"front\" }, { path = \"back\" }]
typescript.trusted = [\"@acme/sdp\"]

[[comment-languages]]
endings = [\"jutso\"]
like = \"rust\"

[[rules]]
name = \"naming\"
body = \"naming.sdp.js\"

[[waivers]]
rule = \"back::rule::naming\"
subject = \"spec:a\"
reason = \"agreed\"
expires = 2099-01-31

[[waivers]]
rule = \"rule::naming\"
subject = \"spec:b\"
reason = \"agreed\"
expires = 2099-01-31
";
    let repo = Repo::new().file("sdp.toml", config).file("naming.sdp.js", "").file("front/x", "").file("back/x", "");
    let run = repo.sdp(["config", "--json", "--root", "front"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    let from = |key: &str| setting(&answer, key).into_iter().map(|(_, from)| from).collect::<Vec<_>>();
    assert_eq!(from("typescript.trusted"), ["../sdp.toml:2"]);
    assert_eq!(from("comment-languages"), ["../sdp.toml:5"]);
    assert_eq!(from("waivers"), ["../sdp.toml:18"], "those of other roots do not hold here");
    assert_eq!(answer["roots"][0]["rules"][0]["body"], "../naming.sdp.js");
}

#[test]
fn a_manifest_that_is_none_of_cargo_finds_no_root() {
    let found = |manifest: &str| {
        let repo = Repo::new().file(".git/HEAD", "").file("Cargo.toml", manifest).file("a/x", "");
        let run = repo.command(["config", "--json"]).cwd(repo.path("a")).run();
        let answer: Value = serde_json::from_str(&run.stdout).unwrap();
        setting(&answer, "root").remove(0).1
    };
    assert_eq!(found("[package]\nname = \"a\"\n"), "cargo workspace or package");
    assert_eq!(found("[profile.dev]\nopt-level = 1\n"), "git top level");
}
