//! Places orders.

#[sdp::component(id = "component:shop.orders", layer = "application", context = "orders")]
pub mod orders {
    #[sdp::satisfies(
        "spec:shop.order",
        id = "impl:shop.orders.place",
        component = "component:shop.orders",
        uses = [
            "impl:shop.money.sum",
            "impl:shop.billing.charge",
        ]
    )]
    pub fn place(cents: &[u64]) -> bool {
        crate::billing::charge(crate::money::sum(cents))
    }
}
