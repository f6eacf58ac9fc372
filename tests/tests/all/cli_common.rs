//! The options that all commands share, and the commands that describe the command line: completions and manual pages.

use std::io::Write as _;
use std::process::{Command, Stdio};

use sdp_tests::{Repo, commands};

/// The commands that look at a repository, each as a run that ends with 0.
const RUNS: [&[&str]; 9] = [
    &["q", "return g.specs().length"],
    &["check"],
    &["rules", "check::"],
    &["build", "--out-dir", "o"],
    &["recipes", "run", "26"],
    &["questions"],
    &["unbound"],
    &["config"],
    &["mcp"],
];

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

/// Two Specs that hold each other up.
fn clean() -> Repo {
    Repo::new().spec("a", "  dependsOn: spec:b", "").spec("b", "", "")
}

/// A virtual workspace with a Spec, a package with two in it, and a folder with `sdp.toml` and three.
fn nested() -> Repo {
    let spec = |name: &str| sdp_tests::spec_text(name, "", "");
    let mut repo = Repo::new()
        .file(
            "Cargo.toml",
            "[workspace]\nmembers = [\"member\"]\n[workspace.metadata.sdp]\nexclude = [\"member\", \"plain\"]\n",
        )
        .file("w.sdp.md", spec("w"))
        .file("member/Cargo.toml", "[package]\nname = \"member\"\nversion = \"0.1.0\"\n")
        .file("plain/sdp.toml", "exclude = [\"drafts\"]\n")
        .file("plain/drafts/x.sdp.md", spec("draft"))
        .file("other/some.toml", "");
    for (folder, count) in [("member", 2), ("plain", 3)] {
        for name in ["one", "two", "three"].iter().take(count) {
            repo = repo.file(&format!("{folder}/{name}.sdp.md"), spec(name));
        }
    }
    repo
}

#[test]
fn a_manifest_path_makes_its_folder_the_root() {
    let repo = nested();
    for (path, specs) in [
        ("Cargo.toml", "1\n"),
        (".", "1\n"),
        ("./member/Cargo.toml", "2\n"),
        ("member", "2\n"),
        ("member/../plain/sdp.toml", "3\n"),
        ("plain/", "3\n"),
    ] {
        for attached in [false, true] {
            let option = if attached {
                vec![format!("--manifest-path={path}")]
            } else {
                vec!["--manifest-path".to_owned(), path.to_owned()]
            };
            let run = repo.sdp(["q".to_owned(), "return g.specs().length".to_owned()].iter().chain(&option));
            assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), (specs, "", Some(0)), "{path}");
        }
    }
    let absolute = repo.path("plain/sdp.toml");
    let run = repo.command(
        ["check", "-A", "warnings", "--manifest-path"].map(Into::into).into_iter().chain([absolute.into_os_string()]),
    );
    assert_eq!(run.cwd(repo.path("member")).run().stdout, "0 errors · 0 warnings (3 specs · 0 packs)\n");
    let run = repo.command(["check", "-A", "warnings", "--manifest-path", "../member/Cargo.toml"]);
    assert_eq!(run.cwd(repo.path("plain")).run().stdout, "0 errors · 0 warnings (2 specs · 0 packs)\n");
}

#[test]
fn every_command_that_looks_at_a_repository_has_its_run_here() {
    let repo = Repo::new();
    let mut looking = commands(&[]);
    // An import needs a carrier in TypeScript to end with 0, `impact` a commit, and a new file is new once: their own tests give
    // them the options.
    looking.retain(|command| {
        !matches!(command.as_str(), "import" | "impact" | "new")
            && repo.sdp([command, "--help"]).stdout.contains("--root <PATH>")
    });
    assert_eq!(looking, RUNS.map(|run| run[0]));
}

