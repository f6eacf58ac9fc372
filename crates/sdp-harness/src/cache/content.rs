//! The content of a cache's file: the key, the findings of the walk, the files with their stamps and digests, what was judged of the nodes, the extraction, and a checksum
//! over all of it. Bytes come in, their parts go out, or nothing where they are damaged.

use std::path::Path;
use std::time::SystemTime;

use rayon::prelude::*;
use sdp_canon::Digest;
use sdp_core::discover::Discovery;
use sdp_core::extract::findings_to_bytes;

use super::Reason;
use super::entry::{Entry, Kind, Same, Stamp, files};
use super::key::Key;
use super::sum::sum;

/// What opens the file.
const MAGIC: &[u8; 16] = b"cargo-sdp cache\n";

/// A cache as its file has it.
pub(super) struct Content<'b> {
    /// All bytes but the checksum.
    head: &'b [u8],
    walked: &'b [u8],
    entries: Vec<Entry<'b>>,
    /// What was judged of the nodes, a byte for each.
    pub(super) judged: &'b [u8],
    /// The bytes of the extraction.
    pub(super) payload: &'b [u8],
}

/// How it is known that a cache holds still.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Holds {
    /// How many files were looked at.
    pub(super) files: usize,
    /// How many of them had to be read.
    pub(super) read: usize,
    /// How many of those need not be read next time, with the stamps that they have now.
    pub(super) settled: usize,
}

impl<'b> Content<'b> {
    /// Reads the file of a key; none where it is not whole.
    pub(super) fn read(bytes: &'b [u8], key: &Key) -> Option<Content<'b>> {
        let (head, stated) = bytes.split_last_chunk::<8>()?;
        if sum(head) != u64::from_le_bytes(*stated) {
            return None;
        }
        let mut rest = Rest(head);
        if rest.take(MAGIC.len())? != MAGIC || rest.take(key.bytes().len())? != key.bytes() {
            return None;
        }
        let walked = rest.part()?;
        let mut list = Rest(rest.part()?);
        let mut entries = Vec::new();
        while !list.0.is_empty() {
            entries.push(list.entry()?);
        }
        let (judged, payload) = (rest.part()?, rest.part()?);
        rest.0.is_empty().then_some(Content { head, walked, entries, judged, payload })
    }

    /// Whether the extraction would come out the same now.
    pub(super) fn holds(&self, root: &Path, discovery: &Discovery, now: SystemTime) -> Result<Holds, Reason> {
        let found = files(discovery);
        let known = self.entries.iter().map(|entry| (entry.kind, entry.path));
        if let Some((found, _)) = found.iter().zip(known).find(|(found, known)| *found != known) {
            return Err(format!("the files that are read are others from {} on", found.1));
        }
        if found.len() != self.entries.len() {
            return Err("the files that are read are others".to_owned());
        }
        if walked(discovery) != self.walked {
            return Err("the walk has other findings".to_owned());
        }
        let judged = self.entries.par_iter().map(|entry| match entry.is_same(root, now) {
            Same::Untouched => Ok(Holds { files: 1, ..Holds::default() }),
            Same::Read(entry) => Ok(Holds { files: 1, read: 1, settled: usize::from(!entry.is_racy) }),
            Same::No => Err(format!("{} changed", entry.path)),
        });
        judged.try_reduce(Holds::default, |one, other| {
            Ok(Holds {
                files: one.files + other.files,
                read: one.read + other.read,
                settled: one.settled + other.settled,
            })
        })
    }

    /// The same content with the stamps that the files have now; none where one of them has changed.
    pub(super) fn renewed(&self, root: &Path, now: SystemTime) -> Option<Vec<u8>> {
        let entries = self.entries.par_iter().map(|entry| match entry.is_same(root, now) {
            Same::Untouched => Some(*entry),
            Same::Read(entry) => Some(entry),
            Same::No => None,
        });
        let entries = entries.collect::<Option<Vec<_>>>()?;
        let key = self.head.get(MAGIC.len()..MAGIC.len() + 32)?;
        Some(assembled(key, self.walked, &entries, self.judged, self.payload))
    }
}

/// What a walk says, as bytes.
pub(super) fn walked(discovery: &Discovery) -> Vec<u8> {
    [&discovery.findings, &discovery.refused_contracts].map(|findings| findings_to_bytes(findings)).concat()
}

/// The bytes of a cache.
pub(super) fn bytes(key: &Key, walked: &[u8], entries: &[Entry<'_>], judged: &[u8], payload: &[u8]) -> Vec<u8> {
    assembled(key.bytes(), walked, entries, judged, payload)
}

fn assembled(key: &[u8], walked: &[u8], entries: &[Entry<'_>], judged: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut list = Vec::new();
    for entry in entries {
        store(entry, &mut list);
    }
    let mut bytes = Vec::with_capacity(payload.len() + judged.len() + list.len() + walked.len() + 128);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(key);
    for part in [walked, &list, judged, payload] {
        store_length(part.len(), &mut bytes);
        bytes.extend_from_slice(part);
    }
    let sum = sum(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

fn store_length(length: usize, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&u64::try_from(length).unwrap_or(u64::MAX).to_le_bytes());
}

fn store(entry: &Entry<'_>, bytes: &mut Vec<u8>) {
    let Entry { kind, path, stamp, is_racy, digest } = entry;
    let Stamp { size, modified, changed, device, inode, mode } = stamp;
    bytes.push(*kind as u8);
    bytes.push(u8::from(*is_racy));
    bytes.extend_from_slice(&size.to_le_bytes());
    for (seconds, nanoseconds) in [modified, changed] {
        bytes.extend_from_slice(&seconds.to_le_bytes());
        bytes.extend_from_slice(&nanoseconds.to_le_bytes());
    }
    bytes.extend_from_slice(&device.to_le_bytes());
    bytes.extend_from_slice(&inode.to_le_bytes());
    bytes.extend_from_slice(&mode.to_le_bytes());
    bytes.extend_from_slice(digest.as_bytes());
    store_length(path.len(), bytes);
    bytes.extend_from_slice(path.as_bytes());
}

/// What is not read yet.
struct Rest<'b>(&'b [u8]);

impl<'b> Rest<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn chunk<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    fn part(&mut self) -> Option<&'b [u8]> {
        let length = usize::try_from(u64::from_le_bytes(self.chunk()?)).ok()?;
        self.take(length)
    }

    fn time(&mut self) -> Option<(i64, u32)> {
        Some((i64::from_le_bytes(self.chunk()?), u32::from_le_bytes(self.chunk()?)))
    }

    fn entry(&mut self) -> Option<Entry<'b>> {
        let [kind, is_racy] = self.chunk()?;
        let kind = *Kind::ALL.get(usize::from(kind))?;
        let stamp = Stamp {
            size: u64::from_le_bytes(self.chunk()?),
            modified: self.time()?,
            changed: self.time()?,
            device: u64::from_le_bytes(self.chunk()?),
            inode: u64::from_le_bytes(self.chunk()?),
            mode: u32::from_le_bytes(self.chunk()?),
        };
        let digest = Digest::from_bytes(self.chunk()?);
        let path = std::str::from_utf8(self.part()?).ok()?;
        Some(Entry { kind, path, stamp, is_racy: is_racy != 0, digest })
    }
}
