//! The Markdown carrier against recorded answers: small carriers of one rule each, and two whole corpora. Two lists name
//! the cases that rightly differ; a row that no longer differs fails the test.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sdp_core::carrier::markdown;
use sdp_core::finding::Finding;
use sdp_core::model::{Document, PackDocument, SpecDocument};
use serde_json::{Map, Value, json};

use crate::corpora::{corpora, load};

const FRONTMATTER: &str = "extract/invalid-frontmatter";
const STRUCTURE: &str = "extract/invalid-markdown-structure";
const INVALID_ID: &str = "extract/invalid-id";

/// Where a finding stands: its id and line.
type Place = (&'static str, u64);

/// Cases whose recorded answer a later rule of the Protocol changes: what is found instead, and why.
const LATER_RULE: &[(&str, &[Place], &str)] = &[
    (
        "md-body/035-narr-codespan-html.sdp.md",
        &[],
        "a matched code span shields its content from the raw HTML test (newest sheet part 5)",
    ),
    (
        "md-ok/a.sdp.md",
        &[(STRUCTURE, 75), (STRUCTURE, 76)],
        "integer-like model terms are refused (newest sheet part 2)",
    ),
    (
        "pack/l.sdp.md",
        &[(INVALID_ID, 3)],
        "`#` opens an entry address, which has a grammar and is refused in every id slot (newest sheet part 1)",
    ),
];

/// Cases in which the reference's YAML library recovers from an error and goes on. Ours stops at its first error, which
/// is reported alone under the same id: the line of that one finding, and what the library stops at.
const YAML_RECOVERS: &[(&str, u64, &str)] = &[
    ("md-front/016-directive.sdp.md", 2, "a directive: it is reported, what the library makes of it is not"),
    ("md-front/017-directive-mid.sdp.md", 4, "a directive between two keys"),
    ("md-front/038-badid6.sdp.md", 2, "a value that ends with a colon"),
    ("md-front/062-yamlerr.sdp.md", 3, "an indented key below a value: this line is the key's, theirs the value's"),
    ("md-front/064-yamltab.sdp.md", 4, "a tab as indentation"),
    ("yaml/y01.sdp.md", 2, "a plain value that opens with a backtick"),
    ("yaml/y04.sdp.md", 3, "a mapping in braces that is not closed"),
    ("yaml/y06.sdp.md", 2, "an unknown escape"),
    ("yaml/y07.sdp.md", 2, "a list entry on its key's line"),
    ("yaml/y08.sdp.md", 2, "text behind a block indicator"),
    ("yaml/y10.sdp.md", 2, "an alias without a name"),
    ("yaml/y12.sdp.md", 2, "a tag without a suffix"),
    ("yaml/y16.sdp.md", 6, "a list in brackets that is not closed"),
    ("yaml/y18.sdp.md", 8, "a key that is indented less than its siblings"),
    ("yaml/y19.sdp.md", 3, "an indented key below a value: this line is the key's, theirs the value's"),
    ("yaml/y20.sdp.md", 8, "a list entry that is indented less than its siblings"),
];

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// Whether the reference takes a message from its YAML library: those, and only those, end with a place in the source.
pub(crate) fn is_library_message(message: &str) -> bool {
    message.contains(" at line ")
}

type Row = (String, u64, String);

fn rows_of(findings: &[Finding]) -> Vec<Row> {
    let row =
        |finding: &Finding| (finding.id.as_str().to_owned(), u64::from(finding.line.unwrap()), finding.message.clone());
    findings.iter().map(row).collect()
}

fn expected_rows(case: &Value, file: &str) -> Vec<Row> {
    let findings = case["expected"]["extraction"].as_array().unwrap().iter();
    findings
        .filter(|finding| finding["file"] == file && finding["validatorId"] != "extract/duplicate-id")
        .map(|finding| {
            (
                text(&finding["validatorId"]).to_owned(),
                finding["line"].as_u64().unwrap(),
                text(&finding["message"]).to_owned(),
            )
        })
        .collect()
}

/// A document as its graph node is written, and its edges as `type target` (of a Pack: its members).
fn graph_of(document: &Document, file: &str) -> (Value, Vec<String>) {
    let mut node = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            node.insert(key.to_owned(), value);
        }
    };
    put("id", Some(json!(document.id())));
    put("claim", Some(json!("declared")));
    put("file", Some(json!(file)));
    let edges = match document {
        Document::Spec(SpecDocument { kind, altitude, readiness, relations, title, narrative, sections, .. }) => {
            put("nodeType", Some(json!("Primitive")));
            put("specKind", Some(json!(kind)));
            put("altitude", Some(json!(altitude)));
            put("readiness", Some(json!(readiness)));
            put("title", title.as_ref().map(|title| json!(title)));
            put("narrative", narrative.as_ref().map(|narrative| json!(narrative)));
            put("sections", Some(serde_json::to_value(sections).unwrap()));
            relations.iter().map(|(relation, target)| format!("{relation} {target}")).collect()
        }
        Document::Pack(PackDocument { title, framing, members, model_refs, .. }) => {
            put("nodeType", Some(json!("Pack")));
            put("title", title.as_ref().map(|title| json!(title)));
            put("framing", framing.as_ref().map(|framing| json!(framing)));
            put("modelRefs", model_refs.as_ref().map(|refs| json!(refs)));
            members.iter().map(|member| format!("belongsTo {member}")).collect()
        }
        Document::Anchor(anchor) => panic!("{anchor:?}"),
    };
    (Value::Object(node), edges)
}