#[test]
#[sdp::verifies("spec:sdp.command-line")]
fn every_command_takes_a_manifest_path() {
    let repo = Repo::new().file("x/sdp.toml", "").file("x/a.sdp.md", sdp_tests::spec_text("a", "", ""));
    for command in RUNS {
        let run = repo.sdp(command.iter().chain(&["--manifest-path", "x/sdp.toml"]));
        assert_eq!(run.code, Some(0), "{command:?}: {}", run.stderr);
        let run = repo.sdp(command.iter().chain(&["--manifest-path", "x/none.toml"]));
        let line = format!("sdp {}: \"{}\" does not exist.", command[0], repo.path("x/none.toml").display());
        assert_eq!((run.complaint(), run.stdout.as_str(), run.code), (line.as_str(), "", Some(1)));
        assert!(run.stderr.contains("\nhint: `--manifest-path` takes a Cargo.toml, an sdp.toml or "), "{}", run.stderr);
    }
}

#[test]
fn a_manifest_path_that_names_no_manifest_is_refused() {
    let repo = nested();
    let (missing, bare, other) =
        ("does not exist", "is a folder that holds no Cargo.toml and no sdp.toml", "is no Cargo.toml and no sdp.toml");
    for (path, fault) in [
        ("none", missing),
        ("none/Cargo.toml", missing),
        ("other/sdp.toml", missing),
        ("Cargo.toml/", missing),
        ("other", bare),
        ("other/some.toml", other),
        ("w.sdp.md", other),
    ] {
        let run = repo.sdp(["check", "--manifest-path", path]);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)), "{path}");
        assert_eq!(run.complaint(), format!("sdp check: \"{}\" {fault}.", repo.root().join(path).display()));
        assert!(run.stderr.contains("\nhint: `--manifest-path` takes a Cargo.toml, an sdp.toml or "), "{}", run.stderr);
    }
    for command in ["check", "build", "q"] {
        let run = repo.sdp([command, "--manifest-path", ""]);
        let line = format!("sdp {command}: --manifest-path requires a path.");
        assert_eq!((run.complaint(), run.code), (line.as_str(), Some(1)));
    }
}

#[test]
#[sdp::verifies("spec:sdp.command-line")]
fn a_manifest_path_and_a_root_exclude_each_other() {
    let repo = nested();
    let both = ["--root", "member", "--manifest-path", "plain"];
    for command in RUNS.iter().skip(1) {
        let run = repo.sdp(command.iter().chain(&both));
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "{command:?}");
        assert!(run.stderr.contains("cannot be used with"), "{}", run.stderr);
    }
    let run = repo.sdp(["q", "return 1"].iter().chain(&both));
    assert_eq!((run.complaint(), run.code), ("sdp q: --root and --manifest-path exclude each other.", Some(1)));
    let run = repo.sdp(["recipes", "--root", "member", "run", "26", "--manifest-path", "plain"]);
    assert_ne!(run.code, Some(0), "{}", run.stdout);
}

#[test]
#[sdp::verifies("spec:sdp.command-line")]
fn quiet_leaves_findings_and_answers() {
    let repo = clean();
    for short in ["-q", "--quiet"] {
        for command in [&["check"][..], &["build", "--out-dir", "o"], &["build", "--out-dir", "o", "--check"]] {
            let run = repo.sdp(command.iter().chain(&[short]));
            assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("", "", Some(0)), "{command:?}");
        }
    }
    let run = Repo::new().spec("alone", "", "").sdp(["check", "-q", "--output", "short"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(0)));
    assert!(run.stderr.starts_with("specs/alone.sdp.md:2 — [warning] conformance/orphans"), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1);
    let empty = Repo::new();
    let run = empty.sdp(["q", "return g.specs().length", "--quiet"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("0\n", ""));
    let run = empty.sdp(["check", "-q", "--output", "json"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(1)));
    assert!(run.stdout.contains("sdp/no-specs"), "{}", run.stdout);
    // A refusal is no note.
    let run = empty.sdp(["check", "-q", "--root", "none"]);
    assert!(run.complaint().ends_with("is not a directory."), "{}", run.stderr);
}

