//! What an author can do about a finding of a carrier: the finding and the line that it stands at come in, one sentence
//! goes out. The messages are the Protocol's; the remedies are ours, and name what was meant where one word is near.

use crate::finding::Finding;
use crate::model::{Altitude, Readiness, RelationType, SpecKind};
use crate::suggest::first_nearest;

/// How far a word may be from the one that was meant.
const NEAR: usize = 2;

const SPEC_KEYS: [&str; 5] = ["id", "kind", "altitude", "readiness", "relations"];
const PACK_KEYS: [&str; 3] = ["id", "specs", "modelRefs"];

/// A remedy that fits this very finding; none where that of its id says it all.
pub(super) fn remedy(finding: &Finding, source_line: &str) -> Option<String> {
    let message = finding.message.as_str();
    let (key, value) = source_line.trim().split_once(':').map_or(("", ""), |(key, value)| (key.trim(), value.trim()));
    let text = |text: &str| Some(text.to_owned());
    if message.starts_with("frontmatter key \"") && message.ends_with("is not accepted") {
        return Some(meant(
            key,
            &[&SPEC_KEYS[..], &PACK_KEYS[..]].concat(),
            "a Spec has the keys id, kind, altitude, readiness and relations; a Pack has id, specs and modelRefs",
        ));
    }
    if message.starts_with("frontmatter key \"") || message.starts_with("relation \"") {
        return text("keep one of the two");
    }
    if let Some(field) = message.strip_prefix("frontmatter field \"").and_then(|rest| rest.split('"').next()) {
        return Some(match message {
            _ if message.ends_with("is missing") => format!("add a line `{field}: …` to the frontmatter"),
            _ if message.ends_with("a YAML list") => {
                format!("write `{field}:` and below it a line `  - spec:…` for each")
            }
            _ => format!("write a plain word, or quote it: `{field}: \"{}\"`", value.trim_matches(['"', '\''])),
        });
    }
    match message {
        "kind is not a recognized spec kind" => Some(meant(value, &words(SpecKind::ALL, |kind| kind.as_str()), "")),
        "altitude is not a recognized spec altitude" => {
            Some(meant(value, &words(Altitude::ALL, |word| word.as_str()), ""))
        }
        "readiness is not a recognized spec readiness" => {
            Some(meant(value, &words(Readiness::ALL, |word| word.as_str()), ""))
        }
        "relations contain an unsupported key" => {
            Some(meant(key, &words(RelationType::ALL, |relation| relation.as_str()), ""))
        }
        "relations must be a mapping" => {
            text("write `relations: {}`, or below `relations:` a line such as `  refines: spec:…`")
        }
        "relation values must not be empty" => text("name a Spec, or remove the key"),
        "relation target must use the spec namespace" => text("a relation leads to a Spec: its id opens with `spec:`"),
        "duplicate target within one relation type" | "duplicate entry in specs" | "duplicate entry in modelRefs" => {
            text("name it once")
        }
        "carrier must begin at byte zero with an exact --- line" => {
            text("let the file open with a line `---`, without a byte-order mark or a blank line before it")
        }
        "carrier requires one exact closing --- line" => text("close the frontmatter with a line `---`"),
        "an exact --- line in the body is unsupported Markdown" => {
            text("remove the line `---` below the frontmatter; sections are told apart by `##` headings")
        }
        "carrier mixes LF and CRLF newlines" | "carrier contains a lone CR newline" => {
            text("save the file with one kind of line end")
        }
        "YAML anchors are not accepted" | "YAML aliases are not accepted" | "YAML tags are not accepted" => {
            text("write the value out in plain text")
        }
        "the first body line must be an H1 title" => text("the line below the closing `---` is the title: `# …`"),
        "only the first H1 is accepted" => text("a carrier has one title; write sections as `## …`"),
        "raw HTML is unsupported" => text("put it into a code span: `` `<b>` ``"),
        "a single-valued Markdown owner is authored more than once" => {
            text("a section stands once, and of Behavior, Rule, Workflow and Contract a Spec has one")
        }
        "Intent fields must precede ### Open questions" => {
            text("an open question is written `- [blocking] …` or `- [non-blocking] …`; fields stand above the heading")
        }
        "Intent entries require a field name" => {
            text("write `- outcome: …`; also actor, problem, value, risk and assumption")
        }
        "Behavior entries require rule or flow" => text("write `- rule: …` or `- flow: …`"),
        "Constraints require one statement" => text("write `- statement: …` under `## Constraints`"),
        "Constraints entries require a recognized field" => {
            text("the fields are statement, flavor, target and measurableBy")
        }
        "Constraints prose has no owner" => text("write the prose as `- statement: …`, or above the first section"),
        "Decision entries require a recognized field" => {
            text("the fields are context, decision, rationale, alternative and consequence")
        }
        "Model entries require **TERM** — DEFINITION" => {
            text("write `- **term** — definition`, with an em dash between spaces")
        }
        "open section keys must be lower-camel ASCII" => {
            text("write `- someKey: value`: the key opens with a small letter and holds letters and digits")
        }
        "open question keys must be lower-camel ASCII" | "rule keys must be lower-camel ASCII" => {
            text("write the key as `#someKey`: a small letter, then letters and digits")
        }
        "open section keys must be unique"
        | "open question keys must be unique"
        | "rule keys must be unique"
        | "model terms must be unique" => text("give one of the two another name"),
        "fences must be exact gwt or gwt-vocabulary fences" => text(
            "a fence opens with ```` ```gwt ```` under an example's Intent, or ```` ```gwt-vocabulary ```` under Example space",
        ),
        "fence must close with an exact ``` line" => text("close the fence with a line of three backticks"),
        "Example space requires exactly one gwt-vocabulary fence" => {
            text("below `## Example space` stands prose at most, then one ```` ```gwt-vocabulary ```` fence")
        }
        "only an example Intent may own one gwt fence" => {
            text("a `gwt` fence belongs to a Spec of `kind: example`, once, at the end of `## Intent`")
        }
        "a GWT fence requires Given, exactly one When, and Then steps"
        | "a GWT fence has exactly one When step"
        | "GWT phases cannot regress"
        | "GWT fences must begin with Given steps"
        | "fence steps require a phase and nonempty text"
        | "And requires a preceding GWT phase" => text(
            "write Given steps, one When step and Then steps, each on a line; `And` goes on with the phase before it",
        ),
        _ if message.starts_with("field \"") => {
            text("keep one of the two; only risk, assumption, rationale, alternative and consequence repeat")
        }
        _ if message.ends_with("a Pack has no section tier") => {
            text("a Pack has a title and prose; write sections into its Specs")
        }
        _ => None,
    }
}

fn words<T: Copy>(all: &[T], word: fn(T) -> &'static str) -> Vec<&'static str> {
    all.iter().map(|value| word(*value)).collect()
}

/// The one word that was meant, or what may stand there.
fn meant(written: &str, known: &[&str], otherwise: &str) -> String {
    match first_nearest(written, known.iter().copied(), NEAR) {
        Some(word) => format!("did you mean `{word}`?"),
        None if otherwise.is_empty() => format!("it is one of {}", known.join(", ")),
        None => otherwise.to_owned(),
    }
}
