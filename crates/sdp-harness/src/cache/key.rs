//! What an extraction is known by: the build of this program, the root and the options come in, a digest of all of them goes out. Whatever
//! has another digest is another cache.

use std::path::Path;

use sdp_canon::Digest;
use sdp_core::discover::DiscoverOptions;

use super::{Reason, Stamp};

/// The form of the file. A build that changes it changes the number as well, although its own key differs anyway.
const FORM: u32 = 1;

/// The key of one cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key(Digest);

impl Key {
    /// The key of a root under some options for the program that runs.
    pub(super) fn of(root: &Path, options: &DiscoverOptions) -> Result<Key, Reason> {
        let program = std::env::current_exe().map_err(|error| format!("this program has no path ({error})"))?;
        let stamp = Stamp::of(&program, true).ok_or("this program's own file cannot be looked at")?;
        // The version alone would not tell two builds of a developer apart.
        let build = (env!("CARGO_PKG_VERSION"), &program, stamp.of_build());
        Ok(Self::from_parts(&build, root, options))
    }

    pub(super) fn from_parts(build: &impl std::fmt::Debug, root: &Path, options: &DiscoverOptions) -> Key {
        Key(Digest::of(format!("{:?}", (FORM, build, root, options.fingerprint()))))
    }

    /// The digest.
    pub(super) fn bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// The name of the file.
    pub(super) fn file_name(&self) -> String {
        format!("graph-{:.32}.bin", self.0)
    }
}
