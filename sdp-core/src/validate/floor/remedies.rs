//! Remedies of the floor: a clause, a kind and the form of the carrier come in, one sentence for the author goes out.

use super::Clause;
use crate::carrier::CarrierForm;
use crate::graph::SpecNode;
use crate::model::SpecKind;
use crate::notation::{Slot, SlotForm};
use crate::space;

/// How many characters of a slot are shown.
const SHOWN: usize = 60;

impl Clause {
    /// What an author can do about the clause, for a Spec of a kind in a carrier of a form.
    #[must_use]
    pub const fn remedy(self, kind: SpecKind, form: CarrierForm) -> &'static str {
        match (self, form) {
            (Clause::Id | Clause::Kind | Clause::Altitude, CarrierForm::Gherkin) => {
                "complete the tags, or state a lower readiness"
            }
            (Clause::Id | Clause::Kind | Clause::Altitude, CarrierForm::TypeScript) => {
                "complete the fields, or state a lower readiness"
            }
            (Clause::Id | Clause::Kind | Clause::Altitude, _) => "complete the frontmatter, or state a lower readiness",
            (Clause::Title, CarrierForm::Gherkin) => "give the Spec a title behind `Feature:` or `Scenario:`",
            (Clause::Title, CarrierForm::TypeScript) => "give the Spec a title: `title: \"…\"`",
            (Clause::Title, _) => "give the Spec a title: `# …`",
            (Clause::OutcomeOrParent, CarrierForm::Gherkin) => {
                "write `- outcome: …` below the title, or add a tag such as `@refines.spec:shop.orders`"
            }
            (Clause::OutcomeOrParent, CarrierForm::TypeScript) => {
                "write `intent: { outcome: \"…\" }`, or declare `refines(\"spec:…\")` under `relations`"
            }
            (Clause::OutcomeOrParent, _) => "write `- outcome: …` under `## Intent`, or declare a `refines` relation",
            (Clause::Outcome, CarrierForm::Gherkin) => {
                "write `- outcome: …` below the title, or state a lower readiness"
            }
            (Clause::Outcome, CarrierForm::TypeScript) => {
                "write `intent: { outcome: \"…\" }`, or state a lower readiness"
            }
            (Clause::Outcome, _) => "write `- outcome: …` under `## Intent`, or state a lower readiness",
            (Clause::Relation, CarrierForm::Gherkin) => {
                "add a tag such as `@refines.spec:shop.orders` (membership in a Pack is no relation), or state a lower readiness"
            }
            (Clause::Relation, CarrierForm::TypeScript) => {
                "declare a relation under `relations`, such as `refines(\"spec:…\")` (membership in a Pack is none), or state a lower readiness"
            }
            (Clause::Relation, _) => {
                "declare a relation to another Spec (membership in a Pack is none), or state a lower readiness"
            }
            (Clause::EvidencePresent | Clause::EvidenceComplete, form) => {
                evidence(kind, matches!(self, Clause::EvidenceComplete), form)
            }
            (Clause::NoBlockingQuestions, CarrierForm::TypeScript) => {
                "answer the question that has `blocking: true`, or state a lower readiness"
            }
            (Clause::NoBlockingQuestions, _) => {
                "answer the question that is marked `[blocking]`, or state a lower readiness"
            }
            (Clause::RelationsResolve, _) => "correct the id of the missing target, or write the Spec that it names",
            (Clause::TypedTargetsDefined, _) => "let the targets state `defined` first, or state a lower readiness",
            (Clause::AnchorsResolve, _) => "mend the binding whose source is missing",
        }
    }
}

/// What an author can do about a cell of the evidence table.
const fn evidence(kind: SpecKind, complete: bool, form: CarrierForm) -> &'static str {
    match (kind, complete, form) {
        (SpecKind::Behavior, false, CarrierForm::Gherkin) => {
            "write a `Rule: …` line or a Scenario that refines the Feature, or let a rule or example Spec that holds one refine this Spec"
        }
        (SpecKind::Behavior, true, CarrierForm::Gherkin) => {
            "write a `Rule: …` line or a Scenario that refines the Feature (constraints alone do not suffice), or let a rule or example Spec that holds one refine this Spec"
        }
        (SpecKind::Example, false, CarrierForm::Gherkin) => "write steps below the Scenario",
        (SpecKind::Example, true, CarrierForm::Gherkin) => {
            "write Given, When and Then steps below the Scenario, bind every slot, and use steps of the example space that it refines"
        }
        (_, _, CarrierForm::TypeScript) => evidence_in_typescript(kind, complete),
        (SpecKind::Behavior | SpecKind::Workflow | SpecKind::Contract, false, _) => {
            "write a rule, an example or a flow, or let a rule or example Spec that holds one refine this Spec"
        }
        (SpecKind::Behavior | SpecKind::Workflow | SpecKind::Contract, true, _) => {
            "write a rule or an example (flows and constraints alone do not suffice), or let a rule or example Spec that holds one refine this Spec"
        }
        (SpecKind::Example, false, _) => "close `## Intent` with a `gwt` fence",
        (SpecKind::Example, true, _) => {
            "write Given, When and Then in a `gwt` fence, bind every slot, and use steps of the parent's example space"
        }
        (SpecKind::Rule, ..) => "write the rule as an entry under `## Rule`",
        (SpecKind::Constraint, false, _) => "write `- statement: …` under `## Constraints`",
        (SpecKind::Constraint, true, _) => "write `- target: …` under `## Constraints`",
        (SpecKind::Model, ..) => "write a term under `## Model`: `- **term** — definition`",
        (SpecKind::Decision, false, _) => "write an entry under `## Decision`",
        (SpecKind::Decision, true, _) => "write `- decision: …` under `## Decision`",
    }
}

