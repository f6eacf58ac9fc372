//! Files that are written whole or not at all. A path and bytes come in; the file with exactly these bytes goes out, or a
//! typed error and what stood there before. It must never leave a half-written or a temporary file behind when it
//! returns, and never write through a symbolic link.

use std::fs::{self, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempPath};

#[cfg(test)]
mod tests;

/// Why a file was not written. Every text names the path; the cause that the system gave is the `source`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The path ends in `..` or a root, or is empty.
    #[error("`{}` does not name a file", path.display())]
    NoFileName {
        /// The path as it was given.
        path: PathBuf,
    },
    /// A folder stands at the path.
    #[error("`{}` is a folder, not a file", path.display())]
    Folder {
        /// The path as it was given.
        path: PathBuf,
    },
    /// A symbolic link stands at the path, whether or not it leads anywhere.
    #[error("`{}` is a symbolic link, which is neither replaced nor followed", path.display())]
    Symlink {
        /// The path as it was given.
        path: PathBuf,
    },
    /// A pipe, socket or device stands at the path.
    #[error("`{}` is not a regular file", path.display())]
    NotRegular {
        /// The path as it was given.
        path: PathBuf,
    },
    /// What stands at the path could not be asked for.
    #[error("cannot look at `{}`", path.display())]
    Inspect {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No temporary file could be made in the folder of the path: the folder is missing, for one.
    #[error("cannot create a file beside `{}`", path.display())]
    CreateTemporary {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The bytes did not reach the disk.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The written file could not be moved to the path.
    #[error("cannot put the written file at `{}`", path.display())]
    Replace {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something stands at the path where a new file was wanted.
    #[error("`{}` already exists and is not overwritten", path.display())]
    Exists {
        /// The path as it was given.
        path: PathBuf,
    },
    /// A batch of new files failed, and files that were put before could not be removed again.
    #[error("{}, and {} could not be removed again", cause, listed(left))]
    NotTakenBack {
        /// Why the batch failed.
        cause: Box<WriteError>,
        /// What was left, whole.
        left: Vec<PathBuf>,
        /// What the system said of the first one.
        source: io::Error,
    },
    /// The folders above the path could not be made.
    #[error("cannot create the folder of `{}`", path.display())]
    CreateFolder {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl WriteError {
    /// The text with what the system said, for people.
    #[must_use]
    pub fn explained(&self) -> String {
        match std::error::Error::source(self) {
            Some(cause) => format!("{self} ({cause})"),
            None => self.to_string(),
        }
    }
}

/// Makes `path` a file that holds `bytes`: a temporary file in the same folder is written, synced and renamed, so that a
/// reader, also one after a power cut, finds the old bytes or the new ones.
///
/// Folders above the path are not made; [`create_parents`] does that. On Unix a file that is replaced hands on its
/// permission bits (`rwx` only), a new one gets what the umask leaves of `rw-rw-rw-`. As with every rename, a file that is
/// write-protected is replaced where its folder may be written, and other hard links keep the old bytes. A process
/// that is killed half-way can leave a file `.sdp-write-*` in the folder.
///
/// A symbolic link at `path` is refused: replacing it would quietly cut the tie that somebody made, and following it would
/// write where the caller did not say. Links among the folders above are followed.
///
/// # Errors
///
/// A [`WriteError`]; what stood at `path` is unchanged then.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write_all_atomic(&[(path, bytes)])
}

/// The same for files that belong together: all of them are written and synced before the first is renamed, so that a full
/// disk leaves the old ones as they were. Only a rename that fails after another one leaves files that do not fit.
///
/// # Errors
///
/// A [`WriteError`] of the first file that has one.
pub fn write_all_atomic(files: &[(&Path, &[u8])]) -> Result<(), WriteError> {
    let written = files.iter().map(|(path, bytes)| Ok((*path, written_beside(path, bytes)?)));
    for (path, temporary) in written.collect::<Result<Vec<_>, WriteError>>()? {
        // A refused `persist` gives the temporary file back, and dropping it removes it.
        temporary
            .persist(path)
            .map_err(|refused| WriteError::Replace { path: path.to_owned(), source: refused.error })?;
    }
    Ok(())
}

/// Makes new files that belong together, all of them or none: all are written and synced before the first is put at its
/// path, and nothing that stands at a path is ever replaced, also where it appeared a moment ago. Where one cannot be put, those
/// that were put before are removed again, unless somebody has replaced them meanwhile.
///
/// A process that is killed half-way leaves some of the files, each of them whole, and files `.sdp-write-*` in the folders.
///
/// # Errors
///
/// A [`WriteError`] of the first file that has one: [`WriteError::Exists`] where something stands at its path, be it a folder or a
/// link, and [`WriteError::NotTakenBack`] where files of the batch are left.
pub fn write_all_new(files: &[(&Path, &[u8])]) -> Result<(), WriteError> {
    let written = files.iter().map(|(path, bytes)| Ok((*path, new_beside(path, bytes)?)));
    let mut put: Vec<(&Path, Option<Identity>)> = Vec::with_capacity(files.len());
    for (path, temporary) in written.collect::<Result<Vec<_>, WriteError>>()? {
        let identity = identity(&temporary);
        // A refused `persist_noclobber` gives the temporary file back, and dropping it removes it.
        if let Err(refused) = temporary.persist_noclobber(path) {
            let path = path.to_owned();
            let cause = match refused.error.kind() {
                io::ErrorKind::AlreadyExists => WriteError::Exists { path },
                _ => WriteError::Replace { path, source: refused.error },
            };
            return Err(taken_back(&put, cause));
        }
        put.push((path, identity));
    }
    Ok(())
}

/// A temporary file for a new one, closed: a batch may hold more files than a process may have open.
fn new_beside(path: &Path, bytes: &[u8]) -> Result<TempPath, WriteError> {
    let folder = folder_of(path)?;
    match fs::symlink_metadata(path) {
        Ok(_) => return Err(WriteError::Exists { path: path.to_owned() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(source) => return Err(WriteError::Inspect { path: path.to_owned(), source }),
    }
    let mut temporary = create_temporary(folder, None)
        .map_err(|source| WriteError::CreateTemporary { path: path.to_owned(), source })?;
    fill(&mut temporary, bytes, None).map_err(|source| WriteError::Write { path: path.to_owned(), source })?;
    Ok(temporary.into_temp_path())
}

/// Removes the files of a batch that failed.
fn taken_back(put: &[(&Path, Option<Identity>)], cause: WriteError) -> WriteError {
    let (mut left, mut first) = (Vec::new(), None);
    for (path, was) in put {
        // What somebody put there meanwhile is not ours to remove.
        if *was != identity(path) {
            continue;
        }
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                left.push((*path).to_owned());
                first.get_or_insert(error);
            }
            _ => {}
        }
    }
    match first {
        Some(source) => WriteError::NotTakenBack { cause: Box::new(cause), left, source },
        None => cause,
    }
}

/// What a file is one and the same by: device and inode, where the system has them.
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = fs::symlink_metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<Identity> {
    None
}

fn listed(paths: &[PathBuf]) -> String {
    let shown: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
    shown.join(", ")
}

/// A temporary file beside `path` that holds the bytes, on the disk.
fn written_beside(path: &Path, bytes: &[u8]) -> Result<NamedTempFile, WriteError> {
    let folder = folder_of(path)?;
    let existing = existing_file(path)?;
    let mut temporary = create_temporary(folder, existing.as_ref())
        .map_err(|source| WriteError::CreateTemporary { path: path.to_owned(), source })?;
    fill(&mut temporary, bytes, existing.as_ref())
        .map_err(|source| WriteError::Write { path: path.to_owned(), source })?;
    Ok(temporary)
}

/// Makes the folders above `path` that are missing.
///
/// # Errors
///
/// [`WriteError::NoFileName`] or [`WriteError::CreateFolder`]; some of the folders may have been made then.
pub fn create_parents(path: &Path) -> Result<(), WriteError> {
    fs::create_dir_all(folder_of(path)?).map_err(|source| WriteError::CreateFolder { path: path.to_owned(), source })
}

/// The folder that holds `path`; refuses a path without a file name.
fn folder_of(path: &Path) -> Result<&Path, WriteError> {
    match (path.file_name(), path.parent()) {
        (Some(_), Some(parent)) if parent.as_os_str().is_empty() => Ok(Path::new(".")),
        (Some(_), Some(parent)) => Ok(parent),
        _ => Err(WriteError::NoFileName { path: path.to_owned() }),
    }
}

/// The file that stands at `path`, if any; refuses everything there that is no regular file.
fn existing_file(path: &Path) -> Result<Option<Metadata>, WriteError> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(WriteError::Inspect { path: path.to_owned(), source }),
    };
    let path = path.to_owned();
    if metadata.is_symlink() {
        Err(WriteError::Symlink { path })
    } else if metadata.is_dir() {
        Err(WriteError::Folder { path })
    } else if !metadata.is_file() {
        Err(WriteError::NotRegular { path })
    } else {
        Ok(Some(metadata))
    }
}

/// A temporary file that only its owner can read, until it takes the mode of the file that it replaces; without one, it
/// has the mode of any new file.
#[cfg_attr(not(unix), expect(unused_variables, reason = "only Unix has a mode to choose"))]
fn create_temporary(folder: &Path, existing: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".sdp-write-");
    #[cfg(unix)]
    if existing.is_none() {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Writes the bytes, takes over the mode and waits for the disk.
#[cfg_attr(not(unix), expect(unused_variables, reason = "only Unix has a mode to keep"))]
fn fill(temporary: &mut NamedTempFile, bytes: &[u8], existing: Option<&Metadata>) -> io::Result<()> {
    temporary.write_all(bytes)?;
    #[cfg(unix)]
    if let Some(existing) = existing {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = existing.permissions().mode() & 0o777;
        temporary.as_file().set_permissions(fs::Permissions::from_mode(mode))?;
    }
    temporary.as_file().sync_all()
}
