//! `--output`: which stream or file each form goes to, what people see beside it, and readers and disks that do not take it.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use sdp_tests::{ends, spec_text, wait};

use crate::outputs::{failing, sarif};

#[test]
fn a_machine_form_leaves_people_one_line_and_the_runner_nothing() {
    let repo = failing();
    let run = repo.sdp(["rules", "rule::team", "--output", "json"]);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(
        run.stderr.starts_with("3 errors · 0 warnings (0 cases passed · 1 failed · 0 ignored · "),
        "{}",
        run.stderr
    );
    assert_eq!(repo.sdp(["rules", "rule::team", "--output", "json", "-q"]).stderr, "");
    for (words, said) in [
        (
            &["--", "--format", "json"][..],
            "error: `--format` is about the test runner's own output, in whose place `--output sarif` stands: leave it out, or write `--output sarif=FILE`\n",
        ),
        (
            &["--", "-q"],
            "error: `--quiet` is about the test runner's own output, in whose place `--output sarif` stands: leave it out, or write `--output sarif=FILE`\n",
        ),
        (&["--", "--bench"], "error: `--bench` runs no case, so there is nothing to write with `--output`\n"),
    ] {
        let run = repo.sdp(["rules", "--output", "sarif"].iter().chain(words));
        assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("", said, Some(2)));
    }
    // Beside a file the runner's own forms stay.
    let run = repo.sdp(["rules", "rule::team", "--output", "sarif=x.sarif", "--", "--format", "json"]);
    ends(&run, 101);
    assert!(run.stdout.lines().all(|line| line.starts_with("{ ")), "{}", run.stdout);
    sarif(&fs::read_to_string(repo.path("x.sarif")).unwrap());
}

#[test]
fn files_stand_beside_what_people_see() {
    let repo = failing();
    let plain = repo.sdp(["check"]);
    let run = repo.sdp(["check", "--output", "sarif=deep/er/x.sarif", "--output", "junit=x.xml"]);
    assert_eq!(run, plain);
    sarif(&fs::read_to_string(repo.path("deep/er/x.sarif")).unwrap());
    let run = repo.sdp(["rules", "rule::team", "--output", "json=rules.json"]);
    ends(&run, 101);
    assert!(
        run.stdout.contains("\ntest rule::team ... FAILED\n") && run.stderr.is_empty(),
        "{}{}",
        run.stdout,
        run.stderr
    );
    let both = repo.sdp(["check", "--output", "human", "--output", "json"]);
    assert_eq!(both.stderr, plain.stderr + &plain.stdout);
    assert_eq!(both.stdout, repo.sdp(["check", "--output", "json"]).stdout);
}

#[test]
fn what_cannot_be_routed_is_refused_before_the_run() {
    let repo = failing().file("folder/x", "");
    for (words, code, said) in [
        (
            &["--output", "json", "--output", "sarif"][..],
            2,
            "sdp check: `--output json` and `--output sarif` both write to stdout.",
        ),
        (
            &["--output", "json=a", "--output", "sarif=./a"],
            2,
            "sdp check: `--output json` and `--output sarif` both write to `./a`.",
        ),
        (&["--output", "json=folder"], 1, "sdp check: `--output json=folder` is a folder, not a file."),
    ] {
        let run = repo.sdp(["check"].iter().chain(words));
        assert_eq!((run.complaint(), run.stdout.as_str(), run.code), (said, "", Some(code)));
        assert!(run.stderr.contains("\nhint: "), "{}", run.stderr);
    }
    for (word, part) in [
        ("jsn", "similar value exists: 'json'"),
        ("sarif=", "`sarif=` names no file"),
        ("nothing", "[possible values: human, short"),
    ] {
        let run = repo.sdp(["rules", "--output", word]);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "{word}");
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
    for words in [["--list", "--output", "json=a"], ["--output", "sarif", "--list"]] {
        let run = repo.sdp(["rules"].into_iter().chain(words));
        let said = "error: `--list` runs no case, so there is nothing to write with `--output`\n";
        assert_eq!((run.stderr.as_str(), run.stdout.as_str(), run.code), (said, "", Some(2)));
    }
    assert!(!repo.path("a").exists());
}

