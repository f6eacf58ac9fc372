//! Comments: which blocks are read, where they bind, and how their lines are read.

use super::*;

const MISPLACED: &str = "[error] non-static-envelope misplaced reserved tag: an @sdp… tag binds only from a top-level /** … */ comment, never from a nested position";

#[test]
fn a_block_binds_wherever_no_statement_holds_it() {
    let cases: &[(&str, &[&str])] = &[
        ("/** @sdpAnchor impl:a */", &["impl:a@1"]),
        (
            "#!/usr/bin/env node\n/** @sdpAnchor impl:a */\n'use strict';\n/** @sdpAnchor impl:b */\n",
            &["impl:a@2", "impl:b@4"],
        ),
        ("/** @sdpAnchor impl:a */\nimport \"x\";", &["impl:a@1"]),
        (
            "f(); /** @sdpAnchor impl:a */ g(); /** @sdpAnchor impl:b */\n/** @sdpAnchor impl:c */",
            &["impl:a@1", "impl:b@1", "impl:c@2"],
        ),
        ("/** @sdpAnchor impl:a */ /** @sdpAnchor impl:b */\nfunction f() {}", &["impl:a@1", "impl:b@1"]),
        (
            "// x\n\n/**\n * What it is.\n *\n * @sdpAnchor impl:a\n * @param x is unread\n * @sdpSatisfies spec:a, spec:b\n */\nexport class A {}",
            &["impl:a@3"],
        ),
        ("const x = 1 /** @sdpAnchor impl:a */\n", &["impl:a@1"]),
        (";/** @sdpAnchor impl:a */;", &["impl:a@1"]),
        ("/***@sdpAnchor impl:a*/", &["impl:a@1"]),
    ];
    for (text, expected) in cases {
        assert_eq!(given(text), *expected, "{text}");
        let windows = text.replace('\n', "\r\n");
        assert_eq!(given(&windows), *expected, "{windows:?}");
    }
}

#[test]
fn other_comments_and_texts_are_not_read() {
    for text in [
        "// see @sdpAnchor impl:a\n",
        "/* @sdpAnchors */",
        "const s = \"/** @sdpAnchor impl:a */\", t = `/** @sdpAnchor impl:a ${x} */`, r = /[/**] @sdpAnchor impl:a */;",
        "/** Write @sdpAnchor in prose. */",
        "/** x\n * see @sdpAnchor impl:a\n */",
        "/** ** @sdpAnchor impl:a */",
        "function f() { // of @sdpAnchor impl:a\n /* @sdpLabel x */ /** of @sdpAnchor */ }",
    ] {
        assert_eq!(given(text), Vec::<String>::new(), "{text}");
    }
    let text = "const x = <p>/** @sdpAnchor impl:a */</p>;\n";
    assert_eq!(read("src/a.tsx", text, &Modules::default()), Read::default());
}

#[test]
fn an_anchor_in_a_comment_that_is_never_read_is_named() {
    let said = |line: u32| {
        format!(
            "{line} [warning] skipped-source a tag binds in TypeScript from a /** … */ comment alone: the tag in this comment binds nothing"
        )
    };
    for (text, line) in [
        ("\n// @sdpAnchor impl:a\n// @sdpSatisfies spec:a\n", 2),
        ("/* @sdpAnchor impl:a */", 1),
        ("/*\n * @sdpAnchor impl:a\n */", 1),
        ("/**/ //// @sdpAnchor impl:a", 1),
        ("function f() {\n  // @sdpAnchor impl:a\n}", 2),
    ] {
        assert_eq!(given(text), [said(line)], "{text}");
    }
}

#[test]
fn a_nested_block_with_a_tag_is_refused_at_its_first_line() {
    for text in [
        "function f() {\n  /**\n   * Text.\n   * @sdpAnchor impl:a\n   */\n}",
        "class A {\n  /** @sdpLabel x */ m() {}\n}",
        "const o = {\n  /** @sdpAnchor impl:a */ a: 1 };",
        "f(\n/** @SDPAnchor impl:a */);",
        "const x = 1 +\n/** @sdpFoo */ 2;",
        "const x = <p>{\n/** @sdpAnchor impl:a */}</p>;",
        "export default (\n/** @sdpAnchor impl:a */) => 1;",
        "namespace N {\n/** @sdpAnchor impl:a */ const a = 1 }",
        "'use strict'\n/** @sdpAnchor impl:a */;",
        "const f = async (a,\n/** @sdpAnchor impl:a */ b) => a < b;",
        "import { a,\n/** @sdpAnchor impl:a */ b } from \"x\";",
        "@dec\n/** @sdpAnchor impl:a */ export class A {}",
        "@dec\n/** @sdpAnchor impl:a */ class A {}",
        "@dec @other()\n/** @sdpAnchor impl:a */ export default class {}",
        "@dec export\n/** @sdpAnchor impl:a */ default class {}",
        "export\n/** @sdpAnchor impl:a */ abstract class A {}",
    ] {
        let read = read("src/a.ts", text, &Modules::default());
        let read = if text.contains("<p>") { super::read("src/a.tsx", text, &Modules::default()) } else { read };
        let said: Vec<String> = read
            .findings
            .iter()
            .map(|finding| {
                format!("{} [{}] {} {}", finding.line.unwrap(), finding.severity, finding.id.name(), finding.message)
            })
            .collect();
        assert_eq!((read.anchors.len(), said), (0, vec![format!("2 {MISPLACED}")]), "{text}");
    }
}

#[test]
fn what_is_wrong_with_a_tag_is_said_at_its_line() {
    assert_eq!(
        given("/**\n * @sdpAnchor impl:a\n * @sdpFoo x\n * wraps\n */\n/** @sdpLabel x */\n/** @sdpAnchor test:b */\n"),
        [
            "3 [error] non-static-envelope tag \"@sdpFoo\" is not a reserved anchor tag (@sdpAnchor · @sdpLabel · @sdpSatisfies · @sdpVerifies · @sdpModels · @sdpReferences · @sdpComponent · @sdpUses · @sdpRole · @sdpLayer · @sdpContext) — the envelope is closed",
            "4 [error] non-static-envelope a line after the first reserved tag must open a tag — a wrapped target is refused, never read as prose",
            "6 [error] non-static-envelope anchor field \"id\" is missing — a comment block carrying @sdp… tags must open its anchor with @sdpAnchor <id>",
            "7 [error] non-static-envelope anchor field \"verifies\" is missing — the binding cannot be constructed without it",
        ]
    );
}

#[test]
fn comments_and_constants_go_out_in_the_order_in_which_they_stand() {
    let text = format!(
        "/** @sdpAnchor impl:a */\n{IMPORT}\nconst b = codeAnchor({{ id: \"impl:b\" }});\n/** @sdpAnchor impl:c */\nconst d = codeAnchor({{ id: \"impl:d\" }});\n"
    );
    assert_eq!(given(&text), ["impl:a@1", "impl:b@3", "impl:c@4", "impl:d@5"]);
}
