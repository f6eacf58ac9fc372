//! Rules end to end, without a test runner: a tree on disk goes in, the outcome of one case goes out.

mod configured;

use std::sync::Arc;
use std::time::Duration;

use sdp_recipes::CATALOG;
use tempfile::TempDir;

use super::*;
use crate::config::Limits;
use crate::config::{RootRequest, load};
use crate::discover::DiscoverOptions;
use crate::extract::extract;
use crate::finding::Severity;
use crate::reader::Reader;
use crate::testing::spec;

/// A tree with two Specs, of which the first names the second in its prose.
struct Tree(TempDir);

impl Tree {
    fn new() -> Self {
        let tree = Tree(tempfile::tempdir().unwrap());
        let one = spec(
            "spec:a.one behavior idea",
            "dependsOn: [spec:a.two]",
            "Prose on spec:a.two.\n\n## Behavior\n- rule: [#first] It does\n",
        );
        tree.write("specs/a.sdp.md", &one);
        tree.write("specs/b.sdp.md", spec("spec:a.two behavior idea", "", "## Intent\n- problem: p\n"));
        tree
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.0.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn plan(&self) -> Result<Plan, PlanError> {
        let config = load(&RootRequest { root: Some(self.0.path()), cwd: self.0.path() }).unwrap();
        plan(&config, &DiscoverOptions::default())
    }

    fn engine(&self, time: Duration) -> Engine {
        self.engine_with(time, None)
    }

    fn engine_with(&self, time: Duration, packages: Option<Arc<dyn Packages>>) -> Engine {
        Engine::new(EngineOptions {
            root: self.0.path().to_owned(),
            base: self.0.path().to_owned(),
            folder: String::new(),
            packages,
            discover: DiscoverOptions::default(),
            limits: Limits { time, memory: 64 << 20 },
            severities: Default::default(),
        })
    }

    /// The outcome of a case that its clock does not stop, on the slowest machine.
    fn run(&self, name: &str) -> Outcome {
        self.run_within(Duration::from_secs(120), name)
    }

    fn run_within(&self, time: Duration, name: &str) -> Outcome {
        let cases = self.plan().unwrap().cases;
        let case = cases.iter().find(|case| case.name == name).unwrap_or_else(|| panic!("no case {name}: {cases:#?}"));
        self.engine(time).run(case)
    }

    /// The outcome of one rule file with this body.
    fn rule(&self, body: impl AsRef<[u8]>) -> Outcome {
        self.write("rules/x.sdp.js", body);
        self.run("rule::x")
    }

    fn subjects(&self) -> Subjects {
        let extraction = Arc::new(extract(self.0.path(), &DiscoverOptions::default()));
        let reader = Arc::new(Reader::new(Arc::clone(&extraction.graph)));
        Subjects::new(extraction, reader)
    }
}

fn place(file: &str, line: u32) -> Place {
    Place { file: file.to_owned(), line: Some(line) }
}

fn judgement(outcome: &Outcome) -> &Judgement {
    match &outcome.verdict {
        Verdict::Judged(judgement) => judgement,
        other => panic!("{other:?}"),
    }
}

fn problems(outcome: &Outcome) -> Vec<String> {
    assert!(!outcome.verdict.passes());
    judgement(outcome).problems.iter().map(ToString::to_string).collect()
}

#[test]
fn a_subject_is_found_where_it_is_authored_and_nowhere_else() {
    let subjects = Tree::new().subjects();
    let text = |text: &str| subjects.find(&Subject::Text(text.to_owned()));
    // Named in the prose of a.sdp.md too, and first.
    assert_eq!(text("spec:a.two"), Some(Some(place("specs/b.sdp.md", 2))));
    assert_eq!(text("spec:a.one#rule.first"), Some(Some(place("specs/a.sdp.md", 14))));
    assert_eq!(text("spec:a.one → (dependsOn) → spec:a.two"), Some(Some(place("specs/a.sdp.md", 2))));
    assert_eq!(text("specs/b.sdp.md"), Some(Some(Place { file: "specs/b.sdp.md".to_owned(), line: None })));
    assert_eq!(text("specs/b.sdp.md:7"), Some(Some(place("specs/b.sdp.md", 7))));
    for unknown in [
        "spec:a.three",
        "spec:a.one#rule.second",
        "spec:a.one#rule.rule[0]",
        "spec:a.one#",
        "spec:a.two → (dependsOn) → spec:a.one",
        "spec:a.one → (refines) → spec:a.two",
        "specs/b.sdp.md:0",
        "specs/c.sdp.md",
        "../specs/b.sdp.md",
        "/etc/passwd",
        "",
    ] {
        assert_eq!(text(unknown), None, "{unknown}");
    }
    let named = Tree::new();
    named.write("specs/c#.sdp.md", spec("spec:c behavior idea", "", "## Intent\n- problem: p\n"));
    let file = Subject::Text("specs/c#.sdp.md:3".to_owned());
    assert_eq!(named.subjects().find(&file), Some(Some(place("specs/c#.sdp.md", 3))));
    let edge = Subject::Edge { from: "spec:a.one".into(), edge_type: "dependsOn".into(), to: "spec:a.two".into() };
    assert_eq!(subjects.find(&edge), Some(Some(place("specs/a.sdp.md", 2))));
    assert_eq!(edge.to_string(), "spec:a.one → (dependsOn) → spec:a.two");
}

#[test]
fn a_finding_that_says_little_takes_the_cases_rule_and_the_default_weight() {
    let outcome = Tree::new().rule("return [{ subject: 'spec:a.two', message: 'm' }, { rule: 'r', subject: 'spec:a.one', message: 'n', severity: 'warning' }]");
    let expected = |rule: &str, severity, message: &str, subject: &str, place| RuleFinding {
        rule: rule.to_owned(),
        severity,
        message: message.to_owned(),
        subject: Some(subject.to_owned()),
        related: None,
        place: Some(place),
    };
    assert_eq!(
        judgement(&outcome).findings,
        RuleFindings {
            kept: vec![
                expected("rule::x", Severity::Error, "m", "spec:a.two", place("specs/b.sdp.md", 2)),
                expected("r", Severity::Warning, "n", "spec:a.one", place("specs/a.sdp.md", 2)),
            ],
            errors: 1,
            warnings: 1,
        }
    );
    assert!(!outcome.verdict.passes());
}

#[test]
fn diagnostics_come_in_both_spellings_and_may_have_a_file_or_a_path_for_a_subject() {
    let outcome = Tree::new().rule(
        "return { diagnostics: [
            { validatorId: 'v', severity: 'warning', message: 'm', subjectId: 'spec:a.two', relatedId: 'spec:a.one', file: 'specs/b.sdp.md', line: 5 },
            { rule: 'r', severity: 'warning', message: 'm', subject: 'spec:a.two', file: 'specs/a.sdp.md', line: 5 },
            { severity: 'warning', message: 'm', file: 'specs/a.sdp.md', line: 5 },
            { severity: 'warning', message: 'm', path: 'addresses[0]' },
            { severity: 'warning', message: 'm' },
            { severity: 'warning', message: 'm', path: 7 },
        ] }",
    );
    let findings = &judgement(&outcome).findings;
    let told: Vec<(&str, Option<&str>, Option<Place>)> =
        findings.kept.iter().map(|row| (row.rule.as_str(), row.subject.as_deref(), row.place.clone())).collect();
    assert_eq!(
        told,
        [
            ("v", Some("spec:a.two"), Some(place("specs/b.sdp.md", 5))),
            // A line in another file is not the subject's.
            ("r", Some("spec:a.two"), Some(place("specs/b.sdp.md", 2))),
            ("rule::x", None, Some(place("specs/a.sdp.md", 5))),
            // What a parameter names may be nothing of the graph.
            ("rule::x", None, None),
        ]
    );
    assert_eq!(
        problems(&outcome),
        ["diagnostics[4] has no `subject`", "diagnostics[5] has no `subject`"],
        "a finding without subject, file and path is about nothing"
    );
    assert_eq!(findings.kept[0].related.as_deref(), Some("spec:a.one"));
    assert_eq!((findings.errors, findings.warnings), (0, 4));
    assert!(!outcome.verdict.passes(), "a finding about nothing is a problem, and problems fail");
}

