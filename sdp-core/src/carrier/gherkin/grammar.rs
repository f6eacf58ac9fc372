//! The Protocol's grammar over Gherkin: a Feature comes in, its Specs go out, and every place where it holds more than the
//! carrier can say is a finding. The Specs count only where there is none.

use crate::model::{Behavior, Document, Example, Phase, RelationType, Rule, Sections, SpecDocument, SpecKind, Steps};

use super::description::{self, Construct, Description};
use super::findings::{Findings, shown};
use super::lexer::trim;
use super::syntax::{self, Feature, Position, Scenario, Step, Tag, TextLine};
use super::tags::{EXAMPLE_SPACE, Envelope, TagReader};

const NO_OUTLINES: &str = "write each case as a Scenario of its own, with its values in slots such as `{items: 2}`";

/// Reads a Feature: its own Spec first, then those of its Scenarios.
pub(super) fn read(feature: &Feature<'_>, findings: &mut Findings<'_>) -> Vec<Document> {
    let tags = TagReader::new();
    let envelope = tags.envelope("Feature", feature.at, &feature.tags, findings);
    let construct = Construct::Feature(feature.name);
    let description = description::read(construct, envelope.subject(), &feature.description, findings);
    if let Some(background) = &feature.background {
        let help = "repeat the steps in each Scenario that needs them";
        findings.grammar(background.at, envelope.subject(), help, || {
            format!("{construct} carries unsupported construct \"Background\"")
        });
    }
    let mut example_space = None;
    let mut examples = Vec::new();
    for scenario in &feature.scenarios {
        if scenario.tags.iter().any(|tag| tag.name == EXAMPLE_SPACE) {
            if example_space.is_some() {
                findings.grammar(scenario.at, envelope.subject(), "put all steps into one of them", || {
                    format!("{construct} carries more than one @example-space pseudo-scenario")
                });
            }
            example_space = Some(read_example_space(scenario, &tags, findings));
        } else {
            examples.extend(read_example(scenario, envelope.subject(), &tags, findings));
        }
    }
    let rules = feature.rules.iter().map(|rule| read_rule(rule, findings)).collect::<Vec<_>>();
    let behavior =
        Behavior { rules: Some(rules).filter(|rules| !rules.is_empty()), example_space, ..Behavior::default() };
    let own = spec(SpecKind::Behavior, feature.name, envelope, description, behavior);
    own.into_iter().chain(examples).map(Document::Spec).collect()
}

fn read_example(
    scenario: &Scenario<'_>,
    parent: Option<&str>,
    tags: &TagReader,
    findings: &mut Findings<'_>,
) -> Option<SpecDocument> {
    let construct = Construct::Scenario(scenario.name);
    let mut envelope = tags.envelope("Scenario", scenario.at, &scenario.tags, findings);
    let description = description::read(construct, envelope.subject(), &scenario.description, findings);
    if is_outline(scenario) {
        findings.grammar(scenario.at, envelope.subject(), NO_OUTLINES, || {
            format!(
                "Scenario construct \"{}\" is refused; Scenario Outline and Examples are outside the closed carrier grammar",
                scenario.keyword
            )
        });
    }
    if scenario.steps.is_empty() {
        findings.grammar(scenario.at, envelope.subject(), "add a step such as `Given …`", || {
            format!("{construct} must carry at least one step")
        });
    }
    let steps = read_steps(construct, envelope.subject(), &scenario.steps, findings);
    for relation in [RelationType::Refines, RelationType::Verifies] {
        if let Some(parent) = parent
            && !envelope.relations.iter().any(|(stated, _)| *stated == relation)
        {
            envelope.relations.push((relation, parent.to_owned()));
        }
    }
    let behavior = Behavior { examples: Some(vec![Example::Structured(steps)]), ..Behavior::default() };
    spec(SpecKind::Example, scenario.name, envelope, description, behavior)
}

