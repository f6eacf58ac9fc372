//! `--output`: every form as a process gives it, byte for byte and read back by what reads such forms, and the exit codes, which
//! no form changes. `UPDATE_OUTPUTS=1` writes the recorded forms anew: read what it wrote.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::Message;
use cargo_metadata::diagnostic::DiagnosticLevel;
use sdp_tests::{BROKEN_CARRIER, Repo, Run, copy_folder, difference_or_update, ends};
use serde_json::Value;

const FORMATS: [&str; 8] = ["human", "short", "json", "cargo", "sarif", "github", "gitlab", "junit"];

fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/outputs").join(path)
}

/// A repository with one rule that fails on three Specs.
pub(crate) fn failing() -> Repo {
    let repo = Repo::new();
    copy_folder(&fixture("root"), repo.root());
    repo
}

/// A run that writes a form to a file, with the form's text.
fn written(repo: &Repo, command: &[&str], format: &str) -> (Run, String) {
    let run = repo.sdp(
        command.iter().map(|word| (*word).to_owned()).chain(["--output".to_owned(), format!("{format}=out/{format}")]),
    );
    let text = fs::read_to_string(repo.path(&format!("out/{format}"))).unwrap_or_default();
    (run, text)
}

/// Parses a SARIF log, valid by the part of the schema that is used, and by the whole one where the machine has it.
#[track_caller]
pub(crate) fn sarif(text: &str) -> Value {
    let log: Value = serde_json::from_str(text).unwrap();
    let mut schemas = vec![fixture("sarif.schema.json")];
    schemas.extend(std::env::var_os("SDP_SARIF_SCHEMA").map(PathBuf::from));
    for path in schemas {
        let schema: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let faults: Vec<String> =
            validator.iter_errors(&log).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
        assert!(faults.is_empty(), "{}: {faults:?}\n{text}", path.display());
    }
    log
}

/// Reads each line as cargo's readers do.
#[track_caller]
fn cargo_messages(text: &str) -> Vec<Message> {
    text.lines()
        .map(|line| {
            let message: Message = serde_json::from_str(line).unwrap();
            assert!(!matches!(message, Message::TextLine(_)), "{line}");
            message
        })
        .collect()
}

