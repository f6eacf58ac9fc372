//! The grammar of tags: each field, each message.

use super::*;
use crate::model::EdgeType;

/// What a block of `#` comments gives.
fn block(lines: &str) -> Vec<String> {
    let text: String = lines.lines().map(|line| format!("# {line}\n")).collect();
    given("a.py", &text)
}

#[test]
fn every_field_has_a_tag() {
    let text = "\
# Takes orders.
#
# @sdpAnchor component:shop.orders
# @sdpLabel Orders, all of them
# @sdpSatisfies spec:shop.order, spec:shop.refund
# @param x is unread
# @sdpReferences spec:shop.vocabulary
# @sdpComponent component:shop
# @sdpUses impl:shop.pay,api:shop.mail
# @sdpRole handler
# @sdpLayer domain
# @sdpContext ordering
#
#########
";
    let anchor = read_file("a.sh", text).anchors.remove(0);
    assert_eq!((anchor.id.as_str(), anchor.line), ("component:shop.orders", 1));
    assert_eq!(anchor.label.as_deref(), Some("Orders, all of them"));
    assert_eq!(
        (anchor.role.as_deref(), anchor.layer.as_deref(), anchor.context.as_deref()),
        (Some("handler"), Some("domain"), Some("ordering"))
    );
    let bindings: Vec<(EdgeType, &str, u32)> =
        anchor.bindings.iter().map(|binding| (binding.edge_type, binding.target.as_str(), binding.line)).collect();
    assert_eq!(
        bindings,
        [
            (EdgeType::Satisfies, "spec:shop.order", 5),
            (EdgeType::Satisfies, "spec:shop.refund", 5),
            (EdgeType::MemberOf, "component:shop", 8),
            (EdgeType::Uses, "impl:shop.pay", 9),
            (EdgeType::Uses, "api:shop.mail", 9),
            (EdgeType::References, "spec:shop.vocabulary", 7),
        ]
    );
}

#[test]
fn a_test_and_an_oracle_are_bound() {
    let text = "// @sdpAnchor test:a\n// @sdpVerifies spec:a\n\n// @sdpAnchor oracle:a\n// @sdpModels spec:a\n";
    assert_eq!(given("a.go", text), ["test:a@1", "oracle:a@4"]);
}

#[test]
fn what_is_wrong_is_said_in_the_words_of_the_protocol() {
    let list = "@sdpAnchor · @sdpLabel · @sdpSatisfies · @sdpVerifies · @sdpModels · @sdpReferences · @sdpComponent · @sdpUses · @sdpRole · @sdpLayer · @sdpContext";
    let malformed = |tag: &str| {
        format!(
            "malformed reserved tag \"@{tag}\": a line that opens with @sdp is a reserved tag, written as @sdp and a camelCase name, then whitespace and its value"
        )
    };
    let unknown = |tag: &str| format!("tag \"@{tag}\" is not a reserved anchor tag ({list}) — the envelope is closed");
    let wrapped =
        "a line after the first reserved tag must open a tag — a wrapped target is refused, never read as prose"
            .to_owned();
    let missing = "anchor field \"id\" is missing — a comment block carrying @sdp… tags must open its anchor with @sdpAnchor <id>".to_owned();
    let cases = [
        ("@sdpAnchor", 1, "anchor field \"id\" did not reify: tag \"@sdpAnchor\" carries no id".to_owned()),
        (
            "@sdpAnchor impl:a impl:b",
            1,
            "anchor field \"id\" did not reify: tag \"@sdpAnchor\" names more than one id".to_owned(),
        ),
        (
            "@sdpAnchor impl:a,impl:b",
            1,
            "anchor field \"id\" did not reify: tag \"@sdpAnchor\" names more than one id".to_owned(),
        ),
        ("prose\n@sdpSatisfies spec:a", 1, missing),
        ("@sdpAnchor impl:a\n@sdpLabel", 2, "tag \"@sdpLabel\" carries no value".to_owned()),
        ("@sdpAnchor impl:a\n@sdpUses  ", 2, "tag \"@sdpUses\" carries no value".to_owned()),
        (
            "@sdpAnchor impl:a\n@sdpSatisfies spec:a,, spec:b",
            2,
            "tag \"@sdpSatisfies\" carries an empty list item at \"satisfies[1]\"".to_owned(),
        ),
        (
            "@sdpAnchor impl:a\n@sdpUses impl:b,",
            2,
            "tag \"@sdpUses\" carries an empty list item at \"uses[1]\"".to_owned(),
        ),
        (
            "@sdpAnchor oracle:a\n@sdpModels spec:a, spec:b",
            2,
            "tag \"@sdpModels\" names more than one target; exactly one is required".to_owned(),
        ),
        (
            "@sdpAnchor impl:a\n@sdpComponent component:a component:b",
            2,
            "tag \"@sdpComponent\" names more than one target; exactly one is required".to_owned(),
        ),
        (
            "@sdpAnchor impl:a\n@sdpSatisfies spec:a,\nspec:b",
            2,
            "tag \"@sdpSatisfies\" carries an empty list item at \"satisfies[1]\"".to_owned(),
        ),
        ("@sdpAnchor impl:a\nprose\nmore prose", 2, wrapped.clone()),
        ("@sdpAnchor impl:a\n@-param x", 2, wrapped),
        ("@sdpAnchor impl:a\n@sdpSatisfy spec:a", 2, unknown("sdpSatisfy")),
        ("@sdpanchor impl:a", 1, unknown("sdpanchor")),
        ("@sdp-anchor impl:a", 1, malformed("sdp-anchor")),
        ("@sdp", 1, malformed("sdp")),
        ("@sdpAnchor: impl:a", 1, malformed("sdpAnchor:")),
        ("@SdpAnchor impl:a", 1, malformed("SdpAnchor")),
        ("@SDP", 1, malformed("SDP")),
    ];
    for (text, line, message) in cases {
        assert_eq!(block(text).first(), Some(&format!("!{line} {message}")), "{text}");
    }
    assert_eq!(block("@sdpAnchor impl:a\nprose\nmore prose").len(), 1);
}

