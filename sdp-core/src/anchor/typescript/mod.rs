//! Anchors in TypeScript: the constant form and the comment form. A source file's text comes in, the anchors that it holds go
//! out (newest sheet part 4, fact sheet 6.4 and table F). Calls of the Protocol that bind nothing are named.

mod comment;
mod constant;
mod gate;
mod lookalike;
#[cfg(test)]
mod tests;

use hashbrown::HashSet;

use super::comment::may_hold_anchors;
use super::{MAX_FINDINGS, Read, unparsed};
use crate::finding::{Finding, FindingId};
use crate::typescript::{Builder, Builders, File, Modules, Unparsed, uses_of, with_file};

pub(crate) use self::gate::{Gate, may_look_alike};

/// Reads one source file. `file` is its root-relative path, which the findings name.
#[must_use]
#[sdp::satisfies(
    "spec:sdp.anchors.typescript",
    component = "component:sdp.anchors",
    uses = "component:sdp.typescript",
    references = "spec:sdp.decisions.oxc"
)]
pub fn read(file: &str, text: &str, modules: &Modules) -> Read {
    with_file(file, text, |parsed| of_parsed(file, parsed, modules)).unwrap_or_else(|unparsed| refused(file, &unparsed))
}

/// Reads what the comments of one source file hold, and nothing else.
pub(super) fn read_comments(file: &str, text: &str) -> Read {
    if !may_hold_anchors(text.as_bytes()) {
        return Read::default();
    }
    let of_comments = |parsed: &File<'_>| {
        let mut read = Read::default();
        comment::read(file, parsed, &mut read);
        read
    };
    with_file(file, text, of_comments).unwrap_or_else(|unparsed| refused(file, &unparsed))
}

/// The comments need no import. What comments and constants bind goes out in the order in which it stands.
fn of_parsed(file: &str, parsed: &File<'_>, modules: &Modules) -> Read {
    let mut read = Read::default();
    comment::read(file, parsed, &mut read);
    let builders = Builders::read(file, &parsed.program.body, modules);
    read.used_modules = builders.used();
    if !builders.is_empty() {
        let recognized = constant::read(file, parsed, &builders, &mut read);
        read.anchors.sort_by_key(|anchor| anchor.line);
        misplaced(file, parsed, &builders, &recognized, &mut read);
    }
    lookalike::read(file, parsed, &builders, &mut read);
    read
}

/// Names the calls in a source file that look like anchors and are none. The file binds nothing, so that what is wrong with its
/// syntax is the compiler's to report.
#[must_use]
pub(crate) fn read_lookalikes(file: &str, text: &str) -> Read {
    let of_calls = |parsed: &File<'_>| {
        let mut read = Read::default();
        lookalike::read(file, parsed, &Builders::default(), &mut read);
        read
    };
    with_file(file, text, of_calls).unwrap_or_default()
}

/// Warns of each call that builds a Spec, a Pack or an anchor where none is read. `recognized` has the offsets of the others.
fn misplaced(file: &str, parsed: &File<'_>, builders: &Builders<'_>, recognized: &HashSet<u32>, read: &mut Read) {
    for (builder, span) in uses_of(parsed, builders, |span| recognized.contains(&span.start)) {
        if read.findings.len() > MAX_FINDINGS {
            return;
        }
        let (surface, help) = match builder {
            Builder::Spec | Builder::Pack => (
                "spec(…)/pack(…) calls are extracted from *.sdp.ts files only (the .sdp.ts extension, MD-15)",
                "move the call to a file that ends with `.sdp.ts`".to_owned(),
            ),
            _ => (
                "an anchor binds through a top-level const declaration (the anchor-constant form)",
                format!("write `const name = {}({{ … }});` at the top level of the file", builder.as_str()),
            ),
        };
        let message = format!(
            "\"{}(…)\" call is outside its recognized authoring surface and is not extracted — {surface}",
            builder.as_str()
        );
        let finding = Finding::warning(FindingId::MisplacedAuthoring, message).at(file, parsed.line(span.start));
        read.findings.push(finding.with_help(help));
    }
}

fn refused(file: &str, Unparsed { message, line }: &Unparsed) -> Read {
    Read { findings: vec![unparsed(message).at(file, *line)], ..Read::default() }
}
