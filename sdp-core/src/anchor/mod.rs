//! Anchors: one source file's text goes in, the bindings that it holds come out, with a finding for each that is not one.
//! Three forms, attributes on Rust items, constants of TypeScript and tags in comments of any language, feed one closed
//! [`envelope`] (newest sheet part 4). Nothing here reads a file, and a refused anchor leaves its siblings alone.

// @sdpAnchor component:sdp.anchors
// @sdpLayer adapter
// @sdpContext engine

pub mod comment;
pub mod envelope;
mod languages;
pub mod rust;
#[cfg(feature = "typescript")]
pub mod typescript;

pub use self::languages::{
    Authored, ConfiguredLanguage, Language, LanguageId, Languages, Meaning, OwnRules, built_in_file_names,
    built_in_name, built_in_names, markdown_rows,
};
pub(crate) use self::languages::{is_read_typescript, is_typescript};

use crate::finding::{Finding, FindingId};
use crate::harmless::{one_line, shown};
use crate::model::AnchorDocument;

/// The most that a source file may hold, in bytes. One that holds more, and a binding, is refused.
pub const MAX_SOURCE_BYTES: usize = 16 * 1024 * 1024;

/// How many findings of one file are kept: one with more is no source that people wrote, and is not read further.
const MAX_FINDINGS: usize = 1000;

/// How many characters of a text of a file a message shows.
const MAX_SHOWN: usize = 200;

/// What one source file gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// Its anchors, in the order in which they stand.
    pub anchors: Vec<AnchorDocument>,
    /// What is wrong with the others, each in this file at a line.
    pub findings: Vec<Finding>,
    /// The entries of [`crate::typescript::Modules`] that its imports used, by position.
    pub used_modules: Vec<usize>,
}

impl Read {
    /// Takes up what the [`envelope`] makes of one anchor.
    pub fn take(&mut self, read: Result<AnchorDocument, Vec<Finding>>) {
        match read {
            Ok(anchor) => self.anchors.push(anchor),
            Err(findings) => self.findings.extend(findings),
        }
    }

    /// Adds what another reading of the same file gave.
    pub(crate) fn join(&mut self, other: Read) {
        self.anchors.extend(other.anchors);
        self.findings.extend(other.findings);
        self.used_modules.extend(other.used_modules);
    }
}

/// What is said of a source file that a parser refuses, without its place.
fn unparsed(reason: &str) -> Finding {
    let message = format!(
        "the file does not parse: {} — the error-tolerant parse recovers by guessing, so the file cannot be reified faithfully and its content is excluded from the graph (ambiguity is loud, L2)",
        one_line(&shown(reason, MAX_SHOWN))
    );
    Finding::error(FindingId::ParseError, message)
}
