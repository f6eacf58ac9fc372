//! The rules to start from: each is run over its own two corpora, over every other corpus that is here, with parameters that
//! it does not take, and where there is nothing to judge. `UPDATE_EXAMPLE_RULES=1` writes what is recorded anew, and
//! `UPDATE_DOCS=1` what the chapter shows: read what they wrote.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use sdp_core::config::{Limits, RootRequest, load};
use sdp_core::discover::DiscoverOptions;
use sdp_core::rules::{BodyTask, Case, Engine, EngineOptions, Task, Verdict, plan};
use sdp_recipes::head_of;
use sdp_tests::{Repo, copy_folder, difference_or_update, ends, skipped};
use serde_json::{Value, json};

use crate::corpora::corpora;

const CHAPTER: &str = "docs/src/starting-rules.md";

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn text(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// The names of the rules.
fn rules() -> Vec<String> {
    let files = std::fs::read_dir(project("examples/rules")).unwrap();
    let mut names: Vec<String> = files
        .filter_map(|file| Some(file.unwrap().file_name().to_str()?.strip_suffix(".sdp.js")?.to_owned()))
        .collect();
    names.sort();
    assert!(names.len() >= 10, "{names:?}");
    names
}

fn body(rule: &str) -> String {
    text(project(&format!("examples/rules/{rule}.sdp.js")))
}

/// A corpus of a rule with the rule copied into it, as the chapter says.
fn corpus(rule: &str, which: &str) -> Repo {
    let repo = Repo::new();
    copy_folder(&project(&format!("examples/rules/corpora/{rule}/{which}")), repo.root());
    repo.file(&format!("rules/{rule}.sdp.js"), body(rule))
}

/// The same corpus with other parameters.
fn configured(rule: &str, which: &str, params: &str) -> Repo {
    let repo = corpus(rule, which);
    repo.write(
        "sdp.toml",
        format!("[[rules]]\nname = \"{rule}\"\nbody = \"rules/{rule}.sdp.js\"\nparams = {params}\n"),
    );
    repo
}

/// What a run finds, a finding a paragraph.
fn outcome(rule: &str, which: &str) -> String {
    let run = corpus(rule, which).sdp(["rules", "rule::", "--output", "json"]);
    let mut said = format!("# {which}: exit code {}\n", run.code.unwrap());
    for finding in run.findings() {
        let of = |key: &str| finding[key].as_str().unwrap_or("-").to_owned();
        let line = finding["line"].as_u64().map_or("-".to_owned(), |line| line.to_string());
        assert_eq!(of("case"), format!("rule::{rule}"));
        let place = format!("{}:{line}", of("file"));
        writeln!(said, "\n{}[{}] {place}\n  {}\n  {}", of("severity"), of("id"), of("subjectId"), of("message"))
            .unwrap();
    }
    said
}

#[sdp::verifies("spec:sdp.starting-rules")]
#[test]
fn each_rule_says_of_its_corpora_what_is_recorded() {
    let mut differences = Vec::new();
    for rule in rules() {
        let (fails, passes) = (outcome(&rule, "fails"), outcome(&rule, "passes"));
        assert!(fails.starts_with("# fails: exit code 101\n\n") && fails.contains("\nerror["), "{rule}: {fails}");
        assert_eq!(passes, "# passes: exit code 0\n", "{rule}");
        let saved = project(&format!("examples/rules/corpora/{rule}/expected.txt"));
        differences.extend(difference_or_update(&saved, &format!("{fails}\n{passes}"), "UPDATE_EXAMPLE_RULES"));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn the_corpora_hold_no_fault_of_their_own() {
    for rule in rules() {
        for which in ["fails", "passes"] {
            ends(&corpus(&rule, which).sdp(["check"]), 0);
        }
    }
}

#[test]
fn each_head_names_its_rule_and_says_what_it_is_for_in_one_line() {
    for rule in rules() {
        let body = body(&rule);
        let head = head_of(&body);
        let named: Vec<&str> = head.rules.iter().map(|(_, name)| *name).collect();
        assert_eq!(named, [rule.as_str()]);
        assert!(head.title.is_some() && head.description.len() == 1 && head.states_params, "{rule}");
    }
}

#[test]
fn a_parameter_that_a_rule_does_not_take_is_refused() {
    for rule in rules() {
        let run = configured(&rule, "passes", "{ nonsense = 1 }").sdp(["rules", "rule::"]);
        ends(&run, 101);
        let body = body(&rule);
        let accepts = match head_of(&body).params.join(", ") {
            none if none.is_empty() => "none".to_owned(),
            some => some,
        };
        let said = format!("it does not accept the parameters nonsense; it accepts {accepts}\n");
        assert!(run.stdout.contains(&said), "{rule}: {}", run.stdout);
    }
}

#[test]
fn a_parameter_of_another_kind_never_passes() {
    for rule in rules() {
        let body = body(&rule);
        for param in head_of(&body).params {
            for value in ["7", "true", "[[1]]", "{ x = 1 }"] {
                let run = configured(&rule, "passes", &format!("{{ {param} = {value} }}")).sdp(["rules", "rule::"]);
                assert_eq!(run.code, Some(101), "{rule}: {param} = {value}: {}", run.stdout);
            }
        }
    }
}

/// A rule as the configuration of its failing corpus has it, and the folder that this stands in.
fn task(rule: &str) -> (Repo, BodyTask) {
    let repo = corpus(rule, "fails");
    let config = load(&RootRequest { root: Some(repo.root()), cwd: repo.root() }).unwrap();
    let plan = plan(&config, &DiscoverOptions::default()).unwrap();
    let name = format!("rule::{rule}");
    let case = plan.cases.into_iter().find(|case| case.name == name).unwrap();
    let Task::Body(task) = case.task else { panic!("{name} runs no body") };
    (repo, task)
}

fn verdict(root: &Path, base: &Path, task: BodyTask, time: Duration) -> Verdict {
    let engine = Engine::new(EngineOptions {
        root: root.to_owned(),
        base: base.to_owned(),
        folder: String::new(),
        packages: None,
        discover: DiscoverOptions::default(),
        limits: Limits { time, memory: 256 << 20 },
        severities: Default::default(),
    });
    engine.run(&Case { name: "rule::x".to_owned(), task: Task::Body(task) }).verdict
}

/// Every folder with Specs that is here: examples, corpora of the other rules, fixtures, the project, what is recorded.
fn roots() -> Vec<PathBuf> {
    let below = |folder: &str| -> Vec<PathBuf> {
        std::fs::read_dir(project(folder)).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let mut roots = below("examples");
    roots.retain(|root| !root.ends_with("rules"));
    roots.extend(below("tests/fixtures").into_iter().map(|fixture| fixture.join("root")));
    let corpora_of_rules = below("examples/rules/corpora").into_iter();
    roots.extend(corpora_of_rules.flat_map(|rule| ["fails", "passes"].map(|which| rule.join(which))));
    roots.push(project("specs"));
    if let Some(recorded) = corpora() {
        roots.extend(["protocol", "checkout"].map(|corpus| recorded.join(corpus)));
    }
    roots.sort();
    roots
}

#[sdp::verifies("spec:sdp.starting-rules")]
#[test]
fn every_rule_answers_of_every_other_corpus() {
    let roots = roots();
    let mut judged = 0;
    for rule in rules() {
        let (repo, configured) = task(&rule);
        for root in &roots {
            for params in [configured.params.clone(), Vec::new()] {
                let task = BodyTask { params, ..configured.clone() };
                match verdict(root, repo.root(), task, Duration::from_secs(60)) {
                    // What cannot be derived is not judged.
                    Verdict::NotRun => {}
                    Verdict::Judged(judgement) => {
                        assert_eq!(judgement.problems, [], "{rule} over {}", root.display());
                        judged += 1;
                    }
                    other => panic!("{rule} over {}: {other:#?}", root.display()),
                }
            }
        }
    }
    assert!(judged > rules().len() * 40, "{judged}");
}

#[test]
fn a_repository_without_a_spec_is_not_judged() {
    let empty = Repo::new();
    for rule in rules() {
        let (repo, task) = task(&rule);
        let verdict = verdict(empty.root(), repo.root(), task, Duration::from_secs(60));
        assert!(matches!(verdict, Verdict::NotRun), "{rule}: {verdict:#?}");
    }
}

#[test]
fn a_rule_that_has_nothing_to_judge_says_so() {
    for (rule, params, said) in [
        ("context-isolation", "{}", "no component states a context, so nothing is judged"),
        ("layer-direction", "{ order = [] }", "no component states a layer, so nothing is judged"),
        ("layer-direction", "{}", "`order` is not given"),
        ("cited-addresses-resolve", "{ addresses = [] }", "`addresses` is empty, so nothing is judged"),
        ("cited-addresses-resolve", "{}", "`addresses` is not given"),
        ("mentions-are-backed", "{ scope = \"pack:gone\" }", "`scope` is \"pack:gone\", which holds no Spec"),
        ("mentions-are-backed", "{ scope = \"spec:gone\" }", "`scope` is \"spec:gone\", which holds no Spec"),
    ] {
        let repo = Repo::new().spec("a", "", "").file(&format!("rules/{rule}.sdp.js"), body(rule)).file(
            "sdp.toml",
            format!("[[rules]]\nname = \"{rule}\"\nbody = \"rules/{rule}.sdp.js\"\nparams = {params}\n"),
        );
        let findings = repo.sdp(["rules", "rule::", "--output", "json"]).findings();
        let [finding] = findings.as_slice() else { panic!("{rule} {params}: {findings:?}") };
        assert!(finding["message"].as_str().unwrap().starts_with(said), "{rule} {params}: {finding}");
        assert_eq!((&finding["file"], &finding["line"]), (&json!("sdp.toml"), &json!(4)), "{rule} {params}");
    }
}

/// What a rule says of a corpus, a message a row.
fn messages(repo: &Repo) -> Vec<String> {
    let findings = repo.sdp(["rules", "rule::", "--output", "json"]).findings();
    findings.iter().map(|finding| finding["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_pattern_that_leaves_its_group_is_no_pattern() {
    let said = messages(&configured("id-naming", "passes", "{ patterns = { spec = 'a)|(?:.*' } }"));
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("`patterns.spec` is no regular expression: "), "{said:?}");
}

#[test]
fn a_cited_line_is_pointed_at_however_the_search_writes_it() {
    let address = "spec:shop.refund#design.journal";
    for (line, place) in [
        ("src/refund.rs:5:", "src/refund.rs:5"),
        ("./src/refund.rs:5:", "src/refund.rs:5"),
        ("./docs/handbook.md:3:", "sdp.toml:4"),
        // No line of a file.
        ("src/refund.rs:0:", "sdp.toml:4"),
        ("src/refund.rs:99999999999:", "sdp.toml:4"),
    ] {
        let repo = configured("cited-addresses-resolve", "fails", &format!("{{ addresses = [\"{line}{address}\"] }}"));
        let findings = repo.sdp(["rules", "rule::", "--output", "json"]).findings();
        let [finding] = findings.as_slice() else { panic!("{line}: {findings:?}") };
        assert_eq!(format!("{}:{}", finding["file"].as_str().unwrap(), finding["line"]), place, "{finding}");
        assert_eq!(finding["id"], "cited-addresses-resolve", "{finding}");
    }
}

#[test]
fn an_owner_may_be_marked_up_and_stand_in_several_paragraphs() {
    for (framing, owners) in [
        ("Owner: sales", &["sales"][..]),
        ("**Owner:** sales", &["sales"]),
        ("**Owner**: `sales`", &["sales"]),
        ("_owners:_ **sales**, goods", &["sales", "goods"]),
        ("Owner:\n\nOwner: sales", &["sales"]),
        ("Owner: sales\n\nOwner: goods, sales", &["sales", "goods"]),
        ("Owner:", &[]),
        ("Its Owner: sales", &[]),
        ("Ownership: sales", &[]),
    ] {
        let rule = "pack-has-owner";
        let params =
            format!("[[rules]]\nname = \"{rule}\"\nbody = \"rules/{rule}.sdp.js\"\nparams = {{ teams = [] }}\n");
        let pack = format!("---\nid: pack:p\nspecs: []\n---\n# P\n\n{framing}\n");
        let repo = Repo::new().spec("a", "", "").file("p.sdp.md", pack).file("sdp.toml", params);
        repo.write(&format!("rules/{rule}.sdp.js"), body(rule));
        let said = messages(&repo);
        let expected: Vec<String> = if owners.is_empty() {
            let remedy = "write a paragraph \"Owner: team-name\" below its title, or list it in `owners`";
            vec![format!("\"pack:p\" has no owner: {remedy}")]
        } else {
            let of = |name| format!("\"pack:p\" is owned by \"{name}\", which `teams` does not list");
            owners.iter().map(of).collect()
        };
        assert_eq!(said, expected, "{framing}");
    }
}

#[test]
fn what_is_to_be_done_is_said_in_the_carriers_own_form() {
    let carrier = "import { pack, spec } from \"@libar-dev/software-delivery-protocol\";

export const a = spec({
  id: \"spec:a\",
  kind: \"behavior\",
  altitude: \"feature\",
  readiness: \"idea\",
  title: \"A\",
  relations: [],
  intent: { outcome: \"o\", openQuestions: [\"Why?\"] },
});
export const p = pack({ id: \"pack:p\", title: \"P\", specs: [\"spec:a\"], framing: \"Text.\" });
";
    let repo = Repo::new().file("a.sdp.ts", carrier);
    for rule in ["pack-has-owner", "questions-are-keyed"] {
        repo.write(&format!("rules/{rule}.sdp.js"), body(rule));
    }
    let expected = [
        "\"pack:p\" has no owner: write a paragraph \"Owner: team-name\" in its `framing`, or list it in `owners`",
        "the question \"Why?\" has no key: write it as `{ question: \"…\", key: \"yourKey\" }`",
    ];
    assert_eq!(messages(&repo), expected);
}

#[test]
fn a_pattern_without_an_end_is_stopped_by_the_limit() {
    let repo = configured("id-naming", "fails", "{ patterns = { spec = '(([a-z.]+)+)+!' } }");
    let long = "a".repeat(60);
    repo.write("specs/long.sdp.md", sdp_tests::spec_text(&format!("shop.{long}"), "", ""));
    let config = load(&RootRequest { root: Some(repo.root()), cwd: repo.root() }).unwrap();
    let plan = plan(&config, &DiscoverOptions::default()).unwrap();
    let case = plan.cases.into_iter().find(|case| case.name == "rule::id-naming").unwrap();
    let Task::Body(task) = case.task else { panic!() };
    let verdict = verdict(repo.root(), repo.root(), task, Duration::from_millis(300));
    assert!(matches!(verdict, Verdict::Broken(_)), "{verdict:#?}");
    assert!(format!("{verdict:?}").contains("Timeout"), "{verdict:?}");
}

#[test]
fn a_question_a_mention_and_a_relation_are_pointed_at_in_typescript_and_gherkin_too() {
    let carrier = "import { dependsOn, ref, refines, spec } from \"@libar-dev/software-delivery-protocol\";

export const a = spec({
  id: \"spec:a\",
  kind: \"behavior\",
  altitude: \"feature\",
  readiness: \"idea\",
  title: \"A\",
  relations: [
    refines(ref(\"spec:c\")),
    dependsOn(ref(\"spec:b\")),
  ],
  intent: {
    outcome: \"As spec:d has it.\",
    openQuestions: [
      { question: \"Why?\", blocking: false },
    ],
  },
});
";
    let feature = "@spec.b @altitude.feature @readiness.idea\n@depends-on.spec:a\nFeature: B\n  - outcome: o\n";
    let repo = Repo::new().file("a.sdp.ts", carrier).file("b.sdp.gherkin", feature).spec("c", "", "").spec("d", "", "");
    let mut places = Vec::new();
    for rule in ["mentions-are-backed", "no-dependency-cycle", "questions-are-keyed"] {
        repo.write(&format!("rules/{rule}.sdp.js"), body(rule));
    }
    for finding in repo.sdp(["rules", "rule::", "--output", "json"]).findings() {
        places.push(format!(
            "{} {}:{}",
            finding["id"].as_str().unwrap(),
            finding["file"].as_str().unwrap(),
            finding["line"]
        ));
    }
    let expected =
        ["mentions-are-backed a.sdp.ts:14", "no-dependency-cycle a.sdp.ts:11", "questions-are-keyed a.sdp.ts:16"];
    assert_eq!(places, expected);
    repo.write("a.sdp.ts", carrier.replace("spec:a\"", "spec:z\""));
    repo.write("b.sdp.gherkin", feature.replace("spec:a", "spec:z"));
    let findings = repo.sdp(["rules", "rule::no", "--output", "json"]).findings();
    assert_eq!((&findings[0]["file"], &findings[0]["line"]), (&json!("b.sdp.gherkin"), &json!(2)), "{findings:?}");
}

#[test]
fn the_search_of_the_chapter_gives_what_the_rule_on_addresses_takes() {
    let chapter = text(project(CHAPTER));
    let (_, section) = chapter.split_once("### cited-addresses-resolve\n").unwrap();
    let block = section.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let line = block.lines().find(|line| line.starts_with("git grep")).unwrap();
    let has =
        |program: &str| Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !has("git") || !has("jq") {
        skipped("git or jq is not here");
        return;
    }
    for which in ["fails", "passes"] {
        let repo = corpus("cited-addresses-resolve", which);
        let golden: Value = serde_json::from_str(&text(repo.path("cited.json"))).unwrap();
        let script = format!("rm cited.json && git init --quiet && git add . && {line}");
        let run = Command::new("sh")
            .args(["-c", &script])
            .current_dir(repo.root())
            .env("HOME", repo.root())
            .output()
            .unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let written: Value = serde_json::from_str(&text(repo.path("cited.json"))).unwrap();
        assert_eq!(written, golden, "{which}");
    }
}

/// The first error about something of the failing corpus, as a run in the terminal shows it.
fn shown(rule: &str) -> String {
    let run = corpus(rule, "fails").sdp(["rules", "rule::"]);
    let (_, failures) = run.stdout.split_once(&format!("---- rule::{rule} ----\n")).unwrap();
    let mut errors = failures.split("\n\n").map(str::trim).filter(|paragraph| paragraph.starts_with("error["));
    errors.find(|error| error.contains("\n   = subject: ") || error.contains("\n  = subject: ")).unwrap().to_owned()
}

#[test]
fn the_chapter_shows_for_each_rule_a_configuration_and_what_it_then_says() {
    let chapter = text(project(CHAPTER));
    let (head, sections) = chapter.split_once("\n### ").unwrap();
    let mut actual = head.to_owned();
    let mut explained = Vec::new();
    for section in format!("\n### {sections}").split("\n### ").skip(1) {
        let (rule, prose) = section.split_once('\n').unwrap();
        explained.push(rule.to_owned());
        // The two blocks close a section.
        let prose = prose.split("\n```toml\n").next().unwrap();
        let config = text(project(&format!("examples/rules/corpora/{rule}/fails/sdp.toml")));
        write!(actual, "\n### {rule}\n{prose}\n```toml\n# sdp.toml\n{config}```\n\n```text\n{}\n```\n", shown(rule))
            .unwrap();
    }
    assert_eq!(explained, rules());
    let readme = text(project("examples/rules/README.md"));
    for rule in rules() {
        let body = body(&rule);
        let head_of_rule = head_of(&body);
        let params: Vec<String> = head_of_rule.params.iter().map(|param| format!("`{param}`")).collect();
        let params = if params.is_empty() { "none".to_owned() } else { params.join(", ") };
        let row = format!("| [{rule}](#{rule}) | ");
        let row = head.lines().find(|line| line.starts_with(&row)).unwrap_or_else(|| panic!("no row {row}"));
        assert!(row.ends_with(&format!(" | {params} |")), "{row}");
        assert!(readme.contains(&format!("`{rule}.sdp.js`")), "{rule} is not in the README");
    }
    if let Some(difference) = difference_or_update(&project(CHAPTER), &actual, "UPDATE_DOCS") {
        panic!("{difference}");
    }
}
