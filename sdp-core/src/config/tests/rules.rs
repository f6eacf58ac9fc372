//! Rules of a configuration: what their keys take, and what is wrong with them, in place.

use super::*;
use crate::params::Input;

fn rule(keys: &str) -> String {
    format!("[[rules]]\nname = 'n'\n{keys}\n")
}

fn read(keys: &str) -> RuleConfig {
    let config = at_root(tree(&[("sdp.toml", &rule(keys))]).path()).unwrap();
    config.rules.into_iter().next().unwrap()
}

/// Each input as text, with its line.
fn inputs(keys: &str) -> Vec<(String, u32)> {
    let shown = |one: &ParamsInput| match &one.input {
        Input::Table(table) => serde_json::to_string(table).unwrap(),
        other => format!("{other:?}"),
    };
    read(&format!("recipe = 1\n{keys}")).params.iter().map(|one| (shown(one), one.line)).collect()
}

#[test]
fn parameters_are_a_table_a_file_or_a_list_of_both() {
    let one = |text: &str, line| vec![(text.to_owned(), line)];
    assert_eq!(inputs(""), Vec::new());
    assert_eq!(inputs("params = { a = 1 }"), one("{\"a\":1}", 4));
    assert_eq!(inputs("[rules.params]\na = 1"), one("{\"a\":1}", 4));
    assert_eq!(inputs("[[rules.params]]\na = 1\n[[rules.params]]\nb = 2").len(), 2);
    assert_eq!(inputs("params = '@p/l.json'"), one("File(\"p/l.json\")", 4));
    assert_eq!(inputs("params = 'k=@../l.json'"), one("Keyed(\"k\", \"../l.json\")", 4));
    assert_eq!(
        inputs("params = [\n{ a = 1 },\n'@l.json',\n'k=@l.json' ]"),
        [("{\"a\":1}".to_owned(), 5), ("File(\"l.json\")".to_owned(), 6), ("Keyed(\"k\", \"l.json\")".to_owned(), 7)]
    );
    assert_eq!(inputs("params = { '__proto__' = { a = 1 } }"), one("{\"__proto__\":{\"a\":1}}", 4));
}

#[test]
fn what_is_wrong_with_parameters_is_said_where_it_stands() {
    let form = "a string in `params` is \"@PATH\" or \"KEY=@PATH\"; values stand in a table";
    for (params, column, message) in [
        ("3", 10, "`params` must be a table, a string such as \"@params.json\", or a list of them, not an integer"),
        ("[1]", 11, "`params` must hold tables and strings only, not an integer"),
        ("''", 10, form),
        ("'{\"a\": 1}'", 10, form),
        ("'params.json'", 10, form),
        ("'@'", 10, "`params` @PATH requires a path after @"),
        ("'k=@'", 10, "`params` KEY=@PATH requires a path after @"),
        ("'bad-key=@x'", 10, "`params` KEY=@PATH takes a lower-camel key such as maxDepth, got \"bad-key\""),
        ("\"@a\\nb\"", 10, "`params` must not hold a line break or another control character"),
        ("[{ a = 1 }, { a = 2 }]", 10, "`params` gives the key \"a\" twice (the table at line 4, the table at line 4)"),
        ("[{ k = 1 }, 'k=@x']", 10, "`params` gives the key \"k\" twice (the table at line 4, k=@x at line 4)"),
        ("['k=@x', 'k=@y']", 10, "`params` gives the key \"k\" twice (k=@x at line 4, k=@y at line 4)"),
        ("[{ a = nan }]", 17, "a parameter must be a finite number"),
    ] {
        let problems = problems_of(&rule(&format!("recipe = 1\nparams = {params}")));
        assert_eq!(problems, [format!("sdp.toml:4:{column} {message}")], "{params}");
    }
    let many = vec!["'@x'"; 101].join(", ");
    let problems = problems_of(&rule(&format!("recipe = 1\nparams = [{many}]")));
    assert_eq!(problems, ["sdp.toml:4:10 `params` holds more than 100 tables and strings"]);
}

#[test]
fn a_body_is_a_file_or_a_file_of_a_package() {
    let of = |body: &str| read(&format!("body = '{body}'")).body;
    let file = |path: &str| RuleBody::File(path.to_owned());
    assert_eq!(of("policies/x.sdp.js"), file("policies/x.sdp.js"));
    assert_eq!(of("node_modules/@acme/rules/x.sdp.js"), file("node_modules/@acme/rules/x.sdp.js"));
    let dependency = RuleBody::Dependency { package: "acme-rules_2".to_owned(), path: "rules/x.sdp.js".to_owned() };
    assert_eq!(of("dependency:acme-rules_2/rules/x.sdp.js"), dependency);
    for body in [
        "dependency:",
        "dependency:acme",
        "dependency:acme/",
        "dependency:/x.js",
        "dependency:acme/../x.js",
        "dependency:acme/./x.js",
        "dependency:acme//x.js",
        "dependency:a.b/x.js",
        "dependency:-config/x.js",
    ] {
        let problems = problems_of(&rule(&format!("body = '{body}'")));
        let message = "`body` must be `dependency:PACKAGE/path/in/it.sdp.js`, with the name of a package and a path in it \
                       without `.` and `..` segments";
        assert_eq!(problems, [format!("sdp.toml:3:8 {message}: {body}")], "{body}");
    }
}

#[test]
fn the_line_of_each_key_is_kept() {
    let text = "exclude = []\n[limits]\n\ntime = 1\n[severity]\nwarnings = 'deny'\n'honesty/gaps' = 'allow'\n[[rules]]\nname = 'n'\nrecipe = 1\n";
    let places = at_root(tree(&[("sdp.toml", text)]).path()).unwrap().places;
    let expected = [
        ("exclude", 1),
        ("limits", 2),
        ("limits.time", 4),
        ("rules", 8),
        ("severity", 5),
        ("severity.honesty/gaps", 7),
        ("severity.warnings", 6),
    ];
    assert_eq!(places.iter().map(|(key, line)| (key.as_str(), *line)).collect::<Vec<_>>(), expected);
    let manifest = "[workspace]\n[workspace.metadata.sdp]\nout-dir = 'o'\n";
    let places = at_root(tree(&[("Cargo.toml", manifest)]).path()).unwrap().places;
    assert_eq!(places.into_iter().collect::<Vec<_>>(), [("out-dir".to_owned(), 3)]);
}

#[test]
fn the_schema_names_every_key_and_every_finding_that_a_severity_may_select() {
    let schema: serde_json::Value = serde_json::from_str(JSON_SCHEMA).unwrap();
    let mut named: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    let mut known: Vec<&str> = keys::KEYS.to_vec();
    // What the schema knows and the parser does not know yet, the parser must at least name.
    known.extend(keys::LATER_KEYS.iter().filter(|key| !["link-base"].contains(key)));
    named.sort_unstable();
    known.sort_unstable();
    assert_eq!(named, known);
    let selectors = schema["properties"]["severity"]["propertyNames"]["enum"].as_array().unwrap();
    let mut selectors: Vec<&str> = selectors.iter().map(|one| one.as_str().unwrap()).collect();
    let ids = crate::finding::FindingId::ALL.iter().map(|id| id.as_str());
    let mut expected: Vec<&str> = ids.chain(crate::finding::FindingId::groups()).chain(["warnings"]).collect();
    selectors.sort_unstable();
    expected.sort_unstable();
    assert_eq!(selectors, expected);
}