#[test]
#[sdp::verifies("spec:sdp.command-line")]
fn every_command_takes_the_options_of_the_output() {
    let repo = clean();
    let about: [&[&str]; 3] = [&["explain", "conformance/orphans"], &["completions", "bash"], &["man", "q"]];
    for command in about {
        let plain = repo.sdp(command);
        for option in ["-q", "--quiet", "-v", "--verbose", "--color=never", "--color=always"] {
            assert_eq!(repo.sdp(command.iter().chain(&[option])), plain, "{command:?} {option}");
        }
        assert_eq!(repo.sdp(command.iter().chain(&["-q", "-v"])).code, Some(2), "{command:?}");
    }
    for command in RUNS {
        for option in ["--quiet", "--verbose", "--color=never"] {
            assert_eq!(repo.sdp(command.iter().chain(&[option])).code, Some(0), "{command:?} {option}");
        }
    }
    let refused = repo.sdp(["explain", "nothing-like-it", "--color", "always"]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
}

#[test]
fn quiet_rules_print_what_a_quiet_test_runner_prints() {
    let repo = clean();
    let quiet = repo.sdp(["rules", "check::", "-q"]);
    let timeless = |text: &str| text.split("finished in").next().unwrap().to_owned();
    assert_eq!(timeless(&quiet.stdout), timeless(&repo.sdp(["rules", "check::", "--", "--quiet"]).stdout));
    assert!(!quiet.stdout.contains("test check::"), "{}", quiet.stdout);
    for own in [&["--quiet"][..], &["-q"], &["--format", "json"], &["--format=terse"]] {
        let run = repo.sdp(["rules", "check::", "-q", "--"].iter().chain(own));
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{own:?}");
    }
}

#[test]
#[sdp::verifies("spec:sdp.command-line")]
fn verbose_says_how_a_run_came_about() {
    let repo = clean().file("sdp.toml", "exclude = [\"drafts\"]\n").file("drafts/x.sdp.md", "");
    for command in RUNS {
        let plain = repo.sdp(command);
        let run = repo.sdp(command.iter().chain(&["--verbose"]));
        assert_eq!(run.code, Some(0), "{command:?}: {}", run.stderr);
        let timeless = |text: &str| text.split("finished in").next().unwrap().to_owned();
        assert_eq!(timeless(&run.stdout), timeless(&plain.stdout), "{command:?}");
        let root = repo.root().display();
        let said = run.stderr.lines().filter_map(|line| line.strip_prefix("verbose: "));
        // `rules` says in a line of its own whether the graph came from its cache.
        let (of_cache, said): (Vec<&str>, Vec<&str>) = said.partition(|line| line.starts_with("graph: "));
        assert_eq!(of_cache.len(), usize::from(command[0] == "rules"), "{}", run.stderr);
        assert_eq!(said[0], format!("root: {root}"), "{command:?}");
        assert_eq!(said[1], format!("configuration: {root}/sdp.toml"), "{command:?}");
        assert_eq!(said[2], "left out: drafts", "{command:?}");
        if command == ["config"] || command == ["mcp"] {
            assert_eq!(said.len(), 3, "it reads no Spec: {}", run.stderr);
            continue;
        }
        assert!(said[3].ends_with(" ms") && said[3].contains(": "), "{}", run.stderr);
        assert_eq!(said[4], "carriers: 2, Specs: 2, Packs: 0, anchors: 0, nodes: 2, edges: 1", "{command:?}");
    }
    let run = clean().file("Cargo.toml", "[package]\nname = \"x\"\n").command(["check", "-v"]).run();
    assert!(run.stderr.contains("\nverbose: configuration: none, the defaults hold\n"), "{}", run.stderr);
    assert!(run.stderr.contains("/target\nverbose: reading Specs: "), "{}", run.stderr);
    assert!(run.stderr.contains("\nverbose: checking: "), "{}", run.stderr);
    // A program that reads findings is not disturbed.
    let run = clean().sdp(["check", "-v", "--output", "json"]);
    assert_eq!((run.findings().len(), run.stdout.lines().count()), (0, 1));
}

#[test]
fn quiet_and_verbose_exclude_each_other() {
    let repo = clean();
    for command in ["check", "rules", "build"] {
        assert_eq!(repo.sdp([command, "-q", "-v"]).code, Some(2), "{command}");
    }
    let run = repo.sdp(["q", "return 1", "--quiet", "--verbose"]);
    assert_eq!((run.complaint(), run.code), ("sdp q: --quiet and --verbose exclude each other.", Some(1)));
}

#[test]
#[sdp::verifies("spec:sdp.command-line")]
fn a_chosen_colour_beats_the_environment() {
    let repo = Repo::new().spec("alone", "", "");
    let coloured = |arguments: &[&str], variables: &[(&str, &str)]| {
        let command = repo.command(arguments);
        let run = variables.iter().fold(command, |command, (name, value)| command.env(name, value)).run();
        format!("{}{}", run.stdout, run.stderr).contains('\u{1b}')
    };
    let always = [("CARGO_TERM_COLOR", "always")];
    let never = [("NO_COLOR", "1"), ("CARGO_TERM_COLOR", "never")];
    for command in
        [&["check"][..], &["check", "--help"], &["--help"], &["q", "-h"], &["check", "--no-such"], &["build", "--root"]]
    {
        let with = |colour: &'static str| -> Vec<&str> {
            // The top level takes no options of its own.
            if command == ["--help"] {
                vec!["help", "check"]
            } else {
                [&command[..1], &["--color", colour], &command[1..]].concat()
            }
        };
        assert!(coloured(command, &always), "{command:?}");
        assert!(!coloured(command, &never), "{command:?}");
        if command != ["--help"] {
            assert!(coloured(&with("always"), &never), "{command:?}");
            assert!(!coloured(&with("never"), &always), "{command:?}");
            assert!(!coloured(&with("auto"), &always), "{command:?}");
        }
    }
    assert!(coloured(&["rules", "check::", "--color", "always"], &never));
    assert!(!coloured(&["rules", "check::", "--color", "always", "--", "--color", "never"], &always));
    let run = repo.sdp(["check", "--color", "sometimes"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)));
    let run = repo.sdp(["q", "--color", "sometimes", "return 1"]);
    assert_eq!((run.complaint(), run.code), ("sdp q: --color expects auto, always or never, got sometimes", Some(1)));
    assert!(run.stderr.contains("\nhint: "), "{}", run.stderr);
    assert_eq!(repo.sdp(["q", "--color=always", "return 1"]).stdout, "1\n");
}

