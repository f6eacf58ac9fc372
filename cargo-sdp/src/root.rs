//! Where a run looks: `--root`, `--manifest-path` and `--exclude` come in, the root with its configuration goes out, or a refusal. Every
//! command starts here, so that they cannot disagree about what belongs to a repository. It starts no process.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use sdp_core::config::{self, Config, Environment, LoadError, RootRequest};
use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::{self, Extraction};
use sdp_core::harmless;
use sdp_harness::progress;

use crate::errors::{ManifestFault, Refusal};
use crate::output::OutputArgs;
use crate::overrides::SeverityArgs;

/// The files that a configuration may stand in.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "sdp.toml"];

/// The options of every command that looks at a repository.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Where to look")]
#[sdp::satisfies("spec:sdp.command-line", component = "component:sdp.command-line")]
pub(crate) struct CommonArgs {
    /// The folder that holds the repository's Specs [default: the nearest folder upwards with a configuration, else the
    /// cargo workspace, the git top level, the current folder]
    #[arg(long, value_name = "PATH", global = true)]
    pub(crate) root: Option<OsString>,
    /// Take the folder of this Cargo.toml or sdp.toml as the root; the folder itself will do
    #[arg(long, value_name = "PATH", global = true, conflicts_with = "root")]
    pub(crate) manifest_path: Option<OsString>,
    /// Leave out a path below the root, with everything in it; may be repeated. Exact, not a pattern: `specs/drafts`
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
    /// The current folder.
    pub(crate) cwd: PathBuf,
}

impl Workspace {
    /// The root, absolute.
    pub(crate) fn root(&self) -> &Path {
        &self.config.root
    }

    /// Derives the graph of this root.
    pub(crate) fn extract(&self) -> Extraction {
        let extraction = progress::during("reading Specs", || {
            extract::extract(self.root(), &self.discover).weighed(&self.config.severities)
        });
        progress::extracted(&extraction);
        extraction
    }
}

/// Judges the excludes, then the root, then reads the configuration.
pub(crate) fn load(common: &CommonArgs) -> Result<Workspace, Refusal> {
    if common.output.quiet && common.output.verbose {
        return Err(Refusal::Opposed("--quiet", "--verbose"));
    }
    let given = common.exclude.iter().map(checked_exclude).collect::<Result<Vec<_>, _>>()?;
    let cwd = env::current_dir().map_err(Refusal::NoCurrentFolder)?;
    if common.root.as_deref().is_some_and(|root| root.to_string_lossy().trim().is_empty()) {
        return Err(Refusal::MissingValue { flag: "--root", wants: "a path" });
    }
    let manifest_folder = common.manifest_path.as_deref().map(|path| folder_of_manifest(path, &cwd)).transpose()?;
    let root = match (&common.root, &manifest_folder) {
        (Some(_), Some(_)) => return Err(Refusal::Opposed("--root", "--manifest-path")),
        (root, folder) => root.as_deref().map(Path::new).or(folder.as_deref()),
    };
    let request = RootRequest { root, cwd: &cwd };
    let config = config::load(&request).map_err(|error| match error {
        LoadError::RootIsNotAFolder(path) => Refusal::RootIsNotAFolder(path),
        LoadError::Invalid { root, findings } => Refusal::InvalidConfig { root, findings },
    })?;
    let mut discover = DiscoverOptions::of(&config, &environment(&cwd));
    for path in given {
        if !discover.exclude.contains(&path) {
            discover.exclude.push(path);
        }
    }
    let workspace = Workspace { config, discover, cwd };
    tell(&workspace);
    Ok(workspace)
}

/// The same with the severity overrides of the command line.
pub(crate) fn load_weighed(common: &CommonArgs, severity: &SeverityArgs) -> Result<Workspace, Refusal> {
    let mut workspace = load(common)?;
    let given = severity.give(&mut workspace.config.severities);
    given.map_err(|findings| Refusal::InvalidSeverities { root: workspace.config.root.clone(), findings })?;
    Ok(workspace)
}

/// Says what was found, when everything is asked for.
fn tell(workspace: &Workspace) {
    let Workspace { config, discover, .. } = workspace;
    let shown = |path: &Path| harmless::one_line(&path.to_string_lossy()).into_owned();
    progress::detail(|| format!("root: {}", shown(&config.root)));
    progress::detail(|| match &config.source {
        Some(source) => format!("configuration: {}", shown(source)),
        None => "configuration: none, the defaults hold".to_owned(),
    });
    let folders = discover.skip_dirs.iter().map(|folder| shown(folder));
    let left_out: Vec<String> =
        discover.exclude.iter().map(|path| harmless::one_line(path).into_owned()).chain(folders).collect();
    progress::detail(|| {
        format!("left out: {}", if left_out.is_empty() { "nothing".to_owned() } else { left_out.join(", ") })
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
