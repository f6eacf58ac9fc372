//! A baseline: the rows that a team has accepted, one a line, with comments. Its text comes in; what is new, what matches
//! nothing and the text with the rows of today go out. It reads and writes no file.

use std::collections::{BTreeMap, BTreeSet};

/// What opens a new one.
const HEAD: &str = "# What no anchor binds, and is accepted so. `cargo sdp unbound --baseline FILE --update-baseline` writes it anew.\n\
                    # Comments stay with the row below them.\n";

/// The rows that are accepted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Baseline {
    /// The comments before the first blank line or row, with their line ends.
    head: String,
    /// The rows, each with the comments directly above it.
    rows: BTreeMap<String, String>,
}

/// How the rows of today differ from those that are accepted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Delta {
    /// The rows that are not accepted.
    pub(crate) fresh: BTreeSet<String>,
    /// The accepted rows that match nothing.
    pub(crate) stale: BTreeSet<String>,
}

impl Delta {
    /// Whether there is no difference.
    pub(crate) fn is_empty(&self) -> bool {
        self.fresh.is_empty() && self.stale.is_empty()
    }
}

impl Baseline {
    /// Reads a baseline: any text is one.
    pub(crate) fn read(text: &str) -> Baseline {
        let mut baseline = Baseline::default();
        let mut comments = String::new();
        for line in text.lines().map(str::trim) {
            if line.starts_with('#') {
                comments.push_str(line);
                comments.push('\n');
            } else if line.is_empty() {
                // What stands apart at the top is the head.
                let apart = std::mem::take(&mut comments);
                if baseline.rows.is_empty() {
                    baseline.head.push_str(&apart);
                }
            } else {
                baseline.rows.entry(line.to_owned()).or_default().push_str(&std::mem::take(&mut comments));
            }
        }
        if baseline.rows.is_empty() {
            baseline.head.push_str(&comments);
        }
        baseline
    }

    /// How the rows of today differ.
    pub(crate) fn delta(&self, today: &BTreeSet<String>) -> Delta {
        Delta {
            fresh: today.iter().filter(|row| !self.rows.contains_key(*row)).cloned().collect(),
            stale: self.rows.keys().filter(|row| !today.contains(*row)).cloned().collect(),
        }
    }

    /// The text with the rows of today, sorted; the head and the comments of rows that stay are kept.
    pub(crate) fn updated(&self, today: &BTreeSet<String>) -> String {
        let mut text = if self.head.is_empty() { HEAD.to_owned() } else { self.head.clone() };
        text.push('\n');
        for row in today {
            text.push_str(self.rows.get(row).map_or("", String::as_str));
            text.push_str(row);
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let updated = baseline.updated(&rows(&["c fn z", "a fn x"]));
        assert_eq!(updated, "# head\n# more\n\na fn x\n# about z\nc fn z\n");
        assert_eq!(Baseline::read(&updated).updated(&rows(&["c fn z", "a fn x"])), updated, "once is enough");
    }

    #[test]
    fn a_new_one_says_what_it_is() {
        let text = Baseline::default().updated(&rows(&["a fn x"]));
        assert_eq!(text, format!("{HEAD}\na fn x\n"));
        assert_eq!(Baseline::read(&text).updated(&rows(&[])), format!("{HEAD}\n"));
    }

    #[test]
    fn comments_of_a_file_without_a_head_stay_with_their_row() {
        let text = "# about x\na fn x\n";
        assert_eq!(Baseline::read(text).updated(&rows(&["a fn x"])), format!("{HEAD}\n{text}"));
        assert_eq!(Baseline::read("# only this").updated(&rows(&[])), "# only this\n\n");
    }
}
