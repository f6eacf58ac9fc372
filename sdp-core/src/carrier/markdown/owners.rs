//! Owners: the raw content of each section comes in, typed sections and the lines of their addressable entries go out.
//! Each owner refuses what it does not take, and goes on, so that one reading reports all of it (fact sheet part 3.4).

use hashbrown::HashSet;

use crate::carrier::words::{is_integer_like, is_reserved};
use crate::finding::FindingId;
use crate::model::{
    Behavior, Constraint, Decision, EntryLine, EntryPlace, Example, Intent, ModelSection, OpenBag, Question, Rule,
    Sections, SpecKind, Verification, VerificationMode, is_entry_key, is_js_whitespace,
};

use super::body::{Content, Scan};
use super::entries;
use super::findings::{Findings, shown};
use super::headings::Owner;
use super::text::{Line, keyed};

/// Reads all sections of a body, in authored order.
pub(super) fn read(scan: &Scan<'_>, kind: SpecKind, findings: &mut Findings<'_>) -> (Sections, Vec<EntryLine>) {
    let mut reading = Reading { kind, sections: Sections::default(), entries: Vec::new(), findings };
    for section in &scan.sections {
        let content = scan.content(section, reading.findings);
        match section.owner {
            Owner::Intent => reading.intent(content),
            Owner::Behavior | Owner::Rule | Owner::Workflow | Owner::Contract => {
                reading.behavior(section.owner, content);
            }
            Owner::ExampleSpace => reading.example_space(content),
            Owner::Constraints => reading.constraints(content),
            Owner::Model => reading.model(content),
            Owner::Design => {
                let bag = reading.open_bag(content, EntryPlace::Design);
                reading.sections.design = Some(bag);
            }
            Owner::Decision => reading.decision(content),
            Owner::Ui => {
                let bag = reading.open_bag(content, EntryPlace::Ui);
                reading.sections.ui = Some(bag);
            }
            Owner::Verification(mode) => reading.verification(mode, content),
        }
    }
    (reading.sections, reading.entries)
}

struct Reading<'r, 'f> {
    kind: SpecKind,
    sections: Sections,
    entries: Vec<EntryLine>,
    findings: &'r mut Findings<'f>,
}

impl Reading<'_, '_> {
    fn intent(&mut self, content: Content<'_>) {
        self.intent_fence(&content);
        let questions_line = content.h3.and_then(|h3| {
            if h3.text == "Open questions" {
                return Some(h3.number);
            }
            self.findings.structure(h3.number, "only ### Open questions is accepted under Intent");
            None
        });
        let mut intent = Intent { description: content.description, ..Intent::default() };
        let mut keys = HashSet::new();
        for entry in &content.entries {
            let is_question_place = questions_line.is_some_and(|line| entry.number > line);
            if let Some(question) = entries::question(entry.text) {
                if !is_question_place {
                    self.findings.structure(entry.number, "open questions require ### Open questions");
                    continue;
                }
                if let Some(key) = question.key
                    && !self.is_fresh_key(
                        entry.number,
                        key,
                        &mut keys,
                        "open question keys must be lower-camel ASCII",
                        "open question keys must be unique",
                    )
                {
                    continue;
                }
                let key = question.key.map(str::to_owned);
                let questions = intent.open_questions.get_or_insert_default();
                let place = EntryPlace::Question(questions.len(), key.clone());
                self.entries.push(EntryLine { place, line: entry.number });
                let question = Question { question: question.text.to_owned(), blocking: question.blocking, key };
                questions.push(question);
                continue;
            }
            if is_question_place {
                self.findings.structure(entry.number, "Intent fields must precede ### Open questions");
                continue;
            }
            match keyed(entry.text) {
                None => self.findings.structure(entry.number, "Intent entries require a field name"),
                Some(("actor", value)) => self.once(entry, "actor", value, &mut intent.actor),
                Some(("problem", value)) => self.once(entry, "problem", value, &mut intent.problem),
                Some(("outcome", value)) => self.once(entry, "outcome", value, &mut intent.outcome),
                Some(("value", value)) => self.once(entry, "value", value, &mut intent.value),
                Some(("risk", value)) => append(&mut intent.risks, value),
                Some(("assumption", value)) => append(&mut intent.assumptions, value),
                Some((key, _)) => self.refuse_property(entry, key),
            }
        }
        self.sections.intent = Some(intent);
    }

