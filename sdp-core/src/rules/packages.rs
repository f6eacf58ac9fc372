//! Packages whose folders hold bodies of rules: a name comes in, the folder goes out. Whoever runs the engine says how it is found,
//! because the engine starts no process.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

/// Finds the folders of packages.
pub trait Packages: fmt::Debug + Send + Sync {
    /// The folder of a package, absolute.
    ///
    /// # Errors
    /// [`PackageError`].
    fn folder(&self, package: &str) -> Result<PathBuf, PackageError>;
}

/// Why the folder of a package cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct PackageError {
    /// What is wrong, as one sentence.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}