fn read_example_space(scenario: &Scenario<'_>, tags: &TagReader, findings: &mut Findings<'_>) -> Steps {
    let construct = Construct::ExampleSpace;
    let (markers, others): (Vec<&Tag<'_>>, Vec<&Tag<'_>>) =
        scenario.tags.iter().partition(|tag| tag.name == EXAMPLE_SPACE);
    if let [_, second, ..] = markers.as_slice() {
        findings.grammar(second.at, None, "keep one of them", || {
            format!("{construct} carries {} marker tags; exactly one is required", markers.len())
        });
    }
    for tag in others {
        tags.decoration(tag.at, tag.name, findings);
    }
    if is_outline(scenario) {
        findings.grammar(
            scenario.at,
            None,
            "write `Scenario:`, and declare values in slots such as `{items:number}`",
            || {
                format!(
                    "@example-space uses unsupported construct \"{}\"; Scenario Outline and Examples are refused",
                    scenario.keyword
                )
            },
        );
    }
    if scenario.steps.is_empty() {
        findings.grammar(scenario.at, None, "add a step such as `Given a cart with {items:number} items`", || {
            format!("{construct} must carry at least one step")
        });
    }
    if let Some(at) = first_prose(&scenario.description) {
        findings.grammar(at, None, "move the prose below the Feature", || {
            format!("{construct} cannot carry a description")
        });
    }
    read_steps(construct, None, &scenario.steps, findings)
}

fn read_rule(rule: &syntax::Rule<'_>, findings: &mut Findings<'_>) -> Rule {
    let name = shown(rule.name);
    for tag in &rule.tags {
        findings.grammar(tag.at, None, "remove the tag: a Rule is one line of text", || {
            format!("Rule \"{name}\" carries tag \"{}\"; Rules are title-only", shown(tag.name))
        });
    }
    if rule.background.is_some() || !rule.scenarios.is_empty() {
        findings.grammar(rule.at, None, "move the Rules to the end of the Feature", || {
            format!(
                "Rule \"{name}\" has children because Scenarios following a Rule nest under it positionally; place every Scenario before trailing title-only Rules"
            )
        });
    }
    if let Some(at) = first_prose(&rule.description) {
        findings.grammar(at, None, "say it in the Rule's own line, or below the Feature", || {
            format!("Rule \"{name}\" carries a description; Rules are title-only")
        });
    }
    Rule { text: rule.name.to_owned(), key: None }
}

fn read_steps(
    construct: Construct<'_>,
    subject: Option<&str>,
    authored: &[Step<'_>],
    findings: &mut Findings<'_>,
) -> Steps {
    let mut steps = Steps::default();
    let mut phase = None;
    for step in authored {
        let (keyword, text) = (step.keyword, step.text);
        match keyword {
            "Given" => phase = Some(Phase::Given),
            "When" => phase = Some(Phase::When),
            "Then" => phase = Some(Phase::Then),
            "*" => findings.grammar(step.at, subject, "open the step with Given, When, Then, And or But", || {
                format!(
                    "{construct} step keyword \"*\" is refused; '*' and unknown step phases have no carrier meaning"
                )
            }),
            _ if phase.is_none() => findings.grammar(step.at, subject, "open the first step with Given, When or Then", || {
                format!(
                    "{construct} starts with conjunction step \"{keyword} {}\"; And/But must inherit a preceding phase",
                    shown(text)
                )
            }),
            _ => {}
        }
        if let Some(doc_string) = &step.doc_string {
            findings.grammar(doc_string.at, subject, "say it in the step's own line", || {
                format!(
                    "{construct} step \"{}\" carries a doc string, which the closed carrier grammar refuses",
                    shown(text)
                )
            });
        }
        if let Some(row) = step.table.first() {
            findings.grammar(row.at, subject, "bind the values in slots of the step's own line", || {
                format!(
                    "{construct} step \"{}\" carries a data table, which the closed carrier grammar refuses",
                    shown(text)
                )
            });
        }
        if let Some(phase) = phase {
            steps.push(phase, text);
        }
    }
    steps
}

/// Whether a Scenario is written as several cases at once. `Scenario Template` without a table is one case.
fn is_outline(scenario: &Scenario<'_>) -> bool {
    scenario.keyword == "Scenario Outline" || !scenario.examples.is_empty()
}

fn first_prose(description: &[TextLine<'_>]) -> Option<Position> {
    description.iter().find(|line| !trim(line.text).is_empty()).map(|line| line.at)
}

/// A Spec, where its tags say all that it needs; where they do not, there is a finding.
fn spec(
    kind: SpecKind,
    title: &str,
    envelope: Envelope,
    description: Description,
    behavior: Behavior,
) -> Option<SpecDocument> {
    let (id, line) = envelope.id?;
    Some(SpecDocument {
        id,
        line,
        kind,
        altitude: envelope.altitude?,
        readiness: envelope.readiness?,
        relations: envelope.relations,
        title: Some(title.to_owned()),
        narrative: description.narrative,
        sections: Sections {
            intent: description.intent,
            behavior: Some(behavior).filter(|behavior| *behavior != Behavior::default()),
            verification: description.verification,
            ..Sections::default()
        },
        entries: Vec::new(),
    })
}
