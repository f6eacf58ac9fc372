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

#[test]
fn deep_and_open_sources_keep_the_promises() {
    const DEPTH: usize = 20_000;
    let closed = |open: &str, inner: &str, close: &str| [&open.repeat(DEPTH), inner, &close.repeat(DEPTH)].concat();
    let anchored =
        |item: String| format!("#[sdp::satisfies(\"spec:a\", id = \"impl:a\")]\n{item}\n// @sdpAnchor impl:b\n");
    for (name, text) in [
        ("parentheses", anchored(format!("const A: u8 = {};", closed("(", "1", ")")))),
        ("brackets", anchored(format!("const A: u8 = {};", closed("[", "1", "]")))),
        ("braces", anchored(format!("const A: u8 = {};", closed("{", "1", "}")))),
        ("types", anchored(format!("type A = {};", closed("B<", "u8", ">")))),
        ("references", anchored(format!("type A = {}u8;", "&".repeat(DEPTH)))),
        ("prefixes", anchored(format!("const A: bool = {}true;", "!".repeat(DEPTH)))),
        ("patterns", anchored(format!("fn f({}: u8) {{}}", closed("(", "a", ")")))),
        ("modules", anchored(closed("mod a {", "#[sdp::anchor] fn f() {}", "}"))),
        ("conditions", anchored(format!("fn f() {{ {} {{}} }}", "if a {} else ".repeat(DEPTH)))),
        ("arguments", format!("#[sdp::satisfies({})]\nfn f() {{}}", closed("(", "\"spec:a\"", ")"))),
        ("attributes", format!("#[{}]\nfn f() {{}}", closed("cfg_attr(a, ", "sdp::anchor", ")"))),
        ("blocks", anchored(closed("/* ", "@sdpAnchor impl:c", " */"))),
        ("open blocks", anchored("/* {- (* ".repeat(DEPTH))),
        ("open groups", anchored("([{".repeat(DEPTH))),
        ("quotes", anchored("\"'`".repeat(DEPTH))),
        ("hashes", anchored("r#".repeat(DEPTH))),
        ("one line", anchored("x ".repeat(DEPTH))),
        ("lines", anchored("# x\n// x\n-- x\n".repeat(DEPTH))),
        ("targets", format!("// @sdpAnchor impl:a\n// @sdpSatisfies {}spec:a", "spec:a, ".repeat(DEPTH))),
    ] {
        println!("{name}");
        sdp_inputs::rust(text.as_bytes());
        sdp_inputs::comment(text.as_bytes());
    }
}
