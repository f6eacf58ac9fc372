use std::fs;

use tempfile::TempDir;

use super::*;
use crate::discover::{self, DiscoverOptions, Discovery};

mod rustc;

const OURS: &str = "[dependencies]\nsdp = { package = \"sdp-anchors\", version = \"0.1\" }\n";

fn tree(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

/// A manifest of a package that knows us.
fn package(name: &str) -> String {
    format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n{OURS}")
}

/// The places of the files that end like one of these, and what is said of them.
fn placed(root: &Path, wanted: &[&str]) -> (Vec<(String, FilePlace)>, Vec<String>) {
    let Discovery { sources, manifests, .. } = discover::walk(root, &DiscoverOptions::default());
    let files: Vec<&str> =
        sources.iter().map(|source| source.path.as_str()).filter(|path| path.ends_with(".rs")).collect();
    let wanted: Vec<&str> =
        files.iter().copied().filter(|path| wanted.iter().any(|wanted| path.ends_with(wanted))).collect();
    let placed = place(root, &manifests, &files, &wanted, Whom::KnowingUs);
    let doubts = placed.doubted.iter().flatten().map(|doubt| placed.doubts[*doubt].line_form()).collect();
    (wanted.into_iter().map(str::to_owned).zip(placed.places).collect(), doubts)
}

/// Each place as `file: package/target modules`, with a `?` where no target leads there.
fn rows(root: &Path, wanted: &[&str]) -> Vec<String> {
    let (places, doubts) = placed(root, wanted);
    let row = |(path, place): (String, FilePlace)| {
        let target = place.target.map(|target| format!("/{target}")).unwrap_or_default();
        let doubt = if is_unreached(&path, &doubts) { "?" } else { "" };
        let package = place.package.as_deref().unwrap_or("-");
        format!("{path}: {package}{target} {}{doubt}", place.modules.join("::")).trim_end().to_owned()
    };
    places.into_iter().map(row).collect()
}

/// Whether it is said of a file that no target leads to it.
fn is_unreached(path: &str, doubts: &[String]) -> bool {
    let warning = format!("{path}:1 — [warning] sdp/unreached-source — ");
    doubts.iter().any(|doubt| doubt.starts_with(&warning))
}

#[test]
fn without_a_package_a_file_stands_for_itself() {
    let root = tree(&[("Cargo.toml", "[workspace]"), ("scripts/a.rs", ""), ("src/lib.rs", "mod b;"), ("src/b.rs", "")]);
    let (places, doubts) = placed(root.path(), &[".rs"]);
    assert_eq!((places.len(), doubts), (3, Vec::new()));
    for (path, place) in places {
        assert_eq!(place, plain(), "{path}");
    }
}

#[test]
fn each_file_belongs_to_the_package_above_it_and_to_the_first_target_that_leads_there() {
    let root = tree(&[
        ("Cargo.toml", &package("shop")),
        ("src/lib.rs", "pub mod orders; mod shared;"),
        ("src/orders/mod.rs", "mod line;"),
        ("src/orders/line.rs", "mod deep;"),
        ("src/orders/line/deep.rs", ""),
        ("src/shared.rs", ""),
        ("src/main.rs", "mod shared; mod only_here;"),
        ("src/only_here.rs", ""),
        ("src/bin/tool/main.rs", "mod part;"),
        ("src/bin/tool/part.rs", ""),
        ("tests/it.rs", "mod common; #[path = \"../src/shared.rs\"] mod shared;"),
        ("tests/common/mod.rs", ""),
        ("tests/other.rs", "mod common;"),
        ("build.rs", "mod build_part;"),
        ("build_part.rs", ""),
        ("inner/Cargo.toml", &package("inner")),
        ("inner/src/lib.rs", ""),
    ]);
    let expected = [
        "build.rs: shop/build-script-build",
        "build_part.rs: shop/build-script-build build_part",
        "inner/src/lib.rs: inner",
        "src/bin/tool/main.rs: shop/tool",
        "src/bin/tool/part.rs: shop/tool part",
        "src/lib.rs: shop",
        "src/main.rs: shop",
        "src/only_here.rs: shop only_here",
        "src/orders/line.rs: shop orders::line",
        "src/orders/line/deep.rs: shop orders::line::deep",
        "src/orders/mod.rs: shop orders",
        "src/shared.rs: shop shared",
        "tests/common/mod.rs: shop/it common",
        "tests/it.rs: shop/it",
        "tests/other.rs: shop/other",
    ];
    assert_eq!(rows(root.path(), &[".rs"]), expected);
    for one in expected {
        let (file, _) = one.split_once(": ").unwrap();
        assert!(rows(root.path(), &[file]).contains(&one.to_owned()), "asked for alone, {file} stands elsewhere");
    }
}

#[test]
fn a_file_outside_belongs_to_the_package_that_reads_it_whatever_else_binds_there() {
    let root = tree(&[
        ("a/Cargo.toml", "[package]\nname = \"a\"\nedition = \"2024\"\n"),
        ("a/src/lib.rs", "#[path = \"../../shared/both.rs\"] mod both;"),
        ("b/Cargo.toml", &package("b")),
        ("b/src/lib.rs", "#[path = \"../../shared/both.rs\"] mod two; #[path = \"../../c/src/odd.rs\"] mod odd;"),
        ("c/Cargo.toml", &package("c")),
        ("c/src/lib.rs", "#[path = \"../../shared/both.rs\"] mod three;"),
        ("c/src/odd.rs", ""),
        ("shared/both.rs", "mod part;"),
        ("shared/both/part.rs", ""),
        ("shared/part.rs", ""),
    ]);
    let expected = ["c/src/odd.rs: b odd", "shared/both.rs: b two", "shared/part.rs: b two::part"];
    assert_eq!(rows(root.path(), &["odd.rs", "shared/both.rs", "shared/part.rs"]), expected);
    for one in expected {
        let (file, _) = one.split_once(": ").unwrap();
        assert_eq!(rows(root.path(), &[file]), [one], "asked for alone");
    }
}

#[test]
fn a_file_that_no_target_leads_to_stands_where_its_path_suggests() {
    let root = tree(&[
        ("p/Cargo.toml", &package("p")),
        ("p/build.rs", ""),
        ("p/src/lib.rs", ""),
        ("p/src/lost/deep.rs", ""),
        ("p/src/lost/mod.rs", ""),
        ("p/src/bin/tool/main.rs", ""),
        ("p/src/bin/tool/lost.rs", ""),
        ("p/tests/it/main.rs", ""),
        ("p/tests/it/lost/part.rs", ""),
        ("p/tests/helpers/lost.rs", ""),
        ("p/other/lost.rs", ""),
    ]);
    let (places, doubts) = placed(root.path(), &["lost.rs", "deep.rs", "lost/mod.rs", "part.rs"]);
    assert_eq!(places.len(), 6);
    assert_eq!(
        rows(root.path(), &["lost.rs", "deep.rs", "lost/mod.rs", "part.rs"]),
        [
            "p/other/lost.rs: p other::lost?",
            "p/src/bin/tool/lost.rs: p/tool lost?",
            "p/src/lost/deep.rs: p lost::deep?",
            "p/src/lost/mod.rs: p lost?",
            "p/tests/helpers/lost.rs: p tests::helpers::lost?",
            "p/tests/it/lost/part.rs: p/it lost::part?",
        ]
    );
    assert_eq!(
        doubts[0],
        "p/other/lost.rs:1 — [warning] sdp/unreached-source — no target of the package p leads to this file: its bindings count, unseen by the compiler"
    );
}

#[test]
fn a_file_beside_the_packages_belongs_to_the_one_that_reads_it() {
    let root = tree(&[
        ("Cargo.toml", "[workspace]"),
        ("a/Cargo.toml", &package("a")),
        ("a/src/lib.rs", "#[path = \"../../shared/x.rs\"] mod x; #[path = \"../../b/src/lost.rs\"] mod found;"),
        ("b/Cargo.toml", &package("b")),
        ("b/src/lib.rs", ""),
        ("b/src/lost.rs", ""),
        ("shared/x.rs", "mod y;"),
        ("shared/y.rs", ""),
        ("shared/z.rs", ""),
    ]);
    assert_eq!(
        rows(root.path(), &[".rs"]),
        [
            "a/src/lib.rs: a",
            "b/src/lib.rs: b",
            "b/src/lost.rs: a found",
            "shared/x.rs: a x",
            "shared/y.rs: a x::y",
            "shared/z.rs: -"
        ]
    );
}

#[test]
fn a_package_that_does_not_know_us_costs_no_look_at_its_modules() {
    let root = tree(&[
        ("Cargo.toml", "[package]\nname = 'p'\n[dependencies]\nsdp = '1'"),
        ("src/lib.rs", "mod a;"),
        ("src/a.rs", ""),
        ("src/lost.rs", ""),
    ]);
    let (places, doubts) = placed(root.path(), &["a.rs", "lost.rs"]);
    let expected = FilePlace { package: Some("p".to_owned()), ..FilePlace::default() };
    assert_eq!(places, [("src/a.rs".to_owned(), expected.clone()), ("src/lost.rs".to_owned(), expected)]);
    assert_eq!(doubts, [""; 0]);
}

#[test]
fn the_workspace_says_what_an_inherited_dependency_is() {
    let member =
        |rest: &str| format!("[package]\nname = 'm'\nedition = '2024'\n{rest}\n[dependencies]\nbind.workspace = true");
    let root = tree(&[
        ("Cargo.toml", "[workspace]\n[workspace.dependencies]\nbind = { package = 'sdp-anchors', version = '1' }"),
        ("in/Cargo.toml", &member("")),
        ("in/src/lib.rs", ""),
        ("in/deep/Cargo.toml", &member("")),
        ("in/deep/src/lib.rs", ""),
        ("other/Cargo.toml", "[workspace]\n[workspace.dependencies]\nbind = '1'"),
        ("other/near/Cargo.toml", &member("")),
        ("other/near/src/lib.rs", ""),
        ("other/far/Cargo.toml", &member("workspace = '../..'")),
        ("other/far/src/lib.rs", ""),
    ]);
    let names: Vec<(String, usize)> =
        placed(root.path(), &[".rs"]).0.into_iter().map(|(path, place)| (path, place.crate_names.len())).collect();
    let expected =
        [("in/deep/src/lib.rs", 1), ("in/src/lib.rs", 1), ("other/far/src/lib.rs", 1), ("other/near/src/lib.rs", 0)];
    assert_eq!(names, expected.map(|(path, names)| (path.to_owned(), names)));
}

#[test]
fn a_manifest_that_tells_nothing_is_said_once_for_its_files() {
    let root = tree(&[
        ("a/Cargo.toml", "[package]\nname = 'a'\nx = ["),
        ("a/src/lib.rs", ""),
        ("a/src/b.rs", ""),
        ("b/Cargo.toml", "\n[package]\nversion = '1'"),
        ("b/src/lib.rs", ""),
    ]);
    let (places, doubts) = placed(root.path(), &[".rs"]);
    assert!(places.iter().all(|(_, place)| *place == plain()), "{places:?}");
    assert_eq!(doubts.len(), 3);
    assert_eq!(doubts[0], doubts[1]);
    assert!(
        doubts[0].starts_with("a/Cargo.toml:3 — [error] extract/parse-error — the manifest is not TOML: "),
        "{}",
        doubts[0]
    );
    assert_eq!(
        doubts[2],
        "b/Cargo.toml:2 — [error] extract/parse-error — the package has no name, so the package of the Rust files below is not known"
    );
}

#[test]
fn cycles_end_and_so_do_many_names_of_one_file() {
    let many: String = (0..10_000).map(|number| format!("#[path = \"x.rs\"] mod m{number};\n")).collect();
    let root = tree(&[
        ("Cargo.toml", &package("p")),
        ("src/lib.rs", "mod a;"),
        (
            "src/a.rs",
            "#[path = \"lib.rs\"] mod again; #[path = \"a.rs\"] mod me; #[path = \"../../../../x.rs\"] mod out; mod x;",
        ),
        ("src/a/x.rs", &many),
    ]);
    assert_eq!(rows(root.path(), &[".rs"]), ["src/a.rs: p a", "src/a/x.rs: p a::x", "src/lib.rs: p"]);
}

#[test]
fn a_chain_of_files_is_followed_to_a_bound() {
    let names: Vec<(String, String)> = (0..1000)
        .map(|number| (format!("src/f{number:04}.rs"), format!("#[path = \"f{:04}.rs\"] mod m;", number + 1)))
        .collect();
    let manifest = package("p");
    let mut files = vec![("Cargo.toml", manifest.as_str()), ("src/lib.rs", "#[path = \"f0000.rs\"] mod m;")];
    files.extend(names.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let root = tree(&files);
    let (places, doubts) = placed(root.path(), &[".rs"]);
    assert_eq!(places[127].1.modules.len(), 128);
    assert!(!is_unreached(&places[127].0, &doubts) && is_unreached(&places[128].0, &doubts));
    assert_eq!(doubts.len(), 1000 - 128);
}
