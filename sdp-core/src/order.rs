//! The one order of everything that is sorted: UTF-16 code units, as the Protocol compares strings (DESIGN part 2).

use std::cmp::Ordering;

/// Compares two strings by their UTF-16 code units. Differs from the byte order only where a character beyond the basic
/// plane meets one between U+E000 and U+FFFF.
#[must_use]
pub fn by_code_units(left: &str, right: &str) -> Ordering {
    if left.is_ascii() && right.is_ascii() {
        return left.cmp(right);
    }
    left.encode_utf16().cmp(right.encode_utf16())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_supplementary_character_sorts_before_the_private_use_area() {
        assert_eq!(by_code_units("\u{1F600}", "\u{FF21}"), Ordering::Less);
        assert_eq!("\u{1F600}".cmp("\u{FF21}"), Ordering::Greater);
        assert_eq!(by_code_units("a-b.sdp.md", "a/b.sdp.md"), Ordering::Less);
        assert_eq!(by_code_units("é", "z"), Ordering::Greater);
    }
}
