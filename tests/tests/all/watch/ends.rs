//! How a watch begins, what it refuses, what it waits out and how it ends.

use std::fs;

use sdp_tests::{Repo, skipped, spec_text, wait};

use super::Watch;

fn spec(name: &str, on: &str) -> String {
    spec_text(name, &format!("  dependsOn: spec:{on}"), "")
}

fn repository() -> Repo {
    Repo::new().file("sdp.toml", "").file("specs/a.sdp.md", spec("a", "b")).file("specs/b.sdp.md", spec("b", "a"))
}

#[test]
fn the_first_cycle_of_a_check_says_all_and_the_next_ones_what_is_new() {
    let repo = repository().file("specs/c.sdp.md", spec("c", "gone"));
    let mut watch = Watch::start(&repo, &["check", "--watch"]);
    let first = watch.cycle();
    assert_eq!((first.text.as_str(), first.sum.as_str()), ("", "1 error · 0 warnings (3 specs · 0 packs)"));
    let errors = watch.errors("ends the watch\n");
    assert!(errors.contains("\"spec:gone\"") && errors.contains(" --> specs/c.sdp.md:7\n"), "{errors}");
    assert!(errors.ends_with("waiting for changes; Ctrl-C ends the watch\n"), "{errors}");
    repo.write("specs/d.sdp.md", spec("d", "far"));
    let next = watch.cycle();
    assert_eq!(next.sum, "1 added, 0 mended; 2 errors · 0 warnings (4 specs · 0 packs)");
    let errors = watch.errors("  = help");
    assert!(
        errors.contains("\"spec:far\"") && errors.contains(" --> specs/d.sdp.md:7\n") && !errors.contains("spec:gone"),
        "{errors}"
    );
    repo.write("specs/c.sdp.md", "no front matter");
    let broken = watch.cycle();
    let sum =
        "1 added, 0 mended; 1 error · 0 warnings (3 specs · 0 packs; the graph did not derive: its checks did not run)";
    assert_eq!(broken.sum, sum);
    repo.write("specs/c.sdp.md", spec("c", "a"));
    assert_eq!(watch.cycle().sum, "0 added, 2 mended; 1 error · 0 warnings (4 specs · 0 packs)");
    let errors = watch.errors("spec:gone");
    assert!(errors.contains("mended: specs/c.sdp.md:7 — [error] conformance/referential-integrity — "), "{errors}");
    assert_eq!(watch.signal("INT"), Some(0));
}

#[test]
fn a_configuration_that_is_broken_from_the_start_is_waited_out() {
    let repo = repository();
    repo.write("sdp.toml", "exclude = 3\n");
    let mut watch = Watch::start(&repo, &["check", "--watch"]);
    assert_eq!(
        watch.cycle().sum,
        "refused; 1 error · 0 warnings (the configuration is invalid: nothing else was checked)"
    );
    fs::remove_file(repo.path("sdp.toml")).unwrap();
    let next = watch.cycle();
    assert_eq!((next.paths.as_str(), next.sum.as_str()), ("sdp.toml", "0 errors · 0 warnings (2 specs · 0 packs)"));
    assert_eq!(watch.signal("TERM"), Some(0));
}

#[test]
fn a_root_that_is_removed_is_waited_for() {
    for more in [&[][..], &["--poll"]] {
        let repo = Repo::new().file("above/root/a.sdp.md", spec("a", "b")).file("above/root/b.sdp.md", spec("b", "a"));
        let mut arguments = vec!["check", "--watch"];
        arguments.extend(more);
        let command = repo.command(&arguments).cwd(repo.path("above/root"));
        let mut watch = Watch::of(command.spawn());
        assert_eq!(watch.cycle().sum, "0 errors · 0 warnings (2 specs · 0 packs)");
        fs::remove_dir_all(repo.path("above")).unwrap();
        let gone = watch.errors("waiting for it to come back\n");
        assert!(gone.contains("sdp check: the root \""), "{gone}");
        repo.write("above/root/c.sdp.md", spec("c", "c"));
        // What is written next may come into a cycle of its own.
        while watch.cycle().sum.contains("(0 specs") {}
        repo.write("above/root/d.sdp.md", spec("d", "gone"));
        let mut cycle = watch.cycle();
        while !cycle.paths.contains("d.sdp.md") {
            cycle = watch.cycle();
        }
        assert!(cycle.sum.contains("(2 specs"), "{cycle:?}");
        assert_eq!(watch.signal("TERM"), Some(0));
    }
}

