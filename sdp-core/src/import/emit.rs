//! Emission: a Spec as it was authored comes in, the Markdown carrier that reads back as this very Spec goes out, or the first
//! place where it would not. What is written is always read again and compared, so that nothing is lost in silence: the reader
//! of Markdown alone decides what the grammar takes.

use std::fmt::Write as _;

use super::fields::{DOCUMENT, constraint_fields, divergence, intent_fields};
use crate::carrier::{MAX_CARRIER_BYTES, markdown};
use crate::finding::Finding;
use crate::model::{
    Behavior, Decision, Document, Example, Intent, ModelSection, OpenBag, Phase, Question, RelationType, Rule,
    SpecDocument, SpecKind, Steps, Verification, is_js_whitespace,
};

/// Why a Spec has no Markdown form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfaithful {
    /// The first field that Markdown does not hold, such as `design.limits`; `document` where the whole is refused.
    pub path: String,
    /// What is wrong with it.
    pub reason: String,
    /// The field at which the grammar refuses the whole, where it is known.
    pub at: Option<String>,
}

impl Unfaithful {
    fn new(path: impl Into<String>, reason: impl Into<String>) -> Self {
        Unfaithful { path: path.into(), reason: reason.into(), at: None }
    }

    /// The field to change, where one is known.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.at.as_deref().or_else(|| Some(self.path.as_str()).filter(|path| *path != DOCUMENT))
    }
}

const NOT_PRESERVED: &str = "the emitted Markdown does not preserve the authored Spec data";

/// Writes a Spec as a Markdown carrier. `file` is the carrier's path, which nothing but a refusal would name.
///
/// # Errors
/// [`Unfaithful`] where what would be written does not read back as the same Spec; lines, and the order of relations of
/// different types, do not count.
pub fn markdown(file: &str, spec: &SpecDocument) -> Result<String, Unfaithful> {
    let Some(title) = &spec.title else { return Err(Unfaithful::new("title", "Markdown requires an H1 title")) };
    if title.contains(['\n', '\r']) {
        return Err(Unfaithful::new("title", "multi-line titles are not representable"));
    }
    let mut relations = spec.relations.clone();
    relations.sort();
    if relations.windows(2).any(|pair| matches!(pair, [one, other] if one == other)) {
        return Err(Unfaithful::new("relations", "duplicate relation entry"));
    }
    let page = Page::of(spec, title);
    match markdown::read(file, &page.text) {
        Err(findings) => Err(page.refused(&findings)),
        Ok(Document::Spec(read)) if is_same(spec, &read) => Ok(page.text),
        Ok(Document::Spec(read)) => Err(Unfaithful::new(divergence(spec, &read), NOT_PRESERVED)),
        Ok(Document::Pack(_) | Document::Anchor(_)) => Err(Unfaithful::new("id", NOT_PRESERVED)),
    }
}

/// Whether two Specs say the same. Where their entries stand follows from the sections.
fn is_same(one: &SpecDocument, other: &SpecDocument) -> bool {
    let SpecDocument { id, line: _, kind, altitude, readiness, relations, title, narrative, sections, entries: _ } =
        one;
    let sorted = |relations: &[(RelationType, String)]| {
        let mut relations = relations.to_vec();
        relations.sort();
        relations
    };
    (id, kind, altitude, readiness) == (&other.id, &other.kind, &other.altitude, &other.readiness)
        && (title, narrative, sections) == (&other.title, &other.narrative, &other.sections)
        && sorted(relations) == sorted(&other.relations)
}

/// A Markdown document in the making. It is written without a look at what the grammar takes: reading it again judges that.
#[derive(Default)]
struct Page {
    text: String,
    /// How many lines are written.
    lines: u32,
    /// The first line of what was written for a field, and the field's path; by line.
    places: Vec<(u32, String)>,
}

