//! `cargo sdp check`: the three forms, the exit code, and findings in their places.

use sdp_tests::{BROKEN_CARRIER as BROKEN, Repo, UNTYPED_SPACE};

/// Two Specs that hold each other up: no finding at all.
fn clean() -> Repo {
    Repo::new().spec("a", "  dependsOn: spec:b", "").spec("b", "", "")
}

#[test]
fn a_clean_corpus_gives_the_summary_only() {
    let run = clean().sdp(["check"]);
    assert_eq!(
        (run.stdout.as_str(), run.stderr.as_str(), run.code),
        ("0 errors · 0 warnings (2 specs · 0 packs)\n", "", Some(0))
    );
}

#[test]
fn validate_is_another_name() {
    let repo = clean();
    assert_eq!(repo.sdp(["validate"]), repo.sdp(["check"]));
    assert_eq!(repo.sdp(["sdp", "validate"]), repo.sdp(["check"]));
}

#[test]
#[sdp::verifies("spec:sdp.checks")]
fn warnings_are_no_failure() {
    let run = Repo::new().spec("alone", "", "").sdp(["check", "--output", "short"]);
    assert_eq!((run.stdout.as_str(), run.code), ("0 errors · 1 warning (1 spec · 0 packs)\n", Some(0)));
    assert!(run.stderr.starts_with("specs/alone.sdp.md:2 — [warning] conformance/orphans — "), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1);
}

#[test]
#[sdp::verifies("spec:sdp.checks")]
fn an_error_finding_shows_its_place_its_line_and_a_remedy() {
    let run = clean().file("specs/a.sdp.md.sdp.md", BROKEN).sdp(["check"]);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(lines[0].starts_with("error[extract/invalid-id]: Invalid ID \"spec:\": "), "{}", run.stderr);
    assert!(lines[1].starts_with(" --> specs/a.sdp.md.sdp.md:2"), "{}", run.stderr);
    assert_eq!(lines[2..5].iter().map(|line| line.trim_end()).collect::<Vec<_>>()[..2], ["  |", "2 | id: \"spec:\""]);
    assert!(lines[5].starts_with("  = help: "), "{}", run.stderr);
    assert_eq!(run.code, Some(1));
    assert_eq!(
        run.stdout,
        "1 error · 0 warnings (2 specs · 0 packs; the graph did not derive: its checks did not run)\n"
    );
}

#[test]
#[sdp::verifies("spec:sdp.checks")]
fn a_finding_of_a_check_stands_where_the_thing_is_written() {
    let repo = clean()
        .spec(
            "lost",
            "  dependsOn: spec:nowhere",
            "\n## Behavior\n\nSee spec:gone.\n\n- rule: r\n- rule: see spec:far.\n",
        )
        .spec("early", "  dependsOn: spec:lost", "")
        .file("specs/all.pack.sdp.md", "---\nid: pack:all\nspecs:\n  - spec:lost\n  - spec:missing\n---\n# All\n")
        .spec("alone", "", "");
    let early = std::fs::read_to_string(repo.path("specs/early.sdp.md")).unwrap();
    repo.write("specs/early.sdp.md", early.replace("readiness: idea", "readiness: defined"));
    let run = repo.sdp(["check", "--output", "short"]);
    let places: Vec<String> = run
        .stderr
        .lines()
        .map(|line| {
            let (place, said) = line.split_once(" — ").unwrap();
            let id = said.split("] ").nth(1).unwrap().split(" — ").next().unwrap();
            format!("{} {id}", place.trim_start_matches("specs/"))
        })
        .collect();
    assert_eq!(
        places,
        [
            "all.pack.sdp.md:5 conformance/referential-integrity",
            "alone.sdp.md:2 conformance/orphans",
            "early.sdp.md:5 honesty/readiness-floor",
            "early.sdp.md:5 honesty/readiness-floor",
            "lost.sdp.md:7 conformance/referential-integrity",
            "lost.sdp.md:17 conformance/prose-mentions",
            "lost.sdp.md:20 conformance/prose-mentions",
        ],
        "{}",
        run.stderr
    );
    assert_eq!(run.code, Some(1));
}

