//! Remedies for what envelope and frontmatter refuse.

use super::{Source, meant};
use crate::carrier::findings::shown;
use crate::finding::{Finding, FindingId};
use crate::model::{Altitude, Readiness, RelationType, SpecKind, parse_slot_id};

const SPEC_KEYS: [&str; 5] = ["id", "kind", "altitude", "readiness", "relations"];
const PACK_KEYS: [&str; 3] = ["id", "specs", "modelRefs"];

/// A remedy for a finding of one of the two stages.
pub(super) fn remedy(finding: &Finding, source: &Source<'_>) -> Option<String> {
    let message = finding.message.as_str();
    let line = source.line(finding);
    let (key, value) = line.trim().split_once(':').map_or(("", ""), |(key, value)| (key.trim(), value.trim()));
    if message.starts_with("frontmatter key \"") && message.ends_with("is not accepted") {
        return Some(meant(
            key,
            &[&SPEC_KEYS[..], &PACK_KEYS[..]].concat(),
            "a Spec has the keys id, kind, altitude, readiness and relations; a Pack has id, specs and modelRefs",
        ));
    }
    if let Some(field) = message.strip_prefix("frontmatter field \"").and_then(|rest| rest.split('"').next()) {
        return Some(match message {
            _ if message.ends_with("is missing") => format!("add a line `{field}: …` to the frontmatter"),
            _ if message.ends_with("a YAML list") => {
                format!("write `{field}:` and below it a line `  - spec:…` for each")
            }
            _ => format!("write a plain word, or quote it: `{field}: \"{}\"`", shown(value.trim_matches(['"', '\'']))),
        });
    }
    if let Some(refused) = message.strip_prefix("Invalid ID \"") {
        return Some(id(refused));
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
        _ => fixed(message, line).map(str::to_owned),
    }
}

/// The remedies that need no word of the author's.
fn fixed(message: &str, line: &str) -> Option<&'static str> {
    Some(match message {
        _ if message.starts_with("frontmatter key \"") => "keep one of the two",
        _ if message.starts_with("relation \"") => "keep one of the two keys, with all ids in a list below it",
        "relations must be a mapping" => {
            "write `relations: {}`, or below `relations:` a line such as `  refines: spec:…`"
        }
        "relation values must not be empty" => "name a Spec, or remove the key",
        "relation target must use the spec namespace" => "a relation leads to a Spec: its id opens with `spec:`",
        "duplicate target within one relation type" | "duplicate entry in specs" | "duplicate entry in modelRefs" => {
            "name it once"
        }
        "specs entries must use the spec namespace" | "modelRefs entries must use the spec namespace" => {
            "a Pack lists Specs: each id opens with `spec:`"
        }
        "relation targets must be string scalars"
        | "specs entries must be string scalars"
        | "modelRefs entries must be string scalars" => "write the id of a Spec, such as `spec:shop.orders`",
        "carrier exceeds the 256 KiB byte limit" => "split the file: one carrier holds 256 KiB at most",
        "frontmatter exceeds the 32 KiB byte limit"
        | "frontmatter exceeds the 2,000 node limit"
        | "frontmatter exceeds the depth limit of 16"
        | "scalar exceeds the 16 KiB byte limit" => "the frontmatter holds ids and words only: move text into the body",
        "carrier must begin at byte zero with an exact --- line" => {
            "let the file open with a line `---`, without a byte-order mark or a blank line before it"
        }
        "carrier requires one exact closing --- line" => "close the frontmatter with a line `---`",
        "an exact --- line in the body is unsupported Markdown" => {
            "remove the line `---` below the frontmatter; sections are told apart by `##` headings"
        }
        "carrier mixes LF and CRLF newlines" | "carrier contains a lone CR newline" => {
            "save the file with one kind of line end"
        }
        "frontmatter does not accept an exact ... document-end line" => "remove the line `...`",
        "frontmatter must contain exactly one nonempty YAML document" | "frontmatter must be a mapping" => {
            "write a line such as `kind: behavior` for each of the keys id, kind, altitude, readiness and relations"
        }
        "frontmatter keys must be string scalars" => "a key is a plain word: correct it, or remove the line",
        "YAML directives are not accepted" => "remove the line that opens with `%`",
        "YAML anchors are not accepted" | "YAML aliases are not accepted" | "YAML tags are not accepted" => {
            "write the value out in plain text"
        }
        _ if !message.starts_with("frontmatter is not valid YAML: ") => return None,
        "frontmatter is not valid YAML: a tab cannot stand here" => "write spaces instead of the tab",
        _ if line.contains('\t') => "write spaces instead of the tab",
        _ => {
            "write each key as `key: value` on a line of its own, and quote a value that holds a colon or a mark of YAML"
        }
    })
}

/// How an id is written; `refused` is the id, and behind a quote what is wrong with it.
fn id(refused: &str) -> String {
    if refused.ends_with(": longer than 512 bytes") {
        return "give the Spec or Pack a shorter id: 512 bytes at most".to_owned();
    }
    let whole = refused.rsplit_once("\": ").filter(|(_, reason)| *reason == "missing namespace");
    let whole = whole.map(|(id, _)| format!("spec:{id}")).filter(|id| parse_slot_id(id).is_ok());
    whole.map_or_else(|| FindingId::InvalidId.help().to_owned(), |id| format!("write `{id}`"))
}

fn words<T: Copy>(all: &[T], word: fn(T) -> &'static str) -> Vec<&'static str> {
    all.iter().map(|value| word(*value)).collect()
}
