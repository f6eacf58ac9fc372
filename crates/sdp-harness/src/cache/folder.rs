//! The folder of the cache: a key comes in, the bytes of its file go out, or new bytes go in. A file is written whole or not at all, links are
//! not followed, and what was left by processes that were killed is removed when it is old.

use std::fs::{self, File, Metadata};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sdp_canon::{write_all_new, write_atomic};
use sdp_core::config::{Environment, target_folder};

use super::Reason;
use super::key::Key;

/// The name of the folder in cargo's target folder.
const IN_TARGET: &[&str] = &["sdp-cache"];

/// The names of the folders in a root that cargo does not know.
const IN_ROOT: &[&str] = &[".sdp", "cache"];

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 1024 * 1024 * 1024;

/// How many caches are kept: each build of a program, each root and each set of options has one.
const MAX_FILES: usize = 16;

/// How old a cache may become.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// From when on an unfinished file is nobody's any more.
const UNFINISHED_AGE: Duration = Duration::from_secs(60 * 60);

/// How the names of unfinished files open.
const UNFINISHED: &str = ".sdp-write-";

const TAG: (&str, &str) = (
    "CACHEDIR.TAG",
    "Signature: 8a477f597d28d172789f06886806bc55\n# What is in this folder can be made again: cargo sdp keeps graphs here.\n",
);

const IGNORE: (&str, &str) = (".gitignore", "*\n");

/// Where caches are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheFolder {
    /// A folder that is there already.
    base: PathBuf,
    /// The folders in it, one in the other.
    names: &'static [&'static str],
}

impl CacheFolder {
    /// The folder for an absolute root: in cargo's target folder, else in the root.
    #[must_use]
    pub fn of(root: &Path, environment: &Environment) -> CacheFolder {
        match target_folder(root, environment) {
            Some(target) => CacheFolder { base: target, names: IN_TARGET },
            None => CacheFolder { base: root.to_owned(), names: IN_ROOT },
        }
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        let mut path = self.base.clone();
        path.extend(self.names);
        path
    }

    /// The file of a key.
    pub(super) fn read(&self, key: &Key) -> Result<Vec<u8>, Reason> {
        let none = || "there is no cache yet".to_owned();
        let unreadable = |error: std::io::Error| match error.kind() {
            ErrorKind::NotFound => none(),
            _ => format!("the cache cannot be read ({error})"),
        };
        let irregular = || "the cache is no regular file of a sensible size".to_owned();
        let is_sensible = |metadata: &Metadata| metadata.is_file() && metadata.len() <= MAX_BYTES;
        if self.first_link_or_file().is_some() {
            return Err(none());
        }
        let path = self.path().join(key.file_name());
        if !is_sensible(&path.symlink_metadata().map_err(unreadable)?) {
            return Err(irregular());
        }
        let file = File::open(&path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        if !is_sensible(&metadata) {
            return Err(irregular());
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default() + 1);
        file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
        Ok(bytes)
    }

    /// Makes the file of a key.
    pub(super) fn write(&self, key: &Key, bytes: &[u8]) -> Result<(), Reason> {
        if u64::try_from(bytes.len()).map_or(true, |length| length > MAX_BYTES) {
            return Err("it would be too large".to_owned());
        }
        // Cargo tags its target folder only where it makes it itself.
        if !self.base.is_dir() {
            return Err(format!("the folder {} does not exist", self.base.display()));
        }
        let folder = self.made()?;
        self.label(&folder);
        let path = folder.join(key.file_name());
        let written = write_atomic(&path, bytes);
        remove_old(&folder, &path, SystemTime::now());
        written.map_err(|error| error.explained())
    }

    /// Makes the folders that are missing.
    fn made(&self) -> Result<PathBuf, Reason> {
        let mut folder = self.base.clone();
        for name in self.names {
            folder.push(name);
            match fs::create_dir(&folder) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                    return Err(format!("the folder {} cannot be made ({error})", folder.display()));
                }
                _ => {}
            }
        }
        match self.first_link_or_file() {
            Some(path) => Err(format!("{} is no folder", path.display())),
            None => Ok(folder),
        }
    }

    /// What stands in the place of one of the folders and is none, a link to a folder included.
    fn first_link_or_file(&self) -> Option<PathBuf> {
        let mut folder = self.base.clone();
        self.names.iter().find_map(|name| {
            folder.push(name);
            let metadata = folder.symlink_metadata().ok()?;
            (!metadata.is_dir()).then(|| folder.clone())
        })
    }

    /// Says to programs that make backups, and to git, that nothing here is of value.
    fn label(&self, folder: &Path) {
        let ignore = (self.names == IN_ROOT).then_some(IGNORE);
        for (name, text) in [TAG].into_iter().chain(ignore) {
            let path = folder.join(name);
            if path.symlink_metadata().is_err() {
                // A cache without a label is one still.
                let _ = write_all_new(&[(&path, text.as_bytes())]);
            }
        }
    }
}

/// Removes unfinished files and caches that are old or too many, but never the one that was just written.
fn remove_old(folder: &Path, own: &Path, now: SystemTime) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut caches = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_cache = name.starts_with("graph-") && name.ends_with(".bin");
        if !is_cache && !name.starts_with(UNFINISHED) {
            continue;
        }
        // What stands there itself, not what it leads to.
        let Ok(metadata) = entry.metadata() else { continue };
        let Ok(modified) = metadata.modified() else { continue };
        let age = now.duration_since(modified).unwrap_or_default();
        if metadata.is_file() && age > if is_cache { MAX_AGE } else { UNFINISHED_AGE } && entry.path() != own {
            let _ = fs::remove_file(entry.path());
        } else if is_cache && metadata.is_file() && entry.path() != own {
            caches.push((modified, entry.path()));
        }
    }
    caches.sort();
    let many = caches.len().saturating_sub(MAX_FILES - 1);
    for (_, path) in caches.iter().take(many) {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_old_and_what_is_too_much_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let make = |name: &str, age: u64| {
            let path = folder.path().join(name);
            let file = File::create(&path).unwrap();
            file.set_modified(now - Duration::from_secs(age)).unwrap();
            path
        };
        let own = make("graph-own.bin", 100 * 24 * 3600);
        let (old, new) = (make(".sdp-write-old", 3700), make(".sdp-write-new", 10));
        let foreign = make("foreign", 100 * 24 * 3600);
        let expired = make("graph-expired.bin", 31 * 24 * 3600);
        let caches: Vec<PathBuf> = (0..20).map(|age| make(&format!("graph-{age:02}.bin"), age)).collect();
        remove_old(folder.path(), &own, now);
        assert!(own.exists() && new.exists() && foreign.exists());
        assert!(!old.exists() && !expired.exists());
        let left: Vec<bool> = caches.iter().map(|path| path.exists()).collect();
        assert_eq!(left.iter().filter(|left| **left).count(), MAX_FILES - 1, "{left:?}");
        assert!(left.iter().take(MAX_FILES - 1).all(|left| *left), "{left:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_no_folder() {
        let root = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), root.path().join(".sdp")).unwrap();
        let folder = CacheFolder { base: root.path().to_owned(), names: IN_ROOT };
        assert!(folder.made().is_err());
        let key = Key::from_parts(&"build", root.path(), &sdp_core::discover::DiscoverOptions::default());
        assert!(folder.write(&key, b"x").is_err() && folder.read(&key).is_err());
    }
}
