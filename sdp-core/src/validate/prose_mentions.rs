//! Every id that prose mentions resolves, and a mention without a relation between the two Specs is said (newest sheet
//! part 11, check 9). Texts of the graph's Specs come in, findings go out; no text is cut, guessed or read as Markdown
//! beyond its escapes. What no id can be is shown by its beginning.

mod delimiters;
mod prose;
mod token;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::OnceLock;

use rayon::prelude::*;

use self::prose::{Place, each_text};
use self::token::Scanner;
use super::meant::meant;
use crate::carrier::CarrierForm;
use crate::finding::{Finding, FindingId};
use crate::graph::{Graph, Index, Node, SpecNode};
use crate::harmless;
use crate::model::{MAX_ID_BYTES, OpenBag, parse_id};

/// How much text the findings of one Spec hold before the rest is only counted, in bytes: a long key in 20 000
/// messages would be another matter than the carrier that asks for them.
const MAX_TEXT: usize = 1 << 20;

/// How many characters of a token that is too long for an id a finding shows.
const MAX_SHOWN: usize = 80;

#[sdp::satisfies("spec:sdp.checks.prose-mentions", component = "component:sdp.checks")]
pub(super) fn check(graph: &Graph, index: &Index, findings: &mut Vec<Finding>) {
    let corpus = Corpus::new(graph, index);
    let judged: Vec<Judged<'_>> = graph.nodes.par_iter().filter_map(|node| corpus.judge(node.as_spec()?)).collect();
    let mut missing = Vec::new();
    for spec in judged {
        findings.extend(spec.findings);
        missing.extend(spec.missing);
    }
    let wanted: BTreeSet<&str> = missing.iter().filter_map(missing_target).collect();
    let specs = graph.nodes.iter().filter_map(Node::as_spec);
    let meant = meant(specs.map(|spec| spec.id.as_str()), wanted);
    let meant: Vec<Option<&str>> = missing.iter().map(|finding| meant.get(missing_target(finding)?).copied()).collect();
    findings.extend(missing.into_iter().zip(meant).map(|(mut finding, meant)| {
        if let Some(id) = meant {
            finding.message.push_str(&format!(" Did you mean \"{id}\"?"));
        }
        finding
    }));
}

/// The Spec that a finding of [`Judged::missing`] misses: its token without the address.
fn missing_target(finding: &Finding) -> Option<&str> {
    finding.related.as_deref()?.split('#').next()
}

/// What all Specs are judged by.
struct Corpus<'g> {
    graph: &'g Graph,
    index: &'g Index,
    scanner: Scanner,
    /// The addresses of each node's entries, collected when the first mention asks for one.
    entries: Vec<OnceLock<Box<Entries<'g>>>>,
}

/// Section and key of each addressable entry of one Spec.
pub(super) type Entries<'g> = HashSet<(&'static str, &'g str)>;

/// What one Spec's mentions give.
#[derive(Default)]
struct Judged<'g> {
    findings: Vec<Finding>,
    /// Findings about a missing target, which a suggestion may follow.
    missing: Vec<Finding>,
    /// The other Specs that are mentioned.
    mentioned: BTreeMap<&'g str, Mentioned<'g>>,
    /// How much text the findings hold.
    bytes: usize,
    /// How many findings were left out.
    left_out: usize,
}

/// How one Spec mentions another.
struct Mentioned<'g> {
    first: Place<'g>,
    /// How many texts hold a mention, and the last of them.
    places: usize,
    last: usize,
}

impl<'g> Corpus<'g> {
    fn new(graph: &'g Graph, index: &'g Index) -> Self {
        let entries = graph.nodes.iter().map(|_| OnceLock::new()).collect();
        Corpus { graph, index, scanner: Scanner::new(), entries }
    }

