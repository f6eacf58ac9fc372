//! Contents: paths come in, what tells one content from another goes out. A file that was only touched, or saved as it was, has
//! the content that it had.

use std::fs::{self, File, Metadata};
use std::hash::{DefaultHasher, Hasher as _};
use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use sdp_core::discover;

/// How much longer before a time a file must have been left alone, so that it counts as unchanged since: clocks of file systems
/// lag behind.
const LAG: Duration = Duration::from_millis(30);

/// How much is read at once, in bytes.
const CHUNK: usize = 64 * 1024;

/// What tells a file from all others, whatever its names: its device and its number there.
pub(super) type Inode = (u64, u64);

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Nothing that would be read.
    Nothing,
    /// This, by its digest or the line of its tag.
    Is(u64),
    /// Something that may have changed while it was read: it differs from everything.
    Unsure,
}

impl Content {
    /// Whether this is not known to be the same as another one.
    pub(super) fn differs(self, other: Content) -> bool {
        self == Content::Unsure || self != other
    }

    /// The bytes of a file, whichever links lead to it.
    pub(super) fn of_file(path: &Path) -> Content {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => {
                digest(path, fs::symlink_metadata(path).is_ok_and(|own| own.is_symlink()))
            }
            // What cannot be read is a content of its own: findings speak of it.
            Ok(_) => Content::Is(1),
            Err(_) if fs::symlink_metadata(path).is_ok() => Content::Is(2),
            Err(_) => Content::Nothing,
        }
    }

    /// What stands at a path, whatever its bytes and whichever links lead to it.
    pub(super) fn of_place(path: &Path) -> Content {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => Content::Is(0),
            Ok(metadata) if metadata.is_dir() => Content::Is(1),
            Ok(_) => Content::Is(2),
            Err(_) if fs::symlink_metadata(path).is_ok() => Content::Is(3),
            Err(_) => Content::Nothing,
        }
    }

    /// What a file of no known language may bind by mistake.
    pub(super) fn of_other(path: &Path) -> Content {
        discover::seeming_tag(path).map_or(Content::Nothing, |line| Content::Is(u64::from(line)))
    }

    /// The same content of a file that stood there, unless it was not left alone since before a time.
    pub(super) fn settled(self, path: &Path, since: SystemTime) -> Content {
        let Some(limit) = since.checked_sub(LAG) else { return Content::Unsure };
        match fs::metadata(path) {
            Ok(metadata) if !is_younger(&metadata, limit) => self,
            Ok(_) => Content::Unsure,
            // It went meanwhile, unless it is a link that leads nowhere.
            Err(_) if fs::symlink_metadata(path).is_err() => Content::Unsure,
            Err(_) => self,
        }
    }
}

fn digest(path: &Path, is_link: bool) -> Content {
    let mut hasher = DefaultHasher::new();
    hasher.write_u8(u8::from(is_link));
    let Ok(mut file) = File::open(path) else { return Content::Is(3) };
    let mut bytes = vec![0; CHUNK];
    loop {
        match file.read(&mut bytes) {
            Ok(0) => return Content::Is(hasher.finish()),
            Ok(count) => hasher.write(bytes.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return Content::Is(4),
        }
    }
}

/// The inode of a file that has more names than one.
#[cfg(unix)]
pub(super) fn shared_inode(path: &Path) -> Option<Inode> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = fs::symlink_metadata(path).ok()?;
    (metadata.is_file() && metadata.nlink() > 1).then(|| (metadata.dev(), metadata.ino()))
}

/// Nothing that can be known everywhere.
#[cfg(not(unix))]
pub(super) fn shared_inode(_: &Path) -> Option<Inode> {
    None
}

#[cfg(unix)]
fn is_younger(metadata: &Metadata, limit: SystemTime) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    // The time of any change, which nobody can set.
    let changed = u64::try_from(metadata.ctime()).ok().zip(u32::try_from(metadata.ctime_nsec()).ok());
    changed.is_none_or(|(seconds, nanos)| SystemTime::UNIX_EPOCH + Duration::new(seconds, nanos) >= limit)
}

#[cfg(not(unix))]
fn is_younger(metadata: &Metadata, limit: SystemTime) -> bool {
    metadata.modified().map_or(true, |modified| modified >= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_is_its_bytes_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        assert_eq!(Content::of_file(&path), Content::Nothing);
        fs::write(&path, "one").unwrap();
        let first = Content::of_file(&path);
        fs::write(&path, "two").unwrap();
        let second = Content::of_file(&path);
        fs::write(&path, "one").unwrap();
        assert_eq!(Content::of_file(&path), first);
        assert!(first.differs(second) && second.differs(Content::Nothing) && !first.differs(first));
        assert!(Content::Unsure.differs(Content::Unsure));
    }

    #[test]
    fn a_file_that_was_written_meanwhile_is_unsure() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let before = SystemTime::now();
        fs::write(&path, "one").unwrap();
        assert_eq!(Content::Is(1).settled(&path, before), Content::Unsure);
        assert_eq!(Content::Is(1).settled(&path, before + Duration::from_secs(60)), Content::Is(1));
        fs::remove_file(&path).unwrap();
        assert_eq!(Content::Is(1).settled(&path, before + Duration::from_secs(60)), Content::Unsure);
        assert_eq!(
            Content::Nothing.settled(&path, before),
            Content::Unsure,
            "somebody may have read it before it went"
        );
    }

    #[test]
    fn of_a_file_in_no_known_language_its_tag_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.foo");
        fs::write(&path, "one").unwrap();
        assert_eq!(Content::of_other(&path), Content::Nothing);
        fs::write(&path, "one\n# @sdpAnchor impl:x\n").unwrap();
        assert_eq!(Content::of_other(&path), Content::Is(2));
    }
}
