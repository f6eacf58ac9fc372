//! The corpus of recorded answers.

use rquickjs::{Context, Promise, Runtime, Value};
use serde_json::Value as Json;

use super::*;

fn run(body: &str) -> Result<String, RenderError> {
    let runtime = Runtime::new().unwrap();
    let context = Context::full(&runtime).unwrap();
    context.with(|ctx| {
        let intrinsics = Intrinsics::new(&ctx).unwrap();
        let promise: Promise<'_> = ctx.eval(format!("(async function(){{ {body}\n }})()")).unwrap();
        let value: Value<'_> = promise.finish().map_err(|_| RenderError::Thrown(string_of(&ctx, &ctx.catch())))?;
        render(&ctx, &intrinsics, &value, &|| false)
    })
}

#[test]
fn the_recorded_answers_of_node_are_given() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpora/inspect.json");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: the corpora are not here");
        return;
    };
    let corpus: Json = serde_json::from_str(&text).unwrap();
    let mut failures = Vec::new();
    for case in corpus["values"].as_array().unwrap() {
        let (body, expected) = (case["body"].as_str().unwrap(), case["text"].as_str().unwrap());
        match run(body) {
            Ok(text) if text == expected => {}
            other => failures.push(format!("{body}\n  expected {expected:?}\n  got      {other:?}")),
        }
    }
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}