#[test]
fn a_finding_stands_at_the_relation_field_or_mention_that_it_speaks_of() {
    let tree = Tree::new();
    let outcome = tree.rule(
        "const edge = { from: 'spec:a.one', type: 'dependsOn', to: 'spec:a.two' };
        const row = (rest) => ({ message: 'm', severity: 'warning', subject: 'spec:a.one', ...rest });
        return [
            row({ subject: edge }),
            row({ subject: 'spec:a.one → (dependsOn) → spec:a.two' }),
            row({ relatedId: 'spec:a.two' }),
            row({ path: 'relations.dependsOn', relatedId: 'spec:a.two' }),
            row({ path: 'readiness' }),
            row({ path: 'narrative', relatedId: 'spec:a.two' }),
            row({ path: 'behavior.rules[0]' }),
            row({ path: 'gone.field' }),
            row({ relatedId: 'spec:a.gone' }),
            row({ path: 'readiness', file: 'specs/a.sdp.md', line: 9 }),
            row({ subject: 'specs/a.sdp.md:3', path: 'readiness' }),
        ]",
    );
    let text = std::fs::read_to_string(tree.0.path().join("specs/a.sdp.md")).unwrap();
    let line = |part: &str| (1..).zip(text.lines()).find(|(_, line)| line.contains(part)).unwrap().0;
    let (relation, readiness, mention, rule) =
        (line("dependsOn"), line("readiness"), line("Prose on"), line("[#first]"));
    let lines: Vec<u32> =
        judgement(&outcome).findings.kept.iter().map(|row| row.place.as_ref().unwrap().line.unwrap()).collect();
    assert_eq!(lines, [relation, relation, relation, relation, readiness, mention, rule, 2, 2, 9, 3]);
}

