use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use super::*;

/// A tree of files; a path that ends with `/` is a folder.
fn tree(files: &[(&str, &str)]) -> TempDir {
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
    assert_eq!(
        serde_json::to_string(&owners.params).unwrap(),
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
waivers = []
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
            "sdp.toml:2:1 `waivers` is not supported yet",
            "sdp.toml:3:1 `é` is not a configuration key: the keys are `exclude`, `rule-globs`, `rules`, `limits`, `severity`, `out-dir`, `comment-languages`, `typescript`",
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

/// What one override of a configuration makes of an orphan.
fn orphan_under(config: &str) -> Option<Severity> {
    let config = at_root(tree(&[("sdp.toml", config)]).path()).unwrap();
    let mut findings = vec![Finding::warning(crate::finding::FindingId::Orphans, "o")];
    config.severities.apply(&mut findings);
    findings.first().map(|finding| finding.severity)
}

#[test]
fn severities_are_read_by_id_and_by_group() {
    assert_eq!(orphan_under(""), Some(Severity::Warning));
    assert_eq!(orphan_under("[severity]\n\"conformance/orphans\" = \"deny\"\n"), Some(Severity::Error));
    assert_eq!(orphan_under("severity = { conformance = \"allow\" }"), None);
    assert_eq!(orphan_under("severity.warnings = 'deny'"), Some(Severity::Error));
    let specific = "[severity]\n'conformance/orphans' = 'warn'\nconformance = 'deny'\nwarnings = 'deny'\n";
    assert_eq!(orphan_under(specific), Some(Severity::Warning));
}

#[test]
fn the_page_of_a_wrong_configuration_lists_every_key() {
    let page = crate::explain::Subject::Finding(crate::finding::FindingId::InvalidConfig).page();
    for table in ["", "[limits]\n", "[[rules]]\n"] {
        let problems = problems_of(&format!("{table}nothing-like-it = 1\n"));
        let (_, keys) = problems.iter().find_map(|problem| problem.split_once("the keys are ")).unwrap();
        for key in keys.split(", ") {
            assert!(key.starts_with('`') && page.meaning.contains(key), "{key} of {table}");
        }
    }
}

#[test]
fn a_wrong_severity_is_refused_in_place() {
    assert_eq!(problems_of("severity = 1"), ["sdp.toml:1:12 `severity` must be a table, not an integer"]);
    assert_eq!(
        problems_of("[severity]\nconformance = true\n"),
        ["sdp.toml:2:15 `conformance` must be a string, not a boolean"]
    );
    assert_eq!(
        problems_of("[severity]\nconformance = \"error\"\n"),
        ["sdp.toml:2:15 `severity`: \"error\" is no level: did you mean \"deny\"?"]
    );
}

#[test]
fn a_severity_override_without_effect_is_a_finding_of_its_own() {
    let root = tree(&[(
        "sdp.toml",
        "[severity]\nconformance = 'deny'\n\"conformance/orphan\" = 'deny'\n'extract/invalid-id' = 'warn'\n",
    )]);
    let Err(LoadError::Invalid { findings, .. }) = at_root(root.path()) else { panic!("accepted") };
    let said: Vec<String> = findings.iter().map(Finding::line_form).collect();
    assert_eq!(
        said,
        [
            "sdp.toml:3 — [error] sdp/unmatched-severity — the severity override `conformance/orphan` names no finding: \
             did you mean `conformance/orphans`?",
            "sdp.toml:4 — [error] sdp/unmatched-severity — `extract/invalid-id` stays an error: it says that something to \
             be judged could not be read",
        ]
    );
    assert_eq!(findings.iter().map(|finding| finding.column).collect::<Vec<_>>(), [Some(1), Some(1)]);
}

#[test]
fn later_keys_are_named_as_not_supported_yet() {
    for key in ["roots", "waivers", "baseline", "contracts", "link-base"] {
        assert_eq!(problems_of(&format!("{key} = 1")), [format!("sdp.toml:1:1 `{key}` is not supported yet")]);
    }
    assert_eq!(problems_of("contracts.out = 1"), ["sdp.toml:1:1 `contracts` is not supported yet"]);
}

#[test]
fn many_problems_are_capped() {
    let text: String = (0..300).map(|number| format!("key-number-{number} = 1\n")).collect();
    let problems = problems_of(&text);
    assert_eq!(problems.len(), 101);
    assert_eq!(problems.last().unwrap(), "sdp.toml:101:1 more than 100 problems: the others are not shown");
}

#[test]
fn a_table_that_is_none_is_an_error() {
    let root = tree(&[("Cargo.toml", "[workspace.metadata]\nsdp = 3\n")]);
    assert_eq!(
        problems(at_root(root.path())),
        ["Cargo.toml:2:7 `[workspace.metadata.sdp]` of Cargo.toml must be a table, not an integer"]
    );
}

#[test]
fn a_manifest_that_does_not_speak_of_us_is_never_an_error() {
    let huge = format!("[package]\n#{}", "x".repeat(2 * 1024 * 1024));
    for text in
        ["[package", "[package]\nmetadata = 3", "package = 1", "[dependencies]\nsdp = [[", "# metadata.sdp\n=", &huge]
    {
        let root = tree(&[("Cargo.toml", text)]);
        assert_eq!(at_root(root.path()).unwrap().source, None, "{}", text.get(..40).unwrap_or(text));
    }
    let folder = tree(&[("Cargo.toml/", "")]);
    assert_eq!(at_root(folder.path()).unwrap().source, None);
    let bytes = tree(&[]);
    fs::write(bytes.path().join("Cargo.toml"), b"[package]\nname = \"\xff\"").unwrap();
    assert_eq!(at_root(bytes.path()).unwrap().source, None);
}

#[test]
fn a_broken_manifest_that_speaks_of_us_is_an_error_in_place() {
    for (text, expected) in [
        (
            "[workspace.metadata.sdp]\nexclude = [\n",
            "Cargo.toml:2:12 Cargo.toml is not TOML: unclosed array, expected `]`",
        ),
        (
            "\"é\" = \"[ workspace . metadata . 'sdp' ]\n[workspace.metadata.sdp]",
            "Cargo.toml:1:40 Cargo.toml is not TOML: invalid basic string, expected `\"`",
        ),
        (
            "[package.metadata]\nsdp = { exclude = 1, exclude = 2 }",
            "Cargo.toml:2:22 Cargo.toml is not TOML: duplicate key",
        ),
    ] {
        assert_eq!(problems(at_root(tree(&[("Cargo.toml", text)]).path())), [expected]);
    }
    let root = tree(&[]);
    fs::write(root.path().join("Cargo.toml"), b"[package.metadata.sdp]\n# \xc3\xa9\xff").unwrap();
    assert_eq!(problems(at_root(root.path())), ["Cargo.toml:2:4 Cargo.toml is not UTF-8"]);
}

#[test]
fn an_own_file_that_cannot_be_had_is_an_error() {
    assert_eq!(problems(at_root(tree(&[("sdp.toml/", "")]).path())), ["sdp.toml:-:- sdp.toml is not a regular file"]);
    let huge = "#".repeat(1024 * 1024 + 1);
    assert_eq!(problems_of(&huge), ["sdp.toml:-:- sdp.toml is larger than 1 MiB"]);
    assert_eq!(problems_of("a = 1\na = 2"), ["sdp.toml:2:1 sdp.toml is not TOML: duplicate key"]);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_no_silent_absence() {
    let root = tree(&[]);
    std::os::unix::fs::symlink("missing", root.path().join("sdp.toml")).unwrap();
    assert_eq!(problems(at_root(root.path())), ["sdp.toml:-:- sdp.toml is a symbolic link that leads nowhere"]);
}

#[test]
fn deep_nesting_is_refused_and_aborts_nothing() {
    let path = vec!["a"; 79].join(".");
    for text in [
        format!("a = {}", "[".repeat(100_000)),
        "[".repeat(100_000),
        format!("a = {}", "{a=".repeat(100_000)),
        format!("{}b = 1{}", format!("{path} = {{").repeat(79), "}".repeat(79)),
    ] {
        let found = problems_of(&text);
        assert_eq!(found.len(), 1);
        assert!(found[0].ends_with("sdp.toml nests brackets deeper than 16 levels"), "{found:?}");
    }
    let found = problems_of(&format!("a{} = 1", ".a".repeat(100_000)));
    assert_eq!(found, ["sdp.toml:-:- sdp.toml is not TOML: recursion limit"]);
}

#[test]
fn brackets_in_strings_and_comments_do_not_nest() {
    let many = "[".repeat(40);
    let text = format!(
        "# {many}\n[[rules]]\nname = \"\\\"{many}\"\nrecipe = 1\ndescription = '''{many}'\n{many}'''\n\
         params = {{ a = \"\"\"\\\"\"\"{many}\"\"\", b = '{many}' }}\n"
    );
    let config = at_root(tree(&[("sdp.toml", &text)]).path()).unwrap();
    assert_eq!(config.rules[0].description, Some(format!("{many}'\n{many}")));
    assert_eq!(config.rules[0].name, format!("\"{many}"));
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

#[test]
fn configured_languages_are_read_in_both_notations() {
    let text = "\
[[comment-languages]]
endings = [\"jutso\", \"x.y\"]
like = \"rust\"

[[comment-languages]]
names = [\"Foofile\"]
line = [\"--\"]
block = [[\"{-\", \"-}\"]]
nested = true
strings = [\"'\"]
";
    let config = at_root(tree(&[("sdp.toml", text)]).path()).unwrap();
    let name =
        |file: &str| config.languages.get(config.languages.of_file_name(file)?).map(|found| found.name.to_string());
    assert_eq!((name("a.jutso"), name("b.x.y")), (Some("Rust".to_owned()), Some("Rust".to_owned())));
    assert_eq!(name("Foofile"), Some("Foofile".to_owned()));
    let text = "comment-languages = [{ endings = [\"py\"], line = [\"%\"] }]";
    let config = at_root(tree(&[("sdp.toml", text)]).path()).unwrap();
    let language = config.languages.get(config.languages.of_file_name("a.py").unwrap()).unwrap();
    let read = crate::anchor::comment::read(language, "a.py", "# @sdpAnchor impl:no\n% @sdpAnchor impl:a\n");
    assert_eq!(read.anchors.iter().map(|anchor| anchor.id.as_str()).collect::<Vec<_>>(), ["impl:a"]);
}

#[test]
fn trusted_modules_are_read_with_their_places() {
    let expected = [("@acme/sdp", 2, 12), ("src/model/code-anchor.ts", 3, 1)];
    for (file, table) in [("sdp.toml", "[typescript]"), ("Cargo.toml", "[workspace.metadata.sdp.typescript]")] {
        let text = format!("{table}\ntrusted = [\"@acme/sdp\",\n\"src/model/code-anchor.ts\"]\n");
        let config = at_root(tree(&[(file, &text)]).path()).unwrap();
        let modules = config.modules.iter();
        let modules: Vec<_> = modules.map(|(module, place)| (module.as_str(), place.line, place.column)).collect();
        assert_eq!(modules, expected);
        assert!(config.modules.iter().all(|(_, place)| place.file == file));
        let options = crate::discover::DiscoverOptions::of(&config, &Environment::default());
        assert_eq!(options.modules.entries(), expected.map(|(module, ..)| module));
        assert_eq!(options.module_places.len(), 2);
    }
    assert_eq!(at_root(tree(&[("sdp.toml", "typescript = {}")]).path()).unwrap().modules, []);
}

#[test]
fn what_is_wrong_with_a_trusted_module_is_said_where_it_stands() {
    let at = |column: usize, message: &str| vec![format!("sdp.toml:1:{column} {message}")];
    for (module, message) in [
        ("", "a module must not be empty"),
        (" ", "a module must not be empty"),
        ("../ids.js", "write the path of the module from the root, without `..`: `../ids.js`"),
        ("src/../ids.ts", "write the path of the module from the root, without `..`: `src/../ids.ts`"),
        ("a\\nb", "a module has at most 200 bytes, without `\\` and control characters"),
        ("src\\\\ids.ts", "a module has at most 200 bytes, without `\\` and control characters"),
        (&"a".repeat(201), "a module has at most 200 bytes, without `\\` and control characters"),
        ("@libar-dev/software-delivery-protocol", "`@libar-dev/software-delivery-protocol` is always trusted"),
        (
            "@libar-dev/software-delivery-protocol/anchors",
            "`@libar-dev/software-delivery-protocol/anchors` is always trusted",
        ),
    ] {
        let problems = problems_of(&format!("typescript.trusted = [\"{module}\"]"));
        assert_eq!(problems, at(23, &format!("`typescript.trusted`: {message}")), "{module}");
    }
    assert_eq!(
        problems_of("typescript.trusted = [\"a\", \"b\", \"a\"]"),
        at(33, "`typescript.trusted`: `a` stands at line 1 already")
    );
    assert_eq!(
        problems_of("typescript.trusted = [1]"),
        at(23, "`typescript.trusted` must hold strings only, not an integer")
    );
    assert_eq!(
        problems_of("typescript.trusted = \"a\""),
        at(22, "`trusted` must be an array of strings, not a string")
    );
    assert_eq!(problems_of("typescript = 1"), at(14, "`typescript` must be a table, not an integer"));
    assert_eq!(
        problems_of("typescript.trust = []"),
        at(12, "`trust` is not a `typescript` key: did you mean `trusted`?")
    );
    let many: Vec<String> = (0..201).map(|number| format!("\"m{number}\"")).collect();
    assert_eq!(
        problems_of(&format!("typescript.trusted = [{}]", many.join(","))),
        at(12, "`typescript.trusted` holds more than 200 modules")
    );
}

#[test]
fn what_is_wrong_with_a_language_is_said_where_it_stands() {
    let problem = |table: &str| problems_of(&format!("comment-languages = [{{ {table} }}]"));
    let at = |column: usize, message: &str| vec![format!("sdp.toml:1:{column} {message}")];
    assert_eq!(
        problem("endings = [\"a\"], like = \"Pyton\""),
        at(48, "`like` names no language that is built in: `Pyton`: did you mean `Python`?")
    );
    assert_eq!(
        problem("endings = [\"a\"], like = \"q\""),
        at(48, "`like` names no language that is built in: `q`: did you mean `C`?")
    );
    for (ending, message) in [
        (".a", "write the ending without its dot: `a`"),
        ("a/b", "it is part of the name of a file, of at most 255 bytes and without `/`"),
        ("", "it must not be empty"),
        ("sdp.md", "`sdp.md` is a carrier of Specs, whose comments bind nothing"),
        #[cfg(feature = "typescript")]
        ("ts", "`ts` is TypeScript, which is built in: it keeps its meaning"),
        #[cfg(feature = "typescript")]
        ("d.ts", "`d.ts` is TypeScript, which is built in: it keeps its meaning"),
        #[cfg(feature = "typescript")]
        ("mts", "`mts` is TypeScript, which is read in `.ts` and `.tsx` files only"),
        #[cfg(not(feature = "typescript"))]
        ("ts", "`ts` is TypeScript, which this build does not read"),
        ("rs", "`rs` is Rust, whose attributes are read as well: it keeps its meaning"),
        ("in.rs", "`in.rs` is Rust, whose attributes are read as well: it keeps its meaning"),
    ] {
        assert_eq!(
            problem(&format!("like = \"C\", endings = [\"{ending}\"]")),
            at(47, &format!("`endings`: {message}")),
            "{ending}"
        );
    }
    let whole = |table: &str| {
        let problems = problem(table);
        assert_eq!(problems.len(), 1, "{problems:?}");
        problems[0].split_once(' ').unwrap().1.to_owned()
    };
    assert_eq!(whole("endings = [\"a\", \"a\"], like = \"C\""), "`endings`: `a` stands at line 1 already");
    assert_eq!(whole("endings = [], like = \"C\""), "`endings` must hold 1 to 200 strings");
    assert_eq!(whole("endings = [1], like = \"C\""), "`endings` must hold strings only, not an integer");
    assert_eq!(
        whole("names = [\"a.sdp.md\"], like = \"C\""),
        "`names`: `a.sdp.md` is a carrier of Specs, whose comments bind nothing"
    );
    assert_eq!(
        whole("names = [\"lib.rs\"], line = [\"#\"]"),
        "`names`: `lib.rs` is Rust, whose attributes are read as well: it keeps its meaning"
    );
    assert_eq!(
        whole("names = [\"main.tsx\"], like = \"C\""),
        if cfg!(feature = "typescript") {
            "`names`: `main.tsx` is TypeScript, which is built in: it keeps its meaning"
        } else {
            "`names`: `main.tsx` is TypeScript, which this build does not read"
        }
    );
    assert_eq!(whole("endings = [\"a\"]"), "a language needs `like`, or comments in `line` or `block`");
    assert_eq!(whole("like = \"C\""), "a language needs `endings` or `names` of files");
    assert_eq!(
        whole("endings = [\"a\"], like = \"C\", line = [\"#\"]"),
        "a language is `like` another one or has rules of its own, not both: `line`"
    );
    assert_eq!(whole("endings = [\"a\"], line = [\"# \"]"), "`line`: a token has 1 to 16 bytes and no white space");
    assert_eq!(whole("endings = [\"a\"], block = [[\"(*\"]]"), "`block`: a pair is what opens and what closes");
    assert_eq!(
        whole("endings = [\"a\"], block = [\"(*\"]"),
        "`block` must be an array of pairs, such as [[\"{-\", \"-}\"]]"
    );
    assert_eq!(
        whole("endings = [\"a\"], line = [\"#\"], nested = 1"),
        "`nested` must be true or false, not an integer"
    );
    assert!(whole("endings = [\"a\"], line = [\"#\"], string = []").contains("strings"));
    assert_eq!(
        problems_of("comment-languages = 1"),
        at(21, "`comment-languages` must be an array of tables, not an integer")
    );
    assert_eq!(
        problems_of("comment-languages = [1]"),
        at(22, "`comment-languages` must hold tables only, not an integer")
    );
}
