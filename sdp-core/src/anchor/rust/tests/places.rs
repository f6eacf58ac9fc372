//! What an attribute stands on, and the id that follows.

use super::*;

#[test]
fn an_item_of_every_kind_is_bound_under_its_own_name() {
    let cases = [
        ("fn a_b() {}", "impl:shop.orders.a-b"),
        ("pub(crate) const unsafe extern \"C\" fn a() {}", "impl:shop.orders.a"),
        ("pub async fn r#type<T>(a: [u8; { 1 }]) -> A<{ 2 }> where T: Fn() -> u8 { { } }", "impl:shop.orders.type"),
        ("struct Order { a: u8 }", "impl:shop.orders.Order"),
        ("pub struct Order<T = u8>(T) where T: Copy;", "impl:shop.orders.Order"),
        ("struct Unit;", "impl:shop.orders.Unit"),
        ("enum _Kind { A = { 1 }, B }", "impl:shop.orders.Kind"),
        ("union Both { a: u8 }", "impl:shop.orders.Both"),
        ("pub unsafe auto trait Ledger {}", "impl:shop.orders.Ledger"),
        ("trait Ledger: Sized { fn a(); }", "impl:shop.orders.Ledger"),
        ("type Price = Money<{ 2 }>;", "impl:shop.orders.Price"),
        ("const __MAX_ALL: u8 = { 1 << 2 } + 1;", "impl:shop.orders.MAX-ALL"),
        ("const A: fn() -> u8 = || 1;", "impl:shop.orders.A"),
        ("static mut ALL: &[u8] = &[1];", "impl:shop.orders.ALL"),
        ("mod inner { fn a() {} }", "impl:shop.orders.inner"),
        ("mod inner;", "impl:shop.orders.inner"),
        ("/// A doc.\n#[derive(Debug)]\n#[repr(C)]\nstruct Order;", "impl:shop.orders.Order"),
    ];
    for (item, id) in cases {
        assert_eq!(ids(&format!("#[sdp::satisfies(\"spec:a\")]\n{item}")), [id], "{item}");
        assert_eq!(ids(&format!("fn x() {{}}\n#[inline] #[sdp::anchor] {item}\nfn y() {{}}")), [id], "{item}");
    }
}

#[test]
fn a_member_is_bound_under_its_type() {
    let cases = [
        ("impl Order { #[sdp::anchor] fn a(&self) { x } const B: u8 = 1; }", "Order.a"),
        (
            "impl<T> fmt::Debug for a::Order<T> where T: A, { type X = u8; #[sdp::anchor] fn fmt(&self) {} }",
            "Order.fmt",
        ),
        ("impl Order<{ 1 }> { #[sdp::anchor] const A: u8 = 1; }", "Order.A"),
        ("unsafe impl Trait for Order { #[sdp::anchor] type A = u8; }", "Order.A"),
        ("trait Ledger { fn x(); #[sdp::anchor] fn book(&self); }", "Ledger.book"),
        ("trait Ledger { #[sdp::anchor] fn book(&self) { } }", "Ledger.book"),
        ("unsafe extern \"C\" { #[sdp::anchor] fn abs(a: i32) -> i32; }", "abs"),
        ("mod a { mod r#b { impl C { #[sdp::anchor] fn d() {} } } }", "a.b.C.d"),
    ];
    for (text, path) in cases {
        assert_eq!(ids(text), [format!("impl:shop.orders.{path}")], "{text}");
    }
}

#[test]
fn each_attribute_has_its_own_namespace_and_the_target_is_part_of_the_id() {
    let place = FilePlace { target: Some("shop_cli".to_owned()), modules: Vec::new(), ..place() };
    let text = "#[sdp::satisfies(\"spec:a\")] #[sdp::component] fn a() {}\n#[sdp::verifies(\"spec:a\")] fn b() {}\n#[sdp::models(\"spec:a\",)] fn c() {}";
    assert_eq!(
        told(text, &place),
        [
            "1 impl:shop.shop-cli.a satisfies:1 spec:a",
            "1 component:shop.shop-cli.a",
            "2 test:shop.shop-cli.b verifies:2 spec:a",
            "3 oracle:shop.shop-cli.c models:3 spec:a",
        ]
    );
}

