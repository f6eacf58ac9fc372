//! A baseline: the rows that a team has accepted, one a line, with comments. Its text comes in; what is new, what matches
//! nothing and the text with the rows of today go out. It reads and writes no file.

use std::collections::{BTreeMap, BTreeSet};

use sdp_core::order::by_code_units;

/// The most that a baseline may hold, in bytes.
pub const MAX_BYTES: u64 = 16 << 20;

/// The rows that are accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The comments before the first blank line or row, with their line ends.
    head: String,
    /// The rows.
    rows: BTreeMap<String, Row>,
    /// The comments below the last row, with their line ends.
    tail: String,
    /// Whether its lines end as Windows has them.
    has_carriage_returns: bool,
}

/// What stands with a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Row {
    /// The comments above it, with their line ends.
    comments: String,
    /// The 1-based lines on which it stands.
    lines: Vec<u32>,
}

/// How the rows of today differ from those that are accepted.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// The rows that are not accepted.
    pub fresh: BTreeSet<String>,
    /// The accepted rows that match nothing.
    pub stale: BTreeSet<String>,
}

impl Delta {
    /// Whether there is no difference.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fresh.is_empty() && self.stale.is_empty()
    }
}

impl Baseline {
    /// Reads a baseline: any text is one. White space around a row does not count, nor does a byte order mark.
    #[must_use]
    pub fn read(text: &str) -> Baseline {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let mut baseline = Baseline { has_carriage_returns: text.contains("\r\n"), ..Baseline::default() };
        let mut comments = String::new();
        for (number, line) in (1_u32..).zip(text.lines().map(str::trim)) {
            if line.starts_with('#') {
                comments.push_str(line);
                comments.push('\n');
            } else if !line.is_empty() {
                let row = baseline.rows.entry(line.to_owned()).or_default();
                row.comments.push_str(&std::mem::take(&mut comments));
                row.lines.push(number);
            } else if baseline.rows.is_empty() {
                // What stands apart at the top is the head.
                baseline.head.push_str(&std::mem::take(&mut comments));
            }
        }
        let rest = if baseline.rows.is_empty() { &mut baseline.head } else { &mut baseline.tail };
        rest.push_str(&comments);
        baseline
    }

    /// The rows, each with the 1-based lines on which it stands.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &[u32])> {
        self.rows.iter().map(|(row, held)| (row.as_str(), held.lines.as_slice()))
    }

    /// Whether a row is accepted.
    #[must_use]
    pub fn holds(&self, row: &str) -> bool {
        self.rows.contains_key(row)
    }

    /// How the rows of today differ.
    #[must_use]
    pub fn delta(&self, today: &BTreeSet<String>) -> Delta {
        Delta {
            fresh: today.iter().filter(|row| !self.rows.contains_key(*row)).cloned().collect(),
            stale: self.rows.keys().filter(|row| !today.contains(*row)).cloned().collect(),
        }
    }

    /// The text with the rows of today, sorted; the comments at the top, those of rows that stay and those at the end are
    /// kept. `head` opens a baseline that has no comment at its top.
    #[must_use]
    pub fn updated(&self, today: &BTreeSet<String>, head: &str) -> String {
        let mut rows: Vec<&str> = today.iter().map(String::as_str).collect();
        rows.sort_by(|left, right| by_code_units(left, right));
        let mut text = if self.head.is_empty() { head.to_owned() } else { self.head.clone() };
        text.push('\n');
        for row in rows {
            text.push_str(self.rows.get(row).map_or("", |held| held.comments.as_str()));
            text.push_str(row);
            text.push('\n');
        }
        text.push_str(&self.tail);
        if self.has_carriage_returns { text.replace('\n', "\r\n") } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# What is accepted.\n";

    fn rows(rows: &[&str]) -> BTreeSet<String> {
        rows.iter().map(|row| (*row).to_owned()).collect()
    }

    #[test]
    fn what_is_new_and_what_is_stale_is_told_apart() {
        let baseline = Baseline::read("# head\n\na fn x\n  b fn y  \r\n\nc fn z\na fn x\n");
        let delta = baseline.delta(&rows(&["a fn x", "c fn z", "d fn new"]));
        assert_eq!(delta, Delta { fresh: rows(&["d fn new"]), stale: rows(&["b fn y"]) });
        assert!(baseline.delta(&rows(&["a fn x", "b fn y", "c fn z"])).is_empty());
    }

    #[test]
    fn an_update_keeps_the_head_and_the_comments_of_rows_that_stay() {
        let baseline = Baseline::read("# head\n# more\n\n# about y\nb fn y\n# about z\nc fn z\n");
        let updated = baseline.updated(&rows(&["c fn z", "a fn x"]), HEAD);
        assert_eq!(updated, "# head\n# more\n\na fn x\n# about z\nc fn z\n");
        assert_eq!(Baseline::read(&updated).updated(&rows(&["c fn z", "a fn x"]), HEAD), updated, "once is enough");
    }

    #[test]
    fn a_new_one_says_what_it_is() {
        let text = Baseline::default().updated(&rows(&["a fn x"]), HEAD);
        assert_eq!(text, format!("{HEAD}\na fn x\n"));
        assert_eq!(Baseline::read(&text).updated(&rows(&[]), HEAD), format!("{HEAD}\n"));
    }

    #[test]
    fn comments_of_a_file_without_a_head_stay_with_their_row() {
        let text = "# about x\na fn x\n";
        assert_eq!(Baseline::read(text).updated(&rows(&["a fn x"]), HEAD), format!("{HEAD}\n{text}"));
        let apart = "# head\n\na fn x\n# apart\n\nb fn y\n# end\n";
        assert_eq!(Baseline::read(apart).updated(&rows(&["b fn y"]), HEAD), "# head\n\n# apart\nb fn y\n# end\n");
        assert_eq!(Baseline::read("# only this").updated(&rows(&[]), HEAD), "# only this\n\n");
    }

    #[test]
    fn a_baseline_of_windows_stays_one() {
        let text = "\u{FEFF}# head\r\n\r\na fn x\r\n";
        let baseline = Baseline::read(text);
        assert_eq!(baseline.updated(&rows(&["a fn x"]), HEAD), "# head\r\n\r\na fn x\r\n");
        assert_eq!(baseline.rows().collect::<Vec<_>>(), [("a fn x", &[3][..])]);
    }

    #[test]
    fn rows_stand_in_the_order_of_code_units() {
        let today = rows(&["a \u{FFFD}", "a \u{10000}", "a z", "B"]);
        assert_eq!(Baseline::default().updated(&today, HEAD), format!("{HEAD}\nB\na z\na \u{10000}\na \u{FFFD}\n"));
    }

    #[test]
    fn a_row_that_stands_twice_keeps_both_lines() {
        let baseline = Baseline::read("a\n# why\nb\na\n");
        assert_eq!(baseline.rows().collect::<Vec<_>>(), [("a", &[1, 4][..]), ("b", &[3][..])]);
        assert!(baseline.holds("a") && !baseline.holds("c"));
    }
}
