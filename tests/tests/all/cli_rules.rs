//! `cargo sdp rules` as a process: arguments go in, stdout, stderr and the exit code come out. What the cases say is in
//! `rules.rs`; here is what only the command line decides.

use std::io::{BufRead as _, BufReader, Read as _};

use sdp_tests::{BROKEN_CARRIER, Repo, Run, wait};

fn repo() -> Repo {
    Repo::new().spec("a", "", "").file("rules/ok.sdp.js", "return []")
}

#[track_caller]
fn ends(run: &Run, code: i32) {
    assert_eq!(run.code, Some(code), "{}\n{}", run.stdout, run.stderr);
}

#[test]
fn a_green_repository_ends_with_0() {
    let run = repo().sdp(["rules"]);
    ends(&run, 0);
    assert!(run.stdout.contains("test rule::ok "), "{}", run.stdout);
    assert!(run.stdout.contains("test result: ok. "), "{}", run.stdout);
}

#[test]
fn filter_list_and_runner_arguments_reach_the_runner() {
    let repo = repo().file("rules/okay.sdp.js", "return []");
    assert_eq!(repo.sdp(["rules", "rule::ok", "--list"]).stdout, "rule::ok: test\nrule::okay: test\n");
    assert_eq!(repo.sdp(["rules", "rule::ok", "--list", "--", "--exact"]).stdout, "rule::ok: test\n");
    let exact = repo.sdp(["sdp", "rules", "rule::ok", "--", "--exact", "--format", "json"]);
    ends(&exact, 0);
    assert!(exact.stdout.lines().all(|line| line.starts_with("{ ")), "{}", exact.stdout);
}

#[test]
fn each_way_to_end_has_its_exit_code() {
    let repo = repo().file("rules/bad.sdp.js", "return [{ subject: 'spec:a', message: 'm' }]");
    ends(&repo.sdp(["rules", "rule::ok"]), 0);
    ends(&repo.sdp(["rules", "rule::bad"]), 101);
    ends(&repo.sdp(["rules", "--root", "nowhere"]), 1);
    ends(&repo.sdp(["rules", "--bogus"]), 2);
    ends(&repo.sdp(["rules", "--", "--bogus"]), 2);
    ends(&repo.sdp(["rules", "--timeout", "soon"]), 2);
    let nothing = repo.sdp(["rules", "rule::bat"]);
    ends(&nothing, 4);
    assert_eq!(nothing.stdout, "");
    assert_eq!(
        nothing.complaint(),
        "sdp rules: no case matches \"rule::bat\". Did you mean \"rule::bad\"? `cargo sdp rules --list` lists every case."
    );
    ends(&repo.sdp(["rules", "rule::bat", "--list"]), 4);
    ends(&repo.file("sub/carrier.sdp.md", BROKEN_CARRIER).sdp(["rules", "rule::ok"]), 101);
}

#[test]
fn limits_are_flags() {
    let run = repo().file("rules/loop.sdp.js", "for (;;);").sdp(["rules", "rule::loop", "--timeout", "0.2"]);
    ends(&run, 101);
    assert!(run.stdout.contains("error: the body was stopped: it ran longer than 0.2 s"), "{}", run.stdout);
}

#[test]
fn a_run_writes_nothing_to_the_repository_but_its_cache() {
    let repo = repo();
    let before = repo.contents();
    ends(&repo.sdp(["rules", "--no-cache"]), 0);
    assert_eq!(repo.contents(), before);
    ends(&repo.sdp(["rules"]), 0);
    let mut after = repo.contents();
    after.retain(|(path, _)| !path.starts_with(repo.path(".sdp")));
    assert_eq!(after, before);
}

#[test]
fn a_reader_that_leaves_is_no_panic() {
    let repo = repo();
    for arguments in [&["rules", "--list"][..], &["rules"], &["rules", "--", "--test-threads=1"]] {
        let mut child = repo.command(arguments).spawn();
        drop(child.stdin.take());
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!(wait(&mut child).code(), Some(0), "{err}");
        assert!(!err.contains("panicked"), "{err}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_no_success() {
    let repo = repo();
    for arguments in ["--list", "extract"] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = std::process::Command::new(sdp_tests::binary())
            .args(["rules", arguments])
            .current_dir(repo.root())
            .stdout(full)
            .output()
            .unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.starts_with("sdp rules: the output could not be written (No space left on device"), "{err}");
        assert_eq!((err.lines().count(), output.status.code()), (1, Some(1)), "{err}");
    }
}

#[test]
fn the_output_keeps_the_order_of_the_cases() {
    let slow = "let n = 0; for (let i = 0; i < 2e6; i += 1) n += i % 3; return n > 0 ? [] : undefined;";
    let mut repo = Repo::new().spec("a", "", "").file("rules/a.sdp.js", slow);
    for name in ["b", "c", "d", "e/f"] {
        repo = repo.file(&format!("rules/{name}.sdp.js"), "return [];");
    }
    let run = repo.sdp(["rules"]);
    let names: Vec<&str> = run
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("test ")?.split(' ').next())
        .filter(|name| *name != "result:")
        .collect();
    assert_eq!(names.first(), Some(&"extract::carriers"));
    let rules: Vec<&str> = names.iter().copied().filter(|name| name.starts_with("rule::")).collect();
    assert_eq!(rules, ["rule::a", "rule::b", "rule::c", "rule::d", "rule::e::f"]);
    let last = sdp_recipes::CATALOG.last().unwrap();
    assert_eq!(names.last(), Some(&format!("recipe::{:02}-{}", last.number, last.slug).as_str()));
    assert_eq!(run.code, Some(0));
}

#[test]
fn a_configured_rule_runs_with_its_parameters_and_says_what_it_is_for() {
    let config = "[[rules]]\nname = \"naming\"\nbody = \"policies/naming.js\"\nparams = { style = \"kebab\" }\ndescription = \"Ids are words joined by hyphens\"\n";
    let body = "return [{ subject: 'spec:a', message: `not ${params.style}: ${Object.keys(params)}` }]";
    let repo = Repo::new().spec("a", "", "").file("sdp.toml", config).file("policies/naming.js", body);
    let run = repo.sdp(["rules", "rule::naming"]);
    ends(&run, 101);
    let block = "error[rule::naming]: not kebab: style\n --> specs/a.sdp.md:2\n  |\n2 | id: spec:a\n  |\n  = subject: spec:a\n  = rule: Ids are words joined by hyphens\n";
    assert!(run.stdout.contains(block), "{}", run.stdout);
}

#[test]
fn half_of_a_surrogate_pair_in_a_finding_is_named_and_not_a_place_in_json() {
    let body = "return [{ subject: 'spec:a', message: '\\ud800' }]";
    let repo = Repo::new().spec("a", "", "").file("rules/half.sdp.js", body);
    let run = repo.sdp(["rules", "rule::half"]);
    ends(&run, 101);
    assert!(run.stdout.contains("half of a surrogate pair"), "{}", run.stdout);
    assert!(!run.stdout.contains("column"), "{}", run.stdout);
}
