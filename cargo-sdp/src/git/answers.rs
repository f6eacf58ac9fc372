//! What git prints, read: bytes come in, changes, sizes and authors of lines go out. Any bytes may come; what does not have
//! git's form gives nothing.

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// It is new.
    Added,
    /// It is new and git does not track it.
    Untracked,
    /// It holds something else.
    Modified,
    /// It has another name.
    Renamed,
    /// It is gone.
    Deleted,
    /// It is in conflict.
    Unmerged,
}

impl Status {
    /// The word for it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Status::Added => "added",
            Status::Untracked => "untracked",
            Status::Modified => "modified",
            Status::Renamed => "renamed",
            Status::Deleted => "deleted",
            Status::Unmerged => "unmerged",
        }
    }
}

/// A path of git's, seen from the root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    /// Below the root, root-relative.
    Inside(String),
    /// Elsewhere, from git's top level.
    Outside(String),
}

impl Side {
    /// A path from git's top level. Bytes that are no text are replaced: the graph knows no such file.
    pub(super) fn of(path: &[u8], prefix: &[u8]) -> Side {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes.strip_suffix(b"/").unwrap_or(bytes)).into_owned();
        match path.strip_prefix(prefix) {
            Some(path) => Side::Inside(text(path)),
            None => Side::Outside(text(path)),
        }
    }

    /// The path, where it lies below the root.
    pub(crate) fn inside(&self) -> Option<&str> {
        match self {
            Side::Inside(path) => Some(path),
            Side::Outside(_) => None,
        }
    }
}

/// One changed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// What happened.
    pub(crate) status: Status,
    /// Its name, or the last one that it had.
    pub(crate) path: Side,
    /// The name that it had before, where that was another.
    pub(crate) from: Option<Side>,
    /// The blob that it was, where it was a regular file.
    pub(crate) old: Option<String>,
}

impl Change {
    /// A file that git does not track.
    pub(super) fn untracked(path: Side) -> Change {
        Change { status: Status::Untracked, path, from: None, old: None }
    }

    /// The name that it had before.
    pub(crate) fn old_path(&self) -> &Side {
        self.from.as_ref().unwrap_or(&self.path)
    }
}

/// Reads `git diff --raw -z`.
pub(super) fn changes(answer: &[u8], prefix: &[u8]) -> Option<Vec<Change>> {
    let mut fields = paths(answer);
    let mut changes = Vec::new();
    while let Some(head) = fields.next() {
        let head = std::str::from_utf8(head.strip_prefix(b":")?).ok()?;
        let mut words = head.split(' ');
        let (old_mode, _, old_blob, _, status) =
            (words.next()?, words.next()?, words.next()?, words.next()?, words.next()?);
        let first = Side::of(fields.next()?, prefix);
        let is_file = matches!(old_mode, "100644" | "100755" | "100664");
        let old = object(old_blob.as_bytes()).filter(|_| is_file);
        let (status, path, from) = match status.bytes().next()? {
            b'R' => (Status::Renamed, Side::of(fields.next()?, prefix), Some(first)),
            b'C' => (Status::Added, Side::of(fields.next()?, prefix), None),
            b'A' => (Status::Added, first, None),
            b'D' => (Status::Deleted, first, None),
            b'U' => (Status::Unmerged, first, None),
            _ => (Status::Modified, first, None),
        };
        changes.push(Change { status, path, from, old });
    }
    Some(changes)
}

/// Sorts changes by name and leaves one of each: git lists a file in conflict twice, and one that was removed from its index
/// alone is deleted and untracked at once.
pub(super) fn settle(changes: &mut Vec<Change>) {
    // Of two rows of a file the one that knows its old blob says more.
    changes
        .sort_by(|left, right| left.path.cmp(&right.path).then_with(|| left.old.is_none().cmp(&right.old.is_none())));
    let mut settled: Vec<Change> = Vec::with_capacity(changes.len());
    for change in changes.drain(..) {
        match settled.last_mut().filter(|last| last.path == change.path) {
            Some(last) if last.status == Status::Deleted && change.status == Status::Untracked => {
                last.status = Status::Modified;
            }
            Some(last) if change.status == Status::Unmerged => last.status = Status::Unmerged,
            Some(_) => {}
            None => settled.push(change),
        }
    }
    *changes = settled;
}

/// The parts of a list that ends each with a NUL.
pub(super) fn paths(answer: &[u8]) -> impl Iterator<Item = &[u8]> {
    answer.split(|byte| *byte == 0).filter(|path| !path.is_empty())
}

/// The name of an object; not the one of nothing.
pub(super) fn object(answer: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(answer).ok()?.trim_end_matches('\n');
    let is_name = matches!(name.len(), 40 | 64) && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_name && name.bytes().any(|byte| byte != b'0')).then(|| name.to_owned())
}

/// The size that a line of `git cat-file --batch` announces; none where the object is missing.
pub(super) fn blob_size(head: &[u8]) -> Option<u64> {
    let head = std::str::from_utf8(head).ok()?.trim_end_matches('\n');
    let (_, size) = head.split_once(' ')?.1.split_once(' ')?;
    size.parse().ok()
}

/// Lines as ranges of neighbours.
pub(super) fn ranges(lines: &[u32]) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for line in lines {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*line) || *last == *line => *last = *line,
            _ => ranges.push((*line, *line)),
        }
    }
    ranges
}

/// Who wrote a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Authored {
    /// It is in no commit yet.
    NotYet,
    /// A commit did.
    In {
        /// Its whole name.
        commit: String,
        /// The seconds since 1970 of its author's date, where git knows any.
        seconds: Option<u64>,
        /// Whether the clone ends there, so that the line may be older.
        is_cut: bool,
    },
}

/// Reads `git blame --porcelain`: each line with who wrote it.
pub(super) fn authors(answer: &[u8], is_shallow: bool) -> Option<Vec<(u32, Authored)>> {
    use std::collections::HashMap;
    // What is known of a commit stands with its first line only.
    let mut known: HashMap<String, (Option<u64>, bool)> = HashMap::new();
    let mut found = Vec::new();
    let mut lines = answer.split(|byte| *byte == b'\n').peekable();
    while let Some(head) = lines.next() {
        if head.is_empty() && lines.peek().is_none() {
            break;
        }
        let mut words = std::str::from_utf8(head).ok()?.split(' ');
        let commit = words.next()?;
        let line: u32 = words.nth(1)?.parse().ok()?;
        let (mut seconds, mut is_boundary) = (None, false);
        loop {
            let detail = lines.next()?;
            if detail.first() == Some(&b'\t') {
                break;
            }
            if let Some(time) = detail.strip_prefix(b"author-time ") {
                seconds = std::str::from_utf8(time).ok().and_then(|time| time.parse().ok());
            }
            is_boundary |= detail == b"boundary";
        }
        let authored = match object(commit.as_bytes()) {
            Some(commit) => {
                let (seconds, is_boundary) = *known.entry(commit.clone()).or_insert((seconds, is_boundary));
                Authored::In { commit, seconds, is_cut: is_shallow && is_boundary }
            }
            None if commit.len() >= 40 && commit.bytes().all(|byte| byte == b'0') => Authored::NotYet,
            None => return None,
        };
        found.push((line, authored));
    }
    Some(found)
}
