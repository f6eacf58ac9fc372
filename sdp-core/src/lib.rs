//! The engine of `cargo sdp`: what comes in is a repository's Specs and the bindings in its source, what goes out is one typed graph, the findings of
//! its checks, and answers. Nothing here knows a terminal, ends the process or asks the clock for a decision.
//!
//! Rooms, in the order in which data flows: [`model`], [`notation`], [`typescript`], [`carrier`], [`anchor`], [`config`], [`discover`], [`graph`],
//! [`mod@derive`], [`extract`], [`space`], [`validate`], [`reader`], `script` and `rules` (both behind the feature `script`).
//! `import` (behind the feature `typescript`) stands on carriers and discovery alone.
//! Dependencies point left only. [`mod@explain`] says what each finding means.
//!
//! Any room may use what is shared: [`finding`] and [`severity`] (what is said, and what it weighs), [`suggest`] and [`order`]
//! (which text is near, and which comes first), [`files`] and [`harmless`] (text that somebody else
//! wrote), [`params`], [`date`], [`threads`].

pub mod anchor;
pub mod carrier;
pub mod config;
pub mod contract;
pub mod date;
pub mod derive;
pub mod discover;
pub mod explain;
pub mod extract;
pub mod files;
pub mod finding;
pub mod graph;
pub mod harmless;
#[cfg(feature = "typescript")]
pub mod import;
pub mod model;
pub mod notation;
mod number;
pub mod order;
pub mod params;
pub mod reader;
#[cfg(feature = "script")]
pub mod rules;
#[cfg(feature = "script")]
pub mod script;
pub mod severity;
pub mod space;
pub mod suggest;
#[cfg(test)]
mod testing;
pub mod threads;
pub mod typescript;
pub mod validate;

#[cfg(feature = "script")]
pub use script::{Answer, EvalError, Input, evaluate_body};
