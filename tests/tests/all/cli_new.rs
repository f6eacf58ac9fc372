//! `cargo sdp new`: its refusals, the bytes that it writes, and that it leaves everything else alone.

use std::fs;

use sdp_tests::{Repo, Run, ends, skipped};

/// The calls of `new spec` without its path.
const FULL: [&str; 10] = [
    "--id",
    "spec:shop.refund",
    "--kind",
    "behavior",
    "--altitude",
    "feature",
    "--title",
    "A refund",
    "--outcome",
    "It is paid.",
];

fn spec(repo: &Repo, path: &str) -> Run {
    repo.sdp(["new", "spec", path].iter().chain(&FULL))
}

/// `FULL` with other values; an empty list leaves the flag out.
fn spec_with(repo: &Repo, path: &str, changes: &[(&str, &[&str])]) -> Run {
    let mut words = vec!["new".to_owned(), "spec".to_owned(), path.to_owned()];
    for pair in FULL.chunks(2) {
        let change = changes.iter().find(|(flag, _)| *flag == pair[0]);
        let values: Vec<&str> = change.map_or(vec![pair[1]], |(_, values)| values.to_vec());
        for value in values {
            words.extend([pair[0].to_owned(), value.to_owned()]);
        }
    }
    repo.sdp(words)
}

#[test]
fn a_spec_of_each_kind_has_its_bytes() {
    let repo = Repo::new();
    for (kind, heading) in [
        ("behavior", "\n## Behavior\n"),
        ("workflow", "\n## Workflow\n"),
        ("example", "\n## Behavior\n"),
        ("rule", "\n## Rule\n"),
        ("constraint", ""),
        ("model", "\n## Model\n"),
        ("decision", "\n## Decision\n"),
        ("contract", "\n## Contract\n"),
    ] {
        let id = format!("spec:a.{kind}");
        let path = format!("specs/deep/{kind}.sdp.md");
        let run = spec_with(&repo, &path, &[("--kind", &[kind]), ("--id", &[&id])]);
        ends(&run, 0);
        assert_eq!(run.stdout, format!("Wrote {}\n", repo.root().canonicalize().unwrap().join(&path).display()));
        assert_eq!(
            fs::read_to_string(repo.path(&path)).unwrap(),
            format!(
                "---\nid: {id}\nkind: {kind}\naltitude: feature\nreadiness: idea\nrelations: {{}}\n---\n# A refund\n\n## Intent\n\n- outcome: It is paid.\n{heading}"
            )
        );
    }
    let run = repo.sdp(["check", "-A", "conformance/orphans"]);
    assert_eq!((run.stderr.as_str(), run.stdout.as_str()), ("", "0 errors · 0 warnings (8 specs · 0 packs)\n"));
}

