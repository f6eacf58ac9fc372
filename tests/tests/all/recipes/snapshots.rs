//! Every recipe over every corpus. For the corpora of the repository the whole answers are kept, a file for each in
//! `tests/snapshots/recipes`; for the recorded corpora, which are not part of it, a digest and the shape of each answer. Of
//! our own Specs, which change from day to day, only the shape is held. `UPDATE_RECIPES=1` writes the files anew: read what it
//! wrote.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use sdp_canon::Digest;
use sdp_core::config::{Environment, RootRequest, load};
use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::extract;
use sdp_core::graph::{Graph, Node};
use sdp_recipes::{CATALOG, Recipe};
use serde_json::{Map, Value, json};

use super::ask;
use super::shape::{alternatives, one_of};
use crate::corpora::corpora;

/// The fixtures whose carriers give no graph: a body is never run over them.
const WITHOUT_A_GRAPH: [&str; 7] =
    ["attributes", "comments-refused", "duplicates", "gherkin-refused", "refused", "typescript", "typescript-anchors"];

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The graph of a folder under the configuration that holds for it; none where extraction finds an error.
fn graph_of(root: &Path) -> Option<Arc<Graph>> {
    let config = load(&RootRequest { root: Some(root), cwd: root }).unwrap();
    let extraction = extract(&config.root, &DiscoverOptions::of(&config, &Environment::default()));
    (!extraction.has_errors()).then_some(extraction.graph)
}

/// The corpora of the repository by name, and those that give no graph.
fn own_corpora() -> (BTreeMap<String, Arc<Graph>>, BTreeSet<String>) {
    let (mut graphs, mut without) = (BTreeMap::new(), BTreeSet::new());
    for entry in std::fs::read_dir(here("fixtures")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let extraction = extract(&entry.path().join("root"), &DiscoverOptions::default());
        if extraction.has_errors() {
            without.insert(name);
        } else {
            graphs.insert(name, extraction.graph);
        }
    }
    for name in ["first-session", "shop", "storefront"] {
        graphs.insert(format!("example-{name}"), graph_of(&here("../examples").join(name)).unwrap());
    }
    (graphs, without)
}

/// The id that most edges reach or leave, of those that begin with a prefix; the first of several.
fn busiest(graph: &Graph, prefix: &str, counts: impl Fn(&str) -> usize) -> Option<String> {
    let ids = graph.nodes.iter().map(Node::id).filter(|id| id.starts_with(prefix));
    // The last of equals wins, so they come from behind.
    ids.rev().max_by_key(|id| counts(id)).map(str::to_owned)
}

/// The parameters that a recipe is asked with: things that the corpus itself holds, and a few that it does not.
fn samples(graph: &Graph) -> Map<String, Value> {
    let edges = |id: &str| graph.edges.iter().filter(|edge| edge.from == id || edge.to == id).count();
    let inward = |id: &str| graph.edges.iter().filter(|edge| edge.to == id).count();
    let spec = busiest(graph, "spec:", edges);
    let node = |id: &Option<String>| graph.nodes.iter().find(|node| Some(node.id()) == id.as_deref());
    let title = match node(&spec) {
        Some(Node::Spec(spec)) => spec.title.clone().unwrap_or_default(),
        _ => String::new(),
    };
    let mut words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3);
    let wire: Value = serde_json::from_str(&graph.to_json().unwrap()).unwrap();
    let files = wire["nodes"].as_array().unwrap().iter().filter(|node| {
        let id = &node["id"];
        id.as_str() == spec.as_deref() || node["nodeType"] == "CodeNode" || node["nodeType"] == "Pack"
    });
    let mut files: BTreeSet<String> =
        files.filter_map(|node| node["file"].as_str().map(str::to_owned)).take(4).collect();
    files.insert("none.txt".to_owned());
    let mut addresses: Vec<String> = wire["nodes"].as_array().unwrap().iter().flat_map(addresses_of).take(4).collect();
    addresses.extend(["spec:none#rule.none".to_owned(), "none".to_owned()]);
    addresses.extend(spec.iter().map(|id| format!("{id}#rule.none")));
    let specs = busiest(graph, "spec:", inward);
    let optional = |value: Option<String>, none: &str| json!(value.unwrap_or_else(|| none.to_owned()));
    let samples = json!({
        "spec": optional(spec, "spec:none"),
        "pack": optional(busiest(graph, "pack:", inward), "pack:none"),
        "component": optional(busiest(graph, "component:", edges), "component:none"),
        "term": words.next_back().unwrap_or("none").to_lowercase(),
        "files": files,
        "specs": specs.into_iter().chain(["spec:none".to_owned()]).collect::<Vec<_>>(),
        "addresses": addresses,
        "dates": { "spec:none#question[0]": "2026-11-02" },
    });
    samples.as_object().unwrap().clone()
}

