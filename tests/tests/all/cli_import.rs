//! `cargo sdp import`: what it writes, what it refuses, and that it overwrites nothing and leaves nothing half done.

use std::fs;

use sdp_core::explain::{self, Subject};
use sdp_core::finding::FindingId;
use sdp_tests::{Repo, Run};
use serde_json::Value;

use crate::corpora::corpora;
use crate::import_documents::placeless_graph;

const REFUND: &str = r#"import { spec, refines, dependsOn, ref } from "@libar-dev/software-delivery-protocol";

/** A comment is no part of the Spec. */
export const refund = spec({
  id: "spec:shop.refund",
  kind: "workflow",
  altitude: "feature",
  readiness: "idea",
  relations: [dependsOn("spec:shop.order"), refines(ref("spec:shop"))],
  title: "A customer gets the money back",
  narrative: "First paragraph.\n\nSecond one.",
  intent: {
    outcome: "The amount of a returned order is paid back.",
    risks: ["Fraud.", "Double payment."],
    openQuestions: ["How?", { question: "Who pays?", blocking: true, key: "fees" }],
  },
  behavior: { flows: ["The customer asks."], rules: [{ rule: "It is paid once.", key: "once" }, "In whole cents."] },
  design: { second: "`fn refund()`", first: "two" },
});
"#;

const REFUND_MD: &str = "---
id: spec:shop.refund
kind: workflow
altitude: feature
readiness: idea
relations:
  refines: spec:shop
  dependsOn: spec:shop.order
---
# A customer gets the money back

First paragraph.

Second one.

## Intent

- outcome: The amount of a returned order is paid back.
- risk: Fraud.
- risk: Double payment.

### Open questions

- [non-blocking] How?
- [blocking #fees] Who pays?

## Workflow

- rule: [#once] It is paid once.
- rule: In whole cents.
- The customer asks.

## Design

- second: `fn refund()`
- first: two
";

const NOTE: &str =
    "note: the TypeScript carriers stay: remove them, or two carriers claim each id (extract/duplicate-id)\n";

/// A small TypeScript carrier: `spec:<name>`.
fn ts(name: &str, more: &str) -> String {
    format!(
        "import {{ spec }} from \"@libar-dev/software-delivery-protocol\";\nexport const it = spec({{ id: \"spec:{name}\", kind: \"rule\", altitude: \"story\", readiness: \"idea\", title: \"{name}\", intent: {{ outcome: \"o\" }}, {more} }});\n"
    )
}

fn repo() -> Repo {
    Repo::new().file("sdp.toml", "")
}

fn short(repo: &Repo, paths: &[&str]) -> Run {
    repo.sdp(["import", "--output", "short"].iter().chain(paths))
}

/// Runs an import that is refused: it writes nothing. Gives the findings.
#[track_caller]
fn refused(repo: &Repo, paths: &[&str]) -> Vec<String> {
    let before = repo.contents();
    let run = short(repo, paths);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)), "{}", run.stderr);
    assert_eq!(repo.contents(), before, "a refused import writes nothing");
    let mut lines: Vec<String> = run.stderr.lines().map(str::to_owned).collect();
    let end = lines.iter().position(|line| line.starts_with("sdp import: nothing was written: ")).unwrap();
    assert!(lines[end + 1].starts_with("hint: "), "{lines:#?}");
    lines.truncate(end);
    lines
}

#[test]
fn a_spec_is_written_beside_its_carrier_and_the_graph_stays_the_same() {
    let repo = repo().spec("shop", "", "").spec("shop.order", "", "").file("specs/refund.sdp.ts", REFUND);
    let before = placeless_graph(&repo);
    let run = repo.sdp(["import", "specs/refund.sdp.ts"]);
    let wrote = format!("Wrote {}\n", repo.root().canonicalize().unwrap().join("specs/refund.sdp.md").display());
    assert_eq!((run.stdout, run.stderr.as_str(), run.code), (wrote, NOTE, Some(0)));
    assert_eq!(fs::read_to_string(repo.path("specs/refund.sdp.md")).unwrap(), REFUND_MD);
    assert_eq!(fs::read_to_string(repo.path("specs/refund.sdp.ts")).unwrap(), REFUND);
    // The note says it: until the source is removed, neither is in the graph.
    let both = repo.sdp(["check", "--output", "short"]);
    assert!(both.stderr.contains("[error] extract/duplicate-id — ") && both.code == Some(1), "{}", both.stderr);
    fs::remove_file(repo.path("specs/refund.sdp.ts")).unwrap();
    assert_eq!(placeless_graph(&repo), before);
}

