//! What a cycle stands on: the command line comes in; the configurations, the trees and the plans of now go out, with what is kept of
//! them until the next cycle. Folders are watched before they are read.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use rayon::prelude::*;
use sdp_core::config::Config;
use sdp_core::discover::{DiscoverOptions, Discovery};
use sdp_core::finding::Finding;
use sdp_core::rules::{Plan, PlanError, plan, rule_places};
use sdp_harness::Acceptance;

use super::Worker;
use super::paths::in_folder;
use super::verdict::Verdict;
use crate::errors::Refusal;
use crate::root::{self, Workspace};
use crate::watch::content::Content;
use crate::watch::{Message, Request, Watched};

/// How often folders are walked in one cycle because new ones were found to watch: a tree that never rests must not keep the
/// answer back.
const MOST_WALKS: usize = 6;

/// What is kept of a root since the last cycle.
pub(super) struct View {
    pub(super) config: Config,
    pub(super) discover: DiscoverOptions,
    pub(super) discovery: Discovery,
    pub(super) plan: Arc<Result<Plan, PlanError>>,
    /// The folders that are walked, and those in which rules are looked for, as they are called here.
    pub(super) folders: HashSet<PathBuf>,
    pub(super) rule_folders: HashSet<PathBuf>,
    /// The links and tags that those hold.
    pub(super) rule_doors: Vec<PathBuf>,
    /// The root-relative paths of what was left out with a word.
    pub(super) left_out: HashSet<String>,
}

/// The roots, and what is let stand in each.
pub(super) type Loaded = (Vec<Workspace>, Vec<Acceptance>);

impl<W: Watched> Worker<W> {
    /// Loads the configuration, walks, plans and watches, until there is nothing new to watch. Whether another tree or plan was
    /// found than the last time comes along.
    pub(super) fn prepare(&mut self, verdict: &mut Verdict) -> Result<(Loaded, bool), Refusal> {
        let mut replans = verdict.replans;
        let mut is_other = false;
        let mut is_new_ground = !verdict.structure.is_empty() || verdict.replans;
        let mut walks = 0;
        loop {
            let (workspaces, acceptances) = match self.load() {
                Ok(loaded) => loaded,
                Err(refusal) => {
                    self.watch_for_a_better_configuration(&refusal, verdict)?;
                    return Err(refusal);
                }
            };
            let options: Vec<DiscoverOptions> = workspaces.iter().map(|one| self.watched.discover(one)).collect();
            let is_same = self.views.len() == workspaces.len()
                && self.views.iter().zip(&workspaces).zip(&options).all(|((view, workspace), options)| {
                    view.config == workspace.config && view.discover.fingerprint() == options.fingerprint()
                });
            replans |= !is_same;
            is_other |= !is_same;
            is_new_ground |= !is_same;
            let mut views = Vec::with_capacity(workspaces.len());
            let mut kept = std::mem::take(&mut self.views).into_iter();
            for (workspace, options) in workspaces.iter().zip(&options) {
                let root = workspace.root();
                let changes = self.pending.entry(root.to_owned()).or_default();
                let discovery = self.memories.entry(root.to_owned()).or_default().walk(root, options, changes);
                let old = kept.next().filter(|view| view.config.root == root);
                let plan = match &old {
                    Some(view) if !replans => Arc::clone(&view.plan),
                    _ => Arc::new(plan(&workspace.config, &workspace.discover)),
                };
                match old {
                    Some(view) if is_same && view.discovery == *discovery && Arc::ptr_eq(&plan, &view.plan) => {
                        views.push(view);
                    }
                    old => {
                        let is_known = old.as_ref().is_some_and(|view| {
                            let files = is_same.then_some(&mut verdict.files);
                            same_files(&view.discovery, discovery, root, files) & same_plan(&view.plan, &plan)
                        });
                        is_other |= !is_known;
                        if let Some(old) = old.as_ref().filter(|_| is_same) {
                            let said = new_others(&old.discovery, discovery, root, &self.known);
                            is_other |= !said.is_empty();
                            verdict.files.extend(said);
                        }
                        is_new_ground = true;
                        self.is_unsettled = true;
                        views.push(View::of(workspace, options, discovery, plan));
                    }
                }
            }
            self.views = views;
            // Nobody tells what changes below a root while it is none.
            let is_root = |root: &PathBuf| self.views.iter().any(|view| view.config.root == *root);
            self.memories.retain(|root, _| is_root(root));
            self.pending.retain(|root, _| is_root(root));
            walks += 1;
            let is_read = match is_new_ground {
                true => {
                    let (is_fresh, is_otherwise) = self.watch(&workspaces, verdict).map_err(Refusal::WatchFailed)?;
                    is_other |= is_otherwise;
                    !is_fresh
                }
                false => true,
            };
            if is_read || walks == MOST_WALKS {
                if !is_read {
                    // What came into the newest folders before they were watched was told by nobody.
                    let _ = self.ear.sender.send(Message::Rescan);
                }
                return Ok(((workspaces, acceptances), is_other));
            }
            replans = true;
        }
    }