/// The same, in the words of a TypeScript carrier.
const fn evidence_in_typescript(kind: SpecKind, complete: bool) -> &'static str {
    match (kind, complete) {
        (SpecKind::Behavior | SpecKind::Workflow | SpecKind::Contract, false) => {
            "write a rule, an example or a flow under `behavior`, or let a rule or example Spec that holds one refine this Spec"
        }
        (SpecKind::Behavior | SpecKind::Workflow | SpecKind::Contract, true) => {
            "write a rule or an example under `behavior` (flows and constraints alone do not suffice), or let a rule or example Spec that holds one refine this Spec"
        }
        (SpecKind::Example, false) => {
            "write the case under `behavior`: `examples: [{ given: [\"…\"], when: [\"…\"], then: [\"…\"] }]`"
        }
        (SpecKind::Example, true) => {
            "write `given`, `when` and `then` in one element of `behavior.examples`, bind every slot, and use steps of the parent's example space"
        }
        (SpecKind::Rule, _) => "write the rule under `behavior`: `rules: [\"…\"]`",
        (SpecKind::Constraint, false) => "write `constraints: [{ statement: \"…\" }]`",
        (SpecKind::Constraint, true) => "write `target: \"…\"` in each element of `constraints`",
        (SpecKind::Model, _) => "write a term under `model`: `terms: { \"…\": \"…\" }`",
        (SpecKind::Decision, false) => "write a field of `decision`",
        (SpecKind::Decision, true) => "write `decision: { decision: \"…\" }`",
    }
}

impl Clause {
    /// The remedy for this very Spec: it names the first slot that binds nothing, where one keeps an example from being whole.
    pub(in crate::validate) fn remedy_of(self, spec: &SpecNode) -> String {
        let is_example = self == Clause::EvidenceComplete && spec.spec_kind == SpecKind::Example;
        let unbound = is_example.then(|| space::first_unbound_slot(spec)).flatten();
        match unbound {
            Some(slot) => bind(&slot),
            None => {
                let form = CarrierForm::of_file_name(&spec.file).unwrap_or(CarrierForm::Markdown);
                self.remedy(spec.spec_kind, form).to_owned()
            }
        }
    }
}

/// How a slot of an example comes to bind a value.
fn bind(slot: &Slot<'_>) -> String {
    let (name, source) = (slot.name, slot.source);
    let written = source.split_once(':').map_or("", |(_, written)| written).trim();
    let plain = written.trim_matches(['\'', '“', '”', '‘', '’', '`', ' ']);
    let shown = shown(source);
    match &slot.form {
        SlotForm::Malformed if name == "__proto__" => {
            format!("`{{{shown}}}` binds nothing: give the slot another name")
        }
        SlotForm::Malformed if plain.is_empty() || plain.contains('"') || plain.chars().count() > SHOWN => format!(
            "`{{{shown}}}` binds nothing: behind the colon stands a number, `true`, `false` or one text in quotes"
        ),
        SlotForm::Malformed if plain.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) => {
            format!(
                "`{{{shown}}}` binds nothing: a number is digits with one point at most, and a text needs quotes: `{{{name}: \"{plain}\"}}`"
            )
        }
        SlotForm::Malformed => {
            format!("`{{{shown}}}` binds nothing: a text needs quotes: `{{{name}: \"{plain}\"}}`")
        }
        SlotForm::Typed(_) => {
            format!("`{{{shown}}}` binds nothing: an example gives the slot one value, not a type")
        }
        SlotForm::Bare | SlotForm::Bound(_) => {
            format!("`{{{shown}}}` binds nothing: write a value behind the name, such as `{{{shown}: 2}}`")
        }
    }
}

/// The beginning of a long text.
fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
