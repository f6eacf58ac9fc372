//! `cargo xtask catalog`: the page of the recipe catalog, written from the heads of the bodies.

use std::error::Error;

use crate::generated::Generated;

/// Write `recipes/CATALOG.md` from the heads of the recipe bodies
#[derive(clap::Args)]
pub(crate) struct Catalog {
    /// Write nothing; fail and show the difference when the saved page is another
    #[arg(long)]
    check: bool,
}

impl Catalog {
    /// The command with `--check`.
    pub(crate) fn checking() -> Self {
        Catalog { check: true }
    }

    /// Writes or compares the page.
    pub(crate) fn run(&self) -> Result<(), Box<dyn Error>> {
        Generated { path: "recipes/CATALOG.md", command: "cargo xtask catalog" }
            .write_or_compare(&sdp_recipes::catalog_page(), self.check)
    }
}
