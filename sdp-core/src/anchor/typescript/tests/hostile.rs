//! Texts that are made to be long.

use super::*;

#[test]
fn findings_are_bounded_however_much_is_wrong() {
    let head = format!("{IMPORT}\n");
    let within = |text: String, least: usize| {
        let count = read_text(&text).findings.len();
        assert!((least..=MAX_FINDINGS + 200).contains(&count), "{count}");
    };
    let fields = |count: usize, name: fn(usize) -> String| -> String {
        (0..count).map(|number| format!("{}: 1,", name(number))).collect()
    };
    within(format!("{head}const a = codeAnchor({{ {} }});", fields(50_000, |_| "readiness".to_owned())), 1000);
    within(format!("{head}const a = codeAnchor({{ {} }});", fields(50_000, |number| format!("x{number}"))), 1000);
    within(format!("{head}{}", "const a = codeAnchor();\n".repeat(20_000)), 1000);
    within(format!("{head}{}", "codeAnchor();\n".repeat(20_000)), 1000);
    within("/** @sdpx */\n".repeat(20_000), 1000);
    within(format!("function f() {{\n{}}}", "/** @sdpx */\n".repeat(20_000)), 1000);
    within(format!("{head}const a = codeAnchor({{ id: \"impl:a\", uses: [{}] }});", "1,".repeat(1000)), 1000);
    within(format!("{head}const a = codeAnchor({{ id: \"impl:a\", uses: [{}] }});", "1,".repeat(100_000)), 1);
}

#[test]
fn what_is_long_is_cut_in_messages() {
    let long = "x".repeat(1 << 20);
    for text in [
        format!("{IMPORT}\nconst a = codeAnchor({{ id: \"impl:a\", {long}: 1 }});"),
        format!("{IMPORT}\nconst a = codeAnchor({{ id: \"impl:a\", {long}: 1, {long}: 2 }});"),
        format!("{IMPORT}\nconst a = codeAnchor({{ id: \"impl:{long}\" }});"),
        format!("{IMPORT}\nconst a = codeAnchor({{ id: \"impl:a\", satisfies: \"{long}\" }});"),
        format!("{IMPORT}\nconst a = codeAnchor({{ id: \"impl:a\", role: \"A{long}\" }});"),
        format!("/** @sdp{long} */"),
        format!("{IMPORT}\n@ {long} @"),
    ] {
        let findings = read_text(&text).findings;
        assert!(!findings.is_empty());
        for finding in findings {
            let held = finding.message.len()
                + finding.path.map_or(0, |path| path.len())
                + finding.help.map_or(0, |help| help.len());
            assert!(held < 4096, "{held}");
        }
    }
}

#[test]
fn many_anchors_and_comments_are_read() {
    let many = 20_000;
    let constants: String =
        (0..many).map(|number| format!("const a{number} = codeAnchor({{ id: \"impl:a{number}\" }});\n")).collect();
    let comments: String = (0..many).map(|number| format!("/** @sdpAnchor impl:c{number} */\n")).collect();
    let nested: String = (0..many).map(|number| format!("function f{number}() {{ /** x @sdp */ }}\n")).collect();
    let read = read_text(&format!("{IMPORT}\n{constants}{nested}{comments}"));
    assert_eq!((read.anchors.len(), read.findings.len()), (2 * many, 0));
}

proptest::proptest! {
    #[test]
    fn any_text_ends_within_its_lines(
        pieces in proptest::collection::vec(
            "[ \\n\\r(){}\\[\\],;:=a\"'`/*<>!]{1,3}|/\\*\\* @sdpAnchor impl:a \\*/|const a = codeAnchor\\(\\{ id: \"impl:a\" \\}\\);|codeAnchor\\(|ref\\(\"spec:a\"\\)|satisfies: |const |function f\\(\\) \\{",
            0..30,
        ),
        is_tsx: bool,
    ) {
        let text = format!("{IMPORT}\n{}", pieces.concat());
        let path = if is_tsx { "src/a.tsx" } else { "src/a.ts" };
        let read = read(path, &text, &Modules::default());
        let lines = u32::try_from(text.matches(['\n', '\r']).count()).unwrap() + 1;
        let lines_of = read.anchors.iter().map(|anchor| anchor.line);
        for line in lines_of.chain(read.findings.iter().filter_map(|finding| finding.line)) {
            proptest::prop_assert!((1..=lines).contains(&line));
        }
        proptest::prop_assert_eq!(super::read(path, &text, &Modules::default()), read);
    }
}
