//! README, guide and help cannot drift apart: the session of the README is run, what the guide shows is tried out, the
//! pages of the command line and of the findings are what the commands print, and every finding stands in the guide.
//! `UPDATE_DOCS=1` writes those two pages anew.

use std::path::{Path, PathBuf};
use std::process::Command;

use sdp_core::explain::{self, Subject};
use sdp_core::finding::FindingId;
use sdp_tests::{Repo, binary, copy_folder, spec_text};

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn page(path: &str) -> String {
    std::fs::read_to_string(project(path)).unwrap()
}

/// Holds a page to what it must be; `UPDATE_DOCS=1` writes it anew.
#[track_caller]
fn page_is(path: &str, actual: &str) {
    if let Some(difference) = sdp_tests::difference_or_update(&project(path), actual, "UPDATE_DOCS") {
        panic!("{difference}");
    }
}

/// Runs the sessions that a page shows, in a copy of a folder: each command prints what stands below it.
#[track_caller]
fn session_runs(path: &str, folder: &str) {
    let text = page(path);
    let sessions: Vec<&str> =
        text.split("```console\n").skip(1).map(|rest| rest.split("```\n").next().unwrap().trim_end()).collect();
    assert!(!sessions.is_empty(), "{path} shows no session");
    let session = sessions.join("\n\n");
    let repo = Repo::new();
    copy_folder(&project(folder), repo.root());
    let root = repo.root().canonicalize().unwrap();
    let mut actual = String::new();
    for line in session.lines().filter_map(|line| line.strip_prefix("$ cargo sdp ")) {
        let run = repo.sdp(words(line));
        if !actual.is_empty() {
            actual.push('\n');
        }
        let said = format!("{}{}", run.stderr, run.stdout).replace(root.to_str().unwrap(), "…");
        actual.push_str(&format!("$ cargo sdp {line}\n{said}"));
    }
    let timeless = |text: &str| -> String {
        let lines = text.lines().map(|line| line.split("; finished in ").next().unwrap().to_owned() + "\n");
        lines.collect()
    };
    let difference = sdp_tests::difference(path, timeless(&session).trim_end(), timeless(&actual).trim_end());
    if let Some(difference) = difference {
        panic!("{difference}");
    }
}

#[test]
fn the_session_of_the_readme_really_runs() {
    session_runs("README.md", "examples/first-session");
}

#[test]
fn the_sessions_of_the_chapter_on_pipelines_really_run() {
    session_runs("docs/src/ci.md", "examples/first-session");
}

/// The entry for pre-commit, held to what its hook runs.
#[test]
fn the_hook_of_the_chapter_on_pipelines_stops_a_commit_as_it_says() {
    let text = page("docs/src/ci.md");
    let entry = text.lines().find_map(|line| line.trim().strip_prefix("entry: cargo sdp ")).unwrap();
    // A list of `files` would pass over a commit that only removes a Spec.
    assert!(text.contains("        always_run: true\n") && !text.contains("        files: "));
    let refund = page("examples/first-session/specs/refund.sdp.md").replace("readiness: defined", "readiness: idea");
    let repo = Repo::new();
    copy_folder(&project("examples/first-session"), repo.root());
    repo.write("specs/refund.sdp.md", &refund);
    let run = repo.sdp(words(entry));
    assert_eq!(run.code, Some(1));
    let shown = format!("- exit code: 1\n\n{}{}", run.stderr, run.stdout);
    assert!(text.contains(&shown), "{shown}");
}

#[sdp::verifies("spec:sdp.agent-surface")]
#[test]
fn the_sessions_of_the_skill_really_run() {
    session_runs("docs/agents/SKILL.md", "examples/shop");
}