#[test]
fn each_help_of_a_command_that_looks_at_a_repository_holds_every_common_option() {
    let repo = Repo::new();
    for command in [
        &["q"][..],
        &["check"],
        &["rules"],
        &["build"],
        &["recipes"],
        &["recipes", "run"],
        &["impact"],
        &["questions"],
        &["unbound"],
        &["config"],
        &["mcp"],
    ] {
        let help = repo.sdp(command.iter().chain(&["--help"])).stdout;
        for option in
            ["--root <PATH>", "--manifest-path <PATH>", "--exclude <PATH>", "--quiet", "--verbose", "--color <WHEN>"]
        {
            assert!(help.contains(option), "{command:?} lacks {option}: {help}");
        }
        for heading in ["\nWhere to look:\n", "\nOutput:\n"] {
            assert!(help.contains(heading), "{command:?} lacks {heading}: {help}");
        }
        let has_letters = help.contains("-q, --quiet") && help.contains("-v, --verbose");
        assert_eq!(has_letters, command != ["q"], "to q a word with one dash is a body: {help}");
    }
    for command in ["explain", "completions", "man"] {
        let help = repo.sdp([command, "--help"]).stdout;
        for option in ["\nOutput:\n", "-q, --quiet", "-v, --verbose", "--color <WHEN>"] {
            assert!(help.contains(option), "{command} lacks {option}: {help}");
        }
    }
    for (command, weighs) in [("check", true), ("rules", true), ("build", true), ("q", false), ("recipes", false)] {
        let help = repo.sdp([command, "--help"]).stdout;
        for option in ["-D, --deny <FINDINGS>", "-W, --warn <FINDINGS>", "-A, --allow <FINDINGS>"] {
            assert_eq!(help.contains(option), weighs, "{command} {option}: {help}");
        }
    }
}

