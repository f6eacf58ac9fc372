//! Severity overrides: `-D`, `-W`, `-A` and the table of the configuration weigh findings alike in every command.

use std::collections::BTreeSet;

use sdp_tests::{BROKEN_CARRIER, Repo, Run};
use serde_json::Value;

const ORPHANS: &str = "conformance/orphans";
const DANGLING: &str = "conformance/referential-integrity";

/// One orphan, a warning by default.
fn alone() -> Repo {
    Repo::new().spec("alone", "", "")
}

/// One dangling relation, an error by default.
fn lost() -> Repo {
    Repo::new().spec("lost", "  dependsOn: spec:nowhere", "")
}

fn table(lines: &str) -> String {
    format!("[severity]\n{lines}\n")
}

/// `severity id` of each finding that `check` gives with these arguments, with the exit code.
fn checked(repo: &Repo, arguments: &[&str]) -> (Vec<String>, Option<i32>) {
    let run = repo.sdp(["check", "--output", "json"].iter().chain(arguments));
    let lines = run.findings().into_iter();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    (lines.map(|finding| format!("{} {}", text(&finding, "severity"), text(&finding, "id"))).collect(), run.code)
}

fn one(severity: &str, id: &str) -> Vec<String> {
    vec![format!("{severity} {id}")]
}

#[test]
#[sdp::verifies("spec:sdp.severity")]
fn each_level_weighs_what_it_selects() {
    let (orphan, dangling) = (alone(), lost());
    assert_eq!(checked(&orphan, &[]), (one("warning", ORPHANS), Some(0)));
    assert_eq!(checked(&dangling, &[]), (one("error", DANGLING), Some(1)));
    for deny in [&["-D", ORPHANS][..], &["--deny", "conformance"], &["--deny=warnings"], &["-Dwarnings"]] {
        assert_eq!(checked(&orphan, deny), (one("error", ORPHANS), Some(1)), "{deny:?}");
    }
    for warn in [&["-W", DANGLING][..], &["--warn", "conformance"]] {
        assert_eq!(checked(&dangling, warn), (one("warning", DANGLING), Some(0)), "{warn:?}");
    }
    for allow in [&["-A", DANGLING][..], &["--allow", "conformance"]] {
        assert_eq!(checked(&dangling, allow), (Vec::new(), Some(0)), "{allow:?}");
    }
    assert_eq!(checked(&orphan, &["-D", "honesty", "-A", "contracts"]), (one("warning", ORPHANS), Some(0)));
    assert_eq!(checked(&dangling, &["-A", "warnings"]), (one("error", DANGLING), Some(1)));
}

#[test]
fn every_form_shows_the_resulting_severity() {
    let repo = alone();
    let human = repo.sdp(["check", "-D", ORPHANS]);
    assert!(human.stderr.starts_with("error[conformance/orphans]: "), "{}", human.stderr);
    assert_eq!((human.stdout.as_str(), human.code), ("1 error · 0 warnings (1 spec · 0 packs)\n", Some(1)));
    let short = repo.sdp(["check", "-D", ORPHANS, "--output", "short"]);
    assert!(short.stderr.starts_with("specs/alone.sdp.md:2 — [error] conformance/orphans — "), "{}", short.stderr);
    let nothing = repo.sdp(["check", "-A", ORPHANS]);
    assert_eq!((nothing.stdout.as_str(), nothing.stderr.as_str()), ("0 errors · 0 warnings (1 spec · 0 packs)\n", ""));
}

#[test]
fn of_equal_selectors_the_last_wins_across_the_three_options() {
    let repo = alone();
    for (arguments, severity) in [
        (["-D", ORPHANS, "-A", ORPHANS, "-W", ORPHANS], Some("warning")),
        (["-A", ORPHANS, "-W", ORPHANS, "-D", ORPHANS], Some("error")),
        (["-W", "conformance", "-D", "conformance", "-A", "conformance"], None),
        (["--allow", "warnings", "-W", "warnings", "--deny", "warnings"], Some("error")),
    ] {
        let expected = severity.map(|severity| one(severity, ORPHANS)).unwrap_or_default();
        assert_eq!(checked(&repo, &arguments).0, expected, "{arguments:?}");
    }
}

