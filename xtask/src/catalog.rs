//! `cargo xtask catalog`: the page of the recipe catalog, written from the heads of the bodies, for the crate and for the guide.

use std::error::Error;

use crate::generated::Generated;

/// Write `recipes/CATALOG.md` and `docs/src/catalog.md` from the heads of the recipe bodies
#[derive(clap::Args)]
pub(crate) struct Catalog {
    /// Write nothing; fail and show the difference when a saved page is another
    #[arg(long)]
    check: bool,
}

impl Catalog {
    /// The command with `--check`.
    pub(crate) fn checking() -> Self {
        Catalog { check: true }
    }

    /// Writes or compares the pages.
    pub(crate) fn run(&self) -> Result<(), Box<dyn Error>> {
        let page = sdp_recipes::catalog_page();
        for path in ["recipes/CATALOG.md", "docs/src/catalog.md"] {
            Generated { path, command: "cargo xtask catalog" }.write_or_compare(&page, self.check)?;
        }
        Ok(())
    }
}