#[test]
fn the_refusals_about_a_spec_are_the_pinned_lines_in_their_order() {
    let repo = Repo::new();
    let kinds = "(behavior, workflow, example, rule, constraint, model, decision, contract)";
    let path = "a.sdp.md";
    let cases: Vec<(Run, String)> = vec![
        (repo.sdp(["new", "spec"]), "requires a cwd-relative .sdp.md PATH.".into()),
        (repo.sdp(["new", "spec", "a", "b", "--kind", "x"]), "takes exactly one PATH.".into()),
        (repo.sdp(["new", "spec", "--nope", "--id"]), "unknown option --nope".into()),
        (repo.sdp(["new", "spec", "--id", "--kind"]), "--id expects a value, got --kind".into()),
        (repo.sdp(["new", "spec", "a", "--outcome"]), "--outcome requires a value.".into()),
        (spec_with(&repo, path, &[("--title", &["a", "b"])]), "--title may be supplied only once.".into()),
        (spec_with(&repo, path, &[("--id", &[]), ("--kind", &["x"])]), "--id is required.".into()),
        (spec_with(&repo, path, &[("--outcome", &[]), ("--kind", &["x"])]), "--outcome is required.".into()),
        (
            spec_with(&repo, path, &[("--title", &[" "]), ("--kind", &["x"])]),
            "--title requires a nonempty single-line value.".into(),
        ),
        (spec_with(&repo, path, &[("--outcome", &["a\nb"])]), "--outcome must be a single line.".into()),
        (
            spec_with(&repo, path, &[("--kind", &["behaviour"]), ("--altitude", &["x"])]),
            format!("--kind behaviour is not a ratified Spec kind {kinds}."),
        ),
        (
            spec_with(&repo, path, &[("--altitude", &["Epic"]), ("--id", &["x"])]),
            "--altitude Epic is not a ratified altitude (epic, feature, story).".into(),
        ),
        (spec_with(&repo, " ", &[("--id", &["x"])]), "--id Invalid ID \"x\": missing namespace".into()),
        (spec_with(&repo, path, &[("--id", &["pack:a"])]), "--id Invalid ID \"pack:a\": expected namespace \"spec\"".into()),
        (spec(&repo, " "), "PATH must be a nonempty cwd-relative .sdp.md path.".into()),
        (spec(&repo, "/a.sdp.md"), "PATH must be cwd-relative, not absolute.".into()),
        (spec(&repo, "C:\\a.sdp.md"), "PATH must be cwd-relative, not absolute.".into()),
        (spec(&repo, "x/../a.sdp.md"), "PATH must stay cwd-relative and must not contain .. segments.".into()),
        (spec(&repo, "x\\..\\a"), "PATH must stay cwd-relative and must not contain .. segments.".into()),
        (spec(&repo, "a.md"), "PATH must be a .sdp.md Spec carrier.".into()),
        (spec(&repo, "a.pack.sdp.md"), "PATH must be a .sdp.md Spec carrier.".into()),
        (spec(&repo, "a.sdp.md/"), "PATH must be a .sdp.md Spec carrier.".into()),
        (
            spec_with(&repo, path, &[("--title", &[" padded"])]),
            "--outcome extract/invalid-markdown-structure — the H1 title must be nonempty and start immediately after #".into(),
        ),
    ];
    for (run, line) in cases {
        assert_eq!((run.complaint(), run.code), (format!("sdp new spec: {line}").as_str(), Some(1)));
        assert!(run.stdout.is_empty() && run.stderr.contains("\nhint: "), "{}", run.stderr);
    }
    let run = spec_with(&repo, path, &[("--title", &[""]), ("--outcome", &["a\nb"])]);
    assert!(
        run.stderr.starts_with(
            "sdp new spec: --title requires a nonempty single-line value.\nsdp new spec: --outcome must be a single line.\nhint: "
        ),
        "{}",
        run.stderr
    );
    assert!(repo.contents().is_empty());
}

#[test]
fn a_refusal_shows_the_whole_call_and_the_nearest_word() {
    let repo = Repo::new();
    let run = repo.sdp(["new", "spec", "specs/it's.sdp.md", "--id", "spec:a"]);
    assert!(
        run.stderr.ends_with(
            "\nhint: the whole call: cargo sdp new spec 'specs/it'\\''s.sdp.md' --id spec:a --kind behavior --altitude feature --title 'A customer gets the money back' --outcome 'The amount of a returned order is paid back'\n"
        ),
        "{}",
        run.stderr
    );
    for (flag, value, nearest) in [("--kind", "behaviour", "behavior"), ("--altitude", "Epci", "epic")] {
        let run = spec_with(&repo, "a.sdp.md", &[(flag, &[value])]);
        assert!(run.stderr.ends_with(&format!("\nhint: did you mean `{nearest}`?\n")), "{}", run.stderr);
    }
    let run = repo.sdp(["new", "spec", "--tilte", "x"]);
    assert!(run.stderr.ends_with("\nhint: did you mean `--title`?\n"), "{}", run.stderr);
}

#[test]
fn without_a_noun_the_help_and_the_pinned_line_are_printed() {
    let repo = Repo::new();
    let line = "sdp new: requires spec. Usage: sdp new spec PATH --id ID --kind KIND --altitude ALT --title TITLE --outcome OUTCOME";
    let run = repo.sdp(["new"]);
    assert_eq!((run.complaint(), run.code), (line, Some(1)));
    assert_eq!(run.stdout, repo.sdp(["new", "--help"]).stdout);
    let run = repo.sdp(["new", "spek"]);
    assert_eq!((run.complaint(), run.stdout.as_str(), run.code), (line, "", Some(1)));
    assert!(run.stderr.contains("did you mean `cargo sdp new spec`?"), "{}", run.stderr);
    for noun in ["spec", "pack", "rule", "recipe", "contract"] {
        let help = repo.sdp(["new", noun, "x", "--nonsense-comes-later", "--help"]);
        assert_eq!(help.code, Some(1), "the first fault wins");
        let help = repo.sdp(["new", noun, "x", "--help"]);
        assert_eq!((help.stderr.as_str(), help.code), ("", Some(0)));
        for part in ["Examples:\n", "Exit codes: ", &format!("cargo sdp new {noun} ")] {
            assert!(help.stdout.contains(part), "{noun} lacks {part}: {}", help.stdout);
        }
        assert_eq!(repo.sdp(["help", "new", noun]).stdout, help.stdout);
    }
}

