//! The command line itself: help, version, usage errors, and how cargo calls it.

use sdp_tests::{Repo, commands};

/// The commands that look at no repository, or at the one folder that they name.
const ABOUT: [&str; 5] = ["init", "eval", "explain", "completions", "man"];

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
        [
            "q",
            "check",
            "rules",
            "explain",
            "build",
            "recipes",
            "impact",
            "questions",
            "unbound",
            "import",
            "new",
            "init",
            "eval",
            "config",
            "mcp",
            "completions",
            "man"
        ]
    );
    assert_eq!(commands(&["recipes"]), ["list", "show", "run"]);
    assert_eq!(commands(&["eval"]), ["compile", "seal", "schemas"]);
    assert_eq!(commands(&["new"]), ["spec", "pack", "rule", "recipe", "contract"]);
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

/// The tables of the long help of `q`: lines that open with a space.
fn tables(help: &str) -> Vec<&str> {
    let manual = help.split("\nUsage: ").next().unwrap();
    manual.lines().filter(|line| line.starts_with(' ')).collect()
}

#[test]
fn the_tables_of_the_long_help_of_q_are_alike_at_80_and_at_100_columns() {
    let [narrow, wide] =
        ["80", "100"].map(|columns| Repo::new().command(["q", "--help"]).env("COLUMNS", columns).run().stdout);
    assert!(tables(&narrow).len() > 40, "{narrow}");
    assert_eq!(tables(&narrow), tables(&wide));
    let short = Repo::new().sdp(["q", "-h"]).stdout;
    assert!(short.lines().count() < 60 && !short.contains("g.specs()  "), "{short}");
}

#[sdp::verifies("spec:sdp.agent-surface")]
#[test]
fn the_long_help_of_q_names_every_binding_method_node_and_edge() {
    let repo = Repo::new();
    let help = repo.sdp(["q", "--help"]).stdout;
    let names = repo.sdp(["q", "return Object.getOwnPropertyNames(g)", "--json"]).stdout;
    let names: Vec<String> = serde_json::from_str(&names).unwrap();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        let named = ["(", " "].iter().any(|end| help.contains(&format!("\n  g.{name}{end}")));
        assert!(named, "{name}: {help}");
    }
    for binding in ["g", "graph", "report", "params", "recipes"] {
        assert!(help.contains(&format!("\n  {binding} ")), "{binding}");
    }
    assert_eq!(repo.sdp(["build", "--out-dir", "out"]).code, Some(0));
    let schema = std::fs::read_to_string(repo.path("out/graph.schema.json")).unwrap();
    let words = [
        "Primitive",
        "Pack",
        "CodeNode",
        "Anchor",
        "refines",
        "dependsOn",
        "constrainedBy",
        "decidedBy",
        "verifies",
        "supersedes",
    ];
    let more = [
        "belongsTo",
        "satisfies",
        "references",
        "uses",
        "memberOf",
        "models",
        "declared",
        "anchored",
        "implemented",
        "has-verifier",
    ];
    for word in words.iter().chain(&more) {
        assert!(schema.contains(word) && help.contains(word), "{word}");
    }
}

#[test]
fn the_examples_of_the_long_help_of_q_run() {
    let repo = Repo::new();
    sdp_tests::copy_folder(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/shop")), repo.root());
    repo.write("changed.json", r#"["shop-core/src/refund.rs"]"#);
    repo.write("params.json", "{}");
    repo.write("body.js", "return 1");
    let help = repo.command(["q", "--help"]).env("COLUMNS", "200").run().stdout;
    let (_, examples) = help.split_once("\nExamples:\n").unwrap();
    let lines: Vec<&str> = examples.lines().map_while(|line| line.strip_prefix("  cargo sdp ")).collect();
    assert!(lines.len() >= 6, "{examples}");
    for line in lines {
        let command = format!("'{}' {line}", sdp_tests::binary().display());
        let run = std::process::Command::new("sh").args(["-c", &command]).current_dir(repo.root()).output().unwrap();
        let (stdout, stderr) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success() && !stdout.trim().is_empty() && stderr.is_empty(), "{line}: {stdout}{stderr}");
        assert!(!["[]", "undefined", "null"].contains(&stdout.trim()), "{line}: {stdout}");
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
