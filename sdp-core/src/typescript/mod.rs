//! TypeScript as syntax. The text of one file comes in; its statements, comments, builders and static values go out, or the
//! place where it does not parse. Nothing is executed and no type is resolved (fact sheet part 6). Carrier and anchors both
//! read through here, so that they cannot disagree about what a builder or a static value is.
//!
//! All but the trusted [`Modules`] stands behind the feature `typescript`.

// @sdpAnchor component:sdp.typescript
// @sdpReferences spec:sdp.decisions.oxc
// @sdpLayer adapter
// @sdpContext engine

#[cfg(feature = "typescript")]
mod builders;
#[cfg(feature = "typescript")]
mod guard;
#[cfg(feature = "typescript")]
mod kinds;
#[cfg(feature = "typescript")]
mod misplaced;
mod modules;
#[cfg(feature = "typescript")]
mod parse;
#[cfg(feature = "typescript")]
pub(crate) mod remedies;
#[cfg(feature = "typescript")]
mod values;

/// Whether this build reads TypeScript.
pub(crate) const IS_READ: bool = cfg!(feature = "typescript");

#[cfg(feature = "typescript")]
pub(crate) use self::builders::{Builder, Builders, IdBuilder};
#[cfg(feature = "typescript")]
pub(crate) use self::kinds::statement_kind;
#[cfg(feature = "typescript")]
pub(crate) use self::misplaced::uses_of;
#[cfg(feature = "typescript")]
pub(crate) use self::modules::is_path;
pub use self::modules::{Modules, PACKAGE};
#[cfg(feature = "typescript")]
pub(crate) use self::parse::{File, Unparsed, with_file};
#[cfg(feature = "typescript")]
pub(crate) use self::values::{
    COMPUTED_NAME, Id, IdFault, Key, Refused, STATIC_GRAMMAR, arguments_object, id_of, key_of, string_of, unwrapped,
};
