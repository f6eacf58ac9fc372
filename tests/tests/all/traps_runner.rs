//! Traps of the test runner, seen from `cargo sdp rules`: names, filters, readers that leave, log files, and text of
//! bodies and corpora that would break JSON lines or command a CI runner. Arguments go in, both streams and the exit code come out.

use std::io::{BufRead as _, BufReader, Read as _};

use sdp_tests::{Repo, Run, wait};
use serde_json::Value;

/// One case that passes, one that passes with a warning, and one that fails and prints.
fn repo() -> Repo {
    Repo::new()
        .spec("a", "", "")
        .file("rules/good.sdp.js", "return []")
        .file("rules/warns.sdp.js", "return [{ subject: 'spec:a', message: 'w', severity: 'warning' }]")
        .file("rules/bad.sdp.js", "console.log('seen'); return [{ subject: 'spec:a', message: 'm' }]")
}

#[track_caller]
fn refused(run: &Run, code: i32, words: &[&str]) {
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(code)), "{}", run.stderr);
    assert!(words.iter().all(|word| run.stderr.contains(word)), "{words:?} in {}", run.stderr);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
}

#[test]
fn two_cases_with_one_name_refuse_the_run_and_its_list() {
    let configured = "[[rules]]\nname = \"x\"\nrecipe = 26\n";
    let twice = format!("{configured}\n{configured}");
    let globs = "rule-globs = [\"rules/*.sdp.js\", \"more/*.sdp.js\"]\n";
    let file = |repo: Repo, path: &str| repo.file(path, "return []");
    let run = repo().file("sdp.toml", &twice).sdp(["rules"]);
    refused(&run, 1, &["sdp.toml:5 — ", "a rule named `x` stands at line 1 already"]);
    for (repo, words) in [
        (file(repo(), "rules/x.sdp.js").file("sdp.toml", configured), ["rules/x.sdp.js", "sdp.toml:1"]),
        (
            file(file(repo(), "rules/x.sdp.js"), "more/x.sdp.js").file("sdp.toml", globs),
            ["rules/x.sdp.js", "more/x.sdp.js"],
        ),
    ] {
        for arguments in [&["rules"][..], &["rules", "--list"], &["rules", "good", "--", "--exact"]] {
            let run = repo.sdp(arguments);
            refused(&run, 1, &words);
            assert!(run.stderr.contains("two cases are named `rule::x`"), "{}", run.stderr);
        }
    }
}

#[test]
fn a_filter_that_matches_nothing_is_no_green_run() {
    let repo = repo();
    for arguments in [
        &["rules", "renamed"][..],
        &["rules", "renamed", "--list"],
        &["rules", "rule::goo", "--", "--exact"],
        &["rules", "RULE::GOOD"],
        &["rules", "good", "--", "--skip", "rule"],
        &["rules", "--", "--skip", "::"],
        &["rules", "good", "--", "--ignored"],
        &["rules", "renamed", "--", "--format", "json"],
    ] {
        refused(&repo.sdp(arguments), 4, &["sdp rules: "]);
    }
}

#[test]
fn what_the_runner_would_hang_or_panic_on_is_refused() {
    let repo = repo();
    for (arguments, code, word) in [
        (&["--test-threads", "0"][..], 2, "--test-threads"),
        (&["--test-threads=0"], 2, "--test-threads"),
        (&["--test-threads=-1"], 2, "--test-threads"),
        (&["--test-threads", "many"], 2, "--test-threads"),
        (&["--test-threads", "99999999999999999999999"], 2, "--test-threads"),
        (&["--format", "yaml"], 2, "--format"),
        (&["--no-such-thing"], 2, "--no-such-thing"),
        (&["--logfile", "no/such/folder/log"], 1, "no/such/folder/log"),
        (&["--logfile", "specs"], 1, "specs"),
        (&["--logfile", ""], 1, "log file"),
        (&["--logfile", "specs", "--list"], 1, "specs"),
    ] {
        refused(&repo.sdp(["rules", "good", "--"].iter().chain(arguments)), code, &[word]);
    }
    if cfg!(target_os = "linux") {
        for list in [&["rules", "good", "--list"][..], &["rules", "good"]] {
            let run = repo.sdp(list.iter().chain(&["--", "--logfile", "/dev/full"]));
            refused(&run, 1, &["the output could not be written (No space left on device"]);
        }
    }
    let run = repo.sdp(["rules", "good", "--", "--logfile", "log"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(0)), "{}", run.stderr);
    assert!(std::fs::read_to_string(repo.path("log")).unwrap().contains("test rule::good ... ok"));
}