#[test]
fn an_item_from_which_no_id_follows_needs_one() {
    let missing = "a.rs:1 — [error] extract/non-static-envelope — anchor field \"id\" is missing — the binding cannot be constructed without it";
    let cases = [
        ("#[sdp::satisfies(ARGS)] impl A {}", "an `impl` block has no name"),
        ("#[sdp::satisfies(ARGS)] use a::b;", "a `use` has no name"),
        ("#[sdp::satisfies(ARGS)] extern crate a;", "an `extern crate` has no name of its own"),
        ("#[sdp::satisfies(ARGS)] extern \"C\" { fn a(); }", "an `extern` block has no name"),
        ("#[sdp::satisfies(ARGS)] macro_rules! a { () => {} }", "a macro is no item with a place of its own"),
        ("#[sdp::satisfies(ARGS)] a!(b);", "a macro is no item with a place of its own"),
        ("#[sdp::satisfies(ARGS)] const _: () = ();", "the name has no letter and no digit"),
        ("#[sdp::satisfies(ARGS)] fn é() {}", "the name is not ASCII"),
        ("mod é { #[sdp::satisfies(ARGS)] fn a() {} }", "the name is not ASCII"),
        ("impl A for &B { #[sdp::satisfies(ARGS)] fn a() {} }", "the type of the `impl` block is no plain name"),
    ];
    for (text, why) in cases {
        let bare = text.replace("ARGS", "\"spec:a\"");
        assert_eq!(told(&bare, &place()), [missing], "{text}");
        let Read { findings, .. } = read("a.rs", &bare, &place());
        assert_eq!(findings[0].remedy(), format!("{why}, so no id follows: write id = \"impl:…\""), "{text}");
        assert_eq!(ids(&text.replace("ARGS", "\"spec:a\", id = \"impl:x\"")), ["impl:x"], "{text}");
    }
    let outside = FilePlace { package: None, ..place() };
    let Read { findings, .. } = read("a.rs", "#[sdp::verifies(\"spec:a\")] fn a() {}", &outside);
    assert_eq!(
        findings[0].remedy(),
        "no `Cargo.toml` tells the name of the package, so no id follows: write id = \"test:…\""
    );
}

#[test]
fn what_stands_on_no_item_is_told_and_binds_nothing() {
    let cases = [
        ("fn f() { #[sdp::satisfies(\"spec:a\")] fn g() {} }", "outside function bodies"),
        ("fn f() { if x { let y = #[sdp::anchor] 1; } }", "outside function bodies"),
        ("const A: u8 = { #[sdp::anchor] fn g() {} 1 };", "outside function bodies"),
        ("struct A { #[sdp::satisfies(\"spec:a\")] b: u8 }", "a field or a variant"),
        ("struct A(#[sdp::anchor] u8);", "a field or a variant"),
        ("enum A { #[sdp::anchor] B }", "a field or a variant"),
        ("fn f(#[sdp::anchor] a: u8) {}", "a parameter"),
        ("#![sdp::satisfies(\"spec:a\")]", "the one that it stands in"),
        ("mod a { #![sdp::anchor] }", "the one that it stands in"),
        ("macro_rules! a { () => { #[sdp::satisfies(\"spec:a\")] fn b() {} } }", "of a macro"),
        ("macro a() { #[sdp::satisfies(\"spec:a\")] fn b() {} }", "of a macro"),
        ("proptest! { #[sdp::verifies(\"spec:a\")] fn b(a in 1..2) {} }", "of a macro"),
        ("a::b!( #[sdp::anchor] );", "of a macro"),
        ("macro_rules! a { () => { #[$crate::sdp::satisfies(\"spec:a\")] fn b() {} } }", "of a macro"),
        ("fn f() { a! { #[verifies(\"spec:a\")] fn b() {} } }", "outside function bodies"),
        ("impl A { fn f() { #[sdp::anchor] fn g() {} } }", "outside function bodies"),
        ("#[sdp::anchor] const X: u8;", "no item that can be read"),
    ];
    for (text, why) in cases {
        assert_eq!(findings(text), ["extract/misplaced-authoring"], "{text}");
        let told = told(text, &place());
        assert!(told[0].starts_with("a.rs:1 — [warning] ") && told[0].contains(why), "{text}: {told:?}");
    }
    assert_eq!(
        told("\n#![sdp::component]", &place()),
        [
            "a.rs:2 — [warning] extract/misplaced-authoring — \"#![sdp::component]\" attribute is outside its recognized authoring surface and is not extracted — an attribute binds the item that it stands on, never the one that it stands in"
        ]
    );
}

