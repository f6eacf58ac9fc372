//! `rules` as its users meet it: a tree on disk and a test runner's arguments go in, the runner's output, the run's own words
//! and the exit code come out. Where a process is needed, this test binary starts itself again as the runner.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use sdp_core::config::{Environment, Limits, RootRequest, load};
use sdp_core::discover::DiscoverOptions;
use sdp_core::explain::{self, Subject};
use sdp_core::finding::{Finding, FindingId};
use sdp_core::rules::{Engine, EngineOptions, Task, Verdict, case_of, case_of_id, plan};
use sdp_harness::{Acceptance, Caller, Options, Root, Status};
use tempfile::TempDir;

/// A repository of two Specs; the first names the second in its prose and depends on it.
struct Repo(TempDir);

/// What a run gave.
struct Ran {
    status: Status,
    /// What libtest would print.
    out: String,
    /// The run's own words.
    err: String,
}

impl Ran {
    #[track_caller]
    fn ends(&self, code: u8) -> &Self {
        assert_eq!(self.status.code(), code, "{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    fn says(&self, text: &str) -> &Self {
        assert!(self.out.contains(text), "no {text:?} in:\n{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    fn never_says(&self, text: &str) -> &Self {
        assert!(!self.out.contains(text), "{text:?} in:\n{}", self.out);
        self
    }
}

impl Repo {
    fn new() -> Self {
        let repo = Repo(tempfile::tempdir().unwrap());
        repo.write("specs/a.sdp.md", carrier("spec:a.one", "\n  dependsOn: [spec:a.two]"));
        repo.write("specs/b.sdp.md", carrier("spec:a.two", " {}"));
        repo
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.run_as(Caller::CommandLine, arguments)
    }

    /// A run whose bodies their clock does not stop, on the slowest machine.
    fn run_as(&self, caller: Caller, arguments: &[&str]) -> Ran {
        self.run_within(Duration::from_secs(120), caller, arguments)
    }

    fn run_within(&self, time: Duration, caller: Caller, arguments: &[&str]) -> Ran {
        let log = tempfile::NamedTempFile::new().unwrap();
        let arguments: Vec<OsString> = arguments
            .iter()
            .map(OsString::from)
            .chain(["--color=never".into(), "--logfile".into(), log.path().into()])
            .collect();
        let mut err = Vec::new();
        let mut options = options(self.0.path(), caller);
        options.roots[0].config.limits = Limits { time, memory: 64 << 20 };
        let status = sdp_harness::run(&options, arguments, &mut err);
        let err = String::from_utf8(err).unwrap();
        Ran { status, out: fs::read_to_string(log.path()).unwrap(), err }
    }
}

fn carrier(id: &str, relations: &str) -> String {
    format!(
        "---\nid: {id}\nkind: behavior\naltitude: story\nreadiness: idea\nrelations:{relations}\n---\n# Title\n\nNot spec:a.two.\n\n## Intent\n- outcome: o\n\n## Behavior\n- rule: [#first] It does\n"
    )
}

fn options(root: &Path, caller: Caller) -> Options {
    let config = load(&RootRequest { root: Some(root), cwd: root }).unwrap();
    let discover = DiscoverOptions::default();
    let root = Root { config, discover, acceptance: Acceptance::default(), cache: None };
    Options { roots: vec![root], caller }
}

#[test]
#[sdp::verifies("spec:sdp.rules")]
fn every_case_has_its_name_and_recipes_that_report_are_ignored_with_that_reason() {
    let repo = Repo::new();
    repo.write("rules/a/x.sdp.js", "return []").write("rules/y z.sdp.js", "return []");
    let ran = repo.run(&["--test-threads=1"]);
    for line in [
        "test extract::carriers",
        "test check::conformance::orphans",
        "test rule::a::x",
        "test rule::y z",
        "test recipe::26-dependency-cycles",
    ] {
        let outcome =
            ran.out.lines().find(|printed| printed.starts_with(line)).unwrap_or_else(|| panic!("{line}: {}", ran.out));
        assert!(outcome.ends_with("... ok"), "{outcome}");
    }
    let reports = ran.out.lines().find(|line| line.starts_with("test recipe::01-")).unwrap();
    assert!(reports.ends_with("... ignored (only reports)"), "{reports}");
    ran.ends(0).never_says("[");
}

#[test]
fn a_list_is_names_only_and_needs_no_carrier() {
    let repo = Repo(tempfile::tempdir().unwrap());
    repo.write("rules/a/x.sdp.js", b"\xFF");
    let all = repo.run(&["--list", "--format", "terse"]);
    assert!(all.ends(0).out.lines().all(|line| line.ends_with(": test")), "{}", all.out);
    all.says("rule::a::x: test\n").says("recipe::01-build-backlog: test\n");
    let ignored = repo.run(&["--list", "--format", "terse", "--ignored"]);
    ignored.ends(0).says("recipe::01-build-backlog: test\n").never_says("rule::").never_says("26-dependency-cycles");
}

#[test]
#[sdp::verifies("spec:sdp.rules")]
fn an_error_finding_fails_its_case_at_the_subjects_own_line() {
    let repo = Repo::new();
    repo.write("rules/a/x.sdp.js", "return [{ subject: 'spec:a.two', message: 'not good' }]");
    repo.run(&["rule::a::x", "--exact"])
        .ends(101)
        .says("error[rule::a::x]: not good\n --> specs/b.sdp.md:2\n  |\n2 | id: spec:a.two\n  |\n  = subject: spec:a.two\n")
        .never_says("specs/a.sdp.md");
}

#[test]
fn entries_edges_and_files_are_subjects_too_and_warnings_never_fail() {
    let repo = Repo::new();
    repo.write(
        "rules/x.sdp.js",
        "return { diagnostics: [
            { severity: 'warning', message: 'an entry', subjectId: 'spec:a.one#rule.first' },
            { severity: 'warning', message: 'an edge', subject: graph.edges[0] },
            { severity: 'warning', message: 'an edge as text', subject: 'spec:a.one → (dependsOn) → spec:a.two' },
            { severity: 'warning', message: 'a file', subject: 'specs/b.sdp.md:4' } ] }",
    );
    let ran = repo.run(&["rule::x"]);
    ran.ends(0).never_says("warning");
    for told in [
        "---- rule::x passed, with notes ----\nwarning[rule::x]: an entry\n  --> specs/a.sdp.md:17\n",
        "warning[rule::x]: an edge\n --> specs/a.sdp.md:7\n",
        "warning[rule::x]: an edge as text\n --> specs/a.sdp.md:7\n",
        "warning[rule::x]: a file\n --> specs/b.sdp.md:4\n",
    ] {
        assert!(ran.err.contains(told), "no {told:?} in:\n{}", ran.err);
    }
}

