//! The catalog as a page: the heads of the bodies come in, Markdown goes out. `CATALOG.md` and the guide hold it.

use crate::{CATALOG, FIRST_OWN, Head, Recipe};

const OPENING: &str = "\
# Recipes

Questions to the graph that someone already wrote down. `cargo sdp recipes` lists them, `cargo sdp recipes show N` prints the body of one,
`cargo sdp recipes run N` runs it, and `recipes(N, { … })` calls it from a body of your own. This page is made from the heads of the
bodies: `cargo xtask catalog` writes it.

A parameter that names a subject may be left out: the answer is then about the first one by id and names it. Where another one is left out
that the recipe needs, it is answered for the empty value, and the answer lists it under `needs`. A parameter that a recipe does not know is
answered with `{ unknownParams, accepts }`, and one of another kind than it takes is refused with a TypeError. With `severity` the answer is
`{ diagnostics }`, the findings of a rule.

In a shape, `[id]` is a list of ids, `{ rung: count }` an object with a key for each rung, `a | b` one of several words, `name?` what may
be absent; a name without a shape of its own is a text, a number, a truth value or null, or has the shape that the page gave it before. The examples ask the shop in `examples/shop`.
";

/// The catalog as a page: what `CATALOG.md` and the guide's `catalog.md` hold, made from the heads of the bodies.
#[must_use]
pub fn catalog_page() -> String {
    let mut page = String::from(OPENING);
    let (own, shared): (Vec<&Recipe>, Vec<&Recipe>) = CATALOG.iter().partition(|recipe| recipe.is_own());
    page.push_str("\n## Of the Protocol\n\nTheir numbers and answers are those of the Protocol's catalog; some answers hold more.\n");
    shared.into_iter().for_each(|recipe| entry(&mut page, recipe));
    page.push_str(&format!("\n## Ours, from {FIRST_OWN}\n"));
    own.into_iter().for_each(|recipe| entry(&mut page, recipe));
    page
}

fn entry(page: &mut String, recipe: &Recipe) {
    let head = recipe.head();
    let title = head.title.unwrap_or(recipe.slug);
    page.push_str(&format!("\n### {} {title}\n\n{}\n\n", recipe.number, head.description.join(" ")));
    for param in &head.params {
        page.push_str(&format!("- parameter `{param}`: {}\n", head.taken_by(param).unwrap_or_default()));
    }
    if let Some(how) = judging(&head) {
        page.push_str(&format!("- as a rule: {how}\n"));
    }
    for shape in &head.gives {
        page.push_str(&format!("- gives `{shape}`\n"));
    }
    page.push_str(&format!("- example: `{}`\n", example(recipe)));
}

/// How a recipe that can fail comes to judge.
fn judging(head: &Head<'_>) -> Option<&'static str> {
    if !head.params.contains(&"severity") {
        return None;
    }
    Some(match (head.is_opt_in, head.needs.is_empty()) {
        (false, true) => "in every run of `cargo sdp rules`",
        (true, true) => "where a rule of the configuration runs it",
        (_, false) => "where a rule of the configuration runs it and gives it what it judges",
    })
}

fn example(recipe: &Recipe) -> String {
    let number = recipe.number;
    let params: Vec<String> =
        recipe.sample_params().into_iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    if params.is_empty() {
        format!("cargo sdp recipes run {number}")
    } else {
        format!("cargo sdp recipes run {number} --params '{{{}}}'", params.join(","))
    }
}

/// A value that a parameter takes, as JSON; each parameter has one meaning in the whole catalog.
pub(crate) fn sample_of(param: &str) -> Option<&'static str> {
    Some(match param {
        "spec" => "\"spec:shop.refund\"",
        "pack" => "\"pack:shop\"",
        "component" => "\"component:shop-core.order.Order\"",
        "scope" => "\"spec:shop\"",
        "term" => "\"refund\"",
        "files" => "[\"shop-core/src/refund.rs\"]",
        "specs" => "[\"spec:shop.refund\"]",
        "addresses" => "[\"spec:shop.order#rule.atLeastOne\"]",
        "severity" => "\"warning\"",
        "dates" => "{ \"spec:shop.order#question[0]\": \"2026-11-02\" }",
        "today" => "\"2027-01-31\"",
        _ => return None,
    })
}
