//! Files of no known language: their names come in, a warning goes out for each that seems to bind. Such a file is searched
//! as bytes for the tag that opens an anchor. It is never read as a source, and a large or binary one costs next to nothing.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::{in_root, own_name};
use crate::anchor::{comment, is_typescript};
use crate::finding::{Finding, FindingId};
use crate::harmless::shown;
use crate::typescript::IS_READ;

/// Endings of prose and data, which show a tag and do not mean it, and of files that hold no text. By code units.
const NOT_SEARCHED: &[&str] = &[
    "7z",
    "a",
    "adoc",
    "aiff",
    "apk",
    "avi",
    "avif",
    "bin",
    "bmp",
    "br",
    "bz2",
    "cer",
    "class",
    "csv",
    "dat",
    "db",
    "deb",
    "der",
    "dib",
    "diff",
    "dll",
    "dmg",
    "doc",
    "docx",
    "dylib",
    "eot",
    "exe",
    "flac",
    "gif",
    "glb",
    "gz",
    "heic",
    "icns",
    "ico",
    "ipynb",
    "iso",
    "jar",
    "jpeg",
    "jpg",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "ktx2",
    "lib",
    "lock",
    "log",
    "lz4",
    "markdown",
    "md",
    "mdx",
    "mkv",
    "mov",
    "mp3",
    "mp4",
    "ndjson",
    "npy",
    "o",
    "obj",
    "odt",
    "ogg",
    "onnx",
    "org",
    "otf",
    "out",
    "parquet",
    "patch",
    "pb",
    "pdb",
    "pdf",
    "png",
    "ppt",
    "pptx",
    "psd",
    "pyc",
    "rar",
    "rlib",
    "rmeta",
    "rpm",
    "rst",
    "safetensors",
    "snap",
    "so",
    "sqlite",
    "sqlite3",
    "stderr",
    "stdout",
    "svg",
    "tar",
    "tex",
    "tgz",
    "tif",
    "tiff",
    "tsv",
    "ttf",
    "txt",
    "war",
    "wasm",
    "wav",
    "webm",
    "webp",
    "wmv",
    "woff",
    "woff2",
    "xls",
    "xlsx",
    "xz",
    "zip",
    "zst",
];

/// How much of a file tells whether it is text, in bytes.
const HEAD: u64 = 1024;

/// How much of a file is searched, in bytes.
pub const MAX_SEARCHED: u64 = 1024 * 1024;

/// What opens an anchor in a comment.
const OPENING: &[u8] = b"@sdpAnchor";

/// How many characters may stand before it on its line, beside white space: what opens or decorates a comment.
const MAX_DECORATION: usize = 8;

/// The most bytes that one character takes.
const CHARACTER_BYTES: usize = 4;

/// How much of an ending or a name a message shows, in characters.
const NAME_SHOWN: usize = 60;

/// Whether a file of no known language is searched, by its own name.
#[must_use]
pub fn is_searched(name: &str) -> bool {
    ending(name).is_none_or(|ending| {
        let ending = ending.to_ascii_lowercase();
        NOT_SEARCHED.binary_search(&ending.as_str()).is_err()
    })
}

/// The warning about a file of no known language that seems to bind, by its root-relative path; `bytes` is room to read into.
pub(crate) fn tag(root: &Path, path: &str, bytes: &mut Vec<u8>) -> Option<Finding> {
    // A file that is gone or may not be opened: nothing says that it binds.
    read(&in_root(root, path), bytes).ok()?;
    Some(finding(path, anchor_line(bytes)?))
}

/// The 1-based line of the tag that seems to bind in a file of no known language, where there is one.
#[must_use]
pub fn seeming_tag(path: &Path) -> Option<u32> {
    let mut bytes = Vec::new();
    read(path, &mut bytes).ok()?;
    anchor_line(&bytes)
}

/// Reads the beginning of a regular file; of one that is no text nothing.
fn read(path: &Path, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    bytes.clear();
    // Opening a pipe would wait for its other end.
    if !path.symlink_metadata()?.is_file() {
        return Ok(());
    }
    let mut file = File::open(path)?;
    file.by_ref().take(HEAD).read_to_end(bytes)?;
    if memchr::memchr(0, bytes).is_some() {
        bytes.clear();
        return Ok(());
    }
    file.take(MAX_SEARCHED - HEAD).read_to_end(bytes)?;
    Ok(())
}

/// The 1-based line of the first tag that opens an anchor and its line.
fn anchor_line(bytes: &[u8]) -> Option<u32> {
    let mut from = 0;
    while let Some(at) = bytes.get(from..).and_then(comment::find_marker).map(|at| from + at) {
        let line_start = memchr::memrchr(b'\n', bytes.get(from..at)?).map_or(from, |feed| from + feed + 1);
        if opens_an_anchor(bytes.get(at..)?) && is_decoration(bytes.get(line_start..at)?) {
            let before = memchr::memchr_iter(b'\n', bytes.get(..line_start)?).count();
            return u32::try_from(before + 1).ok();
        }
        // What stands behind the first tag of a line does not open it.
        from = at + memchr::memchr(b'\n', bytes.get(at..)?)? + 1;
    }
    None
}

