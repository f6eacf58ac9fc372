//! Attributes that bind Rust code and tests to the Specs that [`cargo sdp`](https://crates.io/crates/cargo-sdp) reads.
//!
//! A Spec says what the software is meant to do. A binding says which code realizes it and which test verifies it, so that
//! `cargo sdp` can tell what is done, what nobody tests, and what a change touches. The attributes here are such bindings.
//! The compiler checks what they say and then takes them away: the item stays as it is, and the crate has no dependency.
//!
//! # Setup
//!
//! ```sh
//! cargo add sdp-anchors --rename sdp
//! ```
//!
//! ```toml
//! [dependencies]
//! sdp = { package = "sdp-anchors", version = "0.1" }
//! ```
//!
//! # Use
//!
//! ```
//! # use sdp_anchors as sdp;
//! /// Gives the money back.
//! #[sdp::satisfies("spec:shop.refund")]
//! pub fn refund(paid: u64) -> u64 {
//!     paid
//! }
//!
//! #[sdp::verifies("spec:shop.refund", "spec:shop.refund.whole")]
//! #[test]
//! fn the_whole_amount_comes_back() {
//!     assert_eq!(refund(40), 40);
//! }
//! # assert_eq!(refund(40), 40);
//! ```
//!
//! | attribute | stands on | takes | its id opens with |
//! |---|---|---|---|
//! | [`satisfies`](macro@satisfies) | code that realizes Specs | one or more Spec ids | `impl:`, `api:` or `component:` |
//! | [`verifies`](macro@verifies) | a test, or a module of tests | one or more Spec ids | `test:` |
//! | [`models`](macro@models) | code that computes what a Spec expects | one Spec id | `oracle:` |
//! | [`component`](macro@component) | a module or type that is a component | any number of Spec ids, which it satisfies | `component:` |
//! | [`anchor`](macro@anchor) | code that realizes no Spec itself | no Spec ids | `impl:`, `api:` or `component:` |
//!
//! | argument | of | says |
//! |---|---|---|
//! | `id = "impl:shop.refund"` | all | the id of the binding; without it one follows from where the item stands |
//! | `label = "…"` | all | a name for people |
//! | `references = "spec:…"` or `["spec:…", "spec:…"]` | `satisfies`, `component`, `anchor` | Specs that the code is written against |
//! | `uses = "impl:…"` or `["impl:…", "api:…"]` | `satisfies`, `component`, `anchor` | other bound code that it uses |
//! | `component = "component:…"` | `satisfies`, `component`, `anchor` | the component that it belongs to |
//! | `role = "…"` | `satisfies`, `component`, `anchor` | the part that it plays: one word of small letters, digits and `-` |
//! | `layer = "…"` | those with a `component:` id | `edge`, `application`, `domain`, `adapter` or `infrastructure` |
//! | `context = "…"` | those with a `component:` id | the context that it belongs to: one such word |
//!
//! # What is refused
//!
//! An id that is none, a namespace that does not fit, a field that the attribute does not have, a target named twice: each is a
//! compile error at the argument, with what to write instead, and all errors of an attribute come at once. What the compiler
//! cannot know, `cargo sdp check` says: whether a Spec exists, and whether an id is taken.
//!
//! All arguments are strings, plain or raw. `concat!`, constants and byte strings are refused, because `cargo sdp` reads the
//! source and runs nothing. For the same reason an attribute in a function body or in a `macro_rules!` macro binds nothing.
//!
//! # Ids that follow from the place
//!
//! Without `id` the id is a namespace (`impl:`, `test:`, `oracle:` or `component:`), then the package, the target where it is
//! neither the library nor the program named like the package, the modules, the type of a method and the name of the item,
//! joined by dots. `_` becomes `-`, and a leading `_` or `r#` is left out: `impl:shop-core.orders.Order.add-line`.
//! An `impl` block and an item whose name is not ASCII need `id = "…"`.
//!
//! # Modules in files of their own
//!
//! The compiler takes no attribute macro on `mod name;` ([rust-lang/rust#54727](https://github.com/rust-lang/rust/issues/54727)).
//! Put the attribute on an item of the module, or on `mod name { … }`.

// @sdpAnchor impl:sdp-anchors
// @sdpLabel The attributes cannot stand on themselves
// @sdpSatisfies spec:sdp.anchors.attributes

#![expect(
    clippy::test_attr_in_doctest,
    reason = "the examples show how a test is bound; that they compile is what counts"
)]

mod arguments;
mod grammar;
mod ids;
mod item;
mod literal;
mod place;

use proc_macro::TokenStream;

use crate::grammar::Attribute;
use crate::place::{Place, compile_error};

/// Binds code to the Specs that it realizes: `#[sdp::satisfies("spec:…", …)]`.
///
/// Takes one or more Spec ids, and the arguments `id`, `label`, `references`, `uses`, `component`, `role`; with an `id` that
/// opens with `component:` also `layer` and `context`. See the [crate] for what they say.
///
/// ```
/// # use sdp_anchors as sdp;
/// pub struct Order;
///
/// #[sdp::satisfies("spec:shop.orders", id = "api:shop.order", references = ["spec:shop.vocabulary"])]
/// impl Order {
///     /// Adds a line.
///     #[sdp::satisfies("spec:shop.orders.lines", role = "command")]
///     pub async fn add_line(&mut self) {}
/// }
/// ```
///
/// # Errors
///
/// A compile error at each argument that is no part of a binding:
///
/// ```compile_fail
/// # use sdp_anchors as sdp;
/// #[sdp::satisfies("shop.orders")]
/// fn order() {}
/// ```
#[proc_macro_attribute]
pub fn satisfies(arguments: TokenStream, item: TokenStream) -> TokenStream {
    bind(Attribute::Satisfies, arguments, item)
}

