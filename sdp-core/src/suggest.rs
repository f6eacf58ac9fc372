//! "Did you mean": the unique nearest of several candidates within a bounded edit distance.

/// The one candidate nearest to `wanted` within `limit` edits (UTF-16 code units, as the Protocol counts them), or none
/// when two are equally near. Used where a tie must not guess (fact sheet part 9).
#[must_use]
pub fn unique_nearest<'a>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    limit: usize,
) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    let mut tied = false;
    for candidate in candidates {
        let Some(distance) = bounded_distance(wanted, candidate, limit) else { continue };
        match best {
            Some((nearest, _)) if distance > nearest => {}
            Some((nearest, held)) if distance == nearest => tied |= held != candidate,
            _ => {
                best = Some((distance, candidate));
                tied = false;
            }
        }
    }
    best.filter(|_| !tied).map(|(_, candidate)| candidate)
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

fn bounded_distance(left: &str, right: &str, limit: usize) -> Option<usize> {
    let (short, long) = (left.len().min(right.len()), left.len().max(right.len()));
    // A UTF-16 unit is at most three bytes, so a larger gap cannot be bridged within the limit.
    if long - short > limit * 3 {
        return None;
    }
    let distance = if left.is_ascii() && right.is_ascii() {
        strsim::generic_levenshtein(&Bytes(left), &Bytes(right))
    } else {
        let (left, right): (Vec<u16>, Vec<u16>) = (left.encode_utf16().collect(), right.encode_utf16().collect());
        strsim::generic_levenshtein(&left, &right)
    };
    (distance <= limit).then_some(distance)
}

struct Bytes<'a>(&'a str);

impl<'b> IntoIterator for &'b Bytes<'_> {
    type Item = u8;
    type IntoIter = std::iter::Copied<std::slice::Iter<'b, u8>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.as_bytes().iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_gives_no_unique_suggestion_but_a_first_one() {
        assert_eq!(unique_nearest("spec:a.x", ["spec:a.b", "spec:a.c"], 2), None);
        assert_eq!(unique_nearest("spec:a.bb", ["spec:a.b", "spec:a.ccc"], 2), Some("spec:a.b"));
        assert_eq!(first_nearest("Rul", ["Rule", "Rulo"], 2), Some("Rule"));
        assert_eq!(first_nearest("Completely else", ["Rule"], 2), None);
    }
}