#[test]
fn an_id_beats_a_group_wherever_it_stands() {
    let repo = alone();
    assert_eq!(checked(&repo, &["-A", ORPHANS, "-D", "conformance", "-D", "warnings"]).0, Vec::<String>::new());
    assert_eq!(checked(&repo, &["-D", "warnings", "-W", "conformance"]).0, one("warning", ORPHANS));
}

#[test]
#[sdp::verifies("spec:sdp.severity")]
fn the_command_line_beats_the_configuration() {
    let repo = alone().file("sdp.toml", table("\"conformance/orphans\" = \"deny\""));
    assert_eq!(checked(&repo, &[]), (one("error", ORPHANS), Some(1)));
    assert_eq!(checked(&repo, &["-W", ORPHANS]), (one("warning", ORPHANS), Some(0)));
    assert_eq!(checked(&repo, &["-A", "conformance"]), (Vec::new(), Some(0)));
    assert_eq!(checked(&repo, &["-A", "honesty"]), (one("error", ORPHANS), Some(1)));
    // What the repository accepts by name stays accepted in a pipeline that denies the rest.
    repo.write("sdp.toml", table("conformance = \"allow\""));
    assert_eq!(checked(&repo, &["-D", "warnings"]), (Vec::new(), Some(0)));
    assert_eq!(checked(&repo, &["-D", ORPHANS]), (one("error", ORPHANS), Some(1)));
}

#[test]
fn the_table_of_a_manifest_is_read_too() {
    let manifest = "[workspace]\nmembers = []\n[workspace.metadata.sdp.severity]\nwarnings = \"deny\"\n";
    assert_eq!(checked(&alone().file("Cargo.toml", manifest), &[]), (one("error", ORPHANS), Some(1)));
}

/// The cases of `rules` that failed.
fn failed(rules: &Run) -> BTreeSet<String> {
    let lines = rules.stdout.lines().filter(|line| line.ends_with("... FAILED"));
    lines.filter_map(|line| Some(line.strip_prefix("test ")?.split(' ').next()?.to_owned())).collect()
}

#[test]
#[sdp::verifies("spec:sdp.severity")]
fn check_q_and_rules_agree_under_a_table() {
    for (lines, verdicts) in [
        ("", &["error conformance/referential-integrity", "warning conformance/orphans"][..]),
        ("warnings = \"deny\"", &["error conformance/orphans", "error conformance/referential-integrity"]),
        ("conformance = \"warn\"", &["warning conformance/orphans", "warning conformance/referential-integrity"]),
        ("conformance = \"allow\"\n\"conformance/orphans\" = \"deny\"", &["error conformance/orphans"]),
        ("conformance = \"allow\"", &[]),
    ] {
        let repo = lost().spec("alone", "", "").file("sdp.toml", table(lines));
        let (mut of_check, code) = checked(&repo, &[]);
        of_check.sort();
        assert_eq!(of_check, verdicts, "{lines}");
        let body = "return report.findings.map((f) => `${f.severity} ${f.validatorId}`).sort()";
        let q = repo.sdp(["q", body, "--json"]);
        assert_eq!(serde_json::from_str::<Vec<String>>(&q.stdout).unwrap(), of_check, "{lines}");
        let by_spec = "return g.specs().flatMap((s) => g.specContext(s.id).findings).length";
        assert_eq!(repo.sdp(["q", by_spec]).stdout, format!("{}\n", of_check.len()), "{lines}");
        let rules = repo.sdp(["rules"]);
        let erring: BTreeSet<String> = of_check
            .iter()
            .filter_map(|line| line.strip_prefix("error "))
            .map(|id| format!("check::{}", id.replace('/', "::")))
            .collect();
        assert_eq!(failed(&rules), erring, "{lines}");
        assert_eq!((code == Some(0), q.code), (rules.code == Some(0), Some(0)), "{lines}");
    }
}

