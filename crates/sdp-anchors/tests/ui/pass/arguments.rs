//! Every way to write what an attribute takes.

extern crate sdp_anchors as sdp;

#[sdp::anchor]
#[sdp::anchor()]
#[sdp::anchor {}]
#[sdp::component]
#[sdp::component[]]
#[sdp::satisfies("spec:a.b",)]
#[sdp::satisfies["spec:a.b", "spec:A-1.b-2"]]
#[sdp::satisfies(r"spec:a.b", r#"spec:a.c"#, "spec:\u{61}.\x64")]
#[sdp::satisfies(id = "api:a", "spec:a.b", label = "Prose — of any sort", "spec:a.c")]
#[sdp::satisfies("spec:a.b", references = "spec:d", uses = "impl:c", component = "component:c", role = "a-role-2")]
#[sdp::anchor(references = ["spec:d", r"spec:e",], uses = ["impl:c", "api:c", "component:c"], id = "impl:x")]
#[sdp::component("spec:a.b", id = "component:x", layer = "edge", context = "sales", component = "component:y")]
#[sdp::satisfies("spec:a.b", id = "component:x", layer = "infrastructure", context = "sales")]
#[sdp::verifies("spec:a.b", "spec:a.c", id = "test:x", label = "")]
#[sdp::models("spec:a.b", id = "oracle:x", label = r##"raw "# text"##)]
#[sdp::satisfies(
    "spec:a.\
     b"
)]
fn item() {}

macro_rules! bound {
    ($spec:literal, $id:literal, $($more:expr),* ; $($rest:tt)*) => {
        #[sdp::satisfies($spec, $($more,)* id = $id, $($rest)*)]
        fn passed_on() {}
    };
}

bound! { "spec:a.b", "impl:a", "spec:a.c", "spec:a.d" ; label = "x" }

fn main() {
    item();
    passed_on();
}
