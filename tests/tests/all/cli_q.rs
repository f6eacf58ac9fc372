//! `cargo sdp q`: the evaluation sink's contract, refusal by refusal (the first of its two lists of checks).

use sdp_tests::Repo;

const NO_SPEC_NOTE: &str = "note: no *.sdp.ts, *.sdp.md, or *.sdp.gherkin spec files found under";

/// Two Specs, of which one depends on the other.
fn two_specs() -> Repo {
    Repo::new().spec("a", "  dependsOn: spec:b", "").spec("b", "", "")
}

/// A carrier that is refused: whatever derives says so on stderr.
fn broken() -> Repo {
    two_specs().file("specs/broken.sdp.md", sdp_tests::BROKEN_CARRIER)
}

/// Refused with one pinned line, at most one hint, nothing on stdout, and before any carrier is read.
#[track_caller]
fn refused_early(arguments: &[&str], line: &str) {
    let run = broken().sdp(std::iter::once("q").chain(arguments.iter().copied()));
    assert_eq!((run.complaint(), run.stdout.as_str(), run.code), (line, "", Some(1)), "{arguments:?}");
    let rest: Vec<&str> = run.stderr.lines().skip(1).collect();
    assert!(rest.len() <= 1 && rest.iter().all(|line| line.starts_with("hint: ")), "{}", run.stderr);
}

#[test]
#[sdp::verifies("spec:sdp.q")]
fn a_body_from_the_command_line_prints_its_return() {
    let run = two_specs().sdp(["q", "return g.specs().map((spec) => spec.id)"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("[ 'spec:a', 'spec:b' ]\n", "", Some(0)));
}

#[test]
fn called_by_cargo_it_is_the_same_command() {
    let repo = two_specs();
    assert_eq!(repo.sdp(["sdp", "q", "return 1"]), repo.sdp(["q", "return 1"]));
}

#[test]
fn a_body_is_read_from_stdin() {
    let run = two_specs().command(["q"]).stdin("const count = g.specs().length;\nreturn count;\n").run();
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("2\n", "", Some(0)));
}

#[test]
#[sdp::verifies("spec:sdp.q")]
fn the_argument_comes_before_stdin() {
    let run = two_specs().command(["q", "return 'argument'"]).stdin("return 'stdin'").run();
    assert_eq!((run.stdout.as_str(), run.code), ("'argument'\n", Some(0)));
}

#[test]
fn an_argument_leaves_an_open_stdin_alone() {
    let repo = two_specs();
    let mut child = repo.command(["q", "return 1"]).spawn();
    // The pipe stays open until the run is over.
    let stdin = child.stdin.take();
    assert!(sdp_tests::wait(&mut child).success());
    drop(stdin);
}

#[test]
fn a_terminal_is_refused_and_not_waited_for() {
    let Some(run) = broken().on_a_terminal(&["q"]) else {
        sdp_tests::skipped("no `script` command to make a terminal");
        return;
    };
    assert_eq!(
        (run.stdout.as_str(), run.code),
        (
            "sdp q: no body supplied and stdin is a terminal.\n\
             Pass the async function body as an argument or pipe it on stdin, for example: sdp q 'return g.specs().length'\n",
            Some(1)
        )
    );
}

#[test]
fn an_empty_body_is_refused() {
    let line = "sdp q: the body is empty — `return` is the output contract.";
    refused_early(&[""], line);
    refused_early(&[" \n\t\u{FEFF}\u{2028}"], line);
    refused_early(&[], line);
    let run = broken().command(["q"]).stdin(" \n").run();
    assert_eq!((run.complaint(), run.code), (line, Some(1)));
}

#[test]
fn stdin_that_is_no_text_is_refused() {
    let run = broken().command(["q"]).stdin(b"return '\xff'").run();
    assert_eq!((run.complaint(), run.code), ("sdp q: stdin could not be read (it is not UTF-8).", Some(1)));
}

