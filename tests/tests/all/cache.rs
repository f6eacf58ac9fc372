//! The cache of the graph as its users meet it: trees on disk are changed in every way that a cache could miss, and each time the answer must
//! be the one that a fresh extraction gives. Processes are killed while they write, and a runner of tests starts one process for each case.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime};

use proptest::prelude::*;
use sdp_core::anchor::{Authored, ConfiguredLanguage, Languages, Meaning};
use sdp_core::config::Environment;
use sdp_core::discover::{ContractGlobs, DiscoverOptions};
use sdp_core::extract::{Extraction, extract};
use sdp_core::reader::Reader;
use sdp_core::space::judged_examples;
use sdp_core::typescript::Modules;
use sdp_harness::cache::{CacheFolder, Origin, find};
use sdp_tests::{Repo, Run, binary, skipped, spec_text};
use wait_timeout::ChildExt as _;

/// A repository, its options and the folder of its cache.
struct Tree {
    repo: Repo,
    options: DiscoverOptions,
    folder: CacheFolder,
}

/// All that an extraction says, as text.
fn said(extraction: &Extraction) -> String {
    let Extraction { graph, findings, carrier_count, spec_count, pack_count, anchor_count, .. } = extraction;
    let places: Vec<_> = graph.nodes.iter().map(|node| extraction.place(node.id())).collect();
    let counts = (carrier_count, spec_count, pack_count, anchor_count, extraction.has_errors());
    // What is kept beside the extraction shows in what a reader derives from it.
    let reader = Reader::of(extraction);
    format!("{:#?}", (graph, findings, counts, places, reader.specs(), reader.findings()))
}

/// An example space with a slot of a type.
const SPACE: &str =
    "\n## Example space\n\n```gwt-vocabulary\nGiven a {n:number}\nWhen it is used\nThen it answers\n```\n";

/// An example that its example space admits.
const EXAMPLE: &str = "\n```gwt\nGiven a {n: 1}\nWhen it is used\nThen it answers\n```\n";

impl Tree {
    fn new() -> Self {
        let repo = Repo::new()
            .spec("a", "  dependsOn: [spec:b]", "\n## Behavior\n- rule: [#first] It does\n")
            .spec("b", "", SPACE)
            .file(
                "specs/c.sdp.md",
                spec_text("c", "  refines: spec:b\n  verifies: spec:b", EXAMPLE).replace("behavior", "example"),
            )
            .file("src/a.py", "# @sdpAnchor impl:a\n# @sdpSatisfies spec:a\n")
            .file("notes/x.unknown", "nothing\n");
        let folder = CacheFolder::of(repo.root(), &Environment::default());
        Tree { repo, options: DiscoverOptions::default(), folder }
    }

    fn with_crate() -> Self {
        let tree = Tree::new();
        tree.repo.write("Cargo.toml", "[package]\nname = \"first\"\n\n[dependencies]\nsdp-anchors = \"0.1\"\n");
        let test =
            "#[cfg(test)]\nmod tests {\n    #[test]\n    #[sdp_anchors::verifies(\"spec:a\")]\n    fn t() {}\n}\n";
        tree.repo.write("src/lib.rs", test);
        tree
    }

    /// The answer at a time must be that of a fresh extraction; where it came from comes back.
    #[track_caller]
    fn asked_at(&self, now: SystemTime) -> Origin {
        let (extraction, origin) = find(self.repo.root(), &self.options, &self.folder, now);
        let fresh = extract(self.repo.root(), &self.options);
        assert!(said(&extraction) == said(&fresh), "{origin:?}\n{}\ninstead of\n{}", said(&extraction), said(&fresh));
        origin
    }

    /// The answer when all files are long unchanged.
    #[track_caller]
    fn asked(&self) -> Origin {
        self.asked_at(SystemTime::now() + Duration::from_secs(10))
    }

