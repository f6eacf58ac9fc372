//! The file of a baseline: a path comes in, its rows go out, and the rows of a run go back into it. Roots of one run may
//! share it; then its rows open with the names of the roots.

use std::collections::{BTreeSet, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sdp_canon::{create_parents, write_atomic};
use sdp_core::files::{self, ReadError};
use sdp_core::harmless;

use super::AcceptError;
use super::names::is_row;
use crate::baseline::{Baseline, MAX_BYTES};
use crate::event::counted;
use crate::paths::shown;

/// The most lines that are read: each row is held on its own.
const MAX_LINES: usize = 500_000;

/// What opens a new baseline.
const HEAD: &str = "# Findings that are accepted as they stand; new ones are refused. `--update-baseline` writes the rows anew.\n\
                    # Comments stay with the row below them.\n";

/// The text of a baseline; none where there is no file and there may be none.
///
/// # Errors
/// [`AcceptError::Unread`].
pub fn read(path: &Path, may_be_missing: bool) -> Result<Option<String>, AcceptError> {
    let refused = |reason: String, is_missing| AcceptError::Unread { path: shown(path), reason, is_missing };
    let text = match files::read_text(path, MAX_BYTES) {
        Ok(text) => text,
        Err(ReadError::Io(error)) if error.kind() == ErrorKind::NotFound => {
            return if may_be_missing { Ok(None) } else { Err(refused(error.to_string(), true)) };
        }
        Err(error) => return Err(refused(error.to_string(), false)),
    };
    if text.lines().count() > MAX_LINES {
        return Err(refused(format!("it has more than {MAX_LINES} lines"), false));
    }
    Ok(Some(text))
}

/// Writes a baseline, whole; folders above it are made.
///
/// # Errors
/// [`AcceptError::Unwritten`].
pub fn write(path: &Path, text: &str) -> Result<(), AcceptError> {
    create_parents(path)
        .and_then(|()| write_atomic(path, text.as_bytes()))
        .map_err(|error| AcceptError::Unwritten(harmless::one_line(&error.explained()).into_owned()))
}

/// A baseline on disk.
#[derive(Debug)]
pub(super) struct File {
    /// The path, absolute.
    pub(super) path: PathBuf,
    /// What it holds.
    pub(super) baseline: Baseline,
    /// The names of the roots that share it; empty where it serves one root, whose name its rows do not hold.
    pub(super) roots: Vec<String>,
    /// What it was read from; none where there is no file yet.
    text: Option<String>,
    /// What the run makes of it, where it is written anew.
    update: Option<Mutex<Update>>,
}

/// How a run changes the rows.
#[derive(Debug, Default)]
struct Update {
    /// Whether any case was judged.
    is_due: bool,
    /// The rows that the judged cases had.
    gone: HashSet<String>,
    /// The rows that they have.
    today: BTreeSet<String>,
}

impl File {
    /// Reads a baseline. One that is written anew may be missing.
    pub(super) fn open(path: &Path, roots: Vec<String>, is_updated: bool) -> Result<Self, AcceptError> {
        let text = read(path, is_updated)?;
        Ok(File {
            path: path.to_owned(),
            baseline: text.as_deref().map(Baseline::read).unwrap_or_default(),
            roots: if roots.len() > 1 { roots } else { Vec::new() },
            text,
            update: is_updated.then(Mutex::default),
        })
    }

    /// Whether it is a baseline by its looks: not most of its rows are something else.
    pub(super) fn is_baseline(&self) -> bool {
        let (rows, others): (Vec<&str>, Vec<&str>) =
            self.baseline.rows().map(|(row, _)| row).partition(|row| is_row(row));
        others.len() <= rows.len()
    }

    /// Whether the run writes it anew.
    pub(super) fn is_updated(&self) -> bool {
        self.update.is_some()
    }

    /// Takes up what a judged case had, and what it has.
    pub(super) fn take(&self, gone: impl IntoIterator<Item = String>, today: impl IntoIterator<Item = String>) {
        if let Some(update) = &self.update {
            let mut update = update.lock().unwrap_or_else(PoisonError::into_inner);
            update.is_due = true;
            update.gone.extend(gone);
            update.today.extend(today);
        }
    }

    /// Writes it, where that is due, and says what changed.
    pub(super) fn write(&self) -> Result<Option<String>, AcceptError> {
        let Some(update) = &self.update else { return Ok(None) };
        let update = update.lock().unwrap_or_else(PoisonError::into_inner);
        if !update.is_due {
            let why = "no case that ran gave a whole answer";
            return Ok(Some(format!("{} is left as it is: {why}", shown(&self.path))));
        }
        // Another run may have written it since: its rows of other cases stay.
        let now = match files::read_text(&self.path, MAX_BYTES) {
            Ok(text) if self.text.as_deref() != Some(&text) => Some(text),
            _ => None,
        };
        let newer = now.as_deref().map(Baseline::read);
        let baseline = newer.as_ref().unwrap_or(&self.baseline);
        let kept = baseline.rows().map(|(row, _)| row).filter(|row| !update.gone.contains(*row));
        let rows: BTreeSet<String> = kept.map(str::to_owned).chain(update.today.iter().cloned()).collect();
        let text = baseline.updated(&rows, HEAD);
        let path = shown(&self.path);
        // A text that differs in its form alone is left as it is.
        let delta = baseline.delta(&rows);
        let is_repeated = baseline.rows().any(|(_, lines)| lines.len() > 1);
        if delta.is_empty() && !is_repeated && (self.text.is_some() || now.is_some()) {
            return Ok(Some(format!("{path} stays as it is ({})", counted(rows.len(), "row"))));
        }
        write(&self.path, &text)?;
        Ok(Some(format!("wrote {path} ({} added, {} removed)", counted(delta.fresh.len(), "row"), delta.stale.len())))
    }
}