impl Page {
    /// The whole document (fact sheet 11.3).
    fn of(spec: &SpecDocument, title: &str) -> Self {
        let mut page = Page::default();
        page.frontmatter(spec);
        page.field("title", &format!("# {title}"));
        page.prose("narrative", spec.narrative.as_deref());
        let sections = &spec.sections;
        // Only an example's Intent may own a fence, and only one.
        let example = match sections.behavior.as_ref().and_then(|behavior| behavior.examples.as_deref()) {
            Some([Example::Structured(steps), ..]) if spec.kind == SpecKind::Example => Some(steps),
            _ => None,
        };
        if sections.intent.is_some() || example.is_some() {
            page.intent(sections.intent.as_ref(), example);
        }
        if let Some(behavior) = &sections.behavior {
            page.behavior(spec.kind, behavior, example.is_some());
        }
        if let Some([constraint, ..]) = sections.constraints.as_deref() {
            page.heading("Constraints");
            let fields = constraint_fields(constraint).map(|(field, value)| ("constraints[0]", field, value));
            page.fields(&fields);
        }
        if let Some(model) = &sections.model {
            page.model(model);
        }
        if let Some(design) = &sections.design {
            page.bag("Design", "design", design);
        }
        if let Some(decision) = &sections.decision {
            page.decision(decision);
        }
        if let Some(Verification { description, mode: Some(mode), criteria }) = &sections.verification {
            page.heading(&format!("Verification — {mode}"));
            page.prose("verification.description", description.as_deref());
            page.entries(numbered("verification.criteria", criteria.as_deref(), ""));
        }
        if let Some(ui) = &sections.ui {
            page.bag("UI", "ui", ui);
        }
        page
    }

    fn frontmatter(&mut self, spec: &SpecDocument) {
        let SpecDocument { id, kind, altitude, readiness, relations, .. } = spec;
        self.line("---");
        self.field("id", &format!("id: {id}"));
        self.line(&format!("kind: {kind}"));
        self.line(&format!("altitude: {altitude}"));
        self.line(&format!("readiness: {readiness}"));
        self.field("relations", if relations.is_empty() { "relations: {}" } else { "relations:" });
        for relation in RelationType::ALL {
            let mut targets = Vec::new();
            targets.extend(relations.iter().filter(|(kind, _)| kind == relation).map(|(_, target)| target));
            match targets.as_slice() {
                [] => {}
                [target] => self.line(&format!("  {relation}: {target}")),
                targets => {
                    self.line(&format!("  {relation}:"));
                    targets.iter().for_each(|target| self.line(&format!("    - {target}")));
                }
            }
        }
        self.line("---");
    }

    fn intent(&mut self, intent: Option<&Intent>, example: Option<&Steps>) {
        self.heading("Intent");
        if let Some(intent) = intent {
            self.prose("intent.description", intent.description.as_deref());
            let fields = intent_fields(intent).map(|(field, value)| ("intent", field, value));
            let entries = keyed(&fields)
                .chain(numbered("intent.risks", intent.risks.as_deref(), "risk: "))
                .chain(numbered("intent.assumptions", intent.assumptions.as_deref(), "assumption: "));
            self.entries(entries.collect::<Vec<_>>());
            if let Some(questions) = &intent.open_questions {
                self.blank();
                self.line("### Open questions");
                let entries = questions.iter().enumerate().map(|(place, Question { question, blocking, key })| {
                    let flag = if *blocking { "blocking" } else { "non-blocking" };
                    let key = key.as_ref().map(|key| format!(" #{key}")).unwrap_or_default();
                    (format!("intent.openQuestions[{place}]"), format!("[{flag}{key}] {question}"))
                });
                self.entries(entries.collect::<Vec<_>>());
            }
        }
        if let Some(steps) = example {
            self.fence("behavior.examples[0]", "gwt", steps);
        }
    }

