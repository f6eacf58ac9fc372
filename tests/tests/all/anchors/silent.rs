//! Tags and bindings that a run could pass over in silence: each is read or named.

use super::{checked, extracted, said, specs};

const TAG: &str = "# @sdpAnchor impl:a\n# @sdpSatisfies spec:a\n";

#[test]
#[sdp::verifies("spec:sdp.anchors.comments")]
fn a_tag_in_a_file_of_no_known_language_is_named_at_its_line_once() {
    let repo = specs()
        .file("a.foo", format!("text\n\n{TAG}\n{TAG}"))
        .file("scripts/run", format!("#!/bin/run\n{TAG}"))
        .file("a.vue", "<!-- @sdpAnchor impl:b -->\n")
        .file("a.d.ts", "/** @sdpAnchor impl:c */\nexport declare const a: number;\n")
        .file("b.mts", "// @sdpAnchor impl:d\n")
        .file("c.ts", "// @sdpAnchor impl:e\n")
        .file("prose.foo", "Write `@sdpAnchor impl:x`, see @sdpAnchor.\n");
    let extraction = extracted(&repo);
    assert_eq!(
        said(&extraction),
        [
            "a.d.ts:1 — [warning] sdp/skipped-source — anchors in TypeScript are read in `.ts` and `.tsx` files, but not in `.d.ts`: the tag binds nothing",
            "a.foo:3 — [warning] sdp/skipped-source — no language is known for `.foo`: the tag binds nothing",
            "a.vue:1 — [warning] sdp/skipped-source — no language is known for `.vue`: the tag binds nothing",
            "b.mts:1 — [warning] sdp/skipped-source — anchors in TypeScript are read in `.ts` and `.tsx` files, but not in `.d.ts`: the tag binds nothing",
            "c.ts:1 — [warning] sdp/skipped-source — a tag binds in TypeScript from a /** … */ comment alone: the tag in this comment binds nothing",
            "scripts/run:2 — [warning] sdp/skipped-source — no language is known for a file named `run`: the tag binds nothing",
        ]
    );
    let help = |file: &str| {
        let finding = extraction.findings.iter().find(|finding| finding.file.as_deref() == Some(file));
        finding.map(|finding| finding.remedy().to_owned()).unwrap_or_default()
    };
    assert!(
        help("a.foo").ends_with("`comment-languages = [{ endings = [\"foo\"], like = \"C\" }]`"),
        "{}",
        help("a.foo")
    );
    assert!(help("scripts/run").ends_with("`comment-languages = [{ names = [\"run\"], like = \"C\" }]`"));
    assert_eq!(help("a.d.ts"), "bind in a file that is read, or exclude this one with `exclude`");
    assert_eq!(checked(&repo).code, Some(0));
}

#[test]
fn what_the_help_advises_makes_the_tag_bind() {
    let repo = specs().file("a.foo", TAG).file("run", TAG.replace("impl:a", "impl:b")).file(
        "sdp.toml",
        "comment-languages = [{ endings = [\"foo\"], like = \"Shell\" }, { names = [\"run\"], like = \"Shell\" }]\n",
    );
    let run = checked(&repo);
    assert_eq!(run.code, Some(0));
    assert!(!run.stdout.contains("skipped-source"), "{}", run.stdout);
    assert!(run.stdout.contains("2 anchors"), "{}", run.stdout);
}

#[test]
fn prose_data_binaries_and_what_lies_far_behind_are_not_searched() {
    let mut binary = vec![0];
    binary.extend(b"\n# @sdpAnchor impl:a\n");
    let far = format!("{}{TAG}", "0123456789abcde\n".repeat(64 * 1024));
    let repo =
        specs().file("a.md", TAG).file("a.json", TAG).file("a.snap", TAG).file("a.foo", binary).file("b.foo", far);
    assert_eq!(said(&extracted(&repo)), Vec::<String>::new());
}

#[test]
fn a_tag_in_the_wrong_case_is_an_error_even_where_it_stands_alone() {
    for tag in ["@SdpAnchor", "@SDPANCHOR", "@sDpAnchor"] {
        let said = said(&extracted(&specs().file("a.py", format!("# {tag} impl:a\n"))));
        assert_eq!(said.len(), 1, "{said:#?}");
        assert!(said[0].starts_with("a.py:1 — [error] extract/non-static-envelope — "), "{said:#?}");
    }
}

#[test]
#[sdp::verifies("spec:sdp.modules")]
fn a_rust_file_that_binds_by_comment_is_named_where_no_target_leads_to_it() {
    let tag = |id: &str| format!("// @sdpAnchor {id}\n// @sdpSatisfies spec:a\nfn a() {{}}\n");
    let repo = specs()
        .file("Cargo.toml", "[package]\nname = \"shop\"\nedition = \"2024\"\n")
        .file("src/lib.rs", format!("mod met;\n{}", tag("impl:lib")))
        .file("src/met.rs", tag("impl:met"))
        .file("src/lost.rs", tag("impl:lost"))
        .file("src/silent.rs", "fn a() {}\n");
    let extraction = extracted(&repo);
    let text = "[warning] sdp/unreached-source — no target of the package shop leads to this file: its bindings count, unseen by the compiler";
    assert_eq!((said(&extraction), extraction.anchor_count), (vec![format!("src/lost.rs:1 — {text}")], 3));
}

#[test]
fn a_manifest_that_tells_nothing_is_nothing_to_a_comment() {
    let repo = specs().file("Cargo.toml", "[package]\n").file("src/lib.rs", TAG.replace('#', "//"));
    let extraction = extracted(&repo);
    assert_eq!((said(&extraction), extraction.anchor_count), (Vec::new(), 1));
}

#[cfg(unix)]
#[test]
#[sdp::verifies("spec:sdp.modules")]
fn a_linked_manifest_names_the_package() {
    let repo = specs()
        .file(
            "shared/manifest",
            "[package]\nname = \"shop\"\n\n[dependencies]\nsdp = { package = \"sdp-anchors\", version = \"0.1\" }\n",
        )
        .file("core/src/lib.rs", "#[sdp::satisfies(\"spec:a\")]\npub fn a() {}\n");
    std::os::unix::fs::symlink("../shared/manifest", repo.path("core/Cargo.toml")).unwrap();
    let extraction = extracted(&repo);
    assert_eq!((said(&extraction), extraction.anchor_count), (Vec::new(), 1));
    assert!(extraction.place("impl:shop.a").is_some());
}