    /// The answer comes from the cache, for which so many files are read.
    #[track_caller]
    fn holds(&self, read: usize) {
        let origin = self.asked();
        assert!(matches!(origin, Origin::Cache { read: found, .. } if found == read), "{origin:?}");
    }

    /// The answer is made anew, for a reason that says this, and kept.
    #[track_caller]
    fn is_stale(&self, why: &str) {
        let origin = self.asked();
        assert!(
            matches!(&origin, Origin::Anew { reason, kept: Ok(()) } if reason.contains(why)),
            "{origin:?} instead of {why}"
        );
    }

    /// The one file of the cache.
    fn file(&self) -> PathBuf {
        let entries = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<PathBuf> =
            entries.filter(|path| path.extension().is_some_and(|ending| ending == "bin")).collect();
        assert_eq!(files.len(), 1, "{files:?}");
        files.remove(0)
    }
}

#[test]
fn an_unchanged_tree_is_read_once() {
    let tree = Tree::with_crate();
    tree.is_stale("there is no cache yet");
    tree.holds(0);
    let extraction = extract(tree.repo.root(), &tree.options);
    assert_eq!(extraction.findings, []);
    assert!(judged_examples(&extraction.graph).contains(&true), "{:#?}", extraction.graph);
    let folder = tree.repo.path(".sdp/cache");
    assert_eq!(tree.folder.path(), folder);
    assert_eq!(fs::read_to_string(folder.join(".gitignore")).unwrap(), "*\n");
    assert!(
        fs::read_to_string(folder.join("CACHEDIR.TAG"))
            .unwrap()
            .starts_with("Signature: 8a477f597d28d172789f06886806bc55")
    );
}