#[test]
fn stdin_is_bounded() {
    let run = broken().command(["q"]).stdin(vec![b' '; (16 << 20) + 1]).run();
    assert_eq!((run.complaint(), run.code), ("sdp q: stdin could not be read (it is larger than 16 MiB).", Some(1)));
}

#[cfg(unix)]
#[test]
fn a_closed_stdin_is_an_empty_body() {
    use std::process::Command;
    let repo = broken();
    let binary = sdp_tests::binary().to_str().unwrap();
    let output =
        Command::new("sh").args(["-c", &format!("'{binary}' q <&-")]).current_dir(repo.root()).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("sdp q: the body is empty"), "{stderr}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
#[sdp::verifies("spec:sdp.q")]
fn json_prints_json() {
    let run = two_specs().sdp(["q", "return { n: g.specs().length, none: undefined, list: [NaN] }", "--json"]);
    assert_eq!((run.stdout.as_str(), run.code), ("{\n  \"n\": 2,\n  \"list\": [\n    null\n  ]\n}\n", Some(0)));
}

#[test]
fn null_is_an_answer() {
    let run = two_specs().sdp(["q", "return null"]);
    assert_eq!((run.stdout.as_str(), run.code), ("null\n", Some(0)));
}

#[test]
fn a_throw_is_named() {
    for (body, line) in [
        ("throw new Error('no luck')", "sdp q: no luck"),
        ("throw 'text'", "sdp q: text"),
        ("throw { a: 1 }", "sdp q: [object Object]"),
        ("throw new SyntaxError('thrown')", "sdp q: thrown"),
        ("return await Promise.reject(new Error('later'))", "sdp q: later"),
    ] {
        let run = two_specs().sdp(["q", body]);
        assert_eq!((run.complaint(), run.stdout.as_str(), run.code), (line, "", Some(1)), "{body}");
    }
}

#[test]
#[sdp::verifies("spec:sdp.q")]
fn a_body_that_does_not_parse_is_located_in_one_line() {
    for (body, place) in [
        ("return )", "line 1, column 8"),
        ("return 1; foo bar", "line 1, column 15"),
        ("let x = 'a' 'bcdef';", "line 1, column 13"),
        ("const value = 1;\nreturn )", "line 2, column 8"),
    ] {
        for run in [two_specs().sdp(["q", body]), two_specs().command(["q"]).stdin(body).run()] {
            assert!(run.stderr.starts_with(&format!("sdp q: the body does not parse at {place}: ")), "{}", run.stderr);
            assert_eq!((run.stderr.lines().count(), run.stdout.as_str(), run.code), (1, "", Some(1)), "{body}");
        }
    }
}

#[test]
fn a_body_that_stops_short_is_named_as_such() {
    for (body, place) in [("return (", "line 1, column 9"), ("if (true) {\n", "line 2, column 1")] {
        let run = two_specs().sdp(["q", body]);
        assert!(run.stderr.starts_with(&format!("sdp q: the body does not parse at {place}: ")), "{}", run.stderr);
        assert!(!run.stderr.contains('}') && run.stderr.lines().count() == 1, "{}", run.stderr);
        assert_eq!(run.code, Some(1));
    }
}

#[test]
#[sdp::verifies("spec:sdp.evaluator")]
fn a_body_cannot_climb_out_of_its_function() {
    let run = two_specs().sdp(["q", "}); (function () { return 1"]);
    assert!(run.stderr.starts_with("sdp q: the body does not parse at line 1, column "), "{}", run.stderr);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
}

#[test]
fn a_body_is_awaited() {
    let run = two_specs().sdp(["q", "const n = await Promise.resolve(20); return n + await (async () => 1)()"]);
    assert_eq!((run.stdout.as_str(), run.code), ("21\n", Some(0)));
}

#[test]
fn the_reader_answers_from_the_derived_graph() {
    let body = "return [g.specContext('spec:a').relationsOut.length, g.byFile('specs/b.sdp.md').specs.length, g.findings().length]";
    let run = two_specs().sdp(["q", body, "--json"]);
    assert_eq!((run.stdout.as_str(), run.code), ("[\n  1,\n  1,\n  0\n]\n", Some(0)), "{}", run.stderr);
}

#[test]
fn the_graph_stands_beside_the_reader() {
    let run = two_specs().sdp(["q", "return [graph.schemaVersion, graph.nodes.length, graph.edges.length]"]);
    assert_eq!((run.stdout.as_str(), run.code), ("[ '0.10.0', 2, 1 ]\n", Some(0)));
}

#[test]
fn the_report_is_data_and_never_a_gate() {
    let repo = two_specs().spec("lost", "  dependsOn: spec:nowhere", "");
    let body = "return report.findings.map((finding) => [finding.severity, finding.validatorId])";
    let run = repo.sdp(["q", body]);
    assert_eq!(
        (run.stdout.as_str(), run.stderr.as_str(), run.code),
        ("[ [ 'error', 'conformance/referential-integrity' ] ]\n", "", Some(0))
    );
}

#[test]
#[sdp::verifies("spec:sdp.q")]
fn an_extraction_error_keeps_the_body_from_running() {
    let run = broken().sdp(["q", "console.log('ran'); return 1"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(lines[0].starts_with("specs/broken.sdp.md:2 — [error] extract/invalid-id — "), "{}", run.stderr);
    assert!(lines.contains(&"sdp q: the graph did not derive — the body was not run."), "{}", run.stderr);
}

#[test]
fn an_extraction_warning_is_printed_and_the_body_runs() {
    let run = two_specs().sdp(["q", "--exclude", "nowhere", "return 1"]);
    assert_eq!((run.stdout.as_str(), run.code), ("1\n", Some(0)));
    assert!(run.stderr.contains("[warning] sdp/unmatched-exclude — "), "{}", run.stderr);
}

#[test]
#[sdp::verifies("spec:sdp.q")]
fn nothing_returned_is_said_and_is_no_failure() {
    for arguments in [&["q", "g.specs()"][..], &["q", "return undefined", "--json"]] {
        let run = two_specs().sdp(arguments);
        assert_eq!(
            (run.stdout.as_str(), run.stderr.as_str(), run.code),
            ("", "sdp q: the body returned nothing — `return` is the output contract.\n", Some(0))
        );
    }
}

#[test]
fn a_wrong_command_line_is_refused_before_anything_is_derived() {
    refused_early(&["--no"], "sdp q: unknown option --no");
    refused_early(&["--json=1", "return 1"], "sdp q: unknown option --json=1");
    refused_early(&["return 1", "return 2"], "sdp q takes at most one body argument.");
    refused_early(&["--root"], "sdp q: --root requires a path.");
    refused_early(&["--root", "--json"], "sdp q: --root expects a path, got --json");
    refused_early(&["--root", ".", "--root", "."], "sdp q takes at most one --root.");
    refused_early(&["return 1", "--exclude"], "sdp q: --exclude requires a path.");
    refused_early(&["--exclude", "--json"], "sdp q: --exclude expects a path, got --json");
    refused_early(
        &["--timeout", "0", "return 1"],
        "sdp q: --timeout expects a number of seconds from 0.001 to 3600, got 0",
    );
    refused_early(&["--memory"], "sdp q: --memory requires a whole number of megabytes from 1 to 16384.");
}

#[test]
fn an_empty_root_is_not_the_current_folder() {
    refused_early(&["--root", "", "return 1"], "sdp q: --root requires a path.");
    refused_early(&["--root", " ", "return 1"], "sdp q: --root requires a path.");
    refused_early(&["--root=", "return 1"], "sdp q: --root requires a path.");
}

#[test]
fn a_root_that_is_no_folder_is_named_with_its_absolute_path() {
    let repo = broken();
    for given in ["nowhere", "specs/a.sdp.md"] {
        let run = repo.sdp(["q", "--root", given, "return 1"]);
        let root = repo.path(given);
        assert_eq!(run.complaint(), format!("sdp q: root \"{}\" is not a directory.", root.display()));
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
    }
}

#[test]
fn a_root_is_relative_to_the_current_folder() {
    let repo = Repo::new().file("deep/specs/a.sdp.md", sdp_tests::spec_text("a", "", ""));
    for root in ["deep", "./deep", "deep/", "deep/../deep"] {
        let run = repo.sdp(["q", "--root", root, "return g.specs().map((spec) => spec.file)"]);
        assert_eq!((run.stdout.as_str(), run.code), ("[ 'specs/a.sdp.md' ]\n", Some(0)), "{root}");
    }
}

#[cfg(unix)]
#[test]
fn a_root_may_be_a_link() {
    let repo = Repo::new().file("deep/specs/a.sdp.md", sdp_tests::spec_text("a", "", ""));
    std::os::unix::fs::symlink(repo.path("deep"), repo.path("link")).unwrap();
    let run = repo.sdp(["q", "--root", "link", "return g.specs().length"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("1\n", "", Some(0)));
}

#[test]
fn a_root_without_specs_is_noted_and_answered() {
    let repo = Repo::new();
    let run = repo.sdp(["q", "return g.specs()"]);
    assert_eq!((run.stdout.as_str(), run.code), ("[]\n", Some(0)));
    let root = repo.root().display();
    let note = format!("{NO_SPEC_NOTE} {root} — the authored model is empty. Is this the right extraction root?\n");
    assert_eq!(run.stderr, note);
}

#[test]
fn an_exclude_leaves_out_exactly_its_path() {
    let repo = two_specs().file("specs/b/c.sdp.md", sdp_tests::spec_text("c", "", ""));
    let ids = "return g.specs().map((spec) => spec.id).join()";
    for (exclude, answer) in [("specs/b", "'spec:a,spec:b'\n"), ("specs/b.sdp.md", "'spec:a,spec:c'\n")] {
        let run = repo.sdp(["q", "--exclude", exclude, ids]);
        assert_eq!((run.stdout.as_str(), run.code), (answer, Some(0)), "{exclude}");
    }
    let run = repo.sdp(["q", "--exclude", "specs/b", "--exclude=specs/b.sdp.md", ids]);
    assert_eq!(run.stdout, "'spec:a'\n");
}

#[test]
fn an_exclude_outside_its_contract_is_refused_before_the_root() {
    for path in ["", ".", "./specs", "specs/", "/specs", "C:/specs", "a\\b", "a//b", "../a", "a/../b"] {
        let run = broken().sdp(["q", "--exclude", path, "--root", "nowhere", "return 1"]);
        assert_eq!(run.complaint(), format!("sdp q: invalid --exclude path \"{path}\"").replace("a\\b", "a\\b"));
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)), "{path}");
    }
}

#[test]
fn a_throw_from_rendering_is_told_like_every_other() {
    let body = "return { [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('render boom') } }";
    let run = two_specs().sdp(["q", body]);
    assert_eq!((run.complaint(), run.stdout.as_str(), run.code), ("sdp q: render boom", "", Some(1)));
}

#[test]
fn what_has_no_json_form_is_refused() {
    for (body, line) in [
        ("return () => 1", "sdp q: a function return value has no JSON form."),
        ("return Symbol('s')", "sdp q: a symbol return value has no JSON form."),
        ("return { toJSON() { return undefined } }", "sdp q: the return value has no JSON form."),
    ] {
        let run = two_specs().sdp(["q", "--json", body]);
        assert_eq!((run.complaint(), run.stdout.as_str(), run.code), (line, "", Some(1)), "{body}");
    }
    for body in ["return 1n", "const a = {}; a.a = a; return a", "return { get x() { throw new Error('boom') } }"] {
        let run = two_specs().sdp(["q", "--json", body]);
        assert!(run.stderr.starts_with("sdp q: the return value is not JSON-serializable ("), "{}", run.stderr);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)), "{body}");
    }
}

