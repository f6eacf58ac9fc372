//! The modules of one package: the roots of its targets come in; which module of which target each file is goes out, in the
//! order of the targets. Files are read level by level, each once in a run, and only until all that was asked for is found.

use std::path::Path;
use std::sync::OnceLock;

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

use crate::anchor::rust::modules::{Declared, Paths, What, declared, plain, said};
use crate::anchor::rust::targets::{RustFiles, Target, TargetKind, ancestors, folder_of, joined};
use crate::discover::{SourceText, SourceTexts};

/// How many modules may lead to a file; what lies deeper is not reached.
const MAX_MODULES: usize = 128;

/// How many folders one inline module may stand for: each `cfg_attr` with a path adds one.
const MAX_FOLDERS: usize = 4;

/// The Rust files of a run and what they declare.
pub(super) struct Sources<'a> {
    root: &'a Path,
    files: RustFiles<'a>,
    declared: Vec<OnceLock<Declared>>,
}

impl<'a> Sources<'a> {
    /// Of a run.
    pub(super) fn new(root: &'a Path, files: RustFiles<'a>) -> Self {
        Sources { root, files, declared: files.below("").map(|_| OnceLock::new()).collect() }
    }

    /// What a file declares. One that cannot be read declares nothing; whoever reads it for its bindings says so.
    fn declared(&self, file: usize, texts: &mut SourceTexts) -> Option<&Declared> {
        let read = |path| match texts.read(self.root, path) {
            Ok(SourceText::Whole(bytes)) => std::str::from_utf8(bytes).map(declared).unwrap_or_default(),
            Ok(SourceText::Beginning(_)) | Err(_) => Declared::default(),
        };
        Some(self.declared.get(file)?.get_or_init(|| self.files.get(file).map(read).unwrap_or_default()))
    }
}

/// Where the compiler looks for the modules of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Owns {
    /// In its own folder: a root, a `mod.rs`, what a path leads to.
    Folder,
    /// In the folder that is called like it.
    FolderOfItsName,
}

/// A module on the way to others.
struct Module {
    name: String,
    parent: Option<usize>,
    depth: usize,
}

/// A file on the way to others.
#[derive(Clone, Copy)]
struct Step {
    file: usize,
    owns: Owns,
    /// Its module; none for the root of a crate.
    module: Option<usize>,
}

/// How a target leads to a file.
pub(super) struct Reached<'w> {
    /// The target.
    pub(super) target: &'w Target,
    /// The modules, from the root of its crate.
    pub(super) modules: Vec<String>,
}

/// A walk through the modules of a package. It can be taken up again.
pub(super) struct Walk<'a> {
    sources: &'a Sources<'a>,
    targets: Vec<Target>,
    /// The first target whose root lies in a folder; a build script's folder is the whole package, and says nothing.
    by_folder: HashMap<String, usize>,
    /// How many targets were begun.
    begun: usize,
    /// The files of the last target whose declarations are not followed yet.
    level: Vec<Step>,
    visited: HashSet<(usize, Owns)>,
    /// For each file that was met: the target and the module.
    met: HashMap<usize, (usize, Option<usize>)>,
    modules: Vec<Module>,
}

impl<'a> Walk<'a> {
    /// Over targets in their fixed order.
    pub(super) fn new(sources: &'a Sources<'a>, targets: Vec<Target>) -> Self {
        let mut by_folder = HashMap::new();
        for (index, target) in targets.iter().enumerate().filter(|(_, target)| target.kind != TargetKind::BuildScript) {
            by_folder.entry(folder_of(&target.root).to_owned()).or_insert(index);
        }
        Walk {
            sources,
            targets,
            by_folder,
            begun: 0,
            level: Vec::new(),
            visited: HashSet::new(),
            met: HashMap::new(),
            modules: Vec::new(),
        }
    }

