//! What changed in truth: a batch of told changes comes in, the files whose content is another one and the places where something
//! came or went go out. What must be read again is noted on the way; what only was touched is nothing.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sdp_core::config::compile_glob;
use sdp_core::discover;

use super::ground::view_had;
use super::paths::below;
use super::wanted::Why;
use super::{Batch, CACHE_TAG, Worker};
use crate::watch::Watched;
use crate::watch::content::{self, Content, Inode};

/// What changed in truth.
#[derive(Default)]
pub(super) struct Verdict {
    /// Files whose content is another one.
    pub(super) files: BTreeSet<PathBuf>,
    /// Where something came or went that may change what a walk finds.
    pub(super) structure: BTreeSet<PathBuf>,
    /// Whether rules are to be looked for anew.
    pub(super) replans: bool,
    /// Walked folders that something was told of: what lies in them may be readable now or no more.
    folders: HashSet<PathBuf>,
}

impl<W: Watched> Worker<W> {
    pub(super) fn judge(&mut self, batch: Batch, verdict: &mut Verdict) {
        if batch.has_gaps {
            self.judge_all(verdict);
        }
        let mut shared = HashSet::new();
        for ((folder, name), is_during) in batch.places {
            shared.extend(name.as_ref().and_then(|name| content::shared_inode(&folder.join(name))));
            let Some(aliases) = self.aliases.get(&folder).cloned() else { continue };
            for alias in aliases {
                match &name {
                    Some(name) => self.judge_one(&folder, &alias, name, is_during, verdict),
                    None => {
                        self.source.leave(|path| path.starts_with(&folder));
                        self.judge_folder(&alias, verdict);
                        self.judge_named(&alias, is_during, verdict);
                    }
                }
            }
        }
        self.judge_shared(&shared, verdict);
        let folders = std::mem::take(&mut verdict.folders);
        if !folders.is_empty() {
            self.judge_known(|path| path.parent().is_some_and(|folder| folders.contains(folder)), verdict);
        }
        // One file may have several names here, by links: what is known of each is what stands there now.
        if verdict.replans {
            self.named.iter_mut().for_each(|(path, named)| named.content = named.why.content(path));
        }
    }

    /// Looks at the other names of files that have several: a change is told by the one name that it was made by.
    fn judge_shared(&mut self, inodes: &HashSet<Inode>, verdict: &mut Verdict) {
        if inodes.is_empty() {
            return;
        }
        let is_one = |path: &Path| content::shared_inode(path).is_some_and(|inode| inodes.contains(&inode));
        self.judge_known(is_one, verdict);
        let named: Vec<PathBuf> = self.named.keys().filter(|path| is_one(path)).cloned().collect();
        named.iter().for_each(|path| self.judge_content(path, false, verdict));
    }

    /// Looks at everything. All is read: a folder that was moved holds files that nobody wrote, and clocks go back.
    fn judge_all(&mut self, verdict: &mut Verdict) {
        self.judge_known(|_| true, verdict);
        let named: Vec<PathBuf> = self.named.keys().cloned().collect();
        named.iter().for_each(|path| self.judge_content(path, false, verdict));
        for position in 0..self.views.len() {
            if let Some(root) = self.views.get(position).map(|view| view.config.root.clone()) {
                // No walk finds this file, so that it makes one walk again and read nothing anew.
                self.pend(&root, ".gitignore".to_owned());
                verdict.structure.insert(root);
            }
        }
        verdict.replans = true;
    }

    /// Reads again what is known of files; whether one is not what it was.
    pub(super) fn judge_known(&mut self, is_asked: impl Fn(&Path) -> bool + Sync, verdict: &mut Verdict) -> bool {
        let views = &self.views;
        let is_read = |path: &Path| {
            views.iter().any(|view| below(&view.config.root, path).is_some_and(|path| view.discover.reads_at(&path)))
        };
        let now = |path: &Path| if is_read(path) { Content::of_file(path) } else { Content::of_other(path) };
        let other: Vec<(PathBuf, Content)> = self
            .known
            .par_iter()
            .filter(|(path, _)| is_asked(path))
            .map(|(path, old)| (path, *old, now(path)))
            .filter(|(_, old, new)| old.differs(*new))
            .map(|(path, _, new)| (path.clone(), new))
            .collect();
        let roots: Vec<PathBuf> = self.views.iter().map(|view| view.config.root.clone()).collect();
        for (path, content) in &other {
            self.learn(path, *content);
            for root in &roots {
                if let Some(relative) = below(root, path) {
                    self.pend(root, relative);
                }
            }
        }
        let is_any = !other.is_empty();
        verdict.files.extend(other.into_iter().map(|(path, _)| path));
        is_any
    }