#[test]
fn a_misspelled_tag_is_answered_with_the_one_that_was_meant() {
    let help = |tag: &str| read_file("a.py", &format!("# {tag} x\n# @sdpLabel a\n")).findings[0].help.clone().unwrap();
    for (tag, meant) in [
        ("@sdpSatisfy", "@sdpSatisfies"),
        ("@sdpanchor", "@sdpAnchor"),
        ("@sdp-anchor", "@sdpAnchor"),
        ("@SdpVerifies", "@sdpVerifies"),
        ("@sdpModel", "@sdpModels"),
    ] {
        assert_eq!(help(tag), format!("did you mean `{meant}`?"));
    }
    assert_eq!(help("@sdpSomethingElse"), "remove the tag, or put a word before it where it is prose");
}

#[test]
fn the_envelope_judges_what_the_tags_say() {
    assert_eq!(
        block("@sdpAnchor test:a\n@sdpSatisfies spec:a"),
        [
            "!2 anchor field \"satisfies\" is outside the binding contract (id · verifies · label) — an anchor asserts a binding only, never system-truth content",
            "!1 anchor field \"verifies\" is missing — the binding cannot be constructed without it",
        ]
    );
    let repeated = block("@sdpAnchor impl:a\n@sdpSatisfies spec:a\n@sdpSatisfies spec:b");
    assert!(repeated[0].starts_with("!3 property \"satisfies\" is authored more than once"), "{repeated:?}");
    let read = read_file("a.py", "# @sdpAnchor impl:A b\n\n# @sdpAnchor impl:?\n# @sdpSatisfies x\n");
    assert_eq!(read.findings.len(), 2, "{read:?}");
    assert_eq!(read.findings[1].id.as_str(), "extract/invalid-id");
}

#[test]
fn prose_and_the_tags_of_others_bind_nothing() {
    for text in ["@param x", "see @sdpAnchor impl:a", "`@sdpAnchor impl:a`", "- @sdpAnchor impl:a", "@sd pAnchor"] {
        assert_eq!(block(text), Vec::<String>::new(), "{text}");
    }
    assert_eq!(block("@param x y\n@sdpAnchor impl:a\n@returns {x} y\n\n@see"), ["impl:a@1"]);
}

#[test]
fn a_refused_anchor_leaves_its_siblings() {
    let text =
        "# @sdpAnchor impl:a\n\n# @sdpAnchor\n\n# @sdpAnchor impl:b\nx = 1 # @sdpAnchor impl:c\n# @sdpAnchor impl:d\n";
    let read = read_file("a.py", text);
    let ids: Vec<&str> = read.anchors.iter().map(|anchor| anchor.id.as_str()).collect();
    assert_eq!((ids, read.findings.len()), (vec!["impl:a", "impl:b", "impl:c", "impl:d"], 1));
}

#[test]
fn line_comments_are_one_block_only_when_nothing_parts_them() {
    // Code before one, a blank line, another token.
    assert_eq!(given("a.py", "x # prose\n  # @sdpAnchor impl:a\n    # @sdpLabel x\n"), ["impl:a@2"]);
    assert_eq!(given("a.py", "# @sdpAnchor impl:a\n\n# prose\n"), ["impl:a@1"]);
    assert_eq!(given("a.py", "# @sdpAnchor impl:a\nx = 1 # prose\n"), ["impl:a@1"]);
    assert_eq!(given("a.php", "<?\n// @sdpAnchor impl:a\n# prose\n"), ["impl:a@2"]);
    assert_eq!(given("a.c", "// @sdpAnchor impl:a\n/* prose */ // prose\n"), ["impl:a@1"]);
}

#[test]
fn decorations_are_no_part_of_a_value() {
    let texts = [
        ("a.c", "/***************\n ** @sdpAnchor impl:a **\n ***************/"),
        ("a.c", "/* @sdpAnchor impl:a **/"),
        ("a.c", "///< @sdpAnchor impl:a"),
        ("a.py", "########\n## @sdpAnchor impl:a\n########"),
        ("a.py", "#: @sdpAnchor impl:a"),
        ("a.html", "<!--- @sdpAnchor impl:a --->"),
        ("a.js", "/*\n@sdpAnchor impl:a\n*/"),
        ("a.js", "\u{FEFF}// @sdpAnchor impl:a"),
        ("a.js", "//@sdpAnchor\timpl:a \t"),
    ];
    for (file, text) in texts {
        let expected = if text.contains("**\n") {
            vec!["!2 anchor field \"id\" did not reify: tag \"@sdpAnchor\" names more than one id"]
        } else {
            vec!["impl:a@1"]
        };
        assert_eq!(given(file, text), expected, "{text}");
    }
}

#[test]
fn a_tag_names_a_thousand_targets_at_most() {
    let list = |count: usize| (0..count).map(|n| format!("spec:a.b{n}")).collect::<Vec<_>>().join(",");
    let text = |count: usize| format!("# @sdpAnchor impl:a\n# @sdpSatisfies {}\n", list(count));
    assert_eq!(read_file("a.py", &text(1000)).anchors[0].bindings.len(), 1000);
    assert_eq!(given("a.py", &text(1001)), ["!2 tag \"@sdpSatisfies\" names more than 1000 targets"]);
}