#[test]
fn warnings_of_example_spaces_stand_beside_those_of_the_checks() {
    let repo = Repo::new().spec("a", "", "").spec("space", "  dependsOn: spec:a", UNTYPED_SPACE);
    let line = "specs/space.sdp.md:17 — [warning] contracts/untyped-vocabulary-slot — vocabulary step \"a {n}\" carries slot \"{n}\" without a usable type declaration — a dimension declares number/string/boolean or a closed union of two or more quoted literals; the slot declares nothing\n";
    let run = repo.sdp(["check", "--output", "short"]);
    assert_eq!(
        (run.stderr.as_str(), run.stdout.as_str(), run.code),
        (line, "0 errors · 1 warning (2 specs · 0 packs)\n", Some(0))
    );
    let run = repo.sdp(["check", "--output", "json"]);
    let [finding] = &run.findings()[..] else { panic!("{}", run.stdout) };
    assert_eq!(finding["id"], "contracts/untyped-vocabulary-slot");
    assert_eq!(finding["path"], "behavior.exampleSpace");
    let run = repo.sdp(["check"]);
    assert!(run.stderr.starts_with("warning[contracts/untyped-vocabulary-slot]: "), "{}", run.stderr);
    let run =
        repo.sdp(["q", "return [report.findings.length, g.exampleSpace(\"spec:space\").findings.length]", "--json"]);
    assert_eq!(run.stdout, "[\n  0,\n  1\n]\n");
    assert_eq!(repo.sdp(["rules", "check::"]).code, Some(0));
}

#[test]
fn json_gives_one_object_a_line_on_stdout() {
    let repo = clean().spec("lost", "  dependsOn: spec:nowhere", "").spec("alone", "", "");
    let run = repo.sdp(["check", "--output", "json"]);
    let lines: Vec<serde_json::Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[2],
        serde_json::json!({ "summary": { "command": "check", "errors": 1, "warnings": 1, "waived": 0, "accepted": 0 } })
    );
    let finding = &lines[1]["finding"];
    assert_eq!(finding["case"], "check::conformance::referential-integrity");
    assert_eq!(finding["fingerprint"].as_str().unwrap().len(), 32);
    assert_eq!(finding["id"], "conformance/referential-integrity");
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["file"], "specs/lost.sdp.md");
    assert_eq!(finding["line"], 7);
    assert_eq!(finding["subjectId"], "spec:lost");
    assert!(finding["message"].as_str().unwrap().starts_with("Reference from"));
    assert!(
        run.stdout.starts_with("{\"finding\":{\"id\":\"conformance/orphans\",\"severity\":\"warning\",\"message\":")
    );
    assert_eq!((run.stderr.as_str(), run.code), ("1 error · 1 warning (4 specs · 0 packs)\n", Some(1)));
}

#[test]
fn every_form_tells_the_same_findings_in_one_order() {
    let repo = clean().spec("lost", "  dependsOn: spec:nowhere", "").spec("alone", "", "").spec("also", "", "");
    let short = repo.sdp(["check", "--output=short"]);
    let json = repo.sdp(["check", "--output=json"]);
    let human = repo.sdp(["check", "--output=human"]);
    let ids = |text: &str, before: &str, after: &str| -> Vec<String> {
        text.lines().filter_map(|line| Some(line.split_once(before)?.1.split_once(after)?.0.to_owned())).collect()
    };
    let found = ids(&short.stderr, "] ", " — ");
    assert_eq!(found.len(), 3);
    assert_eq!(ids(&json.stdout, "\"id\":\"", "\""), found);
    let human_ids: Vec<String> = human
        .stderr
        .lines()
        .filter(|line| line.starts_with("error[") || line.starts_with("warning["))
        .filter_map(|line| Some(line.split_once('[')?.1.split_once(']')?.0.to_owned()))
        .collect();
    assert_eq!(human_ids, found);
    assert_eq!(repo.sdp(["check", "--output=human"]), human);
}

