//! The keys about findings: `severity`, `waivers` and `baseline`.

use super::*;

/// What one override of a configuration makes of an orphan.
fn orphan_under(config: &str) -> Option<Severity> {
    let config = at_root(tree(&[("sdp.toml", config)]).path()).unwrap();
    let mut findings = vec![Finding::warning(crate::finding::FindingId::Orphans, "o")];
    config.severities.apply(&mut findings);
    findings.first().map(|finding| finding.severity)
}

#[test]
fn severities_are_read_by_id_and_by_group() {
    assert_eq!(orphan_under(""), Some(Severity::Warning));
    assert_eq!(orphan_under("[severity]\n\"conformance/orphans\" = \"deny\"\n"), Some(Severity::Error));
    assert_eq!(orphan_under("severity = { conformance = \"allow\" }"), None);
    assert_eq!(orphan_under("severity.warnings = 'deny'"), Some(Severity::Error));
    let specific = "[severity]\n'conformance/orphans' = 'warn'\nconformance = 'deny'\nwarnings = 'deny'\n";
    assert_eq!(orphan_under(specific), Some(Severity::Warning));
}

#[test]
fn the_page_of_a_wrong_configuration_lists_every_key() {
    let page = crate::explain::Subject::Finding(crate::finding::FindingId::InvalidConfig).page();
    for table in ["", "[limits]\n", "[[rules]]\n", "[[waivers]]\n", "[[roots]]\n"] {
        let problems = problems_of(&format!("{table}nothing-like-it = 1\n"));
        let (_, keys) = problems.iter().find_map(|problem| problem.split_once("the keys are ")).unwrap();
        for key in keys.split(", ") {
            assert!(key.starts_with('`') && page.meaning.contains(key), "{key} of {table}");
        }
    }
}

#[test]
fn waivers_and_a_baseline_are_read() {
    let text = "baseline = 'deep/base.txt'\n\n[[waivers]]\nrule = 'conformance/orphans'\nsubject = 'spec:a'\n\
                reason = 'agreed'\nexpires = 2027-01-31\n\n[[waivers]]\nrule = 'rule::a b'\nsubject = 'spec:a'\n\
                reason = 'agreed'\nexpires = '2028-02-29'\n";
    let root = tree(&[("sdp.toml", text)]);
    let config = at_root(root.path()).unwrap();
    assert_eq!(config.baseline, Some(root.path().join("deep/base.txt")));
    let read: Vec<(&str, String, u32)> =
        config.waivers.iter().map(|one| (one.rule.as_str(), one.expires.to_string(), one.line)).collect();
    assert_eq!(read, [("conformance/orphans", "2027-01-31".to_owned(), 3), ("rule::a b", "2028-02-29".to_owned(), 9)]);
    let inline = "waivers = [{ rule = 'r', subject = 's', reason = 'w', expires = 2027-01-31 }]";
    assert_eq!(at_root(tree(&[("sdp.toml", inline)]).path()).unwrap().waivers.len(), 1);
    assert_eq!(at_root(tree(&[("sdp.toml", "waivers = []")]).path()).unwrap().waivers, []);
}

#[test]
fn a_wrong_waiver_is_refused_in_place() {
    let waiver = |lines: &str| problems_of(&format!("[[waivers]]\n{lines}"));
    let complete = |changed: &str| {
        let keys = ["rule = 'r'", "subject = 's'", "reason = 'w'", "expires = 2027-01-31"];
        let key = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
        let lines = keys.iter().map(|line| if key(line) == key(changed) { changed } else { line });
        waiver(&lines.collect::<Vec<_>>().join("\n"))
    };
    assert_eq!(problems_of("waivers = 1"), ["sdp.toml:1:11 `waivers` must be an array of tables, not an integer"]);
    assert_eq!(problems_of("waivers = [1]"), ["sdp.toml:1:12 `waivers` must hold tables only, not an integer"]);
    assert_eq!(problems_of("baseline = 1"), ["sdp.toml:1:12 `baseline` must be a string, not an integer"]);
    assert_eq!(problems_of("baseline = ''"), ["sdp.toml:1:12 `baseline` must not be empty"]);
    assert_eq!(
        waiver(""),
        [
            "sdp.toml:1:1 a waiver needs a `rule`",
            "sdp.toml:1:1 a waiver needs a `subject`",
            "sdp.toml:1:1 a waiver needs a `reason`",
            "sdp.toml:1:1 a waiver needs an `expires`",
        ]
    );
    assert_eq!(
        complete("rule = 'r'\nsubjct = 's'"),
        ["sdp.toml:3:1 `subjct` is not a waiver key: did you mean `subject`?"]
    );
    assert_eq!(complete("reason = ' '"), ["sdp.toml:4:10 `reason` must not be empty"]);
    assert_eq!(
        complete("subject = \"a\\nb\""),
        ["sdp.toml:3:11 `subject` must not hold a line break or another control character"]
    );
    for day in ["'2027-02-30'", "'soon'", "''"] {
        assert_eq!(
            complete(&format!("expires = {day}")),
            ["sdp.toml:5:11 `expires` must be a day, such as 2027-01-31"],
            "{day}"
        );
    }
    for moment in ["2027-01-31T00:00:00Z", "2027-01-31T00:00:00", "2027-01-31T00:00:00+01:00", "07:32:00"] {
        assert_eq!(
            complete(&format!("expires = {moment}")),
            ["sdp.toml:5:11 `expires` must be a day, such as 2027-01-31, without a time"],
            "{moment}"
        );
    }
    assert_eq!(
        complete("expires = 20270131"),
        ["sdp.toml:5:11 `expires` must be a day, such as 2027-01-31, not an integer"]
    );
    let one = "[[waivers]]\nrule = 'r'\nsubject = 's'\nreason = 'w'\nexpires = 2027-01-31\n";
    assert_eq!(problems_of(&format!("{one}{one}")), ["sdp.toml:6:1 a waiver of `r` for `s` stands at line 1 already"]);
}

#[test]
fn a_wrong_severity_is_refused_in_place() {
    assert_eq!(problems_of("severity = 1"), ["sdp.toml:1:12 `severity` must be a table, not an integer"]);
    assert_eq!(
        problems_of("[severity]\nconformance = true\n"),
        ["sdp.toml:2:15 `conformance` must be a string, not a boolean"]
    );
    assert_eq!(
        problems_of("[severity]\nconformance = \"error\"\n"),
        ["sdp.toml:2:15 `severity`: \"error\" is no level: did you mean \"deny\"?"]
    );
}

#[test]
fn a_severity_override_without_effect_is_a_finding_of_its_own() {
    let root = tree(&[(
        "sdp.toml",
        "[severity]\nconformance = 'deny'\n\"conformance/orphan\" = 'deny'\n'extract/invalid-id' = 'warn'\n",
    )]);
    let Err(LoadError::Invalid { findings, .. }) = at_root(root.path()) else { panic!("accepted") };
    let said: Vec<String> = findings.iter().map(Finding::line_form).collect();
    assert_eq!(
        said,
        [
            "sdp.toml:3 — [error] sdp/unmatched-severity — the severity override `conformance/orphan` names no finding: \
             did you mean `conformance/orphans`?",
            "sdp.toml:4 — [error] sdp/unmatched-severity — `extract/invalid-id` stays an error: it says that something to \
             be judged could not be read",
        ]
    );
    assert_eq!(findings.iter().map(|finding| finding.column).collect::<Vec<_>>(), [Some(1), Some(1)]);
}