#[test]
fn a_run_that_a_denied_warning_of_the_plan_refuses_says_that_nothing_was_run() {
    let repo = failing();
    repo.write("sdp.toml", "roots = [{ path = \"one\" }, { path = \"two\" }]\n");
    for root in ["one", "two"] {
        repo.write(&format!("{root}/specs/a.sdp.md"), spec_text("a", "  dependsOn: spec:a", ""));
        repo.write(&format!("{root}/rules/x.sdp.js"), "return []");
    }
    let run = repo.sdp(["rules", "-D", "warnings"]);
    assert!(run.stderr.contains("sdp/skipped-rule-file"), "{}", run.stderr);
    assert!(run.stderr.ends_with("sdp rules: nothing was run.\n"), "{}", run.stderr);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_fails_the_run_with_words() {
    let repo = failing().file("file", "");
    let run = repo.sdp(["check", "--output", "sarif=file/x.sarif"]);
    ends(&run, 1);
    assert!(run.stderr.starts_with("sdp check: an output could not be written: "), "{}", run.stderr);
    let run = repo.sdp(["rules", "check::", "--output", "sarif=file/x.sarif"]);
    ends(&run, 1);
    assert!(run.stderr.contains("sdp rules: an output could not be written: "), "{}", run.stderr);
    ends(&repo.sdp(["rules", "rule::team", "--output", "sarif=file/x.sarif"]), 101);
    // It hides nothing else that went wrong.
    for (command, said) in
        [(&["build", "--check"][..], "graph.json is missing"), (&["import", "specs"], "there is no carrier to convert")]
    {
        let run = repo.sdp(command.iter().chain(&["--output", "json=file/x"]));
        ends(&run, 1);
        assert!(run.stderr.contains("an output could not be written: ") && run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn annotations_yield_stdout_and_the_summary_of_the_step_is_added_to() {
    let repo = failing().file("summary.md", "before\n");
    let github = |words: &[&str]| {
        let summary = repo.path("summary.md");
        repo.command(["rules", "rule::team"].iter().chain(words)).env("GITHUB_STEP_SUMMARY", summary).run()
    };
    let alone = github(&["--output", "github"]);
    assert_eq!(alone.stdout.lines().count(), 3);
    let page = fs::read_to_string(repo.path("summary.md")).unwrap();
    assert!(page.starts_with("before\n### cargo sdp rules\n\n3 errors · "), "{page}");
    assert!(page.contains("\n| error | rule::team | specs/basket.sdp.md:2 | the id "), "{page}");
    let beside = github(&["--output", "human", "--output", "github"]);
    assert!(beside.stdout.contains("test rule::team ... FAILED"), "{}", beside.stdout);
    assert_eq!(beside.stderr, alone.stdout);
    assert_eq!(fs::read_to_string(repo.path("summary.md")).unwrap().matches("### cargo sdp rules").count(), 2);
    let none = github(&["--output", "json"]);
    assert!(!none.stdout.contains("::error "), "{}", none.stdout);
    assert_eq!(fs::read_to_string(repo.path("summary.md")).unwrap().matches("### cargo sdp rules").count(), 2);
}

#[test]
fn a_reader_that_leaves_changes_no_verdict() {
    let repo = failing();
    for (filter, code) in [("check::", 0), ("", 101)] {
        for format in ["json", "short", "github", "cargo"] {
            let mut child = repo.command(["rules", filter, "--output", format]).spawn();
            drop(child.stdin.take());
            let mut line = String::new();
            BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
            let mut err = String::new();
            child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
            assert_eq!(wait(&mut child).code(), Some(code), "{format}: {err}");
            assert!(!err.contains("panicked"), "{err}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_form_that_cannot_be_written_is_no_success() {
    let repo = failing();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = std::process::Command::new(sdp_tests::binary())
        .args(["rules", "check::", "--output", "json"])
        .current_dir(repo.root())
        .stdout(full)
        .output()
        .unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("stdout could not be written (No space left on device"), "{err}");
    assert_eq!(output.status.code(), Some(1), "{err}");
}

#[test]
fn an_output_replaces_nothing_that_runs_read_or_write_besides() {
    let repo = failing().file("sdp.toml", "").file("accepted.txt", "").file("target.md", "");
    let config = "a configuration";
    for (command, file, what) in [
        ("check", "sdp.toml", config),
        ("rules", "new/../sdp.toml", config),
        ("build", "Cargo.toml", config),
        ("unbound", "specs/basket.sdp.md", "a carrier of Specs"),
        ("check", "new.sdp.ts", "a carrier of Specs"),
        ("check", "rules/team.sdp.js", "a rule"),
        ("check", "specs/../accepted.txt", "the baseline"),
        ("rules", "accepted.txt", "the baseline"),
        ("unbound", "./accepted.txt", "the baseline"),
        ("build", "out/graph.json", "what `build` writes"),
    ] {
        let besides = match command {
            "build" => ["--out-dir", "out"],
            _ => ["--baseline", "accepted.txt"],
        };
        let before = fs::read(repo.path(file)).ok();
        let output = format!("json={file}");
        let run = repo.sdp([command, "--output", &output].iter().chain(&besides));
        let said = format!("sdp {command}: `--output json={file}` names {what}, which it would replace.");
        assert_eq!((run.complaint(), run.stdout.as_str(), run.code), (said.as_str(), "", Some(1)));
        assert_eq!(fs::read(repo.path(file)).ok(), before, "{file}");
    }
    assert!(!repo.path("out").exists());
}

#[cfg(unix)]
#[test]
fn a_file_has_one_path_whichever_links_lead_to_it() {
    let repo = failing().file("real/sub/x", "");
    std::os::unix::fs::symlink("real/sub", repo.path("link")).unwrap();
    let run = |files: [&str; 2]| {
        repo.sdp(
            ["check".to_owned()].into_iter().chain(
                files
                    .into_iter()
                    .zip(["json", "short"])
                    .flat_map(|(file, form)| ["--output".to_owned(), format!("{form}={file}")]),
            ),
        )
    };
    for files in [["link/../a", "real/a"], ["link/a", "real/sub/a"], ["link/new/../a", "real/sub/./a"]] {
        let refused = run(files);
        assert_eq!(refused.code, Some(2), "{files:?}: {}", refused.stderr);
        assert!(refused.stderr.contains(&format!("both write to `{}`", files[1])), "{}", refused.stderr);
    }
    ends(&run(["link/../a", "a"]), 0);
    assert!(fs::read_to_string(repo.path("real/a")).unwrap().starts_with('{'));
    assert!(!fs::read_to_string(repo.path("a")).unwrap().starts_with('{'));
}

#[cfg(unix)]
#[test]
fn the_summary_of_a_step_waits_for_nobody_and_stays_in_its_room() {
    let repo = failing().file("summary.md", "");
    let pipe = repo.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let github = |summary: &Path| {
        repo.command(["check", "--output", "github=annotations"]).env("GITHUB_STEP_SUMMARY", summary).run()
    };
    let run = github(&pipe);
    ends(&run, 1);
    assert!(run.stderr.contains("(it is no regular file)"), "{}", run.stderr);
    let run = github(&repo.path("annotations"));
    ends(&run, 2);
    let file = fs::File::options().write(true).open(repo.path("summary.md")).unwrap();
    file.set_len((1 << 20) - 10).unwrap();
    let run = github(&repo.path("summary.md"));
    ends(&run, 0);
    assert!(run.stderr.contains("the step's summary has no room left"), "{}", run.stderr);
    assert_eq!(file.metadata().unwrap().len(), (1 << 20) - 10);
}
