//! What a file gives: Specs, a Pack, anchors; each whole, with the lines that the graph does not keep.

use super::anchor::AnchorDocument;
use super::sections::Sections;
use super::vocabulary::{Altitude, Readiness, RelationType, SpecKind};

/// One authored document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly every document is a Spec; a box would cost each of them")]
pub enum Document {
    /// A Spec.
    Spec(SpecDocument),
    /// A Pack manifest.
    Pack(PackDocument),
    /// A binding in source code.
    Anchor(AnchorDocument),
}

impl Document {
    /// The authored id.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Document::Spec(spec) => &spec.id,
            Document::Pack(pack) => &pack.id,
            Document::Anchor(anchor) => &anchor.id,
        }
    }

    /// The 1-based line of the `id` key or the `@spec.` tag, or on which a binding opens.
    #[must_use]
    pub fn line(&self) -> u32 {
        match self {
            Document::Spec(spec) => spec.line,
            Document::Pack(pack) => pack.line,
            Document::Anchor(anchor) => anchor.line,
        }
    }
}

/// A Spec as it was authored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecDocument {
    /// `spec:…`, without an entry address.
    pub id: String,
    /// The 1-based line of the `id` key or the `@spec.` tag.
    pub line: u32,
    /// What it is.
    pub kind: SpecKind,
    /// Where it stands.
    pub altitude: Altitude,
    /// The stated rung.
    pub readiness: Readiness,
    /// Declared relations, in authored order; each target is a `spec:` id.
    pub relations: Vec<(RelationType, String)>,
    /// The title.
    pub title: Option<String>,
    /// The prose between title and first section.
    pub narrative: Option<String>,
    /// The sections.
    pub sections: Sections,
    /// Where its addressable entries stand, in authored order.
    pub entries: Vec<EntryLine>,
}

/// A Pack manifest as it was authored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackDocument {
    /// `pack:…`.
    pub id: String,
    /// The 1-based line of the `id` key.
    pub line: u32,
    /// The title.
    pub title: Option<String>,
    /// The prose below the title.
    pub framing: Option<String>,
    /// Members, in authored order.
    pub members: Vec<String>,
    /// Vocabulary Specs; an authored empty list stays one.
    pub model_refs: Option<Vec<String>>,
}

/// One row for the location table: which entry stands at which 1-based line of the carrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryLine {
    /// The entry.
    pub place: EntryPlace,
    /// The line that opens it.
    pub line: u32,
}

/// An addressable entry of a Spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryPlace {
    /// `design.<key>`; never `description`.
    Design(String),
    /// `ui.<key>`; never `description`.
    Ui(String),
    /// `question[<index>]`, with its key.
    Question(usize, Option<String>),
    /// `rule[<index>]`, with its key.
    Rule(usize, Option<String>),
}

impl EntryPlace {
    /// The `entry` column of the location table.
    #[must_use]
    pub fn entry(&self) -> String {
        match self {
            EntryPlace::Design(key) => format!("design.{key}"),
            EntryPlace::Ui(key) => format!("ui.{key}"),
            EntryPlace::Question(index, _) => format!("question[{index}]"),
            EntryPlace::Rule(index, _) => format!("rule[{index}]"),
        }
    }

    /// The `key` column, which only keyed questions and rules have.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            EntryPlace::Design(_) | EntryPlace::Ui(_) => None,
            EntryPlace::Question(_, key) | EntryPlace::Rule(_, key) => key.as_deref(),
        }
    }
}
