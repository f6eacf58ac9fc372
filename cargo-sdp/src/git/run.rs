//! One run of git: a subcommand comes in, what it prints goes out, whole or not at all. Nothing that a repository or a user configures
//! is started, and no answer is beyond a bound.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use tempfile::TempDir;

use super::answers;
use super::fault;
use super::{Git, GitFault};

/// How much one answer may hold, in bytes.
const MAX_ANSWER: u64 = 64 << 20;

/// How much is kept of what git says of a failure, in bytes.
const MAX_SAID: u64 = 8 << 10;

/// What the environment must not say: where the repository is, since a hook of git has these set for another folder; and what
/// else would change the answer.
const LEFT_OUT: [&str; 13] = [
    "GIT_DIR",
    "GIT_COMMON_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
    "GIT_CONFIG",
    "GIT_EXTERNAL_DIFF",
    "GIT_ATTR_SOURCE",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
];

/// What holds for each run, whatever the repository or the user configures.
const FIXED: [&str; 9] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotepath=false",
    "core.pager=cat",
    "core.splitIndex=false",
    "diff.orderFile=/dev/null",
    "diff.renameLimit=2000",
    "blame.showRoot=false",
    "blame.markIgnoredLines=false",
];

impl Git {
    /// A copy of the index in a folder of its own, and the path of the copy. `git diff` writes the times of files that were only touched
    /// into the index that it reads, whatever it is told of locks.
    pub(super) fn copied_index(&self) -> Result<(TempDir, PathBuf), GitFault> {
        let mut run = self.command("rev-parse");
        run.args(["--git-path", "index"]);
        let mut answer = self.ask(run, "finding the index")?;
        answer.pop_if(|last| *last == b'\n');
        let folder = tempfile::tempdir().map_err(GitFault::Unstarted)?;
        let copy = folder.path().join("index");
        match copy_with_its_time(&self.root.join(path_of(answer)), &copy) {
            // Without an index nothing is staged, and git takes it so.
            Err(error) if error.kind() != ErrorKind::NotFound => Err(GitFault::Unstarted(error)),
            _ => Ok((folder, copy)),
        }
    }

    /// Configuration under which none of the filters that are configured is started.
    pub(super) fn filters_off(&self) -> Result<Vec<(OsString, &'static str)>, GitFault> {
        let mut run = self.command("config");
        run.args(["--null", "--name-only", "--get-regexp", "^filter\\."]);
        let answer = self.ask_if_any(run, "reading the configuration")?.unwrap_or_default();
        let mut names = Vec::new();
        for key in answers::paths(&answer) {
            let key = std::str::from_utf8(key).map_err(|_| GitFault::Unread("the name of a configured filter"))?;
            names.extend(key.rsplit_once('.').map(|(name, _)| name));
        }
        names.sort_unstable();
        names.dedup();
        let off = [("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")];
        let keys = names.into_iter().flat_map(|name| off.map(|(key, value)| (format!("{name}.{key}").into(), value)));
        Ok(keys.collect())
    }

    /// A run of git in the root, hardened.
    pub(super) fn command(&self, subcommand: &str) -> Command {
        let mut run = Command::new("git");
        run.current_dir(&self.root).stdin(Stdio::null()).arg("--no-pager").arg("--literal-pathspecs");
        for setting in FIXED {
            run.args(["-c", setting]);
        }
        for name in LEFT_OUT {
            run.env_remove(name);
        }
        // What the environment configures stays, behind it comes what is turned off.
        let before = env::var("GIT_CONFIG_COUNT").ok().and_then(|count| count.parse::<usize>().ok()).unwrap_or(0);
        for (at, (key, value)) in (before..).zip(&self.filters) {
            run.env(format!("GIT_CONFIG_KEY_{at}"), key).env(format!("GIT_CONFIG_VALUE_{at}"), value);
        }
        if !self.filters.is_empty() {
            run.env("GIT_CONFIG_COUNT", (before + self.filters.len()).to_string());
        }
        run.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C").env("LANGUAGE", "C");
        // A missing object of a partial clone is a fault, and no reason to run what the configuration names.
        run.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
        run.arg(subcommand);
        run
    }

    /// All that a run prints.
    pub(super) fn ask(&self, run: Command, doing: &str) -> Result<Vec<u8>, GitFault> {
        match answer_of(run, doing)? {
            (answer, ended) if ended.is_fine => Ok(answer),
            (_, ended) => Err(fault::of(doing, &self.root, &ended.said)),
        }
    }

    /// The same of a run that says with 1 that there is nothing.
    pub(super) fn ask_if_any(&self, run: Command, doing: &str) -> Result<Option<Vec<u8>>, GitFault> {
        match answer_of(run, doing)? {
            (answer, ended) if ended.is_fine => Ok(Some(answer)),
            (_, ended) if ended.code == Some(1) => Ok(None),
            (_, ended) if ended.said.is_empty() => Ok(None),
            (_, ended) => Err(fault::of(doing, &self.root, &ended.said)),
        }
    }
}

/// Copies a file. git looks into the files that are as young as its index, so that the copy must not be younger.
fn copy_with_its_time(from: &Path, to: &Path) -> io::Result<()> {
    let (mut from, mut to) = (File::open(from)?, File::create(to)?);
    let modified = from.metadata()?.modified()?;
    io::copy(&mut from, &mut to)?;
    to.set_modified(modified)
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// How a run of git ended.
pub(super) struct Ended {
    pub(super) is_fine: bool,
    pub(super) code: Option<i32>,
    pub(super) said: String,
}

/// A run of git. It does not outlive this.
pub(super) struct Running {
    pub(super) child: Child,
    said: Option<thread::JoinHandle<String>>,
}

impl Running {
    pub(super) fn start(mut run: Command) -> Result<Running, GitFault> {
        run.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = run.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => GitFault::Missing,
            _ => GitFault::Unstarted(error),
        })?;
        let stderr = child.stderr.take();
        let mut running = Running { child, said: None };
        let said = thread::Builder::new().spawn(move || {
            let Some(mut stderr) = stderr else { return String::new() };
            let mut kept = Vec::new();
            let _ = stderr.by_ref().take(MAX_SAID).read_to_end(&mut kept);
            let _ = io::copy(&mut stderr, &mut io::sink());
            String::from_utf8_lossy(&kept).into_owned()
        });
        running.said = Some(said.map_err(GitFault::Unstarted)?);
        Ok(running)
    }

    pub(super) fn stdout(&mut self) -> Result<impl Read + use<>, GitFault> {
        self.child.stdout.take().ok_or(GitFault::Unread("the output of git"))
    }

    pub(super) fn end(&mut self) -> Result<Ended, GitFault> {
        let status = self.child.wait().map_err(GitFault::Unstarted)?;
        let said = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        Ok(Ended { is_fine: status.success(), code: status.code(), said })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // One that ended already is not there any more.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn answer_of(run: Command, doing: &str) -> Result<(Vec<u8>, Ended), GitFault> {
    let mut running = Running::start(run)?;
    let mut stdout = running.stdout()?.take(MAX_ANSWER + 1);
    let mut answer = Vec::new();
    stdout.read_to_end(&mut answer).map_err(GitFault::Unstarted)?;
    if answer.len() as u64 > MAX_ANSWER {
        return Err(GitFault::TooMuch(doing.to_owned()));
    }
    drop(stdout);
    Ok((answer, running.end()?))
}
