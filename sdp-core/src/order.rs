//! The one order of everything that is sorted: UTF-16 code units, as the Protocol compares strings (DESIGN part 2). Two texts
//! come in; which of them stands first goes out.

#[sdp::satisfies("spec:sdp.graph.one-order", id = "impl:sdp-core.order.by-code-units")]
pub use sdp_canon::order::by_code_units;

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;

    #[test]
    #[sdp::verifies("spec:sdp.graph.one-order")]
    fn a_supplementary_character_sorts_before_the_private_use_area() {
        assert_eq!(by_code_units("\u{1F600}", "\u{FF21}"), Ordering::Less);
        assert_eq!("\u{1F600}".cmp("\u{FF21}"), Ordering::Greater);
        assert_eq!(by_code_units("a-b.sdp.md", "a/b.sdp.md"), Ordering::Less);
        assert_eq!(by_code_units("é", "z"), Ordering::Greater);
    }
}
