//! Texts that are made to break a parser.

use std::time::{Duration, Instant};

use super::*;
use crate::anchor::rust::guard::MAX_NESTING;
use crate::finding::Severity;

/// What may nest: what opens a level, and what closes it.
const TYPES: &[(&str, &str)] = &[
    ("(", ")"),
    ("(A, ", ")"),
    ("[", "]"),
    ("&", ""),
    ("&'a mut ", ""),
    ("*const ", ""),
    ("A<", ">"),
    ("A<B, ", ">"),
    ("A<B = ", ">"),
    ("<A as ", ">::B"),
    ("fn() -> ", ""),
    ("unsafe extern \"C\" fn() -> ", ""),
    ("impl Fn() -> ", ""),
    ("dyn for<'a> Fn() -> ", ""),
    ("fn(", ")"),
    ("A::<", ">"),
    ("A + ", ""),
    ("impl A<B: ", ">"),
];
const PATTERNS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("&", ""),
    ("&mut ", ""),
    ("a @ ", ""),
    ("A(", ")"),
    ("A | ", ""),
    ("A { a: ", "}"),
    ("-", ""),
];
const EXPRESSIONS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("!", ""),
    ("-", ""),
    ("&", ""),
    ("*", ""),
    ("|| ", ""),
    ("move |a| ", ""),
    ("return ", ""),
    ("break ", ""),
    ("a = ", ""),
    ("a + ", ""),
    ("a.", ""),
    ("a()", ""),
    ("a?", ""),
    ("a as ", ""),
    ("..", ""),
    ("if a {} else ", ""),
    ("match a {} + ", ""),
    ("async ", ""),
    ("unsafe ", ""),
    ("let a = ", ""),
    ("a < ", ""),
    ("A { a: ", "}"),
    ("#[a] ", ""),
    ("for a in ", ""),
    ("while ", ""),
    ("'a: ", ""),
    ("a::", ""),
    ("a!(", ")"),
];

/// Where a type, a pattern or an expression may stand around an item of ours.
const OF_TYPES: &[&str] = &[
    "#[sdp::anchor] fn a(b: X) {}",
    "#[sdp::anchor] fn a() -> X {}",
    "#[sdp::anchor] fn a() where X: A {}",
    "#[sdp::anchor] fn a<T: A<X>>() {}",
    "#[sdp::anchor] struct A(X);",
    "#[sdp::anchor] struct A<T = X>(T);",
    "#[sdp::anchor] struct A { a: X }",
    "#[sdp::anchor] type A = X;",
    "#[sdp::anchor] const A: X = 1;",
    "#[sdp::anchor] impl X {}",
    "#[sdp::anchor] trait A: X {}",
    "impl X { #[sdp::anchor] fn a() {} }",
    "#[sdp::anchor] fn a() {} use X;",
];
const OF_PATTERNS: &[&str] = &["#[sdp::anchor] fn a(X: u8) {}", "#[sdp::anchor] fn a() { let X = 1; }"];
const OF_EXPRESSIONS: &[&str] = &[
    "#[sdp::anchor] const A: u8 = X;",
    "#[sdp::anchor] const A: [u8; X] = 1;",
    "#[sdp::anchor] fn a(b: [u8; X]) {}",
    "#[sdp::anchor] fn a(b: [u8; { X }]) {}",
    "#[sdp::anchor] fn a() -> A<{ X }> {}",
    "#[sdp::anchor] fn a() { X }",
    "#[sdp::anchor] enum A { B = X }",
    "#[doc = X] #[sdp::anchor] fn a() {}",
    "#[a(X)] #[sdp::anchor] fn a() {}",
    "#[sdp::anchor(id = X)] fn a() {}",
    "#[sdp::anchor(X)] fn a() {}",
    "#[cfg_attr(X, sdp::anchor)] fn a() {}",
    "const A: u8 = X #[sdp::anchor] 1;",
    "#[sdp::anchor] a!(X);",
];

fn all() -> Vec<(&'static str, &'static str, &'static str)> {
    let mut all = Vec::new();
    for (positions, pieces) in [(OF_TYPES, TYPES), (OF_PATTERNS, PATTERNS), (OF_EXPRESSIONS, EXPRESSIONS)] {
        for position in positions {
            all.extend(pieces.iter().map(|(open, close)| (*position, *open, *close)));
        }
    }
    for position in ["X #[sdp::anchor] fn a() {}", "#[sdp::anchor] fn a() {} X"] {
        for (open, close) in [("mod a {", "}"), ("use a::{", "};"), ("a! {", "}"), ("#[a] ", ""), ("#", ""), ("{", "}")]
        {
            all.push((position, open, close));
        }
    }
    all.extend([
        ("#[X]", "cfg_attr(a, ", ")"),
        ("X", "mod a { #[sdp::anchor] ", "}"),
        ("X", "#[sdp::anchor(", ")]"),
        ("X", "#[sdp::anchor] impl A { ", "}"),
        ("X", "mod a { use super::*; #[anchor] fn a() {} ", "}"),
    ]);
    all
}

