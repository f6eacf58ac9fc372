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

/// A command during whose reading a file is gone or another one, and before and after it what it was.
struct Meddler {
    path: PathBuf,
    meanwhile: Option<&'static str>,
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
        let before = fs::read(&self.path).unwrap();
        match self.meanwhile {
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
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let path = root.join(name);
    fs::write(root.join("sdp.toml"), "[[rules]]\nname = \"r\"\nbody = \"node_modules/r.js\"\n").unwrap();
    fs::create_dir(root.join("node_modules")).unwrap();
    fs::write(root.join("node_modules/r.js"), "return [];").unwrap();
    fs::write(&path, first).unwrap();
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
        start: root.clone(),
    };
    let mut worker = Worker::new(request, Meddler { path: path.clone(), meanwhile }, ear, source);
    let mut told = |is_first: bool| {
        let place = ((path.parent().unwrap().to_owned(), path.file_name().map(OsStr::to_owned)), false);
        let batch = Batch { places: HashMap::from([place]), has_gaps: false };
        let since = SystemTime::now();
        let report = worker.cycle((!is_first).then_some(batch), &sender);
        if report.is_some() {
            worker.settle(since);
        }
        report.is_some()
    };
    assert!(told(true), "the first cycle");
    fs::write(&path, second).unwrap();
    assert!(told(false), "a change");
    let counts = told(false);
    drop(messages);
    counts
}

#[test]
fn what_changed_while_it_was_read_counts_whenever_it_is_told() {
    for name in ["a.sdp.md", "a.rs", "node_modules/r.js"] {
        for meanwhile in [Some(""), None] {
            assert!(counts(name, "one", "another", meanwhile), "{name}: {meanwhile:?}");
        }
    }
    let tag = "# @sdpAnchor impl:x\n";
    for meanwhile in [Some(""), None] {
        assert!(counts("a.foo", "", tag, meanwhile), "in no known language: {meanwhile:?}");
    }
}
