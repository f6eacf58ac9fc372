//! The folders to watch: what was walked and the files that matter by name come in, the folders go to the source of changes, each with
//! the reason why.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use sdp_core::config::RuleBody;
use sdp_core::discover::Discovery;
use sdp_core::rules::{BodyTask, Packages as _, Source as BodySource, Task};

use super::ground::walked;
use super::paths::{below, plain, real};
use super::verdict::Verdict;
use super::{CACHE_TAG, Worker, packages_of};
use crate::errors::Refusal;
use crate::root::{self, MANIFESTS, Workspace};
use crate::watch::content::Content;
use crate::watch::interest::{Interest, Reason};
use crate::watch::links;
use crate::watch::{Message, Watched};

/// The names of cargo's configurations.
const CARGO_CONFIGS: [&str; 2] = ["config", "config.toml"];

/// A file or folder that is watched by name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub(super) why: Why,
    pub(super) content: Content,
}

/// Why a name matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Why {
    /// Whether the content matters, or only what stands there.
    pub(super) is_content: bool,
    /// Whether it only decides which roots there are and what walks find: it starts no cycle by itself.
    pub(super) is_ground: bool,
}

impl Why {
    pub(super) fn content(self, path: &Path) -> Content {
        if self.is_content { Content::of_file(path) } else { Content::of_place(path) }
    }
}

impl<W: Watched> Worker<W> {
    /// Watches what is wanted now and leaves the rest; whether a folder is new, and whether files in such a folder are not what
    /// they were.
    pub(super) fn watch(&mut self, workspaces: &[Workspace], verdict: &mut Verdict) -> std::io::Result<(bool, bool)> {
        let named = self.named_files(workspaces);
        let mut old = std::mem::take(&mut self.named);
        self.named = named
            .into_iter()
            .map(|(path, why)| {
                let kept = old.remove(&path).filter(|kept| kept.why == why);
                let new = || Named { why, content: why.content(&path) };
                let named = kept.unwrap_or_else(new);
                (path, named)
            })
            .collect();
        let mut wanted = Wanted::default();
        for view in &self.views {
            wanted.walked(&view.config.root, &view.discovery);
            for folder in &view.rule_folders {
                wanted.alias(real(folder), folder, true);
            }
        }
        self.named.keys().for_each(|path| wanted.named(path));
        wanted.named(&self.request.start);
        let fresh = self.watch_all(wanted)?;
        let is_other = self.take_up(&fresh, verdict);
        Ok((!fresh.is_empty(), is_other))
    }

    /// Looks at what lies in folders that were not watched until now, or are other ones by the same names: nobody told of it.
    /// Whether a file is not what it was.
    pub(super) fn take_up(&mut self, fresh: &[PathBuf], verdict: &mut Verdict) -> bool {
        for folder in fresh {
            for position in 0..self.views.len() {
                let Some(view) = self.views.get(position) else { continue };
                let root = view.config.root.clone();
                let aliases = self.aliases.get(folder).map(Vec::as_slice).unwrap_or_default();
                let paths: Vec<String> = aliases
                    .iter()
                    .filter(|alias| view.folders.contains(*alias))
                    .filter_map(|alias| below(&root, alias))
                    .collect();
                paths.into_iter().for_each(|path| self.pend(&root, path));
            }
        }
        if fresh.is_empty() || self.known.is_empty() {
            return false;
        }
        let aliases = fresh.iter().filter_map(|folder| self.aliases.get(folder)).flatten();
        let aliases: HashSet<PathBuf> = aliases.cloned().collect();
        self.judge_known(|path| path.parent().is_some_and(|folder| aliases.contains(folder)), verdict)
    }

    fn watch_all(&mut self, wanted: Wanted) -> std::io::Result<Vec<PathBuf>> {
        let Wanted { folders, aliases } = wanted;
        let fresh: Vec<PathBuf> = folders.keys().filter(|folder| !self.source.has(folder)).cloned().collect();
        {
            let mut interest = self.ear.interest.write().unwrap_or_else(PoisonError::into_inner);
            let written = std::mem::take(&mut interest.written);
            *interest = Interest { folders, written };
        }
        self.aliases = aliases;
        // A folder that was renamed is watched under one name only: the old one goes first.
        let interest = Arc::clone(&self.ear.interest);
        let interest = interest.read().unwrap_or_else(PoisonError::into_inner).folders.clone();
        self.source.leave(|folder| !interest.contains_key(folder));
        let mut added = Vec::with_capacity(fresh.len());
        for folder in fresh {
            self.source.add(&folder)?;
            if self.source.has(&folder) {
                added.push(folder);
            }
        }
        Ok(added)
    }

    /// Where the configuration is refused, what was watched stays so, and where it may be mended is watched besides.
    pub(super) fn watch_for_a_better_configuration(
        &mut self,
        refusal: &Refusal,
        verdict: &mut Verdict,
    ) -> Result<(), Refusal> {
        let mut named = manifests_above(&self.request.start);
        if let Refusal::InvalidConfig { root, findings } = refusal {
            let files = findings.iter().filter_map(|finding| finding.file.as_deref());
            named.extend(files.map(|file| root.join(file)));
            named.extend(MANIFESTS.map(|name| root.join(name)));
        }
        named.extend(self.request.accept.baseline.as_ref().map(|path| self.request.cwd.join(path)));
        let named: Vec<PathBuf> = named.iter().flat_map(|path| links::steps(path)).collect();
        for path in &named {
            if !self.named.contains_key(path) {
                let why = Why { is_content: true, is_ground: false };
                self.named.insert(path.clone(), Named { why, content: why.content(path) });
            }
        }
        let mut wanted = Wanted {
            folders: self.ear.interest.read().unwrap_or_else(PoisonError::into_inner).folders.clone(),
            aliases: std::mem::take(&mut self.aliases),
        };
        self.named.keys().for_each(|path| wanted.named(path));
        wanted.named(&self.request.start);
        let fresh = self.watch_all(wanted).map_err(Refusal::WatchFailed)?;
        self.take_up(&fresh, verdict);
        // One that was mended before it was watched is looked at once more.
        let is_other =
            |path: &PathBuf| self.named.get(path).is_some_and(|old| old.content.differs(Content::of_file(path)));
        let stale = named.iter().any(is_other);
        if stale {
            let _ = self.ear.sender.send(Message::Rescan);
        }
        Ok(())
    }