    fn load(&mut self) -> Result<Loaded, Refusal> {
        let Request { common, severity, accept, cwd, .. } = &self.request;
        let mut workspaces = root::load_all_weighed_in(common, severity, cwd)?;
        let mut configs: Vec<Config> = workspaces.iter().map(|workspace| workspace.config.clone()).collect();
        let acceptances = accept.prepare(&mut configs, cwd)?;
        for (workspace, config) in workspaces.iter_mut().zip(configs) {
            workspace.config = config;
            self.watched.configure(&mut workspace.config);
        }
        Ok((workspaces, acceptances))
    }

    /// Learns the contents that nobody knows yet, of files that were left alone since before the cycle; those that were not are
    /// unsure, so that their next change counts whatever it is. So are those that were written after the cycle began: what it
    /// learnt of them need not be what it read, and a change may be told long after it was made.
    pub(super) fn settle(&mut self, since: SystemTime) {
        for path in std::mem::take(&mut self.learnt) {
            if let Some(known) = self.known.get_mut(&path) {
                *known = known.settled(&path, since);
            }
        }
        for (path, named) in self.named.iter_mut().filter(|(_, named)| named.why.is_content) {
            if named.content != Content::Nothing {
                named.content = named.content.settled(path, since);
            }
        }
        if !std::mem::replace(&mut self.is_unsettled, false) {
            return;
        }
        let mut found: HashMap<PathBuf, Content> = HashMap::new();
        // What was known of a file that is gone says nothing of the next one by its name.
        let mut gone: HashSet<PathBuf> = self.known.keys().cloned().collect();
        for view in &self.views {
            let Discovery { carriers, sources, manifests, others, contracts, .. } = &view.discovery;
            let read = carriers.iter().map(|file| &file.path).chain(sources.iter().map(|file| &file.path));
            let read = read.chain(manifests).chain(contracts);
            let read: Vec<PathBuf> = read.map(|path| view.config.root.join(path)).collect();
            let others: Vec<PathBuf> = others.iter().map(|path| view.config.root.join(path)).collect();
            for path in read.iter().chain(&others) {
                gone.remove(path);
            }
            let unknown = |path: &&PathBuf| !self.known.contains_key(*path);
            found.par_extend(
                read.par_iter().filter(unknown).map(|path| (path.clone(), Content::of_file(path).settled(path, since))),
            );
            // Those that say nothing are known, too, and not read again; one that is gone may have said something.
            let of_other = |path: &PathBuf| match Content::of_other(path) {
                Content::Nothing if fs::symlink_metadata(path).is_ok() => Content::Nothing,
                content => content.settled(path, since),
            };
            found.par_extend(others.par_iter().filter(unknown).map(|path| (path.clone(), of_other(path))));
        }
        self.known.retain(|path, _| !gone.contains(path));
        self.known.extend(found);
    }
}

