//! `shop <cents>…`: places an order with these prices and says what a half of it would bring back.

use std::process::ExitCode;

use shop_core::order::Order;
use shop_core::refund::{Part, refund};

#[sdp::anchor(uses = ["impl:shop-core.order.Order.place", "impl:shop-core.refund.refund"], role = "entry-point")]
fn main() -> ExitCode {
    let prices: Result<Vec<u64>, _> = std::env::args().skip(1).map(|price| price.parse()).collect();
    let Ok(prices) = prices else {
        eprintln!("a price is a whole number of cents");
        return ExitCode::FAILURE;
    };
    match Order::place(&prices) {
        Ok(order) => {
            println!("{} cents, {} of them for a half", order.total(), refund(&order, Part::Half));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("no order: {error:?}");
            ExitCode::FAILURE
        }
    }
}
