//! Amounts in cents, for every context.

#[sdp::component(id = "component:shop.money", layer = "domain", context = "shared")]
pub mod money {
    #[sdp::anchor(id = "impl:shop.money.sum", component = "component:shop.money")]
    pub fn sum(cents: &[u64]) -> u64 {
        cents.iter().sum()
    }
}
