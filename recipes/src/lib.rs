//! The shipped recipe catalog: questions to the graph that someone already wrote down. Each is one JavaScript
//! async-function body in `bodies/NN-slug.js`, embedded here, so that a run reads none of it from the corpus or the
//! working directory.

mod head;
mod page;

pub use head::{Head, head_of};
pub use page::catalog_page;

/// The first number of a recipe that is ours: those below have the numbers of the Protocol's own catalog.
pub const FIRST_OWN: u32 = 101;

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

    /// Whether it is one of ours, not one of the Protocol's catalog.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.number >= FIRST_OWN
    }

    /// The parameters of an example call: one value for each parameter that it takes.
    #[must_use]
    pub fn sample_params(&self) -> Vec<(&'static str, &'static str)> {
        self.head().params.into_iter().filter_map(|param| Some((param, page::sample_of(param)?))).collect()
    }
}

macro_rules! catalog {
    ($($number:literal $slug:literal $file:literal;)*) => {
        /// Every shipped recipe, by number.
        pub const CATALOG: &[Recipe] = &[
            $(Recipe { number: $number, slug: $slug, body: include_str!(concat!("../bodies/", $file)) },)*
        ];
    };
}

catalog! {
    1 "build-backlog" "01-build-backlog.js";
    2 "drift-alarm" "02-drift-alarm.js";
    3 "what-does-this-spec-guarantee-and-who-verifies-it" "03-what-does-this-spec-guarantee-and-who-verifies-it.js";
    4 "what-breaks-if-i-change-these-files" "04-what-breaks-if-i-change-these-files.js";
    5 "pack-review-backbone" "05-pack-review-backbone.js";
    6 "where-is-this-concept" "06-where-is-this-concept.js";
    7 "readiness-divergence" "07-readiness-divergence.js";
    8 "orphans-and-gaps" "08-orphans-and-gaps.js";
    9 "promotion-preflight" "09-promotion-preflight.js";
    10 "declared-versus-enabled-verifiers" "10-declared-versus-enabled-verifiers.js";
    11 "the-lower-ladder" "11-the-lower-ladder.js";
    12 "component-membership" "12-component-membership.js";
    13 "uses-fan-in-and-fan-out" "13-uses-fan-in-and-fan-out.js";
    14 "structural-neighborhood" "14-structural-neighborhood.js";
    15 "census-structural-coverage" "15-census-structural-coverage.js";
    16 "projection-coverage-upper-bound" "16-projection-coverage-upper-bound.js";
    17 "architecture-map" "17-architecture-map.js";
    18 "decision-map" "18-decision-map.js";
    19 "planning-slice" "19-planning-slice.js";
    20 "open-question-register" "20-open-question-register.js";
    21 "dependency-footing" "21-dependency-footing.js";
    22 "mention-audit" "22-mention-audit.js";
    23 "entry-search" "23-entry-search.js";
    24 "pinned-declarations" "24-pinned-declarations.js";
    25 "address-resolution" "25-address-resolution.js";
    26 "dependency-cycles" "26-dependency-cycles.js";
    27 "references-into-a-design" "27-references-into-a-design.js";
    28 "roles-layers-and-contexts" "28-roles-layers-and-contexts.js";
    29 "pack-design" "29-pack-design.js";
    30 "design-change-impact" "30-design-change-impact.js";
    31 "decision-register" "31-decision-register.js";
    32 "architecture-crossings" "32-architecture-crossings.js";
    101 "example-space-coverage" "101-example-space-coverage.js";
    102 "specs-without-owner-pack" "102-specs-without-owner-pack.js";
    103 "rules-without-citing-example" "103-rules-without-citing-example.js";
    104 "open-questions-by-age" "104-open-questions-by-age.js";
}

/// The recipe with a number.
#[must_use]
#[sdp::satisfies("spec:sdp.recipes")]
pub fn recipe(number: u32) -> Option<&'static Recipe> {
    CATALOG.iter().find(|recipe| recipe.number == number)
}

#[cfg(test)]
mod tests;