/// Whether bytes open with the whole tag, in any case.
fn opens_an_anchor(bytes: &[u8]) -> bool {
    let Some((tag, rest)) = bytes.split_at_checked(OPENING.len()) else { return false };
    tag.eq_ignore_ascii_case(OPENING) && rest.first().is_none_or(u8::is_ascii_whitespace)
}

/// Whether what stands before a tag may open a comment: no word, and not much.
fn is_decoration(before: &[u8]) -> bool {
    let before = before.trim_ascii();
    before.len() <= MAX_DECORATION * CHARACTER_BYTES && {
        let before = String::from_utf8_lossy(before);
        before.chars().count() <= MAX_DECORATION && !before.chars().any(char::is_alphanumeric)
    }
}

fn finding(path: &str, line: u32) -> Finding {
    let name = own_name(path);
    let ending = ending(name);
    let (message, help) = match ending {
        Some(ending) if is_typescript(ending) => {
            let message = if IS_READ {
                "anchors in TypeScript are read in `.ts` and `.tsx` files, but not in `.d.ts`: the tag binds nothing"
            } else {
                "anchors in TypeScript are not read: this build has no TypeScript, so the tag binds nothing"
            };
            let help = "bind in a file that is read, or exclude this one with `exclude`";
            (message.to_owned(), help.to_owned())
        }
        Some(ending) => (
            format!("no language is known for `.{}`: the tag binds nothing", shown(ending, NAME_SHOWN)),
            advice("its ending", "endings", ending),
        ),
        None => (
            format!("no language is known for a file named `{}`: the tag binds nothing", shown(name, NAME_SHOWN)),
            advice("the file", "names", name),
        ),
    };
    Finding::warning(FindingId::SkippedSource, message).at(path, line).with_help(help)
}

/// What to write so that the file is read.
fn advice(what: &str, key: &str, text: &str) -> String {
    // What TOML would read as something else is left to the author.
    let is_plain =
        text.len() <= NAME_SHOWN && !text.contains(|letter: char| matches!(letter, '"' | '\\') || letter.is_control());
    let example = if is_plain { text } else { "…" };
    format!(
        "name {what} in the configuration, with a language whose comments are like those of the file: \
         `comment-languages = [{{ {key} = [\"{example}\"], like = \"C\" }}]`"
    )
}

/// What stands behind the last `.` of a name, if anything does; a `.` that opens the name opens no ending.
fn ending(name: &str) -> Option<&str> {
    let (stem, ending) = name.rsplit_once('.')?;
    (!stem.is_empty() && !ending.is_empty()).then_some(ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_that_are_not_searched_are_sorted() {
        assert!(NOT_SEARCHED.is_sorted());
        assert!(NOT_SEARCHED.iter().all(|ending| !ending.is_empty() && !ending.contains('.')));
    }

    #[test]
    fn prose_data_and_binaries_are_not_searched() {
        for name in ["a.md", "README.MD", "a.b.json", "a.png", "a.so", "x.snap", "a.txt"] {
            assert!(!is_searched(name), "{name}");
        }
        for name in ["a.foo", "run", ".hidden", "a.vue", "a.ts", "a.", "md", ".md"] {
            assert!(is_searched(name), "{name}");
        }
    }

    #[test]
    fn a_tag_counts_where_it_opens_its_line() {
        let cases: &[(&str, Option<u32>)] = &[
            ("# @sdpAnchor impl:x", Some(1)),
            ("@sdpAnchor", Some(1)),
            ("\n\n\t\t\t\t        <!-- @sdpAnchor impl:x -->\n", Some(3)),
            ("/** @sdpAnchor impl:x */", Some(1)),
            ("\u{FEFF}// @SdpAnchor impl:x", Some(1)),
            ("\u{B7}\u{B7}\u{B7}\u{B7}\u{B7}\u{B7}\u{B7}\u{B7} @sdpAnchor impl:x", Some(1)),
            ("# @sdpLabel x\n# @sdpAnchor impl:x", Some(2)),
            ("######### @sdpAnchor impl:x", None),
            ("see @sdpAnchor impl:x", None),
            ("@sdpLabel @sdpAnchor impl:x", None),
            ("# 1 @sdpAnchor impl:x", None),
            ("# é @sdpAnchor impl:x", None),
            ("# @sdpAnchors impl:x", None),
            ("`@sdpAnchor` opens an anchor", None),
            ("# @sdpAncho", None),
            ("", None),
        ];
        for (text, line) in cases {
            assert_eq!(anchor_line(text.as_bytes()), *line, "{text}");
        }
    }
}
