//! git, asked for facts: a root and revisions come in; changed files, old blobs and the commits of lines go out, or a typed
//! fault. It is the only place that starts `git`, and nothing that a repository configures is started by it: no hook, no
//! monitor, no pager, no driver of diffs, no filter, no transport. git writes nothing here.

mod answers;
mod fault;
mod run;
#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use sdp_core::suggest::first_nearest;

pub(crate) use self::answers::{Authored, Change, Side, Status};
pub(crate) use self::fault::GitFault;
use self::run::Running;

/// How many ranges of lines one call names; beyond it the whole file is asked for.
const MAX_RANGES: usize = 256;

/// How many names of branches and tags are looked at for one that was meant.
const MAX_NAMES: &str = "--count=5000";

/// A commit, by its whole name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Commit(String);

impl Commit {
    /// Its whole name.
    pub(crate) fn name(&self) -> &str {
        &self.0
    }

    /// The part of its name that is shown to people.
    pub(crate) fn short(&self) -> &str {
        self.0.get(..12).unwrap_or(&self.0)
    }
}

/// The repository that a root lies in.
#[derive(Debug)]
pub(crate) struct Git {
    root: PathBuf,
    /// git's top level, as a path from the root.
    top: PathBuf,
    /// The root as git calls it from the top level: empty, or with a `/` at its end.
    prefix: Vec<u8>,
    is_shallow: bool,
    /// The configuration that keeps the repository's filters from being started.
    filters: Vec<(OsString, &'static str)>,
}

impl Git {
    /// Finds the repository of a root.
    pub(crate) fn open(root: &Path) -> Result<Git, GitFault> {
        let mut git = Git {
            root: root.to_owned(),
            top: root.to_owned(),
            prefix: Vec::new(),
            is_shallow: false,
            filters: Vec::new(),
        };
        let asked = ["--is-inside-work-tree", "--is-shallow-repository", "--show-cdup", "--show-prefix"];
        let mut run = git.command("rev-parse");
        run.args(asked);
        let answer = git.ask(run, "finding the repository")?;
        // The prefix is last: it alone may hold line feeds.
        let mut lines = answer.splitn(4, |byte| *byte == b'\n');
        if lines.next() != Some(b"true") {
            return Err(GitFault::NoWorkTree);
        }
        git.is_shallow = lines.next() == Some(b"true");
        let up = lines.next().unwrap_or_default();
        git.top = root.join(String::from_utf8_lossy(up).as_ref());
        let prefix = lines.next().unwrap_or_default();
        git.prefix = prefix.strip_suffix(b"\n").unwrap_or(prefix).to_vec();
        git.filters = git.filters_off()?;
        Ok(git)
    }

    /// The commit that a revision names.
    pub(crate) fn commit(&self, revision: &str) -> Result<Commit, GitFault> {
        if let Some(commit) = self.commit_if_any(revision)? {
            return Ok(commit);
        }
        let head = self.commit_if_any("HEAD")?.map(|_| "HEAD");
        if head.is_none() && matches!(revision, "HEAD" | "@") {
            return Err(GitFault::Unborn);
        }
        let is_name = !revision.contains(['~', '^', ':', '@', '{']);
        let mut run = self.command("for-each-ref");
        run.args([MAX_NAMES, "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes"]);
        let names = self.ask(run, "listing branches")?;
        let names = String::from_utf8_lossy(&names);
        // A checkout of a pipeline has other branches under the name of their remote only.
        let of_remote = names.lines().find(|name| name.strip_suffix(revision).is_some_and(|rest| rest.ends_with('/')));
        let nearest = || first_nearest(revision, head.into_iter().chain(names.lines()), 2);
        let nearest = of_remote.or_else(nearest).filter(|_| is_name && !revision.is_empty());
        let nearest = nearest.map(str::to_owned);
        Err(GitFault::UnknownRevision { revision: revision.to_owned(), nearest, is_shallow: self.is_shallow })
    }

    /// The commit that is checked out; none before the first.
    pub(crate) fn head(&self) -> Result<Option<Commit>, GitFault> {
        self.commit_if_any("HEAD")
    }

    fn commit_if_any(&self, revision: &str) -> Result<Option<Commit>, GitFault> {
        // git takes no name with this character, and neither does a process.
        if revision.contains('\0') {
            return Ok(None);
        }
        // All that follows `:/` is what the commit's message is to hold.
        let suffix = if revision.starts_with(":/") { "" } else { "^{commit}" };
        let mut run = self.command("rev-parse");
        run.args(["--verify", "--quiet", "--end-of-options"]).arg(format!("{revision}{suffix}"));
        Ok(self.ask_if_any(run, "reading a revision")?.as_deref().and_then(answers::object).map(Commit))
    }

    /// The commit from which two parted.
    pub(crate) fn merge_base(&self, one: &Commit, other: &Commit) -> Result<Commit, GitFault> {
        let mut run = self.command("merge-base");
        run.args([one.name(), other.name()]);
        let answer = self.ask_if_any(run, "looking for the merge base")?;
        let base = answer.as_deref().and_then(|answer| answers::object(answer.split(|byte| *byte == b'\n').next()?));
        base.map(Commit).ok_or_else(|| GitFault::NoMergeBase {
            one: one.short().to_owned(),
            other: other.short().to_owned(),
            is_shallow: self.is_shallow,
        })
    }