#[cfg(unix)]
#[test]
fn an_edit_of_the_same_size_with_its_old_time_is_seen() {
    let tree = Tree::new();
    tree.is_stale("no cache");
    let path = tree.repo.path("specs/a.sdp.md");
    let (text, modified) = (fs::read_to_string(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
    fs::write(&path, text.replace("outcome: An", "outcome: Un")).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    tree.is_stale("specs/a.sdp.md changed");
    tree.holds(0);
}

#[test]
fn a_touched_file_is_read_and_the_cache_holds() {
    let tree = Tree::new();
    tree.is_stale("no cache");
    let path = tree.repo.path("specs/a.sdp.md");
    fs::write(&path, fs::read(&path).unwrap()).unwrap();
    tree.holds(1);
    // A file that another one replaces is another file with the same content.
    fs::copy(&path, tree.repo.path("specs/copy")).unwrap();
    fs::rename(tree.repo.path("specs/copy"), &path).unwrap();
    tree.holds(1);
}

#[test]
fn an_edit_right_after_the_cache_was_written_is_seen() {
    let tree = Tree::new();
    for round in 0..20 {
        let text = format!("# @sdpAnchor impl:a{}\n# @sdpSatisfies spec:a\n", round % 10);
        tree.repo.write("src/a.py", text);
        assert!(matches!(tree.asked_at(SystemTime::now()), Origin::Anew { kept: Ok(()), .. }), "{round}");
    }
    // Nothing of what has changed this moment is trusted, and nothing that claims to be of tomorrow.
    let file = fs::File::options().write(true).open(tree.repo.path("src/a.py")).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(24 * 3600)).unwrap();
    fs::remove_file(tree.file()).unwrap();
    tree.is_stale("no cache");
    tree.holds(1);
}

#[test]
fn files_that_come_and_go_are_seen() {
    let tree = Tree::new();
    tree.is_stale("no cache");
    tree.repo.write("src/b.py", "# @sdpAnchor impl:b\n# @sdpSatisfies spec:b\n");
    tree.is_stale("the files that are read are others");
    fs::remove_file(tree.repo.path("src/b.py")).unwrap();
    tree.is_stale("the files that are read are others");
    fs::rename(tree.repo.path("specs"), tree.repo.path("moved")).unwrap();
    tree.is_stale("the files that are read are others from moved/a.sdp.md on");
    tree.repo.write("moved/.gitignore", "b.sdp.md\n");
    tree.is_stale("the files that are read are others");
    tree.repo.write("moved/.gitignore", "c.sdp.md\n");
    tree.is_stale("the files that are read are others");
    tree.repo.write("notes/y.unknown", "# @sdpAnchor impl:c\n");
    tree.is_stale("the files that are read are others");
    tree.repo.write("notes/y.unknown", "# @sdpAnchar impl:c\n");
    tree.is_stale("notes/y.unknown changed");
    tree.holds(0);
}

#[test]
#[sdp::verifies("spec:sdp.eval.requirement-links")]
fn a_contract_that_is_edited_comes_or_goes_is_seen() {
    let mut tree = Tree::new();
    let place = Authored { file: "sdp.toml", line: 1, column: 1 };
    let globs = ["evals/*.json", "dist/b.json"].map(|glob| (glob.to_owned(), place));
    tree.options.contracts = ContractGlobs::new(&globs, String::new());
    let link = |id: &str| {
        format!("{{\"behaviors\": [{{\"requirementLinks\": [{{\"scheme\": \"sdp\", \"id\": \"{id}\"}}]}}]}}")
    };
    tree.repo.write("evals/a.json", link("spec:a"));
    tree.is_stale("no cache");
    tree.holds(0);
    tree.repo.write("evals/a.json", link("spec:gone"));
    tree.is_stale("evals/a.json changed");
    tree.holds(0);
    tree.repo.write("dist/b.json", "{");
    tree.is_stale("the files that are read are others");
    tree.holds(0);
    fs::remove_file(tree.repo.path("evals/a.json")).unwrap();
    tree.is_stale("the files that are read are others");
    fs::remove_file(tree.repo.path("specs/b.sdp.md")).unwrap();
    tree.repo.write("dist/b.json", link("spec:b"));
    tree.is_stale("");
    tree.holds(0);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../dist/b.json", tree.repo.path("evals/link.json")).unwrap();
        tree.is_stale("the walk has other findings");
        tree.holds(0);
    }
    let before = tree.file();
    tree.options.contracts = ContractGlobs::new(&globs[..1], String::new());
    assert!(before.is_file());
    let origin = tree.asked();
    assert!(matches!(&origin, Origin::Anew { reason, .. } if reason.contains("no cache")), "{origin:?}");
}

#[test]
fn folders_that_take_the_place_of_files_are_seen() {
    let tree = Tree::new();
    tree.is_stale("no cache");
    let path = tree.repo.path("specs/a.sdp.md");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    tree.is_stale("the files that are read are others");
    #[cfg(unix)]
    {
        fs::remove_dir(&path).unwrap();
        std::os::unix::fs::symlink(tree.repo.path("specs/b.sdp.md"), &path).unwrap();
        tree.is_stale("the walk has other findings");
    }
    tree.holds(0);
}

#[test]
fn other_options_are_another_cache() {
    let mut tree = Tree::new();
    tree.repo.write("notes/x.unknown", "# @sdpAnchor impl:x\n# @sdpSatisfies spec:a\n");
    tree.repo.write("src/t.ts", "import { anchor } from './own';\nanchor({ id: 'impl:t', satisfies: ['spec:a'] });\n");
    tree.is_stale("no cache");
    tree.options.exclude.push("src".to_owned());
    tree.is_stale("no cache");
    tree.options.exclude.push("nowhere".to_owned());
    tree.is_stale("no cache");
    tree.repo.write("nowhere", "");
    // The exclude has an effect now, which its finding tells.
    tree.is_stale("the walk has other findings");
    let at = |line| Authored { file: "sdp.toml", line, column: 1 };
    let language = |line| {
        let endings = vec![("unknown".to_owned(), at(line))];
        Languages::with(vec![ConfiguredLanguage { endings, names: vec![], meaning: Meaning::Like("Python") }])
    };
    for line in [1, 2] {
        tree.options.languages = language(line);
        tree.is_stale("no cache");
    }
    tree.options.modules = Modules::new(vec!["./own".to_owned()]);
    tree.is_stale("no cache");
    tree.options.module_places = vec![at(3)];
    tree.is_stale("no cache");
    tree.holds(0);
}

