//! Items from which no id follows, and attributes that only the compiler sees. Each is used below: an error leaves it as it
//! is.

extern crate sdp_anchors as sdp;

struct Order;

#[sdp::satisfies("spec:a")]
impl Order {
    #[sdp::satisfies("spec:a")]
    fn größe() {}

    #[sdp::satisfies("spec:b c")]
    fn named() {}
}

#[sdp::anchor]
unsafe impl Send for Order {}

#[sdp::verifies("spec:a")]
fn __() {}

#[sdp::anchor]
const _: u8 = 1;

#[sdp::component("spec:a", label = "x")]
use std::collections::BTreeMap;

#[sdp::anchor]
extern crate core as other;

#[sdp::anchor]
unsafe extern "C" {}

#[sdp::models("spec:a")]
macro_rules! one {
    () => {
        1
    };
}

#[sdp::anchor]
union! {}

macro_rules! union {
    () => {};
}
use union;

macro_rules! bound {
    ($spec:literal) => {
        #[sdp::satisfies($spec)]
        fn passed_on() {}
    };
}

bound! { "spec:a_b" }

fn main() {
    passed_on();
    Order::größe();
    Order::named();
    __();
    let _: BTreeMap<u8, u8> = BTreeMap::new();
    let _: u8 = one!();
    let _: other::option::Option<u8> = None;
    #[sdp::satisfies("spec:a_b")]
    fn inner() {}
    inner();
}
