//! Behavioral evaluation contracts. The bytes of an artifact come in; a contract that compiled, the brief that it seals to, or
//! one coded fault with its path goes out. Nothing here runs a system under test, opens a socket or reads a clock.
//!
//! A contract declares what must hold, which evidence proves it and which bounds a run has. Compiling refuses what could not be
//! trusted; sealing gives an evaluator what it may know and nothing more.

// @sdpAnchor component:sdp.eval
// @sdpLayer domain
// @sdpContext engine

pub mod artifacts;
mod blank;
pub mod compile;
pub mod contract;
pub mod document;
pub mod fault;
pub mod operators;
pub mod plan;
mod reach;
pub mod regex;
pub mod seal;
pub mod shape;
#[cfg(test)]
mod testing;
mod walk;
