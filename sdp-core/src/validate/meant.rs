//! What missing ids may have meant: all ids that a check misses go in together, the one near node of each comes out.
//! Work is bounded for the check as a whole, and nothing depends on the order in which the ids were found.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use crate::suggest::Candidates;

/// How many steps all suggestions of one check take at most (see [`Candidates::unique_nearest`]).
const MAX_WORK: usize = 100_000_000;

/// With how few steps a missing id is still worth a look.
const LEAST_WORK: usize = 20_000;

/// What each missing id may have meant among the known ones. Work is bounded: where half a large corpus dangles, the first
/// ids by code units are looked up and the others go without a suggestion.
pub(super) fn meant<'w, 'g>(
    known: impl Iterator<Item = &'g str>,
    wanted: BTreeSet<&'w str>,
) -> HashMap<&'w str, &'g str> {
    if wanted.is_empty() {
        return HashMap::new();
    }
    let known: Vec<&str> = known.collect();
    let affordable = MAX_WORK / LEAST_WORK.max(known.len());
    let candidates = Candidates::new(known);
    let wanted: Vec<&str> = wanted.into_iter().take(affordable).collect();
    // The same share for each, so that the answer does not depend on who was looked up first.
    let share = MAX_WORK / wanted.len().max(1);
    wanted.into_par_iter().filter_map(|id| Some((id, candidates.unique_nearest(id, 2, share)?))).collect()
}
