//! What is let stand: waivers and baselines, as `check`, `rules` and a test binary's single cases have them.

use sdp_tests::{BROKEN_CARRIER, Repo, UNTYPED_SPACE, ends, spec_text};

/// A Spec that nothing touches: one warning, which is denied.
const DENIED: &str = "[severity]\nwarnings = 'deny'\n";

fn waiver(rule: &str, subject: &str, expires: &str) -> String {
    format!("[[waivers]]\nrule = '{rule}'\nsubject = '{subject}'\nreason = 'agreed'\nexpires = {expires}\n")
}

/// Orphans `spec:a` and `spec:b`, and a rule that names them.
fn repo(config: &str) -> Repo {
    Repo::new().spec("a", "", "").spec("b", "", "").file("sdp.toml", format!("{config}\n{DENIED}")).file(
        "rules/naming.sdp.js",
        "return g.specs().map((spec) => ({ rule: 'short', subject: spec.id, message: `too short at line ${spec.line}` }))",
    )
}

/// The findings of a check, without places.
#[track_caller]
fn check(repo: &Repo, arguments: &[&str]) -> (Vec<String>, String) {
    let mut all = vec!["check", "--output", "short"];
    all.extend(arguments);
    let run = repo.sdp(&all);
    let findings: Vec<String> = run.stderr.lines().filter(|line| line.contains("] ")).map(str::to_owned).collect();
    assert_eq!(run.code, Some(i32::from(!run.stdout.starts_with("0 errors"))), "{}\n{}", run.stdout, run.stderr);
    (findings, run.stdout)
}

