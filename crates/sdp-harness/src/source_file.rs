//! Source lines: a file and the number of a line come in, the line goes out, where the file can still be read. The file of the
//! last one is held, and its lines are found in any order without going through it again.

use std::path::{Path, PathBuf};

use sdp_core::files;

/// The longest file that a source line is read from, in bytes.
const MAX_FILE: u64 = 64 << 20;
/// How long a stretch of a text is, in bytes.
const STRETCH: usize = 4096;

/// The file that was read last: findings of one file, one after another, read it once.
#[derive(Debug, Default)]
pub(crate) struct LastFile(Option<SourceFile>);

impl LastFile {
    /// A file below a root, as it is now; one that cannot be read has no lines.
    pub(crate) fn of(&mut self, root: &Path, file: &str) -> &SourceFile {
        let held = self.0.take().filter(|held| held.file == file && held.root == root);
        self.0.insert(held.unwrap_or_else(|| SourceFile::read(root, file)))
    }
}

/// A file of which lines are shown. Findings of a rule come in any order, so a line is sought from the nearest mark before it.
#[derive(Debug)]
pub(crate) struct SourceFile {
    root: PathBuf,
    file: String,
    text: String,
    /// The bytes of the byte order mark that stood before the text.
    before: usize,
    /// The first line that starts in each stretch of the text, from 0, and where it starts.
    marks: Vec<(usize, usize)>,
}

impl SourceFile {
    fn read(root: &Path, file: &str) -> Self {
        let text = files::read_text(&root.join(file), MAX_FILE).unwrap_or_default();
        let kept = without_mark(&text);
        let (mut marks, mut next) = (Vec::new(), 0);
        for (index, start) in (1..).zip(kept.match_indices('\n').map(|(end, _)| end + 1)) {
            if start >= next {
                marks.push((index, start));
                next = start + STRETCH;
            }
        }
        let (root, before) = (root.to_owned(), text.len() - kept.len());
        SourceFile { root, file: file.to_owned(), before, text: kept.to_owned(), marks }
    }

    /// A line, from 1, without its line end, and the byte of the file at which it starts.
    pub(crate) fn line(&self, number: u32) -> Option<(usize, &str)> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        let before = self.marks.partition_point(|(line, _)| *line <= index);
        let (known, start) = before.checked_sub(1).and_then(|last| self.marks.get(last).copied()).unwrap_or((0, 0));
        let start = match index - known {
            0 => start,
            more => start + self.text.get(start..)?.match_indices('\n').nth(more - 1)?.0 + 1,
        };
        let line = self.text.get(start..)?.split('\n').next()?;
        Some((start + self.before, line.strip_suffix('\r').unwrap_or(line)))
    }
}

/// A text without its byte order mark.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_in_any_order() {
        let folder = tempfile::tempdir().unwrap();
        let long = format!("{}\n\n{}\n", "x".repeat(STRETCH), "y\n".repeat(3 * STRETCH));
        for text in ["", "\n", "one\r\n\n  three\nfour", &long] {
            std::fs::write(folder.path().join("a.ts"), format!("\u{FEFF}{text}")).unwrap();
            let held = SourceFile::read(folder.path(), "a.ts");
            let mut start = 3;
            let mut all: Vec<(u32, (usize, &str))> = Vec::new();
            for (number, line) in (1..).zip(text.split('\n')) {
                all.push((number, (start, line.strip_suffix('\r').unwrap_or(line))));
                start += line.len() + 1;
            }
            for (number, expected) in all.iter().rev().step_by(7).chain(all.iter().step_by(5)) {
                assert_eq!(held.line(*number), Some(*expected), "{number}");
            }
            assert_eq!((held.line(0), held.line(all.last().unwrap().0 + 1)), (None, None));
            // Nothing is sought further than a stretch and a line away.
            assert!(held.marks.len() <= 1 + text.len() / STRETCH + 1, "{}", held.marks.len());
            let starts = [0].into_iter().chain(held.marks.iter().map(|(_, start)| *start));
            let ends = held.marks.iter().map(|(_, start)| *start).chain([text.len()]);
            let longest = all.iter().map(|(_, (_, line))| line.len()).max().unwrap();
            assert!(starts.zip(ends).all(|(start, end)| end - start <= STRETCH + longest + 2));
        }
    }

    #[test]
    fn the_last_file_is_held_and_known_by_its_root_too() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for (root, file, text) in [(&folder, "a.ts", "one"), (&folder, "b.ts", "two"), (&other, "a.ts", "three")] {
            std::fs::write(root.path().join(file), text).unwrap();
        }
        let mut files = LastFile::default();
        let mut line = |root: &Path, file: &str| files.of(root, file).line(1).unwrap_or_default().1.to_owned();
        assert_eq!(line(folder.path(), "a.ts"), "one");
        assert_eq!(line(other.path(), "a.ts"), "three");
        assert_eq!(line(folder.path(), "b.ts"), "two");
        std::fs::write(folder.path().join("b.ts"), "new").unwrap();
        assert_eq!(line(folder.path(), "b.ts"), "two");
        assert_eq!(line(folder.path(), "none.ts"), "");
        assert_eq!(line(folder.path(), "b.ts"), "new");
    }
}