#[sdp::verifies("spec:sdp.new")]
#[test]
fn nothing_is_overwritten_and_no_link_leads_out() {
    let repo = Repo::new().file("a.sdp.md", "mine").file("file", "");
    let outside = Repo::new();
    let run = spec(&repo, "a.sdp.md");
    let there = repo.root().canonicalize().unwrap().join("a.sdp.md");
    let line = format!("sdp new spec: {} already exists and will not be overwritten.", there.display());
    assert_eq!((run.complaint(), run.code), (line.as_str(), Some(1)));
    let run = spec(&repo, "file/a.sdp.md");
    assert!(
        run.complaint().starts_with("sdp new spec: PATH cannot be resolved inside the current working directory: ")
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(outside.root(), repo.path("out")).unwrap();
        symlink("nowhere", repo.path("dangling")).unwrap();
        symlink("nowhere", repo.path("link.sdp.md")).unwrap();
        let escapes = "sdp new spec: PATH escapes the current working directory through a parent symlink";
        assert_eq!(spec(&repo, "out/deep/a.sdp.md").complaint(), format!("{escapes}."));
        assert!(spec(&repo, "dangling/a.sdp.md").complaint().starts_with(&format!("{escapes}: ")));
        assert!(spec(&repo, "link.sdp.md").complaint().ends_with("already exists and will not be overwritten."));
    }
    assert_eq!(fs::read(repo.path("a.sdp.md")).unwrap(), b"mine");
    assert!(outside.contents().is_empty());
    let left = fs::read_dir(repo.root()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(!left.into_iter().any(|name| name.starts_with(".sdp-write-")));
}

#[test]
fn a_folder_that_cannot_be_written_is_left_as_it_was() {
    let repo = Repo::new().file("closed/x", "");
    let mut rights = fs::metadata(repo.path("closed")).unwrap().permissions();
    rights.set_readonly(true);
    fs::set_permissions(repo.path("closed"), rights.clone()).unwrap();
    if fs::write(repo.path("closed/probe"), "").is_ok() {
        skipped("this user may write into every folder");
        return;
    }
    let run = spec(&repo, "closed/deep/a.sdp.md");
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
    assert!(run.stderr.contains("\nhint: the folder must be writable"), "{}", run.stderr);
}

#[test]
fn a_dry_run_writes_nothing_and_shows_the_document() {
    let repo = Repo::new();
    for words in [
        vec!["new", "spec", "specs/a.sdp.md"].into_iter().chain(FULL).collect::<Vec<_>>(),
        vec!["new", "pack", "specs/a.pack.sdp.md", "--id", "pack:a", "--title", "A"],
        vec!["new", "rule", "a/b"],
        vec!["new", "recipe", "a"],
        vec!["new", "contract", "a", "--spec", "spec:a"],
    ] {
        let shown = repo.sdp(words.iter().chain(&["--dry-run"]));
        ends(&shown, 0);
        assert_eq!(shown.stderr, "note: nothing was written; 1 document would be\n");
        assert!(repo.contents().is_empty());
        let (head, document) = shown.stdout.split_once('\n').unwrap();
        let path = head.strip_prefix("=== ").unwrap().strip_suffix(" ===").unwrap();
        let run = repo.sdp(words.iter().chain(&["-q"]));
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (format!("Wrote {path}\n").as_str(), ""));
        assert_eq!(fs::read_to_string(path).unwrap(), document);
        for (path, _) in repo.contents().iter().rev() {
            if path.is_dir() { fs::remove_dir(path).unwrap() } else { fs::remove_file(path).unwrap() }
        }
    }
}