    /// What matters by name, and why, by every name that links lead over.
    fn named_files(&mut self, workspaces: &[Workspace]) -> BTreeMap<PathBuf, Why> {
        let mut named: Vec<PathBuf> = manifests_above(&self.request.start);
        // Where there is no configuration, the git top level is the root.
        let (mut read, mut places) = (Vec::new(), Vec::new());
        places.extend(self.request.start.ancestors().map(|folder| folder.join(".git")));
        let cargo_home = root::environment(&self.request.cwd).cargo_home;
        read.extend(cargo_home.into_iter().flat_map(|home| CARGO_CONFIGS.map(|name| home.join(name))));
        let mut bodies = Vec::new();
        for (workspace, view) in workspaces.iter().zip(&self.views) {
            let config = &workspace.config;
            for folder in [&config.root, &config.base, &config.home] {
                named.extend(manifests_above(folder));
            }
            let folders = config.root.ancestors().map(|folder| folder.join(".cargo"));
            read.extend(folders.flat_map(|folder| CARGO_CONFIGS.map(|name| folder.join(name))));
            // An exclude that names nothing is said.
            places.extend(view.discover.exclude.iter().map(|exclude| config.root.join(exclude)));
            let (tags, leads): (Vec<_>, Vec<_>) =
                view.rule_doors.iter().cloned().partition(|door| door.ends_with(CACHE_TAG));
            read.extend(tags);
            places.extend(leads);
            let Discovery { tagged, links, .. } = &view.discovery;
            read.extend(tagged.iter().map(|folder| config.root.join(folder).join(CACHE_TAG)));
            for link in links {
                let is_read = view.discover.reads_at(link);
                if is_read { &mut read } else { &mut places }.push(config.root.join(link));
            }
            named.extend(config.baseline.iter().map(|path| plain(path)));
            named.extend(view.discover.contracts.literal().map(|path| config.root.join(path)));
            let Ok(plan) = view.plan.as_ref() else { continue };
            for case in &plan.cases {
                let Task::Body(BodyTask { source, params, .. }) = &case.task else { continue };
                bodies.extend(params.iter().filter_map(|one| one.input.path()).map(|path| config.base.join(path)));
                match source {
                    BodySource::File(path) | BodySource::Configured { body: RuleBody::File(path), .. } => {
                        bodies.push(plain(&config.root.join(path)));
                    }
                    BodySource::Configured { body: RuleBody::Dependency { package, path }, .. } => {
                        if !self.watched.runs_bodies() {
                            continue;
                        }
                        named.extend(config.base.ancestors().map(|folder| folder.join("Cargo.lock")));
                        let packages = packages_of(&mut self.packages, &config.base);
                        bodies.extend(packages.folder(package).ok().map(|folder| folder.join(path)));
                    }
                    BodySource::Configured { body: RuleBody::Recipe(_), .. } | BodySource::Recipe(_) => {}
                }
            }
        }
        let runs = self.watched.runs_bodies();
        let as_ = |paths: Vec<PathBuf>, is_content, is_ground| {
            paths.into_iter().map(move |path| (path, Why { is_content, is_ground }))
        };
        let ground = as_(places, false, true).chain(as_(read, true, true));
        let all = ground.chain(as_(bodies, runs, false)).chain(as_(named, true, false));
        all.flat_map(|(path, why)| links::steps(&path).into_iter().map(move |step| (step, why))).collect()
    }
}

/// The folders to watch, by their real paths.
#[derive(Default)]
struct Wanted {
    folders: HashMap<PathBuf, Reason>,
    aliases: HashMap<PathBuf, Vec<PathBuf>>,
}

impl Wanted {
    fn alias(&mut self, real: PathBuf, alias: &Path, is_walked: bool) -> &mut Reason {
        let aliases = self.aliases.entry(real.clone()).or_default();
        if !aliases.iter().any(|known| known == alias) {
            aliases.push(alias.to_owned());
        }
        let reason = self.folders.entry(real).or_default();
        reason.is_walked |= is_walked;
        reason
    }

    /// Folders below a root, none of which lies behind a link.
    fn walked(&mut self, root: &Path, discovery: &Discovery) {
        for (real, alias) in walked(&real(root), discovery).zip(walked(root, discovery)) {
            self.alias(real, &alias, true);
        }
    }

    /// A file, with every folder above it, so that it is seen to come and go whichever of them does.
    fn named(&mut self, path: &Path) {
        let mut below = path;
        while let (Some(folder), Some(name)) = (below.parent(), below.file_name()) {
            if let Ok(real) = folder.canonicalize() {
                self.alias(real, folder, false).names.insert(name.to_owned());
            }
            below = folder;
        }
    }
}

/// The manifests and configurations in a folder and above it.
fn manifests_above(folder: &Path) -> Vec<PathBuf> {
    folder.ancestors().flat_map(|folder| MANIFESTS.map(|name| folder.join(name))).collect()
}
