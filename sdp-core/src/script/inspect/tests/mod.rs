//! What the renderer gives for bodies whose text Node was asked for, for the recorded corpus, and for bodies that mean harm.

mod hostile;
mod node;

use rquickjs::{Array, CatchResultExt, Context, Ctx, Promise, Runtime, Value};

use super::*;

/// Runs a body in a fresh Context, after the renderer has captured what it needs, and hands over what it returns.
fn with_result<T>(body: &str, check: impl for<'js> FnOnce(&Ctx<'js>, &Intrinsics<'js>, &Value<'js>) -> T) -> T {
    in_runtime(&Runtime::new().unwrap(), body, check)
}

fn in_runtime<T>(
    runtime: &Runtime,
    body: &str,
    check: impl for<'js> FnOnce(&Ctx<'js>, &Intrinsics<'js>, &Value<'js>) -> T,
) -> T {
    let context = Context::full(runtime).unwrap();
    context.with(|ctx| {
        let intrinsics = Intrinsics::new(&ctx).unwrap();
        let promise: Promise<'_> =
            ctx.eval(format!("(async function () {{ {body}\n }})()")).catch(&ctx).expect("the body compiles");
        let value: Value<'_> = promise.finish().catch(&ctx).expect("the body returns");
        check(&ctx, &intrinsics, &value)
    })
}

fn answer(body: &str) -> Result<String, RenderError> {
    with_result(body, |ctx, intrinsics, value| render(ctx, intrinsics, value, &|| false))
}

fn answers(cases: &[(&str, &str)]) {
    for (body, expected) in cases {
        assert_eq!(answer(body).as_deref(), Ok(*expected), "{body}");
    }
}

fn logs(cases: &[(&str, &str)]) {
    for (body, expected) in cases {
        let line = with_result(body, |ctx, intrinsics, value| {
            let values: Vec<Value<'_>> =
                value.get::<Array<'_>>().unwrap().iter().collect::<rquickjs::Result<_>>().unwrap();
            render_log(ctx, intrinsics, &values, &|| false)
        });
        assert_eq!(line.as_deref(), Ok(*expected), "{body}");
    }
}

#[test]
fn the_recorded_answers_of_node_are_given() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpora/inspect.json");
    let Ok(text) = std::fs::read_to_string(path) else {
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"skipped: the corpora are not here\n");
        return;
    };
    let corpus: serde_json::Value = serde_json::from_str(&text).unwrap();
    let cases = corpus["values"].as_array().unwrap();
    assert_eq!(cases.len(), 189);
    for case in cases {
        answers(&[(case["body"].as_str().unwrap(), case["text"].as_str().unwrap())]);
    }
}

#[test]
fn values_of_another_realm_are_plain() {
    let runtime = Runtime::new().unwrap();
    let (home, guest) = (Context::full(&runtime).unwrap(), Context::full(&runtime).unwrap());
    let graph = home.with(|ctx| {
        let value: Value<'_> =
            ctx.eval("Object.freeze({ nodes: Object.freeze([Object.freeze({ id: 'a' })]), at: new Map() })").unwrap();
        rquickjs::Persistent::save(&ctx, value)
    });
    guest.with(|ctx| {
        let intrinsics = Intrinsics::new(&ctx).unwrap();
        let value = graph.restore(&ctx).unwrap();
        let text = render(&ctx, &intrinsics, &value, &|| false);
        assert_eq!(text.as_deref(), Ok("{ nodes: [ { id: 'a' } ], at: Map(0) {} }"));
    });
}

#[test]
fn an_engine_error_shows_its_header_before_its_frames() {
    let text = answer("return new RangeError('too far')").unwrap();
    assert!(text.starts_with("RangeError: too far\n    at <anonymous> ("), "{text}");
    let nested = answer("class Odd extends Error {} return { e: new Odd('m') }").unwrap();
    assert!(nested.starts_with("{\n  e: Odd [Error]: m\n      at "), "{nested}");
}

#[test]
fn a_thrown_value_becomes_its_message_or_its_string() {
    let thrown = |body: &str| with_result(body, |ctx, _, value| string_of(ctx, value));
    assert_eq!(thrown("return new Error('the message')"), "the message");
    assert_eq!(thrown("return 'text \\ud800'"), "text \u{FFFD}");
    assert_eq!(thrown("return {}"), "[object Object]");
    assert_eq!(thrown("return null"), "null");
    assert_eq!(thrown("return -0"), "0");
    assert_eq!(thrown("return Symbol('s')"), "Symbol(s)");
    assert_eq!(thrown("return Symbol()"), "Symbol()");
    assert_eq!(thrown("return { toString() { throw 1 } }"), "a thrown value that cannot be converted to a string");
}
