//! Manifests of many shapes: what is added is there, and every other byte stays.
use super::*;

fn all() -> Additions {
    Additions {
        configuration: Some("package"),
        target: true,
        dependency: Some("{ path = \"../cargo-sdp/crates/sdp-harness\" }".to_owned()),
    }
}

fn read(text: &str) -> Manifest {
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::write(folder.path().join("Cargo.toml"), text).unwrap();
    Manifest::read(folder.path()).unwrap().unwrap()
}

/// Whether `new` is `old` with text put between.
fn is_put_between(old: &str, new: &str) -> bool {
    let mut rest = new.chars();
    old.chars().all(|wanted| rest.any(|found| found == wanted))
}

const SHAPES: [&str; 14] = [
    "[package]\nname = \"a\"\n",
    "[package]\nname = \"a\"",
    "[package]\r\nname = \"a\" # why\r\n\r\n[dev-dependencies]\r\nb = \"1\"\r\n\r\n# the end\r\n",
    "[package]\nname='a'\n[dev-dependencies]\n\n\n[features]\nx = []\n",
    "[package]\nname='a'\n[ dev-dependencies ] # ours\nb = { version = \"1\", features = [\n  \"x\",\n] }\n  # a comment\n\n[dependencies]\nz=\"1\"\n",
    "[package]\nname='a'\n[dev-dependencies.b]\nversion = \"1\"\n",
    "[package]\nname='a'\n[dev-dependencies]\nb = [\n[1]\n]\n",
    "[package]\nname='a'\ndescription = '''\n[dev-dependencies]\n'''\n",
    "[package]\nname='a'\nmetadata.docs.rs = { all-features = true }\n",
    "package.name = 'a'\npackage.version = '1.0.0'\n",
    "[package]\nname='a'\n[[test]]\nname = 'other'\npath = 'tests/other.rs'\n",
    "[package]\nname='a'\n[package.metadata]\n[package.metadata.other]\nx = 1.5\nt = 1979-05-27T07:32:00Z\n",
    "\u{feff}[package]\nname='a'\n",
    "[dev-dependencies]\n[package]\nname='a'\n",
];

#[test]
fn every_shape_is_added_to_and_keeps_its_bytes() {
    for shape in SHAPES {
        let manifest = read(shape);
        let edit = manifest.with(&all()).unwrap_or_else(|_| unreachable!("{shape}")).unwrap();
        assert!(is_put_between(shape, &edit.new), "{shape}\n{}", edit.new);
        let again = read(&edit.new);
        let is_configured =
            ["workspace", "package"].iter().any(|owner| again.at(&[owner, "metadata", "sdp"]).is_some());
        assert!(is_configured && again.depends_on_harness(), "{}", edit.new);
        assert_eq!(again.target(), Target::WithoutFile, "{}", edit.new);
        if shape.contains("\r\n") {
            assert!(!edit.new.replace("\r\n", "").contains('\n'), "{:?}", edit.new);
        }
    }
}

#[test]
fn a_line_goes_to_the_end_of_the_table_that_is_there() {
    let edit = read(SHAPES[4]).with(&all()).unwrap().unwrap();
    assert!(edit.new.contains("] }\nsdp-harness = { path = "), "{}", edit.new);
    assert!(
        edit.new.contains("\" }\n  # a comment\n\n[dependencies]\nz=\"1\"\n\n[package.metadata.sdp]\n"),
        "{}",
        edit.new
    );
}

#[test]
fn what_cannot_be_added_to_says_what_to_add_by_hand() {
    for shape in [
        "[package]\nname='a'\nmetadata = { x = 1 }\n",
        "test = [{ name = 'b' }]\n[package]\nname='a'\n",
        "dev-dependencies = { b = '1' }\n[package]\nname='a'\n",
    ] {
        let by_hand = read(shape).with(&all()).unwrap_err().by_hand;
        for part in ["[package.metadata.sdp]\n", "[[test]]\nname = \"specs\"\n", "[dev-dependencies]\nsdp-harness = { "]
        {
            assert!(by_hand.contains(part), "{by_hand}");
        }
    }
    assert!(read(SHAPES[0]).with(&Additions::default()).unwrap().is_none());
}

#[test]
fn a_target_is_known_by_what_its_file_calls() {
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::create_dir(folder.path().join("tests")).unwrap();
    let target = |text: &str| {
        std::fs::write(folder.path().join("Cargo.toml"), text).unwrap();
        Manifest::read(folder.path()).unwrap().unwrap().target()
    };
    let specs = "[[test]]\nname = 'specs'\nharness = false\n";
    assert_eq!(target(specs), Target::WithoutFile);
    assert_eq!(target("[[test]]\nname = 'specs'\n"), Target::Other);
    assert_eq!(target("[[test]]\nname = 'x'\npath = 'tests/specs.rs'\n"), Target::Other);
    std::fs::write(folder.path().join("tests/specs.rs"), "fn main() { sdp_harness::main() }").unwrap();
    assert_eq!(target(specs), Target::Ours("specs".to_owned()));
    assert_eq!(target("test = [{ name = 'specs', harness = false }]"), Target::Ours("specs".to_owned()));
    std::fs::write(folder.path().join("tests/specs.rs"), "fn main() {}").unwrap();
    assert_eq!(target(specs), Target::Other);
}

#[test]
fn only_the_edition_2015_hides_other_tests() {
    for (text, finds) in [
        ("[package]\nname='a'\n", false),
        ("[package]\nname='a'\nedition='2015'\n", false),
        ("[package]\nname='a'\nautotests = true\n", true),
        ("[package]\nname='a'\nedition='2024'\n", true),
        ("[package]\nname='a'\nedition.workspace = true\n", true),
    ] {
        assert_eq!(read(text).finds_other_tests(), finds, "{text}");
    }
}
