//! A watcher for where the system tells of no changes, as on network file systems: folders come in, each is looked at again and
//! again, and the paths go out that are not what they were, by size, times, inode and permissions.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use sdp_core::threads;

/// How long to wait between two looks.
const INTERVAL: Duration = Duration::from_millis(400);

/// How many times as long as a look takes to wait at least, so that a large tree does not keep a core busy.
const EASE: u32 = 4;

/// What tells a file from the one that stood there before.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    is_folder: bool,
    is_link: bool,
    /// Size and times; a folder's change with what lies in it, which is told by itself.
    state: Option<State>,
    inode: u64,
    /// A folder that is closed or opened is told by the one above it: nobody looks into it meanwhile.
    permissions: fs::Permissions,
}

/// Size, time of the last write, and time of the last change of any kind.
type State = (u64, Option<SystemTime>, Option<(i64, i64)>);

type Snapshot = HashMap<OsString, Stamp>;

/// Every folder with what it held; none where it could not be read.
type Folders = Arc<Mutex<HashMap<PathBuf, Option<Snapshot>>>>;

/// Looks until it is dropped.
pub(super) struct Poller {
    folders: Folders,
    _stop: Sender<()>,
}

impl Poller {
    /// Starts to look. Each path that is not what it was is told.
    pub(super) fn start(tell: impl Fn(&Path) + Send + 'static) -> std::io::Result<Poller> {
        let folders = Folders::default();
        let (stop, stopped) = mpsc::channel::<()>();
        let watched = Arc::clone(&folders);
        thread::Builder::new().name("sdp-poll".to_owned()).stack_size(threads::STACK).spawn(move || {
            let mut pause = INTERVAL;
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(pause) {
                let start = Instant::now();
                look(&watched, &tell);
                pause = INTERVAL.max(start.elapsed() * EASE);
            }
        })?;
        Ok(Poller { folders, _stop: stop })
    }

    /// Takes up a folder, as it is now.
    pub(super) fn add(&self, folder: &Path) {
        let snapshot = snapshot(folder);
        self.folders.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned(), snapshot);
    }

    /// Leaves a folder.
    pub(super) fn remove(&self, folder: &Path) {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner).remove(folder);
    }
}

fn look(folders: &Folders, tell: &impl Fn(&Path)) {
    let all: Vec<PathBuf> = folders.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect();
    for folder in all {
        let new = snapshot(&folder);
        let mut folders = folders.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(kept) = folders.get_mut(&folder) else { continue };
        let old = std::mem::replace(kept, new.clone());
        drop(folders);
        match (old, new) {
            (Some(old), Some(new)) => {
                let changed = new.iter().filter(|(name, stamp)| old.get(*name) != Some(*stamp)).map(|(name, _)| name);
                let gone = old.keys().filter(|name| !new.contains_key(*name));
                changed.chain(gone).for_each(|name| tell(&folder.join(name)));
            }
            (None, None) => {}
            _ => tell(&folder),
        }
    }
}

fn snapshot(folder: &Path) -> Option<Snapshot> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    Some(entries.filter_map(|entry| Some((entry.file_name(), stamp(&entry.path())?))).collect())
}

/// A link is what it is and what it leads to.
fn stamp(path: &Path) -> Option<Stamp> {
    let own = fs::symlink_metadata(path).ok()?;
    let is_link = own.is_symlink();
    let metadata = if is_link { fs::metadata(path).unwrap_or(own) } else { own };
    let is_folder = metadata.is_dir();
    let (changed, inode) = changed(&metadata);
    let state = (!is_folder).then(|| (metadata.len(), metadata.modified().ok(), changed));
    Some(Stamp { is_folder, is_link, state, inode, permissions: metadata.permissions() })
}

#[cfg(unix)]
fn changed(metadata: &Metadata) -> (Option<(i64, i64)>, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (Some((metadata.ctime(), metadata.ctime_nsec())), metadata.ino())
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> (Option<(i64, i64)>, u64) {
    (None, 0)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    /// What one look tells after an action, by own names, sorted; `.` is the folder itself.
    fn told(folder: &Path, folders: &Folders, action: impl FnOnce()) -> Vec<String> {
        action();
        let (sender, receiver) = channel();
        look(folders, &|path: &Path| {
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            sender.send(if name.is_empty() { ".".to_owned() } else { name }).unwrap();
        });
        drop(sender);
        let mut names: Vec<String> = receiver.iter().collect();
        names.sort();
        names
    }

    #[test]
    fn a_look_tells_what_is_not_what_it_was() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("f");
        fs::create_dir(&folder).unwrap();
        let path = |name: &str| folder.join(name);
        fs::write(path("a"), "1").unwrap();
        fs::write(path("b"), "1").unwrap();
        let folders = Folders::default();
        folders.lock().unwrap().insert(folder.clone(), snapshot(&folder));
        let told = |action: &dyn Fn()| told(&folder, &folders, action);
        assert_eq!(told(&|| ()), [""; 0]);
        assert_eq!(told(&|| fs::write(path("a"), "12").unwrap()), ["a"]);
        assert_eq!(told(&|| fs::rename(path("a"), path("c")).unwrap()), ["a", "c"]);
        // A save by rename, in which size and time may be those of before.
        assert_eq!(
            told(&|| {
                fs::write(path("t"), "1").unwrap();
                fs::rename(path("t"), path("b")).unwrap();
            }),
            ["b"]
        );
        assert_eq!(told(&|| fs::create_dir(path("d")).unwrap()), ["d"]);
        assert_eq!(told(&|| fs::write(path("d/x"), "1").unwrap()), [""; 0], "a folder tells of itself");
        let open = fs::metadata(path("d")).unwrap().permissions();
        let mut closed = open.clone();
        closed.set_readonly(true);
        assert_eq!(told(&|| fs::set_permissions(path("d"), closed.clone()).unwrap()), ["d"], "closed");
        assert_eq!(told(&|| fs::set_permissions(path("d"), open.clone()).unwrap()), ["d"], "opened");
        assert_eq!(told(&|| fs::remove_dir_all(&folder).unwrap()), ["."]);
        assert_eq!(told(&|| fs::create_dir(&folder).unwrap()), ["."]);
    }
}
