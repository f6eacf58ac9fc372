//! Which roots a run has: where it starts comes in, the configuration of each root goes out. Configurations are looked for
//! upwards; one that lists roots is asked which of them are meant.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use super::folder::{CargoRole, Folder, invalid};
use super::keys::Settings;
use super::keys::roots::{ListedRoot, MAX_PATH, OWN_FOLDER, Roots};
use super::{Beside, Config, DEFAULT_RULE_GLOB, LoadError, OutDir, RootRequest};
use crate::anchor::{Authored, Languages};
use crate::finding::{Finding, FindingId, finding_order};

/// See [`super::load_all`].
#[sdp::satisfies("spec:sdp.roots", component = "component:sdp.config")]
pub(super) fn load_all(request: &RootRequest<'_>) -> Result<Vec<Config>, LoadError> {
    if let Some(named) = named(request) {
        return named.load();
    }
    let start = absolute(request);
    match request.root {
        Some(_) if !start.is_dir() => Err(LoadError::RootIsNotAFolder(start)),
        Some(_) => asked_for(start),
        None => from_inside(start),
    }
}

/// Which roots of a listing configuration are run.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Choice {
    All,
    /// The one with this path.
    One(String),
}

/// A configuration that lists roots, and which of them are meant.
struct Listing {
    folder: PathBuf,
    found: Folder,
    choice: Choice,
}

/// The roots that a folder's configuration lists.
fn listed(found: &Folder) -> Option<&Roots> {
    found.settings.as_ref().and_then(|(_, settings)| settings.roots.as_ref())
}

/// The root that was asked for by its name: a word that names a root of the configuration which holds for the current folder.
fn named(request: &RootRequest<'_>) -> Option<Listing> {
    let name = request.root?.to_str()?;
    if name.contains(std::path::is_separator) || matches!(name, "." | "..") {
        return None;
    }
    let here = absolute(&RootRequest { root: None, cwd: request.cwd });
    here.ancestors().find_map(|ancestor| {
        let found = Folder::examine(ancestor);
        let path = listed(&found)?.entries.iter().find(|root| root.name == name)?.path.clone();
        Some(Listing { folder: ancestor.to_owned(), found, choice: Choice::One(path) })
    })
}

/// The roots of a folder that was asked for.
fn asked_for(start: PathBuf) -> Result<Vec<Config>, LoadError> {
    let own = Folder::examine(&start);
    if let Some(listing) = lists(&start, own.is_configured())? {
        return listing.load();
    }
    if listed(&own).is_some() {
        return Listing { folder: start, found: own, choice: Choice::All }.load();
    }
    finish(start, own).map(|config| vec![config])
}

/// The configuration above a folder that lists this very folder. The nearest one that cannot be read is an error where the
/// folder has none of its own: it may be the one that lists it.
fn lists(start: &Path, is_configured: bool) -> Result<Option<Listing>, LoadError> {
    // A link to a listed root is that root.
    let real = start.canonicalize().ok().filter(|real| real != start);
    let mut is_covered = is_configured;
    for start in std::iter::once(start).chain(real.as_deref()) {
        for ancestor in start.ancestors().skip(1) {
            let found = Folder::examine(ancestor);
            if let Some(path) = below(ancestor, start)
                && listed(&found).is_some_and(|roots| roots.entries.iter().any(|root| root.path == path))
            {
                return Ok(Some(Listing { folder: ancestor.to_owned(), found, choice: Choice::One(path) }));
            }
            if !is_covered && found.settings.is_none() && found.is_configured() {
                return Err(refused(ancestor.to_owned(), found.findings));
            }
            is_covered |= found.is_configured();
        }
    }
    Ok(None)
}

