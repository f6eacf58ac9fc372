//! Scripted sessions: edits, renames, removals and breakages, with the cycles that each must start and must not.

use std::fs;

use sdp_tests::{BROKEN_CARRIER, Repo, spec_text};

use super::Watch;

/// A body that complains as its first parameter says.
const BODY: &str = "return params.says ? [{ subject: 'spec:a', message: params.says }] : [];";

const CONFIG: &str = "exclude = [\"drafts\"]

[[rules]]
name = \"packaged\"
body = \"node_modules/pack/rules/said.js\"
params = \"@params/said.json\"
";

/// One step: what is done, and the cycle that it starts, if any.
struct Step {
    what: &'static str,
    action: fn(&Repo),
    /// The paths that the cycle names, and what it sums up.
    cycle: Option<(&'static str, &'static str)>,
    /// What it says besides, in parts.
    says: &'static [&'static str],
}

fn step(
    what: &'static str,
    action: fn(&Repo),
    paths: &'static str,
    sum: &'static str,
    says: &'static [&'static str],
) -> Step {
    Step { what, action, cycle: Some((paths, sum)), says }
}

fn silent(what: &'static str, action: fn(&Repo)) -> Step {
    Step { what, action, cycle: None, says: &[] }
}

/// Saves as editors do: beside the file, then over it.
fn save(repo: &Repo, path: &str, text: &str) {
    let beside = format!("{path}.new~");
    repo.write(&beside, text);
    fs::rename(repo.path(&beside), repo.path(path)).unwrap();
}

fn spec(name: &str, on: &str) -> String {
    spec_text(name, &format!("  dependsOn: spec:{on}"), "")
}

fn repository() -> Repo {
    Repo::new()
        .file("sdp.toml", CONFIG)
        .file(".gitignore", "ignored/\n*.gen.rs\n")
        .file("specs/a.sdp.md", spec("a", "b"))
        .file("specs/b.sdp.md", spec("b", "a"))
        .file("src/lib.rs", "//! Nothing.\n")
        .file("node_modules/pack/rules/said.js", BODY)
        .file("params/said.json", "{}")
        .file("rules/own.sdp.js", "return [];")
        .file("notes.md", "# Notes\n")
}