#[test]
fn manifests_that_move_symbols_are_seen() {
    let tree = Tree::with_crate();
    tree.is_stale("no cache");
    let edits = [
        "[package]\nname = \"other\"\n\n[dependencies]\nsdp-anchors = \"0.1\"\n",
        "[package]\nname = \"other\"\n\n[dependencies]\nsdp-anchors = \"0.1\"\n[lib]\nname = \"third\"\n",
        "[package]\nname = \"other\"\n\n[dependencies]\nrenamed = { package = \"sdp-anchors\", version = \"0.1\" }\n",
        "not toml",
    ];
    for edit in edits {
        tree.repo.write("Cargo.toml", edit);
        tree.is_stale("Cargo.toml changed");
    }
    #[cfg(unix)]
    {
        // A manifest may be a link, and what it leads to may change without the link.
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("m"), edits[0]).unwrap();
        fs::remove_file(tree.repo.path("Cargo.toml")).unwrap();
        std::os::unix::fs::symlink(elsewhere.path().join("m"), tree.repo.path("Cargo.toml")).unwrap();
        tree.is_stale("");
        tree.holds(0);
        fs::write(elsewhere.path().join("m"), edits[1]).unwrap();
        tree.is_stale("Cargo.toml changed");
        tree.holds(0);
    }
}

#[test]
fn a_damaged_file_never_gives_another_answer() {
    let tree = Tree::with_crate();
    tree.is_stale("no cache");
    let (path, whole) = (tree.file(), fs::read(tree.file()).unwrap());
    let damaged = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        tree.is_stale("the cache is damaged");
    };
    for at in (0..whole.len()).step_by(10) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x20;
        damaged(&bytes);
    }
    for length in (0..whole.len()).step_by(37) {
        damaged(&whole[..length]);
    }
    let mut longer = whole.clone();
    longer.push(0);
    damaged(&longer);
    damaged(b"");
    // The cache of another build under the name of this one.
    let mut other = whole;
    other[20] ^= 1;
    damaged(&other);
}

#[test]
fn whatever_stands_in_the_place_of_the_file_is_left_alone() {
    let tree = Tree::new();
    tree.is_stale("no cache");
    let path = tree.file();
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let not_kept = |why: &str| {
        let origin = tree.asked();
        let Origin::Anew { kept: Err(reason), .. } = &origin else { panic!("{origin:?}") };
        assert!(reason.contains(why), "{reason}");
    };
    not_kept("is a folder");
    fs::remove_dir(&path).unwrap();
    #[cfg(unix)]
    {
        let elsewhere = tempfile::tempdir().unwrap();
        let target = elsewhere.path().join("kept");
        fs::write(&target, "kept").unwrap();
        std::os::unix::fs::symlink(&target, &path).unwrap();
        not_kept("is a symbolic link");
        assert_eq!(fs::read_to_string(&target).unwrap(), "kept");
        fs::remove_file(&path).unwrap();
        let folder = tree.folder.path();
        fs::remove_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), &folder).unwrap();
        not_kept("is no folder");
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
        fs::remove_file(&folder).unwrap();
    }
    #[cfg(not(unix))]
    fs::remove_dir_all(tree.folder.path()).unwrap();
    fs::write(tree.folder.path(), "a file").unwrap();
    not_kept("is no folder");
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_costs_the_cache_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = Tree::new();
    tree.is_stale("no cache");
    fs::remove_file(tree.file()).unwrap();
    let allow = |mode| fs::set_permissions(tree.folder.path(), fs::Permissions::from_mode(mode)).unwrap();
    allow(0o500);
    // Who may do everything writes all the same; the answer is right for everybody.
    tree.asked();
    allow(0o700);
    tree.asked();
    tree.holds(0);
}