#[test]
fn an_unknown_subject_is_the_rules_error() {
    let repo = Repo::new();
    repo.write("rules/x.sdp.js", "return [{ subject: 'spec:a.tow', message: 'm', severity: 'warning' }]");
    repo.run(&["rule::x"])
        .ends(101)
        .says("error: findings[0] is about \"spec:a.tow\", which is no id")
        .says("--> rules/x.sdp.js");
}

#[test]
#[sdp::verifies("spec:sdp.rules")]
fn a_throw_a_limit_and_any_other_return_fail_their_case_alone() {
    let repo = Repo::new();
    repo.write("rules/good.sdp.js", "return []")
        .write("rules/map.sdp.js", "return new Map([[1, []]])")
        .write("rules/nothing.sdp.js", "[]")
        .write("rules/never.sdp.js", "await new Promise(() => {})")
        .write("rules/throws.sdp.js", "console.log('seen \\u001b[31m');\nnull.x;")
        .write("rules/hungry.sdp.js", "const a = []; for (;;) a.push(new Array(1000).fill('x'))")
        .write("rules/parse.sdp.js", "const a = 1;\nreturn )")
        .write("rules/latin.sdp.js", b"return '\xE9'");
    let ran = repo.run(&["rule::"]);
    ran.ends(101)
        .says("test result: FAILED. 1 passed; 7 failed; 0 ignored;")
        .says("---- rule::map ----\nerror: the body returned Map(1) { 1 => [] };")
        .says("---- rule::nothing ----\nerror: the body returned nothing;")
        .says("---- rule::never ----\nerror: the body never ends")
        .says("error: TypeError: cannot read property 'x' of null\n --> rules/throws.sdp.js:2:")
        .says("\n2 | null.x;\n")
        .says("console output:\n  | seen \\u{1b}[31m\n")
        .says("---- rule::hungry ----\nerror: the body was stopped: it used more than 64 MB")
        .says("---- rule::parse ----\nerror: the body does not parse at line 2, column 8:")
        .says("---- rule::latin ----\nerror: the rule file rules/latin.sdp.js is not UTF-8")
        .never_says("\u{1b}");
    repo.write("rules/loop.sdp.js", "for (;;);");
    repo.run_within(Duration::from_millis(500), Caller::CommandLine, &["rule::loop"])
        .ends(101)
        .says("---- rule::loop ----\nerror: the body was stopped: it ran longer than 0.5 s");
}

