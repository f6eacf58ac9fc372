//! How a judge scores: rows 22, 23 and 24. A contract comes in; nothing, or the first rubric that is ambiguous, that scores what an
//! evaluator says of its own reasoning, or that lacks its anchors, goes out.

use std::collections::HashSet;

use super::Checked;
use crate::blank::is_blank;
use crate::contract::{EvalContract, Rubric};
use crate::fault::{FailureCode, StructuralFailure};

fn unanchored(path: String, detail: impl Into<String>) -> StructuralFailure {
    StructuralFailure::new(FailureCode::RubricUnanchored, path, detail)
}

/// Row 22: a rubric, and a criterion of it, is named once.
///
/// The names of rubrics come first, since the paths of criteria are made of them.
pub(crate) fn identifiers(contract: &EvalContract) -> Checked {
    let mut ids = HashSet::new();
    for (index, Rubric { id, .. }) in contract.rubrics.iter().enumerate() {
        if !ids.insert(id) {
            return Err(unanchored(
                format!("EvalContract.rubrics[{index}].id"),
                format!("repeats rubric id \"{id}\", which a finding could then cite ambiguously (AD-22)"),
            ));
        }
    }
    for rubric in &contract.rubrics {
        let mut ids = HashSet::new();
        for (index, criterion) in rubric.criteria.iter().enumerate() {
            if !ids.insert(&criterion.id) {
                return Err(unanchored(
                    format!("EvalContract.rubrics[id={}].criteria[{index}].id", rubric.id),
                    format!(
                        "repeats criterion id \"{}\", which a finding could then cite ambiguously (AD-22)",
                        criterion.id
                    ),
                ));
            }
        }
    }
    Ok(())
}

/// Row 23: no rubric scores what an evaluator says of its own reasoning.
pub(crate) fn reasoning_prose(contract: &EvalContract) -> Checked {
    let scanned = |text: &str, path: String| match stated_reasoning(text) {
        None => Ok(()),
        Some(term) => Err(StructuralFailure::new(
            FailureCode::RubricScoresReasoningProse,
            path,
            format!("scores stated-reasoning prose: matched \"{term}\" (AD-17, AD-22)"),
        )),
    };
    for rubric in &contract.rubrics {
        let at = format!("EvalContract.rubrics[id={}]", rubric.id);
        for criterion in &rubric.criteria {
            scanned(&criterion.text, format!("{at}.criteria[id={}].text", criterion.id))?;
        }
        for (index, level) in rubric.scale_levels.iter().flatten().enumerate() {
            scanned(&level.anchor, format!("{at}.scaleLevels[{index}].anchor"))?;
        }
        for (index, penalty) in rubric.failure_mode_penalties.iter().flatten().enumerate() {
            scanned(penalty.name.as_str(), format!("{at}.failureModePenalties[{index}].name"))?;
            scanned(&penalty.description, format!("{at}.failureModePenalties[{index}].description"))?;
        }
    }
    Ok(())
}

/// Row 24: a rubric has levels with anchors, a bound, penalties and criteria that say something.
pub(crate) fn anchoring(contract: &EvalContract) -> Checked {
    for rubric in &contract.rubrics {
        let at = format!("EvalContract.rubrics[id={}]", rubric.id);
        let levels = rubric.scale_levels.as_deref().unwrap_or_default();
        if levels.is_empty() {
            return Err(unanchored(format!("{at}.scaleLevels"), "declares no anchored scale levels (AD-22)"));
        }
        let mut ordinals = HashSet::new();
        for (index, level) in levels.iter().enumerate() {
            if !ordinals.insert(level.level) {
                return Err(unanchored(
                    format!("{at}.scaleLevels[{index}].level"),
                    format!("repeats scale level {}, whose anchor is then ambiguous (AD-22)", level.level.get()),
                ));
            }
        }
        if let Some(index) = levels.iter().position(|level| says_nothing(&level.anchor)) {
            return Err(unanchored(format!("{at}.scaleLevels[{index}].anchor"), "declares a blank anchor (AD-22)"));
        }
        if rubric.max_length.is_none() {
            return Err(unanchored(format!("{at}.maxLength"), "declares no maximum length (AD-22)"));
        }
        let penalties = rubric.failure_mode_penalties.as_deref().unwrap_or_default();
        if penalties.is_empty() {
            return Err(unanchored(format!("{at}.failureModePenalties"), "declares no failure-mode penalties (AD-22)"));
        }
        if let Some(index) = penalties.iter().position(|penalty| says_nothing(penalty.name.as_str())) {
            let path = format!("{at}.failureModePenalties[{index}].name");
            return Err(unanchored(path, "declares a blank penalty name (AD-22)"));
        }
        if let Some(criterion) = rubric.criteria.iter().find(|criterion| says_nothing(&criterion.text)) {
            let path = format!("{at}.criteria[id={}].text", criterion.id);
            return Err(unanchored(path, "declares a blank criterion text (AD-22)"));
        }
    }
    Ok(())
}

