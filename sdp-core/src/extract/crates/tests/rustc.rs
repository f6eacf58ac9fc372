//! The compiler is the judge: a crate is built whose files say in which module they are.

use std::process::Command;

use super::*;

/// A file that prints its own path and its module.
fn saying(declarations: &str) -> String {
    format!(
        "{declarations}\n#[test]\nfn at() {{\n    println!(\"@ {{}} {{}}\", file!(), module_path!());\n}}\npub fn main() {{}}\n"
    )
}

const FILES: &[(&str, &str)] = &[
    (
        "src/lib.rs",
        "mod plain; mod with_folder; pub mod r#type; mod r#union; #[cfg(test)] mod tests;
        #[path = \"elsewhere/moved.rs\"] mod moved;
        mod outer { mod held; mod inner { mod deep; #[path = \"by_path.rs\"] mod named; } }
        #[path = \"bent\"] mod straight { mod held; mod more { mod deep; } }
        #[cfg_attr(unix, path = \"on_unix.rs\")] #[cfg_attr(not(unix), path = \"not_unix.rs\")] mod system;
        #[cfg_attr(any(), path = \"never.rs\")] mod perhaps;
        macro_rules! items { ($($item:item)*) => { $($item)* } }
        items! { mod in_macro; mod in_macro_inline { mod held; } }
        macro_rules! never { () => { mod no_module; } }
        mod including { include!(\"included.rs\"); }",
    ),
    (
        "src/plain.rs",
        "mod child; mod inline { mod held; #[path = \"by_path.rs\"] mod named; } #[path = \"beside.rs\"] mod beside;",
    ),
    ("src/plain/child.rs", ""),
    ("src/plain/inline/held.rs", ""),
    ("src/plain/inline/by_path.rs", ""),
    ("src/beside.rs", ""),
    (
        "src/with_folder/mod.rs",
        "mod child; mod inline { mod held; #[path = \"by_path.rs\"] mod named; } #[path = \"beside.rs\"] mod beside;",
    ),
    ("src/with_folder/child.rs", ""),
    ("src/with_folder/inline/held.rs", ""),
    ("src/with_folder/inline/by_path.rs", ""),
    ("src/with_folder/beside.rs", ""),
    ("src/type.rs", "mod child;"),
    ("src/type/child.rs", ""),
    ("src/union.rs", ""),
    ("src/tests.rs", "mod child;"),
    ("src/tests/child.rs", ""),
    ("src/elsewhere/moved.rs", "mod sibling;"),
    ("src/elsewhere/sibling.rs", ""),
    ("src/outer/held.rs", "mod child;"),
    ("src/outer/held/child.rs", ""),
    ("src/outer/inner/deep.rs", ""),
    ("src/outer/inner/by_path.rs", ""),
    ("src/bent/held.rs", ""),
    ("src/bent/more/deep.rs", ""),
    ("src/on_unix.rs", "mod of_system;"),
    ("src/of_system.rs", ""),
    ("src/perhaps.rs", ""),
    ("src/in_macro.rs", ""),
    ("src/in_macro_inline/held.rs", ""),
    ("src/included.rs", "mod of_included;"),
    ("src/of_included.rs", ""),
    ("src/main.rs", "mod of_main;"),
    ("src/of_main.rs", ""),
    ("src/bin/one.rs", "#[path = \"one/part.rs\"] mod part;"),
    ("src/bin/one/part.rs", ""),
    ("src/bin/two/main.rs", "mod part;"),
    ("src/bin/two/part.rs", ""),
    ("tests/it/main.rs", "mod part;"),
    ("tests/it/part.rs", ""),
    ("tests/solo.rs", "mod common;"),
    ("tests/common/mod.rs", ""),
    ("examples/show.rs", ""),
    ("own/bench.rs", "mod part;"),
    ("own/part.rs", ""),
];

/// What nothing leads to.
const NOT_READ: &[&str] = &["src/lost.rs", "src/no_module.rs"];

/// What a condition keeps from this compiler, and another one may read.
const PERHAPS: &str = "src/never.rs";

/// The file and the module path of each line that a file said, as cargo and the compiler have it.
fn said(root: &Path) -> Vec<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let run = Command::new(cargo)
        .args(["test", "--offline", "--quiet", "--all-targets", "--", "--nocapture", "--test-threads=1"])
        .current_dir(root)
        .env("CARGO_TARGET_DIR", root.join("target"))
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    let stdout = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success(), "{stdout}{}", String::from_utf8_lossy(&run.stderr));
    let rows = stdout.lines().filter_map(|line| line.split_once("@ ").map(|(_, row)| row.to_owned()));
    let mut rows: Vec<String> = rows.collect();
    rows.sort();
    rows.dedup();
    rows
}

#[test]
#[sdp::verifies("spec:sdp.modules")]
fn modules_are_those_of_the_compiler() {
    let mut files: Vec<(&str, String)> = FILES.iter().map(|(path, text)| (*path, saying(text))).collect();
    files.extend(NOT_READ.iter().chain([&PERHAPS]).map(|path| (*path, "this is no Rust".to_owned())));
    // The path of a package that is not there would be asked for: the compiler gets a manifest without us.
    let manifest = "[package]\nname = \"crate-of\"\nedition = \"2024\"\n[[bench]]\nname = \"own\"\npath = \"own/bench.rs\"\n[workspace]\n";
    files.push(("Cargo.toml", manifest.to_owned()));
    let borrowed: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let root = tree(&borrowed);
    let said = said(root.path());
    fs::write(root.path().join("Cargo.toml"), format!("{manifest}{OURS}")).unwrap();
    let (places, doubts) = placed(root.path(), &[".rs"]);
    let row = |(path, place): &(String, FilePlace)| {
        let of_target = place.target.as_deref().unwrap_or("crate_of");
        let modules = place.modules.iter().map(|module| format!("::{module}")).collect::<String>();
        // `module_path!` names the crate, libtest leaves it out.
        format!("{path} {of_target}{modules}")
    };
    let is_read = |(path, _): &&(String, FilePlace)| !is_unreached(path, &doubts) && path != PERHAPS;
    let mut ours: Vec<String> = places.iter().filter(is_read).map(row).collect();
    ours.sort();
    assert_eq!(ours, said);
    let lost: Vec<&str> =
        places.iter().map(|(path, _)| path.as_str()).filter(|path| is_unreached(path, &doubts)).collect();
    assert_eq!(lost, NOT_READ);
}
