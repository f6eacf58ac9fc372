//! Which files are looked at.

use super::*;
use crate::anchor::rust::prefilter::names_one;

#[test]
fn a_file_that_names_none_of_ours_in_code_is_not_looked_at() {
    let cases = [
        "",
        "fn verifies(models: u8) { sdp() }",
        "mod models; use crate::models::Order; let component = 1;",
        "#[derive(Debug)] struct A { models: u8, anchor: u8 }",
        "// #[sdp::verifies(\"spec:a\")]\nfn a() {}",
        "let a = \"#[sdp::verifies]\";",
        "#[component] fn A() {}",
        "#[case(\"spec:a\")] fn a() {}",
        "#[path = \"x\"] mod models;",
    ];
    for text in cases {
        assert!(!may_hold_anchors(text.as_bytes()), "{text}");
    }
    assert!(!may_hold_anchors(b"fn a() { verifies() } // \xE9"));
    assert!(may_hold_anchors(b"#[sdp::anchor] fn a() {} // \xE9"));
}

#[test]
fn a_word_is_found_by_what_stands_around_it() {
    for bytes in
        ["verifies(", "verifies ]", " verifies,", "::verifies/**/", "verifies as v", "\"spec:", "verifies\u{2028}("]
    {
        assert!(names_one(bytes.as_bytes()), "{bytes}");
    }
    for bytes in ["reverifies(", "verifies_all(", "verifies that", "verifiess(", "verifies.", "a_verifies("] {
        assert!(!names_one(bytes.as_bytes()), "{bytes}");
    }
}
