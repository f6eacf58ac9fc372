//! The fields of a Spec: the one that was authored and the one that its Markdown reads back as come in, the first field in
//! which they differ goes out.

use crate::model::{
    Behavior, Constraint, Decision, Example, Intent, ModelSection, OpenBag, Question, Rule, SpecDocument, Steps,
    Verification,
};

/// The path where no field is the first that differs.
pub(super) const DOCUMENT: &str = "document";

/// The first field in which a Spec differs from what its Markdown reads back as.
pub(super) fn divergence(spec: &SpecDocument, read: &SpecDocument) -> String {
    let (authored, read) = (leaves(spec), leaves(read));
    let mut at = 0;
    loop {
        match (authored.get(at), read.get(at)) {
            (Some(one), Some(other)) if one == other => at += 1,
            // What was added before a field that is still there is the difference.
            (Some((path, _)), Some((added, _))) if read.iter().any(|(other, _)| other == path) => return added.clone(),
            (Some((path, _)), _) | (None, Some((path, _))) => return path.clone(),
            (None, None) => return DOCUMENT.to_owned(),
        }
    }
}

/// What stands at a field.
#[derive(Debug, PartialEq, Eq)]
enum Leaf<'s> {
    /// A text.
    Text(&'s str),
    /// A truth value.
    Flag(bool),
    /// A section or a list, before what is in it.
    Opens,
    /// A value that no Markdown holds, or nothing where Markdown needs something.
    Foreign,
}

/// Every field of a Spec with its path, in the order of the graph.
fn leaves(spec: &SpecDocument) -> Vec<(String, Leaf<'_>)> {
    let mut leaves = Leaves::default();
    leaves.text("id", Some(&spec.id));
    leaves.text("kind", Some(spec.kind.as_str()));
    leaves.text("altitude", Some(spec.altitude.as_str()));
    leaves.text("readiness", Some(spec.readiness.as_str()));
    leaves.text("title", spec.title.as_deref());
    leaves.text("narrative", spec.narrative.as_deref());
    let sections = &spec.sections;
    if let Some(intent) = &sections.intent {
        leaves.intent(intent);
    }
    if let Some(behavior) = &sections.behavior {
        leaves.behavior(behavior);
    }
    if let Some(constraints) = &sections.constraints {
        leaves.opens("constraints");
        for (place, constraint) in constraints.iter().enumerate() {
            leaves.constraint(&format!("constraints[{place}]"), constraint);
        }
    }
    if let Some(ModelSection { description, terms }) = &sections.model {
        leaves.opens("model");
        leaves.text("model.description", description.as_deref());
        if let Some(terms) = terms {
            leaves.opens("model.terms");
            for (term, definition) in terms {
                leaves.text(format!("model.terms.{term}"), Some(definition));
            }
        }
    }
    if let Some(design) = &sections.design {
        leaves.bag("design", design);
    }
    if let Some(decision) = &sections.decision {
        leaves.decision(decision);
    }
    if let Some(Verification { description, mode, criteria }) = &sections.verification {
        let mode = mode.map_or(Leaf::Foreign, |mode| Leaf::Text(mode.as_str()));
        leaves.list.push(("verification.mode".to_owned(), mode));
        leaves.text("verification.description", description.as_deref());
        leaves.texts("verification.criteria", criteria.as_deref());
    }
    if let Some(ui) = &sections.ui {
        leaves.bag("ui", ui);
    }
    leaves.list
}

#[derive(Default)]
struct Leaves<'s> {
    list: Vec<(String, Leaf<'s>)>,
}

impl<'s> Leaves<'s> {
    fn opens(&mut self, path: impl Into<String>) {
        self.list.push((path.into(), Leaf::Opens));
    }

    fn text(&mut self, path: impl Into<String>, text: Option<&'s str>) {
        self.list.extend(text.map(|text| (path.into(), Leaf::Text(text))));
    }

    fn texts(&mut self, path: &str, texts: Option<&'s [String]>) {
        let Some(texts) = texts else { return };
        self.opens(path);
        for (place, text) in texts.iter().enumerate() {
            self.text(format!("{path}[{place}]"), Some(text));
        }
    }