    fn behavior(&mut self, kind: SpecKind, behavior: &Behavior, has_fence: bool) {
        let Behavior { description, rules, examples: _, flows, example_space } = behavior;
        let has_entries = rules.is_some() || flows.is_some();
        // An example space, or the fence of an example, makes a behavior of its own.
        let owns = has_entries || (example_space.is_none() && (description.is_some() || !has_fence));
        if owns {
            let owner = Owner::of(kind, behavior);
            self.heading(owner.heading());
            self.prose("behavior.description", description.as_deref());
            let rules = rules.iter().flatten().enumerate().map(|(place, Rule { text, key })| {
                let marker = key.as_ref().map(|key| format!("[#{key}] ")).unwrap_or_default();
                (format!("behavior.rules[{place}]"), format!("{}{marker}{text}", owner.before_rules()))
            });
            let flows = numbered("behavior.flows", flows.as_deref(), owner.before_flows());
            self.entries(rules.chain(flows).collect::<Vec<_>>());
        }
        if let Some(space) = example_space {
            self.heading("Example space");
            self.prose("behavior.description", description.as_deref().filter(|_| !owns));
            self.fence("behavior.exampleSpace", "gwt-vocabulary", space);
        }
    }

    fn model(&mut self, model: &ModelSection) {
        self.heading("Model");
        self.prose("model.description", model.description.as_deref());
        let terms = model.terms.iter().flatten();
        let entries = terms.map(|(term, text)| (format!("model.terms.{term}"), format!("**{term}** — {text}")));
        self.entries(entries.collect::<Vec<_>>());
    }

    fn decision(&mut self, decision: &Decision) {
        self.heading("Decision");
        self.prose("decision.description", decision.description.as_deref());
        let once = [
            ("decision", "context", decision.context.as_deref()),
            ("decision", "decision", decision.decision.as_deref()),
        ];
        let entries = keyed(&once)
            .chain(numbered("decision.rationale", decision.rationale.as_deref(), "rationale: "))
            .chain(numbered("decision.alternatives", decision.alternatives.as_deref(), "alternative: "))
            .chain(numbered("decision.consequences", decision.consequences.as_deref(), "consequence: "));
        self.entries(entries.collect::<Vec<_>>());
    }

    fn bag(&mut self, heading: &str, path: &str, bag: &OpenBag) {
        self.heading(heading);
        self.prose(&format!("{path}.description"), bag.description.as_deref());
        // What is no text has no form at all; reading again finds that it is missing.
        let texts = bag.entries.iter().filter_map(|(key, value)| Some((key, value.as_text()?)));
        let entries = texts.map(|(key, text)| (format!("{path}.{key}"), format!("{key}: {text}")));
        self.entries(entries.collect::<Vec<_>>());
    }

    fn fence(&mut self, path: &str, language: &str, steps: &Steps) {
        self.blank();
        self.field(path, &format!("```{language}"));
        for phase in [Phase::Given, Phase::When, Phase::Then] {
            let (word, texts) = match phase {
                Phase::Given => ("Given", &steps.given),
                Phase::When => ("When", &steps.when),
                Phase::Then => ("Then", &steps.then),
            };
            for (place, text) in texts.iter().enumerate() {
                let word = if place == 0 { word } else { "And" };
                self.field(&format!("{path}.{phase}[{place}]"), &format!("{word} {text}"));
            }
        }
        self.line("```");
    }

    fn heading(&mut self, heading: &str) {
        self.blank();
        self.line(&format!("## {heading}"));
    }

