//! The text of one carrier: a discovered file comes in, its text goes out, or the finding that says why not. It opens
//! regular files only and holds little more than what a carrier may have.

use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

use super::CarrierFile;
use super::excludes::in_root;
use super::tree::unreadable;
use crate::finding::{Finding, FindingId};

/// The most that a carrier may hold, in bytes (fact sheet part 3.1).
pub const MAX_CARRIER_BYTES: usize = 256 * 1024;

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
pub fn read_text(root: &Path, file: &CarrierFile) -> Result<String, Finding> {
    let bytes = read(&in_root(root, &file.path)).map_err(|error| unreadable(&file.path, &error))?;
    if bytes.len() > MAX_CARRIER_BYTES {
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    String::from_utf8(bytes).map_err(|error| not_utf8(&file.path, &error))
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let irregular = || Error::new(ErrorKind::InvalidInput, "not a regular file");
    // Before opening, because opening a pipe waits for its other end; and after, because the path may have changed.
    let size = match path.symlink_metadata()? {
        metadata if metadata.is_file() => metadata.len(),
        _ => return Err(irregular()),
    };
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(irregular());
    }
    let limit = MAX_CARRIER_BYTES as u64 + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(size.min(limit)).unwrap_or(0) + 1);
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn not_utf8(path: &str, error: &std::string::FromUtf8Error) -> Finding {
    let bytes = error.as_bytes();
    let before = bytes.get(..error.utf8_error().valid_up_to()).unwrap_or(bytes);
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    // Bytes that continue a character are not counted.
    let column = before.iter().skip(line_start).filter(|&&byte| byte & 0xC0 != 0x80).count() + 1;
    let byte = bytes.get(before.len()).copied().unwrap_or_default();
    let message = format!("the carrier is not UTF-8: the byte 0x{byte:02X} is no character");
    let mut finding = Finding::error(FindingId::NotUtf8, message).at(path, u32::try_from(line).unwrap_or(u32::MAX));
    finding.column = u32::try_from(column).ok();
    finding
}
