//! `cargo sdp mcp`: driven by the official client over pipes, and by lines of bytes where a client would not send them.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rmcp::ServiceExt as _;
use rmcp::model::{CallToolRequestParams, CallToolResult, ReadResourceRequestParams};
use rmcp::service::{RoleClient, RunningService, ServiceError};
use sdp_tests::{Repo, binary, copy_folder, wait};
use serde_json::{Value, json};

/// A copy of the example with its code.
fn shop() -> Repo {
    let repo = Repo::new();
    copy_folder(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/shop")), repo.root());
    repo
}

/// The official client, connected to a server of its own.
struct Client {
    runtime: tokio::runtime::Runtime,
    service: Option<RunningService<RoleClient, ()>>,
    child: tokio::process::Child,
}

impl Client {
    fn connect(repo: &Repo, arguments: &[&str]) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (service, child) = runtime.block_on(async {
            let mut command = tokio::process::Command::new(binary());
            command.arg("mcp").args(arguments).current_dir(repo.root()).env_clear();
            let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
            let mut child = pipes.spawn().unwrap();
            let streams = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
            (().serve(streams).await.unwrap(), child)
        });
        Client { runtime, service: Some(service), child }
    }

    fn service(&self) -> &RunningService<RoleClient, ()> {
        self.service.as_ref().unwrap()
    }

    fn try_call(&self, tool: &str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        let Value::Object(arguments) = arguments else { panic!("an object") };
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        self.runtime.block_on(self.service().call_tool(request))
    }

    /// What a call that does not fail answers: the whole object. Its text is the same JSON.
    #[track_caller]
    fn whole(&self, tool: &str, arguments: Value) -> Value {
        let result = self.try_call(tool, arguments).unwrap();
        assert_eq!(result.is_error, Some(false), "{result:?}");
        let structured = result.structured_content.unwrap();
        let text = &result.content[0].as_text().unwrap().text;
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), structured);
        structured
    }

    /// The answer alone.
    #[track_caller]
    fn answer(&self, tool: &str, arguments: Value) -> Value {
        self.whole(tool, arguments)["answer"].take()
    }

    /// The text and the object of a call that is an error of the tool.
    #[track_caller]
    fn error(&self, tool: &str, arguments: Value) -> (String, Value) {
        let result = self.try_call(tool, arguments).unwrap();
        assert_eq!(result.is_error, Some(true), "{result:?}");
        (
            result.content[0].as_text().unwrap().text.clone(),
            result.structured_content.unwrap_or_default()["error"].take(),
        )
    }

    /// Closes stdin; the exit code.
    fn close(mut self) -> Option<i32> {
        let service = self.service.take().unwrap();
        self.runtime.block_on(async {
            service.cancel().await.unwrap();
            self.child.wait().await.unwrap().code()
        })
    }
}