fn baseline(repo: &Repo) -> Vec<String> {
    let text = std::fs::read_to_string(repo.path("base.txt")).unwrap();
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

#[test]
#[sdp::verifies("spec:sdp.accepting")]
fn a_waiver_lets_its_finding_stand_and_no_other() {
    let repo = repo(&waiver("conformance/orphans", "spec:a", "2027-01-31"));
    let (findings, summary) = check(&repo, &["--today", "2027-01-31"]);
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert!(findings[0].starts_with("specs/b.sdp.md:2 — [error] conformance/orphans — "), "{findings:#?}");
    assert_eq!(summary, "1 error · 0 warnings · 1 waived (2 specs · 0 packs)\n");
    let orphans = repo.sdp(["rules", "orphans", "--today", "2027-01-31"]);
    ends(&orphans, 101);
    assert!(orphans.stdout.contains("subject: spec:b") && !orphans.stdout.contains("spec:a"), "{}", orphans.stdout);
    let verbose = repo.sdp(["check", "-v", "--today", "2027-01-31"]);
    let said = "verbose: waived until 2027-01-31: conformance/orphans spec:a (agreed)\n";
    assert!(verbose.stderr.contains(said), "{}", verbose.stderr);
}

#[test]
fn a_waiver_holds_through_its_last_day() {
    let repo = repo(&waiver("conformance/orphans", "spec:a", "'2027-01-31'"));
    let on = |day: &str| check(&repo, &["--today", day]);
    assert_eq!(on("2027-01-30"), on("2027-01-31"));
    let (findings, _) = on("2027-02-01");
    assert_eq!(findings.len(), 3, "{findings:#?}");
    assert_eq!(
        findings[0],
        "sdp.toml:1 — [error] sdp/expired-waiver — the waiver of `conformance/orphans` for `spec:a` ended on 2027-01-31"
    );
    assert!(findings[1].contains("Spec \"spec:a\" is an orphan"), "{findings:#?}");
    // The variable of reproducible builds says what day it is where the command line does not.
    let dated = |seconds: &str| repo.command(["check", "--output", "short"]).env("SOURCE_DATE_EPOCH", seconds).run();
    assert!(dated("1801353599").stdout.contains("1 waived"), "{}", dated("1801353599").stderr);
    assert!(dated("1801440000").stderr.contains("sdp/expired-waiver"));
    let nonsense = dated("soon");
    assert_eq!((nonsense.code, nonsense.stdout.as_str()), (Some(1), ""));
    assert!(nonsense.complaint().contains("SOURCE_DATE_EPOCH"), "{}", nonsense.stderr);
    ends(&repo.sdp(["check", "--today", "tomorrow"]), 2);
    // Said by the case that it names and by no other.
    for (case, code) in [("check::conformance::orphans", 101), ("config::waivers", 0), ("check::honesty::gaps", 0)] {
        let run = repo.sdp(["rules", case, "--today", "2027-02-01", "--", "--exact"]);
        ends(&run, code);
        assert_eq!(run.stdout.contains("sdp/expired-waiver"), code == 101, "{}", run.stdout);
    }
}

#[test]
fn a_waiver_that_lets_nothing_stand_is_an_error_of_the_case_that_it_names() {
    let repo = repo(&waiver("conformance/orphans", "spec:ab", "2099-01-31"));
    let (findings, _) = check(&repo, &[]);
    assert_eq!(
        findings[0],
        "sdp.toml:1 — [error] sdp/unmatched-waiver — the waiver of `conformance/orphans` for `spec:ab` lets nothing stand: \
         no finding is about its subject, did you mean `spec:a`?"
    );
    ends(&repo.sdp(["rules", "config::waivers"]), 0);
    ends(&repo.sdp(["rules", "honesty::gaps"]), 0);
    let run = repo.sdp(["rules", "orphans"]);
    ends(&run, 101);
    assert!(run.stdout.contains("error[sdp/unmatched-waiver]"), "{}", run.stdout);
    // What the command line leaves out is not known.
    let (findings, _) = check(&repo, &["-A", "conformance/orphans"]);
    assert_eq!(findings, Vec::<String>::new());
    // What the configuration leaves out never comes.
    repo.write(
        "sdp.toml",
        format!("{}[severity]\nwarnings = 'allow'\n", waiver("conformance/orphans", "spec:a", "2099-01-31")),
    );
    assert!(check(&repo, &[]).0[0].contains("sdp/unmatched-waiver"));
}

#[test]
fn a_waiver_that_names_no_case_is_an_error_of_its_own_case() {
    for (rule, said) in [
        (
            "conformance/orphan",
            "`conformance/orphan` names no finding and no rule: did you mean `conformance/orphans`?",
        ),
        ("check::conformance::orphans", "names no finding and no rule: did you mean `conformance/orphans`?"),
        ("rule::namig", "`rule::namig` names no finding and no rule: did you mean `rule::naming`?"),
        ("naming", "`naming` names no finding and no rule: did you mean `rule::naming`?"),
        ("extract::carriers", "`extract::carriers` names no finding and no rule"),
        ("recipe::01-build-backlog", "`recipe::01-build-backlog` only reports: it cannot fail"),
        (
            "sdp/expired-waiver",
            "`sdp/expired-waiver` says what is wrong with waivers and baselines, and cannot be let stand",
        ),
        ("sdp/invalid-config", "`sdp/invalid-config` keeps a run from judging, and cannot be let stand"),
        ("import/empty", "`import/empty` is given by `cargo sdp import` alone"),
        ("\u{202e}x", "names no finding and no rule"),
    ] {
        let repo = repo(&waiver(rule, "spec:a", "2099-01-31"));
        let (findings, _) = check(&repo, &[]);
        assert!(findings.iter().any(|one| one.contains("sdp/unmatched-waiver") && one.contains(said)), "{findings:#?}");
        let run = repo.sdp(["rules", "config::waivers"]);
        ends(&run, 101);
        assert!(run.stdout.contains(said), "{rule}: {}", run.stdout);
        assert!(!run.stdout.contains('\u{202e}'), "{}", run.stdout);
        let others = repo.sdp(["rules", "--", "--skip", "config::", "--skip", "orphans", "--skip", "rule::"]);
        assert!(!others.stdout.contains("waiver"), "{rule}: {}", others.stdout);
    }
    assert!(!repo("").sdp(["rules", "--list"]).stdout.contains("config::"));
}

#[test]
fn findings_of_a_rule_are_waived_by_its_case() {
    let repo = repo(&format!(
        "{}{}",
        waiver("rule::naming", "spec:a", "2099-01-31"),
        waiver("rule::naming", "spec:none", "2099-01-31")
    ));
    let run = repo.sdp(["rules", "rule::naming"]);
    ends(&run, 101);
    assert!(run.stdout.contains("error[short]: too short"), "{}", run.stdout);
    assert!(run.stdout.contains("subject: spec:b") && !run.stdout.contains("subject: spec:a\n"), "{}", run.stdout);
    assert!(run.stdout.contains("the waiver of `rule::naming` for `spec:none` lets nothing stand"), "{}", run.stdout);
    // A check runs no rules: it judges none of their waivers.
    assert_eq!(check(&repo, &["-A", "warnings"]).0, Vec::<String>::new());
    // A body that gives no answer judges none.
    repo.write("rules/naming.sdp.js", "throw new Error('no')");
    let broken = repo.sdp(["rules", "rule::naming"]);
    ends(&broken, 101);
    assert!(!broken.stdout.contains("waiver"), "{}", broken.stdout);
    // Nor does a rule over a graph with holes.
    repo.write("specs/c.sdp.md", BROKEN_CARRIER);
    let run = repo.sdp(["rules"]);
    ends(&run, 101);
    assert!(!run.stdout.contains("lets nothing stand"), "{}", run.stdout);
}

#[test]
fn a_rule_whose_name_holds_a_space_is_named_as_it_is() {
    let rule = "[[rules]]\nname = 'a b'\nbody = 'own.sdp.js'\n";
    let repo = repo(&format!("{}{rule}", waiver("rule::a b", "spec:a", "2099-01-31")))
        .file("own.sdp.js", "return ['spec:a', 'spec:b'].map((subject) => ({ subject, message: 'm' }))");
    ends(&repo.sdp(["rules", "config::waivers"]), 0);
    let written = repo.sdp(["rules", "rule::a b", "--baseline", "base.txt", "--update-baseline"]);
    ends(&written, 0);
    assert_eq!(baseline(&repo), ["rule::a%20b spec:b"]);
    ends(&repo.sdp(["rules", "rule::a b", "--baseline", "base.txt"]), 0);
    ends(&repo.sdp(["rules", "config::baseline", "--baseline", "base.txt"]), 0);
}

#[test]
fn the_waiver_of_the_guide_is_one() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/accepting.md")).unwrap();
    let (_, rest) = page.split_once("```toml\n").unwrap();
    let (config, _) = rest.split_once("```").unwrap();
    let repo = Repo::new().spec("shop.refund", "", "").file("sdp.toml", config);
    let (findings, summary) = check(&repo, &["--today", "2027-03-31", "-D", "warnings"]);
    assert_eq!(findings, Vec::<String>::new());
    assert_eq!(summary, "0 errors · 0 warnings · 1 waived (1 spec · 0 packs)\n");
}

