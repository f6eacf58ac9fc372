//! The keys `comment-languages` and `typescript`.

use super::*;

#[test]
fn configured_languages_are_read_in_both_notations() {
    let text = "\
[[comment-languages]]
endings = [\"jutso\", \"x.y\"]
like = \"rust\"

[[comment-languages]]
names = [\"Foofile\"]
line = [\"--\"]
block = [[\"{-\", \"-}\"]]
nested = true
strings = [\"'\"]
";
    let config = at_root(tree(&[("sdp.toml", text)]).path()).unwrap();
    let name =
        |file: &str| config.languages.get(config.languages.of_file_name(file)?).map(|found| found.name.to_string());
    assert_eq!((name("a.jutso"), name("b.x.y")), (Some("Rust".to_owned()), Some("Rust".to_owned())));
    assert_eq!(name("Foofile"), Some("Foofile".to_owned()));
    let text = "comment-languages = [{ endings = [\"py\"], line = [\"%\"] }]";
    let config = at_root(tree(&[("sdp.toml", text)]).path()).unwrap();
    let language = config.languages.get(config.languages.of_file_name("a.py").unwrap()).unwrap();
    let read = crate::anchor::comment::read(language, "a.py", "# @sdpAnchor impl:no\n% @sdpAnchor impl:a\n");
    assert_eq!(read.anchors.iter().map(|anchor| anchor.id.as_str()).collect::<Vec<_>>(), ["impl:a"]);
}

#[test]
fn trusted_modules_are_read_with_their_places() {
    let expected = [("@acme/sdp", 2, 12), ("src/model/code-anchor.ts", 3, 1)];
    for (file, table) in [("sdp.toml", "[typescript]"), ("Cargo.toml", "[workspace.metadata.sdp.typescript]")] {
        let text = format!("{table}\ntrusted = [\"@acme/sdp\",\n\"src/model/code-anchor.ts\"]\n");
        let config = at_root(tree(&[(file, &text)]).path()).unwrap();
        let modules = config.modules.iter();
        let modules: Vec<_> = modules.map(|(module, place)| (module.as_str(), place.line, place.column)).collect();
        assert_eq!(modules, expected);
        assert!(config.modules.iter().all(|(_, place)| place.file == file));
        let options = crate::discover::DiscoverOptions::of(&config, &Environment::default());
        assert_eq!(options.modules.entries(), expected.map(|(module, ..)| module));
        assert_eq!(options.module_places.len(), 2);
    }
    assert_eq!(at_root(tree(&[("sdp.toml", "typescript = {}")]).path()).unwrap().modules, []);
}

#[test]
fn what_is_wrong_with_a_trusted_module_is_said_where_it_stands() {
    let at = |column: usize, message: &str| vec![format!("sdp.toml:1:{column} {message}")];
    for (module, message) in [
        ("", "a module must not be empty"),
        (" ", "a module must not be empty"),
        ("../ids.js", "write the path of the module from the root, without `..`: `../ids.js`"),
        ("src/../ids.ts", "write the path of the module from the root, without `..`: `src/../ids.ts`"),
        ("a\\nb", "a module has at most 200 bytes, without `\\` and control characters"),
        ("src\\\\ids.ts", "a module has at most 200 bytes, without `\\` and control characters"),
        (&"a".repeat(201), "a module has at most 200 bytes, without `\\` and control characters"),
        ("@libar-dev/software-delivery-protocol", "`@libar-dev/software-delivery-protocol` is always trusted"),
        (
            "@libar-dev/software-delivery-protocol/anchors",
            "`@libar-dev/software-delivery-protocol/anchors` is always trusted",
        ),
    ] {
        let problems = problems_of(&format!("typescript.trusted = [\"{module}\"]"));
        assert_eq!(problems, at(23, &format!("`typescript.trusted`: {message}")), "{module}");
    }
    assert_eq!(
        problems_of("typescript.trusted = [\"a\", \"b\", \"a\"]"),
        at(33, "`typescript.trusted`: `a` stands at line 1 already")
    );
    assert_eq!(
        problems_of("typescript.trusted = [1]"),
        at(23, "`typescript.trusted` must hold strings only, not an integer")
    );
    assert_eq!(
        problems_of("typescript.trusted = \"a\""),
        at(22, "`trusted` must be an array of strings, not a string")
    );
    assert_eq!(problems_of("typescript = 1"), at(14, "`typescript` must be a table, not an integer"));
    assert_eq!(
        problems_of("typescript.trust = []"),
        at(12, "`trust` is not a `typescript` key: did you mean `trusted`?")
    );
    let many: Vec<String> = (0..201).map(|number| format!("\"m{number}\"")).collect();
    assert_eq!(
        problems_of(&format!("typescript.trusted = [{}]", many.join(","))),
        at(12, "`typescript.trusted` holds more than 200 modules")
    );
}

#[test]
fn what_is_wrong_with_a_language_is_said_where_it_stands() {
    let problem = |table: &str| problems_of(&format!("comment-languages = [{{ {table} }}]"));
    let at = |column: usize, message: &str| vec![format!("sdp.toml:1:{column} {message}")];
    assert_eq!(
        problem("endings = [\"a\"], like = \"Pyton\""),
        at(48, "`like` names no language that is built in: `Pyton`: did you mean `Python`?")
    );
    assert_eq!(
        problem("endings = [\"a\"], like = \"q\""),
        at(48, "`like` names no language that is built in: `q`: did you mean `C`?")
    );
    for (ending, message) in [
        (".a", "write the ending without its dot: `a`"),
        ("a/b", "it is part of the name of a file, of at most 255 bytes and without `/`"),
        ("", "it must not be empty"),
        ("sdp.md", "`sdp.md` is a carrier of Specs, whose comments bind nothing"),
        #[cfg(feature = "typescript")]
        ("ts", "`ts` is TypeScript, which is built in: it keeps its meaning"),
        #[cfg(feature = "typescript")]
        ("d.ts", "`d.ts` is TypeScript, which is built in: it keeps its meaning"),
        #[cfg(feature = "typescript")]
        ("mts", "`mts` is TypeScript, which is read in `.ts` and `.tsx` files only"),
        #[cfg(not(feature = "typescript"))]
        ("ts", "`ts` is TypeScript, which this build does not read"),
        ("rs", "`rs` is Rust, whose attributes are read as well: it keeps its meaning"),
        ("in.rs", "`in.rs` is Rust, whose attributes are read as well: it keeps its meaning"),
    ] {
        assert_eq!(
            problem(&format!("like = \"C\", endings = [\"{ending}\"]")),
            at(47, &format!("`endings`: {message}")),
            "{ending}"
        );
    }
    let whole = |table: &str| {
        let problems = problem(table);
        assert_eq!(problems.len(), 1, "{problems:?}");
        problems[0].split_once(' ').unwrap().1.to_owned()
    };
    assert_eq!(whole("endings = [\"a\", \"a\"], like = \"C\""), "`endings`: `a` stands at line 1 already");
    assert_eq!(whole("endings = [], like = \"C\""), "`endings` must hold 1 to 200 strings");
    assert_eq!(whole("endings = [1], like = \"C\""), "`endings` must hold strings only, not an integer");
    assert_eq!(
        whole("names = [\"a.sdp.md\"], like = \"C\""),
        "`names`: `a.sdp.md` is a carrier of Specs, whose comments bind nothing"
    );
    assert_eq!(
        whole("names = [\"lib.rs\"], line = [\"#\"]"),
        "`names`: `lib.rs` is Rust, whose attributes are read as well: it keeps its meaning"
    );
    assert_eq!(
        whole("names = [\"main.tsx\"], like = \"C\""),
        if cfg!(feature = "typescript") {
            "`names`: `main.tsx` is TypeScript, which is built in: it keeps its meaning"
        } else {
            "`names`: `main.tsx` is TypeScript, which this build does not read"
        }
    );
    assert_eq!(whole("endings = [\"a\"]"), "a language needs `like`, or comments in `line` or `block`");
    assert_eq!(whole("like = \"C\""), "a language needs `endings` or `names` of files");
    assert_eq!(
        whole("endings = [\"a\"], like = \"C\", line = [\"#\"]"),
        "a language is `like` another one or has rules of its own, not both: `line`"
    );
    assert_eq!(whole("endings = [\"a\"], line = [\"# \"]"), "`line`: a token has 1 to 16 bytes and no white space");
    assert_eq!(whole("endings = [\"a\"], block = [[\"(*\"]]"), "`block`: a pair is what opens and what closes");
    assert_eq!(
        whole("endings = [\"a\"], block = [\"(*\"]"),
        "`block` must be an array of pairs, such as [[\"{-\", \"-}\"]]"
    );
    assert_eq!(
        whole("endings = [\"a\"], line = [\"#\"], nested = 1"),
        "`nested` must be true or false, not an integer"
    );
    assert!(whole("endings = [\"a\"], line = [\"#\"], string = []").contains("strings"));
    assert_eq!(
        problems_of("comment-languages = 1"),
        at(21, "`comment-languages` must be an array of tables, not an integer")
    );
    assert_eq!(
        problems_of("comment-languages = [1]"),
        at(22, "`comment-languages` must hold tables only, not an integer")
    );
}
