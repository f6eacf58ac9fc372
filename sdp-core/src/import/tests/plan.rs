//! Plans: which carriers they take, how they name them, and why they are refused. What a carrier gives is handed in, so that
//! nothing here depends on how TypeScript is read.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::super::plan::{Plan, Planned, Request, Source, plan, planned};
use crate::carrier::{self, Read};
use crate::discover::DiscoverOptions;
use crate::finding::{Finding, FindingId};
use crate::model::{Document, PackDocument, SpecDocument};
use crate::typescript::Modules;

const SPEC: &str = "---\nid: spec:a.b\nkind: rule\naltitude: story\nreadiness: idea\nrelations: {}\n---\n# Title\n";

/// A folder with empty files.
fn tree(paths: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for path in paths {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    folder
}

fn planned_in(root: &Path, cwd: &Path, paths: &[&str], options: &DiscoverOptions) -> Plan {
    let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
    plan(&Request { root, cwd, paths: &paths, options })
}

/// What is said when paths are named from the root. An empty file holds no Spec, which tells which files were taken.
fn said(root: &Path, paths: &[&str]) -> Vec<String> {
    lines(&planned_in(root, root, paths, &DiscoverOptions::default()))
}

fn lines(plan: &Plan) -> Vec<String> {
    assert!(plan.documents.is_empty());
    plan.findings
        .iter()
        .map(|finding| finding.line_form().replace("the TypeScript carrier contains no Specs or Packs", "taken"))
        .collect()
}

fn taken(name: &str) -> String {
    format!("{name} — [error] import/empty — taken")
}

#[test]
fn files_and_folders_are_taken_once_and_in_order() {
    let root = tree(&["b/x.sdp.ts", "a.sdp.ts", "b/c/y.sdp.ts", "b/z.ts", "b/w.sdp.md", "other.sdp.ts"]);
    let expected = ["a.sdp.ts", "b/c/y.sdp.ts", "b/x.sdp.ts"].map(taken);
    assert_eq!(said(root.path(), &["b", "a.sdp.ts", "b/x.sdp.ts", "./b/../a.sdp.ts", "b/c"]), expected);
    let whole = ["a.sdp.ts", "b/c/y.sdp.ts", "b/x.sdp.ts", "other.sdp.ts"].map(taken);
    assert_eq!(said(root.path(), &["."]), whole);
    assert_eq!(said(root.path(), &["", "b"]), whole);
    let absolute = root.path().join("b");
    assert_eq!(said(root.path(), &[absolute.to_str().unwrap()]), expected[1..]);
}

#[test]
fn names_start_at_the_root_and_are_whole_beyond_it() {
    let root = tree(&["specs/a.sdp.ts"]);
    let other = tree(&["x/b.sdp.ts", "x/coverage/c.sdp.ts"]);
    let options = DiscoverOptions::default();
    let real = other.path().canonicalize().unwrap();
    let outside = taken(real.join("x/b.sdp.ts").to_str().unwrap());
    let plan =
        planned_in(root.path(), &root.path().join("specs"), &["a.sdp.ts", other.path().to_str().unwrap()], &options);
    let mut expected = vec![taken("specs/a.sdp.ts"), outside];
    expected.sort_by_key(|line| !line.starts_with('/'));
    let mut found = lines(&plan);
    found.sort_by_key(|line| !line.starts_with('/'));
    assert_eq!(found, expected);
}

#[test]
fn what_discovery_passes_over_is_passed_over_unless_it_is_named() {
    let root = tree(&[
        "specs/a.sdp.ts",
        "specs/node_modules/b.sdp.ts",
        "specs/.hidden/c.sdp.ts",
        "specs/generated/d.sdp.ts",
        "specs/drafts/e.sdp.ts",
        "specs/private/f.sdp.ts",
    ]);
    fs::write(root.path().join(".gitignore"), "private/\n").unwrap();
    let options = DiscoverOptions { exclude: vec!["specs/drafts".to_owned()], ..DiscoverOptions::default() };
    let said = |paths: &[&str]| lines(&planned_in(root.path(), root.path(), paths, &options));
    assert_eq!(said(&["specs"]), [taken("specs/a.sdp.ts")]);
    for (folder, file) in
        [("generated", "d"), ("drafts", "e"), ("private", "f"), ("node_modules", "b"), (".hidden", "c")]
    {
        let path = format!("specs/{folder}");
        assert_eq!(said(&[&path]), [taken(&format!("{path}/{file}.sdp.ts"))]);
    }
    assert_eq!(said(&["specs/drafts/e.sdp.ts"]), [taken("specs/drafts/e.sdp.ts")]);
    let unmatched = DiscoverOptions { exclude: vec!["specs/draft".to_owned()], ..DiscoverOptions::default() };
    let found = lines(&planned_in(root.path(), root.path(), &["specs/drafts"], &unmatched));
    assert!(found[0].contains("[warning] sdp/unmatched-exclude — "), "{found:#?}");
}

const RULE: &str = "import { spec } from \"@libar-dev/software-delivery-protocol\";\nexport const a = spec({ id: \"spec:a\", kind: \"rule\", altitude: \"story\", readiness: \"idea\", title: \"T\" });\n";

#[test]
fn a_document_that_no_walk_would_read_is_refused() {
    let root = tree(&["specs/x/a.sdp.ts", "generated/b.sdp.ts", "c.sdp.ts"]);
    for path in ["specs/x/a.sdp.ts", "generated/b.sdp.ts", "c.sdp.ts"] {
        fs::write(root.path().join(path), RULE).unwrap();
    }
    let ignores = |folder: &str, rules: &str| fs::write(root.path().join(folder).join(".gitignore"), rules).unwrap();
    let lost = |exclude: &[&str], paths: &[&str]| {
        let exclude = exclude.iter().map(|path| (*path).to_owned()).collect();
        let options = DiscoverOptions { exclude, ..DiscoverOptions::default() };
        let Plan { documents, findings } = planned_in(root.path(), root.path(), paths, &options);
        assert!(findings.iter().all(|finding| finding.help.is_some()), "{findings:#?}");
        assert_eq!(documents.is_empty(), !findings.is_empty());
        findings.iter().map(Finding::line_form).collect::<Vec<_>>()
    };
    let ignored = |path: &str| {
        format!("{path} — [error] import/refusal — the Markdown target would not be read: the path is ignored by git")
    };
    assert_eq!(lost(&[], &["."]), [""; 0]);
    let excluded = ignored("specs/x/a.sdp.md").replace("ignored by git", "excluded");
    assert_eq!(lost(&["specs/x/a.sdp.md"], &["specs/x/a.sdp.ts"]), [excluded]);
    ignores("", "*.md\n");
    assert_eq!(lost(&[], &["."]), [ignored("c.sdp.md"), ignored("specs/x/a.sdp.md")]);
    assert_eq!(lost(&[], &["specs/x/a.sdp.ts"]), [ignored("specs/x/a.sdp.md")]);
    // A rule further down decides, and what is not read now is lost to nobody.
    ignores("specs", "!*.sdp.md\n");
    assert_eq!(lost(&[], &["specs", "generated"]), [""; 0]);
    ignores("specs/x", "/a.sdp.*\n");
    assert_eq!(lost(&[], &["specs/x/a.sdp.ts"]), [""; 0]);
    assert_eq!(lost(&["specs"], &["specs/x/a.sdp.ts"]), [""; 0]);
}

#[test]
fn a_path_that_gives_nothing_is_named() {
    let root = tree(&["specs/a.sdp.md", "src/a.ts", "empty/none.txt"]);
    assert_eq!(
        said(
            root.path(),
            &["src/a.ts", "specs/a.sdp.md", "gone", "gone.sdp.ts", "specs", "empty", "specs/a.sdp.md/x.sdp.ts"]
        ),
        [
            "src/a.ts — [error] import/invalid-source-path — the explicitly requested import file must end with .sdp.ts",
            "specs/a.sdp.md — [error] import/invalid-source-path — the explicitly requested import file must end with .sdp.ts",
            "gone — [error] sdp/unreadable-carrier — the path cannot be read: entity not found",
            "gone.sdp.ts — [error] sdp/unreadable-carrier — the path cannot be read: entity not found",
            "specs/a.sdp.md/x.sdp.ts — [error] sdp/unreadable-carrier — the path cannot be read: not a directory",
            "specs — [warning] import/no-sources — the requested import path contains no .sdp.ts carrier",
            "empty — [warning] import/no-sources — the requested import path contains no .sdp.ts carrier",
        ]
    );
    let root = tree(&["x"]);
    let none = "[warning] import/no-sources — the requested import path contains no .sdp.ts carrier";
    assert_eq!(said(root.path(), &["."]), [format!(". — {none}")]);
    assert_eq!(said(root.path(), &[]), [""; 0]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_unless_they_are_a_folder_that_is_named() {
    use std::os::unix::fs::symlink;
    let root = tree(&["specs/a.sdp.ts", "real/b.sdp.ts"]);
    let at = |path: &str| root.path().join(path);
    symlink(at("real/b.sdp.ts"), at("specs/link.sdp.ts")).unwrap();
    symlink(at("nowhere"), at("specs/dangling.sdp.ts")).unwrap();
    symlink(at("real"), at("specs/folder")).unwrap();
    let skipped =
        "[warning] sdp/skipped-carrier — a symbolic link is not read as a carrier: its Specs are not in the graph";
    assert_eq!(
        said(root.path(), &["specs"]),
        [
            format!("specs/dangling.sdp.ts — {skipped}"),
            format!("specs/link.sdp.ts — {skipped}"),
            taken("specs/a.sdp.ts")
        ]
    );
    assert_eq!(said(root.path(), &["specs/folder", "specs/folder/b.sdp.ts"]), [taken("real/b.sdp.ts")]);
    for link in ["specs/link.sdp.ts", "specs/dangling.sdp.ts"] {
        assert_eq!(
            said(root.path(), &[link]),
            [format!("{link} — [error] sdp/unreadable-carrier — a symbolic link is not read as a carrier")]
        );
    }
    // A root that is a link is the folder to which it leads.
    symlink(root.path(), at("real/root")).unwrap();
    assert_eq!(said(&at("real/root"), &["specs/a.sdp.ts"]), [taken("specs/a.sdp.ts")]);
}

#[cfg(unix)]
#[test]
fn two_names_of_one_file_are_one_source() {
    let root = tree(&["b.sdp.ts"]);
    fs::hard_link(root.path().join("b.sdp.ts"), root.path().join("a.sdp.ts")).unwrap();
    assert_eq!(
        said(root.path(), &["b.sdp.ts", "."]),
        [
            "b.sdp.ts — [warning] sdp/skipped-carrier — it is the file `a.sdp.ts` under another name, and is converted under that one".to_owned(),
            taken("a.sdp.ts"),
        ]
    );
}

#[cfg(unix)]
#[test]
fn strange_names_and_special_files_do_no_harm() {
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::net::UnixListener;
    let root = tree(&["-a b.sdp.ts", "new\nline.sdp.ts", ".sdp.ts"]);
    let bad = std::ffi::OsStr::from_bytes(b"bad\xFF.sdp.ts");
    fs::write(root.path().join(bad), "").unwrap();
    let _socket = UnixListener::bind(root.path().join("pipe.sdp.ts")).unwrap();
    let not_utf8 = "bad\u{FFFD}.sdp.ts — [error] sdp/not-utf8 — the carrier's path is not UTF-8, so it is not read";
    assert_eq!(
        said(root.path(), &["."]),
        [
            not_utf8.to_owned(),
            "pipe.sdp.ts — [warning] sdp/skipped-carrier — a pipe, socket or device is not read as a carrier: its Specs are not in the graph".to_owned(),
            taken("-a b.sdp.ts"),
            taken(".sdp.ts"),
            taken("new\nline.sdp.ts"),
        ]
    );
    assert_eq!(said(root.path(), &["-a b.sdp.ts"]), [taken("-a b.sdp.ts")]);
    let paths = [PathBuf::from(bad), PathBuf::from("pipe.sdp.ts")];
    let options = DiscoverOptions::default();
    let request = Request { root: root.path(), cwd: root.path(), paths: &paths, options: &options };
    assert_eq!(
        lines(&plan(&request)),
        [not_utf8, "pipe.sdp.ts — [error] sdp/unreadable-carrier — a pipe, socket or device is not read as a carrier"]
    );
}

fn source(folder: &TempDir) -> Source {
    Source { real: folder.path().join("specs.sdp.ts"), name: "x/specs.sdp.ts".to_owned() }
}

fn spec(id: &str, line: u32) -> Document {
    match carrier::markdown::read("a.sdp.md", SPEC) {
        Ok(Document::Spec(spec)) => Document::Spec(SpecDocument { id: id.to_owned(), line, ..spec }),
        other => panic!("{other:#?}"),
    }
}

fn pack(line: u32) -> Document {
    let (title, framing, members, model_refs) = (None, None, Vec::new(), None);
    Document::Pack(PackDocument { id: "pack:a".to_owned(), line, title, framing, members, model_refs })
}

fn refused(documents: Vec<Document>, findings: Vec<Finding>) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let read = Read { documents, findings, ..Read::default() };
    let findings = planned(read, &source(&folder)).unwrap_err();
    findings.iter().map(Finding::line_form).collect()
}

#[test]
fn a_carrier_of_one_spec_is_planned_beside_itself() {
    let folder = tempfile::tempdir().unwrap();
    let read = Read { documents: vec![spec("spec:a.b", 9)], ..Read::default() };
    let target = folder.path().join("specs.sdp.md");
    assert_eq!(
        planned(read.clone(), &source(&folder)),
        Ok(Planned { source: "x/specs.sdp.ts".to_owned(), target: target.clone(), text: SPEC.to_owned() })
    );
    let existing = |findings: Result<Planned, Vec<Finding>>| findings.unwrap_err()[0].line_form();
    let said = "x/specs.sdp.md — [error] import/target-exists — the Markdown target already exists and will not be overwritten";
    fs::create_dir(&target).unwrap();
    assert_eq!(existing(planned(read.clone(), &source(&folder))), said);
    #[cfg(unix)]
    {
        fs::remove_dir(&target).unwrap();
        std::os::unix::fs::symlink("nowhere", &target).unwrap();
        assert_eq!(existing(planned(read, &source(&folder))), said);
    }
}

#[test]
fn a_carrier_is_refused_for_what_it_holds() {
    let pack_said = "[error] import/pack-unsupported — `sdp import` converts Spec carriers; Pack manifests are out of scope — the TypeScript manifest stays a lawful per-ID option";
    let two = "[error] import/unsupported-construct — the TypeScript carrier reifies more than one Spec";
    let cases: [(Vec<Document>, &[String]); 5] = [
        (
            vec![],
            &["x/specs.sdp.ts — [error] import/empty — the TypeScript carrier contains no Specs or Packs".to_owned()],
        ),
        (vec![pack(2)], &[format!("x/specs.sdp.ts:2 — {pack_said}")]),
        (vec![spec("spec:a", 2), pack(5)], &[format!("x/specs.sdp.ts:5 — {pack_said}")]),
        (vec![spec("spec:a", 2), spec("spec:b", 4)], &[format!("x/specs.sdp.ts:4 — {two}")]),
        (
            vec![spec("spec:a", 2), pack(3), spec("spec:b", 4), pack(5)],
            &[format!("x/specs.sdp.ts:3 — {pack_said}"), format!("x/specs.sdp.ts:4 — {two}")],
        ),
    ];
    for (documents, said) in cases {
        assert_eq!(refused(documents, Vec::new()), said);
    }
    let Document::Spec(untitled) = spec("spec:a", 2) else { panic!("a Spec") };
    assert_eq!(
        refused(vec![Document::Spec(SpecDocument { title: None, ..untitled })], Vec::new()),
        [
            "x/specs.sdp.ts:2 — [error] import/unsupported-construct — the TypeScript carrier cannot emit faithful Markdown: first divergent path: title (Markdown requires an H1 title)"
        ]
    );
}

#[test]
fn a_warning_refuses_a_carrier_too() {
    let warning = Finding::warning(FindingId::UnrecognizedStatement, "no").at("x/specs.sdp.ts", 3);
    assert_eq!(
        refused(vec![spec("spec:a", 2)], vec![warning]),
        [
            "x/specs.sdp.ts:3 — [warning] extract/unrecognized-statement — no",
            "x/specs.sdp.ts — [error] import/refusal — the TypeScript carrier was refused",
        ]
    );
}

#[test]
fn a_trusted_module_counts_as_in_every_command() {
    let root = tempfile::tempdir().unwrap();
    let carrier = |module: &str, name: &str| {
        let text = format!(
            "import {{ spec }} from \"{module}\";\nexport const it = spec({{ id: \"spec:{name}\", kind: \"rule\", altitude: \"story\", readiness: \"idea\", title: \"T\" }});\n"
        );
        fs::create_dir_all(root.path().join("specs")).unwrap();
        fs::write(root.path().join(format!("specs/{name}.sdp.ts")), text).unwrap();
    };
    carrier("@acme/sdp", "a");
    carrier("../src/sdp.js", "b");
    let paths = [PathBuf::from("specs")];
    let planned = |trusted: &[&str]| {
        let modules = Modules::new(trusted.iter().map(|module| (*module).to_owned()).collect());
        let options = DiscoverOptions { modules, ..DiscoverOptions::default() };
        plan(&Request { root: root.path(), cwd: root.path(), paths: &paths, options: &options })
    };
    let whole = planned(&["@acme/sdp", "src/sdp.ts"]);
    assert_eq!(whole.findings, []);
    let names: Vec<&str> = whole.documents.iter().map(|planned| planned.source.as_str()).collect();
    assert_eq!(names, ["specs/a.sdp.ts", "specs/b.sdp.ts"]);
    let half = planned(&["@acme/sdp"]);
    assert!(
        half.documents.is_empty()
            && half.findings.iter().all(|finding| finding.file.as_deref() == Some("specs/b.sdp.ts"))
    );
    assert!(half.findings.iter().any(|finding| finding.id == FindingId::ImportRefusal), "{:#?}", half.findings);
}
