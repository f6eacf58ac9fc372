//! The cache of the extraction: a root with its options comes in, the extraction goes out, as fresh as one that was made anew. A test runner
//! starts one process for each case; this keeps all but the first from reading every file.
//!
//! The tree is walked each time. What else decides is the content of the files that the walk found, so each of them is looked at: one whose
//! size, times and inode are those of the time when it was read is taken as unchanged, any other is read and its digest compared. A file that
//! had changed within two seconds before it was looked at may change again without a trace, and is told by its digest only. Where the system
//! keeps neither inodes nor the time of the last change of any kind (that is, not on Unix), an edit that keeps size and time goes unseen.
//!
//! Whatever is wrong with the cache is no failure: the extraction is made anew, and `--verbose` says why.

mod content;
mod entry;
mod folder;
mod key;
mod sum;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::time::SystemTime;

use sdp_core::discover::{self, DiscoverOptions, Discovery};
use sdp_core::extract::{Extraction, extract, extract_found};
use sdp_core::harmless;
use sdp_core::space::judged_examples;

pub use self::folder::CacheFolder;

use self::content::{Content, Holds};
use self::entry::{Stamp, Watch};
use self::key::Key;
use crate::progress;

/// How many characters of a reason are shown.
const SHOWN: usize = 300;

/// From how many files on that had to be read, and need not be any more, a cache is written again.
const REFRESHED_FROM: usize = 64;

/// Why there is no cached extraction, or why none was kept: the end of a sentence.
type Reason = String;

/// The environment variable that turns the cache off.
pub const NO_CACHE: &str = "SDP_NO_CACHE";

/// Whether the value of [`NO_CACHE`] turns the cache off: any does but an empty one and `0`.
#[must_use]
pub fn is_turned_off(value: Option<&std::ffi::OsStr>) -> bool {
    value.is_some_and(|value| !value.is_empty() && value != "0")
}

/// Where an extraction came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From the cache, for which so many files were looked at and so many of them read.
    Cache {
        /// How many files the extraction depends on.
        files: usize,
        /// How many of them had to be read.
        read: usize,
    },
    /// It was made anew.
    Anew {
        /// Why, as the end of a sentence.
        reason: String,
        /// Whether it is kept now, or why not.
        kept: Result<(), String>,
    },
}

/// The extraction of a root, from the cache where it holds; with no folder there is no cache. Where it came from is said when everything is
/// asked for.
#[must_use]
#[sdp::satisfies("spec:sdp.cache", component = "component:sdp.harness")]
pub fn extraction(root: &Path, options: &DiscoverOptions, folder: Option<&CacheFolder>) -> Extraction {
    let Some(folder) = folder else { return extract(root, options) };
    let (extraction, origin) = find(root, options, folder, SystemTime::now());
    match origin {
        Origin::Cache { files, read } => {
            progress::detail(|| format!("graph: from the cache ({files} files, of which {read} were read)"));
        }
        Origin::Anew { reason, kept } => {
            progress::detail(|| format!("graph: derived anew: {}", shown(&reason)));
            if let Err(reason) = kept {
                progress::detail(|| format!("graph: not kept: {}", shown(&reason)));
            }
        }
    }
    extraction
}

fn shown(text: &str) -> String {
    harmless::one_line(&harmless::shown(text, SHOWN)).into_owned()
}

/// The same with the time of the run, and with where the extraction came from.
#[must_use]
pub fn find(root: &Path, options: &DiscoverOptions, folder: &CacheFolder, now: SystemTime) -> (Extraction, Origin) {
    let discovery = discover::walk(root, options);
    let key = match Key::of(root, options) {
        Ok(key) => key,
        Err(reason) => {
            let kept = Err(reason.clone());
            return (extract_found(root, options, discovery), Origin::Anew { reason, kept });
        }
    };
    match loaded(folder, &key, root, &discovery, now) {
        Ok(found) => found,
        Err(reason) => {
            let (extraction, kept) = made(folder, &key, root, options, discovery, now);
            (extraction, Origin::Anew { reason, kept })
        }
    }
}

/// What the cache holds, where it holds still.
fn loaded(
    folder: &CacheFolder,
    key: &Key,
    root: &Path,
    discovery: &Discovery,
    now: SystemTime,
) -> Result<(Extraction, Origin), Reason> {
    let bytes = folder.read(key)?;
    let content = Content::read(&bytes, key).ok_or("the cache is damaged")?;
    let Holds { files, read, settled } = content.holds(root, discovery, now)?;
    let extraction = Extraction::from_bytes(root, content.payload).map_err(|_| "the cache is damaged")?;
    let extraction = extraction.judged(content.judged.iter().map(|judged| *judged != 0).collect());
    if settled >= REFRESHED_FROM
        && let Some(bytes) = content.renewed(root, now)
    {
        // What could not be written is tried again by the next run.
        let _ = folder.write(key, &bytes);
    }
    Ok((extraction, Origin::Cache { files, read }))
}

/// Extracts, and keeps what was extracted where nothing changed meanwhile.
fn made(
    folder: &CacheFolder,
    key: &Key,
    root: &Path,
    options: &DiscoverOptions,
    discovery: Discovery,
    now: SystemTime,
) -> (Extraction, Result<(), Reason>) {
    let watch = Watch::start(root, &discovery, now);
    let walked = content::walked(&discovery);
    let extraction = extract_found(root, options, discovery);
    let bytes = || {
        let watch = watch?;
        let entries = watch.finish(root)?;
        let payload = extraction.to_bytes().ok_or("it is weighed")?;
        let judged: Vec<u8> = judged_examples(&extraction.graph).into_iter().map(u8::from).collect();
        Ok(content::bytes(key, &walked, &entries, &judged, &payload))
    };
    let kept = bytes().and_then(|bytes| folder.write(key, &bytes));
    (extraction, kept)
}