/// The roots of a run that starts in a folder and asks for none.
fn from_inside(start: PathBuf) -> Result<Vec<Config>, LoadError> {
    let (mut workspace, mut package, mut git) = (None, None, None);
    let mut nearest: Option<(PathBuf, Folder)> = None;
    for ancestor in start.ancestors() {
        let found = Folder::examine(ancestor);
        if let Some(root) = listed(&found).and_then(|roots| deepest(roots, ancestor, &start)) {
            // A configuration that stands deeper inside the listed root is another repository's.
            let folder = ancestor.join(&root.path);
            if nearest.as_ref().is_none_or(|(nearest, _)| folder.starts_with(nearest)) {
                let choice = Choice::One(root.path.clone());
                return Listing { folder: ancestor.to_owned(), found, choice }.load();
            }
        }
        if nearest.is_some() {
            continue;
        }
        match found.role {
            Some(CargoRole::Workspace) => workspace = workspace.or(Some(ancestor)),
            Some(CargoRole::Package) => package = package.or(Some(ancestor)),
            None => {}
        }
        if git.is_none() && ancestor.join(".git").exists() {
            git = Some(ancestor);
        }
        if found.is_configured() {
            nearest = Some((ancestor.to_owned(), found));
        }
    }
    match nearest {
        Some((folder, found)) if listed(&found).is_some() => Listing { folder, found, choice: Choice::All }.load(),
        Some((folder, found)) => finish(folder, found).map(|config| vec![config]),
        None => {
            let root = workspace.or(package).or(git).unwrap_or(&start).to_owned();
            finish(root, Folder::default()).map(|config| vec![config])
        }
    }
}

/// The deepest listed root that a folder lies in. The configuration's own folder holds all of them, so that it is no choice.
fn deepest<'r>(roots: &'r Roots, folder: &Path, start: &Path) -> Option<&'r ListedRoot> {
    let below = roots.entries.iter().filter(|root| root.path != OWN_FOLDER);
    below.filter(|root| start.starts_with(folder.join(&root.path))).max_by_key(|root| root.path.len())
}

/// How a folder is called from one above it, with `/`.
fn below(folder: &Path, path: &Path) -> Option<String> {
    let segments = path.strip_prefix(folder).ok()?.components().map(|part| part.as_os_str().to_str());
    segments.collect::<Option<Vec<_>>>().map(|segments| segments.join("/"))
}

/// One listed root with what was found in its folder.
struct Member<'l> {
    listed: &'l ListedRoot,
    folder: PathBuf,
    /// Its own configuration, where its folder holds one.
    own: Option<Folder>,
}

impl Listing {
    fn load(self) -> Result<Vec<Config>, LoadError> {
        let Listing { folder, found, choice } = self;
        let Some((file, settings)) = found.settings else { return Err(refused(folder, found.findings)) };
        let mut problems = found.findings;
        let roots = settings.roots.as_ref().map_or(&[][..], |roots| &roots.entries);
        let mut members = Vec::with_capacity(roots.len());
        for root in roots {
            match folder_of(&folder, &root.path) {
                Ok(path) => {
                    let own = (root.path != OWN_FOLDER).then(|| Folder::examine(&path)).filter(Folder::is_configured);
                    members.push(Member { listed: root, folder: path, own });
                }
                Err(why) => problems.push(invalid(file, Some(root.place), format!("the root `{}` {why}", root.path))),
            }
        }
        problems.extend(nested(file, &settings, &members));
        let is_chosen =
            |member: &Member<'_>| choice == Choice::All || choice == Choice::One(member.listed.path.clone());
        for member in members.iter().filter(|member| is_chosen(member)) {
            problems.extend(member.problems());
        }
        if !problems.is_empty() {
            return Err(refused(folder, problems));
        }
        let names = roots.len() > 1;
        let sharing = members.iter().filter(|member| member.own.is_none()).count();
        let listed: Vec<Beside> = members.iter().map(|member| member.beside(&folder, &settings)).collect();
        let mut shares = shares(&settings.exclude, &members);
        let mut of_no_root = shares.remove(&None).unwrap_or_default();
        let mut configs = Vec::with_capacity(members.len());
        for member in members.into_iter().filter(is_chosen) {
            let path = member.listed.path.as_str();
            let is_sharing = member.own.is_none();
            let mut config = match member.own {
                Some(own) => finish(member.folder, own)?,
                None => {
                    let mut config = of_settings(folder.clone(), Some((file, settings.clone())));
                    config.exclude = shares.remove(&Some(path)).unwrap_or_default();
                    config.modules = modules_of(path, &config.modules, roots);
                    config.root = member.folder;
                    config.is_shared = sharing > 1;
                    config
                }
            };
            config.home.clone_from(&folder);
            config.name = names.then(|| member.listed.name.clone());
            let others = listed.iter().filter(|other| other.name != member.listed.name).cloned();
            config.beside = others
                .map(|other| Beside { is_of_same_configuration: is_sharing && other.is_of_same_configuration, ..other })
                .collect();
            let file = format!("{}{file}", up(&config.root, &folder));
            config.findings = of_no_root.drain(..).map(|exclude| unmatched(&exclude, &file)).collect();
            configs.push(config);
        }
        Ok(configs)
    }
}

