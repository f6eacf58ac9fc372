//! The Gherkin carrier against recorded answers: small carriers of one rule each, and what the official parser makes of
//! texts. Lists name the cases that rightly differ; a row that no longer differs fails the test.

use std::collections::BTreeMap;

use sdp_core::carrier::gherkin;
use sdp_core::carrier::gherkin::syntax::{
    Background, Examples, Feature, ParseError, Row, Rule, Scenario, Step, Tag, TextLine, parse,
};
use sdp_core::derive::{Sourced, derive};
use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::extract;
use sdp_core::finding::Finding;
use serde_json::{Value, json};

use crate::corpora::{corpora, graph_differences, load};

/// Carriers that are rightly read in another way: the case, and why.
const DIFFERENT_CARRIERS: &[(&str, &str)] = &[];

const OTHER_LANGUAGE: &str = "another language is refused at its line, and its keywords are not known";

/// Texts that are rightly parsed in another way: the text's name, what is made of it, and why.
const DIFFERENT_TEXTS: &[(&str, &str, &str)] =
    &[("lang_fr", "LANGUAGE fr 1", OTHER_LANGUAGE), ("lang_after_comment", "LANGUAGE fr 2", OTHER_LANGUAGE)];

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn row(finding: &Finding) -> Value {
    let line = |key: &str| serde_json::to_value(finding).unwrap().get(key).cloned().unwrap_or_default();
    ["validatorId", "severity", "message", "subjectId", "file", "line"].map(line).into_iter().collect()
}

fn expected_row(finding: &Value) -> Value {
    let field = |key: &str| finding.get(key).cloned().unwrap_or_default();
    ["validatorId", "severity", "message", "subjectId", "file", "line"].map(field).into_iter().collect()
}

/// What differs between the answer for one case and what was recorded: findings, nodes, edges.
fn difference(case: &Value) -> Option<String> {
    let (mut found, mut documents) = (Vec::new(), Vec::new());
    for (file, content) in case["files"].as_object().unwrap() {
        match gherkin::read(file, text(content)) {
            Ok(held) => {
                documents.extend(held.into_iter().map(|document| Sourced { file: file.clone(), document }));
            }
            Err(findings) => found.extend(findings.iter().map(row)),
        }
    }
    let derived = derive(documents);
    found.extend(derived.findings.iter().map(row));
    let expected: Vec<Value> = case["expected"]["extraction"].as_array().unwrap().iter().map(expected_row).collect();
    if found != expected {
        return Some(format!("found {found:#?}\nexpected {expected:#?}"));
    }
    let graph = serde_json::from_str(&derived.graph.to_json().unwrap()).unwrap();
    let expected = &case["expected"]["graph"];
    let differences = graph_differences(expected, &graph);
    let edges = |graph: &Value| graph["edges"].as_array().unwrap().len();
    (!differences.is_empty() || edges(&graph) != edges(expected)).then(|| format!("{differences:#?}\n{graph:#}"))
}

#[test]
#[sdp::verifies("spec:sdp.carriers.gherkin")]
fn recorded_carriers_answer_as_the_reference_does() {
    let Some(corpora) = corpora() else { return };
    let cases = load(&corpora.join("cases/gherkin.json"));
    let mut listed: BTreeMap<&str, &str> = DIFFERENT_CARRIERS.iter().copied().collect();
    let mut failures = Vec::new();
    for case in cases.as_array().unwrap() {
        let name = text(&case["name"]);
        match (difference(case), listed.remove(name)) {
            (Some(difference), None) => failures.push(format!("{name}: {difference}")),
            (None, Some(_)) => failures.push(format!("{name} is listed, but does not differ")),
            _ => {}
        }
    }
    assert_eq!(cases.as_array().unwrap().len(), 65);
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(listed.is_empty(), "listed, but no case: {listed:?}");
}

#[test]
fn recorded_texts_are_parsed_as_the_official_parser_does() {
    let Some(corpora) = corpora() else { return };
    let texts = load(&corpora.join("cases/gherkin-parser-inputs.json"));
    let answers = load(&corpora.join("cases/gherkin-parser-answers.json"));
    let mut listed: BTreeMap<&str, &str> = DIFFERENT_TEXTS.iter().map(|(name, made, _)| (*name, *made)).collect();
    let mut failures = Vec::new();
    for (name, input) in texts.as_object().unwrap() {
        let recorded = text(&answers[name]);
        let expected = listed.remove(name.as_str()).unwrap_or_else(|| first_error(recorded));
        let made = dump(text(input));
        if made != expected {
            failures.push(format!("{name}: {made:?}\nexpected {expected:?}"));
        }
        if expected != first_error(recorded) && made == first_error(recorded) {
            failures.push(format!("{name} is listed, but does not differ"));
        }
    }
    assert_eq!(texts.as_object().unwrap().len(), 60);
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(listed.is_empty(), "listed, but no text: {listed:?}");
}

/// The official parser goes on behind an error and lists several; only the first one is ever shown.
fn first_error(answer: &str) -> &str {
    if answer.starts_with("ERR ") { answer.split(" || ").next().unwrap() } else { answer }
}

/// A text's tree in the form of the recorded answers.
fn dump(text: &str) -> String {
    match parse(text) {
        Ok(document) => match &document.feature {
            None => "NOFEATURE".to_owned(),
            Some(feature) => format!("{} comments={}", dumped_feature(feature), document.comments.len()),
        },
        Err(ParseError::Language { line, name }) => format!("LANGUAGE {name} {line}"),
        Err(error) => format!("ERR {error}"),
    }
}