#[test]
fn the_guide_shows_what_an_import_makes() {
    let guide = include_str!("../../../docs/src/import.md");
    let block = |opening: &str| guide.split(opening).nth(1).unwrap().split("```\n").next().unwrap();
    let repo = repo().file("specs/refund.sdp.ts", block("```ts\n"));
    let lines: Vec<&str> = block("```sh\n").lines().collect();
    let run = repo.sdp(lines[0].strip_prefix("cargo sdp ").unwrap().split(' '));
    assert!(run.stdout.ends_with(block("```markdown\n")) && run.code == Some(0), "{}{}", run.stdout, run.stderr);
    assert_eq!(repo.sdp(lines[1].strip_prefix("cargo sdp ").unwrap().split(' ')).code, Some(0));
    assert_eq!(fs::read_to_string(repo.path("specs/refund.sdp.md")).unwrap(), block("```markdown\n"));
}

#[test]
fn a_dry_run_prints_the_documents_and_writes_nothing() {
    let repo = repo().file("specs/refund.sdp.ts", REFUND).file("specs/a.sdp.ts", ts("a", ""));
    let before = repo.contents();
    let run = repo.sdp(["import", "--dry-run", "specs"]);
    let at = |name: &str| repo.root().canonicalize().unwrap().join("specs").join(name).display().to_string();
    let a = "---\nid: spec:a\nkind: rule\naltitude: story\nreadiness: idea\nrelations: {}\n---\n# a\n\n## Intent\n\n- outcome: o\n";
    let expected = format!("=== {} ===\n{a}=== {} ===\n{REFUND_MD}", at("a.sdp.md"), at("refund.sdp.md"));
    assert_eq!(
        (run.stdout, run.stderr.as_str(), run.code),
        (expected.clone(), "note: nothing was written; 2 documents would be\n", Some(0))
    );
    assert_eq!(repo.contents(), before);
    let json = repo.sdp(["import", "--dry-run", "specs", "--output", "json", "-q"]);
    assert!(json.stdout.starts_with("{\"summary\":{\"command\":\"import\",\"errors\":0,"), "{}", json.stdout);
    assert_eq!((json.stdout.lines().count(), json.stderr, json.code), (1, expected, Some(0)));
    assert_eq!(repo.contents(), before);
}

#[sdp::verifies("spec:sdp.import")]
#[test]
fn one_refused_carrier_keeps_all_from_being_written() {
    let repo = repo()
        .file("specs/good.sdp.ts", ts("good", ""))
        .file("specs/number.sdp.ts", ts("number", "design: { retries: 3 }"))
        .file("specs/broken.sdp.ts", "const = ;")
        .file("specs/there.sdp.ts", ts("there", ""))
        .file("specs/there.sdp.md", "theirs");
    let said = refused(&repo, &["specs"]);
    let opening: Vec<&str> = said.iter().map(|line| line.split(" — ").next().unwrap()).collect();
    assert_eq!(
        opening,
        ["specs/broken.sdp.ts:1", "specs/broken.sdp.ts", "specs/number.sdp.ts:2", "specs/there.sdp.md"],
        "{said:#?}"
    );
    assert!(said[0].contains("[error] extract/parse-error — "), "{said:#?}");
    assert_eq!(said[1], "specs/broken.sdp.ts — [error] import/refusal — the TypeScript carrier was refused");
    assert_eq!(
        said[2],
        "specs/number.sdp.ts:2 — [error] import/unsupported-construct — the TypeScript carrier cannot emit faithful Markdown: first divergent path: design.retries (the emitted Markdown does not preserve the authored Spec data)"
    );
    assert_eq!(
        said[3],
        "specs/there.sdp.md — [error] import/target-exists — the Markdown target already exists and will not be overwritten"
    );
    let human = repo.sdp(["import", "specs/number.sdp.ts"]).stderr;
    for part in [
        "specs/number.sdp.ts:2",
        "design: { retries: 3 }",
        "help: change `design.retries` so that Markdown can hold it",
    ] {
        assert!(human.contains(part), "{part}: {human}");
    }
    let json = repo.sdp(["import", "specs/number.sdp.ts", "--output", "json"]);
    let [finding] = &json.findings()[..] else { panic!("{}", json.stdout) };
    assert_eq!(finding["id"], "import/unsupported-construct");
    assert_eq!((&finding["subjectId"], &finding["path"]), (&"spec:number".into(), &"design.retries".into()));
}

