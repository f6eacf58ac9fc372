mod files;
mod findings;
mod languages;
mod rules;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use super::*;

/// A tree of files; a path that ends with `/` is a folder.
pub(super) fn tree(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path_here = root.path().join(path);
        if path.ends_with('/') {
            fs::create_dir_all(path_here).unwrap();
        } else {
            fs::create_dir_all(path_here.parent().unwrap()).unwrap();
            fs::write(path_here, text).unwrap();
        }
    }
    root
}

fn at_root(root: &Path) -> Result<Config, LoadError> {
    load(&RootRequest { root: Some(root), cwd: root })
}

fn from_folder(cwd: &Path) -> Config {
    load(&RootRequest { root: None, cwd }).unwrap()
}

/// `line:column message` of each finding.
fn problems(result: Result<Config, LoadError>) -> Vec<String> {
    match result {
        Err(LoadError::Invalid { findings, .. }) => findings
            .iter()
            .map(|finding| {
                assert!(finding.is_error());
                assert_eq!(finding.id.as_str(), "sdp/invalid-config");
                let place = |number: Option<u32>| number.map_or("-".to_owned(), |number| number.to_string());
                format!(
                    "{}:{}:{} {}",
                    finding.file.as_deref().unwrap(),
                    place(finding.line),
                    place(finding.column),
                    finding.message
                )
            })
            .collect(),
        other => panic!("expected findings, not {other:?}"),
    }
}

fn problems_of(own_file: &str) -> Vec<String> {
    problems(at_root(tree(&[("sdp.toml", own_file)]).path()))
}

#[test]
fn a_root_without_configuration_has_the_defaults() {
    let root = tree(&[]);
    let config = at_root(root.path()).unwrap();
    assert_eq!(config.root, root.path());
    assert_eq!(config.source, None);
    assert_eq!(config.exclude, Vec::<String>::new());
    assert_eq!(config.rule_globs, ["rules/**/*.sdp.js"]);
    assert!(config.rule_globs_are_default);
    assert_eq!(config.limits, Limits { time: Duration::from_secs(10), memory: 268_435_456 });
    assert_eq!(config.out_dir, OutDir::Default);
}

#[test]
fn every_key_is_read() {
    let root = tree(&[(
        "Cargo.toml",
        r#"[workspace]
members = []

[workspace.metadata.sdp]
exclude = ["vendor", "a/b", "vendor"]
rule-globs = ["policy/*.sdp.js"]
out-dir = "out/sdp"
limits = { time = 2.5, memory = 64 }

[[workspace.metadata.sdp.rules]]
name = "owners"
body = "policy/owners.sdp.js"
severity = "warning"
description = "Every Spec\nhas an owner"
params = { z = 1, a = [true, "x", 1.5], t = { k = "v" } }

[[workspace.metadata.sdp.rules]]
name = "backlog"
recipe = 1
"#,
    )]);
    let config = at_root(root.path()).unwrap();
    assert_eq!(config.source, Some(root.path().join("Cargo.toml")));
    assert_eq!(config.exclude, ["vendor", "a/b"]);
    assert_eq!(config.rule_globs, ["policy/*.sdp.js"]);
    assert!(!config.rule_globs_are_default);
    assert_eq!(config.limits, Limits { time: Duration::from_millis(2500), memory: 67_108_864 });
    assert_eq!(config.out_dir, OutDir::Configured(root.path().join("out/sdp")));
    let [owners, backlog] = config.rules.as_slice() else { panic!("{:?}", config.rules) };
    assert_eq!(owners.name, "owners");
    assert_eq!(owners.body, RuleBody::File("policy/owners.sdp.js".to_owned()));
    assert_eq!(owners.severity, Some(Severity::Warning));
    assert_eq!(owners.description.as_deref(), Some("Every Spec\nhas an owner"));
    let [ParamsInput { input: params::Input::Table(table), line: 15 }] = owners.params.as_slice() else {
        panic!("{:?}", owners.params)
    };
    assert_eq!(
        serde_json::to_string(table).unwrap(),
        r#"{"z":1,"a":[true,"x",1.5],"t":{"k":"v"}}"#,
        "parameters keep their authored order"
    );
    assert_eq!(owners.line, 10);
    assert_eq!(backlog.body, RuleBody::Recipe(1));
    assert_eq!((backlog.severity, backlog.line), (None, 17));
}

