//! `cargo sdp build`: graph.json whole or not at all, and no checks.

use std::fs;

use sdp_tests::Repo;

/// A Spec whose relation leads nowhere: an error of the checks, none of extraction.
fn unchecked() -> Repo {
    Repo::new().spec("lost", "  dependsOn: spec:nowhere", "")
}

#[test]
fn the_graph_is_written_below_the_named_folder() {
    let repo = unchecked();
    let run = repo.sdp(["build", "--out-dir", "site/data"]);
    let path = repo.path("site/data/graph.json");
    assert_eq!(
        (run.stdout.as_str(), run.stderr.as_str(), run.code),
        (
            format!(
                "1 specs · 0 packs · 0 anchors → 1 nodes · 1 edges (0 errors, 0 warnings)\nWrote {}\n",
                path.display()
            )
            .as_str(),
            "",
            Some(0)
        )
    );
    let graph: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(graph["schemaVersion"], "0.10.0");
    assert_eq!(graph["nodes"][0]["id"], "spec:lost");
    let written: Vec<_> =
        fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(written, ["graph.json"]);
}

#[test]
fn an_out_dir_is_relative_to_the_current_folder() {
    let repo = unchecked().file("elsewhere/x", "");
    let run = repo.command(["build", "--root", "..", "--out-dir", "out"]).cwd(repo.path("elsewhere")).run();
    assert_eq!(run.code, Some(0));
    assert!(repo.path("elsewhere/out/graph.json").is_file());
}

#[test]
fn two_runs_give_the_same_bytes() {
    let repo = unchecked().spec("b", "", "").spec("a", "  dependsOn: spec:b", "");
    for folder in ["one", "two"] {
        assert_eq!(repo.sdp(["build", "--out-dir", folder]).code, Some(0));
    }
    let read = |folder: &str| fs::read(repo.path(&format!("{folder}/graph.json"))).unwrap();
    assert_eq!(read("one"), read("two"));
    assert!(read("one").ends_with(b"}\n"));
}

#[test]
fn without_cargo_outputs_go_to_a_dot_folder_and_with_it_to_the_target_folder() {
    let repo = unchecked();
    assert_eq!(repo.sdp(["build"]).code, Some(0));
    assert!(repo.path(".sdp/out/graph.json").is_file());
    let repo = unchecked().file("Cargo.toml", "[package]\nname = \"x\"\nversion = \"0.1.0\"\n");
    assert_eq!(repo.sdp(["build"]).code, Some(0));
    assert!(repo.path("target/sdp/graph.json").is_file());
    assert_eq!(repo.command(["build"]).env("CARGO_TARGET_DIR", "elsewhere").run().code, Some(0));
    assert!(repo.path("elsewhere/sdp/graph.json").is_file());
}

#[test]
fn a_configured_out_dir_is_relative_to_the_configuration() {
    let repo = unchecked().file("sdp.toml", "out-dir = \"made\"\n");
    assert_eq!(repo.command(["build"]).cwd(repo.path("specs")).run().code, Some(0));
    assert!(repo.path("made/graph.json").is_file());
}

#[test]
fn an_extraction_error_writes_nothing_and_leaves_the_earlier_file() {
    let repo = unchecked();
    assert_eq!(repo.sdp(["build", "--out-dir", "o"]).code, Some(0));
    let before = fs::read(repo.path("o/graph.json")).unwrap();
    repo.write("specs/broken.sdp.md", sdp_tests::BROKEN_CARRIER);
    for folder in ["o", "new"] {
        let run = repo.sdp(["build", "--out-dir", folder]);
        assert_eq!(run.code, Some(1));
        assert!(run.stderr.starts_with("specs/broken.sdp.md:2 — [error] extract/invalid-id — "), "{}", run.stderr);
        assert!(run.stderr.contains("\nsdp build: hard errors present — graph.json not written.\n"), "{}", run.stderr);
        assert!(!run.stdout.contains("Wrote"), "{}", run.stdout);
    }
    assert_eq!(fs::read(repo.path("o/graph.json")).unwrap(), before);
    assert!(!repo.path("new").exists());
}

#[test]
fn a_root_without_specs_is_noted_and_written() {
    let repo = Repo::new();
    let run = repo.sdp(["build", "--out-dir", "o"]);
    assert_eq!(run.code, Some(0));
    assert_eq!(
        run.stderr,
        format!(
            "note: no *.sdp.ts, *.sdp.md, or *.sdp.gherkin spec files found under {} — the authored model is empty. Is this the right extraction root?\n",
            repo.root().display()
        )
    );
    assert!(run.stdout.starts_with("0 specs · 0 packs · 0 anchors → 0 nodes · 0 edges (0 errors, 0 warnings)\nWrote "));
    assert!(repo.path("o/graph.json").is_file());
}

#[test]
fn an_out_dir_that_cannot_be_written_is_refused() {
    let repo = unchecked().file("taken", "a file");
    let run = repo.sdp(["build", "--out-dir", "taken"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.starts_with("sdp build: "), "{}", run.stderr);
    assert!(run.stderr.contains("\nhint: "), "{}", run.stderr);
    assert_eq!(fs::read_to_string(repo.path("taken")).unwrap(), "a file");
    let run = repo.sdp(["build", "--out-dir", ""]);
    assert_eq!((run.complaint(), run.code), ("sdp build: --out-dir requires a path.", Some(1)));
}

#[cfg(unix)]
#[test]
fn a_link_at_the_output_is_neither_followed_nor_replaced() {
    let repo = unchecked().file("o/x", "").file("precious", "kept");
    std::os::unix::fs::symlink(repo.path("precious"), repo.path("o/graph.json")).unwrap();
    let run = repo.sdp(["build", "--out-dir", "o"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(fs::read_to_string(repo.path("precious")).unwrap(), "kept");
}
