use std::borrow::Cow;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use crate::carrier::MAX_CARRIER_BYTES;

const CARGO_TAG: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# This file is a cache directory tag created by cargo.\n";

/// A tree of files, each with its text; a path that ends with `/` is a folder.
fn tree(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path_here = root.path().join(path);
        if path.ends_with('/') {
            fs::create_dir_all(path_here).unwrap();
        } else {
            fs::create_dir_all(path_here.parent().unwrap()).unwrap();
            fs::write(path_here, text).unwrap();
        }
    }
    root
}

fn files(paths: &[&str]) -> TempDir {
    tree(&paths.iter().map(|path| (*path, "")).collect::<Vec<_>>())
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn paths(found: &Discovery) -> Vec<&str> {
    found.carriers.iter().map(|carrier| carrier.path.as_str()).collect()
}

fn lines(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(Finding::line_form).collect()
}

fn read_text(root: &Path, file: &CarrierFile) -> Result<String, Box<Finding>> {
    CarrierTexts::default().read(root, file).map(Cow::into_owned).map_err(Box::new)
}

fn plain_walk(root: &Path) -> Discovery {
    walk(root, &DiscoverOptions::default())
}

fn walk_without(root: &Path, exclude: &[&str]) -> Discovery {
    walk(root, &DiscoverOptions { exclude: owned(exclude), ..Default::default() })
}

fn carrier(path: &str) -> CarrierFile {
    CarrierFile { path: path.to_owned(), form: CarrierForm::Markdown }
}

#[cfg(unix)]
fn link(root: &Path, from: &str, to: impl AsRef<Path>) {
    std::os::unix::fs::symlink(to, root.join(from)).unwrap();
}

/// Whether a pipe could be made; says so when not.
#[cfg(unix)]
fn make_pipe(path: &Path) -> bool {
    let made = std::process::Command::new("mkfifo").arg(path).status().is_ok_and(|status| status.success());
    if !made {
        let _ = writeln!(std::io::stderr(), "skipped: mkfifo is missing");
    }
    made
}

/// Takes all permissions away. False, with a notice, where they do not bind.
#[cfg(unix)]
fn lock(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
    let binds = if path.is_dir() { fs::read_dir(path).is_err() } else { fs::File::open(path).is_err() };
    if !binds {
        unlock(path);
        let _ = writeln!(std::io::stderr(), "skipped: permissions do not bind this user");
    }
    binds
}

#[cfg(unix)]
fn unlock(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn carriers_are_known_by_their_suffix_and_sorted_by_code_units() {
    let root = files(&[
        "a/b.sdp.md",
        "a-b.sdp.md",
        "é.sdp.md",
        "z.sdp.md",
        ".sdp.md",
        ".dotfile.sdp.md",
        "Case.sdp.md",
        "case.sdp.md",
        "\u{1F600}.sdp.md",
        "\u{FF21}.sdp.md",
        "x.SDP.md",
        "x.sdp.mdx",
        "x.md",
        "dir.sdp.md/inner.sdp.md",
        "build/a.sdp.md",
        "out/a.sdp.md",
        "target/a.sdp.md",
        "Dist/a.sdp.md",
        "dist2/a.sdp.md",
    ]);
    let found = plain_walk(root.path());
    assert_eq!(
        paths(&found),
        [
            ".dotfile.sdp.md",
            ".sdp.md",
            "Case.sdp.md",
            "Dist/a.sdp.md",
            "a-b.sdp.md",
            "a/b.sdp.md",
            "build/a.sdp.md",
            "case.sdp.md",
            "dir.sdp.md/inner.sdp.md",
            "dist2/a.sdp.md",
            "out/a.sdp.md",
            "target/a.sdp.md",
            "z.sdp.md",
            "é.sdp.md",
            "\u{1F600}.sdp.md",
            "\u{FF21}.sdp.md",
        ]
    );
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    assert!(found.carriers.iter().all(|carrier| carrier.form == CarrierForm::Markdown));
}

#[test]
fn folders_that_are_never_walked_hide_their_carriers_at_any_depth() {
    let root = files(&[
        ".hidden/a.sdp.md",
        "node_modules/a.sdp.md",
        "x/dist/a.sdp.md",
        "x/y/generated/a.sdp.md",
        "coverage/deep/a.sdp.md",
        "x/.git/a.sdp.md",
        "dist.sdp.md",
    ]);
    assert_eq!(paths(&plain_walk(root.path())), ["dist.sdp.md"]);
}

#[test]
fn a_root_of_any_name_is_walked() {
    let root = tree(&[("dist/a.sdp.md", ""), ("dist/CACHEDIR.TAG", CARGO_TAG), (".x/a.sdp.md", "")]);
    assert_eq!(paths(&plain_walk(&root.path().join("dist"))), ["a.sdp.md"]);
    assert_eq!(paths(&plain_walk(&root.path().join(".x"))), ["a.sdp.md"]);
}

#[test]
fn the_real_target_folder_is_not_walked_and_its_namesakes_are() {
    let other_tag = CARGO_TAG.replace("cargo", "pytest");
    let root = tree(&[
        ("target/specs/a.sdp.md", ""),
        ("a/target/a.sdp.md", ""),
        ("tagged/CACHEDIR.TAG", CARGO_TAG),
        ("tagged/a.sdp.md", ""),
        ("cache/CACHEDIR.TAG", &other_tag),
        ("cache/a.sdp.md", ""),
        ("odd/CACHEDIR.TAG/a.sdp.md", ""),
    ]);
    let skip_dirs = [root.path().join("target"), PathBuf::from("/"), root.path().to_owned()];
    let found = walk(root.path(), &DiscoverOptions { skip_dirs: skip_dirs.to_vec(), ..Default::default() });
    assert_eq!(paths(&found), ["a/target/a.sdp.md", "cache/a.sdp.md", "odd/CACHEDIR.TAG/a.sdp.md"]);
}

#[test]
fn an_exclude_is_an_exact_prefix_of_whole_segments() {
    let root = files(&["a/x.sdp.md", "a/b/y.sdp.md", "ab/x.sdp.md", "A/x.sdp.md", "one.sdp.md", "c/*/x.sdp.md"]);
    let found = walk_without(root.path(), &["a", "one.sdp.md", "c/*"]);
    assert_eq!(paths(&found), ["A/x.sdp.md", "ab/x.sdp.md"]);
    assert!(found.findings.is_empty(), "{:?}", found.findings);
}

#[test]
#[sdp::verifies("spec:sdp.discovery")]
fn an_exclude_without_effect_is_a_warning_that_says_why() {
    let root = tree(&[
        (".gitignore", "ignored\n"),
        ("a/b/x.sdp.md", ""),
        ("a/notes.txt", ""),
        ("dist/x/y.txt", ""),
        ("ignored/x/y.txt", ""),
        ("tagged/CACHEDIR.TAG", CARGO_TAG),
        ("kept.sdp.md", ""),
    ]);
    let found = walk_without(
        root.path(),
        &["a", "a/b", "a-", "dist/x", "dist", "ignored/x", "tagged/x", "kept.sdp.md/x", "Kept.sdp.md"],
    );
    assert_eq!(
        lines(&found.findings),
        [
            "[warning] sdp/unmatched-exclude — the exclude `Kept.sdp.md` matched nothing",
            "[warning] sdp/unmatched-exclude — the exclude `a-` matched nothing",
            "[warning] sdp/unmatched-exclude — the exclude `a/b` has no effect: `a` is excluded already",
            "[warning] sdp/unmatched-exclude — the exclude `dist/x` has no effect: `dist` is excluded already",
            "[warning] sdp/unmatched-exclude — the exclude `ignored/x` has no effect: `ignored` is ignored by git",
            "[warning] sdp/unmatched-exclude — the exclude `kept.sdp.md/x` matched nothing",
            "[warning] sdp/unmatched-exclude — the exclude `tagged/x` has no effect: `tagged` is cargo's target folder",
        ]
    );
    let never = walk_without(root.path(), &["dist/x", "a/notes.txt", "dist"]);
    assert_eq!(never.findings.len(), 1);
    let never = walk_without(root.path(), &["dist/x", "a/notes.txt"]);
    assert_eq!(
        lines(&never.findings),
        ["[warning] sdp/unmatched-exclude — the exclude `dist/x` has no effect: `dist` is never walked"]
    );
}

#[test]
fn ignore_rules_count_from_the_root_downwards() {
    let root = tree(&[
        (".gitignore", "*.sdp.md\n"),
        (".git/", ""),
        (".git/info/exclude", "a.sdp.md\n"),
        ("root/.gitignore", "\u{feff}# comment\r\n/top\r\nbuilt/\n*.tmp.sdp.md\n!keep.tmp.sdp.md\n[\n"),
        ("root/.ignore", "*\n"),
        ("root/a.sdp.md", ""),
        ("root/a.tmp.sdp.md", ""),
        ("root/keep.tmp.sdp.md", ""),
        ("root/top/a.sdp.md", ""),
        ("root/x/top/a.sdp.md", ""),
        ("root/x/built/a.sdp.md", ""),
        ("root/x/built.sdp.md", ""),
        ("root/y/.gitignore", "/a.sdp.md\n!b.tmp.sdp.md\n"),
        ("root/y/a.sdp.md", ""),
        ("root/y/b.tmp.sdp.md", ""),
        ("root/y/z/a.sdp.md", ""),
    ]);
    let found = plain_walk(&root.path().join("root"));
    assert_eq!(
        paths(&found),
        ["a.sdp.md", "keep.tmp.sdp.md", "x/built.sdp.md", "x/top/a.sdp.md", "y/b.tmp.sdp.md", "y/z/a.sdp.md"]
    );
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    assert_eq!(paths(&plain_walk(root.path())), ["root/keep.tmp.sdp.md", "root/y/b.tmp.sdp.md"]);
}

#[test]
fn hidden_carriers_are_those_that_an_ignore_rule_hides() {
    let root = tree(&[
        (".gitignore", "specs\n*.sdp.gherkin\n"),
        ("specs/b.sdp.md", ""),
        ("specs/a.sdp.md", ""),
        ("x.sdp.gherkin", ""),
        ("seen.sdp.md", ""),
        ("dist/never.sdp.md", ""),
        ("out/excluded.sdp.md", ""),
    ]);
    let exclude = owned(&["out"]);
    let hidden = hidden_carriers(root.path(), &DiscoverOptions { exclude: exclude.clone(), ..Default::default() });
    assert_eq!(
        hidden,
        HiddenCarriers { names: owned(&["specs/a.sdp.md", "specs/b.sdp.md", "x.sdp.gherkin"]), total: 3 }
    );
    for number in 0..30 {
        fs::write(root.path().join(format!("specs/n{number:02}.sdp.md")), "").unwrap();
    }
    let many = hidden_carriers(root.path(), &DiscoverOptions { exclude: exclude.clone(), ..Default::default() });
    assert_eq!((many.names.len(), many.total, many.names[19].as_str()), (20, 33, "specs/n17.sdp.md"));
}

#[test]
fn an_ignore_file_that_cannot_be_applied_is_said() {
    let root = tree(&[
        ("folder/.gitignore/", ""),
        ("folder/a.sdp.md", ""),
        ("large/.gitignore", &"*.sdp.md\n".repeat(30_000)),
        ("large/a.sdp.md", ""),
        ("many/.gitignore", &"*a?b\n".repeat(50_000)),
        ("many/a.sdp.md", ""),
    ]);
    let found = plain_walk(root.path());
    assert_eq!(paths(&found), ["folder/a.sdp.md", "large/a.sdp.md", "many/a.sdp.md"]);
    assert_eq!(
        lines(&found.findings),
        [
            "folder/.gitignore — [warning] sdp/skipped-ignore-file — the ignore rules are not applied: it is not a regular file",
            "large/.gitignore — [warning] sdp/skipped-ignore-file — the ignore rules are not applied: it is larger than 256 KiB",
            "many/.gitignore — [warning] sdp/skipped-ignore-file — the ignore rules are not applied: the file holds too many patterns",
        ]
    );
}

#[test]
fn nested_braces_in_an_ignore_file_abort_nothing() {
    let nested = format!("{}x{}", "{".repeat(2000), "}".repeat(2000));
    let root = tree(&[(".gitignore", &format!("{nested}\nb.sdp.md\n")), ("a.sdp.md", ""), ("b.sdp.md", "")]);
    assert_eq!(paths(&plain_walk(root.path())), ["a.sdp.md"]);
}

#[cfg(unix)]
#[test]
fn an_ignore_file_that_is_a_pipe_or_a_link_is_not_opened() {
    let root = files(&["a.sdp.md", "x/a.sdp.md"]);
    link(root.path(), "x/.gitignore", "/dev/zero");
    let _ = make_pipe(&root.path().join(".gitignore"));
    let found = plain_walk(root.path());
    assert_eq!(paths(&found), ["a.sdp.md", "x/a.sdp.md"]);
    assert!(found.findings.iter().all(|finding| finding.id == FindingId::SkippedIgnoreFile));
    assert!(lines(&found.findings).iter().any(|line| line.starts_with("x/.gitignore — ")));
}

#[test]
fn each_form_is_a_carrier_and_one_that_the_build_does_not_read_is_said() {
    let root = files(&["a.sdp.gherkin", "b.sdp.ts", "c.sdp.tsx", "d.sdp.md"]);
    let found = plain_walk(root.path());
    assert_eq!(paths(&found), ["a.sdp.gherkin", "b.sdp.ts", "d.sdp.md"]);
    let forms: Vec<CarrierForm> = found.carriers.iter().map(|carrier| carrier.form).collect();
    assert_eq!(forms, [CarrierForm::Gherkin, CarrierForm::TypeScript, CarrierForm::Markdown]);
    let unread =
        "b.sdp.ts — [warning] sdp/unread-carrier — the TypeScript carrier is not read: this build has no TypeScript";
    let said: &[&str] = if cfg!(feature = "typescript") { &[] } else { &[unread] };
    assert_eq!(lines(&found.findings), said);
}

#[cfg(unix)]
#[test]
#[sdp::verifies("spec:sdp.discovery")]
fn links_to_carriers_are_said_and_links_to_walked_folders_are_not() {
    let outside = files(&["specs/a.sdp.md"]);
    let root = files(&["real/a.sdp.md", ".dot/b.sdp.md", "plain.txt", "skipped/a.txt"]);
    fs::write(root.path().join(".gitignore"), "ignored-*\n").unwrap();
    link(root.path(), "to-file.sdp.md", "real/a.sdp.md");
    link(root.path(), "dangling.sdp.md", "nowhere");
    link(root.path(), "to-folder.sdp.md", "real");
    link(root.path(), "loop", ".");
    link(root.path(), "real/up", "..");
    link(root.path(), "same", "real");
    link(root.path(), "other.txt", "plain.txt");
    link(root.path(), "nowhere.txt", "nowhere");
    link(root.path(), "specs", outside.path().join("specs"));
    link(root.path(), "ignored-specs", outside.path().join("specs"));
    link(root.path(), "ignored-a.sdp.md", "real/a.sdp.md");
    link(root.path(), "left-out", outside.path().join("specs"));
    link(root.path(), "to-dot", ".dot");
    link(root.path(), "self", "self");
    let found = walk_without(root.path(), &["left-out", "specs/a.sdp.md"]);
    assert_eq!(paths(&found), ["real/a.sdp.md"]);
    let carrier = "a symbolic link is not read as a carrier: its Specs are not in the graph";
    let folder = "the link leads to a folder that is not walked: carriers in it are not read";
    assert_eq!(
        lines(&found.findings),
        [
            "[warning] sdp/unmatched-exclude — the exclude `specs/a.sdp.md` has no effect: `specs` is a symbolic link, \
             which is not followed"
                .to_owned(),
            format!("dangling.sdp.md — [warning] sdp/skipped-carrier — {carrier}"),
            format!("specs — [warning] sdp/skipped-carrier — {folder}"),
            format!("to-dot — [warning] sdp/skipped-carrier — {folder}"),
            format!("to-file.sdp.md — [warning] sdp/skipped-carrier — {carrier}"),
            format!("to-folder.sdp.md — [warning] sdp/skipped-carrier — {carrier}"),
        ]
    );
}

#[cfg(unix)]
#[test]
fn a_link_works_as_the_root() {
    let root = files(&["real/a.sdp.md", "real/target/b.sdp.md"]);
    link(root.path(), "root", "real");
    let skip_dirs = [root.path().join("real/target")];
    let found =
        walk(&root.path().join("root"), &DiscoverOptions { skip_dirs: skip_dirs.to_vec(), ..Default::default() });
    assert_eq!(paths(&found), ["a.sdp.md"]);
    assert_eq!(read_text(&root.path().join("root"), &carrier("a.sdp.md")), Ok(String::new()));
}

#[cfg(unix)]
#[test]
fn pipes_and_sockets_are_said_and_never_opened() {
    let root = files(&["a.sdp.md"]);
    let _socket = std::os::unix::net::UnixListener::bind(root.path().join("socket.sdp.md")).unwrap();
    let mut expected = vec!["socket.sdp.md"];
    if make_pipe(&root.path().join("pipe.sdp.md")) {
        expected.insert(0, "pipe.sdp.md");
        let error = read_text(root.path(), &carrier("pipe.sdp.md")).unwrap_err();
        assert_eq!(error.id, FindingId::UnreadableCarrier);
    }
    let found = plain_walk(root.path());
    assert_eq!(paths(&found), ["a.sdp.md"]);
    let said: Vec<&str> = found.findings.iter().filter_map(|finding| finding.file.as_deref()).collect();
    assert_eq!(said, expected);
    assert_eq!(
        found.findings[0].message,
        "a pipe, socket or device is not read as a carrier: its Specs are not in the graph"
    );
}

#[cfg(unix)]
#[test]
#[sdp::verifies("spec:sdp.discovery")]
fn what_cannot_be_read_is_an_error_and_leaves_its_siblings() {
    let root = files(&["a.sdp.md", "locked/b.sdp.md", "c.sdp.md"]);
    let (folder, file) = (root.path().join("locked"), root.path().join("c.sdp.md"));
    if !lock(&folder) || !lock(&file) {
        return;
    }
    let found = plain_walk(root.path());
    let error = read_text(root.path(), &carrier("c.sdp.md")).unwrap_err();
    unlock(&folder);
    unlock(&file);
    assert_eq!(paths(&found), ["a.sdp.md", "c.sdp.md"]);
    assert_eq!(
        lines(&found.findings),
        ["locked — [error] sdp/unreadable-carrier — the folder cannot be read: permission denied"]
    );
    assert_eq!(
        error.line_form(),
        "c.sdp.md — [error] sdp/unreadable-carrier — the file cannot be read: permission denied"
    );
}

#[test]
fn a_root_that_is_missing_is_an_error() {
    let root = files(&[]);
    let found = walk_without(&root.path().join("gone"), &["a"]);
    assert_eq!(
        lines(&found.findings),
        [". — [error] sdp/unreadable-carrier — the folder cannot be read: entity not found"]
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_not_utf8_is_an_error() {
    use std::os::unix::ffi::OsStrExt;
    let root = files(&["a.sdp.md"]);
    let bad = |bytes: &[u8]| root.path().join(std::ffi::OsStr::from_bytes(bytes));
    fs::write(bad(b"b\xff.sdp.md"), "").unwrap();
    fs::create_dir(bad(b"d\xfe")).unwrap();
    fs::write(bad(b"d\xfe/c.sdp.md"), "").unwrap();
    fs::write(bad(b"d\xfe/plain.txt"), "").unwrap();
    let found = plain_walk(root.path());
    assert_eq!(paths(&found), ["a.sdp.md"]);
    assert_eq!(
        lines(&found.findings),
        [
            "b\u{fffd}.sdp.md — [error] sdp/not-utf8 — the carrier's path is not UTF-8, so it is not read",
            "d\u{fffd}/c.sdp.md — [error] sdp/not-utf8 — the carrier's path is not UTF-8, so it is not read",
        ]
    );
}

#[cfg(unix)]
#[test]
fn control_characters_in_a_path_are_carried_as_they_are() {
    let root = tree(&[("a\nb\u{1b}/c\td.sdp.md", "text"), ("back\\slash.sdp.md", "")]);
    let found = plain_walk(root.path());
    assert_eq!(paths(&found), ["a\nb\u{1b}/c\td.sdp.md", "back\\slash.sdp.md"]);
    assert_eq!(read_text(root.path(), &found.carriers[0]), Ok("text".to_owned()));
}

#[test]
fn text_that_is_not_utf8_is_an_error_at_its_first_bad_byte() {
    let root = files(&[]);
    let read = |bytes: &[u8]| {
        fs::write(root.path().join("a.sdp.md"), bytes).unwrap();
        read_text(root.path(), &carrier("a.sdp.md"))
    };
    assert_eq!(read("é\r\n\u{feff}".as_bytes()), Ok("é\r\n\u{feff}".to_owned()));
    let error =
        read("# é\n\naéb\u{1F600}\u{7f}".as_bytes().iter().copied().chain([0xC3]).collect::<Vec<_>>().as_slice());
    let error = error.unwrap_err();
    assert_eq!((error.line, error.column), (Some(3), Some(6)));
    assert_eq!(
        error.line_form(),
        "a.sdp.md:3 — [error] sdp/not-utf8 — the carrier is not UTF-8: the byte 0xC3 is no character"
    );
    assert_eq!(read(b"\xff").unwrap_err().column, Some(1));
}

#[test]
fn a_large_carrier_is_read_a_little_past_its_limit() {
    let root = files(&[]);
    let read = |bytes: &[u8]| {
        fs::write(root.path().join("a.sdp.md"), bytes).unwrap();
        read_text(root.path(), &carrier("a.sdp.md")).unwrap().len()
    };
    assert_eq!(read(&vec![b'a'; MAX_CARRIER_BYTES]), MAX_CARRIER_BYTES);
    assert_eq!(read(&vec![b'a'; MAX_CARRIER_BYTES + 100]), MAX_CARRIER_BYTES + 1);
    for shift in 0..4 {
        let mut text = "a".repeat(shift);
        text.push_str(&"\u{1F600}".repeat(MAX_CARRIER_BYTES / 4 + 2));
        let length = read(text.as_bytes());
        assert!((MAX_CARRIER_BYTES + 1..=MAX_CARRIER_BYTES + 4).contains(&length), "{length}");
    }
}

#[test]
fn a_carrier_that_is_gone_or_became_a_folder_is_an_error() {
    let root = files(&["dir.sdp.md/"]);
    let line = |path: &str| read_text(root.path(), &carrier(path)).unwrap_err().line_form();
    assert_eq!(
        line("gone.sdp.md"),
        "gone.sdp.md — [error] sdp/unreadable-carrier — the file cannot be read: entity not found"
    );
    assert_eq!(
        line("dir.sdp.md"),
        "dir.sdp.md — [error] sdp/unreadable-carrier — the file cannot be read: invalid input parameter"
    );
}

fn rules_of(root: &Path, globs: &[&str], globs_are_default: bool) -> RuleFiles {
    rule_files(root, &owned(globs), globs_are_default, &DiscoverOptions::default()).unwrap()
}

#[test]
fn rule_files_are_what_the_globs_match_even_where_git_ignores_them() {
    let root = tree(&[
        (".gitignore", "rules\n"),
        ("rules/b.sdp.js", ""),
        ("rules/a/deep/c.sdp.js", ""),
        ("rules/a-b.sdp.js", ""),
        ("rules/note.md", ""),
        ("rules/dist/x.sdp.js", ""),
        ("rules/.x/x.sdp.js", ""),
        ("other/rules/x.sdp.js", ""),
        ("top.sdp.js", ""),
        ("policy/one.js", ""),
        ("policy/two/one.js", ""),
    ]);
    let found = rules_of(root.path(), &[crate::config::DEFAULT_RULE_GLOB], true);
    assert_eq!(found.files, ["rules/a-b.sdp.js", "rules/a/deep/c.sdp.js", "rules/b.sdp.js"]);
    assert!(found.findings.is_empty() && found.unmatched.is_empty());
    assert_eq!(rules_of(root.path(), &["*.sdp.js", "policy/*.js"], false).files, ["policy/one.js", "top.sdp.js"]);
    assert_eq!(rules_of(root.path(), &["policy/one.js"], false).files, ["policy/one.js"]);
    assert_eq!(
        rules_of(root.path(), &["{policy/two,other/rules}/*.js"], false).files,
        ["other/rules/x.sdp.js", "policy/two/one.js"]
    );
    assert_eq!(
        rules_of(root.path(), &["policy/{two/one,one}.js"], false).files,
        ["policy/one.js", "policy/two/one.js"]
    );
    assert_eq!(rules_of(root.path(), &["**/x.sdp.js"], false).files, ["other/rules/x.sdp.js"]);
}

#[test]
fn a_glob_that_matched_nothing_is_said_unless_it_is_the_default() {
    let root = files(&["rules/a.sdp.js"]);
    let found = rules_of(root.path(), &["rules/*.sdp.js", "rule/*.sdp.js"], false);
    assert_eq!(found.files, ["rules/a.sdp.js"]);
    assert_eq!(found.unmatched, ["rule/*.sdp.js"]);
    assert_eq!(
        lines(&found.findings),
        ["[warning] sdp/unmatched-rule-glob — the rule glob `rule/*.sdp.js` matched no file"]
    );
    let silent = rules_of(&root.path().join("rules"), &[crate::config::DEFAULT_RULE_GLOB], true);
    assert_eq!((silent.unmatched.len(), silent.findings.len()), (1, 0));
    let bad = rule_files(root.path(), &owned(&["a/["]), false, &DiscoverOptions::default()).unwrap_err();
    assert_eq!(bad.glob, "a/[");
}

#[cfg(unix)]
#[test]
fn a_rule_file_that_is_no_regular_file_is_said() {
    let root = files(&["rules/a.sdp.js"]);
    link(root.path(), "rules/b.sdp.js", "a.sdp.js");
    let found = rules_of(root.path(), &["rules/*.sdp.js"], false);
    assert_eq!(found.files, ["rules/a.sdp.js"]);
    assert_eq!(
        lines(&found.findings),
        [
            "rules/b.sdp.js — [warning] sdp/skipped-rule-file — a symbolic link is not read as a rule file: the rule does not run"
        ]
    );
}

#[test]
fn excludes_and_the_target_folder_hold_for_rule_files() {
    let root = files(&["rules/out/a.sdp.js", "rules/target/a.sdp.js", "rules/a.sdp.js"]);
    let (exclude, skip_dirs) = (owned(&["rules/out"]), [root.path().join("rules/target")]);
    let options = DiscoverOptions { exclude, skip_dirs: skip_dirs.to_vec(), ..Default::default() };
    let found = rule_files(root.path(), &owned(&["rules/**/*.js"]), false, &options).unwrap();
    assert_eq!(found.files, ["rules/a.sdp.js"]);
}

#[test]
fn ignore_rules_of_one_tree_are_bounded_together_and_lines_that_are_dropped_are_named() {
    let tree = TempDir::new().unwrap();
    let file = |path: &str, bytes: &[u8]| {
        let path = tree.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    file("a.sdp.md", b"");
    let mut odd = b"ok\n".to_vec();
    odd.extend(vec![b'x'; 5_000]);
    odd.extend(b"\n\xff\nhidden.sdp.md\n");
    file(".gitignore", &odd);
    file("hidden.sdp.md", b"");
    for number in 0..6 {
        file(&format!("f{number}/.gitignore"), "# a comment\n".repeat(20_000).as_bytes());
    }
    let found = walk(tree.path(), &DiscoverOptions::default());
    assert_eq!(found.carriers.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["a.sdp.md"]);
    let said: Vec<String> = found.findings.iter().map(Finding::line_form).collect();
    let over = "[warning] sdp/skipped-ignore-file — the ignore rules are not applied: the ignore files of this tree hold more than 1 MiB together";
    assert_eq!(
        said,
        [
            ".gitignore:2 — [warning] sdp/skipped-ignore-file — this ignore rule is not applied: it is longer than 4,096 bytes".to_owned(),
            format!("f4/.gitignore — {over}"),
            format!("f5/.gitignore — {over}"),
        ]
    );
}

fn source_paths(found: &Discovery) -> Vec<&str> {
    found.sources.iter().map(|source| source.path.as_str()).collect()
}

#[test]
fn sources_are_known_by_ending_or_name_and_a_manifest_is_one_too() {
    let root = files(&["src/lib.rs", "Makefile", "Cargo.toml", "a.md", "b.unknown", "Z.py", "a.sdp.md"]);
    let found = plain_walk(root.path());
    assert_eq!(source_paths(&found), ["Cargo.toml", "Makefile", "Z.py", "src/lib.rs"]);
    assert_eq!((found.manifests, paths(&plain_walk(root.path()))), (owned(&["Cargo.toml"]), vec!["a.sdp.md"]));
}

#[test]
fn files_of_no_known_language_are_listed_where_rules_and_excludes_leave_them() {
    let root = tree(&[
        ("a.foo", ""),
        ("b/run", ""),
        ("a.ts", ""),
        ("a.d.ts", ""),
        ("a.mts", ""),
        ("a.md", ""),
        ("a.png", ""),
        ("a.py", ""),
        ("a.sdp.ts", ""),
        ("ignored.foo", ""),
        (".gitignore", "ignored.foo\n"),
        ("out/a.foo", ""),
        ("one.foo", ""),
    ]);
    let found = walk_without(root.path(), &["out", "one.foo"]);
    let is_read = cfg!(feature = "typescript");
    assert_eq!(source_paths(&found), if is_read { vec!["a.py", "a.ts"] } else { vec!["a.py"] });
    let others = [".gitignore", "a.d.ts", "a.foo", "a.mts", "a.ts", "b/run"];
    assert_eq!(found.others, others.into_iter().filter(|name| !is_read || *name != "a.ts").collect::<Vec<_>>());
}

#[cfg(unix)]
#[test]
fn a_link_to_a_folder_is_judged_whatever_it_is_called() {
    let outside = files(&["a.sdp.md"]);
    let root = files(&["a.py"]);
    link(root.path(), "specs", outside.path());
    let found = plain_walk(root.path());
    assert_eq!(found.others, Vec::<String>::new());
    assert_eq!(
        lines(&found.findings),
        [
            "specs — [warning] sdp/skipped-carrier — the link leads to a folder that is not walked: carriers in it are not read"
        ]
    );
}

#[cfg(unix)]
#[test]
fn a_manifest_may_be_a_link_to_a_regular_file() {
    let outside = files(&["Cargo.toml"]);
    let root = files(&["a/src/lib.rs", "b/src/lib.rs", "c/src/lib.rs"]);
    link(root.path(), "a/Cargo.toml", outside.path().join("Cargo.toml"));
    link(root.path(), "b/Cargo.toml", "nowhere");
    link(root.path(), "c/Cargo.toml", outside.path());
    assert_eq!(plain_walk(root.path()).manifests, ["a/Cargo.toml"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_source_is_said_only_where_it_seems_to_bind_and_is_not_read() {
    let outside = tree(&[("binds.py", "# @sdpAnchor impl:a\n"), ("plain.py", "x\n"), ("binds.txt", "@sdpAnchor")]);
    let long = format!("{}# @sdpAnchor impl:a\n", "x\n".repeat(3 << 20));
    fs::write(outside.path().join("long.py"), long).unwrap();
    let root = tree(&[
        ("a.py", "# @sdpAnchor impl:a\n"),
        ("ignored.py", "# @sdpAnchor impl:b\n"),
        (".gitignore", "ignored.py\n"),
    ]);
    for name in ["binds.py", "plain.py", "long.py"] {
        link(root.path(), &format!("to-{name}"), outside.path().join(name));
    }
    link(root.path(), "to-read.py", "a.py");
    link(root.path(), "to-ignored.py", "ignored.py");
    link(root.path(), "dangling.py", "nowhere");
    link(root.path(), "folder.py", ".");
    link(root.path(), "to-binds.txt", outside.path().join("binds.txt"));
    let found = plain_walk(root.path());
    assert_eq!(source_paths(&found), ["a.py"]);
    let message = "the link is not read, and what it leads to seems to bind: that is not in the graph";
    let expected = ["to-binds.py", "to-ignored.py", "to-long.py"]
        .map(|path| format!("{path} — [warning] sdp/skipped-source — {message}"));
    assert_eq!(lines(&found.findings), expected);
}

#[cfg(unix)]
#[test]
fn a_pipe_that_is_named_like_a_source_is_left_alone() {
    let root = files(&["a.sdp.md"]);
    make_pipe(&root.path().join("pipe.py"));
    assert_eq!(lines(&plain_walk(root.path()).findings), Vec::<String>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn a_source_whose_path_is_not_utf8_is_said() {
    use std::os::unix::ffi::OsStrExt;
    let root = files(&["a.py"]);
    fs::write(root.path().join(std::ffi::OsStr::from_bytes(b"\xFF.py")), "# @sdpAnchor impl:a\n").unwrap();
    let message = "the source file's path is not UTF-8, so what it binds is not in the graph";
    assert_eq!(
        lines(&plain_walk(root.path()).findings),
        [format!("\u{FFFD}.py — [warning] sdp/skipped-source — {message}")]
    );
}

#[test]
fn a_configured_ending_that_no_file_has_is_a_warning_where_it_stands() {
    use crate::anchor::{Authored, ConfiguredLanguage, Meaning};
    let at = |line| Authored { file: "sdp.toml", line, column: 7 };
    let configured = ConfiguredLanguage {
        endings: vec![("here".to_owned(), at(1)), ("there".to_owned(), at(2))],
        names: vec![("Here".to_owned(), at(3)), ("There".to_owned(), at(4))],
        meaning: Meaning::Like("Python"),
    };
    let root = files(&["a.here", "b/Here", "sdp.toml"]);
    let options = DiscoverOptions { languages: Languages::with(vec![configured]), ..Default::default() };
    let found = walk(root.path(), &options);
    assert_eq!(source_paths(&found), ["a.here", "b/Here", "sdp.toml"]);
    let message = |name| format!("no file below the root has the ending or name `{name}` of `comment-languages`");
    assert_eq!(
        lines(&found.findings),
        [
            format!("sdp.toml:2 — [warning] sdp/unmatched-language — {}", message(".there")),
            format!("sdp.toml:4 — [warning] sdp/unmatched-language — {}", message("There")),
        ]
    );
    assert_eq!(found.findings[0].column, Some(7));
}

fn with_contracts(globs: &[&str]) -> DiscoverOptions {
    let places = (1..).map(|line| Authored { file: "sdp.toml", line, column: 5 });
    let globs: Vec<(String, Authored)> = globs.iter().map(|glob| (*glob).to_owned()).zip(places).collect();
    DiscoverOptions { contracts: ContractGlobs::new(&globs, String::new()), ..DiscoverOptions::default() }
}

fn said(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(Finding::line_form).collect()
}

#[test]
fn contracts_are_found_where_carriers_are() {
    let root = tree(&[
        ("evals/a.json", ""),
        ("evals/deep/b.json", ""),
        ("evals/c.txt", ""),
        ("evals/ignored.json", ""),
        ("evals/out/d.json", ""),
        ("dist/e.json", ""),
        (".evals/f.json", ""),
        (".gitignore", "ignored.json\n"),
        ("a.sdp.md", ""),
    ]);
    let mut options = with_contracts(&["evals/**/*.json", "dist/*.json", "*.sdp.md", "evals/?.json"]);
    options.exclude = owned(&["evals/out"]);
    let found = walk(root.path(), &options);
    assert_eq!(found.contracts, ["a.sdp.md", "evals/a.json", "evals/deep/b.json"]);
    assert_eq!(found.carriers, [carrier("a.sdp.md")], "a carrier stays one");
    assert_eq!(
        said(&found.findings),
        ["sdp.toml:2 — [warning] sdp/unmatched-contract — the pattern `dist/*.json` of `contracts` matched no file"]
    );
    assert_eq!(found.findings[0].column, Some(5));
    options.is_shared = true;
    assert_eq!(walk(root.path(), &options).findings, []);
}

#[test]
fn a_contract_that_is_named_is_read_wherever_it_lies_but_not_where_it_is_excluded() {
    let names =
        ["dist/a.json", ".evals/b.json", "ignored.json", "evals/out/c.json", "evals/d.json", "gone.json", "evals"];
    let root = tree(&[
        ("dist/a.json", ""),
        (".evals/b.json", ""),
        ("ignored.json", ""),
        ("evals/out/c.json", ""),
        ("evals/d.json", ""),
        (".gitignore", "ignored.json\n"),
    ]);
    let mut options = with_contracts(&names);
    options.exclude = owned(&["evals/out"]);
    let found = walk(root.path(), &options);
    assert_eq!(found.contracts, [".evals/b.json", "dist/a.json", "evals/d.json", "ignored.json"]);
    let unmatched: Vec<Option<&str>> = found.findings.iter().map(|finding| finding.subject.as_deref()).collect();
    assert_eq!(unmatched, [Some("evals/out/c.json"), Some("gone.json"), Some("evals")]);
}

#[test]
fn globs_of_contracts_start_at_the_folder_of_the_configuration() {
    let root = tree(&[("evals/a.json", ""), ("dist/b.json", "")]);
    let place = Authored { file: "sdp.toml", line: 1, column: 1 };
    let globs = ["shop/evals/*.json", "shop/dist/b.json", "evals/*.json", "other/c.json"];
    let globs: Vec<(String, Authored)> = globs.map(|glob| (glob.to_owned(), place)).to_vec();
    let contracts = ContractGlobs::new(&globs, "shop".to_owned());
    let options = DiscoverOptions { contracts, config_folder: "../".to_owned(), ..DiscoverOptions::default() };
    let found = walk(root.path(), &options);
    assert_eq!(found.contracts, ["dist/b.json", "evals/a.json"]);
    assert_eq!(
        said(&found.findings),
        ["evals/*.json", "other/c.json"].map(|glob| format!(
            "../sdp.toml:1 — [warning] sdp/unmatched-contract — the pattern `{glob}` of `contracts` matched no file"
        ))
    );
}

#[cfg(unix)]
#[test]
fn a_link_that_is_named_like_a_contract_is_refused_and_leaves_no_hole() {
    let root = tree(&[("real/a.json", "")]);
    link(root.path(), "b.json", "real/a.json");
    std::fs::create_dir(root.path().join("dist")).unwrap();
    link(root.path(), "dist/c.json", "../real/a.json");
    link(root.path(), "linked", "real");
    let found = walk(root.path(), &with_contracts(&["*.json", "dist/c.json", "linked/a.json"]));
    assert_eq!(found.contracts, Vec::<String>::new());
    let refused = "[error] sdp/unreadable-contract — The contract is not read, so that its requirement links are not judged: it is a symbolic link.";
    assert_eq!(said(&found.refused_contracts), [format!("b.json — {refused}"), format!("dist/c.json — {refused}")]);
    let unmatched: Vec<_> = found.findings.iter().filter(|one| one.id == FindingId::UnmatchedContract).collect();
    assert_eq!(unmatched.iter().map(|one| one.subject.as_deref()).collect::<Vec<_>>(), [Some("linked/a.json")]);
    assert!(found.findings.iter().all(|finding| !finding.is_error()));
}
