//! Two texts come in, what differs goes out as a unified difference of bounded size. It must stay cheap for texts of many
//! megabytes: what both share at their ends is never compared line by line, and the rest only for a bounded time.

use std::time::{Duration, Instant};

use sdp_core::harmless;
use similar::{Algorithm, ChangeTag, DiffOp, capture_diff_slices_deadline, group_diff_ops};

/// How many lines of one difference are shown.
const SHOWN_LINES: usize = 200;

/// How many characters of one line are shown.
const SHOWN_CHARACTERS: usize = 400;

/// Equal lines around each change.
const CONTEXT: usize = 3;

/// How long the shortest difference is looked for; after that a longer one serves.
const PATIENCE: Duration = Duration::from_secs(1);

/// The unified difference from `old` to `new`; empty when they are equal. Every line is harmless on a terminal.
pub(crate) fn unified(names: [&str; 2], old: &str, new: &str, coloured: bool) -> String {
    let mut page = Page { text: String::new(), lines: 0, coloured };
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let operations = operations(&old, &new);
    if operations.is_empty() {
        return String::new();
    }
    page.push(Style::Head, "--- ", names[0]);
    page.push(Style::Head, "+++ ", names[1]);
    for hunk in group_diff_ops(operations, CONTEXT) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let range = |start: usize, end: usize| match end - start {
            // As diff has it: an empty range names the line before it.
            0 => format!("{start},0"),
            1 => format!("{}", start + 1),
            length => format!("{},{length}", start + 1),
        };
        let from = range(first.old_range().start, last.old_range().end);
        let to = range(first.new_range().start, last.new_range().end);
        page.push(Style::Hunk, "", &format!("@@ -{from} +{to} @@"));
        for change in hunk.iter().flat_map(|operation| operation.iter_changes(&old, &new)) {
            let (style, sign) = match change.tag() {
                ChangeTag::Equal => (Style::Plain, " "),
                ChangeTag::Delete => (Style::Removed, "-"),
                ChangeTag::Insert => (Style::Added, "+"),
            };
            let line = change.value();
            page.push(style, sign, line.strip_suffix('\n').unwrap_or(line));
            if !line.ends_with('\n') {
                page.push(Style::Plain, "", "\\ No newline at end of file");
            }
        }
    }
    page.finish()
}

/// What turns the old lines into the new ones. Only the lines between the first and the last difference are compared.
fn operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let head = old.iter().zip(new).take_while(|(left, right)| left == right).count();
    let (old_rest, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(left, right)| left == right).count();
    let middle = |rest: &'_ [&'_ str]| rest.len().saturating_sub(tail);
    let (old_middle, new_middle) = (middle(old_rest), middle(new_rest));
    if old_middle == 0 && new_middle == 0 {
        return Vec::new();
    }
    let found = capture_diff_slices_deadline(
        Algorithm::Myers,
        old_rest.get(..old_middle).unwrap_or_default(),
        new_rest.get(..new_middle).unwrap_or_default(),
        Instant::now().checked_add(PATIENCE),
    );
    let before = DiffOp::Equal { old_index: 0, new_index: 0, len: head };
    let after = DiffOp::Equal { old_index: head + old_middle, new_index: head + new_middle, len: tail };
    let mut operations = Vec::with_capacity(found.len() + 2);
    operations.extend((head > 0).then_some(before));
    operations.extend(found.into_iter().map(|operation| moved(operation, head)));
    operations.extend((tail > 0).then_some(after));
    operations
}

/// The same operation so many lines further down.
fn moved(operation: DiffOp, by: usize) -> DiffOp {
    match operation {
        DiffOp::Equal { old_index, new_index, len } => {
            DiffOp::Equal { old_index: old_index + by, new_index: new_index + by, len }
        }
        DiffOp::Delete { old_index, old_len, new_index } => {
            DiffOp::Delete { old_index: old_index + by, old_len, new_index: new_index + by }
        }
        DiffOp::Insert { old_index, new_index, new_len } => {
            DiffOp::Insert { old_index: old_index + by, new_index: new_index + by, new_len }
        }
        DiffOp::Replace { old_index, old_len, new_index, new_len } => {
            DiffOp::Replace { old_index: old_index + by, old_len, new_index: new_index + by, new_len }
        }
    }
}

#[derive(Clone, Copy)]
enum Style {
    Plain,
    Head,
    Hunk,
    Removed,
    Added,
}

/// The lines that are shown, and how many there were.
struct Page {
    text: String,
    lines: usize,
    coloured: bool,
}

