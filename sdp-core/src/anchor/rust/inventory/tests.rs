use super::*;

/// The items of a text as `line kind path`, with a `!` where an anchor on one of these lines binds.
fn rows(text: &str, anchors: &[u32]) -> Vec<String> {
    let row = |item: Item| {
        let bound = if item.is_bound { " !" } else { "" };
        format!("{} {} {}{bound}", item.line, item.kind.as_str(), item.path.join("::"))
    };
    read(text, anchors).unwrap().items.into_iter().map(row).collect()
}

#[test]
fn plainly_public_items_of_every_sort_count() {
    let text = "
pub fn a() {} pub(crate) fn no() {} fn no() {} pub(in x) struct No;
pub struct B(pub u8); pub struct C { pub d: u8 } pub enum D { E } pub union U { a: u8 }
pub trait T { fn m(&self); fn n() {} const X: u8 = { 1 }; type Y; }
trait Hidden { fn m(&self); }
pub type A = [u8; { 3 }]; pub const K: u8 = { 1 }; pub static mut S: u8 = 1; pub const _: () = {};
pub const fn k() {} pub async unsafe extern \"C\" fn e() {}
pub mod m { pub fn inside() {} mod n { pub(super) fn no() {} pub fn deep() {} } } pub fn z() {}
pub use x::{y, z}; pub extern crate q; extern \"C\" { pub fn foreign(); }";
    let expected = [
        "2 fn a",
        "3 struct B",
        "3 struct C",
        "3 enum D",
        "3 union U",
        "4 trait T",
        "4 method T::m",
        "4 method T::n",
        "6 type A",
        "6 const K",
        "6 static S",
        "7 fn k",
        "7 fn e",
        "8 fn m::inside",
        "8 fn m::n::deep",
        "8 fn z",
    ];
    assert_eq!(rows(text, &[]), expected);
}

#[test]
fn methods_count_where_the_block_is_inherent() {
    let text = "
impl<T: for<'a> Fn(&'a T) -> u8> a::Order<T> where T: X<Y> { pub fn total(&self) {} fn no() {} pub const C: u8 = 1; }
impl<T> From<T> for Order<T> { fn from(t: T) -> Self { fn pub_() {} } }
impl dyn Any { pub fn is(&self) {} } impl dyn Q<T> + Send + 'static { pub fn of(&self) {} }
impl<const N: usize> Grid<{ N }> { pub const fn at(&self) {} }
pub trait Of<T, const N: usize = { 1 }>: Fn() -> u8 where T: A<{ 2 }> { fn of(); }
pub fn f<const N: usize = { 1 }>() -> A<{ 2 }, fn(u8) -> u8> { pub fn no() {} }";
    let expected = [
        "2 method Order::total",
        "4 method Any::is",
        "4 method Q::of",
        "5 method Grid::at",
        "6 trait Of",
        "6 method Of::of",
        "7 fn f",
    ];
    assert_eq!(rows(text, &[]), expected);
}