#[test]
#[sdp::verifies("spec:sdp.outputs")]
fn each_form_of_a_rule_that_fails_on_three_specs_is_recorded() {
    let repo = failing();
    // How many cases a run has beside its own is told by a list.
    let others = repo.sdp(["rules", "--list"]).stdout.lines().count() - 1;
    let mut differences = Vec::new();
    for format in FORMATS {
        let (run, text) = written(&repo, &["rules", "rule::team"], format);
        ends(&run, 101);
        let root = fs::canonicalize(repo.root()).unwrap();
        let text = [repo.root(), &root]
            .iter()
            .fold(text, |text, root| text.replace(&root.to_string_lossy().replace('\\', "/"), "{root}"))
            .replace(env!("CARGO_PKG_VERSION"), "{version}")
            .replace(&format!("{others} filtered out"), "{others} filtered out")
            .replace(&format!("\"filteredOut\":{others}"), "\"filteredOut\":{others}");
        differences.extend(difference_or_update(&fixture(&format!("{format}.txt")), &text, "UPDATE_OUTPUTS"));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn what_stands_in_a_file_is_what_would_stand_on_stdout() {
    let repo = failing();
    for command in [&["rules", "rule::team"][..], &["check"]] {
        for format in FORMATS {
            let (run, text) = written(&repo, command, format);
            let alone = repo.sdp(command.iter().chain(&["--output", format]));
            assert_eq!(alone.code, run.code, "{format}");
            // The test runner has a form of its own, and `check` tells people on stderr.
            if format != "human" && (format != "short" || command[0] == "rules") {
                assert_eq!(alone.stdout, text, "{command:?} {format}");
            }
        }
    }
}

/// The fingerprints of a run in the forms that carry them.
fn fingerprints(repo: &Repo) -> [Vec<String>; 3] {
    let rules = |format| repo.sdp(["rules", "rule::team", "--output", format]);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let json = rules("json").findings().iter().map(|finding| text(&finding["fingerprint"])).collect();
    let log = sarif(&rules("sarif").stdout);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let sarif = results.iter().map(|result| text(&result["partialFingerprints"]["sdp/v1"])).collect();
    let rows: Vec<Value> = serde_json::from_str(&rules("gitlab").stdout).unwrap();
    [json, sarif, rows.iter().map(|row| text(&row["fingerprint"])).collect()]
}

#[test]
#[sdp::verifies("spec:sdp.outputs.moved-lines")]
fn fingerprints_stay_when_ten_lines_are_inserted_above() {
    let repo = failing();
    let before = fingerprints(&repo);
    assert_eq!(before[0].iter().collect::<BTreeSet<_>>().len(), 3);
    assert!(before.iter().all(|prints| *prints == before[0]), "{before:?}");
    for name in ["basket", "invoice", "order"] {
        let path = format!("specs/{name}.sdp.md");
        let text = fs::read_to_string(repo.path(&path)).unwrap();
        repo.write(&path, text.replacen("---\n", &format!("---\n{}", "# another line\n".repeat(10)), 1));
    }
    let moved = repo.sdp(["rules", "rule::team", "--output", "json"]).findings();
    assert!(moved.iter().all(|finding| finding["line"] == 12), "{moved:?}");
    assert_eq!(fingerprints(&repo), before);
}

#[test]
fn a_finding_of_a_check_has_one_fingerprint_in_check_and_in_rules() {
    let repo =
        Repo::new().spec("a", "", "").spec("b", "", "\n## Behavior\n\n- rule: see spec:a.\n- rule: see spec:far.\n");
    let prints = |run: Run| -> BTreeSet<String> {
        run.findings().iter().map(|finding| format!("{} {}", finding["case"], finding["fingerprint"])).collect()
    };
    let of_check = prints(repo.sdp(["check", "--output", "json"]));
    assert!(of_check.len() > 2, "{of_check:?}");
    assert_eq!(prints(repo.sdp(["rules", "check::", "--output", "json"])), of_check);
}

/// A corpus whose texts try to break out of every form.
#[cfg(unix)]
fn hostile() -> Repo {
    const TEXT: &str = "\"]]>\n::error::x\r\n##[error]y\u{1b}[31m\u{202e}</failure>&amp;\u{0}\u{ffff} %0A | `<b>`";
    let body = format!(
        "const text = {};\nconsole.log(text);\nreturn [\n  {{ rule: text, subject: text, message: text }},\n  {{ subject: 'spec:a', message: text, severity: 'warning' }},\n];\n",
        serde_json::to_string(TEXT).unwrap()
    );
    Repo::new()
        .spec("a", "", "")
        .spec("b", "", "\n## Behavior\n\n- rule: see spec:gone]]>::error::.\n")
        .file("specs/\"]]>\n::error::x\u{1b}[31m\u{202e}&%,.sdp.md", sdp_tests::spec_text("c", "", ""))
        .file("::error::d/d.sdp.md", sdp_tests::spec_text("d", "", ""))
        .file("rules/hostile.sdp.js", body)
        .file("rules/throws.sdp.js", format!("throw new Error({});", serde_json::to_string(TEXT).unwrap()))
}

#[cfg(unix)]
#[test]
fn every_form_of_a_hostile_corpus_is_read_back_and_commands_nothing() {
    let repo = hostile();
    let is_raw =
        |character: char| character.is_control() && !matches!(character, '\n' | '\t') || character == '\u{202e}';
    for (command, code) in [(&["check"][..], 1), (&["rules"], 101)] {
        for format in FORMATS {
            let run = repo.sdp(command.iter().chain(&["--output", format]));
            ends(&run, code);
            for text in [&run.stdout, &run.stderr] {
                assert!(!text.contains(is_raw), "{command:?} {format}: {text:?}");
                for line in text.lines().map(str::trim_start) {
                    let commands = line.starts_with("::") || line.starts_with("##[");
                    assert!(!commands || format == "github" && text == &run.stdout, "{format}: {line}");
                }
            }
            let findings = match format {
                "json" => {
                    let lines = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
                    lines.filter(|line| line.get("finding").is_some()).count()
                }
                "cargo" => {
                    let messages = cargo_messages(&run.stdout);
                    assert!(matches!(messages.last(), Some(Message::BuildFinished(end)) if !end.success));
                    messages.len() - 1
                }
                "sarif" => sarif(&run.stdout)["runs"][0]["results"].as_array().unwrap().len(),
                "gitlab" => {
                    let rows: Vec<Value> = serde_json::from_str(&run.stdout).unwrap();
                    let prints: BTreeSet<&str> = rows.iter().map(|row| row["fingerprint"].as_str().unwrap()).collect();
                    assert_eq!(prints.len(), rows.len());
                    rows.len()
                }
                "github" => {
                    for line in run.stdout.lines() {
                        let (command, rest) = line.split_once(' ').unwrap();
                        assert!(["::error", "::warning", "::notice"].contains(&command), "{line}");
                        assert!(rest.contains("title=") && rest.contains("::"), "{line}");
                    }
                    continue;
                }
                "junit" => {
                    let document = roxmltree::Document::parse(&run.stdout).unwrap();
                    let cases = document.descendants().filter(|node| node.has_tag_name("testcase")).count();
                    let counted: usize = document.root_element().attribute("tests").unwrap().parse().unwrap();
                    assert_eq!(cases, counted);
                    continue;
                }
                _ => continue,
            };
            let expected = repo.sdp(command.iter().chain(&["--output", "json"])).findings().len();
            assert!(findings == expected && expected >= 5, "{command:?} {format}: {findings} of {expected}");
        }
    }
}

#[test]
fn a_reader_of_cargo_finds_each_finding_at_its_place() {
    let repo = failing();
    let run = repo.command(["rules", "rule::team", "--output", "cargo", "--root", ".."]).cwd(repo.path("specs")).run();
    ends(&run, 101);
    let messages = cargo_messages(&run.stdout);
    let mut seen = Vec::new();
    for message in &messages[..3] {
        let Message::CompilerMessage(message) = message else { panic!("{message:?}") };
        let said = &message.message;
        assert_eq!(said.level, DiagnosticLevel::Error);
        assert_eq!(said.code.as_ref().unwrap().code, "rule::team");
        let span = &said.spans[0];
        // Paths are seen from the current folder, as cargo's are.
        let text = fs::read_to_string(repo.path("specs").join(&span.file_name)).unwrap();
        let range = span.byte_start as usize..span.byte_end as usize;
        assert_eq!(text[range], span.text[0].text);
        assert!(
            said.rendered.as_ref().unwrap().contains(&format!(
                " --> ../specs/{}:{}",
                span.file_name.rsplit('/').next().unwrap(),
                span.line_start
            )),
            "{said:?}"
        );
        seen.push(text.lines().nth(span.line_start - 1).unwrap().to_owned());
    }
    assert_eq!(seen, ["id: spec:basket", "id: spec:invoice", "id: spec:order"]);
}

#[test]
fn a_body_that_is_no_file_of_the_repository_names_none() {
    // The recipe judges only with a parameter that is wrong here, so that its body throws.
    let config = "[[rules]]\nname = \"cycles\"\nrecipe = 26\nparams = { relations = 7, types = 7, edges = 7 }\n";
    let repo =
        Repo::new().spec("a", "", "").file("sdp.toml", config).file("rules/throws.sdp.js", "throw new Error('no');");
    let findings = repo.sdp(["rules", "rule::", "--output", "sarif"]);
    let log = sarif(&findings.stdout);
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
    let uris: BTreeSet<String> = log["runs"][0]["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap().to_owned()
        })
        .collect();
    assert!(uris.contains("rules/throws.sdp.js"), "{uris:?}");
    for uri in uris {
        assert!(repo.path(&uri).exists(), "{uri}");
    }
}

#[test]
fn paths_are_seen_from_the_top_of_the_checkout() {
    let repo = Repo::new().file(".git/HEAD", "ref: refs/heads/main\n");
    copy_folder(&fixture("root"), &repo.path("back end"));
    let run = repo
        .command(["rules", "rule::team", "--output", "sarif", "--root", "../back end"])
        .cwd(repo.path(".git"))
        .run();
    let log = sarif(&run.stdout);
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "back%20end/specs/basket.sdp.md");
    let run = repo.sdp(["rules", "rule::team", "--output", "github", "--root", "back end"]);
    assert!(run.stdout.starts_with("::error file=back end/specs/basket.sdp.md,line=2,title="), "{}", run.stdout);
}

