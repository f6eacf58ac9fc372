//! What the benches share with `cargo xtask`: the synthetic corpora.

pub mod corpus;
mod python_random;