/// What the command line prints as JSON.
#[track_caller]
fn printed(repo: &Repo, arguments: &[&str]) -> Value {
    let run = repo.sdp(arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

const EACH: [(&str, &str); 8] = [
    ("q", r#"{"body":"return 1"}"#),
    ("recipes", "{}"),
    ("recipe", r#"{"recipe":26}"#),
    ("spec_context", r#"{"spec":"spec:shop.refund"}"#),
    ("pack_context", r#"{"pack":"pack:shop"}"#),
    ("find_concept", r#"{"text":"refund"}"#),
    ("blast_radius", r#"{"files":["shop-core/src/refund.rs"]}"#),
    ("check", "{}"),
];

#[test]
fn a_client_learns_what_each_tool_takes_and_that_all_of_them_only_read() {
    let repo = shop();
    let client = Client::connect(&repo, &[]);
    let info = client.service().peer_info().unwrap();
    assert_eq!(info.server_info.as_ref().unwrap().name, "cargo-sdp");
    assert!(info.instructions.as_ref().unwrap().contains("sdp://skill"));
    let tools = client.runtime.block_on(client.service().list_all_tools()).unwrap();
    assert_eq!(tools.iter().map(|tool| tool.name.as_ref()).collect::<Vec<_>>(), EACH.map(|(name, _)| name));
    for (tool, (_, arguments)) in tools.iter().zip(EACH) {
        let hints = tool.annotations.as_ref().unwrap();
        assert_eq!(
            (hints.read_only_hint, hints.destructive_hint, hints.open_world_hint),
            (Some(true), Some(false), Some(false))
        );
        assert!(tool.description.as_ref().unwrap().len() > 150 && tool.title.is_some(), "{}", tool.name);
        let schema = Value::Object(tool.input_schema.as_ref().clone());
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&serde_json::from_str(arguments).unwrap()), "{schema}");
        assert!(
            !validator.is_valid(&json!({ "nope": 1 })) && !validator.is_valid(&json!({ "max_chars": 1 })),
            "{schema}"
        );
        for property in schema["properties"].as_object().unwrap().values() {
            assert!(property["description"].as_str().is_some_and(|text| text.len() > 20), "{property}");
        }
    }
    assert_eq!(client.close(), Some(0));
}

#[test]
fn the_guide_lists_the_tools_with_what_they_take() {
    let guide = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/agents.md")).unwrap();
    let rows: Vec<Vec<&str>> = guide
        .lines()
        .skip_while(|line| *line != "| tool | takes | gives |")
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.split('|').nth(2).unwrap().split('`').skip(1).step_by(2).collect())
        .collect();
    let repo = shop();
    let client = Client::connect(&repo, &[]);
    let tools = client.runtime.block_on(client.service().list_all_tools()).unwrap();
    let taken = |tool: &rmcp::model::Tool| -> Vec<String> {
        let names = tool.input_schema["properties"].as_object().unwrap().keys().cloned();
        names.filter(|name| !["root", "max_chars"].contains(&name.as_str())).collect()
    };
    assert_eq!(rows, tools.iter().map(taken).collect::<Vec<_>>());
    for (name, _) in EACH {
        assert!(guide.contains(&format!("\n| `{name}` | ")), "{name}");
    }
    let bounds = &tools[0].input_schema["properties"]["max_chars"];
    assert_eq!(
        (&bounds["default"], &bounds["minimum"], &bounds["maximum"]),
        (&json!(20_000), &json!(2_000), &json!(200_000))
    );
    assert!(guide.contains("20 000 characters, or `max_chars` from 2 000 to 200 000"));
    for block in guide.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap()) {
        let config: Value = serde_json::from_str(block).unwrap();
        let arguments = config["mcpServers"]["sdp"]["args"].as_array().unwrap();
        assert!(arguments.iter().any(|word| word == "mcp"));
    }
}

#[test]
fn each_tool_answers_as_the_command_line_does() {
    let repo = shop();
    let client = Client::connect(&repo, &[]);
    let q = |body: &str| printed(&repo, &["q", "--json", body]);
    for (tool, arguments, body) in [
        ("spec_context", EACH[3].1, "return g.specContext('spec:shop.refund')"),
        ("pack_context", EACH[4].1, "return g.packContext('pack:shop')"),
        ("find_concept", EACH[5].1, "return g.findByConcept('refund')"),
        ("blast_radius", EACH[6].1, "return g.blastRadius(['shop-core/src/refund.rs'])"),
        ("recipe", r#"{"recipe":"dependency-cycles"}"#, "return await recipes(26)"),
        (
            "recipe",
            r#"{"recipe":3,"params":{"spec":"spec:shop.order"}}"#,
            "return await recipes(3, { spec: 'spec:shop.order' })",
        ),
        ("q", r#"{"body":"return [params, g.specs()]","params":{"a":[1]}}"#, "return [{ a: [1] }, g.specs()]"),
    ] {
        assert_eq!(client.answer(tool, serde_json::from_str(arguments).unwrap()), q(body), "{tool}");
    }
    let listed = client.whole("recipes", json!({}));
    assert_eq!(listed.get("truncated"), None, "the catalog is whole");
    assert_eq!(listed["answer"].as_array().unwrap().len(), sdp_recipes::CATALOG.len());
    let shown = client.answer("recipes", json!({ "show": 26 }));
    assert_eq!(shown["body"], sdp_recipes::recipe(26).unwrap().body);
    assert_eq!(shown["slug"], "dependency-cycles");
    let checked = client.answer("check", json!({}));
    assert_eq!((&checked["errors"], &checked["findings"]), (&json!(0), &json!([])));
    assert_eq!(checked["summary"].as_str().unwrap(), repo.sdp(["check"]).stdout.trim_end());
    let skill =
        client.runtime.block_on(client.service().read_resource(ReadResourceRequestParams::new("sdp://skill"))).unwrap();
    let skill = serde_json::to_value(skill).unwrap();
    assert!(skill["contents"][0]["text"].as_str().unwrap().starts_with("---\nname: cargo-sdp\n"), "{skill}");
}

#[sdp::verifies("spec:sdp.agent-surface.server")]
#[test]
fn each_call_answers_from_the_files_as_they_are_then() {
    let repo = Repo::new().spec("a", "", "");
    let client = Client::connect(&repo, &[]);
    let count = || client.answer("q", json!({ "body": "return g.specs().length" }));
    assert_eq!(count(), 1);
    repo.write("specs/b.sdp.md", sdp_tests::spec_text("b", "", ""));
    assert_eq!(count(), 2);
    // A broken file is what the call says, and nothing that stays.
    repo.write("specs/broken.sdp.md", sdp_tests::BROKEN_CARRIER);
    let (text, error) = client.error("q", json!({ "body": "return 1" }));
    let run = repo.sdp(["q", "return 1"]);
    assert_eq!(format!("{text}\n"), run.stderr);
    assert_eq!(error["message"], "sdp q: the graph did not derive — the body was not run.");
    let finding = &error["findings"][0];
    assert_eq!(
        (&finding["file"], &finding["line"], &finding["severity"]),
        (&json!("specs/broken.sdp.md"), &json!(2), &json!("error"))
    );
    assert!(finding["id"].as_str().unwrap().starts_with("extract/") && finding["help"].is_string());
    let checked = client.answer("check", json!({}));
    assert_eq!((&checked["errors"], &checked["findings"][0]["line"]), (&json!(1), &json!(2)));
    std::fs::remove_file(repo.path("specs/broken.sdp.md")).unwrap();
    repo.write("sdp.toml", "exlude = []\n");
    let (text, error) = client.error("find_concept", json!({ "text": "a" }));
    assert!(text.ends_with(&error["hint"].as_str().unwrap()) && text.contains("sdp.toml:1"), "{text}");
    assert_eq!(client.answer("check", json!({}))["findings"][0]["file"], "sdp.toml");
    repo.write("sdp.toml", "exclude = [\"specs/b.sdp.md\"]\n");
    assert_eq!(count(), 1);
}

#[test]
fn findings_come_errors_first_and_warnings_can_be_left_out() {
    let repo = Repo::new().spec("a", "  dependsOn: spec:none\n", "").spec("b", "", "");
    let client = Client::connect(&repo, &[]);
    let checked = client.answer("check", json!({}));
    let run = repo.sdp(["check", "--output", "json"]);
    let mut lines: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let printed: Vec<Value> = lines.iter_mut().filter_map(|line| line.get_mut("finding").map(Value::take)).collect();
    let found = checked["findings"].as_array().unwrap();
    assert!(
        found.len() > 1 && found.len() == printed.len() && found.iter().all(|one| printed.contains(one)),
        "{checked}"
    );
    assert_eq!(found[0]["severity"], "error");
    assert!(found.iter().any(|one| one["severity"] == "warning"));
    let errors = client.answer("check", json!({ "errors_only": true }));
    assert!(errors["findings"].as_array().unwrap().iter().all(|one| one["severity"] == "error"));
    assert_eq!(errors["warnings"], checked["warnings"]);
}

#[test]
fn what_a_call_cannot_do_is_its_answer_in_the_words_of_the_command_line() {
    let repo = shop();
    let client = Client::connect(&repo, &[]);
    for body in [
        "throw new TypeError('no')",
        "return (",
        "return 1n",
        "",
        "return await new Promise(() => {})",
        "return fetch('x')",
    ] {
        let (text, error) = client.error("q", json!({ "body": body }));
        let run = repo.sdp(["q", "--json", body]);
        assert_eq!((format!("{text}\n"), run.code), (run.stderr, Some(1)), "{body}");
        assert!(text.starts_with(error["message"].as_str().unwrap()), "{error}");
    }
    let (text, _) = client.error("recipe", json!({ "recipe": "dependency-cycle" }));
    assert_eq!(format!("{text}\n"), repo.sdp(["recipes", "run", "dependency-cycle"]).stderr);
    let (text, _) = client.error("spec_context", json!({ "spec": "spec:shop.refnd" }));
    assert_eq!(text, "sdp mcp: no Spec has the id spec:shop.refnd.\nhint: did you mean `spec:shop.refund`?");
    let (text, _) = client.error("spec_context", json!({ "spec": "shop.order" }));
    assert!(text.ends_with("hint: did you mean `spec:shop.order`?"), "{text}");
    let (text, _) = client.error("pack_context", json!({ "pack": "nothing-like-it" }));
    assert!(text.contains("no Pack has the id nothing-like-it.") && text.contains("the graph holds 1 Packs"), "{text}");
    let (text, _) = client.error("q", json!({ "bodi": "return 1" }));
    assert!(text.contains("did you mean `body`?"), "{text}");
    let (text, _) = client.error("check", json!({ "root": "backend" }));
    assert!(text.contains("sdp mcp: no root is named backend.") && text.contains("lists no roots"), "{text}");
    // A tool that does not exist is no tool's error.
    let Err(ServiceError::McpError(error)) = client.try_call("specs_context", json!({})) else {
        panic!("it is unknown")
    };
    assert_eq!(
        (error.code.0, error.message.as_ref()),
        (-32602, "Unknown tool: specs_context (did you mean `spec_context`?)")
    );
    assert_eq!(client.answer("q", json!({ "body": "return 1" })), 1, "the server lives");
}

#[test]
fn a_body_without_an_answer_and_what_it_prints_are_told() {
    let repo = shop();
    let client = Client::connect(&repo, &[]);
    let whole = client.whole("q", json!({ "body": "console.log('one', [2]); console.error('three')" }));
    assert_eq!(whole["answer"], Value::Null);
    assert_eq!(whole["notes"], json!(["sdp q: the body returned nothing — `return` is the output contract."]));
    assert_eq!(whole["console"], json!(["one [ 2 ]", "three"]));
    let now = json!({ "body": "return Date.now()", "deterministic": true });
    assert_eq!(client.answer("q", now), 946_684_800_000_u64);
    let repo = Repo::new();
    let empty = Client::connect(&repo, &[]);
    let whole = empty.whole("find_concept", json!({ "text": "x" }));
    assert!(
        whole["notes"][0].as_str().unwrap().starts_with("note: no *.sdp.ts, *.sdp.md, or *.sdp.gherkin spec files"),
        "{whole}"
    );
}

#[sdp::verifies("spec:sdp.agent-surface.server")]
#[test]
fn an_answer_that_is_too_long_is_cut_at_whole_items_and_says_so() {
    let mut repo = Repo::new();
    for n in 0..120 {
        repo = repo.spec(&format!("many.s{n:03}"), "  refines: spec:many\n", "");
    }
    let repo = repo.spec("many", "", "");
    let client = Client::connect(&repo, &[]);
    for (tool, mut arguments, at, of) in [
        ("q", json!({ "body": "return g.specs()" }), "answer", 121),
        ("spec_context", json!({ "spec": "spec:many" }), "answer.relationsIn", 120),
        ("find_concept", json!({ "text": "many" }), "answer", 121),
    ] {
        arguments["max_chars"] = json!(4_000);
        let result = client.try_call(tool, arguments).unwrap();
        let text = &result.content[0].as_text().unwrap().text;
        assert!(text.chars().count() <= 4_000, "{tool}: {}", text.chars().count());
        let whole = result.structured_content.unwrap();
        let truncated = &whole["truncated"];
        let list = whole.pointer(&format!("/{}", at.replace('.', "/"))).unwrap().as_array().unwrap();
        assert!(list.len() > 5, "{tool}: {whole}");
        let told = ["at", "shown", "of", "what"].map(|name| truncated[name].clone());
        assert_eq!(told, [json!(at), json!(list.len()), json!(of), json!("items")], "{tool}: {truncated}");
        assert!(truncated["how"].as_str().unwrap().contains("max_chars"), "{truncated}");
    }
    let alone = (0..60).fold(Repo::new(), |repo, n| repo.spec(&format!("alone.s{n}"), "", ""));
    let checker = Client::connect(&alone, &[]);
    let checked = checker.whole("check", json!({ "max_chars": 4_000 }));
    assert_eq!((&checked["answer"]["warnings"], &checked["truncated"]["of"]), (&json!(60), &json!(60)), "{checked}");
    assert_eq!(checked["truncated"]["at"], "answer.findings");
    let long = client.whole("q", json!({ "body": "return 'x'.repeat(40_000_000)", "max_chars": 2_000 }));
    assert_eq!((&long["truncated"]["what"], &long["truncated"]["of"]), (&json!("characters"), &json!(40_000_000)));
    let all = client.whole("q", json!({ "body": "return g.specs()", "max_chars": 200_000 }));
    assert_eq!((all["answer"].as_array().unwrap().len(), all.get("truncated")), (121, None));
}

#[test]
fn a_hostile_body_ends_under_its_limits_and_another_call_is_answered_meanwhile() {
    let repo = shop();
    let client = Client::connect(&repo, &["--timeout", "1", "--memory", "16"]);
    let call = |body: &str| {
        let Value::Object(arguments) = json!({ "body": body }) else { panic!("an object") };
        client.service().call_tool(CallToolRequestParams::new("q").with_arguments(arguments))
    };
    let (first, second) = client.runtime.block_on(async {
        let slow = call("for (;;) {}");
        let quick = call("return 2");
        let mut quick = Box::pin(quick);
        let mut slow = Box::pin(slow);
        // Whichever comes first must be the quick one, though it was asked later.
        let first = std::future::poll_fn(|context| {
            if let std::task::Poll::Ready(result) = slow.as_mut().poll(context) {
                return std::task::Poll::Ready(result);
            }
            quick.as_mut().poll(context)
        });
        (first.await.unwrap(), slow.await.unwrap())
    });
    assert_eq!(first.structured_content.unwrap()["answer"], 2);
    assert!(second.content[0].as_text().unwrap().text.contains("1 s"), "{second:?}");
    for body in [
        "const a = []; for (;;) a.push(new Array(1000).fill(a.length))",
        "return 'x'.repeat(1 << 28)",
        "let s = 'return 1'; const f = () => f(); return f()",
        "let o = {}; for (let n = 0; n < 5000; n++) o = { o }; return o",
        "return '\\ud800'",
        "Object.prototype.toJSON = () => { throw 1 }; return {}",
        "return { get a() { for (;;) {} } }",
    ] {
        let result = client.try_call("q", json!({ "body": body })).unwrap();
        assert_eq!(result.is_error, Some(true), "{body}: {result:?}");
    }
    assert_eq!(client.answer("q", json!({ "body": "return 3" })), 3);
    assert_eq!(client.close(), Some(0));
}

#[test]
fn one_of_several_roots_is_named_by_the_call_or_by_the_command_line() {
    let spec = |name: &str| sdp_tests::spec_text(name, "", "");
    let repo = Repo::new()
        .file("sdp.toml", "roots = [{ path = \"one\", name = \"first\" }, { path = \"two\", name = \"second\" }]\n")
        .file("one/a.sdp.md", spec("a"))
        .file("two/b.sdp.md", spec("b"))
        .file("two/c.sdp.md", spec("c"));
    let client = Client::connect(&repo, &[]);
    let count = |root: &str| client.answer("q", json!({ "body": "return g.specs().length", "root": root }));
    assert_eq!([count("first"), count("second")], [1, 2]);
    let (text, _) = client.error("q", json!({ "body": "return 1" }));
    assert!(text.ends_with("hint: name one in `root` (roots: first, second)"), "{text}");
    let (text, _) = client.error("check", json!({ "root": "secnd" }));
    assert!(text.contains("did you mean `second`?"), "{text}");
    let all = client.answer("check", json!({}));
    assert_eq!(all["summary"].as_str().unwrap().lines().count(), 2);
    let one = client.answer("check", json!({ "root": "second" }));
    assert!(one["findings"].as_array().unwrap().iter().all(|finding| finding["root"] == "second"), "{one}");
    let fixed = Client::connect(&repo, &["--root", "second"]);
    assert_eq!(fixed.answer("q", json!({ "body": "return g.specs().length" })), 2);
}

/// A request as a line.
fn line(id: i64, method: &str, params: &Value) -> String {
    format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
}

fn initialize() -> String {
    let client = json!({ "name": "lines", "version": "1" });
    line(0, "initialize", &json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client }))
        + "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
}

fn ask(id: i64, body: &str) -> String {
    line(id, "tools/call", &json!({ "name": "q", "arguments": { "body": body } }))
}

/// Sends bytes and ends stdin; every line that came back, by its id.
#[track_caller]
fn replies(repo: &Repo, bytes: impl AsRef<[u8]>) -> HashMap<String, Value> {
    let run = repo.command(["mcp", "--timeout", "1"]).stdin(bytes).run();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|reply| (reply.get("id").unwrap_or(&Value::Null).to_string(), reply)).collect()
}

#[test]
fn everything_that_was_asked_before_the_end_of_stdin_is_answered() {
    let repo = shop();
    // The last line has no end, and the first body takes all its time.
    let bytes = initialize() + &ask(1, "for (;;) {}") + &ask(2, "return 2") + ask(3, "return 3").trim_end();
    let replies = replies(&repo, bytes);
    assert_eq!(replies.len(), 4, "{replies:?}");
    assert_eq!(replies["1"]["result"]["isError"], true);
    assert_eq!(replies["2"]["result"]["structuredContent"]["answer"], 2);
    assert_eq!(replies["3"]["result"]["structuredContent"]["answer"], 3);
}

#[sdp::verifies("spec:sdp.agent-surface.server")]
#[test]
fn no_line_ends_the_server_and_what_has_an_id_is_answered() {
    let repo = shop();
    let deep = "[".repeat(200_000);
    let long = "x".repeat(5 << 20);
    let mut bytes = Vec::new();
    for part in [
        "\n\r\n{}\nnull\n[]\n\"x\"\nnot json\n",
        // Before the client said hello.
        &ask(10, "return 1"),
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}\n",
        &initialize(),
        &line(11, "no/such/method", &json!({})),
        &line(12, "tools/call", &json!({ "name": 5 })),
        &line(13, "tools/call", &json!({ "name": "nope" })),
        &line(14, "tools/call", &json!({ "name": "q", "arguments": { "body": "return 1", "params": "x" } })),
        &line(15, "tools/call", &json!({ "name": "q" })),
        &line(16, "resources/read", &json!({ "uri": "sdp://other" })),
        &line(17, "resources/list", &json!({})),
        &format!("{{\"jsonrpc\":\"2.0\",\"id\":20,\"method\":\"tools/call\",\"params\":{deep}\n"),
        &format!("{{\"jsonrpc\":\"2.0\",\"id\":21,\"method\":\"ping\",\"params\":{{\"x\":\"{long}\"}}}}\n"),
        &format!("{{\"method\":\"ping\",\"params\":{{\"x\":\"{long}\"}},\"jsonrpc\":\"2.0\",\"id\":\"late\"}}\n"),
        "{\"jsonrpc\":\"2.0\",\"id\":22,\"method\":\"tools/call\",\"params\":\n",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/nonsense\",\"params\":{\"a\":1}}\n",
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]\n",
    ] {
        bytes.extend_from_slice(part.as_bytes());
    }
    bytes.extend_from_slice(b"\xff\xfe\x00\n");
    bytes.extend_from_slice(line(30, "ping", &json!({})).as_bytes());
    bytes.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":31,\"meth");
    let replies = replies(&repo, bytes);
    let code = |id: &str| replies[id]["error"]["code"].as_i64();
    for (id, expected) in [
        ("11", -32601),
        ("12", -32602),
        ("13", -32602),
        ("16", -32602),
        ("20", -32700),
        ("21", -32600),
        ("\"late\"", -32600),
        ("22", -32700),
        ("31", -32700),
    ] {
        if id == "16" {
            assert!(code(id).is_some());
            continue;
        }
        assert_eq!(code(id), Some(expected), "{id}: {}", replies[id]);
    }
    assert!(code("10").is_some(), "{}", replies["10"]);
    for id in ["14", "15"] {
        assert_eq!(replies[id]["result"]["isError"], true, "{}", replies[id]);
    }
    assert_eq!(replies["17"]["result"]["resources"][0]["uri"], "sdp://skill");
    assert_eq!(replies["30"]["result"], json!({}));
}