#[test]
fn a_reader_that_leaves_either_stream_at_any_time_changes_no_exit_code() {
    let repo = repo();
    for (arguments, code) in [
        (&["rules", "--list"][..], 0),
        (&["rules", "good"], 0),
        (&["rules", "warns", "--", "--nocapture"], 0),
        (&["rules", "rule::"], 101),
        (&["rules", "rule::", "--", "--format", "json"], 101),
        (&["rules", "rule::", "--", "--quiet", "--nocapture"], 101),
        (&["rules", "renamed"], 4),
        (&["rules", "--", "--bogus"], 2),
        (&["rules", "-v", "good"], 0),
    ] {
        // Which readers are there, and whether stdout's leaves after a line instead of at once.
        for (stdout, stderr, line) in
            [(false, true, false), (false, true, true), (true, false, false), (false, false, false)]
        {
            let mut child = repo.command(arguments).spawn();
            drop(child.stdin.take());
            let (mut out, err) = (child.stdout.take(), child.stderr.take());
            let err = err.filter(|_| stderr);
            if line && let Some(out) = &mut out {
                // Not every run has a line for it.
                BufReader::new(out).read_line(&mut String::new()).unwrap();
            }
            let out = out.filter(|_| stdout);
            let mut said = String::new();
            if let Some(mut err) = err {
                err.read_to_string(&mut said).unwrap();
            }
            if let Some(mut out) = out {
                out.read_to_string(&mut said).unwrap();
            }
            assert_eq!(wait(&mut child).code(), Some(code), "{arguments:?} {stdout} {stderr} {line}: {said}");
            assert!(!said.contains("panicked"), "{arguments:?}: {said}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_run_without_streams_at_all_keeps_its_exit_code() {
    let repo = repo();
    for closed in ["exec >&-", "exec 2>&-", "exec >&- 2>&-", "exec <&- >&- 2>&-"] {
        for (arguments, code) in [
            (&["rules", "rule::"][..], 101),
            (&["rules", "good"], 0),
            (&["rules", "--list"], 0),
            (&["rules", "renamed"], 4),
        ] {
            let run = repo.limited(closed, arguments);
            assert_eq!(run.code, Some(code), "{closed} {arguments:?}: {}\n{}", run.stdout, run.stderr);
            assert!(!run.stderr.contains("panicked") && !run.stdout.contains("panicked"), "{closed} {arguments:?}");
        }
    }
}

/// Text that breaks JSON written by hand, lines, and terminals.
const UNRULY: &str =
    "'\"}\\\\\\n{ \"type\": \"suite\" }\\r\\u0000\\u001b[31m\\u2028\\ud83d\\ude00\\u202e\\t\\u007f%0A'";

#[test]
fn json_lines_stay_json_whatever_a_body_says() {
    let repo = Repo::new()
        .spec("a", "", "")
        .file("rules/quote\" \\.sdp.js", "return []")
        .file(
            "rules/finds.sdp.js",
            format!("console.log({UNRULY}); return [{{ rule: {UNRULY}, subject: 'spec:a', message: {UNRULY} }}]"),
        )
        .file("rules/throws.sdp.js", format!("console.error({UNRULY}); throw new Error({UNRULY})"))
        .file("rules/returns.sdp.js", format!("return new Map([[{UNRULY}, {UNRULY}]])"))
        .file("rules/about.sdp.js", format!("return [{{ subject: {UNRULY}, message: 'm' }}]"))
        .file("rules/prints.sdp.js", format!("console.log({UNRULY}); return []"));
    for more in [&[][..], &["--nocapture"], &["--show-output"], &["--test-threads=4"]] {
        let run = repo.sdp(["rules", "rule::", "--", "--format", "json"].iter().chain(more));
        let lines: Vec<Value> = run
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
            .collect();
        let events = |event: &str| lines.iter().filter(|line| line["event"] == event && line["type"] == "test").count();
        assert_eq!((events("started"), events("ok"), events("failed"), lines.len()), (6, 2, 4, 14), "{}", run.stdout);
        assert!(lines.iter().any(|line| line["name"] == "rule::quote\" \\" && line["event"] == "ok"), "{}", run.stdout);
        let about = |name: &str| lines.iter().find(|line| line["name"] == name && line["event"] == "failed").unwrap();
        let text = about("rule::finds")["stdout"].as_str().unwrap();
        assert!(text.contains("{ \"type\": \"suite\" }\\r\\u{0}\\u{1b}[31m\\u{2028}😀\\u{202e}"), "{text}");
        assert!(!run.stderr.contains('\u{1b}'), "{}", run.stderr);
        assert_eq!(run.code, Some(101));
    }
}

/// Openings of commands as a body's string holds them, at a line's start and within a line.
const COMMANDS: [&str; 8] = [
    "::error file=a,line=1::x",
    "::add-mask::spec",
    "::stop-commands::token",
    "##[error]x",
    "##[add-mask]spec",
    "##vso[task.setvariable variable=a]b",
    "##VSO[task.complete result=Succeeded]",
    "##teamcity[buildStatus status='SUCCESS']",
];

#[test]
fn no_text_of_a_body_commands_a_ci_runner() {
    for command in COMMANDS {
        let text = |text: &str| Value::from(text).to_string();
        let (bare, inside, after) =
            (text(command), text(&format!("m {command}")), text(&format!("m\n{command}\r {command}\u{85}{command}")));
        let mut repo = Repo::new().spec("a", "", &format!("- risk: {command}\n"));
        for (number, words) in [bare, inside, after].iter().enumerate() {
            for (name, body) in [
                (
                    "console",
                    format!("console.log({words}); console.error({words}); console.table([{words}]); return []"),
                ),
                ("message", format!("return [{{ subject: 'spec:a', message: {words} }}]")),
                (
                    "warning",
                    format!("return [{{ subject: 'spec:a', message: {words}, rule: {words}, severity: 'warning' }}]"),
                ),
                ("rule", format!("return [{{ rule: {words}, subject: 'spec:a', message: 'm', related: {words} }}]")),
                ("subject", format!("return [{{ subject: {words}, message: 'm' }}]")),
                (
                    "edge",
                    format!("return [{{ subject: {{ from: {words}, type: {words}, to: {words} }}, message: 'm' }}]"),
                ),
                ("severity", format!("return [{{ subject: 'spec:a', message: 'm', severity: {words} }}]")),
                ("file", format!("return [{{ subject: 'spec:a', message: 'm', file: {words} }}]")),
                ("line", "return [{ subject: 'spec:a', message: 'm', file: 'specs/a.sdp.md', line: 13 }]".to_owned()),
                ("thrown", format!("throw Object.assign(new Error({words}), {{ name: {words} }})")),
                ("value", format!("throw {words}")),
                ("returned", format!("return {words}")),
                ("map", format!("return new Map([[{words}, {words}]])")),
                ("params", format!("return {{ unknownParams: [{words}], accepts: [{words}] }}")),
                ("json", format!("return {{ get a() {{ throw new Error({words}) }} }}")),
                ("source", format!("/*\n{command}\n*/ null.x; // {command}")),
                ("syntax", format!("/*\n{command}\n*/ return ) // {command}")),
                ("name", format!("undefined_{number}; // {command}")),
            ] {
                repo = repo.file(&format!("rules/{name}{number}.sdp.js"), body);
            }
        }
        let config = format!(
            "[[rules]]\nname = \"told\"\nbody = \"rules/message0.sdp.js\"\ndescription = {}\n",
            text(&format!("about\n{command}"))
        );
        let repo = repo.file("sdp.toml", config);
        let excerpt = repo.sdp(["rules", "rule::line0"]).stdout;
        assert!(excerpt.contains("\n13 | - risk: "), "{excerpt}");
        for more in [&[][..], &["--nocapture"], &["--format", "json"], &["--quiet"], &["--list"]] {
            let run = repo.sdp(["rules", "rule::", "--"].iter().chain(more));
            assert_eq!(run.code, Some(if more == ["--list"] { 0 } else { 101 }), "{}", run.stderr);
            run.gives_no_commands();
            assert!(!run.stdout.contains("not run"), "{}", run.stdout);
        }
    }
}

#[cfg(unix)]
#[test]
fn no_name_of_a_file_or_a_rule_commands_a_ci_runner() {
    for command in COMMANDS {
        // Neither a file of a rule nor a configured name may become a case's name.
        let repo = Repo::new().spec("a", "", "");
        let configured = format!("[[rules]]\nname = {}\nrecipe = 26\n", Value::from(command));
        for repo in [
            Repo::new().spec("a", "", "").file(&format!("rules/{command}.sdp.js"), "return []"),
            Repo::new().spec("a", "", "").file(&format!("rules/{command}/x.sdp.js"), "return []"),
            Repo::new().spec("a", "", "").file("sdp.toml", configured),
        ] {
            for arguments in [&["rules"][..], &["rules", "--list"]] {
                let run = repo.sdp(arguments);
                refused(&run, 1, &["cannot name a case"]);
                run.gives_no_commands();
            }
            repo.sdp(["check"]).gives_no_commands();
        }
        // Words of the command line are shown too.
        for arguments in [
            &["rules", command][..],
            &["rules", "--", command, command],
            &["rules", "--", "--format", command],
            &["rules", "--", "--logfile", &format!("{command}/{command}")],
            &["rules", "-v", "--root", command],
            &["rules", "-D", command],
        ] {
            let run = repo.sdp(arguments);
            assert_ne!(run.code, Some(0), "{arguments:?}");
            run.gives_no_commands();
        }
        // Carriers named so, with findings and as a rule's subject.
        let rule = format!("return [{{ subject: {}, message: 'm' }}]", Value::from(format!("{command}.sdp.md")));
        let repo =
            repo.file(&format!("{command}.sdp.md"), sdp_tests::spec_text("b", "", "")).file("rules/x.sdp.js", rule);
        let run = repo.sdp(["rules", "rule::"]);
        assert!(run.stdout.contains("error[rule::x]: m\n"), "{}", run.stdout);
        run.gives_no_commands();
        repo.write(&format!("{command}.sdp.md"), sdp_tests::BROKEN_CARRIER);
        for arguments in [&["rules"][..], &["check"], &["check", "-v"], &["build"], &["q", "return 1"]] {
            let run = repo.sdp(arguments);
            assert_ne!(run.code, Some(0), "{arguments:?}");
            run.gives_no_commands();
        }
    }
}
