//! The name under which a bound test runs.

use super::*;

#[test]
fn a_test_has_the_name_that_libtest_prints() {
    let cases = [
        ("#[test] BIND fn a() {}", "Exact orders::a"),
        ("BIND #[test] #[should_panic] #[ignore = \"x\"] fn r#type() {}", "Exact orders::r#type"),
        ("BIND #[test] fn r#plain() {}", "Exact orders::plain"),
        ("mod r#inner { BIND #[test] fn a() {} }", "Exact orders::inner::a"),
        ("BIND #[tokio::test(flavor = \"x\")] async fn a() {}", "Exact orders::a"),
        ("BIND #[cfg_attr(x, test)] fn a() {}", "Exact orders::a"),
        ("BIND #[rstest] fn a(b: u8) {}", "Exact orders::a"),
        ("BIND #[test] #[serial] fn a() {}", "Exact orders::a"),
        ("mod tests { BIND #[test] fn a() {} }", "Exact orders::tests::a"),
        ("BIND #[rstest] #[case(1)] #[case::two(2)] fn a(#[case] b: u8) {}", "Prefix orders::a::"),
        ("BIND #[rstest] fn a(#[values(1, 2)] b: u8) {}", "Prefix orders::a::"),
        ("BIND #[rstest] fn a(#[files(\"x/*\")] b: PathBuf) {}", "Prefix orders::a::"),
        ("BIND #[test_case(1; \"one\")] fn a(b: u8) {}", "Prefix orders::a::"),
        ("BIND #[test_case(1)] #[tokio::test] async fn a(b: u8) {}", "Prefix orders::a::"),
        ("BIND #[yare::parameterized(a = { 1 })] fn a(b: u8) {}", "Prefix orders::a::"),
        ("BIND #[some::thing] fn a() {}", "Prefix orders::a"),
        ("#[cfg_attr(x, test, sdp::verifies(\"spec:a\", id = \"test:a\"))] fn a() {}", "Exact orders::a"),
        ("BIND mod tests { }", "Prefix orders::tests::"),
        ("BIND #[cfg(test)] mod tests;", "Prefix orders::tests::"),
    ];
    for (item, symbol) in cases {
        let text = item.replace("BIND", "#[sdp::verifies(\"spec:a\", id = \"test:a\")]");
        assert_eq!(told(&text, &place()), [format!("1 test:a verifies:1 spec:a {symbol}")], "{item}");
    }
}

#[test]
fn what_no_attribute_makes_a_test_has_no_name_to_run_under() {
    for item in [
        "BIND fn a() {}",
        "BIND #[inline] #[doc = \"x\"] #[allow(x)] #[clippy::x] fn a() {}",
        "BIND struct A;",
        "impl A { BIND #[test] fn a() {} }",
    ] {
        let text = item.replace("BIND", "#[sdp::verifies(\"spec:a\", id = \"test:a\")]");
        assert_eq!(told(&text, &place()), ["1 test:a verifies:1 spec:a"], "{item}");
    }
    assert_eq!(
        told("#[sdp::satisfies(\"spec:a\")] #[test] fn a() {}", &place()),
        ["1 impl:shop.orders.a satisfies:1 spec:a"]
    );
}