#[test]
fn bodies_and_macros_hold_no_items() {
    let text = "
fn f() { pub fn no() {} #[test] fn no() {} }
macro_rules! m { () => { pub fn no() {} } } m! { pub fn no() {} } m!(pub fn no() {}); thread_local! { pub static NO: u8 = 1 }
pub fn after() {}";
    assert_eq!(rows(text, &[]), ["4 fn after"]);
}

#[test]
fn an_attribute_makes_a_test_and_hides_an_item() {
    let text = "
#[test] fn a() {}
#[tokio::test(flavor = \"multi_thread\")] async fn b() {}
#[rstest] #[case(1)] pub fn c() {}
#[should_panic] fn no() {}
#[doc(hidden)] pub fn no() {} #[doc = \"hidden\"] pub fn yes() {}
#[cfg(test)] mod tests { pub fn no() {} #[test] fn d() {} }
#[cfg(not(test))] pub fn real() {} #[doc(hidden)] pub mod m { pub fn no() {} }";
    assert_eq!(rows(text, &[]), ["2 test a", "3 test b", "4 test c", "6 fn yes", "7 test tests::d", "8 fn real"]);
}

#[test]
fn what_makes_a_test_for_a_binding_makes_one_here() {
    let names =
        ["bench", "case(1)", "googletest", "proptest", "property_test", "test_casing(2, 3)", "cfg_attr(x, test)"];
    for name in names.into_iter().chain(["cfg_attr(x, cfg_attr(y, ignore, tokio::test))", "::core::prelude::v1::test"])
    {
        assert_eq!(rows(&format!("#[{name}] fn a() {{}}"), &[]), ["1 test a"], "{name}");
    }
    for name in ["cfg_attr(test, inline)", "cfg(test)", "doc(test)", "test::other"] {
        assert_eq!(rows(&format!("#[{name}] fn a() {{}}"), &[]), [""; 0], "{name}");
    }
}

#[test]
fn what_exists_in_tests_alone_is_not_public() {
    let text = "
#[cfg(all(test, not(miri)))] pub mod m { pub fn no() {} }
#[cfg(any(test, feature = \"x\"))] pub fn a() {}
#[cfg(any(test, all(test, unix)))] pub fn no() {}
#[cfg_attr(x, cfg(test))] pub fn b() {}
#[cfg_attr(x, doc(hidden))] pub fn c() {}
#[cfg_attr(x, doc(hidden))] #[doc(hidden)] pub fn no() {}";
    assert_eq!(rows(text, &[]), ["3 fn a", "5 fn b", "6 fn c"]);
}

#[test]
fn an_anchor_binds_what_it_stands_directly_above() {
    let text = "\
// about nothing

/// doc
// anchor
#[attribute]
pub fn a() {} // trailing
pub fn b() {}
/* block

   comment */ pub fn c() {}
pub fn d(
) {}";
    let bound =
        |line: u32| -> Vec<String> { rows(text, &[line]).into_iter().filter(|row| row.ends_with(" !")).collect() };
    for line in [3, 4, 5, 6] {
        assert_eq!(bound(line), ["6 fn a !"], "{line}");
    }
    assert_eq!((bound(1), bound(2), bound(7)), (vec![], vec![], vec!["7 fn b !".to_owned()]));
    assert_eq!((bound(8), bound(11), bound(12)), (vec!["10 fn c !".to_owned()], vec!["11 fn d !".to_owned()], vec![]));
}

#[test]
fn an_anchor_binds_what_is_inside() {
    let text = "\
mod m {
    //! anchor
    #![allow(x)]
    //! anchor
    pub fn a() {}
}
/// anchor
impl S {
    // about b
    pub fn b() {}
    pub fn c() {}
}
pub trait T {
    fn d();
}
mod n { // no
    pub fn e() {}
}";
    let bound = |line: u32| -> Vec<String> {
        rows(text, &[line]).into_iter().filter_map(|row| row.strip_suffix(" !").map(str::to_owned)).collect()
    };
    assert_eq!((bound(2), bound(4)), (vec!["5 fn m::a".to_owned()], vec!["5 fn m::a".to_owned()]));
    assert_eq!(bound(7), ["10 method S::b", "11 method S::c"]);
    assert_eq!(bound(9), ["10 method S::b"]);
    assert_eq!(bound(13), ["13 trait T", "14 method T::d"]);
    assert_eq!(bound(1), ["5 fn m::a"]);
}

#[test]
fn what_holds_of_a_module_is_told_of_its_file() {
    let text = "//! anchor\n\n#[cfg(test)]\nmod tests;\nmod plain;\n#[doc(hidden)] pub mod held { mod deep; }\n// anchor\nmod r#union;\n";
    let told = |anchors: &[u32]| -> Vec<String> {
        let row = |(path, inherited): (Vec<String>, Inherited)| {
            let Inherited { is_bound, is_hidden, is_for_tests } = inherited;
            format!("{} {is_bound} {is_hidden} {is_for_tests}", path.join("::"))
        };
        read(text, anchors).unwrap().modules.into_iter().map(row).collect()
    };
    assert_eq!(told(&[]), ["tests false false true", "held::deep false true false"]);
    assert_eq!(told(&[7]), ["tests false false true", "held::deep false true false", "union true false false"]);
    assert_eq!(told(&[1])[0], " true false false");
    assert_eq!(told(&[1]).len(), 5);
}

#[test]
fn brackets_that_do_not_match_refuse_the_file_and_nothing_else_does() {
    for (text, line) in [("fn a() {\n(\n}", 3), ("\n}", 2), ("mod a {\n", 1), ("impl X", 1), ("fn a(\n", 1)] {
        assert_eq!(read(text, &[]).unwrap_err(), Refused::Brackets(line), "{text:?}");
    }
    for text in [
        "",
        "fn",
        "pub",
        "mod",
        "#",
        "#[a]",
        "pub struct",
        "use",
        "pub fn 1",
        "impl X;",
        "; ; =>",
        "mod a; fn b() { ) ",
    ] {
        let _ = read(text, &[]);
    }
}

#[test]
fn hostile_files_are_bounded() {
    let deep = format!("{}pub fn a() {{}}{} pub fn b() {{}}", "mod m { ".repeat(50_000), "}".repeat(50_000));
    assert_eq!(rows(&deep, &[]), ["1 fn b"]);
    let open = "(".repeat(100_000);
    assert_eq!(read(&open, &[]).unwrap_err(), Refused::Brackets(1));
    let long = format!("mod {} {{ pub fn a() {{}} }} pub fn b() {{}}", "m".repeat(2000));
    assert_eq!(rows(&long, &[]), ["1 fn b"]);
    assert_eq!(read(&"pub fn a();".repeat(MAX_ITEMS + 1), &[]).unwrap_err(), Refused::TooMany);
    let documented = "mod a { //! x\n}\n".repeat(100_000);
    assert_eq!(rows(&documented, &[1]), [""; 0]);
}