/// The addresses of the entries of a node as it stands on the wire.
fn addresses_of(node: &Value) -> Vec<String> {
    let sections = &node["sections"];
    let mut entries = Vec::new();
    for section in ["design", "ui"] {
        let keys = sections[section].as_object().into_iter().flat_map(Map::keys).filter(|key| *key != "description");
        entries.extend(keys.map(|key| format!("{section}.{key}")));
    }
    for (list, section) in
        [(&sections["intent"]["openQuestions"], "question"), (&sections["behavior"]["rules"], "rule")]
    {
        let keys = list.as_array().into_iter().flatten().filter_map(|item| item["key"].as_str());
        entries.extend(keys.map(|key| format!("{section}.{key}")));
    }
    let id = node["id"].as_str().unwrap();
    entries.into_iter().map(|entry| format!("{id}#{entry}")).collect()
}

/// What a recipe is asked with over a corpus: once, and once more as a rule where it can be one.
fn questions(recipe: &Recipe, samples: &Map<String, Value>) -> Vec<Value> {
    let params = recipe.head().params;
    let known: Map<String, Value> =
        params.iter().filter_map(|name| Some(((*name).to_owned(), samples.get(*name)?.clone()))).collect();
    let mut questions = vec![Value::from(known.clone())];
    if params.contains(&"severity") {
        let mut judging = known;
        judging.insert("severity".to_owned(), json!("warning"));
        questions.push(judging.into());
    }
    questions
}

/// JSON to be read: what fits on a line stands on one.
fn laid_out(value: &Value, depth: usize) -> String {
    let line = value.to_string();
    if depth > 0 && line.len() + 2 * depth < 120 {
        return line;
    }
    let inner = depth + 1;
    let (open, close, items): (_, _, Vec<String>) = match value {
        Value::Array(items) => ("[", "]", items.iter().map(|item| laid_out(item, inner)).collect()),
        Value::Object(members) => {
            let member = |(key, item): (&String, &Value)| format!("{}: {}", json!(key), laid_out(item, inner));
            ("{", "}", members.iter().map(member).collect())
        }
        _ => return line,
    };
    let (indent, end) = ("  ".repeat(inner), "  ".repeat(depth));
    format!("{open}\n{indent}{}\n{end}{close}", items.join(&format!(",\n{indent}")))
}

fn named(recipe: &Recipe) -> String {
    format!("{:03} {}", recipe.number, recipe.slug)
}

/// A recipe with each pair of what it was asked and what it answers.
type Asked = (&'static Recipe, Vec<(Value, Value)>);

struct Answers {
    by_corpus: BTreeMap<String, Vec<Asked>>,
    /// The corpora that give no graph.
    without: BTreeSet<String>,
}

/// Each recipe with what it was asked and what it answers; the answers have the shape that the head states.
fn asked(corpus: &str, graph: &Arc<Graph>) -> Vec<Asked> {
    let samples = samples(graph);
    let all = CATALOG.iter().map(|recipe| {
        let answers = questions(recipe, &samples).into_iter().map(|params| {
            let mut answer = ask(recipe.number, graph, params.clone())
                .unwrap_or_else(|error| panic!("{corpus}: recipe {} {params}: {error}", recipe.number));
            let given = answer.clone();
            // It may stand in every answer of a recipe that needs something.
            if let Some(needs) = answer.as_object_mut().and_then(|answer| answer.remove("needs")) {
                assert_eq!(needs, json!(recipe.head().needs), "{corpus}: recipe {}", recipe.number);
            }
            if let Err(fault) = one_of(&alternatives(recipe.head().gives[0]), &answer, "$") {
                panic!("{corpus}: recipe {} {params}: {fault}\n{answer:#}", recipe.number);
            }
            (params, given)
        });
        (recipe, answers.collect())
    });
    all.collect()
}

/// What the recipes answer over the corpora of the repository, asked once for all tests.
fn answers() -> &'static Answers {
    static ANSWERS: OnceLock<Answers> = OnceLock::new();
    ANSWERS.get_or_init(|| {
        let (graphs, without) = own_corpora();
        let by_corpus = graphs.iter().map(|(corpus, graph)| (corpus.clone(), asked(corpus, graph)));
        Answers { by_corpus: by_corpus.collect(), without }
    })
}

fn saved(name: &str) -> PathBuf {
    here("snapshots/recipes").join(format!("{name}.json"))
}