    /// An example's Intent may own one `gwt` fence, which ends the section.
    fn intent_fence(&mut self, content: &Content<'_>) {
        let Some(first) = content.fences.first() else { return };
        if self.kind != SpecKind::Example || content.fences.len() > 1 || first.is_vocabulary {
            self.findings.structure(first.line, "only an example Intent may own one gwt fence");
            return;
        }
        if let Some(line) = content.after_fence {
            self.findings.structure(line, "the example gwt fence must immediately follow the Intent block");
        }
        let behavior = self.sections.behavior.get_or_insert_default();
        behavior.examples.get_or_insert_default().push(Example::Structured(first.steps.clone()));
    }

    fn behavior(&mut self, owner: Owner, content: Content<'_>) {
        self.refuse_h3_or_fence(&content, "this behavior owner does not accept an H3 or fence");
        self.behavior_description(&content);
        let mut keys = HashSet::new();
        for entry in &content.entries {
            match (owner, keyed(entry.text)) {
                (Owner::Behavior | Owner::Workflow, Some(("rule", value))) => self.rule(entry, value, &mut keys),
                (Owner::Behavior, Some(("flow", value))) => append(&mut self.behavior_mut().flows, value),
                (Owner::Behavior, Some((key, _))) if !is_reserved(key) => {
                    self.findings.structure(entry.number, "Behavior entries require rule or flow");
                }
                (Owner::Behavior, None) => {
                    self.findings.structure(entry.number, "Behavior entries require rule or flow");
                }
                (_, Some((key, _))) => self.refuse_property(entry, key),
                (Owner::Workflow, None) => append(&mut self.behavior_mut().flows, entry.text),
                (_, None) => self.rule(entry, entry.text, &mut keys),
            }
        }
    }

