//! What an argument may not say. Each item is used below: an error leaves it as it is.

extern crate sdp_anchors as sdp;

// Ids.
#[sdp::satisfies("shop.refund")]
#[sdp::satisfies("spec:shop_refund", "spec:ok", "spec: a")]
#[sdp::satisfies("spec:shop.refund#rule.onceOnly")]
#[sdp::satisfies("impl:shop.refund")]
#[sdp::satisfies(r"", "Spec:a", "spec:", "spec:a..b", "spec:a#x", "spec:\u{e9}")]
fn ids() {}

// The namespace of the id.
#[sdp::satisfies("spec:a", id = "test:a")]
#[sdp::anchor(id = "spec:a")]
#[sdp::component(id = "impl:a")]
#[sdp::verifies("spec:a", id = "impl:a")]
#[sdp::models("spec:a", id = "test:a")]
#[sdp::satisfies("spec:a", id = "impl:a_b", label = "x")]
fn namespaces() {}

// Targets.
#[sdp::satisfies("spec:a", "spec:a")]
#[sdp::verifies("spec:a", "spec:b", "spec:a")]
#[sdp::satisfies("spec:a", references = ["spec:b", "spec:a", "spec:b"])]
#[sdp::anchor(uses = ["impl:a", "impl:a", "spec:b"], component = "impl:c")]
#[sdp::anchor(uses = [], references = [])]
#[sdp::anchor(uses = "")]
#[sdp::models("spec:a", "spec:b", "spec:c")]
fn targets() {}

// Vocabulary.
#[sdp::satisfies("spec:a", role = "Two words")]
#[sdp::component(layer = "domian", context = "Sales")]
#[sdp::component(layer = "presentation")]
#[sdp::satisfies("spec:a", layer = "domain", context = "sales")]
#[sdp::satisfies("spec:a", layer = "wrong", id = "api:a")]
fn vocabulary() {}

// All of one attribute at once.
#[sdp::satisfies("a", "spec:b", role = "R", id = "b", "spec:b", lable = "x", component = 7,)]
fn at_once() {}

fn main() {
    ids();
    namespaces();
    targets();
    vocabulary();
    at_once();
}
