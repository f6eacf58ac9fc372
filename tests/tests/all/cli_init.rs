//! `cargo sdp init`: what it writes into repositories of many shapes, what it keeps, and that it writes nothing where it refuses.

use std::fs;
use std::path::Path;

use sdp_tests::{Repo, Run, copy_folder, ends};

const PACKAGE: &str = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

/// The clone that the tests are built in, as an argument.
fn clone() -> String {
    format!("{}/..", env!("CARGO_MANIFEST_DIR"))
}

fn init(repo: &Repo, more: &[&str]) -> Run {
    repo.sdp(["init", "--harness", &clone()].iter().chain(more))
}

/// What is in a repository, but for what runs leave behind.
fn files(repo: &Repo) -> Vec<(String, Vec<u8>)> {
    let contents = repo.contents().into_iter();
    let files = contents.filter_map(|(path, bytes)| {
        let path = path.strip_prefix(repo.root()).ok()?.to_string_lossy().into_owned();
        Some((path, bytes?)).filter(|(path, _)| !path.starts_with(".sdp/") && !path.starts_with("target/"))
    });
    files.collect()
}

/// Check and rules are green, and a rule without a key fails at its own line.
#[track_caller]
fn works(repo: &Repo, spec: &str) {
    let run = repo.sdp(["check"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{}", run.stdout);
    assert!(run.stdout.contains("0 errors · 0 warnings ("), "{}", run.stdout);
    ends(&repo.sdp(["rules"]), 0);
    let text = fs::read_to_string(repo.path(spec)).unwrap();
    repo.write(spec, format!("{text}- rule: A returned order is paid back within five days.\n"));
    let run = repo.sdp(["rules"]);
    ends(&run, 101);
    let place = format!("  --> {spec}:17\n");
    assert!(
        run.stdout.contains("\nerror[rules-have-keys]: this rule has no key") && run.stdout.contains(&place),
        "{}",
        run.stdout
    );
    repo.write(spec, text);
    ends(&repo.sdp(["rules", "rule::"]), 0);
}

#[test]
fn a_repository_without_cargo_is_set_up() {
    let repo = Repo::new().file("shop/.git/HEAD", "");
    let run = repo.sdp(["init", "shop"]);
    ends(&run, 0);
    let wrote = [
        "sdp.toml",
        "specs/shop.sdp.md",
        "specs/shop.pack.sdp.md",
        "rules/rules-have-keys.sdp.js",
        ".github/workflows/specs.yml",
        ".gitignore",
    ];
    let lines: String = wrote.iter().map(|path| format!("Wrote shop/{path}\n")).collect();
    assert_eq!(run.stdout, lines);
    let inside = |words: &[&str]| repo.command(words).cwd(repo.path("shop")).run();
    let run = inside(&["check"]);
    assert_eq!((run.stderr.as_str(), run.stdout.as_str()), ("", "0 errors · 0 warnings (1 spec · 1 pack)\n"));
    ends(&inside(&["rules"]), 0);
    ends(&inside(&["config"]), 0);
}

#[test]
fn a_second_run_changes_nothing() {
    let repos = [
        Repo::new().file(".git/HEAD", ""),
        Repo::new().file("Cargo.toml", PACKAGE),
        Repo::new()
            .file("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n")
            .file("crates/shop/Cargo.toml", PACKAGE),
    ];
    for repo in repos {
        for ci in ["github", "gitlab"] {
            let with: &[&str] = if repo.path("Cargo.toml").exists() { &["--harness"] } else { &[] };
            let clone = clone();
            let call = || {
                let options = ["init", "--agents", "--ci", ci].into_iter().chain(with.iter().copied());
                repo.sdp(options.chain(with.iter().map(|_| clone.as_str())))
            };
            let first = call();
            ends(&first, 0);
            let before = files(&repo);
            let second = call();
            ends(&second, 0);
            assert_eq!(files(&repo), before);
            assert!(second.stdout.lines().all(|line| line.starts_with("Kept ")), "{}", second.stdout);
            assert!(second.stderr.ends_with("note: everything is there already\n"), "{}", second.stderr);
        }
    }
}

#[test]
fn the_first_files_are_named_when_others_have_come_since() {
    let repo = Repo::new().file("shop/.git/HEAD", "");
    ends(&repo.sdp(["init", "shop"]), 0);
    repo.write("shop/specs/refund.sdp.md", sdp_tests::spec_text("refund", "", ""));
    repo.write("shop/rules/own.sdp.js", "return []");
    let run = repo.sdp(["init", "shop"]);
    ends(&run, 0);
    assert_eq!(
        run.stdout,
        "Kept shop/sdp.toml\nKept shop/specs/shop.pack.sdp.md\nKept shop/specs/shop.sdp.md\nKept shop/rules/rules-have-keys.sdp.js\nKept shop/.github/workflows/specs.yml\nKept shop/.gitignore\n"
    );
}

#[test]
fn where_no_harness_is_known_all_that_is_to_be_added_is_shown() {
    // Beside the program that the tests run a clone is found, so that it is called from where there is none. A link is no file that
    // a process started meanwhile could still hold open for writing, which would keep it from being run.
    let repo = Repo::new().file("shop/Cargo.toml", PACKAGE);
    let program = repo.path("bin").join(sdp_tests::binary().file_name().unwrap());
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::hard_link(sdp_tests::binary(), &program)
        .or_else(|_| fs::copy(sdp_tests::binary(), &program).map(drop))
        .unwrap();
    let run = std::process::Command::new(&program).args(["sdp", "init", "shop"]).current_dir(repo.root()).output();
    let run = run.unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(stdout.contains("\nLeft out the test target: its harness is on no registry yet"), "{stdout}");
    for part in [
        "add by hand to shop/Cargo.toml:\n[[test]]\n",
        "\n[dev-dependencies]\n",
        "\nand write tests/specs.rs:\n",
        "sdp_harness::main()",
    ] {
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
}

#[test]
fn a_dry_run_writes_nothing_and_says_what_a_run_does() {
    let repo = Repo::new().file("Cargo.toml", PACKAGE).file(".git/HEAD", "");
    let before = repo.contents();
    let dry = init(&repo, &["--dry-run", "--agents"]);
    ends(&dry, 0);
    assert_eq!(repo.contents(), before);
    let (said, documents) = dry.stdout.split_once("=== ").unwrap();
    let run = init(&repo, &["--agents"]);
    assert_eq!(said.replace("Would write ", "Wrote ").replace("Would add to ", "Added to "), run.stdout);
    for (path, bytes) in files(&repo).iter().filter(|(path, _)| !path.starts_with(".git/") && path != "Cargo.toml") {
        let document = format!("{path} ===\n{}", String::from_utf8_lossy(bytes));
        assert!(documents.contains(&document), "{path}: {documents}");
    }
    assert!(documents.contains("\n+[[test]]\n") && documents.contains("\n+[package.metadata.sdp]\n"), "{documents}");
}

#[sdp::verifies("spec:sdp.init")]
#[test]
fn a_package_keeps_the_bytes_of_its_manifest_and_its_target_runs_the_rules() {
    let shapes = [
        PACKAGE.to_owned(),
        PACKAGE.replace('\n', "\r\n"),
        format!("# first\n{PACKAGE}\n[dev-dependencies] # ours\n\n[lints.rust]\nunsafe_code = \"forbid\"   # last"),
        format!("{PACKAGE}[[test]]\nname = \"other\"\npath = \"tests/other.rs\"\n\n[workspace]\n"),
        format!("{PACKAGE}[package.metadata]\nother = 1\n"),
    ];
    for shape in shapes {
        let repo = Repo::new().file("Cargo.toml", &shape).file("src/lib.rs", "").file("tests/other.rs", "");
        ends(&init(&repo, &["--ci", "none"]), 0);
        let new = fs::read_to_string(repo.path("Cargo.toml")).unwrap();
        let mut rest = new.chars();
        assert!(shape.chars().all(|wanted| rest.any(|found| found == wanted)), "{new}");
        assert_eq!(new.contains("\r\n"), shape.contains("\r\n"));
        let metadata = cargo_metadata::MetadataCommand::new()
            .manifest_path(repo.path("Cargo.toml"))
            .no_deps()
            .other_options(["--offline".to_owned()])
            .exec()
            .unwrap();
        let package = &metadata.packages[0];
        let target = package.targets.iter().find(|target| target.name == "specs").unwrap();
        assert!(target.is_test() && target.src_path.as_std_path().is_file());
        assert!(package.targets.iter().any(|target| target.name == "other"), "the other tests are still found: {new}");
        let harness = package.dependencies.iter().find(|dependency| dependency.name == "sdp-harness").unwrap();
        assert!(harness.path.as_ref().unwrap().join("Cargo.toml").as_std_path().is_file(), "{new}");
        works(&repo, "specs/shop.sdp.md");
    }
}

#[test]
fn a_virtual_workspace_has_its_target_in_the_member_that_is_named_or_alone() {
    let member = |name: &str| PACKAGE.replace("shop", name);
    let workspace =
        "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\", \"tools/gen\"]\nexclude = [\"crates/old\"]\n";
    let repo = Repo::new()
        .file("Cargo.toml", workspace)
        .file("crates/a/Cargo.toml", member("a"))
        .file("crates/old/Cargo.toml", member("old"))
        .file("crates/notes.txt", "");
    ends(&init(&repo, &["--ci", "none"]), 0);
    assert!(
        fs::read_to_string(repo.path("Cargo.toml"))
            .unwrap()
            .starts_with(&format!("{workspace}\n[workspace.metadata.sdp]\n"))
    );
    let manifest = fs::read_to_string(repo.path("crates/a/Cargo.toml")).unwrap();
    assert!(manifest.contains("[[test]]") && manifest.contains("sdp-harness = { path = "), "{manifest}");
    assert!(!manifest.contains("metadata") && repo.path("crates/a/tests/specs.rs").is_file());
    // Two members: nobody guesses.
    let repo = Repo::new()
        .file("Cargo.toml", workspace)
        .file("crates/a/Cargo.toml", member("a"))
        .file("tools/gen/Cargo.toml", member("gen"));
    let run = repo.sdp(["init", "--ci", "none"]);
    ends(&run, 0);
    assert!(
        run.stdout.contains("Left out the test target: the workspace has several packages, choose one: `cargo sdp init --package NAME` (a, gen)\n"),
        "{}",
        run.stdout
    );
    let run = init(&repo, &["--ci", "none", "--package", "gem"]);
    assert_eq!((run.complaint(), run.code), ("sdp init: no member of the workspace is the package gem.", Some(1)));
    assert!(run.stderr.ends_with("\nhint: did you mean `--package gen`?\n"), "{}", run.stderr);
    ends(&init(&repo, &["--ci", "none", "--package", "gen"]), 0);
    assert!(repo.path("tools/gen/tests/specs.rs").is_file() && !repo.path("crates/a/tests").exists());
}

/// What is refused: its files, the options, and what the line and the hint hold.
type Refused<'t> = (&'t str, &'t [(&'t str, &'t str)], &'t [&'t str], &'t str, &'t str);

#[test]
fn what_cannot_be_added_to_is_refused_and_nothing_is_written() {
    let clone = clone();
    let cases: [Refused<'_>; 12] = [
        ("not TOML", &[("Cargo.toml", "[package\n")], &[], "Cargo.toml:1:", "mend it first"),
        ("not UTF-8", &[("Cargo.toml", "[package]\nname = \"\u{fffd}\"\nx")], &[], "Cargo.toml:3:", "mend it first"),
        (
            "a target of another kind",
            &[("Cargo.toml", &format!("{PACKAGE}[[test]]\nname = \"specs\"\n"))],
            &[],
            "the target `specs` of ",
            "--no-test",
        ),
        (
            "a test of that name",
            &[("Cargo.toml", PACKAGE), ("tests/specs.rs", "#[test] fn x() {}")],
            &[],
            "tests/specs.rs is another test",
            "[[test]]",
        ),
        (
            "a test of that name in a folder",
            &[("Cargo.toml", PACKAGE), ("tests/specs/main.rs", "#[test] fn x() {}")],
            &["--harness", &clone],
            "the target `specs` of ",
            "--no-test",
        ),
        (
            "another package",
            &[("Cargo.toml", PACKAGE)],
            &["--package", "bank"],
            "/Cargo.toml is not bank.",
            "there is one package only",
        ),
        (
            "an inline table",
            &[("Cargo.toml", "package = { name = \"a\", edition = \"2024\", metadata = { x = 1 } }\n")],
            &[],
            "nothing can be added to it",
            "[package.metadata.sdp]",
        ),
        (
            "a wrong configuration",
            &[("Cargo.toml", &format!("{PACKAGE}[package.metadata.sdp]\nexlude = []\n"))],
            &[],
            "[error] sdp/invalid-config",
            "exclude",
        ),
        ("a file for a folder", &[("specs", "")], &[], "specs/", "nothing was written"),
        (
            "several roots",
            &[("sdp.toml", "roots = [{ path = \"a\" }, { path = \"b\" }]"), ("a/x", ""), ("b/x", "")],
            &[],
            "lists several roots (a, b)",
            "cargo sdp init backend",
        ),
        (
            "no clone",
            &[("Cargo.toml", PACKAGE)],
            &["--harness", "nowhere"],
            "--harness nowhere is no clone",
            "--harness ../cargo-sdp",
        ),
        (
            "no package",
            &[("x", "")],
            &["--harness", &clone],
            "holds no package and no workspace",
            "leave out --package",
        ),
    ];
    for (what, given, more, line, hint) in cases {
        let repo = given.iter().fold(Repo::new(), |repo, (path, text)| repo.file(path, text));
        let before = repo.contents();
        let run = repo.sdp(["init"].iter().chain(more));
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)), "{what}: {}", run.stderr);
        assert!(run.complaint().contains(line) && run.stderr.contains(hint), "{what}: {}", run.stderr);
        assert_eq!(repo.contents(), before, "{what}");
    }
    let run = Repo::new().sdp(["init", "nowhere"]);
    assert!(run.complaint().ends_with("nowhere\" is not a directory."), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_and_a_linked_manifest_is_refused() {
    use std::os::unix::fs::symlink;
    let outside = Repo::new().file("Cargo.toml", PACKAGE);
    let repo = Repo::new();
    symlink(outside.path("Cargo.toml"), repo.path("Cargo.toml")).unwrap();
    let run = repo.sdp(["init"]);
    assert!(
        run.complaint().ends_with("Cargo.toml is a symbolic link, which is neither replaced nor followed."),
        "{}",
        run.stderr
    );
    for folder in ["specs", "rules", ".github", "tests"] {
        let repo = Repo::new().file("Cargo.toml", PACKAGE);
        symlink(outside.root(), repo.path(folder)).unwrap();
        let run = init(&repo, &[]);
        assert_eq!(run.code, Some(1), "{folder}: {}", run.stdout);
        assert!(run.complaint().contains("a symbolic link that leads out of the folder"), "{}", run.stderr);
        assert_eq!(fs::read_to_string(repo.path("Cargo.toml")).unwrap(), PACKAGE);
    }
    assert_eq!(outside.contents().len(), 1);
}

#[test]
fn what_is_there_stays_and_is_said() {
    let repo = Repo::new()
        .file("Cargo.toml", format!("{PACKAGE}[package.metadata.sdp]\nexclude = [\"old\"]\n"))
        .file("old/x", "")
        .file("model/a.sdp.md", sdp_tests::spec_text("a", "", ""))
        .file("rules/own.sdp.js", "return []")
        .file(".gitlab-ci.yml", "stages: [test]\n");
    let before = files(&repo);
    let run = repo.sdp(["init", "--no-test"]);
    ends(&run, 0);
    assert_eq!(
        run.stdout,
        "Kept Cargo.toml\nLeft out the test target: --no-test\nLeft out the first Spec: a carrier is there already\nLeft out the first rule: a rule is there already\nWrote .gitlab/specs.yml\nKept .gitlab-ci.yml\n"
    );
    assert!(run.stderr.contains(
        "note: add to .gitlab-ci.yml, where its `include` stands:\ninclude:\n  - local: .gitlab/specs.yml\n"
    ));
    let after = files(&repo);
    assert!(before.iter().all(|file| after.contains(file)) && after.len() == before.len() + 1);
}

#[test]
fn a_run_that_was_killed_half_way_is_completed_by_the_next_one() {
    let repo = Repo::new().file("Cargo.toml", PACKAGE);
    ends(&init(&repo, &[]), 0);
    let whole = files(&repo);
    // The new files come first, the manifest last; any part of them may be there.
    for (path, bytes) in &whole {
        let repo = Repo::new().file("Cargo.toml", PACKAGE);
        if path != "Cargo.toml" {
            repo.write(path, bytes);
        }
        ends(&init(&repo, &[]), 0);
        let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
        assert_eq!(names(&files(&repo)), names(&whole), "{path}");
        works(&repo, "specs/shop.sdp.md");
    }
}

#[sdp::verifies("spec:sdp.init")]
#[test]
fn fifty_markdown_files_that_are_no_specs_stay_as_they_are() {
    let mut repo = Repo::new().file(".git/HEAD", "");
    for number in 0..50 {
        let text = match number % 5 {
            0 => format!("# Page {number}\n\nSee spec:none.such and [it](page-{number}.md).\n"),
            1 => format!("---\ntitle: Page {number}\nid: {number}\n---\n## Intent\n\n- rule: no\n"),
            2 => "---\n: [\n".to_owned(),
            3 => "```js\nreturn 1\n```\n".to_owned(),
            _ => String::new(),
        };
        let folder = ["", "docs/", "docs/adr/", "specs/", "rules/"][number % 5];
        repo = repo.file(&format!("{folder}page-{number}.md"), text);
    }
    let before = files(&repo);
    let run = repo.sdp(["init"]);
    ends(&run, 0);
    let after = files(&repo);
    assert!(before.iter().all(|file| after.contains(file)));
    assert!(!run.stdout.contains("page-") && !run.stderr.contains("page-"), "{}", run.stdout);
    let spec = after
        .iter()
        .map(|(path, _)| path)
        .find(|path| path.starts_with("specs/") && path.ends_with(".sdp.md") && !path.contains(".pack."));
    works(&repo, spec.unwrap());
}

#[test]
fn the_top_of_the_repository_is_found_from_below_and_a_pipeline_stands_there_only() {
    let repo = Repo::new().file("shop/.git/HEAD", "").file("shop/deep/x", "").file("shop/app/x", "");
    let run = repo.command(["init"]).cwd(repo.path("shop/deep")).run();
    ends(&run, 0);
    assert!(run.stdout.starts_with("Wrote ../sdp.toml\nWrote ../specs/shop.sdp.md\n"), "{}", run.stdout);
    let run = repo.command(["init", "app"]).cwd(repo.path("shop")).run();
    ends(&run, 0);
    assert!(run.stdout.contains("\nLeft out the pipeline: it stands at the top of the repository, "), "{}", run.stdout);
}

#[test]
fn an_old_package_whose_other_tests_would_vanish_has_no_target() {
    let repo = Repo::new().file("Cargo.toml", "[package]\nname = \"old\"\nversion = \"0.1.0\"\n");
    let run = init(&repo, &["--ci", "none"]);
    ends(&run, 0);
    assert!(run.stdout.contains("Left out the test target: in the edition 2015 "), "{}", run.stdout);
    assert!(!repo.path("tests").exists());
}

#[test]
fn the_edition_of_a_workspace_counts_for_its_members() {
    let member = "[package]\nname = \"old\"\nversion = \"0.1.0\"\nedition.workspace = true\n";
    for (edition, has_target) in [("2015", false), ("2021", true)] {
        let workspace = format!("[workspace]\nmembers = [\"old\"]\n[workspace.package]\nedition = \"{edition}\"\n");
        let repo = Repo::new().file("Cargo.toml", workspace).file("old/Cargo.toml", member);
        let run = init(&repo, &["--ci", "none"]);
        ends(&run, 0);
        assert_eq!(
            run.stdout.contains("Left out the test target: in the edition 2015 "),
            !has_target,
            "{}",
            run.stdout
        );
        assert_eq!(repo.path("old/tests/specs.rs").is_file(), has_target, "{edition}");
    }
}

#[test]
fn dependencies_of_other_forms_are_kept_alive() {
    // Cargo reads the old spelling only where the new one is not there.
    let repo = Repo::new().file("Cargo.toml", format!("{PACKAGE}[dev_dependencies]\nx = \"1\"\n"));
    ends(&init(&repo, &["--ci", "none"]), 0);
    let manifest = fs::read_to_string(repo.path("Cargo.toml")).unwrap();
    assert!(manifest.contains("[dev_dependencies]\nx = \"1\"\nsdp-harness = {"), "{manifest}");
    assert!(!manifest.contains("[dev-dependencies"), "{manifest}");
    // One path for all targets is what cargo takes.
    let of_target = "[target.'cfg(unix)'.dev-dependencies]\nsdp-harness = { path = \"x\" }\n";
    let repo = Repo::new().file("Cargo.toml", format!("{PACKAGE}{of_target}"));
    ends(&init(&repo, &["--ci", "none"]), 0);
    let manifest = fs::read_to_string(repo.path("Cargo.toml")).unwrap();
    assert_eq!(manifest.matches("sdp-harness").count(), 1, "{manifest}");
    assert!(repo.path("tests/specs.rs").is_file());
}

#[test]
fn nothing_is_written_where_no_run_reads_it() {
    let repo = Repo::new().file("sdp.toml", "exclude = [\"specs\", \"rules\"]\n");
    for _ in 0..2 {
        let run = repo.sdp(["init", "--ci", "none"]);
        ends(&run, 0);
        for what in ["the first Spec: the configuration excludes its folder, specs", "the rule: the configuration "] {
            assert!(run.stdout.contains(&format!("Left out {what}")), "{}", run.stdout);
        }
    }
    assert!(!repo.path("specs").exists() && !repo.path("rules").exists());
    // What an ignore file names is seen when it is there.
    for (ignored, is_said) in [("specs/\n", true), ("/target\n", false)] {
        let repo = Repo::new().file(".git/HEAD", "").file(".gitignore", ignored);
        let run = repo.sdp(["init", "--ci", "none"]);
        ends(&run, 0);
        assert_eq!(run.stderr.contains("note: no run reads specs/"), is_said, "{}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn the_manifest_of_a_member_behind_a_link_that_leads_out_is_not_written() {
    let outside = Repo::new()
        .file("Cargo.toml", format!("{PACKAGE}[[test]]\nname = \"specs\"\nharness = false\n"))
        .file("tests/specs.rs", "fn main() { sdp_harness::main() }");
    let repo = Repo::new().file("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n").file("crates/x", "");
    std::os::unix::fs::symlink(outside.root(), repo.path("crates/shop")).unwrap();
    let (before, was) = (outside.contents(), repo.contents());
    let run = init(&repo, &["--ci", "none"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)), "{}", run.stderr);
    assert!(run.complaint().ends_with("crates/shop lies behind a symbolic link that leads out of the folder."));
    assert_eq!((outside.contents(), repo.contents()), (before, was));
    ends(&repo.sdp(["init", "--ci", "none", "--no-test"]), 0);
}

#[test]
fn names_that_are_no_ids_become_some() {
    for (folder, name) in
        [("My Shop", "my-shop"), ("ä", "product"), ("--x--", "x"), ("a.b_c", "a-b-c"), ("2048", "2048")]
    {
        let repo = Repo::new().file(&format!("{folder}/x"), "");
        let run = repo.command(["init"]).cwd(repo.path(folder)).run();
        ends(&run, 0);
        let inside = repo.path(folder);
        assert!(inside.join(format!("specs/{name}.sdp.md")).is_file(), "{folder}: {}", run.stdout);
        ends(&repo.command(["check", "-D", "warnings"]).cwd(&inside).run(), 0);
    }
}

#[test]
fn the_pipelines_run_what_the_guide_runs() {
    let guide = fs::read_to_string(Path::new(&clone()).join("docs/src/ci.md")).unwrap();
    for forge in ["github", "gitlab"] {
        let repo = Repo::new();
        copy_folder(&Path::new(&clone()).join("examples/first-session"), repo.root());
        ends(&repo.sdp(["init", "--ci", forge]), 0);
        let file = if forge == "github" { ".github/workflows/specs.yml" } else { ".gitlab/specs.yml" };
        let text = fs::read_to_string(repo.path(file)).unwrap();
        let install = text.lines().find(|line| line.contains("cargo install")).unwrap();
        assert!(guide.contains(install.trim()), "{install}");
        // Without the commit `--rev` would take the next word.
        let waits = text.lines().find(|line| line.trim_start().trim_start_matches("- ").starts_with("if: ")).unwrap();
        let (address, commit) = waits.split_once(" && ").unwrap();
        assert!(address.contains("CARGO_SDP") && commit.contains("CARGO_SDP_REVISION"), "{waits}");
        let call = text.lines().find_map(|line| line.split_once("cargo sdp rules ")).unwrap().1;
        let run = repo.sdp(["rules"].into_iter().chain(call.split(' ')));
        assert_eq!(run.code, Some(101), "the example has findings: {}", run.stderr);
    }
}
