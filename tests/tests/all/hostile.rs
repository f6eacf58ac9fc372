//! Hostile trees through the whole pipeline: whatever the bytes are, each carrier is in the graph or named by a finding,
//! and two runs say the same.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::extract;
use sdp_core::reader::Reader;
use sdp_tests::Repo;
use tempfile::TempDir;

/// The carriers of all fixtures.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, into);
            } else if form(&path).is_some() {
                into.push(path);
            }
        }
    }
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"), &mut files);
    files.sort();
    files.iter().map(|file| (form(file).unwrap(), std::fs::read(file).unwrap())).collect()
}

/// The ending that names a carrier's form.
fn form(path: &Path) -> Option<&'static str> {
    [".sdp.md", ".sdp.gherkin"].into_iter().find(|ending| path.to_string_lossy().ends_with(ending))
}

#[derive(Clone, Debug)]
enum Change {
    /// Cuts the text here.
    Cut(usize),
    /// Puts bytes here.
    Insert(usize, Vec<u8>),
    /// Repeats a stretch many times.
    Repeat(usize, usize),
    /// Takes a line away.
    DropLine(usize),
    /// Writes a line twice.
    DoubleLine(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let piece = prop_oneof![
        vec(any::<u8>(), 1..4),
        prop::sample::select(vec![
            "---\n",
            "```gwt\n",
            "```\n",
            "## Intent\n",
            "- ",
            "  - x\n",
            "[#a] ",
            "{",
            "\"",
            ": ",
            "&a ",
            "*a",
            "\r",
            "\u{feff}",
            "\u{2028}",
            "<b>",
            "`",
            "spec:",
            "#",
            "**t** — ",
            "\t",
            "Scenario: x\n",
            "Given a\n",
            "@example-space\n",
            "@spec.x ",
            "| a |\n",
            "\"\"\"\n",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop_oneof![
        any::<usize>().prop_map(Change::Cut),
        (any::<usize>(), piece).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        (any::<usize>(), 1..400usize).prop_map(|(at, times)| Change::Repeat(at, times)),
        any::<usize>().prop_map(Change::DropLine),
        any::<usize>().prop_map(Change::DoubleLine),
    ]
}

fn changed(mut text: Vec<u8>, change: &Change) -> Vec<u8> {
    let within = |at: usize, length: usize| if length == 0 { 0 } else { at % length };
    let line = |at: usize, text: &[u8]| {
        let lines: Vec<Vec<u8>> = text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        (within(at, lines.len()), lines)
    };
    match change {
        Change::Cut(at) => text.truncate(within(*at, text.len())),
        Change::Insert(at, bytes) => {
            let at = within(*at, text.len());
            text.splice(at..at, bytes.iter().copied());
        }
        Change::Repeat(at, times) => {
            let at = within(*at, text.len());
            let stretch = text[at..text.len().min(at + 8)].repeat(*times);
            text.splice(at..at, stretch);
        }
        Change::DropLine(at) | Change::DoubleLine(at) => {
            let (at, mut lines) = line(*at, &text);
            if at < lines.len() {
                let taken = lines.remove(at);
                if matches!(change, Change::DoubleLine(_)) {
                    lines.splice(at..at, [taken.clone(), taken]);
                }
            }
            text = lines.concat();
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_carrier_is_lost_silently(picks in vec((any::<usize>(), vec(change(), 0..5)), 1..8)) {
        let seeds = seeds();
        let folder = TempDir::new().unwrap();
        let mut files = Vec::new();
        for (number, (pick, changes)) in picks.iter().enumerate() {
            let (form, seed) = &seeds[pick % seeds.len()];
            let file = format!("{number}{form}");
            std::fs::write(folder.path().join(&file), changes.iter().fold(seed.clone(), changed)).unwrap();
            files.push(file);
        }
        let run = || extract(folder.path(), &DiscoverOptions::default());
        let extraction = run();
        let known: BTreeSet<&str> = extraction
            .graph
            .nodes
            .iter()
            .map(|node| node.file())
            .chain(extraction.findings.iter().filter_map(|finding| finding.file.as_deref()))
            .collect();
        for file in &files {
            prop_assert!(known.contains(file.as_str()), "{file} is lost");
        }
        let again = run();
        prop_assert_eq!(&extraction.findings, &again.findings);
        prop_assert_eq!(extraction.graph.to_json().unwrap(), again.graph.to_json().unwrap());
        let reader = Reader::new(Arc::clone(&extraction.graph));
        for spec in reader.specs() {
            prop_assert!(reader.spec_context(&spec.id).is_some());
            prop_assert!(extraction.place(&spec.id).is_some());
        }
        for pack in reader.packs() {
            prop_assert!(reader.pack_context(&pack.id).is_some());
        }
        let files: Vec<&str> = reader.graph().nodes.iter().map(|node| node.file()).collect();
        prop_assert_eq!(reader.blast_radius(&files).at_risk, []);
        for finding in &extraction.findings {
            // A finding stands at a line that its file has; a missing body stands one past the closing `---`.
            if let (Some(file), Some(line)) = (&finding.file, finding.line) {
                let bytes = std::fs::read(folder.path().join(file)).unwrap();
                let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 2;
                prop_assert!(line >= 1 && line as usize <= lines, "{finding:?}: {lines} lines");
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn no_command_to_a_runner_is_printed() {
    const FORGED: &str = "\n::error::x\n  ##[error]y ##vso[task.complete] ##teamcity[a]";
    let body = "---\nid: spec:a\nkind: rule\naltitude: story\nreadiness: idea\nrelations: {}\n\"::x\": 1\n---\n# A\n";
    let repo = Repo::new()
        .spec("sound", "", "")
        .file("::error::x.sdp.md", body)
        .file("##[error]y.sdp.md", body)
        .file(" ::error::z.sdp.md", body);
    for form in ["human", "short"] {
        let run = repo.sdp(["check", "--output", form]);
        assert!(
            run.stderr.contains("./::error::x.sdp.md") && run.stderr.contains("./##\\u{5b}error]y.sdp.md"),
            "{}",
            run.stderr
        );
        run.gives_no_commands();
    }
    let json = repo.sdp(["check", "--output", "json"]);
    assert!(json.stdout.contains("\"file\":\"::error::x.sdp.md\""), "{}", json.stdout);
    assert!(json.stdout.contains("\"file\":\"##\\u005berror]y.sdp.md\""), "{}", json.stdout);
    json.gives_no_commands();
    for arguments in [vec!["q", "return 1"], vec!["rules"], vec!["build"], vec!["recipes", "run", "26"]] {
        let run = repo.sdp(&arguments);
        // An exclude that matches nothing is a warning.
        assert_eq!(run.code == Some(0), arguments.contains(&"--exclude"), "{arguments:?}");
        run.gives_no_commands();
    }

    let thrown = format!("throw new Error({FORGED:?})");
    let finding = format!("return [{{ rule: 'r', subject: 's', severity: 'error', message: 'm' + {FORGED:?} }}]");
    let repo = Repo::new()
        .spec("a", "", "")
        .file("specs/rules/x.sdp.js", &thrown)
        .file("rules/thrown.sdp.js", &thrown)
        .file("rules/found.sdp.js", &finding);
    let run = repo.sdp(["rules"]);
    assert_eq!(run.code, Some(101));
    assert!(run.stdout.contains("\n  | ::error::x\n  |   ##\\u{5b}error]y ##vso\\u{5b}task"), "{}", run.stdout);
    run.gives_no_commands();
    let run = repo.sdp(["q", &thrown]);
    assert!(
        run.stderr.starts_with("sdp q: \n  | ::error::x\n  |   ##\\u{5b}error]y ##vso\\u{5b}task"),
        "{}",
        run.stderr
    );
    run.gives_no_commands();
    let run = repo.sdp(["build", "--out-dir", &format!("specs/a.sdp.md/{FORGED}")]);
    assert!(run.stderr.contains("a.sdp.md/\\n::error::x\\n"), "{}", run.stderr);
    assert_eq!(run.code, Some(1));
    run.gives_no_commands();
    for arguments in [
        vec!["build", "--check", "--out-dir", FORGED],
        vec!["build", "--root", FORGED],
        vec!["check", "--exclude", FORGED],
        vec!["check", FORGED],
        vec!["check", "--color", FORGED],
        vec!["check", "-D", FORGED],
        vec!["q", "--params", FORGED],
        vec!["q", "return 1", "--root", FORGED],
        vec!["rules", FORGED],
        vec!["rules", "x", "--", FORGED],
        vec!["rules", "--", "--format", FORGED],
        vec!["recipes", "run", FORGED],
        vec!["recipes", "run", "26", "--params", FORGED],
        vec!["recipes", FORGED],
        vec!["explain", FORGED],
        vec![FORGED],
    ] {
        let run = repo.sdp(&arguments);
        // An exclude that matches nothing is a warning.
        assert_eq!(run.code == Some(0), arguments.contains(&"--exclude"), "{arguments:?}");
        run.gives_no_commands();
    }
}

#[test]
fn a_strange_number_or_stack_of_threads_changes_nothing() {
    let repo = Repo::new().spec("a", "", "");
    for arguments in [&["check"][..], &["build"], &["rules", "conformance"], &["q", "return report.findings.length"]] {
        let expected = repo.sdp(arguments);
        for (name, value) in [
            ("RUST_MIN_STACK", "999999999999999"),
            ("RAYON_NUM_THREADS", "10000"),
            ("RAYON_NUM_THREADS", "1"),
            ("RAYON_NUM_THREADS", "-1"),
        ] {
            let run = repo.command(arguments).env(name, value).run();
            assert_eq!((run.code, &run.stderr), (expected.code, &expected.stderr), "{arguments:?} {name}={value}");
        }
    }
}
