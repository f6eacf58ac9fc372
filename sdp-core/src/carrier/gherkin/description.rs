//! Descriptions: the lines below a Feature or a Scenario come in, its narrative and what its keyed bullets say go out.

use std::fmt;

use crate::carrier::prose::Prose;
use crate::model::{Intent, Verification, VerificationMode};
use crate::suggest::Candidates;

use super::findings::{Findings, shown};
use super::lexer::trim;
use super::syntax::TextLine;

/// The keys of the bullets, in the order in which a finding lists them, and what each fills.
const KEYS: [(&str, Slot); 9] = [
    ("problem", Slot::Once(|description| &mut description.intent().problem)),
    ("outcome", Slot::Once(|description| &mut description.intent().outcome)),
    ("value", Slot::Once(|description| &mut description.intent().value)),
    ("actor", Slot::Once(|description| &mut description.intent().actor)),
    ("description", Slot::Once(|description| &mut description.intent().description)),
    ("risk", Slot::List(|description| &mut description.intent().risks)),
    ("assumption", Slot::List(|description| &mut description.intent().assumptions)),
    ("criterion", Slot::List(|description| &mut description.verification().criteria)),
    ("verification-mode", Slot::Mode),
];

/// What a bullet fills.
#[derive(Clone, Copy)]
enum Slot {
    /// A field that is written once.
    Once(fn(&mut Description) -> &mut Option<String>),
    /// A list to which each bullet adds.
    List(fn(&mut Description) -> &mut Option<Vec<String>>),
    /// The mode of the verification, once.
    Mode,
}

/// What a finding names as the thing it is about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Construct<'a> {
    Feature(&'a str),
    Scenario(&'a str),
    ExampleSpace,
}

impl fmt::Display for Construct<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Construct::Feature(name) => write!(f, "Feature \"{}\"", shown(name)),
            Construct::Scenario(name) => write!(f, "Scenario \"{}\"", shown(name)),
            Construct::ExampleSpace => f.write_str("@example-space pseudo-scenario"),
        }
    }
}

/// What a description says.
#[derive(Debug, Default)]
pub(super) struct Description {
    /// The lines that are no bullets: joined by a space, paragraphs by an empty line.
    pub(super) narrative: Option<String>,
    pub(super) intent: Option<Intent>,
    pub(super) verification: Option<Verification>,
}

/// Reads the lines of a description.
pub(super) fn read(
    construct: Construct<'_>,
    subject: Option<&str>,
    lines: &[TextLine<'_>],
    findings: &mut Findings<'_>,
) -> Description {
    let mut description = Description::default();
    let mut narrative = Prose::default();
    for line in lines {
        let text = trim(line.text);
        if text.is_empty() {
            narrative.blank();
        } else if let Some((key, value)) = keyed(text) {
            description.bullet(construct, subject, (line, key, value), findings);
        } else if is_heading_shaped(text) {
            let help = "write it as a plain sentence, or as a bullet such as `- outcome: …`";
            findings.grammar(line.at, subject, help, || {
                format!(
                    "{construct} description line \"{}\" is heading-shaped; the Gherkin carrier has no description headings",
                    shown(text)
                )
            });
        } else {
            narrative.line(text);
        }
    }
    description.narrative = narrative.finish();
    description
}

impl Description {
    fn bullet(
        &mut self,
        construct: Construct<'_>,
        subject: Option<&str>,
        (line, key, value): (&TextLine<'_>, &str, &str),
        findings: &mut Findings<'_>,
    ) {
        let Some((_, slot)) = KEYS.iter().find(|(known, _)| *known == key) else {
            let help = "use one of the keys, or write the line without its `- `";
            findings.grammar(line.at, subject, help, || {
                let keys = KEYS.map(|(key, _)| key);
                let near = Candidates::new(keys).unique_nearest(key, 2, usize::MAX);
                let hint = near.map(|near| format!("; did you mean \"{near}\"?")).unwrap_or_default();
                format!(
                    "{construct} description key \"{}\" is outside the closed set {}{hint}",
                    shown(key),
                    keys.join(" | ")
                )
            });
            return;
        };
        if value.is_empty() {
            findings.grammar(line.at, subject, "write the value on the same line", || {
                format!("{construct} description key \"{key}\" requires a value")
            });
            return;
        }
        let is_repeated = match slot {
            Slot::List(list) => {
                list(self).get_or_insert_default().push(value.to_owned());
                false
            }
            Slot::Once(field) => fill(field(self), value.to_owned()),
            Slot::Mode => {
                let Some(mode) = VerificationMode::from_word(value) else {
                    return findings.grammar(line.at, subject, "write one of the four words", || {
                        format!(
                            "{construct} verification mode \"{}\" is outside manual | reviewed | contract | executable",
                            shown(value)
                        )
                    });
                };
                fill(&mut self.verification().mode, mode)
            }
        };
        if is_repeated {
            let help = "keep one of the two; only risk, assumption and criterion repeat";
            findings.grammar(line.at, subject, help, || {
                format!("{construct} description key \"{key}\" is authored more than once")
            });
        }
    }

    fn intent(&mut self) -> &mut Intent {
        self.intent.get_or_insert_default()
    }

    fn verification(&mut self) -> &mut Verification {
        self.verification.get_or_insert_default()
    }
}

/// Fills a slot that is empty; says whether it was not.
fn fill<T>(slot: &mut Option<T>, value: T) -> bool {
    let is_taken = slot.is_some();
    slot.get_or_insert(value);
    is_taken
}

/// Key and value of a keyed bullet: `- key: value`, where the value may be empty. A line separator of Unicode's or a lone
/// CR inside the value makes it none.
fn keyed(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.strip_prefix("- ")?.split_once(':')?;
    let value = trim(value);
    let is_keyed = !key.is_empty() && !value.contains(['\r', '\u{2028}', '\u{2029}']);
    is_keyed.then(|| (trim(key), value))
}

/// Whether a line opens with a capital and ends at its first colon.
fn is_heading_shaped(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_uppercase()) && text.find(':') == Some(text.len() - 1)
}
