//! Several readings of one text: the same walk comes in with each of them, and goes out with the one that is left.
//!
//! Where the walk cannot tell what a `<` or a `/` is, it is walked on in both readings, always in the one that is furthest
//! behind. A reading ends where the parser gives it up, and two are one where they go on alike. What is counted in one counts
//! for all: the parser may have tried it.

use super::walk::Walk;
use super::{MAX_READINGS, Refused, Step, TOO_MANY_READINGS, UNCLEAR};

/// Walks on until one reading is left, or all are at the end.
pub(super) fn told_apart(mut walk: Walk<'_>) -> Result<Walk<'_>, Refused> {
    let mut open = std::mem::take(&mut walk.others);
    open.push(walk);
    while let Some(index) = furthest_behind(&open) {
        let mut walk = open.swap_remove(index);
        if open.is_empty() {
            return Ok(walk);
        }
        match walk.step() {
            Ok(()) => {
                open.append(&mut walk.others);
                if open.len() >= MAX_READINGS {
                    return Err(walk.refused(UNCLEAR));
                }
                match open.iter_mut().find(|other| other.is_like(&walk)) {
                    Some(other) => other.absorb(&walk)?,
                    None => open.push(walk),
                }
            }
            // The parser gives this one up. It sees no more of the text, unless it goes on in another.
            Err(refused) if refused.ends => match open.first_mut() {
                Some(other) => other.note(&walk)?,
                None => return Err(refused),
            },
            Err(refused) => return Err(Refused { parsed_to: None, ..refused }),
        }
    }
    // All are at the end of the text, and any may be the one that the parser takes.
    let Some(mut last) = open.pop() else { return Err(Walk::new("", false).refused(UNCLEAR)) };
    for walk in &open {
        last.note(walk)?;
    }
    Ok(last)
}

/// The walk that has most of the text before it, unless all are at the end.
fn furthest_behind(open: &[Walk<'_>]) -> Option<usize> {
    let behind = open.iter().enumerate().filter(|(_, walk)| walk.at < walk.bytes.len());
    behind.min_by_key(|(_, walk)| walk.at).map(|(index, _)| index)
}

impl Walk<'_> {
    /// Counts what another reading has counted that is no longer followed.
    fn note(&mut self, other: &Self) -> Step {
        self.deepest = self.deepest.max(other.deepest);
        self.tokens = self.tokens.max(other.tokens);
        self.read_anew = self.read_anew.saturating_add(other.read_anew);
        self.look(other.looked.get());
        if self.looked_too_far() || self.read_too_often() {
            return Err(self.refused(TOO_MANY_READINGS));
        }
        Ok(())
    }

    /// The same walk once more, for another reading from here on.
    ///
    /// # Errors
    /// [`Refused`] where there were too many.
    pub(super) fn another(&mut self) -> Result<Self, Refused> {
        // Each reading may be tried, and then the other.
        self.level.tries += 1;
        self.look(8 * self.outer.len() + 64);
        self.count_tries()?;
        let mut another = self.clone();
        // What was counted so far counts once.
        another.read_anew = 0;
        another.looked.set(0);
        Ok(another)
    }

    /// Whether the text goes on alike in the other reading.
    fn is_like(&self, other: &Self) -> bool {
        let alike = self.at == other.at
            && self.before == other.before
            && self.new_line == other.new_line
            && self.head == other.head
            && self.label == other.label
            && self.labelled == other.labelled
            && self.namespace == other.namespace
            && self.outer.len() == other.outer.len()
            && self.level.is_like(&other.level);
        if !alike {
            return false;
        }
        self.look(self.outer.len());
        self.outer.iter().zip(&other.outer).all(|(one, other)| one.is_like(other))
    }

    /// Counts what the other reading counts, too, which goes on alike.
    fn absorb(&mut self, other: &Self) -> Step {
        self.level.absorb(&other.level);
        for (one, other) in self.outer.iter_mut().zip(&other.outer) {
            one.absorb(other);
        }
        self.note(other)
    }
}
