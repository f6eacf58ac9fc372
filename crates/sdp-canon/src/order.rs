//! The one order of everything that is sorted. Two texts come in; which of them stands first by UTF-16 code units, as RFC 8785
//! sorts the keys of an object, goes out.

use std::cmp::Ordering;

/// Compares two strings by their UTF-16 code units. Differs from the byte order only where a character beyond the basic
/// plane meets one between U+E000 and U+FFFF.
#[must_use]
pub fn by_code_units(left: &str, right: &str) -> Ordering {
    let differing = left.bytes().zip(right.bytes()).find(|(left, right)| left != right);
    match differing {
        None => left.len().cmp(&right.len()),
        // The first byte of a character beyond the plane, and the two that open a character that its surrogates precede.
        Some((0xF0.., 0xEE | 0xEF)) => Ordering::Less,
        Some((0xEE | 0xEF, 0xF0..)) => Ordering::Greater,
        Some((left, right)) => left.cmp(&right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_planes_meet_as_their_surrogates_do() {
        assert_eq!(by_code_units("\u{1F600}", "\u{FB01}"), Ordering::Less);
        assert_eq!(by_code_units("\u{E000}", "\u{10FFFF}"), Ordering::Greater);
        assert_eq!(by_code_units("\u{D7FF}", "\u{10000}"), Ordering::Less);
        assert_eq!(by_code_units("", "a"), Ordering::Less);
        assert_eq!(by_code_units("a", "a"), Ordering::Equal);
    }

    proptest::proptest! {
        #[test]
        fn the_order_is_that_of_the_code_units(left in ".{0,4}", right in ".{0,4}", shared in ".{0,2}") {
            let (left, right) = (format!("{shared}{left}"), format!("{shared}{right}"));
            proptest::prop_assert_eq!(by_code_units(&left, &right), left.encode_utf16().cmp(right.encode_utf16()));
        }
    }
}