#[test]
fn a_row_that_does_not_keep_the_form_is_the_rules_error_and_names_its_index() {
    let outcome = Tree::new().rule(
        "return [{ subject: 'spec:a.one', message: 'm' }, { subject: 'spec:a.on', message: 'm' }, { message: 'm' },
            { subject: 'spec:a.one' }, 5, null, ['x'], new Map(), { subject: 'spec:a.one', message: 'm', severity: 'fatal' },
            { subject: 'spec:a.one', message: 7 }, { subject: { id: 'spec:a.one' }, message: 'm' },
            { subject: 'spec:a.one', message: 'm', file: 'specs/zzz.sdp.md' },
            { subject: 'spec:a.one', message: 'm', line: -1 }]",
    );
    assert_eq!(
        problems(&outcome),
        [
            "findings[1] is about \"spec:a.on\", which is no id, entry, edge or file of the graph (did you mean \"spec:a.one\"?)",
            "findings[2] has no `subject`",
            "findings[3] has no `message`",
            "findings[4] is a number, not a finding object",
            "findings[5] is null, not a finding object",
            "findings[6] is an array, not a finding object",
            "findings[7] has no `message`",
            "findings[8] has the severity \"fatal\"; it is `error` or `warning`",
            "findings[9] has a `message` that is a number, not a string",
            "findings[10] has a `subject` that is another object, not a string or an edge `{ from, type, to }`",
            "findings[11] names the file \"specs/zzz.sdp.md\", which nothing in the graph stands in",
            "findings[12] has a `line` that is a number, not a line number from 1 on",
        ]
    );
    assert_eq!(judgement(&outcome).findings.errors, 1, "the row that keeps the form is a finding still");
}

#[test]
fn wrong_rows_beyond_a_bound_are_counted() {
    let outcome = Tree::new().rule("return Array.from({ length: 1000 }, () => 1)");
    assert_eq!(judgement(&outcome).problems.len(), 20);
    assert_eq!(judgement(&outcome).more_problems, 980);
}

#[test]
fn any_other_return_fails_and_is_named() {
    let tree = Tree::new();
    let answer = "a rule returns an array of findings or `{ diagnostics }`";
    for (body, what) in [
        ("", "nothing"),
        ("return undefined", "nothing"),
        ("return null", "null"),
        ("return true", "true"),
        ("return 7", "7"),
        ("return 'text'", "'text'"),
        ("return {}", "{}"),
        ("return new Map([[1, 2]])", "Map(1) { 1 => 2 }"),
        ("return new Set()", "Set(0) {}"),
        ("return { findings: [] }", "{ findings: [] }"),
    ] {
        assert_eq!(problems(&tree.rule(body)), [format!("the body returned {what}; {answer}")], "{body}");
    }
    for (body, problem) in [
        ("return { diagnostics: {} }", "`diagnostics` is an object, not an array"),
        ("return { diagnostics: null }", "`diagnostics` is null, not an array"),
        ("return { diagnostics: new Map() }", "`diagnostics` is an object, not an array"),
        (
            "return { unknownParams: ['a', 'b'], accepts: ['c'] }",
            "it does not accept the parameters a, b; it accepts c",
        ),
    ] {
        assert_eq!(problems(&tree.rule(body)), [problem], "{body}");
    }
}