/// Every row of the guide is one that a run writes, so that each of them lets something stand and nothing is left.
#[test]
fn the_baseline_of_the_guide_is_one() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/accepting.md")).unwrap();
    let (_, rest) = page.split_once("```text\n").unwrap();
    let (rows, _) = rest.split_once("```").unwrap();
    let mention = "\n## Behavior\n\n- rule: An order is paid as spec:shop.payment says.\n";
    let repo = Repo::new()
        .spec("shop.refund", "", "")
        .spec("shop.orders", "  dependsOn: spec:shop.ordersOld\n", mention)
        .spec("shop.ordersOld", "", "")
        .file("rules/naming.sdp.js", "return [{ subject: 'spec:shop.ordersOld', message: 'old' }]")
        .file("base.txt", rows);
    ends(&repo.sdp(["rules", "-D", "warnings", "--baseline", "base.txt"]), 0);
    let updated = repo.sdp(["rules", "--baseline", "base.txt", "--update-baseline"]);
    assert!(updated.stderr.contains("base.txt stays as it is (3 rows)\n"), "{}", updated.stderr);
}

/// A reader of a finding sees the name that its rule gives it: a waiver of that name is told what would hold.
#[test]
fn a_waiver_of_a_name_that_a_rule_gives_says_that_the_case_is_what_counts() {
    let repo = repo(&waiver("house/naming", "spec:a", "2099-01-31"))
        .file("rules/own.sdp.js", "return [{ rule: 'house/naming', subject: 'spec:a', message: 'm' }]");
    let run = repo.sdp(["rules", "config::waivers"]);
    ends(&run, 101);
    assert!(run.stdout.contains("`house/naming` names no finding and no rule\n"), "{}", run.stdout);
    assert!(run.stdout.contains("or the case of a rule, such as `rule::naming`"), "{}", run.stdout);
}

