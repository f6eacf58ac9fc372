//! Charges orders.

#[sdp::component(id = "component:shop.billing", layer = "adapter", context = "billing")]
pub mod billing {
    #[sdp::satisfies("spec:shop.charge", id = "impl:shop.billing.charge", component = "component:shop.billing")]
    pub fn charge(cents: u64) -> bool {
        cents > 0
    }
}
