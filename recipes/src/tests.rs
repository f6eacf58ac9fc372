//! The catalog, its folder and its page hold together.

use super::*;

#[test]
fn every_body_is_registered_under_its_own_name_and_in_order() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/bodies");
    let mut files: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    let registered: Vec<String> =
        CATALOG.iter().map(|recipe| format!("{:02}-{}.js", recipe.number, recipe.slug)).collect();
    assert_eq!(files, registered);
    assert!(CATALOG.is_sorted_by(|left, right| left.number < right.number));
}

#[test]
fn every_head_says_what_the_recipe_answers_and_its_slug_is_its_title() {
    for recipe in CATALOG {
        let head = recipe.head();
        let title = head.title.unwrap_or_else(|| panic!("recipe {} has no title", recipe.number));
        let slug: Vec<String> = title
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        assert_eq!(slug.join("-"), recipe.slug);
        assert!(!head.description.is_empty(), "recipe {} has no description", recipe.number);
        assert_eq!(head.gives.len(), 1, "recipe {} states one shape", recipe.number);
        assert!(
            head.needs.iter().all(|name| head.params.contains(name)),
            "recipe {} needs what it accepts",
            recipe.number
        );
    }
}

#[test]
fn the_head_and_the_code_of_a_body_accept_the_same_parameters() {
    for recipe in CATALOG {
        let listed: Vec<String> = recipe.head().params.iter().map(|name| format!("\"{name}\"")).collect();
        let line = format!("const accepts = [{}];", listed.join(", "));
        assert!(recipe.body.lines().any(|code| code == line), "recipe {}: no line `{line}`", recipe.number);
    }
}

#[test]
fn the_page_is_the_one_that_the_bodies_give() {
    let saved = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/CATALOG.md")).unwrap();
    assert!(saved == catalog_page(), "CATALOG.md is not what the bodies give: run `cargo xtask catalog`");
}
