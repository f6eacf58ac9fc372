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

/// The most that a carrier may hold, in bytes (fact sheet part 3.1).
pub const MAX_CARRIER_BYTES: usize = 256 * 1024;

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
