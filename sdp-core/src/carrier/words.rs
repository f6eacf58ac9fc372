//! Words that all carriers treat alike: a name or key comes in; whether it may be authored, and which known word it is near
//! to, goes out.

use crate::model::FACT_NAMES;
use crate::suggest::first_nearest;

/// What is never authored beside the delivery facts: another spelling of one, claims and derived edges.
const RESERVED: [&str; 9] =
    ["hasVerifier", "claim", "deliveryFacts", "nodeType", "specKind", "satisfies", "verifies", "belongsTo", "models"];

/// How far a word may be from the one that was meant.
const NEAR: usize = 2;

/// Whether a name is that of a delivery fact, a claim or a derived edge: neither a field of an envelope nor an entry's key.
pub(super) fn is_reserved(name: &str) -> bool {
    FACT_NAMES.contains(&name) || RESERVED.contains(&name)
}

/// Whether a key reads as an array index does, which would lose its authored place in a JavaScript object.
pub(super) fn is_integer_like(key: &str) -> bool {
    key == "0" || (!key.starts_with('0') && !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The one word that was meant, whatever its capitals.
pub(super) fn nearest<'k>(written: &str, known: &[&'k str]) -> Option<&'k str> {
    let same = known.iter().copied().find(|word| word.eq_ignore_ascii_case(written));
    same.or_else(|| first_nearest(written, known.iter().copied(), NEAR))
}