#[test]
#[sdp::verifies("spec:sdp.command-line")]
fn findings_of_build_have_the_three_forms_too() {
    let repo = clean();
    let with = |form: &str| repo.sdp(["build", "--out-dir", "o", "--exclude", "none", "--output", form]);
    let short = with("short");
    assert_eq!(short, repo.sdp(["build", "--out-dir", "o", "--exclude", "none"]));
    assert!(short.stderr.starts_with("[warning] sdp/unmatched-exclude — "), "{}", short.stderr);
    assert!(with("human").stderr.starts_with("warning[sdp/unmatched-exclude]: "));
    let json = with("json");
    assert!(json.stdout.starts_with("{\"finding\":{\"id\":\"sdp/unmatched-exclude\","), "{}", json.stdout);
    assert_eq!((json.findings().len(), json.stdout.lines().count()), (1, 2));
    assert_eq!(json.stderr, short.stdout);
}

#[test]
#[sdp::verifies("spec:sdp.build")]
fn with_json_only_objects_go_to_stdout_whatever_build_compares() {
    let repo = clean();
    assert_eq!(repo.sdp(["build", "--out-dir", "o"]).code, Some(0));
    let compared = |form: &[&str]| repo.sdp(["build", "--out-dir", "o", "--check"].iter().chain(form));
    let json = ["--output", "json"];
    let (same, plain) = (compared(&json), compared(&[]));
    let summary = "{\"summary\":{\"command\":\"build\",\"errors\":0,\"warnings\":0,\"waived\":0,\"accepted\":0}}\n";
    assert_eq!((same.stdout.as_str(), same.code), (summary, Some(0)));
    assert_eq!((same.stderr.as_str(), plain.stderr.as_str()), (plain.stdout.as_str(), ""));
    repo.write("o/graph.json", "{}\n");
    let (differs, plain) = (compared(&json), compared(&[]));
    assert_eq!((differs.stdout.as_str(), differs.code), (summary, Some(1)));
    assert!(plain.stdout.contains("\n@@ "), "{}", plain.stdout);
    assert_eq!(differs.stderr, plain.stdout + &plain.stderr);
    // What differs is the answer of the comparison: a quiet run leaves the summary and what is up to date out.
    let quiet = compared(&["-q"]);
    assert!(quiet.stdout.starts_with("--- ") && !quiet.stdout.contains("up to date"), "{}", quiet.stdout);
}

#[test]
fn completions_of_each_shell_name_every_command() {
    let repo = Repo::new();
    let names = commands(&[]);
    for shell in SHELLS {
        let run = repo.sdp(["completions", shell]);
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{shell}");
        assert!(run.stdout.contains("cargo-sdp"), "{shell}");
        for name in &names {
            assert!(run.stdout.contains(name), "{shell} lacks {name}");
        }
        for option in ["manifest-path", "output", "deny"] {
            assert!(run.stdout.contains(option), "{shell} lacks {option}");
        }
    }
    let run = repo.sdp(["completions", "tcsh"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)));
    assert_eq!(repo.sdp(["completions"]).code, Some(2));
}

