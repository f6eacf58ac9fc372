//! The catalog, its folder and its page hold together.

use super::*;

#[test]
fn every_body_is_registered_under_its_own_name_and_in_order() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/bodies");
    let mut files: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    // By number, and a number of three digits behind those of two.
    files.sort_by_key(|file| (file.find('-'), file.clone()));
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
    // A package holds no guide.
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/catalog.md");
    if let Ok(saved) = std::fs::read_to_string(guide) {
        assert!(saved == catalog_page(), "docs/src/catalog.md is not what the bodies give: run `cargo xtask catalog`");
    }
}

#[test]
fn a_parameter_takes_the_same_in_every_recipe_and_its_refusal_says_so() {
    let mut kinds: Vec<(&str, &str)> = CATALOG.iter().flat_map(|recipe| recipe.head().takes).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert!(kinds.windows(2).all(|pair| pair[0].0 != pair[1].0), "one word for one thing: {kinds:?}");
    for recipe in CATALOG {
        let head = recipe.head();
        let named: Vec<&str> = head.takes.iter().map(|(name, _)| *name).collect();
        assert_eq!(named, head.params, "recipe {}", recipe.number);
        assert_eq!(recipe.sample_params().len(), head.params.len(), "recipe {} has no sample", recipe.number);
        for (name, kind) in head.takes {
            let refusals = ['"', '\''].map(|quote| format!("new TypeError({quote}{name} takes {kind}{quote})"));
            assert!(
                refusals.iter().any(|refusal| recipe.body.contains(refusal)),
                "recipe {} {name}: no `{}`",
                recipe.number,
                refusals[0]
            );
        }
    }
}

#[test]
fn a_recipe_that_judges_says_so_in_its_head_and_gives_findings() {
    for recipe in CATALOG {
        let head = recipe.head();
        let judges = head.params.contains(&"severity");
        assert_eq!(
            head.gives[0].ends_with(", or with severity { diagnostics: [finding] }"),
            judges,
            "{}",
            recipe.number
        );
        let name = format!("validatorId: \"recipe::{:02}-{}\"", recipe.number, recipe.slug);
        assert_eq!(recipe.body.contains(&name), judges, "{}", recipe.number);
        assert!(judges || !head.is_opt_in, "{}", recipe.number);
        // Ours never fail a run that did not ask for them.
        assert!(!recipe.is_own() || !judges || head.is_opt_in, "{}", recipe.number);
    }
}

#[test]
fn no_body_names_a_thing_of_a_corpus() {
    for recipe in CATALOG {
        let code = recipe.body.lines().filter(|line| !line.trim_start().starts_with("//"));
        for (at, line) in code.enumerate() {
            for namespace in ["spec", "pack", "impl", "component", "api", "test", "oracle"] {
                for (start, _) in line.match_indices(&format!("{namespace}:")) {
                    let before = line[..start].chars().next_back();
                    let rest = &line[start + namespace.len() + 1..];
                    // A prefix alone, in a string or an expression, names nothing.
                    let names = rest.starts_with(|c: char| c.is_ascii_alphanumeric());
                    let opens = before.is_none_or(|c| !c.is_ascii_alphanumeric());
                    assert!(!(names && opens), "recipe {} line {at} of its code: {line}", recipe.number);
                }
            }
        }
    }
}

#[test]
fn ours_stand_behind_those_of_the_protocol() {
    let (own, shared): (Vec<u32>, Vec<u32>) =
        CATALOG.iter().map(|recipe| recipe.number).partition(|number| *number >= FIRST_OWN);
    assert_eq!(shared, (1..=32).collect::<Vec<_>>());
    assert!(own.len() >= 3);
    assert!(CATALOG.iter().all(|recipe| recipe.is_own() == own.contains(&recipe.number)));
}