#[sdp::verifies("spec:sdp.watch")]
#[test]
fn a_signal_ends_a_body_that_runs() {
    let repo = repository().file("rules/x.sdp.js", "return [];");
    let mut watch = Watch::start(&repo, &["rules", "rule::", "--watch", "--timeout", "3600"]);
    assert_eq!(watch.cycle().sum.split(';').next(), Some("1 passed"));
    repo.write("rules/x.sdp.js", "for (;;) {}");
    // Whether the body runs already or not: the end comes at once.
    assert_eq!(watch.signal("INT"), Some(0));
}

#[test]
fn a_reader_that_leaves_ends_the_watch() {
    let repo = repository();
    let mut child = repo.command(["check", "--watch"]).spawn();
    drop(child.stdout.take());
    assert_eq!(wait(&mut child).code(), Some(0));
}

#[test]
fn outputs_are_whole_in_each_cycle_and_start_none() {
    let repo = repository().file("specs/c.sdp.md", spec("c", "gone"));
    let mut watch = Watch::start(&repo, &["check", "--watch", "--output", "human", "--output", "json=out.foo"]);
    let findings = || {
        let text = fs::read_to_string(repo.path("out.foo")).unwrap();
        text.lines().filter(|line| line.starts_with("{\"finding\"")).count()
    };
    let _ = watch.cycle();
    assert_eq!(findings(), 1);
    repo.write("specs/d.sdp.md", spec("d", "far"));
    assert_eq!(watch.cycle().paths, "specs/d.sdp.md");
    // The file is written after the line.
    repo.write("specs/d.sdp.md", spec("d", "a"));
    assert_eq!(watch.cycle().paths, "specs/d.sdp.md");
    repo.write("specs/d.sdp.md", spec("d", "b"));
    assert_eq!(watch.cycle().paths, "specs/d.sdp.md", "the file of the output starts no cycle");
    assert_eq!(watch.signal("TERM"), Some(0));
    assert_eq!(findings(), 1);
}

#[test]
fn a_form_for_programs_holds_every_cycle_and_the_line_goes_to_stderr() {
    let repo = repository().file("specs/c.sdp.md", spec("c", "gone"));
    let watch = Watch::start(&repo, &["check", "--watch", "--output", "json"]);
    let mut errors = watch.errors("cycle 1: 1 error · 0 warnings (3 specs · 0 packs) in ");
    repo.write("specs/d.sdp.md", spec("d", "far"));
    errors.push_str(
        &watch.errors("cycle 2 (specs/d.sdp.md): 1 added, 0 mended; 2 errors · 0 warnings (4 specs · 0 packs) in "),
    );
    assert!(errors.contains("waiting for changes"), "{errors}");
    let lines: Vec<String> = watch.lines.try_iter().collect();
    let findings = lines.iter().filter(|line| line.starts_with("{\"finding\"")).count();
    assert!(findings >= 1, "{lines:?}");
    assert_eq!(watch.signal("TERM"), Some(0));
}

#[test]
fn what_makes_no_sense_in_a_watch_is_usage() {
    let repo = repository();
    for arguments in [
        &["check", "--watch", "--update-baseline", "--baseline", "x.txt"][..],
        &["check", "--poll"],
        &["check", "--watch", "--output", "sarif"],
        &["check", "--watch", "--output", "junit"],
        &["rules", "--watch", "--output", "gitlab"],
        &["rules", "--watch", "--list"],
        &["rules", "--watch", "--", "--format", "json"],
        &["rules", "--watch", "--", "--nocapture"],
        &["rules", "--watch", "--", "--help"],
        &["rules", "--watch", "--", "--no-such"],
    ] {
        let run = repo.sdp(arguments);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "{arguments:?}: {}", run.stderr);
    }
    let run = repo.sdp(["check", "--watch", "--output", "sarif"]);
    assert!(run.stderr.contains("\nhint: name the file: `--output sarif=FILE`\n"), "{}", run.stderr);
    for (root, line) in [("none", "is not a directory."), ("", "--root requires a path.")] {
        let run = repo.sdp(["check", "--watch", "--root", root]);
        assert!(run.complaint().ends_with(line) && run.code == Some(1), "{}", run.stderr);
    }
}