#[test]
fn what_markdown_cannot_hold_is_refused_with_its_path() {
    let cases = [
        ("narrative: \"a\\nb\"", "narrative (the emitted"),
        ("design: { a: [\"x\"] }", "design.a (the emitted"),
        ("ui: { a: true }", "ui.a (the emitted"),
        ("behavior: { examples: [\"in prose\"] }", "behavior.examples (the emitted"),
        ("behavior: { rules: [\"a\\nb\"] }", "document (the emitted Markdown is not accepted by the ruled grammar: "),
        ("constraints: [{ statement: \"a\" }, { statement: \"b\" }]", "constraints[1] (the emitted"),
        ("design: { a: \"<b>\" }", "document (the emitted Markdown is not accepted by the ruled grammar: raw HTML"),
        ("decision: { rationale: [] }", "decision.rationale (the emitted"),
    ];
    for (more, said) in cases {
        let lines = refused(&repo().file("a.sdp.ts", ts("a", more)), &["."]);
        assert!(lines.len() == 1 && lines[0].contains(&format!("first divergent path: {said}")), "{more}: {lines:#?}");
    }
}

/// The command and the files of a section of a page, and what the command says.
fn run_of(section: &str) -> Run {
    let files = explain::files(section);
    let repo = files.iter().fold(repo(), |repo, (path, text)| repo.file(path, text));
    let command = section.lines().find_map(|line| line.strip_prefix("cargo sdp ")).unwrap();
    repo.sdp(command.split(' ').chain(["--output", "json"]))
}

#[test]
fn each_page_about_an_import_shows_what_it_says() {
    let own = |run: &Run, id: FindingId| {
        run.findings()
            .into_iter()
            .filter(|finding| finding["id"] == id.as_str())
            .map(|finding| finding["severity"].clone())
            .collect::<Vec<_>>()
    };
    let ids: Vec<FindingId> = FindingId::ALL.iter().copied().filter(|id| id.group() == "import").collect();
    assert_eq!(ids.len(), 7);
    for id in ids {
        let page = Subject::Finding(id).page();
        let example = run_of(page.example);
        assert_eq!(
            (own(&example, id), example.code),
            (vec![page.severity.into()], Some(1)),
            "{}: {example:?}",
            id.as_str()
        );
        let mended = run_of(page.mended);
        assert_eq!((mended.findings().len(), mended.code), (0, Some(0)), "{}: {}", id.as_str(), mended.stderr);
    }
}

#[test]
fn a_run_without_a_carrier_fails_and_another_path_still_counts() {
    let repo = repo().file("empty/x.txt", "").file("specs/a.sdp.ts", ts("a", ""));
    let none = "empty — [warning] import/no-sources — the requested import path contains no .sdp.ts carrier";
    assert_eq!(refused(&repo, &["empty"]), [none]);
    let run = short(&repo, &["empty", "specs"]);
    assert_eq!((run.stderr, run.code), (format!("{none}\n{NOTE}"), Some(0)));
    assert!(repo.path("specs/a.sdp.md").is_file());
    assert_eq!(repo.sdp(["import"]).code, Some(2));
    assert_eq!(repo.sdp(["import", ""]).complaint(), "sdp import: PATH requires a file or a folder.");
}

