//! The authored vocabulary as types: ids, coordinates, relations, sections, and the documents that carriers and source files give.
//! Raw text becomes one of these at the border; nothing behind it holds a wrong one.

mod anchor;
mod document;
mod id;
mod sections;
mod vocabulary;

pub use anchor::{AnchorDocument, Binding, SymbolMatch, TestSymbol};
pub use document::{Document, EntryLine, EntryPlace, PackDocument, SpecDocument};
#[cfg(feature = "typescript")]
pub(crate) use id::listed;
pub(crate) use id::wrong_namespace;
pub use id::{IdError, MAX_ID_BYTES, ParsedId, is_entry_key, is_js_whitespace, parse_id, parse_slot_id};
pub use sections::{
    Behavior, Constraint, Decision, Example, Intent, MAX_OPEN_DEPTH, ModelSection, OpenBag, OpenValue, Question, Rule,
    Sections, Steps, Verification,
};
pub use vocabulary::{Altitude, EdgeType, FACT_NAMES, Phase, Readiness, RelationType, SpecKind, VerificationMode};