#[test]
#[sdp::verifies("spec:sdp.severity")]
fn a_case_of_rules_fails_by_the_resulting_severity() {
    let case = "check::conformance::orphans";
    let run = |arguments: &[&str]| alone().sdp(["rules", case].iter().chain(arguments)).code;
    assert_eq!(run(&[]), Some(0));
    assert_eq!(run(&["-D", "warnings"]), Some(101));
    assert_eq!(run(&["-D", "warnings", "-A", ORPHANS]), Some(0));
    let case = "check::conformance::referential-integrity";
    assert_eq!(lost().sdp(["rules", case]).code, Some(101));
    assert_eq!(lost().sdp(["rules", case, "--warn", DANGLING]).code, Some(0));
    let allowed = lost().sdp(["rules", case, "--allow", DANGLING]);
    assert_eq!((allowed.code, allowed.stderr.as_str()), (Some(0), ""));
}

#[test]
#[sdp::verifies("spec:sdp.severity")]
fn a_denied_warning_of_extraction_is_an_error_and_leaves_the_graph_whole() {
    let exclude = ["--exclude", "nowhere"];
    let unmatched = "sdp/unmatched-exclude";
    let with = |command: &str, more: &[&str]| {
        let repo = lost().spec("alone", "", "");
        repo.sdp([&[command][..], &exclude, more].concat())
    };
    let check = with("check", &["-D", unmatched, "--output", "short"]);
    assert!(check.stderr.contains("[error] sdp/unmatched-exclude — "), "{}", check.stderr);
    assert_eq!(check.stdout, "2 errors · 1 warning (2 specs · 0 packs)\n");
    let build = with("build", &["-D", "warnings", "--out-dir", "o"]);
    assert_eq!(build.code, Some(1));
    assert!(build.stderr.starts_with("[error] sdp/unmatched-exclude — "), "{}", build.stderr);
    assert!(build.stderr.contains("\nsdp build: hard errors present — graph.json not written.\n"), "{}", build.stderr);
    let build = with("build", &["-A", "sdp", "--out-dir", "o"]);
    assert_eq!((build.code, build.stderr.as_str()), (Some(0), ""));
    assert!(build.stdout.contains("(0 errors, 0 warnings)"), "{}", build.stdout);
    let rules = with("rules", &["-D", unmatched]);
    let expected = ["extract::carriers", "check::conformance::referential-integrity"];
    assert_eq!(failed(&rules), expected.map(str::to_owned).into());
    assert!(!rules.stdout.contains("not run"), "{}", rules.stdout);
    let repo = alone().file("sdp.toml", format!("exclude = [\"nowhere\"]\n{}", table("sdp = \"deny\"")));
    let q = repo.sdp(["q", "return g.specs().length"]);
    assert_eq!((q.stdout.as_str(), q.code), ("1\n", Some(0)));
    assert!(q.stderr.starts_with("[error] sdp/unmatched-exclude — "), "{}", q.stderr);
}

#[test]
#[sdp::verifies("spec:sdp.severity")]
fn an_extraction_error_is_never_lowered() {
    let repo = alone().file("specs/broken.sdp.md", BROKEN_CARRIER);
    for arguments in [["-A", "warnings"], ["-W", "warnings"], ["-D", "extract"]] {
        let (found, code) = checked(&repo, &arguments);
        assert_eq!((found, code), (one("error", "extract/invalid-id"), Some(1)), "{arguments:?}");
        let build = repo.sdp(["build", "--out-dir", "o"].iter().chain(&arguments));
        assert_eq!(build.code, Some(1));
    }
    repo.write("sdp.toml", table("warnings = \"allow\""));
    assert!(repo.sdp(["q", "return 1"]).stderr.contains("\nsdp q: the graph did not derive — the body was not run.\n"));
    assert!(repo.sdp(["rules", "check::"]).stdout.contains("not run: "));
}

const REFUSED: &str = "[error] sdp/unmatched-severity — `extract/invalid-id` stays an error: it says that something to be judged could not be read";

