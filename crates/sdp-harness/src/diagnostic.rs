//! Diagnostics: what the engine's findings, the findings of rules and the faults of bodies have in common comes in, one shape
//! goes out, with a key that stays the same when lines move. Every output, every waiver and every baseline stands on it.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt::Write as _;

use sdp_canon::Digest;
use sdp_core::finding::{Finding, FindingId, Severity};
use sdp_core::harmless;
use sdp_core::order::by_code_units;
use sdp_core::rules::name::in_root;
use sdp_core::rules::{BodyText, RuleFinding};

use crate::event::RunRoot;

/// How many digits of a digest make a fingerprint.
const FINGERPRINT_DIGITS: usize = 32;

/// Who says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The engine; the finding is one of its own.
    Engine(FindingId),
    /// A rule: a body that judged the corpus.
    Rule,
    /// The harness, of a rule that could not judge: its body does not parse, throws, or answers with something else.
    Body,
}

/// One thing that is said about a repository.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Who says it.
    pub origin: Origin,
    /// The finding's id, or the rule that a finding of a body names; one line is not promised.
    pub rule: String,
    /// The case that gives it, with the name of its root where there are several.
    pub case: String,
    /// The name of its root, where there are several.
    pub root: Option<String>,
    /// How much it weighs.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What it is about: an id, an entry, an edge or a file.
    pub subject: Option<String>,
    /// The other thing that it names.
    pub related: Option<String>,
    /// The field inside the subject.
    pub path: Option<String>,
    /// The file, relative to the root with `/`; or what the body is called whose text is `text`.
    pub file: Option<String>,
    /// The 1-based line.
    pub line: Option<u32>,
    /// The 1-based column, in characters.
    pub column: Option<u32>,
    /// How it is mended.
    pub help: Option<String>,
    /// What the rule is for, as the configuration or its head says.
    pub description: Option<String>,
    /// The text of a body that is no file below the root, or that was read before.
    pub text: Option<BodyText>,
    /// Where the thing is authored, root-relative, when `file` is what a body is called and no file.
    pub authored: Option<Authored>,
    /// Tells it from every other one, without lines, messages and positions in lists; empty until [`identify`] has seen it.
    /// A row of a baseline is this text.
    pub key: String,
}

/// Where something without a file of its own is authored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Authored {
    /// Nowhere in the repository: it ships with the program.
    Nowhere,
    /// At a line of a file below the root.
    At(String, u32),
}

impl Diagnostic {
    /// The file below the root in which it stands, its line and its column.
    #[must_use]
    pub fn spot(&self) -> Option<(&str, Option<u32>, Option<u32>)> {
        match &self.authored {
            Some(Authored::Nowhere) => None,
            Some(Authored::At(file, line)) => Some((file, Some(*line), None)),
            None => self.file.as_deref().map(|file| (file, self.line, self.column)),
        }
    }

    /// The line that the Protocol pins, with the rule where it has the id: `file:line — [severity] rule — message`. The file
    /// is called as [`Diagnostic::place`] has it.
    #[must_use]
    pub fn line_form(&self, place: Option<&str>) -> String {
        let place = match (place.map(harmless::path), self.line) {
            (Some(file), Some(line)) => format!("{file}:{line} — "),
            (Some(file), None) => format!("{file} — "),
            (None, _) => String::new(),
        };
        harmless::one_line(&format!("{place}[{}] {} — {}", self.severity, self.rule, self.message)).into_owned()
    }

    /// What the engine found, given by a case.
    #[must_use]
    pub fn of_finding(finding: &Finding, case: &str) -> Self {
        Diagnostic {
            origin: Origin::Engine(finding.id),
            rule: finding.id.as_str().to_owned(),
            case: case.to_owned(),
            root: None,
            severity: finding.severity,
            message: finding.message.clone(),
            subject: finding.subject.clone(),
            related: finding.related.clone(),
            path: finding.path.clone(),
            file: finding.file.clone(),
            line: finding.line,
            column: finding.column,
            help: Some(finding.remedy().to_owned()),
            description: None,
            text: None,
            authored: None,
            key: String::new(),
        }
    }

    /// What a rule found.
    #[must_use]
    pub fn of_rule(finding: &RuleFinding, case: &str, description: Option<&str>) -> Self {
        Diagnostic {
            rule: finding.rule.clone(),
            severity: finding.severity,
            subject: finding.subject.clone(),
            related: finding.related.clone(),
            file: finding.place.as_ref().map(|place| place.file.clone()),
            line: finding.place.as_ref().and_then(|place| place.line),
            description: description.map(str::to_owned),
            ..Self::fault(Origin::Rule, case, finding.message.clone())
        }
    }

