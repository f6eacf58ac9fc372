use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::super::tests::tree;
use super::*;
use crate::config::{Environment, load};

const TWO: &str = "roots = [{ path = 'backend' }, { path = 'web', name = 'site' }]\n";

fn two(more: &str) -> TempDir {
    tree(&[("sdp.toml", &format!("{TWO}{more}")), ("backend/src/", ""), ("web/", ""), ("tools/", "")])
}

fn all(cwd: &Path, root: Option<&str>) -> Result<Vec<Config>, LoadError> {
    load_all(&RootRequest { root: root.map(Path::new), cwd })
}

/// `name folder` of each root, with `-` for no name.
fn found(top: &Path, cwd: &str, root: Option<&str>) -> Vec<String> {
    let configs = all(&top.join(cwd), root).unwrap();
    let shown = |config: &Config| {
        let folder = config.root.strip_prefix(top).unwrap().display().to_string();
        format!("{} {folder}", config.name.as_deref().unwrap_or("-"))
    };
    configs.iter().map(shown).collect()
}

/// `file:line message` of each problem.
fn problems(top: &Path) -> Vec<String> {
    match all(top, None) {
        Err(LoadError::Invalid { root, findings }) => {
            assert_eq!(root, top);
            let shown = |finding: &Finding| {
                let line = finding.line.map_or("-".to_owned(), |line| line.to_string());
                format!("{}:{line} {}", finding.file.as_deref().unwrap(), finding.message)
            };
            findings.iter().map(shown).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn listed_roots_come_in_their_order_and_share_the_configuration() {
    let top = two("rule-globs = ['policy/*.sdp.js']\nout-dir = 'out'\nlimits = { time = 3 }\n");
    let configs = all(top.path(), None).unwrap();
    assert_eq!(found(top.path(), "", None), ["backend backend", "site web"]);
    for config in &configs {
        assert_eq!((config.base.as_path(), config.home.as_path()), (top.path(), top.path()));
        assert_eq!(config.source, Some(top.path().join("sdp.toml")));
        assert_eq!(config.source_file().as_deref(), Some("../sdp.toml"));
        assert_eq!(config.rule_globs, ["policy/*.sdp.js"]);
        assert_eq!(config.limits.time.as_secs(), 3);
        assert!(config.is_shared);
        let out = config.out_dir(&Environment::default());
        assert_eq!(out, top.path().join("out").join(config.name.as_deref().unwrap()));
    }
    let error = load(&RootRequest { root: None, cwd: top.path() }).unwrap_err();
    assert!(matches!(error, LoadError::SeveralRoots(names) if names == ["backend", "site"]));
}

#[test]
fn a_start_inside_a_listed_root_takes_that_root_and_its_name() {
    let top = two("");
    for (cwd, expected) in [
        ("backend", &["backend backend"][..]),
        ("backend/src", &["backend backend"]),
        ("web", &["site web"]),
        ("tools", &["backend backend", "site web"]),
        ("", &["backend backend", "site web"]),
    ] {
        assert_eq!(found(top.path(), cwd, None), expected, "{cwd}");
    }
}

#[test]
fn a_root_is_chosen_by_its_folder_or_its_name() {
    let top = two("");
    for (cwd, root, expected) in [
        ("", "backend", "backend backend"),
        ("", "./web", "site web"),
        ("", "site", "site web"),
        ("web", "backend", "backend backend"),
        ("web", ".", "site web"),
        ("backend/src", "..", "backend backend"),
        ("", "backend/src", "- backend/src"),
        ("", "tools", "- tools"),
    ] {
        assert_eq!(found(top.path(), cwd, Some(root)), [expected], "{root} in {cwd}");
    }
    assert_eq!(found(top.path(), "web", Some("..")).len(), 2, "the folder that lists them stands for all");
    let error = all(top.path(), Some("sight")).unwrap_err();
    assert!(matches!(error, LoadError::RootIsNotAFolder(path) if path == top.path().join("sight")));
}

#[cfg(unix)]
#[test]
fn a_link_to_a_listed_root_is_that_root() {
    let top = two("");
    std::os::unix::fs::symlink("web", top.path().join("link")).unwrap();
    assert_eq!(found(top.path(), "", Some("link")), ["site web"]);
}

#[test]
fn a_root_with_a_configuration_of_its_own_uses_that_one() {
    let top = two("exclude = ['backend/drafts', 'web/drafts']\n");
    fs::write(top.path().join("web/sdp.toml"), "exclude = ['own']\nout-dir = 'out'").unwrap();
    let configs = all(top.path(), None).unwrap();
    let [backend, web] = configs.as_slice() else { panic!("{configs:?}") };
    assert_eq!(backend.exclude, ["drafts"]);
    assert!(!backend.is_shared && !web.is_shared, "nobody shares");
    assert_eq!(web.exclude, ["own"]);
    assert_eq!((web.base.as_path(), web.home.as_path()), (top.path().join("web").as_path(), top.path()));
    assert_eq!(web.source_file().as_deref(), Some("sdp.toml"));
    assert_eq!(web.out_dir(&Environment::default()), top.path().join("web/out/site"));
    assert_eq!(found(top.path(), "web", None), ["site web"], "its name is the same from inside");
    let odd = &backend.findings[0];
    assert_eq!(odd.file.as_deref(), Some("../sdp.toml"));
    assert_eq!(odd.message, "the exclude `web/drafts` lies in no root that this configuration holds for");
}

#[test]
fn one_listed_root_has_no_name() {
    let top =
        tree(&[("Cargo.toml", "[workspace.metadata.sdp]\nroots = [{ path = 'docs/model' }]"), ("docs/model/", "")]);
    assert_eq!(found(top.path(), "", None), ["- docs/model"]);
    let config = load(&RootRequest { root: None, cwd: top.path() }).unwrap();
    assert_eq!(config.config_folder(), "../../");
    assert_eq!((config.is_shared, config.home.as_path()), (false, top.path()));
}

#[test]
fn excludes_are_cut_down_to_the_root_that_they_lie_in() {
    let text = "roots = [{ path = '.', name = 'top' }, { path = 'a' }, { path = 'b/c' }]
exclude = ['a', 'b/c', 'b/other', 'a/drafts', 'b/c/x/y', 'docs']";
    let top = tree(&[("sdp.toml", text), ("a/", ""), ("b/c/", "")]);
    let excludes: Vec<Vec<String>> = all(top.path(), None).unwrap().into_iter().map(|config| config.exclude).collect();
    let expected: [&[&str]; 3] = [&["a", "b/c", "b/other", "docs"], &["drafts"], &["x/y"]];
    assert_eq!(excludes, expected);
    assert_eq!(found(top.path(), "b", None), ["top ", "a a", "c b/c"], "the folder of all chooses none");
    assert_eq!(found(top.path(), "", Some("top")), ["top "]);
}

#[test]
fn an_exclude_of_no_root_is_said_once() {
    let top = two("exclude = ['backend', 'tools/x', 'backendx']\n");
    let configs = all(top.path(), None).unwrap();
    let messages: Vec<Vec<&str>> =
        configs.iter().map(|config| config.findings.iter().map(|one| one.message.as_str()).collect()).collect();
    let said = |path: &str| format!("the exclude `{path}` lies in no root that this configuration holds for");
    assert_eq!(messages, [["backend", "tools/x", "backendx"].map(said).to_vec(), Vec::<String>::new()]);
}

#[test]
fn trusted_modules_are_cut_down_too() {
    let top = two("typescript.trusted = ['@acme/sdp', 'backend/src/ids.ts', 'web/ids.ts', 'shared/ids.ts']\n");
    let modules: Vec<Vec<String>> = all(top.path(), None)
        .unwrap()
        .into_iter()
        .map(|config| config.modules.into_iter().map(|(module, _)| module).collect())
        .collect();
    assert_eq!(modules, [["@acme/sdp", "src/ids.ts", "shared/ids.ts"], ["@acme/sdp", "ids.ts", "shared/ids.ts"]]);
}

#[test]
fn what_is_wrong_with_the_list_is_said_where_it_stands() {
    let of = |text: &str| {
        let top = tree(&[("sdp.toml", text), ("a/b/", ""), ("c/b/", "")]);
        problems(top.path()).into_iter().map(|one| one.replace("sdp.toml:", "")).collect::<Vec<_>>()
    };
    assert_eq!(of("roots = []"), ["1 `roots` must list at least one root"]);
    assert_eq!(of("roots = 'a'"), ["1 `roots` must be an array of tables, not a string"]);
    assert_eq!(of("roots = ['a']"), ["1 `roots` must hold tables only, not a string"]);
    assert_eq!(of("roots = [{ name = 'x' }]"), ["1 a root needs a `path`"]);
    assert_eq!(of("roots = [{ path = 'a', nam = 'x' }]"), ["1 `nam` is not a root key: did you mean `name`?"]);
    assert_eq!(of("roots = [{ path = 1 }]"), ["1 `path` must be a string, not an integer"]);
    for path in ["../a", "/a", "./a", "a/", "a/./b", "a//b", "a\\\\b", "\u{200b}a", &"a".repeat(1025)] {
        let found = of(&format!("roots = [{{ path = \"{path}\" }}]"));
        assert!(found[0].starts_with("1 `path` must be `.` or a path below the configuration's folder"), "{found:?}");
    }
    assert_eq!(of("roots = [{ path = 'none' }]"), ["1 the root `none` does not exist"]);
    assert_eq!(of("roots = [{ path = 'sdp.toml' }]"), ["1 the root `sdp.toml` is not a folder"]);
    assert_eq!(
        of("roots = [{ path = '.' }]"),
        ["1 the root `.` needs a `name`: its folder may be called otherwise elsewhere"]
    );
    for name in ["a::b", ":a", "a:", "a/b", "a\\\\b", ".", "..", " a", "a\u{202e}", &"a".repeat(201)] {
        let found = of(&format!("roots = [{{ path = \"a\", name = \"{name}\" }}]"));
        assert!(found[0].starts_with("1 `name` cannot be a root's: "), "{found:?}");
    }
    assert_eq!(
        of("[[roots]]\npath = 'a/b'\n[[roots]]\npath = 'c/b'\n[[roots]]\npath = 'a/b'\nname = 'd'"),
        ["3 a root named `b` stands at line 1 already", "5 a root at `a/b` stands at line 1 already"]
    );
    let many: Vec<String> = (0..101).map(|number| format!("{{ path = 'a', name = 'n{number}' }}")).collect();
    assert!(of(&format!("roots = [{}]", many.join(","))).contains(&"1 `roots` lists more than 100 roots".to_owned()));
}

#[test]
fn a_root_inside_another_one_must_be_excluded_there() {
    let text =
        |exclude: &str| format!("roots = [{{ path = 'a' }},\n{{ path = 'a/b/c', name = 'c' }}]\nexclude = [{exclude}]");
    let of = |exclude: &str| tree(&[("sdp.toml", &text(exclude)), ("a/b/c/", "")]);
    let refused =
        "sdp.toml:2 the root `a/b/c` lies in the root `a`, so that its files would be in both: exclude `b/c` there";
    assert_eq!(problems(of("").path()), [refused]);
    assert_eq!(problems(of("'a/b/c/d', 'a/b/cc'").path()), [refused]);
    for exclude in ["'a/b/c'", "'a/b'"] {
        assert_eq!(all(of(exclude).path(), None).unwrap().len(), 2, "{exclude}");
    }
    let top = of("'a/b/c'");
    fs::write(top.path().join("a/sdp.toml"), "exclude = ['x']").unwrap();
    assert_eq!(problems(top.path()), [refused], "the outer root's own excludes count");
    fs::write(top.path().join("a/sdp.toml"), "exclude = ['b']").unwrap();
    assert_eq!(all(top.path(), None).unwrap().len(), 2);
    assert_eq!(found(top.path(), "a/b/c", None), ["c a/b/c"], "the deepest one is meant");
}

#[cfg(unix)]
#[test]
fn links_are_no_roots() {
    let top = tree(&[("sdp.toml", "roots = [{ path = 'a' }, { path = 'b' }]"), ("a/", "")]);
    std::os::unix::fs::symlink("a", top.path().join("b")).unwrap();
    assert_eq!(
        problems(top.path()),
        ["sdp.toml:1 the root `b` is or lies behind a symbolic link, which is not followed"]
    );
}

#[test]
fn what_is_wrong_with_a_roots_own_configuration_is_said_of_the_roots_that_are_run() {
    let top = two("");
    fs::write(top.path().join("web/sdp.toml"), "exlude = []\nroots = [{ path = 'x' }]").unwrap();
    assert_eq!(
        problems(top.path()),
        [
            "web/sdp.toml:1 `exlude` is not a configuration key: did you mean `exclude`?",
            "web/sdp.toml:2 a root that is listed cannot list roots of its own"
        ]
    );
    assert_eq!(found(top.path(), "backend", None), ["backend backend"]);
    assert!(all(&top.path().join("web"), None).is_err());
}

#[test]
fn a_configuration_deeper_inside_a_listed_root_stands_for_itself() {
    let top = two("");
    fs::create_dir_all(top.path().join("backend/examples/shop")).unwrap();
    fs::write(top.path().join("backend/examples/shop/sdp.toml"), "").unwrap();
    assert_eq!(found(top.path(), "backend/examples/shop", None), ["- backend/examples/shop"]);
    assert_eq!(found(top.path(), "backend/examples", None), ["backend backend"]);
}

#[test]
fn a_broken_listing_is_no_reason_to_run_with_the_defaults() {
    let top = two("");
    fs::write(top.path().join("sdp.toml"), format!("{TWO}exlude = []")).unwrap();
    for (cwd, root) in [("backend", None), ("", Some("backend")), ("", Some("./backend")), ("", Some("site"))] {
        assert!(all(&top.path().join(cwd), root).is_err(), "{root:?} in {cwd:?}");
    }
    fs::write(top.path().join("sdp.toml"), "<<<<<<< ours\n").unwrap();
    assert!(all(top.path(), Some("./backend")).is_err());
    fs::write(top.path().join("backend/sdp.toml"), "").unwrap();
    assert_eq!(found(top.path(), "", Some("./backend")), ["- backend"], "it needs no other");
}
