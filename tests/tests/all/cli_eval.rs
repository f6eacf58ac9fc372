//! `cargo sdp eval`: what goes in and out of the command, its refusals with their codes, and the chapter of the guide that shows it.

use std::fs;
use std::path::PathBuf;

use sdp_eval::fault::{FailureCode, RuntimeCode};
use sdp_tests::{Repo, Run, ends};
use serde_json::Value;

/// The contract of the guide.
const EXAMPLE: &str = include_str!("../../../evals/explain.contract.json");
const GUIDE: &str = include_str!("../../../docs/src/evaluation.md");

/// A folder of the corpora of evaluation, where they are there.
fn corpora(folder: &str) -> Option<PathBuf> {
    Some(crate::corpora::corpora()?.join("evaluation").join(folder))
}

/// A repository with the contract of the guide.
fn repo() -> Repo {
    Repo::new().file("explain.json", EXAMPLE)
}

/// What a run says first, and its code.
fn said(run: &Run) -> (&str, Option<i32>) {
    (run.stderr.lines().next().unwrap_or_default(), run.code)
}

/// The JSON of a text.
fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_contract_compiles_to_one_canonical_line_from_a_file_and_from_stdin() {
    let repo = repo();
    let run = repo.sdp(["eval", "compile", "--in", "explain.json"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    assert!(
        run.stdout.starts_with("{\"behaviors\":[{\"description\":") && run.stdout.ends_with("}\n"),
        "{}",
        run.stdout
    );
    assert_eq!(run.stdout.lines().count(), 1);
    assert_eq!(json(&run.stdout), json(EXAMPLE));
    for arguments in [&["eval", "compile"][..], &["eval", "compile", "--in", "-"], &["eval", "compile", "--in=-"]] {
        assert_eq!(repo.command(arguments).stdin(EXAMPLE).run(), run, "{arguments:?}");
    }
    assert_eq!(repo.command(["eval", "compile"]).stdin(&run.stdout).run(), run, "what it gives compiles to itself");
}

#[test]
#[sdp::verifies("spec:sdp.eval.seal")]
fn a_contract_seals_to_one_brief_whether_it_was_compiled_before_or_not() {
    let repo = repo();
    let run = repo.sdp(["eval", "seal", "--in", "explain.json"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let compiled = repo.sdp(["eval", "compile", "--in", "explain.json"]).stdout;
    assert_eq!(repo.command(["eval", "seal"]).stdin(&compiled).run(), run);
    let brief = json(&run.stdout);
    assert_eq!(brief["schemaVersion"], 2);
    let text = brief["directions"][0]["text"].as_str().unwrap();
    assert!(
        text.starts_with(
            "The explain finding command (with the supplied argument id and the supplied option json): the argument id value you sent \
             and the id field of its standard output is asserted to be equal."
        ),
        "{text}"
    );
    for kept_back in ["orphans/stdout", "interactionPlan", "commentary", "passes all oracles"] {
        assert!(!run.stdout.contains(kept_back), "the brief tells {kept_back}");
    }
}

#[test]
#[sdp::verifies("spec:sdp.eval.compile")]
fn what_no_check_refuses_is_told_as_a_warning() {
    let repo = repo();
    let mut contract = json(EXAMPLE);
    contract["behaviors"][0]["oracles"] = (100..122).map(|number| format!("O-{number}")).collect();
    let text = contract.to_string();
    let run = repo.command(["eval", "compile"]).stdin(&text).run();
    assert_eq!((json(&run.stdout), run.code), (contract, Some(0)));
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(
        lines[0],
        "sdp eval: warning: EvalContract.behaviors[id=B-001].oracles[0]: names oracle \"O-100\", which is not declared"
    );
    // Twenty-two of the behavior, and the two oracles that it listed.
    assert_eq!((lines.len(), lines[20]), (21, "sdp eval: warning: and 4 more"));
    let quiet = repo.command(["eval", "compile", "--quiet"]).stdin(&text).run();
    assert_eq!((quiet.stdout, quiet.stderr.as_str()), (run.stdout, ""));
}

#[test]
fn warnings_stay_short_whatever_they_name() {
    let mut contract = json(EXAMPLE);
    contract["behaviors"][0]["id"] = format!("B-{}", "1".repeat(200_000)).into();
    contract["behaviors"][0]["oracles"] = vec!["O-999"; 20_000].into();
    let run = repo().command(["eval", "compile"]).stdin(contract.to_string()).run();
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.len() < 30_000, "{} bytes", run.stderr.len());
    assert!(run.stderr.contains("\nsdp eval: warning: and "), "{}", run.stderr);
}

#[test]
fn an_answer_goes_to_a_file_that_ends_with_json_and_else_into_a_folder() {
    let repo = repo();
    let expected = repo.sdp(["eval", "compile", "--in", "explain.json"]).stdout;
    for (out, file) in [
        ("deep/a.json", "deep/a.json"),
        ("B.JSON", "B.JSON"),
        ("hidden/.json", "hidden/.json"),
        ("named.json/", "named.json/eval-contract.json"),
        ("folder", "folder/eval-contract.json"),
        (".", "eval-contract.json"),
    ] {
        let run = repo.sdp(["eval", "compile", "--in", "explain.json", "--out", out]);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("", "", Some(0)), "{out}");
        assert_eq!(fs::read_to_string(repo.path(file)).unwrap(), expected, "{out}");
    }
    ends(&repo.sdp(["eval", "seal", "--in", "explain.json", "--out", "folder"]), 0);
    assert!(repo.path("folder/sealed-evaluator-brief.json").is_file());
}

#[test]
fn an_output_that_is_the_input_is_refused_under_every_name() {
    let repo = Repo::new().file("in/eval-contract.json", EXAMPLE);
    let input = "in/eval-contract.json";
    #[cfg(unix)]
    fs::hard_link(repo.path(input), repo.path("link.json")).unwrap();
    for out in ["in/eval-contract.json", "in", "./in/../in", "in/./eval-contract.json", "link.json"] {
        if out == "link.json" && !cfg!(unix) {
            continue;
        }
        let run = repo.sdp(["eval", "compile", "--in", input, "--out", out]);
        assert!(said(&run).0.starts_with("sdp eval: usage: --out resolves to \""), "{out}: {}", run.stderr);
        assert!(said(&run).0.ends_with("which is also --in \"in/eval-contract.json\""), "{out}: {}", run.stderr);
        assert_eq!(run.code, Some(64));
    }
    assert_eq!(fs::read_to_string(repo.path(input)).unwrap(), EXAMPLE);
}

#[cfg(unix)]
#[test]
fn an_output_that_stdin_is_read_from_is_refused() {
    let repo = Repo::new().file("in.json", EXAMPLE);
    fs::hard_link(repo.path("in.json"), repo.path("link.json")).unwrap();
    for out in ["in.json", "link.json"] {
        let run = repo.limited("exec < in.json", &["eval", "seal", "--out", out]);
        let expected = format!("sdp eval: usage: --out resolves to \"{out}\", which is also --in \"-\"");
        assert_eq!(said(&run), (expected.as_str(), Some(64)));
        assert_eq!(fs::read_to_string(repo.path(out)).unwrap(), EXAMPLE);
    }
    let run = repo.limited("exec < in.json", &["eval", "seal", "--out", "brief.json"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
}

#[cfg(unix)]
#[test]
fn a_contract_that_nests_as_deep_as_it_may_needs_no_large_stack_of_the_process() {
    let check = json(EXAMPLE)["oracles"][0]["check"].to_string();
    let levels = 338;
    let deep = format!("{}{check}{}", "{\"op\":\"not\",\"operands\":[".repeat(levels), "]}".repeat(levels));
    let mut contract = json(EXAMPLE);
    contract["oracles"][0]["check"] = Value::from("DEEP");
    let repo = Repo::new().file("deep.json", contract.to_string().replacen("\"DEEP\"", &deep, 1));
    for command in ["compile", "seal"] {
        let run = repo.limited("ulimit -s 512", &["eval", command, "--in", "deep.json"]);
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{command}");
    }
}

#[test]
fn arguments_that_make_no_sense_are_usage_errors_with_64() {
    let repo = repo();
    for (arguments, message) in [
        (&[][..], "no command given; expected one of compile, seal, schemas"),
        (&["grade"], "unknown command \"grade\"; expected one of compile, seal, schemas"),
        (&["help", "grade"], "unknown command \"grade\"; expected one of compile, seal, schemas"),
        (&["--in", "a"], "unknown command \"--in\"; expected one of compile, seal, schemas"),
        (&["compile", "--in", ""], "--in was given an empty value"),
        (&["seal", "--out="], "--out was given an empty value"),
        (&["compile", "--in"], "--in requires a value"),
        (
            &["compile", "--in", "--out"],
            "--in requires a value, but the next token is \"--out\"; use --in=--out for a value that begins with \"-\"",
        ),
        (&["compile", "explain.json"], "compile takes no positional argument, but got \"explain.json\""),
        (&["seal", "--", "--in"], "seal takes no positional argument, but got \"--in\""),
        (&["compile", "-"], "compile takes no positional argument, but got \"-\""),
        (&["compile", "--in", "a", "--in=b"], "--in given twice with different values, \"a\" and \"b\""),
        (&["compile", "--strict=yes"], "unknown flag \"--strict\" in \"--strict=yes\""),
        (&["compile", "--probes", "a"], "unknown flag \"--probes\" for compile"),
        (&["schemas", "--in", "a"], "unknown flag \"--in\" for schemas"),
        (&["schemas", "a", "b"], "schemas takes one name, but got \"b\" as well"),
        (&["compile", "--color", "red"], "--color expects auto, always or never, but got \"red\""),
        (&["compile", "-q", "-v"], "--quiet and --verbose exclude each other"),
    ] {
        let run = repo.sdp(["eval"].iter().chain(arguments));
        let line = format!("sdp eval: usage: {message}");
        assert_eq!((said(&run), run.stdout.as_str()), ((line.as_str(), Some(64)), ""), "{arguments:?}");
        assert!(run.stderr.contains("\nhint: `cargo sdp eval --help`"), "{}", run.stderr);
    }
    let run = repo.sdp([
        "eval",
        "compile",
        "--in",
        "explain.json",
        "--in=explain.json",
        "--strict",
        "-q",
        "--color",
        "never",
    ]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "an identical repeat is taken");
}

#[test]
fn eval_tells_the_version_of_the_program() {
    for flag in ["-V", "--version"] {
        let run = Repo::new().sdp(["eval", flag]);
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{flag}");
        assert_eq!(run, Repo::new().sdp([flag]));
        assert!(Repo::new().sdp(["eval", "--help"]).stdout.contains(flag), "{flag}");
    }
}

#[test]
fn undeclared_inputs_pass_where_the_last_flag_says_so() {
    let mut contract = json(EXAMPLE);
    contract["permittedInterfaces"][0]["operations"][0]["sensitivityWitness"] = Value::Null;
    let repo = Repo::new().file("c.json", contract.to_string());
    let refusal = "sdp eval: undeclared-mandatory-input: EvalContract.permittedInterfaces[0].operations[0]: operation \
                   \"explain-finding\" declares request keys but no sensitivity witness; only an operation declaring no keys in any \
                   channel is exempt (AD-10)";
    for (flags, code) in [
        (&[][..], 4),
        (&["--no-strict-inputs"], 0),
        (&["--no-strict-inputs", "--strict-inputs"], 4),
        (&["--strict-inputs", "--no-strict-inputs"], 0),
    ] {
        let run = repo.sdp(["eval", "compile", "--in", "c.json"].iter().chain(flags));
        assert_eq!(run.code, Some(code), "{flags:?}: {}", run.stderr);
        assert!(code == 0 || said(&run).0.starts_with(refusal), "{}", run.stderr);
    }
}

#[test]
#[sdp::verifies("spec:sdp.eval")]
fn what_cannot_be_read_is_a_runtime_fault_with_its_pointers() {
    let repo = Repo::new()
        .file("empty.json", "{}")
        .file("no.json", "{\"a\": }")
        .file("twice.json", "{\"a\":1,\"a\":2}")
        .file("latin.json", b"\"\xff\"")
        .file("stale.json", "{\"schemaVersion\":4}");
    let run = repo.sdp(["eval", "compile", "--in", "empty.json"]);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(
        lines[0],
        "sdp eval: schema-parse-failure: EvalContract: input does not conform to the EvalContract schema"
    );
    assert_eq!(
        (lines[1], lines[20], lines[21]),
        (
            "  /behaviors: is required: an array of at least 1, each element an object with id, description, severity, \
             observableSuccessCriterion, requirementLinks, riskLinks, oracles",
            "  /testData: is required: an object with setup, cleanup, principals, resources",
            "  and 1 more"
        )
    );
    assert!(lines[22].starts_with("hint: ") && lines.len() == 23 && run.code == Some(5), "{}", run.stderr);
    for (file, start) in [
        (
            "no.json",
            "schema-parse-failure: EvalContract: --in is not JSON: expected a value at line 1, column 7 at offset 6",
        ),
        ("latin.json", "schema-parse-failure: EvalContract: --in is not UTF-8 at offset 1"),
        (
            "twice.json",
            "non-canonicalizable-value: EvalContract: --in has no canonical form: the key \"a\" is given twice at line 1, ",
        ),
        (
            "stale.json",
            "schema-version-mismatch: EvalContract.schemaVersion: carries \"schemaVersion\" 4 where this build reads 7; a contract \
             written for another version is not read leniently, since its stale version would travel into the scoring version (AD-11)",
        ),
        ("none.json", "port-failure: --in: \"none.json\" could not be read ("),
        (".", "port-failure: --in: \".\" could not be read ("),
    ] {
        let run = repo.sdp(["eval", "seal", "--in", file]);
        assert!(said(&run).0.starts_with(&format!("sdp eval: {start}")), "{file}: {}", run.stderr);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(5)), "{file}");
    }
    let hint = |file: &str| {
        let run = repo.sdp(["eval", "compile", "--in", file]);
        run.stderr.lines().find_map(|line| line.strip_prefix("hint: ")).map(str::to_owned)
    };
    for (file, code) in [
        ("twice.json", RuntimeCode::NonCanonicalizableValue),
        ("stale.json", RuntimeCode::SchemaVersionMismatch),
        ("none.json", RuntimeCode::PortFailure),
    ] {
        assert_eq!(hint(file).as_deref(), code.remedy(), "{file}");
    }
    assert_eq!(hint("no.json"), None, "the place is told");
    let run = repo
        .command(["eval", "compile"])
        .stdin("{\"schemaVersion\":7,\"secret\":\"hunter2\",\"contractId\":\"hunter 2\"}")
        .run();
    assert!(run.stderr.contains("  /contractId: expected a lower-case slug such as `read-note`"), "{}", run.stderr);
    assert!(!run.stderr.contains("hunter"), "no value is printed: {}", run.stderr);
}

#[test]
fn an_output_that_cannot_be_written_is_a_runtime_fault() {
    let repo = repo().file("taken", "");
    let run = repo.sdp(["eval", "compile", "--in", "explain.json", "--out", "taken/x.json"]);
    assert!(said(&run).0.starts_with("sdp eval: port-failure: --out: "), "{}", run.stderr);
    assert_eq!(run.code, Some(5));
}

#[test]
#[sdp::verifies("spec:sdp.eval.compile")]
fn the_contracts_of_the_corpora_compile_but_for_three() {
    let Some(folder) = corpora("contracts") else { return };
    let mut refused = Vec::new();
    let mut count = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let run = Repo::new().sdp(["eval", "compile", "--in", path.to_str().unwrap()]);
        count += 1;
        if run.code != Some(0) {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            refused.push((name, run.code, run.stderr.lines().next().unwrap_or_default().to_owned()));
        }
    }
    refused.sort();
    assert_eq!(count, 24);
    let [empty, none, unmarked] = &refused[..] else { panic!("{refused:#?}") };
    assert_eq!((empty.0.as_str(), empty.1), ("empty-request-shapes", Some(4)));
    assert!(
        empty.2.starts_with(
            "sdp eval: unreachable-check-evidence: EvalContract.oracles[id=O-005].check.operands[0].operands[0]: \
             \"/interactions/create/call-inputs/body/name\" addresses call-inputs body field \"name\", which operation \"create-thing\" \
             declares in neither requiredKeys nor permittedKeys"
        ),
        "{}",
        empty.2
    );
    assert_eq!((none.0.as_str(), none.1), ("no-operation-inventory", Some(4)));
    assert!(none.2.starts_with("sdp eval: unreachable-check-evidence: EvalContract.oracles[id="), "{}", none.2);
    assert_eq!((unmarked.0.as_str(), unmarked.1), ("no-state-change-marker", Some(4)));
    assert!(
        unmarked.2.starts_with(
            "sdp eval: undeclared-mandatory-input: EvalContract.permittedInterfaces[0].operations[0]: operation \"create-thing\" \
             declares request keys but no sensitivity witness; only an operation declaring no keys in any channel is exempt (AD-10)"
        ),
        "{}",
        unmarked.2
    );
}

#[test]
fn the_walkthrough_of_the_corpora_seals_to_its_brief_byte_for_byte_and_a_stale_contract_is_told() {
    let Some(folder) = corpora("walkthrough") else { return };
    let run = Repo::new().sdp(["eval", "seal", "--in", folder.join("contract.json").to_str().unwrap()]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    assert_eq!(run.stdout, fs::read_to_string(folder.join("expected-brief.json")).unwrap());
    let stale = folder.join("../v4/contract.json");
    let run = Repo::new().sdp(["eval", "compile", "--in", stale.to_str().unwrap()]);
    assert!(
        said(&run).0.starts_with("sdp eval: schema-version-mismatch: EvalContract.schemaVersion: "),
        "{}",
        run.stderr
    );
    assert_eq!(run.code, Some(5));
}

#[test]
fn the_published_schemas_are_listed_printed_and_written() {
    let repo = Repo::new();
    let run = repo.sdp(["eval", "schemas"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let names: Vec<&str> = run.stdout.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(
        names,
        [
            "artifact-reference",
            "eval-contract",
            "evaluator-configuration",
            "preflight-verdict",
            "private-artifact-manifest",
            "sealed-evaluator-brief"
        ]
    );
    assert!(run.stdout.lines().all(|line| line.split_whitespace().count() > 3), "each is described: {}", run.stdout);
    ends(&repo.sdp(["eval", "schemas", "--out", "all"]), 0);
    for name in names {
        let printed = repo.sdp(["eval", "schemas", name]);
        assert_eq!(json(&printed.stdout)["$id"], format!("urn:sdp:schema:{name}"));
        let file = format!("{name}.schema.json");
        assert_eq!(fs::read_to_string(repo.path("all").join(&file)).unwrap(), printed.stdout);
        assert_eq!(repo.sdp(["eval", "schemas", name, "--out", "one"]).code, Some(0));
        assert_eq!(fs::read_to_string(repo.path("one").join(&file)).unwrap(), printed.stdout);
    }
    let run = repo.sdp(["eval", "schemas", "rubric"]);
    assert!(
        said(&run).0.starts_with("sdp eval: usage: unknown schema \"rubric\"; expected one of artifact-reference, "),
        "{}",
        run.stderr
    );
    assert_eq!(run.code, Some(64));
}

#[test]
fn the_json_of_the_chapter_is_that_of_the_example() {
    let example = json(EXAMPLE);
    let mut lines = GUIDE.lines();
    let mut count = 0;
    while let Some(line) = lines.next() {
        let Some(pointer) = line.strip_prefix("`/").and_then(|line| line.strip_suffix("`:")) else { continue };
        assert_eq!((lines.next(), lines.next()), (Some(""), Some("```json")), "{pointer}");
        let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        assert_eq!(Some(&json(&text.join("\n"))), example.pointer(&format!("/{pointer}")), "{pointer}");
        count += 1;
    }
    assert_eq!(count, 7);
}

#[test]
fn the_exit_codes_of_the_help_and_the_codes_of_the_chapter_are_those_that_are_built() {
    let rows = |text: &str| -> Vec<(String, String)> {
        let rows = text.lines().filter_map(|line| {
            let (code, meaning) = line.trim().trim_matches('|').trim().split_once(char::is_whitespace)?;
            let meaning = meaning.trim().trim_start_matches('|').trim();
            code.parse::<u8>().ok().map(|_| (code.to_owned(), meaning.to_owned()))
        });
        rows.collect()
    };
    let of_guide = rows(GUIDE.split("| exit | meaning |").nth(1).unwrap().split("\n\n").next().unwrap());
    assert_eq!(of_guide.len(), 7);
    for command in ["compile", "seal", "schemas"] {
        let help = Repo::new().sdp(["eval", command, "--help"]);
        assert_eq!(rows(help.stdout.split("Exit codes:").nth(1).unwrap()), of_guide, "{command}");
        assert_eq!(Repo::new().sdp(["eval", "help", command]), help);
    }
    let codes = table("| code | it is refused that | the way out |");
    let listed: Vec<(&str, &str)> = codes.iter().map(|row| (row[0].trim_matches('`'), row[2])).collect();
    assert_eq!(listed, FailureCode::ALL.iter().map(|code| (code.as_str(), code.remedy())).collect::<Vec<_>>());
    let mut faults: Vec<_> = table("| fault | it is met where | the way out |")
        .iter()
        .map(|row| (row[0].trim_matches('`'), row[2]))
        .collect();
    let mut met: Vec<_> = RuntimeCode::ALL.iter().filter_map(|code| Some((code.as_str(), code.remedy()?))).collect();
    faults.sort_unstable();
    met.sort_unstable();
    assert_eq!(faults, met);
}

/// The cells of a table of the guide, row by row.
fn table(head: &str) -> Vec<Vec<&'static str>> {
    let rows =
        GUIDE.split(head).nth(1).unwrap_or_else(|| panic!("{head}")).split("\n\n").next().unwrap().lines().skip(2);
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

#[test]
fn the_tables_of_fields_operators_bindings_and_kinds_are_those_of_the_schema() {
    let schema = json(&Repo::new().sdp(["eval", "schemas", "eval-contract"]).stdout);
    let names =
        |rows: Vec<Vec<&'static str>>| -> Vec<&str> { rows.iter().map(|row| row[0].trim_matches('`')).collect() };
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    let owned = |names: Vec<&str>| sorted(names.into_iter().map(str::to_owned).collect());
    let keys = |value: &Value| sorted(value.as_object().unwrap().keys().cloned().collect());
    assert_eq!(owned(names(table("| field | what to write |"))), keys(&schema["properties"]));
    let operators = table("| `op` | beside it | holds where |");
    let alternatives = schema["$defs"]["Expression"]["oneOf"].as_array().unwrap();
    assert_eq!(operators.len(), alternatives.len());
    for (row, alternative) in operators.iter().zip(alternatives) {
        assert_eq!(row[0].trim_matches('`'), alternative["properties"]["op"]["const"]);
        for key in keys(&alternative["properties"]).iter().filter(|key| *key != "op") {
            assert!(row[1].contains(&format!("`{key}`")), "{key}: {row:?}");
        }
    }
    // Each binding is taken as it stands.
    let bindings = table("| binding | is |");
    assert_eq!(bindings.len(), 4);
    for row in bindings {
        let mut contract = json(EXAMPLE);
        contract["interactionPlan"][0]["inputBinding"]["argument"]["id"] = json(row[0].trim_matches('`'));
        let run = Repo::new().command(["eval", "compile", "--no-strict-inputs"]).stdin(contract.to_string()).run();
        assert!(!run.stderr.contains("schema-parse-failure"), "{row:?}: {}", run.stderr);
    }
    // Each kind has a contract to start from, whose operation takes what the table says.
    for row in table("| kind | for | an operation says | takes |") {
        let kind = row[0].trim_matches('`');
        let repo = Repo::new();
        ends(&repo.sdp(["new", "contract", "x", "--spec", "spec:a", "--interface", kind]), 0);
        let contract = json(&fs::read_to_string(repo.path("evals/x.contract.json")).unwrap());
        let channels = keys(&contract["permittedInterfaces"][0]["operations"][0]["requestShape"]);
        assert_eq!(owned(row[3].split(", ").map(|channel| channel.trim_matches('`')).collect()), channels);
    }
}

#[test]
fn the_service_of_the_chapter_compiles_seals_and_has_its_blocks() {
    let service = include_str!("../../../examples/pantry.contract.json");
    for command in ["compile", "seal"] {
        let run = Repo::new().command(["eval", command]).stdin(service).run();
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{command}");
    }
    let (service, mut count) = (json(service), 0);
    for block in GUIDE.split("\nIn it, `").skip(1) {
        let (pointer, rest) = block.split_once("`:\n\n```json\n").unwrap();
        assert_eq!(Some(&json(rest.split("```\n").next().unwrap())), service.pointer(pointer), "{pointer}");
        count += 1;
    }
    assert_eq!(count, 7);
}

#[cfg(unix)]
#[test]
fn the_sessions_of_the_chapter_really_run() {
    let repo = Repo::new().file("evals/explain.contract.json", EXAMPLE);
    let root = repo.root().canonicalize().unwrap();
    let mut count = 0;
    for block in GUIDE.split("```console\n").skip(1).map(|rest| rest.split("```\n").next().unwrap()) {
        for said in block.split("$ ").skip(1) {
            let (line, expected) = said.split_once('\n').unwrap();
            let command = line.replace("cargo sdp ", "\"$SDP\" ");
            let run = std::process::Command::new("sh")
                .args(["-c", &format!("{{ {command}; }} 2>&1")])
                .env_clear()
                .env("PATH", std::env::var_os("PATH").unwrap_or_default())
                .env("SDP", sdp_tests::binary())
                .current_dir(repo.root())
                .output()
                .unwrap();
            let actual = String::from_utf8(run.stdout).unwrap().replace(root.to_str().unwrap(), "…");
            // A line of `…` alone stands for lines that are left out.
            let mut rest = actual.as_str();
            let parts: Vec<&str> = expected.split_inclusive('\n').collect();
            for part in parts.split(|line| line.trim() == "…") {
                let part = part.concat();
                let at = rest.find(&part).unwrap_or_else(|| panic!("{line}\nsays {actual}\nand not {part}"));
                assert!(at == 0 || expected.contains("…\n"), "{line}\nsays {actual}");
                rest = &rest[at + part.len()..];
            }
            assert_eq!(rest, "", "{line}");
            count += 1;
        }
    }
    assert_eq!(count, 10);
}

#[test]
fn the_other_blocks_of_the_chapter_hold_where_they_are_copied() {
    let block = |opening: &str, mark: &str| {
        let blocks = GUIDE.split(opening).skip(1).map(|rest| rest.split("```\n").next().unwrap());
        blocks.into_iter().find(|block| block.contains(mark)).unwrap_or_else(|| panic!("{mark}")).to_owned()
    };
    let configuration = block("```toml\n", "contracts = ");
    let settings = json(&block("```json\n", "json.schemas"));
    let pattern = settings["json.schemas"][0]["fileMatch"][0].as_str().unwrap();
    assert!(configuration.contains(&format!("\"{pattern}\"")), "{configuration}");
    let url = settings["json.schemas"][0]["url"].as_str().unwrap();
    assert!(GUIDE.contains(&format!("cargo sdp eval schemas eval-contract > {}\n", url.trim_start_matches("./"))));
    let links = format!("{{ \"behaviors\": [\n{}] }}", block("```json\n", "SHOP-17"));
    let repo = Repo::new().file("sdp.toml", configuration).file("evals/refund.contract.json", &links).spec(
        "shop.refund",
        "  dependsOn: spec:shop.refund",
        "\n## Behavior\n\n- rule: [#limit] It holds.\n",
    );
    let run = repo.sdp(["check", "-A", "sdp/self-relation"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    repo.write("evals/refund.contract.json", links.replacen("spec:shop.refund\"", "spec:shop.refnd\"", 1));
    let run = repo.sdp(["check", "-A", "sdp/self-relation"]);
    assert!(run.stderr.starts_with(&block("```text\n", "spec:shop.refnd")), "{}", run.stderr);
}

#[test]
fn a_refusal_says_the_way_out_and_explain_knows_its_code() {
    let mut contract = json(EXAMPLE);
    contract["behaviors"][0]["requirementLinks"] = json("[]");
    let run = Repo::new().command(["eval", "compile"]).stdin(contract.to_string()).run();
    let remedy = FailureCode::MissingRequirementLinkage.remedy();
    assert_eq!(
        run.stderr,
        format!(
            "sdp eval: missing-requirement-linkage: EvalContract.behaviors[id=B-001]: declares neither a requirementLinks nor a riskLinks \
             entry (AD-19)\nhint: {remedy}\n"
        )
    );
    for code in FailureCode::ALL {
        let run = Repo::new().sdp(["explain", code.as_str()]);
        let hint = format!("\nhint: `cargo sdp eval` refuses a contract with this code: {}\n", code.remedy());
        assert!(run.stderr.ends_with(&hint) && run.code == Some(1), "{}", run.stderr);
    }
}

#[test]
fn a_value_in_place_of_its_binding_is_told_what_may_stand_there() {
    let mut contract = json(EXAMPLE);
    contract["interactionPlan"][0]["inputBinding"]["argument"]["id"] = json("\"hunter2\"");
    let run = Repo::new().command(["eval", "compile"]).stdin(contract.to_string()).run();
    let line = "\n  /interactionPlan/0/inputBinding/argument/id: expected an object with one field, of literal, matcher, captured, \
                principal, got a string\n";
    assert!(run.stderr.contains(line) && !run.stderr.contains("hunter2"), "{}", run.stderr);
}

#[test]
fn verbose_says_what_was_read_its_digest_and_what_was_written() {
    let repo = repo();
    let run = repo.sdp(["eval", "compile", "--in", "explain.json", "-v", "--out", "made"]);
    let brief = json(&repo.sdp(["eval", "seal", "--in", "explain.json"]).stdout);
    for said in [
        format!("verbose: read \"explain.json\": {} bytes\n", EXAMPLE.len()),
        "\nverbose: behaviors: 2, oracles: 3, operations: 1, steps: 1\n".to_owned(),
        format!("\nverbose: contract digest: {}\n", brief["contractDigest"].as_str().unwrap()),
        "\nverbose: wrote \"made/eval-contract.json\"\n".to_owned(),
    ] {
        assert!(run.stderr.contains(&said), "{said}: {}", run.stderr);
    }
    assert!(run.stderr.lines().all(|line| line.starts_with("verbose: ")), "{}", run.stderr);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(0)));
    for command in [&["eval"][..], &["eval", "seal"]] {
        let help = repo.sdp(command.iter().chain(&["-h"])).stdout;
        assert!(help.contains("what was read, the contract's digest") && !help.contains("which root"), "{help}");
    }
}

#[test]
fn a_reader_that_closes_the_pipe_is_met_quietly() {
    let repo = repo();
    let mut child = repo.command(["eval", "schemas", "eval-contract"]).spawn();
    drop(child.stdout.take());
    assert!(sdp_tests::wait(&mut child).success());
}