#[test]
fn two_writers_at_once_are_safe() {
    let tree = Tree::new();
    let start = std::sync::Barrier::new(4);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                start.wait();
                for _ in 0..20 {
                    let origin = tree.asked();
                    assert!(matches!(origin, Origin::Cache { .. } | Origin::Anew { kept: Ok(()), .. }), "{origin:?}");
                    // The next finds none, or finds what another one wrote.
                    for entry in fs::read_dir(tree.folder.path()).unwrap() {
                        let path = entry.unwrap().path();
                        if path.extension().is_some_and(|ending| ending == "bin") {
                            drop(fs::remove_file(path));
                        }
                    }
                }
            });
        }
    });
}

#[derive(Clone, Debug)]
enum Edit {
    Spec(u8, u8),
    Remove(u8),
    Source(u8, u8),
    Ignore(u8),
    Manifest(u8),
    Move(bool),
    Touch(u8),
    Nothing,
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        (0..4u8, 0..4u8).prop_map(|(file, text)| Edit::Spec(file, text)),
        (0..4u8).prop_map(Edit::Remove),
        (0..3u8, 0..4u8).prop_map(|(file, text)| Edit::Source(file, text)),
        (0..4u8).prop_map(Edit::Ignore),
        (0..3u8).prop_map(Edit::Manifest),
        any::<bool>().prop_map(Edit::Move),
        (0..4u8).prop_map(Edit::Touch),
        Just(Edit::Nothing),
    ];
    proptest::collection::vec(edit, 1..12)
}

