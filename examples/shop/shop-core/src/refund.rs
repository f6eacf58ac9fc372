//! Refunds.

use crate::order::Order;

/// The part of an order that a customer returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    All,
    /// One half.
    Half,
}

/// What is paid back for the returned part of an order. A cent that cannot be halved stays with the shop.
#[sdp::satisfies(
    "spec:shop.refund",
    uses = "impl:shop-core.order.Order.total",
    references = ["spec:shop.words", "spec:shop.decisions.whole-cents"],
)]
pub fn refund(order: &Order, part: Part) -> u64 {
    match part {
        Part::All => order.total(),
        Part::Half => order.total() / 2,
    }
}
