//! Import: paths that a user names come in; for each TypeScript carrier there, the Markdown carrier of the same Spec goes out
//! as a plan, or what is wrong. It reads files and writes none: a plan is whole before anything of it is written.

mod emit;
mod fields;
mod plan;
#[cfg(test)]
mod tests;

pub use self::emit::{Unfaithful, markdown};
pub use self::plan::{Plan, Planned, Request, plan};
