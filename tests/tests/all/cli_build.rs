//! `cargo sdp build`: graph.json and its schema, whole or not at all, and no checks; `--check` compares and writes nothing.

use std::fs;

use sdp_tests::{Repo, UNTYPED_SPACE};

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
                "1 specs · 0 packs · 0 anchors → 1 nodes · 1 edges (0 errors, 0 warnings)\nWrote {}\nWrote {}\n",
                path.display(),
                repo.path("site/data/graph.schema.json").display()
            )
            .as_str(),
            "",
            Some(0)
        )
    );
    let graph: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(graph["schemaVersion"], "0.10.0");
    assert_eq!(graph["nodes"][0]["id"], "spec:lost");
    let mut written: Vec<_> =
        fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    written.sort();
    assert_eq!(written, ["graph.json", "graph.schema.json"]);
    assert_eq!(fs::read_to_string(repo.path("site/data/graph.schema.json")).unwrap(), sdp_core::graph::JSON_SCHEMA);
}

#[test]
fn warnings_of_example_spaces_are_printed_and_counted() {
    let run = Repo::new().spec("a", "", "").spec("space", "  dependsOn: spec:a", UNTYPED_SPACE).sdp(["build"]);
    assert!(
        run.stderr
            .starts_with("specs/space.sdp.md:17 — [warning] contracts/untyped-vocabulary-slot — vocabulary step "),
        "{}",
        run.stderr
    );
    assert_eq!((run.stderr.lines().count(), run.code), (1, Some(0)));
    assert!(run.stdout.starts_with("2 specs · 0 packs · 0 anchors → 2 nodes · 1 edges (0 errors, 1 warnings)\n"));
}

#[test]
fn a_denied_warning_of_an_example_space_keeps_build_from_writing() {
    let repo = Repo::new().spec("a", "", "").spec("space", "  dependsOn: spec:a", UNTYPED_SPACE);
    let run = repo.sdp(["build", "--out-dir", "o", "-D", "contracts"]);
    assert!(run.stderr.contains(" — [error] contracts/untyped-vocabulary-slot — "), "{}", run.stderr);
    assert!(run.stderr.contains("\nsdp build: hard errors present — graph.json not written.\n"), "{}", run.stderr);
    assert_eq!((repo.path("o").exists(), run.code), (false, Some(1)));
}

#[test]
fn an_out_dir_is_relative_to_the_current_folder() {
    let repo = unchecked().file("elsewhere/x", "");
    let run = repo.command(["build", "--root", "..", "--out-dir", "out"]).cwd(repo.path("elsewhere")).run();
    assert_eq!(run.code, Some(0));
    assert!(repo.path("elsewhere/out/graph.json").is_file());
}

#[test]
#[sdp::verifies("spec:sdp.build", "spec:sdp.graph")]
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
#[sdp::verifies("spec:sdp.build")]
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

const SUMMARY: &str = "1 specs · 0 packs · 0 anchors → 1 nodes · 1 edges (0 errors, 0 warnings)\n";

#[test]
fn a_check_of_what_was_just_written_is_fine_and_says_so() {
    let repo = unchecked();
    for arguments in [&[][..], &["--out-dir", "site/data"]] {
        let build = |last: &[&str]| repo.sdp(["build"].iter().chain(arguments).chain(last));
        assert_eq!(build(&[]).code, Some(0));
        let before = repo.contents();
        let run = build(&["--check"]);
        let folder = repo.path(arguments.last().unwrap_or(&".sdp/out"));
        let (graph, schema) = (folder.join("graph.json"), folder.join("graph.schema.json"));
        let said = format!("{SUMMARY}{} is up to date\n{} is up to date\n", graph.display(), schema.display());
        assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), (said.as_str(), "", Some(0)));
        assert_eq!(repo.contents(), before);
    }
}

#[test]
#[sdp::verifies("spec:sdp.build")]
fn a_check_shows_what_differs_and_writes_nothing() {
    let repo = unchecked();
    assert_eq!(repo.sdp(["build"]).code, Some(0));
    let text = fs::read_to_string(repo.path("specs/lost.sdp.md")).unwrap();
    repo.write("specs/lost.sdp.md", text.replace("An outcome.", "Another outcome."));
    let before = repo.contents();
    let run = repo.sdp(["build", "--check"]);
    let (graph, schema) = (repo.path(".sdp/out/graph.json"), repo.path(".sdp/out/graph.schema.json"));
    assert_eq!(
        run.stdout,
        format!(
            "{SUMMARY}--- {}
+++ derived from the Specs
@@ -12,7 +12,7 @@
       \"file\": \"specs/lost.sdp.md\",
       \"sections\": {{
         \"intent\": {{
-          \"outcome\": \"An outcome.\"
+          \"outcome\": \"Another outcome.\"
         }}
       }}
     }}
{} is up to date\n",
            graph.display(),
            schema.display()
        )
    );
    assert_eq!(
        run.stderr,
        format!(
            "sdp build: {} is not what the Specs give.\nhint: `cargo sdp build`, with the same options but `--check`, writes them\n",
            graph.display()
        )
    );
    assert_eq!(run.code, Some(1));
    assert_eq!(repo.contents(), before);
    let coloured = repo.command(["build", "--check"]).env("CARGO_TERM_COLOR", "always").run();
    assert!(coloured.stdout.contains("\u{1b}[32m+          \"outcome\""), "{}", coloured.stdout);
    assert!(!run.stdout.contains('\u{1b}'));
}

