//! Remedies for what a body refuses.

use super::{Source, meant};
use crate::carrier::markdown::headings::Owner;
use crate::carrier::markdown::text::{ascii_trim, is_indented, keyed};
use crate::carrier::words::nearest;
use crate::finding::{Finding, FindingId};
use crate::model::VerificationMode;

const INTENT_KEYS: [&str; 6] = ["actor", "problem", "outcome", "value", "risk", "assumption"];
const CONSTRAINT_KEYS: [&str; 4] = ["statement", "flavor", "target", "measurableBy"];
const DECISION_KEYS: [&str; 5] = ["context", "decision", "rationale", "alternative", "consequence"];

const STEPS: &str =
    "write Given steps, one When step and Then steps, each on a line; `And` goes on with the phase before it";
const ONLY_H3: &str = "the only H3 is `### Open questions`, under `## Intent`: write its text as an entry or as prose";
const FENCES: &str =
    "a `gwt` fence stands at the end of an example's Intent, a `gwt-vocabulary` fence under `## Example space`";

/// A remedy for a finding of the body.
pub(super) fn remedy(finding: &Finding, source: &Source<'_>) -> Option<String> {
    let own = own(finding, source);
    // The lines behind a heading that names no section are judged by the section before.
    match source.unknown_heading(finding).filter(|_| is_misplaced(finding, source.line(finding))) {
        Some(heading) => {
            let otherwise = own.as_deref().unwrap_or(finding.id.help());
            Some(format!("mend the heading in line {heading} first; else {otherwise}"))
        }
        None => own,
    }
}

/// Whether a finding says that a line does not fit its section; others would stay under any heading.
fn is_misplaced(finding: &Finding, line: &str) -> bool {
    !line.starts_with('#')
        && match finding.message.as_str() {
            "raw HTML is unsupported"
            | "nested or unsupported Markdown structure"
            | "list text must not be empty"
            | "fences must be exact gwt or gwt-vocabulary fences"
            | "fence must close with an exact ``` line"
            | "fence bodies cannot contain blank or indented lines" => false,
            message => !is_about_steps(message),
        }
}

fn is_about_steps(message: &str) -> bool {
    matches!(
        message,
        "a GWT fence requires Given, exactly one When, and Then steps"
            | "a GWT fence has exactly one When step"
            | "GWT phases cannot regress"
            | "GWT fences must begin with Given steps"
            | "fence steps require a phase and nonempty text"
            | "And requires a preceding GWT phase"
    )
}

/// The remedy for the finding alone, whatever heading stands above.
fn own(finding: &Finding, source: &Source<'_>) -> Option<String> {
    let message = finding.message.as_str();
    let line = source.line(finding);
    let owner = source.owner(finding);
    match finding.id {
        FindingId::UnrecognizedHeading if message.ends_with("a Pack has no section tier") => {
            return Some("a Pack has a title and prose; write sections into its Specs".to_owned());
        }
        FindingId::UnrecognizedHeading => return heading(message, line),
        FindingId::UnrecognizedProperty => return property(owner, line),
        _ => {}
    }
    match message {
        "narrative accepts CommonMark paragraphs only" => Some(narrative(line, source.is_pack()).to_owned()),
        "Intent entries require a field name" => {
            Some(entry(line, &[], "write `- outcome: …`; also actor, problem, value, risk and assumption"))
        }
        "Behavior entries require rule or flow" => {
            Some(entry(line, &["rule", "flow"], "write `- rule: …` or `- flow: …`"))
        }
        "Constraints entries require a recognized field" => {
            Some(entry(line, &CONSTRAINT_KEYS, "the fields are statement, flavor, target and measurableBy"))
        }
        "Decision entries require a recognized field" => Some(entry(
            line,
            &DECISION_KEYS,
            "the fields are context, decision, rationale, alternative and consequence",
        )),
        "open section keys must be lower-camel ASCII" => Some(entry(
            line,
            &[],
            "write `- someKey: value`: the key opens with a small letter and holds letters and digits",
        )),
        "a GWT fence has exactly one When step" if source.in_vocabulary(finding) => Some(
            "an example space has exactly one When line, without `And` behind it; a second one belongs to another Spec"
                .to_owned(),
        ),
        _ => fixed(message, line).map(str::to_owned),
    }
}

