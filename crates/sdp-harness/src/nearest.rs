//! "Did you mean": a filter that matched no case comes in, the name of the case that it was meant for goes out, where one
//! is near.

use sdp_core::suggest::first_nearest;

/// How many edits away a name may be.
const MAX_EDITS: usize = 3;

/// The nearest name: one that holds the filter when capitals do not count, else one that ends in something near it, where
/// an end begins at any level.
pub(crate) fn nearest<'n>(filter: &str, names: &[&'n str]) -> Option<&'n str> {
    let lower = filter.to_lowercase();
    if let Some(name) = names.iter().find(|name| name.to_lowercase().contains(&lower)) {
        return Some(name);
    }
    let limit = MAX_EDITS.min(filter.chars().count() / 2);
    let ends: Vec<(&str, &'n str)> = names.iter().flat_map(|name| ends(name).map(move |end| (end, *name))).collect();
    let end = first_nearest(filter, ends.iter().map(|(end, _)| *end), limit)?;
    ends.iter().find(|(candidate, _)| *candidate == end).map(|(_, name)| *name)
}

fn ends(name: &str) -> impl Iterator<Item = &str> {
    let inner = name.match_indices("::").filter_map(|(at, colons)| name.get(at + colons.len()..));
    std::iter::once(name).chain(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_or_a_near_end_of_one_is_proposed() {
        let names = ["extract::carriers", "check::conformance::orphans", "rule::a::x-ray"];
        for (filter, expected) in [
            ("orfans", Some("check::conformance::orphans")),
            ("ORPHANS", Some("check::conformance::orphans")),
            ("conformance::orphan_", Some("check::conformance::orphans")),
            ("rule::a::x-rai", Some("rule::a::x-ray")),
            ("extract::carrier_", Some("extract::carriers")),
            ("nothing-like-it", None),
            ("q", None),
        ] {
            assert_eq!(nearest(filter, &names), expected, "{filter}");
        }
    }
}
