//! `cargo sdp impact`: what files that differ in git reach in the graph.

use std::fs;
use std::path::Path;

use sdp_tests::{BROKEN_CARRIER, Repo, Run, copy_folder, ends, spec_text};
use serde_json::{Value, json};

/// Three Specs in a row, `c` on `b` on `a`, committed.
fn chain() -> Repo {
    Repo::new()
        .spec("a", "", "")
        .spec("b", "  dependsOn: spec:a\n", "")
        .spec("c", "  refines: spec:b\n", "")
        .committed()
}

#[track_caller]
fn answer(run: &Run) -> Value {
    ends(run, 0);
    serde_json::from_str(&run.stdout).unwrap()
}

#[track_caller]
fn impact(repo: &Repo, range: &[&str]) -> Value {
    answer(&repo.sdp(["impact", "--json"].iter().chain(range)))
}

fn files(answer: &Value) -> Vec<String> {
    let rows = answer["files"].as_array().unwrap().iter();
    let row = |row: &Value| {
        let from = row["from"].as_str().map_or(String::new(), |from| format!("{from} to "));
        format!("{} {from}{}", row["status"].as_str().unwrap(), row["path"].as_str().unwrap())
    };
    rows.map(row).collect()
}

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect()
}

#[track_caller]
fn refused(run: &Run, line: &str, hint: &str) {
    ends(run, 1);
    assert_eq!((run.complaint(), run.stdout.as_str()), (line, ""), "{}", run.stderr);
    assert!(run.stderr.contains(&format!("\nhint: {hint}")), "{}", run.stderr);
}

#[sdp::verifies("spec:sdp.impact")]
#[test]
fn without_a_range_it_is_the_working_tree_against_head() {
    let repo = chain().file(".gitignore", "*.log\n");
    repo.commit("2026-01-02");
    let run = repo.sdp(["impact"]);
    let head = repo.git(&["rev-parse", "HEAD"]);
    let short = head.get(..12).unwrap();
    assert_eq!(
        (run.stdout.as_str(), run.stderr.as_str(), run.code),
        (format!("Nothing changed between {short} and the working tree.\n").as_str(), "", Some(0))
    );
    repo.write("specs/a.sdp.md", spec_text("a", "", "- risk: A risk.\n"));
    repo.git(&["add", "specs/a.sdp.md"]);
    repo.write("specs/new.sdp.md", spec_text("new", "  dependsOn: spec:c\n", ""));
    repo.write("src/x.txt", "");
    repo.write("x.log", "");
    let run = repo.sdp(["impact"]);
    let page = format!(
        "3 files changed between {short} and the working tree.

Changed files (3)
  modified   specs/a.sdp.md
  untracked  specs/new.sdp.md
  untracked  src/x.txt

Specs that they author or bind (2)
  spec:a  authored in specs/a.sdp.md
  spec:new  authored in specs/new.sdp.md

At risk (2)
  spec:b  dependsOn spec:a
  spec:c  refines spec:b → dependsOn spec:a

Files of which nothing is known (1)
  src/x.txt
"
    );
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), (page.as_str(), "", Some(0)));
    assert_eq!(repo.sdp(["impact", "HEAD"]), run);
}