#[test]
fn the_skill_that_is_shipped_is_the_one_of_the_docs() {
    assert_eq!(page("cargo-sdp/src/agents/SKILL.md"), page("docs/agents/SKILL.md"));
    let skill = page("docs/agents/SKILL.md");
    assert!(skill.starts_with("---\nname: cargo-sdp\ndescription: ") && skill.lines().count() < 175);
    // Every method of the reader, each edge, and each recipe that it names.
    let methods =
        Repo::new().sdp(["q", "return Object.getOwnPropertyNames(g).filter((name) => name !== 'graph')", "--json"]);
    for method in serde_json::from_str::<Vec<String>>(&methods.stdout).unwrap() {
        assert!(skill.contains(&format!("`g.{method}(")), "{method}");
    }
    let (_, recipes) = skill.split_once("Recipes worth knowing").unwrap();
    let (recipes, _) = recipes.split_once("`cargo sdp recipes` lists all").unwrap();
    let (_, recipes) = recipes.split_once(": ").unwrap();
    for named in recipes.split(';') {
        let number: u32 = named.split_whitespace().next().unwrap().parse().unwrap();
        let recipe = sdp_recipes::recipe(number).unwrap_or_else(|| panic!("{named}"));
        for param in named.split('`').skip(1).step_by(2) {
            assert!(recipe.head().params.contains(&param), "{named}");
        }
    }
}

#[test]
fn the_session_of_the_chapter_on_bindings_really_runs() {
    session_runs("docs/src/anchors.md", "examples/shop");
}

#[test]
fn the_session_of_the_chapter_on_typescript_really_runs() {
    session_runs("docs/src/typescript.md", "examples/storefront");
}

#[test]
fn the_code_of_the_chapter_on_typescript_is_code_of_the_example() {
    let guide = page("docs/src/typescript.md");
    let files =
        ["src/cart.ts", "src/Badge.tsx", "package.json"].map(|file| page(&format!("examples/storefront/{file}")));
    // The place of a line in its file is not shown.
    let plain = |text: &str| -> String { text.lines().map(|line| line.trim().to_owned() + "\n").collect() };
    let mut shown = 0;
    for opening in ["```ts\n", "```tsx\n", "```json\n"] {
        for block in guide.split(opening).skip(1).map(|rest| plain(rest.split("```\n").next().unwrap())) {
            assert!(files.iter().any(|file| plain(file).contains(&block)), "{block}");
            shown += 1;
        }
    }
    assert_eq!(shown, 3);
}

#[test]
fn the_scripts_of_the_example_in_typescript_call_the_binary_by_its_own_name() {
    let manifest: serde_json::Value = serde_json::from_str(&page("examples/storefront/package.json")).unwrap();
    let repo = Repo::new();
    copy_folder(&project("examples/storefront"), repo.root());
    let scripts = manifest["scripts"].as_object().unwrap();
    let ends = scripts.values().map(|script| {
        let command = script.as_str().unwrap().strip_prefix("cargo-sdp ").unwrap();
        let body = (command == "q").then_some("return g.specs().length");
        let run =
            Command::new(binary()).args(command.split(' ').chain(body)).current_dir(repo.root()).output().unwrap();
        (command.to_owned(), run.status.code())
    });
    let expected = ["check", "q", "rules"].map(|command| (command.to_owned(), Some(0)));
    assert_eq!(ends.collect::<Vec<_>>(), expected);
}

#[test]
fn the_chapter_on_typescript_imports_the_carriers_of_the_example() {
    let guide = page("docs/src/typescript.md");
    let block = guide.split("```sh\n").nth(1).unwrap().split("```\n").next().unwrap();
    let repo = Repo::new();
    copy_folder(&project("examples/storefront"), repo.root());
    let commands = block.lines().map(|line| line.strip_prefix("cargo sdp ").unwrap().split('#').next().unwrap());
    for (command, is_written) in commands.zip([false, true]) {
        let run = repo.sdp(command.split_whitespace());
        assert_eq!(run.code, Some(0), "{command}: {}", run.stderr);
        assert_eq!(repo.path("specs/cart.sdp.md").exists(), is_written, "{command}");
    }
    for carrier in ["cart", "two-lines"] {
        std::fs::remove_file(repo.path(&format!("specs/{carrier}.sdp.ts"))).unwrap();
    }
    let run = repo.sdp(["check"]);
    assert_eq!(
        (run.stderr.as_str(), run.stdout.as_str()),
        ("", "0 errors · 0 warnings (3 specs · 1 pack · 4 anchors)\n")
    );
}