/// The session of `rules`, whose cases are the own rule, the packaged one, and the check of references.
fn steps() -> Vec<Step> {
    vec![
        step(
            "an edit of a carrier",
            |repo| repo.write("specs/a.sdp.md", spec("a", "gone")),
            "specs/a.sdp.md",
            "1 added, 0 mended; 2 passed; 1 failed",
            &["points to missing target \"spec:gone\"", "check::conformance::referential-integrity fails\n"],
        ),
        step(
            "lines that move are no news",
            |repo| repo.write("specs/a.sdp.md", spec("a", "gone").replace("kind: behavior", "# moved\nkind: behavior")),
            "specs/a.sdp.md",
            "0 added, 0 mended; 2 passed; 1 failed",
            &[],
        ),
        step(
            "a save by rename mends it",
            |repo| save(repo, "specs/a.sdp.md", &spec("a", "b")),
            "specs/a.sdp.md",
            "0 added, 1 mended; 3 passed; 0 failed",
            &["mended: specs/a.sdp.md:", "check::conformance::referential-integrity passes\n"],
        ),
        silent("a file that is touched", |repo| {
            let file = fs::File::options().append(true).open(repo.path("specs/a.sdp.md")).unwrap();
            file.set_modified(std::time::SystemTime::now()).unwrap();
        }),
        silent("a save without a change", |repo| save(repo, "specs/a.sdp.md", &spec("a", "b"))),
        silent("a file that no walk reads", |repo| repo.write("notes.md", "# Other notes\n")),
        silent("files of editors", |repo| {
            repo.write("specs/.a.sdp.md.swp", "x");
            repo.write("specs/4913", "x");
            repo.write("specs/b.sdp.md~", BROKEN_CARRIER);
        }),
        step(
            "an edit of a source",
            |repo| repo.write("src/lib.rs", "//! Something.\n"),
            "src/lib.rs",
            "0 added, 0 mended; 3 passed; 0 failed",
            &[],
        ),
        step(
            "the body of a rule under node_modules",
            |repo| repo.write("node_modules/pack/rules/said.js", "return [{ subject: 'spec:b', message: 'anew' }];"),
            "node_modules/pack/rules/said.js",
            "1 added, 0 mended; 2 passed; 1 failed",
            &[
                "---- rule::packaged ----\nerror[rule::packaged]: anew\n --> specs/b.sdp.md:2\n",
                "rule::packaged fails\n",
            ],
        ),
        step(
            "a body that does not parse ends nothing",
            |repo| save(repo, "node_modules/pack/rules/said.js", "return ["),
            "node_modules/pack/rules/said.js",
            "1 added, 1 mended; 2 passed; 1 failed",
            &["---- rule::packaged ----\nerror: ", "mended: specs/b.sdp.md:2 — [error] rule::packaged — anew\n"],
        ),
        step(
            "the body is back",
            |repo| save(repo, "node_modules/pack/rules/said.js", BODY),
            "node_modules/pack/rules/said.js",
            "0 added, 1 mended; 3 passed; 0 failed",
            &["rule::packaged passes\n"],
        ),
        silent("another file of the package", |repo| repo.write("node_modules/pack/rules/other.js", "return 1;")),
        silent("another package", |repo| repo.write("node_modules/other/x.sdp.md", spec("x", "a"))),
        step(
            "a parameter file",
            |repo| repo.write("params/said.json", "{ \"says\": \"as asked\" }"),
            "params/said.json",
            "1 added, 0 mended; 2 passed; 1 failed",
            &["error[rule::packaged]: as asked\n"],
        ),
        step(
            "a parameter file that is no JSON fails its own rule only",
            |repo| repo.write("params/said.json", "{"),
            "params/said.json",
            "1 added, 1 mended; 2 passed; 1 failed",
            &["mended: specs/a.sdp.md:2 — [error] rule::packaged — as asked\n"],
        ),
        step(
            "a parameter file that is gone",
            |repo| fs::remove_dir_all(repo.path("params")).unwrap(),
            "params/said.json",
            "1 added, 1 mended; 2 passed; 1 failed",
            &["error: the parameter file \"params/said.json\" could not be read ("],
        ),
        step(
            "a parameter file that is back, with its folder",
            |repo| repo.write("params/said.json", "{}"),
            "params/said.json",
            "0 added, 1 mended; 3 passed; 0 failed",
            &[],
        ),
        step(
            "a new rule",
            |repo| repo.write("rules/deep/new.sdp.js", "return [{ subject: 'spec:a', message: 'deep' }];"),
            "rules/deep/new.sdp.js",
            "1 added, 0 mended; 3 passed; 1 failed",
            &["---- rule::deep::new ----\n", "rule::deep::new fails\n"],
        ),
        step(
            "a rule that is gone with its folder",
            |repo| fs::remove_dir_all(repo.path("rules/deep")).unwrap(),
            "rules/deep/new.sdp.js",
            "0 added, 1 mended; 3 passed; 0 failed",
            &["rule::deep::new is gone\n"],
        ),
        step(
            "an edit of a rule file",
            |repo| repo.write("rules/own.sdp.js", "return []; // the same"),
            "rules/own.sdp.js",
            "0 added, 0 mended; 3 passed; 0 failed",
            &[],
        ),
        step(
            "a broken carrier",
            |repo| repo.write("specs/b.sdp.md", BROKEN_CARRIER),
            "specs/b.sdp.md",
            "0 added, 0 mended; 0 passed; 0 failed; 3 not run",
            &[],
        ),
        step(
            "a broken carrier that is mended",
            |repo| repo.write("specs/b.sdp.md", spec("b", "a")),
            "specs/b.sdp.md",
            "0 added, 0 mended; 3 passed; 0 failed",
            &[],
        ),
        step(
            "a new folder with a carrier",
            |repo| repo.write("specs/new/c.sdp.md", spec("c", "nothing")),
            "specs/new/c.sdp.md",
            "1 added, 0 mended; 2 passed; 1 failed",
            &[" --> specs/new/c.sdp.md:7\n"],
        ),
        step(
            "an edit in the new folder",
            |repo| repo.write("specs/new/c.sdp.md", spec("c", "a")),
            "specs/new/c.sdp.md",
            "0 added, 1 mended; 3 passed; 0 failed",
            &[],
        ),
        step(
            "a folder that is renamed",
            |repo| fs::rename(repo.path("specs/new"), repo.path("specs/moved")).unwrap(),
            "specs/moved/c.sdp.md, specs/new/c.sdp.md",
            "0 added, 0 mended; 3 passed; 0 failed",
            &[],
        ),
        step(
            "an edit in the renamed folder",
            |repo| repo.write("specs/moved/c.sdp.md", spec("c", "nowhere")),
            "specs/moved/c.sdp.md",
            "1 added, 0 mended; 2 passed; 1 failed",
            &[" --> specs/moved/c.sdp.md:7\n"],
        ),
        step(
            "a folder that is removed",
            |repo| fs::remove_dir_all(repo.path("specs/moved")).unwrap(),
            "specs/moved/c.sdp.md",
            "0 added, 1 mended; 3 passed; 0 failed",
            &[],
        ),
        step(
            "a folder that is made again",
            |repo| repo.write("specs/moved/c.sdp.md", spec("c", "a")),
            "specs/moved/c.sdp.md",
            "0 added, 0 mended; 3 passed; 0 failed",
            &[],
        ),
        step(
            "an edit in the folder that was made again",
            |repo| save(repo, "specs/moved/c.sdp.md", &spec("c", "b")),
            "specs/moved/c.sdp.md",
            "0 added, 0 mended; 3 passed; 0 failed",
            &[],
        ),
        step(
            "a carrier that is renamed",
            |repo| fs::rename(repo.path("specs/moved/c.sdp.md"), repo.path("specs/c.sdp.md")).unwrap(),
            "specs/c.sdp.md, specs/moved/c.sdp.md",
            "0 added, 0 mended; 3 passed; 0 failed",
            &[],
        ),
        silent("what is excluded", |repo| repo.write("drafts/y.sdp.md", spec("y", "nowhere"))),
        silent("what git ignores", |repo| {
            repo.write("ignored/x.sdp.md", spec("x", "nowhere"));
            repo.write("src/x.gen.rs", "//! Made.\n");
        }),
        silent("what is never walked", |repo| {
            for folder in ["dist", "generated", ".git", ".hidden", "coverage"] {
                repo.write(&format!("{folder}/x.sdp.md"), spec("x", "nowhere"));
            }
        }),
        silent("an empty folder", |repo| fs::create_dir(repo.path("specs/empty")).unwrap()),
        step(
            "ignore rules that show a carrier",
            |repo| repo.write(".gitignore", "*.gen.rs\n"),
            "ignored/x.sdp.md",
            "1 added, 0 mended; 2 passed; 1 failed",
            &[" --> ignored/x.sdp.md:7\n"],
        ),
        step(
            "a configuration that is broken",
            |repo| repo.write("sdp.toml", "exclude = 3\n"),
            "sdp.toml",
            "refused",
            &[],
        ),
        step(
            "a configuration that is mended, compared with the last whole cycle",
            |repo| repo.write("sdp.toml", CONFIG.replace("drafts", "ignored")),
            "sdp.toml",
            "1 added, 1 mended; 2 passed; 1 failed",
            &[" --> drafts/y.sdp.md:7\n", "mended: ignored/x.sdp.md:7 — "],
        ),
        step(
            "several files at once",
            |repo| {
                for name in ["d", "e", "f", "g", "h"] {
                    repo.write(&format!("specs/{name}.sdp.md"), spec(name, "a"));
                }
            },
            "specs/d.sdp.md, specs/e.sdp.md, specs/f.sdp.md, and 2 more",
            "0 added, 0 mended; 2 passed; 1 failed",
            &[],
        ),
        step(
            "a file of no known language that seems to bind",
            |repo| repo.write("src/x.foo", "# @sdpAnchor impl:x\n"),
            "src/x.foo",
            "0 added, 0 mended; 2 passed; 1 failed",
            &[],
        ),
        silent("the same file with another text", |repo| repo.write("src/x.foo", "# @sdpAnchor impl:y\n")),
        step(
            "a manifest of cargo",
            |repo| repo.write("Cargo.toml", "[package]\nname = \"x\"\nversion = \"1.0.0\"\n"),
            "Cargo.toml",
            "0 added, 0 mended; 2 passed; 1 failed",
            &[],
        ),
        step(
            "the last edit",
            |repo| repo.write("specs/h.sdp.md", spec("h", "b")),
            "specs/h.sdp.md",
            "0 added, 0 mended; 2 passed; 1 failed",
            &[],
        ),
    ]
}