impl Page {
    fn push(&mut self, style: Style, sign: &str, line: &str) {
        self.lines += 1;
        if self.lines > SHOWN_LINES {
            return;
        }
        let line = harmless::cut(line, SHOWN_CHARACTERS);
        let code = match style {
            _ if !self.coloured => "",
            Style::Plain => "",
            Style::Head => "\u{1b}[1m",
            Style::Hunk => "\u{1b}[36m",
            Style::Removed => "\u{1b}[31m",
            Style::Added => "\u{1b}[32m",
        };
        let end = if code.is_empty() { "" } else { "\u{1b}[0m" };
        self.text.push_str(&format!("{code}{sign}{line}{end}\n"));
    }

    fn finish(mut self) -> String {
        if let Some(more) = self.lines.checked_sub(SHOWN_LINES).filter(|more| *more > 0) {
            let noun = if more == 1 { "line" } else { "lines" };
            self.text.push_str(&format!("… and {more} more {noun} of this difference\n"));
        }
        self.text
    }
}

#[cfg(test)]
mod tests {
    use similar::DiffTag;

    use super::*;

    fn shown(old: &str, new: &str) -> String {
        unified(["old", "new"], old, new, false)
    }

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(shown("", ""), "");
        assert_eq!(shown("a\nb\n", "a\nb\n"), "");
    }

    #[test]
    fn a_change_is_shown_between_lines_that_did_not_change() {
        let numbered = |from: u32, to: u32| (from..=to).map(|line| format!("{line}\n")).collect::<String>();
        let old = numbered(1, 20);
        let new = format!("{}ten\n{}", numbered(1, 9), numbered(11, 20));
        assert_eq!(shown(&old, &new), "--- old\n+++ new\n@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n");
        assert_eq!(shown("a\n", "a\nb\n"), "--- old\n+++ new\n@@ -1 +1,2 @@\n a\n+b\n");
        assert_eq!(shown("", "a\n"), "--- old\n+++ new\n@@ -0,0 +1 @@\n+a\n");
        assert_eq!(shown("a", "a\n"), "--- old\n+++ new\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
        assert_eq!(shown("a\r\n", "a\n"), "--- old\n+++ new\n@@ -1 +1 @@\n-a\\r\n+a\n");
    }

    #[test]
    fn the_operations_lead_from_the_old_lines_to_the_new_ones() {
        let mut texts: Vec<Vec<&str>> = vec![Vec::new()];
        for length in 0..4 {
            let longest: Vec<_> = texts.iter().filter(|text| text.len() == length).cloned().collect();
            texts.extend(longest.iter().flat_map(|text| ["a", "b"].map(|line| [&text[..], &[line]].concat())));
        }
        for old in &texts {
            for new in &texts {
                let (mut made, mut at) = (Vec::new(), 0);
                for operation in operations(old, new) {
                    assert_eq!((operation.old_range().start, operation.new_range().start), (at, made.len()));
                    let kept = if operation.tag() == DiffTag::Equal { old } else { new };
                    let range =
                        if operation.tag() == DiffTag::Equal { operation.old_range() } else { operation.new_range() };
                    made.extend_from_slice(&kept[range]);
                    at = operation.old_range().end;
                }
                let unchanged = made.is_empty() && old == new;
                assert!(unchanged || (&made, at) == (new, old.len()), "{old:?} {new:?}: {made:?}");
            }
        }
    }

    #[test]
    fn a_long_difference_says_how_much_more_there_is() {
        let new: String = (0..300).map(|line| format!("{line}\n")).collect();
        let page = shown("", &new);
        assert_eq!(page.lines().count(), SHOWN_LINES + 1);
        assert!(page.ends_with("\n+196\n… and 103 more lines of this difference\n"), "{page}");
    }

    #[test]
    fn a_line_without_end_is_cut_and_cannot_act_on_a_terminal() {
        let page = shown("", &format!("\u{1b}[2J{}\n", "x".repeat(100_000)));
        assert!(page.len() < 1_000 && page.ends_with("x…\n") && !page.contains('\u{1b}'), "{page}");
    }

    #[test]
    fn colours_mark_what_is_new_and_what_is_gone() {
        let page = unified(["old", "new"], "a\n", "b\n", true);
        assert!(page.contains("\u{1b}[31m-a\u{1b}[0m\n\u{1b}[32m+b\u{1b}[0m\n"), "{page}");
    }

    #[test]
    fn two_large_texts_that_share_nothing_give_a_bounded_difference() {
        let text = |seed: usize| (0..200_000).map(|line| format!("{}\n", line * 7 + seed)).collect::<String>();
        let page = shown(&text(1), &text(2));
        assert!(page.contains(" more lines of this difference"), "{}", page.len());
    }
}
