//! `new spec` and `new pack`: what an author says comes in, the carrier goes out, which the reader of carriers has accepted and read as what
//! was said.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use sdp_core::carrier::markdown;
use sdp_core::harmless;
use sdp_core::model::{Altitude, Document as Carrier, SpecKind, parse_slot_id};
use sdp_core::suggest::first_nearest;

use super::arguments::call;
use super::{Document, PackArgs, SpecArgs, refused};
use crate::errors::Refusal;
use crate::output::Output;
use crate::root::{self, CommonArgs};

const SPEC: &str = "new spec";
const PACK: &str = "new pack";

/// The Spec that the arguments ask for. Their order of judgement is the Protocol's.
pub(super) fn spec(args: &SpecArgs, common: &CommonArgs, output: &mut Output) -> Result<Document, Refusal> {
    let SpecArgs { path, id, kind, altitude, title, outcome, dry_run } = args;
    let (id, title, outcome) = (filled(id), filled(title), filled(outcome));
    // Both are judged, so that two lines may be printed.
    match (one_line(SPEC, "--title", title), one_line(SPEC, "--outcome", outcome)) {
        (Err(first), Err(second)) => {
            output.err_line(&harmless::continued(&first.line("new")));
            return Err(second);
        }
        (title, outcome) => title.and(outcome)?,
    }
    let kind = filled(kind);
    let kind = SpecKind::from_word(kind).ok_or_else(|| {
        let words: Vec<&str> = SpecKind::ALL.iter().map(|kind| kind.as_str()).collect();
        no_word("--kind", kind, &format!("is not a ratified Spec kind ({})", words.join(", ")), &words)
    })?;
    let altitude = filled(altitude);
    let altitude = Altitude::from_word(altitude).ok_or_else(|| {
        let words: Vec<&str> = Altitude::ALL.iter().map(|altitude| altitude.as_str()).collect();
        no_word("--altitude", altitude, &format!("is not a ratified altitude ({})", words.join(", ")), &words)
    })?;
    check_id(SPEC, "--id", id, "spec")?;
    let path = checked_path(SPEC, path.as_deref().unwrap_or_default(), "a .sdp.md Spec carrier", |name| {
        name.ends_with(".sdp.md") && !name.ends_with(".pack.sdp.md")
    })?;
    let (base, base_name) = base(common)?;
    let heading = match kind {
        SpecKind::Behavior | SpecKind::Example => "\n## Behavior\n",
        SpecKind::Workflow => "\n## Workflow\n",
        SpecKind::Rule => "\n## Rule\n",
        SpecKind::Contract => "\n## Contract\n",
        SpecKind::Model => "\n## Model\n",
        SpecKind::Decision => "\n## Decision\n",
        SpecKind::Constraint => "",
    };
    let text = format!(
        "---\nid: {id}\nkind: {kind}\naltitude: {altitude}\nreadiness: idea\nrelations: {{}}\n---\n# {title}\n\n## Intent\n\n- outcome: {outcome}\n{heading}"
    );
    let document = Document {
        command: SPEC,
        base,
        base_name,
        path,
        text,
        next: Some("an idea is tied to another Spec next: write a relation instead of `relations: {}`, then run `cargo sdp check`".to_owned()),
        walked: Some("it"),
        dry_run: *dry_run,
    };
    super::place(&document)?;
    match markdown::read("new.sdp.md", &document.text) {
        Ok(Carrier::Spec(read)) => {
            let (read_title, intent) = (read.title.unwrap_or_default(), read.sections.intent);
            same(SPEC, "--title", title, &read_title)?;
            same(SPEC, "--outcome", outcome, &intent.and_then(|intent| intent.outcome).unwrap_or_default())?;
            Ok(document)
        }
        Ok(_) => Err(refused(SPEC, "--outcome the emitted Markdown is not accepted by the extractor", None)),
        Err(findings) => Err(unread(SPEC, "--outcome", &findings)),
    }
}

/// The Pack that the arguments ask for.
pub(super) fn pack(args: &PackArgs, common: &CommonArgs) -> Result<Document, Refusal> {
    let PackArgs { path, id, title, member, dry_run } = args;
    let (id, title) = (filled(id), filled(title));
    one_line(PACK, "--title", title)?;
    check_id(PACK, "--id", id, "pack")?;
    let mut members = std::collections::HashSet::new();
    for spec in member {
        check_id(PACK, "--member", spec, "spec")?;
        if !members.insert(spec) {
            return Err(refused(PACK, format!("--member {spec} is given twice."), "list each Spec once".to_owned()));
        }
    }
    let path = checked_path(PACK, path.as_deref().unwrap_or_default(), "a .pack.sdp.md carrier", |name| {
        name.ends_with(".pack.sdp.md")
    })?;
    let (base, base_name) = base(common)?;
    let specs = match member.as_slice() {
        [] => "specs: []\n".to_owned(),
        specs => {
            std::iter::once("specs:\n".to_owned()).chain(specs.iter().map(|spec| format!("  - {spec}\n"))).collect()
        }
    };
    let document = Document {
        command: PACK,
        base,
        base_name,
        path,
        text: format!("---\nid: {id}\n{specs}---\n# {title}\n"),
        next: None,
        walked: Some("it"),
        dry_run: *dry_run,
    };
    super::place(&document)?;
    match markdown::read("new.pack.sdp.md", &document.text) {
        Ok(Carrier::Pack(read)) => {
            same(PACK, "--title", title, &read.title.unwrap_or_default())?;
            Ok(document)
        }
        Ok(_) => Err(refused(PACK, "--title the emitted Markdown is not accepted by the extractor", None)),
        Err(findings) => Err(unread(PACK, "--title", &findings)),
    }
}