    fn judge_one(&mut self, real: &Path, alias: &Path, name: &OsStr, is_during: bool, verdict: &mut Verdict) {
        let path = alias.join(name);
        if self.judge_named(&path, is_during, verdict) {
            let real = real.join(name);
            self.source.leave(|path| path.starts_with(&real));
        }
        for position in 0..self.views.len() {
            let Some(view) = self.views.get(position) else { continue };
            let (is_walked, may_hold_rules) = (view.folders.contains(alias), view.rule_folders.contains(alias));
            if may_hold_rules && self.is_of_rules(position, &path, name) {
                verdict.replans = true;
                verdict.structure.insert(path.clone());
                let real = real.join(name);
                self.source.leave(|path| path.starts_with(&real));
            }
            if is_walked && self.judge_walked(position, alias, name, is_during, verdict) {
                let real = real.join(name);
                self.source.leave(|path| path.starts_with(&real));
            }
        }
    }

    /// Looks at what is named at a path, and at what is below it; whether there is any below it.
    fn judge_named(&mut self, path: &Path, is_during: bool, verdict: &mut Verdict) -> bool {
        self.judge_content(path, is_during, verdict);
        let below = self.named.range(path.to_owned()..).map(|(named, _)| named);
        let below = below.take_while(|named| named.starts_with(path)).filter(|named| *named != path);
        let below: Vec<PathBuf> = below.cloned().collect();
        if below.is_empty() {
            return false;
        }
        below.iter().for_each(|named| self.judge_content(named, false, verdict));
        verdict.replans = true;
        // A root that was closed is in no walk, and one that is opened again is walked.
        let roots = self.views.iter().map(|view| view.config.root.clone()).filter(|root| root.starts_with(path));
        for root in roots.collect::<Vec<_>>() {
            self.pend(&root, ".gitignore".to_owned());
            verdict.structure.insert(root);
        }
        true
    }

    fn judge_content(&mut self, path: &Path, is_during: bool, verdict: &mut Verdict) {
        let Some(named) = self.named.get_mut(path) else { return };
        let Why { is_content, is_ground } = named.why;
        let new = named.why.content(path);
        let old = std::mem::replace(&mut named.content, new);
        let is_other = old.differs(new) || (is_during && is_content && new != Content::Nothing);
        if is_other && is_ground {
            verdict.structure.insert(path.to_owned());
            verdict.replans = true;
            self.judge_ground(is_during, verdict);
        } else if is_other {
            verdict.files.insert(path.to_owned());
            verdict.replans = true;
            self.pend_contract(path);
        }
        if path.file_name().is_some_and(|name| name == "Cargo.toml" || name == "Cargo.lock") && old.differs(new) {
            self.packages.clear();
        }
    }

    /// Notes that a contract is to be read again, which may lie where no walk comes by.
    fn pend_contract(&mut self, path: &Path) {
        for position in 0..self.views.len() {
            let Some(view) = self.views.get(position) else { continue };
            let root = view.config.root.clone();
            if let Some(relative) = below(&root, path).filter(|path| view.discover.contracts.is_match(path)) {
                self.pend(&root, relative);
                if self.known.contains_key(path) {
                    self.learn(path, Content::of_file(path));
                }
            }
        }
    }

    /// Looks at what a walk finds by links, and has each root walked again.
    pub(super) fn judge_ground(&mut self, is_during: bool, verdict: &mut Verdict) {
        for position in 0..self.views.len() {
            let Some(view) = self.views.get(position) else { continue };
            let root = view.config.root.clone();
            let links = view.discovery.links.clone();
            for link in links {
                let path = root.join(&link);
                // A manifest is read through its link.
                if self.known.contains_key(&path)
                    && let (Some(folder), Some(name)) = (path.parent(), path.file_name())
                {
                    self.judge_walked(position, folder, name, is_during, verdict);
                }
                self.pend(&root, link);
            }
            // No walk finds this file, so that it makes one walk again and read nothing anew.
            self.pend(&root, ".gitignore".to_owned());
        }
    }

