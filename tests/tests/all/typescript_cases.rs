//! TypeScript against recorded answers: files of one rule each are laid into a repository and derived, and what is found and
//! the graph are compared. Lists name what rightly differs; a row that no longer differs fails the test.

mod anchors;
mod carriers;

use std::collections::{BTreeMap, BTreeSet};

use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::extract;
use sdp_core::finding::Finding;
use sdp_tests::Repo;
use serde_json::Value;

use crate::corpora::{corpora, graph_differences, graph_value};

/// Where a finding stands: its id and line.
pub(crate) type Place = (&'static str, u64);

/// A file whose findings rightly differ from the recorded ones.
#[derive(Clone, Copy)]
pub(crate) struct Differs {
    /// The case.
    pub(crate) case: &'static str,
    /// The file.
    pub(crate) file: &'static str,
    /// What is found in it.
    pub(crate) found: &'static [Place],
    /// Why.
    pub(crate) reason: &'static str,
}

/// A case, a node or edge of its graph as `node <id>` or `edge <from> <type> <to>`, and why it rightly differs.
pub(crate) type DiffersInGraph = (&'static str, &'static str, &'static str);

/// The recorded cases; none where the corpora are not here.
pub(crate) fn cases() -> Option<Vec<Value>> {
    let path = corpora()?.join("cases/typescript.json");
    // A recorded title holds half of a surrogate pair, which no JSON text of Rust can.
    let text = std::fs::read_to_string(path).unwrap().replace("\u{2028}\\ud800", "\u{2028}\\ufffd");
    Some(serde_json::from_str::<Vec<Value>>(&text).unwrap())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// A finding as it is compared: id, severity, message, subject, path, file and line.
type Row = Vec<Value>;

fn row(finding: &Value) -> Row {
    let field = |key: &str| finding.get(key).cloned().unwrap_or_default();
    let mut row = ["validatorId", "severity", "message", "subjectId", "path", "file", "line"].map(field).to_vec();
    if row[0] == "extract/parse-error" {
        // The parser's own words.
        row[2] = Value::Null;
    }
    row
}

/// What differs from the recorded answers of these cases beyond what the lists name, and what they name in vain.
pub(crate) fn differences(cases: &[&Value], files: &[Differs], graphs: &[DiffersInGraph]) -> Vec<String> {
    let mut failures = Vec::new();
    let mut listed: BTreeMap<(&str, &str), &Differs> = BTreeMap::new();
    for differs in files {
        assert!(!differs.reason.is_empty(), "{} is listed without a reason", differs.file);
        assert!(listed.insert((differs.case, differs.file), differs).is_none(), "{} is listed twice", differs.file);
    }
    let mut in_graphs: BTreeSet<(String, String)> = BTreeSet::new();
    for (case, name, reason) in graphs {
        assert!(!reason.is_empty(), "{name} is listed without a reason");
        assert!(in_graphs.insert((case.to_string(), name.to_string())), "{name} is listed twice");
    }
    for case in cases {
        let name = text(&case["name"]);
        let contents = case["files"].as_object().unwrap();
        let repo = contents.iter().fold(Repo::new(), |repo, (file, content)| repo.file(file, text(content)));
        let extraction = extract(repo.root(), &DiscoverOptions::default());
        let value = |finding: &Finding| serde_json::to_value(finding).unwrap();
        let found: Vec<Row> = extraction.findings.iter().map(|finding| row(&value(finding))).collect();
        let expected: Vec<Row> = case["expected"]["extraction"].as_array().unwrap().iter().map(row).collect();
        for file in contents.keys() {
            let of_file = |rows: &[Row]| -> Vec<Row> { rows.iter().filter(|row| row[5] == *file).cloned().collect() };
            let (found, expected) = (of_file(&found), of_file(&expected));
            let places: Vec<(&str, u64)> = found.iter().map(|row| (text(&row[0]), row[6].as_u64().unwrap())).collect();
            match listed.remove(&(name, file.as_str())) {
                Some(_) if found == expected => failures.push(format!("{name} {file} is listed, but does not differ")),
                Some(differs) if places != differs.found => {
                    failures.push(format!("{name} {file}: its row does not hold, found {found:#?}"));
                }
                None if found != expected => {
                    failures.push(format!("{name} {file}: found {found:#?}\nexpected {expected:#?}"));
                }
                _ => {}
            }
        }
        let (graph, recorded) = (graph_value(&extraction), &case["expected"]["graph"]);
        let differing = graph_differences(recorded, &graph);
        for differing in &differing {
            if !in_graphs.remove(&(name.to_owned(), differing.clone())) {
                failures.push(format!("{name}: {differing} differs in\n{graph:#}"));
            }
        }
        let edges = |graph: &Value| graph["edges"].as_array().unwrap().len();
        if differing.is_empty() && edges(&graph) != edges(recorded) {
            failures.push(format!("{name}: an edge is repeated or missing in\n{graph:#}"));
        }
    }
    failures.extend(listed.keys().map(|(case, file)| format!("{case} {file} is listed, but no such file was read")));
    failures.extend(in_graphs.iter().map(|(case, name)| format!("{case}: {name} is listed, but does not differ")));
    failures
}

#[test]
fn no_case_is_left_out() {
    let Some(cases) = cases() else { return };
    let is_known = |name: &str| carriers::is_one(name) || ANCHOR_CASES.contains(&name);
    let unknown: Vec<&str> = cases.iter().map(|case| text(&case["name"])).filter(|name| !is_known(name)).collect();
    assert_eq!(unknown, Vec::<&str>::new());
}

/// The cases that hold bindings in source code.
pub(crate) const ANCHOR_CASES: [&str; 3] = ["typescript/anch", "typescript/anch-ok", "typescript/hooks"];