#[test]
fn a_pack_lists_its_members_and_is_read() {
    let repo = Repo::new().spec("a", "", "").spec("b", "", "");
    let pack = |more: &[&str]| {
        repo.sdp(["new", "pack", "specs/x.pack.sdp.md", "--id", "pack:x", "--title", "X"].iter().chain(more))
    };
    for (more, line) in [
        (&["--member", "a"][..], "--member Invalid ID \"a\": missing namespace"),
        (&["--member", "impl:a"], "--member Invalid ID \"impl:a\": expected namespace \"spec\""),
        (&["--member", "spec:a", "--member", "spec:a"], "--member spec:a is given twice."),
        (&["--id", "pack:y"], "--id may be supplied only once."),
    ] {
        let run = pack(more);
        assert_eq!((run.complaint(), run.code), (format!("sdp new pack: {line}").as_str(), Some(1)));
    }
    let run = repo.sdp(["new", "pack", "x.sdp.md", "--id", "pack:x", "--title", "X"]);
    assert_eq!(run.complaint(), "sdp new pack: PATH must be a .pack.sdp.md carrier.");
    let run = repo.sdp(["new", "pack", "x.pack.sdp.md", "--id", "spec:x", "--title", "X"]);
    assert_eq!(run.complaint(), "sdp new pack: --id Invalid ID \"spec:x\": expected namespace \"pack\"");
    let run = repo.sdp(["new", "pack", "x.pack.sdp.md", "--title", "X"]);
    assert_eq!(run.complaint(), "sdp new pack: --id is required.");
    ends(&pack(&["--member", "spec:b", "--member", "spec:a"]), 0);
    assert_eq!(
        fs::read_to_string(repo.path("specs/x.pack.sdp.md")).unwrap(),
        "---\nid: pack:x\nspecs:\n  - spec:b\n  - spec:a\n---\n# X\n"
    );
    ends(&repo.sdp(["new", "pack", "specs/y.pack.sdp.md", "--id", "pack:y", "--title", "Y"]), 0);
    let run = repo.sdp(["q", "return g.packs().map((pack) => [pack.id, pack.title])"]);
    assert_eq!(run.stdout, "[ [ 'pack:x', 'X' ], [ 'pack:y', 'Y' ] ]\n", "{}", run.stderr);
}

#[test]
fn a_rule_passes_at_once_and_fails_where_its_condition_holds() {
    let repo = Repo::new().spec("a", "  dependsOn: spec:b", "").spec("b", "", "\n## Behavior\n\n- rule: It holds.\n");
    let run = repo.sdp(["new", "rule", "deep/verified", "--description", "It's `tested`."]);
    ends(&run, 0);
    assert!(run.stderr.contains("cargo sdp rules rule::deep::verified"), "{}", run.stderr);
    ends(&repo.sdp(["rules", "rule::deep::verified"]), 0);
    let text = fs::read_to_string(repo.path("specs/b.sdp.md")).unwrap();
    repo.write("specs/b.sdp.md", text.replace("readiness: idea", "readiness: ready"));
    let run = repo.sdp(["rules", "rule::"]);
    assert_eq!(run.code, Some(101));
    for part in
        ["error[deep/verified]: \"Title of b\" is ready, and no test", " --> specs/b.sdp.md:2\n", "It's `tested`."]
    {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    // The whole project, and the examples beside it.
    for root in ["", "examples/shop", "examples/storefront", "examples/first-session"] {
        let body = fs::read_to_string(repo.path("rules/deep/verified.sdp.js")).unwrap();
        let project = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let run = repo.command(["q", "--json", "--root", &format!("{project}/{root}")]).stdin(&body).run();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
}

#[test]
fn a_rule_goes_where_a_glob_finds_it() {
    let repo = Repo::new().file("sdp.toml", "rule-globs = [\"policies/**/*.sdp.js\"]\n").spec("a", "", "");
    ends(&repo.sdp(["new", "rule", "x"]), 0);
    assert!(repo.path("policies/x.sdp.js").is_file());
    ends(&repo.sdp(["rules", "rule::x"]), 0);
    repo.write("sdp.toml", "rule-globs = [\"policies/a*.sdp.js\"]\n");
    let run = repo.sdp(["new", "rule", "y"]);
    assert_eq!(run.complaint(), "sdp new rule: no rule glob of the configuration would find y: `policies/a*.sdp.js`.");
    ends(&repo.sdp(["new", "rule", "ay"]), 0);
    // From a folder below, and for another root.
    repo.write("deep/er/x", "");
    ends(&repo.command(["new", "rule", "az"]).cwd(repo.path("deep/er")).run(), 0);
    assert!(repo.path("policies/az.sdp.js").is_file());
    repo.write("other/sdp.toml", "");
    ends(&repo.sdp(["new", "rule", "z", "--root", "other"]), 0);
    assert!(repo.path("other/rules/z.sdp.js").is_file());
    ends(&repo.sdp(["new", "spec", "z.sdp.md", "--root", "other"].iter().chain(&FULL)), 0);
    assert!(repo.path("other/z.sdp.md").is_file());
}

#[test]
fn a_name_is_words_and_nothing_else() {
    let repo = Repo::new();
    for noun in ["rule", "recipe"] {
        for name in ["", " ", "../x", "/x", "a//b", "a::b", "x.sdp.js", ".x", "-x", "a\nb", "ä", &"x".repeat(201)] {
            let run = repo.sdp(["new", noun, "--", name]);
            assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)), "{name}");
            assert!(run.complaint().starts_with(&format!("sdp new {noun}: NAME ")), "{}", run.stderr);
            assert!(run.stderr.lines().count() == 2 && run.stderr.contains("\nhint: "), "{}", run.stderr);
        }
        let run = repo.sdp(["new", noun, &format!("{noun}s/x.sdp.js")]);
        assert!(run.stderr.ends_with(&format!(": cargo sdp new {noun} x\n")), "{}", run.stderr);
        let run = repo.sdp(["new", noun, "x", "--description", "a\u{2028}b"]);
        assert!(run.complaint().contains("--description holds "), "{}", run.stderr);
    }
    assert!(repo.contents().is_empty());
}

