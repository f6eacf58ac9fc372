//! Links: a path comes in, it goes out with every other path that its links lead over to what stands there. A change at any of
//! them is a change of what is read.

use std::path::{Component, Path, PathBuf};

/// How many links are followed, as systems have it.
const MOST_LINKS: usize = 40;

/// A path, and how it is called after each link on the way is followed, until none is left or they go in circles. What stands
/// there may be missing.
pub(super) fn steps(path: &Path) -> Vec<PathBuf> {
    let mut steps = vec![path.to_owned()];
    for _ in 0..MOST_LINKS {
        let Some(next) = steps.last().and_then(|last| followed(last)) else { break };
        steps.push(next);
    }
    steps
}

/// The path with its first link replaced by what that leads to; none where there is none, and it is plain.
fn followed(path: &Path) -> Option<PathBuf> {
    let mut walked = PathBuf::new();
    let mut parts = path.components();
    while let Some(part) = parts.next() {
        match part {
            // No link lies above, so that the name before it is what is climbed out of.
            Component::ParentDir => drop(walked.pop()),
            part => walked.push(part),
        }
        if let (Component::Normal(_), Ok(target)) = (part, walked.read_link()) {
            walked.pop();
            // Nothing is a link up to here, so that what it climbs first is plain.
            let mut target = target.as_path();
            while let Ok(rest) = target.strip_prefix("..") {
                walked.pop();
                target = rest;
            }
            walked.push(target);
            walked.push(parts.as_path());
            return Some(walked);
        }
    }
    // What follows is the same without `..`.
    path.components().any(|part| part == Component::ParentDir).then_some(walked)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn every_name_on_the_way_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("store/pack")).unwrap();
        symlink("store/pack", root.join("pack")).unwrap();
        symlink("../other/x.js", root.join("store/pack/x.js")).unwrap();
        symlink("round", root.join("round")).unwrap();
        let names = |path: &str| {
            let steps = steps(&root.join(path));
            steps.iter().map(|step| step.strip_prefix(&root).unwrap().display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names("store/y"), ["store/y"]);
        assert_eq!(names("pack/x.js"), ["pack/x.js", "store/pack/x.js", "store/other/x.js"]);
        assert_eq!(names("round/x").len(), 1 + MOST_LINKS, "a circle ends");
    }
}
