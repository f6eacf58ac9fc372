//! What the command line's own tests do not reach: several roots, and the day of a run.

use std::fs;
use std::path::Path;

use sdp_core::config::{Beside, Config, RootRequest, Waiver, load};
use sdp_core::finding::{Finding, FindingId};
use sdp_core::rules::{Case, Outcome, Verdict, engine_cases, plan};
use tempfile::TempDir;

use super::*;
use crate::diagnostic::Diagnostic;
use crate::report::CaseResult;

const ORPHANS: &str = "check::conformance::orphans";

/// Two roots that one configuration holds for, or that have one each.
fn roots(shared: bool) -> (TempDir, Vec<Config>) {
    let folder = tempfile::tempdir().unwrap();
    let configs = ["front", "back"].map(|name| {
        let root = folder.path().join(name);
        fs::create_dir_all(&root).unwrap();
        let mut config = load(&RootRequest { root: Some(&root), cwd: &root }).unwrap();
        config.name = Some(name.to_owned());
        let other = if name == "front" { "back" } else { "front" };
        config.beside = vec![Beside { name: other.to_owned(), is_of_same_configuration: shared, baseline: None }];
        config.source = Some(if shared { folder.path().join("sdp.toml") } else { root.join("sdp.toml") });
        config
    });
    (folder, configs.to_vec())
}

fn waiver(rule: &str, subject: &str) -> Waiver {
    let expires = Date::new(2027, 1, 31).unwrap();
    Waiver { rule: rule.to_owned(), subject: subject.to_owned(), reason: "agreed".to_owned(), expires, line: 7 }
}

fn prepared(configs: &mut [Config], request: &Request) -> Vec<Acceptance> {
    let acceptances = prepare(configs, request, |name| (name == EPOCH).then(|| "0".into())).unwrap();
    for (config, acceptance) in configs.iter().zip(&acceptances) {
        acceptance.plan(&plan(config, &Default::default()).unwrap().cases);
    }
    acceptances
}

/// The report of a case of a root that finds these orphans.
fn judged(config: &Config, acceptance: &Acceptance, case: &str, orphans: &[&str]) -> CaseReport {
    let cases = plan(config, &Default::default()).unwrap().cases;
    let case: &Case = cases.iter().find(|one| one.name == case).unwrap();
    let findings = orphans.iter().map(|spec| Finding::error(FindingId::Orphans, "o").about(*spec)).collect();
    let outcome = Outcome { verdict: Verdict::Engine(findings), description: None, console: Vec::new() };
    let name = config.name.as_deref().map(|root| format!("{root}::{}", case.name)).unwrap_or_else(|| case.name.clone());
    let mut report = CaseReport::of(case, &name, config.name.as_deref(), outcome);
    acceptance.judge(case, &mut report);
    report
}

fn said(report: &CaseReport) -> Vec<String> {
    let one =
        |one: &Diagnostic| format!("{}:{}: {}", one.file.as_deref().unwrap_or("-"), one.line.unwrap_or(0), one.key);
    report.diagnostics.iter().map(one).collect()
}

#[test]
fn a_waiver_of_a_shared_configuration_names_its_root() {
    let (_folder, mut configs) = roots(true);
    for config in &mut configs {
        config.waivers = vec![waiver("back::conformance/orphans", "spec:a"), waiver("conformance/orphans", "spec:b")];
    }
    let acceptances = prepared(&mut configs, &Request::default());
    let front = judged(&configs[0], &acceptances[0], ORPHANS, &["spec:a", "spec:b"]);
    assert_eq!((front.waived, said(&front)), (1, vec!["-:0: front::conformance/orphans spec:a".to_owned()]));
    let back = judged(&configs[1], &acceptances[1], ORPHANS, &["spec:a"]);
    assert_eq!(back.waived, 1);
    assert_eq!(said(&back), ["../sdp.toml:7: back::sdp/unmatched-waiver spec:b -> conformance/orphans"]);
    assert_eq!(back.result, CaseResult::Failed);
    for (config, acceptance) in configs.iter().zip(&acceptances) {
        assert_eq!(said(&judged(config, acceptance, "config::waivers", &[])), Vec::<String>::new());
    }
}

#[test]
fn a_waiver_for_a_root_that_is_not_there_is_told() {
    let (_folder, mut configs) = roots(false);
    configs[1].waivers = vec![waiver("side::conformance/orphans", "spec:a")];
    let acceptances = prepared(&mut configs, &Request::default());
    assert!(acceptances[0].is_empty());
    let report = judged(&configs[1], &acceptances[1], "config::waivers", &[]);
    assert!(report.diagnostics[0].message.contains("a root that it cannot be for"), "{report:#?}");
    assert_eq!(report.diagnostics[0].file.as_deref(), Some("sdp.toml"));
}

