//! Where changes come from: folders to watch come in, messages about paths in them go out. The system tells of changes where it
//! can; where it cannot, or has no room for one more folder, the folders are looked at again and again.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, PoisonError, RwLock};

use notify::event::{AccessKind, EventKind};
use notify::{Config, ErrorKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::Message;
use super::interest::Interest;
use super::poller::Poller;

/// What to do about a system that has no room.
const REMEDY: &str = "raise what a user may have: folders (`sysctl fs.inotify.max_user_watches`), watchers \
                      (`sysctl fs.inotify.max_user_instances`) or open files (`ulimit -n`)";

/// What all that hears of changes shares.
#[derive(Clone)]
pub(super) struct Ear {
    pub(super) interest: Arc<RwLock<Interest>>,
    pub(super) sender: Sender<Message>,
}

impl Ear {
    /// Sends on what is of interest.
    fn hear(&self, path: &Path) {
        let place = self.interest.read().unwrap_or_else(PoisonError::into_inner).place(path);
        if let Some((folder, name)) = place {
            self.send(Message::Changed { folder, name });
        }
    }

    /// A loop that has ended needs no message.
    fn send(&self, message: Message) {
        let _ = self.sender.send(message);
    }
}

enum Watcher {
    Native(RecommendedWatcher),
    Poll(Poller),
}

/// The folders that are watched.
pub(super) struct Source {
    ear: Ear,
    watcher: Watcher,
    folders: HashSet<PathBuf>,
    /// Why it polls, to be said once.
    pub(super) said: Option<String>,
}

impl Source {
    /// Watches nothing yet. It polls where that is asked for, or where the system gives no watcher.
    pub(super) fn start(ear: Ear, is_polling: bool) -> io::Result<Source> {
        if is_polling {
            let watcher = Watcher::Poll(poller(&ear)?);
            return Ok(Source { ear, watcher, folders: HashSet::new(), said: None });
        }
        match native(&ear) {
            Ok(watcher) => Ok(Source { ear, watcher: Watcher::Native(watcher), folders: HashSet::new(), said: None }),
            Err(error) => {
                let watcher = Watcher::Poll(poller(&ear)?);
                let said = Some(polls(&error));
                Ok(Source { ear, watcher, folders: HashSet::new(), said })
            }
        }
    }

    /// Whether a folder is watched.
    pub(super) fn has(&self, folder: &Path) -> bool {
        self.folders.contains(folder)
    }

    /// Watches a folder by its real path. One that is gone or may not be watched is left: who reads it says so.
    pub(super) fn add(&mut self, folder: &Path) -> io::Result<()> {
        let error = match &mut self.watcher {
            Watcher::Poll(poller) => {
                poller.add(folder);
                None
            }
            Watcher::Native(watcher) => watcher.watch(folder, RecursiveMode::NonRecursive).err(),
        };
        if let Some(error) = error {
            if is_of_one_folder(&error) {
                return Ok(());
            }
            let poller = poller(&self.ear)?;
            self.folders.iter().for_each(|folder| poller.add(folder));
            poller.add(folder);
            self.watcher = Watcher::Poll(poller);
            self.said = Some(polls(&error));
            // What changed between the two watchers was told by neither.
            self.ear.send(Message::Rescan);
        }
        self.folders.insert(folder.to_owned());
        Ok(())
    }

    /// Leaves every folder of which that is asked.
    pub(super) fn leave(&mut self, is_left: impl Fn(&Path) -> bool) {
        for folder in self.folders.extract_if(|folder| is_left(folder)) {
            match &mut self.watcher {
                Watcher::Poll(poller) => poller.remove(&folder),
                // One that is gone is not watched any more.
                Watcher::Native(watcher) => drop(watcher.unwatch(&folder)),
            }
        }
    }
}

fn poller(ear: &Ear) -> io::Result<Poller> {
    let ear = ear.clone();
    Poller::start(move |path| ear.hear(path))
}

fn native(ear: &Ear) -> notify::Result<RecommendedWatcher> {
    let ear = ear.clone();
    let handler = move |told: notify::Result<notify::Event>| match told {
        Ok(event) if event.need_rescan() => ear.send(Message::Rescan),
        // What is only opened, by this program for one, is what it was.
        Ok(event) if matches!(event.kind, EventKind::Access(AccessKind::Open(_) | AccessKind::Read)) => {}
        Ok(event) => event.paths.iter().for_each(|path| ear.hear(path)),
        Err(_) => ear.send(Message::Rescan),
    };
    RecommendedWatcher::new(handler, Config::default().with_follow_symlinks(false))
}

/// Whether another folder may well be watched.
fn is_of_one_folder(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound | ErrorKind::WatchNotFound => true,
        ErrorKind::Io(error) => matches!(
            error.kind(),
            io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied | io::ErrorKind::NotADirectory
        ),
        _ => false,
    }
}

fn polls(error: &notify::Error) -> String {
    let why = match &error.kind {
        ErrorKind::MaxFilesWatch => "it watches as many folders for this user as it may".to_owned(),
        ErrorKind::Io(error) => error.to_string(),
        _ => error.to_string(),
    };
    format!(
        "the system does not tell of changes ({why}): the folders are looked at twice a second instead\nhint: {REMEDY}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_one_folder_is_no_reason_to_poll() {
        let of = |kind: io::ErrorKind| is_of_one_folder(&notify::Error::io(kind.into()));
        assert!(of(io::ErrorKind::PermissionDenied) && of(io::ErrorKind::NotFound));
        assert!(!of(io::ErrorKind::Other) && !is_of_one_folder(&notify::Error::new(ErrorKind::MaxFilesWatch)));
        let said = polls(&notify::Error::new(ErrorKind::MaxFilesWatch));
        assert!(
            said.contains("as many folders") && said.contains("\nhint: ") && said.contains("max_user_watches"),
            "{said}"
        );
    }
}
