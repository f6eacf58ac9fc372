//! The files that an extraction depends on: a walk comes in; what each file is known by goes out, and whether it is still the same.

use std::fs::{self, File, Metadata};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rayon::prelude::*;
use sdp_canon::{Digest, Hasher};
use sdp_core::discover::{Discovery, SEARCHED_OF_OTHERS};

use super::Reason;

/// How long after its last change a file may change again without another time: file systems count in steps of two seconds at most.
const RACE: Duration = Duration::from_secs(2);

/// The most of a file that an extraction reads, in bytes, and one more.
const MAX_READ: u64 = 1024 * 1024 * 1024 + 1;

/// How much of a file is read at once, in bytes.
const PIECE: usize = 64 * 1024;

/// What a file is to an extraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A carrier.
    Carrier,
    /// A source.
    Source,
    /// A manifest of cargo, which may be a link.
    Manifest,
    /// A text file of no known language.
    Other,
    /// An evaluation contract.
    Contract,
}

impl Kind {
    pub(super) const ALL: [Kind; 5] = [Kind::Carrier, Kind::Source, Kind::Manifest, Kind::Other, Kind::Contract];

    /// How much of such a file decides.
    fn limit(self) -> u64 {
        match self {
            Kind::Carrier | Kind::Source | Kind::Manifest | Kind::Contract => MAX_READ,
            Kind::Other => SEARCHED_OF_OTHERS,
        }
    }
}

/// The files that a walk found, in an order that follows from it.
pub(super) fn files(discovery: &Discovery) -> Vec<(Kind, &str)> {
    let carriers = discovery.carriers.iter().map(|file| (Kind::Carrier, file.path.as_str()));
    let sources = discovery.sources.iter().map(|file| (Kind::Source, file.path.as_str()));
    let manifests = discovery.manifests.iter().map(|path| (Kind::Manifest, path.as_str()));
    let others = discovery.others.iter().map(|path| (Kind::Other, path.as_str()));
    let contracts = discovery.contracts.iter().map(|path| (Kind::Contract, path.as_str()));
    carriers.chain(sources).chain(manifests).chain(others).chain(contracts).collect()
}

/// A point in time, in seconds and nanoseconds since 1970.
pub(super) type Time = (i64, u32);

/// What a file is known by without being read. What the system does not tell is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) size: u64,
    /// When its content changed.
    pub(super) modified: Time,
    /// When anything about it changed.
    pub(super) changed: Time,
    pub(super) device: u64,
    pub(super) inode: u64,
    pub(super) mode: u32,
}

impl Stamp {
    /// The stamp of a regular file; none for anything else.
    pub(super) fn of(path: &Path, follows_links: bool) -> Option<Stamp> {
        let metadata = if follows_links { fs::metadata(path) } else { fs::symlink_metadata(path) };
        let metadata = metadata.ok().filter(Metadata::is_file)?;
        Some(Self::of_metadata(&metadata))
    }

    #[cfg(unix)]
    fn of_metadata(metadata: &Metadata) -> Stamp {
        use std::os::unix::fs::MetadataExt as _;
        let nanoseconds = |value: i64| u32::try_from(value).unwrap_or_default();
        Stamp {
            size: metadata.len(),
            modified: (metadata.mtime(), nanoseconds(metadata.mtime_nsec())),
            changed: (metadata.ctime(), nanoseconds(metadata.ctime_nsec())),
            device: metadata.dev(),
            inode: metadata.ino(),
            mode: metadata.mode(),
        }
    }

    #[cfg(not(unix))]
    fn of_metadata(metadata: &Metadata) -> Stamp {
        let modified = metadata.modified().map_or((0, 0), time);
        Stamp { size: metadata.len(), modified, changed: (0, 0), device: 0, inode: 0, mode: 0 }
    }

    /// What tells one build of a program from another: linking it to a second name changes the rest.
    pub(super) fn of_build(&self) -> (u64, Time, u64, u64) {
        (self.size, self.modified, self.device, self.inode)
    }

    /// Whether the file may change after `now` and keep the stamp.
    fn is_racy(&self, now: SystemTime) -> bool {
        self.modified.max(self.changed) >= time(now.checked_sub(RACE).unwrap_or(SystemTime::UNIX_EPOCH))
    }

    /// Whether this process may read the file. One that everybody may read need not be opened for that.
    fn is_readable(&self, path: &Path) -> bool {
        const EVERYBODY: u32 = 0o444;
        cfg!(not(unix)) || self.mode & EVERYBODY == EVERYBODY || File::open(path).is_ok()
    }
}

