//! Carriers: one file's text goes in, its documents or its findings come out. A refused carrier is refused whole and
//! leaves its siblings alone.

// @sdpAnchor component:sdp.carriers
// @sdpLayer adapter
// @sdpContext engine

mod findings;
pub mod gherkin;
pub(crate) mod locate;
pub mod markdown;
mod prose;
#[cfg(feature = "typescript")]
pub mod typescript;
mod words;

use crate::finding::Finding;
use crate::model::Document;

/// The most that a carrier may hold, in bytes (fact sheet part 3.1).
pub const MAX_CARRIER_BYTES: usize = 256 * 1024;

/// What one carrier gives. Markdown and Gherkin give documents or findings; TypeScript may give both, since a refused Spec
/// leaves its siblings alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// Its documents, in the order in which they stand.
    pub documents: Vec<Document>,
    /// What is wrong with others, each in this file.
    pub findings: Vec<Finding>,
    /// The entries of [`crate::typescript::Modules`] that its imports used, by position.
    pub used_modules: Vec<usize>,
}

impl From<Result<Vec<Document>, Vec<Finding>>> for Read {
    fn from(read: Result<Vec<Document>, Vec<Finding>>) -> Self {
        let (documents, findings) = match read {
            Ok(documents) => (documents, Vec::new()),
            Err(findings) => (Vec::new(), findings),
        };
        Read { documents, findings, used_modules: Vec::new() }
    }
}

/// The forms in which Specs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarrierForm {
    /// `*.sdp.md`.
    Markdown,
    /// `*.sdp.gherkin`.
    Gherkin,
    /// `*.sdp.ts`.
    TypeScript,
}

impl CarrierForm {
    /// The form that a file name announces; suffixes are case-sensitive (fact sheet part 1).
    #[must_use]
    pub fn of_file_name(name: &str) -> Option<Self> {
        if name.ends_with(".sdp.md") {
            Some(CarrierForm::Markdown)
        } else if name.ends_with(".sdp.gherkin") {
            Some(CarrierForm::Gherkin)
        } else if name.ends_with(".sdp.ts") {
            Some(CarrierForm::TypeScript)
        } else {
            None
        }
    }
}