    /// Whether what changed may be a rule, or a folder with rules.
    fn is_of_rules(&self, position: usize, path: &Path, name: &OsStr) -> bool {
        let Some(view) = self.views.get(position) else { return false };
        if view.rule_folders.contains(path) {
            return true;
        }
        let own = path.symlink_metadata().ok();
        // A link may lead to a folder, and a tag may have one left out.
        if name == CACHE_TAG || own.as_ref().is_some_and(Metadata::is_symlink) {
            return true;
        }
        if own.is_some_and(|own| own.is_dir()) {
            return !name.to_str().is_some_and(discover::is_never_walked);
        }
        let Some(from_base) = below(&view.config.base, path) else {
            // One whose path is no text is said to be left out.
            return path.to_str().is_none();
        };
        let mut globs = view.config.rule_globs.iter().filter_map(|glob| compile_glob(glob).ok());
        globs.any(|glob| glob.is_match(&from_base)) && !self.named.contains_key(path)
    }

    fn judge_folder(&mut self, alias: &Path, verdict: &mut Verdict) {
        for position in 0..self.views.len() {
            let Some(view) = self.views.get(position) else { continue };
            let root = view.config.root.clone();
            if view.rule_folders.contains(alias) {
                verdict.replans = true;
                verdict.structure.insert(alias.to_owned());
            }
            if view.folders.contains(alias) {
                verdict.structure.insert(alias.to_owned());
                if let Some(path) = below(&root, alias) {
                    self.pend(&root, path);
                }
            }
        }
    }

    /// Looks at what changed in a folder that is walked; whether it is a folder itself.
    fn judge_walked(
        &mut self,
        position: usize,
        folder: &Path,
        name: &OsStr,
        is_during: bool,
        verdict: &mut Verdict,
    ) -> bool {
        let path = folder.join(name);
        let Some(view) = self.views.get(position) else { return false };
        if !view.folders.contains(folder) {
            return false;
        }
        let root = view.config.root.clone();
        let own = path.symlink_metadata().ok();
        let is_folder = own.as_ref().is_some_and(Metadata::is_dir);
        let Some(relative) = below(&root, &path) else {
            // A path that is no text is in no finding by its own name: a walk says what is to be said.
            verdict.structure.insert(path);
            self.pend(&root, ".gitignore".to_owned());
            return is_folder || view_had(self.views.get(position), &folder.join(name));
        };
        let was_folder = view.folders.contains(&path);
        if was_folder || is_folder {
            let is_left_out = name.to_str().is_some_and(discover::is_never_walked)
                || view.discover.exclude.contains(&relative)
                || view.discover.skip_dirs.contains(&path);
            if !was_folder && is_left_out {
                return false;
            }
            if was_folder && is_folder {
                verdict.folders.insert(path.clone());
            }
            verdict.structure.insert(path);
            self.pend(&root, relative);
            return true;
        }
        let text = name.to_string_lossy();
        let is_odd = view.left_out.contains(&relative)
            || own.as_ref().is_some_and(|own| own.is_symlink())
            || matches!(&*text, ".gitignore" | CACHE_TAG);
        let is_read = view.discover.reads_at(&relative);
        if is_odd {
            verdict.structure.insert(path.clone());
            self.pend(&root, relative.clone());
        }
        if is_read {
            let new = Content::of_file(&path);
            match self.known.get(&path).copied() {
                Some(old) if is_during || old.differs(new) => {
                    self.learn(&path, new);
                    verdict.files.insert(path);
                    self.pend(&root, relative);
                }
                Some(_) => {}
                None if new != Content::Nothing => {
                    verdict.structure.insert(path);
                    self.pend(&root, relative);
                }
                None => {}
            }
        } else if discover::is_searched(&text) {
            let new = Content::of_other(&path);
            let old = self.known.get(&path).copied().unwrap_or(Content::Nothing);
            if old.differs(new) || (is_during && new != Content::Nothing) {
                self.learn(&path, new);
                verdict.files.insert(path);
                self.pend(&root, relative);
            }
        }
        false
    }

    fn learn(&mut self, path: &Path, content: Content) {
        if content == Content::Nothing {
            self.known.remove(path);
            // It may be back before the walk, which then finds what it found.
            self.is_unsettled = true;
        } else {
            self.known.insert(path.to_owned(), content);
            self.learnt.push(path.to_owned());
        }
    }
}
