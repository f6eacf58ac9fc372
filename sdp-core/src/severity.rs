//! Severity overrides: selectors with levels come in, from the configuration and from the command line; findings go
//! through, and each leaves with the severity that results, or not at all. What says that the engine could not read what
//! it was to judge is never lowered.

use crate::finding::{Finding, FindingId, Severity};
use crate::suggest::first_nearest;

/// The selector of every finding that is a warning by default.
pub const WARNINGS: &str = "warnings";

/// What an override makes of the findings that it selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// An error.
    Deny,
    /// A warning.
    Warn,
    /// Nothing: the finding is dropped.
    Allow,
}

impl Level {
    /// All levels, the heaviest first.
    pub const ALL: &[Level] = &[Level::Deny, Level::Warn, Level::Allow];

    /// The word for it, on the command line and in the configuration.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Level::Deny => "deny",
            Level::Warn => "warn",
            Level::Allow => "allow",
        }
    }

    /// The level that a word is, or a sentence about what it is not.
    ///
    /// # Errors
    /// Any other word than `deny`, `warn` and `allow`; the text names the level that was meant, where that is clear.
    pub fn parse(word: &str) -> Result<Level, String> {
        if let Some(level) = Level::ALL.iter().find(|level| level.as_str() == word) {
            return Ok(*level);
        }
        let meant = match word {
            "error" | "forbid" => Some("deny"),
            "warning" => Some("warn"),
            "ignore" | "off" => Some("allow"),
            _ => first_nearest(word, Level::ALL.iter().map(|level| level.as_str()), 2),
        };
        Err(match meant {
            Some(meant) => format!("\"{word}\" is no level: did you mean \"{meant}\"?"),
            None => format!("\"{word}\" is no level: the levels are \"deny\", \"warn\" and \"allow\""),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Selector {
    Id(FindingId),
    /// A group, as [`FindingId::group`] has it.
    Group(&'static str),
    Warnings,
}

/// One override that makes sense: it selects something, and does not lower what cannot be lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Override {
    selector: Selector,
    level: Level,
}

impl Override {
    /// An override from its words: a finding id, a group ([`FindingId::group`]) or [`WARNINGS`], and a level.
    ///
    /// # Errors
    /// A finding without a place: the selector names nothing, or only ids whose errors cannot be lowered.
    pub fn new(selector: &str, level: Level) -> Result<Self, Box<Finding>> {
        let refused = |message: String| Box::new(Finding::error(FindingId::UnmatchedSeverity, message).about(selector));
        if selector == WARNINGS {
            return Ok(Override { selector: Selector::Warnings, level });
        }
        let ids = || FindingId::ALL.iter().copied();
        let (chosen, is_fixed) = if let Some(group) = FindingId::groups().find(|group| *group == selector) {
            // A group lowers what in it can be lowered; one that holds nothing of the kind would change nothing.
            (Selector::Group(group), ids().filter(|id| id.group() == group).all(FindingId::is_fixed))
        } else if let Some(id) = ids().find(|id| id.as_str() == selector) {
            (Selector::Id(id), id.is_fixed())
        } else {
            return Err(refused(format!("the severity override `{selector}` names no finding: {}", hint(selector))));
        };
        if is_fixed && level != Level::Deny {
            let message = format!("`{selector}` stays an error: it says that something to be judged could not be read");
            return Err(Box::new(refused(message).with_help("mend what it tells of, and remove the override")));
        }
        Ok(Override { selector: chosen, level })
    }
}

/// What a misspelled selector may mean.
fn hint(selector: &str) -> String {
    let ids = || FindingId::ALL.iter().copied();
    let limit = (selector.chars().count() / 3).min(3);
    let named = |name: &str| ids().find(|id| id.name() == name).map(FindingId::as_str);
    let whole =
        || first_nearest(selector, ids().map(FindingId::as_str).chain(FindingId::groups()).chain([WARNINGS]), limit);
    let by_name = || first_nearest(selector, ids().map(FindingId::name), limit).and_then(named);
    match named(selector).or_else(whole).or_else(by_name) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let groups: Vec<String> = FindingId::groups().map(|group| format!("`{group}`")).collect();
            format!("the groups are {}, and `{WARNINGS}` is all that warns by default", groups.join(", "))
        }
    }
}

/// The overrides of a run.
///
/// The command line beats the configuration; in each of them an id beats a group, and the later of two overrides with
/// one selector wins. `warnings` decides only about findings that neither names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Severities {
    configured: Vec<Override>,
    given: Vec<Override>,
}

impl Severities {
    /// Adds an override of the configuration.
    pub fn configure(&mut self, later: Override) {
        put(&mut self.configured, later);
    }

    /// Adds an override of the command line.
    pub fn give(&mut self, later: Override) {
        put(&mut self.given, later);
    }