fn apply(tree: &Tree, edit: &Edit) {
    let spec = |file: u8| format!("specs/s{file}.sdp.md");
    let repo = &tree.repo;
    match edit {
        Edit::Spec(file, text) => {
            let relations = ["", "  dependsOn: [spec:a]", "  dependsOn: [spec:none]", "  refines: spec:b"];
            let id = if *text == 3 { "a".to_owned() } else { format!("s{file}") };
            repo.write(&spec(*file), spec_text(&id, relations[usize::from(*text)], ""));
        }
        Edit::Remove(file) => drop(fs::remove_file(repo.path(&spec(*file)))),
        Edit::Source(file, text) => {
            let path = ["src/a.py", "src/lib.rs", "src/x.unknown"][usize::from(*file)];
            let mark = if *file == 1 { "//" } else { "#" };
            repo.write(path, format!("{mark} @sdpAnchor impl:x{text}\n{mark} @sdpSatisfies spec:a\n"));
        }
        Edit::Ignore(text) => repo.write(".gitignore", ["", "src\n", "*.py\n", "s1.sdp.md\n"][usize::from(*text)]),
        Edit::Manifest(text) => {
            repo.write("Cargo.toml", ["[package]\nname = \"p\"\n", "[workspace]\n", "broken"][usize::from(*text)]);
        }
        Edit::Move(there) => {
            let (from, to) = if *there { ("src", "lib") } else { ("lib", "src") };
            drop(fs::rename(repo.path(from), repo.path(to)));
        }
        Edit::Touch(file) => {
            let path = repo.path(&spec(*file));
            if let Ok(bytes) = fs::read(&path) {
                fs::write(&path, bytes).unwrap();
            }
        }
        Edit::Nothing => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn after_any_edits_the_answer_is_that_of_a_fresh_extraction(edits in edits(), is_racy in any::<bool>()) {
        let tree = Tree::new();
        for edit in &edits {
            apply(&tree, edit);
            if is_racy {
                tree.asked_at(SystemTime::now());
            } else {
                tree.asked();
            }
        }
        let holds = matches!(tree.asked(), Origin::Cache { .. });
        prop_assert!(holds);
    }
}

/// A repository whose one rule prints what a run of it read: how many Specs there are, and the title of one.
fn telling(specs: usize) -> Repo {
    let body = "return [{ subject: 'spec:s0', severity: 'warning', message: `${g.specs().length} Specs, ${g.specs().find(s => s.id === 'spec:s0').title}, ${graph.edges.length} edges, ${g.findings().length} findings` }]";
    let repo = Repo::new().file("rules/tell.sdp.js", body);
    (0..specs).fold(repo, |repo, at| repo.spec(&format!("s{at}"), &format!("  dependsOn: [spec:s{}]", at / 2), ""))
}

const TELL: [&str; 5] = ["rules", "rule::tell", "--", "--exact", "--nocapture"];

#[track_caller]
fn told(run: &Run) -> String {
    assert_eq!(run.code, Some(0), "{}\n{}", run.stdout, run.stderr);
    let line = run.stderr.lines().find(|line| line.starts_with("warning[rule::tell]: "));
    line.unwrap_or_else(|| panic!("{}\n{}", run.stdout, run.stderr)).to_owned()
}

#[test]
#[sdp::verifies("spec:sdp.cache")]
fn the_command_line_says_where_the_graph_came_from_and_turns_the_cache_off() {
    let repo = telling(3);
    let verbose = |more: &[&str], no_cache: &str| {
        let arguments = ["rules", "--verbose"].iter().chain(more).chain(&["rule::tell"]);
        let run = repo.command(arguments).env("SDP_NO_CACHE", no_cache).run();
        told(&run);
        let lines = run.stderr.lines().filter(|line| line.starts_with("verbose: graph: "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let before = repo.contents();
    assert_eq!(verbose(&["--no-cache"], ""), [""; 0]);
    assert_eq!(verbose(&[], "1"), [""; 0]);
    assert_eq!(repo.contents(), before, "nothing is written");
    assert_eq!(verbose(&[], ""), ["verbose: graph: derived anew: there is no cache yet"]);
    let held = verbose(&[], "0");
    assert_eq!(held.len(), 1);
    assert!(held[0].starts_with("verbose: graph: from the cache (4 files, of which "), "{held:?}");
    // Without the flag none of this is said, and the other commands neither read nor write a cache.
    assert!(!repo.sdp(TELL).stderr.contains("cache"));
    let before = repo.contents();
    repo.write("specs/s0.sdp.md", spec_text("s0", "", ""));
    for command in [&["check"][..], &["q", "g.specs().length"], &["unbound"]] {
        let _ = repo.sdp(command);
    }
    let cache = |contents: Vec<(PathBuf, Option<Vec<u8>>)>| -> Vec<_> {
        contents.into_iter().filter(|(path, _)| path.starts_with(repo.path(".sdp"))).collect()
    };
    assert!(cache(repo.contents()) == cache(before));
}

#[test]
fn a_cargo_package_keeps_its_cache_in_its_target_folder() {
    let repo = telling(2).file("Cargo.toml", "[package]\nname = \"p\"\n");
    let run = |repo: &Repo| repo.command(["rules", "--verbose", "rule::tell"]).run().stderr;
    // Cargo tags its target folder only where it makes it itself.
    assert!(run(&repo).contains("graph: not kept: the folder "));
    assert!(!repo.path("target").exists() && !repo.path(".sdp").exists());
    fs::create_dir(repo.path("target")).unwrap();
    assert!(run(&repo).contains("graph: derived anew: there is no cache yet"));
    assert!(run(&repo).contains("graph: from the cache ("));
    assert!(repo.path("target/sdp-cache/CACHEDIR.TAG").is_file() && !repo.path("target/sdp-cache/.gitignore").exists());
}

#[test]
fn two_processes_that_write_at_once_give_the_same_answer() {
    let repo = telling(40);
    let expected = told(&repo.sdp(["rules", "--no-cache", "rule::tell"]));
    for _ in 0..3 {
        drop(fs::remove_dir_all(repo.path(".sdp")));
        std::thread::scope(|scope| {
            let runs: Vec<_> = (0..3).map(|_| scope.spawn(|| told(&repo.sdp(TELL)))).collect();
            for run in runs {
                assert_eq!(run.join().unwrap(), expected);
            }
        });
        assert_eq!(told(&repo.sdp(TELL)), expected);
    }
}

#[test]
#[sdp::verifies("spec:sdp.cache.killed-writer")]
fn a_writer_killed_at_any_moment_changes_no_answer() {
    const KILLS: u32 = 100;
    let repo = telling(300);
    let start = Instant::now();
    told(&repo.sdp(TELL));
    let whole = start.elapsed();
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let mut killed = 0;
    for round in 0..KILLS {
        // Another title, so that the next run writes a cache, too.
        repo.write("specs/s0.sdp.md", spec_text("s0", "", "").replace("Title of s0", &format!("Title {round}")));
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let moment = whole.mul_f64(f64::from(u32::try_from(random % 1000).unwrap()) / 1000.0);
        let mut command = Command::new(binary());
        command.args(TELL).current_dir(repo.root()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut writer = command.env_remove("SDP_NO_CACHE").spawn().unwrap();
        if writer.wait_timeout(moment).unwrap().is_none() {
            writer.kill().unwrap();
            writer.wait().unwrap();
            killed += 1;
        }
        let cached = told(&repo.sdp(TELL));
        let no_cache = ["rules", "--no-cache", "rule::tell", "--", "--exact", "--nocapture"];
        assert_eq!(cached, told(&repo.sdp(no_cache)), "{round}");
        assert!(cached.contains(&format!("300 Specs, Title {round}, 299 edges")), "{cached}");
    }
    assert!(killed > KILLS / 4, "only {killed} processes were still running when they were to be killed");
}

/// A `[[test]]` with `harness = false` as a repository has one: its `main` is `sdp_harness::main()` and nothing else.
fn harness() -> &'static Path {
    static HARNESS: OnceLock<PathBuf> = OnceLock::new();
    HARNESS.get_or_init(|| {
        let target = binary().parent().and_then(Path::parent).unwrap();
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args(["test", "--quiet", "--offline", "--no-run", "--package", "sdp-tests", "--test", "own_rules"])
            .args(["--message-format", "json", "--target-dir"])
            .arg(target)
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .output()
            .unwrap();
        let messages = String::from_utf8(built.stdout).unwrap();
        let executable = messages.lines().find_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            let is_harness = message["target"]["name"] == "own_rules";
            message["executable"].as_str().filter(|_| is_harness).map(PathBuf::from)
        });
        executable.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&built.stderr)))
    })
}