#[test]
fn what_is_refused_is_written_before_the_end() {
    let repo = shop();
    let refused = "{\"jsonrpc\":\"2.0\",\"id\":1e308,\"method\":\"ping\"}\n".repeat(2_000);
    let run = repo.command(["mcp"]).stdin(initialize() + &refused).run();
    assert_eq!((run.stdout.lines().count(), run.code), (2_001, Some(0)));
    let last: Value = serde_json::from_str(run.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(last["error"]["code"], -32600, "{last}");
}

#[test]
fn a_request_with_the_id_of_one_that_waits_is_refused_and_both_are_answered() {
    let repo = shop();
    let mut server = Raw::start(&repo, &["--timeout", "1"]);
    server.send(&ask(1, "for (;;) {}"));
    server.send(&ask(1, "return 2"));
    let refused = server.reply();
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(1), &json!(-32600)), "{refused}");
    let answered = server.reply();
    assert_eq!((&answered["id"], &answered["result"]["isError"]), (&json!(1), &json!(true)), "{answered}");
    // Then the id is free again.
    server.send(&ask(1, "return 3"));
    assert_eq!(server.reply()["result"]["structuredContent"]["answer"], 3);
    drop(server.child.stdin.take());
    assert_eq!(wait(&mut server.child).code(), Some(0));
}