    fn prose(&mut self, path: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.blank();
            self.field(path, text);
        }
    }

    fn fields(&mut self, fields: &[(&str, &str, Option<&str>)]) {
        self.entries(keyed(fields).collect::<Vec<_>>());
    }

    fn entries(&mut self, entries: impl IntoIterator<Item = (String, String)>) {
        let mut entries = entries.into_iter().peekable();
        if entries.peek().is_some() {
            self.blank();
        }
        for (path, text) in entries {
            self.field(&path, &format!("- {text}"));
        }
    }

    fn blank(&mut self) {
        self.line("");
    }

    fn field(&mut self, path: &str, text: &str) {
        self.places.push((self.lines.saturating_add(1), path.to_owned()));
        self.line(text);
    }

    fn line(&mut self, text: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{text}");
        let more = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        self.lines = self.lines.saturating_add(1).saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
    }

    /// What the grammar refuses, and the field at whose line it does so. What it refuses as a whole stands at no line: there it
    /// is the first field that holds what no document may hold.
    fn refused(&self, findings: &[Finding]) -> Unfaithful {
        // Where there are too many findings, the one that says so comes before them.
        let first = findings.iter().find(|finding| !markdown::is_limit(finding)).or_else(|| findings.first());
        let message = first.map_or("", |finding| finding.message.as_str());
        let line = first.and_then(|finding| finding.line).filter(|line| *line > 1);
        let at = line.map_or_else(|| self.breaks_the_whole(), |line| self.field_at(line));
        let reason = format!("the emitted Markdown is not accepted by the ruled grammar: {message}");
        Unfaithful { at: at.map(str::to_owned), ..Unfaithful::new(DOCUMENT, reason) }
    }

    /// The field that a line was written for.
    fn field_at(&self, line: u32) -> Option<&str> {
        let before = self.places.partition_point(|(start, _)| *start <= line);
        before.checked_sub(1).and_then(|place| self.places.get(place)).map(|(_, path)| path.as_str())
    }

    /// The first field with a line end of another kind or a line of the envelope.
    fn breaks_the_whole(&self) -> Option<&str> {
        if self.text.len() > MAX_CARRIER_BYTES {
            return None;
        }
        let frontmatter = self.text.split('\n').skip(1).position(|line| line == "---").map_or(0, |lines| lines + 2);
        let mut lines = (1u32..).zip(self.text.split('\n')).enumerate();
        let (_, (line, _)) =
            lines.find(|(before, (_, line))| line.contains('\r') || (*before >= frontmatter && *line == "---"))?;
        self.field_at(line)
    }
}

/// The section that the rules and flows of a Spec stand in.
#[derive(Clone, Copy)]
enum Owner {
    Behavior,
    Rule,
    Workflow,
    Contract,
}

impl Owner {
    /// That of the Spec's own kind, unless it takes not all of them: Behavior takes what has a line.
    fn of(kind: SpecKind, behavior: &Behavior) -> Self {
        let is_plain = |text: &str| {
            !markdown::is_keyed(text) && !text.starts_with([' ', '\t']) && !text.chars().all(is_js_whitespace)
        };
        let rules = || behavior.rules.iter().flatten().all(|rule| rule.key.is_some() || is_plain(&rule.text));
        match kind {
            SpecKind::Rule if behavior.flows.is_none() && rules() => Owner::Rule,
            SpecKind::Contract if behavior.flows.is_none() && rules() => Owner::Contract,
            SpecKind::Workflow if behavior.flows.iter().flatten().all(|flow| is_plain(flow)) => Owner::Workflow,
            _ => Owner::Behavior,
        }
    }

    const fn heading(self) -> &'static str {
        match self {
            Owner::Behavior => "Behavior",
            Owner::Rule => "Rule",
            Owner::Workflow => "Workflow",
            Owner::Contract => "Contract",
        }
    }

    const fn before_rules(self) -> &'static str {
        match self {
            Owner::Behavior | Owner::Workflow => "rule: ",
            Owner::Rule | Owner::Contract => "",
        }
    }

    const fn before_flows(self) -> &'static str {
        match self {
            Owner::Behavior => "flow: ",
            Owner::Rule | Owner::Workflow | Owner::Contract => "",
        }
    }
}

/// The entries of fields that stand once: section path, key, value.
fn keyed<'f>(fields: &'f [(&str, &str, Option<&str>)]) -> impl Iterator<Item = (String, String)> + 'f {
    fields
        .iter()
        .filter_map(|(path, field, value)| value.map(|value| (format!("{path}.{field}"), format!("{field}: {value}"))))
}

/// The entries of a list, each behind the same key.
fn numbered<'t>(
    path: &'t str,
    texts: Option<&'t [String]>,
    key: &'t str,
) -> impl Iterator<Item = (String, String)> + 't {
    let texts = texts.unwrap_or_default().iter().enumerate();
    texts.map(move |(place, text)| (format!("{path}[{place}]"), format!("{key}{text}")))
}
