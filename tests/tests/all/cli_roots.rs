//! Several roots in one repository, as a process: which roots a command takes, what their cases and files are called, and how
//! their configurations hold.

use std::path::{Path, PathBuf};
use std::process::Command;

use sdp_tests::{BROKEN_CARRIER, Repo, Run, ends, spec_text};

const TWO: &str = "roots = [{ path = \"backend\" }, { path = \"apps/web\", name = \"site\" }]\n";

/// Two roots with one Spec of the same id each, and a configuration that lists them.
fn repo(more: &str) -> Repo {
    Repo::new()
        .file("sdp.toml", format!("{TWO}{more}"))
        .file("backend/specs/a.sdp.md", spec_text("a", "", ""))
        .file("apps/web/specs/a.sdp.md", spec_text("a", "", ""))
        .file("tools/readme.txt", "")
}

fn run_in(repo: &Repo, folder: &str, arguments: &[&str]) -> Run {
    repo.command(arguments).cwd(repo.path(folder)).run()
}

/// The cases that a run lists, without those of checks and recipes.
fn cases(run: &Run) -> Vec<&str> {
    let names = run.stdout.lines().filter_map(|line| line.strip_suffix(": test"));
    names.filter(|name| name.contains("extract::") || name.contains("rule::")).collect()
}

#[test]
#[sdp::verifies("spec:sdp.roots")]
fn each_root_is_a_graph_of_its_own_with_a_summary_and_a_total() {
    let run = repo("severity = { \"conformance/orphans\" = \"allow\" }\n").sdp(["check"]);
    ends(&run, 0);
    assert_eq!(
        run.stdout,
        "backend: 0 errors · 0 warnings (1 spec · 0 packs)\n\
         site: 0 errors · 0 warnings (1 spec · 0 packs)\n\
         total: 0 errors · 0 warnings (2 roots)\n"
    );
    assert_eq!(run.stderr, "");
}

#[test]
fn files_are_called_from_the_configurations_folder_and_shown_from_there() {
    let repo = repo("").file("apps/web/specs/b.sdp.md", BROKEN_CARRIER);
    let run = repo.sdp(["check", "--output", "short"]);
    ends(&run, 1);
    assert!(run.stderr.starts_with("backend/specs/a.sdp.md:2 — [warning] conformance/orphans — "), "{}", run.stderr);
    assert!(run.stderr.contains("\napps/web/specs/b.sdp.md:2 — [error] extract/"), "{}", run.stderr);
    assert_eq!(run_in(&repo, "apps/web/specs", &["check", "--output", "short"]).stderr, {
        let of_site: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("apps/web/")).collect();
        of_site.join("\n") + "\n"
    });
    let human = repo.sdp(["check"]);
    assert!(human.stderr.contains(" --> apps/web/specs/b.sdp.md:2"), "{}", human.stderr);
    assert!(human.stderr.contains("2 | id: \"spec:\"\n"), "{}", human.stderr);
    let json = repo.sdp(["check", "--output", "json"]);
    assert!(json.stdout.contains("\"file\":\"apps/web/specs/b.sdp.md\""), "{}", json.stdout);
}

#[test]
fn a_finding_without_a_file_names_the_root() {
    let repo =
        Repo::new().file("sdp.toml", TWO).file("backend/x", "").file("apps/web/specs/a.sdp.md", spec_text("a", "", ""));
    let run = repo.sdp(["check", "--output", "short"]);
    ends(&run, 1);
    assert!(run.stderr.contains("backend — [error] sdp/no-specs — "), "{}", run.stderr);
}

#[test]
fn the_configurations_own_folder_may_be_a_root_among_others() {
    let repo = Repo::new()
        .file("sdp.toml", "roots = [{ path = \".\", name = \"top\" }, { path = \"backend\" }]\nexclude = [\"backend\"]\n[[rules]]\nname = \"gone\"\nbody = \"gone.sdp.js\"\n")
        .file("backend/specs/a.sdp.md", spec_text("a", "", ""));
    let run = repo.sdp(["check", "--output", "short", "-A", "conformance/orphans"]);
    ends(&run, 1);
    let lines: Vec<&str> = run.stderr.lines().filter(|line| line.contains("[error]")).collect();
    assert_eq!(lines.len(), 2, "{}", run.stderr);
    assert!(lines[0].starts_with(". — [error] sdp/no-specs — "), "{}", run.stderr);
    assert!(lines[1].starts_with("sdp.toml:3 — [error] sdp/invalid-config — the rule \"gone\""), "{}", run.stderr);
    let run = repo.sdp(["check", "--root", "backend"]);
    assert!(run.stdout.starts_with("backend: 1 error · "), "{}", run.stdout);
    assert!(repo.sdp(["q", "return g.specs().length", "--root", "top"]).stdout.starts_with("0\n"));
}