fn expected_graph(graph: &Value, file: &str) -> (Value, Vec<String>) {
    let mut nodes = graph["nodes"].as_array().unwrap().iter().filter(|node| node["file"] == file);
    let node = nodes.next().unwrap_or_else(|| panic!("{file} gives a node"));
    assert!(nodes.next().is_none(), "{file} gives one node");
    let mut node = node.clone();
    if node["nodeType"] == "Primitive" && node.get("sections").is_none() {
        node["sections"] = json!({});
    }
    let id = &node["id"];
    let edges = graph["edges"].as_array().unwrap().iter();
    let edges = edges
        .filter_map(|edge| {
            let other = if edge["type"] == "belongsTo" {
                (edge["to"] == *id).then(|| text(&edge["from"]))
            } else {
                (edge["from"] == *id && edge["claim"] == "declared").then(|| text(&edge["to"]))
            };
            other.map(|other| format!("{} {other}", text(&edge["type"])))
        })
        .collect();
    (node, edges)
}

/// What differs between the answer for one file and what was recorded: its findings, and its part of the graph.
fn difference(expected: &[Row], graph: &Value, file: &str, answer: &Result<Document, Vec<Finding>>) -> Option<String> {
    let found = answer.as_ref().err().map(|findings| rows_of(findings)).unwrap_or_default();
    let is_same = |(found, expected): (&Row, &Row)| {
        found.0 == expected.0 && found.1 == expected.1 && (found.2 == expected.2 || is_library_message(&expected.2))
    };
    if found.len() != expected.len() || !found.iter().zip(expected).all(is_same) {
        return Some(format!("found {found:#?}\nexpected {expected:#?}"));
    }
    let document = answer.as_ref().ok()?;
    let (node, mut edges) = graph_of(document, file);
    let (expected_node, mut expected_edges) = expected_graph(graph, file);
    edges.sort();
    expected_edges.sort();
    (node != expected_node || edges != expected_edges)
        .then(|| format!("found {node:#} {edges:?}\nexpected {expected_node:#} {expected_edges:?}"))
}

/// Both lists as one: the findings of each listed case.
fn listed() -> BTreeMap<&'static str, Vec<Place>> {
    let mut listed = BTreeMap::new();
    let later = LATER_RULE.iter().map(|(case, found, reason)| (*case, found.to_vec(), *reason));
    let recovers = YAML_RECOVERS.iter().map(|(case, line, reason)| (*case, vec![(FRONTMATTER, *line)], *reason));
    for (case, found, reason) in later.chain(recovers) {
        assert!(!reason.is_empty(), "{case} is listed without a reason");
        assert!(listed.insert(case, found).is_none(), "{case} is listed twice");
    }
    listed
}

#[test]
#[sdp::verifies("spec:sdp.carriers.markdown")]
fn recorded_cases_answer_as_the_reference_does() {
    let Some(corpora) = corpora() else { return };
    let mut listed = listed();
    let mut failures = Vec::new();
    let mut compared = 0;
    for set in ["cases/markdown.json", "cases/pack.json"] {
        for case in load(&corpora.join(set)).as_array().unwrap() {
            let name = text(&case["name"]);
            let row = listed.remove(name);
            for (file, content) in case["files"].as_object().unwrap() {
                if !file.ends_with(".sdp.md") {
                    continue;
                }
                compared += 1;
                let answer = markdown::read(file, text(content));
                let expected = expected_rows(case, file);
                let difference = difference(&expected, &case["expected"]["graph"], file, &answer);
                let Some(row) = &row else {
                    failures.extend(difference.map(|difference| format!("{name}: {difference}")));
                    continue;
                };
                let found = answer.err().map(|findings| rows_of(&findings)).unwrap_or_default();
                let places: Vec<(&str, u64)> = found.iter().map(|(id, line, _)| (id.as_str(), *line)).collect();
                if difference.is_none() || places != *row {
                    failures.push(format!("{name}: its row does not hold, found {found:?}"));
                }
            }
        }
    }
    assert!(compared > 0, "there are cases");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(listed.is_empty(), "listed, but no case: {listed:?}");
}

fn carriers_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            carriers_below(&path, found);
        } else if path.to_str().unwrap().ends_with(".sdp.md") {
            found.push(path);
        }
    }
}

#[test]
fn the_carriers_of_whole_corpora_give_the_recorded_nodes() {
    let Some(corpora) = corpora() else { return };
    for name in ["protocol", "checkout"] {
        let root = corpora.join(name);
        let graph = load(&root.join("expected/graph.json"));
        let mut carriers = Vec::new();
        carriers_below(&root.join("specs"), &mut carriers);
        assert!(!carriers.is_empty(), "{name} has carriers");
        let mut failures = Vec::new();
        for path in carriers {
            let file = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            let answer = markdown::read(&file, &std::fs::read_to_string(&path).unwrap());
            failures.extend(difference(&[], &graph, &file, &answer).map(|difference| format!("{file}: {difference}")));
        }
        assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    }
}