    /// The overrides of the configuration, each as a selector with its level.
    pub fn configured(&self) -> impl Iterator<Item = (&'static str, Level)> + '_ {
        self.configured.iter().map(|one| {
            let selector = match one.selector {
                Selector::Id(id) => id.as_str(),
                Selector::Group(group) => group,
                Selector::Warnings => WARNINGS,
            };
            (selector, one.level)
        })
    }

    /// Weighs findings anew and drops those that are allowed; their order stays. To do it twice changes nothing.
    #[sdp::satisfies("spec:sdp.severity")]
    pub fn apply(&self, findings: &mut Vec<Finding>) {
        if self.configured.is_empty() && self.given.is_empty() {
            return;
        }
        findings.retain_mut(|finding| {
            if finding.is_error() && finding.id.is_fixed() {
                return true;
            }
            match self.level(finding) {
                Some(Level::Deny) => finding.severity = Severity::Error,
                Some(Level::Warn) => finding.severity = Severity::Warning,
                Some(Level::Allow) => return false,
                None => {}
            }
            true
        });
    }

    /// Whether the command line leaves out findings with this id that warn by default: what is said of them then is not all
    /// that could be said.
    #[must_use]
    pub fn leaves_out(&self, id: FindingId) -> bool {
        let given = Severities { configured: Vec::new(), given: self.given.clone() };
        !given.given.is_empty() && given.level(&Finding::warning(id, "")) == Some(Level::Allow)
    }

    fn level(&self, finding: &Finding) -> Option<Level> {
        let layers = [&self.given, &self.configured];
        let of = |layer: &[Override], selector| layer.iter().find(|one| one.selector == selector).map(|one| one.level);
        let (id, group) = (Selector::Id(finding.id), Selector::Group(finding.id.group()));
        let named = layers.into_iter().find_map(|layer| of(layer, id).or_else(|| of(layer, group)));
        let warns = || layers.into_iter().find_map(|layer| of(layer, Selector::Warnings));
        named.or_else(|| if finding.is_error() { None } else { warns() })
    }
}

/// A list holds one override for each selector, so that it cannot outgrow the ids.
fn put(overrides: &mut Vec<Override>, later: Override) {
    match overrides.iter_mut().find(|earlier| earlier.selector == later.selector) {
        Some(earlier) => *earlier = later,
        None => overrides.push(later),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(selector: &str, level: Level) -> Override {
        Override::new(selector, level).unwrap()
    }

    /// An orphan (a warning), a dangling reference (an error) and a carrier that could not be read.
    fn findings() -> Vec<Finding> {
        vec![
            Finding::warning(FindingId::Orphans, "o"),
            Finding::error(FindingId::ReferentialIntegrity, "r"),
            Finding::error(FindingId::InvalidId, "i"),
        ]
    }

    /// `E` an error, `W` a warning, `-` dropped: what becomes of the three.
    fn verdict(configured: &[(&str, Level)], given: &[(&str, Level)]) -> String {
        let mut severities = Severities::default();
        configured.iter().for_each(|(selector, level)| severities.configure(one(selector, *level)));
        given.iter().for_each(|(selector, level)| severities.give(one(selector, *level)));
        let mut left = findings();
        severities.apply(&mut left);
        let once = left.clone();
        severities.apply(&mut left);
        assert_eq!(left, once, "a second time changes nothing");
        let word = |id| match left.iter().find(|finding| finding.id == id) {
            Some(finding) if finding.is_error() => 'E',
            Some(_) => 'W',
            None => '-',
        };
        findings().iter().map(|finding| word(finding.id)).collect()
    }

    use Level::{Allow, Deny, Warn};

    #[test]
    #[sdp::verifies("spec:sdp.severity")]
    fn an_id_beats_a_group_and_a_group_beats_warnings() {
        assert_eq!(verdict(&[], &[]), "WEE");
        assert_eq!(verdict(&[], &[("warnings", Deny)]), "EEE");
        assert_eq!(verdict(&[], &[("warnings", Allow)]), "-EE");
        assert_eq!(verdict(&[], &[("conformance", Warn)]), "WWE");
        assert_eq!(verdict(&[], &[("conformance", Allow), ("warnings", Deny)]), "--E");
        assert_eq!(verdict(&[], &[("conformance/orphans", Deny), ("conformance", Allow)]), "E-E");
        assert_eq!(verdict(&[], &[("conformance/orphans", Warn), ("warnings", Deny)]), "WEE");
        assert_eq!(verdict(&[], &[("honesty", Deny), ("contracts", Allow), ("sdp", Allow)]), "WEE");
    }

    #[test]
    fn of_two_overrides_with_one_selector_the_later_wins() {
        assert_eq!(verdict(&[], &[("conformance", Allow), ("conformance", Deny)]), "EEE");
        assert_eq!(verdict(&[], &[("warnings", Deny), ("warnings", Warn)]), "WEE");
    }

    #[test]
    fn the_command_line_beats_the_configuration() {
        assert_eq!(verdict(&[("conformance/orphans", Deny)], &[("conformance", Allow)]), "--E");
        assert_eq!(verdict(&[("conformance/orphans", Allow)], &[("conformance/orphans", Deny)]), "EEE");
        assert_eq!(verdict(&[("warnings", Deny)], &[("warnings", Allow)]), "-EE");
        assert_eq!(verdict(&[("conformance", Allow)], &[("honesty", Deny)]), "--E");
    }

    #[test]
    fn warnings_leave_alone_what_the_configuration_names() {
        assert_eq!(verdict(&[("conformance/orphans", Allow)], &[("warnings", Deny)]), "-EE");
        assert_eq!(verdict(&[("conformance", Warn)], &[("warnings", Deny)]), "WWE");
    }

    #[test]
    fn what_could_not_be_read_is_never_lowered() {
        assert_eq!(verdict(&[], &[("warnings", Allow)]), "-EE");
        assert_eq!(verdict(&[], &[("extract", Deny), ("extract/invalid-id", Deny)]), "WEE");
        for (selector, level) in [
            ("extract/invalid-id", Warn),
            ("sdp/not-utf8", Allow),
            ("sdp/no-specs", Warn),
            ("extract", Allow),
            ("extract", Warn),
        ] {
            let finding = Override::new(selector, level).unwrap_err();
            assert_eq!(finding.id, FindingId::UnmatchedSeverity);
            assert!(finding.is_error());
            assert_eq!(
                finding.message,
                format!("`{selector}` stays an error: it says that something to be judged could not be read")
            );
        }
    }

    #[test]
    fn every_id_and_every_group_is_a_selector() {
        for group in FindingId::groups() {
            assert_eq!(one(group, Deny).selector, Selector::Group(group));
        }
        // A group that holds more than what stays an error is lawful below `deny`.
        for group in ["conformance", "honesty", "contracts", "sdp"] {
            assert_eq!(one(group, Allow).selector, Selector::Group(group));
        }
        for id in FindingId::ALL {
            assert_eq!(one(id.as_str(), Deny).selector, Selector::Id(*id));
        }
    }

    #[test]
    fn a_selector_that_names_nothing_is_answered_with_the_nearest_one() {
        for (selector, near) in [
            ("conformance/orphan", "conformance/orphans"),
            ("orphans", "conformance/orphans"),
            ("orphan", "conformance/orphans"),
            ("gaps", "honesty/gaps"),
            ("conformence", "conformance"),
            ("warning", "warnings"),
            ("Warnings", "warnings"),
        ] {
            let finding = Override::new(selector, Deny).unwrap_err();
            assert_eq!(
                finding.message,
                format!("the severity override `{selector}` names no finding: did you mean `{near}`?")
            );
        }
        for selector in ["", "x", "nothing/like-it"] {
            let finding = Override::new(selector, Deny).unwrap_err();
            assert_eq!(
                finding.message,
                format!(
                    "the severity override `{selector}` names no finding: the groups are `extract`, `conformance`, \
                     `honesty`, `contracts`, `import`, `sdp`, and `warnings` is all that warns by default"
                )
            );
        }
    }

    #[test]
    fn a_level_has_one_spelling_and_the_others_are_told_so() {
        assert_eq!(Level::parse("warn"), Ok(Warn));
        assert_eq!(Level::parse("error"), Err("\"error\" is no level: did you mean \"deny\"?".to_owned()));
        assert_eq!(Level::parse("warning"), Err("\"warning\" is no level: did you mean \"warn\"?".to_owned()));
        assert_eq!(Level::parse("alow"), Err("\"alow\" is no level: did you mean \"allow\"?".to_owned()));
        let unknown = "\"loud\" is no level: the levels are \"deny\", \"warn\" and \"allow\"";
        assert_eq!(Level::parse("loud"), Err(unknown.to_owned()));
    }

    #[test]
    fn what_the_command_line_leaves_out_is_told_from_what_the_configuration_does() {
        let allow = |selector: &str| Override::new(selector, Level::Allow).ok().unwrap();
        let mut severities = Severities::default();
        severities.configure(allow("conformance"));
        assert!(!severities.leaves_out(FindingId::Orphans));
        severities.give(allow(WARNINGS));
        assert!(severities.leaves_out(FindingId::Orphans));
        severities.give(Override::new("conformance/orphans", Level::Warn).ok().unwrap());
        assert!(!severities.leaves_out(FindingId::Orphans) && severities.leaves_out(FindingId::Gaps));
    }
}
