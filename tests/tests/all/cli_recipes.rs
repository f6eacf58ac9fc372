//! `cargo sdp recipes`: the catalog, a body, and a run of it.

use sdp_recipes::CATALOG;
use sdp_tests::Repo;

/// Two Specs that depend on each other.
fn cycle() -> Repo {
    Repo::new().spec("a", "  dependsOn: spec:b", "").spec("b", "  dependsOn: spec:a", "")
}

#[test]
fn the_catalog_lists_every_recipe_with_its_parameters() {
    let run = Repo::new().sdp(["recipes"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    for recipe in CATALOG {
        let head = recipe.head();
        let line =
            format!("{:>3}  {} — {}\n     {}\n", recipe.number, recipe.slug, head.title.unwrap(), head.description[0]);
        assert!(run.stdout.contains(&line), "{line}{}", run.stdout);
        if !head.params.is_empty() {
            assert!(
                run.stdout.contains(&format!("{line}     parameters: {}\n", head.params.join(", "))),
                "{}",
                run.stdout
            );
        }
    }
    assert_eq!(Repo::new().sdp(["recipes", "list"]), run);
}

#[test]
fn the_catalog_is_json_on_demand() {
    let run = Repo::new().sdp(["recipes", "list", "--json"]);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(rows.len(), CATALOG.len());
    let row = rows.iter().find(|row| row["number"] == 26).unwrap();
    assert_eq!(row["slug"], "dependency-cycles");
    assert_eq!(row["params"], serde_json::json!(["severity"]));
    assert_eq!(row["takes"], serde_json::json!({ "severity": "\"error\" or \"warning\"" }));
    for row in rows {
        assert_eq!(row["own"].as_bool().unwrap(), row["number"].as_u64().unwrap() > 100, "{row}");
    }
}

#[test]
fn ours_are_listed_apart_from_101_and_answer_by_number_and_slug() {
    let listed = Repo::new().sdp(["recipes"]).stdout;
    let (before, ours) = listed.split_once("\n\nours, from 101:\n").unwrap();
    assert!(before.contains("\n 32  architecture-crossings — ") && !before.contains("\n101  "), "{before}");
    let repo = cycle();
    for recipe in CATALOG.iter().filter(|recipe| recipe.is_own()) {
        let number = recipe.number.to_string();
        assert!(format!("\n{ours}").contains(&format!("\n{number}  {} — ", recipe.slug)), "{ours}");
        assert_eq!(repo.sdp(["recipes", "show", &number]).stdout, recipe.body);
        let run = repo.sdp(["recipes", "run", recipe.slug, "--json"]);
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "recipe {number}");
        assert_eq!(repo.sdp(["q", &format!("return await recipes({number})"), "--json"]), run);
    }
}

#[test]
fn a_body_is_shown_as_it_is_shipped() {
    let recipe = sdp_recipes::recipe(26).unwrap();
    for name in ["26", "dependency-cycles"] {
        let run = Repo::new().sdp(["recipes", "show", name]);
        assert_eq!((run.stdout.as_str(), run.code), (recipe.body, Some(0)));
    }
}

#[test]
#[sdp::verifies("spec:sdp.recipes")]
fn a_run_answers_as_the_body_does_in_the_sink() {
    let repo = cycle();
    let run = repo.sdp(["recipes", "run", "26", "--json"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(answer["totals"]["sets"], 1);
    assert_eq!(repo.sdp(["q", sdp_recipes::recipe(26).unwrap().body, "--json"]), run);
    assert_eq!(repo.sdp(["q", "return await recipes(26)", "--json"]), run);
}

#[test]
fn parameters_reach_the_recipe() {
    let repo = cycle().file("severity.json", "\"warning\"");
    let inline = repo.sdp(["recipes", "run", "26", "--params", r#"{"severity":"warning"}"#, "--json"]);
    assert_eq!((inline.stderr.as_str(), inline.code), ("", Some(0)));
    assert!(inline.stdout.contains("\"diagnostics\""), "{}", inline.stdout);
    assert_eq!(repo.sdp(["recipes", "run", "26", "--params", "severity=@severity.json", "--json"]), inline);
    let run = repo.sdp(["recipes", "run", "26", "--params", r#"{"sevrity":"warning"}"#, "--json"]);
    assert!(run.stdout.contains("\"unknownParams\""), "{}", run.stdout);
}

#[test]
fn refusals_carry_the_command_s_own_prefix() {
    let repo = cycle().file("specs/broken.sdp.md", sdp_tests::BROKEN_CARRIER);
    let run = repo.sdp(["recipes", "run", "26"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("\nsdp recipes: the graph did not derive — the body was not run.\n"), "{}", run.stderr);
    let run = repo.sdp(["recipes", "run", "26", "--params", "null"]);
    assert_eq!((run.stderr.as_str(), run.code), ("sdp recipes: --params is not a JSON object: it is null.\n", Some(1)));
}

#[test]
fn an_unknown_recipe_is_refused_with_a_hint() {
    for action in ["show", "run"] {
        for name in ["99", "nope", "026x", "-1"] {
            let run = cycle().sdp(["recipes", action, "--", name]);
            assert_eq!(
                (run.stdout.as_str(), run.stderr.as_str(), run.code),
                (
                    "",
                    format!(
                        "sdp recipes: the catalog holds no recipe {name}\nhint: `cargo sdp recipes` lists the catalog\n"
                    )
                    .as_str(),
                    Some(1)
                )
            );
        }
    }
}

#[test]
fn a_slug_with_a_typing_error_is_refused_with_the_slug_that_was_meant() {
    for action in ["show", "run"] {
        for name in ["dependency-cycle", "26-dependency-cycle", "25-dependency-cycles"] {
            let run = cycle().sdp(["recipes", action, name]);
            assert_eq!(
                (run.stdout.as_str(), run.stderr, run.code),
                (
                    "",
                    format!(
                        "sdp recipes: the catalog holds no recipe {name}\nhint: did you mean `dependency-cycles`? `cargo sdp recipes` lists the catalog\n"
                    ),
                    Some(1)
                )
            );
        }
    }
}

#[test]
fn every_recipe_runs_on_an_empty_root() {
    let repo = Repo::new();
    for recipe in CATALOG {
        let run = repo.sdp(["recipes", "run", &recipe.number.to_string(), "--json"]);
        assert_eq!(run.code, Some(0), "recipe {}: {}", recipe.number, run.stderr);
        assert!(serde_json::from_str::<serde_json::Value>(&run.stdout).is_ok(), "recipe {}", recipe.number);
    }
}

#[test]
fn the_root_may_stand_before_or_behind_the_action() {
    let repo = cycle().file("below/x", "");
    let one = repo.command(["recipes", "--root", "..", "run", "26"]).cwd(repo.path("below")).run();
    let two = repo.command(["recipes", "run", "26", "--root", ".."]).cwd(repo.path("below")).run();
    assert_eq!(one.code, Some(0));
    assert_eq!(one, two);
}

#[test]
fn families_may_have_the_names_of_inherited_members() {
    let repo = Repo::new().spec("constructor.x", "", "").spec("toString.x", "", "").spec("hasOwnProperty.x", "", "");
    let run = repo.sdp(["recipes", "run", "11", "--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(answer["total"], 3);
    assert_eq!(answer["byFamily"]["constructor"][0]["id"], "spec:constructor.x");
}

#[test]
fn a_recipe_answers_to_the_name_that_rules_prints() {
    let repo = Repo::new().spec("a", "", "");
    let by_number = repo.sdp(["recipes", "run", "26"]);
    assert_eq!(by_number.code, Some(0));
    assert_eq!(repo.sdp(["recipes", "run", "26-dependency-cycles"]), by_number);
    assert_eq!(repo.sdp(["recipes", "run", "dependency-cycles"]), by_number);
    assert_eq!(repo.sdp(["recipes", "run", "25-dependency-cycles"]).code, Some(1));
}
