//! Descriptions: the lines below a Feature or a Scenario come in, its narrative and what its keyed bullets say go out.

use std::fmt;

use crate::model::{Intent, Verification, VerificationMode};
use crate::suggest::Candidates;

use super::findings::Findings;
use super::lexer::trim;
use super::syntax::TextLine;

const KEYS: [&str; 9] =
    ["problem", "outcome", "value", "actor", "description", "risk", "assumption", "criterion", "verification-mode"];

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
            Construct::Feature(name) => write!(f, "Feature \"{name}\""),
            Construct::Scenario(name) => write!(f, "Scenario \"{name}\""),
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
    let mut narrative = String::new();
    let mut is_new_paragraph = false;
    for line in lines {
        let text = trim(line.text);
        if text.is_empty() {
            is_new_paragraph = true;
        } else if let Some((key, value)) = keyed(text) {
            description.bullet(construct, subject, (line, key, value), findings);
        } else if is_heading_shaped(text) {
            let help = "write it as a plain sentence, or as a bullet such as `- outcome: …`";
            findings.grammar(line.at, subject, help, || {
                format!(
                    "{construct} description line \"{text}\" is heading-shaped; the Gherkin carrier has no description headings"
                )
            });
        } else {
            if !narrative.is_empty() {
                narrative.push_str(if is_new_paragraph { "\n\n" } else { " " });
            }
            narrative.push_str(text);
            is_new_paragraph = false;
        }
    }
    description.narrative = Some(narrative).filter(|narrative| !narrative.is_empty());
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
        if !KEYS.contains(&key) {
            let help = "use one of the keys, or write the line without its `- `";
            findings.grammar(line.at, subject, help, || {
                let near = Candidates::new(KEYS).unique_nearest(key, 2, usize::MAX);
                let hint = near.map(|near| format!("; did you mean \"{near}\"?")).unwrap_or_default();
                format!("{construct} description key \"{key}\" is outside the closed set {}{hint}", KEYS.join(" | "))
            });
            return;
        }
        if value.is_empty() {
            findings.grammar(line.at, subject, "write the value on the same line", || {
                format!("{construct} description key \"{key}\" requires a value")
            });
            return;
        }
        let slot = match key {
            "risk" => return self.intent().risks.get_or_insert_default().push(value.to_owned()),
            "assumption" => return self.intent().assumptions.get_or_insert_default().push(value.to_owned()),
            "criterion" => return self.verification().criteria.get_or_insert_default().push(value.to_owned()),
            "verification-mode" => {
                let mode = VerificationMode::from_word(value);
                if mode.is_none() {
                    findings.grammar(line.at, subject, "write one of the four words", || {
                        format!(
                            "{construct} verification mode \"{value}\" is outside manual | reviewed | contract | executable"
                        )
                    });
                    return;
                }
                let slot = &mut self.verification().mode;
                if slot.is_none() {
                    *slot = mode;
                    return;
                }
                None
            }
            "problem" => Some(&mut self.intent().problem),
            "outcome" => Some(&mut self.intent().outcome),
            "value" => Some(&mut self.intent().value),
            "actor" => Some(&mut self.intent().actor),
            _ => Some(&mut self.intent().description),
        };
        match slot {
            Some(slot @ None) => *slot = Some(value.to_owned()),
            _ => findings.grammar(
                line.at,
                subject,
                "keep one of the two; only risk, assumption and criterion repeat",
                || format!("{construct} description key \"{key}\" is authored more than once"),
            ),
        }
    }

    fn intent(&mut self) -> &mut Intent {
        self.intent.get_or_insert_default()
    }

    fn verification(&mut self) -> &mut Verification {
        self.verification.get_or_insert_default()
    }
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
