//! What git prints, read from bytes.

use super::GitFault;
use super::answers::{Authored, Change, Side, Status, authors, blob_size, changes, object, ranges, settle};
use super::fault;

const ONE: &str = "1111111111111111111111111111111111111111";
const NONE: &str = "0000000000000000000000000000000000000000";

fn read(rows: &[&[u8]]) -> Option<Vec<Change>> {
    let answer: Vec<u8> = rows.iter().flat_map(|row| row.iter().copied().chain([0])).collect();
    changes(&answer, b"sub/")
}

fn head(modes: &str, old: &str, status: &str) -> Vec<u8> {
    format!(":{modes} {old} {NONE} {status}").into_bytes()
}

#[test]
fn a_raw_diff_gives_its_changes_as_the_root_calls_them() {
    let modified = head("100644 100644", ONE, "M");
    let renamed = head("100644 100644", ONE, "R087");
    let link = head("120000 000000", ONE, "D");
    let read = read(&[&modified, b"sub/a\nb.md", &renamed, b"old.md", b"sub/\xff.md", &link, b"sub"]).unwrap();
    let change = |status, path, from: Option<Side>, old: Option<&str>| Change {
        status,
        path,
        from,
        old: old.map(str::to_owned),
    };
    let inside = |path: &str| Side::Inside(path.to_owned());
    let outside = |path: &str| Side::Outside(path.to_owned());
    assert_eq!(
        read,
        [
            change(Status::Modified, inside("a\nb.md"), None, Some(ONE)),
            change(Status::Renamed, inside("\u{fffd}.md"), Some(outside("old.md")), Some(ONE)),
            change(Status::Deleted, outside("sub"), None, None),
        ]
    );
}

#[test]
fn what_is_no_raw_diff_is_none() {
    let bare = head("100644 100644", ONE, "M");
    let renamed = head("100644 100644", ONE, "R100");
    for rows in [&[&b"sub/a"[..]][..], &[&bare], &[&renamed, b"a"], &[b":100644", b"a"], &[b"\xff:", b"a"]] {
        assert_eq!(read(rows), None, "{rows:?}");
    }
    assert_eq!(read(&[]), Some(Vec::new()));
}

#[test]
fn a_file_has_one_change() {
    let change = |status, old: Option<&str>| Change {
        status,
        path: Side::Inside("a".to_owned()),
        from: None,
        old: old.map(str::to_owned),
    };
    for (rows, status) in [
        ([change(Status::Unmerged, None), change(Status::Modified, Some(ONE))], Status::Unmerged),
        ([change(Status::Deleted, Some(ONE)), change(Status::Untracked, None)], Status::Modified),
    ] {
        let mut rows = rows.to_vec();
        settle(&mut rows);
        assert_eq!(rows, [change(status, Some(ONE))]);
    }
}

#[test]
fn lines_are_asked_for_in_ranges() {
    assert_eq!(ranges(&[]), []);
    assert_eq!(ranges(&[1, 2, 2, 3, 7, u32::MAX]), [(1, 3), (7, 7), (u32::MAX, u32::MAX)]);
}

#[test]
fn the_author_of_a_commit_is_known_from_its_first_line() {
    let text = format!(
        "{ONE} 1 5 2\nauthor x\nauthor-time 86400\nsummary author-time 5\nboundary\nfilename a\n\tone\r\n{ONE} 2 6\n\tboundary\n{NONE} 7 7 1\nauthor-time 9\n\t\n"
    );
    let known = |is_cut| Authored::In { commit: ONE.to_owned(), seconds: Some(86_400), is_cut };
    for is_shallow in [true, false] {
        let found = authors(text.as_bytes(), is_shallow).unwrap();
        assert_eq!(found, [(5, known(is_shallow)), (6, known(is_shallow)), (7, Authored::NotYet)]);
    }
    let strange = format!("{ONE} 1 1 1\nauthor-time -7\n\tx\n");
    let Some((1, Authored::In { seconds: None, .. })) = authors(strange.as_bytes(), false).unwrap().pop() else {
        panic!("a time before 1970 is none")
    };
    for text in ["x", "\tone\n", &format!("{ONE} 1 5 1\nauthor x\n"), "zz 1 2 3\n\tx\n", &format!("{ONE} 1\n\tx\n")] {
        assert_eq!(authors(text.as_bytes(), false), None, "{text:?}");
    }
    assert_eq!(authors(b"", false), Some(Vec::new()));
}

#[test]
fn sizes_and_names_are_read_strictly() {
    assert_eq!(blob_size(format!("{ONE} blob 12\n").as_bytes()), Some(12));
    for head in [&b"x missing\n"[..], b"\n", b"\xff blob 1\n", b"a blob -1\n", b"a b 99999999999999999999999\n"] {
        assert_eq!(blob_size(head), None);
    }
    assert_eq!(object(ONE.as_bytes()).as_deref(), Some(ONE));
    for name in [NONE, "", "11", "--output=x", "g111111111111111111111111111111111111111"] {
        assert_eq!(object(name.as_bytes()), None, "{name}");
    }
}

#[test]
fn what_git_says_is_told_in_one_harmless_line() {
    let root = std::path::Path::new("/r");
    let said = "warning: x\nfatal: bad \u{1b}[31m\u{202e}thing\nhint: y\n";
    let fault = fault::of("doing\nit", root, said);
    assert_eq!(fault.line(), "git failed: fatal: bad \\u{1b}[31m\\u{202e}thing (doing\\nit)");
    let dubious = fault::of("", root, "fatal: detected dubious ownership in repository at '/r'\n");
    assert!(matches!(dubious, GitFault::Dubious(_)) && dubious.hint().contains("safe.directory"));
    assert!(matches!(fault::of("", root, "fatal: not a git repository"), GitFault::NoRepository(_)));
    assert!(fault::of("", root, &"x".repeat(10_000)).line().len() < 1_000);
    assert!(fault::of("", root, "").line().contains("it said nothing"));
}