/// Whether a text shows nothing.
fn says_nothing(text: &str) -> bool {
    text.chars().all(|character| is_blank(character) || matches!(character, '\u{200b}'..='\u{200d}'))
}

/// A word of a term: its beginning and the endings that it may have.
type Word = (&'static str, &'static [&'static str]);

/// What names an evaluator's account of its own reasoning: the first word, and those that follow it.
const TERMS: &[(Word, &[Word])] = &[
    (("chain", &["", "s"]), &[("of", &[""]), ("thought", &["", "s"])]),
    (("train", &["", "s"]), &[("of", &[""]), ("thought", &["", "s"])]),
    (("thought", &[""]), &[("process", &["", "es", "ing"])]),
    (("thinking", &[""]), &[("process", &["", "es"])]),
    (("internal", &[""]), &[("monologue", &["", "s"])]),
    (("inner", &[""]), &[("monologue", &["", "s"])]),
    (("self", &[""]), &[("explanation", &["", "s"])]),
    (("reasoning", &["", "s"]), &[]),
    (("rationale", &["", "s"]), &[]),
];

/// Whether a written word is a word of a term.
fn fits(word: &str, (stem, endings): Word) -> bool {
    let Some((start, ending)) = word.split_at_checked(stem.len()) else { return false };
    start.eq_ignore_ascii_case(stem) && endings.iter().any(|of| ending.eq_ignore_ascii_case(of))
}

/// Whether a character may part the words of a term.
fn parts(character: char) -> bool {
    is_blank(character) || matches!(character, '-' | '\u{2010}' | '\u{2011}')
}

/// The first term in a text, as it is written there; what parts its words is shortened to one character.
fn stated_reasoning(text: &str) -> Option<String> {
    let mut rest = Words { rest: text };
    loop {
        let (_, first) = rest.next()?;
        for (_, following) in TERMS.iter().filter(|(head, _)| fits(first, *head)) {
            let mut found = first.to_owned();
            let mut words = rest;
            let fit = following.iter().all(|part| {
                let Some((gap, word)) = words.next().filter(|(_, word)| fits(word, *part)) else { return false };
                let Some(by) = gap.chars().next().filter(|_| gap.chars().all(parts)) else { return false };
                found.push(if is_blank(by) { ' ' } else { by });
                found.push_str(word);
                true
            });
            if fit {
                return Some(found);
            }
        }
    }
}

/// The words of a text, each with what stands before it.
#[derive(Clone, Copy)]
struct Words<'t> {
    rest: &'t str,
}

impl<'t> Iterator for Words<'t> {
    type Item = (&'t str, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        let (gap, from) = self.rest.split_at_checked(self.rest.find(is_word)?)?;
        let (word, rest) = from.split_at_checked(from.find(|c| !is_word(c)).unwrap_or(from.len()))?;
        self.rest = rest;
        Some((gap, word))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::testing::{compiles, contract, is, refused, set};

    #[test]
    fn a_rubric_is_named_once() {
        let mut second = contract()["rubrics"][0].clone();
        is(
            refused(contract(), "/rubrics/-", second.clone()),
            "rubric-unanchored",
            "EvalContract.rubrics[1].id",
            "repeats rubric id \"R-001\", which a finding could then cite ambiguously (AD-22)",
        );
        second["id"] = json!("R-002");
        compiles(contract(), "/rubrics/-", second);
    }

    #[test]
    fn a_criterion_is_named_once_in_its_rubric() {
        let mut second = contract()["rubrics"][0]["criteria"][0].clone();
        is(
            refused(contract(), "/rubrics/0/criteria/-", second.clone()),
            "rubric-unanchored",
            "EvalContract.rubrics[id=R-001].criteria[1].id",
            "repeats criterion id \"RC-001\", which a finding could then cite ambiguously (AD-22)",
        );
        second["id"] = json!("RC-002");
        compiles(contract(), "/rubrics/0/criteria/-", second);
    }

    #[test]
    fn the_terms_of_stated_reasoning_are_found_as_whole_words() {
        for (text, term) in [
            ("The chain of thought is sound.", "chain of thought"),
            ("Its Chains-Of-Thoughts.", "Chains-Of-Thoughts"),
            ("trains \u{2010}\u{2011} of\u{a0}\u{3000}thought", "trains of thought"),
            ("thought\nprocess", "thought process"),
            ("thought\u{2011}processing", "thought\u{2011}processing"),
            ("thought processes", "thought processes"),
            ("a thinking thinking process", "thinking process"),
            ("(internal monologues)", "internal monologues"),
            ("inner-monologue", "inner-monologue"),
            ("inner\u{feff}monologue", "inner monologue"),
            ("a self-explanation", "self-explanation"),
            ("REASONING", "REASONING"),
            ("the reasonings' end", "reasonings"),
            ("its rationale.", "rationale"),
            ("of a chain, reasoning of thought", "reasoning"),
        ] {
            assert_eq!(stated_reasoning(text).as_deref(), Some(term), "{text}");
        }
        for text in [
            "",
            "The reason is given.",
            "reasoning_effort",
            "unreasoning",
            "rationales2",
            "chain, of thought",
            "chain of the thought",
            "chainofthought",
            "thoughts process",
            "thinking processing",
            "self explanatory",
            "inner \u{2014} monologue",
            "inner\u{85}monologue",
            "chain of",
        ] {
            assert_eq!(stated_reasoning(text), None, "{text}");
        }
    }

    #[test]
    fn no_field_of_a_rubric_scores_stated_reasoning() {
        for (pointer, path) in [
            ("criteria/0/text", "criteria[id=RC-001].text"),
            ("scaleLevels/1/anchor", "scaleLevels[1].anchor"),
            ("failureModePenalties/0/name", "failureModePenalties[0].name"),
            ("failureModePenalties/0/description", "failureModePenalties[0].description"),
        ] {
            is(
                refused(contract(), &format!("/rubrics/0/{pointer}"), json!("The thought process is shown.")),
                "rubric-scores-reasoning-prose",
                &format!("EvalContract.rubrics[id=R-001].{path}"),
                "scores stated-reasoning prose: matched \"thought process\" (AD-17, AD-22)",
            );
            compiles(contract(), &format!("/rubrics/0/{pointer}"), json!("The reasons are shown."));
        }
    }

    #[test]
    fn a_rubric_has_anchors_a_bound_and_penalties() {
        let blank = "\u{200b} \u{feff}\t\u{200d}";
        let level = json!({ "level": -1, "anchor": "Said." });
        for (pointer, value, path, detail) in [
            ("scaleLevels", Value::Null, "scaleLevels", "declares no anchored scale levels (AD-22)"),
            ("scaleLevels", json!([]), "scaleLevels", "declares no anchored scale levels (AD-22)"),
            (
                "scaleLevels",
                json!([level, level]),
                "scaleLevels[1].level",
                "repeats scale level -1, whose anchor is then ambiguous (AD-22)",
            ),
            ("scaleLevels/1/anchor", json!(blank), "scaleLevels[1].anchor", "declares a blank anchor (AD-22)"),
            ("maxLength", Value::Null, "maxLength", "declares no maximum length (AD-22)"),
            ("failureModePenalties", Value::Null, "failureModePenalties", "declares no failure-mode penalties (AD-22)"),
            ("failureModePenalties", json!([]), "failureModePenalties", "declares no failure-mode penalties (AD-22)"),
            (
                "failureModePenalties/0/name",
                json!(blank),
                "failureModePenalties[0].name",
                "declares a blank penalty name (AD-22)",
            ),
            ("criteria/0/text", json!(""), "criteria[id=RC-001].text", "declares a blank criterion text (AD-22)"),
        ] {
            is(
                refused(contract(), &format!("/rubrics/0/{pointer}"), value),
                "rubric-unanchored",
                &format!("EvalContract.rubrics[id=R-001].{path}"),
                detail,
            );
        }
        let penalty = json!({ "name": "vague", "description": "" });
        compiles(set(contract(), "/rubrics/0/criteria", json!([])), "/rubrics/0/scaleLevels", json!([level]));
        compiles(contract(), "/rubrics/0/failureModePenalties", json!([penalty, penalty]));
        // U+0085 is no white space in ECMAScript.
        compiles(contract(), "/rubrics/0/scaleLevels/1/anchor", json!("\u{85}"));
        compiles(contract(), "/rubrics", json!([]));
    }
}
