//! What a key and the bytes of a cache must tell apart; the cache over trees on disk is tested where its users meet it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::*;

fn key(build: &str, root: &str, options: &DiscoverOptions) -> Key {
    Key::from_parts(&build, Path::new(root), options)
}

#[test]
fn a_key_tells_builds_roots_and_options_apart() {
    let options = DiscoverOptions::default();
    let other = DiscoverOptions { exclude: vec!["a".to_owned()], ..DiscoverOptions::default() };
    let keys = [
        key("0.1.0", "/a", &options),
        key("0.1.1", "/a", &options),
        key("0.1.0", "/b", &options),
        key("0.1.0", "/a", &other),
    ];
    for (at, one) in keys.iter().enumerate() {
        for another in &keys[at + 1..] {
            assert!(one != another && one.file_name() != another.file_name());
        }
    }
    assert_eq!(key("0.1.0", "/a", &options), keys[0]);
}

/// A tree of one Spec, what a walk of it finds, and the entries of its files as of a time.
fn tree() -> (tempfile::TempDir, Discovery) {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a.sdp.md"), "one").unwrap();
    let discovery = discover::walk(root.path(), &DiscoverOptions::default());
    (root, discovery)
}

fn later() -> SystemTime {
    SystemTime::now() + Duration::from_secs(10)
}

#[test]
fn the_bytes_of_another_key_are_refused() {
    let (root, discovery) = tree();
    let options = DiscoverOptions::default();
    let (own, other) = (key("0.1.0", "/a", &options), key("0.1.1", "/a", &options));
    let watch = Watch::start(root.path(), &discovery, later()).unwrap();
    let bytes = content::bytes(&own, b"", &watch.finish(root.path()).unwrap(), b"", b"payload");
    assert_eq!(Content::read(&bytes, &own).unwrap().payload, b"payload");
    assert!(Content::read(&bytes, &other).is_none());
}

#[test]
fn a_file_that_changed_a_moment_ago_is_known_by_its_digest_alone() {
    let (root, discovery) = tree();
    let options = DiscoverOptions::default();
    let key = key("0.1.0", "/a", &options);
    let walked = content::walked(&discovery);
    for (now, read) in [(SystemTime::now(), 1), (later(), 0)] {
        let watch = Watch::start(root.path(), &discovery, now).unwrap();
        let mut entries = watch.finish(root.path()).unwrap();
        let bytes = content::bytes(&key, &walked, &entries, b"", b"");
        let holds = Content::read(&bytes, &key).unwrap().holds(root.path(), &discovery, later()).unwrap();
        assert_eq!((holds.read, holds.settled), (read, read));
        // The stamp is that of the file, the content is not: as after an edit that left no trace.
        entries[0].digest = sdp_canon::Digest::of("other");
        let bytes = content::bytes(&key, &walked, &entries, b"", b"");
        let holds = Content::read(&bytes, &key).unwrap().holds(root.path(), &discovery, later()).is_ok();
        assert_eq!(holds, read == 0);
    }
}

#[test]
fn a_file_that_changes_while_it_is_read_is_not_kept() {
    for now in [SystemTime::now(), later()] {
        let (root, discovery) = tree();
        let watch = Watch::start(root.path(), &discovery, now).unwrap();
        fs::write(root.path().join("a.sdp.md"), "two").unwrap();
        assert!(watch.finish(root.path()).is_err());
        let watch = Watch::start(root.path(), &discovery, now).unwrap();
        fs::remove_file(root.path().join("a.sdp.md")).unwrap();
        assert!(watch.finish(root.path()).is_err());
        assert!(Watch::start(root.path(), &discovery, now).is_err());
    }
}

#[test]
fn many_files_that_settle_are_written_again_and_few_are_not() {
    for (count, is_written) in [(REFRESHED_FROM, true), (REFRESHED_FROM - 1, false)] {
        let root = tempfile::tempdir().unwrap();
        for at in 0..count {
            fs::write(root.path().join(format!("{at}.sdp.md")), "x").unwrap();
        }
        let folder = CacheFolder::of(root.path(), &sdp_core::config::Environment::default());
        let options = DiscoverOptions::default();
        let read = |now| match find(root.path(), &options, &folder, now).1 {
            Origin::Cache { read, .. } => Some(read),
            Origin::Anew { .. } => None,
        };
        assert_eq!(read(SystemTime::now()), None);
        assert_eq!(read(later()), Some(count));
        assert_eq!(read(later()), Some(if is_written { 0 } else { count }));
    }
}

#[test]
fn the_variable_turns_the_cache_off_unless_it_is_empty_or_0() {
    let is_off = |value: &str| is_turned_off(Some(std::ffi::OsStr::new(value)));
    assert!(is_off("1") && is_off("yes"));
    assert!(!is_off("") && !is_off("0") && !is_turned_off(None));
}