/// Runs the harness over a repository as nextest does: in the folder of its package, which a variable names.
fn as_nextest(repo: &Repo, arguments: &[&str]) -> Run {
    let mut command = Command::new(harness());
    command.args(arguments).current_dir(repo.root()).env("CARGO_MANIFEST_DIR", repo.root());
    command.env_remove("SDP_NO_CACHE").env("HOME", repo.root()).env_remove("CARGO_HOME").env_remove("CARGO_TARGET_DIR");
    let output = command.env("NEXTEST", "1").stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code() }
}

/// The names that a list of the harness holds: nextest refuses a line that does not end with `: test` or `: benchmark`.
fn listed(run: &Run) -> Vec<String> {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let names = run.stdout.lines().map(|line| line.strip_suffix(": test").unwrap_or_else(|| panic!("{line}")));
    names.map(str::to_owned).collect()
}

#[test]
fn a_runner_with_one_process_for_each_case_sees_each_case_once_on_two_machines() {
    let mut repo = Repo::new().file("Cargo.toml", "[package]\nname = \"p\"\n").file("target/CACHEDIR.TAG", "");
    for at in 0..6 {
        repo = repo.spec(&format!("s{at}"), "", "");
        let body =
            if at == 4 { "return [{ subject: 'spec:s4', message: 'bad' }]" } else { "console.log('seen'); return []" };
        repo = repo.file(&format!("rules/r{at}.sdp.js"), body);
    }
    let all = listed(&as_nextest(&repo, &["--list", "--format", "terse"]));
    let ignored = listed(&as_nextest(&repo, &["--list", "--format", "terse", "--ignored"]));
    assert!(!repo.path("target/sdp-cache").exists(), "a list derives nothing");
    assert!(all.len() > ignored.len() && ignored.iter().all(|name| name.starts_with("recipe::")), "{ignored:?}");
    assert!(ignored.iter().all(|name| all.contains(name)));
    let wanted: Vec<&String> =
        all.iter().filter(|name| name.starts_with("rule::") || name.starts_with("extract::")).collect();
    // `count:1/2` and `count:2/2`: each machine takes every second case of the same list.
    let mut outcomes = Vec::new();
    for machine in 0..2 {
        let part = wanted.iter().enumerate().filter(|(at, _)| at % 2 == machine);
        for (_, name) in part {
            let run = as_nextest(&repo, &[name, "--exact", "--nocapture"]);
            let is_one = run.stdout.contains("running 1 test\n") && run.stdout.contains(&format!("test {name} "));
            assert!(is_one, "{}", run.stdout);
            outcomes.push((name.to_string(), run.code));
        }
    }
    outcomes.sort();
    let expected: Vec<(String, Option<i32>)> = {
        let mut names: Vec<String> = wanted.iter().map(|name| name.to_string()).collect();
        names.sort();
        names
            .into_iter()
            .map(|name| {
                let code = if name == "rule::r4" { 101 } else { 0 };
                (name, Some(code))
            })
            .collect()
    };
    assert_eq!(outcomes, expected);
    assert!(repo.path("target/sdp-cache").is_dir(), "the first case kept the graph");
    let printed = as_nextest(&repo, &["rule::r1", "--exact", "--nocapture"]);
    assert!(printed.stderr.contains("seen"), "{}", printed.stderr);
    // A case that cannot fail runs only where it is asked for, and passes without a body.
    let report = as_nextest(&repo, &[&ignored[0], "--exact", "--nocapture", "--ignored"]);
    assert_eq!(report.code, Some(0), "{}", report.stdout);
}

