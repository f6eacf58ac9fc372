//! Rust: comments bind between items, by the tokens around them.

use super::*;

const MISPLACED: &str =
    "misplaced reserved tag: an @sdp… tag binds only from a comment between items, never from a nested position";

#[test]
fn a_comment_binds_between_items_wherever_items_stand() {
    let text = "\
//! @sdpAnchor impl:file
#![allow(dead_code)]
mod a {
    // @sdpAnchor impl:module
    pub unsafe trait B<const N: usize> where [(); { 1 }]: {
        /// @sdpAnchor impl:trait
        fn c(&self) -> u8 { 1 }
    }
    impl<T> B<{ 1 }> for [T; 2] where T: Into<u8> {
        #[inline]
        // @sdpAnchor impl:impl
        pub(crate) fn c(&self) -> u8 { 2 }
    }
    unsafe extern \"C\" {
        /** @sdpAnchor impl:extern */
        safe fn d();
    }
}
struct E(u8); // @sdpAnchor impl:struct
const F: u8 = { 1 };
// @sdpAnchor impl:const
macro_rules! g { () => {} }
// @sdpAnchor impl:macro
g! {}
/*
 * @sdpAnchor impl:end
 */
";
    let lines = [
        ("file", 1),
        ("module", 4),
        ("trait", 6),
        ("impl", 11),
        ("extern", 15),
        ("struct", 19),
        ("const", 21),
        ("macro", 23),
        ("end", 25),
    ];
    let expected: Vec<String> = lines.iter().map(|(name, line)| format!("impl:{name}@{line}")).collect();
    assert_eq!(given("a.rs", text), expected);
}

#[test]
fn a_comment_behind_a_where_clause_with_a_last_comma_binds() {
    let heads = [
        "fn a<T>()\nwhere\n    T: B,\n{ if x < y {} }",
        "impl<T> A for B<T>\nwhere\n    T: Fn() -> C<D<u8>>,\n{\n}",
        "impl<T> A<{ 1 }, { 2 }> for B where T: C<{ 3 }, { 4 }>, {}",
        "struct A<T, const N: usize = { 1 }> where T: B, { a: T }",
        "pub trait A: B<u8> where [u8; { 1 < 2 } as usize]: C, {}",
    ];
    for head in heads {
        let line = 2 + head.matches('\n').count();
        assert_eq!(given("a.rs", &format!("{head}\n// @sdpAnchor impl:a\n")), [format!("impl:a@{line}")], "{head}");
    }
    let text = "impl<T> A for B<T>\nwhere\n    T: C,\n{\n    // @sdpAnchor impl:a\n    fn a() {}\n}\n";
    assert_eq!(given("a.rs", text), ["impl:a@5"]);
}

#[test]
fn a_comment_inside_an_item_is_an_error() {
    let cases = [
        "fn a() {\n// @sdpAnchor impl:no\n}",
        "impl A {\nfn a() {\n// @sdpAnchor impl:no\n}\n}",
        "struct A {\n/// @sdpAnchor impl:no\nb: u8 }",
        "enum A {\n// @sdpAnchor impl:no\nB }",
        "const A: u8 =\n// @sdpAnchor impl:no\n1;",
        "macro_rules! a { () => {\n// @sdpAnchor impl:no\n} }",
        "a! { mod b {\n// @sdpAnchor impl:no\n} }",
        "fn a(\n// @sdpAnchor impl:no\nb: u8) {}",
        "fn a() { mod b {\n/* @sdpAnchor impl:no */\n} }",
        "extern \"C\" fn a() {\n// @sdpAnchor impl:no\n}",
        "fn a() -> impl B {\n// @sdpAnchor impl:no\n}",
        "#[a(\n// @sdpAnchor impl:no\n)] fn b() {}",
        "impl A\n// @sdpAnchor impl:no\n{}",
    ];
    for text in cases {
        let line = 1 + text.split("@sdp").next().unwrap().matches('\n').count();
        assert_eq!(given("a.rs", text), [format!("!{line} {MISPLACED}")], "{text}");
        // What follows the item binds again.
        let more = format!("{text}\n// @sdpAnchor impl:a\nfn z() {{}}\n");
        assert_eq!(read_file("a.rs", &more).anchors.len(), 1, "{text}");
    }
    // One finding for a comment, and prose is none.
    assert_eq!(given("a.rs", "fn a() {\n// @sdpAnchor impl:no\n// @sdpLabel x\n// prose\n}").len(), 1);
    assert_eq!(given("a.rs", "fn a() {\n// as @sdpAnchor impl:no says\n}"), Vec::<String>::new());
}

#[test]
fn the_sorts_of_line_comments_are_blocks_of_their_own() {
    let text = "//! @sdpAnchor impl:a\n/// @sdpAnchor impl:b\n// @sdpAnchor impl:c\n//// @sdpLabel of c\n/// @sdpAnchor impl:d\n";
    assert_eq!(given("a.rs", text), ["impl:a@1", "impl:b@2", "impl:c@3", "impl:d@5"]);
}

#[test]
fn examples_in_documentation_bind_nothing() {
    let text = "/// Prose:\n/// ```\n/// @sdpAnchor impl:no\n/// ```rust\n/// ```\n/// @sdpAnchor impl:a\nfn a() {}\n";
    assert_eq!(given("a.rs", text), ["impl:a@1"]);
    let text = "/**\n * ~~~~text\n * @sdpAnchor impl:no\n * ~~~\n */\nfn a() {}\n";
    assert_eq!(given("a.rs", text), Vec::<String>::new());
    // A plain comment is no Markdown.
    assert_eq!(given("a.rs", "// ```\n// @sdpAnchor impl:a\n"), ["impl:a@1"]);
}

#[test]
fn a_test_has_no_symbol_in_this_form() {
    let read = read_file("a.rs", "// @sdpAnchor test:a\n// @sdpVerifies spec:a\n#[test]\nfn a() {}\n");
    assert_eq!(read.anchors[0].symbol, None);
}