#[test]
fn a_throw_shows_its_column_in_characters() {
    let repo = Repo::new();
    repo.write("rules/x.sdp.js", "const a = 'éé日'; f();");
    repo.run(&["rule::x"])
        .ends(101)
        .says(" --> rules/x.sdp.js:1:18\n  |\n1 | const a = 'éé日'; f();\n  |                  ^\n");
}

#[test]
fn corpus_text_is_made_harmless() {
    let repo = Repo::new();
    repo.write(
        "rules/x.sdp.js",
        "return [{ rule: 'r\\u001b]0;', subject: 'spec:a.two', message: 'a\\ntest result: ok\\u202e' }]",
    );
    repo.run(&["rule::x"]).ends(101).says("error[r\\u{1b}]0;]: a\n  | test result: ok\\u{202e}\n").never_says("\u{1b}");
}

#[test]
fn many_findings_are_cut_and_counted() {
    let repo = Repo::new();
    repo.write(
        "rules/x.sdp.js",
        "return Array.from({ length: 60 }, (_, i) => ({ subject: 'spec:a.two', message: `m${i}.` }))",
    );
    repo.run(&["rule::x"]).ends(101).says("m49.").never_says("m50.").says("… and 10 more");
    let warnings = "return Array.from({ length: 60 }, (_, i) => ({ subject: 'spec:a.two', message: `m${i}.`, severity: 'warning' }))";
    repo.write("rules/x.sdp.js", warnings);
    let few = repo.run(&["rule::x"]).err;
    assert!(few.contains("m9.") && !few.contains("m10.") && few.contains("… and 50 more"), "{few}");
    let many = repo.run(&["rule::x", "--nocapture"]).err;
    assert!(many.contains("m49.") && !many.contains("m50.") && many.contains("… and 10 more"), "{many}");
}

#[test]
fn equal_names_refuse_the_run_before_anything_runs() {
    let repo = Repo::new();
    repo.write("rules/x.sdp.js", "throw 1")
        .write("Cargo.toml", "[workspace]\n[[workspace.metadata.sdp.rules]]\nname = 'x'\nrecipe = 26\n");
    for (arguments, last) in [(&["rule::"][..], "sdp rules: nothing was run.\n"), (&["--list"], "")] {
        let ran = repo.run(arguments);
        assert_eq!(ran.ends(1).out, "");
        let said = "sdp rules: two cases are named `rule::x`: rules/x.sdp.js and the rule \"x\" at Cargo.toml:2; rename one of them\n";
        assert_eq!(ran.err, format!("{said}{last}"));
    }
}

#[test]
fn a_body_is_passed_severity_when_its_head_accepts_it() {
    let repo = Repo::new();
    let body =
        "return [{ subject: 'spec:a.two', message: String(params.severity), severity: params.severity ?? 'warning' }]";
    repo.write("rules/plain.sdp.js", body).write("rules/hard.sdp.js", format!("// @params severity\n{body}"));
    repo.write("soft.js", format!("// @params severity\n{body}"));
    repo.write(
        "Cargo.toml",
        "[workspace]\n[[workspace.metadata.sdp.rules]]\nname = 'soft'\nbody = 'soft.js'\nseverity = 'warning'\n",
    );
    let ran = repo.run(&["rule::"]);
    ran.ends(101).says("error[rule::hard]: error\n").says("2 passed; 1 failed");
    assert!(ran.err.contains("warning[rule::plain]: undefined\n"), "{}", ran.err);
    assert!(ran.err.contains("warning[rule::soft]: warning\n"), "{}", ran.err);
}

