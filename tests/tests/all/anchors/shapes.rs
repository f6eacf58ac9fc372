//! Items of every shape: an attribute and a comment bind each of them at the same place, and `unbound` knows it as bound.

use std::collections::BTreeSet;

use sdp_tests::Repo;
use serde_json::Value;

use super::{bindings, graph, specs};

/// A shape, with `@` where its binding stands, and the row by which `unbound` knows it: the kind, and the path in its module.
const SHAPES: [(&str, &str); 36] = [
    ("@pub fn f() {}", "fn f"),
    ("@pub const fn f() {}", "fn f"),
    ("@pub async fn f() {}", "fn f"),
    ("@pub unsafe fn f() {}", "fn f"),
    ("@pub const unsafe fn f() {}", "fn f"),
    ("@pub async unsafe fn f() {}", "fn f"),
    ("@pub extern \"C\" fn f() {}", "fn f"),
    ("@pub unsafe extern \"C\" fn f() {}", "fn f"),
    ("@pub extern fn f() {}", "fn f"),
    ("@pub fn r#match() {}", "fn r#match"),
    ("@pub fn f<T,>(t: T,) -> impl Fn() -> [T; 1]\nwhere\n    T: Copy + Into<u8>,\n{\n    move || [t]\n}", "fn f"),
    ("@pub fn f<'a, const N: usize>(_: [&'a u8; { N + 1 }]) -> [u8; { const { 1 } }] { [0] }", "fn f"),
    ("@pub fn f() -> <Vec<u8> as IntoIterator>::Item { 1 << 2 >> 1 }", "fn f"),
    ("@#[inline]\n#[must_use]\npub fn f() -> u8 { 0 }", "fn f"),
    ("@/// Documented.\npub fn f() {}", "fn f"),
    ("@pub struct S;", "struct S"),
    ("@pub struct S(pub u8, Vec<Vec<u8>>);", "struct S"),
    ("@pub struct S<T>(T) where T: Copy,;", "struct S"),
    ("@pub struct S<T, const N: usize = { 1 + 1 }>\nwhere\n    T: Copy,\n{\n    pub f: [T; N],\n}", "struct S"),
    ("@pub enum E { A, B(u8), C { c: u8 }, D = 7 }", "enum E"),
    ("@pub enum E<T,> where T: Copy, { A(T) }", "enum E"),
    ("@pub union U { a: u8, b: [u8; { 1 }] }", "union U"),
    ("@pub trait T {}", "trait T"),
    ("@pub unsafe trait T: Copy + for<'a> Into<&'a u8> where Self: Sized, { const C: u8; type A; }", "trait T"),
    ("pub trait T {\n@fn m(&self);\n}", "method T::m"),
    ("pub trait T {\n@fn m(&self) where Self: Sized, {}\n}", "method T::m"),
    ("struct S<const N: usize>;\nimpl S<{ 1 + 1 }> {\n@pub async fn m(self: &Self) {}\n}", "method S::m"),
    ("struct S;\n@impl S {\npub const fn m() {}\n}", "method S::m"),
    ("struct S<T>(T);\nimpl<T> S<T> where T: Copy, {\n@pub unsafe fn m(&mut self) {}\n}", "method S::m"),
    ("@pub const C: [u8; { 2 }] = { [1, 2] };", "const C"),
    ("@pub const C: fn(u8) -> u8 = |u| u;", "const C"),
    ("@pub static S: &str = \"}{\";", "static S"),
    ("@pub static mut S: char = '{';", "static S"),
    ("@pub type A<T> where T: Copy, = Vec<T>;", "type A"),
    ("@pub mod m {\npub fn f() {}\n}", "fn m::f"),
    ("@#[test]\nfn t() {}", "test t"),
];

/// What binds a shape in the module with a number; nothing leaves it unbound.
type Binding = fn(usize) -> String;

fn attribute(number: usize) -> String {
    format!("#[sdp::satisfies(\"spec:a\", id = \"impl:s{number}\")]\n")
}

fn comment(number: usize) -> String {
    format!("// @sdpAnchor impl:s{number}\n// @sdpSatisfies spec:a\n")
}

/// A library with a module for each shape.
fn library(shapes: &[(&str, &str)], binding: Binding) -> Repo {
    let manifest = "[package]\nname = 'shop'\nedition = '2024'\n\n[dependencies]\nsdp = { package = 'sdp-anchors', version = '0.1' }\n";
    let mut repo = specs().file("Cargo.toml", manifest);
    let mut lib = String::new();
    for (number, (shape, _)) in shapes.iter().enumerate() {
        lib.push_str(&format!("mod s{number};\n"));
        repo = repo.file(&format!("src/s{number}.rs"), shape.replace('@', &binding(number)));
    }
    repo.file("src/lib.rs", lib)
}

/// The rows of `unbound`, as `<kind> <path>`.
fn unbound(repo: &Repo) -> BTreeSet<String> {
    let run = repo.sdp(["unbound", "--json"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    let items = answer["packages"][0]["items"].as_array().unwrap();
    items.iter().map(|item| format!("{} {}", item["kind"].as_str().unwrap(), item["path"].as_str().unwrap())).collect()
}

#[test]
#[sdp::verifies("spec:sdp.anchors.extraction", "spec:sdp.unbound")]
fn every_shape_is_bound_by_an_attribute_and_by_a_comment_at_the_same_place() {
    let all = unbound(&library(&SHAPES, |_| String::new()));
    let row = |(number, (_, row)): (usize, &(&str, &str))| {
        let (kind, path) = row.split_once(' ').unwrap();
        format!("{kind} shop::s{number}::{path}")
    };
    let rows: BTreeSet<String> = SHAPES.iter().enumerate().map(row).collect();
    assert_eq!(rows.difference(&all).collect::<Vec<_>>(), Vec::<&String>::new());
    let mut places = Vec::new();
    for binding in [attribute, comment] {
        let repo = library(&SHAPES, binding);
        let graph = graph(&repo);
        let mut expected: Vec<String> =
            (0..SHAPES.len()).map(|number| format!("impl:s{number} satisfies spec:a")).collect();
        expected.sort();
        assert_eq!(bindings(&graph), expected);
        assert_eq!(unbound(&repo), all.difference(&rows).cloned().collect());
        let nodes = graph["nodes"].as_array().unwrap().iter().filter(|node| node["claim"] == "anchored");
        places.push(nodes.map(|node| node["line"].as_u64().unwrap()).collect::<Vec<_>>());
    }
    assert_eq!(places[0], places[1]);
}

#[test]
fn what_an_extern_block_declares_is_bound_and_is_no_public_item_of_the_library() {
    let block = [("unsafe extern \"C\" {\n@pub safe fn f();\n}", "")];
    assert_eq!(unbound(&library(&block, |_| String::new())), BTreeSet::new());
    for binding in [attribute, comment] {
        assert_eq!(bindings(&graph(&library(&block, binding))), ["impl:s0 satisfies spec:a"]);
    }
}