#[test]
fn the_rows_of_a_shared_baseline_open_with_their_roots() {
    let (folder, mut configs) = roots(false);
    let path = folder.path().join("base.txt");
    let update = Request { baseline: Some(path.clone()), update: true, today: None };
    let acceptances = prepared(&mut configs, &update);
    for (config, acceptance) in configs.iter().zip(&acceptances) {
        let report = judged(config, acceptance, ORPHANS, &["spec:a"]);
        assert_eq!((report.accepted, &report.result), (1, &CaseResult::Passed));
    }
    let said_of_it = write_baselines(&acceptances).unwrap();
    assert_eq!(said_of_it, [format!("wrote {} (2 rows added, 0 removed)", path.display())]);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.ends_with("\n\nback::conformance/orphans spec:a\nfront::conformance/orphans spec:a\n"), "{text}");

    fs::write(&path, format!("{text}conformance/orphans spec:a\nside::conformance/orphans spec:a\n")).unwrap();
    let read = Request { update: false, ..update };
    let acceptances = prepared(&mut configs, &read);
    let front = judged(&configs[0], &acceptances[0], ORPHANS, &[]);
    assert_eq!(said(&front), ["../base.txt:5: front::sdp/stale-baseline front::conformance/orphans%20spec:a"]);
    // What names no root is told once.
    let strays = judged(&configs[0], &acceptances[0], "config::baseline", &[]);
    assert_eq!(strays.diagnostics.len(), 2, "{strays:#?}");
    assert!(
        strays.diagnostics.iter().all(|one| one.message.contains(" of no root") || one.message.contains("a root that"))
    );
    assert_eq!(said(&judged(&configs[1], &acceptances[1], "config::baseline", &[])), Vec::<String>::new());
}

#[test]
fn the_baseline_of_one_root_serves_it_alone_too() {
    let (folder, mut configs) = roots(false);
    let path = folder.path().join("back/base.txt");
    fs::write(&path, "conformance/orphans spec:a\n").unwrap();
    configs[1].baseline = Some(path);
    let acceptances = prepared(&mut configs, &Request::default());
    let report = judged(&configs[1], &acceptances[1], ORPHANS, &["spec:a", "spec:b"]);
    assert_eq!((report.accepted, said(&report)), (1, vec!["-:0: back::conformance/orphans spec:b".to_owned()]));
    configs[1].name = None;
    let alone = &mut configs[1..];
    let acceptances = prepared(alone, &Request::default());
    assert_eq!(judged(&alone[0], &acceptances[0], ORPHANS, &["spec:a"]).accepted, 1);
}

#[test]
fn what_is_let_stand_leaves_the_keys_of_the_others() {
    let (_folder, mut configs) = roots(true);
    configs.truncate(1);
    configs[0].name = None;
    configs[0].waivers = vec![waiver("conformance/orphans", "spec:a")];
    let acceptances = prepared(&mut configs, &Request::default());
    let report = judged(&configs[0], &acceptances[0], ORPHANS, &["spec:b", "spec:a", "spec:b"]);
    assert_eq!(said(&report), ["-:0: conformance/orphans spec:b", "-:0: conformance/orphans spec:b #2"]);
}

#[test]
fn the_day_is_asked_for_where_a_waiver_needs_it() {
    let (_folder, mut configs) = roots(true);
    let nonsense = |_: &str| Some(OsString::from("soon"));
    assert!(prepare(&mut configs, &Request::default(), nonsense).is_ok());
    configs[0].waivers = vec![waiver("conformance/orphans", "spec:a")];
    let error = prepare(&mut configs, &Request::default(), nonsense).unwrap_err();
    assert_eq!(error.to_string(), "SOURCE_DATE_EPOCH is no number of seconds");
    let given = Request { today: Date::new(2027, 1, 1), ..Request::default() };
    assert!(prepare(&mut configs, &given, nonsense).is_ok());
    assert_eq!(day(None, |_| Some("86400".into())).unwrap().to_string(), "1970-01-02");
    assert!(day(None, |_| None).unwrap() > Date::new(2020, 1, 1).unwrap());
    assert!(day(None, |_| Some(u64::MAX.to_string().into())).is_err());
}

#[test]
fn a_path_is_called_from_the_root() {
    for (path, called) in [
        ("/srv/shop/sdp.toml", "sdp.toml"),
        ("/srv/shop/a/b.txt", "a/b.txt"),
        ("/srv/sdp.toml", "../sdp.toml"),
        ("/srv/other/sdp.toml", "../other/sdp.toml"),
        ("/tmp/base.txt", "/tmp/base.txt"),
    ] {
        assert_eq!(relative(Path::new("/srv/shop"), Path::new(path)), called);
    }
}

#[test]
fn every_plan_opens_with_the_cases_of_the_engine() {
    let (_folder, configs) = roots(true);
    let cases = plan(&configs[0], &Default::default()).unwrap().cases;
    assert!(cases.starts_with(&engine_cases()));
}
