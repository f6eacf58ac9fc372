//! Files that a generator writes into the workspace: written, or compared with what is saved. Nothing else writes there.

use std::error::Error;
use std::path::PathBuf;

use similar::TextDiff;

/// One generated file.
pub(crate) struct Generated {
    /// Below the workspace's root.
    pub(crate) path: &'static str,
    /// What writes it anew.
    pub(crate) command: &'static str,
}

impl Generated {
    /// Writes the text, or, to `compare`, fails with the difference when the saved file is another.
    pub(crate) fn write_or_compare(&self, text: &str, compare: bool) -> Result<(), Box<dyn Error>> {
        let Generated { path: name, command } = self;
        let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", name].iter().collect();
        if !compare {
            return Ok(sdp_canon::write_atomic(&path, text.as_bytes())?);
        }
        let saved = std::fs::read_to_string(&path)?;
        if saved == text {
            return Ok(());
        }
        let difference = TextDiff::from_lines(saved.as_str(), text);
        let shown = difference.unified_diff().header(name, "generated").to_string();
        Err(format!("the saved {name} is not what is generated; run `{command}`\n{shown}").into())
    }
}
