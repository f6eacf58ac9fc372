//! The recorded corpora: what the engine derives from Specs that nobody here wrote, against recorded answers. The
//! corpora are not part of the project; where they are missing each test says that it was skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::{Extraction, extract};
use sdp_core::finding::{Finding, FindingId};
use sdp_core::graph::{Graph, Index};
use sdp_core::reader::Reader;
use sdp_core::space::ExampleSpace;
use sdp_core::validate::validate;
use sdp_core::{Input, evaluate_body};
use serde_json::{Map, Value, json, to_value};
use similar::TextDiff;

const NODE_KEYS: [&str; 15] = [
    "id",
    "nodeType",
    "claim",
    "specKind",
    "altitude",
    "readiness",
    "title",
    "narrative",
    "file",
    "sections",
    "deliveryFacts",
    "label",
    "line",
    "framing",
    "modelRefs",
];

pub(crate) fn corpora() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora");
    if path.is_dir() {
        return Some(path);
    }
    sdp_tests::skipped("the corpora are not here");
    None
}

pub(crate) fn load(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn extracted(root: &Path) -> Extraction {
    extract(root, &DiscoverOptions::default())
}

/// Nodes and edges that differ, as `node <id>` and `edge <from> <type> <to>`; additions of later rules are not compared.
pub(crate) fn graph_differences(expected: &Value, actual: &Value) -> BTreeSet<String> {
    let nodes = |graph: &Value| -> BTreeMap<String, Value> {
        let kept = |node: &Value| -> Value {
            let node = node.as_object().unwrap();
            let fields = NODE_KEYS.iter().filter_map(|key| Some((key.to_string(), node.get(*key)?.clone())));
            fields.filter(|(_, value)| *value != json!([])).collect::<Map<_, _>>().into()
        };
        let nodes = graph["nodes"].as_array().unwrap();
        nodes.iter().map(|node| (format!("node {}", node["id"].as_str().unwrap()), kept(node))).collect()
    };
    let edges = |graph: &Value| -> BTreeMap<String, Value> {
        let name = |edge: &Value| {
            let part = |key: &str| edge[key].as_str().unwrap().to_owned();
            format!("edge {} {} {}", part("from"), part("type"), part("to"))
        };
        graph["edges"].as_array().unwrap().iter().map(|edge| (name(edge), edge["claim"].clone())).collect()
    };
    let mut differences = BTreeSet::new();
    for (left, right) in [(nodes(expected), nodes(actual)), (edges(expected), edges(actual))] {
        for name in left.keys().chain(right.keys()) {
            if left.get(name) != right.get(name) {
                if let (Some(left), Some(right)) = (left.get(name), right.get(name)) {
                    let (left, right) = (format!("{left:#}"), format!("{right:#}"));
                    println!("{name}\n{}", TextDiff::from_lines(&left, &right).unified_diff());
                }
                differences.insert(name.clone());
            }
        }
    }
    differences
}

pub(crate) fn graph_value(extraction: &Extraction) -> Value {
    serde_json::from_str(&extraction.graph.to_json().unwrap()).unwrap()
}

/// Findings of validation as `(validation <severity> <id> <subject> <related> <path> <file>, <message>)`, sorted. The
/// recorded rules are older, so some rows play no part: mentions in prose and the engine's own `sdp/…` are new, an unbound
/// example warns only when it states `ready`, and one clause of the floor is named and described anew.
pub(crate) fn comparable(findings: &Value, recorded: &Value) -> Vec<(String, String)> {
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or("-").to_owned();
    let recorded = recorded.as_array().unwrap().iter();
    let ready: BTreeSet<String> = recorded
        .filter(|finding| finding["validatorId"] == "honesty/gaps")
        .map(|finding| text(finding, "subjectId"))
        .collect();
    let is_kept = |finding: &&Value| {
        let (id, message) = (text(finding, "validatorId"), text(finding, "message"));
        let is_new = id == "conformance/prose-mentions" || id.starts_with("sdp/");
        let is_unbound = id == "conformance/verifies-linkage" && message.contains("is not an enabled verifier");
        !is_new && (!is_unbound || ready.contains(&text(finding, "subjectId")))
    };
    let row = |finding: &Value| {
        let (mut related, mut message) = (text(finding, "relatedId"), text(finding, "message"));
        if ["depends-on-and-refines-targets-are-defined", "typed-dependency-targets-are-defined"]
            .contains(&related.as_str())
        {
            (related, message) = ("typed-dependency-targets-are-defined".to_owned(), String::new());
        }
        let part = |key: &str| text(finding, key);
        let about = format!("{} {related} {} {}", part("subjectId"), part("path"), part("file"));
        (format!("validation {} {} {about}", part("severity"), part("validatorId")), message)
    };
    let mut rows: Vec<(String, String)> = findings.as_array().unwrap().iter().filter(is_kept).map(row).collect();
    rows.sort();
    rows
}

#[test]
fn whole_corpora_give_the_recorded_reports() {
    let Some(corpora) = corpora() else { return };
    for (name, count) in [("checkout", 2), ("protocol", 178)] {
        let root = corpora.join(name);
        let graph = extracted(&root).graph;
        let report = json!(validate(&graph, &Index::new(&graph)).findings);
        let recorded = &load(&root.join("expected/report.json"))["findings"];
        let (recorded, given) = (comparable(recorded, recorded), comparable(&report, recorded));
        assert_eq!(given, recorded, "{name}");
        assert_eq!(given.len(), count, "{name}");
    }
}

#[test]
fn the_checkout_corpus_gives_the_recorded_graph() {
    let Some(corpora) = corpora() else { return };
    let root = corpora.join("checkout");
    let extraction = extracted(&root);
    assert_eq!(extraction.findings, []);
    let differences = graph_differences(&load(&root.join("expected/graph.json")), &graph_value(&extraction));
    assert_eq!(differences, BTreeSet::new());
}

#[test]
fn the_protocol_corpus_gives_the_recorded_graph() {
    let Some(corpora) = corpora() else { return };
    let root = corpora.join("protocol");
    let extraction = extracted(&root);
    assert_eq!(extraction.findings, []);
    let differences = graph_differences(&load(&root.join("expected/graph.json")), &graph_value(&extraction));
    assert_eq!(differences, BTreeSet::new());
}

#[test]
fn the_protocol_corpus_has_one_mention_of_nothing_and_four_without_a_relation() {
    let Some(corpora) = corpora() else { return };
    let graph = extracted(&corpora.join("protocol")).graph;
    let reader = sdp_core::reader::Reader::new(graph);
    let mentions = reader.findings().iter().filter(|finding| finding.id == FindingId::ProseMentions);
    let said: Vec<_> = mentions
        .map(|finding| {
            let text = |text: &Option<String>| text.clone().unwrap_or_default();
            let (subject, related, path) = (text(&finding.subject), text(&finding.related), text(&finding.path));
            format!("{} {subject} {related} {path}", finding.severity)
        })
        .collect();
    // No Spec mentions one of the Gherkin carrier, and its own texts mention none: it changes nothing here.
    assert_eq!(
        said,
        [
            "warning spec:consumers.delivery-session-on-ramp spec:decisions.planning-truths-placement behavior.rules[5]",
            "warning spec:consumers.delivery-session-on-ramp spec:decisions.shipped-projections-frozen behavior.rules[5]",
            "warning spec:decisions.carrier-ruling spec:decisions.carrier-universality decision.consequences[1]",
            "warning spec:decisions.planning-truths-placement spec:consumers.impact-graph decision.decision",
            "error spec:model.stable-ids spec:decisions behavior.rules[4]",
        ]
    );
}

#[test]
fn every_example_space_is_decoded_and_fits_its_examples() {
    let Some(corpora) = corpora() else { return };
    for (corpus, spaces, examples, bindable) in [("protocol", 33, 65, 65), ("checkout", 1, 2, 2)] {
        let graph = extracted(&corpora.join(corpus)).graph;
        let reader = sdp_core::reader::Reader::new(Arc::clone(&graph));
        // The spaces of Markdown carriers: one more stands in a Gherkin carrier.
        let decoded: Vec<ExampleSpace> = reader
            .specs()
            .iter()
            .filter(|spec| spec.file.ends_with(".sdp.md"))
            .filter_map(|spec| reader.example_space(&spec.id, true))
            .collect();
        let all = || decoded.iter().flat_map(|space| &space.examples);
        assert_eq!(decoded.len(), spaces, "{corpus}");
        assert_eq!((all().count(), all().filter(|example| example.bindable).count()), (examples, bindable), "{corpus}");
        let said = sdp_core::space::findings(&graph, reader.index());
        let said: Vec<String> = said.iter().map(|finding| finding.line_form()).collect();
        assert_eq!(said, Vec::<String>::new(), "{corpus}: its authors warn of nothing");
        assert!(decoded.iter().all(|space| space.findings.is_empty()), "{corpus}");
    }
}

/// Counted by hand in the carriers of `spec:validation.kind-evidence` and its three examples.
#[test]
fn one_space_of_the_protocol_corpus_is_decoded_as_counted_by_hand() {
    let Some(corpora) = corpora() else { return };
    let reader = sdp_core::reader::Reader::new(extracted(&corpora.join("protocol")).graph);
    let space = serde_json::to_value(reader.example_space("spec:validation.kind-evidence", true).unwrap()).unwrap();
    let row = |dimension: &Value| {
        let taken = dimension["taken"].as_array().unwrap().iter().map(|taken| taken["examples"].clone());
        json!([dimension["name"], dimension["type"], dimension["step"], Value::from_iter(taken), dimension["untaken"]])
    };
    let dimensions: Vec<Value> = space["dimensions"].as_array().unwrap().iter().map(row).collect();
    assert_eq!(
        Value::from(dimensions),
        json!([
            ["kind", "enum", 0, [2, 1], []],
            ["specId", "string", 0, [1, 1, 1], null],
            ["readiness", "enum", 0, [1, 2], []],
            ["evidence", "enum", 1, [1, 1, 1], []],
        ])
    );
    let outcomes: Vec<_> = space["outcomes"].as_array().unwrap().iter().map(|each| &each["examples"]).collect();
    assert_eq!(outcomes, [3, 3, 3]);
    assert_eq!(
        space["examples"][1]["point"],
        json!({
            "kind": "behavior",
            "specId": "spec:probe.empty-promotion",
            "readiness": "scoped",
            "evidence": "an empty promoted rule child",
        })
    );
    // 1 of 4 pairs of kind and readiness, 3 of 6 of kind and evidence, 3 of 6 of readiness and evidence.
    assert_eq!(space["untakenPairs"].as_array().unwrap().len(), 7);
    let first =
        json!([{ "dimension": "kind", "value": "constraint" }, { "dimension": "readiness", "value": "scoped" }]);
    assert_eq!(space["untakenPairs"][0], first);
}

#[test]
fn each_location_row_opens_its_entry() {
    let Some(corpora) = corpora() else { return };
    let mut rows = 0;
    for corpus in ["checkout", "protocol"] {
        let root = corpora.join(corpus);
        let extraction = extracted(&root);
        let reader = Reader::new(Arc::clone(&extraction.graph));
        for row in &extraction.graph.locations {
            let text = std::fs::read_to_string(root.join(&row.file)).unwrap();
            let line = text.lines().nth(row.line as usize - 1).unwrap();
            let sections = serde_json::to_value(reader.spec_context(&row.spec).unwrap().sections).unwrap();
            let opening = opening_text(&sections, &row.entry);
            assert!(line.starts_with("- ") && line.ends_with(&opening), "{row:?}: {line}");
            rows += 1;
        }
    }
    assert_eq!(rows, 313);
}

/// The authored text that the line of an entry ends with.
fn opening_text(sections: &Value, entry: &str) -> String {
    let index = |open: &str| entry.strip_prefix(open)?.strip_suffix(']')?.parse::<usize>().ok();
    let text = if let Some(index) = index("question[") {
        &sections["intent"]["openQuestions"][index]["question"]
    } else if let Some(index) = index("rule[") {
        match &sections["behavior"]["rules"][index] {
            Value::Object(keyed) => &keyed["rule"],
            plain => plain,
        }
    } else {
        let (section, key) = entry.split_once('.').unwrap();
        &sections[section][key]
    };
    text.as_str().unwrap().to_owned()
}

#[test]
fn the_recipes_answer_for_the_checkout_corpus_as_recorded() {
    let Some(corpora) = corpora() else { return };
    let root = corpora.join("checkout");
    let graph = extracted(&root).graph;
    let samples = [
        (1, json!({})),
        (2, json!({})),
        (3, json!({ "spec": "spec:orders.create-order" })),
        (5, json!({})),
        (6, json!({ "term": "inventory" })),
        (7, json!({})),
        (9, json!({ "spec": "spec:orders.create-order" })),
        (10, json!({})),
        (11, json!({})),
    ];
    for (number, params) in samples {
        holds_the_recorded_answer(&root, &graph, number, params);
    }
}

#[test]
fn the_recipes_answer_for_the_protocol_corpus_as_recorded() {
    let Some(corpora) = corpora() else { return };
    let root = corpora.join("protocol");
    let graph = extracted(&root).graph;
    let samples = [
        (1, json!({})),
        (2, json!({})),
        (4, json!({})),
        (5, json!({})),
        (6, json!({ "term": "blast radius" })),
        (7, json!({})),
        (9, json!({ "spec": "spec:model.enrichment-lifecycle" })),
        (10, json!({})),
        (11, json!({})),
        (12, json!({})),
        (13, json!({})),
        (14, json!({ "component": "component:protocol.reader" })),
        (15, json!({})),
        (16, json!({})),
    ];
    for (number, params) in samples {
        holds_the_recorded_answer(&root, &graph, number, params);
    }
}

#[test]
fn the_signals_of_the_protocol_corpus_are_the_warnings_of_its_report() {
    let Some(corpora) = corpora() else { return };
    let root = corpora.join("protocol");
    let graph = extracted(&root).graph;
    let reader = sdp_core::reader::Reader::new(Arc::clone(&graph));
    let mut by_validator: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in reader.findings() {
        if !finding.is_error() {
            *by_validator.entry(finding.id.as_str()).or_default() += 1;
        }
    }
    let errors = reader.findings().iter().filter(|finding| finding.is_error()).count();
    let actual = answer(&graph, 8, json!({}));
    assert_eq!(actual["byValidator"], json!(by_validator));
    assert_eq!((&actual["errors"], &actual["warnings"]), (&json!(errors), &json!(reader.findings().len() - errors)));
    // Later rules count other findings; this check is as it was.
    let expected = load(&root.join("expected/recipes/08.json"));
    assert_eq!(actual["byValidator"]["honesty/gaps"], expected["byValidator"]["honesty/gaps"]);
    assert_eq!(actual["signals"].as_array().unwrap().len(), 25);
}

#[test]
fn the_mention_audit_of_the_protocol_corpus_agrees_with_the_check() {
    let Some(corpora) = corpora() else { return };
    let graph = extracted(&corpora.join("protocol")).graph;
    let audit = answer(&graph, 22, json!({}));
    let rows = |list: &str| -> BTreeSet<(String, String)> {
        let part = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
        audit[list].as_array().unwrap().iter().map(|row| (part(row, "from"), part(row, "to"))).collect()
    };
    assert_eq!(rows("unresolved"), BTreeSet::from([("spec:model.stable-ids".to_owned(), "spec:decisions".to_owned())]));
    assert_eq!(rows("unbacked").len(), 4);
    let reader = sdp_core::reader::Reader::new(Arc::clone(&graph));
    let found = reader.findings().iter().filter(|finding| finding.id == FindingId::ProseMentions);
    let (errors, warnings): (Vec<_>, Vec<_>) = found.partition(|finding| finding.is_error());
    let subjects = |findings: &[&Finding]| -> Vec<String> {
        findings.iter().map(|finding| finding.subject.clone().unwrap_or_default()).collect()
    };
    let mut unbacked: Vec<String> = rows("unbacked").into_iter().map(|(from, _)| from).collect();
    let mut warned = subjects(&warnings);
    unbacked.sort();
    warned.sort();
    assert_eq!(warned, unbacked);
    assert_eq!(subjects(&errors), ["spec:model.stable-ids"]);
}

fn answer(graph: &Arc<Graph>, number: u32, params: Value) -> Value {
    let input = Input { graph: Arc::clone(graph), report: None, params: Some(params) };
    evaluate_body(sdp_recipes::recipe(number).unwrap().body, input).unwrap().to_json().unwrap()
}

#[track_caller]
fn holds_the_recorded_answer(root: &Path, graph: &Arc<Graph>, number: u32, params: Value) {
    let expected = load(&root.join(format!("expected/recipes/{number:02}.json")));
    assert_eq!(missing(&expected, &answer(graph, number, params), "$"), Vec::<String>::new(), "recipe {number}");
}

/// Members of a recorded answer that the actual one lacks or gives otherwise; more members may be there.
fn missing(expected: &Value, actual: &Value, at: &str) -> Vec<String> {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => expected
            .iter()
            .flat_map(|(key, value)| match actual.get(key) {
                Some(other) => missing(value, other, &format!("{at}.{key}")),
                None => vec![format!("{at}.{key} is missing")],
            })
            .collect(),
        (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
            let pairs = expected.iter().zip(actual).enumerate();
            pairs.flat_map(|(index, (value, other))| missing(value, other, &format!("{at}[{index}]"))).collect()
        }
        _ if expected == actual => Vec::new(),
        _ => vec![format!("{at} is {actual}, recorded {expected}")],
    }
}

