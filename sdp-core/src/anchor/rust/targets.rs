//! Cargo's targets: a package, its folder and the paths of all Rust files come in; the roots of its crates go out, in the
//! order in which a file that several of them read is told apart. It reads no file.

use hashbrown::{HashMap, HashSet};

use super::manifest::{Explicit, Package, Section};
use crate::order::by_code_units;

/// A crate of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// Its name; none for the library and for the program named like the package.
    pub(crate) name: Option<String>,
    /// The name of its crate.
    pub(crate) crate_name: String,
    /// What it is.
    pub(crate) kind: TargetKind,
    /// The root-relative path of its root.
    pub(crate) root: String,
}

/// What a target is, in the order in which targets are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TargetKind {
    /// The library.
    Library,
    /// The program named like the package.
    MainProgram,
    /// Another program.
    Program,
    /// An integration test.
    Test,
    /// An example.
    Example,
    /// A bench.
    Bench,
    /// A build script.
    BuildScript,
}

/// The Rust files of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RustFiles<'a> {
    /// Root-relative, sorted by code units.
    sorted: &'a [&'a str],
}

impl<'a> RustFiles<'a> {
    /// Of paths that are sorted by code units.
    pub(crate) fn new(sorted: &'a [&'a str]) -> Self {
        RustFiles { sorted }
    }

    /// The place of a path among all.
    pub(crate) fn find(self, path: &str) -> Option<usize> {
        self.sorted.binary_search_by(|own| by_code_units(own, path)).ok()
    }

    /// The path at a place.
    pub(crate) fn get(self, place: usize) -> Option<&'a str> {
        self.sorted.get(place).copied()
    }

    /// Those below a folder, whose path ends with `/` unless it is empty.
    pub(crate) fn below(self, folder: &str) -> impl Iterator<Item = &'a str> {
        let start = self.sorted.partition_point(|own| by_code_units(own, folder).is_lt());
        let rest = self.sorted.get(start..).unwrap_or_default();
        let end = rest.partition_point(|own| own.starts_with(folder));
        rest.get(..end).unwrap_or_default().iter().copied()
    }
}

/// A path from a folder, `.` and `..` resolved by their text. None when it leaves the root of the run, or is longer than a
/// path can be.
pub(crate) fn joined(folder: &str, path: &str) -> Option<String> {
    /// Far more than any repository has, and what some systems open at most.
    const LONGEST: usize = 1024;
    if path.starts_with('/') || folder.len() + path.len() > LONGEST {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The folder of a file, without a `/` at its end; empty at the root.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A folder and those above it, up to the root, which is empty.
pub(crate) fn ancestors(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| (!folder.is_empty()).then(|| folder_of(folder)))
}

/// The targets of a package whose manifest lies in `folder` (no `/` at its end), in their fixed order, each root once.
pub(crate) fn targets(package: &Package, folder: &str, files: RustFiles<'_>) -> Vec<Target> {
    let mut search = Search { package, folder, files, found: Vec::new() };
    search.library();
    search.section(&package.programs, TargetKind::Program, "src/bin");
    search.section(&package.tests, TargetKind::Test, "tests");
    search.section(&package.examples, TargetKind::Example, "examples");
    search.section(&package.benches, TargetKind::Bench, "benches");
    search.build_scripts();
    let mut found = search.found;
    found.sort_by(|left, right| left.kind.cmp(&right.kind).then_with(|| by_code_units(&left.root, &right.root)));
    found.dedup_by(|left, right| left.kind == right.kind && left.root == right.root);
    found
}

struct Search<'a> {
    package: &'a Package,
    folder: &'a str,
    files: RustFiles<'a>,
    found: Vec<Target>,
}

