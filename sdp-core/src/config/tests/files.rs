//! The files of a configuration, right and broken.

use super::*;

#[test]
fn a_table_that_is_none_is_an_error() {
    let root = tree(&[("Cargo.toml", "[workspace.metadata]\nsdp = 3\n")]);
    assert_eq!(
        problems(at_root(root.path())),
        ["Cargo.toml:2:7 `[workspace.metadata.sdp]` of Cargo.toml must be a table, not an integer"]
    );
}

#[test]
fn a_manifest_that_does_not_speak_of_us_is_never_an_error() {
    let huge = format!("[package]\n#{}", "x".repeat(2 * 1024 * 1024));
    for text in
        ["[package", "[package]\nmetadata = 3", "package = 1", "[dependencies]\nsdp = [[", "# metadata.sdp\n=", &huge]
    {
        let root = tree(&[("Cargo.toml", text)]);
        assert_eq!(at_root(root.path()).unwrap().source, None, "{}", text.get(..40).unwrap_or(text));
    }
    let folder = tree(&[("Cargo.toml/", "")]);
    assert_eq!(at_root(folder.path()).unwrap().source, None);
    let bytes = tree(&[]);
    fs::write(bytes.path().join("Cargo.toml"), b"[package]\nname = \"\xff\"").unwrap();
    assert_eq!(at_root(bytes.path()).unwrap().source, None);
}

#[test]
fn a_broken_manifest_that_speaks_of_us_is_an_error_in_place() {
    for (text, expected) in [
        (
            "[workspace.metadata.sdp]\nexclude = [\n",
            "Cargo.toml:2:12 Cargo.toml is not TOML: unclosed array, expected `]`",
        ),
        (
            "\"é\" = \"[ workspace . metadata . 'sdp' ]\n[workspace.metadata.sdp]",
            "Cargo.toml:1:40 Cargo.toml is not TOML: invalid basic string, expected `\"`",
        ),
        (
            "[package.metadata]\nsdp = { exclude = 1, exclude = 2 }",
            "Cargo.toml:2:22 Cargo.toml is not TOML: duplicate key",
        ),
    ] {
        assert_eq!(problems(at_root(tree(&[("Cargo.toml", text)]).path())), [expected]);
    }
    let root = tree(&[]);
    fs::write(root.path().join("Cargo.toml"), b"[package.metadata.sdp]\n# \xc3\xa9\xff").unwrap();
    assert_eq!(problems(at_root(root.path())), ["Cargo.toml:2:4 Cargo.toml is not UTF-8"]);
}

#[test]
fn an_own_file_that_cannot_be_had_is_an_error() {
    assert_eq!(problems(at_root(tree(&[("sdp.toml/", "")]).path())), ["sdp.toml:-:- sdp.toml is not a regular file"]);
    let huge = "#".repeat(1024 * 1024 + 1);
    assert_eq!(problems_of(&huge), ["sdp.toml:-:- sdp.toml is larger than 1 MiB"]);
    assert_eq!(problems_of("a = 1\na = 2"), ["sdp.toml:2:1 sdp.toml is not TOML: duplicate key"]);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_no_silent_absence() {
    let root = tree(&[]);
    std::os::unix::fs::symlink("missing", root.path().join("sdp.toml")).unwrap();
    assert_eq!(problems(at_root(root.path())), ["sdp.toml:-:- sdp.toml is a symbolic link that leads nowhere"]);
}

#[test]
fn deep_nesting_is_refused_and_aborts_nothing() {
    let path = vec!["a"; 79].join(".");
    for text in [
        format!("a = {}", "[".repeat(100_000)),
        "[".repeat(100_000),
        format!("a = {}", "{a=".repeat(100_000)),
        format!("{}b = 1{}", format!("{path} = {{").repeat(79), "}".repeat(79)),
    ] {
        let found = problems_of(&text);
        assert_eq!(found.len(), 1);
        assert!(found[0].ends_with("sdp.toml nests brackets deeper than 16 levels"), "{found:?}");
    }
    let found = problems_of(&format!("a{} = 1", ".a".repeat(100_000)));
    assert_eq!(found, ["sdp.toml:-:- sdp.toml is not TOML: recursion limit"]);
}

#[test]
fn brackets_in_strings_and_comments_do_not_nest() {
    let many = "[".repeat(40);
    let text = format!(
        "# {many}\n[[rules]]\nname = \"\\\"{many}\"\nrecipe = 1\ndescription = '''{many}'\n{many}'''\n\
         params = {{ a = \"\"\"\\\"\"\"{many}\"\"\", b = '{many}' }}\n"
    );
    let config = at_root(tree(&[("sdp.toml", &text)]).path()).unwrap();
    assert_eq!(config.rules[0].description, Some(format!("{many}'\n{many}")));
    assert_eq!(config.rules[0].name, format!("\"{many}"));
}
