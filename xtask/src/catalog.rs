//! `cargo xtask catalog`: the page of the recipe catalog, written from the heads of the bodies.

use std::error::Error;
use std::path::PathBuf;

use similar::TextDiff;

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
        let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "recipes", "CATALOG.md"].iter().collect();
        let page = sdp_recipes::catalog_page();
        if !self.check {
            return Ok(sdp_canon::write_atomic(&path, page.as_bytes())?);
        }
        let saved = std::fs::read_to_string(&path)?;
        if saved == page {
            return Ok(());
        }
        let difference = TextDiff::from_lines(saved.as_str(), page.as_str());
        let shown = difference.unified_diff().header("recipes/CATALOG.md", "what the bodies give").to_string();
        Err(format!("the saved catalog page is another than the bodies give; run `cargo xtask catalog`\n{shown}")
            .into())
    }
}