impl Search<'_> {
    /// The root-relative path of a file of the package, when it exists.
    fn existing(&self, path: &str) -> Option<String> {
        joined(self.folder, path).filter(|path| self.files.find(path).is_some())
    }

    fn library(&mut self) {
        let Section { explicit, discovers } = &self.package.library;
        let root = match explicit.first() {
            Some(library) => self.existing(library.path.as_deref().unwrap_or("src/lib.rs")),
            None if *discovers == Some(false) => None,
            None => self.existing("src/lib.rs"),
        };
        let name = explicit.first().and_then(|library| library.name.as_ref()).unwrap_or(&self.package.name);
        let crate_name = name.replace('-', "_");
        self.found.extend(root.map(|root| Target { name: None, crate_name, kind: TargetKind::Library, root }));
    }

    fn section(&mut self, section: &Section, kind: TargetKind, place: &str) {
        let mut inferred = self.inferred(place);
        if kind == TargetKind::Program
            && let Some(root) = self.existing("src/main.rs")
        {
            inferred.push((self.package.name.clone(), root));
        }
        let explicit: Vec<(String, String)> = {
            // The first of a name, as cargo takes a file before a folder.
            let by_name: HashMap<&str, &str> =
                inferred.iter().rev().map(|(name, root)| (name.as_str(), root.as_str())).collect();
            section.explicit.iter().filter_map(|target| self.explicit(target, &by_name)).collect()
        };
        if section.discovers.unwrap_or(!self.package.is_old || section.explicit.is_empty()) {
            let (names, roots): (HashSet<&str>, HashSet<&str>) =
                explicit.iter().map(|(name, root)| (name.as_str(), root.as_str())).unzip();
            inferred.retain(|(name, root)| !names.contains(name.as_str()) && !roots.contains(root.as_str()));
        } else {
            inferred.clear();
        }
        for (name, root) in explicit.into_iter().chain(inferred) {
            let is_main = kind == TargetKind::Program && name == self.package.name;
            let kind = if is_main { TargetKind::MainProgram } else { kind };
            let crate_name = name.replace('-', "_");
            self.found.push(Target { name: (!is_main).then_some(name), crate_name, kind, root });
        }
    }

    /// What cargo finds in a folder by itself: `x.rs` and `x/main.rs`, as name and path.
    fn inferred(&self, place: &str) -> Vec<(String, String)> {
        let Some(folder) = joined(self.folder, place).map(|folder| format!("{folder}/")) else { return Vec::new() };
        let name = |path: &str| {
            let inside = path.strip_prefix(folder.as_str())?;
            let name = match inside.split_once('/') {
                Some((name, "main.rs")) => name,
                None => inside.strip_suffix(".rs")?,
                Some(_) => return None,
            };
            Some((name.to_owned(), path.to_owned()))
        };
        self.files.below(&folder).filter_map(name).collect()
    }

    /// A target that is written out, with the path that cargo would find for its name where it has none.
    fn explicit(&self, target: &Explicit, inferred: &HashMap<&str, &str>) -> Option<(String, String)> {
        let name = target.name.as_ref()?;
        let root = match &target.path {
            Some(path) => self.existing(path)?,
            None => (*inferred.get(name.as_str())?).to_owned(),
        };
        Some((name.clone(), root))
    }

    fn build_scripts(&mut self) {
        let paths = match &self.package.build_scripts {
            Some(paths) => paths.as_slice(),
            None => &["build.rs".to_owned()],
        };
        for path in paths {
            let Some(root) = self.existing(path) else { continue };
            let stem = root.rsplit('/').next().and_then(|name| name.strip_suffix(".rs")).unwrap_or_default();
            // As cargo names it.
            let name = format!("build-script-{stem}");
            let crate_name = name.replace('-', "_");
            self.found.push(Target { name: Some(name), crate_name, kind: TargetKind::BuildScript, root });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anchor::rust::manifest::Manifest;

    /// The targets of a manifest in `a` as `kind name root`.
    fn found(manifest: &str, files: &[&str]) -> Vec<String> {
        let text = format!("{manifest}\n");
        let document = toml_edit::Document::parse(text.as_str()).unwrap();
        let package = Manifest::read(document.as_table()).unwrap().package.unwrap();
        let mut files: Vec<String> = files.iter().map(|file| format!("a/{file}")).collect();
        files.extend(["ab/src/lib.rs", "build.rs", "src/lib.rs", "tests/x.rs"].map(str::to_owned));
        files.sort();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let targets = targets(&package, "a", RustFiles::new(&files));
        let row =
            |target: Target| format!("{:?} {} {}", target.kind, target.name.as_deref().unwrap_or("-"), target.root);
        targets.into_iter().map(row).collect()
    }

    const NEW: &str = "[package]\nname = 'p'\nedition = '2021'";

    #[test]
    fn cargo_finds_targets_where_they_usually_stand() {
        let files = [
            "benches/b.rs",
            "build.rs",
            "examples/e/main.rs",
            "examples/e/other.rs",
            "src/bin/one.rs",
            "src/bin/two/main.rs",
            "src/lib.rs",
            "src/main.rs",
            "src/other.rs",
            "tests/common/mod.rs",
            "tests/it/main.rs",
            "tests/t.rs",
        ];
        let expected = [
            "Library - a/src/lib.rs",
            "MainProgram - a/src/main.rs",
            "Program one a/src/bin/one.rs",
            "Program two a/src/bin/two/main.rs",
            "Test it a/tests/it/main.rs",
            "Test t a/tests/t.rs",
            "Example e a/examples/e/main.rs",
            "Bench b a/benches/b.rs",
            "BuildScript build-script-build a/build.rs",
        ];
        assert_eq!(found(NEW, &files), expected);
        assert_eq!(found(NEW, &[]), [""; 0]);
    }

    #[test]
    fn a_manifest_moves_targets_and_switches_the_search_off() {
        let files =
            ["src/lib.rs", "src/main.rs", "src/bin/b.rs", "src/bin/c.rs", "tests/t.rs", "x/l.rs", "build.rs", "b/s.rs"];
        let manifest = format!(
            "{NEW}\nautotests = false\nbuild = 'b/s.rs'\n[lib]\npath = 'x/../x/l.rs'\n[[bin]]\nname = 'b'\n[[bin]]\nname = 'p'\npath = 'src/bin/c.rs'"
        );
        let expected = [
            "Library - a/x/l.rs",
            "MainProgram - a/src/bin/c.rs",
            "Program b a/src/bin/b.rs",
            "BuildScript build-script-s a/b/s.rs",
        ];
        assert_eq!(found(&manifest, &files), expected);
        let off = format!("{NEW}\nautolib = false\nautobins = false\nautotests = false\nbuild = false");
        assert_eq!(found(&off, &files), [""; 0]);
    }

    #[test]
    fn a_list_of_edition_2015_is_all_that_there_is() {
        let files = ["src/lib.rs", "src/bin/a.rs", "src/bin/b.rs", "tests/t.rs"];
        let manifest = "[package]\nname = 'p'\n[[bin]]\nname = 'a'";
        assert_eq!(
            found(manifest, &files),
            ["Library - a/src/lib.rs", "Program a a/src/bin/a.rs", "Test t a/tests/t.rs"]
        );
    }

    #[test]
    fn a_path_out_of_the_root_and_one_that_does_not_exist_are_no_target() {
        let manifest =
            format!("{NEW}\n[lib]\npath = '../../src/lib.rs'\n[[bin]]\nname = 'gone'\n[[test]]\npath = 'src/x.rs'");
        assert_eq!(found(&manifest, &["src/lib.rs", "src/x.rs"]), [""; 0]);
        let outside = format!("{NEW}\n[lib]\npath = '../src/lib.rs'");
        assert_eq!(found(&outside, &[]), ["Library - src/lib.rs"], "out of the package is fine");
    }

    #[test]
    fn paths_are_joined_by_their_text() {
        let cases = [
            ("", "a.rs", Some("a.rs")),
            ("a/b", "./c//d.rs", Some("a/b/c/d.rs")),
            ("a/b", "../c.rs", Some("a/c.rs")),
            ("a", "../../c.rs", None),
            ("a", "/c.rs", None),
        ];
        for (folder, path, expected) in cases {
            assert_eq!(joined(folder, path).as_deref(), expected, "{folder} {path}");
        }
        assert_eq!(joined("a", &"b/".repeat(512)), None);
    }
}
