//! Tags: those of a Feature or a Scenario come in, its id, altitude, readiness and relations go out. A tag that is none of
//! these decorates and is ignored, unless it looks like something that a carrier must not say.

use crate::model::{Altitude, FACT_NAMES, Readiness, RelationType, SpecKind, parse_slot_id};
use crate::suggest::Candidates;

use super::findings::{Findings, shown};
use super::syntax::{Position, Tag};

/// The tag of the Scenario that holds the example space.
pub(super) const EXAMPLE_SPACE: &str = "@example-space";

const RELATIONS: [(&str, RelationType); 5] = [
    ("@refines.", RelationType::Refines),
    ("@depends-on.", RelationType::DependsOn),
    ("@constrained-by.", RelationType::ConstrainedBy),
    ("@decided-by.", RelationType::DecidedBy),
    ("@verifies.", RelationType::Verifies),
];

/// Heads that the graph knows, of at most five letters: one edit away is too close.
const SHORT_HEADS: [&str; 3] = ["spec", "kind", "pack"];
/// The longer ones: two edits away are too close.
const LONG_HEADS: [&str; 9] = [
    "altitude",
    "readiness",
    "supersedes",
    "verifies",
    "refines",
    "depends-on",
    "constrained-by",
    "decided-by",
    "example-space",
];
/// Those that no tag may open with.
const UNLAWFUL_HEADS: [&str; 4] = ["kind", "pack", "supersedes", "example-space"];

/// What the tags say.
#[derive(Debug, Default)]
pub(super) struct Envelope {
    /// The id and the 1-based line of its tag.
    pub(super) id: Option<(String, u32)>,
    pub(super) altitude: Option<Altitude>,
    pub(super) readiness: Option<Readiness>,
    /// In authored order; repeats stay.
    pub(super) relations: Vec<(RelationType, String)>,
}

impl Envelope {
    /// The id, where it is known.
    pub(super) fn subject(&self) -> Option<&str> {
        self.id.as_ref().map(|(id, _)| id.as_str())
    }
}

/// Reads tags for one carrier.
pub(super) struct TagReader {
    short_heads: Candidates<'static>,
    long_heads: Candidates<'static>,
}

impl TagReader {
    pub(super) fn new() -> Self {
        TagReader { short_heads: Candidates::new(SHORT_HEADS), long_heads: Candidates::new(LONG_HEADS) }
    }