#[test]
fn each_of_the_three_homes_is_read() {
    for (file, text) in [
        ("Cargo.toml", "[workspace.metadata.sdp]\nexclude = ['x']"),
        ("Cargo.toml", "[package]\nname = 'p'\n[package.metadata.sdp]\nexclude = ['x']"),
        ("Cargo.toml", "[package]\nmetadata.sdp.exclude = ['x']"),
        ("sdp.toml", "exclude = ['x']"),
        ("sdp.toml", "\u{feff}exclude = ['x']"),
    ] {
        assert_eq!(at_root(tree(&[(file, text)]).path()).unwrap().exclude, ["x"], "{text}");
    }
}

#[test]
fn two_homes_in_one_folder_are_an_error_that_names_both() {
    let package = "[package]\nname = \"p\"\n\n[package.metadata.sdp]\n";
    let both_files = tree(&[("Cargo.toml", package), ("sdp.toml", "")]);
    assert_eq!(
        problems(at_root(both_files.path())),
        [
            "sdp.toml:1:1 the configuration stands in `[package.metadata.sdp]` of Cargo.toml and in sdp.toml: keep one of them"
        ]
    );
    let both_tables = tree(&[("Cargo.toml", "[workspace.metadata.sdp]\n[package.metadata.sdp]\n")]);
    assert_eq!(
        problems(at_root(both_tables.path())),
        ["Cargo.toml:2:1 the configuration stands in `[workspace.metadata.sdp]` of Cargo.toml and in \
          `[package.metadata.sdp]` of Cargo.toml: keep one of them"]
    );
}

#[test]
#[sdp::verifies("spec:sdp.configuration")]
fn all_problems_are_collected_with_their_places() {
    let text = r#"exlude = ["a"]
roots = []
"é" = 1
exclude = ["./a", 3, "b"]
rule-globs = ["/abs", "a/[", "ok/*.js"]
limits = { time = 0, memory = 1.5, tme = 1 }
out-dir = ""
rules = 4
"#;
    assert_eq!(
        problems_of(text),
        [
            "sdp.toml:1:1 `exlude` is not a configuration key: did you mean `exclude`?",
            "sdp.toml:2:1 `roots` must list at least one root",
            "sdp.toml:3:1 `é` is not a configuration key: the keys are `roots`, `exclude`, `rule-globs`, `contracts`, `rules`, `limits`, `severity`, `waivers`, `baseline`, `out-dir`, `comment-languages`, `typescript`",
            "sdp.toml:4:12 invalid exclusion path \"./a\"",
            "sdp.toml:4:19 `exclude` must hold strings only, not an integer",
            "sdp.toml:5:15 invalid glob \"/abs\": it must be relative to the root, without an empty, `.` or `..` segment",
            "sdp.toml:5:23 invalid glob \"a/[\": unclosed character class; missing ']'",
            "sdp.toml:6:19 `limits.time` must be a number of seconds from 0.001 to 3600",
            "sdp.toml:6:31 `limits.memory` must be a whole number of megabytes from 1 to 16384",
            "sdp.toml:6:36 `tme` is not a `limits` key: did you mean `time`?",
            "sdp.toml:7:11 `out-dir` must not be empty",
            "sdp.toml:8:9 `rules` must be an array of tables, not an integer",
        ]
    );
}

#[test]
fn a_rule_needs_one_name_and_one_body_or_recipe() {
    let text = r#"[[rules]]
body = "a.sdp.js"
[[rules]]
name = "both"
body = "a.sdp.js"
recipe = 1
[[rules]]
name = "neither"
[[rules]]
name = "outside"
body = "../a.sdp.js"
[[rules]]
name = "number"
recipe = "1"
[[rules]]
name = "fine"
recipe = 2
[[rules]]
name = "fine"
recipe = 3
[[rules]]
name = "a\nb"
recipe = 3
severity = "fatal"
when = 1
params = { day = 2024-01-01 }
"#;
    assert_eq!(
        problems_of(text),
        [
            "sdp.toml:1:1 a rule needs a `name`",
            "sdp.toml:3:1 a rule has a `body` or a `recipe`, not both",
            "sdp.toml:7:1 a rule needs either a `body` or a `recipe`",
            "sdp.toml:11:8 `body` must be a path below the root, with `/`, and without `.` and `..` segments: ../a.sdp.js",
            "sdp.toml:14:10 `recipe` must be the number of a recipe, such as 1",
            "sdp.toml:18:1 a rule named `fine` stands at line 15 already",
            "sdp.toml:22:8 `name` must not hold a line break or another control character",
            "sdp.toml:24:12 `severity` must be \"error\" or \"warning\"",
            "sdp.toml:25:1 `when` is not a rule key: the keys are `name`, `body`, `recipe`, `params`, `severity`, `description`",
            "sdp.toml:26:18 a date or time cannot be a parameter: write it as a string",
        ]
    );
}

