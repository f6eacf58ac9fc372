//! What `eval` reads and writes. A source or a target comes in; bytes, a whole file or what is wrong with either goes out.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use sdp_canon::{create_parents, write_atomic};
use sdp_core::harmless;
use sdp_eval::document::MOST_BYTES;
use sdp_eval::fault::{RuntimeCode, RuntimeFault};
use sdp_harness::progress;

use super::arguments::Source;
use super::render::Said;
use crate::output::Output;

/// Reads an input, at most one byte more than is allowed, so that the reader can say so.
pub(super) fn read(source: &Source, output: &mut Output) -> Result<Vec<u8>, Said> {
    let mut bytes = Vec::new();
    let most = u64::try_from(MOST_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let name = shown(source);
    let read = match source {
        Source::Stdin => {
            if io::stdin().is_terminal() {
                output.note("sdp eval: reading the contract from the terminal; --in PATH reads a file, Ctrl-D ends it");
            }
            io::stdin().take(most).read_to_end(&mut bytes)
        }
        Source::File(path) => File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)),
    };
    match read {
        Ok(count) => {
            progress::detail(|| format!("read {name}: {count} bytes"));
            Ok(bytes)
        }
        Err(error) => Err(port_failure("--in", format!("{name} could not be read ({error})"))),
    }
}

/// How messages call an input.
fn shown(source: &Source) -> String {
    match source {
        Source::Stdin => "standard input".to_owned(),
        Source::File(path) => format!("\"{}\"", harmless::one_line(&path.to_string_lossy())),
    }
}

/// A file that could not be read or written.
fn port_failure(flag: &str, detail: String) -> Said {
    RuntimeFault::new(RuntimeCode::PortFailure, flag, detail).into()
}

/// Where an answer goes.
#[derive(Debug)]
pub(super) enum Written {
    /// To stdout.
    Stdout,
    /// To this file.
    File(PathBuf),
    /// Into this folder, under the name of its kind.
    Folder(PathBuf),
}

/// Whether a path names a file and no folder: whether its text ends with `.json`, so that `x.json/` is a folder.
pub(super) fn names_a_file(path: &Path) -> bool {
    const END: &[u8] = b".json";
    let text = path.as_os_str().as_encoded_bytes();
    text.len().checked_sub(END.len()).and_then(|at| text.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(END))
}

impl Written {
    /// Where `--out` says.
    pub(super) fn of(out: Option<&Path>) -> Self {
        match out {
            None => Self::Stdout,
            Some(path) if names_a_file(path) => Self::File(path.to_owned()),
            Some(path) => Self::Folder(path.to_owned()),
        }
    }

    /// The file that an artifact of a kind goes to.
    pub(super) fn path(&self, slug: &str) -> Option<PathBuf> {
        match self {
            Self::Stdout => None,
            Self::File(path) => Some(path.clone()),
            Self::Folder(path) => Some(path.join(format!("{slug}.json"))),
        }
    }
}

/// Whether two paths lead to one file, as far as the disk says; one that does not exist yet is judged by its folder.
pub(super) fn is_one(path: &Path, input: &OsStr) -> bool {
    let resolved = |path: &Path| {
        fs::canonicalize(path).ok().or_else(|| {
            let folder = match path.parent() {
                Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
                Some(folder) => folder,
                None => return None,
            };
            Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
        })
    };
    let input = Path::new(input);
    path == input || resolved(path).is_some_and(|path| resolved(input) == Some(path)) || same_file(path, input)
}

/// Whether two names are one file on the disk, such as two hard links.
#[cfg(unix)]
fn same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |path: &Path| fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
    identity(one).is_some_and(|one| identity(other) == Some(one))
}

/// Whether stdin is read from a file of this name, as a shell may have redirected it.
#[cfg(unix)]
pub(super) fn is_stdin(path: &Path) -> bool {
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::MetadataExt as _;
    let stdin = io::stdin().as_fd().try_clone_to_owned().and_then(|own| File::from(own).metadata());
    match (stdin, fs::metadata(path)) {
        (Ok(stdin), Ok(found)) => found.is_file() && (stdin.dev(), stdin.ino()) == (found.dev(), found.ino()),
        _ => false,
    }
}

/// Whether stdin is read from a file of this name, which cannot be told here.
#[cfg(not(unix))]
pub(super) fn is_stdin(_: &Path) -> bool {
    false
}

/// Whether two names are one file on the disk; resolved paths have said what can be said here.
#[cfg(not(unix))]
fn same_file(_: &Path, _: &Path) -> bool {
    false
}

/// Writes one artifact.
pub(super) fn write(written: &Written, slug: &str, text: &str, output: &mut Output) -> Result<(), Said> {
    match written.path(slug) {
        None => {
            output.out_line(text);
            Ok(())
        }
        Some(path) => write_new(&path, &format!("{text}\n")),
    }
}

/// Writes a file whole or not at all, with the folders above it.
pub(super) fn write_new(path: &Path, text: &str) -> Result<(), Said> {
    create_parents(path)
        .and_then(|()| write_atomic(path, text.as_bytes()))
        .map_err(|error| port_failure("--out", caused(&error)))?;
    progress::detail(|| format!("wrote \"{}\"", harmless::one_line(&path.to_string_lossy())));
    Ok(())
}

/// What a fault says, with the cause that the system gave.
fn caused(error: &dyn std::error::Error) -> String {
    match error.source() {
        None => error.to_string(),
        Some(source) => format!("{error} ({source})"),
    }
}
