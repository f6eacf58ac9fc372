//! What no input may do: panic, hang, or give findings out of order.

use proptest::prelude::*;

use super::*;

#[test]
fn an_id_holds_512_bytes_at_most_in_every_slot() {
    let id = |bytes: usize| format!("spec:{}", "a".repeat(bytes - 5));
    let spec = |id: &str, target: &str| {
        format!(
            "---\nid: {id}\nkind: rule\naltitude: story\nreadiness: idea\nrelations:\n  refines: {target}\n---\n# T\n"
        )
    };
    let pack = |member: &str, model: &str| {
        format!("---\nid: pack:a\nspecs:\n  - {member}\nmodelRefs:\n  - {model}\n---\n# T\n")
    };
    let (fits, long) = (id(512), id(513));
    assert_eq!(findings(&spec(&fits, &fits)), []);
    assert_eq!(findings(&pack(&fits, &fits)), []);
    let message = format!("Invalid ID \"{}…\": longer than 512 bytes", id(80));
    assert_findings(&spec(&long, "spec:b"), &[("extract/invalid-id", 2, &message)]);
    assert_findings(&spec("spec:a", &long), &[(FRONTMATTER, 7, &message)]);
    assert_findings(&pack(&long, &long), &[("extract/invalid-id", 4, &message), ("extract/invalid-id", 6, &message)]);
    let help = findings(&pack(&long, "spec:b"))[0].help.clone();
    assert_eq!(help.as_deref(), Some("give the Spec or Pack a shorter id: 512 bytes at most"));
}

#[test]
fn messages_show_200_characters_of_a_heading_or_key() {
    let heading = "n".repeat(201);
    let found = findings(&sections(&format!("## {heading}\n")));
    assert_eq!(found[0].message, format!("heading \"{}…\" is not recognized", &heading[..200]));
    let found = findings(&with_line(2, &format!("{heading}: x")));
    assert!(
        found
            .iter()
            .any(|finding| finding.message == format!("frontmatter key \"{}…\" is not accepted", &heading[..200])),
        "{found:?}"
    );
}

/// Nothing here looks at a clock: a reader that goes through such a text again and again never comes to the answer.
#[test]
fn hostile_carriers_are_answered() {
    let front = |yaml: String| format!("---\n{yaml}\n---\n# T\n");
    let deep = "frontmatter exceeds the depth limit of 16";
    for opening in ["[", "{a: ", "{", "[a: ", "{? ", "[[],"] {
        let text = front(format!("id: {}", opening.repeat(32_000 / opening.len())));
        assert_findings(&text, &[(FRONTMATTER, 2, deep)]);
    }
    for opening in ["- ", "? ", ": ", "- - ? "] {
        let found = findings(&front(opening.repeat(32_000 / opening.len())));
        assert!(!found.is_empty() && found.len() <= 8, "{opening}: {found:?}");
    }
    let bomb = (0..500)
        .fold("a0: &a0 [x]\n".to_owned(), |text, n| text + &format!("a{}: &a{} [*a{n}, *a{n}]\n", n + 1, n + 1));
    assert_eq!(findings(&front(bomb)).len(), 100);
    // A text and how many findings it gets; one without is read.
    let texts = [
        (1, front("{---".to_owned())),
        (1, front("{--- ".to_owned())),
        (1, front("[\n--- ".to_owned())),
        (1, front("\"".repeat(32_000))),
        (1, front("[a, ".repeat(250) + &"b: c,".repeat(6_000))),
        (100, front("k: v\n".repeat(6_000))),
        (100, front((0..4_000).map(|n| format!("{n}: v\n")).collect())),
        (6, front("a: |\n".to_owned() + &" \n".repeat(16_000))),
        (0, sections(&"[".repeat(100_000))),
        (0, sections(&format!("## Rule\n\n- {}", "[#".repeat(50_000)))),
        (1, sections(&"> ".repeat(100_000))),
        (100, sections(&"## Intentt\n".repeat(20_000))),
        (1, sections(&format!("## Example space\n\n```gwt-vocabulary\n{}", "Given a\n".repeat(20_000)))),
        (100, sections(&"```\n".repeat(50_000))),
        (100, sections(&"```x\n".repeat(50_000))),
        (2, sections(&format!("## Rule\n\n{}", "```gwt\n".repeat(30_000)))),
        (100, sections(&format!("## Rule\n\n{}", "```gwt\n```\n".repeat(20_000)))),
        (1, sections(&format!("## Intent\n\n<{}", (1..700).map(|n| "`".repeat(n) + " ").collect::<String>()))),
        (1, sections(&format!("<{}", "` `` ".repeat(40_000)))),
        (1, sections(&"<a ".repeat(80_000))),
        (0, sections(&format!("## Design\n\n{}", (0..20_000).map(|n| format!("- k{n}: v\n")).collect::<String>()))),
    ];
    for (count, text) in &texts {
        let found = read("a.sdp.md", text).err().map_or(0, |findings| findings.len());
        assert_eq!(found, *count, "{:?}", text.chars().take(80).collect::<String>());
    }
}

