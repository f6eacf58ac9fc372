//! Sources that are no text, too large, or no files: what binds in them is named, what does not is silent, and no run hangs.

use sdp_tests::{Repo, skipped};

use super::{checked, extracted, said, specs};

const MIB: usize = 1024 * 1024;
const TAG: &str = "// @sdpAnchor impl:a\n// @sdpSatisfies spec:a\n";
const ATTRIBUTE: &str = "#[sdp::satisfies(\"spec:a\", id = \"impl:a\")]\nfn a() {}\n";

#[test]
fn a_source_that_is_no_text_is_named_where_it_seems_to_bind() {
    for marked in [TAG, ATTRIBUTE] {
        let mut bytes = format!("{marked}// gr").into_bytes();
        bytes.extend(b"\xFC\xDF dich\n");
        let repo = specs().file("src/latin.rs", &bytes).file("src/noise.rs", b"// \xE9\n").file("src/sound.rs", TAG);
        let said = said(&extracted(&repo));
        let text = "[error] sdp/not-utf8 — the source file is not UTF-8: the byte 0xFC is no character";
        assert_eq!(said, [format!("src/latin.rs:3 — {text}")]);
        assert_eq!(checked(&repo).code, Some(1));
    }
}

#[test]
fn a_source_that_is_too_large_is_named_where_it_seems_to_bind() {
    let filler = "// A line of a file that a program wrote, long and without a word for anybody.\n";
    let large = filler.repeat(17 * MIB / filler.len() + 1);
    let repo = specs()
        .file("src/silent.rs", &large)
        .file("src/tag.rs", format!("{large}{TAG}"))
        .file("src/attribute.rs", format!("{large}{ATTRIBUTE}"))
        .file("src/early.rs", format!("{TAG}{large}"));
    let text = "[error] sdp/unreadable-source — the file holds more than 16 MiB, so the bindings in it are not read";
    let expected = ["attribute", "early", "tag"].map(|name| format!("src/{name}.rs — {text}"));
    assert_eq!(said(&extracted(&repo)), expected);
}

#[test]
fn a_source_of_the_limit_is_read() {
    let filler = "// sixteen bytes\n";
    let mut text = filler.repeat(16 * MIB / filler.len());
    text.truncate(16 * MIB - TAG.len() - 1);
    text.push('\n');
    text.push_str(TAG);
    assert_eq!(text.len(), 16 * MIB);
    let extraction = extracted(&specs().file("src/lib.rs", text));
    assert_eq!((said(&extraction), extraction.anchor_count), (Vec::new(), 1));
}

#[cfg(unix)]
#[test]
fn a_source_that_cannot_be_read_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let repo = specs().file("src/closed.rs", "pub fn a() {}\n");
    let path = repo.path("src/closed.rs");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        skipped("permissions do not bind this user");
        return;
    }
    let text = "[error] sdp/unreadable-source — the file cannot be read: permission denied";
    assert_eq!(said(&extracted(&repo)), [format!("src/closed.rs — {text}")]);
}

#[cfg(unix)]
#[test]
fn a_pipe_that_is_named_like_a_source_is_never_opened() {
    let repo = specs();
    std::fs::create_dir(repo.path("src")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(repo.path("src/x.rs")).status();
    if !made.is_ok_and(|status| status.success()) {
        skipped("no `mkfifo` command to make a pipe");
        return;
    }
    // A run that hangs is killed, and fails here.
    let run = checked(&repo);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
}

#[cfg(unix)]
fn link(repo: &Repo, to: &std::path::Path, from: &str) {
    std::fs::create_dir_all(repo.path(from).parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(to, repo.path(from)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_link_to_a_source_that_binds_nothing_is_silent() {
    let outside = Repo::new().file("plain.rs", "pub fn a() {}\n");
    let repo = specs();
    link(&repo, &outside.path("plain.rs"), "src/plain.rs");
    link(&repo, &outside.path("gone.rs"), "src/gone.rs");
    link(&repo, &repo.path("src/round.rs"), "src/round.rs");
    link(&repo, repo.root(), "src/folder.rs");
    let run = checked(&repo);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
}

#[cfg(unix)]
#[test]
#[sdp::verifies("spec:sdp.anchors.comments")]
fn a_link_to_a_source_that_binds_is_named_once_and_binds_once() {
    let outside = Repo::new().file("bound.rs", TAG);
    let repo = specs().file("src/inside.rs", "// @sdpAnchor impl:b\n// @sdpSatisfies spec:b\n");
    link(&repo, &repo.path("src/inside.rs"), "src/again.rs");
    link(&repo, &outside.path("bound.rs"), "src/bound.rs");
    let extraction = extracted(&repo);
    let said = said(&extraction);
    assert_eq!((said.len(), extraction.anchor_count), (1, 1), "{said:#?}");
    assert!(said[0].starts_with("src/bound.rs — [warning] sdp/skipped-source — "), "{said:#?}");
}

#[test]
fn a_source_with_very_many_faults_names_a_hundred_and_says_that_there_are_more() {
    let faults: String = (0..150).map(|number| format!("// @sdpAnchor test:t{number}\n\n")).collect();
    let extraction = extracted(&specs().file("src/lib.rs", faults));
    assert_eq!(extraction.findings.len(), 101);
    let said = said(&extraction);
    assert!(
        said.iter().any(|line| line.ends_with("the findings of this file beyond the first 100 are left out")),
        "{said:#?}"
    );
}

#[test]
#[sdp::verifies("spec:sdp.anchors.extraction")]
fn deep_sources_end_in_time() {
    let deep = |open: &str, close: &str| {
        format!("{ATTRIBUTE}const A: u8 = {}1{};\n{TAG}", open.repeat(100_000), close.repeat(100_000))
    };
    let repo = specs().file("src/a.rs", deep("(", ")")).file("src/b.rs", deep("!", "")).file("src/c.rs", deep("{", ""));
    // What they give is for the readers to say; that the program ends by itself is said here.
    let run = checked(&repo);
    assert!(matches!(run.code, Some(0 | 1)), "{run:?}");
}