    fn rule<'a>(&mut self, entry: &Line<'_>, text: &'a str, keys: &mut HashSet<&'a str>) {
        let (key, text) = entries::rule(text);
        if let Some(key) = key {
            if !self.is_fresh_key(
                entry.number,
                key,
                keys,
                "rule keys must be lower-camel ASCII",
                "rule keys must be unique",
            ) {
                return;
            }
            if text.chars().all(is_js_whitespace) {
                self.findings.structure(entry.number, "list text must not be empty");
                return;
            }
        }
        let key = key.map(str::to_owned);
        let rules = self.behavior_mut().rules.get_or_insert_default();
        let place = EntryPlace::Rule(rules.len(), key.clone());
        rules.push(Rule { text: text.to_owned(), key });
        self.entries.push(EntryLine { place, line: entry.number });
    }

    fn example_space(&mut self, content: Content<'_>) {
        let vocabulary = match content.fences.as_slice() {
            [fence] if fence.is_vocabulary && content.h3.is_none() && content.entries.is_empty() => Some(fence),
            _ => {
                let line = if content.has_lines { content.first_line } else { 1 };
                self.findings.structure(line, "Example space requires exactly one gwt-vocabulary fence");
                None
            }
        };
        self.behavior_description(&content);
        self.behavior_mut().example_space = vocabulary.map(|fence| fence.steps.clone());
    }

    fn constraints(&mut self, content: Content<'_>) {
        self.refuse_h3_or_fence(&content, "Constraints accept one flat list entry");
        if content.description.is_some() {
            let message = "Constraints prose has no owner";
            self.findings.push(FindingId::UnownedProse, content.first_line, message);
        }
        let mut constraint = Constraint::default();
        for entry in &content.entries {
            match keyed(entry.text) {
                Some(("flavor", value)) => self.once(entry, "flavor", value, &mut constraint.flavor),
                Some(("statement", value)) => self.once(entry, "statement", value, &mut constraint.statement),
                Some(("target", value)) => self.once(entry, "target", value, &mut constraint.target),
                Some(("measurableBy", value)) => self.once(entry, "measurableBy", value, &mut constraint.measurable_by),
                Some((key, _)) if is_reserved(key) => self.refuse_property(entry, key),
                _ => self.findings.structure(entry.number, "Constraints entries require a recognized field"),
            }
        }
        if constraint.statement.is_none() {
            self.findings.structure(content.first_line, "Constraints require one statement");
        }
        self.sections.constraints = Some(vec![constraint]);
    }

    fn model(&mut self, content: Content<'_>) {
        self.refuse_h3_or_fence(&content, "Model does not accept an H3 or fence");
        let mut terms: Option<Vec<(String, String)>> = None;
        let mut seen = HashSet::new();
        for entry in &content.entries {
            let Some((term, definition)) = entries::model_term(entry.text) else {
                self.findings.structure(entry.number, "Model entries require **TERM** — DEFINITION");
                continue;
            };
            if is_integer_like(term) {
                self.findings.structure(entry.number, "model terms must not be integer-like");
            } else if !seen.insert(term) {
                self.findings.structure(entry.number, "model terms must be unique");
            } else {
                terms.get_or_insert_default().push((term.to_owned(), definition.to_owned()));
            }
        }
        self.sections.model = Some(ModelSection { description: content.description, terms });
    }

    fn open_bag(&mut self, content: Content<'_>, place: fn(String) -> EntryPlace) -> OpenBag {
        self.refuse_h3_or_fence(&content, "open sections do not accept an H3 or fence");
        let mut bag = OpenBag { description: content.description, entries: Vec::new() };
        let mut seen = HashSet::new();
        if bag.description.is_some() {
            seen.insert("description");
        }
        for entry in &content.entries {
            let Some((key, value)) = keyed(entry.text).filter(|(key, _)| is_entry_key(key)) else {
                self.findings.structure(entry.number, "open section keys must be lower-camel ASCII");
                continue;
            };
            if !seen.insert(key) {
                self.findings.structure(entry.number, "open section keys must be unique");
            } else if is_reserved(key) {
                self.refuse_property(entry, key);
            } else if key == "description" {
                bag.description = Some(value.to_owned());
            } else {
                bag.entries.push((key.to_owned(), value.to_owned().into()));
                self.entries.push(EntryLine { place: place(key.to_owned()), line: entry.number });
            }
        }
        bag
    }

    fn decision(&mut self, content: Content<'_>) {
        self.refuse_h3_or_fence(&content, "Decision does not accept an H3 or fence");
        let mut decision = Decision { description: content.description, ..Decision::default() };
        for entry in &content.entries {
            match keyed(entry.text) {
                Some(("context", value)) => self.once(entry, "context", value, &mut decision.context),
                Some(("decision", value)) => self.once(entry, "decision", value, &mut decision.decision),
                Some(("rationale", value)) => append(&mut decision.rationale, value),
                Some(("alternative", value)) => append(&mut decision.alternatives, value),
                Some(("consequence", value)) => append(&mut decision.consequences, value),
                Some((key, _)) if is_reserved(key) => self.refuse_property(entry, key),
                _ => self.findings.structure(entry.number, "Decision entries require a recognized field"),
            }
        }
        self.sections.decision = Some(decision);
    }

    fn verification(&mut self, mode: VerificationMode, content: Content<'_>) {
        self.refuse_h3_or_fence(&content, "Verification accepts plain criteria only");
        let mut criteria = None;
        for entry in &content.entries {
            match keyed(entry.text) {
                Some((key, _)) => self.refuse_property(entry, key),
                None => append(&mut criteria, entry.text),
            }
        }
        self.sections.verification =
            Some(Verification { description: content.description, mode: Some(mode), criteria });
    }

    fn behavior_mut(&mut self) -> &mut Behavior {
        self.sections.behavior.get_or_insert_default()
    }

    /// The behavior owner and the example space share one description; the second one is refused.
    fn behavior_description(&mut self, content: &Content<'_>) {
        let behavior = self.behavior_mut();
        let Some(description) = &content.description else { return };
        if behavior.description.is_some() {
            self.findings.structure(content.first_line, "behavior description has more than one owner");
        } else {
            behavior.description = Some(description.clone());
        }
    }

    fn refuse_h3_or_fence(&mut self, content: &Content<'_>, message: &'static str) {
        if let Some(line) = content.h3_or_fence() {
            self.findings.structure(line, message);
        }
    }

    fn refuse_property(&mut self, entry: &Line<'_>, key: &str) {
        let id = if is_reserved(key) { FindingId::ReservedProperty } else { FindingId::UnrecognizedProperty };
        self.findings.push(id, entry.number, format!("property \"{}\" is not accepted", shown(key)));
    }

    /// Sets a field that may be written once.
    fn once(&mut self, entry: &Line<'_>, field: &str, value: &str, slot: &mut Option<String>) {
        if slot.is_some() {
            let message = format!("field \"{field}\" is authored more than once");
            self.findings.push(FindingId::InvalidMarkdownStructure, entry.number, message);
        } else {
            *slot = Some(value.to_owned());
        }
    }

    /// Refuses an entry key outside the grammar, and one that was already seen.
    fn is_fresh_key<'a>(
        &mut self,
        line: u32,
        key: &'a str,
        seen: &mut HashSet<&'a str>,
        ill_formed: &'static str,
        repeated: &'static str,
    ) -> bool {
        if !is_entry_key(key) {
            self.findings.structure(line, ill_formed);
        } else if !seen.insert(key) {
            self.findings.structure(line, repeated);
        } else {
            return true;
        }
        false
    }
}

fn append(list: &mut Option<Vec<String>>, value: &str) {
    list.get_or_insert_default().push(value.to_owned());
}