#[test]
fn a_recipe_answers_and_says_what_it_takes() {
    let repo = Repo::new().spec("a", "  dependsOn: spec:b", "").spec("b", "", "");
    ends(&repo.sdp(["new", "recipe", "open-work"]), 0);
    let body = fs::read(repo.path("recipes/open-work.js")).unwrap();
    let ask = |params: &str| repo.command(["q", "--json", "--params", params]).stdin(&body).run().stdout;
    let answer: serde_json::Value = serde_json::from_str(&ask("{}")).unwrap();
    assert_eq!((answer["total"].as_u64(), answer["rows"][0]["id"].as_str()), (Some(2), Some("spec:a")));
    assert!(ask("{\"altitude\":\"epic\"}").contains("\"total\": 0"));
    assert!(ask("{\"x\":1}").contains("unknownParams"));
}

#[test]
fn a_carrier_that_no_run_reads_is_said() {
    let repo = Repo::new().file("sdp.toml", "exclude = [\"drafts\"]\n").file("drafts/x", "");
    for (path, is_said) in [("drafts/a.sdp.md", true), ("node_modules/a.sdp.md", true), ("specs/a.sdp.md", false)] {
        let run = spec(&repo, path);
        ends(&run, 0);
        assert_eq!(run.stderr.contains("note: no run from here reads it"), is_said, "{}", run.stderr);
    }
    let repo = Repo::new().file("sdp.toml", "exclude = [\"rules/old\"]\n");
    for (name, is_said) in [("old/a", true), ("a", false)] {
        let run = repo.sdp(["new", "rule", name]);
        ends(&run, 0);
        assert_eq!(run.stderr.contains("note: no run from here reads it"), is_said, "{}", run.stderr);
        assert_eq!(run.stderr.contains("runs it"), !is_said, "{}", run.stderr);
        assert_eq!(
            repo.sdp(["rules", "--list"]).stdout.contains(&format!("rule::{}", name.replace('/', "::"))),
            !is_said
        );
    }
}

#[cfg(unix)]
#[test]
fn a_path_that_no_run_reads_is_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let repo = Repo::new();
    for (noun, path, more) in [
        (
            "spec",
            b"x\xff.sdp.md".as_slice(),
            ["--id=spec:a", "--kind=rule", "--altitude=epic", "--outcome=o"].as_slice(),
        ),
        ("pack", b"\xff/x.pack.sdp.md", &["--id=pack:a"]),
    ] {
        let words = [OsStr::new("new"), OsStr::new(noun), OsStr::from_bytes(path), OsStr::new("--title=t")];
        let run = repo.sdp(words.into_iter().chain(more.iter().map(OsStr::new)));
        let line = format!("sdp new {noun}: PATH is not UTF-8, so that no run would read it.");
        assert_eq!((run.complaint(), run.stdout.as_str(), run.code), (line.as_str(), "", Some(1)));
        assert_eq!(fs::read_dir(repo.root()).unwrap().count(), 0);
    }
}

