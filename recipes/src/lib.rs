//! The shipped recipe catalog: questions to the graph that someone already wrote down. Each is one JavaScript
//! async-function body in `bodies/NN-slug.js`, embedded here, so that a run reads none of it from the corpus or the
//! working directory.

mod head;

pub use head::{Head, head_of};

/// One shipped recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The catalog number.
    pub number: u32,
    /// The heading in lower kebab.
    pub slug: &'static str,
    /// The JavaScript body.
    pub body: &'static str,
}

impl Recipe {
    /// What the body's opening comment says of it.
    #[must_use]
    pub fn head(&self) -> Head<'static> {
        head_of(self.body)
    }
}

/// Every shipped recipe, by number.
pub const CATALOG: &[Recipe] = &[];

/// The recipe with a number.
#[must_use]
pub fn recipe(number: u32) -> Option<&'static Recipe> {
    CATALOG.iter().find(|recipe| recipe.number == number)
}
