//! Where a run looks: `--root`, `--manifest-path` and `--exclude` come in, the roots with their configurations go out, or a refusal. Every
//! command starts here, so that they cannot disagree about what belongs to a repository. It starts no process.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use sdp_core::config::{self, Config, Environment, LoadError, RootRequest};
use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::{self, Extraction};
use sdp_core::finding::{Finding, FindingId, finding_order};
use sdp_core::harmless;
use sdp_harness::event::RunRoot;
use sdp_harness::paths::shown;
use sdp_harness::progress;

use crate::errors::{ManifestFault, Refusal};
use crate::output::OutputArgs;
use crate::overrides::SeverityArgs;

/// The names of the files that a configuration may stand in.
pub(crate) const MANIFESTS: [&str; 2] = ["Cargo.toml", "sdp.toml"];

/// The options of every command that looks at a repository.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Where to look")]
#[sdp::satisfies("spec:sdp.command-line", component = "component:sdp.command-line")]
pub(crate) struct CommonArgs {
    /// The folder that holds the repository's Specs, or the name of a root that the configuration lists [default: the nearest
    /// folder upwards with a configuration, else the cargo workspace, the git top level, the current folder]
    #[arg(long, value_name = "PATH", global = true)]
    pub(crate) root: Option<OsString>,
    /// Take the folder of this Cargo.toml or sdp.toml as the root; the folder itself will do
    #[arg(long, value_name = "PATH", global = true, conflicts_with = "root")]
    pub(crate) manifest_path: Option<OsString>,
    /// Leave out a path below the root, with everything in it; may be repeated. Exact, not a pattern: `specs/drafts`. Where
    /// roots are listed it starts at the folder of the configuration that lists them: `backend/specs/drafts`
    #[arg(long, value_name = "PATH", global = true)]
    pub(crate) exclude: Vec<OsString>,
    /// What to say beside findings and answers.
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The root of a run, with its configuration and what discovery is to leave out.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// The configuration, which holds the root.
    pub(crate) config: Config,
    /// What discovery is to leave out: the excludes of the configuration and of the command line, and cargo's target folder.
    pub(crate) discover: DiscoverOptions,
    /// What its files are called.
    pub(crate) seen: RunRoot,
    /// The current folder.
    pub(crate) cwd: PathBuf,
}

impl Workspace {
    /// The root, absolute.
    pub(crate) fn root(&self) -> &Path {
        &self.config.root
    }

    /// Derives the graph of this root. What is odd about its configuration is among the findings.
    pub(crate) fn extract(&self) -> Extraction {
        self.extract_apart(|| extract::extract(self.root(), &self.discover), |_| Vec::new()).0
    }

    /// What discovery leaves out, where what matches nothing of shared languages, modules and contracts is told apart.
    pub(crate) fn discover_sharing(&self) -> DiscoverOptions {
        DiscoverOptions { is_shared: false, ..self.discover.clone() }
    }

    /// The same with what [`Workspace::discover_sharing`] leaves out, which `extract` gives: what matches nothing here of the
    /// languages, modules and contracts that it shares with other roots comes apart, as findings that are not weighed.
    pub(crate) fn extract_sharing(&self, extract: impl FnOnce() -> Extraction) -> (Extraction, Vec<Finding>) {
        let is_shared = self.config.is_shared;
        self.extract_apart(extract, |findings| {
            let is_apart = |finding: &mut Finding| {
                is_shared
                    && matches!(
                        finding.id,
                        FindingId::UnmatchedLanguage | FindingId::UnmatchedModule | FindingId::UnmatchedContract
                    )
            };
            findings.extract_if(.., is_apart).collect()
        })
    }

    fn extract_apart(
        &self,
        extract: impl FnOnce() -> Extraction,
        take_apart: impl FnOnce(&mut Vec<Finding>) -> Vec<Finding>,
    ) -> (Extraction, Vec<Finding>) {
        let (extraction, apart) = progress::during(&self.config.said("reading Specs"), || {
            let mut extraction = extract();
            let apart = take_apart(&mut extraction.findings);
            extraction.findings.extend(self.config.findings.iter().cloned());
            extraction.findings.sort_by(finding_order);
            (extraction.weighed(&self.config.severities), apart)
        });
        progress::extracted(self.config.name.as_deref(), &extraction);
        (extraction, apart)
    }
}

/// As [`load_all`], for a command that takes one root.
pub(crate) fn load(common: &CommonArgs) -> Result<Workspace, Refusal> {
    let mut workspaces = load_all(common)?;
    match workspaces.pop() {
        Some(workspace) if workspaces.is_empty() => Ok(workspace),
        last => Err(several(workspaces.into_iter().chain(last))),
    }
}

/// The refusal of several roots where one is needed.
pub(crate) fn several(workspaces: impl IntoIterator<Item = Workspace>) -> Refusal {
    Refusal::SeveralRoots(workspaces.into_iter().filter_map(|workspace| workspace.config.name).collect())
}

/// Judges the excludes, then the root, then reads the configuration: one root, or those that are listed, in their order.
pub(crate) fn load_all(common: &CommonArgs) -> Result<Vec<Workspace>, Refusal> {
    load_all_in(common, &env::current_dir().map_err(Refusal::NoCurrentFolder)?)
}

