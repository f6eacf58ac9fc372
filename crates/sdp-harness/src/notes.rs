//! What is said beside libtest's own output: warnings of cases that pass, and what their bodies printed when that was asked
//! for. Notes come in from any thread in any order, one text in the order of the cases goes out.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The notes of a run, by the position of their case.
#[derive(Debug, Default)]
pub(crate) struct Notes(Mutex<BTreeMap<usize, (String, String)>>);

impl Notes {
    /// Keeps a case's note; an empty one is none.
    pub(crate) fn add(&self, position: usize, case: &str, note: String) {
        if !note.trim().is_empty() {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(position, (case.to_owned(), note));
        }
    }

    /// All notes, each under its case's name; empty when there are none.
    pub(crate) fn text(&self) -> String {
        let notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        notes
            .values()
            .map(|(case, note)| format!("---- {case} passed, with notes ----\n{}\n\n", note.trim_end()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_stand_in_the_order_of_their_cases() {
        let notes = Notes::default();
        notes.add(2, "b", "later\n\n".to_owned());
        notes.add(1, "a", "first".to_owned());
        notes.add(0, "c", "\n".to_owned());
        let expected = "---- a passed, with notes ----\nfirst\n\n---- b passed, with notes ----\nlater\n\n";
        assert_eq!(notes.text(), expected);
    }
}
