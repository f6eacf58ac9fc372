//! What the storefront computes.

/// What the lines of a cart cost together, in cents.
// @sdpAnchor impl:storefront.total
// @sdpSatisfies spec:storefront.cart
// @sdpReferences spec:storefront.decisions.whole-cents
pub fn total(lines: &[(u64, u64)]) -> u64 {
    lines.iter().map(|(quantity, cents)| quantity * cents).sum()
}
