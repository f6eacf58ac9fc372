//! The sources of this workspace, as they are.

use std::path::{Path, PathBuf};

use super::*;

/// What holds attributes that are wrong on purpose.
const WRONG_ON_PURPOSE: [&str; 3] = ["tests/fixtures", "examples", "crates/sdp-anchors/tests"];

fn sources(folder: &Path, root: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_wrong = WRONG_ON_PURPOSE.iter().any(|wrong| path.strip_prefix(root).unwrap() == Path::new(wrong));
        if name.starts_with('.') || name == "target" || is_wrong || path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            sources(&path, root, found);
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

#[test]
fn the_sources_of_this_workspace_have_nothing_wrong_and_parse_when_they_bind() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    if !manifest.contains("\"sdp-core\"") {
        println!("skipped: the crate does not stand in its workspace");
        return;
    }
    let mut files = Vec::new();
    sources(root, root, &mut files);
    assert!(files.len() > 300, "{}", files.len());
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(read("a.rs", &text, &place()).findings, [], "{}", path.display());
        // Any of them may bind.
        let text = format!("{text}\n#[sdp::anchor(id = \"impl:a\")]\nfn bound() {{}}\n");
        assert!(may_hold_anchors(text.as_bytes()), "{}", path.display());
        let Read { anchors, findings, .. } = read("a.rs", &text, &place());
        assert_eq!(findings, [], "{}", path.display());
        assert!(anchors.iter().any(|anchor| anchor.id == "impl:a"), "{}", path.display());
    }
}
