//! Evaluation contracts under `check --watch` and `rules --watch`: one that is edited, made or removed starts a cycle, and so does a Spec that
//! comes or goes; what a cycle says is what a fresh run says.

use std::fs;

use sdp_tests::{Repo, spec_text};

use super::Watch;
use crate::contracts::contract;

/// What happens, what it does, the paths that the cycle names, and whether links fail then.
type Step = (&'static str, fn(&Repo), &'static str, bool);

fn repository() -> Repo {
    Repo::new()
        .file("sdp.toml", "contracts = ['evals/**/*.json', 'dist/out/named.json']\n")
        .file("specs/a.sdp.md", spec_text("a", "  dependsOn: spec:b", ""))
        .file("specs/b.sdp.md", spec_text("b", "", ""))
        .file("evals/a.json", contract(&["spec:a"]))
}

fn removed(repo: &Repo, path: &str) {
    fs::remove_file(repo.path(path)).unwrap();
}

fn steps() -> Vec<Step> {
    vec![
        ("an edit", |repo| repo.write("evals/a.json", contract(&["spec:gone"])), "evals/a.json", true),
        ("another edit", |repo| repo.write("evals/a.json", contract(&["spec:b", "spec:a"])), "evals/a.json", false),
        ("a new contract", |repo| repo.write("evals/b.json", contract(&["spec:c"])), "evals/b.json", true),
        (
            "its Spec comes",
            |repo| repo.write("specs/c.sdp.md", spec_text("c", "  dependsOn: spec:b", "")),
            "specs/c.sdp.md",
            false,
        ),
        ("its Spec goes", |repo| removed(repo, "specs/c.sdp.md"), "specs/c.sdp.md", true),
        ("the contract goes", |repo| removed(repo, "evals/b.json"), "evals/b.json", false),
        ("one where no walk comes by", |repo| repo.write("dist/out/named.json", "{"), "dist/out/named.json", true),
        ("an edit there", |repo| repo.write("dist/out/named.json", contract(&[])), "dist/out/named.json", false),
        ("another one", |repo| repo.write("dist/out/named.json", contract(&["spec:x"])), "dist/out/named.json", true),
        ("and it goes", |repo| removed(repo, "dist/out/named.json"), "dist/out/named.json", false),
    ]
}

/// Plays the steps; `fails` tells of a cycle whether links fail in it.
fn play(arguments: &[&str], fresh: &[&str]) {
    let repo = repository();
    let mut watch = Watch::start(&repo, arguments);
    watch.cycle();
    for (what, action, paths, is_wrong) in steps() {
        action(&repo);
        let mut cycle = watch.cycle();
        // A folder that comes with a file may be told before the file is.
        while !cycle.paths.ends_with(paths) {
            cycle = watch.cycle();
        }
        let run = repo.sdp(fresh);
        assert_eq!(run.code != Some(0), is_wrong, "{what}: {}", run.stderr);
        assert!(
            cycle.sum.contains(if is_wrong { "1 error" } else { "0 errors" }) || fresh[0] == "rules",
            "{what}: {cycle:?}"
        );
        assert!(
            cycle.sum.contains(if is_wrong { "1 failed" } else { "0 failed" }) || fresh[0] == "check",
            "{what}: {cycle:?}"
        );
    }
    assert_eq!(watch.signal("TERM"), Some(0));
}

#[sdp::verifies("spec:sdp.eval.requirement-links", "spec:sdp.watch.same-answer")]
#[test]
fn a_contract_that_changes_starts_a_cycle_of_check() {
    play(&["check", "--watch"], &["check"]);
}

#[test]
fn a_contract_that_changes_starts_a_cycle_of_check_that_polls() {
    play(&["check", "--watch", "--poll"], &["check"]);
}

#[test]
fn a_contract_that_changes_starts_a_cycle_of_rules() {
    play(&["rules", "--watch", "contract"], &["rules", "contract"]);
}
