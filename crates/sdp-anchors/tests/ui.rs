//! What the compiler makes of the attributes: which programs compile and run, and what it says of the others, where.
//! `TRYBUILD=overwrite` writes what it says anew. Each file holds many cases, because each costs a run of the compiler.

#[test]
fn bound_items_compile_and_others_say_what_to_write() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/fail/*.rs");
}