    /// What is wrong with a body.
    #[must_use]
    pub fn of_body(case: &str, message: String) -> Self {
        Self::fault(Origin::Body, case, message)
    }

    fn fault(origin: Origin, case: &str, message: String) -> Self {
        Diagnostic {
            origin,
            rule: case.to_owned(),
            case: case.to_owned(),
            root: None,
            severity: Severity::Error,
            message,
            subject: None,
            related: None,
            path: None,
            file: None,
            line: None,
            column: None,
            help: None,
            description: None,
            text: None,
            authored: None,
            key: String::new(),
        }
    }

    /// Whether it must be mended.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// What it is about, without a line: its subject, else its file.
    #[must_use]
    pub fn about(&self) -> Option<&str> {
        self.subject.as_deref().map(without_line).or(self.file.as_deref())
    }

    /// Where it stands, for people: the path of its file from the configuration's folder, or what its body is called. What
    /// the engine says without a file of a root among several stands at the root's folder.
    #[must_use]
    pub fn place(&self, root: &RunRoot) -> Option<String> {
        let Some(file) = self.file.as_deref() else {
            return root.among_others().filter(|_| matches!(self.origin, Origin::Engine(_)));
        };
        let is_file = self.text.as_ref().is_none_or(|body| body.is_file);
        Some(if is_file { root.file(file) } else { file.to_owned() })
    }

    /// The digest of the key: 32 hexadecimal digits.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.key)
    }

    /// The key without the number that tells equals apart.
    fn bare_key(&self) -> String {
        let mut key = String::new();
        match self.origin {
            Origin::Engine(id) => {
                if let Some(root) = &self.root {
                    // Writing to a String cannot fail, here and below.
                    let _ = write!(key, "{}::", word(root));
                }
                // Ids hold nothing that a word could not.
                key.push_str(id.as_str());
            }
            Origin::Rule | Origin::Body => {
                key.push_str(&word(&self.case));
                // A finding that names no rule carries the name that its root knows the case by.
                let root = self.root.as_deref();
                if self.rule != self.case && in_root(root, &self.rule) != self.case {
                    let _ = write!(key, " ({})", word(&self.rule));
                }
            }
        }
        if let Some(about) = self.about() {
            let _ = write!(key, " {}", word(about));
        }
        if let Some(related) = &self.related {
            let _ = write!(key, " -> {}", word(related));
        }
        if let Some(path) = &self.path {
            let _ = write!(key, " at {}", word(&without_indices(path)));
        }
        key
    }
}

/// The fingerprint of a key.
pub(crate) fn fingerprint(key: &str) -> String {
    Digest::of(key.as_bytes()).to_string().chars().take(FINGERPRINT_DIGITS).collect()
}

/// The order in which `check` lists what is said: that of findings, with the rule for the id.
#[must_use]
pub fn order(left: &Diagnostic, right: &Diagnostic) -> Ordering {
    fn text(one: &Option<String>) -> &str {
        one.as_deref().unwrap_or("")
    }
    by_code_units(text(&left.file), text(&right.file))
        .then_with(|| left.line.unwrap_or(0).cmp(&right.line.unwrap_or(0)))
        .then_with(|| left.rule.cmp(&right.rule))
        .then_with(|| left.column.cmp(&right.column))
        .then_with(|| by_code_units(text(&left.subject), text(&right.subject)))
        .then_with(|| by_code_units(text(&left.related), text(&right.related)))
}

/// Gives each diagnostic of one case its key. Equals are numbered in the order of their messages, so that a moved line moves
/// no number.
pub fn identify(diagnostics: &mut [Diagnostic]) {
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    for (position, diagnostic) in diagnostics.iter().enumerate() {
        groups.entry(diagnostic.bare_key()).or_default().push(position);
    }
    for (key, mut positions) in groups {
        let message = |position: &usize| diagnostics.get(*position).map_or("", |one| one.message.as_str());
        positions.sort_by(|left, right| match by_code_units(message(left), message(right)) {
            Ordering::Equal => left.cmp(right),
            other => other,
        });
        for (number, position) in (1_usize..).zip(positions) {
            if let Some(diagnostic) = diagnostics.get_mut(position) {
                diagnostic.key = if number == 1 { key.clone() } else { format!("{key} #{number}") };
            }
        }
    }
}