#[test]
fn the_next_call_of_a_recipe_holds_from_the_current_folder() {
    let repo = Repo::new().file("sdp.toml", "").file("deep/er/x", "");
    let run = repo.command(["new", "recipe", "work"]).cwd(repo.path("deep/er")).run();
    ends(&run, 0);
    assert!(run.stderr.contains("note: `cargo sdp q < ../../recipes/work.js` runs it"), "{}", run.stderr);
}

#[sdp::verifies("spec:sdp.new")]
#[test]
fn what_would_be_read_otherwise_is_not_written() {
    let repo = Repo::new();
    for (flag, value) in [
        ("--outcome", "\u{1}"),
        ("--title", "a\u{b}"),
        ("--outcome", "a\u{2028}# b"),
        ("--title", "``` x"),
        ("--outcome", "- x"),
        ("--title", "C#"),
        ("--outcome", "{{@#|>"),
    ] {
        let run = spec_with(&repo, "x.sdp.md", &[(flag, &[value])]);
        if run.code == Some(0) {
            let read =
                repo.sdp(["q", "--json", "const n = graph.nodes[0]; return [n.title, n.sections.intent.outcome]"]);
            let read: Vec<String> = serde_json::from_str(&read.stdout).unwrap();
            assert!(read.iter().any(|text| text.trim() == value.trim()), "{value:?}: {read:?}");
            fs::remove_file(repo.path("x.sdp.md")).unwrap();
        } else {
            assert_eq!(run.code, Some(1), "{value:?}");
            assert!(!repo.path("x.sdp.md").exists());
        }
    }
}

#[sdp::verifies("spec:sdp.new")]
#[test]
fn a_contract_of_each_interface_compiles_seals_and_is_linked() {
    let repo = Repo::new()
        .file("sdp.toml", "contracts = [\"evals/**/*.contract.json\"]\n")
        .spec("a", "  dependsOn: spec:b", "")
        .spec("b", "", "");
    for (interface, marks) in [
        ("cli", ["\"kind\": \"cli\"", "/stdout/id", "/exit-code"]),
        ("api", ["\"kind\": \"api\"", "/response-body/id", "/response-status"]),
        ("mcp", ["\"kind\": \"mcp\"", "/call-inputs/arguments/id", "/response-status"]),
    ] {
        let name = format!("Desk_1/of-{interface}");
        let run = repo.sdp(["new", "contract", &name, "--spec", "spec:a", "--interface", interface]);
        ends(&run, 0);
        let path = format!("evals/{name}.contract.json");
        let next = format!("note: `cargo sdp eval compile --in {path}` compiles it; ");
        assert!(run.stderr.starts_with(&next) && !run.stderr.contains("contracts = "), "{}", run.stderr);
        let text = fs::read_to_string(repo.path(&path)).unwrap();
        for mark in marks {
            assert!(text.contains(mark), "{mark}: {text}");
        }
        assert!(text.contains(&format!("\"contractId\": \"desk-1-of-{interface}\"")), "{text}");
        assert!(!text.contains("@@"), "{text}");
        for command in ["compile", "seal"] {
            let run = repo.sdp(["eval", command, "--in", &path]);
            assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{interface}");
        }
    }
    assert_eq!(repo.sdp(["check"]).stdout, "0 errors · 0 warnings (2 specs · 0 packs)\n");
    ends(&repo.sdp(["new", "contract", "late", "--spec", "spec:zebra"]), 0);
    assert!(
        repo.sdp(["check"]).stderr.contains("error[sdp/contract-link]: "),
        "whether the Spec exists is for check to say"
    );
}

