//! Whether a function is a test: its attributes come in, the tests that they make of it go out. What a macro makes of a
//! function is known here for those that are in wide use; of another one nothing is taken for granted.

use syn::punctuated::Punctuated;
use syn::{Attribute, FnArg, Meta, Path, Signature, Token};

use super::derived::Tests;
use super::form::Form;

/// What makes one test of one function, by the last segment of its path: `#[tokio::test]` and its like too.
const ONE: [&str; 10] = [
    "test",
    "rstest",
    "bench",
    "quickcheck",
    "proptest",
    "property_test",
    "gtest",
    "googletest",
    "wasm_bindgen_test",
    "tokio_test",
];
/// What makes several tests of one function, in a module of its name.
const SEVERAL: [&str; 5] = ["test_case", "test_matrix", "test_casing", "parameterized", "case"];
/// What makes several tests of a function by standing on a parameter.
const ON_PARAMETERS: [&str; 3] = ["case", "values", "files"];
/// Attributes of the language itself, which make no test.
const PLAIN: [&str; 30] = [
    "allow",
    "automatically_derived",
    "cfg",
    "cold",
    "coverage",
    "deny",
    "deprecated",
    "diagnostic",
    "doc",
    "expect",
    "export_name",
    "forbid",
    "ignore",
    "inline",
    "instruction_set",
    "link_name",
    "link_section",
    "must_use",
    "naked",
    "no_mangle",
    "optimize",
    "proc_macro",
    "proc_macro_attribute",
    "proc_macro_derive",
    "should_panic",
    "target_feature",
    "track_caller",
    "unsafe",
    "used",
    "warn",
];
/// The tools whose attributes the compiler leaves alone.
const TOOLS: [&str; 5] = ["clippy", "rustfmt", "diagnostic", "miri", "rust_analyzer"];

/// Whether an attribute is known to make a function a test, by the last segment of its path.
pub(super) fn makes_a_test(name: &str) -> bool {
    ONE.contains(&name) || SEVERAL.contains(&name)
}

/// The tests that a function is. `is_ours` tells the attributes of this engine, which make none.
pub(super) fn of(
    attributes: &[Attribute],
    signature: &Signature,
    is_ours: impl Fn(&Attribute) -> bool,
) -> Option<Tests> {
    let mut found = None;
    for attribute in attributes {
        for tests in all_tests(attribute, is_ours(attribute)) {
            found = match (found, tests) {
                (Some(Tests::Cases), _) | (_, Tests::Cases) => Some(Tests::Cases),
                (Some(Tests::One), _) | (_, Tests::One) => Some(Tests::One),
                _ => Some(tests),
            };
        }
    }
    let has_cases = found.is_some() && signature.inputs.iter().flat_map(parameter_attributes).any(is_on_parameters);
    if has_cases { Some(Tests::Cases) } else { found }
}

fn parameter_attributes(parameter: &FnArg) -> &[Attribute] {
    match parameter {
        FnArg::Typed(typed) => &typed.attrs,
        FnArg::Receiver(_) => &[],
    }
}

fn is_on_parameters(attribute: &Attribute) -> bool {
    last(attribute.path()).is_some_and(|name| ON_PARAMETERS.contains(&name.as_str()))
}

/// What the attribute makes, or those that `cfg_attr` holds, one of ours aside.
fn all_tests(attribute: &Attribute, is_ours: bool) -> Vec<Tests> {
    if !attribute.path().is_ident("cfg_attr") {
        return if is_ours { Vec::new() } else { tests(&attribute.meta).into_iter().collect() };
    }
    let all = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    let is_other = |meta: &&Meta| !is_ours || last(meta.path()).is_none_or(|name| Form::named(&name).is_none());
    all.iter().flatten().skip(1).filter(is_other).filter_map(tests).collect()
}

fn tests(meta: &Meta) -> Option<Tests> {
    let path = meta.path();
    let name = last(path)?;
    let name = name.as_str();
    let is_alone = path.segments.len() == 1;
    let is_of_a_tool = path.segments.first().is_some_and(|first| TOOLS.iter().any(|tool| first.ident == tool));
    if (is_alone && (PLAIN.contains(&name) || name.starts_with("rustc_"))) || (!is_alone && is_of_a_tool) {
        return None;
    }
    if SEVERAL.contains(&name) {
        return Some(Tests::Cases);
    }
    // The older form of `rstest` has its cases as arguments.
    let has_arguments = matches!(meta, Meta::List(list) if !list.tokens.is_empty());
    if ONE.contains(&name) && !(name == "rstest" && has_arguments) {
        return Some(Tests::One);
    }
    Some(Tests::Unknown)
}

fn last(path: &Path) -> Option<String> {
    path.segments.last().map(|segment| segment.ident.to_string())
}