#[test]
fn what_the_chapter_on_typescript_says_is_not_read_binds_and_states_nothing() {
    let guide = page("docs/src/typescript.md");
    let (_, chapter) = guide.split_once("## What is not read\n").unwrap();
    let package = "@libar-dev/software-delivery-protocol";
    let made = "codeAnchor({ id: \"impl:x\", satisfies: \"spec:storefront.cart\" });\n";
    let bound = format!("import {{ codeAnchor }} from \"{package}\";\nexport const x = {made}");
    let stated = format!(
        "import {{ spec }} from \"{package}\";\nexport const x = spec({{ id: \"spec:x\", kind: \"rule\", altitude: \"story\", readiness: \"idea\", title: \"X\" }});\n"
    );
    let tags = "@sdpAnchor impl:x\n@sdpSatisfies spec:storefront.cart\n";
    let from = |module: &str| format!("import {{ codeAnchor }} from \"{module}\";\nexport const x = {made}");
    // What the chapter names, a file of that kind, and whether it counts where it is written as it should be.
    let cases = [
        ("", "src/x.ts", bound.clone(), 1),
        ("", "specs/x.sdp.ts", stated.clone(), 1),
        ("`.mts`", "src/x.mts", bound.clone(), 0),
        ("`.cts`", "src/x.cts", bound.clone(), 0),
        ("`.d.ts`", "src/x.d.ts", bound.clone(), 0),
        ("`.sdp.mts`", "specs/x.sdp.mts", stated.clone(), 0),
        ("`.sdp.js`", "specs/x.sdp.js", stated, 0),
        ("`.vue`", "src/x.vue", format!("<script>\n{bound}</script>\n"), 0),
        ("`.svelte`", "src/x.svelte", format!("<script>\n{bound}</script>\n"), 0),
        ("names as trusted", "src/x.ts", from("./sdp.js"), 0),
        ("misspelt path of the package", "src/x.ts", from(&format!("{package}/anchor")), 0),
        (
            "`require`",
            "src/x.ts",
            format!("const {{ codeAnchor }} = require(\"{package}\");\nexport const x = {made}"),
            0,
        ),
        (
            "`await import(…)`",
            "src/x.ts",
            format!("const {{ codeAnchor }} = await import(\"{package}\");\nexport const x = {made}"),
            0,
        ),
        ("`//`", "src/x.ts", tags.lines().map(|line| format!("// {line}\n")).collect(), 0),
        ("`/* */`", "src/x.ts", format!("/*\n{tags}*/\n"), 0),
        ("`.sdp.ts`", "specs/x.sdp.ts", format!("/**\n{tags}*/\n"), 0),
        (
            "a constant at the top level",
            "src/x.ts",
            format!("import {{ codeAnchor }} from \"{package}\";\nexport let x = {made}"),
            0,
        ),
    ];
    for (named, file, text, counts) in cases {
        assert!(chapter.contains(named), "{named}");
        let repo = Repo::new();
        copy_folder(&project("examples/storefront"), repo.root());
        repo.write(file, &text);
        let run = repo.sdp(["q", "return graph.nodes.filter((node) => /^(impl|spec):x$/.test(node.id)).length"]);
        assert_eq!(run.stdout, format!("{counts}\n"), "{file}: {text}{}", run.stderr);
    }
}