    /// All that the mentions of one Spec give; none when it has none.
    fn judge(&self, spec: &'g SpecNode) -> Option<Judged<'g>> {
        let mut judged = None;
        let mut number = 0;
        each_text(spec, &mut |place, text| {
            number += 1;
            let Some(plain) = self.scanner.plain(text) else { return };
            let mut seen = HashSet::new();
            for token in self.scanner.tokens(&plain) {
                if token != spec.id && seen.insert(token) {
                    self.mention(spec, token, place, number, judged.get_or_insert_default());
                }
            }
        });
        let mut judged: Judged<'g> = judged?;
        self.warn(spec, &mut judged);
        if judged.left_out > 0 {
            let count = judged.left_out;
            let message = format!(
                "Spec \"{}\" has {count} more findings about mentions, which are said when these are mended.",
                spec.id
            );
            judged
                .findings
                .push(Finding::left_out(FindingId::ProseMentions, message).about(&spec.id).at(&spec.file, None));
        }
        Some(judged)
    }

    /// Resolves one token of the text with a number.
    fn mention(&self, spec: &'g SpecNode, token: &str, place: Place<'g>, number: usize, judged: &mut Judged<'g>) {
        let id = &spec.id;
        let shown = said(token);
        let parsed = match parse_id(token) {
            Ok(parsed) => parsed,
            Err(refusal) => {
                return judged.say(|| {
                    let message = format!(
                        "Mention \"{shown}\" in \"{id}\" at {place} is not a Spec id or entry address: {}",
                        refusal.reason
                    );
                    error(spec, &shown, place, message).with_help(
                        "write the whole id or entry address and set it off from what follows; a pattern is prose in a code span with angle brackets, such as `spec:<id>`",
                    )
                });
            }
        };
        let target = token.split('#').next().unwrap_or(token);
        let position = self.index.position(target);
        let resolved = position.and_then(|position| Some((position, self.graph.nodes.get(position)?.as_spec()?)));
        let Some((position, target)) = resolved else {
            let finding = || {
                let message = format!("Mention in \"{id}\" at {place} points to missing target \"{shown}\".");
                error(spec, &shown, place, message)
            };
            // No id is near the beginning of a longer one.
            return if token.len() > MAX_ID_BYTES { judged.say(finding) } else { judged.miss(finding) };
        };
        if let Some((section, key)) = parsed.entry
            && !self.has_entry(position, target, section, key)
        {
            judged.say(|| {
                let message = format!(
                    "Mention in \"{id}\" at {place} points to missing entry \"{section}.{}\" of \"{}\".",
                    said(key),
                    target.id
                );
                error(spec, &shown, place, message).with_help(entry_help(section, &target.file))
            });
        }
        if target.id != *id {
            judged.count(&target.id, place, number);
        }
    }

    fn has_entry(&self, position: usize, target: &'g SpecNode, section: &str, key: &str) -> bool {
        let Some(entries) = self.entries.get(position) else { return false };
        let entries: &Entries<'_> = entries.get_or_init(|| Box::new(entries_of(target)));
        entries.contains(&(section, key))
    }

    /// One warning for each mentioned Spec that no declared relation ties to this one, whichever of the two declares it.
    fn warn(&self, spec: &'g SpecNode, judged: &mut Judged<'g>) {
        let mut mentioned = std::mem::take(&mut judged.mentioned);
        if mentioned.is_empty() {
            return;
        }
        let outgoing = self.index.edges_from(self.graph, &spec.id).map(|edge| (edge, &edge.to));
        let incoming = self.index.edges_to(self.graph, &spec.id).map(|edge| (edge, &edge.from));
        for (edge, other) in outgoing.chain(incoming) {
            if edge.is_relation() {
                mentioned.remove(other.as_str());
            }
        }
        for (target, Mentioned { first, places, .. }) in mentioned {
            judged.say(|| {
                let locations = if places == 1 { "location" } else { "locations" };
                let message = format!(
                    "Mention of \"{target}\" in \"{}\" at {places} {locations}, first at {first}, with no declared relation between them; informative only. Declare the relation that fits, or leave the mention as prose and let the warning stand when none does.",
                    spec.id
                );
                Finding::warning(FindingId::ProseMentions, message)
                    .about(&spec.id)
                    .naming(target)
                    .in_field(first.to_string())
                    .at(&spec.file, None)
                    .with_help("declare a relation only where one of the six says what the prose says; a warning never fails a check")
            });
        }
    }
}

impl<'g> Judged<'g> {
    fn say(&mut self, finding: impl FnOnce() -> Finding) {
        if let Some(finding) = self.within_measure(finding) {
            self.findings.push(finding);
        }
    }

    fn miss(&mut self, finding: impl FnOnce() -> Finding) {
        if let Some(finding) = self.within_measure(finding) {
            self.missing.push(finding);
        }
    }

    fn within_measure(&mut self, finding: impl FnOnce() -> Finding) -> Option<Finding> {
        if self.bytes > MAX_TEXT {
            self.left_out += 1;
            return None;
        }
        let finding = finding();
        let texts = [&finding.subject, &finding.related, &finding.path, &finding.file];
        self.bytes += finding.message.len() + texts.into_iter().flatten().map(String::len).sum::<usize>();
        Some(finding)
    }

    /// Counts the text with a number once for a mentioned Spec.
    fn count(&mut self, target: &'g str, place: Place<'g>, number: usize) {
        let mentioned = self.mentioned.entry(target).or_insert(Mentioned { first: place, places: 0, last: 0 });
        if mentioned.last != number {
            mentioned.last = number;
            mentioned.places += 1;
        }
    }
}

/// A token as findings show it.
fn said(token: &str) -> Cow<'_, str> {
    if token.len() > MAX_ID_BYTES { harmless::shown(token, MAX_SHOWN) } else { Cow::Borrowed(token) }
}

fn error(spec: &SpecNode, token: &str, place: Place<'_>, message: String) -> Finding {
    Finding::error(FindingId::ProseMentions, message)
        .about(&spec.id)
        .naming(token)
        .in_field(place.to_string())
        .at(&spec.file, None)
}

/// A Spec's own keys. A description of Design or UI is prose of the section, and no entry.
pub(super) fn entries_of(spec: &SpecNode) -> Entries<'_> {
    let Some(sections) = &spec.sections else { return Entries::new() };
    let questions = sections.intent.iter().flat_map(|intent| intent.open_questions.iter().flatten());
    let rules = sections.behavior.iter().flat_map(|behavior| behavior.rules.iter().flatten());
    keys("design", &sections.design)
        .chain(keys("ui", &sections.ui))
        .chain(questions.filter_map(|question| Some(("question", question.key.as_deref()?))))
        .chain(rules.filter_map(|rule| Some(("rule", rule.key.as_deref()?))))
        .collect()
}

fn keys<'g>(section: &'static str, bag: &'g Option<OpenBag>) -> impl Iterator<Item = (&'static str, &'g str)> {
    let keys = bag.iter().flat_map(|bag| &bag.entries).map(|(key, _)| key.as_str());
    keys.filter(|key| *key != "description").map(move |key| (section, key))
}

pub(super) fn entry_help(section: &str, file: &str) -> &'static str {
    match section {
        _ if CarrierForm::of_file_name(file) == Some(CarrierForm::Gherkin) => {
            "name the Spec itself: in a Gherkin carrier no entry has a key"
        }
        "question" => {
            "name the key of an open question of that Spec, as `[blocking #key]` or `[non-blocking #key]` gives it"
        }
        "rule" => "name the key of a rule of that Spec, as `[#key]` gives it",
        _ => "name the key of an entry of that section; the section's description is none",
    }
}

#[cfg(test)]
mod tests;