    /// Reads the tags above a `Feature` or `Scenario` (`what`), whose keyword stands at `keyword`.
    pub(super) fn envelope(
        &self,
        what: &'static str,
        keyword: Position,
        tags: &[Tag<'_>],
        findings: &mut Findings<'_>,
    ) -> Envelope {
        let mut reading = Reading { what, envelope: Envelope::default(), has: Seen::default(), findings };
        for tag in tags.iter().copied() {
            if !reading.take(tag) {
                self.decoration(tag.at, tag.name, reading.findings);
            }
        }
        reading.require_all(keyword, tags);
        reading.envelope
    }

    /// Refuses a tag that decorates and says what no carrier may say, or nearly says what it may.
    pub(super) fn decoration(&self, at: Position, name: &str, findings: &mut Findings<'_>) {
        let shown = shown(name);
        if let Some(lookalike) = lookalike(name) {
            let help = "remove the tag: it follows from bindings and runs, or is kept elsewhere";
            findings.grammar(at, None, help, || {
                format!(
                    "Gherkin tag \"{shown}\" is refused as an {lookalike} lookalike; delivery facts, claims, and lifecycle state are never authored by the carrier"
                )
            });
        } else if let Some(kind) = name.strip_prefix("@kind.") {
            let reason =
                SpecKind::from_word(kind).and_then(lie).map(|reason| format!("; {reason}")).unwrap_or_default();
            let help = "remove the tag; a Spec of another kind than behavior and example is written in Markdown";
            findings.grammar(at, None, help, || {
                format!(
                    "Gherkin tag \"{shown}\" is refused: kind is structural (Feature → behavior, Scenario → example){reason}"
                )
            });
        } else if name == "@pack" || name.starts_with("@pack.") {
            findings.grammar(at, None, "remove the tag and list the Spec in the Pack's carrier", || {
                format!("Gherkin tag \"{shown}\" is refused: Pack membership is owned only by the Pack manifest")
            });
        } else if name.starts_with("@supersedes.") {
            findings.grammar(at, None, "remove the tag: only a decision supersedes, and it is written in Markdown", || {
                format!(
                    "Gherkin tag \"{shown}\" is refused: supersedes is outside the behavior/example carrier vocabulary"
                )
            });
        } else {
            self.near_miss(at, name, findings);
        }
    }

    fn near_miss(&self, at: Position, name: &str, findings: &mut Findings<'_>) {
        let shown = shown(name);
        let head = name.strip_prefix('@').unwrap_or(name).split('.').next().unwrap_or_default();
        let short = || self.short_heads.unique_nearest(head, 1, usize::MAX);
        let Some(reserved) = self.long_heads.unique_nearest(head, 2, usize::MAX).or_else(short) else { return };
        let hint = if UNLAWFUL_HEADS.contains(&reserved) {
            String::new()
        } else {
            format!("; did you mean \"@{reserved}.\"?")
        };
        findings.grammar(at, None, "correct the tag, or decorate with another word", || {
            format!(
                "Gherkin decoration tag \"{shown}\" uses authored head \"{head}\" too close to reserved graph-aware head \"{reserved}\"{hint}"
            )
        });
    }
}

/// The tags of one Feature or Scenario on their way into its envelope.
struct Reading<'r, 'f> {
    what: &'static str,
    envelope: Envelope,
    has: Seen,
    findings: &'r mut Findings<'f>,
}

/// Which tags were met, be they right or wrong: a wrong one is not missing.
#[derive(Default)]
struct Seen {
    id: bool,
    altitude: bool,
    readiness: bool,
}

impl Reading<'_, '_> {
    /// Takes a tag that says something; false for one that decorates.
    fn take(&mut self, tag: Tag<'_>) -> bool {
        let Tag { at, name } = tag;
        let shown = shown(name);
        let what = self.what;
        if let Some(path) = name.strip_prefix("@spec.") {
            if std::mem::replace(&mut self.has.id, true) {
                self.refuse(at, "keep one of the two", || {
                    format!(
                        "{what} carries duplicate identity tag \"{shown}\"; exactly one @spec.<dotted-id> is required"
                    )
                });
            } else if let Some(id) = identity(tag, path, self.findings) {
                self.envelope.id = Some((id, at.line));
            }
        } else if let Some(word) = name.strip_prefix("@altitude.") {
            let is_repeated = std::mem::replace(&mut self.has.altitude, true);
            let value = Altitude::from_word(word);
            if let Some(altitude) = self.word(tag, is_repeated, value, ("altitude", "epic | feature | story")) {
                self.envelope.altitude = Some(altitude);
            }
        } else if let Some(word) = name.strip_prefix("@readiness.") {
            let is_repeated = std::mem::replace(&mut self.has.readiness, true);
            let value = Readiness::from_word(word);
            if let Some(rung) = self.word(tag, is_repeated, value, ("readiness", "idea | scoped | defined | ready")) {
                self.envelope.readiness = Some(rung);
            }
        } else if let Some((relation, target)) = relation(name) {
            if let Some(target) = relation_target(tag, target, self.findings) {
                self.envelope.relations.push((relation, target));
            }
        } else if name == EXAMPLE_SPACE {
            self.refuse(at, "put the tag above a Scenario that holds the steps", || {
                format!("{what} tag \"{shown}\" is lawful only on the single pseudo-scenario")
            });
        } else {
            return false;
        }
        true
    }

    /// The value of a tag with a closed list of words; refuses a second tag and an unknown word.
    fn word<T>(
        &mut self,
        Tag { at, name }: Tag<'_>,
        is_repeated: bool,
        value: Option<T>,
        (noun, words): (&str, &str),
    ) -> Option<T> {
        let (what, shown) = (self.what, shown(name));
        if is_repeated {
            self.refuse(at, "keep one of the two", || {
                format!("{what} carries duplicate {noun} tag \"{shown}\"; exactly one {noun} is required")
            });
            return None;
        }
        if value.is_none() {
            self.refuse(at, "write one of the words behind the dot", || {
                format!("{what} {noun} tag \"{shown}\" is outside {words}")
            });
        }
        value
    }