#[test]
fn a_root_without_any_spec_is_an_error_that_says_what_was_looked_for() {
    let run = Repo::new().sdp(["check"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("error[sdp/no-specs]: no Spec was found: looked for *.sdp.md, "), "{}", run.stderr);
    assert!(run.stderr.contains("note: no *.sdp.ts, *.sdp.md, or *.sdp.gherkin spec files found under"));
    let run = Repo::new().sdp(["check", "--output", "json"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.starts_with("{\"finding\":{\"id\":\"sdp/no-specs\",\"severity\":\"error\""), "{}", run.stdout);
}

#[test]
fn carriers_that_an_ignore_rule_hides_are_named_where_no_spec_was_found() {
    let repo = clean().file(".gitignore", "specs/\n");
    let run = repo.sdp(["check"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("specs/a.sdp.md, specs/b.sdp.md"), "{}", run.stderr);
}

#[test]
fn a_wrong_configuration_is_a_finding() {
    let run = clean().file("sdp.toml", "excludes = []\n").sdp(["check"]);
    assert!(run.stderr.starts_with("error[sdp/invalid-config]: "), "{}", run.stderr);
    assert_eq!(
        (run.stdout.as_str(), run.code),
        ("1 error · 0 warnings (the configuration is invalid: nothing else was checked)\n", Some(1))
    );
}

#[test]
fn text_of_the_corpus_cannot_act_on_the_terminal() {
    let hostile = BROKEN.replace("\"spec:\"", "\"spec:\\e[2J\\nx\"");
    for form in ["human", "short"] {
        let run = clean().file("specs/h\u{1b}[31m.sdp.md", &hostile).sdp(["check", "--output", form]);
        assert!(!run.stderr.contains('\u{1b}'), "{}", run.stderr);
        assert_eq!(run.code, Some(1));
    }
    let run = clean().file("specs/h.sdp.md", &hostile).sdp(["check", "--output", "short"]);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let repo = Repo::new().spec("alone", "", "");
    assert!(!repo.sdp(["check"]).stderr.contains('\u{1b}'));
    let always = repo.command(["check"]).env("CARGO_TERM_COLOR", "always").run();
    assert!(always.stderr.contains('\u{1b}'));
    let both = repo.command(["check"]).env("CARGO_TERM_COLOR", "always").env("NO_COLOR", "1").run();
    assert!(!both.stderr.contains('\u{1b}'));
    match repo.on_a_terminal(&["check"]) {
        Some(run) => assert!(run.stdout.contains("\u{1b}[1m"), "{}", run.stdout),
        None => sdp_tests::skipped("no `script` command to make a terminal"),
    }
}

#[test]
fn a_root_and_an_exclude_are_judged_as_in_every_command() {
    let repo = clean();
    for command in ["check", "build"] {
        let run = repo.sdp([command, "--root", "nowhere"]);
        let root = repo.path("nowhere");
        assert_eq!(run.complaint(), format!("sdp {command}: root \"{}\" is not a directory.", root.display()));
        assert_eq!(run.code, Some(1));
        let run = repo.sdp([command, "--root", ""]);
        assert_eq!((run.complaint(), run.code), (format!("sdp {command}: --root requires a path.").as_str(), Some(1)));
        let run = repo.sdp([command, "--exclude", "./a"]);
        let line = format!("sdp {command}: invalid --exclude path \"./a\"");
        assert_eq!((run.complaint(), run.code), (line.as_str(), Some(1)));
    }
    let run = repo.sdp(["check", "--exclude", "specs/a.sdp.md", "--output", "short"]);
    assert!(run.stderr.starts_with("specs/b.sdp.md:2 — [warning] conformance/orphans — "), "{}", run.stderr);
}

#[test]
fn a_closed_stdout_is_quiet_and_keeps_the_verdict() {
    for (repo, code) in [(clean(), 0), (clean().file("specs/x.sdp.md", BROKEN), 1)] {
        let mut child = repo.command(["check", "--output", "json"]).spawn();
        drop(child.stdout.take());
        drop(child.stdin.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!stderr.contains("panicked") && stderr.lines().count() == 1, "{stderr}");
        assert_eq!(output.status.code(), Some(code));
    }
}

#[test]
fn check_writes_nothing() {
    let repo = clean().spec("alone", "", "");
    let before = repo.contents();
    assert_eq!(repo.sdp(["check"]).code, Some(0));
    assert_eq!(repo.contents(), before);
}

#[test]
fn an_unknown_form_is_usage() {
    let run = clean().sdp(["check", "--output", "jsn"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)));
    assert!(run.stderr.contains("'json'"), "{}", run.stderr);
}

#[test]
fn a_configured_rule_glob_that_matches_nothing_is_an_error() {
    let repo = Repo::new().spec("a", "", "").file("sdp.toml", "rule-globs = [\"policies/*.js\"]\n");
    let run = repo.sdp(["check", "--output", "short"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr
            .contains("sdp.toml — [error] sdp/unmatched-rule-glob — the rule glob `policies/*.js` matched no file\n"),
        "{}",
        run.stderr
    );
    repo.write("policies/a.js", "return []");
    assert_eq!(repo.sdp(["check"]).code, Some(0));
}

#[test]
fn what_would_keep_rules_from_running_is_a_finding_of_check() {
    let check = |config: &str| {
        let repo = Repo::new().spec("a", "", "").file("rules/a.sdp.js", "return []").file("sdp.toml", config);
        let run = repo.sdp(["check", "--output", "short"]);
        let lines: Vec<String> =
            run.stderr.lines().filter(|line| line.contains("sdp.toml")).map(str::to_owned).collect();
        (run.code, lines)
    };
    let said = |text: &str| (Some(1), vec![format!("sdp.toml:1 — [error] sdp/invalid-config — {text}")]);
    assert_eq!(
        check("[[rules]]\nname = \"a\"\nrecipe = 26\n"),
        said("two cases are named `rule::a`: rules/a.sdp.js and the rule \"a\" at sdp.toml:1")
    );
    assert_eq!(
        check("[[rules]]\nname = \"b\"\nbody = \"rules/none.js\"\n"),
        said("the rule \"b\" at sdp.toml:1 names `rules/none.js`, which is no file")
    );
    assert_eq!(
        check("[[rules]]\nname = \"b\"\nrecipe = 999\n"),
        said("the rule \"b\" at sdp.toml:1 names the recipe 999, which the catalog does not hold")
    );
    assert_eq!(check("[[rules]]\nname = \"b\"\nrecipe = 26\n"), (Some(0), Vec::new()));
}
