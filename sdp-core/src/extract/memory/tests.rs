//! What a memory gives is what a fresh extraction gives, and it reads no more than what is named.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;

use super::*;
use crate::extract::extract;

fn changes(paths: &[&str]) -> Changes {
    Changes::Paths(paths.iter().map(|path| (*path).to_owned()).collect())
}

/// A root in which files can be written, with a memory of it.
struct Root {
    folder: tempfile::TempDir,
    options: DiscoverOptions,
    memory: Memory,
}

impl Root {
    fn with(files: &[(&str, &str)]) -> Root {
        let root = Root {
            folder: tempfile::tempdir().unwrap(),
            options: DiscoverOptions::default(),
            memory: Memory::default(),
        };
        files.iter().for_each(|(path, text)| root.write(path, text));
        root
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn walk(&mut self, changes: &Changes) -> Discovery {
        self.memory.walk(self.folder.path(), &self.options, changes).clone()
    }

    fn extract(&mut self, changes: &Changes) -> Extraction {
        self.memory.extract(self.folder.path(), &self.options, changes)
    }

    fn ids(&mut self, changes: &Changes) -> Vec<String> {
        self.extract(changes).graph.nodes.iter().map(|node| node.id().to_owned()).collect()
    }

    /// The memory's extraction is the fresh one, to the byte.
    #[track_caller]
    fn agrees(&mut self, changes: &Changes) -> Extraction {
        let found = self.walk(changes);
        assert_eq!(found, discover::walk(self.folder.path(), &self.options));
        let own = self.extract(changes);
        self.is_fresh(&own);
        own
    }

    #[track_caller]
    fn is_fresh(&self, own: &Extraction) {
        let fresh = extract(self.folder.path(), &self.options);
        assert_eq!(own.findings, fresh.findings);
        assert_eq!(own.graph.to_json().unwrap(), fresh.graph.to_json().unwrap());
        assert_eq!(own.to_bytes().unwrap(), fresh.to_bytes().unwrap());
        assert_eq!(own.has_errors(), fresh.has_errors());
        assert_eq!(own.contracts, fresh.contracts);
        let index = format!("{:?}", Index::new(&own.graph).incoming("spec:a"));
        assert_eq!(format!("{:?}", own.index().incoming("spec:a")), index);
    }
}

fn spec(id: &str, relations: &str) -> String {
    let relations = if relations.is_empty() { "relations: {}" } else { relations };
    format!(
        "---\nid: {id}\nkind: rule\naltitude: story\nreadiness: idea\n{relations}\n---\n# T\n\n## Intent\n- outcome: o\n\n## Rule\n- [#one] r\n"
    )
}

const PACKAGE: &str =
    "[package]\nname = \"shop\"\n[dependencies]\nsdp = { package = \"sdp-anchors\", version = \"0\" }\n";

#[test]
fn only_what_is_named_is_read_again() {
    let mut root = Root::with(&[("a.sdp.md", &spec("spec:a", "")), ("b.sdp.md", &spec("spec:b", ""))]);
    assert_eq!(root.ids(&Changes::Unknown), ["spec:a", "spec:b"]);
    root.write("a.sdp.md", &spec("spec:a2", ""));
    root.write("b.sdp.md", &spec("spec:b2", ""));
    assert_eq!(
        root.ids(&changes(&["a.sdp.md"])),
        ["spec:a2", "spec:b"],
        "the other one is as it was, by the caller's word"
    );
    assert_eq!(root.ids(&changes(&[])), ["spec:a2", "spec:b"]);
    assert_eq!(root.ids(&Changes::Unknown), ["spec:a2", "spec:b2"]);
    for (at, odd) in
        ["./a.sdp.md", "d/../a.sdp.md", "d//a.sdp.md", "a.sdp.md/", "/a.sdp.md", ""].into_iter().enumerate()
    {
        let id = format!("spec:n{at}");
        root.write("b.sdp.md", &spec(&id, ""));
        assert_eq!(root.ids(&changes(&[odd])), ["spec:a2", &*id], "{odd} says nothing that can be relied on");
    }
}

#[test]
fn no_walk_where_only_content_of_known_files_has_changed() {
    let mut root =
        Root::with(&[("a.sdp.md", &spec("spec:a", "")), ("s/a.rs", ""), ("s/x.foo", ""), ("Cargo.toml", PACKAGE)]);
    root.walk(&Changes::Unknown);
    let mut walks = |named: &[&str], new: &str| {
        root.write(new, &spec("spec:new", ""));
        let found = root.walk(&changes(named));
        found.carriers.iter().any(|file| file.path == new)
    };
    assert!(!walks(&["a.sdp.md"], "1.sdp.md"));
    assert!(!walks(&["s/a.rs", "s/x.foo"], "2.sdp.md"));
    assert!(!walks(&[], "3.sdp.md"));
    for (at, named) in [
        "Cargo.toml",
        ".gitignore",
        "s/.gitignore",
        "s/CACHEDIR.TAG",
        "s",
        "gone.rs",
        "s/a.rs/below",
        "a.sdp.md/",
        "s/../a.sdp.md",
        "",
    ]
    .into_iter()
    .enumerate()
    {
        assert!(walks(&["a.sdp.md", named], &format!("n{at}.sdp.md")), "{named}");
    }
    assert!(!walks(&["a.sdp.md"], "4.sdp.md"));
}

#[test]
fn contracts_are_read_again_and_links_judged_against_the_specs_of_now() {
    let contract = |id: &str| {
        format!("{{\"behaviors\": [{{\"requirementLinks\": [{{\"scheme\": \"sdp\", \"id\": \"{id}\"}}]}}]}}")
    };
    let said = |extraction: &Extraction| -> Vec<String> {
        let reader = crate::reader::Reader::of(extraction);
        let of_contracts = reader.findings().iter().filter(|one| one.id.as_str().contains("contract"));
        of_contracts
            .map(|one| format!("{} {}", one.file.as_deref().unwrap(), one.related.as_deref().unwrap_or("-")))
            .collect()
    };
    let mut root = Root::with(&[("a.sdp.md", &spec("spec:a", "")), ("b.sdp.md", &spec("spec:b", ""))]);
    let place = crate::anchor::Authored { file: "sdp.toml", line: 1, column: 1 };
    let globs = ["evals/**/*.json", "dist/out.json"].map(|glob| (glob.to_owned(), place));
    root.options.contracts = discover::ContractGlobs::new(&globs, String::new());
    root.write("evals/c.json", &contract("spec:a"));
    let nothing = Vec::<String>::new();
    assert_eq!(said(&root.agrees(&Changes::Unknown)), nothing);
    root.write("evals/c.json", &contract("spec:gone"));
    assert_eq!(said(&root.agrees(&changes(&["evals/c.json"]))), ["evals/c.json spec:gone"]);
    root.write("evals/deep/d.json", "{");
    assert_eq!(said(&root.agrees(&changes(&["evals/deep"]))), ["evals/c.json spec:gone", "evals/deep/d.json -"]);
    root.write("dist/out.json", &contract("spec:b"));
    fs::remove_file(root.folder.path().join("evals/c.json")).unwrap();
    assert_eq!(said(&root.agrees(&changes(&["evals/c.json", "dist/out.json"]))), ["evals/deep/d.json -"]);
    fs::remove_dir_all(root.folder.path().join("evals")).unwrap();
    assert_eq!(said(&root.agrees(&changes(&["evals"]))), nothing);
    root.write("b.sdp.md", &spec("spec:b2", ""));
    assert_eq!(said(&root.agrees(&changes(&["b.sdp.md"]))), ["dist/out.json spec:b"], "the Spec went");
    root.write("b.sdp.md", &spec("spec:b", ""));
    assert_eq!(said(&root.agrees(&changes(&["b.sdp.md"]))), nothing, "and came back");
    root.write("b.sdp.md", &spec("spec:b", "").replace("# T", "# U"));
    root.write("dist/out.json", "[]");
    assert_eq!(said(&root.agrees(&changes(&["dist/out.json", "b.sdp.md"]))), ["dist/out.json -"]);
}

#[test]
fn no_walk_where_only_the_content_of_a_contract_has_changed() {
    let mut root = Root::with(&[("a.sdp.md", &spec("spec:a", "")), ("evals/c.json", "{}")]);
    let place = crate::anchor::Authored { file: "sdp.toml", line: 1, column: 1 };
    root.options.contracts = discover::ContractGlobs::new(&[("**/*.json".to_owned(), place)], String::new());
    root.agrees(&Changes::Unknown);
    root.write("new.sdp.md", &spec("spec:new", ""));
    assert_eq!(root.walk(&changes(&["evals/c.json"])).carriers.len(), 1);
    assert_eq!(root.walk(&changes(&["evals/d.json"])).carriers.len(), 2);
}

#[test]
fn a_known_file_that_is_none_any_more_leads_to_a_walk() {
    let mut root = Root::with(&[("a.sdp.md", &spec("spec:a", "")), ("b.sdp.md", &spec("spec:b", ""))]);
    root.agrees(&Changes::Unknown);
    fs::remove_file(root.folder.path().join("a.sdp.md")).unwrap();
    root.agrees(&changes(&["a.sdp.md"]));
    root.write("a.sdp.md/c.sdp.md", &spec("spec:c", ""));
    assert_eq!(root.agrees(&changes(&["a.sdp.md"])).spec_count, 2);
    fs::remove_dir_all(root.folder.path().join("a.sdp.md")).unwrap();
    root.agrees(&changes(&["a.sdp.md"]));
}

#[cfg(unix)]
#[test]
fn links_are_looked_at_again_since_what_they_lead_to_has_another_path() {
    let attribute = "#[sdp::satisfies(\"spec:a\")]\npub fn f() {}\n";
    let mut root = Root::with(&[
        ("a.sdp.md", &spec("spec:a", "")),
        ("x.foo", ""),
        ("src/lib.rs", attribute),
        ("real.foo", PACKAGE),
    ]);
    std::os::unix::fs::symlink("x.foo", root.folder.path().join("l.rs")).unwrap();
    std::os::unix::fs::symlink("real.foo", root.folder.path().join("Cargo.toml")).unwrap();
    assert!(root.agrees(&Changes::Unknown).findings.is_empty());
    root.write("x.foo", attribute);
    assert_eq!(root.agrees(&changes(&["x.foo"])).findings.len(), 1);
    root.write("real.foo", &PACKAGE.replace("shop", "store"));
    let own = root.agrees(&changes(&["real.foo"]));
    assert!(own.graph.nodes.iter().any(|node| node.id().starts_with("impl:store")), "{:?}", own.graph.nodes);
}

#[cfg(unix)]
#[test]
fn what_is_written_through_a_linked_folder_counts_by_its_real_path() {
    let attribute = "#[sdp::satisfies(\"spec:a\")]\npub fn f() {}\n";
    let mut root = Root::with(&[("a.sdp.md", &spec("spec:a", "")), ("Cargo.toml", PACKAGE), ("src/n.rs", attribute)]);
    std::os::unix::fs::symlink(".", root.folder.path().join("src/m")).unwrap();
    assert_eq!(root.agrees(&Changes::Unknown).findings.len(), 1, "no target leads to it");
    root.write("src/m/n.rs", "");
    assert!(root.agrees(&changes(&["src/n.rs"])).findings.is_empty());
}

#[test]
fn a_folder_that_took_the_place_of_another_is_read_anew() {
    let mut root = Root::with(&[("d/a.sdp.md", &spec("spec:a", "")), ("e/a.sdp.md", &spec("spec:b", ""))]);
    assert_eq!(root.agrees(&Changes::Unknown).spec_count, 2);
    let at = |name: &str| root.folder.path().join(name);
    fs::remove_dir_all(at("d")).unwrap();
    fs::rename(at("e"), at("d")).unwrap();
    assert_eq!(root.ids(&changes(&["d", "e"])), ["spec:b"]);
    root.agrees(&changes(&[]));
}

#[test]
fn another_root_or_other_options_make_everything_unknown() {
    let mut root = Root::with(&[("a.sdp.md", &spec("spec:a", "")), ("d/b.sdp.md", &spec("spec:b", ""))]);
    assert_eq!(root.ids(&Changes::Unknown), ["spec:a", "spec:b"]);
    root.options.exclude = vec!["d".to_owned()];
    assert_eq!(root.ids(&changes(&[])), ["spec:a"]);
    let other = tempfile::tempdir().unwrap();
    let own = root.memory.extract(other.path(), &root.options, &changes(&[]));
    assert_eq!((own.spec_count, own.graph.nodes.len()), (0, 0));
    assert_eq!(root.ids(&changes(&[])), ["spec:a"]);
}

#[test]
fn changes_of_walks_without_an_extraction_are_not_forgotten() {
    let mut root = Root::with(&[("a.sdp.md", &spec("spec:a", "")), ("b.sdp.md", &spec("spec:b", ""))]);
    root.extract(&Changes::Unknown);
    root.write("a.sdp.md", &spec("spec:a2", ""));
    root.walk(&changes(&["a.sdp.md"]));
    root.write("b.sdp.md", &spec("spec:b2", ""));
    root.write("c.sdp.md", &spec("spec:c", ""));
    let own = root.extract(&changes(&["b.sdp.md", "c.sdp.md"]));
    root.is_fresh(&own);
}

#[test]
fn a_graph_that_is_still_held_is_not_changed() {
    let mut root =
        Root::with(&[("a.sdp.md", &spec("spec:a", "")), ("a.rs", "// @sdpAnchor impl:x\n// @sdpSatisfies spec:a\n")]);
    let first = root.extract(&Changes::Unknown);
    let before = first.graph.to_json().unwrap();
    root.write("a.rs", "");
    root.agrees(&changes(&["a.rs"]));
    root.write("a.sdp.md", &spec("spec:b", ""));
    root.agrees(&changes(&["a.sdp.md"]));
    assert_eq!(first.graph.to_json().unwrap(), before);
}

#[test]
fn what_breaks_off_leaves_nothing_that_is_half_done() {
    let mut root = Root::with(&[("a.sdp.md", &spec("spec:a", ""))]);
    root.extract(&Changes::Unknown);
    root.write("a.sdp.md", &spec("spec:b", ""));
    let broken = catch_unwind(AssertUnwindSafe(|| {
        let _kept = std::mem::take(&mut root.memory);
        panic!("in the midst");
    }));
    assert!(broken.is_err());
    assert_eq!(root.ids(&changes(&[])), ["spec:b"], "everything is read again");
}

#[test]
fn a_module_tree_is_followed_anew_where_another_file_of_it_has_changed() {
    let attribute = "#[sdp::satisfies(\"spec:a\")]\npub fn f() {}\n";
    let mut root = Root::with(&[
        ("a.sdp.md", &spec("spec:a", "")),
        ("Cargo.toml", PACKAGE),
        ("src/lib.rs", "mod one;\n"),
        ("src/one.rs", attribute),
    ]);
    assert_eq!(root.ids(&Changes::Unknown)[0], "impl:shop.one.f");
    root.write("src/lib.rs", "#[path = \"one.rs\"]\nmod two;\n");
    assert_eq!(root.ids(&changes(&["src/lib.rs"]))[0], "impl:shop.two.f");
    root.write("Cargo.toml", &PACKAGE.replace("shop", "store"));
    assert_eq!(root.ids(&changes(&["Cargo.toml"]))[0], "impl:store.two.f");
    root.write("src/lib.rs", "");
    assert_eq!(root.agrees(&changes(&["src/lib.rs"])).findings.len(), 1, "no target leads to it");
}

/// Where the sequences write: at files, and at folders that files may stand in for.
const PLACES: &[&str] = &[
    "a.sdp.md",
    "b.sdp.md",
    "d/a.sdp.md",
    "d/e/c.sdp.md",
    "d/f.sdp.gherkin",
    "p.sdp.md",
    "t.sdp.ts",
    "src/lib.rs",
    "src/m.rs",
    "src/m/n.rs",
    "d/x.rs",
    "u.ts",
    "d/u.tsx",
    "note.foo",
    "d/note.foo",
    "s.py",
    "Cargo.toml",
    "d/Cargo.toml",
    ".gitignore",
    "d/.gitignore",
    "d/CACHEDIR.TAG",
    "d",
    "d/e",
    "src/m",
    "src",
    "z/y",
];

/// What they write: each text fits some places, and at the others it is refused or says nothing.
fn texts() -> Vec<String> {
    let pack = "---\nid: pack:p\nspecs:\n  - spec:b\n  - spec:a\n---\n# P\n";
    let mut texts: Vec<String> = [
        "",
        "---\nid: broken\n",
        pack,
        "@spec.spec:g @kind.rule\nFeature: x\n",
        "mod m;\npub mod n;\n#[sdp::satisfies(\"spec:a\")]\npub fn f() {}\n",
        "#[path = \"m.rs\"]\nmod other;\n#[cfg(test)]\nmod tests {\n    #[test]\n    #[sdp::verifies(\"spec:b\")]\n    fn t() {}\n}\n",
        "#[sdp::satisfies(\"spec:a\", id = \"impl:x\")]\npub fn g() {}\n// @sdpAnchor test:t\n// @sdpVerifies spec:b\n",
        "// @sdpAnchor impl:x\n// @sdpSatisfies spec:a\n// @sdpSatisfies spec:gone\n",
        "# @sdpAnchor test:y\n# @sdpVerifies spec:a\n",
        "// @sdpAnchor nonsense\n#[sdp::satisfies]\nfn f( {}\n",
        "import { spec } from \"@libar-dev/software-delivery-protocol\";\nexport const a = spec({ id: \"spec:t\" });\n",
        PACKAGE,
        "[package]\nname = \"other\"\n[dependencies]\nsdp-anchors = \"0\"\n",
        "[package",
        "*.rs\n",
        "d/\n*.sdp.md\n!a.sdp.md\n",
        "Signature: 8a477f597d28d172789f06886806bc55\n# This file is a cache directory tag created by cargo.\n",
        "\u{FEFF}",
    ]
    .map(str::to_owned)
    .to_vec();
    for id in ["spec:a", "spec:b", "spec:\u{FF21}", "spec:a.b"] {
        texts.push(spec(id, ""));
        texts.push(spec(id, "relations:\n  refines: spec:a\n  dependsOn: spec:b"));
    }
    texts
}

/// One thing that happens to a tree.
#[derive(Clone, Debug)]
enum Step {
    Write(usize, usize),
    Folder(usize),
    Remove(usize),
    Rename(usize, usize),
    Link(usize, usize),
    Walk,
    Extract,
    Forget,
}

fn step() -> impl Strategy<Value = Step> {
    let place = || 0..PLACES.len();
    prop_oneof![
        10 => (place(), 0..texts().len()).prop_map(|(place, text)| Step::Write(place, text)),
        1 => place().prop_map(Step::Folder),
        3 => place().prop_map(Step::Remove),
        3 => (place(), place()).prop_map(|(from, to)| Step::Rename(from, to)),
        1 => (place(), place()).prop_map(|(from, to)| Step::Link(from, to)),
        2 => Just(Step::Walk),
        8 => Just(Step::Extract),
        1 => Just(Step::Forget),
    ]
}

/// The places that a step may change.
fn touched(step: &Step) -> Vec<&'static str> {
    match step {
        Step::Write(place, _) | Step::Folder(place) | Step::Remove(place) | Step::Link(place, _) => {
            vec![PLACES[*place]]
        }
        Step::Rename(from, to) => vec![PLACES[*from], PLACES[*to]],
        Step::Walk | Step::Extract | Step::Forget => Vec::new(),
    }
}

