//! The command line itself: help, version, usage errors, and how cargo calls it.

use sdp_tests::{Repo, commands};

/// The commands that look at no repository.
const ABOUT: [&str; 3] = ["explain", "completions", "man"];

#[test]
fn without_arguments_the_help_is_printed() {
    let repo = Repo::new();
    let run = repo.sdp::<&str>([]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    assert!(run.stdout.contains("Usage: cargo sdp"), "{}", run.stdout);
    assert_eq!(repo.sdp(["sdp"]), run);
    assert_eq!(repo.sdp(["--help"]), run);
    assert_eq!(repo.sdp(["sdp", "--help"]), run);
}

#[test]
fn the_help_lists_what_is_built() {
    assert_eq!(
        commands(&[]),
        ["q", "check", "rules", "explain", "build", "recipes", "unbound", "import", "config", "completions", "man"]
    );
    assert_eq!(commands(&["recipes"]), ["list", "show", "run"]);
    assert_eq!(commands(&["check"]), [""; 0], "it has none below it");
}

#[test]
fn every_command_has_help_with_examples_and_takes_root_and_exclude_where_it_looks() {
    let repo = Repo::new();
    for command in commands(&[]) {
        let command = command.as_str();
        let run = repo.sdp([command, "--help"]);
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{command}");
        for part in ["Examples:\n", "Exit codes: "] {
            assert!(run.stdout.contains(part), "{command} lacks {part}: {}", run.stdout);
        }
        for part in ["--root <PATH>", "--exclude <PATH>"] {
            assert_eq!(run.stdout.contains(part), !ABOUT.contains(&command), "{command}, {part}: {}", run.stdout);
        }
        assert!(run.stdout.contains(&format!("Usage: cargo sdp {command}")), "{}", run.stdout);
        assert_eq!(repo.sdp(["help", command]), run);
        assert_eq!(repo.sdp([command, "-h"]).code, Some(0));
    }
}

#[test]
fn the_version_names_the_program() {
    for arguments in [&["--version"][..], &["-V"], &["sdp", "--version"]] {
        let run = Repo::new().sdp(arguments);
        let name = format!("cargo-sdp {}", env!("CARGO_PKG_VERSION"));
        assert!(run.stdout.starts_with(&name) && run.stdout.lines().count() == 1, "{}", run.stdout);
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    }
}

#[test]
fn the_methods_of_the_reader_are_listed_alike_at_80_and_at_100_columns() {
    let list = "
  g        the reader: g.specs(), g.packs(), g.findings(),
           g.specContext(id), g.packContext(id), g.exampleSpace(id, { pairs }?),
           g.findByConcept(text), g.byFile(path), g.blastRadius(files),
           g.byId(id), g.out(id, type?), g.in(id, type?)
  graph    the graph as graph.json has it
";
    for columns in ["80", "100"] {
        let help = Repo::new().command(["q", "--help"]).env("COLUMNS", columns).run().stdout;
        assert!(help.contains(list), "{columns}: {help}");
    }
}

#[test]
fn an_unknown_command_is_usage_with_a_suggestion() {
    let run = Repo::new().sdp(["chek"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)));
    assert!(run.stderr.contains("'chek'") && run.stderr.contains("'check'"), "{}", run.stderr);
}

#[test]
fn help_has_colours_on_demand_only() {
    let repo = Repo::new();
    assert!(!repo.sdp(["--help"]).stdout.contains('\u{1b}'));
    assert!(repo.command(["--help"]).env("CARGO_TERM_COLOR", "always").run().stdout.contains('\u{1b}'));
    let never = repo.command(["--help"]).env("CARGO_TERM_COLOR", "always").env("NO_COLOR", "1").run();
    assert!(!never.stdout.contains('\u{1b}'));
}

#[test]
fn a_help_into_a_closed_pipe_is_quiet() {
    let repo = Repo::new();
    let mut child = repo.command(["q", "--help"]).spawn();
    drop(child.stdout.take());
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.stderr.as_slice(), output.status.code()), (&b""[..], Some(0)));
}