#[test]
fn a_contract_goes_where_the_configuration_finds_it() {
    let new = |repo: &Repo, name: &str| repo.sdp(["new", "contract", name, "--spec", "spec:a"]);
    let repo = Repo::new();
    let run = new(&repo, "x");
    ends(&run, 0);
    assert!(
        run.stderr.contains("once the configuration says `contracts = [\"evals/**/*.contract.json\"]`"),
        "{}",
        run.stderr
    );
    let repo = Repo::new().file("sdp.toml", "contracts = [\"quality/*.json\"]\n");
    ends(&new(&repo, "x"), 0);
    assert!(repo.path("quality/x.contract.json").is_file());
    let run = new(&repo, "deep/x");
    assert_eq!(
        (run.complaint(), run.code),
        (
            "sdp new contract: no pattern of `contracts` in the configuration would find deep/x: `quality/*.json`.",
            Some(1)
        )
    );
    let repo = Repo::new().file("sdp.toml", "contracts = [\"evals/**/*.contract.json\"]\nexclude = [\"evals/old\"]\n");
    assert!(new(&repo, "old/x").stderr.contains("no run from here reads its link"));
    assert!(!new(&repo, "x").stderr.contains("no run from here reads its link"));
    // A pattern without a wildcard names a file that is read wherever it lies.
    let repo = Repo::new().file("sdp.toml", "contracts = [\".quality/x.contract.json\"]\n").spec("a", "", "");
    let run = new(&repo, "x");
    ends(&run, 0);
    assert!(repo.path(".quality/x.contract.json").is_file());
    assert!(!run.stderr.contains("no run from here reads"), "{}", run.stderr);
    // A root beside the contract does not come by it.
    let repo = Repo::new()
        .file("sdp.toml", "roots = [{ path = \"specs\" }]\ncontracts = [\"evals/*.json\"]\n")
        .spec("a", "", "");
    let run = new(&repo, "x");
    ends(&run, 0);
    assert!(run.stderr.contains("no run from here reads its link"), "{}", run.stderr);
}

#[test]
fn no_contract_is_written_that_would_not_compile() {
    let repo = Repo::new();
    for (name, spec) in [
        ("sk-0123456789abcdef", "spec:a"),
        ("of/123-45-6789", "spec:a"),
        ("a", "spec:AKIA0123456789ABCDEF"),
        ("a", "spec:1234-5678-1234-5678"),
    ] {
        for dry in [&[][..], &["--dry-run"]] {
            let run = repo.sdp(["new", "contract", name, "--spec", spec].iter().chain(dry));
            let line =
                "sdp new contract: the contract would not compile: excluded-content-in-declaration in EvalContract.";
            assert!(run.complaint().starts_with(line), "{name} {spec}: {}", run.stderr);
            assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
            assert!(!run.stderr.contains(name.trim_start_matches("of/")) || name == "a", "{}", run.stderr);
        }
    }
    assert!(repo.contents().is_empty());
}

#[test]
fn what_a_new_contract_lacks_is_said_with_the_whole_call() {
    let repo = Repo::new();
    for (words, line, hint) in [
        (
            &[][..],
            "requires a NAME.",
            "the whole call: cargo sdp new contract refunds --spec spec:shop.refund --interface cli",
        ),
        (
            &["x"],
            "--spec is required.",
            "the whole call: cargo sdp new contract x --spec spec:shop.refund --interface cli",
        ),
        (&["x", "--spec", "pack:a"], "--spec Invalid ID \"pack:a\": expected namespace \"spec\"", "for example spec:"),
        (
            &["x", "--spec", "spec:a", "--interface", "http"],
            "--interface expects cli, api or mcp, got http",
            "cli is a program that is started, api an HTTP service, mcp a server of tools",
        ),
        (
            &["x.contract.json", "--spec", "spec:a"],
            "NAME x.contract.json is not made of ",
            "name it without folder and ending: ",
        ),
        (
            &["evals/x", "--spec", "spec:a"],
            "NAME evals/x holds the folder, which is added.",
            "name it without folder and ending: ",
        ),
        (
            &["evals/evals/x", "--spec", "spec:a"],
            "NAME evals/evals/x holds the folder, which is added.",
            "name it without folder and ending: cargo sdp new contract x\n",
        ),
    ] {
        let run = repo.sdp(["new", "contract"].iter().chain(words));
        assert!(run.complaint().starts_with(&format!("sdp new contract: {line}")), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("\nhint: {hint}")), "{}", run.stderr);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
    }
    assert!(repo.contents().is_empty());
}