#[test]
fn odd_names_are_taken_as_they_are() {
    let repo = repo().file("-a b.sdp.ts", ts("a", "")).file("new\nline.sdp.ts", ts("b", ""));
    assert_eq!(repo.sdp(["import", "-a b.sdp.ts"]).code, Some(2), "it reads as an option");
    let run = repo.sdp(["import", "-q", "--", "-a b.sdp.ts", "new\nline.sdp.ts"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("", "", Some(0)));
    assert!(repo.path("-a b.sdp.md").is_file() && repo.path("new\nline.sdp.md").is_file());
    let again = refused(&repo, &["."]);
    assert_eq!(again.len(), 2, "{again:#?}");
    assert!(again[1].starts_with("new\\nline.sdp.md — [error] import/target-exists — "), "{again:#?}");
}

#[test]
fn the_root_decides_what_is_left_out_and_how_files_are_named() {
    let repo = Repo::new()
        .file("sdp.toml", "exclude = [\"specs/drafts\"]\n")
        .file("specs/a.sdp.ts", ts("a", ""))
        .file("specs/drafts/b.sdp.ts", "")
        .file("specs/later/c.sdp.ts", "")
        .file("elsewhere/d.sdp.ts", "");
    // From a folder below the root, and from one with a configuration of its own.
    let run =
        repo.command(["import", ".", "--exclude", "specs/later", "--dry-run", "-v"]).cwd(repo.path("specs")).run();
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with("=== ")).count(), 1, "{}", run.stdout);
    for said in [format!("verbose: root: {}\n", repo.root().display()), "verbose: converting carriers: ".to_owned()] {
        assert!(run.stderr.contains(&said), "{said}: {}", run.stderr);
    }
    let run = repo.sdp(["import", "elsewhere", "--root", "specs", "--output", "short"]);
    let real = repo.root().canonicalize().unwrap().join("elsewhere/d.sdp.ts");
    assert!(run.stderr.starts_with(&format!("{} — [error] import/empty — ", real.display())), "{}", run.stderr);
    repo.write("other/sdp.toml", "");
    let run = repo.sdp(["import", "specs/later", "--manifest-path", "other", "--output", "short"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("specs/later/c.sdp.ts — [error] import/empty — "), "{}", run.stderr);
    let help = repo.sdp(["import", "--help"]).stdout;
    for option in [
        "--root <PATH>",
        "--manifest-path <PATH>",
        "--exclude <PATH>",
        "--quiet",
        "--verbose",
        "--color <WHEN>",
        "--dry-run",
    ] {
        assert!(help.contains(option), "{option}: {help}");
    }
}

/// Runs the program under a limit of the shell.
#[cfg(unix)]
fn limited(repo: &Repo, limit: &str, arguments: &str) -> (String, String, Option<i32>) {
    let script = format!("{limit}; exec \"$0\" {arguments}");
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .arg(sdp_tests::binary())
        .current_dir(repo.root())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[cfg(unix)]
#[test]
fn a_disk_that_takes_nothing_leaves_nothing_behind() {
    let repo = repo().file("a.sdp.ts", ts("a", "")).file("b.sdp.ts", ts("b", ""));
    let before = repo.contents();
    let (stdout, stderr, code) = limited(&repo, "trap '' XFSZ; ulimit -f 0", "import .");
    assert_eq!((stdout.as_str(), code), ("", Some(1)), "{stderr}");
    assert!(stderr.starts_with("sdp import: cannot write `") && stderr.contains("a.sdp.md"), "{stderr}");
    assert!(stderr.contains("\nhint: ") && stderr.contains("nothing was written"), "{stderr}");
    assert_eq!(repo.contents(), before);
}

#[cfg(unix)]
#[test]
fn more_carriers_than_files_may_be_open_are_written() {
    let repo =
        (0..120).fold(repo(), |repo, place| repo.file(&format!("s/{place}.sdp.ts"), ts(&format!("s{place}"), "")));
    let (stdout, stderr, code) = limited(&repo, "ulimit -n 40", "import s");
    assert_eq!((stdout.lines().count(), stderr.as_str(), code), (120, NOTE, Some(0)));
    assert_eq!(fs::read_dir(repo.path("s")).unwrap().count(), 240);
}

#[cfg(unix)]
#[test]
fn closed_folders_are_named_and_nothing_is_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let repo = repo().file("open/a.sdp.ts", ts("a", "")).file("closed/b.sdp.ts", ts("b", ""));
    let mode = |mode: u32| fs::set_permissions(repo.path("closed"), fs::Permissions::from_mode(mode)).unwrap();
    mode(0o555);
    if fs::write(repo.path("closed/probe"), "").is_ok() {
        mode(0o755);
        return sdp_tests::skipped("this user may write everywhere");
    }
    let run = short(&repo, &["."]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)), "{}", run.stderr);
    assert!(run.complaint().starts_with("sdp import: cannot create a file beside `"), "{}", run.stderr);
    assert!(!repo.path("open/a.sdp.md").exists());
    mode(0o000);
    let run = short(&repo, &["."]);
    mode(0o755);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)), "{}", run.stderr);
    assert!(
        run.stderr.starts_with("closed — [error] sdp/unreadable-carrier — the folder cannot be read: "),
        "{}",
        run.stderr
    );
    assert!(!repo.path("open/a.sdp.md").exists());
}

