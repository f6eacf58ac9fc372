//! Rules of the configuration as a process runs them: parameters from files, heads of bodies, and bodies of packages.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use sdp_tests::{Repo, Run, ends, skipped};

/// Answers with its parameters.
const ECHO: &str = "return [{ subject: 'spec:a', message: JSON.stringify(params), severity: 'warning' }]";

#[track_caller]
fn says(run: &Run, text: &str) {
    assert!(run.stdout.contains(text), "no {text:?} in:\n{}\n{}", run.stdout, run.stderr);
}

#[test]
fn parameters_of_files_and_tables_reach_the_body() {
    let config = "\
[[rules]]
name = \"echo\"
body = \"shared/echo.sdp.js\"
params = [\"@params/one.json\", { style = \"kebab\" }, \"limits=@params/limits.json\"]
";
    let repo = Repo::new()
        .spec("a", "", "")
        .file("sdp.toml", config)
        .file("shared/echo.sdp.js", ECHO)
        .file("params/one.json", "\u{FEFF}{\"depth\": 2}")
        .file("params/limits.json", "[1, 2]");
    // Paths are relative to the configuration, wherever the run starts.
    let run = repo.command(["rules", "rule::echo", "--", "--nocapture"]).cwd(repo.path("params")).run();
    ends(&run, 0);
    let told = format!("{}{}", run.stdout, run.stderr);
    assert!(told.contains(r#"{"depth":2,"style":"kebab","limits":[1,2]}"#), "{told}");
}

#[test]
#[sdp::verifies("spec:sdp.rules.configured")]
fn a_wrong_file_of_parameters_fails_one_rule_of_three() {
    let rule =
        |name: &str, params: &str| format!("[[rules]]\nname = \"{name}\"\nbody = \"echo.sdp.js\"\nparams = {params}\n");
    let config = rule("bad", "\"@bad.json\"") + &rule("fine", "\"@fine.json\"") + &rule("gone", "\"@gone.json\"");
    let repo = Repo::new()
        .spec("a", "", "")
        .file("sdp.toml", config)
        .file("echo.sdp.js", ECHO)
        .file("bad.json", "{\n  \"a\": }\n")
        .file("fine.json", "{}");
    let run = repo.sdp(["rules", "rule::"]);
    ends(&run, 101);
    says(&run, "test result: FAILED. 1 passed; 2 failed; ");
    says(
        &run,
        "error: the parameter file \"bad.json\" is not valid JSON (expected a value at line 2, column 8)\n --> bad.json:2:8\n",
    );
    says(&run, "error: the parameter file \"gone.json\" could not be read (");
    says(&run, " --> sdp.toml:9\n");
    ends(&repo.sdp(["rules", "rule::fine"]), 0);
    ends(&repo.sdp(["rules", "--list"]), 0);
    // What is not there is said by a check too, which reads none of them.
    let check = repo.sdp(["check", "-A", "warnings", "--output", "short"]);
    ends(&check, 1);
    assert_eq!(
        check.stderr,
        "sdp.toml:12 — [error] sdp/invalid-config — the rule \"gone\" at sdp.toml:9 names the parameter file `gone.json`, which is no file\n"
    );
}

#[cfg(unix)]
#[test]
fn a_body_that_a_link_leads_out_of_the_repository_does_not_run() {
    let config =
        "[[rules]]\nname = \"far\"\nbody = \"linked/far.js\"\n[[rules]]\nname = \"link\"\nbody = \"link.js\"\n";
    let other = Repo::new().file("far.js", "return []");
    let repo = Repo::new().spec("a", "", "").file("sdp.toml", config).file("near.js", "return []");
    std::os::unix::fs::symlink(other.root(), repo.path("linked")).unwrap();
    std::os::unix::fs::symlink("near.js", repo.path("link.js")).unwrap();
    let run = repo.sdp(["rules", "rule::"]);
    ends(&run, 101);
    says(&run, "error: the rule file linked/far.js lies outside of the configuration's folder\n --> sdp.toml:1\n");
    says(&run, "error: the rule file link.js is not a regular file\n --> sdp.toml:4\n");
    let check = repo.sdp(["check", "-A", "warnings", "--output", "short"]);
    ends(&check, 1);
    assert_eq!(check.stderr.matches("which is no file").count(), 2, "{}", check.stderr);
}

#[test]
fn a_rejection_that_nothing_handles_fails_its_rule_and_no_question() {
    let body = "(async () => { throw new Error('lost') })();\nreturn []";
    let repo = Repo::new().spec("a", "", "").file("rules/x.sdp.js", body);
    let run = repo.sdp(["rules", "rule::x"]);
    ends(&run, 101);
    says(&run, "error: Error: lost\n --> rules/x.sdp.js:1:");
    says(&run, "= help: a promise was rejected and nothing handles that");
    ends(&repo.sdp(["q", body]), 0);
    repo.write("rules/x.sdp.js", "const work = (async () => { throw 1 })();\ntry { await work } catch { return [] }");
    ends(&repo.sdp(["rules", "rule::x"]), 0);
}

#[test]
fn a_parameter_that_the_head_does_not_list_fails_with_what_it_accepts() {
    let repo = Repo::new()
        .spec("a", "", "")
        .file("sdp.toml", "[[rules]]\nname = \"x\"\nbody = \"x.js\"\nparams = { styl = 1 }\n")
        .file("x.js", format!("// @params style, severity\n{ECHO}"));
    let run = repo.sdp(["rules", "rule::x"]);
    ends(&run, 101);
    says(&run, "error: it does not accept the parameters styl; it accepts style, severity\n --> sdp.toml:1\n");
}

#[test]
fn a_head_names_the_findings_and_says_what_the_rule_is_for() {
    let body = "// @rule naming/kebab\n// @description Ids are words joined by hyphens\nreturn [{ subject: 'spec:a', message: 'm' }]";
    let repo = Repo::new().spec("a", "", "").file("rules/x.sdp.js", body);
    let run = repo.sdp(["rules", "rule::x"]);
    ends(&run, 101);
    says(&run, "error[naming/kebab]: m\n --> specs/a.sdp.md:2\n");
    says(&run, "  = rule: Ids are words joined by hyphens\n");
    repo.write("sdp.toml", "[[rules]]\nname = \"own\"\nbody = \"rules/x.sdp.js\"\ndescription = \"As configured\"\n");
    let list = repo.sdp(["rules", "rule::", "--list"]);
    assert_eq!(list.stdout, "rule::own: test\n", "a file that a configured rule names runs once");
    says(&repo.sdp(["rules", "rule::own"]), "  = rule: As configured\n");
    repo.write("rules/x.sdp.js", "// @title t\n// @rule a::\nreturn []");
    let run = repo.sdp(["rules", "rule::own"]);
    ends(&run, 101);
    says(&run, "error: `@rule` states no name: it is empty\n --> rules/x.sdp.js:2\n");
}

/// A workspace whose package `app` depends on the package `acme-rules` with a body. It has no lock file.
fn workspace(rule: &str) -> Repo {
    let package = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"1.0.0\"\nedition = \"2021\"\n\n[dependencies]\n{more}\n")
    };
    let manifest = format!(
        "[workspace]\nmembers = [\"app\"]\nexclude = [\"other\"]\nresolver = \"2\"\n\n[[workspace.metadata.sdp.rules]]\nname = \"x\"\nbody = \"{rule}\"\n"
    );
    Repo::new()
        .spec("a", "", "")
        .file("Cargo.toml", manifest)
        .file("app/Cargo.toml", package("app", "acme-rules = { path = \"../other/acme-rules\" }"))
        .file("app/src/lib.rs", "")
        .file("other/acme-rules/Cargo.toml", package("acme-rules", ""))
        .file("other/acme-rules/src/lib.rs", "")
        .file("other/acme-rules/policies/naming.sdp.js", "return [{ subject: 'spec:a', message: 'from afar' }]")
        .file("other/acme-rules/policies/broken.sdp.js", "return [];\n(")
}

/// The cargo of this test run.
fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Runs the case `rule::x` with that cargo, and with what it needs to find its compiler.
fn run_x(repo: &Repo) -> Run {
    let mut command = repo.command(["rules", "rule::x"]).env("CARGO", cargo());
    for name in ["RUSTUP_TOOLCHAIN", "RUSTUP_HOME", "CARGO_HOME"] {
        if let Some(value) = std::env::var_os(name) {
            command = command.env(name, value);
        }
    }
    command.run()
}

/// Whether there is a cargo that locks the workspace.
fn is_locked(root: &Path) -> bool {
    let done = Command::new(cargo()).args(["generate-lockfile", "--offline"]).current_dir(root).output();
    let is_done = done.is_ok_and(|output| output.status.success());
    if !is_done {
        skipped("no cargo that writes a lock file");
    }
    is_done
}

#[test]
fn a_body_of_a_dependency_runs() {
    let repo = workspace("dependency:acme-rules/policies/naming.sdp.js");
    if !is_locked(repo.root()) {
        return;
    }
    let before = repo.contents();
    let run = run_x(&repo);
    ends(&run, 101);
    says(&run, "error[rule::x]: from afar\n --> specs/a.sdp.md:2\n");
    let written = |contents: Vec<(std::path::PathBuf, Option<Vec<u8>>)>| {
        // The cache of the graph may be there.
        contents.into_iter().filter(|(path, _)| !path.starts_with(repo.path("target"))).collect::<Vec<_>>()
    };
    assert_eq!(written(repo.contents()), written(before));
    let manifest = |rule: &str| {
        std::fs::read_to_string(repo.path("Cargo.toml"))
            .unwrap()
            .lines()
            .map(|line| if line.starts_with("body = ") { format!("body = \"{rule}\"\n") } else { format!("{line}\n") })
            .collect::<String>()
    };
    repo.write("Cargo.toml", manifest("dependency:acme-rules/policies/broken.sdp.js"));
    let run = run_x(&repo);
    ends(&run, 101);
    says(&run, " --> dependency:acme-rules/policies/broken.sdp.js:2:");
    repo.write("Cargo.toml", manifest("dependency:acme-rules/policies/none.sdp.js"));
    says(&run_x(&repo), "error: the rule file dependency:acme-rules/policies/none.sdp.js cannot be read: ");
    repo.write("Cargo.toml", manifest("dependency:acme-rule/policies/naming.sdp.js"));
    let run = run_x(&repo);
    ends(&run, 101);
    says(&run, "error: cargo knows no package `acme-rule` here: did you mean `acme-rules`?\n --> Cargo.toml:6\n");
    says(&run, "  = help: name `acme-rule` in a Cargo.toml of this root, for example under `[dev-dependencies]`\n");
}

#[test]
fn a_workspace_without_a_lock_file_says_what_to_do_and_nothing_is_written() {
    let repo = workspace("dependency:acme-rules/policies/naming.sdp.js");
    if !Command::new(cargo()).arg("--version").output().is_ok_and(|output| output.status.success()) {
        skipped("no cargo");
        return;
    }
    let run = run_x(&repo);
    ends(&run, 101);
    says(&run, "error: cargo does not know the packages of this root: ");
    says(&run, "--locked");
    says(
        &run,
        "  = help: `dependency:` needs a Cargo.toml whose Cargo.lock is up to date: `cargo fetch` sees to that, a run of rules does not\n",
    );
    assert!(!repo.path("Cargo.lock").exists());
    // What needs no package asks for none.
    ends(&repo.sdp(["rules", "check::", "-A", "warnings"]), 0);
    ends(&repo.sdp(["rules", "--list"]), 0);
}

#[test]
fn the_cargo_that_the_environment_names_is_asked_and_only_where_it_is_needed() {
    let repo = workspace("dependency:acme-rules/policies/naming.sdp.js").file("rules/y.sdp.js", "return []");
    let without = |arguments: &[&str]| repo.command(arguments).env("CARGO", repo.path("no-cargo")).run();
    let run = without(&["rules", "rule::"]);
    ends(&run, 101);
    says(&run, "test result: FAILED. 1 passed; 1 failed; ");
    says(&run, "error: cargo, which knows the folders of packages, could not be started\n --> Cargo.toml:6\n");
    ends(&without(&["rules", "rule::y"]), 0);
    ends(&without(&["check", "-A", "warnings"]), 0);
    ends(&without(&["config"]), 0);
}

#[test]
fn the_rules_that_the_guide_configures_are_rules() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/rules.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let (_, chapter) = guide.split_once("## Configured rules\n").unwrap();
    let block = chapter.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let repo = Repo::new()
        .spec("a", "  dependsOn: spec:b", "")
        .spec("b", "", "")
        .file("Cargo.toml", format!("[workspace]\n{block}"))
        .file("policies/naming.sdp.js", ECHO)
        .file("params/naming.json", "{\"words\": 3}")
        .file("params/limits.json", "[1]");
    let run = repo.sdp(["config"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{}", run.stdout);
    assert!(!run.stdout.contains("is missing"), "{}", run.stdout);
    let run = repo.sdp(["rules", "rule::n", "--", "--nocapture"]);
    ends(&run, 0);
    let told = format!("{}{}", run.stdout, run.stderr);
    assert!(told.contains(r#"{"style":"kebab","words":3,"limits":[1]}"#), "{told}");
    assert!(told.contains("  = rule: Ids are words joined by hyphens\n"), "{told}");
    says(&run, "test result: ok. 2 passed; ");
}