#[test]
fn roots_are_watched_together() {
    let repo = Repo::new()
        .file("sdp.toml", "roots = [{ path = \"back\" }, { path = \"front\" }]\n")
        .file("back/a.sdp.md", spec("a", "a"))
        .file("front/b.sdp.md", spec("b", "b"));
    let mut watch = Watch::start(&repo, &["check", "--watch", "-A", "warnings"]);
    let first = watch.cycle();
    assert!(first.sum.ends_with("(2 roots)"), "{first:?}");
    repo.write("front/b.sdp.md", spec("b", "gone"));
    let next = watch.cycle();
    assert_eq!(next.paths, "front/b.sdp.md");
    assert!(next.sum.starts_with("1 added, "), "{next:?}");
    repo.write("rules/x.sdp.js", "return [];");
    repo.write("back/a.sdp.md", spec("a", "gone"));
    let next = watch.cycle();
    assert!(next.paths.contains("back/a.sdp.md"), "{next:?}");
    assert_eq!(watch.signal("TERM"), Some(0));
}

/// Where the system has no room for a watcher, the folders are looked at again and again.
#[cfg(target_os = "linux")]
#[test]
fn without_room_for_a_watcher_it_polls_and_says_so_once() {
    let repo = repository();
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", "ulimit -n 5; exec \"$0\" check --watch"])
        .arg(sdp_tests::binary())
        .env("RAYON_NUM_THREADS", "1")
        .current_dir(repo.root())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let mut watch = Watch::of(command.spawn().unwrap());
    assert_eq!(watch.cycle().sum, "0 errors · 0 warnings (2 specs · 0 packs)");
    let said = watch.errors("ends the watch\n");
    assert!(
        said.contains("sdp check: the system does not tell of changes (")
            && said.contains("fs.inotify.max_user_watches"),
        "{said}"
    );
    repo.write("specs/a.sdp.md", spec("a", "gone"));
    assert_eq!(watch.cycle().paths, "specs/a.sdp.md");
    assert_eq!(watch.signal("TERM"), Some(0));
}

/// A rule in the package of a dependency, outside of the root.
#[test]
fn a_body_in_the_package_of_a_dependency_is_watched() {
    let package = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"1.0.0\"\nedition = \"2021\"\n\n{more}")
    };
    let rule = "[[package.metadata.sdp.rules]]\nname = \"x\"\nbody = \"dependency:acme-rules/policies/x.sdp.js\"\n";
    let repo = Repo::new()
        .file(
            "app/Cargo.toml",
            package("app", &format!("{rule}\n[dependencies]\nacme-rules = {{ path = \"../acme\" }}\n")),
        )
        .file("app/src/lib.rs", "")
        .file("app/specs/a.sdp.md", spec("a", "a"))
        .file("acme/Cargo.toml", package("acme-rules", ""))
        .file("acme/src/lib.rs", "")
        .file("acme/policies/x.sdp.js", "return [];");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let locks = std::process::Command::new(&cargo)
        .args(["generate-lockfile", "--offline"])
        .current_dir(repo.path("app"))
        .output();
    if !locks.is_ok_and(|output| output.status.success()) {
        skipped("no cargo that writes a lock file");
        return;
    }
    let mut command = repo.command(["rules", "rule::", "--watch"]).env("CARGO", cargo).cwd(repo.path("app"));
    for name in ["RUSTUP_TOOLCHAIN", "RUSTUP_HOME", "CARGO_HOME"] {
        if let Some(value) = std::env::var_os(name) {
            command = command.env(name, value);
        }
    }
    let mut watch = Watch::of(command.spawn());
    assert!(watch.cycle().sum.starts_with("1 passed; 0 failed"));
    repo.write("acme/policies/other.sdp.js", "return [];");
    repo.write("acme/policies/x.sdp.js", "return [{ subject: 'spec:a', message: 'from afar' }];");
    let cycle = watch.cycle();
    assert_eq!(cycle.paths, "../acme/policies/x.sdp.js");
    assert!(cycle.text.contains("error[rule::x]: from afar\n"), "{cycle:?}");
    assert_eq!(watch.signal("TERM"), Some(0));
}