#[test]
fn case_names_open_with_the_roots_name_from_everywhere() {
    let repo = repo("").file("rules/ok.sdp.js", "return []");
    let all = ["backend::extract::carriers", "backend::rule::ok", "site::extract::carriers", "site::rule::ok"];
    for (folder, arguments, expected) in [
        ("", &["rules", "--list"][..], &all[..]),
        ("tools", &["rules", "--list"], &all),
        ("backend", &["rules", "--list"], &all[..2]),
        ("apps/web/specs", &["rules", "--list"], &all[2..]),
        ("", &["rules", "--list", "--root", "apps/web"], &all[2..]),
        ("backend", &["rules", "--list", "--root", "site"], &all[2..]),
        ("backend", &["rules", "--list", "--manifest-path", "../sdp.toml"], &all),
        ("", &["rules", "backend::rule", "--list"], &all[1..2]),
    ] {
        let run = run_in(&repo, folder, arguments);
        ends(&run, 0);
        assert_eq!(cases(&run), expected, "{arguments:?} in {folder}");
    }
    ends(&repo.sdp(["rules"]), 0);
}

#[test]
fn a_rule_may_fail_in_one_root_only() {
    let body =
        "return g.specs().filter((one) => one.id === 'spec:b').map((one) => ({ subject: one.id, message: 'no b' }))";
    let repo = repo("").file("rules/nob.sdp.js", body).file("apps/web/specs/b.sdp.md", spec_text("b", "", ""));
    let run = repo.sdp(["rules", "rule::"]);
    ends(&run, 101);
    assert!(run.stdout.contains("test backend::rule::nob ... ok\n"), "{}", run.stdout);
    assert!(run.stdout.contains("---- site::rule::nob ----\n"), "{}", run.stdout);
    assert!(run.stdout.contains("--> apps/web/specs/b.sdp.md:2\n"), "{}", run.stdout);
    assert!(run.stdout.contains("2 | id: spec:b\n"), "{}", run.stdout);
    ends(&repo.sdp(["rules", "rule::", "--root", "backend"]), 0);
}

#[test]
fn a_fault_of_a_shared_rule_stands_at_its_own_file() {
    let repo = repo("[[rules]]\nname = \"mine\"\nbody = \"shared/mine.sdp.js\"\n[[rules]]\nname = \"text\"\nbody = \"shared/text.sdp.js\"\n")
        .file("shared/mine.sdp.js", "return [];\nthrow 1;\n}")
        .file("shared/text.sdp.js", "return 'x'");
    let run = repo.sdp(["rules", "backend::rule::"]);
    ends(&run, 101);
    assert!(run.stdout.contains("--> shared/mine.sdp.js:3"), "{}", run.stdout);
    assert!(run.stdout.contains("--> sdp.toml:5\n"), "{}", run.stdout);
    assert!(run.stdout.contains("5 | [[rules]]\n"), "{}", run.stdout);
}