/// What bash offers for the last of the words, once the script is read; none without a bash.
fn completed(script: &str, words: &[&str]) -> Option<Vec<String>> {
    let question = r#"
own=$(complete -p cargo-sdp); own=${own#*-F }; own=${own%% *}
last=$((${#COMP_WORDS[@]} - 1)); COMP_CWORD=$last
"$own" cargo-sdp "${COMP_WORDS[last]}" "${COMP_WORDS[last - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
"#;
    let words: String = words.iter().map(|word| format!(" '{word}'")).collect();
    let bash = Command::new("bash").args(["--norc"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut bash = bash.ok()?;
    let typed = format!("{script}\nCOMP_WORDS=(cargo-sdp{words})\n{question}");
    bash.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = bash.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

#[test]
#[sdp::verifies("spec:sdp.command-line")]
fn bash_completes_commands_their_options_and_their_values_with_the_script() {
    let script = Repo::new().sdp(["completions", "bash"]).stdout;
    for (words, offered) in [
        (&["che"][..], &["check"][..]),
        (&["check", "--outp"], &["--output"]),
        (&["validate", "--outp"], &["--output"]),
        (&["check", "--color", ""], &["auto", "always", "never"]),
        (&["man", "--color", "a"], &["auto", "always"]),
        (&["build", "--output", "s"], &["short", "sarif"]),
        (&["completions", "ba"], &["bash"]),
        (&["recipes", "sh"], &["show"]),
        (&["recipes", "run", "--par"], &["--params"]),
        (&["recipes", "run", "3", "--det"], &["--deterministic"]),
    ] {
        let Some(found) = completed(&script, words) else { return sdp_tests::skipped("no `bash`") };
        assert_eq!(found, offered, "{words:?}");
    }
    let all = completed(&script, &["recipes", "run", ""]).unwrap();
    for option in ["--params", "--json", "--timeout", "--root"] {
        assert!(all.iter().any(|word| word == option), "{option}: {all:?}");
    }
}

#[test]
fn the_manual_holds_every_command() {
    let repo = Repo::new();
    let page = repo.sdp(["man"]);
    assert_eq!((page.stderr.as_str(), page.code), ("", Some(0)));
    assert!(page.stdout.contains(".TH cargo-sdp 1"), "{}", page.stdout);
    for name in commands(&[]) {
        assert!(page.stdout.contains(&format!("cargo\\-sdp\\-{name}(1)")), "{name}: {}", page.stdout);
        let own = repo.sdp(["man", &name]);
        assert_eq!((own.stderr.as_str(), own.code), ("", Some(0)), "{name}");
        assert!(own.stdout.contains(&format!(".TH cargo-sdp-{name} 1")), "{}", own.stdout);
        assert!(own.stdout.contains("Exit codes: "), "{}", own.stdout);
    }
    assert!(repo.sdp(["man", "recipes", "run"]).stdout.contains("\\-\\-params"));
    let run = repo.sdp(["man", "chek"]);
    assert_eq!(
        (run.stdout.as_str(), run.stderr.as_str(), run.code),
        ("", "sdp man: no command is named chek\nhint: did you mean `check`?\n", Some(1))
    );
    assert!(repo.sdp(["man", "zzz"]).stderr.ends_with("\nhint: `cargo sdp --help` lists the commands\n"));
}

#[test]
fn a_closed_pipe_is_quiet() {
    let repo = Repo::new();
    for command in [&["completions", "zsh"][..], &["man", "q"]] {
        let mut child = repo.command(command).spawn();
        drop(child.stdout.take());
        drop(child.stdin.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.stderr.as_slice(), output.status.code()), (&b""[..], Some(0)), "{command:?}");
    }
}

#[test]
#[sdp::verifies("spec:sdp.command-line")]
fn the_long_version_names_the_commit_or_says_that_it_is_unknown_and_the_short_one_does_neither() {
    let repo = Repo::new();
    let short = format!("cargo-sdp {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(repo.sdp(["-V"]).stdout, format!("{short}\n"));
    let long = repo.sdp(["--version"]).stdout;
    let build = long.strip_prefix(&format!("{short} (")).and_then(|rest| rest.strip_suffix(")\n")).unwrap();
    let is_commit = |commit: &str| commit.len() >= 7 && commit.chars().all(|digit| digit.is_ascii_hexdigit());
    let is_date = |date: &str| {
        let is_in_place =
            |(at, mark): (usize, char)| if at == 4 || at == 7 { mark == '-' } else { mark.is_ascii_digit() };
        date.len() == 10 && date.chars().enumerate().all(is_in_place)
    };
    let is_known = build.split_once(' ').is_some_and(|(commit, date)| is_commit(commit) && is_date(date));
    assert!(is_known || build == "unknown", "{long}");
}