#[test]
fn a_body_without_an_answer_fails_with_its_reason() {
    let tree = Tree::new();
    for (body, reason) in [
        ("return () => 1", "a function return value has no JSON form."),
        ("throw new Error('on purpose')", "on purpose"),
        ("await new Promise(() => {})", "the body never ends: it waits for a promise that nothing settles"),
        ("return (", "the body does not parse at line 1, column 9:"),
    ] {
        let outcome = tree.rule(body);
        let Verdict::Broken(error) = &outcome.verdict else { panic!("{body}: {outcome:?}") };
        assert!(error.to_string().starts_with(reason), "{body}: {error}");
        assert!(!outcome.verdict.passes());
    }
    tree.write("rules/x.sdp.js", "for (;;);");
    let outcome = tree.run_within(Duration::from_millis(500), "rule::x");
    let Verdict::Broken(error) = &outcome.verdict else { panic!("{outcome:?}") };
    assert!(error.to_string().starts_with("the body was stopped: it ran longer than 0.5 s"), "{error}");
    assert!(!outcome.verdict.passes());
    let Verdict::Broken(CaseError::Body { path, error }) = tree.rule(b"return '\xE9'").verdict else { panic!() };
    assert_eq!((path.as_str(), error), ("rules/x.sdp.js", BodyError::NotUtf8(8)));
}

#[test]
fn console_output_is_kept_with_the_case_also_when_it_throws() {
    let tree = Tree::new();
    assert_eq!(tree.rule("console.log('a', 1); console.error('b'); return []").console, ["a 1", "b"]);
    assert_eq!(tree.rule("console.log('before'); throw new Error('x')").console, ["before"]);
}