#[test]
fn the_json_holds_the_answers_of_both_recipes_and_what_git_says() {
    let repo = chain();
    repo.write("specs/a.sdp.md", spec_text("a", "", "- risk: A risk.\n"));
    let whole = impact(&repo, &[]);
    let keys: Vec<&String> = whole.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["from", "to", "files", "outside", "removed", "unread", "blastRadius", "designChange", "units", "tests"]
    );
    assert_eq!(whole["from"], repo.git(&["rev-parse", "HEAD"]).trim());
    assert_eq!(whole["to"], Value::Null);
    for (number, params, key) in
        [("4", r#"{"files":["specs/a.sdp.md"]}"#, "blastRadius"), ("30", r#"{"specs":["spec:a"]}"#, "designChange")]
    {
        assert_eq!(whole[key], answer(&repo.sdp(["recipes", "run", number, "--json", "--params", params])));
    }
    assert_eq!(ids(&whole["designChange"]["rows"]), ["spec:a", "spec:b", "spec:c"]);
}

#[test]
fn a_renamed_file_has_both_names_and_a_removed_spec_is_named_with_what_still_names_it() {
    let repo = chain();
    repo.git(&["mv", "specs/c.sdp.md", "specs/d.sdp.md"]);
    fs::remove_file(repo.path("specs/b.sdp.md")).unwrap();
    // Another id in the same carrier.
    repo.write("specs/a.sdp.md", spec_text("other", "", ""));
    let whole = impact(&repo, &[]);
    assert_eq!(
        files(&whole),
        ["modified specs/a.sdp.md", "deleted specs/b.sdp.md", "renamed specs/c.sdp.md to specs/d.sdp.md"]
    );
    assert_eq!(
        whole["removed"],
        json!([
            { "id": "spec:a", "file": "specs/a.sdp.md", "namedBy": [] },
            { "id": "spec:b", "file": "specs/b.sdp.md", "namedBy": [{ "from": "spec:c", "type": "refines" }] },
        ])
    );
    assert_eq!(
        whole["designChange"]["changed"],
        json!([
            { "id": "spec:a", "resolved": false }, { "id": "spec:b", "resolved": false },
            { "id": "spec:c", "resolved": true }, { "id": "spec:other", "resolved": true },
        ])
    );
    let page = repo.sdp(["impact"]).stdout;
    assert!(page.contains("  renamed    specs/c.sdp.md → specs/d.sdp.md\n"), "{page}");
    assert!(page.contains("\n  spec:b  was authored in specs/b.sdp.md; still named by spec:c (refines)\n"), "{page}");
    assert!(!page.contains("nothing is known"), "{page}");
}

#[test]
fn what_a_removed_carrier_held_is_told_in_every_form_and_only_of_files_that_were_read() {
    let gherkin = "@sdp\nFeature: x\n";
    let typescript = "import { spec } from \"@libar-dev/software-delivery-protocol\";\nexport const t = spec({ id: \"spec:t\", kind: \"rule\", altitude: \"story\", readiness: \"idea\", title: \"T\" });\n";
    let repo = chain()
        .file("sdp.toml", "exclude = [\"drafts\"]\n")
        .file("specs/t.sdp.ts", typescript)
        .file("drafts/x.sdp.md", spec_text("draft", "", ""))
        .file("drafts2/x.sdp.md", spec_text("draft2", "", ""))
        .file("dist/x.sdp.md", spec_text("dist", "", ""))
        .file(".hidden/x.sdp.md", spec_text("hidden", "", ""))
        .file("specs/large.sdp.md", "x".repeat(300_000))
        .file("specs/bytes.sdp.md", b"\xff")
        .file("specs/odd.sdp.gherkin", gherkin)
        .file("specs/broken.sdp.md", BROKEN_CARRIER);
    repo.commit("2026-01-02");
    for file in ["t.sdp.ts", "large.sdp.md", "bytes.sdp.md", "odd.sdp.gherkin", "broken.sdp.md"] {
        fs::remove_file(repo.path(&format!("specs/{file}"))).unwrap();
    }
    for file in ["drafts/x.sdp.md", "drafts2/x.sdp.md", "dist/x.sdp.md", ".hidden/x.sdp.md"] {
        fs::remove_file(repo.path(file)).unwrap();
    }
    let whole = impact(&repo, &[]);
    assert_eq!(ids(&whole["removed"]), ["spec:draft2", "spec:t"]);
    let unread = ["specs/broken.sdp.md", "specs/bytes.sdp.md", "specs/large.sdp.md", "specs/odd.sdp.gherkin"];
    assert_eq!(whole["unread"], json!(unread));
    let page = repo.sdp(["impact"]).stdout;
    assert!(page.contains("\nCarriers whose old text cannot be read (4)\n  specs/broken.sdp.md\n"), "{page}");
}

#[test]
fn a_range_compares_two_commits_and_three_dots_start_where_they_parted() {
    let repo = chain();
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("specs/b.sdp.md", spec_text("b", "  dependsOn: spec:a\n", "- risk: A risk.\n"));
    let topic = repo.commit("2026-01-02");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("specs/c.sdp.md", spec_text("c", "  refines: spec:b\n", "- risk: A risk.\n"));
    repo.commit("2026-01-02");
    repo.git(&["checkout", "-q", "topic"]);
    for (range, changed) in [
        ("main..topic", &["modified specs/b.sdp.md", "modified specs/c.sdp.md"][..]),
        ("main...topic", &["modified specs/b.sdp.md"]),
        ("main...", &["modified specs/b.sdp.md"]),
        ("..main", &["modified specs/b.sdp.md", "modified specs/c.sdp.md"]),
        ("main", &["modified specs/b.sdp.md", "modified specs/c.sdp.md"]),
        ("HEAD@{1}", &["modified specs/b.sdp.md", "modified specs/c.sdp.md"]),
        ("HEAD~1", &["modified specs/b.sdp.md"]),
        ("..", &[]),
    ] {
        let run = repo.sdp(["impact", "--json", range]);
        let whole = answer(&run);
        assert_eq!(files(&whole), changed, "{range}");
        assert_eq!(whole["to"].is_null(), !range.contains(".."), "{range}");
        let other = format!(
            "note: the graph is that of the working tree; {} is not what",
            &repo.git(&["rev-parse", "main"])[..12]
        );
        assert_eq!(run.stderr.starts_with(&other), range == "..main", "{range}: {}", run.stderr);
    }
    // The working tree is not what B holds.
    repo.write("notes.txt", "");
    let run = repo.sdp(["impact", "main...topic"]);
    let note = format!(
        "note: the graph is that of the working tree; {} has changes that are not committed: 1 file differs below the root\n",
        topic.get(..12).unwrap()
    );
    assert_eq!(run.stderr, note);
    assert_eq!(repo.sdp(["impact", "main...topic", "-q"]).stderr, "");
}

#[sdp::verifies("spec:sdp.impact")]
#[test]
fn a_root_below_the_top_counts_what_lies_out_of_it() {
    let repo = Repo::new()
        .file("app/sdp.toml", "")
        .file("app/specs/a.sdp.md", spec_text("a", "", ""))
        .file("app/specs/b.sdp.md", spec_text("b", "  dependsOn: spec:a\n", ""))
        .file("lib/c.sdp.md", spec_text("c", "", "- risk: One.\n- risk: Two.\n"))
        .file("README.md", "")
        .committed();
    repo.write("README.md", "x");
    repo.write("app2/new.txt", "");
    repo.git(&["mv", "lib/c.sdp.md", "app/specs/c.sdp.md"]);
    repo.write("app/specs/a.sdp.md", spec_text("a", "", "- risk: A risk.\n"));
    for root in [&["impact", "--json", "--root", "app"][..], &["impact", "--json", "--manifest-path", "app/sdp.toml"]] {
        let whole = answer(&repo.sdp(root));
        assert_eq!(files(&whole), ["modified specs/a.sdp.md", "added specs/c.sdp.md"]);
        assert_eq!(whole["outside"], json!(["README.md", "app2/new.txt", "lib/c.sdp.md"]));
        assert_eq!(ids(&whole["blastRadius"]["impactedSpecs"]), ["spec:a", "spec:c"]);
    }
    let page = repo.command(["impact"]).cwd(repo.path("app")).run().stdout;
    assert!(page.contains("  renamed    lib/c.sdp.md (out of the root) → specs/c.sdp.md\n"), "{page}");
    assert!(page.contains("\nChanged out of the root (3)\n  README.md\n"), "{page}");
    repo.commit("2026-01-02");
    repo.write("README.md", "y");
    let page = repo.sdp(["impact", "--root", "app"]).stdout;
    assert!(page.starts_with("Nothing changed below the root between "), "{page}");
    assert!(page.contains("\nChanged out of the root (1)\n  README.md\n"), "{page}");
}

#[cfg(unix)]
#[test]
fn any_name_of_a_file_comes_through() {
    use std::os::unix::ffi::OsStrExt as _;
    let odd = [
        "specs/a\nb.sdp.md",
        "specs/\"q\".sdp.md",
        "specs/ä ö.sdp.md",
        "-L1.sdp.md",
        ":(glob)*.sdp.md",
        "\t::error::x.sdp.md",
    ];
    let mut repo = chain();
    for (at, name) in odd.iter().enumerate() {
        repo = repo.file(name, spec_text(&format!("odd{at}"), "", ""));
    }
    let bytes = repo.root().join(std::ffi::OsStr::from_bytes(b"b\xffd.txt"));
    let is_possible = fs::write(bytes, "").is_ok();
    let run = repo.sdp(["impact"]);
    ends(&run, 0);
    run.gives_no_commands();
    assert!(run.stdout.contains("  untracked  specs/a\\nb.sdp.md\n"), "{}", run.stdout);
    let whole = impact(&repo, &[]);
    assert_eq!(whole["blastRadius"]["impactedSpecs"].as_array().unwrap().len(), odd.len());
    assert_eq!(files(&whole).contains(&"untracked b\u{fffd}d.txt".to_owned()), is_possible);
    repo.commit("2026-01-02");
    for name in odd {
        fs::remove_file(repo.path(name)).unwrap();
    }
    assert_eq!(impact(&repo, &[])["removed"].as_array().unwrap().len(), odd.len());
}

#[test]
fn changed_code_leads_to_the_tests_of_what_it_satisfies() {
    let repo = Repo::new();
    copy_folder(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/shop")), repo.root());
    let repo = repo.committed();
    let path = "shop-core/src/refund.rs";
    let text = fs::read_to_string(repo.path(path)).unwrap();
    repo.write(path, format!("{text}\n// More.\n"));
    let whole = impact(&repo, &[]);
    let context = answer(&repo.sdp(["q", "return g.specContext('spec:shop.refund')", "--json"]));
    let verifiers = context["verifiers"].as_array().unwrap().iter().filter(|one| one["enabled"] == true);
    let expected: Vec<&str> = verifiers.map(|one| one["verifierId"].as_str().unwrap()).collect();
    let (examples, tests): (Vec<&str>, Vec<&str>) = expected.iter().partition(|id| id.starts_with("spec:"));
    assert!(!examples.is_empty() && !tests.is_empty(), "{expected:?}");
    assert!(tests.iter().all(|id| ids(&whole["tests"]).contains(id)), "{whole:#}");
    // Of an example that verifies the tests are to be run.
    for example in examples {
        let body = format!("return g.in('{example}', 'verifies').map((edge) => edge.from)");
        let tests = answer(&repo.sdp(["q", body.as_str(), "--json"]));
        let tests = tests.as_array().unwrap();
        assert!(!tests.is_empty() && tests.iter().all(|id| ids(&whole["tests"]).contains(&id.as_str().unwrap())));
    }
    assert!(whole["tests"].as_array().unwrap().iter().all(|test| test["file"].is_string() && test["line"].is_u64()));
    let page = repo.sdp(["impact"]).stdout;
    assert!(page.contains("\nTests to run ("), "{page}");
    assert!(page.contains(&format!(" satisfies it in {path}")), "{page}");
}

#[test]
fn long_lists_are_cut_and_say_so() {
    let mut repo = Repo::new().spec("a", "", "");
    for at in 0..50 {
        repo = repo.spec(&format!("s{at:02}"), "  dependsOn: spec:a\n", "");
    }
    let repo = repo.committed();
    repo.write("specs/a.sdp.md", spec_text("a", "", "- risk: A risk.\n"));
    let run = repo.sdp(["impact"]);
    assert!(run.stdout.contains("\nAt risk (50)\n  spec:s00"), "{}", run.stdout);
    assert!(run.stdout.ends_with("\n  … 10 more (`--cap 0` shows all)\n"), "{}", run.stdout);
    assert!(repo.sdp(["impact", "--cap", "3"]).stdout.contains("\n  … 47 more "));
    assert!(!repo.sdp(["impact", "--cap", "0"]).stdout.contains('…'));
    ends(&repo.sdp(["impact", "--cap", "x"]), 2);
}

#[test]
fn what_git_cannot_answer_is_refused_with_what_helps() {
    let bare = Repo::new();
    let line = format!("sdp impact: the root \"{}\" lies in no git repository.", bare.root().display());
    refused(&bare.sdp(["impact"]), &line, "`--root` names a folder below a git repository");
    bare.git(&["init", "-q"]);
    refused(&bare.sdp(["impact"]), "sdp impact: HEAD names no commit: the branch has none yet.", "commit once");
    refused(&bare.sdp(["impact", "main..HEAD"]), "sdp impact: no commit is named main", "a commit, a branch or a tag");
    let repo = chain();
    for (revision, named, hint) in [
        ("mian", "mian", "did you mean `main`?"),
        ("HAED..main", "HAED", "did you mean `HEAD`?"),
        ("main..nothing-like-it", "nothing-like-it", "a commit, a branch or a tag is needed"),
        ("--output=x", "--output=x", "a commit, a branch or a tag"),
        ("-h", "-h", "a commit, a branch or a tag"),
        ("", "\"\"", "a commit, a branch or a tag"),
        ("HEAD:specs", "HEAD:specs", "a commit, a branch or a tag"),
        ("x\n::error::y", "x\\n::error::y", "a commit, a branch or a tag"),
    ] {
        let run = repo.sdp(["impact", "--", revision]);
        refused(&run, &format!("sdp impact: no commit is named {named}"), hint);
        run.gives_no_commands();
        assert!(!repo.path("x").exists());
    }
    // The checkout of a pipeline knows other branches under the name of their remote only.
    repo.git(&["update-ref", "refs/remotes/origin/trunk", "HEAD"]);
    refused(
        &repo.sdp(["impact", "trunk...HEAD"]),
        "sdp impact: no commit is named trunk",
        "did you mean `origin/trunk`?",
    );
    ends(&repo.sdp(["impact", "--output=x"]), 2);
    let commit = repo.git(&["log", "-1", "--format=%H %s"]);
    let (commit, subject) = commit.trim_end().split_once(' ').unwrap();
    assert_eq!(impact(&repo, &[&format!(":/{subject}")])["from"], commit);
    let run = repo.command(["impact"]).env("GIT_CONFIG_COUNT", "many").run();
    ends(&run, 1);
    assert!(run.complaint().starts_with("sdp impact: git failed: "), "{}", run.stderr);
    assert!(run.stderr.contains("\nhint: `git status` in the root's folder shows"), "{}", run.stderr);
    let run = repo.command(["impact"]).env("PATH", repo.root()).run();
    refused(&run, "sdp impact: git is not installed, or not on the PATH.", "install git");
    let run = repo.sdp(["impact", "--root", ".git"]);
    refused(&run, "sdp impact: the git repository has no working tree here.", "run it in a checkout");
    repo.git(&["checkout", "-q", "--orphan", "alone"]);
    repo.commit("2026-01-02");
    ends(&repo.sdp(["impact", "main..alone"]), 0);
    let run = repo.sdp(["impact", "main...alone"]);
    ends(&run, 1);
    assert!(run.complaint().ends_with(" have no common commit."), "{}", run.stderr);
    assert!(run.stderr.contains("\nhint: `A..B` compares the two commits themselves"), "{}", run.stderr);
}

#[test]
fn a_shallow_clone_says_how_the_older_commits_come() {
    let repo = chain();
    let first = repo.git(&["rev-parse", "HEAD"]);
    repo.write("specs/a.sdp.md", spec_text("a", "", "- risk: A risk.\n"));
    repo.commit("2026-01-02");
    let clone = Repo::new();
    let url = format!("file://{}", repo.root().display());
    clone.git(&["clone", "-q", "--depth", "1", &url, "."]);
    ends(&clone.sdp(["impact"]), 0);
    for range in [first.trim(), "HEAD~1", "main~1...main"] {
        let run = clone.sdp(["impact", range]);
        ends(&run, 1);
        assert!(run.complaint().starts_with("sdp impact: no commit is named "), "{}", run.stderr);
        assert!(
            run.stderr.contains("\nhint: the clone is shallow, ") && run.stderr.contains("`fetch-depth: 0`"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn worktrees_detached_heads_submodules_conflicts_and_hooks_are_no_hindrance() {
    let repo = chain();
    let tree = Repo::new();
    fs::remove_dir(tree.root()).unwrap();
    repo.git(&["worktree", "add", "-q", "--detach", tree.root().to_str().unwrap()]);
    tree.write("specs/a.sdp.md", spec_text("a", "", "- risk: A risk.\n"));
    assert_eq!(files(&impact(&tree, &[])), ["modified specs/a.sdp.md"]);
    assert_eq!(files(&impact(&repo, &[])), [""; 0]);
    // A hook is told where another repository is.
    let run = tree
        .command(["impact", "--json"])
        .env("GIT_DIR", repo.path(".git"))
        .env("GIT_INDEX_FILE", ".git/none")
        .env("GIT_GLOB_PATHSPECS", "1")
        .run();
    assert_eq!(files(&answer(&run)), ["modified specs/a.sdp.md"]);

    let part = Repo::new().file("one.txt", "1").committed();
    repo.git(&["-c", "protocol.file.allow=always", "submodule", "add", "-q", part.root().to_str().unwrap(), "part"]);
    repo.commit("2026-01-02");
    repo.write("part/one.txt", "2");
    repo.write("part/two.txt", "2");
    assert_eq!(files(&impact(&repo, &[])), [""; 0], "what is not committed there is its own affair");
    repo.git(&["-C", "part", "commit", "-q", "-a", "-m", "x"]);
    let whole = impact(&repo, &[]);
    assert_eq!(files(&whole), ["modified part"]);
    assert_eq!(whole["blastRadius"]["coverageUnknownFiles"], json!(["part"]));
    repo.git(&["submodule", "--quiet", "update"]);

    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("specs/a.sdp.md", spec_text("a", "", "- risk: One.\n"));
    repo.commit("2026-01-02");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("specs/a.sdp.md", spec_text("a", "", "- risk: Two.\n"));
    repo.commit("2026-01-02");
    // It ends with 1, as it should.
    repo.git(&["-c", "alias.try=!git merge -q topic || true", "try"]);
    repo.write("specs/a.sdp.md", spec_text("a", "", "- risk: Three.\n"));
    let whole = impact(&repo, &[]);
    assert_eq!(files(&whole), ["modified specs/a.sdp.md"]);
    assert_eq!(whole["unread"], json!([]));
}

/// A repository whose configuration starts a program that leaves a file behind, in every way that git has for it.
pub(crate) fn hostile(repo: &Repo) -> std::path::PathBuf {
    let trap = repo.path(".git/trap.sh");
    let mark = repo.path(".git/sprung");
    fs::write(&trap, format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\nexit 1\n", mark.display())).unwrap();
    #[cfg(unix)]
    fs::set_permissions(&trap, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let trap = trap.display().to_string();
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.editor",
        "core.gitProxy",
        "pager.diff",
        "pager.blame",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.e=v.il.process",
        "alias.diff",
        "alias.rev-parse",
        "credential.helper",
    ] {
        let value = if key.starts_with("alias") { format!("!{trap}") } else { trap.clone() };
        repo.git(&["config", key, &value]);
    }
    repo.git(&["config", "filter.evil.required", "true"]);
    repo.git(&["config", "diff.orderFile", "/nowhere"]);
    repo.git(&["config", "diff.relative", "true"]);
    let skipped = repo.git(&["rev-parse", "HEAD"]);
    fs::write(repo.path(".git/skipped"), skipped).unwrap();
    repo.git(&["config", "blame.ignoreRevsFile", ".git/skipped"]);
    let folder = repo.path(".git/hooks");
    fs::create_dir_all(&folder).unwrap();
    for hook in ["post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout"] {
        fs::copy(repo.path(".git/trap.sh"), folder.join(hook)).unwrap();
    }
    fs::write(repo.path(".git/info/attributes"), "*.md diff=evil filter=evil\n*.txt filter=e=v.il diff=evil\n")
        .unwrap();
    mark
}

#[cfg(unix)]
#[sdp::verifies("spec:sdp.impact")]
#[test]
fn nothing_that_a_repository_configures_is_started_and_nothing_is_written() {
    let repo = chain().file("notes.txt", "1");
    repo.commit("2026-01-02");
    let mark = hostile(&repo);
    repo.write("specs/a.sdp.md", spec_text("a", "", "- risk: A risk.\n"));
    repo.write("notes.txt", "2");
    fs::rename(repo.path("specs/c.sdp.md"), repo.path("specs/d.sdp.md")).unwrap();
    // The index names a time that the file does not have, so that git looks into it.
    let touched = fs::File::options().write(true).open(repo.path("specs/b.sdp.md")).unwrap();
    touched.set_modified(std::time::UNIX_EPOCH).unwrap();
    let before = repo.contents();
    let whole = impact(&repo, &[]);
    assert_eq!(
        files(&whole),
        ["modified notes.txt", "modified specs/a.sdp.md", "deleted specs/c.sdp.md", "untracked specs/d.sdp.md"]
    );
    ends(&repo.sdp(["impact", "HEAD~1..HEAD"]), 0);
    ends(&repo.sdp(["impact", "nothing"]), 1);
    assert!(!mark.exists(), "{}", fs::read_to_string(&mark).unwrap_or_default());
    assert_eq!(repo.contents(), before);
    // The trap is one.
    let sprung = std::process::Command::new("git").args(["diff", "HEAD"]).current_dir(repo.root()).output().unwrap();
    assert!(mark.exists(), "{sprung:?}");
}

#[test]
fn an_index_whose_times_do_not_fit_is_neither_written_nor_locked() {
    let repo = chain();
    let set = |path: &str, day: u64| {
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(day * 86_400);
        fs::File::options().write(true).open(repo.path(path)).unwrap().set_modified(time).unwrap();
    };
    set("specs/a.sdp.md", 20_000);
    repo.write("specs/b.sdp.md", spec_text("b", "  dependsOn: spec:a\n", "- risk: A risk.\n"));
    let before = repo.contents();
    assert_eq!(files(&impact(&repo, &[])), ["modified specs/b.sdp.md"]);
    assert_eq!(repo.contents(), before);
    // Somebody else writes it just now.
    repo.write(".git/index.lock", "");
    assert_eq!(files(&impact(&repo, &[])), ["modified specs/b.sdp.md"]);
    fs::remove_file(repo.path(".git/index.lock")).unwrap();
    // The same from a worktree, whose index lies elsewhere, and from a folder below the top.
    repo.git(&["worktree", "add", "-q", "other"]);
    set("other/specs/c.sdp.md", 20_000);
    let before = fs::read(repo.path(".git/worktrees/other/index")).unwrap();
    let run = repo.sdp(["impact", "--json", "--root", "other/specs"]);
    assert_eq!(files(&answer(&run)), Vec::<String>::new());
    assert_eq!(fs::read(repo.path(".git/worktrees/other/index")).unwrap(), before);
}

#[test]
fn a_change_that_only_the_content_tells_is_one() {
    let repo = chain();
    repo.git(&["config", "core.trustctime", "false"]);
    let old = fs::read(repo.path("specs/a.sdp.md")).unwrap();
    let time = fs::metadata(repo.path("specs/a.sdp.md")).unwrap().modified().unwrap();
    let stamp = |path: &str| fs::File::options().write(true).open(repo.path(path)).unwrap().set_modified(time).unwrap();
    // As long as before, and written when the index was.
    repo.write("specs/a.sdp.md", String::from_utf8(old).unwrap().replace("outcome.", "outcome!"));
    stamp("specs/a.sdp.md");
    stamp(".git/index");
    assert_eq!(files(&impact(&repo, &[])), ["modified specs/a.sdp.md"]);
}

#[cfg(unix)]
#[test]
fn a_partial_clone_fetches_nothing() {
    let repo = chain();
    repo.write("specs/a.sdp.md", spec_text("other", "", "- risk: A risk.\n"));
    repo.commit("2026-01-02");
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let clone = Repo::new();
    let url = format!("file://{}", repo.root().display());
    clone.git(&["clone", "-q", "--filter=blob:none", &url, "."]);
    let mark = hostile(&clone);
    let trap = clone.path(".git/trap.sh");
    clone.git(&["config", "remote.origin.uploadpack", trap.to_str().unwrap()]);
    let whole = impact(&clone, &["HEAD~1..HEAD"]);
    assert_eq!(files(&whole), ["modified specs/a.sdp.md"]);
    assert_eq!(whole["unread"], json!(["specs/a.sdp.md"]));
    assert!(!mark.exists(), "{}", fs::read_to_string(&mark).unwrap_or_default());
}

#[test]
fn an_extraction_error_is_a_refusal() {
    let repo = chain().file("specs/broken.sdp.md", BROKEN_CARRIER);
    let run = repo.sdp(["impact"]);
    ends(&run, 1);
    assert!(run.stderr.contains("\nsdp impact: the graph did not derive"), "{}", run.stderr);
}
