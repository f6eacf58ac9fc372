//! Files that change while a cycle reads them: what such a cycle read is not what it knew before, and the next change counts.

use std::ffi::OsStr;
use std::fs;
use std::sync::mpsc::channel;
use std::sync::{Arc, RwLock};

use sdp_core::config::Config;
use sdp_harness::outputs::People;

use super::*;
use crate::errors::Refusal;
use crate::watch::Found;
use crate::watch::interest::Interest;

/// A command during whose reading a file may be gone or another one, and is before and after it what it was.
struct Meddler {
    path: PathBuf,
    meanwhile: Option<Option<&'static str>>,
}

impl Watched for Meddler {
    fn discover(&self, workspace: &Workspace) -> DiscoverOptions {
        workspace.discover.clone()
    }

    fn configure(&self, _: &mut Config) {}

    fn runs_bodies(&self) -> bool {
        true
    }

    fn judge(&mut self, ground: Ground<'_>) -> Found {
        let Some(meanwhile) = self.meanwhile else {
            drop((ground.derive)(0));
            return Found::default();
        };
        let before = fs::read(&self.path).unwrap();
        match meanwhile {
            Some(text) => fs::write(&self.path, text).unwrap(),
            None => fs::remove_file(&self.path).unwrap(),
        }
        drop((ground.derive)(0));
        fs::write(&self.path, before).unwrap();
        Found::default()
    }

    fn refused(&self, refusal: Refusal) -> Result<Found, Refusal> {
        Err(refusal)
    }
}

/// Whether a change starts a cycle that is told after a cycle, and was made while that one read.
fn counts(name: &str, first: &str, second: &str, meanwhile: Option<&'static str>) -> bool {
    let mut session = Session::new(name, first, |path| Meddler { path: path.to_owned(), meanwhile: Some(meanwhile) });
    assert!(session.told(true, |_| {}), "the first cycle");
    fs::write(&session.path, second).unwrap();
    assert!(session.told(false, |_| {}), "a change");
    session.told(false, |_| {})
}

/// Whether a change starts a cycle that was made after a cycle read and before it learnt what stands there.
fn counts_before_learning(name: &str, text: &str, after: impl FnOnce(&Path)) -> bool {
    let mut session = Session::new(name, text, |path| Meddler { path: path.to_owned(), meanwhile: None });
    assert!(session.told(true, after), "the first cycle");
    session.told(false, |_| {})
}

/// A worker over a root with one file that changes.
struct Session {
    worker: Worker<Meddler>,
    path: PathBuf,
    sender: Sender<Message>,
    _messages: Receiver<Message>,
    _folder: tempfile::TempDir,
}

impl Session {
    fn new(name: &str, text: &str, meddler: impl FnOnce(&Path) -> Meddler) -> Session {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let path = root.join(name);
        fs::write(root.join("sdp.toml"), "[[rules]]\nname = \"r\"\nbody = \"node_modules/r.js\"\n").unwrap();
        fs::create_dir(root.join("node_modules")).unwrap();
        fs::write(root.join("node_modules/r.js"), "return [];").unwrap();
        fs::write(&path, text).unwrap();
        let (sender, messages) = channel();
        let ear = Ear { interest: Arc::new(RwLock::new(Interest::default())), sender: sender.clone() };
        let source = Source::start(ear.clone(), true).unwrap();
        let request = Request {
            command: "check",
            common: Default::default(),
            severity: Default::default(),
            accept: Default::default(),
            outputs: Default::default(),
            people: People::Stderr,
            polls: true,
            cwd: root.clone(),
            start: root,
        };
        let worker = Worker::new(request, meddler(&path), ear, source);
        Session { worker, path, sender, _messages: messages, _folder: folder }
    }

    /// Whether being told of the file starts a cycle; what comes between its report and its learning is done.
    fn told(&mut self, is_first: bool, between: impl FnOnce(&Path)) -> bool {
        let place = ((self.path.parent().unwrap().to_owned(), self.path.file_name().map(OsStr::to_owned)), false);
        let batch = Batch { places: HashMap::from([place]), has_gaps: false };
        let since = SystemTime::now();
        let report = self.worker.cycle((!is_first).then_some(batch), &self.sender);
        if report.is_some() {
            between(&self.path);
            self.worker.settle(since);
        }
        report.is_some()
    }
}

const TAG: &str = "# @sdpAnchor impl:x\n";

#[test]
fn what_changed_while_it_was_read_counts_whenever_it_is_told() {
    for name in ["a.sdp.md", "a.rs", "node_modules/r.js"] {
        for meanwhile in [Some(""), None] {
            assert!(counts(name, "one", "another", meanwhile), "{name}: {meanwhile:?}");
        }
    }
    for meanwhile in [Some(""), None] {
        assert!(counts("a.foo", "", TAG, meanwhile), "in no known language: {meanwhile:?}");
    }
}

#[test]
fn what_changed_before_it_was_learnt_counts() {
    for name in ["a.sdp.md", "a.rs", "node_modules/r.js", "a.foo"] {
        assert!(counts_before_learning(name, TAG, |path| fs::remove_file(path).unwrap()), "{name} goes");
    }
    for name in ["a.sdp.md", "a.rs", "node_modules/r.js"] {
        assert!(counts_before_learning(name, TAG, |path| fs::write(path, "").unwrap()), "{name} is another one");
    }
}
