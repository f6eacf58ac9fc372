//! Anchors: one source file's text goes in, the bindings that it holds come out, with a finding for each that is not one.
//! Two forms, attributes on Rust items and tags in comments of any language, feed one closed [`envelope`] (newest sheet
//! part 4). Nothing here reads a file, and a refused anchor leaves its siblings alone.

// @sdpAnchor component:sdp.anchors
// @sdpLayer adapter
// @sdpContext engine

pub mod comment;
pub mod envelope;
mod languages;
pub mod rust;

pub(crate) use self::languages::is_typescript;
pub use self::languages::{
    Authored, ConfiguredLanguage, Language, LanguageId, Languages, Meaning, OwnRules, built_in_file_names,
    built_in_name, built_in_names, markdown_rows,
};

use crate::finding::Finding;
use crate::model::AnchorDocument;

/// The most that a source file may hold, in bytes. One that holds more, and a binding, is refused.
pub const MAX_SOURCE_BYTES: usize = 16 * 1024 * 1024;

/// What one source file gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// Its anchors, in the order in which they stand.
    pub anchors: Vec<AnchorDocument>,
    /// What is wrong with the others, each in this file at a line.
    pub findings: Vec<Finding>,
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
    }
}