#[test]
fn parameters_that_json_cannot_hold_are_refused_in_place() {
    let deep = format!("p.{} = 1", vec!["a"; 40].join("."));
    let rule = |params: &str| format!("[[rules]]\nname = 'n'\nrecipe = 1\n[rules.params]\n{params}\n");
    assert_eq!(problems_of(&rule("a = nan")), ["sdp.toml:5:5 a parameter must be a finite number"]);
    assert_eq!(problems_of(&rule("l = [1, [inf]]")), ["sdp.toml:5:10 a parameter must be a finite number"]);
    assert_eq!(problems_of(&rule(&deep)), ["sdp.toml:5:65 parameters nest deeper than 32 levels"]);
}

#[test]
fn later_keys_are_named_as_not_supported_yet() {
    assert_eq!(problems_of("link-base = 1"), ["sdp.toml:1:1 `link-base` is not supported yet"]);
    assert_eq!(problems_of("link-base.out = 1"), ["sdp.toml:1:1 `link-base` is not supported yet"]);
}

#[test]
fn many_problems_are_capped() {
    let text: String = (0..300).map(|number| format!("key-number-{number} = 1\n")).collect();
    let problems = problems_of(&text);
    assert_eq!(problems.len(), 101);
    assert_eq!(problems.last().unwrap(), "sdp.toml:101:1 more than 100 problems: the others are not shown");
}

#[test]
fn the_root_is_the_nearest_ancestor_with_a_configuration() {
    let root = tree(&[
        ("sdp.toml", "exclude = ['outer']"),
        ("Cargo.toml", "[workspace]"),
        ("member/Cargo.toml", "[package]\nname = 'm'"),
        ("member/src/", ""),
        ("own/Cargo.toml", "[package.metadata.sdp]\nexclude = ['inner']"),
        ("own/src/", ""),
    ]);
    let outer = from_folder(&root.path().join("member/src"));
    assert_eq!((outer.root.as_path(), outer.exclude.as_slice()), (root.path(), ["outer".to_owned()].as_slice()));
    let inner = from_folder(&root.path().join("own/src"));
    assert_eq!((inner.root, inner.exclude), (root.path().join("own"), vec!["inner".to_owned()]));
}

#[test]
fn without_configuration_the_root_is_the_workspace_then_the_package_then_git_then_here() {
    let root = tree(&[
        ("git/.git/", ""),
        ("git/deep/x/", ""),
        ("git/ws/Cargo.toml", "[workspace]\nmembers = ['m']"),
        ("git/ws/m/Cargo.toml", "[package]\nname = 'm'"),
        ("git/ws/m/src/", ""),
        ("git/pkg/Cargo.toml", "[package]\nname = 'p'"),
        ("git/pkg/inner/Cargo.toml", "[package]\nname = 'i'"),
        ("git/broken/Cargo.toml", "[workspace.package]\nx = ["),
        ("git/broken/src/", ""),
        ("worktree/.git", "gitdir: elsewhere"),
        ("worktree/x/", ""),
        ("plain/x/", ""),
    ]);
    for (cwd, expected) in [
        ("git/ws/m/src", "git/ws"),
        ("git/pkg/inner", "git/pkg/inner"),
        ("git/pkg", "git/pkg"),
        ("git/broken/src", "git/broken"),
        ("git/deep/x", "git"),
        ("worktree/x", "worktree"),
        ("plain/x", "plain/x"),
    ] {
        assert_eq!(from_folder(&root.path().join(cwd)).root, root.path().join(expected), "{cwd}");
    }
}

#[test]
fn a_root_that_was_asked_for_looks_at_no_ancestor() {
    let root = tree(&[("sdp.toml", "exclude = ['outer']"), ("sub/a.txt", "")]);
    let config = load(&RootRequest { root: Some(Path::new("sub")), cwd: root.path() }).unwrap();
    assert_eq!((config.root, config.source), (root.path().join("sub"), None));
    let up = load(&RootRequest { root: Some(Path::new("./../")), cwd: &root.path().join("sub") }).unwrap();
    assert_eq!(up.root, root.path().canonicalize().unwrap());
    assert_eq!(up.exclude, ["outer"]);
    for missing in ["none", "sub/a.txt"] {
        let error = load(&RootRequest { root: Some(Path::new(missing)), cwd: root.path() }).unwrap_err();
        assert!(matches!(error, LoadError::RootIsNotAFolder(path) if path == root.path().join(missing)));
    }
}