/// Binds a test to the Specs that it verifies: `#[sdp::verifies("spec:…", …)]`.
///
/// Takes one or more Spec ids, and the arguments `id` and `label`. It stands on a test function, before or behind the attribute
/// that makes it a test, or on a module of tests.
///
/// Prefer the functions to `#[cfg(test)] mod tests`. The compiler takes the `#[cfg(test)]` of an item away before the macro sees it,
/// so the module that comes back has none, and clippy takes what is in it for production code: lints such as `unwrap_used`
/// speak there in spite of `allow-unwrap-in-tests`.
///
/// ```
/// # use sdp_anchors as sdp;
/// #[sdp::verifies("spec:shop.refund.half")]
/// #[test]
/// fn half_of_it_comes_back() {
///     assert_eq!(40 / 2, 20);
/// }
/// ```
///
/// # Errors
///
/// A compile error at each argument that is no part of a binding:
///
/// ```compile_fail
/// # use sdp_anchors as sdp;
/// #[sdp::verifies]
/// #[test]
/// fn half_of_it_comes_back() {}
/// ```
#[proc_macro_attribute]
pub fn verifies(arguments: TokenStream, item: TokenStream) -> TokenStream {
    bind(Attribute::Verifies, arguments, item)
}

/// Binds an oracle to the Spec whose example space it computes: `#[sdp::models("spec:…")]`.
///
/// Takes one Spec id, and the arguments `id` and `label`.
///
/// ```
/// # use sdp_anchors as sdp;
/// /// What comes back, by the plainest computation that there is.
/// #[sdp::models("spec:shop.refund", id = "oracle:shop.refund")]
/// fn expected(amount: u64, half: bool) -> u64 {
///     if half { amount / 2 } else { amount }
/// }
/// # assert_eq!(expected(40, true), 20);
/// ```
///
/// # Errors
///
/// A compile error at each argument that is no part of a binding:
///
/// ```compile_fail
/// # use sdp_anchors as sdp;
/// #[sdp::models("spec:shop.refund", "spec:shop.orders")]
/// fn expected() {}
/// ```
#[proc_macro_attribute]
pub fn models(arguments: TokenStream, item: TokenStream) -> TokenStream {
    bind(Attribute::Models, arguments, item)
}

/// Declares a component, to which other bound code can belong: `#[sdp::component(layer = "…", context = "…")]`.
///
/// Takes any number of Spec ids, which the component satisfies, and the arguments `id`, `label`, `references`, `uses`,
/// `component`, `role`, `layer`, `context`.
///
/// ```
/// # use sdp_anchors as sdp;
/// #[sdp::component(id = "component:billing", layer = "domain", context = "sales")]
/// pub mod billing {
///     # use sdp_anchors as sdp;
///     #[sdp::satisfies("spec:shop.refund", component = "component:billing")]
///     pub fn refund() {}
/// }
/// ```
///
/// # Errors
///
/// A compile error at each argument that is no part of a binding:
///
/// ```compile_fail
/// # use sdp_anchors as sdp;
/// #[sdp::component(layer = "domian")]
/// pub struct Billing;
/// ```
#[proc_macro_attribute]
pub fn component(arguments: TokenStream, item: TokenStream) -> TokenStream {
    bind(Attribute::Component, arguments, item)
}

/// Gives code an id without saying that it realizes a Spec: `#[sdp::anchor]`.
///
/// Takes no Spec ids, and the arguments of [`satisfies`](macro@satisfies). It is for code that others use, or that is written
/// against a Spec which it does not realize.
///
/// ```
/// # use sdp_anchors as sdp;
/// #[sdp::anchor(references = "spec:shop.vocabulary", role = "port")]
/// pub trait Ledger {
///     #[sdp::anchor]
///     fn book(&mut self, amount: i64);
/// }
/// ```
///
/// # Errors
///
/// A compile error at each argument that is no part of a binding:
///
/// ```compile_fail
/// # use sdp_anchors as sdp;
/// #[sdp::anchor("spec:shop.orders")]
/// pub struct Order;
/// ```
#[proc_macro_attribute]
pub fn anchor(arguments: TokenStream, item: TokenStream) -> TokenStream {
    bind(Attribute::Anchor, arguments, item)
}

/// The item as it is, and behind it an error for each reason why the attribute is no binding.
fn bind(attribute: Attribute, arguments: TokenStream, item: TokenStream) -> TokenStream {
    let whole = Place::of_attribute();
    let arguments::Arguments { stated, mut refusals } = arguments::read(attribute, arguments);
    let derived = format!("{}:…", attribute.derived_namespace());
    refusals.extend(grammar::refusals(attribute, &stated, whole, &derived));
    if !stated.iter().any(|stated| stated.field == grammar::Field::Id)
        && let Some(why) = item::why_no_id(item.clone())
    {
        refusals.push(grammar::missing_id(attribute, why, whole));
    }
    let mut expanded = item;
    expanded.extend(refusals.iter().map(compile_error));
    expanded
}
