//! The gate: what is never parsed, and that nothing that binds is passed over.

use super::*;

fn passes(modules: &[&str], text: &str) -> bool {
    let modules = Modules::new(modules.iter().map(|module| (*module).to_owned()).collect());
    Gate::new(&modules).may_bind(text.as_bytes())
}

#[test]
fn a_file_passes_by_the_package_a_trusted_module_or_a_tag() {
    let relative = "import { codeAnchor } from \"../model/code-anchor.js\";";
    let path = &["src/model/code-anchor.ts"][..];
    let cases: &[(&[&str], &str, bool)] = &[
        (&[], "const a = 1;", false),
        (&[], "import { codeAnchor } from \"@acme/sdp\";", false),
        (&["@acme/sdp"], "import { codeAnchor } from \"@acme/sdp\";", true),
        (&["@acme/sdp"], relative, false),
        (&[], relative, false),
        (path, relative, true),
        (path, "import * as sdp from \"../model/code-anchor.js\"; sdp.spec({});", true),
        (path, "import { specific } from \"./package.js\"; inspect(a.specs);", false),
        (path, "const codeAnchor = 1;", false),
        (&[], "/** @sdpAnchor impl:a */", true),
        (&[], "/** @SDPanchor impl:a */", true),
        (&[], "// see @libar-dev/software-delivery-protocol", true),
        (&[], "// see @libar-dev/software", false),
    ];
    for (modules, text, expected) in cases {
        assert_eq!(passes(modules, text), *expected, "{modules:?} {text}");
    }
}

#[test]
fn a_file_that_a_trusted_module_gives_a_builder_passes() {
    for (entry, specifier) in [
        ("src/b.ts", "./b"),
        ("src/b.ts", "./b.js"),
        ("src/b.tsx", "./b.js"),
        ("src/b.mts", "./b.mjs"),
        ("src/b.cts", "./b.cjs"),
        ("src/b.cjs", "./b.cjs"),
        ("src/b.d.ts", "./b.d"),
        ("src/index.ts", "."),
        ("src/b/index.ts", "./b"),
        ("index.ts", ".."),
        ("src/b", "./b"),
        ("src/b", "../src/b"),
        ("./b", "./b"),
        ("#b", "#b"),
    ] {
        let text = format!("import {{ codeAnchor as a }} from '{specifier}';\nconst b = a({{ id: \"impl:b\" }});");
        let modules = Modules::new(vec![entry.to_owned()]);
        let binds = !read("src/a.ts", &text, &modules).anchors.is_empty();
        assert!(passes(&[entry], &text) || !binds, "{entry} {specifier}");
        assert_eq!(binds, !entry.ends_with("src/b"), "{entry} {specifier}");
    }
}