#[test]
fn no_form_changes_how_rules_ends() {
    let bad = failing().file("rules/ok.sdp.js", "return []");
    let broken = failing().file("specs/x.sdp.md", BROKEN_CARRIER);
    let refused = failing().file("sdp.toml", "rule-globs = [\"none/*.js\"]\n");
    for (repo, words, code) in [
        (&bad, "rule::ok", 0),
        (&bad, "rule::", 101),
        (&bad, "rule::nothing", 4),
        (&broken, "rule::team", 101),
        (&refused, "rule::team", 1),
        (&bad, "--bogus", 2),
    ] {
        for format in FORMATS {
            ends(&repo.sdp(["rules", words, "--output", format]), code);
            ends(&written(repo, &["rules", words], format).0, code);
        }
    }
    let run = bad.sdp(["rules", "rule::nothing", "--output", "json"]);
    assert_eq!(run.stdout, "");
    // What keeps the rules from running is a finding in every form.
    let run = refused.sdp(["rules", "--output", "gitlab"]);
    let rows: Vec<Value> = serde_json::from_str(&run.stdout).unwrap();
    assert!(rows[0]["description"].as_str().unwrap().contains("none/*.js"), "{}", run.stdout);
}

#[test]
fn not_run_is_a_failure_and_only_reports_is_none() {
    let repo = failing().file("specs/x.sdp.md", BROKEN_CARRIER);
    let run = repo.sdp(["rules", "--output", "json"]);
    let cases: Vec<Value> = run
        .stdout
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).unwrap().get("case").cloned())
        .collect();
    let result = |name: &str| cases.iter().find(|case| case["name"] == name).unwrap()["result"].clone();
    assert_eq!((result("extract::carriers"), result("rule::team")), ("failed".into(), "not run".into()));
    let listed = repo.sdp(["rules", "--list"]);
    assert_eq!(listed.stdout.lines().count(), cases.len(), "each case that is listed ends");
    let junit = repo.sdp(["rules", "--output", "junit"]).stdout;
    let document = roxmltree::Document::parse(&junit).unwrap();
    let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count().to_string();
    let suite = document.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    for (element, attribute) in
        [("failure", "failures"), ("error", "errors"), ("skipped", "skipped"), ("testcase", "tests")]
    {
        assert_eq!(suite.attribute(attribute), Some(count(element).as_str()), "{element}");
    }
    assert!(
        junit.contains("<error message=\"not run\" type=\"not run\">not run: the carriers give no graph"),
        "{junit}"
    );
}