fn nested(position: &str, open: &str, close: &str, depth: usize) -> String {
    position.replacen('X', &format!("{}1{}", open.repeat(depth), close.repeat(depth)), 1)
}

/// On a thread whose stack is that of the pool, which has to be enough.
fn on_the_pools_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

fn takes_no_time(position: &str, open: &str, close: &str, depth: usize) {
    let text = nested(position, open, close, depth);
    let start = Instant::now();
    let _ = may_hold_anchors(text.as_bytes());
    let _ = read("a.rs", &text, &place());
    let took = start.elapsed();
    assert!(took < Duration::from_secs(20), "{position} {open}: {depth} took {took:?}");
}

/// Just deeper than is parsed, whatever one level weighs.
const TOO_DEEP: usize = 2 * MAX_NESTING + 9;

#[test]
fn nothing_nests_so_deep_that_the_process_ends() {
    on_the_pools_stack(|| {
        for (position, open, close) in all() {
            // Just as deep as needs no thread of its own, and too deep.
            takes_no_time(position, open, close, 40);
            takes_no_time(position, open, close, TOO_DEEP);
        }
    });
}

/// Whether one level costs another stack at this position than at those before it.
fn is_first_of_its_sort(position: &str) -> bool {
    let first = [OF_TYPES[0], OF_PATTERNS[0], OF_EXPRESSIONS[1], OF_EXPRESSIONS[5]];
    first.contains(&position) || ![OF_TYPES, OF_PATTERNS, OF_EXPRESSIONS].iter().any(|sort| sort.contains(&position))
}

#[test]
fn the_deepest_text_that_is_parsed_has_the_stack_for_it() {
    on_the_pools_stack(|| {
        for (position, open, close) in all().into_iter().filter(|(position, ..)| is_first_of_its_sort(position)) {
            // As deep as is parsed of what weighs two a level and of what weighs one, and far too deep.
            let far = if open.len() == 1 { 20_000 } else { 5_000 };
            for depth in [MAX_NESTING / 2 - 9, MAX_NESTING - 9, far] {
                takes_no_time(position, open, close, depth);
            }
            // One that never closes is seen by its brackets, however deep.
            if !close.is_empty() {
                takes_no_time(position, open, "", TOO_DEEP);
            }
        }
    });
}

#[test]
fn what_nests_too_deep_is_refused_at_its_place() {
    for text in [
        nested("\n#[sdp::anchor] fn a(b: X) {}", "&", "", 2_000),
        nested("\n#[sdp::anchor] fn a(b: X) {}", "A<B, ", ">", 2_000),
        nested("\n#[sdp::anchor] fn a(b: [u8; X]) {}", "!", "", 2_000),
    ] {
        let told = told(&text, &place());
        assert_eq!(told.len(), 1);
        assert!(
            told[0].starts_with(
                "a.rs:2 — [error] extract/parse-error — the file does not parse: it nests more than 1000 deep — "
            ),
            "{told:?}"
        );
    }
    let text = nested("#[sdp::anchor] fn a() { X }", "(", ")", 20_000);
    assert!(told(&text, &place())[0].contains("its brackets nest more than 10000 deep"));
}

#[test]
fn bodies_and_values_of_any_shape_are_no_obstacle() {
    for (position, open, close, depth) in [
        ("#[sdp::anchor] fn a() { X }", "(", ")", 9_000),
        ("#[sdp::anchor] fn a() { X }", "!", "", 200_000),
        ("#[sdp::anchor] const a: u8 = X;", "- ", "", 200_000),
        ("#[sdp::anchor] fn a() { X }", "if a {} else ", "", 200_000),
        ("const B: &[u8] = &[X]; #[sdp::anchor] fn a() {}", "1 << 2, ", "", 200_000),
    ] {
        assert_eq!(ids(&nested(position, open, close, depth)), ["impl:shop.orders.a"], "{position} {open}");
    }
    // Many of everything is not deep.
    let many = "#[a] #[b(c, d)] ".repeat(3_000);
    assert_eq!(ids(&format!("{many} #[sdp::anchor] fn a() {{}}")).len(), 1);
    let methods = "#[inline] pub fn a(&self, b: &mut [u8]) -> Result<A<B>, C> where A: B + C { }".repeat(3_000);
    assert_eq!(ids(&format!("impl A {{ {methods} #[sdp::anchor] fn a() {{}} }}")).len(), 1);
}