fn carrier_piece() -> impl Strategy<Value = String> {
    let pieces = [
        "---\n",
        "---",
        "...\n",
        "\n",
        "\r\n",
        "\r",
        "\u{FEFF}",
        "\0",
        " ",
        "\t",
        "# T\n",
        "## Intent\n",
        "## Rule\n",
        "## Example space\n",
        "## Verification — manual\n",
        "### Open questions\n",
        "- ",
        "- [blocking #k] q\n",
        "- [#k] r\n",
        "- outcome: x\n",
        "**A** — b\n",
        "```gwt\n",
        "```gwt-vocabulary\n",
        "```\n",
        "Given a\n",
        "When b\n",
        "Then c\n",
        "And d\n",
        "id: spec:a.b\n",
        "kind: example\n",
        "relations:\n",
        "  refines: ",
        "[",
        "]",
        "{",
        "}",
        ",",
        ": ",
        "? ",
        "&a ",
        "*a ",
        "!t ",
        "!!",
        "|",
        ">-",
        "\"",
        "'",
        "\\",
        "%",
        "#",
        "<b>",
        "`",
        "``",
        "<!--",
        "-->",
        "é",
        "\u{2028}",
        "\u{1F600}",
        "`<x>`",
    ];
    prop_oneof![
        4 => proptest::sample::select(pieces.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        drop(read("a.sdp.md", &text));
        drop(read("a.sdp.md", &format!("---\n{text}\n---\n# T\n")));
        drop(read("a.sdp.md", &sections(&text)));
    }

    #[test]
    fn a_carrier_with_pieces_put_in_is_a_document_or_has_findings_in_order(
        pieces in proptest::collection::vec((carrier_piece(), any::<proptest::sample::Index>(), 0_usize..4), 1..12),
        with_crlf in any::<bool>(),
    ) {
        let mut text = sections("Narrative.\n\n## Intent\n\n- outcome: o\n\n## Rule\n\n- a\n\n## Design\n\n- k: v\n");
        for (piece, index, cut) in pieces {
            let mut at = index.index(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let mut end = (at + cut).min(text.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.replace_range(at..end.max(at), &piece);
        }
        if with_crlf {
            text = text.replace('\n', "\r\n");
        }
        match read("a.sdp.md", &text) {
            Ok(document) => prop_assert!(document.id().starts_with("spec:") || document.id().starts_with("pack:")),
            Err(found) => {
                let lines = text.split('\n').count() + 1;
                prop_assert!(!found.is_empty() && found.len() <= 100);
                prop_assert!(found.is_sorted_by_key(|finding| finding.line));
                prop_assert!(found.iter().all(|finding| finding.line.is_some_and(|line| line >= 1 && line as usize <= lines)));
            }
        }
    }
}
