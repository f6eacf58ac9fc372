//! Rules of the configuration: parameters, heads and bodies of packages.

use std::path::PathBuf;

use super::*;

/// Answers with its parameters.
const ECHO: &str = "return [{ subject: 'spec:a.one', message: JSON.stringify(params) }]";

impl Tree {
    /// The outcome of the rule `n` with these keys.
    fn configured(&self, keys: &str) -> Outcome {
        self.write("sdp.toml", format!("[[rules]]\nname = 'n'\n{keys}\n"));
        self.run("rule::n")
    }

    fn with_packages(&self, packages: impl Packages + 'static) -> Outcome {
        let cases = self.plan().unwrap().cases;
        let case = cases.iter().find(|case| case.name == "rule::n").unwrap();
        self.engine_with(Duration::from_secs(120), Some(Arc::new(packages))).run(case)
    }
}

fn message(outcome: &Outcome) -> String {
    judgement(outcome).findings.kept[0].message.clone()
}

/// A file that is to be mended, with line and column.
type At = Option<(String, Option<(u32, u32)>)>;

/// The message, and the file that is to be mended.
fn params_fault(outcome: &Outcome) -> (String, At) {
    let Verdict::Broken(CaseError::Params { message, place }) = &outcome.verdict else { panic!("{outcome:?}") };
    (message.clone(), place.clone())
}