    /// How the first target that leads to a file does so, as far as the walk went.
    pub(super) fn reached(&self, file: usize) -> Option<Reached<'_>> {
        let (target, modules) = self.way(file)?;
        Some(Reached { target: self.targets.get(target)?, modules })
    }

    /// The same, with the place of the target in the list.
    pub(super) fn way(&self, file: usize) -> Option<(usize, Vec<String>)> {
        let (target, mut module) = *self.met.get(&file)?;
        let mut modules = Vec::new();
        while let Some(at) = module.and_then(|module| self.modules.get(module)) {
            modules.push(at.name.clone());
            module = at.parent;
        }
        modules.reverse();
        Some((target, modules))
    }

    /// The targets, when the walk is over.
    pub(super) fn into_targets(self) -> Vec<Target> {
        self.targets
    }

    /// The target whose root lies nearest above a file.
    pub(super) fn nearest(&self, path: &str) -> Option<&Target> {
        let index = ancestors(folder_of(path)).find_map(|folder| self.by_folder.get(folder))?;
        self.targets.get(*index)
    }

    /// Whether the walk met a file.
    pub(super) fn has_met(&self, file: usize) -> bool {
        self.met.contains_key(&file)
    }

    /// The files that were met.
    pub(super) fn met(&self) -> impl Iterator<Item = usize> {
        self.met.keys().copied()
    }

    /// Goes on until all these files are met, or nothing is left.
    pub(super) fn find(&mut self, asked: &HashSet<usize>) {
        let mut missing = asked.iter().filter(|file| !self.met.contains_key(*file)).count();
        while missing > 0 {
            let met = if self.level.is_empty() { self.begin() } else { Some(self.descend()) };
            let Some(met) = met else { return };
            missing = missing.saturating_sub(met.iter().filter(|file| asked.contains(*file)).count());
        }
    }

    /// Goes on until nothing is left.
    pub(super) fn finish(&mut self) {
        while !self.level.is_empty() || self.begun < self.targets.len() {
            if self.level.is_empty() {
                self.begin();
            } else {
                self.descend();
            }
        }
    }

    /// Begins the next target; the files that were met for the first time.
    fn begin(&mut self) -> Option<Vec<usize>> {
        let target = self.targets.get(self.begun)?;
        self.begun += 1;
        let Some(file) = self.sources.files.find(&target.root) else { return Some(Vec::new()) };
        let mut met = Vec::new();
        let root = Step { file, owns: Owns::Folder, module: None };
        self.level = self.visit(root, &mut met).into_iter().collect();
        Some(met)
    }

    /// Follows what the files of a level declare.
    fn descend(&mut self) -> Vec<usize> {
        let level = std::mem::take(&mut self.level);
        let sources = self.sources;
        let declared: Vec<Option<&Declared>> =
            level.par_iter().map_init(SourceTexts::default, |texts, step| sources.declared(step.file, texts)).collect();
        let mut met = Vec::new();
        for (step, declared) in level.iter().zip(declared) {
            if let (Some(declared), Some(path)) = (declared, sources.files.get(step.file)) {
                self.follow(*step, path, declared, &mut met);
            }
        }
        met
    }

    /// A file as one that is to be followed, unless it was.
    fn visit(&mut self, step: Step, met: &mut Vec<usize>) -> Option<Step> {
        if !self.visited.insert((step.file, step.owns)) {
            return None;
        }
        if self.met.try_insert(step.file, (self.begun.saturating_sub(1), step.module)).is_ok() {
            met.push(step.file);
        }
        Some(step)
    }

    fn follow(&mut self, step: Step, path: &str, declared: &Declared, met: &mut Vec<usize>) {
        if declared.elsewhere.is_empty() {
            return;
        }
        let stem = path.rsplit('/').next().and_then(|name| name.strip_suffix(".rs")).unwrap_or_default();
        let own = Folders {
            all: vec![folder_of(path).to_owned()],
            relative: (step.owns == Owns::FolderOfItsName).then(|| stem.to_owned()),
            module: step.module,
        };
        let mut inline: Vec<Folders> = Vec::with_capacity(declared.inline.len());
        for module in &declared.inline {
            let around = module.within.and_then(|within| inline.get(within)).unwrap_or(&own);
            let folders = around.inside(&module.name, &module.paths);
            let module = self.module(&module.name, around.module);
            inline.push(Folders { all: if module.is_some() { folders } else { Vec::new() }, relative: None, module });
        }
        for elsewhere in &declared.elsewhere {
            let around = elsewhere.within.and_then(|within| inline.get(within)).unwrap_or(&own);
            // Too deep, or out of the root.
            if around.all.is_empty() {
                continue;
            }
            let (files, name) = match &elsewhere.what {
                What::Module { name, paths } => (around.files(name, paths), Some(name)),
                What::Included(included) => (vec![(joined(folder_of(path), included), Owns::Folder)], None),
            };
            let mut module = None;
            for (path, owns) in files {
                let Some(file) = path.and_then(|path| self.sources.files.find(&path)) else { continue };
                if self.visited.contains(&(file, owns)) {
                    continue;
                }
                if module.is_none() {
                    module = match name {
                        Some(name) => self.module(name, around.module),
                        None => around.module,
                    };
                    // Too deep.
                    if name.is_some() && module.is_none() {
                        break;
                    }
                }
                if let Some(step) = self.visit(Step { file, owns, module }, met) {
                    self.level.push(step);
                }
            }
        }
    }

    /// A new module; none where it lies too deep.
    fn module(&mut self, name: &str, parent: Option<usize>) -> Option<usize> {
        let depth = parent.and_then(|parent| self.modules.get(parent)).map_or(0, |parent| parent.depth) + 1;
        (depth <= MAX_MODULES).then(|| {
            self.modules.push(Module { name: said(name).to_owned(), parent, depth });
            self.modules.len() - 1
        })
    }
}

/// Where the modules that a file or an inline module holds are looked for.
struct Folders {
    /// More than one where conditions choose.
    all: Vec<String>,
    /// What goes between the folder and a module without a path of its own.
    relative: Option<String>,
    module: Option<usize>,
}

impl Folders {
    fn default_folder(&self, folder: &str) -> Option<String> {
        joined(folder, self.relative.as_deref().unwrap_or(""))
    }

    /// The folders of an inline module in here.
    fn inside(&self, name: &str, paths: &Paths) -> Vec<String> {
        let mut found = Vec::new();
        for folder in &self.all {
            let given = paths.perhaps.iter().chain(&paths.always);
            found.extend(given.filter_map(|path| joined(folder, path)));
            if paths.always.is_none() {
                found.extend(self.default_folder(folder).and_then(|folder| joined(&folder, plain(name))));
            }
        }
        found.truncate(MAX_FOLDERS);
        found
    }

    /// The files that a declared module may be, the likeliest first.
    fn files(&self, name: &str, paths: &Paths) -> Vec<(Option<String>, Owns)> {
        let mut found = Vec::new();
        for folder in &self.all {
            let given = paths.perhaps.iter().chain(&paths.always);
            found.extend(given.map(|path| (joined(folder, path), Owns::Folder)));
            if paths.always.is_none()
                && let Some(folder) = self.default_folder(folder)
            {
                let name = plain(name);
                found.push((joined(&folder, &format!("{name}.rs")), Owns::FolderOfItsName));
                found.push((joined(&folder, &format!("{name}/mod.rs")), Owns::Folder));
            }
        }
        found
    }
}