#[test]
#[sdp::verifies("spec:sdp.rules")]
fn extraction_errors_fail_their_case_and_the_others_as_not_run() {
    let repo = Repo::new();
    repo.write("specs/c.sdp.md", "no frontmatter\n").write("rules/x.sdp.js", "return []");
    repo.run(&["--skip", "recipe::0"])
        .ends(101)
        .says("---- extract::carriers ----\nerror[extract/invalid-frontmatter]: ")
        .says("--> specs/c.sdp.md")
        .says("---- rule::x ----\nnot run: ")
        .says("---- check::conformance::orphans ----\nnot run: ");
}

#[test]
fn a_tree_without_specs_says_what_was_looked_for() {
    let repo = Repo(tempfile::tempdir().unwrap());
    repo.write("rules/x.sdp.js", "return []");
    repo.run(&[]).ends(101).says("`*.sdp.md`").says("---- rule::x ----\nnot run: ");
}

#[test]
#[sdp::verifies("spec:sdp.rules")]
fn a_filter_that_matches_nothing_is_an_error_of_the_command_line_only() {
    let repo = Repo::new();
    let ran = repo.run(&["orfans"]);
    assert_eq!(ran.ends(4).out, "");
    assert_eq!(
        ran.err,
        "sdp rules: no case matches \"orfans\". Did you mean \"check::conformance::orphans\"? `cargo sdp rules --list` lists every case.\n"
    );
    repo.run(&["orphans", "--exact"]).ends(4);
    repo.run(&["--skip", ":"]).ends(4);
    repo.run_as(Caller::TestBinary, &["orfans"]).ends(0).says("running 0 tests");
    // No recipe that reports is asked for: nothing was filtered by name.
    repo.run(&["--ignored"]).ends(0);
}

#[test]
fn arguments_of_libtest_are_understood_and_wrong_ones_are_usage() {
    let repo = Repo::new();
    repo.write("rules/x.sdp.js", "console.log('seen'); return []").write("rules/xx.sdp.js", "return []");
    repo.run(&["rule::x", "--exact"]).ends(0).says("1 passed").never_says("rule::xx");
    repo.run(&["rule::x", "--skip", "xx"]).ends(0).says("1 passed").never_says("rule::xx");
    repo.run(&["rule::x", "--format", "json"]).ends(0).says(r#"{ "type": "test", "name": "rule::xx", "event": "ok" }"#);
    assert!(!repo.run(&["rule::x"]).err.contains("seen"));
    assert!(repo.run(&["rule::x", "--nocapture"]).err.contains("console output:\n  | seen\n"));
    let wrong = repo.run(&["--no-such-thing"]);
    assert!(wrong.ends(2).err.contains("--no-such-thing"), "{}", wrong.err);
    repo.run(&["--test-threads", "0"]).ends(2);
    repo.run(&["--test-threads", "100000", "rule::x"]).ends(0);
}

/// Set for the process that acts as the runner.
const ROOT: &str = "SDP_TESTS_RULES_ROOT";
const ARGUMENTS: &str = "SDP_TESTS_RULES_ARGUMENTS";

/// Not a test of its own: with the environment set this process is a runner, and ends with its exit code.
#[test]
fn acts_as_the_runner() {
    let Some(root) = std::env::var_os(ROOT) else { return };
    let arguments = std::env::var(ARGUMENTS).unwrap();
    let arguments = arguments.split_whitespace().map(OsString::from);
    let options = options(Path::new(&root), Caller::CommandLine);
    let status = sdp_harness::run(&options, arguments, &mut std::io::stderr());
    std::process::exit(status.code().into());
}

fn runner(root: &Path, arguments: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "rules::acts_as_the_runner", "--nocapture", "--test-threads=1"]);
    command.env(ROOT, root).env(ARGUMENTS, arguments).stdin(Stdio::null()).stderr(Stdio::piped());
    command
}