fn dumped_feature(feature: &Feature<'_>) -> String {
    let Feature { keyword, name, description, tags, background, scenarios, rules, .. } = feature;
    let rules = rules.iter().map(dumped_rule);
    let children: Vec<String> = dumped_children(background.as_ref(), scenarios).chain(rules).collect();
    format!("F[{keyword}|{name}|{}|tags={}] {}", described(description), tagged(tags), children.join(" "))
}

fn dumped_rule(rule: &Rule<'_>) -> String {
    let children: Vec<String> = dumped_children(rule.background.as_ref(), &rule.scenarios).collect();
    format!("R[{}|{}|tags={}|{}]", rule.name, described(&rule.description), tagged(&rule.tags), children.join(" "))
}

fn dumped_children<'a>(
    background: Option<&'a Background<'_>>,
    scenarios: &'a [Scenario<'_>],
) -> impl Iterator<Item = String> {
    let background = background.map(|background| format!("BG[{}]", dumped_steps(&background.steps)));
    background.into_iter().chain(scenarios.iter().map(dumped_scenario))
}

fn dumped_scenario(scenario: &Scenario<'_>) -> String {
    let Scenario { keyword, name, description, tags, steps, examples, .. } = scenario;
    let examples: Vec<String> = examples.iter().map(dumped_examples).collect();
    let (description, tags, steps) = (described(description), tagged(tags), dumped_steps(steps));
    format!("S[{keyword}|{name}|{description}|tags={tags}|{steps}|ex={}]", examples.join("+"))
}

fn dumped_examples(examples: &Examples<'_>) -> String {
    let Examples { name, description, tags, rows, .. } = examples;
    let header = rows.first().map(|row| row.cells.join(",")).unwrap_or_default();
    format!("{name}/{}/{}/{header}/{}", described(description), tagged(tags), rows.len().saturating_sub(1))
}

fn dumped_steps(steps: &[Step<'_>]) -> String {
    let dumped = |step: &Step<'_>| {
        let doc_string = step.doc_string.as_ref();
        let doc_string = doc_string.map(|doc| format!("|doc({})={}", doc.media_type, json!(doc.content)));
        let cells = |row: &Row| json!(row.cells);
        let table =
            (!step.table.is_empty()).then(|| format!("|tbl={}", step.table.iter().map(cells).collect::<Value>()));
        let (doc_string, table) = (doc_string.unwrap_or_default(), table.unwrap_or_default());
        format!("{}:{}{doc_string}{table}@{}:{}", step.keyword, step.text, step.at.line, step.at.column)
    };
    steps.iter().map(dumped).collect::<Vec<_>>().join(";")
}

fn tagged(tags: &[Tag<'_>]) -> String {
    tags.iter().map(|tag| tag.name).collect::<Vec<_>>().join(",")
}

fn described(description: &[TextLine<'_>]) -> String {
    let lines: Vec<&str> = description.iter().map(|line| line.text).collect();
    lines.join("\n").trim_matches(sdp_core::model::is_js_whitespace).to_owned()
}

#[test]
fn findings_of_the_checks_stand_at_the_tags_of_the_spec_that_they_are_about() {
    let carrier = "# c
@altitude.story @readiness.idea
@spec.a
Feature: F
  - outcome: o

  @altitude.story @readiness.defined
  @verifies.spec:gone
  @spec.a.b
  Scenario: S
    Given a
";
    let repo = sdp_tests::Repo::new().file("specs/a.sdp.gherkin", carrier);
    let run = repo.sdp(["check", "--output", "short"]);
    let places: Vec<&str> = run.stderr.lines().filter_map(|line| line.split(" — [error] ").next()).collect();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let [floor, missing] = ["specs/a.sdp.gherkin:7", "specs/a.sdp.gherkin:8"];
    assert_eq!(places, [floor, floor, missing], "{}", run.stderr);
    let run = repo.sdp(["q", "return g.byFile('specs/a.sdp.gherkin').nodes.map((node) => node.id)"]);
    assert_eq!(run.stdout, "[ 'spec:a', 'spec:a.b' ]\n", "{}", run.stderr);
}

#[test]
#[sdp::verifies("spec:sdp.carriers.gherkin")]
fn a_refused_gherkin_carrier_leaves_its_siblings() {
    let repo = sdp_tests::Repo::new()
        .spec("healthy", "  dependsOn: spec:healthy", "")
        .file("specs/a.sdp.gherkin", "@spec.a @altitude.story @readiness.idea\nFeature: F\n  - outcom: o\n");
    let run = repo.sdp(["check", "--output", "json"]);
    let finding: Value = serde_json::from_str(run.stdout.lines().next().unwrap()).unwrap();
    let finding = &finding["finding"];
    assert_eq!(finding["id"], "extract/gherkin-grammar");
    assert_eq!((&finding["file"], &finding["line"]), (&json!("specs/a.sdp.gherkin"), &json!(3)));
    assert_eq!((&finding["column"], &finding["subjectId"]), (&json!(3), &json!("spec:a")));
    assert_eq!(finding["help"], "use one of the keys, or write the line without its `- `");
    assert_eq!(run.code, Some(1));
    let extraction = extract(repo.root(), &DiscoverOptions::default());
    assert_eq!(extraction.graph.nodes.iter().map(|node| node.id()).collect::<Vec<_>>(), ["spec:healthy"]);
}
