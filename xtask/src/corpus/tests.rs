use std::collections::BTreeMap;
use std::process::Command;

use clap::Parser as _;
use sdp_canon::{Digest, Hasher};

use super::*;

fn seeded(specs: usize, seed: u64) -> Corpus {
    Corpus { seed, ..Corpus::new(specs, PathBuf::new()) }
}

fn corpus(specs: usize, seed: u64) -> BTreeMap<String, String> {
    files(&seeded(specs, seed))
}

fn files(corpus: &Corpus) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    corpus
        .generate(&mut |path, text| {
            assert_eq!(files.insert(path.to_owned(), text.to_owned()), None, "{path} is written twice");
            Ok(())
        })
        .unwrap();
    files
}

/// The digest of all files: path, NUL, text, NUL, in the order of the paths.
fn digest(files: &BTreeMap<String, String>) -> Digest {
    let mut hasher = Hasher::new();
    for (path, text) in files {
        for piece in [path, "\0", text, "\0"] {
            hasher.update(piece);
        }
    }
    hasher.finish()
}

#[test]
fn a_small_corpus_has_the_bytes_of_the_python_generator() {
    use Anchors::{None, Rust, TypeScript};
    for (specs, seed, anchors, noise, pinned) in [
        (16, 7, None, 0, "fc9761bfca06fa58b1dc8f2534b314ea4e4383d9e47c36c5bacbb5d9d364db33"),
        (160, 7, None, 0, "195e7fc6ec88ebd33059c5249f2aa893c6d819bd8761f6f7d14701c19bcf5d2e"),
        (1600, 4_294_967_301, None, 0, "e6c43092a3a38524b65d84e2b5392e70e74e64b5517e8f962512f6e266e175d1"),
        (160, 7, Rust, 0, "bbbe7a1200e8c6c0786afb78bcce68a7196049ffc27341533875808c6dbe1804"),
        (16, 7, None, 3, "99cf7ed0496adc273e9568aa7b4cc53b48e18f6c5c80982078421a011e94a98e"),
        (1600, 4_294_967_301, Rust, 2, "499453e2e9bc6d2a7cf90ec905fc445a6839a33061227e7e8b9580cb953f964c"),
        (160, 7, TypeScript, 0, "69f815bd128f342b22487ad1fcf75a267df78a541f13ca42b482e9471ce71c46"),
        (1600, 4_294_967_301, TypeScript, 2, "938d726207816067560a26fcfa07630435530b70f23e36e4d4ca0d2c3c5d9951"),
    ] {
        let corpus = seeded(specs, seed).with_sources(anchors, noise);
        assert_eq!(digest(&files(&corpus)).to_string(), pinned, "{corpus:?}");
    }
}

#[test]
fn the_python_generator_writes_the_same_files() {
    let generator = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/tools/gen-corpus.py");
    if !generator.is_file() {
        // libtest keeps what the macros print of a test that passes.
        let _ = writeln!(io::stderr(), "skipped: the Python generator is not here");
        return;
    }
    for (specs, seed, anchors, noise) in [
        (800, 7, Anchors::None, 1),
        (832, 41, Anchors::Rust, 0),
        (96, 8_589_934_592, Anchors::Rust, 4),
        (832, 41, Anchors::TypeScript, 0),
        (96, 8_589_934_592, Anchors::TypeScript, 4),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let form = match anchors {
            Anchors::None => "none",
            Anchors::Rust => "rust",
            Anchors::TypeScript => "ts",
        };
        let run = Command::new("python3")
            .arg(&generator)
            .arg(specs.to_string())
            .arg(folder.path())
            .args(["--anchors", form, "--seed", &seed.to_string(), "--noise", &noise.to_string()])
            .output();
        let Ok(run) = run else {
            let _ = writeln!(io::stderr(), "skipped: there is no Python here");
            return;
        };
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let mut written = BTreeMap::new();
        collect(folder.path(), "", &mut written);
        let corpus = seeded(specs, seed).with_sources(anchors, noise);
        let own = files(&corpus);
        assert_eq!(own.keys().collect::<Vec<_>>(), written.keys().collect::<Vec<_>>(), "{corpus:?}");
        for (path, text) in own {
            assert_eq!(Some(&text), written.get(&path), "{path} of {corpus:?}");
        }
    }
}

/// Every file below a folder, by its path with `/`.
fn collect(folder: &Path, above: &str, into: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{above}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &format!("{path}/"), into);
        } else {
            into.insert(path, fs::read_to_string(entry.path()).unwrap());
        }
    }
}