/// An option that the reader of the arguments has seen to.
fn filled(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or_default()
}

/// A title or an outcome: one line that says something.
pub(super) fn one_line(command: &'static str, flag: &str, value: &str) -> Result<(), Refusal> {
    let hint = || format!("write it on one line: {flag} 'A customer gets the money back'");
    if value.trim().is_empty() {
        return Err(refused(command, format!("{flag} requires a nonempty single-line value."), hint()));
    }
    if value.contains(['\n', '\r']) {
        return Err(refused(command, format!("{flag} must be a single line."), hint()));
    }
    Ok(())
}

fn no_word(flag: &str, word: &str, is_not: &str, words: &[&str]) -> Refusal {
    let hint = match first_nearest(&word.to_lowercase(), words.iter().copied(), 2) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => call("spec"),
    };
    refused(SPEC, format!("{flag} {} {is_not}.", harmless::cut(word, 200)), hint)
}

/// An id of a namespace.
pub(super) fn check_id(command: &'static str, flag: &str, id: &str, namespace: &str) -> Result<(), Refusal> {
    let hint = format!("for example {namespace}:shop.refund: dot-joined segments of letters, digits and `-`");
    let why = match parse_slot_id(id) {
        Ok(own) if own == namespace => return Ok(()),
        Ok(_) => format!("Invalid ID \"{id}\": expected namespace \"{namespace}\""),
        Err(error) => error.to_string(),
    };
    Err(refused(command, format!("{flag} {}", harmless::one_line(&why)), hint))
}

/// A path by its words alone, in the Protocol's order.
fn checked_path(
    command: &'static str,
    path: &OsStr,
    carrier: &str,
    is_carrier: impl Fn(&str) -> bool,
) -> Result<PathBuf, Refusal> {
    let text = path.to_string_lossy();
    let (ending, noun) = if command == PACK { (".pack.sdp.md", "pack") } else { (".sdp.md", "spec") };
    let say = |message: String| Err(refused(command, message, call(noun)));
    let is_drive = matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if text.trim().is_empty() {
        return say(format!("PATH must be a nonempty cwd-relative {ending} path."));
    }
    if Path::new(path).is_absolute() || text.starts_with(['/', '\\']) || is_drive {
        return say("PATH must be cwd-relative, not absolute.".to_owned());
    }
    if text.split(['/', '\\']).any(|segment| segment == "..") {
        return say("PATH must stay cwd-relative and must not contain .. segments.".to_owned());
    }
    let path = Path::new(path);
    let name = match path.components().next_back() {
        Some(Component::Normal(name)) if !text.ends_with('/') => name.to_string_lossy(),
        _ => OsString::new().to_string_lossy().into_owned().into(),
    };
    if !is_carrier(&name) {
        return say(format!("PATH must be {carrier}."));
    }
    if path.to_str().is_none() {
        return say("PATH is not UTF-8, so that no run would read it.".to_owned());
    }
    Ok(path.to_owned())
}

/// The folder that a path starts at: the root that was asked for, else the current folder.
fn base(common: &CommonArgs) -> Result<(PathBuf, &'static str), Refusal> {
    if common.root.is_some() || common.manifest_path.is_some() {
        return Ok((root::load(common)?.config.root, "the root"));
    }
    let cwd = std::env::current_dir().map_err(Refusal::NoCurrentFolder)?;
    Ok((cwd, "the current working directory"))
}

/// What a reader reads must be what was said, but for white space around it.
fn same(command: &'static str, flag: &str, said: &str, read: &str) -> Result<(), Refusal> {
    if said.trim() == read.trim() {
        return Ok(());
    }
    let message = format!("{flag} would be read as \"{}\".", harmless::cut(read, 200));
    Err(refused(command, message, "word it so that Markdown carriers hold it as it is".to_owned()))
}

fn unread(command: &'static str, flag: &str, findings: &[sdp_core::finding::Finding]) -> Refusal {
    match findings.first() {
        None => refused(command, format!("{flag} the emitted Markdown is not accepted by the extractor"), None),
        Some(finding) => {
            let message = format!("{flag} {} — {}", finding.id.as_str(), harmless::one_line(&finding.message));
            refused(command, message, finding.remedy().to_owned())
        }
    }
}