#[test]
fn an_error_is_cut_too_and_says_how_many_findings_are_left_out() {
    let repo = (0..60).fold(Repo::new(), |repo, n| {
        repo.file(&format!("{n}.sdp.md"), format!("---\nid: spec:a.b{n}\n{}: 1\n---\n# A\n", "k".repeat(150)))
    });
    let client = Client::connect(&repo, &[]);
    let (text, error) = client.error("q", json!({ "body": "return 1", "max_chars": 2_000 }));
    assert!(text.chars().count() <= 2_200 && error.to_string().chars().count() <= 2_200, "{text}");
    let shown = error["findings"].as_array().unwrap().len();
    let left_out = error["findingsLeftOut"].as_u64().unwrap();
    assert!(shown > 2 && left_out > 50 && text.contains(&format!("… {left_out} more findings\n")), "{text}");
    let empty = Client::connect(&Repo::new(), &[]);
    let (text, _) = empty.error("q", json!({ "body": "throw new Error('x'.repeat(9e5))", "max_chars": 2_000 }));
    assert!(text.chars().count() < 1_200, "{text}");
    let (text, _) = empty.error("recipes", json!({ "show": "x".repeat(90_000) }));
    assert!(text.starts_with("sdp recipes: the catalog holds no recipe xxx") && text.len() < 400, "{text}");
}