#[test]
fn the_typescript_of_the_chapter_on_bindings_binds_what_it_says() {
    let guide = page("docs/src/anchors.md");
    let mut blocks = guide.split("```ts\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let (Some(code), None) = (blocks.next(), blocks.next()) else { panic!("one whole example") };
    let repo = Repo::new().spec("shop.refund", "", "").spec("shop.refund.half", "  refines: spec:shop.refund\n", "");
    let repo = repo.file("src/refund.ts", code).file("pay.sh", "# @sdpAnchor impl:shop.pay\n");
    let run = repo.sdp(["check", "-A", "conformance/orphans", "--output", "short"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let run = repo.sdp([
        "q",
        "return g.in('spec:shop.refund').concat(g.in('impl:shop.pay')).map((edge) => edge.type + ' ' + edge.from)",
    ]);
    assert_eq!(
        run.stdout, "[ 'satisfies impl:shop.refund', 'refines spec:shop.refund.half', 'uses impl:shop.refund' ]\n",
        "{}",
        run.stderr
    );
}

#[test]
fn the_trusted_modules_of_the_chapter_on_configuration_count_as_it_says() {
    let guide = page("docs/src/configuration.md");
    let (_, chapter) = guide.split_once("## TypeScript\n").unwrap();
    let block = chapter.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let repo = Repo::new().file("sdp.toml", block).spec("a", "", "");
    for (name, module) in [("p", "@acme/sdp"), ("q", "../model/code-anchor.js"), ("r", "../model/code-anchor")] {
        assert!(name == "p" || chapter.contains(&format!("`\"{module}\"`")), "{module}");
        let text = format!(
            "import {{ codeAnchor }} from \"{module}\";\nexport const {name} = codeAnchor({{ id: \"impl:{name}\", satisfies: \"spec:a\" }});\n"
        );
        repo.write(&format!("src/shop/{name}.ts"), text);
    }
    let run = repo.sdp(["check"]);
    assert_eq!(
        (run.stderr.as_str(), run.stdout.as_str()),
        ("", "0 errors · 0 warnings (1 spec · 0 packs · 3 anchors)\n")
    );
}

#[test]
fn what_an_agent_asks_in_the_guide_has_an_answer_in_the_example() {
    let guide = page("docs/src/asking.md");
    let bodies = guide.split('`').filter(|code| code.starts_with("return g."));
    let repo = Repo::new();
    copy_folder(&project("examples/shop"), repo.root());
    let answers: Vec<String> = bodies.map(|body| repo.sdp(["q", "--json", body]).stdout).collect();
    let answers: Vec<Vec<String>> = answers.iter().map(|answer| serde_json::from_str(answer).unwrap()).collect();
    let expected: [&[&str]; 5] = [
        &["spec:shop.decisions.whole-cents", "spec:shop.refund", "spec:shop.words"],
        &[
            "references spec:shop.decisions.whole-cents",
            "references spec:shop.words",
            "satisfies spec:shop.refund",
            "uses impl:shop-core.order.Order.total",
        ],
        &["shop-core/src/refund.rs:15"],
        &["half_of_an_order_comes_back", "a_whole_order_comes_back", "every_refund_is_what_the_oracle_expects"],
        &["spec:shop.order"],
    ];
    assert_eq!(answers, expected);
}

#[test]
fn the_code_of_the_chapter_on_bindings_is_code_of_the_example_and_its_error_is_what_the_compiler_says() {
    let guide = page("docs/src/anchors.md");
    let blocks = |opening: &str| -> Vec<String> {
        let blocks = guide.split(opening).skip(1).map(|rest| rest.split("```\n").next().unwrap());
        // The place of a line in its file is not shown.
        blocks.map(|block| block.lines().map(|line| line.trim_start().to_owned() + "\n").collect()).collect()
    };
    let plain = |path: &str| -> String { page(path).lines().map(|line| line.trim_start().to_owned() + "\n").collect() };
    let code =
        ["shop-core/src/order.rs", "shop-core/tests/refund.rs"].map(|file| plain(&format!("examples/shop/{file}")));
    let shown = blocks("```rust\n");
    assert_eq!(shown.len(), 2);
    for block in shown {
        assert!(code.iter().any(|file| file.contains(&block)), "{block}");
    }
    let [error] = &blocks("```text\n")[..] else { panic!("one error") };
    assert!(plain("crates/sdp-anchors/tests/ui/fail/values.stderr").contains(error.as_str()), "{error}");
}

/// Splits a command line at spaces; single quotes hold a word together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, part) in line.split('\'').enumerate() {
        if place % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Runs the sessions of the first chapter in a folder, by a shell, and gives back what they print; the folder's path becomes `…`.
fn first_steps(guide: &str, folder: &Path) -> (String, String) {
    let blocks = guide.split("```console\n").skip(1).map(|rest| rest.split("```\n").next().unwrap());
    let session: String = blocks.collect();
    let mut actual = String::new();
    for line in session.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let command = line.replace("cargo sdp ", "\"$SDP\" ");
        let run = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {command}")])
            .env_clear()
            .env("SDP", binary())
            .current_dir(folder)
            .output()
            .unwrap();
        actual.push_str(&format!("$ {line}\n{}", String::from_utf8(run.stdout).unwrap()));
    }
    let timeless = |text: &str| -> String {
        let lines = text.lines().map(|line| line.split("; finished in ").next().unwrap().to_owned() + "\n");
        lines.collect()
    };
    let real = folder.canonicalize().unwrap();
    (timeless(&session), timeless(&actual).replace(real.to_str().unwrap(), "…"))
}

#[test]
fn every_example_of_the_catalog_is_answered_by_the_shop() {
    let catalog = page("docs/src/catalog.md");
    let repo = Repo::new();
    copy_folder(&project("examples/shop"), repo.root());
    let mut asked = 0;
    for line in catalog.lines().filter_map(|line| line.strip_prefix("- example: `cargo sdp ")?.strip_suffix('`')) {
        let run = repo.sdp(words(line).iter().map(String::as_str).chain(["--json"]));
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{line}");
        let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(answer["found"] != false && answer.get("unknownParams").is_none(), "{line}: {answer:#}");
        asked += 1;
    }
    assert_eq!(asked, sdp_recipes::CATALOG.len());
}

#[test]
fn the_first_steps_of_the_guide_say_what_they_promise() {
    let guide = page("docs/src/start.md");
    let blocks: Vec<&str> = guide.split("```text\n").skip(1).map(|rest| rest.split("```\n").next().unwrap()).collect();
    let [first, relations] = blocks[..] else { panic!("{} blocks", blocks.len()) };
    let others =
        (0..50).map(|number| (format!("shop/docs/page-{number}.md"), format!("# Page {number}\n\n- rule: no\n")));
    let empty = Repo::new().file("shop/.git/HEAD", "");
    let with_others =
        others.clone().fold(Repo::new().file("shop/.git/HEAD", ""), |repo, (path, text)| repo.file(&path, text));
    for repo in [empty, with_others] {
        let shop = repo.path("shop");
        let dry = repo.command(["init", "--dry-run", "-q"]).cwd(&shop).run();
        assert!(dry.stdout.contains(first), "{}", dry.stdout);
        let (session, actual) = first_steps(&guide, &shop);
        if let Some(difference) = sdp_tests::difference("docs/src/start.md", &session, &actual) {
            panic!("{difference}");
        }
        // The two edits that the text says mend what failed.
        let spec = std::fs::read_to_string(shop.join("specs/shop.sdp.md")).unwrap();
        let mended = guide.split('`').find(|code| code.starts_with("- rule: [#paidBack]")).unwrap();
        let spec = spec.replace("- rule: A returned order is paid back within five days.", mended);
        repo.write("shop/specs/shop.sdp.md", spec);
        let refund = std::fs::read_to_string(shop.join("specs/refund.sdp.md")).unwrap();
        repo.write("shop/specs/refund.sdp.md", refund.replace("relations: {}\n", relations));
        let run = repo.command(["check"]).cwd(&shop).run();
        assert_eq!((run.stderr.as_str(), run.stdout.as_str()), ("", "0 errors · 0 warnings (2 specs · 1 pack)\n"));
        assert!(guide.contains(run.stdout.trim_end()));
        let run = repo.command(["rules"]).cwd(&shop).run();
        assert_eq!(run.code, Some(0), "{}", run.stdout);
        let run = repo.command(["q", "return graph.locations.some((row) => row.key === 'paidBack')"]).cwd(&shop).run();
        assert_eq!(run.stdout, "true\n");
        for (path, text) in others.clone().filter(|(path, _)| repo.path(path).exists()) {
            assert_eq!(std::fs::read_to_string(repo.path(&path)).unwrap(), text);
        }
        // The line for a pipeline, with a ready Spec that nothing verifies.
        repo.write("shop/specs/base.sdp.md", with_a_rule("base", "defined", "shop"));
        repo.write("shop/specs/ready.sdp.md", with_a_rule("ready", "ready", "base"));
        let line = guide.lines().find_map(|line| line.strip_prefix("cargo sdp check -D warnings ")).unwrap();
        let run = repo.command(["check", "-D", "warnings", "--output", "short"]).cwd(&shop).run();
        assert!(run.stderr.starts_with("specs/ready.sdp.md:2 — [error] honesty/gaps — "), "{}", run.stderr);
        assert_eq!((run.stderr.lines().count(), run.code), (1, Some(1)));
        let run = repo.command(["check", "-D", "warnings"].into_iter().chain(line.split(' '))).cwd(&shop).run();
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    }
}

#[test]
fn the_manifest_of_the_first_chapter_is_what_init_adds() {
    let guide = page("docs/src/start.md");
    let shown = guide.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let package = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let repo = Repo::new().file("shop/Cargo.toml", package).file("cargo-sdp/crates/sdp-harness/Cargo.toml", "");
    let run = repo.command(["init", "--harness", "../cargo-sdp"]).cwd(repo.path("shop")).run();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(repo.path("shop/Cargo.toml")).unwrap(), format!("{package}\n{shown}"));
}

/// A Spec at a rung, with all that the rung asks for where the Spec that it depends on is `defined`.
fn with_a_rule(name: &str, rung: &str, target: &str) -> String {
    let text = spec_text(name, &format!("  dependsOn: spec:{target}"), "\n## Behavior\n\n- rule: It holds.\n");
    text.replace("readiness: idea", &format!("readiness: {rung}"))
}

#[test]
fn the_examples_of_the_chapter_on_configuration_work_where_they_are_copied() {
    let guide = page("docs/src/configuration.md");
    let blocks: Vec<&str> = guide.split("```toml\n").skip(1).map(|rest| rest.split("```\n").next().unwrap()).collect();
    let [fresh, with_files, trusted, contracts, roots] = blocks[..] else { panic!("{} blocks", blocks.len()) };
    let repo = Repo::new().file("sdp.toml", fresh).spec("alone", "", "");
    let run = repo.sdp(["check", "--output", "short"]);
    assert!(run.stderr.starts_with("specs/alone.sdp.md:2 — [warning] conformance/orphans — "), "{}", run.stderr);
    assert_eq!((run.stdout.as_str(), run.code), ("0 errors · 1 warning (1 spec · 0 packs)\n", Some(0)));
    assert_eq!(repo.sdp(["rules"]).code, Some(0));
    repo.write("sdp.toml", with_files);
    let run = repo.sdp(["check", "--output", "short"]);
    for said in ["[warning] sdp/unmatched-exclude — ", "[error] sdp/unmatched-rule-glob — "] {
        assert!(run.stderr.contains(said), "{said}: {}", run.stderr);
    }
    assert_eq!(run.code, Some(1));
    repo.write("specs/drafts/later.sdp.md", "");
    repo.write("policies/none.sdp.js", "return []");
    let run = repo.sdp(["check", "-A", "conformance/orphans", "--output", "short"]);
    assert!(run.stderr.contains("[error] ") && run.stderr.contains("shared/naming.sdp.js"), "{}", run.stderr);
    repo.write("shared/naming.sdp.js", "// @params style\nreturn params.style === 'kebab' ? [] : undefined");
    let run = repo.sdp(["check", "-A", "conformance/orphans"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let rules = repo.sdp(["rules", "rule::"]);
    assert!(rules.stdout.contains("\ntest result: ok. 2 passed; 0 failed; "), "{}", rules.stdout);
    let of = |module: &str, id: &str| {
        format!(
            "import {{ codeAnchor }} from \"{module}\";\nconst a = codeAnchor({{ id: \"impl:{id}\", satisfies: \"spec:a\" }});\n"
        )
    };
    let repo = Repo::new()
        .file("sdp.toml", trusted)
        .spec("a", "  dependsOn: spec:a", "")
        .file("src/shop/a.ts", of("../model/code-anchor.js", "a"))
        .file("src/b.ts", of("@acme/sdp", "b"));
    let run = repo.sdp(["check", "-A", "sdp/self-relation"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    assert!(run.stdout.contains("2 anchors"), "{}", run.stdout);
    let link = r#"{ "behaviors": [{ "requirementLinks": [{ "scheme": "sdp", "id": "spec:a" }] }] }"#;
    let repo = Repo::new().file("sdp.toml", contracts).file("evals/shop/a.contract.json", link).spec(
        "a",
        "  dependsOn: spec:a",
        "",
    );
    let run = repo.sdp(["check", "-A", "sdp/self-relation"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let repo = Repo::new().file("sdp.toml", roots).file("backend/specs/drafts/later.sdp.md", "");
    for root in ["backend", "apps/web"] {
        repo.write(&format!("{root}/specs/a.sdp.md"), spec_text("a", "  dependsOn: spec:a\n", ""));
    }
    let run = repo.sdp(["check", "-A", "sdp/self-relation"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    assert!(run.stdout.ends_with("\ntotal: 0 errors · 0 warnings (2 roots)\n"), "{}", run.stdout);
    assert!(guide.contains(repo.sdp(["q", "return 1"]).stderr.lines().last().unwrap()));
}

/// The program itself and each command that a help lists, each before those below it.
fn every_command() -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    for command in sdp_tests::commands(&[]) {
        let below = sdp_tests::commands(&[&command]);
        all.push(vec![command.clone()]);
        all.extend(below.into_iter().map(|name| vec![command.clone(), name]));
    }
    all
}

#[test]
fn the_excerpts_of_the_chapter_on_outputs_are_recorded_outputs() {
    let guide = page("docs/src/outputs.md");
    let folder = project("tests/fixtures/outputs");
    let forms = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let forms = forms.filter(|path| path.extension().is_some_and(|ending| ending == "txt"));
    let recorded: Vec<String> = forms
        .flat_map(|path| {
            let text = std::fs::read_to_string(path).unwrap();
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    let mut shown = 0;
    for opening in ["```json\n", "```text\n", "```xml\n"] {
        for block in guide.split(opening).skip(1).map(|rest| rest.split("```\n").next().unwrap()) {
            for line in block.lines() {
                assert!(recorded.iter().any(|recorded| recorded == line), "{line}");
                shown += 1;
            }
        }
    }
    assert_eq!(shown, 9);
    for format in sdp_harness::outputs::Format::ALL {
        assert!(guide.contains(&format!("| `{}` | ", format.as_str())), "{}", format.as_str());
    }
}

#[test]
fn the_reference_page_is_what_the_commands_print() {
    let mut actual = String::from(
        "# Command line\n\nWhat each command prints for `--help`. `cargo-sdp X`, `cargo sdp X` and `cargo-sdp sdp X` are the same.\n",
    );
    for command in every_command() {
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let run = Repo::new().command(command.iter().chain(&["--help"])).env("COLUMNS", "100").run();
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        let name = ["cargo sdp"].iter().chain(&command).copied().collect::<Vec<_>>().join(" ");
        let help: String = run.stdout.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
        actual.push_str(&format!("\n## `{name}`\n\n```text\n{help}```\n"));
    }
    page_is("docs/src/reference.md", &actual);
}

#[test]
fn the_page_of_the_findings_is_what_explain_prints() {
    let mut actual = String::from(
        "# Findings explained\n\nWhat `cargo sdp explain <id>` prints for each finding and for each clause of the readiness floor.\n[Checks and findings](checks.md) has them in a table.\n",
    );
    let mut group = "";
    for subject in Subject::all() {
        let next = subject.group().unwrap_or("Clauses of the readiness floor");
        if group != next {
            group = next;
            actual.push_str(&format!("\n## {group}\n"));
        }
        actual.push_str(&format!("\n{}", explain::markdown(subject, 3)));
    }
    page_is("docs/src/findings.md", &actual);
}

#[test]
fn the_guide_names_every_finding_and_no_other() {
    let guide = page("docs/src/checks.md");
    let named: Vec<&str> = guide
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|code| code.split_once('/').is_some_and(|(group, _)| FindingId::groups().any(|known| known == group)))
        .collect();
    for id in FindingId::ALL {
        assert!(named.contains(&id.as_str()), "{} is not in the guide", id.as_str());
    }
    for name in named {
        assert!(FindingId::ALL.iter().any(|id| id.as_str() == name), "{name} is no finding");
    }
}

#[test]
fn the_guide_lists_the_languages_that_are_built_in() {
    // `UPDATE_DOCS=1` writes the table anew; it ends the page.
    let head = "| language | files | comments |\n|---|---|---|\n";
    let guide = page("docs/src/anchors.md");
    let (before, _) = guide.split_once(head).unwrap();
    page_is("docs/src/anchors.md", &format!("{before}{head}{}", sdp_core::anchor::markdown_rows()));
}

#[test]
fn the_comments_of_the_guide_bind_what_the_chapter_says() {
    let guide = page("docs/src/anchors.md");
    let (_, chapter) = guide.split_once("## In comments\n").unwrap();
    let example = chapter.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let repo = Repo::new().spec("shop.refund", "", "").file("refund.sh", example);
    let run = repo.sdp(["q", "return g.in('spec:shop.refund').map((edge) => edge.from + ' ' + edge.type)"]);
    assert_eq!(run.stdout, "[ 'impl:shop.refund satisfies', 'test:shop.refund verifies' ]\n", "{}", run.stderr);
}

#[test]
fn the_guide_has_every_page_that_its_summary_names() {
    let summary = page("docs/src/SUMMARY.md");
    let mut named: Vec<&str> =
        summary.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()).chain(["SUMMARY.md"]).collect();
    named.sort_unstable();
    let folder = std::fs::read_dir(project("docs/src")).unwrap();
    let mut pages: Vec<String> = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    pages.sort_unstable();
    assert_eq!(named, pages);
}

#[test]
fn the_specs_of_the_guide_are_well_formed() {
    // The first block of the chapter on carriers, and the Pack: both must be read as they stand.
    let guide = page("docs/src/carriers.md");
    let blocks: Vec<&str> =
        guide.split("```markdown\n---\n").skip(1).map(|rest| rest.split("\n```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let carrier = format!("---\n{block}\n");
        if let Err(findings) = sdp_core::carrier::markdown::read("guide.sdp.md", &carrier) {
            panic!("{findings:#?}");
        }
    }
}

#[test]
fn the_gherkin_file_of_the_guide_gives_what_the_chapter_says() {
    let guide = page("docs/src/carriers.md");
    let mut blocks = guide.split("```gherkin\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let (Some(carrier), None) = (blocks.next(), blocks.next()) else { panic!("one whole example") };
    let orders = spec_text("shop.orders", "", "");
    let repo = Repo::new().file("specs/refund.sdp.gherkin", carrier).file("specs/orders.sdp.md", orders);
    let run = repo.sdp(["check"]);
    assert_eq!((run.stderr.as_str(), run.stdout.as_str()), ("", "0 errors · 0 warnings (3 specs · 0 packs)\n"));
    let run = repo.sdp(["q", "return g.out('spec:shop.refund.half').map((edge) => edge.type + ' ' + edge.to)"]);
    assert_eq!(run.stdout, "[ 'refines spec:shop.refund', 'verifies spec:shop.refund' ]\n");
}

#[test]
fn the_typescript_file_of_the_guide_gives_what_the_chapter_says() {
    let guide = page("docs/src/carriers.md");
    let mut blocks = guide.split("```ts\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let (Some(carrier), None) = (blocks.next(), blocks.next()) else { panic!("one whole example") };
    let orders = spec_text("shop.orders", "", "");
    let repo = Repo::new().file("specs/shop.sdp.ts", carrier).file("specs/orders.sdp.md", orders);
    let run = repo.sdp(["check"]);
    assert_eq!((run.stderr.as_str(), run.stdout.as_str()), ("", "0 errors · 0 warnings (2 specs · 1 pack)\n"));
    let run =
        repo.sdp(["q", "return graph.nodes.find((node) => node.id === 'spec:shop.refund').sections.design.retries"]);
    assert_eq!(run.stdout, "{ after: '1 h', atMost: 3 }\n", "{}", run.stderr);
}

#[test]
fn the_binary_answers_under_both_names() {
    let repo = Repo::new().spec("a", "", "");
    let direct = repo.sdp(["q", "return g.specs().length"]);
    let as_plugin = repo.sdp(["sdp", "q", "return g.specs().length"]);
    assert_eq!(direct, as_plugin);
    assert_eq!(direct.stdout, "1\n");
    assert!(Command::new(binary()).arg("--version").output().unwrap().status.success());
}