    /// The files that differ between two commits, or between a commit and the working tree with its index: those that are
    /// not tracked and that no ignore rule names are among them then. Renames are found.
    pub(crate) fn changes(&self, from: &Commit, to: Option<&Commit>) -> Result<Vec<Change>, GitFault> {
        let mut run = self.command("diff");
        // What is new inside a submodule is its own affair, and asking would run git there.
        run.args(["--raw", "-z", "--no-abbrev", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative"]);
        run.args(["--find-renames", "--ignore-submodules=dirty", from.name()]);
        run.args(to.map(Commit::name)).arg("--").current_dir(&self.top);
        // It stays until git has ended.
        let index = if to.is_none() { Some(self.copied_index()?) } else { None };
        run.envs(index.iter().map(|(_, copy)| ("GIT_INDEX_FILE", copy)));
        let answer = self.ask(run, "comparing files")?;
        let mut changes = answers::changes(&answer, &self.prefix).ok_or(GitFault::Unread("git diff --raw"))?;
        if to.is_none() {
            let mut run = self.command("ls-files");
            run.args(["--others", "--exclude-standard", "-z"]).current_dir(&self.top);
            let answer = self.ask(run, "listing files that are not tracked")?;
            changes.extend(answers::paths(&answer).map(|path| Change::untracked(Side::of(path, &self.prefix))));
        }
        answers::settle(&mut changes);
        Ok(changes)
    }

    /// Hands each blob with at most so many bytes on; a greater one, and one that is not there, is handed on as none.
    pub(crate) fn blobs<T>(
        &self,
        wanted: &[(T, &str)],
        most: usize,
        mut take: impl FnMut(&T, Option<Vec<u8>>),
    ) -> Result<(), GitFault> {
        const DOING: &str = "reading files of a commit";
        if wanted.is_empty() {
            return Ok(());
        }
        let mut run = self.command("cat-file");
        run.arg("--batch").stdin(Stdio::piped());
        let mut running = Running::start(run)?;
        let names: String = wanted.iter().map(|(_, name)| format!("{name}\n")).collect();
        let stdin = running.child.stdin.take();
        let writer = thread::Builder::new().spawn(move || {
            // A git that ended early closed the pipe; that it did is seen below.
            stdin.map(|mut stdin| stdin.write_all(names.as_bytes()))
        });
        writer.map_err(GitFault::Unstarted)?;
        let mut answer = BufReader::new(running.stdout()?);
        for (what, _) in wanted {
            let mut head = Vec::new();
            let read = answer.by_ref().take(1_000).read_until(b'\n', &mut head);
            if read.is_err() || head.last() != Some(&b'\n') {
                return Err(running.end().err().unwrap_or(GitFault::Unread("git cat-file --batch")));
            }
            let Some(size) = answers::blob_size(&head) else {
                take(what, None);
                continue;
            };
            let mut content = answer.by_ref().take(size.saturating_add(1));
            let blob = if usize::try_from(size).is_ok_and(|size| size <= most) {
                let mut bytes = Vec::new();
                content.read_to_end(&mut bytes).map_err(GitFault::Unstarted)?;
                bytes.pop();
                Some(bytes)
            } else {
                std::io::copy(&mut content, &mut std::io::sink()).map_err(GitFault::Unstarted)?;
                None
            };
            take(what, blob);
        }
        drop(answer);
        match running.end()? {
            ended if ended.is_fine => Ok(()),
            ended => Err(fault::of(DOING, &self.root, &ended.said)),
        }
    }

    /// The files below the root that git tracks, root-relative.
    pub(crate) fn tracked(&self) -> Result<Vec<String>, GitFault> {
        let mut run = self.command("ls-files");
        run.args(["--cached", "-z"]);
        let answer = self.ask(run, "listing tracked files")?;
        Ok(answers::paths(&answer).filter_map(|path| String::from_utf8(path.to_vec()).ok()).collect())
    }

    /// Who wrote the lines of files as they stand in the working tree, file by file in the order in which they were asked for.
    /// Each is root-relative and tracked, its lines are sorted.
    pub(crate) fn authors(&self, files: &[(&str, Vec<u32>)]) -> Result<Vec<Vec<(u32, Authored)>>, GitFault> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(vec![Vec::new(); files.len()]);
        let failed: Mutex<Option<GitFault>> = Mutex::new(None);
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some((path, lines)) = files.get(at) else { break };
                match self.authors_in(path, lines) {
                    Ok(found) => {
                        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                        if let Some(place) = done.get_mut(at) {
                            *place = found;
                        }
                    }
                    Err(fault) => {
                        next.store(files.len(), Ordering::Relaxed);
                        *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
                    }
                }
            }
        };
        thread::scope(|scope| {
            let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(8);
            for _ in 1..threads.min(files.len()) {
                // Where the system gives no thread, this one does the work.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(fault) => Err(fault),
            None => Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    fn authors_in(&self, path: &str, lines: &[u32]) -> Result<Vec<(u32, Authored)>, GitFault> {
        let mut run = self.command("blame");
        // A clone's own list of commits to pass over would change the answer.
        run.args(["--porcelain", "--no-textconv", "--ignore-revs-file="]);
        let ranges = answers::ranges(lines);
        if ranges.len() <= MAX_RANGES {
            run.args(ranges.iter().map(|(first, last)| format!("-L{first},{last}")));
        }
        run.arg("--").arg(path);
        let answer = self.ask(run, &format!("asking who wrote {path}"))?;
        let mut found = answers::authors(&answer, self.is_shallow).ok_or(GitFault::Unread("git blame --porcelain"))?;
        found.retain(|(line, _)| lines.binary_search(line).is_ok());
        Ok(found)
    }
}

/// A revision of the command line as text; git takes bytes, the report does not.
pub(crate) fn text_of(revision: &OsStr) -> Result<&str, GitFault> {
    revision.to_str().ok_or_else(|| GitFault::UnknownRevision {
        revision: revision.to_string_lossy().into_owned(),
        nearest: None,
        is_shallow: false,
    })
}