#[test]
fn excludes_follow_the_grammar_of_the_protocol() {
    for accepted in ["a", "a/b", "a/./b", "a/.", "C:", " ", "*", ".a", "é/b", "..a"] {
        assert_eq!(check_exclude(accepted), Ok(()), "{accepted}");
    }
    for refused in ["", ".", "./a", "a/", "/a", "/", "C:/a", "z:/", "a\\b", "a//b", "..", "../a", "a/..", "a/../b"] {
        assert_eq!(
            check_exclude(refused).map_err(|error| error.to_string()),
            Err(format!("invalid exclusion path \"{refused}\"")),
            "{refused}"
        );
    }
}

#[test]
fn globs_stay_within_segments_and_are_bounded() {
    let glob = compile_glob("rules/**/*.sdp.js").unwrap();
    assert!(glob.is_match("rules/a.sdp.js") && glob.is_match("rules/b/c/a.sdp.js"));
    assert!(!glob.is_match("x/rules/a.sdp.js"));
    assert!(!compile_glob("rules/*.js").unwrap().is_match("rules/a/b.js"));
    assert!(compile_glob(&"{".repeat(500)).is_err());
    assert!(compile_glob(&format!("{}x{}", "{".repeat(500), "}".repeat(500))).is_err());
    assert_eq!(compile_glob(&"a".repeat(1025)).unwrap_err().why, "it is longer than 1024 bytes");
}

fn environment(cwd: &Path) -> Environment {
    Environment { cwd: cwd.to_owned(), cargo_target_dir: None, cargo_home: None }
}

#[test]
fn the_target_folder_is_found_in_cargos_order() {
    let root = tree(&[
        (".cargo/config.toml", "[build]\ntarget-dir = 'outer-target'"),
        ("ws/Cargo.toml", "[workspace]"),
        ("ws/m/Cargo.toml", "[package]\nname = 'm'"),
        ("plain/Cargo.toml", "[package]\nname = 'p'"),
        ("plain/.cargo/config.toml", "build.target-dir = 'new'"),
        ("home/config.toml", "build.target-dir = 'of-home'"),
    ]);
    let (ws, member, plain) = (root.path().join("ws"), root.path().join("ws/m"), root.path().join("plain"));
    let mut environment = environment(root.path());
    assert_eq!(target_folder(&member, &environment), Some(root.path().join("outer-target")));
    assert_eq!(target_folder(&plain, &environment), Some(plain.join("new")));
    fs::write(plain.join(".cargo/config"), "build.target-dir = '/old'").unwrap();
    assert_eq!(target_folder(&plain, &environment), Some(PathBuf::from("/old")));
    fs::write(root.path().join(".cargo/config.toml"), "[build\n").unwrap();
    assert_eq!(target_folder(&member, &environment), Some(ws.join("target")));
    environment.cargo_home = Some(root.path().join("home"));
    assert_eq!(target_folder(&member, &environment), Some(root.path().join("of-home")));
    environment.cargo_target_dir = Some(OsString::from("from-env"));
    assert_eq!(target_folder(&member, &environment), Some(root.path().join("from-env")));
    assert_eq!(target_folder(root.path(), &environment), None, "no package, no target folder");
}

#[test]
fn the_environment_is_read_from_what_it_is_given() {
    let read = |pairs: &'static [(&'static str, &'static str)]| {
        Environment::read("/cwd", |name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
        })
    };
    let set = read(&[("CARGO_TARGET_DIR", ""), ("CARGO_BUILD_TARGET_DIR", "b"), ("CARGO_HOME", "c"), ("HOME", "/h")]);
    assert_eq!(set.cargo_target_dir, Some(OsString::from("b")));
    assert_eq!(set.cargo_home, Some(PathBuf::from("/cwd/c")));
    assert_eq!(read(&[("HOME", "/h")]).cargo_home, Some(PathBuf::from("/h/.cargo")));
    assert_eq!(read(&[]), environment(Path::new("/cwd")));
}

#[test]
fn outputs_go_to_the_target_folder_or_beside_the_root() {
    let root = tree(&[("ws/Cargo.toml", "[workspace]"), ("plain/a", ""), ("set/sdp.toml", "out-dir = '../o'")]);
    let environment = environment(root.path());
    let out = |folder: &str| at_root(&root.path().join(folder)).unwrap().out_dir(&environment);
    assert_eq!(out("ws"), root.path().join("ws/target/sdp"));
    assert_eq!(out("plain"), root.path().join("plain/.sdp/out"));
    assert_eq!(out("set"), root.path().join("set/../o"));
}