#[test]
fn many_attributes_on_one_line_take_no_time() {
    let text = "#[sdp::satisfies(\"spec:a\")] fn a() {} ".repeat(20_000);
    let start = Instant::now();
    assert_eq!(ids(&text).len(), 20_000);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let text = format!("fn b() {{ {} }}", "#[sdp::satisfies(\"spec:a\")] fn a() {} ".repeat(20_000));
    assert_eq!(findings(&text).len(), MAX_FINDINGS);
    let uses = "use super::*; use self::a::*; use a as b; use b as a; ".repeat(2_000);
    let text = format!("{uses} mod a {{ {uses} {} }}", "#[anchor] fn x() {} ".repeat(2_000));
    assert_eq!(told(&text, &place()), [""; 0]);
    for text in ["use a::{".repeat(100_000), "use ".repeat(200_000), "use a as use b".repeat(100_000)] {
        let text = format!("#[sdp::anchor] fn a() {{}} {text}");
        let _ = told(&text, &place());
    }
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn a_name_that_is_brought_in_very_often_takes_no_time() {
    let text = format!("{} {}", "use a as anchor;".repeat(50_000), "#[anchor] fn a() {}\n".repeat(20_000));
    let start = Instant::now();
    assert_eq!(told(&text, &place()), [""; 0]);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn names_that_are_too_long_give_no_id_and_are_not_kept() {
    let missing = "the names that lead to it hold more than 1024 bytes, so no id follows: write id = \"test:…\"";
    let long = "m".repeat(1100);
    let deep = |inner: &str| format!("{}{inner}{}", format!("mod {} {{", &long[..300]).repeat(4), "}".repeat(4));
    let within = FilePlace { modules: vec![long.clone()], ..place() };
    for (text, place) in [
        (deep("#[sdp::verifies(ARGS)] #[test] fn a() {}"), place()),
        (format!("#[sdp::verifies(ARGS)] #[test] fn {long}() {{}}"), place()),
        ("#[sdp::verifies(ARGS)] #[test] fn a() {}".to_owned(), within),
    ] {
        let Read { anchors, findings, .. } = read("a.rs", &text.replace("ARGS", "\"spec:a\""), &place);
        assert_eq!((anchors.len(), findings.len(), findings[0].remedy()), (0, 1, missing));
        let Read { anchors, .. } = read("a.rs", &text.replace("ARGS", "\"spec:a\", id = \"test:a\""), &place);
        assert_eq!((anchors.len(), anchors[0].symbol.is_none()), (1, true));
    }
}

proptest::proptest! {
    #[test]
    fn any_mixture_of_pieces_is_read_without_a_panic(pieces in proptest::collection::vec(0..PIECES.len(), 0..40)) {
        let text: String = pieces.iter().map(|piece| PIECES[*piece]).collect();
        let _ = may_hold_anchors(text.as_bytes());
        let Read { anchors, findings, .. } = read("a.rs", &text, &place());
        let lines = u32::try_from(text.matches('\n').count()).unwrap() + 1;
        proptest::prop_assert!(anchors.iter().all(|anchor| (1..=lines).contains(&anchor.line)));
        proptest::prop_assert!(findings.iter().all(|finding| finding.line.is_some_and(|line| (1..=lines + 1).contains(&line))), "{:?}", findings);
        if !anchors.is_empty() {
            proptest::prop_assert!(may_hold_anchors(text.as_bytes()));
        }
    }
}

const PIECES: &[&str] = &[
    "#[sdp::anchor]",
    "#[sdp::satisfies(\"spec:a\")]",
    "#![sdp::anchor]",
    "#[anchor]",
    "use sdp::*;",
    "use sdp as x;",
    "mod a {",
    "impl A {",
    "fn a() {",
    "}",
    "(",
    ")",
    "[",
    "]",
    "{",
    ";",
    ",",
    "<",
    ">",
    "=",
    "const A: u8 =",
    "struct A",
    "enum A {",
    "\n",
    "é",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "r#\"",
    "\"#",
    "#",
    "!",
    "$",
    "macro_rules! a {",
    "extern crate sdp as x;",
    "extern \"C\" {",
    "trait A {",
    "type A =",
    "where",
    "->",
    "fn",
    "1",
    "a",
    "::",
    "\u{FEFF}",
    "\r\n",
    "#!",
    "cfg_attr(a, ",
    "use a::{",
    "as",
];

#[test]
fn a_file_of_nothing_but_mistakes_tells_a_thousand_of_each_sort() {
    let wrong = "#[sdp::anchor(A = 1)] fn a() {}\n".repeat(3000);
    let misplaced = "fn f() {\n".to_owned() + &"#[sdp::anchor] fn a() {}\n".repeat(3000) + "}\n";
    let many_in_one = format!("#[sdp::satisfies({})] fn b() {{}}\n", "A,".repeat(3000));
    let text = format!("{misplaced}{many_in_one}{wrong}#[sdp::anchor]\nfn last() {{}}");
    let Read { anchors, findings, .. } = read("a.rs", &text, &place());
    assert_eq!(anchors.len(), 1);
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    assert_eq!((count(Severity::Error), count(Severity::Warning)), (1000, 1000));
}