#[test]
fn to_lower_an_extraction_error_by_its_id_is_refused() {
    let repo = alone();
    for command in ["rules", "build"] {
        let run = repo.sdp([command, "-W", "extract/invalid-id"]);
        assert_eq!(
            run.stderr,
            format!(
                "{REFUSED}\nsdp {command}: a severity override is invalid — nothing was run.\nhint: mend what it tells of, and remove the override\n"
            )
        );
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
    }
    let run = repo.sdp(["check", "--output", "short", "--allow", "extract/invalid-id"]);
    assert_eq!(run.stderr, format!("{REFUSED}\n"));
    assert_eq!(
        (run.stdout.as_str(), run.code),
        ("1 error · 0 warnings (a severity override is invalid: nothing else was checked)\n", Some(1))
    );
    repo.write("sdp.toml", table("\"extract/invalid-id\" = \"allow\""));
    for command in [&["check", "--output", "short"][..], &["q", "return 1"], &["rules"], &["build"]] {
        let run = repo.sdp(command);
        assert_eq!((run.complaint(), run.code), (format!("sdp.toml:2 — {REFUSED}").as_str(), Some(1)), "{command:?}");
    }
    assert_eq!(checked(&alone(), &["-D", "extract/invalid-id"]).1, Some(0));
}

#[test]
fn to_lower_a_group_of_which_nothing_can_be_lowered_is_refused_too() {
    let said = "[error] sdp/unmatched-severity — `extract` stays an error: it says that something to be judged could not be read";
    let repo = alone();
    for option in ["-A", "-W"] {
        for command in [&["check", "--output", "short"][..], &["rules"], &["build"]] {
            let run = repo.sdp(command.iter().chain(&[option, "extract"]));
            assert_eq!((run.complaint(), run.code), (said, Some(1)), "{command:?} {option}");
        }
    }
    // The group `sdp` holds such ids and others.
    for arguments in [["-D", "extract"], ["-A", "sdp"], ["-W", "sdp"]] {
        assert_eq!(checked(&repo, &arguments), (one("warning", ORPHANS), Some(0)), "{arguments:?}");
    }
    repo.write("sdp.toml", table("extract = \"allow\""));
    let run = repo.sdp(["q", "return 1"]);
    assert_eq!((run.complaint(), run.code), (format!("sdp.toml:2 — {said}").as_str(), Some(1)));
}

#[test]
#[sdp::verifies("spec:sdp.severity")]
fn an_override_that_names_nothing_is_a_finding_with_a_suggestion() {
    let said = "[error] sdp/unmatched-severity — the severity override `conformance/orphan` names no finding: did you mean `conformance/orphans`?";
    let repo = alone();
    for command in [&["check", "--output", "short"][..], &["rules"], &["build"]] {
        let run = repo.sdp(command.iter().chain(&["-A", "conformance/orphan", "-D", "sdpp"]));
        assert_eq!((run.complaint(), run.code), (said, Some(1)), "{command:?}");
        assert!(run.stderr.contains("override `sdpp` names no finding: did you mean `sdp`?"), "{}", run.stderr);
    }
    let json = repo.sdp(["check", "--output", "json", "-A", "orphan"]);
    let [finding] = &json.findings()[..] else { panic!("{}", json.stdout) };
    assert_eq!(finding["id"], "sdp/unmatched-severity");
    assert_eq!(finding["subjectId"], "orphan");
    assert_eq!(finding["file"], Value::Null);
    repo.write("sdp.toml", table("warnings = \"deny\"\n\"conformance/orphan\" = \"allow\""));
    for command in [&["check", "--output", "short"][..], &["q", "return 1"], &["rules"], &["build"]] {
        let run = repo.sdp(command);
        assert_eq!((run.complaint(), run.code), (format!("sdp.toml:3 — {said}").as_str(), Some(1)), "{command:?}");
    }
    let human = repo.sdp(["check"]);
    assert!(human.stderr.contains("3 | \"conformance/orphan\" = \"allow\"\n"), "{}", human.stderr);
}

#[test]
fn an_override_without_its_selector_is_usage() {
    for command in ["check", "rules", "build"] {
        let run = alone().sdp([command, "-D"]);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "{command}");
    }
    for command in [&["q", "--deny", "warnings", "return 1"][..], &["recipes", "--deny", "warnings"]] {
        assert_ne!(alone().sdp(command).code, Some(0), "{command:?}");
    }
}