/// A server whose lines are read one by one.
struct Raw {
    child: Child,
    lines: Option<std::io::Lines<BufReader<std::process::ChildStdout>>>,
}

impl Raw {
    fn start(repo: &Repo, arguments: &[&str]) -> Self {
        let mut command = Command::new(binary());
        command.arg("mcp").args(arguments).current_dir(repo.root()).env_clear();
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut raw = Raw { child, lines: Some(lines) };
        raw.send(&initialize());
        assert_eq!(raw.reply()["id"], 0);
        raw
    }

    fn send(&mut self, text: &str) {
        self.child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn reply(&mut self) -> Value {
        serde_json::from_str(&self.lines.as_mut().unwrap().next().unwrap().unwrap()).unwrap()
    }
}

#[test]
fn a_cancelled_call_is_not_answered_and_keeps_nobody_waiting() {
    let repo = shop();
    // Long enough to be noticed where the body were not stopped.
    let mut server = Raw::start(&repo, &["--timeout", "1000"]);
    server.send(&ask(1, "for (;;) {}"));
    server.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n");
    // So many that some of them wait for their turn.
    for id in 2..8 {
        server.send(&ask(id, "return 1"));
    }
    let mut seen: Vec<i64> = (2..8).map(|_| server.reply()["id"].as_i64().unwrap()).collect();
    seen.sort_unstable();
    assert_eq!(seen, [2, 3, 4, 5, 6, 7]);
    drop(server.child.stdin.take());
    assert!(server.lines.as_mut().unwrap().next().is_none(), "nothing else comes");
    assert_eq!(wait(&mut server.child).code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_with_0_also_while_a_body_runs() {
    let repo = shop();
    for (signal, body) in [("INT", None), ("TERM", None), ("TERM", Some("for (;;) {}"))] {
        let mut server = Raw::start(&repo, &["--timeout", "1000"]);
        if let Some(body) = body {
            server.send(&ask(1, body));
        }
        // Answered after the body has its thread.
        server.send(&ask(2, "return 1"));
        assert_eq!(server.reply()["id"], 2);
        let status = Command::new("kill").args([format!("-{signal}"), server.child.id().to_string()]).status().unwrap();
        assert!(status.success());
        assert_eq!(wait(&mut server.child).code(), Some(0), "{signal}");
    }
}

#[test]
fn a_client_that_reads_no_more_ends_the_server() {
    let repo = shop();
    let mut server = Raw::start(&repo, &[]);
    drop(server.lines.take());
    server.send(&ask(1, "return 1"));
    // Its stdin stays open.
    let stdin = server.child.stdin.take();
    assert_eq!(wait(&mut server.child).code(), Some(0));
    drop(stdin);
}

#[test]
fn a_root_that_does_not_exist_is_refused_at_once_and_a_wrong_configuration_is_not() {
    let repo = Repo::new().file("sdp.toml", "nonsense = 1\n");
    let run = repo.sdp(["mcp", "--root", "none"]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
    assert!(run.complaint().starts_with("sdp mcp: root \"") && run.stderr.contains("\nhint: "), "{}", run.stderr);
    let run = repo.sdp(["mcp"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("", "", Some(0)));
}