    fn steps(&mut self, path: &str, steps: &'s Steps) {
        self.opens(path);
        self.texts(&format!("{path}.given"), Some(&steps.given));
        self.texts(&format!("{path}.when"), Some(&steps.when));
        self.texts(&format!("{path}.then"), Some(&steps.then));
    }

    fn intent(&mut self, intent: &'s Intent) {
        self.opens("intent");
        self.text("intent.description", intent.description.as_deref());
        for (field, value) in intent_fields(intent) {
            self.text(format!("intent.{field}"), value);
        }
        self.texts("intent.risks", intent.risks.as_deref());
        self.texts("intent.assumptions", intent.assumptions.as_deref());
        let Some(questions) = &intent.open_questions else { return };
        self.opens("intent.openQuestions");
        for (place, Question { question, blocking, key }) in questions.iter().enumerate() {
            let path = format!("intent.openQuestions[{place}]");
            self.text(format!("{path}.question"), Some(question));
            self.list.push((format!("{path}.blocking"), Leaf::Flag(*blocking)));
            self.text(format!("{path}.key"), key.as_deref());
        }
    }

    fn behavior(&mut self, behavior: &'s Behavior) {
        self.opens("behavior");
        self.text("behavior.description", behavior.description.as_deref());
        if let Some(rules) = &behavior.rules {
            self.opens("behavior.rules");
            for (place, Rule { text, key }) in rules.iter().enumerate() {
                self.text(format!("behavior.rules[{place}]"), Some(text));
                self.text(format!("behavior.rules[{place}].key"), key.as_deref());
            }
        }
        if let Some(examples) = &behavior.examples {
            self.opens("behavior.examples");
            for (place, example) in examples.iter().enumerate() {
                let path = format!("behavior.examples[{place}]");
                match example {
                    Example::Prose(_) => self.list.push((path, Leaf::Foreign)),
                    Example::Structured(steps) => self.steps(&path, steps),
                }
            }
        }
        self.texts("behavior.flows", behavior.flows.as_deref());
        if let Some(space) = &behavior.example_space {
            self.steps("behavior.exampleSpace", space);
        }
    }

    fn constraint(&mut self, path: &str, constraint: &'s Constraint) {
        self.opens(path);
        for (field, value) in constraint_fields(constraint) {
            self.text(format!("{path}.{field}"), value);
        }
    }

    fn bag(&mut self, path: &str, bag: &'s OpenBag) {
        self.opens(path);
        self.text(format!("{path}.description"), bag.description.as_deref());
        for (key, value) in &bag.entries {
            let leaf = value.as_text().map_or(Leaf::Foreign, Leaf::Text);
            self.list.push((format!("{path}.{key}"), leaf));
        }
    }

    fn decision(&mut self, decision: &'s Decision) {
        self.opens("decision");
        self.text("decision.description", decision.description.as_deref());
        self.text("decision.context", decision.context.as_deref());
        self.text("decision.decision", decision.decision.as_deref());
        self.texts("decision.rationale", decision.rationale.as_deref());
        self.texts("decision.alternatives", decision.alternatives.as_deref());
        self.texts("decision.consequences", decision.consequences.as_deref());
    }
}

/// The texts of an Intent that stand once, in the order of the graph.
pub(super) fn intent_fields(intent: &Intent) -> [(&'static str, Option<&str>); 4] {
    [
        ("actor", intent.actor.as_deref()),
        ("problem", intent.problem.as_deref()),
        ("outcome", intent.outcome.as_deref()),
        ("value", intent.value.as_deref()),
    ]
}

/// The texts of a constraint, in the order in which they are written.
pub(super) fn constraint_fields(constraint: &Constraint) -> [(&'static str, Option<&str>); 4] {
    [
        ("statement", constraint.statement.as_deref()),
        ("flavor", constraint.flavor.as_deref()),
        ("target", constraint.target.as_deref()),
        ("measurableBy", constraint.measurable_by.as_deref()),
    ]
}
