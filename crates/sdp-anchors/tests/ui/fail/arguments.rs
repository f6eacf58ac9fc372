//! What no argument is. Each item is used below: an error leaves it as it is.

extern crate sdp_anchors as sdp;

const SPEC: &str = "spec:a";

// No strings.
#[sdp::satisfies(b"spec:a")]
#[sdp::satisfies(concat!("spec:", "a"))]
#[sdp::satisfies(SPEC)]
#[sdp::satisfies(crate::SPEC, 1, 'a', c"spec:a", br#"spec:a"#)]
#[sdp::satisfies(["spec:a", "spec:b"])]
#[sdp::satisfies("spec:a" "spec:b")]
#[sdp::satisfies("spec:a", label = 1, role = ROLE, uses = [SPEC, "impl:a"], references = ("spec:b"))]
#[sdp::satisfies("spec:a", label = ["a"], label == "a")]
fn strings() {}

// Names.
#[sdp::satisfies("spec:a", lable = "x")]
#[sdp::satisfies("spec:a", r#id = "impl:a")]
#[sdp::satisfies("spec:a", status = "done")]
#[sdp::satisfies("spec:a", id = "impl:a", label = "a", label = "b", id = "impl:b")]
#[sdp::satisfies(satisfies = "spec:a")]
#[sdp::satisfies("spec:a", verifies = "spec:b")]
#[sdp::anchor(satisfies = ["spec:a"])]
#[sdp::verifies("spec:a", role = "x", uses = "impl:a", layer = "edge")]
#[sdp::models("spec:a", references = "spec:b", satisfies = "spec:c")]
#[sdp::satisfies("spec:a", id)]
#[sdp::satisfies("spec:a", id =)]
#[sdp::satisfies("spec:a", id = , label = "x")]
fn names() {}

// Too many and too few.
#[sdp::satisfies]
#[sdp::satisfies()]
#[sdp::satisfies(id = "impl:a")]
#[sdp::verifies]
#[sdp::models]
#[sdp::anchor("spec:a", "spec:b")]
#[sdp::satisfies(,)]
#[sdp::satisfies("spec:a",, "spec:b")]
fn numbers() {}

fn main() {
    strings();
    names();
    numbers();
    let _ = SPEC;
}
