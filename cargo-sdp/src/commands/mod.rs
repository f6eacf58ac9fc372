//! One module per command: its arguments come in, the library is called, and what it gives is rendered. A command never
//! ends the process; it hands its exit code, or a refusal, back.

pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod impact;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod man;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod new;
pub(crate) mod q;
pub(crate) mod questions;
pub(crate) mod recipes;
pub(crate) mod rules;
pub(crate) mod unbound;