#[test]
fn parameters_come_from_tables_and_files_in_their_order() {
    let tree = Tree::new();
    tree.write("node_modules/@acme/naming.sdp.js", ECHO);
    tree.write("p/one.json", "\u{FEFF}{\"z\": {\"x\": 1, \"x\": 2}, \"__proto__\": 3}");
    tree.write("p/list.json", "[1, null]");
    let params = "params = ['@p/one.json', { a = true }, 'limits=@p/list.json']";
    let outcome = tree.configured(&format!("body = 'node_modules/@acme/naming.sdp.js'\n{params}"));
    assert_eq!(message(&outcome), r#"{"z":{"x":2},"__proto__":3,"a":true,"limits":[1,null]}"#);
}

#[test]
fn a_finding_about_parameters_alone_stands_where_they_are_configured() {
    let tree = Tree::new();
    tree.write("x.sdp.js", "return { diagnostics: [{ message: 'm', path: 'a' }] }");
    tree.write("b.json", "{\"b\": 1}");
    for (params, line) in [("params = { a = 1 }", 4), ("params = [{ a = 1 }, '@b.json']", 1), ("", 1)] {
        let outcome = tree.configured(&format!("body = 'x.sdp.js'\n{params}"));
        assert_eq!(judgement(&outcome).findings.kept[0].place, Some(place("sdp.toml", line)), "{params}");
    }
}

#[test]
fn a_file_of_parameters_that_cannot_be_had_fails_its_own_rule_and_says_where() {
    let tree = Tree::new();
    tree.write("echo.sdp.js", ECHO);
    tree.write("bad.json", "{\n  \"a\": }");
    tree.write("list.json", "[1]");
    tree.write("twice.json", "{\"a\": 1,\n \"a\": 2}");
    tree.write("a.json", "{\"a\": 1}");
    for (params, message, place) in [
        (
            "'@gone.json'",
            "the parameter file \"gone.json\" could not be read (No such file or directory (os error 2))",
            None,
        ),
        (
            "'@bad.json'",
            "the parameter file \"bad.json\" is not valid JSON (expected a value at line 2, column 8)",
            Some(("bad.json", Some((2, 8)))),
        ),
        (
            "'k=@bad.json'",
            "the parameter file \"bad.json\" is not valid JSON (expected a value at line 2, column 8)",
            Some(("bad.json", Some((2, 8)))),
        ),
        (
            "'@list.json'",
            "the parameter file \"list.json\" is not a JSON object: it is an array",
            Some(("list.json", Some((1, 1)))),
        ),
        (
            "'@twice.json'",
            "the parameter file \"twice.json\" gives the key \"a\" twice (line 2, column 2)",
            Some(("twice.json", Some((2, 2)))),
        ),
        (
            "['@a.json', { b = 1, a = 2 }]",
            "`params` gives the key \"a\" twice (file \"a.json\" at line 4, the table at line 4)",
            None,
        ),
    ] {
        let outcome = tree.configured(&format!("body = 'echo.sdp.js'\nparams = {params}"));
        let place = place.map(|(file, at): (&str, _)| (file.to_owned(), at));
        assert_eq!(params_fault(&outcome), (message.to_owned(), place), "{params}");
        assert!(!outcome.verdict.passes());
    }
}

#[test]
fn a_configured_parameter_that_the_head_does_not_list_is_refused() {
    let tree = Tree::new();
    let with = |head: &str| {
        tree.write("x.js", format!("{head}\n{ECHO}"));
        tree.configured("body = 'x.js'\nparams = { a = 1, b = 2 }")
    };
    assert_eq!(message(&with("// @title t")), r#"{"a":1,"b":2}"#, "a head without the tag takes anything");
    assert_eq!(message(&with("// @params a, b, c")), r#"{"a":1,"b":2}"#);
    assert_eq!(problems(&with("// @params a")), ["it does not accept the parameters b; it accepts a"]);
    assert_eq!(problems(&with("// @params")), ["it does not accept the parameters a, b; it accepts none"]);
    let recipe = tree.configured("recipe = 26\nparams = { scope = 1 }");
    assert_eq!(problems(&recipe), ["it does not accept the parameters scope; it accepts severity"]);
}

#[test]
fn a_head_names_findings_that_name_no_rule_and_describes_the_rule() {
    let tree = Tree::new();
    let body = "// @rule naming/kebab\n// @description Ids are words\nreturn [{ subject: 'spec:a.one', message: 'm' }, { rule: 'own', subject: 'spec:a.one', message: 'n' }]";
    let outcome = tree.rule(body);
    let rules: Vec<&str> = judgement(&outcome).findings.kept.iter().map(|one| one.rule.as_str()).collect();
    assert_eq!(
        (rules.as_slice(), outcome.description.as_deref()),
        (["naming/kebab", "own"].as_slice(), Some("Ids are words"))
    );
    let outcome = tree.configured("body = 'rules/x.sdp.js'\ndescription = 'configured'");
    assert_eq!(outcome.description.as_deref(), Some("configured"));
    tree.write("rules/x.sdp.js", "// @title t\n// @rule a::\nreturn []");
    let outcome = tree.run("rule::n");
    let Verdict::Broken(CaseError::Head { error, body }) = &outcome.verdict else { panic!("{outcome:?}") };
    assert_eq!((error.line, body.name.as_str()), (2, "rules/x.sdp.js"));
}

#[test]
fn a_file_that_a_configured_rule_names_runs_once() {
    let tree = Tree::new();
    tree.write("rules/x.sdp.js", ECHO);
    tree.write("rules/y.sdp.js", "return []");
    let keys = "body = 'rules/x.sdp.js'\nparams = { a = 1 }\n[[rules]]\nname = 'x'\nbody = 'rules/x.sdp.js'";
    assert_eq!(message(&tree.configured(keys)), r#"{"a":1}"#);
    let names = tree.plan().unwrap().cases.into_iter().map(|case| case.name);
    let rules: Vec<String> = names.filter(|name| name.starts_with("rule::")).collect();
    assert_eq!(rules, ["rule::n", "rule::x", "rule::y"]);
}

/// Knows one package.
#[derive(Debug)]
struct One(PathBuf);

impl Packages for One {
    fn folder(&self, package: &str) -> Result<PathBuf, PackageError> {
        if package == "acme" {
            Ok(self.0.clone())
        } else {
            Err(PackageError { message: "unknown".to_owned(), help: None })
        }
    }
}

#[test]
fn a_body_of_a_package_is_read_from_its_folder() {
    let tree = Tree::new();
    tree.write("elsewhere/acme/rules/x.js", ECHO);
    let packages = || One(tree.0.path().join("elsewhere/acme"));
    let broken = |outcome: Outcome| match outcome.verdict {
        Verdict::Broken(error) => error.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        broken(tree.configured("body = 'dependency:acme/rules/x.js'")),
        "the rule lies in the package `acme`, and nothing here finds packages"
    );
    assert_eq!(message(&tree.with_packages(packages())), "{}");
    tree.configured("body = 'dependency:acme/rules/y.js'");
    assert_eq!(
        broken(tree.with_packages(packages())),
        "the rule file dependency:acme/rules/y.js cannot be read: entity not found"
    );
    tree.configured("body = 'dependency:other/rules/y.js'");
    assert_eq!(broken(tree.with_packages(packages())), "unknown");
}