impl Member<'_> {
    /// What the others know of it; whether they share its configuration is whether it has none of its own.
    fn beside(&self, folder: &Path, settings: &Settings) -> Beside {
        let baseline = match &self.own {
            Some(own) => {
                own.settings.as_ref().and_then(|(_, own)| own.baseline.as_ref()).map(|path| self.folder.join(path))
            }
            None => settings.baseline.as_ref().map(|path| folder.join(path)),
        };
        Beside { name: self.listed.name.clone(), is_of_same_configuration: self.own.is_none(), baseline }
    }

    /// What is wrong with its own configuration; files are called from the listing folder.
    fn problems(&self) -> Vec<Finding> {
        let Some(own) = &self.own else { return Vec::new() };
        let mut problems = own.findings.clone();
        if let Some((file, settings)) = &own.settings
            && let Some(roots) = &settings.roots
        {
            let message = "a root that is listed cannot list roots of its own".to_owned();
            problems.push(invalid(file, Some(roots.place), message));
        }
        for problem in &mut problems {
            problem.file = problem.file.take().map(|file| format!("{}/{file}", self.listed.path));
        }
        problems
    }

    /// What its configuration excludes, relative to it; none where that cannot be read.
    fn excludes<'s>(&'s self, shares: &'s BTreeMap<Option<&str>, Vec<String>>) -> Option<&'s [String]> {
        match &self.own {
            Some(own) => own.settings.as_ref().map(|(_, settings)| settings.exclude.as_slice()),
            None => Some(shares.get(&Some(self.listed.path.as_str())).map_or(&[], Vec::as_slice)),
        }
    }
}

/// The folder of a listed root. Links are not followed: two paths would lead to one folder.
fn folder_of(folder: &Path, path: &str) -> Result<PathBuf, &'static str> {
    let mut absolute = folder.to_owned();
    if path != OWN_FOLDER {
        for segment in path.split('/') {
            absolute.push(segment);
            if absolute.is_symlink() {
                return Err("is or lies behind a symbolic link, which is not followed");
            }
        }
    }
    match absolute.metadata() {
        Ok(metadata) if metadata.is_dir() => Ok(absolute),
        Ok(_) => Err("is not a folder"),
        Err(_) => Err("does not exist"),
    }
}

/// The paths above a path, the nearest first; [`OWN_FOLDER`] has none.
fn above(path: &str) -> impl Iterator<Item = &str> {
    let end = (path != OWN_FOLDER).then_some(OWN_FOLDER);
    // No root has a longer path.
    let slashes = path.rmatch_indices('/').map(|(slash, _)| slash).skip_while(|slash| *slash > MAX_PATH);
    slashes.filter_map(|slash| path.get(..slash)).chain(end)
}

/// How a folder is called from one below it: `../` for each level.
pub(super) fn up(folder: &Path, above: &Path) -> String {
    let levels = folder.strip_prefix(above).map_or(0, |path| path.components().count());
    "../".repeat(levels)
}

/// What is left of a path below a folder.
fn within<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    if folder == OWN_FOLDER { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

/// A problem for each root that lies in another one which does not exclude it: its files would belong to two graphs.
fn nested(file: &str, settings: &Settings, members: &[Member<'_>]) -> Vec<Finding> {
    let shares = shares(&settings.exclude, members);
    let excludes: BTreeMap<&str, BTreeSet<&str>> = members
        .iter()
        .filter_map(|member| Some((member.listed.path.as_str(), member.excludes(&shares)?)))
        .map(|(path, excludes)| (path, excludes.iter().map(String::as_str).collect()))
        .collect();
    let mut problems = Vec::new();
    for Member { listed: ListedRoot { path, place, .. }, .. } in members {
        // What lies further out holds the nearest one too.
        let Some((outer, excludes)) = above(path).find_map(|outer| excludes.get_key_value(outer)) else { continue };
        let inner = within(path, outer).unwrap_or_default();
        let is_excluded = std::iter::once(inner).chain(above(inner)).any(|path| excludes.contains(path));
        if !is_excluded {
            let message = format!(
                "the root `{path}` lies in the root `{outer}`, so that its files would be in both: exclude `{inner}` there"
            );
            problems.push(invalid(file, Some(*place), message));
        }
    }
    problems
}

/// The excludes of a listing configuration by the root that each is for, relative to it: the deepest one that it lies in.
/// Those that lie in no root, or in one with a configuration of its own, are for none.
fn shares<'m>(excludes: &[String], members: &[Member<'m>]) -> BTreeMap<Option<&'m str>, Vec<String>> {
    let sharing: BTreeMap<&str, bool> =
        members.iter().map(|member| (member.listed.path.as_str(), member.own.is_none())).collect();
    let mut shares: BTreeMap<Option<&str>, Vec<String>> = BTreeMap::new();
    for exclude in excludes {
        let owner = above(exclude).find_map(|folder| sharing.get_key_value(folder));
        let share =
            owner.filter(|(_, shares)| **shares).and_then(|(folder, _)| Some((*folder, within(exclude, folder)?)));
        match share {
            Some((folder, path)) => shares.entry(Some(folder)).or_default().push(path.to_owned()),
            None => shares.entry(None).or_default().push(exclude.clone()),
        }
    }
    shares
}