/// The remedies that need no word of the author's.
fn fixed(message: &str, line: &str) -> Option<&'static str> {
    Some(match message {
        "the first body line must be an H1 title" => "the line below the closing `---` is the title: `# …`",
        "the H1 title must be nonempty and start immediately after #" => "write the title behind `# `, after one space",
        "only the first H1 is accepted" => "a carrier has one title; write sections as `## …`",
        "H2 headings require text immediately after ##" => "write the section's name behind `## `, after one space",
        "headings must use exact column-one Markdown syntax" | "unsupported heading structure" => {
            if line.starts_with("### ") {
                ONLY_H3
            } else {
                "a section opens with `## ` and its name; a line of prose does not open with `#`"
            }
        }
        "an H3 owner is authored more than once" => "write `### Open questions` once, with all questions below it",
        "only ### Open questions is accepted under Intent" => ONLY_H3,
        "this behavior owner does not accept an H3 or fence"
        | "Constraints accept one flat list entry"
        | "Model does not accept an H3 or fence"
        | "open sections do not accept an H3 or fence"
        | "Decision does not accept an H3 or fence"
        | "Verification accepts plain criteria only" => {
            if line.starts_with('#') {
                ONLY_H3
            } else {
                FENCES
            }
        }
        "raw HTML is unsupported" => "put it into a code span: `` `<b>` ``",
        "list text must not be empty" => "write the entry's text behind `- `, after one space, or remove the line",
        "a single-valued Markdown owner is authored more than once" => {
            "a section stands once, and of Behavior, Rule, Workflow and Contract a Spec has one"
        }
        "behavior description has more than one owner" => {
            "Example space and the behavior's section share one description: keep the prose below one of the two headings"
        }
        "open questions require ### Open questions" => {
            "write the line `### Open questions` above it, behind the fields of Intent"
        }
        "Intent fields must precede ### Open questions" => {
            "an open question is written `- [blocking] …` or `- [non-blocking] …`; fields stand above the heading"
        }
        "Constraints require one statement" => "write `- statement: …` under `## Constraints`",
        "Constraints prose has no owner" => "write the prose as `- statement: …`, or above the first section",
        "Model entries require **TERM** — DEFINITION" => {
            "write `- **term** — definition`, with an em dash between spaces"
        }
        "model terms must not be integer-like" => "a number alone is no term: name it in words",
        "open question keys must be lower-camel ASCII" | "rule keys must be lower-camel ASCII" => {
            "write the key as `#someKey`: a small letter, then letters and digits"
        }
        "open section keys must be unique"
        | "open question keys must be unique"
        | "rule keys must be unique"
        | "model terms must be unique" => "give one of the two another name",
        "fences must be exact gwt or gwt-vocabulary fences" => {
            "a fence opens with ```` ```gwt ```` under an example's Intent, or ```` ```gwt-vocabulary ```` under Example space"
        }
        "fence must close with an exact ``` line" => "close the fence with a line of three backticks",
        "fence bodies cannot contain blank or indented lines" if is_indented(line) => {
            "open the step at the start of the line: a fence holds no indented lines"
        }
        "fence bodies cannot contain blank or indented lines" => "remove the line: a fence holds no blank lines",
        "Example space requires exactly one gwt-vocabulary fence" => {
            "below `## Example space` stands prose at most, then one ```` ```gwt-vocabulary ```` fence"
        }
        "only an example Intent may own one gwt fence" => {
            "a `gwt` fence belongs to a Spec of `kind: example`, once, at the end of `## Intent`"
        }
        "the example gwt fence must immediately follow the Intent block" => {
            "the `gwt` fence closes Intent: move what stands behind it above the fence"
        }
        "a GWT fence has exactly one When step" => {
            "an example has exactly one When line, without `And` behind it; a second When is another example"
        }
        _ if is_about_steps(message) => STEPS,
        _ if message.starts_with("field \"") => {
            "keep one of the two; only risk, assumption, rationale, alternative and consequence repeat"
        }
        _ => return None,
    })
}

/// What to do with a line between title and first section that is no plain paragraph.
fn narrative(line: &str, is_pack: bool) -> &'static str {
    match (is_pack, is_indented(line)) {
        (_, true) => "write the text as plain paragraphs, each line from its first column",
        (true, false) => {
            "the text of a Pack is plain paragraphs: write lists, tables, quotes and code as sentences, or into its Specs"
        }
        (false, false) => {
            "the text between the title and the first `##` is plain paragraphs: lists belong into a section; tables, quotes and code have no place"
        }
    }
}

/// How an entry that lacks a known field is mended: the field's value, the space before it, or the field that was meant.
fn entry(line: &str, keys: &[&str], otherwise: &str) -> String {
    let text = line.strip_prefix("- ").unwrap_or(line);
    let field = text.split_once(':').filter(|(key, _)| key.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    match field {
        Some((key, value)) if value.trim().is_empty() && !key.is_empty() => format!("write a value behind `{key}:`"),
        Some((key, value)) if !value.starts_with(' ') && !key.is_empty() && !value.starts_with("//") => {
            format!("write a space behind `{key}:`")
        }
        Some((key, _)) => meant(key, keys, otherwise),
        None => otherwise.to_owned(),
    }
}

/// The field that was meant by one that the section does not take.
fn property(owner: Option<Owner>, line: &str) -> Option<String> {
    let (written, _) = keyed(line.strip_prefix("- ")?)?;
    let keys: &[&str] = match owner? {
        Owner::Intent => &INTENT_KEYS,
        Owner::Behavior => &["rule", "flow"],
        Owner::Workflow => &["rule"],
        Owner::Constraints => &CONSTRAINT_KEYS,
        Owner::Decision => &DECISION_KEYS,
        _ => return None,
    };
    match owner? {
        Owner::Intent => {
            Some(meant(written, keys, "the fields of Intent are actor, problem, outcome, value, risk and assumption"))
        }
        _ => nearest(written, keys).map(|word| format!("did you mean `{word}`?")),
    }
}

/// The heading that was meant.
fn heading(message: &str, line: &str) -> Option<String> {
    let written = ascii_trim(line.trim_start_matches('#'));
    if written.eq_ignore_ascii_case("open questions") {
        return Some("write `### Open questions`, behind the fields of `## Intent`".to_owned());
    }
    let verification = "verification";
    if let (Some(word), Some(mode)) = (written.get(..verification.len()), written.get(verification.len()..))
        && word.eq_ignore_ascii_case(verification)
    {
        let modes: Vec<&str> = VerificationMode::ALL.iter().map(|mode| mode.as_str()).collect();
        let mode = mode.trim_matches(|character: char| !character.is_alphanumeric());
        return Some(match nearest(mode, &modes) {
            Some(mode) => format!("write `## Verification — {mode}`, with the long dash"),
            None => format!(
                "write `## Verification — manual`, with the long dash; or in place of manual one of {}",
                modes.iter().skip(1).copied().collect::<Vec<_>>().join(", ")
            ),
        });
    }
    let meant = message.split("; did you mean \"").nth(1).and_then(|rest| rest.strip_suffix("\"?"));
    meant.map(|heading| format!("write `## {heading}`"))
}