#[test]
fn strings_comments_and_examples_bind_nothing_and_say_nothing() {
    let silent = "//! #[sdp::satisfies(\"spec:a\")]\n/// ```\n/// #[sdp::satisfies(\"spec:a\")]\n/// fn a() {}\n/// ```\nfn a() { let b = \"#[sdp::anchor]\"; let c = r#\"#[sdp::verifies(\"spec:a\")]\"#; /* #[sdp::anchor] */ }\n";
    assert!(!may_hold_anchors(silent.as_bytes()));
    assert_eq!(told(silent, &place()), [""; 0]);
    let text = format!("{silent}#[sdp::anchor]\nfn b() {{}}");
    assert_eq!(told(&text, &place()), ["7 impl:shop.orders.b"]);
}

#[test]
fn the_line_is_that_of_the_attribute_and_each_target_has_its_own() {
    let text = "#!/usr/bin/env x\nfn é() { \"é\n\" } /* é */ #[inline] #[sdp::satisfies(\n    \"spec:a\",\n    label = \"A\",\n    \"spec:b\",\n    references = [\n        \"spec:c\"],\n)]\r\nfn x() {}\n";
    assert_eq!(
        told(text, &place()),
        ["3 impl:shop.orders.x satisfies:4 spec:a satisfies:6 spec:b references:8 spec:c"]
    );
    assert_eq!(told(&format!("\u{FEFF}{}", "#[sdp::anchor] fn a() {}"), &place()), ["1 impl:shop.orders.a"]);
    // Far behind bodies on the same line.
    let one_line = "mod a { fn b() { é } struct C { é: u8 } #[sdp::anchor] fn d() { é } } #[sdp::anchor] fn e() {}";
    assert_eq!(ids(one_line), ["impl:shop.orders.a.d", "impl:shop.orders.e"]);
}

#[test]
fn a_file_that_does_not_parse_gives_one_finding_and_no_anchor() {
    let cases = [
        ("#[sdp::anchor]\nfn a( {}", "a.rs:2", "`(` is never closed"),
        ("#[sdp::anchor]\nfn a() {}\n}", "a.rs:3", "`}` closes nothing that is open"),
        ("#[sdp::anchor]\nfn a(] {}", "a.rs:2", "`]` closes nothing that is open"),
        ("#[sdp::anchor(]\nfn a() {}", "a.rs:1", "`]` closes nothing that is open"),
        ("#[sdp::anchor]\nfn a() {}\nfn 1() {}", "a.rs:3", "expected identifier"),
        ("#[sdp::anchor]\n", "a.rs:1 ", "unexpected end of input"),
        ("\n\n#[sdp::anchor]\nfn a()\n\n", "a.rs:4 ", "unexpected end of input, expected curly braces"),
        ("#[sdp::anchor(label = \n\"\\q\")]\nfn a() {}", "a.rs:2", "what stands here is no token of Rust"),
        ("const A: u8 = 1\n#[sdp::anchor]\nfn a() {}", "a.rs:2", "expected `;`"),
    ];
    for (text, place_of, reason) in cases {
        let told = told(text, &place());
        assert_eq!(told.len(), 1, "{text}: {told:?}");
        let opening = format!("[error] extract/parse-error — the file does not parse: {reason}");
        assert!(told[0].starts_with(place_of) && told[0].contains(&opening), "{text}: {told:?}");
        assert!(told[0].ends_with(" — the error-tolerant parse recovers by guessing, so the file cannot be reified faithfully and its content is excluded from the graph (ambiguity is loud, L2)"));
    }
    let Read { findings, .. } = read("a.rs", "#[sdp::anchor]\nfn a() {}\né fn 1() {}", &place());
    assert_eq!((findings[0].line, findings[0].column), (Some(3), Some(3)));
    // What is in a body, or beside no attribute of ours, is not looked at.
    assert_eq!(ids("#[sdp::anchor]\nfn a() { let = ; } const B: u8 = + ; struct C { + }"), ["impl:shop.orders.a"]);
    assert_eq!(told("#[component]\nfn a( {}", &place()), [""; 0]);
}