#[cfg(unix)]
#[test]
fn a_baseline_that_is_a_link_is_read_and_not_replaced() {
    let repo = repo("").file("real.txt", "conformance/orphans spec:a\nconformance/orphans spec:b\n");
    std::os::unix::fs::symlink(repo.path("real.txt"), repo.path("base.txt")).unwrap();
    assert!(check(&repo, &["--baseline", "base.txt"]).1.contains("2 accepted"));
    repo.write("real.txt", "");
    let run = repo.sdp(["rules", "orphans", "--baseline", "base.txt", "--update-baseline"]);
    ends(&run, 1);
    assert!(run.stderr.contains("sdp rules: the baseline could not be written: `"), "{}", run.stderr);
    assert_eq!(baseline(&repo), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn a_baseline_that_cannot_be_written_says_what_the_system_said() {
    let repo = repo("").file("file", "");
    let run = repo.sdp(["check", "--baseline", "file/base.txt", "--update-baseline"]);
    ends(&run, 1);
    assert!(run.stderr.contains("(Not a directory") || run.stderr.contains("(File exists"), "{}", run.stderr);
}

#[test]
#[sdp::verifies("spec:sdp.accepting")]
fn a_baseline_lets_the_old_stand_refuses_the_new_and_tells_of_the_mended() {
    let repo = repo("baseline = 'base.txt'");
    let missing = repo.sdp(["rules"]);
    assert_eq!((missing.code, missing.stdout.as_str()), (Some(1), ""));
    assert!(missing.complaint().contains("base.txt could not be read (No such file"), "{}", missing.stderr);
    assert!(
        missing.stderr.ends_with("\nhint: `cargo sdp rules --update-baseline` writes it where none is\n"),
        "{}",
        missing.stderr
    );

    let written = repo.sdp(["rules", "--update-baseline"]);
    ends(&written, 0);
    assert!(written.stderr.contains("base.txt (4 rows added, 0 removed)\n"), "{}", written.stderr);
    let rows = [
        "conformance/orphans spec:a",
        "conformance/orphans spec:b",
        "rule::naming (short) spec:a",
        "rule::naming (short) spec:b",
    ];
    assert_eq!(baseline(&repo), rows);
    let before = repo.contents();
    let again = repo.sdp(["rules", "--update-baseline"]);
    ends(&again, 0);
    assert!(again.stderr.contains("base.txt stays as it is (4 rows)\n"), "{}", again.stderr);
    assert_eq!(repo.contents(), before);

    ends(&repo.sdp(["rules"]), 0);
    assert_eq!(check(&repo, &[]), (Vec::new(), "0 errors · 0 warnings · 2 accepted (2 specs · 0 packs)\n".to_owned()));
    // Ten lines above change nothing.
    for name in ["a", "b"] {
        let moved = spec_text(name, "", "").replace(
            "## Intent",
            &format!(
                "{}## Intent",
                "Prose.

"
                .repeat(5)
            ),
        );
        repo.write(&format!("specs/{name}.sdp.md"), moved);
    }
    ends(&repo.sdp(["rules"]), 0);

    // What is new fails.
    repo.write("specs/c.sdp.md", spec_text("c", "", ""));
    let (findings, summary) = check(&repo, &[]);
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert!(findings[0].contains("Spec \"spec:c\" is an orphan"), "{findings:#?}");
    assert_eq!(summary, "1 error · 0 warnings · 2 accepted (3 specs · 0 packs)\n");
    ends(&repo.sdp(["rules", "rule::naming"]), 101);

    // What is mended leaves a row that must go.
    repo.write("specs/c.sdp.md", spec_text("c", "  dependsOn: spec:a", ""));
    let (findings, _) = check(&repo, &[]);
    assert_eq!(
        findings,
        ["base.txt:4 — [error] sdp/stale-baseline — the row `conformance/orphans spec:a` matches no finding"]
    );
    let filtered = repo.sdp(["rules", "orphans"]);
    ends(&filtered, 101);
    assert!(filtered.stdout.contains("--> base.txt:4\n"), "{}", filtered.stdout);
    ends(&repo.sdp(["rules", "config::baseline"]), 0);
    let updated = repo.sdp(["check", "--update-baseline"]);
    ends(&updated, 0);
    assert!(updated.stderr.contains("base.txt (0 rows added, 1 removed)"), "{}", updated.stderr);
    // A check leaves the rows of rules alone.
    assert_eq!(baseline(&repo), [rows[1], rows[2], rows[3]]);
}

#[test]
fn an_update_writes_only_what_ran() {
    let repo = repo("");
    let update = |arguments: &[&str]| {
        let mut all = vec!["rules"];
        all.extend(arguments);
        all.extend(["--baseline", "base.txt", "--update-baseline"]);
        repo.sdp(all)
    };
    ends(&update(&["orphans"]), 0);
    assert_eq!(baseline(&repo), ["conformance/orphans spec:a", "conformance/orphans spec:b"]);
    ends(&update(&["rule::naming"]), 0);
    assert_eq!(baseline(&repo).len(), 4);
    // A broken body keeps its rows, and fails.
    repo.write("rules/naming.sdp.js", "return 7");
    let broken = update(&[]);
    ends(&broken, 101);
    assert_eq!(baseline(&repo).len(), 4);
    // Holes in the graph keep all rows.
    repo.write("specs/c.sdp.md", BROKEN_CARRIER);
    let holes = update(&[]);
    ends(&holes, 101);
    assert!(holes.stdout.contains("extract/invalid-id"), "{}", holes.stdout);
    assert_eq!(baseline(&repo).len(), 4);
    ends(&repo.sdp(["check", "--baseline", "base.txt", "--update-baseline"]), 1);
    assert_eq!(baseline(&repo).len(), 4);
    // What the command line leaves out keeps its rows too.
    std::fs::remove_file(repo.path("specs/c.sdp.md")).unwrap();
    ends(&repo.sdp(["check", "--baseline", "base.txt", "--update-baseline", "-A", "conformance/orphans"]), 0);
    assert_eq!(baseline(&repo).len(), 4);
}

#[test]
fn each_way_to_misuse_a_baseline_is_refused() {
    let repo = repo("");
    let refused = |arguments: &[&str], code: i32, said: &str| {
        let before = repo.contents();
        let run = repo.sdp(arguments);
        ends(&run, code);
        assert!(run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
        assert_eq!(repo.contents(), before);
    };
    refused(&["check", "--update-baseline"], 1, "there is no baseline to update");
    refused(&["rules", "--update-baseline"], 1, "there is no baseline to update");
    refused(&["rules", "--baseline", "b", "--update-baseline", "--list"], 2, "cannot be used with");
    refused(&["rules", "--baseline", "b", "--update-baseline", "nothing-like-it"], 4, "no case matches");
    refused(&["check", "--baseline", ""], 1, "--baseline requires a path");
    refused(&["check", "--baseline", "specs"], 1, "it is a folder");
    refused(&["check", "--baseline", "specs", "--update-baseline"], 1, "it is a folder");
    repo.write("latin", b"caf\xE9\n");
    refused(&["check", "--baseline", "latin"], 1, "it is not UTF-8");
    repo.write("large", vec![b'x'; (16 << 20) + 1]);
    refused(&["check", "--baseline", "large"], 1, "it is larger than 16 MiB");
    repo.write("long", "a\n".repeat(600_000));
    refused(&["rules", "--baseline", "long"], 1, "it has more than 500000 lines");
}

#[test]
fn an_update_writes_over_nothing_but_a_baseline() {
    let repo =
        repo("").file("empty.toml", "").file("comments.txt", "# mine\n").file("rows.txt", "old/finding spec:a\nx\n");
    let spec = "specs/a.sdp.md";
    for (path, said) in [
        ("sdp.toml", "sdp.toml is not written over: it is the configuration\n"),
        ("specs/../sdp.toml", "is not written over: it is the configuration\n"),
        (spec, "a.sdp.md is not written over: most of its lines are no rows of a baseline\n"),
        ("rules/naming.sdp.js", "is not written over"),
    ] {
        let before = repo.contents();
        for command in ["check", "rules"] {
            let run = repo.sdp([command, "--baseline", path, "--update-baseline"]);
            ends(&run, 1);
            assert!(run.stderr.contains(said.trim_end()), "{}", run.stderr);
        }
        assert_eq!(repo.contents(), before, "{path}");
    }
    for path in ["empty.toml", "comments.txt", "rows.txt", "new/base.txt"] {
        ends(&repo.sdp(["check", "--baseline", path, "--update-baseline"]), 0);
        ends(&repo.sdp(["check", "--baseline", path]), 0);
    }
    assert!(std::fs::read_to_string(repo.path("comments.txt")).unwrap().starts_with("# mine\n"));
}

#[test]
fn rows_that_match_nothing_are_told_each_at_its_line() {
    let repo = repo("baseline = 'deep/base.txt'").file(
        "deep/base.txt",
        "\u{feff}# head\r\n\r\nconformance/orphans spec:a\r\nconformance/orphans spec:b\r\nconformance/orphans spec:a\r\n\
         rule::gone spec:a\r\nfrontend::conformance/orphans spec:a\r\nextract/invalid-id specs/c.sdp.md\r\n\
         sdp/no-specs\r\n::error::x\u{202e}\r\n",
    );
    let (findings, summary) = check(&repo, &[]);
    assert_eq!(
        findings,
        [
            "deep/base.txt:5 — [error] sdp/stale-baseline — the row `conformance/orphans spec:a` stands at line 3 already",
            "deep/base.txt:6 — [error] sdp/stale-baseline — the row `rule::gone spec:a` names no finding and no rule",
            "deep/base.txt:7 — [error] sdp/stale-baseline — the row `frontend::conformance/orphans spec:a` opens with the name of a root that it cannot be for",
            "deep/base.txt:8 — [error] sdp/stale-baseline — the row `extract/invalid-id specs/c.sdp.md` matches no finding",
            "deep/base.txt:9 — [error] sdp/stale-baseline — the row `sdp/no-specs` keeps a run from judging, and cannot be let stand",
            "deep/base.txt:10 — [error] sdp/stale-baseline — the row `::error::x\\u{202e}` names no finding and no rule",
        ]
    );
    assert!(summary.contains("2 accepted"), "{summary}");
    let strays = repo.sdp(["rules", "config::baseline"]);
    ends(&strays, 101);
    assert_eq!(strays.stdout.matches("error[sdp/stale-baseline]").count(), 4, "{}", strays.stdout);
    assert!(!strays.stdout.contains('\u{202e}'), "{}", strays.stdout);
    assert!(strays.stdout.lines().all(|line| !line.trim_start().starts_with("::")), "{}", strays.stdout);
    ends(&repo.sdp(["rules", "--update-baseline"]), 0);
    let text = std::fs::read_to_string(repo.path("deep/base.txt")).unwrap();
    assert!(
        text.starts_with("# head\r\n\r\nconformance/orphans spec:a\r\nconformance/orphans spec:b\r\nrule::"),
        "{text}"
    );
}

#[test]
fn many_rows_that_match_nothing_are_counted() {
    let rows: String = (0..50_000).map(|number| format!("conformance/orphans spec:gone.{number}\n")).collect();
    let repo = repo("").file("base.txt", rows);
    let run = repo.sdp(["rules", "orphans", "--baseline", "base.txt"]);
    ends(&run, 101);
    assert!(run.stdout.contains("… and 49952 more\n"), "{}", run.stdout);
}

#[test]
fn equal_findings_are_numbered_and_a_new_one_among_them_fails() {
    let rule = |messages: &str| format!("return [{messages}].map((message) => ({{ subject: 'spec:a', message }}))");
    let repo = repo("baseline = 'base.txt'").file("rules/naming.sdp.js", rule("'m', 'k'"));
    ends(&repo.sdp(["rules", "rule::naming", "--update-baseline"]), 0);
    assert_eq!(baseline(&repo), ["rule::naming spec:a", "rule::naming spec:a #2"]);
    repo.write("rules/naming.sdp.js", rule("'k', 'm'"));
    ends(&repo.sdp(["rules", "rule::naming"]), 0);
    repo.write("rules/naming.sdp.js", rule("'k', 'm', 'n'"));
    let run = repo.sdp(["rules", "rule::naming"]);
    ends(&run, 101);
    assert_eq!(run.stdout.matches("error[rule::naming]").count(), 1, "{}", run.stdout);
    repo.write("rules/naming.sdp.js", rule("'k'"));
    let run = repo.sdp(["rules", "rule::naming"]);
    ends(&run, 101);
    assert!(run.stdout.contains("the row `rule::naming spec:a #2` matches no finding"), "{}", run.stdout);
}

#[test]
fn a_waived_finding_is_no_row_and_its_row_is_not_stale() {
    let repo = repo(&format!("baseline = 'base.txt'\n{}", waiver("conformance/orphans", "spec:a", "2099-01-31")));
    repo.write("base.txt", "conformance/orphans spec:a\n");
    let (findings, summary) = check(&repo, &[]);
    assert!(findings.len() == 1 && findings[0].contains("spec:b"), "{findings:#?}");
    assert!(summary.contains("1 waived"), "{summary}");
    ends(&repo.sdp(["check", "--update-baseline"]), 0);
    assert_eq!(baseline(&repo), ["conformance/orphans spec:b"]);
}

#[test]
fn warnings_of_extraction_and_of_example_spaces_are_let_stand_where_they_are_given() {
    let repo = Repo::new().spec("a", "  dependsOn: spec:b", UNTYPED_SPACE).spec("b", "", "").file(
        "sdp.toml",
        format!(
            "exclude = ['nowhere']\n{DENIED}{}{}",
            waiver("sdp/unmatched-exclude", "nowhere", "2099-01-31"),
            waiver("contracts/untyped-vocabulary-slot", "spec:a", "2099-01-31")
        ),
    );
    let (findings, summary) = check(&repo, &[]);
    assert_eq!(findings, Vec::<String>::new());
    assert!(summary.contains("2 waived"), "{summary}");
    for case in ["extract::carriers", "check::contracts", "config::waivers"] {
        ends(&repo.sdp(["rules", case, "--", "--exact"]), 0);
    }
}

#[test]
fn an_error_that_leaves_a_hole_is_never_let_stand() {
    let repo =
        repo(&format!("baseline = 'base.txt'\n{}", waiver("extract/invalid-id", "specs/c.sdp.md", "2099-01-31")))
            .file("specs/c.sdp.md", BROKEN_CARRIER)
            .file("base.txt", "extract/invalid-id specs/c.sdp.md\nconformance/orphans spec:gone\n");
    let (findings, _) = check(&repo, &[]);
    assert_eq!(findings.len(), 3, "{findings:#?}");
    assert!(
        findings[0].starts_with("base.txt:1 — [error] sdp/stale-baseline") && findings[0].contains("meets an error")
    );
    assert!(findings[1].contains("sdp/unmatched-waiver") && findings[1].contains("leaves a hole"), "{findings:#?}");
    assert!(findings[2].contains("extract/invalid-id"), "{findings:#?}");
    let run = repo.sdp(["rules", "extract::carriers"]);
    ends(&run, 101);
    assert!(run.stdout.contains("error[extract/invalid-id]"), "{}", run.stdout);
}