#[cfg(unix)]
#[test]
fn links_are_neither_read_nor_written_through() {
    use std::os::unix::fs::symlink;
    let repo = repo().file("specs/a.sdp.ts", ts("a", "")).file("real/b.sdp.ts", ts("b", ""));
    symlink(repo.path("real/b.sdp.ts"), repo.path("specs/link.sdp.ts")).unwrap();
    symlink(repo.path("elsewhere.md"), repo.path("specs/a.sdp.md")).unwrap();
    let before = fs::read_dir(repo.path("specs")).unwrap().count();
    let run = short(&repo, &["specs"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
    for said in
        ["specs/link.sdp.ts — [warning] sdp/skipped-carrier — ", "specs/a.sdp.md — [error] import/target-exists — "]
    {
        assert!(run.stderr.contains(said), "{said}: {}", run.stderr);
    }
    assert_eq!(fs::read_dir(repo.path("specs")).unwrap().count(), before);
    assert!(!repo.path("elsewhere.md").exists());
}

#[sdp::verifies("spec:sdp.import")]
#[test]
fn recorded_carriers_are_imported_faithfully_or_refused() {
    let Some(corpora) = corpora() else { return };
    let text = fs::read_to_string(corpora.join("cases/typescript.json")).unwrap();
    // A recorded title holds half of a surrogate pair, which no JSON text of Rust can.
    let cases: Value = serde_json::from_str(&text.replace("\u{2028}\\ud800", "\u{2028}\\ufffd")).unwrap();
    let (mut imported, mut total) = (Vec::new(), 0);
    for case in cases.as_array().unwrap() {
        for (file, text) in case["files"].as_object().unwrap() {
            if !file.ends_with(".sdp.ts") {
                continue;
            }
            total += 1;
            let name = format!("{}/{file}", case["name"].as_str().unwrap().strip_prefix("typescript/").unwrap());
            let text = text.as_str().unwrap();
            // Nearly all of them leave the title out, which Markdown needs.
            let titled = text.replace("spec({ id:", "spec({ title: \"T\", id:");
            for (mark, text) in [("", text), ("+title", &titled)] {
                if imports_faithfully(text) {
                    imported.push(format!("{name}{mark}"));
                    break;
                }
            }
        }
    }
    assert_eq!(total, 99);
    assert_eq!(imported, RECORDED);
}

/// Imports a carrier and compares the graph before and after, or sees it refused.
#[track_caller]
fn imports_faithfully(text: &str) -> bool {
    let repo = repo().file("x.sdp.ts", text);
    if repo.sdp(["import", "x.sdp.ts", "--dry-run"]).code != Some(0) {
        let said = refused(&repo, &["x.sdp.ts"]);
        assert!(said.iter().any(|line| line.contains(" — [error] import/")), "{text}: {said:#?}");
        return false;
    }
    let before = placeless_graph(&repo);
    assert_eq!(short(&repo, &["x.sdp.ts"]).code, Some(0), "{text}");
    fs::remove_file(repo.path("x.sdp.ts")).unwrap();
    assert_eq!(placeless_graph(&repo), before, "{text}");
    true
}

/// The recorded carriers that Markdown holds, where need be with a title: one Spec, no finding, one line a text.
const RECORDED: [&str; 8] = [
    "hookimp/x.sdp.ts",
    "ts/014-id-template-ok.sdp.ts+title",
    "ts/024-kind-as-const.sdp.ts+title",
    "ts/052-terms-desc.sdp.ts+title",
    "ts/075-ns.sdp.ts+title",
    "ts/076-default.sdp.ts+title",
    "ts/077-typeonly-import.sdp.ts+title",
    "ts1-no-title/x.sdp.ts+title",
];