#[test]
fn a_check_names_what_is_missing() {
    let repo = unchecked();
    let run = repo.sdp(["build", "--check", "--out-dir", "o"]);
    assert_eq!((run.stdout.as_str(), run.code), (SUMMARY, Some(1)));
    assert_eq!(
        run.complaint(),
        format!(
            "sdp build: {} is missing; {} is missing.",
            repo.path("o/graph.json").display(),
            repo.path("o/graph.schema.json").display()
        )
    );
    assert!(run.stderr.contains("\nhint: `cargo sdp build`"), "{}", run.stderr);
    assert!(!repo.path("o").exists());
}

#[test]
fn a_check_refuses_what_build_would_not_replace() {
    let repo = unchecked();
    assert_eq!(repo.sdp(["build", "--out-dir", "o"]).code, Some(0));
    fs::remove_file(repo.path("o/graph.json")).unwrap();
    fs::create_dir(repo.path("o/graph.json")).unwrap();
    repo.write("o/graph.schema.json", b"\xFF");
    let run = repo.sdp(["build", "--check", "--out-dir", "o"]);
    assert_eq!(run.code, Some(1));
    assert!(run.complaint().contains("o/graph.json cannot be compared (it is a folder); "), "{}", run.stderr);
    assert!(run.complaint().ends_with("o/graph.schema.json cannot be compared (it is not UTF-8)."), "{}", run.stderr);
}

#[test]
fn a_check_under_an_extraction_error_compares_nothing() {
    let repo = unchecked();
    assert_eq!(repo.sdp(["build"]).code, Some(0));
    repo.write("specs/broken.sdp.md", sdp_tests::BROKEN_CARRIER);
    let run = repo.sdp(["build", "--check"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("\nsdp build: hard errors present — graph.json not written.\n"), "{}", run.stderr);
    assert!(!run.stdout.contains("up to date"), "{}", run.stdout);
}

#[test]
#[sdp::verifies("spec:sdp.build")]
fn a_large_difference_is_shown_in_part() {
    let repo = (0..60).fold(Repo::new(), |repo, number| repo.spec(&format!("s{number}"), "", ""));
    assert_eq!(repo.sdp(["build"]).code, Some(0));
    for number in 0..60 {
        repo.write(&format!("specs/s{number}.sdp.md"), sdp_tests::spec_text(&format!("t{number}"), "", ""));
    }
    let run = repo.sdp(["build", "--check"]);
    assert_eq!(run.code, Some(1));
    // The summary, the difference, what more there is, and the schema that is up to date.
    assert_eq!(run.stdout.lines().count(), 1 + 200 + 1 + 1);
    assert!(run.stdout.contains(" more lines of this difference\n"), "{}", run.stdout);
}

#[cfg(unix)]
#[test]
fn a_check_says_what_keeps_the_folder_from_being_made() {
    let repo = unchecked().file("plain", "");
    std::os::unix::fs::symlink("nowhere", repo.path("dangling")).unwrap();
    for (folder, obstacle, what) in [
        ("plain", "plain", "is no folder"),
        ("plain/below", "plain", "is no folder"),
        ("dangling", "dangling", "is a symbolic link that leads to no folder"),
    ] {
        let run = repo.sdp(["build", "--check", "--out-dir", folder]);
        let (folder, obstacle) = (repo.path(folder), repo.path(obstacle));
        assert_eq!(
            (run.stderr, run.code),
            (
                format!(
                    "sdp build: {} {what}: {} cannot be made there\nhint: `--out-dir DIR` names a folder that can be written\n",
                    obstacle.display(),
                    folder.display()
                ),
                Some(1)
            )
        );
    }
}

#[cfg(unix)]
#[test]
#[sdp::verifies("spec:sdp.build")]
fn a_schema_that_cannot_be_written_leaves_the_graph_as_it_was() {
    let repo = unchecked().file("out/graph.json", "old");
    std::os::unix::fs::symlink("nowhere", repo.path("out/graph.schema.json")).unwrap();
    assert_eq!(repo.sdp(["build", "--out-dir", "out"]).code, Some(1));
    assert_eq!(fs::read_to_string(repo.path("out/graph.json")).unwrap(), "old");
    assert_eq!(fs::read_dir(repo.path("out")).unwrap().count(), 2);
}
