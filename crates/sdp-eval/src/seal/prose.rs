//! The text of a direction (evaluation sheet, part 4.1). A direction and the phrase of its evidence come in; up to four
//! sentences go out: what is asserted, with which polarity, how far it reaches and what counts as a defect.

use crate::blank::is_blank;
use crate::contract::{Direction, Polarity, Relation};

/// A direction in words.
pub(super) fn text(direction: &Direction, evidence: &str) -> String {
    let mut text = sentence(&claim(direction.relation, evidence));
    let mut add = |added: &str| {
        text.push(' ');
        text.push_str(&sentence(added));
    };
    add(match direction.polarity {
        Polarity::ExpectsHold => "The declared polarity expects this relation to hold.",
        Polarity::ExpectsViolation => "The declared polarity expects this relation to be a violation.",
    });
    if let Some(scope) = said(direction.scope.as_deref()) {
        add(scope);
    }
    if let Some(domain) = said(direction.negative_domain.as_deref()) {
        let domain = domain.trim_end_matches(['.', '!', '?']).trim_end_matches(is_blank);
        if !domain.is_empty() {
            add(&format!("{domain} is treated as a defect."));
        }
    }
    text
}

/// A text that says something, without white space around it.
fn said(text: Option<&str>) -> Option<&str> {
    text.map(|text| text.trim_matches(is_blank)).filter(|text| !text.is_empty())
}

/// What is asserted of the evidence.
fn claim(relation: Relation, evidence: &str) -> String {
    let asserted = match relation {
        Relation::ForAll => {
            return format!("every element reachable through {evidence} is asserted to meet the declared condition.");
        }
        Relation::ForAny => {
            return format!(
                "at least one element reachable through {evidence} is asserted to meet the declared condition."
            );
        }
        Relation::All => "satisfy every declared condition together",
        Relation::Any => "satisfy at least one declared condition",
        Relation::Not => "fail the declared condition, not to satisfy it",
        Relation::Existence => "be present",
        Relation::Absence => "be absent",
        Relation::Equality => "be equal",
        Relation::DeepEquality => "be deeply, structurally equal",
        Relation::Containment => "contain the declared member",
        Relation::Regex
        | Relation::SetMembership
        | Relation::Ordering
        | Relation::CountTolerance
        | Relation::Shape
        | Relation::CoversByKey => {
            return format!("{evidence} is asserted to satisfy the declared \"{relation}\" condition.");
        }
    };
    format!("{evidence} is asserted to {asserted}.")
}

/// A text as a sentence: its first ASCII letter in upper case, and an end.
fn sentence(text: &str) -> String {
    let text = text.trim_matches(is_blank);
    let mut sentence = String::with_capacity(text.len() + 1);
    match text.find(|character: char| character.is_ascii_alphabetic()).and_then(|at| text.split_at_checked(at)) {
        Some((before, from)) => {
            sentence.push_str(before);
            let mut rest = from.chars();
            sentence.extend(rest.next().map(|first| first.to_ascii_uppercase()));
            sentence.push_str(rest.as_str());
        }
        None => sentence.push_str(text),
    }
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    fn direction(relation: Relation, polarity: Polarity, scope: Option<&str>, domain: Option<&str>) -> Direction {
        Direction {
            evidence_targets: Vec::new(),
            relation,
            polarity,
            scope: scope.map(str::to_owned),
            negative_domain: domain.map(str::to_owned),
        }
    }

    #[test]
    fn every_relation_has_its_claim() {
        let claims: Vec<String> = Relation::ALL
            .iter()
            .map(|relation| {
                let text = text(&direction(*relation, Polarity::ExpectsHold, None, None), "its x field");
                text.strip_suffix(" The declared polarity expects this relation to hold.").unwrap().to_owned()
            })
            .collect();
        assert_eq!(
            claims,
            [
                "Its x field is asserted to be equal.",
                "Its x field is asserted to be deeply, structurally equal.",
                "Its x field is asserted to contain the declared member.",
                "Its x field is asserted to be present.",
                "Its x field is asserted to be absent.",
                "Its x field is asserted to satisfy the declared \"regex\" condition.",
                "Its x field is asserted to satisfy the declared \"set-membership\" condition.",
                "Its x field is asserted to satisfy the declared \"ordering\" condition.",
                "Its x field is asserted to satisfy the declared \"count-tolerance\" condition.",
                "Its x field is asserted to satisfy the declared \"shape\" condition.",
                "Its x field is asserted to satisfy the declared \"covers-by-key\" condition.",
                "Its x field is asserted to satisfy every declared condition together.",
                "Its x field is asserted to satisfy at least one declared condition.",
                "Its x field is asserted to fail the declared condition, not to satisfy it.",
                "Every element reachable through its x field is asserted to meet the declared condition.",
                "At least one element reachable through its x field is asserted to meet the declared condition.",
            ]
        );
    }

    #[test]
    fn scope_and_defect_are_sentences() {
        let said = text(
            &direction(
                Relation::Existence,
                Polarity::ExpectsViolation,
                Some(" \u{feff}«one» read\n"),
                Some("no note?!"),
            ),
            "it",
        );
        assert_eq!(
            said,
            "It is asserted to be present. The declared polarity expects this relation to be a violation. \
             «One» read. No note is treated as a defect."
        );
    }

    #[test]
    fn blank_scope_and_defect_say_nothing() {
        for (scope, domain) in
            [(None, None), (Some(" \t"), Some("\u{feff}")), (Some(""), Some("...")), (None, Some(" ?"))]
        {
            let said = text(&direction(Relation::Absence, Polarity::ExpectsHold, scope, domain), "it");
            assert_eq!(said, "It is asserted to be absent. The declared polarity expects this relation to hold.");
        }
    }

    #[test]
    fn a_sentence_keeps_its_end_and_what_is_no_ascii_letter() {
        assert_eq!(sentence("42 notes!"), "42 Notes!");
        assert_eq!(sentence("Über"), "ÜBer.");
        assert_eq!(sentence("42"), "42.");
    }
}