#[test]
fn nextest_itself_runs_the_projects_own_checks_in_two_parts() {
    let there = Command::new("cargo").args(["nextest", "--version"]).output();
    if !there.is_ok_and(|output| output.status.success()) {
        return skipped("cargo-nextest is not installed");
    }
    let target = binary().parent().and_then(Path::parent).unwrap();
    let mut passed = Vec::new();
    for part in ["count:1/2", "count:2/2"] {
        let run = Command::new("cargo")
            .args(["nextest", "run", "--offline", "--package", "sdp-tests", "--test", "own_rules", "--no-fail-fast"])
            .args([
                "--status-level",
                "pass",
                "--color",
                "never",
                "-E",
                "test(check::)",
                "--partition",
                part,
                "--target-dir",
            ])
            .arg(target)
            .env_remove("SDP_NO_CACHE")
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let err = String::from_utf8(run.stderr).unwrap();
        assert!(run.status.success(), "{err}");
        let lines = err.lines().filter(|line| line.trim_start().starts_with("PASS"));
        let names: Vec<String> = lines.filter_map(|line| line.split_whitespace().last()).map(str::to_owned).collect();
        assert!(!names.is_empty(), "{err}");
        passed.extend(names);
    }
    let all = Command::new(harness())
        .args(["--list", "--format", "terse"])
        .env("CARGO_MANIFEST_DIR", env!("CARGO_MANIFEST_DIR"))
        .output();
    let all = String::from_utf8(all.unwrap().stdout).unwrap();
    let mut checks: Vec<&str> = all.lines().filter_map(|line| line.strip_suffix(": test")).collect();
    checks.retain(|name| name.contains("check::"));
    checks.sort_unstable();
    passed.sort();
    assert_eq!(passed, checks);
}
