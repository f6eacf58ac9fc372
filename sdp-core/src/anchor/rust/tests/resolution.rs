//! Which attributes are ours.

use super::*;

#[test]
fn an_attribute_is_ours_where_its_path_leads_to_our_crate() {
    let cases = [
        "#[::sdp::anchor] fn a() {}",
        "#[sdp :: r#anchor] fn a() {}",
        "# [ /* x */ sdp::anchor() ] fn a() {}",
        "#[sdp::anchor[]] fn a() {}",
        "use sdp::anchor; #[anchor] fn a() {}",
        "#[anchor] fn a() {} use sdp::anchor;",
        "use ::sdp::anchor; #[anchor] fn a() {}",
        "use sdp::{satisfies as s, anchor as b}; #[b] fn a() {}",
        "use {std::fmt, sdp::{self, anchor}}; #[anchor] fn a() {}",
        "use sdp as x; #[x::anchor] fn a() {}",
        "use sdp::{self as x}; #[x::anchor] fn a() {}",
        "use sdp as x; use x::anchor as y; #[y] fn a() {}",
        "use sdp::*; #[anchor] fn a() {}",
        "use sdp; #[sdp::anchor] fn a() {}",
        "extern crate sdp as x; #[x::anchor] fn a() {}",
        "extern crate sdp; #[sdp::anchor] fn a() {}",
        "#[macro_use] extern crate sdp; #[anchor] fn a() {}",
        "#[cfg_attr(all(), sdp::anchor)] fn a() {}",
        "#[cfg_attr(any(a, b = \"c\"), inline, cfg_attr(x, cold, sdp::anchor(label = \"x\")))] fn a() {}",
        "use self::b::*; mod b { pub use sdp::anchor; } #[anchor] fn a() {}",
        "use b::c; mod b { pub use sdp::anchor as c; } #[c] fn a() {}",
        "use self::b::anchor; mod b { pub use sdp::anchor; } #[anchor] fn a() {}",
        "use b::c as d; mod b { pub use sdp::anchor as c; } #[d] fn a() {}",
        "use std::*; use sdp::*; #[anchor] fn a() {}",
        "use b::*; use c::*; use d::*; use e::*; use f::*; use g::*; use sdp::*; #[anchor] fn a() {}",
        "pub use b::*; mod b { use super::*; } use sdp::*; #[anchor] fn a() {}",
        "use sdp as x; use self::b::*; mod b { pub use super::x as y; } use y::*; #[anchor] fn a() {}",
        "mod anchor {} use sdp::anchor; #[anchor] fn a() {}",
        "mod anchor {} use sdp::*; #[anchor] fn a() {}",
        "use crate::anchor; use sdp::anchor; #[anchor] fn a() {}",
        "use*;#[sdp::anchor]fn a() {}",
    ];
    for text in cases {
        assert!(may_hold_anchors(text.as_bytes()), "{text}");
        assert_eq!(ids(text), ["impl:shop.orders.a"], "{text}");
    }
    let cases = [
        "use sdp::anchor; mod b { use super::*; #[anchor] fn a() {} }",
        "use sdp::anchor; mod b { use super::anchor; #[anchor] fn a() {} }",
        "use sdp as x; mod b { use super::x::anchor; #[anchor] fn a() {} }",
        "use sdp::anchor as s; mod b { #[super::s] fn a() {} }",
        "use sdp::anchor as s; mod b { use super::s as t; #[t] fn a() {} }",
        "use sdp as x; mod b { use super::*; use x::*; #[anchor] fn a() {} }",
        "use sdp::anchor; mod b { use std::*; use super::*; #[anchor] fn a() {} }",
        "mod b { use sdp::anchor; #[anchor] fn a() {} }",
        "mod b { #[sdp::anchor] fn a() {} }",
        "extern crate sdp as x; mod b { #[x::anchor] fn a() {} }",
    ];
    for text in cases {
        assert!(may_hold_anchors(text.as_bytes()), "{text}");
        assert_eq!(ids(text), ["impl:shop.orders.b.a"], "{text}");
    }
}

#[test]
fn the_crate_has_the_names_that_its_package_gives_it() {
    let place = FilePlace { crate_names: vec!["specs".to_owned(), "sdp_anchors".to_owned()], ..place() };
    for text in ["#[specs::anchor] fn a() {}", "#[sdp_anchors::anchor] fn a() {}", "use specs::*; #[anchor] fn a() {}"]
    {
        assert!(may_hold_anchors(text.as_bytes()), "{text}");
        assert_eq!(told(text, &place), ["1 impl:shop.orders.a"], "{text}");
    }
    assert_eq!(told("#[sdp::anchor] fn a() {}", &place), [""; 0]);
}