/// The same from a current folder.
fn load_all_in(common: &CommonArgs, cwd: &Path) -> Result<Vec<Workspace>, Refusal> {
    if common.output.quiet && common.output.verbose {
        return Err(Refusal::Opposed("--quiet", "--verbose"));
    }
    let given = common.exclude.iter().map(checked_exclude).collect::<Result<Vec<_>, _>>()?;
    if common.root.as_deref().is_some_and(|root| root.to_string_lossy().trim().is_empty()) {
        return Err(Refusal::MissingValue { flag: "--root", wants: "a path" });
    }
    let manifest_folder = common.manifest_path.as_deref().map(|path| folder_of_manifest(path, cwd)).transpose()?;
    let root = match (&common.root, &manifest_folder) {
        (Some(_), Some(_)) => return Err(Refusal::Opposed("--root", "--manifest-path")),
        (root, folder) => root.as_deref().map(Path::new).or(folder.as_deref()),
    };
    let request = RootRequest { root, cwd };
    let configs = config::load_all(&request).map_err(|error| match error {
        LoadError::RootIsNotAFolder(path) => Refusal::RootIsNotAFolder(path),
        LoadError::Invalid { root, findings } => Refusal::InvalidConfig { root, findings },
        LoadError::SeveralRoots(names) => Refusal::SeveralRoots(names),
    })?;
    let environment = environment(cwd);
    let workspace = |config: Config| Workspace {
        discover: DiscoverOptions::of(&config, &environment),
        seen: RunRoot::of(&config).seen_from(cwd),
        config,
        cwd: cwd.to_owned(),
    };
    let mut workspaces: Vec<Workspace> = configs.into_iter().map(workspace).collect();
    for path in given {
        exclude(&path, &mut workspaces);
    }
    workspaces.iter().for_each(tell);
    Ok(workspaces)
}

/// Leaves out a path of the command line, which is one from the configuration's folder: in the deepest root that it lies in.
fn exclude(path: &str, workspaces: &mut [Workspace]) {
    let within = |workspace: &Workspace| path.strip_prefix(&workspace.seen.prefix).map(str::to_owned);
    let holding = workspaces.iter_mut().filter(|workspace| within(workspace).is_some());
    if let Some(workspace) = holding.max_by_key(|workspace| workspace.seen.prefix.len()) {
        let excludes = &mut workspace.discover.exclude;
        excludes.extend(
            path.strip_prefix(&workspace.seen.prefix)
                .filter(|path| !excludes.iter().any(|one| one == path))
                .map(str::to_owned),
        );
    } else if let Some(first) = workspaces.first_mut() {
        let message = format!("the exclude `{path}` lies in no root of this run");
        first.config.findings.push(Finding::warning(FindingId::UnmatchedExclude, message).about(path));
    }
}

/// The same with the severity overrides of the command line.
pub(crate) fn load_all_weighed(common: &CommonArgs, severity: &SeverityArgs) -> Result<Vec<Workspace>, Refusal> {
    load_all_weighed_in(common, severity, &env::current_dir().map_err(Refusal::NoCurrentFolder)?)
}

/// The same from a current folder, which may be gone.
pub(crate) fn load_all_weighed_in(
    common: &CommonArgs,
    severity: &SeverityArgs,
    cwd: &Path,
) -> Result<Vec<Workspace>, Refusal> {
    let mut workspaces = load_all_in(common, cwd)?;
    for workspace in &mut workspaces {
        let given = severity.give(&mut workspace.config.severities);
        given.map_err(|findings| Refusal::InvalidSeverities { root: workspace.config.root.clone(), findings })?;
    }
    Ok(workspaces)
}

/// Says what was found, when everything is asked for.
fn tell(workspace: &Workspace) {
    let Workspace { config, discover, .. } = workspace;
    progress::detail(|| config.said(&format!("root: {}", shown(&config.root))));
    progress::detail(|| match &config.source {
        Some(source) => config.said(&format!("configuration: {}", shown(source))),
        None => config.said("configuration: none, the defaults hold"),
    });
    let folders = discover.skip_dirs.iter().map(|folder| shown(folder));
    let left_out: Vec<String> =
        discover.exclude.iter().map(|path| harmless::one_line(path).into_owned()).chain(folders).collect();
    progress::detail(|| {
        let left_out = if left_out.is_empty() { "nothing".to_owned() } else { left_out.join(", ") };
        config.said(&format!("left out: {left_out}"))
    });
}

/// The folder of a Cargo.toml or an sdp.toml, or the folder itself where it holds one of them.
fn folder_of_manifest(path: &OsStr, cwd: &Path) -> Result<PathBuf, Refusal> {
    if path.to_string_lossy().trim().is_empty() {
        return Err(Refusal::MissingValue { flag: "--manifest-path", wants: "a path" });
    }
    let path = cwd.join(path);
    let is_manifest = MANIFESTS.iter().any(|name| path.file_name().is_some_and(|file| file == *name));
    if path.is_dir() && MANIFESTS.iter().any(|name| path.join(name).is_file()) {
        return Ok(path);
    }
    match path.parent() {
        Some(folder) if is_manifest && path.is_file() => Ok(folder.to_owned()),
        _ => Err(Refusal::NoManifest { fault: ManifestFault::of(&path), path }),
    }
}

/// What the process's environment says of cargo.
pub(crate) fn environment(cwd: &Path) -> Environment {
    Environment::read(cwd, |name| env::var_os(name))
}

fn checked_exclude(path: &OsString) -> Result<String, Refusal> {
    let text = path.to_string_lossy();
    match path.to_str() {
        Some(path) if config::check_exclude(path).is_ok() => Ok(path.to_owned()),
        _ => Err(Refusal::InvalidExclude(text.into_owned())),
    }
}