#[test]
fn what_is_odd_about_a_shared_configuration_is_said_once() {
    let text = "exclude = [\"tools/x\", \"backend/none\"]
comment-languages = [{ endings = [\"foo\", \"bar\"], like = \"Shell\" }]
typescript.trusted = [\"@acme/none\", \"backend/src/ids.ts\"]
[[rules]]
name = \"gone\"
body = \"shared/gone.sdp.js\"
";
    let repo = repo(text).file("apps/web/a.bar", "# @sdpAnchor impl:x\n# @sdpSatisfies spec:a\n");
    let run = repo.sdp(["check", "--output", "short", "-A", "conformance/orphans"]);
    ends(&run, 1);
    let said: Vec<&str> = run.stderr.lines().filter(|line| line.contains(" sdp/")).collect();
    assert_eq!(
        said,
        [
            "backend — [warning] sdp/unmatched-exclude — the exclude `none` matched nothing",
            "sdp.toml — [warning] sdp/unmatched-exclude — the exclude `tools/x` lies in no root that this configuration holds for",
            "sdp.toml:3 — [warning] sdp/unmatched-language — no file below the root has the ending or name `.foo` of `comment-languages`",
            "sdp.toml:4 — [warning] sdp/unmatched-module — no import below the root leads to the module `@acme/none` of `typescript.trusted`",
            "sdp.toml:4 — [warning] sdp/unmatched-module — no import below the root leads to the module `src/ids.ts` of `typescript.trusted`",
            "sdp.toml:5 — [error] sdp/invalid-config — the rule \"gone\" at sdp.toml:5 names `shared/gone.sdp.js`, which is no file",
        ]
    );
    let one = run_in(&repo, "backend", &["check", "--output", "short", "-A", "conformance/orphans"]);
    assert!(!one.stderr.contains("unmatched-language"), "another root may have it: {}", one.stderr);
}

#[test]
fn a_root_may_have_a_configuration_of_its_own() {
    let repo = repo("")
        .file("rules/shared.sdp.js", "return []")
        .file("apps/web/sdp.toml", "exclude = [\"drafts\"]\n")
        .file("apps/web/rules/own.sdp.js", "return []")
        .file("apps/web/drafts/b.sdp.md", BROKEN_CARRIER);
    let run = repo.sdp(["rules", "--list"]);
    assert_eq!(
        cases(&run),
        ["backend::extract::carriers", "backend::rule::shared", "site::extract::carriers", "site::rule::own"]
    );
    ends(&repo.sdp(["check"]), 0);
    assert_eq!(cases(&run_in(&repo, "apps/web", &["rules", "--list"])), ["site::extract::carriers", "site::rule::own"]);
    repo.write("apps/web/sdp.toml", "roots = [{ path = \"x\" }]\n");
    let run = repo.sdp(["check", "--output", "short"]);
    ends(&run, 1);
    assert_eq!(
        run.complaint(),
        "apps/web/sdp.toml:1 — [error] sdp/invalid-config — a root that is listed cannot list roots of its own"
    );
}

#[test]
fn a_rule_in_a_root_that_the_shared_globs_do_not_reach_is_said() {
    let repo = repo("").file("backend/rules/lost.sdp.js", "return []");
    let run = repo.sdp(["check", "--output", "short"]);
    let said = "backend/rules/lost.sdp.js — [warning] sdp/skipped-rule-file — the rule globs start at the folder of the \
                configuration, which lists this root: the rule does not run";
    assert!(run.stderr.lines().any(|line| line == said), "{}", run.stderr);
    let run = repo.sdp(["rules", "--list"]);
    assert_eq!(run.complaint(), format!("sdp rules: {said}"));
}

#[test]
fn excludes_start_at_the_configurations_folder() {
    let repo = repo("exclude = [\"backend/drafts\"]\n")
        .file("backend/drafts/b.sdp.md", BROKEN_CARRIER)
        .file("apps/web/old/b.sdp.md", BROKEN_CARRIER);
    ends(&repo.sdp(["check"]), 1);
    ends(&repo.sdp(["check", "--exclude", "apps/web/old"]), 0);
    ends(&run_in(&repo, "apps/web", &["check", "--exclude", "apps/web/old"]), 0);
    ends(&run_in(&repo, "backend", &["check"]), 0);
    let run = run_in(&repo, "backend", &["check", "--exclude", "apps/web/old", "--output", "short"]);
    let said = "[warning] sdp/unmatched-exclude — the exclude `apps/web/old` lies in no root of this run";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn commands_that_need_one_root_refuse_several_and_name_them() {
    let repo = repo("").file("specs/x.sdp.ts", "");
    for arguments in [&["q", "return g.specs().length"][..], &["recipes", "run", "1"], &["import", "specs/x.sdp.ts"]] {
        let run = repo.sdp(arguments);
        ends(&run, 1);
        let lines: Vec<&str> = run.stderr.lines().collect();
        let said = format!("sdp {}: the configuration lists several roots, and one is needed.", arguments[0]);
        assert_eq!(lines, [&said, "hint: choose one with --root backend (roots: backend, site)"]);
        assert_eq!(run.stdout, "");
    }
    for (folder, root) in [("", &["--root", "site"][..]), ("", &["--root", "apps/web"]), ("apps/web", &[])] {
        let run = run_in(&repo, folder, &[&["q", "return g.specs().length"][..], root].concat());
        assert_eq!((run.stdout.as_str(), run.code), ("1\n", Some(0)), "{}", run.stderr);
    }
}

#[test]
fn build_writes_each_root_into_a_folder_of_its_own() {
    let repo = repo("out-dir = \"out\"\n");
    let run = repo.sdp(["build"]);
    ends(&run, 0);
    assert!(run.stdout.starts_with("backend: 1 specs · "), "{}", run.stdout);
    for name in ["backend", "site"] {
        assert!(repo.path(&format!("out/{name}/graph.json")).is_file(), "{name}");
        assert!(repo.path(&format!("out/{name}/graph.schema.json")).is_file(), "{name}");
    }
    ends(&repo.sdp(["build", "--check"]), 0);
    ends(&run_in(&repo, "backend", &["build", "--check"]), 0);
    ends(&run_in(&repo, "tools", &["build", "--out-dir", "../other"]), 0);
    assert!(repo.path("other/site/graph.json").is_file());
    repo.write("apps/web/specs/b.sdp.md", spec_text("b", "", ""));
    let run = repo.sdp(["build", "--check"]);
    ends(&run, 1);
    let paths = run.stderr.lines().filter(|line| line.contains("is not what the Specs give")).count();
    assert_eq!(
        (paths, run.stderr.contains("/out/site/graph.json is not what the Specs give")),
        (1, true),
        "{}",
        run.stderr
    );
    // One root that cannot be derived keeps all from being written.
    repo.write("backend/specs/a.sdp.md", spec_text("changed", "", ""));
    repo.write("apps/web/specs/b.sdp.md", BROKEN_CARRIER);
    let before = std::fs::read(repo.path("out/backend/graph.json")).unwrap();
    ends(&repo.sdp(["build"]), 1);
    assert_eq!(std::fs::read(repo.path("out/backend/graph.json")).unwrap(), before);
}

#[test]
fn unbound_lists_the_packages_of_each_root_and_judges_its_own_rows() {
    let package = |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    let repo = repo("")
        .file("backend/Cargo.toml", package("shop"))
        .file("backend/src/lib.rs", "pub fn pay() {}\n")
        .file("apps/web/Cargo.toml", package("shop"))
        .file("apps/web/src/lib.rs", "pub fn show() {}\n");
    let run = repo.sdp(["unbound"]);
    ends(&run, 0);
    assert_eq!(
        run.stdout,
        "backend::shop: 1 of 1 public item and 0 of 0 tests are unbound\n  backend/src/lib.rs:1 fn shop::pay\n\
         site::shop: 1 of 1 public item and 0 of 0 tests are unbound\n  apps/web/src/lib.rs:1 fn shop::show\n"
    );
    let json: serde_json::Value = serde_json::from_str(&repo.sdp(["unbound", "--json"]).stdout).unwrap();
    let roots: Vec<_> = json["packages"].as_array().unwrap().iter().map(|one| (&one["root"], &one["name"])).collect();
    assert_eq!(roots, [(&"backend".into(), &"shop".into()), (&"site".into(), &"shop".into())]);
    ends(&repo.sdp(["unbound", "--baseline", "base.txt", "--update-baseline"]), 0);
    ends(&repo.sdp(["unbound", "--baseline", "base.txt"]), 0);
    ends(&run_in(&repo, "backend", &["unbound", "--baseline", "../base.txt"]), 0);
    repo.write("apps/web/src/lib.rs", "pub fn other() {}\n");
    ends(&repo.sdp(["unbound", "--baseline", "base.txt"]), 1);
    ends(&run_in(&repo, "backend", &["unbound", "--baseline", "../base.txt"]), 0);
    ends(&run_in(&repo, "apps/web", &["unbound", "--baseline", "../../base.txt", "--update-baseline"]), 0);
    let rows = std::fs::read_to_string(repo.path("base.txt")).unwrap();
    assert!(rows.ends_with("\nbackend::shop fn shop::pay\nsite::shop fn shop::other\n"), "{rows}");
}

#[test]
fn a_baseline_far_from_the_roots_is_called_by_its_own_path() {
    let far = tempfile::tempdir_in("/var/tmp").or_else(|_| tempfile::tempdir()).unwrap();
    let path = far.path().join("base.txt");
    std::fs::write(&path, "backend::conformance/orphans spec:gone\n").unwrap();
    let path = path.to_str().unwrap();
    let repo = repo("");
    for arguments in
        [&["check", "--output", "short", "--baseline", path][..], &["rules", "orphans", "--baseline", path]]
    {
        let run = repo.sdp(arguments);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(said.contains("base.txt:1"), "{said}");
        assert!(!said.contains("backend//") && !said.contains("backend/var"), "{said}");
    }
    let human = repo.sdp(["check", "--baseline", path]).stderr;
    assert!(human.contains("1 | backend::conformance/orphans spec:gone\n"), "{human}");
}

#[test]
fn a_wrong_list_is_refused_by_every_command() {
    for (list, message) in [
        ("roots = [{ path = \"backend\" }, { path = \"none\" }]", "the root `none` does not exist"),
        (
            "roots = [{ path = \"apps\" }, { path = \"apps/web\" }]",
            "the root `apps/web` lies in the root `apps`, so that its files would be in both: exclude `web` there",
        ),
        (
            "roots = [{ path = \"backend\", name = \"a::b\" }]",
            "`name` cannot be a root's: `::` parts the levels of a case's name, so that it cannot hold it nor begin or end with `:`",
        ),
    ] {
        let repo = repo("");
        repo.write("sdp.toml", list);
        for command in [&["check", "--output", "short"][..], &["rules"], &["build"], &["q", "return 1"], &["unbound"]] {
            let run = repo.sdp(command);
            ends(&run, 1);
            let said = format!("sdp.toml:1 — [error] sdp/invalid-config — {message}");
            assert_eq!(run.complaint(), said, "{command:?}");
        }
    }
}

#[test]
fn a_refused_plan_names_its_root() {
    let repo = repo("").file("apps/web/sdp.toml", "rule-globs = [\"none/*.js\"]\n");
    let run = repo.sdp(["rules"]);
    ends(&run, 1);
    assert_eq!(run.complaint(), "sdp rules: site: no file matches the rule glob `none/*.js`");
}

#[test]
fn what_a_verbose_run_says_names_the_root() {
    let run = repo("").sdp(["rules", "extract", "-v"]);
    ends(&run, 0);
    for line in ["verbose: backend: root: ", "verbose: site: configuration: ", "verbose: site: carriers: 1, Specs: 1"] {
        assert!(run.stderr.contains(line), "{line}: {}", run.stderr);
    }
}

#[test]
fn roots_in_a_cargo_manifest_name_it_from_its_own_folder() {
    let repo = repo("");
    std::fs::remove_file(repo.path("sdp.toml")).unwrap();
    let text = format!("[workspace]\nmembers = []\n\n[workspace.metadata.sdp]\n{TWO}exclude = [\"x\"]\n");
    repo.write("Cargo.toml", text);
    let run = repo.sdp(["check", "--output", "short"]);
    assert!(run.stderr.contains("Cargo.toml — [warning] sdp/unmatched-exclude — "), "{}", run.stderr);
    assert!(!run.stderr.contains("../"), "{}", run.stderr);
}

/// The test target of this package, built as it stands.
fn target() -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["test", "--quiet", "--offline", "--no-run", "--package", "sdp-tests", "--test", "own_rules"])
        .args(["--message-format", "json"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let messages = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let path = messages.filter_map(|one| one["executable"].as_str().map(PathBuf::from)).next_back();
    path.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// It lists its cases, as cargo would run it for a package in another folder.
fn cases_in(target: &Path, folder: &Path) -> Run {
    let output =
        Command::new(target).arg("--list").env("CARGO_MANIFEST_DIR", folder).current_dir(folder).output().unwrap();
    Run {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}

#[test]
fn a_test_target_runs_the_root_that_its_package_lies_in_or_all() {
    let repo =
        repo("").file("backend/crates/core/Cargo.toml", "[package]\nname = \"core\"\n").file("checks/Cargo.toml", "");
    let carriers = ["backend::extract::carriers", "site::extract::carriers"];
    let target = target();
    for (package, expected) in [("backend/crates/core", &carriers[..1]), ("checks", &carriers), ("", &carriers)] {
        let run = cases_in(&target, &repo.path(package));
        ends(&run, 0);
        assert_eq!(cases(&run), expected, "{package}");
    }
}

#[test]
fn waivers_and_a_baseline_are_judged_alike_from_every_folder() {
    let root = |name: &str| format!("{{ path = '{name}' }}");
    let waiver = "[[waivers]]\nrule = 'back::conformance/orphans'\nsubject = 'spec:a'\nreason = 'agreed'\nexpires = 2099-01-31\n";
    let repo = Repo::new()
        .file(
            "sdp.toml",
            format!(
                "roots = [{}, {}]\nbaseline = 'base.txt'\n[severity]\nwarnings = 'deny'\n{waiver}",
                root("front"),
                root("back")
            ),
        )
        .file("front/specs/a.sdp.md", spec_text("a", "", ""))
        .file("back/specs/a.sdp.md", spec_text("a", "", ""))
        .file("back/specs/b.sdp.md", spec_text("b", "", ""));
    ends(&repo.sdp(["check", "--update-baseline"]), 0);
    let rows = || std::fs::read_to_string(repo.path("base.txt")).unwrap();
    let both = "back::conformance/orphans spec:b\nfront::conformance/orphans spec:a\n";
    assert!(rows().ends_with(&format!("\n\n{both}")), "{}", rows());
    for folder in ["", "front", "back", "back/specs"] {
        ends(&run_in(&repo, folder, &["check"]), 0);
        ends(&run_in(&repo, folder, &["rules", "--", "--skip", "recipe"]), 0);
    }
    ends(&repo.sdp(["check", "--root", "front"]), 0);
    // An update of one root leaves the rows of the others.
    repo.write("back/specs/c.sdp.md", spec_text("c", "", ""));
    ends(&run_in(&repo, "back", &["check", "--update-baseline"]), 0);
    let three =
        "back::conformance/orphans spec:b\nback::conformance/orphans spec:c\nfront::conformance/orphans spec:a\n";
    assert!(rows().ends_with(&format!("\n\n{three}")), "{}", rows());
    let given = ["check", "--baseline", "../base.txt", "--update-baseline"];
    ends(&run_in(&repo, "front", &given), 0);
    assert!(rows().ends_with(&format!("\n\n{three}")), "{}", rows());
    // What no root has is told from each of them.
    repo.write("base.txt", format!("{three}side::conformance/orphans spec:a\n"));
    for folder in ["", "front", "back"] {
        let run = run_in(&repo, folder, &["check", "--output", "short"]);
        ends(&run, 1);
        assert_eq!(
            run.stderr,
            "base.txt:4 — [error] sdp/stale-baseline — the row `side::conformance/orphans spec:a` opens with the name of no root that has this baseline\n"
        );
    }
}

#[test]
fn roots_that_name_one_baseline_by_two_paths_share_it() {
    let own = |path: &str| format!("baseline = '{path}'\n[severity]\nwarnings = 'deny'\n");
    let repo = Repo::new()
        .file("sdp.toml", format!("roots = [{{ path = 'front' }}, {{ path = 'back' }}]\n{}", own("base.txt")))
        .file("front/sdp.toml", own("../front/../base.txt"))
        .file("front/specs/a.sdp.md", spec_text("a", "", ""))
        .file("back/specs/b.sdp.md", spec_text("b", "", ""));
    ends(&repo.sdp(["check", "--update-baseline"]), 0);
    let rows = std::fs::read_to_string(repo.path("base.txt")).unwrap();
    assert!(rows.ends_with("\n\nback::conformance/orphans spec:b\nfront::conformance/orphans spec:a\n"), "{rows}");
    for folder in ["", "front", "back"] {
        ends(&run_in(&repo, folder, &["check"]), 0);
    }
}
