//! "Did you mean": the nearest of several candidates within a bounded edit distance, counted in UTF-16 code units as the
//! Protocol counts them. Work is bounded by whoever asks.

/// Candidates made ready to be asked more than once.
#[derive(Debug)]
pub struct Candidates<'a> {
    /// By length, so that a question looks at a few lengths only.
    entries: Vec<Entry<'a>>,
}

#[derive(Debug)]
struct Entry<'a> {
    length: usize,
    letters: u64,
    text: &'a str,
}

impl<'a> Candidates<'a> {
    /// Prepares candidates; their order plays no part.
    pub fn new(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut entries: Vec<Entry<'_>> = texts.into_iter().map(Entry::new).collect();
        entries.sort_by_key(|entry| entry.length);
        Candidates { entries }
    }

    /// The one candidate nearest to `wanted` within `limit` edits, or none when two are equally near: a tie must not
    /// guess (fact sheet part 9). None, too, when finding out takes more than `work` steps: a step is a candidate looked
    /// at or a cell of a distance.
    #[must_use]
    pub fn unique_nearest(&self, wanted: &str, limit: usize, mut work: usize) -> Option<&'a str> {
        let wanted = Entry::new(wanted);
        let shortest = wanted.length.saturating_sub(limit);
        let start = self.entries.partition_point(|entry| entry.length < shortest);
        let near = self.entries.iter().skip(start).take_while(|entry| entry.length <= wanted.length + limit);
        let mut best: Option<(usize, &str)> = None;
        let mut tied = false;
        for entry in near {
            work = work.checked_sub(1)?;
            if !wanted.may_be_near(entry, limit) {
                continue;
            }
            work = work.checked_sub(wanted.length.saturating_mul(2 * limit + 1))?;
            let Some(distance) = bounded_distance(wanted.text, entry.text, limit) else { continue };
            match best {
                Some((nearest, _)) if distance > nearest => {}
                Some((nearest, held)) if distance == nearest => tied |= held != entry.text,
                _ => {
                    best = Some((distance, entry.text));
                    tied = false;
                }
            }
        }
        best.filter(|_| !tied).map(|(_, text)| text)
    }
}

impl<'a> Entry<'a> {
    fn new(text: &'a str) -> Self {
        let (mut length, mut letters) = (0, 0u64);
        for unit in text.encode_utf16() {
            length += 1;
            letters |= 1 << (unit % 64);
        }
        Entry { length, letters, text }
    }

    /// Whether the edit distance may be within a limit: one edit changes at most two bits of the letters.
    fn may_be_near(&self, other: &Entry<'_>, limit: usize) -> bool {
        (self.letters ^ other.letters).count_ones() as usize <= 2 * limit
    }
}

/// The first candidate nearest to `wanted` within `limit` edits. Used where the order of the candidates breaks a tie.
#[must_use]
pub fn first_nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>, limit: usize) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if let Some(distance) = bounded_distance(wanted, candidate, limit)
            && best.is_none_or(|(nearest, _)| distance < nearest)
        {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The distance of two texts, when it is within a limit. Ids are ASCII, where a byte is a code unit.
fn bounded_distance(left: &str, right: &str, limit: usize) -> Option<usize> {
    if left.is_ascii() && right.is_ascii() {
        return within_limit(left.as_bytes(), right.as_bytes(), limit);
    }
    let (left, right): (Vec<u16>, Vec<u16>) = (left.encode_utf16().collect(), right.encode_utf16().collect());
    within_limit(&left, &right, limit)
}

/// Levenshtein's distance over what the texts do not share at their ends.
fn within_limit<T: Copy + PartialEq>(left: &[T], right: &[T], limit: usize) -> Option<usize> {
    if left.len().abs_diff(right.len()) > limit {
        return None;
    }
    let prefix = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let (left, right) = (left.get(prefix..)?, right.get(prefix..)?);
    let suffix = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, right) = (left.get(..left.len() - suffix)?, right.get(..right.len() - suffix)?);
    let distance = match (left, right) {
        ([], rest) | (rest, []) => rest.len(),
        ([_], [_]) => 1,
        _ => table(left, right, limit)?,
    };
    (distance <= limit).then_some(distance)
}

