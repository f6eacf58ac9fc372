//! The thread of the cycles: batches of changes come in; what changed in truth is judged, and where something did, a cycle goes
//! out. Folders are watched before they are read, so that no change falls between the two.

mod ground;
mod paths;
#[cfg(test)]
mod tests;
mod verdict;
mod wanted;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::{Changes, Memory};
use sdp_harness::{Acceptance, CargoPackages};

use self::ground::View;
use self::verdict::Verdict;
use self::wanted::Named;
use super::content::Content;
use super::source::{Ear, Source};
use super::{Ground, Message, Report, Request, Watched};
use crate::root::Workspace;

/// How often a folder that is gone is looked for.
const AWAITING: Duration = Duration::from_millis(200);

/// The name of the file that tags a folder as a cache.
const CACHE_TAG: &str = "CACHEDIR.TAG";

/// Changes that are looked at together.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The folders and the names in them; true where somebody was reading meanwhile.
    pub(super) places: HashMap<(PathBuf, Option<OsString>), bool>,
    /// Whether changes went untold.
    pub(super) has_gaps: bool,
}

/// What runs the cycles.
pub(super) struct Worker<W> {
    request: Request,
    watched: W,
    ear: Ear,
    source: Source,
    memories: HashMap<PathBuf, Memory>,
    pending: HashMap<PathBuf, Changes>,
    packages: HashMap<PathBuf, Arc<CargoPackages>>,
    /// The contents of what walks find; of files of no known language those that say something.
    known: HashMap<PathBuf, Content>,
    views: Vec<View>,
    /// Files that are watched by name.
    named: BTreeMap<PathBuf, Named>,
    /// How the real folders are called here.
    aliases: HashMap<PathBuf, Vec<PathBuf>>,
    /// Whether a walk found files since, whose contents nobody knows.
    is_unsettled: bool,
    /// The files whose contents were learnt in this cycle, before it read them.
    learnt: Vec<PathBuf>,
}

impl<W: Watched> Worker<W> {
    pub(super) fn new(request: Request, watched: W, ear: Ear, source: Source) -> Self {
        Worker {
            request,
            watched,
            ear,
            source,
            memories: HashMap::new(),
            pending: HashMap::new(),
            packages: HashMap::new(),
            known: HashMap::new(),
            views: Vec::new(),
            named: BTreeMap::new(),
            aliases: HashMap::new(),
            is_unsettled: true,
            learnt: Vec::new(),
        }
    }

    /// Runs the first cycle, then one for each batch that asks for one, until nobody listens.
    pub(super) fn run(mut self, batches: &Receiver<Batch>, sender: &Sender<Message>) {
        let mut batch = None;
        loop {
            let since = SystemTime::now();
            let report = self.cycle(batch.take(), sender);
            let said = self.source.said.take();
            if said.is_some_and(|said| sender.send(Message::Note(said)).is_err()) {
                return;
            }
            if let Some(report) = report {
                // What somebody does on seeing the report is judged by what was learnt before.
                self.settle(since);
                if sender.send(Message::Cycle(Box::new(report))).is_err() {
                    return;
                }
            }
            if sender.send(Message::Idle).is_err() {
                return;
            }
            match batches.recv() {
                Ok(next) => batch = Some(next),
                Err(_) => return,
            }
        }
    }

    fn cycle(&mut self, batch: Option<Batch>, sender: &Sender<Message>) -> Option<Report> {
        let start = self.request.start.clone();
        let is_first = batch.is_none();
        let mut is_back = false;
        if !is_first && !start.is_dir() {
            sender.send(Message::Gone(start.clone())).ok()?;
            while !start.is_dir() {
                thread::sleep(AWAITING);
                // Nobody may be there to see it.
                sender.send(Message::Waiting).ok()?;
            }
            self.forget_all();
            is_back = true;
        }
        let started = Instant::now();
        let mut verdict = Verdict::default();
        match batch {
            Some(_) if is_back => drop(verdict.structure.insert(start)),
            Some(batch) => {
                self.judge(batch, &mut verdict);
                if verdict.files.is_empty() && verdict.structure.is_empty() && !verdict.replans {
                    return None;
                }
            }
            None => {}
        }
        let is_due = is_first || is_back || !verdict.files.is_empty();
        let ground = match self.prepare(&mut verdict) {
            Ok((ground, is_other)) if is_due || is_other => ground,
            Ok(_) => return None,
            Err(refusal) => {
                let found = self.watched.refused(refusal);
                return Some(Report { found, started, changed: self.changed(&verdict) });
            }
        };
        let (workspaces, acceptances) = ground;
        let changed = self.changed(&verdict);
        let found = self.judged(workspaces, acceptances);
        Some(Report { found: Ok(found), started, changed })
    }

    fn judged(&mut self, workspaces: Vec<Workspace>, acceptances: Vec<Acceptance>) -> super::Found {
        let roots: Vec<(PathBuf, DiscoverOptions)> =
            self.views.iter().map(|view| (view.config.root.clone(), view.discover.clone())).collect();
        let plans: Vec<_> = self.views.iter().map(|view| Arc::clone(&view.plan)).collect();
        let packages =
            workspaces.iter().map(|workspace| packages_of(&mut self.packages, &workspace.config.base)).collect();
        let (memories, pending) = (&mut self.memories, &mut self.pending);
        let mut derive = |position: usize| {
            let (root, options) = roots.get(position).cloned().unwrap_or_default();
            let changes = pending.insert(root.clone(), Changes::Paths(BTreeSet::new())).unwrap_or_default();
            memories.entry(root.clone()).or_default().extract(&root, &options, &changes)
        };
        self.watched.judge(Ground { workspaces, acceptances, plans, packages, derive: &mut derive })
    }

    /// The paths to name for a cycle.
    fn changed(&self, verdict: &Verdict) -> Vec<PathBuf> {
        let paths = if verdict.files.is_empty() { &verdict.structure } else { &verdict.files };
        paths.iter().cloned().collect()
    }

    /// Nothing is known of a folder that was gone.
    fn forget_all(&mut self) {
        self.memories.clear();
        self.pending.clear();
        self.packages.clear();
        self.known.clear();
        self.views.clear();
        self.source.leave(|_| true);
    }

    fn pend(&mut self, root: &Path, path: String) {
        if let Changes::Paths(paths) = self.pending.entry(root.to_owned()).or_default() {
            paths.insert(path);
        }
    }
}

fn packages_of(packages: &mut HashMap<PathBuf, Arc<CargoPackages>>, base: &Path) -> Arc<CargoPackages> {
    Arc::clone(packages.entry(base.to_owned()).or_insert_with(|| Arc::new(CargoPackages::new(base))))
}
