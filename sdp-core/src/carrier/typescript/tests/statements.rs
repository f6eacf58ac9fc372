//! Which statements hold documents, and what is said of all others.

use super::*;

#[test]
fn constants_that_spec_or_pack_make_are_documents_in_the_order_in_which_they_stand() {
    let text = format!(
        "{IMPORT}const a = spec({{ id: \"spec:a\", kind: \"rule\", altitude: \"story\", readiness: \"idea\" }}), p = pack({{ id: \"pack:p\", specs: [] }});
export const b =
  (spec(({{ id: specId(`spec:b`), kind: (\"rule\" as const), altitude: \"story\", readiness: \"idea\" }} as const)) as unknown);\n"
    );
    let Read { documents, findings, used_modules } = answer(&text);
    let places: Vec<(&str, u32)> = documents.iter().map(|document| (document.id(), document.line())).collect();
    assert_eq!(places, [("spec:a", 2), ("pack:p", 2), ("spec:b", 4)]);
    assert_eq!((findings.as_slice(), used_modules.as_slice()), (&[][..], &[][..]));
    assert_eq!(answer(""), Read::default());
    assert_eq!(answer("// nothing\n/** @sdpAnchor impl:x */\n"), Read::default());
}

#[test]
fn all_other_statements_are_said_and_leave_their_siblings() {
    let good = "spec({ id: \"spec:a\", kind: \"rule\", altitude: \"story\", readiness: \"idea\" })";
    let text = format!(
        "{IMPORT}import {{ z }} from \"zod\";
let b = {good};
const c = 1, a = {good};
export default {good};
{good};
function f() {{}}
export function g() {{}}
const {{ d }} = {good};
const x = codeAnchor({{ id: \"impl:x\" }});
const s = {good} satisfies object;
declare const t: string;
export {{ a }};
;\n"
    );
    let lines: Vec<String> = found(&text);
    let expected: Vec<String> =
        [2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14].iter().map(|line| format!("warning {STATEMENT} {line}")).collect();
    assert_eq!(lines, expected);
    assert_eq!(ids(&text), ["spec:a", "spec:a"], "a pattern that takes a Spec apart holds it too");
    let set = "; the statement is ignored (the recognized set: imports bound to Protocol builder modules and const declarations initialized with spec(…)/pack(…))";
    let said = messages(&text);
    assert_eq!(
        said[0],
        format!(
            "import from \"zod\" is not the protocol package — identifiers it binds are non-static wherever they appear{set}"
        )
    );
    assert_eq!(said[1], format!("only const declarations are recognized{set}"));
    assert_eq!(
        said[2],
        format!("const \"c\" is not initialized with a spec(…)/pack(…) call bound to the protocol package{set}")
    );
    assert_eq!(said[5], format!("FunctionDeclaration is outside the authored grammar{set}"));
}

#[test]
fn a_builder_counts_where_an_import_of_the_package_or_of_a_trusted_module_binds_it() {
    let made = "({ id: \"spec:a\", kind: \"rule\", altitude: \"story\", readiness: \"idea\" });\n";
    let text = format!("import {{ spec as make }} from \"@acme/sdp\";\nconst a = make{made}");
    let trusting = Modules::new(vec!["@other/sdp".to_owned(), "@acme/sdp".to_owned()]);
    let trusted = read(FILE, &text, &trusting);
    assert_eq!((trusted.documents.len(), trusted.findings.len(), trusted.used_modules.as_slice()), (1, 0, &[1][..]));
    assert_eq!(found(&text), [format!("warning {STATEMENT} 1"), format!("warning {STATEMENT} 2")]);
    for import in ["* as sdp", "sdp", "type * as sdp"] {
        let text = format!("import {import} from \"@libar-dev/software-delivery-protocol\";\nconst a = sdp.spec{made}");
        assert_eq!((ids(&text).len(), found(&text).len()), (1, 0), "{import}");
    }
    // The anchors of the package make no Spec.
    let text =
        format!("import * as sdp from \"@libar-dev/software-delivery-protocol/anchors\";\nconst a = sdp.spec{made}");
    assert_eq!(found(&text), [format!("warning {STATEMENT} 2")]);
}

#[test]
fn a_file_that_does_not_parse_gives_one_error_and_nothing_else() {
    let text = spec("") + "const b = ;\nconst c = ;\n";
    let Read { documents, findings, .. } = answer(&text);
    assert_eq!(documents, []);
    assert_eq!(found(&text), ["error extract/parse-error 5"]);
    assert!(findings[0].message.starts_with("the file does not parse: "), "{}", findings[0].message);
    assert!(findings[0].message.ends_with(
        " — the error-tolerant parse recovers by guessing, so the file cannot be reified faithfully and its content is excluded"
    ));
}

#[test]
fn an_error_refuses_its_own_document_and_a_warning_none() {
    let text = spec("implemented: true")
        + "const b = spec({ id: \"spec:b\", kind: \"rule\", altitude: \"story\", readiness: \"idea\", nope: 1 });\n";
    assert_eq!(found(&text), [format!("error {RESERVED} 3 implemented"), format!("warning {PROPERTY} 5 nope")]);
    assert_eq!(ids(&text), ["spec:b"]);
    let subjects: Vec<Option<String>> = answer(&text).findings.into_iter().map(|finding| finding.subject).collect();
    assert_eq!(subjects, [Some("spec:a".to_owned()), Some("spec:b".to_owned())]);
}

#[test]
fn lines_end_where_typescript_ends_them() {
    let text = spec("nope: 1,").replace('\n', "\r\n") + "/* \u{2028} */\rlet b;";
    assert_eq!(found(&text), [format!("warning {PROPERTY} 3 nope"), format!("warning {STATEMENT} 7")]);
}