#[test]
#[sdp::verifies("spec:sdp.reader")]
fn the_reader_answers_for_the_protocol_corpus_as_recorded() {
    let Some(corpora) = corpora() else { return };
    let root = corpora.join("protocol");
    let expected = load(&root.join("expected/reader.json"));
    let reader = Reader::new(Arc::clone(&extracted(&root).graph));
    let list = |name: &str| expected[name].as_array().unwrap().clone();
    let differences = |expected: &Value, actual: serde_json::Result<Value>| missing(expected, &actual.unwrap(), "$");
    let none = Vec::<String>::new();

    assert_eq!(list("specs").len(), 161);
    assert_eq!(differences(&expected["specs"], to_value(reader.specs())), none);
    assert_eq!(differences(&expected["packs"], to_value(reader.packs())), none);
    for context in list("contexts") {
        let actual = to_value(reader.spec_context(context["id"].as_str().unwrap()).unwrap());
        assert_eq!(differences(&context, actual), none, "{}", context["id"]);
    }
    // Members stood by id before a Pack kept their authored order.
    let by_id = |pack: Value| {
        let mut pack = pack;
        pack["members"].as_array_mut().unwrap().sort_by_key(|member| member["id"].to_string());
        pack
    };
    let pack = to_value(reader.pack_context("pack:self-hosting-v1").unwrap()).unwrap();
    assert_eq!(pack["members"][0]["id"], "spec:carrier.markdown-authoring");
    assert_eq!(differences(&expected["pack"], Ok(by_id(pack))), none);
    for (text, matches) in expected["concepts"].as_object().unwrap() {
        assert_eq!(differences(matches, to_value(reader.find_by_concept(text))), none, "{text}");
    }
    for (path, answer) in expected["files"].as_object().unwrap() {
        assert_eq!(differences(answer, to_value(reader.by_file(path))), none, "{path}");
    }
    let changed: Vec<&str> =
        expected["blast"]["changedFiles"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(differences(&expected["blast"], to_value(reader.blast_radius(&changed))), none);
}