fn play(more: &[&str]) {
    let repo = repository();
    let mut arguments = vec!["rules", "--watch"];
    arguments.extend(more);
    arguments.push("--");
    for skipped in SKIPPED {
        arguments.extend(["--skip", skipped]);
    }
    let mut watch = Watch::start(&repo, &arguments);
    let first = watch.cycle();
    assert_eq!((first.paths.as_str(), without_filtered(&first.sum)), ("", "3 passed; 0 failed"), "{}", first.text);
    for Step { what, action, cycle, says } in steps() {
        action(&repo);
        let Some((paths, sum)) = cycle else { continue };
        let cycle = watch.cycle();
        assert_eq!((cycle.paths.as_str(), without_filtered(&cycle.sum)), (paths, sum), "{what}:\n{}", cycle.text);
        for part in says {
            assert!(cycle.text.contains(part), "{what}: no {part:?} in\n{}", cycle.text);
        }
        if says.is_empty() {
            assert!(!cycle.text.contains("----"), "{what}:\n{}", cycle.text);
        }
    }
    assert_eq!(watch.signal("TERM"), Some(0));
}

/// What the session leaves out beside the recipes: all but the own rules and the check of references.
const SKIPPED: [&str; 13] = [
    "recipe::",
    "extract::",
    "check::contracts",
    "check::honesty",
    "check::sdp",
    "duplicate-ids",
    "claim-separation",
    "structural-anchors",
    "verifies-linkage",
    "oracle-linkage",
    "pack-coherence",
    "orphans",
    "prose-mentions",
];

fn without_filtered(sum: &str) -> &str {
    sum.rsplit_once("; ").filter(|(_, last)| last.ends_with("filtered out")).map_or(sum, |(sum, _)| sum)
}

#[sdp::verifies("spec:sdp.watch", "spec:sdp.watch.same-answer")]
#[test]
fn a_session_runs_a_cycle_for_each_change_that_counts_and_for_no_other() {
    let started = steps().iter().filter(|step| step.cycle.is_some()).count();
    assert!(started >= 30 && steps().len() - started >= 10, "{started}");
    play(&[]);
}

#[test]
fn a_session_that_polls_is_the_same() {
    play(&["--poll"]);
}