impl View {
    fn of(
        workspace: &Workspace,
        options: &DiscoverOptions,
        discovery: &Discovery,
        plan: Arc<Result<Plan, PlanError>>,
    ) -> View {
        let config = workspace.config.clone();
        let places = match plan.as_ref() {
            Ok(plan) => plan.places.clone(),
            Err(_) => rule_places(&config, &workspace.discover),
        };
        View {
            folders: walked(&config.root, discovery).collect(),
            rule_folders: places.folders.into_iter().collect(),
            rule_doors: places.doors,
            left_out: discovery
                .findings
                .iter()
                .chain(&discovery.refused_contracts)
                .filter_map(|finding| finding.file.clone())
                .collect(),
            discover: options.clone(),
            discovery: discovery.clone(),
            plan,
            config,
        }
    }
}

/// Whether two walks found the same; files that came or went are named where that is asked for.
fn same_files(old: &Discovery, new: &Discovery, root: &Path, named: Option<&mut BTreeSet<PathBuf>>) -> bool {
    let said =
        |one: &Discovery| -> Vec<Finding> { one.findings.iter().chain(&one.refused_contracts).cloned().collect() };
    if (&old.carriers, &old.sources, &old.manifests, &old.others, &old.contracts, said(old))
        == (&new.carriers, &new.sources, &new.manifests, &new.others, &new.contracts, said(new))
    {
        return true;
    }
    let files = |one: &Discovery| -> HashSet<String> {
        let carriers = one.carriers.iter().map(|file| &file.path);
        carriers
            .chain(one.sources.iter().map(|file| &file.path))
            .chain(&one.manifests)
            .chain(&one.contracts)
            .cloned()
            .collect()
    };
    let (before, after) = (files(old), files(new));
    if let Some(named) = named {
        named.extend(before.symmetric_difference(&after).map(|path| root.join(path)));
    }
    // Files of no known language say something only with a tag, which is looked at by itself.
    before == after && said(old) == said(new)
}

/// The files of no known language that only the newer of two walks found and that say something, and those that only the older
/// one found and that said something.
pub(super) fn new_others(
    old: &Discovery,
    new: &Discovery,
    root: &Path,
    known: &HashMap<PathBuf, Content>,
) -> Vec<PathBuf> {
    if old.others == new.others {
        return Vec::new();
    }
    let before: HashSet<&String> = old.others.iter().collect();
    let after: HashSet<&String> = new.others.iter().collect();
    let came: Vec<PathBuf> = after.difference(&before).map(|path| root.join(path)).collect();
    let went = before.difference(&after).map(|path| root.join(path));
    let mut said: Vec<PathBuf> =
        came.into_par_iter().filter(|path| Content::of_other(path) != Content::Nothing).collect();
    said.extend(went.filter(|path| known.get(path).is_some_and(|content| *content != Content::Nothing)));
    said
}

/// The folders that a walk entered below a root.
pub(super) fn walked<'w>(root: &'w Path, discovery: &'w Discovery) -> impl Iterator<Item = PathBuf> + 'w {
    let folders = discovery.folders.iter().map(|folder| in_folder(root, folder));
    folders.chain(discovery.odd_folders.iter().map(|folder| root.join(folder)))
}

pub(super) fn view_had(view: Option<&View>, folder: &Path) -> bool {
    view.is_some_and(|view| view.folders.contains(folder))
}

fn same_plan(old: &Result<Plan, PlanError>, new: &Result<Plan, PlanError>) -> bool {
    match (old, new) {
        (Ok(old), Ok(new)) => old.cases == new.cases && old.findings == new.findings,
        (Err(old), Err(new)) => old.to_string() == new.to_string(),
        _ => false,
    }
}