#[test]
fn a_case_of_check_is_one_test_case_of_junit() {
    let repo = failing();
    let xml = repo.sdp(["check", "--output", "junit"]).stdout;
    let document = roxmltree::Document::parse(&xml).unwrap();
    let names: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
        .map(|node| node.attribute("name").unwrap())
        .collect();
    let listed = repo.sdp(["rules", "--list"]).stdout;
    let own: Vec<&str> = listed
        .lines()
        .filter_map(|line| {
            line.strip_suffix(": test").filter(|name| name.starts_with("extract::") || name.starts_with("check::"))
        })
        .collect();
    assert_eq!(names, own);
}

#[test]
fn what_no_anchor_binds_has_every_form_and_a_baseline_makes_errors() {
    let repo = Repo::new()
        .file("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
        .file("src/lib.rs", "pub fn refund() {}\n\npub fn order() {}\n")
        .spec("a", "  dependsOn: spec:b", "")
        .spec("b", "", "");
    let page = repo.sdp(["unbound"]);
    assert!(page.stdout.starts_with("shop: 2 of 2 public items"), "{}", page.stdout);
    let (run, text) = written(&repo, &["unbound"], "sarif");
    assert_eq!(run, page);
    let log = sarif(&text);
    let places: Vec<(&Value, &Value)> = log["runs"][0]["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| (&result["level"], &result["locations"][0]["physicalLocation"]["region"]["startLine"]))
        .collect();
    assert_eq!(places, [(&"warning".into(), &1.into()), (&"warning".into(), &3.into())]);
    let baseline = ["unbound", "--baseline", "unbound.txt"];
    ends(&repo.sdp(baseline.iter().chain(&["--update-baseline", "--output", "json"])), 0);
    repo.write("src/lib.rs", "pub fn refund() {}\n\npub fn cancel() {}\n");
    let run = repo.sdp(baseline.iter().chain(&["--output", "json"]));
    ends(&run, 1);
    let rows: Vec<String> =
        run.findings().iter().map(|finding| format!("{} {}", finding["id"], finding["subjectId"])).collect();
    assert_eq!(rows, [r#""unbound/item" "shop fn shop::cancel""#, r#""unbound/stale" "shop fn shop::order""#]);
    let run = repo.sdp(["unbound", "--json", "--output", "json"]);
    assert_eq!(
        (run.complaint(), run.code),
        ("sdp unbound: --json and --output FORMAT without a file exclude each other.", Some(1))
    );
}

#[test]
fn a_finding_in_a_file_that_no_editor_loads_stands_at_the_configuration_too() {
    let gherkin = "@spec.a @altitude.story @readiness.idea\nFeature: F\n  - outcom: o\n";
    let repo = failing().file("sdp.toml", "").file("specs/a.sdp.gherkin", gherkin);
    let messages = cargo_messages(&repo.sdp(["check", "--output", "cargo"]).stdout);
    let Message::CompilerMessage(message) = &messages[0] else { panic!("{messages:?}") };
    let files: Vec<&str> = message.message.spans.iter().map(|span| span.file_name.as_str()).collect();
    assert_eq!(files, ["specs/a.sdp.gherkin", "sdp.toml"]);
    let notes: Vec<&str> = message.message.children.iter().map(|note| note.message.as_str()).collect();
    assert!(notes.contains(&"it stands at specs/a.sdp.gherkin:3"), "{notes:?}");
}

#[test]
fn cases_that_were_not_run_are_told_where_only_findings_are_listed() {
    let repo = failing().file("specs/x.sdp.md", BROKEN_CARRIER);
    let form = |format: &str| {
        let run = repo.sdp(["rules", "rule::team", "--output", format]);
        ends(&run, 101);
        run.stdout
    };
    let said = "1 case was not run: the carriers give no graph";
    let rows: Vec<Value> = serde_json::from_str(&form("gitlab")).unwrap();
    assert_eq!((rows.len(), &rows[0]["description"]), (1, &said.into()));
    let log = sarif(&form("sarif"));
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["toolExecutionNotifications"][0]["message"]["text"], said);
    let [Message::CompilerMessage(message), Message::BuildFinished(end)] = &cargo_messages(&form("cargo"))[..] else {
        panic!()
    };
    assert_eq!((message.message.message.as_str(), end.success), (said, false));
    assert_eq!(form("github"), format!("::notice title=cargo sdp rules::{said}\n"));
}

#[test]
fn junit_has_a_case_for_all_that_was_judged() {
    let repo = failing().file("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n");
    let names = |command: &str| {
        let xml = repo.sdp([command, "--output", "junit"]).stdout;
        let document = roxmltree::Document::parse(&xml).unwrap();
        let cases = document.descendants().filter(|node| node.has_tag_name("testcase"));
        cases.map(|case| case.attribute("name").unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("build"), ["extract::carriers", "check::contracts"]);
    assert_eq!(names("unbound"), ["extract::carriers", "unbound"]);
    repo.write("specs/x.sdp.md", BROKEN_CARRIER);
    assert_eq!(names("build"), ["extract::carriers"]);
    assert_eq!(names("unbound"), ["extract::carriers"]);
}
