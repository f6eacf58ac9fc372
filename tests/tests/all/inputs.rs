//! The seeds of the fuzz targets and whatever fuzzing has found: each must hold, on stable Rust, with every run of the tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sdp_inputs::TARGETS;

fn fuzz(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz").join(path)
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn every_seed_keeps_the_promises_of_its_target() {
    for (name, run) in TARGETS {
        let folder = fuzz("seeds").join(name);
        let seeds = names(&folder);
        assert!(!seeds.is_empty(), "{name} has no seed");
        for seed in seeds {
            println!("{name}/{seed}");
            run(&fs::read(folder.join(seed)).unwrap());
        }
    }
}

#[test]
fn every_target_has_its_program_its_seeds_and_its_dictionary() {
    let named =
        |ending: &str| -> BTreeSet<String> { TARGETS.iter().map(|(name, _)| format!("{name}{ending}")).collect() };
    assert_eq!(names(&fuzz("seeds")), named(""));
    assert_eq!(names(&fuzz("dictionaries")), named(".dict"));
    assert_eq!(names(&fuzz("fuzz_targets")), named(".rs"));
    for (name, _) in TARGETS {
        let program = fs::read_to_string(fuzz("fuzz_targets").join(format!("{name}.rs"))).unwrap();
        assert!(program.contains(&format!("sdp_inputs::{name}(input)")), "{name}");
    }
}