    /// Reports what no tag said.
    fn require_all(&mut self, keyword: Position, tags: &[Tag<'_>]) {
        let what = self.what;
        // A tag with a colon for its first dot is ignored as decoration; what is missing is what it was meant to say.
        let help = |head: &str, otherwise: &str| {
            let meant = tags.iter().find_map(|tag| Some((tag, tag.name.strip_prefix(head)?.strip_prefix(':')?)));
            meant.map_or_else(
                || otherwise.to_owned(),
                |(tag, rest)| format!("write `{head}.{rest}` for the tag `{}` in line {}", tag.name, tag.at.line),
            )
        };
        let named = match self.envelope.subject() {
            Some(id) => format!("{what} \"{id}\""),
            None => what.to_owned(),
        };
        if !self.has.id {
            self.refuse(keyword, help("@spec", "add a tag such as `@spec.shop.refund` above it"), || {
                format!("{what} is missing @spec.<dotted-id>; exactly one identity tag is required")
            });
        }
        if !self.has.altitude {
            self.refuse(keyword, help("@altitude", "add one of the three tags above it"), || {
                format!("{named} is missing @altitude.epic|feature|story")
            });
        }
        if !self.has.readiness {
            self.refuse(keyword, help("@readiness", "add one of the four tags above it"), || {
                format!("{named} is missing @readiness.idea|scoped|defined|ready")
            });
        }
    }

    fn refuse(&mut self, at: Position, help: impl Into<String>, message: impl FnOnce() -> String) {
        self.findings.grammar(at, self.envelope.subject(), help, message);
    }
}

/// The id of a `@spec.` tag.
fn identity(Tag { at, name }: Tag<'_>, path: &str, findings: &mut Findings<'_>) -> Option<String> {
    let id = format!("spec:{path}");
    let shown = shown(name);
    match parse_slot_id(&id) {
        Ok(_) => Some(id),
        Err(error) => {
            let help = "an id tag is `@spec.` and dot-joined segments of letters, digits and `-`";
            findings.invalid_id(at, help, || format!("Gherkin id token \"{shown}\" is invalid: {error}"));
            None
        }
    }
}

fn relation(name: &str) -> Option<(RelationType, &str)> {
    RELATIONS.iter().find_map(|(head, relation)| Some((*relation, name.strip_prefix(head)?)))
}

/// The target of a relation's tag.
fn relation_target(Tag { at, name }: Tag<'_>, target: &str, findings: &mut Findings<'_>) -> Option<String> {
    let shown = shown(name);
    let help = "behind the dot stands a whole id: `@refines.spec:shop.orders`";
    match parse_slot_id(target) {
        Ok("spec") => return Some(target.to_owned()),
        Ok(_) => findings.invalid_id(at, help, || {
            format!("Gherkin id token \"{shown}\" is invalid: the target must use the spec: namespace")
        }),
        Err(error) => {
            findings.invalid_id(at, help, || format!("Gherkin id token \"{shown}\" is invalid: {error}"));
        }
    }
    None
}

/// What a tag would state that only the engine or nobody states.
fn lookalike(name: &str) -> Option<&'static str> {
    Some(match name {
        _ if name.strip_prefix('@').is_some_and(|name| FACT_NAMES.contains(&name)) => "delivery-fact",
        _ if name.starts_with("@claim") => "authored claim",
        _ if name.starts_with("@status-") => "authored lifecycle-status",
        _ if name.starts_with("@architect-") => "retired architect-status",
        _ => return None,
    })
}

/// Why a kind has no Gherkin form.
fn lie(kind: SpecKind) -> Option<&'static str> {
    Some(match kind {
        SpecKind::Behavior | SpecKind::Example => return None,
        SpecKind::Workflow => "workflow has no distinct Gherkin root and Feature mapping erases the kind",
        SpecKind::Rule => "rule collides with Rule: already consumed as inline behavior.rules",
        SpecKind::Constraint => "constraint needs machine-readable targets a Scenario cannot own",
        SpecKind::Model => "model needs keyed terms",
        SpecKind::Decision => {
            "decision needs context/decision/rationale/consequences (and supersedes) that Feature structure cannot distinguish"
        }
        SpecKind::Contract => {
            "contract shares the behavior family row today but Feature cannot structurally mark the kind"
        }
    })
}
