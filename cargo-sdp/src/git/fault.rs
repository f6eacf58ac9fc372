//! What keeps git from answering: its own words come in, a fault goes out that says what is the matter and what may help.

use std::io;
use std::path::{Path, PathBuf};

use sdp_core::harmless;

/// How many characters of a text of somebody else are shown.
const MAX_SHOWN: usize = 300;

/// Why git gave no answer.
#[derive(Debug)]
pub(crate) enum GitFault {
    /// There is no program `git`.
    Missing,
    /// It could not be started, or the pipes to it broke.
    Unstarted(io::Error),
    /// The root lies in no repository.
    NoRepository(PathBuf),
    /// The repository has no working tree here: it is bare, or the root is its folder `.git`.
    NoWorkTree,
    /// The repository belongs to another user.
    Dubious(PathBuf),
    /// There is no commit yet.
    Unborn,
    /// No commit has this name.
    UnknownRevision {
        /// The name as given.
        revision: String,
        /// The branch or tag that it may have meant.
        nearest: Option<String>,
        /// Whether commits are missing at the end of the history.
        is_shallow: bool,
    },
    /// Two commits without a common one.
    NoMergeBase {
        /// The one.
        one: String,
        /// The other.
        other: String,
        /// Whether commits are missing at the end of the history.
        is_shallow: bool,
    },
    /// An answer beyond all measure; what it was to answer.
    TooMuch(String),
    /// An answer that does not have the form that it should; what it is.
    Unread(&'static str),
    /// Everything else.
    Failed {
        /// What git was asked for.
        doing: String,
        /// The line in which it says what went wrong.
        said: String,
    },
}

/// The fault behind what git says.
pub(super) fn of(doing: &str, root: &Path, said: &str) -> GitFault {
    let folded = said.to_ascii_lowercase();
    if folded.contains("dubious ownership") || folded.contains("unsafe repository") {
        return GitFault::Dubious(root.to_owned());
    }
    if folded.contains("not a git repository") {
        return GitFault::NoRepository(root.to_owned());
    }
    if folded.contains("must be run in a work tree") {
        return GitFault::NoWorkTree;
    }
    let line = said.lines().find(|line| line.starts_with("fatal: ") || line.starts_with("error: "));
    let line = line.or_else(|| said.lines().next()).unwrap_or("it said nothing");
    GitFault::Failed { doing: doing.to_owned(), said: line.to_owned() }
}

impl GitFault {
    /// The line after the prefix.
    pub(crate) fn line(&self) -> String {
        let path = |path: &Path| harmless::one_line(&path.to_string_lossy()).into_owned();
        match self {
            GitFault::Missing => "git is not installed, or not on the PATH.".to_owned(),
            GitFault::Unstarted(error) => format!("git could not be run ({error})."),
            GitFault::NoRepository(root) => format!("the root \"{}\" lies in no git repository.", path(root)),
            GitFault::NoWorkTree => "the git repository has no working tree here.".to_owned(),
            GitFault::Dubious(root) => {
                format!("git does not trust the repository of \"{}\": it belongs to another user.", path(root))
            }
            GitFault::Unborn => "HEAD names no commit: the branch has none yet.".to_owned(),
            GitFault::UnknownRevision { revision, .. } if revision.is_empty() => "no commit is named \"\"".to_owned(),
            GitFault::UnknownRevision { revision, .. } => {
                format!("no commit is named {}", harmless::cut(revision, MAX_SHOWN))
            }
            GitFault::NoMergeBase { one, other, .. } => format!("{one} and {other} have no common commit."),
            GitFault::TooMuch(doing) => {
                format!("git's answer is beyond 64 MiB ({}).", harmless::cut(doing, MAX_SHOWN))
            }
            GitFault::Unread(what) => format!("{what} cannot be read."),
            GitFault::Failed { doing, said } => {
                format!("git failed: {} ({})", harmless::cut(said, MAX_SHOWN), harmless::cut(doing, MAX_SHOWN))
            }
        }
    }

    /// What may help.
    pub(crate) fn hint(&self) -> String {
        const DEEPEN: &str = "the clone is shallow, so that older commits are missing: `git fetch --unshallow`, or `fetch-depth: 0` in the checkout step of the pipeline";
        let hint = match self {
            GitFault::Missing => "install git, and see that `git --version` answers",
            GitFault::NoRepository(_) => "`--root` names a folder below a git repository; `git init` makes one",
            GitFault::NoWorkTree => "run it in a checkout, or in a worktree (`git worktree add`)",
            GitFault::Dubious(_) => {
                "`git config --global --add safe.directory PATH` trusts it, where PATH is the repository's top folder"
            }
            GitFault::Unborn => "commit once; before that there is nothing to compare with",
            GitFault::UnknownRevision { nearest: Some(nearest), .. } => {
                return format!("did you mean `{}`?", harmless::cut(nearest, MAX_SHOWN));
            }
            GitFault::UnknownRevision { is_shallow: true, .. } | GitFault::NoMergeBase { is_shallow: true, .. } => {
                DEEPEN
            }
            GitFault::UnknownRevision { .. } => {
                "a commit, a branch or a tag is needed, such as `main..HEAD`; `git log --oneline` lists some"
            }
            GitFault::NoMergeBase { .. } => "`A..B` compares the two commits themselves",
            GitFault::TooMuch(_) => "compare commits that lie nearer, or ignore the files that are not tracked",
            GitFault::Failed { said, .. } if said.contains("object name list") => {
                "`blame.ignoreRevsFile` of git's configuration names a file that is not there"
            }
            GitFault::Failed { .. } => {
                "`git status` in the root's folder shows whether git itself works there, `git fsck` whether objects are missing"
            }
            GitFault::Unstarted(_) => {
                "see that `git --version` answers; the limits on processes and memory may be too low"
            }
            GitFault::Unread(_) => "the git on the PATH answers in another form than known ones: see `git --version`",
        };
        hint.to_owned()
    }
}
