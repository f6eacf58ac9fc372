//! What an author is told to do, where the general remedy of the finding's id does not fit.

use super::*;
use crate::typescript::PACKAGE;

#[track_caller]
fn assert_remedy(text: &str, remedy: &str) {
    let findings = answer(text).findings;
    assert_eq!(findings.iter().map(crate::finding::Finding::remedy).collect::<Vec<_>>(), [remedy], "{text}");
}

#[test]
fn a_remedy_names_what_was_meant() {
    assert_remedy(&spec("intend: {}"), "did you mean `intent`?");
    assert_remedy(
        &spec("wholly: {}"),
        "the names are id, kind, altitude, readiness, relations, title, narrative, intent, behavior, constraints, model, design, decision, verification, ui",
    );
    assert_remedy(&spec("behavior: { rule: [] }"), "did you mean `rules`?");
    assert_remedy(&spec("behavior: { rules: [{ rule: \"r\", Key: \"k\" }] }"), "did you mean `key`?");
    assert_remedy(&spec("verification: { mode: \"Manual\" }"), "did you mean `manual`?");
    assert_remedy(&spec("intent: { outcome: 5 }"), "write the value as a string, in quotes");
    assert_remedy(&spec("intent: { risks: \"r\" }"), "write it as the one element of an array: `[…]`");
    assert_remedy(&spec("intent: []"), "write the kind of value that the field takes");
    assert_remedy(&spec("relations: \"spec:b\""), "write `relations: […]`");
    assert_remedy(
        &spec("satisfies: []"),
        "delivery facts, claims and derived edges are computed, never authored: remove the key",
    );
    assert_remedy(&spec("verifies: []"), "declare a relation as an element of `relations`: `verifies(\"spec:…\")`");
}

#[test]
fn a_remedy_tells_how_a_statement_counts() {
    let made = "({ id: \"spec:a\", kind: \"rule\", altitude: \"story\", readiness: \"idea\" })";
    let with_import = |statement: &str| format!("{IMPORT}{statement}\n");
    assert_remedy(
        &format!("const a = spec{made};\n"),
        "import it: `import { spec } from \"@libar-dev/software-delivery-protocol\"`",
    );
    assert_remedy(&with_import(&format!("let a = spec{made};")), "write `const`");
    assert_remedy(
        &with_import(&format!("const a = spec{made} satisfies object;")),
        "write the call alone: only `as` may stand behind it",
    );
    assert_remedy(
        &with_import(&format!("export default spec{made};")),
        "give it a name: `export const … = spec({ … })`",
    );
    assert_remedy(&with_import(&format!("spec{made};")), "give it a name: `export const … = spec({ … })`");
    assert_remedy(
        &with_import("import \"./x\";"),
        "remove it; where the module hands the builders of the Protocol on, name it under `typescript.trusted`",
    );
    assert_remedy(
        &with_import("class C {}"),
        "a TypeScript carrier holds imports of the protocol package and constants that `spec(…)` or `pack(…)` make, and nothing else",
    );
    assert_remedy(
        &format!("import {{ codeAnchor }} from \"{PACKAGE}\";\nconst a = codeAnchor({{ id: \"impl:a\" }});\n"),
        "move the `codeAnchor` to the code that it binds: a carrier binds nothing",
    );
    assert_remedy("const", "mend the file's syntax; none of its Specs is in the graph until then");
}

#[test]
fn a_remedy_names_the_import_that_is_missing() {
    for (name, import) in [("refines(ref(\"spec:b\"))", "ref"), ("refines(specId(\"spec:b\"))", "specId")] {
        let text = format!(
            "import {{ refines, spec }} from \"{PACKAGE}\";\nconst a = spec({{ id: \"spec:a\", kind: \"rule\", altitude: \"story\", readiness: \"idea\", relations: [{name}] }});\n"
        );
        assert_remedy(&text, &format!("import it: `import {{ {import} }} from \"{PACKAGE}\"`"));
    }
}

#[test]
fn a_remedy_says_how_an_id_opens() {
    const FOLLOW: &str = "; segments of letters, digits and `-` follow, with dots between";
    for (id, remedy) in [
        ("\"impl:a\"", format!("the id opens with `spec:`{FOLLOW}")),
        ("\"spec:a_b\"", format!("the id opens with `spec:`{FOLLOW}")),
        ("ref(\"impl:a\")", format!("in ref(…) the id opens with `spec:`{FOLLOW}")),
        ("packId(\"pack:a\")", "take the builder that belongs here: packId is none".to_owned()),
    ] {
        let text = format!(
            "import {{ packId, ref, refines, spec }} from \"{PACKAGE}\";\nconst a = spec({{ id: \"spec:a\", kind: \"rule\", altitude: \"story\", readiness: \"idea\", relations: [refines({id})] }});\n"
        );
        assert_remedy(&text, &remedy);
    }
}

#[test]
fn a_remedy_says_what_keeps_a_value_from_being_written_out() {
    assert_remedy(&spec("intent: { ...a }"), "write each property as `name: value`, with the value itself");
    assert_remedy(&spec("intent: { outcome }"), "write each property as `name: value`, with the value itself");
    assert_remedy(&spec("intent: { [a]: \"b\" }"), "write the name itself, or as a string");
    assert_remedy(&spec("behavior: { rules: [...a] }"), "write each element of the array itself");
    assert_remedy(&spec("intent: { outcome: null }"), "leave the property out: what is not stated has no value");
    for behind in ["satisfies object", "!"] {
        let text = format!("{IMPORT}const a = spec({{ id: \"spec:a\" }} {behind});\n");
        assert_remedy(&text, "write the object alone: only `as` may stand behind it");
    }
}