#[test]
fn a_feature_with_anchors_binds_five_of_its_specs() {
    let files = files(&seeded(832, 7).with_sources(Anchors::Rust, 2));
    let sources: Vec<&String> = files.keys().filter(|path| path.starts_with("src/")).collect();
    assert_eq!(sources.len(), 52 * 3);
    let bound =
        |text: &&String| text.matches("#[sdp::satisfies(").count() == 2 && text.matches("verifies(").count() == 3;
    assert_eq!(files.values().filter(bound).count(), 52);
    assert!(files["src/account1.rs"].contains("id = \"impl:account1.rule\""), "{}", files["src/account1.rs"]);
}

#[test]
fn a_feature_with_anchors_in_typescript_binds_five_of_its_specs() {
    let files = files(&seeded(832, 7).with_sources(Anchors::TypeScript, 2));
    let sources: Vec<&String> = files.keys().filter(|path| path.starts_with("src/")).collect();
    assert_eq!(sources.len(), 52 * 3);
    assert!(sources.iter().all(|path| path.ends_with(".ts")));
    let bound = |text: &&String| text.matches("= codeAnchor(").count() == 2 && text.matches("= specTest(").count() == 3;
    assert_eq!(files.values().filter(bound).count(), 52);
}

#[test]
fn sources_leave_the_carriers_of_the_first_family_alone() {
    let (bare, full) = (corpus(16, 7), files(&seeded(16, 7).with_sources(Anchors::Rust, 1)));
    let carriers = bare.keys().filter(|path| !path.ends_with(".pack.sdp.md"));
    assert!(carriers.clone().count() == 16 && carriers.clone().all(|path| bare[path] == full[path]));
}

#[test]
fn an_unknown_form_of_anchors_is_refused() {
    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        corpus: Corpus,
    }
    let line = |words: &str| Line::try_parse_from(words.split(' ')).map(|line| line.corpus);
    let refused = line("corpus 16 out --anchors js").unwrap_err().to_string();
    assert!(refused.starts_with("error: invalid value 'js' for '--anchors <none|rust|ts>': "), "{refused}");
    assert!(refused.contains("the form is `none`, `rust` or `ts`"), "{refused}");
    assert_eq!(line("corpus 16 out --anchors ts").unwrap().anchors, Anchors::TypeScript);
    let taken = line("corpus 16 out --anchors rust --noise 2").unwrap();
    assert_eq!((taken.anchors, taken.noise, taken.seed), (Anchors::Rust, 2, DEFAULT_SEED));
    let plain = line("corpus 16 out").unwrap();
    assert_eq!((plain.anchors, plain.noise), (Anchors::None, 0));
}

#[test]
fn a_corpus_has_whole_families_and_at_least_one() {
    for (asked, specs, packs) in [(0, 16, 1), (31, 16, 1), (32, 32, 1), (800, 800, 1), (816, 816, 2)] {
        let files = corpus(asked, 7);
        assert_eq!(files.len(), specs + packs, "{asked}");
        assert_eq!(seeded(asked, 7).generate(&mut |_, _| Ok(())).unwrap(), specs, "{asked}");
    }
}

#[test]
fn a_pack_lists_every_spec_of_its_families() {
    let files = corpus(816, 7);
    let listed = |pack: &str| files[pack].lines().filter(|line| line.starts_with("  - spec:")).count();
    assert_eq!(listed("specs/group-0.pack.sdp.md"), 800);
    assert_eq!(listed("specs/group-1.pack.sdp.md"), 16);
    let ids = files.values().filter_map(|text| text.lines().nth(1)?.strip_prefix("id: spec:"));
    let packs = [&files["specs/group-0.pack.sdp.md"], &files["specs/group-1.pack.sdp.md"]];
    for id in ids {
        let line = format!("  - spec:{id}\n");
        assert_eq!(packs.iter().filter(|pack| pack.contains(&line)).count(), 1, "{id}");
    }
}

#[test]
fn another_seed_gives_another_corpus() {
    assert_ne!(digest(&corpus(16, 7)), digest(&corpus(16, 8)));
}

#[test]
fn a_sink_that_refuses_ends_the_run() {
    let mut calls = 0;
    let refused = seeded(160, 7).generate(&mut |_, _| {
        calls += 1;
        if calls == 3 { Err(io::Error::other("full")) } else { Ok(()) }
    });
    assert_eq!(refused.unwrap_err().to_string(), "full");
    assert_eq!(calls, 3);
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml/specs/a.sdp.md");
    let message = write(&path, "").unwrap_err().to_string();
    assert!(message.starts_with(&format!("cannot write `{}`: ", path.display())), "{message}");
}
