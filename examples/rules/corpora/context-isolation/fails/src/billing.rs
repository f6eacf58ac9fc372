//! Charges orders.

#[sdp::component(id = "component:shop.billing", layer = "adapter", context = "billing")]
pub mod billing {
    #[sdp::satisfies("spec:shop.charge", id = "impl:shop.billing.card", component = "component:shop.billing")]
    pub fn card(cents: u64) -> bool {
        cents > 0
    }
}