fn unmatched(exclude: &str, file: &str) -> Finding {
    let message = format!("the exclude `{exclude}` lies in no root that this configuration holds for");
    Finding::warning(FindingId::UnmatchedExclude, message).at(file, None).about(exclude)
}

/// The trusted modules for one root: the path of a file is one of the root that the file lies in.
fn modules_of(root: &str, modules: &[(String, Authored)], roots: &[ListedRoot]) -> Vec<(String, Authored)> {
    let paths: BTreeSet<&str> = roots.iter().map(|root| root.path.as_str()).collect();
    let own = modules.iter().filter_map(|(module, place)| {
        let owner = above(module).filter(|folder| *folder != OWN_FOLDER).find(|folder| paths.contains(folder));
        match owner {
            Some(owner) if owner == root => Some((within(module, owner)?.to_owned(), *place)),
            Some(_) => None,
            None => Some((module.clone(), *place)),
        }
    });
    own.collect()
}

/// The start of the search, absolute. A path with `..` is resolved, because its textual ancestors are not its ancestors.
fn absolute(request: &RootRequest<'_>) -> PathBuf {
    let path = match request.root {
        Some(root) => request.cwd.join(root),
        None => request.cwd.to_owned(),
    };
    let climbs = path.components().any(|part| part == Component::ParentDir);
    if climbs && let Ok(resolved) = path.canonicalize() {
        return resolved;
    }
    // Rebuilt from its components, so that `.` segments and doubled separators are gone; a path that does not exist has
    // nothing that could be resolved, so its `..` segments are taken at their word.
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

fn refused(root: PathBuf, mut findings: Vec<Finding>) -> LoadError {
    findings.sort_by(|left, right| finding_order(left, right).then(left.column.cmp(&right.column)));
    LoadError::Invalid { root, findings }
}

fn finish(root: PathBuf, folder: Folder) -> Result<Config, LoadError> {
    if folder.findings.is_empty() {
        Ok(of_settings(root, folder.settings))
    } else {
        Err(refused(root, folder.findings))
    }
}

/// What the settings in a folder make of this folder as a root.
fn of_settings(root: PathBuf, settings: Option<(&'static str, Settings)>) -> Config {
    let (source, settings) = match settings {
        Some((file, settings)) => (Some(root.join(file)), settings),
        None => (None, Settings::default()),
    };
    Config {
        name: None,
        base: root.clone(),
        home: root.clone(),
        is_shared: false,
        beside: Vec::new(),
        waivers: settings.waivers,
        baseline: settings.baseline.map(|path| root.join(path)),
        findings: Vec::new(),
        places: settings.places,
        languages: Languages::with(settings.languages),
        modules: settings.modules,
        contracts: settings.contracts,
        source,
        base_exclude: settings.exclude.clone(),
        exclude: settings.exclude,
        rule_globs_are_default: settings.rule_globs.is_none(),
        rule_globs: settings.rule_globs.unwrap_or_else(|| vec![DEFAULT_RULE_GLOB.to_owned()]),
        rules: settings.rules,
        limits: settings.limits,
        severities: settings.severities,
        out_dir: settings.out_dir.map_or(OutDir::Default, |path| OutDir::Configured(root.join(path))),
        root,
    }
}