fn time(time: SystemTime) -> Time {
    let seconds = |duration: Duration| i64::try_from(duration.as_secs()).unwrap_or(i64::MAX);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => (seconds(after), after.subsec_nanos()),
        Err(error) => (-seconds(error.duration()), 0),
    }
}

/// One file as an extraction found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry<'p> {
    pub(super) kind: Kind,
    /// Root-relative, with `/`.
    pub(super) path: &'p str,
    pub(super) stamp: Stamp,
    /// Whether it may have changed since and kept its stamp.
    pub(super) is_racy: bool,
    pub(super) digest: Digest,
}

/// What became of an entry.
pub(super) enum Same<'p> {
    /// By its stamp.
    Untouched,
    /// By its digest; the entry to keep from now on.
    Read(Entry<'p>),
    /// It changed, or cannot be read.
    No,
}

impl<'p> Entry<'p> {
    /// Whether the file is the same now.
    pub(super) fn is_same(&self, root: &Path, now: SystemTime) -> Same<'p> {
        let path = in_root(root, self.path);
        let Some(stamp) = Stamp::of(&path, self.kind == Kind::Manifest) else { return Same::No };
        if stamp == self.stamp && !self.is_racy {
            return if stamp.is_readable(&path) { Same::Untouched } else { Same::No };
        }
        match digest(&path, self.kind.limit()) {
            Some(digest) if digest == self.digest => Same::Read(Entry { stamp, is_racy: stamp.is_racy(now), ..*self }),
            _ => Same::No,
        }
    }
}

fn in_root(root: &Path, path: &str) -> PathBuf {
    if std::path::MAIN_SEPARATOR == '/' {
        return root.join(path);
    }
    let mut absolute = root.to_owned();
    absolute.extend(path.split('/'));
    absolute
}

/// The digest of the beginning of a file; none where it cannot be read.
fn digest(path: &Path, limit: u64) -> Option<Digest> {
    let file = File::open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut file = file.take(limit);
    let (mut hasher, mut piece) = (Hasher::new(), Vec::with_capacity(PIECE));
    loop {
        piece.clear();
        let read = file.by_ref().take(PIECE as u64).read_to_end(&mut piece).ok()?;
        if read == 0 {
            return Some(hasher.finish());
        }
        hasher.update(&piece);
    }
}

/// Files that are watched while an extraction reads them.
pub(super) struct Watch {
    files: Vec<Watched>,
}

struct Watched {
    kind: Kind,
    path: String,
    stamp: Stamp,
    is_racy: bool,
    /// What a file that may change without a trace held before.
    before: Option<Digest>,
}

impl Watch {
    /// Looks at every file of a walk before it is read.
    pub(super) fn start(root: &Path, discovery: &Discovery, now: SystemTime) -> Result<Watch, Reason> {
        let watched = files(discovery).into_par_iter().map(|(kind, path)| {
            let absolute = in_root(root, path);
            let stamp = Stamp::of(&absolute, kind == Kind::Manifest).ok_or_else(|| not_read(path))?;
            let is_racy = stamp.is_racy(now);
            let before =
                if is_racy { Some(digest(&absolute, kind.limit()).ok_or_else(|| not_read(path))?) } else { None };
            Ok(Watched { kind, path: path.to_owned(), stamp, is_racy, before })
        });
        Ok(Watch { files: watched.collect::<Result<_, Reason>>()? })
    }

    /// What every file is known by, where all of them are what they were.
    pub(super) fn finish(&self, root: &Path) -> Result<Vec<Entry<'_>>, Reason> {
        let entries = self.files.par_iter().map(|file| {
            let Watched { kind, path, stamp, is_racy, before } = file;
            let absolute = in_root(root, path);
            let digest = digest(&absolute, kind.limit()).ok_or_else(|| not_read(path))?;
            // The stamp after the digest: what is known by the stamp is then what was read.
            let is_same = Stamp::of(&absolute, *kind == Kind::Manifest) == Some(*stamp);
            if !is_same || before.is_some_and(|before| before != digest) {
                return Err(format!("{path} changed while it was read"));
            }
            Ok(Entry { kind: *kind, path, stamp: *stamp, is_racy: *is_racy, digest })
        });
        entries.collect()
    }
}

fn not_read(path: &str) -> Reason {
    format!("{path} cannot be read")
}