#[test]
fn every_recipe_answers_over_every_corpus_as_it_is_kept() {
    let Answers { by_corpus, without } = answers();
    assert_eq!(*without, WITHOUT_A_GRAPH.map(str::to_owned).into_iter().collect());
    let mut differences = Vec::new();
    for (corpus, asked) in by_corpus {
        let mut kept = Map::new();
        for (recipe, answers) in asked {
            let rows: Vec<Value> =
                answers.iter().map(|(params, answer)| json!({ "params": params, "answer": answer })).collect();
            kept.insert(named(recipe), rows.into());
        }
        let text = laid_out(&Value::from(kept), 0) + "\n";
        differences.extend(sdp_tests::difference_or_update(&saved(corpus), &text, "UPDATE_RECIPES"));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    let files = std::fs::read_dir(here("snapshots/recipes")).unwrap();
    let files: BTreeSet<String> = files.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let expected = by_corpus.keys().map(String::as_str).chain(["recorded"]).map(|name| format!("{name}.json"));
    assert_eq!(files, expected.collect());
}

#[test]
fn every_recipe_answers_over_the_recorded_corpora_with_the_digest_and_the_shape_that_are_kept() {
    let Some(corpora) = corpora() else { return };
    let mut kept = Map::new();
    for corpus in ["checkout", "protocol"] {
        let graph = extract(&corpora.join(corpus), &DiscoverOptions::default()).graph;
        let mut recipes = Map::new();
        for (recipe, answers) in asked(corpus, &graph) {
            let shapes = alternatives(recipe.head().gives[0]);
            let rows: Vec<Value> = answers
                .into_iter()
                .map(|(params, answer)| {
                    let mut paths: BTreeMap<String, usize> = BTreeMap::new();
                    let shape = shapes.iter().find(|shape| shape.holds(&answer, "$").is_ok()).unwrap_or(&shapes[0]);
                    shape.walk(&answer, "$", &mut |at, _| *paths.entry(at.to_owned()).or_default() += 1);
                    let digest = Digest::of(serde_json::to_vec(&json!([params, answer])).unwrap());
                    json!({ "digest": digest.to_string(), "paths": paths })
                })
                .collect();
            recipes.insert(named(recipe), rows.into());
        }
        kept.insert(corpus.to_owned(), recipes.into());
    }
    let text = laid_out(&Value::from(kept), 0) + "\n";
    assert!(!text.contains("spec:") && !text.contains("pack:"), "a key of the recorded corpora got into the file");
    if let Some(difference) = sdp_tests::difference_or_update(&saved("recorded"), &text, "UPDATE_RECIPES") {
        panic!("{difference}");
    }
}

#[test]
fn every_recipe_answers_over_our_own_specs_in_the_shape_that_its_head_states() {
    let graph = graph_of(&here("..").canonicalize().unwrap()).unwrap();
    assert_eq!(asked("our own Specs", &graph).len(), CATALOG.len());
}

/// Lists that no corpus of the repository fills, each with the reason.
const EMPTY_EVERYWHERE: [(u32, &str, &str); 1] =
    [(20, "$.malformed", "every carrier refuses a question that is not well formed")];

#[test]
fn every_list_of_every_answer_is_filled_by_some_corpus() {
    let mut filled: BTreeSet<(u32, String)> = BTreeSet::new();
    let mut counted: BTreeSet<u32> = BTreeSet::new();
    for (recipe, answers) in answers().by_corpus.values().flatten() {
        let shapes = alternatives(recipe.head().gives[0]);
        for (_, answer) in answers {
            let shape = shapes.iter().find(|shape| shape.holds(answer, "$").is_ok()).unwrap_or(&shapes[0]);
            shape.walk(answer, "$", &mut |at, value| {
                if value.as_array().is_some_and(|items| !items.is_empty()) {
                    filled.insert((recipe.number, at.to_owned()));
                }
                if value.as_u64().is_some_and(|count| count > 0) {
                    counted.insert(recipe.number);
                }
            });
        }
    }
    let mut empty = Vec::new();
    for recipe in CATALOG {
        let mut lists = Vec::new();
        alternatives(recipe.head().gives[0]).iter().for_each(|shape| shape.lists("$", &mut lists));
        let silent: Vec<(u32, String)> = if lists.is_empty() && !counted.contains(&recipe.number) {
            vec![(recipe.number, "$".to_owned())]
        } else {
            lists.into_iter().map(|list| (recipe.number, list)).filter(|list| !filled.contains(list)).collect()
        };
        empty.extend(silent);
    }
    let expected: Vec<(u32, String)> =
        EMPTY_EVERYWHERE.iter().map(|(number, list, _)| (*number, (*list).to_owned())).collect();
    assert_eq!(empty, expected);
}