/// The path below the root that a watcher names for a place: behind a linked folder it is not the place's own.
fn real_path(root: &Path, place: &str) -> Option<String> {
    let root = root.canonicalize().unwrap();
    let (folder, name) = place.rsplit_once('/').unwrap_or((".", place));
    let path = root.join(folder).canonicalize().ok()?.join(name);
    Some(path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned())
}

/// Does what a step says, as far as the tree lets it; the paths that a watcher would name.
fn take_step(root: &Path, step: &Step, texts: &[String]) -> BTreeSet<String> {
    let touched = touched(step);
    let real_paths = || touched.iter().filter_map(|place| real_path(root, place));
    let mut named: BTreeSet<String> = real_paths().collect();
    change(root, step, texts);
    named.extend(real_paths());
    named
}

fn change(root: &Path, step: &Step, texts: &[String]) {
    let at = |place: &usize| root.join(PLACES[*place]);
    let make_room = |place: &usize| drop(fs::create_dir_all(at(place).parent().unwrap()));
    match step {
        Step::Write(place, text) => {
            make_room(place);
            // A link is replaced, as who saves by renaming does: what it leads to has a path of its own.
            if at(place).is_symlink() {
                fs::remove_file(at(place)).unwrap();
            }
            drop(fs::write(at(place), &texts[*text]));
        }
        Step::Folder(place) => drop(fs::create_dir_all(at(place))),
        Step::Remove(place) => drop(fs::remove_file(at(place)).or_else(|_| fs::remove_dir_all(at(place)))),
        Step::Rename(from, to) => {
            make_room(to);
            drop(fs::rename(at(from), at(to)));
        }
        Step::Link(from, to) => {
            make_room(from);
            #[cfg(unix)]
            drop(std::os::unix::fs::symlink(at(to), at(from)));
        }
        Step::Walk | Step::Extract | Step::Forget => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn after_any_steps_a_memory_gives_what_a_fresh_extraction_gives(steps in prop::collection::vec(step(), 1..60), holds in any::<bool>()) {
        let mut root = Root::with(&[("a.sdp.md", &spec("spec:a", "")), ("src/lib.rs", "mod m;\n"), ("Cargo.toml", PACKAGE)]);
        root.agrees(&Changes::Unknown);
        let texts = texts();
        let mut pending = BTreeSet::new();
        let mut has_walked = false;
        let mut held = Vec::new();
        for step in steps.iter().chain([&Step::Extract, &Step::Extract]) {
            pending.extend(take_step(root.folder.path(), step, &texts));
            match step {
                Step::Walk => {
                    root.walk(&Changes::Paths(std::mem::take(&mut pending)));
                    has_walked = true;
                }
                Step::Extract => {
                    let changes = Changes::Paths(std::mem::take(&mut pending));
                    // What has changed since a walk asks for another one; where nobody walked, the extraction does.
                    if std::mem::take(&mut has_walked) {
                        root.walk(&changes);
                    }
                    let own = root.extract(&changes);
                    root.is_fresh(&own);
                    let found = root.walk(&Changes::Paths(BTreeSet::new()));
                    prop_assert_eq!(found, discover::walk(root.folder.path(), &root.options));
                    if holds {
                        let json = own.graph.to_json().unwrap();
                        held.push((own, json));
                    }
                }
                Step::Forget => {
                    pending.clear();
                    has_walked = false;
                    let own = root.extract(&Changes::Unknown);
                    root.is_fresh(&own);
                }
                _ => {}
            }
        }
        for (own, json) in held {
            prop_assert_eq!(own.graph.to_json().unwrap(), json, "a graph that is held stays as it is");
        }
    }
}