#[test]
fn console_output_comes_before_the_answer() {
    let run = two_specs().sdp(["q", "console.log('out', 1); console.error('err'); return 2"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("out 1\n2\n", "err\n", Some(0)));
}

#[test]
fn the_sink_writes_nothing() {
    let repo = two_specs();
    let before = repo.contents();
    let run = repo.sdp(["q", "return g.specs().length"]);
    assert_eq!(run.code, Some(0));
    assert_eq!(repo.contents(), before);
}

#[test]
#[sdp::verifies("spec:sdp.q")]
fn each_limit_has_its_own_error() {
    for (arguments, line) in [
        (&["while (true) {}", "--timeout", "0.2"][..], "sdp q: the body was stopped: it ran longer than 0.2 s"),
        (
            &["const a = []; while (true) a.push(new Array(1000).fill(1))", "--memory", "16"],
            "sdp q: the body was stopped: it used more than 16 MB of memory",
        ),
        (&["await new Promise(() => {})"], "sdp q: the body never ends: it waits for a promise that nothing settles"),
    ] {
        let run = two_specs().sdp(std::iter::once("q").chain(arguments.iter().copied()));
        assert_eq!((run.complaint(), run.stdout.as_str(), run.code), (line, "", Some(1)), "{arguments:?}");
        assert!(run.stderr.lines().nth(1).is_some_and(|line| line.starts_with("hint: ")), "{}", run.stderr);
    }
}

#[test]
fn limits_of_the_configuration_hold_and_the_command_line_comes_first() {
    let repo = two_specs().file("sdp.toml", "[limits]\ntime = 0.2\n");
    let run = repo.sdp(["q", "while (true) {}"]);
    assert_eq!(run.complaint(), "sdp q: the body was stopped: it ran longer than 0.2 s");
    let run = repo.sdp(["q", "while (true) {}", "--timeout", "0.3"]);
    assert_eq!(run.complaint(), "sdp q: the body was stopped: it ran longer than 0.3 s");
}

#[test]
fn a_deterministic_run_repeats_itself() {
    let repo = two_specs();
    let body = "return [Date.now(), Math.random(), new Date().toISOString()]";
    let first = repo.sdp(["q", "--deterministic", body]);
    assert_eq!(first.code, Some(0));
    assert_eq!(repo.sdp(["q", "--deterministic", body]), first);
}

#[test]
fn what_the_engine_lacks_is_hinted_at() {
    let run = two_specs().sdp(["q", "return process.cwd()"]);
    assert_eq!((run.complaint(), run.code), ("sdp q: process is not defined", Some(1)));
    assert!(run.stderr.lines().nth(1).is_some_and(|line| line.starts_with("hint: ")), "{}", run.stderr);
}

#[test]
fn a_wrong_configuration_is_refused_with_its_place() {
    let repo = two_specs().file("sdp.toml", "excludes = []\n");
    let run = repo.sdp(["q", "return 1"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
    assert!(run.complaint().starts_with("sdp.toml:1 — [error] sdp/invalid-config — "), "{}", run.stderr);
    assert_eq!(run.stderr.lines().nth(1), Some("sdp q: the configuration is invalid — nothing was run."));
}

#[test]
fn a_message_with_escapes_is_harmless_on_a_terminal() {
    let run = two_specs().sdp(["q", "throw new Error('a\\u001b[31mb')"]);
    assert_eq!(run.complaint(), "sdp q: a\\u{1b}[31mb");
}

#[test]
fn a_closed_stdout_is_quiet() {
    let repo = two_specs();
    let mut child = repo.command(["q", "return Array(200).fill('x'.repeat(3000))"]).spawn();
    drop(child.stdout.take());
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((String::from_utf8(output.stderr).unwrap().as_str(), output.status.code()), ("", Some(0)));
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_a_failure() {
    use std::process::Command;
    let repo = two_specs();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = Command::new(sdp_tests::binary())
        .args(["q", "return 1"])
        .current_dir(repo.root())
        .stdout(full)
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("sdp: stdout could not be written ("), "{stderr}");
    assert_eq!(output.status.code(), Some(1));
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let odd = OsStr::from_bytes(b"return '\xff'");
    for (before, line) in [
        (&[][..], "sdp q: the body is not UTF-8."),
        (&["--exclude"], "sdp q: invalid --exclude path \"return '\u{fffd}'\""),
        (&["--params"], "sdp q: --params expects a JSON value or @PATH, got return '\u{fffd}'"),
        (&["--timeout"], "sdp q: --timeout expects a number of seconds from 0.001 to 3600, got return '\u{fffd}'"),
    ] {
        let arguments = [OsStr::new("q")].into_iter().chain(before.iter().map(OsStr::new)).chain([odd]);
        let run = broken().sdp(arguments);
        assert_eq!((run.complaint(), run.stdout.as_str(), run.code), (line, "", Some(1)));
    }
}

#[test]
fn long_work_is_announced_on_a_terminal_only() {
    let repo = two_specs();
    let body = "const start = Date.now(); while (Date.now() - start < 1300); return 1";
    let run = repo.sdp(["q", body]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("1\n", "", Some(0)));
    match repo.on_a_terminal(&["q", body]) {
        Some(run) => assert_eq!(run.stdout, "\rrunning the body … 1 s\r\u{1b}[K1\n"),
        None => sdp_tests::skipped("no `script` command to make a terminal"),
    }
}

#[test]
fn carriers_that_an_ignore_rule_hides_are_named_beside_the_note() {
    let run = two_specs().file(".gitignore", "specs/\n").sdp(["q", "return g.specs().length"]);
    assert_eq!((run.stdout.as_str(), run.code), ("0\n", Some(0)));
    assert!(run.complaint().starts_with(NO_SPEC_NOTE), "{}", run.stderr);
    let second = "note: ignore rules of git hide 2 carriers: specs/a.sdp.md, specs/b.sdp.md";
    assert_eq!(run.stderr.lines().nth(1), Some(second));
}

#[test]
fn a_thrown_error_names_its_line_and_forges_none() {
    let repo = Repo::new().spec("a", "", "");
    let place = repo.sdp(["q", "// first\nlet x;\nx.y.z;"]);
    let lines: Vec<&str> = place.stderr.lines().collect();
    assert_eq!((lines.len(), lines[1]), (2, "hint: TypeError thrown at line 3 of the body"));
    let forged = repo.sdp(["q", "throw new Error('a\\nhint: do as I say')"]);
    assert_eq!(forged.stderr, "sdp q: a\n  | hint: do as I say\nhint: Error thrown at line 1 of the body\n");
    let long = repo.sdp(["q", "throw new Error('x'.repeat(1e6))"]);
    assert!(long.stderr.starts_with("sdp q: xxx"), "{}", long.stderr.len());
    assert!(long.stderr.contains("… 996000 more characters\n"), "{}", long.stderr.len());
}

#[test]
fn an_answer_is_bytes_in_a_pipe_and_harmless_on_a_terminal() {
    let repo = Repo::new().spec("a", "", "");
    let body = "return 'a\\u009b31mb\\u202ec'";
    assert_eq!(repo.sdp(["q", body, "--json"]).stdout, "\"a\u{9b}31mb\u{202e}c\"\n");
    let Some(shown) = repo.on_a_terminal(&["q", body, "--json"]) else {
        sdp_tests::skipped("no `script` on this machine");
        return;
    };
    assert_eq!(shown.stdout, "\"a\\u009b31mb\\u202ec\"\n");
    let printed = repo.on_a_terminal(&["q", "console.log('a\\u001b[31mb'); return 1"]).unwrap();
    assert_eq!(printed.stdout, "a\\u{1b}[31mb\n1\n");
}
