//! Where a run looks: `--root` and `--exclude` come in, the root with its configuration goes out, or a refusal. Every
//! command starts here, so that they cannot disagree about what belongs to a repository. It starts no process.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sdp_core::config::{self, Config, Environment, LoadError, RootRequest};
use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::{self, Extraction};
use sdp_harness::progress;

use crate::errors::Refusal;

/// The options that every command takes.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Where to look")]
pub(crate) struct CommonArgs {
    /// The folder that holds the repository's Specs [default: the nearest folder upwards with a configuration, else the
    /// cargo workspace, the git top level, the current folder]
    #[arg(long, value_name = "PATH", global = true)]
    pub(crate) root: Option<OsString>,
    /// Leave out a path below the root, with everything in it; may be repeated. Exact, not a pattern: `specs/drafts`
    #[arg(long, value_name = "PATH", global = true)]
    pub(crate) exclude: Vec<OsString>,
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
        progress::during("reading Specs", || extract::extract(self.root(), &self.discover))
    }
}

/// Judges the excludes, then the root, then reads the configuration.
pub(crate) fn load(common: &CommonArgs) -> Result<Workspace, Refusal> {
    let given = common.exclude.iter().map(checked_exclude).collect::<Result<Vec<_>, _>>()?;
    let cwd = env::current_dir().map_err(Refusal::NoCurrentFolder)?;
    if common.root.as_deref().is_some_and(|root| root.to_string_lossy().trim().is_empty()) {
        return Err(Refusal::MissingValue { flag: "--root", wants: "a path" });
    }
    let request = RootRequest { root: common.root.as_deref().map(Path::new), cwd: &cwd };
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
    Ok(Workspace { config, discover, cwd })
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