#[test]
fn a_reader_that_leaves_is_no_panic_and_the_exit_code_stays_true() {
    let repo = Repo::new();
    // The first rules take their time, so that the reader has left before there is a line to write.
    for number in 0..4 {
        let slow = "const start = g.specs().length; for (let i = 0; i < 2e6; i += start) {} return []";
        repo.write(&format!("rules/r{number}.sdp.js"), slow);
    }
    let exit = |arguments: &str| {
        let mut child = runner(repo.0.path(), arguments).stdout(Stdio::piped()).spawn().unwrap();
        // The first such line is that of the test runner around this one.
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let seen = lines.by_ref().filter(|line| line.starts_with("running ") || line.ends_with(": test")).nth(1);
        assert!(seen.is_some());
        drop(lines);
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!err.contains("panicked"), "{err}");
        output.status.code()
    };
    assert_eq!(exit("--list"), Some(0));
    for threads in ["--test-threads=1", "--test-threads=4"] {
        assert_eq!(exit(threads), Some(0), "{threads}");
    }
    repo.write("rules/z.sdp.js", "return [{ subject: 'spec:a.two', message: 'm' }]");
    for threads in ["--test-threads=1", "--test-threads=4"] {
        assert_eq!(exit(threads), Some(101), "{threads}: the case that fails runs after the reader left");
    }
}

/// What the cases of the engine give over the files of a section, each finding with its case.
fn given(section: &str) -> Vec<(String, bool, Finding)> {
    let repo = Repo(tempfile::tempdir().unwrap());
    for (path, text) in explain::files(section) {
        repo.write(path, text);
    }
    let Ok(config) = load(&RootRequest { root: Some(repo.0.path()), cwd: repo.0.path() }) else { return Vec::new() };
    let discover = DiscoverOptions::of(&config, &Environment::default());
    let options = EngineOptions {
        base: config.base.clone(),
        folder: String::new(),
        packages: None,
        root: config.root.clone(),
        discover: discover.clone(),
        limits: config.limits,
        severities: config.severities.clone(),
    };
    let engine = Engine::new(options);
    let mut given = Vec::new();
    for case in plan(&config, &discover).map(|plan| plan.cases).unwrap_or_default() {
        if matches!(case.task, Task::Body(_)) {
            continue;
        }
        let (has_holes, findings) = match engine.run(&case).verdict {
            Verdict::Engine(findings) | Verdict::NoSpecs { findings, .. } => (false, findings),
            Verdict::Holes(findings) => (true, findings),
            _ => continue,
        };
        given.extend(findings.into_iter().map(|finding| (case.name.clone(), has_holes, finding)));
    }
    given
}

#[test]
fn each_finding_is_given_by_the_case_that_it_is_said_to_be_of() {
    // Their own tests, or those of the checks, give these; a page cannot hold them.
    let not_shown = [
        FindingId::TooManyGherkinFindings,
        FindingId::DuplicateIds,
        FindingId::DeliveryFacts,
        FindingId::SkippedSource,
        FindingId::UnreadableSource,
        FindingId::UnreadCarrier,
        FindingId::SkippedCarrier,
        FindingId::SkippedIgnoreFile,
        FindingId::LargeCarrier,
        FindingId::UnreadableCarrier,
        FindingId::NotUtf8,
    ];
    let mut seen: Vec<FindingId> = Vec::new();
    for id in FindingId::ALL {
        for (case, has_holes, finding) in given(Subject::Finding(*id).page().example) {
            // What refuses a carrier or a binding is said where it is read, under the id of the check where it has one.
            let refuses = has_holes && finding.is_error() && case == "extract::carriers";
            assert!(refuses || case_of(&finding).as_deref() == Some(&case), "{case}: {finding:#?}");
            seen.push(finding.id);
        }
    }
    for id in FindingId::ALL {
        let is_given = seen.contains(id) || not_shown.contains(id);
        assert_eq!(is_given, case_of_id(*id).is_some(), "{}", id.as_str());
    }
}
