//! The text of one carrier: a discovered file comes in, its text goes out, or the finding that says why not. It opens
//! regular files only and holds little more than what a carrier may have.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::path::Path;
use std::str::Utf8Error;

use super::CarrierFile;
use super::excludes::in_root;
use super::tree::unreadable;
use crate::anchor::MAX_SOURCE_BYTES;
use crate::carrier::MAX_CARRIER_BYTES;
use crate::finding::{Finding, FindingId};

/// Reads carriers one after the other into one place: the text of one is gone when the next is read.
#[derive(Debug, Default)]
pub struct CarrierTexts {
    bytes: Vec<u8>,
}

impl CarrierTexts {
    /// Reads a carrier below a root.
    ///
    /// Of a carrier with more than [`MAX_CARRIER_BYTES`] no more than its beginning is given: more bytes than that, so that
    /// its reader sees the excess and refuses it; bytes that are not UTF-8 are replaced then.
    ///
    /// # Errors
    ///
    /// `sdp/unreadable-carrier` when the file is gone, no longer a regular file, or cannot be read; `sdp/not-utf8` at the
    /// line and column of the first bad byte.
    #[expect(
        clippy::result_large_err,
        reason = "made once for a carrier that is refused, and moved into a list of findings"
    )]
    pub fn read(&mut self, root: &Path, file: &CarrierFile) -> Result<Cow<'_, str>, Finding> {
        read(&in_root(root, &file.path), MAX_CARRIER_BYTES, &mut self.bytes)
            .map_err(|error| unreadable(&file.path, &error))?;
        if self.bytes.len() > MAX_CARRIER_BYTES {
            return Ok(String::from_utf8_lossy(&self.bytes));
        }
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(error) => Err(not_utf8(&file.path, "the carrier", &self.bytes, error)),
        }
    }
}

/// Reads source files one after the other into one place, as [`CarrierTexts`] reads carriers.
#[derive(Debug, Default)]
pub struct SourceTexts {
    bytes: Vec<u8>,
}

/// What a source file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceText<'t> {
    /// All of it.
    Whole(&'t [u8]),
    /// Its beginning: it holds more than [`MAX_SOURCE_BYTES`].
    Beginning(&'t [u8]),
}

impl SourceTexts {
    /// Reads a source file below a root, by its root-relative path.
    ///
    /// # Errors
    /// `sdp/unreadable-source` when it is gone, no longer a regular file, or cannot be read.
    #[expect(
        clippy::result_large_err,
        reason = "made once for a file that cannot be read, and moved into a list of findings"
    )]
    pub fn read(&mut self, root: &Path, path: &str) -> Result<SourceText<'_>, Finding> {
        match read(&in_root(root, path), MAX_SOURCE_BYTES, &mut self.bytes) {
            Ok(()) if self.bytes.len() > MAX_SOURCE_BYTES => Ok(SourceText::Beginning(&self.bytes)),
            Ok(()) => Ok(SourceText::Whole(&self.bytes)),
            Err(error) => Err(unreadable_source(path, &error)),
        }
    }
}

/// How many bytes of a file are searched at once, and how many of them again with the next ones: more than any marker has.
const PIECE: usize = 1024 * 1024;
const OVERLAP: usize = 256;

/// The most of a file that is searched, in bytes.
pub(crate) const MAX_SEARCHED: u64 = 1024 * 1024 * 1024;

/// What a search to the end of a file gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Searched {
    /// Some piece of it is what was sought.
    Found,
    /// None is.
    NotFound,
    /// None of its first [`MAX_SEARCHED`] bytes is, and it holds more.
    TooLong,
}

/// Searches a file in pieces, which overlap. A link is followed, and only a regular file is opened.
///
/// # Errors
/// When it is gone, no regular file, or cannot be read.
pub(crate) fn search(path: &Path, is_sought: impl Fn(&[u8]) -> bool) -> std::io::Result<Searched> {
    if !path.metadata()?.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    let (mut piece, mut all) = (Vec::with_capacity(PIECE + OVERLAP), 0);
    loop {
        let read = file.by_ref().take(PIECE as u64).read_to_end(&mut piece)?;
        if is_sought(&piece) {
            return Ok(Searched::Found);
        }
        if read == 0 {
            return Ok(Searched::NotFound);
        }
        all += read as u64;
        if all > MAX_SEARCHED {
            return Ok(Searched::TooLong);
        }
        piece.drain(..piece.len().saturating_sub(OVERLAP));
    }
}

fn read(path: &Path, limit: usize, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    let irregular = || Error::new(ErrorKind::InvalidInput, "not a regular file");
    // Before opening, because opening a pipe waits for its other end; and after, because the path may have changed.
    if !path.symlink_metadata()?.is_file() {
        return Err(irregular());
    }
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(irregular());
    }
    bytes.clear();
    file.take(limit as u64 + 1).read_to_end(bytes)?;
    Ok(())
}

/// The finding about a source file that cannot be read.
pub(crate) fn unreadable_source(path: &str, error: &Error) -> Finding {
    let message = format!("the file cannot be read: {}", error.kind());
    Finding::error(FindingId::UnreadableSource, message).at(path, None)
}

/// The finding about a file that is not UTF-8, at its first bad byte; `what` the file is, with its article.
pub(crate) fn not_utf8(path: &str, what: &str, bytes: &[u8], error: Utf8Error) -> Finding {
    let before = bytes.get(..error.valid_up_to()).unwrap_or(bytes);
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    // Bytes that continue a character are not counted.
    let column = before.iter().skip(line_start).filter(|&&byte| byte & 0xC0 != 0x80).count() + 1;
    let byte = bytes.get(before.len()).copied().unwrap_or_default();
    let message = format!("{what} is not UTF-8: the byte 0x{byte:02X} is no character");
    let mut finding = Finding::error(FindingId::NotUtf8, message).at(path, u32::try_from(line).unwrap_or(u32::MAX));
    finding.column = u32::try_from(column).ok();
    finding
}

/// The finding about a carrier whose path is not UTF-8, without its place.
pub(crate) fn path_not_utf8() -> Finding {
    Finding::error(FindingId::NotUtf8, "the carrier's path is not UTF-8, so it is not read")
        .with_help("rename the file or its folder, so that the path is UTF-8")
}