#[test]
fn an_attribute_of_another_crate_is_left_alone() {
    let cases = [
        "#[component] fn a() {}",
        "use leptos::*; #[component] pub fn A(cx: Scope) -> impl IntoView {}",
        "use leptos::component; #[component(transparent)] fn a() {}",
        "use leptos::component; use sdp::*; #[component] fn A() {}",
        "#[leptos::component] fn a() {}",
        "#[diesel::models(table)] struct A;",
        "#[anchor] fn a() {}",
        "#[anchor(id = 3)] mod a {}",
        "use anchor_lang::prelude::*; #[component(\"x\")] fn a() {}",
        "mod b { use sdp::anchor; } #[anchor] fn a() {}",
        "use sdp::anchor; mod b { #[anchor] fn a() {} }",
        "mod sdp {} #[sdp::anchor] fn a() {}",
        "#[case(\"spec:a\")] fn a() {}",
        "#[rstest::case(\"spec:a\")] fn a() {}",
        "use a as b; use b as a; #[a::anchor] fn a() {}",
        "use self::*; use super::*; #[anchor] fn a() {}",
    ];
    for text in cases {
        assert_eq!(told(text, &place()), [""; 0], "{text}");
    }
}

#[test]
fn what_looks_like_a_binding_and_leads_nowhere_is_told() {
    let cases = [
        "#[satisfies(\"spec:a\")] fn a() {}",
        "#[other::verifies(label = \"x\", \"spec:a\")] fn a() {}",
        "use crate::prelude::*; #[satisfies(\"spec:a\")] fn a() {}",
        "use super::satisfies; #[satisfies(r#\"spec:a\"#)] fn a() {}",
        "use sdp::satisfies; mod b { #[satisfies(\"spec:a\")] fn a() {} }",
        "#[component(id = \"component:a\")] fn a() {}",
        "#[sdp::verfies(\"spec:a\")] fn a() {}",
    ];
    for text in cases {
        assert!(may_hold_anchors(text.as_bytes()), "{text}");
        assert_eq!(findings(text), ["sdp/unresolved-anchor"], "{text}");
    }
    assert_eq!(
        told("\n#[b::satisfies(\"spec:a\")] fn a() {}", &place()),
        [
            "a.rs:2 — [warning] sdp/unresolved-anchor — \"#[b::satisfies]\" looks like a binding, but nothing in this file leads from its name to `sdp-anchors`, so it binds nothing"
        ]
    );
    let Read { findings, .. } = read("a.rs", "#[sdp::verfies(\"spec:a\")] fn a() {}", &place());
    assert_eq!(findings[0].remedy(), "did you mean `verifies`?");
    let alone = FilePlace { crate_names: Vec::new(), ..place() };
    let Read { findings, .. } = read("a.rs", "#[sdp::verifies(\"spec:a\")] fn a() {}", &alone);
    assert_eq!(
        findings[0].remedy(),
        "add the dependency `sdp = { package = \"sdp-anchors\", … }`, or remove the attribute if it is another crate's"
    );
    assert!(findings[0].message.contains("its package does not depend on `sdp-anchors`"));
}

#[test]
fn a_path_from_the_crate_leads_through_its_root_file_alone() {
    let root = FilePlace { modules: Vec::new(), ..place() };
    let texts = [
        "use crate::p::anchor; mod p { pub use sdp::anchor; } #[anchor(label = \"x\")] fn a() {}",
        "mod p { pub use sdp::anchor as x; } #[crate::p::x] fn a() {}",
        "use crate::p::*; mod p { pub use sdp::anchor; } #[anchor] fn a() {}",
        "use sdp::anchor as x; #[self::x] fn a() {}",
    ];
    for text in texts {
        assert_eq!(told(text, &root), ["1 impl:shop.a"], "{text}");
    }
    // `crate` is another file here, and says nothing of the module `p` of this one.
    assert_eq!(told(texts[0], &place()), [""; 0]);
    let ring = "use crate::a::x; mod a { pub use crate::x; } #[x(\"spec:a\")] fn b() {}";
    assert_eq!(told(ring, &root), [""; 0]);
}
