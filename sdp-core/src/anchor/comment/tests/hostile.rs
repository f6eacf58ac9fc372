//! Any text ends, in steps that grow with its length alone, and what is found lies in it, in order.

use super::*;
use crate::anchor::built_in_names;
use crate::anchor::languages::syntax::Syntax;

/// Hands each language to a test, with what may open something in it.
fn each_language(mut test: impl FnMut(&Language, Vec<String>)) {
    let languages = Languages::default();
    for (place, name) in built_in_names().enumerate() {
        let language = languages.all().nth(place).unwrap();
        assert_eq!(language.name, name);
        let tokens = language.with_syntax(|syntax| syntax.map_or(vec!["/*".to_owned(), "r#\"".to_owned()], tokens));
        test(language, tokens);
    }
}

fn tokens(syntax: &Syntax<'_>) -> Vec<String> {
    let lines = syntax.line.iter().map(|line| line.token);
    let blocks = syntax.block.iter().flat_map(|block| [block.open, block.close]);
    let texts = syntax.texts.iter().flat_map(|text| [text.open, text.close, text.hole]);
    let skips = syntax.skips.iter().copied();
    let special = [
        "<<A", "<<<A", "<<~A\n", "R\"(", "[[", "[==[", "--[[", "$a$", "{a|", "#\"", "##", "'", "/", "=/[", "|", "- |",
        "a: |\n", "%w(", "~r/", "\"\"\"",
    ];
    lines
        .chain(blocks)
        .chain(texts)
        .chain(skips)
        .chain(special)
        .filter(|token| !token.is_empty())
        .flat_map(|token| [token.to_owned(), format!("{token}\n"), format!("{token}\\{token}")])
        .collect()
}

#[test]
fn the_steps_of_a_scan_grow_with_the_text_alone() {
    const SIZE: usize = 1 << 11;
    each_language(|language, tokens| {
        for token in tokens {
            for tail in ["", "\n\""] {
                let text = token.repeat(SIZE / token.len()) + tail;
                language.with_syntax(|syntax| {
                    let Some(syntax) = syntax else { return };
                    let mut scanner = Scanner::new(&text, syntax);
                    let mut end = 0;
                    for comment in scanner.by_ref() {
                        assert!(comment.range.start >= end && comment.range.end > comment.range.start);
                        end = comment.range.end;
                    }
                    // Heredocs and others with an end of their own are sought 16 times together.
                    assert!(scanner.looked <= 80 * text.len(), "{}: {token:?}: {}", language.name, scanner.looked);
                });
            }
        }
    });
}

#[test]
fn a_megabyte_of_an_opening_token_is_read_to_its_end() {
    for (file, token) in [
        ("a.js", "`"),
        ("a.js", "/["),
        ("a.py", "'''"),
        ("a.sh", "<<A\n"),
        ("a.c", "\"\\"),
        ("a.rs", "/*/"),
        ("a.swift", "#"),
        ("a.yml", "- |\n"),
        ("a.lua", "--[["),
        ("a.sql", "$a$"),
        ("a.cs", "\""),
        ("a.rb", "#"),
        ("a.rs", "/// ```\n"),
        ("a.rs", "{"),
        ("a.rs", "mod{"),
        ("a.rb", "%w("),
        ("a.cs", "\"\"\"a"),
    ] {
        let text = format!("{}\n@sdp", token.repeat((1 << 20) / token.len()));
        assert_eq!(read_file(file, &text).anchors, []);
    }
}

#[test]
fn findings_and_nesting_without_end_are_bounded() {
    let many = "# @sdpx\n\n".repeat(100_000);
    assert!(read_file("a.py", &many).findings.len() <= MAX_FINDINGS + 100);
    let many = "# @sdpx\n".repeat(100_000);
    assert_eq!(read_file("a.py", &many).findings.len(), 100);
    let deep = format!("{}@sdpAnchor impl:a", "/* ".repeat(300_000));
    assert_eq!(read_file("a.rs", &deep).findings.len(), 1);
    assert_eq!(read_file("a.kt", &deep).findings.len(), 1);
    let holes = "`${".repeat(300_000);
    assert_eq!(read_file("a.js", &holes), Read::default());
    let long = format!("# @sdpAnchor {}\n", "x".repeat(1 << 20));
    assert!(read_file("a.py", &long).findings[0].message.len() < 2000);
    let long = format!("# @sdp{}\n", "x".repeat(1 << 20));
    assert!(read_file("a.py", &long).findings[0].message.len() < 2000);
}

proptest::proptest! {
    #[test]
    fn any_text_ends_and_comments_lie_in_it(
        place in 0_usize..200,
        pieces in proptest::collection::vec("[ \\n\\r\\\\\"'`/*#\\-{}()\\[\\]<>|$=@a-zé%;!?~:]{1,3}|@sdpAnchor impl:a\n|/\\*|\\*/|<<A|\"\"\"|--\\[\\[|''|#\\{|\\$\\{", 0..60),
    ) {
        let text = pieces.concat();
        let languages = Languages::default();
        let language = languages.all().nth(place % built_in_names().count()).unwrap();
        let check = |comments: &mut dyn Iterator<Item = Comment<'_>>| {
            let mut end = 0;
            for comment in comments {
                assert!(comment.range.start >= end && comment.range.end > comment.range.start, "{text:?}");
                assert!(text[comment.range.clone()].starts_with(comment.mark), "{text:?}");
                assert!(comment.range.start <= comment.content.start && comment.content.end <= comment.range.end);
                assert!(text.get(comment.content.clone()).is_some(), "{text:?}");
                end = comment.range.end;
            }
        };
        language.with_syntax(|syntax| match syntax {
            Some(syntax) => check(&mut Scanner::new(&text, syntax)),
            None => check(&mut RustComments::new(&text)),
        });
        // TypeScript ends a line in more ways.
        let ends: &[char] = if language.is_typescript() { &['\n', '\r'] } else { &['\n'] };
        let lines = u32::try_from(text.matches(ends).count()).unwrap() + 1;
        let Read { anchors, findings, .. } = read(language, "a", &text);
        for line in anchors.iter().map(|anchor| anchor.line).chain(findings.iter().filter_map(|finding| finding.line)) {
            assert!((1..=lines).contains(&line));
        }
    }
}