#[test]
fn a_body_whose_head_accepts_severity_is_given_it() {
    let tree = Tree::new();
    tree.write(
        "Cargo.toml",
        "[workspace]\n[[workspace.metadata.sdp.rules]]\nname = 'soft'\nbody = 'soft.js'\nseverity = 'warning'\n",
    );
    let echo = "return [{ subject: 'spec:a.one', message: JSON.stringify(params) }]";
    tree.write("soft.js", format!("// @params severity\n{echo}"));
    let message = |outcome: &Outcome| judgement(outcome).findings.kept[0].message.clone();
    assert_eq!(message(&tree.rule(echo)), "{}");
    assert_eq!(message(&tree.rule(format!("// @params severity, other\n{echo}"))), r#"{"severity":"error"}"#);
    let soft = tree.run("rule::soft");
    assert_eq!(message(&soft), r#"{"severity":"warning"}"#);
    assert!(soft.verdict.passes(), "the configured weight is that of findings that state none");
}

#[test]
fn a_recipe_that_takes_severity_judges_and_others_only_report() {
    let tree = Tree::new();
    assert!(tree.run("recipe::26-dependency-cycles").verdict.passes());
    tree.write(
        "specs/b.sdp.md",
        spec("spec:a.two behavior idea", "dependsOn: [spec:a.one]", "## Intent\n- problem: p\n"),
    );
    let outcome = tree.run("recipe::26-dependency-cycles");
    assert!(!outcome.verdict.passes());
    let finding = &judgement(&outcome).findings.kept[0];
    assert_eq!(finding.place, Some(place("specs/a.sdp.md", 7)), "at the first relation of the cycle");
    for other in CATALOG.iter().filter(|recipe| recipe.number != 26) {
        let name = name::of_recipe(other.number, other.slug);
        assert!(matches!(tree.run(&name).verdict, Verdict::OnlyReports), "{name}");
    }
}

#[test]
fn a_recipe_that_needs_a_parameter_judges_under_a_configured_rule_only() {
    let tree = Tree::new();
    assert!(matches!(tree.run("recipe::25-address-resolution").verdict, Verdict::OnlyReports));
    let rules = [("good", "['spec:a.one#rule.first']"), ("bad", "['spec:a.one#rule.last', 'spec:a.gone#ui.x', 'a']")];
    let rule = |(name, addresses)| {
        format!("[[rules]]\nname = '{name}'\nrecipe = 25\nparams = {{ addresses = {addresses} }}\n")
    };
    let bare = "[[rules]]\nname = 'bare'\nrecipe = 25\n".to_owned();
    tree.write("sdp.toml", rules.map(rule).concat() + &bare);
    assert!(tree.run("rule::good").verdict.passes());
    let outcome = tree.run("rule::bad");
    assert!(!outcome.verdict.passes());
    let findings = &judgement(&outcome).findings;
    assert_eq!((findings.errors, problems(&outcome).len()), (3, 0));
    assert_eq!(findings.kept[0].place, Some(place("specs/a.sdp.md", 2)));
    assert_eq!(findings.kept[1].place, Some(place("sdp.toml", 8)), "where the parameters are configured");
    assert!(!tree.run("rule::bare").verdict.passes(), "a rule that judges nothing is a mistake");
}

#[test]
fn extraction_errors_fail_their_own_case_and_no_other_runs() {
    let tree = Tree::new();
    tree.write("specs/c.sdp.md", "no frontmatter\n");
    tree.write("rules/x.sdp.js", "return []");
    let Verdict::Holes(findings) = tree.run(CARRIERS_CASE).verdict else { panic!() };
    assert!(findings.iter().any(|finding| finding.is_error() && finding.file.as_deref() == Some("specs/c.sdp.md")));
    for name in ["rule::x", "check::conformance::orphans", "recipe::26-dependency-cycles"] {
        assert!(matches!(tree.run(name).verdict, Verdict::NotRun), "{name}");
    }
}

#[test]
fn a_tree_without_a_spec_fails_and_nothing_passes_over_it() {
    let tree = Tree(tempfile::tempdir().unwrap());
    tree.write("rules/x.sdp.js", "return []");
    assert!(!tree.run(CARRIERS_CASE).verdict.passes());
    assert!(matches!(tree.run("rule::x").verdict, Verdict::NotRun));
}

#[test]
fn checks_give_their_findings_where_the_thing_is_written() {
    let tree = Tree::new();
    tree.write("specs/c.sdp.md", spec("spec:c behavior scoped", "", "## Intent\n- problem: p\n"));
    let Verdict::Engine(findings) = tree.run("check::honesty::readiness-floor").verdict else { panic!() };
    let about = |finding: &&crate::finding::Finding| finding.subject.as_deref() == Some("spec:c");
    let finding = findings.iter().find(about).expect("a finding about spec:c");
    assert_eq!((finding.file.as_deref(), finding.line), (Some("specs/c.sdp.md"), Some(5)));
}

#[test]
fn cases_stand_in_one_order_and_a_list_reads_no_body() {
    let tree = Tree::new();
    tree.write("rules/b.sdp.js", b"\xFF");
    tree.write("rules/a/x.sdp.js", "return (");
    let names: Vec<String> = tree.plan().unwrap().cases.into_iter().map(|case| case.name).collect();
    assert_eq!(names[0], "extract::carriers");
    let rules: Vec<&String> = names.iter().filter(|name| name.starts_with("rule::")).collect();
    assert_eq!(rules, ["rule::a::x", "rule::b"]);
    assert!(names.contains(&"check::conformance::orphans".to_owned()));
    assert!(names.contains(&"recipe::26-dependency-cycles".to_owned()));
}

#[test]
fn equal_names_are_refused_with_both_sources() {
    let tree = Tree::new();
    tree.write("rules/x.sdp.js", "return []");
    tree.write("Cargo.toml", "[workspace]\n[[workspace.metadata.sdp.rules]]\nname = 'x'\nrecipe = 26\n");
    assert_eq!(
        tree.plan().unwrap_err().to_string(),
        "two cases are named `rule::x`: rules/x.sdp.js and the rule \"x\" at Cargo.toml:2; rename one of them"
    );
    tree.write("Cargo.toml", "[workspace.metadata.sdp]\nrule-globs = ['rules/*.sdp.js', 'more/**']\n");
    tree.write("more/x.sdp.js", "return []");
    assert_eq!(
        tree.plan().unwrap_err().to_string(),
        "two cases are named `rule::x`: more/x.sdp.js and rules/x.sdp.js; rename one of them"
    );
}

#[test]
fn a_configured_glob_without_a_file_is_refused_and_the_default_is_not() {
    let tree = Tree::new();
    assert!(tree.plan().is_ok());
    tree.write("Cargo.toml", "[workspace.metadata.sdp]\nrule-globs = ['rulez/**']\n");
    assert_eq!(tree.plan().unwrap_err().to_string(), "no file matches the rule glob `rulez/**`");
}

#[test]
fn hostile_json_ends_in_a_problem() {
    let subjects = Tree::new().subjects();
    let terms = Terms { rule: "r", severity: Severity::Error, subjects: &subjects, configured: None };
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    for json in [deep.as_str(), "[{\"message\":\"\\ud800\"}]", "{\"diagnostics\":[", ""] {
        let judged = judge(json, &terms);
        assert!(matches!(judged.problems.as_slice(), [.., Problem::Unreadable]), "{judged:?}");
        assert!(!judged.passes());
    }
}