/// Gives each diagnostic of several cases its key, case by case.
pub fn identify_by_case(diagnostics: &mut [Diagnostic]) {
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    for (position, one) in diagnostics.iter().enumerate() {
        groups.entry(one.case.clone()).or_default().push(position);
    }
    for positions in groups.into_values() {
        let mut own: Vec<Diagnostic> =
            positions.iter().filter_map(|position| diagnostics.get(*position).cloned()).collect();
        identify(&mut own);
        for (position, one) in positions.into_iter().zip(own) {
            if let Some(place) = diagnostics.get_mut(position) {
                *place = one;
            }
        }
    }
}

/// A text as one word of a key: white space, control and invisible characters, `%`, and a `#` that opens it are escaped.
#[must_use]
pub fn word(text: &str) -> String {
    let mut word = String::with_capacity(text.len());
    for (position, character) in text.char_indices() {
        let is_escaped = character.is_whitespace()
            || harmless::is_harmful(character)
            || character == '%'
            || (character == '#' && position == 0);
        if !is_escaped {
            word.push(character);
        } else {
            let mut bytes = [0; 4];
            for byte in character.encode_utf8(&mut bytes).bytes() {
                let _ = write!(word, "%{byte:02X}");
            }
        }
    }
    word
}

/// A subject that is a file may carry a line.
fn without_line(subject: &str) -> &str {
    match subject.rsplit_once(':') {
        Some((file, line))
            if file.contains('.')
                && !subject.contains(" → ")
                && !line.is_empty()
                && line.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            file
        }
        _ => subject,
    }
}

/// A path without the positions in its lists: `behavior.rules[3]` becomes `behavior.rules[]`.
fn without_indices(path: &str) -> String {
    let mut kept = String::with_capacity(path.len());
    let mut inside = false;
    for character in path.chars() {
        if inside && character.is_ascii_digit() {
            continue;
        }
        inside = character == '[';
        kept.push(character);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(message: &str, line: u32) -> Diagnostic {
        let mut finding = Finding::warning(FindingId::ProseMentions, message).at("specs/a.sdp.md", line);
        finding.subject = Some("spec:a".to_owned());
        finding.related = Some("spec:b".to_owned());
        finding.path = Some(format!("behavior.rules[{line}]"));
        Diagnostic::of_finding(&finding, "check::conformance::prose-mentions")
    }

    fn keys(mut diagnostics: Vec<Diagnostic>) -> Vec<String> {
        identify(&mut diagnostics);
        diagnostics.into_iter().map(|one| one.key).collect()
    }

    #[test]
    fn a_key_holds_no_line_and_no_position() {
        let key = "conformance/prose-mentions spec:a -> spec:b at behavior.rules[]";
        assert_eq!(keys(vec![engine("x", 3)]), [key]);
        assert_eq!(keys(vec![engine("x", 13)]), [key]);
    }

    #[test]
    fn equals_are_numbered_by_their_messages() {
        let key = "conformance/prose-mentions spec:a -> spec:b at behavior.rules[]";
        let second = format!("{key} #2");
        assert_eq!(keys(vec![engine("y", 3), engine("x", 4)]), [&second, key]);
        assert_eq!(keys(vec![engine("x", 14), engine("y", 13)]), [key, &second]);
    }

    #[test]
    fn a_key_is_one_line_of_words() {
        let mut one = Diagnostic::of_body("rule::a b", "m".to_owned());
        one.rule = "#x\n%".to_owned();
        one.subject = Some("specs/a.sdp.md:7".to_owned());
        assert_eq!(keys(vec![one]), ["rule::a%20b (%23x%0A%25) specs/a.sdp.md"]);
    }

    #[test]
    fn roots_are_told_apart() {
        let named = |root: &str| Diagnostic { root: Some(root.to_owned()), ..engine("x", 1) };
        let keys = keys(vec![named("one"), named("two")]);
        assert_eq!(
            keys.iter()
                .filter(|key| key.starts_with("one::conformance/") || key.starts_with("two::conformance/"))
                .count(),
            2
        );
    }

    #[test]
    fn a_case_of_a_root_is_named_once() {
        let mut one = Diagnostic::of_body("web::rule::x", "m".to_owned());
        (one.root, one.rule) = (Some("web".to_owned()), "rule::x".to_owned());
        let other = Diagnostic { rule: "naming".to_owned(), ..one.clone() };
        assert_eq!(keys(vec![one, other]), ["web::rule::x", "web::rule::x (naming)"]);
    }

    #[test]
    fn a_fingerprint_is_the_digest_of_the_key() {
        let mut one = engine("x", 3);
        one.key = "abc".to_owned();
        assert_eq!(one.fingerprint(), "ba7816bf8f01cfea414140de5dae2223");
    }
}