/// The cells of Levenshtein's table that lie within a limit of its diagonal; the others are beyond the limit anyway. Left
/// as soon as a whole row is.
fn table<T: Copy + PartialEq>(left: &[T], right: &[T], limit: usize) -> Option<usize> {
    const FAR: usize = usize::MAX / 2;
    let width = 2 * limit + 1;
    // Cell `at` of a row stands for the column `row + at - limit`.
    let mut above: Vec<usize> = (0..width).map(|at| at.checked_sub(limit).unwrap_or(FAR)).collect();
    for (row, a) in (1..).zip(left) {
        let mut cells = vec![FAR; width];
        for at in 0..width {
            let Some(column) = (row + at).checked_sub(limit).filter(|column| *column <= right.len()) else { continue };
            let reach = |cells: &[usize], at: Option<usize>| at.and_then(|at| cells.get(at)).copied().unwrap_or(FAR);
            let same = column.checked_sub(1).and_then(|before| right.get(before)).is_some_and(|b| b == a);
            let changed = if column == 0 { FAR } else { reach(&above, Some(at)) + usize::from(!same) };
            let nearest = changed.min(reach(&above, Some(at + 1)) + 1).min(reach(&cells, at.checked_sub(1)) + 1);
            if let Some(cell) = cells.get_mut(at) {
                *cell = nearest;
            }
        }
        if cells.iter().all(|cell| *cell > limit) {
            return None;
        }
        above = cells;
    }
    above.get((right.len() + limit).checked_sub(left.len())?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unique<'a>(wanted: &str, candidates: &[&'a str]) -> Option<&'a str> {
        Candidates::new(candidates.iter().copied()).unique_nearest(wanted, 2, usize::MAX)
    }

    #[test]
    fn a_tie_gives_no_unique_suggestion_but_a_first_one() {
        assert_eq!(unique("spec:a.x", &["spec:a.b", "spec:a.c"]), None);
        assert_eq!(unique("spec:a.bb", &["spec:a.b", "spec:a.ccc"]), Some("spec:a.b"));
        assert_eq!(unique("spec:a.x", &["spec:a.b", "spec:a.b"]), Some("spec:a.b"));
        assert_eq!(first_nearest("Rul", ["Rule", "Rulo"], 2), Some("Rule"));
        assert_eq!(first_nearest("Completely else", ["Rule"], 2), None);
    }

    #[test]
    fn the_limit_is_exact() {
        assert_eq!(unique("spec:orders.create", &["spec:orders.craete"]), Some("spec:orders.craete"));
        assert_eq!(unique("abcdef", &["xbcdey"]), Some("xbcdey"));
        assert_eq!(unique("abcdef", &["xbcyez"]), None);
        assert_eq!(unique("abc", &["abcde"]), Some("abcde"));
        assert_eq!(unique("abc", &["abcdef"]), None);
    }

    #[test]
    fn a_question_that_takes_too_much_work_has_no_answer() {
        let near = Candidates::new(["spec:a.b"]);
        assert_eq!(near.unique_nearest("spec:a.c", 2, 100), Some("spec:a.b"));
        assert_eq!(near.unique_nearest("spec:a.c", 2, 10), None);
        let (long, longer) = ("ab".repeat(9_000), format!("x{}y", "ab".repeat(9_000)));
        assert_eq!(Candidates::new([long.as_str()]).unique_nearest(&longer, 2, usize::MAX), Some(long.as_str()));
    }

    proptest::proptest! {
        #[test]
        fn the_distance_is_the_plain_one(left in "[ab:.]{0,9}", right in "[ab:.]{0,9}") {
            let plain = strsim::levenshtein(&left, &right);
            proptest::prop_assert_eq!(bounded_distance(&left, &right, 2), (plain <= 2).then_some(plain));
            let found = Candidates::new([left.as_str()]).unique_nearest(&right, 2, usize::MAX);
            proptest::prop_assert_eq!(found.is_some(), plain <= 2);
        }
    }
}
