//! What comes back of an order, from the outside.

use shop_core::order::Order;
use shop_core::refund::{Part, refund};

/// What comes back, counted coin by coin: slow, and plain enough to be believed.
#[sdp::models("spec:shop.refund")]
fn expected(amount: u64, part: Part) -> u64 {
    let coins = 0..amount;
    match part {
        Part::All => coins.count() as u64,
        Part::Half => coins.filter(|coin| coin % 2 == 1).count() as u64,
    }
}

fn paid_back(amount: u64, part: Part) -> u64 {
    let order = Order::place(&[amount]).expect("the amount is more than nothing");
    refund(&order, part)
}

#[sdp::verifies("spec:shop.refund.whole")]
#[test]
fn a_whole_order_comes_back() {
    assert_eq!(paid_back(4000, Part::All), 4000);
}

#[sdp::verifies("spec:shop.refund.half")]
#[test]
fn half_of_an_order_comes_back() {
    assert_eq!(paid_back(4000, Part::Half), 2000);
}

#[sdp::verifies("spec:shop.refund", label = "Every small amount against the oracle")]
#[test]
fn every_refund_is_what_the_oracle_expects() {
    for amount in 1..100 {
        for part in [Part::All, Part::Half] {
            assert_eq!(paid_back(amount, part), expected(amount, part), "{amount} cents, {part:?}");
        }
    }
}
